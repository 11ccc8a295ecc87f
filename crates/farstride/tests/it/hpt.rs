//! HPT*: the hierarchy of HPA* with legs at any angle. Its edges are what they
//! say, its paths are legal and honest, and edits leave no trace.

use crate::common::saved::hpa_settings;
use crate::common::{
    Answer, TOLERANCE, World, cases, cell, edit_and_compare, edit_at_random, ends, leg_units, planner, point,
    query, random_map,
};
use farstride::hpa::{Connect, Hierarchy, HpaSettings, KeepWays, Local, Skip, Tactics};
use farstride::index::BuildOptions;
use farstride::{Cell, Engine, Grid, Index, Plan, Planned, Planner, Query, Rect, Scratch, Step};
use farstride_testkit::strategies::{diagonal_costs, diagonals, maps};
use farstride_testkit::{Diagonals, PlainMap, SplitMix64, oracle};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn locals() -> impl Strategy<Value = Local> {
    prop_oneof![Just(Local::Theta), Just(Local::LazyTheta)]
}

fn settings() -> impl Strategy<Value = HpaSettings> {
    (hpa_settings(6, 4), locals()).prop_map(|(settings, local)| settings.with_local(local))
}

/// Every way to answer.
fn tactics() -> impl Strategy<Value = Tactics> {
    let connect = prop_oneof![Just(Connect::OnTheWay), Just(Connect::Beforehand)];
    let skip = prop_oneof![Just(Skip::Afterwards), Just(Skip::InSearch)];
    (any::<bool>(), any::<bool>(), connect, 0..3_u16, skip, any::<bool>()).prop_map(
        |(smooth, shortcuts, connect, remember, skip, one_by_one)| {
            Tactics::default()
                .with_smooth(smooth)
                .with_shortcuts(shortcuts)
                .with_connect(connect)
                .with_remember(remember)
                .with_skip(skip)
                .with_one_by_one(one_by_one)
        },
    )
}

/// The part of a map that lies in a rectangle.
fn cut_out(map: &PlainMap, area: Rect) -> PlainMap {
    let (width, height) = (area.width() as usize, area.height() as usize);
    let mut part = PlainMap::new(width, height, false);
    for (index, at) in area.cells().enumerate() {
        part.free[index] = map.is_free_at(point(at));
    }
    part
}

