//! Costs between many cells, by the sweep that `labels` has.

use super::full::{Euclid, Full};
use super::index::StraightIndex;
use crate::base::{Cell, Cost, Point};
use crate::grid::Grid;
use crate::labels::outlook::TILE;
use crate::labels::reader::CellLabels;
use crate::labels::record::{Metric, Record};
use crate::labels::{Corrupt, Costs};

impl StraightIndex {
    /// The labels of a map, for costs between many cells; `None` without labels of all cells.
    pub(crate) fn costs<'l>(&'l self, grid: &'l Grid) -> Option<Costs<'l, Full>> {
        Some(Costs::new(grid, self.full()?))
    }
}

impl CellLabels for Full {
    type Sights = Vec<Cell>;
    type Outlook = Cell;

    #[inline]
    fn record(&self, cell: Cell) -> Result<Option<(Record<'_>, usize)>, Corrupt> {
        self.record(cell)
    }

    #[inline]
    fn metric(&self) -> impl Metric {
        self.euclid()
    }

    fn rank_count(&self) -> usize {
        self.corner_count()
    }

    fn cost(&self, cost: u32) -> Cost {
        Cost::from_units(cost.into())
    }

    #[inline]
    fn direct(&self, grid: &Grid, start: Cell, goal: Cell) -> Option<u32> {
        let distance = || Euclid::units(Point::centre(start).distance(Point::centre(goal)));
        (grid.is_free(start) && self.rule.on(grid).sees(start, goal)).then(distance)
    }

    fn sights(_: &Grid, goals: &[Cell]) -> Vec<Cell> {
        goals.to_vec()
    }

    fn outlook(_: &Grid, start: Cell) -> Cell {
        start
    }

    /// Asks for each goal. Lines that are not clear end early, so that this takes about as long
    /// as the sweep over hubs.
    fn lower(&self, grid: &Grid, &start: &Cell, goals: &Vec<Cell>, costs: &mut [i32; TILE]) {
        for (&goal, cost) in goals.iter().zip(costs) {
            if let Some(distance) = self.direct(grid, start, goal) {
                *cost = distance as i32;
            }
        }
    }
}
