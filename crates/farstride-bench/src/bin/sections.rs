//! How soon the first section of a path through groups is known, and how good
//! the paths of each rule and mode are.

use clap::Parser;
use farstride::groups::{Connection, GridGroupSettings, GridGroups, GroupTactics, Mode};
use farstride::{Engine, Grid, Outcome, Planned, Planner, Query, Scratch};
use farstride_io::movingai::{self, ScenarioQuery};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Race `groups` against `astar` on the problems of `MovingAI` maps.
///
/// One thread; each time is the least of all passes. Every cost is compared
/// with that of A*.
#[derive(Parser)]
#[command(name = "sections", after_help = "Example:\n  sections --data maps --sets dao,mazes --every 20")]
struct Options {
    /// Folder with the maps, laid out as `SET/NAME.map` and `SET/NAME.map.scen`
    #[arg(long, value_name = "DIR")]
    data: PathBuf,

    /// Sets of maps; left out: all
    #[arg(long, value_name = "SET,...", value_delimiter = ',')]
    sets: Vec<String>,

    /// Maps of each set, at most, spread over it
    #[arg(long, value_name = "N", default_value_t = 6)]
    maps: usize,

    /// Take every Nth problem
    #[arg(long, value_name = "N", default_value_t = 20)]
    every: usize,

    /// Passes
    #[arg(long, value_name = "K", default_value_t = 3)]
    passes: usize,
}

const RULES: [(&str, Connection); 3] =
    [("minimum", Connection::Minimum), ("maximin", Connection::Maximin), ("average", Connection::Average)];

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    println!(
        "| set | problems | rule | astar, us | first section, us | times | sections, us | longer, % | p95 | \
         largest | exclusion, us | longer, % | p95 | largest |\n\
         |---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    );
    for set in sets(&options)? {
        let mut tallies = [(); RULES.len()].map(|()| Tally::default());
        let maps = maps(&set, options.maps)?;
        if maps.is_empty() {
            continue;
        }
        for map in maps {
            measure(&map, &options, &mut tallies)?;
        }
        let name = set.file_name().unwrap_or_default().to_string_lossy();
        for ((rule, _), tally) in RULES.iter().zip(&mut tallies) {
            tally.print(&name, rule);
        }
    }
    Ok(())
}

fn sets(options: &Options) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    if !options.sets.is_empty() {
        return Ok(options.sets.iter().map(|set| options.data.join(set)).collect());
    }
    sorted(&options.data, Path::is_dir)
}

fn maps(set: &Path, most: usize) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let is_map = |file: &Path| file.extension().is_some_and(|ending| ending == "map");
    let maps = sorted(set, |file| is_map(file) && scenario_of(file).exists())?;
    let step = maps.len().div_ceil(most.max(1)).max(1);
    Ok(maps.into_iter().step_by(step).collect())
}

fn scenario_of(map: &Path) -> PathBuf {
    let mut name = map.as_os_str().to_owned();
    name.push(".scen");
    name.into()
}

fn sorted(folder: &Path, wanted: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.retain(|path| wanted(path));
    paths.sort();
    Ok(paths)
}

/// Times in microseconds, and costs in those of A*.
#[derive(Default)]
struct Tally {
    astar: f64,
    first: f64,
    modes: [(f64, Vec<f64>); 2],
}

impl Tally {
    fn print(&mut self, set: &str, rule: &str) {
        let count = self.modes[0].1.len().max(1) as f64;
        let (astar, first) = (self.astar / count, self.first / count);
        let modes = self.modes.each_mut().map(|(time, ratios)| {
            ratios.sort_unstable_by(f64::total_cmp);
            let percent = |ratio: f64| (ratio - 1.0) * 100.0;
            let at = |place: usize| ratios.get(place).map_or(0.0, |&ratio| percent(ratio));
            let mean = percent(ratios.iter().sum::<f64>() / count);
            let [p95, most] = [ratios.len() * 95 / 100, ratios.len().saturating_sub(1)].map(at);
            format!("{:.1} | {mean:.2} | {p95:.1} | {most:.0}", *time / count)
        });
        let [sections, exclusion] = modes;
        println!(
            "| {set} | {count} | {rule} | {astar:.1} | {first:.2} | {:.1} | {sections} | {exclusion} |",
            astar / first
        );
    }
}

fn measure(map: &Path, options: &Options, tallies: &mut [Tally]) -> Result<(), Box<dyn Error>> {
    let grid = Arc::new(movingai::load_map(map)?);
    let problems = movingai::load_scenario(&scenario_of(map), &grid)?;
    let problems: Vec<&ScenarioQuery> = problems.iter().step_by(options.every.max(1)).collect();
    let astar = Planner::with_engine(Arc::clone(&grid), Engine::Astar)?;
    for (&(_, connection), tally) in RULES.iter().zip(tallies) {
        let groups =
            Arc::new(GridGroups::build(&grid, GridGroupSettings::DEFAULT.with_connection(connection))?);
        let planner = |mode| -> Result<Planner, Box<dyn Error>> {
            let planner = Planner::with_index(Arc::<Grid>::clone(&grid), Arc::clone(&groups))?;
            Ok(planner.with_group_tactics(GroupTactics::default().with_mode(mode)))
        };
        let planners = [planner(Mode::Sections)?, planner(Mode::Exclusion)?];
        let mut scratch = Scratch::new();
        for problem in &problems {
            let query = Query::new(problem.start, problem.goal);
            let Some((time, best)) = least(&astar, query, options.passes, &mut scratch)? else { continue };
            tally.astar += time;
            tally.first += first_section(&planners[0], query, options.passes, &mut scratch)?;
            for (planner, (total, ratios)) in planners.iter().zip(&mut tally.modes) {
                let found = least(planner, query, options.passes, &mut scratch)?;
                let (time, cost) = found.ok_or("groups found no path where there is one")?;
                if cost < best {
                    return Err(format!("a path below the optimum on {}", map.display()).into());
                }
                *total += time;
                ratios.push(cost as f64 / best as f64);
            }
        }
    }
    Ok(())
}

/// The least time of a query, and the cost of its path.
fn least(
    planner: &Planner,
    query: Query,
    passes: usize,
    scratch: &mut Scratch,
) -> Result<Option<(f64, u64)>, Box<dyn Error>> {
    let (mut time, mut cost) = (f64::INFINITY, None);
    for _ in 0..passes.max(1) {
        let clock = Instant::now();
        let outcome = planner.find(query, scratch)?;
        time = time.min(clock.elapsed().as_secs_f64() * 1e6);
        cost = match outcome {
            Outcome::Found(route) => Some(route.cost().units()),
            _ => None,
        };
    }
    Ok(cost.map(|cost| (time, cost)))
}

/// The least time until the first step of a plan is known.
fn first_section(
    planner: &Planner,
    query: Query,
    passes: usize,
    scratch: &mut Scratch,
) -> Result<f64, Box<dyn Error>> {
    let mut time = f64::INFINITY;
    for _ in 0..passes.max(1) {
        let clock = Instant::now();
        if let Planned::Plan(mut plan) = planner.plan(Query::new(query.start, query.goal), scratch)? {
            plan.step(planner, scratch)?;
        }
        time = time.min(clock.elapsed().as_secs_f64() * 1e6);
    }
    Ok(time)
}
