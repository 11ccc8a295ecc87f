//! Queries: what to search, and how much of the answer to return.

use crate::base::Cell;

/// A query: start and goal, how much of the path to return, and how much work it may
/// take.
///
/// # Example
/// ```
/// use farstride::{Cell, Detail, Query};
///
/// let query = Query::new(Cell::new(3, 4), Cell::new(90, 70))
///     .with_detail(Detail::Waypoints)
///     .with_budget(10_000);
/// assert_eq!(query.goal, Cell::new(90, 70));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Query {
    /// The first cell.
    pub start: Cell,
    /// The last cell.
    pub goal: Cell,
    /// How many nodes may be expanded before the search is paused. The engine
    /// `labels` looks paths up and never pauses.
    pub budget: u64,
    /// How much of the path is wanted.
    pub detail: Detail,
}

/// How much of a path is wanted. Less detail takes less time or the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Detail {
    /// Every cell; with any-angle engines, every turning point.
    #[default]
    Cells,
    /// The cells where the path turns, or fewer ([`Path::Waypoints`]); with
    /// any-angle engines, every turning point.
    ///
    /// [`Path::Waypoints`]: super::Path::Waypoints
    Waypoints,
    /// The start and this many steps, or the whole path if it is shorter; with
    /// any-angle engines, this many turning points.
    First(u32),
    /// Cost and length alone.
    Cost,
}

impl Query {
    /// A query for every cell, with no limit of work.
    pub fn new(start: impl Into<Cell>, goal: impl Into<Cell>) -> Self {
        Self { start: start.into(), goal: goal.into(), budget: u64::MAX, detail: Detail::Cells }
    }

    /// A query that names a start only, for
    /// [`Planner::nearest`](super::Planner::nearest). Its goal is the start.
    pub fn starting_at(start: impl Into<Cell>) -> Self {
        let start = start.into();
        Self::new(start, start)
    }

    /// The same query with another amount of detail.
    #[must_use]
    pub const fn with_detail(self, detail: Detail) -> Self {
        Self { detail, ..self }
    }

    /// The same query, paused after this many expanded nodes.
    #[must_use]
    pub const fn with_budget(self, expansions: u64) -> Self {
        Self { budget: expansions, ..self }
    }
}
