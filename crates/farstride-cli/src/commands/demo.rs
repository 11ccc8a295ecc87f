//! `farstride demo`: the first impression.

use super::render::{Drawn, draw_paths, write_scene};
use crate::stats::{excess_pct, mean};
use crate::world::{self, TERRAIN_TOUR, TOUR};
use crate::{Ending, output};
use farstride::error::QueryError;
use farstride::search::Counters;
use farstride::{Cell, Engine, Grid, Outcome, Planner, Query, Route, Scratch};
use farstride_io::picture::Scene;
use farstride_io::terminal;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// Show what every engine does on the built-in map, and some on a map with weights.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  farstride demo -o tour.svg")]
pub(crate) struct Args {
    /// Picture to write, .png or .svg; the one of the map with weights gets -terrain
    /// added to this name.
    #[arg(short, long, default_value = PICTURE, value_name = "FILE")]
    output: PathBuf,
}

const PICTURE: &str = "farstride-demo.png";

impl Default for Args {
    fn default() -> Self {
        Self { output: PICTURE.into() }
    }
}

/// How often the query of the picture is run; its least time counts.
const REPEATS: usize = 20;

/// The random queries behind the means, and how often each is run.
const QUERIES: usize = 300;
const SEED: u64 = 1;
const PASSES: usize = 3;

const NEXT: &str = "\
Try next:
  farstride path --from 126,56 --to 3,2 --engine theta
  farstride render --from 126,56 --to 3,2 --engine astar,theta,hpa,hpt -o four.svg
  farstride render --from 126,56 --to 3,2 --show clusters,abstract,smoothed -o hpa.svg
  farstride render --show levels --engine nsg+ -o levels.svg
  farstride gen terrain --size 150x84 --seed 3 -o land.pgm
  farstride bench --weights land.pgm --queries 300 --engine astar,overlay,hpa
  farstride gen caves --size 400x300 --seed 7 -o caves.map
  farstride render --map caves.map
  farstride --help
";

/// What one engine showed.
struct Measured {
    engine: Engine,
    /// Seconds to build the index.
    build: f64,
    tour: Tour,
    /// Lengths of the paths of the random queries, and the mean of their times in
    /// seconds.
    lengths: Vec<f64>,
    mean_time: f64,
}

/// The query of the picture.
struct Tour {
    length: f64,
    /// Seconds.
    time: f64,
    expanded: u64,
    drawn: Drawn,
}

