//! Plans that are walked.

use crate::border::{
    Fault, Handle, Result, exclusive, free, guard, handle, list, list_out, out, shared, value,
};
use crate::planner::{Planner, Scratch};
use crate::route::{Cell, Status};
use farstride::{Cell as MapCell, Plan as Inner, Planned, Query, Scratch as Memory, Step as Stepped};
use farstride_bindings::{Status as Shared, cell};

/// A route that is refined while a unit walks it.
pub struct Plan {
    pub(crate) inner: Inner,
}

impl Handle for Plan {
    const KIND: u32 = 0x6672_6c31;
}

/// What a step of a plan came to.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Go to the cell.
    To = 0,
    /// The unit is at the goal.
    Arrived = 1,
    /// Since an edit, no path leads to the goal. Try again after the next edit.
    Unreachable = 2,
}

impl From<Stepped> for Step {
    fn from(step: Stepped) -> Self {
        match step {
            Stepped::To(_) => Self::To,
            Stepped::Arrived => Self::Arrived,
            _ => Self::Unreachable,
        }
    }
}

/// Makes a plan: its first steps are known at once, the rest is refined while it is walked.
///
/// status: FARSTRIDE_STATUS_FOUND if there is a plan; otherwise why not, and the plan is set to
/// null.
///
/// Threads may ask the planner at once, each with its own scratch. Free the plan with
/// farstride_plan_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_plan_new(
    planner: *const Planner,
    scratch: *mut Scratch,
    start_x: i32,
    start_y: i32,
    goal_x: i32,
    goal_y: i32,
    status: *mut Status,
    plan: *mut *mut Plan,
) -> Result {
    guard(|| {
        let (planner, scratch) = (&shared(planner)?.inner, exclusive(scratch)?);
        let (status, plan) = (out(status)?, out(plan)?);
        let start = cell(planner.grid(), start_x.into(), start_y.into())?;
        let goal = cell(planner.grid(), goal_x.into(), goal_y.into())?;
        let came_to = planner.plan(Query::new(start, goal), &mut scratch.memory)?;
        status.set(Shared::of_plan(&came_to).into());
        plan.set(match came_to {
            Planned::Plan(inner) => handle(Plan { inner }),
            _ => std::ptr::null_mut(),
        });
        Ok(())
    })
}

/// Takes the next step on the map as it is now: pass the planner that made the plan, edited or not.
///
/// cell: where the unit is afterwards.
///
/// One thread at a time for each plan; threads may ask the planner at once, each with its own
/// scratch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_plan_step(
    plan: *mut Plan,
    planner: *const Planner,
    scratch: *mut Scratch,
    step: *mut Step,
    cell: *mut Cell,
) -> Result {
    guard(|| {
        let (plan, planner) = (&mut exclusive(plan)?.inner, &shared(planner)?.inner);
        let (scratch, step, cell) = (exclusive(scratch)?, out(step)?, out(cell)?);
        step.set(plan.step(planner, &mut scratch.memory)?.into());
        cell.set(plain(plan.position()));
        Ok(())
    })
}

/// Takes the next step of many plans, as farstride_plan_step does, on up to as many threads as there are
/// scratches. Each plan and each scratch may be there once; null is refused.
///
/// steps and cells: room for count of them, in the order of the plans. They do not depend on the number of
/// scratches.
///
/// Nobody else may use the plans and the scratches meanwhile; threads may ask the planner.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_step_many(
    planner: *const Planner,
    plans: *const *mut Plan,
    count: usize,
    scratches: *const *mut Scratch,
    scratch_count: usize,
    steps: *mut Step,
    cells: *mut Cell,
) -> Result {
    guard(|| {
        let planner = &shared(planner)?.inner;
        let (plans, scratches) = (list(plans, count)?, list(scratches, scratch_count)?);
        let (steps, cells) = (list_out(steps, count)?, list_out(cells, count)?);
        check_once(plans, "plan")?;
        check_once(scratches, "scratch")?;
        let plan = |&plan: &*mut Plan| Ok(&mut exclusive(plan)?.inner);
        let mut plans = plans.iter().map(plan).collect::<std::result::Result<Vec<_>, Fault>>()?;
        if !plans.is_empty() && scratches.is_empty() {
            return Err(Fault::new(Result::Argument, "plans need at least one scratch"));
        }
        let owners = scratches.iter().map(|&scratch| exclusive(scratch));
        let mut owners = owners.collect::<std::result::Result<Vec<_>, Fault>>()?;
        // The engine wants them side by side.
        let mut memories: Vec<Memory> =
            owners.iter_mut().map(|scratch| std::mem::take(&mut scratch.memory)).collect();
        let taken = planner.step_many(&mut plans, &mut memories);
        for (scratch, memory) in owners.into_iter().zip(memories) {
            scratch.memory = memory;
        }
        for ((taken, plan), (step, cell)) in taken?.into_iter().zip(plans).zip(steps.iter_mut().zip(cells)) {
            step.write(taken.into());
            cell.write(plain(plan.position()));
        }
        Ok(())
    })
}

/// Refuses a list in which a handle is twice: nothing may be changed by two threads at once.
fn check_once<T>(handles: &[*mut T], what: &str) -> std::result::Result<(), Fault> {
    let mut sorted = handles.to_vec();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Fault::new(Result::Handle, format!("a {what} is in the list twice")));
    }
    Ok(())
}

/// Where the unit is; 0, 0 if the handle is wrong.
///
/// One thread at a time for each plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_plan_position(plan: *const Plan) -> Cell {
    value(Cell::default(), || Ok(plain(shared(plan)?.inner.position())))
}

/// How often a new route was searched, because of an edit or because the unit was moved.
///
/// One thread at a time for each plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_plan_replans(plan: *const Plan) -> u32 {
    value(0, || Ok(shared(plan)?.inner.replans()))
}

/// Tells the plan that the unit is somewhere else.
///
/// One thread at a time for each plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_plan_stand_at(
    plan: *mut Plan,
    planner: *const Planner,
    x: i32,
    y: i32,
) -> Result {
    guard(|| {
        let position = cell(shared(planner)?.inner.grid(), x.into(), y.into())?;
        exclusive(plan)?.inner.stand_at(position);
        Ok(())
    })
}

/// Frees a plan. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_plan_free(plan: *mut Plan) {
    free(plan);
}

pub(crate) const fn plain(cell: MapCell) -> Cell {
    Cell { x: cell.x, y: cell.y }
}
