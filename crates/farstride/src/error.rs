//! Every error of the crate, for those who handle them by type.
//!
//! Each method names the error it returns; an error passed on with `?` need not be
//! imported. "No route" is never an error: it is an [`Outcome`](crate::Outcome).
//!
//! Layer: re-exports alone.

pub use crate::base::{Cancelled, CostOutOfRange, Inconsistent, SettingsError};
pub use crate::grid::SizeError;
pub use crate::grid::edit::EditError;
pub use crate::grid::text::TextError;
pub use crate::grid::weights::WeightsError;
pub use crate::groups::kept::CorruptGroups;
pub use crate::hpa::restore::{CorruptTable, Part};
pub use crate::index::engine::{UnknownEngine, Unsupported};
pub use crate::index::error::{BuildError, MapMismatch};
pub use crate::labels::restore::{CorruptLabels, LabelPlace};
pub use crate::nlevel::parts::CorruptGraph;
pub use crate::route::{LiveError, QueryError, ResumeError};
pub use crate::store::error::{OpenError, SaveError};
