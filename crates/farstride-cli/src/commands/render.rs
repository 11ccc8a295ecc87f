//! `farstride render`: pictures of maps, paths and abstractions.

mod abstraction;
mod expanded;
mod floors;
mod groups;
mod labels;
mod overlay;
mod strings;
mod subgoals;

use super::generate::parse_size;
use crate::options::{EngineOption, MapOptions, PlannerOptions, parse_cell};
use crate::{Ending, output, world};
use abstraction::Abstraction;
use clap::ValueEnum;
use farstride::error::QueryError;
use farstride::index::IndexSettings;
use farstride::internal::{Inspector, TautMap};
use farstride::{Cell, Engine, Grid, Index, Outcome, Planner, Point, Query, Rect, Scratch};
use farstride_io::picture::{Colour, Scene, Shape, Width};
use farstride_io::terminal;
use floors::FloorOptions;
use groups::SquareLevel;
use labels::Labels;
use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use subgoals::Subgoals;

/// Draw a map, paths and what engines build, as PNG, SVG or in the terminal.
#[derive(clap::Args)]
#[command(after_help = "\
Where paths overlap, the engine named first is drawn wider and beneath. Dots mark the turns of
any-angle paths. The heavier a cell, the darker it is. --show expanded colours the cells or nodes that
the first engine expands, from the first (yellow) to the last (plum).
All options in detail: farstride help render. Engines and their options: farstride help engines.

Examples:
  farstride render
  farstride render --map caves.map -o caves.svg
  farstride render --from 126,56 --to 3,2 --engine astar,theta,hpa,hpt -o four.png
  farstride render --show clusters,entrances,graph --cluster 10 --level 2 -o graph.svg
  farstride render --from 126,56 --to 3,2 --show abstract,refined,smoothed -o hpa.svg
  farstride render --from 126,56 --to 3,2 --show clusters,path --engine hpt -o hpt.svg
  farstride render --from 126,56 --to 3,2 --show abstract,path --engine groups -o groups.svg
  farstride render --show subgoals --engine tsg -o subgoals.svg
  farstride render --show taut --at 66,30 -o links.svg
  farstride render --show hubs -o hubs.svg
  farstride render --show label --at 66,30 -o label.svg
  farstride render --from 126,56 --to 3,2 --show meeting -o query.svg
  farstride render --from 126,56 --to 3,2 --show expanded,path --engine astar -o work.png
  farstride render --weights land.pgm --from 20,20 --to 290,190 --crop 0,0,150x100 -o part.png
  farstride render --size 3 -o wide.png
  farstride render --floor caves.map --floor caves.map -o floors.png")]
pub(crate) struct Args {
    #[command(flatten)]
    map: MapOptions,

    #[command(flatten)]
    floors: FloorOptions,

    /// Start cell.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_cell, requires = "to")]
    from: Option<Cell>,

    /// Goal cell.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_cell, requires = "from")]
    to: Option<Cell>,

    /// Engines, separated by commas; see 'farstride help engines'.
    #[arg(long, default_value = "auto", value_name = "NAMES", value_delimiter = ',', value_parser = EngineOption::parse)]
    engine: Vec<EngineOption>,

    /// What to draw, separated by commas.
    ///
    /// If several engines have clusters or subgoals, those of the first are drawn.
    #[arg(long, value_enum, default_value = "path", value_name = "LAYERS", value_delimiter = ',')]
    show: Vec<Layer>,

    /// Level to draw of clusters, entrances and graph [default: 1], or lowest level
    /// to draw of subgoals [default: the highest].
    #[arg(long, value_name = "L")]
    level: Option<u32>,

    /// Cell whose taut links, label or ports to draw [default: all taut links or strings].
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_cell)]
    at: Option<Cell>,

    /// Draw only W columns and H rows, from column X and row Y on.
    #[arg(long, value_name = "X,Y,WxH", allow_hyphen_values = true, value_parser = parse_crop)]
    crop: Option<Rect>,

    /// Pixels per cell of a PNG [default: what fits a screen].
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u16).range(1..=64))]
    scale: Option<u16>,

    /// Picture to write, .png or .svg [default: draw in the terminal].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    options: PlannerOptions,
}

