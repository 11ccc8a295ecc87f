//! Saving the index, and opening what somebody else saved.
//!
//! Labels are saved as they lie in memory and read where they lie in the file. Opening them
//! checks sizes ([`StraightIndex::restore`]); whatever the bytes are, queries end without a
//! panic. [`StraightIndex::check`] proves that
//!
//! 1. every place is a corner of the map;
//! 2. labels follow each other, their hubs rise, and every entry goes on with an entry of the
//!    same hub, in the end at the hub; each leg on the way is clear;
//! 3. records follow each other; their vias rise and lie at their corners; their entries are
//!    entries of the labels of their vias and cost what their legs are long;
//! 4. every cell sees the vias that it is linked to.
//!
//! A climb index is validated as far as possible while it is opened, and its edges are
//! proved to be links of the map.
//!
//! So every path found is legal and as long as the index says. Not proved is that labels are
//! complete, so that paths are shortest; [`StraightIndex::verify`] proves that too.

use super::climb::Corners;
use super::full::{Euclid, Full, Hop, MOST_CORNERS, PARTS, Part, SIDE_BIT};
use super::graph::{Port, TautCorners};
use super::index::{Kept, StraightIndex};
use super::rule::StraightRule;
use super::scan::Scan;
use super::settings::StraightSettings;
use crate::base::{Bytes, Inconsistent};
use crate::contraction::ContractionHierarchy;
use crate::grid::{Grid, Revision};
use crate::labels::GridLabels;
use crate::labels::climb::Climb;
use crate::labels::form::{FormBytes, FormKind};
use crate::labels::record::ALIGNMENT;
use crate::labels::restore::climb;
use crate::labels::segments::Segments;
use std::borrow::Cow;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// Sizes of an index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct StraightCounts {
    /// Number of corners of the map; 0 without an index.
    pub corners: usize,
    /// Number of entries of the labels of ports.
    pub entries: usize,
    /// Number of cells along a side of a block; 0 without labels of all cells.
    pub block_side: usize,
    /// Number of blocks with a record.
    pub blocks: usize,
    /// Number of vias in all records.
    pub block_vias: usize,
    /// Number of entries in all records.
    pub block_entries: usize,
}

/// The rules, in the order of their numbers in files.
const RULES: [StraightRule; 2] = [StraightRule::Touch, StraightRule::Body];

/// The header of a saved index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Form {
    pub(crate) settings: StraightSettings,
    kind: FormKind,
    /// Number of corners in the core of a climb index.
    core_size: u32,
}

impl Form {
    /// The header as bytes; `docs/format.md` has the layout.
    pub(crate) fn to_bytes(self) -> [u8; FormBytes::BYTES] {
        let Self { settings: StraightSettings { rule, block, budget }, kind, core_size } = self;
        let variant = RULES.iter().position(|&known| known == rule).unwrap_or(0) as u8;
        FormBytes { budget, number: core_size, block, kind, variant }.to_bytes()
    }

    /// Reads a header; `None` if it is not one that [`Form::to_bytes`] writes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let FormBytes { budget, number: core_size, block, kind, variant } = FormBytes::from_bytes(bytes)?;
        let rule = *RULES.get(usize::from(variant))?;
        let is_sound = core_size == 0 || kind == FormKind::Climb;
        is_sound.then_some(Self { settings: StraightSettings { rule, block, budget }, kind, core_size })
    }

    /// Whether these are labels of all cells.
    pub(crate) const fn is_full(self) -> bool {
        matches!(self.kind, FormKind::Full { .. })
    }

    /// Names of the segments.
    pub(crate) const fn part_names(self) -> &'static [&'static str] {
        match self.kind {
            FormKind::Full { .. } => &NAMES,
            FormKind::Climb => &climb::NAMES,
            FormKind::Empty => &[],
        }
    }
}

/// Names of the segments of labels of all cells.
const NAMES: [&str; PARTS] = ["blocks", "records of blocks", "corners", "rows of labels", "hops"];

type Proof = Result<(), Inconsistent>;

