//! How each engine answers a query.
//!
//! [`run`] is the one place that chooses the code for an engine. Each of the files
//! beside this one takes a [`Call`] and returns a [`Run`]. What an engine leaves in the
//! scratch is read by that engine alone.

mod groups;
mod hpa;
mod labels;
mod overlay;
mod plain;
mod straight;
mod subgoals;

use super::answer::{PathWriter, Run};
use super::{Planner, Query, Scratch};
use crate::base::{Cell, Trail};
use crate::grid::Grid;
use crate::groups::GroupTactics;
use crate::hpa::Tactics;
use crate::index::Index;
use crate::search::Observer;

/// Whether a search starts or goes on after a pause.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Start,
    GoOn,
}

/// What an engine is asked.
#[derive(Clone, Copy)]
struct Call<'c> {
    grid: &'c Grid,
    query: Query,
    stage: Stage,
    tactics: Tactics,
    group_tactics: GroupTactics,
}

impl<'c> Call<'c> {
    fn writer(&self, path: &'c mut Vec<Cell>) -> PathWriter<'c> {
        PathWriter { grid: self.grid, detail: self.query.detail, path }
    }
}

/// Answers a query whose start and goal are free cells of the map, or goes on with it.
pub(super) fn run(
    planner: &Planner,
    query: Query,
    stage: Stage,
    scratch: &mut Scratch,
    observer: &mut impl Observer<Cell>,
) -> Run {
    let Planner { tactics, group_tactics, .. } = *planner;
    let call = Call { grid: planner.grid(), query, stage, tactics, group_tactics };
    let Some(index) = planner.current_index() else {
        return plain::run(call, planner, scratch, observer);
    };
    let answered = match index {
        Index::Labels(labels) => labels::run(call, labels, scratch, observer),
        Index::Hpa(hierarchy) => Some(hpa::run(call, hierarchy, scratch, observer)),
        Index::Subgoals(graph) => Some(subgoals::run(call, graph, scratch, observer)),
        Index::Groups(groups) => groups::run(call, groups, scratch, observer),
        Index::Overlay(overlay) => overlay::run(call, overlay, scratch, observer),
        Index::Straight(index) => straight::run(call, index, scratch, observer),
    };
    // Start and goal are connected. An index that knows no path was forged, and A*
    // answers; after a pause it would begin again, so it is given all the time it takes.
    answered.unwrap_or_else(|| {
        let query = Query { budget: u64::MAX, ..query };
        plain::run(Call { query, stage: Stage::Start, ..call }, planner, scratch, observer)
    })
}

/// Writes a path of at most two runs that is as short as on an empty map, if there
/// is one.
pub(super) fn connect_straight(grid: &Grid, start: Cell, goal: Cell, trail: &mut Trail) -> bool {
    if !grid.is_uniform() {
        return false;
    }
    let Some(runs) = grid.connect_straight(start, goal) else { return false };
    trail.restart(start);
    for run in runs {
        trail.push(run);
    }
    true
}
