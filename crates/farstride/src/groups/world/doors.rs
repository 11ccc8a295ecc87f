//! The doors of all instances.

use super::slots::reserve_some;
use super::{Door, WorldError};
use crate::base::{Cost, Inconsistent, NodeId};
use std::collections::BTreeSet;
use std::ops::Range;

/// A door of an instance in 20 bytes.
///
/// It names the exit by its node, not by its index, so that searches need no table of
/// exits.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedDoor {
    /// The node of the base graph.
    pub(super) outside: u32,
    /// The exit node, numbered as in the world.
    pub(super) inside: u32,
    /// Lower halves of the costs out and in.
    low: [u32; 2],
    /// Upper halves: costs have 48 bits.
    high: [u16; 2],
}

/// Stands for a direction in which the door does not open; real costs are below.
const CLOSED: u64 = Cost::MAX.units();

impl PackedDoor {
    /// Packs a door whose exit node is `inside`. Its costs must be below [`Cost::MAX`].
    pub(super) fn new(door: &Door, inside: u32) -> Self {
        let units = [door.out, door.into].map(|cost| cost.map_or(CLOSED, Cost::units));
        let (low, high) = (units.map(|units| units as u32), units.map(|units| (units >> 32) as u16));
        Self { outside: door.outside.index() as u32, inside, low, high }
    }

    #[inline]
    fn cost(&self, direction: usize) -> Option<Cost> {
        let units = u64::from(self.high[direction]) << 32 | u64::from(self.low[direction]);
        (units != CLOSED).then(|| Cost::from_units(units))
    }

    #[inline]
    pub(super) fn cost_out(&self) -> Option<Cost> {
        self.cost(0)
    }

    #[inline]
    pub(super) fn cost_in(&self) -> Option<Cost> {
        self.cost(1)
    }

    /// Unpacks the door, given the index of its exit.
    pub(super) fn door(&self, exit: u32) -> Door {
        Door { exit, outside: NodeId::new(self.outside), out: self.cost_out(), into: self.cost_in() }
    }
}

/// The doors of all instances in one list, those of an instance side by side.
///
/// Places of removed instances are reused, the shortest run that is long enough first.
/// Free runs next to each other are not joined: instances of one type mostly have as
/// many doors, so that the next one fits exactly.
#[derive(Clone, Debug, Default)]
pub(super) struct DoorList {
    list: Vec<PackedDoor>,
    /// Runs of places that are free.
    free: BTreeSet<FreeRun>,
}

/// Consecutive free places. Ordered by length first: runs are looked for by length.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct FreeRun {
    length: u32,
    first: u32,
}

impl DoorList {
    #[inline]
    pub(super) fn get(&self, place: u32) -> &PackedDoor {
        &self.list[place as usize]
    }

    #[inline]
    pub(super) fn range(&self, places: Range<usize>) -> &[PackedDoor] {
        &self.list[places]
    }

    /// Checks that `more` doors can be added without exceeding `most`.
    pub(super) fn check_room(&self, more: usize, most: usize) -> Result<(), WorldError> {
        let fits = self.list.len().checked_add(more).is_some_and(|all| all <= most);
        if fits { Ok(()) } else { Err(WorldError::TooManyDoors) }
    }

    /// Adds the doors of an instance; returns their places.
    pub(super) fn add(&mut self, doors: &[PackedDoor]) -> Range<usize> {
        let count = doors.len();
        if count == 0 {
            return 0..0;
        }
        // The rest of a run stays free as a shorter one.
        let at_least = FreeRun { length: count as u32, first: 0 };
        if let Some(&run) = self.free.range(at_least..).next() {
            let FreeRun { length, first } = run;
            self.free.remove(&run);
            if length > count as u32 {
                self.free.insert(FreeRun { length: length - count as u32, first: first + count as u32 });
            }
            let places = first as usize..first as usize + count;
            self.list[places.clone()].copy_from_slice(doors);
            return places;
        }
        reserve_some(&mut self.list, count);
        self.list.extend_from_slice(doors);
        self.list.len() - count..self.list.len()
    }

    /// Frees the places of an instance's doors.
    pub(super) fn remove(&mut self, places: &Range<usize>) {
        if !places.is_empty() {
            let (length, first) = (places.len() as u32, places.start as u32);
            self.free.insert(FreeRun { length, first });
        }
    }

    /// Re-proves that the given ranges and the free runs cover the list without
    /// overlapping.
    pub(super) fn check(&self, given: impl Iterator<Item = Range<usize>>) -> Result<(), Inconsistent> {
        let free = self.free.iter().map(|run| run.first as usize..(run.first + run.length) as usize);
        let mut all: Vec<_> = given.filter(|places| !places.is_empty()).chain(free).collect();
        all.sort_unstable_by_key(|places| places.start);
        let mut next = 0;
        for places in all {
            if places.start != next {
                return Err(Inconsistent::new(format!("doors at {places:?}, but {next} is next")));
            }
            next = places.end;
        }
        if next == self.list.len() {
            Ok(())
        } else {
            Err(Inconsistent::new(format!("doors after {next} belong to nothing")))
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.list.capacity() * size_of::<PackedDoor>() + self.free.len() * size_of::<FreeRun>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_and_closed_directions_come_back() {
        let most = Cost::from_units(Cost::MAX.units() - 1);
        for out in [None, Some(Cost::ZERO), Some(most), Some(Cost::from_units(1 << 32))] {
            for into in [None, Some(Cost::ZERO), Some(most), Some(Cost::from_units(u64::from(u32::MAX)))] {
                let door = Door { exit: 3, outside: NodeId::new(u32::MAX - 1), out, into };
                let wire = PackedDoor::new(&door, 7);
                assert_eq!((wire.door(3), wire.inside), (door, 7));
            }
        }
        assert_eq!(size_of::<PackedDoor>(), 20);
    }

    #[test]
    fn runs_are_reused_the_shortest_first() {
        let mut wires = DoorList::default();
        let new = |count| vec![PackedDoor::new(&Door::both_ways(0, NodeId::new(0), Cost::ZERO), 0); count];
        let stretches = [5, 2, 3].map(|count| wires.add(&new(count)));
        for places in &stretches {
            wires.remove(places);
        }
        assert_eq!(wires.add(&new(3)), 7..10);
        assert_eq!(wires.add(&new(1)), 5..6);
        assert_eq!(wires.add(&new(4)), 0..4);
        assert_eq!(wires.add(&new(2)), 10..12);
        wires.check([7..10, 5..6, 0..4, 10..12].into_iter()).unwrap();
        assert!(wires.check([7..10, 5..6, 0..4].into_iter()).is_err());
    }

    #[test]
    fn too_many_doors_are_refused() {
        let mut wires = DoorList::default();
        wires.add(&[PackedDoor::new(&Door::both_ways(0, NodeId::new(0), Cost::ZERO), 0); 5]);
        assert_eq!(wires.check_room(2, 7), Ok(()));
        assert_eq!(wires.check_room(3, 7), Err(WorldError::TooManyDoors));
        assert_eq!(WorldError::TooManyDoors.to_string(), "more doors than 32 bits can count");
    }
}
