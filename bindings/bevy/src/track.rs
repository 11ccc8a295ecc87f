//! One agent as the surveyor knows it: its order, its plan, and the hops it has been told.

use crate::agent::{Hop, Why};
use bevy_ecs::entity::Entity;
use farstride::atlas::{Atlas, AtlasScratch, MoverId, Place, TripPlan, TripPlanned, TripStep};
use farstride::{Cell, Engine, Grid, Outcome, Planner, Point, Query, Rect, Scratch, Zone};
use std::collections::VecDeque;
use std::mem;

/// Number of steps told at a time.
const SECTION: usize = 16;
/// An agent with fewer hops than this ahead wants more.
pub(crate) const FEW: usize = 8;

/// An order as it is handed to the surveyor.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) agent: Entity,
    pub(crate) serial: u32,
    pub(crate) mover: MoverId,
    pub(crate) from: Place,
    pub(crate) goal: Place,
    pub(crate) or_nearest: bool,
    pub(crate) is_smooth: bool,
    pub(crate) avoid: Vec<Zone>,
}

/// Working memory of a thread.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    atlas: AtlasScratch,
    search: Scratch,
}

/// What has to be done for an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    /// Nothing.
    Rest,
    /// Find a route from this place.
    Plan(Place),
    /// Tell more of the route.
    GoOn,
}

/// What an agent is told.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) agent: Entity,
    pub(crate) serial: u32,
    pub(crate) what: What,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    /// A route that replaces what was told before, from a place on.
    Route { from: Place, hops: Vec<Hop>, goal: Place, is_complete: bool },
    /// More of the route.
    More { hops: Vec<Hop>, is_complete: bool },
    /// There is no route, from this place if one was looked for.
    NoWay { from: Option<Place>, why: Why },
}

/// An agent with an order.
#[derive(Debug)]
pub(crate) struct Track {
    pub(crate) order: Order,
    pub(crate) task: Task,
    /// Where the agent goes: the goal ordered, or a substitute.
    goal: Place,
    plan: Option<Box<TripPlan>>,
    /// A plan that was made together with those of others, until it is begun.
    shared: Option<Box<TripPlan>>,
    /// Steps of a path that was found at once and that are not told yet.
    rest: VecDeque<Place>,
    /// Told, and perhaps not walked yet.
    ahead: VecDeque<Hop>,
    is_complete: bool,
    /// Whether no way was found.
    pub(crate) is_stuck: bool,
}

impl Track {
    pub(crate) fn new(order: Order) -> Self {
        let task = Task::Plan(order.from);
        Self {
            goal: order.goal,
            task,
            order,
            plan: None,
            shared: None,
            rest: VecDeque::new(),
            ahead: VecDeque::new(),
            is_complete: false,
            is_stuck: false,
        }
    }

    /// Does the work that is due, and says what the agent is told.
    pub(crate) fn work(&mut self, atlas: &Atlas, memory: &mut Memory) -> Option<Told> {
        let what = match mem::replace(&mut self.task, Task::Rest) {
            Task::Rest => return None,
            Task::Plan(from) => self.begin(atlas, from, memory),
            Task::GoOn => self.go_on(atlas, memory)?,
        };
        Some(Told { agent: self.order.agent, serial: self.order.serial, what })
    }

    fn begin(&mut self, atlas: &Atlas, from: Place, memory: &mut Memory) -> What {
        self.forget();
        self.goal = self.order.goal;
        match self.find(atlas, from, memory) {
            Ok(start) => {
                self.is_stuck = false;
                let mut hops = Vec::new();
                if start != from {
                    hops.push(Hop::new(start, None));
                }
                hops.extend(self.tell(atlas, start, memory));
                What::Route { from, hops, goal: self.goal, is_complete: self.is_complete }
            }
            Err(why) => {
                self.is_stuck = true;
                What::NoWay { from: Some(from), why }
            }
        }
    }

