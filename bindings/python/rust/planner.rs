//! Planners.

use crate::arrays::{Point, cells_on, rows};
use crate::failure::Raised;
use crate::field::{Ground, PyField};
use crate::grid::PyGrid;
use crate::plan::{Moves, PyPlan, step_many};
use crate::route::{PyRoute, PyRoutes};
use crate::table::{self, Table};
use crate::wait::{built, thread_count};
use crate::{ask, batch, settings};
use farstride::{Detail, Index, Outcome, Planner, Query, Scratch, store};
use farstride_bindings::layers::{self, Asked};
use farstride_bindings::{Failure, Settings, Wanted, change};
use farstride_io::index as file;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, RwLock};

/// A map and an engine that finds paths on it.
///
/// :param grid: the map; edits of a planner do not change it
/// :param engine: a name of ``farstride.engines()``; ``"shortest"`` for the one that suits the map and
///     finds shortest paths, ``"any-angle"`` for ``straight`` where its labels fit, else ``hpt``, and on maps
///     with weights ``hpa``, whose paths are grid paths; without a name, the engine that suits the map
/// :param threads: threads of the build; all cores if not given
/// :param progress: called with the work done and the total while the index is built; or
///     ``True`` for a bar of ``tqdm``
/// :param settings: settings of the engine, by name
///
/// Any number of threads may ask one planner. Ctrl-C stops a build, a batch or a search.
///
/// >>> import farstride as fs
/// >>> planner = fs.Planner(fs.Grid.empty(200, 100), "hpa", cluster=16)
/// >>> planner
/// Planner('hpa', 200 x 100 cells)
/// >>> planner.settings["cluster"]
/// 16
/// >>> planner.find((3, 4), (150, 80)).length > 175
/// True
#[pyclass(name = "Planner", module = "farstride", frozen, weakref)]
pub(crate) struct PyPlanner {
    pub(crate) planner: RwLock<Planner>,
    settings: Settings,
    /// Working memory of queries that are over.
    pub(crate) scratches: Mutex<Vec<Scratch>>,
}

impl PyPlanner {
    fn with(planner: Planner, settings: Settings) -> Self {
        Self { planner: RwLock::new(planner), settings, scratches: Mutex::default() }
    }

    fn opened(grid: &PyGrid, index: Index, given: Option<&Bound<'_, PyDict>>) -> Result<Self, Raised> {
        let settings = settings::read(index.engine(), given)?.with_index(index.settings());
        let planner = Planner::with_index(Arc::clone(&grid.grid), index).map_err(Failure::index)?;
        Ok(Self::with(settings.applied_to(planner), settings))
    }
}

#[pymethods]
impl PyPlanner {
    #[new]
    #[pyo3(signature = (grid, engine = None, *, threads = None, progress = None, **settings))]
    fn new(
        py: Python<'_>,
        grid: &Bound<'_, PyGrid>,
        engine: Option<&str>,
        threads: Option<i64>,
        progress: Option<Bound<'_, PyAny>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> Result<Self, Raised> {
        let grid = &grid.get().grid;
        let wanted = Wanted::read(engine, &settings::listed(settings)?, grid)?;
        let (planner, settings) = built(py, threads, progress, |options| wanted.build(grid, options))?;
        Ok(Self::with(planner, settings))
    }

    /// The name of the engine. If the map chose it, an edit may change it.
    #[getter]
    fn engine(&self, py: Python<'_>) -> &'static str {
        self.read(py).engine().name()
    }

    /// The settings by name.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let index = self.read(py).index().map(Index::settings);
        settings::write(py, &index.map_or(self.settings, |index| self.settings.with_index(index)))
    }

    /// A copy of the map as it is now.
    #[getter]
    fn grid(&self, py: Python<'_>) -> PyGrid {
        PyGrid { grid: Arc::new(self.read(py).grid().clone()) }
    }

    /// The digest of the index; ``None`` if the engine has none.
    #[getter]
    fn index_digest(&self, py: Python<'_>) -> Option<String> {
        self.read(py).index().map(|index| format!("{:016x}", index.digest()))
    }

