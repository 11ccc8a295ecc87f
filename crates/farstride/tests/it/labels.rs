//! Labels answer as the oracle does: on every map of 4 × 4 cells without
//! exception, on random and generated worlds, at the edges of what maps can be,
//! after edits, and from any number of threads.
//!
//! What takes longer is in `labels_exhaustive.rs`.

use crate::common::lookups::{Questions, Tally, Tester, Trial, expand, planner_with, share};
use crate::common::small::{SYMMETRIES, SmallMap};
use crate::common::{Answer, World, any_point, cases, cell, points, query, random_map};
use farstride::error::{MapMismatch, QueryError};
use farstride::grid::DiagonalCost;
use farstride::index::BuildOptions;
use farstride::labels::{Block, GridLabels, LabelSettings};
use farstride::{Cell, Detail, Diagonals, Engine, Grid, Outcome, Path, Planner, Query, Rect, Rules, Scratch};
use farstride_testkit::strategies::{diagonal_costs, diagonals, edits, maps, query_on};
use farstride_testkit::{self as testkit, Change, Edit, Kind, PlainMap, Point, SplitMix64, generate, oracle};
use proptest::prelude::*;
use proptest::sample::Index;

const RULES: [Diagonals; 4] = [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None];
const COSTS: [DiagonalCost; 2] = [DiagonalCost::Sqrt2, DiagonalCost::Ratio142];

/// Tries every map of 4 × 4 cells.
fn check_all(rules: Rules, trial: Trial) -> Tally {
    Tally::sum(share(1 << 16, |free, tester: &mut Tester| {
        tester.check(SmallMap { width: 4, height: 4, rules, free }, trial);
    }))
}

/// What all maps of 4 × 4 cells have in them: as many ways by every rule that
/// connects the same cells.
fn expected(rule: Diagonals) -> Tally {
    let pairs = 3_932_160;
    let ways = if rule == Diagonals::Free { 3_381_072 } else { 2_424_312 };
    Tally { maps: 1 << 16, ways, no_ways: pairs - ways }
}

/// All maps, all pairs of cells, every amount of detail.
#[test]
fn every_answer_on_every_map_of_4_by_4_is_right() {
    let trial = Trial { questions: Questions::Everything, ..Trial::PLAIN };
    assert_eq!(check_all(Rules::default(), trial), expected(Diagonals::Strict));
}

/// One map of each kind where four blocks meet, turned another way for every
/// rule and cost. `./exhaustive` tries all maps with all of them.
#[test]
fn every_way_on_every_kind_of_map_of_4_by_4_is_shortest_by_every_rule_and_cost() {
    let ways = RULES.into_iter().flat_map(|rule| COSTS.map(|cost| (rule, cost)));
    for ((diagonals, diagonal_cost), symmetry) in ways.zip(SYMMETRIES) {
        let rules = Rules { diagonals, diagonal_cost };
        let trial = Trial { margin: 6, ..Trial::PLAIN };
        let tally = Tally::sum(share(1 << 16, |free, tester: &mut Tester| {
            let map = SmallMap { width: 4, height: 4, rules, free };
            if map.is_first_of_its_kind() {
                tester.check(map.turned(symmetry), trial);
            }
        }));
        assert_eq!(tally.maps, 8548, "{rules:?}");
        assert!(tally.ways > 300_000 && tally.no_ways > 50_000, "{rules:?}: {tally:?}");
    }
}

/// What the budget of nothing in the tests above is good for: no search stands
/// in for labels unnoticed.
#[test]
fn labels_need_no_budget_and_a_search_does() {
    let world = World::strict(PlainMap::from_ascii("....\n.##.\n...."));
    let ask = query((0, 1), (3, 1)).with_budget(0);
    let mut scratch = Scratch::new();
    assert!(world.planner(Engine::Labels).find(ask, &mut scratch).unwrap().route().is_some());
    let outcome = world.planner(Engine::Astar).find(ask, &mut scratch).unwrap();
    assert!(matches!(outcome, Outcome::BudgetSpent(_)));
}

/// An answer of labels alone.
fn look_up(planner: &Planner, start: Point, goal: Point, scratch: &mut Scratch) -> Answer {
    planner.find(query(start, goal).with_budget(0), scratch).unwrap().into()
}

