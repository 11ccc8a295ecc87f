//! Subgoal graphs: subgoals and edges are those of the definitions, paths are
//! shortest ones, and edits leave no trace.

use crate::common::{
    Answer, Universe, World, any_point, assert_same_length, cases, cell, point, points, query, random_map,
};
use farstride::error::{MapMismatch, QueryError, ResumeError, Unsupported};
use farstride::graph::NodeId;
use farstride::index::{BuildOptions, IndexSettings};
use farstride::search::{Counters, Effort};
use farstride::subgoal::{Partition, SubgoalGraph, SubgoalSettings};
use farstride::{
    Cell, Detail, Engine, Grid, Index, Outcome, Path, Planner, Query, Rect, Route, Rules, Scratch,
};
use farstride_testkit::strategies::{diagonal_costs, diagonals, edits, maps, query_on, weighted_maps};
use farstride_testkit::subgoals::{self, simple_subgoal_graph};
use farstride_testkit::{
    Change, DiagonalCost, Diagonals, Edit, Kind, Levels, PlainMap, Point, SplitMix64, generate, judge_grid,
    levels, oracle,
};
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::Mutex;

/// The engines that search subgoal graphs.
const ENGINES: [Engine; 5] = [Engine::Ssg, Engine::Tsg, Engine::Tl, Engine::Nsg, Engine::NsgPlus];

const RULES: [Diagonals; 4] = Diagonals::ALL;

const PARTITIONS: [Partition; 12] = [
    Partition::Simple,
    Partition::TwoLevel,
    Partition::TwoLevelLossy,
    Partition::Basic(None),
    Partition::Basic(Some(1)),
    Partition::Basic(Some(2)),
    Partition::Basic(Some(3)),
    Partition::Advanced(None),
    Partition::Advanced(Some(1)),
    Partition::Advanced(Some(2)),
    Partition::Advanced(Some(3)),
    Partition::Advanced(Some(4)),
];

fn rules() -> impl Strategy<Value = Diagonals> {
    select(RULES.to_vec())
}

fn partitions() -> impl Strategy<Value = Partition> {
    select(PARTITIONS.to_vec())
}

/// How an engine partitions subgoals by default.
fn partition_of(engine: Engine) -> Partition {
    let Some(IndexSettings::Subgoals(settings)) = engine.default_settings() else {
        panic!("{engine} uses no subgoals")
    };
    settings.partition
}

fn engine_of(partition: Partition) -> Engine {
    IndexSettings::from(SubgoalSettings::new(partition)).engine()
}

fn build(grid: &Grid, partition: Partition, threads: usize) -> SubgoalGraph {
    let options = BuildOptions::new().threads(threads);
    Index::build_with(grid, SubgoalSettings::new(partition), &options).unwrap().subgoals().unwrap().clone()
}

fn planner(world: &World, partition: Partition) -> Planner {
    let grid = world.grid();
    let graph = build(&grid, partition, 1);
    Planner::with_index(grid, graph).unwrap()
}

fn find(planner: &Planner, start: Point, goal: Point, scratch: &mut Scratch) -> Answer {
    planner.find(query(start, goal), scratch).unwrap().into()
}

/// Judges an answer; only the lossy partition may find a way that is too long.
fn assert_answer(
    world: &World,
    partition: Partition,
    (start, goal): (Point, Point),
    answer: &Answer,
    best: Option<u64>,
) {
    match answer {
        Answer::Found { cost, .. } if partition == Partition::TwoLevelLossy => {
            assert!(best.is_some_and(|best| best <= *cost), "{answer:?} for {best:?} on {world:?}");
            world.assert_costs(start, goal, answer, Some(*cost));
        }
        _ => world.assert_costs(start, goal, answer, best),
    }
}

/// Everything about a graph that can be seen.
fn assert_same(one: &SubgoalGraph, other: &SubgoalGraph) {
    assert_eq!(one.settings(), other.settings());
    assert_eq!(one.subgoals(), other.subgoals());
    let (levels, expected) = (one.levels(), other.levels());
    let nodes = || (0..one.subgoals().len() as u32).map(NodeId::new);
    assert!(nodes().map(|node| levels.level(node)).eq(nodes().map(|node| expected.level(node))));
    assert!(levels.edges().eq(expected.edges()));
    assert!(levels == expected);
}

