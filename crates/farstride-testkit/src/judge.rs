//! Judges a path by itself: is it legal, and what does it cost?
//!
//! The judge never asks how a path was found. It walks the path over the plain
//! map, names the first [`Fault`] it meets, or adds up the cost from the steps
//! alone. Long straight legs are judged row by row with [`sees`], a second
//! exact formulation of [`oracle::visible`](crate::oracle::visible); tests hold
//! the two against each other. Uses [`map`](crate::map) and
//! [`oracle`](crate::oracle).

use std::error::Error;
use std::fmt;

use crate::map::{DiagonalCost, Diagonals, PlainMap, Point};
use crate::oracle::euclid;
use crate::taut::HalfPoint;

/// What a legal grid path amounts to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// Exact cost in the units of [`DiagonalCost`].
    pub cost: u64,
    /// Weighted length, computed from counts of straight and diagonal steps
    /// and rounded only at the end.
    pub length: f64,
    /// Number of straight steps.
    pub straight_steps: usize,
    /// Number of diagonal steps.
    pub diagonal_steps: usize,
}

/// What is wrong with a path. Positions count its points from 0; a step or leg
/// has the position of the point at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The path has no points at all.
    Empty,
    /// The first point is not the start.
    WrongStart {
        /// First point of the path.
        found: Point,
        /// Where the path should have begun.
        expected: Point,
    },
    /// The last point is not the goal.
    WrongGoal {
        /// Last point of the path.
        found: Point,
        /// Where the path should have ended.
        expected: Point,
    },
    /// A point is not on the map.
    Outside {
        /// Place of the point in the path.
        position: usize,
        /// The point.
        point: Point,
    },
    /// A point is blocked.
    Blocked {
        /// Place of the point in the path.
        position: usize,
        /// The point.
        point: Point,
    },
    /// A point repeats the one before it.
    Repeated {
        /// Place of the second of them.
        position: usize,
        /// The point.
        point: Point,
    },
    /// A step of a grid path leads to a cell that is not a neighbour.
    NotAdjacent {
        /// Place of the step's end.
        position: usize,
        /// Where the step begins.
        from: Point,
        /// Where the step ends.
        to: Point,
    },
    /// A diagonal step passes blocked cells that the rule wants free, or the
    /// rule has no diagonal steps.
    IllegalDiagonal {
        /// Place of the step's end.
        position: usize,
        /// Where the step begins.
        from: Point,
        /// Where the step ends.
        to: Point,
        /// The rule that forbids it.
        rule: Diagonals,
    },
    /// The straight line of an any-angle leg is not clear.
    NotVisible {
        /// Place of the leg's end.
        position: usize,
        /// Where the leg begins.
        from: Point,
        /// Where the leg ends.
        to: Point,
        /// The rule under which it is judged.
        rule: Diagonals,
    },
    /// A path of points in half cells begins or ends elsewhere.
    WrongEnd {
        /// Place of the point in the path.
        position: usize,
        /// The point.
        found: HalfPoint,
        /// Where it should be.
        expected: HalfPoint,
    },
    /// A path of points in half cells bends where nothing can: in a blocked cell, on an edge
    /// of a cell, or between two blocked cells that touch at a corner.
    NoBend {
        /// Place of the point in the path.
        position: usize,
        /// The point.
        point: HalfPoint,
    },
    /// A leg between points in half cells enters a blocked cell or squeezes through a gap.
    NotClear {
        /// Place of the leg's end.
        position: usize,
        /// Where the leg begins.
        from: HalfPoint,
        /// Where the leg ends.
        to: HalfPoint,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Empty => write!(f, "the path has no points"),
            Self::WrongStart { found, expected } => {
                write!(f, "the path starts at {found:?} instead of {expected:?}")
            }
            Self::WrongGoal { found, expected } => {
                write!(f, "the path ends at {found:?} instead of {expected:?}")
            }
            Self::Outside { position, point } => {
                write!(f, "point {position} of the path, {point:?}, is outside the map")
            }
            Self::Blocked { position, point } => {
                write!(f, "point {position} of the path, {point:?}, is blocked")
            }
            Self::Repeated { position, point } => {
                write!(f, "point {position} of the path, {point:?}, repeats the point before")
            }
            Self::NotAdjacent { position, from, to } => {
                write!(f, "step {position} of the path, {from:?} to {to:?}, skips cells")
            }
            Self::IllegalDiagonal { position, from, to, rule } => {
                let what = "is a diagonal forbidden by rule";
                write!(f, "step {position} of the path, {from:?} to {to:?}, {what} {rule:?}")
            }
            Self::NotVisible { position, from, to, rule } => {
                let what = "is not a clear line by rule";
                write!(f, "leg {position} of the path, {from:?} to {to:?}, {what} {rule:?}")
            }
            Self::WrongEnd { position, found, expected } => {
                write!(f, "point {position} of the path is {found:?} instead of {expected:?} half cells")
            }
            Self::NoBend { position, point } => {
                write!(f, "point {position} of the path, {point:?} half cells, is no place for a bend")
            }
            Self::NotClear { position, from, to } => {
                write!(f, "leg {position} of the path, {from:?} to {to:?} half cells, is not clear")
            }
        }
    }
}

