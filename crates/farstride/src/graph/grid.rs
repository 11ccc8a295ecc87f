//! Grids seen as graphs.

use super::Graph;
use crate::base::{Cell, Cost};
use crate::grid::{Grid, Moves};

/// A grid as a graph in which every cell weighs 1: a step costs its length.
#[derive(Clone, Copy, Debug)]
pub struct UniformGrid<'g>(pub &'g Grid);

impl Graph for UniformGrid<'_> {
    type Node = Cell;

    fn node_count(&self) -> usize {
        self.0.width() * self.0.height()
    }

    #[inline]
    fn index(&self, cell: Cell) -> usize {
        self.0.index(cell)
    }

    fn contains(&self, cell: Cell) -> bool {
        self.0.is_free(cell)
    }

    #[inline]
    fn for_each_arc(&self, cell: Cell, visit: impl FnMut(Cell, Cost)) {
        self.for_each_move(cell, self.0.moves_inside(cell), visit);
    }

    #[inline]
    fn for_each_onward_arc(&self, cell: Cell, parent: Cell, visit: impl FnMut(Cell, Cost)) {
        self.for_each_move(cell, self.0.onward_moves(cell, parent), visit);
    }
}

impl UniformGrid<'_> {
    #[inline]
    fn for_each_move(self, cell: Cell, moves: Moves, mut visit: impl FnMut(Cell, Cost)) {
        let cost = self.0.rules().diagonal_cost;
        let (straight, diagonal) = (cost.straight(), cost.diagonal());
        moves.for_each_cell(cell, |next, is_diagonal| {
            visit(next, if is_diagonal { diagonal } else { straight });
        });
    }
}

/// A grid, or a rectangle of one, on which legs may run at any angle. Theta*
/// searches planes.
pub(crate) trait Plane: Graph<Node = Cell> {
    /// The whole grid.
    fn grid(&self) -> &Grid;

    /// Legal steps from a cell of the plane that stay on the plane.
    fn moves(&self, cell: Cell) -> Moves;

    /// Difference between the indices of a cell and the cell below it.
    fn stride(&self) -> usize;
}

impl Plane for UniformGrid<'_> {
    #[inline]
    fn grid(&self) -> &Grid {
        self.0
    }

    #[inline]
    fn moves(&self, cell: Cell) -> Moves {
        self.0.moves_inside(cell)
    }

    #[inline]
    fn stride(&self) -> usize {
        self.0.width()
    }
}

/// A grid as a graph with its terrain weights: each of the two cells of a step
/// is charged half its length times its weight.
#[derive(Clone, Copy, Debug)]
pub struct WeightedGrid<'g>(pub &'g Grid);

impl Graph for WeightedGrid<'_> {
    type Node = Cell;

    fn node_count(&self) -> usize {
        self.0.width() * self.0.height()
    }

    #[inline]
    fn index(&self, cell: Cell) -> usize {
        self.0.index(cell)
    }

    fn contains(&self, cell: Cell) -> bool {
        self.0.is_free(cell)
    }

    #[inline]
    fn for_each_arc(&self, cell: Cell, mut visit: impl FnMut(Cell, Cost)) {
        let here = u64::from(self.0.weight(cell));
        for direction in self.0.moves_inside(cell) {
            let next = cell.step(direction);
            let weights = here + u64::from(self.0.weight(next));
            visit(next, self.0.rules().step(direction, weights));
        }
    }
}
