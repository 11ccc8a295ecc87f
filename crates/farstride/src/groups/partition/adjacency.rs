//! A directed graph as an undirected one.

use crate::base::{Node, NodeId};
use crate::graph::{Graph, RowGraph};

/// The neighbours of every node, each with the number of arcs in both directions.
///
/// # Invariants
///
/// 1. `first` has one entry per node and one more, starts at 0 and never falls.
/// 2. The edges of a node are sorted by their other end. Each end occurs once, has a
///    weight of at least 1, and is not the node itself.
/// 3. Every edge is stored at both ends, with the same weight.
pub(super) struct Adjacency {
    /// Node `n` owns `edges[first[n]..first[n + 1]]` (1).
    first: Vec<usize>,
    edges: Vec<Edge>, // (2, 3)
}

/// The other end of an edge, and the number of arcs that it stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: u32,
    pub(super) weight: u32,
}

impl Adjacency {
    pub(super) fn new(graph: &RowGraph) -> Self {
        let nodes = graph.node_count();
        let backwards = Backwards::new(graph);
        let mut adjacency =
            Self { first: Vec::with_capacity(nodes + 1), edges: Vec::with_capacity(graph.arc_count()) };
        adjacency.first.push(0);
        for node in 0..nodes {
            let out = graph.arcs(NodeId::new(node as u32)).iter().map(|&(head, _)| head.pack());
            adjacency.push_row(node as u32, out, backwards.tails(node).iter().copied());
        }
        adjacency
    }

    /// Appends the edges of the next node, merged from its sorted heads and sorted
    /// tails.
    fn push_row(&mut self, node: u32, out: impl Iterator<Item = u32>, back: impl Iterator<Item = u32>) {
        let (mut out, mut back) = (out.peekable(), back.peekable());
        let start = self.edges.len();
        loop {
            let other = match (out.peek(), back.peek()) {
                (Some(a), Some(b)) if a <= b => out.next(),
                (_, Some(_)) => back.next(),
                (_, None) => out.next(),
            };
            let Some(other) = other else { break };
            match self.edges[start..].last_mut() {
                // Both rows are sorted, so that equal ends come one after the other.
                Some(edge) if edge.to == other => edge.weight += 1,
                _ if other != node => self.edges.push(Edge { to: other, weight: 1 }),
                _ => {}
            }
        }
        self.first.push(self.edges.len());
    }

    pub(super) fn node_count(&self) -> usize {
        self.first.len() - 1
    }

    /// The edges of a node.
    #[inline]
    pub(super) fn edges(&self, node: u32) -> &[Edge] {
        &self.edges[self.first[node as usize]..self.first[node as usize + 1]]
    }
}

/// The tails of the arcs into every node, sorted.
struct Backwards {
    first: Vec<usize>,
    tails: Vec<u32>,
}

impl Backwards {
    fn new(graph: &RowGraph) -> Self {
        let nodes = graph.node_count();
        let mut first = vec![0; nodes + 1];
        for_each_arc(graph, |_, head| first[head + 1] += 1);
        for node in 0..nodes {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut tails = vec![0; graph.arc_count()];
        for_each_arc(graph, |tail, head| {
            tails[next[head]] = tail;
            next[head] += 1;
        });
        Self { first, tails }
    }

    fn tails(&self, node: usize) -> &[u32] {
        &self.tails[self.first[node]..self.first[node + 1]]
    }
}

fn for_each_arc(graph: &RowGraph, mut visit: impl FnMut(u32, usize)) {
    for tail in 0..graph.node_count() as u32 {
        for &(head, _) in graph.arcs(NodeId::new(tail)) {
            visit(tail, head.index());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Cost;

    #[test]
    fn arcs_both_ways_and_parallel_ones_are_counted_together() {
        let arcs = [(0, 1), (1, 0), (0, 1), (0, 2), (2, 2), (3, 0), (2, 1)];
        let arcs = arcs.map(|(tail, head)| (tail, head, Cost::ZERO));
        let adjacency = Adjacency::new(&RowGraph::from_arcs(5, arcs).unwrap());
        let edges: Vec<_> = (0..5)
            .map(|node| {
                let edges = adjacency.edges(node).iter();
                edges.map(|edge| (edge.to, edge.weight)).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(edges[0], [(1, 3), (2, 1), (3, 1)]);
        assert_eq!(edges[1], [(0, 3), (2, 1)]);
        assert_eq!(edges[2], [(0, 1), (1, 1)]);
        assert_eq!(edges[3], [(0, 1)]);
        assert_eq!(edges[4], []);
    }
}
