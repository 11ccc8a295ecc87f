//! Messages: edits go in, news comes out.

use crate::agent::Why;
use crate::world::WorldId;
use bevy_ecs::prelude::*;
use farstride::Rect;
use farstride::atlas::{FloorError, FloorId, Link, LinkError, LinkId, Place};

/// Change a world. All edits of a frame are made in one go.
#[derive(Message, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The world.
    pub world: WorldId,
    /// What changes.
    pub change: Change,
}

/// What changes in an [`Edit`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Change {
    /// All cells of a rectangle get a class.
    Fill {
        /// The floor.
        floor: FloorId,
        /// The cells.
        area: Rect,
        /// The class.
        class: u8,
    },
    /// A link appears.
    AddLink(Link),
    /// A link goes.
    RemoveLink(LinkId),
}

impl Edit {
    /// Give all cells of an area a class, on the first floor of the first world.
    pub fn fill(area: impl Into<Rect>, class: u8) -> Self {
        let change = Change::Fill { floor: FloorId::new(0), area: area.into(), class };
        Self { world: WorldId::FIRST, change }
    }

    /// Add a link to the first world. Its number comes as [`WorldNews::LinkAdded`].
    pub const fn add_link(link: Link) -> Self {
        Self { world: WorldId::FIRST, change: Change::AddLink(link) }
    }

    /// Remove a link of the first world.
    pub const fn remove_link(link: LinkId) -> Self {
        Self { world: WorldId::FIRST, change: Change::RemoveLink(link) }
    }

    /// The same edit on another floor. Links have floors of their own.
    #[must_use]
    pub const fn on_floor(mut self, on: FloorId) -> Self {
        if let Change::Fill { floor, .. } = &mut self.change {
            *floor = on;
        }
        self
    }

    /// The same edit in another world.
    #[must_use]
    pub const fn in_world(self, world: WorldId) -> Self {
        Self { world, ..self }
    }
}

/// Send agents to one place: each gets a [`Goal`](crate::Goal) of its own around it, so that all
/// find room.
///
/// Larger ones choose first, then those that are nearer. All must be in the world named.
#[derive(Message, Clone, PartialEq, Eq, Debug)]
pub struct Gather {
    /// The world.
    pub world: WorldId,
    /// Who goes.
    pub agents: Vec<Entity>,
    /// Around which place.
    pub around: Place,
    /// How many cells stay free between two of them.
    pub gap: u16,
}

/// What happened to an agent.
#[derive(Message, Clone, Copy, PartialEq, Eq, Debug)]
pub struct AgentNews {
    /// The agent.
    pub agent: Entity,
    /// What happened.
    pub news: News,
}

/// What happens to agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum News {
    /// It has a route.
    Started {
        /// Where it leads: the goal, or the nearest place that can be reached.
        goal: Place,
        /// Whether that is another place than the goal ordered.
        is_substitute: bool,
    },
    /// Its route was changed by an edit.
    Rerouted,
    /// It came through a link.
    TookLink(LinkId),
    /// It is at its goal.
    Arrived,
    /// There is no way, or no longer one.
    NoWay(Why),
}

/// What happened to a world.
#[derive(Message, Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WorldNews {
    /// The indexes of all movers are ready. Until then a stand-in has answered.
    Ready(WorldId),
    /// A link was added.
    LinkAdded {
        /// The world.
        world: WorldId,
        /// The number of the link, with which it is removed again.
        id: LinkId,
        /// The link.
        link: Link,
    },
    /// An edit of a floor was refused; nothing has changed.
    FillRefused {
        /// The edit.
        edit: Edit,
        /// Why.
        error: FloorError,
    },
    /// A link was refused.
    LinkRefused {
        /// The edit.
        edit: Edit,
        /// Why.
        error: LinkError,
    },
}
