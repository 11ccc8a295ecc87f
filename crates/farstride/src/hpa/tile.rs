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

    /// The direction from a cell to a neighbour, both by number.
    pub(super) fn direction(&self, from: usize, to: u32) -> Option<Direction> {
        let stride = to as i32 - from as i32;
        self.strides.iter().position(|&known| known == stride).map(|at| Direction::ALL[at])
    }
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
        let [from, to] = [0, 1].map(|next| self.first[node.index() + next] as usize);
        for &step in &self.steps[from..to] {
            let stride = self.strides[step as usize & ((1 << DIRECTION_BITS) - 1)];
            let head = node.pack().wrapping_add_signed(stride);
            visit(NodeId::new(head), Cost::from_units((step >> DIRECTION_BITS).into()));
        }
    }
}
