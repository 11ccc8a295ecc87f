//! Corners: where taut paths bend.
//!
//! A *corner* is a lattice point and a blocked square beside it, around which paths bend. By
//! the touch rule the other three squares there are free, so that a lattice point is at most
//! one corner; by the body rule it can be up to four. A taut path that bends there comes from
//! one of the two quadrants beside the blocked square, its *sides*, and leaves through the
//! other.

/// A side of a corner, 0 or 1: the quadrant beside its blocked square in the same column, or
/// in the same row. Both are closed: rays along the axes belong to them.
pub(super) type Side = usize;

/// A lattice point and a blocked square there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Corner {
    /// Column among lattice points, which is that of the square to its lower right.
    pub(super) x: i32,
    /// Row of that square.
    pub(super) y: i32,
    /// The direction of the blocked square: -1 or 1 each.
    pub(super) blocked: (i32, i32),
}

impl Corner {
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

    /// Whether a path from `before` over this corner to another place turns around the blocked
    /// square, or goes straight on. Both are offsets from the corner, on different sides of it.
    #[inline]
    pub(super) const fn taut_from(self, before: (i64, i64)) -> impl Fn((i64, i64)) -> bool {
        let (bx, by) = (self.blocked.0 as i64, self.blocked.1 as i64);
        let turns_right = before.0 * by - before.1 * bx > 0;
        move |after| {
            let turn = before.0 * after.1 - before.1 * after.0;
            turn == 0 || (turn > 0) == turns_right
        }
    }

    /// How far from the wall a direction on a side points: a fraction that is 0 along the
    /// wall of the blocked square and grows with the angle.
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
    pub(super) const ALONG_WALL: Self = Self { rise: 0, run: 1 };

    #[inline]
    pub(super) const fn is_below(self, other: Self) -> bool {
        (self.rise as u64) * (other.run as u64) < (other.rise as u64) * (self.run as u64)
    }
}
