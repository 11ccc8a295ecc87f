//! Ways through clusters: of cells to nodes, and between nodes.

use super::{WORD, u32_at};
use crate::base::{Direction, Run, Trail};

/// For each node of a 1-cluster, the step to take from every cell to get there.
///
/// Record: for each node half a byte per cell of the cluster, row by row and padded
/// to whole bytes: the direction, or [`Ways::NONE`] at the node itself and where
/// there is no way; padding.
#[derive(Clone, Copy)]
pub(crate) struct Ways<'t> {
    pub(super) record: &'t [u8],
    /// Bytes per node.
    pub(super) stride: usize,
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
    pub(super) offsets: &'t [u8],
    pub(super) runs: &'t [u8],
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

pub(super) const fn decode_run(byte: u8) -> Run {
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
    pub(super) offsets: &'t [u8],
    pub(super) nodes: &'t [u8],
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
pub(super) const fn pair_count(count: usize) -> usize {
    count * count.saturating_sub(1) / 2
}

/// Position of a pair of different nodes among all pairs.
const fn pair_of(a: usize, b: usize, count: usize) -> usize {
    let (first, second) = if a < b { (a, b) } else { (b, a) };
    first * (2 * count - first - 1) / 2 + second - first - 1
}
