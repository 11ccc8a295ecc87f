//! The engine `straight`, asked through the planner. `src/straight/tests.rs` holds the index
//! against brute force; here is what a user meets.

use crate::common::{World, any_point, cases, cell, query};
use farstride::labels::Block;
use farstride::straight::{StraightIndex, StraightKind, StraightRule, StraightSettings};
use farstride::{
    Cell, Cost, Detail, Engine, Grid, Index, Live, LiveSettings, Outcome, Path, Planned, Planner, Query,
    Rect, Scratch, Step, Zone, store,
};
use farstride_testkit::strategies::{maps, query_on};
use farstride_testkit::{
    DiagonalCost, Diagonals, Kind, PlainMap, Point, SplitMix64, Strings, generate, judge_any_angle,
    judge_body, judge_grid, judge_points,
};
use proptest::prelude::*;
use std::sync::Arc;

/// What a path may be longer than the shortest.
const PROMISE: f64 = 2e-3;

const RULES: [StraightRule; 2] = [StraightRule::Touch, StraightRule::Body];

/// All shortest paths by a rule, found by brute force.
fn strings(map: &PlainMap, rule: StraightRule) -> Strings<'_> {
    if rule == StraightRule::Body { Strings::of_bodies(map) } else { Strings::new(map) }
}

/// Length of the path between two cells, judged by the rule of the index.
fn length(
    world: &World,
    planner: &Planner,
    (start, goal): (Point, Point),
    scratch: &mut Scratch,
) -> Option<f64> {
    let outcome = planner.find(query(start, goal), scratch).unwrap();
    let route = outcome.route()?;
    let Path::Points(points) = route.path() else { panic!("no points: {route:?}") };
    let halves: Vec<_> = points.iter().map(|point| (point.x.into(), point.y.into())).collect();
    let is_body = planner.index().and_then(Index::straight).unwrap().settings().rule == StraightRule::Body;
    let judge = if is_body { judge_body } else { judge_points };
    let judged = judge(&world.map, start, goal, &halves);
    let judged = judged.unwrap_or_else(|fault| panic!("{fault}: {points:?} on {world:?}"));
    assert!((judged - route.length()).abs() < 1e-9, "{judged} for {points:?}");
    assert!((route.cost().units() as f64 / 4756.0 - judged).abs() < PROMISE);
    if is_body {
        let turns: Vec<Point> = halves.iter().map(|&(x, y)| (x as usize / 2, y as usize / 2)).collect();
        judge_any_angle(&world.map, Diagonals::Strict, start, goal, &turns).unwrap();
    }
    // The cells that it enters are a path of steps.
    let entered: Vec<Point> =
        planner.grid().entered_cells(points).iter().map(|cell| (cell.x.into(), cell.y.into())).collect();
    let walked = judge_grid(&world.map, world.diagonals, world.cost, start, goal, &entered);
    walked.unwrap_or_else(|fault| panic!("{fault}: {entered:?} for {points:?} on {world:?}"));
    Some(judged)
}

proptest! {
    #![proptest_config(cases(300))]

    /// As short as brute force finds, for full labels and for the search, under both rules.
    #[test]
    fn paths_are_the_shortest(
        case in query_on(maps(14, 14)),
        strict: bool,
        searches: bool,
        kind in prop::sample::select(&RULES[..]),
    ) {
        let rule = if strict { Diagonals::Strict } else { Diagonals::OneSide };
        let world = World::new(case.map, rule, DiagonalCost::Sqrt2);
        let grid = world.grid();
        let budget = if searches { 0 } else { StraightSettings::DEFAULT_BUDGET };
        let index = StraightIndex::build(&grid, StraightSettings::default().with_rule(kind).with_budget(budget));
        let planner = Planner::with_index(grid, index).unwrap();
        if !world.map.is_free_at(case.start) || !world.map.is_free_at(case.goal) || case.start == case.goal {
            return Ok(());
        }
        let found = length(&world, &planner, (case.start, case.goal), &mut Scratch::new());
        let best = strings(&world.map, kind).lengths_from(case.start)[world.map.index(case.goal)];
        prop_assert_eq!(found.is_some(), best.is_some());
        prop_assert!(found.unwrap_or(0.0) < best.unwrap_or(0.0) + PROMISE, "{:?} {:?}", found, best);
    }
}

