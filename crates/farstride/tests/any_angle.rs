//! Theta* and Lazy Theta*: legal legs, honest lengths, and how close to the
//! shortest they come.

mod common;

use common::{Answer, TOLERANCE, World, any_point, cases, query, random_map};
use farstride::{Engine, Scratch};
use farstride_testkit::strategies::{diagonal_costs, diagonals, map_and_query};
use farstride_testkit::{Kind, PlainMap, Point, SplitMix64, generate, judge_any_angle, oracle};
use proptest::prelude::*;

const ANY_ANGLE: [Engine; 2] = [Engine::Theta, Engine::LazyTheta];

/// Judges an answer by itself and returns the length of its path.
fn judged_length(world: &World, start: Point, goal: Point, answer: &Answer) -> Option<f64> {
    let Answer::Found { cost, length, path, is_any_angle } = answer else {
        let best = oracle::distance(&world.map, world.diagonals, world.cost, start, goal);
        assert_eq!(*answer, world.refusal(start, goal, best.is_some()), "{start:?} to {goal:?} on {world:?}");
        return None;
    };
    assert!(is_any_angle);
    let judged = judge_any_angle(&world.map, world.diagonals, start, goal, path);
    let judged = judged.unwrap_or_else(|fault| panic!("{fault}: {path:?} on {world:?}"));
    assert!((length - judged).abs() < TOLERANCE, "{length} for {path:?} on {world:?}");
    assert_eq!(*cost, path.windows(2).map(|leg| leg_units(leg[0], leg[1])).sum::<u64>(), "{path:?}");
    assert!(path.windows(3).all(|bend| !goes_straight_on(bend)), "{path:?} on {world:?}");
    Some(*length)
}

/// A leg's length in units of 1/4756 step, rounded up.
fn leg_units(a: Point, b: Point) -> u64 {
    let (dx, dy) = (a.0.abs_diff(b.0) as u64, a.1.abs_diff(b.1) as u64);
    let square = (dx * dx + dy * dy) * 4756 * 4756;
    (0..).find(|units| units * units >= square).expect("there are large numbers")
}

/// Whether the middle one of three points is no turning point.
fn goes_straight_on(bend: &[Point]) -> bool {
    let leg = |a: Point, b: Point| (b.0 as i64 - a.0 as i64, b.1 as i64 - a.1 as i64);
    let (one, other) = (leg(bend[0], bend[1]), leg(bend[1], bend[2]));
    one.0 * other.1 == one.1 * other.0 && one.0 * other.0 + one.1 * other.1 > 0
}

proptest! {
    #![proptest_config(cases(600))]

    /// Found exactly when there is a way; legal; never shorter than possible.
    #[test]
    fn paths_are_legal_and_no_shorter_than_possible(
        case in map_and_query(13, 11),
        rule in diagonals(),
        cost in diagonal_costs(),
    ) {
        let world = World::new(case.map, rule, cost);
        for engine in ANY_ANGLE {
            let mut scratch = Scratch::new();
            let outcome = world.planner(engine).find(query(case.start, case.goal), &mut scratch).unwrap();
            if let Some(length) = judged_length(&world, case.start, case.goal, &outcome.into()) {
                let optimum = oracle::any_angle_optimum(&world.map, rule, case.start, case.goal);
                prop_assert!(length >= optimum.unwrap() - TOLERANCE, "{engine} is too short on {world:?}");
            }
        }
    }
}

/// Legality does not depend on size: longer ways, one scratch throughout.
#[test]
fn long_paths_are_legal_and_a_used_scratch_answers_as_a_fresh_one() {
    let mut random = SplitMix64::new(8);
    let mut used = Scratch::new();
    let mut found = 0;
    for round in 0..300 {
        let kind = Kind::SAMPLES[round % Kind::SAMPLES.len()];
        let map = generate(kind, random.between(20, 70), random.between(20, 70), random.next_u64()).unwrap();
        let rule = farstride_testkit::Diagonals::ALL[round % 4];
        let world = World::new(map, rule, farstride_testkit::DiagonalCost::Sqrt2);
        for engine in ANY_ANGLE {
            let planner = world.planner(engine);
            let (start, goal) = (any_point(&mut random, &world.map), any_point(&mut random, &world.map));
            let answer = Answer::from(planner.find(query(start, goal), &mut used).unwrap());
            let mut fresh = Scratch::new();
            assert_eq!(answer, planner.find(query(start, goal), &mut fresh).unwrap().into(), "{world:?}");
            found += usize::from(judged_length(&world, start, goal, &answer).is_some());
        }
    }
    assert!(found > 200, "only {found} of 600 found");
}

/// A fixed map of 12 to 16 cells a side: a third of independent cells, the
/// others with structure.
fn small_map(random: &mut SplitMix64, round: usize) -> PlainMap {
    let kinds = [
        Kind::Rooms { size: 4 },
        Kind::Caves { blocked_percent: 42, rounds: 2 },
        Kind::City { block: 5, street: 1 },
        Kind::Open { blocked_percent: 20 },
    ];
    let (width, height) = (random.between(12, 16), random.between(12, 16));
    if round % 3 == 0 {
        let blocked = random.between(10, 40) as u32;
        return random_map(random, width, height, blocked);
    }
    generate(kinds[round % kinds.len()], width, height, random.next_u64()).unwrap()
}

/// How much longer than the shortest the paths of each engine are on average,
/// as a fraction, over the same queries.
fn mean_excess(maps: usize, goals: usize) -> ([f64; 2], usize) {
    let mut random = SplitMix64::new(9);
    let mut scratch = Scratch::new();
    let mut excess = [0.0; 2];
    let mut queries = 0;
    for round in 0..maps {
        let world = World::strict(small_map(&mut random, round));
        let planners = ANY_ANGLE.map(|engine| world.planner(engine));
        let free = world.map.free_points();
        let start = free[random.below(free.len())];
        let optimum = oracle::any_angle_distances(&world.map, world.diagonals, start);
        for _ in 0..goals {
            let goal = free[random.below(free.len())];
            let shortest = optimum[world.map.index(goal)].unwrap_or(0.0);
            if shortest == 0.0 {
                continue;
            }
            queries += 1;
            for (planner, excess) in planners.iter().zip(&mut excess) {
                let outcome = planner.find(query(start, goal), &mut scratch).unwrap();
                *excess += outcome.route().unwrap().length() / shortest - 1.0;
            }
        }
    }
    (excess.map(|sum| sum / queries as f64), queries)
}

#[test]
fn paths_are_close_to_the_shortest_on_average() {
    let ([theta, lazy], queries) = mean_excess(400, 40);
    println!("above the shortest, mean of {queries} queries: theta {theta:.6}, lazy-theta {lazy:.6}");
    assert!(queries > 8000);
    assert!((0.0..0.005).contains(&theta), "{theta}");
    assert!((0.0..0.01).contains(&lazy), "{lazy}");
}
