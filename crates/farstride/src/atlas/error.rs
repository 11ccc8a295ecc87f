//! Why floors, links, movers and queries are refused.

use super::tiles::{FloorId, LinkKind, Place};
use super::{MoverId, tiles};
use crate::base::{Cost, Rect};
use crate::grid::SizeError;
use std::error::Error;
use std::fmt;

/// Why a floor, or an edit of one, was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FloorError {
    /// The size is not supported.
    Size(SizeError),
    /// More or fewer classes than cells.
    Classes {
        /// Classes given.
        found: usize,
        /// Cells of the floor.
        expected: usize,
    },
    /// A line of a drawing has another length than the first, or a character that is not
    /// ASCII.
    Line {
        /// The line, from 1 on.
        number: usize,
    },
    /// There are as many floors as a map can have.
    TooMany,
    /// More classes than a byte can tell apart.
    TooManyClasses {
        /// Classes given.
        found: usize,
    },
    /// There is no floor of this number.
    Missing {
        /// The number.
        floor: FloorId,
    },
    /// The area is not entirely on the floor.
    Outside {
        /// The floor.
        floor: FloorId,
        /// The area.
        area: Rect,
        /// Columns of the floor.
        width: usize,
        /// Rows of the floor.
        height: usize,
    },
}

impl fmt::Display for FloorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(error) => error.fmt(f),
            Self::Classes { found, expected } => write!(f, "{found} classes for a floor of {expected} cells"),
            Self::Line { number } => {
                write!(f, "line {number} is not as long as the first, or not plain ASCII")
            }
            Self::TooMany => write!(f, "a map has at most 65535 floors"),
            Self::TooManyClasses { found } => {
                write!(f, "{found} classes of terrain: a map tells at most 256 apart; join some")
            }
            Self::Missing { floor } => write!(f, "there is no floor {floor}; add it first"),
            Self::Outside { floor, area, width, height } => {
                write!(f, "cells {area} are not all on floor {floor} of {width} x {height}")
            }
        }
    }
}

impl Error for FloorError {}

/// Why a link was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LinkError {
    /// An end is not on the map.
    Missing {
        /// The end.
        place: Place,
    },
    /// No mover that may use the link can stand at an end.
    Blocked {
        /// The end.
        place: Place,
    },
    /// Both ends are the same place.
    Loop {
        /// The place.
        place: Place,
    },
    /// It costs nothing, or too much.
    Cost {
        /// The cost.
        found: Cost,
    },
    /// There is no such kind.
    Kind {
        /// The kind.
        found: LinkKind,
    },
    /// A floor has as many ends of links as it can have.
    FullFloor {
        /// The floor.
        floor: FloorId,
    },
    /// There are as many links as a map can have.
    TooMany,
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { place } => write!(f, "the link's end {place} is not on the map"),
            Self::Blocked { place } => {
                write!(f, "no mover that may use the link can stand at its end {place}; clear it first")
            }
            Self::Loop { place } => write!(f, "the link leads from {place} to itself"),
            Self::Cost { found } => {
                let (found, most) = (found.units(), Cost::MAX.units());
                write!(f, "the link costs {found} units: it has to be 1 to {most}")
            }
            Self::Kind { found } => {
                write!(f, "links of kind {found}: kinds run from 0 to {}", tiles::Link::KINDS - 1)
            }
            Self::FullFloor { floor } => {
                let most = tiles::TileMap::MAX_LINK_ENDS;
                write!(f, "floor {floor} has too many links: at most {most} may begin or end there")
            }
            Self::TooMany => write!(f, "a map has at most 2^32 links, removed ones included"),
        }
    }
}

impl Error for LinkError {}

/// Why a mover was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MoverError {
    /// Its size is not supported.
    Size {
        /// The size.
        found: u16,
    },
    /// It can enter no class of terrain.
    EntersNothing,
    /// No floor is large enough for it.
    LargerThanFloors {
        /// Its size.
        size: u16,
    },
}

impl fmt::Display for MoverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { found } => {
                write!(f, "a mover of size {found}: sizes run from 1 to {}", super::Mover::MAX_SIZE)
            }
            Self::EntersNothing => {
                write!(f, "the mover can enter no class of terrain; name one with its cost")
            }
            Self::LargerThanFloors { size } => {
                write!(f, "no floor has {size} x {size} cells for the mover")
            }
        }
    }
}

impl Error for MoverError {}

/// Why an atlas refuses a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AtlasError {
    /// The map has no floor.
    NoFloors,
    /// The mover was not added to this atlas.
    UnknownMover {
        /// Its number.
        mover: MoverId,
    },
    /// The place is not on the map.
    Outside {
        /// The place.
        place: Place,
    },
}

impl fmt::Display for AtlasError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFloors => write!(f, "the map has no floor; add one first"),
            Self::UnknownMover { mover } => {
                write!(f, "there is no mover {}; add it to this atlas first", mover.index())
            }
            Self::Outside { place } => write!(f, "{place} is not on the map"),
        }
    }
}

impl Error for AtlasError {}
