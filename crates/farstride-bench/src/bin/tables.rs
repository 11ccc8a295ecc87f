//! What tables of costs and nearest goals take, for several engines.

use clap::Parser;
use farstride::{Cell, Cost, CostTable, Detail, Engine, Grid, Planner, Query, Scratch};
use farstride_bench::workload::SEED;
use farstride_io::movingai::load_map;
use farstride_testkit::{DiagonalCost, Diagonals, PlainMap, SplitMix64, oracle};
use std::error::Error;
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

/// Measure tables of costs and nearest goals on `MovingAI` maps.
///
/// Cells are drawn from the largest region. Each time is the least of some runs,
/// from lists of cells to a table; loading and building are outside. Before that,
/// samples of every table are held against single queries, and those of optimal
/// engines against an oracle.
#[derive(Parser)]
#[command(
    name = "tables",
    after_help = "Examples:\n  tables dao/orz700d.map sc1/AcrosstheCape.map\n  \
                  tables dao/arena.map --engine labels --repeat 100"
)]
struct Options {
    /// Maps
    #[arg(value_name = "FILE", required = true)]
    maps: Vec<PathBuf>,

    /// Engines to measure
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_value = "labels,nsg+,hpa")]
    engine: Vec<Engine>,

    /// Runs of each measurement, at most; what takes longer than a second is
    /// run once
    #[arg(long, value_name = "K", default_value_t = 30)]
    repeat: usize,

    /// Number that decides which cells are drawn
    #[arg(long, value_name = "N", default_value_t = SEED)]
    seed: u64,
}

/// Starts and goals of the tables.
const SIZES: [(usize, usize); 3] = [(1, 1000), (100, 100), (1000, 1000)];
/// Goals of which the nearest is looked for.
const NEAREST_OF: usize = 50;
/// Rows of a table that are held against the oracle.
const ORACLE_ROWS: usize = 4;
/// Pairs of a table that are held against single queries.
const SAMPLE: usize = 2000;
/// Seconds from which on nothing is run again.
const LONG: f64 = 1.0;

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    println!(
        "| map | engine | prepared, ms | what | one core, ms | ns each | all cores, ms | ns each |\n\
         |---|---|---:|---|---:|---:|---:|---:|"
    );
    for map in &options.maps {
        measure(map, &options)?;
    }
    Ok(())
}

fn measure(path: &Path, options: &Options) -> Result<(), Box<dyn Error>> {
    let grid = Arc::new(load_map(path)?);
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let map = plain(&grid);
    let (starts, goals) = draw(&map, options.seed)?;
    for &engine in &options.engine {
        let begun = Instant::now();
        let planner = Planner::with_engine(Arc::clone(&grid), engine)?;
        let built = begun.elapsed().as_secs_f64() * 1e3;
        let row = |what: &str, count: usize, times: [f64; 2]| {
            let [one, all] =
                times.map(|time| format!("{:.3} | {:.1}", time * 1e3, time * 1e9 / count as f64));
            println!("| {name} | {engine} | {built:.0} | {what} | {one} | {all} |");
        };
        let mut least = f64::INFINITY;
        for (rows, columns) in SIZES {
            let (starts, goals) = (&starts[..rows], &goals[..columns]);
            let mut checked = None;
            let times = [1, cores()].map(|threads| {
                let table = || planner.cost_table(starts, goals, threads);
                checked.get_or_insert_with(|| check(&planner, &map, starts, goals, table().as_ref()));
                time(options.repeat, || drop(black_box(table())))
            });
            checked.unwrap_or(Ok(()))?;
            row(&format!("{rows} x {columns}"), rows * columns, times);
        }
        check_nearest(&planner, &starts, &goals[..NEAREST_OF])?;
        let mut scratch = Scratch::new();
        for starts in starts.chunks(100) {
            least = least.min(time(options.repeat, || {
                for &start in starts {
                    let found =
                        planner.nearest(Query::starting_at(start), &goals[..NEAREST_OF], &mut scratch);
                    drop(black_box(found));
                }
            }));
        }
        row(&format!("nearest of {NEAREST_OF}, 100 times"), 100, [least; 2]);
    }
    Ok(())
}

