//! Lines of sight are exact: they are clear exactly when every cell that the
//! segment enters is free and every corner that it passes is allowed.

use crate::common::{World, any_point, cases, cell, point, random_map};
use farstride::internal::RowSpan;
use farstride::{Cell, Grid, Rect};
use farstride_testkit::strategies::{diagonals, edits, maps};
use farstride_testkit::{Change, DiagonalCost, Diagonals, Edit, PlainMap, Point, SplitMix64, judge, oracle};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Every line between two cells, both ways, against the oracle.
fn assert_all_lines(world: &World, grid: &Grid) {
    let World { map, diagonals, .. } = world;
    for a in (0..map.free.len()).map(|index| map.point(index)) {
        for b in (0..map.free.len()).map(|index| map.point(index)) {
            let expected = oracle::visible(map, *diagonals, a, b);
            assert_eq!(grid.line_of_sight(cell(a), cell(b)), expected, "{a:?} to {b:?} on {world:?}");
        }
    }
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn every_line_is_what_the_oracle_says(map in maps(12, 12), rule in diagonals()) {
        let world = World::new(map, rule, DiagonalCost::Sqrt2);
        assert_all_lines(&world, &world.grid());
    }

    /// Maps above 8 cells a side have several of the blocks that lines skip.
    #[test]
    fn lines_are_right_after_every_edit(
        (map, edits) in maps(18, 12).prop_flat_map(|map| {
            let edits = edits(map.width, map.height);
            (Just(map), edits)
        }),
        rule in diagonals(),
    ) {
        let mut world = World::new(map, rule, DiagonalCost::Sqrt2);
        let mut grid = world.grid();
        for edit in edits.iter().filter(|edit| !matches!(edit.change, Change::Weight(_))).take(3) {
            apply(edit, &mut world.map, &mut grid);
            assert_all_lines(&world, &grid);
        }
    }
}

fn apply(edit: &Edit, map: &mut PlainMap, grid: &mut Grid) {
    map.apply(edit);
    let (x, y) = edit.corner;
    let area = Rect::spanning(cell(edit.corner), cell((x + edit.width - 1, y + edit.height - 1)));
    let change = match edit.change {
        Change::Free => grid.free(area),
        Change::Blocked => grid.block(area),
        Change::Weight(weight) => grid.set_weight(area, weight),
    };
    let _ = change.expect("the edit is on the map");
}

/// Lines seen and lines hidden.
#[derive(Default, Debug)]
struct Tally {
    seen: u32,
    hidden: u32,
}

impl Tally {
    /// Compares one line both ways with the judge.
    fn look(&mut self, world: &World, grid: &Grid, a: Point, b: Point) {
        let expected = judge::sees(&world.map, world.diagonals, a, b);
        let (there, back) = (grid.line_of_sight(cell(a), cell(b)), grid.line_of_sight(cell(b), cell(a)));
        assert_eq!((there, back), (expected, expected), "{a:?} to {b:?} on {world:?}");
        *(if expected { &mut self.seen } else { &mut self.hidden }) += 1;
    }

    /// Lines between any cells, and from one cell to all of the border.
    fn look_around(&mut self, world: &World, grid: &Grid, random: &mut SplitMix64) {
        let map = &world.map;
        for _ in 0..150 {
            let (a, b) = (any_point(random, map), any_point(random, map));
            self.look(world, grid, a, b);
        }
        let eye = any_point(random, map);
        for x in 0..map.width {
            self.look(world, grid, eye, (x, 0));
            self.look(world, grid, eye, (x, map.height - 1));
        }
        for y in 0..map.height {
            self.look(world, grid, eye, (0, y));
            self.look(world, grid, eye, (map.width - 1, y));
        }
    }
}

/// A block of up to 3 x 3 cells somewhere, free or blocked.
fn small_edit(random: &mut SplitMix64, map: &PlainMap, change: Change) -> Edit {
    let corner = any_point(random, map);
    let width = random.between(1, 3).min(map.width - corner.0);
    let height = random.between(1, 3).min(map.height - corner.1);
    Edit { corner, width, height, change }
}

/// Long lines at all slopes over maps with few obstacles, where eight rows at
/// a time are passed; before and after obstacles come and go.
#[test]
fn long_lines_over_open_ground_are_what_the_judge_says() {
    let mut random = SplitMix64::new(4);
    let mut tally = Tally::default();
    for round in 0..160 {
        let (width, height) = (random.between(1, 120), random.between(1, 120));
        let obstacles = random.below(1 + width * height / 150);
        let rule = Diagonals::ALL[round % 4];
        let mut world = World::new(PlainMap::new(width, height, true), rule, DiagonalCost::Sqrt2);
        for _ in 0..obstacles {
            world.map.apply(&small_edit(&mut random, &world.map, Change::Blocked));
        }
        let mut grid = world.grid();
        tally.look_around(&world, &grid, &mut random);
        for _ in 0..4 {
            let change = if random.chance(50) { Change::Blocked } else { Change::Free };
            let edit = small_edit(&mut random, &world.map, change);
            apply(&edit, &mut world.map, &mut grid);
            tally.look_around(&world, &grid, &mut random);
        }
    }
    assert!(tally.seen > 50_000 && tally.hidden > 50_000, "{tally:?}");
}