impl Error for Fault {}

/// Judges a path of single steps from `start` to `goal`, both included.
///
/// A path from a cell to itself is that one cell.
///
/// # Errors
/// The first [`Fault`] along the path.
///
/// # Complexity
/// O(length of the path).
pub fn judge_grid(
    map: &PlainMap,
    diagonals: Diagonals,
    cost: DiagonalCost,
    start: Point,
    goal: Point,
    cells: &[Point],
) -> Result<Verdict, Fault> {
    check_ends(start, goal, cells)?;
    check_points(map, cells)?;
    let mut tally = Tally::default();
    for (step, position) in cells.windows(2).zip(1..) {
        let (from, to) = (step[0], step[1]);
        check_step(map, diagonals, position, from, to)?;
        tally.add(map, from, to);
    }
    Ok(tally.verdict(cost))
}

/// Judges a path of straight legs from `start` to `goal`, both included, and
/// returns its Euclidean length. Weights are ignored.
///
/// # Errors
/// The first [`Fault`] along the path.
///
/// # Complexity
/// O(cells near the lines).
pub fn judge_any_angle(
    map: &PlainMap,
    diagonals: Diagonals,
    start: Point,
    goal: Point,
    points: &[Point],
) -> Result<f64, Fault> {
    check_ends(start, goal, points)?;
    check_points(map, points)?;
    let mut length = 0.0;
    for (leg, position) in points.windows(2).zip(1..) {
        let (from, to) = (leg[0], leg[1]);
        if !sees(map, diagonals, from, to) {
            return Err(Fault::NotVisible { position, from, to, rule: diagonals });
        }
        length += euclid(from, to);
    }
    Ok(length)
}

fn check_ends(start: Point, goal: Point, points: &[Point]) -> Result<(), Fault> {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else {
        return Err(Fault::Empty);
    };
    if first != start {
        return Err(Fault::WrongStart { found: first, expected: start });
    }
    if last != goal {
        return Err(Fault::WrongGoal { found: last, expected: goal });
    }
    Ok(())
}

fn check_points(map: &PlainMap, points: &[Point]) -> Result<(), Fault> {
    for (position, &point) in points.iter().enumerate() {
        if !map.contains(point) {
            return Err(Fault::Outside { position, point });
        }
        if !map.is_free_at(point) {
            return Err(Fault::Blocked { position, point });
        }
        if position > 0 && points[position - 1] == point {
            return Err(Fault::Repeated { position, point });
        }
    }
    Ok(())
}

fn check_step(map: &PlainMap, rule: Diagonals, position: usize, from: Point, to: Point) -> Result<(), Fault> {
    if from.0.abs_diff(to.0) > 1 || from.1.abs_diff(to.1) > 1 {
        return Err(Fault::NotAdjacent { position, from, to });
    }
    if !map.allows_step(rule, from, to) {
        return Err(Fault::IllegalDiagonal { position, from, to, rule });
    }
    Ok(())
}

/// Sums over the steps of a path. The weight of a step is the mean of two
/// cells, so its double is what stays whole.
#[derive(Default)]
struct Tally {
    straight_steps: usize,
    diagonal_steps: usize,
    doubled_straight: u64,
    doubled_diagonal: u64,
}

impl Tally {
    fn add(&mut self, map: &PlainMap, from: Point, to: Point) {
        let doubled = map.weight(from) + map.weight(to);
        if from.0 == to.0 || from.1 == to.1 {
            self.straight_steps += 1;
            self.doubled_straight += doubled;
        } else {
            self.diagonal_steps += 1;
            self.doubled_diagonal += doubled;
        }
    }

