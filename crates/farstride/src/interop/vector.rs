//! Vectors that are not cells.

use crate::base::Cell;
use std::error::Error;
use std::fmt;

/// Error: a vector with a coordinate that no cell has.
///
/// Cells have coordinates from 0 to 65535. Whether a cell lies on a map is another
/// question: [`Grid::contains`](crate::Grid::contains).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CellOutOfRange {
    /// The column that was given.
    pub x: i64,
    /// The row that was given.
    pub y: i64,
}

impl fmt::Display for CellOutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { x, y } = self;
        write!(f, "{x},{y} is not a cell: coordinates go from 0 to {}", u16::MAX)
    }
}

impl Error for CellOutOfRange {}

/// The cell with these coordinates.
pub(super) fn cell(x: impl Into<i64>, y: impl Into<i64>) -> Result<Cell, CellOutOfRange> {
    let (x, y) = (x.into(), y.into());
    match (u16::try_from(x), u16::try_from(y)) {
        (Ok(x), Ok(y)) => Ok(Cell { x, y }),
        _ => Err(CellOutOfRange { x, y }),
    }
}
