//! Floors from the files that people have.

use crate::arrays::Point;
use crate::failure::Raised;
use farstride::Cell;
use farstride::atlas::Floor;
use farstride_bindings::Failure;
use farstride_io::worlds::{self, Legend, RosMap};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::path::PathBuf;

/// The classes of a floor, as an array.
pub(crate) fn class_array<'py>(py: Python<'py>, floor: &Floor) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let classes: Vec<u8> = floor.area().cells().filter_map(|cell| floor.class(cell)).collect();
    PyArray1::from_vec(py, classes).reshape([floor.height(), floor.width()])
}

/// Loads a floor of terrain classes from an image (PNG or PGM), for :class:`Atlas`: an array of ``uint8``.
///
/// :param legend: ``"grey"``: the grey level is the class; ``"palette"``: the number in the palette is; or
///     a dictionary from colours to classes, as in ``{"#00ff00": 1, "#0000ff": 2}``
///
/// >>> import farstride as fs, pathlib, tempfile
/// >>> file = pathlib.Path(tempfile.mkdtemp(), "floor.pgm")
/// >>> _ = file.write_bytes(b"P2 3 2 9  1 0 1  5 5 1")
/// >>> fs.load_floor(file)
/// array([[1, 0, 1],
///        [5, 5, 1]], dtype=uint8)
#[pyfunction]
#[pyo3(signature = (path, *, legend = None))]
pub(crate) fn load_floor<'py>(
    py: Python<'py>,
    path: PathBuf,
    legend: Option<&Bound<'py, PyAny>>,
) -> Result<Bound<'py, PyArray2<u8>>, Raised> {
    let colours = legend.map(colours).transpose()?.flatten();
    let name = legend.and_then(|legend| legend.cast::<PyString>().ok()).map(ToString::to_string);
    let legend = match (name.as_deref(), &colours) {
        (_, Some(colours)) => Legend::Colours(colours),
        (None | Some("grey"), None) => Legend::Grey,
        (Some("palette"), None) => Legend::Palette,
        (Some(other), None) => {
            let message =
                format!("legend is '{other}'; expected 'grey', 'palette' or a dictionary of colours");
            return Err(PyValueError::new_err(message).into());
        }
    };
    let floor = py.detach(|| worlds::load_floor(&path, legend)).map_err(Failure::from)?;
    Ok(class_array(py, &floor)?)
}

/// A colour (red, green, blue) and its class.
type Entry = ([u8; 3], u8);

/// The classes of colours; `None` if it is the name of a legend.
fn colours(legend: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Entry>>> {
    if legend.is_instance_of::<PyString>() {
        return Ok(None);
    }
    let Ok(legend) = legend.cast::<PyDict>() else {
        let message = format!("legend is {legend}; expected 'grey', 'palette' or a dictionary of colours");
        return Err(PyTypeError::new_err(message));
    };
    let entry = |(colour, class): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let text = colour.str()?.to_string();
        let hex = text.strip_prefix('#').filter(|hex| hex.len() == 6 && hex.is_ascii());
        let part = |at: usize| u8::from_str_radix(&hex?[at..at + 2], 16).ok();
        let (Some(red), Some(green), Some(blue)) = (part(0), part(2), part(4)) else {
            return Err(PyValueError::new_err(format!("colour is '{text}'; expected as in '#00ff7f'")));
        };
        let number: i64 = class.extract()?;
        let class = u8::try_from(number)
            .map_err(|_| PyValueError::new_err(format!("class is {number}; expected 0 to 255")))?;
        Ok(([red, green, blue], class))
    };
    legend.iter().map(entry).collect::<PyResult<_>>().map(Some)
}

