//! Runs one core loop on a fixed workload, to have its instructions counted.
//!
//! Instruction counts hardly change from run to run, however noisy the
//! machine is. `bench/instructions` runs this under callgrind, which counts
//! only while [`farstride_measured`] is on the stack; maps, queries and the
//! first, growing calls stay outside. The last line printed is the unit of the
//! loop and how many of it the measured part did.

use clap::{Parser, ValueEnum};
use farstride::search::Counters;
use farstride::{Cell, Engine, Grid, Planner, Query, Scratch};
use farstride_bench::workload::{Workload, grid, two_fields};
use farstride_testkit::Kind;
use std::hint::black_box;

/// Run one core loop on a fixed workload, to have its instructions counted.
///
/// Meant to be run by the script bench/instructions.
#[derive(Parser)]
#[command(name = "instructions", after_help = "Example:\n  instructions lazy-theta")]
struct Options {
    /// Loop to run
    #[arg(value_name = "LOOP")]
    core: Core,
}

#[derive(Clone, Copy, ValueEnum)]
enum Core {
    /// Queries with A*
    Astar,
    /// Queries with Theta*
    Theta,
    /// Queries with Lazy Theta*
    LazyTheta,
    /// Line of sight between random cells
    Sight,
    /// Blocking and freeing single cells in open ground
    Edits,
    /// Cutting and reopening the only way between two fields
    Cuts,
}

/// Side of the maps in cells.
const SIDE: usize = 256;
/// Queries of a search loop.
const QUERIES: usize = 16;
/// Calls of the other loops.
const CALLS: usize = 2000;
/// Calls of the loop that walks half of the map each time.
const CUTS: usize = 50;

/// The only part whose instructions count: callgrind knows it by this name.
#[inline(never)]
fn farstride_measured(work: &mut dyn FnMut()) {
    work();
}

fn main() {
    match Options::parse().core {
        Core::Astar => search(Engine::Astar),
        Core::Theta => search(Engine::Theta),
        Core::LazyTheta => search(Engine::LazyTheta),
        Core::Sight => sight(),
        Core::Edits => edits(),
        Core::Cuts => cuts(),
    }
}

fn caves(queries: usize) -> (Grid, Vec<(Cell, Cell)>) {
    let kind = Kind::Caves { blocked_percent: 45, rounds: 5 };
    let workload = Workload::new(kind, SIDE, queries);
    let cells = workload.queries.iter().map(|&(start, goal)| (start.into(), goal.into()));
    (grid(&workload.map), cells.collect())
}

fn search(engine: Engine) {
    let (grid, queries) = caves(QUERIES);
    let planner = Planner::with_engine(grid, engine).expect("the map has no weights");
    let mut scratch = Scratch::new();
    let mut counters = Counters::default();
    let queries: Vec<_> = queries.iter().map(|&(start, goal)| Query::new(start, goal)).collect();
    for &query in &queries {
        let mut counted = Counters::default();
        let outcome = planner.find_observed(query, &mut counted, &mut scratch);
        assert!(outcome.is_ok_and(|outcome| outcome.route().is_some()), "{query:?} has no path");
        counters.absorb(&counted);
    }
    farstride_measured(&mut || {
        for &query in &queries {
            let _ = black_box(planner.find(black_box(query), &mut scratch));
        }
    });
    println!("expanded-node {}", counters.expanded);
}

fn sight() {
    let (grid, pairs) = caves(CALLS);
    farstride_measured(&mut || {
        for &(a, b) in &pairs {
            black_box(grid.line_of_sight(black_box(a), black_box(b)));
        }
    });
    println!("call {}", pairs.len());
}

fn edits() {
    let kind = Kind::Open { blocked_percent: 10 };
    let workload = Workload::new(kind, SIDE, CALLS / 4);
    let cells = workload.queries.iter().flat_map(|&(start, goal)| [start.into(), goal.into()]);
    toggle(grid(&workload.map), &cells.collect::<Vec<Cell>>());
}

fn cuts() {
    let (map, cell) = two_fields(SIDE);
    toggle(grid(&map), &[cell; CUTS / 2]);
}

/// Blocks and frees each of the cells.
fn toggle(mut grid: Grid, cells: &[Cell]) {
    let mut round = || {
        for &cell in cells {
            let blocked = grid.block(black_box(cell));
            let freed = grid.free(black_box(cell));
            assert!(black_box(blocked.is_ok() && freed.is_ok()), "{cell} is not on the map");
        }
    };
    farstride_measured(&mut round);
    println!("edit {}", 2 * cells.len());
}
