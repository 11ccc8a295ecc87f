//! Makes one region of many.
//!
//! A map with walled-off pockets is a poor benchmark and a poor game. Starting
//! from the largest region, a breadth-first search digs outwards through rock;
//! each region it meets is joined by the shortest tunnel back. Regions too small
//! to matter are filled in before. Everything here moves straight only, so that the
//! result is connected under every diagonal rule. Uses nothing of its siblings.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::ops::Range;

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
    let runs = Runs::of(map);
    let Some(largest) = runs.largest() else {
        return;
    };
    let mut others = 0;
    for (run, &root) in runs.roots.iter().enumerate() {
        let small = (runs.sizes[root as usize] as usize) < smallest;
        if root != largest && small {
            map.free[runs.cells(run)].fill(false);
        } else if root != largest && root as usize == run {
            others += 1;
        }
    }
    // Most maps are done here, and the search would visit all their rock.
    if others > 0 {
        join_others(map, &runs, largest, others);
    }
}

/// Digs outwards from the largest region until all others are joined to it.
fn join_others(map: &mut PlainMap, runs: &Runs, largest: u32, mut others: usize) {
    let mut search = Search { links: vec![Link::Unseen; map.free.len()], queue: VecDeque::new() };
    for (run, _) in runs.roots.iter().enumerate().filter(|&(_, &root)| root == largest) {
        search.links[runs.cells(run)].fill(Link::Root);
        search.dig_from(map, runs.cells(run));
    }
    while let Some(from) = search.queue.pop_front() {
        for (heading, to) in around(map, from as usize) {
            if search.links[to] != Link::Unseen {
                continue;
            }
            if map.free[to] {
                search.join(map, from as usize, to);
                others -= 1;
            } else {
                search.links[to] = Link::Came(heading);
                search.queue.push_back(to as u32);
            }
        }
        if others == 0 {
            return;
        }
    }
}

/// All free cells as runs within their rows, in order, each with its region.
/// Region by region flooding took several times as long on maps of 10⁸ cells.
///
/// # Invariants
///
/// 1. Run `r` is the cells `ends[r].0..ends[r].1`; runs do not touch within a row.
/// 2. `roots[r]` is the first run of the region of `r`.
/// 3. `sizes[r]` is the cells of the region if `r` is its first run.
struct Runs {
    ends: Vec<(u32, u32)>,
    roots: Vec<u32>,
    sizes: Vec<u32>,
}

impl Runs {
    fn of(map: &PlainMap) -> Self {
        let mut runs = Self { ends: Vec::new(), roots: Vec::new(), sizes: Vec::new() };
        let mut above = 0..0;
        for y in 0..map.height {
            let first = runs.ends.len();
            runs.add_row(map, y * map.width);
            runs.unite_rows(above, first, map.width as u32);
            above = first..runs.ends.len();
        }
        runs.settle();
        runs
    }

    /// Appends the runs of the row that begins at the given cell.
    fn add_row(&mut self, map: &PlainMap, row: usize) {
        let mut begin = row;
        for part in map.free[row..row + map.width].chunk_by(|one, next| one == next) {
            let end = begin + part.len();
            if part[0] {
                self.roots.push(self.ends.len() as u32);
                self.ends.push((begin as u32, end as u32));
            }
            begin = end;
        }
    }

    /// Unites the runs of one row with those that touch them in the next.
    fn unite_rows(&mut self, above: Range<usize>, first: usize, width: u32) {
        let (mut upper, mut lower) = (above.start, first);
        while upper < above.end && lower < self.ends.len() {
            let (one, other) = (self.ends[upper], self.ends[lower]);
            let (begin, end) = (one.0 + width, one.1 + width);
            if begin < other.1 && other.0 < end {
                self.unite(upper, lower);
            }
            if end < other.1 {
                upper += 1;
            } else {
                lower += 1;
            }
        }
    }

    fn unite(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.roots[one.max(other)] = one.min(other) as u32;
    }

    /// The first run of a region as far as it is known, halving the way there
    /// for those who ask next.
    fn root(&mut self, mut run: usize) -> usize {
        while self.roots[run] as usize != run {
            self.roots[run] = self.roots[self.roots[run] as usize];
            run = self.roots[run] as usize;
        }
        run
    }

    /// Makes (2) and (3) true once all runs are known.
    fn settle(&mut self) {
        self.sizes = vec![0; self.ends.len()];
        for run in 0..self.ends.len() {
            let root = self.root(run);
            self.roots[run] = root as u32;
            self.sizes[root] += self.ends[run].1 - self.ends[run].0;
        }
    }

    /// The first run of the largest region; of equals, the first.
    fn largest(&self) -> Option<u32> {
        let size = |run: &usize| (self.sizes[*run], Reverse(*run));
        (0..self.sizes.len()).max_by_key(size).map(|run| run as u32)
    }

    fn cells(&self, run: usize) -> Range<usize> {
        self.ends[run].0 as usize..self.ends[run].1 as usize
    }
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

    /// Continues the search from those of the given cells that touch rock.
    fn dig_from(&mut self, map: &PlainMap, cells: impl Iterator<Item = usize>) {
        let at_edge = |&cell: &usize| around(map, cell).any(|(_, next)| !map.free[next]);
        self.queue.extend(cells.filter(at_edge).map(|cell| cell as u32));
    }

    /// Joins the region of `to`, one step from `from`, and searches on from it.
    fn join(&mut self, map: &mut PlainMap, from: usize, to: usize) {
        let region = self.flood(map, to);
        self.tunnel_back(map, from);
        self.dig_from(map, region.into_iter().map(|cell| cell as usize));
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

    /// Runs meet from above, from below, and around a hook.
    #[test]
    fn runs_find_the_regions_of_the_oracle() {
        let mut random = crate::random::SplitMix64::new(31);
        for _ in 0..200 {
            let mut map = PlainMap::new(random.between(1, 12), random.between(1, 12), true);
            map.free.iter_mut().for_each(|free| *free = !random.chance(40));
            let (count, labels) = crate::oracle::regions(&map, crate::map::Diagonals::None);
            let runs = Runs::of(&map);
            let mut firsts = Vec::new();
            for (run, &root) in runs.roots.iter().enumerate() {
                if root as usize == run {
                    firsts.push(root);
                }
                for cell in runs.cells(run) {
                    let label = labels[cell].expect("runs are free");
                    assert_eq!(firsts[label as usize], root, "{map:?}");
                }
            }
            assert_eq!(firsts.len(), count as usize);
            let sizes: u32 = firsts.iter().map(|&first| runs.sizes[first as usize]).sum();
            assert_eq!(sizes as usize, map.free_points().len());
        }
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