proptest! {
    #![proptest_config(cases(128))]

    /// Nodes and inter-edges are those of HPA*. An intra-edge of level 1 joins
    /// nodes that are connected inside their cluster; it is straight if they
    /// see each other, and otherwise between the shortest way at any angle and
    /// the shortest by steps.
    #[test]
    fn the_first_level_is_what_its_definition_says(
        map in maps(20, 20), rule in diagonals(), cost in diagonal_costs(), settings in settings(),
    ) {
        let world = World::new(map, rule, cost);
        let grid = world.grid();
        let hierarchy = Hierarchy::build(&grid, settings).unwrap();
        hierarchy.check().unwrap();
        let steps = Hierarchy::build(&grid, settings.with_local(Local::Astar).with_gap(0)).unwrap();
        prop_assert!(hierarchy.nodes().eq(steps.nodes()));
        let ends = |hierarchy: &Hierarchy| {
            hierarchy.inter_edges().map(|edge| (edge.from, edge.to, edge.level)).collect::<Vec<_>>()
        };
        prop_assert_eq!(ends(&hierarchy), ends(&steps));
        for edge in hierarchy.inter_edges() {
            prop_assert_eq!(edge.cost.units(), leg_units(point(edge.from), point(edge.to)));
        }
        let edges: BTreeMap<_, _> =
            hierarchy.intra_edges(1).map(|edge| ((edge.from, edge.to), edge.cost.units())).collect();
        let mut seen = 0;
        for area in hierarchy.clusters(1) {
            let part = cut_out(&world.map, area);
            let inside = |at: Cell| (usize::from(at.x - area.min().x), usize::from(at.y - area.min().y));
            let mut nodes: Vec<Cell> =
                hierarchy.nodes().map(|node| node.cell).filter(|&cell| area.contains(cell)).collect();
            nodes.sort_unstable();
            for (index, &from) in nodes.iter().enumerate() {
                let exact = oracle::any_angle_distances(&part, rule, inside(from));
                let unit = farstride_testkit::DiagonalCost::Sqrt2;
                let by_steps = oracle::distances(&part, rule, unit, inside(from));
                for &to in &nodes[index + 1..] {
                    let at = part.index(inside(to));
                    let Some(&found) = edges.get(&(from, to)) else {
                        prop_assert!(by_steps[at].is_none());
                        continue;
                    };
                    seen += 1;
                    let straight = leg_units(point(from), point(to));
                    if grid.line_of_sight(from, to) {
                        prop_assert_eq!(found, straight);
                    }
                    let shortest = exact[at].unwrap() * 4756.0;
                    prop_assert!(found as f64 >= shortest - TOLERANCE * 4756.0 && Some(found) <= by_steps[at]);
                }
            }
        }
        prop_assert_eq!(seen, edges.len());
    }

    /// An intra-edge of a higher level is a shortest path of the level below
    /// inside its cluster.
    #[test]
    fn higher_levels_are_shortest_paths_of_the_level_below(
        map in maps(24, 24), rule in diagonals(), settings in settings(),
    ) {
        let world = World::new(map, rule, farstride_testkit::DiagonalCost::Sqrt2);
        let hierarchy = Hierarchy::build(&world.grid(), settings).unwrap();
        for level in 2..=settings.levels {
            let mut edges: Vec<(Cell, Cell, u64)> =
                hierarchy.intra_edges(level - 1).map(|edge| (edge.from, edge.to, edge.cost.units())).collect();
            let below = edges.len();
            edges.extend(hierarchy.inter_edges().map(|edge| (edge.from, edge.to, edge.cost.units())));
            let side = settings.side(level) as u16;
            let cluster = |cell: Cell| (cell.x / side, cell.y / side);
            let child = settings.side(level - 1) as u16;
            let crosses = |a: Cell, b: Cell| (a.x / child, a.y / child) != (b.x / child, b.y / child);
            let mut distances: BTreeMap<(Cell, Cell), u64> = BTreeMap::new();
            let mut nodes = BTreeSet::new();
            for (index, &(a, b, cost)) in edges.iter().enumerate() {
                if cluster(a) == cluster(b) && (index < below || crosses(a, b)) {
                    for pair in [(a, b), (b, a)] {
                        let known = distances.entry(pair).or_insert(cost);
                        *known = cost.min(*known);
                    }
                    nodes.extend([a, b]);
                }
            }
            for &via in &nodes {
                for &a in &nodes {
                    let Some(&first) = distances.get(&(a, via)) else { continue };
                    for &b in &nodes {
                        if let (true, Some(&second)) = (a != b, distances.get(&(via, b))) {
                            let known = distances.entry((a, b)).or_insert(first + second);
                            *known = (first + second).min(*known);
                        }
                    }
                }
            }
            for edge in hierarchy.intra_edges(level) {
                prop_assert_eq!(distances.get(&(edge.from, edge.to)), Some(&edge.cost.units()), "level {}", level);
            }
        }
    }

    /// Found exactly when there is a way; legal; never shorter than possible;
    /// however it is asked for.
    #[test]
    fn paths_are_legal_and_no_shorter_than_possible(
        map in maps(22, 22),
        rule in diagonals(),
        cost in diagonal_costs(),
        settings in settings(),
        tactics in tactics(),
        seed: u64,
    ) {
        let world = World::new(map, rule, cost);
        let planner = planner(&world, settings, tactics);
        prop_assert_eq!(planner.engine(), Engine::Hpt);
        let mut scratch = Scratch::new();
        for (start, goal) in ends(&world, seed, 8) {
            let answer = Answer::from(planner.find(query(start, goal), &mut scratch).unwrap());
            if let Some(length) = world.judged_length(start, goal, &answer) {
                let optimum = oracle::any_angle_optimum(&world.map, rule, start, goal).unwrap();
                prop_assert!(length >= optimum - TOLERANCE, "too short on {:?}", world);
            }
        }
    }

    /// String pulling and shortcuts never make a path longer.
    #[test]
    fn pulling_never_lengthens(map in maps(24, 24), rule in diagonals(), settings in settings(), seed: u64) {
        let world = World::new(map, rule, farstride_testkit::DiagonalCost::Sqrt2);
        let plain = Tactics::default().with_smooth(false).with_shortcuts(false);
        let costs = |tactics| {
            let planner = planner(&world, settings, tactics);
            let mut scratch = Scratch::new();
            let cost = |(start, goal)| {
                let outcome = planner.find(query(start, goal), &mut scratch).unwrap();
                outcome.route().map(farstride::Route::cost)
            };
            ends(&world, seed, 12).into_iter().map(cost).collect::<Vec<_>>()
        };
        let rough = costs(plain);
        for tactics in [plain.with_smooth(true), plain.with_shortcuts(true), Tactics::default()] {
            prop_assert!(costs(tactics).iter().zip(&rough).all(|(found, rough)| found <= rough));
        }
    }

    /// However a map got to be what it is, its hierarchy is the same, and so
    /// are the paths on it.
    #[test]
    fn edits_leave_no_trace(
        map in maps(24, 24), rule in diagonals(), cost in diagonal_costs(), settings in settings(), seed: u64,
    ) {
        let mut random = SplitMix64::new(seed);
        edit_and_compare(&mut World::new(map, rule, cost), settings, &mut random, 16);
    }

    /// Whatever is edited while a unit walks, also along a leg: every leg is in
    /// sight when it is begun, and the plan ends where there is no way or at
    /// the goal.
    #[test]
    fn a_plan_follows_edits(
        map in maps(30, 30), rule in diagonals(), settings in settings(), tactics in tactics(), seed: u64,
    ) {
        let world = World::new(map, rule, farstride_testkit::DiagonalCost::Sqrt2);
        let mut random = SplitMix64::new(seed);
        let mut planner = planner(&world, settings, tactics);
        let mut scratch = Scratch::new();
        let (start, goal) = ends(&world, seed, 1)[0];
        let Planned::Plan(mut plan) = planner.plan(Query::new(cell(start), cell(goal)), &mut scratch).unwrap() else {
            return Ok(());
        };
        for _ in 0..200 {
            let at = plan.position();
            if random.chance(30) {
                edit_at_random(&mut planner, &mut random, at);
            }
            match leg(&mut plan, &planner, &mut scratch) {
                Step::To(next) => {
                    if random.chance(30) {
                        let on_the_way = half_way(planner.grid(), at, next);
                        edit_at_random(&mut planner, &mut random, on_the_way);
                        plan.stand_at(on_the_way);
                    }
                }
                Step::Arrived => break,
                _ => prop_assert!(!planner.grid().is_connected(at, plan.goal())),
            }
        }
    }

    /// On a map that nobody edits a plan costs no more than it promises, and
    /// that is no more than the abstract path, where ways are kept.
    #[test]
    fn a_plan_keeps_its_promise(map in maps(40, 40), rule in diagonals(), settings in settings(), seed: u64) {
        let world = World::new(map, rule, farstride_testkit::DiagonalCost::Sqrt2);
        let settings = settings.with_keep_ways(KeepWays::All);
        let planner = planner(&world, settings, Tactics::default());
        let plain = Tactics::default().with_smooth(false).with_shortcuts(false);
        let plain = planner.clone().with_tactics(plain);
        let mut scratch = Scratch::new();
        for (start, goal) in ends(&world, seed, 4) {
            let planned = planner.plan(Query::new(cell(start), cell(goal)), &mut scratch).unwrap();
            let Planned::Plan(mut plan) = planned else { continue };
            let rough = plain.find(query(start, goal), &mut scratch).unwrap().route().unwrap().cost();
            prop_assert!(plan.cost() <= rough);
            loop {
                let (at, promised) = (plan.position(), plan.cost().units());
                match leg(&mut plan, &planner, &mut scratch) {
                    Step::To(next) => {
                        let cost = leg_units(point(at), point(next));
                        prop_assert!(cost + plan.cost().units() <= promised, "a promise got worse");
                    }
                    Step::Arrived => break,
                    other => panic!("{other:?} on {world:?}"),
                }
            }
            prop_assert_eq!((plan.position(), plan.replans()), (cell(goal), 0));
        }
    }
}

