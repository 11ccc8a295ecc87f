//! Best-first search, written once.
//!
//! For those who search graphs of their own; on a grid, use
//! [`Planner`](crate::Planner). Start with [`astar`] and [`dijkstra`]; with
//! [`Problem`] a search can pause, and stop at a [`Target`] of your own.
//!
//! A problem combines a graph, a target (when to stop, and the heuristic) and a
//! rule (how a node gets its parent). Its single loop is Dijkstra or A*, and inside
//! the engine also Theta* or Lazy Theta*, depending on these three; the open list and
//! the observer are parameters, too, and unused parts compile to nothing. All state lives in a
//! [`Memory`], so a search can stop after any number of expansions and continue
//! later as if it had never stopped.
//!
//! Papers: Hart, Nilsson, Raphael 1968 (A*); Nash, Daniel, Koenig, Felner 2007
//! (Theta*); Nash, Koenig, Tovey 2010 (Lazy Theta*).
//!
//! Layer: uses `base`, `grid` and `graph`.

pub(crate) mod astar;
mod lazy_theta;
mod links;
mod observer;
pub(crate) mod open;
pub(crate) mod problem;
pub(crate) mod target;
mod theta;
pub(crate) mod tree;

pub(crate) use astar::ShortestPath;
pub use astar::{astar, dijkstra};
pub(crate) use lazy_theta::LazyTheta;
pub(crate) use observer::Translated;
pub use observer::{Counters, Effort, Observer, Phase, PriorState};
pub(crate) use open::{BucketQueue, Fifo, GoalQueue, HeapQueue, LimitedQueue, OpenList, WideQueue};
pub(crate) use problem::Rule;
pub use problem::{Memory, Problem, SearchStatus};
pub use target::Target;
pub(crate) use target::{EuclideanTarget, GridTarget};
pub(crate) use target::{Everything, Heuristic};
pub(crate) use theta::Theta;
pub(crate) use tree::SearchTree;
