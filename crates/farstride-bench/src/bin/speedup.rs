//! An engine against A* on the queries of a set, in one run.

use clap::Parser;
use farstride::{Engine, Planned, Planner, Query, Route, Scratch};
use farstride_io::movingai::{ScenarioQuery, load_map, load_scenario};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Compare an engine with A* on the queries of a folder of `MovingAI` maps.
///
/// Each time is the least of some runs on one thread: a whole path, and the
/// first move of a plan.
#[derive(Parser)]
#[command(
    name = "speedup",
    after_help = "Examples:\n  speedup --set movingai/dao --min-length 400 --every 50\n  \
                  speedup --set movingai/sc1 --engine nsg+ --min-length 0"
)]
struct Options {
    /// Folder with NAME.map and NAME.map.scen
    #[arg(long, value_name = "DIR")]
    set: PathBuf,

    /// The engine to compare
    #[arg(long, value_name = "NAME", default_value_t = Engine::Hpa)]
    engine: Engine,

    /// Only queries whose shortest path is at least this long
    #[arg(long, value_name = "L", default_value_t = 400.0)]
    min_length: f64,

    /// Take one query of this many
    #[arg(long, value_name = "N", default_value_t = 50)]
    every: usize,

    /// Take turns from run to run, so that each finds the caches cold
    #[arg(long)]
    cold: bool,

    /// Runs per query
    #[arg(long, value_name = "K", default_value_t = 3)]
    repeat: usize,
}

#[derive(Default)]
struct Sums {
    queries: usize,
    astar: f64,
    path: f64,
    first: f64,
    excess: Vec<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let mut maps: Vec<PathBuf> = std::fs::read_dir(&options.set)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "map"))
        .collect();
    maps.sort();
    let mut sums = Sums::default();
    for map in &maps {
        measure(map, &options, &mut sums)?;
    }
    let Sums { queries, astar, path, first, mut excess } = sums;
    excess.sort_by(f64::total_cmp);
    let count = queries as f64;
    let p99 = excess.get(excess.len() * 99 / 100).copied().unwrap_or(0.0);
    println!(
        "{queries} queries: A* {:.1} µs; {} path {:.2} µs ({:.1} times faster), first move {:.2} µs ({:.1} times); \
         longer by {:.3} % in the mean, {p99:.2} % at the 99th percentile, {:.2} % at most",
        astar / count,
        options.engine,
        path / count,
        astar / path,
        first / count,
        astar / first,
        excess.iter().sum::<f64>() / count,
        excess.last().copied().unwrap_or(0.0),
    );
    Ok(())
}

fn measure(map: &Path, options: &Options, sums: &mut Sums) -> Result<(), Box<dyn Error>> {
    let grid = Arc::new(load_map(map)?);
    let queries = load_scenario(&map.with_extension("map.scen"), &grid)?;
    let long = |query: &&ScenarioQuery| query.length >= options.min_length && query.start != query.goal;
    let queries: Vec<_> = queries.iter().filter(long).step_by(options.every.max(1)).collect();
    if queries.is_empty() {
        return Ok(());
    }
    let [astar, engine] =
        [Engine::Astar, options.engine].map(|engine| Planner::with_engine(Arc::clone(&grid), engine));
    let (astar, engine) = (astar?, engine?);
    let mut scratch = Scratch::new();
    for query in queries {
        let ask = Query::new(query.start, query.goal);
        let mut least = [f64::INFINITY; 3];
        for turn in 0..3 * options.repeat {
            // In turns, each finds the caches as the others left them; in a row,
            // as the contract times, as it left them itself.
            let which = if options.cold { turn % 3 } else { turn / options.repeat };
            let begun = Instant::now();
            match which {
                0 => drop(std::hint::black_box(astar.find(ask, &mut scratch)?)),
                1 => drop(std::hint::black_box(engine.find(ask, &mut scratch)?)),
                _ => {
                    if let Planned::Plan(mut plan) =
                        engine.plan(Query::new(ask.start, ask.goal), &mut scratch)?
                    {
                        std::hint::black_box(plan.step(&engine, &mut scratch)?);
                    }
                }
            }
            least[which] = least[which].min(begun.elapsed().as_secs_f64() * 1e6);
        }
        let [plain, path, first] = least;
        sums.queries += 1;
        sums.astar += plain;
        sums.path += path;
        sums.first += first;
        let best = astar.find(ask, &mut scratch)?.route().map_or(0.0, Route::length);
        let found = engine.find(ask, &mut scratch)?.route().map_or(f64::NAN, Route::length);
        if best > 0.0 {
            sums.excess.push(100.0 * (found - best) / best);
        }
    }
    Ok(())
}
