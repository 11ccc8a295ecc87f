//! Steps in one direction, tested many at a time.

use super::{Diagonals, Grid};
use crate::base::{Cell, Direction};

impl Grid {
    /// Whether `len` legal steps can be taken from a cell in one direction.
    ///
    /// # Complexity
    /// One word of bits per 57 steps in straight directions, one small load
    /// per step in diagonal ones under the strict rule.
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

    fn walk_is_legal(&self, start: Cell, direction: Direction, len: u32) -> bool {
        let mut cell = start;
        (0..len).all(|_| {
            let legal = self.moves_inside(cell).contains(direction);
            cell = cell.step(direction);
            legal
        })
    }

    /// Whether two cells are joined by a shortest path of an empty map that
    /// consists of at most two runs, and which is that path: the direction and
    /// length of its runs. The diagonal run first is tried before the straight
    /// one first.
    pub(crate) fn connect_straight(&self, from: Cell, to: Cell) -> Option<[(Direction, u32); 2]> {
        let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        let across = if to.x < from.x { Direction::West } else { Direction::East };
        let down = if to.y < from.y { Direction::North } else { Direction::South };
        let runs = if self.rules.diagonals == Diagonals::None {
            [(across, u32::from(dx)), (down, u32::from(dy))]
        } else {
            let both = dx.min(dy);
            let straight = if dx > dy { (across, dx - both) } else { (down, dy - both) };
            [(diagonal(across, down), u32::from(both)), (straight.0, u32::from(straight.1))]
        };
        [runs, [runs[1], runs[0]]].into_iter().find(|&[(first, len), (second, rest)]| {
            let corner = from.walk(first, len);
            self.run_is_free(from, first, len)
                && corner.is_some_and(|corner| self.run_is_free(corner, second, rest))
        })
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
                        let legal = grid.moves(at).contains(direction);
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
        assert_eq!(found, Some([(Direction::East, 2), (Direction::SouthEast, 1)]));
        assert_eq!(grid.connect_straight(Cell::new(0, 0), Cell::new(2, 2)), None);
    }
}
