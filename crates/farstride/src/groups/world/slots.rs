//! Which node numbers belong to which instance.

use super::{TypeId, WorldError};
use crate::base::Inconsistent;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

/// An instance of a building in one [`World`](super::World).
///
/// Its [`index`](InstanceId::index) is below
/// [`World::instance_slots`](super::World::instance_slots), and no two instances in the
/// world at the same time share one. An index is reused once its instance is removed,
/// but the id is not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InstanceId {
    slot: u32,
    /// How many instances had the slot before.
    generation: u32,
}

impl InstanceId {
    /// An index for tables of instances.
    pub const fn index(self) -> usize {
        self.slot as usize
    }
}

impl fmt::Display for InstanceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.slot, self.generation)
    }
}

/// A range of node numbers, and the instance that has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// The first number; the range ends where that of the next slot begins.
    pub(super) offset: u32,
    /// The type of the instance, or [`VACANT`].
    kind: u32,
    pub(super) first_door: u32,
    pub(super) door_count: u32,
}

/// A vacant slot. The order by size comes first: slots are looked for by their size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct VacantSlot {
    nodes: u32,
    slot: u32,
}

/// Marks a slot without an instance, where an `Option` would take another word.
const VACANT: u32 = u32::MAX;

impl Slot {
    /// The type of the instance; `None` if the slot is vacant.
    #[inline]
    pub(super) fn kind(&self) -> Option<TypeId> {
        (self.kind != VACANT).then(|| TypeId::new(self.kind))
    }

    /// The places of its doors in the list of all doors.
    pub(super) const fn doors(&self) -> Range<usize> {
        self.first_door as usize..self.first_door as usize + self.door_count as usize
    }
}

/// All ranges of node numbers above those of the base graph.
///
/// Ranges never move, join or split: a removed instance leaves its range to the next
/// instance with as many nodes. So slots stay sorted by offset without ever being
/// moved. A *directory* over the upper bits of node numbers makes lookups fast: mostly
/// it leaves one or two slots to choose from.
///
/// # Invariants
///
/// 1. Slots follow each other without gaps from `start` to `end`, each with at least
///    one node.
/// 2. `directory[p]` is the slot of number `start + (p << shift)`, for every such
///    number below `end`.
/// 3. `vacant` holds every vacant slot.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    start: usize,
    end: usize,
    list: Vec<Slot>, // (1)
    generations: Vec<u32>,
    shift: u32,
    directory: Vec<u32>,          // (2)
    vacant: BTreeSet<VacantSlot>, // (3)
}

impl Slots {
    pub(super) const fn new(start: usize) -> Self {
        Self {
            start,
            end: start,
            list: Vec::new(),
            generations: Vec::new(),
            shift: 0,
            directory: Vec::new(),
            vacant: BTreeSet::new(),
        }
    }

    pub(super) const fn end(&self) -> usize {
        self.end
    }

    pub(super) const fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn at(&self, slot: usize) -> &Slot {
        &self.list[slot]
    }

    /// The slot that a number above the base graph is in.
    #[inline]
    pub(super) fn of(&self, number: u32) -> usize {
        let page = (number as usize - self.start) >> self.shift;
        let first = self.directory[page] as usize;
        let last = self.directory.get(page + 1).map_or(self.list.len() - 1, |&slot| slot as usize);
        first + self.list[first + 1..=last].partition_point(|slot| slot.offset <= number)
    }

    /// The node numbers of a slot.
    #[inline]
    pub(super) fn numbers(&self, slot: usize) -> Range<u32> {
        let end = self.list.get(slot + 1).map_or(self.end as u32, |next| next.offset);
        self.list[slot].offset..end
    }

    /// Returns the slot that an instance of this many nodes would get: the lowest
    /// vacant one of exactly this size, else a new one at the end.
    pub(super) fn place_for(&self, nodes: u32) -> Result<usize, WorldError> {
        let of_this_size = VacantSlot { nodes, slot: 0 }..=VacantSlot { nodes, slot: u32::MAX };
        if let Some(vacant) = self.vacant.range(of_this_size).next() {
            return Ok(vacant.slot as usize);
        }
        let fits = self.end.checked_add(nodes as usize).is_some_and(|end| u32::try_from(end).is_ok());
        if fits { Ok(self.list.len()) } else { Err(WorldError::WorldFull { offset: self.end, nodes }) }
    }

    /// The first number of a slot that [`Slots::place_for`] returned.
    pub(super) fn offset_at(&self, slot: usize) -> u32 {
        self.list.get(slot).map_or(self.end as u32, |slot| slot.offset)
    }

    /// Fills the slot that [`Slots::place_for`] returned.
    pub(super) fn take(&mut self, slot: usize, nodes: u32, kind: TypeId, doors: &Range<usize>) -> InstanceId {
        let offset = self.offset_at(slot);
        let (first_door, door_count) = (doors.start as u32, doors.len() as u32);
        let taken = Slot { offset, kind: kind.index() as u32, first_door, door_count };
        if let Some(old) = self.list.get_mut(slot) {
            *old = taken;
            self.vacant.remove(&VacantSlot { nodes, slot: slot as u32 });
        } else {
            self.append(taken, nodes);
        }
        self.id(slot)
    }

