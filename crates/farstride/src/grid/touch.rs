//! Sight of a point that may touch walls, exact in integers.
//!
//! The *touch rule*: a segment is clear if it enters no blocked cell, runs through no crack
//! between two of them, and passes no gap between two blocked cells that touch at a corner.
//! It may graze corners and run along walls. Between cell centres that is the line of sight
//! of the rule [`Diagonals::OneSide`]; segments from and to corners are cut here, row by row.

use super::Grid;
use crate::base::{Cell, Point};

impl Grid {
    /// Whether the straight segment between two points, cell centres or corners, is clear by
    /// the touch rule: it enters no blocked cell and squeezes through no gap, but may touch
    /// corners and walls. The grid's own diagonal rule does not matter.
    ///
    /// Symmetric. Points that are neither centre nor corner, or off the map, see nothing.
    ///
    /// # Complexity
    /// Between centres as [`Grid::line_of_sight`]; otherwise one word of bits per row crossed
    /// and per 57 cells of each.
    pub fn is_clear(&self, a: Point, b: Point) -> bool {
        if let (Some(a), Some(b)) = (a.cell(), b.cell()) {
            return self.touches_only(a, b);
        }
        if !self.has_point(a) || !self.has_point(b) {
            return false;
        }
        if a.x == b.x || a.y == b.y { self.wall_is_clear(a, b) } else { self.slope_is_clear(a, b) }
    }

    /// Whether the point is a free cell's centre, or a corner between cells of the map.
    fn has_point(&self, point: Point) -> bool {
        if let Some(cell) = point.cell() {
            return self.is_free(cell);
        }
        let is_inside = |at: u32, side: usize| at % 2 == 1 && (at as usize) < 2 * side - 1;
        is_inside(point.x, self.width()) && is_inside(point.y, self.height())
    }

    /// A segment along a row or column of corners: each piece has a free side, and no gap
    /// is between two pieces.
    fn wall_is_clear(&self, a: Point, b: Point) -> bool {
        let is_level = a.y == b.y;
        let (line, from, to) =
            if is_level { (a.y, a.x.min(b.x), a.x.max(b.x)) } else { (a.x, a.y.min(b.y), a.y.max(b.y)) };
        let is_free = |along: u32, across: u32| {
            let (x, y) = if is_level { (along, across) } else { (across, along) };
            self.is_free(Cell::new(x as u16, y as u16))
        };
        let (before, after) = (line / 2, line / 2 + 1);
        let mut sides = (true, true);
        (from.div_ceil(2)..to.div_ceil(2)).all(|piece| {
            let free = (is_free(piece, before), is_free(piece, after));
            let joined = free.0 && free.1 && (sides.0 || sides.1);
            sides = (free.0 && sides.0 || joined, free.1 && sides.1 || joined);
            sides.0 || sides.1
        })
    }

    /// A segment that crosses rows at an angle.
    fn slope_is_clear(&self, a: Point, b: Point) -> bool {
        let (upper, lower) = if a.y < b.y { (a, b) } else { (b, a) };
        let (dx, dy) = upper.to(lower);
        let (top, bottom) = (i64::from(upper.y), i64::from(lower.y));
        // Columns are multiplied by `dy`, and by the two half cells of a cell.
        let at = |y: i64| i64::from(upper.x) * dy + dx * (y - top);
        let cell = 2 * dy;
        let rows_are_free = ((top + 1).div_euclid(2)..(bottom + 2).div_euclid(2)).all(|row| {
            let (enters, leaves) = (at((2 * row - 1).max(top)), at((2 * row + 1).min(bottom)));
            let (left, right) = (enters.min(leaves) + dy, enters.max(leaves) + dy);
            let (first, last) = (left / cell, (right - 1) / cell);
            self.bits.row_is_free(row as u32, first as u32, last as u32)
        });
        rows_are_free && self.slope_passes_corners(upper, (dx, dy))
    }

    /// Whether no gap lies on a segment whose cells are free.
    fn slope_passes_corners(&self, from: Point, (dx, dy): (i64, i64)) -> bool {
        let pieces = gcd(dx.unsigned_abs(), dy.unsigned_abs()) as i64;
        (1..pieces).all(|piece| {
            let (x, y) = (i64::from(from.x) + dx / pieces * piece, i64::from(from.y) + dy / pieces * piece);
            x % 2 == 0 || y % 2 == 0 || self.corner_is_open(x, y, dx > 0)
        })
    }

