//! How long does a warm query take? Each engine on one generated map of every
//! kind; one iteration answers all queries of the map.
//!
//! Maps, queries and the first, growing calls stay outside the timed part, and
//! each answer is checked once before it: by an independent search where the
//! engine is optimal, as legal where it is not.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use farstride::{Engine, Planner, Query, Scratch};
use farstride_bench::rival::{Claims, Point, Rival, widen};
use farstride_bench::rivals::Ours;
use farstride_bench::workload::{Workload, grid, weighted};
use farstride_testkit::{DiagonalCost, Diagonals, PlainMap, oracle};
use std::hint::black_box;

const SIDE: usize = 256;
const QUERIES: usize = 8;

fn uniform(c: &mut Criterion) {
    for engine in [Engine::Astar, Engine::Theta, Engine::LazyTheta] {
        let mut group = c.benchmark_group(format!("warm/{engine}"));
        group.throughput(Throughput::Elements(QUERIES as u64));
        for workload in Workload::all(SIDE, QUERIES) {
            bench(&mut group, &workload, engine);
        }
        group.finish();
    }
}

fn with_weights(c: &mut Criterion) {
    let mut group = c.benchmark_group("warm-weighted/astar");
    group.throughput(Throughput::Elements(QUERIES as u64));
    for mut workload in Workload::all(SIDE, QUERIES) {
        workload.map = weighted(&workload.map);
        bench(&mut group, &workload, Engine::Astar);
    }
    group.finish();
}

type Group<'c> = criterion::BenchmarkGroup<'c, criterion::measurement::WallTime>;

fn bench(group: &mut Group<'_>, workload: &Workload, engine: Engine) {
    let planner = Planner::with_engine(grid(&workload.map), engine).expect("it suits the map");
    let mut scratch = Scratch::new();
    for &(start, goal) in &workload.queries {
        check(&planner, &workload.map, (start, goal), &mut scratch);
    }
    let queries: Vec<_> = workload.queries.iter().map(|&(start, goal)| Query::new(start, goal)).collect();
    let id = BenchmarkId::from_parameter(workload.name);
    group.bench_with_input(id, &queries, |b, queries| {
        b.iter(|| {
            for &query in queries {
                let _ = black_box(planner.find(black_box(query), &mut scratch));
            }
        });
    });
}

/// Asks once and judges the answer.
fn check(planner: &Planner, map: &PlainMap, (start, goal): (Point, Point), scratch: &mut Scratch) {
    let query = Query::new(start, goal);
    let outcome = planner.find(query, scratch).expect("the query is on the map");
    let route = outcome.route().expect("start and goal differ and are connected");
    let cells = route.path().turns().filter_map(farstride::Point::cell);
    let path: Vec<Point> = cells.map(|cell| (cell.x, cell.y)).collect();
    let claims: Claims = Ours(planner.engine()).claims();
    claims.judge(map, start, goal, &path).expect("the path is legal");
    if planner.engine().is_optimal() {
        let (rule, cost) = (Diagonals::Strict, DiagonalCost::Sqrt2);
        let expected = oracle::distance(map, rule, cost, widen(start), widen(goal));
        assert_eq!(Some(route.cost().units()), expected, "the path is the shortest");
    }
}

criterion_group!(benches, uniform, with_weights);
criterion_main!(benches);
