//! Passability: one bit per cell.
//!
//! Every row has a blocked cell on either side, and a blocked row lies above and
//! below the map, so reading a neighbour never needs a bounds test. Bit `x + 1`
//! of padded row `y + 1` is cell `(x, y)`. Everything is read as little-endian
//! bytes: a word may start at any byte, and all targets agree.

use crate::base::{Cell, Direction, Inconsistent, Rect};

/// Cells that one unaligned word covers, whatever bit it starts at: 64 − 7.
const SPAN: u32 = 57;

/// Rows of a diagonal run that are tested before branching on the result.
const ROWS_AT_ONCE: u32 = 16;

/// The passability of a map, or any other one-bit-per-cell map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bits {
    bytes: Vec<u8>,
    /// Bytes per padded row.
    stride: usize,
    /// Padded rows, a multiple of 8 so that chunks of 8 × 8 cells fit.
    rows: usize,
}

impl Bits {
    /// Width of the blocked margin around the map.
    pub(super) const PADDING: u32 = 1;

    /// A map with all cells blocked.
    pub(crate) fn blocked(width: u16, height: u16) -> Self {
        let stride = (usize::from(width) + 2).div_ceil(8);
        let rows = (usize::from(height) + 2).next_multiple_of(8);
        // A word that starts in the last row may reach 7 bytes beyond it.
        Self { bytes: vec![0; stride * rows + 7], stride, rows }
    }

    /// Whether a cell and those below it are free, down to the last row.
    #[inline]
    pub(super) fn below(&self, cell: Cell) -> impl Iterator<Item = bool> {
        let (byte, bit) = self.position(cell);
        self.bytes[byte..].iter().step_by(self.stride).map(move |byte| byte >> bit & 1 != 0)
    }

    /// Whether a cell and those after it in its row are free, as bits; at least
    /// [`SPAN`] of them.
    #[inline]
    pub(super) fn free_from(&self, cell: Cell) -> u64 {
        let (byte, bit) = self.position(cell);
        self.word(byte) >> bit
    }

    /// Sets row `y` from left to right.
    pub(super) fn fill_row(&mut self, y: u16, width: u16, mut is_free: impl FnMut(u16) -> bool) {
        let start = (usize::from(y) + 1) * self.stride;
        let row = &mut self.bytes[start..start + self.stride];
        for x in 0..width {
            let bit = usize::from(x) + 1;
            row[bit / 8] |= u8::from(is_free(x)) << (bit % 8);
        }
    }

    /// Writes row `y` without padding: bit 0 of the first byte is the first cell;
    /// unused bits of the last byte are zero.
    pub(super) fn row_into(&self, y: u16, width: u16, row: &mut Vec<u8>) {
        let start = (usize::from(y) + 1) * self.stride;
        // The byte after the last one taken exists: a row of padding follows.
        let padded = &self.bytes[start..][..=usize::from(width).div_ceil(8)];
        row.clear();
        row.extend(padded.windows(2).map(|pair| pair[0] >> 1 | pair[1] << 7));
        if let (Some(last), 1..) = (row.last_mut(), width % 8) {
            *last &= (1 << (width % 8)) - 1;
        }
    }

    /// Byte and bit of a cell.
    const fn position(&self, cell: Cell) -> (usize, u32) {
        let bit = cell.x as usize + 1;
        ((cell.y as usize + 1) * self.stride + bit / 8, bit as u32 % 8)
    }

    pub(crate) fn is_free(&self, cell: Cell) -> bool {
        let (byte, bit) = self.position(cell);
        self.bytes[byte] >> bit & 1 != 0
    }

    pub(crate) fn set(&mut self, cell: Cell, free: bool) {
        let (byte, bit) = self.position(cell);
        self.bytes[byte] = self.bytes[byte] & !(1 << bit) | u8::from(free) << bit;
    }

