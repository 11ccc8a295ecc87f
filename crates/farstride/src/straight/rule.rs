//! The two rules, and the lattice on which paths bend by each.
//!
//! By the *touch rule* a point moves. It bends at lattice points between cells, and the
//! squares of the lattice are the cells. By the *body rule* a square as large as a cell moves.
//! Its centre bends at centres of cells, so these are the lattice points, and a square between
//! four of them is open if all four cells are free. The centre may also follow a lattice line
//! between free cells where the squares beside are not open: a corridor of one cell.
//!
//! Everything else is the same for both.

use super::corner::{Corner, Slope};
use crate::base::{Cell, Point};
use crate::grid::Grid;

/// What moves along a path, and so what the path may touch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum StraightRule {
    /// A point, which may touch corners and walls ([`Grid::is_clear`]). Paths bend at corners
    /// of blocked cells.
    #[default]
    Touch,
    /// A square as large as a cell, which slides without clipping a blocked cell
    /// ([`Grid::is_clear_for_body`]). Paths bend at centres of cells.
    Body,
}

impl StraightRule {
    /// A map seen by this rule.
    #[inline]
    pub(super) const fn on(self, grid: &Grid) -> Space<'_> {
        Space { grid, rule: self }
    }

    /// Half cells from a lattice point to the centre of the cell to its lower right, along each
    /// axis.
    #[inline]
    pub(super) const fn inset(self) -> i32 {
        match self {
            Self::Touch => 1,
            Self::Body => 0,
        }
    }

    /// The point of the map at a lattice point.
    #[inline]
    pub(super) fn point(self, x: i32, y: i32) -> Point {
        let half = |at: i32| (2 * at - self.inset()).max(0) as u32;
        Point { x: half(x), y: half(y) }
    }

    /// Most corners at a lattice point: different blocked squares there make different ones.
    pub(super) const fn slots(self) -> usize {
        match self {
            Self::Touch => 1,
            Self::Body => QUADRANTS.len(),
        }
    }
}

/// The signs of all quadrants, in the order of the corners at a lattice point.
pub(super) const QUADRANTS: [(i32, i32); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// A map seen by a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Space<'g> {
    pub(super) grid: &'g Grid,
    pub(super) rule: StraightRule,
}

