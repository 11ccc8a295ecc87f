//! Proofs of what queries rely on. Numbers in parentheses are those of the list at
//! the head of [`super`].

use super::around::Around;
use super::{CorruptLabels, Full, LabelPlace, Part};
use crate::base::{Cell, Rect};
use crate::contraction::Rank;
use crate::grid::{Diagonals, Grid, Rules};
use crate::labels::full::ARRIVED;
use crate::labels::record::{ALIGNMENT, GROUP, Record, ViaId};
use crate::labels::segments::Segments;
use crate::labels::tracks;

/// The map of the labels, or its size and rules if the map is not at hand.
#[derive(Clone, Copy)]
pub(super) struct Ground<'g> {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) rules: Rules,
    pub(super) grid: Option<&'g Grid>,
}

/// Proves the list at the head of [`super`]: all of it if the grid is known; otherwise
/// tracks may lead through walls (1), and links (6) are not proved.
///
/// Tracks come first, because they give the cells and costs of arcs; labels follow
/// from these, and records from labels.
pub(super) fn prove(full: &Full, ground: Ground<'_>) -> Result<(), CorruptLabels> {
    full.check_sizes(ground.width, ground.height).map_err(CorruptLabels::whole)?;
    let proof = Proof {
        full,
        ground,
        first: words(full.part(Part::First)),
        hubs: words(full.part(Part::Hubs)),
        hops: full.part(Part::Hops).as_chunks().0,
    };
    let arcs = proof.arcs()?;
    let mut known = proof.labels(arcs)?;
    let vias = proof.records(&mut known)?;
    if let Some(grid) = ground.grid {
        proof.links(grid, vias, &known)?;
    }
    let farthest = known.costs.iter().copied().max().unwrap_or(0);
    if u64::from(full.longest) != full.longest_of(farthest, ground.width, ground.height) {
        return Err(CorruptLabels::whole("announce another cost than that of the longest path"));
    }
    Ok(())
}

/// The segments to be proved.
struct Proof<'p> {
    full: &'p Full,
    ground: Ground<'p>,
    first: &'p [[u8; 4]],
    hubs: &'p [[u8; 4]],
    hops: &'p [[u8; 8]],
}

/// An arc, as its track shows it.
#[derive(Clone, Copy)]
struct Arc {
    /// Start of its track.
    track: u32,
    from: Cell,
    to: Cell,
    cost: u32,
    /// The rank that it leads to; [`Rank::NONE`] until a label says so.
    head: Rank,
}

/// What the labels proved so far say.
struct Known {
    /// The cell of each rank, or [`NOWHERE`].
    cells: Vec<Cell>,
    /// The cost of each entry.
    costs: Vec<u32>,
}

/// A via of a block. Ordered by rank, so that links can be proved subgoal by subgoal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Via {
    rank: Rank,
    block: u32,
    at: ViaId,
}

/// A cell of no map: not known yet.
const NOWHERE: Cell = Cell { x: u16::MAX, y: u16::MAX };

