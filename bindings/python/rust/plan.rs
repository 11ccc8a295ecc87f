//! Plans that are walked.

use crate::arrays::{Point, cell_array};
use crate::failure::Raised;
use crate::planner::PyPlanner;
use crate::wait::in_parts;
use crate::walk::{Came, Walk, Walker};
use farstride::{Cell, Plan, Planned, Query, Step};
use farstride_bindings::Status;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// A route that is refined while a unit walks it: an iterator over the cells ``(x, y)`` it
/// goes to.
///
/// If the planner's map is edited meanwhile, the plan adapts. It ends when the unit has
/// arrived or when no path is left; :attr:`state` tells which. After another edit, go on
/// with ``next``.
///
/// >>> import farstride as fs
/// >>> planner = fs.Planner(fs.Grid.empty(9, 3), "hpa")
/// >>> plan = planner.plan((0, 1), (4, 1))
/// >>> next(plan)
/// (1, 1)
/// >>> planner.edit([(3, 1, 1, 1, 0)])
/// >>> list(plan)[-1], plan.state, plan.replans
/// ((4, 1), 'arrived', 1)
#[pyclass(name = "Plan", module = "farstride", frozen)]
pub(crate) struct PyPlan {
    planner: Py<PyPlanner>,
    walker: Walker<Plan>,
    start: Cell,
    goal: Cell,
}

/// Notes what a step came to; the cell, if the unit goes on.
fn note(walk: &mut Walk<Plan>, step: Step) -> Option<Cell> {
    let is_goal = walk.plan.as_ref().is_some_and(|plan| plan.position() == plan.goal());
    walk.note(match step {
        Step::To(place) => Came::To { place, is_goal },
        Step::Arrived => Came::Arrived,
        _ => Came::Nowhere,
    })
}

/// Where units are, and which of them went on.
pub(crate) type Moves<'py> = (Bound<'py, PyArray2<i32>>, Bound<'py, PyArray1<bool>>);

/// Plans for which another thread is worth while.
const PLANS_PER_THREAD: usize = 32;
/// Threads that are of use at most.
const MOST_THREADS: usize = 256;

/// Takes a step of each plan on several threads.
pub(crate) fn step_many<'py>(
    planner: &Bound<'py, PyPlanner>,
    plans: &[Bound<'py, PyPlan>],
    threads: usize,
) -> Result<Moves<'py>, Raised> {
    let (py, ours) = (planner.py(), planner.get());
    let mut walks = Vec::with_capacity(plans.len());
    for (at, plan) in plans.iter().map(Bound::get).enumerate() {
        if !plan.planner.is(planner) {
            return Err(PyValueError::new_err(format!("plan {at} of the list is of another planner")).into());
        }
        let in_use = |_| {
            let message = format!("plan {at} is in the list twice, or another thread is using it");
            PyRuntimeError::new_err(message)
        };
        walks.push(plan.walker.walk().map_err(in_use)?);
    }
    let mut going: Vec<&mut Plan> = walks.iter_mut().filter_map(|walk| walk.plan.as_mut()).collect();
    // More would not be used, and all are kept for the next call.
    let threads = threads.min(going.len().div_ceil(PLANS_PER_THREAD)).min(MOST_THREADS);
    let mut scratches: Vec<_> = (0..threads).map(|_| ours.take_scratch()).collect();
    let steps = py.detach(|| ours.lock().step_many(&mut going, &mut scratches));
    for scratch in scratches {
        ours.give_back(scratch);
    }
    let (mut steps, mut cells) = (steps?.into_iter(), Vec::with_capacity(plans.len()));
    let mut moved = Vec::with_capacity(plans.len());
    for (walk, plan) in walks.iter_mut().zip(plans) {
        let step = if walk.plan.is_some() { steps.next() } else { None };
        moved.push(step.and_then(|step| note(walk, step)).is_some());
        cells.push(plan.get().at(walk));
    }
    Ok((cell_array(py, &cells), PyArray1::from_vec(py, moved)))
}

impl PyPlan {
    pub(crate) fn make(planner: &Bound<'_, PyPlanner>, start: Point, goal: Point) -> Result<Self, Raised> {
        let py = planner.py();
        let ours = planner.get();
        let mut scratch = ours.take_scratch();
        let plan = (|| {
            let reader = ours.read(py);
            let (start, goal) = (start.on(reader.grid())?, goal.on(reader.grid())?);
            let reader = &*reader;
            let query = Query::new(start, goal);
            let made = py.detach(|| reader.plan(query, &mut scratch))?;
            Ok(Self::new(planner, query, made))
        })();
        ours.give_back(scratch);
        plan
    }

