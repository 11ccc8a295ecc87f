//! Every error of the crate, for those who handle them by type.
//!
//! Each method names the error it returns; an error passed on with `?` need not be
//! imported. "No route" is never an error: it is an [`Outcome`](crate::Outcome).
//!
//! Layer: re-exports alone.

pub use crate::atlas::{AtlasError, FloorError, MoverError};
pub use crate::base::{Cancelled, CostOutOfRange, Inconsistent, SettingsError};
pub use crate::graph::linked::LinkError;
pub use crate::graph::prepare::PrepareError;
pub use crate::graph::rows::GraphError;
pub use crate::grid::edit::EditError;
pub use crate::grid::size::SizeError;
pub use crate::grid::text::TextError;
pub use crate::grid::weights::WeightsError;
pub use crate::groups::error::GroupError;
pub use crate::groups::world::error::WorldError;
pub use crate::index::engine::{UnknownEngine, Unsupported};
pub use crate::index::error::{BuildError, MapMismatch};
#[cfg(feature = "petgraph")]
#[cfg_attr(docsrs, doc(cfg(feature = "petgraph")))]
pub use crate::interop::petgraph::error::ImportError;
#[cfg(any(feature = "glam", feature = "mint"))]
#[cfg_attr(docsrs, doc(cfg(any(feature = "glam", feature = "mint"))))]
pub use crate::interop::vector::CellOutOfRange;
pub use crate::route::{LiveError, QueryError, ResumeError};
pub use crate::store::error::{OpenError, SaveError};
