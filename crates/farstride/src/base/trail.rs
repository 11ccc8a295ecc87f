//! Paths stored as runs of steps.

use super::{Cell, Direction, Node};

/// Consecutive steps in one direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub(crate) direction: Direction,
    pub(crate) len: u32,
}

impl Run {
    /// The same steps walked backwards.
    pub(crate) const fn back(self) -> Self {
        Self { direction: self.direction.opposite(), len: self.len }
    }
}

/// A path stored as its start cell and its runs: a few runs stand for hundreds
/// of cells.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Trail {
    start: Cell,
    end: Cell,
    runs: Vec<Run>,
    steps: usize,
}

impl Trail {
    /// Clears the path and starts a new one at `start`.
    pub(crate) fn restart(&mut self, start: Cell) {
        self.start = start;
        self.end = start;
        self.runs.clear();
        self.steps = 0;
    }

    /// Copies another path, reusing the memory of this one.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.runs.clone_from(&other.runs);
        (self.start, self.end, self.steps) = (other.start, other.end, other.steps);
    }

    pub(crate) const fn start(&self) -> Cell {
        self.start
    }

    pub(crate) const fn end(&self) -> Cell {
        self.end
    }

    pub(crate) fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Number of steps.
    pub(crate) const fn steps(&self) -> usize {
        self.steps
    }

    /// Numbers of straight and of diagonal steps.
    pub(crate) fn step_counts(&self) -> (u64, u64) {
        let diagonal = self.runs.iter().filter(|run| run.direction.is_diagonal());
        let diagonal = diagonal.map(|run| u64::from(run.len)).sum();
        (self.steps as u64 - diagonal, diagonal)
    }

    /// Appends a run. Empty runs are dropped, and a run in the direction of the
    /// last one extends it.
    #[inline]
    pub(crate) fn push(&mut self, run: Run) {
        if run.len == 0 {
            return;
        }
        self.end = self.end.walk_within(run.direction, run.len);
        self.steps += run.len as usize;
        match self.runs.last_mut() {
            Some(last) if last.direction == run.direction => last.len += run.len,
            _ => self.runs.push(run),
        }
    }

    /// Appends a step to the adjacent cell `next`.
    pub(crate) fn push_cell(&mut self, next: Cell) {
        if let Some(direction) = self.end.direction_to(next) {
            self.push(Run { direction, len: 1 });
        }
    }

    /// Writes the start, and the cell at the end of every run.
    pub(crate) fn corners_into(&self, cells: &mut Vec<Cell>) {
        cells.clear();
        cells.push(self.start);
        let mut cell = self.start;
        cells.extend(self.runs.iter().map(|run| {
            cell = cell.walk_within(run.direction, run.len);
            cell
        }));
    }

    /// Writes every cell of the path, including the first and the last.
    pub(crate) fn cells_into(&self, cells: &mut Vec<Cell>) {
        self.first_cells_into(usize::MAX, cells);
    }

    /// Writes the first cell and those of the next `most` steps.
    pub(crate) fn first_cells_into(&self, most: usize, cells: &mut Vec<Cell>) {
        cells.clear();
        let mut left = most.min(self.steps);
        cells.reserve(left + 1);
        cells.push(self.start);
        let mut cell = self.start.pack();
        for run in &self.runs {
            let step = run.direction.packed_step();
            let len = left.min(run.len as usize);
            left -= len;
            cells.extend((0..len).map(|_| {
                cell = cell.wrapping_add(step);
                Cell::unpack(cell)
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trail_is_its_cells() {
        let mut trail = Trail::default();
        trail.restart(Cell::new(2, 3));
        trail.push(Run { direction: Direction::East, len: 2 });
        trail.push(Run { direction: Direction::North, len: 0 });
        trail.push(Run { direction: Direction::East, len: 1 });
        trail.push_cell(Cell::new(4, 4));
        trail.push(Run { direction: Direction::NorthWest, len: 3 });
        let mut cells = Vec::new();
        trail.cells_into(&mut cells);
        let expected = [(2, 3), (3, 3), (4, 3), (5, 3), (4, 4), (3, 3), (2, 2), (1, 1)];
        assert_eq!(cells, expected.map(Cell::from));
        for most in 0..10 {
            trail.first_cells_into(most, &mut cells);
            assert_eq!(
                cells,
                expected[..expected.len().min(most + 1)].iter().copied().map(Cell::from).collect::<Vec<_>>()
            );
        }
        assert_eq!((trail.end(), trail.steps(), trail.runs().len()), (Cell::new(1, 1), 7, 3));
    }
}
