//! Exact paths on terrain that is edited: an overlay of lines.
//!
//! Every so many rows and columns, a line of cells divides the map into blocks. No step
//! jumps over a line, so a path is a sequence of ways from line to line, each inside a
//! block. The exact costs of those ways are computed in advance, and a query searches
//! lines alone. An edit changes the ways of the blocks that hold edited cells, and
//! nothing else. Landmarks direct the search; they follow edits, too.
//!
//! Ideas: Jung and Pramanik 1996 (`HiTi`) and Delling, Goldberg, Pajor, Werneck 2011
//! (customizable route planning) for separators with cliques; Goldberg and Harrelson
//! 2005 (ALT) for landmarks. `docs/overlay.md` has the proofs.
//!
//! Layer: uses `base`, `grid`, `graph` and `search`.

mod block;
mod ends;
mod field;
mod find;
mod graph;
mod ground;
mod index;
mod landmarks;
mod layout;
mod matrix;
pub(crate) mod restore;
mod settings;
mod spread;

pub(crate) use find::OverlayScratch;
pub use index::Overlay;
pub use restore::OverlayCounts;
pub(crate) use restore::{UnboundOverlay, digest_of};
pub use settings::OverlaySettings;
