//! Convex corners: where shortest paths bend.

use crate::base::Cell;
use crate::grid::Grid;

/// The corners at the middle of each 3 × 3 neighbourhood.
static CORNERS: [u8; 512] = {
    let mut table = [0; 512];
    let mut around = 0;
    while around < 512 {
        let mut corner = 0;
        while corner < 4 {
            let (x, y) = (corner % 2 * 2, corner / 2 * 2);
            if is_free(around, 1, 1)
                && is_free(around, x, 1)
                && is_free(around, 1, y)
                && !is_free(around, x, y)
            {
                table[around] |= 1 << corner;
            }
            corner += 1;
        }
        around += 1;
    }
    table
};

const fn is_free(around: usize, x: usize, y: usize) -> bool {
    around >> (y * 3 + x) & 1 != 0
}

/// The convex corners at a free cell of the map: where two neighbours at a
/// right angle are free, but not the cell between them. One bit each; 1 stands
/// for larger columns, 2 for larger rows.
#[inline]
pub(super) fn corners(grid: &Grid, cell: Cell) -> u8 {
    CORNERS[grid.neighbourhood(cell)]
}

/// Whether a cell of the map is a subgoal: a free cell with a convex corner
/// (definition 1).
#[inline]
pub(super) fn is_subgoal(grid: &Grid, cell: Cell) -> bool {
    corners(grid, cell) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subgoals_are_the_cells_at_convex_corners() {
        let grid = Grid::from_ascii("\n.....\n..#..\n.##..\n.....\n").unwrap();
        let found: Vec<_> = grid.area().cells().filter(|&cell| is_subgoal(&grid, cell)).collect();
        let expected = [(1, 0), (3, 0), (0, 1), (0, 3), (3, 3)].map(Cell::from);
        assert_eq!(found, expected);
    }
}
