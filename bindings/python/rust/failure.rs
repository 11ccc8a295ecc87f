//! Failures as exceptions. Their classes are in `errors.py`.

use farstride::error::{GraphError, GroupError, QueryError, Unsupported};
use farstride_bindings::{Failure, FailureKind};
use farstride_io::index::IndexError;
use farstride_io::movingai::{LoadError, ScenarioError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::io;

/// What functions of this crate fail with: an exception, or a [`Failure`] that becomes one.
pub(crate) enum Raised {
    Python(PyErr),
    Ours(Failure),
}

impl From<PyErr> for Raised {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

/// What the engine and the readers of files return. One rule for all that become a
/// [`Failure`] would clash with that for exceptions.
macro_rules! from_failures {
    ($($error:ty),*) => {
        $(impl From<$error> for Raised {
            fn from(error: $error) -> Self {
                Self::Ours(error.into())
            }
        })*
    };
}

from_failures!(
    Failure,
    QueryError,
    Unsupported,
    GraphError,
    GroupError,
    IndexError,
    LoadError<ScenarioError>
);

impl From<Raised> for PyErr {
    fn from(raised: Raised) -> Self {
        match raised {
            Raised::Python(error) => error,
            Raised::Ours(failure) => exception(failure),
        }
    }
}

/// Names of the classes, in the order of their cells in [`exception`].
const CLASSES: [&str; 7] =
    ["MapError", "QueryError", "SettingsError", "IndexFileError", "GraphError", "Cancelled", "EngineError"];

fn exception(failure: Failure) -> PyErr {
    static CELLS: [PyOnceLock<Py<PyType>>; 7] = [const { PyOnceLock::new() }; 7];
    let class = match failure.kind {
        FailureKind::Map => 0,
        FailureKind::Query => 1,
        FailureKind::Settings => 2,
        FailureKind::Index => 3,
        FailureKind::Graph => 4,
        FailureKind::Cancelled => 5,
        FailureKind::Engine => 6,
        FailureKind::File(kind) => return io::Error::new(kind, failure.message).into(),
    };
    Python::attach(|py| match CELLS[class].import(py, "farstride.errors", CLASSES[class]) {
        Ok(class) => PyErr::from_type(class.clone(), failure.message),
        Err(error) => error,
    })
}
