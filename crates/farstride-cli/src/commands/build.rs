//! `farstride build`: an index for a map, in a file.

use super::info::hex;
use crate::options::{EngineOption, EngineOptions, MapOptions, cores};
use crate::{Ending, output};
use farstride_io::index;
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Build an index for a map and save it.
#[derive(clap::Args)]
#[command(after_help = "\
The same map and settings give the same bytes, whatever the number of threads.
All options in detail: farstride help build. Engines and their options: farstride help engines.

Examples:
  farstride build --map orz700d.map -o orz700d.fsi
  farstride build --weights land.pgm -o land.fsi
  farstride build --map orz700d.map --engine hpt --local lazy-theta -o any-angle.fsi
  farstride build --map orz700d.map --engine groups --connection minimum -o groups.fsi
  farstride build --map orz700d.map --engine labels --index-budget 64M -o labels.fsi
  farstride build --map orz700d.map --engine hpa --cluster 16 --levels 4 --ways search -o small.fsi")]
pub(crate) struct Args {
    #[command(flatten)]
    map: MapOptions,

    /// Engine; see 'farstride help engines'.
    #[arg(long, default_value = "auto", value_parser = EngineOption::parse, value_name = "NAME")]
    engine: EngineOption,

    /// File to write.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Number of threads [default: one per core].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    options: EngineOptions,
}

#[derive(Serialize)]
struct Report {
    engine: &'static str,
    map: String,
    file: String,
    bytes: u64,
    bytes_per_free_cell: f64,
    build_ms: f64,
    threads: usize,
    map_digest: String,
    digest: String,
}

pub(crate) fn run(args: &Args) -> Ending {
    if let EngineOption::Named(engine) = args.engine
        && !engine.has_index()
    {
        return Err(format!(
            "engine {engine} needs no index; build one for nsg+, hpa, hpt, groups or labels"
        )
        .into());
    }
    let grid = args.map.load()?;
    let (engine, why) = args.engine.choose(&grid);
    args.options.check(&[engine])?;
    let threads = args.threads.map_or_else(cores, NonZeroUsize::get);
    let begun = Instant::now();
    let built = args.options.build(&grid, engine, threads)?;
    let built = built.ok_or_else(|| format!("engine {engine} needs no index"))?;
    let build_ms = begun.elapsed().as_secs_f64() * 1e3;
    let bytes = index::save(&args.output, &built, &grid)?;
    let report = Report {
        engine: engine.name(),
        map: args.map.name(),
        file: args.output.display().to_string(),
        bytes,
        bytes_per_free_cell: bytes as f64 / grid.free_count().max(1) as f64,
        build_ms,
        threads,
        map_digest: hex(grid.digest()),
        digest: hex(built.digest()),
    };
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&report.text(why))?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Report {
    fn text(&self, why: Option<&str>) -> String {
        let why = why.map_or_else(String::new, |why| format!(" ({why})"));
        let Self { engine, map, file, bytes, bytes_per_free_cell, build_ms, threads, digest, .. } = self;
        let time = output::time(build_ms / 1e3);
        format!(
            "wrote {file}: index of {map} for {engine}{why}, digest {digest}\n\
             {bytes} bytes, {bytes_per_free_cell:.2} per free cell; built in {time} on {threads} threads\n"
        )
    }
}
