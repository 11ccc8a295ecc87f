//! How an engine grows with the map: build, index, query, first move and edit.

use clap::Parser;
use farstride::hpa::{Hierarchy, HpaSettings};
use farstride::{Cell, Engine, Grid, Planned, Planner, Query, Scratch};
use farstride_io::movingai::load_map;
use farstride_lab::chart::{LineChart, Scale, Series};
use farstride_testkit::{Kind, SplitMix64, generate};
use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

/// Measure an engine on generated maps of growing size.
///
/// Builds on all cores, everything else on one; each query is the least of
/// three, edits are timed once.
#[derive(Parser)]
#[command(name = "growth", after_help = "Example:\n  growth --sides 256,1024,4096 --out growth.svg")]
struct Options {
    /// Sides of the maps in cells
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = [256, 512, 1024, 2048, 4096])]
    sides: Vec<usize>,

    /// Queries and edits on each map
    #[arg(long, value_name = "N", default_value_t = 1000)]
    sample: usize,

    /// Seed of the maps, queries and edits
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Kind of the maps: caves, city, open, rooms, maze or random
    #[arg(long, value_name = "KIND", default_value = "caves")]
    kind: String,

    /// The engine to measure
    #[arg(long, value_name = "NAME", default_value_t = Engine::Hpa)]
    engine: Engine,

    /// Levels of HPA*; left out: the default
    #[arg(long, value_name = "L")]
    levels: Option<u8>,

    /// Queries of each map that are compared with A*
    #[arg(long, value_name = "N", default_value_t = 0)]
    compare: usize,

    /// Measure this `MovingAI` map instead of generated ones
    #[arg(long, value_name = "FILE", conflicts_with = "kind")]
    map: Option<PathBuf>,

    /// Chart to write
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What one map showed; times in microseconds.
struct Figures {
    side: f64,
    build: f64,
    bytes: f64,
    free: f64,
    query: f64,
    first: f64,
    first_p99: f64,
    edit: f64,
    edit_p99: f64,
    edit_worst: f64,
    /// How much longer paths are than those of A*, in percent: mean and worst.
    excess: Option<(f64, f64)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let figures: Vec<Figures> = if let Some(map) = &options.map {
        vec![measure(load_map(map)?, &options)?]
    } else {
        let grids = options.sides.iter().map(|&side| grid(side, &options));
        grids.map(|grid| measure(grid?, &options)).collect::<Result<_, _>>()?
    };
    print!("{}", table(&figures)?);
    if let Some(path) = &options.out {
        std::fs::write(path, chart(&figures, &options).to_svg())?;
    }
    Ok(())
}

fn grid(side: usize, options: &Options) -> Result<Grid, Box<dyn Error>> {
    let kind = Kind::SAMPLES.into_iter().find(|kind| kind.name() == options.kind);
    let kind = kind.ok_or_else(|| format!("no maps are called '{}'", options.kind))?;
    let map = generate(kind, side, side, options.seed)?;
    Ok(Grid::from_fn(side, side, |cell| map.is_free_at((cell.x.into(), cell.y.into())))?)
}

fn measure(grid: Grid, options: &Options) -> Result<Figures, Box<dyn Error>> {
    let side = grid.width();
    let free = grid.free_count() as f64;
    let begun = Instant::now();
    let mut planner = planner(grid, options)?;
    let build = micros(begun);
    let saved = planner.index().map(|index| farstride::store::save(index, planner.grid()));
    let bytes = saved.transpose()?.unwrap_or_default();
    let mut random = SplitMix64::new(options.seed);
    let (query, mut first) = time_queries(&planner, &mut random, options.sample)?;
    let excess = (options.compare > 0).then(|| compare(&planner, options)).transpose()?;
    let mut edits = time_edits(&mut planner, &mut random, options.sample)?;
    Ok(Figures {
        side: side as f64,
        build,
        bytes: bytes.len() as f64,
        free,
        query: mean(&query),
        first: mean(&first),
        first_p99: p99(&mut first),
        edit: mean(&edits),
        edit_p99: p99(&mut edits),
        edit_worst: edits.last().copied().unwrap_or(0.0),
        excess,
    })
}

fn planner(grid: Grid, options: &Options) -> Result<Planner, Box<dyn Error>> {
    match options.levels {
        Some(levels) if options.engine == Engine::Hpa => {
            let hierarchy = Hierarchy::build(&grid, HpaSettings::default().with_levels(levels))?;
            Ok(Planner::with_index(grid, hierarchy)?)
        }
        _ => Ok(Planner::with_engine(grid, options.engine)?),
    }
}

fn any_cell(grid: &Grid, random: &mut SplitMix64) -> Cell {
    Cell::new(random.below(grid.width()) as u16, random.below(grid.height()) as u16)
}

