//! `farstride path`: one path.

use super::trace::Trace;
use crate::options::{DetailOption, EngineOption, MapOptions, PlannerOptions, Prepared, parse_cell};
use crate::output::Half;
use crate::{Ending, output, world};
use farstride::search::Effort;
use farstride::{Cell, Detail, Grid, Outcome, Path, Planner, Point, Query, Scratch};
use farstride_io::terminal;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// Find one path and show it.
#[derive(clap::Args)]
#[command(after_help = "\
Exits with 0 if there is a path, with 1 if there is none.
All options in detail: farstride help path. Engines and their options: farstride help engines.

Examples:
  farstride path --map orz700d.map --from 135,1138 --to 486,538 --engine theta --json
  farstride path --from 126,56 --to 3,2 --engine hpa --cluster 10 --levels 2
  farstride path --weights land.pgm --from 10,10 --to 290,190 --engine astar
  farstride path --map orz700d.map --terrain T=5,@=blocked --from 135,1138 --to 486,538
  farstride path --from 126,56 --to 3,2 --engine hpt --crossed --json
  farstride path --from 126,56 --to 3,2 --engine nsg+ --detail waypoints
  farstride path --from 126,56 --to 0,0 --nearest
  farstride path --from 126,56 --to 3,2 --engine astar --trace astar.trace.json
  farstride path --from 126,56 --to 3,2 --engine labels --first 5
  farstride path --from 126,56 --to 3,2 --engine groups --connection maximin --mode exclusion")]
pub(crate) struct Args {
    #[command(flatten)]
    map: MapOptions,

    /// Start cell.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_cell)]
    from: Cell,

    /// Goal cell.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_cell)]
    to: Cell,

    /// Engine; see 'farstride help engines'.
    #[arg(long, default_value = "auto", value_name = "NAME", value_parser = EngineOption::parse)]
    engine: EngineOption,

    /// Give up after this many expanded nodes.
    #[arg(long, value_name = "NODES")]
    budget: Option<u64>,

    /// How much of the path to find; less takes less time.
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    detail: DetailOption,

    /// Find only the cost and the first K steps, or turning points.
    #[arg(long, value_name = "K", conflicts_with_all = ["detail", "crossed"])]
    first: Option<u32>,

    /// If a cell is blocked or there is no route, go to the nearest cell that can be
    /// reached.
    ///
    /// A blocked start is replaced by the nearest free cell; a goal that is blocked or out
    /// of reach by the reachable cell nearest to it, as the crow flies. The field
    /// 'substitute' of the JSON is the cell that replaces the goal, or else the start.
    #[arg(long)]
    nearest: bool,

    /// Also list every cell the path enters.
    #[arg(long)]
    crossed: bool,

    /// Write every step of the search to this file, for the visualiser Posthoc.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    options: PlannerOptions,
}

/// The answer as the contract has it.
#[derive(Serialize, Default)]
struct Report {
    engine: &'static str,
    status: &'static str,
    cost: Option<f64>,
    cells: Option<Vec<[u16; 2]>>,
    points: Option<Vec<[Half; 2]>>,
    waypoints: Option<Vec<[u16; 2]>>,
    /// With `--crossed`: every cell the path enters.
    crossed: Option<Vec<[u16; 2]>>,
    /// The cells that an any-angle path enters, for drawing.
    #[serde(skip)]
    entered: Vec<Cell>,
    /// With `--nearest`: the cell that replaces the goal, or else the start.
    substitute: Option<[u16; 2]>,
    stats: Stats,
    build_us: u64,
    query_us: u64,
    query_ns: u64,
}

#[derive(Serialize, Default)]
struct Stats {
    expanded: Expanded,
    generated: u64,
    peak_nodes: u64,
}

/// Expanded nodes by phase; engines without an index have only a main search.
#[derive(Serialize, Default)]
struct Expanded {
    insert: u64,
    main: u64,
    refine: u64,
    total: u64,
}

pub(crate) fn run(args: &Args) -> Ending {
    if args.crossed && args.detail != DetailOption::Cells {
        return Err("--crossed needs the whole path; drop --detail".into());
    }
    let grid = Arc::new(args.map.load()?);
    let Prepared { planner, why, time, .. } = args.options.prepare(args.engine, &grid)?;
    let asked = Query::new(args.from, args.to)
        .with_budget(args.budget.unwrap_or(u64::MAX))
        .with_detail(args.first.map_or_else(|| args.detail.into(), Detail::First));

    let query = if args.nearest { planner.substitute(asked)? } else { asked };

    // The first run counts and warms up the memory, the second is timed.
    let mut scratch = Scratch::new();
    let mut effort = Effort::default();
    planner.find_observed(query, &mut effort, &mut scratch)?;
    let begun = Instant::now();
    let outcome = planner.find(query, &mut scratch)?;
    let query_time = begun.elapsed();

    let report = Report::new(&planner, &outcome, &query);
    if let Some(file) = &args.trace {
        let mut trace = Trace::new(query);
        planner.find_observed(query, &mut trace, &mut Scratch::new())?;
        let path: Vec<Point> = match &outcome {
            Outcome::Found(route) => route.path().turns().collect(),
            Outcome::AlreadyThere if query.detail != Detail::Cost => vec![Point::centre(query.start)],
            _ => Vec::new(),
        };
        output::write_file(file, trace.finish(&path).as_bytes())?;
    }
    let crossed = args.crossed.then(|| report.crossed());
    let report = Report {
        build_us: time.as_micros() as u64,
        query_us: query_time.as_micros() as u64,
        query_ns: query_time.as_nanos() as u64,
        stats: Stats::new(&effort),
        crossed,
        substitute: substitute(asked, query).map(|cell| [cell.x, cell.y]),
        ..report
    };
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&report.describe(planner.grid(), query, why, args.nearest))?;
    }
    Ok(ExitCode::from(u8::from(report.status != "found")))
}

