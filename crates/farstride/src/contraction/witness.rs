//! Looking for ways around a node.

use super::contract::Edge;
use crate::base::{Cost, NodeId};
use crate::graph::Graph;
use crate::search::{Everything, LimitedQueue, Memory, Problem, ShortestPath};

/// Memory for witness searches.
#[derive(Debug, Default)]
pub(super) struct Witness {
    memory: Memory<LimitedQueue>,
}

/// What is left of a graph, without a node and those before it in a round.
struct Around<'g> {
    rows: &'g [Vec<Edge>],
    node: u32,
}

impl Graph for Around<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.rows.len()
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for edge in &self.rows[node.index()] {
            if edge.head != self.node {
                visit(NodeId::new(edge.head), Cost::from_units(edge.cost.into()));
            }
        }
    }
}

impl Witness {
    /// Calls `visit` with every pair of edges of a node, by their places, for
    /// which no other way as short was found between their heads.
    pub(super) fn for_each_shortcut(
        &mut self,
        rows: &[Vec<Edge>],
        node: u32,
        settle_limit: u32,
        mut visit: impl FnMut(usize, usize),
    ) {
        let edges = &rows[node as usize];
        let problem = Problem { graph: &Around { rows, node }, target: Everything, rule: ShortestPath };
        for (one, edge) in edges.iter().enumerate() {
            let others = &edges[one + 1..];
            let Some(farthest) = others.iter().map(|other| u64::from(other.cost)).max() else {
                return;
            };
            self.memory.open_mut().limit = Cost::from_units(u64::from(edge.cost) + farthest);
            problem.begin(NodeId::new(edge.head), &mut self.memory, &mut ());
            problem.advance(&mut self.memory, settle_limit.into(), &mut ());
            for (other, to) in (one + 1..).zip(others) {
                let over = u64::from(edge.cost) + u64::from(to.cost);
                let around = self.memory.labels().known(to.head as usize);
                if around.is_none_or(|around| around.units() > over) {
                    visit(one, other);
                }
            }
        }
    }
}
