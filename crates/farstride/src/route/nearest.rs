//! One start and many goals.

use super::{Detail, Planner, Query, Scratch};
use crate::base::{Cell, Cost, euclidean};
use crate::graph::{Graph, UniformGrid, WeightedGrid};
use crate::grid::Grid;
use crate::index::{Engine, Index};
use crate::labels::Costs;
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
    let labels = planner.current_index().and_then(Index::labels);
    let looks_up = labels.is_some_and(|labels| labels.costs(&planner.grid).is_some());
    if goals.len() > FEW_GOALS && !looks_up && !planner.engine().is_any_angle() {
        nearest_around(&planner.grid, start, goals, scratch)
    } else {
        nearest_by_queries(planner, start, goals, scratch)
    }
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
    marks.resize(marks.len().max((grid.width() * grid.height()).div_ceil(64)), 0);
    let bit = |goal: Cell| (grid.index(goal) / 64, 1 << (grid.index(goal) % 64));
    goals.iter().map(|&goal| bit(goal)).for_each(|(word, bit)| marks[word] |= bit);
    let any = AnyOf { grid, marks };
    if grid.is_uniform() {
        meet(&Problem::new(&UniformGrid(grid), any), start, ring, path);
    } else {
        meet(&Problem::new(&WeightedGrid(grid), any), start, heap, path);
    }
    goals.iter().map(|&goal| bit(goal)).for_each(|(word, bit)| marks[word] &= !bit);
    goals.iter().position(|goal| path.contains(goal))
}

/// Writes the goals that cost least to reach.
fn meet<G: Graph<Node = Cell>, Q: OpenList>(
    problem: &Problem<'_, G, AnyOf<'_>>,
    start: Cell,
    memory: &mut Memory<Q>,
    met: &mut Vec<Cell>,
) {
    met.clear();
    problem.begin(start, memory, &mut ());
    let mut status = problem.advance(memory, u64::MAX, &mut ());
    let mut least = None;
    while let SearchStatus::Reached(_) | SearchStatus::Paused = status {
        let mut at = Reach(Cost::ZERO);
        if let SearchStatus::Reached(goal) = status {
            let cost = memory.cost(problem.graph.index(goal));
            if *least.get_or_insert(cost) == cost {
                met.push(goal);
            }
        }
        // Others that cost the same come next; then the search is done.
        status = problem.advance(memory, 1, &mut at);
        if least.is_some_and(|least| least < Some(at.0)) {
            break;
        }
    }
}

/// Notes how far a search has come.
struct Reach(Cost);

impl Observer<Cell> for Reach {
    fn expanded(&mut self, _: Cell, g: Cost) {
        self.0 = g;
    }
}

/// Any of the goals whose bits are set.
struct AnyOf<'m> {
    grid: &'m Grid,
    marks: &'m [u64],
}

impl Target<Cell> for AnyOf<'_> {
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
    labels: Option<Costs<'p>>,
    /// The overlay, if a search from the start is in the scratch.
    overlay: Option<&'p Overlay>,
}

impl<'p, 's> CostsFrom<'p, 's> {
    /// Costs from `start`, for about as many goals.
    pub(crate) fn new(planner: &'p Planner, start: Cell, goals: usize, scratch: &'s mut Scratch) -> Self {
        scratch.paused = None;
        let labels = planner.current_index().and_then(Index::labels);
        let labels = labels.and_then(|labels| labels.costs(&planner.grid));
        let labels =
            labels.filter(|labels| labels.fan_out(start, scratch.fan.get_or_insert_default()).is_ok());
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
