//! Levels made in an order of the nodes, as contraction hierarchies are.

use farstride::Cost;
use farstride::graph::{NodeId, RowGraph};
use farstride::nlevel::{NLevelGraph, Property};
use farstride_testkit::SplitMix64;

/// Edges may be added around a node that ranks below both ends.
struct Ranked(Vec<u64>);

impl Property for Ranked {
    fn allows(&self, _: NodeId, _: NodeId, _: Cost) -> bool {
        unreachable!("the partition knows the node in between")
    }

    fn allows_around(&self, around: NodeId, from: NodeId, to: NodeId, _: Cost) -> bool {
        let [around, from, to] = [around, from, to].map(|node| self.0[node.index()]);
        around < from.min(to)
    }
}

#[test]
fn levels_in_any_order_are_exact_and_leave_little_on_top() {
    let mut random = SplitMix64::new(3);
    for round in 0..300 {
        let nodes = random.between(1, 24);
        let mut edges = Vec::new();
        for to in 1..2 * nodes {
            // The first of them join every node to one before it.
            let (from, to) =
                if to < nodes { (random.below(to), to) } else { (random.below(nodes), to - nodes) };
            edges.push((from as u32, to as u32, Cost::new(random.between(1, 40) as u64).unwrap()));
        }
        let graph = RowGraph::from_edges(nodes, edges).unwrap();
        let ranks = Ranked((0..nodes).map(|_| random.next_u64()).collect());
        let levels = NLevelGraph::partition(&graph, None, &ranks).unwrap();
        levels.check(&graph).unwrap_or_else(|problem| panic!("round {round}: {problem}"));

        // The nodes on top are each other's neighbours: with one between two
        // others, the lowest of them would have sunk.
        let top: Vec<_> = (0..nodes as u32)
            .map(NodeId::new)
            .filter(|&node| levels.level(node) == levels.level_count())
            .collect();
        let on_top = levels.edges().filter(|edge| levels.level(edge.from) == levels.level_count()).count();
        assert_eq!(2 * on_top, top.len() * (top.len() - 1), "round {round}: {} nodes on top", top.len());
    }
}
