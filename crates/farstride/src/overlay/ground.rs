//! The cells of one block, copied from the map: for its matrix.

use super::layout::Layout;
use crate::base::Cell;
use crate::grid::{Grid, Rules};

/// Cells from one row to the next: the largest block and a margin fit.
const STRIDE: usize = 64;

/// The weights of the cells of a block. Cells around it count as blocked, so that no
/// step leaves it.
#[derive(Debug, Default)]
pub(super) struct Ground {
    rules: Rules,
    /// 0 where cells are blocked; row by row, with a margin of one cell.
    weights: Vec<u8>,
}

impl Ground {
    /// Copies a block.
    pub(super) fn copy(&mut self, grid: &Grid, layout: &Layout, block: usize) {
        let area = layout.block_area(block);
        self.rules = grid.rules();
        self.weights.clear();
        self.weights.resize((layout.side() + 3) * STRIDE, 0);
        for (row, y) in self.weights.chunks_exact_mut(STRIDE).skip(1).zip(area.min().y..=area.max().y) {
            grid.weights_into(Cell::new(area.min().x, y), &mut row[1..=area.width() as usize]);
        }
    }

    /// Where the weight of the cell at a column and row of the block is.
    const fn position((x, y): (usize, usize)) -> usize {
        (y + 1) * STRIDE + x + 1
    }

    /// Whether the cell at a column and row of the block is free.
    pub(super) fn is_free(&self, spot: (usize, usize)) -> bool {
        self.weights[Self::position(spot)] > 0
    }

    /// Calls `visit` with every cell that a step leads to from a free cell, and its cost.
    /// Cells are given by columns and rows of the block.
    pub(super) fn for_each_step(&self, spot: (usize, usize), mut visit: impl FnMut((usize, usize), u32)) {
        let Rules { diagonals, diagonal_cost } = self.rules;
        let at = Self::position(spot);
        let [north, east, south, west] = [at - STRIDE, at + 1, at + STRIDE, at - 1];
        let is_free = |at: usize| self.weights[at] > 0;
        let mut offer = |to: usize, half: u32| {
            let cost = half * (u32::from(self.weights[at]) + u32::from(self.weights[to]));
            visit((to % STRIDE - 1, to / STRIDE - 1), cost);
        };
        let [straight, diagonal] =
            [diagonal_cost.straight(), diagonal_cost.diagonal()].map(|step| (step.units() / 2) as u32);
        for to in [north, east, south, west] {
            if is_free(to) {
                offer(to, straight);
            }
        }
        let corners = [
            (north + 1, north, east),
            (south + 1, south, east),
            (south - 1, south, west),
            (north - 1, north, west),
        ];
        for (to, one, other) in corners {
            if is_free(to) && diagonals.passes_corner(is_free(one), is_free(other)) {
                offer(to, diagonal);
            }
        }
    }
}
