//! Graphs of `petgraph`: the same distances there and here, by paths that are
//! theirs, and every bad weight named.

use farstride::Cost;
use farstride::error::{ImportError, PrepareError};
use farstride::graph::Graph as _;
use farstride::graph::NodeId;
use farstride::interop::petgraph::Imported;
use farstride::nlevel::{Advanced, ArchScratch, Basic, NLevelGraph};
use farstride::search::{Memory, dijkstra};
use farstride_testkit::SplitMix64;
use petgraph::csr::Csr;
use petgraph::graph::{DiGraph, NodeIndex, UnGraph};
use petgraph::graphmap::{DiGraphMap, UnGraphMap};
use petgraph::stable_graph::{StableGraph, StableUnGraph};
use petgraph::visit::{EdgeRef, Reversed, UndirectedAdaptor};
use petgraph::{Undirected, algo};
use std::collections::HashMap;
use std::error::Error as _;
use std::hash::Hash;

fn units<E: EdgeRef<Weight = u32>>(edge: E) -> Option<Cost> {
    Cost::new(u64::from(*edge.weight())).ok()
}

/// Random edges; loops and parallel ones among them.
fn edges(random: &mut SplitMix64, nodes: usize, count: usize) -> Vec<(u32, u32, u32)> {
    let mut draw = || {
        let [from, to] = [(); 2].map(|()| random.below(nodes) as u32);
        (from, to, random.between(1, 60) as u32)
    };
    (0..count).map(|_| draw()).collect()
}

/// Every distance from `start` is the one that `petgraph` found.
fn assert_same_distances<N: Copy + Ord + Hash>(imported: &Imported<N>, start: N, expected: &HashMap<N, u32>) {
    let mut memory = Memory::default();
    dijkstra(imported.graph(), imported.id(start).unwrap(), &mut memory, &mut ());
    for id in (0..imported.graph().node_count() as u32).map(NodeId::new) {
        let node = imported.node(id).unwrap();
        assert_eq!(imported.id(node), Some(id));
        let distance = memory.cost(id.index()).map(Cost::units);
        assert_eq!(distance, expected.get(&node).map(|&units| u64::from(units)));
    }
}

#[test]
fn directed_and_undirected_graphs_keep_their_distances() {
    let mut random = SplitMix64::new(1);
    for _ in 0..200 {
        let nodes = random.between(2, 14);
        let count = random.below(3 * nodes);
        let list = edges(&mut random, nodes, count);
        let mut one_way = DiGraph::<(), u32>::from_edges(&list);
        let mut both_ways = UnGraph::<(), u32>::from_edges(&list);
        let start = NodeIndex::new(random.below(nodes));
        while one_way.node_count() < nodes {
            one_way.add_node(());
            both_ways.add_node(());
        }
        let imported = Imported::new(&one_way, units).unwrap();
        assert_same_distances(&imported, start, &distances(&one_way, start));
        let backwards = Reversed(&one_way);
        let imported = Imported::new(backwards, units).unwrap();
        assert_same_distances(&imported, start, &distances(backwards, start));

        let expected = distances(&both_ways, start);
        let imported = Imported::new(&both_ways, units).unwrap();
        assert_same_distances(&imported, start, &expected);
        let adapted = Imported::new(UndirectedAdaptor(&one_way), units).unwrap();
        assert_eq!(adapted, imported);
    }
}

fn distances<G>(graph: G, start: G::NodeId) -> HashMap<G::NodeId, u32>
where
    G: petgraph::visit::IntoEdges<EdgeWeight = u32> + petgraph::visit::Visitable,
    G::NodeId: Eq + Hash,
{
    algo::dijkstra(graph, start, None, |edge| *edge.weight()).into_iter().collect()
}

/// Levels of an undirected graph, basic and with any edges added: the
/// distances of `petgraph`, by paths along its edges.
#[test]
fn levels_of_undirected_graphs_are_exact() {
    let mut random = SplitMix64::new(2);
    let mut scratch = ArchScratch::default();
    for _ in 0..60 {
        let nodes = random.between(2, 14);
        let list = edges(&mut random, nodes, 2 * nodes);
        let graph = UnGraph::<(), u32>::from_edges(&list);
        let imported = Imported::new(&graph, units).unwrap();
        let basic = NLevelGraph::partition(imported.graph(), None, &Basic).unwrap();
        let any = Advanced(|_, _, _| true);
        let advanced = NLevelGraph::partition(imported.graph(), None, &any).unwrap();
        for start in graph.node_indices() {
            let expected = distances(&graph, start);
            for (goal, levels) in graph.node_indices().flat_map(|goal| [(goal, &basic), (goal, &advanced)]) {
                let [from, to] = [start, goal].map(|node| imported.id(node).unwrap());
                let found = levels.find(from, to, &mut scratch);
                let cost = found.map(|found| found.cost.units() as u32);
                assert_eq!(cost, expected.get(&goal).copied());
                let Some(found) = found else { continue };
                let path: Vec<_> = imported.nodes_of(found.path).collect();
                let step = |pair: &[NodeIndex]| {
                    let edges = graph.edges_connecting(pair[0], pair[1]);
                    edges.map(|edge| *edge.weight()).min().expect("every step is an edge")
                };
                assert_eq!(Some(path.windows(2).map(step).sum()), cost);
            }
        }
    }
}

