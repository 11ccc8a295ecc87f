//! What may be wrong with the file of a world.

use crate::weights::WeightImageError;
use farstride::atlas::FloorError;
use std::error::Error;
use std::fmt;

/// Why a file could not be read as a world.
#[derive(Debug)]
#[non_exhaustive]
pub enum WorldError {
    /// The image is not one that can be read.
    Image(WeightImageError),
    /// The size or number of floors is not supported.
    Floor(FloorError),
    /// A colour stands twice in the legend.
    LegendTwice {
        /// Red, green and blue.
        colour: [u8; 3],
    },
    /// A pixel has a colour that the legend does not name.
    Colour {
        /// Its column and row.
        cell: (usize, usize),
        /// Red, green and blue.
        colour: [u8; 3],
    },
    /// A pixel is transparent, so it is of no colour.
    Transparent {
        /// Its column and row.
        cell: (usize, usize),
    },
    /// The file cannot be read at all.
    Damaged {
        /// What its reader says.
        problem: String,
    },
    /// A value that is needed is not there.
    Missing {
        /// Its name.
        key: String,
    },
    /// A value does not make sense.
    Value {
        /// Its name.
        key: String,
        /// The value.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// The map has no border.
    Infinite,
    /// Tiles are not squares in rows and columns.
    Orientation {
        /// How they are arranged.
        found: String,
    },
    /// A tile is flipped or turned.
    Flipped {
        /// The name of its layer.
        layer: String,
        /// Its column and row.
        cell: (usize, usize),
    },
    /// No layer has tiles.
    NoFloors,
    /// Levels are in files of their own.
    ExternalLevels,
    /// There are more than 256 kinds of terrain.
    TooManyClasses,
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = |[red, green, blue]: &[u8; 3]| format!("#{red:02x}{green:02x}{blue:02x}");
        match self {
            Self::Image(error) => error.fmt(f),
            Self::Floor(error) => error.fmt(f),
            Self::LegendTwice { colour } => write!(f, "the legend names the colour {} twice", hex(colour)),
            Self::Colour { cell: (x, y), colour } => {
                write!(
                    f,
                    "the pixel at {x},{y} has the colour {}, which the legend does not name",
                    hex(colour)
                )
            }
            Self::Transparent { cell: (x, y) } => write!(f, "the pixel at {x},{y} is transparent"),
            Self::Damaged { problem } => write!(f, "cannot be read: {problem}"),
            Self::Missing { key } => write!(f, "has no '{key}'"),
            Self::Value { key, found, expected } => write!(f, "'{key}' is {found}, not {expected}"),
            Self::Infinite => f.write_str("is an infinite map; give it a size in the map's properties"),
            Self::Orientation { found } => write!(f, "has {found} tiles; only orthogonal ones are read"),
            Self::Flipped { layer, cell: (x, y) } => {
                write!(f, "the tile at {x},{y} of layer '{layer}' is flipped or turned; terrain has no sides")
            }
            Self::NoFloors => f.write_str("has no layer of tiles"),
            Self::ExternalLevels => {
                f.write_str("keeps levels in files of their own; save them in the project's file")
            }
            Self::TooManyClasses => f.write_str("has more than 256 kinds of terrain"),
        }
    }
}

impl Error for WorldError {}
