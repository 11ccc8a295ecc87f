//! Maps on a lattice: mazes and rooms.
//!
//! Both are a grid of places (corridor pieces or rooms) joined along a random
//! spanning tree, so that every place is reached; rooms get further doors. The
//! tree is that of a depth-first walk, which makes long winding ways. Each
//! place remembers in one byte where the walk came from, so no stack is needed
//! and the largest maze costs a byte for each place. Uses `canvas`, `regions`.

use super::canvas::{Area, fill, set};
use super::regions::{Heading, Link};
use crate::map::PlainMap;
use crate::random::SplitMix64;

/// How often two neighbouring rooms have a door that the tree does not need.
const EXTRA_DOOR_PERCENT: u32 = 35;

/// How a random depth-first walk first came to each place of a grid.
fn spanning_tree(columns: usize, rows: usize, random: &mut SplitMix64) -> Vec<Link> {
    let mut links = vec![Link::Unseen; columns * rows];
    let mut place = random.below(links.len());
    links[place] = Link::Root;
    loop {
        let mut ways = [(Heading::North, 0); 4];
        let mut count = 0;
        for heading in Heading::ALL {
            match heading.step(place, columns, rows) {
                Some(next) if links[next] == Link::Unseen => {
                    ways[count] = (heading, next);
                    count += 1;
                }
                _ => {}
            }
        }
        if count > 0 {
            let (heading, next) = ways[random.below(count)];
            links[next] = Link::Came(heading);
            place = next;
            continue;
        }
        let Link::Came(heading) = links[place] else {
            return links;
        };
        place = heading.opposite().step(place, columns, rows).expect("the walk came from there");
    }
}

/// Places along one side of a maze.
struct Axis {
    count: usize,
    /// Where the first place begins; what does not fit is border.
    offset: usize,
    corridor: usize,
    pitch: usize,
}

impl Axis {
    fn along(side: usize, corridor: usize, wall: usize) -> Self {
        let pitch = corridor + wall;
        let count = (side.saturating_sub(wall) / pitch).max(1);
        let corridor = corridor.min(side);
        let used = (count - 1) * pitch + corridor;
        Self { count, offset: (side - used) / 2, corridor, pitch }
    }

    const fn span(&self, place: usize) -> (isize, isize) {
        let begin = self.offset + place * self.pitch;
        (begin as isize, (begin + self.corridor) as isize)
    }
}

/// A perfect maze, with a wall around it where the size allows one.
pub(super) fn draw_maze(map: &mut PlainMap, corridor: usize, wall: usize, random: &mut SplitMix64) {
    let across = Axis::along(map.width, corridor, wall);
    let down = Axis::along(map.height, corridor, wall);
    let links = spanning_tree(across.count, down.count, random);
    map.free.fill(false);
    let wall = wall as isize;
    for (place, link) in links.into_iter().enumerate() {
        let (left, right) = across.span(place % across.count);
        let (top, bottom) = down.span(place / across.count);
        let area = Area::new(left, top, right, bottom);
        // The piece itself and the opening in the wall it came through.
        let area = match link {
            Link::Came(Heading::North) => Area { bottom: bottom + wall, ..area },
            Link::Came(Heading::East) => Area { left: left - wall, ..area },
            Link::Came(Heading::South) => Area { top: top - wall, ..area },
            Link::Came(Heading::West) => Area { right: right + wall, ..area },
            Link::Root | Link::Unseen => area,
        };
        fill(map, area, true);
    }
}

/// Square rooms behind walls one cell thick, each with doors one cell wide. The
/// last rooms of a row or column may be cut short by the edge of the map.
pub(super) fn draw_rooms(map: &mut PlainMap, size: usize, random: &mut SplitMix64) {
    let pitch = size + 1;
    let (columns, rows) = (map.width.div_ceil(pitch), map.height.div_ceil(pitch));
    let links = spanning_tree(columns, rows, random);
    let Area { right, bottom, .. } = Area::whole(map);
    for wall in (size..map.width).step_by(pitch) {
        fill(map, Area::sized(wall as isize, 0, 1, bottom), false);
    }
    for wall in (size..map.height).step_by(pitch) {
        fill(map, Area::sized(0, wall as isize, right, 1), false);
    }
    for room in 0..links.len() {
        for heading in [Heading::East, Heading::South] {
            let Some(next) = heading.step(room, columns, rows) else {
                continue;
            };
            let in_tree = links[next] == Link::Came(heading) || links[room] == Link::Came(heading.opposite());
            if in_tree || random.chance(EXTRA_DOOR_PERCENT) {
                let corner = (room % columns * pitch, room / columns * pitch);
                open_door(map, corner, size, heading, random);
            }
        }
    }
}

