//! `farstride path`: one path.

use crate::options::{EngineOption, MapOptions, PlannerOptions, parse_cell};
use crate::{Ending, output};
use farstride::search::Effort;
use farstride::{Cell, Grid, Outcome, Path, Planner, Query, Scratch};
use farstride_io::terminal;
use serde::Serialize;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// Find one path and show it.
///
/// Exits with 0 if there is a path and with 1 if there is none.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  farstride path --map orz700d.map --from 120,300 --to 640,210 --engine theta --json
  farstride path --from 12,33 --to 147,11 --engine hpa --cluster 10 --levels 2")]
pub(crate) struct Args {
    #[command(flatten)]
    map: MapOptions,

    /// Where to start.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_cell)]
    from: Cell,

    /// Where to go.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_cell)]
    to: Cell,

    /// Engine: auto, astar, dijkstra, theta, lazy-theta or hpa.
    #[arg(long, default_value = "auto", value_name = "NAME", value_parser = EngineOption::parse)]
    engine: EngineOption,

    /// Give up after this many expanded nodes.
    #[arg(long, value_name = "NODES")]
    budget: Option<u64>,

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
    points: Option<Vec<[u16; 2]>>,
    stats: Stats,
    build_us: u64,
    query_us: u64,
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
    let grid = Arc::new(args.map.load()?);
    let (engine, why) = args.options.choose_one(args.engine, &grid)?;
    let begun = Instant::now();
    let planner = args.options.planner(&grid, engine)?;
    let build_us = begun.elapsed().as_micros() as u64;
    let query = Query::new(args.from, args.to).with_budget(args.budget.unwrap_or(u64::MAX));

    // The first run counts and warms up the memory, the second is timed.
    let mut scratch = Scratch::new();
    let mut effort = Effort::default();
    planner.find_observed(query, &mut scratch, &mut effort)?;
    let begun = Instant::now();
    let outcome = planner.find(query, &mut scratch)?;
    let query_us = begun.elapsed().as_micros() as u64;

    let report =
        Report { build_us, query_us, stats: Stats::new(&effort), ..Report::new(&planner, &outcome, &query) };
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&report.describe(planner.grid(), query, why))?;
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
    /// What the outcome tells; the rest is zero.
    fn new(planner: &Planner, outcome: &Outcome<'_>, query: &Query) -> Self {
        let here = [query.start];
        let (status, cost, path) = match outcome {
            Outcome::Found(route) => ("found", Some(route.length()), Some(route.path())),
            Outcome::AlreadyThere if planner.engine().is_any_angle() => {
                ("found", Some(0.0), Some(Path::Points(&here)))
            }
            Outcome::AlreadyThere => ("found", Some(0.0), Some(Path::Cells(&here))),
            Outcome::StartBlocked => ("start-blocked", None, None),
            Outcome::GoalBlocked => ("goal-blocked", None, None),
            Outcome::BudgetSpent(_) => ("budget-spent", None, None),
            _ => ("unreachable", None, None),
        };
        let pairs = |cells: &[Cell]| cells.iter().map(|cell| [cell.x, cell.y]).collect();
        let (cells, points) = match path {
            Some(Path::Points(points) | Path::Waypoints(points)) => (None, Some(pairs(points))),
            Some(Path::Cells(cells)) => (Some(pairs(cells)), None),
            Some(Path::Omitted) => (None, None),
            None => (Some(Vec::new()), None),
        };
        Self { engine: planner.engine().name(), status, cost, cells, points, ..Self::default() }
    }

    /// The same in words, with a drawing.
    fn describe(&self, grid: &Grid, query: Query, why: Option<&str>) -> String {
        let why = why.map_or_else(String::new, |why| format!(" ({why})"));
        let engine = format!("engine {}{why}", self.engine);
        let Some(cost) = self.cost else {
            let Query { start, goal, .. } = query;
            return format!("{engine}: {} from {start} to {goal}\n", self.status);
        };
        let path = self.cells.as_ref().or(self.points.as_ref());
        let path: Vec<Cell> = path.into_iter().flatten().map(|&[x, y]| Cell::new(x, y)).collect();
        let parts = if self.points.is_some() { "turning points" } else { "cells" };
        let drawing = terminal::draw(grid, &[&path], output::screen());
        format!(
            "{engine}: length {cost:.3}, {} {parts}, {} nodes expanded, {} µs\n{drawing}",
            path.len(),
            self.stats.expanded.total,
            self.query_us
        )
    }
}