fn larger() -> Vec<World> {
    of_size(80, 60)
}

fn of_size(width: usize, height: usize) -> Vec<World> {
    let kinds = [
        Kind::Maze { corridor: 3, wall: 1 },
        Kind::Rooms { size: 9 },
        Kind::Caves { blocked_percent: 44, rounds: 4 },
        Kind::City { block: 12, street: 3 },
        Kind::Open { blocked_percent: 12 },
    ];
    kinds.into_iter().map(|kind| World::strict(generate(kind, width, height, 11).unwrap())).collect()
}

/// No other engine finds a shorter path: theirs keep a stricter rule.
#[test]
fn no_engine_is_shorter() {
    let mut random = SplitMix64::new(4);
    for world in larger() {
        let planners = [Engine::Theta, Engine::Hpt, Engine::Astar].map(|engine| world.planner(engine));
        let straight = world.planner(Engine::Straight);
        let (mut scratch, mut found, mut shorter) = (Scratch::new(), 0, 0);
        for _ in 0..150 {
            let ends = (any_point(&mut random, &world.map), any_point(&mut random, &world.map));
            let Some(best) = length(&world, &straight, ends, &mut scratch) else { continue };
            found += 1;
            for other in &planners {
                let outcome = other.find(query(ends.0, ends.1), &mut scratch).unwrap();
                let other = outcome.route().expect("there is a path").length();
                assert!(best < other + PROMISE, "{best} {other} {ends:?} on {world:?}");
                shorter += usize::from(best < other - 0.01);
            }
        }
        assert!(found > 30 && shorter > found, "{found} {shorter}");
    }
}

/// A saved index opens to the same one, and answers the same, proved or trusted.
#[test]
fn saved_indexes_are_the_same() {
    let mut random = SplitMix64::new(5);
    let mut climbs = [0; 2];
    for world in of_size(44, 34) {
        let usual = StraightSettings::default();
        for settings in [
            usual,
            usual.with_budget(16_000),
            usual.with_budget(40_000),
            usual.with_block(Block::Sixteen),
            usual.with_budget(0),
            usual.with_rule(StraightRule::Body),
            usual.with_rule(StraightRule::Body).with_budget(30_000),
        ] {
            let grid = Arc::new(world.grid());
            let index = Index::build(&grid, settings).unwrap();
            let bytes = Arc::new(store::save(&index, &grid).unwrap());
            let description = store::describe(bytes.clone()).unwrap();
            assert_eq!((description.engine, description.digest), (Engine::Straight, index.digest()));
            let kind = index.straight().unwrap().kind();
            let is_climb = matches!(kind, StraightKind::Hybrid { .. } | StraightKind::Core { .. });
            climbs[usize::from(settings.rule == StraightRule::Body)] += usize::from(is_climb);
            assert_eq!(description.settings, settings.into());
            let opened = store::open(bytes.clone(), &grid).unwrap();
            let trusted = store::open_trusted(bytes.clone(), &grid).unwrap();
            assert!(opened == index && trusted == index);
            trusted.straight().unwrap().check(&grid).unwrap();
            trusted.straight().unwrap().verify(&grid).unwrap();
            let planner = Planner::with_index(Arc::clone(&grid), index).unwrap();
            let again = Planner::with_index(Arc::clone(&grid), trusted).unwrap();
            let mut scratch = Scratch::new();
            for _ in 0..20 {
                let ends = (any_point(&mut random, &world.map), any_point(&mut random, &world.map));
                let one = length(&world, &planner, ends, &mut scratch);
                assert_eq!(one, length(&world, &again, ends, &mut scratch));
            }
            for _ in 0..60 {
                let mut forged = bytes.to_vec();
                match random.below(4) {
                    0 => forged.truncate(random.below(bytes.len())),
                    _ => forged[random.below(bytes.len())] ^= 1 << random.below(8),
                }
                assert!(forged == *bytes || store::open(Arc::new(forged), &grid).is_err());
            }
        }
    }
    assert!(climbs.iter().all(|&climbs| climbs > 0), "{climbs:?}");
}

