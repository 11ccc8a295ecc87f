//! The index and the search, held against strings found by brute force.

use super::build::{Builder, CONTRACTION};
use super::graph::TautCorners;
use super::index::Kept;
use super::search::{StringScratch, search};
use super::{StraightIndex, StraightKind, StraightRule, StraightSettings};
use crate::base::crew::{Crew, Watch};
use crate::base::{BuildOptions, Bytes, Cell, Point};
use crate::grid::Grid;
use crate::hublabel::HubLabels;
use crate::labels::{Block, LabelScratch};
use farstride_testkit::taut::{self, HalfPoint, Strings, judge_points};
use farstride_testkit::{Fault, Kind, PlainMap, SplitMix64, body, generate, judge_any_angle};
use std::ops::Range;
use std::sync::Arc;

/// What a path may be longer than the shortest: the promise of the index.
const PROMISE: f64 = 2e-3;
/// Lengths of the search are exact up to rounding.
const ROUNDING: f64 = 1e-4;

fn grid(map: &PlainMap) -> Grid {
    Grid::from_fn(map.width, map.height, |cell| map.is_free_at((cell.x.into(), cell.y.into()))).unwrap()
}

fn cell((x, y): (usize, usize)) -> Cell {
    Cell::new(x as u16, y as u16)
}

fn half_points(points: &[Point]) -> Vec<HalfPoint> {
    points.iter().map(|point| (point.x.into(), point.y.into())).collect()
}

const RULES: [StraightRule; 2] = [StraightRule::Touch, StraightRule::Body];

/// All shortest paths by a rule, found by brute force.
fn strings(map: &PlainMap, rule: StraightRule) -> Strings<'_> {
    match rule {
        StraightRule::Touch => Strings::new(map),
        StraightRule::Body => Strings::of_bodies(map),
    }
}

/// The length of a path, judged by a rule. Legs of bodies are clear by the strict rule too.
fn judge(
    map: &PlainMap,
    rule: StraightRule,
    (start, goal): ((usize, usize), (usize, usize)),
    points: &[Point],
) -> Result<f64, Fault> {
    if rule == StraightRule::Touch {
        return judge_points(map, start, goal, &half_points(points));
    }
    let cells: Vec<_> = points.iter().filter_map(|point| point.cell()).collect();
    let cells: Vec<_> = cells.iter().map(|cell| (cell.x.into(), cell.y.into())).collect();
    judge_any_angle(map, farstride_testkit::Diagonals::Strict, start, goal, &cells)?;
    body::judge_body(map, start, goal, &half_points(points))
}

/// Memory of a test.
#[derive(Default)]
struct Memory {
    labels: LabelScratch,
    strings: StringScratch,
    points: Vec<Point>,
}

/// Asks index and search for every pair of free cells.
fn check_all_pairs(map: &PlainMap, index: &StraightIndex, memory: &mut Memory) {
    let grid = &grid(map);
    let strings = strings(map, index.settings.rule);
    for start in map.free_points() {
        let lengths = strings.lengths_from(start);
        for goal in map.free_points().into_iter().filter(|&goal| goal != start) {
            let best = lengths[map.index(goal)];
            check_pair(map, grid, index, (start, goal), best, memory);
        }
    }
}

