//! What an engine's run comes to, and how much of the path is written.
//!
//! Each engine finds paths in its own form: cells, runs of steps, turning
//! points, or entries of labels. [`PathWriter`] turns each of them into an
//! [`Answer`] of as much detail as the query asked for. Nothing else looks at
//! [`Detail`], so that every engine honours it alike; and nothing is written that
//! was not asked for.

use super::outcome::Form;
use super::{Detail, Route, Scratch};
use crate::base::{Cell, Cost, DiagonalCost, Node, Point, Trail};
use crate::grid::{Grid, Steps};
use crate::labels::Extent;

/// What a run of an engine came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Run {
    /// A path was found.
    Found(Answer),
    /// The budget is spent; the engine can go on.
    Paused,
    /// No path joins start and goal.
    Unreachable,
}

/// A path that was found: what it costs, and where it was written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Answer {
    cost: Cost,
    length: f64,
    form: Form,
    /// How many cells were written.
    count: usize,
    memory: Memory,
}

/// Which memory of the scratch holds the path. Labels write into their own, which
/// has room to spare after the path; copying it would double their time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Memory {
    Path,
    Labels,
}

impl Scratch {
    /// The route of an answer, before anything else is done with this scratch.
    pub(super) fn route(&self, answer: Answer) -> Route<'_> {
        let Answer { cost, length, form, count, memory } = answer;
        let cells = match memory {
            Memory::Path => self.path.get(..count).unwrap_or_default(),
            Memory::Labels => self.labels.cells(count),
        };
        let points = self.points.get(..count).unwrap_or_default();
        Route { cost, length, path: form.path(cells, points) }
    }
}

/// Writes as much of a path as a query asked for.
pub(super) struct PathWriter<'w> {
    pub(super) grid: &'w Grid,
    pub(super) detail: Detail,
    pub(super) path: &'w mut Vec<Cell>,
}

impl PathWriter<'_> {
    /// A path of runs.
    pub(super) fn trail(self, trail: &Trail) -> Run {
        self.trail_with(trail, |path| trail.corners_into(path))
    }

    /// A path of runs of which `waypoints` knows fewer waypoints than its corners.
    pub(super) fn trail_with(self, trail: &Trail, waypoints: impl FnOnce(&mut Vec<Cell>)) -> Run {
        let form = match self.detail {
            Detail::Cells => {
                trail.cells_into(self.path);
                Form::Cells
            }
            Detail::First(steps) => {
                trail.first_cells_into(steps as usize, self.path);
                Form::Cells
            }
            Detail::Waypoints => {
                waypoints(self.path);
                Form::Waypoints
            }
            Detail::Cost => Form::Omitted,
        };
        let steps = self.grid.steps_of_trail(trail);
        self.found(steps, form, self.path.len())
    }

    /// A path of which every cell is in `path`.
    pub(super) fn cells(self) -> Run {
        let grid = self.grid;
        self.cells_weighing(|cell| grid.weight(cell))
    }

    /// The same for cells that weigh something else than on the map.
    pub(super) fn cells_weighing(self, weight: impl Fn(Cell) -> u8) -> Run {
        let steps = steps_along(weight, self.path);
        let (form, count) = match self.detail {
            Detail::Cells => (Form::Cells, self.path.len()),
            Detail::First(more) => (Form::Cells, self.path.len().min(more as usize + 1)),
            Detail::Waypoints => {
                keep_corners(self.path);
                (Form::Waypoints, self.path.len())
            }
            Detail::Cost => (Form::Omitted, 0),
        };
        self.found(steps, form, count)
    }

    /// An any-angle path that turns at the centres of the cells in `path`; its points are
    /// written to `points`.
    pub(super) fn points(self, points: &mut Vec<Point>) -> Run {
        points.clear();
        points.extend(self.path.iter().map(|&cell| Point::centre(cell)));
        let cost = points.windows(2).fold(Cost::ZERO, |sum, leg| sum + leg[0].cost(leg[1]));
        Run::Found(Answer::of_points(self.detail, cost, points))
    }

    fn found(&self, steps: Steps, form: Form, count: usize) -> Run {
        Run::Found(Answer::new(self.grid, steps, form, count, Memory::Path))
    }
}

impl Answer {
    fn new(grid: &Grid, steps: Steps, form: Form, count: usize, memory: Memory) -> Self {
        let diagonal = grid.rules().diagonal_cost;
        Self { cost: steps.cost(diagonal), length: steps.length(diagonal), form, count, memory }
    }

    /// An any-angle path with these points. Its length is summed leg by leg from the start:
    /// one correctly rounded root and sum at a time, the same on every platform.
    pub(super) fn of_points(detail: Detail, cost: Cost, points: &[Point]) -> Self {
        let length = points.windows(2).fold(0.0, |sum, leg| sum + leg[0].distance(leg[1]));
        let (form, count) = match detail {
            Detail::Cells | Detail::Waypoints => (Form::Points, points.len()),
            Detail::First(more) => (Form::Points, points.len().min(more as usize + 1)),
            Detail::Cost => (Form::Omitted, 0),
        };
        Self { cost, length, form, count, memory: Memory::Path }
    }

