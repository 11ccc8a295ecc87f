//! Options that several commands share.

mod clusters;
mod groups;
mod labels;
mod map;
mod maps;
mod overlay;
mod queries;

pub(crate) use labels::rule_name;
pub(crate) use map::{MapOptions, TerrainOptions, is_image_file};
pub(crate) use maps::MapListOptions;
pub(crate) use queries::{Asked, QueryOptions, Reference};

use crate::output;
use clap::{Args, ValueEnum};
use clusters::ClusterOptions;
use farstride::error::{BuildError, SettingsError};
use farstride::groups::{Connection, GridGroupSettings};
use farstride::index::{BuildOptions, IndexSettings};
use farstride::straight::StraightRule;
use farstride::subgoal::{self, Partition};
use farstride::{Cell, Detail, Engine, Grid, Index, Planner};
use farstride_io::index;
use groups::GroupOptions;
use labels::LabelOptions;
use overlay::OverlayOptions;
use std::error::Error;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// An engine named on the command line, `auto`, `shortest` or `any-angle`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum EngineOption {
    /// The one that suits the map.
    Auto,
    /// The one that suits the map and finds shortest paths.
    Shortest,
    /// The one that suits the map and finds paths at any angle.
    AnyAngle,
    Named(Engine),
}

impl EngineOption {
    /// Parses a command line argument.
    pub(crate) fn parse(name: &str) -> Result<Self, String> {
        match name {
            "auto" => Ok(Self::Auto),
            "shortest" => Ok(Self::Shortest),
            "any-angle" => Ok(Self::AnyAngle),
            _ => name
                .parse()
                .map(Self::Named)
                .map_err(|error| format!("{error}, auto, shortest and any-angle")),
        }
    }

    /// The engine to use on `grid`, and why if the map decides.
    pub(crate) fn choose(self, grid: &Grid) -> (Engine, Option<&'static str>) {
        let (engine, why) = match self {
            Self::Named(engine) => return (engine, None),
            Self::Auto => Engine::choose(grid),
            Self::Shortest => Engine::choose_shortest(grid),
            Self::AnyAngle => Engine::choose_any_angle(grid),
        };
        (engine, Some(why))
    }
}

/// A number of levels as the type of the settings.
fn narrow(levels: Option<u32>, range: &RangeInclusive<u8>) -> Result<Option<u8>, String> {
    levels.map(u8::try_from).transpose().map_err(|_| {
        let found = levels.unwrap_or_default();
        format!("--levels is {found}, but must be between {} and {}", range.start(), range.end())
    })
}

/// Options of the engines.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct EngineOptions {
    /// Number of levels of hpa and hpt, 1 to 14 [default: 4, more if a side of the map has 2048
    /// cells or more; 4 counts as the default]; of groups, 1 to 14
    /// [default: until at most 256 squares are left]; maximum number of levels of
    /// nsg and nsg+ [default: no limit].
    #[arg(
        long,
        value_name = "L",
        hide_short_help = true,
        help_heading = "Options of the engines hpa, hpt, groups, nsg and nsg+"
    )]
    levels: Option<u32>,

    #[command(flatten)]
    clusters: ClusterOptions,

    #[command(flatten)]
    groups: GroupOptions,

    #[command(flatten)]
    labels: LabelOptions,

    #[command(flatten)]
    overlay: OverlayOptions,
}

impl EngineOptions {
    /// The settings of an engine's index; those not given are the engine's usual
    /// ones. `None` for engines without an index.
    fn settings(&self, engine: Engine) -> Result<Option<IndexSettings>, Box<dyn Error>> {
        let Some(usual) = engine.default_settings() else { return Ok(None) };
        Ok(Some(match usual {
            IndexSettings::Hpa(usual) => self.clusters.settings(usual, self.levels)?.into(),
            IndexSettings::Subgoals(usual) => self.subgoals(usual)?.into(),
            IndexSettings::Groups(usual) => self.groups(usual)?.into(),
            IndexSettings::Labels(usual) => self.labels.settings(usual).into(),
            IndexSettings::Straight(usual) => self.labels.straight(usual).into(),
            IndexSettings::Overlay(usual) => self.overlay.settings(usual, self.clusters.cluster)?.into(),
            other => other,
        }))
    }

