//! Saving labels, and opening what somebody else saved.
//!
//! Labels are saved as they lie in memory and read where they lie in the file. So
//! opening them only checks sizes ([`GridLabels::restore`]), and whatever the bytes
//! are, queries end without a panic. [`GridLabels::check`] proves, in time linear in
//! the number of bytes, that
//!
//! 1. tracks follow each other without gaps, and consecutive cells of a track are a
//!    legal step;
//! 2. labels follow each other; the hubs of a label rise and are higher than its
//!    rank; every entry begins with the track of an arc of its rank, and either ends
//!    there or goes on with an entry of the same hub in the label of the arc's head,
//!    which is higher;
//! 3. all arcs and all vias of a rank agree about its cell;
//! 4. records follow each other, and the ranks of vias rise;
//! 5. the entries of a record are entries of the labels of its vias, and cost what
//!    their tracks cost;
//! 6. between every cell and each via it is linked to, the path of an empty map is
//!    legal in both directions;
//! 7. no path costs more than the largest cost that the index announces.
//!
//! So every path found is legal and costs what the index says. If the index finds no
//! path, the planner searches. Not proved is that labels are complete, so that paths
//! are shortest; [`GridLabels::verify`] proves that too.
//!
//! A climb index is validated as far as possible while it is opened, and its edges
//! are checked against the map by [`GridLabels::check`].

mod around;
pub(crate) mod climb;
mod proof;

use super::climb::{Climb, Subgoals};
use super::form::{FormBytes, FormKind};
use super::full::{Full, PARTS, Part, is_four_connected};
use super::index::{GridLabels, Kept};
use super::measure::{FAR, Measure};
use super::record::MOST_HUBS;
use super::segments::Segments;
use super::settings::LabelSettings;
use super::tracks;
use crate::base::{Bytes, Cell, Inconsistent};
use crate::grid::{Grid, Revision, Rules};
use crate::subgoal::Clearance;
use proof::{Ground, prove};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// Saved labels contradict themselves or the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CorruptLabels {
    /// The place at fault, if it is a single one.
    place: Option<LabelPlace>,
    /// What is wrong there.
    flaw: &'static str,
}

/// A numbered part of labels, to name in an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum LabelPlace {
    /// A block of cells, counted row by row.
    Block(u32),
    /// A subgoal, by rank.
    Rank(u32),
    /// An arc between subgoals.
    Arc(u32),
}

impl CorruptLabels {
    /// A flaw of the whole index.
    const fn whole(flaw: &'static str) -> Self {
        Self { place: None, flaw }
    }

    /// A flaw at one place.
    const fn at(place: LabelPlace, flaw: &'static str) -> Self {
        Self { place: Some(place), flaw }
    }
}

impl fmt::Display for CorruptLabels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, flaw } = self;
        match place {
            Some(LabelPlace::Block(block)) => write!(f, "block {block} of the labels {flaw}"),
            Some(LabelPlace::Rank(rank)) => write!(f, "rank {rank} of the labels {flaw}"),
            Some(LabelPlace::Arc(arc)) => write!(f, "arc {arc} of the labels {flaw}"),
            None => write!(f, "the labels {flaw}"),
        }
    }
}

impl From<CorruptLabels> for Inconsistent {
    fn from(error: CorruptLabels) -> Self {
        Self::new(error.to_string())
    }
}

/// Sizes of labels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct LabelCounts {
    /// Number of subgoals of the map.
    pub subgoals: usize,
    /// Number of entries of the labels of subgoals.
    pub entries: usize,
    /// Number of cells along a side of a block; 0 for a climb index.
    pub block_side: usize,
    /// Number of blocks with a record.
    pub blocks: usize,
    /// Number of vias in all records.
    pub block_vias: usize,
    /// Number of entries in all records.
    pub block_entries: usize,
}

/// The header of saved labels: what it takes to read the segments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Form {
    pub(crate) settings: LabelSettings,
    kept: KeptForm,
}

/// The part of the header that depends on the kind of index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum KeptForm {
    Full {
        /// Blocks are `1 << shift` cells wide and high.
        shift: u8,
        /// More than any path costs, in the small units of labels.
        longest: u32,
    },
    Climb {
        /// Number of nodes in the core.
        core_size: u32,
    },
}

/// Names of the segments.
const NAMES: [&str; PARTS] = ["blocks", "records of blocks", "rows of labels", "hubs", "hops", "tracks"];

