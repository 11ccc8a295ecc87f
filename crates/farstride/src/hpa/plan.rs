//! Paths in the hierarchy that outlive their query, to be refined on demand.

use super::hierarchy::View;
use super::online::{HpaScratch, Online};
use super::refine::Leg;
use super::walk::Walk;
use crate::base::{Cell, Cost, Rect, euclidean};
use crate::grid::Revision;

/// A leg of a plan, with the cells that identify it after an edit: nodes may be
/// renumbered then, but cells stay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlanLeg {
    pub(super) leg: Leg,
    pub(super) from: Cell,
    pub(super) to: Cell,
    pub(super) cost: Cost,
}

impl PlanLeg {
    /// The cell where it ends.
    pub(crate) const fn to(&self) -> Cell {
        self.to
    }

    pub(crate) const fn cost(&self) -> Cost {
        self.cost
    }

    /// The level on which it crosses a cluster; 0 for a step or a straight leg.
    pub(crate) const fn level(&self) -> u8 {
        match self.leg {
            Leg::Step { .. } | Leg::Sight { .. } => 0,
            Leg::Cross { level, .. } | Leg::Leave { level, .. } | Leg::Arrive { level, .. } => level,
        }
    }
}

impl Online<'_> {
    /// Writes the path that the main search has found, the first leg last.
    /// Requires [`Connect::OnTheWay`](super::Connect).
    pub(crate) fn plan_into(&self, scratch: &HpaScratch, plan: &mut Vec<PlanLeg>) {
        plan.clear();
        let mut at = scratch.start_cell();
        let legs = scratch.legs().iter().rev();
        plan.extend(legs.map(|&leg| {
            let described = self.describe(leg, at, scratch);
            at = described.to;
            described
        }));
        plan.reverse();
    }

    fn describe(&self, leg: Leg, from: Cell, scratch: &HpaScratch) -> PlanLeg {
        let view = self.view();
        let (to, cost) = match leg {
            Leg::Step { to } => (view.cell(to), self.step_cost(from, view.cell(to))),
            Leg::Sight { to } => (to, euclidean(from, to)),
            Leg::Cross { from, to, level } => {
                (view.cell(to), crossing_cost(view, from, to, level).unwrap_or_default())
            }
            Leg::Leave { to, .. } => (view.cell(to), scratch.leaving_cost(view, to).unwrap_or_default()),
            Leg::Arrive { from, .. } => {
                (scratch.goal_cell(), scratch.arriving_cost(self.grid(), view, from).unwrap_or_default())
            }
        };
        PlanLeg { leg, from, to, cost }
    }

    fn step_cost(&self, from: Cell, to: Cell) -> Cost {
        if self.view().local.is_any_angle() { euclidean(from, to) } else { self.grid().step_cost(from, to) }
    }

    /// Takes legs from the end of a plan to `goal` and refines them until `walk`
    /// has at least `enough` steps.
    pub(crate) fn refine_plan(
        &self,
        goal: Cell,
        plan: &mut Vec<PlanLeg>,
        enough: usize,
        scratch: &mut HpaScratch,
        walk: &mut impl Walk,
    ) {
        while walk.steps() < enough {
            let Some(next) = plan.pop() else { return };
            scratch.set_single_leg(next.leg, next.from, goal);
            self.refine(enough, scratch, walk, &mut ());
            let first = plan.len();
            let mut at = walk.end();
            for index in (0..scratch.legs().len()).rev() {
                let described = self.describe(scratch.legs()[index], at, scratch);
                at = described.to;
                plan.push(described);
            }
            plan[first..].reverse();
        }
    }

    /// Whether every leg of a plan to `goal` still exists and costs no more. Updates
    /// node numbers and costs in it. It held at the revision `since`, if the map knows it;
    /// `is_edited` tells whether an area was edited since.
    pub(crate) fn plan_holds(
        &self,
        goal: Cell,
        plan: &mut [PlanLeg],
        since: Option<Revision>,
        is_edited: impl Fn(Rect) -> bool,
        scratch: &mut HpaScratch,
    ) -> bool {
        plan.iter_mut().all(|leg| {
            let is_same = since.is_some_and(|since| self.is_same_since(leg, since));
            if is_same && !cfg!(debug_assertions) {
                return true;
            }
            let found = self.find_again(leg, goal, &is_edited, scratch);
            debug_assert!(!is_same || found == Some((leg.leg, leg.cost)), "{leg:?} has changed");
            let Some((found, cost)) = found else { return false };
            let holds = cost <= leg.cost;
            (leg.leg, leg.cost) = (found, cost);
            holds
        })
    }

    /// Whether the records that a leg follows from are those of an earlier revision. Looking
    /// for the leg in them takes ten times as long.
    fn is_same_since(&self, leg: &PlanLeg, since: Revision) -> bool {
        let View { layout, changes, .. } = self.view();
        match leg.leg {
            Leg::Step { .. } => changes.is_same_since(1, layout.cluster_of(1, leg.from), since),
            Leg::Cross { from, level, .. } => {
                let cluster = layout.ancestor(level, layout.cluster_and_local(from).0);
                changes.is_same_since(level, cluster, since)
            }
            Leg::Sight { .. } | Leg::Leave { .. } | Leg::Arrive { .. } => false,
        }
    }

    /// Finds the same leg on the current map, and its cost.
    fn find_again(
        &self,
        leg: &PlanLeg,
        goal: Cell,
        is_edited: impl Fn(Rect) -> bool,
        scratch: &mut HpaScratch,
    ) -> Option<(Leg, Cost)> {
        let view = self.view();
        // Legs to and from a node of a 1-cluster cost what they did while its cells are the same:
        // finding them again takes a search of the cluster.
        let is_same = |cell: Cell| !is_edited(view.layout.area(1, view.layout.cluster_of(1, cell)));
        match leg.leg {
            Leg::Step { .. } => {
                let (from, to) = (view.node_at(leg.from)?, view.node_at(leg.to)?);
                let mut found = None;
                view.for_each_way_out(from, 1, |head, _, cost| {
                    if head == to {
                        found = Some((Leg::Step { to }, cost));
                    }
                });
                found
            }
            Leg::Sight { to } => {
                let in_sight = self.grid().line_of_sight(leg.from, to);
                in_sight.then(|| (leg.leg, euclidean(leg.from, to)))
            }
            Leg::Cross { level, .. } => {
                let (from, to) = (view.node_at(leg.from)?, view.node_at(leg.to)?);
                Some((Leg::Cross { from, to, level }, crossing_cost(view, from, to, level)?))
            }
            Leg::Leave { level, .. } => {
                let to = view.node_at(leg.to)?;
                if is_same(leg.from) {
                    return Some((Leg::Leave { to, level }, leg.cost));
                }
                self.insert_start(leg.from, scratch);
                Some((Leg::Leave { to, level }, scratch.leaving_cost(view, to)?))
            }
            Leg::Arrive { level, .. } => {
                let from = view.node_at(leg.from)?;
                if is_same(goal) {
                    return Some((Leg::Arrive { from, level }, leg.cost));
                }
                self.insert_goal(goal, scratch);
                Some((Leg::Arrive { from, level }, scratch.arriving_cost(self.grid(), view, from)?))
            }
        }
    }
}

/// Cost of the intra-edge between two nodes on a level; `None` if there is none,
/// or one of them is not a node of that level.
fn crossing_cost(view: &View<'_>, from: u32, to: u32, level: u8) -> Option<Cost> {
    let cluster = |node: u32| view.layout.ancestor(level, view.layout.cluster_and_local(node).0);
    if cluster(from) != cluster(to) {
        return None;
    }
    view.costs(level, cluster(from)).cost(view.known_rank(from, level)?, view.known_rank(to, level)?)
}
