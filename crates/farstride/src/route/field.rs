//! Orders to many units: one search from the goal serves all of them.

use super::many::on_threads;
use super::{Outcome, Plan, Planned, Planner, Query, QueryError, Scratch, Step};
use crate::base::crew::{MOST_THREADS, split};
use crate::base::{Cell, Cost, Node};
use crate::graph::{UniformGrid, WeightedGrid};
use crate::grid::{Grid, Revision};
use crate::hpa::{Hierarchy, KeepWays};
use crate::index::{Engine, Index};
use crate::search::{Memory, Problem, SearchStatus, WideQueue};
use std::borrow::BorrowMut;
use std::sync::{Mutex, PoisonError};

/// Plans whose steps a thread takes at a time: most steps take no time, some a search.
const BATCH: usize = 32;
/// Expansions between two looks whether a search has come far enough.
const SLICE: u64 = 1024;
/// With at least one plan for so many cells of the map, one search in all directions replaces the plans.
/// With `hpa` and two threads on 512² maps, both took the same time at a plan for 580 cells (roads) and 950
/// (noise).
const CELLS_PER_PLAN: usize = 512;

/// The same for one search of the first level of a hierarchy.
const CELLS_PER_SPREAD: usize = 4096;

/// One search from a goal, or from several, for any number of units: the cost to the nearest
/// goal, the next step, or the whole path, from any cell.
///
/// The search goes only as far as the farthest cell that was asked about, and goes on from
/// there if need be. After an edit of the map it begins again at the next question; units that
/// should keep their way while the map changes elsewhere take plans
/// ([`Planner::plan_group`]).
///
/// # Guarantee
/// Paths are shortest, whatever the engine of the planner. Answers depend on the map and the
/// goals alone, not on what was asked before.
///
/// # Example
/// ```
/// use farstride::{Cell, Field, Grid, Planner};
///
/// let planner = Planner::new(Grid::from_ascii("
///     ....#.
///     .##.#.
///     ......
/// ")?);
/// // Any cell beside the mine at the upper right.
/// let mut field = Field::new(&planner, &[Cell::new(5, 1), Cell::new(4, 2)])?;
/// let mut unit = Cell::new(0, 0);
/// let mut steps = 0;
/// while let Some(next) = field.next(&planner, unit)? {
///     unit = next;
///     steps += 1;
/// }
/// assert_eq!((unit, steps), (Cell::new(4, 2), 6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Field {
    goals: Vec<Cell>,
    memory: Memory<WideQueue>,
    /// The state of the map that the search belongs to.
    revision: Revision,
}

impl Field {
    /// A field around some goals on the map of a planner. Goals that are blocked are left out.
    ///
    /// # Errors
    /// As [`Planner::find`], for the first goal off the map.
    pub fn new(planner: &Planner, goals: &[Cell]) -> Result<Self, QueryError> {
        planner.check_cells(goals)?;
        let mut field =
            Self { goals: goals.to_vec(), memory: Memory::default(), revision: planner.grid().revision() };
        field.begin(planner.grid());
        Ok(field)
    }

    /// The goals.
    pub fn goals(&self) -> &[Cell] {
        &self.goals
    }

    /// The cost from a cell to the nearest goal; `None` if it is blocked or no goal can be
    /// reached.
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn cost(&mut self, planner: &Planner, from: Cell) -> Result<Option<Cost>, QueryError> {
        Ok(self.seek(planner, from)?.then(|| self.memory.tree().g(planner.grid().index(from))))
    }

    /// The next cell on a shortest path to the nearest goal; `None` at a goal, if `from` is
    /// blocked, or if no goal can be reached.
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn next(&mut self, planner: &Planner, from: Cell) -> Result<Option<Cell>, QueryError> {
        let is_found = self.seek(planner, from)?;
        Ok(is_found.then(|| self.parent(planner.grid(), from)).filter(|&next| next != from))
    }

    /// Writes a shortest path to the nearest goal, both ends included, and returns its cost;
    /// `None`, and an empty path, if `from` is blocked or no goal can be reached.
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn path_into(
        &mut self,
        planner: &Planner,
        from: Cell,
        path: &mut Vec<Cell>,
    ) -> Result<Option<Cost>, QueryError> {
        path.clear();
        let cost = self.cost(planner, from)?;
        if cost.is_some() {
            path.push(from);
            path.extend(self.onwards(planner.grid(), from));
        }
        Ok(cost)
    }

