//! Hierarchies over any graph, and worlds made of copies.
//!
//! Nodes are grouped, groups are grouped again, and a route is planned from the
//! top: first through the largest groups, then, section by section, through the
//! smaller ones it leads over. Buildings are stored once and placed many times.
//!
//! Text: Millington, *AI for Games*, section 4.6.
//!
//! Layer: uses `base`, `grid`, `graph` and `search`.

mod blocks;
mod build;
mod connection;
mod corridor;
mod floor;
mod grouping;
mod hierarchy;
mod inspect;
mod interior;
mod kept;
mod level;
mod members;
mod navigator;
mod on_grid;
mod partition;
mod plan;
mod refine;
mod representative;
mod restore;
mod survey;
mod tactics;
mod update;
pub mod world;

pub use blocks::Blocks;
pub use connection::Connection;
pub use grouping::{GroupId, Grouping, GroupingError};
pub use hierarchy::{Ground, GroupHierarchy, HierarchyError};
pub use kept::CorruptGroups;
pub use members::Members;
pub use navigator::{GroupRoute, GroupScratch, Navigator, NoBound};
pub use on_grid::{BlockSettings, GridGroups};
pub use partition::{BalanceError, balanced_groups};
pub use plan::{GroupPlan, GroupPlanned, Next, Section};
pub use representative::Representative;
pub use restore::LevelCounts;
pub use tactics::{Aim, GroupTactics, Mode};

pub(crate) use kept::Kept;
pub(crate) use restore::Unbound;
