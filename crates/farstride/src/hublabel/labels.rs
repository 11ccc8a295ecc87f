//! The labels of a hierarchy.

use super::build::Builder;
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
///    and with neither arc nor next.
/// 3. Any other entry starts with an arc of its rank. Its next is the entry of
///    the same hub in the label of the head of that arc, and costs as much less
///    as the arc costs.
/// 4. An entry is a shortest path, and its hub is higher than any other node on
///    any path as short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HubLabels {
    /// Rank `r` owns the entries from `first[r]` to `first[r + 1]` (1).
    pub(super) first: Box<[u32]>,
    pub(super) hubs: Box<[u32]>,  // (2)
    pub(super) costs: Box<[u32]>, // (2, 3, 4)
    pub(super) arcs: Box<[u32]>,  // (3)
    pub(super) nexts: Box<[u32]>, // (3)
}

impl HubLabels {
    /// Instead of an arc or a next entry: the hub is reached.
    pub const NONE: u32 = u32::MAX;

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
        Builder::new(hierarchy, *limits).run(threads, progress)
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
        let Self { first, hubs, costs, arcs, nexts } = self;
        [first, hubs, costs, arcs, nexts].iter().map(|part| size_of_val(&***part)).sum()
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

    /// Position of the arc by which it is reached, or [`HubLabels::NONE`].
    pub(crate) fn arcs(&self) -> &[u32] {
        &self.arcs
    }

    /// The entry of the same hub where that arc leads, or [`HubLabels::NONE`].
    pub(crate) fn nexts(&self) -> &[u32] {
        &self.nexts
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
