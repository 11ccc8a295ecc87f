//! A grid as a graph of numbered nodes.

use super::{Graph, UniformGrid, WeightedGrid};
use crate::base::{Cell, Cost, NodeId};
use crate::grid::Grid;
use std::sync::Arc;

/// A grid as a graph whose nodes are numbers, row by row. Use it where nodes
/// other than cells are added, with numbers above those of the cells.
///
/// Steps cost what the terrain weights of the grid say.
///
/// # Example
/// ```
/// use farstride::graph::NumberedGrid;
/// use farstride::graph::{Graph, NodeId};
/// use farstride::{Cell, Grid};
///
/// let ground = NumberedGrid::new(Grid::empty(4, 3)?);
/// assert_eq!(ground.node(Cell::new(1, 2)), Some(NodeId::new(9)));
/// assert_eq!(ground.cell(NodeId::new(9)), Some(Cell::new(1, 2)));
/// assert_eq!(ground.cell(NodeId::new(12)), None);
/// # Ok::<(), farstride::error::SizeError>(())
/// ```
#[derive(Clone)]
pub struct NumberedGrid {
    grid: Arc<Grid>,
    /// Copied from the grid, because every arc needs it.
    width: u32,
    cells: u32,
}

impl NumberedGrid {
    /// The cells of `grid` as nodes.
    pub fn new(grid: impl Into<Arc<Grid>>) -> Self {
        let grid = grid.into();
        // Fits: a side is at most 10,000 cells.
        let (width, cells) = (grid.width() as u32, (grid.width() * grid.height()) as u32);
        Self { grid, width, cells }
    }

    /// The underlying grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The node of a cell; `None` if the cell is off the grid.
    #[inline]
    pub fn node(&self, cell: Cell) -> Option<NodeId> {
        self.grid.contains(cell).then(|| self.number(cell))
    }

    /// The cell of a node; `None` if there is no such node.
    #[inline]
    pub fn cell(&self, node: NodeId) -> Option<Cell> {
        let number = node.index() as u32;
        (number < self.cells).then(|| Cell::new((number % self.width) as u16, (number / self.width) as u16))
    }

    #[inline]
    fn number(&self, cell: Cell) -> NodeId {
        NodeId::new(self.grid.index(cell) as u32)
    }
}

impl std::fmt::Debug for NumberedGrid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NumberedGrid({} x {})", self.grid.width(), self.grid.height())
    }
}

impl Graph for NumberedGrid {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.cells as usize
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn contains(&self, node: NodeId) -> bool {
        self.cell(node).is_some_and(|cell| self.grid.is_free(cell))
    }

    #[inline]
    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let Some(cell) = self.cell(node) else { return };
        let numbered = |cell, cost| visit(self.number(cell), cost);
        if self.grid.is_uniform() {
            UniformGrid(&self.grid).for_each_arc(cell, numbered);
        } else {
            WeightedGrid(&self.grid).for_each_arc(cell, numbered);
        }
    }

    #[inline]
    fn for_each_onward_arc(&self, node: NodeId, parent: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        match (self.cell(node), self.cell(parent)) {
            (Some(cell), Some(parent)) if self.grid.is_uniform() => {
                let numbered = |cell, cost| visit(self.number(cell), cost);
                UniformGrid(&self.grid).for_each_onward_arc(cell, parent, numbered);
            }
            _ => self.for_each_arc(node, visit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arcs<G: Graph>(graph: &G, visit: impl Fn(&G, &mut dyn FnMut(G::Node, Cost))) -> Vec<(usize, Cost)> {
        let mut arcs = Vec::new();
        visit(graph, &mut |head, cost| arcs.push((graph.index(head), cost)));
        arcs
    }

    #[test]
    fn arcs_are_those_of_the_grid() {
        let text = "..#..\n.##..\n.....";
        let uniform = Grid::from_ascii(text).unwrap();
        let mut weighted = uniform.clone();
        weighted.set_weight(Cell::new(1, 2), 3).unwrap();
        for grid in [uniform, weighted] {
            let numbered = NumberedGrid::new(grid.clone());
            for (node, cell) in
                (0..).map(NodeId::new).zip((0..3).flat_map(|y| (0..5).map(move |x| Cell::new(x, y))))
            {
                assert_eq!((numbered.node(cell), numbered.cell(node)), (Some(node), Some(cell)));
                assert_eq!(numbered.contains(node), grid.is_free(cell));
                let found = arcs(&numbered, |graph, visit| graph.for_each_arc(node, visit));
                let expected = if grid.is_uniform() {
                    arcs(&UniformGrid(&grid), |graph, visit| graph.for_each_arc(cell, visit))
                } else {
                    arcs(&WeightedGrid(&grid), |graph, visit| graph.for_each_arc(cell, visit))
                };
                assert_eq!(found, expected);
            }
            assert_eq!(arcs(&numbered, |graph, visit| graph.for_each_arc(NodeId::new(15), visit)), []);
            assert!(!numbered.contains(NodeId::new(15)));
        }
    }
}
