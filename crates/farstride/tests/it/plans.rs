//! Plans: refined as they are walked, true to the map as it is.

use crate::common::saved::KEPT;
use crate::common::{World, any_point, cases, cell, edit_at_random, query};
use farstride::grid::Direction;
use farstride::hpa::{Hierarchy, HpaSettings, KeepWays, Tactics};
use farstride::{Cell, Cost, Engine, Grid, Plan, Planned, Planner, Query, Rect, Scratch, Step};
use farstride_testkit::strategies::{diagonal_costs, diagonals, maps, weighted_maps};
use farstride_testkit::{SplitMix64, oracle};
use proptest::prelude::*;
use proptest::sample::select;

fn plan(planner: &Planner, start: Cell, goal: Cell, scratch: &mut Scratch) -> Plan {
    match planner.plan(Query::new(start, goal), scratch).unwrap() {
        Planned::Plan(plan) => plan,
        other => panic!("no plan: {other:?}"),
    }
}

/// Takes one step, which must be legal and not diagonal across the map.
pub(crate) fn step(plan: &mut Plan, planner: &Planner, scratch: &mut Scratch) -> Step {
    let at = plan.position();
    let step = plan.step(planner, scratch).unwrap();
    if let Step::To(next) = step {
        let legal = at.direction_to(next).is_some_and(|direction| planner.grid().may_step(at, direction));
        assert!(legal, "{at} to {next}");
        assert_eq!(plan.position(), next);
    }
    step
}

pub(crate) fn hpa(grid: Grid, settings: HpaSettings) -> Planner {
    let hierarchy = Hierarchy::build(&grid, settings).unwrap();
    Planner::with_index(grid, hierarchy).unwrap()
}

fn small(cluster: u16, levels: u8, keep_ways: KeepWays) -> HpaSettings {
    HpaSettings::default()
        .with_cluster(cluster)
        .with_levels(levels)
        .with_keep_ways(keep_ways)
        .with_entrance(4)
        .with_group(2)
}

/// Cost of one step as the rules have it.
pub(crate) fn step_cost(grid: &Grid, at: Cell, next: Cell) -> u64 {
    let cost = grid.rules().diagonal_cost;
    let full = match at.direction_to(next) {
        Some(Direction::North | Direction::East | Direction::South | Direction::West) => cost.straight(),
        _ => cost.diagonal(),
    };
    full.units() / 2 * (u64::from(grid.weight(at)) + u64::from(grid.weight(next)))
}