    fn subgoals(&self, usual: subgoal::SubgoalSettings) -> Result<subgoal::SubgoalSettings, Box<dyn Error>> {
        if self.levels == Some(0) {
            return Err("--levels is 0, but must be at least 1".into());
        }
        Ok(subgoal::SubgoalSettings::new(match usual.partition {
            Partition::Basic(_) => Partition::Basic(self.levels),
            Partition::Advanced(_) => Partition::Advanced(self.levels),
            fixed => fixed,
        }))
    }

    fn groups(&self, usual: GridGroupSettings) -> Result<GridGroupSettings, Box<dyn Error>> {
        let settings = usual
            .with_side(self.clusters.cluster.unwrap_or(usual.side))
            .with_group(self.clusters.group.unwrap_or(usual.group))
            .with_levels(narrow(self.levels, &GridGroupSettings::LEVEL_RANGE)?.or(usual.levels))
            .with_connection(self.groups.connection.map_or(usual.connection, Connection::from));
        settings.check().map_err(|error| out_of_range(&error))?;
        Ok(settings)
    }

    /// Builds the index of an engine behind a progress bar; `None` for engines
    /// without one.
    pub(crate) fn build(
        &self,
        grid: &Grid,
        engine: Engine,
        threads: usize,
    ) -> Result<Option<Index>, Box<dyn Error>> {
        engine.check(grid)?;
        let settings = self.settings(engine)?;
        Ok(settings.map(|settings| build_index(grid, settings, threads)).transpose()?)
    }

    /// Fails if no engine takes an option that was given: to ignore it would
    /// measure something else than was asked for.
    pub(crate) fn check(&self, engines: &[Engine]) -> Result<(), Box<dyn Error>> {
        let untaken = |&(_, takers): &(_, &[Engine])| !engines.iter().any(|engine| takers.contains(engine));
        match self.given().find(untaken) {
            Some((option, takers)) => {
                let (names, takers) = (joined(engines, " and "), either(takers));
                Err(format!("engine {names} takes no {option}; use it with --engine {takers}").into())
            }
            None => Ok(()),
        }
    }

    /// Names of the options that were given, with the engines that take them.
    fn given(&self) -> impl Iterator<Item = (&'static str, &'static [Engine])> {
        let takers = &[Engine::Hpa, Engine::Hpt, Engine::Groups, Engine::Nsg, Engine::NsgPlus][..];
        let levels = self.levels.map(|_| ("--levels", takers));
        let given = levels.into_iter().chain(self.clusters.given()).chain(self.groups.given());
        given.chain(self.labels.given()).chain(self.overlay.given())
    }
}

/// Options of the engines, and an index file.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PlannerOptions {
    /// Open this index instead of building one; 'farstride build' writes it. For several
    /// maps, the folder that it wrote.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = [
            "cluster", "levels", "group", "entrance", "gap", "net", "ways", "local", "connection", "index_budget",
            "block", "landmarks",
        ],
    )]
    index: Option<PathBuf>,

    /// Skip the proofs when opening the index; only for files you trust.
    #[arg(long, requires = "index")]
    trust: bool,

    // Last: its headings hold for all options that follow.
    #[command(flatten)]
    engines: EngineOptions,
}

/// How much of a path to find.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum DetailOption {
    /// Every cell, or every turning point of an any-angle path.
    #[default]
    Cells,
    /// Some cells; each is reached from the last diagonally first, then straight.
    Waypoints,
    /// Only the cost.
    Cost,
}

impl From<DetailOption> for Detail {
    fn from(option: DetailOption) -> Self {
        match option {
            DetailOption::Cells => Self::Cells,
            DetailOption::Waypoints => Self::Waypoints,
            DetailOption::Cost => Self::Cost,
        }
    }
}

/// An engine that was chosen, and why if it was not named.
pub(crate) type Chosen = (Engine, Option<&'static str>);

/// A line that says which engine was taken, and why.
pub(crate) fn took(engine: Engine, why: &str) -> String {
    format!("auto took {engine}: {why}\n")
}

/// Engines to use on a map, and the index file opened for one of them.
pub(crate) struct Selection<'o> {
    options: &'o PlannerOptions,
    grid: Arc<Grid>,
    pub(crate) chosen: Vec<Chosen>,
    opened: Option<Opened>,
}

/// An index file that was opened.
struct Opened {
    index: Index,
    bytes: u64,
    time: Duration,
}

