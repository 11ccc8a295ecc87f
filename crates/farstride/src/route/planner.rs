//! One map, one call.

use super::prepared::Prepared;
use super::taut::drop_points_on_straight_legs;
use super::{Engine, NotItsMap, Outcome, Path, Paused, QueryError, ResumeError, Route, Scratch, Unsupported};
use crate::base::crew::{self, MOST_THREADS};
use crate::base::{Cell, Cost};
use crate::graph::{Graph, UniformGrid, WeightedGrid};
use crate::grid::{Grid, Steps};
use crate::groups::{GridGroups, GroupTactics};
use crate::hpa::{Hierarchy, Tactics};
use crate::labels::GridLabels;
use crate::search::{
    EuclideanTarget, GridTarget, Heuristic, LazyTheta, Memory, Observer, OpenList, Problem, Progress, Rule,
    ShortestPath, Target, Theta,
};
use crate::subgoal::SubgoalGraph;
use std::sync::Arc;

/// A map and the engine that finds paths on it.
///
/// The planner is shared and read-only while it answers; each thread brings
/// its own [`Scratch`]. The map is never consumed or copied by a query.
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
/// let mut scratch = Scratch::new();
/// let query = Query::new(Cell::new(0, 1), Cell::new(4, 1));
/// let Outcome::Found(route) = planner.find(query, &mut scratch)? else { panic!("no route") };
/// assert_eq!(route.length(), 6.0);
/// assert_eq!(route.path().cells().len(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Planner {
    pub(super) grid: Arc<Grid>,
    engine: Engine,
    /// Whether the engine was chosen by the map and not by the user.
    auto: bool,
    /// Always that of `grid` as it is.
    pub(super) prepared: Prepared,
    pub(super) tactics: Tactics,
    pub(super) group_tactics: GroupTactics,
}

/// From where to where, and how much work it may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Query {
    /// Where to start.
    pub start: Cell,
    /// Where to go.
    pub goal: Cell,
    /// How many nodes may be expanded before the search is paused. The engine
    /// `labels` looks up rather than searches, and is never paused, not even
    /// where labels do not fit into their own budget.
    pub budget: u64,
    /// How much of the path is wanted.
    pub detail: Detail,
}

/// How much of a path is wanted: the less, the sooner it is there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Detail {
    /// Every cell; of an any-angle path, every turning point.
    #[default]
    Cells,
    /// Cells from each of which the next is easily found
    /// ([`Path::Waypoints`]).
    Waypoints,
    /// The first steps, so many of them: the start and as many cells, or fewer
    /// if the path is shorter. Of an any-angle path, as many turning points.
    First(u32),
    /// Cost and length alone.
    Cost,
}

impl Query {
    /// A query that may take as long as it needs.
    pub const fn new(start: Cell, goal: Cell) -> Self {
        Self { start, goal, budget: u64::MAX, detail: Detail::Cells }
    }

    /// The same query for another amount of detail.
    #[must_use]
    pub const fn with_detail(self, detail: Detail) -> Self {
        Self { detail, ..self }
    }

    /// The same query, paused after `expansions` expanded nodes.
    #[must_use]
    pub const fn with_budget(self, expansions: u64) -> Self {
        Self { budget: expansions, ..self }
    }
}

/// Whether a search starts or goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Start,
    GoOn,
}

/// Expansions between two looks at whether a search is still wanted; about a
/// tenth of a millisecond.
const SLICE: u64 = 2048;

impl Planner {
    /// A planner with the engine that suits the map ([`Engine::choose`]). If an
    /// edit makes the map unfit for it, another one is chosen; and if that was
    /// `labels`, which takes seconds to bring up to date, `nsg+` goes on with the
    /// first edit.
    pub fn new(grid: impl Into<Arc<Grid>>) -> Self {
        let grid = grid.into();
        let (engine, _) = Engine::choose(&grid);
        Self { auto: true, ..Self::assemble(grid, engine) }
    }

    /// A planner, with whatever the engine needs prepared by default settings.
    fn assemble(grid: Arc<Grid>, engine: Engine) -> Self {
        let prepared = Prepared::build(&grid, engine);
        Self::prepared(grid, engine, prepared)
    }

    pub(super) fn prepared(grid: Arc<Grid>, engine: Engine, prepared: Prepared) -> Self {
        let (tactics, group_tactics) = (Tactics::default(), GroupTactics::default());
        Self { grid, engine, auto: false, prepared, tactics, group_tactics }
    }

