//! N-level graphs of any graph: the levels and edges are those of the paper's
//! algorithm, and every path on them is a shortest one of the graph.

use crate::common::cases;
use crate::common::undirected::{Case, cost, lattices, scattered};
use farstride::Cost;
use farstride::error::PrepareError;
use farstride::graph::{Graph, NodeId, RowGraph};
use farstride::nlevel::{Advanced, ArchScratch, Basic, NLevelGraph, Property};
use farstride::search::Counters;
use farstride_testkit::levels::{self, Levels};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// The levels of the oracle; extra edges of the engine are limited to 32 bits.
fn expected(case: &Case, most_levels: Option<u32>, rule: Allow) -> Levels {
    let edges = levels::clean(case.nodes, &case.edges);
    let fits = |units| u32::try_from(units).is_ok();
    let property = |u, t, units| fits(units) && rule.allows(u, t, units);
    levels::partition(case.nodes, &edges, most_levels, property)
}

/// Which extra edges are allowed.
#[derive(Clone, Copy, Debug)]
enum Allow {
    Never,
    Always,
    UpTo(u64),
    Thirds,
}

impl Allow {
    fn allows(self, u: u32, t: u32, units: u64) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::UpTo(most) => units <= most,
            Self::Thirds => !(u64::from(u) + u64::from(t) + units).is_multiple_of(3),
        }
    }
}

impl Property for Allow {
    fn allows(&self, from: NodeId, to: NodeId, cost: Cost) -> bool {
        (*self).allows(from.index() as u32, to.index() as u32, cost.units())
    }
}

/// The longest edges of graphs: the shorter, the more ways are equally long.
static LONGEST: [u64; 6] = [1, 2, 4, 30, 1_000_000, u32::MAX as u64];

fn graphs() -> impl Strategy<Value = Case> {
    prop_oneof![3 => scattered(1, &LONGEST), 2 => lattices(5, &LONGEST)]
}

fn rules() -> impl Strategy<Value = Allow> {
    let bounds = prop_oneof![1..8_u64, 1..100_u64, 1..3_000_000_u64].prop_map(Allow::UpTo);
    prop_oneof![Just(Allow::Never), Just(Allow::Always), bounds, Just(Allow::Thirds)]
}

fn caps() -> impl Strategy<Value = Option<u32>> {
    prop_oneof![3 => Just(None), 1 => Just(Some(1)), 2 => Just(Some(2)), 2 => Just(Some(3))]
}

/// What the engine made, in the words of the testkit.
fn plain(graph: &NLevelGraph) -> Levels {
    let levels: Vec<u32> =
        (0..graph.node_count() as u32).map(|node| graph.level(NodeId::new(node))).collect();
    let mut edges = BTreeMap::new();
    for edge in graph.edges() {
        let (u, v) = (edge.from.index() as u32, edge.to.index() as u32);
        let twice = edges.insert((u.min(v), u.max(v)), edge.cost.units());
        assert_eq!(twice, None, "the edge {u} - {v} was given twice");
        let in_order = (levels[u as usize], u) < (levels[v as usize], v);
        assert!(in_order, "the edge {u} - {v} starts at its upper end");
    }
    Levels { levels, edges }
}

