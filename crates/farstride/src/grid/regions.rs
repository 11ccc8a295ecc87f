//! Connected regions, updated by every edit.
//!
//! The map is divided into chunks of 8 × 8 cells, each one word of bits. The free
//! cells of a chunk form *patches*, each connected within the chunk; nearly all
//! chunks have none or one. The patch of a cell is recomputed by flooding one word.
//! 8 × 8 chunks are a *square*; its patches form *parts*, each connected within the
//! square. 8 × 8 squares are a *district*; its parts form *wards*, each connected within
//! the district. A patch stores its part, a part its ward, and a ward its region, so a map of 10⁸ cells
//! needs a few megabytes. Regions are joined in a union-find forest.
//!
//! An edit finds the parts of its squares anew and, if these or what they touch changed, the wards of their districts.
//! Freeing cells only joins regions.
//! Blocking cells may cut one in two: then the wards around the change are explored
//! outwards in turn, until they meet or all but one of them are fully explored.
//! Exploring in turn bounds the work by the smaller pieces, which are usually a few
//! wards; and a cut through the whole map renames wards, not patches or parts. Which parts and wards touch is kept, square
//! by square and district by district: to find it again would take most of the time of such a cut.

mod forest;
mod parts;
mod tiling;
mod walks;
mod wards;

pub(super) use self::forest::Extent;
use self::forest::{Forest, Pool};
use self::parts::{Joining, Members, Part, PartId, Ward};
use self::tiling::Tiling;
use self::walks::Walks;
use self::wards::Changes;
use super::Diagonals;
use super::bits::Bits;
use crate::base::{Cell, Inconsistent};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A region's number. Numbers are arbitrary; compare regions only by their
/// [`Forest::root`].
pub(super) type RegionId = u32;

/// Code of a chunk without free cells; also what is not the number of anything.
const EMPTY: u32 = u32::MAX;
/// Bit set in the code of a chunk with several patches; the other bits are where
/// their parts start in the pool. Without it, the code is the part of the only patch.
const SEVERAL: u32 = 1 << 31;
/// Region numbers that edits may waste before all are given anew.
const SPARE_NUMBERS: usize = 1 << 16;

/// The regions of a map.
///
/// # Invariants
///
/// 1. `codes` has one entry per chunk: [`EMPTY`] exactly if the chunk has no free
///    cell, and pointing into `pool` exactly if it has several patches.
/// 2. Two patches have the same part exactly if a path within a square joins them.
/// 3. Two parts have the same ward exactly if a path within a district joins them.
/// 4. Two wards have the same root in `forest` exactly if a path joins them.
/// 5. `count` is the number of distinct roots of wards.
/// 6. The extent of a root holds all chunks with patches of its region.
/// 7. `touching` has for each square what [`Regions::find_touching`] finds, and `beyond` for each district what
///    [`Regions::find_beyond`] finds.
#[derive(Clone)]
pub(super) struct Regions {
    tiling: Tiling,
    codes: Vec<u32>, // (1), (2)
    pool: Pool,      // (1), (2)
    /// The ward of each part.
    parts: Members, // (3)
    /// The region of each ward.
    wards: Members, // (4)
    forest: Forest,  // (4), (6)
    count: usize,    // (5)
    touching: Vec<Touching<Part>>, // (7)
    beyond: Vec<Touching<Ward>>, // (7)
}

/// The parts of a square, or the wards of a district, each with one of another that it touches, in order.
type Touching<T> = Box<[(u32, T)]>;

/// A patch: its chunk, and its position among the chunk's patches, which are
/// ordered by lowest cell.
#[derive(Clone, Copy)]
struct Patch {
    chunk: usize,
    rank: usize,
}

