//! Where blocks and nodes are: numbers, positions, neighbours.

use crate::base::{Cell, Rect};
use crate::grid::Grid;

/// A rectangle of `width + 1` × `height + 1` cells, and the order of its border cells:
/// those above, on the left, on the right, and below.
///
/// The order begins with the cells that no block to the right or below owns, so that
/// the first places of a block are its own nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Frame {
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Frame {
    /// Number of border cells.
    pub(super) const fn len(self) -> usize {
        2 * (self.width + self.height)
    }

    /// Place of a cell in the order; `None` if it is not on the border. Cells are
    /// given by their columns and rows inside the rectangle.
    #[inline]
    pub(super) const fn place(self, x: usize, y: usize) -> Option<usize> {
        let Self { width, height } = self;
        if y == height {
            Some(if x == width { 2 * (width + height) - 1 } else { width + 2 * height - 1 + x })
        } else if x == width {
            Some(width + height - 1 + y)
        } else if y == 0 {
            Some(x)
        } else if x == 0 {
            Some(width + y - 1)
        } else {
            None
        }
    }

    /// Column and row of every border cell, in order.
    pub(super) fn cells(self) -> Vec<(usize, usize)> {
        let Self { width, height } = self;
        let above = (0..width).map(|x| (x, 0));
        let left = (1..height).map(|y| (0, y));
        let right = (0..height).map(|y| (width, y));
        let below = (0..=width).map(|x| (x, height));
        above.chain(left).chain(right).chain(below).collect()
    }
}

/// How a map is divided into blocks.
///
/// Every `side`-th row and column is a line. The cells of lines are the nodes. A block
/// is the square between lines, lines included, so that neighbours share cells; beyond
/// the edge of the map it is blocked.
///
/// Nodes are numbered by the block whose upper left corner they are closest to: its
/// upper line from the corner on, then its left line. Blocks to the right and below,
/// beyond the last ones, own the nodes of the last lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    side: usize,
    /// Blocks in a row and in a column.
    columns: usize,
    rows: usize,
    area: Rect,
    /// What to add to the first node of a block to get that at each place of its border;
    /// as many entries as a place has values, so that none has to be checked.
    offsets: Box<[u32; 256]>,
    /// Column and row of each place inside a block.
    spots: Box<[(u8, u8)]>,
}

/// A block and a place on its border.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Seat {
    pub(super) block: usize,
    pub(super) place: usize,
}

impl Layout {
    pub(super) fn new(side: u16, area: Rect) -> Self {
        let side = usize::from(side);
        let blocks = |cells: u32| (cells as usize - 1).div_ceil(side).max(1);
        let (columns, rows) = (blocks(area.width()), blocks(area.height()));
        let frame = Frame { width: side, height: side };
        let own = 2 * side - 1;
        let offset = |&(x, y): &(usize, usize)| {
            let (right, below) = (x / side, y / side);
            let here = (x % side, y % side);
            let owner = below * (columns + 1) + right;
            let kept = if here.1 == 0 { here.0 } else { side + here.1 - 1 };
            (owner * own + kept) as u32
        };
        let cells = frame.cells();
        let spots = cells.iter().map(|&(x, y)| (x as u8, y as u8)).collect();
        let mut offsets = Box::new([0; 256]);
        offsets.iter_mut().zip(&cells).for_each(|(to, cell)| *to = offset(cell));
        Self { side, columns, rows, area, offsets, spots }
    }

    pub(super) const fn side(&self) -> usize {
        self.side
    }

    /// The cells of the map.
    pub(super) const fn area(&self) -> Rect {
        self.area
    }

    pub(super) const fn block_count(&self) -> usize {
        self.columns * self.rows
    }

    /// One more than the largest node.
    pub(super) const fn node_count(&self) -> usize {
        (self.columns + 1) * (self.rows + 1) * self.own()
    }

    /// Number of nodes that a block owns.
    const fn own(&self) -> usize {
        2 * self.side - 1
    }

    /// The upper left cell of a block.
    pub(super) const fn corner(&self, block: usize) -> Cell {
        let (column, row) = (block % self.columns, block / self.columns);
        Cell::new((column * self.side) as u16, (row * self.side) as u16)
    }

    /// The cells of a block that are on the map.
    pub(super) fn block_area(&self, block: usize) -> Rect {
        let (corner, last) = (self.corner(block), self.area.max());
        let side = self.side as u16;
        Rect::spanning(corner, Cell::new((corner.x + side).min(last.x), (corner.y + side).min(last.y)))
    }

    /// The cells of the nodes of a block; they may lie beyond the edge of the map.
    pub(super) fn border(&self, block: usize) -> impl Iterator<Item = Cell> {
        let corner = self.corner(block);
        self.spots.iter().map(move |&(x, y)| Cell::new(corner.x + u16::from(x), corner.y + u16::from(y)))
    }

    /// The node at the upper left corner of a block.
    #[inline]
    pub(super) const fn first_node(&self, block: usize) -> u32 {
        let (column, row) = (block % self.columns, block / self.columns);
        ((row * (self.columns + 1) + column) * self.own()) as u32
    }

    /// The distance from the first node of a block to that at each of its places.
    #[inline]
    pub(super) const fn offsets(&self) -> &[u32; 256] {
        &self.offsets
    }

