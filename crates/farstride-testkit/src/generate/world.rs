//! A land as in a game: town, river, mountains, ruins, farms and woods.
//!
//! The places are fixed shares of the map; seed and noise decide everything
//! within them. Nature comes first, then roads that clear a way through it,
//! the river that cuts the roads, bridges where they meet, and what people have
//! built. Uses all its siblings.

use super::canvas::{Area, fill, frame, height, pick, road, set};
use super::fields::{draw_open, pond};
use super::lattice::draw_maze;
use super::noise::draw_caves;
use super::regions::connect;
use crate::map::PlainMap;
use crate::random::SplitMix64;

/// Below this size in cells there is no room for the places.
const SMALLEST: (usize, usize) = (40, 24);
/// Holes below this many cells are filled in instead of joined.
const SMALLEST_HOLE: usize = 8;
/// Trees in 100 cells of the densest wood. Beyond 40, woods would close and be
/// filled in as holes.
const DENSEST: isize = 38;
/// Width of roads and bridges in cells.
const ROAD: isize = 2;

/// A whole land, or a few trees where that has no room.
pub(super) fn draw_world(map: &mut PlainMap, random: &mut SplitMix64) {
    if map.width < SMALLEST.0 || map.height < SMALLEST.1 {
        draw_open(map, 8, random);
        return;
    }
    let plan = Plan::of(map, random);
    plant_woods(map, &plan, random);
    raise_mountains(map, &plan, random);
    lay_out_farms(map, plan.farms, random);
    lay_roads(map, &plan);
    run_river(map, &plan, random);
    build_town(map, plan.town, random);
    build_ruins(map, plan.ruins, random);
    connect(map, SMALLEST_HOLE);
}

/// Where everything is.
struct Plan {
    whole: Area,
    town: Area,
    farms: Area,
    mountains: Area,
    ruins: Area,
    /// Rows in which roads cross the river, from north to south.
    bridges: [isize; 3],
    river: u64,
}

impl Plan {
    fn of(map: &PlainMap, random: &mut SplitMix64) -> Self {
        let whole = Area::whole(map);
        let share = |left, top, right, bottom| {
            let (x, y) = (|share| whole.right * share / 1000, |share| whole.bottom * share / 1000);
            Area::new(x(left), y(top), x(right), y(bottom))
        };
        let town = share(60, 350, 380, 700);
        Self {
            whole,
            town,
            farms: share(30, 40, 410, 270),
            mountains: share(610, 0, 1000, 440),
            ruins: whole_corridors(share(670, 550, 970, 930)),
            bridges: [whole.bottom * 170 / 1000, town.center().1 - 1, whole.bottom * 860 / 1000],
            river: random.next_u64(),
        }
    }

    /// Column of the middle of the river in row `y`.
    fn river_at(&self, y: isize) -> isize {
        let (width, rows) = (self.whole.right, self.whole.bottom);
        let drift = width * (500 + 60 * y / rows) / 1000;
        drift + (height(self.river, 0, y, (rows / 5).max(4)) - 128) * width / 16 / 128
    }
}

/// Shrinks an area to a whole number of maze corridors two cells wide.
const fn whole_corridors(area: Area) -> Area {
    let (width, height) = ((area.width() - 1) / 3 * 3 + 1, (area.height() - 1) / 3 * 3 + 1);
    Area::sized(area.left, area.top, width, height)
}

/// Trees by chance, dense where noise says wood, above all in the south-west.
fn plant_woods(map: &mut PlainMap, plan: &Plan, random: &mut SplitMix64) {
    let wood = random.next_u64();
    let Area { right, bottom, .. } = plan.whole;
    for (x, y) in plan.whole.cells() {
        let roll = random.below(100) as isize;
        // Most rolls make no tree anywhere: no need to look at the noise.
        if roll < DENSEST {
            let south = (y * 1000 / bottom - 680).clamp(-200, 200) * 2 / 5;
            let bias = if x * 100 / right < 50 { south } else { -20 };
            let percent = match height(wood, x, y, 10) + bias {
                200.. => DENSEST,
                165.. => 27,
                140.. => 12,
                115.. => 4,
                _ => 1,
            };
            if roll < percent {
                set(map, x, y, false);
            }
        }
    }
}

