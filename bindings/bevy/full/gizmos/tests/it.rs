//! Apps without a window: floors follow images, and what is drawn is switched on and off.

use bevy::asset::{AssetPlugin, RenderAssetUsages};
use bevy::gizmos::config::DefaultGizmoConfigGroup;
use bevy::gizmos::{AppGizmoBuilder, GizmoAsset, GizmoHandles};
use bevy::prelude::*;
use bevy::time::{TimePlugin, TimeUpdateStrategy};
use bevy_farstride::prelude::{
    Agent, Atlas, Cell, Engine, FarstridePlugin, FloorId, Goal, Layout, Mover, MoverId, Place, Position,
    Speed, TileMap, WorldId, Worlds,
};
use bevy_farstride_gizmos::{MapImage, MapImagePlugin, Sketch, SketchPlugin, floor_of};
use std::time::Duration;
use wgpu_types::{Extent3d, TextureDimension, TextureFormat};

const SIZE: (u32, u32) = (40, 20);
/// A second mover, by A*, whose searches look at cells, and a third one, whose labels have hubs.
const SEARCHER: usize = 1;
const LABELLED: usize = 2;

fn class([red, ..]: [u8; 4]) -> u8 {
    if red > 100 { b'.' } else { b'#' }
}

/// An app with a white image as its map.
fn app() -> (App, Handle<Image>) {
    let mut app = App::new();
    app.add_plugins((bevy::app::TaskPoolPlugin::default(), TimePlugin, AssetPlugin::default()))
        .init_asset::<Image>()
        .init_asset::<GizmoAsset>()
        .init_resource::<GizmoHandles>()
        .init_gizmo_group::<DefaultGizmoConfigGroup>()
        .add_plugins((FarstridePlugin::default(), SketchPlugin, MapImagePlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)));
    let size = Extent3d { width: SIZE.0, height: SIZE.1, depth_or_array_layers: 1 };
    let (format, usage) = (TextureFormat::Rgba8UnormSrgb, RenderAssetUsages::default());
    let image = Image::new_fill(size, TextureDimension::D2, &[255; 4], format, usage);
    let floor = floor_of(&image, class).unwrap();
    let handle = app.world_mut().resource_mut::<Assets<Image>>().add(image);

    let mut tiles = TileMap::new();
    tiles.add_floor(floor.clone()).unwrap();
    let mut atlas = Atlas::new(tiles).unwrap();
    let mover = atlas.add_mover(Mover::new().entering(b'.', 1)).unwrap();
    atlas.add_mover(Mover::new().entering(b'.', 1).with_engine(Engine::Astar)).unwrap();
    atlas.add_mover(Mover::new().entering(b'.', 1).with_engine(Engine::Labels)).unwrap();
    app.world_mut().resource_mut::<Worlds>().add(atlas, Layout::flat(Vec2::ZERO, 10.0));
    app.world_mut().spawn(MapImage::new(handle.clone(), floor, class));
    let goal = Goal::new(Place::new(FloorId::new(0), (38, 10)));
    app.world_mut().spawn((Agent::new(mover), Position::new(5.0, -105.0), Speed(50.0), goal));
    app.finish();
    app.cleanup();
    (app, handle)
}

fn run(app: &mut App, frames: usize) {
    for _ in 0..frames {
        app.update();
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A wall across the map, with a gap at its end.
fn paint_wall(app: &mut App, map: &Handle<Image>) {
    let mut images = app.world_mut().resource_mut::<Assets<Image>>();
    let mut image = images.get_mut(map).unwrap();
    for y in 0..SIZE.1 - 1 {
        image.set_color_at(20, y, Color::BLACK).unwrap();
    }
}

fn mover(app: &mut App, number: usize) -> Option<MoverId> {
    let mut worlds = app.world_mut().resource_mut::<Worlds>();
    worlds.atlas(WorldId::FIRST).unwrap().movers().nth(number).map(|(id, _)| id)
}

#[test]
fn a_floor_follows_its_image() {
    let (mut app, handle) = app();
    run(&mut app, 20);
    paint_wall(&mut app, &handle);
    run(&mut app, 30);
    let class_at = |app: &mut App, x, y| {
        let mut worlds = app.world_mut().resource_mut::<Worlds>();
        let atlas = worlds.atlas(WorldId::FIRST).unwrap();
        atlas.tiles().floor(FloorId::new(0)).unwrap().class(Cell::new(x, y))
    };
    assert_eq!(class_at(&mut app, 20, 3), Some(b'#'));
    assert_eq!(class_at(&mut app, 20, SIZE.1 as u16 - 1), Some(b'.'));
    assert_eq!(class_at(&mut app, 21, 3), Some(b'.'));
}

/// Whether there are gizmos in the last frame.
fn is_drawing(app: &App) -> bool {
    app.world().resource::<Assets<GizmoAsset>>().iter().next().is_some()
}

#[test]
fn everything_can_be_drawn_and_switched_off() {
    let (mut app, _) = app();
    run(&mut app, 20);
    assert!(!is_drawing(&app));
    let switches: [fn(&mut Sketch); 5] = [
        |sketch| sketch.clusters = true,
        |sketch| sketch.entrances = true,
        |sketch| sketch.ways = true,
        |sketch| sketch.routes = true,
        |sketch| sketch.search = Some((Place::new(FloorId::new(0), (0, 0)), Cell::new(30, 15))),
    ];
    let searcher = mover(&mut app, SEARCHER);
    for (at, switch) in switches.iter().enumerate() {
        let mut sketch = app.world_mut().resource_mut::<Sketch>();
        switch(&mut sketch);
        sketch.mover = searcher.filter(|_| sketch.search.is_some());
        run(&mut app, 5);
        assert!(is_drawing(&app), "{at}");
        // Floors that do not exist have nothing to draw.
        app.world_mut().resource_mut::<Sketch>().floor = FloorId::new(9);
        run(&mut app, 5);
        assert!(!is_drawing(&app) || at == 4, "{at}");
        app.insert_resource(Sketch::default());
        run(&mut app, 5);
        assert!(!is_drawing(&app), "{at}");
    }
}

#[test]
fn hubs_are_drawn_once_there_are_corners() {
    let (mut app, handle) = app();
    run(&mut app, 20);
    let labelled = mover(&mut app, LABELLED);
    app.insert_resource(Sketch { hubs: true, mover: labelled, ..Sketch::default() });
    run(&mut app, 5);
    // An empty floor has no corners, and so no hubs.
    assert!(!is_drawing(&app));
    paint_wall(&mut app, &handle);
    // Edits are looked at twice a second.
    run(&mut app, 60);
    assert!(is_drawing(&app));
    // The mover of the agent has another engine.
    app.world_mut().resource_mut::<Sketch>().mover = None;
    run(&mut app, 5);
    assert!(!is_drawing(&app));
    app.world_mut().resource_mut::<Sketch>().mover = labelled;
    run(&mut app, 5);
    assert!(is_drawing(&app));
    app.world_mut().resource_mut::<Sketch>().hubs = false;
    run(&mut app, 5);
    assert!(!is_drawing(&app));
}