pub(crate) fn run(args: &Args) -> Ending {
    let grid = Arc::new(world::built_in()?);
    let measured = measure_all(&grid, &Engine::ALL, TOUR)?;
    let mut text = format!(
        "farstride on its built-in map of {} x {} cells: the path from {} to {}, and {QUERIES} random queries\n\n",
        grid.width(),
        grid.height(),
        TOUR.0,
        TOUR.1
    );
    text += &table(&measured, &grid, "the path drawn below")?;
    let paths = shown(measured);
    text.push('\n');
    let first: Vec<&[_]> = paths.iter().map(|path| path.cells.as_slice()).take(1).collect();
    text += &terminal::draw(&grid, &first, output::screen());
    write_picture(&grid, &paths, &args.output)?;

    let terrain = Arc::new(world::terrain()?);
    let measured = measure_all(&terrain, &WEIGHTED, TERRAIN_TOUR)?;
    write!(
        text,
        "\nThe same on a map with weights: grass 2, forest 3 and 5, swamp 10, roads 1; \
         the path from {} to {}\n\n{}",
        TERRAIN_TOUR.0,
        TERRAIN_TOUR.1,
        table(&measured, &terrain, "the path of the second picture")?
    )?;
    let beside = args.beside();
    write_picture(&terrain, &shown(measured), &beside)?;
    write!(
        text,
        "\nPictures with the paths of the engines that differ: {} and {}\n\n{NEXT}",
        args.output.display(),
        beside.display()
    )?;
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Engines for maps with weights.
const WEIGHTED: [Engine; 4] = [Engine::Astar, Engine::Overlay, Engine::Hpa, Engine::Groups];

impl Args {
    /// The picture of the map with weights: `demo.png` has `demo-terrain.png`
    /// beside it.
    fn beside(&self) -> PathBuf {
        let mut name = self.output.file_stem().unwrap_or_default().to_owned();
        name.push("-terrain.");
        name.push(self.output.extension().unwrap_or_default());
        self.output.with_file_name(name)
    }
}

fn write_picture(grid: &Grid, paths: &[Drawn], file: &Path) -> Result<(), Box<dyn Error>> {
    let mut scene = Scene::new(grid);
    draw_paths(&mut scene, paths);
    write_scene(scene, None, grid.area(), file)
}

fn measure_all(
    grid: &Arc<Grid>,
    engines: &[Engine],
    tour: (Cell, Cell),
) -> Result<Vec<Measured>, Box<dyn Error>> {
    let queries = world::random_queries(grid, QUERIES, SEED)?;
    engines.iter().map(|&engine| measure(grid, engine, tour, &queries)).collect()
}

fn measure(
    grid: &Arc<Grid>,
    engine: Engine,
    tour: (Cell, Cell),
    queries: &[(Cell, Cell)],
) -> Result<Measured, Box<dyn Error>> {
    let begun = Instant::now();
    let planner = Planner::with_engine(Arc::clone(grid), engine)?;
    let build = begun.elapsed().as_secs_f64();
    let mut scratch = Scratch::new();
    let tour = run_tour(&planner, tour, &mut scratch)?.ok_or("the path of the picture is blocked")?;
    let lengths = lengths(&planner, queries, &mut scratch)?;
    let mut least = vec![f64::INFINITY; queries.len()];
    for _ in 0..PASSES {
        for (&(start, goal), least) in queries.iter().zip(&mut least) {
            *least = least.min(seconds(&planner, Query::new(start, goal), &mut scratch)?);
        }
    }
    Ok(Measured { engine, build, tour, lengths, mean_time: mean(least) })
}

/// The query of the picture; `None` if there is no path.
fn run_tour(
    planner: &Planner,
    (start, goal): (Cell, Cell),
    scratch: &mut Scratch,
) -> Result<Option<Tour>, QueryError> {
    let (engine, query) = (planner.engine(), Query::new(start, goal));
    let mut counters = Counters::default();
    planner.find_observed(query, &mut counters, scratch)?;
    let mut time = f64::INFINITY;
    for _ in 0..REPEATS {
        time = time.min(seconds(planner, query, scratch)?);
    }
    let Outcome::Found(route) = planner.find(query, scratch)? else { return Ok(None) };
    let length = route.length();
    let drawn = Drawn {
        label: format!("{engine}: {} {length:.2}", world::measure_name(planner.grid())),
        points: route.path().turns().collect(),
        cells: planner.grid().entered_cells(&route.path().turns().collect::<Vec<_>>()),
        any_angle: engine.is_any_angle(),
    };
    Ok(Some(Tour { length, time, expanded: counters.expanded, drawn }))
}

/// Seconds that a query takes.
fn seconds(planner: &Planner, query: Query, scratch: &mut Scratch) -> Result<f64, QueryError> {
    let begun = Instant::now();
    std::hint::black_box(planner.find(query, scratch)?);
    Ok(begun.elapsed().as_secs_f64())
}

/// Lengths of paths; 0 where there is none to find.
fn lengths(
    planner: &Planner,
    queries: &[(Cell, Cell)],
    scratch: &mut Scratch,
) -> Result<Vec<f64>, QueryError> {
    let length = |&(start, goal): &(Cell, Cell)| {
        let outcome = planner.find(Query::new(start, goal), scratch)?;
        Ok(outcome.route().map_or(0.0, Route::length))
    };
    queries.iter().map(length).collect()
}

/// How much longer each path is than A*'s, in percent.
fn excess<'l>(shortest: &'l [f64], found: &'l [f64]) -> impl Iterator<Item = f64> + 'l {
    shortest.iter().zip(found).map(|(&shortest, &found)| excess_pct(shortest, found))
}

/// The figures of a path, which the heading names, and of the random queries.
fn table(measured: &[Measured], grid: &Grid, tour: &str) -> Result<String, std::fmt::Error> {
    let measure = world::measure_name(grid);
    let mut text = format!(
        "                       |{tour:^40}| mean of the random queries\n\
         engine           build |{measure:>9}  vs A*       time   expanded  |      time   vs A*{measure:>8}\n",
    );
    let Some(plain) = measured.iter().find(|row| row.engine == Engine::Astar) else { return Ok(text) };
    for Measured { engine, build, tour, lengths, mean_time } in measured {
        let build = if engine.has_index() { output::time(*build) } else { "-".to_owned() };
        writeln!(
            text,
            "{:<11}{build:>11} |{:>9.2}{:>+6.1}%{:>11}{:>11}  |{:>10}{:>7.2}x{:>+7.2}%",
            engine.name(),
            tour.length,
            excess_pct(plain.tour.length, tour.length),
            output::time(tour.time),
            tour.expanded,
            output::time(*mean_time),
            mean_time / plain.mean_time,
            mean(excess(&plain.lengths, lengths)),
        )?;
    }
    Ok(text)
}

/// The paths worth drawing: plain A*'s first, and one of each kind.
fn shown(measured: Vec<Measured>) -> Vec<Drawn> {
    let is_like_another = |engine| {
        matches!(
            engine,
            Engine::Dijkstra
                | Engine::LazyTheta
                | Engine::Ssg
                | Engine::Tsg
                | Engine::Tl
                | Engine::Nsg
                | Engine::Labels
        )
    };
    let mut rows: Vec<_> = measured.into_iter().filter(|row| !is_like_another(row.engine)).collect();
    rows.sort_by_key(|row| row.engine != Engine::Astar);
    rows.into_iter().map(|row| row.tour.drawn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{percentile, sorted};

    /// The first impression must be neither the best nor the worst of an engine.
    fn assert_typical(grid: Grid, tour: (Cell, Cell), engines: &[Engine]) {
        let grid = Arc::new(grid);
        let queries = world::random_queries(&grid, QUERIES, SEED).unwrap();
        let found = |engine| {
            let planner = Planner::with_engine(Arc::clone(&grid), engine).unwrap();
            let mut scratch = Scratch::new();
            let tour = lengths(&planner, &[tour], &mut scratch).unwrap();
            (tour, lengths(&planner, &queries, &mut scratch).unwrap())
        };
        let (shortest_tour, shortest) = found(Engine::Astar);
        for &engine in engines {
            let (tour, all) = found(engine);
            let tour = excess_pct(shortest_tour[0], tour[0]);
            let all = sorted(excess(&shortest, &all));
            let (low, high) = (percentile(&all, 25), percentile(&all, 75));
            assert!((low..=high).contains(&tour), "{engine}: {tour} is not within {low} to {high}");
        }
    }

    #[test]
    fn the_path_of_the_picture_is_typical() {
        let engines = [Engine::Hpa, Engine::Hpt, Engine::Groups, Engine::Theta];
        assert_typical(world::built_in().unwrap(), TOUR, &engines);
    }

    #[test]
    fn the_path_over_terrain_is_typical() {
        assert_typical(world::terrain().unwrap(), TERRAIN_TOUR, &[Engine::Hpa, Engine::Groups]);
    }
}
