//! The index and the search, held against strings found by brute force.

use super::build::{Builder, CONTRACTION};
use super::graph::TautCorners;
use super::index::Kept;
use super::search::{StringScratch, search};
use super::{StraightIndex, StraightKind, StraightSettings};
use crate::base::crew::{Crew, Watch};
use crate::base::{BuildOptions, Bytes, Cell, Point};
use crate::grid::Grid;
use crate::hublabel::HubLabels;
use crate::labels::{Block, LabelScratch};
use farstride_testkit::taut::{self, HalfPoint, Strings, judge_points};
use farstride_testkit::{Kind, PlainMap, SplitMix64, generate};
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
    let strings = Strings::new(map);
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
    let found = search(grid, ends, strings, Some(points), &mut ());
    assert_eq!(found.is_some(), best.is_some(), "{}", told());
    if let Some(best) = best {
        let length = judge_points(map, start, goal, &half_points(points));
        let length = length.unwrap_or_else(|fault| panic!("{fault}: {points:?} from {}", told()));
        assert!((length - best).abs() < ROUNDING, "{length} instead of {best}: {points:?} from {}", told());
    }
    let found = index.find(grid, ends, (labels, strings), Some(points), &mut ()).unwrap();
    assert_eq!(found.is_some(), best.is_some(), "{}", told());
    let alone = index.find(grid, ends, (labels, strings), None, &mut ()).unwrap();
    assert_eq!(found, alone);
    if let (Some(best), Some(cost)) = (best, found) {
        let length = judge_points(map, start, goal, &half_points(points));
        let length = length.unwrap_or_else(|fault| panic!("{fault}: {points:?} from {}", told()));
        let costs = cost.units() as f64 / 4756.0;
        assert!(length < best + PROMISE, "{length} instead of {best}: {points:?} from {}", told());
        assert!((costs - length).abs() < PROMISE, "{costs} for {length}");
    }
}

fn build(map: &PlainMap, block: Block) -> StraightIndex {
    let settings = StraightSettings::default().with_block(block);
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

#[test]
fn every_pair_on_small_maps() {
    let mut memory = Memory::default();
    let mut random = SplitMix64::new(2);
    for round in 0..300 {
        let (width, height) = (random.between(1, 9), random.between(1, 9));
        let mut map = PlainMap::new(width, height, true);
        map.free.iter_mut().for_each(|free| *free = !random.chance(5 + round % 50));
        check_all_pairs(&map, &build(&map, Block::Eight), &mut memory);
    }
}

/// One map of 4 × 4 cells in 32, another one in every run of the list; `./exhaustive` takes
/// them all.
#[test]
fn every_pair_on_many_maps_of_four_by_four() {
    let mut memory = Memory::default();
    for bits in (0..1_u32 << 16).step_by(37) {
        check_all_pairs(&four_by_four(bits), &build(&four_by_four(bits), Block::Eight), &mut memory);
    }
}

/// Other maps than `./test` has, from many starts: full labels and a climb index.
#[test]
#[ignore = "takes about an hour: part of ./exhaustive"]
fn ten_million_pairs_on_larger_maps() {
    let mut memory = Memory::default();
    let mut random = SplitMix64::new(77);
    let mut pairs = 0;
    for seed in 100.. {
        for map in maps_of(seed) {
            let (grid, strings, cells) = (grid(&map), Strings::new(&map), map.free_points());
            let indexes = [build(&map, Block::Eight), climbs(&map).swap_remove(0)];
            for round in 0..20 {
                let start = cells[random.below(cells.len())];
                let lengths = strings.lengths_from(start);
                for &goal in cells.iter().filter(|&&goal| goal != start) {
                    let best = lengths[map.index(goal)];
                    check_pair(&map, &grid, &indexes[round % 2], (start, goal), best, &mut memory);
                    pairs += 1;
                }
            }
        }
        if pairs >= 10_000_000 {
            return;
        }
    }
}

#[test]
#[ignore = "takes minutes: part of ./exhaustive"]
fn every_pair_on_every_map_of_four_by_four() {
    let mut memory = Memory::default();
    for bits in 0..1_u32 << 16 {
        check_all_pairs(&four_by_four(bits), &build(&four_by_four(bits), Block::Eight), &mut memory);
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
    for map in large_maps() {
        let (grid, strings) = (grid(&map), Strings::new(&map));
        for block in [Block::Eight, Block::Sixteen] {
            let index = build(&map, block);
            index.check_on(&grid).unwrap();
            let cells = map.free_points();
            for _ in 0..15 {
                let start = cells[random.below(cells.len())];
                let lengths = strings.lengths_from(start);
                for &goal in cells.iter().filter(|&&goal| goal != start) {
                    check_pair(&map, &grid, &index, (start, goal), lengths[map.index(goal)], &mut memory);
                }
            }
        }
    }
}

/// Climb indexes of a map: with labels of all corners, of some, and with a core.
fn climbs(map: &PlainMap) -> Vec<StraightIndex> {
    let (grid, watch) = (grid(map), Watch::none());
    let settings = StraightSettings::default();
    let climb = |budget: u64, core_degree: u32| {
        let mut taut = TautCorners::find(&grid, usize::MAX).unwrap();
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
        for index in climbs(&map) {
            check_all_pairs(&map, &index, &mut memory);
        }
    }
    let mut kinds = [0; 2];
    for map in large_maps() {
        let (grid, strings, cells) = (grid(&map), Strings::new(&map), map.free_points());
        for index in climbs(&map) {
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
                    check_pair(&map, &grid, &index, (start, goal), lengths[map.index(goal)], &mut memory);
                }
            }
        }
    }
    assert!(kinds.iter().all(|&kind| kind > 0), "{kinds:?}");
}

#[test]
fn threads_do_not_matter() {
    for map in large_maps() {
        let grid = grid(&map);
        let build = |threads| {
            let options = BuildOptions::new().threads(threads);
            StraightIndex::build_with(&grid, StraightSettings::default(), &options).unwrap()
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
    check_damaged(map, &build(map, Block::Eight));
    for index in climbs(map) {
        check_damaged(map, &index);
    }
}

fn check_damaged(map: &PlainMap, index: &StraightIndex) {
    let grid = grid(map);
    let parts = index.contents_of_parts();
    let mut end = 0;
    let places: Vec<Range<usize>> = parts
        .iter()
        .map(|part| {
            end += part.len();
            end - part.len()..end
        })
        .collect();
    let bytes = parts.concat();
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