/// Opens the wall at the east or south of the room at `corner`.
fn open_door(
    map: &mut PlainMap,
    (left, top): (usize, usize),
    size: usize,
    heading: Heading,
    random: &mut SplitMix64,
) {
    let (x, y) = if heading == Heading::East {
        (left + size, top + random.below(size.min(map.height - top)))
    } else {
        (left + random.below(size.min(map.width - left)), top + size)
    };
    set(map, x as isize, y as isize, true);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Diagonals;
    use crate::oracle::regions;

    fn maze(width: usize, height: usize, corridor: usize, wall: usize, seed: u64) -> PlainMap {
        let mut map = PlainMap::new(width, height, true);
        draw_maze(&mut map, corridor, wall, &mut SplitMix64::new(seed));
        map
    }

    #[test]
    fn trees_reach_every_place_once() {
        for (columns, rows) in [(1, 1), (1, 9), (9, 1), (7, 5)] {
            let links = spanning_tree(columns, rows, &mut SplitMix64::new(3));
            let roots = links.iter().filter(|&&link| link == Link::Root).count();
            assert_eq!(roots, 1);
            assert!(!links.contains(&Link::Unseen));
        }
    }

    /// In a perfect maze of thin corridors and walls, the free cells and the
    /// steps between them form a tree.
    #[test]
    fn mazes_have_one_region_and_no_loops() {
        for seed in 0..5 {
            let map = maze(41, 31, 1, 1, seed);
            assert_eq!(regions(&map, Diagonals::None).0, 1);
            let cells = map.free_points();
            let right = |&&(x, y): &&(usize, usize)| map.is_free_at((x + 1, y));
            let down = |&&(x, y): &&(usize, usize)| map.is_free_at((x, y + 1));
            let steps = cells.iter().filter(right).count() + cells.iter().filter(down).count();
            assert_eq!(steps + 1, cells.len());
            assert_eq!(cells.len(), 2 * 20 * 15 - 1);
        }
    }

    #[test]
    fn corridors_and_walls_have_their_thickness() {
        // Two places of three cells with walls of two, and two cells of border left over.
        let map = maze(14, 7, 3, 2, 1);
        let row = "###........###\n";
        assert_eq!(
            map.to_ascii(),
            ["##############\n".repeat(2), row.repeat(3), "##############\n".repeat(2)].concat()
        );
    }

    #[test]
    fn mazes_fit_any_size() {
        for (width, height) in [(1, 1), (1, 8), (2, 2), (3, 9), (5, 4), (17, 6)] {
            for (corridor, wall) in [(1, 1), (2, 3), (3, 1), (50, 50)] {
                let map = maze(width, height, corridor, wall, 5);
                assert_eq!(regions(&map, Diagonals::None).0, 1, "{map:?}");
            }
        }
    }

    #[test]
    fn rooms_are_all_reached_through_doors() {
        for (width, height, size) in [(1, 1, 1), (9, 1, 2), (10, 10, 3), (60, 40, 8), (33, 20, 1)] {
            let mut map = PlainMap::new(width, height, true);
            draw_rooms(&mut map, size, &mut SplitMix64::new(4));
            assert_eq!(regions(&map, Diagonals::None).0, 1, "{map:?}");
        }
    }

    #[test]
    fn rooms_keep_walls_with_few_doors() {
        let mut map = PlainMap::new(53, 53, true);
        draw_rooms(&mut map, 8, &mut SplitMix64::new(4));
        let wall = |index: &usize| index % 53 % 9 == 8 || index / 53 % 9 == 8;
        let (walls, doors): (Vec<_>, Vec<_>) =
            (0..map.free.len()).filter(wall).partition(|&index| !map.free[index]);
        assert!(doors.len() >= 35 && doors.len() <= 60, "{} doors", doors.len());
        assert!(walls.len() > 450);
        assert!((0..map.free.len()).filter(|index| !wall(index)).all(|index| map.free[index]));
    }
}
