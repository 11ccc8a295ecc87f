//! Tables in files: writing their bytes, and checking their form.
//!
//! The checks here are those that the readers of records rely on: after them, no
//! reader accesses bytes outside its record. The meaning of records is checked in
//! `restore`.

use super::ways::{Pairs, decode_run};
use super::{Bends, Costs, Lanes, Links, Ranks, Stops, Table, WORD, Ways};
use super::{digest_of, u16_at, u32_at};
use crate::base::{Bytes, Cell, Direction, Node, Rect, Run};
use crate::grid::Moves;
use crate::hpa::layout::ClusterId;
use std::borrow::Cow;
use std::ops::Range;

/// What is wrong with a record or a table: a phrase that follows its name.
pub(crate) type Flaw = &'static str;

/// Fails with `flaw` unless `holds`.
pub(crate) fn ensure(holds: bool, flaw: Flaw) -> Result<(), Flaw> {
    if holds { Ok(()) } else { Err(flaw) }
}

impl Table {
    /// The table of `count` records that lies at `place` in `bytes`, without
    /// copying. The digest is not checked.
    pub(crate) fn from_bytes(
        bytes: Bytes,
        place: Range<usize>,
        count: usize,
        digest: u64,
    ) -> Result<Self, Flaw> {
        let head = (count + 1) * WORD;
        let table = (*bytes).as_ref().get(place.clone()).ok_or("lies outside the file")?;
        let (offsets, records) = table.split_at_checked(head).ok_or("is shorter than its offsets")?;
        ensure(u32_at(offsets, 0) == 0, "does not start at its first record")?;
        let ascending = (0..count).all(|record| u32_at(offsets, record) <= u32_at(offsets, record + 1));
        ensure(ascending, "has a record of negative length")?;
        let end = u64::from(u32_at(offsets, count)) * WORD as u64;
        ensure(end == records.len() as u64, "does not end with its last record")?;
        let (offsets, records) = (place.start, place.start + head);
        Ok(Self { bytes, offsets, records, count, edited: Vec::new(), digest })
    }

    /// The bytes of the table, as if freshly built: edited records replace the old
    /// ones. Copies only if there were edits.
    pub(crate) fn to_bytes(&self) -> Cow<'_, [u8]> {
        let bytes = (*self.bytes).as_ref();
        if self.edited.is_empty() {
            let words = u32_at(&bytes[self.offsets..self.records], self.count) as usize;
            return Cow::Borrowed(&bytes[self.offsets..self.records + words * WORD]);
        }
        let view = self.view();
        let records = (0..self.count as ClusterId).map(|cluster| view.record(cluster));
        let mut whole = Vec::with_capacity(self.byte_count());
        let mut offset = 0;
        for record in records.clone() {
            whole.extend_from_slice(&(offset as u32).to_le_bytes());
            offset += record.len() / WORD;
        }
        whole.extend_from_slice(&(offset as u32).to_le_bytes());
        records.for_each(|record| whole.extend_from_slice(record));
        Cow::Owned(whole)
    }

    /// Recomputes the digest in O(bytes).
    pub(crate) fn fresh_digest(&self) -> u64 {
        let view = self.view();
        let clusters = 0..self.count as ClusterId;
        clusters.map(|cluster| digest_of(cluster, view.record(cluster))).fold(0, u64::wrapping_add)
    }
}

impl Links<'_> {
    /// Checks the form of the links of `count` nodes.
    pub(crate) fn check_form(record: &[u8], count: usize) -> Result<(), Flaw> {
        let head = ((count + 2) * 2).next_multiple_of(WORD);
        ensure(record.len() >= head, "is shorter than its nodes take")?;
        ensure(usize::from(u16_at(record, 0)) == count, "has another number of nodes than its cluster")?;
        let first = &record[2..];
        ensure(u16_at(first, 0) == 0, "does not start at its first link")?;
        let ascending = (0..count).all(|local| u16_at(first, local) <= u16_at(first, local + 1));
        ensure(ascending, "has a node with a negative number of links")?;
        let links = usize::from(u16_at(first, count));
        ensure(record.len() == head + links * 2 * WORD, "has another length than its links take")
    }
}

