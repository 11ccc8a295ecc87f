//! Costs between all link ends of a world: bounds that make searches through links short.
//!
//! They are found once everything else is known, and stay while links and their ends stay.
//! After edits they are no longer exact. Tables know how much of each cost is left at least
//! ([`Table::share`](super::table::Table::share)), and no way is cheaper than that share of what
//! it was.

use super::net::Net;
use crate::base::Cost;
use crate::base::crew::{all_cores, split};
use crate::graph::{Graph, NodeId};
use crate::search::{Memory, Problem};
use std::ops::Range;

/// The costs from each link end to each other, on foot and by links.
#[derive(Debug)]
pub(super) struct Far {
    count: usize,
    /// Row by row, in units. Costs above [`Far::MOST`] stand as that, which is no more than they are.
    costs: Box<[u32]>,
}

impl Far {
    /// Above this many ends there are no such costs: memory goes by the square.
    const MOST_ENDS: usize = 3000;

    /// The largest cost: two of them are a number of 32 bits, and numbers of 32 bits are compared
    /// four at a time.
    pub(super) const MOST: u32 = u32::MAX / 2;

    /// A lower bound of a cost that is at most [`Far::MOST`].
    pub(super) fn bound(cost: Cost) -> u32 {
        u32::try_from(cost.units()).map_or(Self::MOST, |units| units.min(Self::MOST))
    }

    /// Finds all costs on all cores, given all walks; `None` if there are too many ends.
    pub(super) fn build(net: &Net) -> Option<Self> {
        let count = net.end_count();
        if count > Self::MOST_ENDS {
            return None;
        }
        let part = count.div_ceil(all_cores()).max(1);
        let parts = (0..count).step_by(part).map(|first| first..(first + part).min(count));
        let rows = split(parts, |ends| {
            let (graph, mut memory) = (Ends(net), Memory::default());
            let problem = Problem::everywhere(&graph);
            let mut costs = Vec::with_capacity(ends.len() * count);
            for end in ends {
                problem.begin(NodeId::new(end as u32), &mut memory, &mut ());
                problem.advance::<crate::search::HeapQueue>(&mut memory, u64::MAX, &mut ());
                costs.extend((0..count).map(|to| memory.cost(to).map_or(Self::MOST, Self::bound)));
            }
            costs
        });
        Some(Self { count, costs: rows.concat().into() })
    }

    /// The costs from an end to some others.
    #[inline]
    pub(super) fn row(&self, from: usize, to: Range<usize>) -> &[u32] {
        &self.costs[from * self.count..][to]
    }
}

/// Link ends, with the walks between them that are known, and the links.
struct Ends<'n>(&'n Net);

impl Graph for Ends<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.0.end_count()
    }

    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let end = node.index();
        for exit in self.0.exits(end) {
            visit(NodeId::new(exit.to), exit.cost);
        }
        let floor = self.0.end(end).floor;
        let ends = self.0.ends_on(floor);
        for (other, walk) in ends.clone().zip(self.0.table(floor).row(end - ends.start)) {
            if let Some(walk) = walk {
                visit(NodeId::new(other as u32), walk);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_never_exceed_costs_and_two_can_be_added() {
        for units in [0, 1, 5000, u64::from(Far::MOST), u64::from(Far::MOST) + 1, u64::from(u32::MAX) + 1] {
            let bound = Far::bound(Cost::from_units(units));
            assert!(u64::from(bound) <= units && bound.checked_add(Far::MOST).is_some(), "{units}");
            assert_eq!(u64::from(bound), units.min(u64::from(Far::MOST)));
        }
        assert_eq!(Far::bound(Cost::MAX), Far::MOST);
    }
}
