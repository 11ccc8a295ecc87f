//! How a planner uses labels.

use super::{Detail, Planner, Query, Scratch};
use crate::base::Cell;
use crate::labels::{Extent, Found, GridLabels};
use crate::search::{Observer, Phase, Progress};

impl Planner {
    /// Looks up a path, and leaves in the scratch what was asked for. No budget is
    /// spent. `None` if the labels turn out to be damaged.
    #[inline]
    pub(super) fn look_up(
        &self,
        labels: &GridLabels,
        query: Query,
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Option<Progress<Cell>> {
        let Query { start, goal, detail, .. } = query;
        observer.phase(Phase::Refine);
        let extent = match detail {
            Detail::Cost => Extent::Nothing,
            Detail::First(steps) => Extent::Steps(steps as usize),
            Detail::Cells | Detail::Waypoints => Extent::Steps(usize::MAX),
        };
        let ends = (start, goal);
        let mut found = labels.find(&self.grid, ends, extent, &mut scratch.labels, observer).ok()?;
        if extent != Extent::Steps(usize::MAX) && found.is_some_and(|found| found.steps.is_none()) {
            // Only the cells of so long a path tell how many steps are diagonal.
            let extent = Extent::Steps(usize::MAX);
            found = labels.find(&self.grid, ends, extent, &mut scratch.labels, &mut ()).ok()?;
        }
        let Some(Found { steps, cells, .. }) = found else {
            return (!self.grid.is_connected(start, goal)).then_some(Progress::Exhausted);
        };
        // Waypoints are made of a path whose steps are yet to be counted.
        scratch.steps = steps.filter(|_| detail != Detail::Waypoints);
        if scratch.steps.is_none() {
            scratch.path.clear();
            scratch.path.extend_from_slice(scratch.labels.cells(cells));
        } else {
            scratch.written = Some(cells);
        }
        Some(Progress::Reached(goal))
    }
}
