//! Numbers from Python, and arrays for it.

use crate::failure::Raised;
use farstride::{Cell, Grid};
use farstride_bindings::{Failure, cells};
use numpy::ndarray::Dimension;
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray1,
    PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFrozenSet, PySet, PyTuple};

/// A cell as a pair of whole numbers, wherever it may lie.
#[derive(Clone, Copy)]
pub(crate) struct Point(pub(crate) i64, pub(crate) i64);

impl<'py> FromPyObject<'_, 'py> for Point {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(pair) = object.cast::<PyTuple>()
            && let Ok((x, y)) = pair.extract::<(i64, i64)>()
        {
            return Ok(Self(x, y));
        }
        // Also lists, and rows of arrays; whole numbers of NumPy among them.
        let expected = || {
            let found = object.repr().map_or_else(|_| String::new(), |repr| repr.to_string());
            PyTypeError::new_err(format!("a cell is a pair of whole numbers (x, y), found {found}"))
        };
        // A set has no first and no last.
        if object.is_instance_of::<PySet>()
            || object.is_instance_of::<PyFrozenSet>()
            || object.is_instance_of::<PyDict>()
        {
            return Err(expected());
        }
        let items: Vec<Bound<'py, PyAny>> =
            object.try_iter().and_then(Iterator::collect).map_err(|_| expected())?;
        match &items[..] {
            [x, y] => {
                let x = x.extract().map_err(|_| expected())?;
                Ok(Self(x, y.extract().map_err(|_| expected())?))
            }
            _ => Err(expected()),
        }
    }
}

impl Point {
    pub(crate) fn on(self, grid: &Grid) -> Result<Cell, Failure> {
        farstride_bindings::cell(grid, self.0, self.1)
    }
}

/// `numpy.asarray` of anything.
pub(crate) fn as_array<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    static AS_ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    if let Ok(array) = object.cast::<PyUntypedArray>() {
        if !array.is_exact_instance_of::<PyUntypedArray>() && array.hasattr("mask")? {
            let message = "masked arrays are not taken: say what masked cells are, by array.filled(…)";
            return Err(PyTypeError::new_err(message));
        }
        return Ok(array.clone());
    }
    let as_array = AS_ARRAY.import(object.py(), "numpy", "asarray")?;
    Ok(as_array.call1((object,))?.cast_into::<PyUntypedArray>()?)
}

/// The kind of an array's numbers, as NumPy calls it: `b`, `i`, `u`, `f`, …
pub(crate) fn kind(array: &Bound<'_, PyUntypedArray>) -> char {
    char::from(array.dtype().kind())
}

/// The array with numbers of another type, in one piece of memory, in order and aligned, which
/// buffers from a network are not.
pub(crate) fn converted<'py>(array: &Bound<'py, PyUntypedArray>, to: &str) -> PyResult<Bound<'py, PyAny>> {
    static REQUIRE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    REQUIRE.import(array.py(), "numpy", "require")?.call1((array, to, ["C", "A"]))
}

/// Whole numbers in rows of a given width.
pub(crate) fn rows<'py>(
    object: &Bound<'py, PyAny>,
    width: usize,
    what: &str,
) -> PyResult<PyReadonlyArray2<'py, i64>> {
    let array = as_array(object)?;
    if array.is_empty() && array.ndim() <= 2 {
        // An empty list has no whole numbers, and no rows.
        return Ok(PyArray2::<i64>::zeros(object.py(), [0, width], false).readonly());
    }
    let shape = array.shape();
    if shape.len() != 2 || shape[1] != width {
        return Err(PyValueError::new_err(format!(
            "{what} come as an array of shape (n, {width}), found shape {}",
            shown(shape)
        )));
    }
    Ok(whole(&array, what)?.cast_into::<PyArray2<i64>>()?.readonly())
}

/// Whole numbers in a line.
pub(crate) fn line<'py>(object: &Bound<'py, PyAny>, what: &str) -> PyResult<PyReadonlyArray1<'py, i64>> {
    let array = as_array(object)?;
    if array.is_empty() && array.ndim() == 1 {
        return Ok(PyArray1::<i64>::zeros(object.py(), [0], false).readonly());
    }
    if array.ndim() != 1 {
        let shape = shown(array.shape());
        return Err(PyValueError::new_err(format!(
            "{what} come as an array of shape (n,), found shape {shape}"
        )));
    }
    Ok(whole(&array, what)?.cast_into::<PyArray1<i64>>()?.readonly())
}

/// The array as `int64`, if it has whole numbers.
fn whole<'py>(array: &Bound<'py, PyUntypedArray>, what: &str) -> PyResult<Bound<'py, PyAny>> {
    match (kind(array), array.dtype().itemsize()) {
        // Too large a number must not come out as one below zero.
        ('u', 8) => {
            let least = array.call_method1("clip", (0, i64::MAX))?;
            converted(&least.cast_into::<PyUntypedArray>()?, "int64")
        }
        ('i' | 'u', _) => converted(array, "int64"),
        _ => {
            let found = array.dtype();
            Err(PyTypeError::new_err(format!("{what} are whole numbers, found an array of {found}")))
        }
    }
}

/// An array of zeros of any size: if there is no memory for it, that is an exception.
pub(crate) fn zeros<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    shape: impl IntoPyObject<'py>,
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    static ZEROS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let array = ZEROS.import(py, "numpy", "zeros")?.call1((shape, dtype::<T>(py)))?;
    Ok(array.cast_into::<PyArray<T, D>>()?)
}

/// A shape as Python shows it.
pub(crate) fn shown(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Cells of a map from an array of shape (n, 2). It is copied, so that no other thread can
/// change it any more.
pub(crate) fn cells_on(grid: &Grid, pairs: &PyReadonlyArray2<'_, i64>) -> Result<Vec<Cell>, Raised> {
    let pairs = pairs.as_slice().map_err(PyErr::from)?.as_chunks::<2>().0;
    Ok(cells(grid, pairs.iter().copied())?)
}

/// Cells as an array of shape (n, 2).
pub(crate) fn cell_array<'py>(py: Python<'py>, cells: &[Cell]) -> Bound<'py, PyArray2<i32>> {
    let array = PyArray2::<i32>::zeros(py, [cells.len(), 2], false);
    if let Ok(pairs) = array.readwrite().as_slice_mut() {
        write_cells(cells, pairs.as_chunks_mut::<2>().0);
    }
    array
}

/// Writes cells as pairs.
pub(crate) fn write_cells(cells: &[Cell], pairs: &mut [[i32; 2]]) {
    for (cell, pair) in cells.iter().zip(pairs) {
        *pair = [cell.x.into(), cell.y.into()];
    }
}
