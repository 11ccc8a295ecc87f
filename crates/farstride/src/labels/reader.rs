//! The label of a single cell, extracted from the record of its block.

use super::full::Corrupt;
use super::measure::FAR;
use super::outlook::TILE;
use super::record::{MOST_VIAS, Metric, Record};
use crate::base::{Cell, Cost};
use crate::contraction::Rank;
use crate::grid::Grid;

/// Labels of all cells, for costs between many of them: those of `labels`, and of `straight`.
pub(crate) trait CellLabels: Sync {
    /// What some goals, up to [`TILE`], are seen by.
    type Sights: Sync;
    /// What a start sees.
    type Outlook;

    /// The record of a cell's block and the cell's position there.
    fn record(&self, cell: Cell) -> Result<Option<(Record<'_>, usize)>, Corrupt>;

    /// How far vias are from cells.
    fn metric(&self) -> impl Metric;

    /// Number of ranks.
    fn rank_count(&self) -> usize;

    /// A cost in units of [`Cost`].
    fn cost(&self, cost: u32) -> Cost;

    /// The cost between two cells that see each other.
    fn direct(&self, grid: &Grid, start: Cell, goal: Cell) -> Option<u32>;

    /// Measures up to [`TILE`] goals.
    fn sights(grid: &Grid, goals: &[Cell]) -> Self::Sights;

    /// Measures a start.
    fn outlook(grid: &Grid, start: Cell) -> Self::Outlook;

    /// Sets the costs of the goals that a start sees to their distances.
    fn lower(&self, grid: &Grid, outlook: &Self::Outlook, goals: &Self::Sights, costs: &mut [i32; TILE]);
}

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
    pub(super) fn read(&mut self, full: &impl CellLabels, cell: Cell) -> Result<&[Near], Corrupt> {
        let Some((record, position)) = full.record(cell)? else { return Ok(&[]) };
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
    full: &impl CellLabels,
    cell: Cell,
    position: usize,
    links: &mut [u32; MOST_VIAS],
) -> Result<(), Corrupt> {
    record.reach(cell, position, full.metric(), links).ok_or(Corrupt)
}
