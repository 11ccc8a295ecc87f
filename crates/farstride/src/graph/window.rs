//! A rectangle of a grid, as a graph.

use super::{Graph, Plane};
use crate::base::{Cell, Cost, Rect};
use crate::grid::{Grid, Moves};

/// The part of a grid inside a rectangle. No move leaves it.
///
/// Nodes are indexed within the rectangle, so searching a small area of a large
/// map touches little memory.
#[derive(Clone, Copy, Debug)]
pub struct Window<G> {
    graph: G,
    area: Rect,
}

impl<G: Graph<Node = Cell>> Window<G> {
    /// Restricts `graph` to `area`.
    pub const fn new(graph: G, area: Rect) -> Self {
        Self { graph, area }
    }

    /// The rectangle.
    pub const fn area(&self) -> Rect {
        self.area
    }

    /// Wraps `visit` so that it is called only with arcs that stay inside.
    #[inline]
    fn inside(&self, mut visit: impl FnMut(Cell, Cost)) -> impl FnMut(Cell, Cost) {
        let area = self.area;
        move |cell, cost| {
            if area.contains(cell) {
                visit(cell, cost);
            }
        }
    }
}

impl<G: Graph<Node = Cell>> Graph for Window<G> {
    type Node = Cell;

    fn node_count(&self) -> usize {
        self.area.width() as usize * self.area.height() as usize
    }

    #[inline]
    fn index(&self, cell: Cell) -> usize {
        self.area.offset(cell)
    }

    fn contains(&self, cell: Cell) -> bool {
        self.area.contains(cell) && self.graph.contains(cell)
    }

    #[inline]
    fn for_each_arc(&self, cell: Cell, visit: impl FnMut(Cell, Cost)) {
        self.graph.for_each_arc(cell, self.inside(visit));
    }

    /// The grid skips a move only in favour of one through cells between the
    /// move's two ends: if both ends are inside, so are those cells.
    #[inline]
    fn for_each_onward_arc(&self, cell: Cell, parent: Cell, visit: impl FnMut(Cell, Cost)) {
        self.graph.for_each_onward_arc(cell, parent, self.inside(visit));
    }
}

impl<G: Plane> Plane for Window<G> {
    #[inline]
    fn grid(&self) -> &Grid {
        self.graph.grid()
    }

    #[inline]
    fn moves(&self, cell: Cell) -> Moves {
        self.graph.moves(cell).within(self.area, cell)
    }

    #[inline]
    fn stride(&self) -> usize {
        self.area.width() as usize
    }
}
