//! Hierarchies over any graph, and worlds made of copies.
//!
//! Nodes are grouped, groups are grouped again, and a route is planned from the
//! top: first through the largest groups, then, section by section, through the
//! smaller ones it leads over. Buildings are stored once and placed many times.
//!
//! Text: Millington, *AI for Games*, section 4.6.
//!
//! Layer: uses `base`, `grid`, `graph` and `search`.

mod partition;

pub use partition::{BalanceError, balanced_groups};
