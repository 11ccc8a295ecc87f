//! The tables of a hierarchy, as bytes.
//!
//! A [`Table`] holds one record of any length per cluster. Records are read in
//! place, whether the bytes were just built or lie in a mapped file. A record that
//! an edit changes is stored beside the table and hides the old one, so mapped
//! files are never written to, and an edit costs only what it changes. All numbers
//! are little-endian.

mod bends;
mod links;
mod maker;
mod saved;
mod ways;

pub(crate) use bends::Bends;
pub(crate) use links::{Doors, Link, Links, Ranks, Step};
pub(crate) use maker::TableMaker;
pub(crate) use saved::{Flaw, ensure};
pub(crate) use ways::{Lanes, Stops, Ways, step_in, write_step};

use super::layout::ClusterId;
use crate::base::{Bytes, Cell, Cost, Node};
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
        let cluster = cluster as usize;
        let record = match self.edited.get(cluster) {
            Some(Some(record)) => record,
            _ => &self.records[u32_at(self.offsets, cluster) as usize * WORD..],
        };
        let count = Costs::count_in(u32_at(record, 0));
        Cell::unpack(u32_at(record, 1 + count + rank))
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

/// The nodes of a cluster on one level, and the costs between them inside the
/// cluster.
///
/// Record: the number of nodes `k`, with [`Costs::WIDE`] set if costs take 8
/// bytes because one is higher than [`Costs::MOST`], and [`Costs::HALF`] if they are there one way only; `k` node numbers; `k` cells; `k × k` costs of 4 or 8 bytes, row by row,
/// with all bits set where there is no way. Of half a matrix, each row ends before the node itself.
#[derive(Clone, Copy)]
pub(crate) struct Costs<'t> {
    count: usize,
    wide: bool,
    half: bool,
    nodes: &'t [u8],
    cells: &'t [u8],
    matrix: &'t [u8],
}

/// The cost where there is no way from one node to another.
pub(crate) const UNREACHABLE: u64 = u64::MAX;

impl<'t> Costs<'t> {
    const WIDE: u32 = 1 << 31;
    const HALF: u32 = 1 << 30;
    /// The highest cost that takes 4 bytes: the sum of two is a number of 4 bytes with a sign.
    pub(crate) const MOST: u32 = (1 << 30) - 1;

    #[inline]
    pub(crate) fn new(record: &'t [u8]) -> Self {
        let head = u32_at(record, 0);
        let count = Self::count_in(head);
        let (nodes, rest) = record[WORD..].split_at(count * WORD);
        let (cells, matrix) = rest.split_at(count * WORD);
        Self { count, wide: head & Self::WIDE != 0, half: head & Self::HALF != 0, nodes, cells, matrix }
    }

    /// The number of nodes in the first word of a record.
    #[inline]
    const fn count_in(head: u32) -> usize {
        (head & !(Self::WIDE | Self::HALF)) as usize
    }

    /// Encodes `nodes` and a matrix of costs, the same both ways, [`UNREACHABLE`] where there is none. With `half`, costs
    /// of 4 bytes are stored one way only.
    pub(crate) fn encode(
        nodes: impl ExactSizeIterator<Item = (u32, Cell)> + Clone,
        matrix: &[u64],
        half: bool,
    ) -> Vec<u8> {
        let count = nodes.len();
        debug_assert_eq!(matrix.len(), count * count);
        let wide = matrix.iter().any(|&cost| cost != UNREACHABLE && cost > Self::MOST.into());
        let cost_bytes = if wide { 8 } else { 4 };
        let mut record = Vec::with_capacity(WORD + count * 2 * WORD + matrix.len() * cost_bytes);
        let half = half && !wide;
        let head = count as u32 | if wide { Self::WIDE } else { 0 } | if half { Self::HALF } else { 0 };
        record.extend_from_slice(&head.to_le_bytes());
        record.extend(nodes.clone().flat_map(|(node, _)| node.to_le_bytes()));
        record.extend(nodes.flat_map(|(_, cell)| cell.pack().to_le_bytes()));
        for (from, row) in matrix.chunks(count.max(1)).enumerate() {
            for &cost in if half { &row[..from] } else { row } {
                // Truncating keeps "all bits set", so this covers `UNREACHABLE`, too.
                record.extend_from_slice(&cost.to_le_bytes()[..cost_bytes]);
            }
        }
        record
    }