fn flaw(what: &str) -> Inconsistent {
    Inconsistent::new(format!("the labels {what}"))
}

fn flaw_at(place: &str, number: usize, what: &str) -> Inconsistent {
    Inconsistent::new(format!("{place} {number} of the labels {what}"))
}

impl StraightIndex {
    /// The header.
    pub(crate) fn form(&self) -> Form {
        let (kind, core_size) = match &self.kept {
            Kept::Full(full) => (FormKind::Full { shift: full.segments.shift as u8 }, 0),
            Kept::Climb(climb) => (FormKind::Climb, climb.hierarchy().core_size()),
            Kept::Search => (FormKind::Empty, 0),
        };
        Form { settings: self.settings, kind, core_size }
    }

    /// The bytes of every segment, in the order in which they are saved.
    pub(crate) fn contents_of_parts(&self) -> Vec<Cow<'_, [u8]>> {
        match &self.kept {
            Kept::Full(full) => full.segments.all().map(Cow::Borrowed).collect(),
            Kept::Climb(climb) => climb.to_parts().map(Cow::Owned).to_vec(),
            Kept::Search => Vec::new(),
        }
    }

    /// The sizes of the index.
    #[doc(hidden)]
    pub fn counts(&self) -> StraightCounts {
        let full = match &self.kept {
            Kept::Full(full) => full,
            Kept::Climb(climb) => {
                let (corners, entries) = (climb.hierarchy().node_count(), climb.index.labels().entry_count());
                return StraightCounts { corners, entries, ..StraightCounts::default() };
            }
            Kept::Search => return StraightCounts::default(),
        };
        let corners = full.corner_count();
        let [blocks, block_vias, block_entries] = full.segments.count(corners);
        let entries = full.part(Part::Hops).len() / size_of::<Hop>();
        let block_side = 1 << full.segments.shift;
        StraightCounts { corners, entries, block_side, blocks, block_vias, block_entries }
    }

    /// Returns a digest of settings and bytes. Equal indexes have equal digests on every
    /// platform and for every number of threads.
    ///
    /// # Complexity
    /// O(bytes), at the speed of memory.
    pub fn digest(&self) -> u64 {
        let form = self.form().to_bytes();
        let parts = self.contents_of_parts();
        let digests = std::iter::once(&form[..]).chain(parts.iter().map(|part| &**part)).map(xxh3_64);
        GridLabels::digest_of(&digests.collect::<Vec<_>>())
    }

    /// Opens an index of a map with this size, whose segments lie at `places`. It is not
    /// bound to a map yet, and only sizes are checked.
    pub(crate) fn restore(
        bytes: &Bytes,
        places: &[Range<usize>],
        (width, height): (usize, usize),
        form: Form,
        digest: u64,
    ) -> Result<Self, Inconsistent> {
        let other = || flaw("have another number of parts than their kind");
        let kept = match form.kind {
            FormKind::Empty => Kept::Search,
            FormKind::Climb => {
                let all = (**bytes).as_ref();
                let part = |place: &Range<usize>| all.get(place.clone()).unwrap_or_default();
                let parts: Vec<&[u8]> = places.iter().map(part).collect();
                Kept::Climb(Climb::from_parts(form.core_size, parts.try_into().map_err(|_| other())?)?)
            }
            FormKind::Full { shift } => {
                let segments = Segments::in_file(bytes, places, shift, width).ok_or_else(other)?;
                let full = Full { rule: form.settings.rule, segments };
                full.check_sizes(height)?;
                Kept::Full(full)
            }
        };
        Ok(Self { settings: form.settings, kept, revision: Revision::fresh(), saved: Some(digest) })
    }

    /// Binds an index to a map, which must have its size. Proves nothing.
    pub(crate) fn bound_to(self, grid: &Grid) -> Self {
        let kept = match self.kept {
            Kept::Climb(climb) => {
                let space = self.settings.rule.on(grid);
                let find = |hierarchy: &ContractionHierarchy| {
                    Corners::new(&TautCorners::find(space, hierarchy.node_count())?, hierarchy)
                };
                Kept::Climb(climb.bound_by(find))
            }
            other => other,
        };
        Self { revision: grid.revision(), kept, ..self }
    }

    /// Proves everything that can be proved without the map.
    pub(crate) fn check_alone(&self, (width, height): (usize, usize)) -> Proof {
        self.full().map_or(Ok(()), |full| full.prove(width, height, None))
    }

    /// Proves the list at the head of this module.
    pub(crate) fn check_on(&self, grid: &Grid) -> Proof {
        match &self.kept {
            Kept::Full(full) => full.prove(grid.width(), grid.height(), Some(grid)),
            Kept::Climb(climb) => Ok(climb.check_on(grid)?),
            Kept::Search => Ok(()),
        }
    }

    /// Checks that the index is undamaged and fits the map, so that every path found with it
    /// is legal and as long as it says.
    ///
    /// [`store::open`](crate::store::open) does this,
    /// [`store::open_trusted`](crate::store::open_trusted) does not.
    ///
    /// # Complexity
    /// O(bytes), plus what all corners see.
    ///
    /// # Errors
    /// [`Inconsistent`] names the first flaw and its place.
    pub fn check(&self, grid: &Grid) -> Result<(), Inconsistent> {
        if !self.is_current(grid) {
            return Err(flaw("are of another map, or of this one before it was edited"));
        }
        if self.saved.is_some_and(|saved| saved != self.digest()) {
            return Err(flaw("have another digest than when they were saved"));
        }
        self.check_on(grid)
    }

    /// Checks that every byte is what a build on this map gives. [`StraightIndex::check`]
    /// proves that paths are legal; this proves that they are shortest.
    ///
    /// # Complexity
    /// Same as a build.
    ///
    /// # Errors
    /// [`Inconsistent`] if the index is not that of the map.
    pub fn verify(&self, grid: &Grid) -> Result<(), Inconsistent> {
        let is_same = *self == Self::build(grid, self.settings());
        if is_same { Ok(()) } else { Err(flaw("are not what a build on the map gives")) }
    }
}