    fn begin(&mut self, grid: &Grid) {
        let free = self.goals.iter().copied().filter(|&goal| grid.is_free(goal));
        Problem::everywhere(&WeightedGrid(grid)).begin_at(free, &mut self.memory);
    }

    /// Searches until a cell is settled; returns whether it is reached.
    fn seek(&mut self, planner: &Planner, from: Cell) -> Result<bool, QueryError> {
        planner.check_cells(&[from])?;
        let grid = planner.grid();
        if self.revision != grid.revision() {
            self.revision = grid.revision();
            self.begin(grid);
        }
        // Regions know what cannot be reached; searching would look at all of the rest.
        let is_joined = |&goal: &Cell| grid.is_connected(from, goal);
        if !grid.is_free(from) || !self.goals.iter().any(is_joined) {
            return Ok(false);
        }
        let index = grid.index(from);
        while !self.memory.tree().is_closed(index) {
            let status = if grid.is_uniform() {
                Problem::everywhere(&UniformGrid(grid)).advance(&mut self.memory, SLICE, &mut ())
            } else {
                Problem::everywhere(&WeightedGrid(grid)).advance(&mut self.memory, SLICE, &mut ())
            };
            if status != SearchStatus::Paused {
                break;
            }
        }
        Ok(self.memory.tree().is_closed(index))
    }

    fn parent(&self, grid: &Grid, cell: Cell) -> Cell {
        Cell::unpack(self.memory.tree().parent(grid.index(cell)))
    }

    /// The cells of a path to the nearest goal, without the first, which must be settled.
    fn onwards<'f>(&'f self, grid: &'f Grid, from: Cell) -> impl Iterator<Item = Cell> + 'f {
        let next = move |&cell: &Cell| Some(self.parent(grid, cell)).filter(|&next| next != cell);
        std::iter::successors(next(&from), next)
    }
}

impl Planner {
    /// Makes many plans on several threads; in the order of the queries.
    ///
    /// # Guarantee
    /// The plans are those of [`Planner::plan`], with any number of threads.
    ///
    /// # Errors
    /// As [`Planner::find`], for the first query that fails.
    pub fn plan_many(&self, queries: &[Query], threads: usize) -> Result<Vec<Planned>, QueryError> {
        let plan = |query: &Query, scratch: &mut Scratch| self.plan(*query, scratch);
        on_threads(queries, threads, plan)
    }