/// Flaws, if a segment is not what a build gives.
const OTHERS: [&str; PARTS] = [
    "have other blocks than the map",
    "have other records than the map",
    "have other rows than the map",
    "have other hubs than the map",
    "have other hops than the map",
    "have other tracks than the map",
];

impl GridLabels {
    /// Returns the sizes of the labels. Reads the beginning of every record.
    #[doc(hidden)]
    pub fn counts(&self) -> LabelCounts {
        match &self.kept {
            Kept::Full(full) => full.counts(),
            Kept::Climb(climb) => LabelCounts {
                subgoals: climb.hierarchy().node_count(),
                entries: climb.index.labels().entry_count(),
                ..LabelCounts::default()
            },
        }
    }

    /// Returns a digest of settings and bytes. Equal labels have equal digests on every
    /// platform and for every number of threads.
    ///
    /// # Complexity
    /// O(bytes), at the speed of memory.
    pub fn digest(&self) -> u64 {
        Self::digest_of(&self.part_digests())
    }

    /// The digest of labels, from the digests of their header and segments.
    pub(crate) fn digest_of(digests: &[u64]) -> u64 {
        let digests: Vec<u8> = digests.iter().flat_map(|digest| digest.to_le_bytes()).collect();
        xxh3_64(&digests)
    }

    /// The digests of header and segments.
    fn part_digests(&self) -> Vec<u64> {
        let form = self.form().to_bytes();
        let parts = self.contents_of_parts();
        std::iter::once(&form[..]).chain(parts.iter().map(|part| &**part)).map(xxh3_64).collect()
    }

    /// The header.
    pub(crate) fn form(&self) -> Form {
        let kept = match &self.kept {
            Kept::Full(full) => KeptForm::Full { shift: full.segments.shift as u8, longest: full.longest },
            Kept::Climb(climb) => KeptForm::Climb { core_size: climb.hierarchy().core_size() },
        };
        Form { settings: self.settings(), kept }
    }

