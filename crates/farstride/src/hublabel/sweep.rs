//! Climbing from one end of a path.

use super::reach::Reach;
use crate::contraction::{ContractionHierarchy, UpArc};

/// What can be climbed to from one end of a path.
#[derive(Debug, Default)]
pub(super) struct Side {
    pub(super) reach: Reach,
    /// From which rank each was reached, or [`END`].
    parents: Vec<u32>,
    /// Ranks that are to be climbed from, one bit each.
    pending: Vec<u64>,
    /// Ranks above the floor that were reached, in the order in which they were.
    pub(super) landings: Vec<u32>,
}

/// Instead of a rank to climb from: the path begins here.
pub(super) const END: u32 = u32::MAX;

impl Side {
    /// Climbs from some ranks, at some cost each, up to the ranks above `floor`:
    /// those of smaller numbers. `meet` is told of every rank on the way and its
    /// cost; it says from which cost on climbing is pointless.
    ///
    /// Ranks are taken in their order, the lowest first: all arcs lead up, so
    /// that none is taken twice, and no queue is needed. A rank is left alone if
    /// one above it leads to it as cheaply: then some shortest path climbs by
    /// that one.
    pub(super) fn climb(
        &mut self,
        hierarchy: &ContractionHierarchy,
        floor: u32,
        ends: &[(u32, u32)],
        mut meet: impl FnMut(u32, u64) -> u64,
    ) {
        self.begin(hierarchy.node_count());
        for &(rank, cost) in ends {
            self.improve(rank, cost.into(), END, floor);
        }
        let lowest = ends.iter().map(|&(rank, _)| rank as usize / 64 + 1).max().unwrap_or(0);
        for word in (floor as usize / 64..lowest).rev() {
            while self.pending[word] != 0 {
                let bit = self.pending[word].ilog2();
                self.pending[word] ^= 1 << bit;
                let rank = word as u32 * 64 + bit;
                let cost = self.reach.cost(rank);
                let arcs = hierarchy.up_arcs(rank);
                if cost < meet(rank, cost) && !self.is_stalled(arcs, cost) {
                    for arc in arcs {
                        self.improve(arc.head, cost + u64::from(arc.cost), rank, floor);
                    }
                }
            }
        }
    }

    fn begin(&mut self, ranks: usize) {
        self.reach.begin(ranks);
        if self.parents.len() < ranks {
            self.parents = vec![END; ranks];
            self.pending = vec![0; ranks.div_ceil(64)];
        }
        self.landings.clear();
    }

    #[inline]
    fn improve(&mut self, rank: u32, cost: u64, parent: u32, floor: u32) {
        if cost >= Reach::FAR || self.reach.is_within(rank, cost) {
            return;
        }
        if rank >= floor {
            self.pending[rank as usize / 64] |= 1 << (rank % 64);
        } else if !self.reach.is_known(rank) {
            self.landings.push(rank);
        }
        self.reach.improve(rank, cost);
        self.parents[rank as usize] = parent;
    }

    /// Whether a rank with these arcs is reached as cheaply over one of them.
    #[inline]
    pub(super) fn is_stalled(&self, arcs: &[UpArc], cost: u64) -> bool {
        arcs.iter().any(|arc| {
            cost.checked_sub(arc.cost.into()).is_some_and(|rest| self.reach.is_within(arc.head, rest))
        })
    }

    /// Writes the ranks by which one was reached, itself first.
    pub(super) fn descend(&self, mut rank: u32, mut visit: impl FnMut(u32)) {
        while rank != END {
            visit(rank);
            rank = self.parents[rank as usize];
        }
    }

    /// The end that a path begins at which begins at this rank.
    pub(super) fn end_at(&self, rank: u32, ends: &[(u32, u32)]) -> Option<usize> {
        let cost = self.reach.cost(rank);
        ends.iter().position(|&end| end.0 == rank && u64::from(end.1) == cost)
    }
}
