//! The engine `overlay`: shortest paths on every map, by whatever edits it came about.

use crate::common::{Answer, World, any_point, apply, cases, cell, ends, point, query, random_map};
use farstride::index::BuildOptions;
use farstride::overlay::{Overlay, OverlaySettings};
use farstride::{Cell, Cost, Detail, Grid, Index, Outcome, Planner, Query, Rect, Scratch, store};
use farstride_testkit::strategies::{diagonal_costs, diagonals, maps, terrain_maps, weighted_maps};
use farstride_testkit::{DiagonalCost, Diagonals, PlainMap, SplitMix64, oracle};
use proptest::prelude::*;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

/// Settings small enough for small maps to have many blocks.
fn settings() -> impl Strategy<Value = OverlaySettings> {
    let side = prop_oneof![4 => 1..9_u16, 1 => Just(32)];
    (side, 0..6_u8).prop_map(|(side, landmarks)| with(side, landmarks))
}

fn with(side: u16, landmarks: u8) -> OverlaySettings {
    OverlaySettings::default().with_side(side).with_landmarks(landmarks)
}

fn planner(grid: Grid, settings: OverlaySettings) -> Planner {
    let overlay = Overlay::build(&grid, settings).unwrap();
    Planner::with_index(grid, overlay).unwrap()
}

fn overlay(planner: &Planner) -> &Overlay {
    planner.index().and_then(Index::overlay).unwrap()
}

fn ask(planner: &Planner, start: (usize, usize), goal: (usize, usize), scratch: &mut Scratch) -> Answer {
    Answer::from(planner.find(query(start, goal), scratch).unwrap())
}

/// The cost of a query that asks for nothing else.
fn cost(
    planner: &Planner,
    start: (usize, usize),
    goal: (usize, usize),
    scratch: &mut Scratch,
) -> Option<u64> {
    let query = query(start, goal).with_detail(Detail::Cost);
    planner.find(query, scratch).unwrap().route().map(|route| route.cost().units())
}

