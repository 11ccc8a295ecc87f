//! Orders to many units: fields, plans of groups, and plans that look only at edits on their
//! way.

use crate::common::{Answer, World, any_point, cases, cell, edit_at_random, point, points, query};
use crate::plans::{hpa, step, step_cost};
use farstride::error::QueryError;
use farstride::hpa::HpaSettings;
use farstride::{
    Cell, Cost, Detail, Engine, Field, Grid, Outcome, Path, Plan, Planned, Planner, Query, Rect, Route,
    Scratch, Step, Zone,
};
use farstride_testkit::strategies::{diagonal_costs, diagonals, maps, weighted_maps};
use farstride_testkit::{SplitMix64, judge_grid, oracle};
use proptest::prelude::*;

/// The cost from every cell to the nearest goal.
fn nearest_goal(world: &World, goals: &[Cell]) -> Vec<Option<u64>> {
    let mut least = vec![None; world.map.free.len()];
    for goal in goals {
        let costs = oracle::distances(&world.map, world.diagonals, world.cost, point(*goal));
        for (least, cost) in least.iter_mut().zip(costs) {
            *least = [*least, cost].into_iter().flatten().min();
        }
    }
    least
}

proptest! {
    #![proptest_config(cases(96))]

    /// A field knows the least cost from every cell, whatever was asked before, and its steps
    /// lead there.
    #[test]
    fn fields_lead_to_the_nearest_goal(
        map in prop_oneof![maps(30, 30), weighted_maps(24, 24)],
        rule in diagonals(),
        cost in diagonal_costs(),
        goal_count in 1..5_usize,
        seed: u64,
    ) {
        let mut world = World::new(map, rule, cost);
        let mut random = SplitMix64::new(seed);
        let goals: Vec<Cell> = (0..goal_count).map(|_| cell(any_point(&mut random, &world.map))).collect();
        let mut planner = world.planner(Engine::Astar);
        let mut field = Field::new(&planner, &goals).unwrap();
        let mut path = Vec::new();
        for _ in 0..3 {
            let best = nearest_goal(&world, &goals);
            let mut alone = Field::new(&planner, &goals).unwrap();
            for _ in 0..12 {
                let from = any_point(&mut random, &world.map);
                let expected = best[world.map.index(from)];
                let found = field.path_into(&planner, cell(from), &mut path).unwrap();
                prop_assert_eq!(found.map(Cost::units), expected);
                prop_assert_eq!(field.cost(&planner, cell(from)).unwrap(), found);
                let next = field.next(&planner, cell(from)).unwrap();
                prop_assert_eq!(next, path.get(1).copied());
                prop_assert_eq!(alone.next(&planner, cell(from)).unwrap(), next);
                let Some(&goal) = path.last() else { continue };
                prop_assert!(goals.contains(&goal));
                let verdict = judge_grid(&world.map, rule, cost, from, point(goal), &points(&path));
                prop_assert_eq!(Some(verdict.unwrap().cost), expected);
            }
            let around = any_point(&mut random, &world.map);
            edit_at_random(&mut planner, &mut random, cell(around));
            for index in 0..world.map.free.len() {
                world.map.free[index] = planner.grid().is_free(cell(world.map.point(index)));
            }
        }
    }

    /// The plans of a group are those of its units; those of a shared field are shortest.
    #[test]
    fn groups_get_the_plans_of_their_units(
        map in prop_oneof![maps(30, 30), weighted_maps(24, 24)],
        rule in diagonals(),
        cost in diagonal_costs(),
        (threads, seed) in (1..4_usize, any::<u64>()),
    ) {
        let world = World::new(map, rule, cost);
        let mut random = SplitMix64::new(seed);
        let goal = any_point(&mut random, &world.map);
        let starts: Vec<Cell> = (0..20).map(|_| cell(any_point(&mut random, &world.map))).collect();
        let best = oracle::distances(&world.map, rule, cost, goal);
        let mut scratch = Scratch::new();
        for engine in [Engine::Overlay, Engine::Astar] {
            let planner = world.planner(engine);
            let queries: Vec<Query> = starts.iter().map(|&start| Query::new(start, cell(goal))).collect();
            let many = planner.plan_many(&queries, threads).unwrap();
            let group = planner.plan_group(&starts, cell(goal), threads).unwrap();
            for ((query, one), of_group) in queries.iter().zip(many).zip(group) {
                let single = planner.plan(*query, &mut scratch).unwrap();
                prop_assert_eq!(format!("{one:?}"), format!("{single:?}"));
                prop_assert_eq!(std::mem::discriminant(&of_group), std::mem::discriminant(&single));
                let Planned::Plan(mut plan) = of_group else { continue };
                prop_assert_eq!(Some(plan.cost().units()), best[world.map.index(point(query.start))]);
                while let Step::To(_) = plan.step(&planner, &mut scratch).unwrap() {}
                prop_assert_eq!(plan.position(), cell(goal));
            }
        }
    }

    /// Plans of a group by one search over the first level cost no more than those of single
    /// units, keep their promise, and are the same with any number of threads.
    #[test]
    fn groups_of_hpa_share_a_search(
        map in prop_oneof![maps(60, 40), weighted_maps(60, 40)],
        rule in diagonals(),
        cost in diagonal_costs(),
        (cluster, gap) in (4..12_u16, prop_oneof![Just(0), Just(2), Just(4)]),
        seed: u64,
    ) {
        let world = World::new(map, rule, cost);
        let mut random = SplitMix64::new(seed);
        let goal = cell(any_point(&mut random, &world.map));
        let starts: Vec<Cell> = (0..30).map(|_| cell(any_point(&mut random, &world.map))).collect();
        let settings = HpaSettings::default().with_cluster(cluster).with_levels(3).with_gap(gap);
        let mut planner = hpa(world.grid(), settings);
        let mut scratch = Scratch::new();
        let mut walking = Vec::new();
        let groups = [1, 3].map(|threads| planner.plan_group(&starts, goal, threads).unwrap());
        prop_assert_eq!(format!("{:?}", groups[0]), format!("{:?}", groups[1]));
        for (&start, of_group) in starts.iter().zip(&groups[0]) {
            let single = planner.plan(Query::new(start, goal), &mut scratch).unwrap();
            prop_assert_eq!(std::mem::discriminant(of_group), std::mem::discriminant(&single));
            let (Planned::Plan(plan), Planned::Plan(single)) = (of_group, single) else { continue };
            prop_assert!(plan.cost() <= single.cost(), "{:?}", (plan.cost(), single.cost()));
            let (mut rest, mut walked, mut at) = (plan.clone(), 0, start);
            while let Step::To(next) = step(&mut rest, &planner, &mut scratch) {
                walked += step_cost(planner.grid(), at, next);
                at = next;
            }
            prop_assert!(at == goal && walked <= plan.cost().units());
            walking.push(plan.clone());
        }
        // They follow edits as any plan does.
        for _ in 0..5 {
            let around = cell(any_point(&mut random, &world.map));
            edit_at_random(&mut planner, &mut random, around);
            for plan in &mut walking {
                step(plan, &planner, &mut scratch);
            }
        }
    }

    /// A plan that was checked only where edits touch it still promises no less than what it
    /// takes to walk it.
    #[test]
    fn promises_hold_after_edits(
        map in prop_oneof![maps(48, 48), weighted_maps(32, 32)],
        rule in diagonals(),
        seed: u64,
    ) {
        let world = World::new(map, rule, farstride_testkit::DiagonalCost::Sqrt2);
        let mut random = SplitMix64::new(seed);
        let mut planner = world.planner(Engine::Hpa);
        let mut scratch = Scratch::new();
        let (start, goal) = (any_point(&mut random, &world.map), any_point(&mut random, &world.map));
        let query = Query::new(cell(start), cell(goal));
        let Planned::Plan(mut plan) = planner.plan(query, &mut scratch).unwrap() else { return Ok(()) };
        for _ in 0..30 {
            let around = cell(any_point(&mut random, &world.map));
            edit_at_random(&mut planner, &mut random, around);
            let Step::To(_) = plan.step(&planner, &mut scratch).unwrap() else { break };
            let (mut rest, promised) = (plan.clone(), plan.cost().units());
            let (mut walked, mut at) = (0, plan.position());
            while let Step::To(next) = rest.step(&planner, &mut scratch).unwrap() {
                walked += step_cost(planner.grid(), at, next);
                at = next;
            }
            prop_assert_eq!(at, plan.goal());
            prop_assert_eq!(rest.replans(), plan.replans());
            prop_assert!(walked <= promised, "{} walked, {} promised", walked, promised);
        }
    }
}

