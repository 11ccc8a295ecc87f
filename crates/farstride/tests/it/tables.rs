//! Tables of costs and nearest goals say what single queries say, and what the
//! oracle says where the engine is optimal.

use crate::common::{Answer, World, any_point, cases, cell, query};
use farstride::error::{QueryError, ResumeError};
use farstride::labels::{GridLabels, LabelKind, LabelSettings};
use farstride::{Cell, Cost, CostTable, Detail, Engine, Grid, Outcome, Planner, Query, Scratch};
use farstride_testkit::strategies::{diagonal_costs, diagonals, maps, query_on, weighted_maps};
use farstride_testkit::{DiagonalCost, Diagonals, Kind, PlainMap, Point, SplitMix64, generate, oracle};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::atomic::{AtomicUsize, Ordering};

const DETAILS: [Detail; 5] =
    [Detail::Cells, Detail::Waypoints, Detail::First(0), Detail::First(3), Detail::Cost];

/// A map with up to nine starts and goals: blocked ones and the same again and
/// again, and sometimes none.
fn questions(
    maps: impl Strategy<Value = PlainMap>,
) -> impl Strategy<Value = (PlainMap, Vec<Point>, Vec<Point>)> {
    let list = || vec(any::<Index>(), 0..=9);
    (maps, list(), list()).prop_map(|(map, starts, goals)| {
        let points = |list: Vec<Index>| list.iter().map(|at| map.point(at.index(map.free.len()))).collect();
        let (starts, goals) = (points(starts), points(goals));
        (map, starts, goals)
    })
}

fn cells(points: &[Point]) -> Vec<Cell> {
    points.iter().copied().map(cell).collect()
}

/// The cost as a single query tells it.
fn cost(planner: &Planner, start: Point, goal: Point, scratch: &mut Scratch) -> Option<Cost> {
    let answer = planner.find(query(start, goal).with_detail(Detail::Cost), scratch).unwrap().into();
    match answer {
        Answer::Found { cost, .. } => Some(Cost::new(cost).unwrap()),
        Answer::AlreadyThere => Some(Cost::ZERO),
        _ => None,
    }
}

