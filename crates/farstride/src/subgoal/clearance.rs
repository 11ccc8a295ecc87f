//! Clearances: how far one can go straight before a subgoal or a blocked cell.

use super::corner::Corners;
use super::heading;
use crate::base::{Cell, Direction, Rect};
use crate::grid::{Bits, Diagonals, Grid};

/// The subgoals of a map, and tables from which clearances are counted.
///
/// Clearances are not stored. One bit per cell says whether it is *clear*, that is,
/// free and not a subgoal, once by rows and again by columns. A clearance is then
/// one load and one count of zeros per 57 cells. All tables together take half a
/// byte per cell and stay in the cache, where a byte for each of four or eight
/// directions would not (`docs/decisions/0011-clearances-are-counted.md`). An edit
/// changes a few bits instead of whole rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Clearance {
    /// Clear cells, by rows.
    rows: Bits,
    /// Clear cells, by columns.
    columns: Bits,
    subgoals: Bits,
    /// Number of subgoals before each group of 64 bits, so that the number of a
    /// subgoal is a count of bits and needs no table of ids.
    before: Box<[u32]>,
    rule: Diagonals,
}

impl Clearance {
    /// Finds the subgoals of a map.
    pub(crate) fn new(grid: &Grid) -> Self {
        let (width, height) = (grid.width() as u16, grid.height() as u16);
        let mut rows = grid.bits().clone();
        let mut subgoals = Bits::blocked(width, height);
        grid.bits().for_each_marked(|cell| {
            if Corners::at(grid, cell).is_subgoal() {
                subgoals.set(cell, true);
                rows.set(cell, false);
            }
        });
        let columns = rows.transposed(width, height);
        let before = subgoals.rank_table();
        Self { rows, columns, subgoals, before, rule: grid.rules().diagonals }
    }

    /// Empty tables, to stand in for tables that are moved out.
    pub(crate) fn empty() -> Self {
        let none = || Bits::blocked(0, 0);
        let (rows, columns, subgoals) = (none(), none(), none());
        Self { rows, columns, subgoals, before: Box::default(), rule: Diagonals::Strict }
    }

    /// Updates the cells of some areas.
    pub(super) fn update(&mut self, grid: &Grid, areas: &[Rect]) {
        for cell in areas.iter().flat_map(|area| area.cells()) {
            let subgoal = Corners::at(grid, cell).is_subgoal();
            let clear = grid.is_free(cell) && !subgoal;
            self.subgoals.set(cell, subgoal);
            self.rows.set(cell, clear);
            self.columns.set(cell.transposed(), clear);
        }
        self.before = self.subgoals.rank_table();
    }

