//! Measuring one engine or crate on one map.

use crate::Options;
use crate::figures::{Figures, Spread, mean};
use crate::pages;
use farstride::hpa::{Hierarchy, HpaSettings};
use farstride::{Cell, Engine, Grid, Planned, Planner, Query, Rect, Scratch};
use farstride_bench::rivals::{GridPathfinding, Hierarchical, Pathfinding, Petgraph};
use farstride_bench::{Rival, workload};
use farstride_testkit::{PlainMap, SplitMix64};
use std::error::Error;
use std::time::{Duration, Instant};

/// Measures our engine on a map.
pub(crate) fn engine(options: &Options, kind: &str, grid: Grid) -> Result<Figures, Box<dyn Error>> {
    let (side, free) = (grid.width(), grid.free_count());
    let begun = Instant::now();
    let mut planner = planner(grid, options)?;
    let build = micros(begun);
    let saved = planner.index().map(|index| farstride::store::save(index, planner.grid()));
    let bytes = saved.transpose()?.map(|saved| saved.len());
    let pages = (options.pages > 0).then(|| pages::count(&planner, options)).transpose()?;
    let mut random = SplitMix64::new(options.seed);
    let queries = draw_queries(planner.grid(), &mut random, options.sample);
    let [path_once, first_once] = time_once(&planner, &queries)?;
    let [paths, firsts] = time_queries(&planner, &queries)?;
    let excess = (options.compare > 0).then(|| compare(&planner, options)).transpose()?;
    let edits = time_edits(&mut planner, &mut random, options.sample)?;
    let cut = time_cut(&mut planner)?;
    Ok(Figures {
        engine: options.engine.name().to_owned(),
        kind: kind.to_owned(),
        side,
        free,
        build: Some(build),
        bytes,
        path: Some(mean(&paths)),
        first: Some(Spread::of(firsts)),
        path_once: Some(mean(&path_once)),
        first_once: Some(Spread::of(first_once)),
        edit: Some(Spread::of(edits)),
        cut,
        excess: excess.map(Spread::of),
        pages: pages.flatten().map(Spread::of),
        gave_up: None,
    })
}

fn planner(grid: Grid, options: &Options) -> Result<Planner, Box<dyn Error>> {
    if options.engine != Engine::Hpa {
        return Ok(Planner::with_engine(grid, options.engine)?);
    }
    let usual = HpaSettings::default();
    let settings = usual
        .with_levels(options.levels.unwrap_or(usual.levels))
        .with_gap(options.gap.unwrap_or(usual.gap))
        .with_net(options.net.unwrap_or(usual.net));
    let hierarchy = Hierarchy::build(&grid, settings)?;
    Ok(Planner::with_index(grid, hierarchy)?)
}

pub(crate) fn any_cell(grid: &Grid, random: &mut SplitMix64) -> Cell {
    Cell::new(random.below(grid.width()) as u16, random.below(grid.height()) as u16)
}

/// Queries between connected cells.
fn draw_queries(grid: &Grid, random: &mut SplitMix64, count: usize) -> Vec<Query> {
    let ends = std::iter::repeat_with(|| (any_cell(grid, random), any_cell(grid, random)));
    let connected = ends.filter(|&(start, goal)| start != goal && grid.is_connected(start, goal));
    connected.map(|(start, goal)| Query::new(start, goal)).take(count).collect()
}

/// Time of a whole path.
fn time_path(planner: &Planner, query: Query, scratch: &mut Scratch) -> Result<f64, Box<dyn Error>> {
    let begun = Instant::now();
    std::hint::black_box(planner.find(query, scratch)?);
    Ok(micros(begun))
}

/// Time of a first move.
fn time_first(planner: &Planner, query: Query, scratch: &mut Scratch) -> Result<f64, Box<dyn Error>> {
    let begun = Instant::now();
    if let Planned::Plan(mut plan) = planner.plan(query, scratch)? {
        std::hint::black_box(plan.step(planner, scratch)?);
    }
    Ok(micros(begun))
}

/// Times of whole paths and of first moves. All queries are asked in turn, so that on a large map what one of them reads has
/// mostly left the caches when the next one comes.
fn time_once(planner: &Planner, queries: &[Query]) -> Result<[Vec<f64>; 2], Box<dyn Error>> {
    let mut scratch = Scratch::new();
    // Its memory grows with the first queries.
    for &query in queries.iter().rev().take(20) {
        time_path(planner, query, &mut scratch)?;
    }
    let paths =
        queries.iter().map(|&query| time_path(planner, query, &mut scratch)).collect::<Result<_, _>>()?;
    let firsts =
        queries.iter().map(|&query| time_first(planner, query, &mut scratch)).collect::<Result<_, _>>()?;
    Ok([paths, firsts])
}

