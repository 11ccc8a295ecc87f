//! Contraction hierarchies and hub labels of any graph: every distance is that of
//! the graph, by a path of the graph, whatever part of the graph has labels.

use crate::common::cases;
use crate::common::undirected::{Case, cost, lattices, scattered};
use farstride::Cost;
use farstride::contraction::{ContractionHierarchy, ContractionSettings, Rank, UpArc};
use farstride::error::PrepareError;
use farstride::graph::{Graph, NodeId, RowGraph};
use farstride::hublabel::{HubIndex, HubScratch};
use farstride::index::BuildOptions;
use farstride::internal::Limits;
use proptest::prelude::*;
use proptest::sample::select;

/// The longest edges of graphs: the shorter, the more ways are equally long.
static LONGEST: [u64; 7] = [0, 1, 2, 4, 30, 1_000_000, u32::MAX as u64];

/// Stars, cliques, rings and paths, whose nodes are numbered at random.
fn shapes() -> impl Strategy<Value = Case> {
    (2..=20_u32, 0..4_u8, select(LONGEST.to_vec())).prop_flat_map(|(nodes, shape, longest)| {
        let pairs: Vec<(u32, u32)> = match shape {
            0 => (1..nodes).map(|node| (0, node)).collect(),
            1 => (0..nodes).flat_map(|one| (0..one).map(move |other| (one, other))).collect(),
            2 => (0..nodes).map(|node| (node, (node + 1) % nodes)).collect(),
            _ => (1..nodes).map(|node| (node - 1, node)).collect(),
        };
        let numbers = Just((0..nodes).collect::<Vec<u32>>()).prop_shuffle();
        let costs = prop::collection::vec(0..=longest, pairs.len());
        (numbers, costs).prop_map(move |(numbers, costs)| {
            let number = |node: u32| numbers[node as usize];
            let edges =
                pairs.iter().zip(costs).map(|(&(one, other), cost)| (number(one), number(other), cost));
            Case { nodes, edges: edges.collect() }
        })
    })
}

fn graphs() -> impl Strategy<Value = Case> {
    prop_oneof![3 => scattered(0, &LONGEST), 2 => lattices(7, &LONGEST), 2 => shapes()]
}

/// Searches of any effort, and contraction that stops anywhere.
fn settings() -> impl Strategy<Value = ContractionSettings> {
    let degree = prop_oneof![3 => Just(u32::MAX), 1 => 0..6_u32];
    let work = prop_oneof![3 => Just(u64::MAX), 1 => 0..3000_u64];
    (0..4_u32, 0..6_u32, degree, work).prop_map(|(trial, proof, core_degree, most_work)| {
        ContractionSettings::default()
            .with_trial(trial)
            .with_proof(proof)
            .with_core_degree(core_degree)
            .with_most_work(most_work)
    })
}

fn limits() -> impl Strategy<Value = Limits> {
    let ranks = prop_oneof![2 => Just(u32::MAX), 2 => 0..20_u32];
    let entries = prop_oneof![3 => Just(u32::MAX), 1 => 0..60_u32];
    (ranks, entries).prop_map(|(ranks, entries)| Limits::default().with_entries(entries).with_ranks(ranks))
}

fn contract(case: &Case, settings: &ContractionSettings, threads: usize) -> ContractionHierarchy {
    ContractionHierarchy::build_with(&case.graph(), settings, &BuildOptions::new().threads(threads)).unwrap()
}

fn label(hierarchy: ContractionHierarchy, limits: Limits, threads: usize) -> HubIndex {
    HubIndex::with_limits(hierarchy, &limits, &BuildOptions::new().threads(threads)).unwrap()
}

