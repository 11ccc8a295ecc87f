//! Worlds: floors of terrain, movers of many kinds, links between places.

use crate::border::{
    Fault, Handle, Result, exclusive, free, give, guard, handle, input, list, out, shared, text,
};
use crate::orders::Rect;
use crate::planner::Scratch;
use crate::route::{Cell, Status};
use farstride::atlas::{
    Atlas as Inner, AtlasScratch, Floor, MoverId, Place as Where, Stage as Part, TileMap, TripOutcome,
    TripPlan as InnerPlan, TripPlanned, TripStep,
};
use farstride_bindings::{Failure, Status as Shared, worlds};
use std::ffi::c_char;
use std::ptr;

/// A world: floors of terrain, and links between places on them, for movers of many kinds.
pub struct Atlas {
    inner: Inner,
}

impl Handle for Atlas {
    const KIND: u32 = 0x6672_6131;
}

/// Working memory for queries of worlds.
#[derive(Default)]
pub(crate) struct Travel {
    memory: AtlasScratch,
    stages: Vec<Stage>,
}

/// A place: a floor, and a cell on it.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The number of the floor, from 0.
    pub floor: i32,
    /// The column.
    pub x: i32,
    /// The row.
    pub y: i32,
}

impl Place {
    fn read(self) -> std::result::Result<Where, Failure> {
        worlds::place([self.floor, self.x, self.y].map(i64::from))
    }
}

impl From<Where> for Place {
    fn from(place: Where) -> Self {
        Self { floor: place.floor.index() as i32, x: place.cell.x.into(), y: place.cell.y.into() }
    }
}

/// A kind of mover. Set all of it to zero first, then what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Mover {
    /// What entering a cell of each class costs: 256 numbers; 0 if the mover may not enter.
    pub costs: *const u8,
    /// Side of the square that it covers, in cells; 0 means 1. Its place is that of its upper left cell.
    pub size: i32,
    /// The engine that finds its paths; null for "hpa".
    pub engine: *const c_char,
    /// Its diagonal steps, as in farstride_grid_new; null for "strict".
    pub diagonals: *const c_char,
    /// Not 0 if it may use no links at all.
    pub without_links: u8,
    /// The kinds of links it may use, a bit for each; 0 for all.
    pub link_kinds: u64,
}

/// A link, such as stairs or a portal. Set all of it to zero first, then what you need.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Where it begins.
    pub from: Place,
    /// Where it leads.
    pub to: Place,
    /// What it costs, at least 1: a straight step costs 4756.
    pub cost: i64,
    /// Not 0 if it does not lead back.
    pub one_way: u8,
    /// 0 to 63; movers may be limited to some kinds.
    pub kind: i32,
}

/// A rectangle of a floor, and the class that its cells get.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Fill {
    /// The floor.
    pub floor: i32,
    /// The cells.
    pub area: Rect,
    /// 0 to 255.
    pub terrain_class: i32,
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

fn mover(atlas: &Inner, number: u32) -> std::result::Result<MoverId, Failure> {
    worlds::mover_numbered(atlas, number.into())
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

/// Makes a world of one floor. classes: a number per cell, row by row, which means nothing by itself:
/// movers say which classes they may enter.
///
/// Any thread may call it. Free the world with farstride_atlas_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_new(
    width: u32,
    height: u32,
    classes: *const u8,
    atlas: *mut *mut Atlas,
) -> Result {
    guard(|| {
        let mut tiles = TileMap::new();
        tiles.add_floor(floor(width, height, classes)?).map_err(Failure::map)?;
        give(Atlas { inner: Inner::new(tiles).map_err(Failure::map)? }, atlas)
    })
}

/// A floor from its classes.
fn floor(width: u32, height: u32, classes: *const u8) -> std::result::Result<Floor, Fault> {
    let (width, height) = (width as usize, height as usize);
    farstride::Grid::check_size(width, height).map_err(Failure::map)?;
    let classes = list(classes, width * height)?;
    Ok(Floor::new(width, height, classes).map_err(Failure::map)?)
}

/// Adds a floor. x and y: where in the world its upper left cell is.
///
/// number: of the floor; may be null. The first is 0.
///
/// Nobody else may use the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_add_floor(
    atlas: *mut Atlas,
    width: u32,
    height: u32,
    classes: *const u8,
    x: i32,
    y: i32,
    number: *mut u32,
) -> Result {
    guard(|| {
        let (atlas, floor) = (&mut exclusive(atlas)?.inner, floor(width, height, classes)?.at(x, y));
        let added = atlas.edit(|tiles| tiles.add_floor(floor)).map_err(Failure::map)?;
        if !number.is_null() {
            out(number)?.set(added.index() as u32);
        }
        Ok(())
    })
}

