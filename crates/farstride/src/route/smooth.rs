//! Smoothing: shortening paths of steps.
//!
//! A path is a sequence of straight runs. Where it turns to the same side twice, the
//! run in between can move inwards, as a stretched string would: the runs before and
//! after it lose more than it gains. It moves step by step until an obstacle stops it.
//! A sharp turn is treated as two turns with a run of length 0 between them, so that
//! corners are cut by the same rule.

use crate::base::{self, Cell, Cost, Direction, Trail};
use crate::grid::{Diagonals, Grid};

/// Number of directions: headings count clockwise from north, modulo this.
const TURN: u8 = 8;

/// The directions clockwise.
const COMPASS: [Direction; 8] = [
    Direction::North,
    Direction::NorthEast,
    Direction::East,
    Direction::SouthEast,
    Direction::South,
    Direction::SouthWest,
    Direction::West,
    Direction::NorthWest,
];

/// Index in [`COMPASS`] of each direction.
pub(super) const HEADINGS: [u8; 8] = {
    let mut headings = [0; 8];
    let mut heading = 0;
    while heading < 8 {
        headings[COMPASS[heading] as usize] = heading as u8;
        heading += 1;
    }
    headings
};

/// Steps in one direction from a cell.
#[derive(Clone, Copy, Debug)]
struct Run {
    start: Cell,
    /// Index in [`COMPASS`].
    heading: u8,
    len: u32,
}

impl Run {
    const fn direction(self) -> Direction {
        COMPASS[self.heading as usize % COMPASS.len()]
    }

    fn end(self) -> Cell {
        ahead(self.start, self.heading, self.len as i32)
    }
}

/// The cell `steps` steps away in a direction; negative steps go back.
fn ahead(cell: Cell, heading: u8, steps: i32) -> Cell {
    let (dx, dy) = COMPASS[usize::from(heading % TURN)].delta();
    Cell::new(
        (i32::from(cell.x) + i32::from(dx) * steps) as u16,
        (i32::from(cell.y) + i32::from(dy) * steps) as u16,
    )
}

/// Smooths paths; holds memory that is reused.
#[derive(Debug, Default)]
pub(super) struct Smoother {
    /// Runs that are smoothed, in order.
    done: Vec<Run>,
    /// Runs that are not, in reverse order.
    pending: Vec<Run>,
}

/// Smoothing stops after this many looks per run on average: limits the work on paths
/// whose runs keep changing.
const LOOKS_PER_RUN: usize = 8;

impl Smoother {
    /// Shortens a legal path in place, and keeps it legal. Others, of forged index files, lead from the same start to the same
    /// end afterwards.
    pub(super) fn smooth(&mut self, grid: &Grid, trail: &mut Trail) {
        // Without diagonals, the smallest turn is a right angle.
        let least = if grid.rules().diagonals == Diagonals::None { 2 } else { 1 };
        if least == 2 && trail.runs().iter().any(|run| run.direction.is_diagonal()) {
            return; // turns by less than that cannot be smoothed
        }
        self.read(trail);
        let mut looks = self.pending.len() * LOOKS_PER_RUN;
        self.done.clear();
        while let Some(run) = self.pending.pop() {
            if run.len == 0 && self.done.is_empty() {
                continue;
            }
            self.append(run, least);
            if looks > 0 {
                looks -= 1;
                self.tighten(grid, least);
            }
        }
        trail.restart(trail.start());
        self.done.iter().for_each(|run| trail.push(base::Run { direction: run.direction(), len: run.len }));
    }

    /// Copies the runs of a path to `pending`.
    fn read(&mut self, trail: &Trail) {
        self.pending.clear();
        let mut start = trail.start();
        self.pending.extend(trail.runs().iter().map(|&base::Run { direction, len }| {
            let run = Run { start, heading: HEADINGS[direction as usize], len };
            start = start.walk_within(direction, len);
            run
        }));
        self.pending.reverse();
    }

    /// Appends a run to those that are done, with a run of length 0 in between if the
    /// turn is sharp. Merges runs of the same direction, and cancels steps that go
    /// back.
    fn append(&mut self, mut run: Run, least: u8) {
        let Some(end) = self.done.last_mut() else {
            self.done.push(run);
            return;
        };
        match (run.heading + TURN - end.heading) % TURN {
            0 => end.len += run.len,
            4 => {
                let back = end.len.min(run.len);
                end.len -= back;
                run = Run { start: end.end(), len: run.len - back, ..run };
                let gone = end.len == 0;
                if gone {
                    self.done.pop();
                }
                if run.len > 0 {
                    self.pending.push(run);
                } else if gone {
                    self.revisit();
                }
            }
            turn if turn == least || turn == TURN - least => self.done.push(run),
            turn => {
                let heading = if turn < 4 { end.heading + 1 } else { end.heading + TURN - 1 } % TURN;
                self.done.push(Run { start: run.start, heading, len: 0 });
                self.pending.push(run);
            }
        }
    }

