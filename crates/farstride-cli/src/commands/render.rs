//! `farstride render`: pictures of maps and paths.

use crate::options::{EngineOption, MapOptions, parse_cell};
use crate::{Ending, output};
use farstride::{Cell, Grid, Outcome, Planner, Query, Scratch};
use farstride_io::picture::{Colour, Scene};
use farstride_io::terminal;
use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Draw a map, and paths on it, as PNG, SVG or in the terminal.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  farstride render
  farstride render --map caves.map -o caves.svg
  farstride render --from 12,33 --to 147,11 --engine astar,theta -o both.png")]
pub(crate) struct Args {
    #[command(flatten)]
    map: MapOptions,

    /// Where the paths start.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_cell, requires = "to")]
    from: Option<Cell>,

    /// Where they go.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_cell, requires = "from")]
    to: Option<Cell>,

    /// One path for each of these engines, separated by commas.
    #[arg(long, default_value = "auto", value_name = "NAMES", value_delimiter = ',', value_parser = EngineOption::parse)]
    engine: Vec<EngineOption>,

    /// Pixels per cell in a PNG; left out: what fits a screen.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u16).range(1..=64))]
    scale: Option<u16>,

    /// Picture to write, .png or .svg; left out: draw in the terminal.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A path and how to label it.
pub(crate) struct Drawn {
    pub(crate) label: String,
    pub(crate) cells: Vec<Cell>,
}

pub(crate) fn run(args: &Args) -> Ending {
    if let Some(path) = &args.output {
        Format::of(path)?; // before any work is done
    }
    let grid = Arc::new(args.map.load()?);
    let mut drawn = Vec::new();
    if let (Some(from), Some(to)) = (args.from, args.to) {
        for engine in &args.engine {
            drawn.push(find(&grid, *engine, from, to)?);
        }
    }
    let code = ExitCode::from(u8::from(drawn.iter().any(|path| path.cells.is_empty())));
    if let Some(path) = &args.output {
        write_picture(&grid, &drawn, args.scale, path)?;
    } else {
        let paths: Vec<&[Cell]> = drawn.iter().map(|path| path.cells.as_slice()).collect();
        output::print(&terminal::draw(&grid, &paths, output::screen()))?;
    }
    for path in &drawn {
        output::tell(&path.label);
    }
    Ok(code)
}

fn find(grid: &Arc<Grid>, engine: EngineOption, from: Cell, to: Cell) -> Result<Drawn, Box<dyn Error>> {
    let (engine, _) = engine.choose(grid);
    let planner = Planner::with_engine(Arc::clone(grid), engine)?;
    let mut scratch = Scratch::new();
    Ok(match planner.find(Query::new(from, to), &mut scratch)? {
        Outcome::Found(route) => {
            let label = format!("{engine}: length {:.3}", route.length());
            Drawn { label, cells: route.path().cells().to_vec() }
        }
        Outcome::AlreadyThere => Drawn { label: format!("{engine}: already there"), cells: vec![from] },
        _ => Drawn { label: format!("{engine}: no route from {from} to {to}"), cells: Vec::new() },
    })
}

#[derive(Clone, Copy)]
enum Format {
    Png,
    Svg,
}

impl Format {
    fn of(path: &Path) -> Result<Self, String> {
        match path.extension().map(OsStr::to_ascii_lowercase) {
            Some(ending) if ending == "png" => Ok(Self::Png),
            Some(ending) if ending == "svg" => Ok(Self::Svg),
            _ => Err(format!("{}: a picture's name ends in .png or .svg", path.display())),
        }
    }
}

/// Largest map drawn as SVG; noise of this size makes tens of megabytes.
const LARGEST_SVG: usize = 4096 * 4096;

/// Writes a picture in the format that its name asks for.
pub(crate) fn write_picture(
    grid: &Grid,
    drawn: &[Drawn],
    scale: Option<u16>,
    path: &Path,
) -> Result<(), Box<dyn Error>> {
    let format = Format::of(path)?;
    let mut scene = Scene::new(grid);
    if let Some(scale) = scale {
        scene.scale(scale);
    }
    for (number, path) in drawn.iter().enumerate() {
        scene.route(&path.cells, Colour::path(number));
        scene.legend(Colour::path(number), path.label.as_str());
    }
    let bytes = match format {
        Format::Png => scene.to_png()?,
        Format::Svg if grid.width() * grid.height() > LARGEST_SVG => {
            return Err("the map is too large for an SVG that programs can open; write a .png".into());
        }
        Format::Svg => scene.to_svg().into_bytes(),
    };
    output::write_file(path, &bytes)
}
