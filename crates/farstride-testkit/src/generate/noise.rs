//! Maps from noise: independent cells, and caves.
//!
//! Caves start as independent cells; a cellular automaton then lets each cell
//! join the majority of the nine around it, which turns noise into walls and
//! hollows within a few rounds. Uses `canvas`, `regions`.

use super::canvas::share;
use super::regions::connect;
use crate::map::PlainMap;
use crate::random::SplitMix64;

/// Hollows below this many cells are filled in instead of joined.
const SMALLEST_CAVE: usize = 12;

/// A cell becomes rock if at least this many of the nine cells around it are: the
/// majority.
const MAJORITY: u8 = 5;

/// Blocks exactly the given share of all cells (rounded down): each cell in
/// turn with the chance that keeps the rest possible, so no list is shuffled.
pub(super) fn draw_random(map: &mut PlainMap, blocked_percent: u32, random: &mut SplitMix64) {
    let mut cells = map.free.len();
    let mut blocked = share(cells, blocked_percent);
    for free in &mut map.free {
        *free = random.below(cells) >= blocked;
        blocked -= usize::from(!*free);
        cells -= 1;
    }
}

/// Smoothed noise in one region. If smoothing has closed everything, as on maps
/// a few cells across, the middle is opened again.
pub(super) fn draw_caves(map: &mut PlainMap, blocked_percent: u32, rounds: u32, random: &mut SplitMix64) {
    draw_random(map, blocked_percent, random);
    for _ in 0..rounds {
        smooth(map);
    }
    connect(map, SMALLEST_CAVE);
    if !map.free.contains(&true) && blocked_percent < 100 {
        map.set_free((map.width / 2, map.height / 2), true);
    }
}

/// One round of the automaton. All that is outside counts as rock. In place,
/// with the old state of two rows kept aside.
fn smooth(map: &mut PlainMap) {
    let width = map.width;
    let mut above = vec![false; width];
    let mut current = map.free[..width].to_vec();
    // Rock in each column of three rows, with a column of rock at either end.
    let mut rock = vec![3; width + 2];
    for y in 0..map.height {
        let below = map.free.get((y + 1) * width..(y + 2) * width);
        for x in 0..width {
            let below = below.is_some_and(|row| row[x]);
            rock[x + 1] = u8::from(!above[x]) + u8::from(!current[x]) + u8::from(!below);
        }
        let next = below.map(<[bool]>::to_vec);
        let row = &mut map.free[y * width..(y + 1) * width];
        for (free, columns) in row.iter_mut().zip(rock.windows(3)) {
            *free = columns.iter().sum::<u8>() < MAJORITY;
        }
        above = std::mem::replace(&mut current, next.unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Diagonals;
    use crate::oracle::regions;

    #[test]
    fn random_maps_have_the_exact_share() {
        for (percent, blocked) in [(0, 0), (1, 15), (33, 513), (99, 1539), (100, 1555)] {
            let mut map = PlainMap::new(5, 311, true);
            draw_random(&mut map, percent, &mut SplitMix64::new(8));
            let found = map.free.iter().filter(|&&free| !free).count();
            assert_eq!(found, blocked, "{percent}%");
        }
    }

    #[test]
    fn random_maps_spread_their_cells() {
        let mut map = PlainMap::new(100, 100, true);
        draw_random(&mut map, 30, &mut SplitMix64::new(8));
        for rows in map.free.chunks(2500) {
            let blocked = rows.iter().filter(|&&free| !free).count();
            assert!((650..850).contains(&blocked), "{blocked}");
        }
    }

    /// The automaton written the obvious way.
    fn smoothed(map: &PlainMap) -> PlainMap {
        let mut next = map.clone();
        for index in 0..map.free.len() {
            let (x, y) = (map.point(index).0 as isize, map.point(index).1 as isize);
            let nine = (y - 1..=y + 1).flat_map(|y| (x - 1..=x + 1).map(move |x| (x, y)));
            next.free[index] = nine.filter(|&(x, y)| !map.is_free(x, y)).count() < 5;
        }
        next
    }

    #[test]
    fn smoothing_follows_the_majority() {
        for (width, height) in [(1, 1), (1, 6), (6, 1), (2, 2), (13, 9)] {
            let mut map = PlainMap::new(width, height, true);
            draw_random(&mut map, 40, &mut SplitMix64::new(2));
            let expected = smoothed(&map);
            smooth(&mut map);
            assert_eq!(map, expected);
        }
    }

    #[test]
    fn caves_are_one_region_of_decent_size() {
        for seed in 0..5 {
            let mut map = PlainMap::new(80, 60, true);
            draw_caves(&mut map, 45, 5, &mut SplitMix64::new(seed));
            assert_eq!(regions(&map, Diagonals::None).0, 1);
            let free = map.free_points().len();
            assert!((1600..3800).contains(&free), "{free} of 4800 free");
        }
    }

    #[test]
    fn tiny_caves_have_room_for_one() {
        let mut map = PlainMap::new(2, 1, true);
        draw_caves(&mut map, 60, 5, &mut SplitMix64::new(1));
        assert_eq!(map.free_points(), [(1, 0)]);
    }
}