/// Goes on by one leg, which must be in sight.
fn leg(plan: &mut Plan, planner: &Planner, scratch: &mut Scratch) -> Step {
    let at = plan.position();
    let step = plan.step(planner, scratch).unwrap();
    if let Step::To(next) = step {
        assert!(next != at && planner.grid().line_of_sight(at, next), "{at} to {next}");
        assert_eq!(plan.position(), next);
    }
    step
}

/// A free cell near the middle of a leg.
fn half_way(grid: &Grid, from: Cell, to: Cell) -> Cell {
    let middle = Cell::new(u16::midpoint(from.x, to.x), u16::midpoint(from.y, to.y));
    if grid.is_free(middle) { middle } else { to }
}

/// An edit beside a leg that a unit walks changes nothing; one on it does.
#[test]
fn a_unit_on_its_way_keeps_its_plan_while_it_sees_the_end_of_its_leg() {
    let wall = |at: Cell| at.x != 100 || at.y > 150;
    let grid = Grid::from_fn(200, 200, wall).unwrap();
    let mut planner = Planner::with_engine(grid, Engine::Hpt).unwrap();
    let mut scratch = Scratch::new();
    let Planned::Plan(mut plan) =
        planner.plan(Query::new(Cell::new(10, 10), Cell::new(190, 10)), &mut scratch).unwrap()
    else {
        panic!("there is a way")
    };
    let Step::To(turn) = leg(&mut plan, &planner, &mut scratch) else { panic!("it has a leg") };
    let _ = planner.edit(|grid| grid.block(Cell::new(150, 190))).unwrap();
    let on_the_way = half_way(planner.grid(), Cell::new(10, 10), turn);
    plan.stand_at(on_the_way);
    leg(&mut plan, &planner, &mut scratch);
    assert_eq!(plan.replans(), 0);
    // Something falls between the unit and where it is going.
    let ahead = half_way(planner.grid(), on_the_way, plan.position());
    let _ = planner.edit(|grid| grid.block(ahead)).unwrap();
    plan.stand_at(on_the_way);
    while matches!(leg(&mut plan, &planner, &mut scratch), Step::To(_)) {}
    assert_eq!(plan.position(), plan.goal());
}

