//! Queries: the search over the overlay, and the path it stands for.
//!
//! Which of several shortest paths is returned depends on map and query alone. The
//! search does not stop at the goal: it settles every node that a shortest path may
//! lead through, so that their costs from the start are exact, whatever the landmarks
//! say. The path is then read back from the goal by a rule that looks at costs only.

use super::Overlay;
use super::ends::End;
use super::field::Field;
use super::graph::{Joined, OverlayGraph};
use super::landmarks::{Landmarks, Watched};
use super::layout::Seat;
use crate::base::{Cell, Cost, Node, NodeId, Rect};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::search::{
    GoalQueue, GridTarget, Memory, Observer, OpenList, Phase, Problem, SearchStatus, ShortestPath, Target,
    Translated, WideQueue,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// Working memory for queries of an overlay.
#[derive(Debug, Default)]
pub(crate) struct OverlayScratch {
    pub(super) start: End,
    pub(super) goal: End,
    memory: Memory<GoalQueue>,
    /// The landmarks of the search, and what they say about nodes.
    watched: Watched,
    estimates: Estimates,
    /// Nodes of the path, from the last to the first.
    nodes: Vec<u32>,
    /// Costs from one start to all nodes.
    pub(super) spread: Memory<WideQueue>,
    /// For ways inside a block.
    field: Field,
}

/// Bounds of nodes that a search has computed: a node is improved several times, and its
/// bound takes longer to compute than all the rest.
#[derive(Debug, Default)]
struct Estimates {
    /// The number of a search, then the bound. Atomic only because a target is shared;
    /// on every common processor that costs nothing.
    known: Vec<AtomicU64>,
    search: u32,
}

impl Estimates {
    /// Forgets all bounds, and makes room for as many nodes.
    fn begin(&mut self, nodes: usize) {
        if self.known.len() < nodes || self.search == u32::MAX {
            self.known.clear();
            self.known.resize_with(nodes, AtomicU64::default);
            self.search = 0;
        }
        self.search += 1;
    }

    /// The bound of a node, computed at most once.
    #[inline]
    fn of(&self, node: usize, compute: impl FnOnce() -> u32) -> u32 {
        let known = self.known[node].load(Ordering::Relaxed);
        if (known >> 32) as u32 == self.search {
            return known as u32;
        }
        let bound = compute();
        self.known[node].store(u64::from(self.search) << 32 | u64::from(bound), Ordering::Relaxed);
        bound
    }
}

/// The goal of a search over an overlay.
struct Goal<'a> {
    landmarks: &'a Landmarks,
    watched: &'a Watched,
    estimates: &'a Estimates,
    node: NodeId,
    /// Number of nodes that have potentials.
    nodes: usize,
    /// For maps without landmarks: the distance on an empty map.
    empty: Option<(GridTarget, &'a Joined<'a>)>,
}

