//! Answers.

use crate::arrays::cell_array;
use farstride::{Detail, Engine, Outcome, Query};
use farstride_bindings::{FORMS, Status, flat_path};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

/// The answer to a query.
///
/// It is true if there is a path, also if start and goal are the same cell.
///
/// >>> import farstride as fs
/// >>> planner = fs.Planner(fs.Grid.from_ascii("...\n.#.\n..."))
/// >>> route = planner.find((0, 1), (2, 1))
/// >>> route
/// Route('found', cost=19024, length=4.0, 5 cells)
/// >>> route.path.tolist()
/// [[0, 1], [0, 2], [1, 2], [2, 2], [2, 1]]
/// >>> planner.find((0, 1), (1, 1)).status
/// 'goal-blocked'
#[pyclass(name = "Route", module = "farstride", frozen)]
pub(crate) struct PyRoute {
    status: Status,
    /// The exact cost; ``None`` if there is no path.
    #[pyo3(get)]
    cost: Option<u64>,
    /// The length in straight steps, times weights; ``None`` if there is no path.
    #[pyo3(get)]
    length: Option<f64>,
    /// Where the path starts: another cell than asked for only with ``nearest=True``.
    #[pyo3(get)]
    start: (u16, u16),
    /// Where it ends.
    #[pyo3(get)]
    goal: (u16, u16),
    form: &'static str,
    path: Py<PyArray2<i32>>,
}

impl PyRoute {
    pub(crate) fn new(py: Python<'_>, engine: Engine, outcome: &Outcome<'_>, query: &Query) -> Self {
        let &Query { start, goal, detail, .. } = query;
        let mut memory = Vec::new();
        let status = Status::of(outcome);
        let (cost, length, form, cells) = match outcome {
            Outcome::Found(route) => {
                let (cells, form) = flat_path(engine, route.path(), &mut memory);
                (Some(route.cost().units()), Some(route.length()), form, cells)
            }
            Outcome::AlreadyThere if detail == Detail::Cost => (Some(0), Some(0.0), "omitted", &[][..]),
            Outcome::AlreadyThere => (Some(0), Some(0.0), "cells", &[start][..]),
            _ => (None, None, "omitted", &[][..]),
        };
        let path = cell_array(py, cells).unbind();
        Self { status, cost, length, start: (start.x, start.y), goal: (goal.x, goal.y), form, path }
    }
}

#[pymethods]
impl PyRoute {
    /// ``"found"``, ``"already-there"``, ``"start-blocked"``, ``"goal-blocked"``,
    /// ``"unreachable"`` or ``"budget-spent"``.
    #[getter]
    fn status(&self) -> &'static str {
        self.status.name()
    }

    /// The cells of the path as an ``int32`` array of shape (n, 2), start and goal included;
    /// empty if there is none, or only the cost was asked for.
    #[getter]
    fn path(&self, py: Python<'_>) -> Py<PyArray2<i32>> {
        self.path.clone_ref(py)
    }

    /// What the path lists: ``"cells"`` one step apart, ``"points"`` in line of sight (engines
    /// for any angle), ``"waypoints"``, ``"halves"`` (turning points of ``straight``, in half
    /// cells: divide by 2), or ``"omitted"`` for nothing.
    #[getter]
    const fn form(&self) -> &'static str {
        self.form
    }

    fn __bool__(&self) -> bool {
        self.cost.is_some()
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.path.bind(py).dims()[0]
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let status = self.status.name();
        match self.cost.zip(self.length) {
            Some((cost, length)) => {
                let (count, form) =
                    (self.__len__(py), if self.form == "omitted" { "cells" } else { self.form });
                format!("Route('{status}', cost={cost}, length={length:?}, {count} {form})")
            }
            None => format!("Route('{status}')"),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Parts)> {
        let (py, route) = (slf.py(), slf.get());
        let &Self { status, cost, length, start, goal, form, .. } = route;
        let parts = (status as u8, cost, length, start, goal, form.to_owned(), route.path(py));
        Ok((py.get_type::<Self>().getattr("_restore")?, parts))
    }

    #[staticmethod]
    fn _restore(
        status: u8,
        cost: Option<u64>,
        length: Option<f64>,
        start: (u16, u16),
        goal: (u16, u16),
        form: &str,
        path: Py<PyArray2<i32>>,
    ) -> PyResult<Self> {
        let known = Status::ALL.get(usize::from(status)).zip(FORMS.into_iter().find(|&known| known == form));
        let (&status, form) = known.ok_or_else(|| PyValueError::new_err("no route was pickled here"))?;
        Ok(Self { status, cost, length, start, goal, form, path })
    }
}