/// An occupancy map of ROS (``map_server``): a ``.yaml`` file and its image. It knows where its cells lie in the
/// world, in metres; y goes up there.
///
/// >>> import farstride as fs, pathlib, tempfile
/// >>> folder = pathlib.Path(tempfile.mkdtemp())
/// >>> _ = (folder / "hall.yaml").write_text("image: hall.pgm\nresolution: 0.5\norigin: [-1.0, 2.0, 0.0]\n")
/// >>> _ = (folder / "hall.pgm").write_bytes(b"P2 4 2 255  254 254 254 0  254 205 254 0")
/// >>> hall = fs.RosMap.load(folder / "hall.yaml")
/// >>> hall
/// RosMap(4 x 2 cells of 0.5 m)
/// >>> hall.classes()
/// array([[1, 1, 1, 2],
///        [1, 3, 1, 2]], dtype=uint8)
/// >>> planner = fs.Planner(fs.Grid(hall.free(radius=0.6)))    # a round robot
/// >>> planner.find(hall.cell_at(-0.9, 2.1), hall.cell_at(-0.4, 2.9)).status
/// 'found'
/// >>> hall.position((0, 1))
/// (-0.75, 2.25)
#[pyclass(name = "RosMap", module = "farstride", frozen)]
pub(crate) struct PyRosMap {
    map: RosMap,
}

impl PyRosMap {
    /// The cells for a robot of some radius.
    fn floor(&self, py: Python<'_>, radius: f64) -> PyResult<Floor> {
        if radius.is_nan() || radius < 0.0 {
            return Err(PyValueError::new_err(format!("radius is {radius}; expected at least 0, in metres")));
        }
        Ok(if radius == 0.0 { self.map.floor().clone() } else { py.detach(|| self.map.inflated(radius)) })
    }
}

#[pymethods]
impl PyRosMap {
    /// Loads a map, given its ``.yaml`` file; the image lies where that says.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> Result<Self, Raised> {
        Ok(Self { map: py.detach(|| RosMap::load(&path)).map_err(Failure::from)? })
    }

    /// The side of a cell in metres.
    #[getter]
    const fn resolution(&self) -> f64 {
        self.map.resolution()
    }

    /// Which cells are free for the middle of a round robot: an array of ``bool``, for :class:`Grid`. Cells about
    /// which nothing is known are not.
    ///
    /// :param radius: of the robot, in metres
    #[pyo3(signature = (*, radius = 0.0))]
    fn free<'py>(&self, py: Python<'py>, radius: f64) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let floor = self.floor(py, radius)?;
        let free = floor.area().cells().map(|cell| floor.class(cell) == Some(RosMap::FREE));
        PyArray1::from_iter(py, free).reshape([floor.height(), floor.width()])
    }

    /// Every cell as a class: 1 is free, 2 occupied, 3 unknown; for :class:`Atlas`.
    ///
    /// :param radius: of a round robot, in metres: cells that its middle cannot be in are occupied
    #[pyo3(signature = (*, radius = 0.0))]
    fn classes<'py>(&self, py: Python<'py>, radius: f64) -> PyResult<Bound<'py, PyArray2<u8>>> {
        class_array(py, &self.floor(py, radius)?)
    }

    /// The cell at a point of the world, in metres; ``None`` if it is off the map.
    fn cell_at(&self, x: f64, y: f64) -> Option<(u16, u16)> {
        self.map.cell_at(x, y).map(|cell| (cell.x, cell.y))
    }

    /// The middle of a cell in the world, in metres.
    fn position(&self, cell: Point) -> Result<(f64, f64), Raised> {
        let Point(x, y) = cell;
        let cell = u16::try_from(x).ok().zip(u16::try_from(y).ok()).map(|(x, y)| Cell::new(x, y));
        let cell = cell.filter(|&cell| self.map.floor().class(cell).is_some());
        let cell = cell.ok_or_else(|| Failure::query(format!("cell {x},{y} is not on the map")))?;
        Ok(self.map.position(cell))
    }

    fn __repr__(&self) -> String {
        let floor = self.map.floor();
        format!("RosMap({} x {} cells of {} m)", floor.width(), floor.height(), self.map.resolution())
    }
}
