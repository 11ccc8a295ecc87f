//! How a planner uses hierarchies of groups.

use super::planner::Stage;
use super::{Planner, Query, Scratch, Waypoint};
use crate::base::{Cell, Cost};
use crate::groups::{GridGroups, GroupPlan, GroupPlanned, Next};
use crate::search::{Observer, Progress};

impl Planner {
    /// Searches a hierarchy of groups, and leaves the path in the scratch. The
    /// budget counts the nodes of the search on the level on which start and
    /// goal differ; refining its path is not counted.
    pub(super) fn advance_groups(
        &self,
        groups: &GridGroups,
        query: Query,
        stage: Stage,
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Progress<Cell> {
        let ground = groups.ground(&self.grid);
        let navigator = groups.navigator(&ground, self.group_tactics);
        let Scratch { groups: memory, path, .. } = scratch;
        if stage == Stage::Start {
            navigator.begin(query.start, query.goal, memory, observer);
        }
        let progress = navigator.advance(query.budget, memory, observer);
        if let Progress::Reached(_) = progress {
            path.clear();
            path.extend_from_slice(memory.path());
        }
        progress
    }

    /// Plans through groups and writes what lies ahead; nothing is refined yet.
    /// No if they know of no way, or if the engine has none.
    pub(super) fn plan_groups(
        &self,
        query: Query,
        plan: &mut GroupPlan<Cell>,
        ahead: &mut Vec<Waypoint>,
        scratch: &mut Scratch,
    ) -> bool {
        let Some(groups) = self.current_groups() else { return false };
        let ground = groups.ground(&self.grid);
        let navigator = groups.navigator(&ground, self.group_tactics);
        let planned = navigator.plan(query.start, query.goal, plan, &mut scratch.groups);
        list_ahead(groups, plan, ahead);
        planned == GroupPlanned::Planned
    }

    /// Refines the next section of a plan through groups, cells after the first
    /// and cost, and writes what lies ahead of it.
    pub(super) fn refine_groups<'p>(
        &self,
        plan: &'p mut GroupPlan<Cell>,
        ahead: &mut Vec<Waypoint>,
        scratch: &mut Scratch,
    ) -> Option<(&'p [Cell], Cost)> {
        let groups = self.current_groups()?;
        let ground = groups.ground(&self.grid);
        let navigator = groups.navigator(&ground, self.group_tactics);
        let found = matches!(navigator.go_on(plan, &mut scratch.groups), Next::Section(_));
        list_ahead(groups, plan, ahead);
        let section = plan.section();
        found.then_some((section.nodes.get(1..)?, section.cost))
    }
}

/// Writes the parts that a plan leads through.
fn list_ahead(groups: &GridGroups, plan: &GroupPlan<Cell>, ahead: &mut Vec<Waypoint>) {
    let way = groups.hierarchy().parts_ahead(plan);
    ahead.clear();
    ahead.extend(way.map(|(cell, level)| Waypoint { cell, level: level as u8 }));
}
