//! Shortest paths of a body: a square as large as a cell, which slides without turning and
//! clips no blocked cell.
//!
//! Its centre keeps out of the square of two by two cells around the centre of every blocked
//! cell, whose border it may touch. So it passes corridors that are one cell wide, and bends
//! at centres of cells. Two formulations of sight, held against each other by tests:
//! [`is_clear`] asks every blocked cell near the segment, [`is_clear_by_rows`] goes row by row
//! and is fit for maps of any size. [`Strings::of_bodies`] is the oracle. Uses
//! [`taut`](crate::taut).

use crate::judge::Fault;
use crate::map::{PlainMap, Point};
use crate::taut::{HalfPoint, Strings, centre, distance_between};

/// The cell of which a point is the centre.
const fn cell(point: HalfPoint) -> Option<(i64, i64)> {
    if point.0 % 2 == 0 && point.1 % 2 == 0 { Some((point.0 / 2, point.1 / 2)) } else { None }
}

fn is_blocked(map: &PlainMap, x: i64, y: i64) -> bool {
    !map.is_free(x as isize, y as isize)
}

/// Whether a body may slide straight from one cell's centre to another's.
///
/// # Complexity
/// O(cells of the rectangle that the two points span).
pub fn is_clear(map: &PlainMap, a: HalfPoint, b: HalfPoint) -> bool {
    let (Some(a), Some(b)) = (cell(a), cell(b)) else { return false };
    let (left, right) = (a.0.min(b.0), a.0.max(b.0));
    let (top, bottom) = (a.1.min(b.1), a.1.max(b.1));
    let clips = |x: i64, y: i64| {
        let sides = [(x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)]
            .map(|(x, y)| (b.0 - a.0) * (y - a.1) - (b.1 - a.1) * (x - a.0));
        let parted = a != b && (sides.iter().all(|&side| side >= 0) || sides.iter().all(|&side| side <= 0));
        left < x + 1 && right > x - 1 && top < y + 1 && bottom > y - 1 && !parted
    };
    (top..=bottom).all(|y| (left..=right).all(|x| !(is_blocked(map, x, y) && clips(x, y))))
}

/// The same as [`is_clear`], row by row.
///
/// # Complexity
/// O(cells near the segment).
pub fn is_clear_by_rows(map: &PlainMap, a: HalfPoint, b: HalfPoint) -> bool {
    let (Some(a), Some(b)) = (cell(a), cell(b)) else { return false };
    let (upper, lower) = if a.1 <= b.1 { (a, b) } else { (b, a) };
    let (dx, dy) = (lower.0 - upper.0, (lower.1 - upper.1).max(1));
    (upper.1..=lower.1).all(|row| {
        // `dy` times the columns of the centre while the body overlaps the row.
        let at = |y: i64| upper.0 * dy + dx * (y.clamp(upper.1, lower.1) - upper.1);
        let ends = if upper.1 == lower.1 { [upper.0, lower.0] } else { [at(row - 1), at(row + 1)] };
        let (left, right) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        // Columns that are less than one cell from these.
        let (first, last) = ((left - dy).div_euclid(dy) + 1, -(-(right + dy)).div_euclid(dy) - 1);
        (first..=last).all(|x| !is_blocked(map, x, row))
    })
}

/// Judges a path of a body from the centre of `start` to that of `goal`, and returns its
/// length in cells.
///
/// # Errors
/// The first [`Fault`] along the path.
///
/// # Complexity
/// O(cells near the legs).
pub fn judge_body(map: &PlainMap, start: Point, goal: Point, points: &[HalfPoint]) -> Result<f64, Fault> {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return Err(Fault::Empty) };
    for (position, found, expected) in [(0, first, centre(start)), (points.len() - 1, last, centre(goal))] {
        if found != expected {
            return Err(Fault::WrongEnd { position, found, expected });
        }
    }
    let is_free = |&point: &HalfPoint| cell(point).is_some_and(|(x, y)| !is_blocked(map, x, y));
    if let Some(position) = points.iter().position(|point| !is_free(point)) {
        return Err(Fault::NoBend { position, point: points[position] });
    }
    let mut length = 0.0;
    for (leg, position) in points.windows(2).zip(1..) {
        let (from, to) = (leg[0], leg[1]);
        if from == to || !is_clear_by_rows(map, from, to) {
            return Err(Fault::NotClear { position, from, to });
        }
        length += distance_between(from, to);
    }
    Ok(length)
}

