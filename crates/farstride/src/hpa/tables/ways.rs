//! Ways through clusters: of cells to nodes, and between nodes.

use super::{WORD, u16_at, u32_at};
use crate::base::{Cell, Direction, Run, Trail};
use std::ops::Range;

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

/// Where what a record has for each pair of its nodes lies.
///
/// Record: the number of nodes, with [`Pairs::WIDE`] set if offsets take 4 bytes instead of 2; for each pair of nodes, first
/// node before second, how much lies before its own part, and at last how much there is in all; padding. The rest
/// is the record's own.
#[derive(Clone, Copy)]
pub(super) struct Pairs<'t> {
    count: usize,
    wide: bool,
    offsets: &'t [u8],
}

impl<'t> Pairs<'t> {
    pub(super) const WIDE: u32 = 1 << 31;

    /// The pairs of a record, and the rest of it.
    pub(super) fn new(record: &'t [u8]) -> (Self, &'t [u8]) {
        let head = u32_at(record, 0);
        let (count, wide) = ((head & !Self::WIDE) as usize, head & Self::WIDE != 0);
        let (offsets, rest) = record[WORD..].split_at(Self::bytes(count, wide));
        (Self { count, wide, offsets }, rest)
    }

    /// Begins a record, given how much lies before the end of each pair's part.
    fn encode(count: usize, ends: &[u32]) -> Vec<u8> {
        let wide = ends.last().is_some_and(|&end| end > u16::MAX.into());
        let mut record = (count as u32 | if wide { Self::WIDE } else { 0 }).to_le_bytes().to_vec();
        record.reserve(Self::bytes(count, wide));
        for end in std::iter::once(&0).chain(ends) {
            record.extend_from_slice(&end.to_le_bytes()[..if wide { 4 } else { 2 }]);
        }
        record.resize(record.len().next_multiple_of(WORD), 0);
        record
    }

    /// Bytes of the offsets and their padding.
    pub(super) const fn bytes(count: usize, wide: bool) -> usize {
        ((pair_count(count) + 1) * if wide { 4 } else { 2 }).next_multiple_of(WORD)
    }

    /// What lies before the part of a pair; for one more than there are, how much there is.
    #[inline]
    pub(super) fn before(&self, pair: usize) -> usize {
        if self.wide { u32_at(self.offsets, pair) as usize } else { u16_at(self.offsets, pair).into() }
    }

    /// The part of a pair.
    #[inline]
    pub(super) fn part(&self, pair: usize) -> Range<usize> {
        self.before(pair)..self.before(pair + 1)
    }

    /// The part of two different nodes.
    #[inline]
    fn between(&self, a: usize, b: usize) -> Range<usize> {
        self.part(pair_of(a, b, self.count))
    }
}

/// The ways between the nodes of a 1-cluster as runs of steps.
///
/// Record: its [`Pairs`], offsets counted in bytes; the
/// ways, one byte per run: the number of the direction in the lower 3 bits, the
/// number of steps minus one in the others, longer runs in several bytes; padding.
/// A pair without a way has no bytes.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<'t> {
    pub(super) pairs: Pairs<'t>,
    pub(super) runs: &'t [u8],
}

/// Steps that one byte of a lane can hold.
const LANE_STEPS: u32 = 32;

impl<'t> Lanes<'t> {
    pub(crate) fn new(record: &'t [u8]) -> Self {
        let (pairs, runs) = Pairs::new(record);
        Self { pairs, runs }
    }

    /// Encodes the ways between all pairs of `count` nodes, in order.
    pub(crate) fn encode<'r>(count: usize, ways: impl Iterator<Item = &'r [Run]>) -> Vec<u8> {
        let mut runs = Vec::new();
        let mut ends = Vec::with_capacity(pair_count(count));
        for way in ways {
            for &run in way {
                encode_run(run, &mut runs);
            }
            ends.push(runs.len() as u32);
        }
        let mut record = Pairs::encode(count, &ends);
        record.append(&mut runs);
        record.resize(record.len().next_multiple_of(WORD), 0);
        record
    }

    /// Appends the way from one node to another.
    #[inline]
    pub(crate) fn walk(&self, from: usize, to: usize, trail: &mut Trail) {
        let runs = self.runs[self.pairs.between(from, to)].iter().map(|&byte| decode_run(byte));
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
/// Record: its [`Pairs`], offsets counted in stops; the number of nodes that are stops, and their numbers; the
/// stops, in order from the first node of the pair to the second, by name: the position among
/// these, in 1 byte if there are at most [`Stops::NARROW`] and in 2 otherwise; padding.
#[derive(Clone, Copy)]
pub(crate) struct Stops<'t> {
    pub(super) pairs: Pairs<'t>,
    pub(super) nodes: &'t [u8],
    pub(super) names: &'t [u8],
}