/// Times of whole paths and of first moves, each the least of three in a row.
fn time_queries(planner: &Planner, queries: &[Query]) -> Result<[Vec<f64>; 2], Box<dyn Error>> {
    let mut scratch = Scratch::new();
    let (mut paths, mut firsts) = (Vec::new(), Vec::new());
    for &query in queries {
        let mut least = [f64::INFINITY; 2];
        for _ in 0..3 {
            least[0] = least[0].min(time_path(planner, query, &mut scratch)?);
            least[1] = least[1].min(time_first(planner, query, &mut scratch)?);
        }
        paths.push(least[0]);
        firsts.push(least[1]);
    }
    Ok([paths, firsts])
}

/// Excess cost over the shortest path, in percent.
fn compare(planner: &Planner, options: &Options) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut random = SplitMix64::new(options.seed);
    // Much faster than A*, and just as exact.
    let engine = if planner.grid().is_uniform() { Engine::NsgPlus } else { Engine::Astar };
    let exact = Planner::with_engine(planner.grid().clone(), engine)?;
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
    Ok(excess)
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
            times.push(time_edit(planner, cell, block)?);
        }
    }
    Ok(times)
}

fn time_edit(planner: &mut Planner, cell: Cell, block: bool) -> Result<f64, Box<dyn Error>> {
    let begun = Instant::now();
    planner.edit(|grid| if block { grid.block(cell) } else { grid.free(cell) })?;
    Ok(micros(begun))
}

/// Gaps that are tried.
const GAPS: usize = 12;

/// Times of closing and opening the only gap in a wall across the whole map: the worst of some gaps. Beside many
/// of them one side is a corner that is cut off anyway.
fn time_cut(planner: &mut Planner) -> Result<Option<[f64; 2]>, Box<dyn Error>> {
    let grid = planner.grid();
    let (column, height) = ((grid.width() / 2) as u16, grid.height() as u16);
    let is_gap = |row: &u16| (column - 1..=column + 1).all(|column| grid.is_free(Cell::new(column, *row)));
    let rows: Vec<u16> = (0..height).filter(is_gap).collect();
    if rows.is_empty() {
        return Ok(None);
    }
    planner.edit(|grid| grid.block(Rect::spanning(Cell::new(column, 0), Cell::new(column, height - 1))))?;
    let mut worst = [0.0_f64; 2];
    for row in rows.iter().step_by(rows.len().div_ceil(GAPS)) {
        let gap = Cell::new(column, *row);
        let _ = planner.edit(|grid| grid.free(gap))?;
        for (worst, block) in worst.iter_mut().zip([true, false]) {
            *worst = worst.max(time_edit(planner, gap, block)?);
        }
        let _ = planner.edit(|grid| grid.block(gap))?;
    }
    Ok(Some(worst))
}

/// The crates that are asked, too.
pub(crate) fn rivals(queries: usize) -> Vec<Box<dyn Rival>> {
    if queries == 0 {
        return Vec::new();
    }
    vec![
        Box::new(Pathfinding),
        Box::new(Petgraph),
        Box::new(GridPathfinding::Plain),
        Box::new(Hierarchical::STRICT_32),
    ]
}

/// The longest that a crate may take for a map.
const PATIENCE: Duration = Duration::from_secs(60);

/// Measures another crate on a map without weights; `None` if it cannot work there.
pub(crate) fn rival(rival: &dyn Rival, kind: &str, map: &PlainMap, options: &Options) -> Option<Figures> {
    let begun = Instant::now();
    let mut prepared = rival.prepare(map).ok()?;
    let build = micros(begun);
    let mut path = Vec::new();
    let mut times = Vec::new();
    for (start, goal) in workload::queries_in_largest_region(map, options.rivals, options.seed) {
        if begun.elapsed() > PATIENCE {
            break;
        }
        let begun = Instant::now();
        std::hint::black_box(prepared.query(start, goal, &mut path));
        times.push(micros(begun));
    }
    let gave_up = (begun.elapsed() > PATIENCE).then(|| "took more than a minute: gave up".to_owned());
    Some(Figures {
        engine: rival.name().to_owned(),
        kind: kind.to_owned(),
        side: map.width,
        free: map.free_points().len(),
        build: Some(build),
        path: (!times.is_empty()).then(|| mean(&times)),
        gave_up,
        ..Figures::default()
    })
}

fn micros(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e6
}
