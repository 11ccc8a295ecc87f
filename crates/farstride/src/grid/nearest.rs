//! The cell nearest to another that is free, or that can be reached.
//!
//! Chunks are looked at in rings around the goal until the next ring is farther away
//! than the best cell. If the start is shut in, that would lead over the whole map: so only
//! chunks in the extent of its region are looked at.

use super::Grid;
use super::regions::{Extent, RegionId};
use crate::base::Cell;

impl Grid {
    /// The free cell nearest to a cell of the map, by straight distance; of several, the
    /// first in reading order. `None` if no cell is free or `to` is off the map.
    ///
    /// # Complexity
    /// O(chunks of 8 × 8 cells within that distance).
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Grid};
    ///
    /// let grid = Grid::from_ascii("
    ///     .###
    ///     .##.
    /// ")?;
    /// assert_eq!(grid.nearest_free(Cell::new(2, 0)), Some(Cell::new(3, 1)));
    /// # Ok::<(), farstride::error::TextError>(())
    /// ```
    pub fn nearest_free(&self, to: Cell) -> Option<Cell> {
        if !self.contains(to) || self.is_free(to) {
            return Some(to).filter(|&cell| self.contains(cell));
        }
        let mut nearest = Nearest::to(self, to, None);
        let all = self.chunk_area();
        let mut ring = 0;
        while ring <= all.reach(nearest.centre) && !nearest.is_beyond(ring) {
            nearest.look_at(ring, all);
            ring += 1;
        }
        nearest.best.map(|(_, cell)| cell)
    }

    /// The cell nearest to `goal` that can be reached from `start`, by straight distance;
    /// of several, the first in reading order. `None` if `start` is blocked or either
    /// cell is off the map.
    ///
    /// # Complexity
    /// O(chunks of 8 × 8 cells within that distance that are in the smallest rectangle around the
    /// region of `start`, and after edits around what it was before). Allocates nothing.
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Grid};
    ///
    /// let grid = Grid::from_ascii("
    ///     ...#..
    ///     ...#..
    /// ")?;
    /// assert_eq!(grid.nearest_reachable(Cell::new(0, 1), Cell::new(5, 1)), Some(Cell::new(2, 1)));
    /// # Ok::<(), farstride::error::TextError>(())
    /// ```
    pub fn nearest_reachable(&self, start: Cell, goal: Cell) -> Option<Cell> {
        if !self.is_free(start) || !self.contains(goal) {
            return None;
        }
        if self.is_connected(start, goal) {
            return Some(goal);
        }
        let region = self.regions.region(&self.bits, start)?;
        let mut nearest = Nearest::to(self, goal, Some(region));
        let area = Chunks::from(self.regions.extent(region));
        let mut ring = area.distance(nearest.centre);
        while ring <= area.reach(nearest.centre) && !nearest.is_beyond(ring) {
            nearest.look_at(ring, area);
            ring += 1;
        }
        nearest.best.map(|(_, cell)| cell)
    }

    /// The chunk that holds a cell: its column and row.
    const fn chunk_at(&self, cell: Cell) -> (usize, usize) {
        let (chunk, _) = self.bits.chunk_of(cell);
        (chunk % self.bits.chunks_wide(), chunk / self.bits.chunks_wide())
    }

    fn chunk_area(&self) -> Chunks {
        Chunks { columns: (0, self.bits.chunks_wide() - 1), rows: (0, self.bits.chunks_high() - 1) }
    }

    /// The cells of a chunk that belong to a region, or all that are free.
    #[inline]
    fn cells_in(&self, column: usize, row: usize, region: Option<RegionId>) -> u64 {
        let chunk = row * self.bits.chunks_wide() + column;
        match region {
            Some(region) => self.regions.cells_in(&self.bits, chunk, region),
            None => self.bits.chunk(chunk),
        }
    }
}

/// A rectangle of chunks: the first and last column and row.
#[derive(Clone, Copy)]
struct Chunks {
    columns: (usize, usize),
    rows: (usize, usize),
}

impl From<Extent> for Chunks {
    fn from(extent: Extent) -> Self {
        let wide = |(first, last): (u16, u16)| (first.into(), last.into());
        Self { columns: wide(extent.columns), rows: wide(extent.rows) }
    }
}

impl Chunks {
    /// The number of the last ring around `centre` that shares a chunk with the rectangle.
    fn reach(self, centre: (usize, usize)) -> usize {
        let far = |(first, last): (usize, usize), at: usize| at.abs_diff(first).max(at.abs_diff(last));
        far(self.columns, centre.0).max(far(self.rows, centre.1))
    }

    /// The number of the first ring around `centre` that shares a chunk with the rectangle.
    fn distance(self, centre: (usize, usize)) -> usize {
        let gap =
            |(first, last): (usize, usize), at: usize| first.saturating_sub(at).max(at.saturating_sub(last));
        gap(self.columns, centre.0).max(gap(self.rows, centre.1))
    }

    /// Calls `visit` with the column and row of the chunks of the rectangle that are
    /// `ring` chunks away from `centre`.
    fn for_each_in_ring(self, centre: (usize, usize), ring: usize, mut visit: impl FnMut(usize, usize)) {
        let clip = |at: usize, (first, last): (usize, usize)| {
            (at.saturating_sub(ring).max(first), (at + ring).min(last))
        };
        let (columns, rows) = (clip(centre.0, self.columns), clip(centre.1, self.rows));
        for row in rows.0..=rows.1 {
            if row.abs_diff(centre.1) == ring {
                (columns.0..=columns.1).for_each(|column| visit(column, row));
                continue;
            }
            for column in [centre.0.checked_sub(ring), Some(centre.0 + ring)].into_iter().flatten() {
                if (columns.0..=columns.1).contains(&column) {
                    visit(column, row);
                }
            }
        }
    }
}

