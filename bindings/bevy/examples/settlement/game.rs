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
/// The cells of the ground at which the tunnel ends.
pub(crate) const TUNNEL_DOORS: [[u16; 2]; 2] = [[104, 55], [136, 55]];

/// What the game knows of its map.
#[derive(Resource)]
pub(crate) struct Village {
    /// The classes of the ground, row by row, for drawing and for building.
    pub(crate) classes: Vec<u8>,
    /// The same before anything was built.
    untouched: Vec<u8>,
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

/// A request of the player, by mouse or by script.
#[derive(Message, Clone, Copy, Debug)]
pub(crate) enum Build {
    Wall(Rect),
    /// With its upper left corner there. Units go to its door, too.
    House(Cell),
    /// Removes what the player built; the ground is as before.
    TearDown(Rect),
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
    for ([x, y], end) in TUNNEL_DOORS.into_iter().zip([(4, 1), (36, 1)]) {
        let link = Link::new(Place::new(GROUND, (x, y)), Place::new(TUNNEL, end), Cost::new(2 * 4756)?);
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
    let untouched = classes.clone();
    commands.insert_resource(Village { classes, untouched, doors, fields, random, arrivals: 0, failures: 0 });
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

/// Side of a house in cells.
const HOUSE_SIDE: u16 = 4;

/// Carries out the player's wishes: builds on land, and not where units are or step next.
fn build(
    mut wishes: MessageReader<'_, '_, Build>,
    mut edits: MessageWriter<'_, Edit>,
    mut village: ResMut<'_, Village>,
    worlds: Res<'_, Worlds>,
    units: Query<'_, '_, (&Unit, &Position, &Route)>,
) {
    let Some(places) = worlds.places(WorldId::FIRST) else { return };
    let is_free = |village: &Village, area: Rect| {
        let end = area.max();
        let is_land = |cell: Cell| !matches!(village.classes[index(cell)], WATER | HOUSE);
        end.x < SIZE.0
            && end.y < SIZE.1
            && area.cells().all(is_land)
            && !units.iter().any(|(unit, position, route)| is_near(places, area, *unit, position, route))
    };
    let at = |corner: Cell, width, height| {
        Rect::spanning(corner, Cell::new(corner.x + width - 1, corner.y + height - 1))
    };
    for &wish in wishes.read() {
        match wish {
            Build::Wall(area) if is_free(&village, area) => {
                area.cells().for_each(|cell| village.classes[index(cell)] = WALL);
                edits.write(Edit::fill(area, WALL));
            }
            // The row below has to be free for the door.
            Build::House(corner) if is_free(&village, at(corner, HOUSE_SIDE, HOUSE_SIDE + 1)) => {
                fill(&mut village.classes, (corner.x, corner.y), (HOUSE_SIDE, HOUSE_SIDE), HOUSE);
                village.doors.push(Place::new(GROUND, (corner.x + 1, corner.y + HOUSE_SIDE)));
                edits.write(Edit::fill(at(corner, HOUSE_SIDE, HOUSE_SIDE), HOUSE));
            }
            Build::TearDown(area) => {
                for cell in area.cells().filter(|cell| cell.x < SIZE.0 && cell.y < SIZE.1) {
                    let class = village.untouched[index(cell)];
                    if village.classes[index(cell)] != class {
                        village.classes[index(cell)] = class;
                        edits.write(Edit::fill(cell, class));
                    }
                }
            }
            Build::Wall(_) | Build::House(_) => {}
        }
    }
}

/// Whether a unit is in an area, beside it, or steps there next.
fn is_near(
    places: &bevy_farstride::Places,
    area: Rect,
    unit: Unit,
    position: &Position,
    route: &Route,
) -> bool {
    let (min, max) = (area.min(), area.max());
    let beside = |at: u16, least: u16, most: u16| at + 2 >= least && at <= most + 1;
    let size = if unit == Unit::Cart { 2 } else { 1 };
    let at = places.place(position.floor, position.point, size);
    at.into_iter().chain(route.here()).any(|Place { floor, cell }| {
        floor == GROUND && beside(cell.x, min.x, max.x) && beside(cell.y, min.y, max.y)
    })
}

/// What the player of the headless game wishes in a frame: walls that rise and fall, now and then a house.
pub(crate) fn script(frame: u16) -> Option<Build> {
    frame.is_multiple_of(2).then(|| match frame % 50 {
        24 => Build::House(scripted_area(frame).min()),
        // The wall of a while ago.
        number if number % 10 == 8 => Build::TearDown(scripted_area(frame.saturating_sub(104))),
        _ => Build::Wall(scripted_area(frame)),
    })
}

fn scripted_area(frame: u16) -> Rect {
    let mut random = Random(u64::from(frame / 2).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    random.below(9);
    let at = Cell::new(20 + random.below(150), 10 + random.below(90));
    let to = if frame % 4 < 2 {
        Cell::new(at.x + random.below(8), at.y)
    } else {
        Cell::new(at.x, at.y + random.below(8))
    };
    Rect::spanning(at, to)
}