    /// The nodes of a block, in the order of its border.
    pub(super) fn nodes(&self, block: usize) -> impl Iterator<Item = u32> {
        let first = self.first_node(block);
        self.offsets.iter().take(4 * self.side).map(move |offset| first + offset)
    }

    /// The node of a cell on the map; `None` if it is not on a line.
    pub(super) const fn node_of(&self, cell: Cell) -> Option<u32> {
        let (x, y) = (cell.x as usize, cell.y as usize);
        let kept = match (x % self.side, y % self.side) {
            (here, 0) => here,
            (0, here) => self.side + here - 1,
            _ => return None,
        };
        let owner = y / self.side * (self.columns + 1) + x / self.side;
        Some((owner * self.own() + kept) as u32)
    }

    /// The cell of a node.
    pub(super) const fn cell_of(&self, node: u32) -> Cell {
        let (owner, kept) = (node as usize / self.own(), node as usize % self.own());
        let (column, row) = (owner % (self.columns + 1), owner / (self.columns + 1));
        let (x, y) = if kept < self.side { (kept, 0) } else { (0, kept + 1 - self.side) };
        Cell::new((column * self.side + x) as u16, (row * self.side + y) as u16)
    }

    /// A block that holds a cell of the map; for a cell on a line, one of several.
    pub(super) fn block_of(&self, cell: Cell) -> usize {
        let column = (usize::from(cell.x) / self.side).min(self.columns - 1);
        let row = (usize::from(cell.y) / self.side).min(self.rows - 1);
        row * self.columns + column
    }

    /// Every block that holds a cell of an area of the map, in order.
    pub(super) fn blocks_of(&self, area: Rect) -> impl Iterator<Item = usize> + use<> {
        let Self { side, columns, rows, .. } = *self;
        let span = move |least: u16, most: u16, count: usize| {
            let first = usize::from(least).saturating_sub(1) / side;
            first..(usize::from(most) / side + 1).min(count)
        };
        let across = span(area.min().x, area.max().x, columns);
        span(area.min().y, area.max().y, rows)
            .flat_map(move |row| across.clone().map(move |column| row * columns + column))
    }

    /// Every block of a node and its place there, in the order of blocks.
    #[inline]
    pub(super) fn seats(&self, node: u32) -> impl Iterator<Item = Seat> + use<> {
        let (side, columns) = (self.side as u32, self.columns as u32);
        let own = 2 * side - 1;
        let (owner, kept) = (node / own, node % own);
        let (column, row) = (owner % (columns + 1), owner / (columns + 1));
        let (x, y) = if kept < side { (kept, 0) } else { (0, kept + 1 - side) };
        let block = row * columns + column;
        let (has_left, has_right) = (x == 0 && column > 0, column < columns);
        let (has_above, has_below) = (y == 0 && row > 0, row < self.rows as u32);
        let seat = |is_there: bool, block: u32, place: u32| {
            is_there.then_some(Seat { block: block as usize, place: place as usize })
        };
        let above = block.wrapping_sub(columns);
        let seats = [
            seat(has_above && has_left, above.wrapping_sub(1), 4 * side - 1),
            seat(has_above && has_right, above, 3 * side - 1 + x),
            seat(has_below && has_left, block.wrapping_sub(1), 2 * side - 1 + y),
            seat(has_below && has_right, block, kept),
        ];
        seats.into_iter().flatten()
    }

    /// Whether a node is a free cell of the map.
    pub(super) fn is_free(&self, grid: &Grid, node: u32) -> bool {
        grid.is_free(self.cell_of(node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_the_order_of_the_border() {
        for (width, height) in [(1, 1), (2, 1), (1, 3), (4, 4), (5, 3)] {
            let frame = Frame { width, height };
            let cells = frame.cells();
            assert_eq!(cells.len(), frame.len());
            let places: Vec<_> = cells.iter().map(|&(x, y)| frame.place(x, y)).collect();
            assert_eq!(places, (0..frame.len()).map(Some).collect::<Vec<_>>());
            assert_eq!(frame.place(1, 1).is_none(), width > 1 && height > 1);
        }
    }

    #[test]
    fn nodes_cells_and_seats_lead_to_each_other() {
        for (side, width, height) in [(1, 4, 3), (2, 5, 4), (3, 1, 9), (4, 9, 9), (32, 40, 70)] {
            let area = Rect::spanning(Cell::new(0, 0), Cell::new(width - 1, height - 1));
            let layout = Layout::new(side, area);
            for cell in area.cells() {
                let on_line = cell.x % side == 0 || cell.y % side == 0;
                let Some(node) = layout.node_of(cell).inspect(|&node| assert_eq!(layout.cell_of(node), cell))
                else {
                    assert!(!on_line);
                    continue;
                };
                assert!(on_line && (node as usize) < layout.node_count());
                let mut blocks = Vec::new();
                for seat in layout.seats(node) {
                    assert_eq!(layout.nodes(seat.block).nth(seat.place), Some(node));
                    assert_eq!(layout.border(seat.block).nth(seat.place), Some(cell));
                    blocks.push(seat.block);
                }
                assert_eq!(blocks, layout.blocks_of(cell.into()).collect::<Vec<_>>());
                assert!(blocks.contains(&layout.block_of(cell)));
            }
        }
    }
}
