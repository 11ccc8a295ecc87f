//! `farstride info`: what a file holds.

use crate::{Ending, output};
use farstride_io::movingai;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Describe a map: its size, free cells and connected regions.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  farstride info orz700d.map")]
pub(crate) struct Args {
    /// Map in the MovingAI format.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    kind: &'static str,
    width: usize,
    height: usize,
    cells: usize,
    free_cells: usize,
    regions: usize,
    memory_bytes: usize,
}

pub(crate) fn run(args: &Args) -> Ending {
    let grid = movingai::load_map(&args.file)?;
    let report = Report {
        kind: "map",
        width: grid.width(),
        height: grid.height(),
        cells: grid.width() * grid.height(),
        free_cells: grid.free_count(),
        regions: grid.region_count(),
        memory_bytes: grid.memory_bytes(),
    };
    if args.json {
        output::print_json(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    let share = 100.0 * report.free_cells as f64 / report.cells as f64;
    output::print(&format!(
        "map of {} x {} cells\n{} free cells ({share:.1} %) in {} connected regions\n{} bytes in memory\n",
        report.width, report.height, report.free_cells, report.regions, report.memory_bytes
    ))?;
    Ok(ExitCode::SUCCESS)
}