fn check_pair(
    map: &PlainMap,
    grid: &Grid,
    index: &StraightIndex,
    (start, goal): ((usize, usize), (usize, usize)),
    best: Option<f64>,
    memory: &mut Memory,
) {
    let ends = (cell(start), cell(goal));
    let Memory { labels, strings, points } = memory;
    let told = || format!("{start:?} to {goal:?} on\n{}", map.to_ascii());
    let rule = index.settings.rule;
    let found = search(grid, rule, ends, strings, Some(points), &mut ());
    assert_eq!(found.is_some(), best.is_some(), "{}", told());
    if let Some(best) = best {
        let length = judge(map, rule, (start, goal), points);
        let length = length.unwrap_or_else(|fault| panic!("{fault}: {points:?} from {}", told()));
        assert!((length - best).abs() < ROUNDING, "{length} instead of {best}: {points:?} from {}", told());
    }
    let found = index.find(grid, ends, (labels, strings), Some(points), &mut ()).unwrap();
    assert_eq!(found.is_some(), best.is_some(), "{}", told());
    let alone = index.find(grid, ends, (labels, strings), None, &mut ()).unwrap();
    assert_eq!(found, alone);
    if let (Some(best), Some(cost)) = (best, found) {
        let length = judge(map, rule, (start, goal), points);
        let length = length.unwrap_or_else(|fault| panic!("{fault}: {points:?} from {}", told()));
        let costs = cost.units() as f64 / 4756.0;
        assert!(length < best + PROMISE, "{length} instead of {best}: {points:?} from {}", told());
        assert!((costs - length).abs() < PROMISE, "{costs} for {length}");
    }
}

fn build(map: &PlainMap, rule: StraightRule, block: Block) -> StraightIndex {
    let settings = StraightSettings::default().with_rule(rule).with_block(block);
    let index = StraightIndex::build_with(&grid(map), settings, &BuildOptions::new().threads(1)).unwrap();
    assert!(index.full().is_some());
    index
}

#[test]
fn sight_is_that_of_the_judge() {
    let mut random = SplitMix64::new(1);
    let mut clear = 0;
    for round in 0..80 {
        let (width, height) = (random.between(2, 12), random.between(2, 12));
        let mut map = PlainMap::new(width, height, true);
        map.free.iter_mut().for_each(|free| *free = !random.chance(5 + round % 40));
        let grid = grid(&map);
        for _ in 0..3000 {
            let mut point = || {
                let corner = random.chance(60);
                let (x, y) = (random.below(width) as u32, random.below(height) as u32);
                if corner { Point { x: 2 * x + 1, y: 2 * y + 1 } } else { Point { x: 2 * x, y: 2 * y } }
            };
            let (a, b) = (point(), point());
            let inside = |p: Point| {
                p.x.is_multiple_of(2) || (p.x as usize) < 2 * width - 1 && (p.y as usize) < 2 * height - 1
            };
            let free = |p: Point| p.cell().is_none_or(|cell| grid.is_free(cell));
            if a == b || !inside(a) || !inside(b) || !free(a) || !free(b) {
                continue;
            }
            let half = |p: Point| (p.x.into(), p.y.into());
            let expected = taut::is_clear(&map, half(a), half(b));
            assert_eq!(grid.is_clear(a, b), expected, "{a} {b} on\n{}", map.to_ascii());
            assert_eq!(grid.is_clear(b, a), expected);
            clear += usize::from(expected);
        }
    }
    assert!(clear > 20_000, "{clear}");
}

/// Sight of bodies is that of the judge, and never more than the strict rule sees.
#[test]
fn sight_of_bodies_is_that_of_the_judge() {
    let mut random = SplitMix64::new(21);
    let mut clear = 0;
    for round in 0..120 {
        let (width, height) = (random.between(1, 12), random.between(1, 90));
        let mut map = PlainMap::new(width, height, true);
        map.free.iter_mut().for_each(|free| *free = !random.chance(round % 20));
        let (grid, cells) = (grid(&map), map.free_points());
        for _ in 0..1000 {
            let (a, b) = (cells[random.below(cells.len())], cells[random.below(cells.len())]);
            let expected = body::is_clear(&map, taut::centre(a), taut::centre(b));
            let told = || format!("{a:?} {b:?} on\n{}", map.to_ascii());
            assert_eq!(grid.is_clear_for_body(cell(a), cell(b)), expected, "{}", told());
            assert_eq!(grid.is_clear_for_body(cell(b), cell(a)), expected, "{}", told());
            assert!(!expected || grid.line_of_sight(cell(a), cell(b)), "{}", told());
            clear += usize::from(expected);
        }
    }
    assert!(clear > 20_000, "{clear}");
}

