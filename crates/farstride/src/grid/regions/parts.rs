//! Parts: what is connected within a square.

use super::{EMPTY, Patch, RegionId};

/// A part's number, unique on the map.
pub(super) type PartId = u32;

/// The region of every part. Numbers of parts that are gone are used again.
#[derive(Clone, Default)]
pub(super) struct Parts {
    /// By part; [`EMPTY`] if the number is free.
    regions: Vec<RegionId>,
    free: Vec<PartId>,
}

impl Parts {
    pub(super) fn add(&mut self, region: RegionId) -> PartId {
        if let Some(part) = self.free.pop() {
            self.regions[part as usize] = region;
            return part;
        }
        self.regions.push(region);
        self.regions.len() as PartId - 1
    }

    pub(super) fn remove(&mut self, part: PartId) {
        self.regions[part as usize] = EMPTY;
        self.free.push(part);
    }

    pub(super) fn region(&self, part: PartId) -> RegionId {
        self.regions[part as usize]
    }

    pub(super) fn set_region(&mut self, part: PartId, region: RegionId) {
        self.regions[part as usize] = region;
    }

    /// The regions of all parts, to be changed.
    pub(super) fn regions_mut(&mut self) -> impl Iterator<Item = &mut RegionId> {
        self.regions.iter_mut().filter(|region| **region != EMPTY)
    }

    pub(super) fn count(&self) -> usize {
        self.regions.len() - self.free.len()
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.regions.shrink_to_fit();
    }

    pub(super) fn memory_bytes(&self) -> usize {
        4 * (self.regions.capacity() + self.free.capacity())
    }
}

/// Patches of a square, joined where they touch: union-find over their positions in a list.
#[derive(Default)]
pub(super) struct Joining {
    patches: Vec<(Patch, u64)>,
    /// For each patch one that it is joined to and that comes before it, or itself.
    earlier: Vec<u16>,
}

impl Joining {
    pub(super) fn len(&self) -> usize {
        self.patches.len()
    }

    pub(super) fn add(&mut self, patch: Patch, cells: u64) {
        self.earlier.push(self.patches.len() as u16);
        self.patches.push((patch, cells));
    }

    pub(super) fn cells(&self, at: usize) -> u64 {
        self.patches[at].1
    }

    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        self.earlier[a.max(b)] = a.min(b) as u16;
    }

    fn first(&mut self, mut at: usize) -> usize {
        while usize::from(self.earlier[at]) != at {
            self.earlier[at] = self.earlier[usize::from(self.earlier[at])];
            at = self.earlier[at].into();
        }
        at
    }

    /// The patches, each with the number of its part: parts are counted in the order of their
    /// first patches.
    pub(super) fn into_parts(mut self) -> Vec<(Patch, usize)> {
        let mut numbers = vec![0; self.patches.len()];
        let mut count = 0;
        for at in 0..self.patches.len() {
            let first = self.first(at);
            numbers[at] = if first == at { count } else { numbers[first] };
            count += usize::from(first == at);
        }
        self.patches.into_iter().map(|(patch, _)| patch).zip(numbers).collect()
    }
}
