//! Shortest paths of a point that may touch walls: taut strings between cell centres.
//!
//! The rule: a path enters no blocked cell, runs through no crack between two blocked
//! cells, and squeezes through no gap between two cells that touch at a corner only.
//! Corners and walls may be touched. Outside the map everything is blocked.
//!
//! Two formulations of sight, held against each other by tests: [`is_clear`] asks every
//! blocked cell near the segment whether the segment enters it, [`is_clear_by_rows`] finds
//! the columns that it enters in each row and is fit for maps of any size. [`Strings`] is
//! the oracle: full visibility between corners, and Dijkstra's algorithm. Uses
//! [`map`](crate::map).

use crate::judge::Fault;
use crate::map::{PlainMap, Point};

/// A point in half cells: the centre of cell `(x, y)` is `(2x, 2y)`, so corners between
/// four cells are odd.
pub type HalfPoint = (i64, i64);

/// The centre of a cell.
pub const fn centre(cell: Point) -> HalfPoint {
    (2 * cell.0 as i64, 2 * cell.1 as i64)
}

/// The Euclidean distance in cells.
pub fn distance_between(a: HalfPoint, b: HalfPoint) -> f64 {
    let (dx, dy) = ((a.0 - b.0) as f64, (a.1 - b.1) as f64);
    (dx * dx + dy * dy).sqrt() / 2.0
}

const fn cross(a: HalfPoint, b: HalfPoint, c: HalfPoint) -> i64 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}

fn is_blocked(map: &PlainMap, x: i64, y: i64) -> bool {
    !map.is_free(x as isize, y as isize)
}

/// The cells around a corner: up left, up right, down left, down right; whether blocked.
fn around(map: &PlainMap, (x, y): HalfPoint) -> [bool; 4] {
    let (left, up) = ((x - 1).div_euclid(2), (y - 1).div_euclid(2));
    [(left, up), (left + 1, up), (left, up + 1), (left + 1, up + 1)].map(|(x, y)| is_blocked(map, x, y))
}

/// Whether two cells that touch at this corner only are blocked, and the others free.
fn is_gap(map: &PlainMap, corner: HalfPoint) -> bool {
    matches!(around(map, corner), [true, false, false, true] | [false, true, true, false])
}

/// Whether a path may go straight from one point to another: both centres or corners.
///
/// # Complexity
/// O(cells of the rectangle that the two points span).
pub fn is_clear(map: &PlainMap, a: HalfPoint, b: HalfPoint) -> bool {
    let (left, right) = (a.0.min(b.0), a.0.max(b.0));
    let (top, bottom) = (a.1.min(b.1), a.1.max(b.1));
    let enters = |x: i64, y: i64| {
        let (x, y) = (2 * x, 2 * y);
        let corners = [(x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)];
        let sides = corners.map(|corner| cross(a, b, corner));
        let parted = if a == b {
            false
        } else {
            sides.iter().all(|&side| side >= 0) || sides.iter().all(|&side| side <= 0)
        };
        left < x + 1 && right > x - 1 && top < y + 1 && bottom > y - 1 && !parted
    };
    for y in (top - 1).div_euclid(2)..=(bottom + 1).div_euclid(2) {
        for x in (left - 1).div_euclid(2)..=(right + 1).div_euclid(2) {
            if is_blocked(map, x, y) && enters(x, y) {
                return false;
            }
        }
    }
    passes_corners(map, a, b) && !runs_through_crack(map, a, b)
}

/// Whether no corner inside the segment is a gap.
fn passes_corners(map: &PlainMap, a: HalfPoint, b: HalfPoint) -> bool {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let pieces = gcd(dx.abs(), dy.abs());
    (1..pieces).map(|piece| (a.0 + dx / pieces * piece, a.1 + dy / pieces * piece)).all(|(x, y)| {
        let is_corner = x % 2 != 0 && y % 2 != 0;
        !is_corner || !is_gap(map, (x, y))
    })
}