    /// All subgoals, in reading order.
    pub(crate) fn subgoal_cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        self.subgoals.for_each_marked(|cell| cells.push(cell));
        cells
    }

    /// The number of the subgoal at a cell, in reading order.
    #[inline]
    pub(super) fn number(&self, cell: Cell) -> u32 {
        self.subgoals.rank(cell, &self.before)
    }

    /// The positions of a cell in the tables.
    #[inline]
    pub(super) const fn spots(&self, cell: Cell) -> Spots {
        Spots { row: self.rows.spot(cell), column: self.columns.spot(cell.transposed()) }
    }

    /// Whether there is a subgoal at a position in the table by rows.
    #[inline]
    pub(super) fn is_subgoal_at(&self, row: usize) -> bool {
        self.subgoals.is_free_at(row)
    }

    /// Bytes in memory.
    pub(crate) fn byte_count(&self) -> usize {
        let bits = [&self.rows, &self.columns, &self.subgoals];
        bits.into_iter().map(Bits::memory_bytes).sum::<usize>() + self.before.len() * 4
    }

    /// Calls `visit` with every subgoal that is direct-h-reachable from a free cell,
    /// each once, always in the same order.
    ///
    /// On an empty map, the shortest paths between two cells fill a parallelogram,
    /// or a rectangle on 4-connected maps. A subgoal is direct-h-reachable if all
    /// other cells of it are clear. The scan goes outwards row by row, and remembers
    /// how far the narrowest one was clear.
    #[inline]
    pub(super) fn for_each_direct(&self, grid: &Grid, cell: Cell, mut visit: impl FnMut(Leg)) {
        let spots = self.spots(cell);
        let left = self.look_across::<false>(cell, spots, &mut visit);
        let right = self.look_across::<true>(cell, spots, &mut visit);
        let up = self.look_along::<false>(cell, spots, &mut visit);
        let down = self.look_along::<true>(cell, spots, &mut visit);
        let clear = [left, right, up, down];
        match self.rule {
            Diagonals::Strict => self.scan_diagonals::<false>(grid, cell, spots, clear, &mut visit),
            Diagonals::OneSide | Diagonals::Free => {
                self.scan_diagonals::<true>(grid, cell, spots, clear, &mut visit);
            }
            Diagonals::None => {
                self.scan_rectangle::<false, false>(cell, [left, up], &mut visit);
                self.scan_rectangle::<true, false>(cell, [right, up], &mut visit);
                self.scan_rectangle::<false, true>(cell, [left, down], &mut visit);
                self.scan_rectangle::<true, true>(cell, [right, down], &mut visit);
            }
        }
    }

    /// Scans from all diagonals whose first step is legal.
    #[inline]
    fn scan_diagonals<const CUTS: bool>(
        &self,
        grid: &Grid,
        cell: Cell,
        spots: Spots,
        [left, right, up, down]: [usize; 4],
        visit: &mut impl FnMut(Leg),
    ) {
        let moves = grid.moves_inside(cell);
        if moves.contains(Direction::NorthWest) {
            self.scan_diagonal::<false, false, CUTS>(grid, cell, spots, [left, up], visit);
        }
        if moves.contains(Direction::NorthEast) {
            self.scan_diagonal::<true, false, CUTS>(grid, cell, spots, [right, up], visit);
        }
        if moves.contains(Direction::SouthWest) {
            self.scan_diagonal::<false, true, CUTS>(grid, cell, spots, [left, down], visit);
        }
        if moves.contains(Direction::SouthEast) {
            self.scan_diagonal::<true, true, CUTS>(grid, cell, spots, [right, down], visit);
        }
    }

    /// Scans along the row of a cell; returns how far it is clear.
    #[inline]
    fn look_across<const RIGHT: bool>(&self, cell: Cell, spots: Spots, visit: &mut impl FnMut(Leg)) -> usize {
        let clear = self.clear_across::<RIGHT>(spots);
        if self.subgoals.is_free_at(shift::<RIGHT>(spots.row, clear + 1)) {
            let class = if RIGHT { Direction::East } else { Direction::West } as u8;
            visit(Leg {
                to: beside::<RIGHT>(cell, clear + 1),
                diagonal: 0,
                straight: clear as u32 + 1,
                class,
            });
        }
        clear
    }

    /// Scans along the column of a cell; returns how far it is clear.
    #[inline]
    fn look_along<const DOWN: bool>(&self, cell: Cell, spots: Spots, visit: &mut impl FnMut(Leg)) -> usize {
        let clear = self.clear_along::<DOWN>(spots);
        if self.subgoals.is_free_at(shift::<DOWN>(spots.row, (clear + 1) * self.rows.row_bits())) {
            let class = if DOWN { Direction::South } else { Direction::North } as u8;
            visit(Leg {
                to: beyond::<DOWN>(cell, clear + 1),
                diagonal: 0,
                straight: clear as u32 + 1,
                class,
            });
        }
        clear
    }

    /// Scans rows and columns from each cell of a diagonal, whose first step must be
    /// legal, as far as those before were clear.
    ///
    /// A diagonal needs no clearance of its own: whether its next step is legal
    /// follows from the cells beside it.
    #[inline]
    fn scan_diagonal<const RIGHT: bool, const DOWN: bool, const CUTS: bool>(
        &self,
        grid: &Grid,
        cell: Cell,
        mut spots: Spots,
        [mut across, mut along]: [usize; 2],
        visit: &mut impl FnMut(Leg),
    ) {
        let quarter = u8::from(RIGHT) + 2 * u8::from(DOWN);
        let (row_bits, column_bits) = (self.rows.row_bits(), self.columns.row_bits());
        let free = |spot| grid.bits().is_free_at(spot);
        for diagonal in 1.. {
            spots.row = shift::<RIGHT>(shift::<DOWN>(spots.row, row_bits), 1);
            spots.column = shift::<DOWN>(shift::<RIGHT>(spots.column, column_bits), 1);
            let here = || beside::<RIGHT>(beyond::<DOWN>(cell, diagonal), diagonal);
            let steps = diagonal as u32;
            if self.subgoals.is_free_at(spots.row) {
                let class = heading::diagonal(quarter) as u8;
                visit(Leg { to: here(), diagonal: steps, straight: 0, class });
                return;
            }
            let side = self.clear_across::<RIGHT>(spots);
            if side < across {
                across = side;
                if self.subgoals.is_free_at(shift::<RIGHT>(spots.row, side + 1)) {
                    let (to, class) = (beside::<RIGHT>(here(), side + 1), heading::mixed(quarter, true));
                    visit(Leg { to, diagonal: steps, straight: side as u32 + 1, class });
                }
            }
            let ahead = self.clear_along::<DOWN>(spots);
            if ahead < along {
                along = ahead;
                if self.subgoals.is_free_at(shift::<DOWN>(spots.row, (ahead + 1) * row_bits)) {
                    let (to, class) = (beyond::<DOWN>(here(), ahead + 1), heading::mixed(quarter, false));
                    visit(Leg { to, diagonal: steps, straight: ahead as u32 + 1, class });
                }
            }
            // The cell is not a subgoal. Where corners must not be cut, two free
            // side cells therefore mean that the next cell is free. Where they may
            // be cut, a free next cell means that both side cells are free or
            // neither is, so that it is enough to look at one.
            let beside = side > 0 || free(shift::<RIGHT>(spots.row, 1));
            let legal = if CUTS {
                beside && free(shift::<RIGHT>(shift::<DOWN>(spots.row, row_bits), 1))
            } else {
                beside && (ahead > 0 || free(shift::<DOWN>(spots.row, row_bits)))
            };
            if !legal {
                return;
            }
        }
    }

    /// Scans rows from each cell of a column, as far as those before were clear.
    fn scan_rectangle<const RIGHT: bool, const DOWN: bool>(
        &self,
        cell: Cell,
        [mut across, along]: [usize; 2],
        visit: &mut impl FnMut(Leg),
    ) {
        let class = heading::mixed(u8::from(RIGHT) + 2 * u8::from(DOWN), false);
        for steps in 1..=along {
            if across == 0 {
                return;
            }
            let here = beyond::<DOWN>(cell, steps);
            let spots = Spots { row: self.rows.spot(here), column: 0 };
            let clear = self.clear_across::<RIGHT>(spots);
            if clear < across {
                across = clear;
                if self.subgoals.is_free_at(shift::<RIGHT>(spots.row, clear + 1)) {
                    let straight = (steps + clear + 1) as u32;
                    visit(Leg { to: beside::<RIGHT>(here, clear + 1), diagonal: 0, straight, class });
                }
            }
        }
    }

    /// Number of clear cells in a row, from a cell on.
    #[inline]
    pub(super) fn clear_across<const RIGHT: bool>(&self, spots: Spots) -> usize {
        if RIGHT { self.rows.free_after(spots.row) } else { self.rows.free_before(spots.row) }
    }

    /// Number of clear cells in a column, from a cell on.
    #[inline]
    pub(super) fn clear_along<const DOWN: bool>(&self, spots: Spots) -> usize {
        if DOWN { self.columns.free_after(spots.column) } else { self.columns.free_before(spots.column) }
    }
}

/// Positions of a cell in the tables by rows and by columns.
#[derive(Clone, Copy)]
pub(super) struct Spots {
    pub(super) row: usize,
    pub(super) column: usize,
}

/// The way to a direct-h-reachable subgoal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    pub(super) to: Cell,
    /// Number of diagonal steps.
    pub(super) diagonal: u32,
    /// Number of straight steps.
    pub(super) straight: u32,
    /// The directions it contains; see [`heading`].
    pub(super) class: u8,
}

/// A position some steps forward, or back.
#[inline]
pub(super) const fn shift<const FORWARD: bool>(from: usize, steps: usize) -> usize {
    if FORWARD { from + steps } else { from - steps }
}

/// The cell some columns to the right, or left.
#[inline]
pub(super) const fn beside<const RIGHT: bool>(cell: Cell, steps: usize) -> Cell {
    Cell { x: shift::<RIGHT>(cell.x as usize, steps) as u16, y: cell.y }
}

/// The cell some rows down, or up.
#[inline]
pub(super) const fn beyond<const DOWN: bool>(cell: Cell, steps: usize) -> Cell {
    Cell { x: cell.x, y: shift::<DOWN>(cell.y as usize, steps) as u16 }
}
