//! Searching and partitioning `petgraph` graphs.
//!
//! [`Imported`] copies a graph into compressed rows once, with an exact cost for
//! every edge that the caller's function returns, and translates results back to
//! the nodes of the original graph.

pub(crate) mod error;

use crate::base::{Cost, NodeId};
use crate::graph::RowGraph;
use ::petgraph::visit::{EdgeRef, GraphProp, IntoEdgeReferences, IntoNodeIdentifiers};
use error::ImportError;

/// A `petgraph` graph copied into compressed rows, with the mapping of nodes.
///
/// An undirected edge becomes two arcs, a directed edge one. To be partitioned, a
/// directed graph must have every arc both ways at the same cost; otherwise wrap
/// it in `petgraph::visit::UndirectedAdaptor`.
///
/// # Example
/// ```
/// use farstride::interop::petgraph::Imported;
/// use farstride::nlevel::{ArchScratch, Basic, NLevelGraph};
/// use farstride::Cost;
/// use petgraph::graph::UnGraph;
///
/// let mut roads = UnGraph::new_undirected();
/// let [home, mill, inn] = ["home", "mill", "inn"].map(|name| roads.add_node(name));
/// roads.extend_with_edges([(home, mill, 1.5), (mill, inn, 2.25), (home, inn, 4.0)]);
///
/// // In thousandths. A weight that is not a valid length is an error.
/// let imported = Imported::new(&roads, |edge| Cost::scaled(*edge.weight(), 1000))?;
/// let levels = NLevelGraph::partition(imported.graph(), None, &Basic)?;
///
/// let mut scratch = ArchScratch::default();
/// let [start, goal] = [home, inn].map(|node| imported.id(node).unwrap());
/// let found = levels.find(start, goal, &mut scratch).unwrap();
/// assert_eq!(found.cost.units(), 3750);
/// let names: Vec<_> = imported.nodes_of(found.path).map(|node| roads[node]).collect();
/// assert_eq!(names, ["home", "mill", "inn"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Invariants
///
/// 1. `nodes` has one entry per node of `graph`.
/// 2. `sorted` has the same nodes, each once, in the order of `petgraph`'s ids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imported<N> {
    graph: RowGraph,
    nodes: Box<[N]>,            // (1)
    sorted: Box<[(N, NodeId)]>, // (2)
}

impl<N: Copy + Ord> Imported<N> {
    /// Copies a graph, numbering nodes in the order in which it lists them.
    /// `cost` returns the cost of an edge, or `None` if its weight is not a valid
    /// cost: negative, NaN or too large (see [`Cost::scaled`]).
    ///
    /// # Errors
    /// [`ImportError`] names the first edge whose cost is missing or too large.
    ///
    /// # Complexity
    /// O((V + E) log V) time.
    pub fn new<G>(
        graph: G,
        mut cost: impl FnMut(G::EdgeRef) -> Option<Cost>,
    ) -> Result<Self, ImportError<N, G::EdgeId>>
    where
        G: IntoNodeIdentifiers<NodeId = N> + IntoEdgeReferences + GraphProp,
    {
        let nodes: Box<[N]> = graph.node_identifiers().collect();
        let mut sorted: Box<[_]> = nodes.iter().copied().zip((0..).map(NodeId::new)).collect();
        sorted.sort_unstable();
        let mut arcs = Vec::new();
        for reference in graph.edge_references() {
            let (edge, from, to) = (reference.id(), reference.source(), reference.target());
            let cost = cost(reference).ok_or(ImportError::NoCost { edge, from, to })?;
            if cost * nodes.len() as u64 > Cost::MAX {
                return Err(ImportError::TooDear { edge, from, to, cost });
            }
            let [Some(tail), Some(head)] = [from, to].map(|node| find(&sorted, node)) else {
                return Err(ImportError::UnknownNode { edge, from, to });
            };
            let (tail, head) = (tail.index() as u32, head.index() as u32);
            arcs.push((tail, head, cost));
            if !graph.is_directed() {
                arcs.push((head, tail, cost));
            }
        }
        // Undirected loops are listed twice, and so is every edge of an undirected
        // `Csr`. Parallel arcs of equal cost are redundant as well.
        arcs.sort_unstable();
        arcs.dedup();
        let graph = RowGraph::from_arcs(nodes.len(), arcs).map_err(ImportError::Graph)?;
        Ok(Self { graph, nodes, sorted })
    }

    /// The copied graph, ready to search or partition.
    pub const fn graph(&self) -> &RowGraph {
        &self.graph
    }

    /// The id of a node of the original graph; `None` if it was added after the
    /// copy.
    pub fn id(&self, node: N) -> Option<NodeId> {
        find(&self.sorted, node)
    }

    /// The node of the original graph; `None` if there is no such id.
    pub fn node(&self, id: NodeId) -> Option<N> {
        self.nodes.get(id.index()).copied()
    }

    /// The nodes of the original graph along a path.
    pub fn nodes_of(&self, path: &[NodeId]) -> impl Iterator<Item = N> {
        path.iter().filter_map(|&id| self.node(id))
    }
}

fn find<N: Copy + Ord>(sorted: &[(N, NodeId)], node: N) -> Option<NodeId> {
    let at = sorted.binary_search_by(|(other, _)| other.cmp(&node)).ok()?;
    Some(sorted[at].1)
}