#[test]
fn large_groups_share_one_search_and_small_ones_do_not() {
    let mut grid = Grid::empty(200, 200).unwrap();
    let _ = grid.set_weight(Rect::spanning(Cell::new(10, 0), Cell::new(90, 150)), 7).unwrap();
    let planner = Planner::with_engine(grid, Engine::Hpa).unwrap();
    let goal = Cell::new(190, 3);
    let starts: Vec<Cell> = (0..100).map(|at| Cell::new(at % 8, at / 8)).collect();
    let highest_level = |planned: &Planned| match planned {
        Planned::Plan(plan) => plan.waypoints().map(|waypoint| waypoint.level).max(),
        other => panic!("no plan: {other:?}"),
    };
    // The shared search stays on the first level.
    let large = planner.plan_group(&starts, goal, 2).unwrap();
    assert!(large.iter().all(|planned| highest_level(planned) == Some(1)));
    let small = planner.plan_group(&starts[..2], goal, 2).unwrap();
    assert!(small.iter().all(|planned| highest_level(planned) > Some(1)));
}

#[test]
fn fields_and_groups_refuse_cells_off_the_map() {
    let planner = Planner::with_engine(Grid::empty(9, 9).unwrap(), Engine::Astar).unwrap();
    let (on, off) = (Cell::new(3, 3), Cell::new(9, 0));
    let refused = QueryError::Outside { cell: off, width: 9, height: 9 };
    assert_eq!(Field::new(&planner, &[on, off]).err(), Some(refused));
    assert_eq!(planner.plan_group(&[on], off, 1).err(), Some(refused));
    assert_eq!(planner.plan_group(&[off], on, 1).err(), Some(refused));
    let mut field = Field::new(&planner, &[]).unwrap();
    assert_eq!(field.cost(&planner, off).err(), Some(refused));
    assert_eq!(field.next(&planner, on).unwrap(), None);
}