    fn verdict(&self, cost: DiagonalCost) -> Verdict {
        let (straight, diagonal) = (self.doubled_straight, self.doubled_diagonal);
        let units = straight * cost.straight_units() + diagonal * cost.diagonal_units();
        let (straight, diagonal) = (straight as f64 / 2.0, diagonal as f64 / 2.0);
        Verdict {
            cost: units / 2,
            length: straight + diagonal * cost.diagonal_length(),
            straight_steps: self.straight_steps,
            diagonal_steps: self.diagonal_steps,
        }
    }
}

/// Whether the straight line between the centres of two cells is clear: the
/// same question as [`oracle::visible`](crate::oracle::visible), answered row
/// by row. Integer division gives the exact span of columns that the line
/// enters in each row, and the exact place where it leaves the row.
///
/// # Complexity
/// O(cells near the line), fit for lines across maps of any size.
pub fn sees(map: &PlainMap, diagonals: Diagonals, a: Point, b: Point) -> bool {
    if !map.is_free_at(a) || !map.is_free_at(b) {
        return false;
    }
    if diagonals == Diagonals::None && a.0 != b.0 && a.1 != b.1 {
        return false;
    }
    let (top, bottom) = if a.1 <= b.1 { (a, b) } else { (b, a) };
    if top.1 == bottom.1 {
        let columns = top.0.min(bottom.0)..=top.0.max(bottom.0);
        return row_is_free(map, top.1, columns);
    }
    let line = FallingLine::between(top, bottom);
    (top.1..=bottom.1).all(|y| row_is_free(map, y, line.columns(y)))
        && (top.1 + 1..=bottom.1).all(|y| line.may_enter_row(map, diagonals, y))
}

fn row_is_free(map: &PlainMap, y: usize, mut columns: impl Iterator<Item = usize>) -> bool {
    columns.all(|x| map.is_free_at((x, y)))
}

/// A line that crosses at least one border between rows, top end first, on the
/// doubled plane where cell centres are odd integers.
struct FallingLine {
    top: (i64, i64),
    bottom_y: i64,
    dx: i64,
    dy: i64, // positive
}

impl FallingLine {
    const fn between(top: Point, bottom: Point) -> Self {
        let (x, y) = (2 * top.0 as i64 + 1, 2 * top.1 as i64 + 1);
        let (bottom_x, bottom_y) = (2 * bottom.0 as i64 + 1, 2 * bottom.1 as i64 + 1);
        Self { top: (x, y), bottom_y, dx: bottom_x - x, dy: bottom_y - y }
    }

    /// `dy` times the x of the line at height `y`.
    const fn scaled_x(&self, y: i64) -> i64 {
        self.top.0 * self.dy + self.dx * (y - self.top.1)
    }

    /// The columns whose cells the line enters in row `y`.
    fn columns(&self, y: usize) -> std::ops::RangeInclusive<usize> {
        let enters = self.scaled_x((2 * y as i64).max(self.top.1));
        let leaves = self.scaled_x((2 * y as i64 + 2).min(self.bottom_y));
        let (left, right) = (enters.min(leaves), enters.max(leaves));
        let column = 2 * self.dy;
        // A right end exactly on a border stays in the column before it.
        let (first, last) = (left.div_euclid(column), (right - 1).div_euclid(column));
        first as usize..=last as usize
    }