proptest! {
    #![proptest_config(cases(1500))]

    /// Levels, edges and costs, whatever edges may be added, on any number of
    /// levels; and the oracle proves them right.
    #[test]
    fn levels_are_those_of_the_algorithm(case in graphs(), rule in rules(), most_levels in caps()) {
        let levels = NLevelGraph::partition(&case.graph(), most_levels, &rule).unwrap();
        let found = plain(&levels);
        prop_assert_eq!(&found, &expected(&case, most_levels, rule));
        prop_assert_eq!(levels::check(case.nodes, &case.edges, &found), Ok(()));
        prop_assert_eq!(levels.level_count(), found.top());
        prop_assert_eq!(levels.node_count(), case.nodes as usize);
        prop_assert!(most_levels.is_none_or(|most| levels.level_count() <= most));
    }

    /// Edges without a node that they lead around are those of the graph that
    /// shortest paths need; the others are allowed, and as long as the way
    /// over that node, which is no higher than their ends.
    #[test]
    fn extra_edges_stand_for_two_others(case in graphs(), rule in rules(), most_levels in caps()) {
        let levels = NLevelGraph::partition(&case.graph(), most_levels, &rule).unwrap();
        let found = plain(&levels);
        let mut original = Vec::new();
        for edge in levels.edges() {
            let (u, v, units) = (edge.from.index() as u32, edge.to.index() as u32, edge.cost.units());
            let Some(via) = edge.via else {
                original.push((u.min(v), u.max(v), units));
                continue;
            };
            prop_assert!(rule.allows(u, v, units));
            prop_assert!(levels.level(via) <= levels.level(edge.from).min(levels.level(edge.to)));
            let via = via.index() as u32;
            let half = |end: u32| found.edges.get(&(end.min(via), end.max(via))).copied();
            prop_assert_eq!(half(u).zip(half(v)).map(|(one, other)| one + other), Some(units));
        }
        original.sort_unstable();
        prop_assert_eq!(original, levels::clean(case.nodes, &case.edges));
    }

    /// The provided properties are those of the trait.
    #[test]
    fn functions_are_properties(case in graphs(), most_levels in caps()) {
        let graph = case.graph();
        let partition = |rule| NLevelGraph::partition(&graph, most_levels, &rule).unwrap();
        prop_assert_eq!(NLevelGraph::partition(&graph, most_levels, &Basic).unwrap(), partition(Allow::Never));
        let thirds = |u: NodeId, t: NodeId, cost: Cost| {
            Allow::Thirds.allows(u.index() as u32, t.index() as u32, cost.units())
        };
        let advanced = NLevelGraph::partition(&graph, most_levels, &Advanced(thirds)).unwrap();
        prop_assert_eq!(advanced, partition(Allow::Thirds));
    }

    /// Bounds of distances save time and change nothing.
    #[test]
    fn bounds_do_not_change_the_partition(case in graphs(), rule in rules(), most_levels in caps()) {
        struct Bounded(Allow, Vec<Vec<Option<u64>>>);
        impl Property for Bounded {
            fn allows(&self, from: NodeId, to: NodeId, cost: Cost) -> bool {
                Property::allows(&self.0, from, to, cost)
            }
            fn bound(&self, from: NodeId, to: NodeId) -> Cost {
                self.1[from.index()][to.index()].map_or(Cost::ZERO, cost)
            }
        }
        let graph = case.graph();
        let bounded = Bounded(rule, levels::distances(case.nodes, &case.edges));
        let found = NLevelGraph::partition(&graph, most_levels, &bounded).unwrap();
        prop_assert_eq!(found, NLevelGraph::partition(&graph, most_levels, &rule).unwrap());
    }

    /// Distances of all pairs, by paths of the original graph that add up, with
    /// and without bounds; one scratch throughout, as good as a fresh one.
    #[test]
    fn paths_are_shortest_paths_of_the_graph(case in graphs(), rule in rules(), most_levels in caps()) {
        let levels = NLevelGraph::partition(&case.graph(), most_levels, &rule).unwrap();
        let best = levels::distances(case.nodes, &case.edges);
        let (mut scratch, mut guided_scratch) = (ArchScratch::default(), ArchScratch::default());
        for (start, goal) in case.ids().flat_map(|start| case.ids().map(move |goal| (start, goal))) {
            let expected = best[start.index()][goal.index()];
            let found = levels.find(start, goal, &mut scratch);
            prop_assert_eq!(found.map(|found| found.cost.units()), expected, "{} to {}", start, goal);
            let mut fresh = ArchScratch::default();
            prop_assert_eq!(found, levels.find(start, goal, &mut fresh));
            for divisor in [2, 1] {
                let bound = |node: NodeId| best[node.index()][goal.index()].map_or(Cost::MAX, |d| cost(d / divisor));
                let mut counters = Counters::default();
                let guided = levels.find_guided(start, goal, bound, &mut guided_scratch, &mut counters);
                prop_assert_eq!(guided.map(|found| found.cost), found.map(|found| found.cost));
                for found in [found, guided].into_iter().flatten() {
                    prop_assert_eq!((found.path.first(), found.path.last()), (Some(&start), Some(&goal)));
                    prop_assert_eq!(case.walked(found.path), expected, "{:?}", found.path);
                }
                if start == goal {
                    prop_assert_eq!(guided.unwrap().path, [start]);
                }
            }
        }
        let outside = NodeId::new(case.nodes);
        prop_assert_eq!(levels.find(outside, NodeId::new(0), &mut scratch), None);
        prop_assert_eq!(levels.find(NodeId::new(0), outside, &mut scratch), None);
    }

    /// `check` accepts the graph that was partitioned, and no other.
    #[test]
    fn check_tells_graphs_apart(
        case in graphs(), rule in rules(), most_levels in caps(), which in any::<prop::sample::Index>(),
    ) {
        let levels = NLevelGraph::partition(&case.graph(), most_levels, &rule).unwrap();
        prop_assert_eq!(levels.check(&case.graph()), Ok(()));
        let one_more = Case { nodes: case.nodes + 1, ..case.clone() };
        prop_assert!(levels.check(&one_more.graph()).is_err());
        let needed = levels::clean(case.nodes, &case.edges);
        if needed.is_empty() {
            return Ok(());
        }
        let without = Case { edges: Vec::new(), ..case };
        prop_assert!(levels.check(&without.graph()).is_err());
        let mut shorter = Case { edges: needed, ..case };
        let edge = which.get(&shorter.edges).to_owned();
        if edge.2 > 1 {
            shorter.edges.push((edge.1, edge.0, edge.2 - 1));
            prop_assert!(levels.check(&shorter.graph()).is_err(), "{:?} one shorter", edge);
        }
    }

    /// The order and direction in which edges are given is forgotten.
    #[test]
    fn the_order_of_edges_does_not_matter(case in graphs(), rule in rules()) {
        let turned = Case { edges: case.edges.iter().rev().map(|&(u, v, c)| (v, u, c)).collect(), ..case };
        let partition = |case: &Case| NLevelGraph::partition(&case.graph(), None, &rule).unwrap();
        prop_assert_eq!(partition(&case), partition(&turned));
    }
}