    /// A path of which nothing but the cost is known. Its length follows from that, to
    /// one part in twenty million.
    pub(super) fn of_cost(grid: &Grid, cost: Cost) -> Self {
        let length = cost.units() as f64 / grid.rules().diagonal_cost.straight().units() as f64;
        Self { cost, length, form: Form::Omitted, count: 0, memory: Memory::Path }
    }

    /// An any-angle path of which nothing but the cost is known. Its length follows from
    /// that, to a few units of cost.
    pub(super) fn of_length(cost: Cost) -> Self {
        let length = cost.units() as f64 / DiagonalCost::Sqrt2.straight().units() as f64;
        Self { cost, length, form: Form::Omitted, count: 0, memory: Memory::Path }
    }

    /// A path that labels have written, `count` cells of it.
    #[inline]
    pub(super) fn of_labels(grid: &Grid, detail: Detail, steps: Steps, count: usize) -> Self {
        let (form, count) = match detail {
            Detail::Cells => (Form::Cells, count),
            // Labels write whole tracks, and may have gone past what was asked for.
            Detail::First(more) => (Form::Cells, count.min(more as usize + 1)),
            Detail::Waypoints => (Form::Waypoints, count),
            Detail::Cost => (Form::Omitted, 0),
        };
        Self::new(grid, steps, form, count, Memory::Labels)
    }
}

impl Detail {
    /// How much of a path labels have to write.
    pub(super) const fn extent(self) -> Extent {
        match self {
            Self::Cells => Extent::WHOLE,
            Self::First(steps) => Extent::Steps(steps as usize),
            Self::Waypoints => Extent::Corners,
            Self::Cost => Extent::Nothing,
        }
    }

    /// Whether any cell of the path is asked for.
    pub(super) const fn needs_path(self) -> bool {
        !matches!(self, Self::Cost)
    }
}

/// Drops the cells of a path of steps between which it goes straight on.
fn keep_corners(path: &mut Vec<Cell>) {
    let mut kept = 0;
    let mut last_step = 0;
    for at in 1..path.len() {
        // Differences of packed cells tell all eight directions apart.
        let step = path[at].pack().wrapping_sub(path[at - 1].pack());
        if step != last_step {
            path[kept] = path[at - 1];
            kept += 1;
            last_step = step;
        }
    }
    if let Some(&end) = path.last() {
        path[kept] = end;
        path.truncate(kept + 1);
    }
}

/// Counts the steps of a legal path with their weights.
fn steps_along(weight: impl Fn(Cell) -> u8, path: &[Cell]) -> Steps {
    let mut steps = Steps::default();
    for step in path.windows(2) {
        let weights = u64::from(weight(step[0])) + u64::from(weight(step[1]));
        if step[0].x != step[1].x && step[0].y != step[1].y {
            steps.diagonal_halves += weights;
        } else {
            steps.straight_halves += weights;
        }
    }
    steps
}

impl Grid {
    /// Counts the steps of a path of runs with their weights.
    fn steps_of_trail(&self, trail: &Trail) -> Steps {
        if self.is_uniform() {
            return Steps::of_trail(trail);
        }
        let mut steps = Steps::default();
        let mut here = trail.start();
        for run in trail.runs() {
            let mut weights = 0;
            for _ in 0..run.len {
                let next = here.step(run.direction);
                weights += u64::from(self.weight(here)) + u64::from(self.weight(next));
                here = next;
            }
            if run.direction.is_diagonal() {
                steps.diagonal_halves += weights;
            } else {
                steps.straight_halves += weights;
            }
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Direction, Run};

    #[test]
    fn a_long_leg_costs_its_length() {
        let mut path = [(0, 0), (3, 4), (3, 10)].map(Cell::from).to_vec();
        let grid = Grid::empty(20, 20).unwrap();
        let mut points = Vec::new();
        let writer = PathWriter { grid: &grid, detail: Detail::Cells, path: &mut path };
        let super::Run::Found(answer) = writer.points(&mut points) else { panic!("a path was given") };
        assert_eq!((answer.cost.units(), answer.count), (11 * 4756, 3));
        assert!((answer.length - 11.0).abs() < 1e-12);
    }

    #[test]
    fn runs_and_their_cells_count_alike() {
        let mut grid = Grid::empty(20, 20).unwrap();
        grid.set_weight(Cell::new(4, 3), 7).unwrap();
        grid.set_weight(Cell::new(6, 5), 2).unwrap();
        let mut trail = Trail::default();
        trail.restart(Cell::new(2, 3));
        for (direction, len) in [(Direction::East, 2), (Direction::SouthEast, 4), (Direction::North, 3)] {
            trail.push(Run { direction, len });
        }
        let mut path = Vec::new();
        trail.cells_into(&mut path);
        assert_eq!(grid.steps_of_trail(&trail), steps_along(|cell| grid.weight(cell), &path));
        let halves = grid.steps_of_trail(&trail);
        assert!(halves.straight_halves > 10 && halves.diagonal_halves > 8, "{halves:?}");
    }
}
