//! The engine `overlay` against A* on generated terrain, before and after edits.

use clap::Parser;
use farstride::overlay::{Overlay, OverlaySettings};
use farstride::{Cell, Detail, Engine, Grid, Index, Planner, Query, Rect, Scratch};
use farstride_bench::workload;
use farstride_testkit::{PlainMap, SplitMix64, TerrainKind, generate_terrain};
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

/// Measure the engine `overlay` on generated terrain.
///
/// Queries are drawn from the largest region. Each time is the least of some passes over all
/// queries on one thread. Costs are held against those of A*; a difference ends the run.
#[derive(Parser)]
#[command(
    name = "terrain",
    after_help = "Examples:\n  terrain --side 512 --seed 7\n  \
                  terrain --side 1024 --seed 7 --kind noise,fields --edits 300 --no-astar"
)]
struct Options {
    /// Width and height of the maps
    #[arg(long, value_name = "N", default_value_t = 512)]
    side: usize,

    /// Kinds of terrain [default: all]
    #[arg(long, value_name = "KIND,...", value_delimiter = ',')]
    kind: Vec<String>,

    /// Number that decides maps, queries and edits
    #[arg(long, value_name = "N", default_value_t = workload::SEED)]
    seed: u64,

    /// Number of queries
    #[arg(long, value_name = "N", default_value_t = 300)]
    queries: usize,

    /// Passes over all queries
    #[arg(long, value_name = "N", default_value_t = 3)]
    passes: usize,

    /// Number of edits of single cells; queries are timed before, after, and after a refresh
    #[arg(long, value_name = "N", default_value_t = 0)]
    edits: usize,

    /// Leave out A*, and the comparison with it
    #[arg(long)]
    no_astar: bool,

    /// Distance between lines
    #[arg(long, value_name = "N", default_value_t = OverlaySettings::DEFAULT.side)]
    cluster: u16,

