//! The engine for Python. The package `farstride` re-exports what is here; docstrings are
//! written for its users, and their examples are tests.

mod arrays;
mod ask;
mod atlas;
mod batch;
mod failure;
mod field;
mod graph;
mod grid;
mod groups;
mod plan;
mod planner;
mod route;
mod settings;
mod table;
mod trip;
mod wait;
mod walk;
mod worlds;

use crate::failure::Raised;
use crate::grid::PyGrid;
use farstride::{Cell, Engine};
use farstride_bindings::Status;
use farstride_io::movingai::{self, ScenarioQuery};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

/// The engines by name, with what each of them does.
///
/// >>> import farstride as fs
/// >>> fs.engines()["astar"]
/// 'shortest paths on any map, no index'
#[pyfunction]
fn engines(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let engines = PyDict::new(py);
    for engine in Engine::ALL {
        engines.set_item(engine.name(), engine.summary())?;
    }
    Ok(engines)
}

/// Loads the queries of a MovingAI scenario of a map: a dictionary of arrays ``starts`` and
/// ``goals`` of shape (n, 2), ``length`` and ``bucket``.
#[pyfunction]
fn load_scenario<'py>(
    py: Python<'py>,
    path: PathBuf,
    grid: &Bound<'py, PyGrid>,
) -> Result<Bound<'py, PyDict>, Raised> {
    let queries = movingai::load_scenario(&path, &grid.get().grid)?;
    let cells = |cell: fn(&ScenarioQuery) -> Cell| -> PyResult<Bound<'py, PyArray2<i32>>> {
        let numbers = queries.iter().map(cell).flat_map(|cell| [cell.x.into(), cell.y.into()]);
        PyArray1::from_iter(py, numbers).reshape([queries.len(), 2])
    };
    let columns = PyDict::new(py);
    columns.set_item("starts", cells(|query| query.start)?)?;
    columns.set_item("goals", cells(|query| query.goal)?)?;
    columns.set_item("length", PyArray1::from_iter(py, queries.iter().map(|query| query.length)))?;
    columns
        .set_item("bucket", PyArray1::from_iter(py, queries.iter().map(|query| i64::from(query.bucket))))?;
    Ok(columns)
}

#[pymodule]
fn _farstride(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("STATUSES", Status::ALL.map(Status::name).to_vec())?;
    module.add_function(wrap_pyfunction!(engines, module)?)?;
    module.add_function(wrap_pyfunction!(load_scenario, module)?)?;
    module.add_function(wrap_pyfunction!(worlds::load_floor, module)?)?;
    module.add_class::<PyGrid>()?;
    module.add_class::<planner::PyPlanner>()?;
    module.add_class::<route::PyRoute>()?;
    module.add_class::<route::PyRoutes>()?;
    module.add_class::<plan::PyPlan>()?;
    module.add_class::<graph::PyGraph>()?;
    module.add_class::<graph::PyHubLabels>()?;
    module.add_class::<graph::PyNLevelGraph>()?;
    module.add_class::<atlas::PyAtlas>()?;
    module.add_class::<trip::PyTrip>()?;
    module.add_class::<trip::PyStage>()?;
    module.add_class::<trip::PyTripPlan>()?;
    module.add_class::<field::PyField>()?;
    module.add_class::<worlds::PyRosMap>()?;
    module.add_class::<groups::PyGroupHierarchy>()?;
    module.add_class::<groups::PyGroupPlan>()
}
