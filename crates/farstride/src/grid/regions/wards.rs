//! Wards: parts that are connected within a district, found again after edits.

use super::parts::{ByNumber, Part, PartId, Ward, WardId};
use super::{Regions, Touching};
use crate::base::Sets;
use std::collections::{BTreeMap, BTreeSet};

/// What has changed in districts whose wards have to be found again.
#[derive(Default)]
pub(super) struct Changes(BTreeMap<usize, Change>);

#[derive(Default)]
struct Change {
    /// Parts to group again, even if they touch nothing now.
    parts: Vec<PartId>,
    /// Wards of parts that are gone.
    left: Vec<WardId>,
}

impl Changes {
    /// Notes parts of a district, and the wards of parts that are gone.
    pub(super) fn note(
        &mut self,
        district: usize,
        parts: impl IntoIterator<Item = PartId>,
        left: impl IntoIterator<Item = WardId>,
    ) {
        let change = self.0.entry(district).or_default();
        change.parts.extend(parts);
        change.left.extend(left);
    }
}

impl Regions {
    /// The wards of a map that has parts, none of which has a ward yet: `first_parts` has the first part of each square, and one more
    /// for the end. Each ward gets a region of its own.
    pub(super) fn find_wards(&mut self, first_parts: &[PartId]) {
        for district in 0..self.tiling.districts() {
            let parts = self
                .tiling
                .squares_of(district)
                .flat_map(|square| first_parts[square]..first_parts[square + 1]);
            let parts: Vec<PartId> = parts.collect();
            let mut wards = Vec::new();
            for (&part, group) in parts.iter().zip(self.groups(district, &parts)) {
                if group == wards.len() {
                    let region = self.new_region();
                    wards.push(self.wards.add(region));
                }
                self.parts.set_owner(part, wards[group]);
            }
        }
        for district in 0..self.tiling.districts() {
            let beyond = self.find_beyond(district);
            // Each pair of districts is joined once, by the later one.
            for &(ward, other) in beyond.iter().filter(|(_, other)| (other.district as usize) < district) {
                self.join_wards(ward, other.number);
            }
            self.beyond.push(beyond);
        }
    }

    /// The group of each of these parts, which include all that touch others of the district: those that are connected
    /// within it.
    fn groups(&self, district: usize, parts: &[PartId]) -> Vec<usize> {
        let position: ByNumber<u32> = (0..).zip(parts).map(|(at, &part)| (part, at)).collect();
        let mut joined = Sets::new(parts.len());
        for square in self.tiling.squares_of(district) {
            for (part, other) in &self.touching[square] {
                // Each pair comes once from either side.
                if other.number > *part
                    && let (Some(&here), Some(&there)) = (position.get(part), position.get(&other.number))
                {
                    joined.join(here, there);
                }
            }
        }
        joined.positions()
    }

    /// Finds the wards of changed districts again. One that fell apart keeps its region in all pieces.
    pub(super) fn find_wards_again(&mut self, changes: Changes) {
        let mut around = BTreeSet::new();
        let districts: Vec<usize> = changes.0.keys().copied().collect();
        for (district, change) in changes.0 {
            self.find_wards_of(district, change);
        }
        for district in districts {
            let beyond = self.find_beyond(district);
            // Where a district touches what it did, so do those around it.
            if beyond != self.beyond[district] {
                self.beyond[district] = beyond;
                around.extend(self.tiling.districts_around(district));
            }
        }
        for district in around {
            self.beyond[district] = self.find_beyond(district);
        }
    }

    fn find_wards_of(&mut self, district: usize, Change { mut parts, left }: Change) {
        for square in self.tiling.squares_of(district) {
            parts.extend(self.touching[square].iter().map(|&(part, _)| part));
        }
        parts.sort_unstable();
        parts.dedup();
        let groups = self.groups(district, &parts);
        let mut former: Vec<WardId> = parts.iter().map(|&part| self.parts.owner(part)).chain(left).collect();
        let mut taken = BTreeSet::new();
        let mut wards = Vec::new();
        for (&part, group) in parts.iter().zip(groups) {
            let old = self.parts.owner(part);
            if group == wards.len() {
                let region = self.wards.owner(old);
                wards.push(if taken.insert(old) { old } else { self.wards.add(region) });
            }
            self.join_wards(wards[group], old);
            self.parts.set_owner(part, wards[group]);
        }
        former.sort_unstable();
        former.dedup();
        for ward in former.into_iter().filter(|ward| !taken.contains(ward)) {
            self.wards.remove(ward);
        }
    }

    /// Finds what the wards of a district touch.
    pub(super) fn find_beyond(&self, district: usize) -> Touching<Ward> {
        let mut beyond = Vec::new();
        for square in self.tiling.squares_of(district) {
            for (part, other) in &self.touching[square] {
                let there = self.tiling.district_of(other.square as usize);
                if there != district {
                    beyond.push((self.parts.owner(*part), self.ward(*other)));
                }
            }
        }
        beyond.sort_unstable();
        beyond.dedup();
        beyond.into()
    }

    /// The ward of a part.
    pub(super) fn ward(&self, part: Part) -> Ward {
        let district = self.tiling.district_of(part.square as usize);
        Ward { number: self.parts.owner(part.number), district: district as u32 }
    }

    /// Joins the regions of two wards.
    fn join_wards(&mut self, one: WardId, other: WardId) {
        self.join_regions(self.wards.owner(one), self.wards.owner(other));
    }
}
