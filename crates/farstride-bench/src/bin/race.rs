//! Races farstride against other crates on a `MovingAI` scenario.

use clap::Parser;
use farstride::{Cell, Grid};
use farstride_bench::race::spread;
use farstride_bench::report::{Report, today};
use farstride_bench::{Course, Question, Rival, race, rivals};
use farstride_io::movingai::{ScenarioQuery, load_map, load_scenario};
use farstride_testkit::PlainMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Race farstride against other crates on a `MovingAI` scenario.
///
/// Every answer is judged first. Then the rivals are timed in turn, query by
/// query, and compared in one table.
#[derive(Parser)]
#[command(name = "race", after_help = EXAMPLES)]
struct Options {
    /// Map to race on
    #[arg(long, value_name = "FILE")]
    map: PathBuf,

    /// Scenario with queries for the map
    #[arg(long, value_name = "FILE")]
    scen: PathBuf,

    /// Queries to ask, evenly spread over the scenario
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = at_least_one)]
    sample: usize,

    /// Times to ask each query; the least time counts
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = at_least_one)]
    repeat: usize,

    /// Let all others run between two times of the same rival, so that it
    /// finds the caches cold
    #[arg(long)]
    cold: bool,

    /// Rivals to race (all of them if left out); farstride-astar always takes
    /// part, as the baseline
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    rival: Vec<String>,

    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,

    /// Also write a dated report in Markdown; a folder gets a file named after
    /// the day and the map
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  race --map dao/arena.map --scen dao/arena.map.scen
  race --map dao/arena.map --scen dao/arena.map.scen --rival pathfinding-astar,petgraph-astar
  race --map dao/arena.map --scen dao/arena.map.scen --sample 50 --repeat 1 --json
  race --map dao/arena.map --scen dao/arena.map.scen --out bench/runs

Exit codes: 0 done, 1 our shortest paths and the scenario disagree, 2 bad options or files.";

/// What went wrong, and the exit code that says so.
struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    fn usage(message: impl Into<String>) -> Self {
        Self { code: 2, message: message.into() }
    }
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { code, message }) => {
            eprintln!("race: {message}");
            ExitCode::from(code)
        }
    }
}

fn run(options: &Options) -> Result<(), Failure> {
    let rivals = choose(&options.rival)?;
    let grid = load_map(&options.map).map_err(|error| Failure::usage(error.to_string()))?;
    let scenario = load_scenario(&options.scen, &grid).map_err(|error| Failure::usage(error.to_string()))?;
    let questions: Vec<_> = spread(&scenario, options.sample).iter().map(question).collect();
    if questions.is_empty() {
        let path = options.scen.display();
        return Err(Failure::usage(format!("{path}: the scenario has no queries")));
    }
    let course = Course::new(plain(&grid), questions)
        .map_err(|error| Failure { code: 1, message: error.to_string() })?;
    let standings = race(&course, &rivals, options.repeat, options.cold, |stage| {
        eprintln!("{stage} ...");
    });
    let report = Report {
        date: today(),
        map: file_name(&options.map),
        width: grid.width(),
        height: grid.height(),
        scenario: file_name(&options.scen),
        listed: scenario.len(),
        sample: course.len(),
        repeat: options.repeat,
        cold: options.cold,
        standings: standings.map_err(Failure::usage)?,
    };
    print(&report, options.json)?;
    match &options.out {
        Some(path) => write(&report, path),
        None => Ok(()),
    }
}

/// The rivals with these names after the baseline, or all if none are named.
fn choose(names: &[String]) -> Result<Vec<Box<dyn Rival>>, Failure> {
    let mut rivals = rivals::all();
    if let Some(unknown) = names.iter().find(|&name| rivals.iter().all(|rival| rival.name() != name)) {
        let known: Vec<_> = rivals.iter().map(|rival| rival.name()).collect();
        let known = known.join(", ");
        return Err(Failure::usage(format!("no rival is called '{unknown}'; there are {known}")));
    }
    if !names.is_empty() {
        let baseline = rivals::baseline();
        rivals
            .retain(|rival| rival.name() == baseline.name() || names.iter().any(|name| name == rival.name()));
    }
    Ok(rivals)
}

fn question(query: &ScenarioQuery) -> Question {
    Question {
        start: (query.start.x, query.start.y),
        goal: (query.goal.x, query.goal.y),
        listed: query.length,
    }
}

/// The map in the judge's own form.
fn plain(grid: &Grid) -> PlainMap {
    let mut map = PlainMap::new(grid.width(), grid.height(), false);
    for index in 0..map.free.len() {
        let (x, y) = map.point(index);
        map.free[index] = grid.is_free(Cell::new(x as u16, y as u16));
    }
    map
}

fn print(report: &Report, json: bool) -> Result<(), Failure> {
    let text = if json {
        let text = serde_json::to_string_pretty(report);
        text.map_err(|error| Failure::usage(error.to_string()))? + "\n"
    } else {
        report.markdown()
    };
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::usage(format!("cannot write to standard output: {error}")))
        }
        // Whoever closed the pipe has seen enough.
        _ => Ok(()),
    }
}

fn write(report: &Report, path: &Path) -> Result<(), Failure> {
    let path = if path.is_dir() { path.join(report.file_name()) } else { path.to_owned() };
    let written = fs::write(&path, report.markdown());
    written.map_err(|error| Failure::usage(format!("cannot write {}: {error}", path.display())))
}

fn file_name(path: &Path) -> String {
    path.file_name().map(OsStr::to_string_lossy).unwrap_or_default().into_owned()
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("not a whole number".to_owned()),
    }
}
