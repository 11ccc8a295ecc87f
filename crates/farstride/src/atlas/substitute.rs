//! Answers instead of no, across floors.

use super::error::AtlasError;
use super::tiles::Place;
use super::{Atlas, MoverId};
use crate::base::Cell;

impl Atlas {
    /// Places between which there is a way, for two between which there may be none: a
    /// start where the mover cannot stand is replaced by the nearest cell of its floor where
    /// it can, then a goal that it cannot reach by the nearest cell of the goal's floor that
    /// it can, by straight distance; of several, the first in reading order. `None` if there
    /// are no such cells on these floors.
    ///
    /// # Errors
    /// [`AtlasError`] if mover or places are not of this atlas.
    pub fn substitute(
        &self,
        mover: MoverId,
        from: Place,
        to: Place,
    ) -> Result<Option<(Place, Place)>, AtlasError> {
        let state = self.state(mover)?;
        self.check(from)?;
        self.check(to)?;
        let grid = self.planner_of(state, from.floor).grid();
        let Some(start) = grid.nearest_free(from.cell) else { return Ok(None) };
        let start = Place { floor: from.floor, cell: start };
        if self.regions_of(state, start, to).is_some() {
            return Ok(Some((start, to)));
        }
        // Every region of the goal's floor that can be reached: by links, or that of the start.
        let net = self.net(state);
        let ends = net.ends_on(to.floor).map(|end| (net.region(end), net.end(end)));
        let mut seeds: Vec<(u32, Place)> =
            ends.filter(|&(_, end)| self.regions_of(state, start, end).is_some()).collect();
        seeds.sort_unstable();
        seeds.dedup_by_key(|&mut (region, _)| region);
        let seeds = seeds.into_iter().map(|(_, end)| end).chain([start]);
        let grid = self.planner_of(state, to.floor).grid();
        let cells = seeds
            .filter(|seed| seed.floor == to.floor)
            .filter_map(|seed| grid.nearest_reachable(seed.cell, to.cell));
        let goal = cells.min_by_key(|&cell| (square(cell, to.cell), cell));
        Ok(goal.map(|cell| (start, Place { floor: to.floor, cell })))
    }
}

/// The square of the straight distance.
fn square(a: Cell, b: Cell) -> u64 {
    let (dx, dy) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
    dx * dx + dy * dy
}