proptest! {
    #![proptest_config(cases(1500))]

    /// Cells, pairs and costs.
    #[test]
    fn simple_graphs_are_what_the_paper_defines(
        map in maps(12, 12), rule in rules(), cost in diagonal_costs(),
    ) {
        let world = World::new(map, rule, cost);
        let expected = simple_subgoal_graph(&world.map, rule, cost);
        let graph = build(&world.grid(), Partition::Simple, 1);
        prop_assert_eq!(points(graph.subgoals()), expected.subgoals);
        let ends = |edge: farstride::nlevel::Edge| (edge.from.index(), edge.to.index(), edge.cost.units());
        let mut edges: Vec<_> = graph.levels().edges().map(ends).collect();
        edges.sort_unstable();
        prop_assert_eq!(edges, expected.edges);
        prop_assert!(graph.levels().edges().all(|edge| edge.via.is_none()));
        prop_assert!(graph.levels().level_count() <= 1);
    }

    /// Levels and edges are those of the paper's algorithm on the simple graph,
    /// where extra edges must be as long as on an empty map, if they may be
    /// added at all.
    #[test]
    fn levels_are_those_of_the_algorithm(
        map in maps(14, 14), rule in rules(), cost in diagonal_costs(), partition in partitions(),
    ) {
        prop_assume!(partition != Partition::TwoLevelLossy);
        let world = World::new(map, rule, cost);
        let found = plain(&build(&world.grid(), partition, 1));
        prop_assert_eq!(found, expected_levels(&world, partition), "{:?}", partition);
    }

    /// The lossy partition is the same as the other into two levels, without
    /// the edges between local subgoals, but for two kinds: those that an extra
    /// edge needs to be refined, and those of regions without global subgoals.
    #[test]
    fn the_lossy_partition_drops_edges_between_local_subgoals(
        map in maps(14, 14), rule in rules(), cost in diagonal_costs(),
    ) {
        let world = World::new(map, rule, cost);
        let found = plain(&build(&world.grid(), Partition::TwoLevelLossy, 1));
        let expected = expected_levels(&world, Partition::TwoLevel);
        let top = expected.top();
        let levels = expected.levels.clone();
        let is_local = |node: u32| levels[node as usize] < top;
        let climbs = |node: u32| {
            expected.edges.keys().any(|&(u, v)| (u == node && !is_local(v)) || (v == node && !is_local(u)))
        };
        prop_assert_eq!(&found.levels, &levels);
        for (&(u, v), &cost) in &expected.edges {
            let dispensable = is_local(u) && is_local(v) && climbs(u);
            match found.edges.get(&(u, v)) {
                Some(&kept) => prop_assert_eq!(kept, cost),
                None => prop_assert!(dispensable, "{} - {} is missing", u, v),
            }
        }
        prop_assert!(found.edges.keys().all(|edge| expected.edges.contains_key(edge)));
    }
}

/// What the testkit makes of the simple graph.
fn expected_levels(world: &World, partition: Partition) -> Levels {
    let World { map, diagonals, cost } = world;
    let simple = simple_subgoal_graph(map, *diagonals, *cost);
    let edges = simple.edges.iter().map(|&(u, v, units)| (u as u32, v as u32, units));
    let (most_levels, advanced) = match partition {
        Partition::Simple => (Some(1), false),
        Partition::TwoLevel => (Some(2), true),
        Partition::Basic(most) => (most, false),
        Partition::Advanced(most) => (most, true),
        other => panic!("{other:?} is no plain partition"),
    };
    let h = |u: u32, v: u32| {
        let [u, v] = [u, v].map(|node| simple.subgoals[node as usize]);
        subgoals::heuristic(*diagonals, *cost, u, v)
    };
    let property = |u, v, units| advanced && units == h(u, v);
    levels::partition(simple.subgoals.len() as u32, &edges.collect::<Vec<_>>(), most_levels, property)
}

/// What the engine made, in the words of the testkit.
fn plain(graph: &SubgoalGraph) -> Levels {
    let nodes = (0..graph.subgoals().len() as u32).map(NodeId::new);
    let edges = graph.levels().edges().map(|edge| {
        let (u, v) = (edge.from.index() as u32, edge.to.index() as u32);
        ((u.min(v), u.max(v)), edge.cost.units())
    });
    Levels { levels: nodes.map(|node| graph.levels().level(node)).collect(), edges: edges.collect() }
}

