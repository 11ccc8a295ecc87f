//! How questions reach a planner: its lock, working memory, signals, and cells from arrays.

use crate::arrays::{cells_on, rows};
use crate::failure::Raised;
use crate::planner::PyPlanner;
use farstride::{Cell, Detail, Engine, Grid, Outcome, Planner, Query, Scratch};
use farstride_bindings::{Change, Failure, apply, zone};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::{PoisonError, RwLockReadGuard, TryLockError};
use std::time::{Duration, Instant};

/// How much of a path is wanted.
pub(crate) fn detail(name: &str, first: Option<u32>) -> PyResult<Detail> {
    match (name, first) {
        (_, Some(steps)) => Ok(Detail::First(steps)),
        ("cells", None) => Ok(Detail::Cells),
        ("waypoints", None) => Ok(Detail::Waypoints),
        ("cost", None) => Ok(Detail::Cost),
        _ => Err(PyValueError::new_err(format!("detail is '{name}'; expected cells, waypoints or cost"))),
    }
}

/// Looks for signals now and then, from within a search.
struct Signals {
    last: Instant,
    raised: Option<PyErr>,
}

impl Signals {
    const PERIOD: Duration = Duration::from_millis(20);

    fn are_quiet(&mut self) -> bool {
        if self.last.elapsed() >= Self::PERIOD {
            self.last = Instant::now();
            self.raised = Python::attach(|py| py.check_signals().err());
        }
        self.raised.is_none()
    }
}

thread_local! {
    /// The planners that this thread is searching; handlers of signals run in between.
    static SEARCHED: RefCell<Vec<*const PyPlanner>> = const { RefCell::new(Vec::new()) };
}

/// Keeps a planner on the list as long as it is searched.
struct Searching;

impl Searching {
    fn begin(planner: &PyPlanner) -> Self {
        SEARCHED.with_borrow_mut(|searched| searched.push(planner));
        Self
    }
}

impl Drop for Searching {
    fn drop(&mut self) {
        SEARCHED.with_borrow_mut(Vec::pop);
    }
}

impl PyPlanner {
    /// The planner, for a moment: never call Python while this is held.
    ///
    /// If somebody edits it, waits without Python's lock, which the editor may need.
    pub(crate) fn read(&self, py: Python<'_>) -> RwLockReadGuard<'_, Planner> {
        loop {
            match self.planner.try_read() {
                Ok(planner) => return planner,
                Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => py.detach(|| drop(self.lock())),
            }
        }
    }

    /// The planner, for threads without Python's lock.
    pub(crate) fn lock(&self) -> RwLockReadGuard<'_, Planner> {
        self.planner.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn take_scratch(&self) -> Scratch {
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    pub(crate) fn give_back(&self, scratch: Scratch) {
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
    }

    /// Answers a query and reads the answer.
    pub(crate) fn answer<T>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&Planner) -> Result<Query, Failure>,
        read: impl FnOnce(Engine, Query, &Outcome<'_>) -> T,
    ) -> Result<T, Raised> {
        let mut scratch = self.take_scratch();
        let answer = (|| {
            let planner = self.read(py);
            let query = ask(&planner)?;
            // Labels answer sooner than Python's lock changes hands.
            let engine = planner.engine();
            if matches!(engine, Engine::Labels | Engine::Straight) {
                return Ok(read(engine, query, &planner.find(query, &mut scratch)?));
            }
            let (planner, _searching) = (&*planner, Searching::begin(self));
            let mut signals = Signals { last: Instant::now(), raised: None };
            let outcome = py.detach(|| planner.find_while(query, || signals.are_quiet(), &mut scratch))?;
            match signals.raised {
                Some(error) => Err(Raised::from(error)),
                None => Ok(read(engine, query, &outcome)),
            }
        })();
        self.give_back(scratch);
        answer
    }

    /// Answers a query that keeps out of some rectangles, and reads the answer.
    pub(crate) fn answer_avoiding<T>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&Planner) -> Result<Query, Failure>,
        zones: &Bound<'_, PyAny>,
        read: impl FnOnce(Engine, Query, &Outcome<'_>) -> T,
    ) -> Result<T, Raised> {
        let rows = rows(zones, 4, "rectangles to avoid")?;
        let rows = rows.as_slice().map_err(PyErr::from)?.as_chunks::<4>().0;
        let mut scratch = self.take_scratch();
        let answer = (|| {
            let planner = self.read(py);
            let zones = rows.iter().map(|&row| zone(planner.grid(), row));
            let zones: Vec<_> = zones.filter_map(Result::transpose).collect::<Result<_, _>>()?;
            let query = ask(&planner)?;
            let planner = &*planner;
            let outcome = py.detach(|| planner.find_avoiding(query, &zones, &mut scratch))?;
            Ok(read(planner.engine(), query, &outcome))
        })();
        self.give_back(scratch);
        answer
    }

    pub(crate) fn edit_by(
        &self,
        py: Python<'_>,
        changes: impl FnOnce(&Grid) -> Result<Vec<Change>, Failure> + Send,
    ) -> Result<(), Raised> {
        if SEARCHED.with_borrow(|searched| searched.contains(&std::ptr::from_ref(self))) {
            // It would wait for itself.
            let message = "a handler of signals cannot edit a planner in the middle of its search";
            return Err(PyRuntimeError::new_err(message).into());
        }
        py.detach(|| {
            let mut planner = self.planner.write().unwrap_or_else(PoisonError::into_inner);
            let changes = changes(planner.grid())?;
            Ok(apply(&mut planner, &changes)?)
        })
    }

    /// As many starts as goals on the map, from arrays.
    pub(crate) fn pairs(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
    ) -> Result<(Vec<Cell>, Vec<Cell>), Raised> {
        let (starts, goals) = self.ends(py, starts, goals)?;
        if starts.len() != goals.len() {
            let (starts, goals) = (starts.len(), goals.len());
            return Err(PyValueError::new_err(format!("{starts} starts, but {goals} goals")).into());
        }
        Ok((starts, goals))
    }

    pub(crate) fn queries(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
    ) -> Result<Vec<Query>, Raised> {
        let (starts, goals) = self.pairs(py, starts, goals)?;
        Ok(starts.into_iter().zip(goals).map(|(start, goal)| Query::new(start, goal)).collect())
    }

    /// Starts and goals on the map, from arrays.
    pub(crate) fn ends(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
    ) -> Result<(Vec<Cell>, Vec<Cell>), Raised> {
        let (starts, goals) = (rows(starts, 2, "starts")?, rows(goals, 2, "goals")?);
        let planner = self.read(py);
        Ok((cells_on(planner.grid(), &starts)?, cells_on(planner.grid(), &goals)?))
    }
}
