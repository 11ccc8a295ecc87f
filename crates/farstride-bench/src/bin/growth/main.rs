//! How an engine grows with the map: build, index, query, first move and edit.

mod figures;
mod measure;
mod pages;

use clap::Parser;
use farstride::Engine;
use farstride_bench::workload;
use farstride_io::movingai::load_map;
use farstride_testkit::{Kind, PlainMap, TerrainKind, generate, generate_terrain};
use figures::Figures;
use std::error::Error;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Measure an engine on generated maps of growing size.
///
/// Builds on all cores, everything else on one. All queries are asked in turn ("once"), and then each three times in
/// a row, of which the least counts; edits are timed once. The worst cut is the only cell of a gap in a wall across the
/// whole map, closed and opened again, the worst of twelve places.
#[derive(Parser)]
#[command(
    name = "growth",
    after_help = "Examples:\n  growth --sides 256,1024,4096\n  \
                  growth --kind caves,city,rooms,open,roads --sides 256,512,1024,2048,4096,10000 \
                  --record growth.jsonl --out docs/img\n  \
                  growth --kind caves --sides 256,1024,4096 --rivals 10"
)]
struct Options {
    /// Sides of the maps in cells
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = [256, 512, 1024, 2048, 4096])]
    sides: Vec<usize>,

    /// Queries and edits on each map
    #[arg(long, value_name = "N", default_value_t = 1000)]
    sample: usize,

    /// Seed of the maps, queries and edits
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Kinds of the maps: caves, city, open, rooms, maze, random, or terrain: patches, roads, mixed,
    /// noise, fields
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', default_value = "caves")]
    kind: Vec<String>,

    /// The engine to measure
    #[arg(long, value_name = "NAME", default_value_t = Engine::Hpa)]
    engine: Engine,

    /// Levels of HPA*; left out: as many as the map needs
    #[arg(long, value_name = "L")]
    levels: Option<u8>,

    /// Gap of transitions of HPA*; left out: the default
    #[arg(long, value_name = "N")]
    gap: Option<u16>,

    /// How fine nets of HPA* are; left out: the default
    #[arg(long, value_name = "N")]
    net: Option<u8>,

    /// Queries of each map that are compared with the shortest path
    #[arg(long, value_name = "N", default_value_t = 0)]
    compare: usize,

    /// Queries of each map for which pages of the mapped index file are counted (Linux)
    #[arg(long, value_name = "N", default_value_t = 0)]
    pages: usize,

    /// Queries of each map without weights that other crates answer, too; a crate gives up once it takes
    /// more than a minute for a map
    #[arg(long, value_name = "N", default_value_t = 0)]
    rivals: usize,

    /// Measure this `MovingAI` map instead of generated ones
    #[arg(long, value_name = "FILE", conflicts_with_all = ["kind", "record"])]
    map: Option<PathBuf>,

    /// File of figures, one JSON object per line: an engine on a kind and side of map that is in it
    /// is not measured again, what is measured is added. Take another file for another seed, and
    /// for other options
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Folder for charts, one per figure
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let mut rows = options.record.as_deref().map_or_else(|| Ok(Vec::new()), read)?;
    if let Some(file) = &options.map {
        let grid = load_map(file)?;
        rows.push(measure::engine(&options, "file", grid)?);
    } else {
        for kind in &options.kind {
            measure_kind(kind, &options, &mut rows)?;
        }
    }
    print!("{}", figures::table(&rows)?);
    if let Some(folder) = &options.out {
        for (name, chart) in figures::charts(&rows, options.engine.name()) {
            std::fs::write(folder.join(format!("growth-{name}.svg")), chart.to_svg())?;
        }
    }
    Ok(())
}

/// Measures all sides of one kind of map, but for what is known.
fn measure_kind(kind: &str, options: &Options, rows: &mut Vec<Figures>) -> Result<(), Box<dyn Error>> {
    let mut rivals = measure::rivals(options.rivals);
    for &side in &options.sides {
        let is_known = |rows: &[Figures], who: &str| {
            rows.iter().any(|row| row.engine == who && row.kind == kind && row.side == side)
        };
        let mut new = Vec::new();
        if !is_known(rows, options.engine.name()) {
            let map = draw(kind, side, options.seed)?;
            new.push(measure::engine(options, kind, workload::grid(&map))?);
        }
        let wanted = rivals.iter().any(|rival| !is_known(rows, rival.name()));
        let map = wanted.then(|| draw(kind, side, options.seed)).transpose()?;
        if let Some(map) = map.filter(|map| map.weights.is_none()) {
            rivals.retain(|rival| {
                if is_known(rows, rival.name()) {
                    let gave_up = |row: &Figures| row.engine == rival.name() && row.gave_up.is_some();
                    return !rows.iter().any(|row| row.kind == kind && gave_up(row));
                }
                let figures = measure::rival(rival.as_ref(), kind, &map, options);
                new.extend(figures.clone());
                figures.is_some_and(|figures| figures.gave_up.is_none())
            });
        }
        if let Some(file) = &options.record {
            append(file, &new)?;
        }
        rows.append(&mut new);
    }
    Ok(())
}

/// A generated map.
fn draw(kind: &str, side: usize, seed: u64) -> Result<PlainMap, Box<dyn Error>> {
    if let Some(plain) = Kind::SAMPLES.into_iter().find(|plain| plain.name() == kind) {
        return Ok(generate(plain, side, side, seed)?);
    }
    let terrain = TerrainKind::ALL.into_iter().find(|terrain| terrain.name() == kind);
    let terrain = terrain.ok_or_else(|| format!("no maps are called '{kind}'"))?;
    Ok(generate_terrain(terrain, side, side, seed)?)
}

/// The figures in a file; none if there is no file yet.
fn read(file: &Path) -> Result<Vec<Figures>, Box<dyn Error>> {
    if !file.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(file)?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

fn append(file: &Path, rows: &[Figures]) -> Result<(), Box<dyn Error>> {
    let mut file = OpenOptions::new().create(true).append(true).open(file)?;
    for row in rows {
        writeln!(file, "{}", serde_json::to_string(row)?)?;
    }
    Ok(())
}
