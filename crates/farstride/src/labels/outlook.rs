//! Which of many cells a cell sees.
//!
//! A cell sees another if the path of an empty map that goes diagonally first
//! is free. Nearly all pairs fail on the diagonal: so that is followed once from
//! the cell, in its four directions, and a goal has to be looked at only if its
//! diagonal is short enough.

use crate::base::{Cell, Direction, Rect};
use crate::grid::{Diagonals, Grid};

/// What a free cell sees, as [`Grid::is_diagonal_first`] has it.
pub(super) struct Outlook<'g> {
    grid: &'g Grid,
    start: Cell,
    four_connected: bool,
    /// How long a first leg can be: by whether it leads to the left, and up.
    reach: [u16; 4],
    /// The largest of these.
    farthest: u16,
}

impl<'g> Outlook<'g> {
    pub(super) fn new(grid: &'g Grid, start: Cell) -> Self {
        let four_connected = grid.rules().diagonals == Diagonals::None;
        let legs = if four_connected {
            [Direction::East, Direction::West, Direction::East, Direction::West]
        } else {
            [Direction::SouthEast, Direction::SouthWest, Direction::NorthEast, Direction::NorthWest]
        };
        let reach = legs.map(|direction| length(grid, start, direction));
        let farthest = reach.into_iter().max().unwrap_or(0);
        Self { grid, start, four_connected, reach, farthest }
    }

    /// Whether a cell is seen.
    #[inline]
    pub(super) fn sees(&self, goal: Cell) -> bool {
        let Cell { x, y } = self.start;
        let quadrant = usize::from(goal.x < x) | usize::from(goal.y < y) << 1;
        let (dx, dy) = (goal.x.abs_diff(x), goal.y.abs_diff(y));
        let first = self.first_leg(dx, dy);
        first <= self.reach[quadrant] && {
            // The second leg, seen from its end: straight runs have no direction.
            let across = if goal.x < x { Direction::East } else { Direction::West };
            let down = if goal.y < y { Direction::South } else { Direction::North };
            let is_level = !self.four_connected && dx > dy;
            let (back, len) = if is_level { (across, dx) } else { (down, dy) };
            let len = if self.four_connected { len } else { len - first };
            self.grid.run_is_free(goal, back, len.into())
        }
    }

    /// Whether a cell of an area may be seen.
    #[inline]
    pub(super) fn may_see(&self, area: Rect) -> bool {
        let beyond = |at: u16, from: u16, to: u16| from.saturating_sub(at).max(at.saturating_sub(to));
        let dx = beyond(self.start.x, area.min().x, area.max().x);
        let dy = beyond(self.start.y, area.min().y, area.max().y);
        self.first_leg(dx, dy) <= self.farthest
    }

    /// How long the first leg over a distance is. It never falls with either.
    #[inline]
    fn first_leg(&self, dx: u16, dy: u16) -> u16 {
        if self.four_connected { dx } else { dx.min(dy) }
    }
}

/// Steps that can be taken in a direction.
fn length(grid: &Grid, start: Cell, direction: Direction) -> u16 {
    let mut cell = start;
    let mut steps = 0;
    while grid.moves(cell).contains(direction) {
        cell = cell.step(direction);
        steps += 1;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Rules;

    const RULES: [Diagonals; 4] = [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None];

    #[test]
    fn what_is_seen_is_what_a_diagonal_and_a_straight_run_reach() {
        for diagonals in RULES {
            let is_free = |cell: Cell| (u32::from(cell.x) * 7919 + u32::from(cell.y) * 104_729) % 13 > 0;
            let grid = Grid::from_fn(30, 24, is_free).unwrap();
            let grid = grid.with_rules(Rules { diagonals, ..Rules::default() });
            let mut seen = [0; 2];
            for start in grid.area().cells().filter(|&start| grid.is_free(start)) {
                let outlook = Outlook::new(&grid, start);
                for goal in grid.area().cells() {
                    let sees = outlook.sees(goal);
                    assert_eq!(sees, grid.is_diagonal_first(start, goal), "{diagonals:?} {start} {goal}");
                    assert!(!sees || outlook.may_see(goal.into()));
                    let far = Rect::spanning(goal, Cell::new(goal.x.saturating_sub(3), goal.y));
                    assert!(!sees || outlook.may_see(far));
                    seen[usize::from(outlook.may_see(goal.into()))] += 1;
                }
            }
            assert!(seen.iter().all(|&count| count > 10_000), "{diagonals:?}: {seen:?}");
        }
    }
}
