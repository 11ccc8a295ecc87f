//! Labels of all cells: queries without a search.
//!
//! A query reads the records of two blocks. It spreads out the label of the start,
//! that is, writes the distance of every hub into a table, and then finds the hub of
//! the goal's label with the smallest sum of distances. Each entry knows the track of
//! the arc it begins with and the entry that goes on from there, so writing the path
//! means copying a few tracks.
//!
//! All segments lie in one array of bytes, built or mapped, and are read in place.
//! Whatever the bytes are, reading them ends and does not panic; bytes that do not fit
//! together give [`Corrupt`], and the planner searches instead.

use super::measure::Measure;
use super::meeting::{Meeting, gather, least, scatter};
use super::record::{Record, record_of};
use super::scratch::Working;
use super::segments::Segments;
use super::sink::PathSink;
use super::tracks::STRIDE;
use crate::base::Cell;
use crate::grid::Diagonals;

/// Number of segments.
pub(super) const PARTS: usize = 6;

/// The segments of labels of all cells, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// For each block, the position of its record, in units of [`ALIGNMENT`]; 0 if no
    /// cell of it is linked to a subgoal.
    Blocks,
    /// The records of blocks.
    Records,
    /// For each rank, the position of its label's first entry; and the end of the last.
    First,
    /// The hub of each entry.
    Hubs,
    /// For each entry, the start of the track of the arc it begins with, and the entry
    /// to go on with.
    Hops,
    /// The tracks.
    Tracks,
}

/// The bytes of labels do not fit together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Corrupt;

/// Next entry of one whose first arc leads to the hub.
pub(super) const ARRIVED: u32 = u32::MAX;

/// Labels of all cells of a map.
#[derive(Clone, Debug)]
pub(crate) struct Full {
    pub(super) segments: Segments<PARTS>,
    pub(super) measure: Measure,
    pub(super) four_connected: bool,
    /// An upper bound of the cost of any path: twice the distance of the farthest hub
    /// from a via, and a link at each end.
    pub(super) longest: u32,
    /// Number of cells that a query needs room for.
    pub(super) room: usize,
}

impl Full {
    /// Sets the upper bound of the cost of any path, and the room it takes.
    pub(super) fn with_longest(self, longest: u32) -> Self {
        let room = self.measure.most_cells(longest) + 2 * STRIDE;
        Self { longest, room, ..self }
    }
}

/// What follows from the segments is not compared.
impl PartialEq for Full {
    fn eq(&self, other: &Self) -> bool {
        self.measure == other.measure && self.segments == other.segments
    }
}

impl Eq for Full {}

/// Labels during a query, with their bytes looked up once.
#[derive(Clone, Copy)]
pub(super) struct View<'v> {
    labels: &'v Full,
    bytes: &'v [u8],
}

impl Full {
    /// The bytes of a segment.
    pub(super) fn part(&self, part: Part) -> &[u8] {
        self.segments.part(part as usize)
    }

    #[inline]
    pub(super) fn view(&self) -> View<'_> {
        View { labels: self, bytes: self.segments.bytes() }
    }
}

