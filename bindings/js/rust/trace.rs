//! Searches taken down, expansion by expansion.

use farstride::search::{Effort, Observer, Phase, PriorState};
use farstride::{Cell, Cost};

/// Counts a search, and lists what it expands in order.
#[derive(Default)]
pub(crate) struct Trace {
    pub(crate) effort: Effort,
    /// `x, y, x, y, …`.
    pub(crate) expanded: Vec<i32>,
    /// 0 insert, 1 main, 2 refine; one for each expansion.
    pub(crate) phases: Vec<u8>,
    /// Cost from the start of the search, in units.
    pub(crate) g: Vec<f64>,
    phase: Phase,
}

impl Observer<Cell> for Trace {
    fn phase(&mut self, phase: Phase) {
        self.phase = phase;
        Observer::<Cell>::phase(&mut self.effort, phase);
    }

    fn begun(&mut self) {
        Observer::<Cell>::begun(&mut self.effort);
    }

    fn expanded(&mut self, cell: Cell, g: Cost) {
        self.effort.expanded(cell, g);
        self.expanded.extend([i32::from(cell.x), i32::from(cell.y)]);
        self.phases.push(match self.phase {
            Phase::Insert => 0,
            Phase::Main => 1,
            Phase::Refine => 2,
        });
        self.g.push(g.units() as f64);
    }

    fn generated(&mut self, cell: Cell) {
        self.effort.generated(cell);
    }

    fn improved(&mut self, cell: Cell, g: Cost, was: PriorState) {
        self.effort.improved(cell, g, was);
    }
}
