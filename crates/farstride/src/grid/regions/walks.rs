//! Exploring the pieces of what was one region, to see whether it fell apart.

use super::Patch;
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

/// Explorations of one former region that run side by side.
pub(super) struct Walks {
    owners: HashMap<Patch, usize, BuildHasherDefault<PatchHasher>>,
    extents: Vec<Walk>,
    /// The walk that each walk was merged into; itself while it runs.
    merged: Vec<usize>,
    /// Walks in the order of their turns. Merged and finished ones are dropped
    /// when their turn comes.
    turns: VecDeque<usize>,
    pub(super) running: usize,
}

/// Hashes chunk numbers with one multiplication. The numbers are dense and not
/// chosen by an attacker, so the default hasher's protection against crafted
/// keys would cost time for nothing.
#[derive(Default)]
struct PatchHasher(u64);

impl Hasher for PatchHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_usize(byte.into());
        }
    }

    fn write_usize(&mut self, number: usize) {
        // Knuth's multiplier. The map uses both the upper and the lower bits.
        let spread = (self.0 ^ number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = spread ^ spread >> 32;
    }
}

#[derive(Default)]
struct Walk {
    frontier: VecDeque<Patch>,
    seen: Vec<Patch>,
}

impl Walks {
    pub(super) fn new(seeds: &[Patch]) -> Self {
        Self {
            owners: seeds.iter().enumerate().map(|(walk, &seed)| (seed, walk)).collect(),
            extents: seeds.iter().map(|&seed| Walk { frontier: [seed].into(), seen: vec![seed] }).collect(),
            merged: (0..seeds.len()).collect(),
            turns: (0..seeds.len()).collect(),
            running: seeds.len(),
        }
    }

    /// The walk whose turn it is. It runs again only after `end_turn`.
    pub(super) fn take_turn(&mut self) -> Option<usize> {
        let merged = &self.merged;
        std::iter::from_fn(|| self.turns.pop_front()).find(|&walk| merged[walk] == walk)
    }

    pub(super) fn end_turn(&mut self, walk: usize) {
        self.turns.push_back(walk);
    }

    /// The next patch to expand; `None` if the walk has seen everything.
    pub(super) fn step(&mut self, walk: usize) -> Option<Patch> {
        self.extents[walk].frontier.pop_front()
    }

    /// Records that `walk` came to `patch`: new ground, or ground of another walk.
    pub(super) fn reach(&mut self, walk: usize, patch: Patch) {
        match self.owners.get(&patch) {
            None => {
                self.owners.insert(patch, walk);
                self.extents[walk].frontier.push_back(patch);
                self.extents[walk].seen.push(patch);
            }
            Some(&owner) => self.merge(walk, owner),
        }
    }

    /// Merges the walk that `other` belongs to into that of `walk`.
    fn merge(&mut self, walk: usize, other: usize) {
        let (walk, other) = (self.survivor(walk), self.survivor(other));
        if other != walk {
            self.merged[other] = walk;
            self.running -= 1;
            let mut other = std::mem::take(&mut self.extents[other]);
            let walk = &mut self.extents[walk];
            // The larger list stays in place: every patch moves O(log) times.
            if other.seen.len() > walk.seen.len() {
                std::mem::swap(walk, &mut other);
            }
            walk.frontier.extend(other.frontier);
            walk.seen.extend(other.seen);
        }
    }

    /// Follows merges to the walk that is still running.
    fn survivor(&self, mut walk: usize) -> usize {
        while self.merged[walk] != walk {
            walk = self.merged[walk];
        }
        walk
    }

    /// Ends a walk and returns every patch it has seen.
    pub(super) fn end(&mut self, walk: usize) -> Vec<Patch> {
        self.running -= 1;
        std::mem::take(&mut self.extents[walk].seen)
    }
}
