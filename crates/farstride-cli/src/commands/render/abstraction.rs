//! How HPA* and HPT* see a map: clusters, entrances, the graph of a level, and the
//! abstract path.

use farstride::error::QueryError;
use farstride::hpa::Hierarchy;
use farstride::{Cell, Grid, Index, Planned, Planner, Query, Scratch, Waypoint};
use farstride_io::picture::{Colour, Scene, Shape, Width};

/// One level of an abstraction, to be drawn.
pub(super) struct Abstraction<'a> {
    pub(super) grid: &'a Grid,
    pub(super) hierarchy: &'a Hierarchy,
    pub(super) level: u8,
}

/// Borders stand apart from everything drawn across them.
const BORDER: Colour = Colour::WALL;
/// Where one passes from cluster to cluster.
const CROSSING: Colour = Colour::path(0);
const ENTRANCE: Colour = Colour::path(4);

/// The colour of a level, counted from 1.
fn colour(level: u8) -> Colour {
    Colour::level(2 * usize::from(level.max(1) - 1))
}

impl Abstraction<'_> {
    /// Borders of the clusters, those of the lowest level faintly beneath.
    pub(super) fn clusters(&self, scene: &mut Scene<'_>) {
        let Self { hierarchy, level, .. } = *self;
        if level > 1 {
            scene.outline(hierarchy.clusters(1), BORDER.with_alpha(110), Width::BORDER);
        }
        scene.outline(hierarchy.clusters(level), BORDER, Width::cells(0.16).at_least(1.6));
        scene.legend(BORDER, format!("clusters of level {level}"));
    }

    /// Cells along the borders that have a free cell on the other side.
    pub(super) fn entrances(&self, scene: &mut Scene<'_>) {
        let pairs = self.hierarchy.clusters(self.level).flat_map(|cluster| {
            let max = cluster.max();
            let edge = cluster.cells().filter(move |cell| cell.x == max.x || cell.y == max.y);
            edge.flat_map(move |cell| {
                let beside = (cell.x == max.x).then_some((cell, Cell::new(cell.x + 1, cell.y)));
                let below = (cell.y == max.y).then_some((cell, Cell::new(cell.x, cell.y + 1)));
                beside.into_iter().chain(below)
            })
        });
        let is_free = |cell| self.grid.contains(cell) && self.grid.is_free(cell);
        let cells = pairs.filter(|&(a, b)| is_free(a) && is_free(b)).flat_map(|(a, b)| [a, b]);
        scene.fill(cells, ENTRANCE.with_alpha(150));
        scene.legend(ENTRANCE, "entrances");
    }

    /// Nodes and edges of the level.
    pub(super) fn graph(&self, scene: &mut Scene<'_>) {
        let Self { hierarchy, level, .. } = *self;
        let intra = hierarchy.intra_edges(level).map(|edge| (edge.from, edge.to));
        let inter =
            hierarchy.inter_edges().filter(|edge| edge.level >= level).map(|edge| (edge.from, edge.to));
        let nodes = hierarchy.nodes().filter(|node| node.level >= level).map(|node| node.cell);
        scene
            .lines(intra, colour(level).with_alpha(if level == 1 { 200 } else { 140 }), Width::EDGE)
            .lines(inter, CROSSING, Width::cells(0.3).at_least(2.4))
            .dots(nodes, CROSSING, Width::cells(0.34).at_least(2.2), Shape::Disc)
            .legend(colour(level), format!("intra-edges: ways through clusters of level {level}"))
            .legend(CROSSING, "nodes and inter-edges: steps between clusters");
    }
}

/// Draws the abstract path as straight lines from waypoint to waypoint, the
/// thicker the higher the level on which the way is known.
pub(super) fn abstract_path(
    planner: &Planner,
    start: Cell,
    goal: Cell,
    scene: &mut Scene<'_>,
) -> Result<(), QueryError> {
    let Planned::Plan(plan) = planner.plan(Query::new(start, goal), &mut Scratch::new())? else {
        return Ok(());
    };
    let waypoints: Vec<Waypoint> = plan.waypoints().collect();
    let from = std::iter::once(start).chain(waypoints.iter().map(|waypoint| waypoint.cell));
    let legs: Vec<_> = from.zip(&waypoints).map(|(from, to)| (to.level, (from, to.cell))).collect();
    for level in
        0..=planner.index().and_then(Index::hierarchy).map_or(0, |hierarchy| hierarchy.settings().levels)
    {
        let lines: Vec<_> = legs.iter().filter(|(of, _)| *of == level).map(|&(_, line)| line).collect();
        if lines.is_empty() {
            continue;
        }
        if level == 0 {
            scene.lines(lines, CROSSING, Width::cells(0.5).at_least(3.0));
            scene.legend(CROSSING, "abstract path: steps between clusters");
        } else {
            let width = Width::cells(0.15 + 0.08 * f32::from(level)).at_least(1.5 + f32::from(level));
            scene.lines(lines, colour(level), width);
            scene.legend(colour(level), format!("abstract path: through clusters of level {level}"));
        }
    }
    scene.dots(
        waypoints.iter().map(|waypoint| waypoint.cell),
        CROSSING,
        Width::cells(0.45).at_least(3.0),
        Shape::Disc,
    );
    Ok(())
}
