//! The search of one query through links.
//!
//! Nodes are link ends, told apart by how the mover came there: after a walk only a link
//! makes sense, because walking on from there is a walk of its own. What a walk costs is
//! found only if its lower bound is promising: a walk whose cost is not known yet is a node
//! between its ends, entered at the bound and left at the rest of the cost.
//!
//! Of several cheapest ways one is chosen by the numbers of the ends. It must not depend on
//! which costs happened to be known; so the search goes on until every node that may be on
//! a cheapest way is closed, and the way is read back from the costs alone.

use super::Atlas;
use super::far::Far;
use super::net::{Exit, Net, world_distance};
use super::scratch::Work;
use super::state::MoverState;
use super::table::WHOLE;
use super::tiles::{FloorId, LinkId, Place};
use crate::base::Cost;
use crate::graph::{Graph, NodeId};
use crate::grid::Rules;
use crate::route::{CostsFrom, Planner};
use crate::search::{HeapQueue, Memory, Problem, SearchStatus, Target};
use std::cell::RefCell;

/// A part of a way: a walk on a floor and its cost, or a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Walk { from: Place, to: Place, cost: Cost },
    Link(LinkId),
}

/// One query as a graph.
pub(super) struct Journey<'a> {
    pub(super) atlas: &'a Atlas,
    pub(super) state: &'a MoverState,
    pub(super) net: &'a Net,
    /// Costs between all ends as they once were, and what is left of them at least.
    pub(super) far: Option<(&'a Far, u64)>,
    pub(super) start: Place,
    pub(super) goal: Place,
    /// Their regions, if links end there.
    pub(super) start_region: Option<u32>,
    pub(super) goal_region: Option<u32>,
    /// Whether one can walk from start to goal without links.
    pub(super) is_near: bool,
    pub(super) work: RefCell<Asked<'a>>,
}

/// What a query finds out on its way.
pub(super) struct Asked<'a> {
    pub(super) from_start: CostsFrom<'a, 'a>,
    pub(super) from_goal: CostsFrom<'a, 'a>,
    pub(super) work: &'a mut Work,
}

/// Where a search is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Spot {
    Start,
    Goal,
    /// One unit beyond the goal: reached when nothing as cheap as the goal is left.
    Beyond,
    /// On a walk from start to goal.
    Straight,
    /// At an end, by a link.
    Arrived(usize),
    /// At an end, on foot.
    Leaving(usize),
    /// On a walk from the start to an end; then the same with a better bound.
    Setting(usize),
    Setting2(usize),
    /// On a walk from an end to the goal; then the same with a better bound.
    Closing(usize),
    Closing2(usize),
    /// On a walk from end to end, by its number.
    Walking(usize),
}

/// An end of a query.
#[derive(Clone, Copy)]
enum Side {
    Start,
    Goal,
}

/// Spots that are not numbered by ends.
const SINGLE: usize = 4;
/// Spots that each end has.
const BY_END: usize = 6;

impl<'a> Journey<'a> {
    fn spot(&self, node: NodeId) -> Spot {
        let (number, ends) = (node.index(), self.net.end_count());
        match number {
            0 => Spot::Start,
            1 => Spot::Goal,
            2 => Spot::Beyond,
            3 => Spot::Straight,
            _ if number - SINGLE >= BY_END * ends => Spot::Walking(number - SINGLE - BY_END * ends),
            _ => {
                let end = (number - SINGLE) % ends;
                let of_end: [fn(usize) -> Spot; BY_END] = [
                    Spot::Arrived,
                    Spot::Leaving,
                    Spot::Setting,
                    Spot::Closing,
                    Spot::Setting2,
                    Spot::Closing2,
                ];
                of_end[(number - SINGLE) / ends](end)
            }
        }
    }

    fn node(&self, spot: Spot) -> NodeId {
        let ends = self.net.end_count();
        let number = match spot {
            Spot::Start => 0,
            Spot::Goal => 1,
            Spot::Beyond => 2,
            Spot::Straight => 3,
            Spot::Arrived(end) => SINGLE + end,
            Spot::Leaving(end) => SINGLE + ends + end,
            Spot::Setting(end) => SINGLE + 2 * ends + end,
            Spot::Closing(end) => SINGLE + 3 * ends + end,
            Spot::Setting2(end) => SINGLE + 4 * ends + end,
            Spot::Closing2(end) => SINGLE + 5 * ends + end,
            Spot::Walking(walk) => SINGLE + BY_END * ends + walk,
        };
        NodeId::new(number as u32)
    }