#[test]
fn every_pair_on_small_maps() {
    let mut memory = Memory::default();
    let mut random = SplitMix64::new(2);
    for round in 0..300 {
        let (width, height) = (random.between(1, 9), random.between(1, 9));
        let mut map = PlainMap::new(width, height, true);
        map.free.iter_mut().for_each(|free| *free = !random.chance(5 + round % 50));
        for rule in RULES {
            check_all_pairs(&map, &build(&map, rule, Block::Eight), &mut memory);
        }
    }
}

/// One map of 4 × 4 cells in 32, another one in every run of the list; `./exhaustive` takes
/// them all.
#[test]
fn every_pair_on_many_maps_of_four_by_four() {
    let mut memory = Memory::default();
    for bits in (0..1_u32 << 16).step_by(37) {
        for rule in RULES {
            check_all_pairs(
                &four_by_four(bits),
                &build(&four_by_four(bits), rule, Block::Eight),
                &mut memory,
            );
        }
    }
}

/// Other maps than `./test` has, from many starts: full labels and a climb index.
#[test]
#[ignore = "takes minutes; run by ./exhaustive"]
fn ten_million_pairs_on_larger_maps() {
    let mut memory = Memory::default();
    let mut random = SplitMix64::new(77);
    let mut pairs = 0;
    for seed in 100.. {
        for map in maps_of(seed) {
            let (grid, cells) = (grid(&map), map.free_points());
            for rule in RULES {
                let strings = strings(&map, rule);
                let indexes = [build(&map, rule, Block::Eight), climbs(&map, rule).swap_remove(0)];
                for round in 0..10 {
                    let start = cells[random.below(cells.len())];
                    let lengths = strings.lengths_from(start);
                    for &goal in cells.iter().filter(|&&goal| goal != start) {
                        let best = lengths[map.index(goal)];
                        check_pair(&map, &grid, &indexes[round % 2], (start, goal), best, &mut memory);
                        pairs += 1;
                    }
                }
            }
        }
        if pairs >= 10_000_000 {
            return;
        }
    }
}

#[test]
#[ignore = "takes half a minute; run by ./exhaustive"]
fn every_pair_on_every_map_of_four_by_four() {
    let mut memory = Memory::default();
    for bits in 0..1_u32 << 16 {
        for rule in RULES {
            check_all_pairs(
                &four_by_four(bits),
                &build(&four_by_four(bits), rule, Block::Eight),
                &mut memory,
            );
        }
    }
}

fn four_by_four(bits: u32) -> PlainMap {
    let mut map = PlainMap::new(4, 4, true);
    map.free.iter_mut().enumerate().for_each(|(at, free)| *free = bits >> at & 1 == 0);
    map
}

/// Larger maps of several kinds.
fn large_maps() -> Vec<PlainMap> {
    maps_of(7)
}

fn maps_of(seed: u64) -> Vec<PlainMap> {
    let kinds = [
        Kind::Maze { corridor: 2, wall: 1 },
        Kind::Rooms { size: 7 },
        Kind::Random { blocked_percent: 20 },
        Kind::Random { blocked_percent: 40 },
        Kind::Caves { blocked_percent: 45, rounds: 4 },
    ];
    let sizes = [(37, 29), (40, 24), (30, 30), (41, 41), (45, 33)];
    kinds
        .into_iter()
        .zip(sizes)
        .map(|(kind, (width, height))| generate(kind, width, height, seed).unwrap())
        .collect()
}

