//! Costs from one cell to all cells of a rectangle, by sweeps.
//!
//! A search looks at cells one by one. Here rows are swept down and up until nothing
//! changes any more: a row takes the cheapest ways from the row before it in a few vector
//! instructions, then passes costs along itself. Terrain seldom needs more than two
//! sweeps each way, which take a quarter of the time of a search.

use crate::base::{Cell, Cost, Direction, Rect};
use crate::grid::{Diagonals, Grid};

/// Cells of a row: those of the largest block, one more at either end that is always
/// blocked, and what makes them a multiple of four.
const LANES: usize = 40;
/// Lanes that vector instructions work on, from the second on.
const INNER: usize = LANES - 4;
/// The cost of a cell that is not reached. Above every cost in a block, and a step more
/// still fits: the largest block has 1088 steps of at most 255 × 7100.
const FAR: i32 = 2_000_000_000;
/// Set in a mask where there is no step: no cost is larger.
const NONE: i32 = i32::MAX;

/// A number for each cell of a row.
type Lanes = [i32; LANES];

/// A row of cells.
#[derive(Clone, Debug)]
struct Row {
    /// Costs from the start, or [`FAR`].
    costs: Lanes,
    /// Half the cost of a straight and of a diagonal step on the weight of each cell.
    straight: Lanes,
    diagonal: Lanes,
    /// The cost of a step from each cell to the next one of the row, or [`FAR`].
    along: Lanes,
    /// [`NONE`] where cells are blocked, else 0.
    blocked: Lanes,
    /// [`NONE`] where no diagonal step joins a cell to the cell above and to the left,
    /// or above and to the right, because of the cells beside the step.
    above_left: Lanes,
    above_right: Lanes,
}

impl Row {
    const BLOCKED: Self = Self {
        costs: [FAR; LANES],
        straight: [0; LANES],
        diagonal: [0; LANES],
        along: [FAR; LANES],
        blocked: [NONE; LANES],
        above_left: [NONE; LANES],
        above_right: [NONE; LANES],
    };

    /// Lowers costs to those of steps from the row above, or from the row below.
    /// Returns whether that changed any.
    #[inline]
    fn pull<const FROM_ABOVE: bool>(&mut self, from: &Self, width: usize) -> bool {
        let mut changed = 0;
        for x in 1..=whole_vectors(width) {
            let (left, right) = if FROM_ABOVE {
                (self.above_left[x], self.above_right[x])
            } else {
                (from.above_right[x - 1], from.above_left[x + 1])
            };
            let ahead = from.costs[x] + from.straight[x] + self.straight[x];
            let from_left = from.costs[x - 1] + from.diagonal[x - 1] + self.diagonal[x];
            let from_right = from.costs[x + 1] + from.diagonal[x + 1] + self.diagonal[x];
            let least = ahead.min((from_left | left).min(from_right | right));
            let cost = self.costs[x].min(least | self.blocked[x]);
            changed |= cost ^ self.costs[x];
            self.costs[x] = cost;
        }
        changed != 0
    }

    /// Lowers costs to those of steps along the row. Both ways at once: each step waits for
    /// the one before.
    #[inline]
    fn pass_along(&mut self, width: usize) {
        let Self { costs, along, .. } = self;
        let last = width.min(INNER);
        let (mut east, mut west) = ([0; LANES], [0; LANES]);
        (east[1], west[last]) = (costs[1] as u32, costs[last] as u32);
        for x in 1..last {
            // Without a sign, twice FAR fits, so that there is nothing else to look at.
            east[x + 1] = (east[x] + along[x] as u32).min(costs[x + 1] as u32);
            let back = last - x;
            west[back] = (west[back + 1] + along[back] as u32).min(costs[back] as u32);
        }
        for x in 1..=last {
            costs[x] = (east[x] as i32).min(west[x] as i32);
        }
    }
}

/// Lanes to look at for as many cells.
#[inline]
fn whole_vectors(width: usize) -> usize {
    width.next_multiple_of(4).min(INNER)
}

/// Costs from one cell to all cells of a rectangle, by ways that stay in it.
#[derive(Debug, Default)]
pub(super) struct Field {
    corner: Cell,
    width: usize,
    rows: Vec<Row>,
    /// How often each row has changed, and how often that above and below it had when
    /// it last took costs from there.
    versions: Vec<[u32; 3]>,
}

impl Field {
    /// Finds the costs from a cell inside an area of a map, which fits into a block.
    pub(super) fn spread(&mut self, grid: &Grid, area: Rect, from: Cell) {
        self.begin(grid, area, from);
        while self.sweep::<true>() | self.sweep::<false>() {}
    }

