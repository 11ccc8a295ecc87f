//! The arcs of a block: its matrix without the ways that others make up.

use super::ground::Ground;
use super::layout::Layout;
use super::matrix::{Matrix, MatrixScratch, NO_WAY};
use crate::grid::Grid;

/// The arcs between the border cells of a block, row by row.
///
/// A way between two border cells is an arc unless another border cell lies on a
/// shortest way between them. Ways that are left out consist of shorter ways, so that
/// arcs alone make up every cost.
///
/// # Invariants
///
/// 1. `starts` has one entry more than the border has cells, starts at 0, never falls,
///    and ends with the number of arcs.
/// 2. Heads are places on the border and rise within a row.
/// 3. Costs are at least 1 and below [`NO_WAY`].
/// 4. Every arc has one of the same cost back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Block {
    /// Place `p` owns the arcs `starts[p]..starts[p + 1]` (1).
    starts: Box<[u16]>,
    heads: Box<[u8]>,  // (2)
    costs: Box<[u32]>, // (3)
}

/// Arcs that begin at one cell.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row<'a> {
    /// Places on the border of the block.
    pub(super) heads: &'a [u8],
    pub(super) costs: &'a [u32],
}

impl<'a> Row<'a> {
    /// Heads and costs.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = (u8, u32)> + use<'a> {
        self.heads.iter().copied().zip(self.costs.iter().copied())
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
    pub(super) fn from_rows<R: IntoIterator<Item = (u8, u32)>>(rows: impl Iterator<Item = R>) -> Self {
        let (mut starts, mut heads, mut costs) = (vec![0], Vec::new(), Vec::new());
        for row in rows {
            for (head, cost) in row {
                heads.push(head);
                costs.push(cost);
            }
            starts.push(heads.len() as u16);
        }
        Self { starts: starts.into(), heads: heads.into(), costs: costs.into() }
    }

    /// The arcs at a place.
    #[inline]
    pub(super) fn row(&self, place: usize) -> Row<'_> {
        let row = usize::from(self.starts[place])..usize::from(self.starts[place + 1]);
        Row { heads: &self.heads[row.clone()], costs: &self.costs[row] }
    }

    /// Heads and costs of the arcs at a place.
    pub(super) fn arcs(&self, place: usize) -> impl Iterator<Item = (usize, u32)> {
        self.row(place).iter().map(|(head, cost)| (head.into(), cost))
    }

    /// Number of arcs, each counted both ways.
    pub(super) const fn arc_count(&self) -> usize {
        self.heads.len()
    }

    /// Memory that the block takes, in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.starts) + size_of_val(&*self.heads) + size_of_val(&*self.costs)
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