    fn rules(&self) -> Rules {
        self.state.mover.rules()
    }

    fn planner(&self, floor: FloorId) -> &'a Planner {
        self.atlas.planner_of(self.state, floor)
    }

    /// A lower bound of the cost between two cells of a floor.
    fn far(&self, a: Place, b: Place) -> Cost {
        self.rules().distance(a.cell, b.cell)
    }

    /// A lower bound of the cost of any way to the goal.
    fn ahead(&self, place: Place) -> Cost {
        let at = |place: Place| {
            self.atlas.tiles.floor(place.floor).map_or((0, 0), |floor| floor.position(place.cell))
        };
        self.net.bound(world_distance(self.rules(), at(place), at(self.goal)), place.floor, self.goal.floor)
    }

    /// Prepares bounds of the way to the goal.
    pub(super) fn look_ahead(&self) {
        let closing = &mut self.work.borrow_mut().work.closing;
        if self.far.is_some() {
            closing.extend(self.net.ends_on(self.goal.floor).map(|end| {
                let is_near = Some(self.net.region(end)) == self.goal_region;
                if is_near { Far::bound(self.far(self.net.end(end), self.goal)) } else { Far::MOST }
            }));
        }
    }

    /// A lower bound of the cost of any way from an end to the goal; found once.
    fn ahead_of(&self, end: usize) -> Cost {
        let work = &mut *self.work.borrow_mut().work;
        let bound = &mut work.ahead[end];
        *bound.get_or_insert_with(|| {
            let bound = self.ahead(self.net.end(end));
            let Some((far, share)) = self.far else { return bound };
            if work.closing.is_empty() {
                return bound;
            }
            let row = far.row(end, self.net.ends_on(self.goal.floor)).iter().zip(&work.closing);
            let least = if share == WHOLE {
                row.fold(u32::MAX, |least, (&far, &closing)| least.min(far + closing)).into()
            } else {
                let left = |far: u32| u64::from(far) * share / WHOLE;
                row.fold(u64::MAX, |least, (&far, &closing)| least.min(left(far) + u64::from(closing)))
            };
            bound.max(Cost::from_units(least).min(NEVER))
        })
    }

    /// The ends in the region of the start.
    fn ends_near_start(&self) -> impl Iterator<Item = usize> + use<'a> {
        self.ends_in(self.start.floor, self.start_region)
    }

    fn ends_in(&self, floor: FloorId, region: Option<u32>) -> impl Iterator<Item = usize> + use<'a> {
        let net = self.net;
        let ends = if region.is_some() { net.ends_on(floor) } else { 0..0 };
        ends.filter(move |&end| Some(net.region(end)) == region)
    }

    /// The number of an end among those of its floor.
    fn on_floor(&self, end: usize) -> usize {
        end - self.net.ends_on(self.net.end(end).floor).start
    }

    /// A lower bound of the walk between start or goal and an end, from the walks to other ends
    /// that are known by now: no walk is shorter than the difference of two others that
    /// close the triangle. Kept, and at least `bound`.
    fn better_bound(&self, end: usize, bound: Cost, side: Side) -> Cost {
        let mut asked = self.work.borrow_mut();
        let work = &mut *asked.work;
        let (costs, bounds) = match side {
            Side::Start => (&work.start_costs, &mut work.start_bounds),
            Side::Goal => (&work.goal_costs, &mut work.goal_bounds),
        };
        let floor = self.net.end(end).floor;
        // Costs at any angle may be less than those of steps, which the table has.
        if self.planner(floor).engine().is_any_angle() {
            bounds[self.on_floor(end)] = bound;
            return bound;
        }
        let row = self.net.table(floor).row(self.on_floor(end));
        let sides = costs.iter().zip(row).filter_map(|(&cost, walk)| Some(walk?.less(cost?)));
        let better = sides.fold(bound, Cost::max);
        bounds[self.on_floor(end)] = better;
        better
    }

    /// The cost of a walk from the start, found once.
    fn cost_from_start(&self, end: usize) -> Cost {
        let mut asked = self.work.borrow_mut();
        let Asked { from_start, work, .. } = &mut *asked;
        let place = self.net.end(end);
        let at = self.on_floor(end);
        let known = &mut work.start_costs[at];
        if known.is_none() {
            *known = from_start.cost(place.cell).map(|cost| cost.max(work.start_bounds[at]));
        }
        known.unwrap_or(NEVER)
    }

    /// The cost of a walk to the goal, found once.
    fn cost_to_goal(&self, end: usize) -> Cost {
        let mut asked = self.work.borrow_mut();
        let Asked { from_goal, work, .. } = &mut *asked;
        let place = self.net.end(end);
        let at = self.on_floor(end);
        let known = &mut work.goal_costs[at];
        if known.is_none() {
            *known = from_goal.cost(place.cell).map(|cost| cost.max(work.goal_bounds[at]));
        }
        known.unwrap_or(NEVER)
    }

    /// The cost of the walk from start to goal, found once.
    fn straight_cost(&self) -> Cost {
        let mut asked = self.work.borrow_mut();
        let Asked { from_start, work, .. } = &mut *asked;
        if work.straight.is_none() {
            let cost = from_start.cost(self.goal.cell);
            work.straight = cost.map(|cost| cost.max(self.far(self.start, self.goal)));
        }
        work.straight.unwrap_or(NEVER)
    }

    /// The cost of a walk between two ends of one region.
    fn walk_cost(&self, from: usize, to: usize) -> Cost {
        let floor = self.net.end(from).floor;
        let first = self.net.ends_on(floor).start;
        let (table, cells) = (self.net.table(floor), self.net.cells_on(floor));
        let scratch = &mut self.work.borrow_mut().work.table;
        table.cost(self.planner(floor), cells, (from - first, to - first), scratch).unwrap_or(NEVER)
    }

    /// Whether a link leads where the goal can be reached.
    fn helps(&self, exit: &Exit) -> bool {
        self.goal_region.is_some_and(|goal| self.net.leads(self.net.region(exit.to as usize), goal))
    }

    fn for_each_exit(&self, end: usize, visit: &mut impl FnMut(NodeId, Cost)) {
        for exit in self.net.exits(end).iter().filter(|exit| self.helps(exit)) {
            visit(self.node(Spot::Arrived(exit.to as usize)), exit.cost);
        }
    }

    fn for_each_from_arrival(&self, end: usize, visit: &mut impl FnMut(NodeId, Cost)) {
        let net = self.net;
        self.for_each_exit(end, visit);
        let (place, region) = (net.end(end), net.region(end));
        if place.floor == self.goal.floor && Some(region) == self.goal_region {
            visit(self.node(Spot::Closing(end)), self.far(place, self.goal));
        }
        let (table, first) = (net.table(place.floor), net.ends_on(place.floor).start);
        for (other, known) in net.ends_on(place.floor).zip(table.row(end - first)) {
            if other == end || net.region(other) != region {
                continue;
            }
            if let Some(cost) = known {
                visit(self.node(Spot::Leaving(other)), cost);
            } else {
                let walk = net.walk(place.floor, end, other);
                visit(self.node(Spot::Walking(walk)), table.bound(end - first, other - first));
            }
        }
    }

    /// Finds a cheapest way and writes its parts; `false` if there is none.
    pub(super) fn find(&self, memory: &mut Memory<HeapQueue>, parts: &mut Vec<Part>) -> bool {
        parts.clear();
        let problem = Problem::new(self, Aim(self));
        problem.begin(self.node(Spot::Start), memory, &mut ());
        if !matches!(problem.advance(memory, u64::MAX, &mut ()), SearchStatus::Reached(_)) {
            return false;
        }
        let cost = |spot: Spot| memory.cost(self.node(spot).index());
        let mut spot = Spot::Goal;
        while spot != Spot::Start {
            let Some((before, part)) = self.step_back(spot, cost) else { return false };
            spot = before;
            parts.extend(part);
        }
        parts.reverse();
        true
    }

    /// The spot before one on a cheapest way, and what leads from there: the first in the
    /// order of ends.
    fn step_back(&self, spot: Spot, cost: impl Fn(Spot) -> Option<Cost>) -> Option<(Spot, Option<Part>)> {
        let here = cost(spot)?;
        let walk = |before: Spot, from: Place, to: Place| {
            let cost = cost(before).map_or(Cost::ZERO, |before| here.less(before));
            (from != to).then_some(Part::Walk { from, to, cost })
        };
        let is_before = |before: Spot, step: Option<Cost>| {
            step.zip(cost(before)).is_some_and(|(step, before)| before + step == here)
        };
        match spot {
            Spot::Goal => {
                let asked = self.work.borrow();
                if is_before(Spot::Start, asked.work.straight) {
                    return Some((Spot::Start, walk(Spot::Start, self.start, self.goal)));
                }
                let first = self.net.ends_on(self.goal.floor).start;
                let mut ends = self.ends_in(self.goal.floor, self.goal_region);
                let end =
                    ends.find(|&end| is_before(Spot::Arrived(end), asked.work.goal_costs[end - first]))?;
                Some((Spot::Arrived(end), walk(Spot::Arrived(end), self.net.end(end), self.goal)))
            }
            Spot::Arrived(end) => self.net.entries(end).iter().find_map(|exit| {
                let from = exit.from as usize;
                let spots = [Spot::Arrived(from), Spot::Leaving(from)];
                let before = spots.into_iter().find(|&before| is_before(before, Some(exit.cost)))?;
                Some((before, Some(Part::Link(exit.link))))
            }),
            Spot::Leaving(end) => {
                let place = self.net.end(end);
                let first = self.net.ends_on(place.floor).start;
                if place.floor == self.start.floor
                    && Some(self.net.region(end)) == self.start_region
                    && is_before(Spot::Start, self.work.borrow().work.start_costs[end - first])
                {
                    return Some((Spot::Start, walk(Spot::Start, self.start, place)));
                }
                let table = self.net.table(place.floor);
                let mut others = self.ends_in(place.floor, Some(self.net.region(end)));
                let other = others.find(|&other| {
                    other != end && is_before(Spot::Arrived(other), table.known(other - first, end - first))
                })?;
                Some((Spot::Arrived(other), walk(Spot::Arrived(other), self.net.end(other), place)))
            }
            _ => None,
        }
    }
}

