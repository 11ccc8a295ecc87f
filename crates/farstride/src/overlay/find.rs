//! Queries: the search over the overlay, and the path it stands for.
//!
//! Which of several shortest paths is returned depends on map and query alone. The
//! search does not stop at the goal: it settles every node that a shortest path may
//! lead through, so that their costs from the start are exact, whatever the landmarks
//! say. The path is then read back from the goal by a rule that looks at costs only.

use super::Overlay;
use super::ends::End;
use super::graph::{Joined, OverlayGraph};
use super::ground::Ground;
use super::landmarks::{Landmarks, Watched};
use super::layout::Seat;
use crate::base::{Cell, Cost, Node, NodeId};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::search::{
    GridTarget, LimitedQueue, Memory, Observer, OpenList, Phase, Problem, SearchStatus, ShortestPath, Target,
    TieQueue, Translated, WideQueue,
};

/// Working memory for queries of an overlay.
#[derive(Debug, Default)]
pub(crate) struct OverlayScratch {
    pub(super) start: End,
    pub(super) goal: End,
    memory: Memory<TieQueue>,
    /// The landmarks of the search.
    watched: Watched,
    /// Nodes of the path, from the last to the first.
    nodes: Vec<u32>,
    /// Costs from one start to all nodes.
    pub(super) spread: Memory<WideQueue>,
    /// For ways inside a block.
    ground: Ground,
    inside: Memory<LimitedQueue>,
    section: Vec<Cell>,
}

/// The goal of a search over an overlay.
struct Goal<'a> {
    landmarks: &'a Landmarks,
    watched: &'a Watched,
    node: NodeId,
    /// Number of nodes that have potentials.
    nodes: usize,
    /// For maps without landmarks: the distance on an empty map.
    empty: Option<(GridTarget, &'a Joined<'a>)>,
    /// Whether the search goes on for all shortest paths.
    ties: bool,
}

impl Target<NodeId> for Goal<'_> {
    #[inline]
    fn is_reached(&self, node: NodeId) -> bool {
        !self.ties && node == self.node
    }

    #[inline]
    fn estimate(&self, node: NodeId) -> Cost {
        if node.index() >= self.nodes {
            return Cost::ZERO;
        }
        if let Some((target, graph)) = self.empty {
            return target.estimate(graph.cell(node));
        }
        Cost::from_units(self.landmarks.bound(node.index(), self.watched).into())
    }
}

impl Overlay {
    /// Begins a search. `whole` tells whether a path is wanted, or its cost alone.
    pub(crate) fn begin(
        &self,
        grid: &Grid,
        (start, goal): (Cell, Cell),
        whole: bool,
        scratch: &mut OverlayScratch,
        observer: &mut impl Observer<Cell>,
    ) {
        observer.phase(Phase::Insert);
        scratch.start.put(grid, &self.layout, start, observer);
        scratch.goal.put(grid, &self.layout, goal, observer);
        self.landmarks.watch(&self.layout, &scratch.start, &scratch.goal, &mut scratch.watched);
        observer.phase(Phase::Main);
        self.search(grid, whole, scratch, |problem, memory| {
            memory.open_mut().goal = problem.target.node.pack();
            let mut observer = Translated { observer, node: |node| problem.graph.cell(node) };
            problem.begin(problem.graph.start_node(), memory, &mut observer);
        });
    }

    /// Goes on with a search for up to `budget` expansions: the cost of the path, once
    /// it is found.
    pub(crate) fn advance(
        &self,
        grid: &Grid,
        whole: bool,
        budget: u64,
        scratch: &mut OverlayScratch,
        observer: &mut impl Observer<Cell>,
    ) -> SearchStatus<Cost> {
        self.search(grid, whole, scratch, |problem, memory| {
            let mut observer = Translated { observer, node: |node| problem.graph.cell(node) };
            match problem.advance(memory, budget, &mut observer) {
                SearchStatus::Paused => SearchStatus::Paused,
                SearchStatus::CostOverflow => SearchStatus::CostOverflow,
                SearchStatus::Reached(_) | SearchStatus::Exhausted => {
                    let cost = memory.cost(problem.target.node.index());
                    cost.map_or(SearchStatus::Exhausted, SearchStatus::Reached)
                }
            }
        })
    }

    /// Calls `run` with the search in the scratch.
    fn search<T>(
        &self,
        grid: &Grid,
        ties: bool,
        scratch: &mut OverlayScratch,
        run: impl FnOnce(&Problem<'_, Joined<'_>, Goal<'_>>, &mut Memory<TieQueue>) -> T,
    ) -> T {
        let OverlayScratch { start, goal, memory, watched, .. } = scratch;
        let graph = Joined { overlay: self.graph(), start, goal };
        let landmarks = &self.landmarks;
        let empty = watched.is_empty().then(|| (GridTarget::new(goal.cell, grid.rules()), &graph));
        let nodes = self.layout.node_count();
        let target = Goal { landmarks, watched, node: graph.goal_node(), nodes, empty, ties };
        run(&Problem { graph: &graph, target, rule: ShortestPath }, memory)
    }

    /// Writes the path of a finished search. Returns `false` if the index contradicts
    /// itself.
    pub(crate) fn path_into(
        &self,
        grid: &Grid,
        scratch: &mut OverlayScratch,
        path: &mut Vec<Cell>,
        observer: &mut impl Observer<Cell>,
    ) -> bool {
        observer.phase(Phase::Refine);
        let OverlayScratch { start, goal, memory, nodes, ground, inside, section, .. } = scratch;
        let graph = Joined { overlay: self.graph(), start, goal };
        path.clear();
        path.push(start.cell);
        if !trace(&graph, memory, nodes) {
            return false;
        }
        let Some(&first) = nodes.last() else {
            // Both ends are in one block, and so is the path.
            goal.walk(start.cell, path);
            return path.last() == Some(&goal.cell);
        };
        if start.node.is_none() {
            section.clear();
            section.push(self.layout.cell_of(first));
            start.walk(section[0], section);
            path.extend(section.iter().rev().skip(1));
        }
        for step in nodes.windows(2).rev() {
            let cell = |node| self.layout.cell_of(node);
            let Some((seat, cost)) = arc_between(self.graph(), step[1], step[0]) else { return false };
            let ends = (cell(step[1]), cell(step[0]));
            if !cross_straight(grid, ends, cost, path) {
                ground.copy(grid, &self.layout, seat.block);
                cross(ground, ends, cost, inside, path, observer);
            }
            if path.last() != Some(&cell(step[0])) {
                return false;
            }
        }
        if let (None, Some(&last)) = (goal.node, nodes.first()) {
            goal.walk(self.layout.cell_of(last), path);
        }
        path.last() == Some(&goal.cell)
    }

    pub(super) fn graph(&self) -> OverlayGraph<'_> {
        OverlayGraph { layout: &self.layout, blocks: &self.blocks }
    }
}

