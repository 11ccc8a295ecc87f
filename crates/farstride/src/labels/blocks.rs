//! Labels of cells, block by block.
//!
//! A cell counts as a node below all others: its label is made of the labels of
//! the subgoals it is linked to, its *vias*, like that of any node is made of
//! those above it. Cells of one block have nearly the same vias and hubs. So the
//! entries that some cell needs are stored once per block, as the via they start
//! with, the hub they lead to and the cost between the two; a cell keeps only
//! which of the vias are its own.
//!
//! All cells of a block are labelled together, [`LANES`] at a time. For every
//! hub that a via knows, this finds out how far it is from each cell; which
//! cells need it, because no higher hub lies on the way; and then the fewest
//! vias, found greedily, over which they all reach it.

use super::build::Ingredients;
use super::measure::{FAR, Measure};
use super::record::{Draft, Entry, MOST_VIAS};
use super::stretches::Stretch;
use crate::base::{Cell, NodeId};
use crate::hublabel::HubLabels;

/// Cells that are handled at a time, one bit of a word each.
const LANES: usize = 64;

/// Farther than any cell: two of these and a distance do not overflow.
const FARTHEST: i32 = FAR as i32 - 1;

/// A number for each of some cells.
type Lanes = [i32; LANES];

/// Makes the records of blocks.
pub(super) struct Labeller<'b> {
    ingredients: &'b Ingredients<'b>,
    measure: Measure,
    /// The edges of the taut graph, by rank.
    edges: Vec<Vec<(u32, u32)>>,
}

/// The record of a block.
pub(super) struct Made {
    /// Its bytes.
    pub(super) record: Vec<u8>,
    /// The entries of labels of vias that it contains.
    pub(super) used: Vec<u32>,
}

/// A block has more vias than a record holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooMany;

impl<'b> Labeller<'b> {
    pub(super) fn new(ingredients: &'b Ingredients<'b>) -> Self {
        let Ingredients { grid, graph, hierarchy, .. } = *ingredients;
        let edges_of = |rank: u32| {
            let edges = &graph.edges[hierarchy.node_at(rank).index()];
            edges.iter().map(|&(other, cost)| (hierarchy.rank_of(NodeId::new(other)), cost)).collect()
        };
        let edges = (0..hierarchy.node_count() as u32).map(edges_of).collect();
        Self { ingredients, measure: Measure::new(grid.rules()), edges }
    }

    /// The record of a block with `side` cells to a side, of which `corner` is
    /// the first, and some are linked; `None` if none is.
    pub(super) fn record(
        &self,
        corner: Cell,
        side: usize,
        stretches: &[Stretch],
        work: &mut Work,
    ) -> Result<Option<Made>, TooMany> {
        if stretches.is_empty() {
            return Ok(None);
        }
        let labels = self.ingredients.labels;
        work.begin(self.ingredients.hierarchy.node_count(), side);
        work.number_vias(stretches);
        if work.vias.len() > MOST_VIAS {
            return Err(TooMany);
        }
        work.number_hubs(labels);
        for batch in 0..work.batches {
            self.link(corner, side, stretches, batch, work);
            self.dominate(work);
            work.reach();
            work.judge(batch, labels);
            work.attain(batch);
        }
        work.choose();
        Ok(Some(self.write(side, work)))
    }

    /// Finds out how far the vias are from the cells of a batch.
    fn link(&self, corner: Cell, side: usize, stretches: &[Stretch], batch: usize, work: &mut Work) {
        work.linked.clear();
        work.linked.resize(work.vias.len(), [FARTHEST; LANES]);
        let ranges = work.first_stretch.windows(2);
        for ((linked, &via), range) in work.linked.iter_mut().zip(&work.vias).zip(ranges) {
            let place = self.ingredients.cell(via);
            for position in stretches[range[0]..range[1]].iter().flat_map(|stretch| stretch.positions()) {
                if position / LANES == batch {
                    let (x, y) = (position % side, position / side);
                    let cell = Cell::new(corner.x + x as u16, corner.y + y as u16);
                    linked[position % LANES] = self.measure.distance(cell, place) as i32;
                }
            }
        }
    }

    /// Drops every link for which there is another one, and an edge from its
    /// via to that of the first, which together are no longer.
    fn dominate(&self, work: &mut Work) {
        let Work { vias, linked, dominated, places, block, .. } = work;
        dominated.clear();
        dominated.resize(vias.len(), [0; LANES]);
        for (at, &via) in vias.iter().enumerate() {
            for &(other, cost) in &self.edges[via as usize] {
                let place = places[other as usize];
                if place.via.0 == *block {
                    let (nearer, farther) = (&linked[at], &linked[place.via.1 as usize]);
                    let dominated = &mut dominated[place.via.1 as usize];
                    for lane in 0..LANES {
                        dominated[lane] |= i32::from(nearer[lane] + cost as i32 <= farther[lane]);
                    }
                }
            }
        }
        for (linked, dominated) in linked.iter_mut().zip(dominated) {
            for lane in 0..LANES {
                linked[lane] = if dominated[lane] == 0 { linked[lane] } else { FARTHEST };
            }
        }
    }

