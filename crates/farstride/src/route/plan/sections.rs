//! Plans of `groups`: sections refined one after the other.

use super::Waypoint;
use crate::base::{Cell, Cost};
use crate::groups::{GridGroups, GroupPlan, Next};
use crate::index::Index;
use crate::route::{Planner, Query, Scratch};

/// Plans a route through groups and lists its waypoints; refines nothing yet. Returns
/// `false` if there is no path, or if the engine has no groups.
pub(super) fn plan(
    planner: &Planner,
    query: Query,
    plan: &mut GroupPlan<Cell>,
    ahead: &mut Vec<Waypoint>,
    scratch: &mut Scratch,
) -> bool {
    let Some(groups) = planner.current_index().and_then(Index::groups) else { return false };
    let ground = groups.ground(&planner.grid);
    let navigator = groups.navigator(&ground, planner.group_tactics);
    let found = navigator.plan(query.start, query.goal, plan, &mut scratch.groups);
    list_ahead(groups, plan, ahead);
    found
}

/// Refines the next section of a plan, and lists the waypoints beyond it. Returns the
/// cells of the section without the first, and their cost.
pub(super) fn refine<'p>(
    planner: &Planner,
    plan: &'p mut GroupPlan<Cell>,
    ahead: &mut Vec<Waypoint>,
    scratch: &mut Scratch,
) -> Option<(&'p [Cell], Cost)> {
    let groups = planner.current_index().and_then(Index::groups)?;
    let ground = groups.ground(&planner.grid);
    let navigator = groups.navigator(&ground, planner.group_tactics);
    let found = matches!(navigator.go_on(plan, &mut scratch.groups), Next::Section { .. });
    list_ahead(groups, plan, ahead);
    found.then_some((plan.section().get(1..)?, plan.section_cost()))
}

/// Lists the parts of groups that a plan leads through.
fn list_ahead(groups: &GridGroups, plan: &GroupPlan<Cell>, ahead: &mut Vec<Waypoint>) {
    let way = groups.hierarchy().parts_ahead(plan);
    ahead.clear();
    ahead.extend(way.map(|(cell, level)| Waypoint { cell, level: level as u8 }));
}
