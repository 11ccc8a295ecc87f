//! The doors of all instances.

use super::slots::make_room;
use super::{Door, WorldError};
use crate::base::{Cost, NodeId};
use std::collections::BTreeSet;
use std::ops::Range;

/// A door of an instance in 20 bytes. It names the exit by its node, not by its
/// number, so that searches need no table of exits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wire {
    /// The node of the base graph.
    pub(super) outside: u32,
    /// The exit node, in numbers of the world.
    pub(super) inside: u32,
    low: [u32; 2],
    /// Upper halves of the costs out and into.
    high: [u16; 2],
}

/// How [`Cost::MAX`] is read: the door cannot be used in that direction.
const NO_WAY: u64 = Cost::MAX.units();

impl Wire {
    /// A door whose exit node is `inside`; its costs are below [`Cost::MAX`].
    pub(super) fn new(door: &Door, inside: u32) -> Self {
        let units = [door.out, door.into].map(|cost| cost.map_or(NO_WAY, Cost::units));
        let (low, high) = (units.map(|units| units as u32), units.map(|units| (units >> 32) as u16));
        Self { outside: door.outside.index() as u32, inside, low, high }
    }

    #[inline]
    fn cost(&self, direction: usize) -> Option<Cost> {
        let units = u64::from(self.high[direction]) << 32 | u64::from(self.low[direction]);
        (units != NO_WAY).then(|| Cost::from_units(units))
    }

    #[inline]
    pub(super) fn cost_out(&self) -> Option<Cost> {
        self.cost(0)
    }

    #[inline]
    pub(super) fn cost_in(&self) -> Option<Cost> {
        self.cost(1)
    }

    /// The door as it was given, by the number of its exit.
    pub(super) fn door(&self, exit: u32) -> Door {
        Door { exit, outside: NodeId::new(self.outside), out: self.cost_out(), into: self.cost_in() }
    }
}

/// Doors of all instances in one list, those of an instance side by side.
///
/// What a removed instance leaves is used again, the shortest stretch that is
/// long enough first; neighbouring stretches are not joined.
#[derive(Clone, Debug, Default)]
pub(super) struct Wires {
    wires: Vec<Wire>,
    /// Length and beginning of every stretch that is free.
    free: BTreeSet<(u32, u32)>,
}

impl Wires {
    #[inline]
    pub(super) fn get(&self, place: u32) -> &Wire {
        &self.wires[place as usize]
    }

    #[inline]
    pub(super) fn stretch(&self, places: Range<usize>) -> &[Wire] {
        &self.wires[places]
    }

    /// Makes sure that so many doors can be added.
    pub(super) fn check_room(&self, more: usize, most: usize) -> Result<(), WorldError> {
        let fits = self.wires.len().checked_add(more).is_some_and(|all| all <= most);
        if fits { Ok(()) } else { Err(WorldError::TooManyDoors) }
    }

    /// Adds the doors of an instance.
    pub(super) fn add(&mut self, wires: &[Wire]) -> Range<usize> {
        let count = wires.len();
        if count == 0 {
            return 0..0;
        }
        if let Some(&(length, first)) = self.free.range((count as u32, 0)..).next() {
            self.free.remove(&(length, first));
            if length > count as u32 {
                self.free.insert((length - count as u32, first + count as u32));
            }
            let places = first as usize..first as usize + count;
            self.wires[places.clone()].copy_from_slice(wires);
            return places;
        }
        make_room(&mut self.wires, count);
        self.wires.extend_from_slice(wires);
        self.wires.len() - count..self.wires.len()
    }

    /// Leaves the place of some doors to others.
    pub(super) fn remove(&mut self, places: &Range<usize>) {
        if !places.is_empty() {
            self.free.insert((places.len() as u32, places.start as u32));
        }
    }

    /// Re-proves that the stretches given and the free ones are all there are
    /// and do not overlap.
    pub(super) fn check(&self, given: impl Iterator<Item = Range<usize>>) -> Result<(), String> {
        let free = self.free.iter().map(|&(length, first)| first as usize..(first + length) as usize);
        let mut all: Vec<_> = given.filter(|places| !places.is_empty()).chain(free).collect();
        all.sort_unstable_by_key(|places| places.start);
        let mut next = 0;
        for places in all {
            if places.start != next {
                return Err(format!("doors at {places:?}, but {next} is next"));
            }
            next = places.end;
        }
        if next == self.wires.len() { Ok(()) } else { Err(format!("doors after {next} belong to nothing")) }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.wires.capacity() * size_of::<Wire>() + self.free.len() * size_of::<(u32, u32)>()
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
                let wire = Wire::new(&door, 7);
                assert_eq!((wire.door(3), wire.inside), (door, 7));
            }
        }
        assert_eq!(size_of::<Wire>(), 20);
    }

    #[test]
    fn stretches_are_used_again_the_shortest_first() {
        let mut wires = Wires::default();
        let new = |count| vec![Wire::new(&Door::both_ways(0, NodeId::new(0), Cost::ZERO), 0); count];
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
        let mut wires = Wires::default();
        wires.add(&[Wire::new(&Door::both_ways(0, NodeId::new(0), Cost::ZERO), 0); 5]);
        assert_eq!(wires.check_room(2, 7), Ok(()));
        assert_eq!(wires.check_room(3, 7), Err(WorldError::TooManyDoors));
        assert_eq!(WorldError::TooManyDoors.to_string(), "more doors than 32 bits can count");
    }
}
