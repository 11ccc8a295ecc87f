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

pub mod index;

pub mod store;

pub mod route;

pub mod interop;

pub use base::{
    BuildOptions, Cell, Cost, CostOutOfRange, DiagonalCost, Direction, Node, NodeId, Rect, SettingsError,
};
pub use graph::{Graph, GraphError, RowGraph, UniformGrid, WeightedGrid};
pub use grid::{
    Change, Diagonals, EditError, Grid, Moves, RowSpan, Rules, SizeError, Steps, Terrain, TextError,
};
pub use index::{BuildError, Engine, Index, IndexSettings, MapMismatch, UnknownEngine, Unsupported};
pub use route::{
    CostTable, Detail, Live, LiveError, LiveSettings, Outcome, OwnedRoute, Path, Paused, Plan, Planned,
    Planner, Query, QueryError, ResumeError, Route, Scratch, Step, Waypoint,
};

/// The code in the guides that have all it takes to run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/groups.md")]
#[doc = include_str!("../../../docs/hpa.md")]
#[doc = include_str!("../../../docs/hpt.md")]
#[doc = include_str!("../../../docs/labels.md")]
struct Guides;
