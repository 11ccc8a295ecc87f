//! Labels against oracles, for as long as that takes.
//!
//! ```text
//! cargo test --release -p farstride --test it -- --ignored --nocapture labels_exhaustive::
//! ```

use crate::common::lookups::{Questions, Tally, Tester, Trial, planner_with, share};
use crate::common::small::SmallMap;
use crate::common::{World, cell, point};
use farstride::grid::DiagonalCost;
use farstride::labels::{Block, LabelSettings};
use farstride::{Diagonals, Outcome, Query, Rules, Scratch};
use farstride_testkit::{
    self as testkit, Kind, PlainMap, Point, SplitMix64, data, generate, judge_grid, oracle,
};
use std::time::Instant;

const RULES: [Diagonals; 4] = [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None];
const COSTS: [DiagonalCost; 2] = [DiagonalCost::Sqrt2, DiagonalCost::Ratio142];

/// Labels of all cells, whatever they take.
const FULL: LabelSettings = LabelSettings::DEFAULT.with_budget(u64::MAX);

/// Tries the maps that are made of some numbers, and says so.
fn try_maps(what: &str, count: u64, trial: Trial, map: impl Fn(u64) -> Option<SmallMap> + Sync) -> Tally {
    let begin = Instant::now();
    let tally = Tally::sum(share(count, |number, tester: &mut Tester| {
        if let Some(map) = map(number) {
            tester.check(map, trial);
        }
    }));
    let Tally { maps, ways, no_ways } = tally;
    let seconds = begin.elapsed().as_secs();
    println!("{what}: {maps} maps, {ways} ways and {no_ways} pairs without one in {seconds} s");
    tally
}

/// Every amount of detail, both costs, in one block and where four meet, of
/// either size.
#[test]
#[ignore = "takes minutes; run by ./exhaustive"]
fn every_answer_on_every_map_of_4_by_4_is_right_by_every_rule() {
    let trials = [(0, Block::Eight), (6, Block::Eight), (14, Block::Sixteen)].map(|(margin, block)| Trial {
        margin,
        settings: FULL.with_block(block),
        questions: Questions::Everything,
    });
    for (diagonals, diagonal_cost) in RULES.into_iter().flat_map(|rule| COSTS.map(|cost| (rule, cost))) {
        let rules = Rules { diagonals, diagonal_cost };
        for trial in trials {
            let what = format!("4 by 4, {rules:?}, margin {}", trial.margin);
            let tally =
                try_maps(&what, 1 << 16, trial, |free| Some(SmallMap { width: 4, height: 4, rules, free }));
            assert_eq!(tally.maps, 1 << 16);
        }
    }
}

/// Every pattern of 4 × 4 cells with open ground around it.
#[test]
#[ignore = "takes minutes; run by ./exhaustive"]
fn every_way_around_every_pattern_of_4_by_4_is_shortest() {
    const SIDE: u64 = 6;
    for diagonals in RULES {
        let rules = Rules { diagonals, ..Rules::default() };
        let trial = Trial { margin: 5, settings: FULL, questions: Questions::Path };
        try_maps(&format!("4 by 4 on open ground, {diagonals:?}"), 1 << 16, trial, |pattern| {
            let blocked = (0..16).filter(|bit| pattern >> bit & 1 == 1);
            let places = blocked.map(|bit| (bit / 4 + 1) * SIDE + bit % 4 + 1);
            let free = places.fold((1 << (SIDE * SIDE)) - 1, |free, place| free & !(1 << place));
            Some(SmallMap { width: SIDE as usize, height: SIDE as usize, rules, free })
        });
    }
}

/// Every map of 5 × 5 cells up to turns and reflections.
#[test]
#[ignore = "takes minutes; run by ./exhaustive"]
fn every_way_on_every_kind_of_map_of_5_by_5_is_shortest() {
    for diagonals in RULES {
        let rules = Rules { diagonals, ..Rules::default() };
        let trial = Trial { settings: FULL, ..Trial::PLAIN };
        let tally = try_maps(&format!("5 by 5, {diagonals:?}"), 1 << 25, trial, |free| {
            let map = SmallMap { width: 5, height: 5, rules, free };
            map.is_first_of_its_kind().then_some(map)
        });
        assert_eq!(tally.maps, 4_211_744);
    }
}

/// Random maps of all densities, of 5 × 5 to 8 × 8 cells.
#[test]
#[ignore = "takes minutes; run by ./exhaustive"]
fn every_way_on_random_maps_of_5_by_5_to_8_by_8_is_shortest() {
    for diagonals in RULES {
        let trial = Trial { margin: 4, settings: FULL, questions: Questions::Path };
        try_maps(&format!("5 by 5 to 8 by 8, {diagonals:?}"), 400_000, trial, |seed| {
            let mut random = SplitMix64::new(seed);
            let (width, height) = (random.between(5, 8), random.between(5, 8));
            let blocked = random.between(0, 60) as u32;
            let cells = (0..width * height).filter(|_| !random.chance(blocked));
            let free = cells.fold(0, |free, cell| free | 1 << cell);
            let rules = Rules { diagonals, diagonal_cost: COSTS[random.below(2)] };
            Some(SmallMap { width, height, rules, free })
        });
    }
}

/// Pairs that are asked for on large maps.
const PAIRS: usize = 10_000_000;
/// Goals for each start: the oracle finds the ways to all cells at once.
const GOALS: usize = 2000;

