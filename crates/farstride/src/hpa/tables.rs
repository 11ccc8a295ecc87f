//! What is known about the clusters, as bytes.
//!
//! A [`Table`] holds one record of any length per cluster. Records are read in
//! place, wherever the bytes lie: built just now, or in a file mapped into
//! memory. A record that an edit changes is kept beside the others and covers
//! the old one, so that mapped files are never written to and an edit costs
//! what it changes. All numbers are little-endian.

use super::layout::ClusterId;
use crate::base::{Cell, Cost, Node};
use std::fmt;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Bytes from anywhere: a vector, or a mapped file.
pub(crate) type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Offsets are counted in words of this many bytes; records are padded to it.
pub(crate) const WORD: usize = 4;

/// One record per cluster.
#[derive(Clone)]
pub(crate) struct Table {
    bytes: Bytes,
    /// Where the offsets start: one per record and one for the end, in words
    /// from the start of the records.
    offsets: usize,
    /// Where the records start.
    records: usize,
    count: usize,
    /// Records that replace those in `bytes`; empty until the first edit.
    edited: Vec<Option<Arc<[u8]>>>,
    /// The sum of [`digest_of`] all records: an edit changes it by what it
    /// changes.
    digest: u64,
}

impl Table {
    /// A table of these records.
    pub(crate) fn new(records: &[Vec<u8>]) -> Self {
        let total: usize = records.iter().map(Vec::len).sum();
        let head = (records.len() + 1) * WORD;
        let mut bytes = Vec::with_capacity(head + total);
        let mut offset = 0;
        for record in records {
            bytes.extend_from_slice(&(offset as u32).to_le_bytes());
            offset += record.len() / WORD;
        }
        bytes.extend_from_slice(&(offset as u32).to_le_bytes());
        for record in records {
            bytes.extend_from_slice(record);
        }
        let digests =
            records.iter().enumerate().map(|(cluster, record)| digest_of(cluster as ClusterId, record));
        let digest = digests.fold(0, u64::wrapping_add);
        Self {
            bytes: Arc::new(bytes),
            offsets: 0,
            records: head,
            count: records.len(),
            edited: Vec::new(),
            digest,
        }
    }

    /// Bytes that the table takes when it is saved.
    pub(crate) fn byte_count(&self) -> usize {
        let view = self.view();
        let records: usize = (0..self.count).map(|cluster| view.record(cluster as ClusterId).len()).sum();
        (self.count + 1) * WORD + records
    }

    /// Puts a record in the place of another; whether it is different.
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

    /// Tells tables with different records apart.
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

/// A number for a record in its place.
fn digest_of(cluster: ClusterId, record: &[u8]) -> u64 {
    xxh3_64_with_seed(record, cluster.into())
}

/// A table whose bytes are at hand.
#[derive(Clone, Copy, Default)]
pub(crate) struct TableView<'t> {
    offsets: &'t [u8],
    records: &'t [u8],
    edited: &'t [Option<Arc<[u8]>>],
}

impl<'t> TableView<'t> {
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

/// The nodes of a cluster on one level and what it costs to walk between
/// them, inside the cluster.
///
/// Record: the number of nodes `k`, with [`Costs::WIDE`] set if costs take 8
/// bytes; `k` node numbers; `k` cells; `k × k` costs of 4 or 8 bytes, row by
/// row, all bits set where there is no way.
#[derive(Clone, Copy)]
pub(crate) struct Costs<'t> {
    count: usize,
    wide: bool,
    nodes: &'t [u8],
    cells: &'t [u8],
    matrix: &'t [u8],
}

/// No way from one node to another.
pub(crate) const NO_WAY: u64 = u64::MAX;

impl<'t> Costs<'t> {
    const WIDE: u32 = 1 << 31;

    #[inline]
    pub(crate) fn new(record: &'t [u8]) -> Self {
        let head = u32_at(record, 0);
        let count = (head & !Self::WIDE) as usize;
        let (nodes, rest) = record[WORD..].split_at(count * WORD);
        let (cells, matrix) = rest.split_at(count * WORD);
        Self { count, wide: head & Self::WIDE != 0, nodes, cells, matrix }
    }