impl<'t> Stops<'t> {
    /// The most nodes whose names take 1 byte.
    pub(super) const NARROW: usize = 256;

    pub(crate) fn new(record: &'t [u8]) -> Self {
        let (pairs, rest) = Pairs::new(record);
        let (nodes, names) = rest[WORD..].split_at(u32_at(rest, 0) as usize * WORD);
        Self { pairs, nodes, names }
    }

    /// Encodes the stops of `count` nodes; `write` appends those of one pair, as positions in `nodes`.
    pub(crate) fn encode<P>(
        count: usize,
        nodes: &[(u32, Cell)],
        pairs: impl Iterator<Item = P>,
        mut write: impl FnMut(P, &mut Vec<u32>),
    ) -> Vec<u8> {
        let mut stops = Vec::new();
        let mut ends = Vec::with_capacity(pair_count(count));
        for pair in pairs {
            write(pair, &mut stops);
            ends.push(stops.len() as u32);
        }
        let mut names = vec![None; nodes.len()];
        for &stop in &stops {
            names[stop as usize] = Some(0);
        }
        let mut numbers = Vec::new();
        for (name, (node, _)) in names.iter_mut().zip(nodes) {
            if let Some(name) = name {
                *name = numbers.len() as u16;
                numbers.push(*node);
            }
        }
        debug_assert!(numbers.len() <= 1 << 16, "a matrix of so many nodes would not fit into memory");
        let mut record = Pairs::encode(count, &ends);
        record.extend_from_slice(&(numbers.len() as u32).to_le_bytes());
        record.extend(numbers.iter().flat_map(|node| node.to_le_bytes()));
        let bytes = if numbers.len() > Self::NARROW { 2 } else { 1 };
        for stop in stops {
            record.extend_from_slice(&names[stop as usize].unwrap_or_default().to_le_bytes()[..bytes]);
        }
        record.resize(record.len().next_multiple_of(WORD), 0);
        record
    }

    /// The record with other numbers for its nodes; `None` if one has none any more.
    pub(crate) fn renamed(mut record: Vec<u8>, now: impl Fn(u32) -> Option<u32>) -> Option<Vec<u8>> {
        let Stops { nodes, names, .. } = Stops::new(&record);
        let end = record.len() - names.len();
        let begin = end - nodes.len();
        for node in record[begin..end].as_chunks_mut::<WORD>().0 {
            *node = now(u32::from_le_bytes(*node))?.to_le_bytes();
        }
        Some(record)
    }

    /// The nodes that are stops, by name.
    pub(crate) fn nodes(self) -> impl Iterator<Item = u32> + use<'t> {
        self.nodes.as_chunks::<WORD>().0.iter().map(|word| u32::from_le_bytes(*word))
    }

    /// The names of the stops of a pair, numbered in the order of pairs.
    #[inline]
    pub(crate) fn names_of(self, pair: usize) -> impl Iterator<Item = usize> + use<'t> {
        self.pairs.part(pair).map(move |stop| self.name(stop))
    }

    /// The names of the stops between two different ranks, in the order of the pair.
    pub(crate) fn names_between(self, one: usize, other: usize) -> impl Iterator<Item = usize> + use<'t> {
        self.names_of(pair_of(one, other, self.pairs.count))
    }

    /// Whether names take 2 bytes.
    pub(super) const fn is_wide(&self) -> bool {
        self.nodes.len() / WORD > Self::NARROW
    }

    /// The name of a stop, counted over all pairs.
    #[inline]
    pub(super) fn name(&self, at: usize) -> usize {
        if self.is_wide() { u16_at(self.names, at).into() } else { self.names[at].into() }
    }

    /// The node of a stop, counted over all pairs.
    #[inline]
    pub(super) fn stop(&self, at: usize) -> u32 {
        u32_at(self.nodes, self.name(at))
    }

    /// Calls `visit` with the stops between two ranks, from the last to the first.
    #[inline]
    pub(crate) fn for_each_back(&self, from: usize, to: usize, mut visit: impl FnMut(u32)) {
        let stops = self.pairs.between(from, to);
        if from < to {
            stops.rev().for_each(|stop| visit(self.stop(stop)));
        } else {
            stops.for_each(|stop| visit(self.stop(stop)));
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