/// Caves behind a rim of solid rock whose outline noise has frayed.
fn raise_mountains(map: &mut PlainMap, plan: &Plan, random: &mut SplitMix64) {
    let area = plan.mountains;
    let mut caves = PlainMap::new(area.width() as usize, area.height() as usize, true);
    draw_caves(&mut caves, 49, 3, random);
    let outline = random.next_u64();
    let depth = |x: isize, y: isize| {
        let inwards = (x - area.left).min(area.bottom - 1 - y);
        inwards + (height(outline, x, y, 8) - 128) / 14
    };
    for (x, y) in area.cells() {
        let depth = depth(x, y);
        if depth > 4 {
            set(map, x, y, depth > 7 && caves.is_free(x - area.left, y - area.top));
        }
    }
}

/// Fields, orchards and vineyards, most of them behind hedges, and farmhouses.
fn lay_out_farms(map: &mut PlainMap, area: Area, random: &mut SplitMix64) {
    fill(map, area, true);
    for field in lots(area, (22, 11), ROAD, random) {
        if field.width() < 6 || field.height() < 5 {
            build_house(map, field, random);
            continue;
        }
        match random.below(10) {
            0..=2 => plant_rows(map, field.inset(1), (3, 2)),
            3..=6 => plant_rows(map, field.inset(1), (1, 2)),
            7 => build_house(map, Area { right: field.left + 6, ..field.inset(1) }, random),
            _ => {}
        }
        if random.chance(65) {
            frame(map, field, 1);
            open_side(map, field, ROAD, random);
            open_side(map, field, ROAD, random);
        }
    }
}

/// Trees or vines at regular distances; vines leave a path across the middle.
fn plant_rows(map: &mut PlainMap, field: Area, (across, down): (isize, isize)) {
    let middle = field.center().0;
    for (x, y) in field.inset(1).cells() {
        let in_row = (x - field.left) % across == 0 && (y - field.top) % down == 1;
        if in_row && (x != middle || across > 1) {
            set(map, x, y, false);
        }
    }
}

/// Roads from the gates of the town over the bridges to ruins and mountains.
fn lay_roads(map: &mut PlainMap, plan: &Plan) {
    let (town, ruins, whole) = (plan.town, plan.ruins, plan.whole);
    let (town_x, town_y) = town.center();
    let [north, middle, south] = plan.bridges.map(|y| (plan.river_at(y), y));
    let mouth = (plan.mountains.left + plan.mountains.width() / 3, plan.mountains.height() / 2);
    let routes: [&[(isize, isize)]; 4] = [
        &[(0, town_y), (town_x, town_y), middle, (ruins.left - 3, ruins.center().1)],
        &[(town_x, town_y), (town_x, plan.farms.bottom + 1), north, mouth],
        &[(town_x, town_y), (town_x, south.1), south, (ruins.center().0, ruins.bottom + 2)],
        &[(town_x, south.1), (town_x, whole.bottom)],
    ];
    for leg in routes.iter().flat_map(|route| route.windows(2)) {
        road(map, leg[0], leg[1], ROAD);
    }
}

/// The river from north to south, a lake, and the bridges.
fn run_river(map: &mut PlainMap, plan: &Plan, random: &mut SplitMix64) {
    let half = (plan.whole.right / 70).max(1);
    let banks = |y: isize| {
        let (here, next) = (plan.river_at(y), plan.river_at(y + 1));
        (here.min(next) - half, here.max(next) + half)
    };
    for y in 0..plan.whole.bottom {
        let (left, right) = banks(y);
        fill(map, Area::new(left, y, right, y + 1), false);
    }
    let lake = plan.whole.bottom * 690 / 1000;
    pond(map, (plan.river_at(lake), lake), (plan.whole.bottom / 26).max(1), random);
    for top in plan.bridges {
        let (rows, margin) = (top..top + ROAD, 2);
        let left = rows.clone().map(|y| banks(y).0).min().unwrap_or(0) - margin;
        let right = rows.map(|y| banks(y).1).max().unwrap_or(0) + margin;
        fill(map, Area::new(left, top, right, top + ROAD), true);
    }
}

