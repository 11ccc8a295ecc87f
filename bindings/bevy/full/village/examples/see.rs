//! The programs of docs/bevy.md about maps from images and about gizmos, as one.

use bevy::prelude::*;
use bevy_farstride::prelude::*;
use bevy_farstride_gizmos::{MapImage, MapImagePlugin, Sketch, SketchPlugin, floor_of};

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, FarstridePlugin::default(), SketchPlugin, MapImagePlugin))
        .add_systems(Startup, load)
        .add_systems(Update, (add_world, switch))
        .run();
}

#[derive(Resource)]
struct Map(Handle<Image>);

fn load(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn(Camera2d);
    commands.insert_resource(Map(assets.load("map.png")));
}

/// Dark pixels are walls.
fn class([red, green, blue, _]: [u8; 4]) -> u8 {
    if u16::from(red) + u16::from(green) + u16::from(blue) < 300 { b'#' } else { b'.' }
}

/// Once the image is there, it becomes a world.
fn add_world(
    mut commands: Commands,
    map: Res<Map>,
    images: Res<Assets<Image>>,
    mut worlds: ResMut<Worlds>,
) -> Result {
    let Some(image) = images.get(&map.0).filter(|_| worlds.is_empty()) else { return Ok(()) };
    let floor = floor_of(image, class)?;
    let mut tiles = TileMap::new();
    tiles.add_floor(floor.clone())?;
    let mut atlas = Atlas::new(tiles)?;
    atlas.add_mover(Mover::new().entering(b'.', 1))?;
    worlds.add(atlas, Layout::flat(Vec2::ZERO, 16.0));
    commands.spawn(MapImage::new(map.0.clone(), floor, class)); // from now on the world follows the image
    Ok(())
}

fn switch(keys: Res<ButtonInput<KeyCode>>, mut sketch: ResMut<Sketch>) {
    if keys.just_pressed(KeyCode::KeyD) {
        sketch.clusters = !sketch.clusters;
        sketch.routes = !sketch.routes;
    }
}
