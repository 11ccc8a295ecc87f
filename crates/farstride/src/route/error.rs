//! Why a query is refused, or a pause cannot be resumed.

use crate::base::{Cancelled, Cell};
use crate::index::{Engine, Unsupported};
use std::error::Error;
use std::fmt;

/// Why a query cannot be answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum QueryError {
    /// A cell is not on the map.
    Outside {
        /// The cell.
        cell: Cell,
        /// Columns of the map.
        width: usize,
        /// Rows of the map.
        height: usize,
    },
    /// The engine cannot work on the present map.
    Unsupported(Unsupported),
    /// The caller no longer wants the answers: see [`Planner::find_many_while`].
    ///
    /// [`Planner::find_many_while`]: super::Planner::find_many_while
    Cancelled,
}

impl From<Cancelled> for QueryError {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside { cell, width, height } => {
                let (right, bottom) = (width - 1, height - 1);
                write!(f, "cell {cell} is not on the map: x runs from 0 to {right}, y from 0 to {bottom}")
            }
            Self::Unsupported(error) => error.fmt(f),
            Self::Cancelled => write!(f, "the queries were cancelled"),
        }
    }
}

impl Error for QueryError {}

/// Why a paused search cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ResumeError {
    /// The scratch was used for another query since, or never held this one.
    ScratchReused,
    /// The map was edited since, or is another one: ask again.
    MapChanged,
    /// The search was begun with other settings of the index, or other tactics.
    OtherSettings,
    /// The search was begun by another engine.
    OtherEngine {
        /// The engine that began it.
        began: Engine,
        /// The engine of this planner.
        found: Engine,
    },
}

impl fmt::Display for ResumeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ScratchReused => {
                write!(f, "the paused search is not in this scratch; keep one scratch for it alone")
            }
            Self::MapChanged => write!(f, "the map was edited since the search was paused; ask again"),
            Self::OtherSettings => {
                write!(f, "the paused search was begun with other settings or tactics; ask again")
            }
            Self::OtherEngine { began, found } => {
                write!(f, "the paused search was begun by {began}, this planner uses {found}")
            }
        }
    }
}

impl Error for ResumeError {}