/// A town wall with towers and four gates around streets, houses and a
/// market square.
fn build_town(map: &mut PlainMap, town: Area, random: &mut SplitMix64) {
    let (x, y) = town.center();
    fill(map, town.inset(-2), true);
    frame(map, town, 1);
    for (x, y) in [
        (town.left, town.top),
        (town.right - 1, town.top),
        (town.left, town.bottom - 1),
        (town.right - 1, town.bottom - 1),
    ] {
        fill(map, Area::new(x - 1, y - 1, x + 2, y + 2), false);
    }
    for gate in [(x, town.top), (x, town.bottom - 1), (town.left, y), (town.right - 1, y)] {
        build_gate(map, gate, gate.0 == x);
    }
    let inside = town.inset(2);
    let market = Area::new(x - 5, y - 3, x + 6, y + 4);
    for quarter in [
        Area::new(inside.left, inside.top, x - 1, y - 1),
        Area::new(x + 2, inside.top, inside.right, y - 1),
        Area::new(inside.left, y + 2, x - 1, inside.bottom),
        Area::new(x + 2, y + 2, inside.right, inside.bottom),
    ] {
        for lot in lots(quarter, (9, 7), 1, random) {
            if !overlap(lot, market) {
                build_house(map, lot, random);
            }
        }
    }
    // A well in the middle of the market, and stalls around it.
    set(map, x, y, false);
    for (dx, dy) in [(-4, -2), (3, -2), (-4, 2), (3, 2)] {
        fill(map, Area::sized(x + dx, y + dy, 2, 1), false);
    }
}

/// A gate three cells wide between two small towers.
fn build_gate(map: &mut PlainMap, (x, y): (isize, isize), in_level_wall: bool) {
    for side in [-3, 2] {
        let (x, y) = if in_level_wall { (x + side, y - 1) } else { (x - 1, y + side) };
        let (width, height) = if in_level_wall { (2, 3) } else { (3, 2) };
        fill(map, Area::sized(x, y, width, height), false);
    }
    fill(map, Area::new(x - 1, y - 1, x + 2, y + 2), true);
}

/// Four walls, a door, and in larger houses a wall between two rooms.
fn build_house(map: &mut PlainMap, lot: Area, random: &mut SplitMix64) {
    if lot.width() < 4 || lot.height() < 4 {
        fill(map, lot, lot.width() < 2 || lot.height() < 2);
        return;
    }
    frame(map, lot, 1);
    if lot.width() >= 8 {
        let x = pick(random, lot.left + 3, lot.right - 4);
        fill(map, Area::sized(x, lot.top, 1, lot.height()), false);
        set(map, x, pick(random, lot.top + 1, lot.bottom - 2), true);
    }
    open_side(map, lot, 1, random);
}

/// An opening of the given width in a random side of a wall.
fn open_side(map: &mut PlainMap, wall: Area, width: isize, random: &mut SplitMix64) {
    let x = pick(random, wall.left + 1, wall.right - 1 - width);
    let y = pick(random, wall.top + 1, wall.bottom - 1 - width);
    let opening = match random.below(4) {
        0 => Area::sized(x, wall.top, width, 1),
        1 => Area::sized(x, wall.bottom - 1, width, 1),
        2 => Area::sized(wall.left, y, 1, width),
        _ => Area::sized(wall.right - 1, y, 1, width),
    };
    fill(map, opening, true);
}

/// Cuts an area into lots of at most the given size with alleys between.
fn lots(area: Area, largest: (isize, isize), alley: isize, random: &mut SplitMix64) -> Vec<Area> {
    let mut pending = vec![area];
    let mut lots = Vec::new();
    while let Some(lot) = pending.pop() {
        if lot.width() > largest.0 || lot.height() > largest.1 {
            pending.extend(lot.split(alley, random));
        } else {
            lots.push(lot);
        }
    }
    lots
}

