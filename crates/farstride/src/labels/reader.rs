//! The label of a single cell, extracted from the record of its block.

use super::full::{Corrupt, Full};
use super::measure::FAR;
use super::record::{MOST_VIAS, Record};
use crate::base::Cell;
use crate::contraction::Rank;

/// A hub and its distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Near {
    pub(super) hub: Rank,
    pub(super) cost: u32,
}

/// Extracts labels of cells; one per thread.
#[derive(Debug)]
pub(super) struct Reader {
    /// Distances of the vias of a block from the cell.
    links: Box<[u32; MOST_VIAS]>,
    /// Distance of each hub; all [`FAR`] between two calls.
    costs: Vec<u32>,
    /// The hubs of the label, some more than once.
    hubs: Vec<Rank>,
    /// The label: each hub once, at its smallest distance.
    label: Vec<Near>,
}

impl Default for Reader {
    fn default() -> Self {
        Self { links: Box::new([0; MOST_VIAS]), costs: Vec::new(), hubs: Vec::new(), label: Vec::new() }
    }
}

impl Reader {
    /// One more than the largest rank of a hub read so far.
    pub(super) fn hub_count(&self) -> usize {
        self.costs.len()
    }

    /// Memory for the distances of the vias of a block.
    #[inline]
    pub(super) fn links(&mut self) -> &mut [u32; MOST_VIAS] {
        &mut self.links
    }

    /// Returns the label of a cell; empty if no cell of its block is linked.
    ///
    /// Whether a via is linked and whether a hub is new follows no pattern that a
    /// processor could predict. So nothing here branches on it: every candidate is
    /// written, and a counter moves on or not.
    pub(super) fn read(&mut self, full: &Full, cell: Cell) -> Result<&[Near], Corrupt> {
        let Some((record, position)) = full.view().record(cell)? else { return Ok(&[]) };
        let Self { links, costs, hubs, label } = self;
        reach(&record, full, cell, position, links)?;
        // One more than needed, here and below: what a counter does not count is
        // written behind the end.
        hubs.resize(record.via_count() + record.entries().len() + 1, Rank::NONE);
        let mut count = 0;
        let mut add = |hub: usize, cost: u32| {
            if hub >= costs.len() {
                costs.resize(hub + 1, FAR);
            }
            costs[hub] = costs[hub].min(cost);
            hubs[count] = Rank::new(hub as u32);
            count += usize::from(cost < FAR);
        };
        record.hubs().zip(&**links).for_each(|(hub, &link)| add(hub, link));
        record.entries().for_each(|entry| add(entry.hub(), links[entry.via()].wrapping_add(entry.cost())));
        label.resize(count + 1, Near { hub: Rank::NONE, cost: 0 });
        let mut end = 0;
        for &hub in &hubs[..count] {
            let cost = std::mem::replace(&mut costs[hub.index()], FAR);
            label[end] = Near { hub, cost };
            end += usize::from(cost < FAR);
        }
        Ok(&label[..end])
    }
}

/// [`Record::reach`] in a function that is not inlined. Inside a larger function, the
/// compiler no longer knows that `links` does not overlap the record, and does not
/// use vector instructions.
#[inline(never)]
pub(super) fn reach(
    record: &Record<'_>,
    full: &Full,
    cell: Cell,
    position: usize,
    links: &mut [u32; MOST_VIAS],
) -> Result<(), Corrupt> {
    record.reach(cell, position, full.measure, links).ok_or(Corrupt)
}
