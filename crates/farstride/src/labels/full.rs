//! Labels of all cells: queries without a search.
//!
//! A query reads the records of two blocks. From the start it writes down how
//! far every hub of its label is; then it looks for the hub of the goal's label
//! where both together are least. Each entry knows the arc it begins with and
//! the entry that goes on from there, and the cells of arcs are written out: so
//! the path is a few copies.
//!
//! All parts lie in one piece of memory, built or mapped, and are read where
//! they lie. Whatever is in there, reading it ends and does not panic: what does
//! not fit together is [`Corrupt`].

use super::measure::Measure;
use super::record::{ALIGNMENT, MOST_HUBS, MOST_VIAS, Record, Way};
use super::scratch::Working;
use super::sink::PathSink;
use super::tracks::STRIDE;
use crate::base::{Bytes, Cell};
use crate::grid::Diagonals;
use std::fmt;
use std::ops::Range;

/// Parts of the labels, in order.
pub(super) const PARTS: usize = 6;

/// What each part is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// For each block, where its record is, in units of [`ALIGNMENT`]; 0 if no
    /// cell of it is linked to a subgoal.
    Blocks,
    /// The records.
    Records,
    /// For each rank, where its label begins; and where the last one ends.
    First,
    /// The hub of each entry.
    Hubs,
    /// For each entry, where the track of the arc it begins with is, and the
    /// entry to go on with.
    Hops,
    /// The tracks.
    Tracks,
}

/// Labels that do not fit together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Corrupt;

/// Instead of an entry: the hub is reached.
pub(super) const ARRIVED: u32 = u32::MAX;

/// Labels of all cells.
#[derive(Clone)]
pub(super) struct Full {
    pub(super) bytes: Bytes,
    pub(super) parts: [Range<usize>; PARTS],
    pub(super) measure: Measure,
    pub(super) four_connected: bool,
    /// Blocks are `1 << shift` cells wide and high.
    pub(super) shift: u32,
    /// Blocks in a row of them.
    pub(super) columns: usize,
    /// Twice as much as the farthest hub of any via, and a link at each end.
    pub(super) longest: u32,
    /// Cells that a query needs room for.
    pub(super) room: usize,
}

impl Full {
    /// The same, if no path costs more than this.
    pub(super) fn with_longest(self, longest: u32) -> Self {
        let room = self.measure.most_cells(longest) + 2 * STRIDE;
        Self { longest, room, ..self }
    }
}

impl fmt::Debug for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { parts, measure, four_connected, shift, columns, longest, room, bytes: _ } = self;
        f.debug_struct("Full")
            .field("parts", parts)
            .field("measure", measure)
            .field("four_connected", four_connected)
            .field("shift", shift)
            .field("columns", columns)
            .field("longest", longest)
            .field("room", room)
            .finish_non_exhaustive()
    }
}

/// Two labels are equal if all their bytes are.
impl PartialEq for Full {
    fn eq(&self, other: &Self) -> bool {
        (self.shift, self.columns, self.measure) == (other.shift, other.columns, other.measure)
            && ALL.iter().all(|&part| self.part(part) == other.part(part))
    }
}

impl Eq for Full {}

pub(super) const ALL: [Part; PARTS] =
    [Part::Blocks, Part::Records, Part::First, Part::Hubs, Part::Hops, Part::Tracks];

/// Where two labels meet: a hub, and the vias that it is reached by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meeting {
    pub(super) cost: u32,
    /// Rank of the hub.
    pub(super) hub: usize,
    /// Position of the via in the record of the start.
    pub(super) from: usize,
    /// Position of the via in the record of the goal.
    pub(super) to: usize,
}

/// The parts while a query reads them.
#[derive(Clone, Copy)]
pub(super) struct View<'v> {
    labels: &'v Full,
    bytes: &'v [u8],
}

impl Full {
    /// The bytes of a part.
    pub(super) fn part(&self, part: Part) -> &[u8] {
        (*self.bytes).as_ref().get(self.parts[part as usize].clone()).unwrap_or_default()
    }

    /// Cells in a block.
    pub(super) const fn block_cells(&self) -> usize {
        1 << (2 * self.shift)
    }

    /// Bytes of all parts.
    pub(super) fn byte_count(&self) -> usize {
        self.parts.iter().map(Range::len).sum()
    }

    #[inline]
    pub(super) fn view(&self) -> View<'_> {
        View { labels: self, bytes: (*self.bytes).as_ref() }
    }
}