/// One blocked cell on an open map hides exactly what lies behind it; its
/// place goes through all positions in a block of 8 x 8.
#[test]
fn a_single_obstacle_hides_what_the_judge_says() {
    let mut random = SplitMix64::new(5);
    let mut tally = Tally::default();
    for place in 0..64 {
        for rule in [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free] {
            let mut world = World::new(PlainMap::new(40, 33, true), rule, DiagonalCost::Sqrt2);
            let obstacle = (12 + place % 8, 12 + place / 8);
            world.map.set_free(obstacle, false);
            let grid = world.grid();
            tally.look_around(&world, &grid, &mut random);
            for dx in [-1, 0, 1] {
                for dy in [-1, 0, 1] {
                    let beside = |side: usize, by: isize| side.checked_add_signed(by).unwrap();
                    let from = (beside(obstacle.0, dx), beside(obstacle.1, dy));
                    for _ in 0..20 {
                        let to = any_point(&mut random, &world.map);
                        tally.look(&world, &grid, from, to);
                    }
                }
            }
        }
    }
    assert!(tally.hidden > 2000, "{tally:?}");
}

#[test]
fn crowded_maps_hide_what_the_judge_says() {
    let mut random = SplitMix64::new(6);
    let mut tally = Tally::default();
    for round in 0..120 {
        let (width, height) = (random.between(1, 40), random.between(1, 40));
        let blocked = random.between(1, 30) as u32;
        let map = random_map(&mut random, width, height, blocked);
        let world = World::new(map, Diagonals::ALL[round % 4], DiagonalCost::Sqrt2);
        tally.look_around(&world, &world.grid(), &mut random);
    }
    assert!(tally.seen > 2000 && tally.hidden > 10_000, "{tally:?}");
}

#[test]
fn nothing_is_seen_from_or_at_cells_outside() {
    let grid = Grid::empty(9, 5).unwrap();
    let inside = Cell::new(4, 2);
    for outside in [Cell::new(9, 2), Cell::new(4, 5), Cell::new(u16::MAX, 0), Cell::new(0, u16::MAX)] {
        assert!(!grid.line_of_sight(inside, outside));
        assert!(!grid.line_of_sight(outside, inside));
        assert!(!grid.line_of_sight(outside, outside));
    }
}

/// A segment between cell centres on the doubled plane, where cell (x, y) is
/// the open square from (2x, 2y) to (2x + 2, 2y + 2).
struct Segment {
    from: (i64, i64),
    to: (i64, i64),
}

impl Segment {
    fn between(a: Cell, b: Cell) -> Self {
        let centre = |cell: Cell| (2 * i64::from(cell.x) + 1, 2 * i64::from(cell.y) + 1);
        Self { from: centre(a), to: centre(b) }
    }

    /// Which side of the line a point is on: the sign, 0 if on it.
    fn side(&self, x: i64, y: i64) -> i64 {
        let (dx, dy) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        (dx * (y - self.from.1) - dy * (x - self.from.0)).signum()
    }

    /// Whether the segment meets the interior of a cell: neither beside its
    /// rows or columns, nor with all of its corners on one side or on the line.
    fn meets(&self, x: i64, y: i64) -> bool {
        let (left, top) = (2 * x, 2 * y);
        let beside = self.from.0.max(self.to.0) <= left
            || self.from.0.min(self.to.0) >= left + 2
            || self.from.1.max(self.to.1) <= top
            || self.from.1.min(self.to.1) >= top + 2;
        let corners = [(left, top), (left + 2, top), (left, top + 2), (left + 2, top + 2)];
        let sides = corners.map(|(x, y)| self.side(x, y));
        !beside && sides.contains(&1) && sides.contains(&-1)
    }

    /// Whether the segment crosses the lower border of row `y` in a corner.
    fn leaves_by_corner(&self, y: i64) -> bool {
        let border = 2 * y + 2;
        let (left, right) = (self.from.0.min(self.to.0), self.from.0.max(self.to.0));
        (left..=right).any(|x| x % 2 == 0 && self.side(x, border) == 0)
    }
}

#[test]
fn row_spans_are_the_cells_that_the_segment_meets() {
    const SIDE: u16 = 10;
    let all = || Rect::spanning(Cell::new(0, 0), Cell::new(SIDE - 1, SIDE - 1)).cells();
    for a in all() {
        let point_like: Vec<_> = Grid::row_spans(a, a).collect();
        assert_eq!(point_like, [RowSpan { y: a.y, from: a.x, to: a.x, corner: false }]);
        for b in all().filter(|&b| b != a) {
            let segment = Segment::between(a, b);
            let met = all().filter(|cell| segment.meets(cell.x.into(), cell.y.into()));
            let met: BTreeSet<_> = met.map(point).collect();
            let spans: Vec<_> = Grid::row_spans(a, b).collect();
            let entered = spans.iter().flat_map(|span| (span.from..=span.to).map(|x| (x, span.y)));
            let entered: Vec<_> = entered.map(|(x, y)| point(Cell::new(x, y))).collect();
            assert_eq!(entered.len(), met.len(), "{a} to {b}: {spans:?}");
            assert_eq!(entered.into_iter().collect::<BTreeSet<_>>(), met, "{a} to {b}: {spans:?}");
            let (last, others) = spans.split_last().unwrap();
            assert!(!last.corner);
            for span in others {
                let corner = segment.leaves_by_corner(span.y.into());
                assert_eq!(span.corner, corner, "{a} to {b}: {span:?}");
            }
        }
    }
}