proptest! {
    #![proptest_config(cases(400))]

    /// All pairs of cells of small maps, however the subgoals are partitioned.
    #[test]
    fn all_ways_on_small_maps_are_shortest(
        map in maps(8, 8), rule in rules(), cost in diagonal_costs(), partition in partitions(),
    ) {
        let world = World::new(map, rule, cost);
        let planner = planner(&world, partition);
        let mut scratch = Scratch::new();
        let places: Vec<Point> = (0..world.map.free.len()).map(|index| world.map.point(index)).collect();
        for &start in &places {
            let best = oracle::distances(&world.map, rule, cost, start);
            for &goal in &places {
                let answer = find(&planner, start, goal, &mut scratch);
                assert_answer(&world, partition, (start, goal), &answer, best[world.map.index(goal)]);
            }
        }
    }

    /// Some pairs on larger maps, for every partition.
    #[test]
    fn ways_on_larger_maps_are_shortest(
        map in maps(40, 40), rule in rules(), cost in diagonal_costs(), seed: u64,
    ) {
        let world = World::new(map, rule, cost);
        let mut random = SplitMix64::new(seed);
        let mut scratch = Scratch::new();
        let start = any_point(&mut random, &world.map);
        let best = oracle::distances(&world.map, rule, cost, start);
        let goals: Vec<Point> = (0..12).map(|_| any_point(&mut random, &world.map)).collect();
        for partition in PARTITIONS {
            let planner = planner(&world, partition);
            for &goal in &goals {
                let best = best[world.map.index(goal)];
                let there = find(&planner, start, goal, &mut scratch);
                assert_answer(&world, partition, (start, goal), &there, best);
                let back = find(&planner, goal, start, &mut scratch);
                assert_answer(&world, partition, (goal, start), &back, best);
            }
        }
    }

    /// Waypoints lead along the path of cells, and the cost alone is the same;
    /// so it is for every engine on every map that suits it.
    #[test]
    fn every_engine_gives_as_much_detail_as_is_wanted(
        case in query_on(prop_oneof![3 => maps(20, 20), 1 => weighted_maps(14, 14)]),
        rule in diagonals(),
        cost in diagonal_costs(),
    ) {
        let world = World::new(case.map, rule, cost);
        for engine in Engine::ALL.into_iter().filter(|&engine| world.suits(engine)) {
            assert_details(&world, &world.planner(engine), (case.start, case.goal));
        }
    }

    /// The same for every partition.
    #[test]
    fn every_partition_gives_as_much_detail_as_is_wanted(
        case in query_on(maps(24, 24)), rule in rules(), cost in diagonal_costs(), partition in partitions(),
    ) {
        let world = World::new(case.map, rule, cost);
        assert_details(&world, &planner(&world, partition), (case.start, case.goal));
    }

    /// However a map got to be what it is, its graph is the same, and so are
    /// the paths on it. While it has weights, no path is given at all.
    #[test]
    fn edits_leave_no_trace(
        (map, edits) in maps(24, 24).prop_flat_map(|map| {
            let edits = edits(map.width, map.height);
            (Just(map), edits)
        }),
        rule in rules(), cost in diagonal_costs(), partition in partitions(), seed: u64,
    ) {
        let mut world = World::new(map, rule, cost);
        let mut edited = planner(&world, partition);
        let mut random = SplitMix64::new(seed);
        for edit in &edits {
            edited.edit(|grid| apply(grid, &mut world, edit));
            assert_as_built(&world, &edited, partition, &mut random);
        }
    }
}

/// Goes on from each waypoint to the next as [`Path::Waypoints`] says.
fn expand(world: &World, waypoints: &[Point]) -> Vec<Point> {
    let toward = |from: usize, to: usize| match from.cmp(&to) {
        std::cmp::Ordering::Less => from + 1,
        std::cmp::Ordering::Equal => from,
        std::cmp::Ordering::Greater => from - 1,
    };
    let mut path = vec![waypoints[0]];
    let mut at = waypoints[0];
    for &to in &waypoints[1..] {
        assert_ne!(at, to, "a waypoint twice: {waypoints:?} on {world:?}");
        while at != to {
            let along_the_row = world.diagonals == Diagonals::None && at.0 != to.0;
            at = (toward(at.0, to.0), if along_the_row { at.1 } else { toward(at.1, to.1) });
            path.push(at);
        }
    }
    path
}

