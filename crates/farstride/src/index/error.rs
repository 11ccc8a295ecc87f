//! Why an index cannot be built or used.

use super::Unsupported;
use crate::base::{Cancelled, SettingsError};
use std::error::Error;
use std::fmt;

/// Why an index was not built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The engine cannot work on this map.
    Unsupported(Unsupported),
    /// A setting is out of range.
    Settings(SettingsError),
    /// The build was cancelled through its [`BuildOptions`](crate::index::BuildOptions).
    Cancelled,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(error) => error.fmt(f),
            Self::Settings(error) => error.fmt(f),
            Self::Cancelled => Cancelled.fmt(f),
        }
    }
}

impl Error for BuildError {}

impl From<Unsupported> for BuildError {
    fn from(error: Unsupported) -> Self {
        Self::Unsupported(error)
    }
}

impl From<Cancelled> for BuildError {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<SettingsError> for BuildError {
    fn from(error: SettingsError) -> Self {
        Self::Settings(error)
    }
}

/// An index used with a map it does not belong to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapMismatch;

impl fmt::Display for MapMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the index belongs to another map, or to this map before an edit; build it again")
    }
}

impl Error for MapMismatch {}
