//! Queries over labels of all cells.

use super::full::{Corrupt, Full};
use super::index::{Extent, Found};
use super::meeting::Meeting;
use super::scratch::{LabelScratch, Working};
use super::sink::{Cells, Corners, PathSink, steps_between};
use crate::base::Cell;
use crate::grid::Grid;

/// How a path leads from start to goal.
#[derive(Clone, Copy)]
enum Way {
    /// As on an empty map.
    Straight,
    /// Over the hub at which their labels meet.
    Over(Meeting),
}

impl Full {
    /// A shortest path between two free cells; `None` if there is none.
    #[inline]
    pub(super) fn find(
        &self,
        grid: &Grid,
        ends: (Cell, Cell),
        extent: Extent,
        scratch: &mut LabelScratch,
    ) -> Result<Option<Found>, Corrupt> {
        let (start, goal) = ends;
        let working = scratch.working(self.room);
        if grid.is_diagonal_first(start, goal) {
            let cells = self.write(ends, Way::Straight, extent, working)?;
            return Ok(Some(Found { steps: self.measure.steps_between(start, goal), cells }));
        }
        if extent == Extent::Nothing {
            let Some(cost) = self.view().cost(start, goal, working)? else { return Ok(None) };
            if let Some(steps) = self.measure.steps(cost) {
                return Ok(Some(Found { steps, cells: 0 }));
            }
        }
        let Some(meeting) = self.view().meet(start, goal, working)? else { return Ok(None) };
        let way = Way::Over(meeting);
        let steps = if let Some(steps) = self.measure.steps(meeting.cost) {
            steps
        } else {
            // The cost of so long a path does not tell how many steps are diagonal;
            // its corners do.
            let count = self.write(ends, way, Extent::Corners, working)?;
            steps_between(working.cells.get(..count).ok_or(Corrupt)?)
        };
        Ok(Some(Found { steps, cells: self.write(ends, way, extent, working)? }))
    }

    /// Writes as much of a path as is wanted, and gives the number of cells written.
    #[inline]
    fn write(
        &self,
        ends: (Cell, Cell),
        way: Way,
        extent: Extent,
        working: &mut Working,
    ) -> Result<usize, Corrupt> {
        let Working { cells, climb, .. } = working;
        let count = match extent {
            Extent::Nothing => return Ok(0),
            Extent::Steps(enough) => {
                let mut sink = Cells::new(cells, enough);
                self.follow(ends, way, climb, &mut sink)?;
                sink.last + 1
            }
            Extent::Corners => {
                let mut sink = Corners::new(cells, ends.0).ok_or(Corrupt)?;
                self.follow(ends, way, climb, &mut sink)?;
                sink.last + 1
            }
        };
        *cells.first_mut().ok_or(Corrupt)? = ends.0; // whatever the tracks say
        Ok(count)
    }

    #[inline]
    fn follow(
        &self,
        (start, goal): (Cell, Cell),
        way: Way,
        climb: &mut Vec<u32>,
        sink: &mut impl PathSink,
    ) -> Result<(), Corrupt> {
        match way {
            Way::Straight => self.view().go(start, goal, sink).ok_or(Corrupt),
            Way::Over(meeting) => self.view().unpack(start, goal, meeting, climb, sink),
        }
    }
}
