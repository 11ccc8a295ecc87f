//! What a path over labels is written to: its cells, or its corners alone.
//!
//! Both are copied from tracks, a stride at a time. Looking for the corners among the
//! cells took longer than copying all cells: a corner cannot be foreseen, and each costs
//! the processor a wrong guess (`bench/runs/2026-11-16-detail.md`).

use super::tracks::{self, Copied, Ends, Heading};
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
        self.last = tracks::forward(tracks, track, Copied::Cells, self.memory, self.last)?.checked_sub(1)?;
        Some(())
    }

    #[inline]
    fn backward(&mut self, tracks: &[u8], track: usize) -> Option<()> {
        self.last = tracks::backward(tracks, track, Copied::Cells, self.memory, self.last)?.checked_sub(1)?;
        Some(())
    }
}

/// Writes the cells at which the path turns, first and last included.
pub(super) struct Corners<'c> {
    memory: &'c mut [Cell],
    /// Position of the corner written last.
    pub(super) last: usize,
    /// The direction of the last step.
    heading: Heading,
    /// Cells that tracks may still have: whatever the bytes say, a path ends.
    room: usize,
}

impl<'c> Corners<'c> {
    /// The corners of a path from a cell on, of at most as many cells as there is memory
    /// for.
    #[inline]
    pub(super) fn new(memory: &'c mut [Cell], start: Cell) -> Option<Self> {
        *memory.first_mut()? = start;
        let room = memory.len();
        Some(Self { memory, last: 0, heading: (0, 0), room })
    }

    /// Where to write the next corner if the path goes on in this direction: over the
    /// last one if it does not turn there.
    #[inline]
    fn place(&self, heading: Heading) -> usize {
        self.last + usize::from(heading != self.heading)
    }

    /// Writes the corner that ends a piece of the path, reached in this direction.
    #[inline]
    fn arrive(&mut self, at: usize, end: Cell, heading: Heading) -> Option<()> {
        *self.memory.get_mut(at)? = end;
        self.heading = heading;
        self.last = at;
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
            let len = len as u16;
            let end = Cell {
                x: from.x.wrapping_add(dx.wrapping_mul(len)),
                y: from.y.wrapping_add(dy.wrapping_mul(len)),
            };
            let heading = (dx as i8, dy as i8);
            self.arrive(self.place(heading), end, heading)?;
        }
        Some(())
    }

    #[inline]
    fn forward(&mut self, tracks: &[u8], track: usize) -> Option<()> {
        let Ends { first: (_, departing), last: (last, arriving), cells } = tracks::ends(tracks, track)?;
        self.room = self.room.checked_sub(cells)?;
        let at = self.place(departing);
        let at = tracks::forward(tracks, track, Copied::Turns, self.memory, at)?;
        self.arrive(at, last, arriving)
    }

    #[inline]
    fn backward(&mut self, tracks: &[u8], track: usize) -> Option<()> {
        let Ends { first: (first, departing), last: (_, arriving), cells } = tracks::ends(tracks, track)?;
        self.room = self.room.checked_sub(cells)?;
        let back = |(dx, dy): Heading| (dx.wrapping_neg(), dy.wrapping_neg());
        let at = self.place(back(arriving));
        let at = tracks::backward(tracks, track, Copied::Turns, self.memory, at)?;
        self.arrive(at, first, back(departing))
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
