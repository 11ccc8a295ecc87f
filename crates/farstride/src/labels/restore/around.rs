//! The cells that a subgoal can be linked to.
//!
//! A link is legal if every shortest path between its ends on an empty map is.
//! Walking the links of all cells one by one would take longer than all other proofs
//! together. But the cells that can be linked to a subgoal form a simple shape: from
//! each cell of its four diagonals, some cells to either side. These numbers are
//! found once per subgoal, and checking a link is then a comparison.

use crate::base::{Cell, Direction};
use crate::grid::{Diagonals, Grid};

/// The cells that can be linked to one cell.
#[derive(Debug, Default)]
pub(super) struct Around {
    from: Cell,
    four_connected: bool,
    quarters: [Quarter; 4],
}

/// The cells of one quarter that can be linked.
#[derive(Debug, Default)]
struct Quarter {
    /// For each number of diagonal steps, how far cells along the row can be linked.
    /// On 4-connected maps, for each number of steps along the column.
    across: Vec<u16>,
    /// For each number of diagonal steps, how far cells along the column can be.
    along: Vec<u16>,
}

/// Whether columns and rows increase, for each quarter.
const QUARTERS: [(bool, bool); 4] = [(false, false), (true, false), (false, true), (true, true)];

impl Around {
    /// Finds the cells that can be linked to a cell of the map.
    pub(super) fn look(&mut self, grid: &Grid, from: Cell) {
        let rule = grid.rules().diagonals;
        self.from = from;
        self.four_connected = rule == Diagonals::None;
        for (quarter, (right, down)) in self.quarters.iter_mut().zip(QUARTERS) {
            quarter.across.clear();
            quarter.along.clear();
            if !grid.is_free(from) {
                continue;
            }
            let straight = (
                if right { Direction::East } else { Direction::West },
                if down { Direction::South } else { Direction::North },
            );
            if self.four_connected {
                quarter.look_straight(grid, from, straight);
            } else {
                quarter.look(grid, from, straight, diagonal(right, down));
            }
        }
    }

    /// Whether a cell can be linked.
    #[inline]
    pub(super) fn contains(&self, cell: Cell) -> bool {
        let (dx, dy) = (cell.x.abs_diff(self.from.x), cell.y.abs_diff(self.from.y));
        let (right, down) = (cell.x > self.from.x, cell.y > self.from.y);
        let Quarter { across, along } = &self.quarters[usize::from(right) + 2 * usize::from(down)];
        if self.four_connected {
            return across.get(usize::from(dy)).is_some_and(|&most| dx <= most);
        }
        let (limits, straight) = if dx > dy { (across, dx - dy) } else { (along, dy - dx) };
        limits.get(usize::from(dx.min(dy))).is_some_and(|&most| straight <= most)
    }
}

impl Quarter {
    /// Measures rows and columns from a diagonal. All rows before must be free as far,
    /// and one cell farther if corners must not be cut.
    fn look(&mut self, grid: &Grid, from: Cell, straight: (Direction, Direction), diagonal: Direction) {
        let beside_step = u16::from(grid.rules().diagonals == Diagonals::Strict);
        let mut here = from;
        let (mut across, mut along) = (free(grid, here, straight.0), free(grid, here, straight.1));
        self.across.push(across);
        self.along.push(along);
        while grid.moves_inside(here).contains(diagonal) {
            here = here.step(diagonal);
            let sides = (free(grid, here, straight.0), free(grid, here, straight.1));
            self.across.push(sides.0.min(across.saturating_sub(beside_step)));
            self.along.push(sides.1.min(along.saturating_sub(beside_step)));
            (across, along) = (across.min(sides.0), along.min(sides.1));
        }
    }

    /// Measures rows from a column. All rows before must be free as far.
    fn look_straight(&mut self, grid: &Grid, from: Cell, straight: (Direction, Direction)) {
        let mut here = from;
        let mut across = u16::MAX;
        for steps in 0..=free(grid, from, straight.1) {
            if steps > 0 {
                here = here.step(straight.1);
            }
            across = across.min(free(grid, here, straight.0));
            self.across.push(across);
        }
    }
}

/// Number of free cells from a free one on, in a straight direction.
fn free(grid: &Grid, cell: Cell, direction: Direction) -> u16 {
    let (rows, columns) = (grid.bits(), grid.columns());
    let free = match direction {
        Direction::East => rows.free_after(rows.spot(cell)),
        Direction::West => rows.free_before(rows.spot(cell)),
        Direction::South => columns.free_after(columns.spot(cell.transposed())),
        _ => columns.free_before(columns.spot(cell.transposed())),
    };
    free as u16
}

const fn diagonal(right: bool, down: bool) -> Direction {
    match (right, down) {
        (false, false) => Direction::NorthWest,
        (true, false) => Direction::NorthEast,
        (false, true) => Direction::SouthWest,
        (true, true) => Direction::SouthEast,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Rules;

    /// Whether every shortest path of an empty map is legal, tried step by step.
    fn all_paths_are_legal(grid: &Grid, from: Cell, to: Cell) -> bool {
        let rules = grid.rules();
        let onward = Direction::ALL.into_iter().filter(|&direction| {
            let next = from.step(direction);
            (rules.diagonals != Diagonals::None || !direction.is_diagonal())
                && grid.contains(next)
                && rules.distance(next, to) + rules.step(direction, 2) == rules.distance(from, to)
        });
        onward.into_iter().all(|direction| {
            grid.moves_at(from).contains(direction) && all_paths_are_legal(grid, from.step(direction), to)
        })
    }

    #[test]
    fn what_is_around_is_where_every_path_is_legal() {
        let rules = [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None];
        let mut around = Around::default();
        let mut seen = 0;
        for diagonals in rules {
            for seed in 0..24_u32 {
                let blocked = |x: u32, y: u32| (x * 7919 + y * 104_729 + x * y * 31 + seed * 577) % 11 < 2;
                let rows: Vec<String> =
                    (0..6).map(|y| (0..8).map(|x| if blocked(x, y) { '#' } else { '.' }).collect()).collect();
                let grid = Grid::from_ascii(&rows.join("\n")).unwrap();
                let grid = grid.with_rules(Rules { diagonals, ..Rules::default() });
                for from in grid.area().cells() {
                    around.look(&grid, from);
                    for to in grid.area().cells() {
                        let is_legal =
                            grid.is_free(from) && grid.is_free(to) && all_paths_are_legal(&grid, from, to);
                        assert_eq!(
                            around.contains(to),
                            is_legal,
                            "{diagonals:?} {from} {to}\n{}",
                            grid.to_ascii()
                        );
                        assert!(!is_legal || grid.is_diagonal_first(from, to));
                        seen += usize::from(is_legal);
                    }
                    for outside in [Cell::new(from.x, 6), Cell::new(8, from.y), Cell::new(8, 6)] {
                        assert!(!around.contains(outside));
                    }
                }
            }
        }
        assert!(seen > 20_000, "{seen}");
    }
}
