//! `farstride info`: what a file holds.

mod of_index;

use crate::{Ending, output};
use farstride_io::{index, movingai};
use of_index::IndexReport;
use serde::Serialize;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Describe a map or an index.
#[derive(clap::Args)]
#[command(after_help = "\
For a map: size, free cells and connected regions. For an index: engine, settings, the sizes of its
levels and segments, and the digest of its map.

Examples:
  farstride info orz700d.map
  farstride info orz700d.fsi --json")]
pub(crate) struct Args {
    /// Map in the MovingAI format, or index written by 'farstride build'.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Ending {
    if index::is_index(&args.file) {
        let report = IndexReport::new(&index::describe(&args.file)?)?;
        show(args, &report, &report.text()?)?;
    } else {
        let report = MapReport::load(&args.file)?;
        show(args, &report, &report.text())?;
    }
    Ok(ExitCode::SUCCESS)
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
    memory_bytes: usize,
    /// Under the default rules.
    digest: String,
}

impl MapReport {
    fn load(file: &Path) -> Result<Self, Box<dyn Error>> {
        let grid = movingai::load_map(file)?;
        Ok(Self {
            kind: "map",
            width: grid.width(),
            height: grid.height(),
            cells: grid.width() * grid.height(),
            free_cells: grid.free_count(),
            regions: grid.region_count(),
            memory_bytes: grid.memory_bytes(),
            digest: hex(grid.digest()),
        })
    }

    fn text(&self) -> String {
        let Self { width, height, cells, free_cells, regions, memory_bytes, digest, .. } = self;
        let share = 100.0 * *free_cells as f64 / *cells as f64;
        format!(
            "map of {width} x {height} cells, digest {digest} under the default rules\n\
             {free_cells} free cells ({share:.1} %) in {regions} connected regions\n\
             {memory_bytes} bytes in memory\n"
        )
    }
}
