#![doc = include_str!("../README.md")]

// Each module uses only those above it: tests/module_order.rs reads this list.
pub mod base;

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

pub mod route;

pub mod store;

pub mod interop;

pub use base::{Cell, Cost, CostOutOfRange, DiagonalCost, Direction, Node, NodeId, Rect};
pub use graph::{Graph, GraphError, RowGraph, UniformGrid, WeightedGrid};
pub use grid::{
    Change, Diagonals, EditError, Grid, Moves, RowSpan, Rules, SizeError, Steps, Terrain, TextError,
};
pub use route::{
    CostTable, Detail, Engine, Live, LiveError, LiveSettings, NotItsMap, Outcome, Path, Paused, Plan,
    Planned, Planner, Query, QueryError, ResumeError, Route, Scratch, Step, UnknownEngine, Unsupported,
    Waypoint,
};

/// The code in the guides that have all it takes to run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/groups.md")]
#[doc = include_str!("../../../docs/labels.md")]
struct Guides;
