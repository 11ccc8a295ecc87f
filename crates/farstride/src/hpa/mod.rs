//! HPA*: near-optimal paths through clusters.
//!
//! The map is covered by square clusters; where two of them touch along free
//! cells, transitions join them; what it costs to cross a cluster from
//! transition to transition is known beforehand. A path is searched in that
//! small graph, on as many levels as one likes, and turned into cells cluster
//! by cluster, now or when they are needed. An edit touches the clusters
//! around it and their ancestors and nothing else.
//!
//! Paper: Botea, Müller, Schaeffer 2004, "Near Optimal Hierarchical
//! Path-Finding".
//!
//! Layer: uses `base`, `grid`, `graph` and `search`.

mod build;
mod entrance;
mod graphs;
mod hierarchy;
mod insert;
mod inspect;
mod layout;
mod level;
mod local;
mod online;
mod plan;
mod refine;
mod restore;
mod settings;
mod skip;
mod tables;
mod update;
mod walk;

pub use build::Progress;
pub use hierarchy::Hierarchy;
pub use inspect::{AbstractNode, InterEdge, IntraEdge, LevelCounts};
pub use online::{Connect, Skip, Tactics};
pub(crate) use online::{HpaScratch, Online};
pub(crate) use plan::PlanLeg;
pub use restore::{CorruptTable, Part};
pub(crate) use restore::{Ground, Place};
pub use settings::{Local, Settings, SettingsError};
pub use update::Update;
pub(crate) use walk::{Turns, Walk};
