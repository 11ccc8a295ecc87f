//! The tables of a hierarchy, as bytes.
//!
//! A [`Table`] holds one record of any length per cluster. Records are read in
//! place, whether the bytes were just built or lie in a mapped file. A record that
//! an edit changes is stored beside the table and hides the old one, so mapped
//! files are never written to, and an edit costs only what it changes. All numbers
//! are little-endian.

mod ahead;
mod bends;
mod costs;
mod islands;
mod links;
mod maker;
mod saved;
mod short;
mod ways;

pub(crate) use ahead::ReadAhead;
pub(crate) use bends::Bends;
pub(crate) use costs::{Costs, Row, UNREACHABLE};
pub(crate) use links::{Doors, Link, Links, Ranks, Step};
pub(crate) use maker::TableMaker;
pub(crate) use saved::{Flaw, ensure};
pub(crate) use ways::{Lanes, Stops, Ways, step_in, write_step};

use super::layout::ClusterId;
use crate::base::{Bytes, Cell, Node};
use std::fmt;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Offsets are counted in words of this many bytes; records are padded to it.
pub(crate) const WORD: usize = 4;

/// One record per cluster.
#[derive(Clone)]
pub(crate) struct Table {
    bytes: Bytes,
    /// Where the offsets start: one per record and one for the end, in words from
    /// the start of the records.
    offsets: usize,
    /// Where the records start.
    records: usize,
    count: usize,
    /// Records that replace those in `bytes`; empty before the first edit.
    edited: Vec<Option<Arc<[u8]>>>,
    /// The sum of [`digest_of`] over all records, so that an edit updates it in
    /// time proportional to what changed.
    digest: u64,
}

impl Table {
    /// A table without records.
    pub(crate) fn empty() -> Self {
        Self::new::<&[u8]>(&[])
    }

    /// A table of these records.
    pub(crate) fn new<R: AsRef<[u8]>>(records: &[R]) -> Self {
        let mut table = TableMaker::new(records.len());
        for record in records {
            table.push(record.as_ref());
        }
        table.finish()
    }

    /// Size of the table when saved, in bytes.
    pub(crate) fn byte_count(&self) -> usize {
        let view = self.view();
        let records: usize = (0..self.count).map(|cluster| view.record(cluster as ClusterId).len()).sum();
        (self.count + 1) * WORD + records
    }

    /// Replaces a record; returns whether it differs from the old one.
    pub(crate) fn replace(&mut self, cluster: ClusterId, record: &[u8]) -> bool {
        let old = self.view().record(cluster);
        if old == record {
            return false;
        }
        self.digest =
            self.digest.wrapping_sub(digest_of(cluster, old)).wrapping_add(digest_of(cluster, record));
        if self.edited.is_empty() {
            self.edited = vec![None; self.count];
        }
        self.edited[cluster as usize] = Some(record.into());
        true
    }

    /// A digest of all records.
    pub(crate) const fn digest(&self) -> u64 {
        self.digest
    }

    pub(crate) fn view(&self) -> TableView<'_> {
        let bytes = (*self.bytes).as_ref();
        TableView {
            offsets: &bytes[self.offsets..self.records],
            records: &bytes[self.records..],
            edited: &self.edited,
        }
    }
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        let (here, there) = (self.view(), other.view());
        let same = |cluster| here.record(cluster) == there.record(cluster);
        self.count == other.count && self.digest == other.digest && (0..self.count as ClusterId).all(same)
    }
}

impl Eq for Table {}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("count", &self.count).finish_non_exhaustive()
    }
}

/// Digest of a record at its position.
fn digest_of(cluster: ClusterId, record: &[u8]) -> u64 {
    xxh3_64_with_seed(record, cluster.into())
}

/// A table with direct access to its bytes.
#[derive(Clone, Copy, Default)]
pub(crate) struct TableView<'t> {
    offsets: &'t [u8],
    records: &'t [u8],
    edited: &'t [Option<Arc<[u8]>>],
}

impl<'t> TableView<'t> {
    /// In a table of [`Costs`], the cell of the node of a rank. Equals decoding the
    /// record, in a third of the time.
    #[inline]
    pub(crate) fn cell(&self, cluster: ClusterId, rank: usize) -> Cell {
        let record = self.record_on(cluster);
        let count = Costs::count_in(u32_at(record, 0));
        Cell::unpack(u32_at(record, 1 + count + rank))
    }

    /// In a table of [`Costs`], the spot of the node of a rank.
    #[inline]
    pub(crate) fn spot(&self, cluster: ClusterId, rank: usize) -> usize {
        Costs::spot_in(self.record_on(cluster), rank)
    }

    /// The bytes from the start of a record on.
    #[inline]
    fn record_on(&self, cluster: ClusterId) -> &'t [u8] {
        let cluster = cluster as usize;
        match self.edited.get(cluster) {
            Some(Some(record)) => record,
            _ => &self.records[u32_at(self.offsets, cluster) as usize * WORD..],
        }
    }

    #[inline]
    pub(crate) fn record(&self, cluster: ClusterId) -> &'t [u8] {
        let cluster = cluster as usize;
        if let Some(Some(record)) = self.edited.get(cluster) {
            return record;
        }
        let from = u32_at(self.offsets, cluster) as usize * WORD;
        let to = u32_at(self.offsets, cluster + 1) as usize * WORD;
        &self.records[from..to]
    }
}

#[inline]
fn u32_at(bytes: &[u8], index: usize) -> u32 {
    bytes[index * 4..].first_chunk().map_or(0, |chunk| u32::from_le_bytes(*chunk))
}

#[inline]
fn u16_at(bytes: &[u8], index: usize) -> u16 {
    bytes[index * 2..].first_chunk().map_or(0, |chunk| u16::from_le_bytes(*chunk))
}
