//! Rectangles of cells.

use super::Cell;
use std::fmt;

/// A rectangle of cells. Both corners are included, so it is never empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rect {
    min: Cell,
    max: Cell,
}

impl Rect {
    /// The smallest rectangle that holds both cells, in any order.
    pub fn spanning(a: Cell, b: Cell) -> Self {
        Self { min: Cell::new(a.x.min(b.x), a.y.min(b.y)), max: Cell::new(a.x.max(b.x), a.y.max(b.y)) }
    }

    /// The top left cell.
    pub const fn min(self) -> Cell {
        self.min
    }

    /// The bottom right cell.
    pub const fn max(self) -> Cell {
        self.max
    }

    /// Number of columns.
    pub const fn width(self) -> u32 {
        self.max.x as u32 - self.min.x as u32 + 1
    }

    /// Number of rows.
    pub const fn height(self) -> u32 {
        self.max.y as u32 - self.min.y as u32 + 1
    }

    /// Number of cells.
    pub const fn cell_count(self) -> usize {
        self.width() as usize * self.height() as usize
    }

    /// Whether `cell` lies inside.
    pub const fn contains(self, cell: Cell) -> bool {
        self.min.x <= cell.x && cell.x <= self.max.x && self.min.y <= cell.y && cell.y <= self.max.y
    }

    /// Whether the two rectangles share a cell.
    pub(crate) const fn meets(self, other: Self) -> bool {
        self.min.x <= other.max.x
            && other.min.x <= self.max.x
            && self.min.y <= other.max.y
            && other.min.y <= self.max.y
    }

    /// The smallest rectangle that holds both rectangles.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        let min = Cell::new(self.min.x.min(other.min.x), self.min.y.min(other.min.y));
        let max = Cell::new(self.max.x.max(other.max.x), self.max.y.max(other.max.y));
        Self { min, max }
    }

    /// Whether a cell lies outside, but touches the rectangle, if only at a corner.
    #[inline]
    pub(crate) const fn adjoins(self, cell: Cell) -> bool {
        let (min, max) = (self.min(), self.max());
        cell.x.saturating_add(1) >= min.x
            && cell.y.saturating_add(1) >= min.y
            && cell.x <= max.x.saturating_add(1)
            && cell.y <= max.y.saturating_add(1)
            && !self.contains(cell)
    }

    /// Grows the rectangle by `margin` cells on every side, clipped to `bounds`,
    /// which must contain it.
    #[must_use]
    pub(crate) fn grown(self, margin: u16, bounds: Self) -> Self {
        let least = |side: u16, bound: u16| side.saturating_sub(margin).max(bound);
        let most = |side: u16, bound: u16| side.saturating_add(margin).min(bound);
        Self {
            min: Cell::new(least(self.min.x, bounds.min.x), least(self.min.y, bounds.min.y)),
            max: Cell::new(most(self.max.x, bounds.max.x), most(self.max.y, bounds.max.y)),
        }
    }

    /// Position of `cell` in row-major order. `cell` must lie inside.
    #[inline]
    pub const fn offset(self, cell: Cell) -> usize {
        (cell.y - self.min.y) as usize * self.width() as usize + (cell.x - self.min.x) as usize
    }

    /// Every cell in row-major order.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (self.min.y..=self.max.y).flat_map(move |y| (self.min.x..=self.max.x).map(move |x| Cell::new(x, y)))
    }
}

impl From<Cell> for Rect {
    fn from(cell: Cell) -> Self {
        Self { min: cell, max: cell }
    }
}

impl fmt::Display for Rect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.min, self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_may_come_in_any_order() {
        let rect = Rect::spanning(Cell::new(4, 1), Cell::new(2, 3));
        assert_eq!((rect.width(), rect.height()), (3, 3));
        assert_eq!(rect.cells().count(), 9);
        assert!(rect.cells().all(|cell| rect.contains(cell)));
        assert!(!rect.contains(Cell::new(5, 2)));
        assert_eq!(Rect::from(Cell::new(1, 1)).cells().count(), 1);
    }

    #[test]
    fn the_cells_around_a_rectangle_adjoin_it() {
        for rect in [
            Rect::spanning(Cell::new(3, 4), Cell::new(5, 4)),
            Rect::spanning(Cell::new(0, 0), Cell::new(1, 2)),
            Rect::spanning(Cell::new(0, 5), Cell::new(9, 9)),
        ] {
            let all = Rect::spanning(Cell::new(0, 0), Cell::new(9, 9));
            let around = rect.grown(1, all);
            for cell in all.cells() {
                assert_eq!(
                    rect.adjoins(cell),
                    around.contains(cell) && !rect.contains(cell),
                    "{cell} at {rect}"
                );
            }
        }
    }
}
