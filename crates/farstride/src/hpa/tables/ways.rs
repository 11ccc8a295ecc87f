//! Ways through clusters: of cells to nodes, and between nodes.

use super::{Costs, WORD, u16_at, u32_at};
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
/// Record: the number of nodes, with [`Pairs::WIDE`] set if offsets take 4 bytes instead of 2; for each pair of nodes that
/// [`Costs::pairs`] counts, how much lies before its own part, and at last how much there is in all; padding. The rest
/// is the record's own.
#[derive(Clone, Copy)]
pub(super) struct Pairs<'t> {
    nodes: Costs<'t>,
    wide: bool,
    offsets: &'t [u8],
}

impl<'t> Pairs<'t> {
    pub(super) const WIDE: u32 = 1 << 31;

    /// The pairs of a record about these nodes, and the rest of it.
    #[inline]
    pub(super) fn new(record: &'t [u8], nodes: Costs<'t>) -> (Self, &'t [u8]) {
        let wide = u32_at(record, 0) & Self::WIDE != 0;
        let (offsets, rest) = record[WORD..].split_at(Self::bytes(nodes, wide));
        (Self { nodes, wide, offsets }, rest)
    }

    /// Begins a record, given how much lies before the end of each pair's part.
    fn encode(nodes: Costs<'_>, ends: &[u32]) -> Vec<u8> {
        debug_assert_eq!(ends.len(), nodes.pair_count());
        let wide = ends.last().is_some_and(|&end| end > u16::MAX.into());
        let head = nodes.count() as u32 | if wide { Self::WIDE } else { 0 };
        let mut record = head.to_le_bytes().to_vec();
        record.reserve(Self::bytes(nodes, wide));
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
    #[inline]
    pub(super) fn bytes(nodes: Costs<'_>, wide: bool) -> usize {
        ((nodes.pair_count() + 1) * if wide { 4 } else { 2 }).next_multiple_of(WORD)
    }

    /// Whether offsets take 4 bytes only if they have to, and their padding is zero.
    pub(super) fn is_as_short_as_can_be(&self) -> bool {
        let count = self.nodes.pair_count();
        let used = (count + 1) * if self.wide { 4 } else { 2 };
        let needs_more = self.before(count) > u16::MAX.into();
        self.wide == needs_more && self.offsets[used..].iter().all(|&byte| byte == 0)
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

    /// The part of two different nodes; empty if they are in different islands.
    #[inline]
    fn between(&self, one: usize, other: usize) -> Range<usize> {
        self.nodes.pair(one, other).map_or(0..0, |pair| self.part(pair))
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
    pub(crate) fn new(record: &'t [u8], nodes: Costs<'t>) -> Self {
        let (pairs, runs) = Pairs::new(record, nodes);
        Self { pairs, runs }
    }

    /// Encodes the ways between all [pairs](Costs::pairs) of nodes, in order.
    pub(crate) fn encode<'r>(nodes: Costs<'_>, ways: impl Iterator<Item = &'r [Run]>) -> Vec<u8> {
        let mut runs = Vec::new();
        let mut ends = Vec::with_capacity(nodes.pair_count());
        for way in ways {
            for &run in way {
                encode_run(run, &mut runs);
            }
            ends.push(runs.len() as u32);
        }
        let mut record = Pairs::encode(nodes, &ends);
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
/// these, in as many bytes as [`name_bytes`] says; padding.
#[derive(Clone, Copy)]
pub(crate) struct Stops<'t> {
    pub(super) pairs: Pairs<'t>,
    pub(super) nodes: &'t [u8],
    pub(super) names: &'t [u8],
}

impl<'t> Stops<'t> {
    pub(crate) fn new(record: &'t [u8], nodes: Costs<'t>) -> Self {
        let (pairs, rest) = Pairs::new(record, nodes);
        let (nodes, names) = rest[WORD..].split_at(u32_at(rest, 0) as usize * WORD);
        Self { pairs, nodes, names }
    }

    /// Encodes the stops between the nodes of a cluster; `write` appends those of one pair, as positions in `below`, the nodes of
    /// its children.
    pub(crate) fn encode(
        nodes: Costs<'_>,
        below: &[(u32, Cell)],
        mut write: impl FnMut((usize, usize), &mut Vec<u32>),
    ) -> Vec<u8> {
        let mut stops = Vec::new();
        let mut ends = Vec::with_capacity(nodes.pair_count());
        nodes.for_each_pair(|one, other| {
            write((one, other), &mut stops);
            ends.push(stops.len() as u32);
        });
        let mut names = Names::new(below.len());
        for &stop in &stops {
            names.use_position(stop);
        }
        let (names, mut record) = names.begin(nodes, &ends, below);
        let bytes = name_bytes(names.count);
        for &stop in &stops {
            record.extend_from_slice(&names.of[stop as usize].to_le_bytes()[..bytes]);
        }
        record.resize(record.len().next_multiple_of(WORD), 0);
        record
    }

    /// The record with other ways between some nodes, and perhaps other nodes: `was` has the former rank of each, in
    /// ascending order, `places` the position in `below` of each node that was a stop, and `new_way` the stops of a
    /// pair as positions in `below`, if it is new. `None` if something is missing.
    pub(crate) fn with_ways<'w>(
        self,
        (nodes, below): (Costs<'_>, &[(u32, Cell)]),
        (was, places): (&[Option<usize>], &[Option<u32>]),
        new_way: impl Fn(usize, usize) -> Option<&'w [u32]>,
    ) -> Option<Vec<u8>> {
        /// Stops that stay as they are, or new ones.
        enum Piece<'w> {
            Old(Range<usize>),
            New(&'w [u32]),
        }
        let mut pieces = Vec::new();
        let mut ends = Vec::with_capacity(nodes.pair_count());
        let mut end = 0;
        let mut kept = 0..0;
        let mut is_known = true;
        // Mostly nothing has moved, and the parts of a pair have the same number.
        let has_moved = !nodes.has_islands_of(self.pairs.nodes);
        nodes.for_each_pair(|from, to| {
            if let Some(way) = new_way(from, to) {
                pieces.push(Piece::Old(std::mem::replace(&mut kept, 0..0)));
                pieces.push(Piece::New(way));
                end += way.len();
            } else {
                let part = match (was[from], was[to]) {
                    _ if !has_moved => self.pairs.part(ends.len()),
                    (Some(from), Some(to)) => self.pairs.between(from, to),
                    _ => return is_known = false,
                };
                end += part.len();
                // Most parts lie one behind the other.
                if part.start == kept.end {
                    kept.end = part.end;
                } else {
                    pieces.push(Piece::Old(std::mem::replace(&mut kept, part)));
                }
            }
            ends.push(end as u32);
        });
        if !is_known {
            return None;
        }
        pieces.push(Piece::Old(kept));
        let mut is_used = vec![false; places.len()];
        let mut names = Names::new(below.len());
        for piece in &pieces {
            match piece {
                // Nearly all are of 1 byte.
                Piece::Old(part) if self.name_bytes() == 1 => {
                    self.names[part.clone()].iter().for_each(|&name| is_used[usize::from(name)] = true);
                }
                Piece::Old(part) => part.clone().for_each(|stop| is_used[self.name(stop)] = true),
                Piece::New(way) => way.iter().for_each(|&stop| names.use_position(stop)),
            }
        }
        for (&place, _) in places.iter().zip(&is_used).filter(|&(_, &is_used)| is_used) {
            names.use_position(place?);
        }
        let (names, mut record) = names.begin(nodes, &ends, below);
        let now: Vec<u32> =
            places.iter().map(|place| place.map_or(0, |place| names.of[place as usize])).collect();
        let (bytes, old_bytes) = (name_bytes(names.count), self.name_bytes());
        let stays = bytes == old_bytes && now.iter().zip(0..).all(|(&now, name)| now == name);
        for piece in pieces {
            match piece {
                Piece::Old(part) if stays => {
                    record.extend_from_slice(&self.names[part.start * bytes..part.end * bytes]);
                }
                Piece::Old(part) if bytes == 1 && old_bytes == 1 => {
                    record.extend(self.names[part].iter().map(|&name| now[usize::from(name)] as u8));
                }
                Piece::Old(part) => {
                    part.for_each(|stop| {
                        record.extend_from_slice(&now[self.name(stop)].to_le_bytes()[..bytes]);
                    });
                }
                Piece::New(way) => {
                    let names = way.iter().map(|&stop| names.of[stop as usize]);
                    names.for_each(|name| record.extend_from_slice(&name.to_le_bytes()[..bytes]));
                }
            }
        }
        record.resize(record.len().next_multiple_of(WORD), 0);
        Some(record)
    }

    /// A record about these nodes with other numbers for its stops; `None` if one has none any more.
    pub(crate) fn renamed(
        mut record: Vec<u8>,
        nodes: Costs<'_>,
        now: impl Fn(u32) -> Option<u32>,
    ) -> Option<Vec<u8>> {
        let Stops { nodes, names, .. } = Stops::new(&record, nodes);
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
        if self.name_bytes() == 1 {
            let names = self.names.iter().enumerate();
            names.for_each(|(at, &name)| look(at, marks.get(usize::from(name)) == Some(&true)));
        } else {
            let stops = self.names.len() / self.name_bytes();
            (0..stops).for_each(|at| look(at, marks.get(self.name(at)) == Some(&true)));
        }
        // Both are found from the first to the last.
        let mut found = found.into_iter().peekable();
        let (mut begin, mut pair) = (0, 0);
        self.pairs.nodes.for_each_pair(|one, other| {
            pair += 1;
            if found.peek().is_none() {
                return;
            }
            let end = self.pairs.before(pair);
            while let Some(at) = found.next_if(|&at| at < end) {
                // Otherwise the two belong to different pairs.
                if begin < at {
                    visit((one, other), [at - 1, at].map(|at| self.name(at)));
                }
            }
            begin = end;
        });
    }

    /// The name of the stop next to a rank on the way to another one; `None` if there are no stops.
    pub(crate) fn name_next_to(&self, rank: usize, other: usize) -> Option<usize> {
        let part = self.pairs.between(rank, other);
        let at = if rank < other { part.start } else { part.end.wrapping_sub(1) };
        (!part.is_empty()).then(|| self.name(at))
    }

    /// Bytes of a name.
    #[inline]
    pub(super) const fn name_bytes(&self) -> usize {
        name_bytes(self.nodes.len() / WORD)
    }

    /// The name of a stop, counted over all pairs.
    #[inline]
    pub(super) fn name(&self, at: usize) -> usize {
        match self.name_bytes() {
            1 => self.names[at].into(),
            2 => u16_at(self.names, at).into(),
            _ => u32_at(self.names, at) as usize,
        }
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

/// Bytes of the names of so many stops.
const fn name_bytes(count: usize) -> usize {
    match count {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 4,
    }
}

/// The names of nodes that are stops.
struct Names {
    /// By position among all nodes below the cluster.
    of: Vec<u32>,
    count: usize,
}

impl Names {
    /// No names yet for so many nodes.
    fn new(nodes: usize) -> Self {
        Self { of: vec![0; nodes], count: 0 }
    }

    /// Notes that a node is a stop.
    fn use_position(&mut self, position: u32) {
        self.of[position as usize] = 1;
    }

    /// Gives names to the nodes that are stops, and begins a record, up to the names of its stops.
    fn begin(mut self, nodes: Costs<'_>, ends: &[u32], below: &[(u32, Cell)]) -> (Self, Vec<u8>) {
        let used = below.iter().zip(&self.of).filter(|&(_, &is_used)| is_used != 0);
        let numbers: Vec<u32> = used.map(|(&(node, _), _)| node).collect();
        let mut record = Pairs::encode(nodes, ends);
        record.extend_from_slice(&(numbers.len() as u32).to_le_bytes());
        record.extend(numbers.iter().flat_map(|node| node.to_le_bytes()));
        let mut next = 0;
        for name in &mut self.of {
            let is_used = *name;
            *name = next * is_used;
            next += is_used;
        }
        (Self { count: numbers.len(), ..self }, record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Node;

    /// Names take 1, 2 or 4 bytes, and mean the same nodes in all of them, also after a change.
    #[test]
    fn stops_are_read_as_they_were_written() {
        let below: Vec<(u32, Cell)> = (0..70_000).map(|node| (3 * node + 1, Cell::unpack(node))).collect();
        let costs = Costs::encode(&below[..2], &[0, 1, 1, 0], false);
        let nodes = Costs::new(&costs);
        let read = |record: &[u8]| {
            Stops::check_form(record, nodes).unwrap();
            let mut found = Vec::new();
            Stops::new(record, nodes).for_each_back(1, 0, |stop| found.push(stop));
            found
        };
        let expected = |way: &[u32]| way.iter().map(|&stop| below[stop as usize].0).collect::<Vec<_>>();
        let ways: Vec<Vec<u32>> =
            [0, 1, 256, 257, 65_536, 65_537].map(|count| (2..2 + count).rev().collect()).into();
        for way in &ways {
            let record = Stops::encode(nodes, &below, |_, stops| stops.extend(way));
            assert_eq!(read(&record), expected(way));
            let stops = Stops::new(&record, nodes);
            let places: Vec<Option<u32>> = (0..way.len() as u32).map(|name| Some(2 + name)).collect();
            let former = [Some(0), Some(1)];
            let same = stops.with_ways((nodes, &below), (&former, &places), |_, _| None);
            assert_eq!(same.as_ref(), Some(&record));
            // The same nodes, two further on.
            let places: Vec<Option<u32>> = places.iter().map(|place| place.map(|place| place + 2)).collect();
            let moved = stops.with_ways((nodes, &below), (&former, &places), |_, _| None).unwrap();
            assert_eq!(read(&moved), expected(&way.iter().map(|stop| stop + 2).collect::<Vec<_>>()));
            for other in &ways {
                let changed =
                    stops.with_ways((nodes, &below), (&former, &places), |_, _| Some(&other[..])).unwrap();
                assert_eq!(changed, Stops::encode(nodes, &below, |_, stops| stops.extend(other)));
            }
        }
    }
}
