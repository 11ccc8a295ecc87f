//! Queries with forbidden zones, substitutes, and orders to many units.

use crate::border::{
    Fault, Handle, Result, exclusive, free, give, guard, handle, input, list, list_out, out, shared,
};
use crate::plan::Plan;
use crate::planner::{Planner, Scratch, map_cells, thread_count};
use crate::route::{Cell, Query, Route, Status};
use farstride::atlas::{FloorId, MoverId};
use farstride::{Cell as MapCell, Field as Inner, Planned, Planner as Engine};
use farstride_bindings::{Failure, Status as Shared, cell, zone};

/// A rectangle of cells.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Rect {
    /// Column of its upper left cell.
    pub x: i32,
    /// Row of that cell.
    pub y: i32,
    /// Number of columns, at least 1.
    pub width: i32,
    /// Number of rows, at least 1.
    pub height: i32,
}

/// Finds a path that keeps out of some rectangles, as if their cells were blocked for this query alone.
/// Only what is on the map of a rectangle counts. The budget of the query is ignored.
///
/// If the path of the engine does not keep out of them, A* searches around them; then engines for any
/// angle answer with cells, too.
///
/// route: the answer; its cells lie in the scratch until that is used again or freed.
///
/// Threads may ask the planner at once, each with its own scratch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_find_avoiding(
    planner: *const Planner,
    scratch: *mut Scratch,
    query: *const Query,
    zones: *const Rect,
    zone_count: usize,
    route: *mut Route,
) -> Result {
    guard(|| {
        let (planner, scratch) = (&shared(planner)?.inner, exclusive(scratch)?);
        let query = input(query)?.on(planner.grid())?;
        let read = |area: &Rect| {
            let Rect { x, y, width, height } = *area;
            zone(planner.grid(), [x, y, width, height].map(i64::from)).transpose()
        };
        let zones = list(zones, zone_count)?.iter().filter_map(read);
        let zones = zones.collect::<std::result::Result<Vec<_>, _>>()?;
        let outcome = planner.find_avoiding(query, &zones, &mut scratch.memory)?;
        out(route)?.set(Route::new(&outcome, query, planner.engine(), &mut scratch.cells));
        Ok(())
    })
}

/// Replaces start and goal of a query so that there is a path: a blocked start by the nearest free cell, a goal
/// that is blocked or out of reach by the nearest cell that can be reached, as the crow flies. The rest of
/// the query stays.
///
/// Threads may ask the planner meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_substitute(planner: *const Planner, query: *mut Query) -> Result {
    guard(|| {
        let (planner, mut given) = (&shared(planner)?.inner, *input(query)?);
        let instead = planner.substitute(given.on(planner.grid())?)?;
        (given.start_x, given.start_y) = (instead.start.x.into(), instead.start.y.into());
        (given.goal_x, given.goal_y) = (instead.goal.x.into(), instead.goal.y.into());
        out(query)?.set(given);
        Ok(())
    })
}

/// Makes plans for many units that go to one goal. If there are many of them, one search from the goal
/// serves all.
///
/// threads: 0 for all cores. statuses and plans: room for count of them, in the order of the starts; where the
/// status is not FARSTRIDE_STATUS_FOUND, the plan is set to null.
///
/// Threads may ask the planner meanwhile. Free each plan with farstride_plan_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_plan_group(
    planner: *const Planner,
    starts: *const Cell,
    count: usize,
    goal_x: i32,
    goal_y: i32,
    threads: u32,
    statuses: *mut Status,
    plans: *mut *mut Plan,
) -> Result {
    guard(|| {
        let planner = &shared(planner)?.inner;
        let starts = map_cells(planner, list(starts, count)?)?;
        let goal = cell(planner.grid(), goal_x.into(), goal_y.into())?;
        let (statuses, plans) = (list_out(statuses, count)?, list_out(plans, count)?);
        let made = planner.plan_group(&starts, goal, thread_count(threads))?;
        for ((made, status), plan) in made.into_iter().zip(statuses).zip(plans) {
            status.write(Shared::of_plan(&made).into());
            plan.write(match made {
                Planned::Plan(inner) => handle(Plan { inner }),
                _ => std::ptr::null_mut(),
            });
        }
        Ok(())
    })
}

/// One search from a goal, or from several, for any number of units. After an edit it begins again.
pub struct Field {
    inner: Inner,
    /// Mover and floor, if it lies in a world.
    ground: Option<(MoverId, FloorId)>,
}

impl Field {
    pub(crate) fn new(
        planner: &Engine,
        goals: &[MapCell],
        ground: Option<(MoverId, FloorId)>,
    ) -> std::result::Result<Self, Failure> {
        Ok(Self { inner: Inner::new(planner, goals)?, ground })
    }

    pub(crate) const fn ground(&self) -> Option<(MoverId, FloorId)> {
        self.ground
    }

    /// Writes cost and next cell of the way from a cell.
    pub(crate) fn ask(
        &mut self,
        planner: &Engine,
        x: i32,
        y: i32,
        cost: *mut i64,
        next: *mut Cell,
    ) -> std::result::Result<(), Fault> {
        let (field, from) = (&mut self.inner, cell(planner.grid(), x.into(), y.into())?);
        if !cost.is_null() {
            out(cost)?.set(field.cost(planner, from)?.map_or(-1, |cost| cost.units() as i64));
        }
        if !next.is_null() {
            let to = field.next(planner, from)?.unwrap_or(from);
            out(next)?.set(Cell { x: to.x, y: to.y });
        }
        Ok(())
    }
}

impl Handle for Field {
    const KIND: u32 = 0x6672_6631;
}

/// Makes a field around some goals. Goals that are blocked are left out.
///
/// Threads may ask the planner meanwhile. Free the field with farstride_field_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_field_new(
    planner: *const Planner,
    goals: *const Cell,
    goal_count: usize,
    field: *mut *mut Field,
) -> Result {
    guard(|| {
        let planner = &shared(planner)?.inner;
        let goals = map_cells(planner, list(goals, goal_count)?)?;
        give(Field::new(planner, &goals, None)?, field)
    })
}

/// The way of a unit to the nearest goal. Pass the planner that the field was made with, edited or not.
///
/// cost: the exact cost, or -1 if the cell is blocked or no goal can be reached; may be null. next: the next
/// cell of a shortest path, or the cell itself if the unit is there or has no path; may be null.
///
/// One thread at a time for each field; threads may ask the planner meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_field_ask(
    field: *mut Field,
    planner: *const Planner,
    x: i32,
    y: i32,
    cost: *mut i64,
    next: *mut Cell,
) -> Result {
    guard(|| {
        let (field, planner) = (exclusive(field)?, &shared(planner)?.inner);
        if field.ground().is_some() {
            return Err(Fault::new(Result::Handle, "the field is one of a world: farstride_atlas_field_ask"));
        }
        field.ask(planner, x, y, cost, next)
    })
}

/// Frees a field. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_field_free(field: *mut Field) {
    free(field);
}
