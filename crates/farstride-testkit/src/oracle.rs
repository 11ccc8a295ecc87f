//! Right answers, found as plainly as possible and as slowly as that takes.
//!
//! An oracle earns trust by being too simple to be wrong: Dijkstra over legal
//! steps with exact integer costs, a flood fill, and a line of sight test that
//! asks of *every* cell around the segment whether the segment enters it. None
//! of it shares code or approach with the engine. Uses [`map`](crate::map) only.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::map::{DiagonalCost, Diagonals, PlainMap, Point};

/// Cost of a cheapest path from `start` to every cell, in the units of
/// [`DiagonalCost`]; `None` where no path leads.
///
/// A step from cell a to cell b costs the step's units times the mean of the
/// weights of a and b. From a blocked start or one outside, no path leads
/// anywhere.
///
/// # Complexity
/// O(n log n) for n cells.
pub fn distances(map: &PlainMap, diagonals: Diagonals, cost: DiagonalCost, start: Point) -> Vec<Option<u64>> {
    dijkstra(map, diagonals, cost, start, None)
}

/// Cost of a cheapest path between two cells; see [`distances`].
pub fn distance(
    map: &PlainMap,
    diagonals: Diagonals,
    cost: DiagonalCost,
    start: Point,
    goal: Point,
) -> Option<u64> {
    if !map.is_free_at(goal) {
        return None;
    }
    dijkstra(map, diagonals, cost, start, Some(goal))[map.index(goal)]
}

/// Dijkstra's algorithm. With a goal it stops as soon as that is settled, and
/// only the goal's entry means anything.
fn dijkstra(
    map: &PlainMap,
    diagonals: Diagonals,
    cost: DiagonalCost,
    start: Point,
    goal: Option<Point>,
) -> Vec<Option<u64>> {
    let mut best = vec![None; map.free.len()];
    if !map.is_free_at(start) {
        return best;
    }
    let mut open = BinaryHeap::from([Reverse((0, map.index(start)))]);
    best[map.index(start)] = Some(0);
    while let Some(Reverse((reached, index))) = open.pop() {
        if best[index] != Some(reached) {
            continue;
        }
        let from = map.point(index);
        if Some(from) == goal {
            break;
        }
        for to in steps(map, diagonals, from) {
            let total = reached + step_cost(map, cost, from, to);
            let entry = &mut best[map.index(to)];
            if entry.is_none_or(|known| total < known) {
                *entry = Some(total);
                open.push(Reverse((total, map.index(to))));
            }
        }
    }
    best
}

/// The cells one legal step away.
fn steps(map: &PlainMap, diagonals: Diagonals, from: Point) -> impl Iterator<Item = Point> {
    let rows = from.1.saturating_sub(1)..=from.1 + 1;
    let columns = from.0.saturating_sub(1)..=from.0 + 1;
    rows.flat_map(move |y| columns.clone().map(move |x| (x, y)))
        .filter(move |&to| map.allows_step(diagonals, from, to))
}

fn step_cost(map: &PlainMap, cost: DiagonalCost, from: Point, to: Point) -> u64 {
    let straight = from.0 == to.0 || from.1 == to.1;
    let units = if straight { cost.straight_units() } else { cost.diagonal_units() };
    units * (map.weight(from) + map.weight(to)) / 2
}

/// The number of connected regions of free cells, and the region of each cell.
///
/// Regions are numbered in the order of their first cells, row by row. Two
/// cells are in one region exactly when a path of legal steps joins them.
pub fn regions(map: &PlainMap, diagonals: Diagonals) -> (u32, Vec<Option<u32>>) {
    let mut count = 0;
    let mut labels = vec![None; map.free.len()];
    for seed in map.free_points() {
        if labels[map.index(seed)].is_none() {
            flood(map, diagonals, seed, count, &mut labels);
            count += 1;
        }
    }
    (count, labels)
}

fn flood(map: &PlainMap, diagonals: Diagonals, seed: Point, label: u32, labels: &mut [Option<u32>]) {
    labels[map.index(seed)] = Some(label);
    let mut pending = vec![seed];
    while let Some(from) = pending.pop() {
        for to in steps(map, diagonals, from) {
            let entry = &mut labels[map.index(to)];
            if entry.is_none() {
                *entry = Some(label);
                pending.push(to);
            }
        }
    }
}

