//! The village without a window: 600 frames in lock step, with walls built all the time.
//!
//! ```sh
//! cargo run --release -p bevy_farstride --example settlement
//! ```

mod game;

use bevy_app::{App, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use bevy_farstride::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use game::{CELL, GRASS, GROUND, GamePlugin, HOUSE, SIZE, TREE, Unit, Village, WALL, WATER};
use std::time::{Duration, Instant};

const FRAMES: u16 = 600;

fn main() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin))
        .add_plugins(GamePlugin(FarstridePlugin::default().in_lock_step(400)))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(33)));
    app.finish();
    app.cleanup();
    let begin = Instant::now();
    let mut walls = 0;
    for frame in 0..FRAMES {
        if let Some(wish) = game::script(frame) {
            app.world_mut().write_message(wish);
        }
        app.update();
        check(&mut app, frame);
        walls += usize::from(game::script(frame).is_some());
    }
    let village = app.world().resource::<Village>();
    let time = begin.elapsed().as_secs_f64() / f64::from(FRAMES) * 1000.0;
    let (arrivals, failures) = (village.arrivals, village.failures);
    println!(
        "{FRAMES} frames, {time:.2} ms each; {walls} wishes to build, {arrivals} orders carried out, {failures} not"
    );
    assert!(arrivals > 500, "the units hardly get anywhere");
    assert!(village.classes.contains(&WALL) && village.classes.contains(&GRASS));
}

/// No unit may ever stand on what it cannot enter.
fn check(app: &mut App, frame: u16) {
    let mut units = app.world_mut().query::<(Entity, &Unit, &Position)>();
    let worlds = app.world().resource::<Worlds>();
    let village = app.world().resource::<Village>();
    let Some(places) = worlds.places(WorldId::FIRST) else { return };
    for (entity, unit, position) in
        units.iter(app.world()).filter(|(_, _, position)| position.floor == GROUND)
    {
        let place = places.place(GROUND, position.point, 1).expect("units stay on the map");
        let class =
            village.classes[usize::from(place.cell.y) * usize::from(SIZE.0) + usize::from(place.cell.x)];
        let is_free = !matches!(class, WATER | HOUSE | WALL | TREE);
        assert!(is_free, "frame {frame}: {unit:?} {entity} at {:?} of cells of {CELL}", position.point);
    }
}
