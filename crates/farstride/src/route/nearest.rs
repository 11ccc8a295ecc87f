//! One start and many goals.

use super::lookup::Lookup;
use super::{Detail, Planner, Query, Scratch};
use crate::base::{Cell, Cost, Node, euclidean};
use crate::graph::{Graph, UniformGrid, WeightedGrid};
use crate::grid::Grid;
use crate::index::{Engine, Index};
use crate::overlay::Overlay;
use crate::search::{Memory, Observer, OpenList, Problem, SearchStatus, Target};

/// Up to this many goals are asked for one by one: far ones are found sooner so than by
/// a search in all directions.
const FEW_GOALS: usize = 16;

/// The position of the goal that costs least to reach, the first of equals; `None`
/// if none can be reached.
pub(super) fn nearest(
    planner: &Planner,
    start: Cell,
    goals: &[Cell],
    scratch: &mut Scratch,
) -> Option<usize> {
    if goals.len() > FEW_GOALS && !looks_up(planner) && !planner.engine().is_any_angle() {
        nearest_around(&planner.grid, start, goals, scratch)
    } else {
        nearest_by_queries(planner, start, goals, scratch)
    }
}

/// Whether costs of grid paths are looked up and not searched for.
pub(crate) fn looks_up(planner: &Planner) -> bool {
    let labels = planner.current_index().and_then(Index::labels);
    labels.is_some_and(|labels| labels.costs(&planner.grid).is_some())
}

/// Asks for goal after goal, in the order of their distances on an empty map.
fn nearest_by_queries(
    planner: &Planner,
    start: Cell,
    goals: &[Cell],
    scratch: &mut Scratch,
) -> Option<usize> {
    let mut order = std::mem::take(&mut scratch.order);
    order.clear();
    order.extend(goals.iter().enumerate().map(|(at, &goal)| (bound(planner, start, goal), at)));
    order.sort_unstable();
    // Most goals are never tried.
    let mut from = CostsFrom::new(planner, start, 1, scratch);
    let mut best = None;
    for &(bound, at) in &order {
        if best.is_some_and(|best| best < (bound, at)) {
            break;
        }
        if let Some(cost) = from.cost(goals[at])
            && best.is_none_or(|best| (cost, at) < best)
        {
            best = Some((cost, at));
        }
    }
    scratch.order = order;
    best.map(|(_, at)| at)
}

/// Searches in all directions until a goal is met.
fn nearest_around(grid: &Grid, start: Cell, goals: &[Cell], scratch: &mut Scratch) -> Option<usize> {
    scratch.paused = None;
    if !grid.is_free(start) {
        return None;
    }
    let Scratch { ring, heap, marks, path, .. } = scratch;
    let any = AnyOf::mark(grid, goals.iter().copied(), marks);
    let from = [(Cost::ZERO, start)];
    if grid.is_uniform() {
        any.meet(&UniformGrid(grid), from, Cost::MAX, ring, path);
    } else {
        any.meet(&WeightedGrid(grid), from, Cost::MAX, heap, path);
    }
    any.unmark(goals.iter().copied());
    goals.iter().position(|goal| path.contains(goal))
}

/// Notes how far a search has come.
pub(crate) struct Reach(pub(crate) Cost);

impl<N: Node> Observer<N> for Reach {
    fn expanded(&mut self, _: N, g: Cost) {
        self.0 = g;
    }
}

/// Any of some goals, each of which has its bit set.
pub(crate) struct AnyOf<'m> {
    grid: &'m Grid,
    marks: &'m mut Vec<u64>,
}

impl<'m> AnyOf<'m> {
    /// Expansions between two looks how far a search has come.
    const SLICE: u64 = 64;
    /// Open lists return nodes in the order of their costs, give or take this much: less
    /// than a step.
    const SLACK: Cost = Cost::from_units(4096);

    /// Sets the bits of the goals; none must be set.
    pub(crate) fn mark(grid: &'m Grid, goals: impl Iterator<Item = Cell>, marks: &'m mut Vec<u64>) -> Self {
        marks.resize(marks.len().max((grid.width() * grid.height()).div_ceil(64)), 0);
        goals.map(|goal| grid.index(goal)).for_each(|at| marks[at / 64] |= 1 << (at % 64));
        Self { grid, marks }
    }

    /// Takes the bits back.
    pub(crate) fn unmark(self, goals: impl Iterator<Item = Cell>) {
        goals.map(|goal| self.grid.index(goal)).for_each(|at| self.marks[at / 64] &= !(1 << (at % 64)));
    }

