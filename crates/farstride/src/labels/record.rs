//! The record of a block: everything a query reads about the cell it starts or
//! ends in, in one stretch of memory.
//!
//! A record begins with two words: the number of groups of sixteen vias, and the
//! number of entries. Then follow
//!
//! 1. group by group, the columns of the sixteen vias and then their rows;
//! 2. the ranks of all vias;
//! 3. the entries;
//! 4. for each cell of the block, row by row, sixteen bits per group that say
//!    which vias the cell is linked to.
//!
//! All numbers are little-endian. Groups of sixteen and columns apart from rows
//! are what the compiler needs to use vector instructions.

use super::full::Corrupt;
use super::measure::{FAR, Measure};
use crate::base::Cell;
use crate::contraction::Rank;

/// Number of vias handled at a time.
pub(crate) const GROUP: usize = 16;
/// Largest number of vias of a block.
pub(crate) const MOST_VIAS: usize = 1 << VIA_BITS;
/// Bits for a via in an entry. Tables indexed by vias have exactly 2¹² elements,
/// so that the compiler can drop bounds checks.
pub(super) const VIA_BITS: u32 = 12;
/// Bits for a hub in an entry; tables indexed by hubs have 2²⁰ elements.
const HUB_BITS: u32 = 20;
/// Ranks of hubs are less than this.
pub(crate) const MOST_HUBS: usize = 1 << HUB_BITS;

/// Records start at multiples of this many bytes.
pub(crate) const ALIGNMENT: usize = 16;

const WORD: usize = 4;
const HEAD: usize = 2 * WORD;
const ENTRY: usize = 8;
/// Columns and rows of the vias of a group.
type Places = [[[u8; 2]; GROUP]; 2];
/// Bytes per group in the mask of a cell.
const MASK: usize = 2;

/// How far a via is from a cell.
pub(crate) trait Metric: Copy {
    /// The cost of going straight from a cell to the via at a place.
    fn cost(self, x: u16, y: u16, cell: Cell) -> u32;
}

impl Metric for Measure {
    #[inline]
    fn cost(self, x: u16, y: u16, cell: Cell) -> u32 {
        let (longer, shorter) = self.factors();
        let (dx, dy) = (x.abs_diff(cell.x) as i16, y.abs_diff(cell.y) as i16);
        let (long, short) = (i32::from(dx.max(dy)), i32::from(dx.min(dy)));
        (long * i32::from(longer as i16) + short * i32::from(shorter as i16)) as u32
    }
}

/// Finds the record of a cell's block, and the cell's position in the block. `blocks` holds
/// the position of each block's record in `records`, in units of [`ALIGNMENT`]; blocks are
/// `1 << shift` cells wide and high, `columns` in a row.
///
/// `None` if the block has no record.
///
/// # Errors
/// [`Corrupt`] if the bytes do not fit together.
#[inline]
pub(crate) fn record_of<'r>(
    (blocks, records): (&[u8], &'r [u8]),
    shift: u32,
    columns: usize,
    cell: Cell,
) -> Result<Option<(Record<'r>, usize)>, Corrupt> {
    let (x, y) = (usize::from(cell.x), usize::from(cell.y));
    let place = blocks.as_chunks::<WORD>().0.get((y >> shift) * columns + (x >> shift)).ok_or(Corrupt)?;
    let place = u32::from_le_bytes(*place);
    if place == 0 {
        return Ok(None);
    }
    let bytes = records.get(place as usize * ALIGNMENT..).ok_or(Corrupt)?;
    let record = Record::read(bytes, 1 << (2 * shift)).ok_or(Corrupt)?;
    let inside = (1 << shift) - 1;
    Ok(Some((record, (y & inside) << shift | (x & inside))))
}

/// Position of a via among those of its block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ViaId(u32);

impl ViaId {
    /// The via at a position.
    #[inline]
    pub(crate) const fn new(position: usize) -> Self {
        Self(position as u32)
    }

    /// The position, for indexing.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An entry of the label of a via: a hub and its distance from the via.
///
/// One word: the hub in the low 20 bits, then 12 bits for the via, then the cost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Entry(u64);

impl Entry {
    /// The entry of a hub that is `cost` away from a via.
    pub(crate) const fn new(hub: Rank, via: ViaId, cost: u32) -> Self {
        Self(hub.get() as u64 | (via.0 as u64) << HUB_BITS | (cost as u64) << (HUB_BITS + VIA_BITS))
    }

