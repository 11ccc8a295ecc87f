//! What regions are made of: runs of parts for chunks with several patches, and a union-find
//! forest over the numbers of regions.

use super::{PartId, RegionId, SEVERAL};

/// The most patches a chunk of 64 cells can have: every other cell.
const MOST_PATCHES: usize = 32;

/// Parts of the chunks with several patches, one run of entries per chunk: their number, then
/// the parts. Released runs are reused for chunks with the same number of patches.
#[derive(Clone, Default)]
pub(super) struct Pool {
    pub(super) entries: Vec<PartId>,
    /// Where free runs start, by length minus one.
    free: [Vec<u32>; MOST_PATCHES],
}

impl Pool {
    /// Stores two or more parts and returns where they start.
    pub(super) fn store(&mut self, parts: &[PartId]) -> u32 {
        if let Some(start) = self.free[parts.len() - 1].pop() {
            self.entries[start as usize + 1..][..parts.len()].copy_from_slice(parts);
            return start;
        }
        let start = self.entries.len() as u32;
        self.entries.push(parts.len() as u32);
        self.entries.extend_from_slice(parts);
        start
    }

    /// The parts that a chunk's code points to.
    #[inline]
    pub(super) fn run(&self, code: u32) -> &[PartId] {
        let start = (code & !SEVERAL) as usize;
        &self.entries[start + 1..][..self.entries[start] as usize]
    }

    /// Releases the entries that a chunk's code points to, if any.
    pub(super) fn release(&mut self, code: u32, patches: usize) {
        if patches > 1 {
            self.free[patches - 1].push(code & !SEVERAL);
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        4 * (self.entries.capacity() + self.free.iter().map(Vec::capacity).sum::<usize>())
    }
}

/// Union-find over region numbers, by rank. Look-ups do not compress paths, so
/// that threads can share them; union by rank alone keeps them logarithmic, and
/// nearly all take one step.
#[derive(Clone, Default)]
pub(super) struct Forest {
    parents: Vec<RegionId>,
    ranks: Vec<u8>,
    extents: Vec<Extent>,
}

impl Forest {
    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    pub(super) fn plant(&mut self) -> RegionId {
        let region = self.parents.len() as u32;
        self.parents.push(region);
        self.ranks.push(0);
        self.extents.push(Extent::NONE);
        region
    }

    pub(super) fn root(&self, mut region: RegionId) -> RegionId {
        while self.parents[region as usize] != region {
            region = self.parents[region as usize];
        }
        region
    }

    /// Joins two different roots.
    pub(super) fn join(&mut self, a: RegionId, b: RegionId) {
        let (low, high) = if self.ranks[a as usize] < self.ranks[b as usize] { (a, b) } else { (b, a) };
        self.parents[low as usize] = high;
        if self.ranks[low as usize] == self.ranks[high as usize] {
            self.ranks[high as usize] += 1;
        }
        self.extents[high as usize] = self.extents[high as usize].hull(self.extents[low as usize]);
    }

    /// Notes that a region, given by its root, has cells in a chunk.
    pub(super) fn extend(&mut self, root: RegionId, (column, row): (usize, usize)) {
        let chunk = Extent { columns: (column as u16, column as u16), rows: (row as u16, row as u16) };
        self.extents[root as usize] = self.extents[root as usize].hull(chunk);
    }

    /// Notes the chunks in which a region, given by its root, may have cells.
    pub(super) fn set_extent(&mut self, root: RegionId, extent: Extent) {
        self.extents[root as usize] = extent;
    }

    /// The chunks in which a region, given by its root, may have cells.
    pub(super) fn extent(&self, root: RegionId) -> Extent {
        self.extents[root as usize]
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.parents.shrink_to_fit();
        self.ranks.shrink_to_fit();
        self.extents.shrink_to_fit();
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.parents.capacity() * 4 + self.ranks.capacity() + self.extents.capacity() * size_of::<Extent>()
    }
}

/// A rectangle of chunks around all cells of a region: the first and last column and row. After
/// edits it may be larger than need be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::grid) struct Extent {
    pub(in crate::grid) columns: (u16, u16),
    pub(in crate::grid) rows: (u16, u16),
}

impl Extent {
    pub(super) const NONE: Self = Self { columns: (u16::MAX, 0), rows: (u16::MAX, 0) };

    /// From the first chunk to the last, given by column and row.
    pub(super) fn between([first, last]: [(usize, usize); 2]) -> Self {
        Self { columns: (first.0 as u16, last.0 as u16), rows: (first.1 as u16, last.1 as u16) }
    }

    /// The chunks of both, which have some in common.
    pub(super) fn common(self, other: Self) -> Self {
        let common = |a: (u16, u16), b: (u16, u16)| (a.0.max(b.0), a.1.min(b.1));
        Self { columns: common(self.columns, other.columns), rows: common(self.rows, other.rows) }
    }

    pub(super) fn hull(self, other: Self) -> Self {
        let hull = |a: (u16, u16), b: (u16, u16)| (a.0.min(b.0), a.1.max(b.1));
        Self { columns: hull(self.columns, other.columns), rows: hull(self.rows, other.rows) }
    }

    pub(super) fn contains(self, (column, row): (usize, usize)) -> bool {
        let has = |(first, last): (u16, u16), at: usize| usize::from(first) <= at && at <= usize::from(last);
        has(self.columns, column) && has(self.rows, row)
    }
}