/// Damaged labels that were opened on trust: the planner still answers, and most answers are
/// right because it searches when bytes do not fit together.
#[test]
fn damaged_labels_never_panic() {
    let world = &larger()[2];
    let grid = Arc::new(world.grid());
    let index = Index::build(&grid, StraightSettings::default()).unwrap();
    let bytes = store::save(&index, &grid).unwrap();
    let mut random = SplitMix64::new(6);
    let mut scratch = Scratch::new();
    for _ in 0..150 {
        let mut damaged = bytes.clone();
        for _ in 0..30 {
            let at = 400 + random.below(bytes.len() - 400);
            damaged[at] ^= 1 << random.below(8);
        }
        let Ok(index) = store::open_trusted(Arc::new(damaged), &grid) else { continue };
        let planner = Planner::with_index(Arc::clone(&grid), index).unwrap();
        for _ in 0..10 {
            let (start, goal) = (any_point(&mut random, &world.map), any_point(&mut random, &world.map));
            let _ = planner.find(query(start, goal), &mut scratch).unwrap();
            let _ = planner.find(query(start, goal).with_detail(Detail::Cost), &mut scratch).unwrap();
        }
    }
}

/// A plan goes through the cells that the path enters, step by step, and follows edits.
#[test]
fn plans_walk_through_cells() {
    let world = World::strict(PlainMap::from_ascii("\n.......\n.#####.\n.......\n"));
    let mut planner = world.planner(Engine::Straight);
    let mut scratch = Scratch::new();
    let Planned::Plan(mut plan) = planner.plan(query((0, 1), (6, 1)), &mut scratch).unwrap() else {
        panic!("there is a way");
    };
    let mut steps = Vec::new();
    while let Step::To(to) = plan.step(&planner, &mut scratch).unwrap() {
        steps.push(to);
        if steps.len() == 2 {
            let _ = planner.edit(|grid| grid.block(cell((5, to.y.into())))).unwrap();
        }
    }
    assert_eq!(plan.position(), cell((6, 1)));
    assert_eq!(plan.replans(), 1);
}

#[test]
fn rules_that_it_does_not_keep_are_refused() {
    for (rule, fits) in [
        (Diagonals::Strict, true),
        (Diagonals::OneSide, true),
        (Diagonals::Free, false),
        (Diagonals::None, false),
    ] {
        let world = World::new(PlainMap::new(9, 9, true), rule, DiagonalCost::Sqrt2);
        let made = Planner::with_engine(world.grid(), Engine::Straight);
        assert_eq!(made.is_ok(), fits);
        assert!(made.err().is_none_or(|refused| refused.instead == Engine::Hpt));
    }
}

/// Fields of noise do not fit small budgets; the search answers there.
#[test]
fn noise_is_searched() {
    let map = generate(Kind::Random { blocked_percent: 15 }, 160, 160, 2).unwrap();
    let grid = World::strict(map).grid();
    let index = StraightIndex::build(&grid, StraightSettings::default().with_budget(200_000));
    assert_eq!((index.kind(), index.byte_count()), (StraightKind::Search, 0));
    let planner = Planner::with_index(grid, index).unwrap();
    assert!(planner.path((1, 1), (158, 155)).is_none_or(|route| route.length() > 200.0));
    let empty = Grid::empty(50, 40).unwrap();
    let index = StraightIndex::build(&empty, StraightSettings::default());
    assert!(matches!(index.kind(), StraightKind::Full { .. }));
    let planner = Planner::with_index(empty, index).unwrap();
    assert_eq!(planner.path((0, 0), (49, 39)).unwrap().points().len(), 2);
}

/// Bodies never take a shorter path than points do, nor a longer one than cells in steps; where
/// walls are one cell apart they still pass.
#[test]
fn bodies_walk_between_points_and_steps() {
    let mut random = SplitMix64::new(14);
    for world in larger() {
        let (touch, astar) = (world.planner(Engine::Straight), world.planner(Engine::Astar));
        let body = planner_of(&world, StraightRule::Body);
        let (mut scratch, mut found, mut longer) = (Scratch::new(), 0, 0);
        for _ in 0..150 {
            let ends = (any_point(&mut random, &world.map), any_point(&mut random, &world.map));
            let Some(length_of_body) = length(&world, &body, ends, &mut scratch) else { continue };
            let least = length(&world, &touch, ends, &mut scratch).expect("there is a path");
            let outcome = astar.find(query(ends.0, ends.1), &mut scratch).unwrap();
            let most = outcome.route().expect("there is a path").length();
            assert!(
                least < length_of_body + PROMISE && length_of_body < most + PROMISE,
                "{ends:?} on {world:?}"
            );
            found += 1;
            longer += usize::from(length_of_body > least + 0.01);
        }
        assert!(found > 30 && longer > found / 4, "{found} {longer}");
    }
}

