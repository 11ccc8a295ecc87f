//! What `bevy_farstride` offers with the full Bevy: [`SketchPlugin`] draws indexes, searches and
//! routes with gizmos, [`MapImagePlugin`] keeps floors the same as image assets.
//!
//! A crate of its own, because gizmos and assets bring most of Bevy, and the full Bevy asks for a
//! newer Rust than the plugin.

mod map_image;
mod sketch;

pub use map_image::{MapImage, MapImagePlugin, floor_of};
pub use sketch::{Sketch, SketchPlugin};