    /// A planner with the engine of your choice.
    ///
    /// # Errors
    /// [`Unsupported`] if the engine cannot work on this map.
    pub fn with_engine(grid: impl Into<Arc<Grid>>, engine: Engine) -> Result<Self, Unsupported> {
        let grid = grid.into();
        engine.check(&grid)?;
        Ok(Self::assemble(grid, engine))
    }

    /// A planner that uses HPA* or HPT* on an abstraction of the map, whichever
    /// it was made for.
    ///
    /// # Errors
    /// [`NotItsMap`] if the abstraction is of another map, or of this one
    /// before it was edited.
    ///
    /// # Example
    /// ```
    /// use farstride::hpa::{Hierarchy, Settings};
    /// use farstride::{Cell, Grid, Planner, Query, Scratch};
    ///
    /// let grid = Grid::open(100, 100)?;
    /// let hierarchy = Hierarchy::build(&grid, Settings::paper(2))?;
    /// let planner = Planner::with_hierarchy(grid, hierarchy)?;
    /// let query = Query::new(Cell::new(0, 0), Cell::new(99, 50));
    /// assert!(planner.find(query, &mut Scratch::new())?.route().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_hierarchy(
        grid: impl Into<Arc<Grid>>,
        hierarchy: impl Into<Arc<Hierarchy>>,
    ) -> Result<Self, NotItsMap> {
        let (grid, hierarchy) = (grid.into(), hierarchy.into());
        if !hierarchy.is_current(&grid) {
            return Err(NotItsMap);
        }
        let engine = Engine::of_local(hierarchy.settings().local);
        Ok(Self::prepared(grid, engine, Prepared::Hierarchy(hierarchy)))
    }

    /// A planner that searches a subgoal graph of the map; the engine is the
    /// one that partitions subgoals so.
    ///
    /// # Errors
    /// [`NotItsMap`] if the graph is of another map, or of this one before it
    /// was edited.
    pub fn with_subgoals(
        grid: impl Into<Arc<Grid>>,
        graph: impl Into<Arc<SubgoalGraph>>,
    ) -> Result<Self, NotItsMap> {
        let (grid, graph) = (grid.into(), graph.into());
        if !graph.is_current(&grid) {
            return Err(NotItsMap);
        }
        let engine = Engine::of_partition(graph.settings().partition);
        Ok(Self::prepared(grid, engine, Prepared::Subgoals(graph)))
    }

    /// A planner that searches a hierarchy of the map's blocks.
    ///
    /// # Errors
    /// [`NotItsMap`] if the hierarchy is of another map, or of this one before
    /// it was edited.
    pub fn with_groups(
        grid: impl Into<Arc<Grid>>,
        groups: impl Into<Arc<GridGroups>>,
    ) -> Result<Self, NotItsMap> {
        let (grid, groups) = (grid.into(), groups.into());
        if !groups.is_current(&grid) {
            return Err(NotItsMap);
        }
        Ok(Self::prepared(grid, Engine::Groups, Prepared::Groups(groups)))
    }

    /// A planner that looks paths up in labels of the map.
    ///
    /// # Errors
    /// [`NotItsMap`] if the labels are of another map, or of this one before it
    /// was edited.
    pub fn with_labels(
        grid: impl Into<Arc<Grid>>,
        labels: impl Into<Arc<GridLabels>>,
    ) -> Result<Self, NotItsMap> {
        let (grid, labels) = (grid.into(), labels.into());
        if !labels.is_current(&grid) {
            return Err(NotItsMap);
        }
        Ok(Self::prepared(grid, Engine::Labels, Prepared::Labels(labels)))
    }

    /// The same planner, answering queries of HPA* and HPT* in another way.
    #[must_use]
    pub const fn with_tactics(mut self, tactics: Tactics) -> Self {
        self.tactics = tactics;
        self
    }

    /// The same planner, answering queries of the engine `groups` in another way.
    #[must_use]
    pub const fn with_group_tactics(mut self, tactics: GroupTactics) -> Self {
        self.group_tactics = tactics;
        self
    }

    /// The abstraction of the map, if the engine uses one.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        match &self.prepared {
            Prepared::Hierarchy(hierarchy) => Some(hierarchy),
            _ => None,
        }
    }

    /// The subgoal graph of the map, if the engine uses one.
    pub fn subgoals(&self) -> Option<&SubgoalGraph> {
        match &self.prepared {
            Prepared::Subgoals(graph) => Some(graph),
            _ => None,
        }
    }

    /// The hierarchy of the map's blocks, if the engine uses one.
    pub fn groups(&self) -> Option<&GridGroups> {
        match &self.prepared {
            Prepared::Groups(groups) => Some(groups),
            _ => None,
        }
    }

    /// The labels of the map, if the engine uses them.
    pub fn labels(&self) -> Option<&GridLabels> {
        match &self.prepared {
            Prepared::Labels(labels) => Some(labels),
            _ => None,
        }
    }

    /// The map.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The engine.
    pub const fn engine(&self) -> Engine {
        self.engine
    }

    /// Changes the map. If it is shared with other planners, this planner
    /// takes a copy of its own first; theirs stays as it was. Whatever was
    /// prepared from the map is brought up to date before this returns.
    pub fn edit<T>(&mut self, edit: impl FnOnce(&mut Grid) -> T) -> T {
        let before = self.grid.contents();
        let result = edit(Arc::make_mut(&mut self.grid));
        let may_change = self.auto && self.grid.contents() != before;
        if may_change && self.engine.check(&self.grid).is_err() {
            let (engine, _) = Engine::choose(&self.grid);
            self.become_another(engine.after_edits());
        } else if may_change && self.engine != self.engine.after_edits() {
            self.become_another(self.engine.after_edits());
        } else {
            self.prepared.catch_up(&self.grid);
        }
        result
    }

    /// Goes on with an engine that the map chose.
    fn become_another(&mut self, engine: Engine) {
        let (tactics, group_tactics) = (self.tactics, self.group_tactics);
        let other = Self::assemble(Arc::clone(&self.grid), engine);
        *self = Self { auto: true, tactics, group_tactics, ..other };
    }

    /// Finds a path.
    ///
    /// # Guarantee
    /// That of the engine; always legal; deterministic: the same map and query
    /// give the same path on every platform and thread.
    ///
    /// # Allocation
    /// None once `scratch` has grown.
    ///
    /// # Errors
    /// [`QueryError`] if a cell is not on the map, or if an edit made the map
    /// unfit for the engine.
    pub fn find<'s>(&self, query: Query, scratch: &'s mut Scratch) -> Result<Outcome<'s>, QueryError> {
        self.find_observed(query, scratch, &mut ())
    }

    /// As [`Planner::find`], telling `observer` about every step.
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn find_observed<'s>(
        &self,
        query: Query,
        scratch: &'s mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Result<Outcome<'s>, QueryError> {
        self.check_query(query)?;
        scratch.paused = None;
        match self.answer_at_once(query) {
            Some(outcome) => Ok(outcome),
            None => Ok(self.search(query, Stage::Start, scratch, observer)),
        }
    }

    /// Answers many queries on several threads. `read` makes what is wanted of
    /// each outcome, on the thread that found it; the results come in the order
    /// of the queries.
    ///
    /// # Guarantee
    /// The same answers as one by one, on any number of threads: they share
    /// nothing but the map and what was prepared from it.
    ///
    /// # Errors
    /// As [`Planner::find`], for the first query that has one.
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Engine, Grid, Planner, Query};
    ///
    /// let planner = Planner::with_engine(Grid::open(100, 100)?, Engine::Hpa)?;
    /// let goal = Cell::new(70, 80);
    /// let queries: Vec<Query> = (0..100).map(|x| Query::new(Cell::new(x, 0), goal)).collect();
    /// let lengths = planner.find_many(&queries, 4, |outcome| outcome.route().map(|route| route.length()))?;
    /// assert_eq!(lengths.len(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_many<T: Send>(
        &self,
        queries: &[Query],
        threads: usize,
        read: impl Fn(&Outcome<'_>) -> T + Sync,
    ) -> Result<Vec<T>, QueryError> {
        let answer = |queries: &[Query]| {
            let mut scratch = Scratch::new();
            queries.iter().map(|&query| Ok(read(&self.find(query, &mut scratch)?))).collect::<Vec<_>>()
        };
        // Parts of equal size: long and short queries usually come mixed.
        let part = queries.len().div_ceil(threads.clamp(1, MOST_THREADS)).max(1);
        crew::split(queries.chunks(part), answer).into_iter().flatten().collect()
    }

    /// As [`Planner::find`], giving up as soon as `wanted` says no. It is
    /// asked every few thousand expansions; a search given up ends as
    /// [`Outcome::BudgetSpent`] and can be resumed. The engine `labels` does not
    /// ask: see [`Query::budget`].
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn find_while<'s>(
        &self,
        query: Query,
        scratch: &'s mut Scratch,
        mut wanted: impl FnMut() -> bool,
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
            let progress = self.advance(query.with_budget(slice), stage, scratch, &mut ());
            left -= slice;
            stage = Stage::GoOn;
            if progress != Progress::Paused || left == 0 || !wanted() {
                return Ok(self.conclude(query, progress, scratch));
            }
        }
    }

    /// Goes on with a search whose budget was spent, for up to `budget` more
    /// expansions. The path is the one that an uninterrupted search finds.
    ///
    /// # Errors
    /// [`ResumeError`] if the search is no longer in `scratch`, if the map was
    /// edited since, or if another engine began it.
    pub fn resume<'s>(
        &self,
        paused: &Paused,
        budget: u64,
        scratch: &'s mut Scratch,
    ) -> Result<Outcome<'s>, ResumeError> {
        self.resume_observed(paused, budget, scratch, &mut ())
    }

    /// As [`Planner::resume`], telling `observer` about every step.
    ///
    /// # Errors
    /// As [`Planner::resume`].
    pub fn resume_observed<'s>(
        &self,
        paused: &Paused,
        budget: u64,
        scratch: &'s mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Result<Outcome<'s>, ResumeError> {
        if scratch.paused != Some(paused.serial) {
            return Err(ResumeError::ScratchReused);
        }
        if paused.contents != self.grid.contents() {
            return Err(ResumeError::MapChanged);
        }
        if paused.engine != self.engine {
            return Err(ResumeError::OtherEngine { began: paused.engine, found: self.engine });
        }
        if paused.manner != self.manner() {
            return Err(ResumeError::OtherSettings);
        }
        scratch.paused = None; // whatever comes of it, this pause is used up
        Ok(self.search(paused.query.with_budget(budget), Stage::GoOn, scratch, observer))
    }

    pub(super) fn check_query(&self, query: Query) -> Result<(), QueryError> {
        self.check_cells(&[query.start, query.goal])
    }

    /// Whether the engine can work on the map, and all cells are on it.
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
        // Labels of all cells tell as fast whether there is a path as what it is.
        let unknown =
            self.current_labels().is_some_and(GridLabels::cover_all) || self.grid.is_connected(start, goal);
        (!unknown).then_some(Outcome::Unreachable)
    }

    fn search<'s>(
        &self,
        query: Query,
        stage: Stage,
        scratch: &'s mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Outcome<'s> {
        let progress = self.advance(query, stage, scratch, observer);
        self.conclude(query, progress, scratch)
    }

    /// Runs the engine's problem; a path that was found is left in the scratch.
    fn advance(
        &self,
        query: Query,
        stage: Stage,
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Progress<Cell> {
        let grid = &*self.grid;
        let goal = query.goal;
        scratch.steps = None;
        scratch.written = None;
        if let Some(labels) = self.current_labels()
            && let Some(progress) = self.look_up(labels, query, scratch, observer)
        {
            return progress;
        }
        if let Some(hierarchy) = self.current_hierarchy() {
            let online = hierarchy.online(grid, self.tactics);
            return if self.engine.is_any_angle() {
                self.advance_hpt(&online, query, stage, scratch, observer)
            } else {
                self.advance_hpa(&online, query, stage, scratch, observer)
            };
        }
        if let Some(graph) = self.current_subgoals() {
            let online = graph.online(grid, query.start, goal);
            return self.advance_subgoals(&online, query, stage, scratch, observer);
        }
        let (mut query, mut stage) = (query, stage);
        if let Some(groups) = self.current_groups() {
            let progress = self.advance_groups(groups, query, stage, scratch, observer);
            if progress != Progress::Exhausted {
                return progress;
            }
            // The regions know of a way, so the groups were forged. Their search
            // would begin again after a pause.
            (query.budget, stage) = (u64::MAX, Stage::Start);
        }
        let Scratch { ring, heap, path, .. } = scratch;
        let graph = &UniformGrid(grid);
        let weighted = &WeightedGrid(grid);
        let rule = ShortestPath;
        let blind = Heuristic { goal, bound: |_: Cell| Cost::ZERO };
        let octile = GridTarget::new(goal, grid.rules());
        let straight = EuclideanTarget(goal);
        let run = Run { query, stage, path };
        match (self.engine, grid.is_uniform()) {
            (Engine::Dijkstra, true) => run.on(&Problem { graph, target: blind, rule }, ring, observer),
            (Engine::Dijkstra, false) => {
                run.on(&Problem { graph: weighted, target: blind, rule }, heap, observer)
            }
            (Engine::Theta, _) => {
                run.on(&Problem { graph, target: straight, rule: Theta(graph) }, ring, observer)
            }
            (Engine::LazyTheta | Engine::Hpt, _) => {
                run.on(&Problem { graph, target: straight, rule: LazyTheta(graph) }, ring, observer)
            }
            // A*, and engines whose preparation an edit left out of date by
            // panicking.
            (_, true) => run.on(&Problem { graph, target: octile, rule }, ring, observer),
            (_, false) => run.on(&Problem { graph: weighted, target: octile, rule }, heap, observer),
        }
    }

    fn conclude<'s>(&self, query: Query, progress: Progress<Cell>, scratch: &'s mut Scratch) -> Outcome<'s> {
        match progress {
            Progress::Reached(_) => Outcome::Found(self.route(query.detail, scratch)),
            Progress::Paused => Outcome::BudgetSpent(Paused {
                query,
                engine: self.engine,
                contents: self.grid.contents(),
                manner: self.manner(),
                serial: scratch.pause(),
            }),
            // The regions have ruled out the first, the size of grids the second.
            Progress::Exhausted | Progress::CostOverflow => Outcome::Unreachable,
        }
    }

    /// The path in the scratch, with as much detail as is wanted.
    fn route<'s>(&self, detail: Detail, scratch: &'s mut Scratch) -> Route<'s> {
        let Scratch { path, steps, puller, labels, written, .. } = scratch;
        if self.engine.is_any_angle() {
            if matches!(self.engine, Engine::Theta | Engine::LazyTheta) {
                puller.pull(&self.grid, path);
            }
            let (cost, length) = measure_legs(path);
            let path = match detail {
                Detail::Cost => Path::Omitted,
                Detail::First(points) => Path::Points(beginning(path, points)),
                Detail::Cells | Detail::Waypoints => Path::Points(path),
            };
            return Route { cost, length, path };
        }
        if steps.is_none() {
            *steps = Some(self.grid.steps(path));
            if detail == Detail::Waypoints {
                drop_points_on_straight_legs(path);
            }
        }
        let steps = steps.unwrap_or_default();
        let diagonal = self.grid.rules().diagonal_cost;
        let path = written.map_or(&path[..], |cells| labels.cells(cells));
        let path = match detail {
            Detail::Cells => Path::Cells(path),
            Detail::First(steps) => Path::Cells(beginning(path, steps)),
            Detail::Waypoints => Path::Waypoints(path),
            Detail::Cost => Path::Omitted,
        };
        Route { cost: steps.cost(diagonal), length: steps.length(diagonal), path }
    }
}

