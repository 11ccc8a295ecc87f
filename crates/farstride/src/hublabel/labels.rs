//! The labels of a hierarchy.

use super::build::Builder;
use crate::base::{BuildOptions, Cancelled, with_methods};
use crate::contraction::{ContractionHierarchy, Rank};
use std::ops::Range;

/// How large labels may become.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Maximum number of entries of all labels together. If all labels do not
    /// fit, only the top ranks get theirs.
    pub entries: u32,
    /// Maximum number of ranks with labels.
    pub ranks: u32,
}

with_methods!(Limits { with_entries entries: u32, with_ranks ranks: u32 });

impl Default for Limits {
    fn default() -> Self {
        Self { entries: 1 << 24, ranks: u32::MAX }
    }
}

/// Position of an entry among those of all labels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct EntryId(u32);

impl EntryId {
    /// The entry at a position.
    #[inline]
    pub(crate) const fn new(position: u32) -> Self {
        Self(position)
    }

    /// The position, for indexing.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The labels of the top ranks of a contraction hierarchy, or of all.
///
/// # Invariants
///
/// 1. `first` has one entry more than there are labels, starts at 0, never falls
///    and ends with the number of entries.
/// 2. The hubs of a label rise strictly. The last is the rank itself, at cost 0
///    and without a step.
/// 3. The step of any other entry is the position of an arc among those of its
///    rank. The label of that arc's head has an entry of the same hub, and the
///    two costs differ by that of the arc.
/// 4. An entry is a shortest path, and its hub is higher than every other node on
///    every path that is as short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HubLabels {
    /// Rank `r` owns the entries from `first[r]` to `first[r + 1]` (1).
    pub(super) first: Box<[u32]>,
    pub(super) hubs: Box<[u32]>,  // (2)
    pub(super) costs: Box<[u32]>, // (2, 3, 4)
    pub(super) steps: Box<[u16]>, // (3)
}

/// The first step on the way from a rank to a hub.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Onward {
    /// Position of the arc among all arcs.
    pub(crate) arc: usize,
    /// The rank it leads to.
    pub(crate) rank: Rank,
    /// The entry of the same hub there.
    pub(crate) entry: EntryId,
}

impl HubLabels {
    /// Step of an entry whose hub is its own rank.
    pub(super) const ARRIVED: u16 = u16::MAX;

    /// Bytes per entry. The next entry on the way to a hub is found by binary
    /// search; storing it, and the arc in full, took six bytes more.
    pub(crate) const ENTRY_BYTES: usize = 10;

    /// Builds the labels of a hierarchy on all cores. A hierarchy with a core gets
    /// no labels at all.
    pub fn build(hierarchy: &ContractionHierarchy, limits: &Limits) -> Self {
        let built = Self::build_with(hierarchy, limits, &BuildOptions::new());
        built.unwrap_or_else(|Cancelled| unreachable!("nobody cancels"))
    }

    /// Builds the labels of a hierarchy with a number of threads, reporting
    /// progress, until they are done or cancelled. Work is counted in ranks.
    ///
    /// # Errors
    /// [`Cancelled`] if `options` cancel the build.
    pub fn build_with(
        hierarchy: &ContractionHierarchy,
        limits: &Limits,
        options: &BuildOptions<'_>,
    ) -> Result<Self, Cancelled> {
        Builder::new(hierarchy, *limits).run(options)
    }

    /// Number of ranks with labels: ranks `0..top` have one.
    pub fn top(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    /// The ranks with labels, the most important first.
    pub(crate) fn ranks(&self) -> impl DoubleEndedIterator<Item = Rank> + use<> {
        (0..self.top()).map(Rank::new)
    }

    /// Number of entries of all labels together.
    pub fn entry_count(&self) -> usize {
        self.hubs.len()
    }

    /// Bytes in memory.
    pub fn byte_count(&self) -> usize {
        size_of_val(&*self.first) + self.entry_count() * Self::ENTRY_BYTES
    }

    /// Positions at which the label of each rank begins, and the end of the last.
    pub(crate) fn first(&self) -> &[u32] {
        &self.first
    }

    /// The hub of each entry.
    pub(crate) fn hubs(&self) -> &[u32] {
        &self.hubs
    }

    /// The distance to the hub of each entry.
    pub(crate) fn costs(&self) -> &[u32] {
        &self.costs
    }

    /// The first step of each entry: the position of an arc among those of its
    /// rank, or [`HubLabels::ARRIVED`].
    pub(crate) fn steps(&self) -> &[u16] {
        &self.steps
    }

    /// The hub of an entry.
    #[inline]
    pub(crate) fn hub_of(&self, entry: EntryId) -> Rank {
        Rank::new(self.hubs[entry.index()])
    }

    /// The distance to the hub of an entry.
    #[inline]
    pub(crate) fn cost_of(&self, entry: EntryId) -> u32 {
        self.costs[entry.index()]
    }

    /// The hubs of the label of a rank and their distances, by rising rank.
    #[inline]
    pub(crate) fn label_of(&self, rank: Rank) -> impl Iterator<Item = (Rank, u32)> + '_ {
        let range = self.range(rank);
        let hubs = self.hubs[range.clone()].iter().map(|&hub| Rank::new(hub));
        hubs.zip(self.costs[range].iter().copied())
    }

    /// The first step from `rank` to the hub of `entry`; `None` if the hub is the
    /// rank itself.
    #[inline]
    pub(crate) fn onward(
        &self,
        hierarchy: &ContractionHierarchy,
        rank: Rank,
        entry: EntryId,
    ) -> Option<Onward> {
        let step = self.steps[entry.index()];
        if step == Self::ARRIVED {
            return None;
        }
        let arc = hierarchy.range(rank).start + usize::from(step);
        let rank = hierarchy.arcs()[arc].head();
        let entry = self.entry_of(rank, self.hub_of(entry))?;
        Some(Onward { arc, rank, entry })
    }

    /// The entry of a hub in the label of a rank; `None` if it has none.
    pub(super) fn entry_of(&self, rank: Rank, hub: Rank) -> Option<EntryId> {
        let range = self.range(rank);
        let place = self.hubs[range.clone()].binary_search(&hub.get()).ok()?;
        Some(EntryId((range.start + place) as u32))
    }

    /// Positions of the entries of a rank. The rank must have a label.
    #[inline]
    pub(crate) fn range(&self, rank: Rank) -> Range<usize> {
        self.first[rank.index()] as usize..self.first[rank.index() + 1] as usize
    }
}
