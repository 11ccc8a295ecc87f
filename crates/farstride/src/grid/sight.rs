//! Line of sight between cell centres, exact in integers.
//!
//! The segment between the centres is cut into one span of cells per row. All
//! cells that it enters must be free. Where it passes exactly through a corner of
//! four cells, the two cells it does not enter are judged by the grid's diagonal
//! rule, as for a diagonal step. The cuts are found with one integer division, and
//! after that by carrying the remainder from row to row.
//!
//! Two things make it fast. A transposed copy of the map lets every segment be
//! cut along its shorter side. And where all chunks of 8 × 8 cells on the way are
//! free, eight rows are passed at once.

use super::bits::Bits;
use super::{Diagonals, Grid};
use crate::base::Cell;

/// Testing whole chunks pays if this many rows of their row of chunks are left.
const WORTH_SKIPPING: u32 = 3;

/// The cells of one row that a segment enters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowSpan {
    /// The row.
    pub y: u16,
    /// Leftmost column.
    pub from: u16,
    /// Rightmost column.
    pub to: u16,
    /// Whether the segment leaves the row through a corner. The next cell it
    /// enters is then diagonally below, on the side it is heading to.
    pub corner: bool,
}

/// The spans of a segment from its upper to its lower end. Columns count from
/// the upper end towards the lower one.
#[derive(Clone)]
struct Spans {
    start: Cell,
    heading_left: bool,
    across: u32,
    down: u32,
    row: u32,
    /// First column entered in the current row.
    entry: u32,
    /// The segment leaves the current row `quotient + remainder / (2 down)`
    /// columns from the left edge of the first cell.
    quotient: u32,
    remainder: u32,
    /// What these two gain per row.
    quotient_step: u32,
    remainder_step: u32,
}

impl Spans {
    fn new(a: Cell, b: Cell) -> Self {
        let (start, end) = if a.y <= b.y { (a, b) } else { (b, a) };
        let across = u32::from(start.x.abs_diff(end.x));
        let down = u32::from(end.y - start.y);
        // A horizontal segment has one row and ends in it.
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
            quotient_step: 2 * across / doubled,
            remainder_step: 2 * across % doubled,
        }
    }

    /// First and last column entered in the current row, and whether the segment
    /// leaves the row through a corner.
    #[inline]
    fn stretch(&self) -> (u32, u32, bool) {
        if self.is_last() {
            return (self.entry, self.across, false);
        }
        let corner = self.remainder == 0;
        (self.entry, self.quotient - u32::from(corner), corner)
    }

    /// Converts columns counted from the upper end to columns of the map, leftmost
    /// first.
    #[inline]
    fn columns(&self, first: u32, last: u32) -> (u32, u32) {
        let x = u32::from(self.start.x);
        if self.heading_left { (x - last, x - first) } else { (x + first, x + last) }
    }

    /// The current row.
    #[inline]
    fn y(&self) -> u32 {
        u32::from(self.start.y) + self.row
    }

    /// Rows left in the current row of chunks, or to the end of the segment.
    fn rows_in_chunk(&self) -> u32 {
        (8 - (self.y() + Bits::PADDING) % 8).min(self.down + 1 - self.row)
    }

    /// The state after `rows - 1` more rows, which the segment must reach.
    fn ahead(mut self, rows: u32) -> Self {
        let doubled = (2 * self.down).max(1);
        let total = self.remainder + self.remainder_step * (rows - 1);
        self.quotient += self.quotient_step * (rows - 1) + total / doubled;
        self.remainder = total % doubled;
        self.row += rows - 1;
        self
    }

    /// Whether the current row is the last.
    #[inline]
    fn is_last(&self) -> bool {
        self.row == self.down
    }

    /// Moves to the next row; there may be none.
    #[inline]
    fn advance(&mut self) {
        let doubled = 2 * self.down;
        self.entry = self.quotient;
        self.row += 1;
        self.quotient += self.quotient_step;
        self.remainder += self.remainder_step;
        if self.remainder >= doubled {
            self.remainder -= doubled;
            self.quotient += 1;
        }
    }
}

impl Iterator for Spans {
    type Item = RowSpan;

    fn next(&mut self) -> Option<RowSpan> {
        if self.row > self.down {
            return None;
        }
        let (first, last, corner) = self.stretch();
        let (from, to) = self.columns(first, last);
        let span = RowSpan { y: self.y() as u16, from: from as u16, to: to as u16, corner };
        self.advance();
        Some(span)
    }
}

/// Copies of the map that make lines of sight fast.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Sight {
    /// The map with rows and columns swapped.
    columns: Bits,
    /// The map of fully free chunks, and the same for `columns`.
    open_rows: Bits,
    open_columns: Bits,
}

impl Sight {
    pub(super) fn new(bits: &Bits, width: u16, height: u16) -> Self {
        let columns = bits.transposed(width, height);
        Self { open_rows: bits.open_chunks(), open_columns: columns.open_chunks(), columns }
    }

