//! `farstride paper nlevel`: Uras, Koenig 2014, "Identifying Hierarchies for
//! Fast Optimal Search".
//!
//! The maps of every row of its table ([`sets`], [`published`]) are measured
//! one after the other ([`measure`]). The statistics are plain data
//! ([`summary`]) that is drawn ([`figures`]) and written ([`text`]).

mod figures;
mod measure;
mod published;
mod sets;
mod summary;
mod text;

use super::report;
use farstride_cli::{Ending, output};
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use summary::{SetRow, Summary};

/// Identifying Hierarchies for Fast Optimal Search: Table 1.
#[derive(clap::Args)]
#[command(after_help = "\
Measures A*, simple subgoal graphs (S: ssg), two-level graphs without edges between local subgoals
(TL: tl) and N-level graphs (S_N: nsg, S_N+: nsg+) on every set of maps it finds: run times, levels,
partitioning times. Compare the speed relative to A* with the paper; absolute times depend on the
machine. Writes charts and a summary to a folder. Exits with 1 if an optimal method is not optimal.

Examples:
  farstride paper nlevel --data movingai --out paper-nlevel
  farstride paper nlevel --data movingai --limit 1000000 --json")]
pub(crate) struct Args {
    /// Folder with some of the sets bg512, dao, sc1, wc3maps512, mazes, random and
    /// rooms, with scenarios.
    #[arg(long, value_name = "DIR")]
    data: PathBuf,

    /// Folder to write to; created if missing.
    #[arg(long, default_value = "paper-nlevel", value_name = "DIR")]
    out: PathBuf,

    /// Maximum number of queries per map, evenly spread over its scenario.
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,

    /// Print one JSON document instead of the summary.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Ending {
    let begun = Instant::now();
    let sets = sets::find(&args.data)?;
    report::make_folder(&args.out)?;
    let (rows, differences) = measure_all(&sets, args.limit as usize)?;
    let seconds = begun.elapsed().as_secs_f64();
    let summary = Summary::new(rows, args.limit as usize, seconds, &differences);

    let text = text::markdown(&summary)?;
    report::write(&args.out, &figures::draw(&summary), &text, args.json.then_some(&summary))?;
    if let Some(first) = &summary.first_difference {
        output::tell(&format!("{} queries differ from A*; the first is {first}", summary.differing));
    }
    Ok(ExitCode::from(u8::from(summary.differing > 0)))
}

/// Every set, and what contradicts A*.
fn measure_all(sets: &[sets::Set], limit: usize) -> Result<(Vec<SetRow>, Vec<String>), Box<dyn Error>> {
    let bar = output::progress(sets.iter().map(|set| set.maps.len()).sum(), "measuring");
    let mut rows = Vec::with_capacity(sets.len());
    let mut differences = Vec::new();
    for set in sets {
        let mut maps = Vec::with_capacity(set.maps.len());
        for map in &set.maps {
            let mut figures = measure::measure(map, limit)?;
            differences.extend(figures.first_difference.take());
            maps.push(figures);
            bar.inc(1);
        }
        rows.push(SetRow::new(set.published, &maps));
    }
    bar.finish_and_clear();
    Ok((rows, differences))
}
