//! farstride
pub mod base;
pub mod grid;
pub mod graph;
pub mod search;
pub mod route;
pub use base::*;
pub use grid::*;
pub use graph::*;
pub use route::*;