impl<'v> View<'v> {
    #[inline]
    pub(super) fn part(&self, part: Part) -> Result<&'v [u8], Corrupt> {
        self.bytes.get(self.labels.segments.place(part as usize)).ok_or(Corrupt)
    }

    /// The record of a cell's block, and the cell's position in the block; `None` if
    /// the block has no record.
    #[inline]
    pub(super) fn record(&self, cell: Cell) -> Result<Option<(Record<'v>, usize)>, Corrupt> {
        let Segments { shift, columns, .. } = self.labels.segments;
        let bytes = (self.part(Part::Blocks)?, self.part(Part::Records)?);
        record_of(bytes, shift, columns, cell)
    }

    /// Finds the hub at which the labels of two cells meet at the least cost; `None` if
    /// they have no common hub. Cells that see each other may have none.
    #[inline]
    pub(super) fn meet(
        &self,
        start: Cell,
        goal: Cell,
        working: &mut Working,
    ) -> Result<Option<Meeting>, Corrupt> {
        let Some((target, top)) = self.spread(start, goal, working)? else { return Ok(None) };
        Ok(gather(&target, &working.to, top, &working.best))
    }

    /// Returns the cost of a shortest path between two cells that do not see each
    /// other; `None` if there is no path. Faster than [`View::meet`], because it does
    /// not keep track of where the minimum is.
    #[inline]
    pub(super) fn cost(
        &self,
        start: Cell,
        goal: Cell,
        working: &mut Working,
    ) -> Result<Option<u32>, Corrupt> {
        let Some((target, top)) = self.spread(start, goal, working)? else { return Ok(None) };
        Ok(least(&target, &working.to, top, &working.best))
    }

    /// Spreads out the label of the start, and finds the distances of the goal's vias.
    /// Returns the record of the goal and the base of the query; `None` if either cell
    /// has no label.
    #[inline]
    fn spread(
        &self,
        start: Cell,
        goal: Cell,
        working: &mut Working,
    ) -> Result<Option<(Record<'_>, i64)>, Corrupt> {
        let (Some((source, s)), Some((target, t))) = (self.record(start)?, self.record(goal)?) else {
            return Ok(None);
        };
        let measure = self.labels.measure;
        let Working { best, generation, from, to, .. } = working;
        source.reach(start, s, measure, from).ok_or(Corrupt)?;
        target.reach(goal, t, measure, to).ok_or(Corrupt)?;
        let top = generation.next(best);
        scatter::<true>(&source, from, top, best);
        Ok(Some((target, top)))
    }

    /// Writes the path over a meeting; not the whole path if the sink is full before.
    #[inline]
    pub(super) fn unpack(
        &self,
        start: Cell,
        goal: Cell,
        meeting: Meeting,
        climb: &mut Vec<u32>,
        sink: &mut impl PathSink,
    ) -> Result<(), Corrupt> {
        let (Some((source, _)), Some((target, _))) = (self.record(start)?, self.record(goal)?) else {
            return Err(Corrupt);
        };
        let tracks = self.part(Part::Tracks)?;
        let (via, rank) = source.via(meeting.from).ok_or(Corrupt)?;
        self.go(start, via, sink).ok_or(Corrupt)?;
        let mut entry = self.entry(rank, meeting.hub)?;
        while let Some(here) = entry {
            if sink.is_full() {
                return Ok(());
            }
            let (track, next) = self.hop(here)?;
            sink.forward(tracks, track as usize).ok_or(Corrupt)?;
            entry = next;
        }
        let (via, rank) = target.via(meeting.to).ok_or(Corrupt)?;
        let mut entry = self.entry(rank, meeting.hub)?;
        climb.clear();
        while let Some(here) = entry {
            let (track, next) = self.hop(here)?;
            climb.push(track);
            entry = next;
        }
        while let Some(track) = climb.pop() {
            if sink.is_full() {
                return Ok(());
            }
            sink.backward(tracks, track as usize).ok_or(Corrupt)?;
        }
        self.go(via, goal, sink).ok_or(Corrupt)
    }

    /// Writes the path of an empty map from the cell written last to another one:
    /// diagonally first, on 4-connected maps along the row first.
    #[inline]
    pub(super) fn go(&self, from: Cell, to: Cell, sink: &mut impl PathSink) -> Option<()> {
        let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        let across = if to.x < from.x { u16::MAX } else { 1 };
        let down = if to.y < from.y { u16::MAX } else { 1 };
        if self.labels.four_connected {
            sink.run(from, (across, 0), dx.into())?;
            return sink.run(Cell::new(to.x, from.y), (0, down), dy.into());
        }
        let both = dx.min(dy);
        let corner = Cell {
            x: from.x.wrapping_add(across.wrapping_mul(both)),
            y: from.y.wrapping_add(down.wrapping_mul(both)),
        };
        let straight = if dx > dy { (across, 0) } else { (0, down) };
        sink.run(from, (across, down), both.into())?;
        sink.run(corner, straight, (dx.max(dy) - both).into())
    }

    /// The entry of a hub in the label of a rank; `None` if the rank is the hub.
    #[inline]
    pub(super) fn entry(&self, rank: usize, hub: usize) -> Result<Option<usize>, Corrupt> {
        if rank == hub {
            return Ok(None);
        }
        let first = self.part(Part::First)?;
        let (begin, end) = (u32_at(first, rank)? as usize, u32_at(first, rank + 1)? as usize);
        let hubs = self.part(Part::Hubs)?.as_chunks::<4>().0.get(begin..end).ok_or(Corrupt)?;
        let at = hubs.partition_point(|&other| (u32::from_le_bytes(other) as usize) < hub);
        match hubs.get(at) {
            Some(&found) if u32::from_le_bytes(found) as usize == hub => Ok(Some(begin + at)),
            _ => Err(Corrupt),
        }
    }

    /// The start of the track that an entry begins with, and the entry to go on with;
    /// `None` if the track ends at the hub.
    #[inline]
    pub(super) fn hop(&self, entry: usize) -> Result<(u32, Option<usize>), Corrupt> {
        let hops = self.part(Part::Hops)?.as_chunks::<8>().0;
        let both = u64::from_le_bytes(*hops.get(entry).ok_or(Corrupt)?);
        let (track, next) = (both as u32, (both >> 32) as u32);
        match next {
            ARRIVED => Ok((track, None)),
            // Labels of higher ranks come first. Insisting on that makes every climb
            // end, whatever the bytes are.
            _ if next as usize >= entry => Err(Corrupt),
            _ => Ok((track, Some(next as usize))),
        }
    }
}

#[inline]
fn u32_at(bytes: &[u8], at: usize) -> Result<u32, Corrupt> {
    bytes.as_chunks::<4>().0.get(at).map(|&word| u32::from_le_bytes(word)).ok_or(Corrupt)
}

/// Whether a rule allows no diagonal steps.
pub(super) const fn is_four_connected(rule: Diagonals) -> bool {
    matches!(rule, Diagonals::None)
}
