#![doc = include_str!("../README.md")]

// Each module uses only those above it: tests/it/module_order.rs reads this list.
mod base;

pub mod grid;

pub mod graph;

pub mod search;

pub mod hpa;

pub mod nlevel;

pub mod contraction;

pub mod hublabel;

pub mod subgoal;

pub mod labels;

pub mod groups;

pub mod index;

pub mod store;

mod route;

pub mod error;

pub mod interop;

#[doc(inline)]
pub use grid::Grid;
#[doc(inline)]
pub use index::{Engine, Index};

pub use base::{Cell, Cost, Rect};
pub use grid::{Diagonals, Rules};
pub use route::{
    CostTable, Detail, Live, LiveSettings, Outcome, OwnedRoute, Path, Paused, Plan, Planned, Planner, Query,
    Route, Scratch, Step, Waypoint,
};

/// The code in the guides that have all it takes to run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/groups.md")]
#[doc = include_str!("../../../docs/hpa.md")]
#[doc = include_str!("../../../docs/hpt.md")]
#[doc = include_str!("../../../docs/labels.md")]
struct Guides;
