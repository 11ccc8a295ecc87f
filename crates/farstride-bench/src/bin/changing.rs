//! Plans on a map that changes while units walk: what breaks, and what it costs.

use clap::Parser;
use farstride::{Cell, Grid};
use farstride_bench::changing::{Mode, Pace, Tally, simulate};
use farstride_bench::workload::{Workload, grid};
use farstride_io::movingai::{load_map, load_scenario};
use farstride_testkit::Kind;
use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Let units walk by the plans of several engines while walls go up and down.
///
/// Units go back and forth at one cell per tick. All engines get the same edits
/// at the same time; each leg is judged when it is begun. One thread.
#[derive(Parser)]
#[command(
    name = "changing",
    after_help = "Examples:\n  changing --map M.map --scen M.map.scen --edit-every 5,50\n  \
                  changing --side 256 --units 20"
)]
struct Options {
    /// `MovingAI` map; left out: generated caves
    #[arg(long, value_name = "FILE", requires = "scen")]
    map: Option<PathBuf>,

    /// Its scenario: units walk between the ends of the longer half of its queries
    #[arg(long, value_name = "FILE", requires = "map")]
    scen: Option<PathBuf>,

    /// Side of the generated map in cells
    #[arg(long, value_name = "N", default_value_t = 512, conflicts_with = "map")]
    side: usize,

    /// Units of each engine
    #[arg(long, value_name = "N", default_value_t = 50)]
    units: usize,

    /// Ticks of the simulation
    #[arg(long, value_name = "N", default_value_t = 2000)]
    ticks: usize,

    /// Ticks from edit to edit; each is a simulation of its own
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = [5, 50])]
    edit_every: Vec<usize>,

    /// Walls that stand at the same time at most
    #[arg(long, value_name = "N", default_value_t = 100)]
    walls: usize,

    /// Units whose leg is still clear walk on after an edit and ask at its end;
    /// otherwise all of them ask again at once
    #[arg(long)]
    walk_on: bool,

    /// Runs of each simulation; of each call the least time counts
    #[arg(long, value_name = "K", default_value_t = 3)]
    repeat: usize,

    /// Seed of the edits
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let (grid, trips) = course(&options)?;
    if trips.is_empty() {
        return Err("there are no trips: the scenario has no queries, or --units is 0".into());
    }
    let names: Vec<&str> = Mode::all(&grid)?.iter().map(|mode| mode.name).collect();
    let mut rows = Vec::new();
    for &edit_every in &options.edit_every {
        let Options { ticks, walls, seed, walk_on, .. } = options;
        let pace = Pace { ticks, edit_every, walls, seed, walk_on };
        let mut tallies = simulate(Mode::all(&grid)?, &trips, pace)?;
        for _ in 1..options.repeat {
            let again = simulate(Mode::all(&grid)?, &trips, pace)?;
            tallies.iter_mut().zip(&again).for_each(|(tally, again)| tally.take_faster(again));
        }
        rows.extend(names.iter().zip(tallies).map(|(name, tally)| Row { edit_every, name, tally }));
    }
    println!(
        "{} units, {} ticks, map of {} x {} cells\n",
        trips.len(),
        options.ticks,
        grid.width(),
        grid.height()
    );
    print!("{}\n{}", plans_table(&rows, trips.len())?, times_table(&rows, options.ticks)?);
    Ok(())
}

/// A map, and from where to where each unit goes.
type Course = (Grid, Vec<(Cell, Cell)>);

fn course(options: &Options) -> Result<Course, Box<dyn Error>> {
    if let (Some(map), Some(scen)) = (&options.map, &options.scen) {
        let grid = load_map(map)?;
        let mut queries = load_scenario(scen, &grid)?;
        queries.retain(|query| query.is_solvable() && query.start != query.goal);
        queries.sort_by(|a, b| b.length.total_cmp(&a.length));
        // Spread over the longer half: the longest are much alike.
        let step = (queries.len() / 2 / options.units.max(1)).max(1);
        let trips = queries.iter().step_by(step).take(options.units);
        let trips = trips.map(|query| (query.start, query.goal)).collect();
        return Ok((grid, trips));
    }
    let kind = Kind::Caves { blocked_percent: 45, rounds: 5 };
    let workload = Workload::new(kind, options.side, 4 * options.units);
    let mut trips: Vec<(Cell, Cell)> =
        workload.queries.iter().map(|&(start, goal)| (start.into(), goal.into())).collect();
    let apart = |&(start, goal): &(Cell, Cell)| start.x.abs_diff(goal.x) + start.y.abs_diff(goal.y);
    trips.sort_by_key(|trip| std::cmp::Reverse(apart(trip)));
    trips.truncate(options.units);
    Ok((grid(&workload.map), trips))
}

struct Row<'n> {
    edit_every: usize,
    name: &'n str,
    tally: Tally,
}

fn plans_table(rows: &[Row<'_>], units: usize) -> Result<String, std::fmt::Error> {
    let mut text = String::from(
        "| edit every | plans | held, wall up % | wall down % | replans per edit | per unit | steps per replan | \
         refined ahead | thrown away per replan | mean part | length ratio | trips | waited | illegal |\n\
         |---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for Row { edit_every, name, tally } in rows {
        let replans = tally.replans.count() as f64;
        let looks = tally.looks().max(1) as f64;
        writeln!(
            text,
            "| {edit_every} | {name} | {:.2} | {:.2} | {:.3} | {:.2} | {:.1} | {:.1} | {:.1} | {:.1} | {:.4} | {} | {} | {} |",
            tally.after_wall.percent(),
            tally.after_gap.percent(),
            replans / tally.edits.count().max(1) as f64,
            replans / units as f64,
            (tally.steps.count() as f64 + replans) / replans.max(1.0),
            tally.refined / looks,
            tally.thrown_away / replans.max(1.0),
            tally.ahead / tally.parts.max(1) as f64,
            tally.walked / tally.shortest,
            tally.trips,
            tally.waited,
            tally.illegal,
        )?;
    }
    Ok(text)
}

fn times_table(rows: &[Row<'_>], ticks: usize) -> Result<String, std::fmt::Error> {
    let mut text = String::from(
        "| edit every | plans | edit µs | p99 | plan µs | p99 | step µs | p99 | replan µs | p99 | µs per tick |\n\
         |---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for Row { edit_every, name, tally } in rows {
        write!(text, "| {edit_every} | {name} |")?;
        for times in [&tally.edits, &tally.plans, &tally.steps, &tally.replans] {
            write!(text, " {:.2} | {:.1} |", times.mean(), times.p99())?;
        }
        writeln!(text, " {:.1} |", tally.time() / ticks.max(1) as f64)?;
    }
    Ok(text)
}