    /// Whether one of the two cells beside a segment that passes a corner, downwards to the
    /// right or to the left, is free.
    fn corner_is_open(&self, x: i64, y: i64, right: bool) -> bool {
        let (left, up) = ((x / 2) as u16, (y / 2) as u16);
        let beside = if right { [(left + 1, up), (left, up + 1)] } else { [(left, up), (left + 1, up + 1)] };
        beside.into_iter().any(|cell| self.is_free(cell.into()))
    }
}

impl Grid {
    /// Every cell that a path of straight legs enters, in walking order.
    ///
    /// Where the path touches a corner or runs along a wall, it passes through free cells
    /// beside it, so that every step is one of the grid's [moves](Grid::moves).
    ///
    /// # Guarantee
    /// If each leg is clear ([`Grid::is_clear`]), as those of `straight` are, the cells form a
    /// legal path on grids with the rules strict and one-side.
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Engine, Grid, Planner};
    ///
    /// let grid = Grid::from_ascii("
    ///     ...
    ///     .#.
    /// ")?;
    /// let planner = Planner::with_engine(grid, Engine::Straight)?;
    /// let route = planner.path((0, 1), (2, 1)).expect("there is a way");
    /// let cells = planner.grid().entered_cells(route.points());
    /// assert_eq!(cells, [(0, 1), (0, 0), (1, 0), (2, 0), (2, 1)].map(Cell::from));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    /// Constant time per cell.
    pub fn entered_cells(&self, points: &[Point]) -> Vec<Cell> {
        let mut cells: Vec<Cell> = points.first().and_then(|first| first.cell()).into_iter().collect();
        for leg in points.windows(2) {
            self.for_each_entered(leg[0], leg[1], |cell| self.push_entered(&mut cells, cell));
        }
        cells
    }

    /// Appends a cell that a path enters, and a free one before it if it touches the last
    /// one at a corner only and that step is not legal.
    fn push_entered(&self, cells: &mut Vec<Cell>, cell: Cell) {
        if let Some(&last) = cells.last() {
            if last == cell {
                return;
            }
            let is_step = last.direction_to(cell).is_some_and(|to| self.moves_at(last).contains(to));
            if !is_step {
                let beside = [Cell::new(last.x, cell.y), Cell::new(cell.x, last.y)];
                cells.extend(beside.into_iter().find(|&cell| self.is_free(cell)));
            }
        }
        cells.push(cell);
    }

    /// Calls `visit` with the cells that a leg enters; beside those where it runs along a
    /// wall, one on a free side.
    pub(crate) fn for_each_entered(&self, from: Point, to: Point, mut visit: impl FnMut(Cell)) {
        let (dx, dy) = from.to(to);
        let ((mut x, mut next_x), (mut y, mut next_y)) = (first_border(from.x, dx), first_border(from.y, dy));
        let (across, down) = (dx.abs(), dy.abs());
        // Along a line between cells, those on the side with the larger numbers if free.
        let beside = |x: i64, y: i64| {
            let at = |x: i64, y: i64| Cell::new(x as u16, y as u16);
            let other = if dx == 0 && from.x % 2 == 1 {
                at(x - 1, y)
            } else if dy == 0 && from.y % 2 == 1 {
                at(x, y - 1)
            } else {
                at(x, y)
            };
            if self.is_free(at(x, y)) { at(x, y) } else { other }
        };
        visit(beside(x, y));
        loop {
            let (column, row) = (next_x * down, next_y * across);
            let (steps_x, steps_y) = (next_x < across, next_y < down);
            let takes_x = steps_x && (!steps_y || column <= row);
            let takes_y = steps_y && (!steps_x || row <= column);
            if takes_x {
                x += dx.signum();
                next_x += 2;
            }
            if takes_y {
                y += dy.signum();
                next_y += 2;
            }
            if !takes_x && !takes_y {
                return;
            }
            visit(beside(x, y));
        }
    }
}

/// The first cell that a leg enters along an axis, and how far it is to the border after it
/// in half cells.
const fn first_border(from: u32, to: i64) -> (i64, i64) {
    let from = from as i64;
    if from % 2 == 0 {
        (from / 2, 1)
    } else if to < 0 {
        ((from - 1) / 2, 2)
    } else {
        ((from + 1) / 2, 2)
    }
}

const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
