//! Ways inside a cluster: looked up, or searched.

use super::Local;
use super::tables::{UNREACHABLE, Ways};
use crate::base::{Cell, Cost, Direction, Rect, Run, Trail, euclidean};
use crate::graph::{Graph, Plane, UniformGrid, WeightedGrid, Window};
use crate::grid::Grid;
use crate::search::{
    BucketQueue, EuclideanTarget, Everything, GridTarget, LazyTheta, LimitedQueue, Memory, Observer,
    OpenList, Problem, Rule, SearchStatus, ShortestPath, Target, Theta, WideQueue,
};

/// One that follows a way.
#[derive(Clone, Copy)]
struct Walker {
    /// Its cell in the cluster, and on the map.
    offset: usize,
    place: usize,
    /// The weight of its cell.
    weight: u64,
    /// Sums of the weights of both cells of its straight and its diagonal steps.
    halves: [u64; 2],
}

/// How far each step leads where rows have this length: steps by the number of their direction,
/// others not at all.
fn strides(width: u32) -> [isize; 16] {
    let mut strides = [0; 16];
    for (stride, direction) in strides.iter_mut().zip(Direction::ALL) {
        let (dx, dy) = direction.delta();
        *stride = isize::from(dy) * width as isize + isize::from(dx);
    }
    strides
}

impl Ways<'_> {
    /// Costs of the ways from a cell of a cluster to some of its nodes, or [`UNREACHABLE`].
    ///
    /// The ways are followed side by side: each step has to wait for the one before, and the
    /// processor does those of the other ways meanwhile.
    pub(super) fn walk_costs<const N: usize>(
        &self,
        grid: &Grid,
        area: Rect,
        from: Cell,
        nodes: [(usize, Cell); N],
    ) -> [u64; N] {
        let halves = match grid.weights_by_row() {
            None => self.count_halves(area, from, (0, 0), nodes, |_| 1),
            Some(weights) => {
                let begin = (grid.index(from), grid.width() as u32);
                self.count_halves(area, from, begin, nodes, |place| {
                    weights.get(place).map_or(1, |&w| w.into())
                })
            }
        };
        let cost = grid.rules().diagonal_cost;
        halves.map(|halves| {
            halves.map_or(UNREACHABLE, |[straight, diagonal]| {
                straight * (cost.straight().units() / 2) + diagonal * (cost.diagonal().units() / 2)
            })
        })
    }

    /// Adds up the weights of both cells of each straight and each diagonal step on the ways from a
    /// cell to nodes. `begin` is the place of the cell in what `weight` looks at, and the length of
    /// a row there. Gives up after as many steps as the cluster has cells: a forged record may
    /// lead round in circles.
    #[inline]
    fn count_halves<const N: usize>(
        &self,
        area: Rect,
        from: Cell,
        begin: (usize, u32),
        nodes: [(usize, Cell); N],
        weight: impl Fn(usize) -> u64,
    ) -> [Option<[u64; 2]>; N] {
        let start = area.offset(from);
        let [inside, outside] = [area.width(), begin.1].map(strides);
        let mut lanes =
            [Walker { offset: start, place: begin.0, weight: weight(begin.0), halves: [0; 2] }; N];
        for _ in 0..=area.cell_count() {
            let mut is_walking = false;
            for (walker, (local, _)) in lanes.iter_mut().zip(nodes) {
                let step = usize::from(self.step(local, walker.offset) & 15);
                walker.offset = walker.offset.wrapping_add_signed(inside[step]);
                walker.place = walker.place.wrapping_add_signed(outside[step]);
                let weight = weight(walker.place);
                let both = std::mem::replace(&mut walker.weight, weight) + weight;
                // Straight directions come first, then diagonal ones; the rest stay where they are.
                walker.halves[0] += if step < 4 { both } else { 0 };
                walker.halves[1] += if step / 4 == 1 { both } else { 0 };
                is_walking |= step < 8;
            }
            if !is_walking {
                break;
            }
        }
        std::array::from_fn(|at| (lanes[at].offset == area.offset(nodes[at].1)).then_some(lanes[at].halves))
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

/// How far a search for a path goes before it gives up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// Nodes that it may expand.
    pub(super) budget: u64,
    /// The largest cost of a path worth finding. Any-angle searches ignore it: they may find
    /// a path that is shorter than it looked on the way.
    pub(super) limit: Cost,
}

impl Reach {
    /// Until a path is found, or there is none.
    pub(super) const FULL: Self = Self { budget: u64::MAX, limit: Cost::MAX };
}

/// Working memory for searches inside a rectangle of cells.
#[derive(Debug, Default)]
pub(crate) struct LocalSearch {
    ring: Memory<BucketQueue>,
    limited_ring: Memory<LimitedQueue<BucketQueue>>,
    limited_heap: Memory<LimitedQueue>,
    flood: Memory<WideQueue>,
    path: Vec<Cell>,
}

