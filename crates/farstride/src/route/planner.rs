//! One map, one call.

use super::answer::Run;
use super::nearest::{CostsFrom, nearest};
use super::run::{Stage, run};
use super::{Outcome, OwnedRoute, Paused, Plan, Planned, Query, QueryError, ResumeError, Scratch};
use crate::base::crew::all_cores;
use crate::base::{BuildOptions, Cancelled, Cell, Cost};
use crate::grid::Grid;
use crate::groups::GroupTactics;
use crate::hpa::Tactics;
use crate::index::{BuildError, Engine, Index, IndexSettings, MapMismatch, Unsupported};
use crate::search::Observer;
use std::sync::Arc;

/// A map and an engine that finds paths on it.
///
/// # Choosing
/// - [`Planner::new`] picks the engine that suits the map; [`Planner::new_with`] shows
///   progress and can be cancelled.
/// - [`Planner::with_engine`] takes the engine of your choice with its default
///   settings.
/// - [`Planner::with_index`] takes an [`Index`] that you built with settings of your
///   own, or opened from a file.
///
/// # Asking
/// - [`path`](Planner::path) is the shortest call: a path or none.
/// - [`find`](Planner::find) tells why there is no path, takes a budget and a level
///   of detail, and allocates nothing once its [`Scratch`] has grown.
/// - [`plan`](Planner::plan) finds the first moves at once and refines the rest while
///   a unit walks.
/// - [`substitute`](Planner::substitute) turns a query without an answer into the nearest
///   one that has a path: for blocked cells and goals that cannot be reached.
/// - [`find_many`](Planner::find_many), [`cost_table`](Planner::cost_table) and
///   [`nearest`](Planner::nearest) answer many questions at a time.
///
/// Any number of threads may ask one planner; each brings its own [`Scratch`].
///
/// # Editing
/// [`edit`](Planner::edit) changes the map and brings the index up to date before it
/// returns. `hpa`, `hpt` and `groups` repair the neighbourhood of the change in about
/// a millisecond; subgoal engines take tens of milliseconds; `labels` is built anew,
/// which takes seconds: use [`Live`](super::Live), or another engine.
///
/// # Example
/// ```
/// use farstride::{Cell, Grid, Outcome, Planner, Query, Scratch};
///
/// let grid = Grid::from_ascii("
///     .....
///     .###.
///     .....
/// ")?;
/// let planner = Planner::new(grid);
/// let route = planner.path((0, 1), (4, 1)).expect("there is a way around the wall");
/// assert_eq!((route.length(), route.cells().len()), (6.0, 7));
///
/// let mut scratch = Scratch::new(); // reuse it: queries then allocate nothing
/// let query = Query::new((0, 1), (2, 1));
/// assert_eq!(planner.find(query, &mut scratch)?, Outcome::GoalBlocked);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Planner {
    pub(super) grid: Arc<Grid>,
    engine: Engine,
    /// How the engine was chosen, if not by the user.
    auto: Option<Choice>,
    /// The index of `grid`; outdated only after an edit that panicked.
    index: Option<Index>,
    pub(super) tactics: Tactics,
    pub(super) group_tactics: GroupTactics,
}

/// How an engine is chosen for a map.
type Choice = fn(&Grid) -> (Engine, &'static str);

/// Everything except the map that a paused search and a plan depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ResumeKey {
    pub(super) engine: Engine,
    settings: Option<IndexSettings>,
    tactics: Tactics,
    group_tactics: GroupTactics,
}

/// Expansions between two checks whether a search is still wanted: about a tenth
/// of a millisecond.
const SLICE: u64 = 2048;

impl Planner {
    /// A planner with the engine that suits the map ([`Engine::choose`]).
    ///
    /// # Cost
    /// On maps of uniform cost up to two million cells this builds `labels`: seconds
    /// on all cores and up to 50 MB for a map of 1024 × 1024 cells, milliseconds for
    /// one of 64 × 64. Larger maps get `nsg+` (up to seconds) or, like maps with
    /// terrain weights, `hpa` (a tenth of a second for a million cells). For a single
    /// query, [`Engine::Astar`] needs no preparation; to see progress or to cancel,
    /// use [`Planner::new_with`].
    ///
    /// # Edits
    /// At the first edit `labels` hands over to `nsg+`. If an edit brings terrain
    /// weights that the engine does not support, another one is chosen.
    pub fn new(grid: impl Into<Arc<Grid>>) -> Self {
        let built = Self::new_with(grid, &BuildOptions::new());
        built.unwrap_or_else(|Cancelled| unreachable!("nobody cancels"))
    }

