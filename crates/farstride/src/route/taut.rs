//! Pulling any-angle paths taut.
//!
//! Theta* looks only at the parents of expanded nodes, so its paths now and
//! then bend where they need not, or a cell beside the best place. Two things
//! are tried at every turning point until neither helps any more: to leave it
//! out, and to move it to a nearby cell. Each makes the path shorter.

use crate::base::{Cell, Cost, euclidean};
use crate::grid::Grid;

/// Passes over the path. Nearly all paths are taut after two or three; the
/// limit keeps the work in proportion to the number of turning points.
const MOST_PASSES: usize = 8;

/// How many turning points back a leg may reach that replaces them.
const LOOK_BACK: usize = 8;

/// How far a turning point may move at a time, in cells.
const REACH: i16 = 2;

/// Pulls a path taut in place.
///
/// # Guarantee
/// The path stays legal and never gets longer; start and goal stay.
///
/// # Complexity
/// At most [`MOST_PASSES`] × ([`LOOK_BACK`] + 50) lines of sight per turning
/// point, usually a tenth of that; no allocation.
pub(super) fn pull_taut(grid: &Grid, points: &mut Vec<Cell>) {
    drop_points_on_straight_legs(points);
    for _ in 0..MOST_PASSES {
        let dropped = drop_needless(grid, points);
        if !(slide(grid, points) || dropped) {
            break;
        }
    }
    drop_points_on_straight_legs(points);
}

/// Keeps only the cells at which the direction changes.
pub(super) fn drop_points_on_straight_legs(points: &mut Vec<Cell>) {
    let mut kept = 0;
    for at in 0..points.len() {
        let turns = kept < 2 || !is_straight(points[kept - 2], points[kept - 1], points[at]);
        kept -= usize::from(!turns);
        points[kept] = points[at];
        kept += 1;
    }
    points.truncate(kept);
}

/// Whether going on from `b` to `c` keeps the direction from `a` to `b`.
fn is_straight(a: Cell, b: Cell, c: Cell) -> bool {
    let leg =
        |from: Cell, to: Cell| (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    let ((ax, ay), (bx, by)) = (leg(a, b), leg(b, c));
    ax * by == ay * bx && ax * bx + ay * by > 0
}

/// Leaves out turning points between two that see each other: a straight leg
/// is never longer than the turns it replaces.
fn drop_needless(grid: &Grid, points: &mut Vec<Cell>) -> bool {
    let before = points.len();
    let mut kept = 0;
    for at in 0..before {
        let earliest = kept - kept.min(LOOK_BACK);
        let visible = (earliest..kept.saturating_sub(1))
            .find(|&earlier| grid.line_of_sight(points[earlier], points[at]));
        if let Some(earlier) = visible {
            kept = earlier + 1;
        }
        points[kept] = points[at];
        kept += 1;
    }
    points.truncate(kept);
    kept < before
}

/// Moves turning points to nearby cells where that shortens the path.
fn slide(grid: &Grid, points: &mut [Cell]) -> bool {
    let mut moved = false;
    for at in 1..points.len().saturating_sub(1) {
        let (before, after) = (points[at - 1], points[at + 1]);
        let length = |cell: Cell| euclidean(before, cell) + euclidean(cell, after);
        let mut best: (Cost, Cell) = (length(points[at]), points[at]);
        // Onto a neighbour would be to leave it out, which is not done here.
        for cell in nearby(points[at]).filter(|&cell| cell != before && cell != after) {
            if grid.is_free(cell)
                && length(cell) < best.0
                && grid.line_of_sight(before, cell)
                && grid.line_of_sight(cell, after)
            {
                best = (length(cell), cell);
            }
        }
        moved |= best.1 != points[at];
        points[at] = best.1;
    }
    moved
}

/// The cells around a cell; coordinates over the edge wrap around and are not
/// on any map.
fn nearby(cell: Cell) -> impl Iterator<Item = Cell> {
    (-REACH..=REACH).flat_map(move |dy| {
        let row = cell.y.wrapping_add_signed(dy);
        (-REACH..=REACH).map(move |dx| Cell::new(cell.x.wrapping_add_signed(dx), row))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vec_of(points: &[(u16, u16)]) -> Vec<Cell> {
        points.iter().copied().map(Cell::from).collect()
    }

    fn pulled(drawing: &str, points: &[(u16, u16)]) -> Vec<(u16, u16)> {
        let grid = Grid::from_ascii(drawing).unwrap();
        let mut points: Vec<Cell> = points.iter().copied().map(Cell::from).collect();
        pull_taut(&grid, &mut points);
        points.into_iter().map(|cell| (cell.x, cell.y)).collect()
    }

    #[test]
    fn only_turning_points_are_kept() {
        let mut points = vec_of(&[(0, 0), (1, 2), (2, 4), (3, 4), (5, 4), (4, 4)]);
        drop_points_on_straight_legs(&mut points);
        assert_eq!(points, vec_of(&[(0, 0), (2, 4), (5, 4), (4, 4)]));
    }

    #[test]
    fn needless_turns_are_left_out() {
        let gap = "\n..#\n#..\n";
        assert_eq!(pulled(gap, &[(0, 0), (1, 0), (1, 1), (2, 1)]), [(0, 0), (2, 1)]);
        assert_eq!(pulled("\n...\n...\n", &[(0, 0), (1, 1), (2, 0)]), [(0, 0), (2, 0)]);
    }

    #[test]
    fn turns_slide_to_the_corner() {
        let corner = "\n.......\n.......\n####...\n####...\n####...\n";
        assert_eq!(pulled(corner, &[(0, 1), (6, 0), (4, 4)]), [(0, 1), (4, 1), (4, 4)]);
    }

    /// Once a path of `lazy-theta` ended its passes with a point twice in it.
    #[test]
    fn turns_do_not_slide_onto_their_neighbours() {
        let grid = Grid::open(6, 4).unwrap();
        let mut points = [(0, 0), (3, 2), (4, 1)].map(Cell::from);
        assert!(slide(&grid, &mut points));
        assert_ne!(points[1], points[2]);
    }

    #[test]
    fn what_cannot_be_shortened_stays() {
        assert_eq!(pulled("\n..\n..\n", &[(0, 0)]), [(0, 0)]);
        assert_eq!(pulled("\n..\n..\n", &[(0, 0), (1, 1)]), [(0, 0), (1, 1)]);
        let wall = "\n.#.\n.#.\n...\n";
        let path = [(0, 0), (0, 2), (2, 2), (2, 0)];
        assert_eq!(pulled(wall, &path), path);
    }
}
