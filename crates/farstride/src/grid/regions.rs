//! Connected regions, kept true by edits.
//!
//! The map is cut into blocks of 8 × 8 cells, a word of bits each. Inside a
//! block, the cells fall into *parts* that are connected within the block;
//! nearly all blocks have none or one. Only parts carry a region, so a map of
//! 10⁸ cells needs a few megabytes, and a cell's part is found again by
//! flooding one word. Regions are joined in a union-find forest.
//!
//! Freeing cells only joins regions. Blocking cells may cut one in two: the
//! parts around the change are then followed outwards in turn, until they meet
//! or until all but one of them have been walked completely.

use super::Diagonals;
use super::bits::Bits;
use crate::base::Cell;
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

/// A region's number: arbitrary, and known to be the same region only after
/// [`Forest::root`].
type RegionId = u32;

/// Label of a block without free cells.
const EMPTY: u32 = u32::MAX;
/// Marks the label of a block with several parts: the rest is where their
/// regions start in the pool. Other labels are the region of the only part.
const SEVERAL: u32 = 1 << 31;
/// Leftmost column of a block.
const LEFT: u64 = 0x0101_0101_0101_0101;
/// Rightmost column of a block.
const RIGHT: u64 = LEFT << 7;
/// Walks may look at one block in this many, and at a few more on small maps,
/// before the regions are found afresh instead.
const WALK_SHARE: usize = 8;
const WALK_STEPS: usize = 256;
/// Numbers that edits may waste before the regions are numbered afresh.
const SPARE_NUMBERS: usize = 1 << 16;

/// The regions of a map.
///
/// # Invariants
///
/// 1. `labels` has one entry per block; it is [`EMPTY`] exactly if the block
///    has no free cell, and points into `pool` exactly if it has several parts.
/// 2. Two parts have the same root in `forest` exactly if a route joins them.
/// 3. `count` is the number of roots that parts have.
#[derive(Clone)]
pub(super) struct Regions {
    eight: bool,
    wide: usize,
    labels: Vec<u32>, // (1)
    pool: Pool,       // (1)
    forest: Forest,   // (2)
    count: usize,     // (3)
}

/// A part: its block, and which part of the block it is, by lowest cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Part {
    block: usize,
    rank: usize,
}