impl LocalSearch {
    /// Appends the costs from a cell to each of `to`, inside `area`.
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
            distances_in(&window, from, to, &mut self.flood, costs, observer);
        }
    }

    /// A shortest path inside `area`, and its cost. `None` if there is none within
    /// `reach`.
    pub(super) fn path(
        &mut self,
        grid: &Grid,
        area: Rect,
        (from, to): (Cell, Cell),
        Reach { budget, limit }: Reach,
        observer: &mut impl Observer<Cell>,
    ) -> Option<(Cost, &[Cell])> {
        let Self { limited_ring: ring, limited_heap: heap, path, .. } = self;
        ring.open_mut().limit = limit;
        heap.open_mut().limit = limit;
        let target = GridTarget::new(to, grid.rules());
        let rule = ShortestPath;
        let cost = if grid.is_uniform_in(area) {
            let graph = &Window::new(UniformGrid(grid), area);
            path_in(&Problem { graph, target, rule }, from, budget, ring, path, observer)
        } else {
            let graph = &Window::new(WeightedGrid(grid), area);
            path_in(&Problem { graph, target, rule }, from, budget, heap, path, observer)
        };
        Some((cost?, path))
    }

    /// Appends the any-angle costs from a cell to each of `to`, inside a window.
    /// Cells in sight need no search; if any is hidden, one search covers all.
    pub(super) fn bent_distances(
        &mut self,
        window: &Window<UniformGrid<'_>>,
        local: Local,
        from: Cell,
        to: impl Iterator<Item = Cell> + Clone,
        costs: &mut Vec<u64>,
        observer: &mut impl Observer<Cell>,
    ) {
        let hidden = |cell: &Cell| !window.grid().line_of_sight(from, *cell);
        let any_hidden = to.clone().any(|cell| hidden(&cell));
        if any_hidden {
            flood_bent(window, local, from, &mut self.ring, observer);
        }
        costs.extend(to.map(|cell| {
            if hidden(&cell) {
                self.ring.tree().cost(window.index(cell)).map_or(UNREACHABLE, Cost::units)
            } else {
                euclidean(from, cell).units()
            }
        }));
    }

    /// An any-angle path inside `area`, and its cost. `None` if there is none within
    /// `reach`.
    pub(super) fn bent_path(
        &mut self,
        grid: &Grid,
        local: Local,
        area: Rect,
        (from, to): (Cell, Cell),
        Reach { budget, .. }: Reach,
        observer: &mut impl Observer<Cell>,
    ) -> Option<(Cost, &[Cell])> {
        let Self { ring, path, .. } = self;
        let graph = &Window::new(UniformGrid(grid), area);
        let target = EuclideanTarget(to);
        let cost = if local == Local::LazyTheta {
            path_in(&Problem { graph, target, rule: LazyTheta(graph) }, from, budget, ring, path, observer)
        } else {
            path_in(&Problem { graph, target, rule: Theta(graph) }, from, budget, ring, path, observer)
        };
        Some((cost?, path))
    }
}

/// Searches any-angle ways from a cell to all others of a window.
pub(super) fn flood_bent(
    window: &Window<UniformGrid<'_>>,
    local: Local,
    from: Cell,
    memory: &mut Memory<BucketQueue>,
    observer: &mut impl Observer<Cell>,
) {
    let (graph, target) = (window, Everything);
    if local == Local::LazyTheta {
        flood(&Problem { graph, target, rule: LazyTheta(graph) }, from, memory, observer);
    } else {
        flood(&Problem { graph, target, rule: Theta(graph) }, from, memory, observer);
    }
}

fn flood<G: Graph<Node = Cell>, R: Rule<G>, Q: OpenList>(
    problem: &Problem<'_, G, Everything, R>,
    from: Cell,
    memory: &mut Memory<Q>,
    observer: &mut impl Observer<Cell>,
) {
    problem.begin(from, memory, observer);
    problem.advance(memory, u64::MAX, observer);
}

fn distances_in<G: Graph<Node = Cell>, Q: OpenList>(
    window: &Window<G>,
    from: Cell,
    to: impl Iterator<Item = Cell>,
    memory: &mut Memory<Q>,
    costs: &mut Vec<u64>,
    observer: &mut impl Observer<Cell>,
) {
    flood(&Problem { graph: window, target: Everything, rule: ShortestPath }, from, memory, observer);
    costs.extend(to.map(|cell| memory.cost(window.index(cell)).map_or(UNREACHABLE, Cost::units)));
}

fn path_in<G: Graph<Node = Cell>, T: Target<Cell>, R: Rule<G>, Q: OpenList>(
    problem: &Problem<'_, G, T, R>,
    from: Cell,
    budget: u64,
    memory: &mut Memory<Q>,
    path: &mut Vec<Cell>,
    observer: &mut impl Observer<Cell>,
) -> Option<Cost> {
    problem.begin(from, memory, observer);
    let SearchStatus::Reached(goal) = problem.advance(memory, budget, observer) else { return None };
    memory.path_into(problem.graph, goal, path);
    Some(memory.tree().g(problem.graph.index(goal)))
}