fn planner_of(world: &World, rule: StraightRule) -> Planner {
    let grid = world.grid();
    let index = StraightIndex::build(&grid, StraightSettings::default().with_rule(rule));
    Planner::with_index(grid, index).unwrap()
}

/// Cost alone, first point, tables and the nearest of many say what paths say, by both rules and
/// with every kind of index.
#[test]
fn everything_says_what_paths_say() {
    let mut random = SplitMix64::new(15);
    let usual = StraightSettings::default();
    for (world, rule) in of_size(36, 28).iter().flat_map(|world| RULES.map(|rule| (world, rule))) {
        for settings in
            [usual, usual.with_block(Block::Sixteen), usual.with_budget(12_000), usual.with_budget(0)]
        {
            let grid = world.grid();
            let index = StraightIndex::build(&grid, settings.with_rule(rule));
            let planner = Planner::with_index(grid, index).unwrap();
            let mut scratch = Scratch::new();
            let points: Vec<Point> = (0..12).map(|_| any_point(&mut random, &world.map)).collect();
            let cells: Vec<Cell> = points.iter().copied().map(cell).collect();
            let table = planner.cost_table(&cells, &cells, 1).unwrap();
            for (row, &start) in points.iter().enumerate() {
                let mut nearest: Option<f64> = None;
                for (column, &goal) in points.iter().enumerate().filter(|&(column, _)| column != row) {
                    let asked = query(start, goal);
                    let outcome = planner.find(asked, &mut scratch).unwrap();
                    let told = table.row(row).nth(column).flatten();
                    let Some(route) = outcome.route() else {
                        assert_eq!(told, matches!(outcome, Outcome::AlreadyThere).then_some(Cost::ZERO));
                        continue;
                    };
                    let (cost, length, points) =
                        (route.cost(), route.length(), route.path().points().to_vec());
                    assert_eq!(told, Some(cost));
                    nearest = Some(nearest.map_or(length, |least| least.min(length)));
                    let alone = planner.find(asked.with_detail(Detail::Cost), &mut scratch).unwrap();
                    assert_eq!(alone.route().unwrap().cost(), cost);
                    let first = planner.find(asked.with_detail(Detail::First(1)), &mut scratch).unwrap();
                    assert_eq!(first.route().unwrap().path().points(), &points[..2]);
                }
                let others: Vec<Cell> = cells.iter().copied().filter(|&other| other != cells[row]).collect();
                let found = planner.nearest(Query::starting_at(cells[row]), &others, &mut scratch).unwrap();
                let found = found.map(|(_, outcome)| outcome.route().expect("another cell").length());
                assert_eq!(found.is_some(), nearest.is_some());
                assert!((found.unwrap_or(0.0) - nearest.unwrap_or(0.0)).abs() < PROMISE);
            }
        }
    }
}

/// The rule is part of the settings in a file, and of the digest.
#[test]
fn rules_are_told_apart_in_files() {
    let world = &of_size(40, 30)[1];
    let grid = world.grid();
    let [touch, body] =
        RULES.map(|rule| Index::build(&grid, StraightSettings::default().with_rule(rule)).unwrap());
    assert_ne!(touch.digest(), body.digest());
    let saved = [&touch, &body].map(|index| store::save(index, &grid).unwrap());
    for (bytes, rule) in saved.iter().zip(RULES) {
        let described = store::describe(Arc::new(bytes.clone())).unwrap();
        assert_eq!(described.settings, StraightSettings::default().with_rule(rule).into());
        assert!(
            store::open(Arc::new(bytes.clone()), &grid).unwrap().straight().unwrap().settings().rule == rule
        );
    }
}