/// More than any way costs.
const NEVER: Cost = Cost::MAX;

impl Graph for Journey<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        SINGLE + BY_END * self.net.end_count() + self.net.walk_count()
    }

    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        match self.spot(node) {
            Spot::Start => {
                if self.is_near {
                    visit(self.node(Spot::Straight), self.far(self.start, self.goal));
                }
                for end in self.ends_near_start() {
                    visit(self.node(Spot::Setting(end)), self.far(self.start, self.net.end(end)));
                }
            }
            Spot::Straight => {
                let rest = self.straight_cost().less(self.far(self.start, self.goal));
                visit(self.node(Spot::Goal), rest);
            }
            Spot::Setting(end) => {
                let bound = self.far(self.start, self.net.end(end));
                let better = self.better_bound(end, bound, Side::Start);
                visit(self.node(Spot::Setting2(end)), better.less(bound));
            }
            Spot::Closing(end) => {
                let bound = self.far(self.net.end(end), self.goal);
                let better = self.better_bound(end, bound, Side::Goal);
                visit(self.node(Spot::Closing2(end)), better.less(bound));
            }
            Spot::Setting2(end) => {
                let bound = self.work.borrow().work.start_bounds[self.on_floor(end)];
                visit(self.node(Spot::Leaving(end)), self.cost_from_start(end).less(bound));
            }
            Spot::Closing2(end) => {
                let bound = self.work.borrow().work.goal_bounds[self.on_floor(end)];
                visit(self.node(Spot::Goal), self.cost_to_goal(end).less(bound));
            }
            Spot::Walking(walk) => {
                let (from, to) = self.net.ends_of_walk(walk);
                let floor = self.net.end(from).floor;
                let first = self.net.ends_on(floor).start;
                let bound = self.net.table(floor).bound(from - first, to - first);
                visit(self.node(Spot::Leaving(to)), self.walk_cost(from, to).less(bound));
            }
            Spot::Leaving(end) => self.for_each_exit(end, &mut visit),
            Spot::Arrived(end) => self.for_each_from_arrival(end, &mut visit),
            Spot::Goal => visit(self.node(Spot::Beyond), Cost::from_units(1)),
            Spot::Beyond => {}
        }
    }
}

/// The goal of a journey: done when nothing as cheap is left to look at.
struct Aim<'j, 'a>(&'j Journey<'a>);

impl Target<NodeId> for Aim<'_, '_> {
    fn is_reached(&self, node: NodeId) -> bool {
        self.0.spot(node) == Spot::Beyond
    }

    fn estimate(&self, node: NodeId) -> Cost {
        let journey = self.0;
        match journey.spot(node) {
            Spot::Start => journey.ahead(journey.start),
            Spot::Arrived(end) | Spot::Leaving(end) | Spot::Setting(end) | Spot::Setting2(end) => {
                journey.ahead_of(end)
            }
            Spot::Walking(walk) => journey.ahead_of(journey.net.ends_of_walk(walk).1),
            Spot::Closing(_) | Spot::Closing2(_) | Spot::Straight | Spot::Goal | Spot::Beyond => Cost::ZERO,
        }
    }
}
