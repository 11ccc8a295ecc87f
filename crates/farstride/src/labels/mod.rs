//! Labels: shortest paths on grids in about a microsecond.
//!
//! Layer: uses `base`, `grid`, `contraction`, `hublabel` and `subgoal`.

mod blocks;
mod build;
mod climb;
mod fan;
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
mod stretches;
mod table;
mod tracks;

pub(crate) use fan::Fan;
pub(crate) use index::{Extent, Found};
pub use index::{GridLabels, Kind};
pub(crate) use restore::Form;
pub use restore::{CorruptLabels, Counts, Place};
pub(crate) use scratch::LabelScratch;
pub use settings::{Block, Settings};
pub(crate) use table::{Costs, NO_PATH};
