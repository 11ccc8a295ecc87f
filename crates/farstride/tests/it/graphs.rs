//! A* and Dijkstra's algorithm on graphs of any shape, with heuristics good
//! and bad.

use crate::common::{World, cases, cell, point, random_map};
use farstride::graph::UniformGrid;
use farstride::graph::{Graph, NodeId, RowGraph};
use farstride::search::{Counters, Memory, SearchStatus, astar, dijkstra};
use farstride::{Cell, Cost};
use farstride_testkit::{DiagonalCost, Diagonals, SplitMix64, oracle};
use proptest::prelude::*;

type Arcs = Vec<(u32, u32, u64)>;

fn cost(units: u64) -> Cost {
    Cost::new(units).unwrap()
}

fn graph(nodes: usize, arcs: &Arcs) -> RowGraph {
    RowGraph::from_arcs(nodes, arcs.iter().map(|&(tail, head, units)| (tail, head, cost(units)))).unwrap()
}

/// Cost from every node to `goal`: relaxes every arc until nothing changes.
fn bellman_ford(nodes: usize, arcs: &Arcs, goal: usize) -> Vec<Option<u64>> {
    let mut best = vec![None; nodes];
    best[goal] = Some(0);
    loop {
        let before = best.clone();
        for &(tail, head, units) in arcs {
            if let Some(rest) = best[head as usize] {
                let entry: &mut Option<u64> = &mut best[tail as usize];
                *entry = Some(entry.map_or(rest + units, |known| known.min(rest + units)));
            }
        }
        if best == before {
            return best;
        }
    }
}

/// Sparse and dense graphs; arcs may be free of cost, double or loops.
fn graphs() -> impl Strategy<Value = (usize, Arcs)> {
    (1..24_usize).prop_flat_map(|nodes| {
        let node = 0..nodes as u32;
        let units = prop_oneof![1 => Just(0), 6 => 1..30_u64, 1 => 1000..100_000_u64];
        let arcs = prop::collection::vec((node.clone(), node, units), 0..nodes * 4);
        (Just(nodes), arcs)
    })
}

/// What the path in `memory` costs by the cheapest arcs it can take.
fn walked(graph: &RowGraph, memory: &Memory, start: NodeId, goal: NodeId) -> u64 {
    let mut path = Vec::new();
    memory.path_into(graph, goal, &mut path);
    assert_eq!((path.first(), path.last()), (Some(&start), Some(&goal)));
    let step = |from: NodeId, to: NodeId| {
        let arcs = graph.arcs(from).iter().filter(|(head, _)| *head == to);
        arcs.map(|(_, cost)| cost.units()).min().expect("every step is an arc")
    };
    path.windows(2).map(|pair| step(pair[0], pair[1])).sum()
}

proptest! {
    #![proptest_config(cases(1500))]

    /// With no heuristic, with a consistent one (half of the true distance)
    /// and with one that is admissible but not consistent (the true distance
    /// at some nodes and nothing at others): the same optimal cost, by a path
    /// whose arcs exist and add up; one memory throughout.
    #[test]
    fn astar_is_optimal_with_every_admissible_heuristic(
        (nodes, arcs) in graphs(),
        known in any::<u32>(),
    ) {
        let graph = graph(nodes, &arcs);
        let mut memory = Memory::default();
        for goal in 0..nodes {
            let best = bellman_ford(nodes, &arcs, goal);
            let distance = |node: NodeId| best[node.index()].map_or(Cost::MAX, cost);
            let none = |_: NodeId| Cost::ZERO;
            let half = |node: NodeId| best[node.index()].map_or(Cost::MAX, |units| cost(units / 2));
            let patchy =
                |node: NodeId| if known >> node.index() & 1 == 1 { distance(node) } else { Cost::ZERO };
            let bounds: [&dyn Fn(NodeId) -> Cost; 3] = [&none, &half, &patchy];
            let (start, goal) = (NodeId::new(known % nodes as u32), NodeId::new(goal as u32));
            for (index, bound) in bounds.into_iter().enumerate() {
                let mut counters = Counters::default();
                let progress = astar(&graph, start, goal, bound, &mut memory, &mut counters);
                let Some(expected) = best[start.index()] else {
                    prop_assert_eq!(progress, SearchStatus::Exhausted);
                    continue;
                };
                prop_assert_eq!(progress, SearchStatus::Reached(goal));
                prop_assert_eq!(memory.cost(goal.index()), Some(cost(expected)));
                prop_assert_eq!(walked(&graph, &memory, start, goal), expected);
                if index < 2 {
                    prop_assert_eq!(counters.reopened, 0, "consistent bounds never reopen");
                }
            }
        }
    }

    #[test]
    fn dijkstra_knows_the_way_to_everything((nodes, arcs) in graphs()) {
        let graph = graph(nodes, &arcs);
        let backwards: Arcs = arcs.iter().map(|&(tail, head, units)| (head, tail, units)).collect();
        let mut memory = Memory::default();
        for start in 0..nodes {
            let best = bellman_ford(nodes, &backwards, start);
            let start = NodeId::new(start as u32);
            prop_assert_eq!(dijkstra(&graph, start, &mut memory, &mut ()), SearchStatus::Exhausted);
            for (node, &expected) in best.iter().enumerate() {
                prop_assert_eq!(memory.cost(node), expected.map(cost));
                if let Some(expected) = expected {
                    prop_assert_eq!(walked(&graph, &memory, start, NodeId::new(node as u32)), expected);
                }
            }
        }
    }
}

