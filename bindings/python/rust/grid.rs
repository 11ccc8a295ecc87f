//! Maps.

use crate::arrays::{Point, as_array, cell_array, converted, kind, shown};
use crate::failure::Raised;
use farstride::{Cell, Grid, Rules};
use farstride_bindings::{
    Failure, area, diagonal_cost, diagonal_cost_name, diagonals, diagonals_name, load_map, read_map,
};
use farstride_io::movingai;
use numpy::{PyArray1, PyArray2, PyArrayDescrMethods, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use std::path::PathBuf;
use std::sync::Arc;

/// A map of square cells, blocked or free, with a weight for each.
///
/// Cells are pairs ``(x, y)``: the column first, then the row, both from 0. In an array,
/// the row comes first: cell ``(x, y)`` is ``array[y, x]``.
///
/// A boolean array says which cells are free. An array of whole numbers from 0 to 255 says
/// what entering a cell costs, in steps; 0 is blocked.
///
/// :param cells: a two-dimensional array; it is copied
/// :param diagonals: which diagonal steps are legal: ``"strict"`` (both cells beside the
///     step have to be free), ``"one-side"`` (one of them), ``"free"`` or ``"none"``
/// :param diagonal_cost: ``"sqrt2"``, or ``"1.42"`` as in the HPA* paper
///
/// >>> import numpy as np
/// >>> import farstride as fs
/// >>> cells = np.ones((3, 5), dtype=bool)
/// >>> cells[1, 1:4] = False
/// >>> grid = fs.Grid(cells)
/// >>> grid
/// Grid(5 x 3 cells, 12 free, diagonals='strict')
/// >>> grid.is_free((1, 1))
/// False
#[pyclass(name = "Grid", module = "farstride", frozen)]
pub(crate) struct PyGrid {
    pub(crate) grid: Arc<Grid>,
}

impl PyGrid {
    fn under(grid: Grid, rule: &str, cost: &str) -> Result<Self, Raised> {
        let rules = Rules { diagonals: diagonals(rule)?, diagonal_cost: diagonal_cost(cost)? };
        Ok(Self { grid: Arc::new(grid.with_rules(rules)) })
    }
}

/// A map from an array.
pub(crate) fn read(cells: &Bound<'_, PyAny>) -> Result<Grid, Raised> {
    let array = as_array(cells)?;
    let &[height, width] = array.shape() else {
        let shape = shown(array.shape());
        return Err(PyValueError::new_err(format!(
            "a map is an array of shape (rows, columns), found shape {shape}"
        ))
        .into());
    };
    Grid::check_size(width, height).map_err(Failure::map)?;
    match kind(&array) {
        'b' => {}
        'u' if array.dtype().itemsize() == 1 => {}
        'i' | 'u' => {
            let end = |name: &str| array.call_method0(name)?.extract::<i128>();
            let (least, most) = (end("min")?, end("max")?);
            if least < 0 || most > 255 {
                let wrong = if least < 0 { least } else { most };
                return Err(Failure::map(format!("weight is {wrong}; expected 0 (blocked) to 255")).into());
            }
        }
        _ => {
            let found = array.dtype();
            return Err(PyTypeError::new_err(format!(
                "a map is an array of bool (free cells) or uint8 (weights, 0 is blocked), found {found}"
            ))
            .into());
        }
    }
    let bytes = converted(&array, "uint8")?.cast_into::<PyArray2<u8>>().map_err(PyErr::from)?.readonly();
    let bytes = bytes.as_slice().map_err(PyErr::from)?;
    Ok(Grid::from_weights(width, height, bytes).map_err(Failure::map)?)
}

#[pymethods]
impl PyGrid {
    #[new]
    #[pyo3(signature = (cells, *, diagonals = "strict", diagonal_cost = "sqrt2"))]
    fn new(cells: &Bound<'_, PyAny>, diagonals: &str, diagonal_cost: &str) -> Result<Self, Raised> {
        Self::under(read(cells)?, diagonals, diagonal_cost)
    }

    /// A map whose cells are all free.
    ///
    /// >>> import farstride as fs
    /// >>> fs.Grid.empty(20, 10).shape
    /// (10, 20)
    #[staticmethod]
    #[pyo3(signature = (width, height, *, diagonals = "strict", diagonal_cost = "sqrt2"))]
    fn empty(width: i64, height: i64, diagonals: &str, diagonal_cost: &str) -> Result<Self, Raised> {
        if width < 0 || height < 0 {
            let most = Grid::MAX_SIDE;
            let message = format!("map of {width} x {height} cells: each side must be between 1 and {most}");
            return Err(Failure::map(message).into());
        }
        let grid = Grid::empty(width as usize, height as usize).map_err(Failure::map)?;
        Self::under(grid, diagonals, diagonal_cost)
    }

    /// A map drawn with ``.`` for free and ``#`` for blocked cells; digits are weights.
    ///
    /// >>> import farstride as fs
    /// >>> fs.Grid.from_ascii("..#\n.5.").weight((1, 1))
    /// 5
    #[staticmethod]
    #[pyo3(signature = (text, *, diagonals = "strict", diagonal_cost = "sqrt2"))]
    fn from_ascii(text: &str, diagonals: &str, diagonal_cost: &str) -> Result<Self, Raised> {
        Self::under(Grid::from_ascii(text).map_err(Failure::map)?, diagonals, diagonal_cost)
    }

    /// A map from the bytes of a file; see :meth:`load`.
    #[staticmethod]
    #[pyo3(signature = (data, *, terrain = "", diagonals = "strict", diagonal_cost = "sqrt2"))]
    fn from_bytes(data: &[u8], terrain: &str, diagonals: &str, diagonal_cost: &str) -> Result<Self, Raised> {
        Self::under(read_map(data, terrain)?, diagonals, diagonal_cost)
    }

    /// Loads a map: the MovingAI format, or a grey PNG or PGM image of weights.
    ///
    /// :param terrain: other meanings of letters of a MovingAI map, as in ``"S=5,W=blocked"``
    ///
    /// >>> import farstride as fs, pathlib, tempfile
    /// >>> file = pathlib.Path(tempfile.mkdtemp(), "small.map")
    /// >>> _ = file.write_text("type octile\nheight 1\nwidth 3\nmap\n.@S\n")
    /// >>> fs.Grid.load(file).free_count
    /// 2
    /// >>> fs.Grid.load(file, terrain="S=7").weight((2, 0))
    /// 7
    #[staticmethod]
    #[pyo3(signature = (path, *, terrain = "", diagonals = "strict", diagonal_cost = "sqrt2"))]
    fn load(path: PathBuf, terrain: &str, diagonals: &str, diagonal_cost: &str) -> Result<Self, Raised> {
        Self::under(load_map(&path, terrain)?, diagonals, diagonal_cost)
    }

    /// Number of columns.
    #[getter]
    fn width(&self) -> usize {
        self.grid.width()
    }

    /// Number of rows.
    #[getter]
    fn height(&self) -> usize {
        self.grid.height()
    }

    /// Rows and columns: the shape of :meth:`to_array`.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.grid.height(), self.grid.width())
    }

    /// Number of free cells.
    #[getter]
    fn free_count(&self) -> usize {
        self.grid.free_count()
    }

    /// Whether a free cell weighs more than 1.
    #[getter]
    fn has_weights(&self) -> bool {
        !self.grid.is_uniform()
    }

    /// Which diagonal steps are legal.
    #[getter]
    fn diagonals(&self) -> &'static str {
        diagonals_name(self.grid.rules().diagonals)
    }

    /// What diagonal steps cost.
    #[getter]
    fn diagonal_cost(&self) -> &'static str {
        diagonal_cost_name(self.grid.rules().diagonal_cost)
    }

    /// What a straight step between cells of weight 1 costs. Divide costs by it to get
    /// lengths in steps.
    #[getter]
    fn straight_cost(&self) -> u64 {
        self.grid.rules().diagonal_cost.straight().units()
    }

    /// What a diagonal step between cells of weight 1 costs.
    #[getter]
    fn diagonal_step_cost(&self) -> u64 {
        self.grid.rules().diagonal_cost.diagonal().units()
    }

    /// A number that equal maps share, as the command line prints it.
    #[getter]
    fn digest(&self) -> String {
        format!("{:016x}", self.grid.digest())
    }

    /// Whether a cell is free. Cells off the map are not.
    fn is_free(&self, cell: Point) -> bool {
        cell.on(&self.grid).is_ok_and(|cell| self.grid.is_free(cell))
    }

    /// The free cells around a rectangle that touch it, as an array of shape (n, 2): goals for
    /// :meth:`Planner.nearest` or :meth:`Planner.field`, to go beside a building.
    ///
    /// >>> import farstride as fs
    /// >>> fs.Grid.from_ascii("....\n.##.\n...#").beside(1, 1, 2, 1).tolist()
    /// [[0, 0], [1, 0], [2, 0], [3, 0], [0, 1], [3, 1], [0, 2], [1, 2], [2, 2]]
    fn beside<'py>(
        &self,
        py: Python<'py>,
        x: i64,
        y: i64,
        width: i64,
        height: i64,
    ) -> Result<Bound<'py, PyArray2<i32>>, Raised> {
        let area = area(&self.grid, [x, y, width, height])?;
        Ok(cell_array(py, &self.grid.beside(area).collect::<Vec<_>>()))
    }

    /// The weight of a cell; 0 if it is blocked.
    fn weight(&self, cell: Point) -> Result<u8, Raised> {
        Ok(weight(&self.grid, cell.on(&self.grid)?))
    }

    /// Whether a path joins two cells. Takes no search.
    ///
    /// >>> import farstride as fs
    /// >>> fs.Grid.from_ascii(".#.").is_connected((0, 0), (2, 0))
    /// False
    fn is_connected(&self, a: Point, b: Point) -> Result<bool, Raised> {
        let (a, b) = (a.on(&self.grid)?, b.on(&self.grid)?);
        Ok(self.grid.is_free(a) && self.grid.is_free(b) && self.grid.is_connected(a, b))
    }

    /// Whether the straight line between the centres of two cells is free.
    fn line_of_sight(&self, a: Point, b: Point) -> Result<bool, Raised> {
        let (a, b) = (a.on(&self.grid)?, b.on(&self.grid)?);
        Ok(self.grid.is_free(a) && self.grid.is_free(b) && self.grid.line_of_sight(a, b))
    }

    /// The weights as an array of ``uint8`` of shape (rows, columns); 0 is blocked.
    ///
    /// >>> import farstride as fs
    /// >>> fs.Grid.from_ascii("..#\n.5.").to_array()
    /// array([[1, 1, 0],
    ///        [1, 5, 1]], dtype=uint8)
    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let bytes: Vec<u8> = self.grid.area().cells().map(|cell| weight(&self.grid, cell)).collect();
        PyArray1::from_vec(py, bytes).reshape([self.grid.height(), self.grid.width()])
    }

    /// The map as :meth:`from_ascii` reads it; weights above 9 are shown as 9.
    fn to_ascii(&self) -> String {
        self.grid.to_ascii()
    }

    /// The map in the MovingAI format; weights are lost.
    fn to_movingai(&self) -> String {
        movingai::write_map(&self.grid)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.grid == other.get().grid)
    }

    fn __hash__(&self) -> u64 {
        self.grid.digest()
    }

    fn __repr__(&self) -> String {
        let (grid, weights) = (&self.grid, if self.has_weights() { ", with weights" } else { "" });
        let (width, height, free) = (grid.width(), grid.height(), grid.free_count());
        format!("Grid({width} x {height} cells, {free} free{weights}, diagonals='{}')", self.diagonals())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Restored<'py>)> {
        let (py, grid) = (slf.py(), slf.get());
        let rules = PyDict::new(py);
        rules.set_item("diagonals", grid.diagonals())?;
        rules.set_item("diagonal_cost", grid.diagonal_cost())?;
        Ok((py.get_type::<Self>().getattr("_restore")?, (grid.to_array(py)?, rules)))
    }

    #[classmethod]
    fn _restore<'py>(
        class: &Bound<'py, PyType>,
        cells: Bound<'py, PyAny>,
        rules: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        class.call((cells,), Some(rules))
    }
}

/// What a pickled map is restored from.
type Restored<'py> = (Bound<'py, PyArray2<u8>>, Bound<'py, PyDict>);

fn weight(grid: &Grid, cell: Cell) -> u8 {
    if grid.is_free(cell) { grid.weight(cell) } else { 0 }
}
