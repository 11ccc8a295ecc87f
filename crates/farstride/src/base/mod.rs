//! The basic types: cells, rectangles, node ids, exact costs and distances.
//!
//! Nothing here knows about maps or searches. The public types are small, `Copy`
//! and laid out alike on every target, so results are the same on every machine.
//!
//! Layer: the lowest; uses no other module.

use std::sync::Arc;

mod cell;
mod cost;
pub(crate) mod crew;
mod inconsistent;
mod node;
mod options;
mod point;
mod rect;
mod sets;
mod settings;
mod trail;
mod with;

pub use cell::{Cell, Direction};
pub use cost::{Cost, CostOutOfRange, DiagonalCost, euclidean};
pub use inconsistent::Inconsistent;
pub use node::{Node, NodeId};
pub use options::{BuildOptions, Cancelled};
pub use point::Point;
pub use rect::Rect;
pub(crate) use sets::Sets;
pub use settings::SettingsError;
pub(crate) use settings::widened;
pub(crate) use trail::{Run, Trail};
pub(crate) use with::with_methods;

/// Immutable bytes that are shared: a vector, or a mapped file.
pub(crate) type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;
