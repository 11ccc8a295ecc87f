#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod agent;
mod gather;
mod layout;
pub mod maps;
mod message;
pub mod sketch;
mod surveyor;
mod systems;
mod track;
mod world;

pub use agent::{Agent, Avoid, Goal, Hop, Paused, Position, Route, Speed, Status, Why};
/// The engine.
pub use farstride;
pub use layout::{Layout, Places};
pub use message::{AgentNews, Change, Edit, Gather, News, WorldNews};
pub use surveyor::Budget;
pub use world::{WorldId, Worlds};

use bevy_app::{App, Plugin, Update};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use std::time::Duration;

/// The code of the guide, compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/bevy.md")]
struct Guide;

/// What most games need: the plugin's names, and those of the engine that make a world.
pub mod prelude {
    pub use crate::{
        Agent, AgentNews, Avoid, Budget, Edit, FarstridePlugin, FarstrideSystems, Gather, Goal, Layout, News,
        Paused, Position, Route, Speed, Status, Why, WorldId, WorldNews, Worlds,
    };
    pub use farstride::atlas::{Atlas, Floor, FloorId, Link, Mover, MoverId, Place, TileMap};
    pub use farstride::{Cell, Cost, Engine, Rect, Zone};
}

/// The systems of the plugin, in this order. Give orders and edits before `Send`; look at what
/// agents have got after `Collect`; move those without a [`Speed`] before `Follow`.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FarstrideSystems {
    /// What was found since the last frame is taken over.
    Collect,
    /// Agents with a [`Speed`] move; for the others the plugin notes how far they have come.
    Follow,
    /// Edits and orders are handed over.
    Send,
}

/// Adds pathfinding to an app.
///
/// # Example
/// ```
/// use bevy_app::{App, FixedUpdate};
/// use bevy_farstride::prelude::*;
///
/// let mut app = App::new();
/// app.add_plugins(FarstridePlugin::default());
///
/// // For a game in lock step: at most 300 orders are planned between two ticks.
/// let mut app = App::new();
/// app.add_plugins(FarstridePlugin::default().in_schedule(FixedUpdate).in_lock_step(300));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FarstridePlugin {
    schedule: InternedScheduleLabel,
    is_lock_step: bool,
    budget: Budget,
    threads: usize,
}

impl Default for FarstridePlugin {
    fn default() -> Self {
        let budget = Budget::Time(Self::DEFAULT_TIME);
        let threads = bevy_tasks::available_parallelism().clamp(2, 8);
        Self { schedule: Update.intern(), is_lock_step: false, budget, threads }
    }
}

impl FarstridePlugin {
    /// For how long orders are planned between two frames, unless [`FarstridePlugin::with_budget`]
    /// says otherwise: a little less than a frame at 60 a second.
    pub const DEFAULT_TIME: Duration = Duration::from_millis(14);

    /// The same plugin in another schedule than `Update`.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "as in Bevy")]
    pub fn in_schedule(self, schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern(), ..self }
    }

    /// The same plugin with another budget for orders.
    #[must_use]
    pub const fn with_budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// The same plugin with this many threads for orders and edits; else as many as there are cores, from 2 to
    /// 8. They are made once in a process, by the first plugin. The number changes no result in lock
    /// step.
    #[must_use]
    pub const fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// The same plugin for games in lock step: with the same inputs, every frame has the same
    /// results, on any number of threads.
    ///
    /// What is handed over in a frame is answered in the next, which waits for it if need be. At most
    /// `orders` new orders are planned in between. Indexes are made before the first frame goes on.
    #[must_use]
    pub const fn in_lock_step(self, orders: usize) -> Self {
        Self { is_lock_step: true, budget: Budget::Orders(orders), ..self }
    }
}

impl Plugin for FarstridePlugin {
    fn build(&self, app: &mut App) {
        let sets = (FarstrideSystems::Collect, FarstrideSystems::Follow, FarstrideSystems::Send);
        let pool = world::surveyors(self.threads);
        app.insert_resource(Worlds::new(self.is_lock_step, self.budget, pool))
            .add_message::<Edit>()
            .add_message::<Gather>()
            .add_message::<AgentNews>()
            .add_message::<WorldNews>()
            .configure_sets(self.schedule, sets.chain())
            .add_systems(
                self.schedule,
                (
                    systems::collect.in_set(FarstrideSystems::Collect),
                    systems::follow.in_set(FarstrideSystems::Follow),
                    (systems::order, systems::hand_over).chain().in_set(FarstrideSystems::Send),
                ),
            )
            .add_observer(systems::forget_agent)
            .add_observer(systems::forget_goal)
            .add_observer(systems::forget_zones);
    }
}
