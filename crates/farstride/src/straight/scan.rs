//! What a point sees, by cones of sight bounded by exact directions.
//!
//! A scan covers one closed quadrant. Row by row it follows *cones*: the directions between
//! two integer vectors in which nothing was in the way so far. Each run of open squares that a
//! cone enters in the next row cuts a part out of it, so cones split and narrow, and every
//! comparison is one of products of integers.
//!
//! Cones are closed: their bounds may graze corners. A bound that enters a row exactly at a
//! corner between two blocked squares passes a gap, and the cone is then a single ray. By the
//! touch rule it ends there. Rays along the axes run between squares and are followed apart.

use super::corner::Corner;
use super::rule::{QUADRANTS, Space, StraightRule};
use crate::base::{Cell, Point};
use std::ops::RangeInclusive;

/// A direction; only the ratio counts.
type Direction = (i64, i64);

/// The directions in which rows below `row` were left without touching the inside of a
/// blocked square.
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

/// Where a scan begins: at a lattice point, or at the centre of a square.
#[derive(Clone, Copy, Debug)]
struct Origin {
    x: i32,
    y: i32,
    is_centre: bool,
}

/// Cells or lattice points of a row in a scan: from the nearest to the farthest, in their
/// columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) y: i32,
    pub(super) nearest: i32,
    pub(super) farthest: i32,
}

impl Scan {
    /// Calls `points` with the lattice points that `origin` sees in a quadrant, axes excluded,
    /// and `centres` with the squares whose centres it sees there. The latter is right for
    /// lattice points as origins only.
    fn quadrant(
        &mut self,
        space: Space<'_>,
        origin: Origin,
        (sx, sy): (i32, i32),
        mut points: impl FnMut(Stretch),
        mut centres: impl FnMut(Stretch),
    ) {
        // Distances are in half squares along the axes of the quadrant. Lattice line `k` is
        // `2k - inset` away, so a centre is inset by half a square and a lattice point is not.
        let inset = i64::from(origin.is_centre);
        let frame = |at: i32, sign: i32| match (origin.is_centre, sign > 0) {
            (_, true) => (at, at),
            (false, false) => (at - 1, at),
            (true, false) => (at, at + 1),
        };
        let ((first_column, first_line), (first_row, first_level)) =
            (frame(origin.x, sx), frame(origin.y, sy));
        let column = |i: i64| first_column + sx * i as i32;
        let row = |j: i64| first_row + sy * j as i32;
        let open = |i: i64, j: i64| space.is_open(column(i), row(j));
        self.cones.clear();
        if !open(0, 0) {
            return;
        }
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
                let is_gap = || is_at_corner && !open(begin - 1, j) && !open(begin, j - 1);
                if !space.passes_gaps() && is_gap() {
                    continue;
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
                    centres(Stretch { y: row(j), nearest: column(first), farthest: column(past - 1) });
                }
                let right = (2 * end - inset, top);
                let far = if is_beyond(far, right) { right } else { far };
                if is_beyond(near, far) {
                    continue;
                }
                // Lattice points of the line above, without the axis.
                let nearest = div_ceil(near.0 * top + inset * near.1, 2 * near.1).max(1);
                let farthest = at(far, top);
                if nearest <= farthest {
                    let line = |p: i64| first_line + sx * p as i32;
                    let y = first_level + sy * (j + 1) as i32;
                    points(Stretch { y, nearest: line(nearest), farthest: line(farthest) });
                }
                self.cones.push(Cone { near, far, row: j + 1 });
            }
        }
    }

    /// Calls `point` with the lattice points, and `centres` with the squares' centres, that a
    /// corner sees in a closed quadrant. On the axes these are the nearest lattice points with
    /// a corner.
    pub(super) fn closed_quadrant(
        &mut self,
        space: Space<'_>,
        corner: Corner,
        (sx, sy): (i32, i32),
        mut point: impl FnMut(i32, i32),
        centres: impl FnMut(Stretch),
    ) {
        let Corner { x, y, .. } = corner;
        self.quadrant(
            space,
            Origin { x, y, is_centre: false },
            (sx, sy),
            |line| line.each(&mut point),
            centres,
        );
        for axis in [(sx, 0), (0, sy)] {
            if let Some((x, y)) = space.first_along((x, y), axis) {
                point(x, y);
            }
        }
    }

    /// Calls `cells` with the cells that a lattice point sees in a closed quadrant.
    pub(super) fn cells(
        &mut self,
        space: Space<'_>,
        (x, y): (i32, i32),
        (sx, sy): (i32, i32),
        mut cells: impl FnMut(Stretch),
    ) {
        let origin = Origin { x, y, is_centre: false };
        match space.rule {
            StraightRule::Touch => self.quadrant(space, origin, (sx, sy), |_| (), cells),
            StraightRule::Body => {
                self.quadrant(space, origin, (sx, sy), &mut cells, |_| ());
                let along = space.cells_along((x, y), (sx, 0));
                if along > 0 {
                    cells(Stretch { y, nearest: x + sx, farthest: x + sx * along });
                }
                for i in 1..=space.cells_along((x, y), (0, sy)) {
                    cells(Stretch { y: y + sy * i, nearest: x, farthest: x });
                }
            }
        }
    }

    /// Calls `visit` with the corners that a cell sees and at which paths from it can bend.
    pub(super) fn corners_around(&mut self, space: Space<'_>, cell: Cell, mut visit: impl FnMut(Corner)) {
        let here = Point::centre(cell);
        let mut offer = |x: i32, y: i32| {
            for corner in space.corners_at(x, y) {
                if corner.side(space.point(corner).to(here)).is_some() {
                    visit(corner);
                }
            }
        };
        let is_centre = space.rule == StraightRule::Touch;
        let origin = Origin { x: cell.x.into(), y: cell.y.into(), is_centre };
        for quadrant in QUADRANTS {
            self.quadrant(space, origin, quadrant, |line| line.each(&mut offer), |_| ());
        }
        if !is_centre {
            for axis in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                if let Some((x, y)) = space.first_along((origin.x, origin.y), axis) {
                    offer(x, y);
                }
            }
        }
    }
}

impl Stretch {
    /// Columns, from left to right.
    #[inline]
    pub(super) fn columns(self) -> RangeInclusive<i32> {
        self.nearest.min(self.farthest)..=self.nearest.max(self.farthest)
    }

    /// Calls `visit` with every column and the row.
    #[inline]
    fn each(self, mut visit: impl FnMut(i32, i32)) {
        self.columns().for_each(|x| visit(x, self.y));
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