    /// The record with other numbers for its nodes.
    pub(crate) fn renamed(&self, nodes: impl ExactSizeIterator<Item = u32>) -> Vec<u8> {
        debug_assert_eq!(nodes.len(), self.count);
        let bytes = WORD + self.nodes.len() + self.cells.len() + self.matrix.len();
        let mut record = Vec::with_capacity(bytes);
        record.extend_from_slice(&self.head().to_le_bytes());
        nodes.for_each(|node| record.extend_from_slice(&node.to_le_bytes()));
        record.extend_from_slice(self.cells);
        record.extend_from_slice(self.matrix);
        record
    }

    /// A record of other nodes with costs of 4 bytes, given the rank here of those that are here, too. There
    /// are no ways to the others yet.
    pub(crate) fn rearranged(&self, nodes: &[(u32, Cell)], was: &[Option<usize>]) -> Vec<u8> {
        let count = nodes.len();
        let mut record = Vec::with_capacity(WORD * (1 + 2 * count + count * count));
        let head = count as u32 | if self.half { Self::HALF } else { 0 };
        record.extend_from_slice(&head.to_le_bytes());
        record.extend(nodes.iter().flat_map(|(node, _)| node.to_le_bytes()));
        record.extend(nodes.iter().flat_map(|(_, cell)| cell.pack().to_le_bytes()));
        let mut copied = Vec::new();
        for (from, &old_from) in was.iter().enumerate() {
            let row = old_from.and_then(|from| self.row(from).narrow(&mut copied)).unwrap_or_default();
            for (to, old_to) in was[..if self.half { from } else { count }].iter().enumerate() {
                let known = old_to.and_then(|to| row.get(to)).copied();
                record.extend_from_slice(&known.unwrap_or(if from == to {
                    [0; WORD]
                } else {
                    [u8::MAX; WORD]
                }));
            }
        }
        record
    }

    /// Changes the cost between two nodes in a record with costs of 4 bytes; returns false if it takes more.
    #[must_use]
    pub(crate) fn change(record: &mut [u8], (one, other): (usize, usize), units: u64) -> bool {
        let Costs { count, wide, half, .. } = Costs::new(record);
        if wide || units != UNREACHABLE && units > Self::MOST.into() {
            return false;
        }
        let matrix = &mut record[WORD + 2 * count * WORD..];
        let both = [(one.max(other), one.min(other)), (one.min(other), one.max(other))];
        for (row, column) in both.into_iter().take(if half { 1 } else { 2 }) {
            let at = if half { half_at(row, column) } else { row * count + column };
            // Truncating keeps "all bits set".
            matrix[at * WORD..][..WORD].copy_from_slice(&(units as u32).to_le_bytes());
        }
        true
    }

    /// The first word of the record.
    const fn head(&self) -> u32 {
        self.count as u32 | if self.wide { Self::WIDE } else { 0 } | if self.half { Self::HALF } else { 0 }
    }

    /// Whether costs take 8 bytes.
    pub(crate) const fn is_wide(&self) -> bool {
        self.wide
    }

    #[inline]
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    #[inline]
    pub(crate) fn node(&self, rank: usize) -> u32 {
        u32_at(self.nodes, rank)
    }

