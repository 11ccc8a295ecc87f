//! Frame times of `bevy_farstride`, beside `bevy_northstar` where it can do the same.
//!
//! ```sh
//! cargo run --release              # all of it
//! cargo run --release -- orders    # a part: walking, overhead, orders, building, northstar
//! ```
//! Frames are a sixtieth of a second apart; what is measured is the time of `App::update`, all of it on the
//! main thread.

use bevy::app::TaskPoolPlugin;
use bevy::prelude::*;
use bevy::time::{TimePlugin, TimeUpdateStrategy};
use bevy_farstride::prelude::*;
use bevy_northstar::prelude as north;
use farstride_testkit::{PlainMap, SplitMix64, TerrainKind, generate_terrain};
use std::time::{Duration, Instant};

const AGENTS: usize = 2000;
const EDITS: usize = 10;
const FRAME: Duration = Duration::from_nanos(16_666_667);

const KINDS: [TerrainKind; 3] = [TerrainKind::Fields, TerrainKind::Patches, TerrainKind::Mixed];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |part: &str| wanted.is_empty() || wanted.iter().any(|name| name == part);
    if is_wanted("walking") {
        for kind in KINDS {
            walking(kind, 0, 300);
            walking(kind, EDITS, 600);
        }
    }
    if is_wanted("overhead") {
        KINDS.into_iter().for_each(overhead);
    }
    if is_wanted("orders") {
        for kind in KINDS {
            orders(kind, "to as many places", |scene, _| scene.point());
            orders(kind, "to three places", |scene, agent| scene.free[agent % 3 * 30_000]);
            orders(kind, "to one place", |scene, _| scene.free[90_000]);
        }
    }
    if is_wanted("building") {
        building();
    }
    if is_wanted("northstar") {
        northstar(60);
    }
}

/// The times of frames, in milliseconds.
struct Times(Vec<f64>);

impl Times {
    /// Runs frames, each begun a sixtieth of a second after the one before.
    fn of(app: &mut App, frames: usize, mut before: impl FnMut(&mut App) -> bool) -> Self {
        let mut times = Vec::with_capacity(frames);
        for _ in 0..frames {
            if !before(app) {
                break;
            }
            let begin = Instant::now();
            app.update();
            let time = begin.elapsed();
            times.push(time.as_secs_f64() * 1000.0);
            std::thread::sleep(FRAME.saturating_sub(time));
        }
        Self(times)
    }

    fn print(mut self, what: &str) {
        self.0.sort_by(f64::total_cmp);
        let mean = self.0.iter().sum::<f64>() / self.0.len() as f64;
        let at = |share: f64| self.0[((self.0.len() - 1) as f64 * share) as usize];
        let frames = self.0.len();
        println!("{what}: {frames} frames, mean {mean:.3} ms, p99 {:.3}, most {:.3}", at(0.99), at(1.0));
    }
}

/// A map, its free cells, and numbers.
struct Scene {
    map: PlainMap,
    free: Vec<(usize, usize)>,
    random: SplitMix64,
}

impl Scene {
    fn new(kind: TerrainKind, side: usize) -> Self {
        let map = generate_terrain(kind, side, side, 71).expect("the size is supported");
        let free = map.free_points();
        Self { map, free, random: SplitMix64::new(5) }
    }

    fn point(&mut self) -> (usize, usize) {
        self.free[self.random.below(self.free.len())]
    }

    fn class(&self, point: (usize, usize)) -> u8 {
        if self.map.is_free_at(point) { self.map.weight(point) as u8 } else { 0 }
    }
}

fn cell((x, y): (usize, usize)) -> Cell {
    Cell::new(x as u16, y as u16)
}

fn goal(point: (usize, usize)) -> Goal {
    Goal::new(Place::new(FloorId::new(0), cell(point)))
}

