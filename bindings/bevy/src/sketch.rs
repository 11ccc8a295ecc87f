//! What an index looks like, as lines for gizmos.

use crate::agent::{Position, Route};
use crate::layout::Places;
use bevy_math::Vec3;
use farstride::atlas::{Atlas, AtlasError, FloorId, MoverId, Place};
use farstride::internal::{Hub, Inspector};
use farstride::search::Observer;
use farstride::{Cell, Cost, Index, Query, Scratch};

/// What a line of a sketch belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Part {
    /// The border of a cluster of a level.
    Cluster(u8),
    /// A step from one cluster to the next, with the highest level that knows it.
    Entrance(u8),
    /// A known way through a cluster of level 1, as a straight line.
    Way,
    /// A hub of labels, as a cross on its cell: the more cells know it, the larger.
    Hub,
    /// A cell that a search looked at, as a short line through it.
    Expanded,
    /// A known part of an agent's route.
    Route,
}

/// A line to draw.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Line {
    /// What it belongs to.
    pub part: Part,
    /// One end.
    pub from: Vec3,
    /// The other.
    pub to: Vec3,
}

/// The lines of the hierarchy of a mover on a floor: clusters, entrances and ways. None if its engine is
/// neither `hpa` nor `hpt`, or while a stand-in answers.
///
/// # Errors
/// [`AtlasError`] if mover or floor are not of this atlas.
pub fn hierarchy(
    atlas: &Atlas,
    places: &Places,
    mover: MoverId,
    floor: FloorId,
) -> Result<Vec<Line>, AtlasError> {
    let planner = atlas.planner(mover, floor)?;
    let Some(hierarchy) = planner.index().and_then(Index::hierarchy) else { return Ok(Vec::new()) };
    let point = |cell: Cell| places.point(Place::new(floor, cell), 1);
    let mut lines = Vec::new();
    for (level, _) in (1..=u8::MAX).zip(hierarchy.counts()) {
        for area in hierarchy.clusters(level) {
            // Corners are half a cell from the middles of the cells there.
            let half = (point(Cell::new(1, 1)) - point(Cell::new(0, 0))) / 2.0;
            let (least, most) = (point(area.min()) - half, point(area.max()) + half);
            let (right, down) =
                (places.layout().along_rows(least, most), places.layout().along_columns(least, most));
            let part = Part::Cluster(level);
            lines.push(Line { part, from: least, to: right });
            lines.push(Line { part, from: least, to: down });
            // The other two sides are those of neighbours, except at the end of the map.
            if usize::from(area.max().x) + 1 == planner.grid().width() {
                lines.push(Line { part, from: right, to: most });
            }
            if usize::from(area.max().y) + 1 == planner.grid().height() {
                lines.push(Line { part, from: down, to: most });
            }
        }
    }
    let entrance = |from, to, level| Line { part: Part::Entrance(level), from: point(from), to: point(to) };
    lines.extend(hierarchy.inter_edges().map(|edge| entrance(edge.from, edge.to, edge.level)));
    let way = |from, to| Line { part: Part::Way, from: point(from), to: point(to) };
    lines.extend(hierarchy.intra_edges(1).map(|edge| way(edge.from, edge.to)));
    Ok(lines)
}

/// The hubs of a mover on a floor: cells that the labels of many others know, and at which their paths
/// meet. None unless its engine is `labels` and the labels are of all cells, or while a stand-in
/// answers.
///
/// Reads all labels of the floor: for a look now and then, not for every frame.
///
/// # Errors
/// [`AtlasError`] if mover or floor are not of this atlas.
pub fn hubs(atlas: &Atlas, places: &Places, mover: MoverId, floor: FloorId) -> Result<Vec<Line>, AtlasError> {
    let planner = atlas.planner(mover, floor)?;
    let labels = planner.index().and_then(Index::labels);
    let Some(inspector) = labels.and_then(|labels| Inspector::new(labels, planner.grid())) else {
        return Ok(Vec::new());
    };
    let hubs = inspector.hubs();
    let most = hubs.iter().map(|hub| hub.labels).max().unwrap_or(1) as f32;
    let cross = |hub: &Hub| {
        let middle = places.point(Place::new(floor, hub.cell), 1);
        // From half a cell to two cells wide.
        let arm = 0.25 + 0.75 * (hub.labels as f32 / most).sqrt();
        let (column, row) = (places.layout().column() * arm, places.layout().row() * arm);
        let line = |arm: Vec3| Line { part: Part::Hub, from: middle - arm, to: middle + arm };
        [line(column + row), line(column - row)]
    };
    Ok(hubs.iter().flat_map(cross).collect())
}

