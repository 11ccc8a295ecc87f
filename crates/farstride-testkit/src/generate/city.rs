//! A city: streets both ways, blocks of buildings, courtyards, parks, avenues.
//!
//! Streets of uneven distance cut the map into blocks, some of which grow over
//! the street to a neighbour. Each block becomes a park, a square, a ring of
//! buildings around a courtyard, or lots with a building of some shape on each.
//! Slanting avenues then cut through everything. Uses `canvas`, `fields`,
//! `regions`.

use super::canvas::{Area, fill, frame, pick, road, set};
use super::fields::pond;
use super::regions::connect;
use crate::map::PlainMap;
use crate::random::SplitMix64;

/// Yards below this many cells become part of a building.
const SMALLEST_YARD: usize = 10;
/// Blocks narrower than this are solid.
const NARROW: isize = 5;

/// A city whose blocks and streets have about the given sizes.
pub(super) fn draw_city(map: &mut PlainMap, block: usize, street: usize, random: &mut SplitMix64) {
    let (block, street) = (block as isize, street as isize);
    let Area { right, bottom, .. } = Area::whole(map);
    let columns = bands(right, block, street, random);
    let rows = bands(bottom, block, street, random);
    let mut built = vec![false; columns.len() * rows.len()];
    for place in 0..built.len() {
        if !built[place] {
            let area = claim(&mut built, place, &columns, &rows, random);
            build_block(map, area, block, random);
        }
    }
    lay_avenues(map, block, street, random);
    connect(map, SMALLEST_YARD);
}

/// Where blocks begin and end along one side, with streets in between.
fn bands(side: isize, block: isize, street: isize, random: &mut SplitMix64) -> Vec<(isize, isize)> {
    let mut bands = Vec::new();
    let mut begin = street;
    while begin + 2 < side - street {
        let end = begin + pick(random, block * 2 / 3, block * 4 / 3);
        // A rest too narrow for a block of its own goes to this one.
        let end = if end + street + NARROW > side - street { side - street } else { end };
        bands.push((begin, end));
        let wide = random.chance(20);
        begin = end + if wide { 2 * street + 1 } else { street };
    }
    bands
}

/// Takes the block at `place`, sometimes with its free neighbour on the right
/// or below and the street between.
fn claim(
    built: &mut [bool],
    place: usize,
    columns: &[(isize, isize)],
    rows: &[(isize, isize)],
    random: &mut SplitMix64,
) -> Area {
    let (column, row) = (place % columns.len(), place / columns.len());
    let (mut right, mut bottom) = (columns[column].1, rows[row].1);
    built[place] = true;
    match random.below(8) {
        0 if column + 1 < columns.len() && !built[place + 1] => {
            built[place + 1] = true;
            right = columns[column + 1].1;
        }
        1 if row + 1 < rows.len() => {
            built[place + columns.len()] = true;
            bottom = rows[row + 1].1;
        }
        _ => {}
    }
    Area::new(columns[column].0, rows[row].0, right, bottom)
}

fn build_block(map: &mut PlainMap, area: Area, block: isize, random: &mut SplitMix64) {
    if area.width() < NARROW || area.height() < NARROW {
        fill(map, area, false);
        return;
    }
    match random.below(100) {
        0..=8 => plant_park(map, area, random),
        9..=13 => pave_square(map, area),
        14..=29 => build_ring(map, area, random),
        _ => build_lots(map, area, block, random),
    }
}

/// Trees in a loose pattern, a pond in the middle of larger ones.
fn plant_park(map: &mut PlainMap, area: Area, random: &mut SplitMix64) {
    for (x, y) in area.inset(1).cells() {
        if random.chance(13) {
            set(map, x, y, false);
        }
    }
    let radius = area.width().min(area.height()) / 8;
    if radius > 0 {
        pond(map, area.center(), radius, random);
    }
}

/// An open square with a monument.
fn pave_square(map: &mut PlainMap, area: Area) {
    let (x, y) = area.center();
    let half = area.width().min(area.height()) / 10;
    fill(map, Area::new(x - half, y - half, x + half + 1, y + half + 1), false);
}

/// One building around a courtyard, with one or two passages.
fn build_ring(map: &mut PlainMap, area: Area, random: &mut SplitMix64) {
    let thickness = (area.width().min(area.height()) / 4).max(1);
    frame(map, area, thickness);
    for _ in 0..random.between(1, 2) {
        cut_passage(map, area, thickness, random);
    }
}

