//! Plans of `hpa` and `hpt`: legs of an abstract path, refined section by section.

use crate::base::{Cell, Rect};
use crate::grid::Revision;
use crate::hpa::{Connect, Online, PlanLeg, Spread, Tactics, Walk};
use crate::index::{Engine, Index};
use crate::route::run::connect_straight;
use crate::route::{Planner, Query, Scratch};
use crate::search::SearchStatus;
use std::collections::VecDeque;

/// The hierarchy, set up for plans: start and goal are connected during the search,
/// which finds the first legs sooner.
fn online(planner: &Planner) -> Option<Online<'_>> {
    let hierarchy = planner.current_index().and_then(Index::hierarchy)?;
    let tactics = Tactics { connect: Connect::OnTheWay, ..planner.tactics };
    Some(hierarchy.online(&planner.grid, tactics))
}

/// Finds an abstract path and writes its legs in reverse order. Returns `false` if the
/// engine has no hierarchy, or if start and goal are so close that a whole path is found
/// as fast.
pub(super) fn plan(planner: &Planner, query: Query, scratch: &mut Scratch, legs: &mut Vec<PlanLeg>) -> bool {
    let Some(online) = online(planner) else { return false };
    let Scratch { hpa, trail, .. } = scratch;
    let (start, goal) = (query.start, query.goal);
    let is_simple = if planner.engine().is_any_angle() {
        planner.grid.line_of_sight(start, goal)
    } else {
        planner.tactics.shortcuts && connect_straight(&planner.grid, start, goal, trail)
    };
    if is_simple {
        return false;
    }
    online.begin(start, goal, hpa, &mut ());
    if online.is_local(hpa) {
        return false;
    }
    let found = matches!(online.advance(u64::MAX, hpa, &mut ()), SearchStatus::Reached(_));
    if found {
        online.plan_into(hpa, legs);
    }
    found
}

/// One search from a goal for the plans of many units; `None` unless the engine is `hpa` and
/// keeps ways.
pub(super) fn spread(planner: &Planner, goal: Cell) -> Option<Spread> {
    let spreads = planner.engine() == Engine::Hpa && planner.grid.is_free(goal);
    online(planner).filter(|online| spreads && online.keeps_ways()).map(|online| online.spread(goal))
}

/// Writes the legs of a query to the goal of a spread in reverse order. Returns `false` where
/// [`plan`] does, and if there is no path.
pub(super) fn plan_on(
    planner: &Planner,
    spread: &Spread,
    query: Query,
    scratch: &mut Scratch,
    legs: &mut Vec<PlanLeg>,
) -> bool {
    let Some(online) = online(planner) else { return false };
    let shortcuts = planner.tactics.shortcuts;
    let is_simple = online.clusters_between(query.start, query.goal) <= u32::from(shortcuts)
        || shortcuts && connect_straight(&planner.grid, query.start, query.goal, &mut scratch.trail);
    !is_simple && online.plan_on(spread, query.start, legs)
}

/// Refines legs and appends them to the trail in the scratch until it has `enough`
/// steps. Then smooths the trail and writes its cells to the path in the scratch.
pub(super) fn refine(
    planner: &Planner,
    goal: Cell,
    legs: &mut Vec<PlanLeg>,
    enough: usize,
    scratch: &mut Scratch,
) {
    let Some(online) = online(planner) else { return };
    let Scratch { hpa, trail, smoother, band, path, .. } = scratch;
    online.refine_plan(goal, legs, enough, hpa, trail);
    if planner.tactics.smooth {
        smoother.smooth(&planner.grid, trail);
        band.settle(&planner.grid, trail);
    }
    trail.cells_into(path);
}

/// Refines legs and appends them to the turning points ahead of a position until they
/// span `enough` steps. Then pulls them taut and writes them to the path in the scratch.
pub(super) fn refine_turns(
    planner: &Planner,
    position: Cell,
    ahead: &VecDeque<Cell>,
    goal: Cell,
    legs: &mut Vec<PlanLeg>,
    enough: usize,
    scratch: &mut Scratch,
) {
    let Some(online) = online(planner) else { return };
    let Scratch { hpa, turns, puller, path, .. } = scratch;
    turns.restart(position);
    for &cell in ahead {
        turns.go_to(cell);
    }
    online.refine_plan(goal, legs, enough, hpa, turns);
    if planner.tactics.smooth {
        puller.pull(&planner.grid, turns.points_mut());
    }
    path.clone_from(turns.points_mut());
}

/// Whether all legs of a plan still exist and cost no more. They did at the revision `since`, if
/// the map knows it; `is_edited` tells whether an area was edited since.
pub(super) fn hold(
    planner: &Planner,
    goal: Cell,
    legs: &mut [PlanLeg],
    since: Option<Revision>,
    is_edited: impl Fn(Rect) -> bool,
    scratch: &mut Scratch,
) -> bool {
    if legs.is_empty() {
        return true;
    }
    let holds = |online: Online<'_>| online.plan_holds(goal, legs, since, is_edited, &mut scratch.hpa);
    online(planner).is_some_and(holds)
}
