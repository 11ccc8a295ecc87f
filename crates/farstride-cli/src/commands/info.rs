//! `farstride info`: what a file holds.

use crate::{Ending, output};
use farstride::hpa::{LevelCounts, Settings};
use farstride::store::{Description, Kind, PartSize};
use farstride::{DiagonalCost, Diagonals, Rules};
use farstride_io::{index, movingai};
use serde::Serialize;
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Describe a map or an index.
///
/// Of a map: its size, free cells and connected regions. Of an index: its
/// engine and settings, how large every level and part is, and the digest of
/// the map it belongs to.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  farstride info orz700d.map
  farstride info orz700d.fsi --json")]
pub(crate) struct Args {
    /// Map in the MovingAI format, or index made by 'farstride build'.
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

/// A digest as it is written: sixteen digits, as JSON has no numbers for it.
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

#[derive(Serialize)]
struct IndexReport {
    kind: &'static str,
    engine: String,
    version: u32,
    bytes: usize,
    digest: String,
    width: usize,
    height: usize,
    diagonals: &'static str,
    diagonal_cost: &'static str,
    map_digest: String,
    settings: SettingsReport,
    levels: Vec<LevelReport>,
    parts: Vec<PartReport>,
}

#[derive(Serialize)]
struct SettingsReport {
    cluster: u16,
    levels: u8,
    group: u8,
    entrance: u16,
    ways: &'static str,
}

#[derive(Serialize)]
struct LevelReport {
    level: usize,
    clusters: usize,
    nodes: usize,
    inter_edges: usize,
    intra_edges: usize,
}

#[derive(Serialize)]
struct PartReport {
    part: String,
    bytes: usize,
}

impl IndexReport {
    fn new(index: &Description) -> Result<Self, Box<dyn Error>> {
        let Kind::Hpa { settings, levels } = &index.kind else {
            return Err(format!("engine {} is not known to 'farstride info'", index.engine).into());
        };
        let (diagonals, diagonal_cost) = names(index.map.rules);
        Ok(Self {
            kind: "index",
            engine: index.engine.clone(),
            version: index.version,
            bytes: index.bytes,
            digest: hex(index.digest),
            width: index.map.width,
            height: index.map.height,
            diagonals,
            diagonal_cost,
            map_digest: hex(index.map.digest),
            settings: settings.into(),
            levels: levels.iter().enumerate().map(|(index, counts)| level(index + 1, counts)).collect(),
            parts: index.parts.iter().map(PartReport::from).collect(),
        })
    }

    fn text(&self) -> Result<String, Box<dyn Error>> {
        let Self { engine, version, bytes, digest, width, height, diagonals, diagonal_cost, .. } = self;
        let SettingsReport { cluster, levels, group, entrance, ways } = &self.settings;
        let mut text = format!(
            "index for {engine}, {bytes} bytes of format version {version}, digest {digest}\n\
             of a map of {width} x {height} cells, digest {}, with --diagonals {diagonals} --diagonal-cost {diagonal_cost}\n\
             made with --cluster {cluster} --levels {levels} --group {group} --entrance {entrance} --ways {ways}\n\n\
             level   clusters      nodes  inter-edges  intra-edges\n",
            self.map_digest
        );
        for LevelReport { level, clusters, nodes, inter_edges, intra_edges } in &self.levels {
            writeln!(text, "{level:>5} {clusters:>10} {nodes:>10} {inter_edges:>12} {intra_edges:>12}")?;
        }
        text.push_str("\n     bytes  part\n");
        for PartReport { part, bytes } in &self.parts {
            writeln!(text, "{bytes:>10}  {part}")?;
        }
        Ok(text)
    }
}

/// The rules as they are named on the command line.
const fn names(rules: Rules) -> (&'static str, &'static str) {
    let diagonals = match rules.diagonals {
        Diagonals::Strict => "strict",
        Diagonals::OneSide => "one-side",
        Diagonals::Free => "free",
        Diagonals::None => "none",
    };
    let cost = match rules.diagonal_cost {
        DiagonalCost::Ratio142 => "1.42",
        _ => "sqrt2",
    };
    (diagonals, cost)
}

fn level(level: usize, counts: &LevelCounts) -> LevelReport {
    let LevelCounts { clusters, nodes, inter_edges, intra_edges } = *counts;
    LevelReport { level, clusters, nodes, inter_edges, intra_edges }
}

impl From<&Settings> for SettingsReport {
    fn from(settings: &Settings) -> Self {
        let Settings { cluster, levels, group, entrance, keep_ways } = *settings;
        Self { cluster, levels, group, entrance, ways: if keep_ways { "keep" } else { "search" } }
    }
}

impl From<&PartSize> for PartReport {
    fn from(size: &PartSize) -> Self {
        Self { part: size.part.to_string(), bytes: size.bytes }
    }
}