/// Wherever on its leg a unit is told to stand, it goes on: also in cells whose
/// middle does not see the end of the leg, because that runs close to walls.
#[test]
fn a_unit_on_its_way_keeps_its_plan_close_to_walls() {
    let mut random = SplitMix64::new(11);
    let world = World::strict(random_map(&mut random, 200, 200, 12));
    let planner = world.planner(Engine::Hpt);
    let mut scratch = Scratch::new();
    let (mut stands, mut unseen) = (0, 0);
    for (start, goal) in ends(&world, 2, 20) {
        let Planned::Plan(mut plan) =
            planner.plan(Query::new(cell(start), cell(goal)), &mut scratch).unwrap()
        else {
            continue;
        };
        loop {
            let at = plan.position();
            let Step::To(next) = leg(&mut plan, &planner, &mut scratch) else { break };
            for on_the_way in Grid::crossed_cells(&[at, next]) {
                let mut plan = plan.clone();
                plan.stand_at(on_the_way);
                while matches!(leg(&mut plan, &planner, &mut scratch), Step::To(_)) {}
                assert_eq!((plan.position(), plan.replans()), (cell(goal), 0), "{at} to {next}");
                stands += 1;
                unseen += usize::from(!planner.grid().line_of_sight(on_the_way, next));
            }
        }
    }
    assert!(stands > 1000 && unseen > 50, "{stands} {unseen}");
}