    /// As [`Field::spread`], but ends as soon as the cost to a cell of the area is found to be
    /// `cost`. Returns whether it is. [`Field::descend`] then finds a shortest way from there:
    /// costs only fall, so that those on the way that gave an exact one are exact, too.
    pub(super) fn reaches(&mut self, grid: &Grid, area: Rect, from: Cell, (to, cost): (Cell, Cost)) -> bool {
        self.begin(grid, area, from);
        loop {
            let mut changed = false;
            for downwards in [true, false] {
                changed |= if downwards { self.sweep::<true>() } else { self.sweep::<false>() };
                if self.cost(to).is_some_and(|found| cost.units() == found.into()) {
                    return true;
                }
            }
            if !changed {
                return false;
            }
        }
    }

    /// Copies the ground of an area, and finds the costs from a cell in its own row.
    fn begin(&mut self, grid: &Grid, area: Rect, from: Cell) {
        self.copy(grid, area);
        self.versions.clear();
        self.versions.resize(self.rows.len(), [0; 3]);
        let (x, y) = self.spot(from);
        self.rows[y].costs[x] = 0;
        self.rows[y].pass_along(self.width);
        self.versions[y][0] = 1;
    }

    /// Sweeps all rows, down or up. Returns whether any changed.
    fn sweep<const DOWN: bool>(&mut self) -> bool {
        let last = self.rows.len() - 1;
        let rows = 0..last;
        if DOWN {
            rows.fold(false, |changed, y| changed | self.take::<true>(y + 1))
        } else {
            rows.rev().fold(false, |changed, y| changed | self.take::<false>(y))
        }
    }

    /// Takes costs from the row above, or below, if that has changed. Returns whether
    /// this one changed, too.
    fn take<const FROM_ABOVE: bool>(&mut self, y: usize) -> bool {
        let other = if FROM_ABOVE { y - 1 } else { y + 1 };
        let version = self.versions[other][0];
        let seen = &mut self.versions[y][if FROM_ABOVE { 1 } else { 2 }];
        if std::mem::replace(seen, version) == version {
            return false;
        }
        let (before, after) = self.rows.split_at_mut(y.max(other));
        let (row, from) =
            if FROM_ABOVE { (&mut after[0], &before[other]) } else { (&mut before[y], &after[0]) };
        let changed = row.pull::<FROM_ABOVE>(from, self.width);
        if changed {
            row.pass_along(self.width);
            self.versions[y][0] += 1;
        }
        changed
    }

    /// Copies the ground of an area.
    fn copy(&mut self, grid: &Grid, area: Rect) {
        let rules = grid.rules();
        self.corner = area.min();
        self.width = area.width() as usize;
        self.rows.resize(area.height() as usize, Row::BLOCKED);
        // Sixteen bits: a product of two of them takes one vector instruction, of 32 many.
        let halves = [rules.diagonal_cost.straight(), rules.diagonal_cost.diagonal()]
            .map(|step| (step.units() / 2) as i16);
        let mut weights = [0; LANES];
        for (row, y) in self.rows.iter_mut().zip(area.min().y..) {
            weights.fill(0);
            grid.weights_into(Cell::new(area.min().x, y), &mut weights[1..=self.width]);
            row.costs = [FAR; LANES];
            let lanes = whole_vectors(self.width);
            for (x, &weight) in weights.iter().enumerate().take(lanes + 2) {
                let weight = i16::from(weight);
                row.straight[x] = i32::from(weight) * i32::from(halves[0]);
                row.diagonal[x] = i32::from(weight) * i32::from(halves[1]);
                row.blocked[x] = if weight == 0 { NONE } else { 0 };
            }
            for x in 1..=lanes {
                let is_blocked = (row.blocked[x] | row.blocked[x + 1]) != 0;
                row.along[x] = if is_blocked { FAR } else { row.straight[x] + row.straight[x + 1] };
            }
        }
        for y in 1..self.rows.len() {
            let (before, after) = self.rows.split_at_mut(y);
            let (above, row) = (&before[y - 1], &mut after[0]);
            for x in 1..=whole_vectors(self.width) {
                let join = |side: i32| match rules.diagonals {
                    Diagonals::Strict => above.blocked[x] | side,
                    Diagonals::OneSide => above.blocked[x] & side,
                    Diagonals::Free => 0,
                    Diagonals::None => NONE,
                };
                row.above_left[x] = join(row.blocked[x - 1]);
                row.above_right[x] = join(row.blocked[x + 1]);
            }
        }
    }

