//! A village with its fields: a thousand units fetch and carry while walls rise in their way.
//!
//! The rules of the game, without a window. `main.rs` runs them headless; the package `village`
//! beside the examples draws them.

#![expect(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_farstride::prelude::*;
use bevy_math::Vec2;

/// Columns and rows of the map.
pub(crate) const SIZE: (u16, u16) = (192, 112);
/// The side of a cell in Bevy's units.
pub(crate) const CELL: f32 = 8.0;
/// Number of units.
pub(crate) const UNITS: u16 = 1000;

/// Classes of terrain, as they are drawn in text.
pub(crate) const GRASS: u8 = b'.';
pub(crate) const ROAD: u8 = b'=';
pub(crate) const FIELD: u8 = b',';
pub(crate) const WATER: u8 = b'~';
pub(crate) const HOUSE: u8 = b'#';
pub(crate) const WALL: u8 = b'W';
pub(crate) const TREE: u8 = b't';

/// The ground, and the tunnel under the river.
pub(crate) const GROUND: FloorId = FloorId::new(0);
pub(crate) const TUNNEL: FloorId = FloorId::new(1);

/// What the game knows of its map.
#[derive(Resource)]
pub(crate) struct Village {
    /// The classes of the ground, row by row, for drawing and for building.
    pub(crate) classes: Vec<u8>,
    /// Places to go to.
    doors: Vec<Place>,
    fields: Vec<Place>,
    random: Random,
    /// How many orders were carried out.
    pub(crate) arrivals: usize,
    /// How many orders could not be.
    pub(crate) failures: usize,
}

/// A villager or a cart.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    Villager,
    Cart,
}

/// Build there: a request of the player, by mouse or by script.
#[derive(Message, Clone, Copy, Debug)]
pub(crate) struct Build {
    pub(crate) area: Rect,
    pub(crate) class: u8,
}

/// The game without drawing. Time and task pools are the app's.
pub(crate) struct GamePlugin(pub(crate) FarstridePlugin);

impl Plugin for GamePlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(self.0)
            .add_message::<Build>()
            .add_systems(Startup, set_up)
            .add_systems(Update, (build, give_orders).chain().before(FarstrideSystems::Send));
    }
}

/// Numbers that look random and are the same in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn below(&mut self, end: u16) -> u16 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(end.max(1))) as u16
    }

    fn pick(&mut self, places: &[Place]) -> Option<Place> {
        places.get(usize::from(self.below(places.len() as u16))).copied()
    }
}

fn index(cell: Cell) -> usize {
    usize::from(cell.y) * usize::from(SIZE.0) + usize::from(cell.x)
}

fn fill(classes: &mut [u8], (x, y): (u16, u16), (width, height): (u16, u16), class: u8) {
    for cell in Rect::spanning(Cell::new(x, y), Cell::new(x + width - 1, y + height - 1)).cells() {
        classes[index(cell)] = class;
    }
}

/// Draws the map: a river with two bridges, roads, the village west of it, fields around.
fn draw_map(random: &mut Random) -> (Vec<u8>, Vec<Place>, Vec<Place>) {
    let (width, height) = SIZE;
    let mut classes = vec![GRASS; usize::from(width) * usize::from(height)];
    for _ in 0..500 {
        classes[index(Cell::new(random.below(width), random.below(height)))] = TREE;
    }
    let mut fields = Vec::new();
    for (column, row) in (0..6).flat_map(|column| (0..4).map(move |row| (column, row))) {
        let (x, y) = (8 + column * 30, 6 + row * 26);
        if (column, row) != (1, 1)
            && (column, row) != (1, 2)
            && (column, row) != (2, 1)
            && (column, row) != (2, 2)
        {
            fill(&mut classes, (x, y), (16, 10), FIELD);
            fields.extend((0..4).map(|at| Place::new(GROUND, (x + 2 + 4 * at, y + 5))));
        }
    }
    let bend = |y: u16| 114 + (y % 40).abs_diff(20) / 3;
    for y in 0..height {
        fill(&mut classes, (bend(y), y), (7, 1), WATER);
    }
    let mut doors = Vec::new();
    for (column, row) in (0..7).flat_map(|column| (0..6).map(move |row| (column, row))) {
        let (x, y) = (36 + column * 9, 30 + row * 9);
        fill(&mut classes, (x - 2, y - 2), (9, 2), ROAD);
        fill(&mut classes, (x - 2, y), (2, 7), ROAD);
        fill(&mut classes, (x, y), (7, 7), GRASS);
        fill(&mut classes, (x + 1, y + 1), (4, 4), HOUSE);
        doors.push(Place::new(GROUND, (x + 2, y + 5)));
    }
    for y in [28, 82] {
        fill(&mut classes, (2, y), (width - 4, 2), ROAD); // over the river by bridges
    }
    for x in [4, 100, 140, 180] {
        fill(&mut classes, (x, 28), (2, 56), ROAD);
    }
    (classes, doors, fields)
}

