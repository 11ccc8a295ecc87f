//! What a user meets: a map, a query, an outcome.
//!
//! A [`Planner`] is a map together with an engine; any number of threads may
//! ask it at once, each with a [`Scratch`] of its own. Every query has one of
//! six distinct outcomes, and none of them is a panic.
//!
//! Layer: uses everything above.

mod engine;
mod error;
mod hierarchical;
mod nearest;
mod outcome;
mod over_groups;
mod over_labels;
mod over_subgoals;
mod plan;
mod planner;
mod prepared;
mod scratch;
mod smooth;
mod table;
mod taut;

pub use engine::{Engine, UnknownEngine, Unsupported};
pub use error::{NotItsMap, QueryError, ResumeError};
pub use outcome::{Outcome, Path, Paused, Route};
pub use plan::{Plan, Planned, Step, Waypoint};
pub use planner::{Detail, Planner, Query};
pub use scratch::Scratch;
pub use table::CostTable;