/// An app with a world and agents that stand.
fn app(scene: &mut Scene, agents: usize) -> (App, WorldId, Vec<Entity>) {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, FarstridePlugin::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
    app.finish();
    app.cleanup();
    let (width, height) = (scene.map.width, scene.map.height);
    let classes: Vec<u8> =
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|point| scene.class(point)).collect();
    let mut tiles = TileMap::new();
    tiles
        .add_floor(Floor::new(width, height, classes).expect("the size is supported"))
        .expect("it is the first");
    let mut atlas = Atlas::new(tiles).expect("it has a floor");
    let mover = (1..=255).fold(Mover::new(), |mover, class| mover.entering(class, class));
    let mover = atlas.add_mover(mover).expect("it fits");
    let world = app.world_mut().resource_mut::<Worlds>().add(atlas, Layout::flat(Vec2::ZERO, 1.0));
    let spawn = |_| {
        let (x, y) = scene.point();
        let position = Position::new(x as f32 + 0.5, -(y as f32) - 0.5);
        app.world_mut().spawn((Agent::new(mover), position, Speed(5.0))).id()
    };
    let agents = (0..agents).map(spawn).collect();
    (app, world, agents)
}

fn until(app: &mut App, mut is_done: impl FnMut(&mut App) -> bool) {
    while !is_done(app) {
        Times::of(app, 1, |_| true);
    }
}

fn is_ready(app: &mut App, world: WorldId) -> bool {
    app.world().resource::<Worlds>().is_ready(world)
}

/// Agents without an answer.
fn waiting(app: &mut App) -> usize {
    let mut routes = app.world_mut().query::<&Route>();
    routes.iter(app.world()).filter(|route| route.status() == Status::Waiting).count()
}

/// An app whose index is ready and whose agents all have a goal and an answer.
fn walkers(scene: &mut Scene, agents: usize) -> App {
    let (mut app, world, agents) = app(scene, agents);
    until(&mut app, |app| is_ready(app, world));
    for agent in agents {
        let to = goal(scene.point());
        app.world_mut().entity_mut(agent).insert(to);
    }
    app.update();
    until(&mut app, |app| waiting(app) == 0);
    app
}

/// Agents walk; those that have arrived, or cannot get on, get new goals.
fn walking(kind: TerrainKind, edits: usize, frames: usize) {
    let mut scene = Scene::new(kind, 512);
    let mut app = walkers(&mut scene, AGENTS);
    let mut blocked = vec![false; 512 * 512];
    let times = Times::of(&mut app, frames, |app| {
        for _ in 0..edits {
            let (x, y) = scene.point();
            let is_blocked = &mut blocked[y * 512 + x];
            *is_blocked ^= true;
            let class = if *is_blocked { 0 } else { scene.class((x, y)) };
            app.world_mut().write_message(Edit::fill(cell((x, y)), class));
        }
        let mut routes = app.world_mut().query::<(Entity, &Route)>();
        let is_done = |route: &Route| matches!(route.status(), Status::Arrived | Status::NoWay(_));
        let done: Vec<Entity> =
            routes.iter(app.world()).filter(|(_, route)| is_done(route)).map(|(agent, _)| agent).collect();
        for agent in done {
            let to = goal(scene.point());
            app.world_mut().entity_mut(agent).insert(to);
        }
        true
    });
    let mean = times.0.iter().sum::<f64>() / times.0.len() as f64;
    times.print(&format!("{kind:?} 512, {AGENTS} agents walk, {edits} edits a frame"));
    println!("    {:.3} us an agent and frame", mean * 1000.0 / AGENTS as f64);
}

/// What the plugin itself takes: frames one after the other with agents that walk, and with none.
/// Searches are not in it, they run on other threads.
fn overhead(kind: TerrainKind) {
    let mean = |agents: usize| {
        let mut scene = Scene::new(kind, 512);
        let mut app = walkers(&mut scene, agents);
        let begin = Instant::now();
        (0..600).for_each(|_| app.update());
        begin.elapsed().as_secs_f64() * 1e6 / 600.0
    };
    let (none, all) = (mean(0), mean(AGENTS));
    let each = (all - none) / AGENTS as f64;
    println!(
        "{kind:?} 512, frames at once: {none:.1} us without agents, {all:.1} with {AGENTS}: {each:.3} us an agent and frame"
    );
}

