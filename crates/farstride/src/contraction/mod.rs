//! Contraction hierarchies of any undirected graph: an order of the nodes in
//! which every shortest path can be found by climbing from both of its ends.
//!
//! Nodes are contracted one after the other, the least important first. Where
//! one lay on the only shortest path between two of its neighbours, a shortcut
//! takes its place, so that distances between the nodes that are left stay as
//! they were. What remains is the order and, for each node, the arcs to
//! neighbours that outlived it.
//!
//! Paper: Geisberger, Sanders, Schultes, Delling 2008, Contraction Hierarchies:
//! Faster and Simpler Hierarchical Routing in Road Networks.
//!
//! Layer: uses `base` and `graph`.

mod contract;
mod error;
mod hierarchy;
mod input;
mod restore;
mod settings;
mod witness;

pub use error::ContractionError;
pub use hierarchy::{ContractionHierarchy, UpArc};
pub use settings::Settings;
