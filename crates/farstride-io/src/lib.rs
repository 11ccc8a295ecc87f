//! Files around the [`farstride`] engine: MovingAI maps and scenarios, images of
//! terrain, maps of ROS, Tiled and `LDtk`, indexes, and pictures of maps and paths as PNG, SVG or text
//! for the terminal.
//!
//! The engine itself reads and writes bytes in memory only; everything that
//! touches a file, or needs a heavier dependency, is here.

pub mod file;
pub mod index;
pub mod movingai;
pub mod picture;
mod svg;
pub mod terminal;
pub mod weights;
pub mod worlds;

/// What `farstride-lab` draws with. Not a public interface: it changes without
/// notice.
#[doc(hidden)]
pub mod internal {
    pub use crate::picture::letters::{self, Ink};
    pub use crate::picture::png::{paint, skia};
    pub use crate::svg::{Escaped, Paint, Short};
}
