//! The tables of a hierarchy, as bytes.
//!
//! A [`Table`] holds one record of any length per cluster. Records are read in
//! place, whether the bytes were just built or lie in a mapped file. A record that
//! an edit changes is stored beside the table and hides the old one, so mapped
//! files are never written to, and an edit costs only what it changes. All numbers
//! are little-endian.

mod bends;
mod maker;
mod saved;

pub(crate) use bends::Bends;
pub(crate) use maker::TableMaker;
pub(crate) use saved::{Flaw, ensure};

use super::layout::ClusterId;
use crate::base::{Bytes, Cell, Cost, Direction, Node, Run, Trail};
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
        let count = (u32_at(record, 0) & !Costs::WIDE) as usize;
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
/// bytes; `k` node numbers; `k` cells; `k × k` costs of 4 or 8 bytes, row by row,
/// with all bits set where there is no way.
#[derive(Clone, Copy)]
pub(crate) struct Costs<'t> {
    count: usize,
    wide: bool,
    nodes: &'t [u8],
    cells: &'t [u8],
    matrix: &'t [u8],
}

/// The cost where there is no way from one node to another.
pub(crate) const UNREACHABLE: u64 = u64::MAX;

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

    /// Encodes `nodes` and a matrix of costs, [`UNREACHABLE`] where there is none.
    pub(crate) fn encode(
        nodes: impl ExactSizeIterator<Item = (u32, Cell)> + Clone,
        matrix: &[u64],
    ) -> Vec<u8> {
        let count = nodes.len();
        debug_assert_eq!(matrix.len(), count * count);
        let wide = matrix.iter().any(|&cost| cost != UNREACHABLE && cost >= u64::from(u32::MAX));
        let cost_bytes = if wide { 8 } else { 4 };
        let mut record = Vec::with_capacity(WORD + count * 2 * WORD + matrix.len() * cost_bytes);
        let head = count as u32 | if wide { Self::WIDE } else { 0 };
        record.extend_from_slice(&head.to_le_bytes());
        nodes.clone().for_each(|(node, _)| record.extend_from_slice(&node.to_le_bytes()));
        nodes.for_each(|(_, cell)| record.extend_from_slice(&cell.pack().to_le_bytes()));
        for &cost in matrix {
            // Truncating keeps "all bits set", so this covers `UNREACHABLE`, too.
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
        let bytes = if self.wide { 2 * WORD } else { WORD };
        Row { wide: self.wide, costs: &self.matrix[from * self.count * bytes..][..self.count * bytes] }
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
        if self.wide {
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

    /// Rank of a node.
    pub(crate) fn rank_of(&self, node: u32) -> Option<usize> {
        self.nodes.chunks_exact(WORD).position(|bytes| u32_at(bytes, 0) == node)
    }
}

/// Costs from one node of a cluster to all others.
#[derive(Clone, Copy)]
pub(crate) struct Row<'t> {
    wide: bool,
    costs: &'t [u8],
}

impl<'t> Row<'t> {
    /// Number of nodes.
    #[inline]
    pub(crate) const fn count(&self) -> usize {
        self.costs.len() / if self.wide { 2 * WORD } else { WORD }
    }

    /// The costs as they are kept, if they take 4 bytes each; all bits are set where there is no way.
    #[inline]
    pub(crate) fn narrow(&self) -> Option<&'t [[u8; WORD]]> {
        (!self.wide).then_some(self.costs.as_chunks().0)
    }

    /// Cost to the node of a rank; `None` if there is no way.
    #[inline]
    pub(crate) fn cost(&self, to: usize) -> Option<Cost> {
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

/// An inter-edge from a node of a 1-cluster.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Link {
    /// The node it leads to.
    pub(crate) head: u32,
    /// The highest level on which it counts.
    pub(crate) height: u8,
    pub(crate) cost: Cost,
}

impl Link {
    /// Bits of the cost; the height has the others.
    const COST_BITS: u32 = 24;

    fn read([head, cost]: [u32; 2]) -> Self {
        let units = cost & ((1 << Self::COST_BITS) - 1);
        Self { head, height: (cost >> Self::COST_BITS) as u8, cost: Cost::from_units(units.into()) }
    }

    const fn words(self) -> [u32; 2] {
        [self.head, self.cost.units() as u32 | (self.height as u32) << Self::COST_BITS]
    }
}

/// The inter-edges of a 1-cluster's nodes.
///
/// Record: the number of nodes in 2 bytes; for each node 2 bytes with the number
/// of links before its own, and 2 more for their total; padding; for each link the
/// number of the node it leads to, its cost in 3 bytes and its height in one.
#[derive(Clone, Copy)]
pub(crate) struct Links<'t> {
    first: &'t [u8],
    links: &'t [u8],
}

