//! Orders to many units: one search from the goal serves all of them.

use crate::arrays::{Point, cell_array, rows};
use crate::atlas::PyAtlas;
use crate::failure::Raised;
use crate::planner::PyPlanner;
use farstride::atlas::FloorId;
use farstride::{Cell, Cost, Field, Planner};
use farstride_bindings::Failure;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// One search from a goal, or from several, for any number of units: the cost to the nearest goal, the next
/// step, or the whole path, from any cell.
///
/// Paths are shortest, whatever the engine. The search goes only as far as the farthest cell that was asked
/// about. After an edit of the map it begins again.
///
/// >>> import farstride as fs
/// >>> planner = fs.Planner(fs.Grid.from_ascii("....#.\n.##.#.\n......"))
/// >>> field = planner.field([(5, 1), (4, 2)])
/// >>> field.next((0, 0)), field.cost((0, 0)), field.next((4, 2))
/// ((1, 0), 28536, None)
/// >>> field.path((3, 0)).tolist()
/// [[3, 0], [3, 1], [3, 2], [4, 2]]
/// >>> field.costs([(5, 1), (4, 0), (5, 0)])
/// array([   0,   -1, 4756])
#[pyclass(name = "Field", module = "farstride", frozen)]
pub(crate) struct PyField {
    ground: Ground,
    field: Mutex<Field>,
}

/// Whose map a field lies on.
pub(crate) enum Ground {
    Planner(Py<PyPlanner>),
    Floor { atlas: Py<PyAtlas>, mover: i64, floor: FloorId },
}

impl Ground {
    /// Runs work with the planner, without Python's lock.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Planner) -> Result<T, Failure> + Send,
    ) -> Result<T, Failure> {
        match self {
            Self::Planner(planner) => {
                let planner = planner.get();
                py.detach(|| work(&planner.lock()))
            }
            &Self::Floor { ref atlas, mover, floor } => {
                let atlas = atlas.get();
                py.detach(|| atlas.with_planner(mover, floor, work))
            }
        }
    }
}

impl PyField {
    pub(crate) fn new(py: Python<'_>, ground: Ground, goals: &[Cell]) -> Result<Self, Raised> {
        let field = ground.with(py, |planner| Ok(Field::new(planner, goals)?))?;
        Ok(Self { ground, field: Mutex::new(field) })
    }

    /// Asks the field; threads wait for each other without Python's lock.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&Planner, &mut Field) -> Result<T, Failure> + Send,
    ) -> Result<T, Raised> {
        let answer =
            |planner: &Planner| ask(planner, &mut self.field.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(self.ground.with(py, answer)?)
    }
}

#[pymethods]
impl PyField {
    /// The exact cost from a cell to the nearest goal; ``None`` if it is blocked or no goal can be
    /// reached.
    fn cost(&self, py: Python<'_>, start: Point) -> Result<Option<u64>, Raised> {
        let cost = self.ask(py, |planner, field| Ok(field.cost(planner, start.on(planner.grid())?)?))?;
        Ok(cost.map(Cost::units))
    }

    /// The exact costs from many cells, given as an array of shape (n, 2); -1 where there is no path.
    fn costs<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyArray1<i64>>, Raised> {
        let starts = rows(starts, 2, "starts")?;
        let starts: Vec<[i64; 2]> = starts.as_slice().map_err(PyErr::from)?.as_chunks::<2>().0.to_vec();
        let costs = self.ask(py, |planner, field| {
            let cost = |&[x, y]: &[i64; 2]| {
                let cost = field.cost(planner, Point(x, y).on(planner.grid())?)?;
                Ok(cost.map_or(-1, |cost| cost.units() as i64))
            };
            starts.iter().map(cost).collect::<Result<Vec<_>, Failure>>()
        })?;
        Ok(PyArray1::from_vec(py, costs))
    }

    /// The next cell on a shortest path to the nearest goal; ``None`` at a goal, at a blocked cell, or if
    /// no goal can be reached.
    fn next(&self, py: Python<'_>, start: Point) -> Result<Option<(u16, u16)>, Raised> {
        let next = self.ask(py, |planner, field| Ok(field.next(planner, start.on(planner.grid())?)?))?;
        Ok(next.map(|cell| (cell.x, cell.y)))
    }

    /// A shortest path to the nearest goal, as an ``int32`` array of shape (n, 2), both ends included; empty
    /// if there is none.
    fn path<'py>(&self, py: Python<'py>, start: Point) -> Result<Bound<'py, PyArray2<i32>>, Raised> {
        let path = self.ask(py, |planner, field| {
            let mut path = Vec::new();
            field.path_into(planner, start.on(planner.grid())?, &mut path)?;
            Ok(path)
        })?;
        Ok(cell_array(py, &path))
    }

    /// The goals, as an array of shape (n, 2).
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i32>> {
        let goals = py.detach(|| self.field.lock().unwrap_or_else(PoisonError::into_inner).goals().to_vec());
        cell_array(py, &goals)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let count = py.detach(|| self.field.lock().unwrap_or_else(PoisonError::into_inner).goals().len());
        format!("Field({count} goals)")
    }
}
