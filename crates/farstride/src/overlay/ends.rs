//! Start and goal of a query: where they are, and their costs inside their block.

use super::block::Row;
use super::field::Field;
use super::layout::{Layout, Seat};
use crate::base::Cell;
use crate::grid::Grid;

/// An end of a path.
#[derive(Debug, Default)]
pub(super) struct End {
    pub(super) cell: Cell,
    /// Its node, if it is on a line; then nothing below is used.
    pub(super) node: Option<u32>,
    /// Its block, and the costs from the cell to every cell of it.
    block: usize,
    field: Field,
    /// Each place on the border that the cell reaches inside the block, in order, and the
    /// cost to it: a wide row.
    arcs: Vec<u32>,
}

impl End {
    /// Moves the end to another cell of the map.
    pub(super) fn put(&mut self, grid: &Grid, layout: &Layout, cell: Cell) {
        self.cell = cell;
        self.node = layout.node_of(cell);
        if self.node.is_some() {
            return;
        }
        self.block = layout.block_of(cell);
        self.field.spread(grid, layout.block_area(self.block), cell);
        self.arcs.clear();
        for (cell, place) in layout.border(self.block).zip(0..) {
            if let Some(cost) = self.field.cost(cell) {
                self.arcs.extend([place, cost]);
            }
        }
    }

    /// The first node of the block, and the ways to its border.
    #[inline]
    pub(super) fn row(&self, layout: &Layout) -> (u32, Row<'_>) {
        (layout.first_node(self.block), Row::wide(&self.arcs))
    }

    /// The way between the end and a place on the border of its block, if there is one.
    #[inline]
    pub(super) fn cost_at(&self, seat: Seat) -> Option<u32> {
        if self.node.is_some() || seat.block != self.block {
            return None;
        }
        let (arcs, _) = self.arcs.as_chunks::<2>();
        let at = arcs.binary_search_by_key(&(seat.place as u32), |arc| arc[0]).ok()?;
        Some(arcs[at][1])
    }

    /// The cost between two ends inside a block; `None` if they have none in common.
    pub(super) fn cost_inside(&self, other: &Self) -> Option<u32> {
        if self.node.is_some() || other.node.is_some() || self.block != other.block {
            return None;
        }
        self.field.cost(other.cell)
    }

    /// Every node on the border that the end reaches inside its block, and the cost.
    pub(super) fn arcs(&self, layout: &Layout) -> impl Iterator<Item = (u32, u32)> {
        let (first, row) = self.row(layout);
        row.iter().map(move |(place, cost)| (first + layout.offsets()[usize::from(place)], cost))
    }

    /// Appends the cells from a cell of the block to the end, without the first: always
    /// by the first direction that lies on a shortest way.
    pub(super) fn walk(&self, from: Cell, path: &mut Vec<Cell>) {
        self.field.descend(from, path);
    }
}
