//! Contraction hierarchies of any undirected graph: an order of the nodes in
//! which some shortest path between any two of them climbs from both ends.
//!
//! Nodes are contracted one after the other, the least important first. Where
//! a node lies on the only shortest path between two of its neighbours, a
//! *shortcut* between these replaces it, so that the distances between the
//! remaining nodes do not change. The result is the order and, for each node,
//! its arcs to neighbours that were contracted later.
//!
//! This module is for those who build their own index on top of a hierarchy.
//! For distances and paths in a graph, see [`hublabel`](crate::hublabel); for
//! paths on a grid, use the engine `labels`, which does all of this.
//!
//! Paper: Geisberger, Sanders, Schultes, Delling 2008, Contraction Hierarchies:
//! Faster and Simpler Hierarchical Routing in Road Networks.
//!
//! Layer: uses `base` and `graph`.

mod contract;
mod hierarchy;
mod input;
mod rank;
mod restore;
mod settings;
mod witness;

pub use hierarchy::{ContractionHierarchy, UpArc};
pub use rank::Rank;
pub use settings::ContractionSettings;