    /// Finds a route and returns where it begins: at `from`, or at the nearest free place.
    fn find(&mut self, atlas: &Atlas, from: Place, memory: &mut Memory) -> Result<Place, Why> {
        match self.find_exactly(atlas, from, memory) {
            Ok(()) => return Ok(from),
            Err(why) if !self.order.or_nearest || why == Why::Outside => return Err(why),
            Err(_) => {}
        }
        let substitute = atlas.substitute(self.order.mover, from, self.order.goal);
        let Some((start, goal)) = substitute.map_err(|_| Why::Outside)? else { return Err(Why::Unreachable) };
        self.goal = goal;
        self.find_exactly(atlas, start, memory)?;
        Ok(start)
    }

    fn find_exactly(&mut self, atlas: &Atlas, from: Place, memory: &mut Memory) -> Result<(), Why> {
        self.plan = self.shared.take_if(|plan| plan.position() == from && plan.goal() == self.goal);
        if self.plan.is_some() {
            return Ok(());
        }
        if !self.order.avoid.is_empty() && from.floor == self.goal.floor {
            let planner = atlas.planner(self.order.mover, from.floor).map_err(|_| Why::Outside)?;
            // Without a way on the floor it may still lead through links, which zones do not concern.
            match self.find_around(planner, from, &mut memory.search) {
                Err(Why::Unreachable) if !planner.grid().is_connected(from.cell, self.goal.cell) => {}
                result => return result,
            }
        }
        let planned = atlas.plan(self.order.mover, from, self.goal, &mut memory.atlas);
        match planned.map_err(|_| Why::Outside)? {
            TripPlanned::Plan(plan) => {
                self.plan = Some(Box::new(plan));
                Ok(())
            }
            TripPlanned::AlreadyThere => {
                self.is_complete = true;
                Ok(())
            }
            TripPlanned::StartBlocked => Err(Why::StartBlocked),
            TripPlanned::GoalBlocked => Err(Why::GoalBlocked),
            _ => Err(Why::Unreachable),
        }
    }

    fn find_around(&mut self, planner: &Planner, from: Place, scratch: &mut Scratch) -> Result<(), Why> {
        let query = Query::new(from.cell, self.goal.cell);
        let outcome = planner.find_avoiding(query, &self.order.avoid, scratch);
        match outcome.map_err(|_| Why::Outside)? {
            Outcome::Found(route) => {
                let cells = if planner.engine() == Engine::Straight {
                    planner.grid().entered_cells(route.path().points())
                } else {
                    route.path().turns().filter_map(Point::cell).collect()
                };
                self.rest = cells.into_iter().skip(1).map(|cell| Place { cell, ..from }).collect();
                Ok(())
            }
            Outcome::AlreadyThere => {
                self.is_complete = true;
                Ok(())
            }
            Outcome::StartBlocked => Err(Why::StartBlocked),
            Outcome::GoalBlocked => Err(Why::GoalBlocked),
            _ => Err(Why::Unreachable),
        }
    }

    fn go_on(&mut self, atlas: &Atlas, memory: &mut Memory) -> Option<What> {
        if self.is_complete || self.is_stuck {
            return None;
        }
        let from = self.ahead.back().map(|hop| hop.place)?;
        if self.plan.is_none() && self.rest.is_empty() {
            // The atlas was replaced: the plan belonged to the stand-in.
            if let Err(why) = self.find_exactly(atlas, from, memory) {
                self.forget();
                self.is_stuck = true;
                return Some(What::NoWay { from: None, why });
            }
        }
        let hops = self.tell(atlas, from, memory);
        if self.is_stuck {
            self.forget();
            return Some(What::NoWay { from: None, why: Why::Unreachable });
        }
        Some(What::More { hops, is_complete: self.is_complete })
    }

