//! `farstride paper hpa`: Botea, Müller, Schaeffer 2004, "Near Optimal
//! Hierarchical Path-Finding".
//!
//! Maps and queries ([`site`]) are measured twice: what can be counted on all
//! cores ([`gather`]), times on one ([`timing`]). The statistics are plain data
//! ([`summary`]) that is drawn ([`figures`]) and written ([`text`]).

mod book;
mod figures;
mod gather;
mod published;
mod site;
mod straight;
mod summary;
mod text;
mod timing;

use super::report;
use farstride_cli::{Ending, output};
use gather::Counted;
use rayon::prelude::*;
use site::Site;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use summary::Summary;

/// Near Optimal Hierarchical Path-Finding: Tables 2 and 3, Figures 5 to 8.
#[derive(clap::Args)]
#[command(after_help = "\
Settings as in the paper: clusters of 10 x 10 cells, two transitions for entrances of 6 cells or more,
diagonal steps of 1.42 past at most one blocked cell, one to three levels, 100 random pairs of
connected cells per map. Writes figures and a summary to a folder.

Example:
  farstride paper hpa --data movingai --out paper-hpa")]
pub(crate) struct Args {
    /// Folder with sets of maps.
    #[arg(long, value_name = "DIR")]
    data: PathBuf,

    /// Set to measure.
    #[arg(long, default_value = "bgmaps", value_name = "SET")]
    set: String,

    /// Folder to write to; created if missing.
    #[arg(long, default_value = "paper-hpa", value_name = "DIR")]
    out: PathBuf,

    /// Measure only the first N maps.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Seed of the random pairs.
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,

    /// Print one JSON document instead of the summary.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Ending {
    let begun = Instant::now();
    let files = map_files(&args.data.join(&args.set), args.limit.unwrap_or(usize::MAX))?;
    report::make_folder(&args.out)?;
    let (sites, counted) = count(&files, args.seed)?;
    let times = timing::measure(&sites)?;
    let seconds = begun.elapsed().as_secs_f64();
    let summary = Summary::new(&sites, &counted, &times, args.seed, seconds);

    let text = text::markdown(&summary)?;
    report::write(&args.out, &figures::draw(&summary), &text, args.json.then_some(&summary))?;
    Ok(ExitCode::SUCCESS)
}

/// The maps of a folder by name.
fn map_files(folder: &Path, limit: usize) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let entries =
        fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "map") {
            files.push(path);
        }
    }
    if files.is_empty() || limit == 0 {
        return Err(format!("no maps to measure in {}", folder.display()).into());
    }
    files.sort();
    files.truncate(limit);
    Ok(files)
}

/// Prepares every map and counts what its queries take, on all cores; the
/// order, and with it every figure, is that of the files.
fn count(files: &[PathBuf], seed: u64) -> Result<(Vec<Site>, Vec<Counted>), Box<dyn Error>> {
    let bar = output::progress(files.len(), "counting");
    let measured: Result<Vec<_>, String> = files
        .par_iter()
        .enumerate()
        .map(|(number, file)| {
            let site = Site::load(file, seed, number)?;
            let counted = gather::count(&site)?;
            bar.inc(1);
            Ok((site, counted))
        })
        .collect();
    bar.finish_and_clear();
    Ok(measured?.into_iter().unzip())
}
