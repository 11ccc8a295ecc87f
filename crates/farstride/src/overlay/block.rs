//! The arcs of a block: its matrix without the ways that others make up.

use super::ground::Ground;
use super::layout::Layout;
use super::matrix::{Matrix, MatrixScratch, NO_WAY};
use super::settings::OverlaySettings;
use crate::grid::Grid;
use std::sync::Arc;

/// The arcs between the border cells of a block, row by row.
///
/// A way between two border cells is an arc unless another border cell lies on a
/// shortest way between them. Ways that are left out consist of shorter ways, so that
/// arcs alone make up every cost.
///
/// All of it lies in one piece, and an arc takes four bytes if its cost allows: a seventh less
/// memory than three arrays, in the same time.
///
/// Cloning shares the arcs.
///
/// # Invariants
///
/// 1. First comes a [`RowWord`] for each border cell, then the rows, in order and without gaps.
/// 2. Heads are places on the border and rise within a row.
/// 3. Costs are at least 1 and below [`NO_WAY`].
/// 4. Every arc has one of the same cost back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Block(Arc<[u32]>);

/// Where the row of a place is: its position in 16 bits, the number of its arcs in 8, and 1 if
/// it is wide.
#[derive(Clone, Copy)]
struct RowWord(u32);

impl RowWord {
    const COUNT: u32 = 16;
    const WIDE: u32 = 24;
    /// A block of the largest side, with all its arcs wide, fits.
    const FITS: () = {
        let border = 4 * *OverlaySettings::SIDE_RANGE.end() as usize;
        assert!(border <= 1 << HEAD_BITS && border + border * (border - 1) * 2 <= 1 << Self::COUNT);
    };

    const fn new(at: usize, count: usize, wide: bool) -> Self {
        let () = Self::FITS;
        Self(at as u32 | (count as u32) << Self::COUNT | (wide as u32) << Self::WIDE)
    }

    const fn at(self) -> usize {
        (self.0 & 0xffff) as usize
    }

    const fn count(self) -> usize {
        (self.0 >> Self::COUNT & 0xff) as usize
    }

    const fn is_wide(self) -> bool {
        self.0 >> Self::WIDE == 1
    }
}

/// Arcs that begin at one cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    words: &'a [u32],
    /// Words of an arc: the cost above the head in one of them, or each in its own.
    stride: usize,
    /// Bits of the last word of an arc below the cost.
    shift: u32,
}

impl Default for Row<'_> {
    fn default() -> Self {
        Self::wide(&[])
    }
}

/// Bits of a head, below the cost.
const HEAD_BITS: u32 = 8;
/// Costs from here on make a row wide.
const WIDE_COST: u32 = 1 << (u32::BITS - HEAD_BITS);

impl<'a> Row<'a> {
    /// A row of arcs of any cost: a head and a cost each.
    pub(super) const fn wide(words: &'a [u32]) -> Self {
        Self { words, stride: 2, shift: 0 }
    }

    /// Heads and costs.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = (u8, u32)> + use<'a> {
        let Self { words, stride, shift } = self;
        words.chunks_exact(stride).map(move |arc| (arc[0] as u8, arc[stride - 1] >> shift))
    }
}

/// Working memory for blocks. Keep one per thread and reuse it.
#[derive(Debug, Default)]
pub(super) struct BlockScratch {
    ground: Ground,
    matrix: MatrixScratch,
}

impl Block {
    /// The arcs of a block of a map.
    pub(super) fn build(grid: &Grid, layout: &Layout, block: usize, scratch: &mut BlockScratch) -> Self {
        let BlockScratch { ground, matrix } = scratch;
        ground.copy(grid, layout, block);
        let side = layout.side();
        Self::pruned(&Matrix::of_block(ground, side, matrix).without_diagonal(), 4 * side)
    }