    /// Takes the next steps from the plan and notes them as told.
    fn tell(&mut self, atlas: &Atlas, from: Place, memory: &mut Memory) -> Vec<Hop> {
        let mut hops = Vec::with_capacity(SECTION);
        while hops.len() < SECTION && !self.is_complete {
            let hop = if let Some(place) = self.rest.pop_front() {
                Hop::new(place, None)
            } else {
                match self.plan.as_mut().map(|plan| plan.step(atlas, &mut memory.atlas)) {
                    Some(Ok(TripStep::Walk(place))) => Hop::new(place, None),
                    Some(Ok(TripStep::Link { link, to })) => Hop::new(to, Some(link)),
                    _ => {
                        self.is_stuck = hops.is_empty();
                        break;
                    }
                }
            };
            self.is_complete = hop.place == self.goal;
            hops.push(hop);
        }
        if self.order.is_smooth {
            smooth(atlas, self.order.mover, from, &mut hops);
        }
        self.ahead.extend(&hops);
        hops
    }

    fn forget(&mut self) {
        self.plan = None;
        self.rest.clear();
        self.ahead.clear();
        self.is_complete = false;
    }

    /// Whether the order has to be planned, so that it counts against the budget.
    pub(crate) const fn is_to_plan(&self) -> bool {
        matches!(self.task, Task::Plan(_))
    }

    /// Where its plan begins, if it may be made together with those of others to the same place.
    pub(crate) const fn may_share(&self) -> Option<Place> {
        match self.task {
            Task::Plan(from) if self.order.avoid.is_empty() && self.shared.is_none() => Some(from),
            _ => None,
        }
    }

    /// Takes a plan that was made so.
    pub(crate) fn share(&mut self, plan: TripPlan) {
        self.shared = Some(Box::new(plan));
    }

    pub(crate) fn unshare(&mut self) {
        self.shared = None;
    }

    /// Notes how far the agent has come, and whether it wants more.
    pub(crate) fn note(&mut self, progress: &Progress) {
        if let Some(next) = progress.next
            && let Some(at) = self.ahead.iter().position(|hop| hop.place == next)
        {
            self.ahead.drain(..at);
        } else if progress.next.is_none() {
            // The last one stays: it is where the route goes on.
            self.ahead.drain(..self.ahead.len().saturating_sub(1));
        }
        if self.task == Task::Rest && !self.is_complete && !self.is_stuck && self.ahead.len() < FEW {
            self.task = Task::GoOn;
        }
    }

    /// Looks whether edits have touched what the agent was told; if so, it is planned anew from
    /// where the agent is.
    pub(crate) fn check(&mut self, atlas: &Atlas, progress: &Progress, areas: &[(usize, Rect)]) {
        if self.is_to_plan() {
            return;
        }
        if self.is_stuck || self.goal != self.order.goal {
            // What was out of reach may be in reach now.
            let reach = |goal| atlas.can_reach(self.order.mover, progress.here, goal).unwrap_or(false);
            if reach(self.order.goal) || self.is_stuck && self.order.or_nearest {
                self.task = Task::Plan(progress.here);
                return;
            }
        }
        let Ok(mover) = atlas.mover(self.order.mover) else { return };
        let margin = mover.size();
        // The hop that the agent is on may be one of an earlier order.
        let on = progress.next.filter(|&next| self.ahead.front().is_none_or(|hop| hop.place != next));
        let hops = on.map(|next| Hop::new(next, None)).into_iter().chain(self.ahead.iter().copied());
        let mut from = progress.here;
        let is_near = |from: Place, hop: Hop| {
            let floor = hop.place.floor.index();
            areas.iter().any(|&(of, area)| of == floor && is_by(area, from, hop, margin))
        };
        for (number, hop) in hops.filter(|_| progress.next.is_some()).enumerate() {
            if is_near(from, hop) && !holds(atlas, self.order.mover, from, hop) {
                let next = progress.next.filter(|_| number > 0);
                self.task = Task::Plan(next.unwrap_or(progress.here));
                return;
            }
            from = hop.place;
        }
        if self.is_complete && !self.ahead.is_empty() {
            return;
        }
        // Paths found at once do not look after themselves. By an edit they may have become dearer.
        let mut rest = self.rest.iter().map(|&place| Hop::new(place, None));
        if rest.any(|hop| is_near(mem::replace(&mut from, hop.place), hop)) {
            self.task = Task::Plan(progress.next.unwrap_or(progress.here));
        }
    }