/// Something to draw.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Layer {
    /// The paths of all engines.
    Path,
    /// hpa, hpt: borders of the clusters. groups: borders of the squares, and
    /// their parts. overlay: the lines between blocks, and the landmarks.
    Clusters,
    /// hpa, hpt: cells where one can pass from cluster to cluster.
    Entrances,
    /// hpa, hpt, groups: nodes and edges of a level. overlay: the arcs.
    Graph,
    /// hpa, hpt: the abstract path, level by level. groups: the plan of every
    /// level.
    Abstract,
    /// hpa, hpt: the path before smoothing.
    Refined,
    /// hpa, hpt: the path after smoothing.
    Smoothed,
    /// ssg, tsg, tl, nsg, nsg+: all subgoals by level, and their edges.
    Subgoals,
    /// The same, only the highest level.
    Levels,
    /// labels: the subgoals and the taut links between them, or of one cell.
    Taut,
    /// labels: the hubs, by the number of labels they are in.
    Hubs,
    /// labels: the label of a cell, with its vias and hubs.
    Label,
    /// labels: the path, and the hub where the labels of its ends meet.
    Meeting,
    /// straight: the corners and the taut links between them; with --at the label of a
    /// free cell, or the ports of the corners of a blocked one.
    Strings,
    /// Cells that the search of the first engine expands, or nodes of its index, in
    /// order.
    Expanded,
}

impl Layer {
    /// Whether it shows clusters or squares.
    const fn needs_clusters(self) -> bool {
        matches!(self, Self::Clusters | Self::Graph | Self::Abstract)
    }

    const fn needs_hierarchy(self) -> bool {
        matches!(self, Self::Entrances | Self::Refined | Self::Smoothed)
    }

    const fn needs_subgoals(self) -> bool {
        matches!(self, Self::Subgoals | Self::Levels)
    }

    const fn needs_labels(self) -> bool {
        matches!(self, Self::Taut | Self::Hubs | Self::Label | Self::Meeting)
    }

    const fn needs_picture(self) -> bool {
        self.needs_clusters()
            || self.needs_hierarchy()
            || self.needs_subgoals()
            || self.needs_labels()
            || matches!(self, Self::Expanded | Self::Strings)
    }

    const fn needs_ends(self) -> bool {
        matches!(self, Self::Abstract | Self::Refined | Self::Smoothed | Self::Meeting | Self::Expanded)
    }