/// Opens the building around `area` from a random side.
fn cut_passage(map: &mut PlainMap, area: Area, thickness: isize, random: &mut SplitMix64) {
    let inside = area.inset(thickness);
    let width = (thickness / 3).max(1);
    let x = pick(random, inside.left, (inside.right - width).max(inside.left));
    let y = pick(random, inside.top, (inside.bottom - width).max(inside.top));
    let passage = match random.below(4) {
        0 => Area::new(x, area.top, x + width, inside.top),
        1 => Area::new(x, inside.bottom, x + width, area.bottom),
        2 => Area::new(area.left, y, inside.left, y + width),
        _ => Area::new(inside.right, y, area.right, y + width),
    };
    fill(map, passage, true);
}

/// Cuts a block into lots, some with an alley between, and builds on each.
fn build_lots(map: &mut PlainMap, area: Area, block: isize, random: &mut SplitMix64) {
    let largest = pick(random, (block / 3).max(4), (block * 2 / 3).max(4));
    let mut lots = vec![area];
    while let Some(lot) = lots.pop() {
        if lot.width() > largest || lot.height() > largest {
            let alley = isize::from(random.chance(35));
            lots.extend(lot.split(alley, random));
        } else {
            build_house(map, lot, random);
        }
    }
}

/// A building with one of several footprints.
fn build_house(map: &mut PlainMap, lot: Area, random: &mut SplitMix64) {
    let shape = random.below(100);
    if shape < 6 {
        return; // an empty lot
    }
    fill(map, lot, false);
    let (width, height) = (lot.width(), lot.height());
    let (x, y) = (pick(random, lot.left, lot.right), pick(random, lot.top, lot.bottom));
    let (wing, depth) = ((width / 2).max(1), (height / 2).max(1));
    let yard = match shape {
        6..=30 => corner(lot, wing, depth, random),
        31..=40 => Area { top: lot.bottom - 1, ..lot },
        41..=50 => Area { left: lot.right - 1, ..lot },
        51..=56 => Area::sized(x - wing / 2, lot.top, (wing / 2).max(1), depth),
        57..=62 => Area::sized(lot.left, y - depth / 2, wing, (depth / 2).max(1)),
        _ => return,
    };
    let clipped = Area::new(
        yard.left.max(lot.left),
        yard.top.max(lot.top),
        yard.right.min(lot.right),
        yard.bottom.min(lot.bottom),
    );
    fill(map, clipped, true);
}

/// A rectangle in a random corner of another.
fn corner(area: Area, width: isize, height: isize, random: &mut SplitMix64) -> Area {
    let left = if random.chance(50) { area.left } else { area.right - width };
    let top = if random.chance(50) { area.top } else { area.bottom - height };
    Area::sized(left, top, width, height)
}

/// Slanting avenues across the whole map, the more the larger it is.
fn lay_avenues(map: &mut PlainMap, block: isize, street: isize, random: &mut SplitMix64) {
    let Area { right, bottom, .. } = Area::whole(map);
    let avenues = (right.min(bottom) / (block * 3)).min(2) + right.max(bottom) / (block * 24);
    for avenue in 0..avenues {
        let width = street + 1;
        if avenue % 2 == 0 {
            let x = pick(random, 0, right - 1);
            let drift = pick(random, bottom / 3, bottom);
            let drift = if x > right / 2 { -drift } else { drift };
            road(map, (x, -1), (x + drift, bottom), width);
        } else {
            let y = pick(random, 0, bottom - 1);
            let drift = pick(random, right / 4, right / 2);
            let drift = if y > bottom / 2 { -drift } else { drift };
            road(map, (-1, y), (right, y + drift), width);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Diagonals;
    use crate::oracle::regions;

    fn city(width: usize, height: usize, block: usize, street: usize, seed: u64) -> PlainMap {
        let mut map = PlainMap::new(width, height, true);
        draw_city(&mut map, block, street, &mut SplitMix64::new(seed));
        map
    }

    #[test]
    fn cities_are_one_region_with_streets_and_buildings() {
        for seed in 0..5 {
            let map = city(120, 90, 14, 2, seed);
            assert_eq!(regions(&map, Diagonals::None).0, 1);
            let free = map.free_points().len() * 100 / map.free.len();
            assert!((35..65).contains(&free), "{free}% free");
        }
    }

    #[test]
    fn a_street_runs_around_the_city() {
        let map = city(70, 50, 10, 3, 1);
        let outer = |&(x, y): &(usize, usize)| x < 3 || y < 3 || x >= 67 || y >= 47;
        let blocked = (0..map.free.len()).map(|index| map.point(index)).filter(outer);
        assert_eq!(blocked.filter(|&cell| !map.is_free_at(cell)).count(), 0);
    }

    #[test]
    fn bands_leave_a_street_between() {
        let mut random = SplitMix64::new(5);
        for side in 0..200 {
            let bands = bands(side, 9, 2, &mut random);
            assert!(bands.iter().all(|&(begin, end)| 2 <= begin && begin < end && end <= side - 2));
            assert!(bands.windows(2).all(|pair| pair[0].1 + 2 <= pair[1].0));
        }
    }
}