/// A judge of ways on large maps.
#[derive(Default)]
struct Judge {
    scratch: Scratch,
    path: Vec<Point>,
    pairs: u64,
    ways: u64,
    cells: u64,
}

impl Judge {
    /// Asks for the ways from one cell to many others.
    fn check(&mut self, world: &World, planner: &farstride::Planner, random: &mut SplitMix64, goals: usize) {
        let free = world.map.free_points();
        if free.is_empty() {
            return;
        }
        let start = free[random.below(free.len())];
        let best = oracle::distances(&world.map, world.diagonals, world.cost, start);
        for _ in 0..goals {
            let goal = free[random.below(free.len())];
            self.judge(world, planner, (start, goal), best[world.map.index(goal)]);
        }
    }

    fn judge(
        &mut self,
        world: &World,
        planner: &farstride::Planner,
        (start, goal): (Point, Point),
        best: Option<u64>,
    ) {
        let ask = Query::new(cell(start), cell(goal)).with_budget(0);
        let outcome = planner.find(ask, &mut self.scratch).expect("both cells are on the map");
        self.pairs += 1;
        let Outcome::Found(route) = outcome else {
            let expected = if start == goal { Outcome::AlreadyThere } else { Outcome::Unreachable };
            assert_eq!(outcome, expected, "{start:?} to {goal:?}");
            assert!(start == goal || best.is_none(), "{start:?} to {goal:?}");
            return;
        };
        assert_eq!(Some(route.cost().units()), best, "{start:?} to {goal:?}");
        self.path.clear();
        self.path.extend(route.path().cells().iter().copied().map(point));
        let verdict = judge_grid(&world.map, world.diagonals, world.cost, start, goal, &self.path);
        let verdict = verdict.unwrap_or_else(|fault| panic!("{start:?} to {goal:?}: {fault}"));
        assert_eq!(Some(verdict.cost), best, "{start:?} to {goal:?}");
        assert!((verdict.length - route.length()).abs() < 1e-6, "{start:?} to {goal:?}");
        self.ways += 1;
        self.cells += self.path.len() as u64;
    }
}

/// Asks for [`PAIRS`] ways on some maps; `world` makes one of each number.
fn check_pairs(what: &str, maps: u64, world: impl Fn(u64) -> World + Sync) {
    let begin = Instant::now();
    let starts = PAIRS.div_ceil(GOALS * maps as usize);
    let judges = share(maps, |number, judge: &mut Judge| {
        let world = world(number);
        let planner = planner_with(world.grid(), FULL);
        let mut random = SplitMix64::new(number);
        for _ in 0..starts {
            judge.check(&world, &planner, &mut random, GOALS);
        }
    });
    let sum = |count: fn(&Judge) -> u64| judges.iter().map(count).sum::<u64>();
    let [pairs, ways, cells] = [sum(|judge| judge.pairs), sum(|judge| judge.ways), sum(|judge| judge.cells)];
    let seconds = begin.elapsed().as_secs();
    println!("{what}: {maps} maps, {pairs} pairs, {ways} ways of {cells} cells in {seconds} s");
    assert!(pairs >= PAIRS as u64 && ways > pairs / 2);
}

/// Maps of every kind with structure, and of random cells: all dense or small
/// enough for labels of all cells.
fn generated(number: u64) -> World {
    let mut random = SplitMix64::new(1000 + number);
    let kinds = [
        Kind::Rooms { size: random.between(4, 20) },
        Kind::Maze { corridor: random.between(1, 5), wall: random.between(1, 3) },
        Kind::Caves { blocked_percent: random.between(35, 50) as u32, rounds: random.between(1, 5) as u32 },
        Kind::Open { blocked_percent: random.between(1, 30) as u32 },
        Kind::City { block: random.between(6, 20), street: random.between(1, 4) },
        Kind::World,
        Kind::Random { blocked_percent: random.between(5, 45) as u32 },
    ];
    let kind = kinds[number as usize % kinds.len()];
    let most = if matches!(kind, Kind::Random { .. }) { 100 } else { 300 };
    let (width, height) = (random.between(60, most), random.between(60, most));
    let map = generate(kind, width, height, random.next_u64()).expect("the parameters are in range");
    let rule = testkit::Diagonals::ALL[number as usize / kinds.len() % 4];
    World::new(map, rule, testkit::DiagonalCost::ALL[random.below(2)])
}

#[test]
#[ignore = "takes minutes; run by ./exhaustive"]
fn ten_million_random_ways_on_generated_maps_are_shortest() {
    check_pairs("generated maps", 560, generated);
}

/// The free cells of every benchmark map but those of random cells, whose
/// labels are too large.
#[test]
#[ignore = "takes minutes; run by ./exhaustive"]
fn ten_million_random_ways_on_benchmark_maps_are_shortest() {
    let Some(sets) = data::skip_without_benchmarks("ten million random ways") else {
        return;
    };
    let list = |folder: &std::path::Path| {
        let mut paths: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let folders = list(&sets).into_iter().filter(|path| path.is_dir() && !path.ends_with("random"));
    let files: Vec<_> = folders
        .flat_map(|folder| list(&folder))
        .filter(|file| file.extension().is_some_and(|end| end == "map"))
        .collect();
    check_pairs("benchmark maps", files.len() as u64, |number| {
        let grid = farstride_io::movingai::load_map(&files[number as usize]).unwrap();
        let mut map = PlainMap::new(grid.width(), grid.height(), false);
        for at in grid.area().cells().filter(|&at| grid.is_free(at)) {
            map.set_free(point(at), true);
        }
        World::strict(map)
    });
}
