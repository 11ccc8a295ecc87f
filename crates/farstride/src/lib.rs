//! farstride
pub mod base;
pub mod graph;
pub mod grid;
pub mod route;
pub mod search;
pub use base::*;
pub use graph::*;
pub use grid::*;
pub use route::*;
