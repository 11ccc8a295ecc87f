//! What `farstride render` draws, as numbers.

use crate::Failure;
use farstride::graph::NodeId;
use farstride::hpa::{Hierarchy, Tactics};
use farstride::index::IndexSettings;
use farstride::internal::{Inspector, LabelEntry, TautMap};
use farstride::subgoal::SubgoalGraph;
use farstride::{Cell, Engine, Index, Planned, Planner, Query, Rect, Scratch};
use std::collections::BTreeMap;

/// What a layer is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Counted from 1.
    pub level: Option<u32>,
    /// A cell, or the start of a query.
    pub from: Option<Cell>,
    /// The goal of a query.
    pub to: Option<Cell>,
}

impl Asked {
    /// A level that exists; the lowest unless another is asked for.
    fn level(self, levels: usize) -> Result<usize, Failure> {
        let level = self.level.unwrap_or(1) as usize;
        if (1..=levels).contains(&level) {
            return Ok(level);
        }
        Err(Failure::query(format!("level is {level}, but must be between 1 and {levels}")))
    }

    fn ends(self, name: &str) -> Result<(Cell, Cell), Failure> {
        let needs = || Failure::query(format!("the layer {name} needs a start and a goal"));
        self.from.zip(self.to).ok_or_else(needs)
    }
}

/// Names of the layers of an engine.
pub const fn names(engine: Engine) -> &'static [&'static str] {
    match engine.default_settings() {
        Some(IndexSettings::Hpa(_)) => {
            &["clusters", "entrances", "inter-edges", "intra-edges", "abstract-path", "refined-path"]
        }
        Some(IndexSettings::Subgoals(_)) => &["subgoals", "subgoal-edges"],
        Some(IndexSettings::Groups(_)) => &["clusters", "connections", "abstract-path"],
        Some(IndexSettings::Labels(_)) => &["taut-links", "hubs", "meeting"],
        Some(IndexSettings::Overlay(_)) => &["clusters", "connections"],
        _ => &[],
    }
}

/// How many numbers of a layer belong together.
pub fn width(name: &str) -> usize {
    match name {
        "entrances" | "meeting" | "refined-path" => 2,
        "abstract-path" | "hubs" | "subgoals" => 3,
        _ => 4,
    }
}

/// The numbers of a layer.
///
/// # Errors
/// [`Failure`] if the engine has no such layer, or the layer needs something else.
pub fn layer(
    planner: &Planner,
    tactics: Tactics,
    name: &str,
    asked: Asked,
    scratch: &mut Scratch,
) -> Result<Vec<i32>, Failure> {
    let engine = planner.engine();
    if !names(engine).contains(&name) {
        return Err(Failure::query(format!("engine {engine} has no layer '{name}'")));
    }
    match (name, planner.index()) {
        ("abstract-path", _) => abstract_path(planner, asked.ends(name)?, scratch),
        ("refined-path", _) => {
            let rough = planner.clone().with_tactics(tactics.with_smooth(false));
            path(&rough, asked.ends(name)?, scratch)
        }
        (_, Some(Index::Hpa(hierarchy))) => of_hierarchy(hierarchy, name, asked),
        (_, Some(Index::Subgoals(graph))) => of_subgoals(graph, name, asked),
        (_, Some(Index::Groups(groups))) => {
            let level = asked.level(groups.hierarchy().level_count())?;
            if name == "clusters" {
                return Ok(rectangles(groups.squares(planner.grid(), level)));
            }
            let lines = groups.connections(level).filter(|(from, to, _)| (from.y, from.x) < (to.y, to.x));
            Ok(edges(lines.map(|(from, to, _)| (from, to))))
        }
        ("clusters", Some(Index::Overlay(overlay))) => Ok(rectangles(overlay.blocks())),
        (_, Some(Index::Overlay(overlay))) => {
            let mut lines = Vec::new();
            overlay.for_each_arc(|from, to, _| lines.push((from, to)));
            Ok(edges(lines.into_iter()))
        }
        (_, Some(Index::Labels(_))) => of_labels(planner, name, asked, scratch),
        _ => Ok(Vec::new()),
    }
}

fn of_hierarchy(hierarchy: &Hierarchy, name: &str, asked: Asked) -> Result<Vec<i32>, Failure> {
    let level = asked.level(hierarchy.settings().levels.into())? as u8;
    Ok(match name {
        "clusters" => rectangles(hierarchy.clusters(level)),
        "entrances" => {
            let nodes = hierarchy.nodes().filter(|node| node.level >= level);
            pairs(nodes.map(|node| node.cell))
        }
        "inter-edges" => {
            let inter = hierarchy.inter_edges().filter(|edge| edge.level >= level);
            edges(inter.map(|edge| (edge.from, edge.to)))
        }
        _ => edges(hierarchy.intra_edges(level).map(|edge| (edge.from, edge.to))),
    })
}