impl<'t> Links<'t> {
    #[inline]
    pub(crate) fn new(record: &'t [u8]) -> Self {
        let count = usize::from(u16_at(record, 0));
        let (first, links) = record.split_at(((count + 2) * 2).next_multiple_of(WORD));
        Self { first: &first[2..(count + 2) * 2], links }
    }

    /// Encodes the links of each node.
    pub(crate) fn encode(links: &[Vec<Link>]) -> Vec<u8> {
        let mut record = (links.len() as u16).to_le_bytes().to_vec();
        let mut first = 0_u16;
        for links in links {
            record.extend_from_slice(&first.to_le_bytes());
            first += links.len() as u16;
        }
        record.extend_from_slice(&first.to_le_bytes());
        record.resize(record.len().next_multiple_of(WORD), 0);
        let words = links.iter().flatten().flat_map(|link| link.words());
        record.extend(words.flat_map(u32::to_le_bytes));
        record
    }

    /// Sets the height of the inter-edge from a node to another.
    pub(crate) fn set_height(record: &mut [u8], local: usize, head: u32, height: u8) {
        let count = usize::from(u16_at(record, 0));
        let (first, links) = record.split_at_mut(((count + 2) * 2).next_multiple_of(WORD));
        let [from, to] = [local + 1, local + 2].map(|at| usize::from(u16_at(first, at)));
        for link in links[from * 2 * WORD..to * 2 * WORD].chunks_exact_mut(2 * WORD) {
            let old = Link::read([u32_at(link, 0), u32_at(link, 1)]);
            if old.head == head {
                let [_, word] = Link { height, ..old }.words();
                link[WORD..].copy_from_slice(&word.to_le_bytes());
            }
        }
    }

    /// Calls `visit` with every inter-edge and the local number of the node it starts
    /// from.
    #[inline]
    pub(crate) fn for_each(&self, mut visit: impl FnMut(usize, Link)) {
        let count = self.first.len() / 2 - 1;
        for local in 0..count {
            self.for_each_from(local, |link| visit(local, link));
        }
    }

    /// Calls `visit` with every inter-edge of one node.
    #[inline]
    pub(crate) fn for_each_from(&self, local: usize, mut visit: impl FnMut(Link)) {
        let from = usize::from(u16_at(self.first, local));
        let to = usize::from(u16_at(self.first, local + 1));
        for link in self.links[from * 2 * WORD..to * 2 * WORD].chunks_exact(2 * WORD) {
            visit(Link::read([u32_at(link, 0), u32_at(link, 1)]));
        }
    }
}

/// The inter-edges out of a cluster of level 2 or more. (Those out of a 1-cluster
/// are its [`Links`].)
///
/// Record: the number of nodes; for each of them the number of the node to which
/// its first inter-edge out of the cluster leads; the costs of these; for each
/// further inter-edge, in order, the rank of the node it starts from, the number of
/// the node it leads to, and its cost. Nearly all nodes have just one, so a search
/// reads three plain arrays in one pass.
#[derive(Clone, Copy)]
pub(crate) struct Doors<'t> {
    heads: &'t [u8],
    steps: &'t [u8],
    more: &'t [u8],
}

impl<'t> Doors<'t> {
    #[inline]
    pub(crate) fn new(record: &'t [u8]) -> Self {
        let count = u32_at(record, 0) as usize;
        let (heads, rest) = record[WORD..].split_at(count * WORD);
        let (steps, more) = rest.split_at(count * WORD);
        Self { heads, steps, more }
    }