/// Orders to all agents in one frame.
fn orders(kind: TerrainKind, what: &str, to: impl Fn(&mut Scene, usize) -> (usize, usize)) {
    let mut scene = Scene::new(kind, 512);
    let (mut app, world, agents) = app(&mut scene, AGENTS);
    until(&mut app, |app| is_ready(app, world));
    for (number, &agent) in agents.iter().enumerate() {
        let to = goal(to(&mut scene, number));
        app.world_mut().entity_mut(agent).insert(to);
    }
    let mut answered = Vec::new();
    let mut times = Vec::new();
    while answered.last() != Some(&AGENTS) && times.len() < 200 {
        times.extend(Times::of(&mut app, 1, |_| true).0);
        answered.push(AGENTS - waiting(&mut app));
    }
    let most = times.iter().fold(0.0, |most: f64, &time| most.max(time));
    let later = &answered[1..];
    println!(
        "{kind:?} 512, {AGENTS} orders in one frame {what}: answered after 1, 2, ... frames {later:?}; dearest frame {most:.3} ms"
    );
}

/// Frames while the index of a large map is made and agents get orders.
fn building() {
    let mut scene = Scene::new(TerrainKind::Mixed, 1024);
    let (mut app, world, agents) = app(&mut scene, 100);
    let mut frame = 0;
    let times = Times::of(&mut app, 2000, |app| {
        frame += 1;
        if frame % 10 == 0 {
            let to = goal(scene.point());
            app.world_mut().entity_mut(agents[frame / 10 % 100]).insert(to);
        }
        !is_ready(app, world)
    });
    times.print("Mixed 1024, while the index is made, an order every 10 frames");
}

/// The same walk with `bevy_northstar`: edits and builds by hand, as its book says; agents are not
/// sent around what was built.
fn northstar(frames: usize) {
    let mut scene = Scene::new(TerrainKind::Fields, 512);
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin))
        .add_plugins(north::NorthstarPlugin::<north::OrdinalNeighborhood>::default())
        .insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
    app.finish();
    app.cleanup();
    let settings = north::GridSettingsBuilder::new_2d(512, 512).chunk_size(16).build();
    let mut grid = north::OrdinalGrid::new(&settings);
    let nav = |class: u8| match class {
        0 => north::Nav::Impassable,
        cost => north::Nav::Passable(cost.into()),
    };
    for (x, y) in (0..512).flat_map(|y| (0..512).map(move |x| (x, y))) {
        grid.set_nav(UVec3::new(x as u32, y as u32, 0), nav(scene.class((x, y))));
    }
    let begin = Instant::now();
    grid.build();
    println!("bevy_northstar: index of Fields 512 in {:.0} ms", begin.elapsed().as_secs_f64() * 1000.0);
    let grid = app.world_mut().spawn(grid).id();
    let at = |(x, y): (usize, usize)| UVec3::new(x as u32, y as u32, 0);
    let agents: Vec<Entity> = (0..AGENTS)
        .map(|_| {
            let (from, to) = (at(scene.point()), at(scene.point()));
            app.world_mut().spawn((north::AgentPos(from), north::Pathfind::new(to))).id()
        })
        .collect();
    let mut blocked = vec![false; 512 * 512];
    let (mut found, mut builds) = (0, Vec::new());
    let mut frame = 0;
    let times = Times::of(&mut app, frames, |app| {
        frame += 1;
        // Five steps a second.
        for &agent in agents.iter().skip(frame % 12).step_by(12) {
            let mut agent = app.world_mut().entity_mut(agent);
            if let Some(next) = agent.get::<north::NextPos>().map(|next| next.0) {
                found += 1;
                agent.insert(north::AgentPos(next)).remove::<north::NextPos>();
            }
        }
        true
    });
    times.print(&format!("bevy_northstar: Fields 512, {AGENTS} agents, no edits"));
    let times = Times::of(&mut app, frames, |app| {
        let mut grid = app.world_mut().get_mut::<north::OrdinalGrid>(grid).expect("it is there");
        let begin = Instant::now();
        for _ in 0..EDITS {
            let (x, y) = scene.point();
            let is_blocked = &mut blocked[y * 512 + x];
            *is_blocked ^= true;
            grid.set_nav(at((x, y)), nav(if *is_blocked { 0 } else { scene.class((x, y)) }));
        }
        grid.build();
        builds.push(begin.elapsed().as_secs_f64() * 1000.0);
        true
    });
    Times(builds).print("bevy_northstar: ten edits and a build");
    times.print(&format!("bevy_northstar: Fields 512, {AGENTS} agents, {EDITS} edits a frame, the rest"));
    println!("    {found} steps made in {frames} frames before the edits");
}
