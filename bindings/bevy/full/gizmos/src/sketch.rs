//! Gizmos that can be switched on and off while the game runs.

use bevy::prelude::*;
use bevy_farstride::farstride::Cell;
use bevy_farstride::farstride::atlas::{FloorId, MoverId, Place};
use bevy_farstride::sketch::{self, Line, Part};
use bevy_farstride::{Agent, Edit, Position, Route, WorldId, WorldNews, Worlds};

/// Draws what [`Sketch`] says.
pub struct SketchPlugin;

impl Plugin for SketchPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Sketch>().init_resource::<Lines>().add_systems(PostUpdate, (renew, draw).chain());
    }
}

/// What is drawn. Change it at any time; at first nothing is.
///
/// Clusters, entrances and ways are those of an index of `hpa` or `hpt`, hubs those of `labels`. They are looked up when they
/// are switched on and, at most twice a second, after edits; each look waits for work in the background.
#[derive(Resource, Clone, PartialEq, Debug)]
pub struct Sketch {
    /// The world.
    pub world: WorldId,
    /// Whose index; that of the first agent found if there is none.
    pub mover: Option<MoverId>,
    /// On which floor.
    pub floor: FloorId,
    /// Borders of clusters.
    pub clusters: bool,
    /// Steps from cluster to cluster.
    pub entrances: bool,
    /// Known ways through clusters: the abstract graph of the first level.
    pub ways: bool,
    /// Hubs of labels.
    pub hubs: bool,
    /// The known parts of the routes of all agents of the floor.
    pub routes: bool,
    /// The cells that a search from a place to a cell of its floor looks at.
    pub search: Option<(Place, Cell)>,
}

impl Default for Sketch {
    fn default() -> Self {
        Self {
            world: WorldId::FIRST,
            mover: None,
            floor: FloorId::new(0),
            clusters: false,
            entrances: false,
            ways: false,
            hubs: false,
            routes: false,
            search: None,
        }
    }
}

impl Sketch {
    /// Whether something of an index or a search is drawn.
    const fn shows_index(&self) -> bool {
        self.clusters || self.entrances || self.ways || self.hubs || self.search.is_some()
    }

    fn shows(&self, part: Part) -> bool {
        match part {
            Part::Cluster(_) => self.clusters,
            Part::Entrance(_) => self.entrances,
            Part::Way => self.ways,
            Part::Hub => self.hubs,
            Part::Expanded => self.search.is_some(),
            _ => self.routes,
        }
    }
}

/// Lines of the index and of the search.
#[derive(Resource, Default)]
struct Lines {
    all: Vec<Line>,
    is_old: bool,
    /// Seconds since they were looked up.
    age: f32,
}

/// Seconds between two looks while edits go on.
const PERIOD: f32 = 0.5;

fn renew(
    sketch: Res<Sketch>,
    mut lines: ResMut<Lines>,
    mut worlds: ResMut<Worlds>,
    mut edits: MessageReader<Edit>,
    mut news: MessageReader<WorldNews>,
    agents: Query<&Agent>,
    time: Res<Time>,
) {
    let was_edited = edits.read().count() + news.read().count() > 0;
    lines.is_old |= was_edited;
    lines.age += time.delta_secs();
    let is_due = sketch.is_changed() || (lines.is_old && lines.age > PERIOD);
    if !is_due {
        return;
    }
    lines.all.clear();
    // Edits that are not made yet will be seen by another look.
    (lines.is_old, lines.age) = (worlds.has_edits_waiting(sketch.world), 0.0);
    let of_first = || agents.iter().find(|agent| agent.world == sketch.world).map(|agent| agent.mover);
    let Some(mover) = sketch.mover.or_else(of_first).filter(|_| sketch.shows_index()) else { return };
    let Some(places) = worlds.places(sketch.world).cloned() else { return };
    let Some(atlas) = worlds.atlas(sketch.world) else { return };
    if sketch.clusters || sketch.entrances || sketch.ways {
        let found = sketch::hierarchy(atlas, &places, mover, sketch.floor).unwrap_or_default();
        lines.all.extend(found.into_iter().filter(|line| sketch.shows(line.part)));
    }
    if sketch.hubs {
        lines.all.extend(sketch::hubs(atlas, &places, mover, sketch.floor).unwrap_or_default());
    }
    if let Some((from, to)) = sketch.search {
        lines.all.extend(sketch::expanded(atlas, &places, mover, from, to).unwrap_or_default());
    }
}

fn shade(part: Part) -> Color {
    match part {
        // Seen on dark and on light ground.
        Part::Cluster(level) => Color::srgba(0.2, 0.6, 1.0, (0.4 * f32::from(level)).min(1.0)),
        Part::Entrance(_) => Color::srgb(1.0, 1.0, 0.2),
        Part::Way => Color::srgba(1.0, 1.0, 1.0, 0.08),
        Part::Hub => Color::srgb(0.9, 0.2, 0.9),
        Part::Expanded => Color::srgba(1.0, 0.4, 0.1, 0.6),
        _ => Color::srgba(1.0, 1.0, 1.0, 0.5),
    }
}

fn draw(
    sketch: Res<Sketch>,
    lines: Res<Lines>,
    worlds: Res<Worlds>,
    agents: Query<(&Agent, &Position, &Route)>,
    mut gizmos: Gizmos,
) {
    for line in &lines.all {
        gizmos.line(line.from, line.to, shade(line.part));
    }
    let Some(places) = worlds.places(sketch.world).filter(|_| sketch.routes) else { return };
    let of_floor = |agent: &Agent, position: &Position| {
        agent.world == sketch.world
            && position.floor == sketch.floor
            && sketch.mover.is_none_or(|mover| mover == agent.mover)
    };
    for (agent, position, route) in agents.iter().filter(|(agent, position, _)| of_floor(agent, position)) {
        for line in sketch::route(places, position, route, worlds.size(agent)) {
            gizmos.line(line.from, line.to, shade(line.part));
        }
    }
}
