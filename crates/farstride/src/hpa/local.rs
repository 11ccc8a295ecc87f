//! Inside a cluster: looking ways up, or searching them.

use super::tables::{NO_WAY, Ways};
use crate::base::{Cell, Cost, Direction, Rect, Run, Trail};
use crate::graph::{Graph, UniformGrid, WeightedGrid, Window};
use crate::grid::Grid;
use crate::search::{
    BucketQueue, Everything, GridTarget, HeapQueue, Memory, Observer, OpenList, Problem, Progress,
    ShortestPath,
};

impl Ways<'_> {
    /// Cost of walking from a cell of a cluster to one of its nodes.
    pub(super) fn walk_cost(&self, grid: &Grid, area: Rect, from: Cell, local: usize, node: Cell) -> u64 {
        let rules = grid.rules();
        if grid.is_uniform() {
            let cost = rules.diagonal_cost;
            let counted = self.count_steps(area, from, local, node);
            return counted.map_or(NO_WAY, |[straight, diagonal]| {
                straight * cost.straight().units() + diagonal * cost.diagonal().units()
            });
        }
        let mut cell = from;
        let mut cost = 0;
        for _ in 0..area.cell_count() {
            if cell == node {
                return cost;
            }
            let Some((next, direction)) = self.next(area, cell, local) else { return NO_WAY };
            let weights = u64::from(grid.weight(cell)) + u64::from(grid.weight(next));
            cost += rules.step(direction, weights).units();
            cell = next;
        }
        NO_WAY
    }

    /// Straight and diagonal steps from a cell of a cluster to one of its nodes.
    /// No way is longer than the cluster has cells, whoever wrote it.
    fn count_steps(&self, area: Rect, from: Cell, local: usize, node: Cell) -> Option<[u64; 2]> {
        let width = area.width() as isize;
        let strides = Direction::ALL.map(|direction| {
            let (dx, dy) = direction.delta();
            isize::from(dy) * width + isize::from(dx)
        });
        let (mut offset, end) = (area.offset(from), area.offset(node));
        let mut steps = [0; 2];
        for _ in 0..area.cell_count() {
            if offset == end {
                return Some(steps);
            }
            let direction = usize::from(self.step(local, offset));
            offset = offset.wrapping_add_signed(*strides.get(direction)?);
            steps[direction / 4] += 1; // the straight directions come first
        }
        None
    }

    /// Appends the way from a cell of a cluster to one of its nodes.
    pub(super) fn walk(&self, area: Rect, from: Cell, local: usize, trail: &mut Trail) {
        let mut cell = from;
        for _ in 0..area.cell_count() {
            let Some((next, direction)) = self.next(area, cell, local) else { return };
            trail.push(Run { direction, len: 1 });
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

    /// Appends a shortest path inside `area`; its cost, if there is one and
    /// `budget` expansions find it.
    pub(super) fn path(
        &mut self,
        grid: &Grid,
        area: Rect,
        (from, to): (Cell, Cell),
        budget: u64,
        trail: &mut Trail,
        observer: &mut impl Observer<Cell>,
    ) -> Option<Cost> {
        let target = GridTarget::new(to, grid.rules());
        let cost = if grid.is_uniform_in(area) {
            let window = Window::new(UniformGrid(grid), area);
            path_in(&window, from, target, budget, &mut self.ring, &mut self.path, observer)
        } else {
            let window = Window::new(WeightedGrid(grid), area);
            path_in(&window, from, target, budget, &mut self.heap, &mut self.path, observer)
        };
        if cost.is_some() {
            self.path[1..].iter().for_each(|&cell| trail.push_cell(cell));
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
    budget: u64,
    memory: &mut Memory<Q>,
    path: &mut Vec<Cell>,
    observer: &mut impl Observer<Cell>,
) -> Option<Cost> {
    let problem = Problem { graph: window, target, rule: ShortestPath };
    problem.begin(from, memory, observer);
    let Progress::Reached(goal) = problem.advance(memory, budget, observer) else { return None };
    memory.path_into(window, goal, path);
    Some(memory.labels().g(window.index(goal)))
}