fn assert_details(world: &World, planner: &Planner, (start, goal): (Point, Point)) {
    let mut scratch = Scratch::new();
    let engine = planner.engine();
    let cells = find(planner, start, goal, &mut scratch);
    let ask = query(start, goal);
    let outcome = planner.find(ask.with_detail(Detail::Waypoints), &mut scratch).unwrap();
    let Outcome::Found(route) = outcome else {
        assert_eq!(Answer::from(outcome), cells);
        let outcome = planner.find(ask.with_detail(Detail::Cost), &mut scratch).unwrap();
        assert_eq!(Answer::from(outcome), cells);
        return;
    };
    let Answer::Found { cost, length, path, is_any_angle } = &cells else {
        panic!("{engine} finds waypoints but no cells from {start:?} to {goal:?} on {world:?}");
    };
    assert_eq!((route.cost().units(), route.length().to_bits()), (*cost, length.to_bits()));
    match route.path() {
        Path::Points(_) => assert!(*is_any_angle && crate::common::turns(route.path()) == *path),
        Path::Waypoints(waypoints) => {
            let waypoints = points(waypoints);
            assert_eq!((waypoints.first(), waypoints.last()), (Some(&start), Some(&goal)));
            let expanded = expand(world, &waypoints);
            let verdict = judge_grid(&world.map, world.diagonals, world.cost, start, goal, &expanded);
            let verdict = verdict.unwrap_or_else(|fault| {
                panic!("{engine}: {fault}: {waypoints:?} from {start:?} to {goal:?} on {world:?}")
            });
            assert_eq!(verdict.cost, *cost, "{engine}: {waypoints:?} on {world:?}");
            assert_eq!(expanded, *path, "{engine}: {waypoints:?} on {world:?}");
        }
        other => panic!("{engine} gave {other:?}"),
    }
    let outcome = planner.find(ask.with_detail(Detail::Cost), &mut scratch).unwrap();
    let route = outcome.route().expect("there is a way");
    assert_eq!(route.path(), Path::Omitted);
    assert_eq!(route.cost().units(), *cost, "{engine} from {start:?} to {goal:?} on {world:?}");
    assert_same_length(engine, route, *length);
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

/// Holds an edited planner against one that never knew another map.
fn assert_as_built(world: &World, edited: &Planner, partition: Partition, random: &mut SplitMix64) {
    let graph = edited.index().and_then(Index::subgoals).unwrap();
    assert!(graph.is_current(edited.grid()));
    let ends = [0; 3].map(|_| (any_point(random, &world.map), any_point(random, &world.map)));
    let mut scratch = Scratch::new();
    if !world.suits(edited.engine()) {
        let (start, goal) = ends[0];
        let refused = edited.find(query(start, goal), &mut scratch);
        assert!(matches!(refused, Err(QueryError::Unsupported(_))), "{refused:?} on {world:?}");
        return;
    }
    let fresh = planner(world, partition);
    assert_same(graph, fresh.index().and_then(Index::subgoals).unwrap());
    for (start, goal) in ends {
        let answer = find(edited, start, goal, &mut scratch);
        let best = oracle::distance(&world.map, world.diagonals, world.cost, start, goal);
        assert_answer(world, partition, (start, goal), &answer, best);
        assert_eq!(answer, find(&fresh, start, goal, &mut Scratch::new()), "{partition:?} on {world:?}");
    }
}

/// One random edit, mostly a small one, that is likely to change something.
fn random_edit(random: &mut SplitMix64, map: &PlainMap) -> Edit {
    let corner = any_point(random, map);
    let mut side = |room: usize| if random.chance(60) { 1 } else { random.between(1, room.min(6)) };
    let (width, height) = (side(map.width - corner.0), side(map.height - corner.1));
    let change = if map.is_free_at(corner) { Change::Blocked } else { Change::Free };
    Edit { corner, width, height, change }
}

/// Long sequences of edits, several at a time now and then.
fn edit_and_compare(seed: u64, steps: usize) {
    let mut random = SplitMix64::new(seed);
    let (width, height) = (random.between(1, 70), random.between(1, 70));
    let blocked = random.between(0, 45) as u32;
    let map = random_map(&mut random, width, height, blocked);
    let rule = RULES[random.below(2)];
    let mut world = World::new(map, rule, DiagonalCost::ALL[random.below(2)]);
    let partition = PARTITIONS[random.below(PARTITIONS.len())];
    let mut edited = planner(&world, partition);
    for _ in 0..steps {
        let batch = if random.chance(80) { 1 } else { random.between(2, 4) };
        edited.edit(|grid| {
            for _ in 0..batch {
                let edit = random_edit(&mut random, &world.map);
                apply(grid, &mut world, &edit);
            }
        });
        assert_as_built(&world, &edited, partition, &mut random);
    }
}

#[test]
fn long_sequences_of_edits_leave_no_trace() {
    (0..40).for_each(|seed| edit_and_compare(seed, 20));
}

#[test]
#[ignore = "takes minutes; run by ./exhaustive"]
fn a_hundred_thousand_edits_leave_no_trace() {
    (0..500).for_each(|seed| edit_and_compare(1000 + seed, 200));
}

/// Maps with structure, for every engine.
#[test]
fn ways_on_generated_maps_are_shortest() {
    let mut random = SplitMix64::new(4);
    let mut scratch = Scratch::new();
    for round in 0..160 {
        let kind = Kind::SAMPLES[round % Kind::SAMPLES.len()];
        let map = generate(kind, random.between(30, 90), random.between(30, 90), random.next_u64()).unwrap();
        let (rule, cost) = (RULES[usize::from(round % 5 == 0)], DiagonalCost::ALL[round / 2 % 2]);
        let world = World::new(map, rule, cost);
        let start = any_point(&mut random, &world.map);
        let best = oracle::distances(&world.map, rule, cost, start);
        let goals: Vec<Point> = (0..20).map(|_| any_point(&mut random, &world.map)).collect();
        for partition in ENGINES.map(partition_of) {
            let planner = planner(&world, partition);
            for &goal in &goals {
                let answer = find(&planner, start, goal, &mut scratch);
                assert_answer(&world, partition, (start, goal), &answer, best[world.map.index(goal)]);
            }
        }
    }
}

fn universe(diagonals: farstride::Diagonals, engine: Engine) -> Universe {
    Universe { width: 4, height: 4, rules: Rules { diagonals, ..Rules::default() }, engine }
}

/// The diagonal rules, as the engine's.
const ENGINE_RULES: [farstride::Diagonals; 4] = [
    farstride::Diagonals::Strict,
    farstride::Diagonals::OneSide,
    farstride::Diagonals::Free,
    farstride::Diagonals::None,
];

#[test]
fn every_way_of_nsg_plus_and_ssg_on_every_map_of_4_by_4_is_shortest() {
    for engine in [Engine::NsgPlus, Engine::Ssg] {
        let found = universe(farstride::Diagonals::Strict, engine).check_all();
        assert!(found > 1_000_000, "only {found} ways by {engine}");
    }
}

/// Every map up to turns and reflections.
#[test]
fn every_way_of_optimal_engines_on_maps_of_4_by_4_is_shortest_by_either_rule() {
    for diagonals in ENGINE_RULES {
        for engine in ENGINES.into_iter().filter(|engine| engine.is_optimal()) {
            let universe = universe(diagonals, engine);
            let found = universe.check_those(move |map| universe.is_first_of_its_kind(map));
            assert!(found > 100_000, "only {found} ways by {engine}");
        }
    }
}

#[test]
fn maps_of_4_by_4_are_of_8548_kinds() {
    let universe = universe(farstride::Diagonals::Strict, Engine::Ssg);
    assert_eq!((0..1 << 16).filter(|&map| universe.is_first_of_its_kind(map)).count(), 8548);
}

#[test]
#[ignore = "takes minutes; run by ./exhaustive"]
fn every_way_of_every_optimal_engine_on_every_map_of_4_by_4_is_shortest() {
    for diagonals in ENGINE_RULES {
        for engine in ENGINES.into_iter().filter(|engine| engine.is_optimal()) {
            let found = universe(diagonals, engine).check_all();
            assert!(found > 1_000_000, "only {found} ways by {engine}");
        }
    }
}

/// The lossy partition finds a way wherever there is one, not always the best.
#[test]
fn lossy_ways_are_not_much_longer() {
    let mut random = SplitMix64::new(6);
    let mut scratch = Scratch::new();
    let (mut total, mut best_total) = (0, 0);
    for round in 0..60 {
        let kind = Kind::SAMPLES[round % Kind::SAMPLES.len()];
        let world = World::strict(generate(kind, 80, 60, random.next_u64()).unwrap());
        let planner = planner(&world, Partition::TwoLevelLossy);
        for _ in 0..30 {
            let (start, goal) = (any_point(&mut random, &world.map), any_point(&mut random, &world.map));
            let best = oracle::distance(&world.map, world.diagonals, world.cost, start, goal);
            let answer = find(&planner, start, goal, &mut scratch);
            assert_answer(&world, Partition::TwoLevelLossy, (start, goal), &answer, best);
            if let Answer::Found { cost, .. } = answer {
                total += cost;
                best_total += best.unwrap();
            }
        }
    }
    let ratio = total as f64 / best_total as f64;
    assert!((1.0..1.01).contains(&ratio), "{ratio} times as long");
}

#[test]
fn unfit_maps_are_refused_and_hpa_is_named() {
    let mut weighted = Grid::empty(9, 7).unwrap();
    let _ = weighted.set_weight(Cell::new(3, 3), 2).unwrap();
    let by = |diagonals| Grid::empty(9, 7).unwrap().with_rules(Rules { diagonals, ..Rules::default() });
    for engine in ENGINES {
        let refused = Planner::with_engine(weighted.clone(), engine).unwrap_err();
        assert_eq!((refused.engine, refused.instead), (engine, Engine::Hpa));
        assert!(refused.why.contains("weights"), "{refused}");
        assert!(refused.to_string().contains("use hpa instead"), "{refused}");
        assert_eq!(engine.check(&weighted), Err(refused));
        assert!(Planner::with_engine(weighted.clone(), refused.instead).is_ok());
        for diagonals in ENGINE_RULES {
            assert_eq!(engine.check(&by(diagonals)), Ok(()));
        }
    }
}

/// Neither does a graph made by hand let a planner work on such a map.
#[test]
fn a_graph_of_an_unfit_map_finds_nothing() {
    let mut weighted = Grid::empty(9, 7).unwrap();
    let _ = weighted.set_weight(Cell::new(3, 3), 2).unwrap();
    let graph = SubgoalGraph::build(&weighted, SubgoalSettings::new(Partition::Simple));
    let planner = Planner::with_index(weighted, graph).unwrap();
    let refused =
        planner.find(Query::new(Cell::new(0, 0), Cell::new(8, 6)), &mut Scratch::new()).unwrap_err();
    assert!(
        matches!(refused, QueryError::Unsupported(Unsupported { engine: Engine::Ssg, .. })),
        "{refused:?}"
    );
}

#[test]
fn the_engine_is_chosen_by_the_map() {
    for diagonals in farstride_testkit::Diagonals::ALL {
        for weight in [1, 3] {
            let mut map = PlainMap::new(6, 5, true);
            map.weights = Some(vec![1; 30]);
            map.apply(&Edit { corner: (2, 2), width: 1, height: 1, change: Change::Weight(weight) });
            let grid = World::new(map, diagonals, DiagonalCost::Sqrt2).grid();
            let fits = weight == 1;
            let expected = if fits { Engine::Labels } else { Engine::Hpa };
            let (engine, why) = Engine::choose(&grid);
            assert_eq!(engine, expected, "{diagonals:?}, weight {weight}");
            assert!(!why.is_empty());
            let planner = Planner::new(grid);
            assert_eq!(planner.engine(), expected);
            assert_eq!(planner.index().and_then(Index::labels).is_some(), fits);
            assert_eq!(planner.index().and_then(Index::hierarchy).is_some(), !fits);
        }
    }
}

/// Where nearly all pairs of subgoals are h-reachable, not all are joined.
#[test]
fn lattices_do_not_become_complete_graphs() {
    for diagonals in ENGINE_RULES {
        let lattice = Grid::from_fn(90, 70, |cell| !(cell.x % 3 == 1 && cell.y % 3 == 1)).unwrap();
        let lattice = lattice.with_rules(Rules { diagonals, ..Rules::default() });
        let edges = build(&lattice, Partition::Simple, 1).levels().edges().count();
        for partition in [Partition::TwoLevel, Partition::TwoLevelLossy, Partition::Advanced(None)] {
            let found = build(&lattice, partition, 1).levels().edges().count();
            assert!(found <= 5 * edges + 4096, "{found} edges of {edges} by {diagonals:?}, {partition:?}");
        }
    }
}

/// On wide ground with single obstacles thousands of nodes can be climbed to
/// from a goal; few are looked at, and paths are the shortest all the same.
#[test]
fn the_look_from_the_goal_is_bounded_on_wide_ground() {
    let mut random = SplitMix64::new(9);
    let mut scratch = Scratch::new();
    for diagonals in ENGINE_RULES {
        let plain = Grid::from_fn(300, 300, |_| random.below(80) > 0).unwrap();
        let plain = plain.with_rules(Rules { diagonals, ..Rules::default() });
        let astar = Planner::with_engine(plain.clone(), Engine::Astar).unwrap();
        let planner = Planner::with_engine(plain.clone(), Engine::NsgPlus).unwrap();
        let mut effort = Effort::default();
        let cell = |random: &mut SplitMix64| Cell::new(random.below(300) as u16, random.below(300) as u16);
        let queries: Vec<Query> =
            (0..100).map(|_| Query::new(cell(&mut random), cell(&mut random))).collect();
        for &query in &queries {
            let best = astar.find(query, &mut scratch).unwrap().route().map(Route::cost);
            let found = planner.find_observed(query, &mut effort, &mut scratch).unwrap();
            assert_eq!(found.route().map(Route::cost), best, "{query:?} by {diagonals:?}");
        }
        let mean = effort.insert.expanded / queries.len() as u64;
        assert!(mean < 1000, "{mean} nodes in the mean by {diagonals:?}");
    }
}

/// A planner that chose its engine itself chooses again when it has to.
#[test]
fn an_edit_can_change_the_engine_that_was_chosen() {
    let query = Query::new(Cell::new(0, 0), Cell::new(8, 6));
    let mut chosen = Planner::new(Grid::empty(9, 7).unwrap());
    let mut named = Planner::with_engine(Grid::empty(9, 7).unwrap(), Engine::NsgPlus).unwrap();
    assert_eq!(chosen.engine(), Engine::Labels);
    chosen.edit(|grid| grid.block(Cell::new(4, 4))).unwrap();
    for planner in [&mut chosen, &mut named] {
        assert_eq!(planner.engine(), Engine::NsgPlus);
        planner.edit(|grid| grid.set_weight(Cell::new(3, 3), 9)).unwrap();
    }
    let mut scratch = Scratch::new();
    assert_eq!(chosen.engine(), Engine::Hpa);
    assert!(chosen.find(query, &mut scratch).unwrap().route().is_some());
    assert!(matches!(named.find(query, &mut scratch), Err(QueryError::Unsupported(_))));
}

/// On wide plains a subgoal graph can take long to make.
#[test]
fn huge_maps_are_left_to_others() {
    assert_eq!(Engine::choose(&Grid::empty(1024, 2048).unwrap()).0, Engine::Labels);
    let strewn = Grid::from_fn(512, 512, |cell| cell.x % 4 != 0 || cell.y % 4 != 0).unwrap();
    assert_eq!(Engine::choose(&strewn).0, Engine::NsgPlus);
    assert_eq!(Engine::choose(&Grid::empty(2048, 2048).unwrap()).0, Engine::NsgPlus);
    let (engine, why) = Engine::choose(&Grid::empty(2049, 2048).unwrap());
    assert!(engine == Engine::Hpa && why.contains("long to prepare"), "{engine}: {why}");
}

#[test]
fn engines_are_named_after_partitions() {
    for engine in ENGINES {
        assert!(matches!(engine.default_settings(), Some(IndexSettings::Subgoals(_))));
        assert_eq!(engine.is_optimal(), engine != Engine::Tl);
        assert_eq!(engine_of(partition_of(engine)), engine);
        assert_eq!(engine.name().parse(), Ok(engine));
    }
    let grid = Grid::empty(4, 4).unwrap();
    for partition in PARTITIONS {
        let planner = Planner::with_index(grid.clone(), build(&grid, partition, 1)).unwrap();
        assert_eq!(planner.engine(), engine_of(partition));
        assert_eq!(
            planner.index().and_then(Index::subgoals).unwrap().settings(),
            SubgoalSettings::new(partition)
        );
    }
}

#[test]
fn every_number_of_threads_builds_the_same() {
    let mut random = SplitMix64::new(7);
    for round in 0..8 {
        let map = match round {
            0 => PlainMap::new(1, 1, true),
            1 => PlainMap::new(9, 9, false),
            _ => random_map(&mut random, 90 + round, 80, 5 * round as u32),
        };
        let grid = World::new(map, RULES[round % 2], DiagonalCost::Sqrt2).grid();
        for partition in PARTITIONS {
            let one = build(&grid, partition, 1);
            for threads in [0, 2, 5, 1000] {
                assert_same(&one, &build(&grid, partition, threads));
            }
            assert_same(&one, &SubgoalGraph::build(&grid, SubgoalSettings::new(partition)));
        }
    }
}

#[test]
fn progress_never_falls_and_never_exceeds_the_whole() {
    let mut random = SplitMix64::new(8);
    let grid = World::strict(random_map(&mut random, 80, 80, 25)).grid();
    let heard = Mutex::new(Vec::new());
    let tell = |done, all| heard.lock().unwrap().push((done, all));
    let options = BuildOptions::new().threads(2).on_progress(&tell);
    let index = Index::build_with(&grid, SubgoalSettings::default(), &options).unwrap();
    let heard = heard.into_inner().unwrap();
    assert!(!heard.is_empty() && !index.subgoals().unwrap().subgoals().is_empty());
    assert!(heard.iter().all(|&(done, all)| done <= all), "{heard:?}");
}

/// A graph of the map as it was, or of another, is no graph of the map.
#[test]
fn a_graph_of_another_map_is_refused() {
    for partition in PARTITIONS {
        let mut grid = Grid::empty(9, 9).unwrap();
        let graph = build(&grid, partition, 1);
        assert!(graph.is_current(&grid));
        assert!(Planner::with_index(grid.clone(), graph.clone()).is_ok());
        let smaller = Grid::empty(9, 8).unwrap();
        assert!(!graph.is_current(&smaller));
        assert_eq!(Planner::with_index(smaller, graph.clone()).err(), Some(MapMismatch));
        let _ = grid.block(Cell::new(4, 4)).unwrap();
        assert!(!graph.is_current(&grid));
        assert_eq!(Planner::with_index(grid, graph).err(), Some(MapMismatch));
    }
}

/// Of two planners that share map and graph, one is edited.
#[test]
fn an_edit_leaves_other_planners_of_the_graph_alone() {
    for engine in ENGINES {
        let world = World::strict(PlainMap::new(20, 20, true));
        let mut one = world.planner(engine);
        let other = one.clone();
        let _ = one.edit(|grid| grid.block(Rect::spanning(Cell::new(10, 0), Cell::new(10, 18)))).unwrap();
        assert_eq!(one.index().and_then(Index::subgoals).unwrap().subgoals().len(), 2);
        assert_eq!(other.index().and_then(Index::subgoals).unwrap().subgoals().len(), 0);
        let mut scratch = Scratch::new();
        let length = |planner: &Planner, scratch: &mut Scratch| {
            let outcome = planner.find(Query::new(Cell::new(0, 0), Cell::new(19, 0)), scratch).unwrap();
            outcome.route().unwrap().path().cells().len()
        };
        assert_eq!(length(&other, &mut scratch), 20);
        assert_eq!(length(&one, &mut scratch), 1 + 19 + 2 + 19);
        assert_eq!(length(&other, &mut scratch), 20);
    }
}

/// An edit that panics half-way may leave the graph behind; paths are legal and
/// shortest all the same, and the next edit mends it.
#[test]
fn an_edit_that_panics_leads_nobody_through_walls() {
    for engine in ENGINES {
        let mut planner = Planner::with_engine(Grid::empty(60, 60).unwrap(), engine).unwrap();
        let wall = Rect::spanning(Cell::new(30, 0), Cell::new(30, 58));
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            planner.edit(|grid| {
                let _ = grid.block(wall).unwrap();
                panic!("on purpose");
            })
        }));
        assert!(result.is_err());
        let mut world = World::strict(PlainMap::new(60, 60, true));
        world.map.apply(&Edit { corner: (30, 0), width: 1, height: 59, change: Change::Blocked });
        let mut scratch = Scratch::new();
        for detail in [Detail::Cells, Detail::Waypoints, Detail::Cost] {
            let ask = query((0, 0), (59, 0)).with_detail(detail);
            let outcome = planner.find(ask, &mut scratch).unwrap();
            let best = oracle::distance(&world.map, world.diagonals, world.cost, (0, 0), (59, 0));
            assert_eq!(outcome.route().map(|route| route.cost().units()), best);
        }
        let answer = find(&planner, (0, 0), (59, 0), &mut scratch);
        world.assert_optimal((0, 0), (59, 0), &answer);
        let edit = Edit { corner: (3, 3), width: 1, height: 1, change: Change::Blocked };
        planner.edit(|grid| apply(grid, &mut world, &edit));
        let partition = partition_of(engine);
        assert_as_built(&world, &planner, partition, &mut SplitMix64::new(1));
    }
}

