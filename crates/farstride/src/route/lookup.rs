//! Labels of all cells of either engine, for costs between many cells.

use super::Planner;
use crate::base::crew::Latch;
use crate::base::{Cell, Cost};
use crate::index::Index;
use crate::labels::{self, Corrupt, Costs, Fan};
use crate::straight;

/// Current labels of all cells.
#[derive(Clone, Copy)]
pub(super) enum Lookup<'l> {
    Labels(Costs<'l, labels::Full>),
    Straight(Costs<'l, straight::Full>),
}

/// Calls the same method of either kind.
macro_rules! either {
    ($lookup:expr, $costs:ident => $call:expr) => {
        match $lookup {
            Lookup::Labels($costs) => $call,
            Lookup::Straight($costs) => $call,
        }
    };
}

impl<'l> Lookup<'l> {
    /// The labels of a planner, if it has current ones of all cells.
    pub(super) fn of(planner: &'l Planner) -> Option<Self> {
        match planner.current_index()? {
            Index::Labels(labels) => labels.costs(&planner.grid).map(Self::Labels),
            Index::Straight(index) => index.costs(&planner.grid).map(Self::Straight),
            _ => None,
        }
    }

    /// The cost of one unit in a table.
    pub(super) fn unit(&self) -> Cost {
        either!(self, costs => costs.unit())
    }

    /// Spreads out the label of a start.
    pub(super) fn fan_out(&self, start: Cell, fan: &mut Fan) -> Result<(), Corrupt> {
        either!(self, costs => costs.fan_out(start, fan))
    }

    /// Returns the cost from that start to a goal; `None` if it is unreachable.
    #[inline]
    pub(super) fn cost(&self, fan: &mut Fan, goal: Cell) -> Result<Option<Cost>, Corrupt> {
        either!(self, costs => costs.cost(fan, goal))
    }

    /// Writes a table ([`Costs::write_table`]).
    pub(super) fn write_table<T: Send>(
        &self,
        (starts, goals): (&[Cell], &[Cell]),
        threads: usize,
        latch: &Latch<'_>,
        entry: impl Fn(u32) -> T + Sync,
        table: &mut [T],
    ) -> Result<(), Corrupt> {
        either!(self, costs => costs.write_table(starts, goals, threads, latch, entry, table))
    }
}