/// `hpt` answers while labels are built, labels of the rule asked for afterwards, and the same
/// after an edit.
#[test]
fn live_maps_keep_their_rule() {
    let world = &of_size(40, 30)[2];
    for rule in RULES {
        let settings = LiveSettings::any_angle()
            .with_straight(Some(StraightSettings::default().with_rule(rule)))
            .with_quiet(std::time::Duration::MAX);
        let live = Live::new(world.grid(), settings).unwrap();
        let mut map = world.map.clone();
        for _ in 0..3 {
            assert_eq!(live.planner().engine(), Engine::Hpt);
            let planner = live.wait().unwrap();
            assert_eq!(planner.engine(), Engine::Straight);
            assert_eq!(planner.index().and_then(Index::straight).unwrap().settings().rule, rule);
            let now = World::strict(map.clone());
            let free = map.free_points();
            let lengths = strings(&map, rule).lengths_from(free[0]);
            let mut scratch = Scratch::new();
            for &goal in free.iter().skip(1).step_by(7) {
                let found = length(&now, &planner, (free[0], goal), &mut scratch);
                let best = lengths[map.index(goal)];
                assert_eq!(found.is_some(), best.is_some());
                assert!((found.unwrap_or(0.0) - best.unwrap_or(0.0)).abs() < PROMISE);
            }
            let blocked = free[free.len() / 2];
            map.set_free(blocked, false);
            live.edit(|grid| grid.block(cell(blocked))).unwrap().unwrap();
        }
    }
}

/// Everything that can be asked about cells without a path between them says so, and nothing else does.
/// Returns how many pairs of free cells have no path.
fn check_reach(map: &PlainMap, planner: &Planner, random: &mut SplitMix64, scratch: &mut Scratch) -> usize {
    let cells: Vec<Point> = (0..7).map(|_| any_point(random, map)).filter(|&at| map.is_free_at(at)).collect();
    let goals: Vec<Cell> = cells.iter().copied().map(cell).collect();
    let table = planner.cost_table(&goals, &goals, 1).unwrap();
    let (mut costs, mut apart) = (Vec::new(), 0);
    let beyond = Rect::from(Cell::new(map.width as u16 - 1, map.height as u16 - 1));
    for (row, &start) in cells.iter().enumerate() {
        let lengths = Strings::new(map).lengths_from(start);
        planner.costs_into(cell(start), &goals, &mut costs, scratch).unwrap();
        assert!(table.row(row).eq(costs.iter().copied()));
        for (column, &goal) in cells.iter().enumerate().filter(|&(_, &goal)| goal != start) {
            let told = || format!("{start:?} to {goal:?} by {} on\n{}", planner.engine(), map.to_ascii());
            let is_joined = lengths[map.index(goal)].is_some();
            apart += usize::from(!is_joined);
            let asked = query(start, goal);
            let check = |outcome: Outcome<'_>| {
                let says = matches!(
                    (is_joined, &outcome),
                    (true, Outcome::Found(_)) | (false, Outcome::Unreachable)
                );
                assert!(says, "{outcome:?} from {}", told());
            };
            check(planner.find(asked, scratch).unwrap());
            for detail in [Detail::Cost, Detail::First(1), Detail::Cells] {
                check(planner.find(asked.with_detail(detail), scratch).unwrap());
            }
            check(planner.find_while(asked, || true, scratch).unwrap());
            check(planner.find_avoiding(asked, &[], scratch).unwrap());
            if !is_joined && !beyond.contains(cell(start)) && !beyond.contains(cell(goal)) {
                check(planner.find_avoiding(asked, &[Zone::forbidden(beyond)], scratch).unwrap());
            }
            let plan = planner.plan(asked, scratch).unwrap();
            let says = matches!((is_joined, &plan), (true, Planned::Plan(_)) | (false, Planned::Unreachable));
            assert!(says, "{plan:?} from {}", told());
            assert_eq!(costs[column].is_some(), is_joined, "{}", told());
            assert_eq!(planner.path(cell(start), cell(goal)).is_some(), is_joined, "{}", told());
            let nearest = planner.nearest(Query::starting_at(cell(start)), &[cell(goal)], scratch).unwrap();
            assert_eq!(nearest.is_some(), is_joined, "{}", told());
        }
    }
    apart
}