/// The first cell of a path and some more.
fn beginning(path: &[Cell], more: u32) -> &[Cell] {
    &path[..path.len().min(more as usize + 1)]
}

/// One run of an engine's problem.
struct Run<'p> {
    query: Query,
    stage: Stage,
    path: &'p mut Vec<Cell>,
}

impl Run<'_> {
    fn on<G: Graph<Node = Cell>, T: Target<Cell>, R: Rule<G>, Q: OpenList>(
        self,
        problem: &Problem<'_, G, T, R>,
        memory: &mut Memory<Q>,
        observer: &mut impl Observer<Cell>,
    ) -> Progress<Cell> {
        if self.stage == Stage::Start {
            problem.begin(self.query.start, memory, observer);
        }
        let progress = problem.advance(memory, self.query.budget, observer);
        if let Progress::Reached(goal) = progress {
            memory.path_into(problem.graph, goal, self.path);
        }
        progress
    }
}

/// Cost and length of an any-angle path, summed leg by leg from the start:
/// one correctly rounded root and sum at a time, the same on every platform.
fn measure_legs(points: &[Cell]) -> (Cost, f64) {
    let mut cost = Cost::ZERO;
    let mut length = 0.0;
    for leg in points.windows(2) {
        cost += crate::base::euclidean(leg[0], leg[1]);
        let dx = f64::from(leg[0].x.abs_diff(leg[1].x));
        let dy = f64::from(leg[0].y.abs_diff(leg[1].y));
        length += (dx * dx + dy * dy).sqrt();
    }
    (cost, length)
}

impl Grid {
    /// Counts the steps of a path with their weights. The path must be legal.
    fn steps(&self, path: &[Cell]) -> Steps {
        let mut steps = Steps::default();
        for step in path.windows(2) {
            let weights = u64::from(self.weight(step[0])) + u64::from(self.weight(step[1]));
            if step[0].x != step[1].x && step[0].y != step[1].y {
                steps.diagonal_halves += weights;
            } else {
                steps.straight_halves += weights;
            }
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(points: &[(u16, u16)]) -> Vec<Cell> {
        points.iter().copied().map(Cell::from).collect()
    }

    #[test]
    fn a_long_leg_costs_its_length() {
        let (cost, length) = measure_legs(&cells(&[(0, 0), (3, 4), (3, 10)]));
        assert_eq!(cost.units(), 11 * 4756);
        assert!((length - 11.0).abs() < 1e-12);
    }
}