    /// Searches in all directions from cells that have a cost already, the cheapest first, until
    /// nothing as cheap as the nearest goal is left. Writes all goals that cost as little, and
    /// returns what they cost; `None` if that is more than `most`.
    pub(crate) fn meet<G: Graph<Node = Cell>, Q: OpenList>(
        &self,
        graph: &G,
        from: impl IntoIterator<Item = (Cost, Cell)>,
        most: Cost,
        memory: &mut Memory<Q>,
        met: &mut Vec<Cell>,
    ) -> Option<Cost> {
        met.clear();
        let problem = Problem::new(graph, self);
        problem.begin_with(from, memory);
        let mut least = most;
        let mut reach = Reach(Cost::ZERO);
        while reach.0 <= least + Self::SLACK {
            match problem.advance(memory, Self::SLICE, &mut reach) {
                SearchStatus::Paused => {}
                SearchStatus::Reached(goal) => {
                    if reach.0 < least {
                        least = reach.0;
                        met.clear();
                    }
                    if reach.0 == least {
                        met.push(goal);
                    }
                }
                SearchStatus::Exhausted | SearchStatus::CostOverflow => break,
            }
        }
        (!met.is_empty()).then_some(least)
    }
}

impl Target<Cell> for &AnyOf<'_> {
    #[inline]
    fn is_reached(&self, cell: Cell) -> bool {
        let index = self.grid.index(cell);
        self.marks[index / 64] >> (index % 64) & 1 != 0
    }

    #[inline]
    fn estimate(&self, _: Cell) -> Cost {
        Cost::ZERO
    }
}

/// A lower bound on the cost between two cells.
fn bound(planner: &Planner, start: Cell, goal: Cell) -> Cost {
    if planner.engine() == Engine::Straight {
        // Its costs are sums of a few numbers, each rounded to the nearest unit.
        euclidean(start, goal).less(Cost::from_units(8))
    } else if planner.engine().is_any_angle() {
        euclidean(start, goal)
    } else {
        planner.grid.rules().distance(start, goal)
    }
}

/// The cost of a query between two cells of the map.
fn query_cost(planner: &Planner, start: Cell, goal: Cell, scratch: &mut Scratch) -> Option<Cost> {
    let query = Query::new(start, goal).with_detail(Detail::Cost);
    planner.find(query, scratch).ok()?.cost()
}

/// Costs from one start. With labels, the label of the start is spread out once for
/// all goals; with an overlay and many goals, one search serves all of them.
pub(crate) struct CostsFrom<'p, 's> {
    planner: &'p Planner,
    start: Cell,
    scratch: &'s mut Scratch,
    /// The labels, if the label of the start is in the scratch.
    labels: Option<Lookup<'p>>,
    /// The overlay, if a search from the start is in the scratch.
    overlay: Option<&'p Overlay>,
}

impl<'p, 's> CostsFrom<'p, 's> {
    /// Costs from `start`, for about as many goals.
    pub(crate) fn new(planner: &'p Planner, start: Cell, goals: usize, scratch: &'s mut Scratch) -> Self {
        scratch.paused = None;
        let labels = Lookup::of(planner)
            .filter(|labels| labels.fan_out(start, scratch.fan.get_or_insert_default()).is_ok());
        let overlay = planner.current_index().and_then(Index::overlay);
        let overlay =
            overlay.filter(|overlay| overlay.is_worth_spreading(goals) && planner.grid.is_free(start));
        if let Some(overlay) = overlay {
            overlay.spread(&planner.grid, start, &mut scratch.overlay);
        }
        Self { planner, start, scratch, labels, overlay }
    }

    /// The cost to a goal on the map; `None` if there is no path.
    #[inline]
    pub(crate) fn cost(&mut self, goal: Cell) -> Option<Cost> {
        if let Some(labels) = self.labels
            && let Some(fan) = &mut self.scratch.fan
            && let Ok(cost) = labels.cost(fan, goal)
        {
            return cost;
        }
        if let Some(overlay) = self.overlay {
            let grid = &self.planner.grid;
            let is_joined = grid.is_connected(self.start, goal);
            return is_joined.then(|| overlay.cost_to(grid, goal, &mut self.scratch.overlay)).flatten();
        }
        query_cost(self.planner, self.start, goal, self.scratch)
    }
}
