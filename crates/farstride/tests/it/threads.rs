//! One planner answers any number of threads at once, each with a scratch of
//! its own, as it answers one.

use crate::common::{Answer, World, any_point, query, weigh};
use farstride::{Engine, Planner, Query, Scratch};
use farstride_testkit::{DiagonalCost, Diagonals, Kind, SplitMix64, generate};
use std::thread;

const THREADS: usize = 4;

fn answers<'q>(planner: &Planner, queries: impl IntoIterator<Item = &'q Query>) -> Vec<Answer> {
    let mut scratch = Scratch::new();
    let find = |query: &Query| planner.find(*query, &mut scratch).unwrap().into();
    queries.into_iter().map(find).collect()
}

#[test]
fn threads_get_the_answers_of_one() {
    let mut random = SplitMix64::new(13);
    for engine in Engine::ALL {
        let mut map = generate(Kind::Caves { blocked_percent: 42, rounds: 3 }, 90, 70, 5).unwrap();
        if matches!(engine, Engine::Dijkstra | Engine::Astar) {
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
}