impl<'m> Strings<'m> {
    /// All shortest paths of bodies: they bend at corners of the squares around blocked cells.
    ///
    /// # Complexity
    /// O(corners² × cells).
    pub fn of_bodies(map: &'m PlainMap) -> Self {
        let is_corner = |(x, y): Point| {
            let (x, y) = (x as i64, y as i64);
            [(-1, -1), (1, -1), (-1, 1), (1, 1)].into_iter().any(|(dx, dy)| is_blocked(map, x + dx, y + dy))
        };
        let corners = map.free_points().into_iter().filter(|&cell| is_corner(cell)).map(centre);
        Self::of_points(map, corners.collect(), is_clear_by_rows)
    }

    /// The same with every free cell, to try the claim that paths bend at corners only.
    pub fn of_bodies_anywhere(map: &'m PlainMap) -> Self {
        Self::of_points(map, map.free_points().into_iter().map(centre).collect(), is_clear)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Diagonals;
    use crate::random::SplitMix64;

    fn random_map(random: &mut SplitMix64, blocked: u32) -> PlainMap {
        let mut map = PlainMap::new(random.between(2, 9), random.between(2, 9), true);
        map.free.iter_mut().for_each(|free| *free = !random.chance(blocked));
        map
    }

    /// Both formulations agree, and what is clear for a body is clear by the strict rule.
    #[test]
    fn formulations_of_sight_agree() {
        let mut random = SplitMix64::new(15);
        let (mut clear, mut asked) = (0, 0);
        for round in 0..200 {
            let map = random_map(&mut random, 5 + round % 35);
            for &start in &map.free_points() {
                for &goal in &map.free_points() {
                    let (a, b) = (centre(start), centre(goal));
                    let is_seen = is_clear(&map, a, b);
                    assert_eq!(is_seen, is_clear_by_rows(&map, a, b), "{a:?} {b:?}\n{}", map.to_ascii());
                    let judged = crate::judge_any_angle(&map, Diagonals::Strict, start, goal, &[start, goal]);
                    assert!(!is_seen || start == goal || judged.is_ok(), "{a:?} {b:?}\n{}", map.to_ascii());
                    clear += usize::from(is_seen);
                    asked += 1;
                }
            }
        }
        assert!(clear > asked / 10 && clear < asked / 10 * 9, "{clear} of {asked}");
    }

    #[test]
    fn bodies_bend_at_corners_only() {
        let mut random = SplitMix64::new(16);
        for round in 0..60 {
            let map = random_map(&mut random, 10 + round % 40);
            let (few, all) = (Strings::of_bodies(&map), Strings::of_bodies_anywhere(&map));
            for start in map.free_points() {
                for (one, other) in few.lengths_from(start).into_iter().zip(all.lengths_from(start)) {
                    assert_eq!(one.is_some(), other.is_some(), "{start:?}\n{}", map.to_ascii());
                    assert!((one.unwrap_or(0.0) - other.unwrap_or(0.0)).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn a_body_slides_through_a_corridor_and_past_corners() {
        let map = PlainMap::from_ascii("\n##...\n...#.\n##...\n");
        let points = [(0, 2), (4, 2), (4, 0), (8, 0), (8, 2)];
        assert_eq!(judge_body(&map, (0, 1), (4, 1), &points), Ok(6.0));
        let cut = [(0, 2), (4, 0), (8, 0), (8, 2)];
        assert!(matches!(judge_body(&map, (0, 1), (4, 1), &cut), Err(Fault::NotClear { .. })));
        let length = Strings::of_bodies(&map).lengths_from((0, 1))[map.index((4, 1))];
        assert_eq!(length, Some(6.0));
    }
}
