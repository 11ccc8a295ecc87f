//! `farstride demo`: the first impression.

use super::render::{Drawn, draw_paths, write_scene};
use crate::world::{self, TOUR};
use crate::{Ending, output};
use farstride::search::Counters;
use farstride::{Engine, Grid, Outcome, Planner, Query, Scratch};
use farstride_io::picture::Scene;
use farstride_io::terminal;
use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Show what every engine does on the built-in map.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  farstride demo -o tour.svg")]
pub(crate) struct Args {
    /// Picture to write, .png or .svg.
    #[arg(short, long, default_value = PICTURE, value_name = "FILE")]
    output: PathBuf,
}

const PICTURE: &str = "farstride-demo.png";

impl Default for Args {
    fn default() -> Self {
        Self { output: PICTURE.into() }
    }
}

/// How often each query is run; the least time counts.
const REPEATS: usize = 20;

const NEXT: &str = "\
Try next:
  farstride path --from 12,33 --to 147,11 --engine theta
  farstride render --from 12,33 --to 147,11 --engine astar,theta,hpa,hpt -o four.svg
  farstride render --from 12,33 --to 147,11 --show clusters,abstract,smoothed -o hpa.svg
  farstride render --show levels --engine nsg+ -o levels.svg
  farstride gen caves --size 400x300 --seed 7 -o caves.map
  farstride render --map caves.map
  farstride --help
";

struct Measured {
    engine: Engine,
    /// Time that preparing the map took.
    build: Duration,
    length: f64,
    time: Duration,
    expanded: u64,
    drawn: Drawn,
}

pub(crate) fn run(args: &Args) -> Ending {
    let grid = Arc::new(world::built_in()?);
    let mut measured = Vec::new();
    for engine in Engine::ALL {
        measured.extend(measure(&grid, engine)?);
    }
    let mut text = format!(
        "farstride on its built-in map of {} x {} cells, from {} to {}\n\n",
        grid.width(),
        grid.height(),
        TOUR.0,
        TOUR.1
    );
    text += &table(&measured)?;
    let paths = shown(measured);
    text.push('\n');
    let first: Vec<&[_]> = paths.iter().map(|path| path.cells.as_slice()).take(1).collect();
    text += &terminal::draw(&grid, &first, output::screen());
    let mut scene = Scene::new(&grid);
    draw_paths(&mut scene, &paths);
    write_scene(scene, None, &grid, &args.output)?;
    write!(text, "\nPicture with the paths of the engines that differ: {}\n\n{NEXT}", args.output.display())?;
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs one engine over the tour; `None` if it finds nothing.
fn measure(grid: &Arc<Grid>, engine: Engine) -> Result<Option<Measured>, Box<dyn Error>> {
    let begun = Instant::now();
    let planner = Planner::with_engine(Arc::clone(grid), engine)?;
    let build = begun.elapsed();
    let mut scratch = Scratch::new();
    let query = Query::new(TOUR.0, TOUR.1);
    let mut counters = Counters::default();
    planner.find_observed(query, &mut counters, &mut scratch)?;
    let mut time = Duration::MAX;
    for _ in 0..REPEATS {
        let begun = Instant::now();
        planner.find(query, &mut scratch)?;
        time = time.min(begun.elapsed());
    }
    let Outcome::Found(route) = planner.find(query, &mut scratch)? else { return Ok(None) };
    let length = route.length();
    let drawn = Drawn {
        label: format!("{engine}: length {length:.2}"),
        cells: route.path().cells().to_vec(),
        any_angle: engine.is_any_angle(),
    };
    Ok(Some(Measured { engine, build, length, time, expanded: counters.expanded, drawn }))
}

fn table(measured: &[Measured]) -> Result<String, std::fmt::Error> {
    let mut text =
        String::from("engine        build    length   of A*     time   of A*   expanded   of A*\n");
    let Some(plain) = measured.iter().find(|row| row.engine == Engine::Astar) else { return Ok(text) };
    for row in measured {
        writeln!(
            text,
            "{:<11}{:>5.1} ms{:>10.2}{:>7.1}%{:>7.1} µs{:>7.3}x{:>11}{:>7.2}x",
            row.engine.name(),
            row.build.as_secs_f64() * 1e3,
            row.length,
            100.0 * row.length / plain.length,
            row.time.as_secs_f64() * 1e6,
            row.time.as_secs_f64() / plain.time.as_secs_f64(),
            row.expanded,
            row.expanded as f64 / plain.expanded as f64,
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
    rows.into_iter().map(|row| row.drawn).collect()
}