    /// Takes a step of each plan, as [`Plan::step`] does, on up to as many threads as scratches,
    /// 32 plans at a time; in the order of the plans, which may be borrowed: `&mut Plan`. Keep the
    /// scratches for the next tick.
    ///
    /// # Guarantee
    /// The steps are those of [`Plan::step`], with any number of scratches.
    ///
    /// # Errors
    /// As [`Plan::step`], for the first plan that fails; others have taken their step.
    ///
    /// # Panics
    /// If there are plans and no scratch.
    ///
    /// # Example
    /// ```
    /// use farstride::{Engine, Grid, Plan, Planned, Planner, Query, Scratch, Step};
    ///
    /// let planner = Planner::with_engine(Grid::empty(100, 100)?, Engine::Hpa)?;
    /// let queries: Vec<Query> = (0..50).map(|x| Query::new((x, 0), (90 - x, 95))).collect();
    /// let planned = planner.plan_many(&queries, 2)?.into_iter();
    /// let mut plans: Vec<Plan> =
    ///     planned.filter_map(|planned| if let Planned::Plan(plan) = planned { Some(plan) } else { None }).collect();
    /// let mut scratches = [Scratch::new(), Scratch::new()];
    /// let steps = planner.step_many(&mut plans, &mut scratches)?;
    /// assert!(steps.len() == 50 && steps.iter().all(|step| matches!(step, Step::To(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step_many<P: BorrowMut<Plan> + Send>(
        &self,
        plans: &mut [P],
        scratches: &mut [Scratch],
    ) -> Result<Vec<Step>, QueryError> {
        assert!(plans.is_empty() || !scratches.is_empty(), "plans take their steps with a scratch");
        let threads = plans.len().div_ceil(BATCH).min(scratches.len()).min(MOST_THREADS);
        let batches = Mutex::new(plans.chunks_mut(BATCH).enumerate());
        let next = || batches.lock().unwrap_or_else(PoisonError::into_inner).next();
        let done = split(scratches[..threads].iter_mut(), |scratch| {
            let step = |(at, plans): (usize, &mut [P])| {
                (at, plans.iter_mut().map(|plan| plan.borrow_mut().step(self, scratch)).collect::<Vec<_>>())
            };
            std::iter::from_fn(next).map(step).collect::<Vec<_>>()
        });
        let mut done: Vec<_> = done.into_iter().flatten().collect();
        done.sort_unstable_by_key(|&(at, _)| at);
        done.into_iter().flat_map(|(_, steps)| steps).collect()
    }

    /// Makes plans for many units that go to one goal; in the order of the starts.
    ///
    /// If there are many of them, one search from the goal serves all: with `hpa` a search of the
    /// first level of the hierarchy, whose plans are refined as they are walked, if it keeps all
    /// ways ([`KeepWays::All`]); with other engines that search cells one of all cells, whose plans are shortest paths. Few are planned one by
    /// one, and so are all with `labels` and at any angle. Either way each plan is
    /// walked and follows edits on its own. For shortest paths with `hpa`, take a [`Field`].
    ///
    /// # Guarantee
    /// Which way is taken depends on the engine and its index, the size of the map and the number of
    /// units, not on the number of threads.
    ///
    /// # Errors
    /// As [`Planner::find`], for the goal or the first start off the map.
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Engine, Grid, Planned, Planner};
    ///
    /// let planner = Planner::with_engine(Grid::empty(100, 100)?, Engine::Hpa)?;
    /// let units: Vec<Cell> = (0..200).map(|at| Cell::new(at % 100, at / 100)).collect();
    /// let plans = planner.plan_group(&units, Cell::new(50, 90), 2)?;
    /// assert!(plans.iter().all(|plan| matches!(plan, Planned::Plan(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan_group(
        &self,
        starts: &[Cell],
        goal: Cell,
        threads: usize,
    ) -> Result<Vec<Planned>, QueryError> {
        self.check_cells([&goal].into_iter().chain(starts))?;
        let query = |&start: &Cell| Query::new(start, goal);
        let spread = if self.is_worth_a_spread(starts.len()) { Plan::spread(self, goal) } else { None };
        if let Some(spread) = spread {
            return on_threads(starts, threads, |start, scratch| {
                match Plan::on_spread(self, &spread, query(start), scratch) {
                    Some(plan) => Ok(Planned::Plan(plan)),
                    None => self.plan(query(start), scratch),
                }
            });
        }
        if !self.is_worth_a_field(starts.len()) {
            return on_threads(starts, threads, |start, scratch| self.plan(query(start), scratch));
        }
        let mut field = Field::new(self, &[goal])?;
        for &start in starts {
            field.seek(self, start)?;
        }
        let plan = |start: &Cell, (): &mut ()| Ok(self.plan_on(&field, query(start)));
        on_threads(starts, threads, plan)
    }

    /// Whether [`Planner::plan_group`] makes one search serve this many units.
    pub fn shares_search(&self, units: usize) -> bool {
        self.is_worth_a_spread(units) || self.is_worth_a_field(units)
    }

    /// Whether one search of the first level of a hierarchy is faster than as many plans.
    fn is_worth_a_spread(&self, plans: usize) -> bool {
        let cells = self.grid().width() * self.grid().height();
        let hierarchy = self.current_index().and_then(Index::hierarchy);
        let keeps_ways = |hierarchy: &Hierarchy| hierarchy.settings().keep_ways == KeepWays::All;
        self.engine() == Engine::Hpa && plans > cells / CELLS_PER_SPREAD && hierarchy.is_some_and(keeps_ways)
    }

    /// Whether one search from the goal is faster than as many plans.
    fn is_worth_a_field(&self, plans: usize) -> bool {
        let looks_up = self.current_index().and_then(Index::labels).is_some();
        let cells = self.grid().width() * self.grid().height();
        let few = match self.engine() {
            Engine::Astar | Engine::Dijkstra => 1,
            _ => cells / CELLS_PER_PLAN,
        };
        !looks_up && !self.engine().is_any_angle() && plans > few
    }

    /// The plan of a query to the goal of a field that has settled its start.
    fn plan_on(&self, field: &Field, query: Query) -> Planned {
        match self.answer_at_once(query) {
            Some(Outcome::AlreadyThere) => Planned::AlreadyThere,
            Some(Outcome::StartBlocked) => Planned::StartBlocked,
            Some(Outcome::GoalBlocked) => Planned::GoalBlocked,
            Some(_) => Planned::Unreachable,
            None => {
                let cost = field.memory.tree().g(self.grid().index(query.start));
                Planned::Plan(Plan::along(self, query, cost, field.onwards(self.grid(), query.start)))
            }
        }
    }
}