    /// The 3 × 3 cells around `cell` as nine bits, row by row.
    #[inline]
    pub(super) fn neighbourhood(&self, cell: Cell) -> usize {
        let x = usize::from(cell.x);
        let first = usize::from(cell.y) * self.stride + x / 8;
        let three = |byte: usize| {
            let pair = self.bytes[byte..].first_chunk().map_or(0, |pair| u16::from_le_bytes(*pair));
            usize::from(pair) >> (x % 8) & 0b111
        };
        three(first) | three(first + self.stride) << 3 | three(first + 2 * self.stride) << 6
    }

    /// Three bits (and more above them) starting at bit position `bit`. If that is
    /// the bit before a cell's, they are the cell and its neighbours in the row.
    #[inline]
    fn three_at(&self, bit: usize) -> u32 {
        let pair = self.bytes.get(bit / 8..).and_then(|rest| rest.first_chunk());
        u32::from(pair.map_or(0, |pair| u16::from_le_bytes(*pair))) >> (bit % 8)
    }

    /// Whether the cells of a diagonal run of `len` steps, and the side cells of
    /// its steps, are all free. The run must stay on the map.
    ///
    /// Each row but the first and the last contributes the three cells around the
    /// run. [`ROWS_AT_ONCE`] rows are read without branches between them, so that
    /// no load waits for the one before.
    #[inline]
    pub(super) fn staircase_is_free(&self, start: Cell, direction: Direction, len: u32) -> bool {
        let (dx, dy) = direction.delta();
        if len == 0 {
            return self.is_free(start);
        }
        // Rows follow each other in memory, so a step moves by a fixed number of
        // bits.
        let stride = 8 * self.stride as isize;
        let first = (isize::from(start.y as i16) + 1) * stride + isize::from(start.x as i16);
        let onward = isize::from(dy) * stride + isize::from(dx);
        let row = |step: u32| self.three_at((first + onward * step as isize) as usize);
        // The first row needs the cell ahead, the last the cell behind.
        let (ahead, behind) = if dx > 0 { (0b110, 0b011) } else { (0b011, 0b110) };
        let mut missing = !row(0) & ahead | !row(len) & behind;
        let mut step = 1;
        while missing == 0 && step < len {
            let end = len.min(step + ROWS_AT_ONCE);
            while step < end {
                missing |= !row(step) & 0b111;
                step += 1;
            }
        }
        missing == 0
    }

    /// Whether cells `from..=to` of row `y` are all free.
    #[inline]
    pub(super) fn row_is_free(&self, y: u32, from: u32, to: u32) -> bool {
        let row = (y as usize + 1) * self.stride;
        let mut bit = from as usize + 1;
        let mut left = to + 1 - from;
        loop {
            let blocked = !self.word(row + bit / 8) >> (bit % 8);
            if left <= SPAN {
                return blocked << (64 - left) == 0;
            }
            if blocked << (64 - SPAN) != 0 {
                return false;
            }
            bit += SPAN as usize;
            left -= SPAN;
        }
    }

    /// Calls `visit` with the first and last column of every maximal run of free
    /// cells in columns `from..=to` of row `y`.
    pub(super) fn for_each_stretch(&self, y: u16, from: u16, to: u16, mut visit: impl FnMut(u16, u16)) {
        let mut x = from;
        while x <= to {
            let first = x + self.same_from(y, x, to, false);
            let last = first + self.same_from(y, first, to, true);
            if first < last {
                visit(first, last - 1);
            }
            x = last;
        }
    }

    /// How many cells of row `y`, from column `from` to `to`, are free (or, with
    /// `free == false`, blocked) before the first that is not.
    fn same_from(&self, y: u16, from: u16, to: u16, free: bool) -> u16 {
        let row = (usize::from(y) + 1) * self.stride;
        let mut x = from;
        while x <= to {
            let bit = usize::from(x) + 1;
            let word = self.word(row + bit / 8);
            let same = ((if free { !word } else { word }) >> (bit % 8)).trailing_zeros().min(SPAN);
            x += same as u16;
            if same < SPAN {
                break;
            }
        }
        x.min(to + 1) - from
    }

