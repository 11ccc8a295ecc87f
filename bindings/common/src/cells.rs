//! Cells from numbers.

use crate::Failure;
use farstride::{Cell, Grid};

/// A cell of a map.
///
/// # Errors
/// [`Failure`] if it is not on the map.
#[inline]
pub fn cell(grid: &Grid, x: i64, y: i64) -> Result<Cell, Failure> {
    let known = u16::try_from(x).ok().zip(u16::try_from(y).ok()).map(|(x, y)| Cell::new(x, y));
    known.filter(|&cell| grid.contains(cell)).ok_or_else(|| outside(grid, x, y))
}

#[cold]
fn outside(grid: &Grid, x: i64, y: i64) -> Failure {
    let (right, bottom) = (grid.width() - 1, grid.height() - 1);
    Failure::query(format!("cell {x},{y} is not on the map: x runs from 0 to {right}, y from 0 to {bottom}"))
}

/// Cells of a map from pairs of numbers.
///
/// # Errors
/// [`Failure`] names the first that is not on the map.
pub fn cells(grid: &Grid, pairs: impl IntoIterator<Item = [i64; 2]>) -> Result<Vec<Cell>, Failure> {
    pairs.into_iter().map(|[x, y]| cell(grid, x, y)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_off_the_map_are_named() {
        let grid = Grid::empty(5, 3).unwrap();
        assert_eq!(cell(&grid, 4, 2), Ok(Cell::new(4, 2)));
        for (x, y) in [(5, 0), (0, 3), (-1, 0), (65_536, 0), (i64::MIN, i64::MAX)] {
            let message = cell(&grid, x, y).unwrap_err().message;
            assert!(message.starts_with(&format!("cell {x},{y} is not on the map: x runs from 0 to 4")));
        }
        assert!(cells(&grid, [[0, 0], [5, 5]]).is_err());
    }
}
