//! N-level graphs: hierarchies of any undirected graph, for exact search.
//!
//! [`NLevelGraph::partition`] gives every node a level, so that between any
//! two nodes there is a shortest path that *arches*: it climbs strictly, runs
//! along the highest level, and descends strictly. A search then ignores every
//! node that it can neither climb to from the start nor descend from to the
//! goal, but for those of the highest level. With a [`Property`] that allows
//! it, edges are added that let more nodes sink.
//!
//! Paper: Uras, Koenig 2014, Identifying Hierarchies for Fast Optimal Search.
//!
//! Layer: uses `base`, `graph` and `search`.

mod arching;
mod check;
mod error;
mod graph;
mod input;
mod lossy;
mod partition;
mod parts;
mod refine;
mod turns;

pub(crate) use arching::{ArchQuery, Bounds, Link};
pub use arching::{ArchScratch, Found};
pub use error::PartitionError;
pub use graph::{Edge, NLevelGraph};
pub(crate) use input::{Draft, DraftArc};
pub use partition::{Advanced, Basic, Property};
pub use parts::{CorruptGraph, LevelCounts};
pub(crate) use parts::{Parts, Places};
pub(crate) use turns::{ANYHOW, Turns};
