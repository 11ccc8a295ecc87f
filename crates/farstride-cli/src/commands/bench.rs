//! `farstride bench`: engines over a scenario.

use crate::options::{EngineOption, MapOptions};
use crate::world::Court;
use crate::{Ending, output};
use farstride::search::Counters;
use farstride::{Cell, Engine, Grid, Outcome, Planner, Query, Route, Rules, Scratch};
use farstride_io::movingai::{ScenarioQuery, load_scenario};
use serde::Serialize;
use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// Measure engines over every query of a scenario.
///
/// A query's time is the least of K runs, from coordinates to the complete
/// path in reused memory, on one thread; loading and building are not in it.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  farstride bench --map orz700d.map --scen orz700d.map.scen --engine astar,theta --limit 500")]
pub(crate) struct Args {
    #[command(flatten)]
    map: MapOptions,

    /// Queries in the MovingAI format.
    #[arg(long, value_name = "FILE")]
    scen: PathBuf,

    /// Engines, separated by commas.
    #[arg(long, default_value = "auto", value_name = "NAMES", value_delimiter = ',', value_parser = EngineOption::parse)]
    engine: Vec<EngineOption>,

    /// Take only the first N queries.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Runs per query; the least time counts.
    #[arg(long, default_value_t = 5, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,

    /// Write every path to this file, a line of JSON per query; one engine only.
    #[arg(long, value_name = "FILE")]
    paths: Option<PathBuf>,

    /// Print one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

/// One engine's figures, as the contract has them.
#[derive(Serialize, Default)]
struct Report {
    engine: &'static str,
    map: String,
    width: usize,
    height: usize,
    free_cells: usize,
    queries: usize,
    solved: usize,
    unreachable: usize,
    failed: usize,
    build_ms: f64,
    index_bytes: u64,
    mean_us: f64,
    p50_us: f64,
    p95_us: f64,
    p99_us: f64,
    max_us: f64,
    first_move_mean_us: f64,
    mean_length: f64,
    reference_mean_length: f64,
    suboptimality_mean_pct: f64,
    suboptimality_max_pct: f64,
    expanded_mean: f64,
    expanded_insert_mean: f64,
    expanded_main_mean: f64,
    expanded_refine_mean: f64,
    peak_nodes_mean: f64,
    peak_rss_bytes: Option<u64>,
}

/// A line of `--paths`.
#[derive(Serialize)]
struct PathLine<'a> {
    query: usize,
    cost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<&'a [[u16; 2]]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<&'a [[u16; 2]]>,
}