    /// Puts together what was chosen.
    fn write(&self, side: usize, work: &mut Work) -> Made {
        let mut draft = Draft::default();
        let mut links = vec![Vec::new(); side * side];
        let mut used = Vec::new();
        let entries = work.entries.iter().zip(work.chosen.chunks(work.batches));
        for (&offer, chosen) in entries {
            if chosen.iter().all(|&cells| cells == 0) {
                continue;
            }
            let (via, hub) = (work.vias[offer.via as usize], work.hubs[offer.hub as usize]);
            if draft.vias.last().is_none_or(|&(_, last)| last != via) {
                draft.vias.push((self.ingredients.cell(via), via));
            }
            let place = draft.vias.len() - 1;
            if hub != via {
                draft.entries.push(Entry::new(hub, place, offer.cost as u32));
                used.push(offer.entry);
            }
            for position in bits_of(chosen) {
                if links[position].last() != Some(&place) {
                    links[position].push(place);
                }
            }
        }
        let record = draft.write(&links, self.ingredients.hierarchy.node_count() as u32);
        Made { record, used }
    }
}

/// An entry of the label of a via.
#[derive(Clone, Copy, Debug)]
struct Offer {
    /// Position of the via.
    via: u32,
    /// Position of the hub.
    hub: u32,
    cost: i32,
    /// Position among all entries.
    entry: u32,
}

/// Working memory of a thread.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// Ranks of the vias, rising.
    vias: Vec<u32>,
    /// Where the stretches of each via begin.
    first_stretch: Vec<usize>,
    /// Ranks of the hubs.
    hubs: Vec<u32>,
    /// The positions of each rank.
    places: Vec<Places>,
    /// The number of the block at hand.
    block: u32,
    /// Entries of the labels of all vias, via by via.
    entries: Vec<Offer>,
    /// Groups of [`LANES`] cells in the block.
    batches: usize,
    /// How far each via is from the cells of a batch.
    linked: Vec<Lanes>,
    /// The cells whose links to each via are replaced by others.
    dominated: Vec<Lanes>,
    /// How far each hub is.
    best: Vec<Lanes>,
    /// For each hub and batch, the cells that need it.
    needed: Vec<u64>,
    /// For each entry and batch, the cells that need its hub and have no
    /// shorter way there.
    attained: Vec<u64>,
    /// For each entry and batch, the cells that use it.
    chosen: Vec<u64>,
    /// For each hub, the positions of the entries that lead there.
    leading: Vec<Vec<u32>>,
}

/// The positions of a rank, each beside the number of the block it is for.
#[derive(Clone, Copy, Debug, Default)]
struct Places {
    /// As a hub.
    hub: (u32, u32),
    /// As a via.
    via: (u32, u32),
}

impl Work {
    fn begin(&mut self, ranks: usize, side: usize) {
        self.batches = (side * side).div_ceil(LANES);
        self.places.resize(ranks, Places::default());
        self.block += 1;
    }

    fn number_vias(&mut self, stretches: &[Stretch]) {
        self.vias.clear();
        self.first_stretch.clear();
        for (at, stretch) in stretches.iter().enumerate() {
            if self.vias.last() != Some(&stretch.via) {
                self.places[stretch.via as usize].via = (self.block, self.vias.len() as u32);
                self.vias.push(stretch.via);
                self.first_stretch.push(at);
            }
        }
        self.first_stretch.push(stretches.len());
    }

    fn number_hubs(&mut self, labels: &HubLabels) {
        self.hubs.clear();
        self.entries.clear();
        for (at, &via) in (0..).zip(&self.vias) {
            for entry in labels.range(via) {
                let hub = labels.hubs()[entry];
                let place = &mut self.places[hub as usize].hub;
                if place.0 != self.block {
                    *place = (self.block, self.hubs.len() as u32);
                    self.hubs.push(hub);
                }
                let cost = labels.costs()[entry] as i32;
                self.entries.push(Offer { via: at, hub: place.1, cost, entry: entry as u32 });
            }
        }
        self.needed.clear();
        self.needed.resize(self.hubs.len() * self.batches, 0);
        self.attained.clear();
        self.attained.resize(self.entries.len() * self.batches, 0);
    }

