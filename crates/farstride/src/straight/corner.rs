//! Corners: where taut paths bend.
//!
//! A *corner* is a lattice point with one blocked cell of the four around it. A taut path
//! that bends there comes from one of the two quadrants beside the blocked cell, its
//! *sides*, and leaves through the other.

use crate::base::{Cell, Point};
use crate::grid::Grid;

/// A side of a corner, 0 or 1: the quadrant beside its blocked cell in the same column, or
/// in the same row. Both are closed: rays along the axes belong to them.
pub(super) type Side = usize;

/// A lattice point with one blocked cell around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Corner {
    /// Column of the cell to its lower right, which is its column among lattice points.
    pub(super) x: i32,
    /// Row of that cell.
    pub(super) y: i32,
    /// The direction of the blocked cell: -1 or 1 each.
    pub(super) blocked: (i32, i32),
}

impl Corner {
    /// The corner at a lattice point, if it is one.
    #[inline]
    pub(super) fn at(free: &impl Fn(i32, i32) -> bool, x: i32, y: i32) -> Option<Self> {
        let blocked = match (free(x - 1, y - 1), free(x, y - 1), free(x - 1, y), free(x, y)) {
            (false, true, true, true) => (-1, -1),
            (true, false, true, true) => (1, -1),
            (true, true, false, true) => (-1, 1),
            (true, true, true, false) => (1, 1),
            _ => return None,
        };
        Some(Self { x, y, blocked })
    }

    /// The direction of a side: the signs of its quadrant.
    #[inline]
    pub(super) const fn quadrant(self, side: Side) -> (i32, i32) {
        let (x, y) = self.blocked;
        if side == 0 { (x, -y) } else { (-x, y) }
    }

    /// The side on which something lies, given its offset in any unit; `None` if a path
    /// from there cannot bend here.
    #[inline]
    pub(super) const fn side(self, (dx, dy): (i64, i64)) -> Option<Side> {
        let (x, y) = (self.blocked.0 as i64, self.blocked.1 as i64);
        if dx * x >= 0 && dy * y <= 0 {
            Some(0)
        } else if dx * x <= 0 && dy * y >= 0 {
            Some(1)
        } else {
            None
        }
    }

    /// The point on the map.
    #[inline]
    pub(super) const fn point(self) -> Point {
        Point { x: 2 * self.x as u32 - 1, y: 2 * self.y as u32 - 1 }
    }

    /// How far from the wall a direction on a side points: a fraction that is 0 along the
    /// wall of the blocked cell and grows with the angle.
    #[inline]
    pub(super) const fn slope(side: Side, (dx, dy): (i64, i64)) -> Slope {
        let (dx, dy) = (dx.unsigned_abs() as u32, dy.unsigned_abs() as u32);
        if side == 0 { Slope { rise: dy, run: dx } } else { Slope { rise: dx, run: dy } }
    }
}

/// A fraction, infinite if `run` is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slope {
    rise: u32,
    run: u32,
}

impl Slope {
    pub(super) const STEEPEST: Self = Self { rise: 1, run: 0 };

    #[inline]
    pub(super) const fn is_below(self, other: Self) -> bool {
        (self.rise as u64) * (other.run as u64) < (other.rise as u64) * (self.run as u64)
    }
}

/// Whether a cell is free, for any numbers.
#[inline]
pub(super) fn is_free(grid: &Grid, x: i32, y: i32) -> bool {
    match (u16::try_from(x), u16::try_from(y)) {
        (Ok(x), Ok(y)) => grid.is_free(Cell::new(x, y)),
        _ => false,
    }
}
