//! The labels of a hierarchy.

use super::build::Builder;
use crate::base::crew::Watch;
use crate::contraction::ContractionHierarchy;
use std::ops::Range;

/// How large labels may become.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Limits {
    /// Entries of all labels. If there would be more, only the top ranks have
    /// labels.
    pub entries: u32,
    /// Ranks that have labels at most.
    pub ranks: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { entries: 1 << 24, ranks: u32::MAX }
    }
}

/// The labels of the top ranks of a contraction hierarchy, or of all.
///
/// # Invariants
///
/// 1. `first` has one entry more than there are labels, starts at 0, never falls
///    and ends with the number of entries.
/// 2. The hubs of a label rise strictly; the last is the rank itself, at cost 0
///    and with no step.
/// 3. The step of any other entry is the place of an arc among those of its rank.
///    It goes on in the label of the head of that arc: with the entry of the same
///    hub, which costs as much less as the arc costs.
/// 4. An entry is a shortest path, and its hub is higher than any other node on
///    any path as short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HubLabels {
    /// Rank `r` owns the entries from `first[r]` to `first[r + 1]` (1).
    pub(super) first: Box<[u32]>,
    pub(super) hubs: Box<[u32]>,  // (2)
    pub(super) costs: Box<[u32]>, // (2, 3, 4)
    pub(super) steps: Box<[u16]>, // (3)
}

/// Where the way of an entry leads first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Onward {
    /// Position of the arc.
    pub(crate) arc: usize,
    /// The rank it leads to.
    pub(crate) rank: u32,
    /// The entry of the same hub there.
    pub(crate) entry: u32,
}

impl HubLabels {
    /// Instead of a step: the hub is the rank itself.
    pub(super) const ARRIVED: u16 = u16::MAX;

    /// Bytes of an entry.
    pub(crate) const ENTRY_BYTES: usize = 10;

    /// Makes the labels of a hierarchy on a number of threads, telling
    /// `progress` how many ranks of how many have theirs. The result is the same
    /// for every number of threads.
    ///
    /// A hierarchy with a core has no labels at all.
    pub fn build(
        hierarchy: &ContractionHierarchy,
        limits: &Limits,
        threads: usize,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Self {
        Self::build_while(hierarchy, *limits, threads, Watch::patient(progress))
    }

    /// The same; once they are no longer wanted, those of the top ranks that are
    /// done.
    pub(crate) fn build_while(
        hierarchy: &ContractionHierarchy,
        limits: Limits,
        threads: usize,
        watch: Watch<'_>,
    ) -> Self {
        Builder::new(hierarchy, limits).run(threads, watch)
    }

    /// Number of ranks that have labels: all, or the first ones.
    pub fn top(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    /// Number of entries.
    pub fn entry_count(&self) -> usize {
        self.hubs.len()
    }

    /// Bytes in memory.
    pub fn byte_count(&self) -> usize {
        size_of_val(&*self.first) + self.entry_count() * Self::ENTRY_BYTES
    }

    /// Where the label of each rank begins, and where the last one ends.
    pub(crate) fn first(&self) -> &[u32] {
        &self.first
    }

    /// The hub of each entry.
    pub(crate) fn hubs(&self) -> &[u32] {
        &self.hubs
    }

    /// How far it is.
    pub(crate) fn costs(&self) -> &[u32] {
        &self.costs
    }

    /// The place among the arcs of its rank of that by which it is reached, or
    /// [`HubLabels::ARRIVED`].
    pub(crate) fn steps(&self) -> &[u16] {
        &self.steps
    }

    /// Where the way of an entry of a rank leads first; `None` if it has arrived.
    #[inline]
    pub(crate) fn onward(&self, hierarchy: &ContractionHierarchy, rank: u32, entry: u32) -> Option<Onward> {
        let step = self.steps[entry as usize];
        if step == Self::ARRIVED {
            return None;
        }
        let arc = hierarchy.range(rank).start + usize::from(step);
        let rank = hierarchy.arcs()[arc].head;
        let entry = self.entry_of(rank, self.hubs[entry as usize])?;
        Some(Onward { arc, rank, entry })
    }

    /// The entry of a hub in the label of a rank.
    pub(super) fn entry_of(&self, rank: u32, hub: u32) -> Option<u32> {
        let range = self.range(rank);
        let place = self.hubs[range.clone()].binary_search(&hub).ok()?;
        Some((range.start + place) as u32)
    }

    /// Positions of the entries of a rank that has a label.
    #[inline]
    pub(crate) fn range(&self, rank: u32) -> Range<usize> {
        self.first[rank as usize] as usize..self.first[rank as usize + 1] as usize
    }
}