    #[inline]
    const fn read(bytes: [u8; ENTRY]) -> Self {
        Self(u64::from_le_bytes(bytes))
    }

    /// Rank of the hub.
    #[inline]
    pub(crate) const fn hub(self) -> usize {
        self.0 as usize & (MOST_HUBS - 1)
    }

    /// The via, as a position in its block.
    #[inline]
    pub(crate) const fn via(self) -> usize {
        (self.0 >> HUB_BITS) as usize & (MOST_VIAS - 1)
    }

    /// The distance from the via to the hub.
    #[inline]
    pub(crate) const fn cost(self) -> u32 {
        (self.0 >> (HUB_BITS + VIA_BITS)) as u32
    }

    /// Cost and via as one number, taken from the word as they lie there.
    #[inline]
    pub(crate) const fn way(self) -> Way {
        Way((self.0 >> HUB_BITS) as i64)
    }
}

/// The distance of a hub from a cell, and the via of the block by which it is
/// reached. The cost is in the high bits, so that ways compare by cost first, and
/// one comparison keeps both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Way(pub(super) i64);

impl Way {
    /// No way: a cost that is not a distance.
    pub(super) const FAR: Self = Self::new(FAR, 0);

    /// The way to a hub at this cost by this via.
    #[inline]
    pub(crate) const fn new(cost: u32, via: usize) -> Self {
        Self((cost as i64) << VIA_BITS | via as i64)
    }

    /// This way with a link in front of it.
    #[inline]
    pub(crate) const fn after(self, link: u32) -> Self {
        Self(self.0 + ((link as i64) << VIA_BITS))
    }

    #[inline]
    pub(crate) const fn cost(self) -> u32 {
        (self.0 >> VIA_BITS) as u32
    }

    #[inline]
    pub(crate) const fn via(self) -> usize {
        self.0 as usize & (MOST_VIAS - 1)
    }
}

/// A record in the bytes of an index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<'r> {
    places: &'r [Places],
    hubs: &'r [[u8; WORD]],
    entries: &'r [[u8; ENTRY]],
    masks: &'r [u8],
}

impl<'r> Record<'r> {
    /// Reads the record at the beginning of `bytes`, of a block with this many
    /// cells. Returns `None` if the bytes end too early or it has too many vias.
    ///
    /// O(1): nothing is copied, and contents are not checked.
    #[inline]
    pub(crate) fn read(bytes: &'r [u8], cells: usize) -> Option<Self> {
        let (head, bytes) = bytes.split_first_chunk::<HEAD>()?;
        let head = u64::from_le_bytes(*head);
        let (groups, entries) = (head as u32 as usize, (head >> 32) as usize);
        if groups > MOST_VIAS / GROUP {
            return None;
        }
        let (places, bytes) = bytes.split_at_checked(groups * size_of::<Places>())?;
        let (hubs, bytes) = bytes.split_at_checked(groups * GROUP * WORD)?;
        let (entries, bytes) = bytes.split_at_checked(entries.checked_mul(ENTRY)?)?;
        let masks = bytes.get(..cells * groups * MASK)?;
        Some(Self {
            places: places.as_chunks::<2>().0.as_chunks::<GROUP>().0.as_chunks::<2>().0,
            hubs: hubs.as_chunks().0,
            entries: entries.as_chunks().0,
            masks,
        })
    }

    /// Smallest number of bytes of a record: those of one group of vias.
    pub(crate) const LEAST: usize = HEAD + size_of::<Places>() + GROUP * WORD;

    /// Number of bytes, without padding.
    pub(crate) fn byte_count(&self) -> usize {
        HEAD + size_of_val(self.places)
            + size_of_val(self.hubs)
            + size_of_val(self.entries)
            + size_of_val(self.masks)
    }

    /// Number of vias, padding of the last group included.
    #[inline]
    pub(crate) fn via_count(&self) -> usize {
        self.hubs.len()
    }