/// Adds a kind of mover. What it needs is prepared by the first question about it, or by
/// farstride_atlas_prepare.
///
/// number: of the mover, for queries. The first is 0.
///
/// Nobody else may use the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_add_mover(
    atlas: *mut Atlas,
    mover: *const Mover,
    number: *mut u32,
) -> Result {
    guard(|| {
        let (atlas, given, number) = (&mut exclusive(atlas)?.inner, input(mover)?, out(number)?);
        let (engine, diagonals) = (text(given.engine)?, text(given.diagonals)?);
        let size = if given.size == 0 { 1 } else { given.size };
        let mut mover =
            worlds::mover(engine.unwrap_or("hpa"), size.into(), diagonals.unwrap_or("strict"), "sqrt2")?;
        for (class, &cost) in (0..=u8::MAX).zip(list(given.costs, 256)?) {
            mover = mover.entering(class, cost);
        }
        let without_links = given.without_links != 0;
        if without_links || given.link_kinds != 0 {
            let uses = |kind: &u8| !without_links && given.link_kinds >> kind & 1 != 0;
            mover = mover.using_links(&(0..64).filter(uses).collect::<Vec<_>>());
        }
        atlas.add_mover(mover).map_err(Failure::settings)?;
        number.set(atlas.movers().len() as u32 - 1);
        Ok(())
    })
}

/// Adds a link.
///
/// number: of the link, as stages and farstride_atlas_remove_link name it; may be null.
///
/// Nobody else may use the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_add_link(
    atlas: *mut Atlas,
    link: *const Link,
    number: *mut i64,
) -> Result {
    guard(|| {
        let (atlas, given) = (&mut exclusive(atlas)?.inner, input(link)?);
        let (from, to) = (given.from.read()?, given.to.read()?);
        let link = worlds::link(from, to, given.cost, given.one_way != 0, given.kind.into())?;
        let added = atlas.edit(|tiles| tiles.add_link(link)).map_err(Failure::query)?;
        if !number.is_null() {
            out(number)?.set(added.index() as i64);
        }
        Ok(())
    })
}

/// Removes a link. Its number is not used again.
///
/// Nobody else may use the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_remove_link(atlas: *mut Atlas, link: i64) -> Result {
    guard(|| {
        if worlds::remove_link(&mut exclusive(atlas)?.inner, link) {
            Ok(())
        } else {
            Err(Failure::query(format!("there is no link {link}")).into())
        }
    })
}

/// Gives rectangles other classes, one after the other. All of them are checked before the first is
/// carried out, and everything that is prepared follows before this returns.
///
/// Nobody else may use the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_edit(atlas: *mut Atlas, fills: *const Fill, count: usize) -> Result {
    guard(|| {
        let (atlas, fills) = (&mut exclusive(atlas)?.inner, list(fills, count)?);
        let numbers = |&Fill { floor, area, terrain_class }: &Fill| {
            [floor, area.x, area.y, area.width, area.height, terrain_class].map(i64::from)
        };
        Ok(worlds::fill_all(atlas, fills.iter().map(numbers))?)
    })
}

/// Prepares everything for a mover, on all cores: maps and indexes of all floors, and the costs between
/// all ends of links.
///
/// Threads may ask the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_prepare(atlas: *const Atlas, mover: u32) -> Result {
    guard(|| {
        let atlas = &shared(atlas)?.inner;
        Ok(atlas.prepare(self::mover(atlas, mover)?).map_err(Failure::query)?)
    })
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
/// their floors; if nothing of the goal's floor can be reached, by the nearest place of another floor.
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

/// Frees a world. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_free(atlas: *mut Atlas) {
    free(atlas);
}

/// A way through floors and links that is refined while a unit goes it.
pub struct TripPlan {
    inner: InnerPlan,
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
        plan.set(match made {
            TripPlanned::Plan(inner) => handle(TripPlan { inner }),
            _ => ptr::null_mut(),
        });
        Ok(())
    })
}

/// What a step of a trip plan came to.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TripMove {
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
    step: *mut TripMove,
    place: *mut Place,
    link: *mut i64,
) -> Result {
    guard(|| {
        let (plan, atlas) = (&mut exclusive(plan)?.inner, &shared(atlas)?.inner);
        let memory = &mut exclusive(scratch)?.travel.get_or_insert_default().memory;
        let (step, place) = (out(step)?, out(place)?);
        let (came_to, taken) = match plan.step(atlas, memory).map_err(Failure::query)? {
            TripStep::Walk(_) => (TripMove::Walk, -1),
            TripStep::Link { link, .. } => (TripMove::Link, link.index() as i64),
            TripStep::Arrived => (TripMove::Arrived, -1),
            _ => (TripMove::Unreachable, -1),
        };
        step.set(came_to);
        place.set(plan.position().into());
        if !link.is_null() {
            out(link)?.set(taken);
        }
        Ok(())
    })
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
