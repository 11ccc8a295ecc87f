//! How the engine groups sees a map: squares and their parts, the connections of
//! a level, and what every level has planned.

use farstride::error::QueryError;
use farstride::groups::{GridGroups, GroupId};
use farstride::{Cell, Grid, Index, Planned, Planner, Query, Rect, Scratch, Step, Waypoint};
use farstride_io::picture::{Colour, Scene, Shape, Width};
use std::collections::BTreeMap;

/// One level of a hierarchy of squares, to be drawn.
pub(super) struct SquareLevel<'a> {
    pub(super) grid: &'a Grid,
    pub(super) groups: &'a GridGroups,
    pub(super) level: usize,
}

/// Borders stand apart from everything drawn across them.
const BORDER: Colour = Colour::WALL;
/// Representatives.
const NODE: Colour = Colour::path(0);
/// The refined section is wider than the path that may cover it.
const REFINED: Colour = Colour::path(2);
const REFINED_WIDTH: f32 = 2.0;
/// Colours that the parts of a group are told apart by.
const TINTS: usize = 6;

/// The colour of a level, counted from 1.
fn colour(level: usize) -> Colour {
    Colour::level(2 * (level.max(1) - 1))
}

impl SquareLevel<'_> {
    /// Borders of the squares, with those of the lowest level faintly beneath. The
    /// parts of a square with several have different colours.
    pub(super) fn squares(&self, scene: &mut Scene<'_>) {
        let Self { grid, groups, level } = *self;
        let mut tinted: BTreeMap<usize, Vec<Cell>> = BTreeMap::new();
        for (square, group) in groups.squares(grid, level).zip((0..).map(GroupId::new)) {
            if groups.hierarchy().parts_of(level, group) < 2 {
                continue;
            }
            for cell in square.cells() {
                if let Some((_, part)) = groups.part_at(grid, cell, level) {
                    tinted.entry(part % TINTS).or_default().push(cell);
                }
            }
        }
        for (tint, cells) in tinted {
            scene.fill(cells, Colour::group(tint).with_alpha(120));
            if tint < 2 {
                let name = ["first", "second"][tint];
                scene.legend(Colour::group(tint), format!("{name} part of a square with several"));
            }
        }
        if level > 1 {
            scene.outline(groups.squares(grid, 1), BORDER.with_alpha(90), Width::BORDER);
        }
        scene.outline(groups.squares(grid, level), BORDER, Width::cells(0.16).at_least(1.6));
        scene.legend(BORDER, format!("squares of level {level}"));
    }

    /// Representatives of the parts of the level, and the connections between
    /// them.
    pub(super) fn graph(&self, scene: &mut Scene<'_>) {
        let Self { groups, level, .. } = *self;
        let lines = groups.connections(level).filter(|(from, to, _)| (from.y, from.x) < (to.y, to.x));
        let all = (0..groups.hierarchy().group_count(level) as u32).map(GroupId::new);
        let nodes = all.flat_map(|group| groups.hierarchy().representatives(level, group));
        scene
            .lines(lines.map(|(from, to, _)| (from, to)), colour(level), Width::EDGE)
            .dots(nodes, NODE, Width::cells(0.34).at_least(2.2), Shape::Disc)
            .legend(colour(level), format!("connections on level {level}"))
            .legend(NODE, "parts, each where its representative is");
    }

    /// The cells of the parts that waypoints stand for.
    fn cells(&self, waypoints: &[Waypoint]) -> Vec<Cell> {
        let Self { grid, groups, level } = *self;
        let squares: Vec<Rect> = groups.squares(grid, level).collect();
        let parts = waypoints.iter().filter_map(|waypoint| groups.part_at(grid, waypoint.cell, level));
        let cells = parts.flat_map(|part| {
            let square = squares[part.0.index()].cells();
            square.filter(move |&cell| groups.part_at(grid, cell, level) == Some(part))
        });
        cells.collect()
    }
}

/// Draws what every level has planned when the first step is taken: the parts
/// that it leads through, the lines between their representatives, and the
/// section that is refined.
pub(super) fn planned_path(
    planner: &Planner,
    start: Cell,
    goal: Cell,
    scene: &mut Scene<'_>,
) -> Result<(), QueryError> {
    let mut scratch = Scratch::new();
    let (Planned::Plan(mut plan), Some(groups)) =
        (planner.plan(Query::new(start, goal), &mut scratch)?, planner.index().and_then(Index::groups))
    else {
        return Ok(());
    };
    let whole: Vec<Waypoint> = plan.waypoints().collect();
    let mut section = vec![start];
    if let Step::To(first) = plan.step(planner, &mut scratch)? {
        section.push(first);
    }
    section.extend(plan.refined());
    let next: Vec<Waypoint> = plan.waypoints().collect();
    let highest = whole.iter().map(|waypoint| usize::from(waypoint.level)).max().unwrap_or(0);
    for level in (1..=highest).rev() {
        // The highest level has planned the whole way, each below it what the
        // one above does next.
        let from = if level == highest { &whole } else { &next };
        let on: Vec<Waypoint> =
            from.iter().copied().filter(|waypoint| usize::from(waypoint.level) == level).collect();
        let begin = if level == highest { start } else { section.last().copied().unwrap_or(start) };
        let drawn = SquareLevel { grid: planner.grid(), groups, level };
        scene.fill(drawn.cells(&on), colour(level).with_alpha(70));
        let stops = std::iter::once(begin).chain(on.iter().map(|waypoint| waypoint.cell));
        let stops: Vec<Cell> = stops.chain((level == highest).then_some(goal)).collect();
        let lines = stops.windows(2).map(|leg| (leg[0], leg[1]));
        let width = 0.12 * level as f32;
        scene.lines(lines, colour(level), Width::cells(0.15 + width).at_least(1.5 + width));
        scene.dots(stops, colour(level), Width::cells(0.4).at_least(2.6), Shape::Disc);
        let what = if level == highest { "the whole way" } else { "what comes next" };
        scene.legend(colour(level), format!("planned on level {level}: {what}"));
    }
    scene.path(&section, REFINED, Width::PATH.times(REFINED_WIDTH));
    scene.legend(REFINED, "refined: the first section");
    Ok(())
}