/// Whether the segment runs along a line between cells, blocked on both sides somewhere.
fn runs_through_crack(map: &PlainMap, a: HalfPoint, b: HalfPoint) -> bool {
    if a.1 == b.1 && a.1 % 2 != 0 {
        let (above, below) = ((a.1 - 1).div_euclid(2), (a.1 + 1).div_euclid(2));
        let (left, right) = (a.0.min(b.0), a.0.max(b.0));
        return ((left + 1).div_euclid(2)..(right + 1).div_euclid(2))
            .any(|x| is_blocked(map, x, above) && is_blocked(map, x, below));
    }
    if a.0 == b.0 && a.0 % 2 != 0 {
        let (before, after) = ((a.0 - 1).div_euclid(2), (a.0 + 1).div_euclid(2));
        let (top, bottom) = (a.1.min(b.1), a.1.max(b.1));
        return ((top + 1).div_euclid(2)..(bottom + 1).div_euclid(2))
            .any(|y| is_blocked(map, before, y) && is_blocked(map, after, y));
    }
    false
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The same as [`is_clear`], row by row.
///
/// # Complexity
/// O(cells near the segment).
pub fn is_clear_by_rows(map: &PlainMap, a: HalfPoint, b: HalfPoint) -> bool {
    let (upper, lower) = if a.1 <= b.1 { (a, b) } else { (b, a) };
    let (dx, dy) = (lower.0 - upper.0, lower.1 - upper.1);
    if dy == 0 {
        // In a row of cells, or between two.
        let (left, right) = (upper.0.min(lower.0), upper.0.max(lower.0));
        let is_between = upper.1 % 2 != 0;
        let row = upper.1.div_euclid(2);
        let mut columns = (left + 1).div_euclid(2)..(right + 2).div_euclid(2);
        return is_between || columns.all(|x| !is_blocked(map, x, row));
    }
    // `dy` times the column of the segment at a height.
    let at = |y: i64| upper.0 * dy + dx * (y - upper.1);
    let rows = (upper.1 + 1).div_euclid(2)..(lower.1 + 2).div_euclid(2);
    rows.into_iter().all(|row| {
        let (top, bottom) = ((2 * row - 1).max(upper.1), (2 * row + 1).min(lower.1));
        let (left, right) = (at(top).min(at(bottom)), at(top).max(at(bottom)));
        // Columns whose inside, from 2x - 1 to 2x + 1, the stretch reaches.
        let first = (left + dy).div_euclid(2 * dy);
        let last = if left == right && (left + dy).rem_euclid(2 * dy) == 0 {
            first - 1 // straight down between two columns
        } else {
            -(-(right + dy)).div_euclid(2 * dy) - 1
        };
        (first..=last.max(first - 1)).all(|x| !is_blocked(map, x, row))
    })
}

/// Judges a path of straight legs that may touch walls, from the centre of `start` to that
/// of `goal`, and returns its length in cells.
///
/// # Errors
/// The first [`Fault`] along the path.
///
/// # Complexity
/// O(cells near the legs).
pub fn judge_points(map: &PlainMap, start: Point, goal: Point, points: &[HalfPoint]) -> Result<f64, Fault> {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return Err(Fault::Empty) };
    for (position, found, expected) in [(0, first, centre(start)), (points.len() - 1, last, centre(goal))] {
        if found != expected {
            return Err(Fault::WrongEnd { position, found, expected });
        }
    }
    let inner = points.iter().enumerate().skip(1).take(points.len().saturating_sub(2));
    for (position, &(x, y)) in inner {
        let is_centre = x % 2 == 0 && y % 2 == 0 && !is_blocked(map, x / 2, y / 2);
        let is_corner = x % 2 != 0 && y % 2 != 0 && !is_gap(map, (x, y));
        if !is_centre && !is_corner {
            return Err(Fault::NoBend { position, point: (x, y) });
        }
    }
    let mut length = 0.0;
    for (leg, position) in points.windows(2).zip(1..) {
        let (from, to) = (leg[0], leg[1]);
        let is_clear = from != to
            && is_clear_by_rows(map, from, to)
            && passes_corners(map, from, to)
            && !runs_through_crack(map, from, to);
        if !is_clear {
            return Err(Fault::NotClear { position, from, to });
        }
        length += distance_between(from, to);
    }
    Ok(length)
}