impl Stats {
    fn new(effort: &Effort) -> Self {
        let total = effort.total();
        let expanded = Expanded {
            insert: effort.insert.expanded,
            main: effort.main.expanded,
            refine: effort.refine.expanded,
            total: total.expanded,
        };
        Self { expanded, generated: total.generated, peak_nodes: total.peak_nodes }
    }
}

impl Report {
    /// Status, cost and path; the rest is zero.
    fn new(planner: &Planner, outcome: &Outcome<'_>, query: &Query) -> Self {
        let here = ([query.start], [Point::centre(query.start)]);
        let status = output::status(outcome);
        let (cost, path) = match outcome {
            Outcome::Found(route) => (Some(route.length()), Some(route.path())),
            Outcome::AlreadyThere => (Some(0.0), Some(stand(&here, planner, query.detail))),
            _ => (None, None),
        };
        let pairs = |cells: &[Cell]| Some(pairs(cells.iter().copied()));
        let report = Self { engine: planner.engine().name(), status, cost, ..Self::default() };
        match path {
            Some(Path::Cells(cells)) => Self { cells: pairs(cells), ..report },
            Some(Path::Points(points)) => Self {
                points: Some(points.iter().copied().map(Half::pair).collect()),
                entered: planner.grid().entered_cells(points),
                ..report
            },
            Some(Path::Waypoints(waypoints)) => Self { waypoints: pairs(waypoints), ..report },
            Some(_) => report,
            None => Self { cells: Some(Vec::new()), ..report },
        }
    }

    /// Every cell that a whole path enters; empty if there is no path.
    fn crossed(&self) -> Vec<[u16; 2]> {
        match &self.cells {
            Some(path) => pairs(Grid::crossed_cells(&cells(path))),
            None => pairs(self.entered.iter().copied()),
        }
    }

    /// The same in words, with a drawing.
    fn describe(&self, grid: &Grid, query: Query, why: Option<&str>, nearest: bool) -> String {
        let why = why.map_or_else(String::new, |why| format!(" (chosen for this map: {why})"));
        let engine = format!("engine {}{why}", self.engine);
        let Some(cost) = self.cost else {
            let Query { start, goal, .. } = query;
            let hint = if nearest || self.status == "budget-spent" {
                ""
            } else {
                "; --nearest goes to the nearest cell that can be reached"
            };
            return format!("{engine}: {} from {start} to {goal}{hint}\n", self.status);
        };
        let Query { start, goal, .. } = query;
        let engine =
            if self.substitute.is_some() { format!("{engine}: {start} to {goal} instead") } else { engine };
        let parts = match (&self.cells, &self.points, &self.waypoints) {
            (Some(cells), ..) => format!("{} cells, ", cells.len()),
            (_, Some(points), _) => format!("{} turning points, ", points.len()),
            (.., Some(waypoints)) => format!("{} waypoints, ", waypoints.len()),
            _ => String::new(),
        };
        let parts = parts
            + &self.crossed.as_ref().map_or_else(String::new, |cells| format!("{} crossed, ", cells.len()));
        let expanded = self.stats.expanded.total;
        let time = output::time(self.query_ns as f64 / 1e9);
        let measure = world::measure_name(grid);
        let told = format!("{engine}: {measure} {cost:.3}, {parts}{expanded} nodes expanded, {time}\n");
        if self.cells.is_some() || self.points.is_some() {
            let path = self.cells.as_ref().map_or_else(|| self.entered.clone(), |path| cells(path));
            let told = told + &terminal::draw_beginning(grid, &path, query.goal, output::screen());
            return told + &self.crossed.as_ref().map_or_else(String::new, |crossed| row(crossed));
        }
        told + &row(self.waypoints.as_deref().unwrap_or_default())
    }
}

/// The cell that replaces the goal, or else the start.
fn substitute(asked: Query, query: Query) -> Option<Cell> {
    let replaced = [(asked.goal, query.goal), (asked.start, query.start)];
    replaced.into_iter().find(|(asked, taken)| asked != taken).map(|(_, taken)| taken)
}

/// Cells as JSON has them, and back.
fn pairs(cells: impl IntoIterator<Item = Cell>) -> Vec<[u16; 2]> {
    cells.into_iter().map(|cell| [cell.x, cell.y]).collect()
}

fn cells(pairs: &[[u16; 2]]) -> Vec<Cell> {
    pairs.iter().map(|&[x, y]| Cell::new(x, y)).collect()
}

/// Cells in a line of text.
fn row(pairs: &[[u16; 2]]) -> String {
    cells(pairs).iter().map(Cell::to_string).collect::<Vec<_>>().join(" ") + "\n"
}

/// The path of a query whose start is its goal.
const fn stand<'c>(
    (here, centre): &'c ([Cell; 1], [Point; 1]),
    planner: &Planner,
    detail: Detail,
) -> Path<'c> {
    match detail {
        Detail::Cost => Path::Omitted,
        _ if planner.engine().is_any_angle() => Path::Points(centre),
        Detail::Waypoints => Path::Waypoints(here),
        _ => Path::Cells(here),
    }
}