/// Appends the cells of an arc, without the first, if two straight runs cost as much as
/// it does.
fn cross_straight(grid: &Grid, (from, to): (Cell, Cell), cost: Cost, path: &mut Vec<Cell>) -> bool {
    let Some(runs) = grid.connect_straight(from, to) else { return false };
    let turn = from.walk_within(runs[0].direction, runs[0].len);
    if grid.run_cost(from, runs[0]) + grid.run_cost(turn, runs[1]) != cost {
        return false;
    }
    let mut cell = from;
    for run in runs {
        for _ in 0..run.len {
            cell = cell.step(run.direction);
            path.push(cell);
        }
    }
    true
}

/// Appends the cells of an arc, without the first: a shortest way inside its block.
fn cross(
    ground: &Ground,
    (from, to): (Cell, Cell),
    cost: Cost,
    memory: &mut Memory<LimitedQueue>,
    path: &mut Vec<Cell>,
    observer: &mut impl Observer<Cell>,
) {
    let target = AllWays { ground, to: from, lightest: ground.lightest().into() };
    let problem = Problem { graph: ground, target, rule: ShortestPath };
    memory.open_mut().limit = cost;
    let mut observer = Translated { observer, node: |node| ground.cell(node) };
    problem.begin(ground.node(to), memory, &mut observer);
    problem.advance(memory, u64::MAX, &mut observer);
    ground.descend(memory, from, path);
}

/// A target of which all shortest ways are looked at.
struct AllWays<'g> {
    ground: &'g Ground,
    to: Cell,
    /// The least weight on the way.
    lightest: u64,
}

impl Target<NodeId> for AllWays<'_> {
    fn is_reached(&self, _: NodeId) -> bool {
        false
    }

    #[inline]
    fn estimate(&self, node: NodeId) -> Cost {
        self.ground.rules().distance(self.ground.cell(node), self.to) * self.lightest
    }
}

/// Lists the nodes of the path from the last to the first: always the smallest node that
/// a shortest path comes from, and the start as soon as it does. Returns `false` if there
/// is none.
fn trace(graph: &Joined<'_>, memory: &Memory<TieQueue>, nodes: &mut Vec<u32>) -> bool {
    nodes.clear();
    let (start, goal) = (graph.start_node(), graph.goal_node());
    let Some(mut left) = memory.cost(goal.index()) else { return false };
    let mut node = goal;
    if graph.goal.node.is_none() {
        if graph.start.cost_inside(graph.goal) == Some(left) {
            return true;
        }
        let mut best = None;
        graph
            .goal
            .for_each_arc(graph.overlay.layout, |from, cost| consider(memory, from, cost, left, &mut best));
        let Some((from, cost)) = best else { return false };
        (node, left) = (from, cost);
    }
    // No path has more nodes: a forged index must not lead round in circles.
    for _ in 0..graph.node_count() {
        nodes.push(node.index() as u32);
        if node == start {
            return true;
        }
        let mut is_first = false;
        let mut best = None;
        graph.overlay.layout.for_each_seat(node.index() as u32, |seat| {
            is_first |= graph.start.cost_at(seat) == Some(left);
        });
        if is_first {
            return true;
        }
        graph.overlay.for_each_arc(node, |from, cost| consider(memory, from, cost, left, &mut best));
        let Some((from, cost)) = best else { return false };
        (node, left) = (from, cost);
    }
    false
}

/// Notes a node that a shortest path comes from, if it is smaller than the best.
fn consider<Q: OpenList>(
    memory: &Memory<Q>,
    from: NodeId,
    cost: Cost,
    left: Cost,
    best: &mut Option<(NodeId, Cost)>,
) {
    if let Some(before) = memory.cost(from.index())
        && before + cost == left
        && best.is_none_or(|(known, _)| from < known)
    {
        *best = Some((from, before));
    }
}

/// The cheapest arc between two nodes, in the first block that has it.
fn arc_between(graph: OverlayGraph<'_>, from: u32, to: u32) -> Option<(Seat, Cost)> {
    let mut best: Option<(Seat, Cost)> = None;
    graph.layout.for_each_seat(from, |seat| {
        let first = graph.layout.first_node(seat.block);
        for (head, cost) in graph.blocks[seat.block].arcs(seat.place) {
            let cost = Cost::from_units(cost.into());
            if first + graph.layout.offsets()[head] == to && best.is_none_or(|(_, least)| cost < least) {
                best = Some((seat, cost));
            }
        }
    });
    best
}
