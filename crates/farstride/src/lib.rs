#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

// Each module uses only those above it: tests/it/module_order.rs reads this list.
mod base;

pub mod grid;

pub mod graph;

pub mod search;

pub mod hpa;

pub mod overlay;

pub mod nlevel;

pub mod contraction;

pub mod hublabel;

pub mod subgoal;

pub mod labels;

pub mod straight;

pub mod groups;

pub mod index;

pub mod store;

mod route;

pub mod atlas;

pub mod interop;

pub mod error;

#[doc(hidden)]
pub mod internal;

pub use base::{Cell, Cost, Point, Rect};
#[doc(inline)]
pub use grid::Grid;
pub use grid::rules::{Diagonals, Rules};
#[doc(inline)]
pub use index::Index;
pub use index::engine::Engine;
pub use route::{
    CostTable, Detail, Field, Live, LiveSettings, Outcome, OwnedRoute, Path, Paused, Plan, Planned, Planner,
    Query, Route, Scratch, Step, Waypoint, Zone,
};
