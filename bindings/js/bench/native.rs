//! The native side of `race.js`, which starts it and asks it line by line.
//!
//! `native MAP SCENARIO COUNT` prints that many queries of the scenario, evenly spread.
//! Then it reads commands: `build ENGINE` prints the milliseconds that took, and
//! `run REPEATS` the mean microseconds of each query, each found that many times in a
//! row after it was found once. All answers are JSON, one line each.

use farstride::{Engine, Planner, Query, Scratch};
use farstride_io::movingai;
use serde_json::json;
use std::error::Error;
use std::hint::black_box;
use std::io::{self, BufRead as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [map, scenario, count] = &arguments[..] else { return Err("native MAP SCENARIO COUNT".into()) };
    let grid = Arc::new(movingai::load_map(&PathBuf::from(map))?);
    let all = movingai::load_scenario(&PathBuf::from(scenario), &grid)?;
    let count = count.parse::<usize>()?.min(all.len());
    let queries: Vec<Query> = (0..count)
        .map(|at| all[at * all.len() / count])
        .map(|query| Query::new(query.start, query.goal))
        .collect();
    let cells = |query: &Query| [query.start.x, query.start.y, query.goal.x, query.goal.y];
    println!("{}", json!(queries.iter().flat_map(cells).collect::<Vec<u16>>()));

    let mut planner = Planner::with_engine(Arc::clone(&grid), Engine::Astar)?;
    let mut scratch = Scratch::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let begun = Instant::now();
        match line.split_once(' ') {
            Some(("build", engine)) => {
                planner = Planner::with_engine(Arc::clone(&grid), engine.parse()?)?;
                scratch = Scratch::new();
                println!("{}", begun.elapsed().as_secs_f64() * 1e3);
            }
            Some(("run", repeats)) => {
                println!("{}", json!(run(&planner, &queries, repeats.parse()?, &mut scratch)?));
            }
            _ => return Err(format!("unknown command: {line}").into()),
        }
    }
    Ok(())
}

/// Mean microseconds of each query.
fn run(
    planner: &Planner,
    queries: &[Query],
    repeats: u32,
    scratch: &mut Scratch,
) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut times = Vec::with_capacity(queries.len());
    for &query in queries {
        planner.find(query, scratch)?;
        let begun = Instant::now();
        for _ in 0..repeats {
            black_box(planner.find(black_box(query), scratch)?);
        }
        times.push(begun.elapsed().as_secs_f64() * 1e6 / f64::from(repeats));
    }
    Ok(times)
}
