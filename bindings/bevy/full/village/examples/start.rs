//! The first program of docs/bevy.md.

use bevy::prelude::*;
use bevy_farstride::prelude::*;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, FarstridePlugin::default()))
        .add_systems(Startup, set_up)
        .add_systems(Update, show)
        .run();
}

fn set_up(mut commands: Commands, mut worlds: ResMut<Worlds>) -> Result {
    commands.spawn(Camera2d);
    let mut tiles = TileMap::new();
    tiles.add_floor(Floor::filled(40, 30, b'.')?)?;
    let mut atlas = Atlas::new(tiles)?;
    let villager = atlas.add_mover(Mover::new().entering(b'.', 1))?;
    let world = worlds.add(atlas, Layout::flat(Vec2::new(-320.0, 240.0), 16.0));

    let places = worlds.places(world).ok_or("it was just added")?;
    let start = Place::new(FloorId::new(0), (2, 2));
    let goal = Place::new(FloorId::new(0), (35, 25));
    let position = Position::from(places.point(start, 1));
    let sprite = Sprite::from_color(Color::WHITE, Vec2::splat(12.0));
    commands.spawn((Agent::new(villager), position, Speed(60.0), Goal::new(goal), sprite));
    Ok(())
}

/// Sprites go where agents are.
fn show(mut agents: Query<(&Position, &mut Transform), Changed<Position>>) {
    for (position, mut transform) in &mut agents {
        transform.translation = position.point;
    }
}
