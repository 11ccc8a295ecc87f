//! How far one can go straight before a subgoal or a blocked cell.

use super::corner::is_subgoal;
use crate::base::{Cell, Direction};
use crate::grid::{Bits, Diagonals, Grid};

/// The subgoals of a map, and the stretches without any.
///
/// Clearances are not stored per cell: a bit says whether a cell is a *stop*,
/// blocked or a subgoal, by rows and again by columns, so that a clearance is
/// one load and one count of bits per 57 cells. All tables together take half
/// a byte per cell and stay in the cache, where one byte for each of eight
/// directions does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Clearance {
    /// Cells that are free and no subgoals, by rows.
    rows: Bits,
    /// The same by columns.
    columns: Bits,
    subgoals: Bits,
    /// Subgoals before each group of 64 bits.
    before: Box<[u32]>,
    four_connected: bool,
}

impl Clearance {
    /// Finds the subgoals of a map.
    pub(super) fn new(grid: &Grid) -> Self {
        let (width, height) = (grid.width() as u16, grid.height() as u16);
        let mut rows = grid.bits().clone();
        let mut subgoals = Bits::blocked(width, height);
        grid.bits().for_each_marked(|cell| {
            if is_subgoal(grid, cell) {
                subgoals.set(cell, true);
                rows.set(cell, false);
            }
        });
        let columns = rows.transposed(width, height);
        let before = subgoals.rank_table();
        let four_connected = grid.rules().diagonals == Diagonals::None;
        Self { rows, columns, subgoals, before, four_connected }
    }

    /// Calls `visit` with every subgoal in reading order.
    pub(super) fn for_each_subgoal(&self, visit: impl FnMut(Cell)) {
        self.subgoals.for_each_marked(visit);
    }

    /// The number of the subgoal at a cell.
    #[inline]
    pub(super) fn number(&self, cell: Cell) -> u32 {
        self.subgoals.rank(cell, &self.before)
    }

    /// Bytes that the tables take.
    pub(super) fn byte_count(&self) -> usize {
        let bits = [&self.rows, &self.columns, &self.subgoals];
        bits.into_iter().map(Bits::memory_bytes).sum::<usize>() + self.before.len() * 4
    }

    /// Free cells without a subgoal from a cell on, in a straight direction.
    #[inline]
    fn clear(&self, cell: Cell, direction: Direction) -> u32 {
        let (x, y) = (u32::from(cell.x), u32::from(cell.y));
        match direction {
            Direction::East => self.rows.free_after(x, y),
            Direction::West => self.rows.free_before(x, y),
            Direction::South => self.columns.free_after(y, x),
            _ => self.columns.free_before(y, x),
        }
    }

    /// Calls `visit` with every subgoal that is direct-h-reachable from a free
    /// cell: each once, in the same order always.
    ///
    /// The shortest paths to a cell that lies so many diagonal and so many
    /// straight steps away fill a parallelogram, or a rectangle on 4-connected
    /// maps. A subgoal is direct-h-reachable if that is free of stops: this
    /// follows its rows outwards and remembers how far the narrowest was clear.
    #[inline]
    pub(super) fn for_each_direct(&self, grid: &Grid, cell: Cell, mut visit: impl FnMut(Cell)) {
        let straight = [Direction::North, Direction::East, Direction::South, Direction::West];
        let clear = straight.map(|direction| {
            let clear = self.clear(cell, direction);
            self.visit_stop(cell, direction, clear, &mut visit);
            clear
        });
        for quarter in 0..4 {
            let (one, other) = (straight[quarter], straight[(quarter + 1) % 4]);
            let mut limits = [clear[quarter], clear[(quarter + 1) % 4]];
            if self.four_connected {
                self.scan_quarter(cell, one, other, limits, &mut visit);
                continue;
            }
            let diagonal = DIAGONALS[quarter];
            let mut row = cell;
            while grid.moves_inside(row).contains(diagonal) {
                row = row.step(diagonal);
                if self.subgoals.is_free(row) {
                    visit(row);
                    break;
                }
                for (direction, limit) in [one, other].into_iter().zip(&mut limits) {
                    if *limit > 0 {
                        let clear = self.clear(row, direction);
                        if clear < *limit {
                            *limit = clear;
                            self.visit_stop(row, direction, clear, &mut visit);
                        }
                    }
                }
            }
        }
    }

    /// The same for the rectangles between two straight directions.
    fn scan_quarter(
        &self,
        cell: Cell,
        along: Direction,
        across: Direction,
        [rows, mut limit]: [u32; 2],
        visit: &mut impl FnMut(Cell),
    ) {
        let mut row = cell;
        for _ in 0..rows {
            row = row.step(along);
            let clear = self.clear(row, across);
            if clear < limit {
                limit = clear;
                self.visit_stop(row, across, clear, visit);
            }
        }
    }

    /// Calls `visit` with the cell after a clear stretch if it is a subgoal.
    #[inline]
    fn visit_stop(&self, cell: Cell, direction: Direction, clear: u32, visit: &mut impl FnMut(Cell)) {
        let stop = cell.walk_within(direction, clear + 1);
        // A stop outside the map is blocked; its bit lies in the padding.
        if self.subgoals.is_free_or_padding(stop) {
            visit(stop);
        }
    }
}

/// The diagonal between each straight direction and the next.
const DIAGONALS: [Direction; 4] =
    [Direction::NorthEast, Direction::SouthEast, Direction::SouthWest, Direction::NorthWest];
