//! Which of many cells a cell sees.
//!
//! A cell *sees* another if the path that would lead there on an empty map,
//! diagonally first, is free. The diagonal leg is measured from the start and the
//! straight leg from the goal, once for each of them. Whether a pair sees each other
//! is then a comparison of numbers, for many pairs at a time.

use super::measure::Measure;
use crate::base::{Cell, Direction, Rect};
use crate::grid::{Diagonals, Grid};

/// Number of goals handled together.
pub(crate) const TILE: usize = 16;

/// What a free cell sees; the same as [`Grid::is_diagonal_first`] says.
pub(crate) struct Outlook {
    start: Cell,
    four_connected: bool,
    /// Longest first leg, by direction: index 1 for the left, plus 2 for up.
    reach: [i16; 4],
    /// The largest of these.
    farthest: u16,
}

/// Up to [`TILE`] goals that may be seen.
#[derive(Clone, Debug)]
pub(crate) struct Sights {
    area: Rect,
    x: [i16; TILE],
    y: [i16; TILE],
    /// Longest second leg that comes from the left, the right, above and below.
    reach: [[i16; TILE]; 4],
}

impl Sights {
    /// Measures up to [`TILE`] goals.
    pub(super) fn new(grid: &Grid, goals: &[Cell]) -> Self {
        let area = goals.iter().map(|&goal| Rect::from(goal)).reduce(Rect::hull);
        let mut sights = Self {
            area: area.unwrap_or_else(|| Rect::from(Cell::default())),
            x: [0; TILE],
            y: [0; TILE],
            // Shorter than any leg, even one without a step: unused lanes and
            // blocked goals are never seen.
            reach: [[-1; TILE]; 4],
        };
        for (lane, &goal) in goals.iter().enumerate().take(TILE) {
            (sights.x[lane], sights.y[lane]) = (goal.x as i16, goal.y as i16);
            let back = [Direction::West, Direction::East, Direction::North, Direction::South];
            for (reach, direction) in sights.reach.iter_mut().zip(back) {
                reach[lane] = length(grid, goal, direction);
            }
        }
        sights
    }
}

impl Outlook {
    /// Measures the first legs of a start.
    pub(super) fn new(grid: &Grid, start: Cell) -> Self {
        let four_connected = grid.rules().diagonals == Diagonals::None;
        let legs = if four_connected {
            [Direction::East, Direction::West, Direction::East, Direction::West]
        } else {
            [Direction::SouthEast, Direction::SouthWest, Direction::NorthEast, Direction::NorthWest]
        };
        let reach = legs.map(|direction| length(grid, start, direction));
        let farthest = reach.into_iter().max().unwrap_or(0) as u16;
        Self { start, four_connected, reach, farthest }
    }

    /// Sets the costs of the goals that are seen to their distances.
    #[inline]
    pub(super) fn lower(&self, goals: &Sights, measure: Measure, costs: &mut [i32; TILE]) {
        if self.may_see(goals.area) {
            if self.four_connected {
                self.lower_all::<true>(goals, measure, costs);
            } else {
                self.lower_all::<false>(goals, measure, costs);
            }
        }
    }

    /// Whether some cell of an area may be seen; `false` saves looking at each.
    #[inline]
    fn may_see(&self, area: Rect) -> bool {
        let beyond = |at: u16, from: u16, to: u16| from.saturating_sub(at).max(at.saturating_sub(to));
        let dx = beyond(self.start.x, area.min().x, area.max().x);
        let dy = beyond(self.start.y, area.min().y, area.max().y);
        // No first leg to a cell of the area is shorter than one to its nearest
        // column and row.
        (if self.four_connected { dx } else { dx.min(dy) }) <= self.farthest
    }