pub(crate) fn run(args: &Args) -> Ending {
    if args.paths.is_some() && args.engine.len() > 1 {
        return Err("--paths takes the paths of one engine; name one with --engine".into());
    }
    let grid = Arc::new(args.map.load()?);
    let mut queries = load_scenario(&args.scen, &grid)?;
    queries.truncate(args.limit.unwrap_or(usize::MAX));
    if grid.rules() != Rules::default() {
        refer_to_astar(&grid, &mut queries)?;
    }
    let court = Court::new(&grid);
    let mut reports = Vec::new();
    let mut lines = String::new();
    for option in &args.engine {
        let (engine, why) = option.choose(&grid);
        if let Some(why) = why {
            output::tell(&format!("auto took {engine}: {why}"));
        }
        let lines = args.paths.is_some().then_some(&mut lines);
        let mut run = Run { grid: &grid, court: &court, repeat: args.repeat, lines };
        let mut report = run.measure(engine, &queries)?;
        report.map = args.map.name();
        reports.push(report);
    }
    if let Some(path) = &args.paths {
        output::write_file(path, lines.as_bytes())?;
    }
    if args.json {
        output::print_json(&reports)?;
    } else {
        output::print(&table(&reports)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Everything that stays the same from engine to engine.
struct Run<'a> {
    grid: &'a Arc<Grid>,
    court: &'a Court,
    repeat: u32,
    /// Where paths are written to, if they are wanted.
    lines: Option<&'a mut String>,
}

/// Scenarios list lengths under the default rules; under others, plain A*'s
/// take their place.
fn refer_to_astar(grid: &Arc<Grid>, queries: &mut [ScenarioQuery]) -> Result<(), Box<dyn Error>> {
    let planner = Planner::with_engine(Arc::clone(grid), Engine::Astar)?;
    let mut scratch = Scratch::new();
    for query in queries {
        let outcome = planner.find(Query::new(query.start, query.goal), &mut scratch)?;
        query.length = outcome.route().map_or(0.0, Route::length);
    }
    Ok(())
}

/// What one query showed.
struct Sample {
    micros: f64,
    /// Length of the path, `None` if there is none.
    length: Option<f64>,
    counters: Counters,
    failed: bool,
}

impl Run<'_> {
    fn measure(&mut self, engine: Engine, queries: &[ScenarioQuery]) -> Result<Report, Box<dyn Error>> {
        let begun = Instant::now();
        let planner = Planner::with_engine(Arc::clone(self.grid), engine)?;
        let build_ms = begun.elapsed().as_secs_f64() * 1e3;
        let mut scratch = Scratch::new();
        let bar = output::progress(queries.len(), engine.name());
        let mut samples = Vec::with_capacity(queries.len());
        for (number, query) in queries.iter().enumerate() {
            samples.push(self.sample(&planner, &mut scratch, number, query)?);
            bar.inc(1);
        }
        bar.finish_and_clear();
        let report = Report::new(queries, &samples);
        Ok(Report {
            engine: engine.name(),
            width: self.grid.width(),
            height: self.grid.height(),
            free_cells: self.grid.free_count(),
            build_ms,
            peak_rss_bytes: peak_rss(),
            ..report
        })
    }

    fn sample(
        &mut self,
        planner: &Planner,
        scratch: &mut Scratch,
        number: usize,
        asked: &ScenarioQuery,
    ) -> Result<Sample, Box<dyn Error>> {
        let query = Query::new(asked.start, asked.goal);
        let mut counters = Counters::default();
        planner.find_observed(query, scratch, &mut counters)?;
        let mut micros = f64::INFINITY;
        for _ in 0..self.repeat {
            let begun = Instant::now();
            std::hint::black_box(planner.find(query, scratch)?);
            micros = micros.min(begun.elapsed().as_secs_f64() * 1e6);
        }
        let here = [asked.start];
        let outcome = planner.find(query, scratch)?;
        let found: Option<(f64, &[Cell])> = match &outcome {
            Outcome::Found(route) => Some((route.length(), route.path().cells())),
            Outcome::AlreadyThere => Some((0.0, &here)),
            _ => None,
        };
        let engine = planner.engine();
        let failed = match found {
            Some((length, path)) => !self.is_right(asked, length, path, engine),
            None => asked.is_solvable(),
        };
        self.write_line(number, found, engine.is_any_angle())?;
        Ok(Sample { micros, length: found.map(|(length, _)| length), counters, failed })
    }

    /// Whether a path is legal, as long as it says, expected, and no longer or
    /// shorter than listed if the engine is optimal.
    fn is_right(&self, asked: &ScenarioQuery, length: f64, path: &[Cell], engine: Engine) -> bool {
        let judged = self.court.judge(asked.start, asked.goal, path, engine.is_any_angle());
        asked.is_solvable()
            && judged.is_ok_and(|judged| (judged - length).abs() <= 1e-9 * judged.max(1.0))
            && (!engine.is_optimal() || (length - asked.length).abs() <= listed_tolerance(asked.length))
    }

    fn write_line(
        &mut self,
        query: usize,
        found: Option<(f64, &[Cell])>,
        any_angle: bool,
    ) -> Result<(), Box<dyn Error>> {
        let Some(lines) = &mut self.lines else { return Ok(()) };
        let path: Vec<[u16; 2]> =
            found.iter().flat_map(|(_, path)| path.iter()).map(|cell| [cell.x, cell.y]).collect();
        let cost = found.map(|(length, _)| length);
        let (cells, points) = if any_angle { (None, Some(&path[..])) } else { (Some(&path[..]), None) };
        let line = serde_json::to_string(&PathLine { query, cost, cells, points })?;
        writeln!(lines, "{line}")?;
        Ok(())
    }
}

impl Report {
    /// The figures that follow from the samples alone.
    fn new(queries: &[ScenarioQuery], samples: &[Sample]) -> Self {
        let mut micros: Vec<f64> = samples.iter().map(|sample| sample.micros).collect();
        micros.sort_by(f64::total_cmp);
        let solved = |(query, sample): (&ScenarioQuery, &Sample)| {
            (query.is_solvable() && !sample.failed).then_some((query.length, sample.length?))
        };
        let lengths: Vec<(f64, f64)> = queries.iter().zip(samples).filter_map(solved).collect();
        let excess: Vec<f64> = lengths.iter().map(|&(listed, found)| excess_pct(listed, found)).collect();
        let counted = |count: fn(&Counters) -> u64| mean(samples.iter().map(|s| count(&s.counters) as f64));
        let expanded = counted(|counters| counters.expanded);
        let mean_us = mean(micros.iter().copied());
        Self {
            queries: samples.len(),
            solved: samples.iter().filter(|sample| sample.length.is_some()).count(),
            unreachable: samples.iter().filter(|sample| sample.length.is_none()).count(),
            failed: samples.iter().filter(|sample| sample.failed).count(),
            mean_us,
            p50_us: percentile(&micros, 50),
            p95_us: percentile(&micros, 95),
            p99_us: percentile(&micros, 99),
            max_us: percentile(&micros, 100),
            // Without an index, the first move is known when the search ends.
            first_move_mean_us: mean_us,
            mean_length: mean(lengths.iter().map(|&(_, found)| found)),
            reference_mean_length: mean(lengths.iter().map(|&(listed, _)| listed)),
            suboptimality_mean_pct: mean(excess.iter().copied()),
            suboptimality_max_pct: excess.iter().copied().max_by(f64::total_cmp).unwrap_or(0.0),
            expanded_mean: expanded,
            expanded_main_mean: expanded,
            peak_nodes_mean: counted(|counters| counters.peak_nodes),
            ..Self::default()
        }
    }
}

/// How much longer a path is than listed, in percent; a difference that the
/// digits of the list cannot show is none.
fn excess_pct(listed: f64, found: f64) -> f64 {
    let rounding = listed_tolerance(listed);
    if (found - listed).abs() <= rounding || listed == 0.0 { 0.0 } else { 100.0 * (found - listed) / listed }
}

/// Scenarios list six digits, some only two decimals.
pub(crate) fn listed_tolerance(listed: f64) -> f64 {
    0.006 + listed * 5e-6
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len();
    if count == 0 { 0.0 } else { values.sum::<f64>() / count as f64 }
}

/// The value that `percent` of the sorted values do not exceed.
fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(0.0)
}