proptest! {
    #![proptest_config(cases(400))]

    /// Every path is a shortest one, and so says a query for its cost alone.
    #[test]
    fn paths_are_shortest(
        map in prop_oneof![maps(40, 40), weighted_maps(30, 30), terrain_maps(40, 40)],
        rule in diagonals(),
        scale in diagonal_costs(),
        settings in settings(),
        seed: u64,
    ) {
        let world = World::new(map, rule, scale);
        let planner = planner(world.grid(), settings);
        overlay(&planner).verify(planner.grid()).unwrap();
        let mut scratch = Scratch::new();
        for (start, goal) in ends(&world, seed, 8) {
            let answer = ask(&planner, start, goal, &mut scratch);
            world.assert_optimal(start, goal, &answer);
            if let Answer::Found { cost: found, .. } = answer {
                prop_assert_eq!(cost(&planner, start, goal, &mut scratch), Some(found));
            }
        }
    }

    /// The path is the same for any number of landmarks: they do not decide ties.
    #[test]
    fn landmarks_do_not_choose_paths(
        map in prop_oneof![1 => maps(40, 40), 2 => terrain_maps(40, 40)],
        rule in diagonals(),
        side in 1..9_u16,
        seed: u64,
    ) {
        let world = World::new(map, rule, DiagonalCost::Sqrt2);
        let planners = [0, 1, 3, 8].map(|landmarks| planner(world.grid(), with(side, landmarks)));
        let mut scratch = Scratch::new();
        for (start, goal) in ends(&world, seed, 8) {
            let answers = planners.each_ref().map(|planner| ask(planner, start, goal, &mut scratch));
            prop_assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
        }
    }

    /// Edits leave no trace, neither in the bytes nor in the paths: whatever was edited
    /// in between, and whether or not landmarks were refreshed.
    #[test]
    fn history_leaves_no_trace(
        map in prop_oneof![1 => maps(30, 30), 2 => terrain_maps(30, 30)],
        rule in diagonals(),
        scale in diagonal_costs(),
        settings in settings(),
        seed: u64,
    ) {
        let mut random = SplitMix64::new(seed);
        let mut world = World::new(map, rule, scale);
        let mut edited = planner(world.grid(), settings);
        for _ in 0..4 {
            let batch = random.between(1, 3);
            edited.edit(|grid| (0..batch).for_each(|_| apply(grid, &mut world, true, &mut random)));
            let fresh = planner(world.grid(), settings);
            prop_assert!(overlay(&edited) == overlay(&fresh));
            let bytes = [&edited, &fresh].map(|planner| store::save(planner.index().unwrap(), planner.grid()).unwrap());
            prop_assert!(bytes[0] == bytes[1]);
            let mut refreshed = edited.clone();
            refreshed.refresh();
            let mut scratch = Scratch::new();
            for (start, goal) in ends(&world, random.next_u64(), 5) {
                let answer = ask(&edited, start, goal, &mut scratch);
                world.assert_optimal(start, goal, &answer);
                prop_assert_eq!(&answer, &ask(&fresh, start, goal, &mut scratch));
                prop_assert_eq!(&answer, &ask(&refreshed, start, goal, &mut scratch));
            }
        }
    }

    /// Two ways to the same map, one of them by detours, give the same paths.
    #[test]
    fn detours_in_the_history_leave_no_trace(map in terrain_maps(24, 24), side in 1..7_u16, seed: u64) {
        let world = World::strict(map);
        let mut random = SplitMix64::new(seed);
        let mut edited = planner(world.grid(), with(side, 4));
        let before = edited.grid().clone();
        for _ in 0..6 {
            edited.edit(|grid| apply(grid, &mut world.clone(), true, &mut random));
        }
        edited.edit(|grid| restore(grid, &before));
        let fresh = planner(before, with(side, 4));
        prop_assert!(edited.grid() == fresh.grid());
        prop_assert!(edited.index() == fresh.index());
        let mut scratch = Scratch::new();
        for (start, goal) in ends(&world, seed, 8) {
            prop_assert_eq!(ask(&edited, start, goal, &mut scratch), ask(&fresh, start, goal, &mut scratch));
        }
    }
}

/// Edits a map cell by cell until it equals another.
fn restore(grid: &mut Grid, to: &Grid) {
    for cell in to.area().cells() {
        let _ = if to.is_free(cell) { grid.free(cell) } else { grid.block(cell) }.unwrap();
        let _ = grid.set_weight(cell, to.weight(cell)).unwrap();
    }
}

/// The map of 3 × 3 cells with this number: each cell is blocked or weighs 1 to 3.
fn tiny(number: u32) -> PlainMap {
    let mut map = PlainMap::new(3, 3, true);
    let digits: Vec<u8> = (0..9).map(|at| (number >> (2 * at) & 3) as u8).collect();
    map.free = digits.iter().map(|&digit| digit > 0).collect();
    map.weights = Some(digits.iter().map(|&digit| digit.max(1)).collect());
    map
}

/// Asks for every pair of free cells of a tiny map, with blocks of both sizes that fit.
/// No engine sees a query from or to a blocked cell.
fn check_tiny(number: u32, rule: Diagonals, scratch: &mut Scratch) {
    let world = World::new(tiny(number), rule, DiagonalCost::Sqrt2);
    let planners = [(1, 2), (2, 0)].map(|(side, landmarks)| {
        // One thread: starting more takes longer than a tiny map does.
        let (grid, options) = (world.grid(), BuildOptions::new().threads(1));
        let index = Index::build_with(&grid, with(side, landmarks), &options).unwrap();
        Planner::with_index(grid, index).unwrap()
    });
    for start in world.map.free_points() {
        let distances = oracle::distances(&world.map, rule, world.cost, start);
        for goal in world.map.free_points() {
            for planner in &planners {
                let best = distances[world.map.index(goal)];
                world.assert_costs(start, goal, &ask(planner, start, goal, scratch), best);
            }
        }
    }
}

const TINY_MAPS: u32 = 1 << 18;