proptest! {
    #![proptest_config(cases(1500))]

    /// All pairs, with labels for all nodes, for some or for none, and with cores
    /// of any size: the distances of the graph, by its own edges.
    #[test]
    fn paths_are_shortest_paths_of_the_graph(case in graphs(), settings in settings(), limits in limits()) {
        let hierarchy = contract(&case, &settings, 1);
        let index = label(hierarchy, limits, 1);
        let best = case.distances();
        let (mut scratch, mut guided, mut path) = (HubScratch::default(), HubScratch::default(), Vec::new());
        for (from, to) in case.pairs() {
            let expected = best[from.index()][to.index()];
            let found = index.distance(from, to, &mut scratch);
            prop_assert_eq!(found.map(Cost::units), expected, "{} to {}", from, to);
            let bound = |node: NodeId, other: NodeId| best[node.index()][other.index()].map_or(Cost::MAX, |units| cost(units / 2));
            prop_assert_eq!(index.distance_guided(from, to, bound, &mut guided), found);
            prop_assert_eq!(index.path_into(from, to, &mut path, &mut scratch), found);
            prop_assert_eq!(path.first(), found.map(|_| &from));
            prop_assert_eq!(path.last(), found.map(|_| &to));
            if found.is_some() {
                prop_assert_eq!(case.walked(&path), expected, "{:?}", path);
                let mut again = Vec::new();
                index.path_into(from, to, &mut again, &mut HubScratch::default());
                prop_assert_eq!(&again, &path, "an old scratch is as good as a fresh one");
            }
            prop_assert_eq!(index.path_guided_into(from, to, bound, &mut path, &mut guided), found);
            prop_assert_eq!(found.and_then(|_| case.walked(&path)), expected);
        }
        let all: Vec<NodeId> = case.ids().collect();
        let table = index.distances(&all, &all, 2);
        let expected: Vec<Option<Cost>> = best.concat().into_iter().map(|units| units.map(cost)).collect();
        prop_assert_eq!(table, expected);
    }

    /// Arcs lead up or run along the core; shortcuts are made of two others; the
    /// rest are edges of the graph.
    #[test]
    fn arcs_are_edges_or_shortcuts(case in graphs(), settings in settings()) {
        let hierarchy = contract(&case, &settings, 1);
        let best = case.distances();
        let core = Rank::new(hierarchy.core_size());
        let arc = |from: Rank, to: Rank| hierarchy.up_arcs(from).iter().find(|arc| arc.head() == to);
        for node in case.ids() {
            prop_assert_eq!(hierarchy.node_at(hierarchy.rank_of(node)), node);
        }
        for rank in hierarchy.all_ranks() {
            prop_assert!(hierarchy.up_arcs(rank).is_sorted_by_key(UpArc::head));
            for up in hierarchy.up_arcs(rank) {
                let (head, cost, via) = (up.head(), up.cost(), up.via());
                if rank < core {
                    prop_assert!(head < core && head != rank);
                    let back = arc(head, rank).map(|back| (back.cost(), back.via()));
                    prop_assert_eq!(back, Some((cost, via)));
                } else {
                    prop_assert!(head < rank);
                }
                let ends = [rank, head].map(|rank| hierarchy.node_at(rank));
                prop_assert!(best[ends[0].index()][ends[1].index()] <= Some(cost.units()));
                if let Some(via) = via {
                    prop_assert!(via >= core && via > rank && via > head);
                    let halves = arc(via, rank).zip(arc(via, head));
                    let halves = halves.map(|(one, other)| one.cost() + other.cost());
                    prop_assert_eq!(halves, Some(cost));
                } else {
                    prop_assert_eq!(case.walked(&ends), Some(cost.units()));
                }
            }
        }
    }

    /// One thread or several, and edges in any order: the same hierarchy, the same
    /// labels.
    #[test]
    fn threads_and_the_order_of_edges_do_not_matter(case in graphs(), settings in settings(), limits in limits()) {
        let make = |case: &Case, threads| {
            label(contract(case, &settings, threads), limits, threads)
        };
        let turned = Case { edges: case.edges.iter().rev().map(|&(u, v, c)| (v, u, c)).collect(), ..case };
        let index = make(&case, 1);
        for threads in [2, 5] {
            prop_assert_eq!(&make(&turned, threads), &index);
        }
    }

    /// Labels are canonical: they hold those nodes that are the highest on all
    /// shortest paths to them, and the node itself.
    #[test]
    fn labels_hold_what_is_highest_on_shortest_paths(case in graphs(), proof in 0..6_u32) {
        let settings = ContractionSettings::default().with_proof(proof);
        let index = label(contract(&case, &settings, 1), Limits::default(), 1);
        let best = case.distances();
        let rank = |node: usize| index.hierarchy().rank_of(NodeId::new(node as u32));
        let nodes = case.nodes as usize;
        let labelled = (0..nodes).filter(|&node| rank(node).index() < index.labels().top() as usize);
        let entries: usize = labelled.map(|from| {
            let is_hub = |hub: &usize| *hub == from || best[from][*hub].is_some_and(|units| {
                let on_the_way = |over: &usize| best[from][*over].zip(best[*over][*hub])
                    .is_some_and(|(one, other)| one + other == units);
                (0..nodes).filter(on_the_way).all(|over| rank(over) >= rank(*hub))
            });
            (0..nodes).filter(is_hub).count()
        }).sum();
        prop_assert_eq!(index.labels().entry_count(), entries);
    }
}