/// Asks for the ways from one cell to some others and holds the answers against
/// the oracle; how many there are.
fn assert_ways(
    world: &World,
    planner: &Planner,
    start: Point,
    goals: &[Point],
    scratch: &mut Scratch,
) -> usize {
    let best = oracle::distances(&world.map, world.diagonals, world.cost, start);
    let check = |&goal: &Point| {
        let answer = look_up(planner, start, goal, scratch);
        world.assert_costs(start, goal, &answer, best[world.map.index(goal)]);
        usize::from(answer.is_found())
    };
    goals.iter().map(check).sum()
}

/// All ways of a map.
fn assert_all_ways(world: &World) -> usize {
    let planner = world.planner(Engine::Labels);
    let all: Vec<Point> = (0..world.map.free.len()).map(|index| world.map.point(index)).collect();
    let mut scratch = Scratch::new();
    all.iter().map(|&start| assert_ways(world, &planner, start, &all, &mut scratch)).sum()
}

/// Everything about labels that can be seen.
fn assert_same_labels(one: &GridLabels, other: &GridLabels) {
    assert_eq!(one.settings(), other.settings());
    assert_eq!(one.byte_count(), other.byte_count());
    assert_eq!(one, other);
}

fn all_details() -> impl Iterator<Item = Detail> {
    let others = [Detail::Cells, Detail::Waypoints, Detail::Cost];
    others.into_iter().chain([0, 1, 2, 5, 40].map(Detail::First))
}

proptest! {
    #![proptest_config(cases(400))]

    /// On maps of several blocks; the answers in a used scratch are those in a
    /// fresh one, at every amount of detail.
    #[test]
    fn answers_are_those_of_the_oracle(
        map in maps(45, 35),
        rule in diagonals(),
        cost in diagonal_costs(),
        places in any::<[Index; 6]>(),
    ) {
        let world = World::new(map, rule, cost);
        let planner = world.planner(Engine::Labels);
        let goals = places.map(|place| world.map.point(place.index(world.map.free.len())));
        let mut used = Scratch::new();
        for &start in &goals[..3] {
            assert_ways(&world, &planner, start, &goals, &mut used);
            for (&goal, detail) in goals.iter().flat_map(|goal| all_details().map(move |detail| (goal, detail))) {
                let ask = query(start, goal).with_detail(detail).with_budget(0);
                let mut fresh = Scratch::new();
                prop_assert_eq!(planner.find(ask, &mut used).unwrap(), planner.find(ask, &mut fresh).unwrap());
            }
        }
    }

    /// A* says the same wherever there is no path, and every path costs as
    /// much there and back.
    #[test]
    fn outcomes_are_those_of_astar_and_costs_are_symmetric(
        case in query_on(maps(50, 50)),
        rule in diagonals(),
        cost in diagonal_costs(),
    ) {
        let world = World::new(case.map, rule, cost);
        let (labels, astar) = (world.planner(Engine::Labels), world.planner(Engine::Astar));
        let mut scratch = Scratch::new();
        let mut ask = |planner: &Planner, start, goal| {
            let ask = query(start, goal).with_detail(Detail::Cost);
            Answer::from(planner.find(ask, &mut scratch).unwrap())
        };
        let there = ask(&labels, case.start, case.goal);
        prop_assert_eq!(&there, &ask(&astar, case.start, case.goal));
        let back = ask(&labels, case.goal, case.start);
        prop_assert_eq!(&back, &ask(&astar, case.goal, case.start));
        prop_assert!(!there.is_found() || there == back);
    }
}