impl Proof<'_> {
    /// Number of ranks.
    fn rank_count(&self) -> usize {
        self.first.len() - 1
    }

    /// The hub of an entry.
    fn hub(&self, entry: usize) -> Rank {
        Rank::new(word(self.hubs[entry]))
    }

    /// First entry of a rank, and the end of its entries.
    fn range(&self, rank: Rank) -> (usize, usize) {
        (word(self.first[rank.index()]) as usize, word(self.first[rank.index() + 1]) as usize)
    }

    /// Proves all tracks (1); returns their arcs, in the order of tracks.
    fn arcs(&self) -> Result<Vec<Arc>, CorruptLabels> {
        let bytes = self.full.part(Part::Tracks);
        let mut arcs = Vec::new();
        let mut at = tracks::MARGIN;
        let (mut cells, mut memory) = (Vec::new(), Vec::new());
        while at < bytes.len() - tracks::MARGIN {
            let flawed = |flaw| CorruptLabels::at(LabelPlace::Arc(arcs.len() as u32), flaw);
            let end = tracks::read(bytes, at, &mut cells, &mut memory);
            let end = end.ok_or(flawed("has a track of another form"))?;
            let mut walk = Walk::new(self);
            for &cell in &cells {
                walk.go(cell);
            }
            let arc = walk.arc(at as u32).map_err(flawed)?;
            arcs.push(arc);
            at = end;
        }
        let margins = [&bytes[..tracks::MARGIN], &bytes[bytes.len() - tracks::MARGIN..]];
        if at + tracks::MARGIN != bytes.len() || margins.concat().iter().any(|&byte| byte != 0) {
            return Err(CorruptLabels::whole("have something else than tracks among them"));
        }
        Ok(arcs)
    }

    /// Proves all labels (2, 3).
    fn labels(&self, mut arcs: Vec<Arc>) -> Result<Known, CorruptLabels> {
        let is_sound = self.first.first() == Some(&[0; 4])
            && self.first.windows(2).all(|pair| word(pair[0]) <= word(pair[1]))
            && self.first.last().is_some_and(|&end| word(end) as usize == self.hubs.len());
        if !is_sound {
            return Err(CorruptLabels::whole("have rows that overlap or leave gaps"));
        }
        let mut known = Known { cells: vec![NOWHERE; self.rank_count()], costs: Vec::new() };
        known.costs.reserve_exact(self.hubs.len());
        for rank in (0..self.rank_count() as u32).map(Rank::new) {
            let label = self.label(rank, &mut arcs, &mut known);
            label.map_err(|flaw| CorruptLabels::at(LabelPlace::Rank(rank.get()), flaw))?;
        }
        Ok(known)
    }

    /// Proves the label of a rank (2, 3). All labels above are proved.
    fn label(&self, rank: Rank, arcs: &mut [Arc], known: &mut Known) -> Result<(), &'static str> {
        let (begin, end) = self.range(rank);
        let mut least = 0;
        for entry in begin..end {
            let hub = self.hub(entry);
            if hub.get() < least || hub >= rank {
                return Err("has hubs that do not rise or are not above it");
            }
            least = hub.get() + 1;
            let (track, next) = halves(self.hops[entry]);
            let arc = arcs.binary_search_by_key(&track, |arc| arc.track);
            let arc = arc.ok().and_then(|arc| arcs.get_mut(arc)).ok_or("has an entry without a track")?;
            let cost = self.entry(rank, hub, next, arc, known)?;
            known.costs.push(cost);
        }
        Ok(())
    }

    /// Proves an entry that begins with `arc`; returns its cost.
    fn entry(
        &self,
        rank: Rank,
        hub: Rank,
        next: u32,
        arc: &mut Arc,
        known: &mut Known,
    ) -> Result<u32, &'static str> {
        let (head, rest) = if next == ARRIVED {
            (hub, 0)
        } else {
            let next = next as usize;
            // An entry before the label of this rank: so it is proved already, and
            // following entries always ends.
            if next >= self.range(rank).0 || self.hub(next) != hub {
                return Err("has an entry that goes on to another hub");
            }
            let head = self.first.partition_point(|&first| word(first) as usize <= next) - 1;
            (Rank::new(head as u32), known.costs[next])
        };
        if arc.head == Rank::NONE {
            arc.head = head;
            known.place(head, arc.to)?;
        }
        if arc.head != head {
            return Err("has an arc that leads to two others");
        }
        known.place(rank, arc.from)?;
        arc.cost.checked_add(rest).ok_or("has a hub that is too far away")
    }

    /// Proves all records (4, 5); returns all of their vias.
    fn records(&self, known: &mut Known) -> Result<Vec<Via>, CorruptLabels> {
        let (starts, bytes) = (words(self.full.part(Part::Blocks)), self.full.part(Part::Records));
        let mut vias = Vec::new();
        let mut at = ALIGNMENT;
        let mut is_clean = bytes[..at].iter().all(|&byte| byte == 0);
        for (block, &start) in (0..).zip(starts) {
            let flawed = |flaw| CorruptLabels::at(LabelPlace::Block(block), flaw);
            let is_free = |grid: &Grid| self.area(block).cells().any(|cell| grid.is_free(cell));
            if start == [0; 4] {
                continue;
            }
            if self.ground.grid.is_some_and(|grid| !is_free(grid)) {
                return Err(flawed("has a record although no cell is free"));
            }
            if word(start) as usize * ALIGNMENT != at {
                return Err(flawed("has a record that does not follow the one before"));
            }
            let record = self.record_of(block).ok_or(flawed("has a record that is cut off"))?;
            let ranks = self.record(&record, known).map_err(flawed)?;
            vias.extend((0..).zip(ranks).map(|(at, rank)| Via { rank, block, at: ViaId::new(at) }));
            let end = at + record.byte_count();
            at = end.next_multiple_of(ALIGNMENT);
            is_clean &= bytes[end..at].iter().all(|&byte| byte == 0);
        }
        if !is_clean || at != bytes.len() {
            return Err(CorruptLabels::whole("have something else than records among them"));
        }
        Ok(vias)
    }

    /// The record of a block; `None` if it is truncated.
    fn record_of(&self, block: u32) -> Option<Record<'_>> {
        let &start = words(self.full.part(Part::Blocks)).get(block as usize)?;
        let bytes = self.full.part(Part::Records).get(word(start) as usize * ALIGNMENT..)?;
        Record::read(bytes, self.full.segments.block_cells())
    }

    /// The cells of a block.
    fn area(&self, block: u32) -> Rect {
        let (Ground { width, height, .. }, Segments { shift, columns, .. }) =
            (self.ground, &self.full.segments);
        let block = block as usize;
        let (left, top) = ((block % columns) << shift, (block / columns) << shift);
        let last = |first: usize, end: usize| (first + (1 << shift)).min(end) as u16 - 1;
        Rect::spanning(Cell::new(left as u16, top as u16), Cell::new(last(left, width), last(top, height)))
    }

    /// Proves a record, except for its links (3, 4, 5); returns the ranks of its vias.
    fn record(&self, record: &Record<'_>, known: &mut Known) -> Result<Vec<Rank>, &'static str> {
        let ranks = self.rank_count();
        let known_ranks = record.hubs().take_while(|&rank| rank < ranks);
        let vias: Vec<Rank> = known_ranks.map(|rank| Rank::new(rank as u32)).collect();
        let mut padding = record.hubs().skip(vias.len());
        if padding.len() >= GROUP || padding.any(|rank| rank != ranks) {
            return Err("has vias that are no hubs");
        }
        if vias.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err("has vias that do not rise");
        }
        for (at, &rank) in vias.iter().enumerate() {
            let (cell, _) = record.via(at).ok_or("has a via without a place")?;
            known.place(rank, cell)?;
        }
        let cells = 0..self.full.segments.block_cells();
        let no_vias = vias.len()..record.via_count();
        if no_vias.into_iter().any(|via| cells.clone().any(|cell| record.is_linked(cell, via))) {
            return Err("has a link to no via");
        }
        self.entries(record, &vias, known)?;
        Ok(vias)
    }

    /// Proves the entries of a record (5).
    fn entries(&self, record: &Record<'_>, vias: &[Rank], known: &Known) -> Result<(), &'static str> {
        let (mut last, mut begin, mut end) = (usize::MAX, 0, 0);
        for entry in record.entries() {
            let &rank = vias.get(entry.via()).ok_or("has an entry of a via that it has not")?;
            if entry.via() != last {
                if last != usize::MAX && entry.via() < last {
                    return Err("has entries that are not in order");
                }
                last = entry.via();
                (begin, end) = self.range(rank);
            }
            let label = &self.hubs[begin..end];
            let at = begin + label.partition_point(|&hub| (word(hub) as usize) < entry.hub());
            if at == end || self.hub(at).index() != entry.hub() {
                return Err("has an entry that its via has not");
            }
            if known.costs[at] != entry.cost() {
                return Err("has an entry of another cost than its way");
            }
            begin = at + 1;
        }
        Ok(())
    }

    /// Proves all links (6), subgoal by subgoal: what can be linked to a subgoal is
    /// found once for all blocks.
    fn links(&self, grid: &Grid, mut vias: Vec<Via>, known: &Known) -> Result<(), CorruptLabels> {
        vias.sort_unstable();
        let mut around = Around::default();
        for vias in vias.chunk_by(|one, other| one.rank == other.rank) {
            around.look(grid, known.cells[vias[0].rank.index()]);
            for &Via { block, at, .. } in vias {
                let record = self.record_of(block);
                if !record.is_some_and(|record| self.are_linked(block, &record, at, &around)) {
                    return Err(CorruptLabels::at(LabelPlace::Block(block), "has a link through a wall"));
                }
            }
        }
        Ok(())
    }

    /// Whether all links of a block to a via are legal.
    fn are_linked(&self, block: u32, record: &Record<'_>, via: ViaId, around: &Around) -> bool {
        let (shift, corner) = (self.full.segments.shift, self.area(block).min());
        (0..self.full.segments.block_cells()).all(|position| {
            let (x, y) = (position & ((1 << shift) - 1), position >> shift);
            let cell = Cell { x: corner.x + x as u16, y: corner.y + y as u16 };
            !record.is_linked(position, via.index()) || around.contains(cell)
        })
    }
}