    /// Another atlas answers from now on.
    pub(crate) fn change_atlas(&mut self) {
        self.plan = None;
        self.unshare();
    }
}

/// How far an agent has come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    pub(crate) agent: Entity,
    pub(crate) serial: u32,
    /// Where it is.
    pub(crate) here: Place,
    /// Where it goes next.
    pub(crate) next: Option<Place>,
}

/// Whether an area lies by a hop, with room for the size of the mover.
pub(crate) fn is_by(area: Rect, from: Place, hop: Hop, size: u16) -> bool {
    let to = hop.place.cell;
    let from = if hop.link.is_some() { to } else { from.cell };
    is_near(area, Rect::spanning(from, to), size)
}

/// Whether an area touches what a mover of this size covers on its way within bounds, or cells beside it.
pub(crate) fn is_near(area: Rect, bounds: Rect, size: u16) -> bool {
    let apart = |from: u16, to: u16, least: u16, most: u16| {
        from > most.saturating_add(1) || to.saturating_add(size) < least
    };
    let ((from, to), (least, most)) = ((bounds.min(), bounds.max()), (area.min(), area.max()));
    !apart(from.x, to.x, least.x, most.x) && !apart(from.y, to.y, least.y, most.y)
}

/// Whether a mover can make a hop.
fn holds(atlas: &Atlas, mover: MoverId, from: Place, hop: Hop) -> bool {
    let stands = |place: Place| {
        atlas.planner(mover, place.floor).is_ok_and(|planner| planner.grid().is_free(place.cell))
    };
    match hop.link {
        Some(id) => {
            atlas.tiles().link(id).is_some_and(|link| {
                (link.to == hop.place && link.from == from)
                    || (link.two_way && link.from == hop.place && link.to == from)
            }) && stands(hop.place)
        }
        None => atlas.planner(mover, hop.place.floor).is_ok_and(|planner| {
            let grid = planner.grid();
            match from.cell.direction_to(hop.place.cell) {
                Some(direction) => grid.is_free(from.cell) && grid.may_step(from.cell, direction),
                None => grid.line_of_sight(from.cell, hop.place.cell),
            }
        }),
    }
}

/// Joins steps to straight hops where the way is in sight and on no dearer ground.
fn smooth(atlas: &Atlas, mover: MoverId, from: Place, hops: &mut Vec<Hop>) {
    let mut joined: Vec<Hop> = Vec::with_capacity(hops.len());
    let mut anchor = from;
    let mut dearest = 0;
    for &hop in &*hops {
        let planner = atlas.planner(mover, hop.place.floor);
        let Ok(grid) = planner.map(Planner::grid) else { return };
        let weight = grid.weight(hop.place.cell);
        let sees = hop.link.is_none()
            && joined.last().is_some_and(|last| last.link.is_none() && last.place.floor == hop.place.floor)
            && is_clear(grid, anchor.cell, hop.place.cell, dearest.max(weight));
        if sees {
            joined.pop();
            dearest = dearest.max(weight);
        } else {
            anchor = joined.last().map_or(from, |last| last.place);
            dearest = weight;
        }
        joined.push(hop);
    }
    *hops = joined;
}

/// Whether the straight way between two cells is free and nowhere dearer than `dearest`.
fn is_clear(grid: &Grid, from: Cell, to: Cell, dearest: u8) -> bool {
    grid.line_of_sight(from, to)
        && (grid.is_uniform() || {
            let entered = grid.entered_cells(&[Point::centre(from), Point::centre(to)]);
            entered.into_iter().all(|cell| grid.weight(cell) <= dearest)
        })
}
