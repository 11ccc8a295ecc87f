//! Subgoal graphs: subgoals by level, and the edges between them.

use farstride::Cell;
use farstride::graph::NodeId;
use farstride::nlevel::Edge;
use farstride::subgoal::SubgoalGraph;
use farstride_io::picture::{Colour, Scene, Shape, Width};

/// A subgoal graph from some level on, to be drawn.
pub(super) struct Subgoals<'a> {
    pub(super) graph: &'a SubgoalGraph,
    /// Lower subgoals and their edges are not drawn.
    pub(super) least_level: u32,
}

/// Edges of the simple subgoal graph.
const EDGE: Colour = Colour::WALL;
/// Edges that the partition added.
const EXTRA: Colour = Colour::path(4);
/// More edges than this are drawn faintly, or nothing else would be seen.
const CROWD: usize = 1500;
/// Levels are told apart by this many colours at most.
const BANDS: u32 = 6;

impl Subgoals<'_> {
    /// Draws edges and, on top of them, subgoals; the higher their level, the
    /// stronger their colour.
    pub(super) fn draw(&self, scene: &mut Scene<'_>) {
        let (extra, simple): (Vec<_>, Vec<_>) = self.edges().partition(|edge| edge.via.is_some());
        let lines = |edges: &[Edge]| -> Vec<(Cell, Cell)> {
            edges.iter().map(|edge| (self.cell(edge.from), self.cell(edge.to))).collect()
        };
        let (alpha, width) = if simple.len() + extra.len() > CROWD {
            (80, Width::cells(0.06).at_least(0.7))
        } else {
            (200, Width::cells(0.08).at_least(1.2))
        };
        scene.pale().lines(lines(&simple), EDGE.with_alpha(alpha), width);
        scene.lines(lines(&extra), EXTRA.with_alpha(alpha + 20), width);
        scene.legend(EDGE, format!("{} edges of the simple graph", simple.len()));
        if !extra.is_empty() {
            scene.legend(EXTRA, format!("{} extra edges", extra.len()));
        }
        for (from, to, colour) in self.bands() {
            let nodes = self.nodes().filter(|&(_, level)| (from..=to).contains(&level));
            let cells: Vec<Cell> = nodes.map(|(cell, _)| cell).collect();
            if cells.is_empty() {
                continue;
            }
            let levels = if from == to { format!("level {from}") } else { format!("levels {from} to {to}") };
            scene.legend(colour, format!("{} subgoals of {levels}", cells.len()));
            let share = to as f32 / self.graph.levels().level_count() as f32;
            let radius = Width::cells(0.28 + 0.14 * share).at_least(2.0 + 1.6 * share);
            scene.dots(cells, colour, radius, Shape::Disc);
        }
    }

    /// The same in words.
    pub(super) fn describe(&self) -> String {
        let (extra, simple): (Vec<_>, Vec<_>) = self.edges().partition(|edge| edge.via.is_some());
        let levels = self.graph.levels().level_count();
        let (nodes, simple, extra) = (self.nodes().count(), simple.len(), extra.len());
        let of = match self.least_level {
            1 if levels == 1 => "on one level".to_owned(),
            1 => format!("on {levels} levels"),
            level if level == levels => format!("on the highest of {levels} levels"),
            level => format!("on levels {level} to {levels}"),
        };
        format!("{nodes} subgoals {of}, {simple} edges and {extra} extra edges between them")
    }

    /// The levels that are drawn, lowest first, in as many parts as there are
    /// colours, each with its first and last level; the highest stands alone.
    fn bands(&self) -> impl Iterator<Item = (u32, u32, Colour)> {
        let highest = self.graph.levels().level_count();
        let below = BANDS.min(highest).saturating_sub(1);
        let end = move |band: u32| band * highest.saturating_sub(1) / below.max(1);
        let lower = (0..below).map(move |band| (1 + end(band), end(band + 1), band * (BANDS - 1) / below));
        let bands = lower.chain([(highest, highest, BANDS - 1)]);
        bands
            .filter(|&(_, to, _)| to >= self.least_level)
            .map(|(from, to, colour)| (from.max(self.least_level), to, Colour::level(colour as usize)))
    }

    /// Subgoals that are drawn, with their levels.
    fn nodes(&self) -> impl Iterator<Item = (Cell, u32)> {
        let nodes = (0..self.graph.subgoals().len() as u32).map(NodeId::new);
        let nodes = nodes.map(|node| (self.cell(node), self.graph.levels().level(node)));
        nodes.filter(|&(_, level)| level >= self.least_level)
    }

    /// Edges between them. An edge starts at its lower end.
    fn edges(&self) -> impl Iterator<Item = Edge> {
        self.graph.levels().edges().filter(|edge| self.graph.levels().level(edge.from) >= self.least_level)
    }

    fn cell(&self, node: NodeId) -> Cell {
        self.graph.subgoals()[node.index()]
    }
}
