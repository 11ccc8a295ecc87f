//! Connected regions, updated by every edit.
//!
//! The map is divided into chunks of 8 × 8 cells, each one word of bits. The free
//! cells of a chunk form *patches*, each connected within the chunk; nearly all
//! chunks have none or one. Only patches store a region, so a map of 10⁸ cells
//! needs a few megabytes, and the patch of a cell is recomputed by flooding one
//! word. Regions are joined in a union-find forest.
//!
//! Freeing cells only joins regions. Blocking cells may cut one in two: then the
//! patches around the change are explored outwards in turn, until they meet or all
//! but one of them are fully explored. Exploring in turn bounds the work by the
//! smaller pieces, which are usually a few patches.

mod forest;
mod walks;

pub(super) use self::forest::Extent;
use self::forest::{Forest, Pool};
use self::walks::Walks;
use super::Diagonals;
use super::bits::Bits;
use crate::base::{Cell, Inconsistent};
use std::collections::HashMap;

/// A region's number. Numbers are arbitrary; compare regions only by their
/// [`Forest::root`].
pub(super) type RegionId = u32;

/// Code of a chunk without free cells.
const EMPTY: u32 = u32::MAX;
/// Bit set in the code of a chunk with several patches; the other bits are where
/// their regions start in the pool. Without it, the code is the region of the
/// only patch.
const SEVERAL: u32 = 1 << 31;
/// Leftmost column of a chunk.
const LEFT: u64 = 0x0101_0101_0101_0101;
/// Rightmost column of a chunk.
const RIGHT: u64 = LEFT << 7;
/// Exploration may visit one chunk in this many, plus [`WALK_STEPS`], before a
/// full rebuild takes over: a step of it costs several times as much as a chunk
/// of a rebuild.
const WALK_SHARE: usize = 32;
const WALK_STEPS: usize = 256;
/// Region numbers that edits may waste before a rebuild renumbers them.
const SPARE_NUMBERS: usize = 1 << 16;

/// The regions of a map.
///
/// # Invariants
///
/// 1. `codes` has one entry per chunk: [`EMPTY`] exactly if the chunk has no free
///    cell, and pointing into `pool` exactly if it has several patches.
/// 2. Two patches have the same root in `forest` exactly if a path joins them.
/// 3. `count` is the number of distinct roots of patches.
/// 4. The extent of a root holds all chunks with patches of its region.
#[derive(Clone)]
pub(super) struct Regions {
    eight: bool,
    wide: usize,
    codes: Vec<u32>, // (1)
    pool: Pool,      // (1)
    forest: Forest,  // (2), (4)
    count: usize,    // (3)
}

/// A patch: its chunk, and its position among the chunk's patches, which are
/// ordered by lowest cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Patch {
    chunk: usize,
    rank: usize,
}

impl Regions {
    /// Finds the regions of a map in O(chunks).
    pub(super) fn build(bits: &Bits, diagonals: Diagonals) -> Self {
        let chunks = bits.chunks_wide() * bits.chunks_high();
        let mut regions = Self {
            // A strict or one-side diagonal connects nothing that two straight
            // steps do not.
            eight: diagonals == Diagonals::Free,
            wide: bits.chunks_wide(),
            codes: vec![EMPTY; chunks],
            pool: Pool::default(),
            forest: Forest::default(),
            count: 0,
        };
        for chunk in 0..chunks {
            match regions.patches(bits.chunk(chunk)).count() {
                0 => continue,
                1 => {
                    // On most maps the chunk to the left has a region to go on with: fewer to join.
                    let region = regions.region_beside(bits, chunk).unwrap_or_else(|| regions.new_region());
                    regions.store(chunk, &[region]);
                }
                several => {
                    let fresh: Vec<_> = (0..several).map(|_| regions.new_region()).collect();
                    regions.store(chunk, &fresh);
                }
            }
            // Each pair of neighbours is joined once, by the later chunk.
            for (neighbour, dx, dy) in regions.neighbours(chunk).filter(|n| n.0 < chunk) {
                regions.join_chunks(bits, chunk, neighbour, dx, dy);
            }
        }
        regions.renumber(bits);
        regions
    }