#[test]
fn crossed_cells_are_those_that_the_segment_meets() {
    const SIDE: u16 = 10;
    let all = || Rect::spanning(Cell::new(0, 0), Cell::new(SIDE - 1, SIDE - 1)).cells();
    for (a, b) in all().flat_map(|a| all().map(move |b| (a, b))) {
        let crossed: Vec<Cell> = Grid::crossed_cells(&[a, b]).collect();
        assert_eq!((crossed[0], crossed[crossed.len() - 1]), (a, b));
        let spans = Grid::row_spans(a, b);
        let mut met: Vec<Cell> =
            spans.flat_map(|span| (span.from..=span.to).map(move |x| Cell::new(x, span.y))).collect();
        met.sort_unstable();
        let mut sorted = crossed.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, met, "{a} to {b}");
        assert!(crossed.is_sorted_by_key(|cell| cell.x.abs_diff(a.x) + cell.y.abs_diff(a.y)), "{a} to {b}");
    }
}

/// Start, goal and the turning points between, each in sight of the next.
fn walk(grid: &Grid, start: Cell, random: &mut SplitMix64) -> Vec<Cell> {
    let mut points = vec![start];
    let mut at = start;
    for _ in 0..40 {
        let next = Cell::new(
            random.below(grid.width()).try_into().unwrap(),
            random.below(grid.height()).try_into().unwrap(),
        );
        if next != at && grid.line_of_sight(at, next) {
            points.push(next);
            at = next;
        }
    }
    points
}

proptest! {
    #![proptest_config(cases(250))]

    /// What an any-angle path crosses is a legal path of steps by every rule,
    /// and the same on the way back.
    #[test]
    fn crossed_cells_are_a_path_of_steps(map in maps(14, 14), rule in diagonals(), seed: u64) {
        let world = World::new(map, rule, DiagonalCost::Sqrt2);
        let (grid, mut random) = (world.grid(), SplitMix64::new(seed));
        let start = cell(any_point(&mut random, &world.map));
        prop_assume!(grid.is_free(start));
        let mut points = walk(&grid, start, &mut random);
        let crossed: Vec<Cell> = Grid::crossed_cells(&points).collect();
        let goal = points[points.len() - 1];
        let steps: Vec<Point> = crossed.iter().copied().map(point).collect();
        let judged =
            judge::judge_grid(&world.map, rule, DiagonalCost::Sqrt2, point(start), point(goal), &steps);
        let legs = points.windows(2).map(|leg| {
            f64::from(leg[0].x.abs_diff(leg[1].x)).hypot(f64::from(leg[0].y.abs_diff(leg[1].y)))
        });
        let straight: f64 = legs.sum();
        prop_assert!(judged.is_ok_and(|verdict| verdict.length >= straight - 1e-9), "{points:?}: {crossed:?}");
        prop_assert_eq!(Grid::crossed_cells(&crossed).collect::<Vec<_>>(), crossed.clone());
        points.reverse();
        let mut back: Vec<Cell> = Grid::crossed_cells(&points).collect();
        back.reverse();
        prop_assert_eq!(back, crossed);
    }
}

/// The spans of segments across the largest maps begin and end where the
/// segment meets a cell and no cell beyond.
#[test]
fn row_spans_are_exact_on_the_largest_map() {
    let mut random = SplitMix64::new(7);
    let largest = Grid::MAX_SIDE - 1;
    let mut pairs = vec![
        ((0, 0), (largest, largest)),
        ((0, largest), (largest, 0)),
        ((largest, 0), (0, 1)),
        ((0, 0), (1, largest)),
        ((0, 0), (largest - 1, largest)),
    ];
    pairs.extend((0..60).map(|_| {
        let mut end = || (random.below(largest + 1), random.below(largest + 1));
        (end(), end())
    }));
    for (a, b) in pairs {
        let segment = Segment::between(cell(a), cell(b));
        let mut rows = a.1.min(b.1)..=a.1.max(b.1);
        for span in Grid::row_spans(cell(a), cell(b)) {
            assert_eq!(rows.next(), Some(span.y.into()), "{a:?} to {b:?}");
            let (y, from, to) = (i64::from(span.y), i64::from(span.from), i64::from(span.to));
            let met = [from - 1, from, to, to + 1].map(|x| segment.meets(x, y));
            assert_eq!(met, [false, true, true, false], "{a:?} to {b:?}: {span:?}");
        }
        assert_eq!(rows.next(), None, "{a:?} to {b:?}");
    }
}
