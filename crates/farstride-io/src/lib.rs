//! Files around the [`farstride`] engine: MovingAI maps and scenarios, and
//! pictures of maps and paths as PNG, SVG or text for the terminal.
//!
//! The engine itself reads and writes bytes in memory only; everything that
//! touches a file, or needs a heavier dependency, is here.

pub mod movingai;
pub mod picture;
pub mod terminal;
