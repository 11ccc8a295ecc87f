//! Corners: where shortest paths bend.
//!
//! Where diagonal steps need both side cells free, or there are none, a path
//! goes around a convex corner by the cell that touches it diagonally. Where
//! paths may cut corners, it bends at a cell beside the blocked one, from where
//! a diagonal step leads past it.

use crate::base::{Cell, Direction};
use crate::grid::{Diagonals, Grid};

/// What can be turned around at a free cell: four bits, see [`Corners::turns`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Corners(u8);

/// Set at a cell where a shortest path may bend.
const SUBGOAL: u8 = 1 << 4;

/// For each rule and each 3 × 3 neighbourhood.
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

/// A bit for each convex corner: where two neighbours at a right angle are
/// free, but not the cell between them (definition 1).
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

/// A bit for each blocked neighbour in a straight direction. The cell is a
/// subgoal if a legal diagonal step leads past one of them.
const fn blocked_sides(rule: Diagonals, around: usize) -> u8 {
    let mut sides = 0;
    let mut side = 0;
    while side < 4 {
        let (x, y) = Direction::ALL[side].delta();
        if !is_free(around, x, y) {
            sides |= 1 << side;
            // Past it on either hand: (y, x) is at a right angle to (x, y).
            if leads_past(rule, around, (x, y), (y, x)) || leads_past(rule, around, (x, y), (-y, -x)) {
                sides |= SUBGOAL;
            }
        }
        side += 1;
    }
    sides
}

const fn leads_past(rule: Diagonals, around: usize, (x, y): (i16, i16), (u, v): (i16, i16)) -> bool {
    is_free(around, x + u, y + v) && (matches!(rule, Diagonals::Free) || is_free(around, u, v))
}

const fn is_free(around: usize, x: i16, y: i16) -> bool {
    around >> ((y + 1) * 3 + x + 1) & 1 != 0
}

impl Corners {
    /// Those at a cell of the map.
    #[inline]
    pub(super) fn at(grid: &Grid, cell: Cell) -> Self {
        Self(CORNERS[grid.rules().diagonals as usize][grid.neighbourhood(cell)])
    }

    /// Whether the cell is a subgoal.
    #[inline]
    pub(super) const fn is_subgoal(self) -> bool {
        self.0 & SUBGOAL != 0
    }

    /// Convex corners, or blocked neighbours where paths cut corners, one bit
    /// each. A corner's is 1 to the left and above, twice as much to the right
    /// and four times as much below; a neighbour's is that of its direction.
    #[inline]
    pub(super) const fn turns(self) -> u8 {
        self.0 & 15
    }
}

/// Number of subgoals of a map.
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
