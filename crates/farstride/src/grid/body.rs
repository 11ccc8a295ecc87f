//! Sight of a body, a square as large as a cell, exact in integers.
//!
//! The *body rule*: the square slides straight without turning and clips no blocked cell. It
//! may touch walls on both sides, so that it passes corridors of one cell. In every row, all
//! cells that it covers on its way must be free: those less than one column from its centre
//! while that is less than one row away.

use super::Grid;
use super::bits::Bits;
use crate::base::Cell;

impl Grid {
    /// Whether a square as large as a cell can slide straight from the centre of one cell to
    /// that of another without clipping a blocked cell. The grid's own diagonal rule does not
    /// matter.
    ///
    /// Symmetric. Whatever is clear by this rule is clear by the strict line of sight too; not
    /// the other way around, because there it is a point that moves.
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Grid};
    ///
    /// let grid = Grid::from_ascii("
    ///     .....
    ///     .#...
    /// ")?;
    /// assert!(grid.is_clear_for_body(Cell::new(0, 0), Cell::new(4, 0)));
    /// // A point passes the corner of the blocked cell here, a body does not.
    /// assert!(grid.line_of_sight(Cell::new(0, 0), Cell::new(4, 1)));
    /// assert!(!grid.is_clear_for_body(Cell::new(0, 0), Cell::new(4, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    /// Reads one word of bits per row or column crossed, whichever are fewer, and per 57 cells
    /// of each.
    pub fn is_clear_for_body(&self, a: Cell, b: Cell) -> bool {
        if !(self.contains(a) && self.contains(b)) {
            return false;
        }
        if a.x.abs_diff(b.x) >= a.y.abs_diff(b.y) {
            slides(&self.bits, a, b)
        } else {
            slides(self.sight.columns(), a.transposed(), b.transposed())
        }
    }
}

/// Whether a body slides between two cells of the map; no more rows than columns apart.
fn slides(bits: &Bits, a: Cell, b: Cell) -> bool {
    let (upper, lower) = if a.y <= b.y { (a, b) } else { (b, a) };
    let (x, across) = (u32::from(upper.x), u32::from(upper.x.abs_diff(lower.x)));
    let down = u32::from(lower.y - upper.y);
    let row_is_free = |row: u32, from: u32, to: u32| {
        let (from, to) = if lower.x < upper.x { (x - to, x - from) } else { (x + from, x + to) };
        bits.row_is_free(u32::from(upper.y) + row, from, to)
    };
    // Columns that the centre has passed on the row before, on this one, and on the next one:
    // there with a rest in parts of `down`.
    let (step, more) = (across / down.max(1), across % down.max(1));
    let (mut before, mut here, mut next, mut rest) = (0, 0, step, more);
    for row in 0..=down {
        let to = if row == down { across } else { next + u32::from(rest > 0) };
        if !row_is_free(row, before, to) {
            return false;
        }
        (before, here) = (here, next);
        next += step;
        rest += more;
        if rest >= down {
            rest -= down;
            next += 1;
        }
    }
    true
}