proptest! {
    #![proptest_config(cases(128))]

    /// Paths that heed zones are those of a map on which the zones are blocked, or weigh more.
    #[test]
    fn zones_are_as_edited_cells(
        map in prop_oneof![maps(24, 24), weighted_maps(20, 20)],
        rule in diagonals(),
        cost in diagonal_costs(),
        seed: u64,
    ) {
        let world = World::new(map, rule, cost);
        let mut random = SplitMix64::new(seed);
        let zones: Vec<Zone> = (0..random.below(4))
            .map(|_| {
                let (a, b) = (any_point(&mut random, &world.map), any_point(&mut random, &world.map));
                let near = |a: usize, b: usize| b.clamp(a.saturating_sub(3), a + 3);
                let area = Rect::spanning(cell(a), cell((near(a.0, b.0), near(a.1, b.1))));
                match [0, 1, 3, 150][random.below(4)] {
                    0 => Zone::forbidden(area),
                    extra => Zone::costly(area, extra.try_into().unwrap()),
                }
            })
            .collect();
        let mut walled = world.clone();
        for index in 0..walled.map.free.len() {
            let at = cell(walled.map.point(index));
            for zone in zones.iter().filter(|zone| zone.area().contains(at)) {
                let count = walled.map.free.len();
                match zone.extra() {
                    None => walled.map.free[index] = false,
                    Some(extra) => {
                        let weight = &mut walled.map.weights.get_or_insert_with(|| vec![1; count])[index];
                        *weight = weight.saturating_add(extra.get());
                    }
                }
            }
        }
        let engines = Engine::ALL.into_iter().filter(|&engine| world.suits(engine));
        let mut scratch = Scratch::new();
        for engine in engines {
            let planner = world.planner(engine);
            for _ in 0..3 {
                let (start, goal) = (any_point(&mut random, &world.map), any_point(&mut random, &world.map));
                let query = query(start, goal);
                let best = oracle::distance(&walled.map, rule, cost, start, goal);
                let outcome = planner.find_avoiding(query, &zones, &mut scratch).unwrap();
                prop_assert_eq!(
                    best.is_some(),
                    matches!(outcome, Outcome::Found(_) | Outcome::AlreadyThere),
                    "{} {:?}", engine, outcome
                );
                if engine.is_optimal() {
                    let answer = Answer::from(outcome);
                    walled.assert_optimal(start, goal, &answer);
                } else if let Outcome::Found(route) = outcome
                    && let Path::Cells(cells) = route.path()
                {
                    let verdict = judge_grid(&walled.map, rule, cost, start, goal, &points(cells));
                    prop_assert_eq!(verdict.unwrap().cost, route.cost().units());
                }
                let known = planner.find_avoiding(query, &zones, &mut scratch).unwrap().route().map(Route::cost);
                let short = query.with_detail(Detail::Cost);
                let alone = planner.find_avoiding(short, &zones, &mut scratch).unwrap().route().map(Route::cost);
                prop_assert_eq!(known, alone);
            }
        }
    }
}

#[test]
fn steps_of_many_plans_do_not_depend_on_threads() {
    let grid = Grid::from_fn(90, 70, |cell| cell.x % 9 != 4 || cell.y % 7 < 3).unwrap();
    let mut planner = Planner::with_engine(grid, Engine::Hpa).unwrap();
    let queries: Vec<Query> = (0..60).map(|at| Query::new((at, 0), (89 - at, 69))).collect();
    let plans: Vec<_> = planner
        .plan_many(&queries, 2)
        .unwrap()
        .into_iter()
        .filter_map(|planned| if let Planned::Plan(plan) = planned { Some(plan) } else { None })
        .collect();
    assert!(plans.len() > 40);
    let (mut alone, mut shared, mut lent) = (plans.clone(), plans.clone(), plans);
    let mut scratches: Vec<Scratch> = (0..7).map(|_| Scratch::new()).collect();
    for tick in 0..40 {
        if tick % 10 == 5 {
            let wall = Rect::spanning(Cell::new(tick, 20 + tick), Cell::new(tick + 9, 21 + tick));
            planner.edit(|grid| grid.block(wall)).unwrap();
        }
        let expected: Vec<Step> =
            alone.iter_mut().map(|plan| plan.step(&planner, &mut scratches[0]).unwrap()).collect();
        assert_eq!(planner.step_many(&mut shared, &mut scratches).unwrap(), expected);
        let mut lent: Vec<&mut Plan> = lent.iter_mut().collect();
        assert_eq!(planner.step_many(&mut lent, &mut scratches[..2]).unwrap(), expected);
    }
    assert_eq!(planner.step_many::<Plan>(&mut [], &mut []), Ok(Vec::new()));
}
