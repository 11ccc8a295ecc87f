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
        if wide {
            record.extend([0; 4]);
            record.extend(ends.iter().flat_map(|end| end.to_le_bytes()));
        } else {
            record.extend([0; 2]);
            record.extend(ends.iter().flat_map(|&end| (end as u16).to_le_bytes()));
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
        let mut names = Names::new(nodes.len());
        for &stop in &stops {
            names.use_position(stop);
        }
        let (names, mut record) = names.begin(count, &ends, nodes);
        let stops = stops.iter().map(|&stop| names[stop as usize]);
        if names.iter().copied().max() < Some(Self::NARROW as u16) {
            record.extend(stops.map(|name| name as u8));
        } else {
            record.extend(stops.flat_map(u16::to_le_bytes));
        }
        record.resize(record.len().next_multiple_of(WORD), 0);
        record
    }

    /// The record with other ways between some nodes, and perhaps other nodes: `was` has the former rank of each, in
    /// ascending order, `places` the position in `nodes` of each node that was a stop, and `new_way` the stops of a
    /// pair as positions in `nodes`, if it is new. `None` if something is missing.
    pub(crate) fn with_ways<'w>(
        self,
        nodes: &[(u32, Cell)],
        (was, places): (&[Option<usize>], &[Option<u32>]),
        new_way: impl Fn(usize, usize) -> Option<&'w [u32]>,
    ) -> Option<Vec<u8>> {
        /// Stops that stay as they are, or new ones.
        enum Piece<'w> {
            Old(Range<usize>),
            New(&'w [u32]),
        }
        let count = was.len();
        let mut pieces = Vec::new();
        let mut ends = Vec::with_capacity(pair_count(count));
        let mut end = 0;
        let mut kept = 0..0;
        for from in 0..count {
            for to in from + 1..count {
                if let Some(way) = new_way(from, to) {
                    pieces.push(Piece::Old(std::mem::replace(&mut kept, 0..0)));
                    pieces.push(Piece::New(way));
                    end += way.len();
                } else {
                    let part = self.pairs.between(was[from]?, was[to]?);
                    end += part.len();
                    // Most parts lie one behind the other.
                    if part.start == kept.end {
                        kept.end = part.end;
                    } else {
                        pieces.push(Piece::Old(std::mem::replace(&mut kept, part)));
                    }
                }
                ends.push(end as u32);
            }
        }
        pieces.push(Piece::Old(kept));
        let mut is_used = vec![false; places.len()];
        let mut names = Names::new(nodes.len());
        for piece in &pieces {
            match piece {
                Piece::Old(part) if self.is_wide() => {
                    part.clone().for_each(|stop| is_used[self.name(stop)] = true);
                }
                Piece::Old(part) => {
                    self.names[part.clone()].iter().for_each(|&name| is_used[usize::from(name)] = true);
                }
                Piece::New(way) => way.iter().for_each(|&stop| names.use_position(stop)),
            }
        }
        for (&place, _) in places.iter().zip(&is_used).filter(|&(_, &is_used)| is_used) {
            names.use_position(place?);
        }
        let (names, mut record) = names.begin(count, &ends, nodes);
        let now: Vec<u16> =
            places.iter().map(|place| place.map_or(0, |place| names[place as usize])).collect();
        let is_narrow = names.iter().copied().max() < Some(Self::NARROW as u16);
        let stays = is_narrow && !self.is_wide() && now.iter().zip(0..).all(|(&now, name)| now == name);
        for piece in pieces {
            match piece {
                Piece::Old(part) if stays => record.extend_from_slice(&self.names[part]),
                Piece::Old(part) if is_narrow && !self.is_wide() => {
                    record.extend(self.names[part].iter().map(|&name| now[usize::from(name)] as u8));
                }
                Piece::Old(part) if is_narrow => {
                    record.extend(part.map(|stop| now[self.name(stop)] as u8));
                }
                Piece::Old(part) => record.extend(part.flat_map(|stop| now[self.name(stop)].to_le_bytes())),
                Piece::New(way) if is_narrow => {
                    record.extend(way.iter().map(|&stop| names[stop as usize] as u8));
                }
                Piece::New(way) => {
                    record.extend(way.iter().flat_map(|&stop| names[stop as usize].to_le_bytes()));
                }
            }
        }
        record.resize(record.len().next_multiple_of(WORD), 0);
        Some(record)
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

    /// The names of the stops between two different ranks, in the order of the pair.
    pub(crate) fn names_between(self, one: usize, other: usize) -> impl Iterator<Item = usize> + use<'t> {
        self.pairs.between(one, other).map(move |stop| self.name(stop))
    }

    /// Calls `visit` with the pairs of ranks between which two stops with these marks, by name, follow each other, and with
    /// these two names. A pair may come several times.
    pub(crate) fn for_each_both(&self, marks: &[bool], mut visit: impl FnMut((usize, usize), [usize; 2])) {
        if !marks.contains(&true) {
            return;
        }
        let mut found = Vec::new();
        let mut was_marked = false;
        let mut look = |at: usize, is_marked: bool| {
            if was_marked && is_marked {
                found.push(at);
            }
            was_marked = is_marked;
        };
        if self.is_wide() {
            (0..self.names.len() / 2).for_each(|at| look(at, marks.get(self.name(at)) == Some(&true)));
        } else {
            let names = self.names.iter().enumerate();
            names.for_each(|(at, &name)| look(at, marks.get(usize::from(name)) == Some(&true)));
        }
        // Both are found from the first to the last.
        let mut pairs = (0..self.pairs.count)
            .flat_map(|from| (from + 1..self.pairs.count).map(move |to| (from, to)))
            .enumerate()
            .map(|(pair, ranks)| (self.pairs.before(pair + 1), ranks));
        let (mut begin, mut end, mut pair) = (0, 0, (0, 0));
        for at in found {
            while end <= at {
                let Some(next) = pairs.next() else { return }; // padding
                begin = end;
                (end, pair) = next;
            }
            // Otherwise the two belong to different pairs.
            if begin < at {
                visit(pair, [at - 1, at].map(|at| self.name(at)));
            }
        }
    }

    /// The name of the stop next to a rank on the way to another one; `None` if there are no stops.
    pub(crate) fn name_next_to(&self, rank: usize, other: usize) -> Option<usize> {
        let part = self.pairs.between(rank, other);
        let at = if rank < other { part.start } else { part.end.wrapping_sub(1) };
        (!part.is_empty()).then(|| self.name(at))
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

/// The positions among a cluster's nodes of those that are stops, before they get names.
struct Names {
    is_used: Vec<bool>,
}

impl Names {
    fn new(nodes: usize) -> Self {
        Self { is_used: vec![false; nodes] }
    }

    fn use_position(&mut self, position: u32) {
        self.is_used[position as usize] = true;
    }

    /// The name of each position, and a record up to the names of its stops.
    fn begin(self, count: usize, ends: &[u32], nodes: &[(u32, Cell)]) -> (Vec<u16>, Vec<u8>) {
        let used = nodes.iter().zip(&self.is_used).filter(|&(_, &is_used)| is_used);
        let numbers: Vec<u32> = used.map(|(&(node, _), _)| node).collect();
        debug_assert!(numbers.len() <= 1 << 16, "a matrix of so many nodes would not fit into memory");
        let mut record = Pairs::encode(count, ends);
        record.extend_from_slice(&(numbers.len() as u32).to_le_bytes());
        record.extend(numbers.iter().flat_map(|node| node.to_le_bytes()));
        let mut next = 0_u32;
        let names = self.is_used.into_iter().map(|is_used| {
            let name = if is_used { next as u16 } else { 0 };
            next += u32::from(is_used);
            name
        });
        (names.collect(), record)
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
