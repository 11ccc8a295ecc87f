//! Which nodes of the base graph have doors.

use super::doors::{Wire, Wires};
use std::cmp::Ordering;

/// Doors sorted by the node outside, then by the node inside.
///
/// A bit per node of the base graph tells whether it has any, which is all that
/// most nodes need. The doors are in blocks that are split when they are full.
#[derive(Clone, Debug)]
pub(super) struct Entrances {
    bits: Box<[u64]>,
    /// None is empty; entries are in ascending order throughout.
    blocks: Vec<Vec<Entry>>,
}

/// Most entries of a block: 2 kB are moved in no time, and a million doors
/// make a list of a few thousand blocks.
const BLOCK: usize = 256;

/// A door, with the node outside to save a look at it.
#[derive(Clone, Copy, Debug)]
struct Entry {
    outside: u32,
    wire: u32,
}

/// The order of entries: by the node outside, the node inside, the place in the
/// list. Most are told apart by the first, which needs no look at the doors.
fn order(wires: &Wires, one: Entry, other: Entry) -> Ordering {
    let rest = |entry: Entry| (wires.get(entry.wire).inside, entry.wire);
    one.outside.cmp(&other.outside).then_with(|| rest(one).cmp(&rest(other)))
}

impl Entrances {
    pub(super) fn new(base_nodes: usize) -> Self {
        Self { bits: vec![0; base_nodes.div_ceil(64)].into(), blocks: Vec::new() }
    }

    /// Whether a node of the base graph has doors.
    #[inline]
    pub(super) fn any(&self, node: u32) -> bool {
        self.bits[node as usize / 64] >> (node % 64) & 1 != 0
    }

    /// The doors of a node of the base graph.
    pub(super) fn of<'e>(&'e self, wires: &'e Wires, node: u32) -> impl Iterator<Item = &'e Wire> {
        let block = self.blocks.partition_point(|block| block[0].outside < node).saturating_sub(1);
        let within =
            self.blocks.get(block).map_or(0, |block| block.partition_point(|entry| entry.outside < node));
        let entries = self.blocks[block.min(self.blocks.len())..].iter().flatten().skip(within);
        entries.take_while(move |entry| entry.outside == node).map(|entry| wires.get(entry.wire))
    }

    /// The block and the place in it where an entry is or belongs.
    fn find(&self, wires: &Wires, wanted: Entry) -> (usize, usize) {
        let before = |entry: Entry| order(wires, entry, wanted);
        let block = self.blocks.partition_point(|block| before(block[0]).is_le()).saturating_sub(1);
        let entries = self.blocks.get(block).map_or(&[][..], Vec::as_slice);
        (block, entries.partition_point(|&entry| before(entry).is_lt()))
    }

    /// Adds the door at a place of the list.
    pub(super) fn add(&mut self, wires: &Wires, wire: u32) {
        let entry = Entry { outside: wires.get(wire).outside, wire };
        self.bits[entry.outside as usize / 64] |= 1 << (entry.outside % 64);
        let (mut block, mut at) = self.find(wires, entry);
        if self.blocks.is_empty() {
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        if self.blocks[block].len() == BLOCK {
            // At the end of a block nothing is moved: doors that come in order fill it.
            let half = if at == BLOCK { BLOCK } else { BLOCK / 2 };
            let mut upper = Vec::with_capacity(BLOCK);
            upper.extend(self.blocks[block].drain(half..));
            self.blocks.insert(block + 1, upper);
            if at > half || at == BLOCK {
                (block, at) = (block + 1, at - half);
            }
        }
        self.blocks[block].insert(at, entry);
    }

    /// Removes the door at a place of the list, before it is removed there.
    pub(super) fn remove(&mut self, wires: &Wires, wire: u32) {
        let outside = wires.get(wire).outside;
        let (block, at) = self.find(wires, Entry { outside, wire });
        self.blocks[block].remove(at);
        self.join(block);
        if self.of(wires, outside).next().is_none() {
            self.bits[outside as usize / 64] &= !(1 << (outside % 64));
        }
    }

    /// Puts a block and the next one together if they are half full at most.
    fn join(&mut self, block: usize) {
        if self.blocks[block].is_empty() {
            self.blocks.remove(block);
        } else if block + 1 < self.blocks.len()
            && self.blocks[block].len() + self.blocks[block + 1].len() <= BLOCK / 2
        {
            let upper = self.blocks.remove(block + 1);
            self.blocks[block].extend(upper);
        }
    }

    /// Re-proves that exactly the doors at these places are there, in order,
    /// and that the bits tell where.
    pub(super) fn check(&self, wires: &Wires, places: impl Iterator<Item = usize>) -> Result<(), String> {
        if self.blocks.iter().any(Vec::is_empty) {
            return Err("a block of entrances is empty".to_owned());
        }
        let entries: Vec<_> = self.blocks.iter().flatten().copied().collect();
        if entries.windows(2).any(|pair| order(wires, pair[0], pair[1]).is_ge()) {
            return Err("entrances are not in order".to_owned());
        }
        let mut expected: Vec<_> = places.map(|place| place as u32).collect();
        let mut found: Vec<_> = entries.iter().map(|entry| entry.wire).collect();
        expected.sort_unstable();
        found.sort_unstable();
        if found != expected {
            return Err("entrances are not the doors of the instances".to_owned());
        }
        let mut bits = vec![0; self.bits.len()];
        for entry in entries {
            bits[entry.outside as usize / 64] |= 1 << (entry.outside % 64);
            if wires.get(entry.wire).outside != entry.outside {
                return Err(format!("an entrance at {} is of another node", entry.outside));
            }
        }
        if *bits == *self.bits { Ok(()) } else { Err("the bits of entrances are wrong".to_owned()) }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let entries: usize = self.blocks.iter().map(Vec::capacity).sum();
        size_of_val(&*self.bits)
            + self.blocks.capacity() * size_of::<Vec<Entry>>()
            + entries * size_of::<Entry>()
    }
}
