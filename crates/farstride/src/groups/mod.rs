//! Hierarchies over any graph, and worlds built from copies.
//!
//! Nodes are grouped, groups are grouped again, and a route is planned from the top:
//! first through the largest groups, then section by section through the smaller groups
//! along it. A unit can start to walk as soon as the first section is known.
//!
//! For whom: users whose world is not a grid (waypoints, star lanes, one-way streets,
//! portals), or a grid with many copies of the same building on it ([`world`]). A
//! planner on a grid uses [`GridGroups`] through the engine `groups`; the other types
//! are for graphs of your own. Start with [`GroupHierarchy`] and [`Navigator`].
//!
//! Text: Millington, *AI for Games*, section 4.6. Where we differ from it, and why, is
//! told in `docs/decisions/0015-parts-instead-of-dead-ends.md`.
//!
//! Layer: uses `base`, `grid`, `graph` and `search`.

mod below;
mod build;
mod connection;
mod corridor;
pub(crate) mod error;
mod grouping;
mod hierarchy;
mod inspect;
mod interior;
pub(crate) mod kept;
mod level;
mod members;
mod navigator;
mod on_grid;
mod part;
mod partition;
mod plan;
mod refine;
mod representative;
pub(crate) mod restore;
mod squares;
mod survey;
mod tactics;
mod update;
pub mod world;

pub use connection::Connection;
pub(crate) use error::GroupError;
pub use grouping::{GroupId, Grouping};
pub use hierarchy::{Ground, GroupHierarchy};
pub(crate) use kept::CorruptGroups;
pub use members::Members;
pub use navigator::{GroupRoute, GroupScratch, Navigator};
pub use on_grid::{GridGroupSettings, GridGroups};
pub use plan::{GroupPlan, Next};
pub use representative::Representative;
pub(crate) use restore::GroupLevelCounts;
pub use squares::Squares;
pub use tactics::{Aim, GroupTactics, Mode};

pub(crate) use kept::Kept;
pub(crate) use restore::Unbound;
