//! Proves that a graph is an N-level graph of another.

use super::arching::ArchScratch;
use super::graph::NLevelGraph;
use super::input::Draft;
use crate::base::crew::Watch;
use crate::base::{Inconsistent, NodeId};
use crate::graph::Graph;
use crate::search::{Memory, dijkstra};

impl NLevelGraph {
    /// Re-proves that this is an N-level graph of `graph`; for tests.
    ///
    /// For every pair of nodes, the path found must be a path of `graph` and as long
    /// as the distance. Every edge must be as long as the distance between its ends.
    ///
    /// # Errors
    /// [`Inconsistent`] describes the first broken invariant.
    ///
    /// # Complexity
    /// One search per pair of nodes.
    pub fn check(&self, graph: &impl Graph<Node = NodeId>) -> Result<(), Inconsistent> {
        let draft =
            Draft::clean(graph, Watch::none()).map_err(|error| Inconsistent::new(error.to_string()))?;
        if draft.node_count() != self.node_count() {
            return Err(Inconsistent::new(format!(
                "{} nodes instead of {}",
                self.node_count(),
                draft.node_count()
            )));
        }
        let mut memory = Memory::default();
        let mut scratch = ArchScratch::default();
        for start in (0..self.node_count() as u32).map(NodeId::new) {
            dijkstra(&draft, start, &mut memory, &mut ());
            let distance = |node: NodeId| memory.cost(node.index());
            for edge in self.edges().filter(|edge| edge.from == start) {
                if distance(edge.to) != Some(edge.cost) {
                    return Err(Inconsistent::new(format!(
                        "the edge {} - {} is not as long as the distance",
                        edge.from, edge.to
                    )));
                }
            }
            for goal in (0..self.node_count() as u32).map(NodeId::new) {
                let found = self.find(start, goal, &mut scratch);
                if found.map(|found| found.cost) != distance(goal) {
                    return Err(Inconsistent::new(format!(
                        "no arching path from {start} to {goal} is as long as the distance"
                    )));
                }
                let step = |pair: &[NodeId]| {
                    draft.arcs[pair[0].index()].iter().find(|arc| arc.head as usize == pair[1].index())
                };
                let length = found.map(|found| {
                    found
                        .path
                        .windows(2)
                        .map(|pair| step(pair).map(|arc| u64::from(arc.cost)))
                        .sum::<Option<u64>>()
                });
                if length != distance(goal).map(|cost| Some(cost.units())) {
                    return Err(Inconsistent::new(format!(
                        "the path from {start} to {goal} is not in the original graph"
                    )));
                }
            }
        }
        Ok(())
    }
}
