//! `farstride paper hpt`: van Elswijk 2013, "Hierarchical Path-Finding Theta*".
//!
//! Maps and problems ([`site`]) are answered by every method ([`methods`]) and
//! counted on all cores ([`gather`]); times are taken on one ([`timing`]). The
//! statistics are plain data ([`summary`]) that is written ([`text`]); every
//! problem is drawn ([`figures`]).

mod figures;
mod gather;
mod methods;
mod published;
mod site;
mod summary;
mod text;
mod timing;

use super::report;
use farstride_cli::Ending;
use site::Site;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use summary::{Measured, Summary};

/// Hierarchical Path-Finding Theta*: Tables 2 to 4, Figures 4 to 6.
#[derive(clap::Args)]
#[command(after_help = "\
Measures A*, Theta*, HPA* and HPT* on all solvable problems of ten Dragon Age maps: lengths, visits
and nodes in memory, with searches as in the thesis, textbook searches and ours. Also tries which rule
for diagonal steps and which cluster size the thesis may have used, and measures times, which it does
not give. Writes figures and a summary to a folder. Exits with 2 if an HPA* path is shorter than A*'s
or a leg of a path crosses a blocked cell.

Examples:
  farstride paper hpt --data movingai --out paper-hpt
  farstride paper hpt --data movingai --limit 50 --json")]
pub(crate) struct Args {
    /// Folder with the set dao and its scenarios.
    #[arg(long, value_name = "DIR")]
    data: PathBuf,

    /// Folder to write to; created if missing.
    #[arg(long, default_value = "paper-hpt", value_name = "DIR")]
    out: PathBuf,

    /// Maximum number of problems per map, evenly spread over its scenario.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,

    /// Print one JSON document instead of the summary.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Ending {
    let begun = Instant::now();
    let files = site::map_files(&args.data.join("dao"))?;
    let limit = args.limit.map_or(usize::MAX, |limit| limit as usize);
    let load = |file: &PathBuf| Ok(Site::load(file, limit)?);
    let sites = gather::on_all_cores("loading", &files, load)?;
    report::make_folder(&args.out)?;
    let ways = gather::prepare(&sites)?;
    let samples = gather::count(&sites, &ways)?;
    drop(ways);
    let by_cluster = gather::count_sizes(&sites, &samples)?;
    let by_rule = gather::count_rules(&sites)?;
    let times = timing::measure(&sites)?;
    let summary = Summary::new(&Measured {
        sites: &sites,
        samples: &samples,
        by_cluster: &by_cluster,
        by_rule: &by_rule,
        times: &times,
        seconds: begun.elapsed().as_secs_f64(),
    });
    let text = text::markdown(&summary)?;
    report::write(&args.out, &figures::draw(&samples), &text, args.json.then_some(&summary))?;
    match summary.fault() {
        Some(fault) => Err(fault.into()),
        None => Ok(ExitCode::SUCCESS),
    }
}
