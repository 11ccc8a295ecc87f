//! The village in a window.
//!
//! Left mouse button: a wall. Right: tear down. H: a house. G: all come to the pointer. D: the index. R: routes. Space: pause.
//!
//! ```sh
//! cargo run --release               # in bindings/bevy/full
//! cargo run --release -- --picture village.png     # builds by itself, writes a picture, ends
//! cargo run --release -- --frames 600              # the same for as many frames, tells how long they took
//! ```

#[path = "../../../examples/settlement/game.rs"]
mod game;

use bevy::asset::RenderAssetUsages;
use bevy::image::ImageSampler;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy::render::view::screenshot::{Screenshot, save_to_disk};
use bevy::sprite_render::AlphaMode2d;
use bevy_farstride::prelude::{
    Cell, FarstridePlugin, Gather, Place, Position, Rect as Cells, WorldId, Worlds,
};
use bevy_farstride_gizmos::{Sketch, SketchPlugin};
use game::{
    Build, CELL, FIELD, GRASS, GROUND, GamePlugin, HOUSE, ROAD, SIZE, TREE, TUNNEL, TUNNEL_DOORS, Unit,
    Village, WALL, WATER,
};

const TITLE: &str = "A village | left: wall | right: tear down | H: house | G: come here | D: index | R: routes | Space: pause";

fn main() {
    let value = |name: &str| std::env::args().skip_while(|argument| argument != name).nth(1);
    let (picture, frames) = (value("--picture"), value("--frames").and_then(|frames| frames.parse().ok()));
    let (width, height) = (u32::from(SIZE.0) * CELL as u32, u32::from(SIZE.1) * CELL as u32);
    let window = Window { title: TITLE.into(), resolution: (width, height).into(), ..default() };
    App::new()
        .add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }))
        .add_plugins((GamePlugin(FarstridePlugin::default()), SketchPlugin))
        .insert_resource(View { picture, wanted: frames, ..View::default() })
        .init_resource::<Looks>()
        .add_systems(Startup, (light, add_map).chain())
        .add_systems(
            Update,
            (dress, under_pointer.pipe(command), switch, move_units, paint, play, take_picture, tell_times),
        )
        .run();
}

/// The picture of the ground, and what is asked for.
#[derive(Resource, Default)]
struct View {
    ground: Handle<Image>,
    ground_material: Handle<ColorMaterial>,
    picture: Option<String>,
    /// After how many frames the game ends and tells their times.
    wanted: Option<usize>,
    frames: u16,
}

fn light(mut commands: Commands, mut gizmos: ResMut<GizmoConfigStore>) {
    // A thousand routes would hide what is below.
    gizmos.config_mut::<DefaultGizmoConfigGroup>().0.line.width = 1.0;
    // Everything but the lines of gizmos is made of whole pixels.
    commands.spawn((Camera2d, Msaa::Off));
}

fn colour(class: u8) -> [u8; 4] {
    match class {
        ROAD => [196, 178, 140, 255],
        FIELD => [214, 186, 84, 255],
        WATER => [74, 124, 178, 255],
        HOUSE => [142, 62, 48, 255],
        WALL => [70, 70, 78, 255],
        TREE => [44, 92, 44, 255],
        _ => [112, 156, 82, 255],
    }
}

fn add_map(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut view: ResMut<View>,
) {
    let size = Extent3d { width: SIZE.0.into(), height: SIZE.1.into(), depth_or_array_layers: 1 };
    let (format, usage) = (TextureFormat::Rgba8UnormSrgb, RenderAssetUsages::default());
    let mut image = Image::new_fill(size, TextureDimension::D2, &colour(GRASS), format, usage);
    image.sampler = ImageSampler::nearest();
    view.ground = images.add(image);
    let (texture, alpha_mode) = (Some(view.ground.clone()), AlphaMode2d::Opaque);
    view.ground_material = materials.add(ColorMaterial { texture, alpha_mode, ..default() });
    let size = Vec2::new(SIZE.0.into(), SIZE.1.into()) * CELL;
    let mesh = meshes.add(Rectangle::from_size(size));
    commands.spawn((Mesh2d(mesh), MeshMaterial2d(view.ground_material.clone())));
    let (mesh, shade) =
        (meshes.add(Rectangle::from_length(CELL * 2.0)), materials.add(Color::srgb(0.12, 0.1, 0.1)));
    for door in TUNNEL_DOORS {
        let at = (Vec2::from(door.map(f32::from)) + 0.5) * CELL * Vec2::new(1.0, -1.0)
            + Vec2::new(-size.x, size.y) / 2.0;
        let place = Transform::from_translation(at.extend(0.5));
        commands.spawn((Mesh2d(mesh.clone()), MeshMaterial2d(shade.clone()), place));
    }
}

/// Paints the ground when something was built.
fn paint(
    village: Option<Res<Village>>,
    view: Res<View>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut painted: Local<Vec<u8>>,
) {
    let Some(village) = village.filter(|village| village.classes != *painted) else { return };
    painted.clone_from(&village.classes);
    if let Some(mut image) = images.get_mut(&view.ground) {
        image.data = Some(village.classes.iter().flat_map(|&class| colour(class)).collect());
    }
    // The changed image is a new texture. A material looks for its texture only when it changes itself.
    if let Some(mut material) = materials.get_mut(&view.ground_material) {
        material.texture = Some(view.ground.clone());
    }
}

/// How units look: few meshes and materials for all, so that they are drawn together.
///
/// They are no sprites, because each of those takes milliseconds and leaks memory in the software renderer of
/// Debian 12 (bench/runs/2026-11-18-bevy-window.md).
#[derive(Resource)]
struct Looks {
    villager: Handle<Mesh>,
    cart: Handle<Mesh>,
    wood: Handle<ColorMaterial>,
    clothes: [Handle<ColorMaterial>; 8],
}

