//! Best-first search, written once.
//!
//! [`Problem`] ties a graph to a target (when to stop, and how far it is at
//! least) and a rule (how a node gets its parent). Its one loop is Dijkstra,
//! A*, Theta* and Lazy Theta*, depending on these three, on the open list and
//! on the observer; whatever is not used compiles to nothing. All state is in
//! a [`Memory`], so that a search can stop after any number of expansions and
//! go on later as if it had never stopped.
//!
//! Papers: Hart, Nilsson, Raphael 1968 (A*); Nash, Daniel, Koenig, Felner 2007
//! (Theta*); Nash, Koenig, Tovey 2010 (Lazy Theta*).
//!
//! Layer: uses `base`, `grid` and `graph`.

mod astar;
mod labels;
mod lazy_theta;
mod links;
mod observer;
mod open;
mod problem;
mod target;
mod theta;

pub use astar::{ShortestPath, astar, dijkstra};
pub use labels::Labels;
pub use lazy_theta::LazyTheta;
pub(crate) use observer::Translated;
pub use observer::{Counters, Effort, Observer, Phase, Was};
pub(crate) use open::{BucketQueue, Fifo, LimitedQueue};
pub use open::{HeapQueue, OpenList};
pub use problem::{Memory, Problem, Progress, Rule};
pub(crate) use target::{EuclideanTarget, GridTarget};
pub use target::{Everything, Heuristic, Target};
pub use theta::Theta;