#[test]
fn some_weighted_maps_of_3_by_3_are_right() {
    let mut scratch = Scratch::new();
    for rule in Diagonals::ALL {
        (0..TINY_MAPS).step_by(2003).for_each(|number| check_tiny(number, rule, &mut scratch));
    }
}

#[test]
#[ignore = "takes minutes; run by ./exhaustive"]
fn all_weighted_maps_of_3_by_3_are_right() {
    let next = AtomicU32::new(0);
    let check = || {
        let mut scratch = Scratch::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= TINY_MAPS {
                break;
            }
            for rule in Diagonals::ALL {
                check_tiny(number, rule, &mut scratch);
            }
        }
    };
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(check))));
}

/// A path that winds through the whole map.
fn snake(side: usize, weight: u8) -> PlainMap {
    let mut map = PlainMap::new(side, side, true);
    for y in (1..side).step_by(2) {
        let gap = if y % 4 == 1 { side - 1 } else { 0 };
        (0..side).filter(|&x| x != gap).for_each(|x| map.set_free((x, y), false));
    }
    map.weights = Some(vec![weight; side * side]);
    map
}

/// Costs beyond four bytes, with the heaviest weights, in blocks and between them.
#[test]
fn the_heaviest_and_longest_paths_do_not_overflow() {
    let mut scratch = Scratch::new();
    for (side, blocks) in [(33, 32), (33, 8), (201, 32)] {
        let world = World::new(snake(side, 255), Diagonals::Free, DiagonalCost::Ratio142);
        let planner = planner(world.grid(), with(blocks, 4));
        for (start, goal) in [((0, 0), (side - 1, side - 1)), ((side / 2, 0), (side / 2, side - 1))] {
            world.assert_optimal(start, goal, &ask(&planner, start, goal, &mut scratch));
        }
        let whole = cost(&planner, (0, 0), (0, side - 1), &mut scratch).unwrap();
        assert!(side < 100 || whole > u32::MAX.into(), "{whole}");
    }
}

/// Resting landmarks change the work, not the paths; refreshed ones restore the work.
#[test]
fn landmarks_that_rest_do_no_harm() {
    let mut random = SplitMix64::new(7);
    let mut map = random_map(&mut random, 300, 300, 15);
    map.weights = Some(map.free.iter().map(|_| random.between(8, 9) as u8).collect());
    let world = World::strict(map);
    let mut edited = planner(world.grid(), with(8, 8));
    // A road across the map shortens nearly every way: too much for the landmarks.
    for y in 0..300 {
        let _ = edited.edit(|grid| grid.set_weight(Cell::new(150, y), 1).unwrap());
    }
    assert!(overlay(&edited).resting_landmarks() > 0);
    let fresh = planner(edited.grid().clone(), with(8, 8));
    let mut refreshed = edited.clone();
    refreshed.refresh();
    assert_eq!(overlay(&refreshed).resting_landmarks(), 0);
    assert!(overlay(&edited) == overlay(&fresh) && overlay(&edited) == overlay(&refreshed));
    let astar = Planner::with_engine(edited.grid().clone(), farstride::Engine::Astar).unwrap();
    let mut scratch = Scratch::new();
    for (start, goal) in ends(&world, 3, 40) {
        let answers = [&edited, &fresh, &refreshed].map(|planner| ask(planner, start, goal, &mut scratch));
        assert!(answers[0] == answers[1] && answers[0] == answers[2]);
        if let Answer::Found { cost: found, .. } = answers[0] {
            assert_eq!(cost(&astar, start, goal, &mut scratch), Some(found));
        }
    }
}

/// A batch of edits is followed once, at the end.
#[test]
fn rectangles_and_batches_are_followed() {
    let mut edited = planner(Grid::empty(100, 70).unwrap(), with(16, 4));
    edited.edit(|grid| {
        let _ = grid.set_weight(Rect::spanning(Cell::new(10, 5), Cell::new(60, 40)), 5).unwrap();
        let _ = grid.block(Rect::spanning(Cell::new(30, 0), Cell::new(30, 50))).unwrap();
        let _ = grid.free(Cell::new(30, 20)).unwrap();
    });
    let fresh = planner(edited.grid().clone(), with(16, 4));
    assert!(edited.index() == fresh.index());
    overlay(&edited).verify(edited.grid()).unwrap();
    assert!(overlay(&edited).verify(&Grid::empty(100, 70).unwrap()).is_err());
}

