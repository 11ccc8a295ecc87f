//! What comes back from an atlas.

use super::scratch::Leg;
use super::tiles::{FloorId, LinkId};
use crate::base::{Cell, Cost};

/// The answer to a query of an [`Atlas`](super::Atlas).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum TripOutcome<'s> {
    /// There is a way.
    Found(Trip<'s>),
    /// Start and goal are the same place, and the mover can stand there.
    AlreadyThere,
    /// The mover cannot stand at the start.
    StartBlocked,
    /// The mover cannot stand at the goal.
    GoalBlocked,
    /// It can stand at both, and no way leads from the one to the other.
    Unreachable,
}

impl<'s> TripOutcome<'s> {
    /// The way, if one was found.
    pub const fn trip(&self) -> Option<&Trip<'s>> {
        match self {
            Self::Found(trip) => Some(trip),
            _ => None,
        }
    }
}

/// A way over floors and through links. It borrows from the scratch until the next query.
#[derive(Clone, Debug)]
pub struct Trip<'s> {
    pub(super) cost: Cost,
    pub(super) legs: &'s [Leg],
    pub(super) cells: &'s [Cell],
}

/// A stage of a [`Trip`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Stage<'s> {
    /// Walk on a floor.
    Walk {
        /// The floor.
        floor: FloorId,
        /// Every cell, both ends included; with any-angle engines, the turning points.
        cells: &'s [Cell],
    },
    /// Take a link, forwards or, if it leads both ways, backwards: from where the stages
    /// before it end to where those after it begin.
    Link(LinkId),
}

impl<'s> Trip<'s> {
    /// The exact cost: walks and links.
    pub const fn cost(&self) -> Cost {
        self.cost
    }

    /// The stages, in the order of the way.
    pub fn stages(&self) -> impl ExactSizeIterator<Item = Stage<'s>> + use<'s> {
        let cells = self.cells;
        self.legs.iter().map(move |leg| match leg {
            Leg::Walk(floor, range, _) => Stage::Walk { floor: *floor, cells: &cells[range.clone()] },
            Leg::Link(link) => Stage::Link(*link),
        })
    }

    /// The links taken, in order.
    pub fn links(&self) -> impl Iterator<Item = LinkId> + use<'s> {
        self.stages().filter_map(|stage| match stage {
            Stage::Link(link) => Some(link),
            Stage::Walk { .. } => None,
        })
    }
}
