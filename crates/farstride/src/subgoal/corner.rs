//! Corners: where shortest paths bend.
//!
//! If a diagonal step needs both side cells free, or there are no diagonal steps,
//! a path goes around a convex corner by way of the cell that touches it
//! diagonally. If paths may cut corners, it bends at a cell beside the blocked
//! one, from where a diagonal step leads past it
//! (`docs/decisions/0012-subgoals-where-corners-are-cut.md`).

use crate::base::{Cell, Direction};
use crate::grid::{Diagonals, Grid};

/// The corners that a path can bend around at a free cell: four bits, see
/// [`Corners::turns`], and one that marks subgoals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Corners(u8);

/// Bit of a cell at which a shortest path may bend.
const SUBGOAL: u8 = 1 << 4;

/// The corners for each rule and each 3 × 3 neighbourhood. Tables, because builds
/// and taut links ask for the corners of many cells.
static CORNERS: [[u8; 512]; 4] = [
    corners_table(Diagonals::Strict),
    corners_table(Diagonals::OneSide),
    corners_table(Diagonals::Free),
    corners_table(Diagonals::None),
];

const fn corners_table(rule: Diagonals) -> [u8; 512] {
    let mut table = [0; 512];
    let mut around = 0;
    while around < 512 {
        if is_free(around, 0, 0) {
            table[around] = match rule {
                Diagonals::Strict | Diagonals::None => convex_corners(around),
                Diagonals::OneSide | Diagonals::Free => blocked_sides(rule, around),
            };
        }
        around += 1;
    }
    table
}

/// A bit for each convex corner: two neighbours at a right angle are free, and the
/// cell between them is not (definition 1 of the paper).
const fn convex_corners(around: usize) -> u8 {
    let mut corners = 0;
    let mut quarter = 0;
    while quarter < 4 {
        let (x, y) = (quarter % 2 * 2 - 1, quarter / 2 * 2 - 1);
        if is_free(around, x, 0) && is_free(around, 0, y) && !is_free(around, x, y) {
            corners |= 1 << quarter | SUBGOAL;
        }
        quarter += 1;
    }
    corners
}

/// A bit for each blocked straight neighbour. The cell is a subgoal if a legal
/// diagonal step leads past one of them.
const fn blocked_sides(rule: Diagonals, around: usize) -> u8 {
    let mut sides = 0;
    let mut side = 0;
    while side < 4 {
        let (x, y) = Direction::ALL[side].delta();
        if !is_free(around, x, y) {
            sides |= 1 << side;
            // Past it on either side: (y, x) is at a right angle to (x, y).
            if leads_past(rule, around, (x, y), (y, x)) || leads_past(rule, around, (x, y), (-y, -x)) {
                sides |= SUBGOAL;
            }
        }
        side += 1;
    }
    sides
}

/// Whether a legal diagonal step leads past the blocked neighbour at (x, y), on the
/// side of (u, v).
const fn leads_past(rule: Diagonals, around: usize, (x, y): (i16, i16), (u, v): (i16, i16)) -> bool {
    is_free(around, x + u, y + v) && (matches!(rule, Diagonals::Free) || is_free(around, u, v))
}

/// Whether the cell at an offset is free, in a 3 × 3 neighbourhood.
const fn is_free(around: usize, x: i16, y: i16) -> bool {
    around >> ((y + 1) * 3 + x + 1) & 1 != 0
}

impl Corners {
    /// The corners at a cell of the map.
    #[inline]
    pub(super) fn at(grid: &Grid, cell: Cell) -> Self {
        Self(CORNERS[grid.rules().diagonals as usize][grid.neighbourhood(cell)])
    }

    /// Whether the cell is a subgoal.
    #[inline]
    pub(super) const fn is_subgoal(self) -> bool {
        self.0 & SUBGOAL != 0
    }

    /// Convex corners, one bit each; if paths may cut corners, blocked straight
    /// neighbours instead.
    ///
    /// The bit of a corner is number 0, plus 1 if it is to the right, plus 2 if it
    /// is below. The bit of a neighbour has the number of its direction.
    #[inline]
    pub(super) const fn turns(self) -> u8 {
        self.0 & 15
    }
}

/// Counts the subgoals of a map, in O(cells).
pub(crate) fn subgoal_count(grid: &Grid) -> usize {
    let mut count = 0;
    grid.bits().for_each_marked(|cell| count += usize::from(Corners::at(grid, cell).is_subgoal()));
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Rules;

    fn subgoals(diagonals: Diagonals) -> Vec<Cell> {
        let grid = Grid::from_ascii("\n.....\n..#..\n.##..\n.....\n").unwrap();
        let grid = grid.with_rules(Rules { diagonals, ..Rules::default() });
        grid.area().cells().filter(|&cell| Corners::at(&grid, cell).is_subgoal()).collect()
    }

    #[test]
    fn subgoals_touch_convex_corners() {
        let expected = [(1, 0), (3, 0), (0, 1), (0, 3), (3, 3)].map(Cell::from);
        assert_eq!(subgoals(Diagonals::Strict), expected);
        assert_eq!(subgoals(Diagonals::None), expected);
    }

    #[test]
    fn where_corners_are_cut_subgoals_lie_beside_them() {
        let expected = [(2, 0), (1, 1), (3, 1), (0, 2), (3, 2), (1, 3), (2, 3)].map(Cell::from);
        assert_eq!(subgoals(Diagonals::Free), expected);
        assert_eq!(subgoals(Diagonals::OneSide), expected);
    }
}
