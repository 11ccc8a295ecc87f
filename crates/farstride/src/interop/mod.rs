//! Conversions from types of other crates, each behind a feature of that name.
//!
//! | feature | adds |
//! |---|---|
//! | `petgraph` | `interop::petgraph`: search and partition `petgraph` graphs |
//!
//! The engine depends on none of them; answers are the same with and without.
//!
//! Layer: the last one; uses `base` and `graph`.

#[cfg(feature = "petgraph")]
pub mod petgraph;
