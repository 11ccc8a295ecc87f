//! Maps made of weights, and weights of whole maps.

use super::{Grid, SizeError};
use crate::base::Cell;
use std::error::Error;
use std::fmt;

impl Grid {
    /// A map from one weight per cell, row by row: 0 is blocked, 1 to 255 is free
    /// with that weight.
    ///
    /// Nowhere else does a weight of 0 mean a blocked cell:
    /// [`Grid::set_weight`] refuses it.
    ///
    /// # Errors
    /// [`WeightsError`] if the size is not supported, or if there are not
    /// `width * height` weights.
    ///
    /// # Complexity
    /// O(cells).
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Grid};
    ///
    /// let grid = Grid::from_weights(3, 2, &[1, 0, 1, 5, 5, 1])?;
    /// assert!(!grid.is_free(Cell::new(1, 0)));
    /// assert_eq!(grid.weight(Cell::new(0, 1)), 5);
    /// # Ok::<(), farstride::error::WeightsError>(())
    /// ```
    pub fn from_weights(width: usize, height: usize, weights: &[u8]) -> Result<Self, WeightsError> {
        Self::check_size(width, height).map_err(WeightsError::Size)?;
        let expected = width * height;
        if weights.len() != expected {
            return Err(WeightsError::Length { found: weights.len(), expected });
        }
        let is_free = |cell: Cell| weights[usize::from(cell.y) * width + usize::from(cell.x)] > 0;
        let mut grid = Self::from_fn(width, height, is_free).map_err(WeightsError::Size)?;
        grid.heavy_cells = weights.iter().filter(|&&weight| weight > 1).count();
        if grid.heavy_cells > 0 {
            // Blocked cells weigh 1, so that equal maps are equal however they were made.
            grid.weights = Some(weights.iter().map(|&weight| weight.max(1)).collect());
        }
        Ok(grid)
    }
}

/// Why weights are not a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WeightsError {
    /// The size is not supported.
    Size(SizeError),
    /// More or fewer weights than cells.
    Length {
        /// Weights given.
        found: usize,
        /// Cells of the map.
        expected: usize,
    },
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(error) => error.fmt(f),
            Self::Length { found, expected } => write!(f, "{found} weights for a map of {expected} cells"),
        }
    }
}

impl Error for WeightsError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_blocked_and_the_rest_are_weights() {
        let grid = Grid::from_weights(3, 2, &[1, 0, 255, 9, 0, 1]).unwrap();
        assert_eq!(grid.to_ascii(), ".#9\n9#.\n");
        assert_eq!(grid.weight(Cell::new(2, 0)), 255);
        assert_eq!(grid.weight(Cell::new(1, 0)), 1);
        grid.check().unwrap();
    }

    #[test]
    fn a_map_from_weights_equals_the_same_map_made_otherwise() {
        let drawn = Grid::from_ascii("\n.3#\n#9.\n").unwrap();
        let weighed = Grid::from_weights(3, 2, &[1, 3, 0, 0, 9, 1]).unwrap();
        assert_eq!(weighed, drawn);
        assert_eq!(weighed.digest(), drawn.digest());
        let uniform = Grid::from_weights(2, 2, &[1, 0, 1, 1]).unwrap();
        assert!(uniform.is_uniform());
        assert_eq!(uniform, Grid::from_ascii("\n.#\n..\n").unwrap());
    }

    #[test]
    fn wrong_sizes_and_lengths_are_refused() {
        for (width, height) in [(0, 3), (3, 0), (10_001, 1), (usize::MAX, usize::MAX)] {
            let refused = Err(WeightsError::Size(SizeError { width, height }));
            assert_eq!(Grid::from_weights(width, height, &[]), refused);
        }
        for found in [0, 5, 7] {
            let refused = Err(WeightsError::Length { found, expected: 6 });
            assert_eq!(Grid::from_weights(3, 2, &vec![1; found]), refused);
        }
        let message = Grid::from_weights(3, 2, &[1]).unwrap_err().to_string();
        assert_eq!(message, "1 weights for a map of 6 cells");
    }
}