/// Indexes are equal if their settings and bytes are. They may belong to different maps with
/// the same cells, so revisions are not compared.
impl PartialEq for StraightIndex {
    fn eq(&self, other: &Self) -> bool {
        self.form() == other.form() && self.kept == other.kept
    }
}

impl Eq for StraightIndex {}

impl Full {
    /// Checks the sizes of the segments.
    fn check_sizes(&self, height: usize) -> Proof {
        self.segments.check_sizes(height).map_err(flaw)?;
        let len = |part: Part| self.segments.place(part as usize).len();
        if !len(Part::Places).is_multiple_of(4) || self.corner_count() >= MOST_CORNERS {
            return Err(flaw("have another number of corners than can be told apart"));
        }
        if len(Part::First) != (2 * self.corner_count() + 1) * 4 || !len(Part::Hops).is_multiple_of(8) {
            return Err(flaw("have parts that do not fit each other"));
        }
        Ok(())
    }

    fn prove(&self, width: usize, height: usize, grid: Option<&Grid>) -> Proof {
        self.prove_places(width, height, grid)?;
        let lengths = self.prove_labels(grid)?;
        let farthest = lengths.iter().copied().fold(0.0, f64::max);
        if !Self::costs_fit(farthest, Self::across(width, height)) {
            return Err(flaw("have paths that are too long"));
        }
        self.prove_records(&lengths)?;
        self.prove_links(width, height, grid)
    }

    /// Proves that every place is a corner.
    fn prove_places(&self, width: usize, height: usize, grid: Option<&Grid>) -> Proof {
        for rank in 0..self.corner_count() {
            let (x, y) = self.lattice(rank)?;
            let least = self.rule.inset();
            let is_inside = (least..width as i32).contains(&x) && (least..height as i32).contains(&y);
            let is_corner = |grid: &Grid| self.rule.on(grid).corners_at(x, y).next().is_some();
            if !is_inside || !grid.is_none_or(is_corner) {
                return Err(flaw_at("corner", rank, "is no corner of the map"));
            }
        }
        Ok(())
    }

