//! What comes back.

use super::prepared::Manner;
use super::{Engine, Query};
use crate::base::{Cell, Cost};
use crate::grid::Contents;

/// The answer to a query.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Outcome<'s> {
    /// There is a path.
    Found(Route<'s>),
    /// Start and goal are the same free cell.
    AlreadyThere,
    /// The start cannot be stood on.
    StartBlocked,
    /// The start is free, but the goal cannot be stood on.
    GoalBlocked,
    /// Both are free, and no path joins them.
    Unreachable,
    /// The budget was spent before the search came to an end; hand this to
    /// [`Planner::resume`](super::Planner::resume) to go on.
    BudgetSpent(Paused),
}

impl<'s> Outcome<'s> {
    /// The path, if one was found.
    pub fn route(&self) -> Option<&Route<'s>> {
        match self {
            Self::Found(route) => Some(route),
            _ => None,
        }
    }
}

/// A path that was found. It lies in the scratch until the next query.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Route<'s> {
    pub(super) cost: Cost,
    pub(super) length: f64,
    pub(super) path: Path<'s>,
}

impl<'s> Route<'s> {
    /// Exact cost; of an any-angle path, the sum of its legs, each rounded up
    /// to a unit.
    pub const fn cost(&self) -> Cost {
        self.cost
    }

    /// Length in straight steps: weighted where the map is.
    pub const fn length(&self) -> f64 {
        self.length
    }

    /// The path, start and goal included.
    pub const fn path(&self) -> Path<'s> {
        self.path
    }
}

/// A path in one of several forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Path<'s> {
    /// Every cell of the way; neighbours are one legal step apart.
    Cells(&'s [Cell]),
    /// The turning points; neighbours are in line of sight. The cells between
    /// are told by [`Grid::crossed_cells`](crate::Grid::crossed_cells).
    Points(&'s [Cell]),
    /// Some cells of the way. From each to the next, go diagonally as far as
    /// it leads nearer in both coordinates, then straight; on 4-connected maps
    /// along the row, then along the column.
    Waypoints(&'s [Cell]),
    /// Only the cost was asked for.
    Omitted,
}

impl<'s> Path<'s> {
    /// The cells, turning points or waypoints, whichever there are.
    pub const fn cells(self) -> &'s [Cell] {
        match self {
            Self::Cells(cells) | Self::Points(cells) | Self::Waypoints(cells) => cells,
            Self::Omitted => &[],
        }
    }
}

/// A search that stopped because its budget was spent.
///
/// Everything it knows is still in the scratch it was run with. It can go on
/// as long as that scratch is not used for another query and the map is not
/// edited; to cancel it, drop it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paused {
    pub(super) query: Query,
    pub(super) engine: Engine,
    pub(super) contents: Contents,
    /// How its abstraction was made and is used, if it has one.
    pub(super) manner: Manner,
    /// The scratch that holds the search has the same number.
    pub(super) serial: u64,
}

impl Paused {
    /// What was asked.
    pub const fn query(&self) -> Query {
        self.query
    }
}