/// Whether the straight line between the centres of two cells is clear.
///
/// Every cell whose open interior the segment meets must be free. Where it
/// passes exactly through a corner of four cells, from one of them into the
/// diagonally opposite one, the other two are the side cells of a diagonal
/// step and the rule judges them as such; under [`Diagonals::None`] only
/// horizontal and vertical lines can be clear. A free cell sees itself.
///
/// # Complexity
/// O(cells of the bounding box); [`judge::sees`](crate::judge::sees) is the
/// same in O(cells near the line).
pub fn visible(map: &PlainMap, diagonals: Diagonals, a: Point, b: Point) -> bool {
    if !map.is_free_at(a) || !map.is_free_at(b) {
        return false;
    }
    if a == b {
        return true;
    }
    let segment = Segment::between(a, b);
    let sees_cell = |cell| map.is_free_at(cell) || !segment.enters(cell);
    let passes_vertex = |(x, y)| {
        let (one, other) = segment.side_cells((x, y));
        let (one, other) = (map.is_free_at(one), map.is_free_at(other));
        !segment.meets_vertex((x, y)) || diagonals.allows_passing(one, other)
    };
    if diagonals == Diagonals::None && a.0 != b.0 && a.1 != b.1 {
        return false;
    }
    let (left, right) = (a.0.min(b.0), a.0.max(b.0));
    let (top, bottom) = (a.1.min(b.1), a.1.max(b.1));
    let mut cells = (top..=bottom).flat_map(|y| (left..=right).map(move |x| (x, y)));
    let mut vertices = (top + 1..=bottom).flat_map(|y| (left + 1..=right).map(move |x| (x, y)));
    cells.all(sees_cell) && vertices.all(passes_vertex)
}

/// A segment between two cell centres on the doubled plane, where cell (x, y)
/// is the square from (2x, 2y) to (2x + 2, 2y + 2) and centres are integers.
struct Segment {
    from: (i64, i64),
    to: (i64, i64),
}

impl Segment {
    const fn between(a: Point, b: Point) -> Self {
        Self { from: (2 * a.0 as i64 + 1, 2 * a.1 as i64 + 1), to: (2 * b.0 as i64 + 1, 2 * b.1 as i64 + 1) }
    }

    /// Whether the segment meets the open square of a cell: it does unless one
    /// of the three axes that matter separates them (the two axes of the grid
    /// and the normal of the segment). Touching the border does not count.
    fn enters(&self, (x, y): Point) -> bool {
        let (left, top) = (2 * x as i64, 2 * y as i64);
        let corners = [(left, top), (left + 2, top), (left, top + 2), (left + 2, top + 2)];
        let sides = corners.map(|corner| self.side_of(corner));
        overlap((self.from.0, self.to.0), left)
            && overlap((self.from.1, self.to.1), top)
            && sides.iter().any(|&side| side < 0)
            && sides.iter().any(|&side| side > 0)
    }

    /// Positive on one side of the line through the segment, negative on the
    /// other, zero on it.
    const fn side_of(&self, (x, y): (i64, i64)) -> i64 {
        let (dx, dy) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        dx * (y - self.from.1) - dy * (x - self.from.0)
    }

    /// Whether the segment passes through the top left corner of a cell that
    /// lies within its bounding box. It is never parallel to an axis there:
    /// those run through centres only and meet no corner.
    const fn meets_vertex(&self, (x, y): Point) -> bool {
        self.side_of((2 * x as i64, 2 * y as i64)) == 0
    }

    /// The two cells at that corner which a segment through it does not enter.
    const fn side_cells(&self, (x, y): Point) -> (Point, Point) {
        let falling = (self.from.0 < self.to.0) == (self.from.1 < self.to.1);
        if falling { ((x, y - 1), (x - 1, y)) } else { ((x - 1, y - 1), (x, y)) }
    }
}

/// Whether the closed interval between two ends meets the open interval
/// `(low, low + 2)`.
fn overlap((one, other): (i64, i64), low: i64) -> bool {
    one.max(other) > low && one.min(other) < low + 2
}

/// Length of a shortest path that may bend at any cell centre and goes
/// straight, as [`visible`] allows, in between; `None` if there is no path.
///
/// Weights are ignored: a straight line over several weights has no one cost.
///
/// # Complexity
/// O(n²) visibility tests for n free cells. For small maps only.
pub fn any_angle_optimum(map: &PlainMap, diagonals: Diagonals, start: Point, goal: Point) -> Option<f64> {
    if !map.is_free_at(goal) {
        return None;
    }
    sight_dijkstra(map, diagonals, start, Some(goal))[map.index(goal)]
}

