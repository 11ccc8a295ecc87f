//! Finding the doors at a node of the base graph.

use super::doors::{DoorList, PackedDoor};
use crate::base::Inconsistent;
use std::cmp::Ordering;

/// Doors sorted by the node outside, then by the node inside.
///
/// A bit per node of the base graph tells whether it has any doors, which answers most
/// lookups. The sorted list is stored in pages that are split when they are full: a
/// B-tree of one level, which is enough for a million doors.
#[derive(Clone, Debug)]
pub(super) struct Entrances {
    bits: Box<[u64]>,
    /// No page is empty, and entries ascend throughout.
    pages: Vec<Vec<Entry>>,
}

/// Maximum number of entries of a page. Moving its 2 kB takes no time to speak of, and
/// a million doors make a list of a few thousand pages.
const PAGE: usize = 256;

/// A door by its place in the list of doors, and its node outside.
#[derive(Clone, Copy, Debug)]
struct Entry {
    outside: u32,
    door: u32,
}

/// Compares entries by node outside, node inside, and place in the list. The first
/// decides mostly, and is stored in the entry itself.
fn order(doors: &DoorList, one: Entry, other: Entry) -> Ordering {
    let rest = |entry: Entry| (doors.get(entry.door).inside, entry.door);
    one.outside.cmp(&other.outside).then_with(|| rest(one).cmp(&rest(other)))
}

impl Entrances {
    pub(super) fn new(base_nodes: usize) -> Self {
        Self { bits: vec![0; base_nodes.div_ceil(64)].into(), pages: Vec::new() }
    }

    /// Whether a node of the base graph has doors.
    #[inline]
    pub(super) fn has_doors(&self, node: u32) -> bool {
        self.bits[node as usize / 64] >> (node % 64) & 1 != 0
    }

    /// The doors at a node of the base graph.
    pub(super) fn doors_at<'e>(
        &'e self,
        doors: &'e DoorList,
        node: u32,
    ) -> impl Iterator<Item = &'e PackedDoor> {
        // One page before the first that begins with the node: its doors may start at
        // the end of that page.
        let page = self.pages.partition_point(|page| page[0].outside < node).saturating_sub(1);
        let within =
            self.pages.get(page).map_or(0, |page| page.partition_point(|entry| entry.outside < node));
        let entries = self.pages[page.min(self.pages.len())..].iter().flatten().skip(within);
        entries.take_while(move |entry| entry.outside == node).map(|entry| doors.get(entry.door))
    }

    /// The page and the position in it where an entry is, or belongs.
    fn find(&self, doors: &DoorList, wanted: Entry) -> (usize, usize) {
        let before = |entry: Entry| order(doors, entry, wanted);
        let page = self.pages.partition_point(|page| before(page[0]).is_le()).saturating_sub(1);
        let entries = self.pages.get(page).map_or(&[][..], Vec::as_slice);
        (page, entries.partition_point(|&entry| before(entry).is_lt()))
    }

    /// Adds the door at a place of the list.
    pub(super) fn add(&mut self, doors: &DoorList, door: u32) {
        let entry = Entry { outside: doors.get(door).outside, door };
        self.bits[entry.outside as usize / 64] |= 1 << (entry.outside % 64);
        let (mut page, mut at) = self.find(doors, entry);
        if self.pages.is_empty() {
            self.pages.push(Vec::with_capacity(PAGE));
        }
        if self.pages[page].len() == PAGE {
            // A full page with the new entry at its end stays full: doors that are
            // added in order fill every page.
            let half = if at == PAGE { PAGE } else { PAGE / 2 };
            let mut upper = Vec::with_capacity(PAGE);
            upper.extend(self.pages[page].drain(half..));
            self.pages.insert(page + 1, upper);
            if at > half || at == PAGE {
                (page, at) = (page + 1, at - half);
            }
        }
        self.pages[page].insert(at, entry);
    }

    /// Removes the door at a place of the list. It must still be in that list.
    pub(super) fn remove(&mut self, doors: &DoorList, door: u32) {
        let outside = doors.get(door).outside;
        let (page, at) = self.find(doors, Entry { outside, door });
        self.pages[page].remove(at);
        self.join(page);
        if self.doors_at(doors, outside).next().is_none() {
            self.bits[outside as usize / 64] &= !(1 << (outside % 64));
        }
    }

    /// Joins a page with the next one if both together are at most half full. Not at
    /// full: the next `add` would split them again.
    fn join(&mut self, page: usize) {
        if self.pages[page].is_empty() {
            self.pages.remove(page);
        } else if page + 1 < self.pages.len()
            && self.pages[page].len() + self.pages[page + 1].len() <= PAGE / 2
        {
            let upper = self.pages.remove(page + 1);
            self.pages[page].extend(upper);
        }
    }

    /// Re-proves that exactly the doors at these places are listed, in order, and that
    /// the bits say where.
    pub(super) fn check(
        &self,
        doors: &DoorList,
        places: impl Iterator<Item = usize>,
    ) -> Result<(), Inconsistent> {
        if self.pages.iter().any(Vec::is_empty) {
            return Err(Inconsistent::new("a page of entrances is empty"));
        }
        let entries: Vec<_> = self.pages.iter().flatten().copied().collect();
        if entries.windows(2).any(|pair| order(doors, pair[0], pair[1]).is_ge()) {
            return Err(Inconsistent::new("entrances are not in order"));
        }
        let mut expected: Vec<_> = places.map(|place| place as u32).collect();
        let mut found: Vec<_> = entries.iter().map(|entry| entry.door).collect();
        expected.sort_unstable();
        found.sort_unstable();
        if found != expected {
            return Err(Inconsistent::new("entrances are not the doors of the instances"));
        }
        let mut bits = vec![0; self.bits.len()];
        for entry in entries {
            bits[entry.outside as usize / 64] |= 1 << (entry.outside % 64);
            if doors.get(entry.door).outside != entry.outside {
                return Err(Inconsistent::new(format!(
                    "an entrance at {} is of another node",
                    entry.outside
                )));
            }
        }
        if *bits == *self.bits { Ok(()) } else { Err(Inconsistent::new("the bits of entrances are wrong")) }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let entries: usize = self.pages.iter().map(Vec::capacity).sum();
        size_of_val(&*self.bits)
            + self.pages.capacity() * size_of::<Vec<Entry>>()
            + entries * size_of::<Entry>()
    }
}
