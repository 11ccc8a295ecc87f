//! `farstride bench`: engines over a scenario or over random queries.

mod phases;
mod report;

use super::rows::{Columns, Row, RowFile};
use crate::options::{
    Asked, DetailOption, EngineOption, MapListOptions, MapOptions, PlannerOptions, QueryOptions, Reference,
    took,
};
use crate::output::Half;
use crate::world::Court;
use crate::{Ending, output};
use farstride::error::QueryError;
use farstride::error::SaveError;
use farstride::search::Effort;
use farstride::store;
use farstride::{Detail, Index, Outcome, Planned, Planner, Point, Query, Route, Scratch};
use farstride_io::movingai::ScenarioQuery;
use indicatif::ProgressBar;
use phases::Phases;
use report::{Failure, Report, Sample, table};
use serde::Serialize;
use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// Measure engines over the queries of a scenario, or over random ones.
#[derive(clap::Args)]
#[command(after_help = "\
A query's time is the least of K passes over all queries, from coordinates to the complete path in
reused memory, on one thread. All other queries run between two runs of a query, so it finds its data
in memory, not in the fastest cache. Every path is checked outside the timed part; exits with 1 if a
check fails. With --index, the build time is the time to open the file. Several maps, or a folder of
them, are measured one after the other, each over its own scenario.
All options in detail: farstride help bench. Engines and their options: farstride help engines.

Examples:
  farstride bench --map orz700d.map --scen orz700d.map.scen --engine astar,theta --limit 500
  farstride bench --map movingai/dao --engine labels --rows results.csv --columns gppc --repeat 1
  farstride bench --weights land.pgm --queries 100 --seed 7 --engine astar,hpa --rows queries.csv
  farstride bench --map orz700d.map --terrain T=5 --queries 500 --engine astar,hpa
  farstride bench --map orz700d.map --scen orz700d.map.scen --engine astar,hpa --min-length 400
  farstride bench --map orz700d.map --scen orz700d.map.scen --engine theta,hpt --skip in-search
  farstride bench --map orz700d.map --scen orz700d.map.scen --engine astar,tl,nsg,nsg+,labels --json
  farstride bench --map orz700d.map --scen orz700d.map.scen --engine nsg+,labels --detail cost
  farstride bench --map orz700d.map --scen orz700d.map.scen --engine hpa,groups --connection minimum")]
pub(crate) struct Args {
    #[command(flatten)]
    map: MapListOptions,

    #[command(flatten)]
    queries: QueryOptions,

    /// Engines, separated by commas; see 'farstride help engines'.
    #[arg(long, default_value = "auto", value_name = "NAMES", value_delimiter = ',', value_parser = EngineOption::parse)]
    engine: Vec<EngineOption>,

    /// Run only queries with a reference length of at least L.
    #[arg(long, value_name = "L", allow_hyphen_values = true, value_parser = parse_length)]
    min_length: Option<f64>,

    /// Passes over all queries.
    #[arg(long, default_value_t = 5, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,

    /// How much of each path to find in the timed part.
    #[arg(long, default_value = "cells")]
    detail: DetailOption,

    /// Write the paths of a single engine to this file, a line of JSON per query.
    #[arg(long, value_name = "FILE")]
    paths: Option<PathBuf>,

    /// Write a line per query and engine to this file, .csv, .jsonl or .json.
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,

    /// Columns of these lines.
    #[arg(long, value_enum, default_value_t, requires = "rows")]
    columns: Columns,

    /// Print one JSON document instead of a table.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    options: PlannerOptions,
}

/// Parses a length.
fn parse_length(text: &str) -> Result<f64, String> {
    let length = text.parse().ok().filter(|length: &f64| length.is_finite() && *length >= 0.0);
    length.ok_or_else(|| "expected a length, as in 400".to_owned())
}

/// A line of `--paths`.
#[derive(Serialize)]
struct PathLine<'a> {
    query: usize,
    cost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<&'a [[Half; 2]]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<&'a [[Half; 2]]>,
}

