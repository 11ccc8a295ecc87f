//! A stored graph in compressed-row form.

use super::Graph;
use crate::base::{Cost, Node, NodeId};
use std::error::Error;
use std::fmt;

/// A directed graph with arc costs, in compressed-row form.
///
/// # Invariants
///
/// 1. `first_out` has `node_count + 1` entries, starts at 0 and never falls.
/// 2. `first_out[node_count] == arcs.len()`.
/// 3. Every head is a node of this graph.
/// 4. Arcs of a node are sorted by head, then by cost, so the order in which
///    arcs were given does not matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowGraph {
    /// Node `n` owns `arcs[first_out[n]..first_out[n + 1]]` (1, 2).
    first_out: Box<[u32]>,
    arcs: Box<[(NodeId, Cost)]>, // (3, 4)
}

impl RowGraph {
    /// Builds a graph of `node_count` nodes from arcs (tail, head, cost).
    ///
    /// # Errors
    /// [`GraphError`] if an arc names an unknown node, if there are more nodes
    /// or arcs than 32 bits can count, or if a path through all nodes could cost
    /// more than [`Cost::MAX`].
    ///
    /// # Complexity
    /// O(V + E log E) time.
    pub fn from_arcs(
        node_count: usize,
        arcs: impl IntoIterator<Item = (u32, u32, Cost)>,
    ) -> Result<Self, GraphError> {
        let mut arcs: Vec<_> = arcs.into_iter().collect();
        let limit = u32::MAX as usize - 1;
        if node_count > limit || arcs.len() > limit {
            return Err(GraphError::TooLarge { nodes: node_count, arcs: arcs.len() });
        }
        for &(tail, head, cost) in &arcs {
            if let Some(&node) = [tail, head].iter().find(|&&node| node as usize >= node_count) {
                return Err(GraphError::UnknownNode { node, nodes: node_count });
            }
            // A simple path has fewer arcs than nodes, so no search can overflow.
            if cost * node_count as u64 > Cost::MAX {
                return Err(GraphError::CostTooLarge { tail, head, cost });
            }
        }
        arcs.sort_unstable();
        let mut first_out = vec![0; node_count + 1];
        for &(tail, ..) in &arcs {
            first_out[tail as usize + 1] += 1;
        }
        for node in 0..node_count {
            first_out[node + 1] += first_out[node];
        }
        let arcs = arcs.into_iter().map(|(_, head, cost)| (NodeId::new(head), cost)).collect();
        Ok(Self { first_out: first_out.into(), arcs })
    }

    /// Builds a graph from edges that can be walked both ways.
    ///
    /// # Errors
    /// As [`RowGraph::from_arcs`].
    pub fn from_edges(
        node_count: usize,
        edges: impl IntoIterator<Item = (u32, u32, Cost)>,
    ) -> Result<Self, GraphError> {
        let both = edges.into_iter().flat_map(|(a, b, cost)| [(a, b, cost), (b, a, cost)]);
        Self::from_arcs(node_count, both)
    }

    /// Copies the listed nodes of any graph and the arcs between them. Node `n` of
    /// the result is `nodes[n]`; the list is returned with the graph. Use it for
    /// algorithms that need numbered nodes, such as partitions into levels.
    ///
    /// # Errors
    /// [`GraphError`] if a node is listed twice, if an arc leads to a node that is
    /// not listed, or as for [`RowGraph::from_arcs`].
    ///
    /// # Panics
    /// If `graph` panics when asked for the arcs of a node it does not have.
    ///
    /// # Complexity
    /// O((V + E) log V) time.
    ///
    /// # Example
    /// ```
    /// use farstride::nlevel::{ArchScratch, Basic, NLevelGraph};
    /// use farstride::graph::{NodeId, RowGraph, UniformGrid};
    /// use farstride::{Cell, Grid};
    ///
    /// let grid = Grid::from_ascii("
    ///     ...
    ///     .#.
    /// ")?;
    /// let cells = (0..2).flat_map(|y| (0..3).map(move |x| Cell::new(x, y)));
    /// let free = cells.filter(|&cell| grid.is_free(cell));
    /// let (graph, cells) = RowGraph::collect(&UniformGrid(&grid), free)?;
    ///
    /// let levels = NLevelGraph::partition(&graph, None, &Basic)?;
    /// let mut scratch = ArchScratch::default();
    /// let found = levels.find(NodeId::new(3), NodeId::new(4), &mut scratch).unwrap();
    /// let path: Vec<_> = found.path.iter().map(|node| cells[node.index()]).collect();
    /// assert_eq!((path[0], path[4]), (Cell::new(0, 1), Cell::new(2, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn collect<G: Graph>(
        graph: &G,
        nodes: impl IntoIterator<Item = G::Node>,
    ) -> Result<(Self, Vec<G::Node>), GraphError> {
        let nodes: Vec<_> = nodes.into_iter().collect();
        let mut places: Vec<_> = nodes.iter().map(|node| node.pack()).zip(0_u32..).collect();
        places.sort_unstable();
        if let Some(pair) = places.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(GraphError::ListedTwice { first: pair[0].1, second: pair[1].1 });
        }
        let place = |node: G::Node| {
            let at = places.binary_search_by_key(&node.pack(), |&(bits, _)| bits).ok()?;
            Some(places[at].1)
        };
        let mut arcs = Vec::new();
        let mut bad = None;
        for (tail, &node) in (0..).zip(&nodes) {
            graph.for_each_arc(node, |head, cost| match place(head) {
                Some(head) => arcs.push((tail, head, cost)),
                None => bad = bad.take().or(Some(GraphError::NotListed { tail, head: graph.index(head) })),
            });
        }
        bad.map_or_else(|| Ok((Self::from_arcs(nodes.len(), arcs)?, nodes)), Err)
    }

    /// Number of arcs.
    pub fn arc_count(&self) -> usize {
        self.arcs.len()
    }

    /// Arcs out of `node` as (head, cost); empty if there is no such node.
    pub fn arcs(&self, node: NodeId) -> &[(NodeId, Cost)] {
        match self.first_out.get(node.index()..node.index() + 2) {
            Some(&[first, end]) => &self.arcs[first as usize..end as usize],
            _ => &[],
        }
    }
}