    fn lower_all<const FOUR: bool>(&self, goals: &Sights, measure: Measure, costs: &mut [i32; TILE]) {
        let (straight, shorter) = measure.factors();
        let Cell { x, y } = self.start;
        let [right_down, left_down, right_up, left_up] = self.reach;
        for (lane, cost) in costs.iter_mut().enumerate() {
            let (dx, dy) = (goals.x[lane] - x as i16, goals.y[lane] - y as i16);
            let (across, down) = (dx.abs(), dy.abs());
            let (long, short) = (across.max(down), across.min(down));
            let to_right = if dy < 0 { right_up } else { right_down };
            let to_left = if dy < 0 { left_up } else { left_down };
            let level = if dx < 0 { goals.reach[1][lane] } else { goals.reach[0][lane] };
            let upright = if dy < 0 { goals.reach[3][lane] } else { goals.reach[2][lane] };
            let (first, second) = if FOUR { (across, down) } else { (short, long - short) };
            let from_goal = if !FOUR && across > down { level } else { upright };
            let from_start = if dx < 0 { to_left } else { to_right };
            let distance = i32::from(long) * straight as i32 + i32::from(short) * shorter as i32;
            let is_seen = first <= from_start && second <= from_goal;
            *cost = if is_seen { distance } else { *cost };
        }
    }
}

/// Number of steps that can be taken in a direction; -1 from a blocked cell. Fits
/// into 16 bits, because maps are not larger.
///
/// Doubles and then halves the stride, because a run of cells is tested at once.
fn length(grid: &Grid, start: Cell, direction: Direction) -> i16 {
    if !grid.is_free(start) {
        return -1;
    }
    let (mut cell, mut steps, mut stride) = (start, 0, 4);
    while grid.run_is_free(cell, direction, stride) {
        (cell, steps) = (cell.walk_within(direction, stride), steps + stride);
        stride *= 2;
    }
    while stride > 1 {
        stride /= 2;
        if grid.run_is_free(cell, direction, stride) {
            (cell, steps) = (cell.walk_within(direction, stride), steps + stride);
        }
    }
    steps as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Rules;

    const RULES: [Diagonals; 4] = [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None];

    fn grid(diagonals: Diagonals) -> Grid {
        let is_free =
            |cell: Cell| !(u32::from(cell.x) * 7919 + u32::from(cell.y) * 104_729).is_multiple_of(13);
        let grid = Grid::from_fn(30, 24, is_free).unwrap();
        grid.with_rules(Rules { diagonals, ..Rules::default() })
    }

    #[test]
    fn what_is_seen_is_what_a_diagonal_and_a_straight_run_reach() {
        const FAR: i32 = 1 << 30;
        for grid in RULES.map(grid) {
            let measure = Measure::new(grid.rules());
            let goals: Vec<Cell> = grid.area().cells().collect();
            let sights: Vec<Sights> = goals.chunks(TILE).map(|tile| Sights::new(&grid, tile)).collect();
            let mut counts = [0; 2];
            for start in grid.area().cells().filter(|&start| grid.is_free(start)) {
                let outlook = Outlook::new(&grid, start);
                for (tile, sights) in goals.chunks(TILE).zip(&sights) {
                    let mut costs = [FAR; TILE];
                    outlook.lower(sights, measure, &mut costs);
                    for (&goal, cost) in tile.iter().zip(costs) {
                        let is_seen = grid.is_diagonal_first(start, goal);
                        let expected = if is_seen { measure.distance(start, goal) as i32 } else { FAR };
                        assert_eq!(cost, expected, "{start} to {goal}, {:?}", grid.rules());
                        counts[usize::from(is_seen)] += 1;
                    }
                }
            }
            assert!(counts.iter().all(|&count| count > 10_000), "{:?}: {counts:?}", grid.rules());
        }
    }

    #[test]
    fn lengths_are_counted_in_steps() {
        for grid in RULES.map(grid) {
            for start in grid.area().cells().filter(|&start| grid.is_free(start)) {
                for direction in Direction::ALL {
                    let mut cell = start;
                    let mut steps = 0;
                    while grid.moves_at(cell).contains(direction) {
                        cell = cell.step(direction);
                        steps += 1;
                    }
                    assert_eq!(length(&grid, start, direction), steps);
                }
            }
        }
    }
}