/// [`any_angle_optimum`] from one start to every cell.
pub fn any_angle_distances(map: &PlainMap, diagonals: Diagonals, start: Point) -> Vec<Option<f64>> {
    sight_dijkstra(map, diagonals, start, None)
}

/// Dijkstra's algorithm on the visibility graph, without a heap: each round
/// looks through all cells for the nearest. With a goal it stops when that is
/// settled, and only the goal's entry means anything.
fn sight_dijkstra(
    map: &PlainMap,
    diagonals: Diagonals,
    start: Point,
    goal: Option<Point>,
) -> Vec<Option<f64>> {
    let mut best = vec![None; map.free.len()];
    if !map.is_free_at(start) {
        return best;
    }
    best[map.index(start)] = Some(0.0);
    let mut waiting = map.free_points();
    while let Some((place, from, reached)) = nearest(map, &waiting, &best) {
        waiting.swap_remove(place);
        if Some(from) == goal {
            break;
        }
        for &to in &waiting {
            let total = reached + euclid(from, to);
            let entry = &mut best[map.index(to)];
            let better = entry.is_none_or(|known| total < known);
            if better && visible(map, diagonals, from, to) {
                *entry = Some(total);
            }
        }
    }
    best
}

/// The waiting cell that was reached at the smallest length, if any was.
fn nearest(map: &PlainMap, waiting: &[Point], best: &[Option<f64>]) -> Option<(usize, Point, f64)> {
    let reached = waiting.iter().enumerate();
    let reached = reached.filter_map(|(place, &cell)| Some((place, cell, best[map.index(cell)]?)));
    reached.min_by(|one, other| one.2.total_cmp(&other.2))
}

