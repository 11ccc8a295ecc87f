//! Floods of a 1-cluster on even ground.
//!
//! A build floods every 1-cluster from each of its nodes, and an edit those around it: most of the time
//! of both. Where every cell weighs 1 there are only two kinds of steps, so a search needs no
//! ordered open list: cells reached by straight steps are reached in the order of their costs, and so are those
//! reached by diagonal ones. Two queues are enough, and the next cell is the nearer one at their heads.
//!
//! Of several steps on shortest ways, the first in the order of directions is taken, as in
//! [`Tile::way`](super::tile::Tile::way): so ways follow from distances alone, and can be repaired after an edit.

use super::tables::{UNREACHABLE, Ways};
use crate::base::{Direction, Rect};
use crate::grid::Grid;

/// The cells of a rectangle where every cell weighs 1, and a search of them; holds memory that is reused.
///
/// Cells lie in rows with a margin, so that no step leads out of memory.
#[derive(Debug, Default)]
pub(super) struct Flood {
    area: Option<Rect>,
    /// Length of a row with its margin.
    row: usize,
    /// The diagonal steps from each cell, one bit each, by direction less [`STRAIGHT`].
    diagonals: Vec<u8>,
    /// The keys of all cells before a search.
    clean: Vec<u32>,
    /// For each cell the cost from the start above the direction of the step back, in [`DIRECTION_BITS`];
    /// [`UNREACHED`], or 0 where no search goes.
    keys: Vec<u32>,
    /// Cells reached by straight steps, and by diagonal ones: [`Entry`] in order.
    queues: [Vec<Entry>; 2],
    costs: [u32; 2],
}

// A way through all cells of the largest cluster, by the dearest steps, fits above the direction.
const _: () = assert!((256 * 256) * 7100 < u32::MAX as u64 >> DIRECTION_BITS);

/// Number of straight directions, which come first.
const STRAIGHT: usize = 4;
const DIRECTION_BITS: u32 = 3;
const UNREACHED: u32 = u32::MAX;
/// A cell below the cost at which it was reached.
type Entry = u64;
const CELL_BITS: u32 = 32;

impl Flood {
    /// Copies the cells of a rectangle.
    pub(super) fn copy(&mut self, grid: &Grid, area: Rect) {
        let (width, height) = (area.width() as usize, area.height() as usize);
        self.area = Some(area);
        self.row = width + 2;
        self.clean.clear();
        self.clean.resize(self.row * (height + 2), 0);
        self.diagonals.clear();
        self.diagonals.resize(self.clean.len(), 0);
        let cost = grid.rules().diagonal_cost;
        self.costs = [cost.straight(), cost.diagonal()].map(|cost| cost.units() as u32);
        for (offset, cell) in area.cells().enumerate().filter(|&(_, cell)| grid.is_free(cell)) {
            let at = place(offset, width);
            self.clean[at] = UNREACHED;
            self.diagonals[at] = grid.moves_inside(cell).within(area, cell).bits() >> STRAIGHT;
        }
    }

    /// Searches from the cell at an offset of the rectangle to all others.
    pub(super) fn search(&mut self, from: usize) {
        let Self { row, diagonals, clean, keys, queues: [straight, diagonal], costs, area, .. } = self;
        let Some(area) = area else { return };
        let strides: [usize; 8] = Direction::ALL.map(|direction| {
            let (dx, dy) = direction.delta();
            (isize::from(dy) * *row as isize + isize::from(dx)) as usize
        });
        keys.clone_from(clean);
        straight.clear();
        diagonal.clear();
        let (mut next_straight, mut next_diagonal) = (0, 0);
        let mut at = place(from, area.width() as usize);
        let mut cost = 0;
        // No step leads back.
        keys[at] = 0;
        loop {
            let mut offer = |direction: usize, cost: u32, queue: &mut Vec<Entry>| {
                let head = at.wrapping_add(strides[direction]);
                let key = cost << DIRECTION_BITS | BACK[direction];
                if let Some(known) = keys.get_mut(head)
                    && key < *known
                {
                    if *known >> DIRECTION_BITS > cost {
                        queue.push(Entry::from(cost) << CELL_BITS | head as Entry);
                    }
                    *known = key;
                }
            };
            for direction in 0..STRAIGHT {
                offer(direction, cost + costs[0], straight);
            }
            let mut left = diagonals[at];
            while left != 0 {
                offer(STRAIGHT + left.trailing_zeros() as usize, cost + costs[1], diagonal);
                left &= left - 1;
            }
            // The next cell that was not reached at less since it was queued.
            loop {
                let heads = (straight.get(next_straight), diagonal.get(next_diagonal));
                let entry = match heads {
                    (Some(&one), Some(&other)) if other < one => {
                        next_diagonal += 1;
                        other
                    }
                    (Some(&one), _) => {
                        next_straight += 1;
                        one
                    }
                    (None, Some(&other)) => {
                        next_diagonal += 1;
                        other
                    }
                    (None, None) => return,
                };
                at = entry as u32 as usize;
                cost = (entry >> CELL_BITS) as u32;
                if keys[at] >> DIRECTION_BITS == cost {
                    break;
                }
            }
        }
    }

