//! Hub labels: distances in a graph by comparing two short lists.
//!
//! The *label* of a node lists *hubs*: nodes above it in a contraction
//! hierarchy that are the highest on some shortest path from it, each with its
//! distance. If two nodes are connected, the highest node of a shortest path
//! between them is a hub of both. So a distance is the smallest sum over the
//! common hubs of two lists, and a path follows from how each hub is reached.
//!
//! This module is for those who need distances or paths in a graph of their
//! own; start with [`HubIndex`]. For grids, use the engine `labels`.
//!
//! Paper: Abraham, Delling, Goldberg, Werneck 2012, Hierarchical Hub Labelings
//! for Shortest Paths.
//!
//! Layer: uses `base`, `graph`, `search` and `contraction`.

mod build;
mod core;
mod index;
pub(crate) mod labels;
mod meet;
mod reach;
mod restore;
mod sweep;
mod trace;

pub use index::HubIndex;
pub(crate) use labels::{EntryId, HubLabels, Limits};
pub use meet::HubScratch;
pub(crate) use restore::LabelParts;