    /// Adds a slot at the end.
    fn append(&mut self, slot: Slot, nodes: u32) {
        reserve_some(&mut self.list, 1);
        reserve_some(&mut self.generations, 1);
        self.list.push(slot);
        self.generations.push(0);
        self.end += nodes as usize;
        // Rebuilt only when the directory is off by a factor, so that placing n
        // instances takes O(n) in all.
        let pages = self.pages_at(self.shift);
        if pages > 2 * self.list.len() + SLACK || self.list.len() > 4 * pages + SLACK {
            self.rebuild_directory();
        } else {
            self.extend_directory(self.list.len() - 1, self.end);
        }
    }

    /// Number of directory entries with this shift.
    fn pages_at(&self, shift: u32) -> usize {
        ((self.end - self.start - 1) >> shift) + 1
    }

    /// Rebuilds the directory with at most as many entries as slots.
    fn rebuild_directory(&mut self) {
        self.shift = 0;
        while self.pages_at(self.shift) > self.list.len() {
            self.shift += 1;
        }
        self.directory = Vec::new();
        for slot in 0..self.list.len() {
            self.extend_directory(slot, self.numbers(slot).end as usize);
        }
    }

    /// Adds directory entries for a slot up to number `end`.
    fn extend_directory(&mut self, slot: usize, end: usize) {
        while self.start + (self.directory.len() << self.shift) < end {
            reserve_some(&mut self.directory, 1);
            self.directory.push(slot as u32);
        }
    }

    /// Empties a slot and leaves it to other instances; returns its old content.
    pub(super) fn vacate(&mut self, slot: usize) -> Slot {
        let numbers = self.numbers(slot);
        self.vacant.insert(VacantSlot { nodes: numbers.end - numbers.start, slot: slot as u32 });
        self.generations[slot] = self.generations[slot].wrapping_add(1);
        let vacant = Slot { kind: VACANT, door_count: 0, ..self.list[slot] };
        std::mem::replace(&mut self.list[slot], vacant)
    }

    /// The id of the instance in a slot.
    pub(super) fn id(&self, slot: usize) -> InstanceId {
        InstanceId { slot: slot as u32, generation: self.generations[slot] }
    }

    /// Returns the slot of an instance.
    ///
    /// # Errors
    /// [`WorldError`] if the instance was never placed, or has been removed.
    pub(super) fn instance(&self, id: InstanceId) -> Result<&Slot, WorldError> {
        let slot = self.list.get(id.index()).filter(|_| id.generation <= self.generations[id.index()]);
        let slot = slot.ok_or(WorldError::UnknownInstance { found: id, slots: self.list.len() })?;
        let is_there = slot.kind != VACANT && id.generation == self.generations[id.index()];
        if is_there { Ok(slot) } else { Err(WorldError::Removed { found: id }) }
    }

    pub(super) fn instances(&self) -> impl Iterator<Item = InstanceId> {
        let taken = self.list.iter().enumerate().filter(|(_, slot)| slot.kind != VACANT);
        taken.map(|(slot, _)| self.id(slot))
    }

    /// Re-proves the invariants.
    pub(super) fn check(&self) -> Result<(), Inconsistent> {
        let mut next = self.start;
        let mut vacant = BTreeSet::new();
        for (at, slot) in self.list.iter().enumerate() {
            let numbers = self.numbers(at);
            if slot.offset as usize != next || numbers.is_empty() {
                return Err(Inconsistent::new(format!(
                    "slot {at} has numbers {numbers:?}, but {next} is next"
                )));
            }
            next = numbers.end as usize;
            if slot.kind == VACANT {
                vacant.insert(VacantSlot { nodes: numbers.end - numbers.start, slot: at as u32 });
            }
        }
        let pages = if self.list.is_empty() { 0 } else { self.pages_at(self.shift) };
        let slot_of_page = |page: usize| {
            let number = self.start + (page << self.shift);
            self.list.partition_point(|slot| slot.offset as usize <= number) as u32 - 1
        };
        if next != self.end || self.generations.len() != self.list.len() {
            return Err(Inconsistent::new(format!("slots end at {next} instead of {}", self.end)));
        }
        if !self.directory.iter().copied().eq((0..pages).map(slot_of_page)) {
            return Err(Inconsistent::new("the directory does not lead to the slots"));
        }
        if vacant == self.vacant {
            Ok(())
        } else {
            Err(Inconsistent::new("the vacant slots are others than noted"))
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.list.capacity() * size_of::<Slot>()
            + (self.generations.capacity() + self.directory.capacity()) * size_of::<u32>()
            + self.vacant.len() * size_of::<VacantSlot>()
    }
}

/// How many directory entries too many or too few are tolerated: small worlds would
/// rebuild it all the time.
const SLACK: usize = 64;

/// Makes room in a list by a sixteenth of its length at a time: doubling would leave
/// half the memory of a large world unused.
pub(super) fn reserve_some<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / 16).max(4));
    }
}