/// The search for the cell nearest to a goal.
struct Nearest<'g> {
    grid: &'g Grid,
    goal: Cell,
    /// The region to look for; any if `None`.
    region: Option<RegionId>,
    /// The chunk of the goal.
    centre: (usize, usize),
    /// The best cell so far and the square of its distance.
    best: Option<(u32, Cell)>,
}

impl<'g> Nearest<'g> {
    fn to(grid: &'g Grid, goal: Cell, region: Option<RegionId>) -> Self {
        Self { grid, goal, region, centre: grid.chunk_at(goal), best: None }
    }

    /// Whether every cell `ring` chunks away is farther than the best. The nearest of
    /// them is more than `ring - 1` chunks away, each eight cells wide.
    fn is_beyond(&self, ring: usize) -> bool {
        let gap = (ring as u32 * 8).saturating_sub(7);
        self.best.is_some_and(|(distance, _)| distance < gap * gap)
    }

    /// Looks at the chunks of a ring.
    fn look_at(&mut self, ring: usize, area: Chunks) {
        area.for_each_in_ring(self.centre, ring, |column, row| {
            let cells = self.grid.cells_in(column, row, self.region);
            if cells != 0 {
                self.look_into(cells, column, row);
            }
        });
    }

    /// Compares the cells of a chunk with the best.
    fn look_into(&mut self, mut cells: u64, column: usize, row: usize) {
        while cells != 0 {
            let bit = cells.trailing_zeros() as usize;
            cells &= cells - 1;
            let cell = Cell::new((column * 8 + bit % 8 - 1) as u16, (row * 8 + bit / 8 - 1) as u16);
            let (dx, dy) = (u32::from(cell.x.abs_diff(self.goal.x)), u32::from(cell.y.abs_diff(self.goal.y)));
            let found = (dx * dx + dy * dy, cell);
            if self.best.is_none_or(|best| found < best) {
                self.best = Some(found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rect;

    /// The nearest of some cells, looked for one by one.
    fn slow(grid: &Grid, goal: Cell, is_wanted: impl Fn(Cell) -> bool) -> Option<Cell> {
        let square = |cell: Cell| {
            let (dx, dy) = (i64::from(cell.x) - i64::from(goal.x), i64::from(cell.y) - i64::from(goal.y));
            dx * dx + dy * dy
        };
        let cells = grid.area().cells().filter(|&cell| grid.is_free(cell) && is_wanted(cell));
        cells.min_by_key(|&cell| (square(cell), cell))
    }

    /// A map with many regions of all sizes: a cell is free unless a hash says otherwise,
    /// and walls cut the map into pieces.
    fn pieces(width: usize, height: usize, seed: u64, share: u64, walls: u16) -> Grid {
        let hash = |cell: Cell| {
            let key = seed ^ u64::from(cell.x) << 32 ^ u64::from(cell.y);
            let mixed = (key ^ key >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (mixed ^ mixed >> 32).wrapping_mul(0x94d0_49bb_1331_11eb) >> 40
        };
        let is_free = |cell: Cell| hash(cell) % 100 >= share && cell.x % walls != 5 && cell.y % walls != 7;
        Grid::from_fn(width, height, is_free).unwrap()
    }

    #[test]
    fn the_nearest_cell_is_found_whatever_the_regions() {
        for (width, height, share, walls) in [
            (1, 1, 0, 99),
            (40, 30, 45, 999),
            (70, 45, 5, 11),
            (33, 90, 0, 24),
            (90, 90, 60, 9),
            (64, 64, 98, 50),
        ] {
            for seed in 0..3 {
                let grid = pieces(width, height, seed, share, walls);
                let cells: Vec<Cell> = grid.area().cells().collect();
                for at in 0..200 {
                    let start = cells[at * 7919 % cells.len()];
                    let goal = cells[at * 104_729 % cells.len()];
                    assert_eq!(grid.nearest_free(goal), slow(&grid, goal, |_| true));
                    let reachable = slow(&grid, goal, |cell| grid.is_connected(start, cell));
                    assert_eq!(grid.nearest_reachable(start, goal), reachable, "{start} {goal}");
                }
            }
        }
    }

    #[test]
    fn a_start_that_is_shut_in_leads_no_farther_than_its_room() {
        let mut grid = Grid::empty(300, 300).unwrap();
        grid.block(Rect::spanning(Cell::new(10, 10), Cell::new(14, 14))).unwrap();
        grid.free(Cell::new(12, 12)).unwrap();
        let (start, goal) = (Cell::new(12, 12), Cell::new(290, 250));
        assert_eq!(grid.nearest_reachable(start, goal), Some(start));
        assert_eq!(grid.nearest_reachable(goal, start), slow(&grid, start, |cell| cell != start));
    }

    #[test]
    fn cells_off_the_map_have_no_nearest_cell() {
        let grid = Grid::empty(9, 9).unwrap();
        let (on, off) = (Cell::new(3, 3), Cell::new(9, 0));
        assert_eq!(grid.nearest_free(off), None);
        assert_eq!((grid.nearest_reachable(on, off), grid.nearest_reachable(off, on)), (None, None));
        let mut full = grid;
        full.block(full.area()).unwrap();
        assert_eq!((full.nearest_free(on), full.nearest_reachable(on, on)), (None, None));
    }
}