/// A search cannot go on with another partition, another map, or after its map
/// was edited.
#[test]
fn paused_searches_are_told_apart() {
    let mut random = SplitMix64::new(9);
    let world = World::strict(random_map(&mut random, 60, 60, 25));
    let grid = world.grid();
    let plan = |partition| Planner::with_index(grid.clone(), build(&grid, partition, 1)).unwrap();
    let mut planner = plan(Partition::Advanced(None));
    let mut scratch = Scratch::new();
    let pause = |planner: &Planner, scratch: &mut Scratch| {
        let mut ends = SplitMix64::new(10);
        loop {
            let ask = query(any_point(&mut ends, &world.map), any_point(&mut ends, &world.map));
            if let Outcome::BudgetSpent(paused) = planner.find(ask.with_budget(2), scratch).unwrap() {
                return paused;
            }
        }
    };
    let paused = pause(&planner, &mut scratch);
    let other_settings = plan(Partition::Advanced(Some(2))).resume(&paused, 9, &mut scratch);
    assert_eq!(other_settings, Err(ResumeError::OtherSettings));
    let expected = ResumeError::OtherEngine { began: Engine::NsgPlus, found: Engine::Tsg };
    assert_eq!(plan(Partition::TwoLevel).resume(&paused, 9, &mut scratch), Err(expected));
    let (start, goal) = (point(paused.query().start), point(paused.query().goal));
    let answer = Answer::from(planner.resume(&paused, u64::MAX, &mut scratch).unwrap());
    assert_eq!(answer, find(&planner, start, goal, &mut Scratch::new()));
    let paused = pause(&planner, &mut scratch);
    let edit = Edit { corner: start, width: 1, height: 1, change: Change::Blocked };
    planner.edit(|grid| apply(grid, &mut world.clone(), &edit));
    assert_eq!(planner.resume(&paused, 9, &mut scratch), Err(ResumeError::MapChanged));
}