impl Space<'_> {
    /// Columns and rows of lattice points.
    pub(super) fn lattice(self) -> (usize, usize) {
        let more = self.rule.inset() as usize;
        (self.grid.width() + more, self.grid.height() + more)
    }

    /// Number of a lattice point, which must be on the map.
    #[inline]
    pub(super) fn place(self, x: i32, y: i32) -> usize {
        y as usize * self.lattice().0 + x as usize
    }

    /// Whether the square to the lower right of a lattice point is open, for any numbers.
    #[inline]
    pub(super) fn is_open(self, x: i32, y: i32) -> bool {
        let free = |x, y| is_free(self.grid, x, y);
        match self.rule {
            StraightRule::Touch => free(x, y),
            StraightRule::Body => free(x, y) && free(x + 1, y) && free(x, y + 1) && free(x + 1, y + 1),
        }
    }

    /// Whether a path may pass through a point between two open squares that touch only there.
    /// A point may not, because it would squeeze between two blocked cells. A body finds free
    /// cells on all four sides.
    #[inline]
    pub(super) const fn passes_gaps(self) -> bool {
        matches!(self.rule, StraightRule::Body)
    }

    /// The corner of a slot at a lattice point, if there is one.
    #[inline]
    fn corner(self, x: i32, y: i32, slot: usize) -> Option<Corner> {
        let free = |x, y| is_free(self.grid, x, y);
        let blocked = match self.rule {
            StraightRule::Touch => match (free(x - 1, y - 1), free(x, y - 1), free(x - 1, y), free(x, y)) {
                (false, true, true, true) => (-1, -1),
                (true, false, true, true) => (1, -1),
                (true, true, false, true) => (-1, 1),
                (true, true, true, false) => (1, 1),
                _ => return None,
            },
            StraightRule::Body => {
                let (dx, dy) = QUADRANTS[slot];
                let is_corner = free(x, y) && free(x + dx, y) && free(x, y + dy) && !free(x + dx, y + dy);
                if !is_corner {
                    return None;
                }
                (dx, dy)
            }
        };
        Some(Corner { x, y, blocked })
    }

    /// The corners at a lattice point, by slot.
    #[inline]
    pub(super) fn corners_at(self, x: i32, y: i32) -> impl Iterator<Item = Corner> {
        (0..self.rule.slots()).filter_map(move |slot| self.corner(x, y, slot))
    }

    /// The slot of a corner.
    pub(super) fn slot(self, corner: Corner) -> usize {
        match self.rule {
            StraightRule::Touch => 0,
            StraightRule::Body => QUADRANTS.iter().position(|&way| way == corner.blocked).unwrap_or(0),
        }
    }

    /// How many corners at the same lattice point come before a corner.
    #[inline]
    pub(super) fn position(self, corner: Corner) -> u32 {
        let before = self.corners_at(corner.x, corner.y).take_while(|&other| other != corner);
        before.count() as u32
    }

    /// The corner with a number that [`Space::number`] gives.
    pub(super) fn corner_numbered(self, number: usize) -> Option<Corner> {
        let (slots, (width, _)) = (self.rule.slots(), self.lattice());
        let place = number / slots;
        self.corner((place % width) as i32, (place / width) as i32, number % slots)
    }

    /// Number of a corner among all slots of all lattice points.
    pub(super) fn number(self, corner: Corner) -> usize {
        self.place(corner.x, corner.y) * self.rule.slots() + self.slot(corner)
    }

    /// The blocked cell around which paths bend at a corner; `None` if it lies off the map.
    pub(super) fn blocked_cell(self, Corner { x, y, blocked: (dx, dy) }: Corner) -> Option<Cell> {
        let (x, y) = match self.rule {
            // A corner has the numbers of the cell to its lower right.
            StraightRule::Touch => (x + dx.min(0), y + dy.min(0)),
            StraightRule::Body => (x + dx, y + dy),
        };
        Some(Cell::new(u16::try_from(x).ok()?, u16::try_from(y).ok()?))
    }

    /// The point of a corner.
    #[inline]
    pub(super) fn point(self, corner: Corner) -> Point {
        self.rule.point(corner.x, corner.y)
    }

    /// Offset from a corner to the centre of a cell, in half cells.
    #[inline]
    pub(super) const fn to_cell(self, from: Corner, x: i32, y: i32) -> (i64, i64) {
        let inset = self.rule.inset();
        ((2 * (x - from.x) + inset) as i64, (2 * (y - from.y) + inset) as i64)
    }

    /// A slope that something behind every corner has, if that is known: by the body rule the
    /// next cell along the wall is free.
    pub(super) const fn lowest_behind(self) -> Slope {
        match self.rule {
            StraightRule::Touch => Slope::STEEPEST,
            StraightRule::Body => Slope::ALONG_WALL,
        }
    }

    /// Whether a path may go straight from one cell to another.
    #[inline]
    pub(super) fn sees(self, a: Cell, b: Cell) -> bool {
        match self.rule {
            StraightRule::Touch => self.grid.touches_only(a, b),
            StraightRule::Body => self.grid.is_clear_for_body(a, b),
        }
    }

    /// Whether a path may go straight from one point to another.
    pub(super) fn is_clear(self, a: Point, b: Point) -> bool {
        match self.rule {
            StraightRule::Touch => self.grid.is_clear(a, b),
            StraightRule::Body => {
                a.cell().zip(b.cell()).is_some_and(|(a, b)| self.grid.is_clear_for_body(a, b))
            }
        }
    }

    /// The first lattice point with a corner that a path along an axis comes to.
    pub(super) fn first_along(self, (x, y): (i32, i32), (sx, sy): (i32, i32)) -> Option<(i32, i32)> {
        let free = |x, y| is_free(self.grid, x, y);
        // Whether the path can be on each side of the line, by the touch rule.
        let mut sides = (true, true);
        for i in 1.. {
            let next = (x + sx * i, y + sy * i);
            match self.rule {
                StraightRule::Touch => {
                    let (column, row) =
                        (if sx < 0 { x - i } else { x + i - 1 }, if sy < 0 { y - i } else { y + i - 1 });
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
                }
                StraightRule::Body if !free(next.0, next.1) => return None,
                StraightRule::Body => {}
            }
            if self.corners_at(next.0, next.1).next().is_some() {
                return Some(next);
            }
        }
        None
    }

    /// Number of free cells from a lattice point along an axis, by the body rule; by the other one
    /// no cell's centre is there.
    pub(super) fn cells_along(self, (x, y): (i32, i32), (sx, sy): (i32, i32)) -> i32 {
        let is_on = |&i: &i32| is_free(self.grid, x + sx * i, y + sy * i);
        match self.rule {
            StraightRule::Touch => 0,
            StraightRule::Body => (1..=i32::from(u16::MAX)).take_while(is_on).count() as i32,
        }
    }
}

/// Whether a cell is free, for any numbers.
#[inline]
fn is_free(grid: &Grid, x: i32, y: i32) -> bool {
    match (u16::try_from(x), u16::try_from(y)) {
        (Ok(x), Ok(y)) => grid.is_free(Cell::new(x, y)),
        _ => false,
    }
}