    /// The lattice point of a corner.
    fn lattice(&self, rank: usize) -> Result<(i32, i32), Inconsistent> {
        let point = self.view().place(rank).map_err(|_| flaw_at("corner", rank, "has no place"))?;
        Ok((point.x.div_ceil(2) as i32, point.y.div_ceil(2) as i32))
    }

    /// Proves the labels of ports, and returns the length of every entry.
    fn prove_labels(&self, grid: Option<&Grid>) -> Result<Vec<f64>, Inconsistent> {
        let hops: Vec<Hop> =
            self.part(Part::Hops).as_chunks().0.iter().map(|&hop| Hop(u64::from_le_bytes(hop))).collect();
        let mut end = 0;
        for port in (0..2 * self.corner_count() as u32).map(Port) {
            let rank = port.corner() as usize;
            let broken = |what| flaw_at("corner", rank, what);
            let label = self.view().label(port).map_err(|_| broken("has a label that is nowhere"))?;
            let range = end..end + label.len();
            let first = self.part(Part::First).as_chunks::<4>().0[port.index()];
            if u32::from_le_bytes(first) as usize != end {
                return Err(broken("has a label that does not follow the one before"));
            }
            end = range.end;
            let entries = &hops[range];
            let is_sound = |hop: &Hop| {
                let is_known = hop.hub() < self.corner_count() && hop.hub() != rank && hop.corner() == rank;
                is_known
                    && hop.next().is_none_or(|next| hops.get(next).is_some_and(|on| on.hub() == hop.hub()))
            };
            if !entries.iter().all(is_sound) || !entries.windows(2).all(|two| two[0].hub() < two[1].hub()) {
                return Err(broken("has a label that leads nowhere"));
            }
        }
        if end != hops.len() {
            return Err(flaw("have entries of no corner"));
        }
        self.lengths(&hops, grid)
    }

    /// The lengths of all entries, each leg of which must be clear.
    fn lengths(&self, hops: &[Hop], grid: Option<&Grid>) -> Result<Vec<f64>, Inconsistent> {
        const UNKNOWN: f64 = -1.0;
        let mut lengths = vec![UNKNOWN; hops.len()];
        let mut chain = Vec::new();
        for first in 0..hops.len() {
            let mut at = first;
            chain.clear();
            // Up to an entry whose length is known, or to the hub.
            let mut rest = loop {
                if lengths[at] != UNKNOWN {
                    break lengths[at];
                }
                chain.push(at);
                if chain.len() > self.corner_count() {
                    return Err(flaw_at("entry", first, "never comes to its hub"));
                }
                match hops[at].next() {
                    Some(next) => at = next,
                    None => break 0.0,
                }
            };
            while let Some(at) = chain.pop() {
                let hop = hops[at];
                let onward = hop.next().map_or(hop.hub(), |next| hops[next].corner());
                let ends = (self.view().place(hop.corner()), self.view().place(onward));
                let (Ok(from), Ok(to)) = ends else { return Err(flaw_at("entry", at, "has no place")) };
                if from == to || grid.is_some_and(|grid| !self.rule.on(grid).is_clear(from, to)) {
                    return Err(flaw_at("entry", at, "begins with a leg that is not clear"));
                }
                rest += from.distance(to);
                lengths[at] = rest;
            }
        }
        Ok(lengths)
    }