/// Whether a path may go straight from one point of a map to another.
pub(crate) type Sight = fn(&PlainMap, HalfPoint, HalfPoint) -> bool;

/// All taut strings of a map: the corners at which they bend, and who sees whom.
pub struct Strings<'m> {
    map: &'m PlainMap,
    /// Whether a path may go straight from one point to another.
    sight: Sight,
    corners: Vec<HalfPoint>,
    /// For each corner, the corners that it sees and their distances.
    links: Vec<Vec<(usize, f64)>>,
}

impl<'m> Strings<'m> {
    /// Finds all corners, the lattice points with one blocked cell of four around, and
    /// asks every pair of them.
    ///
    /// # Complexity
    /// O(corners² × cells).
    pub fn new(map: &'m PlainMap) -> Self {
        Self::between(map, |blocked| blocked.iter().filter(|&&blocked| blocked).count() == 1)
    }

    /// The same with every lattice point that is not a gap, to try the claim that strings
    /// bend at corners only.
    pub fn with_all_points(map: &'m PlainMap) -> Self {
        Self::between(map, |blocked| {
            !matches!(blocked, [true, false, false, true] | [false, true, true, false])
        })
    }

    fn between(map: &'m PlainMap, is_wanted: impl Fn([bool; 4]) -> bool) -> Self {
        let lattice =
            (0..=map.height as i64).flat_map(|y| (0..=map.width as i64).map(move |x| (2 * x - 1, 2 * y - 1)));
        let corners = lattice.filter(|&corner| is_wanted(around(map, corner))).collect();
        Self::of_points(map, corners, is_clear)
    }

    /// Strings that bend at some of these points.
    pub(crate) fn of_points(map: &'m PlainMap, corners: Vec<HalfPoint>, sight: Sight) -> Self {
        let mut links = vec![Vec::new(); corners.len()];
        for (one, &a) in corners.iter().enumerate() {
            for (other, &b) in corners.iter().enumerate().skip(one + 1) {
                if sight(map, a, b) {
                    let length = distance_between(a, b);
                    links[one].push((other, length));
                    links[other].push((one, length));
                }
            }
        }
        Self { map, sight, corners, links }
    }

    /// Number of corners.
    pub fn corner_count(&self) -> usize {
        self.corners.len()
    }

