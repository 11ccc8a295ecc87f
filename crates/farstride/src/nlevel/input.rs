//! Reading and cleaning the graph to partition.

use super::turns::Visit;
use crate::base::crew::Watch;
use crate::base::{Cancelled, Cost, NodeId};
use crate::graph::{Graph, PrepareError};
use crate::search::{Everything, LimitedQueue, Memory, Problem, ShortestPath};

/// An edge, seen from one of its ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct DraftArc {
    pub(super) head: u32,
    pub(super) cost: u32,
    /// The node that an extra edge leads around, or [`ORIGINAL`].
    pub(super) via: u32,
    /// Class in which it leaves this end.
    pub(super) leave: u8,
    /// Class in which it arrives at the other end.
    pub(super) arrive: u8,
}

impl DraftArc {
    /// An edge of the original graph with the same class at both ends.
    pub(crate) const fn original(head: u32, cost: u32, class: u8) -> Self {
        Self { head, cost, via: ORIGINAL, leave: class, arrive: class }
    }

    /// The other end.
    pub(crate) const fn head(self) -> u32 {
        self.head
    }

    /// The same edge with another head.
    #[must_use]
    pub(crate) const fn to(self, head: u32) -> Self {
        Self { head, ..self }
    }
}

/// Via of an edge of the original graph.
pub(super) const ORIGINAL: u32 = (1 << Visit::NODE_BITS) - 1;

/// Largest number of nodes: searches add two for start and goal.
const MOST_NODES: usize = (1 << Visit::NODE_BITS) - 2;

/// Number of nodes read between two checks for cancelling: well below a
/// millisecond.
const CHECK_EVERY: u32 = 1 << 10;
/// Number of searches to neighbours between two checks.
const SEARCHES_PER_CHECK: usize = 16;

/// An undirected graph as the paper assumes it: no loops, no parallel edges, and no
/// edge longer than the distance between its ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Draft {
    /// Edges of each node, sorted by the other end.
    pub(super) arcs: Vec<Vec<DraftArc>>,
}

impl Draft {
    /// A graph that is known to be clean. Each edge must be listed at both ends, in
    /// the order of the other end.
    pub(crate) const fn trusted(arcs: Vec<Vec<DraftArc>>) -> Self {
        Self { arcs }
    }

    /// Reads a graph, and drops edges that no shortest path needs.
    ///
    /// # Errors
    /// [`PrepareError`] if the graph is directed or too large, an edge costs nothing
    /// or too much, or an arc leads to an unknown node, or once `watch` cancels.
    pub(super) fn clean(graph: &impl Graph<Node = NodeId>, watch: Watch<'_>) -> Result<Self, PrepareError> {
        let nodes = graph.node_count();
        if nodes > MOST_NODES {
            return Err(PrepareError::TooManyNodes { nodes, most: MOST_NODES });
        }
        let mut draft = Self { arcs: Vec::with_capacity(nodes) };
        for from in 0..nodes as u32 {
            if from % CHECK_EVERY == 0 {
                watch.check()?;
            }
            draft.arcs.push(read_arcs(graph, NodeId::new(from))?);
        }
        draft.check_undirected()?;
        draft.remove_long_edges(watch)?;
        Ok(draft)
    }

    /// Fails if some arc has no counterpart of the same cost.
    fn check_undirected(&self) -> Result<(), PrepareError> {
        for (from, arcs) in self.arcs.iter().enumerate() {
            for arc in arcs {
                let row = &self.arcs[arc.head as usize];
                let back = row.binary_search_by_key(&(from as u32), |back| back.head);
                if !back.is_ok_and(|back| row[back].cost == arc.cost) {
                    let (from, to) = (NodeId::new(from as u32), NodeId::new(arc.head));
                    return Err(PrepareError::Directed { from, to });
                }
            }
        }
        Ok(())
    }

    /// Removes edges that are longer than the distance between their ends. No
    /// shortest path uses them, so distances stay the same.
    fn remove_long_edges(&mut self, watch: Watch<'_>) -> Result<(), Cancelled> {
        let mut memory: Memory<LimitedQueue> = Memory::default();
        let mut kept = Vec::with_capacity(self.arcs.len());
        for (from, arcs) in self.arcs.iter().enumerate() {
            if from % SEARCHES_PER_CHECK == 0 {
                watch.check()?;
                (watch.progress)(from, self.arcs.len());
            }
            let farthest = arcs.iter().map(|arc| u64::from(arc.cost)).max().unwrap_or(0);
            memory.open_mut().limit = Cost::from_units(farthest);
            let problem = Problem { graph: self, target: Everything, rule: ShortestPath };
            problem.begin(NodeId::new(from as u32), &mut memory, &mut ());
            problem.advance(&mut memory, u64::MAX, &mut ());
            let is_distance =
                |arc: &&DraftArc| memory.tree().g(arc.head as usize).units() == u64::from(arc.cost);
            kept.push(arcs.iter().filter(is_distance).copied().collect());
        }
        self.arcs = kept;
        Ok(())
    }
}

/// The arcs out of a node, the cheapest to each other node.
fn read_arcs(graph: &impl Graph<Node = NodeId>, from: NodeId) -> Result<Vec<DraftArc>, PrepareError> {
    let nodes = graph.node_count();
    let mut arcs = Vec::new();
    let mut bad = None;
    graph.for_each_arc(from, |to, cost| {
        if to.index() >= nodes {
            bad = Some(PrepareError::UnknownNode { from, to });
        } else if to != from {
            match u32::try_from(cost.units()) {
                Ok(0) => bad = Some(PrepareError::ZeroCost { from, to }),
                Ok(cost) => arcs.push(DraftArc::original(to.index() as u32, cost, 0)),
                Err(_) => bad = Some(PrepareError::TooDear { from, to, cost }),
            }
        }
    });
    arcs.sort_unstable();
    arcs.dedup_by_key(|arc| arc.head);
    bad.map_or(Ok(arcs), Err)
}

impl Graph for Draft {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.arcs.len()
    }

    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for arc in &self.arcs[node.index()] {
            visit(NodeId::new(arc.head), Cost::from_units(arc.cost.into()));
        }
    }
}