pub(crate) fn run(args: &Args) -> Ending {
    if args.paths.is_some() && args.engine.len() > 1 {
        return Err("--paths writes the paths of one engine; name only one with --engine".into());
    }
    if args.rows.is_some() && args.rows == args.paths {
        return Err("--rows and --paths need different files".into());
    }
    let mut rows = args.rows.as_deref().map(|path| RowFile::new(path, args.columns)).transpose()?;
    let (maps, is_list) = args.map.each()?;
    if args.paths.is_some() && is_list {
        return Err("--paths writes the paths on one map; give only one with --map".into());
    }
    // All that can be wrong with the files' names is found out before the first hour of work.
    let asked: Vec<QueryOptions> =
        maps.iter().map(|map| args.queries.for_map(map, is_list)).collect::<Result<_, _>>()?;
    let mut reports = Vec::new();
    let mut lines = String::new();
    for (map, queries) in maps.iter().zip(&asked) {
        let (told, measured) = measure(args, map, queries, is_list, &mut lines, rows.as_mut())?;
        if !args.json {
            output::print(&(told + &table(&measured)? + if is_list { "\n" } else { "" }))?;
        }
        reports.extend(measured);
    }
    if let Some(path) = &args.paths {
        output::write_file(path, lines.as_bytes())?;
    }
    if let Some(rows) = rows {
        rows.write()?;
    }
    if args.json {
        output::print_json(&reports)?;
    }
    Ok(ExitCode::from(u8::from(reports.iter().any(|report| report.failed > 0))))
}

/// Measures all engines on a map; also returns what `auto` took.
fn measure(
    args: &Args,
    map: &MapOptions,
    queries: &QueryOptions,
    is_list: bool,
    lines: &mut String,
    mut rows: Option<&mut RowFile>,
) -> Result<(String, Vec<Report>), Box<dyn Error>> {
    let grid = Arc::new(map.load()?);
    let options = if is_list { &args.options.for_map(&map.name()) } else { &args.options };
    let selection = options.select(&args.engine, &grid)?;
    let asked = queries.with_references(&grid, args.min_length)?;
    let court = Court::new(&grid);
    let shown = |file: Option<&Path>| file.map_or_else(String::new, |file| file.display().to_string());
    let files = [shown(map.file()), shown(queries.scenario())];
    let mut told = String::new();
    let mut reports = Vec::new();
    for &(engine, why) in &selection.chosen {
        told += &why.map_or_else(String::new, |why| took(engine, why));
        let prepared = selection.prepare((engine, why))?;
        let mut run = Run {
            planner: &prepared.planner,
            rough: options.without_smoothing(&prepared.planner),
            court: &court,
            reference: asked.reference,
            repeat: args.repeat,
            detail: args.detail.into(),
            lines: args.paths.is_some().then_some(&mut *lines),
            rows: rows.as_deref_mut(),
            map: map.name(),
            files: &files,
            scratch: Scratch::new(),
        };
        let report = run.measure(&asked)?;
        // A file need not be read whole to know its length.
        let index_bytes = prepared.file_bytes.map_or_else(|| index_bytes(&prepared.planner), Ok)?;
        let build_ms = prepared.build_ms();
        reports.push(Report { map: map.name(), build_ms, index_bytes, ..report });
    }
    Ok((told, reports))
}

/// One engine over all queries.
struct Run<'a> {
    planner: &'a Planner,
    /// The same engine without smoothing, if it smooths.
    rough: Option<Planner>,
    court: &'a Court,
    reference: Reference,
    repeat: u32,
    /// How much of a path the timed part finds.
    detail: Detail,
    /// Where paths are written to, if they are wanted.
    lines: Option<&'a mut String>,
    /// The same for a line per query.
    rows: Option<&'a mut RowFile>,
    map: String,
    /// The files of the map and of the scenario.
    files: &'a [String; 2],
    scratch: Scratch,
}

