//! Start and goal of a query: where they are, and their costs inside their block.

use super::ground::Ground;
use super::layout::{Layout, Seat};
use crate::base::{Cell, Cost, NodeId};
use crate::grid::Grid;
use crate::search::{Everything, Memory, Observer, Problem, ShortestPath, Translated, WideQueue};

/// An end of a path.
#[derive(Debug, Default)]
pub(super) struct End {
    pub(super) cell: Cell,
    /// Its node, if it is on a line; then nothing below is used.
    pub(super) node: Option<u32>,
    /// Its block, and the cells of it.
    block: usize,
    ground: Ground,
    /// Costs from the cell to every cell of the block.
    memory: Memory<WideQueue>,
    /// Costs to the border in its order; [`Cost::MAX`] where there is no way.
    costs: Vec<Cost>,
}

impl End {
    /// Moves the end to another cell of the map.
    pub(super) fn put(
        &mut self,
        grid: &Grid,
        layout: &Layout,
        cell: Cell,
        observer: &mut impl Observer<Cell>,
    ) {
        self.cell = cell;
        self.node = layout.node_of(cell);
        if self.node.is_some() {
            return;
        }
        self.block = layout.block_of(cell);
        self.ground.copy(grid, layout, self.block);
        let ground = &self.ground;
        let problem = Problem { graph: ground, target: Everything, rule: ShortestPath };
        let mut observer = Translated { observer, node: |node| ground.cell(node) };
        problem.begin(ground.node(cell), &mut self.memory, &mut observer);
        problem.advance(&mut self.memory, u64::MAX, &mut observer);
        self.costs.clear();
        let cost = |cell| self.memory.cost(ground.node(cell).index()).unwrap_or(Cost::MAX);
        self.costs.extend(layout.border(self.block).map(cost));
    }

    /// The cost between the end and a place on the border of its block.
    #[inline]
    pub(super) fn cost_at(&self, seat: Seat) -> Option<Cost> {
        if self.node.is_some() || seat.block != self.block {
            return None;
        }
        Some(self.costs[seat.place]).filter(|&cost| cost < Cost::MAX)
    }

    /// The cost between two ends inside a block; `None` if they have none in common.
    pub(super) fn cost_inside(&self, other: &Self) -> Option<Cost> {
        if self.node.is_some() || other.node.is_some() || self.block != other.block {
            return None;
        }
        self.memory.cost(self.ground.node(other.cell).index())
    }

    /// Calls `visit` with every node on the border that the end reaches inside its block.
    pub(super) fn for_each_arc(&self, layout: &Layout, mut visit: impl FnMut(NodeId, Cost)) {
        for (node, &cost) in layout.nodes(self.block).zip(&self.costs) {
            if cost < Cost::MAX {
                visit(NodeId::new(node), cost);
            }
        }
    }

    /// Appends the cells from a cell of the block to the end, without the first: always
    /// by the first direction that lies on a shortest way.
    pub(super) fn walk(&self, from: Cell, path: &mut Vec<Cell>) {
        self.ground.descend(&self.memory, from, path);
    }
}
