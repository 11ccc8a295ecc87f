//! Labels: shortest paths on grids in about a microsecond.
//!
//! The problem: any search takes time in proportion to what it looks at, and even
//! the best looks at tens of subgoals. The idea: shortest paths bend at subgoals
//! only, so that a contraction hierarchy of these and hub labels answer by
//! comparing two lists. The lists of cells that lie near each other are nearly the
//! same and are kept once for a block of cells; the ways between subgoals and their
//! hubs are kept cell by cell. So a query reads two records and copies a few ways.
//!
//! Hub labels are known from road networks (see [`hublabel`](crate::hublabel)), and
//! for Euclidean shortest paths; subgoals are those of Uras, Koenig and Hernández
//! 2013. Taut links, labels by block and ways written out are ours: `docs/labels.md`
//! explains them, `docs/labels-proof.md` proves that they lose nothing.
//!
//! Layer: uses `base`, `grid`, `contraction`, `hublabel` and `subgoal`.

mod blocks;
mod build;
mod climb;
mod fan;
mod find;
mod full;
mod index;
pub mod inspect;
mod measure;
mod outlook;
mod reader;
mod record;
mod restore;
mod scratch;
mod settings;
mod sink;
mod stretches;
mod table;
mod tracks;

pub(crate) use fan::Fan;
pub(crate) use index::Extent;
pub use index::{GridLabels, Kind};
pub(crate) use restore::Form;
pub use restore::{CorruptLabels, Counts, Place};
pub(crate) use scratch::LabelScratch;
pub use settings::{Block, Settings};
pub(crate) use table::{Costs, NO_PATH};
