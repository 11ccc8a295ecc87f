//! Ways through worlds: trips, plans that are walked, fields.

use crate::border::{
    Fault, Handle, Result, exclusive, free, give, guard, handle, input, list, list_out, out, shared, value,
};
use crate::orders::Field;
use crate::planner::{Scratch, map_cells, thread_count};
use crate::route::{Cell, Status};
use crate::world::{Atlas, Place, floor_numbered, mover};
use farstride::atlas::{
    AtlasScratch, Stage as Part, TripOutcome, TripPlan as Inner, TripPlanned, TripStep as Stepped,
};
use farstride_bindings::{Failure, Status as Shared};
use std::ptr;

/// Working memory for queries of worlds.
#[derive(Default)]
pub(crate) struct Travel {
    memory: AtlasScratch,
    stages: Vec<Stage>,
}

/// A part of a trip: a walk on a floor, or a link.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// The number of the link; -1 for a walk.
    pub link: i64,
    /// The floor of a walk.
    pub floor: i32,
    /// The cells of a walk, both ends included; with engines for any angle, the turning points.
    pub cells: *const Cell,
    /// How many cells.
    pub count: usize,
}

/// A way over floors and through links.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Trip {
    /// How the query ended. Unless there is a way, the rest is 0.
    pub status: Status,
    /// The exact cost: walks and links.
    pub cost: u64,
    /// The stages, in the order of the way. They and their cells lie in the scratch until that is used
    /// again or freed.
    pub stages: *const Stage,
    /// How many stages.
    pub count: usize,
}

fn trip(outcome: &TripOutcome<'_>, stages: &mut Vec<Stage>) -> Trip {
    stages.clear();
    let mut cost = 0;
    if let TripOutcome::Found(trip) = outcome {
        cost = trip.cost().units();
        stages.extend(trip.stages().map(|part| match part {
            Part::Walk { floor, cells } => Stage {
                link: -1,
                floor: floor.index() as i32,
                cells: cells.as_ptr().cast(),
                count: cells.len(),
            },
            Part::Link(link) => Stage { link: link.index() as i64, floor: 0, cells: ptr::null(), count: 0 },
            _ => Stage { link: -1, floor: 0, cells: ptr::null(), count: 0 },
        }));
    }
    let first = if stages.is_empty() { ptr::null() } else { stages.as_ptr() };
    Trip { status: Shared::of_trip(outcome).into(), cost, stages: first, count: stages.len() }
}

/// Finds a way from a place to another.
///
/// trip: the answer; its stages and their cells lie in the scratch until that is used again or freed.
///
/// Threads may ask the world at once, each with its own scratch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_find(
    atlas: *const Atlas,
    scratch: *mut Scratch,
    mover: u32,
    from: Place,
    to: Place,
    trip: *mut Trip,
) -> Result {
    guard(|| {
        let (atlas, trip) = (&shared(atlas)?.inner, out(trip)?);
        let Travel { memory, stages } = &mut **exclusive(scratch)?.travel.get_or_insert_default();
        let found = atlas.find(self::mover(atlas, mover)?, from.read()?, to.read()?, memory);
        trip.set(self::trip(&found.map_err(Failure::query)?, stages));
        Ok(())
    })
}

/// Finds the place of a list that costs least to reach, through floors and links.
///
/// which: its number in the list; SIZE_MAX if none can be reached, and then the trip is not written. trip:
/// as in farstride_atlas_find.
///
/// Threads may ask the world at once, each with its own scratch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_nearest(
    atlas: *const Atlas,
    scratch: *mut Scratch,
    mover: u32,
    from: Place,
    goals: *const Place,
    goal_count: usize,
    which: *mut usize,
    trip: *mut Trip,
) -> Result {
    guard(|| {
        let (atlas, which, trip) = (&shared(atlas)?.inner, out(which)?, out(trip)?);
        let goals = list(goals, goal_count)?.iter().map(|goal| goal.read());
        let goals = goals.collect::<std::result::Result<Vec<_>, _>>()?;
        let Travel { memory, stages } = &mut **exclusive(scratch)?.travel.get_or_insert_default();
        let found = atlas.nearest(self::mover(atlas, mover)?, from.read()?, &goals, memory);
        match found.map_err(Failure::query)? {
            Some((at, outcome)) => {
                which.set(at);
                trip.set(self::trip(&outcome, stages));
            }
            None => which.set(usize::MAX),
        }
        Ok(())
    })
}