impl Ranks<'_> {
    /// Checks the form of the ranks of `count` nodes.
    pub(crate) fn check_form(record: &[u8], count: usize, levels: u8) -> Result<(), Flaw> {
        let bytes = (count * (usize::from(levels) - 1) * 2).next_multiple_of(WORD);
        ensure(record.len() == bytes, "has another length than its nodes take")
    }
}

impl Ways<'_> {
    /// Checks the form of ways to the nodes of a cluster, that none of them leaves
    /// it, and that none continues past its node. From wherever one starts, all
    /// steps lead to cells of the cluster; they may still lead round in circles.
    pub(crate) fn check_form(record: &[u8], nodes: &Costs<'_>, area: Rect) -> Result<(), Flaw> {
        let ways = Ways::new(record, area.width() as usize * area.height() as usize);
        let bytes = (nodes.count() * ways.stride).next_multiple_of(WORD);
        ensure(record.len() == bytes, "has another length than its nodes take")?;
        let goes_on =
            |local| usize::from(ways.step(local, area.offset(nodes.cell(local)))) < Direction::ALL.len();
        ensure(!(0..nodes.count()).any(goes_on), "leads on from its node")?;
        ensure((0..nodes.count()).all(|local| ways.stays_inside(local, area)), "leads out of its cluster")
    }

    /// Tests border cells only, because no others have neighbours outside. Free
    /// of branches: there are hundreds of these cells per node, and nearly always
    /// all of them are sound.
    fn stays_inside(&self, local: usize, area: Rect) -> bool {
        let (width, height) = (area.width() as usize, area.height() as usize);
        let field = &self.record[local * self.stride..][..self.stride];
        let leaves =
            |offset: usize, outwards: u8| u16::from(outwards) >> (field[offset / 2] >> (offset % 2 * 4) & 15);
        let last_row = (height - 1) * width;
        let rows = (0..width)
            .fold(0, |bits, x| bits | leaves(x, Moves::NORTHWARDS) | leaves(last_row + x, Moves::SOUTHWARDS));
        let columns = (0..height).map(|y| y * width).fold(0, |bits, first| {
            bits | leaves(first, Moves::WESTWARDS) | leaves(first + width - 1, Moves::EASTWARDS)
        });
        (rows | columns) & 1 == 0
    }
}

impl Bends<'_> {
    /// Checks the form of bends on the ways to the nodes of a cluster, that all of
    /// them lie in it, and that no way continues past its node. They may still lead
    /// round in circles.
    pub(crate) fn check_form(record: &[u8], nodes: &Costs<'_>, area: Rect) -> Result<(), Flaw> {
        ensure(record.len() >= WORD, "is empty")?;
        let head = u32_at(record, 0);
        let (count, wide) = ((head & !Self::WIDE) as usize, head & Self::WIDE != 0);
        let cells = area.cell_count();
        // The largest name is reserved for "no point".
        ensure(count <= cells.min(u16::MAX.into()), "has more turning points than its cluster")?;
        ensure(wide == (count > Self::NARROW), "has names of another length than its points take")?;
        let names = nodes.count() * cells;
        let fields = (1 + count) * WORD;
        let used = fields + names * if wide { 2 } else { 1 };
        ensure(record.len() == used.next_multiple_of(WORD), "has another length than its nodes take")?;
        let points = (1..=count).map(|point| Cell::unpack(u32_at(record, point)));
        ensure(points.clone().all(|point| area.contains(point)), "turns outside its cluster")?;
        ensure(points.is_sorted_by(|one, next| one < next), "has its turning points in another order")?;
        ensure(names_are_known(&record[fields..used], count, wide), "has a name of no turning point")?;
        let bends = Bends::new(record, area);
        let goes_on = |local| bends.next(local, nodes.cell(local)).is_some();
        ensure(!(0..nodes.count()).any(goes_on), "leads on from its node")
    }
}

