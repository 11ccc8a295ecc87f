//! Labels from parts that somebody else wrote.

use super::HubLabels;
use crate::contraction::ContractionHierarchy;

/// The arrays of labels.
pub(crate) struct LabelParts {
    pub(crate) first: Vec<u32>,
    pub(crate) hubs: Vec<u32>,
    pub(crate) costs: Vec<u32>,
    pub(crate) arcs: Vec<u32>,
    pub(crate) nexts: Vec<u32>,
}

impl HubLabels {
    /// Labels of a hierarchy of these parts, if they have the invariants of such
    /// but for the last: that is, every entry is a way, and costs what it says.
    pub(crate) fn from_parts(
        hierarchy: &ContractionHierarchy,
        parts: LabelParts,
    ) -> Result<Self, &'static str> {
        let LabelParts { first, hubs, costs, arcs, nexts } = parts;
        let entries = hubs.len();
        let is_sound = [costs.len(), arcs.len(), nexts.len()] == [entries; 3]
            && first.first() == Some(&0)
            && first.is_sorted()
            && first.last().is_some_and(|&end| end as usize == entries)
            && first.len() <= hierarchy.node_count() + 1
            && (hierarchy.core_size() == 0 || entries == 0);
        if !is_sound {
            return Err("have rows of labels that overlap or leave gaps");
        }
        let labels = Self {
            first: first.into(),
            hubs: hubs.into(),
            costs: costs.into(),
            arcs: arcs.into(),
            nexts: nexts.into(),
        };
        for rank in 0..labels.top() {
            labels.check_label(hierarchy, rank)?;
        }
        Ok(labels)
    }

    /// Invariants 2 and 3.
    fn check_label(&self, hierarchy: &ContractionHierarchy, rank: u32) -> Result<(), &'static str> {
        let range = self.range(rank);
        let hubs = &self.hubs[range.clone()];
        if hubs.last() != Some(&rank) || !hubs.is_sorted_by(|one, other| one < other) {
            return Err("have a label whose hubs do not rise up to itself");
        }
        for entry in range.clone() {
            let [cost, arc, next] = [self.costs[entry], self.arcs[entry], self.nexts[entry]];
            if entry + 1 == range.end {
                if [cost, arc, next] != [0, Self::NONE, Self::NONE] {
                    return Err("have a label that does not end with itself");
                }
                continue;
            }
            if !hierarchy.range(rank).contains(&(arc as usize)) {
                return Err("have an entry that starts with an arc of another node");
            }
            let arc = hierarchy.arcs()[arc as usize];
            let next = next as usize;
            if arc.head >= rank
                || !self.range(arc.head).contains(&next)
                || self.hubs[next] != self.hubs[entry]
            {
                return Err("have an entry that goes on to another hub");
            }
            if u64::from(arc.cost) + u64::from(self.costs[next]) != u64::from(cost) {
                return Err("have an entry of another cost than its way");
            }
        }
        Ok(())
    }
}