/// The dear arc to node 2 looks better until node 1, of which the heuristic
/// knows how far it is, turns out to lead there more cheaply: 2 is expanded at
/// 5, opened again, and expanded at 2.
#[test]
fn an_inconsistent_heuristic_makes_a_node_open_again() {
    let arcs = vec![(0, 1, 1), (0, 2, 5), (1, 2, 1), (2, 3, 10)];
    let graph = graph(4, &arcs);
    let bound = |node: NodeId| cost(if node.index() == 1 { 11 } else { 0 });
    let (start, goal) = (NodeId::new(0), NodeId::new(3));
    let mut memory = Memory::default();
    let mut counters = Counters::default();
    let progress = astar(&graph, start, goal, bound, &mut memory, &mut counters);
    assert_eq!(progress, SearchStatus::Reached(goal));
    assert_eq!(memory.cost(3), Some(cost(12)));
    assert_eq!((counters.expanded, counters.generated, counters.reopened), (5, 5, 1));
    assert_eq!(counters.peak_nodes, 4);
    let mut path = Vec::new();
    memory.path_into(&graph, goal, &mut path);
    assert_eq!(path, [0, 1, 2, 3].map(NodeId::new));
}

/// On a grid A* leaves out moves; that must not miss a way either when a
/// heuristic makes it expand cells too early and again.
#[test]
fn moves_left_out_are_not_missed_with_an_inconsistent_heuristic() {
    let mut random = SplitMix64::new(14);
    let mut memory = Memory::default();
    let mut reopened = 0;
    for round in 0..4000 {
        let (width, height) = (random.between(6, 18), random.between(6, 18));
        let blocked = random.between(2, 35) as u32;
        let map = random_map(&mut random, width, height, blocked);
        let world = World::new(map, Diagonals::ALL[round % 4], DiagonalCost::Sqrt2);
        let grid = world.grid();
        let free = world.map.free_points();
        if free.is_empty() {
            continue;
        }
        let (start, goal) = (free[random.below(free.len())], free[random.below(free.len())]);
        let rest = oracle::distances(&world.map, world.diagonals, world.cost, goal);
        let salt = random.next_u64();
        let bound = |at: Cell| {
            let index = world.map.index(point(at));
            let patch = at.x / 3 + at.y / 3 * 7;
            let known = salt >> (patch % 64) & 1 == 1;
            cost(if known { rest[index].unwrap_or(0) } else { 0 })
        };
        let mut counters = Counters::default();
        let (from, to) = (cell(start), cell(goal));
        let progress = astar(&UniformGrid(&grid), from, to, bound, &mut memory, &mut counters);
        reopened += counters.reopened;
        let Some(expected) = rest[world.map.index(start)] else {
            assert_eq!(progress, SearchStatus::Exhausted);
            continue;
        };
        assert_eq!(progress, SearchStatus::Reached(to));
        let found = memory.cost(world.map.index(goal));
        assert_eq!(found, Some(cost(expected)), "{start:?} to {goal:?} on {world:?}");
    }
    assert!(reopened > 500, "only {reopened} cells were opened again");
}

/// A chain of nodes whose arcs all cost the same, and a detour of two cheap
/// arcs from the first node to the last.
struct Chain {
    nodes: u32,
    arc: Cost,
    detour: bool,
}

impl Graph for Chain {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.nodes as usize + 1
    }

    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let (here, last, aside) = (node.index() as u32, self.nodes - 1, self.nodes);
        if here < last {
            visit(NodeId::new(here + 1), self.arc);
        }
        if self.detour && here == 0 {
            visit(NodeId::new(aside), cost(1));
        }
        if here == aside {
            visit(NodeId::new(last), cost(1));
        }
    }
}

#[test]
fn paths_dearer_than_exact_costs_are_not_passed_over_in_silence() {
    let chain = Chain { nodes: 3, arc: Cost::MAX, detour: false };
    let start = NodeId::new(0);
    let mut memory = Memory::default();
    let mut to = |goal: u32| {
        let progress = astar(&chain, start, NodeId::new(goal), |_| Cost::ZERO, &mut memory, &mut ());
        (progress, memory.cost(goal as usize))
    };
    assert_eq!(to(1), (SearchStatus::Reached(NodeId::new(1)), Some(Cost::MAX)));
    assert_eq!(to(2), (SearchStatus::CostOverflow, None));

    assert_eq!(dijkstra(&chain, start, &mut memory, &mut ()), SearchStatus::CostOverflow);
    let known = [0, 1, 2].map(|node| memory.cost(node));
    assert_eq!(known, [Some(Cost::ZERO), Some(Cost::MAX), None]);

    let cheap = Chain { arc: cost(5), ..chain };
    assert_eq!(dijkstra(&cheap, start, &mut memory, &mut ()), SearchStatus::Exhausted);
}

#[test]
fn an_exact_path_is_found_beside_one_that_is_too_dear() {
    let chain = Chain { nodes: 4, arc: Cost::MAX, detour: true };
    let (start, goal) = (NodeId::new(0), NodeId::new(3));
    let mut memory = Memory::default();
    let progress = astar(&chain, start, goal, |_| Cost::ZERO, &mut memory, &mut ());
    assert_eq!(progress, SearchStatus::Reached(goal));
    assert_eq!(memory.cost(3), Some(cost(2)));
}

#[test]
fn a_search_from_the_goal_is_over_at_once() {
    let graph = graph(1, &vec![(0, 0, 0)]);
    let only = NodeId::new(0);
    let mut memory = Memory::default();
    let mut counters = Counters::default();
    let progress = astar(&graph, only, only, |_| Cost::ZERO, &mut memory, &mut counters);
    assert_eq!(progress, SearchStatus::Reached(only));
    assert_eq!((counters.expanded, counters.generated), (1, 0));
}