/// Whether all names are those of one of `count` points, or of none. The name of
/// none is the largest possible; adding one makes it the smallest.
fn names_are_known(names: &[u8], count: usize, wide: bool) -> bool {
    let greatest = if wide {
        let names = names.as_chunks::<2>().0.iter().map(|name| u16::from_le_bytes(*name));
        names.map(|name| name.wrapping_add(1)).max()
    } else {
        names.iter().map(|name| name.wrapping_add(1)).max().map(u16::from)
    };
    greatest.is_none_or(|name| usize::from(name) <= count)
}

/// Checks the [`Pairs`] of a record about these nodes: their number, and offsets that never fall. Returns
/// the last offset and the bytes that follow.
fn check_pairs<'t>(record: &'t [u8], nodes: Costs<'t>) -> Result<(usize, &'t [u8]), Flaw> {
    ensure(record.len() >= WORD, "is empty")?;
    let head = u32_at(record, 0);
    let is_right = (head & !Pairs::WIDE) as usize == nodes.count();
    ensure(is_right, "has another number of nodes than its cluster")?;
    let bytes = Pairs::bytes(nodes, head & Pairs::WIDE != 0);
    ensure(record.len() >= WORD + bytes, "is shorter than its nodes take")?;
    let (pairs, rest) = Pairs::new(record, nodes);
    ensure(pairs.before(0) == 0, "does not start at its first pair")?;
    let ascending = (0..nodes.pair_count()).all(|pair| pairs.before(pair) <= pairs.before(pair + 1));
    ensure(ascending, "has a pair of negative length")?;
    ensure(
        pairs.is_as_short_as_can_be(),
        "has offsets of more bytes than they need, or padding that is not zero",
    )?;
    Ok((pairs.before(nodes.pair_count()), rest))
}

impl Lanes<'_> {
    /// Checks the form of lanes between these nodes.
    pub(crate) fn check_form(record: &[u8], nodes: Costs<'_>) -> Result<(), Flaw> {
        let (runs, rest) = check_pairs(record, nodes)?;
        let bytes = (runs as u64).next_multiple_of(WORD as u64);
        ensure(rest.len() as u64 == bytes, "has another length than its lanes take")?;
        ensure(rest[runs..].iter().all(|&byte| byte == 0), "has padding that is not zero")
    }

    /// The runs of a lane, numbered in the order of pairs.
    pub(crate) fn runs(&self, lane: usize) -> impl Iterator<Item = Run> {
        self.runs[self.pairs.part(lane)].iter().map(|&byte| decode_run(byte))
    }
}

impl<'t> Stops<'t> {
    /// Checks the form of stops between these nodes.
    pub(crate) fn check_form(record: &[u8], nodes: Costs<'_>) -> Result<(), Flaw> {
        let (stops, rest) = check_pairs(record, nodes)?;
        ensure(rest.len() >= WORD, "is shorter than its nodes take")?;
        let count = u32_at(rest, 0) as usize;
        ensure(count < rest.len() / WORD, "is shorter than its stops take")?;
        let read = Stops::new(record, nodes);
        let bytes = stops as u64 * read.name_bytes() as u64;
        let names = read.names.len() as u64;
        ensure(names == bytes.next_multiple_of(WORD as u64), "has another length than its stops take")?;
        ensure(read.names[bytes as usize..].iter().all(|&byte| byte == 0), "has padding that is not zero")?;
        let is_known = |at| read.name(at) < count;
        ensure((0..stops).all(is_known), "has a name of no stop")
    }

    /// The stops of a pair, numbered in the order of pairs.
    pub(crate) fn between(self, pair: usize) -> impl Iterator<Item = u32> + use<'t> {
        self.pairs.part(pair).map(move |stop| self.stop(stop))
    }
}