    /// Makes many plans on several threads.
    pub(crate) fn make_many(
        planner: &Bound<'_, PyPlanner>,
        queries: &[Query],
        threads: usize,
    ) -> Result<Vec<Self>, Raised> {
        let ours = planner.get();
        let made = in_parts(
            planner.py(),
            queries,
            threads,
            || ours.lock(),
            |ours, queries| Ok(ours.plan_many(queries, threads)?),
        )?;
        let plan = |(made, &query)| Self::new(planner, query, made);
        Ok(made.into_iter().zip(queries).map(plan).collect())
    }

    pub(crate) fn new(planner: &Bound<'_, PyPlanner>, query: Query, made: Planned) -> Self {
        let status = Status::of_plan(&made);
        let plan = if let Planned::Plan(plan) = made { Some(plan) } else { None };
        let walker = Walker::new(plan, status);
        Self { planner: planner.clone().unbind(), walker, start: query.start, goal: query.goal }
    }

    fn at(&self, walk: &Walk<Plan>) -> Cell {
        walk.plan.as_ref().map_or(self.start, Plan::position)
    }
}

#[pymethods]
impl PyPlan {
    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> Result<Option<(u16, u16)>, Raised> {
        let mut walk = self.walker.walk()?;
        let Some(plan) = &mut walk.plan else { return Ok(None) };
        let planner = self.planner.get();
        let mut scratch = planner.take_scratch();
        let step = plan.step(&planner.read(py), &mut scratch);
        planner.give_back(scratch);
        Ok(note(&mut walk, step?).map(|cell| (cell.x, cell.y)))
    }

    /// ``"walking"``, ``"arrived"``, ``"unreachable"``, ``"start-blocked"`` or
    /// ``"goal-blocked"``.
    #[getter]
    fn state(&self) -> PyResult<&'static str> {
        Ok(self.walker.walk()?.state)
    }

    /// Where the unit is.
    #[getter]
    fn position(&self) -> PyResult<(u16, u16)> {
        let at = self.at(&*self.walker.walk()?);
        Ok((at.x, at.y))
    }

    /// Where it goes.
    #[getter]
    const fn goal(&self) -> (u16, u16) {
        (self.goal.x, self.goal.y)
    }

    /// How often a new route was searched, because of an edit or because the unit was moved.
    #[getter]
    fn replans(&self) -> PyResult<u32> {
        Ok(self.walker.walk()?.plan.as_ref().map_or(0, Plan::replans))
    }

    /// Upper bound of the cost of the rest of the walk, unless the map is edited.
    #[getter]
    fn cost(&self) -> PyResult<u64> {
        Ok(self.walker.walk()?.plan.as_ref().map_or(0, |plan| plan.cost().units()))
    }

    /// The refined cells ahead, as an array of shape (n, 2).
    #[getter]
    fn refined<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let cells: Vec<Cell> = self.walker.walk()?.plan.iter().flat_map(Plan::refined).collect();
        Ok(cell_array(py, &cells))
    }

    /// The abstract path ahead: rows ``x, y, level``.
    #[getter]
    fn waypoints<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let walk = self.walker.walk()?;
        let points = walk.plan.iter().flat_map(Plan::waypoints);
        let numbers: Vec<i32> =
            points.flat_map(|point| [point.cell.x.into(), point.cell.y.into(), point.level.into()]).collect();
        let count = numbers.len() / 3;
        PyArray1::from_vec(py, numbers).reshape([count, 3])
    }

    /// Tells the plan that the unit is somewhere else.
    fn stand_at(&self, py: Python<'_>, position: Point) -> Result<(), Raised> {
        let cell = position.on(self.planner.get().read(py).grid())?;
        if let Some(plan) = &mut self.walker.walk()?.plan {
            plan.stand_at(cell);
        }
        Ok(())
    }

    fn __repr__(&self) -> PyResult<String> {
        let walk = self.walker.walk()?;
        let (at, goal) = (self.at(&walk), self.goal);
        Ok(format!("Plan('{}', at ({}, {}), to ({}, {}))", walk.state, at.x, at.y, goal.x, goal.y))
    }
}
