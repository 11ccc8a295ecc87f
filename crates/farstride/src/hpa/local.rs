//! Inside a cluster: looking ways up, or searching them.

use super::tables::{NO_WAY, Ways};
use crate::base::{Cell, Cost, Direction, Rect};
use crate::graph::{Graph, UniformGrid, WeightedGrid, Window};
use crate::grid::Grid;
use crate::search::{
    BucketQueue, Everything, GridTarget, HeapQueue, Memory, Observer, OpenList, Problem, Progress,
    ShortestPath,
};

impl Ways<'_> {
    /// Cost of walking from a cell of a cluster to one of its nodes.
    pub(super) fn walk_cost(&self, grid: &Grid, area: Rect, from: Cell, local: usize, node: Cell) -> u64 {
        let uniform = grid.is_uniform();
        let rules = grid.rules();
        let mut cell = from;
        let mut cost = 0;
        while cell != node {
            let Some(next) = self.next(area, cell, local) else { return NO_WAY };
            let (next, direction) = next;
            let weights =
                if uniform { 2 } else { u64::from(grid.weight(cell)) + u64::from(grid.weight(next)) };
            cost += rules.step(direction, weights).units();
            cell = next;
        }
        cost
    }

    /// Appends the cells on the way from a cell of a cluster to one of its
    /// nodes, without the first.
    pub(super) fn walk(&self, area: Rect, from: Cell, local: usize, cells: &mut Vec<Cell>) {
        let mut cell = from;
        while let Some((next, _)) = self.next(area, cell, local) {
            cells.push(next);
            cell = next;
        }
    }

    /// The next cell on the way to a node.
    #[inline]
    fn next(&self, area: Rect, cell: Cell, local: usize) -> Option<(Cell, Direction)> {
        let direction = *Direction::ALL.get(usize::from(self.step(local, area.offset(cell))))?;
        Some((cell.step(direction), direction))
    }
}

/// Memory for searches inside a rectangle of cells.
#[derive(Debug, Default)]
pub(crate) struct LocalSearch {
    ring: Memory<BucketQueue>,
    heap: Memory<HeapQueue>,
    path: Vec<Cell>,
}

impl LocalSearch {
    /// Costs from a cell to each of `to`, inside `area`.
    pub(super) fn distances(
        &mut self,
        grid: &Grid,
        area: Rect,
        from: Cell,
        to: impl Iterator<Item = Cell>,
        costs: &mut Vec<u64>,
        observer: &mut impl Observer<Cell>,
    ) {
        if grid.is_uniform_in(area) {
            let window = Window::new(UniformGrid(grid), area);
            distances_in(&window, from, to, &mut self.ring, costs, observer);
        } else {
            let window = Window::new(WeightedGrid(grid), area);
            distances_in(&window, from, to, &mut self.heap, costs, observer);
        }
    }

    /// Appends the cells of a shortest path inside `area`, without the first;
    /// its cost, if there is one.
    pub(super) fn path(
        &mut self,
        grid: &Grid,
        area: Rect,
        from: Cell,
        to: Cell,
        cells: &mut Vec<Cell>,
        observer: &mut impl Observer<Cell>,
    ) -> Option<Cost> {
        let target = GridTarget::new(to, grid.rules());
        let cost = if grid.is_uniform_in(area) {
            let window = Window::new(UniformGrid(grid), area);
            path_in(&window, from, target, &mut self.ring, &mut self.path, observer)
        } else {
            let window = Window::new(WeightedGrid(grid), area);
            path_in(&window, from, target, &mut self.heap, &mut self.path, observer)
        };
        if cost.is_some() {
            cells.extend_from_slice(&self.path[1..]);
        }
        cost
    }
}

fn distances_in<G: Graph<Node = Cell>, Q: OpenList>(
    window: &Window<G>,
    from: Cell,
    to: impl Iterator<Item = Cell>,
    memory: &mut Memory<Q>,
    costs: &mut Vec<u64>,
    observer: &mut impl Observer<Cell>,
) {
    let problem = Problem { graph: window, target: Everything, rule: ShortestPath };
    problem.begin(from, memory, observer);
    problem.advance(memory, u64::MAX, observer);
    costs.extend(to.map(|cell| memory.labels().known(window.index(cell)).map_or(NO_WAY, Cost::units)));
}

fn path_in<G: Graph<Node = Cell>, Q: OpenList>(
    window: &Window<G>,
    from: Cell,
    target: GridTarget,
    memory: &mut Memory<Q>,
    path: &mut Vec<Cell>,
    observer: &mut impl Observer<Cell>,
) -> Option<Cost> {
    let problem = Problem { graph: window, target, rule: ShortestPath };
    problem.begin(from, memory, observer);
    let Progress::Reached(goal) = problem.advance(memory, u64::MAX, observer) else { return None };
    memory.path_into(window, goal, path);
    Some(memory.labels().g(window.index(goal)))
}