    /// The cost of the cell at an offset in the last search.
    pub(super) fn units(&self, offset: usize) -> u64 {
        let width = self.row - 2;
        let at = place(offset, width);
        match (self.keys[at], self.clean[at]) {
            (UNREACHED, _) | (_, 0) => UNREACHABLE,
            (key, _) => (key >> DIRECTION_BITS).into(),
        }
    }

    /// The step back to the start of the last search from every cell, row by row.
    pub(super) fn steps(&self) -> impl Iterator<Item = u8> {
        let rows = self.keys.chunks_exact(self.row).skip(1);
        let inner = rows.take(self.keys.len() / self.row - 2).flat_map(|row| &row[1..row.len() - 1]);
        inner.map(|&key| if key == UNREACHED || key == 0 { Ways::NONE } else { (key & 7) as u8 })
    }
}

/// Where the cell at an offset of a rectangle of this width lies in memory.
const fn place(offset: usize, width: usize) -> usize {
    (offset / width + 1) * (width + 2) + offset % width + 1
}

/// The directions of the steps back.
const BACK: [u32; 8] = {
    let mut back = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        back[direction] = Direction::ALL[direction].opposite() as u32;
        direction += 1;
    }
    back
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Cell, DiagonalCost};
    use crate::grid::{Diagonals, Rules};
    use crate::hpa::tile::Tile;
    use farstride_testkit::SplitMix64;

    /// Distances by repeated relaxation, and ways by the rule of weighted ground.
    fn check(grid: &Grid, area: Rect, flood: &mut Flood) {
        let mut tile = Tile::default();
        tile.copy(grid, area);
        flood.copy(grid, area);
        let count = area.cell_count();
        for from in (0..count).filter(|&offset| grid.is_free(area.cells().nth(offset).unwrap())) {
            let mut distances = vec![UNREACHABLE; count];
            distances[from] = 0;
            let mut is_done = false;
            while !is_done {
                is_done = true;
                for cell in 0..count {
                    for (head, _, cost) in tile.steps(cell) {
                        let through = distances[head].saturating_add(cost);
                        is_done &= through >= distances[cell];
                        distances[cell] = distances[cell].min(through);
                    }
                }
            }
            flood.search(from);
            let found: Vec<_> = (0..count).map(|offset| flood.units(offset)).collect();
            assert_eq!(found, distances, "from {from} in {area:?}");
            let steps: Vec<_> = (0..count).map(|cell| tile.way(cell, &distances)).collect();
            assert_eq!(flood.steps().collect::<Vec<_>>(), steps, "from {from} in {area:?}");
        }
    }

    #[test]
    fn floods_find_distances_and_the_ways_of_weighted_ground() {
        let mut random = SplitMix64::new(3);
        let mut flood = Flood::default();
        for round in 0..64 {
            let percent = [0, 10, 30, 50][round % 4];
            // Most areas are small, some as large as clusters are.
            let side = if round < 56 { 9 } else { 26 };
            let mut grid = Grid::from_fn(side, side, |_| random.below(100) >= percent).unwrap();
            let diagonals =
                [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None][round / 4 % 4];
            let diagonal_cost = [DiagonalCost::Sqrt2, DiagonalCost::Ratio142][round / 16 % 2];
            grid = grid.with_rules(Rules { diagonals, diagonal_cost });
            let mut any = || Cell::new(random.below(side) as u16, random.below(side) as u16);
            let (corner, other) = (any(), any());
            check(&grid, Rect::spanning(corner, other), &mut flood);
        }
    }
}
