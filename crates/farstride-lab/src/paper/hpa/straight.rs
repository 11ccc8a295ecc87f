//! Smoothing as the paper describes it: where a later cell of the path can be
//! reached in a straight line, that line takes the place of what was between.
//!
//! The engine's own smoothing is stronger; this one exists to tell how much of
//! the difference from the paper's errors comes from it. The paper leaves open
//! what a straight line is on a grid; here it is a run in one of the eight
//! directions, the only lines that are legal paths by themselves.

use farstride::grid::Direction;
use farstride::{Cell, Grid};

/// The path with straight lines put in where they are shorter, cell by cell
/// from its start; from each cell the line that leads farthest ahead.
pub(super) fn smooth(grid: &Grid, path: &[Cell]) -> Vec<Cell> {
    let mut trace = Trace::new(grid, path.to_vec());
    let mut at = 0;
    while at + 1 < trace.path.len() {
        let lines = Direction::ALL.into_iter().filter_map(|direction| trace.farthest(at, direction));
        if let Some((to, direction)) = lines.max_by_key(|&(to, _)| to) {
            trace.straighten(at, to, direction);
        }
        at += 1;
    }
    trace.path
}

/// A path that knows where on it a cell is.
struct Trace<'g> {
    grid: &'g Grid,
    path: Vec<Cell>,
    /// Cost from the start to each of its cells, in units.
    costs: Vec<u64>,
    /// The last place of every cell of the map on the path, if it is on it.
    places: Vec<Option<usize>>,
}

impl<'g> Trace<'g> {
    fn new(grid: &'g Grid, path: Vec<Cell>) -> Self {
        let places = vec![None; grid.width() * grid.height()];
        let mut trace = Self { grid, path, costs: Vec::new(), places };
        trace.note_places();
        trace
    }

    /// Brings costs and places up to date.
    fn note_places(&mut self) {
        self.costs.clear();
        let mut cost = 0;
        for (at, &cell) in self.path.iter().enumerate() {
            if let Some(direction) = at.checked_sub(1).and_then(|before| self.path[before].direction_to(cell))
            {
                cost += self.step(direction);
            }
            self.costs.push(cost);
            self.places[self.grid.area().offset(cell)] = Some(at);
        }
    }

    fn step(&self, direction: Direction) -> u64 {
        let cost = self.grid.rules().diagonal_cost;
        if direction.is_diagonal() { cost.diagonal().units() } else { cost.straight().units() }
    }

    /// The last place on the path that a line from one of its cells reaches at
    /// a lower cost than the path does.
    fn farthest(&self, at: usize, direction: Direction) -> Option<(usize, Direction)> {
        let cells = line(self.grid, self.path[at], direction);
        let costs = (1..).map(|steps| self.costs[at] + steps * self.step(direction));
        let reached = cells.zip(costs).filter_map(|(cell, cost)| {
            let to = self.places[self.grid.area().offset(cell)]?;
            (to > at && cost < self.costs[to]).then_some((to, direction))
        });
        reached.max_by_key(|&(to, _)| to)
    }

    /// Replaces the path between two places by the line that joins them.
    fn straighten(&mut self, at: usize, to: usize, direction: Direction) {
        for &cell in &self.path {
            self.places[self.grid.area().offset(cell)] = None;
        }
        let end = self.path[to];
        let line: Vec<Cell> =
            line(self.grid, self.path[at], direction).take_while(|&cell| cell != end).collect();
        self.path.splice(at + 1..to, line);
        self.note_places();
    }
}

/// The cells that legal steps in one direction lead to.
fn line(grid: &Grid, from: Cell, direction: Direction) -> impl Iterator<Item = Cell> {
    let next = move |&cell: &Cell| grid.may_step(cell, direction).then(|| cell.step(direction));
    std::iter::successors(Some(from), next).skip(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smoothed(map: &str, path: &[(u16, u16)]) -> Vec<(u16, u16)> {
        let grid = Grid::from_ascii(map).unwrap();
        let path: Vec<Cell> = path.iter().copied().map(Cell::from).collect();
        smooth(&grid, &path).into_iter().map(|cell| (cell.x, cell.y)).collect()
    }

    #[test]
    fn a_line_takes_the_place_of_a_bend() {
        let bent = [(0, 0), (1, 0), (2, 1), (3, 0), (4, 0)];
        assert_eq!(smoothed(".....\n.....", &bent), [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]);
        assert_eq!(smoothed("..#..\n.....", &bent), bent);
    }

    #[test]
    fn lines_begin_at_any_cell() {
        let corner = [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2)];
        assert_eq!(smoothed("....\n....\n....", &corner), [(0, 0), (1, 0), (2, 1), (3, 2)]);
    }

    #[test]
    fn ends_stay_where_they_are() {
        assert_eq!(smoothed("..", &[(1, 0)]), [(1, 0)]);
        assert_eq!(smoothed("..", &[(0, 0), (1, 0)]), [(0, 0), (1, 0)]);
        assert_eq!(smoothed("..", &[(0, 0), (1, 0), (0, 0), (1, 0)]), [(0, 0), (1, 0)]);
    }
}
