//! The cells of one block, copied from the map: for searches and matrices that stay in it.

use super::layout::Layout;
use crate::base::{Cell, Cost, NodeId};
use crate::graph::Graph;
use crate::grid::{Grid, Rules};
use crate::search::{Memory, OpenList};

/// Cells from one row to the next. The largest block and a margin fit, and a power of
/// two needs no division.
const STRIDE: usize = 64;

/// The weights of the cells of a block. Cells around it count as blocked, so that no
/// search leaves it.
///
/// Looking up moves and weights on the map took a third of a query.
#[derive(Debug, Default)]
pub(super) struct Ground {
    corner: Cell,
    rules: Rules,
    /// 0 where cells are blocked; row by row, with a margin of one cell.
    weights: Vec<u8>,
}

impl Ground {
    /// Copies a block.
    pub(super) fn copy(&mut self, grid: &Grid, layout: &Layout, block: usize) {
        let area = layout.block_area(block);
        self.corner = area.min();
        self.rules = grid.rules();
        self.weights.clear();
        self.weights.resize((layout.side() + 3) * STRIDE, 0);
        for y in area.min().y..=area.max().y {
            grid.for_each_stretch(y, area.min().x, area.max().x, |first, last| {
                for cell in (first..=last).map(|x| Cell::new(x, y)) {
                    let at = self.node(cell).index();
                    self.weights[at] = grid.weight(cell);
                }
            });
        }
    }

    /// The node of a cell of the block.
    #[inline]
    pub(super) const fn node(&self, cell: Cell) -> NodeId {
        Self::node_at((cell.x - self.corner.x) as usize, (cell.y - self.corner.y) as usize)
    }

    /// The node at a column and row of the block.
    #[inline]
    const fn node_at(x: usize, y: usize) -> NodeId {
        NodeId::new(((y + 1) * STRIDE + x + 1) as u32)
    }

    /// The cell of a node.
    #[inline]
    pub(super) const fn cell(&self, node: NodeId) -> Cell {
        let (x, y) = ((node.index() % STRIDE) as u16, (node.index() / STRIDE) as u16);
        Cell::new(self.corner.x + x - 1, self.corner.y + y - 1)
    }

    pub(super) const fn rules(&self) -> Rules {
        self.rules
    }

    /// The least weight of a free cell.
    pub(super) fn lightest(&self) -> u8 {
        self.weights.iter().copied().filter(|&weight| weight > 0).min().unwrap_or(1)
    }

    /// Whether the cell at a column and row of the block is free.
    pub(super) fn is_free(&self, (x, y): (usize, usize)) -> bool {
        self.weights[Self::node_at(x, y).index()] > 0
    }

    /// Calls `visit` with every cell that a step leads to from a free cell, and its cost.
    /// Cells are given by columns and rows of the block.
    pub(super) fn for_each_step(&self, (x, y): (usize, usize), mut visit: impl FnMut((usize, usize), u32)) {
        self.for_each_arc(Self::node_at(x, y), |next, cost| {
            let next = (next.index() % STRIDE - 1, next.index() / STRIDE - 1);
            visit(next, cost.units() as u32);
        });
    }

    /// Appends the cells from a cell down to the start of a search of the block, without
    /// the first: always by the first direction that lies on a shortest way.
    pub(super) fn descend<Q: OpenList>(&self, memory: &Memory<Q>, from: Cell, path: &mut Vec<Cell>) {
        let mut node = self.node(from);
        let Some(mut left) = memory.cost(node.index()) else { return };
        while left > Cost::ZERO {
            let mut found = None;
            self.for_each_arc(node, |next, step| {
                if found.is_none()
                    && let Some(cost) = memory.cost(next.index())
                    && cost + step == left
                {
                    found = Some((next, cost));
                }
            });
            let Some((next, cost)) = found else { return };
            path.push(self.cell(next));
            (node, left) = (next, cost);
        }
    }
}

impl Graph for Ground {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.weights.len()
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    /// In the order of `Direction::ALL`.
    #[inline]
    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let Rules { diagonals, diagonal_cost } = self.rules;
        // The nine rows and columns around a node lie within one slice.
        let first = node.index() - STRIDE - 1;
        let Some(around) = self.weights.get(first..first + 2 * STRIDE + 3) else { return };
        let weight = |off: usize| u64::from(around[off]);
        let here = weight(STRIDE + 1);
        let [north, east, south, west] = [1, STRIDE + 2, 2 * STRIDE + 1, STRIDE];
        let mut offer = |off: usize, half: u64| {
            let step = Cost::from_units(half * (here + weight(off)));
            visit(NodeId::new((first + off) as u32), step);
        };
        let half = diagonal_cost.straight().units() / 2;
        for off in [north, east, south, west] {
            if around[off] > 0 {
                offer(off, half);
            }
        }
        let half = diagonal_cost.diagonal().units() / 2;
        let corners =
            [(north + 1, north, east), (south + 1, south, east), (south - 1, south, west), (0, north, west)];
        for (off, one, other) in corners {
            if around[off] > 0 && diagonals.passes_corner(around[one] > 0, around[other] > 0) {
                offer(off, half);
            }
        }
    }
}
