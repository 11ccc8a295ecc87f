//! Open country: a field with trees, boulders, walls and ponds.
//!
//! Obstacles of a random shape are dropped at random places until enough cells
//! are blocked. Uses `canvas`, `regions`.

use super::canvas::{Area, height, pick, set, share};
use super::regions::connect;
use crate::map::PlainMap;
use crate::random::SplitMix64;

/// Enclosed ground below this many cells is filled in instead of joined.
const SMALLEST_CLEARING: usize = 9;

/// A field with nearly the given share of blocked cells.
pub(super) fn draw_open(map: &mut PlainMap, blocked_percent: u32, random: &mut SplitMix64) {
    let target = share(map.free.len(), blocked_percent);
    let mut blocked = 0;
    // Far more tries than a map up to half full can need, and still an end.
    for _ in 0..target * 8 + 64 {
        if blocked >= target {
            break;
        }
        blocked += drop_obstacle(map, target - blocked, random);
    }
    connect(map, SMALLEST_CLEARING);
}

/// Drops one obstacle anywhere; returns how many cells it blocked. Shapes that
/// may be larger than `budget` shrink to a tree.
fn drop_obstacle(map: &mut PlainMap, budget: usize, random: &mut SplitMix64) -> usize {
    let whole = Area::whole(map);
    let x = pick(random, 0, whole.right - 1);
    let y = pick(random, 0, whole.bottom - 1);
    let largest = (whole.width().min(whole.height()) / 12).clamp(1, 5);
    match random.below(100) {
        0..=3 if budget > 40 => pond(map, (x, y), pick(random, largest.min(2), largest), random),
        4..=20 if budget > 20 => wall(map, (x, y), largest, random),
        21..=40 if budget > 8 => boulder(map, (x, y), random),
        41..=60 if budget > 8 => copse(map, (x, y), random),
        _ => usize::from(set(map, x, y, false)),
    }
}

/// A patch of water with a wavy shore.
pub(super) fn pond(
    map: &mut PlainMap,
    (x, y): (isize, isize),
    radius: isize,
    random: &mut SplitMix64,
) -> usize {
    let shore = random.next_u64();
    // Flat ellipses look like water; squares of doubled distances stay whole.
    let reach = radius * 2;
    let inside = |&(dx, dy): &(isize, isize)| {
        let far = dx * dx + 4 * dy * dy;
        let wave = 60 + height(shore, dx, dy, radius.max(2)) * 80 / 255;
        far * 100 <= reach * reach * wave
    };
    let cells = Area::new(-2 * reach, -reach, 2 * reach + 1, reach + 1).cells().filter(inside);
    cells.map(|(dx, dy)| usize::from(set(map, x + dx, y + dy, false))).sum()
}

/// A wall, straight or with one bend, sometimes with a gap.
fn wall(map: &mut PlainMap, (x, y): (isize, isize), largest: isize, random: &mut SplitMix64) -> usize {
    let length = pick(random, 3, 4 + 2 * largest);
    let bend = if random.chance(50) { pick(random, 2, length) } else { length };
    let gap = pick(random, 1, 2 * length);
    let upright = random.chance(50);
    let side = if random.chance(50) { 1 } else { -1 };
    let mut blocked = 0;
    for step in (0..length).filter(|&step| step != gap) {
        let (along, aside) = (step.min(bend), (step - bend).max(0) * side);
        let (dx, dy) = if upright { (aside, along) } else { (along, aside) };
        blocked += usize::from(set(map, x + dx, y + dy, false));
    }
    blocked
}

/// A rock of two to four cells across with some corners broken off.
fn boulder(map: &mut PlainMap, (x, y): (isize, isize), random: &mut SplitMix64) -> usize {
    let (width, height) = (pick(random, 2, 4), pick(random, 2, 3));
    let mut blocked = 0;
    for (dx, dy) in Area::sized(0, 0, width, height).cells() {
        let corner = (dx == 0 || dx == width - 1) && (dy == 0 || dy == height - 1);
        if !corner || random.chance(40) {
            blocked += usize::from(set(map, x + dx, y + dy, false));
        }
    }
    blocked
}

/// A loose group of trees.
fn copse(map: &mut PlainMap, (x, y): (isize, isize), random: &mut SplitMix64) -> usize {
    let trees = random.between(3, 8);
    let tree = |_| {
        let (dx, dy) = (pick(random, -3, 3), pick(random, -2, 2));
        usize::from(set(map, x + dx, y + dy, false))
    };
    (0..trees).map(tree).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Diagonals;
    use crate::oracle::regions;

    #[test]
    fn fields_have_nearly_their_share() {
        for percent in [0, 5, 10, 20, 35] {
            let mut map = PlainMap::new(120, 90, true);
            draw_open(&mut map, percent, &mut SplitMix64::new(6));
            let blocked = map.free.iter().filter(|&&free| !free).count();
            let expected = map.free.len() * percent as usize / 100;
            assert!(blocked.abs_diff(expected) <= map.free.len() / 50, "{percent}%: {blocked}");
        }
    }

    #[test]
    fn fields_are_one_region() {
        for seed in 0..5 {
            let mut map = PlainMap::new(90, 60, true);
            draw_open(&mut map, 30, &mut SplitMix64::new(seed));
            assert_eq!(regions(&map, Diagonals::None).0, 1);
        }
    }

    #[test]
    fn obstacles_count_the_cells_they_block() {
        let mut random = SplitMix64::new(9);
        let mut map = PlainMap::new(60, 40, true);
        for _ in 0..100 {
            let before = map.free_points().len();
            let blocked = drop_obstacle(&mut map, 1000, &mut random);
            assert_eq!(before - map.free_points().len(), blocked);
        }
    }
}
