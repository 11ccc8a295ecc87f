#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

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