    /// The record of `nodes` with a matrix of costs; [`NO_WAY`] for none.
    pub(crate) fn encode(
        nodes: impl ExactSizeIterator<Item = (u32, Cell)> + Clone,
        matrix: &[u64],
    ) -> Vec<u8> {
        let count = nodes.len();
        debug_assert_eq!(matrix.len(), count * count);
        let wide = matrix.iter().any(|&cost| cost != NO_WAY && cost >= u64::from(u32::MAX));
        let cost_bytes = if wide { 8 } else { 4 };
        let mut record = Vec::with_capacity(WORD + count * 2 * WORD + matrix.len() * cost_bytes);
        let head = count as u32 | if wide { Self::WIDE } else { 0 };
        record.extend_from_slice(&head.to_le_bytes());
        nodes.clone().for_each(|(node, _)| record.extend_from_slice(&node.to_le_bytes()));
        nodes.for_each(|(_, cell)| record.extend_from_slice(&cell.pack().to_le_bytes()));
        for &cost in matrix {
            // All bits set stays all bits set.
            record.extend_from_slice(&cost.to_le_bytes()[..cost_bytes]);
        }
        record
    }

    #[inline]
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    #[inline]
    pub(crate) fn node(&self, rank: usize) -> u32 {
        u32_at(self.nodes, rank)
    }

    #[inline]
    pub(crate) fn cell(&self, rank: usize) -> Cell {
        Cell::unpack(u32_at(self.cells, rank))
    }

    /// Cost from one node to another, if there is a way.
    #[inline]
    pub(crate) fn cost(&self, from: usize, to: usize) -> Option<Cost> {
        let index = from * self.count + to;
        let units = if self.wide {
            u64::from(u32_at(self.matrix, index * 2)) | u64::from(u32_at(self.matrix, index * 2 + 1)) << 32
        } else {
            match u32_at(self.matrix, index) {
                u32::MAX => NO_WAY,
                units => units.into(),
            }
        };
        (units != NO_WAY).then(|| Cost::from_units(units))
    }

    /// Calls `visit` with every node that can be reached from the one of rank
    /// `from`, and its cost.
    #[inline]
    pub(crate) fn for_each_from(&self, from: usize, mut visit: impl FnMut(u32, Cost)) {
        if self.wide {
            for to in (0..self.count).filter(|&to| to != from) {
                if let Some(cost) = self.cost(from, to) {
                    visit(self.node(to), cost);
                }
            }
            return;
        }
        let row = self.count * WORD;
        let costs = self.matrix[from * row..][..row].chunks_exact(WORD);
        for (to, (cost, node)) in costs.zip(self.nodes.chunks_exact(WORD)).enumerate() {
            let (cost, node) = (u32_at(cost, 0), u32_at(node, 0));
            if cost != u32::MAX && to != from {
                visit(node, Cost::from_units(cost.into()));
            }
        }
    }

    /// Whether another record has the same nodes.
    pub(crate) fn has_nodes_of(&self, record: &[u8]) -> bool {
        self.nodes == Costs::new(record).nodes
    }

    /// Rank of the node at a cell.
    pub(crate) fn rank_at(&self, cell: Cell) -> Option<usize> {
        self.cells.chunks_exact(WORD).position(|bytes| u32_at(bytes, 0) == cell.pack())
    }

    /// Rank of a node.
    pub(crate) fn rank_of(&self, node: u32) -> Option<usize> {
        self.nodes.chunks_exact(WORD).position(|bytes| u32_at(bytes, 0) == node)
    }
}

/// How the nodes of a 1-cluster are joined to those of others.
///
/// Record: for each node 2 bytes with the number of links before it, and one
/// more for their total; padding; for each link the number of the node it
/// leads to and its cost.
#[derive(Clone, Copy)]
pub(crate) struct Links<'t> {
    first: &'t [u8],
    links: &'t [u8],
}

impl<'t> Links<'t> {
    /// The record of a cluster of `count` nodes.
    #[inline]
    pub(crate) fn new(record: &'t [u8], count: usize) -> Self {
        let (first, links) = record.split_at(((count + 1) * 2).next_multiple_of(WORD));
        Self { first, links }
    }

