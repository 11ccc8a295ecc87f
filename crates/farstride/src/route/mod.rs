//! Planners, queries, outcomes: what most users of the crate need.
//!
//! A [`Planner`] is a map together with an engine. Any number of threads may query it
//! at once, each with its own [`Scratch`]. Every query has one of six distinct
//! outcomes, and none of them is a panic.
//!
//! A query flows through `planner` (checks, outcomes known without a search), `run`
//! (one file per kind of engine) and `answer` (how much of the path is written).
//!
//! Layer: uses everything above.

mod answer;
mod band;
mod error;
mod field;
mod live;
mod lookup;
mod many;
mod nearest;
mod outcome;
mod plan;
mod planner;
mod query;
mod run;
mod scratch;
mod smooth;
mod substitute;
mod table;
mod taut;
mod zones;

pub use error::{QueryError, ResumeError};
pub use field::Field;
pub use live::{Live, LiveError, LiveSettings};
pub(crate) use nearest::{AnyOf, CostsFrom, Reach, looks_up};
pub use outcome::{Outcome, OwnedRoute, Path, Paused, Route};
pub use plan::{Plan, Planned, Step, Waypoint};
pub use planner::Planner;
pub use query::{Detail, Query};
pub use scratch::Scratch;
pub use table::CostTable;
pub use zones::Zone;
