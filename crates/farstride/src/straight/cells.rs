//! Labels of cells, block by block.
//!
//! A cell counts as less important than all corners. Its label follows from those of the
//! ports through which its paths leave, its *outlets*: for each hub the nearest way there,
//! if the path is taut at the outlet. A hub is dropped if a more important one lies on a way
//! that is as short, or if there is a shorter way to it that bends elsewhere. What the cells
//! of a block keep is stored once, in one record of the form that `labels` has.

use super::full::{Euclid, SIDE_BIT};
use super::graph::{Outlets, Port, TautCorners, between};
use super::label::{PortLabels, Rank, SLACK};
use crate::base::Cell;
use crate::contraction;
use crate::labels::record::{Draft, Entry, MOST_VIAS, ViaId};

/// Everything that records are made of.
#[derive(Clone, Copy)]
pub(super) struct Ingredients<'i> {
    pub(super) taut: &'i TautCorners<'i>,
    pub(super) outlets: &'i Outlets,
    pub(super) labels: &'i PortLabels,
}

/// A finished record.
pub(super) struct Made {
    pub(super) record: Vec<u8>,
    /// The entries of port labels that it contains: port and position.
    pub(super) used: Vec<(Port, usize)>,
}

/// A block has more outlets than a record can hold.
pub(super) struct TooMany;

/// Working memory of a thread.
#[derive(Default)]
pub(super) struct Work {
    /// The nearest way to each hub from the cell at hand.
    near: Vec<f64>,
    by: Vec<Port>,
    hubs: Vec<Rank>,
    /// Hubs that cells of the block need, and the outlets they are reached by.
    kept: Vec<(Rank, Port)>,
}

impl Ingredients<'_> {
    /// Builds the record of the block with `side` cells to a side whose first cell is
    /// `first`. Returns `None` if no path leaves any cell of it.
    pub(super) fn record(&self, first: Cell, side: u16, work: &mut Work) -> Result<Option<Made>, TooMany> {
        let Self { taut, outlets, labels } = *self;
        let grid = taut.space.grid;
        work.near.resize(taut.corners.len(), f64::INFINITY);
        work.by.resize(taut.corners.len(), Port(0));
        work.kept.clear();
        let cells = || {
            (first.y..first.y + side)
                .flat_map(move |y| (first.x..first.x + side).map(move |x| Cell::new(x, y)))
        };
        for cell in cells().filter(|&cell| grid.is_free(cell)) {
            self.label(cell, work);
        }
        if work.kept.is_empty() {
            return Ok(None);
        }
        work.kept.sort_unstable();
        work.kept.dedup();
        // Vias by rank; the two ports of a corner are two vias.
        let rank = |port: Port| labels.ranks[port.corner() as usize];
        let mut vias: Vec<Port> = work.kept.iter().map(|&(_, port)| port).collect();
        vias.sort_unstable_by_key(|&port| (rank(port), port.side()));
        vias.dedup();
        if vias.len() > MOST_VIAS {
            return Err(TooMany);
        }
        let place = |port: Port| {
            let found = vias.binary_search_by_key(&(rank(port), port.side()), |&via| (rank(via), via.side()));
            found.ok().map(ViaId::new)
        };
        let mut draft = Draft::default();
        for &via in &vias {
            let corner = taut.corner(via.corner());
            let tagged = rank(via) | (via.side() as u32) << SIDE_BIT;
            draft.vias.push((Cell::new(corner.x as u16, corner.y as u16), contraction::Rank::new(tagged)));
        }
        let mut used = Vec::new();
        for &(hub, port) in &work.kept {
            if hub == rank(port) {
                continue; // records list all vias, and each is a hub itself
            }
            let (Some(via), Some(at)) = (place(port), labels.entry(port, hub)) else { continue };
            let cost = Euclid::units(labels.of(port)[at].length);
            draft.entries.push(Entry::new(contraction::Rank::new(hub), via, cost));
            used.push((port, at));
        }
        let links: Vec<Vec<ViaId>> = cells()
            .map(|cell| {
                if !grid.is_free(cell) {
                    return Vec::new();
                }
                outlets.of_cell(grid.index(cell)).iter().filter_map(|&port| place(port)).collect()
            })
            .collect();
        let record = draft.write(&links, contraction::Rank::new(taut.corners.len() as u32));
        Ok(Some(Made { record, used }))
    }

    /// Appends what a cell needs to `work.kept`.
    fn label(&self, cell: Cell, work: &mut Work) {
        let Self { taut, outlets, labels } = *self;
        let Work { near, by, hubs, kept } = work;
        for &port in outlets.of_cell(taut.space.grid.index(cell)) {
            let corner = taut.corner(port.corner());
            let before = taut.space.to_cell(corner, cell.x.into(), cell.y.into());
            let link = taut.distance(cell, port.corner());
            let is_taut = corner.taut_from(before);
            for entry in labels.of(port) {
                if entry.length > 0.0 && !is_taut(between(corner, taut.corner(entry.next))) {
                    continue;
                }
                let length = link + entry.length;
                let known = &mut near[entry.hub as usize];
                if *known == f64::INFINITY {
                    hubs.push(entry.hub);
                }
                if length + SLACK < *known {
                    *known = length;
                    by[entry.hub as usize] = port;
                }
            }
        }
        for &hub in &*hubs {
            let length = near[hub as usize];
            let near = |hub: Rank| near[hub as usize];
            if !labels.is_explained(hub, length, near) && !labels.is_farther(hub, length, near) {
                kept.push((hub, by[hub as usize]));
            }
        }
        for hub in hubs.drain(..) {
            near[hub as usize] = f64::INFINITY;
        }
    }
}
