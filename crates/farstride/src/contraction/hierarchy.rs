//! What contraction leaves behind.

use super::contract::Contraction;
use super::{ContractionError, Settings, input};
use crate::base::NodeId;
use crate::base::crew::{Watch, all_cores};
use crate::graph::Graph;
use std::ops::Range;

/// An arc from a node to one that was contracted later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UpArc {
    /// Rank of the node it leads to.
    pub head: u32,
    /// Its cost.
    pub cost: u32,
    /// Rank of the contracted node that it leads over, or [`UpArc::NONE`] for
    /// an edge of the original graph.
    pub via: u32,
}

impl UpArc {
    /// Instead of a node: the arc is an edge of the original graph.
    pub const NONE: u32 = u32::MAX;
}

/// The nodes of a graph in the order of their importance, and the arcs by which
/// shortest paths climb.
///
/// Ranks count from the top: rank 0 was contracted last. If contraction stopped
/// early, the nodes that were left are the *core*, the first ranks.
///
/// # Invariants
///
/// 1. `nodes` and `ranks` are inverse to each other.
/// 2. `first` has one entry more than there are nodes, starts at 0, never falls
///    and ends with the number of arcs.
/// 3. Arcs of a rank are sorted by head, no head twice. Below the core heads
///    are smaller than the rank; in the core they are other ranks of the core,
///    and each arc has its counterpart.
/// 4. A via is a rank below the core and larger than both ends; it has arcs to
///    both, which together cost what the arc costs.
/// 5. Between any two nodes, a shortest path of the original graph climbs from
///    both ends by these arcs, and in the core it runs along them.
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
    /// [`ContractionError`] if the graph is directed, or an edge costs too much.
    pub fn build(graph: &impl Graph<Node = NodeId>, settings: &Settings) -> Result<Self, ContractionError> {
        Self::build_with(graph, settings, all_cores(), &|_, _| ())
    }

    /// Contracts it on a number of threads, telling `progress` how many nodes of
    /// how many are contracted. The result is the same for every number of
    /// threads.
    ///
    /// # Errors
    /// As [`ContractionHierarchy::build`].
    pub fn build_with(
        graph: &impl Graph<Node = NodeId>,
        settings: &Settings,
        threads: usize,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Self, ContractionError> {
        Ok(Self::of_rows(input::read(graph)?, settings, threads, Watch::patient(progress)))
    }

    /// Contracts a graph given by the neighbours of every node and what the
    /// edges to them cost: no loops, no parallel edges, each edge from both
    /// ends. Once it is no longer wanted, what is left is the core.
    pub(crate) fn of_rows(
        rows: Vec<Vec<(u32, u32)>>,
        settings: &Settings,
        threads: usize,
        watch: Watch<'_>,
    ) -> Self {
        Contraction::new(rows, *settings).run(threads, watch)
    }

    /// Puts the arcs of all nodes in order.
    pub(super) fn assemble(nodes: Vec<u32>, core_size: u32, rows: &[Vec<UpArc>]) -> Self {
        let mut ranks = vec![0; nodes.len()];
        for (rank, &node) in (0..).zip(&nodes) {
            ranks[node as usize] = rank;
        }
        let rank = |node: u32| if node == UpArc::NONE { node } else { ranks[node as usize] };
        let mut first = vec![0];
        let mut arcs: Vec<UpArc> = Vec::with_capacity(rows.iter().map(Vec::len).sum());
        for &node in &nodes {
            let begin = arcs.len();
            let ranked = |arc: &UpArc| UpArc { head: rank(arc.head), cost: arc.cost, via: rank(arc.via) };
            arcs.extend(rows[node as usize].iter().map(ranked));
            arcs[begin..].sort_unstable_by_key(|arc| arc.head);
            first.push(arcs.len() as u32);
        }
        Self { core_size, nodes: nodes.into(), ranks: ranks.into(), first: first.into(), arcs: arcs.into() }
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Number of nodes that were not contracted: ranks `0..core_size`.
    pub const fn core_size(&self) -> u32 {
        self.core_size
    }

    /// The rank of a node.
    ///
    /// # Panics
    /// If there is no such node.
    #[inline]
    pub fn rank_of(&self, node: NodeId) -> u32 {
        self.ranks[node.index()]
    }

    /// The node of a rank.
    ///
    /// # Panics
    /// If there is no such rank.
    #[inline]
    pub fn node_at(&self, rank: u32) -> NodeId {
        NodeId::new(self.nodes[rank as usize])
    }

    /// The arcs of a rank to smaller ones; for a rank of the core, to its
    /// neighbours there.
    ///
    /// # Panics
    /// If there is no such rank.
    #[inline]
    pub fn up_arcs(&self, rank: u32) -> &[UpArc] {
        &self.arcs[self.range(rank)]
    }

    /// Where the arcs of each rank begin, and where the last ones end.
    pub(crate) fn first(&self) -> &[u32] {
        &self.first
    }

    /// All arcs, rank by rank.
    pub(crate) fn arcs(&self) -> &[UpArc] {
        &self.arcs
    }

    /// Positions of the arcs of a rank.
    #[inline]
    pub(crate) fn range(&self, rank: u32) -> Range<usize> {
        self.first[rank as usize] as usize..self.first[rank as usize + 1] as usize
    }

    /// Position of the arc from one rank to another.
    #[inline]
    pub(crate) fn arc_to(&self, rank: u32, head: u32) -> Option<usize> {
        let range = self.range(rank);
        let at = self.arcs[range.clone()].binary_search_by_key(&head, |arc| arc.head).ok()?;
        Some(range.start + at)
    }

    /// Bytes in memory.
    pub fn byte_count(&self) -> usize {
        let Self { core_size: _, nodes, ranks, first, arcs } = self;
        size_of_val(&**nodes) + size_of_val(&**ranks) + size_of_val(&**first) + size_of_val(&**arcs)
    }
}