proptest! {
    #![proptest_config(cases(192))]

    /// On a map that nobody edits a plan leads to the goal by legal steps, at
    /// no more than it promised, and that is no more than the abstract path.
    #[test]
    fn a_plan_keeps_its_promise(
        map in prop_oneof![maps(40, 40), weighted_maps(24, 24)],
        rule in diagonals(),
        cost in diagonal_costs(),
        (cluster, levels, keep_ways) in (2..7_u16, 1..5_u8, select(&KEPT[..])),
        seed: u64,
    ) {
        let world = World::new(map, rule, cost);
        let planner = hpa(world.grid(), small(cluster, levels, keep_ways));
        let plain = Tactics::default().with_smooth(false).with_shortcuts(false).with_shift(false);
        let plain = planner.clone().with_tactics(plain);
        let mut scratch = Scratch::new();
        let mut random = SplitMix64::new(seed);
        for _ in 0..4 {
            let (start, goal) = (any_point(&mut random, &world.map), any_point(&mut random, &world.map));
            let best = oracle::distance(&world.map, world.diagonals, world.cost, start, goal);
            let planned = planner.plan(Query::new(cell(start), cell(goal)), &mut scratch).unwrap();
            let Planned::Plan(mut plan) = planned else {
                prop_assert!(best.is_none() || start == goal);
                continue;
            };
            let abstract_cost = plain.find(query(start, goal), &mut scratch).unwrap().route().unwrap().cost();
            prop_assert!(plan.cost() <= abstract_cost);
            prop_assert_eq!(plan.waypoints().last().unwrap().cell, cell(goal));
            let mut walked = 0;
            loop {
                let (at, promised) = (plan.position(), plan.cost().units());
                match step(&mut plan, &planner, &mut scratch) {
                    Step::To(next) => {
                        let cost = step_cost(planner.grid(), at, next);
                        walked += cost;
                        prop_assert!(cost + plan.cost().units() <= promised, "a promise got worse");
                    }
                    Step::Arrived => break,
                    other => panic!("{other:?} on {world:?}"),
                }
            }
            prop_assert_eq!(plan.position(), cell(goal));
            prop_assert_eq!((plan.cost(), plan.replans()), (Cost::ZERO, 0));
            prop_assert!(Some(walked) >= best && walked <= abstract_cost.units());
        }
    }

    /// Whatever is edited while a unit walks, with any engine: every step is
    /// legal when it is taken, and the plan ends where there is no way or at
    /// the goal.
    #[test]
    fn a_plan_follows_edits(
        map in maps(24, 24),
        rule in diagonals(),
        cost in diagonal_costs(),
        (cluster, levels, keep_ways) in (2..7_u16, 1..4_u8, select(&KEPT[..])),
        seed: u64,
    ) {
        let world = World::new(map, rule, cost);
        let mut random = SplitMix64::new(seed);
        let mut planners = vec![hpa(world.grid(), small(cluster, levels, keep_ways))];
        planners.extend([Engine::Astar, Engine::Hpa, Engine::Groups].map(|engine| world.planner(engine)));
        let (start, goal) = (any_point(&mut random, &world.map), any_point(&mut random, &world.map));
        for mut planner in planners {
            let mut scratch = Scratch::new();
            let Planned::Plan(mut plan) = planner.plan(Query::new(cell(start), cell(goal)), &mut scratch).unwrap() else {
                continue;
            };
            for _ in 0..200 {
                if random.chance(30) {
                    edit_at_random(&mut planner, &mut random, plan.position());
                }
                let (at, goal) = (plan.position(), plan.goal());
                match step(&mut plan, &planner, &mut scratch) {
                    Step::To(_) => {}
                    Step::Arrived => break,
                    _ => prop_assert!(!planner.grid().is_connected(at, goal)),
                }
            }
        }
    }
}

/// A corridor with a side room; the unit walks along the corridor.
fn corridor() -> Planner {
    let row = ".".repeat(120);
    let wall = "#".repeat(50) + "." + &"#".repeat(69);
    let grid = Grid::from_ascii(&[&row[..], &row, &row, &row, &wall, &row, &row, &row].join("\n")).unwrap();
    // Without shortcuts, or a straight run would do.
    hpa(grid, small(8, 3, KeepWays::All)).with_tactics(Tactics::default().with_shortcuts(false))
}

#[test]
fn a_plan_survives_edits_elsewhere() {
    let mut planner = corridor();
    let mut scratch = Scratch::new();
    let goal = Cell::new(119, 1);
    let mut plan = plan(&planner, Cell::new(0, 2), goal, &mut scratch);
    assert!(plan.refined().next().is_none(), "nothing is refined before it is needed");
    let mut x = 0;
    while step(&mut plan, &planner, &mut scratch) != Step::Arrived {
        let _ = planner.edit(|grid| grid.block(Cell::new(x, 6))).unwrap();
        x += 1;
    }
    assert_eq!((plan.position(), plan.replans()), (goal, 0));
}

#[test]
fn a_plan_is_made_again_where_an_edit_touched_it() {
    let mut planner = corridor();
    let mut scratch = Scratch::new();
    let mut plan = plan(&planner, Cell::new(0, 2), Cell::new(119, 1), &mut scratch);
    for _ in 0..10 {
        step(&mut plan, &planner, &mut scratch);
    }
    let wall = Rect::spanning(Cell::new(100, 0), Cell::new(100, 2));
    let _ = planner.edit(|grid| grid.block(wall)).unwrap();
    assert!(matches!(step(&mut plan, &planner, &mut scratch), Step::To(_)));
    assert_eq!(plan.replans(), 1);
    let rest = Rect::spanning(Cell::new(100, 3), Cell::new(100, 3));
    let _ = planner.edit(|grid| grid.block(rest)).unwrap();
    let at = plan.position();
    assert_eq!(step(&mut plan, &planner, &mut scratch), Step::Unreachable);
    assert_eq!(plan.position(), at);
    let _ = planner.edit(|grid| grid.free(wall)).unwrap();
    while matches!(step(&mut plan, &planner, &mut scratch), Step::To(_)) {}
    assert_eq!(plan.position(), plan.goal());
}