/// Times of whole paths and of first moves.
fn time_queries(
    planner: &Planner,
    random: &mut SplitMix64,
    count: usize,
) -> Result<(Vec<f64>, Vec<f64>), Box<dyn Error>> {
    let mut scratch = Scratch::new();
    let (mut paths, mut firsts) = (Vec::new(), Vec::new());
    while paths.len() < count {
        let (start, goal) = (any_cell(planner.grid(), random), any_cell(planner.grid(), random));
        if start == goal || !planner.grid().is_connected(start, goal) {
            continue;
        }
        let mut least = [f64::INFINITY; 2];
        for _ in 0..3 {
            let begun = Instant::now();
            std::hint::black_box(planner.find(Query::new(start, goal), &mut scratch)?);
            least[0] = least[0].min(micros(begun));
            let begun = Instant::now();
            if let Planned::Plan(mut plan) = planner.plan(Query::new(start, goal), &mut scratch)? {
                std::hint::black_box(plan.step(planner, &mut scratch)?);
            }
            least[1] = least[1].min(micros(begun));
        }
        paths.push(least[0]);
        firsts.push(least[1]);
    }
    Ok((paths, firsts))
}

/// Mean and worst excess cost over A*, in percent.
fn compare(planner: &Planner, options: &Options) -> Result<(f64, f64), Box<dyn Error>> {
    let mut random = SplitMix64::new(options.seed);
    let exact = Planner::with_engine(planner.grid().clone(), Engine::Astar)?;
    let mut scratch = Scratch::new();
    let mut excess = Vec::new();
    while excess.len() < options.compare {
        let (start, goal) = (any_cell(planner.grid(), &mut random), any_cell(planner.grid(), &mut random));
        if start == goal || !planner.grid().is_connected(start, goal) {
            continue;
        }
        let mut cost = |planner: &Planner| -> Result<f64, Box<dyn Error>> {
            let outcome = planner.find(Query::new(start, goal), &mut scratch)?;
            let route = outcome.route().ok_or("a path is missing")?;
            Ok(route.cost().units() as f64)
        };
        let (found, least) = (cost(planner)?, cost(&exact)?);
        excess.push((found / least - 1.0) * 100.0);
    }
    Ok((mean(&excess), excess.iter().copied().fold(0.0, f64::max)))
}

/// Times of blocking a free cell and of freeing it again.
fn time_edits(
    planner: &mut Planner,
    random: &mut SplitMix64,
    count: usize,
) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut times = Vec::new();
    while times.len() < count {
        let cell = any_cell(planner.grid(), random);
        if !planner.grid().is_free(cell) {
            continue;
        }
        for block in [true, false] {
            let begun = Instant::now();
            planner.edit(|grid| if block { grid.block(cell) } else { grid.free(cell) })?;
            times.push(micros(begun));
        }
    }
    Ok(times)
}

fn micros(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e6
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn p99(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get((values.len() * 99).div_ceil(100).saturating_sub(1)).copied().unwrap_or(0.0)
}

fn table(figures: &[Figures]) -> Result<String, std::fmt::Error> {
    let mut text = String::from(
        "| side | free cells | build s | index MB | bytes per free cell | path µs | first move µs | \
         99th percentile | edit µs | 99th percentile | worst | excess % | worst |\n|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in figures {
        let Figures { side, build, bytes, free, query, first, first_p99, edit, edit_p99, edit_worst, excess } =
            row;
        let (excess, worst) = excess.map_or_else(
            || (String::new(), String::new()),
            |(mean, worst)| (format!("{mean:.2}"), format!("{worst:.1}")),
        );
        writeln!(
            text,
            "| {side} | {free} | {:.3} | {:.2} | {:.2} | {query:.1} | {first:.1} | {first_p99:.1} | {edit:.0} | {edit_p99:.0} | {edit_worst:.0} | {excess} | {worst} |",
            build / 1e6,
            bytes / 1e6,
            bytes / free,
        )?;
    }
    Ok(text)
}

fn chart(figures: &[Figures], Options { engine, kind, .. }: &Options) -> LineChart {
    let series = |name: &str, value: fn(&Figures) -> f64| {
        Series::new(name, figures.iter().map(|row| (row.side, value(row))))
    };
    LineChart {
        title: format!("{engine} on generated maps ({kind}) of growing size"),
        x_label: "side of the map in cells".into(),
        y_label: "microseconds; bytes".into(),
        x_scale: Scale::Log2,
        y_scale: Scale::Log10,
        series: vec![
            series("index, bytes", |row| row.bytes),
            series("build, µs", |row| row.build),
            series("path, µs", |row| row.query),
            series("first move, µs", |row| row.first),
            series("edit of one cell, µs", |row| row.edit),
        ],
    }
}
