//! A small map, edited a few times, with a query after each edit: every engine
//! answers as the testkit's judges say, paused or not.

#![no_main]

#[path = "../../crates/farstride/tests/it/common/world.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod world;

use arbitrary::Arbitrary;
use farstride::{Engine, Grid, Outcome, Planner, Query, Rect, Scratch};
use farstride_testkit::{
    Change, DiagonalCost, Diagonals, Edit, PlainMap, Point, judge_any_angle, judge_grid, judge_points,
    oracle,
};
use libfuzzer_sys::fuzz_target;
use world::{Answer, TOLERANCE, World, cell, query};

/// Longest side of a map: more than two of the blocks of 8 cells inside.
const MAX_SIDE: u8 = 20;

#[derive(Arbitrary, Debug)]
struct Input {
    width: u8,
    height: u8,
    diagonals: u8,
    has_ratio_142: bool,
    /// One bit per cell, row by row; all beyond the end are free.
    blocked: Vec<u8>,
    weights: Option<Vec<u8>>,
    rounds: Vec<Round>,
}

/// An edit and what is asked after it.
#[derive(Arbitrary, Debug)]
struct Round {
    one: (u8, u8),
    other: (u8, u8),
    change: u8,
    start: (u8, u8),
    goal: (u8, u8),
    budget: u8,
}

fuzz_target!(|input: Input| {
    let mut world = input.world();
    let mut grid = world.grid();
    let mut scratch = Scratch::new();
    for round in input.rounds.iter().take(8) {
        round.edit(&mut world.map, &mut grid);
        grid.check().unwrap();
        assert_eq!(grid, world.grid());
        let (start, goal) = (place(&world.map, round.start), place(&world.map, round.goal));
        for engine in Engine::ALL {
            match Planner::with_engine(grid.clone(), engine) {
                Ok(planner) => judge(&world, &planner, start, goal, round.budget, &mut scratch),
                Err(_) => assert!(!world.suits(engine)),
            }
        }
    }
});

impl Input {
    fn world(&self) -> World {
        let side = |byte: u8| usize::from(byte % MAX_SIDE) + 1;
        let mut map = PlainMap::new(side(self.width), side(self.height), true);
        for (index, free) in map.free.iter_mut().enumerate() {
            *free = self.blocked.get(index / 8).is_none_or(|byte| byte >> (index % 8) & 1 == 0);
        }
        map.weights = self.weights.as_ref().map(|weights| {
            let weight = |index: usize| weights.get(index).map_or(1, |&weight| weight.max(1));
            (0..map.free.len()).map(weight).collect()
        });
        let diagonals = Diagonals::ALL[usize::from(self.diagonals) % 4];
        World::new(map, diagonals, DiagonalCost::ALL[usize::from(self.has_ratio_142)])
    }
}

impl Round {
    fn edit(&self, map: &mut PlainMap, grid: &mut Grid) {
        let (one, other) = (place(map, self.one), place(map, self.other));
        let change = match self.change % 3 {
            0 => Change::Free,
            1 => Change::Blocked,
            _ => Change::Weight(self.change / 3 + 1),
        };
        map.apply(&Edit {
            corner: (one.0.min(other.0), one.1.min(other.1)),
            width: one.0.abs_diff(other.0) + 1,
            height: one.1.abs_diff(other.1) + 1,
            change,
        });
        let area = Rect::spanning(cell(one), cell(other));
        let _ = match change {
            Change::Free => grid.free(area).unwrap(),
            Change::Blocked => grid.block(area).unwrap(),
            Change::Weight(weight) => grid.set_weight(area, weight).unwrap(),
        };
    }
}

fn place(map: &PlainMap, (x, y): (u8, u8)) -> Point {
    (usize::from(x) % map.width, usize::from(y) % map.height)
}

fn judge(world: &World, planner: &Planner, start: Point, goal: Point, budget: u8, scratch: &mut Scratch) {
    let query = query(start, goal);
    let answer = Answer::from(planner.find(query, scratch).unwrap());
    assert_eq!(in_slices(planner, query, u64::from(budget).max(1), scratch), answer);
    if planner.engine().is_optimal() {
        world.assert_optimal(start, goal, &answer);
        return;
    }
    let shortest = oracle::distance(&world.map, world.diagonals, world.cost, start, goal);
    let Answer::Found { length, path, .. } = &answer else {
        assert_eq!(answer, world.refusal(start, goal, shortest.is_some()));
        return;
    };
    let judged = if planner.engine() == Engine::Straight {
        let outcome = planner.find(query, scratch).unwrap();
        let points = outcome.route().map_or(&[][..], |route| route.path().points());
        let halves: Vec<_> = points.iter().map(|point| (point.x.into(), point.y.into())).collect();
        judge_points(&world.map, start, goal, &halves).unwrap()
    } else if planner.engine().is_any_angle() {
        judge_any_angle(&world.map, world.diagonals, start, goal, path).unwrap()
    } else {
        judge_grid(&world.map, world.diagonals, world.cost, start, goal, path).unwrap().length
    };
    assert!((judged - length).abs() < TOLERANCE);
}

fn in_slices(planner: &Planner, query: Query, budget: u64, scratch: &mut Scratch) -> Answer {
    let mut outcome = planner.find(query.with_budget(budget), scratch).unwrap();
    while let Outcome::BudgetSpent(paused) = outcome {
        outcome = planner.resume(&paused, budget, scratch).unwrap();
    }
    outcome.into()
}
