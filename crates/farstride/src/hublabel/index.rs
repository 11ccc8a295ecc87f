//! The index: a hierarchy and its labels.

use super::labels::{HubLabels, Limits};
use super::meet::{End, HubScratch};
use crate::base::crew::{Watch, Workers};
use crate::base::{BuildOptions, Cancelled, Cost, NodeId};
use crate::contraction::{ContractionHierarchy, ContractionSettings};
use crate::graph::{Graph, PrepareError};

/// An index for shortest paths in an undirected graph.
///
/// A query takes one of three ways, and all give the same answer:
///
/// - if all nodes have labels, it compares two of them;
/// - if only the top nodes have labels, it climbs to these first;
/// - if the hierarchy has a core, it climbs to the core and searches it.
///
/// # Guarantee
/// Optimal and deterministic. The index does not depend on the number of threads.
///
/// # Complexity
/// With labels of all nodes, a distance takes time linear in the lengths of two
/// labels, and a path takes that plus its number of nodes. A label has dozens of
/// entries on road networks and game maps, and hundreds on open ground with
/// scattered obstacles. Memory is 10 bytes per entry plus the hierarchy.
///
/// # Example
/// Six places on the banks of a river, with two bridges:
/// ```
/// use farstride::hublabel::{HubIndex, HubScratch};
/// use farstride::Cost;
/// use farstride::graph::{NodeId, RowGraph};
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
    /// Builds the index of a graph with default settings, on all cores.
    ///
    /// # Errors
    /// [`PrepareError`] if the graph is directed or too large, an edge costs
    /// too much, or an arc leads to an unknown node.
    pub fn build(graph: &impl Graph<Node = NodeId>) -> Result<Self, PrepareError> {
        Self::build_with(graph, &BuildOptions::new())
    }

    /// Builds the index of a graph by default settings with a number of threads,
    /// reporting progress, until it is done or cancelled.
    ///
    /// # Errors
    /// As [`HubIndex::build`], and [`PrepareError::Cancelled`].
    pub fn build_with(
        graph: &impl Graph<Node = NodeId>,
        options: &BuildOptions<'_>,
    ) -> Result<Self, PrepareError> {
        let BuildOptions { threads, watch: Watch { progress, wanted } } = *options;
        // Contraction and labelling count every node once, and take about as long.
        let first = |done: usize, total: usize| progress(done, 2 * total);
        let second = |done: usize, total: usize| progress(total + done, 2 * total);
        let contracting = BuildOptions { threads, watch: Watch { progress: &first, wanted } };
        let hierarchy =
            ContractionHierarchy::build_with(graph, &ContractionSettings::default(), &contracting)?;
        let labelling = BuildOptions { threads, watch: Watch { progress: &second, wanted } };
        let index = Self::of_hierarchy(hierarchy, &labelling)?;
        let nodes = index.hierarchy.node_count();
        if index.hierarchy.core_size() > 0 {
            progress(2 * nodes, 2 * nodes); // a hierarchy with a core has nothing to label
        }
        Ok(index)
    }

    /// Builds the labels of a hierarchy, for other settings than those of
    /// [`HubIndex::build`].
    ///
    /// # Errors
    /// [`Cancelled`] if `options` cancel the build.
    pub fn of_hierarchy(
        hierarchy: ContractionHierarchy,
        options: &BuildOptions<'_>,
    ) -> Result<Self, Cancelled> {
        Self::with_limits(hierarchy, &Limits::default(), options)
    }

    #[doc(hidden)]
    pub fn with_limits(
        hierarchy: ContractionHierarchy,
        limits: &Limits,
        options: &BuildOptions<'_>,
    ) -> Result<Self, Cancelled> {
        let labels = HubLabels::build_with(&hierarchy, limits, options)?;
        Ok(Self { hierarchy, labels })
    }

    /// Joins a hierarchy and labels that were built for it.
    pub(crate) const fn of_parts(hierarchy: ContractionHierarchy, labels: HubLabels) -> Self {
        Self { hierarchy, labels }
    }

    /// The contraction hierarchy.
    pub const fn hierarchy(&self) -> &ContractionHierarchy {
        &self.hierarchy
    }

    #[doc(hidden)]
    pub const fn labels(&self) -> &HubLabels {
        &self.labels
    }

    /// Bytes in memory.
    pub fn byte_count(&self) -> usize {
        self.hierarchy.byte_count() + self.labels.byte_count()
    }

    /// Returns the distance between two nodes, or `None` if there is no path or
    /// the graph does not have one of the nodes.
    ///
    /// # Guarantee
    /// Exact.
    ///
    /// # Allocation
    /// None once `scratch` has grown.
    pub fn distance(&self, from: NodeId, to: NodeId, scratch: &mut HubScratch) -> Option<Cost> {
        self.distance_guided(from, to, |_, _| Cost::ZERO, scratch)
    }

    /// Same as [`HubIndex::distance`], guided by lower bounds of distances.
    ///
    /// `bound` must never exceed the distance between two nodes. It helps where
    /// not all nodes have labels: nodes too far off the way are skipped.
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

    /// Writes the nodes of a shortest path into `path`, both ends included, and
    /// returns the distance.
    ///
    /// Returns `None` and leaves `path` empty if there is no path or the graph
    /// does not have one of the nodes. If some edges cost nothing, the path may
    /// pass a node twice.
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

    /// Same as [`HubIndex::path_into`], guided by lower bounds of distances; see
    /// [`HubIndex::distance_guided`].
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

    /// Writes the distance from `from` to each node of `to` into `distances`, in
    /// the same order; `None` where there is no path or no such node.
    ///
    /// # Complexity
    /// Cheaper than one query per pair: the climb from `from` is done once.
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

    /// Returns the distances between all nodes of `from` and all of `to`, row by
    /// row, computed on this many threads. The row of the first node of `from`
    /// comes first; see [`HubIndex::distances_into`].
    ///
    /// # Example
    /// ```
    /// use farstride::hublabel::HubIndex;
    /// use farstride::Cost;
    /// use farstride::graph::{NodeId, RowGraph};
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

    /// A node as an end of a path; `None` if the graph does not have it.
    fn end(&self, node: NodeId) -> Option<End> {
        (node.index() < self.hierarchy.node_count()).then(|| (self.hierarchy.rank_of(node), 0))
    }
}