    /// All nodes, in the order of their ranks.
    pub(crate) fn nodes(self) -> impl Iterator<Item = u32> + use<'t> {
        self.nodes.as_chunks::<WORD>().0.iter().map(|word| u32::from_le_bytes(*word))
    }

    #[inline]
    pub(crate) fn cell(&self, rank: usize) -> Cell {
        Cell::unpack(u32_at(self.cells, rank))
    }

    /// Costs from one node to all others, by rank.
    #[inline]
    pub(crate) fn row(&self, from: usize) -> Row<'t> {
        if self.half {
            return Row { wide: false, half_of: Some((from, self.count)), costs: self.matrix };
        }
        let bytes = if self.wide { 2 * WORD } else { WORD };
        let costs = &self.matrix[from * self.count * bytes..][..self.count * bytes];
        Row { wide: self.wide, half_of: None, costs }
    }

    /// Cost from one node to another; `None` if there is no way.
    #[inline]
    pub(crate) fn cost(&self, from: usize, to: usize) -> Option<Cost> {
        self.row(from).cost(to)
    }

    /// Calls `visit` with every other node reachable from the one of rank `from`,
    /// and its cost.
    #[inline]
    pub(crate) fn for_each_from(&self, from: usize, mut visit: impl FnMut(u32, Cost)) {
        if self.wide || self.half {
            for to in (0..self.count).filter(|&to| to != from) {
                if let Some(cost) = self.cost(from, to) {
                    visit(self.node(to), cost);
                }
            }
            return;
        }
        let words =
            |bytes: &'t [u8]| bytes.as_chunks::<WORD>().0.iter().map(|word| u32::from_le_bytes(*word));
        for (cost, node) in words(self.row(from).costs).zip(words(self.nodes)) {
            // Zero only at the node itself.
            if cost != u32::MAX && cost != 0 {
                visit(node, Cost::from_units(cost.into()));
            }
        }
    }

    /// Whether another record has the same nodes.
    pub(crate) fn has_nodes_of(&self, record: &[u8]) -> bool {
        self.nodes == Costs::new(record).nodes
    }

    /// Whether another record has the same nodes on the same cells.
    pub(crate) fn has_places_of(&self, record: &[u8]) -> bool {
        self.has_nodes_of(record) && self.cells == Costs::new(record).cells
    }

    /// Rank of the node at a cell.
    pub(crate) fn rank_at(&self, cell: Cell) -> Option<usize> {
        self.cells.chunks_exact(WORD).position(|bytes| u32_at(bytes, 0) == cell.pack())
    }

    /// Rank of a node, which is looked for at a rank first, and then behind it.
    pub(crate) fn rank_from(&self, node: u32, first: usize) -> Option<usize> {
        let (before, behind) = self.nodes.split_at(first.min(self.count) * WORD);
        let find =
            |nodes: &[u8]| nodes.as_chunks().0.iter().position(|&word| u32::from_le_bytes(word) == node);
        find(behind).map(|rank| first + rank).or_else(|| find(before))
    }
}

/// Position of a cost in half a matrix; the column is less than the row.
#[inline]
const fn half_at(row: usize, column: usize) -> usize {
    row * row.saturating_sub(1) / 2 + column
}

/// Costs from one node of a cluster to all others.
#[derive(Clone, Copy)]
pub(crate) struct Row<'t> {
    wide: bool,
    /// If `costs` are half a matrix, the row and the number of nodes.
    half_of: Option<(usize, usize)>,
    costs: &'t [u8],
}

impl<'t> Row<'t> {
    /// Number of nodes.
    #[inline]
    pub(crate) const fn count(&self) -> usize {
        match self.half_of {
            Some((_, count)) => count,
            None => self.costs.len() / if self.wide { 2 * WORD } else { WORD },
        }
    }

    /// The costs as they are kept, if they take 4 bytes each; all bits are set where there is no way. `copied` is memory
    /// to put them together in.
    #[inline]
    pub(crate) fn narrow<'a>(&self, copied: &'a mut Vec<[u8; WORD]>) -> Option<&'a [[u8; WORD]]>
    where
        't: 'a,
    {
        let costs = self.costs.as_chunks().0;
        let Some((from, count)) = self.half_of else { return (!self.wide).then_some(costs) };
        copied.clear();
        copied.extend_from_slice(&costs[half_at(from, 0)..half_at(from, from)]);
        copied.push([0; WORD]);
        copied.extend((from + 1..count).map(|to| costs[half_at(to, from)]));
        Some(copied)
    }

    /// Whether all costs lie in one piece and take 4 bytes.
    #[inline]
    const fn is_plain(&self) -> bool {
        !self.wide && self.half_of.is_none()
    }

    /// Cost to the node of a rank; `None` if there is no way.
    #[inline]
    pub(crate) fn cost(&self, to: usize) -> Option<Cost> {
        let to = match self.half_of {
            None => to,
            Some((from, _)) if from == to => return Some(Cost::ZERO),
            Some((from, _)) => half_at(from.max(to), from.min(to)),
        };
        let units = if self.wide {
            u64::from(u32_at(self.costs, to * 2)) | u64::from(u32_at(self.costs, to * 2 + 1)) << 32
        } else {
            match u32_at(self.costs, to) {
                u32::MAX => UNREACHABLE,
                units => units.into(),
            }
        };
        (units != UNREACHABLE).then(|| Cost::from_units(units))
    }
}
