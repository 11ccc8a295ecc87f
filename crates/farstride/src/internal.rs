//! What pictures, papers, benches and tests of this repository need, and nobody else.
//!
//! No part of the public face: anything here may change or go in any release. Crates of
//! this repository that use it name the exact version of this crate.
//!
//! Layer: re-exports alone.

pub use crate::base::euclidean;
pub use crate::graph::window::Window;
pub use crate::grid::sight::RowSpan;
pub use crate::grid::text::Terrain;
pub use crate::groups::restore::GroupLevelCounts;
pub use crate::hpa::inspect::{AbstractNode, InterEdge, IntraEdge};
pub use crate::hublabel::labels::{HubLabels, Limits};
pub use crate::labels::inspect::{Hub, Inspector, Label, LabelEntry, Links, Meeting, TautMap};
pub use crate::labels::restore::LabelCounts;
pub use crate::nlevel::parts::NLevelCounts;
pub use crate::search::astar::ShortestPath;
pub use crate::search::open::OpenList;
pub use crate::search::problem::Rule;
pub use crate::search::target::Heuristic;
pub use crate::search::tree::SearchTree;
pub use crate::store::describe::{IndexCounts, SegmentSize};
pub use crate::straight::inspect::{CornerPorts, StringLabel, Strings};
pub use crate::straight::restore::StraightCounts;