/// The same query again, in a scratch used for other maps, engines and details,
/// gives the same cells.
#[test]
fn answers_depend_on_map_and_query_alone() {
    let mut random = SplitMix64::new(11);
    let mut used = Scratch::new();
    let details = [Detail::Cells, Detail::Waypoints, Detail::Cost];
    for round in 0..400 {
        let (width, height) = (random.between(1, 50), random.between(1, 50));
        let blocked = random.between(0, 45) as u32;
        let map = random_map(&mut random, width, height, blocked);
        let world = World::new(map, RULES[round % 2], DiagonalCost::ALL[round / 2 % 2]);
        let planner = world.planner(ENGINES[random.below(5)]);
        for _ in 0..4 {
            let ask = query(any_point(&mut random, &world.map), any_point(&mut random, &world.map));
            for detail in [details[random.below(3)], details[random.below(3)]] {
                let ask = ask.with_detail(detail);
                let first = planner.find(ask, &mut used).unwrap();
                let first = (first.route().map(farstride::Route::path).map(own), Answer::from(first));
                let mut fresh = Scratch::new();
                let again = planner.find(ask, &mut fresh).unwrap();
                let again = (again.route().map(farstride::Route::path).map(own), Answer::from(again));
                assert_eq!(first, again, "{world:?}");
                let again = world.planner(planner.engine());
                assert_eq!(first.1, Answer::from(again.find(ask, &mut used).unwrap()), "{world:?}");
            }
        }
    }
}

