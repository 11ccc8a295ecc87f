//! One planner answers any number of threads at once, each with its own scratch,
//! as it answers one; and any number of threads builds the same index.

use crate::common::{Answer, World, any_point, query, weigh};
use farstride::index::BuildOptions;
use farstride::{Engine, Grid, Index, Planner, Query, Scratch, store};
use farstride_testkit::{DiagonalCost, Diagonals, Kind, SplitMix64, generate};
use std::thread;

const THREADS: usize = 4;

fn answers<'q>(planner: &Planner, queries: impl IntoIterator<Item = &'q Query>) -> Vec<Answer> {
    let mut scratch = Scratch::new();
    let find = |query: &Query| planner.find(*query, &mut scratch).unwrap().into();
    queries.into_iter().map(find).collect()
}

/// Engines that search maps with weights.
const WEIGHED: [Engine; 5] = [Engine::Dijkstra, Engine::Astar, Engine::Hpa, Engine::Groups, Engine::Overlay];

#[test]
fn threads_get_the_answers_of_one() {
    for engine in Engine::ALL {
        share_a_planner(engine, false);
    }
}

#[test]
fn threads_get_the_answers_of_one_on_maps_with_weights() {
    for engine in WEIGHED {
        share_a_planner(engine, true);
    }
    let mut grid = Grid::from_fn(2, 2, |_| true).unwrap();
    let _ = grid.set_weight(grid.area(), 2).unwrap();
    let fit: Vec<Engine> = Engine::ALL.into_iter().filter(|engine| engine.check(&grid).is_ok()).collect();
    assert_eq!(fit, WEIGHED, "every engine that takes weights is weighed");
}

fn share_a_planner(engine: Engine, weighed: bool) {
    let mut random = SplitMix64::new(13);
    let mut map = generate(Kind::Caves { blocked_percent: 42, rounds: 3 }, 90, 70, 5).unwrap();
    if weighed {
        weigh(&mut random, &mut map);
    }
    let world = World::new(map, Diagonals::Strict, DiagonalCost::Sqrt2);
    let planner = world.planner(engine);
    let mut any = || any_point(&mut random, &world.map);
    let queries: Vec<Query> = (0..200).map(|_| query(any(), any())).collect();
    let expected = answers(&planner, &queries);
    assert!(expected.iter().filter(|answer| answer.is_found()).count() > 30);

    // Each thread begins elsewhere, so that all of them are busy with
    // different queries at any time.
    let turned = |thread: usize| {
        let by = thread * queries.len() / THREADS;
        move |index: usize| (index + by) % 200
    };
    thread::scope(|scope| {
        let (planner, queries) = (&planner, &queries);
        let ask = |thread: usize| {
            let turn = turned(thread);
            scope.spawn(move || answers(planner, (0..200).map(|index| &queries[turn(index)])))
        };
        let busy: Vec<_> = (0..THREADS).map(ask).collect();
        for (thread, busy) in busy.into_iter().enumerate() {
            let turn = turned(thread);
            for (index, answer) in busy.join().unwrap().into_iter().enumerate() {
                assert_eq!(answer, expected[turn(index)], "{engine}, thread {thread}");
            }
        }
    });
}
/// The saved index of an engine that has one, built on a number of threads.
fn index(engine: Engine, grid: &Grid, threads: usize) -> Option<Vec<u8>> {
    let options = BuildOptions::new().threads(threads);
    let index = Index::build_with(grid, engine.default_settings()?, &options).unwrap();
    Some(store::save(&index, grid).unwrap())
}

/// Every engine that has an index builds the same bytes on any number of
/// threads, and on more than there is work for.
#[test]
fn every_number_of_threads_builds_the_same_index() {
    let map = generate(Kind::Rooms { size: 7 }, 150, 110, 5).unwrap();
    let grid = World::new(map, Diagonals::Strict, DiagonalCost::Sqrt2).grid();
    let mut indexes = 0;
    for engine in Engine::ALL {
        let Some(alone) = index(engine, &grid, 1) else { continue };
        indexes += 1;
        for threads in [2, 5, 64] {
            assert!(index(engine, &grid, threads).unwrap() == alone, "{engine} on {threads} threads");
        }
    }
    assert_eq!(indexes, 11);
}