    /// Proves that records follow each other and say what labels say.
    fn prove_records(&self, lengths: &[f64]) -> Proof {
        let corners = self.corner_count();
        let mut end = ALIGNMENT;
        for (found, (_, start)) in self.segments.records().zip(self.segments.starts()) {
            let (block, record) = found.ok_or_else(|| flaw("have a block whose record is cut off"))?;
            let broken = |what| flaw_at("block", block, what);
            if start != end {
                return Err(broken("has a record that does not follow the one before"));
            }
            end += record.byte_count().next_multiple_of(ALIGNMENT);
            let mut before = None;
            for via in 0..record.via_count() {
                let (Some((place, rank)), Some(word)) = (record.via(via), record.word(via)) else {
                    return Err(broken("lacks a via"));
                };
                if rank == corners {
                    continue; // padding, which no cell may be linked to
                }
                let side = word >> SIDE_BIT;
                let is_rising = before < Some((rank, side));
                let is_plain = word == rank as u32 | side << SIDE_BIT;
                before = Some((rank, side));
                if !is_rising || !is_plain || rank > corners {
                    return Err(broken("has vias in another order"));
                }
                if self.lattice(rank)? != (place.x.into(), place.y.into()) {
                    return Err(broken("has a via at another place than its corner"));
                }
            }
            let is_sound = |hub: usize, via: usize, cost: u32| {
                let word = record.word(via)?;
                let rank = word as usize & (MOST_CORNERS - 1);
                let port = Port::new(rank as u32, (word >> SIDE_BIT) as usize);
                let begin = u32::from_le_bytes(*self.part(Part::First).as_chunks().0.get(port.index())?);
                let label = self.view().label(port).ok()?;
                let at = label.binary_search_by_key(&hub, |&hop| Hop(u64::from_le_bytes(hop)).hub()).ok()?;
                let length = *lengths.get(begin as usize + at)?;
                (rank < corners && Euclid::units(length) == cost).then_some(())
            };
            let mut entries = record.entries();
            if !entries.all(|entry| is_sound(entry.hub(), entry.via(), entry.cost()).is_some()) {
                return Err(broken("has an entry that no label has"));
            }
        }
        if end != self.part(Part::Records).len() {
            return Err(flaw("have records of no block"));
        }
        Ok(())
    }

    /// Proves that cells see the vias they are linked to: scans from every corner, and
    /// compares with the records.
    fn prove_links(&self, width: usize, height: usize, grid: Option<&Grid>) -> Proof {
        // Which records have each port as a via.
        let mut users = vec![Vec::new(); 2 * self.corner_count()];
        let mut records = Vec::new();
        for (block, record) in self.segments.records().flatten() {
            for via in 0..record.via_count() {
                let word = record.word(via).unwrap_or(0);
                let rank = word as usize & (MOST_CORNERS - 1);
                let port = Port::new(rank as u32, (word >> SIDE_BIT) as usize);
                match users.get_mut(port.index()) {
                    Some(users) => users.push((records.len(), via)),
                    None if (0..self.segments.block_cells()).any(|at| record.is_linked(at, via)) => {
                        return Err(flaw_at("block", block, "has a link to padding"));
                    }
                    None => {}
                }
            }
            records.push((block, record));
        }
        let mut scan = Scan::default();
        let mut seen_from = vec![0_u32; width * height];
        for (port, users) in (0..).map(Port).zip(&users) {
            if users.is_empty() {
                continue;
            }
            if let Some(grid) = grid {
                let (x, y) = self.lattice(port.corner() as usize)?;
                let space = self.rule.on(grid);
                // Which of the corners at a place it is decides which paths are taut, not which
                // are legal.
                for corner in space.corners_at(x, y) {
                    scan.cells(space, (x, y), corner.quadrant(port.opposite().side()), |stretch| {
                        let (row, columns) = (stretch.y as usize * width, stretch.columns());
                        let (from, to) = (*columns.start() as usize, *columns.end() as usize);
                        seen_from[row + from..=row + to].fill(port.0 + 1);
                    });
                }
            }
            for &(record, via) in users {
                let (block, record) = records[record];
                let Segments { shift, columns, .. } = self.segments;
                let side = 1_usize << shift;
                let (left, top) = (block % columns * side, block / columns * side);
                for at in (0..side * side).filter(|&at| record.is_linked(at, via)) {
                    let (x, y) = (left + at % side, top + at / side);
                    let is_sound =
                        x < width && y < height && (grid.is_none() || seen_from[y * width + x] == port.0 + 1);
                    if !is_sound {
                        return Err(flaw_at(
                            "block",
                            block,
                            "has a link to a corner that the cell does not see",
                        ));
                    }
                }
            }
        }
        Ok(())
    }
}
