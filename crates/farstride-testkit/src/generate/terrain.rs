//! Weighted ground: patches of terrain, roads, noise, and fields with hedges.
//!
//! Ground follows two smooth random heights, one for water and one for growth,
//! so that lakes lie in swamps and forests in meadows. Roads are broken lines
//! whose middles are pushed aside again and again. Every cell gets a weight,
//! blocked or not, so that ground freed to join regions has one. Uses `canvas`
//! and `regions`.

use super::canvas::{Area, height, pick, set};
use super::regions::connect;
use crate::map::PlainMap;
use crate::random::SplitMix64;

/// What covers the ground of a weighted map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TerrainKind {
    /// Smooth regions of grass (weight 1 and 2), forest (3 and 5) and swamp
    /// (10), with lakes.
    Patches,
    /// The same without weight 1, and winding roads two cells wide of weight 1
    /// between towns; they cross lakes.
    Roads,
    /// The same, with each weight off by up to one, but at least 1.
    Mixed,
    /// Every cell free with a weight from 1 to 10, independent of all others.
    Noise,
    /// Fields of weight 2 to 6 between lanes of weight 1, parted by hedges,
    /// blocked or of weight 10, with gates; and ponds.
    Fields,
}

impl TerrainKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Patches, Self::Roads, Self::Mixed, Self::Noise, Self::Fields];

    /// The name of the kind, one word in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Patches => "patches",
            Self::Roads => "roads",
            Self::Mixed => "mixed",
            Self::Noise => "noise",
            Self::Fields => "fields",
        }
    }
}

/// Weights of the kinds of ground.
const ROAD: u8 = 1;
const GRASS: u8 = 1;
const MEADOW: u8 = 2;
const FOREST: u8 = 3;
const THICKET: u8 = 5;
const SWAMP: u8 = 10;

/// Shores and ponds below this many cells are not worth a causeway.
const SMALLEST_ISLAND: usize = 16;

/// Draws a map on which all free cells are one region.
pub(super) fn draw(map: &mut PlainMap, kind: TerrainKind, random: &mut SplitMix64) {
    map.weights = Some(vec![ROAD; map.free.len()]);
    match kind {
        TerrainKind::Patches => draw_patches(map, random),
        TerrainKind::Roads => draw_roads(map, random),
        TerrainKind::Mixed => {
            draw_roads(map, random);
            blur(map, random);
        }
        TerrainKind::Noise => {
            for weight in weights(map) {
                *weight = random.between(1, 10) as u8;
            }
        }
        TerrainKind::Fields => draw_fields(map, random),
    }
    connect(map, SMALLEST_ISLAND);
    if !map.free.contains(&true) {
        map.set_free((map.width / 2, map.height / 2), true);
    }
}

/// The weights, which `draw` has put there.
fn weights(map: &mut PlainMap) -> &mut [u8] {
    map.weights.get_or_insert_default()
}

/// Frees the part of a rectangle that lies on the map and sets its weight.
fn pave(map: &mut PlainMap, area: Area, weight: u8) {
    let whole = Area::whole(map);
    let (left, right) = (area.left.max(0), area.right.min(whole.right));
    for y in area.top.max(0)..area.bottom.min(whole.bottom) {
        let row = y as usize * map.width;
        if left < right {
            let columns = row + left as usize..row + right as usize;
            map.free[columns.clone()].fill(true);
            weights(map)[columns].fill(weight);
        }
    }
}

/// Cells between the lattice points of the large and the small features.
const LARGE: isize = 56;
const SMALL: isize = 19;

/// A smooth height from 0 to 255 with features of both sizes.
fn relief(seed: u64, x: isize, y: isize) -> isize {
    (3 * height(seed, x, y, LARGE) + height(!seed, x, y, SMALL)) / 4
}

/// Heights that part the kinds of ground.
const LAKE: isize = 68;
const SHORE: isize = 86;
const OPEN: isize = 96;
const GREEN: isize = 132;
const WOOD: isize = 166;

fn draw_patches(map: &mut PlainMap, random: &mut SplitMix64) {
    let (water, growth) = (random.next_u64(), random.next_u64());
    for index in 0..map.free.len() {
        let (x, y) = (map.point(index).0 as isize, map.point(index).1 as isize);
        let level = relief(water, x, y);
        let weight = match relief(growth, x, y) {
            _ if level < SHORE => SWAMP,
            0..OPEN => GRASS,
            OPEN..GREEN => MEADOW,
            GREEN..WOOD => FOREST,
            _ => THICKET,
        };
        map.free[index] = level >= LAKE;
        weights(map)[index] = weight;
    }
}