/// The cells that a search between two cells of a floor looks at.
///
/// # Errors
/// [`AtlasError`] if mover or floor are not of this atlas.
pub fn expanded(
    atlas: &Atlas,
    places: &Places,
    mover: MoverId,
    from: Place,
    to: Cell,
) -> Result<Vec<Line>, AtlasError> {
    let planner = atlas.planner(mover, from.floor)?;
    let mut seen = Seen::default();
    // Cells off the floor have no search to show.
    let _ = planner.find_observed(Query::new(from.cell, to), &mut seen, &mut Scratch::new());
    let line = |cell: Cell| {
        let middle = places.point(Place { cell, ..from }, 1);
        let quarter = places.layout().column() / 4.0;
        Line { part: Part::Expanded, from: middle - quarter, to: middle + quarter }
    };
    Ok(seen.cells.into_iter().map(line).collect())
}

/// The part of an agent's route that is known.
pub fn route(places: &Places, position: &Position, route: &Route, size: u16) -> Vec<Line> {
    let mut from = position.point;
    let mut lines = Vec::new();
    for hop in route.ahead() {
        let to = places.point(hop.place, size);
        lines.push(Line { part: Part::Route, from, to });
        from = to;
    }
    lines
}

#[derive(Default)]
struct Seen {
    cells: Vec<Cell>,
}

impl Observer<Cell> for Seen {
    fn expanded(&mut self, cell: Cell, _: Cost) {
        self.cells.push(cell);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use bevy_math::Vec2;
    use farstride::Engine;
    use farstride::atlas::{Floor, Mover, TileMap};

    #[test]
    fn every_part_of_an_index_has_lines() {
        let mut tiles = TileMap::new();
        let floor = tiles.add_floor(Floor::filled(64, 64, b'.').unwrap()).unwrap();
        let mut atlas = Atlas::new(tiles).unwrap();
        let mover = Mover::new().entering(b'.', 1);
        let hpa = atlas.add_mover(mover.clone()).unwrap();
        let astar = atlas.add_mover(mover.clone().with_engine(Engine::Astar)).unwrap();
        let labels = atlas.add_mover(mover.with_engine(Engine::Labels)).unwrap();
        let places = Places::new(Layout::flat(Vec2::ZERO, 2.0), &atlas);
        let lines = hierarchy(&atlas, &places, hpa, floor).unwrap();
        let count = |is: fn(Part) -> bool| lines.iter().filter(|line| is(line.part)).count();
        assert!(count(|part| matches!(part, Part::Cluster(1))) >= 8);
        assert!(count(|part| matches!(part, Part::Entrance(_))) > 0 && count(|part| part == Part::Way) > 0);
        // Borders follow columns and rows, within the map.
        for line in lines.iter().filter(|line| matches!(line.part, Part::Cluster(_))) {
            let across = (line.to - line.from).abs();
            assert!(across.x.min(across.y) < 1e-3, "{line:?}");
            assert!(
                [line.from, line.to]
                    .iter()
                    .all(|at| (0.0..=128.0).contains(&at.x) && (-128.0..=0.0).contains(&at.y))
            );
        }
        // The map has a border all around.
        for corner in [Vec3::ZERO, Vec3::new(128.0, -128.0, 0.0)] {
            for other in [Vec3::new(128.0, 0.0, 0.0), Vec3::new(0.0, -128.0, 0.0)] {
                let is_between = |at: Vec3| {
                    (at.distance(corner) + at.distance(other) - corner.distance(other)).abs() < 1e-3
                };
                let length: f32 = lines
                    .iter()
                    .filter(|line| {
                        line.part == Part::Cluster(1) && is_between(line.from) && is_between(line.to)
                    })
                    .map(|line| line.from.distance(line.to))
                    .sum();
                assert!((length - 128.0).abs() < 1e-2, "{corner} to {other}: {length}");
            }
        }
        assert_eq!(hierarchy(&atlas, &places, astar, floor), Ok(Vec::new()));
        let from = Place::new(floor, (3, 3));
        assert!(!expanded(&atlas, &places, astar, from, Cell::new(60, 50)).unwrap().is_empty());
        assert!(expanded(&atlas, &places, astar, from, Cell::new(600, 50)).unwrap().is_empty());
        // An empty floor has no corners, and so no hubs.
        assert_eq!(hubs(&atlas, &places, labels, floor), Ok(Vec::new()));
        let wall = farstride::Rect::spanning(Cell::new(20, 10), Cell::new(30, 50));
        atlas.edit(|tiles| tiles.fill(floor, wall, b'#')).unwrap();
        let lines = hubs(&atlas, &places, labels, floor).unwrap();
        // A cross at each corner of the wall.
        assert_eq!(lines.len(), 2 * 4);
        let middles = lines.iter().map(|line| (line.from + line.to) / 2.0);
        assert!(middles.into_iter().any(|at| at.distance(Vec3::new(39.0, -19.0, 0.0)) < 1e-3));
        assert_eq!(hubs(&atlas, &places, hpa, floor), Ok(Vec::new()));
    }
}