/// A search that pauses finds the path of one that does not, for every budget.
#[test]
fn paused_searches_go_on() {
    let mut random = SplitMix64::new(3);
    let mut map = random_map(&mut random, 90, 90, 20);
    map.weights = Some(map.free.iter().map(|_| random.between(1, 9) as u8).collect());
    let world = World::strict(map);
    let planner = planner(world.grid(), with(8, 3));
    let (mut scratch, mut other) = (Scratch::new(), Scratch::new());
    for (start, goal) in ends(&world, 5, 20) {
        let whole = ask(&planner, start, goal, &mut scratch);
        if !whole.is_found() {
            continue;
        }
        for budget in [1, 7, 100] {
            let mut outcome = planner.find(query(start, goal).with_budget(budget), &mut other).unwrap();
            while let Outcome::BudgetSpent(paused) = outcome {
                outcome = planner.resume(&paused, budget, &mut other).unwrap();
            }
            assert_eq!(Answer::from(outcome), whole);
        }
    }
}

#[test]
#[ignore = "takes minutes; run by ./exhaustive"]
fn a_hundred_thousand_edits_leave_no_trace() {
    let mut random = SplitMix64::new(11);
    let mut scratch = Scratch::new();
    let mut map = random_map(&mut random, 120, 90, 25);
    map.weights = Some(map.free.iter().map(|_| random.between(1, 9) as u8).collect());
    let mut world = World::strict(map);
    let mut edited = planner(world.grid(), with(16, 6));
    for round in 0..100_000 {
        edited.edit(|grid| apply(grid, &mut world, true, &mut random));
        let (start, goal) = (any_point(&mut random, &world.map), any_point(&mut random, &world.map));
        if round % 20 == 0 {
            world.assert_optimal(start, goal, &ask(&edited, start, goal, &mut scratch));
        }
        if round % 1000 == 0 {
            let fresh = planner(world.grid(), with(16, 6));
            assert!(edited.index() == fresh.index());
            assert_eq!(ask(&edited, start, goal, &mut scratch), ask(&fresh, start, goal, &mut scratch));
        }
        if round % 5000 == 0 {
            edited.refresh();
        }
    }
}

/// Tables and the nearest of several goals agree with single queries.
#[test]
fn tables_agree_with_queries() {
    let mut random = SplitMix64::new(9);
    let mut map = random_map(&mut random, 80, 60, 20);
    map.weights = Some(map.free.iter().map(|_| random.between(1, 9) as u8).collect());
    let world = World::strict(map);
    let planner = planner(world.grid(), with(8, 3));
    let mut scratch = Scratch::new();
    let starts: Vec<Cell> = (0..6).map(|_| cell(any_point(&mut random, &world.map))).collect();
    let goals: Vec<Cell> = (0..40).map(|_| cell(any_point(&mut random, &world.map))).collect();
    let table = planner.cost_table(&starts, &goals, 2).unwrap();
    for (row, &start) in starts.iter().enumerate() {
        let best = oracle::distances(&world.map, world.diagonals, world.cost, point(start));
        let is_free = planner.grid().is_free(start);
        let expected: Vec<Option<u64>> =
            goals.iter().map(|&goal| best[world.map.index(point(goal))].filter(|_| is_free)).collect();
        let found: Vec<Option<u64>> = table.row(row).map(|cost| cost.map(Cost::units)).collect();
        assert_eq!(found, expected);
        let nearest = planner.nearest(Query::starting_at(start), &goals, &mut scratch).unwrap();
        let least = expected.iter().flatten().min();
        assert_eq!(nearest.map(|(at, _)| expected[at]), least.map(|&least| Some(least)));
    }
}
