//! Line of sight between cell centres, exact in integers.
//!
//! The segment is cut into one stretch of cells per row. All cells that it
//! enters must be free; where it runs exactly through a corner of four cells,
//! the two that it does not enter are judged by the grid's diagonal rule, as
//! for a diagonal step. The cuts are found by integer division once and by
//! carrying the remainder from row to row after that.

use super::{Diagonals, Grid};
use crate::base::Cell;

/// The cells of one row that a segment enters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowSpan {
    /// The row.
    pub y: u16,
    /// Leftmost column.
    pub from: u16,
    /// Rightmost column.
    pub to: u16,
    /// Whether the segment goes on to the next row through a corner: then it
    /// enters the cell diagonally below, on the side it is heading to.
    pub corner: bool,
}

/// The stretches of a segment from the upper end to the lower, in whole cells
/// counted from the upper end towards the lower one.
struct Spans {
    start: Cell,
    heading_left: bool,
    across: u32,
    down: u32,
    row: u32,
    /// First column entered in the current row.
    entry: u32,
    /// Where the segment leaves the current row: `quotient + remainder / (2 down)`
    /// columns from the left edge of the first cell.
    quotient: u32,
    remainder: u32,
}

impl Spans {
    fn new(a: Cell, b: Cell) -> Self {
        let (start, end) = if a.y <= b.y { (a, b) } else { (b, a) };
        let across = u32::from(start.x.abs_diff(end.x));
        let down = u32::from(end.y - start.y);
        // A level segment leaves its only row at its end.
        let doubled = (2 * down).max(1);
        Self {
            start,
            heading_left: end.x < start.x,
            across,
            down,
            row: 0,
            entry: 0,
            quotient: (down + across) / doubled,
            remainder: (down + across) % doubled,
        }
    }

    /// The columns `first..=last`, counted from the upper end.
    fn span(&self, first: u32, last: u32, corner: bool) -> RowSpan {
        let (first, last) = (first as u16, last as u16);
        let (from, to) = if self.heading_left {
            (self.start.x - last, self.start.x - first)
        } else {
            (self.start.x + first, self.start.x + last)
        };
        RowSpan { y: self.start.y + self.row as u16, from, to, corner }
    }

    fn advance(&mut self) {
        let doubled = 2 * self.down;
        self.entry = self.quotient;
        self.row += 1;
        self.quotient += 2 * self.across / doubled;
        self.remainder += 2 * self.across % doubled;
        if self.remainder >= doubled {
            self.remainder -= doubled;
            self.quotient += 1;
        }
    }
}

impl Iterator for Spans {
    type Item = RowSpan;

    #[inline]
    fn next(&mut self) -> Option<RowSpan> {
        if self.row >= self.down {
            let last = (self.row == self.down).then(|| self.span(self.entry, self.across, false));
            self.row = self.down + 1;
            return last;
        }
        let corner = self.remainder == 0;
        let span = self.span(self.entry, self.quotient - u32::from(corner), corner);
        self.advance();
        Some(span)
    }
}

impl Grid {
    /// Whether the straight segment between the centres of two cells keeps to
    /// free cells under the grid's diagonal rule.
    ///
    /// Symmetric; a free cell sees itself. On a 4-connected grid only level
    /// and upright segments count.
    ///
    /// # Complexity
    /// One word of bits per row crossed, or per 57 cells of a row.
    pub fn line_of_sight(&self, a: Cell, b: Cell) -> bool {
        if !(self.contains(a) && self.contains(b)) {
            return false;
        }
        if self.rules.diagonals == Diagonals::None && a.x != b.x && a.y != b.y {
            return false;
        }
        let mut spans = Spans::new(a, b);
        let heading_left = spans.heading_left;
        spans.all(|span| {
            self.bits.row_is_free(span.y, span.from, span.to)
                && (!span.corner || self.corner_is_passable(span, heading_left))
        })
    }

    /// Whether a segment may leave `span` through its lower corner.
    fn corner_is_passable(&self, span: RowSpan, heading_left: bool) -> bool {
        let (inner, outer) =
            if heading_left { (span.from, span.from - 1) } else { (span.to, span.to + 1) };
        let beside = self.bits.is_free(Cell::new(outer, span.y));
        let below = self.bits.is_free(Cell::new(inner, span.y + 1));
        self.rules.diagonals.passes_corner(beside, below)
    }

    /// The cells that the segment between two cell centres enters, as one
    /// stretch per row from the upper end to the lower.
    pub fn row_spans(a: Cell, b: Cell) -> impl Iterator<Item = RowSpan> {
        Spans::new(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Rules;

    fn seen(rows: &str, diagonals: Diagonals, a: (u16, u16), b: (u16, u16)) -> bool {
        let grid = Grid::from_ascii(rows).unwrap().with_rules(Rules { diagonals, ..Rules::default() });
        let (a, b) = (a.into(), b.into());
        let there = grid.line_of_sight(a, b);
        assert_eq!(there, grid.line_of_sight(b, a));
        there
    }

    #[test]
    fn a_corner_is_judged_by_the_rule() {
        let touches_one = "\n.#\n..\n";
        let squeezes = "\n.#\n#.\n";
        let (a, b) = ((0, 0), (1, 1));
        assert!(!seen(touches_one, Diagonals::Strict, a, b));
        assert!(seen(touches_one, Diagonals::OneSide, a, b));
        assert!(!seen(squeezes, Diagonals::OneSide, a, b));
        assert!(seen(squeezes, Diagonals::Free, a, b));
        assert!(!seen("\n..\n..\n", Diagonals::None, a, b));
    }

    #[test]
    fn a_flat_line_enters_every_cell_it_cuts() {
        let spans: Vec<_> = Grid::row_spans(Cell::new(0, 0), Cell::new(4, 1)).collect();
        let expected = [
            RowSpan { y: 0, from: 0, to: 2, corner: false },
            RowSpan { y: 1, from: 2, to: 4, corner: false },
        ];
        assert_eq!(spans, expected);
    }

    #[test]
    fn a_steep_line_to_the_left_passes_corners() {
        let spans: Vec<_> = Grid::row_spans(Cell::new(1, 0), Cell::new(0, 3)).collect();
        let columns: Vec<_> = spans.iter().map(|span| (span.from, span.to, span.corner)).collect();
        assert_eq!(columns, [(1, 1, false), (1, 1, true), (0, 0, false), (0, 0, false)]);
    }
}
