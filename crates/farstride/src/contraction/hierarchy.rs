//! The result of contraction.

use super::contract::{Contraction, Edge};
use super::input::{self, Rows};
use super::{ContractionSettings, Rank};
use crate::base::crew::Watch;
use crate::base::{BuildOptions, Cancelled, Cost, NodeId};
use crate::graph::{Graph, PrepareError};
use std::ops::Range;

/// An arc from a node to a more important one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UpArc {
    pub(crate) head: Rank,
    /// In units.
    pub(crate) cost: u32,
    /// [`Rank::NONE`] for an edge of the original graph.
    pub(crate) via: Rank,
}

impl UpArc {
    /// The rank it leads to.
    #[inline]
    pub const fn head(&self) -> Rank {
        self.head
    }

    /// Its cost.
    #[inline]
    pub fn cost(&self) -> Cost {
        Cost::from_units(self.cost.into())
    }

    /// The rank of the contracted node that this shortcut leads over; `None` for an
    /// edge of the original graph.
    #[inline]
    pub fn via(&self) -> Option<Rank> {
        (self.via != Rank::NONE).then_some(self.via)
    }
}

/// The nodes of a graph in order of importance, and the arcs by which shortest
/// paths climb.
///
/// Ranks count from the top: rank 0 was contracted last. If contraction stopped
/// early, the remaining nodes are the *core* and have the first ranks.
///
/// # Invariants
///
/// 1. `nodes` and `ranks` are inverse to each other.
/// 2. `first` has one entry more than there are nodes, starts at 0, never falls
///    and ends with the number of arcs.
/// 3. The arcs of a rank are sorted by head, no head twice. Below the core, heads
///    are smaller than the rank. In the core, they are other ranks of the core,
///    and each arc has its counterpart.
/// 4. A via is a rank below the core and larger than both ends. It has arcs to
///    both, whose costs add up to that of the arc.
/// 5. Between any two connected nodes, some shortest path of the original graph
///    climbs from both ends along these arcs, and crosses the core along them.
///
/// # Example
/// ```
/// use farstride::contraction::{ContractionHierarchy, ContractionSettings, Rank};
/// use farstride::Cost;
/// use farstride::graph::RowGraph;
///
/// let cost = |units| Cost::new(units).unwrap();
/// let street = RowGraph::from_edges(3, [(0, 1, cost(5)), (1, 2, cost(6))])?;
/// let hierarchy = ContractionHierarchy::build(&street, &ContractionSettings::default())?;
/// assert_eq!((hierarchy.node_count(), hierarchy.core_size()), (3, 0));
/// let top = hierarchy.node_at(Rank::new(0));
/// assert!(hierarchy.up_arcs(hierarchy.rank_of(top)).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContractionHierarchy {
    pub(super) core_size: u32,
    /// The node of each rank (1).
    pub(super) nodes: Box<[u32]>,
    /// The rank of each node (1).
    pub(super) ranks: Box<[u32]>,
    /// Rank `r` owns `arcs[first[r]..first[r + 1]]` (2).
    pub(super) first: Box<[u32]>,
    pub(super) arcs: Box<[UpArc]>, // (3, 4, 5)
}

impl ContractionHierarchy {
    /// Contracts an undirected graph on all cores.
    ///
    /// # Errors
    /// [`PrepareError`] if the graph is directed or too large, an edge costs
    /// too much, or an arc leads to an unknown node.
    pub fn build(
        graph: &impl Graph<Node = NodeId>,
        settings: &ContractionSettings,
    ) -> Result<Self, PrepareError> {
        Self::build_with(graph, settings, &BuildOptions::new())
    }

    /// Contracts an undirected graph with a number of threads, reporting progress,
    /// until it is done or cancelled. Work is counted in contracted nodes.
    ///
    /// # Errors
    /// As [`ContractionHierarchy::build`], and [`PrepareError::Cancelled`].
    pub fn build_with(
        graph: &impl Graph<Node = NodeId>,
        settings: &ContractionSettings,
        options: &BuildOptions<'_>,
    ) -> Result<Self, PrepareError> {
        let BuildOptions { threads, watch } = *options;
        watch.check()?;
        Ok(Self::of_rows(input::read(graph, watch)?, settings, threads, watch)?)
    }