    pub(super) fn set(&mut self, cell: Cell, free: bool) {
        self.columns.set(cell.transposed(), free);
    }

    /// Follows a change of one chunk of the rows.
    pub(super) fn update(&mut self, bits: &Bits, chunk: usize) {
        let (column, row) = (chunk % bits.chunks_wide(), chunk / bits.chunks_wide());
        bits.mark_chunk(chunk, &mut self.open_rows);
        self.columns.mark_chunk(column * self.columns.chunks_wide() + row, &mut self.open_columns);
    }

    /// The map with rows and columns swapped.
    pub(super) const fn columns(&self) -> &Bits {
        &self.columns
    }

    pub(super) const fn memory_bytes(&self) -> usize {
        self.columns.memory_bytes() + self.open_rows.memory_bytes() + self.open_columns.memory_bytes()
    }
}

impl Grid {
    /// Whether the straight segment between the centres of two cells enters free
    /// cells only and passes corners as the grid's diagonal rule allows.
    ///
    /// Symmetric. A free cell sees itself. On a 4-connected grid only horizontal
    /// and vertical segments count.
    ///
    /// # Complexity
    /// Reads one word of bits per row or column crossed, whichever are fewer, and
    /// per 57 cells of each; an eighth of that over open ground.
    pub fn line_of_sight(&self, a: Cell, b: Cell) -> bool {
        if !(self.contains(a) && self.contains(b)) {
            return false;
        }
        let rule = self.rules.diagonals;
        if rule == Diagonals::None && a.x != b.x && a.y != b.y {
            return false;
        }
        self.sees(a, b, rule)
    }

    /// Whether the segment between the centres of two cells is clear by the touch rule
    /// ([`Grid::is_clear`]).
    #[inline]
    pub(crate) fn touches_only(&self, a: Cell, b: Cell) -> bool {
        self.contains(a) && self.contains(b) && self.sees(a, b, Diagonals::OneSide)
    }

    /// Whether one cell of the map sees another by a rule.
    fn sees(&self, a: Cell, b: Cell, rule: Diagonals) -> bool {
        let Sight { columns, open_rows, open_columns } = &self.sight;
        if a.x.abs_diff(b.x) >= a.y.abs_diff(b.y) {
            View { bits: &self.bits, open: open_rows, rule }.is_clear(a, b)
        } else {
            View { bits: columns, open: open_columns, rule }.is_clear(a.transposed(), b.transposed())
        }
    }
}

impl Grid {
    /// Distances to the nearest cells before and after `cell`, in its row or
    /// column, that are not known to be free. Sees about 30 cells far.
    #[inline]
    pub(crate) fn free_beside(&self, cell: Cell, in_row: bool) -> (u32, u32) {
        let bits = if in_row { &self.bits } else { &self.sight.columns };
        bits.free_around(if in_row { cell } else { cell.transposed() })
    }
}

/// The map by rows or by columns, for testing segments.
struct View<'g> {
    bits: &'g Bits,
    open: &'g Bits,
    rule: Diagonals,
}

impl View<'_> {
    /// Whether the segment between two cells is clear.
    fn is_clear(&self, a: Cell, b: Cell) -> bool {
        let mut spans = Spans::new(a, b);
        while spans.row <= spans.down {
            let rows = spans.rows_in_chunk();
            if rows >= WORTH_SKIPPING {
                let last = spans.clone().ahead(rows);
                if self.chunks_are_open(&spans, &last) {
                    if last.is_last() {
                        return true;
                    }
                    if last.remainder == 0 && !self.corner_is_passable(&last) {
                        return false;
                    }
                    spans = last;
                    spans.advance();
                    continue;
                }
            }
            for _ in 0..rows {
                if !self.row_is_clear(&spans) {
                    return false;
                }
                spans.advance();
            }
        }
        true
    }

    /// Whether every chunk near the segment is fully free, from the current row to
    /// the row `last` in the same row of chunks. One more column on either side is
    /// included for the corners it may pass.
    #[inline]
    fn chunks_are_open(&self, spans: &Spans, last: &Spans) -> bool {
        let exit = if last.is_last() { spans.across } else { last.quotient };
        let (from, to) = spans.columns(spans.entry, exit);
        let (from, to) = (from + Bits::PADDING - 1, to + Bits::PADDING + 1);
        self.open.row_is_free((spans.y() + Bits::PADDING) / 8, from / 8, to / 8)
    }

    /// Whether the segment passes the current row, corner included.
    #[inline]
    fn row_is_clear(&self, spans: &Spans) -> bool {
        let (first, last, corner) = spans.stretch();
        let (from, to) = spans.columns(first, last);
        self.bits.row_is_free(spans.y(), from, to) && (!corner || self.corner_is_passable(spans))
    }

    /// Whether the segment may leave the current row through the corner.
    fn corner_is_passable(&self, spans: &Spans) -> bool {
        let (inner, _) = spans.columns(spans.quotient - 1, spans.quotient - 1);
        let (outer, _) = spans.columns(spans.quotient, spans.quotient);
        let beside = self.bits.row_is_free(spans.y(), outer, outer);
        let below = self.bits.row_is_free(spans.y() + 1, inner, inner);
        self.rule.passes_corner(beside, below)
    }
}