fn of_subgoals(graph: &SubgoalGraph, name: &str, asked: Asked) -> Result<Vec<i32>, Failure> {
    let levels = graph.levels();
    let least = asked.level(levels.level_count().max(1) as usize)? as u32;
    let cell = |node: NodeId| graph.subgoals()[node.index()];
    if name == "subgoals" {
        let nodes = (0..graph.subgoals().len() as u32).map(NodeId::new);
        let nodes = nodes.map(|node| (cell(node), levels.level(node)));
        let nodes = nodes.filter(|&(_, level)| level >= least);
        return Ok(nodes.flat_map(|(cell, level)| [cell.x.into(), cell.y.into(), level as i32]).collect());
    }
    // An edge starts at its lower end.
    let shown = levels.edges().filter(|edge| levels.level(edge.from) >= least);
    Ok(edges(shown.map(|edge| (cell(edge.from), cell(edge.to)))))
}

fn of_labels(
    planner: &Planner,
    name: &str,
    asked: Asked,
    scratch: &mut Scratch,
) -> Result<Vec<i32>, Failure> {
    let grid = planner.grid();
    if name == "taut-links" && asked.from.is_none() {
        return Ok(edges(TautMap::new(grid).edges()));
    }
    let inspector = planner.index().and_then(Index::labels).and_then(|labels| Inspector::new(labels, grid));
    let inspector = inspector.ok_or_else(|| {
        Failure::index(format!("{name} needs labels of all cells, which do not fit the budget; raise it"))
    })?;
    if name == "meeting" {
        let (start, goal) = asked.ends(name)?;
        let Some(meeting) = inspector.meeting(start, goal) else { return Ok(Vec::new()) };
        let mut numbers = pairs([meeting.hub]);
        numbers.extend(path(planner, (start, goal), scratch)?);
        return Ok(numbers);
    }
    let Some(cell) = asked.from else {
        let hubs = inspector.hubs().into_iter();
        return Ok(hubs.flat_map(|hub| [hub.cell.x.into(), hub.cell.y.into(), hub.rank as i32]).collect());
    };
    // A blocked cell has no label.
    let label = inspector.label(cell).unwrap_or_default();
    if name == "taut-links" {
        return Ok(edges(label.vias.into_iter().map(|via| (cell, via))));
    }
    let mut hubs: BTreeMap<usize, LabelEntry> = BTreeMap::new();
    hubs.extend(label.entries.into_iter().map(|entry| (entry.rank(), entry)));
    let hubs = hubs.into_iter();
    Ok(hubs.flat_map(|(rank, entry)| [entry.hub.x.into(), entry.hub.y.into(), rank as i32]).collect())
}

fn abstract_path(
    planner: &Planner,
    (start, goal): (Cell, Cell),
    scratch: &mut Scratch,
) -> Result<Vec<i32>, Failure> {
    let Planned::Plan(plan) = planner.plan(Query::new(start, goal), scratch)? else { return Ok(Vec::new()) };
    let waypoints = plan.waypoints();
    let numbers = waypoints.flat_map(|point| [point.cell.x.into(), point.cell.y.into(), point.level.into()]);
    Ok(numbers.collect())
}

/// The cells of a path; none if there is no way.
fn path(planner: &Planner, (start, goal): (Cell, Cell), scratch: &mut Scratch) -> Result<Vec<i32>, Failure> {
    let outcome = planner.find(Query::new(start, goal), scratch)?;
    let turns = outcome.route().into_iter().flat_map(|route| route.path().turns());
    Ok(pairs(turns.filter_map(farstride::Point::cell)))
}

fn pairs(cells: impl IntoIterator<Item = Cell>) -> Vec<i32> {
    cells.into_iter().flat_map(|cell| [cell.x.into(), cell.y.into()]).collect()
}

fn edges(lines: impl Iterator<Item = (Cell, Cell)>) -> Vec<i32> {
    lines.flat_map(|(from, to)| [from.x.into(), from.y.into(), to.x.into(), to.y.into()]).collect()
}

fn rectangles(areas: impl Iterator<Item = Rect>) -> Vec<i32> {
    let numbers = areas.flat_map(|area| {
        [area.min().x.into(), area.min().y.into(), area.width() as i32, area.height() as i32]
    });
    numbers.collect()
}