    /// Contracts a graph that is already in rows: the neighbours of every node
    /// and the costs of the edges to them, without loops or parallel edges, each
    /// edge listed at both ends.
    pub(crate) fn of_rows(
        rows: Rows,
        settings: &ContractionSettings,
        threads: usize,
        watch: Watch<'_>,
    ) -> Result<Self, Cancelled> {
        Contraction::new(rows, *settings).run(threads, watch)
    }

    /// Builds a hierarchy from the nodes by rank and the upward edges by node.
    pub(super) fn assemble(nodes: &[NodeId], core_size: u32, upward: &[Vec<Edge>]) -> Self {
        let mut ranks = vec![0; nodes.len()];
        for (rank, node) in (0..).zip(nodes) {
            ranks[node.index()] = rank;
        }
        let rank = |node: NodeId| Rank::new(ranks[node.index()]);
        let via = |node: NodeId| if node == Edge::NO_VIA { Rank::NONE } else { rank(node) };
        let ranked = |edge: &Edge| UpArc { head: rank(edge.head), cost: edge.cost, via: via(edge.via) };
        let mut first = vec![0];
        let mut arcs: Vec<UpArc> = Vec::with_capacity(upward.iter().map(Vec::len).sum());
        for node in nodes {
            let begin = arcs.len();
            arcs.extend(upward[node.index()].iter().map(ranked));
            arcs[begin..].sort_unstable_by_key(|arc| arc.head);
            first.push(arcs.len() as u32);
        }
        let nodes = nodes.iter().map(|node| node.index() as u32).collect();
        Self { core_size, nodes, ranks: ranks.into(), first: first.into(), arcs: arcs.into() }
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Number of nodes that were not contracted: those of ranks `0..core_size`.
    pub const fn core_size(&self) -> u32 {
        self.core_size
    }

    /// The rank of a node.
    ///
    /// # Panics
    /// If `node` is not a node of the graph.
    #[inline]
    pub fn rank_of(&self, node: NodeId) -> Rank {
        Rank::new(self.ranks[node.index()])
    }

    /// The node of a rank.
    ///
    /// # Panics
    /// If `rank` is not less than the number of nodes.
    #[inline]
    pub fn node_at(&self, rank: Rank) -> NodeId {
        NodeId::new(self.nodes[rank.index()])
    }

    /// The arcs of a rank to more important ones; in the core, to all neighbours
    /// there.
    ///
    /// # Panics
    /// If `rank` is not less than the number of nodes.
    #[inline]
    pub fn up_arcs(&self, rank: Rank) -> &[UpArc] {
        &self.arcs[self.range(rank)]
    }

    /// All ranks, the most important first.
    pub fn all_ranks(&self) -> impl DoubleEndedIterator<Item = Rank> + use<> {
        (0..self.node_count() as u32).map(Rank::new)
    }

    /// Positions at which the arcs of each rank begin, and the end of the last.
    pub(crate) fn first(&self) -> &[u32] {
        &self.first
    }

    /// All arcs, rank by rank.
    pub(crate) fn arcs(&self) -> &[UpArc] {
        &self.arcs
    }

    /// Positions of the arcs of a rank.
    #[inline]
    pub(crate) fn range(&self, rank: Rank) -> Range<usize> {
        self.first[rank.index()] as usize..self.first[rank.index() + 1] as usize
    }

    /// Position of the arc from one rank to another; `None` if there is none.
    #[inline]
    pub(crate) fn arc_to(&self, rank: Rank, head: Rank) -> Option<usize> {
        let range = self.range(rank);
        let at = self.arcs[range.clone()].binary_search_by_key(&head, UpArc::head).ok()?;
        Some(range.start + at)
    }

    /// Bytes in memory.
    pub fn byte_count(&self) -> usize {
        let Self { core_size: _, nodes, ranks, first, arcs } = self;
        size_of_val(&**nodes) + size_of_val(&**ranks) + size_of_val(&**first) + size_of_val(&**arcs)
    }
}
