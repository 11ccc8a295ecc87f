//! The native side of `bindings/python/bench/race.py`: the same batch and the same table of
//! costs by `labels`, without Python.
//!
//! Prints seconds of the batch and of the table, and what they add up to: costs and cells of
//! the paths, and costs of the table.

use farstride::{Cell, Cost, Engine, Grid, Outcome, Planner, Query};
use farstride_io::movingai;
use std::error::Error;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;
use std::time::Instant;

const QUERIES: usize = 100_000;
const PLACES: usize = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("usage: batches FILE.map")?;
    let grid = movingai::load_map(Path::new(&file))?;
    let cells = random_cells(&grid);
    let planner = Planner::with_engine(grid, Engine::Labels)?;
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);

    let ends = cells[..QUERIES].iter().zip(&cells[QUERIES..]);
    let queries: Vec<Query> = ends.map(|(&start, &goal)| Query::new(start, goal)).collect();
    let begin = Instant::now();
    let keep = |outcome: &Outcome<'_>| outcome.route().map(farstride::Route::to_owned);
    let routes = planner.find_many(&queries, threads, keep)?;
    let batch = begin.elapsed();
    let cost: u64 = routes.iter().flatten().map(|route| route.cost().units()).sum();
    let count: usize = routes.iter().flatten().map(|route| route.cells().len()).sum();
    // The path from a cell to itself is that cell.
    let there = queries.iter().filter(|query| query.start == query.goal).count();

    let begin = Instant::now();
    let table = planner.cost_table(&cells[..PLACES], &cells[PLACES..2 * PLACES], threads)?;
    let taken = begin.elapsed();
    let total: u64 = (0..PLACES).flat_map(|row| table.row(row)).flatten().map(Cost::units).sum();
    println!("{} {} {cost} {} {total}", batch.as_secs_f64(), taken.as_secs_f64(), count + there);
    Ok(())
}

/// Free cells by a generator that Python has, too.
fn random_cells(grid: &Grid) -> Vec<Cell> {
    let free: Vec<Cell> = grid.area().cells().filter(|&cell| grid.is_free(cell)).collect();
    let mut state: u64 = 12_345;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        free[(state >> 33) as usize % free.len()]
    };
    (0..2 * QUERIES).map(|_| next()).collect()
}
