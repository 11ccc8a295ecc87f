//! A hierarchy and its labels, ready for queries.

use super::labels::{HubLabels, Limits};
use super::meet::HubScratch;
use crate::base::crew::{Workers, all_cores};
use crate::base::{Cost, NodeId};
use crate::contraction::{ContractionError, ContractionHierarchy, Settings};
use crate::graph::Graph;

/// Shortest paths of an undirected graph, prepared.
///
/// How a query is answered depends on what the graph allows, and the answer does
/// not: by two labels, if all nodes have one; by climbing to the nodes that have
/// labels, if only the top ones do; by climbing to the core of the hierarchy and
/// searching it, if there is one.
///
/// # Guarantee
/// Optimal, deterministic; the same for every number of threads.
///
/// # Complexity
/// A label is as long as there are nodes above one that are the highest on some
/// shortest path: on road networks and maps of games some dozens, on open ground
/// with scattered obstacles some hundreds. With all labels, a distance takes time
/// in proportion to the length of two of them, and a path that and its number of
/// nodes.
///
/// # Example
/// Six places along a river, with two bridges:
/// ```
/// use farstride::hublabel::{HubIndex, HubScratch};
/// use farstride::{Cost, NodeId, RowGraph};
///
/// let cost = |units| Cost::new(units).unwrap();
/// let north = [(0, 1, cost(4)), (1, 2, cost(4))];
/// let south = [(3, 4, cost(4)), (4, 5, cost(4))];
/// let bridges = [(0, 3, cost(1)), (2, 5, cost(2))];
/// let roads = RowGraph::from_edges(6, [north, south].concat().into_iter().chain(bridges))?;
///
/// let index = HubIndex::build(&roads)?;
/// let mut scratch = HubScratch::default();
/// let (from, to) = (NodeId::new(1), NodeId::new(4));
/// assert_eq!(index.distance(from, to, &mut scratch), Some(cost(9)));
///
/// let mut path = Vec::new();
/// index.path_into(from, to, &mut path, &mut scratch);
/// assert_eq!(path, [1, 0, 3, 4].map(NodeId::new));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HubIndex {
    pub(super) hierarchy: ContractionHierarchy,
    pub(super) labels: HubLabels,
}

impl HubIndex {
    /// Prepares a graph with the usual settings on all cores.
    ///
    /// # Errors
    /// [`ContractionError`] if the graph is directed, or an edge costs too much.
    pub fn build(graph: &impl Graph<Node = NodeId>) -> Result<Self, ContractionError> {
        let hierarchy = ContractionHierarchy::build(graph, &Settings::default())?;
        Ok(Self::of_hierarchy(hierarchy, &Limits::default(), all_cores(), &|_, _| ()))
    }