/// A planner that is ready for queries.
pub(crate) struct Prepared {
    pub(crate) planner: Planner,
    /// Why `auto` took the engine; `None` if the engine was named.
    pub(crate) why: Option<&'static str>,
    /// Time to build the index, or to open its file.
    pub(crate) time: Duration,
    /// Length of the index file, if one was opened.
    pub(crate) file_bytes: Option<u64>,
}

impl Prepared {
    pub(crate) fn build_ms(&self) -> f64 {
        self.time.as_secs_f64() * 1e3
    }
}

impl PlannerOptions {
    /// The same options for one of several maps: a folder of indexes stands for the index in it
    /// that is called like the map.
    pub(crate) fn for_map(&self, name: &str) -> Self {
        let index = self.index.as_ref().map(|index| index_in(index, name));
        Self { index, ..self.clone() }
    }

    /// Chooses the engines to use on `grid` and opens the index file, once.
    ///
    /// Fails if no engine takes an option that was given, or if an engine needs
    /// another index than the one in the file: to build that one silently would
    /// measure something else than was asked for.
    pub(crate) fn select(
        &self,
        engines: &[EngineOption],
        grid: &Arc<Grid>,
    ) -> Result<Selection<'_>, Box<dyn Error>> {
        let opened = self.open(engines, grid)?;
        let of_file = opened.as_ref().map(|opened| opened.index.engine());
        let resolve = |&engine: &EngineOption| match (engine, of_file) {
            (EngineOption::Auto, Some(engine)) => (engine, Some("the index file is for this engine")),
            _ => engine.choose(grid),
        };
        let chosen: Vec<Chosen> = engines.iter().map(resolve).collect();
        let engines: Vec<Engine> = chosen.iter().map(|&(engine, _)| engine).collect();
        self.engines.check(&engines)?;
        if let (Some(file), Some(found)) = (&self.index, of_file) {
            check_index(file, found, &engines)?;
        }
        if let (Some(file), Some(opened)) = (&self.index, &opened) {
            self.check_rule(file, &opened.index)?;
        }
        Ok(Selection { options: self, grid: Arc::clone(grid), chosen, opened })
    }

    /// Fails if an index file holds paths by another rule than the one asked for.
    fn check_rule(&self, file: &Path, index: &Index) -> Result<(), String> {
        let found = index.straight().map(|index| index.settings().rule);
        let (Some(found), Some(asked)) = (found, self.engines.labels.rule()) else { return Ok(()) };
        if found == asked {
            return Ok(());
        }
        let (file, [found, asked]) = (file.display(), [found, asked].map(rule_name));
        Err(format!("{file} is an index by the rule {found}, not {asked}; leave out --rule or --index"))
    }

    /// The rule by which `straight` finds paths, unless an index file says otherwise.
    pub(crate) fn rule(&self) -> StraightRule {
        self.engines.labels.rule().unwrap_or_default()
    }

    /// The same for commands that take one engine, with its planner.
    pub(crate) fn prepare(&self, engine: EngineOption, grid: &Arc<Grid>) -> Result<Prepared, Box<dyn Error>> {
        let selection = self.select(&[engine], grid)?;
        let chosen = selection.chosen.first().copied().ok_or("no engine is named")?;
        selection.prepare(chosen)
    }

    /// Opens the index file, if one is named and an engine may take it.
    fn open(&self, engines: &[EngineOption], grid: &Grid) -> Result<Option<Opened>, Box<dyn Error>> {
        let Some(file) = &self.index else { return Ok(None) };
        let named = |engine: &EngineOption| match *engine {
            EngineOption::Named(engine) if !engine.has_index() => Some(engine),
            _ => None,
        };
        let without: Vec<Engine> = engines.iter().filter_map(named).collect();
        if without.len() == engines.len() {
            let asked = joined(&without, " and ");
            return Err(format!("engine {asked} takes no --index; leave out one of the two").into());
        }
        let begun = Instant::now();
        let open = if self.trust { index::open_trusted } else { index::open };
        let index = open(file, grid)?;
        Ok(Some(Opened { index, time: begun.elapsed(), bytes: fs::metadata(file)?.len() }))
    }
}