#[test]
fn directed_graphs_are_refused_by_name() {
    let refused = |arcs: &[(u32, u32, u64)]| {
        let arcs = arcs.iter().map(|&(u, v, units)| (u, v, cost(units)));
        let graph = RowGraph::from_arcs(3, arcs).unwrap();
        NLevelGraph::partition(&graph, None, &Basic).unwrap_err()
    };
    let directed = |from, to| PrepareError::Directed { from: NodeId::new(from), to: NodeId::new(to) };
    assert_eq!(refused(&[(0, 1, 5), (1, 0, 5), (1, 2, 3)]), directed(1, 2));
    assert_eq!(refused(&[(2, 0, 5)]), directed(2, 0));
    assert_eq!(refused(&[(0, 2, 5), (2, 0, 6)]), directed(0, 2));
    let message = refused(&[(2, 0, 5)]).to_string();
    assert!(message.contains("from 2 to 0") && message.contains("undirected"), "{message}");

    // Of parallel arcs only the cheapest counts, and a loop has no direction.
    let arcs = [(0, 1, 5), (1, 0, 5), (0, 1, 9), (2, 2, 1)].map(|(u, v, units)| (u, v, cost(units)));
    let graph = RowGraph::from_arcs(3, arcs).unwrap();
    assert!(NLevelGraph::partition(&graph, None, &Basic).is_ok());
}

#[test]
fn edges_must_cost_something_and_not_too_much() {
    let refused = |units: u64| {
        let graph = RowGraph::from_edges(4, [(0, 3, cost(7)), (1, 2, cost(units))]).unwrap();
        NLevelGraph::partition(&graph, None, &Basic).err()
    };
    let (from, to) = (NodeId::new(1), NodeId::new(2));
    assert_eq!(refused(0), Some(PrepareError::ZeroCost { from, to }));
    let dear = u64::from(u32::MAX) + 1;
    assert_eq!(refused(dear), Some(PrepareError::TooDear { from, to, cost: cost(dear) }));
    assert_eq!(refused(u64::from(u32::MAX)), None);
    assert_eq!(refused(1), None);
    assert!(refused(0).unwrap().to_string().contains("between 1 and 2"));
    assert!(refused(dear).unwrap().to_string().contains(&dear.to_string()));
}

