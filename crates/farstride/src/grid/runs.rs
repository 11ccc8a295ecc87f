//! Straight and diagonal runs, tested many steps at a time.

use super::{Diagonals, Grid};
use crate::base::{Cell, Cost, Direction, Run, Trail};

impl Grid {
    /// Whether `len` steps from `start` in one direction are legal.
    ///
    /// # Complexity
    /// Reads one word of bits per 57 steps in straight directions, and one small
    /// load per step in diagonal ones under the strict rule.
    #[inline]
    pub(crate) fn run_is_free(&self, start: Cell, direction: Direction, len: u32) -> bool {
        let end = start.walk(direction, len);
        if !self.contains(start) || !end.is_some_and(|end| self.contains(end)) {
            return false;
        }
        let (x, y) = (u32::from(start.x), u32::from(start.y));
        match direction {
            Direction::East => self.bits.row_is_free(y, x, x + len),
            Direction::West => self.bits.row_is_free(y, x - len, x),
            Direction::South => self.sight.columns().row_is_free(x, y, y + len),
            Direction::North => self.sight.columns().row_is_free(x, y - len, y),
            _ if self.rules.diagonals == Diagonals::Strict => {
                self.bits.staircase_is_free(start, direction, len)
            }
            _ => self.walk_is_legal(start, direction, len),
        }
    }

    /// Cost of the step to an adjacent cell.
    pub(crate) fn step_cost(&self, from: Cell, to: Cell) -> Cost {
        let weights = u64::from(self.weight(from)) + u64::from(self.weight(to));
        from.direction_to(to).map_or(Cost::ZERO, |direction| self.rules.step(direction, weights))
    }

    /// Cost of a whole path.
    pub(crate) fn trail_cost(&self, trail: &Trail) -> Cost {
        let mut cell = trail.start();
        trail.runs().iter().fold(Cost::ZERO, |sum, run| {
            let cost = self.run_cost(cell, *run);
            cell = cell.walk_within(run.direction, run.len);
            sum + cost
        })
    }

    /// Cost of a run from `start`, including the weights of its cells.
    pub(crate) fn run_cost(&self, start: Cell, run: Run) -> Cost {
        if self.is_uniform() {
            return self.rules.step(run.direction, 2) * u64::from(run.len);
        }
        let mut cell = start;
        (0..run.len).fold(Cost::ZERO, |sum, _| {
            let next = cell.step(run.direction);
            let weights = u64::from(self.weight(cell)) + u64::from(self.weight(next));
            cell = next;
            sum + self.rules.step(run.direction, weights)
        })
    }

    fn walk_is_legal(&self, start: Cell, direction: Direction, len: u32) -> bool {
        let mut cell = start;
        (0..len).all(|_| {
            let legal = self.moves_inside(cell).contains(direction);
            cell = cell.step(direction);
            legal
        })
    }

    /// The at most two runs of a shortest path of an empty map between two cells,
    /// if they are legal on this one; diagonal run first, if both orders are.
    pub(crate) fn connect_straight(&self, from: Cell, to: Cell) -> Option<[Run; 2]> {
        let [first, second] = self.two_runs(from, to);
        [[first, second], [second, first]].into_iter().find(|&runs| self.runs_are_free(from, runs))
    }

    /// Whether both runs are legal, one after the other.
    fn runs_are_free(&self, from: Cell, [first, second]: [Run; 2]) -> bool {
        let corner = from.walk_within(first.direction, first.len);
        self.run_is_free(from, first.direction, first.len)
            && self.run_is_free(corner, second.direction, second.len)
    }

    /// Whether the path that [`Grid::push_diagonal_first`] appends is legal.
    #[inline]
    pub(crate) fn is_diagonal_first(&self, from: Cell, to: Cell) -> bool {
        let [first, second] = self.two_runs(from, to);
        let corner = from.walk_within(first.direction, first.len);
        // Straight run first: it is one or two words, and as likely to be blocked.
        self.run_is_free(corner, second.direction, second.len)
            && self.run_is_free(from, first.direction, first.len)
    }

    /// Appends a shortest path of an empty map to `to`: diagonal steps first, or,
    /// on 4-connected maps, steps along the row first.
    #[inline]
    pub(crate) fn push_diagonal_first(&self, trail: &mut Trail, to: Cell) {
        for run in self.two_runs(trail.end(), to) {
            trail.push(run);
        }
    }

    #[inline]
    fn two_runs(&self, from: Cell, to: Cell) -> [Run; 2] {
        let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        let across = if to.x < from.x { Direction::West } else { Direction::East };
        let down = if to.y < from.y { Direction::North } else { Direction::South };
        let run = |direction, len: u16| Run { direction, len: len.into() };
        if self.rules.diagonals == Diagonals::None {
            [run(across, dx), run(down, dy)]
        } else {
            let both = dx.min(dy);
            let straight = if dx > dy { run(across, dx - both) } else { run(down, dy - both) };
            [run(diagonal(across, down), both), straight]
        }
    }
}

const fn diagonal(across: Direction, down: Direction) -> Direction {
    match (across, down) {
        (Direction::West, Direction::North) => Direction::NorthWest,
        (Direction::West, _) => Direction::SouthWest,
        (_, Direction::North) => Direction::NorthEast,
        _ => Direction::SouthEast,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Rules;

    fn grid(rule: Diagonals) -> Grid {
        let rows: Vec<String> = (0..40_u32)
            .map(|y| {
                let blocked = |x: u32| (x * 7919 + y * 104_729 + x * y * 31) % 11 < 2;
                (0..90).map(|x| if blocked(x) { '#' } else { '.' }).collect()
            })
            .collect();
        Grid::from_ascii(&rows.join("\n")).unwrap().with_rules(Rules { diagonals: rule, ..Rules::default() })
    }

    #[test]
    fn runs_are_free_when_every_step_is_legal() {
        for rule in [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None] {
            let grid = grid(rule);
            let mut seen = [0; 2];
            for cell in grid.area().cells() {
                for direction in Direction::ALL {
                    let mut at = cell;
                    for len in 1..70 {
                        let legal = grid.moves_at(at).contains(direction);
                        assert_eq!(
                            grid.run_is_free(cell, direction, len),
                            legal,
                            "{rule:?} {cell} {direction:?} {len}"
                        );
                        seen[usize::from(legal)] += 1;
                        if !legal {
                            break;
                        }
                        at = at.step(direction);
                    }
                }
            }
            assert!(seen.iter().all(|&count| count > 1000));
        }
    }

    #[test]
    fn a_run_of_no_steps_needs_a_free_cell() {
        let grid = Grid::from_ascii("#.").unwrap();
        for direction in Direction::ALL {
            assert!(!grid.run_is_free(Cell::new(0, 0), direction, 0));
            assert!(grid.run_is_free(Cell::new(1, 0), direction, 0));
        }
        assert!(!grid.run_is_free(Cell::new(1, 0), Direction::East, u32::MAX));
    }

    #[test]
    fn two_cells_are_connected_around_an_obstacle() {
        let grid = Grid::from_ascii("\n....\n.#..\n....\n").unwrap();
        let found = grid.connect_straight(Cell::new(0, 0), Cell::new(3, 1));
        assert_eq!(
            found,
            Some([
                Run { direction: Direction::East, len: 2 },
                Run { direction: Direction::SouthEast, len: 1 }
            ])
        );
        assert_eq!(grid.connect_straight(Cell::new(0, 0), Cell::new(2, 2)), None);
    }
}