proptest! {
    // Each case builds six sets of labels, most of them on several threads.
    #![proptest_config(cases(100))]

    /// One thread or many make the same labels, and the side of blocks makes no
    /// difference to any cost.
    #[test]
    fn threads_and_blocks_make_no_difference(
        map in maps(60, 50),
        rule in diagonals(),
        cost in diagonal_costs(),
        places in any::<[[Index; 2]; 4]>(),
    ) {
        let world = World::new(map, rule, cost);
        let grid = world.grid();
        let build = |block, threads| {
            let settings = LabelSettings::DEFAULT.with_block(block);
            let labels = farstride::Index::build_with(&grid, settings, &BuildOptions::new().threads(threads)).unwrap();
            Planner::with_index(grid.clone(), labels).unwrap()
        };
        let alone = build(Block::Eight, 1);
        let together = [2, 5].map(|threads| build(Block::Eight, threads));
        let wide = build(Block::Sixteen, 1);
        assert_same_labels(wide.index().and_then(farstride::Index::labels).unwrap(), build(Block::Sixteen, 3).index().and_then(farstride::Index::labels).unwrap());
        for planner in &together {
            assert_same_labels(alone.index().and_then(farstride::Index::labels).unwrap(), planner.index().and_then(farstride::Index::labels).unwrap());
        }
        let mut scratch = Scratch::new();
        for ends in places {
            let [start, goal] = ends.map(|place| world.map.point(place.index(world.map.free.len())));
            let answer = look_up(&alone, start, goal, &mut scratch);
            for planner in &together {
                prop_assert_eq!(&answer, &look_up(planner, start, goal, &mut scratch));
            }
            let best = oracle::distance(&world.map, rule, cost, start, goal);
            world.assert_costs(start, goal, &look_up(&wide, start, goal, &mut scratch), best);
        }
    }
}

proptest! {
    #![proptest_config(cases(200))]

    /// A planner whose map was edited answers as one that never knew another
    /// map, path for path.
    #[test]
    fn edits_leave_no_trace(
        (map, edits) in maps(40, 40).prop_flat_map(|map| {
            let edits = edits(map.width, map.height);
            (Just(map), edits)
        }),
        rule in diagonals(),
        places in any::<[[Index; 2]; 3]>(),
    ) {
        let mut world = World::new(map, rule, testkit::DiagonalCost::Sqrt2);
        let mut edited = world.planner(Engine::Labels);
        let mut scratch = Scratch::new();
        for edit in &edits {
            edited.edit(|grid| apply(grid, &mut world, edit));
            let ends = places.map(|ends| ends.map(|place| world.map.point(place.index(world.map.free.len()))));
            if !world.suits(Engine::Labels) {
                let [start, goal] = ends[0];
                let refused = edited.find(query(start, goal), &mut scratch);
                prop_assert!(matches!(refused, Err(QueryError::Unsupported(_))));
                continue;
            }
            let fresh = world.planner(Engine::Labels);
            assert_same_labels(edited.index().and_then(farstride::Index::labels).unwrap(), fresh.index().and_then(farstride::Index::labels).unwrap());
            for [start, goal] in ends {
                let answer = look_up(&edited, start, goal, &mut scratch);
                prop_assert_eq!(&answer, &look_up(&fresh, start, goal, &mut Scratch::new()));
                world.assert_optimal(start, goal, &answer);
            }
        }
    }
}

/// Edits both maps.
fn apply(grid: &mut Grid, world: &mut World, edit: &Edit) {
    world.map.apply(edit);
    let Edit { corner: (x, y), width, height, change } = *edit;
    let area = Rect::spanning(cell((x, y)), cell((x + width - 1, y + height - 1)));
    let result = match change {
        Change::Free => grid.free(area),
        Change::Blocked => grid.block(area),
        Change::Weight(weight) => grid.set_weight(area, weight),
    };
    let _ = result.expect("the edit is on the map");
}

/// Maps with structure, under every rule.
#[test]
fn ways_on_generated_maps_are_shortest() {
    let mut random = SplitMix64::new(21);
    let mut scratch = Scratch::new();
    let mut found = 0;
    for round in 0..112 {
        let kind = Kind::SAMPLES[round % Kind::SAMPLES.len()];
        let map = generate(kind, random.between(30, 90), random.between(30, 90), random.next_u64()).unwrap();
        let (rule, cost) = (testkit::Diagonals::ALL[round % 4], testkit::DiagonalCost::ALL[round / 4 % 2]);
        let world = World::new(map, rule, cost);
        let planner = world.planner(Engine::Labels);
        for _ in 0..4 {
            let start = any_point(&mut random, &world.map);
            let goals: Vec<Point> = (0..50).map(|_| any_point(&mut random, &world.map)).collect();
            found += assert_ways(&world, &planner, start, &goals, &mut scratch);
        }
    }
    assert!(found > 8000, "only {found} of 22400 queries have a path");
}

