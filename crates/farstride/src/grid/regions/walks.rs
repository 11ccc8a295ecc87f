//! Exploring the pieces of what was one region, to see whether it fell apart.

use super::parts::{ByNumber, Ward};
use std::collections::VecDeque;

/// Explorations of one former region that run side by side.
pub(super) struct Walks {
    /// The walk that first came to each ward.
    owners: ByNumber<usize>,
    extents: Vec<Walk>,
    /// The walk that each walk was merged into; itself while it runs.
    merged: Vec<usize>,
    /// Walks in the order of their turns. Merged and finished ones are dropped
    /// when their turn comes.
    turns: VecDeque<usize>,
    pub(super) running: usize,
}

#[derive(Default)]
struct Walk {
    frontier: VecDeque<Ward>,
    seen: Vec<Ward>,
}

impl Walks {
    pub(super) fn new(seeds: &[Ward]) -> Self {
        Self {
            owners: seeds.iter().enumerate().map(|(walk, &seed)| (seed.number, walk)).collect(),
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

    /// The next ward to expand; `None` if the walk has seen everything.
    pub(super) fn step(&mut self, walk: usize) -> Option<Ward> {
        self.extents[walk].frontier.pop_front()
    }

    /// Records that `walk` came to `ward`: new ground, or ground of another walk.
    pub(super) fn reach(&mut self, walk: usize, ward: Ward) {
        match self.owners.get(&ward.number).copied() {
            None => {
                self.owners.insert(ward.number, walk);
                self.extents[walk].frontier.push_back(ward);
                self.extents[walk].seen.push(ward);
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
            // The larger list stays in place: every ward moves O(log) times.
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

    /// Ends a walk and returns every ward it has seen.
    pub(super) fn end(&mut self, walk: usize) -> Vec<Ward> {
        self.running -= 1;
        std::mem::take(&mut self.extents[walk].seen)
    }
}