    /// The bytes of every segment, in the order in which they are saved.
    pub(crate) fn contents_of_parts(&self) -> Vec<Cow<'_, [u8]>> {
        match &self.kept {
            Kept::Full(full) => full.segments.all().map(Cow::Borrowed).collect(),
            Kept::Climb(climb) => climb.to_parts().map(Cow::Owned).to_vec(),
        }
    }

    /// Opens labels of a map with this size and these rules, whose segments lie at
    /// `places`. They are not bound to a map yet.
    ///
    /// Of labels of all cells only sizes are checked, so that opening takes
    /// microseconds. A climb index is validated as far as possible without the map.
    /// `digest` is what [`GridLabels::digest`] should return; [`GridLabels::check`]
    /// compares it.
    ///
    /// # Errors
    /// [`CorruptLabels`] if sizes do not fit, or a climb index breaks an invariant.
    pub(crate) fn restore(
        bytes: &Bytes,
        places: &[Range<usize>],
        (width, height): (usize, usize),
        rules: Rules,
        form: Form,
        digest: u64,
    ) -> Result<Self, CorruptLabels> {
        let other = CorruptLabels::whole("have another number of parts than their kind");
        // A climb index is copied out of the file and proved; it is small. Labels of all
        // cells stay where they are, and every read of them is checked.
        let kept = match form.kept {
            KeptForm::Full { shift, longest } => {
                let full = Full {
                    segments: Segments::in_file(bytes, places, shift, width).ok_or(other)?,
                    measure: Measure::new(rules),
                    four_connected: is_four_connected(rules.diagonals),
                    longest,
                    room: 0,
                };
                full.check_sizes(width, height).map_err(CorruptLabels::whole)?;
                Kept::Full(full.with_longest(longest))
            }
            KeptForm::Climb { core_size } => {
                let all = (**bytes).as_ref();
                let part = |place: &Range<usize>| all.get(place.clone()).unwrap_or_default();
                let parts: Vec<&[u8]> = places.iter().map(part).collect();
                Kept::Climb(Climb::from_parts(core_size, parts.try_into().map_err(|_| other)?)?)
            }
        };
        Ok(Self { settings: form.settings, kept, revision: Revision::fresh(), saved: Some(digest) })
    }

    /// Binds labels to a map, which must have their size and rules. Proves nothing.
    pub(crate) fn bound_to(self, grid: &Grid) -> Self {
        let kept = match self.kept {
            Kept::Climb(climb) => {
                Kept::Climb(climb.bound_by(|hierarchy| Subgoals::new(grid, Clearance::new(grid), hierarchy)))
            }
            full @ Kept::Full(_) => full,
        };
        Self { revision: grid.revision(), kept, ..self }
    }

    /// Proves everything that can be proved without the map.
    pub(crate) fn check_alone(
        &self,
        (width, height): (usize, usize),
        rules: Rules,
    ) -> Result<(), CorruptLabels> {
        match &self.kept {
            Kept::Full(full) => prove(full, Ground { width, height, rules, grid: None }),
            Kept::Climb(_) => Ok(()), // `restore` has done it
        }
    }

    /// Proves the list at the head of this module. The labels must be bound to the
    /// map.
    pub(crate) fn check_on(&self, grid: &Grid) -> Result<(), CorruptLabels> {
        let (width, height) = (grid.width(), grid.height());
        match &self.kept {
            Kept::Full(full) => prove(full, Ground { width, height, rules: grid.rules(), grid: Some(grid) }),
            Kept::Climb(climb) => climb.check_on(grid),
        }
    }

    /// Checks that the labels are undamaged and fit the map, so that every path found
    /// with them is legal and costs what they say.
    ///
    /// [`store::open`](crate::store::open) does this,
    /// [`store::open_trusted`](crate::store::open_trusted) does not.
    ///
    /// # Complexity
    /// O(bytes), plus the distances between subgoals and what they see.
    ///
    /// # Errors
    /// [`Inconsistent`] names the first flaw and its place.
    ///
    /// # Example
    /// ```
    /// use farstride::labels::{GridLabels, LabelSettings};
    /// use farstride::{Cell, Grid};
    ///
    /// let mut grid = Grid::empty(60, 40)?;
    /// grid.block(Cell::new(20, 20))?;
    /// let labels = GridLabels::build(&grid, LabelSettings::default());
    /// assert!(labels.check(&grid).is_ok());
    /// grid.block(Cell::new(10, 10))?;
    /// assert!(labels.check(&grid).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self, grid: &Grid) -> Result<(), Inconsistent> {
        if !self.is_current(grid) {
            return Err(
                CorruptLabels::whole("are of another map, or of this one before it was edited").into()
            );
        }
        if self.saved.is_some_and(|saved| saved != self.digest()) {
            return Err(CorruptLabels::whole("have another digest than when they were saved").into());
        }
        Ok(self.check_on(grid)?)
    }

    /// Checks that every byte is what a build on this map gives.
    /// [`GridLabels::check`] proves that paths are legal; this proves that they are
    /// shortest.
    ///
    /// # Complexity
    /// Same as a build.
    ///
    /// # Errors
    /// [`Inconsistent`] names the first segment that differs.
    pub fn verify(&self, grid: &Grid) -> Result<(), Inconsistent> {
        let fresh = Self::build(grid, self.settings());
        if *self == fresh {
            return Ok(());
        }
        if let (Kept::Full(found), Kept::Full(expected)) = (&self.kept, &fresh.kept) {
            let parts = found.segments.all().zip(expected.segments.all());
            let other = parts.zip(OTHERS).find(|((found, expected), _)| found != expected);
            if let Some((_, flaw)) = other {
                return Err(CorruptLabels::whole(flaw).into());
            }
        }
        Err(CorruptLabels::whole("are not what a build on the map gives").into())
    }
}

/// Labels are equal if their settings and bytes are. They may belong to different
/// maps with the same cells, so revisions are not compared.
impl PartialEq for GridLabels {
    fn eq(&self, other: &Self) -> bool {
        self.form() == other.form() && self.kept == other.kept
    }
}

impl Eq for GridLabels {}

impl Form {
    /// The header as bytes; `docs/format.md` has the layout.
    pub(crate) fn to_bytes(self) -> [u8; FormBytes::BYTES] {
        let Self { settings: LabelSettings { block, budget }, kept } = self;
        let (number, kind) = match kept {
            KeptForm::Full { shift, longest } => (longest, FormKind::Full { shift }),
            KeptForm::Climb { core_size } => (core_size, FormKind::Climb),
        };
        FormBytes { budget, number, block, kind, variant: 0 }.to_bytes()
    }

