//! The cells of a 1-cluster with weights, or of one whose ways are repaired, copied out of the map.
//!
//! A build searches a cluster once from each of its nodes. Listing its legal steps and
//! their costs first makes these searches faster: no step is tested for leaving the
//! cluster, no weight is looked up twice, and everything lies close together.

use super::tables::{UNREACHABLE, Ways};
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
    weights: Vec<u32>,
    /// Costs of half a straight and half a diagonal step on ground of weight 1.
    halves: [u32; 2],
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
        let rules = grid.rules();
        self.halves = [Direction::North, Direction::NorthEast].map(|step| rules.step(step, 1).units() as u32);
        self.weights.clear();
        self.weights.extend(area.cells().map(|cell| u32::from(grid.weight(cell))));
        for (at, cell) in area.cells().enumerate() {
            self.first.push(self.steps.len() as u32);
            let moves = grid.moves_inside(cell).within(area, cell);
            self.steps.extend(moves.map(|direction| {
                let head = at.wrapping_add_signed(self.strides[direction as usize] as isize);
                let weights = self.weights[at] + self.weights[head];
                let cost = self.halves[usize::from(direction.is_diagonal())] * weights;
                cost << DIRECTION_BITS | direction as u32
            }));
        }
        self.first.push(self.steps.len() as u32);
    }

    /// The step from a cell on a shortest way, given the distances of the cells around it:
    /// of several, the first in the order of directions; [`Ways::NONE`] if there is none.
    #[inline]
    pub(super) fn way(&self, cell: usize, distances: &[u64]) -> u8 {
        let distance = distances[cell];
        let is_way =
            |&(head, _, cost): &(usize, Direction, u64)| distances[head].saturating_add(cost) == distance;
        if distance == UNREACHABLE {
            return Ways::NONE;
        }
        self.steps(cell).find(is_way).map_or(Ways::NONE, |(_, direction, _)| direction as u8)
    }

    /// Where the step from a cell in a direction leads, and its cost; `None` for
    /// [`Ways::NONE`]. The step must be a legal one.
    #[inline]
    pub(super) fn step(&self, cell: usize, direction: u8) -> Option<(usize, u64)> {
        let direction = *Direction::ALL.get(usize::from(direction))?;
        let head = cell.wrapping_add_signed(self.strides[direction as usize] as isize);
        let weights = self.weights[cell] + self.weights.get(head)?;
        Some((head, u64::from(self.halves[usize::from(direction.is_diagonal())] * weights)))
    }

    /// Where the steps from a cell lead, in the order of directions, and their costs.
    #[inline]
    pub(super) fn steps(&self, cell: usize) -> impl Iterator<Item = (usize, Direction, u64)> {
        self.steps_from(cell).iter().map(move |&step| {
            let direction = direction_of(step);
            let head = cell.wrapping_add_signed(self.strides[direction as usize] as isize);
            (head, direction, (step >> DIRECTION_BITS).into())
        })
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