/// Length of the straight line between two cell centres, in cells.
pub(crate) fn euclid(a: Point, b: Point) -> f64 {
    (a.0.abs_diff(b.0) as f64).hypot(a.1.abs_diff(b.1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::ascii;
    use crate::random::SplitMix64;

    const SQRT2: DiagonalCost = DiagonalCost::Sqrt2;

    /// Cost and any-angle length of the drawn query under each rule.
    fn costs(text: &str, cost: DiagonalCost) -> [Option<u64>; 4] {
        let drawing = ascii(text);
        let (start, goal) = drawing.query();
        Diagonals::ALL.map(|rule| distance(&drawing.map, rule, cost, start, goal))
    }

    #[test]
    fn straight_and_diagonal_steps_have_their_units() {
        assert_eq!(costs("S..G", SQRT2), [Some(3 * 4756); 4]);
        let diagonal = "S..\n...\n..G";
        let expected = [Some(2 * 6726), Some(2 * 6726), Some(2 * 6726), Some(4 * 4756)];
        assert_eq!(costs(diagonal, SQRT2), expected);
        assert_eq!(costs(diagonal, DiagonalCost::Ratio142)[0], Some(14_200));
        assert_eq!(costs("SG", DiagonalCost::Ratio142)[0], Some(5000));
    }

    #[test]
    fn rules_decide_at_corners() {
        let two = Some(2 * 4756);
        assert_eq!(costs("S#\n.G", SQRT2), [two, Some(6726), Some(6726), two]);
        assert_eq!(costs("S#\n#G", SQRT2), [None, None, Some(6726), None]);
    }

    #[test]
    fn steps_cost_the_mean_of_both_weights() {
        assert_eq!(costs("S4G", SQRT2)[0], Some(5 * 4756));
        let drawing = ascii("12\n.3");
        let found = distance(&drawing.map, Diagonals::Strict, SQRT2, (0, 0), (1, 1));
        assert_eq!(found, Some(2 * 6726));
        let found = distance(&drawing.map, Diagonals::Strict, SQRT2, (0, 0), (1, 0));
        assert_eq!(found, Some(3 * 4756 / 2));
    }

    #[test]
    fn detours_pay_when_weights_are_high() {
        let expected = Some(2 * 6726 + 2 * 4756);
        assert_eq!(costs("S999G\n.....", SQRT2)[1], expected);
    }

    #[test]
    fn blocked_and_outside_ends_have_no_path() {
        let map = PlainMap::from_ascii(".#.");
        for (a, b) in
            [((0, 0), (2, 0)), ((1, 0), (0, 0)), ((0, 0), (1, 0)), ((0, 0), (3, 0)), ((0, 9), (0, 0))]
        {
            assert_eq!(distance(&map, Diagonals::Free, SQRT2, a, b), None, "{a:?} {b:?}");
            assert_eq!(any_angle_optimum(&map, Diagonals::Free, a, b), None);
        }
        assert_eq!(distances(&map, Diagonals::Free, SQRT2, (1, 0)), [None; 3]);
        assert_eq!(distance(&map, Diagonals::Free, SQRT2, (2, 0), (2, 0)), Some(0));
    }

    fn random_map(random: &mut SplitMix64, side: usize) -> PlainMap {
        let (width, height) = (random.between(1, side), random.between(1, side));
        let mut map = PlainMap::new(width, height, true);
        let blocked = random.below(60) as u32;
        map.free.iter_mut().for_each(|free| *free = !random.chance(blocked));
        map
    }

    /// Relaxes every step until nothing changes: slower still, no queue.
    fn bellman_ford(map: &PlainMap, rule: Diagonals, start: Point) -> Vec<Option<u64>> {
        let mut best = vec![None; map.free.len()];
        best[map.index(start)] = map.is_free_at(start).then_some(0);
        loop {
            let before = best.clone();
            for from in map.free_points() {
                for to in map.free_points() {
                    let Some(reached) = best[map.index(from)] else {
                        continue;
                    };
                    if map.allows_step(rule, from, to) {
                        let total = reached + step_cost(map, SQRT2, from, to);
                        let entry = &mut best[map.index(to)];
                        *entry = Some(entry.map_or(total, |known: u64| known.min(total)));
                    }
                }
            }
            if best == before {
                return best;
            }
        }
    }

    #[test]
    fn dijkstra_agrees_with_plain_relaxation() {
        let mut random = SplitMix64::new(11);
        for round in 0..120 {
            let mut map = random_map(&mut random, 7);
            if round % 2 == 0 {
                map.weights = Some(map.free.iter().map(|_| random.between(1, 9) as u8).collect());
            }
            let rule = Diagonals::ALL[round % 4];
            let start = map.point(random.below(map.free.len()));
            let expected = bellman_ford(&map, rule, start);
            assert_eq!(distances(&map, rule, SQRT2, start), expected, "{map:?}{rule:?}");
            for goal in map.free_points() {
                let found = distance(&map, rule, SQRT2, start, goal);
                assert_eq!(found, expected[map.index(goal)]);
            }
        }
    }

    #[test]
    fn regions_follow_the_rule() {
        let map = PlainMap::from_ascii("..#.\n.#..\n####\n...#");
        let (count, labels) = regions(&map, Diagonals::OneSide);
        assert_eq!(count, 3);
        let (x, y, z) = (Some(0), Some(1), Some(2));
        let expected = [[x, x, None, y], [x, None, y, y], [None; 4], [z, z, z, None]].concat();
        assert_eq!(labels, expected);
        assert_eq!(regions(&map, Diagonals::Strict).0, 3);
        assert_eq!(regions(&map, Diagonals::Free).0, 2);
    }

    #[test]
    fn regions_agree_with_distances() {
        let mut random = SplitMix64::new(12);
        for round in 0..100 {
            let map = random_map(&mut random, 8);
            let rule = Diagonals::ALL[round % 4];
            let labels = regions(&map, rule).1;
            let start = map.point(random.below(map.free.len()));
            let label = labels[map.index(start)];
            for (found, other) in distances(&map, rule, SQRT2, start).iter().zip(&labels) {
                assert_eq!(found.is_some(), label.is_some() && label == *other);
            }
        }
    }

    /// Which rules let the drawn S and G see each other, both ways.
    fn seeing(text: &str) -> Vec<Diagonals> {
        let drawing = ascii(text);
        let (start, goal) = drawing.query();
        let there = |rule: &Diagonals| visible(&drawing.map, *rule, start, goal);
        let back = |rule: &Diagonals| visible(&drawing.map, *rule, goal, start);
        let seeing: Vec<_> = Diagonals::ALL.into_iter().filter(there).collect();
        assert_eq!(seeing, Diagonals::ALL.into_iter().filter(back).collect::<Vec<_>>());
        seeing
    }

    #[test]
    fn lines_along_the_axes_need_the_cells_between() {
        assert_eq!(seeing("####\nS..G\n####"), Diagonals::ALL);
        assert_eq!(seeing("S.#G"), []);
        assert_eq!(seeing("#S#\n#.#\n#G#"), Diagonals::ALL);
        assert_eq!(seeing("S\n#\nG"), []);
    }

    #[test]
    fn diagonal_lines_are_judged_at_each_corner() {
        use Diagonals::{Free, OneSide, Strict};
        assert_eq!(seeing("S..\n...\n..G"), [Strict, OneSide, Free]);
        assert_eq!(seeing("S..\n..#\n..G"), [OneSide, Free]);
        assert_eq!(seeing("S..\n..#\n.#G"), [Free]);
        assert_eq!(seeing("..G\n.##\nS.."), []);
        assert_eq!(seeing("..G\n..#\nS.."), [OneSide, Free]);
        assert_eq!(seeing("..G\n#..\nS#."), [Free]);
        assert_eq!(seeing("S.#\n...\n#.G"), [Strict, OneSide, Free]);
    }

    /// A knight's move crosses the two cells between, and no corner.
    #[test]
    fn oblique_lines_need_every_cell_they_enter() {
        use Diagonals::{Free, OneSide, Strict};
        assert_eq!(seeing("S.#\n#.G"), [Strict, OneSide, Free]);
        assert_eq!(seeing("S#.\n..G"), []);
        assert_eq!(seeing("S..\n.#G"), []);
        // Three right and one down passes through the corner at (2, 1).
        assert_eq!(seeing("S.##\n##.G"), [Free]);
        assert_eq!(seeing("S..#\n##.G"), [OneSide, Free]);
        assert_eq!(seeing("S..#\n#..G"), [Strict, OneSide, Free]);
    }

    #[test]
    fn cells_see_themselves_unless_blocked() {
        let map = PlainMap::from_ascii(".#");
        assert!(visible(&map, Diagonals::None, (0, 0), (0, 0)));
        assert!(!visible(&map, Diagonals::Free, (1, 0), (1, 0)));
        assert!(!visible(&map, Diagonals::Free, (0, 0), (5, 0)));
    }

    /// A line of sight of one step is exactly a legal step.
    #[test]
    fn neighbours_see_each_other_exactly_when_they_may_step() {
        let mut random = SplitMix64::new(13);
        for round in 0..200 {
            let map = random_map(&mut random, 5);
            let rule = Diagonals::ALL[round % 4];
            for a in map.free_points() {
                for b in map.free_points() {
                    if a != b && a.0.abs_diff(b.0) <= 1 && a.1.abs_diff(b.1) <= 1 {
                        let seen = visible(&map, rule, a, b);
                        assert_eq!(seen, map.allows_step(rule, a, b), "{map:?}{a:?} {b:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn any_angle_paths_are_straight_or_bend_at_centres() {
        let drawing = ascii("S....\n.....\n....G");
        let (start, goal) = drawing.query();
        let found = any_angle_optimum(&drawing.map, Diagonals::Strict, start, goal);
        assert_eq!(found, Some(4f64.hypot(2.0)));

        let drawing = ascii("S....\n..##.\n....G");
        let found = any_angle_optimum(&drawing.map, Diagonals::Strict, start, goal).unwrap();
        // Around the wall, past the cells below its left end.
        let expected = 1f64.hypot(2.0) + 3.0;
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }

    /// Any-angle paths are never longer than grid paths and exist exactly when
    /// those do; without diagonals both are the same.
    #[test]
    fn any_angle_lengths_fit_grid_lengths() {
        let mut random = SplitMix64::new(14);
        for round in 0..60 {
            let map = random_map(&mut random, 8);
            let rule = Diagonals::ALL[round % 4];
            let start = map.point(random.below(map.free.len()));
            let grid = distances(&map, rule, SQRT2, start);
            let any = any_angle_distances(&map, rule, start);
            for (index, (grid, any)) in grid.iter().zip(&any).enumerate() {
                assert_eq!(grid.is_some(), any.is_some());
                let (Some(grid), Some(any)) = (grid, any) else {
                    continue;
                };
                let grid = *grid as f64 / 4756.0;
                assert!(*any <= grid + 1e-5, "{map:?}");
                assert!(*any >= euclid(start, map.point(index)) - 1e-12);
                assert!(rule != Diagonals::None || (any - grid).abs() < 1e-9);
                let alone = any_angle_optimum(&map, rule, start, map.point(index));
                assert!(alone.is_some_and(|alone| (alone - any).abs() < 1e-12));
            }
        }
    }
}