/// Most memory this process has held, where the system tells.
fn peak_rss() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

fn table(reports: &[Report]) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    if let Some(first) = reports.first() {
        let Report { map, width, height, queries, .. } = first;
        writeln!(text, "{map}: {width} x {height} cells, {queries} queries\n")?;
    }
    writeln!(
        text,
        "engine        mean µs    p50 µs    p99 µs   expanded     length  suboptimal  solved  none  failed"
    )?;
    for report in reports {
        writeln!(
            text,
            "{:<12}{:>9.1}{:>10.1}{:>10.1}{:>11.0}{:>11.3}{:>11.3}%{:>8}{:>6}{:>8}",
            report.engine,
            report.mean_us,
            report.p50_us,
            report.p99_us,
            report.expanded_mean,
            report.mean_length,
            report.suboptimality_mean_pct,
            report.solved,
            report.unreachable,
            report.failed
        )?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_few_values() {
        let values = [1.0, 2.0, 3.0, 4.0];
        assert!((percentile(&values, 50) - 2.0).abs() < 1e-12);
        assert!((percentile(&values, 99) - 4.0).abs() < 1e-12);
        assert!((percentile(&values, 100) - 4.0).abs() < 1e-12);
        assert!(percentile(&[], 50).abs() < 1e-12);
    }

    #[test]
    fn rounding_of_the_list_is_no_excess() {
        assert!(excess_pct(2.41421, 2.414_213_562).abs() < 1e-12);
        assert!((excess_pct(100.0, 101.0) - 1.0).abs() < 1e-9);
    }
}
