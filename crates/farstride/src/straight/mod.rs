//! Straight: shortest any-angle paths in about a microsecond.
//!
//! The problem: a taut string between two cell centres bends at corners of obstacles, and
//! searches over corners look at hundreds of them. The idea: hub labels over the two sides
//! of each corner, and labels of cells stored by block, as `labels` has them for paths of
//! steps. A query reads two records and walks a few entries.
//!
//! Paths follow the *touch rule*: they enter no blocked cell and squeeze through no gap
//! between two that touch at a corner, but may touch corners and walls. Or they follow the
//! *body rule*: a square as large as a cell slides without clipping ([`StraightRule`]; it
//! decides on the lattice that everything else works on). All decisions about sight are exact in
//! integers; lengths are sums of floating-point roots in a fixed order, the same on every platform.
//!
//! If labels do not fit into the memory budget, the index is a *climb index* of corners, as
//! `labels` has it of subgoals: labels of the most important ones, or none, and a short search.
//! If that does not fit either, the index is empty, and every query searches corners that it
//! finds on the way.
//!
//! Hub labels on visibility graphs are known as Euclidean hub labelling (Du, Shen and Cheema
//! 2023); taut edges from edge N-level sparse visibility graphs (Oh and Leong 2017). Ports,
//! labels by block and what is left out of them are ours. `docs/straight.md` explains them,
//! `docs/straight-proof.md` proves that paths stay shortest.
//!
//! Layer: uses `base`, `grid`, `search`, `contraction` (ranks) and `labels`.

mod build;
mod cells;
mod climb;
mod corner;
mod full;
mod graph;
mod index;
pub(crate) mod inspect;
mod label;
mod order;
pub(crate) mod restore;
mod rule;
mod scan;
mod search;
mod settings;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use full::Full;
pub use index::{StraightIndex, StraightKind};
pub(crate) use restore::Form;
pub(crate) use restore::StraightCounts;
pub use rule::StraightRule;
pub(crate) use search::{StringScratch, search};
pub use settings::StraightSettings;