/// Blocks or frees a cell of both maps.
fn flip(map: &mut PlainMap, at: Point, grid: &mut Grid) {
    let is_free = map.is_free_at(at);
    map.set_free(at, !is_free);
    let _ = if is_free { grid.block(cell(at)) } else { grid.free(cell(at)) }.unwrap();
}

/// With every kind of index, before and after edits. Labels of all cells say so without a look at the
/// regions of the map.
#[test]
fn cells_without_a_path_are_told() {
    let mut random = SplitMix64::new(31);
    let mut scratch = Scratch::new();
    let usual = StraightSettings::default();
    let mut apart = [0; 4];
    for round in 0..12 {
        let rule = RULES[round % 2];
        let map = generate(Kind::Random { blocked_percent: 42 }, 24, 18, round as u64).unwrap();
        let kinds = [usual, usual.with_block(Block::Sixteen), usual.with_budget(8_000), usual.with_budget(0)];
        for (settings, apart) in kinds.into_iter().zip(&mut apart) {
            let mut map = map.clone();
            let grid = World::strict(map.clone()).grid();
            let index = StraightIndex::build(&grid, settings.with_rule(rule));
            let mut planner = Planner::with_index(grid, index).unwrap();
            for _ in 0..4 {
                *apart += check_reach(&map, &planner, &mut random, &mut scratch);
                planner.edit(|grid| {
                    for _ in 0..6 {
                        let at = any_point(&mut random, &map);
                        flip(&mut map, at, grid);
                    }
                });
            }
        }
    }
    assert!(apart.iter().all(|&apart| apart > 100), "{apart:?}");
}

/// The same of a planner chosen for any angle, which goes on with `hpt` after an edit, and of a live map:
/// while `hpt` stands in, with labels, and with labels of a map before an edit, which somebody still holds.
#[test]
fn cells_without_a_path_are_told_by_those_who_stand_in() {
    let mut random = SplitMix64::new(32);
    let mut scratch = Scratch::new();
    let mut apart = 0;
    for seed in 0..8 {
        let mut map = generate(Kind::Random { blocked_percent: 42 }, 24, 18, 100 + seed).unwrap();
        let mut planner = Planner::any_angle(World::strict(map.clone()).grid());
        assert_eq!(planner.engine(), Engine::Straight);
        let settings = LiveSettings::any_angle().with_quiet(std::time::Duration::MAX);
        let live = Live::new(World::strict(map.clone()).grid(), settings).unwrap();
        for round in 0..4 {
            apart += check_reach(&map, &planner, &mut random, &mut scratch);
            assert_eq!(live.planner().engine(), Engine::Hpt);
            apart += check_reach(&map, &live.planner(), &mut random, &mut scratch);
            // Every other edit comes while the stand-in answers.
            let labelled = (round % 2 == 0).then(|| live.wait().unwrap());
            let before = map.clone();
            let at = any_point(&mut random, &map);
            live.edit(|grid| flip(&mut map, at, grid)).unwrap();
            planner.edit(|grid| flip(&mut before.clone(), at, grid));
            assert_eq!(planner.engine(), Engine::Hpt);
            if let Some(labelled) = labelled {
                assert_eq!(labelled.engine(), Engine::Straight);
                apart += check_reach(&before, &labelled, &mut random, &mut scratch);
            }
        }
    }
    assert!(apart > 500, "{apart}");
}

/// Who asks for any angle without a wish gets labels where they are made in seconds: not on large fields
/// of noise, where `hpt` is as fast.
#[test]
fn noise_is_left_to_hpt() {
    let choice = |kind: Kind, side: usize| {
        let map = generate(kind, side, side, 5).unwrap();
        Engine::choose_any_angle(&World::strict(map).grid()).0
    };
    for blocked_percent in [10, 25] {
        assert_eq!(choice(Kind::Random { blocked_percent }, 192), Engine::Hpt);
        assert_eq!(choice(Kind::Random { blocked_percent }, 64), Engine::Straight);
    }
    assert_eq!(choice(Kind::Rooms { size: 7 }, 400), Engine::Straight);
    assert_eq!(choice(Kind::Maze { corridor: 2, wall: 1 }, 400), Engine::Straight);
    assert_eq!(choice(Kind::Caves { blocked_percent: 45, rounds: 4 }, 400), Engine::Straight);
}