    /// Makes the labels of a hierarchy on a number of threads, telling `progress`
    /// how many ranks of how many have theirs.
    pub fn of_hierarchy(
        hierarchy: ContractionHierarchy,
        limits: &Limits,
        threads: usize,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Self {
        let labels = HubLabels::build(&hierarchy, limits, threads, progress);
        Self { hierarchy, labels }
    }

    /// A hierarchy and labels of it.
    pub(crate) const fn of_parts(hierarchy: ContractionHierarchy, labels: HubLabels) -> Self {
        Self { hierarchy, labels }
    }

    /// The hierarchy.
    pub const fn hierarchy(&self) -> &ContractionHierarchy {
        &self.hierarchy
    }

    /// Its labels.
    pub const fn labels(&self) -> &HubLabels {
        &self.labels
    }

    /// Bytes in memory.
    pub fn byte_count(&self) -> usize {
        self.hierarchy.byte_count() + self.labels.byte_count()
    }

    /// The distance between two nodes; `None` if there is no path, or no such
    /// nodes.
    ///
    /// # Guarantee
    /// Exact.
    ///
    /// # Allocation
    /// None once `scratch` has grown.
    pub fn distance(&self, from: NodeId, to: NodeId, scratch: &mut HubScratch) -> Option<Cost> {
        self.distance_guided(from, to, |_, _| Cost::ZERO, scratch)
    }

    /// As [`HubIndex::distance`], led by lower bounds of the distances
    /// between nodes: where not all nodes have labels, less is looked at.
    pub fn distance_guided(
        &self,
        from: NodeId,
        to: NodeId,
        bound: impl Fn(NodeId, NodeId) -> Cost,
        scratch: &mut HubScratch,
    ) -> Option<Cost> {
        let (source, target) = (self.end(from)?, self.end(to)?);
        let ahead = |rank| bound(self.hierarchy.node_at(rank), to);
        let behind = |rank| bound(from, self.hierarchy.node_at(rank));
        Some(self.meet(&[source], &[target], (ahead, behind), scratch, &mut ())?.cost)
    }

    /// Writes the nodes of a shortest path between two nodes into `path`, both
    /// included, and returns the distance; nothing and `None` if there is no
    /// path, or no such nodes. Where edges cost nothing, it may pass a node twice.
    ///
    /// # Guarantee
    /// Optimal, deterministic.
    ///
    /// # Allocation
    /// None once `scratch` and `path` have grown.
    pub fn path_into(
        &self,
        from: NodeId,
        to: NodeId,
        path: &mut Vec<NodeId>,
        scratch: &mut HubScratch,
    ) -> Option<Cost> {
        self.path_guided_into(from, to, |_, _| Cost::ZERO, path, scratch)
    }

    /// As [`HubIndex::path_into`], led by lower bounds of the distances
    /// between nodes: where not all nodes have labels, less is looked at.
    pub fn path_guided_into(
        &self,
        from: NodeId,
        to: NodeId,
        bound: impl Fn(NodeId, NodeId) -> Cost,
        path: &mut Vec<NodeId>,
        scratch: &mut HubScratch,
    ) -> Option<Cost> {
        path.clear();
        let (source, target) = (self.end(from)?, self.end(to)?);
        let ahead = |rank| bound(self.hierarchy.node_at(rank), to);
        let behind = |rank| bound(from, self.hierarchy.node_at(rank));
        let meeting = self.meet(&[source], &[target], (ahead, behind), scratch, &mut ())?;
        self.trace(meeting, usize::MAX, &[source], &[target], scratch)?;
        path.extend(scratch.path().iter().map(|&rank| self.hierarchy.node_at(rank)));
        Some(meeting.cost)
    }

    /// Writes the distances from one node to others into `distances`, in the order
    /// of the others; `None` where there is no path, or no such node.
    ///
    /// # Complexity
    /// The way up from the first node is gone once.
    ///
    /// # Allocation
    /// None once `scratch` and `distances` have grown.
    pub fn distances_into(
        &self,
        from: NodeId,
        to: &[NodeId],
        distances: &mut Vec<Option<Cost>>,
        scratch: &mut HubScratch,
    ) {
        distances.clear();
        let Some(source) = self.end(from) else {
            distances.resize(to.len(), None);
            return;
        };
        self.depart(&[source], scratch, &mut ());
        distances.extend(to.iter().map(|&to| {
            let target = self.end(to)?;
            Some(self.arrive(&[target], |_| Cost::ZERO, scratch, &mut ())?.cost)
        }));
    }

    /// The distances from some nodes to others, on a number of threads: a row for
    /// each of the first, as [`HubIndex::distances_into`] writes it, one after the
    /// other.
    ///
    /// # Example
    /// ```
    /// use farstride::hublabel::HubIndex;
    /// use farstride::{Cost, NodeId, RowGraph};
    ///
    /// let cost = |units| Cost::new(units).unwrap();
    /// let street = RowGraph::from_edges(4, [(0, 1, cost(5)), (1, 2, cost(6))])?;
    /// let index = HubIndex::build(&street)?;
    /// let (shops, homes) = ([0, 1].map(NodeId::new), [2, 3].map(NodeId::new));
    /// let table = index.distances(&shops, &homes, 2);
    /// assert_eq!(table, [Some(cost(11)), None, Some(cost(6)), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distances(&self, from: &[NodeId], to: &[NodeId], threads: usize) -> Vec<Option<Cost>> {
        let mut workers = Workers::new(threads, HubScratch::default);
        let rows = workers.map(from.len(), false, |row, scratch| {
            let mut distances = Vec::with_capacity(to.len());
            self.distances_into(from[row], to, &mut distances, scratch);
            distances
        });
        rows.concat()
    }

    /// A node as an end of a path.
    fn end(&self, node: NodeId) -> Option<(u32, u32)> {
        (node.index() < self.hierarchy.node_count()).then(|| (self.hierarchy.rank_of(node), 0))
    }
}
