//! What a point sees, by cones of sight bounded by exact directions.
//!
//! A scan covers one closed quadrant. Row by row it follows *cones*: the directions between
//! two integer vectors in which nothing was in the way so far. Each run of free cells that a
//! cone enters in the next row cuts a part out of it, so cones split and narrow, and every
//! comparison is one of products of integers.
//!
//! Cones are closed: their bounds may graze corners. A bound that enters a row exactly at a
//! corner between two blocked cells squeezes through a gap, and the cone, which is then a
//! single ray, ends there. Rays along the axes run between cells and are followed apart.

use super::corner::Corner;
use crate::base::Point;

/// A direction; only the ratio counts.
type Direction = (i64, i64);

/// The directions in which rows below `row` were left without touching the inside of a
/// blocked cell.
#[derive(Clone, Copy, Debug)]
struct Cone {
    /// The bound nearer to the column of the origin.
    near: Direction,
    far: Direction,
    row: i64,
}

/// Scans quadrants; reuses its memory.
#[derive(Debug, Default)]
pub(super) struct Scan {
    cones: Vec<Cone>,
}

/// Cells of a row in a scan: from the nearest to the farthest, in map columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) y: i32,
    pub(super) nearest: i32,
    pub(super) farthest: i32,
}

impl Scan {
    /// Calls `point` with the lattice points that `origin` sees in a quadrant, axes
    /// excluded, and `cells` with the cells whose centres it sees there. The latter is
    /// right for corners as origins only.
    ///
    /// The cell of the quadrant at the origin must be free.
    pub(super) fn quadrant(
        &mut self,
        free: &impl Fn(i32, i32) -> bool,
        origin: Point,
        (sx, sy): (i32, i32),
        mut point: impl FnMut(i32, i32),
        mut cells: impl FnMut(Stretch),
    ) {
        // Distances are in half cells along the axes of the quadrant. Lattice line `k` is
        // `2k - inset` away, so a centre is inset by half a cell and a corner is not.
        let inset = i64::from(origin.x.is_multiple_of(2));
        let frame = |at: u32, sign: i32| {
            let at = at.div_ceil(2) as i32; // of a corner, its lattice line; of a centre, its cell
            match (inset, sign > 0) {
                (_, true) => (at, at),
                (0, false) => (at - 1, at),
                (_, false) => (at, at + 1),
            }
        };
        let ((first_column, first_line), (first_row, first_level)) =
            (frame(origin.x, sx), frame(origin.y, sy));
        let column = |i: i64| first_column + sx * i as i32;
        let row = |j: i64| first_row + sy * j as i32;
        let open = |i: i64, j: i64| free(column(i), row(j));
        self.cones.clear();
        self.cones.push(Cone { near: (0, 1), far: (1, 0), row: 0 });
        while let Some(Cone { near, far, row: j }) = self.cones.pop() {
            let (bottom, top) = (2 * j - inset, 2 * j + 2 - inset);
            let is_first = j == 0;
            // The columns through which the cone enters the row, and leaves it.
            let at = |(x, y): Direction, height: i64| (x * height + inset * y).div_euclid(2 * y);
            let mut i = if is_first { 0 } else { at(near, bottom) };
            let last = if is_first { 0 } else { at(far, bottom) };
            let most = if far.1 == 0 { i64::MAX } else { at(far, top) + 1 };
            while i <= last {
                if !open(i, j) {
                    i += 1;
                    continue;
                }
                let begin = i;
                let mut end = i + 1;
                while end <= most && open(end, j) {
                    end += 1;
                }
                i = end + 1;
                let left = (2 * begin - inset, bottom);
                let near = if !is_first && is_beyond(left, near) { left } else { near };
                let is_at_corner = !is_first && left.0 * near.1 == near.0 * bottom;
                if is_at_corner && !open(begin - 1, j) && !open(begin, j - 1) {
                    continue; // a gap
                }
                // Centres between the bounds.
                let height = bottom + 1;
                let first = div_ceil(near.0 * height - (1 - inset) * near.1, 2 * near.1).max(begin);
                let past = if far.1 == 0 {
                    end
                } else {
                    end.min((far.0 * height - (1 - inset) * far.1).div_euclid(2 * far.1) + 1)
                };
                if first < past {
                    cells(Stretch { y: row(j), nearest: column(first), farthest: column(past - 1) });
                }
                let right = (2 * end - inset, top);
                let far = if is_beyond(far, right) { right } else { far };
                if is_beyond(near, far) {
                    continue;
                }
                // Lattice points of the line above, without the axis.
                let mut p = div_ceil(near.0 * top + inset * near.1, 2 * near.1).max(1);
                while (2 * p - inset) * far.1 <= far.0 * top {
                    point(first_line + sx * p as i32, first_level + sy * (j + 1) as i32);
                    p += 1;
                }
                self.cones.push(Cone { near, far, row: j + 1 });
            }
        }
    }

    /// The first corner that a corner sees along an axis.
    pub(super) fn along(
        free: &impl Fn(i32, i32) -> bool,
        from: Corner,
        (sx, sy): (i32, i32),
    ) -> Option<Corner> {
        let Corner { x, y, .. } = from;
        let mut sides = (true, true);
        for i in 0.. {
            let (column, row) =
                (if sx < 0 { x - 1 - i } else { x + i }, if sy < 0 { y - 1 - i } else { y + i });
            let beside = if sy == 0 {
                (free(column, y - 1), free(column, y))
            } else {
                (free(x - 1, row), free(x, row))
            };
            let joined = beside.0 && beside.1 && (sides.0 || sides.1);
            sides = (beside.0 && sides.0 || joined, beside.1 && sides.1 || joined);
            if !(sides.0 || sides.1) {
                return None;
            }
            let next = Corner::at(free, x + sx * (i + 1), y + sy * (i + 1));
            if next.is_some() {
                return next;
            }
        }
        None
    }
}

/// Whether one direction is farther from the near axis than another.
#[inline]
const fn is_beyond(one: Direction, other: Direction) -> bool {
    one.0 * other.1 > other.0 * one.1
}

#[inline]
const fn div_ceil(number: i64, by: i64) -> i64 {
    -(-number).div_euclid(by)
}
