//! One start and many goals: the start's label is spread out once, and then the
//! record of each goal's block is scanned for the cheapest common hub.

use super::full::Corrupt;
use super::measure::FAR;
use super::reader::{CellLabels, Near, Reader, reach};
use crate::base::Cell;
use crate::contraction::Rank;
use crate::grid::Grid;

/// The label of a start, spread out by hub; one per thread.
#[derive(Debug, Default)]
pub(crate) struct Fan {
    start: Cell,
    reader: Reader,
    /// Distance of each hub from the start; [`FAR`] if it is not in its label.
    near: Vec<u32>,
    /// The hubs in its label, so that only these have to be cleared.
    hubs: Vec<Rank>,
}

impl Fan {
    /// Spreads out the label of another start.
    pub(super) fn aim(&mut self, full: &impl CellLabels, start: Cell) -> Result<(), Corrupt> {
        let Self { reader, near, hubs, .. } = self;
        for hub in hubs.drain(..) {
            near[hub.index()] = FAR;
        }
        // One number more than there are hubs: padding in records has the rank
        // after the last.
        let count = full.rank_count() + 1;
        if near.len() < count {
            near.resize(count, FAR);
        }
        for &Near { hub, cost } in reader.read(full, start)? {
            *near.get_mut(hub.index()).ok_or(Corrupt)? = cost;
            hubs.push(hub);
        }
        self.start = start;
        Ok(())
    }

    /// Returns the cost to a goal; [`FAR`] or more if it is unreachable.
    #[inline]
    pub(super) fn cost(&mut self, grid: &Grid, full: &impl CellLabels, goal: Cell) -> Result<u32, Corrupt> {
        if let Some(cost) = full.direct(grid, self.start, goal) {
            return Ok(cost);
        }
        let Some((record, position)) = full.record(goal)? else { return Ok(FAR) };
        let links = self.reader.links();
        reach(&record, full, goal, position, links)?;
        // No overflow with sound labels: three times `FAR` fits into 32 bits.
        let over = |hub: usize, cost: u32| self.near.get(hub).map_or(FAR, |near| near.wrapping_add(cost));
        let vias = record.hubs().zip(&*links).map(|(hub, &link)| over(hub, link));
        let entries =
            record.entries().map(|entry| over(entry.hub(), links[entry.via()].wrapping_add(entry.cost())));
        Ok(vias.min().unwrap_or(FAR).min(entries.min().unwrap_or(FAR)))
    }
}