    /// As [`Planner::new`], with threads, progress and cancelling of the build.
    ///
    /// # Errors
    /// [`Cancelled`] if the options say so.
    ///
    /// # Example
    /// ```
    /// use farstride::index::BuildOptions;
    /// use farstride::{Grid, Planner};
    ///
    /// let report = |done: usize, total: usize| println!("{done} of {total}");
    /// let options = BuildOptions::new().on_progress(&report);
    /// let planner = Planner::new_with(Grid::empty(60, 40)?, &options)?;
    /// assert!(planner.path((0, 0), (59, 39)).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new_with(grid: impl Into<Arc<Grid>>, options: &BuildOptions<'_>) -> Result<Self, Cancelled> {
        Self::choose_with(grid.into(), Engine::choose, options)
    }

    /// A planner whose paths are always the shortest, with the engine that suits the map
    /// ([`Engine::choose_shortest`]): on maps with terrain weights `overlay`, where
    /// [`Planner::new`] takes `hpa`, which is faster and not always optimal.
    ///
    /// # Cost
    /// As [`Planner::new`] without weights. With weights about a second on all cores
    /// and 20 to 40 MB for a million cells.
    ///
    /// # Edits
    /// As [`Planner::new`].
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Engine, Grid, Planner};
    ///
    /// let mut grid = Grid::empty(60, 40)?;
    /// grid.set_weight(Cell::new(30, 20), 9)?;
    /// assert_eq!(Planner::shortest(grid.clone()).engine(), Engine::Overlay);
    /// assert_eq!(Planner::new(grid).engine(), Engine::Hpa);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shortest(grid: impl Into<Arc<Grid>>) -> Self {
        let built = Self::shortest_with(grid, &BuildOptions::new());
        built.unwrap_or_else(|Cancelled| unreachable!("nobody cancels"))
    }

    /// As [`Planner::shortest`], with threads, progress and cancelling of the build.
    ///
    /// # Errors
    /// [`Cancelled`] if the options say so.
    pub fn shortest_with(grid: impl Into<Arc<Grid>>, options: &BuildOptions<'_>) -> Result<Self, Cancelled> {
        Self::choose_with(grid.into(), Engine::choose_shortest, options)
    }

    /// A planner whose paths have any angle, with the engine that suits the map
    /// ([`Engine::choose_any_angle`]): `straight` where its labels fit, else `hpt`; on maps with weights
    /// `hpa`, whose paths are grid paths.
    ///
    /// # Cost
    /// With `straight`, seconds on all cores and tens of megabytes for a million cells.
    ///
    /// # Edits
    /// As [`Planner::new`]: the first edit replaces `straight` by `hpt`.
    ///
    /// # Example
    /// ```
    /// use farstride::{Engine, Grid, Planner};
    ///
    /// let planner = Planner::any_angle(Grid::empty(60, 40)?);
    /// assert_eq!(planner.engine(), Engine::Straight);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn any_angle(grid: impl Into<Arc<Grid>>) -> Self {
        let built = Self::any_angle_with(grid, &BuildOptions::new());
        built.unwrap_or_else(|Cancelled| unreachable!("nobody cancels"))
    }

    /// As [`Planner::any_angle`], with threads, progress and cancelling of the build.
    ///
    /// # Errors
    /// [`Cancelled`] if the options say so.
    pub fn any_angle_with(grid: impl Into<Arc<Grid>>, options: &BuildOptions<'_>) -> Result<Self, Cancelled> {
        Self::choose_with(grid.into(), Engine::choose_any_angle, options)
    }

    fn choose_with(grid: Arc<Grid>, choice: Choice, options: &BuildOptions<'_>) -> Result<Self, Cancelled> {
        let (engine, _) = choice(&grid);
        Ok(Self { auto: Some(choice), ..Self::assemble(grid, engine, options)? })
    }

    /// A planner with the engine of your choice and its default settings.
    ///
    /// # Errors
    /// [`Unsupported`] if the engine cannot work on this map.
    pub fn with_engine(grid: impl Into<Arc<Grid>>, engine: Engine) -> Result<Self, Unsupported> {
        let grid = grid.into();
        engine.check(&grid)?;
        Ok(Self::assemble_all(grid, engine))
    }

    /// A planner that uses an index of the map; the engine is that of the index.
    ///
    /// # Errors
    /// [`MapMismatch`] if the index belongs to another map, or to this map before an
    /// edit.
    ///
    /// # Example
    /// ```
    /// use farstride::hpa::HpaSettings;
    /// use farstride::{Engine, Grid, Index, Planner};
    ///
    /// let grid = Grid::empty(100, 100)?;
    /// let index = Index::build(&grid, HpaSettings::paper(2))?;
    /// let planner = Planner::with_index(grid, index)?;
    /// assert_eq!(planner.engine(), Engine::Hpa);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_index(grid: impl Into<Arc<Grid>>, index: impl Into<Index>) -> Result<Self, MapMismatch> {
        let (grid, index) = (grid.into(), index.into());
        if !index.is_current(&grid) {
            return Err(MapMismatch);
        }
        Ok(Self::from_parts(grid, index.engine(), Some(index)))
    }

    /// A planner with an engine that supports the map.
    fn assemble(grid: Arc<Grid>, engine: Engine, options: &BuildOptions<'_>) -> Result<Self, Cancelled> {
        let index =
            match engine.default_settings().map(|settings| Index::build_with(&grid, settings, options)) {
                Some(Err(BuildError::Cancelled)) => return Err(Cancelled),
                Some(Err(error)) => unreachable!("default settings, and the map was checked: {error}"),
                Some(Ok(index)) => Some(index),
                None => None,
            };
        Ok(Self::from_parts(grid, engine, index))
    }

    /// The same on all cores, to the end.
    fn assemble_all(grid: Arc<Grid>, engine: Engine) -> Self {
        let built = Self::assemble(grid, engine, &BuildOptions::new());
        built.unwrap_or_else(|Cancelled| unreachable!("nobody cancels"))
    }

    fn from_parts(grid: Arc<Grid>, engine: Engine, index: Option<Index>) -> Self {
        let (tactics, group_tactics) = (Tactics::default(), GroupTactics::default());
        Self { grid, engine, auto: None, index, tactics, group_tactics }
    }

    /// The same planner with other tactics for `hpa` and `hpt` queries.
    #[must_use]
    pub const fn with_tactics(mut self, tactics: Tactics) -> Self {
        self.tactics = tactics;
        self
    }

    /// The same planner with other tactics for `groups` queries.
    #[must_use]
    pub const fn with_group_tactics(mut self, tactics: GroupTactics) -> Self {
        self.group_tactics = tactics;
        self
    }

    /// The map.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The map, to share it with another planner.
    pub(crate) fn shared_grid(&self) -> Arc<Grid> {
        Arc::clone(&self.grid)
    }

    /// The engine.
    pub const fn engine(&self) -> Engine {
        self.engine
    }

    /// The index, if the engine has one.
    #[inline]
    pub const fn index(&self) -> Option<&Index> {
        self.index.as_ref()
    }

    /// The index, unless it is outdated because an edit panicked.
    #[inline]
    pub(super) fn current_index(&self) -> Option<&Index> {
        self.index.as_ref().filter(|index| index.is_current(&self.grid))
    }

    /// What a paused search has to have in common with this planner.
    pub(super) fn resume_key(&self) -> ResumeKey {
        let Self { engine, tactics, group_tactics, .. } = *self;
        let settings = self.index.as_ref().map(Index::settings);
        ResumeKey { engine, settings, tactics, group_tactics }
    }

    /// Changes the map and brings the index up to date, on all cores if the engine is `hpa` and
    /// there is enough to do.
    ///
    /// If the map is shared with other planners, this one takes a copy first and
    /// theirs stays the same.
    pub fn edit<T>(&mut self, edit: impl FnOnce(&mut Grid) -> T) -> T {
        self.edit_on(all_cores(), edit)
    }

    /// As [`Planner::edit`], on up to this many threads.
    pub(crate) fn edit_on<T>(&mut self, threads: usize, edit: impl FnOnce(&mut Grid) -> T) -> T {
        let before = self.grid.revision();
        let result = edit(Arc::make_mut(&mut self.grid));
        match self.auto.filter(|_| self.grid.revision() != before) {
            Some(choice) if self.engine.check(&self.grid).is_err() => {
                let (engine, _) = choice(&self.grid);
                self.hand_over_to(engine.after_edits());
            }
            Some(_) if self.engine != self.engine.after_edits() => {
                self.hand_over_to(self.engine.after_edits());
            }
            _ => {
                if let Some(index) = &mut self.index {
                    index.catch_up(&self.grid, threads);
                }
            }
        }
        result
    }

    /// Restores the speed that edits have taken from the index. Answers do not change.
    ///
    /// Only `overlay` has use for it: edits make its landmarks less precise, and those that
    /// shorten many ways put some to rest ([`Overlay::resting_landmarks`]). This
    /// computes them anew. Call it when there is time, or in the background: refresh a
    /// clone on another thread, and take its place once no edit has come in between.
    ///
    /// [`Overlay::resting_landmarks`]: crate::overlay::Overlay::resting_landmarks
    pub fn refresh(&mut self) {
        if let Some(index) = &mut self.index {
            index.refresh();
        }
    }

    /// Goes on with another engine.
    fn hand_over_to(&mut self, engine: Engine) {
        let (auto, tactics, group_tactics) = (self.auto, self.tactics, self.group_tactics);
        let other = Self::assemble_all(Arc::clone(&self.grid), engine);
        *self = Self { auto, tactics, group_tactics, ..other };
    }

    /// Finds a path; `None` if there is none, for whatever reason.
    ///
    /// The simplest call. It allocates a [`Scratch`] and the path; for many queries,
    /// or to learn why there is no path, use [`Planner::find`].
    ///
    /// # Example
    /// ```
    /// use farstride::{Grid, Planner};
    ///
    /// let planner = Planner::new(Grid::empty(20, 10)?);
    /// let route = planner.path((0, 0), (19, 9)).expect("nothing is in the way");
    /// assert_eq!(route.cells().len(), 20);
    /// assert!(planner.path((0, 0), (20, 0)).is_none()); // off the map
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn path(&self, start: impl Into<Cell>, goal: impl Into<Cell>) -> Option<OwnedRoute> {
        let (start, goal) = (start.into(), goal.into());
        match self.find(Query::new(start, goal), &mut Scratch::new()).ok()? {
            Outcome::Found(route) => Some(route.to_owned()),
            Outcome::AlreadyThere => Some(OwnedRoute::of_cell(start)),
            Outcome::StartBlocked | Outcome::GoalBlocked | Outcome::Unreachable | Outcome::BudgetSpent(_) => {
                None
            }
        }
    }

    /// Finds a path.
    ///
    /// # Guarantee
    /// That of the engine; always legal. Deterministic: the same map and query give
    /// the same path on every platform and thread.
    ///
    /// # Allocation
    /// None once `scratch` has grown.
    ///
    /// # Errors
    /// [`QueryError`] if a cell is off the map, or if an edit brought terrain the
    /// engine does not support.
    pub fn find<'s>(&self, query: Query, scratch: &'s mut Scratch) -> Result<Outcome<'s>, QueryError> {
        self.find_observed(query, &mut (), scratch)
    }

    /// As [`Planner::find`], reporting every step of the search to `observer`.
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn find_observed<'s>(
        &self,
        query: Query,
        observer: &mut impl Observer<Cell>,
        scratch: &'s mut Scratch,
    ) -> Result<Outcome<'s>, QueryError> {
        self.check_query(query)?;
        scratch.paused = None;
        match self.answer_at_once(query) {
            Some(outcome) => Ok(outcome),
            None => Ok(self.search(query, Stage::Start, scratch, observer)),
        }
    }

    /// As [`Planner::find`], but pauses as soon as `wanted` returns `false`. It is
    /// called every few thousand expansions; the search ends as
    /// [`Outcome::BudgetSpent`] and can be resumed. The engine `labels` does not call
    /// it: see [`Query::budget`].
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn find_while<'s>(
        &self,
        query: Query,
        mut wanted: impl FnMut() -> bool,
        scratch: &'s mut Scratch,
    ) -> Result<Outcome<'s>, QueryError> {
        self.check_query(query)?;
        scratch.paused = None;
        if let Some(outcome) = self.answer_at_once(query) {
            return Ok(outcome);
        }
        let mut left = query.budget;
        let mut stage = Stage::Start;
        loop {
            let slice = left.min(SLICE);
            let came_to = run(self, query.with_budget(slice), stage, scratch, &mut ());
            left -= slice;
            stage = Stage::GoOn;
            if came_to != Run::Paused || left == 0 || !wanted() {
                return Ok(self.conclude(query, came_to, scratch));
            }
        }
    }

    /// Continues a paused search for up to `budget` more expansions. The path is the
    /// one an uninterrupted search finds.
    ///
    /// # Errors
    /// [`ResumeError`] if the search is no longer in `scratch`, if the map was edited
    /// since, or if the search was begun with another engine, settings or tactics.
    pub fn resume<'s>(
        &self,
        paused: &Paused,
        budget: u64,
        scratch: &'s mut Scratch,
    ) -> Result<Outcome<'s>, ResumeError> {
        self.resume_observed(paused, budget, &mut (), scratch)
    }

    /// As [`Planner::resume`], reporting every step of the search to `observer`.
    ///
    /// # Errors
    /// As [`Planner::resume`].
    pub fn resume_observed<'s>(
        &self,
        paused: &Paused,
        budget: u64,
        observer: &mut impl Observer<Cell>,
        scratch: &'s mut Scratch,
    ) -> Result<Outcome<'s>, ResumeError> {
        if scratch.paused != Some(paused.serial) {
            return Err(ResumeError::ScratchReused);
        }
        if paused.revision != self.grid.revision() {
            return Err(ResumeError::MapChanged);
        }
        if paused.key.engine != self.engine {
            return Err(ResumeError::OtherEngine { began: paused.key.engine, found: self.engine });
        }
        if paused.key != self.resume_key() {
            return Err(ResumeError::OtherSettings);
        }
        scratch.paused = None; // whatever comes of it, this pause is used up
        Ok(self.search(paused.query.with_budget(budget), Stage::GoOn, scratch, observer))
    }

    /// Makes a plan: a route that is refined while a unit walks it. The budget and the
    /// detail of the query are ignored.
    ///
    /// # Guarantee
    /// A plan is made exactly when there is a path.
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn plan(&self, query: Query, scratch: &mut Scratch) -> Result<Planned, QueryError> {
        Plan::make(self, query, scratch)
    }

    /// Finds the goal that costs least to reach, and the path to it: its position in
    /// the list and the outcome of a query for it, which is a path or
    /// [`Outcome::AlreadyThere`]. `None` if the start is blocked or no goal can be
    /// reached. The goal of the query is ignored: see [`Query::starting_at`].
    ///
    /// With `labels`, with any-angle engines, and for up to 16 goals, these are tried in the
    /// order of their distances on an empty map, until that distance exceeds the cost of the
    /// best goal so far. Otherwise one search goes out in all directions until it meets a
    /// goal. To go to any cell of an area, list its cells.
    ///
    /// # Guarantee
    /// No other goal costs less, by the engine's own queries where goals are tried, by shortest
    /// paths otherwise; of several equally cheap goals, the first in the list is taken.
    ///
    /// # Allocation
    /// None once `scratch` has grown.
    ///
    /// # Complexity
    /// With `labels`, a lookup for each goal tried and one path; for few goals a query for each
    /// goal tried; otherwise at most one flood of the map, however many goals there are.
    ///
    /// # Errors
    /// As [`Planner::find`].
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Grid, Planner, Query, Scratch};
    ///
    /// let grid = Grid::from_ascii("
    ///     ...#.
    ///     .#.#.
    ///     .#...
    /// ")?;
    /// let planner = Planner::new(grid);
    /// let wells = [(4, 0), (0, 2), (2, 2)].map(Cell::from);
    /// let mut scratch = Scratch::new();
    /// let found = planner.nearest(Query::starting_at((2, 0)), &wells, &mut scratch)?;
    /// let (which, outcome) = found.expect("all can be reached");
    /// assert_eq!(which, 2);
    /// assert_eq!(outcome.route().unwrap().path().cells().len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest<'s>(
        &self,
        query: Query,
        goals: &[Cell],
        scratch: &'s mut Scratch,
    ) -> Result<Option<(usize, Outcome<'s>)>, QueryError> {
        self.check_cells([&query.start].into_iter().chain(goals))?;
        match nearest(self, query.start, goals, scratch) {
            Some(at) => Ok(Some((at, self.find(Query { goal: goals[at], ..query }, scratch)?))),
            None => Ok(None),
        }
    }

    /// Writes the costs from a start to each of some goals, in their order: one row of
    /// [`Planner::cost_table`] into memory of your own.
    ///
    /// # Allocation
    /// None once `scratch` and `costs` have grown.
    ///
    /// # Errors
    /// As [`Planner::cost_table`]; then `costs` is empty.
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Grid, Planner, Scratch};
    ///
    /// let planner = Planner::new(Grid::empty(20, 20)?);
    /// let (mut scratch, mut costs) = (Scratch::new(), Vec::new());
    /// let goals = [(3, 0), (0, 9)].map(Cell::from);
    /// planner.costs_into(Cell::new(0, 0), &goals, &mut costs, &mut scratch)?;
    /// let straight = planner.grid().rules().diagonal_cost.straight();
    /// assert_eq!(costs, [Some(straight * 3), Some(straight * 9)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn costs_into(
        &self,
        start: Cell,
        goals: &[Cell],
        costs: &mut Vec<Option<Cost>>,
        scratch: &mut Scratch,
    ) -> Result<(), QueryError> {
        costs.clear();
        self.check_cells([&start].into_iter().chain(goals))?;
        let mut from = CostsFrom::new(self, start, goals.len(), scratch);
        costs.extend(goals.iter().map(|&goal| from.cost(goal)));
        Ok(())
    }

    pub(super) fn check_query(&self, query: Query) -> Result<(), QueryError> {
        self.check_cells(&[query.start, query.goal])
    }

    /// Checks that the engine supports the map, and that all cells are on it.
    pub(super) fn check_cells<'c>(
        &self,
        cells: impl IntoIterator<Item = &'c Cell>,
    ) -> Result<(), QueryError> {
        self.engine.check(&self.grid).map_err(QueryError::Unsupported)?;
        match cells.into_iter().find(|&&cell| !self.grid.contains(cell)) {
            Some(&cell) => {
                let (width, height) = (self.grid.width(), self.grid.height());
                Err(QueryError::Outside { cell, width, height })
            }
            None => Ok(()),
        }
    }

    /// The outcome, if no search is needed to know it.
    pub(super) fn answer_at_once(&self, query: Query) -> Option<Outcome<'static>> {
        let Query { start, goal, .. } = query;
        if !self.grid.is_free(start) {
            return Some(Outcome::StartBlocked);
        }
        if !self.grid.is_free(goal) {
            return Some(Outcome::GoalBlocked);
        }
        if start == goal {
            return Some(Outcome::AlreadyThere);
        }
        // Labels of all cells tell whether there is a path as fast as the regions do.
        let is_open =
            self.current_index().is_some_and(Index::labels_all_cells) || self.grid.is_connected(start, goal);
        (!is_open).then_some(Outcome::Unreachable)
    }

    fn search<'s>(
        &self,
        query: Query,
        stage: Stage,
        scratch: &'s mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Outcome<'s> {
        let came_to = run(self, query, stage, scratch, observer);
        self.conclude(query, came_to, scratch)
    }

    fn conclude<'s>(&self, query: Query, came_to: Run, scratch: &'s mut Scratch) -> Outcome<'s> {
        match came_to {
            Run::Found(answer) => Outcome::Found(scratch.route(answer)),
            Run::Paused => Outcome::BudgetSpent(Paused {
                query,
                revision: self.grid.revision(),
                key: self.resume_key(),
                serial: scratch.pause(),
            }),
            Run::Unreachable => Outcome::Unreachable,
        }
    }
}
