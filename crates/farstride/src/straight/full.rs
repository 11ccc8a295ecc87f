//! Labels of all cells: queries without a search.
//!
//! A query asks whether start and goal see each other. If not, it reads two records, finds
//! the hub with the least sum of lengths as `labels` does, and walks from both ends to the
//! hub, entry by entry. Everything is read where it lies, in one array of bytes; bytes that
//! do not fit together give [`Corrupt`], and the planner searches.

use super::graph::Port;
use super::rule::StraightRule;
use crate::base::{Cell, Cost, DiagonalCost, Point};
use crate::grid::Grid;
use crate::labels::meeting::{Meeting, gather, least, scatter};
use crate::labels::record::{Metric, Record, record_of};
use crate::labels::segments::Segments;
use crate::labels::{Corrupt, FAR, Working};

/// Number of segments.
pub(super) const PARTS: usize = 5;

/// The segments, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// For each block, the position of its record; 0 if it has none.
    Blocks,
    /// The records of blocks.
    Records,
    /// Column and row of each corner, by rank.
    Places,
    /// For each port, by rank and side, the position of its label's first entry; and the end.
    First,
    /// The entries of port labels ([`Hop`]).
    Hops,
}

/// The bit of a via's word in a record that tells the side.
pub(super) const SIDE_BIT: u32 = 31;

/// Ranks are below this.
pub(super) const MOST_CORNERS: usize = 1 << CORNER_BITS;
const CORNER_BITS: u32 = 19;
/// Positions of entries are below this.
pub(super) const MOST_ENTRIES: usize = (1 << NEXT_BITS) - 1;
const NEXT_BITS: u32 = 26;

/// An entry of a port's label: the hub, the port's corner, and the entry to go on with. The
/// hub is in the high bits, so that entries of a label are sorted as numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Hop(pub(super) u64);

impl Hop {
    /// `next` is `None` if the next corner is the hub.
    pub(super) const fn new(hub: u32, corner: u32, next: Option<u32>) -> Self {
        let next = match next {
            Some(next) => next,
            None => MOST_ENTRIES as u32,
        };
        Self((hub as u64) << (CORNER_BITS + NEXT_BITS) | (corner as u64) << NEXT_BITS | next as u64)
    }

    pub(super) const fn hub(self) -> usize {
        (self.0 >> (CORNER_BITS + NEXT_BITS)) as usize
    }

    #[inline]
    pub(super) const fn corner(self) -> usize {
        (self.0 >> NEXT_BITS) as usize & (MOST_CORNERS - 1)
    }

    #[inline]
    pub(super) const fn next(self) -> Option<usize> {
        let next = self.0 as usize & MOST_ENTRIES;
        if next == MOST_ENTRIES { None } else { Some(next) }
    }
}

/// Lengths as numbers: units of [`Cost`], of which a cell has 4756.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Euclid {
    /// Half cells from a lattice point to the cell with the same numbers.
    inset: i32,
}

impl Euclid {
    /// Units of a cell.
    const UNIT: f64 = DiagonalCost::Sqrt2.straight().units() as f64;

    /// A length in cells, rounded to the nearest unit.
    pub(super) fn units(length: f64) -> u32 {
        (length * Self::UNIT + 0.5) as u32
    }

    /// The length of a path, rounded to the nearest unit.
    pub(super) fn length(points: &[Point]) -> Cost {
        let length: f64 = points.windows(2).map(|leg| leg[0].distance(leg[1])).sum();
        Cost::from_units(Self::units(length).into())
    }
}

impl Metric for Euclid {
    /// The distance of a corner from the centre of a cell. Roots of 32 bits are right to a
    /// unit on maps of up to a thousand cells, and take half the time of longer ones.
    #[inline]
    fn cost(self, x: u16, y: u16, cell: Cell) -> u32 {
        let inset = self.inset as f32 / 2.0;
        let dx = f32::from(x) - (f32::from(cell.x) + inset);
        let dy = f32::from(y) - (f32::from(cell.y) + inset);
        round((dx * dx + dy * dy).sqrt() * Self::UNIT as f32)
    }
}

/// A number from 0 to 2³² as the nearest whole one. Vector instructions can do this; a cast also
/// has to care for numbers that do not fit, one by one, which took a third of a query.
#[inline]
fn round(number: f32) -> u32 {
    /// From here on, `f32` has whole numbers only: adding one rounds, and leaves the sum in the low bits.
    const WHOLE: f32 = (1_u32 << 23) as f32;
    const PART: u32 = 12;
    const SIZE: f32 = (1_u32 << PART) as f32;
    let parts = number / SIZE + WHOLE;
    let rest = number - (parts - WHOLE) * SIZE + 1.5 * WHOLE;
    let [parts, rest] =
        [(parts, WHOLE), (rest, 1.5 * WHOLE)].map(|(sum, base)| sum.to_bits().wrapping_sub(base.to_bits()));
    (parts << PART).wrapping_add(rest)
}