impl Selection<'_> {
    /// A planner with one of the engines chosen, its index built or taken from
    /// the file.
    pub(crate) fn prepare(&self, (engine, why): Chosen) -> Result<Prepared, Box<dyn Error>> {
        let begun = Instant::now();
        let opened = self.opened.as_ref().filter(|_| engine.has_index());
        let index = match opened {
            Some(opened) => Some(opened.index.clone()),
            None => self.options.engines.build(&self.grid, engine, cores())?,
        };
        let grid = Arc::clone(&self.grid);
        let planner = match index {
            Some(index) => Planner::with_index(grid, index)?
                .with_tactics(self.options.engines.clusters.tactics())
                .with_group_tactics(self.options.engines.groups.tactics()),
            None => Planner::with_engine(grid, engine)?,
        };
        let time = opened.map_or_else(|| begun.elapsed(), |opened| opened.time);
        Ok(Prepared { planner, why, time, file_bytes: opened.map(|opened| opened.bytes) })
    }
}

impl PlannerOptions {
    /// The same planner without smoothing, if its engine smooths.
    pub(crate) fn without_smoothing(&self, planner: &Planner) -> Option<Planner> {
        let tactics = self.engines.clusters.tactics().with_smooth(false);
        planner.index().and_then(Index::hierarchy).map(|_| planner.clone().with_tactics(tactics))
    }
}

/// The index of a map in a folder.
pub(crate) fn index_in(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.fsi"))
}

/// Cores of this machine.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// The names of engines, joined by `between`.
fn joined(engines: &[Engine], between: &str) -> String {
    engines.iter().map(|engine| engine.name()).collect::<Vec<_>>().join(between)
}

/// The names of engines as alternatives: `hpa, hpt or nsg`.
fn either(engines: &[Engine]) -> String {
    match engines {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", joined(first, ", ")),
        _ => joined(engines, ""),
    }
}

/// A setting out of range, named by the option that sets it.
fn out_of_range(error: &SettingsError) -> String {
    // Blocks of overlay, squares of groups and clusters of hpa share an option; all others are called
    // like their field.
    let option = if error.setting == "side" { "cluster" } else { error.setting };
    let SettingsError { found, least, most, .. } = error;
    format!("--{option} is {found}, but must be between {least} and {most}")
}

/// Fails if one of the engines needs another index than that of `found`.
fn check_index(file: &Path, found: Engine, engines: &[Engine]) -> Result<(), String> {
    let others: Vec<Engine> =
        engines.iter().copied().filter(|&engine| engine.has_index() && engine != found).collect();
    if others.is_empty() {
        return Ok(());
    }
    let (file, others) = (file.display(), joined(&others, " and "));
    Err(format!("{file} is an index of the engine {found}, not of {others}; run {others} without --index"))
}

/// Builds an index behind a progress bar.
pub(crate) fn build_index(
    grid: &Grid,
    settings: impl Into<IndexSettings>,
    threads: usize,
) -> Result<Index, BuildError> {
    let bar = output::progress(0, "building");
    let report = |done: usize, total: usize| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    };
    let index = Index::build_with(grid, settings, &BuildOptions::new().threads(threads).on_progress(&report));
    bar.finish_and_clear();
    index
}

/// Parses `X,Y`.
pub(crate) fn parse_cell(text: &str) -> Result<Cell, String> {
    let numbers = text.split_once(',').and_then(|(x, y)| Some((number(x)?, number(y)?)));
    let (x, y) = numbers.ok_or_else(|| "expected X,Y with whole numbers, as in 12,34".to_owned())?;
    match (u16::try_from(x), u16::try_from(y)) {
        (Ok(x), Ok(y)) => Ok(Cell::new(x, y)),
        _ => Err(format!("no map has a cell {x},{y}: the largest coordinate is {}", Grid::MAX_SIDE - 1)),
    }
}

fn number(text: &str) -> Option<u128> {
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_listed_in_words() {
        let engines = [Engine::Hpa, Engine::Hpt, Engine::Nsg];
        let told = [0, 1, 2, 3].map(|count| either(&engines[..count]));
        assert_eq!(told, ["", "hpa", "hpa or hpt", "hpa, hpt or nsg"]);
    }

    #[test]
    fn cells_are_two_numbers() {
        assert_eq!(parse_cell("3,4"), Ok(Cell::new(3, 4)));
        assert_eq!(parse_cell(" 3, 4"), Ok(Cell::new(3, 4)));
        for bad in ["", "3", "3,", "3,4,5", "-1,2", "a,b", "3;4", "1e3,4"] {
            assert!(parse_cell(bad).is_err(), "{bad}");
        }
        assert!(parse_cell("70000,1").unwrap_err().contains("9999"));
    }
}
