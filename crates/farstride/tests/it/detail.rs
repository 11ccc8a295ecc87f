//! Every engine honours every detail alike: the same path, more or less of it.

use crate::common::{World, any_point, assert_same_length, query, random_map, weigh};
use farstride::{Cell, Detail, Diagonals, Engine, Grid, Path, Planner, Scratch};
use farstride_testkit::{DiagonalCost, Kind, SplitMix64, generate};

const RULES: [farstride_testkit::Diagonals; 4] = [
    farstride_testkit::Diagonals::Strict,
    farstride_testkit::Diagonals::OneSide,
    farstride_testkit::Diagonals::Free,
    farstride_testkit::Diagonals::None,
];

/// The cells where a path of steps starts, turns and ends.
fn corners(cells: &[Cell]) -> Vec<Cell> {
    let step = |a: Cell, b: Cell| (i32::from(b.x) - i32::from(a.x), i32::from(b.y) - i32::from(a.y));
    let turns = cells.windows(3).filter(|of| step(of[0], of[1]) != step(of[1], of[2])).map(|of| of[1]);
    let ends = |at: usize| cells.get(at).copied();
    ends(0).into_iter().chain(turns).chain(ends(cells.len() - 1)).collect()
}

/// Walks from waypoint to waypoint as [`Path::Waypoints`] says.
fn walked(grid: &Grid, waypoints: &[Cell]) -> Vec<Cell> {
    let mut cells = vec![waypoints[0]];
    let towards = |from: u16, to: u16| from.wrapping_add_signed(i16::from(to > from) - i16::from(to < from));
    for &to in &waypoints[1..] {
        let mut here = cells[cells.len() - 1];
        while here != to {
            let four = grid.rules().diagonals == Diagonals::None;
            let y = if four && here.x != to.x { here.y } else { towards(here.y, to.y) };
            here = Cell::new(towards(here.x, to.x), y);
            cells.push(here);
        }
    }
    cells
}

/// Asks one query in every detail.
fn check(planner: &Planner, start: Cell, goal: Cell, scratch: &mut Scratch) -> bool {
    let engine = planner.engine();
    let ask = |detail: Detail, scratch: &mut Scratch| {
        let outcome = planner.find(query_of(start, goal).with_detail(detail), scratch).unwrap();
        outcome.route().map(farstride::Route::to_owned)
    };
    let Some(whole) = ask(Detail::Cells, scratch) else { return false };
    let all = whole.cells();
    let turns: Vec<farstride::Point> = whole.as_route().path().turns().collect();
    let mut told = vec![ask(Detail::Cost, scratch).unwrap()];
    assert_eq!(told[0].as_route().path(), Path::Omitted, "{engine}");
    for first in [0, 1, 2, 3, 7, 40, u32::MAX] {
        let some = ask(Detail::First(first), scratch).unwrap();
        let count = turns.len().min((first as usize).saturating_add(1));
        assert!(some.as_route().path().turns().eq(turns[..count].iter().copied()), "{engine} {first}");
        told.push(some);
    }
    let waypoints = ask(Detail::Waypoints, scratch).unwrap();
    match waypoints.as_route().path() {
        Path::Points(points) => assert_eq!(points, turns, "{engine}"),
        // Subgoal engines know fewer waypoints than corners, perhaps of another path.
        Path::Waypoints(cells) if cells != corners(all) => {
            let known = [Engine::Ssg, Engine::Tsg, Engine::Tl, Engine::Nsg, Engine::NsgPlus];
            assert!(known.contains(&engine), "{engine}: {cells:?} {:?}", corners(all));
            assert_eq!(walked(planner.grid(), cells), all, "{engine}");
        }
        Path::Waypoints(_) => {}
        other => panic!("{engine}: {other:?}"),
    }
    told.push(waypoints);
    for route in told {
        assert_eq!(route.cost(), whole.cost(), "{engine}");
        assert_same_length(engine, &route.as_route(), whole.length());
    }
    true
}

fn query_of(start: Cell, goal: Cell) -> farstride::Query {
    farstride::Query::new(start, goal)
}

#[test]
fn less_detail_is_a_part_of_the_same_answer() {
    let mut random = SplitMix64::new(16);
    let mut scratch = Scratch::new();
    let mut found = 0;
    for round in 0..48 {
        let (width, height) = (random.between(8, 90), random.between(8, 70));
        let kinds = [Kind::Caves { blocked_percent: 45, rounds: 4 }, Kind::Rooms { size: 6 }];
        let mut map = match round % 3 {
            0 => random_map(&mut random, width, height, 20),
            kind => generate(kinds[kind - 1], width.max(20), height.max(20), round as u64).unwrap(),
        };
        if round % 4 == 3 {
            weigh(&mut random, &mut map);
        }
        let world = World::new(map, RULES[round / 4 % 4], DiagonalCost::Sqrt2);
        for engine in Engine::ALL {
            let Ok(planner) = Planner::with_engine(world.grid(), engine) else { continue };
            for _ in 0..12 {
                let (start, goal) = (any_point(&mut random, &world.map), any_point(&mut random, &world.map));
                let query = query(start, goal);
                found += usize::from(check(&planner, query.start, query.goal, &mut scratch));
            }
        }
    }
    assert!(found > 2000, "only {found} paths were found");
}

/// Paths so long that their tracks have several pieces, and that their cost does not
/// tell how many of their steps are diagonal.
#[test]
fn long_paths_over_labels_have_the_corners_of_their_cells() {
    let grid = Grid::from_fn(3000, 21, |cell| match cell.x % 12 {
        5 => cell.y < 18,
        11 => cell.y > 2,
        _ => true,
    });
    let planner = Planner::with_engine(grid.unwrap(), Engine::Labels).unwrap();
    let mut scratch = Scratch::new();
    for (start, goal) in
        [((0, 0), (2999, 20)), ((2990, 3), (7, 9)), ((40, 1), (1500, 1)), ((1500, 9), (3, 4))]
    {
        assert!(check(&planner, start.into(), goal.into(), &mut scratch));
    }
}
