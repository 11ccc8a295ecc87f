//! The cells of a 1-cluster with weights, copied out of the map.
//!
//! A build searches a cluster once from each of its nodes. Listing its legal steps and
//! their costs first makes these searches faster: no step is tested for leaving the
//! cluster, no weight is looked up twice, and everything lies close together.

use crate::base::{Cost, Direction, Node, NodeId, Rect};
use crate::graph::Graph;
use crate::grid::Grid;

/// The cells of a rectangle as a graph, numbered row by row; holds memory that is reused.
#[derive(Debug, Default)]
pub(super) struct Tile {
    /// For each cell the number of steps before its own, and the total.
    first: Vec<u32>,
    /// Steps: the cost above the direction in the lowest bits.
    steps: Vec<u32>,
    /// How much the number of a cell changes with a step in each direction.
    strides: [i32; 8],
    /// Whether no two directions have the same stride.
    is_wide: bool,
}

/// Bits of a step that hold its direction.
const DIRECTION_BITS: u32 = 3;

impl Tile {
    /// Copies the cells of a rectangle.
    pub(super) fn copy(&mut self, grid: &Grid, area: Rect) {
        self.first.clear();
        self.steps.clear();
        self.strides = Direction::ALL.map(|direction| {
            let (dx, dy) = direction.delta();
            i32::from(dy) * area.width() as i32 + i32::from(dx)
        });
        self.is_wide = area.width() > 2;
        for cell in area.cells() {
            self.first.push(self.steps.len() as u32);
            let moves = grid.moves_at(cell).within(area, cell);
            self.steps.extend(moves.map(|direction| {
                let cost = grid.step_cost(cell, cell.step(direction)).units() as u32;
                cost << DIRECTION_BITS | direction as u32
            }));
        }
        self.first.push(self.steps.len() as u32);
    }

    /// The direction of the step from a cell to another, both by number.
    pub(super) fn direction(&self, from: u32, to: u32) -> Option<Direction> {
        let is_there =
            |direction: &Direction| from.wrapping_add_signed(self.strides[*direction as usize]) == to;
        if self.is_wide {
            return Direction::ALL.into_iter().find(is_there);
        }
        // Among the cell's own steps: the same stride may mean two directions, of which one
        // leads outside.
        self.steps_from(from as usize).iter().map(|&step| direction_of(step)).find(is_there)
    }

    /// The steps from a cell.
    #[inline]
    fn steps_from(&self, cell: usize) -> &[u32] {
        &self.steps[self.first[cell] as usize..self.first[cell + 1] as usize]
    }
}

/// The direction of a step.
#[inline]
const fn direction_of(step: u32) -> Direction {
    Direction::ALL[step as usize & ((1 << DIRECTION_BITS) - 1)]
}

impl Graph for Tile {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for &step in self.steps_from(node.index()) {
            let stride = self.strides[direction_of(step) as usize];
            let head = node.pack().wrapping_add_signed(stride);
            visit(NodeId::new(head), Cost::from_units((step >> DIRECTION_BITS).into()));
        }
    }
}
