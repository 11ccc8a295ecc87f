//! What do the grid's own operations cost: reading a map, finding its regions,
//! lines of sight, and edits that do and do not cut it in two?

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use farstride::{Cell, Grid};
use farstride_bench::rival::widen;
use farstride_bench::workload::{Workload, grid, two_fields};
use farstride_io::movingai::read_map;
use farstride_testkit::{Diagonals, Kind, judge, oracle};
use std::hint::black_box;

/// Side of the maps that are read and whose regions are found.
const LARGE: usize = 1024;
/// Side of the maps for sight and edits.
const SMALL: usize = 256;
/// Pairs of cells that are looked between in one iteration.
const PAIRS: usize = 1000;

fn kinds() -> impl Iterator<Item = Kind> {
    Kind::SAMPLES.into_iter().filter(|kind| matches!(kind.name(), "maze" | "caves" | "city" | "open"))
}

fn parse(c: &mut Criterion) {
    let mut group = c.benchmark_group("parse");
    group.throughput(Throughput::Elements((LARGE * LARGE) as u64));
    for kind in kinds() {
        let map = Workload::new(kind, LARGE, 0).map;
        let text = map.to_movingai();
        assert_eq!(read_map(text.as_bytes()).expect("it is a map"), grid(&map));
        group.bench_function(BenchmarkId::from_parameter(kind.name()), |b| {
            b.iter(|| black_box(read_map(black_box(text.as_bytes()))));
        });
    }
    group.finish();
}

/// Setting the rules finds the regions anew and does nothing else.
fn regions(c: &mut Criterion) {
    let mut group = c.benchmark_group("regions");
    group.throughput(Throughput::Elements((LARGE * LARGE) as u64));
    for kind in kinds() {
        let map = Workload::new(kind, LARGE, 0).map;
        let grid = grid(&map);
        let rules = grid.rules();
        let expected = oracle::regions(&map, Diagonals::Strict).0;
        assert_eq!(grid.region_count(), expected as usize);
        let mut slot = Some(grid);
        group.bench_function(BenchmarkId::from_parameter(kind.name()), |b| {
            b.iter(|| slot = slot.take().map(|grid| grid.with_rules(black_box(rules))));
        });
    }
    group.finish();
}

fn sight(c: &mut Criterion) {
    let mut group = c.benchmark_group("line_of_sight");
    group.throughput(Throughput::Elements(PAIRS as u64));
    for kind in kinds() {
        let Workload { map, queries, .. } = Workload::new(kind, SMALL, PAIRS);
        let grid = grid(&map);
        for &(a, b) in &queries {
            let expected = judge::sees(&map, Diagonals::Strict, widen(a), widen(b));
            assert_eq!(grid.line_of_sight(a.into(), b.into()), expected, "{a:?} to {b:?}");
        }
        let pairs: Vec<(Cell, Cell)> = queries.iter().map(|&(a, b)| (a.into(), b.into())).collect();
        group.bench_with_input(BenchmarkId::from_parameter(kind.name()), &pairs, |b, pairs| {
            b.iter(|| pairs.iter().filter(|(from, to)| grid.line_of_sight(*from, *to)).count());
        });
    }
    group.finish();
}

/// One iteration blocks a cell and frees it again.
fn edits(c: &mut Criterion) {
    let mut group = c.benchmark_group("edit");
    group.throughput(Throughput::Elements(2));
    let middle = Cell::new(SMALL as u16 / 2, SMALL as u16 / 2);
    let open = Grid::empty(SMALL, SMALL).expect("the size is in range");
    bench_edit(&mut group, "open ground", open, middle, 1);
    let (map, cell) = two_fields(SMALL);
    bench_edit(&mut group, "cut a corridor", grid(&map), cell, 2);
    group.finish();
}

type Group<'c> = criterion::BenchmarkGroup<'c, criterion::measurement::WallTime>;

/// `regions` is how many there are while the cell is blocked.
fn bench_edit(group: &mut Group<'_>, name: &str, mut grid: Grid, cell: Cell, regions: usize) {
    assert!(grid.block(cell).is_ok());
    assert_eq!(grid.region_count(), regions);
    assert!(grid.free(cell).is_ok());
    assert_eq!(grid.region_count(), 1);
    group.bench_function(name, |b| {
        b.iter(|| {
            let blocked = grid.block(black_box(cell));
            let freed = grid.free(black_box(cell));
            black_box((blocked, freed))
        });
    });
}

criterion_group!(benches, parse, regions, sight, edits);
criterion_main!(benches);