/// Labels of all cells of a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Full {
    pub(super) rule: StraightRule,
    pub(super) segments: Segments<PARTS>,
}

impl Full {
    /// The bytes of a segment.
    #[inline]
    pub(super) fn part(&self, part: Part) -> &[u8] {
        self.segments.part(part as usize)
    }

    /// Number of corners.
    pub(super) fn corner_count(&self) -> usize {
        self.segments.place(Part::Places as usize).len() / 4
    }

    /// The record of a cell's block and the cell's position there.
    #[inline]
    pub(super) fn record(&self, cell: Cell) -> Result<Option<(Record<'_>, usize)>, Corrupt> {
        self.view().record(cell)
    }

    /// The segments.
    #[inline]
    pub(super) fn view(&self) -> View<'_> {
        let bytes = self.segments.bytes();
        let part = |part: Part| bytes.get(self.segments.place(part as usize)).unwrap_or_default();
        View {
            full: self,
            blocks: part(Part::Blocks),
            records: part(Part::Records),
            places: part(Part::Places).as_chunks().0,
            first: part(Part::First).as_chunks().0,
            hops: part(Part::Hops).as_chunks().0,
        }
    }

    /// The length of a shortest path between two free cells in units of [`Cost`]; `None` if
    /// there is no path. Writes its points into `points` if they are wanted.
    #[inline]
    pub(super) fn find(
        &self,
        grid: &Grid,
        (start, goal): (Cell, Cell),
        working: &mut Working,
        points: Option<&mut Vec<Point>>,
    ) -> Result<Option<Cost>, Corrupt> {
        if self.rule.on(grid).sees(start, goal) {
            let ends = [Point::centre(start), Point::centre(goal)];
            if let Some(points) = points {
                points.clear();
                points.extend(ends);
            }
            return Ok(Some(Cost::from_units(Euclid::units(ends[0].distance(ends[1])).into())));
        }
        let view = self.view();
        let (Some((source, s)), Some((target, t))) = (view.record(start)?, view.record(goal)?) else {
            return Ok(None);
        };
        let Working { best, generation, from, to, .. } = working;
        source.reach(start, s, self.euclid(), from).ok_or(Corrupt)?;
        target.reach(goal, t, self.euclid(), to).ok_or(Corrupt)?;
        let top = generation.next(best);
        scatter::<false>(&source, from, top, best);
        let Some(points) = points else {
            let cost = least(&target, to, top, best);
            return Ok(cost.map(|cost| Cost::from_units(cost.into())));
        };
        let Some(meeting) = gather(&target, to, top, best) else { return Ok(None) };
        view.write((start, goal), (&source, &target), meeting, points)?;
        Ok(Some(Cost::from_units(meeting.cost.into())))
    }

    /// How far corners are from cells.
    #[inline]
    pub(super) const fn euclid(&self) -> Euclid {
        Euclid { inset: self.rule.inset() }
    }

    /// The length of the longest link on a map of this size.
    pub(super) fn across(width: usize, height: usize) -> f64 {
        ((width * width + height * height) as f64).sqrt()
    }

    /// Whether an entry's sum fits into a record's numbers, with a link at each end.
    pub(super) fn costs_fit(farthest: f64, across: f64) -> bool {
        2.0 * (farthest + across) * Euclid::UNIT < f64::from(FAR)
    }
}

/// The segments of labels, found once for a query: every look at [`Bytes`] calls through a table.
#[derive(Clone, Copy)]
pub(super) struct View<'v> {
    full: &'v Full,
    blocks: &'v [u8],
    records: &'v [u8],
    places: &'v [[u8; 4]],
    first: &'v [[u8; 4]],
    hops: &'v [[u8; 8]],
}

impl<'v> View<'v> {
    /// The record of a cell's block and the cell's position there.
    #[inline]
    fn record(&self, cell: Cell) -> Result<Option<(Record<'v>, usize)>, Corrupt> {
        let Segments { shift, columns, .. } = self.full.segments;
        record_of((self.blocks, self.records), shift, columns, cell)
    }

    /// Writes the points of the path over a meeting.
    #[inline]
    fn write(
        &self,
        (start, goal): (Cell, Cell),
        (source, target): (&Record<'_>, &Record<'_>),
        meeting: Meeting,
        points: &mut Vec<Point>,
    ) -> Result<(), Corrupt> {
        points.clear();
        points.push(Point::centre(start));
        self.climb(source, meeting.from, meeting.hub, points)?;
        let up = points.len();
        self.climb(target, meeting.to, meeting.hub, points)?;
        points.pop(); // the hub again
        points[up..].reverse();
        points.push(Point::centre(goal));
        drop_straight_points(points);
        Ok(())
    }