    /// Distances to the nearest cells before and after `cell` in its row that are
    /// not known to be free: blocked cells, or the first cells outside the one
    /// word that is read, which are at least 25 cells away.
    #[inline]
    pub(super) fn free_around(&self, cell: Cell) -> (u32, u32) {
        // The word may reach into the rows above and below, but the padding
        // between rows ends the run of free cells first.
        let bit = (usize::from(cell.y) + 1) * self.stride * 8 + usize::from(cell.x) + 1;
        let first = bit.saturating_sub(32) / 8;
        let middle = (bit - first * 8) as u32;
        let blocked = !self.word(first);
        let before = (blocked << (63 - middle)).leading_zeros().min(middle + 1);
        let after = (blocked >> middle).trailing_zeros().min(64 - middle);
        (before, after)
    }

    /// Bit position of a cell. Its neighbours in the row are one less and one
    /// more, those in the column [`Bits::row_bits`] less and more.
    #[inline]
    pub(crate) const fn spot(&self, cell: Cell) -> usize {
        (cell.y as usize + 1) * self.stride * 8 + cell.x as usize + 1
    }

    /// Bits per padded row.
    #[inline]
    pub(crate) const fn row_bits(&self) -> usize {
        self.stride * 8
    }

    /// As [`Bits::is_free`], by bit position; the padding is not free.
    #[inline]
    pub(crate) fn is_free_at(&self, spot: usize) -> bool {
        self.bytes[spot / 8] >> (spot % 8) & 1 != 0
    }

    /// Number of consecutive free cells right after a bit position.
    #[inline]
    pub(crate) fn free_after(&self, spot: usize) -> usize {
        let mut bit = spot + 1;
        loop {
            let free = (!self.word(bit / 8) >> (bit % 8)).trailing_zeros();
            if free < SPAN {
                return bit - spot - 1 + free as usize;
            }
            bit += SPAN as usize;
        }
    }

    /// Number of consecutive free cells right before a bit position.
    #[inline]
    pub(crate) fn free_before(&self, spot: usize) -> usize {
        let mut bit = spot - 1;
        loop {
            let byte = (bit / 8).saturating_sub(7);
            let last = bit - byte * 8; // of the word
            let free = (!self.word(byte) << (63 - last)).leading_zeros() as usize;
            if free <= last {
                return spot - 1 - bit + free;
            }
            bit -= last + 1;
        }
    }

    /// Number of set cells before `cell` in reading order, given the table of
    /// [`Bits::rank_table`].
    #[inline]
    pub(crate) fn rank(&self, cell: Cell, before: &[u32]) -> u32 {
        let bit = self.spot(cell);
        let word = self.word(bit / 64 * 8);
        let below = word & ((1 << (bit % 64)) - 1);
        before[bit / 64] + below.count_ones()
    }

    /// For every group of 64 bits, the number of set bits before it.
    pub(crate) fn rank_table(&self) -> Box<[u32]> {
        let mut before = 0;
        let groups = (0..self.bytes.len().div_ceil(8)).map(|group| {
            let here = before;
            let end = self.bytes.len().min(group * 8 + 8);
            before += self.bytes[group * 8..end].iter().map(|byte| byte.count_ones()).sum::<u32>();
            here
        });
        groups.collect()
    }

    /// Calls `visit` with every set cell in reading order.
    pub(crate) fn for_each_marked(&self, mut visit: impl FnMut(Cell)) {
        for (at, &byte) in self.bytes.iter().enumerate().filter(|(_, byte)| **byte != 0) {
            let (row, column) = (at / self.stride, at % self.stride * 8);
            for bit in (0..8).filter(|bit| byte >> bit & 1 != 0) {
                visit(Cell::new((column + bit - 1) as u16, (row - 1) as u16));
            }
        }
    }

