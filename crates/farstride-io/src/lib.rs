//! Files around the [`farstride`] engine: MovingAI maps and scenarios, indexes,
//! pictures of maps and paths as PNG, SVG or text for the terminal, charts, and
//! diagrams of graphs.
//!
//! The engine itself reads and writes bytes in memory only; everything that
//! touches a file, or needs a heavier dependency, is here.

pub mod chart;
pub mod diagram;
pub mod file;
pub mod index;
pub mod movingai;
pub mod picture;
mod svg;
pub mod terminal;