    /// Lengths of the shortest strings from a free cell to all cells; `None` where no
    /// string leads.
    pub fn lengths_from(&self, start: Point) -> Vec<Option<f64>> {
        let start = centre(start);
        let mut reached = vec![f64::INFINITY; self.corners.len()];
        for (length, &corner) in reached.iter_mut().zip(&self.corners) {
            if (self.sight)(self.map, start, corner) {
                *length = distance_between(start, corner);
            }
        }
        let mut left: Vec<usize> = (0..self.corners.len()).collect();
        while let Some(place) = (0..left.len()).min_by(|&a, &b| reached[left[a]].total_cmp(&reached[left[b]]))
        {
            let corner = left.swap_remove(place);
            for &(other, length) in &self.links[corner] {
                reached[other] = reached[other].min(reached[corner] + length);
            }
        }
        let cells = (0..self.map.free.len()).map(|index| self.map.point(index));
        let lengths = cells.map(|cell| {
            if !self.map.is_free_at(cell) {
                return f64::INFINITY;
            }
            let goal = centre(cell);
            if goal == start {
                return 0.0;
            }
            if (self.sight)(self.map, start, goal) {
                return distance_between(start, goal);
            }
            let over = self.corners.iter().zip(&reached);
            over.filter(|&(&corner, length)| length.is_finite() && (self.sight)(self.map, corner, goal))
                .map(|(&corner, length)| length + distance_between(corner, goal))
                .fold(f64::INFINITY, f64::min)
        });
        lengths.map(|length| length.is_finite().then_some(length)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    fn random_map(random: &mut SplitMix64, side: usize, blocked: u32) -> PlainMap {
        let mut map = PlainMap::new(side, side, true);
        map.free.iter_mut().for_each(|free| *free = !random.chance(blocked));
        map
    }

    #[test]
    fn both_formulations_of_sight_agree() {
        let mut random = SplitMix64::new(5);
        let (mut clear, mut asked) = (0, 0);
        for round in 0..60 {
            let side = random.between(2, 9);
            let map = random_map(&mut random, side, 10 + round % 40);
            let end = 2 * side as i64;
            let points: Vec<HalfPoint> = (-1..end)
                .flat_map(|y| (-1..end).map(move |x| (x, y)))
                .filter(|&(x, y)| x.rem_euclid(2) == y.rem_euclid(2))
                .filter(|&(x, y)| y % 2 != 0 || map.is_free((x / 2) as isize, (y / 2) as isize))
                .collect();
            for _ in 0..2000 {
                let (a, b) = (points[random.below(points.len())], points[random.below(points.len())]);
                if a == b {
                    continue;
                }
                let by_rows = is_clear_by_rows(&map, a, b)
                    && passes_corners(&map, a, b)
                    && !runs_through_crack(&map, a, b);
                assert_eq!(is_clear(&map, a, b), by_rows, "{a:?} {b:?}\n{}", map.to_ascii());
                assert_eq!(is_clear(&map, a, b), is_clear(&map, b, a));
                clear += usize::from(by_rows);
                asked += 1;
            }
        }
        assert!(clear > asked / 10 && clear < asked / 10 * 9, "{clear} of {asked}");
    }

    #[test]
    fn strings_bend_at_corners_only() {
        let mut random = SplitMix64::new(6);
        for round in 0..40 {
            let map = random_map(&mut random, 5, 20 + round % 30);
            let (few, all) = (Strings::new(&map), Strings::with_all_points(&map));
            for start in map.free_points() {
                let lengths = few.lengths_from(start).into_iter().zip(all.lengths_from(start));
                for (one, other) in lengths {
                    assert_eq!(one.is_some(), other.is_some(), "{start:?}\n{}", map.to_ascii());
                    assert!((one.unwrap_or(0.0) - other.unwrap_or(0.0)).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn a_string_goes_around_a_corner() {
        let map = PlainMap::from_ascii("\n...\n.#.\n...\n");
        let strings = Strings::new(&map);
        assert_eq!(strings.corner_count(), 4);
        let lengths = strings.lengths_from((0, 1));
        let around = 2.0 * 0.5_f64.sqrt() + 1.0;
        assert!((lengths[map.index((2, 1))].unwrap() - around).abs() < 1e-12);
        let points = [(0, 2), (1, 1), (3, 1), (4, 2)];
        assert!((judge_points(&map, (0, 1), (2, 1), &points).unwrap() - around).abs() < 1e-12);
        let through = [(0, 2), (4, 2)];
        assert!(matches!(judge_points(&map, (0, 1), (2, 1), &through), Err(Fault::NotClear { .. })));
    }

    #[test]
    fn nothing_squeezes_through_a_gap() {
        let map = PlainMap::from_ascii("\n.#\n#.\n");
        assert_eq!(Strings::new(&map).lengths_from((0, 0)), [Some(0.0), None, None, None]);
        let points = [(0, 0), (1, 1), (2, 2)];
        assert!(matches!(
            judge_points(&map, (0, 0), (1, 1), &points),
            Err(Fault::NoBend { position: 1, .. })
        ));
    }
}
