//! Undirected graphs for what is prepared from them: levels, hierarchies, labels.

use farstride::Cost;
use farstride::graph::{NodeId, RowGraph};
use proptest::prelude::*;
use proptest::sample::select;

pub(crate) type Edge = (u32, u32, u64);

pub(crate) fn cost(units: u64) -> Cost {
    Cost::new(units).unwrap()
}

/// An undirected graph, with loops, parallel edges and edges too long for any shortest
/// path.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) nodes: u32,
    pub(crate) edges: Vec<Edge>,
}

impl Case {
    pub(crate) fn graph(&self) -> RowGraph {
        let edges = self.edges.iter().map(|&(u, v, units)| (u, v, cost(units)));
        RowGraph::from_edges(self.nodes as usize, edges).unwrap()
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = NodeId> + Clone + use<> {
        (0..self.nodes).map(NodeId::new)
    }

    pub(crate) fn pairs(&self) -> impl Iterator<Item = (NodeId, NodeId)> + use<> {
        let ids = self.ids();
        ids.clone().flat_map(move |from| ids.clone().map(move |to| (from, to)))
    }

    /// Distances of all pairs, by allowing one node more on the way at a time.
    pub(crate) fn distances(&self) -> Vec<Vec<Option<u64>>> {
        let nodes = self.nodes as usize;
        let mut best = vec![vec![None; nodes]; nodes];
        let improve = |entry: &mut Option<u64>, units: u64| {
            *entry = Some(entry.map_or(units, |known| known.min(units)));
        };
        for (node, row) in best.iter_mut().enumerate() {
            row[node] = Some(0);
        }
        for &(u, v, units) in &self.edges {
            improve(&mut best[u as usize][v as usize], units);
            improve(&mut best[v as usize][u as usize], units);
        }
        for over in 0..nodes {
            for from in 0..nodes {
                for to in 0..nodes {
                    if let (Some(one), Some(other)) = (best[from][over], best[over][to]) {
                        improve(&mut best[from][to], one + other);
                    }
                }
            }
        }
        best
    }

    /// The cost of a path by the cheapest edges it can take, if it is one.
    pub(crate) fn walked(&self, path: &[NodeId]) -> Option<u64> {
        let step = |pair: &[NodeId]| {
            let joins = |&&(u, v, _): &&Edge| {
                let ends = [u as usize, v as usize];
                ends == [pair[0].index(), pair[1].index()] || ends == [pair[1].index(), pair[0].index()]
            };
            self.edges.iter().filter(joins).map(|edge| edge.2).min()
        };
        path.windows(2).map(step).sum()
    }
}

/// Sparse and dense graphs, most of them in several pieces.
/// Edges cost from `least` up to one of `longest`: the shorter, the more ways are
/// equally long.
pub(crate) fn scattered(least: u64, longest: &'static [u64]) -> impl Strategy<Value = Case> {
    (1..=25_u32, select(longest)).prop_flat_map(move |(nodes, longest)| {
        let edge = (0..nodes, 0..nodes, least..=longest);
        let edges = prop::collection::vec(edge, 0..nodes as usize * 5 / 2);
        edges.prop_map(move |edges| Case { nodes, edges })
    })
}

/// Streets of a town, some of them closed, and a few roads across.
pub(crate) fn lattices(side: u32, longest: &'static [u64]) -> impl Strategy<Value = Case> {
    (1..=side, 1..=side, select(longest)).prop_flat_map(|(width, height, longest)| {
        let nodes = width * height;
        let across = prop::collection::vec((0..nodes, 0..nodes, 1..=longest.max(1)), 0..3);
        let streets = prop::collection::vec(0..=longest, 2 * nodes as usize);
        (streets, across).prop_map(move |(streets, mut edges)| {
            for (at, &length) in streets.iter().enumerate().filter(|&(_, &length)| length > 0) {
                let from = at as u32 / 2;
                let (x, y) = (from % width, from / width);
                if at % 2 == 0 && x + 1 < width {
                    edges.push((from, from + 1, length));
                } else if at % 2 == 1 && y + 1 < height {
                    edges.push((from, from + width, length));
                }
            }
            Case { nodes, edges }
        })
    })
}