impl<'v> View<'v> {
    #[inline]
    pub(super) fn part(&self, part: Part) -> Result<&'v [u8], Corrupt> {
        self.bytes.get(self.labels.parts[part as usize].clone()).ok_or(Corrupt)
    }

    /// The record of the block of a cell, and the cell's position in it; `None`
    /// if the block has none.
    #[inline]
    pub(super) fn record(&self, cell: Cell) -> Result<Option<(Record<'v>, usize)>, Corrupt> {
        let Full { shift, columns, .. } = *self.labels;
        let (x, y) = (usize::from(cell.x), usize::from(cell.y));
        let block = u32_at(self.part(Part::Blocks)?, (y >> shift) * columns + (x >> shift))?;
        if block == 0 {
            return Ok(None);
        }
        let bytes = self.part(Part::Records)?.get(block as usize * ALIGNMENT..).ok_or(Corrupt)?;
        let record = Record::read(bytes, self.labels.block_cells()).ok_or(Corrupt)?;
        let inside = (1 << shift) - 1;
        Ok(Some((record, (y & inside) << shift | (x & inside))))
    }

    /// Finds where the labels of two cells meet with the least cost; `None` if
    /// they do not. If one cell sees the other they need not.
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

    /// The cost of a shortest path between two cells that do not see each other;
    /// `None` if there is none.
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

    /// Writes down the label of the start, and how far the vias of the goal are.
    /// Gives the record of the goal and what the query measures from; `None` if
    /// either has no label.
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
        scatter(&source, from, top, best);
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

    /// The entry of a hub in the label of a rank; `None` if it is the hub.
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

    /// Where the track of the arc is that an entry begins with, and the entry
    /// to go on with; `None` if the hub is reached.
    #[inline]
    pub(super) fn hop(&self, entry: usize) -> Result<(u32, Option<usize>), Corrupt> {
        let hops = self.part(Part::Hops)?.as_chunks::<8>().0;
        let both = u64::from_le_bytes(*hops.get(entry).ok_or(Corrupt)?);
        let (track, next) = (both as u32, (both >> 32) as u32);
        match next {
            ARRIVED => Ok((track, None)),
            // Labels of higher ranks come first, so that every climb ends.
            _ if next as usize >= entry => Err(Corrupt),
            _ => Ok((track, Some(next as usize))),
        }
    }
}

/// Writes down how far every hub of a label is, and by which via: the larger, the
/// nearer.
#[inline]
fn scatter(record: &Record<'_>, links: &[u32; MOST_VIAS], top: i64, best: &mut [i64; MOST_HUBS]) {
    for ((hub, &link), via) in record.hubs().zip(links).zip(0..) {
        best[hub] = top - Way::new(link, via).0;
    }
    for entry in record.entries() {
        let way = entry.way().after(links[entry.via()]);
        best[entry.hub()] = best[entry.hub()].max(top - way.0);
    }
}

/// The least cost at which a label meets what another one has scattered.
#[inline]
fn least(record: &Record<'_>, links: &[u32; MOST_VIAS], top: i64, best: &[i64; MOST_HUBS]) -> Option<u32> {
    let none = top - Way::FAR.0;
    let vias = record.hubs().zip(links).map(|(hub, &link)| best[hub] - Way::new(link, 0).0);
    let entries = record
        .entries()
        .map(|entry| best[entry.hub()] - Way::new(entry.cost(), 0).after(links[entry.via()]).0);
    let nearest = entries.fold(vias.fold(none, i64::max), i64::max);
    (nearest > none).then(|| Way(top - nearest).cost())
}

/// Where a label meets what another one has scattered, with the least cost.
#[inline]
fn gather(
    record: &Record<'_>,
    links: &[u32; MOST_VIAS],
    top: i64,
    best: &[i64; MOST_HUBS],
) -> Option<Meeting> {
    let none = top - Way::FAR.0;
    let (mut nearest, mut place) = (none, 0);
    for (at, (hub, &link)) in record.hubs().zip(links).enumerate() {
        let sum = best[hub] - Way::new(link, 0).0;
        if sum > nearest {
            (nearest, place) = (sum, at);
        }
    }
    let vias = record.via_count();
    for (at, entry) in record.entries().enumerate() {
        let sum = best[entry.hub()] - Way::new(entry.cost(), 0).after(links[entry.via()]).0;
        if sum > nearest {
            (nearest, place) = (sum, vias + at);
        }
    }
    if nearest == none {
        return None;
    }
    let (hub, to) = match place.checked_sub(vias) {
        None => (record.hubs().nth(place)?, place),
        Some(at) => record.entry(at).map(|entry| (entry.hub(), entry.via()))?,
    };
    let way = Way(top - nearest);
    Some(Meeting { cost: way.cost(), hub, from: way.via(), to })
}

#[inline]
fn u32_at(bytes: &[u8], at: usize) -> Result<u32, Corrupt> {
    bytes.as_chunks::<4>().0.get(at).map(|&word| u32::from_le_bytes(word)).ok_or(Corrupt)
}

/// Whether a rule has no diagonal steps.
pub(super) const fn is_four_connected(rule: Diagonals) -> bool {
    matches!(rule, Diagonals::None)
}
