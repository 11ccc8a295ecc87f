//! Climbing from one end of a path.

use super::meet::End;
use super::reach::Reach;
use crate::contraction::{ContractionHierarchy, Rank, UpArc};

/// The ranks that one end of a path can climb to.
#[derive(Debug, Default)]
pub(super) struct Side {
    pub(super) reach: Reach,
    /// The rank from which each was reached, or [`Rank::NONE`] at the end itself.
    parents: Vec<Rank>,
    /// Ranks to climb from, one bit each; all clear between climbs.
    pending: Vec<u64>,
    /// Ranks above the floor that were reached, in the order of being reached.
    pub(super) landings: Vec<Rank>,
}

impl Side {
    /// Climbs from some ranks, each with the cost of getting there, up to the
    /// ranks above `floor`, that is, those with smaller numbers.
    ///
    /// Calls `meet` with every rank below the floor that is reached and its cost.
    /// Its answer is the cost from which climbing on is pointless.
    ///
    /// Ranks are taken in order, the least important first. All arcs lead up, so
    /// a rank's cost is final when its turn comes, and a bit set does the work of
    /// a queue. Climbing stops at a rank that is *stalled*: some rank above leads
    /// down to it as cheaply, so a shortest path climbs by that one instead.
    pub(super) fn climb(
        &mut self,
        hierarchy: &ContractionHierarchy,
        floor: Rank,
        ends: &[End],
        mut meet: impl FnMut(Rank, u64) -> u64,
    ) {
        self.begin(hierarchy.node_count());
        for &(rank, cost) in ends {
            self.improve(rank, cost.into(), Rank::NONE, floor);
        }
        let lowest = ends.iter().map(|&(rank, _)| rank.index() / 64 + 1).max().unwrap_or(0);
        for word in (floor.index() / 64..lowest).rev() {
            while self.pending[word] != 0 {
                let bit = self.pending[word].ilog2();
                self.pending[word] ^= 1 << bit;
                let rank = Rank::new(word as u32 * 64 + bit);
                let cost = self.reach.cost(rank);
                let arcs = hierarchy.up_arcs(rank);
                if cost < meet(rank, cost) && !self.is_stalled(arcs, cost) {
                    for arc in arcs {
                        self.improve(arc.head(), cost + u64::from(arc.cost), rank, floor);
                    }
                }
            }
        }
    }

    /// Forgets the last climb, and makes room for `ranks` ranks.
    fn begin(&mut self, ranks: usize) {
        self.reach.begin(ranks);
        if self.parents.len() < ranks {
            self.parents = vec![Rank::NONE; ranks];
            self.pending = vec![0; ranks.div_ceil(64)];
        }
        self.landings.clear();
    }

    /// Lowers the cost of a rank, and schedules it if it is below the floor.
    #[inline]
    fn improve(&mut self, rank: Rank, cost: u64, parent: Rank, floor: Rank) {
        if cost >= Reach::FAR || self.reach.is_within(rank, cost) {
            return;
        }
        if rank >= floor {
            self.pending[rank.index() / 64] |= 1 << (rank.index() % 64);
        } else if !self.reach.is_known(rank) {
            self.landings.push(rank);
        }
        self.reach.improve(rank, cost);
        self.parents[rank.index()] = parent;
    }

    /// Whether a rank with these arcs, reached at `cost`, can be reached from the
    /// head of one of them at no higher cost.
    #[inline]
    pub(super) fn is_stalled(&self, arcs: &[UpArc], cost: u64) -> bool {
        arcs.iter().any(|arc| {
            cost.checked_sub(arc.cost.into()).is_some_and(|rest| self.reach.is_within(arc.head(), rest))
        })
    }

    /// Calls `visit` with the ranks from `rank` back down to the end of the path,
    /// both included.
    pub(super) fn descend(&self, mut rank: Rank, mut visit: impl FnMut(Rank)) {
        while rank != Rank::NONE {
            visit(rank);
            rank = self.parents[rank.index()];
        }
    }

    /// Position in `ends` of the one that a path through its rank `rank` starts
    /// from. The same rank may be there several times, at different costs.
    pub(super) fn end_at(&self, rank: Rank, ends: &[End]) -> Option<usize> {
        let cost = self.reach.cost(rank);
        ends.iter().position(|&end| end.0 == rank && u64::from(end.1) == cost)
    }
}