    /// Makes the last run pending again, because the run before it has changed.
    fn revisit(&mut self) {
        if let Some(run) = self.done.pop() {
            self.pending.push(run);
        }
    }

    /// Moves the second to last run inwards, if the path turns to the same side before
    /// and after it.
    fn tighten(&mut self, grid: &Grid, least: u8) {
        let [.., before, middle, after] = &mut self.done[..] else { return };
        let first = (middle.heading + TURN - before.heading) % TURN;
        let second = (after.heading + TURN - middle.heading) % TURN;
        if first != second {
            return;
        }
        // Steps that the run gains while the runs around it lose one step each.
        let growth = match (least, middle.heading % 2) {
            (2, _) => 0,
            (_, 0) => 2,
            _ => 1,
        };
        let mut moved = false;
        while before.len > 0 && after.len > 0 {
            let start = ahead(before.end(), before.heading, -1);
            let inner = Run { start, heading: middle.heading, len: middle.len + growth };
            if !grid.run_is_free(inner.start, inner.direction(), inner.len)
                || !pays(grid, *before, *middle, *after, inner)
            {
                break;
            }
            before.len -= 1;
            *middle = inner;
            *after = Run { start: inner.end(), len: after.len - 1, ..*after };
            moved = true;
        }
        if !moved {
            return;
        }
        let (middle, after) = (*middle, *after);
        let before_is_gone = before.len == 0;
        self.done.truncate(self.done.len() - 2);
        if before_is_gone {
            self.done.pop();
        }
        if after.len > 0 {
            self.pending.push(after);
        }
        self.pending.push(middle);
    }
}

/// Whether the inner run is cheaper than the outer one with a step there and a step
/// back. Without weights it always is.
fn pays(grid: &Grid, before: Run, outer: Run, after: Run, inner: Run) -> bool {
    if grid.is_uniform() {
        return true;
    }
    let there = Run { start: inner.start, len: 1, ..before };
    let back = Run { len: 1, ..after };
    cost(grid, inner) < cost(grid, there) + cost(grid, outer) + cost(grid, back)
}

/// The cost of a run, with the weights of its cells.
fn cost(grid: &Grid, run: Run) -> Cost {
    grid.run_cost(run.start, base::Run { direction: run.direction(), len: run.len })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Rules;

    fn smoothed(map: &str, path: &[(u16, u16)]) -> Vec<(u16, u16)> {
        smoothed_on(&Grid::from_ascii(map).unwrap(), path)
    }

    fn smoothed_on(grid: &Grid, path: &[(u16, u16)]) -> Vec<(u16, u16)> {
        let mut trail = Trail::default();
        trail.restart(path[0].into());
        path[1..].iter().for_each(|&cell| trail.push_cell(cell.into()));
        Smoother::default().smooth(grid, &mut trail);
        let mut cells = Vec::new();
        trail.cells_into(&mut cells);
        cells.into_iter().map(|cell| (cell.x, cell.y)).collect()
    }

    #[test]
    fn corners_are_cut() {
        let bent = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)];
        assert_eq!(smoothed("\n...\n...\n...\n", &bent), [(0, 0), (1, 1), (2, 2)]);
        assert_eq!(smoothed("\n...\n#..\n...\n", &bent), [(0, 0), (1, 0), (2, 1), (2, 2)]);
    }

    #[test]
    fn detours_are_left_out() {
        let there_and_back = [(0, 0), (1, 1), (2, 1), (3, 0)];
        assert_eq!(smoothed("....\n....", &there_and_back), [(0, 0), (1, 0), (2, 0), (3, 0)]);
        let dead_end = [(0, 0), (1, 0), (2, 0), (1, 0), (1, 1)];
        assert_eq!(smoothed("...\n...", &dead_end), [(0, 0), (1, 1)]);
        assert_eq!(smoothed("...\n...", &[(0, 0), (1, 0), (0, 0)]), [(0, 0)]);
        assert_eq!(smoothed("...", &[(1, 0)]), [(1, 0)]);
    }

    /// A forged index file may have such steps.
    #[test]
    fn diagonal_steps_where_none_are_allowed_still_lead_to_the_end() {
        let rules = Rules { diagonals: Diagonals::None, ..Rules::default() };
        let grid = Grid::from_ascii("..\n..\n..\n..").unwrap().with_rules(rules);
        for path in [&[(1, 3), (0, 2), (0, 1), (1, 0)][..], &[(0, 0), (0, 1), (1, 2), (1, 3), (0, 3)]] {
            assert_eq!(smoothed_on(&grid, path), path);
        }
    }

    #[test]
    fn heavy_ground_is_not_cut_across() {
        let bent = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)];
        assert_eq!(smoothed("\n...\n.9.\n...\n", &bent), [(0, 0), (1, 0), (2, 1), (2, 2)]);
    }
}