impl Grid {
    /// The cells that the segment between two cell centres enters: one span per
    /// row, from the upper end to the lower.
    #[doc(hidden)]
    pub fn row_spans(a: Cell, b: Cell) -> impl Iterator<Item = RowSpan> {
        Spans::new(a, b)
    }

    /// Every cell that a path of straight legs enters, in walking order, including
    /// the first and the last turning point.
    ///
    /// Consecutive cells are adjacent and distinct. Where a leg passes exactly
    /// through a corner of four cells, it continues in the diagonally opposite
    /// cell and enters neither of the other two. The reversed path enters the same
    /// cells in reverse.
    ///
    /// # Guarantee
    /// If each leg is a [line of sight](Grid::line_of_sight) of a grid, as the
    /// legs of the any-angle engines are, the cells form a legal path there: all
    /// are free, and every step is one of its [moves](Grid::moves). A path of
    /// single steps returns its own cells.
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Grid};
    ///
    /// let points = [(0, 0), (3, 1), (4, 2)].map(Cell::from);
    /// let crossed: Vec<Cell> = Grid::crossed_cells(&points).collect();
    /// let expected = [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2)].map(Cell::from);
    /// assert_eq!(crossed, expected);
    /// ```
    ///
    /// # Complexity
    /// Constant time per cell, no allocation.
    pub fn crossed_cells(points: &[Cell]) -> impl Iterator<Item = Cell> {
        let legs = points.windows(2).flat_map(|leg| Crossing::new(leg[0], leg[1]));
        points.first().copied().into_iter().chain(legs)
    }
}

/// The cells that a segment enters after its first, in walking order.
struct Crossing {
    at: Cell,
    end: Cell,
    /// Columns and rows between the ends.
    across: u64,
    down: u64,
    /// Where the next border between columns, or between rows, is crossed: in
    /// half cells from the start along that axis. Always odd.
    next_across: u64,
    next_down: u64,
}

impl Crossing {
    fn new(start: Cell, end: Cell) -> Self {
        let (across, down) = (start.x.abs_diff(end.x).into(), start.y.abs_diff(end.y).into());
        Self { at: start, end, across, down, next_across: 1, next_down: 1 }
    }
}

impl Iterator for Crossing {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        if self.at == self.end {
            return None;
        }
        // As shares of the whole leg these are next / (2 * cells), compared
        // without dividing. On a horizontal or vertical leg one of them is 0
        // throughout, which keeps the other from stepping.
        let (column, row) = (self.next_across * self.down, self.next_down * self.across);
        if column <= row {
            self.at.x = towards(self.at.x, self.end.x);
            self.next_across += 2;
        }
        if row <= column {
            self.at.y = towards(self.at.y, self.end.y);
            self.next_down += 2;
        }
        Some(self.at)
    }
}

/// The number after `from` on the way to `to`, or `to` once there.
const fn towards(from: u16, to: u16) -> u16 {
    if from < to {
        from + 1
    } else if from > to {
        from - 1
    } else {
        to
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

    fn crossed(points: &[(u16, u16)]) -> Vec<(u16, u16)> {
        let points: Vec<Cell> = points.iter().copied().map(Cell::from).collect();
        Grid::crossed_cells(&points).map(|cell| (cell.x, cell.y)).collect()
    }

    #[test]
    fn a_path_is_crossed_in_walking_order() {
        assert_eq!(crossed(&[]), []);
        assert_eq!(crossed(&[(5, 5)]), [(5, 5)]);
        assert_eq!(crossed(&[(5, 5), (5, 5)]), [(5, 5)]);
        assert_eq!(crossed(&[(3, 0), (1, 0), (1, 2)]), [(3, 0), (2, 0), (1, 0), (1, 1), (1, 2)]);
        assert_eq!(crossed(&[(0, 0), (2, 1)]), [(0, 0), (1, 0), (1, 1), (2, 1)]);
        assert_eq!(crossed(&[(0, 3), (1, 0)]), [(0, 3), (0, 2), (1, 1), (1, 0)]);
        assert_eq!(crossed(&[(2, 2), (0, 0), (1, 0)]), [(2, 2), (1, 1), (0, 0), (1, 0)]);
    }

    #[test]
    fn legs_of_any_length_are_crossed() {
        let far = u16::MAX;
        for (end, corners) in [((far, far), 65535), ((far, 0), 0), ((far, far - 2), 1), ((far - 1, far), 0)] {
            let cells = crossed(&[(0, 0), end]);
            let steps = usize::from(end.0) + usize::from(end.1) - corners;
            assert_eq!((cells.len(), cells.last()), (steps + 1, Some(&end)));
        }
    }
}