/// Whether a way leads from a place to another. Nothing is searched.
///
/// Threads may ask the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_can_reach(
    atlas: *const Atlas,
    mover: u32,
    from: Place,
    to: Place,
    can: *mut bool,
) -> Result {
    guard(|| {
        let (atlas, can) = (&shared(atlas)?.inner, out(can)?);
        let found = atlas.can_reach(self::mover(atlas, mover)?, from.read()?, to.read()?);
        can.set(found.map_err(Failure::query)?);
        Ok(())
    })
}

/// Replaces a start where the mover cannot stand and a goal that it cannot reach by the nearest places of
/// their floors; if nothing of the goal's floor can be reached, by a place of another floor above or below it, or close to that.
///
/// exists: whether there are such places; if not, from and to stay as they are.
///
/// Threads may ask the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_substitute(
    atlas: *const Atlas,
    mover: u32,
    from: *mut Place,
    to: *mut Place,
    exists: *mut bool,
) -> Result {
    guard(|| {
        let (atlas, exists) = (&shared(atlas)?.inner, out(exists)?);
        let (start, goal) = (input(from)?.read()?, input(to)?.read()?);
        let instead = atlas.substitute(self::mover(atlas, mover)?, start, goal);
        let instead = instead.map_err(Failure::query)?;
        exists.set(instead.is_some());
        if let Some((start, goal)) = instead {
            out(from)?.set(start.into());
            out(to)?.set(goal.into());
        }
        Ok(())
    })
}

/// A way through floors and links that is refined while a unit goes it.
pub struct TripPlan {
    inner: Inner,
}

impl Handle for TripPlan {
    const KIND: u32 = 0x6672_7431;
}

/// Makes a plan: its links are chosen at once, each walk is planned when it begins.
///
/// status: FARSTRIDE_STATUS_FOUND if there is a plan; otherwise why not, and the plan is set to null.
///
/// Threads may ask the world at once, each with its own scratch. Free the plan with
/// farstride_trip_plan_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_trip_plan_new(
    atlas: *const Atlas,
    scratch: *mut Scratch,
    mover: u32,
    from: Place,
    to: Place,
    status: *mut Status,
    plan: *mut *mut TripPlan,
) -> Result {
    guard(|| {
        let (atlas, status, plan) = (&shared(atlas)?.inner, out(status)?, out(plan)?);
        let memory = &mut exclusive(scratch)?.travel.get_or_insert_default().memory;
        let made = atlas.plan(self::mover(atlas, mover)?, from.read()?, to.read()?, memory);
        let made = made.map_err(Failure::query)?;
        status.set(Shared::of_trip_plan(&made).into());
        plan.set(plan_or_null(made));
        Ok(())
    })
}

fn plan_or_null(made: TripPlanned) -> *mut TripPlan {
    match made {
        TripPlanned::Plan(inner) => handle(TripPlan { inner }),
        _ => ptr::null_mut(),
    }
}

/// Makes many plans of a mover, as farstride_trip_plan_new does, on several threads.
///
/// starts and goals: count of each. threads: 0 for all cores. statuses and plans: room for count of them, in the
/// order of the starts; where the status is not FARSTRIDE_STATUS_FOUND, the plan is set to null.
///
/// Threads may ask the world meanwhile. Free each plan with farstride_trip_plan_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_trip_plan_many(
    atlas: *const Atlas,
    mover: u32,
    starts: *const Place,
    goals: *const Place,
    count: usize,
    threads: u32,
    statuses: *mut Status,
    plans: *mut *mut TripPlan,
) -> Result {
    guard(|| {
        let atlas = &shared(atlas)?.inner;
        let (statuses, plans) = (list_out(statuses, count)?, list_out(plans, count)?);
        let ways = list(starts, count)?.iter().zip(list(goals, count)?);
        let ways = ways.map(|(start, goal)| Ok((start.read()?, goal.read()?)));
        let ways = ways.collect::<std::result::Result<Vec<_>, Failure>>()?;
        let made = atlas.plan_many(self::mover(atlas, mover)?, &ways, thread_count(threads));
        for ((made, status), plan) in made.map_err(Failure::query)?.into_iter().zip(statuses).zip(plans) {
            status.write(Shared::of_trip_plan(&made).into());
            plan.write(plan_or_null(made));
        }
        Ok(())
    })
}