impl Regions {
    /// Finds the regions of a map. O(blocks).
    pub(super) fn build(bits: &Bits, diagonals: Diagonals) -> Self {
        let blocks = bits.blocks_wide() * bits.blocks_high();
        let mut regions = Self {
            // Strict and one-side diagonals only lead where two straight
            // steps lead as well.
            eight: diagonals == Diagonals::Free,
            wide: bits.blocks_wide(),
            labels: vec![EMPTY; blocks],
            pool: Pool::default(),
            forest: Forest::default(),
            count: 0,
        };
        for block in 0..blocks {
            let parts = regions.parts(bits.block(block)).count();
            let fresh: Vec<_> = (0..parts).map(|_| regions.found()).collect();
            regions.store(block, &fresh);
            // Blocks further on join themselves to this one.
            for (neighbour, dx, dy) in regions.neighbours(block).filter(|n| n.0 < block) {
                regions.join_blocks(bits, block, neighbour, dx, dy);
            }
        }
        regions.renumber(bits);
        regions
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Whether two free cells are in one region.
    pub(super) fn connected(&self, bits: &Bits, a: Cell, b: Cell) -> bool {
        self.region(bits, a) == self.region(bits, b)
    }

    /// Root of the region of a free cell.
    fn region(&self, bits: &Bits, cell: Cell) -> Option<RegionId> {
        let (block, bit) = bits.block_of(cell);
        let label = self.labels[block];
        if label == EMPTY {
            return None;
        }
        if label & SEVERAL == 0 {
            return Some(self.forest.root(label));
        }
        let rank = self.parts(bits.block(block)).position(|part| part >> bit & 1 != 0)?;
        Some(self.root(Part { block, rank }))
    }

    /// Follows an edit: `changed` lists the blocks that look different now,
    /// with what they were.
    pub(super) fn update(&mut self, bits: &Bits, diagonals: Diagonals, changed: &[(usize, u64)]) {
        let wasted = self.forest.len() > 2 * self.count + SPARE_NUMBERS;
        if wasted || changed.len() * 4 > self.labels.len() {
            *self = Self::build(bits, diagonals);
            return;
        }
        let mut cut = Vec::new();
        for &(block, before) in changed {
            self.relabel(block, before, bits.block(block), &mut cut);
        }
        for &(block, _) in changed {
            for (neighbour, dx, dy) in self.neighbours(block).collect::<Vec<_>>() {
                self.join_blocks(bits, block, neighbour, dx, dy);
            }
        }
        if !self.divide(bits, changed, cut) {
            *self = Self::build(bits, diagonals);
        }
    }

    /// Gives the parts of a changed block the regions of the cells that they
    /// kept; the regions that lost cells are added to `cut`.
    fn relabel(&mut self, block: usize, before: u64, after: u64, cut: &mut Vec<RegionId>) {
        let old: Vec<(u64, RegionId)> = self
            .parts(before)
            .enumerate()
            .map(|(rank, part)| (part, self.root(Part { block, rank })))
            .collect();
        cut.extend(old.iter().filter(|(part, _)| part & !after != 0).map(|&(_, region)| region));
        self.pool.release(self.labels[block], old.len());
        let mut regions = Vec::new();
        for part in self.parts(after) {
            let mut kept = old.iter().filter(|(cells, _)| cells & part != 0);
            let region = match kept.next() {
                Some(&(_, first)) => kept.fold(first, |joined, &(_, other)| self.join(joined, other)),
                None => self.found(),
            };
            regions.push(region);
        }
        self.store(block, &regions);
    }

    /// Finds out which of the regions in `cut` fell apart; `false` if that
    /// would take longer than to find all regions afresh.
    fn divide(&mut self, bits: &Bits, changed: &[(usize, u64)], cut: Vec<RegionId>) -> bool {
        let mut cut: Vec<_> = cut.into_iter().map(|region| self.forest.root(region)).collect();
        cut.sort_unstable();
        cut.dedup();
        if cut.is_empty() {
            return true;
        }
        // Every piece of a cut region touches a cell that was blocked.
        let mut near: Vec<usize> = changed
            .iter()
            .flat_map(|&(block, _)| self.surroundings(block).map(|(near, ..)| near).chain([block]))
            .collect();
        near.sort_unstable();
        near.dedup();
        let mut pieces = vec![Vec::new(); cut.len()];
        for block in near {
            for rank in 0..self.parts(bits.block(block)).count() {
                let part = Part { block, rank };
                if let Ok(which) = cut.binary_search(&self.root(part)) {
                    pieces[which].push(part);
                }
            }
        }
        // A step of a walk takes several times as long as a block of a build.
        let mut steps = self.labels.len() / WALK_SHARE + WALK_STEPS;
        for seeds in pieces {
            if seeds.is_empty() {
                self.count -= 1; // its last cell was blocked
            } else if !self.separate(bits, &seeds, &mut steps) {
                return false;
            }
        }
        true
    }

    /// Walks outwards from parts of what was one region, a step each in turn.
    /// Walks that meet are one region still; one that ends before it has met
    /// the others is a region of its own. `false` if `steps` do not suffice.
    fn separate(&mut self, bits: &Bits, seeds: &[Part], steps: &mut usize) -> bool {
        let mut walks = Walks::new(seeds);
        while walks.running > 1 {
            let Some(left) = steps.checked_sub(1) else { return false };
            *steps = left;
            let Some(current) = walks.take_turn() else { break };
            if let Some(part) = walks.step(current) {
                self.for_each_touching(bits, part, |next| walks.reach(current, next));
                walks.end_turn(current);
            } else {
                let region = self.found();
                for part in walks.end(current) {
                    self.assign(part, region);
                }
            }
        }
        true
    }

    /// Calls `visit` with the parts of other blocks that a part touches.
    fn for_each_touching(&self, bits: &Bits, part: Part, mut visit: impl FnMut(Part)) {
        let Some(cells) = self.parts(bits.block(part.block)).nth(part.rank) else {
            return;
        };
        for (block, dx, dy) in self.neighbours(part.block) {
            let reached = self.spill(cells, dx, dy);
            if reached == 0 {
                continue;
            }
            for (rank, other) in self.parts(bits.block(block)).enumerate() {
                if other & reached != 0 {
                    visit(Part { block, rank });
                }
            }
        }
    }

    /// Joins the regions of parts that touch across the border of two blocks.
    fn join_blocks(&mut self, bits: &Bits, block: usize, neighbour: usize, dx: isize, dy: isize) {
        let there = bits.block(neighbour);
        for (rank, cells) in self.parts(bits.block(block)).enumerate() {
            let reached = self.spill(cells, dx, dy) & there;
            if reached == 0 {
                continue;
            }
            for (other, cells) in self.parts(there).enumerate() {
                if cells & reached != 0 {
                    let here = self.root(Part { block, rank });
                    let there = self.root(Part { block: neighbour, rank: other });
                    self.join(here, there);
                }
            }
        }
    }

    /// Cells of the neighbouring block at `(dx, dy)` that are one step away
    /// from `cells`.
    fn spill(&self, cells: u64, dx: isize, dy: isize) -> u64 {
        let across = match dx {
            1 => (cells & RIGHT) >> 7,
            -1 => (cells & LEFT) << 7,
            _ if self.eight => cells | (cells & !RIGHT) << 1 | (cells & !LEFT) >> 1,
            _ => cells,
        };
        match dy {
            1 => across >> 56,
            -1 => across << 56,
            _ if self.eight => across | across << 8 | across >> 8,
            _ => across,
        }
    }

    /// The parts of a block, by lowest cell.
    fn parts(&self, block: u64) -> impl Iterator<Item = u64> + use<> {
        let eight = self.eight;
        let mut left = block;
        std::iter::from_fn(move || {
            let seed = left & left.wrapping_neg();
            let part = flood(seed, left, eight);
            left &= !part;
            (part != 0).then_some(part)
        })
    }

    /// Blocks that cells of `block` can step into, with their direction.
    fn neighbours(&self, block: usize) -> impl Iterator<Item = (usize, isize, isize)> + use<> {
        let eight = self.eight;
        self.surroundings(block).filter(move |&(_, dx, dy)| eight || dx == 0 || dy == 0)
    }

    /// The up to eight blocks around `block`, with their direction.
    fn surroundings(&self, block: usize) -> impl Iterator<Item = (usize, isize, isize)> + use<> {
        let wide = self.wide;
        let high = self.labels.len() / wide;
        let (column, row) = (block % wide, block / wide);
        (0..9).filter(|&step| step != 4).filter_map(move |step| {
            let (dx, dy) = (step % 3 - 1, step / 3 - 1);
            let x = column.checked_add_signed(dx).filter(|&x| x < wide)?;
            let y = row.checked_add_signed(dy).filter(|&y| y < high)?;
            Some((y * wide + x, dx, dy))
        })
    }

    fn slot(&mut self, part: Part) -> &mut RegionId {
        let label = self.labels[part.block];
        if label & SEVERAL == 0 {
            &mut self.labels[part.block]
        } else {
            &mut self.pool.regions[(label & !SEVERAL) as usize + part.rank]
        }
    }

    fn root(&self, part: Part) -> RegionId {
        let label = self.labels[part.block];
        let region = if label & SEVERAL == 0 {
            label
        } else {
            self.pool.regions[(label & !SEVERAL) as usize + part.rank]
        };
        self.forest.root(region)
    }

    fn assign(&mut self, part: Part, region: RegionId) {
        *self.slot(part) = region;
    }

    /// Stores the regions of a block's parts.
    fn store(&mut self, block: usize, regions: &[RegionId]) {
        self.labels[block] = match regions {
            [] => EMPTY,
            &[only] => only,
            several => SEVERAL | self.pool.store(several),
        };
    }

    /// A new region without parts.
    fn found(&mut self) -> RegionId {
        self.count += 1;
        self.forest.plant()
    }

    fn join(&mut self, a: RegionId, b: RegionId) -> RegionId {
        let (a, b) = (self.forest.root(a), self.forest.root(b));
        if a != b {
            self.count -= 1;
            self.forest.join(a, b);
        }
        self.forest.root(a)
    }

    /// Numbers the regions afresh, in the order of their first cells.
    fn renumber(&mut self, bits: &Bits) {
        let mut numbers = vec![EMPTY; self.forest.len()];
        let mut forest = Forest::default();
        for block in 0..self.labels.len() {
            if self.labels[block] == EMPTY {
                continue;
            }
            for rank in 0..self.parts(bits.block(block)).count() {
                let part = Part { block, rank };
                let number = &mut numbers[self.root(part) as usize];
                if *number == EMPTY {
                    *number = forest.plant();
                }
                let number = *number;
                self.assign(part, number);
            }
        }
        forest.parents.shrink_to_fit();
        forest.ranks.shrink_to_fit();
        self.forest = forest;
        self.pool.regions.shrink_to_fit();
    }

    pub(super) fn memory_bytes(&self) -> usize {
        4 * self.labels.capacity() + self.pool.memory_bytes() + self.forest.memory_bytes()
    }

    /// Proves the invariants against a fresh build.
    pub(super) fn check(&self, bits: &Bits, diagonals: Diagonals) -> Result<(), String> {
        let fresh = Self::build(bits, diagonals);
        if fresh.count != self.count {
            return Err(format!("{} regions, {} counted", fresh.count, self.count));
        }
        let mut names = HashMap::new();
        for block in 0..self.labels.len() {
            if (self.labels[block] == EMPTY) != (fresh.labels[block] == EMPTY) {
                return Err(format!("block {block} has the wrong label"));
            }
            for rank in 0..self.parts(bits.block(block)).count() {
                let part = Part { block, rank };
                let expected = fresh.root(part);
                if *names.entry(self.root(part)).or_insert(expected) != expected {
                    return Err(format!("block {block} joins regions that are apart"));
                }
            }
        }
        if names.len() == self.count { Ok(()) } else { Err("a region has two names".to_owned()) }
    }
}

/// Searches for the extent of a region that run side by side.
struct Walks {
    owners: HashMap<Part, usize, BuildHasherDefault<PartHasher>>,
    extents: Vec<Walk>,
    /// The walk that each walk was merged into; itself while it runs.
    merged: Vec<usize>,
    /// Walks in the order of their turns; those that were merged or ended are
    /// dropped when their turn comes.
    turns: VecDeque<usize>,
    running: usize,
}

/// Spreads block numbers by one multiplication. The numbers are dense and
/// their count bounded by the steps of a walk, so that the default hasher's
/// defence against chosen keys would be paid for nothing.
#[derive(Default)]
struct PartHasher(u64);

impl Hasher for PartHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_usize(byte.into());
        }
    }

    fn write_usize(&mut self, number: usize) {
        // Knuth's multiplier; the map looks at the upper and the lower bits.
        let spread = (self.0 ^ number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = spread ^ spread >> 32;
    }
}