#[test]
fn random_pairs_on_larger_maps() {
    let mut memory = Memory::default();
    let mut random = SplitMix64::new(3);
    for (map, rule) in large_maps().iter().flat_map(|map| RULES.map(|rule| (map, rule))) {
        let (grid, strings, cells) = (grid(map), strings(map, rule), map.free_points());
        let indexes = [Block::Eight, Block::Sixteen].map(|block| build(map, rule, block));
        for index in &indexes {
            index.check_on(&grid).unwrap();
        }
        for _ in 0..10 {
            let start = cells[random.below(cells.len())];
            let lengths = strings.lengths_from(start);
            for &goal in cells.iter().filter(|&&goal| goal != start) {
                for index in &indexes {
                    check_pair(map, &grid, index, (start, goal), lengths[map.index(goal)], &mut memory);
                }
            }
        }
    }
}

/// Climb indexes of a map: with labels of all corners, of some, and with a core.
fn climbs(map: &PlainMap, rule: StraightRule) -> Vec<StraightIndex> {
    let (grid, watch) = (grid(map), Watch::none());
    let settings = StraightSettings::default().with_rule(rule);
    let climb = |budget: u64, core_degree: u32| {
        let mut taut = TautCorners::find(rule.on(&grid), usize::MAX).unwrap();
        taut.link(&Crew::new(1, 1, watch)).unwrap();
        let settings = settings.with_budget(budget);
        let contraction = CONTRACTION.with_core_degree(core_degree);
        let climb = Builder { grid: &grid, settings, contraction, threads: 1, watch }.climb(&taut);
        climb.unwrap().unwrap()
    };
    let all = climb(settings.budget, u32::MAX);
    let less = all.byte_count() - all.index.labels().entry_count() * HubLabels::ENTRY_BYTES / 3;
    [climb(less as u64, u32::MAX), climb(settings.budget, 3), all]
        .map(|climb| StraightIndex {
            settings,
            kept: Kept::Climb(climb),
            revision: grid.revision(),
            saved: None,
        })
        .into()
}

#[test]
fn climb_indexes_are_as_exact_as_labels() {
    let mut memory = Memory::default();
    let mut random = SplitMix64::new(12);
    for round in 0..60 {
        let (width, height) = (random.between(2, 9), random.between(2, 9));
        let mut map = PlainMap::new(width, height, true);
        map.free.iter_mut().for_each(|free| *free = !random.chance(5 + round % 50));
        for index in RULES.into_iter().flat_map(|rule| climbs(&map, rule)) {
            check_all_pairs(&map, &index, &mut memory);
        }
    }
    let mut kinds = [0; 2];
    for (map, rule) in large_maps().iter().flat_map(|map| RULES.map(|rule| (map, rule))) {
        let (grid, strings, cells) = (grid(map), strings(map, rule), map.free_points());
        for index in climbs(map, rule) {
            index.check_on(&grid).unwrap();
            match index.kind() {
                StraightKind::Hybrid { labelled } => {
                    kinds[0] += usize::from((labelled as usize) < index.counts().corners);
                }
                StraightKind::Core { .. } => kinds[1] += 1,
                other => panic!("{other}"),
            }
            for _ in 0..5 {
                let start = cells[random.below(cells.len())];
                let lengths = strings.lengths_from(start);
                for &goal in cells.iter().filter(|&&goal| goal != start) {
                    check_pair(map, &grid, &index, (start, goal), lengths[map.index(goal)], &mut memory);
                }
            }
        }
    }
    assert!(kinds.iter().all(|&kind| kind > 0), "{kinds:?}");
}

#[test]
fn threads_do_not_matter() {
    for (map, rule) in large_maps().iter().flat_map(|map| RULES.map(|rule| (map, rule))) {
        let grid = grid(map);
        let build = |threads| {
            let options = BuildOptions::new().threads(threads);
            StraightIndex::build_with(&grid, StraightSettings::default().with_rule(rule), &options).unwrap()
        };
        let (one, three) = (build(1), build(3));
        assert_eq!(one, three);
        assert_eq!(one.digest(), three.digest());
    }
}