/// What a step of a trip plan came to.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TripStep {
    /// Walk to the place, on the same floor.
    Walk = 0,
    /// Take the link, which leads to the place.
    Link = 1,
    /// The unit is at the goal.
    Arrived = 2,
    /// Since an edit, no way leads to the goal. Try again after the next edit.
    Unreachable = 3,
}

/// Takes the next step in the world as it is now: pass the world that made the plan, edited or not.
///
/// place: where the unit is afterwards. link: the link it took, or -1; may be null.
///
/// One thread at a time for each plan; threads may ask the world at once, each with its own scratch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_trip_plan_step(
    plan: *mut TripPlan,
    atlas: *const Atlas,
    scratch: *mut Scratch,
    step: *mut TripStep,
    place: *mut Place,
    link: *mut i64,
) -> Result {
    guard(|| {
        let (plan, atlas) = (&mut exclusive(plan)?.inner, &shared(atlas)?.inner);
        let memory = &mut exclusive(scratch)?.travel.get_or_insert_default().memory;
        let (step, place) = (out(step)?, out(place)?);
        let (came_to, taken) = match plan.step(atlas, memory).map_err(Failure::query)? {
            Stepped::Walk(_) => (TripStep::Walk, -1),
            Stepped::Link { link, .. } => (TripStep::Link, link.index() as i64),
            Stepped::Arrived => (TripStep::Arrived, -1),
            _ => (TripStep::Unreachable, -1),
        };
        step.set(came_to);
        place.set(plan.position().into());
        if !link.is_null() {
            out(link)?.set(taken);
        }
        Ok(())
    })
}

/// Where the unit is; 0, 0, 0 if the handle is wrong.
///
/// One thread at a time for each plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_trip_plan_position(plan: *const TripPlan) -> Place {
    value(Place::default(), || Ok(shared(plan)?.inner.position().into()))
}

/// How often links or walks were chosen again, because of an edit or because the unit was moved.
///
/// One thread at a time for each plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_trip_plan_replans(plan: *const TripPlan) -> u32 {
    value(0, || Ok(shared(plan)?.inner.replans()))
}

/// Tells the plan that the unit is somewhere else.
///
/// One thread at a time for each plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_trip_plan_stand_at(
    plan: *mut TripPlan,
    atlas: *const Atlas,
    place: Place,
) -> Result {
    guard(|| {
        let (plan, atlas) = (&mut exclusive(plan)?.inner, &shared(atlas)?.inner);
        Ok(plan.stand_at(atlas, place.read()?).map_err(Failure::query)?)
    })
}

/// Frees a plan. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_trip_plan_free(plan: *mut TripPlan) {
    free(plan);
}

/// Makes a field around some goals on a floor, for units of a kind. Goals where they cannot stand are left out.
///
/// Threads may ask the world meanwhile. Ask it by farstride_atlas_field_ask, and free it with
/// farstride_field_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_field_new(
    atlas: *const Atlas,
    mover: u32,
    floor: u32,
    goals: *const Cell,
    goal_count: usize,
    field: *mut *mut Field,
) -> Result {
    guard(|| {
        let atlas = &shared(atlas)?.inner;
        let (mover, floor) = (self::mover(atlas, mover)?, floor_numbered(atlas, floor)?.0);
        let planner = atlas.planner(mover, floor).map_err(Failure::query)?;
        let goals = map_cells(planner, list(goals, goal_count)?)?;
        give(Field::new(planner, &goals, Some((mover, floor)))?, field)
    })
}

/// The way of a unit to the nearest goal, as farstride_field_ask. Pass the world that the field was made with,
/// edited or not.
///
/// One thread at a time for each field; threads may ask the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_field_ask(
    field: *mut Field,
    atlas: *const Atlas,
    x: i32,
    y: i32,
    cost: *mut i64,
    next: *mut Cell,
) -> Result {
    guard(|| {
        let (field, atlas) = (exclusive(field)?, &shared(atlas)?.inner);
        let Some((mover, floor)) = field.ground() else {
            return Err(Fault::new(Result::Handle, "the field is one of a planner: farstride_field_ask"));
        };
        field.ask(atlas.planner(mover, floor).map_err(Failure::query)?, x, y, cost, next)
    })
}
