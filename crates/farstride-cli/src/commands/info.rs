//! `farstride info`: what a file holds.

mod of_index;

use crate::options::{TerrainOptions, is_image_file};
use crate::{Ending, output};
use farstride::Grid;
use farstride_io::{index, weights};
use of_index::IndexReport;
use serde::Serialize;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// Describe a map or an index.
#[derive(clap::Args)]
#[command(after_help = "\
For a map or an image of weights: size, free cells, weights and connected regions. For an index:
engine, settings, the sizes of its levels and segments, and the digest of its map.

Examples:
  farstride info orz700d.map
  farstride info land.pgm
  farstride info orz700d.map --terrain T=5
  farstride info orz700d.fsi --json")]
pub(crate) struct Args {
    /// Map in the MovingAI format, image of weights, or index written by
    /// 'farstride build'.
    #[arg(value_name = "FILE", required_unless_present = "weights")]
    file: Option<PathBuf>,

    #[command(flatten)]
    terrain: TerrainOptions,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Ending {
    match &args.file {
        Some(file) if index::is_index(file) => {
            if args.terrain.is_given() {
                return Err("an index takes no --weights and no --terrain: it has those of its map".into());
            }
            let report = IndexReport::new(&index::describe(file)?)?;
            show(args, &report, &report.text()?)?;
        }
        _ => {
            let report = MapReport::new(&load(args)?);
            show(args, &report, &report.text())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The map with its weights; a file of weights may stand in for the map.
fn load(args: &Args) -> Result<Grid, Box<dyn Error>> {
    match &args.file {
        Some(file) if !args.terrain.is_given() && is_image_file(file) => {
            Ok(weights::load_weights(file)?.to_grid())
        }
        file => args.terrain.load(file.as_deref())?.ok_or_else(|| "name a file".into()),
    }
}

/// A digest as sixteen hex digits; JSON numbers cannot hold it.
pub(crate) fn hex(digest: u64) -> String {
    format!("{digest:016x}")
}

fn show(args: &Args, report: &impl Serialize, text: &str) -> Result<(), Box<dyn Error>> {
    if args.json { output::print_json(report) } else { output::print(text) }
}

#[derive(Serialize)]
struct MapReport {
    kind: &'static str,
    width: usize,
    height: usize,
    cells: usize,
    free_cells: usize,
    regions: usize,
    /// Free cells by weight, the lightest first.
    weights: Vec<(u8, usize)>,
    /// Mean over the free cells.
    mean_weight: f64,
    memory_bytes: usize,
    /// Under the default rules.
    digest: String,
}

impl MapReport {
    fn new(grid: &Grid) -> Self {
        let mut counts = [0; 256];
        for cell in grid.area().cells().filter(|&cell| grid.is_free(cell)) {
            counts[usize::from(grid.weight(cell))] += 1;
        }
        let weights: Vec<(u8, usize)> = (0..=u8::MAX).zip(counts).filter(|&(_, count)| count > 0).collect();
        let sum: usize = weights.iter().map(|&(weight, count)| usize::from(weight) * count).sum();
        Self {
            kind: "map",
            width: grid.width(),
            height: grid.height(),
            cells: grid.width() * grid.height(),
            free_cells: grid.free_count(),
            regions: grid.region_count(),
            weights,
            mean_weight: sum as f64 / grid.free_count().max(1) as f64,
            memory_bytes: grid.memory_bytes(),
            digest: hex(grid.digest()),
        }
    }

    fn text(&self) -> String {
        let Self { width, height, cells, free_cells, regions, memory_bytes, digest, .. } = self;
        let share = 100.0 * *free_cells as f64 / *cells as f64;
        format!(
            "map of {width} x {height} cells, digest {digest} under the default rules\n\
             {free_cells} free cells ({share:.1} %) in {regions} connected regions\n\
             {}{memory_bytes} bytes in memory\n",
            self.told_weights(),
        )
    }
    /// A line on the weights, if there are any.
    fn told_weights(&self) -> String {
        match self.weights[..] {
            [] | [(1, _)] => String::new(),
            [(least, _), .., (most, _)] | [(least @ most, _)] => {
                format!("weights from {least} to {most}, {:.2} on average\n", self.mean_weight)
            }
        }
    }
}
