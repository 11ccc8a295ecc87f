//! Labels: shortest paths on grids in about a microsecond.
//!
//! The problem: the time of a search grows with what it expands, and even the best
//! search expands tens of subgoals. The idea: shortest paths bend at subgoals only,
//! so a contraction hierarchy of subgoals with hub labels answers a query by
//! comparing two lists. Cells near each other have nearly the same list, which is
//! stored once for a block of cells. The paths between subgoals are stored cell by
//! cell, as *tracks*. So a query reads two records and copies a few tracks.
//!
//! If that does not fit into the memory budget, the index is a *climb index*: labels
//! for the most important subgoals only, or none, and a short search.
//!
//! Hub labels are known from road networks (see [`hublabel`](crate::hublabel)) and
//! from Euclidean shortest paths; subgoals are those of Uras, Koenig and Hernández
//! 2013. Taut links, labels by block and tracks are ours. `docs/labels.md` explains
//! them, `docs/labels-proof.md` proves that paths stay optimal.
//!
//! Layer: uses `base`, `grid`, `contraction`, `hublabel` and `subgoal`.

mod blocks;
mod build;
pub(crate) mod climb;
mod fan;
mod find;
pub(crate) mod form;
mod full;
mod index;
pub(crate) mod inspect;
mod measure;
pub(crate) mod meeting;
pub(crate) mod outlook;
pub(crate) mod reader;
pub(crate) mod record;
pub(crate) mod restore;
pub(crate) mod sample;
mod scratch;
pub(crate) mod segments;
mod settings;
mod sink;
mod stretches;
mod table;
mod tracks;

pub(crate) use blocks::TooMany;
pub(crate) use fan::Fan;
pub(crate) use full::{Corrupt, Full};
pub(crate) use index::Extent;
pub use index::{GridLabels, LabelKind};
pub(crate) use measure::FAR;
pub(crate) use restore::CorruptLabels;
pub(crate) use restore::Form;
pub(crate) use restore::LabelCounts;
pub(crate) use scratch::{LabelScratch, Working};
pub use settings::{Block, LabelSettings};
pub(crate) use table::{Costs, UNREACHABLE};