/// A unit that has no way and is moved looks for one from where it is.
#[test]
fn a_unit_without_a_way_does_not_go_back_to_where_it_was() {
    let grid = Grid::from_fn(80, 40, |at| at.x != 40 || at.y > 30).unwrap();
    for engine in [Engine::Hpt, Engine::Theta] {
        let mut planner = Planner::with_engine(grid.clone(), engine).unwrap();
        let mut scratch = Scratch::new();
        let (start, goal) = (Cell::new(5, 5), Cell::new(75, 5));
        let Planned::Plan(mut plan) = planner.plan(Query::new(start, goal), &mut scratch).unwrap() else {
            panic!("there is a way")
        };
        let wall = Rect::spanning(Cell::new(40, 0), Cell::new(40, 39));
        let _ = planner.edit(|grid| grid.block(wall)).unwrap();
        assert_eq!(plan.step(&planner, &mut scratch).unwrap(), Step::Unreachable);
        plan.stand_at(Cell::new(30, 20));
        assert_eq!(plan.step(&planner, &mut scratch).unwrap(), Step::Unreachable);
        plan.stand_at(start);
        plan.stand_at(Cell::new(39, 20));
        let _ = planner.edit(|grid| grid.free(Cell::new(40, 20))).unwrap();
        let mut walked = 0;
        let mut at = plan.position();
        while let Step::To(next) = leg(&mut plan, &planner, &mut scratch) {
            walked += leg_units(point(at), point(next));
            at = next;
        }
        assert_eq!(at, goal);
        assert!(walked < 45 * 4756, "{walked}");
    }
}

/// A unit that is told to stand where it stood before it was moved goes on.
#[test]
fn a_unit_that_is_put_back_goes_on() {
    let grid = Grid::from_fn(80, 40, |at| at.x != 40 || at.y > 30).unwrap();
    let planner = Planner::with_engine(grid, Engine::Hpt).unwrap();
    let mut scratch = Scratch::new();
    let Planned::Plan(mut plan) =
        planner.plan(Query::new(Cell::new(5, 5), Cell::new(75, 5)), &mut scratch).unwrap()
    else {
        panic!("there is a way")
    };
    let Step::To(turn) = leg(&mut plan, &planner, &mut scratch) else { panic!("it has a leg") };
    plan.stand_at(Cell::new(9, 9));
    plan.stand_at(turn);
    while matches!(leg(&mut plan, &planner, &mut scratch), Step::To(_)) {}
    assert_eq!((plan.position(), plan.replans()), (plan.goal(), 0));
}

/// No turning point of a finished path can be left out or moved to a cell
/// beside it to make the path shorter.
#[test]
fn paths_are_taut() {
    let mut random = SplitMix64::new(6);
    let mut turns = 0;
    for round in 0..6 {
        let world = World::strict(random_map(&mut random, 96, 96, 5 + 5 * round));
        let (grid, planner) = (world.grid(), world.planner(Engine::Hpt));
        let mut scratch = Scratch::new();
        for (start, goal) in ends(&world, random.next_u64(), 60) {
            let outcome = planner.find(query(start, goal), &mut scratch).unwrap();
            let Some(route) = outcome.route() else { continue };
            let cells: Vec<Cell> = route.path().turns().filter_map(farstride::Point::cell).collect();
            for bend in cells.windows(3) {
                let (before, at, after) = (bend[0], bend[1], bend[2]);
                let over =
                    |cell: Cell| leg_units(point(before), point(cell)) + leg_units(point(cell), point(after));
                assert!(!grid.line_of_sight(before, after), "{at} is needless on {world:?}");
                let corner = Cell::new(at.x.saturating_sub(1), at.y.saturating_sub(1));
                let beside = Rect::spanning(corner, Cell::new(at.x + 1, at.y + 1)).cells();
                let better = beside.filter(|&cell| {
                    over(cell) < over(at)
                        && grid.line_of_sight(before, cell)
                        && grid.line_of_sight(cell, after)
                });
                assert_eq!(better.count(), 0, "{at} could move on {world:?}");
                turns += 1;
            }
        }
    }
    assert!(turns > 500, "{turns}");
}