impl Target<NodeId> for Goal<'_> {
    /// Never: [`GoalQueue`] ends the search.
    #[inline]
    fn is_reached(&self, _: NodeId) -> bool {
        false
    }

    #[inline]
    fn estimate(&self, node: NodeId) -> Cost {
        if node.index() >= self.nodes {
            return Cost::ZERO;
        }
        if let Some((target, graph)) = self.empty {
            return target.estimate(graph.cell(node));
        }
        let bound = self.estimates.of(node.index(), || self.landmarks.bound(node.index(), self.watched));
        Cost::from_units(bound.into())
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
        scratch.start.put(grid, &self.layout, start);
        scratch.goal.put(grid, &self.layout, goal);
        self.landmarks.watch(&self.layout, &scratch.goal, &mut scratch.watched);
        scratch.estimates.begin(self.layout.node_count());
        observer.phase(Phase::Main);
        self.search(grid, scratch, |problem, memory| {
            memory.open_mut().goal = problem.target.node.pack();
            memory.open_mut().ties = whole;
            let mut observer = Translated { observer, node: |node| problem.graph.cell(node) };
            problem.begin(problem.graph.start_node(), memory, &mut observer);
        });
    }

    /// Goes on with a search for up to `budget` expansions: the cost of the path, once
    /// it is found.
    pub(crate) fn advance(
        &self,
        grid: &Grid,
        budget: u64,
        scratch: &mut OverlayScratch,
        observer: &mut impl Observer<Cell>,
    ) -> SearchStatus<Cost> {
        self.search(grid, scratch, |problem, memory| {
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
        scratch: &mut OverlayScratch,
        run: impl FnOnce(&Problem<'_, Joined<'_>, Goal<'_>>, &mut Memory<GoalQueue>) -> T,
    ) -> T {
        let OverlayScratch { start, goal, memory, watched, estimates, .. } = scratch;
        let graph = Joined { overlay: self.graph(), start, goal };
        let landmarks = &self.landmarks;
        let empty = watched.is_empty().then(|| (GridTarget::new(goal.cell, grid.rules()), &graph));
        let nodes = self.layout.node_count();
        let target = Goal { landmarks, watched, estimates, node: graph.goal_node(), nodes, empty };
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
        let OverlayScratch { start, goal, memory, nodes, field, .. } = scratch;
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
            // Walked from the border to the start, so turned round afterwards.
            path.clear();
            path.push(self.layout.cell_of(first));
            start.walk(path[0], path);
            path.reverse();
        }
        for step in nodes.windows(2).rev() {
            let cell = |node| self.layout.cell_of(node);
            let Some((seat, cost)) = arc_between(self.graph(), step[1], step[0]) else { return false };
            let ends = (cell(step[1]), cell(step[0]));
            if !cross_straight(grid, ends, cost, path) {
                cross(grid, self.layout.block_area(seat.block), ends, cost, field, path);
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

/// Cells around the two ends of an arc in which its way is looked for first.
const AROUND: u16 = 4;

/// Appends the cells of an arc, without the first: a shortest way inside its block, and
/// close to the straight way between its ends if there is one.
fn cross(
    grid: &Grid,
    block: Rect,
    (from, to): (Cell, Cell),
    cost: Cost,
    field: &mut Field,
    path: &mut Vec<Cell>,
) {
    let close = Rect::spanning(from, to).grown(AROUND, block);
    for area in [close, block] {
        if field.reaches(grid, area, to, (from, cost)) {
            field.descend(from, path);
            return;
        }
    }
}

/// Lists the nodes of the path from the last to the first: always the smallest node that
/// a shortest path comes from, and the start as soon as it does. Returns `false` if there
/// is none.
fn trace(graph: &Joined<'_>, memory: &Memory<GoalQueue>, nodes: &mut Vec<u32>) -> bool {
    nodes.clear();
    let (start, goal) = (graph.start_node(), graph.goal_node());
    let Some(mut left) = memory.cost(goal.index()) else { return false };
    let mut node = goal;
    if graph.goal.node.is_none() {
        if graph.start.cost_inside(graph.goal).is_some_and(|cost| left.units() == cost.into()) {
            return true;
        }
        let mut best = None;
        for (from, cost) in graph.goal.arcs(graph.overlay.layout) {
            consider(memory, NodeId::new(from), Cost::from_units(cost.into()), left, &mut best);
        }
        let Some((from, cost)) = best else { return false };
        (node, left) = (from, cost);
    }
    // No path has more nodes: a forged index must not lead round in circles.
    for _ in 0..graph.node_count() {
        nodes.push(node.index() as u32);
        if node == start {
            return true;
        }
        let mut seats = graph.overlay.layout.seats(node.index() as u32);
        if seats.any(|seat| graph.start.cost_at(seat).is_some_and(|cost| left.units() == cost.into())) {
            return true;
        }
        let mut best = None;
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
    let seats = graph.layout.seats(from).flat_map(|seat| {
        let first = graph.layout.first_node(seat.block);
        let arcs = graph.blocks[seat.block].arcs(seat.place);
        let to_goal = arcs.filter(move |&(head, _)| first + graph.layout.offsets()[head] == to);
        to_goal.map(move |(_, cost)| (seat, Cost::from_units(cost.into())))
    });
    seats.min_by_key(|&(_, cost)| cost)
}
