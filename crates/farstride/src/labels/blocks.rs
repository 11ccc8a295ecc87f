//! Labels of cells, block by block.
//!
//! A cell counts as a node below all others: its label follows from the labels of
//! the subgoals it is linked to, its *vias*, as that of any node follows from the
//! nodes above it. Cells of one block have nearly the same vias and hubs. So the
//! entries that some cell needs are stored once per block, each with the via it
//! starts from, the hub it leads to and the distance between the two. A cell
//! stores only which vias are its own.
//!
//! All cells of a block are labelled together, [`LANES`] at a time. For every hub
//! of a via, this finds its distance from each cell; then the cells that need it,
//! because no higher hub lies on the way; and then few vias over which all of
//! these cells reach it. Labelling cells one by one would choose vias that differ
//! from cell to cell, and the block would need more entries.

use super::build::Ingredients;
use super::measure::{FAR, Measure};
use super::record::{Draft, Entry, MOST_VIAS, ViaId};
use super::stretches::Stretch;
use crate::base::Cell;
use crate::contraction::Rank;
use crate::hublabel::{EntryId, HubLabels};

/// Number of cells handled at a time, one bit of a word each.
const LANES: usize = 64;

/// More than any distance. Two of these and a distance do not overflow.
const FARTHEST: i32 = FAR as i32 - 1;

/// A number for each cell of a batch.
type Lanes = [i32; LANES];

/// Builds the records of blocks; shared by all threads.
pub(super) struct Labeller<'b> {
    ingredients: &'b Ingredients<'b>,
    measure: Measure,
    /// The edges of the taut graph, by rank: other end and cost.
    edges: Vec<Vec<(Rank, u32)>>,
}

/// A finished record.
pub(super) struct Made {
    /// Its bytes.
    pub(super) record: Vec<u8>,
    /// The entries of the labels of vias that it contains.
    pub(super) used: Vec<EntryId>,
}

/// A block has more vias than a record can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooMany;

impl<'b> Labeller<'b> {
    pub(super) fn new(ingredients: &'b Ingredients<'b>) -> Self {
        let Ingredients { grid, graph, hierarchy, .. } = *ingredients;
        let edges_of = |rank: Rank| {
            let edges = &graph.edges[hierarchy.node_at(rank).index()];
            edges.iter().map(|&(other, cost)| (hierarchy.rank_of(other), cost)).collect()
        };
        let edges = hierarchy.all_ranks().map(edges_of).collect();
        Self { ingredients, measure: Measure::new(grid.rules()), edges }
    }