    /// The region of the chunk to the left, if that is one patch and touches this chunk.
    fn region_beside(&self, bits: &Bits, chunk: usize) -> Option<RegionId> {
        let left = chunk.checked_sub(1).filter(|left| left % self.wide + 1 < self.wide)?;
        let region = Some(self.codes[left]).filter(|code| code & SEVERAL == 0)?;
        (self.spill(bits.chunk(left), 1, 0) & bits.chunk(chunk) != 0).then_some(region)
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Whether two free cells belong to the same region.
    pub(super) fn connected(&self, bits: &Bits, a: Cell, b: Cell) -> bool {
        self.region(bits, a) == self.region(bits, b)
    }

    /// Root of the region of a free cell.
    pub(super) fn region(&self, bits: &Bits, cell: Cell) -> Option<RegionId> {
        let (chunk, bit) = bits.chunk_of(cell);
        let code = self.codes[chunk];
        if code == EMPTY {
            return None;
        }
        if code & SEVERAL == 0 {
            return Some(self.forest.root(code));
        }
        let rank = self.patches(bits.chunk(chunk)).position(|patch| patch >> bit & 1 != 0)?;
        Some(self.root(Patch { chunk, rank }))
    }

    /// The cells of a chunk that belong to the region with this root.
    #[inline]
    pub(super) fn cells_in(&self, bits: &Bits, chunk: usize, region: RegionId) -> u64 {
        let code = self.codes[chunk];
        if code == EMPTY {
            return 0;
        }
        let cells = bits.chunk(chunk);
        if code & SEVERAL == 0 {
            return if self.forest.root(code) == region { cells } else { 0 };
        }
        // Looking at regions is far cheaper than finding the patches.
        if !self.pool.run(code).iter().any(|&other| self.forest.root(other) == region) {
            return 0;
        }
        let patches = self.patches(cells).enumerate();
        let of_region = patches.filter(|&(rank, _)| self.root(Patch { chunk, rank }) == region);
        of_region.fold(0, |all, (_, patch)| all | patch)
    }

    /// Follows an edit. `changed` lists the chunks whose bits changed, with their
    /// bits before the edit.
    pub(super) fn update(&mut self, bits: &Bits, diagonals: Diagonals, changed: &[(usize, u64)]) {
        // Large edits are rebuilt at once; so is a forest of mostly dead numbers.
        let wasted = self.forest.len() > 2 * self.count + SPARE_NUMBERS;
        if wasted || changed.len() * 4 > self.codes.len() {
            *self = Self::build(bits, diagonals);
            return;
        }
        let mut cut = Vec::new();
        for &(chunk, before) in changed {
            self.recode(chunk, before, bits.chunk(chunk), &mut cut);
        }
        for &(chunk, _) in changed {
            for (neighbour, dx, dy) in self.neighbours(chunk).collect::<Vec<_>>() {
                self.join_chunks(bits, chunk, neighbour, dx, dy);
            }
        }
        if !self.divide(bits, changed, cut) {
            *self = Self::build(bits, diagonals);
        }
    }

    /// Gives the patches of a changed chunk the regions of the cells they kept, and
    /// adds the regions that lost cells to `cut`.
    fn recode(&mut self, chunk: usize, before: u64, after: u64, cut: &mut Vec<RegionId>) {
        let old: Vec<(u64, RegionId)> = self
            .patches(before)
            .enumerate()
            .map(|(rank, patch)| (patch, self.root(Patch { chunk, rank })))
            .collect();
        cut.extend(old.iter().filter(|(patch, _)| patch & !after != 0).map(|&(_, region)| region));
        self.pool.release(self.codes[chunk], old.len());
        let mut regions = Vec::new();
        for patch in self.patches(after) {
            let mut kept = old.iter().filter(|(cells, _)| cells & patch != 0);
            let region = match kept.next() {
                Some(&(_, first)) => kept.fold(first, |joined, &(_, other)| self.join(joined, other)),
                None => self.new_region(),
            };
            regions.push(region);
        }
        self.store(chunk, &regions);
    }

    /// Finds which of the regions in `cut` fell apart. Returns `false` if a full
    /// rebuild would be faster.
    fn divide(&mut self, bits: &Bits, changed: &[(usize, u64)], cut: Vec<RegionId>) -> bool {
        let mut cut: Vec<_> = cut.into_iter().map(|region| self.forest.root(region)).collect();
        cut.sort_unstable();
        cut.dedup();
        if cut.is_empty() {
            return true;
        }
        // Every piece of a cut region touches a cell that was blocked, so
        // exploration may start from the changed chunks and those around them.
        let mut near: Vec<usize> = changed
            .iter()
            .flat_map(|&(chunk, _)| self.surroundings(chunk).map(|(near, ..)| near).chain([chunk]))
            .collect();
        near.sort_unstable();
        near.dedup();
        let mut pieces = vec![Vec::new(); cut.len()];
        for chunk in near {
            for rank in 0..self.patches_of(bits, chunk).count() {
                let patch = Patch { chunk, rank };
                if let Ok(which) = cut.binary_search(&self.root(patch)) {
                    pieces[which].push(patch);
                }
            }
        }
        let mut steps = self.codes.len() / WALK_SHARE + WALK_STEPS;
        for seeds in pieces {
            if seeds.is_empty() {
                self.count -= 1; // its last cell was blocked
            } else if !self.separate(bits, &seeds, &mut steps) {
                return false;
            }
        }
        true
    }

    /// Explores outwards from patches of what was one region, one step each in
    /// turn. Explorations that meet are still one region; one that ends before it
    /// met the others becomes a region of its own. Returns `false` if it would take
    /// more than `steps`.
    fn separate(&mut self, bits: &Bits, seeds: &[Patch], steps: &mut usize) -> bool {
        let mut walks = Walks::new(seeds);
        while walks.running > 1 {
            let Some(left) = steps.checked_sub(1) else { return false };
            *steps = left;
            let Some(current) = walks.take_turn() else { break };
            if let Some(patch) = walks.step(current) {
                self.for_each_touching(bits, patch, |next| walks.reach(current, next));
                walks.end_turn(current);
            } else {
                let region = self.new_region();
                for patch in walks.end(current) {
                    self.assign(patch, region);
                }
            }
        }
        true
    }

    /// Calls `visit` with the patches of other chunks that touch `patch`.
    fn for_each_touching(&self, bits: &Bits, patch: Patch, mut visit: impl FnMut(Patch)) {
        let Some(cells) = self.patches_of(bits, patch.chunk).nth(patch.rank) else {
            return;
        };
        for (chunk, dx, dy) in self.neighbours(patch.chunk) {
            let reached = self.spill(cells, dx, dy);
            if reached == 0 {
                continue;
            }
            for (rank, other) in self.patches_of(bits, chunk).enumerate() {
                if other & reached != 0 {
                    visit(Patch { chunk, rank });
                }
            }
        }
    }

    /// Joins the regions of patches that touch across the border of two chunks.
    fn join_chunks(&mut self, bits: &Bits, chunk: usize, neighbour: usize, dx: isize, dy: isize) {
        let there = bits.chunk(neighbour);
        for (rank, cells) in self.patches_of(bits, chunk).enumerate() {
            let reached = self.spill(cells, dx, dy) & there;
            if reached == 0 {
                continue;
            }
            for (other, cells) in self.patches_of(bits, neighbour).enumerate() {
                if cells & reached != 0 {
                    let here = self.root(Patch { chunk, rank });
                    let there = self.root(Patch { chunk: neighbour, rank: other });
                    self.join(here, there);
                }
            }
        }
    }

    /// The cells of the neighbouring chunk at `(dx, dy)` that are one step away
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

    /// The patches of a chunk, ordered by lowest cell.
    fn patches(&self, chunk: u64) -> impl Iterator<Item = u64> + use<> {
        let eight = self.eight;
        let mut left = chunk;
        std::iter::from_fn(move || {
            let seed = left & left.wrapping_neg();
            let patch = flood(seed, left, eight);
            left &= !patch;
            (patch != 0).then_some(patch)
        })
    }

    /// The patches of a chunk whose code is that of its bits: most have one, which need not be
    /// looked for.
    fn patches_of(&self, bits: &Bits, chunk: usize) -> impl Iterator<Item = u64> + use<> {
        let cells = bits.chunk(chunk);
        let only = (self.codes[chunk] & SEVERAL == 0).then_some(cells);
        only.into_iter().chain(self.patches(if only.is_some() { 0 } else { cells }))
    }

    /// Chunks that a step can reach from `chunk`, with their direction.
    fn neighbours(&self, chunk: usize) -> impl Iterator<Item = (usize, isize, isize)> + use<> {
        let eight = self.eight;
        self.surroundings(chunk).filter(move |&(_, dx, dy)| eight || dx == 0 || dy == 0)
    }

    /// The up to eight chunks around `chunk`, with their direction.
    fn surroundings(&self, chunk: usize) -> impl Iterator<Item = (usize, isize, isize)> + use<> {
        let wide = self.wide;
        let high = self.codes.len() / wide;
        let (column, row) = (chunk % wide, chunk / wide);
        (0..9).filter(|&step| step != 4).filter_map(move |step| {
            let (dx, dy) = (step % 3 - 1, step / 3 - 1);
            let x = column.checked_add_signed(dx).filter(|&x| x < wide)?;
            let y = row.checked_add_signed(dy).filter(|&y| y < high)?;
            Some((y * wide + x, dx, dy))
        })
    }

    fn slot(&mut self, patch: Patch) -> &mut RegionId {
        let code = self.codes[patch.chunk];
        if code & SEVERAL == 0 {
            &mut self.codes[patch.chunk]
        } else {
            &mut self.pool.entries[(code & !SEVERAL) as usize + 1 + patch.rank]
        }
    }

    fn root(&self, patch: Patch) -> RegionId {
        let code = self.codes[patch.chunk];
        let region = if code & SEVERAL == 0 {
            code
        } else {
            self.pool.entries[(code & !SEVERAL) as usize + 1 + patch.rank]
        };
        self.forest.root(region)
    }

    fn assign(&mut self, patch: Patch, region: RegionId) {
        *self.slot(patch) = region;
        self.forest.extend(self.forest.root(region), self.place(patch.chunk));
    }

    /// Column and row of a chunk.
    const fn place(&self, chunk: usize) -> (usize, usize) {
        (chunk % self.wide, chunk / self.wide)
    }

    /// The chunks in which the region with this root may have cells.
    pub(super) fn extent(&self, root: RegionId) -> Extent {
        self.forest.extent(root)
    }

    /// Stores the regions of a chunk's patches.
    fn store(&mut self, chunk: usize, regions: &[RegionId]) {
        self.codes[chunk] = match regions {
            [] => EMPTY,
            &[only] => only,
            several => SEVERAL | self.pool.store(several),
        };
        for &region in regions {
            self.forest.extend(self.forest.root(region), self.place(chunk));
        }
    }

    /// A new region without patches.
    fn new_region(&mut self) -> RegionId {
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

    /// Renumbers the regions in the order of their first cells, so that the
    /// numbers wasted by joins are free again.
    fn renumber(&mut self, bits: &Bits) {
        let mut numbers = vec![EMPTY; self.forest.len()];
        let mut forest = Forest::default();
        for chunk in 0..self.codes.len() {
            if self.codes[chunk] == EMPTY {
                continue;
            }
            for rank in 0..self.patches_of(bits, chunk).count() {
                let patch = Patch { chunk, rank };
                let number = &mut numbers[self.root(patch) as usize];
                if *number == EMPTY {
                    *number = forest.plant();
                }
                let number = *number;
                *self.slot(patch) = number;
                forest.extend(number, self.place(chunk));
            }
        }
        forest.shrink_to_fit();
        self.forest = forest;
        self.pool.entries.shrink_to_fit();
    }

    pub(super) fn memory_bytes(&self) -> usize {
        4 * self.codes.capacity() + self.pool.memory_bytes() + self.forest.memory_bytes()
    }

    /// Checks the invariants against a fresh build.
    pub(super) fn check(&self, bits: &Bits, diagonals: Diagonals) -> Result<(), Inconsistent> {
        let fresh = Self::build(bits, diagonals);
        if fresh.count != self.count {
            return Err(Inconsistent::new(format!("{} regions, {} counted", fresh.count, self.count)));
        }
        let mut names = HashMap::new();
        for chunk in 0..self.codes.len() {
            if (self.codes[chunk] == EMPTY) != (fresh.codes[chunk] == EMPTY) {
                return Err(Inconsistent::new(format!("chunk {chunk} has the wrong code")));
            }
            for rank in 0..self.patches(bits.chunk(chunk)).count() {
                let patch = Patch { chunk, rank };
                if !self.forest.extent(self.root(patch)).contains(self.place(chunk)) {
                    return Err(Inconsistent::new(format!("chunk {chunk} is beyond a region's extent")));
                }
                let expected = fresh.root(patch);
                if *names.entry(self.root(patch)).or_insert(expected) != expected {
                    return Err(Inconsistent::new(format!("chunk {chunk} joins regions that are apart")));
                }
            }
        }
        if names.len() == self.count { Ok(()) } else { Err(Inconsistent::new("a region has two names")) }
    }
}

/// All cells of `within` that are connected to `seed` inside the chunk.
fn flood(seed: u64, within: u64, eight: bool) -> u64 {
    if within == u64::MAX {
        return within; // open ground, by far the most common case
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
            let mut grid = Grid::empty(60, 45).unwrap().with_rules(Rules { diagonals, ..Rules::default() });
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