/// Rows, columns, single cells, nothing free and nothing blocked; sides around
/// those of blocks.
#[test]
fn all_ways_are_shortest_on_maps_at_the_edges() {
    let sides = [1, 2, 7, 8, 9, 15, 16, 17];
    let flat = sides.into_iter().flat_map(|side| [(1, side), (side, 1), (2, side), (side, 2)]);
    let square = [7, 8, 9, 15, 16, 17].into_iter().map(|side| (side, side));
    let mut random = SplitMix64::new(22);
    for ((width, height), rule) in flat.chain(square).zip(testkit::Diagonals::ALL.into_iter().cycle()) {
        for blocked in [0, 12, 100] {
            let map = random_map(&mut random, width, height, blocked);
            let cells = map.free_points().len();
            let found = assert_all_ways(&World::new(map, rule, testkit::DiagonalCost::Sqrt2));
            let most = cells * cells.saturating_sub(1);
            assert!(if blocked == 12 { found <= most } else { found == most }, "{found} of {most}");
        }
    }
}

/// All that is free lies in one corner, or in two.
#[test]
fn all_ways_are_shortest_where_only_corners_are_free() {
    for (width, height) in [(9, 9), (17, 10), (24, 33)] {
        let nook = PlainMap::from_ascii("...\n.#.\n...");
        let draw = |map: &mut PlainMap, (left, top): Point| {
            for (x, y) in nook.free_points() {
                map.set_free((left + x, top + y), true);
            }
        };
        let corners = [(0, 0), (width - 3, 0), (0, height - 3), (width - 3, height - 3)];
        for (corner, other) in corners.into_iter().flat_map(|corner| corners.map(|other| (corner, other))) {
            let mut map = PlainMap::new(width, height, false);
            draw(&mut map, corner);
            draw(&mut map, other);
            let nooks = if corner == other { 1 } else { 2 };
            let planner = World::strict(map.clone()).planner(Engine::Labels);
            let mut scratch = Scratch::new();
            let world = World::strict(map);
            let free = world.map.free_points();
            let count = |&start: &Point| assert_ways(&world, &planner, start, &free, &mut scratch);
            assert_eq!(free.iter().map(count).sum::<usize>(), nooks * 8 * 7);
        }
    }
}

/// One way winds through the whole map, row after row.
fn serpentine(width: usize, rows: usize) -> World {
    let mut map = PlainMap::new(width, 2 * rows - 1, true);
    for row in 1..rows {
        let gap = if row % 2 == 1 { width - 1 } else { 0 };
        for x in (0..width).filter(|&x| x != gap) {
            map.set_free((x, 2 * row - 1), false);
        }
    }
    World::strict(map)
}

/// Holds every amount of detail between two cells against the oracle, both ways.
fn assert_details(world: &World, planner: &Planner, ends: [Point; 2], scratch: &mut Scratch) {
    for [start, goal] in [ends, [ends[1], ends[0]]] {
        let whole = look_up(planner, start, goal, scratch);
        world.assert_optimal(start, goal, &whole);
        let Answer::Found { cost, length, path, .. } = whole else {
            panic!("{start:?} to {goal:?} is a way")
        };
        for detail in all_details() {
            let ask = query(start, goal).with_budget(0).with_detail(detail);
            let outcome = planner.find(ask, scratch).unwrap();
            let route = outcome.route().unwrap();
            assert_eq!((route.cost().units(), route.length()), (cost, length), "{detail:?}");
            let cells = points(route.path().cells());
            match detail {
                Detail::Cost => assert_eq!(route.path(), Path::Omitted),
                Detail::First(steps) => assert!(path[..path.len().min(steps as usize + 1)] == cells),
                Detail::Waypoints => {
                    let expanded = expand(route.path().cells(), world.rules().diagonals);
                    assert!(points(&expanded.collect::<Vec<_>>()) == path);
                }
                _ => assert!(path == cells),
            }
        }
    }
}