#[test]
fn directed_graphs_are_refused_by_name() {
    let refused = |arcs: &[(u32, u32, u64)]| {
        let arcs = arcs.iter().map(|&(u, v, units)| (u, v, cost(units)));
        let graph = RowGraph::from_arcs(3, arcs).unwrap();
        HubIndex::build(&graph).unwrap_err()
    };
    let directed = |from, to| PrepareError::Directed { from: NodeId::new(from), to: NodeId::new(to) };
    assert_eq!(refused(&[(0, 1, 5), (1, 0, 5), (1, 2, 3)]), directed(1, 2));
    assert_eq!(refused(&[(2, 0, 5)]), directed(2, 0));
    assert_eq!(refused(&[(0, 2, 5), (2, 0, 6)]), directed(0, 2));
    let message = refused(&[(2, 0, 5)]).to_string();
    assert!(message.contains("from 2 to 0") && message.contains("undirected"), "{message}");

    // Of parallel arcs only the cheapest counts, and a loop has no direction.
    let arcs = [(0, 1, 5), (1, 0, 5), (0, 1, 9), (2, 2, 1)].map(|(u, v, units)| (u, v, cost(units)));
    assert!(HubIndex::build(&RowGraph::from_arcs(3, arcs).unwrap()).is_ok());
}

#[test]
fn edges_may_not_cost_too_much() {
    let refused = |units: u64| {
        let graph = RowGraph::from_edges(4, [(0, 3, cost(7)), (1, 2, cost(units))]).unwrap();
        HubIndex::build(&graph).err()
    };
    let (from, to) = (NodeId::new(1), NodeId::new(2));
    let dear = u64::from(u32::MAX) + 1;
    assert_eq!(refused(dear), Some(PrepareError::TooDear { from, to, cost: cost(dear) }));
    assert_eq!(refused(u64::from(u32::MAX)), None);
    assert_eq!(refused(0), None);
    assert!(refused(dear).unwrap().to_string().contains(&dear.to_string()));
}

/// A graph whose node count and arcs are made up.
struct Liar {
    nodes: usize,
    cost: Cost,
}

impl Graph for Liar {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.nodes
    }

    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        visit(NodeId::new(node.index() as u32 ^ 1), self.cost);
    }
}

#[test]
fn graphs_that_lie_are_refused_by_name() {
    let refused = |nodes, units| HubIndex::build(&Liar { nodes, cost: cost(units) }).err();
    let (from, to) = (NodeId::new(2), NodeId::new(3));
    assert_eq!(refused(3, 1), Some(PrepareError::UnknownNode { from, to }));
    assert_eq!(refused(4, 1), None);
    let nodes = u32::MAX as usize;
    assert_eq!(refused(nodes, 1), Some(PrepareError::TooManyNodes { nodes, most: nodes - 2 }));
    // Two to the power of 17 of such edges might be too dear in a row.
    let dear = Cost::new(1 << 31).unwrap();
    let (from, to) = (NodeId::new(0), NodeId::new(1));
    assert_eq!(refused(1 << 17, 1 << 31), Some(PrepareError::TooDear { from, to, cost: dear }));
    assert_eq!(refused(1 << 10, 1 << 31), None);
}

#[test]
fn graphs_of_nothing_and_of_one_node_have_an_index() {
    let mut scratch = HubScratch::default();
    let first = NodeId::new(0);
    let nothing = HubIndex::build(&RowGraph::from_edges(0, []).unwrap()).unwrap();
    assert_eq!(nothing.distance(first, first, &mut scratch), None);
    let one = HubIndex::build(&RowGraph::from_edges(1, []).unwrap()).unwrap();
    assert_eq!(one.distance(first, first, &mut scratch), Some(Cost::ZERO));
    let mut path = vec![NodeId::new(7)];
    assert_eq!(one.path_into(first, first, &mut path, &mut scratch), Some(Cost::ZERO));
    assert_eq!(path, [first]);
    assert_eq!(one.path_into(first, NodeId::new(1), &mut path, &mut scratch), None);
    assert_eq!(path, []);
}
