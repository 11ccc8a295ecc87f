//! Subgoal graphs: shortest paths on grids in microseconds.
//!
//! A *subgoal* is a free cell at a convex corner of an obstacle; shortest paths
//! bend nowhere else. Two cells are *h-reachable* from each other if some path
//! between them is as short as on an empty map, and *direct-h-reachable* if, in
//! addition, no path of that length passes a subgoal. A [`SubgoalGraph`] joins
//! direct-h-reachable subgoals by edges and partitions them into levels
//! ([`nlevel`](crate::nlevel)). A query connects start and goal by scanning,
//! searches the levels, and walks each edge diagonally first.
//!
//! Papers: Uras, Koenig, Hernández 2013, Subgoal Graphs for Optimal
//! Pathfinding in Eight-Neighbor Grids; Uras, Koenig 2014, Identifying
//! Hierarchies for Fast Optimal Search.
//!
//! Layer: uses `base`, `grid`, `graph`, `search` and `nlevel`.

mod clearance;
mod corner;
mod graph;
mod heading;
mod online;
mod restore;
mod settings;
mod taut;
mod update;

pub(crate) use clearance::Clearance;
pub(crate) use corner::subgoal_count;
pub use graph::SubgoalGraph;
pub(crate) use online::SubgoalScratch;
pub use settings::{Partition, SubgoalSettings};
pub(crate) use taut::{StepCosts, TautGraph, TautLinks};