    /// Finds a path.
    ///
    /// :param detail: ``"cells"``, ``"waypoints"`` (where the path turns, or fewer) or
    ///     ``"cost"``
    /// :param first: this many steps of the path alone
    /// :param budget: number of nodes after which the search gives up; its status is then
    ///     ``"budget-spent"``
    ///
    /// >>> import farstride as fs
    /// >>> planner = fs.Planner(fs.Grid.empty(30, 20), "astar")
    /// >>> planner.find((0, 0), (5, 2), detail="cost")
    /// Route('found', cost=27720, length=5.82842712474619, 0 cells)
    /// >>> planner.find((0, 0), (29, 19), first=2).path.tolist()
    /// [[0, 0], [1, 1], [2, 2]]
    ///
    /// With ``nearest=True`` a blocked start is replaced by the nearest free cell, and a goal that is
    /// blocked or out of reach by the nearest cell that can be reached, as the crow flies:
    ///
    /// >>> planner = fs.Planner(fs.Grid.from_ascii("...#."))
    /// >>> planner.find((0, 0), (4, 0), nearest=True).goal
    /// (2, 0)
    ///
    /// With ``avoid``, rows ``x, y, width, height``, the path keeps out of these rectangles, as if they were
    /// blocked for this query alone. If the engine's path does not, A* searches around them.
    ///
    /// >>> planner = fs.Planner(fs.Grid.empty(9, 9))
    /// >>> planner.find((0, 4), (8, 4), avoid=[(3, 0, 3, 7)]).length > 8
    /// True
    #[pyo3(signature = (start, goal, *, detail = "cells", first = None, budget = None, nearest = false,
        avoid = None))]
    #[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
    fn find(
        &self,
        py: Python<'_>,
        start: Point,
        goal: Point,
        detail: &str,
        first: Option<u32>,
        budget: Option<u64>,
        nearest: bool,
        avoid: Option<&Bound<'_, PyAny>>,
    ) -> Result<PyRoute, Raised> {
        let detail = ask::detail(detail, first)?;
        let ask = |planner: &Planner| {
            let (start, goal) = (start.on(planner.grid())?, goal.on(planner.grid())?);
            let query = Query::new(start, goal).with_detail(detail).with_budget(budget.unwrap_or(u64::MAX));
            Ok(if nearest { planner.substitute(query)? } else { query })
        };
        let read = |engine, query: Query, outcome: &Outcome<'_>| PyRoute::new(py, engine, outcome, &query);
        match avoid {
            None => self.answer(py, ask, read),
            Some(_) if budget.is_some() => {
                Err(PyValueError::new_err("a search around rectangles has no budget; leave one of them out")
                    .into())
            }
            Some(zones) => self.answer_avoiding(py, ask, zones, read),
        }
    }

    /// Start and goal of a query that has a path: a blocked start is replaced by the nearest free cell, and
    /// a goal that is blocked or out of reach by the nearest cell that can be reached, as the crow flies.
    ///
    /// >>> import farstride as fs
    /// >>> fs.Planner(fs.Grid.from_ascii("#..#.")).substitute((0, 0), (4, 0))
    /// ((1, 0), (2, 0))
    fn substitute(&self, py: Python<'_>, start: Point, goal: Point) -> Result<Ends, Raised> {
        let planner = self.read(py);
        let query = Query::new(start.on(planner.grid())?, goal.on(planner.grid())?);
        let planner = &*planner;
        let Query { start, goal, .. } = py.detach(|| planner.substitute(query))?;
        Ok(((start.x, start.y), (goal.x, goal.y)))
    }

    /// The exact cost of a path; ``None`` if there is none.
    ///
    /// >>> import farstride as fs
    /// >>> planner = fs.Planner(fs.Grid.from_ascii("...#."))
    /// >>> planner.cost((0, 0), (2, 0)), planner.cost((0, 0), (4, 0))
    /// (9512, None)
    fn cost(&self, py: Python<'_>, start: Point, goal: Point) -> Result<Option<u64>, Raised> {
        let ask = |planner: &Planner| {
            let grid = planner.grid();
            Ok(Query::new(start.on(grid)?, goal.on(grid)?).with_detail(Detail::Cost))
        };
        self.answer(py, ask, |_, _, outcome| match outcome {
            Outcome::AlreadyThere => Some(0),
            outcome => outcome.route().map(|route| route.cost().units()),
        })
    }

    /// Answers many queries on all cores.
    ///
    /// :param starts: cells as an array of shape (n, 2)
    /// :param goals: as many goals
    /// :param threads: all cores if not given
    /// :param progress: called with the number of answers and of queries; or ``True``
    ///
    /// The answers are those of :meth:`find`, with any number of threads; see :class:`Routes`.
    #[pyo3(signature = (starts, goals, *, detail = "cells", first = None, threads = None, progress = None))]
    #[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
    fn find_many(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        detail: &str,
        first: Option<u32>,
        threads: Option<i64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Result<PyRoutes, Raised> {
        let (detail, threads) = (ask::detail(detail, first)?, thread_count(threads)?);
        let (starts, goals) = self.pairs(py, starts, goals)?;
        batch::Batch { starts: &starts, goals: &goals, detail, threads }.run(py, || self.lock(), progress)
    }

    /// Exact costs from each of some starts to each of some goals: an array with a row for each
    /// start; -1 where there is no path.
    ///
    /// :param dtype: ``"int64"``, or ``"int32"`` for half the memory; a cost that does not fit
    ///     raises ``OverflowError``, from paths of 300,000 steps on
    ///
    /// With ``labels``, a pair takes a small part of the time of a query.
    ///
    /// >>> import farstride as fs
    /// >>> planner = fs.Planner(fs.Grid.from_ascii("...#."), "labels")
    /// >>> planner.cost_table([(0, 0), (1, 0)], [(2, 0), (4, 0)])
    /// array([[9512,   -1],
    ///        [4756,   -1]])
    #[pyo3(signature = (starts, goals, *, dtype = None, threads = None, progress = None))]
    fn cost_table<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
        dtype: Option<&Bound<'py, PyAny>>,
        threads: Option<i64>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>, Raised> {
        let threads = thread_count(threads)?;
        let is_small = dtype.map_or(Ok(false), table::is_small)?;
        let (starts, goals) = self.ends(py, starts, goals)?;
        let table = Table { starts: &starts, goals: &goals, threads };
        if is_small {
            Ok(table.write::<i32>(py, || self.lock(), progress)?.into_any())
        } else {
            Ok(table.write::<i64>(py, || self.lock(), progress)?.into_any())
        }
    }

    /// The goal that costs least to reach: its number in the list and the path to it;
    /// ``None`` if none can be reached.
    ///
    /// >>> import farstride as fs
    /// >>> planner = fs.Planner(fs.Grid.empty(30, 20))
    /// >>> planner.nearest((0, 0), [(20, 3), (4, 4), (0, 9)])
    /// (1, Route('found', cost=26904, length=5.656854249492381, 5 cells))
    fn nearest(
        &self,
        py: Python<'_>,
        start: Point,
        goals: &Bound<'_, PyAny>,
    ) -> Result<Option<(usize, PyRoute)>, Raised> {
        let goals = rows(goals, 2, "goals")?;
        let mut scratch = self.take_scratch();
        let nearest = (|| {
            let planner = self.read(py);
            let (start, goals) = (start.on(planner.grid())?, cells_on(planner.grid(), &goals)?);
            let planner = &*planner;
            let nearest = py.detach(|| planner.nearest(Query::starting_at(start), &goals, &mut scratch))?;
            let route = |at: usize, outcome: &Outcome<'_>| {
                PyRoute::new(py, planner.engine(), outcome, &Query::new(start, goals[at]))
            };
            Ok(nearest.map(|(at, outcome)| (at, route(at, &outcome))))
        })();
        self.give_back(scratch);
        nearest
    }

    /// A plan that is refined while a unit walks it, and adapts to edits. Iterate over it to
    /// walk; see :class:`Plan`.
    fn plan(slf: &Bound<'_, Self>, start: Point, goal: Point) -> Result<PyPlan, Raised> {
        PyPlan::make(slf, start, goal)
    }

    /// Makes many plans on all cores: a list of :class:`Plan`, those of :meth:`plan`.
    ///
    /// :param starts: cells as an array of shape (n, 2)
    /// :param goals: as many goals
    /// :param threads: all cores if not given
    ///
    /// >>> import farstride as fs
    /// >>> planner = fs.Planner(fs.Grid.empty(30, 20), "hpa")
    /// >>> [next(plan) for plan in planner.plan_many([(0, 0), (9, 9)], [(5, 0), (9, 0)])]
    /// [(1, 0), (9, 8)]
    #[pyo3(signature = (starts, goals, *, threads = None))]
    fn plan_many(
        slf: &Bound<'_, Self>,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        threads: Option<i64>,
    ) -> Result<Vec<PyPlan>, Raised> {
        let threads = thread_count(threads)?;
        PyPlan::make_many(slf, &slf.get().queries(slf.py(), starts, goals)?, threads)
    }

    /// Plans for many units that go to one goal: a list of :class:`Plan`, in the order of the starts. If there
    /// are many, one search from the goal serves all.
    ///
    /// >>> import farstride as fs
    /// >>> planner = fs.Planner(fs.Grid.empty(30, 20), "hpa")
    /// >>> plans = planner.plan_group([(x, 0) for x in range(30)], (15, 19))
    /// >>> {len(list(plan)) for plan in plans}
    /// {19}
    #[pyo3(signature = (starts, goal, *, threads = None))]
    fn plan_group(
        slf: &Bound<'_, Self>,
        starts: &Bound<'_, PyAny>,
        goal: Point,
        threads: Option<i64>,
    ) -> Result<Vec<PyPlan>, Raised> {
        let (py, planner, threads) = (slf.py(), slf.get(), thread_count(threads)?);
        let starts = rows(starts, 2, "starts")?;
        let reader = planner.read(py);
        let (starts, goal) = (cells_on(reader.grid(), &starts)?, goal.on(reader.grid())?);
        drop(reader);
        let made = py.detach(|| planner.lock().plan_group(&starts, goal, threads))?;
        let plan = |(made, &start)| PyPlan::new(slf, Query::new(start, goal), made);
        Ok(made.into_iter().zip(&starts).map(plan).collect())
    }

    /// Takes a step of each plan on all cores, as ``next`` does: an ``int32`` array of shape (n, 2) with
    /// where the units are then, and an array of bools: whether each took a step. If one did not,
    /// :attr:`Plan.state` tells why.
    ///
    /// :param plans: plans of this planner, each once
    /// :param threads: all cores if not given
    ///
    /// >>> import farstride as fs
    /// >>> planner = fs.Planner(fs.Grid.empty(30, 20), "hpa")
    /// >>> plans = planner.plan_group([(15, 17), (15, 19)], (15, 19))
    /// >>> for tick in range(3):
    /// ...     positions, moved = planner.step_many(plans)
    /// ...     print(positions.tolist(), moved.tolist())
    /// [[15, 18], [15, 19]] [True, False]
    /// [[15, 19], [15, 19]] [True, False]
    /// [[15, 19], [15, 19]] [False, False]
    #[pyo3(signature = (plans, *, threads = None))]
    fn step_many<'py>(
        slf: &Bound<'py, Self>,
        plans: Vec<Bound<'py, PyPlan>>,
        threads: Option<i64>,
    ) -> Result<Moves<'py>, Raised> {
        step_many(slf, &plans, thread_count(threads)?)
    }

    /// One search from some goals for any number of units; see :class:`Field`.
    ///
    /// :param goals: cells as an array of shape (n, 2), such as those of :meth:`Grid.beside`
    fn field(slf: &Bound<'_, Self>, goals: &Bound<'_, PyAny>) -> Result<PyField, Raised> {
        let (py, goals) = (slf.py(), rows(goals, 2, "goals")?);
        let goals = cells_on(slf.get().read(py).grid(), &goals)?;
        PyField::new(py, Ground::Planner(slf.clone().unbind()), &goals)
    }

    /// Edits rectangles, one after the other; the index follows before this returns.
    ///
    /// :param changes: rows ``x, y, width, height, weight``; weight 0 blocks. All of them are
    ///     checked before the first is carried out.
    ///
    /// >>> import farstride as fs
    /// >>> planner = fs.Planner(fs.Grid.empty(5, 3), "hpa")
    /// >>> planner.edit([(1, 1, 3, 1, 0), (2, 1, 1, 1, 1)])
    /// >>> planner.grid.to_array()[1]
    /// array([1, 0, 1, 0, 1], dtype=uint8)
    fn edit(&self, py: Python<'_>, changes: &Bound<'_, PyAny>) -> Result<(), Raised> {
        let rows = rows(changes, 5, "changes")?;
        let numbers: Vec<[i64; 5]> = rows.as_slice().map_err(PyErr::from)?.as_chunks::<5>().0.to_vec();
        self.edit_by(py, |grid| numbers.into_iter().map(|numbers| change(grid, numbers)).collect())
    }

    /// Gives the rectangle at a cell the weights of an array, as in :class:`Grid`. Cells that
    /// stay as they are cost nothing.
    ///
    /// >>> import numpy as np
    /// >>> import farstride as fs
    /// >>> planner = fs.Planner(fs.Grid.empty(5, 3), "hpa")
    /// >>> planner.set_weights((3, 1), np.array([[0, 7], [1, 1]], dtype=np.uint8))
    /// >>> planner.grid.to_array()[1]
    /// array([1, 1, 1, 0, 7], dtype=uint8)
    fn set_weights(&self, py: Python<'_>, at: Point, weights: &Bound<'_, PyAny>) -> Result<(), Raised> {
        let part = crate::grid::read(weights)?;
        self.edit_by(py, |grid| batch::differences(grid, at, &part))
    }

    /// Saves the index to a file and returns its size in bytes. The file is replaced as a
    /// whole, or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> Result<u64, Raised> {
        py.detach(|| {
            let planner = self.lock();
            Ok(file::save(&path, index_of(&planner)?, planner.grid())?)
        })
    }

    /// The index as bytes: what :meth:`save` writes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Raised> {
        let bytes = py.detach(|| {
            let planner = self.lock();
            store::save(index_of(&planner)?, planner.grid()).map_err(Failure::index)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Opens the index of a map from a file, mapped into memory: processes share it. The
    /// file must not be changed in place meanwhile; :meth:`save` never does.
    ///
    /// :param trust: skip the proofs that the file is sound; for files of your own
    /// :param copy: read the file instead of mapping it
    /// :param settings: settings of queries, such as ``smooth``
    ///
    /// >>> import farstride as fs, pathlib, tempfile
    /// >>> grid = fs.Grid.empty(40, 30)
    /// >>> file = pathlib.Path(tempfile.mkdtemp(), "map.fsi")
    /// >>> fs.Planner(grid, "hpa").save(file) > 0
    /// True
    /// >>> fs.Planner.open(grid, file)
    /// Planner('hpa', 40 x 30 cells)
    #[staticmethod]
    #[pyo3(signature = (grid, path, *, trust = false, copy = false, **settings))]
    fn open(
        py: Python<'_>,
        grid: &Bound<'_, PyGrid>,
        path: PathBuf,
        trust: bool,
        copy: bool,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> Result<Self, Raised> {
        let map = &grid.get().grid;
        let index = py.detach(|| match (trust, copy) {
            (true, false) => file::open_trusted(&path, map),
            (false, false) => file::open(&path, map),
            (_, true) => file::read(&path, map),
        })?;
        Self::opened(grid.get(), index, settings)
    }

    /// Opens the index of a map from bytes: the way back from :meth:`to_bytes`.
    #[staticmethod]
    #[pyo3(signature = (grid, data, **settings))]
    fn from_bytes(
        py: Python<'_>,
        grid: &Bound<'_, PyGrid>,
        data: &[u8],
        settings: Option<&Bound<'_, PyDict>>,
    ) -> Result<Self, Raised> {
        let (map, bytes) = (&grid.get().grid, Arc::new(data.to_vec()));
        let index = py
            .detach(|| store::open(bytes, map))
            .map_err(|error| Failure::index(farstride_bindings::chain(&error)))?;
        Self::opened(grid.get(), index, settings)
    }

    /// Names of the layers that :meth:`layer` has for this engine.
    #[getter]
    fn layers(&self, py: Python<'_>) -> Vec<&'static str> {
        layers::names(self.read(py).engine()).to_vec()
    }

    /// What the index consists of, as rows of numbers: points ``x, y``, points with a level or
    /// rank ``x, y, level``, lines ``x, y, x, y`` or rectangles ``x, y, width, height``.
    ///
    /// :param level: counted from 1
    /// :param start: of a query, for layers that belong to one
    ///
    /// >>> import farstride as fs
    /// >>> planner = fs.Planner(fs.Grid.empty(64, 32), "hpa", cluster=32)
    /// >>> planner.layer("clusters").tolist()
    /// [[0, 0, 32, 32], [32, 0, 32, 32]]
    #[pyo3(signature = (name, *, level = None, start = None, goal = None))]
    fn layer<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        level: Option<u32>,
        start: Option<Point>,
        goal: Option<Point>,
    ) -> Result<Bound<'py, PyArray2<i32>>, Raised> {
        let mut scratch = self.take_scratch();
        let numbers = (|| {
            let planner = self.read(py);
            let on_map = |point: Option<Point>| point.map(|point| point.on(planner.grid())).transpose();
            let asked = Asked { level, from: on_map(start)?, to: on_map(goal)? };
            layers::layer(&planner, self.settings.tactics(), name, asked, &mut scratch)
        })();
        self.give_back(scratch);
        let numbers = numbers?;
        let width = layers::width(name);
        let count = numbers.len() / width;
        Ok(PyArray1::from_vec(py, numbers).reshape([count, width])?)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let planner = self.read(py);
        let (grid, engine) = (planner.grid(), planner.engine());
        format!("Planner('{engine}', {} x {} cells)", grid.width(), grid.height())
    }

    /// Pickles the map and the index.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Result<(Bound<'py, PyAny>, Restored<'py>), Raised> {
        let (py, planner) = (slf.py(), slf.get());
        let has_index = planner.read(py).index().is_some();
        let bytes = if has_index { Some(planner.to_bytes(py)?) } else { None };
        let restore = py.get_type::<Self>().getattr("_restore")?;
        let grid = Bound::new(py, planner.grid(py))?;
        Ok((restore, (grid, planner.engine(py), bytes, planner.settings(py)?)))
    }

    #[staticmethod]
    fn _restore(
        py: Python<'_>,
        grid: &Bound<'_, PyGrid>,
        engine: &str,
        index: Option<&[u8]>,
        settings: &Bound<'_, PyDict>,
    ) -> Result<Self, Raised> {
        match index {
            Some(index) => Self::from_bytes(py, grid, index, Some(settings)),
            None => Self::new(py, grid, Some(engine), None, None, Some(settings)),
        }
    }
}

/// What a pickled planner is restored from.
type Restored<'py> = (Bound<'py, PyGrid>, &'static str, Option<Bound<'py, PyBytes>>, Bound<'py, PyDict>);

/// A start and a goal.
type Ends = ((u16, u16), (u16, u16));

fn index_of(planner: &Planner) -> Result<&Index, Failure> {
    let none = || Failure::index(format!("engine {} has no index to save", planner.engine()));
    planner.index().ok_or_else(none)
}
