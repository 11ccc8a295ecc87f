//! Many queries at once.

use super::table::Pairs;
use super::{CostTable, Outcome, Planner, Query, QueryError, Scratch};
use crate::base::crew::{self, Latch, MOST_THREADS};
use crate::base::{Cell, Cost};

impl Planner {
    /// Answers many queries on several threads. `read` is called with each outcome on
    /// the thread that found it, and its results are returned in the order of the
    /// queries.
    ///
    /// # Guarantee
    /// The answers are the same for any number of threads, and the same as those of
    /// [`Planner::find`].
    ///
    /// # Errors
    /// As [`Planner::find`], for the first query that fails.
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Engine, Grid, Planner, Query};
    ///
    /// let planner = Planner::with_engine(Grid::empty(100, 100)?, Engine::Hpa)?;
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
        let answer = |query: &Query, scratch: &mut Scratch| Ok(read(&self.find(*query, scratch)?));
        on_threads(queries, threads, answer)
    }

    /// As [`Planner::find_many`], but gives up as soon as `wanted` returns `false`. Any
    /// thread may call it: before every query, and every few thousand expansions.
    ///
    /// # Errors
    /// As [`Planner::find_many`], and [`QueryError::Cancelled`].
    ///
    /// # Example
    /// ```
    /// use farstride::error::QueryError;
    /// use farstride::{Engine, Grid, Planner, Query};
    /// use std::sync::atomic::{AtomicBool, Ordering};
    ///
    /// let planner = Planner::with_engine(Grid::empty(100, 100)?, Engine::Astar)?;
    /// let queries: Vec<Query> = (0..100).map(|x| Query::new((x, 0), (70, 80))).collect();
    /// let stop = AtomicBool::new(true); // another thread may set it
    /// let wanted = || !stop.load(Ordering::Relaxed);
    /// let cancelled = planner.find_many_while(&queries, 2, wanted, |outcome| outcome.route().is_some());
    /// assert_eq!(cancelled, Err(QueryError::Cancelled));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_many_while<T: Send>(
        &self,
        queries: &[Query],
        threads: usize,
        wanted: impl Fn() -> bool + Sync,
        read: impl Fn(&Outcome<'_>) -> T + Sync,
    ) -> Result<Vec<T>, QueryError> {
        let latch = Latch::new(&wanted);
        let answer = |query: &Query, scratch: &mut Scratch| {
            if !latch.is_open() {
                return Err(QueryError::Cancelled);
            }
            let outcome = self.find_while(*query, || latch.is_open(), scratch)?;
            latch.result()?;
            Ok(read(&outcome))
        };
        on_threads(queries, threads, answer)
    }

    /// The costs from each of some starts to each of some goals, computed on several
    /// threads.
    ///
    /// With labels of all cells (`labels`, `straight`) each start and goal is looked at once, so that a pair takes a
    /// small part of the time of a query. So it does with `overlay` and many goals: one
    /// search serves all goals of a start. Other engines answer query by query.
    ///
    /// # Guarantee
    /// The costs are those of single queries, with any number of threads: `None` where
    /// there is no path or a cell is blocked, zero from a free cell to itself.
    ///
    /// # Allocation
    /// The table and working memory for each thread; nothing per pair. For one start
    /// again and again, [`Planner::costs_into`] allocates nothing.
    ///
    /// # Errors
    /// As [`Planner::find`], for the first cell off the map, starts before goals.
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Engine, Grid, Planner};
    ///
    /// let planner = Planner::with_engine(Grid::empty(50, 40)?, Engine::Labels)?;
    /// let units: Vec<Cell> = (0..50).map(|x| Cell::new(x, 0)).collect();
    /// let posts: Vec<Cell> = (0..40).map(|y| Cell::new(30, y)).collect();
    /// let table = planner.cost_table(&units, &posts, 2)?;
    /// assert_eq!(table.cost(30, 0).map(|cost| cost.units()), Some(0));
    /// assert_eq!(table.row(7).len(), 40);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cost_table(
        &self,
        starts: &[Cell],
        goals: &[Cell],
        threads: usize,
    ) -> Result<CostTable, QueryError> {
        self.cost_table_while(starts, goals, threads, || true)
    }

    /// As [`Planner::cost_table`], but gives up as soon as `wanted` returns `false`. Any
    /// thread may call it: at least once for every start, and every few thousand
    /// expansions.
    ///
    /// # Errors
    /// As [`Planner::cost_table`], and [`QueryError::Cancelled`].
    pub fn cost_table_while(
        &self,
        starts: &[Cell],
        goals: &[Cell],
        threads: usize,
        wanted: impl Fn() -> bool + Sync,
    ) -> Result<CostTable, QueryError> {
        self.check_cells(starts.iter().chain(goals))?;
        let latch = Latch::new(&wanted);
        let threads = threads.clamp(1, MOST_THREADS);
        let table = Pairs { planner: self, starts, goals, threads, latch: &latch }.table();
        latch.result()?;
        Ok(table)
    }

    /// As [`Planner::cost_table_while`], but writes the table into memory of the caller: an
    /// `entry` of any type for each cost, row by row.
    ///
    /// # Errors
    /// As [`Planner::cost_table_while`]; after [`QueryError::Cancelled`], part of the table is
    /// written.
    ///
    /// # Panics
    /// If the table does not have an entry for each pair.
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Cost, Engine, Grid, Planner};
    ///
    /// let planner = Planner::with_engine(Grid::from_ascii("...#.")?, Engine::Labels)?;
    /// let [starts, goals] = [[0, 1], [2, 4]].map(|cells| cells.map(|x| Cell::new(x, 0)));
    /// let mut table = [0; 4];
    /// let units = |cost: Option<Cost>| cost.map_or(-1, |cost| cost.units() as i64);
    /// planner.cost_table_into(&starts, &goals, 1, || true, units, &mut table)?;
    /// assert_eq!(table, [9512, -1, 4756, -1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cost_table_into<T: Send>(
        &self,
        starts: &[Cell],
        goals: &[Cell],
        threads: usize,
        wanted: impl Fn() -> bool + Sync,
        entry: impl Fn(Option<Cost>) -> T + Sync,
        table: &mut [T],
    ) -> Result<(), QueryError> {
        assert_eq!(
            Some(table.len()),
            starts.len().checked_mul(goals.len()),
            "a table of {} x {} entries",
            starts.len(),
            goals.len()
        );
        self.check_cells(starts.iter().chain(goals))?;
        let latch = Latch::new(&wanted);
        let threads = threads.clamp(1, MOST_THREADS);
        Pairs { planner: self, starts, goals, threads, latch: &latch }.write(&entry, table);
        latch.result()?;
        Ok(())
    }
}

/// Does a piece of work for each item on several threads, each with memory of its own; the
/// results are in the order of the items.
pub(super) fn on_threads<I: Sync, T: Send, W: Default>(
    items: &[I],
    threads: usize,
    work: impl Fn(&I, &mut W) -> Result<T, QueryError> + Sync,
) -> Result<Vec<T>, QueryError> {
    let work_on_part = |items: &[I]| {
        let mut memory = W::default();
        items.iter().map(|item| work(item, &mut memory)).collect::<Vec<_>>()
    };
    // Parts of equal size: long and short queries usually come mixed.
    let part = items.len().div_ceil(threads.clamp(1, MOST_THREADS)).max(1);
    crew::split(items.chunks(part), work_on_part).into_iter().flatten().collect()
}