    /// The record of the links (node number and cost) of each node.
    pub(crate) fn encode(links: &[Vec<(u32, Cost)>]) -> Vec<u8> {
        let mut record = Vec::new();
        let mut first = 0_u16;
        for links in links {
            record.extend_from_slice(&first.to_le_bytes());
            first += links.len() as u16;
        }
        record.extend_from_slice(&first.to_le_bytes());
        record.resize(record.len().next_multiple_of(WORD), 0);
        for &(node, cost) in links.iter().flatten() {
            record.extend_from_slice(&node.to_le_bytes());
            record.extend_from_slice(&(cost.units() as u32).to_le_bytes());
        }
        record
    }

    /// Calls `visit` with every node that an inter-edge leads to, and its cost.
    #[inline]
    pub(crate) fn for_each_from(&self, local: usize, mut visit: impl FnMut(u32, Cost)) {
        let from = usize::from(u16_at(self.first, local));
        let to = usize::from(u16_at(self.first, local + 1));
        for link in self.links[from * 2 * WORD..to * 2 * WORD].chunks_exact(2 * WORD) {
            visit(u32_at(link, 0), Cost::from_units(u32_at(link, 1).into()));
        }
    }
}

/// Where the nodes of a 1-cluster stand in the records of the levels above.
///
/// Record: for each node and each level from 2 on its rank there as 2 bytes,
/// [`Ranks::NOT_THERE`] if it is not a node of that level; padding.
#[derive(Clone, Copy)]
pub(crate) struct Ranks<'t> {
    record: &'t [u8],
    /// Levels from 2 on.
    upper_levels: usize,
}

impl<'t> Ranks<'t> {
    pub(crate) const NOT_THERE: u16 = u16::MAX;

    #[inline]
    pub(crate) const fn new(record: &'t [u8], levels: u8) -> Self {
        Self { record, upper_levels: levels as usize - 1 }
    }

    /// The record of the ranks of each node, all levels of the first one first.
    pub(crate) fn encode(ranks: &[u16]) -> Vec<u8> {
        let mut record: Vec<u8> = ranks.iter().flat_map(|rank| rank.to_le_bytes()).collect();
        record.resize(record.len().next_multiple_of(WORD), 0);
        record
    }

    /// Rank of a node on a level from 2 on, if it is a node there.
    #[inline]
    pub(crate) fn rank(&self, local: usize, level: u8) -> Option<usize> {
        let rank = u16_at(self.record, local * self.upper_levels + usize::from(level) - 2);
        (rank != Self::NOT_THERE).then_some(rank.into())
    }
}

/// For each node of a 1-cluster, the step to take from every cell to get there.
///
/// Record: for each node half a byte per cell of the cluster, row by row and
/// rounded up to whole bytes: the direction, or [`Ways::NONE`] at the node
/// itself and where there is no way; padding.
#[derive(Clone, Copy)]
pub(crate) struct Ways<'t> {
    record: &'t [u8],
    /// Bytes per node.
    stride: usize,
}

impl<'t> Ways<'t> {
    pub(crate) const NONE: u8 = 15;

    pub(crate) const fn new(record: &'t [u8], cells: usize) -> Self {
        Self { record, stride: cells.div_ceil(2) }
    }

    /// Number of the direction to take from the cell at `offset`.
    #[inline]
    pub(crate) fn step(&self, local: usize, offset: usize) -> u8 {
        self.record[local * self.stride + offset / 2] >> (offset % 2 * 4) & 15
    }

    /// The record of fields of directions, one per node and one byte per cell.
    pub(crate) fn encode(fields: &[u8], cells: usize) -> Vec<u8> {
        let mut record = Vec::with_capacity((fields.len().div_ceil(2)).next_multiple_of(WORD));
        for field in fields.chunks_exact(cells) {
            record.extend(field.chunks(2).map(|pair| pair[0] | pair.get(1).unwrap_or(&Self::NONE) << 4));
        }
        record.resize(record.len().next_multiple_of(WORD), 0);
        record
    }
}
