//! Numbers of parts and wards, and what each belongs to.

use super::{EMPTY, Patch};
use crate::base::Sets;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A part's number, unique on the map.
pub(super) type PartId = u32;
/// A ward's number, unique on the map.
pub(super) type WardId = u32;

/// A part and the square it lies in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    pub(super) number: PartId,
    pub(super) square: u32,
}

/// A ward and the district it lies in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ward {
    pub(super) number: WardId,
    pub(super) district: u32,
}

/// What each part belongs to, or each ward. Numbers of those that are gone are used again.
#[derive(Clone, Default)]
pub(super) struct Members {
    /// By number; [`EMPTY`] if it is free.
    owners: Vec<u32>,
    free: Vec<u32>,
}

impl Members {
    pub(super) fn add(&mut self, owner: u32) -> u32 {
        if let Some(member) = self.free.pop() {
            self.owners[member as usize] = owner;
            return member;
        }
        self.owners.push(owner);
        self.owners.len() as u32 - 1
    }

    pub(super) fn remove(&mut self, member: u32) {
        self.owners[member as usize] = EMPTY;
        self.free.push(member);
    }

    #[inline]
    pub(super) fn owner(&self, member: u32) -> u32 {
        self.owners[member as usize]
    }

    pub(super) fn set_owner(&mut self, member: u32, owner: u32) {
        self.owners[member as usize] = owner;
    }

    /// The owners of all, to be changed.
    pub(super) fn owners_mut(&mut self) -> impl Iterator<Item = &mut u32> {
        self.owners.iter_mut().filter(|owner| **owner != EMPTY)
    }

    pub(super) fn count(&self) -> usize {
        self.owners.len() - self.free.len()
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.owners.shrink_to_fit();
    }

    pub(super) fn memory_bytes(&self) -> usize {
        4 * (self.owners.capacity() + self.free.capacity())
    }
}

/// A map from numbers of parts or wards.
pub(super) type ByNumber<T> = HashMap<u32, T, BuildHasherDefault<NumberHasher>>;

/// Hashes numbers with one multiplication. They are dense and not
/// chosen by an attacker, so the default hasher's protection against crafted
/// keys would cost time for nothing.
#[derive(Default)]
pub(super) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(byte.into());
        }
    }

    fn write_u32(&mut self, number: u32) {
        // Knuth's multiplier. The map uses both the upper and the lower bits.
        let spread = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = spread ^ spread >> 32;
    }
}

/// Patches of a square, joined where they touch.
#[derive(Default)]
pub(super) struct Joining {
    patches: Vec<(Patch, u64)>,
    joined: Sets,
}

impl Joining {
    pub(super) fn len(&self) -> usize {
        self.patches.len()
    }

    pub(super) fn add(&mut self, patch: Patch, cells: u64) {
        self.joined.add();
        self.patches.push((patch, cells));
    }

    pub(super) fn cells(&self, at: usize) -> u64 {
        self.patches[at].1
    }

    pub(super) fn join(&mut self, a: usize, b: usize) {
        self.joined.join(a as u32, b as u32);
    }

    /// The patches, each with the number of its part: parts are counted in the order of their
    /// first patches.
    pub(super) fn into_parts(self) -> Vec<(Patch, usize)> {
        let numbers = self.joined.positions();
        self.patches.into_iter().map(|(patch, _)| patch).zip(numbers).collect()
    }
}
