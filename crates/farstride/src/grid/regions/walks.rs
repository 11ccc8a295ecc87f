//! Exploring the pieces of what was one region, to see whether it fell apart.

use super::PartId;
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

/// A part and the square it lies in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    pub(super) number: PartId,
    pub(super) square: u32,
}

/// Explorations of one former region that run side by side.
pub(super) struct Walks {
    owners: Owners,
    extents: Vec<Walk>,
    /// The walk that each walk was merged into; itself while it runs.
    merged: Vec<usize>,
    /// Walks in the order of their turns. Merged and finished ones are dropped
    /// when their turn comes.
    turns: VecDeque<usize>,
    pub(super) running: usize,
}

/// The walk that first came to each part.
enum Owners {
    Few(HashMap<PartId, usize, BuildHasherDefault<NumberHasher>>),
    /// By number, for long walks: parts that touch mostly have numbers near each other, so this takes half of the time.
    /// Nobody's are [`NOBODY`].
    Many(Vec<u32>),
}

const NOBODY: u32 = u32::MAX;
/// Parts from which on walks are long.
const MANY: usize = 4096;

impl Owners {
    fn get(&self, part: PartId) -> Option<usize> {
        match self {
            Self::Few(owners) => owners.get(&part).copied(),
            Self::Many(owners) => {
                owners.get(part as usize).filter(|&&owner| owner != NOBODY).map(|&owner| owner as usize)
            }
        }
    }

    fn insert(&mut self, part: PartId, walk: usize) {
        match self {
            Self::Few(owners) if owners.len() < MANY => {
                owners.insert(part, walk);
            }
            Self::Few(owners) => {
                let few = std::mem::take(owners);
                *self = Self::Many(Vec::new());
                few.into_iter().chain([(part, walk)]).for_each(|(part, walk)| self.insert(part, walk));
            }
            Self::Many(owners) => {
                let at = part as usize;
                if owners.len() <= at {
                    owners.resize((at + 1).max(owners.len() * 2), NOBODY);
                }
                owners[at] = walk as u32;
            }
        }
    }
}

/// Hashes numbers of parts with one multiplication. The numbers are dense and not
/// chosen by an attacker, so the default hasher's protection against crafted
/// keys would cost time for nothing.
#[derive(Default)]
struct NumberHasher(u64);

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

#[derive(Default)]
struct Walk {
    frontier: VecDeque<Part>,
    seen: Vec<Part>,
}

impl Walks {
    pub(super) fn new(seeds: &[Part]) -> Self {
        Self {
            owners: Owners::Few(seeds.iter().enumerate().map(|(walk, &seed)| (seed.number, walk)).collect()),
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

    /// The next part to expand; `None` if the walk has seen everything.
    pub(super) fn step(&mut self, walk: usize) -> Option<Part> {
        self.extents[walk].frontier.pop_front()
    }

    /// Records that `walk` came to `part`: new ground, or ground of another walk.
    pub(super) fn reach(&mut self, walk: usize, part: Part) {
        match self.owners.get(part.number) {
            None => {
                self.owners.insert(part.number, walk);
                self.extents[walk].frontier.push_back(part);
                self.extents[walk].seen.push(part);
            }
            Some(owner) => self.merge(walk, owner),
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
            // The larger list stays in place: every part moves O(log) times.
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

    /// Ends a walk and returns every part it has seen.
    pub(super) fn end(&mut self, walk: usize) -> Vec<Part> {
        self.running -= 1;
        std::mem::take(&mut self.extents[walk].seen)
    }
}