/// The least time of some runs, in seconds.
fn time(repeat: usize, mut run: impl FnMut()) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..repeat.max(1) {
        let begun = Instant::now();
        run();
        least = least.min(begun.elapsed().as_secs_f64());
        if least > LONG {
            break;
        }
    }
    least
}

/// Starts and goals in the largest region.
fn draw(map: &PlainMap, seed: u64) -> Result<(Vec<Cell>, Vec<Cell>), Box<dyn Error>> {
    let (count, regions) = oracle::regions(map, Diagonals::Strict);
    let mut sizes = vec![0_usize; count as usize];
    regions.iter().flatten().for_each(|&region| sizes[region as usize] += 1);
    let largest = (0..count).max_by_key(|&region| sizes[region as usize]).ok_or("no cell is free")?;
    let mut points = map.free_points();
    points.retain(|&point| regions[map.index(point)] == Some(largest));
    let mut random = SplitMix64::new(seed);
    let mut cells = || -> Vec<Cell> {
        let most = SIZES.into_iter().map(|(rows, columns)| rows.max(columns)).max().unwrap_or(0);
        (0..most)
            .map(|_| points[random.below(points.len())])
            .map(|(x, y)| Cell::new(x as u16, y as u16))
            .collect()
    };
    Ok((cells(), cells()))
}

/// Holds a table against single queries, and against the oracle.
fn check(
    planner: &Planner,
    map: &PlainMap,
    starts: &[Cell],
    goals: &[Cell],
    table: Result<&CostTable, &farstride::error::QueryError>,
) -> Result<(), String> {
    let table = table.map_err(ToString::to_string)?;
    let engine = planner.engine();
    let mut scratch = Scratch::new();
    let pairs = starts.len() * goals.len();
    for at in (0..pairs).step_by((pairs / SAMPLE).max(1)) {
        let (row, column) = (at / goals.len(), at % goals.len());
        let (start, goal) = (starts[row], goals[column]);
        let expected = single(planner, start, goal, &mut scratch)?;
        if table.cost(row, column) != expected {
            return Err(format!("{engine}: the table and a query differ from {start} to {goal}"));
        }
    }
    if !engine.is_optimal() {
        return Ok(());
    }
    for row in (0..starts.len()).step_by((starts.len() / ORACLE_ROWS).max(1)) {
        let best = oracle::distances(map, Diagonals::Strict, DiagonalCost::Sqrt2, point(starts[row]));
        for (column, &goal) in goals.iter().enumerate() {
            if table.cost(row, column).map(Cost::units) != best[map.index(point(goal))] {
                return Err(format!("{engine}: not the shortest from {} to {goal}", starts[row]));
            }
        }
    }
    Ok(())
}

/// Holds nearest goals against rows of a table.
fn check_nearest(planner: &Planner, starts: &[Cell], goals: &[Cell]) -> Result<(), Box<dyn Error>> {
    let mut scratch = Scratch::new();
    let starts = &starts[..100];
    let table = planner.cost_table(starts, goals, cores())?;
    for (row, &start) in starts.iter().enumerate() {
        let found = planner.nearest(Query::starting_at(start), goals, &mut scratch)?.map(|(at, _)| at);
        if found != table.nearest(row).map(|(at, _)| at) {
            return Err(format!("{}: another goal is nearer to {start}", planner.engine()).into());
        }
    }
    Ok(())
}

/// The cost as a single query tells it.
fn single(planner: &Planner, start: Cell, goal: Cell, scratch: &mut Scratch) -> Result<Option<Cost>, String> {
    if start == goal {
        return Ok(Some(Cost::ZERO));
    }
    let query = Query::new(start, goal).with_detail(Detail::Cost);
    let outcome = planner.find(query, scratch).map_err(|error| error.to_string())?;
    Ok(outcome.route().map(farstride::Route::cost))
}

/// The map in the judge's own form.
fn plain(grid: &Grid) -> PlainMap {
    let mut map = PlainMap::new(grid.width(), grid.height(), false);
    for cell in grid.area().cells().filter(|&cell| grid.is_free(cell)) {
        map.set_free(point(cell), true);
    }
    map
}

fn point(cell: Cell) -> (usize, usize) {
    (cell.x.into(), cell.y.into())
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
