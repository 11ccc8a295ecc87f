//! Why something failed, in a form that any language can show.

use farstride::error::{BuildError, GraphError, GroupError, PrepareError, QueryError, Unsupported};
use farstride_io::index::IndexError;
use farstride_io::movingai::LoadError;
use std::error::Error;
use std::fmt::{Debug, Display};
use std::io;

/// What went wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What it is about.
    pub kind: FailureKind,
    /// What to tell the user.
    pub message: String,
}

/// What a failure is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// A map that does not make sense.
    Map,
    /// A query, a cell or an edit that does not fit the map.
    Query,
    /// A setting that does not exist or is out of range.
    Settings,
    /// An index that is damaged, or belongs to another map.
    Index,
    /// A graph or groups that do not make sense.
    Graph,
    /// A build or batch that was stopped.
    Cancelled,
    /// An engine that does not support the map.
    Engine,
    /// A file that could not be read or written.
    File(io::ErrorKind),
}

impl Failure {
    /// A failure of some kind.
    pub fn new(kind: FailureKind, message: impl Display) -> Self {
        Self { kind, message: message.to_string() }
    }

    /// A failure of a map.
    pub fn map(message: impl Display) -> Self {
        Self::new(FailureKind::Map, message)
    }

    /// A failure of a query.
    pub fn query(message: impl Display) -> Self {
        Self::new(FailureKind::Query, message)
    }

    /// A failure of a setting.
    pub fn settings(message: impl Display) -> Self {
        Self::new(FailureKind::Settings, message)
    }

    /// A failure of an index.
    pub fn index(message: impl Display) -> Self {
        Self::new(FailureKind::Index, message)
    }
}

/// An error and its causes in one line.
pub fn chain(error: &dyn Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {}", chain(cause)),
        None => error.to_string(),
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Unsupported(error) => error.into(),
            QueryError::Cancelled => Self::new(FailureKind::Cancelled, error),
            other => Self::query(other),
        }
    }
}

impl From<Unsupported> for Failure {
    fn from(error: Unsupported) -> Self {
        Self::new(FailureKind::Engine, error)
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        let kind = match error {
            BuildError::Unsupported(_) => FailureKind::Engine,
            BuildError::Cancelled => FailureKind::Cancelled,
            _ => FailureKind::Settings,
        };
        Self::new(kind, chain(&error))
    }
}

impl From<PrepareError> for Failure {
    fn from(error: PrepareError) -> Self {
        let cancelled = error == PrepareError::Cancelled;
        Self::new(if cancelled { FailureKind::Cancelled } else { FailureKind::Graph }, error)
    }
}

impl From<GroupError> for Failure {
    fn from(error: GroupError) -> Self {
        let cancelled = error == GroupError::Cancelled;
        Self::new(if cancelled { FailureKind::Cancelled } else { FailureKind::Graph }, error)
    }
}

impl From<GraphError> for Failure {
    fn from(error: GraphError) -> Self {
        Self::new(FailureKind::Graph, error)
    }
}

/// A file that cannot be read or written is one thing; what is in it another.
fn kind_of(error: &dyn Error, content: FailureKind) -> FailureKind {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.map_or(content, |cause| FailureKind::File(cause.kind()))
}

impl<E: Debug + Display> From<LoadError<E>> for Failure {
    fn from(error: LoadError<E>) -> Self {
        Self::new(kind_of(&error, FailureKind::Map), chain(&error))
    }
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Self {
        Self::new(kind_of(&error, FailureKind::Index), chain(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farstride::Grid;
    use farstride_io::{index, movingai};
    use std::path::Path;

    #[test]
    fn missing_files_are_told_from_bad_ones() {
        let none = Path::new("no/such/file");
        let failure = Failure::from(movingai::load_map(none).unwrap_err());
        assert_eq!(failure.kind, FailureKind::File(io::ErrorKind::NotFound));
        assert!(failure.message.starts_with("cannot read no/such/file: "), "{}", failure.message);
        let failure = Failure::from(index::open(none, &Grid::empty(2, 2).unwrap()).unwrap_err());
        assert_eq!(failure.kind, FailureKind::File(io::ErrorKind::NotFound));
        let manifest = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        assert_eq!(Failure::from(movingai::load_map(manifest).unwrap_err()).kind, FailureKind::Map);
        let opened = index::open(manifest, &Grid::empty(2, 2).unwrap());
        assert_eq!(Failure::from(opened.unwrap_err()).kind, FailureKind::Index);
    }
}
