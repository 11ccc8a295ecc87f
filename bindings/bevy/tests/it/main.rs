//! Apps without a window drive every component and message.

mod agents;
mod edits;
mod guide;
mod lock_step;
mod worlds;

use bevy_app::{App, TaskPoolPlugin};
use bevy_ecs::message::MessageCursor;
use bevy_ecs::prelude::*;
use bevy_farstride::prelude::*;
use bevy_math::Vec2;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use std::time::Duration;

/// The side of a cell in all tests.
const CELL: f32 = 10.0;
const GROUND: FloorId = FloorId::new(0);

/// An app whose frames take a twentieth of a second.
fn app(plugin: FarstridePlugin) -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, plugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(50)));
    app.finish();
    app.cleanup();
    app
}

fn lock_step() -> FarstridePlugin {
    FarstridePlugin::default().in_lock_step(100)
}

/// A world of one floor, with movers of sizes 1 and 2 that enter `.` at 1 and `,` at 3.
fn add_world(app: &mut App, map: &str, engine: Engine) -> (WorldId, MoverId, MoverId) {
    let mut tiles = TileMap::new();
    tiles.add_floor(Floor::from_text(map).unwrap()).unwrap();
    add_tiles(app, tiles, engine)
}

fn add_tiles(app: &mut App, tiles: TileMap, engine: Engine) -> (WorldId, MoverId, MoverId) {
    let mut atlas = Atlas::new(tiles).unwrap();
    let mover = Mover::new().entering(b'.', 1).entering(b',', 3).with_engine(engine);
    let small = atlas.add_mover(mover.clone()).unwrap();
    let large = atlas.add_mover(mover.sized(2)).unwrap();
    let world = app.world_mut().resource_mut::<Worlds>().add(atlas, Layout::flat(Vec2::ZERO, CELL));
    (world, small, large)
}

/// The middle of a cell.
fn at(x: u16, y: u16) -> Position {
    Position::new((f32::from(x) + 0.5) * CELL, -(f32::from(y) + 0.5) * CELL)
}

fn goal(x: u16, y: u16) -> Goal {
    Goal::new(Place::new(GROUND, (x, y)))
}

fn route(app: &App, agent: Entity) -> &Route {
    app.world().get::<Route>(agent).unwrap()
}

fn position(app: &App, agent: Entity) -> Position {
    *app.world().get::<Position>(agent).unwrap()
}

/// The cell that a small agent is in.
fn cell(app: &App, agent: Entity) -> Cell {
    let Position { point, floor } = position(app, agent);
    let worlds = app.world().resource::<Worlds>();
    let world = app.world().get::<Agent>(agent).unwrap().world;
    worlds.places(world).unwrap().place(floor, point, 1).unwrap().cell
}

/// Runs frames until something holds; fails after many. Without lock step, work takes its time.
fn run_until(app: &mut App, what: impl Fn(&App) -> bool) -> usize {
    for frame in 1..20_000 {
        app.update();
        if what(app) {
            return frame;
        }
        if frame > 1000 {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    panic!("it did not come to that");
}

/// All messages since the last call.
struct Messages<M: Message>(MessageCursor<M>);

impl<M: Message + Clone> Messages<M> {
    fn new() -> Self {
        Self(MessageCursor::default())
    }

    fn read(&mut self, app: &App) -> Vec<M> {
        self.0.read(app.world().resource::<bevy_ecs::message::Messages<M>>()).cloned().collect()
    }
}