const fn overlap(one: Area, other: Area) -> bool {
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}

/// A maze whose walls have fallen in places, around a hall with pillars.
fn build_ruins(map: &mut PlainMap, area: Area, random: &mut SplitMix64) {
    let mut maze = PlainMap::new(area.width() as usize, area.height() as usize, true);
    draw_maze(&mut maze, 2, 1, random);
    let decay = random.next_u64();
    for (x, y) in area.cells() {
        let fallen = height(decay, x, y, 6) > 185 || random.chance(5);
        let standing = !maze.is_free(x - area.left, y - area.top) && !fallen;
        set(map, x, y, !standing);
    }
    let (x, y) = area.center();
    let hall = Area::new(x - 6, y - 4, x + 6, y + 4);
    if area.width() > 20 && area.height() > 14 {
        fill(map, hall, true);
        frame(map, hall, 1);
        plant_rows(map, hall.inset(1), (3, 3));
        for _ in 0..3 {
            open_side(map, hall, ROAD, random);
        }
    }
    fill(map, Area::sized(area.left, y - 1, 3, ROAD), true);
    fill(map, Area::sized(x - 1, area.bottom - 3, ROAD, 3), true);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{DiagonalCost, Diagonals};
    use crate::oracle::{distance, regions};

    fn world(seed: u64) -> (PlainMap, Plan) {
        let mut map = PlainMap::new(150, 84, true);
        let plan = Plan::of(&map, &mut SplitMix64::new(seed));
        draw_world(&mut map, &mut SplitMix64::new(seed));
        (map, plan)
    }

    #[test]
    fn everything_is_one_region() {
        for seed in 0..10 {
            let (map, _) = world(seed);
            assert_eq!(regions(&map, Diagonals::None).0, 1, "seed {seed}");
            let free = map.free_points().len() * 100 / map.free.len();
            assert!((60..85).contains(&free), "{free}% free");
        }
    }

    /// The river can be crossed at its three bridges and nowhere else.
    #[test]
    fn bridges_are_the_only_way_across() {
        for seed in 0..10 {
            let (mut map, plan) = world(seed);
            let (west, east) = ((0, plan.town.center().1 as usize), (149, 42));
            map.set_free(east, true);
            let crossing = |map: &PlainMap| distance(map, Diagonals::Strict, DiagonalCost::Sqrt2, west, east);
            for bridge in plan.bridges {
                assert!(crossing(&map).is_some(), "seed {seed}");
                let x = plan.river_at(bridge);
                fill(&mut map, Area::new(x - 1, bridge, x + 1, bridge + ROAD), false);
            }
            assert_eq!(crossing(&map), None, "seed {seed}");
        }
    }

    /// Each side of the wall is passed at its gate; the market lies inside.
    #[test]
    fn the_town_has_a_wall_with_four_gates() {
        let (map, plan) = world(1);
        let town = plan.town;
        let (x, y) = town.center();
        let gaps = |cells: Vec<(isize, isize)>| {
            cells.into_iter().filter(|&(x, y)| map.is_free(x, y)).collect::<Vec<_>>()
        };
        for row in [town.top, town.bottom - 1] {
            let wall = (town.left..town.right).map(|x| (x, row)).collect();
            assert_eq!(gaps(wall), [(x - 1, row), (x, row), (x + 1, row)]);
        }
        for column in [town.left, town.right - 1] {
            let wall = (town.top..town.bottom).map(|y| (column, y)).collect();
            assert_eq!(gaps(wall), [(column, y - 1), (column, y), (column, y + 1)]);
        }
        assert!(map.is_free(x + 1, y) && !map.is_free(x, y));
    }

    #[test]
    fn small_worlds_are_fields() {
        let mut map = PlainMap::new(39, 30, true);
        draw_world(&mut map, &mut SplitMix64::new(1));
        let free = map.free_points().len() * 100 / map.free.len();
        assert!((88..97).contains(&free), "{free}% free");
    }
}
