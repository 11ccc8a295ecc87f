//! Points in half cells.

use super::{Cell, DiagonalCost};
use std::fmt;

/// A point of a map in half cells: the centre of cell `(x, y)` is at `(2x, 2y)`, the corner
/// between the cells in columns `x - 1` and `x` and rows `y - 1` and `y` at
/// `(2x - 1, 2y - 1)`.
///
/// Any-angle paths are made of such points. Those of `theta`, `lazy-theta` and `hpt` bend
/// at centres, those of `straight` at corners.
///
/// # Example
/// ```
/// use farstride::{Cell, Point};
///
/// let centre = Point::centre(Cell::new(3, 4));
/// assert_eq!(centre.to_cells(), (3.0, 4.0));
/// let corner = Point { x: 5, y: 7 };
/// assert_eq!((corner.to_cells(), corner.cell()), ((2.5, 3.5), None));
/// // In metres, with cells of 2 m, and cell (0, 0) centred at (10, 20):
/// assert_eq!(corner.to_units((10.0, 20.0), 2.0), (15.0, 27.0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Point {
    /// Half cells to the right of the centre of the first column.
    pub x: u32,
    /// Half cells below the centre of the first row.
    pub y: u32,
}

impl Point {
    /// The centre of a cell.
    pub const fn centre(cell: Cell) -> Self {
        Self { x: 2 * cell.x as u32, y: 2 * cell.y as u32 }
    }

    /// The cell of which this is the centre, if it is one.
    pub const fn cell(self) -> Option<Cell> {
        let is_centre = self.x.is_multiple_of(2) && self.y.is_multiple_of(2);
        let is_small = self.x / 2 <= u16::MAX as u32 && self.y / 2 <= u16::MAX as u32;
        if is_centre && is_small { Some(Cell::new((self.x / 2) as u16, (self.y / 2) as u16)) } else { None }
    }

    /// Column and row, which end in `.5` for corners.
    pub fn to_cells(self) -> (f64, f64) {
        (f64::from(self.x) / 2.0, f64::from(self.y) / 2.0)
    }

    /// The place in units of your own: `origin` is the centre of cell `(0, 0)`, `side` the
    /// side of a cell.
    pub fn to_units(self, origin: (f64, f64), side: f64) -> (f64, f64) {
        let (x, y) = self.to_cells();
        (origin.0 + x * side, origin.1 + y * side)
    }

    /// The distance to another point in cells.
    ///
    /// One correctly rounded root of an exact number: the same on every platform.
    #[inline]
    pub fn distance(self, other: Self) -> f64 {
        (self.square(other) as f64).sqrt() / 2.0
    }

    /// The distance rounded up to a unit of [`Cost`](super::Cost).
    pub(crate) fn cost(self, other: Self) -> super::Cost {
        let unit = DiagonalCost::Sqrt2.straight().units() / 2;
        super::Cost::from_units(super::cost::ceil_sqrt(self.square(other) * (unit * unit)))
    }

    /// The square of the distance in half cells.
    #[inline]
    const fn square(self, other: Self) -> u64 {
        let (dx, dy) = (self.x.abs_diff(other.x) as u64, self.y.abs_diff(other.y) as u64);
        dx * dx + dy * dy
    }

    /// Columns and rows to another point, in half cells.
    #[inline]
    pub(crate) const fn to(self, other: Self) -> (i64, i64) {
        (other.x as i64 - self.x as i64, other.y as i64 - self.y as i64)
    }
}

impl From<Cell> for Point {
    fn from(cell: Cell) -> Self {
        Self::centre(cell)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, y) = self.to_cells();
        write!(f, "{x},{y}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::euclidean;

    #[test]
    fn centres_are_as_far_apart_as_their_cells() {
        for (x, y) in [(0, 0), (1, 1), (3, 4), (9_999, 1), (9_999, 9_999)] {
            let (a, b) = (Cell::new(0, 0), Cell::new(x, y));
            assert_eq!(Point::centre(a).cost(Point::centre(b)), euclidean(a, b));
            assert_eq!(Point::centre(b).cell(), Some(b));
        }
        assert!((Point { x: 1, y: 1 }.distance(Point { x: 2, y: 2 }) - 0.5_f64.sqrt()).abs() < 1e-15);
    }
}
