//! Labels of cells, block by block.
//!
//! A cell counts as less important than all corners. Its label follows from those of the
//! ports through which its paths leave, its *outlets*: for each hub the nearest way there,
//! if the path is taut at the outlet. A hub is dropped if a more important one lies on a way
//! that is as short, or if there is a shorter way to it that bends elsewhere. What the cells
//! of a block keep is stored once, in one record of the form that `labels` has.

use super::full::{Euclid, SIDE_BIT};
use super::graph::{Outlets, Port, TautCorners, between};
use super::label::{MARGIN, PortLabels, Rank, SLACK};
use crate::base::Cell;
use crate::contraction;
use crate::labels::TooMany;
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

/// Working memory of a thread.
#[derive(Default)]
pub(super) struct Work {
    /// The hubs that some cell of the block has a way to.
    hubs: Vec<Rank>,
    /// The position of each of them there, for all other ranks [`NOWHERE`].
    places: Vec<u32>,
    /// The length of the nearest way to each hub from each cell of the block, hub by hub.
    near: Vec<f64>,
    /// The outlets by which these ways leave.
    by: Vec<Port>,
    /// The least length to each hub from any cell.
    least: Vec<f64>,
    /// Whether each cell can do without the hub at hand.
    spare: Vec<bool>,
    /// Hubs that cells of the block need, and the outlets they are reached by.
    kept: Vec<(Rank, Port)>,
}

const NOWHERE: u32 = u32::MAX;

impl Ingredients<'_> {
    /// Builds the record of the block with `side` cells to a side whose first cell is
    /// `first`. Returns `None` if no path leaves any cell of it.
    pub(super) fn record(&self, first: Cell, side: u16, work: &mut Work) -> Result<Option<Made>, TooMany> {
        let Self { taut, outlets, labels } = *self;
        let grid = taut.space.grid;
        work.places.resize(taut.corners.len(), NOWHERE);
        work.kept.clear();
        let cells = || {
            (first.y..first.y + side)
                .flat_map(move |y| (first.x..first.x + side).map(move |x| Cell::new(x, y)))
        };
        let count = usize::from(side) * usize::from(side);
        for (at, cell) in cells().enumerate().filter(|&(_, cell)| grid.is_free(cell)) {
            self.spread(cell, (at, count), work);
        }
        self.keep(count, work);
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

    /// Finds the nearest way to each hub from a cell, which is the one at a position of its block.
    fn spread(&self, cell: Cell, (at, count): (usize, usize), work: &mut Work) {
        let Self { taut, outlets, labels } = *self;
        let Work { hubs, places, near, by, .. } = work;
        for &port in outlets.of_cell(taut.space.grid.index(cell)) {
            let corner = taut.corner(port.corner());
            let before = taut.space.to_cell(corner, cell.x.into(), cell.y.into());
            let link = taut.distance(cell, port.corner());
            let is_taut = corner.taut_from(before);
            for entry in labels.of(port) {
                if entry.length > 0.0 && !is_taut(between(corner, taut.corner(entry.next))) {
                    continue;
                }
                let place = &mut places[entry.hub as usize];
                if *place == NOWHERE {
                    *place = hubs.len() as u32;
                    hubs.push(entry.hub);
                    near.resize(hubs.len() * count, f64::INFINITY);
                    by.resize(hubs.len() * count, port);
                }
                let place = *place as usize * count + at;
                let length = link + entry.length;
                if length + SLACK < near[place] {
                    near[place] = length;
                    by[place] = port;
                }
            }
        }
    }

    /// Appends what cells of a block need to `work.kept`.
    ///
    /// Hub by hub, and not cell by cell: most ways over another hub are too long for every cell, which
    /// the least length to that hub tells at once.
    fn keep(&self, count: usize, work: &mut Work) {
        let Work { hubs, places, near, by, least, spare, kept } = work;
        least.clear();
        least.extend(near.chunks_exact(count).map(|ways| ways.iter().copied().fold(f64::INFINITY, f64::min)));
        let ways = near.chunks_exact(count).zip(by.chunks_exact(count));
        for (&hub, (lengths, ports)) in hubs.iter().zip(ways) {
            let most = lengths.iter().copied().filter(|length| length.is_finite()).fold(0.0, f64::max);
            spare.clear();
            spare.extend(lengths.iter().map(|length| length.is_infinite()));
            // The lengths to another hub, if the least of them is short enough.
            let over = |other: Rank, is_short: &dyn Fn(f64) -> bool| {
                let place = places[other as usize] as usize;
                let is_known = least.get(place).is_some_and(|&least| is_short(least));
                is_known.then(|| &near[place * count..][..count])
            };
            for &(other, rest) in self.labels.above(hub) {
                let Some(others) = over(other, &|least| least + rest <= most + SLACK) else { continue };
                for ((spare, other), length) in spare.iter_mut().zip(others).zip(lengths) {
                    *spare |= other + rest <= length + SLACK;
                }
            }
            for &(other, rest) in self.labels.around(hub) {
                let Some(others) = over(other, &|least| least + rest + MARGIN < most) else { continue };
                for ((spare, other), length) in spare.iter_mut().zip(others).zip(lengths) {
                    *spare |= other + rest + MARGIN < *length;
                }
            }
            for (_, &port) in spare.iter().zip(ports).filter(|&(&spare, _)| !spare) {
                if kept.last() != Some(&(hub, port)) {
                    kept.push((hub, port));
                }
            }
        }
        for hub in hubs.drain(..) {
            places[hub as usize] = NOWHERE;
        }
        near.clear();
        by.clear();
    }
}
