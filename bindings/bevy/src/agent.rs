//! Components: what you give an agent, and what it gets.

use crate::world::WorldId;
use bevy_ecs::prelude::*;
use bevy_math::{Vec2, Vec3};
use farstride::atlas::{FloorId, LinkId, MoverId, Place};
use farstride::{Rect, Zone};
use std::collections::VecDeque;

/// Something that finds its way: which mover it is, and in which world.
///
/// Beside it an agent needs a [`Position`]. With a [`Goal`] it gets a [`Route`]; with a
/// [`Speed`] it also walks it.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
#[require(Route)]
pub struct Agent {
    /// A mover of the atlas of its world.
    pub mover: MoverId,
    /// Its world.
    pub world: WorldId,
    /// Whether it goes straight from cell to cell in sight, and not in steps from neighbour to
    /// neighbour. It never leaves the ground that the steps would have cost.
    pub is_smooth: bool,
}

impl Agent {
    /// An agent in the first world.
    pub const fn new(mover: MoverId) -> Self {
        Self { mover, world: WorldId::FIRST, is_smooth: false }
    }

    /// The same agent in another world.
    #[must_use]
    pub const fn in_world(self, world: WorldId) -> Self {
        Self { world, ..self }
    }

    /// The same agent, which goes straight where it can see its way.
    #[must_use]
    pub const fn smooth(self) -> Self {
        Self { is_smooth: true, ..self }
    }
}

/// Where an agent is: the middle of the square that it covers, in Bevy's units.
///
/// With a [`Speed`] the plugin changes it; otherwise you do. Either way you may put the agent
/// anywhere: it finds its way from there.
#[derive(Component, Clone, Copy, PartialEq, Debug)]
pub struct Position {
    /// The point.
    pub point: Vec3,
    /// The floor.
    pub floor: FloorId,
}

impl Position {
    /// A position on the first floor.
    pub fn new(x: f32, y: f32) -> Self {
        Self::from(Vec2::new(x, y))
    }

    /// The same point on another floor.
    #[must_use]
    pub const fn on_floor(self, floor: FloorId) -> Self {
        Self { floor, ..self }
    }
}

impl From<Vec3> for Position {
    fn from(point: Vec3) -> Self {
        Self { point, floor: FloorId::new(0) }
    }
}

impl From<Vec2> for Position {
    fn from(point: Vec2) -> Self {
        Self::from(point.extend(0.0))
    }
}

/// How far the plugin moves an agent in a second, in Bevy's units. Without it you move the agent.
#[derive(Component, Clone, Copy, PartialEq, Debug)]
pub struct Speed(pub f32);

/// The agent stands still until this is removed. Its route is kept.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Paused;

/// An order: go there. Insert it, or change it, to give an order; remove it to take the order back.
///
/// The order stays after the agent has arrived or found no way: if an edit opens a way, it walks.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// Where to.
    pub place: Place,
    /// Whether the nearest place will do if there is no way to this one.
    pub or_nearest: bool,
}

impl Goal {
    /// Go exactly there.
    pub const fn new(place: Place) -> Self {
        Self { place, or_nearest: false }
    }

    /// Go as near as possible: the nearest place to the goal that can be reached. If the agent
    /// stands where it cannot, it goes to the nearest free cell first.
    #[must_use]
    pub const fn or_nearest(self) -> Self {
        Self { or_nearest: true, ..self }
    }
}

/// Zones that an agent's routes keep out of, or enter only at a price. The hook for avoidance: other
/// agents' cells, danger, reserved ground. To change it is to give the order again.
///
/// For a handful of zones: each is looked at for every cell of a search. They count for orders
/// whose goal is on the agent's floor and that can be walked without links; the path is
/// found at once, not in sections.
///
/// # Example
/// ```
/// use bevy_farstride::prelude::*;
///
/// let blocked = Zone::forbidden(Cell::new(7, 3)); // somebody stands there
/// let crowd = Rect::spanning(Cell::new(5, 1), Cell::new(9, 5));
/// // Each cell of it weighs 4 more: five times as much as open ground.
/// let crowded = Zone::costly(crowd, 4.try_into()?);
/// let avoid = Avoid(vec![blocked, crowded]);
/// # Ok::<(), std::num::TryFromIntError>(())
/// ```
#[derive(Component, Clone, PartialEq, Eq, Debug, Default)]
pub struct Avoid(pub Vec<Zone>);

