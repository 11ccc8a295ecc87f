//! Settings from and to dictionaries.

use crate::failure::Raised;
use farstride::Engine;
use farstride_bindings::{Settings, Value};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};

/// The settings of an engine: its usual ones, except for those in a dictionary.
pub(crate) fn read(engine: Engine, given: Option<&Bound<'_, PyDict>>) -> Result<Settings, Raised> {
    Ok(Settings::read(engine, &listed(given)?)?)
}

/// The settings in a dictionary, by name.
pub(crate) fn listed(given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, Value)>> {
    let mut list = Vec::new();
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        let read = value_of(&value).map_err(|_| {
            PyTypeError::new_err(format!("{name} is {value}; expected a number, a name or a bool"))
        })?;
        list.push((name, read));
    }
    Ok(list)
}

fn value_of(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_none() {
        Ok(Value::None)
    } else if value.is_instance_of::<PyBool>() {
        value.extract().map(Value::Switch)
    } else if value.is_instance_of::<PyString>() {
        value.extract().map(Value::Text)
    } else if value.is_instance_of::<PyInt>() {
        // A number too large for any setting is too large, not of the wrong type.
        Ok(Value::Number(value.extract().unwrap_or(i64::MAX)))
    } else {
        // Whole numbers of NumPy.
        value.call_method0("__index__")?.extract().map(Value::Number)
    }
}

/// All settings as a dictionary.
pub(crate) fn write<'py>(py: Python<'py>, settings: &Settings) -> PyResult<Bound<'py, PyDict>> {
    let dictionary = PyDict::new(py);
    for (name, value) in settings.list() {
        match value {
            Value::Switch(value) => dictionary.set_item(name, value)?,
            Value::Number(value) => dictionary.set_item(name, value)?,
            Value::Text(value) => dictionary.set_item(name, value)?,
            Value::None => dictionary.set_item(name, py.None())?,
        }
    }
    Ok(dictionary)
}
