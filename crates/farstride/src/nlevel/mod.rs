//! N-level graphs: hierarchies of any undirected graph, for exact search.
//!
//! [`NLevelGraph::partition`] gives every node a level such that between any two
//! connected nodes some shortest path *arches*: it climbs strictly, runs along the
//! highest level, and descends strictly. A search then needs only the nodes it can
//! climb to from the start, those from which it can descend to the goal, and the
//! highest level. If a [`Property`] allows it, the partition adds edges so that more
//! nodes can sink to lower levels.
//!
//! This module is for those who search a graph of their own many times; start with
//! [`NLevelGraph`]. For grids, use the engines on subgoal graphs, which are built on
//! it.
//!
//! Paper: Uras, Koenig 2014, Identifying Hierarchies for Fast Optimal Search.
//!
//! Layer: uses `base`, `graph` and `search`.

mod arching;
mod check;
mod graph;
mod input;
mod lossy;
mod partition;
pub(crate) mod parts;
mod refine;
mod turns;

pub(crate) use arching::{ArchQuery, Bounds, Link};
pub use arching::{ArchScratch, Found};
pub use graph::{Edge, NLevelGraph};
pub(crate) use input::{Draft, DraftArc};
pub use partition::{Advanced, Basic, Property};
pub(crate) use parts::{CorruptGraph, NLevelCounts, Parts, Places};
pub(crate) use turns::{ANYHOW, Turns};
