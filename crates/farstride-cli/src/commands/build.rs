//! `farstride build`: an index for a map, in a file.

use super::info::hex;
use crate::options::{EngineOption, EngineOptions, MapListOptions, MapOptions, cores, index_in};
use crate::{Ending, output};
use farstride_io::index;
use serde::Serialize;
use std::error::Error;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Build an index for a map and save it.
#[derive(clap::Args)]
#[command(after_help = "\
The same map and settings give the same bytes, whatever the number of threads. Several maps, or
a folder of them, give a folder of indexes NAME.fsi.
All options in detail: farstride help build. Engines and their options: farstride help engines.

Examples:
  farstride build --map orz700d.map -o orz700d.fsi
  farstride build --map movingai/dao --map movingai/sc1 --engine labels -o indexes
  farstride build --weights land.pgm -o land.fsi
  farstride build --map orz700d.map --engine hpt --local lazy-theta -o any-angle.fsi
  farstride build --map orz700d.map --engine groups --connection minimum -o groups.fsi
  farstride build --map orz700d.map --engine labels --index-budget 64M -o labels.fsi
  farstride build --map orz700d.map --engine hpa --cluster 16 --levels 4 --ways search -o small.fsi")]
pub(crate) struct Args {
    #[command(flatten)]
    map: MapListOptions,

    /// Engine; see 'farstride help engines'.
    #[arg(long, default_value = "auto", value_parser = EngineOption::parse, value_name = "NAME")]
    engine: EngineOption,

    /// File to write; for several maps, the folder.
    #[arg(short, long, value_name = "FILE|FOLDER")]
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
    let (maps, is_list) = args.map.each()?;
    if !is_list {
        let [map] = &maps[..] else { return Err("no map".into()) };
        let (report, why) = build(args, map, &args.output)?;
        return if args.json { output::print_json(&report) } else { output::print(&report.text(why)) }
            .map(|()| ExitCode::SUCCESS);
    }
    fs::create_dir_all(&args.output)
        .map_err(|error| format!("cannot make the folder {}: {error}", args.output.display()))?;
    let mut reports = Vec::new();
    for map in &maps {
        let (report, why) =
            build(args, map, &index_in(&args.output, &map.name())).map_err(|error| named(map, error))?;
        if !args.json {
            // Each as soon as it is there: a thousand maps take a while.
            output::print(&report.text(why))?;
        }
        reports.push(report);
    }
    if args.json {
        output::print_json(&reports)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// An error that names its map, unless its file is named already.
fn named(map: &MapOptions, error: Box<dyn Error>) -> Box<dyn Error> {
    let file = map.file().map_or_else(String::new, |file| file.display().to_string());
    if error.to_string().contains(&file) { error } else { format!("{file}: {error}").into() }
}

/// Builds the index of a map and saves it; also says why `auto` took its engine.
fn build(
    args: &Args,
    map: &MapOptions,
    file: &Path,
) -> Result<(Report, Option<&'static str>), Box<dyn Error>> {
    let grid = map.load()?;
    let (engine, why) = args.engine.choose(&grid);
    args.options.check(&[engine])?;
    let threads = args.threads.map_or_else(cores, NonZeroUsize::get);
    let begun = Instant::now();
    let built = args.options.build(&grid, engine, threads)?;
    let built = built.ok_or_else(|| format!("engine {engine} needs no index"))?;
    let build_ms = begun.elapsed().as_secs_f64() * 1e3;
    let bytes = index::save(file, &built, &grid)?;
    let report = Report {
        engine: engine.name(),
        map: map.name(),
        file: file.display().to_string(),
        bytes,
        bytes_per_free_cell: bytes as f64 / grid.free_count().max(1) as f64,
        build_ms,
        threads,
        map_digest: hex(grid.digest()),
        digest: hex(built.digest()),
    };
    Ok((report, why))
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