    /// Appends the points from a via to a hub, both included.
    #[inline]
    fn climb(
        &self,
        record: &Record<'_>,
        via: usize,
        hub: usize,
        points: &mut Vec<Point>,
    ) -> Result<(), Corrupt> {
        let word = record.word(via).ok_or(Corrupt)?;
        let rank = word as usize & (MOST_CORNERS - 1);
        points.push(self.place(rank)?);
        if rank == hub {
            return Ok(());
        }
        // Whatever the bytes are, this ends: no path has more points than there are corners.
        let most = points.len() + self.places.len();
        let mut hop = self.entry(Port::new(rank as u32, (word >> SIDE_BIT) as usize), hub)?;
        while let Some(next) = hop.next() {
            hop = self.hop(next)?;
            points.push(self.place(hop.corner())?);
            if points.len() > most {
                return Err(Corrupt);
            }
        }
        points.push(self.place(hub)?);
        Ok(())
    }

    /// The point of a corner.
    #[inline]
    pub(super) fn place(&self, rank: usize) -> Result<Point, Corrupt> {
        let &[x, low_x, y, low_y] = self.places.get(rank).ok_or(Corrupt)?;
        let (x, y) = (u16::from_le_bytes([x, low_x]), u16::from_le_bytes([y, low_y]));
        Ok(self.full.rule.point(x.into(), y.into()))
    }

    /// The entry of a hub in the label of a port.
    #[inline]
    pub(super) fn entry(&self, port: Port, hub: usize) -> Result<Hop, Corrupt> {
        let hops = self.label(port)?;
        let least = Hop::new(hub as u32, 0, Some(0)).0;
        let at = hops.partition_point(|&hop| u64::from_le_bytes(hop) < least);
        let hop = hops.get(at).map(|&hop| Hop(u64::from_le_bytes(hop)));
        hop.filter(|hop| hop.hub() == hub).ok_or(Corrupt)
    }

    /// The entries of a port.
    #[inline]
    pub(super) fn label(&self, port: Port) -> Result<&'v [[u8; 8]], Corrupt> {
        let bounds =
            self.first.get(port.index()..).and_then(|first| first.first_chunk::<2>()).ok_or(Corrupt)?;
        let [begin, end] = bounds.map(|bound| u32::from_le_bytes(bound) as usize);
        self.hops.get(begin..end).ok_or(Corrupt)
    }

    /// The entry at a position.
    #[inline]
    pub(super) fn hop(&self, at: usize) -> Result<Hop, Corrupt> {
        self.hops.get(at).map(|&hop| Hop(u64::from_le_bytes(hop))).ok_or(Corrupt)
    }
}

/// Drops points at which a path goes straight on.
pub(super) fn drop_straight_points(points: &mut Vec<Point>) {
    let mut kept = 1;
    for at in 2..points.len() {
        let (before, here, after) = (points[kept - 1], points[at - 1], points[at]);
        let (one, other) = (before.to(here), here.to(after));
        if one.0 * other.1 != one.1 * other.0 {
            points[kept] = here;
            kept += 1;
        }
    }
    if let Some(&last) = points.last()
        && points.len() > 1
    {
        points[kept] = last;
        points.truncate(kept + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a cast rounds, over the whole range and at halves.
    #[test]
    fn rounding_is_that_of_a_cast() {
        let expected = |number: f32| number.round_ties_even() as u32;
        let end = ((1_u64 << 32) as f32).to_bits();
        for number in (0..end).step_by(4001).chain([end - 1]).map(f32::from_bits) {
            assert_eq!(round(number), expected(number), "{number}");
        }
        for number in (0..100_000).map(|halves| halves as f32 / 2.0) {
            assert_eq!(round(number), expected(number), "{number}");
        }
    }

    /// The distance of a corner is right to a unit on maps of a thousand cells, by both rules.
    #[test]
    fn distances_are_right_to_a_unit() {
        for rule in [StraightRule::Touch, StraightRule::Body] {
            let euclid = Euclid { inset: rule.inset() };
            for (x, y) in (1..1024).step_by(17).flat_map(|x| (1..1024).step_by(13).map(move |y| (x, y))) {
                let cell = Cell::new(1023 - y, x / 2);
                let exact = Euclid::units(rule.point(x.into(), y.into()).distance(Point::centre(cell)));
                assert!(euclid.cost(x, y, cell).abs_diff(exact) <= 1, "{x} {y} {cell}");
            }
        }
    }
}