#[derive(Default)]
struct Walk {
    frontier: VecDeque<Part>,
    seen: Vec<Part>,
}

impl Walks {
    fn new(seeds: &[Part]) -> Self {
        Self {
            owners: seeds.iter().enumerate().map(|(walk, &seed)| (seed, walk)).collect(),
            extents: seeds.iter().map(|&seed| Walk { frontier: [seed].into(), seen: vec![seed] }).collect(),
            merged: (0..seeds.len()).collect(),
            turns: (0..seeds.len()).collect(),
            running: seeds.len(),
        }
    }

    /// The walk whose turn it is; it takes part again after `end_turn`.
    fn take_turn(&mut self) -> Option<usize> {
        let merged = &self.merged;
        std::iter::from_fn(|| self.turns.pop_front()).find(|&walk| merged[walk] == walk)
    }

    fn end_turn(&mut self, walk: usize) {
        self.turns.push_back(walk);
    }

    /// The next part to look at, or `None` if the walk has seen all it can.
    fn step(&mut self, walk: usize) -> Option<Part> {
        self.extents[walk].frontier.pop_front()
    }

    /// Notes that `walk` came to `part`: new ground, or another walk's.
    fn reach(&mut self, walk: usize, part: Part) {
        match self.owners.get(&part) {
            None => {
                self.owners.insert(part, walk);
                self.extents[walk].frontier.push_back(part);
                self.extents[walk].seen.push(part);
            }
            Some(&owner) => self.merge(walk, owner),
        }
    }