/// What an agent has been told: the way ahead, and how it stands.
#[derive(Component, Clone, Debug)]
pub struct Route {
    pub(crate) status: Status,
    /// The last place of the route that was reached.
    pub(crate) here: Option<Place>,
    pub(crate) ahead: VecDeque<Hop>,
    /// The cells around all that was ahead when it was told, on all floors.
    pub(crate) bounds: Option<Rect>,
    /// Whether the last hop ahead is at the goal.
    pub(crate) is_complete: bool,
    pub(crate) goal: Option<Place>,
    /// Counts the orders: answers to earlier ones are not wanted.
    pub(crate) serial: u32,
    /// The world that knows the order.
    pub(crate) world: Option<WorldId>,
}

impl Default for Route {
    fn default() -> Self {
        Self {
            status: Status::Idle,
            here: None,
            ahead: VecDeque::new(),
            bounds: None,
            is_complete: false,
            goal: None,
            serial: 0,
            world: None,
        }
    }
}

/// A part of a route: straight to a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Hop {
    /// Where to: a neighbouring cell, one in sight, or the other end of a link.
    pub place: Place,
    /// The link, if it is one.
    pub link: Option<LinkId>,
}

impl Hop {
    pub(crate) const fn new(place: Place, link: Option<LinkId>) -> Self {
        Self { place, link }
    }
}

/// How an agent stands with its order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Status {
    /// It has no order.
    Idle,
    /// It waits for an answer.
    Waiting,
    /// It has a route.
    Walking,
    /// It is at the goal, or at the place nearest to it.
    Arrived,
    /// There is no way. After each edit it is tried again.
    NoWay(Why),
}

/// Why there is no way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Why {
    /// The mover cannot stand where the agent is.
    StartBlocked,
    /// The mover cannot stand at the goal.
    GoalBlocked,
    /// It can stand at both, and no way leads from the one to the other.
    Unreachable,
    /// The agent or its goal is off the map, or its mover or world does not exist.
    Outside,
}

impl Route {
    /// How the agent stands with its order.
    pub const fn status(&self) -> Status {
        self.status
    }

    /// Whether it is at the goal.
    pub fn has_arrived(&self) -> bool {
        self.status == Status::Arrived
    }

    /// Where it goes: the place ordered, or the nearest one that can be reached
    /// ([`Goal::or_nearest`]). `None` before the first answer and without a way.
    pub const fn goal(&self) -> Option<Place> {
        self.goal
    }

    /// The next place to go to.
    pub fn next(&self) -> Option<Place> {
        self.ahead.front().map(|hop| hop.place)
    }

    /// The part of the way that is known, in order. More of it comes as the agent goes on.
    pub fn ahead(&self) -> impl ExactSizeIterator<Item = Hop> {
        self.ahead.iter().copied()
    }

    /// Whether [`Route::ahead`] leads to the goal, and not only to where more will be told.
    pub const fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Notes the bounds of what is ahead.
    pub(crate) fn bound(&mut self) {
        let places = self.ahead.iter().map(|hop| hop.place).chain(self.here);
        self.bounds = places.map(|place| Rect::from(place.cell)).reduce(Rect::hull);
    }

    /// Gives up the hop that has begun: back to where it began.
    pub(crate) fn turn_back(&mut self) {
        self.ahead.clear();
        self.ahead.extend(self.here.map(|here| Hop::new(here, None)));
    }

    /// Takes the order back: only the hop that has begun is left.
    pub(crate) fn stop(&mut self, status: Status) {
        self.status = status;
        self.ahead.truncate(1);
        self.is_complete = false;
        self.goal = None;
        self.serial = self.serial.wrapping_add(1);
    }

    /// The last place of the route that the agent has reached.
    pub const fn here(&self) -> Option<Place> {
        self.here
    }
}
