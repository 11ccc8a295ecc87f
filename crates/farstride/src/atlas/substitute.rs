//! Answers instead of no, across floors.

use super::error::AtlasError;
use super::state::MoverState;
use super::tiles::{Floor, Place};
use super::{Atlas, MoverId};
use crate::base::Cell;

impl Atlas {
    /// Places between which there is a way, for two between which there may be none: a
    /// start where the mover cannot stand is replaced by the nearest cell of its floor where
    /// it can, then a goal that it cannot reach by the nearest cell of the goal's floor that
    /// it can, by straight distance; of several, the first in reading order.
    ///
    /// If the goal's floor cannot be reached at all, another floor stands in for it: on each
    /// the nearest cell to where the goal would be there (or to the floor's edge, if the floor
    /// does not extend so far) is found; of these, the nearest to the goal in the plane of the world counts, then
    /// that of the floor whose number is closest, then that of the lower number.
    ///
    /// `None` if the mover can stand nowhere on the start's floor.
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
        let goal = self.nearest_on(state, start, to).or_else(|| {
            let others = self.tiles().floors().filter(|&(floor, _)| floor != to.floor);
            let spots = others.map(|(id, floor)| Place { floor: id, cell: self.same_spot_on(floor, to) });
            let places = spots.filter_map(|spot| self.nearest_on(state, start, spot));
            places.min_by_key(|&place| {
                (self.square_in_world(place, to), place.floor.index().abs_diff(to.floor.index()), place)
            })
        });
        Ok(goal.map(|goal| (start, goal)))
    }

    /// The nearest place to a goal on its floor that can be reached.
    fn nearest_on(&self, state: &MoverState, start: Place, goal: Place) -> Option<Place> {
        // Every region of the floor that can be reached: by links, or that of the start.
        let net = self.net(state);
        let ends = net.ends_on(goal.floor).map(|end| (net.region(end), net.end(end)));
        let mut seeds: Vec<(u32, Place)> =
            ends.filter(|&(_, end)| self.regions_of(state, start, end).is_some()).collect();
        seeds.sort_unstable();
        seeds.dedup_by_key(|&mut (region, _)| region);
        let seeds = seeds.into_iter().map(|(_, end)| end).chain([start]);
        let grid = self.planner_of(state, goal.floor).grid();
        let cells = seeds
            .filter(|seed| seed.floor == goal.floor)
            .filter_map(|seed| grid.nearest_reachable(seed.cell, goal.cell));
        let nearest = cells.min_by_key(|&cell| (square(cell, goal.cell), cell));
        nearest.map(|cell| Place { floor: goal.floor, cell })
    }

    /// The cell of another floor at the coordinates of a place in the world, or the nearest one to
    /// it.
    fn same_spot_on(&self, floor: &Floor, place: Place) -> Cell {
        let (x, y) = self.in_world(place);
        let along =
            |at: i64, first: i32, count: usize| (at - i64::from(first)).clamp(0, count as i64 - 1) as u16;
        let (left, top) = floor.origin();
        Cell::new(along(x, left, floor.width()), along(y, top, floor.height()))
    }

    /// The coordinates of a place in the world.
    fn in_world(&self, place: Place) -> (i64, i64) {
        let (left, top) = self.tiles().floor(place.floor).map_or((0, 0), Floor::origin);
        (i64::from(left) + i64::from(place.cell.x), i64::from(top) + i64::from(place.cell.y))
    }

    /// The square of the straight distance of two places in the plane of the world.
    fn square_in_world(&self, a: Place, b: Place) -> u128 {
        let ((ax, ay), (bx, by)) = (self.in_world(a), self.in_world(b));
        let (dx, dy) = (u128::from(ax.abs_diff(bx)), u128::from(ay.abs_diff(by)));
        dx * dx + dy * dy
    }
}

/// The square of the straight distance.
fn square(a: Cell, b: Cell) -> u64 {
    let (dx, dy) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
    dx * dx + dy * dy
}
