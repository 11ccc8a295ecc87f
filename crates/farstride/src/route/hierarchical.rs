//! How a planner uses HPA* and HPT*.

use super::planner::Stage;
use super::taut::drop_points_on_straight_legs;
use super::{Planner, Query, Scratch};
use crate::base::{Cell, Trail};
use crate::hpa::{Connect, Online, PlanLeg, Tactics, Walk};
use crate::search::{Observer, Progress};
use std::collections::VecDeque;

impl Planner {
    /// The same with HPA*. The budget counts the nodes of the main search:
    /// connecting start and goal to it and refining its path take little, and
    /// no longer on larger maps.
    pub(super) fn advance_hpa(
        &self,
        online: &Online<'_>,
        query: Query,
        stage: Stage,
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Progress<Cell> {
        let Scratch { hpa, path, trail, spare_trail, smoother, .. } = scratch;
        let Query { start, goal, budget, .. } = query;
        if stage == Stage::Start {
            if self.tactics.shortcuts && self.connect_straight(start, goal, trail) {
                trail.cells_into(path);
                return Progress::Reached(goal);
            }
            online.begin(start, goal, hpa, observer);
        }
        match online.follow(budget, hpa, trail, observer) {
            Progress::Reached(_) => {}
            unfinished => return unfinished,
        }
        if self.tactics.smooth {
            smoother.smooth(&self.grid, trail);
        }
        if self.tactics.shortcuts {
            online.look_around(hpa, trail, spare_trail, observer, |_| ());
        }
        trail.cells_into(path);
        Progress::Reached(goal)
    }

    /// The same with HPT*.
    pub(super) fn advance_hpt(
        &self,
        online: &Online<'_>,
        query: Query,
        stage: Stage,
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Progress<Cell> {
        let Scratch { hpa, path, turns, spare_turns, puller, .. } = scratch;
        let Query { start, goal, budget, .. } = query;
        if stage == Stage::Start {
            if self.grid.line_of_sight(start, goal) {
                path.clear();
                path.extend([start, goal]);
                return Progress::Reached(goal);
            }
            online.begin(start, goal, hpa, observer);
        }
        match online.follow(budget, hpa, turns, observer) {
            Progress::Reached(_) => {}
            unfinished => return unfinished,
        }
        if self.tactics.smooth {
            puller.pull(&self.grid, turns.points_mut());
        }
        if self.tactics.shortcuts {
            online.look_around(hpa, turns, spare_turns, observer, |found| {
                if self.tactics.smooth {
                    puller.pull(&self.grid, found.points_mut());
                }
            });
        }
        drop_points_on_straight_legs(turns.points_mut());
        path.clone_from(turns.points_mut());
        Progress::Reached(goal)
    }

    /// Writes the legs of an abstract path, the first last. None if there is
    /// no hierarchy, or if start and goal are so close that a whole path is
    /// found as soon.
    pub(super) fn plan_legs(&self, query: Query, scratch: &mut Scratch, legs: &mut Vec<PlanLeg>) -> bool {
        let Some(online) = self.online() else { return false };
        let Scratch { hpa, trail, .. } = scratch;
        let (start, goal) = (query.start, query.goal);
        let is_simple = if self.engine().is_any_angle() {
            self.grid.line_of_sight(start, goal)
        } else {
            self.tactics.shortcuts && self.connect_straight(start, goal, trail)
        };
        if is_simple {
            return false;
        }
        online.begin(start, goal, hpa, &mut ());
        if online.is_local(hpa) {
            return false;
        }
        let found = matches!(online.advance(u64::MAX, hpa, &mut ()), Progress::Reached(_));
        if found {
            online.plan_into(hpa, legs);
        }
        found
    }

    /// Refines legs on to the trail in the scratch until it has `enough` steps,
    /// smooths it and writes its cells.
    pub(super) fn refine_legs(
        &self,
        goal: Cell,
        legs: &mut Vec<PlanLeg>,
        enough: usize,
        scratch: &mut Scratch,
    ) {
        let Some(online) = self.online() else { return };
        let Scratch { hpa, trail, smoother, path, .. } = scratch;
        online.refine_plan(goal, legs, enough, hpa, trail);
        if self.tactics.smooth {
            smoother.smooth(&self.grid, trail);
        }
        trail.cells_into(path);
    }

    /// Refines legs on from the turning points ahead of a position until they
    /// reach over `enough` steps, pulls them taut and writes them.
    pub(super) fn refine_turns(
        &self,
        position: Cell,
        ahead: &VecDeque<Cell>,
        goal: Cell,
        legs: &mut Vec<PlanLeg>,
        enough: usize,
        scratch: &mut Scratch,
    ) {
        let Some(online) = self.online() else { return };
        let Scratch { hpa, turns, puller, path, .. } = scratch;
        turns.restart(position);
        for &cell in ahead {
            turns.go_to(cell);
        }
        online.refine_plan(goal, legs, enough, hpa, turns);
        if self.tactics.smooth {
            puller.pull(&self.grid, turns.points_mut());
        }
        path.clone_from(turns.points_mut());
    }

    /// Whether every leg of a plan is still there and costs the same.
    pub(super) fn legs_hold(&self, goal: Cell, legs: &mut [PlanLeg], scratch: &mut Scratch) -> bool {
        legs.is_empty() || self.online().is_some_and(|online| online.plan_holds(goal, legs, &mut scratch.hpa))
    }

    /// The hierarchy as plans use it: they connect start and goal on the way.
    fn online(&self) -> Option<Online<'_>> {
        let tactics = Tactics { connect: Connect::OnTheWay, ..self.tactics };
        Some(self.current_hierarchy()?.online(&self.grid, tactics))
    }

    /// Writes a path of two runs that is as short as on an empty map, if there
    /// is one.
    pub(super) fn connect_straight(&self, start: Cell, goal: Cell, trail: &mut Trail) -> bool {
        if !self.grid.is_uniform() {
            return false;
        }
        let Some(runs) = self.grid.connect_straight(start, goal) else { return false };
        trail.restart(start);
        for run in runs {
            trail.push(run);
        }
        true
    }
}
