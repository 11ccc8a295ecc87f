//! What a path over labels is written to: its cells, or its corners alone.
//!
//! The cells of a path are copied from tracks, a stride at a time. Its corners are
//! looked for in the same bytes without writing anything in between. On long paths that
//! still takes longer than all cells: a corner cannot be foreseen, and each costs the
//! processor a wrong guess. Collecting corners without branches was slower
//! (`bench/runs/2026-11-16-detail.md`).

use super::tracks::{self, Ends, Heading};
use crate::base::Cell;
use crate::grid::Steps;

/// Takes a path piece by piece, from the start on. Every method returns `None` if
/// the piece is none of ours or there is no room for it.
pub(super) trait PathSink {
    /// Whether as much was written as is wanted.
    fn is_full(&self) -> bool;

    /// Takes a run of steps from the cell written last.
    fn run(&mut self, from: Cell, step: (u16, u16), len: usize) -> Option<()>;

    /// Takes the track at a position, which begins at the cell written last.
    fn forward(&mut self, tracks: &[u8], track: usize) -> Option<()>;

    /// Takes the track at a position in reverse.
    fn backward(&mut self, tracks: &[u8], track: usize) -> Option<()>;
}

/// Writes every cell, until there are enough.
pub(super) struct Cells<'c> {
    memory: &'c mut [Cell],
    /// Position of the cell written last.
    pub(super) last: usize,
    enough: usize,
}

impl<'c> Cells<'c> {
    /// Writes at least `enough` steps, or the whole path if it is shorter.
    #[inline]
    pub(super) const fn new(memory: &'c mut [Cell], enough: usize) -> Self {
        Self { memory, last: 0, enough }
    }
}

impl PathSink for Cells<'_> {
    #[inline]
    fn is_full(&self) -> bool {
        self.last >= self.enough
    }

    #[inline]
    fn run(&mut self, from: Cell, step: (u16, u16), len: usize) -> Option<()> {
        self.last = tracks::run(from, step, len, self.memory, self.last)?;
        Some(())
    }

    #[inline]
    fn forward(&mut self, tracks: &[u8], track: usize) -> Option<()> {
        self.last = tracks::forward(tracks, track, self.memory, self.last)?;
        Some(())
    }

    #[inline]
    fn backward(&mut self, tracks: &[u8], track: usize) -> Option<()> {
        self.last = tracks::backward(tracks, track, self.memory, self.last)?;
        Some(())
    }
}

/// Memory for the corners of a path.
#[derive(Debug, Default)]
pub(super) struct CornerBuffer {
    /// The cells where the path starts, turns and ends.
    pub(super) corners: Vec<Cell>,
}

/// Writes the cells at which the path turns, first and last included.
pub(super) struct Corners<'c> {
    buffer: &'c mut CornerBuffer,
    /// The direction of the last step.
    heading: Heading,
    /// Cells that tracks may still have: whatever the bytes say, a path ends.
    room: usize,
}

impl<'c> Corners<'c> {
    /// The corners of a path from a cell on, of at most `room` cells.
    #[inline]
    pub(super) fn new(buffer: &'c mut CornerBuffer, start: Cell, room: usize) -> Self {
        buffer.corners.clear();
        buffer.corners.push(start);
        Self { buffer, heading: (0, 0), room }
    }

    /// Goes on in a direction: where the path is now is a corner only if it turns there.
    #[inline]
    fn head(&mut self, heading: Heading) {
        if self.heading == heading {
            self.buffer.corners.pop();
        }
    }

    /// Takes the track at a position.
    #[inline]
    fn take(&mut self, tracks: &[u8], track: usize, reversed: bool) -> Option<()> {
        let corners = &mut self.buffer.corners;
        let here = corners.len() - 1;
        let Ends { first, last, cells } = tracks::turns_into(tracks, track, corners)?;
        self.room = self.room.checked_sub(cells)?;
        let back = |(dx, dy): Heading| (dx.wrapping_neg(), dy.wrapping_neg());
        let (heading, (end, end_heading)) = if reversed {
            corners[here + 1..].reverse();
            (back(last.1), (first.0, back(first.1)))
        } else {
            (first.1, last)
        };
        if self.heading == heading {
            corners.remove(here); // the path goes straight on into the track
        }
        corners.push(end);
        self.heading = end_heading;
        Some(())
    }
}

impl PathSink for Corners<'_> {
    #[inline]
    fn is_full(&self) -> bool {
        false
    }

    #[inline]
    fn run(&mut self, from: Cell, (dx, dy): (u16, u16), len: usize) -> Option<()> {
        if len > 0 {
            let heading = (dx as i8, dy as i8);
            self.head(heading);
            self.heading = heading;
            let len = len as u16;
            self.buffer.corners.push(Cell {
                x: from.x.wrapping_add(dx.wrapping_mul(len)),
                y: from.y.wrapping_add(dy.wrapping_mul(len)),
            });
        }
        Some(())
    }

    #[inline]
    fn forward(&mut self, tracks: &[u8], track: usize) -> Option<()> {
        self.take(tracks, track, false)
    }

    #[inline]
    fn backward(&mut self, tracks: &[u8], track: usize) -> Option<()> {
        self.take(tracks, track, true)
    }
}

/// The steps of a path on uniform ground, given its cells or its corners.
pub(super) fn steps_between(cells: &[Cell]) -> Steps {
    let mut steps = Steps::default();
    for leg in cells.windows(2) {
        let (dx, dy) = (leg[0].x.abs_diff(leg[1].x), leg[0].y.abs_diff(leg[1].y));
        let both = u64::from(dx.min(dy));
        steps.diagonal_halves += 2 * both;
        steps.straight_halves += 2 * (u64::from(dx.max(dy)) - both);
    }
    steps
}
