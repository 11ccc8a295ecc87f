//! Makes one region of many.
//!
//! A map with walled-off pockets is a poor benchmark and a poor game. Starting
//! from the largest region, a breadth-first search digs outwards through rock;
//! each region it meets is joined by the shortest tunnel back, or filled in if
//! it is too small to matter. Everything here moves straight only, so that the
//! result is connected under every diagonal rule. Uses nothing of its siblings.

use std::collections::VecDeque;

use crate::map::PlainMap;

/// A straight direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heading {
    North,
    East,
    South,
    West,
}

impl Heading {
    pub(super) const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    pub(super) const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }

    /// The next cell that way in a row-major grid, if there is one.
    pub(super) const fn step(self, index: usize, width: usize, height: usize) -> Option<usize> {
        match self {
            Self::North if index >= width => Some(index - width),
            Self::East if index % width + 1 < width => Some(index + 1),
            Self::South if index + width < width * height => Some(index + width),
            Self::West if !index.is_multiple_of(width) => Some(index - 1),
            _ => None,
        }
    }
}

/// How a search came to a cell. One byte, because there may be 10⁸ of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    Unseen,
    /// Nothing lies before this cell.
    Root,
    /// The search came here by a step in this direction.
    Came(Heading),
}

/// The next cells around one, with the heading that leads there.
fn around(map: &PlainMap, index: usize) -> impl Iterator<Item = (Heading, usize)> + use<> {
    let (width, height) = (map.width, map.height);
    let step = move |heading: Heading| Some((heading, heading.step(index, width, height)?));
    Heading::ALL.into_iter().filter_map(step)
}

/// Joins all regions of at least `smallest` cells to the largest one by tunnels
/// and fills in the others. A map without free cells stays as it is.
pub(super) fn connect(map: &mut PlainMap, smallest: usize) {
    let Some(seed) = largest_region(map) else {
        return;
    };
    let mut search = Search {
        links: vec![Link::Unseen; map.free.len()],
        queue: VecDeque::new(),
    };
    let region = search.flood(map, seed);
    search.dig_from(map, &region);
    drop(region);
    while let Some(from) = search.queue.pop_front() {
        for (heading, to) in around(map, from as usize) {
            if search.links[to] == Link::Unseen {
                search.reach(map, from as usize, heading, to, smallest);
            }
        }
    }
}

/// Any cell of the largest region.
fn largest_region(map: &PlainMap) -> Option<usize> {
    let mut search = Search {
        links: vec![Link::Unseen; map.free.len()],
        queue: VecDeque::new(),
    };
    let mut largest = None;
    for seed in 0..map.free.len() {
        if map.free[seed] && search.links[seed] == Link::Unseen {
            let size = search.flood(map, seed).len();
            if largest.is_none_or(|(most, _)| size > most) {
                largest = Some((size, seed));
            }
        }
    }
    largest.map(|(_, seed)| seed)
}

/// A search through rock. Cells are `u32`, which halves the memory of maps with
/// 10⁸ of them.
struct Search {
    links: Vec<Link>,
    queue: VecDeque<u32>,
}

impl Search {
    /// All cells of the region of `seed`, which become roots.
    fn flood(&mut self, map: &PlainMap, seed: usize) -> Vec<u32> {
        self.links[seed] = Link::Root;
        let mut region = vec![seed as u32];
        let mut done = 0;
        while let Some(&cell) = region.get(done) {
            done += 1;
            for (_, next) in around(map, cell as usize) {
                if map.free[next] && self.links[next] == Link::Unseen {
                    self.links[next] = Link::Root;
                    region.push(next as u32);
                }
            }
        }
        region
    }

    /// Continues the search from the cells at the edge of a region.
    fn dig_from(&mut self, map: &PlainMap, region: &[u32]) {
        let at_edge = |&cell: &u32| around(map, cell as usize).any(|(_, next)| !map.free[next]);
        self.queue.extend(region.iter().copied().filter(at_edge));
    }

    /// Handles a cell seen for the first time, one step from `from`.
    fn reach(
        &mut self,
        map: &mut PlainMap,
        from: usize,
        heading: Heading,
        to: usize,
        smallest: usize,
    ) {
        if map.free[to] {
            let region = self.flood(map, to);
            if region.len() >= smallest {
                self.tunnel_back(map, from);
                self.dig_from(map, &region);
                return;
            }
            for &cell in &region {
                map.free[cell as usize] = false;
                self.links[cell as usize] = Link::Unseen;
            }
        }
        self.links[to] = Link::Came(heading);
        self.queue.push_back(to as u32);
    }

    /// Frees the way by which the search came to a cell.
    fn tunnel_back(&mut self, map: &mut PlainMap, mut cell: usize) {
        while let Link::Came(heading) = self.links[cell] {
            map.free[cell] = true;
            self.links[cell] = Link::Root;
            let back = heading.opposite().step(cell, map.width, map.height);
            cell = back.expect("the search came from a cell on the map");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connected(text: &str, smallest: usize) -> String {
        let mut map = PlainMap::from_ascii(text);
        connect(&mut map, smallest);
        map.to_ascii()
    }

    #[test]
    fn large_regions_are_joined_by_the_shortest_tunnel() {
        let found = connected("...##..\n...##..\n...####", 4);
        assert_eq!(found, ".......\n...##..\n...####\n");
    }

    #[test]
    fn small_regions_are_filled_in() {
        assert_eq!(connected("..#.#\n..##.", 2), "..###\n..###\n");
    }

    #[test]
    fn tunnels_lead_through_filled_pockets() {
        assert_eq!(connected("...#.#..", 2), "........\n");
        assert_eq!(connected("...#.##", 2), "...####\n");
    }

    #[test]
    fn rock_stays_rock() {
        assert_eq!(connected("##\n##", 1), "##\n##\n");
    }

    #[test]
    fn links_take_one_byte() {
        assert_eq!(size_of::<Link>(), 1);
    }

    #[test]
    fn headings_stop_at_the_edges() {
        let ends = |index| Heading::ALL.map(|heading| heading.step(index, 3, 2));
        assert_eq!(ends(0), [None, Some(1), Some(3), None]);
        assert_eq!(ends(5), [Some(2), None, None, Some(4)]);
    }
}