    /// The ranks of the vias. Every via is a hub of the cells linked to it.
    #[inline]
    pub(crate) fn hubs(&self) -> impl ExactSizeIterator<Item = usize> + 'r {
        self.hubs.iter().map(|&rank| u32::from_le_bytes(rank) as usize & (MOST_HUBS - 1))
    }

    /// The entries, ordered by via and hub.
    #[inline]
    pub(crate) fn entries(&self) -> impl DoubleEndedIterator<Item = Entry> + ExactSizeIterator + 'r {
        self.entries.iter().map(|&entry| Entry::read(entry))
    }

    /// The entry at a position.
    #[inline]
    pub(crate) fn entry(&self, at: usize) -> Option<Entry> {
        self.entries.get(at).map(|&entry| Entry::read(entry))
    }

    /// The cell and the rank of a via; `None` if there is no via at this position.
    #[inline]
    pub(crate) fn via(&self, at: usize) -> Option<(Cell, usize)> {
        let [columns, rows] = self.places.get(at / GROUP)?;
        let (x, y) = (u16::from_le_bytes(columns[at % GROUP]), u16::from_le_bytes(rows[at % GROUP]));
        Some((Cell::new(x, y), self.hubs().nth(at)?))
    }

    /// The rank of a via with whatever its word holds besides.
    #[inline]
    pub(crate) fn word(&self, at: usize) -> Option<u32> {
        self.hubs.get(at).map(|&word| u32::from_le_bytes(word))
    }

    /// Writes the distances of all vias from a cell of the block into `costs`:
    /// [`FAR`] for those that the cell is not linked to.
    ///
    /// Returns `None` if `position`, that of the cell in the block, is outside.
    #[inline]
    pub(crate) fn reach(
        &self,
        cell: Cell,
        position: usize,
        metric: impl Metric,
        costs: &mut [u32; MOST_VIAS],
    ) -> Option<()> {
        let groups = self.places.len();
        let masks = self.masks.get(position * groups * MASK..)?.get(..groups * MASK)?;
        let costs = costs.as_chunks_mut::<GROUP>().0;
        for ((places, mask), costs) in self.places.iter().zip(masks.as_chunks::<MASK>().0).zip(costs) {
            reach_group(places, u16::from_le_bytes(*mask), cell, metric, costs);
        }
        Some(())
    }

    /// Whether the cell at a position of the block is linked to the via at another.
    #[inline]
    pub(crate) fn is_linked(&self, position: usize, via: usize) -> bool {
        let mask = self.masks.as_chunks::<MASK>().0.get(position * self.places.len() + via / GROUP);
        mask.is_some_and(|&mask| u16::from_le_bytes(mask) >> (via % GROUP) & 1 != 0)
    }

    /// Positions of the vias that the cell at a position is linked to.
    pub(crate) fn links(&self, position: usize) -> impl Iterator<Item = usize> + 'r {
        let groups = self.places.len();
        let masks = self.masks.get(position * groups * MASK..).and_then(|masks| masks.get(..groups * MASK));
        let masks = masks.unwrap_or_default().as_chunks::<MASK>().0.iter();
        masks.enumerate().flat_map(|(group, &mask)| {
            let mask = u16::from_le_bytes(mask);
            (0..GROUP).filter(move |lane| mask >> lane & 1 != 0).map(move |lane| group * GROUP + lane)
        })
    }
}

/// Writes the distances of the vias of a group from a cell that is linked to some
/// of them.
///
/// Arrays of fixed size become a few vector instructions, which multiply numbers
/// of 16 bits to 32 at once. The same loop over slices had half the speed
/// (`docs/decisions/0016-labels-in-safe-rust.md`).
#[inline]
fn reach_group(
    [columns, rows]: &Places,
    mask: u16,
    cell: Cell,
    metric: impl Metric,
    costs: &mut [u32; GROUP],
) {
    const BITS: [u16; GROUP] = {
        let mut bits = [0; GROUP];
        let mut at = 0;
        while at < GROUP {
            bits[at] = 1 << at;
            at += 1;
        }
        bits
    };
    for lane in 0..GROUP {
        let cost = metric.cost(u16::from_le_bytes(columns[lane]), u16::from_le_bytes(rows[lane]), cell);
        // An `if` would become a branch, and vias would be handled one by one.
        let linked = u32::from(mask & BITS[lane] != 0).wrapping_neg();
        costs[lane] = cost & linked | FAR & !linked;
    }
}

/// A record to be written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    /// Cell and rank of each via, ordered by rank.
    pub(crate) vias: Vec<(Cell, Rank)>,
    /// Entries, ordered by via and hub.
    pub(crate) entries: Vec<Entry>,
}

