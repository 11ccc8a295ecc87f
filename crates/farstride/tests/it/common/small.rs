//! Maps so small that all of them can be tried, and what ways cost there.

use super::cell;
use farstride::grid::DiagonalCost;
use farstride::{Cell, Diagonals, Grid, Rules};

/// Where a cell of a square of a side goes when that is turned or mirrored.
pub(crate) type Turn = fn(usize, usize, usize) -> (usize, usize);

/// The symmetries of a square.
pub(crate) const SYMMETRIES: [Turn; 8] = [
    |x, y, _| (x, y),
    |x, y, _| (y, x),
    |x, y, last| (last - x, y),
    |x, y, last| (x, last - y),
    |x, y, last| (last - x, last - y),
    |x, y, last| (last - y, x),
    |x, y, last| (y, last - x),
    |x, y, last| (last - y, last - x),
];

/// Cells of a small map at most: its free cells are the bits of a word.
pub(crate) const MOST_CELLS: usize = 64;

/// What no way costs; two of them can be added.
pub(crate) const UNREACHABLE: u32 = u32::MAX / 2;

/// A map whose free cells are the set bits, row by row, and how one moves there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmallMap {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) rules: Rules,
    pub(crate) free: u64,
}

/// A cost for any two cells.
#[derive(Clone)]
pub(crate) struct Table([u32; MOST_CELLS * MOST_CELLS]);

impl Table {
    pub(crate) fn at(&self, from: usize, to: usize) -> u32 {
        self.0[from * MOST_CELLS + to]
    }

    fn set(&mut self, from: usize, to: usize, cost: u32) {
        self.0[from * MOST_CELLS + to] = cost;
    }
}

impl SmallMap {
    pub(crate) fn cells(self) -> usize {
        self.width * self.height
    }

    pub(crate) fn is_free(self, index: usize) -> bool {
        self.free >> index & 1 == 1
    }

    pub(crate) fn cell(self, index: usize) -> Cell {
        cell((index % self.width, index / self.width))
    }

    pub(crate) fn index(self, cell: Cell) -> usize {
        usize::from(cell.y) * self.width + usize::from(cell.x)
    }

    /// What a straight and a diagonal step cost.
    pub(crate) fn units(self) -> [u32; 2] {
        match self.rules.diagonal_cost {
            DiagonalCost::Ratio142 => [5000, 7100],
            _ => [4756, 6726],
        }
    }

    /// Length of a diagonal step.
    pub(crate) fn diagonal_length(self) -> f64 {
        match self.rules.diagonal_cost {
            DiagonalCost::Ratio142 => 1.42,
            _ => std::f64::consts::SQRT_2,
        }
    }

    /// Cost of every single step.
    pub(crate) fn steps(self) -> Table {
        let [straight, diagonal] = self.units();
        let is_free = |x: usize, y: usize| self.is_free(y * self.width + x);
        let mut steps = Table([UNREACHABLE; MOST_CELLS * MOST_CELLS]);
        for from in (0..self.cells()).filter(|&from| self.is_free(from)) {
            let (x, y) = (from % self.width, from / self.width);
            for to_y in y.saturating_sub(1)..=(y + 1).min(self.height - 1) {
                for to_x in x.saturating_sub(1)..=(x + 1).min(self.width - 1) {
                    let sides = usize::from(is_free(x, to_y)) + usize::from(is_free(to_x, y));
                    let passes = match self.rules.diagonals {
                        Diagonals::Strict => sides == 2,
                        Diagonals::OneSide => sides > 0,
                        Diagonals::Free => true,
                        Diagonals::None => false,
                    };
                    let cost = match (x.abs_diff(to_x), y.abs_diff(to_y)) {
                        _ if !is_free(to_x, to_y) => UNREACHABLE,
                        (0, 0) => 0,
                        (0, 1) | (1, 0) => straight,
                        _ if passes => diagonal,
                        _ => UNREACHABLE,
                    };
                    steps.set(from, to_y * self.width + to_x, cost);
                }
            }
        }
        steps
    }

    /// Floyd's algorithm: no queue, no heuristic, no move left out.
    pub(crate) fn distances(self, steps: &Table) -> Table {
        let mut best = steps.clone();
        for over in (0..self.cells()).filter(|&over| self.is_free(over)) {
            for from in 0..self.cells() {
                let first = best.at(from, over);
                if first < UNREACHABLE {
                    for to in 0..self.cells() {
                        best.set(from, to, best.at(from, to).min(first + best.at(over, to)));
                    }
                }
            }
        }
        best
    }

    /// The map as the engine's, so many rows and columns of blocked cells to
    /// the left of it and above.
    pub(crate) fn grid(self, margin: u16) -> Grid {
        let is_free = |at: Cell| {
            let inside = (at.x.checked_sub(margin), at.y.checked_sub(margin));
            matches!(inside, (Some(x), Some(y)) if self.is_free(self.index(Cell::new(x, y))))
        };
        let margin = usize::from(margin);
        let grid = Grid::from_fn(margin + self.width, margin + self.height, is_free);
        grid.expect("small maps have a size").with_rules(self.rules)
    }

    /// Whether no map that a symmetry of the square turns this one into has a
    /// smaller number; for square maps.
    pub(crate) fn is_first_of_its_kind(self) -> bool {
        SYMMETRIES.into_iter().all(|symmetry| self.turned(symmetry).free >= self.free)
    }

    /// The same map, turned or mirrored.
    pub(crate) fn turned(self, symmetry: Turn) -> Self {
        let side = self.width;
        assert_eq!(side, self.height, "only squares can be turned");
        let turned = (0..self.cells()).filter(|index| {
            let (x, y) = symmetry(index % side, index / side, side - 1);
            self.is_free(y * side + x)
        });
        Self { free: turned.fold(0, |bits, index| bits | 1 << index), ..self }
    }

    /// The map as text.
    pub(crate) fn draw(self) -> String {
        self.grid(0).to_ascii()
    }
}