impl Known {
    /// Sets the cell of a rank; fails if it is known to be another (3).
    fn place(&mut self, rank: Rank, cell: Cell) -> Result<(), &'static str> {
        let known = &mut self.cells[rank.index()];
        if *known == NOWHERE {
            *known = cell;
        }
        if *known == cell { Ok(()) } else { Err("has a subgoal that lies in two places") }
    }
}

impl Ground<'_> {
    /// Whether a cell is on the map.
    fn contains(&self, cell: Cell) -> bool {
        usize::from(cell.x) < self.width && usize::from(cell.y) < self.height
    }
}

/// A walk along a track, cell by cell.
struct Walk<'w> {
    proof: &'w Proof<'w>,
    from: Cell,
    at: Cell,
    cost: u64,
    is_legal: bool,
}

impl<'w> Walk<'w> {
    fn new(proof: &'w Proof<'w>) -> Self {
        Self { proof, from: NOWHERE, at: NOWHERE, cost: 0, is_legal: true }
    }

    /// Takes the next cell.
    fn go(&mut self, cell: Cell) {
        if self.at == NOWHERE {
            self.from = cell;
            self.is_legal &= self.proof.ground.contains(cell);
        } else {
            self.step(cell);
        }
        self.at = cell;
    }

    /// Checks a step to the next cell, and adds its cost.
    fn step(&mut self, next: Cell) {
        let (ground, steps) = (&self.proof.ground, self.proof.full.measure.steps);
        let Some(direction) = self.at.direction_to(next).filter(|_| ground.contains(next)) else {
            self.is_legal = false;
            return;
        };
        self.is_legal &= match ground.grid {
            Some(grid) => grid.moves_at(self.at).contains(direction),
            None => ground.rules.diagonals != Diagonals::None || !direction.is_diagonal(),
        };
        self.cost += u64::from(if direction.is_diagonal() { steps.diagonal } else { steps.straight });
    }

    /// The arc of the track that was walked.
    fn arc(&self, track: u32) -> Result<Arc, &'static str> {
        if !self.is_legal {
            return Err("has a track that is not legal");
        }
        if self.cost == 0 {
            return Err("has a track without a step");
        }
        let cost = u32::try_from(self.cost).map_err(|_| "has a track that is too long")?;
        Ok(Arc { track, from: self.from, to: self.at, cost, head: Rank::NONE })
    }
}

fn words(bytes: &[u8]) -> &[[u8; 4]] {
    bytes.as_chunks().0
}

const fn word(bytes: [u8; 4]) -> u32 {
    u32::from_le_bytes(bytes)
}

/// The two words of a hop: start of a track, and next entry.
const fn halves(hop: [u8; 8]) -> (u32, u32) {
    let both = u64::from_le_bytes(hop);
    (both as u32, (both >> 32) as u32)
}