/// The kind of a path and its cells.
fn own(path: Path<'_>) -> (&'static str, Vec<farstride::Point>) {
    let kind = match path {
        Path::Cells(_) => "cells",
        Path::Points(_) => "points",
        Path::Waypoints(_) => "waypoints",
        _ => "omitted",
    };
    (kind, path.turns().collect())
}

/// Nodes that the searches of many queries expand: subgoals save most of them,
/// levels most of the rest.
#[test]
fn levels_save_expansions() {
    let world = World::strict(generate(Kind::Rooms { size: 9 }, 200, 200, 3).unwrap());
    let expanded = |engine| {
        let planner = world.planner(engine);
        let mut random = SplitMix64::new(12);
        let mut scratch = Scratch::new();
        let mut counters = Counters::default();
        for _ in 0..100 {
            let ask = query(any_point(&mut random, &world.map), any_point(&mut random, &world.map));
            planner.find_observed(ask, &mut counters, &mut scratch).unwrap();
        }
        counters.expanded
    };
    let [astar, ssg, nsg_plus] = [Engine::Astar, Engine::Ssg, Engine::NsgPlus].map(expanded);
    assert!(10 * ssg < astar, "{ssg} of {astar}");
    assert!(nsg_plus < ssg, "{nsg_plus} of {ssg}");
}