/// Sections can be refined one by one: what is far ahead stays abstract.
#[test]
fn first_legs_need_no_more_than_a_section() {
    let mut random = SplitMix64::new(3);
    let world = World::strict(random_map(&mut random, 600, 200, 20));
    let planner = world.planner(Engine::Hpt);
    let mut scratch = Scratch::new();
    let far = ends(&world, 1, 400).into_iter().filter(|(start, goal)| start.0.abs_diff(goal.0) > 400);
    let mut plans = 0;
    for (start, goal) in far {
        let Planned::Plan(mut plan) =
            planner.plan(Query::new(cell(start), cell(goal)), &mut scratch).unwrap()
        else {
            continue;
        };
        let waypoints = plan.waypoints().count();
        assert!(plan.refined().next().is_none(), "nothing is refined before it is needed");
        leg(&mut plan, &planner, &mut scratch);
        let refined = plan.refined().last().unwrap_or(plan.position());
        assert!(point(refined).0.abs_diff(start.0) < 200, "{start:?} to {refined}");
        assert!(plan.waypoints().count() > waypoints / 2);
        plans += 1;
    }
    assert!(plans > 5, "{plans}");
}

/// Many queries at once have the answers that they have one by one, and the
/// hierarchy does not depend on who builds it.
#[test]
fn threads_change_nothing() {
    let mut random = SplitMix64::new(5);
    let world = World::strict(random_map(&mut random, 130, 110, 25));
    for local in [Local::Theta, Local::LazyTheta] {
        let settings = HpaSettings::any_angle().with_local(local);
        let one = Index::build_with(&world.grid(), settings, &BuildOptions::new().threads(1)).unwrap();
        for threads in [2, 16] {
            let many =
                Index::build_with(&world.grid(), settings, &BuildOptions::new().threads(threads)).unwrap();
            assert!(one == many);
            assert_eq!(one.digest(), many.digest());
        }
        let planner = planner(&world, settings, Tactics::default());
        let queries: Vec<_> = ends(&world, 3, 100).into_iter().map(|(a, b)| query(a, b)).collect();
        let mut scratch = Scratch::new();
        let expected: Vec<Answer> =
            queries.iter().map(|&query| planner.find(query, &mut scratch).unwrap().into()).collect();
        for threads in [1, 7] {
            let found =
                planner.find_many(&queries, threads, |outcome| Answer::from(outcome.clone())).unwrap();
            assert_eq!(found, expected);
        }
    }
}

/// Near the shortest, on maps small enough to know it, and never far behind
/// Theta* on the whole map.
#[test]
fn paths_are_close_to_the_shortest() {
    let kinds = farstride_testkit::Kind::SAMPLES;
    let mut random = SplitMix64::new(4);
    let (mut found, mut shortest, mut paths) = (0.0, 0.0, 0);
    for round in 0..40 {
        let map = farstride_testkit::generate(kinds[round % kinds.len()], 40, 36, random.next_u64()).unwrap();
        let world = World::strict(map);
        let planner = world.planner(Engine::Hpt);
        let mut scratch = Scratch::new();
        for (start, goal) in ends(&world, random.next_u64(), 6) {
            let answer = Answer::from(planner.find(query(start, goal), &mut scratch).unwrap());
            if let Some(length) = world.judged_length(start, goal, &answer) {
                let best = oracle::any_angle_optimum(&world.map, Diagonals::Strict, start, goal).unwrap();
                found += length;
                shortest += best;
                paths += 1;
            }
        }
    }
    assert!(paths > 60, "{paths}");
    assert!(found <= shortest * 1.015, "{:.4} times the shortest", found / shortest);
}

/// Maps with weights are refused, and so is a query after an edit that brings
/// them; a planner that chose its engine itself goes on with another.
#[test]
fn weights_are_refused() {
    let mut grid = Grid::empty(60, 60).unwrap();
    let mut planner = Planner::with_engine(grid.clone(), Engine::Hpt).unwrap();
    let _ = planner.edit(|grid| grid.set_weight(Cell::new(3, 3), 5)).unwrap();
    let ask = query((0, 0), (50, 40));
    assert!(planner.find(ask, &mut Scratch::new()).is_err());
    let _ = planner.edit(|grid| grid.set_weight(Cell::new(3, 3), 1)).unwrap();
    assert!(planner.find(ask, &mut Scratch::new()).unwrap().route().is_some());
    let _ = grid.set_weight(Cell::new(3, 3), 5).unwrap();
    let refused = Planner::with_engine(grid, Engine::Hpt).unwrap_err();
    assert_eq!(refused.instead, Engine::Hpa);
}
