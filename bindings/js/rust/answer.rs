//! Answers left in memory for JavaScript to read.
//!
//! Returning an object from every call would cost more than a query of `labels` takes.
//! So a call returns a number, and JavaScript reads the rest in place: a block of
//! numbers at an address that stays, and the cells of the path where the scratch has
//! them. JavaScript copies these before the next call.

use farstride::{Cell, Detail, Outcome, Path, Route};
use farstride_bindings::Status;
use std::mem::offset_of;

/// JavaScript reads a cell as two numbers of 16 bits.
const _: () = assert!(size_of::<Cell>() == 4 && offset_of!(Cell, x) == 0 && offset_of!(Cell, y) == 2);

/// What a call returns when it failed; `take_failure` has the reason.
pub(crate) const FAILED: u32 = 255;

/// The latest answer. The block has, in this order: cost, length, form of the path,
/// address of its cells, how many they are.
pub(crate) struct Answer {
    /// Boxed, so that its address stays when the planner moves.
    block: Box<[f64; 5]>,
    /// The path from a cell to itself.
    there: Box<[Cell; 1]>,
}

/// Numbers of `Route.form`.
const CELLS: f64 = 0.0;
const POINTS: f64 = 1.0;
const WAYPOINTS: f64 = 2.0;
const OMITTED: f64 = 3.0;

impl Default for Answer {
    fn default() -> Self {
        Self { block: Box::new([0.0; 5]), there: Box::new([Cell::new(0, 0)]) }
    }
}

impl Answer {
    /// Where the block is in memory.
    pub(crate) fn address(&self) -> u32 {
        self.block.as_ptr().addr() as u32
    }

    /// Writes the answer down.
    pub(crate) fn write(&mut self, outcome: &Outcome<'_>, start: Cell, detail: Detail) -> Status {
        let (cost, length, form, cells) = match outcome {
            Outcome::Found(route) => {
                (route.cost().units() as f64, route.length(), form(route), route.path().cells())
            }
            Outcome::AlreadyThere if detail != Detail::Cost => {
                *self.there = [start];
                (0.0, 0.0, CELLS, &self.there[..])
            }
            _ => (0.0, 0.0, OMITTED, &[][..]),
        };
        *self.block = [cost, length, form, cells.as_ptr().addr() as f64, cells.len() as f64];
        Status::of(outcome)
    }
}

fn form(route: &Route<'_>) -> f64 {
    match route.path() {
        Path::Cells(_) => CELLS,
        Path::Points(_) => POINTS,
        Path::Waypoints(_) => WAYPOINTS,
        _ => OMITTED,
    }
}

/// Appends cells as `x, y`.
pub(crate) fn push_cells(pairs: &mut Vec<[i32; 2]>, cells: &[Cell]) {
    pairs.extend(cells.iter().map(|cell| [i32::from(cell.x), i32::from(cell.y)]));
}