    /// Whether it takes `--at`.
    const fn takes_cell(self) -> bool {
        matches!(self, Self::Taut | Self::Label | Self::Strings)
    }

    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// A path and how to label it.
pub(crate) struct Drawn {
    pub(crate) label: String,
    pub(crate) points: Vec<Point>,
    /// Every cell it enters.
    pub(crate) cells: Vec<Cell>,
    /// Whether the points are its turning points only.
    pub(crate) any_angle: bool,
}

pub(crate) fn run(args: &Args) -> Ending {
    check(args)?;
    if args.floors.is_given() {
        return Ok(ExitCode::from(u8::from(!floors::draw(args)?)));
    }
    let grid = Arc::new(args.map.load()?);
    let planners = planners(args, &grid)?;
    let mut drawn = Vec::new();
    if let (Some(from), Some(to), true) = (args.from, args.to, args.show.contains(&Layer::Path)) {
        for planner in &planners {
            drawn.push(find(planner, planner.engine().name(), from, to)?);
        }
    }
    if let Some(path) = &args.output {
        let area = args.crop.map_or_else(|| Ok(grid.area()), |area| cropped(&grid, area))?;
        let mut scene = Scene::new(&grid);
        scene.crop(area);
        draw_expanded(args, &planners, &mut scene)?;
        draw_clusters(args, &planners, &mut scene)?;
        if let Some(planner) =
            planners.iter().find(|planner| planner.index().and_then(Index::subgoals).is_some())
        {
            draw_subgoals(args, planner, &mut scene)?;
        }
        draw_taut_links(args, &grid, &mut scene)?;
        draw_strings(args, &grid, &planners, &mut scene)?;
        let mut met = None;
        if let Some(planner) =
            planners.iter().find(|planner| planner.index().and_then(Index::labels).is_some())
        {
            met = draw_labels(args, planner, &mut scene)?;
        }
        // The first colour is one of those that cells are filled with.
        draw_paths_in(&mut scene, &drawn, usize::from(args.show.contains(&Layer::Expanded)));
        drawn.extend(met);
        write_scene(scene, args.scale, area, path)?;
    } else {
        let paths: Vec<&[Cell]> = drawn.iter().map(|path| path.cells.as_slice()).collect();
        output::print(&terminal::draw(&grid, &paths, output::screen()))?;
    }
    for path in &drawn {
        output::tell(&path.label);
    }
    Ok(ExitCode::from(u8::from(drawn.iter().any(|path| path.cells.is_empty()))))
}

/// Checks the options before any work is done.
fn check(args: &Args) -> Result<(), String> {
    if let Some(path) = &args.output {
        Format::of(path)?;
    }
    let needs = |need: fn(Layer) -> bool| args.show.iter().copied().find(|&layer| need(layer));
    match (needs(Layer::needs_picture), &args.output) {
        (Some(layer), None) => {
            return Err(format!("--show {} needs a picture; name one with -o", layer.name()));
        }
        _ if args.crop.is_some() && args.output.is_none() => {
            return Err("--crop needs a picture; name one with -o".to_owned());
        }
        _ if args.level == Some(0) => return Err("--level counts from 1".to_owned()),
        _ => {}
    }
    match args.at {
        Some(_) if needs(Layer::takes_cell).is_none() => {
            return Err("--at needs --show taut or --show label, or --show strings".to_owned());
        }
        None if args.show.contains(&Layer::Label) => {
            return Err("--show label needs a cell; name it with --at".to_owned());
        }
        _ => {}
    }
    match needs(Layer::needs_ends) {
        Some(layer) if args.from.is_none() => Err(format!("--show {} needs --from and --to", layer.name())),
        _ => Ok(()),
    }
}

/// Planners of the engines to draw something of.
fn planners(args: &Args, grid: &Arc<Grid>) -> Result<Vec<Planner>, Box<dyn Error>> {
    let shown = |need: fn(Layer) -> bool| args.show.iter().copied().find(|&layer| need(layer));
    let (clusters, hierarchy) = (shown(Layer::needs_clusters), shown(Layer::needs_hierarchy));
    let (subgoals, labels) = (shown(Layer::needs_subgoals), shown(Layer::needs_labels));
    let strings = shown(|layer| layer == Layer::Strings);
    // `auto` takes an engine that has what is to be drawn.
    let usual = [
        clusters.or(hierarchy).map(|_| Engine::Hpa),
        subgoals.map(|_| Engine::NsgPlus),
        labels.map(|_| Engine::Labels),
        strings.map(|_| Engine::Straight),
        shown(|layer| layer == Layer::Expanded).map(|_| Engine::Astar),
    ];
    let usual: Vec<_> = usual.into_iter().flatten().map(EngineOption::Named).collect();
    let engines = match &args.engine[..] {
        [EngineOption::Auto] if !usual.is_empty() => &usual,
        engines => engines,
    };
    let selection = args.options.select(engines, grid)?;
    let chosen = &selection.chosen;
    for (layer, has, names) in [
        (clusters, has_clusters as fn(Engine) -> bool, "hpa, hpt, groups or overlay"),
        (hierarchy, has_hierarchy, "hpa or hpt"),
        (subgoals, has_subgoals, SUBGOAL_ENGINES),
        (labels, has_labels, "labels"),
        (strings, has_strings, "straight"),
    ] {
        if let Some(layer) = layer
            && !chosen.iter().any(|&(engine, _)| has(engine))
        {
            let layer = layer.name();
            return Err(format!("--show {layer} needs --engine {names}").into());
        }
    }
    let wanted = |engine: Engine| {
        args.from.is_some()
            || has_clusters(engine) && clusters.or(hierarchy).is_some()
            || has_subgoals(engine) && subgoals.is_some()
            || has_strings(engine) && strings.is_some() && args.at.is_some_and(|cell| grid.is_free(cell))
            // Taut links are seen on the map.
            || has_labels(engine) && args.show.iter().any(|&layer| layer.needs_labels() && layer != Layer::Taut)
    };
    let chosen = chosen.iter().filter(|&&(engine, _)| wanted(engine));
    chosen.map(|&chosen| Ok(selection.prepare(chosen)?.planner)).collect()
}

/// Whether an engine searches a hierarchy of clusters.
fn has_hierarchy(engine: Engine) -> bool {
    matches!(engine.default_settings(), Some(IndexSettings::Hpa(_)))
}

/// Whether an engine searches a subgoal graph.
fn has_subgoals(engine: Engine) -> bool {
    matches!(engine.default_settings(), Some(IndexSettings::Subgoals(_)))
}

/// Whether an engine divides the map into squares.
fn has_clusters(engine: Engine) -> bool {
    has_hierarchy(engine) || matches!(engine, Engine::Groups | Engine::Overlay)
}

fn has_labels(engine: Engine) -> bool {
    engine == Engine::Labels
}

fn has_strings(engine: Engine) -> bool {
    engine == Engine::Straight
}

const SUBGOAL_ENGINES: &str = "ssg, tsg, tl, nsg or nsg+";

/// Draws what the search of the first engine expands.
fn draw_expanded(args: &Args, planners: &[Planner], scene: &mut Scene<'_>) -> Result<(), QueryError> {
    if let (Some(from), Some(to), true) = (args.from, args.to, args.show.contains(&Layer::Expanded))
        && let Some(planner) = planners.first()
    {
        output::tell(&expanded::draw(planner, from, to, scene)?);
        scene.start(from).goal(to);
    }
    Ok(())
}

/// The part of an area that is on the map; its upper left corner must be.
fn cropped(grid: &Grid, area: Rect) -> Result<Rect, String> {
    let (corner, end, last) = (area.min(), area.max(), grid.area().max());
    if grid.contains(corner) {
        return Ok(Rect::spanning(corner, Cell::new(end.x.min(last.x), end.y.min(last.y))));
    }
    let (width, height) = (grid.width(), grid.height());
    Err(format!("--crop begins at {corner}, which is not on the map of {width} x {height} cells"))
}

/// Parses `X,Y,WxH`.
fn parse_crop(text: &str) -> Result<Rect, String> {
    let parts = text
        .rsplit_once(',')
        .and_then(|(corner, size)| Some((parse_cell(corner).ok()?, parse_size(size.trim()).ok()?)));
    let expected = || "expected X,Y,WxH with whole numbers above 0, as in 10,20,64x48".to_owned();
    let (corner, (width, height)) = parts.filter(|(_, (w, h))| *w > 0 && *h > 0).ok_or_else(expected)?;
    let last = |first: u16, length: usize| {
        // What lies beyond the map is left out.
        u16::try_from(usize::from(first).saturating_add(length - 1)).unwrap_or(u16::MAX)
    };
    Ok(Rect::spanning(corner, Cell::new(last(corner.x, width), last(corner.y, height))))
}

/// Draws the layers of a subgoal graph.
fn draw_subgoals(args: &Args, planner: &Planner, scene: &mut Scene<'_>) -> Result<(), String> {
    let Some(graph) = planner.index().and_then(Index::subgoals) else { return Ok(()) };
    let levels = graph.levels().level_count();
    let least_level = match args.level {
        _ if args.show.contains(&Layer::Subgoals) => 1,
        _ if !args.show.contains(&Layer::Levels) => return Ok(()),
        Some(level) if level > levels => {
            return Err(format!("--level is {level}, but the subgoal graph has {levels}"));
        }
        level => level.unwrap_or(levels),
    };
    let subgoals = Subgoals { graph, least_level };
    subgoals.draw(scene);
    output::tell(&format!("{}: {}", planner.engine(), subgoals.describe()));
    Ok(())
}

/// Draws the taut links of one cell or of all.
fn draw_taut_links(args: &Args, grid: &Grid, scene: &mut Scene<'_>) -> Result<(), Box<dyn Error>> {
    if !args.show.contains(&Layer::Taut) {
        return Ok(());
    }
    Engine::Labels.check(grid)?;
    let taut = TautMap::new(grid);
    let told = match args.at {
        None => labels::taut_graph(&taut, scene),
        Some(cell) => labels::taut_links(&taut, cell, scene).ok_or_else(|| no_free_cell(grid, cell))?,
    };
    output::tell(&format!("{}: {told}", Engine::Labels));
    Ok(())
}

/// Draws corners and taut links, the label of a free cell, or the ports of a blocked one.
fn draw_strings(
    args: &Args,
    grid: &Grid,
    planners: &[Planner],
    scene: &mut Scene<'_>,
) -> Result<(), Box<dyn Error>> {
    if !args.show.contains(&Layer::Strings) {
        return Ok(());
    }
    Engine::Straight.check(grid)?;
    let index = planners.iter().find_map(|planner| planner.index().and_then(Index::straight));
    let rule = index.map_or_else(|| args.options.rule(), |index| index.settings().rule);
    let told = match (args.at, index) {
        (Some(cell), _) if !grid.contains(cell) => return Err(no_free_cell(grid, cell).into()),
        (Some(cell), _) if !grid.is_free(cell) => strings::ports(grid, rule, cell, scene),
        (Some(cell), Some(index)) => strings::label(index, cell, scene),
        (_, _) => strings::all(grid, rule, scene),
    };
    output::tell(&format!("{}: {told}", Engine::Straight));
    Ok(())
}

/// Draws the layers of labels; returns the path drawn with them.
fn draw_labels(
    args: &Args,
    planner: &Planner,
    scene: &mut Scene<'_>,
) -> Result<Option<Drawn>, Box<dyn Error>> {
    let Some(layer) = args.show.iter().find(|layer| layer.needs_labels() && **layer != Layer::Taut) else {
        return Ok(None);
    };
    let (grid, shows) = (planner.grid(), |layer| args.show.contains(&layer));
    let inspector = planner.index().and_then(Index::labels).and_then(|labels| Inspector::new(labels, grid));
    let inspector = inspector.ok_or_else(|| {
        let layer = layer.name();
        format!("--show {layer} needs labels of all cells, which do not fit the budget; raise --index-budget")
    })?;
    let labels = Labels { inspector, grid };
    let tell = |told: String| output::tell(&format!("{}: {told}", planner.engine()));
    if shows(Layer::Hubs) {
        tell(labels.hubs(scene));
    }
    if let Some(cell) = args.at.filter(|_| shows(Layer::Label)) {
        tell(labels.label(cell, scene).ok_or_else(|| no_free_cell(grid, cell))?);
    }
    let (Some(from), Some(to), true) = (args.from, args.to, shows(Layer::Meeting)) else { return Ok(None) };
    let path = find(planner, planner.engine().name(), from, to)?;
    match labels.meeting(from, to, &path, scene) {
        Some(met) => tell(met),
        None => draw_paths(scene, std::slice::from_ref(&path)),
    }
    Ok(Some(path).filter(|_| !shows(Layer::Path)))
}

/// Why a cell cannot be used.
fn no_free_cell(grid: &Grid, cell: Cell) -> String {
    if grid.contains(cell) {
        return format!("--at {cell} is blocked; name a free cell");
    }
    QueryError::Outside { cell, width: grid.width(), height: grid.height() }.to_string()
}

/// Draws clusters and squares of the first engine that has any, and layers that
/// only HPA* and HPT* have of the first of these.
fn draw_clusters(args: &Args, planners: &[Planner], scene: &mut Scene<'_>) -> Result<(), Box<dyn Error>> {
    let first = planners.iter().find(|planner| has_clusters(planner.engine()));
    let is_other = first.is_some_and(|planner| !has_hierarchy(planner.engine()));
    if let Some(planner) = first.filter(|_| is_other) {
        draw_groups(args, planner, scene)?;
        draw_overlay(args, planner, scene);
    }
    let shows = |layer: Layer| args.show.contains(&layer) && !(is_other && layer.needs_clusters());
    match planners.iter().find(|planner| planner.index().and_then(Index::hierarchy).is_some()) {
        Some(planner) => draw_hierarchy(args, planner, shows, scene),
        None => Ok(()),
    }
}

/// Draws the layers of squares.
fn draw_groups(args: &Args, planner: &Planner, scene: &mut Scene<'_>) -> Result<(), Box<dyn Error>> {
    let Some(groups) = planner.index().and_then(Index::groups) else { return Ok(()) };
    let shows = |layer| args.show.contains(&layer);
    let level = level(args, groups.hierarchy().level_count())?;
    let drawn = SquareLevel { grid: planner.grid(), groups, level };
    if args.show.iter().any(|layer| layer.needs_clusters()) {
        scene.pale();
    }
    if shows(Layer::Clusters) {
        drawn.squares(scene);
    }
    if shows(Layer::Graph) {
        drawn.graph(scene);
    }
    if let (Some(from), Some(to)) = (args.from, args.to) {
        if shows(Layer::Abstract) {
            groups::planned_path(planner, from, to, scene)?;
        }
        scene.start(from).goal(to);
    }
    Ok(())
}

/// Draws the layers of an overlay.
fn draw_overlay(args: &Args, planner: &Planner, scene: &mut Scene<'_>) {
    let Some(overlay) = planner.index().and_then(Index::overlay) else { return };
    if args.show.iter().any(|layer| layer.needs_clusters()) {
        scene.pale();
    }
    if args.show.contains(&Layer::Graph) {
        overlay::arcs(overlay, scene);
    }
    if args.show.contains(&Layer::Clusters) {
        overlay::blocks(overlay, scene);
    }
    if let (Some(from), Some(to)) = (args.from, args.to) {
        scene.start(from).goal(to);
    }
}

/// Draws the layers of HPA* or HPT*.
fn draw_hierarchy(
    args: &Args,
    planner: &Planner,
    shows: impl Fn(Layer) -> bool,
    scene: &mut Scene<'_>,
) -> Result<(), Box<dyn Error>> {
    let Some(hierarchy) = planner.index().and_then(Index::hierarchy) else { return Ok(()) };
    let level = level(args, hierarchy.settings().levels.into())? as u8;
    let abstraction = Abstraction { grid: planner.grid(), hierarchy, level };
    if shows(Layer::Graph) || shows(Layer::Clusters) || shows(Layer::Abstract) {
        scene.pale();
    }
    if shows(Layer::Entrances) {
        abstraction.entrances(scene);
    }
    if shows(Layer::Clusters) {
        abstraction.clusters(scene);
    }
    if shows(Layer::Graph) {
        abstraction.graph(scene);
    }
    let (Some(from), Some(to)) = (args.from, args.to) else { return Ok(()) };
    if shows(Layer::Refined)
        && let Some(rough) = args.options.without_smoothing(planner)
    {
        let path = find(&rough, "refined", from, to)?;
        scene.path(&path.points, REFINED, Width::cells(0.8).at_least(5.0)).legend(REFINED, path.label);
    }
    if shows(Layer::Smoothed) {
        let path = find(planner, "smoothed", from, to)?;
        scene.path(&path.points, SMOOTHED, Width::PATH).legend(SMOOTHED, path.label);
    }
    if shows(Layer::Abstract) {
        abstraction::abstract_path(planner, from, to, scene)?;
    }
    scene.start(from).goal(to);
    Ok(())
}

const REFINED: Colour = Colour::path(7);
const SMOOTHED: Colour = Colour::path(2);

/// The level to draw, if there is one.
fn level(args: &Args, levels: usize) -> Result<usize, String> {
    let level = args.level.unwrap_or(1) as usize;
    if level > levels {
        return Err(format!("--level is {level}, but the hierarchy has {levels}; see --levels"));
    }
    Ok(level)
}

fn find(planner: &Planner, name: &str, from: Cell, to: Cell) -> Result<Drawn, QueryError> {
    let mut scratch = Scratch::new();
    let (told, points) = match planner.find(Query::new(from, to), &mut scratch)? {
        Outcome::Found(route) => {
            let told = format!("{} {:.3}", world::measure_name(planner.grid()), route.length());
            (told, route.path().turns().collect())
        }
        Outcome::AlreadyThere => ("already there".to_owned(), vec![Point::centre(from)]),
        outcome => (format!("{} from {from} to {to}", output::status(&outcome)), Vec::new()),
    };
    let cells = planner.grid().entered_cells(&points);
    let any_angle = planner.engine().is_any_angle();
    Ok(Drawn { label: format!("{name}: {told}"), points, cells, any_angle })
}

/// How much wider a path is drawn for each path above it, and the maximum, as
/// shares of the width of the top one.
const WIDER: f32 = 0.75;
const WIDEST: f32 = 2.5;
/// Radius of the dots at turns, as a share of the path's width.
const TURN: f32 = 1.1;

/// Draws paths in different colours, the first beneath and widest, and the
/// turns of those that have any.
pub(crate) fn draw_paths(scene: &mut Scene<'_>, drawn: &[Drawn]) {
    draw_paths_in(scene, drawn, 0);
}

/// The same in the colours from this number on.
fn draw_paths_in(scene: &mut Scene<'_>, drawn: &[Drawn], first_colour: usize) {
    let wider = WIDER.min(WIDEST / drawn.len() as f32);
    for (number, path) in drawn.iter().enumerate() {
        let above = drawn.len() - 1 - number;
        let (colour, width) =
            (Colour::path(first_colour + number), Width::PATH.times(1.0 + wider * above as f32));
        if number == 0 {
            scene.path(&path.points, colour, width);
        } else {
            // A rim would hide what is beneath.
            scene.inlay(&path.points, colour, width);
        }
        scene.legend(colour, path.label.as_str());
        if let [_, turns @ .., _] = &path.points[..]
            && path.any_angle
        {
            scene.dots(turns.iter().copied(), colour, width.times(TURN), Shape::Mark);
        }
    }
    if let Some([start, .., goal] | [start @ goal]) =
        drawn.iter().map(|path| &path.cells[..]).find(|path| !path.is_empty())
    {
        scene.start(*start).goal(*goal);
    }
}

#[derive(Clone, Copy)]
enum Format {
    Png,
    Svg,
}

impl Format {
    fn of(path: &Path) -> Result<Self, String> {
        match path.extension().map(OsStr::to_ascii_lowercase) {
            Some(ending) if ending == "png" => Ok(Self::Png),
            Some(ending) if ending == "svg" => Ok(Self::Svg),
            _ => Err(format!("{}: a picture's name ends in .png or .svg", path.display())),
        }
    }
}

/// Most cells drawn as SVG; noise of this size makes tens of megabytes.
const LARGEST_SVG: usize = 4096 * 4096;

/// Writes a picture of an area in the format that its name asks for.
pub(crate) fn write_scene(
    mut scene: Scene<'_>,
    scale: Option<u16>,
    area: Rect,
    path: &Path,
) -> Result<(), Box<dyn Error>> {
    if let Some(scale) = scale {
        scene.scale(scale);
    }
    let bytes = match Format::of(path)? {
        Format::Png => scene.to_png()?,
        Format::Svg if area.width() as usize * area.height() as usize > LARGEST_SVG => {
            return Err("the map is too large for an SVG that programs can open; write a .png".into());
        }
        Format::Svg => scene.to_svg().into_bytes(),
    };
    output::write_file(path, &bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_map_are_a_corner_and_a_size() {
        let rect = |x, y, right, bottom| Rect::spanning(Cell::new(x, y), Cell::new(right, bottom));
        assert_eq!(parse_crop("10,20,64x48"), Ok(rect(10, 20, 73, 67)));
        assert_eq!(parse_crop("0,0, 1x1"), Ok(rect(0, 0, 0, 0)));
        assert_eq!(parse_crop("5,5,99999x18446744073709551615"), Ok(rect(5, 5, u16::MAX, u16::MAX)));
        for bad in ["", "1,2", "1,2,3", "1,2,0x5", "1,2,5x0", "-1,2,5x5", "1,2,5x5,6", "a,b,cxd"] {
            assert!(parse_crop(bad).is_err(), "{bad}");
        }
    }
}
