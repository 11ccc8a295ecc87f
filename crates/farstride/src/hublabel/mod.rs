//! Hub labels: distances in a graph by comparing two short lists.
//!
//! Every node has a label, the nodes above it in a contraction hierarchy that
//! are the highest on a shortest path from it, and how far they are. Two nodes
//! that can reach each other have in both labels the highest node of a shortest
//! path between them, their *hub*. So a distance is the least sum over the
//! common nodes of two lists, and a path follows from where entries came from.
//!
//! Paper: Abraham, Delling, Goldberg, Werneck 2012, Hierarchical Hub Labelings
//! for Shortest Paths.
//!
//! Layer: uses `base`, `graph`, `search` and `contraction`.

mod build;
mod core;
mod index;
mod labels;
mod meet;
mod reach;
mod restore;
mod sweep;
mod trace;

pub use index::HubIndex;
pub use labels::{HubLabels, Limits};
pub use meet::HubScratch;
pub(crate) use restore::LabelParts;
