//! Line of sight between cell centres, exact in integers.
//!
//! The segment is cut into one stretch of cells per row. All cells that it
//! enters must be free; where it runs exactly through a corner of four cells,
//! the two that it does not enter are judged by the grid's diagonal rule, as
//! for a diagonal step. The cuts are found by integer division once and by
//! carrying the remainder from row to row after that.
//!
//! Two things make it fast. The map is kept a second time with columns for
//! rows, so that a segment is always cut along its shorter side. And where all
//! blocks of 8 × 8 cells on the way are free, eight rows are passed at once.

use super::bits::Bits;
use super::{Diagonals, Grid};
use crate::base::Cell;

/// Rows that must be left in a row of blocks for a look at the blocks to pay.
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
    /// Whether the segment goes on to the next row through a corner: then it
    /// enters the cell diagonally below, on the side it is heading to.
    pub corner: bool,
}

/// The stretches of a segment from the upper end to the lower, in whole cells
/// counted from the upper end towards the lower one.
#[derive(Clone)]
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
    /// What these two gain from row to row.
    quotient_step: u32,
    remainder_step: u32,
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
            quotient_step: 2 * across / doubled,
            remainder_step: 2 * across % doubled,
        }
    }

    /// First and last column entered in the current row, counted from the
    /// upper end, and whether the row is left by a corner.
    #[inline]
    fn stretch(&self) -> (u32, u32, bool) {
        if self.is_last() {
            return (self.entry, self.across, false);
        }
        let corner = self.remainder == 0;
        (self.entry, self.quotient - u32::from(corner), corner)
    }

    /// Columns counted from the upper end as columns of the map, leftmost first.
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

    /// Rows left in the current row of blocks, up to the end of the segment.
    fn rows_in_block(&self) -> u32 {
        (8 - (self.y() + Bits::PADDING) % 8).min(self.down + 1 - self.row)
    }

    /// The state in the last of the next `rows` rows, which the segment
    /// reaches without turning back.
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

    /// Goes on to the next row; there may be none.
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

/// What lines of sight need beside the rows of the map.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Sight {
    /// The map with columns for rows.
    columns: Bits,
    /// The map of blocks, free where all their cells are; and its columns.
    open_rows: Bits,
    open_columns: Bits,
}

impl Sight {
    pub(super) fn new(bits: &Bits, width: u16, height: u16) -> Self {
        let columns = bits.transposed(width, height);
        Self { open_rows: bits.open_blocks(), open_columns: columns.open_blocks(), columns }
    }

    pub(super) fn set(&mut self, cell: Cell, free: bool) {
        self.columns.set(turned(cell), free);
    }

    /// Follows a change of one block of the rows.
    pub(super) fn update(&mut self, bits: &Bits, block: usize) {
        let (column, row) = (block % bits.blocks_wide(), block / bits.blocks_wide());
        bits.mark_block(block, &mut self.open_rows);
        self.columns.mark_block(column * self.columns.blocks_wide() + row, &mut self.open_columns);
    }

    /// The map with columns for rows.
    pub(super) const fn columns(&self) -> &Bits {
        &self.columns
    }

    pub(super) const fn memory_bytes(&self) -> usize {
        self.columns.memory_bytes() + self.open_rows.memory_bytes() + self.open_columns.memory_bytes()
    }
}

/// The cell with column for row.
const fn turned(cell: Cell) -> Cell {
    Cell::new(cell.y, cell.x)
}

impl Grid {
    /// Whether the straight segment between the centres of two cells keeps to
    /// free cells under the grid's diagonal rule.
    ///
    /// Symmetric; a free cell sees itself. On a 4-connected grid only level
    /// and upright segments count.
    ///
    /// # Complexity
    /// One word of bits per row or column crossed, whichever are fewer, and
    /// per 57 cells of each; an eighth of that over open ground.
    pub fn line_of_sight(&self, a: Cell, b: Cell) -> bool {
        if !(self.contains(a) && self.contains(b)) {
            return false;
        }
        let Sight { columns, open_rows, open_columns } = &self.sight;
        let rule = self.rules.diagonals;
        let (across, down) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
        if rule == Diagonals::None && across > 0 && down > 0 {
            return false;
        }
        if across >= down {
            View { bits: &self.bits, open: open_rows, rule }.is_clear(a, b)
        } else {
            View { bits: columns, open: open_columns, rule }.is_clear(turned(a), turned(b))
        }
    }
}