    /// Where the line enters row `y` exactly at a corner of cells, the rule
    /// judges the two cells beside it. Elsewhere the columns say it all.
    fn may_enter_row(&self, map: &PlainMap, diagonals: Diagonals, y: usize) -> bool {
        let scaled = self.scaled_x(2 * y as i64);
        if scaled.rem_euclid(2 * self.dy) != 0 {
            return true;
        }
        let x = scaled.div_euclid(2 * self.dy) as usize;
        let (above, below) = if self.dx > 0 { (x, x - 1) } else { (x - 1, x) };
        diagonals.allows_passing(map.is_free_at((above, y - 1)), map.is_free_at((below, y)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::ascii;
    use crate::oracle::visible;
    use crate::random::SplitMix64;

    const SQRT2: DiagonalCost = DiagonalCost::Sqrt2;
    const RULE: Diagonals = Diagonals::Strict;

    fn judge(text: &str, rule: Diagonals, cells: &[Point]) -> Result<Verdict, Fault> {
        let drawing = ascii(text);
        let (start, goal) = drawing.query();
        judge_grid(&drawing.map, rule, SQRT2, start, goal, cells)
    }

    fn judge_lines(text: &str, rule: Diagonals, points: &[Point]) -> Result<f64, Fault> {
        let drawing = ascii(text);
        let (start, goal) = drawing.query();
        judge_any_angle(&drawing.map, rule, start, goal, points)
    }

    /// Both judges must find the same fault in the ends and points.
    #[track_caller]
    fn both_find(text: &str, cells: &[Point], fault: Fault, message: &str) {
        assert_eq!(judge(text, RULE, cells), Err(fault));
        assert_eq!(judge_lines(text, RULE, cells), Err(fault));
        assert_eq!(fault.to_string(), message);
    }

    #[test]
    fn empty_path_is_a_fault() {
        both_find("S.G", &[], Fault::Empty, "the path has no points");
    }

    #[test]
    fn wrong_start_is_a_fault() {
        let fault = Fault::WrongStart { found: (1, 0), expected: (0, 0) };
        let message = "the path starts at (1, 0) instead of (0, 0)";
        both_find("S.G", &[(1, 0), (2, 0)], fault, message);
    }

    #[test]
    fn wrong_goal_is_a_fault() {
        let fault = Fault::WrongGoal { found: (1, 0), expected: (2, 0) };
        let message = "the path ends at (1, 0) instead of (2, 0)";
        both_find("S.G", &[(0, 0), (1, 0)], fault, message);
    }

    #[test]
    fn outside_is_a_fault() {
        let fault = Fault::Outside { position: 1, point: (1, 1) };
        let message = "point 1 of the path, (1, 1), is outside the map";
        both_find("S.G", &[(0, 0), (1, 1), (2, 0)], fault, message);
        let fault = Fault::Outside { position: 1, point: (3, 0) };
        let message = "point 1 of the path, (3, 0), is outside the map";
        both_find("S.G", &[(0, 0), (3, 0), (2, 0)], fault, message);
    }

    #[test]
    fn blocked_cell_is_a_fault() {
        let fault = Fault::Blocked { position: 1, point: (1, 0) };
        let message = "point 1 of the path, (1, 0), is blocked";
        both_find("S#G", &[(0, 0), (1, 0), (2, 0)], fault, message);
    }

    #[test]
    fn repeated_point_is_a_fault() {
        let fault = Fault::Repeated { position: 2, point: (1, 0) };
        let message = "point 2 of the path, (1, 0), repeats the point before";
        both_find("S.G", &[(0, 0), (1, 0), (1, 0), (2, 0)], fault, message);
    }

    #[test]
    fn skipped_cell_is_a_fault() {
        let fault = Fault::NotAdjacent { position: 1, from: (0, 0), to: (2, 0) };
        assert_eq!(judge("S.G", RULE, &[(0, 0), (2, 0)]), Err(fault));
        let message = "step 1 of the path, (0, 0) to (2, 0), skips cells";
        assert_eq!(fault.to_string(), message);
        let knight = [(0, 0), (1, 2)];
        let fault = Fault::NotAdjacent { position: 1, from: (0, 0), to: (1, 2) };
        assert_eq!(judge("S.\n..\n.G", RULE, &knight), Err(fault));
    }

    #[test]
    fn cut_corner_is_a_fault_where_the_rule_says_so() {
        let path = [(0, 0), (0, 1), (1, 2)];
        for (text, legal) in [
            ("S.\n..\n.G", [true, true, true, false]),
            ("S.\n..\n#G", [false, true, true, false]),
            ("S.\n.#\n#G", [false, false, true, false]),
        ] {
            for (rule, legal) in Diagonals::ALL.into_iter().zip(legal) {
                let fault = Fault::IllegalDiagonal { position: 2, from: (0, 1), to: (1, 2), rule };
                let found = judge(text, rule, &path);
                assert_eq!(found.is_ok(), legal, "{text} {rule:?}");
                assert!(found.is_ok() || found == Err(fault));
            }
        }
        let fault = judge("S#\n.G", RULE, &[(0, 0), (1, 1)]).unwrap_err();
        let message = "step 1 of the path, (0, 0) to (1, 1), is a diagonal forbidden by rule Strict";
        assert_eq!(fault.to_string(), message);
    }

    #[test]
    fn blocked_line_is_a_fault() {
        let text = "S....\n..#..\n....G";
        let fault = Fault::NotVisible { position: 1, from: (0, 0), to: (4, 2), rule: RULE };
        assert_eq!(judge_lines(text, RULE, &[(0, 0), (4, 2)]), Err(fault));
        let message = "leg 1 of the path, (0, 0) to (4, 2), is not a clear line by rule Strict";
        assert_eq!(fault.to_string(), message);
        let around = judge_lines(text, RULE, &[(0, 0), (3, 0), (4, 2)]).unwrap();
        assert!((around - (3.0 + 5f64.sqrt())).abs() < 1e-12);
    }

    #[test]
    fn verdict_counts_steps_and_adds_up() {
        let path = [(0, 0), (1, 0), (2, 1), (2, 2)];
        let verdict = judge("S..\n...\n..G", RULE, &path).unwrap();
        assert_eq!((verdict.straight_steps, verdict.diagonal_steps), (2, 1));
        assert_eq!(verdict.cost, 2 * 4756 + 6726);
        assert!((verdict.length - (2.0 + std::f64::consts::SQRT_2)).abs() < 1e-12);
    }

    #[test]
    fn verdict_weighs_steps() {
        let drawing = ascii("S23\n..4\n..G");
        let (start, goal) = drawing.query();
        let path = [(0, 0), (1, 0), (2, 1), (2, 2)];
        let cost = DiagonalCost::Ratio142;
        let verdict = judge_grid(&drawing.map, RULE, cost, start, goal, &path).unwrap();
        // Means of 1 and 2, of 4 and 1; the diagonal has the mean of 2 and 4.
        assert_eq!(verdict.cost, 5000 * 3 / 2 + 5000 * 5 / 2 + 7100 * 3);
        assert!((verdict.length - (4.0 + 3.0 * 1.42)).abs() < 1e-12);
    }

    #[test]
    fn path_of_one_cell_is_free() {
        let map = PlainMap::new(1, 1, true);
        let verdict = judge_grid(&map, RULE, SQRT2, (0, 0), (0, 0), &[(0, 0)]).unwrap();
        assert_eq!((verdict.cost, verdict.straight_steps, verdict.diagonal_steps), (0, 0, 0));
        assert_eq!(judge_any_angle(&map, RULE, (0, 0), (0, 0), &[(0, 0)]), Ok(0.0));
    }

    /// Every pair of cells of many small maps, thin ones included.
    #[test]
    fn both_lines_of_sight_agree() {
        let mut random = SplitMix64::new(21);
        let (mut clear, mut total) = (0, 0);
        for _ in 0..60 {
            let mut map = PlainMap::new(random.between(1, 8), random.between(1, 8), true);
            let blocked = random.below(40) as u32;
            map.free.iter_mut().for_each(|free| *free = !random.chance(blocked));
            for (a, b) in (0..map.free.len()).flat_map(|a| (0..map.free.len()).map(move |b| (a, b))) {
                let (a, b) = (map.point(a), map.point(b));
                for rule in Diagonals::ALL {
                    let seen = sees(&map, rule, a, b);
                    assert_eq!(seen, visible(&map, rule, a, b), "{map:?}{rule:?} {a:?} {b:?}");
                    clear += usize::from(seen);
                    total += 1;
                }
            }
        }
        assert!(clear * 5 > total && clear * 5 < total * 4, "{clear} of {total} clear");
    }

    /// One blocked cell at a time on a larger map: each matters or does not.
    #[test]
    fn both_lines_of_sight_agree_on_long_lines() {
        let mut random = SplitMix64::new(22);
        let mut map = PlainMap::new(40, 30, true);
        for _ in 0..1500 {
            let [a, b] = [0; 2].map(|_| (random.below(40), random.below(30)));
            let near = random.below(101);
            let along = |a: usize, b: usize| (a * near + b * (100 - near)) / 100;
            let cell = (along(a.0, b.0), along(a.1, b.1));
            map.set_free(cell, false);
            for rule in Diagonals::ALL {
                let seen = sees(&map, rule, a, b);
                assert_eq!(seen, visible(&map, rule, a, b), "{rule:?} {a:?} {b:?} {cell:?}");
            }
            map.set_free(cell, true);
        }
    }

    #[test]
    fn long_lines_are_judged_quickly() {
        let map = PlainMap::new(2000, 2000, true);
        for step in 0..200 {
            assert!(sees(&map, RULE, (0, 7 * step), (1999, 1999 - 9 * step)));
        }
    }
}