/// Cells of the map for each town.
const TOWN_CELLS: usize = 90 * 90;

fn draw_roads(map: &mut PlainMap, random: &mut SplitMix64) {
    draw_patches(map, random);
    for weight in weights(map) {
        *weight = (*weight).max(MEADOW);
    }
    let whole = Area::whole(map);
    let count = (map.free.len() / TOWN_CELLS).max(3);
    let mut towns: Vec<(isize, isize)> = Vec::with_capacity(count);
    for _ in 0..count {
        let town = (pick(random, 0, whole.right - 1), pick(random, 0, whole.bottom - 1));
        // To the nearest town there is, so that all are joined, and sometimes
        // to the next nearest, so that there are ways to choose from.
        let links = 1 + usize::from(random.chance(60));
        for other in nearest(&towns, town, links) {
            wind(map, town, other, random);
        }
        let side = pick(random, 3, 6);
        pave(map, Area::sized(town.0 - side / 2, town.1 - side / 2, side, side), ROAD);
        towns.push(town);
    }
}

/// The nearest towns, nearest first.
fn nearest(towns: &[(isize, isize)], town: (isize, isize), count: usize) -> Vec<(isize, isize)> {
    let distance = |other: &(isize, isize)| (other.0 - town.0).pow(2) + (other.1 - town.1).pow(2);
    let mut nearest = towns.to_vec();
    nearest.sort_by_key(|other| (distance(other), *other));
    nearest.truncate(count);
    nearest
}

/// Legs of a road shorter than this are straight.
const STRAIGHT: isize = 10;
/// Width of a road in cells.
const ROAD_WIDTH: isize = 2;

/// Draws a winding road: the middle of every long leg is pushed aside by up to
/// a fifth of its length, and so on with both halves.
fn wind(map: &mut PlainMap, from: (isize, isize), to: (isize, isize), random: &mut SplitMix64) {
    let mut legs = vec![(from, to)];
    while let Some((from, to)) = legs.pop() {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        if dx.abs().max(dy.abs()) < STRAIGHT {
            pave_leg(map, from, to);
            continue;
        }
        let aside = pick(random, -20, 20);
        let middle = |a: isize, b: isize, across: isize| a.midpoint(b) + across * aside / 100;
        let whole = Area::whole(map);
        let bend = (
            middle(from.0, to.0, -dy).clamp(0, whole.right - 1),
            middle(from.1, to.1, dx).clamp(0, whole.bottom - 1),
        );
        legs.push((bend, to));
        legs.push((from, bend));
    }
}

fn pave_leg(map: &mut PlainMap, from: (isize, isize), to: (isize, isize)) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.abs().max(dy.abs()).max(1);
    for step in 0..=length {
        let (x, y) = (from.0 + dx * step / length, from.1 + dy * step / length);
        pave(map, Area::sized(x, y, ROAD_WIDTH, ROAD_WIDTH), ROAD);
    }
}

/// Makes each weight one more, one less, or leaves it.
fn blur(map: &mut PlainMap, random: &mut SplitMix64) {
    for weight in weights(map) {
        *weight = (*weight + random.below(3) as u8).saturating_sub(1).max(1);
    }
}

/// The longest side of the ground between lanes, and of a field, in cells.
const LONGEST_FARM: isize = 90;
const LONGEST_FIELD: isize = 30;
/// Ground of a shorter side than this gets no hedges.
const SMALLEST_FARM: isize = 6;
/// Width of a lane in cells.
const LANE_WIDTH: isize = 2;
/// Heights below this are ponds.
const POND: isize = 46;

fn draw_fields(map: &mut PlainMap, random: &mut SplitMix64) {
    // What is left between farms is lane: the whole map has that weight already.
    let mut lands = vec![Area::whole(map)];
    while let Some(land) = lands.pop() {
        if land.width().max(land.height()) > LONGEST_FARM {
            lands.extend(land.split(LANE_WIDTH, random));
        } else {
            draw_farm(map, land, random);
        }
    }
    let water = random.next_u64();
    for (x, y) in Area::whole(map).cells() {
        // Lanes go on through water, as fords.
        if relief(water, x, y) < POND && map.weight((x as usize, y as usize)) > u64::from(ROAD) {
            set(map, x, y, false);
        }
    }
}