    /// Reads a header; `None` if it is not one that [`Form::to_bytes`] writes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let FormBytes { budget, number, block, kind, variant: 0 } = FormBytes::from_bytes(bytes)? else {
            return None;
        };
        let kept = match kind {
            FormKind::Full { shift } => KeptForm::Full { shift, longest: number },
            FormKind::Climb => KeptForm::Climb { core_size: number },
            FormKind::Empty => return None,
        };
        Some(Self { settings: LabelSettings { block, budget }, kept })
    }

    /// Names of the segments.
    pub(crate) const fn part_names(self) -> &'static [&'static str] {
        match self.kept {
            KeptForm::Full { .. } => &NAMES,
            KeptForm::Climb { .. } => &climb::NAMES,
        }
    }
}

impl Full {
    /// Checks the sizes of the segments, without reading their revision.
    fn check_sizes(&self, width: usize, height: usize) -> Result<(), &'static str> {
        self.segments.check_sizes(height)?;
        let len = |part: Part| self.segments.place(part as usize).len();
        let words = [Part::First, Part::Hubs];
        if words.iter().any(|&part| !len(part).is_multiple_of(size_of::<u32>())) {
            return Err("have a part that is no whole number of words");
        }
        if len(Part::First) == 0 || len(Part::Hops) != 2 * len(Part::Hubs) {
            return Err("have parts that do not fit each other");
        }
        if len(Part::First) / size_of::<u32>() > MOST_HUBS {
            return Err("have more hubs than can be told apart");
        }
        let (least, most) = (2 * tracks::MARGIN, u32::MAX as usize);
        if !(least..=most).contains(&len(Part::Tracks)) {
            return Err("have tracks of another form");
        }
        if self.longest >= FAR || u64::from(self.longest) > self.most_cost(width, height) {
            return Err("announce longer paths than there are tracks for");
        }
        Ok(())
    }

    /// An upper bound of the cost of any path: up to its hub and down from there, a
    /// path uses each track at most once. It keeps the memory of queries proportional
    /// to the size of the index, even if somebody forged its header.
    fn most_cost(&self, width: usize, height: usize) -> u64 {
        let bytes = self.segments.place(Part::Tracks as usize).len() as u64;
        bytes * u64::from(self.measure.steps.diagonal) + self.longest_of(0, width, height)
    }

    /// An upper bound of the cost of any path if no hub is farther than `farthest`
    /// from a subgoal: two such ways and two links.
    pub(super) fn longest_of(&self, farthest: u32, width: usize, height: usize) -> u64 {
        let across = self.measure.distance(Cell::new(0, 0), Cell::new(width as u16, height as u16));
        2 * (u64::from(farthest) + u64::from(across))
    }

    /// The sizes, from headers of records.
    fn counts(&self) -> LabelCounts {
        let words = |part: Part| self.part(part).len() / size_of::<u32>();
        let subgoals = words(Part::First).saturating_sub(1);
        let [blocks, block_vias, block_entries] = self.segments.count(subgoals);
        let (entries, block_side) = (words(Part::Hubs), 1 << self.segments.shift);
        LabelCounts { subgoals, entries, block_side, blocks, block_vias, block_entries }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::Block;

    #[test]
    fn a_form_is_what_was_written() {
        let settings = LabelSettings { block: Block::Sixteen, budget: 0x0102_0304_0506_0708 };
        let form = Form { settings, kept: KeptForm::Full { shift: 4, longest: 0x0a0b_0c0d } };
        let climbed = Form { settings, kept: KeptForm::Climb { core_size: 77 } };
        assert_eq!(Form::from_bytes(&climbed.to_bytes()), Some(climbed));
        let bytes = [8, 7, 6, 5, 4, 3, 2, 1, 0x0d, 0x0c, 0x0b, 0x0a, 2, 4, 0, 0];
        assert_eq!(form.to_bytes(), bytes);
        assert_eq!(Form::from_bytes(&bytes), Some(form));
        for block in FormBytes::BLOCKS {
            for shift in 0..6 {
                let kept = KeptForm::Full { shift, longest: 9 };
                let form = Form { settings: LabelSettings { block, ..settings }, kept };
                let is_sound = match block {
                    Block::Auto => (3..5).contains(&shift),
                    Block::Eight => shift == 3,
                    Block::Sixteen => shift == 4,
                };
                assert_eq!(Form::from_bytes(&form.to_bytes()), is_sound.then_some(form));
            }
        }
        for (at, byte) in [(12, 3), (13, 5), (14, 1), (14, 2), (15, 1)] {
            let mut other = bytes;
            other[at] = byte;
            assert_eq!(Form::from_bytes(&other), None);
        }
        assert_eq!(Form::from_bytes(&bytes[..15]), None);
        assert_eq!(Form::from_bytes(&[&bytes[..], &[0]].concat()), None);
    }
}