/// Tracks of more than 256 columns are cut into pieces, and costs no longer
/// tell how many steps are diagonal. Some ways have more cells than two bytes
/// count.
#[test]
fn long_ways_are_shortest() {
    let mut scratch = Scratch::new();
    for (width, rows, least) in [(300, 5, 1_000), (700, 31, 20_000), (1100, 62, 1 << 16)] {
        let world = serpentine(width, rows);
        let planner = world.planner(Engine::Labels);
        let (right, bottom) = (width - 1, 2 * rows - 2);
        assert_details(&world, &planner, [(0, 0), (right / 2, bottom)], &mut scratch);
        assert_details(&world, &planner, [(right, bottom), (3, 0)], &mut scratch);
        let end = if rows % 2 == 1 { right } else { 0 };
        let outcome = planner.find(query((0, 0), (end, bottom)), &mut scratch).unwrap();
        let cells = outcome.route().unwrap().path().cells().len();
        assert!(cells == rows * width + rows - 1 && cells > least, "{cells}");
    }
}

/// Wide rooms: long tracks that lead both ways, with diagonal steps.
#[test]
fn ways_across_wide_maps_are_shortest() {
    let mut random = SplitMix64::new(23);
    let mut scratch = Scratch::new();
    for (round, (width, height)) in [(900, 60), (70, 800), (600, 130)].into_iter().enumerate() {
        let map = generate(Kind::Rooms { size: 14 }, width, height, random.next_u64()).unwrap();
        let world = World::new(map, testkit::Diagonals::ALL[round], testkit::DiagonalCost::ALL[round % 2]);
        let planner = world.planner(Engine::Labels);
        let start = world.map.free_points()[0];
        let goals: Vec<Point> = (0..200).map(|_| any_point(&mut random, &world.map)).collect();
        assert!(assert_ways(&world, &planner, start, &goals, &mut scratch) > 100);
        let goal = *world.map.free_points().last().unwrap();
        assert_details(&world, &planner, [start, goal], &mut scratch);
    }
}

/// Waypoints are where a path turns, and nothing else.
#[test]
fn waypoints_are_the_turns_of_a_path() {
    let world = World::strict(generate(Kind::Rooms { size: 9 }, 80, 80, 6).unwrap());
    let planner = world.planner(Engine::Labels);
    let mut random = SplitMix64::new(24);
    let mut scratch = Scratch::new();
    let mut turns = 0;
    for _ in 0..300 {
        let ask = query(any_point(&mut random, &world.map), any_point(&mut random, &world.map));
        let outcome = planner.find(ask.with_detail(Detail::Waypoints), &mut scratch).unwrap();
        let Some(Path::Waypoints(way)) = outcome.route().map(farstride::Route::path) else { continue };
        for bend in way.windows(3) {
            let leg = |from: Cell, to: Cell| {
                let by = |from: u16, to: u16| (i32::from(to) - i32::from(from)).signum();
                (by(from.x, to.x), by(from.y, to.y))
            };
            assert_ne!(leg(bend[0], bend[1]), leg(bend[1], bend[2]), "{way:?}");
            turns += 1;
        }
    }
    assert!(turns > 1000, "only {turns} turns");
}

/// Labels of the map as it was, or of another, are not those of the map.
#[test]
fn labels_of_another_map_are_refused() {
    let mut grid = Grid::empty(9, 9).unwrap();
    let labels = GridLabels::build(&grid, LabelSettings::DEFAULT);
    assert!(labels.is_current(&grid));
    let planner = Planner::with_index(grid.clone(), labels.clone()).unwrap();
    assert_eq!(
        (planner.engine(), planner.index().and_then(farstride::Index::labels).unwrap().settings()),
        (Engine::Labels, LabelSettings::DEFAULT)
    );
    assert_eq!(Planner::with_index(Grid::empty(9, 8).unwrap(), labels.clone()).err(), Some(MapMismatch));
    let _ = grid.block(Cell::new(4, 4)).unwrap();
    assert!(!labels.is_current(&grid));
    assert_eq!(Planner::with_index(grid, labels).err(), Some(MapMismatch));
}