    /// Finds out how far all hubs are from the cells of a batch.
    fn reach(&mut self) {
        self.best.clear();
        self.best.resize(self.hubs.len(), [FARTHEST; LANES]);
        for offer in &self.entries {
            let linked = &self.linked[offer.via as usize];
            let best = &mut self.best[offer.hub as usize];
            for lane in 0..LANES {
                best[lane] = best[lane].min(linked[lane] + offer.cost);
            }
        }
    }

    /// Finds out which cells of a batch need which hubs: those from which no
    /// other hub lies on a way as short.
    fn judge(&mut self, batch: usize, labels: &HubLabels) {
        for (at, &hub) in self.hubs.iter().enumerate() {
            let best = &self.best[at];
            let mut needed = best.map(|cost| i32::from(cost < FARTHEST));
            let label = labels.range(hub);
            let others = label.start..label.end - 1; // without itself
            for entry in others {
                let (block, place) = self.places[labels.hubs()[entry] as usize].hub;
                if block == self.block {
                    let other = &self.best[place as usize];
                    let rest = labels.costs()[entry] as i32;
                    for lane in 0..LANES {
                        needed[lane] &= i32::from(other[lane] + rest > best[lane]);
                    }
                }
            }
            self.needed[at * self.batches + batch] = word(&needed);
        }
    }

    /// Finds out which entries lead cells of a batch to hubs they need.
    fn attain(&mut self, batch: usize) {
        for (at, offer) in self.entries.iter().enumerate() {
            let needed = self.needed[offer.hub as usize * self.batches + batch];
            if needed == 0 {
                continue;
            }
            let (linked, best) = (&self.linked[offer.via as usize], &self.best[offer.hub as usize]);
            let mut attained = [0; LANES];
            for lane in 0..LANES {
                attained[lane] = i32::from(linked[lane] + offer.cost == best[lane]);
            }
            self.attained[at * self.batches + batch] = word(&attained) & needed;
        }
    }

    /// Chooses entries until every cell reaches every hub it needs: a via that
    /// is the hub first, then whichever serves most of the cells left.
    fn choose(&mut self) {
        let batches = self.batches;
        self.chosen.clear();
        self.chosen.resize(self.attained.len(), 0);
        self.leading.iter_mut().for_each(Vec::clear);
        self.leading.resize(self.leading.len().max(self.hubs.len()), Vec::new());
        for (at, offer) in (0..).zip(&self.entries) {
            if self.attained[at as usize * batches..][..batches].iter().any(|&cells| cells != 0) {
                self.leading[offer.hub as usize].push(at);
            }
        }
        for hub in 0..self.hubs.len() {
            while self.needed[hub * batches..][..batches].iter().any(|&cells| cells != 0) {
                let serves = |&at: &u32| {
                    let left = &self.needed[hub * batches..][..batches];
                    let attained = &self.attained[at as usize * batches..][..batches];
                    let cells: u32 = attained.iter().zip(left).map(|(a, b)| (a & b).count_ones()).sum();
                    let is_hub = cells > 0 && self.entries[at as usize].cost == 0;
                    (is_hub, cells, std::cmp::Reverse(at))
                };
                let Some(&at) = self.leading[hub].iter().max_by_key(|at| serves(at)) else { break };
                for batch in 0..batches {
                    let place = at as usize * batches + batch;
                    let cells = self.attained[place] & self.needed[hub * batches + batch];
                    self.chosen[place] |= cells;
                    self.needed[hub * batches + batch] &= !cells;
                }
            }
        }
    }
}

/// One bit for each lane that is 1, not 0.
fn word(lanes: &Lanes) -> u64 {
    let mut bytes = [0_u8; LANES];
    for (byte, &lane) in bytes.iter_mut().zip(lanes) {
        *byte = lane as u8;
    }
    let eight = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    bytes.as_chunks().0.iter().rev().fold(0, |word, bytes| word << 8 | eight(bytes))
}

/// The positions of the bits that are set.
fn bits_of(words: &[u64]) -> impl Iterator<Item = usize> {
    let set = |(at, &word): (usize, &u64)| {
        (0..LANES).filter(move |bit| word >> bit & 1 != 0).map(move |bit| at * LANES + bit)
    };
    words.iter().enumerate().flat_map(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_become_bits() {
        let lanes: Lanes = std::array::from_fn(|lane| i32::from(lane % 7 == 3 || lane == 63));
        let expected =
            (0..64).filter(|lane| lane % 7 == 3 || *lane == 63).fold(0, |word, lane| word | 1 << lane);
        assert_eq!(word(&lanes), expected);
        assert!(bits_of(&[0b101, 1 << 63]).eq([0, 2, 127]));
    }
}