impl FromWorld for Looks {
    fn from_world(world: &mut World) -> Self {
        let mut meshes = world.resource_mut::<Assets<Mesh>>();
        let (villager, cart) = [0.8, 1.8].map(|side| meshes.add(Rectangle::from_length(CELL * side))).into();
        let mut materials = world.resource_mut::<Assets<ColorMaterial>>();
        let wood = materials.add(Color::srgb(0.36, 0.2, 0.08));
        let clothes =
            std::array::from_fn(|number| materials.add(Color::hsl(number as f32 * 45.0, 0.75, 0.62)));
        Self { villager, cart, wood, clothes }
    }
}

fn dress(mut commands: Commands, looks: Res<Looks>, units: Query<(Entity, &Unit, &Position), Added<Unit>>) {
    for (number, (entity, unit, position)) in units.iter().enumerate() {
        let (mesh, material) = match unit {
            Unit::Villager => (&looks.villager, &looks.clothes[number % looks.clothes.len()]),
            Unit::Cart => (&looks.cart, &looks.wood),
        };
        let place = Transform::from_translation(position.point + Vec3::Z);
        commands.entity(entity).insert((Mesh2d(mesh.clone()), MeshMaterial2d(material.clone()), place));
    }
}

fn move_units(mut units: Query<(&Position, &mut Transform, &mut Visibility), Changed<Position>>) {
    for (position, mut transform, mut visibility) in &mut units {
        transform.translation = position.point.with_z(1.0);
        *visibility = if position.floor == TUNNEL { Visibility::Hidden } else { Visibility::Visible };
    }
}

fn under_pointer(
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    worlds: Res<Worlds>,
) -> Option<Place> {
    let (camera, transform) = *camera;
    let at = camera.viewport_to_world_2d(transform, window.cursor_position()?).ok()?;
    worlds.places(WorldId::FIRST)?.place(GROUND, at.extend(0.0), 1)
}

fn command(
    In(place): In<Option<Place>>,
    buttons: Res<ButtonInput<MouseButton>>,
    keys: Res<ButtonInput<KeyCode>>,
    units: Query<Entity, With<Unit>>,
    mut wishes: MessageWriter<Build>,
    mut calls: MessageWriter<Gather>,
) {
    let Some(place) = place else { return };
    let area = Cells::spanning(place.cell, Cell::new(place.cell.x + 1, place.cell.y + 1));
    if buttons.pressed(MouseButton::Left) {
        wishes.write(Build::Wall(area));
    } else if buttons.pressed(MouseButton::Right) {
        wishes.write(Build::TearDown(area));
    }
    if keys.just_pressed(KeyCode::KeyH) {
        wishes.write(Build::House(place.cell));
    }
    if keys.just_pressed(KeyCode::KeyG) {
        let agents = units.iter().collect();
        calls.write(Gather { world: WorldId::FIRST, agents, around: place, gap: 0 });
    }
}

fn switch(keys: Res<ButtonInput<KeyCode>>, mut worlds: ResMut<Worlds>, mut sketch: ResMut<Sketch>) {
    if keys.just_pressed(KeyCode::KeyD) {
        sketch.clusters = !sketch.clusters;
        sketch.entrances = sketch.clusters;
    }
    if keys.just_pressed(KeyCode::KeyR) {
        sketch.routes = !sketch.routes;
    }
    if keys.just_pressed(KeyCode::Space) {
        let is_paused = worlds.is_paused(WorldId::FIRST);
        worlds.pause(WorldId::FIRST, !is_paused);
    }
}

/// Builds as the headless game does, and shows the routes.
fn play(mut view: ResMut<View>, mut sketch: ResMut<Sketch>, mut wishes: MessageWriter<Build>) {
    if view.picture.is_none() && view.wanted.is_none() {
        return;
    }
    view.frames = view.frames.wrapping_add(1);
    wishes.write_batch(game::script(view.frames));
    if !sketch.routes {
        sketch.routes = true;
    }
}

/// Ends after as many frames as are wanted.
fn tell_times(
    view: Res<View>,
    time: Res<Time<Real>>,
    mut times: Local<Vec<f32>>,
    mut exit: MessageWriter<AppExit>,
) {
    let Some(wanted) = view.wanted else { return };
    times.push(time.delta_secs() * 1000.0);
    if times.len() > wanted {
        // The first ones make the window and compile shaders.
        let warm = wanted / 10;
        let mut times = times.split_off(warm);
        times.sort_by(f32::total_cmp);
        let (mean, last) = (times.iter().sum::<f32>() / times.len() as f32, times.len() - 1);
        println!(
            "{} frames: mean {mean:.1} ms, p99 {:.1}, most {:.1}",
            last + 1,
            times[last * 99 / 100],
            times[last]
        );
        exit.write(AppExit::Success);
    }
}

/// Writes a picture after ten seconds. Without a graphics card a frame takes long, and few are drawn until then.
fn take_picture(
    mut commands: Commands,
    view: Res<View>,
    time: Res<Time<Real>>,
    mut exit: MessageWriter<AppExit>,
    mut taken: Local<Option<f32>>,
) {
    let Some(path) = view.picture.clone() else { return };
    let now = time.elapsed_secs();
    match *taken {
        None if now > 10.0 => {
            // So that the file is new once it is there.
            let _ = std::fs::remove_file(&path);
            commands.spawn(Screenshot::primary_window()).observe(save_to_disk(path));
            *taken = Some(now);
        }
        Some(then) if std::fs::metadata(&path).is_ok_and(|file| file.len() > 0) || now > then + 100.0 => {
            exit.write(AppExit::Success);
        }
        _ => {}
    }
}