    /// Merges the walk that `other` belongs to into the one of `walk`.
    fn merge(&mut self, walk: usize, other: usize) {
        let (walk, other) = (self.last(walk), self.last(other));
        if other != walk {
            self.merged[other] = walk;
            self.running -= 1;
            let mut other = std::mem::take(&mut self.extents[other]);
            let walk = &mut self.extents[walk];
            if other.seen.len() > walk.seen.len() {
                std::mem::swap(walk, &mut other);
            }
            walk.frontier.extend(other.frontier);
            walk.seen.extend(other.seen);
        }
    }

    /// The walk that a walk was merged into at last.
    fn last(&self, mut walk: usize) -> usize {
        while self.merged[walk] != walk {
            walk = self.merged[walk];
        }
        walk
    }

    /// Everything that a finished walk has seen.
    fn end(&mut self, walk: usize) -> Vec<Part> {
        self.running -= 1;
        std::mem::take(&mut self.extents[walk].seen)
    }
}

/// All cells of `within` that are connected with `seed` inside the block.
fn flood(seed: u64, within: u64, eight: bool) -> u64 {
    if within == u64::MAX {
        return within; // open ground, by far the most common
    }
    let mut reached = seed;
    loop {
        let across = reached | (reached & !RIGHT) << 1 | (reached & !LEFT) >> 1;
        let base = if eight { across } else { reached };
        let next = (across | base << 8 | base >> 8) & within;
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

/// Parts that a block of 64 cells can have at most: every other cell.
const MOST_PARTS: usize = 32;

/// Regions of blocks with several parts, one stretch per block; stretches
/// that are given up are used again for blocks with as many parts.
#[derive(Clone, Default)]
struct Pool {
    regions: Vec<RegionId>,
    /// Where free stretches start, by their length less one.
    free: [Vec<u32>; MOST_PARTS],
}

impl Pool {
    /// Stores two or more regions; where they start.
    fn store(&mut self, regions: &[RegionId]) -> u32 {
        if let Some(start) = self.free[regions.len() - 1].pop() {
            self.regions[start as usize..][..regions.len()].copy_from_slice(regions);
            return start;
        }
        let start = self.regions.len() as u32;
        self.regions.extend_from_slice(regions);
        start
    }

    /// Gives back what a block's label points to, if anything.
    fn release(&mut self, label: u32, parts: usize) {
        if parts > 1 {
            self.free[parts - 1].push(label & !SEVERAL);
        }
    }

    fn memory_bytes(&self) -> usize {
        4 * (self.regions.capacity() + self.free.iter().map(Vec::capacity).sum::<usize>())
    }
}

/// Union-find over region numbers, by rank. Look-ups do not compress, so that
/// they can be shared between threads; union by rank alone keeps them
/// logarithmic, and they are almost always one step.
#[derive(Clone, Default)]
struct Forest {
    parents: Vec<RegionId>,
    ranks: Vec<u8>,
}

impl Forest {
    fn len(&self) -> usize {
        self.parents.len()
    }

    fn plant(&mut self) -> RegionId {
        let region = self.parents.len() as u32;
        self.parents.push(region);
        self.ranks.push(0);
        region
    }

    fn root(&self, mut region: RegionId) -> RegionId {
        while self.parents[region as usize] != region {
            region = self.parents[region as usize];
        }
        region
    }

    /// Joins two different roots.
    fn join(&mut self, a: RegionId, b: RegionId) {
        let (low, high) = if self.ranks[a as usize] < self.ranks[b as usize] { (a, b) } else { (b, a) };
        self.parents[low as usize] = high;
        if self.ranks[low as usize] == self.ranks[high as usize] {
            self.ranks[high as usize] += 1;
        }
    }

    fn memory_bytes(&self) -> usize {
        self.parents.capacity() * 4 + self.ranks.capacity()
    }
}

#[cfg(test)]
mod tests {
    use crate::base::{Cell, Rect};
    use crate::grid::{Diagonals, Grid, Rules};

    fn ring(side: u16) -> Grid {
        let inside = 1..side - 1;
        Grid::from_fn(side.into(), side.into(), |cell| {
            !(inside.contains(&cell.x) && inside.contains(&cell.y))
        })
        .unwrap()
    }

    #[test]
    fn a_ring_is_cut_only_by_the_second_wall() {
        let mut grid = ring(100);
        assert_eq!(grid.region_count(), 1);
        grid.block(Cell::new(50, 0)).unwrap();
        assert_eq!(grid.region_count(), 1);
        assert!(grid.is_connected(Cell::new(49, 0), Cell::new(51, 0)));
        grid.block(Cell::new(50, 99)).unwrap();
        assert_eq!(grid.region_count(), 2);
        assert!(!grid.is_connected(Cell::new(49, 0), Cell::new(51, 0)));
        grid.free(Cell::new(50, 99)).unwrap();
        assert_eq!(grid.region_count(), 1);
        grid.check().unwrap();
    }

    #[test]
    fn long_walks_end_in_a_fresh_build() {
        let mut grid = Grid::from_fn(2000, 600, |cell| cell.x != 1000 || cell.y == 300).unwrap();
        let door = Cell::new(1000, 300);
        for _ in 0..2 {
            grid.block(door).unwrap();
            assert_eq!(grid.region_count(), 2);
            grid.check().unwrap();
            grid.free(door).unwrap();
            assert_eq!(grid.region_count(), 1);
        }
    }

    #[test]
    fn the_last_cell_of_a_region_takes_it_along() {
        let mut grid = Grid::from_ascii("\n.#.\n###\n.#.\n").unwrap();
        assert_eq!(grid.region_count(), 4);
        grid.block(Cell::new(2, 2)).unwrap();
        assert_eq!(grid.region_count(), 3);
        grid.check().unwrap();
    }

    #[test]
    fn only_the_free_rule_connects_through_corners() {
        let checkers = Grid::from_fn(40, 40, |cell| (cell.x + cell.y) % 2 == 0).unwrap();
        assert_eq!(checkers.region_count(), 800);
        let rules = Rules { diagonals: Diagonals::Free, ..Rules::default() };
        assert_eq!(checkers.with_rules(rules).region_count(), 1);
    }

    /// Rectangles of both kinds, thrown by a small congruential generator.
    #[test]
    fn regions_follow_random_edits() {
        for diagonals in [Diagonals::Strict, Diagonals::Free] {
            let mut grid = Grid::open(60, 45).unwrap().with_rules(Rules { diagonals, ..Rules::default() });
            let mut state = 1_u32;
            let mut next = |below: u16| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 16) as u16 % below
            };
            for _ in 0..1500 {
                let corner = Cell::new(next(60), next(45));
                let (wide, high) = (next(9), next(3));
                let other = Cell::new((corner.x + wide).min(59), (corner.y + high).min(44));
                let area = if wide % 2 == 0 { Rect::spanning(corner, other) } else { Rect::from(corner) };
                if next(5) < 3 { grid.block(area) } else { grid.free(area) }.unwrap();
                grid.check().unwrap();
            }
        }
    }
}