    /// Builds the record of the block with `side` cells to a side whose first cell
    /// is `corner`. Returns `None` if no cell of it is linked to a subgoal.
    ///
    /// # Errors
    /// [`TooMany`] if it has more than [`MOST_VIAS`] vias.
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
            work.find_distances();
            work.find_needed(batch, labels);
            work.find_attained(batch);
        }
        work.choose();
        Ok(Some(self.write(side, work)))
    }

    /// Finds the distances of the vias from the cells of a batch.
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

    /// Drops every link that another link and an edge between the two vias replace
    /// at no higher cost.
    ///
    /// Edges cost something, so no two links can replace each other.
    fn dominate(&self, work: &mut Work) {
        let Work { vias, linked, dominated, places, block, .. } = work;
        dominated.clear();
        dominated.resize(vias.len(), [0; LANES]);
        for (at, &via) in vias.iter().enumerate() {
            for &(other, cost) in &self.edges[via.index()] {
                if let Some(other) = places[other.index()].via.in_block(*block) {
                    let (nearer, farther) = (&linked[at], &linked[other]);
                    let dominated = &mut dominated[other];
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

    /// Writes the record of the entries that were chosen.
    fn write(&self, side: usize, work: &mut Work) -> Made {
        let mut draft = Draft::default();
        let mut links = vec![Vec::new(); side * side];
        let mut used = Vec::new();
        let entries = work.entries.iter().zip(work.chosen.chunks(work.batches));
        for (&offer, chosen) in entries {
            if chosen.iter().all(|&cells| cells == 0) {
                continue;
            }
            let (via, hub) = (work.vias[offer.via.index()], work.hubs[offer.hub.index()]);
            if draft.vias.last().is_none_or(|&(_, last)| last != via) {
                draft.vias.push((self.ingredients.cell(via), via));
            }
            let place = ViaId::new(draft.vias.len() - 1);
            // A via that is the hub itself needs no entry: records list all vias.
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
        let record = draft.write(&links, Rank::new(self.ingredients.hierarchy.node_count() as u32));
        Made { record, used }
    }
}

/// Position of a hub among those of the block at hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct HubId(u32);

impl HubId {
    #[inline]
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An entry of the label of a via, offered to the cells of a block.
#[derive(Clone, Copy, Debug)]
struct Offer {
    via: ViaId,
    hub: HubId,
    cost: i32,
    /// The entry in the labels of subgoals.
    entry: EntryId,
}

/// Working memory of a thread. All of it is about the block at hand.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// Ranks of the vias, rising.
    vias: Vec<Rank>,
    /// Positions at which the stretches of each via begin, and the end.
    first_stretch: Vec<usize>,
    /// Ranks of the hubs.
    hubs: Vec<Rank>,
    /// For each rank of the hierarchy, its positions in `vias` and `hubs`.
    places: Vec<Places>,
    /// Number of blocks begun: what is known of earlier blocks does not count,
    /// and nothing needs to be cleared.
    block: u32,
    /// Entries of the labels of all vias, via by via.
    entries: Vec<Offer>,
    /// Number of batches of [`LANES`] cells in the block.
    batches: usize,
    /// Distance of each via from the cells of a batch.
    linked: Vec<Lanes>,
    /// For each via, 1 for the cells whose links to it others replace.
    dominated: Vec<Lanes>,
    /// Distance of each hub from the cells of a batch.
    best: Vec<Lanes>,
    /// For each hub and batch, the cells that need it.
    needed: Vec<u64>,
    /// For each entry and batch, the cells that need its hub and have no shorter
    /// way there.
    attained: Vec<u64>,
    /// For each entry and batch, the cells that use it.
    chosen: Vec<u64>,
    /// For each hub, the positions of the entries that lead to it.
    leading: Vec<Vec<u32>>,
}

/// The positions of a rank in a block.
#[derive(Clone, Copy, Debug, Default)]
struct Places {
    /// Among the hubs.
    hub: Position,
    /// Among the vias.
    via: Position,
}

/// A position that counts for one block only.
#[derive(Clone, Copy, Debug, Default)]
struct Position {
    block: u32,
    at: u32,
}

impl Position {
    /// The position, if it was set for this block.
    #[inline]
    const fn in_block(self, block: u32) -> Option<usize> {
        if self.block == block { Some(self.at as usize) } else { None }
    }
}

impl Work {
    /// Begins another block.
    fn begin(&mut self, ranks: usize, side: usize) {
        self.batches = (side * side).div_ceil(LANES);
        self.places.resize(ranks, Places::default());
        self.block += 1;
    }

    /// Numbers the vias that some cell of the block is linked to.
    fn number_vias(&mut self, stretches: &[Stretch]) {
        self.vias.clear();
        self.first_stretch.clear();
        for (first, stretch) in stretches.iter().enumerate() {
            if self.vias.last() != Some(&stretch.via) {
                let at = self.vias.len() as u32;
                self.places[stretch.via.index()].via = Position { block: self.block, at };
                self.vias.push(stretch.via);
                self.first_stretch.push(first);
            }
        }
        self.first_stretch.push(stretches.len());
    }

    /// Numbers the hubs of all vias, and lists the entries that lead to them.
    fn number_hubs(&mut self, labels: &HubLabels) {
        self.hubs.clear();
        self.entries.clear();
        for (at, &via) in self.vias.iter().enumerate() {
            for entry in labels.range(via).map(|entry| EntryId::new(entry as u32)) {
                let rank = labels.hub_of(entry);
                let place = &mut self.places[rank.index()].hub;
                if place.block != self.block {
                    *place = Position { block: self.block, at: self.hubs.len() as u32 };
                    self.hubs.push(rank);
                }
                let (hub, cost) = (HubId(place.at), labels.cost_of(entry) as i32);
                self.entries.push(Offer { via: ViaId::new(at), hub, cost, entry });
            }
        }
        self.needed.clear();
        self.needed.resize(self.hubs.len() * self.batches, 0);
        self.attained.clear();
        self.attained.resize(self.entries.len() * self.batches, 0);
    }

    /// Finds the distances of all hubs from the cells of a batch.
    fn find_distances(&mut self) {
        self.best.clear();
        self.best.resize(self.hubs.len(), [FARTHEST; LANES]);
        for offer in &self.entries {
            let linked = &self.linked[offer.via.index()];
            let best = &mut self.best[offer.hub.index()];
            for lane in 0..LANES {
                best[lane] = best[lane].min(linked[lane] + offer.cost);
            }
        }
    }

    /// Finds the cells of a batch that need each hub: those from which no higher
    /// hub lies on a way that is as short.
    fn find_needed(&mut self, batch: usize, labels: &HubLabels) {
        for (at, &hub) in self.hubs.iter().enumerate() {
            let best = &self.best[at];
            let mut needed = best.map(|cost| i32::from(cost < FARTHEST));
            for (other, rest) in labels.label_of(hub).take_while(|&(other, _)| other != hub) {
                if let Some(place) = self.places[other.index()].hub.in_block(self.block) {
                    let (other, rest) = (&self.best[place], rest as i32);
                    for lane in 0..LANES {
                        needed[lane] &= i32::from(other[lane] + rest > best[lane]);
                    }
                }
            }
            self.needed[at * self.batches + batch] = word(&needed);
        }
    }

    /// Finds the cells of a batch that each entry leads to a hub they need by a
    /// shortest way.
    fn find_attained(&mut self, batch: usize) {
        for (at, offer) in self.entries.iter().enumerate() {
            let needed = self.needed[offer.hub.index() * self.batches + batch];
            if needed == 0 {
                continue;
            }
            let (linked, best) = (&self.linked[offer.via.index()], &self.best[offer.hub.index()]);
            let mut attained = [0; LANES];
            for lane in 0..LANES {
                attained[lane] = i32::from(linked[lane] + offer.cost == best[lane]);
            }
            self.attained[at * self.batches + batch] = word(&attained) & needed;
        }
    }

    /// Chooses entries until every cell reaches every hub it needs.
    ///
    /// Greedy: a via that is the hub itself comes first, because it needs no
    /// entry, then whichever entry serves most of the remaining cells, and of
    /// equal ones the first, so that every build chooses the same.
    fn choose(&mut self) {
        let batches = self.batches;
        self.chosen.clear();
        self.chosen.resize(self.attained.len(), 0);
        self.leading.iter_mut().for_each(Vec::clear);
        self.leading.resize(self.leading.len().max(self.hubs.len()), Vec::new());
        for (at, offer) in (0..).zip(&self.entries) {
            if self.attained[at as usize * batches..][..batches].iter().any(|&cells| cells != 0) {
                self.leading[offer.hub.index()].push(at);
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

/// A word with a bit set for every lane that is 1. All lanes must be 0 or 1.
fn word(lanes: &Lanes) -> u64 {
    let mut bytes = [0_u8; LANES];
    for (byte, &lane) in bytes.iter_mut().zip(lanes) {
        *byte = lane as u8;
    }
    // The factor moves the lowest bit of each of eight bytes into the highest
    // byte, next to each other.
    let eight = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    bytes.as_chunks().0.iter().rev().fold(0, |word, bytes| word << 8 | eight(bytes))
}

/// The positions of the set bits.
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