impl Grid {
    /// How far the nearest cells are, on either side of `cell` in its row or
    /// column, that are not known to be free; looks about 30 cells far.
    #[inline]
    pub(crate) fn free_beside(&self, cell: Cell, in_row: bool) -> (u32, u32) {
        let bits = if in_row { &self.bits } else { &self.sight.columns };
        bits.free_around(if in_row { cell } else { turned(cell) })
    }
}

/// The map by rows or by columns, for looking along segments.
struct View<'g> {
    bits: &'g Bits,
    open: &'g Bits,
    rule: Diagonals,
}

impl View<'_> {
    /// Whether a segment keeps to free cells.
    fn is_clear(&self, a: Cell, b: Cell) -> bool {
        let mut spans = Spans::new(a, b);
        while spans.row <= spans.down {
            let rows = spans.rows_in_block();
            if rows >= WORTH_SKIPPING {
                let last = spans.clone().ahead(rows);
                if self.blocks_are_open(&spans, &last) {
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

    /// Whether every block is free that the segment comes near from the
    /// current row to the row `last` of the same row of blocks. Corners that
    /// it passes on the way need one more column on either side.
    #[inline]
    fn blocks_are_open(&self, spans: &Spans, last: &Spans) -> bool {
        let exit = if last.is_last() { spans.across } else { last.quotient };
        let (from, to) = spans.columns(spans.entry, exit);
        let (from, to) = (from + Bits::PADDING - 1, to + Bits::PADDING + 1);
        self.open.row_is_free((spans.y() + Bits::PADDING) / 8, from / 8, to / 8)
    }

    /// Whether the segment can pass the current row.
    #[inline]
    fn row_is_clear(&self, spans: &Spans) -> bool {
        let (first, last, corner) = spans.stretch();
        let (from, to) = spans.columns(first, last);
        self.bits.row_is_free(spans.y(), from, to) && (!corner || self.corner_is_passable(spans))
    }

    /// Whether the segment may leave the current row through a corner.
    fn corner_is_passable(&self, spans: &Spans) -> bool {
        let (inner, _) = spans.columns(spans.quotient - 1, spans.quotient - 1);
        let (outer, _) = spans.columns(spans.quotient, spans.quotient);
        let beside = self.bits.row_is_free(spans.y(), outer, outer);
        let below = self.bits.row_is_free(spans.y() + 1, inner, inner);
        self.rule.passes_corner(beside, below)
    }
}

impl Grid {
    /// The cells that the segment between two cell centres enters, as one
    /// stretch per row from the upper end to the lower.
    pub fn row_spans(a: Cell, b: Cell) -> impl Iterator<Item = RowSpan> {
        Spans::new(a, b)
    }

    /// The cells that a path of straight legs enters on its way through its
    /// turning points, from the first to the last, both included.
    ///
    /// Neighbours are adjacent and never the same. Where a leg runs exactly
    /// through a corner of four cells, the two follow each other diagonally
    /// between which it passes; the other two are not entered. The way back
    /// enters the same cells in reverse.
    ///
    /// # Guarantee
    /// If each leg is a [line of sight](Grid::line_of_sight) of a grid, as the
    /// legs of any-angle engines are, the cells are a legal path of steps on
    /// it: all are free, and every step is one of its [moves](Grid::moves). A
    /// path of steps gives back its own cells.
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
    /// Cells from end to end.
    across: u64,
    down: u64,
    /// Where the next border between columns is crossed, and the next between
    /// rows: halves of a cell from the start, along each axis. Always odd.
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
        // As shares of the whole way both are next / (2 cells): compared
        // without dividing. A level or an upright segment has one kind only.
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

/// The number next to `from` on the way to `to`; `to` itself once there.
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