/// A loop is no edge of any shortest path, whatever it costs.
#[test]
fn loops_may_cost_anything() {
    for units in [0, 1, 1 << 40] {
        let graph = RowGraph::from_edges(2, [(0, 1, cost(4)), (1, 1, cost(units))]).unwrap();
        let levels = NLevelGraph::partition(&graph, None, &Basic).unwrap();
        assert_eq!(levels.edges().count(), 1);
    }
}

/// A graph that claims to have fewer nodes than its arcs name.
struct Liar;

impl Graph for Liar {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        2
    }

    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        if node.index() == 1 {
            visit(NodeId::new(2), cost(3));
        }
    }
}

#[test]
fn nodes_that_do_not_exist_are_refused_by_name() {
    let (from, to) = (NodeId::new(1), NodeId::new(2));
    let refused = NLevelGraph::partition(&Liar, None, &Basic);
    assert_eq!(refused, Err(PrepareError::UnknownNode { from, to }));
    let levels = NLevelGraph::partition(&RowGraph::from_edges(2, []).unwrap(), None, &Basic).unwrap();
    assert!(levels.check(&Liar).is_err());
}

#[test]
fn graphs_of_nothing_and_of_one_node_have_levels() {
    let mut scratch = ArchScratch::default();
    let partition = |nodes, most_levels| {
        let graph = RowGraph::from_edges(nodes, []).unwrap();
        let levels = NLevelGraph::partition(&graph, most_levels, &Advanced(|_, _, _| true)).unwrap();
        assert_eq!(levels.check(&graph), Ok(()));
        levels
    };
    let first = NodeId::new(0);
    for most_levels in [None, Some(1), Some(2)] {
        let nothing = partition(0, most_levels);
        assert_eq!((nothing.node_count(), nothing.level_count(), nothing.edges().count()), (0, 0, 0));
        assert_eq!(nothing.find(first, first, &mut scratch), None);
        let one = partition(1, most_levels);
        assert_eq!((one.node_count(), one.level_count(), one.level(first)), (1, 1, 1));
        let found = one.find(first, first, &mut scratch).unwrap();
        assert_eq!((found.cost, found.path), (Cost::ZERO, &[first][..]));
        assert_eq!(one.find(first, NodeId::new(1), &mut scratch), None);
    }
}

/// The leaves of a tree sink, then those of what is left: a node's level is its
/// height, and a search climbs to the root from either end and meets nothing
/// else.
#[test]
fn a_tree_is_crossed_by_climbing_alone() {
    const LEVELS: u32 = 10;
    const NODES: u32 = (1 << LEVELS) - 1;
    // The parent of node n is (n - 1) / 2.
    let edges = (1..NODES).map(|node| ((node - 1) / 2, node, cost(1 + u64::from(node) % 7)));
    let graph = RowGraph::from_edges(NODES as usize, edges).unwrap();
    let levels = NLevelGraph::partition(&graph, None, &Basic).unwrap();
    let height = |node: u32| LEVELS - (node + 1).ilog2();
    assert!((0..NODES).all(|node| levels.level(NodeId::new(node)) == height(node)));
    assert_eq!(levels.level_count(), LEVELS);
    let mut scratch = ArchScratch::default();
    for (start, goal) in [(NODES / 2, NODES - 1), (NODES - 1, NODES - 2), (17, 801), (0, 600)] {
        let mut counters = Counters::default();
        let (from, to) = (NodeId::new(start), NodeId::new(goal));
        let found = levels.find_guided(from, to, |_| Cost::ZERO, &mut scratch, &mut counters).unwrap();
        assert!((found.path.len() as u32) < 2 * LEVELS);
        // Both ways up, and what stands for start and goal.
        let most = (start + 1).ilog2() + 1 + (goal + 1).ilog2() + 1 + 3;
        assert!(counters.expanded <= most.into(), "{} of at most {most}", counters.expanded);
    }
}

/// If every extra edge is allowed, every node can sink, and none is left above:
/// all pairs that can reach each other become edges of a single level.
#[test]
fn a_property_that_allows_everything_makes_no_levels() {
    let graph = RowGraph::from_edges(8, (1..8).map(|node| (node - 1, node, cost(1)))).unwrap();
    let levels = NLevelGraph::partition(&graph, None, &Advanced(|_, _, _| true)).unwrap();
    assert_eq!((levels.level_count(), levels.edges().count()), (1, 8 * 7 / 2));
    assert_eq!(levels.check(&graph), Ok(()));
}
