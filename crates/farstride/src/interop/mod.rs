//! Types of other crates, each behind a feature of its own name.
//!
//! | feature | what it adds |
//! |---|---|
//! | `petgraph` | `interop::petgraph`: searches and levels for the graphs of that crate |
//!
//! Nothing in the engine depends on them; answers are the same with and without.
//!
//! Layer: the last one; uses `base` and `graph`.

#[cfg(feature = "petgraph")]
pub mod petgraph;
