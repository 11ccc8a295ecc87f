//! Optimal engines find shortest paths, and say so when there are
//! none: on random maps against an oracle, on small maps without exception.

use crate::common::{Answer, Universe, World, any_point, cases, query, random_map, weigh};
use farstride::error::QueryError;
use farstride::grid::DiagonalCost;
use farstride::{Cell, Diagonals, Engine, Grid, Planner, Query, Rules, Scratch};
use farstride_testkit::strategies::{diagonal_costs, diagonals, maps, query_on, weighted_maps};
use farstride_testkit::{self as testkit, Kind, SplitMix64, generate, oracle};
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(1500))]

    /// Found exactly when the oracle finds, at the same cost, by a legal path
    /// that costs what it says; and the right word where there is none.
    #[test]
    fn answers_are_those_of_the_oracle(
        case in query_on(prop_oneof![maps(20, 16), weighted_maps(16, 20)]),
        rule in diagonals(),
        cost in diagonal_costs(),
    ) {
        let world = World::new(case.map, rule, cost);
        for engine in world.optimal_engines() {
            let mut scratch = Scratch::new();
            let outcome = world.planner(engine).find(query(case.start, case.goal), &mut scratch).unwrap();
            world.assert_optimal(case.start, case.goal, &outcome.into());
        }
    }
}

#[test]
fn cells_outside_the_map_are_refused_by_name() {
    let (width, height) = (5, 3);
    let inside = Cell::new(4, 2);
    for engine in Engine::ALL {
        let planner = Planner::with_engine(Grid::empty(width, height).unwrap(), engine).unwrap();
        for cell in [Cell::new(5, 2), Cell::new(4, 3), Cell::new(u16::MAX, u16::MAX)] {
            let expected = Err(QueryError::Outside { cell, width, height });
            let mut scratch = Scratch::new();
            assert_eq!(planner.find(Query::new(cell, inside), &mut scratch), expected);
            assert_eq!(planner.find(Query::new(inside, cell), &mut scratch), expected);
            assert_eq!(planner.find_while(Query::new(inside, cell), || true, &mut scratch), expected);
        }
    }
}

/// One scratch goes through maps of all sizes, weights and rules and through
/// all engines, and answers each time as a new one does.
#[test]
fn a_used_scratch_answers_as_a_fresh_one() {
    let mut random = SplitMix64::new(1);
    let mut used = Scratch::new();
    let mut found = 0;
    for round in 0..3000 {
        let (width, height) = (random.between(1, 24), random.between(1, 24));
        let blocked = random.between(0, 50) as u32;
        let mut map = random_map(&mut random, width, height, blocked);
        if random.chance(40) {
            weigh(&mut random, &mut map);
        }
        let world =
            World::new(map, testkit::Diagonals::ALL[round % 4], testkit::DiagonalCost::ALL[round / 4 % 2]);
        let engines = world.optimal_engines();
        let planner = world.planner(engines[random.below(engines.len())]);
        for _ in 0..3 {
            let (start, goal) = (any_point(&mut random, &world.map), any_point(&mut random, &world.map));
            let answer = Answer::from(planner.find(query(start, goal), &mut used).unwrap());
            let mut fresh = Scratch::new();
            assert_eq!(answer, planner.find(query(start, goal), &mut fresh).unwrap().into(), "{world:?}");
            world.assert_optimal(start, goal, &answer);
            found += usize::from(answer.is_found());
        }
    }
    assert!(found > 2000, "only {found} queries of 9000 had a path");
}

/// A* leaves out moves that another shortest path makes up for; here it is
/// asked for all goals of many starts on maps of every density.
#[test]
fn moves_left_out_are_never_missed_on_random_maps() {
    let mut random = SplitMix64::new(2);
    let mut scratch = Scratch::new();
    for round in 0..6000 {
        let (width, height) = (random.between(8, 20), random.between(8, 20));
        let blocked = random.between(10, 50) as u32;
        let map = random_map(&mut random, width, height, blocked);
        let world =
            World::new(map, testkit::Diagonals::ALL[round % 4], testkit::DiagonalCost::ALL[round / 4 % 2]);
        let start = any_point(&mut random, &world.map);
        let goals = (0..20).map(|_| any_point(&mut random, &world.map)).collect::<Vec<_>>();
        assert_goals(&world, start, &goals, &mut scratch);
    }
}

/// The same on maps with structure: corridors, rooms, caves and streets.
#[test]
fn moves_left_out_are_never_missed_on_generated_maps() {
    let mut random = SplitMix64::new(3);
    let mut scratch = Scratch::new();
    for round in 0..350 {
        let kind = Kind::SAMPLES[round % Kind::SAMPLES.len()];
        let (width, height) = (random.between(30, 70), random.between(30, 70));
        let map = generate(kind, width, height, random.next_u64()).unwrap();
        let world =
            World::new(map, testkit::Diagonals::ALL[round % 4], testkit::DiagonalCost::ALL[round / 4 % 2]);
        let start = any_point(&mut random, &world.map);
        let goals = (0..20).map(|_| any_point(&mut random, &world.map)).collect::<Vec<_>>();
        assert_goals(&world, start, &goals, &mut scratch);
    }
}

fn assert_goals(world: &World, start: testkit::Point, goals: &[testkit::Point], scratch: &mut Scratch) {
    let best = oracle::distances(&world.map, world.diagonals, world.cost, start);
    let planner = world.planner(Engine::Astar);
    for &goal in goals {
        let answer = planner.find(query(start, goal), scratch).unwrap().into();
        world.assert_costs(start, goal, &answer, best[world.map.index(goal)]);
    }
}

const RULES: [Diagonals; 4] = [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None];

#[test]
fn every_way_of_astar_on_every_map_of_4_by_4_is_shortest() {
    let universe = Universe { width: 4, height: 4, rules: Rules::default(), engine: Engine::Astar };
    let found = universe.check_all();
    assert!(found > 1_000_000, "only {found} ways");
}

/// One map of each kind; all of 3 × 4 cells are tried below.
#[test]
fn every_way_of_astar_on_every_kind_of_map_of_4_by_4_is_shortest_by_every_rule() {
    for diagonals in RULES {
        let rules = Rules { diagonals, ..Rules::default() };
        let universe = Universe { width: 4, height: 4, rules, engine: Engine::Astar };
        let found = universe.check_those(move |map| universe.is_first_of_its_kind(map));
        assert!(found > 100_000, "only {found} ways by {rules:?}");
    }
}

#[test]
#[ignore = "takes a minute in a debug build; run by ./exhaustive"]
fn every_way_of_astar_on_every_map_of_4_by_4_is_shortest_by_every_rule() {
    for diagonals in RULES {
        let rules = Rules { diagonals, ..Rules::default() };
        let universe = Universe { width: 4, height: 4, rules, engine: Engine::Astar };
        let found = universe.check_all();
        assert!(found > 1_000_000, "only {found} ways by {rules:?}");
    }
}

#[test]
fn every_way_on_every_map_of_3_by_4_is_shortest_at_either_cost() {
    for diagonals in RULES {
        for diagonal_cost in [DiagonalCost::Sqrt2, DiagonalCost::Ratio142] {
            for engine in [Engine::Dijkstra, Engine::Astar] {
                let rules = Rules { diagonals, diagonal_cost };
                let found = Universe { width: 3, height: 4, rules, engine }.check_all();
                assert!(found > 50_000, "only {found} ways by {rules:?}");
            }
        }
    }
}
