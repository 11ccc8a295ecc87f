//! Answers left in memory for JavaScript to read.
//!
//! Returning an object from every call would cost more than a query of `labels` takes.
//! So a call returns a number, and JavaScript reads the rest in place: a block of
//! numbers at an address that stays, and the cells of the path where the scratch has
//! them. JavaScript copies these before the next call.

use farstride::{Cell, Detail, Engine, Outcome};
use farstride_bindings::{Status, flat_path};
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
    /// A path that the scratch does not have as cells.
    cells: Vec<Cell>,
}

/// Numbers of `Route.form`.
const CELLS: f64 = 0.0;
const POINTS: f64 = 1.0;
const WAYPOINTS: f64 = 2.0;
const OMITTED: f64 = 3.0;
const HALVES: f64 = 4.0;

impl Default for Answer {
    fn default() -> Self {
        Self { block: Box::new([0.0; 5]), cells: Vec::new() }
    }
}

impl Answer {
    /// Where the block is in memory.
    pub(crate) fn address(&self) -> u32 {
        self.block.as_ptr().addr() as u32
    }

    /// Writes the answer down.
    pub(crate) fn write(
        &mut self,
        engine: Engine,
        outcome: &Outcome<'_>,
        start: Cell,
        detail: Detail,
    ) -> Status {
        let (cost, length, form, cells) = match outcome {
            Outcome::Found(route) => {
                let (cells, form) = flat_path(engine, route.path(), &mut self.cells);
                (route.cost().units() as f64, route.length(), number(form), cells)
            }
            Outcome::AlreadyThere if detail != Detail::Cost => {
                self.cells = vec![start];
                (0.0, 0.0, CELLS, &self.cells[..])
            }
            _ => (0.0, 0.0, OMITTED, &[][..]),
        };
        *self.block = [cost, length, form, cells.as_ptr().addr() as f64, cells.len() as f64];
        Status::of(outcome)
    }
}

fn number(form: &str) -> f64 {
    match form {
        "cells" => CELLS,
        "points" => POINTS,
        "waypoints" => WAYPOINTS,
        "halves" => HALVES,
        _ => OMITTED,
    }
}

/// Appends cells as `x, y`.
pub(crate) fn push_cells(pairs: &mut Vec<[i32; 2]>, cells: &[Cell]) {
    pairs.extend(cells.iter().map(|cell| [i32::from(cell.x), i32::from(cell.y)]));
}
