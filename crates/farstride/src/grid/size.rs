//! Sizes that a map cannot have.

use super::Grid;
use std::error::Error;
use std::fmt;

/// Error: an unsupported map size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeError {
    /// Requested number of columns.
    pub width: usize,
    /// Requested number of rows.
    pub height: usize,
}

impl SizeError {
    /// The sides as `u16`, if they are in range.
    ///
    /// # Errors
    /// [`SizeError`] if they are not.
    pub(super) fn sides(width: usize, height: usize) -> Result<(u16, u16), Self> {
        let sides = 1..=Grid::MAX_SIDE;
        if sides.contains(&width) && sides.contains(&height) {
            Ok((width as u16, height as u16))
        } else {
            Err(Self { width, height })
        }
    }
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, height } = self;
        write!(f, "map of {width} x {height} cells: each side must be between 1 and {}", Grid::MAX_SIDE)
    }
}

impl Error for SizeError {}
