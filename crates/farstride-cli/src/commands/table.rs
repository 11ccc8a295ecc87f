//! `farstride table`: path lengths from many cells to many others.

use crate::options::{EngineOption, MapOptions, PlannerOptions, Prepared, cores, parse_cell};
use crate::{Ending, output, world};
use farstride::grid::DiagonalCost;
use farstride::{Cell, CostTable, Grid};
use serde::Serialize;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// Find the lengths of the shortest paths from many cells to many others.
#[derive(clap::Args)]
#[command(after_help = "\
The engine labels needs far less time than a query per pair; the others answer pair by pair.
A file of cells has a cell per line, as in 12,34; empty lines and lines that start with # are skipped.
All options in detail: farstride help table. Engines and their options: farstride help engines.

Examples:
  farstride table --map orz700d.map --from guards.txt --to doors.txt
  farstride table --map orz700d.map --from towns.txt --json
  farstride table --cells 8 --seed 3
  farstride table --weights land.pgm --cells 8
  farstride table --map orz700d.map --cells 1000 --engine labels --threads 1")]
pub(crate) struct Args {
    #[command(flatten)]
    map: MapOptions,

    /// File of start cells.
    #[arg(long, value_name = "FILE", required_unless_present = "cells")]
    from: Option<PathBuf>,

    /// File of goal cells [default: the start cells].
    #[arg(long, value_name = "FILE", requires = "from")]
    to: Option<PathBuf>,

    /// Draw N starts and N goals at random instead of reading files.
    #[arg(long, value_name = "N", conflicts_with_all = ["from", "to"], value_parser = clap::value_parser!(u32).range(1..=MOST_CELLS))]
    cells: Option<u32>,

    /// Seed of the random cells.
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// Engine; see 'farstride help engines'.
    #[arg(long, default_value = "auto", value_name = "NAME", value_parser = EngineOption::parse)]
    engine: EngineOption,

    /// Number of threads [default: one per core].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    options: PlannerOptions,
}

#[derive(Serialize)]
struct Report {
    engine: &'static str,
    starts: Vec<[u16; 2]>,
    goals: Vec<[u16; 2]>,
    /// A row per start; null where there is no path.
    costs: Vec<Vec<Option<f64>>>,
    threads: usize,
    build_us: u64,
    table_us: u64,
}

/// Limit of `--cells`: the table and its JSON take half a gigabyte then.
const MOST_CELLS: i64 = 5000;

/// Most rows and columns that are printed as text.
const LARGE: usize = 16;

pub(crate) fn run(args: &Args) -> Ending {
    let grid = Arc::new(args.map.load()?);
    let (starts, goals) = args.lists(&grid)?;
    let Prepared { planner, why, time, .. } = args.options.prepare(args.engine, &grid)?;
    let threads = args.threads.map_or_else(cores, NonZeroUsize::get);
    let begun = Instant::now();
    let table = planner.cost_table(&starts, &goals, threads)?;
    let table_us = begun.elapsed().as_micros() as u64;
    let report = Report {
        engine: planner.engine().name(),
        starts: pairs(&starts),
        goals: pairs(&goals),
        costs: lengths(&table, planner.grid(), planner.engine().is_any_angle()),
        threads,
        build_us: time.as_micros() as u64,
        table_us,
    };
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&report.describe(why))?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// The cells to start from and to go to.
    fn lists(&self, grid: &Grid) -> Result<(Vec<Cell>, Vec<Cell>), Box<dyn Error>> {
        let Some(from) = &self.from else {
            let count = self.cells.unwrap_or(0) as usize;
            let mut cells = world::random_cells(grid, self.seed)?;
            let starts = cells.by_ref().take(count).collect();
            return Ok((starts, cells.take(count).collect()));
        };
        let starts = read(from)?;
        let goals = match &self.to {
            Some(to) => read(to)?,
            None => starts.clone(),
        };
        Ok((starts, goals))
    }
}

/// The cells of a file.
fn read(path: &Path) -> Result<Vec<Cell>, Box<dyn Error>> {
    let text =
        fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let lines = (1..).zip(text.lines().map(str::trim));
    let told = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let cell = |(number, line): (usize, &str)| {
        parse_cell(line).map_err(|error| format!("{}, line {number}: {error}", path.display()).into())
    };
    told.map(cell).collect()
}

/// Costs in straight steps. Of paths in steps they are whole numbers of units,
/// which are short of the true length by one part in twenty million at most.
fn lengths(table: &CostTable, grid: &Grid, is_any_angle: bool) -> Vec<Vec<Option<f64>>> {
    let scale = if is_any_angle { DiagonalCost::Sqrt2 } else { grid.rules().diagonal_cost };
    let unit = scale.straight().units() as f64;
    let row = |start| table.row(start).map(|cost| Some(cost?.units() as f64 / unit)).collect();
    (0..table.start_count()).map(row).collect()
}

fn pairs(cells: &[Cell]) -> Vec<[u16; 2]> {
    cells.iter().map(|cell| [cell.x, cell.y]).collect()
}

impl Report {
    fn describe(&self, why: Option<&str>) -> String {
        let Self { engine, starts, goals, costs, threads, build_us, table_us } = self;
        let why = why.map_or_else(String::new, |why| format!(" (chosen for this map: {why})"));
        let count = starts.len() * goals.len();
        let found: Vec<f64> = costs.iter().flatten().flatten().copied().collect();
        let [build, table, per_pair] =
            [*build_us as f64, *table_us as f64, *table_us as f64 / count.max(1) as f64]
                .map(|micros| output::time(micros / 1e6));
        let mut text = format!(
            "engine {engine}{why}: {} x {} cells, {} of {count} pairs connected; \
             prepared in {build}, answered in {table} on {threads} threads, {per_pair} per pair\n",
            starts.len(),
            goals.len(),
            found.len(),
        );
        if let (Some(&least), Some(&most)) =
            (found.iter().min_by(|a, b| a.total_cmp(b)), found.iter().max_by(|a, b| a.total_cmp(b)))
        {
            let mean = found.iter().sum::<f64>() / found.len() as f64;
            let _ = writeln!(text, "lengths from {least:.1} to {most:.1}, {mean:.1} on average");
        }
        if starts.len() <= LARGE && goals.len() <= LARGE {
            text += &self.drawn();
        }
        text
    }

    /// The table, goals in the first line and starts in the first column.
    fn drawn(&self) -> String {
        let name = |[x, y]: &[u16; 2]| format!("{x},{y}");
        let mut text = format!("{:>10}", "");
        for goal in &self.goals {
            let _ = write!(text, " {:>10}", name(goal));
        }
        text.push('\n');
        for (start, costs) in self.starts.iter().zip(&self.costs) {
            let _ = write!(text, "{:>10}", name(start));
            for cost in costs {
                let cost = cost.map_or_else(|| "-".to_owned(), |cost| format!("{cost:.2}"));
                let _ = write!(text, " {cost:>10}");
            }
            text.push('\n');
        }
        text
    }
}