/// Fields with hedges between and around them.
fn draw_farm(map: &mut PlainMap, farm: Area, random: &mut SplitMix64) {
    if farm.width().min(farm.height()) < SMALLEST_FARM {
        pave(map, farm, random.between(2, 6) as u8);
        return;
    }
    let mut lands = vec![farm.inset(1)];
    let mut gates = Vec::new();
    hedge(map, farm, random);
    for _ in 0..random.between(3, 6) {
        gates.push(gate(farm, random));
    }
    while let Some(land) = lands.pop() {
        if land.width().max(land.height()) <= LONGEST_FIELD {
            pave(map, land, random.between(2, 6) as u8);
            continue;
        }
        let [first, second] = land.split(1, random);
        let line = if first.right < second.left {
            Area::new(first.right, land.top, second.left, land.bottom)
        } else {
            Area::new(land.left, first.bottom, land.right, second.top)
        };
        hedge(map, line, random);
        // Across the line, so that it opens this hedge and no other.
        for _ in 0..random.between(1, 3) {
            let (x, y) = (pick(random, line.left, line.right - 1), pick(random, line.top, line.bottom - 1));
            gates.push(if line.width() == 1 { Area::sized(x, y, 1, 3) } else { Area::sized(x, y, 3, 1) });
        }
        lands.extend([first, second]);
    }
    for gate in gates {
        pave(map, gate, MEADOW);
    }
}

/// Fills an area with hedge; fields are put on top of it.
fn hedge(map: &mut PlainMap, area: Area, random: &mut SplitMix64) {
    pave(map, area, SWAMP);
    if random.chance(65) {
        for (x, y) in area.cells() {
            set(map, x, y, false);
        }
    }
}

/// A place in the hedge around a farm.
fn gate(farm: Area, random: &mut SplitMix64) -> Area {
    let (x, y) = (pick(random, farm.left, farm.right - 1), pick(random, farm.top, farm.bottom - 1));
    match random.below(4) {
        0 => Area::sized(x, farm.top, 3, 1),
        1 => Area::sized(x, farm.bottom - 1, 3, 1),
        2 => Area::sized(farm.left, y, 1, 3),
        _ => Area::sized(farm.right - 1, y, 1, 3),
    }
}

#[cfg(test)]
mod tests {
    use super::super::generate_terrain;
    use super::*;
    use crate::map::Diagonals;
    use crate::oracle::regions;

    fn weights_of(map: &PlainMap) -> Vec<u8> {
        let weights = map.weights.as_ref().unwrap();
        let mut seen: Vec<u8> = map.free_points().iter().map(|&point| weights[map.index(point)]).collect();
        seen.sort_unstable();
        seen.dedup();
        seen
    }

    #[test]
    fn every_kind_has_its_weights_and_one_region() {
        for (kind, expected) in [
            (TerrainKind::Patches, &[1, 2, 3, 5, 10][..]),
            (TerrainKind::Roads, &[1, 2, 3, 5, 10]),
            (TerrainKind::Mixed, &[1, 2, 3, 4, 5, 6, 9, 10, 11]),
            (TerrainKind::Noise, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
            (TerrainKind::Fields, &[1, 2, 3, 4, 5, 6, 10]),
        ] {
            for seed in 0..3 {
                let map = generate_terrain(kind, 300, 260, seed).unwrap();
                assert_eq!(weights_of(&map), expected, "{kind:?} {seed}");
                assert_eq!(regions(&map, Diagonals::None).0, 1, "{kind:?} {seed}");
                let blocked = map.free.iter().filter(|&&free| !free).count() * 100 / map.free.len();
                let lakes = if kind == TerrainKind::Noise { 0..=0 } else { 1..=35 };
                assert!(lakes.contains(&blocked), "{kind:?} {seed}: {blocked} % blocked");
            }
        }
    }

    #[test]
    fn every_kind_works_on_every_size() {
        for kind in TerrainKind::ALL {
            for (width, height) in [(1, 1), (1, 200), (200, 1), (2, 3), (7, 95), (33, 30), (91, 2)] {
                for seed in 0..4 {
                    let map = generate_terrain(kind, width, height, seed).unwrap();
                    assert_eq!(map.free.len(), width * height);
                    assert_eq!(map.weights.as_ref().map(Vec::len), Some(width * height));
                    assert!(map.weights.iter().flatten().all(|&weight| weight >= 1));
                    assert_eq!(regions(&map, Diagonals::None).0, 1, "{kind:?} {width}x{height} {seed}");
                }
            }
        }
    }

    #[test]
    fn roads_are_one_network() {
        let map = generate_terrain(TerrainKind::Roads, 400, 300, 5).unwrap();
        let mut roads = PlainMap::new(map.width, map.height, false);
        for point in map.free_points() {
            roads.set_free(point, map.weight(point) == 1);
        }
        assert_eq!(regions(&roads, Diagonals::None).0, 1);
        let share = roads.free_points().len() * 100 / map.free.len();
        assert!((2..12).contains(&share), "{share} % road");
    }
}