impl Graph for RowGraph {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.first_out.len() - 1
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for &(head, cost) in self.arcs(node) {
            visit(head, cost);
        }
    }
}

/// Why a graph was rejected.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum GraphError {
    /// More nodes or arcs than 32 bits can count.
    TooLarge {
        /// Nodes requested.
        nodes: usize,
        /// Arcs given.
        arcs: usize,
    },
    /// An arc names a node that does not exist.
    UnknownNode {
        /// The node named.
        node: u32,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A node appears twice in the list of nodes.
    ListedTwice {
        /// Its first position in the list.
        first: u32,
        /// Its second position.
        second: u32,
    },
    /// An arc leads to a node that is not in the list of nodes.
    NotListed {
        /// Position of the node at which the arc starts.
        tail: u32,
        /// Index, in its own graph, of the node to which it leads.
        head: usize,
    },
    /// A path with arcs of this cost could exceed [`Cost::MAX`].
    CostTooLarge {
        /// Where the arc starts.
        tail: u32,
        /// Where it ends.
        head: u32,
        /// Its cost.
        cost: Cost,
    },
    /// A length is negative, NaN, or too large for a cost.
    BadLength {
        /// Where the arc starts.
        tail: u32,
        /// Where it ends.
        head: u32,
        /// Its length.
        length: f64,
        /// Units of cost per 1 of length.
        units: u32,
    },
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { nodes, arcs } => {
                write!(f, "{nodes} nodes and {arcs} arcs are more than 32 bits can count")
            }
            Self::UnknownNode { node, nodes } => {
                write!(f, "an arc names node {node}, but there are only {nodes} nodes")
            }
            Self::ListedTwice { first, second } => {
                write!(f, "the nodes at places {first} and {second} of the list are the same")
            }
            Self::NotListed { tail, head } => write!(
                f,
                "an arc of the node at place {tail} leads to the node with index {head}, which is not listed"
            ),
            Self::CostTooLarge { tail, head, cost } => write!(
                f,
                "arc from {tail} to {head} costs {} units: a path through all nodes could exceed the largest exact cost",
                cost.units()
            ),
            Self::BadLength { tail, head, length, units } => write!(
                f,
                "arc from {tail} to {head} has length {length}, which is not a valid cost at {units} units per 1"
            ),
        }
    }
}

impl Error for GraphError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(units: u64) -> Cost {
        Cost::new(units).unwrap()
    }

    #[test]
    fn the_order_of_arcs_does_not_matter() {
        let one = RowGraph::from_arcs(3, [(0, 2, cost(5)), (0, 1, cost(4)), (2, 0, cost(1))]);
        let other = RowGraph::from_arcs(3, [(2, 0, cost(1)), (0, 1, cost(4)), (0, 2, cost(5))]);
        assert_eq!(one, other);
        let graph = one.unwrap();
        assert_eq!(graph.arcs(NodeId::new(0)), [(NodeId::new(1), cost(4)), (NodeId::new(2), cost(5))]);
        assert_eq!(graph.arcs(NodeId::new(1)), []);
        assert_eq!(graph.arcs(NodeId::new(3)), []);
    }

    #[test]
    fn bad_arcs_are_named() {
        assert_eq!(
            RowGraph::from_arcs(2, [(0, 2, cost(1))]),
            Err(GraphError::UnknownNode { node: 2, nodes: 2 })
        );
        let dear = Cost::MAX;
        assert_eq!(
            RowGraph::from_edges(2, [(0, 1, dear)]),
            Err(GraphError::CostTooLarge { tail: 0, head: 1, cost: dear })
        );
        assert!(RowGraph::from_edges(0, []).is_ok());
    }

    /// Three nodes in a row, named by tens.
    struct Tens;

    impl Graph for Tens {
        type Node = NodeId;

        fn node_count(&self) -> usize {
            31
        }

        fn index(&self, node: NodeId) -> usize {
            node.index()
        }

        fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
            for head in [node.index().wrapping_sub(10), node.index() + 10] {
                if (10..=30).contains(&head) {
                    visit(NodeId::new(head as u32), cost(7));
                }
            }
        }
    }

    #[test]
    fn listed_nodes_are_numbered_as_listed() {
        let list = [20, 10, 30].map(NodeId::new);
        let (graph, nodes) = RowGraph::collect(&Tens, list).unwrap();
        assert_eq!(nodes, list);
        assert_eq!(graph, RowGraph::from_edges(3, [(0, 1, cost(7)), (0, 2, cost(7))]).unwrap());
    }

    #[test]
    fn lists_with_gaps_or_duplicates_are_rejected() {
        let collect = |list: &[u32]| RowGraph::collect(&Tens, list.iter().copied().map(NodeId::new)).err();
        assert_eq!(collect(&[20, 10]), Some(GraphError::NotListed { tail: 0, head: 30 }));
        assert_eq!(collect(&[20, 30, 10, 30]), Some(GraphError::ListedTwice { first: 1, second: 3 }));
        assert_eq!(collect(&[]), None);
    }
}