    /// Encodes the inter-edges (node and cost) of each node, at least one each.
    pub(crate) fn encode(doors: &[Vec<(u32, Cost)>]) -> Vec<u8> {
        let cost = |cost: Cost| cost.units() as u32;
        let mut words = vec![doors.len() as u32];
        words.extend(doors.iter().filter_map(|doors| doors.first()).map(|&(head, _)| head));
        words.extend(doors.iter().filter_map(|doors| doors.first()).map(|&(_, step)| cost(step)));
        for (rank, doors) in doors.iter().enumerate() {
            words.extend(doors.iter().skip(1).flat_map(|&(head, step)| [rank as u32, head, cost(step)]));
        }
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    /// Calls `visit` with the head of every inter-edge and the cost up to there,
    /// given the costs to the nodes of the cluster.
    #[inline]
    pub(crate) fn for_each_beyond(&self, row: Row<'_>, mut visit: impl FnMut(u32, Cost)) {
        if row.wide {
            for rank in 0..self.heads.len() / WORD {
                if let Some(cost) = row.cost(rank) {
                    let step = u64::from(u32_at(self.steps, rank));
                    visit(u32_at(self.heads, rank), cost + Cost::from_units(step));
                }
            }
        } else {
            let words =
                |bytes: &'t [u8]| bytes.as_chunks::<WORD>().0.iter().map(|word| u32::from_le_bytes(*word));
            let costs = row.costs.as_chunks::<WORD>().0.iter().map(|word| u32::from_le_bytes(*word));
            for ((cost, head), step) in costs.zip(words(self.heads)).zip(words(self.steps)) {
                if cost != u32::MAX {
                    visit(head, Cost::from_units(u64::from(cost) + u64::from(step)));
                }
            }
        }
        self.for_each_further(row, visit);
    }

    /// As [`Doors::for_each_beyond`], first inter-edges only of the nodes of these ranks.
    #[inline]
    pub(crate) fn for_each_beyond_by(&self, row: Row<'_>, ranks: &[u16], mut visit: impl FnMut(u32, Cost)) {
        let [heads, steps] = [self.heads, self.steps].map(|bytes| bytes.as_chunks::<WORD>().0);
        for rank in ranks.iter().copied().map(usize::from) {
            if let (Some(&head), Some(&step)) = (heads.get(rank), steps.get(rank))
                && let Some(cost) = row.cost(rank)
            {
                let step = Cost::from_units(u32::from_le_bytes(step).into());
                visit(u32::from_le_bytes(head), cost + step);
            }
        }
        self.for_each_further(row, visit);
    }

    /// Calls `visit` with the heads of all but first inter-edges.
    #[inline]
    fn for_each_further(&self, row: Row<'_>, mut visit: impl FnMut(u32, Cost)) {
        for more in self.more.chunks_exact(3 * WORD) {
            if let Some(cost) = row.cost(u32_at(more, 0) as usize) {
                visit(u32_at(more, 1), cost + Cost::from_units(u32_at(more, 2).into()));
            }
        }
    }
}

/// The positions of a 1-cluster's nodes in the records of the levels above.
///
/// Record: for each node and each level from 2 on, its rank there in 2 bytes, or
/// [`Ranks::NOT_THERE`] if it is not a node of that level; padding.
#[derive(Clone, Copy)]
pub(crate) struct Ranks<'t> {
    record: &'t [u8],
    /// Number of levels above the first.
    upper_levels: usize,
}

impl<'t> Ranks<'t> {
    pub(crate) const NOT_THERE: u16 = u16::MAX;

    #[inline]
    pub(crate) const fn new(record: &'t [u8], levels: u8) -> Self {
        Self { record, upper_levels: levels as usize - 1 }
    }

    /// Encodes the ranks of each node; all levels of the first node come first.
    pub(crate) fn encode(ranks: &[u16]) -> Vec<u8> {
        let mut record: Vec<u8> = ranks.iter().flat_map(|rank| rank.to_le_bytes()).collect();
        record.resize(record.len().next_multiple_of(WORD), 0);
        record
    }

    /// Rank of a node on a level from 2 on; `None` if it is not a node there.
    #[inline]
    pub(crate) fn rank(&self, local: usize, level: u8) -> Option<usize> {
        let rank = u16_at(self.record, local * self.upper_levels + usize::from(level) - 2);
        (rank != Self::NOT_THERE).then_some(rank.into())
    }
}

/// For each node of a 1-cluster, the step to take from every cell to get there.
///
/// Record: for each node half a byte per cell of the cluster, row by row and padded
/// to whole bytes: the direction, or [`Ways::NONE`] at the node itself and where
/// there is no way; padding.
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
        step_in(&self.record[local * self.stride..], offset)
    }

    /// The field of one node.
    pub(crate) fn field(&self, local: usize) -> &'t [u8] {
        &self.record[local * self.stride..][..self.stride]
    }

    /// Appends the field of one node to a record, given the step from each cell.
    pub(crate) fn add_field(record: &mut Vec<u8>, mut steps: impl Iterator<Item = u8>) {
        while let Some(first) = steps.next() {
            record.push(first | steps.next().unwrap_or(Self::NONE) << 4);
        }
    }
}

/// The step from a cell in the field of one node of [`Ways`].
#[inline]
pub(crate) fn step_in(field: &[u8], offset: usize) -> u8 {
    field[offset / 2] >> (offset % 2 * 4) & 15
}

/// Writes the step from a cell into the field of one node of [`Ways`].
pub(crate) fn write_step(field: &mut [u8], offset: usize, step: u8) {
    let shift = offset % 2 * 4;
    let byte = &mut field[offset / 2];
    *byte = *byte & !(15 << shift) | step << shift;
}