/// Of two planners that share map and labels, one is edited.
#[test]
fn an_edit_leaves_other_planners_of_the_labels_alone() {
    let mut one = Planner::with_engine(Grid::empty(20, 20).unwrap(), Engine::Labels).unwrap();
    let other = one.clone();
    let _ = one.edit(|grid| grid.block(Rect::spanning(Cell::new(10, 0), Cell::new(10, 18)))).unwrap();
    let mut scratch = Scratch::new();
    let mut cells = |planner: &Planner| match look_up(planner, (0, 0), (19, 0), &mut scratch) {
        Answer::Found { path, .. } => path.len(),
        answer => panic!("{answer:?}"),
    };
    assert_eq!((cells(&other), cells(&one), cells(&other)), (20, 1 + 19 + 2 + 19, 20));
}

/// An edit that panics half-way leaves the labels behind: a search stands in
/// until the next edit.
#[test]
fn an_edit_that_panics_leads_nobody_through_walls() {
    let mut world = World::strict(PlainMap::new(40, 40, true));
    let mut planner = world.planner(Engine::Labels);
    let wall = Edit { corner: (20, 0), width: 1, height: 39, change: Change::Blocked };
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        planner.edit(|grid| {
            apply(grid, &mut world, &wall);
            panic!("on purpose");
        })
    }));
    assert!(result.is_err());
    let mut scratch = Scratch::new();
    let ask = query((0, 0), (39, 0));
    let outcome = planner.find(ask.with_budget(0), &mut scratch).unwrap();
    assert!(matches!(outcome, Outcome::BudgetSpent(_)));
    for detail in all_details() {
        let outcome = planner.find(ask.with_detail(detail), &mut scratch).unwrap();
        let best = oracle::distance(&world.map, world.diagonals, world.cost, (0, 0), (39, 0));
        assert_eq!(outcome.route().map(|route| route.cost().units()), best);
    }
    world.assert_optimal((0, 0), (39, 0), &planner.find(ask, &mut scratch).unwrap().into());
    let edit = Edit { corner: (3, 3), width: 2, height: 2, change: Change::Blocked };
    planner.edit(|grid| apply(grid, &mut world, &edit));
    world.assert_optimal((0, 0), (39, 0), &look_up(&planner, (0, 0), (39, 0), &mut scratch));
}

/// Maps with weights are refused, and an engine that takes them is named.
#[test]
fn weights_are_refused_and_hpa_is_named() {
    let mut grid = Grid::empty(9, 7).unwrap();
    let _ = grid.set_weight(Cell::new(3, 3), 2).unwrap();
    let refused = Planner::with_engine(grid.clone(), Engine::Labels).unwrap_err();
    assert_eq!((refused.engine, refused.instead), (Engine::Labels, Engine::Hpa));
    assert!(Planner::with_engine(grid, refused.instead).is_ok());
}

/// A search that has not begun cannot be paused: nothing of a query is left for
/// later.
#[test]
fn queries_of_labels_are_never_paused() {
    let world = World::strict(generate(Kind::Maze { corridor: 2, wall: 1 }, 60, 60, 8).unwrap());
    let planner = planner_with(world.grid(), LabelSettings::DEFAULT);
    let mut random = SplitMix64::new(25);
    let mut scratch = Scratch::new();
    for _ in 0..200 {
        let ask: Query = query(any_point(&mut random, &world.map), any_point(&mut random, &world.map));
        let whole = Answer::from(planner.find(ask, &mut scratch).unwrap());
        assert_eq!(whole, planner.find(ask.with_budget(0), &mut scratch).unwrap().into());
        assert_eq!(whole, planner.find_while(ask, || false, &mut scratch).unwrap().into());
    }
}

/// A planner that chose labels by itself keeps them as long as the map is what it
/// was, and goes on with another engine when it is not.
#[test]
fn labels_that_were_chosen_stay_until_the_map_changes() {
    let mut planner = Planner::new(Grid::from_ascii("....\n.#..\n....\n").unwrap());
    assert_eq!(planner.engine(), Engine::Labels);
    assert!(planner.edit(|grid| grid.block(Cell::new(90, 1))).is_err());
    planner.edit(|grid| grid.block(Cell::new(1, 1))).unwrap();
    assert_eq!(planner.engine(), Engine::Labels);
    planner.edit(|grid| grid.block(Cell::new(2, 1))).unwrap();
    assert_eq!(planner.engine(), Engine::NsgPlus);
}