    /// Eight bytes starting at `byte`; 0 beyond the end.
    #[inline]
    fn word(&self, byte: usize) -> u64 {
        self.bytes[byte..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    pub(crate) fn free_count(&self) -> usize {
        self.bytes.iter().map(|byte| byte.count_ones() as usize).sum()
    }

    /// Number of columns of chunks.
    pub(super) const fn chunks_wide(&self) -> usize {
        self.stride
    }

    /// Number of rows of chunks.
    pub(super) const fn chunks_high(&self) -> usize {
        self.rows / 8
    }

    /// The chunk that holds `cell`, and the cell's bit in it.
    pub(super) const fn chunk_of(&self, cell: Cell) -> (usize, u32) {
        let (x, y) = (cell.x as usize + 1, cell.y as usize + 1);
        (y / 8 * self.stride + x / 8, (y % 8 * 8 + x % 8) as u32)
    }

    /// Every chunk that shares a cell with `area`.
    pub(super) fn chunks_in(&self, area: Rect) -> impl Iterator<Item = usize> {
        let (first, last) = (self.chunk_of(area.min()).0, self.chunk_of(area.max()).0);
        let (left, right) = (first % self.stride, last % self.stride);
        let stride = self.stride;
        (first / stride..=last / stride)
            .flat_map(move |row| (left..=right).map(move |column| row * stride + column))
    }

    /// The cells of a padded row in up to eight neighbouring chunks, by the column of the first.
    pub(super) fn across_chunks(&self, row: usize, column: usize) -> u64 {
        self.word(row * self.stride + column)
    }

    /// The 64 cells of a chunk, row by row.
    pub(super) fn chunk(&self, chunk: usize) -> u64 {
        let first = chunk / self.stride * 8 * self.stride + chunk % self.stride;
        let rows = std::array::from_fn(|row| self.bytes[first + row * self.stride]);
        u64::from_le_bytes(rows)
    }

    /// The map with rows and columns swapped.
    pub(crate) fn transposed(&self, width: u16, height: u16) -> Self {
        let mut turned = Self::blocked(height, width);
        for chunk in 0..self.chunks_wide() * self.chunks_high() {
            let (column, row) = (chunk % self.stride, chunk / self.stride);
            turned.put_chunk(column * turned.stride + row, transpose(self.chunk(chunk)));
        }
        turned
    }

    fn put_chunk(&mut self, chunk: usize, cells: u64) {
        let first = chunk / self.stride * 8 * self.stride + chunk % self.stride;
        for (row, byte) in cells.to_le_bytes().into_iter().enumerate() {
            self.bytes[first + row * self.stride] = byte;
        }
    }

    /// A map with one cell per chunk: free if all 64 cells of the chunk are.
    pub(super) fn open_chunks(&self) -> Self {
        let mut open = Self::blocked(self.chunks_wide() as u16, self.chunks_high() as u16);
        for chunk in 0..self.chunks_wide() * self.chunks_high() {
            self.mark_chunk(chunk, &mut open);
        }
        open
    }

    /// Updates one chunk in the map made by `open_chunks`.
    pub(super) fn mark_chunk(&self, chunk: usize, open: &mut Self) {
        let cell = Cell::new((chunk % self.stride) as u16, (chunk / self.stride) as u16);
        open.set(cell, self.chunk(chunk) == u64::MAX);
    }

    pub(crate) const fn memory_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Checks that everything outside the map is blocked.
    pub(super) fn check_padding(&self, width: u16, height: u16) -> Result<(), Inconsistent> {
        let inside: usize =
            (0..height).map(|y| (0..width).filter(|&x| self.is_free(Cell::new(x, y))).count()).sum();
        match self.free_count() - inside {
            0 => Ok(()),
            outside => Err(Inconsistent::new(format!("{outside} free bits outside the map"))),
        }
    }
}

/// Swaps rows and columns of a chunk, by exchanging ever smaller squares.
fn transpose(mut chunk: u64) -> u64 {
    for (shift, mask) in
        [(28, 0x0000_0000_f0f0_f0f0), (14, 0x0000_cccc_0000_cccc), (7, 0x00aa_00aa_00aa_00aa)]
    {
        let swapped = (chunk ^ chunk >> shift) & mask;
        chunk ^= swapped ^ swapped << shift;
    }
    chunk
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_are_maximal_runs_of_free_cells() {
        for width in [1, 8, 56, 57, 58, 64, 200] {
            for period in [1, 2, 3, 40, 57, 58, 199] {
                let is_free = |x: u16| (x / period).is_multiple_of(2) || x % 11 == 3;
                let mut bits = Bits::blocked(width, 1);
                bits.fill_row(0, width, is_free);
                for (from, to) in [(0, width - 1), (width / 3, width / 2), (width - 1, width - 1)] {
                    let mut found = Vec::new();
                    bits.for_each_stretch(0, from, to, |first, last| found.push((first, last)));
                    let cells: Vec<u16> = found.iter().flat_map(|&(first, last)| first..=last).collect();
                    assert_eq!(cells, (from..=to).filter(|&x| is_free(x)).collect::<Vec<_>>());
                    assert!(found.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0));
                }
            }
        }
    }

    #[test]
    fn rows_are_tested_exactly() {
        for width in [1, 7, 8, 56, 57, 58, 63, 64, 65, 200] {
            let mut bits = Bits::blocked(width, 1);
            bits.fill_row(0, width, |_| true);
            assert!(bits.row_is_free(0, 0, u32::from(width) - 1));
            for hole in 0..width {
                bits.set(Cell::new(hole, 0), false);
                for from in 0..width {
                    for to in [from, from.midpoint(width), width - 1] {
                        let to = to.max(from);
                        let free = bits.row_is_free(0, from.into(), to.into());
                        assert_eq!(free, !(from..=to).contains(&hole));
                    }
                }
                bits.set(Cell::new(hole, 0), true);
            }
        }
    }

    #[test]
    fn the_free_cells_around_a_cell_are_counted_up_to_a_word() {
        for (width, holes) in [(3, [0, 2]), (8, [1, 7]), (70, [9, 69]), (200, [60, 130]), (200, [99, 101])] {
            let mut bits = Bits::blocked(width, 3);
            for y in 0..3 {
                bits.fill_row(y, width, |x| !holes.contains(&x));
            }
            for (x, y) in (holes[0] + 1..holes[1]).flat_map(|x| [(x, 0), (x, 1), (x, 2)]) {
                let (before, after) = bits.free_around(Cell::new(x, y));
                let expected = (u32::from(x - holes[0]), u32::from(holes[1] - x));
                assert!(before <= expected.0 && after <= expected.1);
                assert!(before == expected.0 || before >= 25);
                assert!(after == expected.1 || after >= 25);
            }
        }
    }

    #[test]
    fn neighbourhoods_and_chunks_show_the_same_cells() {
        let is_free = |cell: Cell| (cell.x * 7 + cell.y * 3) % 5 < 2;
        let mut bits = Bits::blocked(19, 11);
        for y in 0..11 {
            bits.fill_row(y, 19, |x| is_free(Cell::new(x, y)));
        }
        for cell in (1..10).flat_map(|y| (1..18).map(move |x| Cell::new(x, y))) {
            let around = bits.neighbourhood(cell);
            for bit in 0..9 {
                let other = Cell::new(cell.x + bit % 3 - 1, cell.y + bit / 3 - 1);
                assert_eq!(around >> bit & 1 == 1, is_free(other));
            }
            let (chunk, bit) = bits.chunk_of(cell);
            assert_eq!(bits.chunk(chunk) >> bit & 1 == 1, is_free(cell));
        }
        let turned = bits.transposed(19, 11);
        for cell in (0..11).flat_map(|y| (0..19).map(move |x| Cell::new(x, y))) {
            assert_eq!(turned.is_free(Cell::new(cell.y, cell.x)), is_free(cell));
        }
        assert!(turned.transposed(11, 19) == bits);
        assert!(bits.check_padding(19, 11).is_ok());
        assert!(bits.check_padding(18, 11).is_err());
    }
}