#[test]
fn a_small_budget_gives_larger_blocks_or_a_search() {
    let mut kinds = Vec::new();
    let rooms = generate(Kind::Rooms { size: 15 }, 200, 160, 3).unwrap();
    for map in large_maps().into_iter().chain([rooms]) {
        let grid = grid(&map);
        let none = StraightIndex::build(&grid, StraightSettings::default().with_budget(0));
        assert_eq!((none.kind(), none.byte_count()), (StraightKind::Search, 0));
        let eight = StraightIndex::build(&grid, StraightSettings::default());
        assert_eq!(eight.kind(), StraightKind::Full { block: 8 });
        let budget = eight.byte_count() as u64 - 1;
        let less = StraightIndex::build(&grid, StraightSettings::default().with_budget(budget));
        assert!(less.byte_count() as u64 <= budget);
        kinds.push(less.kind());
    }
    assert!(kinds.contains(&StraightKind::Full { block: 16 }), "{kinds:?}");
}

/// Damaged bytes give an error, a path or none, but no panic and no endless walk; most
/// damage is found by the proof.
#[test]
fn damaged_bytes_are_told() {
    let map = &large_maps()[0];
    for rule in RULES {
        check_damaged(map, &build(map, rule, Block::Eight));
        for index in climbs(map, rule) {
            check_damaged(map, &index);
        }
    }
}

fn check_damaged(map: &PlainMap, index: &StraightIndex) {
    let grid = grid(map);
    let (bytes, places) = joined(index);
    let size = (map.width, map.height);
    let open = |bytes: Vec<u8>| {
        let bytes: Bytes = Arc::new(bytes);
        StraightIndex::restore(&bytes, &places, size, index.form(), index.digest())
            .map(|index| index.bound_to(&grid))
    };
    let whole = open(bytes.clone()).unwrap();
    whole.check(&grid).unwrap();
    assert_eq!(whole, *index);
    let mut random = SplitMix64::new(9);
    let (mut told, rounds) = (0, 400);
    let cells = map.free_points();
    let mut memory = Memory::default();
    for round in 0..rounds {
        let mut damaged = bytes.clone();
        if round % 8 == 0 {
            damaged.truncate(random.below(bytes.len()));
        } else {
            for _ in 0..=round % 5 {
                damaged[random.below(bytes.len())] ^= 1 << random.below(8);
            }
        }
        let Ok(opened) = open(damaged) else {
            told += 1;
            continue;
        };
        told += usize::from(opened.check_on(&grid).is_err());
        for _ in 0..20 {
            let ends = (cell(cells[random.below(cells.len())]), cell(cells[random.below(cells.len())]));
            let Memory { labels, strings, points } = &mut memory;
            let _ = opened.find(&grid, ends, (labels, strings), Some(points), &mut ());
        }
    }
    assert!(told > rounds / 2, "{told} of {rounds}");
}

/// Labels of one rule in the form of the other are refused: most legs are not clear, or corners
/// lie elsewhere.
#[test]
fn labels_of_another_rule_are_told() {
    for map in large_maps() {
        let grid = grid(&map);
        for (rule, other) in [(RULES[0], RULES[1]), (RULES[1], RULES[0])] {
            let (index, stranger) = (build(&map, rule, Block::Eight), build(&map, other, Block::Eight));
            let (bytes, places) = joined(&index);
            let (bytes, size): (Bytes, _) = (Arc::new(bytes), (map.width, map.height));
            let opened = StraightIndex::restore(&bytes, &places, size, stranger.form(), index.digest());
            assert!(opened.unwrap().bound_to(&grid).check_on(&grid).is_err());
        }
    }
}

/// The segments of an index in one array, and where they are.
fn joined(index: &StraightIndex) -> (Vec<u8>, Vec<Range<usize>>) {
    let parts = index.contents_of_parts();
    let mut end = 0;
    let places = parts.iter().map(|part| {
        end += part.len();
        end - part.len()..end
    });
    let places = places.collect();
    (parts.concat(), places)
}
