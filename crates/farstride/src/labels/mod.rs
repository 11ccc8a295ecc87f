//! Labels: shortest paths on grids in about a microsecond.
//!
//! Layer: uses `base`, `grid`, `contraction`, `hublabel` and `subgoal`.

mod blocks;
mod build;
mod full;
mod index;
mod measure;
mod record;
mod restore;
mod scratch;
mod settings;
mod tracks;

pub(crate) use index::{Extent, Found};
pub use index::{GridLabels, probe};
pub(crate) use restore::Form;
pub use restore::{CorruptLabels, Counts, Place};
pub(crate) use scratch::LabelScratch;
pub use settings::{Block, Settings};
