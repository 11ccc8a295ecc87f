//! Squares of a grid as groups.

use super::{GroupId, Grouping, Members};
use crate::base::{Cell, NodeId, Rect};
use crate::grid::Grid;

/// Groups the cells of a grid by squares. Nothing is stored: groups and places are
/// computed from coordinates.
///
/// Blocked cells are in no group, and a square may have no members. Nodes can be cells,
/// or the numbers of cells that [`NumberedGrid`](crate::graph::NumberedGrid) gives
/// them.
#[derive(Clone, Copy, Debug)]
pub struct Squares<'g> {
    grid: &'g Grid,
    side: u32,
    columns: u32,
}

/// Sides up to this are never reduced, however small the map is.
const SMALL: usize = 256;

impl<'g> Squares<'g> {
    /// Divides a grid into squares of `side` × `side` cells; 0 counts as 1. Squares at
    /// the right and bottom edges may be cut off.
    pub fn new(grid: &'g Grid, side: u16) -> Self {
        // A square has places for all its cells, on the map or not: if it were much
        // larger than the map, tables of places would be, too.
        let largest = grid.width().max(grid.height()).max(SMALL) as u32;
        let side = u32::from(side.max(1)).min(largest);
        Self { grid, side, columns: (grid.width() as u32).div_ceil(side) }
    }

    /// Groups the groups of one level for the next, `factor` × `factor` at a time.
    ///
    /// `below` is the side of the lower level's groups in squares: 1 if these are the
    /// squares themselves, `factor` above `above(1, factor)`, and so on.
    pub fn above(&self, below: u32, factor: u32) -> Members {
        let (columns, rows) = (self.columns, (self.grid.height() as u32).div_ceil(self.side));
        let [columns, rows] = [columns, rows].map(|squares| squares.div_ceil(below.max(1)));
        Members::of_squares([columns, rows], factor)
    }

    /// The squares that share cells with an area.
    pub(super) fn touching(&self, area: Rect) -> impl Iterator<Item = GroupId> + use<> {
        let (side, across) = (self.side, self.columns);
        let square = |at: u16| u32::from(at) / side;
        let columns = square(area.min().x)..=square(area.max().x);
        let rows = square(area.min().y)..=square(area.max().y);
        rows.flat_map(move |row| columns.clone().map(move |column| GroupId::new(row * across + column)))
    }

    /// The top left cell of a square.
    fn corner(&self, group: GroupId) -> (u32, u32) {
        let group = group.raw();
        (group % self.columns * self.side, group / self.columns * self.side)
    }

    /// Calls `visit` with the free cells of a square, row by row.
    fn for_each_cell(&self, group: GroupId, mut visit: impl FnMut(Cell)) {
        let (left, top) = self.corner(group);
        let rows = self.side.min((self.grid.height() as u32).saturating_sub(top));
        let columns = self.side.min((self.grid.width() as u32).saturating_sub(left));
        for y in 0..rows {
            for x in 0..columns {
                let cell = Cell::new((left + x) as u16, (top + y) as u16);
                if self.grid.is_free(cell) {
                    visit(cell);
                }
            }
        }
    }
}

impl Squares<'_> {
    /// Whether the eight cells around a cell are in its square. If a grid skips a move
    /// there, the other way around leads over one of these eight.
    #[inline]
    fn is_inner(&self, cell: Cell) -> bool {
        let inner = |at: u16| (1..self.side - 1).contains(&(u32::from(at) % self.side));
        inner(cell.x) && inner(cell.y)
    }
}

impl Grouping<Cell> for Squares<'_> {
    fn group_count(&self) -> usize {
        (self.columns * (self.grid.height() as u32).div_ceil(self.side)) as usize
    }

    #[inline]
    fn locate(&self, cell: Cell) -> (GroupId, usize) {
        let (x, y) = (u32::from(cell.x), u32::from(cell.y));
        let (column, row) = (x / self.side, y / self.side);
        let place = (y - row * self.side) * self.side + (x - column * self.side);
        (GroupId::new(row * self.columns + column), place as usize)
    }

    fn places(&self, _: GroupId) -> usize {
        (self.side * self.side) as usize
    }

    #[inline]
    fn node_at(&self, group: GroupId, place: usize) -> Cell {
        let (left, top) = self.corner(group);
        let place = place as u32;
        Cell::new((left + place % self.side) as u16, (top + place / self.side) as u16)
    }

    fn for_each_member(&self, group: GroupId, visit: impl FnMut(Cell)) {
        self.for_each_cell(group, visit);
    }

    #[inline]
    fn is_surrounded(&self, cell: Cell) -> bool {
        self.is_inner(cell)
    }
}

impl Squares<'_> {
    fn number(&self, cell: Cell) -> NodeId {
        NodeId::new(self.grid.index(cell) as u32)
    }

    #[inline]
    fn cell(&self, node: NodeId) -> Cell {
        let width = self.grid.width();
        Cell::new((node.index() % width) as u16, (node.index() / width) as u16)
    }
}

impl Grouping<NodeId> for Squares<'_> {
    fn group_count(&self) -> usize {
        Grouping::<Cell>::group_count(self)
    }

    #[inline]
    fn locate(&self, node: NodeId) -> (GroupId, usize) {
        self.locate(self.cell(node))
    }

    fn places(&self, group: GroupId) -> usize {
        Grouping::<Cell>::places(self, group)
    }

    #[inline]
    fn node_at(&self, group: GroupId, place: usize) -> NodeId {
        self.number(self.node_at(group, place))
    }

    fn for_each_member(&self, group: GroupId, mut visit: impl FnMut(NodeId)) {
        self.for_each_cell(group, |cell| visit(self.number(cell)));
    }

    #[inline]
    fn is_surrounded(&self, node: NodeId) -> bool {
        self.is_inner(self.cell(node))
    }
}