    /// Keeps the ways that no other border cell lies on.
    fn pruned(matrix: &Matrix, border: usize) -> Self {
        let mut is_arc = vec![false; border * border];
        for from in 0..border {
            let row = matrix.row(from);
            for (to, &cost) in row.iter().enumerate().take(from) {
                if cost < NO_WAY && !is_detour(row, matrix.row(to), cost) {
                    is_arc[from * border + to] = true;
                    is_arc[to * border + from] = true;
                }
            }
        }
        let rows = is_arc.chunks_exact(border).enumerate().map(|(from, is_arc)| {
            let arcs = matrix.row(from).iter().zip(0..=u8::MAX).zip(is_arc);
            arcs.filter(|&(_, &is_arc)| is_arc).map(|((&cost, head), _)| (head, cost))
        });
        Self::from_rows(rows)
    }

    /// A block of these rows of heads and costs.
    pub(super) fn from_rows<R: IntoIterator<Item = (u8, u32)>>(
        rows: impl ExactSizeIterator<Item = R>,
    ) -> Self {
        let mut words = vec![0; rows.len()];
        let mut arcs = Vec::new();
        for (place, row) in rows.enumerate() {
            arcs.clear();
            arcs.extend(row);
            let wide = arcs.iter().any(|&(_, cost)| cost >= WIDE_COST);
            words[place] = RowWord::new(words.len(), arcs.len(), wide).0;
            for &(head, cost) in &arcs {
                let head = u32::from(head);
                if wide {
                    words.extend([head, cost]);
                } else {
                    words.push(head | cost << HEAD_BITS);
                }
            }
        }
        Self(words.into())
    }

    /// The arcs at a place.
    #[inline]
    pub(super) fn row(&self, place: usize) -> Row<'_> {
        let row = RowWord(self.0[place]);
        let (stride, shift) = if row.is_wide() { (2, 0) } else { (1, HEAD_BITS) };
        Row { words: &self.0[row.at()..][..row.count() * stride], stride, shift }
    }

    /// Heads and costs of the arcs at a place.
    pub(super) fn arcs(&self, place: usize) -> impl Iterator<Item = (usize, u32)> {
        self.row(place).iter().map(|(head, cost)| (head.into(), cost))
    }

    /// Number of arcs, each counted both ways.
    pub(super) fn arc_count(&self) -> usize {
        // The rows begin where their words end.
        let places = self.0.first().map_or(0, |&word| RowWord(word).at());
        self.0[..places].iter().map(|&word| RowWord(word).count()).sum()
    }

    /// Memory that the block takes, in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(&*self.0)
    }
}

/// Whether a way of this cost between two cells leads over a third one.
#[inline]
fn is_detour(row: &[u32], other: &[u32], cost: u32) -> bool {
    /// Cells compared without a branch in between: few enough to stop early, enough for
    /// vector instructions.
    const AT_ONCE: usize = 32;
    row.chunks(AT_ONCE).zip(other.chunks(AT_ONCE)).any(|(row, other)| {
        let found =
            row.iter().zip(other).fold(0, |found, (one, other)| found | u32::from(one + other == cost));
        found != 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_whatever_their_arcs_cost() {
        let rows: [&[(u8, u32)]; 6] = [
            &[(1, 1), (2, WIDE_COST - 1), (255, 7)],
            &[],
            &[(0, WIDE_COST), (5, 3)],
            &[(3, NO_WAY - 1)],
            &[(0, 9)],
            &[],
        ];
        let block = Block::from_rows(rows.iter().map(|row| row.iter().copied()));
        for (place, row) in rows.iter().enumerate() {
            assert_eq!(block.row(place).iter().collect::<Vec<_>>(), *row, "{place}");
        }
        assert_eq!(block.arc_count(), 7);
        // A word for each place, one for each narrow arc, two for each wide one.
        assert_eq!(block.memory_bytes(), (6 + 4 + 3 * 2) * size_of::<u32>());
    }
}