fn set_up(mut commands: Commands<'_, '_>, mut worlds: ResMut<'_, Worlds>) -> Result {
    let mut random = Random(24);
    let (classes, doors, fields) = draw_map(&mut random);
    let (width, height) = (usize::from(SIZE.0), usize::from(SIZE.1));
    let mut tiles = TileMap::new();
    tiles.add_floor(Floor::new(width, height, classes.clone())?)?;
    tiles.add_floor(Floor::filled(40, 2, ROAD)?.at(100, 54))?;
    for (door, end) in [((104, 55), (4, 1)), ((136, 55), (36, 1))] {
        let link = Link::new(Place::new(GROUND, door), Place::new(TUNNEL, end), Cost::new(2 * 4756)?);
        tiles.add_link(link)?;
    }
    let mut atlas = Atlas::new(tiles)?;
    let villager = Mover::new().entering(ROAD, 1).entering(GRASS, 2).entering(FIELD, 4);
    let cart = Mover::new().entering(ROAD, 1).entering(GRASS, 3).entering(FIELD, 6).sized(2).using_links(&[]);
    let (villager, cart) = (atlas.add_mover(villager)?, atlas.add_mover(cart)?);
    let corner = Vec2::new(-f32::from(SIZE.0), f32::from(SIZE.1)) * CELL / 2.0;
    let world = worlds.add(atlas, Layout::flat(corner, CELL));

    let places = worlds.places(world).ok_or("the world was just added")?;
    for number in 0..UNITS {
        let at = random.pick(if number % 2 == 0 { &doors } else { &fields }).ok_or("there are doors")?;
        // Carts begin on the main road.
        let (unit, mover, size, place, speed) = if number % 10 == 0 {
            let place = Place::new(GROUND, (6 + random.below(170), 28));
            (Unit::Cart, cart, 2, place, 24.0)
        } else {
            (Unit::Villager, villager, 1, at, 30.0 + f32::from(random.below(20)))
        };
        let position = Position { point: places.point(place, size), floor: place.floor };
        commands.spawn((unit, Agent::new(mover).smooth(), position, Speed(speed)));
    }
    commands.insert_resource(Village { classes, doors, fields, random, arrivals: 0, failures: 0 });
    Ok(())
}

/// Whoever has arrived, cannot go on, or is new gets another order.
fn give_orders(
    mut commands: Commands<'_, '_>,
    mut village: ResMut<'_, Village>,
    mut news: MessageReader<'_, '_, AgentNews>,
    fresh: Query<'_, '_, Entity, Added<Unit>>,
) {
    let mut ready: Vec<Entity> = fresh.iter().collect();
    for AgentNews { agent, news } in news.read() {
        match news {
            News::Arrived => village.arrivals += 1,
            News::NoWay(_) => village.failures += 1,
            _ => continue,
        }
        ready.push(*agent);
    }
    let Village { doors, fields, random, .. } = &mut *village;
    for agent in ready {
        let to = if random.below(2) == 0 { &*doors } else { &*fields };
        if let (Some(place), Ok(mut agent)) = (random.pick(to), commands.get_entity(agent)) {
            agent.try_insert(Goal::new(place).or_nearest());
        }
    }
}

/// Builds where nobody stands: on land, and not where units are or step next.
fn build(
    mut wishes: MessageReader<'_, '_, Build>,
    mut edits: MessageWriter<'_, Edit>,
    mut village: ResMut<'_, Village>,
    worlds: Res<'_, Worlds>,
    units: Query<'_, '_, (&Unit, &Position, &Route)>,
) {
    let Some(places) = worlds.places(WorldId::FIRST) else { return };
    for &Build { area, class } in wishes.read() {
        let (end, is_land) =
            (area.max(), |cell: Cell| !matches!(village.classes[index(cell)], WATER | HOUSE));
        if end.x >= SIZE.0 || end.y >= SIZE.1 || !area.cells().all(is_land) {
            continue;
        }
        let near = |cell: Cell| {
            let beside = |at: u16, least: u16, most: u16| at + 2 >= least && at <= most + 1;
            beside(cell.x, area.min().x, area.max().x) && beside(cell.y, area.min().y, area.max().y)
        };
        let is_there = |(unit, position, route): (&Unit, &Position, &Route)| {
            let size = if *unit == Unit::Cart { 2 } else { 1 };
            let at = places.place(position.floor, position.point, size);
            at.into_iter().chain(route.here()).any(|place| place.floor == GROUND && near(place.cell))
        };
        if class == WALL && units.iter().any(is_there) {
            continue;
        }
        area.cells().for_each(|cell| village.classes[index(cell)] = class);
        edits.write(Edit::fill(area, class));
    }
}

/// Where the player of the headless game builds in a frame: walls that rise and fall.
pub(crate) fn script(frame: u16) -> Option<Build> {
    let mut random = Random(u64::from(frame / 2).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    random.below(9);
    let at = Cell::new(20 + random.below(150), 10 + random.below(90));
    let to = if frame % 4 < 2 {
        Cell::new(at.x + random.below(8), at.y)
    } else {
        Cell::new(at.x, at.y + random.below(8))
    };
    frame
        .is_multiple_of(2)
        .then_some(Build { area: Rect::spanning(at, to), class: if frame % 10 == 8 { GRASS } else { WALL } })
}