proptest! {
    #![proptest_config(cases(400))]

    /// Every entry of a table is what a query says, on one thread and on
    /// several; so is every row by itself, and the nearest goal is the first
    /// with the least cost, with as much of its path as is wanted.
    #[test]
    fn tables_say_what_queries_say(
        (map, starts, goals) in questions(prop_oneof![3 => maps(24, 20), 1 => weighted_maps(14, 14)]),
        rule in diagonals(),
        scale in diagonal_costs(),
    ) {
        let world = World::new(map, rule, scale);
        let mut scratch = Scratch::new();
        for engine in Engine::ALL.into_iter().filter(|&engine| world.suits(engine)) {
            let planner = world.planner(engine);
            let table = planner.cost_table(&cells(&starts), &cells(&goals), 1).unwrap();
            prop_assert_eq!((table.start_count(), table.goal_count()), (starts.len(), goals.len()));
            prop_assert_eq!(&table, &planner.cost_table(&cells(&starts), &cells(&goals), 3).unwrap());
            let mut written = vec![Some(Cost::MAX); starts.len() * goals.len()];
            let same = |cost: Option<Cost>| cost;
            planner
                .cost_table_into(&cells(&starts), &cells(&goals), 2, || true, same, &mut written)
                .unwrap();
            prop_assert!(written.into_iter().eq((0..starts.len()).flat_map(|row| table.row(row))));
            for (row, &start) in starts.iter().enumerate() {
                let expected: Vec<_> =
                    goals.iter().map(|&goal| cost(&planner, start, goal, &mut scratch)).collect();
                assert_row(&table, row, &expected, &planner);
                assert_one_start(&planner, start, &goals, &expected, &mut scratch);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(300))]

    /// The first steps are the beginning of the whole path, at its cost.
    #[test]
    fn the_first_steps_are_those_of_the_whole_path(
        case in query_on(prop_oneof![3 => maps(24, 20), 1 => weighted_maps(14, 14)]),
        rule in diagonals(),
        scale in diagonal_costs(),
        steps in 0..30_u32,
    ) {
        let world = World::new(case.map, rule, scale);
        let mut scratch = Scratch::new();
        for engine in Engine::ALL.into_iter().filter(|&engine| world.suits(engine)) {
            let planner = world.planner(engine);
            let ask = query(case.start, case.goal);
            let mut whole = Answer::from(planner.find(ask, &mut scratch).unwrap());
            if let Answer::Found { path, .. } = &mut whole {
                path.truncate(steps as usize + 1);
            }
            let first = planner.find(ask.with_detail(Detail::First(steps)), &mut scratch).unwrap();
            prop_assert_eq!(Answer::from(first), whole, "{}", engine);
        }
    }
}

/// Labels that keep less than those of all cells say the same.
#[test]
fn labels_within_a_small_budget_give_the_same_tables() {
    let mut random = SplitMix64::new(21);
    let map = generate(Kind::Caves { blocked_percent: 44, rounds: 1 }, 80, 70, 4).unwrap();
    let world = World::strict(map);
    let cells: Vec<Cell> = (0..30).map(|_| cell(any_point(&mut random, &world.map))).collect();
    let full = world.planner(Engine::Labels).cost_table(&cells, &cells, 1).unwrap();
    let mut kinds = Vec::new();
    for budget in [0, 20_000, 100_000] {
        let grid = world.grid();
        let labels = GridLabels::build(&grid, LabelSettings::default().with_budget(budget));
        kinds.push(labels.kind());
        let planner = Planner::with_index(grid, labels).unwrap();
        assert_eq!(planner.cost_table(&cells, &cells, 2).unwrap(), full, "{budget} bytes");
        let mut scratch = Scratch::new();
        for (row, &start) in cells.iter().enumerate() {
            let nearest = planner
                .nearest(Query::starting_at(start).with_detail(Detail::Cost), &cells, &mut scratch)
                .unwrap();
            assert_eq!(nearest.map(|(at, _)| at), full.nearest(row).map(|(at, _)| at));
        }
    }
    assert!(kinds.iter().any(|kind| !matches!(kind, LabelKind::Full { .. })), "{kinds:?}");
}

/// Many goals are met by one search; it says what the costs of shortest paths say.
#[test]
fn the_nearest_of_many_goals_is_that_of_shortest_paths() {
    let mut random = SplitMix64::new(22);
    for (weighted, seed) in [(false, 4), (true, 5), (false, 6)] {
        let mut map = generate(Kind::Caves { blocked_percent: 46, rounds: 2 }, 70, 60, seed).unwrap();
        if weighted {
            map.weights = Some((0..map.free.len()).map(|at| [1, 3, 9][at / 5 % 3]).collect());
        }
        let world = World::strict(map);
        let exact = world.planner(Engine::Astar);
        for round in 0..30 {
            let count = [17, 40, 300][round % 3];
            let goals: Vec<Cell> = (0..count).map(|_| cell(any_point(&mut random, &world.map))).collect();
            let start = cell(any_point(&mut random, &world.map));
            let expected = exact.cost_table(&[start], &goals, 1).unwrap().nearest(0).map(|(at, _)| at);
            for engine in [Engine::Astar, Engine::Dijkstra, Engine::Hpa, Engine::NsgPlus, Engine::Groups] {
                if world.suits(engine) {
                    let query = Query::starting_at(start).with_detail(Detail::Cost);
                    let mut scratch = Scratch::new();
                    let found = world.planner(engine).nearest(query, &goals, &mut scratch).unwrap();
                    assert_eq!(found.map(|(at, _)| at), expected, "{engine} {start}");
                }
            }
        }
    }
}

fn assert_row(table: &CostTable, row: usize, expected: &[Option<Cost>], planner: &Planner) {
    let found: Vec<_> = table.row(row).collect();
    assert_eq!(found, expected, "{} on {:?}", planner.engine(), planner.grid());
    let single: Vec<_> = (0..table.goal_count()).map(|goal| table.cost(row, goal)).collect();
    assert_eq!(single, expected);
    assert_eq!(table.nearest(row), first_least(expected));
}

/// The first of the least costs.
fn first_least(costs: &[Option<Cost>]) -> Option<(usize, Cost)> {
    let least = costs.iter().flatten().copied().min()?;
    Some((costs.iter().position(|&cost| cost == Some(least))?, least))
}

fn assert_one_start(
    planner: &Planner,
    start: Point,
    goals: &[Point],
    expected: &[Option<Cost>],
    scratch: &mut Scratch,
) {
    let mut costs = vec![None; 3];
    planner.costs_into(cell(start), &cells(goals), &mut costs, scratch).unwrap();
    assert_eq!(costs, expected, "{}", planner.engine());
    let nearest = first_least(expected).map(|(at, _)| at);
    for detail in DETAILS {
        let found = planner
            .nearest(Query::starting_at(cell(start)).with_detail(detail), &cells(goals), scratch)
            .unwrap();
        let found = found.map(|(at, outcome)| (at, Answer::from(outcome)));
        assert_eq!(found.as_ref().map(|&(at, _)| at), nearest, "{}", planner.engine());
        if let Some((at, answer)) = found {
            let ask = query(start, goals[at]).with_detail(detail);
            assert_eq!(answer, planner.find(ask, scratch).unwrap().into());
        }
    }
}

/// On maps with structure and lists of all lengths, against an oracle that
/// knows nothing of labels. Some lists are longer than what is handled at once.
#[test]
fn large_tables_are_what_the_oracle_says() {
    let mut random = SplitMix64::new(7);
    let mut found = 0;
    for (round, (starts, goals)) in [(40, 300), (5, 2100), (3, 50), (300, 2), (1, 40), (16, 16), (64, 17)]
        .into_iter()
        .cycle()
        .take(28)
        .enumerate()
    {
        let kind = Kind::SAMPLES[round % Kind::SAMPLES.len()];
        let map = generate(kind, random.between(40, 90), random.between(40, 90), random.next_u64()).unwrap();
        let world = World::new(map, Diagonals::ALL[round % 4], DiagonalCost::ALL[round / 4 % 2]);
        let mut draw =
            |count: usize| -> Vec<Point> { (0..count).map(|_| any_point(&mut random, &world.map)).collect() };
        let (starts, goals) = (draw(starts), draw(goals));
        let planner = world.planner(Engine::Labels);
        let table = planner.cost_table(&cells(&starts), &cells(&goals), 2).unwrap();
        for (row, &start) in starts.iter().enumerate() {
            let best = oracle::distances(&world.map, world.diagonals, world.cost, start);
            for (column, &goal) in goals.iter().enumerate() {
                let cost = table.cost(row, column).map(Cost::units);
                assert_eq!(cost, best[world.map.index(goal)], "{start:?} to {goal:?} on {world:?}");
                found += usize::from(cost.is_some());
            }
        }
    }
    assert!(found > 30_000, "only {found} ways");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let mut random = SplitMix64::new(8);
    let map = generate(Kind::Caves { blocked_percent: 40, rounds: 2 }, 70, 60, 9).unwrap();
    let world = World::strict(map);
    for engine in [Engine::Labels, Engine::Hpa, Engine::LazyTheta] {
        let planner = world.planner(engine);
        for (starts, goals) in [(1, 30), (30, 1), (7, 23), (40, 5)] {
            let mut draw =
                |count| (0..count).map(|_| cell(any_point(&mut random, &world.map))).collect::<Vec<_>>();
            let (starts, goals) = (draw(starts), draw(goals));
            let one = planner.cost_table(&starts, &goals, 1).unwrap();
            for threads in [0, 2, 3, 8, usize::MAX] {
                assert_eq!(planner.cost_table(&starts, &goals, threads).unwrap(), one, "{engine}, {threads}");
            }
        }
    }
}

/// Costs too large for 32 bits are kept as they are.
#[test]
fn large_costs_fit_into_tables() {
    let mut grid = Grid::empty(4000, 1).unwrap();
    let _ = grid.set_weight(grid.area(), 255).unwrap();
    let planner = Planner::with_engine(grid, Engine::Astar).unwrap();
    let ends = [Cell::new(0, 0), Cell::new(3999, 0)];
    let table = planner.cost_table(&ends[..1], &ends, 1).unwrap();
    let straight = planner.grid().rules().diagonal_cost.straight();
    assert_eq!(table.row(0).collect::<Vec<_>>(), [Some(Cost::ZERO), Some(straight * 255 * 3999)]);
    assert!(table.cost(0, 1).unwrap().units() > u32::MAX.into());
}

#[test]
fn cells_outside_the_map_are_refused_by_name() {
    let (width, height) = (6, 3);
    let (inside, outside) = (Cell::new(5, 2), Cell::new(6, 0));
    for engine in Engine::ALL {
        let planner = Planner::with_engine(Grid::empty(width, height).unwrap(), engine).unwrap();
        let refused = QueryError::Outside { cell: outside, width, height };
        assert_eq!(planner.cost_table(&[inside, outside], &[inside], 1), Err(refused));
        assert_eq!(planner.cost_table(&[], &[inside, outside], 1), Err(refused));
        let (mut scratch, mut costs) = (Scratch::new(), vec![None; 4]);
        assert_eq!(planner.costs_into(outside, &[inside], &mut costs, &mut scratch), Err(refused));
        assert_eq!(planner.costs_into(inside, &[outside], &mut costs, &mut scratch), Err(refused));
        assert!(costs.is_empty());
        assert_eq!(
            planner.nearest(Query::starting_at(outside).with_detail(Detail::Cost), &[], &mut scratch),
            Err(refused)
        );
        assert_eq!(
            planner.nearest(
                Query::starting_at(inside).with_detail(Detail::Cost),
                &[inside, outside],
                &mut scratch
            ),
            Err(refused)
        );
        assert_eq!(
            planner.nearest(Query::starting_at(inside).with_detail(Detail::Cost), &[], &mut scratch),
            Ok(None)
        );
        assert_eq!(planner.cost_table(&[], &[], 1).unwrap().start_count(), 0);
        assert_eq!(planner.cost_table(&[inside], &[], 2).unwrap().row(0).len(), 0);
    }
}

/// A map that an edit made unfit for the engine.
#[test]
fn unfit_maps_are_refused() {
    let mut planner = Planner::with_engine(Grid::empty(9, 9).unwrap(), Engine::Labels).unwrap();
    planner.edit(|grid| grid.set_weight(Cell::new(3, 3), 7).map(drop)).unwrap();
    let cells = [Cell::new(0, 0)];
    assert!(matches!(planner.cost_table(&cells, &cells, 1), Err(QueryError::Unsupported(_))));
    let mut scratch = Scratch::new();
    let nearest =
        planner.nearest(Query::starting_at(cells[0]).with_detail(Detail::Cost), &cells, &mut scratch);
    assert!(matches!(nearest, Err(QueryError::Unsupported(_))));
}

/// Whatever was edited, the table is that of the map as it is.
#[test]
fn tables_follow_edits() {
    let mut planner = Planner::with_engine(Grid::empty(20, 20).unwrap(), Engine::Labels).unwrap();
    let corners = [(0, 0), (19, 0), (0, 19), (19, 19)].map(Cell::from);
    let before = planner.cost_table(&corners, &corners, 1).unwrap();
    planner.edit(|grid| (1..20).try_for_each(|y| grid.block(Cell::new(9, y)).map(drop))).unwrap();
    let after = planner.cost_table(&corners, &corners, 1).unwrap();
    assert_ne!(before, after);
    let again = Planner::with_engine(planner.grid().clone(), Engine::Astar).unwrap();
    assert_eq!(after, again.cost_table(&corners, &corners, 1).unwrap());
}

/// A search that was paused is lost when its scratch is used for many goals.
#[test]
fn a_paused_search_is_not_resumed_in_a_used_scratch() {
    let planner = Planner::with_engine(Grid::empty(40, 40).unwrap(), Engine::Astar).unwrap();
    let (start, goal) = (Cell::new(0, 0), Cell::new(39, 20));
    let mut scratch = Scratch::new();
    let ask = farstride::Query::new(start, goal).with_budget(3);
    let farstride::Outcome::BudgetSpent(paused) = planner.find(ask, &mut scratch).unwrap() else {
        panic!("three expansions are too few");
    };
    planner.costs_into(start, &[], &mut Vec::new(), &mut scratch).unwrap();
    assert_eq!(planner.resume(&paused, 3, &mut scratch), Err(ResumeError::ScratchReused));
}

/// Batches ask before every query or start; once told to stop they return nothing.
#[test]
fn batches_stop_when_nobody_wants_them() {
    let world = World::strict(generate(Kind::Rooms { size: 8 }, 64, 64, 3).unwrap());
    let grid = world.grid();
    let cells: Vec<Cell> = grid.area().cells().filter(|&cell| grid.is_free(cell)).step_by(97).collect();
    let queries: Vec<Query> = cells.iter().map(|&goal| Query::new(cells[0], goal)).collect();
    for engine in [Engine::Astar, Engine::Labels, Engine::Hpa] {
        let planner = world.planner(engine);
        let read = |outcome: &Outcome<'_>| outcome.route().map(farstride::Route::cost);
        let many = planner.find_many(&queries, 2, read).unwrap();
        let table = planner.cost_table(&cells, &cells, 2).unwrap();
        for threads in [1, 3] {
            assert_eq!(planner.find_many_while(&queries, threads, || true, read).as_ref(), Ok(&many));
            assert_eq!(planner.cost_table_while(&cells, &cells, threads, || true).as_ref(), Ok(&table));
            for patience in [0, 1, cells.len() / 2] {
                let asked = AtomicUsize::new(0);
                let wanted = || asked.fetch_add(1, Ordering::Relaxed) < patience;
                let stopped = planner.find_many_while(&queries, threads, wanted, read);
                assert_eq!(stopped, Err(QueryError::Cancelled), "{engine}, {threads} threads, {patience}");
                let asked = AtomicUsize::new(0);
                let wanted = || asked.fetch_add(1, Ordering::Relaxed) < patience;
                let stopped = planner.cost_table_while(&cells, &cells, threads, wanted);
                assert_eq!(stopped, Err(QueryError::Cancelled), "{engine}, {threads} threads, {patience}");
            }
        }
    }
}