/// The ways between the nodes of a 1-cluster as runs of steps.
///
/// Record: the number of nodes; for each pair of them, first node before second, 4
/// bytes with the number of bytes before its way, and 4 more for their total; the
/// ways, one byte per run: the number of the direction in the lower 3 bits, the
/// number of steps minus one in the others, longer runs in several bytes; padding.
/// A pair without a way has no bytes.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<'t> {
    count: usize,
    offsets: &'t [u8],
    runs: &'t [u8],
}

/// Steps that one byte of a lane can hold.
const LANE_STEPS: u32 = 32;

impl<'t> Lanes<'t> {
    pub(crate) fn new(record: &'t [u8]) -> Self {
        let count = u32_at(record, 0) as usize;
        let (offsets, runs) = record[WORD..].split_at((pair_count(count) + 1) * WORD);
        Self { count, offsets, runs }
    }

    /// Encodes the ways between all pairs of `count` nodes, in order.
    pub(crate) fn encode<'r>(count: usize, ways: impl Iterator<Item = &'r [Run]>) -> Vec<u8> {
        let mut record = (count as u32).to_le_bytes().to_vec();
        let mut runs = Vec::new();
        record.extend_from_slice(&0_u32.to_le_bytes());
        for way in ways {
            for &run in way {
                encode_run(run, &mut runs);
            }
            record.extend_from_slice(&(runs.len() as u32).to_le_bytes());
        }
        record.append(&mut runs);
        record.resize(record.len().next_multiple_of(WORD), 0);
        record
    }

    /// Appends the way from one node to another.
    #[inline]
    pub(crate) fn walk(&self, from: usize, to: usize, trail: &mut Trail) {
        let pair = pair_of(from, to, self.count);
        let range = u32_at(self.offsets, pair) as usize..u32_at(self.offsets, pair + 1) as usize;
        let runs = self.runs[range].iter().map(|&byte| decode_run(byte));
        if from < to {
            runs.for_each(|run| trail.push(run));
        } else {
            runs.rev().for_each(|run| trail.push(run.back()));
        }
    }
}

fn encode_run(run: Run, bytes: &mut Vec<u8>) {
    let mut left = run.len;
    while left > 0 {
        let len = left.min(LANE_STEPS);
        bytes.push(((len - 1) << 3) as u8 | run.direction as u8);
        left -= len;
    }
}

const fn decode_run(byte: u8) -> Run {
    Run { direction: Direction::ALL[byte as usize & 7], len: (byte >> 3) as u32 + 1 }
}

/// The nodes of the level below on the ways between the nodes of a cluster of
/// level 2 or more.
///
/// Record: the number of nodes; for each pair of them, first node before second, 4
/// bytes with the number of stops before its own, and 4 more for their total; the
/// stops, 4 bytes for the number of each node, in order from the first node of the
/// pair to the second.
#[derive(Clone, Copy)]
pub(crate) struct Stops<'t> {
    count: usize,
    offsets: &'t [u8],
    nodes: &'t [u8],
}

impl<'t> Stops<'t> {
    pub(crate) fn new(record: &'t [u8]) -> Self {
        let count = u32_at(record, 0) as usize;
        let (offsets, nodes) = record[WORD..].split_at((pair_count(count) + 1) * WORD);
        Self { count, offsets, nodes }
    }

    /// Encodes the stops of `count` nodes; `write` appends those of one pair.
    pub(crate) fn encode<P>(
        count: usize,
        pairs: impl Iterator<Item = P>,
        mut write: impl FnMut(P, &mut Vec<u32>),
    ) -> Vec<u8> {
        let mut stops = Vec::new();
        let mut record = (count as u32).to_le_bytes().to_vec();
        record.extend_from_slice(&0_u32.to_le_bytes());
        for pair in pairs {
            write(pair, &mut stops);
            record.extend_from_slice(&(stops.len() as u32).to_le_bytes());
        }
        record.extend(stops.iter().flat_map(|stop| stop.to_le_bytes()));
        record
    }

    /// Calls `visit` with the stops between two ranks, from the last to the first.
    #[inline]
    pub(crate) fn for_each_back(&self, from: usize, to: usize, mut visit: impl FnMut(u32)) {
        let pair = pair_of(from, to, self.count);
        let range = u32_at(self.offsets, pair) as usize..u32_at(self.offsets, pair + 1) as usize;
        if from < to {
            range.rev().for_each(|stop| visit(u32_at(self.nodes, stop)));
        } else {
            range.for_each(|stop| visit(u32_at(self.nodes, stop)));
        }
    }
}

/// Number of pairs of different nodes.
const fn pair_count(count: usize) -> usize {
    count * count.saturating_sub(1) / 2
}

/// Position of a pair of different nodes among all pairs.
const fn pair_of(a: usize, b: usize, count: usize) -> usize {
    let (first, second) = if a < b { (a, b) } else { (b, a) };
    first * (2 * count - first - 1) / 2 + second - first - 1
}
