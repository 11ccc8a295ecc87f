//! Pulling any-angle paths taut, like a string.
//!
//! Theta* considers only the parents of expanded nodes, and paths through a hierarchy
//! pass its transitions. So both have needless turns, or turn a cell beside the best
//! place. Three changes are tried at every turning point: remove it; move it to a
//! nearby cell; cut its corner, which replaces it by two turning points that can move
//! independently. Each of them shortens the path. A turning point is examined again
//! only if it or a neighbour has changed.

use crate::base::{Cell, Cost, DiagonalCost, euclidean};
use crate::grid::Grid;

/// Maximum number of looks per turning point on average. Nearly all points rest after
/// three; the limit keeps the work proportional to the length of the path.
const LOOKS_PER_POINT: usize = 12;

/// How far a turning point may move at a time, in cells.
const REACH: i16 = 1;

/// Units of cost per cell.
const CELL: i64 = DiagonalCost::Sqrt2.straight().units() as i64;

/// Length of unit vectors. Directions are integers, so that results are the same on
/// every platform.
const UNIT: i64 = 1 << 20;

/// Pulls paths taut; holds memory that is reused.
#[derive(Debug, Default)]
pub(super) struct Puller {
    /// The turning points of the path, and whether each is to be examined.
    points: Vec<(Cell, bool)>,
    /// Places nearby with the length of the path over them.
    nearby: Vec<(Cost, Cell)>,
}

impl Puller {
    /// Pulls a path taut in place.
    ///
    /// # Guarantee
    /// The path stays legal, gets no longer, and keeps its start and goal.
    ///
    /// # Complexity
    /// At most [`LOOKS_PER_POINT`] looks per turning point. A look tests at most 60
    /// lines of sight, usually two or three. Allocates nothing once grown.
    pub(super) fn pull(&mut self, grid: &Grid, path: &mut Vec<Cell>) {
        drop_points_on_straight_legs(path);
        self.points.clear();
        for &point in &*path {
            while let [.., (before, _), _] = self.points[..]
                && grid.line_of_sight(before, point)
            {
                self.points.pop();
            }
            self.points.push((point, true));
        }
        self.settle(grid);
        path.clear();
        path.extend(self.points.iter().map(|&(point, _)| point));
        drop_points_on_straight_legs(path);
    }

    /// Examines turning points until all rest or the limit is reached.
    fn settle(&mut self, grid: &Grid) {
        let mut looks = self.points.len() * LOOKS_PER_POINT;
        loop {
            let mut at = 1;
            let mut rested = true;
            while at + 1 < self.points.len() {
                if self.points[at].1 {
                    rested = false;
                    self.look(grid, at, &mut looks);
                    if looks == 0 {
                        return;
                    }
                }
                at += 1;
            }
            if rested {
                return;
            }
        }
    }

    /// Moves a turning point until it rests, and removes it or cuts its corner if that
    /// shortens the path.
    fn look(&mut self, grid: &Grid, at: usize, looks: &mut usize) {
        let [before, first, after] = [at - 1, at, at + 1].map(|index| self.points[index].0);
        self.points[at].1 = false;
        if grid.line_of_sight(before, after) {
            self.points.remove(at);
            self.unsettle(at - 1);
            self.unsettle(at);
            return;
        }
        let mut point = first;
        while *looks > 0 {
            *looks -= 1;
            let better = leap(grid, before, point, after);
            let Some(better) = better.or_else(|| self.better_place(grid, before, point, after)) else {
                break;
            };
            point = better;
        }
        if point != first {
            self.points[at].0 = point;
            self.unsettle(at - 1);
            self.unsettle(at + 1);
        }
        if let Some(&(further, _)) = self.points.get(at + 2)
            && grid.line_of_sight(before, further)
        {
            self.points.drain(at..at + 2);
            self.unsettle(at - 1);
            self.unsettle(at);
        } else if let Some((first, second)) = cut(grid, before, point, after) {
            self.points[at] = (first, true);
            self.points.insert(at + 1, (second, true));
            self.unsettle(at - 1);
            self.unsettle(at + 2);
        }
    }

    /// Marks a turning point to be examined again.
    fn unsettle(&mut self, at: usize) {
        self.points[at].1 = true;
    }

    /// The place near a turning point that makes the path shortest; `None` if the point
    /// is there already.
    fn better_place(&mut self, grid: &Grid, before: Cell, point: Cell, after: Cell) -> Option<Cell> {
        let length = |cell: Cell| euclidean(before, cell) + euclidean(cell, after);
        let now = length(point);
        let (inwards, _) = inwards(before, point, after);
        self.nearby.clear();
        // The length is a convex function of the place, so it grows in every direction
        // that does not lead inwards. Moving onto a neighbour would remove the point,
        // which was tried before.
        let places = nearby(point)
            .filter(|&(dx, dy, _)| i64::from(dx) * inwards.0 + i64::from(dy) * inwards.1 > 0)
            .map(|(_, _, cell)| cell)
            .filter(|&cell| cell != before && cell != after && grid.is_free(cell));
        self.nearby.extend(places.map(|cell| (length(cell), cell)).filter(|&(length, _)| length < now));
        self.nearby.sort_unstable();
        let visible =
            |&&(_, cell): &&(Cost, Cell)| grid.line_of_sight(before, cell) && grid.line_of_sight(cell, after);
        self.nearby.iter().find(visible).map(|&(_, cell)| cell)
    }
}

