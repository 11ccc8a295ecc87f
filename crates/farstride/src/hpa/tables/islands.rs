//! The islands of a cluster.

use super::{Flaw, WORD, ensure, u16_at, u32_at};
use std::ops::Range;

/// The islands of a cluster, see [`Costs`](super::Costs).
///
/// In its record: the number of islands; for each node its spot in 2 bytes and the number of its island in
/// 2 more; the rank of each node in 2 bytes, in the order of spots; padding; for each island, and for the end of the last, its first
/// spot and the number of costs before its own, in 4 bytes each.
#[derive(Clone, Copy)]
pub(super) struct Islands<'t> {
    /// Number of nodes.
    pub(super) count: usize,
    pub(super) bytes: &'t [u8],
}

impl<'t> Islands<'t> {
    /// The islands of `count` nodes at the start of some bytes, and the bytes that follow.
    #[inline]
    pub(super) fn split(bytes: &'t [u8], count: usize) -> (Self, &'t [u8]) {
        let islands = u32_at(bytes, 0) as usize;
        let (bytes, rest) = bytes.split_at(Self::words(count, islands) * WORD);
        (Self { count, bytes }, rest)
    }

    /// Adds islands of `count` nodes with these ranks to a record.
    pub(super) fn encode(
        record: &mut Vec<u8>,
        count: usize,
        members: &[Vec<usize>],
        costs_between: impl Fn(usize) -> usize,
    ) {
        record.extend_from_slice(&(members.len() as u32).to_le_bytes());
        let mut of_nodes = vec![0_u32; count];
        let islands = (0_u32..).zip(members);
        let by_spot = islands.flat_map(|(island, members)| members.iter().map(move |&rank| (island, rank)));
        for (spot, (island, rank)) in (0_u32..).zip(by_spot) {
            of_nodes[rank] = island << 16 | spot;
        }
        record.extend(of_nodes.into_iter().flat_map(u32::to_le_bytes));
        record.extend(members.iter().flatten().flat_map(|&rank| (rank as u16).to_le_bytes()));
        record.resize(record.len().next_multiple_of(WORD), 0);
        let (mut spots, mut costs) = (0, 0);
        for nodes in members.iter().map(Vec::len).chain([0]) {
            record.extend([spots, costs].into_iter().flat_map(|bound| (bound as u32).to_le_bytes()));
            (spots, costs) = (spots + nodes, costs + costs_between(nodes));
        }
    }

    /// Words that `islands` islands of `count` nodes take.
    #[inline]
    pub(super) const fn words(count: usize, islands: usize) -> usize {
        Self::before_bounds(count) + (islands + 1) * 2
    }

    #[inline]
    const fn before_bounds(count: usize) -> usize {
        1 + count + count.div_ceil(2)
    }

    /// Number of islands.
    pub(super) fn len(&self) -> usize {
        u32_at(self.bytes, 0) as usize
    }

    /// The island of a node, and its spot.
    #[inline]
    pub(super) fn of(&self, rank: usize) -> (usize, usize) {
        let word = u32_at(self.bytes, 1 + rank);
        ((word >> 16) as usize, (word & 0xffff) as usize)
    }

    #[inline]
    pub(super) fn rank(&self, spot: usize) -> usize {
        u16_at(self.bytes, 2 * (1 + self.count) + spot).into()
    }

    /// What follows the ranks.
    pub(super) fn padding(&self) -> &[u8] {
        &self.bytes[WORD * (1 + self.count) + 2 * self.count..WORD * Self::before_bounds(self.count)]
    }

    #[inline]
    pub(super) fn spots(&self, island: usize) -> Range<usize> {
        self.bound(2 * island)..self.bound(2 * island + 2)
    }

    /// Where its costs are.
    #[inline]
    pub(super) fn costs(&self, island: usize) -> Range<usize> {
        self.bound(2 * island + 1)..self.bound(2 * island + 3)
    }

    /// How many spots and costs come before an island, or before the end of the last.
    #[inline]
    pub(super) fn before(&self, island: usize) -> [usize; 2] {
        [0, 1].map(|part| self.bound(2 * island + part))
    }

    #[inline]
    fn bound(&self, at: usize) -> usize {
        u32_at(self.bytes, Self::before_bounds(self.count) + at) as usize
    }

    /// Checks the form of the islands of `count` nodes; returns the number of all costs.
    pub(super) fn check_form(
        &self,
        count: usize,
        costs_between: impl Fn(usize) -> usize,
    ) -> Result<usize, Flaw> {
        ensure(self.spots(0).start == 0 && self.costs(0).start == 0, "does not start at its first island")?;
        let mut spots = 0;
        for island in 0..self.len() {
            ensure(self.spots(island).start < self.spots(island).end, "has an empty island")?;
            spots = self.spots(island).end;
            ensure(spots <= count, "has more nodes on its islands than in all")?;
            let costs = costs_between(self.spots(island).len());
            let is_right = self.costs(island).start.checked_add(costs) == Some(self.costs(island).end);
            ensure(is_right, "has another number of costs than an island takes")?;
            for spot in self.spots(island) {
                let rank = self.rank(spot);
                ensure(rank < count && self.of(rank) == (island, spot), "has a node in two places")?;
            }
        }
        // Then every node is on an island: each spot has another one.
        ensure(spots == count, "has nodes on no island")?;
        Ok(self.costs(self.len() - 1).end)
    }
}