#[test]
fn first_moves_need_no_more_than_a_section() {
    let planner = hpa(Grid::empty(1000, 40).unwrap(), HpaSettings::default())
        .with_tactics(Tactics::default().with_shortcuts(false));
    let mut scratch = Scratch::new();
    let mut plan = plan(&planner, Cell::new(1, 1), Cell::new(999, 39), &mut scratch);
    let waypoints = plan.waypoints().count();
    step(&mut plan, &planner, &mut scratch);
    assert!(plan.refined().count() < 150, "{}", plan.refined().count());
    assert!(waypoints > 10);
}

#[test]
fn a_unit_that_was_moved_plans_from_where_it_stands() {
    let planner = corridor();
    let mut scratch = Scratch::new();
    let mut plan = plan(&planner, Cell::new(0, 2), Cell::new(119, 1), &mut scratch);
    step(&mut plan, &planner, &mut scratch);
    plan.stand_at(Cell::new(60, 6));
    while step(&mut plan, &planner, &mut scratch) != Step::Arrived {}
    assert_eq!(plan.replans(), 1);
}

#[test]
fn a_plan_can_go_on_with_another_planner() {
    let grid = Grid::empty(100, 100).unwrap();
    let mut scratch = Scratch::new();
    let planners =
        [hpa(grid.clone(), small(8, 2, KeepWays::All)), hpa(grid.clone(), small(5, 3, KeepWays::Nothing))];
    let tactics = Tactics::default().with_shortcuts(false);
    let planners = planners.map(|planner| planner.with_tactics(tactics));
    let mut plan = plan(&planners[0], Cell::new(0, 50), Cell::new(99, 3), &mut scratch);
    let mut turn = 0;
    while step(&mut plan, &planners[turn / 7 % 2], &mut scratch) != Step::Arrived {
        turn += 1;
    }
    let far = hpa(Grid::empty(3, 3).unwrap(), small(2, 1, KeepWays::All));
    plan.stand_at(Cell::new(50, 50));
    assert!(plan.step(&far, &mut scratch).is_err());
}

/// A plan whose way leads beyond a smaller map is made again on that.
#[test]
fn a_plan_can_go_on_with_a_smaller_map() {
    let on_the_way = |cell: Cell| match (cell.x, cell.y) {
        (5, 5..=80) | (31, 63..=80) | (31..=90, 63) | (5..=31, 80) => true,
        (x, y) => y < 63 && (x == 90 || y == 5),
    };
    let planners = [100, 64].map(|height| {
        let grid = Grid::from_fn(100, height, on_the_way).unwrap();
        hpa(grid, HpaSettings::default().with_levels(1))
    });
    let mut scratch = Scratch::new();
    for start in [Cell::new(5, 5), Cell::new(5, 60)] {
        let mut plan = plan(&planners[0], start, Cell::new(90, 63), &mut scratch);
        let _ = plan.step(&planners[0], &mut scratch).unwrap();
        while matches!(step(&mut plan, &planners[1], &mut scratch), Step::To(_)) {}
    }
}

#[test]
fn what_is_no_plan_has_a_name() {
    let planner = hpa(Grid::from_ascii(".#.\n###\n...").unwrap(), small(2, 2, KeepWays::All));
    let mut scratch = Scratch::new();
    let mut answer = |a: (u16, u16), b: (u16, u16)| planner.plan(Query::new(a, b), &mut scratch);
    assert!(matches!(answer((0, 0), (0, 0)), Ok(Planned::AlreadyThere)));
    assert!(matches!(answer((1, 0), (0, 0)), Ok(Planned::StartBlocked)));
    assert!(matches!(answer((0, 0), (1, 1)), Ok(Planned::GoalBlocked)));
    assert!(matches!(answer((0, 0), (2, 2)), Ok(Planned::Unreachable)));
    assert!(answer((0, 0), (3, 3)).is_err());
}