/// What a pickled route is restored from.
type Parts = (u8, Option<u64>, Option<f64>, (u16, u16), (u16, u16), String, Py<PyArray2<i32>>);

/// The answers to many queries, in arrays.
///
/// ``routes[i]`` is the path of query ``i``: a view of :attr:`path`, not a copy.
///
/// >>> import numpy as np
/// >>> import farstride as fs
/// >>> planner = fs.Planner(fs.Grid.empty(30, 20))
/// >>> routes = planner.find_many(np.array([[0, 0], [5, 5]]), np.array([[3, 0], [5, 9]]))
/// >>> routes
/// Routes(2 queries, 2 with a path, 9 cells)
/// >>> routes.cost.tolist()
/// [14268, 19024]
/// >>> routes[0].tolist()
/// [[0, 0], [1, 0], [2, 0], [3, 0]]
#[pyclass(name = "Routes", module = "farstride", frozen, sequence)]
pub(crate) struct PyRoutes {
    /// How each query ended, as a number; ``farstride.STATUSES`` has the names.
    #[pyo3(get)]
    pub(crate) status: Py<PyArray1<u8>>,
    /// The exact cost of each path; -1 if there is none.
    #[pyo3(get)]
    pub(crate) cost: Py<PyArray1<i64>>,
    /// The length of each path in straight steps, times weights; ``nan`` if there is none.
    #[pyo3(get)]
    pub(crate) length: Py<PyArray1<f64>>,
    /// The cells of all paths, one after the other: an ``int32`` array of shape (n, 2); with
    /// ``straight``, turning points in half cells.
    #[pyo3(get)]
    pub(crate) path: Py<PyArray2<i32>>,
    /// Path ``i`` is ``path[offsets[i]:offsets[i + 1]]``.
    #[pyo3(get)]
    pub(crate) offsets: Py<PyArray1<i64>>,
}

#[pymethods]
impl PyRoutes {
    fn __len__(&self, py: Python<'_>) -> usize {
        self.status.bind(py).dims()[0]
    }

    fn __getitem__<'py>(&self, py: Python<'py>, at: isize) -> PyResult<Bound<'py, PyAny>> {
        let count = self.__len__(py);
        let from_end = if at < 0 { at.checked_add_unsigned(count) } else { Some(at) };
        let at = from_end.and_then(|at| usize::try_from(at).ok()).filter(|&at| at < count);
        let at = at.ok_or_else(|| PyIndexError::new_err(format!("there are {count} queries")))?;
        let offset = |at: usize| self.offsets.bind(py).get_item(at);
        let slice = py.get_type::<pyo3::types::PySlice>().call1((offset(at)?, offset(at + 1)?))?;
        self.path.bind(py).get_item(slice)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let found = self
            .cost
            .bind(py)
            .readonly()
            .as_slice()
            .map_err(PyErr::from)?
            .iter()
            .filter(|&&cost| cost >= 0)
            .count();
        let (count, cells) = (self.__len__(py), self.path.bind(py).dims()[0]);
        Ok(format!("Routes({count} queries, {found} with a path, {cells} cells)"))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Arrays)> {
        let (py, routes) = (slf.py(), slf.get());
        let Self { status, cost, length, path, offsets } = routes;
        let arrays = (
            status.clone_ref(py),
            cost.clone_ref(py),
            length.clone_ref(py),
            path.clone_ref(py),
            offsets.clone_ref(py),
        );
        Ok((py.get_type::<Self>().getattr("_restore")?, arrays))
    }

    #[staticmethod]
    fn _restore(
        status: Py<PyArray1<u8>>,
        cost: Py<PyArray1<i64>>,
        length: Py<PyArray1<f64>>,
        path: Py<PyArray2<i32>>,
        offsets: Py<PyArray1<i64>>,
    ) -> Self {
        Self { status, cost, length, path, offsets }
    }
}

/// What pickled routes are restored from.
type Arrays = (Py<PyArray1<u8>>, Py<PyArray1<i64>>, Py<PyArray1<f64>>, Py<PyArray2<i32>>, Py<PyArray1<i64>>);