#[test]
fn a_directed_graph_has_levels_only_if_it_is_symmetric() {
    let one_way = DiGraph::<(), u32>::from_edges([(0, 1, 5), (1, 2, 7)]);
    let imported = Imported::new(&one_way, units).unwrap();
    let refused = NLevelGraph::partition(imported.graph(), None, &Basic).unwrap_err();
    assert!(matches!(refused, PrepareError::Directed { .. }), "{refused}");

    let adapted = Imported::new(UndirectedAdaptor(&one_way), units).unwrap();
    assert!(NLevelGraph::partition(adapted.graph(), None, &Basic).is_ok());
    let symmetric = DiGraph::<(), u32>::from_edges([(0, 1, 5), (1, 0, 5), (1, 2, 7), (2, 1, 7)]);
    let imported = Imported::new(&symmetric, units).unwrap();
    assert_eq!(imported.graph(), adapted.graph());
}

#[test]
fn holes_of_a_stable_graph_are_closed() {
    let mut graph = StableUnGraph::<(), u32>::from_edges([(0, 1, 3), (1, 2, 4), (2, 3, 5), (0, 3, 99)]);
    graph.remove_node(NodeIndex::new(1));
    let imported = Imported::new(&graph, units).unwrap();
    assert_eq!(imported.graph().node_count(), 3);
    assert_eq!(imported.id(NodeIndex::new(1)), None);
    assert_eq!(imported.node(NodeId::new(1)), Some(NodeIndex::new(2)));
    assert_eq!(imported.node(NodeId::new(3)), None);
    let start = NodeIndex::new(0);
    assert_same_distances(&imported, start, &distances(&graph, start));
}

#[test]
fn nodes_of_a_map_are_their_names() {
    let graph = UnGraphMap::<&str, u32>::from_edges([("mill", "inn", 4), ("home", "mill", 2)]);
    let imported = Imported::new(&graph, units).unwrap();
    assert_same_distances(&imported, "inn", &HashMap::from([("inn", 0), ("mill", 4), ("home", 6)]));
    assert_eq!(imported.id("church"), None);

    let graph = DiGraphMap::<i8, u32>::from_edges([(-3, 7, 4), (7, 0, 2)]);
    let imported = Imported::new(&graph, units).unwrap();
    assert_same_distances(&imported, -3, &HashMap::from([(-3, 0), (7, 4), (0, 6)]));
    assert_same_distances(&imported, 0, &HashMap::from([(0, 0)]));
}

/// An undirected `Csr` hands out every edge twice.
#[test]
fn compressed_rows_do_not_double() {
    let mut graph: Csr<(), u32, Undirected> = Csr::with_nodes(3);
    graph.add_edge(0, 1, 5);
    graph.add_edge(2, 1, 7);
    let imported = Imported::new(&graph, units).unwrap();
    assert_eq!(imported.graph().arc_count(), 4);
    assert_same_distances(&imported, 0, &HashMap::from([(0, 0), (1, 5), (2, 12)]));
}

#[test]
fn bad_weights_are_named() {
    for bad in [-1.0, f64::NAN, f64::INFINITY, 1e20] {
        let mut graph = StableGraph::<(), f64>::new();
        let nodes: Vec<_> = (0..3).map(|_| graph.add_node(())).collect();
        graph.add_edge(nodes[0], nodes[1], 0.5);
        let edge = graph.add_edge(nodes[1], nodes[2], bad);
        let found = Imported::new(&graph, |edge| Cost::scaled(*edge.weight(), 1000)).unwrap_err();
        assert_eq!(found, ImportError::NoCost { edge, from: nodes[1], to: nodes[2] });
        assert_eq!(
            found.to_string(),
            "the weight of edge EdgeIndex(1) from NodeIndex(1) to NodeIndex(2) is no cost"
        );
        assert!(found.source().is_none());
    }
    let graph = UnGraphMap::<char, u64>::from_edges([('a', 'b', Cost::MAX.units())]);
    let found = Imported::new(&graph, |edge| Cost::new(*edge.weight()).ok()).unwrap_err();
    let expected = ImportError::TooDear { edge: ('a', 'b'), from: 'a', to: 'b', cost: Cost::MAX };
    assert_eq!(found, expected);
}

#[test]
fn a_graph_without_nodes_is_one() {
    let imported = Imported::new(&UnGraph::<(), u32>::default(), units).unwrap();
    assert_eq!(imported.graph().node_count(), 0);
    assert!(NLevelGraph::partition(imported.graph(), None, &Basic).is_ok());
}