    /// Number of landmarks
    #[arg(long, value_name = "N", default_value_t = OverlaySettings::DEFAULT.landmarks)]
    landmarks: u8,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    println!(
        "| kind | A* µs | cost µs | p99 | times A* | path µs | p99 | times A* | build s | bytes per cell |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    );
    let mut after = Vec::new();
    for kind in TerrainKind::ALL {
        if options.kind.is_empty() || options.kind.iter().any(|name| name == kind.name()) {
            let map = generate_terrain(kind, options.side, options.side, options.seed)?;
            after.extend(measure(kind.name(), &map, &options)?);
        }
    }
    if !after.is_empty() {
        println!(
            "\n| kind | edit ms, mean | p99 | most | cost µs, before → after → refreshed | path µs | \
             resting | refresh ms |\n|---|---:|---:|---:|---:|---:|---:|---:|"
        );
        for row in &after {
            println!("{row}");
        }
    }
    Ok(())
}

/// Prints a row of the first table; returns one of the second if there are edits.
fn measure(name: &str, map: &PlainMap, options: &Options) -> Result<Option<String>, Box<dyn Error>> {
    let ends = workload::queries_in_largest_region(map, options.queries, options.seed);
    let queries: Vec<Query> = ends.into_iter().map(|(start, goal)| Query::new(start, goal)).collect();
    let grid = workload::grid(map);
    let settings = OverlaySettings::default().with_side(options.cluster).with_landmarks(options.landmarks);
    let begun = Instant::now();
    let overlay = Overlay::build(&grid, settings)?;
    let build = begun.elapsed().as_secs_f64();
    let bytes = overlay.memory_bytes() as f64 / (options.side * options.side) as f64;
    let mut planner = Planner::with_index(grid, overlay)?;
    let cost = times(&planner, &queries, Detail::Cost, options.passes)?;
    let path = times(&planner, &queries, Detail::default(), options.passes)?;
    let mut astar = f64::NAN;
    if !options.no_astar {
        astar = mean(&check(&planner, &queries, options.passes.min(2))?);
    }
    let times_astar = |times: &[f64]| astar / mean(times);
    println!(
        "| {name} | {astar:.0} | {:.0} | {:.1} | {:.1} | {:.0} | {:.1} | {:.1} | {build:.2} | {bytes:.1} |",
        mean(&cost),
        p99(&cost) / mean(&cost),
        times_astar(&cost),
        mean(&path),
        p99(&path) / mean(&path),
        times_astar(&path),
    );
    if options.edits == 0 {
        return Ok(None);
    }
    let edits = time_edits(&mut planner, options)?;
    let resting = overlay_of(&planner).map_or(0, Overlay::resting_landmarks);
    let ask = |planner: &Planner, detail| times(planner, &queries, detail, options.passes);
    let (cost_after, path_after) = (ask(&planner, Detail::Cost)?, ask(&planner, Detail::default())?);
    if !options.no_astar {
        check(&planner, &queries, 1)?;
    }
    // The map is another one after edits: only a refreshed index tells what staleness costs.
    let begun = Instant::now();
    planner.refresh();
    let refresh = begun.elapsed().as_secs_f64() * 1e3;
    let (cost_fresh, path_fresh) = (ask(&planner, Detail::Cost)?, ask(&planner, Detail::default())?);
    let most = edits.iter().copied().fold(0.0, f64::max);
    Ok(Some(format!(
        "| {name} | {:.2} | {:.2} | {most:.2} | {:.0} → {:.0} → {:.0} | {:.0} → {:.0} → {:.0} | {resting} | {refresh:.0} |",
        mean(&edits),
        p99(&edits),
        mean(&cost),
        mean(&cost_after),
        mean(&cost_fresh),
        mean(&path),
        mean(&path_after),
        mean(&path_fresh),
    )))
}

fn overlay_of(planner: &Planner) -> Option<&Overlay> {
    planner.index().and_then(Index::overlay)
}

/// Holds every cost against A*, whose times it returns.
fn check(planner: &Planner, queries: &[Query], passes: usize) -> Result<Vec<f64>, Box<dyn Error>> {
    let astar = Planner::with_engine(planner.grid().clone(), Engine::Astar)?;
    let mut scratch = Scratch::new();
    for &query in queries {
        let mut cost = |planner: &Planner, detail| -> Result<_, Box<dyn Error>> {
            let outcome = planner.find(query.with_detail(detail), &mut scratch)?;
            Ok(outcome.route().map(farstride::Route::cost))
        };
        let best = cost(&astar, Detail::Cost)?;
        for detail in [Detail::Cost, Detail::default()] {
            if cost(planner, detail)? != best {
                return Err(format!("{} and {}: not the shortest", query.start, query.goal).into());
            }
        }
    }
    times(&astar, queries, Detail::Cost, passes)
}

/// The time of each query in µs: the least of all passes.
fn times(
    planner: &Planner,
    queries: &[Query],
    detail: Detail,
    passes: usize,
) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut scratch = Scratch::new();
    let mut least = vec![f64::INFINITY; queries.len()];
    for _ in 0..passes {
        for (least, query) in least.iter_mut().zip(queries) {
            let begun = Instant::now();
            let _ = black_box(planner.find(query.with_detail(detail), &mut scratch)?);
            *least = least.min(begun.elapsed().as_secs_f64() * 1e6);
        }
    }
    Ok(least)
}

/// Edits single cells: half of them anywhere, half on ground of weight 1 or 2. A quarter is
/// blocked, the others are freed and given a weight from 1 to 10. Returns the times in ms.
fn time_edits(planner: &mut Planner, options: &Options) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut random = SplitMix64::new(!options.seed);
    (0..options.edits)
        .map(|number| {
            let cell = loop {
                let cell = Cell::new(random.below(options.side) as u16, random.below(options.side) as u16);
                let grid = planner.grid();
                if number % 2 == 0 || grid.is_free(cell) && grid.weight(cell) <= 2 {
                    break Rect::from(cell);
                }
            };
            let weight = random.between(1, 10) as u8;
            let begun = Instant::now();
            planner.edit(|grid: &mut Grid| -> Result<(), farstride::error::EditError> {
                if random.below(4) == 0 {
                    grid.block(cell).map(drop)
                } else {
                    grid.free(cell).and_then(|_| grid.set_weight(cell, weight)).map(drop)
                }
            })?;
            Ok(begun.elapsed().as_secs_f64() * 1e3)
        })
        .collect()
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}

fn p99(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() * 99 / 100).copied().unwrap_or(f64::NAN)
}