impl Run<'_> {
    fn measure(&mut self, asked: &Asked) -> Result<Report, Box<dyn Error>> {
        let queries = &asked.queries[..];
        let passes = 1 + self.repeat as usize;
        let bar = output::progress(queries.len() * passes, self.planner.engine().name());
        let mut samples = Vec::with_capacity(queries.len());
        for (number, query) in queries.iter().enumerate() {
            samples.push(self.sample(number, query)?);
            bar.inc(1);
        }
        self.time(queries, &mut samples, &bar)?;
        bar.finish_and_clear();
        self.write_rows(queries, &samples)?;
        let phases = self.phases(queries)?;
        let grid = self.planner.grid();
        let levels = self
            .planner
            .index()
            .and_then(Index::hierarchy)
            .map(|hierarchy| hierarchy.settings().levels.into());
        let groups = self
            .planner
            .index()
            .and_then(Index::groups)
            .map(|groups| groups.hierarchy().level_count() as u32);
        let subgoals = self.planner.index().and_then(Index::subgoals);
        let labels = self.planner.index().and_then(Index::labels).map(|labels| labels.counts().subgoals);
        Ok(Report {
            engine: self.planner.engine().name(),
            width: grid.width(),
            height: grid.height(),
            free_cells: grid.free_count(),
            peak_rss_bytes: peak_rss(),
            connect_mean_us: phases.map(|phases| phases.connect),
            search_mean_us: phases.map(|phases| phases.search),
            unpack_mean_us: phases.map(|phases| phases.unpack),
            subgoals: subgoals.map(|graph| graph.subgoals().len()).or(labels),
            edges: subgoals.map(|graph| graph.levels().edges().count()),
            levels: subgoals.map(|graph| graph.levels().level_count()).or(levels).or(groups),
            ..Report::new(asked, &samples)
        })
    }

    /// What a query shows, but for its times.
    fn sample(&mut self, number: usize, asked: &ScenarioQuery) -> Result<Sample, Box<dyn Error>> {
        let query = Query::new(asked.start, asked.goal);
        let mut effort = Effort::default();
        self.planner.find_observed(query, &mut effort, &mut self.scratch)?;
        let rough_length = match &self.rough {
            Some(rough) => rough.find(query, &mut self.scratch)?.route().map(Route::length),
            None => None,
        };
        let here = [asked.start];
        // Taken out so that it can be lent while `self` is.
        let mut scratch = std::mem::take(&mut self.scratch);
        let outcome = self.planner.find(query, &mut scratch)?;
        let centre = [Point::centre(asked.start)];
        let found: Option<(f64, farstride::Path<'_>)> = match &outcome {
            Outcome::Found(route) => Some((route.length(), route.path())),
            Outcome::AlreadyThere if self.planner.engine().is_any_angle() => {
                Some((0.0, farstride::Path::Points(&centre)))
            }
            Outcome::AlreadyThere => Some((0.0, farstride::Path::Cells(&here))),
            _ => None,
        };
        let failure = match found {
            Some((length, path)) => self.failure(asked, length, path),
            None => asked.is_solvable().then_some(Failure::Unlisted),
        };
        self.write_line(number, found)?;
        let length = found.map(|(length, _)| length);
        // To the competition, a path that leads nowhere is empty.
        let path_size = found
            .map_or(0, |(_, path)| path.turns().count())
            .saturating_sub(usize::from(asked.start == asked.goal));
        self.scratch = scratch;
        let (micros, first_move_micros) = (f64::INFINITY, f64::INFINITY);
        Ok(Sample { micros, first_move_micros, length, rough_length, path_size, effort, failure })
    }

    /// Takes the times of all queries, pass by pass: of complete paths and, where
    /// they take less, of first moves.
    fn time(
        &mut self,
        queries: &[ScenarioQuery],
        samples: &mut [Sample],
        bar: &ProgressBar,
    ) -> Result<(), QueryError> {
        for _ in 0..self.repeat {
            for (asked, sample) in queries.iter().zip(&mut *samples) {
                let query = Query::new(asked.start, asked.goal).with_detail(self.detail);
                let begun = Instant::now();
                std::hint::black_box(self.planner.find(query, &mut self.scratch)?);
                sample.micros = sample.micros.min(begun.elapsed().as_secs_f64() * 1e6);
                bar.inc(1);
            }
        }
        for _ in 0..self.repeat {
            for (asked, sample) in queries.iter().zip(&mut *samples) {
                let micros = self.time_first_move(asked)?.unwrap_or(sample.micros);
                sample.first_move_micros = sample.first_move_micros.min(micros);
            }
        }
        Ok(())
    }

    /// Microseconds to the first cell to walk to; `None` if the engine knows that
    /// only when it knows the complete path.
    fn time_first_move(&mut self, asked: &ScenarioQuery) -> Result<Option<f64>, QueryError> {
        let (planner, scratch) = (self.planner, &mut self.scratch);
        let begun = Instant::now();
        if planner.index().and_then(Index::labels).is_some() {
            let query = Query::new(asked.start, asked.goal).with_detail(Detail::First(1));
            std::hint::black_box(planner.find(query, scratch)?);
        } else if planner.index().and_then(Index::hierarchy).is_none()
            && planner.index().and_then(Index::groups).is_none()
        {
            return Ok(None);
        } else if let Planned::Plan(mut plan) = planner.plan(Query::new(asked.start, asked.goal), scratch)? {
            std::hint::black_box(plan.step(planner, scratch)?);
        }
        Ok(Some(begun.elapsed().as_secs_f64() * 1e6))
    }

    /// Mean microseconds of the phases, in passes of their own: reading the clock
    /// between them takes time, too. `None` if the engine has no phases.
    fn phases(&mut self, queries: &[ScenarioQuery]) -> Result<Option<Phases>, QueryError> {
        let looks_up = |index: &Index| index.labels().is_some() || index.straight().is_some();
        if self.planner.index().is_none_or(looks_up) {
            return Ok(None);
        }
        let mut least: Vec<Option<Phases>> = vec![None; queries.len()];
        for _ in 0..self.repeat {
            for (asked, least) in queries.iter().zip(&mut least) {
                let query = Query::new(asked.start, asked.goal);
                let phases = Phases::of(self.planner, query, &mut self.scratch)?;
                *least = Some(least.map_or(phases, |least| least.or_less(phases)));
            }
        }
        let least: Vec<Phases> = least.into_iter().flatten().collect();
        Ok(Some(Phases::mean(&least)))
    }

    /// What is wrong with a path: it must be legal, as long as reported, and in
    /// the list. An optimal engine finds the listed length, and no path of steps
    /// is shorter.
    fn failure(&self, asked: &ScenarioQuery, length: f64, path: farstride::Path<'_>) -> Option<Failure> {
        let engine = self.planner.engine();
        let judged = self.court.judge_path(self.planner, (asked.start, asked.goal), path);
        let tolerance = self.reference.tolerance(asked.length);
        if !judged.is_ok_and(|judged| (judged - length).abs() <= 1e-9 * judged.max(1.0)) {
            Some(Failure::Illegal)
        } else if !asked.is_solvable() || !engine.is_any_angle() && length < asked.length - tolerance {
            Some(Failure::Unlisted)
        } else {
            (engine.is_optimal() && length > asked.length + tolerance).then_some(Failure::TooLong)
        }
    }

    fn write_rows(&mut self, queries: &[ScenarioQuery], samples: &[Sample]) -> Result<(), Box<dyn Error>> {
        let Some(rows) = &mut self.rows else { return Ok(()) };
        for (number, (asked, sample)) in queries.iter().zip(samples).enumerate() {
            rows.push(&Row {
                reference: asked.is_solvable().then_some(asked.length),
                us: Some(sample.micros),
                expanded: sample.effort.total().expanded,
                failure: sample.failure.map(|failure| failure.name().to_owned()),
                map: self.map.clone(),
                files: self.files.clone(),
                path_size: sample.path_size,
                ..Row::new(self.planner.engine().name(), number, asked, sample.length)
            })?;
        }
        Ok(())
    }

    fn write_line(
        &mut self,
        query: usize,
        found: Option<(f64, farstride::Path<'_>)>,
    ) -> Result<(), Box<dyn Error>> {
        let any_angle = self.planner.engine().is_any_angle();
        let Some(lines) = &mut self.lines else { return Ok(()) };
        let path: Vec<[Half; 2]> = found.iter().flat_map(|(_, path)| path.turns()).map(Half::pair).collect();
        let cost = found.map(|(length, _)| length);
        let (cells, points) = if any_angle { (None, Some(&path[..])) } else { (Some(&path[..]), None) };
        let line = serde_json::to_string(&PathLine { query, cost, cells, points })?;
        writeln!(lines, "{line}")?;
        Ok(())
    }
}

/// What the saved index takes; nothing if there is none.
fn index_bytes(planner: &Planner) -> Result<u64, SaveError> {
    /// Counts bytes and drops them.
    struct Count(u64);

    impl Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut count = Count(0);
    planner.index().map_or(Ok(()), |index| store::save_to(index, planner.grid(), &mut count))?;
    Ok(count.0)
}

/// Most memory this process has held, where the system tells.
fn peak_rss() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_finite() {
        assert_eq!(parse_length("12.5"), Ok(12.5));
        assert!(["", "-1", "NaN", "inf", "x"].iter().all(|text| parse_length(text).is_err()));
    }
}
