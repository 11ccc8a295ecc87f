//! Labels: shortest paths on grids in about a microsecond.
//!
//! Layer: uses `base`, `grid`, `contraction`, `hublabel` and `subgoal`.

mod blocks;
mod build;
mod full;
mod index;
pub mod inspect;
mod measure;
mod record;
mod scratch;
mod settings;
mod stretches;
mod tracks;

pub(crate) use index::{Extent, Found};
pub use index::{GridLabels, probe};
pub(crate) use scratch::LabelScratch;
pub use settings::{Block, Settings};