/// The direction in which a turning point has to move to shorten the path: the sum of
/// the vectors of length [`UNIT`] along its two legs. Also returns the lengths of the
/// legs.
fn inwards(before: Cell, point: Cell, after: Cell) -> ((i64, i64), (i64, i64)) {
    let leg = |end: Cell| {
        let length = euclidean(point, end).units() as i64;
        let part = |from: u16, to: u16| (i64::from(to) - i64::from(from)) * CELL * UNIT / length;
        (part(point.x, end.x), part(point.y, end.y), length)
    };
    let (a, b) = (leg(before), leg(after));
    ((a.0 + b.0, a.1 + b.1), (a.2, b.2))
}

/// A cell half or a quarter of the way from a turning point to the straight line
/// between its neighbours, if that is far away and in sight of both neighbours. Saves
/// many small moves.
fn leap(grid: &Grid, before: Cell, point: Cell, after: Cell) -> Option<Cell> {
    let (inwards, (first, second)) = inwards(before, point, after);
    // Where the bisector meets the line: it divides the line in the ratio of the legs.
    let reach = first * second / (first + second);
    [2, 4].into_iter().find_map(|part| {
        let step = |inwards: i64| (inwards * reach / (part * CELL * UNIT)) as i16;
        let (dx, dy) = (step(inwards.0), step(inwards.1));
        let cell = Cell::new(point.x.wrapping_add_signed(dx), point.y.wrapping_add_signed(dy));
        let far = dx.abs().max(dy.abs()) > REACH;
        (far && grid.line_of_sight(before, cell) && grid.line_of_sight(cell, after)).then_some(cell)
    })
}

/// Two turning points that cut the corner of `point`. They lie half, a quarter or an
/// eighth of its shorter leg away from it, as far as walls allow.
fn cut(grid: &Grid, before: Cell, point: Cell, after: Cell) -> Option<(Cell, Cell)> {
    let shorter = euclidean(before, point).min(euclidean(point, after)).units();
    let now = euclidean(before, point) + euclidean(point, after);
    [2, 4, 8].into_iter().find_map(|part| {
        let [first, second] = [before, after].map(|end| towards(point, end, shorter / part));
        let length = euclidean(before, first) + euclidean(first, second) + euclidean(second, after);
        let apart = first != point && second != point && first != before && second != after;
        let legs = [(first, second), (before, first), (second, after)];
        (apart && length < now && legs.into_iter().all(|(a, b)| grid.line_of_sight(a, b)))
            .then_some((first, second))
    })
}

/// The cell nearest to the point at `distance` from `from` on the straight line to
/// `to`, which is further away.
fn towards(from: Cell, to: Cell, distance: u64) -> Cell {
    let whole = euclidean(from, to).units().max(1) as i64;
    let part = |from: u16, to: u16| {
        let way = (i64::from(to) - i64::from(from)) * distance as i64 * 2;
        (i64::from(from) + (way + whole * way.signum()) / (2 * whole)) as u16
    };
    Cell::new(part(from.x, to.x), part(from.y, to.y))
}

/// Removes points at which the path does not turn.
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

/// Whether `b` to `c` has the direction of `a` to `b`.
fn is_straight(a: Cell, b: Cell, c: Cell) -> bool {
    let leg =
        |from: Cell, to: Cell| (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    let ((ax, ay), (bx, by)) = (leg(a, b), leg(b, c));
    ax * by == ay * bx && ax * bx + ay * by > 0
}

/// The cells around a cell, with their offsets. Coordinates that pass the edge wrap
/// around to values that are on no map.
fn nearby(cell: Cell) -> impl Iterator<Item = (i16, i16, Cell)> {
    (-REACH..=REACH).flat_map(move |dy| {
        let row = cell.y.wrapping_add_signed(dy);
        (-REACH..=REACH).map(move |dx| (dx, dy, Cell::new(cell.x.wrapping_add_signed(dx), row)))
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
        Puller::default().pull(&grid, &mut points);
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
        let grid = Grid::empty(6, 4).unwrap();
        let [before, point, after] = [(0, 0), (3, 2), (4, 1)].map(Cell::from);
        let better = Puller::default().better_place(&grid, before, point, after);
        assert!(better.is_some_and(|cell| cell != before && cell != after));
    }

    #[test]
    fn corners_are_cut_where_one_turn_cannot_do() {
        let wall = "\n.........\n.........\n.........\n...###...\n...###...\n";
        assert_eq!(pulled(wall, &[(0, 4), (4, 0), (8, 4)]), [(0, 4), (3, 2), (5, 2), (8, 4)]);
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
