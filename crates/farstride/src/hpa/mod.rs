//! HPA*: near-optimal paths through a hierarchy of clusters.
//!
//! The map is divided into square clusters. Where two of them touch along free
//! cells, transitions join them, and the cost of crossing a cluster from
//! transition to transition is computed in advance. A query searches that small
//! graph, on one or more levels, and turns the result into cells cluster by
//! cluster, at once or on demand. An edit updates the clusters around it and their
//! ancestors, and nothing else. With Theta* inside the clusters, the same code is
//! HPT*, which finds any-angle paths.
//!
//! Papers: Botea, Müller, Schaeffer 2004, "Near Optimal Hierarchical
//! Path-Finding"; for HPT* the thesis cited in `docs/hpt.md`.
//!
//! Layer: uses `base`, `grid`, `graph` and `search`.

mod below;
mod build;
mod dead_ends;
mod entrance;
mod flood;
mod fronts;
mod graphs;
mod hierarchy;
mod insert;
pub(crate) mod inspect;
mod layout;
mod level;
mod local;
mod net;
mod online;
mod plan;
mod pockets;
mod recent;
mod recross;
mod refine;
mod repair;
pub(crate) mod restore;
mod settings;
mod shift;
mod skip;
mod spread;
mod stretch;
mod tables;
mod tile;
mod update;
mod walk;

pub use hierarchy::Hierarchy;
pub use inspect::HpaLevelCounts;
pub use online::{Connect, Skip, Tactics};
pub(crate) use online::{HpaScratch, Online};
pub(crate) use plan::PlanLeg;
pub(crate) use restore::{CorruptTable, TableKind};
pub(crate) use restore::{Ground, Place};
pub use settings::{HpaSettings, KeepWays, Local};
pub(crate) use spread::Spread;
pub(crate) use walk::{Turns, Walk};