impl Draft {
    /// Returns the bytes of the record, padded to [`ALIGNMENT`].
    ///
    /// `links` are the vias that each cell of the block is linked to. `nowhere`
    /// is a rank that no hub has; it stands for the vias that fill up the last
    /// group.
    pub(crate) fn write(&self, links: &[Vec<ViaId>], nowhere: Rank) -> Vec<u8> {
        let groups = self.vias.len().div_ceil(GROUP);
        let mut bytes = Vec::new();
        bytes.extend_from_slice(&(groups as u32).to_le_bytes());
        bytes.extend_from_slice(&(self.entries.len() as u32).to_le_bytes());
        for group in self.vias.chunks(GROUP) {
            let lane = |at: usize| group.get(at).map_or(Cell::new(0, 0), |&(cell, _)| cell);
            (0..GROUP).for_each(|at| bytes.extend_from_slice(&lane(at).x.to_le_bytes()));
            (0..GROUP).for_each(|at| bytes.extend_from_slice(&lane(at).y.to_le_bytes()));
        }
        for via in 0..groups * GROUP {
            let rank = self.vias.get(via).map_or(nowhere, |&(_, rank)| rank);
            bytes.extend_from_slice(&rank.get().to_le_bytes());
        }
        for entry in &self.entries {
            bytes.extend_from_slice(&entry.0.to_le_bytes());
        }
        for links in links {
            let mut masks = vec![0_u16; groups];
            for via in links {
                masks[via.index() / GROUP] |= 1 << (via.index() % GROUP);
            }
            bytes.extend(masks.iter().flat_map(|mask| mask.to_le_bytes()));
        }
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Rules;

    fn draft() -> (Draft, Vec<Vec<ViaId>>) {
        let vias =
            (0..20).map(|via| (Cell::new(via * 3, via + 100), Rank::new(u32::from(via) + 7))).collect();
        let entry = |at: u32| Entry::new(Rank::new(at * 5), ViaId::new(at as usize / 3), at * 1000);
        let links = [vec![0, 3, 19], vec![], vec![16], (0..20).collect()];
        let links = links.map(|vias| vias.into_iter().map(ViaId::new).collect());
        (Draft { vias, entries: (0..50).map(entry).collect() }, links.into())
    }

    #[test]
    fn a_record_says_what_was_written() {
        let (draft, links) = draft();
        let bytes = draft.write(&links, Rank::new(12345));
        let record = Record::read(&bytes, 4).unwrap();
        assert_eq!(record.via_count(), 32);
        assert!(record.entries().eq(draft.entries.iter().copied()));
        for (at, &(cell, rank)) in draft.vias.iter().enumerate() {
            assert_eq!(record.via(at), Some((cell, rank.index())));
        }
        assert!(record.hubs().skip(20).all(|hub| hub == 12345));
        let measure = Measure::new(Rules::default());
        let mut costs = [0; MOST_VIAS];
        for (position, linked) in links.iter().enumerate() {
            let linked: Vec<usize> = linked.iter().map(|via| via.index()).collect();
            let cell = Cell::new(position as u16, 300);
            record.reach(cell, position, measure, &mut costs).unwrap();
            assert!(record.links(position).eq(linked.iter().copied()));
            assert!((0..32).all(|via| record.is_linked(position, via) == linked.contains(&via)));
            for (via, &cost) in costs[..20].iter().enumerate() {
                let distance = measure.distance(cell, draft.vias[via].0);
                assert_eq!(cost, if linked.contains(&via) { distance } else { FAR });
            }
        }
        assert_eq!(record.byte_count().next_multiple_of(ALIGNMENT), bytes.len());
    }

    #[test]
    fn a_truncated_record_is_none() {
        let (draft, links) = draft();
        let bytes = draft.write(&links, Rank::new(12345));
        let whole = Record::read(&bytes, 4).unwrap().byte_count();
        for end in 0..whole {
            assert!(Record::read(&bytes[..end], 4).is_none());
        }
        let record = Record::read(&bytes, 4).unwrap();
        assert!(
            record.reach(Cell::new(0, 0), 4, Measure::new(Rules::default()), &mut [0; MOST_VIAS]).is_none()
        );
        assert!(record.via(32).is_none());
    }
}