    /// Lane and row of a cell of the area.
    const fn spot(&self, cell: Cell) -> (usize, usize) {
        ((cell.x - self.corner.x) as usize + 1, (cell.y - self.corner.y) as usize)
    }

    /// The cost from the start to a cell; `None` if there is no way, or if the cell is
    /// right of the area or below it.
    pub(super) fn cost(&self, cell: Cell) -> Option<u32> {
        let (x, y) = self.spot(cell);
        let cost = *self.rows.get(y)?.costs.get(x)?;
        (cost < FAR).then_some(cost as u32)
    }

    /// Appends the cells from a cell of the area to the start, without the first: always
    /// by the first direction that lies on a shortest way.
    pub(super) fn descend(&self, from: Cell, path: &mut Vec<Cell>) {
        let mut cell = from;
        while self.cost(cell).is_some_and(|left| left > 0) {
            let Some(next) = self.next(cell) else { return };
            path.push(next);
            cell = next;
        }
    }

    /// The cell after a reached one on the way to the start.
    fn next(&self, cell: Cell) -> Option<Cell> {
        let (x, y) = self.spot(cell);
        let here = &self.rows[y];
        let leads = |direction: &Direction| {
            let (dx, dy) = direction.delta();
            let to = x.wrapping_add_signed(dx.into());
            let Some(there) = self.rows.get(y.wrapping_add_signed(dy.into())) else { return false };
            let (step, mask) = if dx == 0 || dy == 0 {
                (here.straight[x] + there.straight[to], 0)
            } else {
                let (lower, at) = if dy > 0 { (there, to) } else { (here, x) };
                let mask = if dx == dy { lower.above_left[at] } else { lower.above_right[at] };
                (here.diagonal[x] + there.diagonal[to], mask)
            };
            mask == 0 && there.costs[to] < FAR && there.costs[to] + step == here.costs[x]
        };
        Direction::ALL.into_iter().find(leads).map(|direction| cell.step(direction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::DiagonalCost;
    use crate::graph::{Graph, WeightedGrid};
    use crate::grid::Rules;
    use crate::search::{HeapQueue, Memory, Problem};

    /// Ground of all kinds, mazes included: a cell is blocked by one number in five, or
    /// by being on a wall of a spiral or a comb.
    fn ground(width: u16, height: u16, seed: u32, rules: Rules) -> Grid {
        let number = |cell: Cell| {
            let mixed = (u32::from(cell.x) << 16 | u32::from(cell.y)) ^ seed.wrapping_mul(0x9E37_79B9);
            (mixed.wrapping_mul(0x85EB_CA6B) ^ mixed >> 13).wrapping_mul(0xC2B2_AE35) >> 16
        };
        let is_free = |cell: Cell| match seed % 3 {
            0 => number(cell) % 5 > 0,
            1 => cell.x.is_multiple_of(2) || cell.y == if cell.x % 4 == 1 { 0 } else { height - 1 },
            _ => cell.y.is_multiple_of(2) || cell.x == if cell.y % 4 == 1 { 0 } else { width - 1 },
        };
        let mut grid = Grid::from_fn(width.into(), height.into(), is_free).unwrap();
        for cell in grid.area().cells() {
            let _ = grid.set_weight(cell, 1 + (number(cell) >> 4) as u8 % 9).unwrap();
        }
        grid.with_rules(rules)
    }

    #[test]
    fn sweeps_find_what_a_search_finds() {
        let (mut field, mut memory) = (Field::default(), Memory::<HeapQueue>::default());
        for (seed, (width, height)) in (0..).zip([(33, 33), (33, 5), (1, 33), (7, 33), (33, 33), (12, 20)]) {
            for diagonals in [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None] {
                let rules = Rules { diagonals, diagonal_cost: DiagonalCost::Sqrt2 };
                let grid = ground(width, height, seed, rules);
                let graph = WeightedGrid(&grid);
                for start in grid.area().cells().filter(|&cell| grid.is_free(cell)).step_by(97) {
                    field.spread(&grid, grid.area(), start);
                    let problem = Problem::everywhere(&graph);
                    problem.begin(start, &mut memory, &mut ());
                    problem.advance(&mut memory, u64::MAX, &mut ());
                    for cell in grid.area().cells() {
                        let cost = memory.cost(graph.index(cell)).map(|cost| cost.units() as u32);
                        assert_eq!(field.cost(cell), cost, "{start} to {cell}, {rules:?}, {seed}");
                        let mut path = vec![cell];
                        field.descend(cell, &mut path);
                        assert_eq!(path.last() == Some(&start), cost.is_some());
                    }
                }
            }
        }
    }
}