impl Regions {
    /// Finds the regions of a map in O(chunks), given its cells by rows and by columns.
    pub(super) fn build((bits, columns): (&Bits, &Bits), diagonals: Diagonals) -> Self {
        // A strict or one-side diagonal connects nothing that two straight steps do not.
        let eight = diagonals == Diagonals::Free;
        let tiling = Tiling { eight, wide: bits.chunks_wide(), high: bits.chunks_high() };
        let mut regions = Self {
            tiling,
            codes: vec![EMPTY; tiling.wide * tiling.high],
            pool: Pool::default(),
            parts: Members::default(),
            wards: Members::default(),
            forest: Forest::default(),
            count: 0,
            touching: Vec::with_capacity(tiling.squares()),
            beyond: Vec::with_capacity(tiling.districts()),
        };
        let mut first_parts = vec![0];
        for square in 0..tiling.squares() {
            for chunk in tiling.chunks_of(square) {
                // Only the number of patches counts; `connect` looks at it.
                let parts = vec![0; tiling.patches(bits.chunk(chunk)).count()];
                regions.store(chunk, &parts);
            }
            let mut numbers = Vec::new();
            for (patch, part) in regions.connect(bits, square) {
                if part == numbers.len() {
                    numbers.push(regions.parts.add(0)); // has no ward yet
                }
                *regions.slot(patch) = numbers[part];
            }
            first_parts.push(regions.parts.count() as PartId);
        }
        for square in 0..tiling.squares() {
            let touching = regions.find_touching((bits, columns), square);
            regions.touching.push(touching);
        }
        regions.find_wards(&first_parts);
        for chunk in 0..regions.codes.len() {
            for at in 0..regions.parts_in(chunk).len() {
                let root = regions.root(regions.parts_in(chunk)[at]);
                regions.forest.extend(root, tiling.place(chunk));
            }
        }
        regions.renumber();
        regions.parts.shrink_to_fit();
        regions.wards.shrink_to_fit();
        regions.pool.entries.shrink_to_fit();
        regions
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
            return Some(self.root(code));
        }
        let rank = self.tiling.patches(bits.chunk(chunk)).position(|patch| patch >> bit & 1 != 0)?;
        Some(self.root(self.part(Patch { chunk, rank })))
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
            return if self.root(code) == region { cells } else { 0 };
        }
        // Looking at parts is far cheaper than finding the patches.
        let parts = self.pool.run(code);
        if !parts.iter().any(|&part| self.root(part) == region) {
            return 0;
        }
        let patches = self.tiling.patches(cells).zip(parts);
        patches.filter(|&(_, &part)| self.root(part) == region).fold(0, |all, (patch, _)| all | patch)
    }

    /// Follows an edit of a map, given its cells by rows and by columns. `changed` lists the chunks
    /// whose bits changed, with their bits before the edit.
    pub(super) fn update(
        &mut self,
        (bits, columns): (&Bits, &Bits),
        diagonals: Diagonals,
        changed: &[(usize, u64)],
    ) {
        // Large edits are rebuilt at once.
        if changed.len() * 4 > self.codes.len() {
            *self = Self::build((bits, columns), diagonals);
            return;
        }
        if self.forest.len() > 2 * self.count + SPARE_NUMBERS {
            self.renumber();
        }
        let tiling = self.tiling;
        let mut cut = Vec::new();
        let mut in_order = changed.to_vec();
        in_order.sort_unstable_by_key(|&(chunk, _)| tiling.square_of(chunk));
        let mut moved = Changes::default();
        for chunks in in_order.chunk_by(|a, b| tiling.square_of(a.0) == tiling.square_of(b.0)) {
            let mut known = Vec::new();
            for &(chunk, before) in chunks {
                self.recode(chunk, before, bits.chunk(chunk), &mut known, &mut cut);
            }
            self.reconnect(bits, tiling.square_of(chunks[0].0), known, &mut moved);
        }
        self.touch_again((bits, columns), &in_order, &mut moved);
        self.find_wards_again(moved);
        for &(chunk, _) in changed {
            for (neighbour, dx, dy) in tiling.neighbours(chunk) {
                let mut pairs = Vec::new();
                self.each_touching(bits, chunk, neighbour, (dx, dy), |here, there| pairs.push((here, there)));
                for (here, there) in pairs {
                    self.join(here, there);
                }
            }
        }
        self.divide(changed, cut);
    }

    /// Gives the patches of a changed chunk the parts of the cells they kept. Adds the parts that
    /// the chunk had to `known`, and the regions that lost cells to `cut`.
    fn recode(
        &mut self,
        chunk: usize,
        before: u64,
        after: u64,
        known: &mut Vec<PartId>,
        cut: &mut Vec<RegionId>,
    ) {
        let patches = self.tiling.patches(before).enumerate();
        let old: Vec<(u64, PartId)> =
            patches.map(|(rank, patch)| (patch, self.part(Patch { chunk, rank }))).collect();
        known.extend(old.iter().map(|&(_, part)| part));
        cut.extend(old.iter().filter(|(patch, _)| patch & !after != 0).map(|&(_, part)| self.root(part)));
        self.pool.release(self.codes[chunk], old.len());
        let mut parts = Vec::new();
        for patch in self.tiling.patches(after) {
            let mut kept = old.iter().filter(|(cells, _)| cells & patch != 0);
            let part = if let Some(&(_, first)) = kept.next() {
                kept.for_each(|&(_, other)| self.join(first, other));
                first
            } else {
                let region = self.new_region();
                self.parts.add(self.wards.add(region))
            };
            self.forest.extend(self.root(part), self.tiling.place(chunk));
            parts.push(part);
        }
        self.store(chunk, &parts);
    }

    /// Finds the parts of a square again. One that fell apart keeps its ward in all pieces. `known`
    /// are parts that its chunks had before they were recoded.
    fn reconnect(&mut self, bits: &Bits, square: usize, mut known: Vec<PartId>, moved: &mut Changes) {
        let connected = self.connect(bits, square);
        let mut taken = HashSet::new();
        let mut numbers = Vec::new();
        for &(patch, part) in &connected {
            let old = self.part(patch);
            known.push(old);
            if part == numbers.len() {
                numbers.push(if taken.insert(old) { old } else { self.parts.add(self.parts.owner(old)) });
            }
            self.join(numbers[part], old);
        }
        for (patch, part) in connected {
            *self.slot(patch) = numbers[part];
        }
        known.sort_unstable();
        known.dedup();
        known.retain(|part| !taken.contains(part));
        if !known.is_empty() || numbers.iter().any(|number| !taken.contains(number)) {
            let left: Vec<_> = known.iter().map(|&part| self.parts.owner(part)).collect();
            moved.note(self.tiling.district_of(square), numbers, left);
        }
        for part in known {
            self.parts.remove(part);
        }
    }

    /// The patches of a square, with the position of their part among those of the square, in the
    /// order of their first patches.
    fn connect(&self, bits: &Bits, square: usize) -> Vec<(Patch, usize)> {
        let tiling = self.tiling;
        let mut joining = Joining::default();
        // Where the patches of each chunk begin and end.
        let mut ranges = [(0, 0); Tiling::CHUNKS];
        for chunk in tiling.chunks_of(square) {
            let first = joining.len();
            for (rank, cells) in self.patches_of(bits, chunk).enumerate() {
                joining.add(Patch { chunk, rank }, cells);
            }
            let here = first..joining.len();
            ranges[tiling.within(chunk)] = (here.start, here.end);
            for (neighbour, dx, dy) in tiling.neighbours(chunk) {
                if neighbour > chunk || tiling.square_of(neighbour) != square {
                    continue;
                }
                let (begin, end) = ranges[tiling.within(neighbour)];
                for at in here.clone() {
                    let reached = tiling.spill(joining.cells(at), dx, dy);
                    for other in begin..end {
                        if joining.cells(other) & reached != 0 {
                            joining.join(at, other);
                        }
                    }
                }
            }
        }
        joining.into_parts()
    }

    /// Finds again what the parts of squares with changed chunks touch.
    fn touch_again(&mut self, planes: (&Bits, &Bits), changed: &[(usize, u64)], moved: &mut Changes) {
        let tiling = self.tiling;
        let mut squares: Vec<_> = changed.iter().map(|&(chunk, _)| tiling.square_of(chunk)).collect();
        squares.dedup(); // changes are in the order of squares
        // Where a square touches what it did, so do the squares around it.
        squares.retain(|&square| {
            let touching = self.find_touching(planes, square);
            let differs = touching != self.touching[square];
            if differs {
                let parts = tiling.chunks_of(square).flat_map(|chunk| self.parts_in(chunk).iter().copied());
                moved.note(tiling.district_of(square), parts, []);
                self.touching[square] = touching;
            }
            differs
        });
        let around: BTreeSet<_> =
            squares.into_iter().flat_map(|square| tiling.squares_around(square)).collect();
        for around in around {
            let touching = self.find_touching(planes, around);
            let before = std::mem::replace(&mut self.touching[around], touching);
            moved.note(tiling.district_of(around), before.iter().map(|&(part, _)| part), []);
        }
    }

    /// Finds which of the regions in `cut` fell apart.
    fn divide(&mut self, changed: &[(usize, u64)], cut: Vec<RegionId>) {
        let mut cut: Vec<_> = cut.into_iter().map(|region| self.forest.root(region)).collect();
        cut.sort_unstable();
        cut.dedup();
        if cut.is_empty() {
            return;
        }
        // Every piece of a cut region touches a cell that was blocked, so
        // exploration may start from the changed chunks and those around them.
        let tiling = self.tiling;
        let near = changed
            .iter()
            .flat_map(|&(chunk, _)| tiling.surroundings(chunk).map(|(near, ..)| near).chain([chunk]));
        let mut parts: Vec<Part> = near
            .flat_map(|chunk| {
                let square = tiling.square_of(chunk);
                self.parts_in(chunk).iter().map(move |&number| Part { number, square: square as u32 })
            })
            .collect();
        parts.sort_unstable();
        parts.dedup();
        let mut pieces = vec![Vec::new(); cut.len()];
        for part in parts {
            if let Ok(which) = cut.binary_search(&self.root(part.number)) {
                pieces[which].push(part);
            }
        }
        for seeds in pieces {
            if seeds.is_empty() {
                self.count -= 1; // its last cell was blocked
            } else {
                self.separate(&seeds);
            }
        }
    }

    /// Explores outwards from parts of what was one region, one step each in
    /// turn. Explorations that meet are still one region; one that ends before it
    /// met the others becomes a region of its own.
    fn separate(&mut self, seeds: &[Part]) {
        let mut by_ward: Vec<(Ward, u32)> =
            seeds.iter().map(|&part| (self.ward(part), part.square)).collect();
        by_ward.sort_unstable();
        by_ward.dedup();
        let mut wards: Vec<Ward> = by_ward.iter().map(|&(ward, _)| ward).collect();
        wards.dedup();
        let former = seeds.first().map_or(Extent::NONE, |seed| self.forest.extent(self.root(seed.number)));
        let mut walks = Walks::new(&wards);
        while walks.running > 1 {
            let Some(current) = walks.take_turn() else { break };
            if let Some(ward) = walks.step(current) {
                let beyond = &self.beyond[ward.district as usize];
                let first = beyond.partition_point(|&(number, _)| number < ward.number);
                for &(_, next) in beyond[first..].iter().take_while(|&&(number, _)| number == ward.number) {
                    walks.reach(current, next);
                }
                walks.end_turn(current);
            } else {
                let region = self.new_region();
                let wards = walks.end(current);
                for ward in &wards {
                    self.wards.set_owner(ward.number, region);
                }
                self.forest.set_extent(region, self.extent_of(&wards, &by_ward).common(former));
            }
        }
    }

    /// Where wards that a walk has seen may have cells, given the wards and squares of the seeds of all walks, in order. Every part
    /// of them touches another square, or is a seed: a walk comes to wards only over what their parts touch.
    fn extent_of(&self, wards: &[Ward], seeds: &[(Ward, u32)]) -> Extent {
        /// For more wards, or more walks, all of a district will do.
        const FEW: usize = 8;
        let tiling = self.tiling;
        let mut extent = Extent::NONE;
        for ward in wards {
            if wards.len() > FEW || seeds.len() > FEW * FEW {
                let corners = tiling.corners_of_district(ward.district as usize);
                extent = extent.hull(Extent::between(corners));
                continue;
            }
            // All of a square: to look for the chunks of a part would take longer than all the rest.
            let is_in = |&(part, _): &(PartId, Part)| self.parts.owner(part) == ward.number;
            let squares = tiling.squares_of(ward.district as usize);
            let touching = squares.filter(|&square| self.touching[square].iter().any(is_in));
            let seeds = seeds[seeds.partition_point(|(other, _)| other < ward)..].iter();
            let seeds = seeds.take_while(|(other, _)| other == ward).map(|&(_, square)| square as usize);
            for square in touching.chain(seeds) {
                extent = extent.hull(Extent::between(tiling.corners_of(square)));
            }
        }
        extent
    }

    /// Finds what the parts of a square touch, given the cells by rows and by columns.
    fn find_touching(&self, (bits, columns): (&Bits, &Bits), square: usize) -> Touching<Part> {
        let mut touching = Vec::new();
        let mut note = |here, number, square: usize| {
            let pair = (here, Part { number, square: square as u32 });
            // Most chunks along a side say the same.
            if touching.last() != Some(&pair) {
                touching.push(pair);
            }
        };
        if self.tiling.eight {
            self.tiling.for_each_beyond(square, |chunk, (neighbour, square), direction| {
                self.each_touching(bits, chunk, neighbour, direction, |here, there| {
                    note(here, there, square);
                });
            });
        }
        let straight = (!self.tiling.eight).then(|| self.tiling.sides_of(square));
        for side in straight.into_iter().flatten() {
            // Reading whole chunks would take most of the time: each is eight places in memory.
            let plane = if side.is_column { columns } else { bits };
            let both =
                plane.across_chunks(side.lines.0, side.begin) & plane.across_chunks(side.lines.1, side.begin);
            let (first, stride, count) = side.chunks;
            for at in (0..count).filter(|at| both >> (8 * at) & 0xff != 0) {
                let (chunk, neighbour) = (first + at * stride, side.beyond + at * stride);
                match (self.only_part(chunk), self.only_part(neighbour)) {
                    (Some(here), Some(there)) => note(here, there, side.square),
                    _ => self.each_touching(bits, chunk, neighbour, side.direction, |here, there| {
                        note(here, there, side.square);
                    }),
                }
            }
        }
        touching.sort_unstable();
        touching.dedup();
        touching.into()
    }

    /// Calls `visit` with the parts of patches that touch across the border of two chunks.
    fn each_touching(
        &self,
        bits: &Bits,
        chunk: usize,
        neighbour: usize,
        (dx, dy): (isize, isize),
        mut visit: impl FnMut(PartId, PartId),
    ) {
        let there = bits.chunk(neighbour);
        // Finding patches takes far longer than seeing that there is nothing to find.
        if self.tiling.spill(bits.chunk(chunk), dx, dy) & there == 0 {
            return;
        }
        for (cells, &part) in self.patches_of(bits, chunk).zip(self.parts_in(chunk)) {
            let reached = self.tiling.spill(cells, dx, dy) & there;
            if reached == 0 {
                continue;
            }
            for (cells, &other) in self.patches_of(bits, neighbour).zip(self.parts_in(neighbour)) {
                if cells & reached != 0 {
                    visit(part, other);
                }
            }
        }
    }

    /// The patches of a chunk whose code is that of its bits: most have one, which need not be
    /// looked for.
    fn patches_of(&self, bits: &Bits, chunk: usize) -> impl Iterator<Item = u64> + use<> {
        let cells = bits.chunk(chunk);
        let only = (self.codes[chunk] & SEVERAL == 0).then_some(cells);
        only.into_iter().chain(self.tiling.patches(if only.is_some() { 0 } else { cells }))
    }

    /// The parts of a chunk's patches.
    fn parts_in(&self, chunk: usize) -> &[PartId] {
        match self.codes[chunk] {
            EMPTY => &[],
            code if code & SEVERAL == 0 => std::slice::from_ref(&self.codes[chunk]),
            code => self.pool.run(code),
        }
    }

    /// The part of all patches of a chunk, if it is the same.
    fn only_part(&self, chunk: usize) -> Option<PartId> {
        let (&first, others) = self.parts_in(chunk).split_first()?;
        others.iter().all(|&other| other == first).then_some(first)
    }

    fn part(&self, patch: Patch) -> PartId {
        self.parts_in(patch.chunk)[patch.rank]
    }

    fn slot(&mut self, patch: Patch) -> &mut PartId {
        let code = self.codes[patch.chunk];
        if code & SEVERAL == 0 {
            &mut self.codes[patch.chunk]
        } else {
            &mut self.pool.entries[(code & !SEVERAL) as usize + 1 + patch.rank]
        }
    }

    /// Root of the region of a part.
    fn root(&self, part: PartId) -> RegionId {
        self.forest.root(self.wards.owner(self.parts.owner(part)))
    }

    /// The chunks in which the region with this root may have cells.
    pub(super) fn extent(&self, root: RegionId) -> Extent {
        self.forest.extent(root)
    }

    /// Stores the parts of a chunk's patches.
    fn store(&mut self, chunk: usize, parts: &[PartId]) {
        self.codes[chunk] = match parts {
            [] => EMPTY,
            &[only] => only,
            several => SEVERAL | self.pool.store(several),
        };
    }

    /// A new region without parts.
    fn new_region(&mut self) -> RegionId {
        self.count += 1;
        self.forest.plant()
    }

    /// Joins the regions of two parts.
    fn join(&mut self, a: PartId, b: PartId) {
        self.join_regions(self.root(a), self.root(b));
    }

    fn join_regions(&mut self, a: RegionId, b: RegionId) {
        let (a, b) = (self.forest.root(a), self.forest.root(b));
        if a != b {
            self.count -= 1;
            self.forest.join(a, b);
        }
    }

    /// Numbers the regions anew, so that numbers wasted by joins are free again.
    fn renumber(&mut self) {
        let mut numbers = vec![EMPTY; self.forest.len()];
        let mut forest = Forest::default();
        for region in self.wards.owners_mut() {
            let root = self.forest.root(*region);
            let number = &mut numbers[root as usize];
            if *number == EMPTY {
                *number = forest.plant();
                forest.set_extent(*number, self.forest.extent(root));
            }
            *region = *number;
        }
        forest.shrink_to_fit();
        self.forest = forest;
    }

    pub(super) fn memory_bytes(&self) -> usize {
        4 * self.codes.capacity()
            + self.pool.memory_bytes()
            + self.parts.memory_bytes()
            + self.wards.memory_bytes()
            + self.forest.memory_bytes()
            + size_of::<Touching<Part>>() * (self.touching.capacity() + self.beyond.capacity())
            + self.touching.iter().map(|touching| size_of_val(&**touching)).sum::<usize>()
            + self.beyond.iter().map(|beyond| size_of_val(&**beyond)).sum::<usize>()
    }

    /// Checks the invariants against a fresh build.
    pub(super) fn check(&self, planes: (&Bits, &Bits), diagonals: Diagonals) -> Result<(), Inconsistent> {
        let fresh = Self::build(planes, diagonals);
        if fresh.count != self.count {
            return Err(Inconsistent::new(format!("{} regions, {} counted", fresh.count, self.count)));
        }
        let (mut regions, mut wards, mut parts) = (HashMap::new(), HashMap::new(), HashMap::new());
        for chunk in 0..self.codes.len() {
            let (ours, theirs) = (self.parts_in(chunk), fresh.parts_in(chunk));
            if ours.len() != theirs.len() {
                return Err(Inconsistent::new(format!("chunk {chunk} has the wrong code")));
            }
            for (&part, &expected) in ours.iter().zip(theirs) {
                if !self.extent(self.root(part)).contains(self.tiling.place(chunk)) {
                    return Err(Inconsistent::new(format!("chunk {chunk} is beyond a region's extent")));
                }
                if *parts.entry(part).or_insert(expected) != expected {
                    return Err(Inconsistent::new(format!("chunk {chunk} joins parts that are apart")));
                }
                let (ward, expected_ward) = (self.parts.owner(part), fresh.parts.owner(expected));
                if *wards.entry(ward).or_insert(expected_ward) != expected_ward {
                    return Err(Inconsistent::new(format!("chunk {chunk} joins wards that are apart")));
                }
                let expected = fresh.root(expected);
                if *regions.entry(self.root(part)).or_insert(expected) != expected {
                    return Err(Inconsistent::new(format!("chunk {chunk} joins regions that are apart")));
                }
            }
        }
        for (found, ours, fresh) in
            [(parts.len(), &self.parts, &fresh.parts), (wards.len(), &self.wards, &fresh.wards)]
        {
            if found != fresh.count() || found != ours.count() {
                return Err(Inconsistent::new("a part or ward has two names, or is gone but still counted"));
            }
        }
        for (square, touching) in self.touching.iter().enumerate() {
            if *touching != self.find_touching(planes, square) {
                return Err(Inconsistent::new(format!("square {square} touches other parts")));
            }
        }
        for (district, beyond) in self.beyond.iter().enumerate() {
            if *beyond != self.find_beyond(district) {
                return Err(Inconsistent::new(format!("district {district} touches other wards")));
            }
        }
        if regions.len() == self.count { Ok(()) } else { Err(Inconsistent::new("a region has two names")) }
    }
}

#[cfg(test)]
mod tests;
