//! Labels from parts that somebody else wrote.

use super::HubLabels;
use crate::contraction::ContractionHierarchy;

/// The arrays of labels.
pub(crate) struct LabelParts {
    pub(crate) first: Vec<u32>,
    pub(crate) hubs: Vec<u32>,
    pub(crate) costs: Vec<u32>,
    pub(crate) steps: Vec<u16>,
}

impl HubLabels {
    /// Labels of a hierarchy of these parts, if they have the invariants of such
    /// but for the last: that is, every entry is a way, and costs what it says.
    pub(crate) fn from_parts(
        hierarchy: &ContractionHierarchy,
        parts: LabelParts,
    ) -> Result<Self, &'static str> {
        let LabelParts { first, hubs, costs, steps } = parts;
        let entries = hubs.len();
        let is_sound = [costs.len(), steps.len()] == [entries; 2]
            && first.first() == Some(&0)
            && first.is_sorted()
            && first.last().is_some_and(|&end| end as usize == entries)
            && first.len() <= hierarchy.node_count() + 1
            && (hierarchy.core_size() == 0 || entries == 0);
        if !is_sound {
            return Err("have rows of labels that overlap or leave gaps");
        }
        let labels =
            Self { first: first.into(), hubs: hubs.into(), costs: costs.into(), steps: steps.into() };
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
            let (cost, step) = (self.costs[entry], self.steps[entry]);
            if entry + 1 == range.end {
                if (cost, step) != (0, Self::ARRIVED) {
                    return Err("have a label that does not end with itself");
                }
                continue;
            }
            let arcs = hierarchy.up_arcs(rank);
            let Some(arc) = arcs.get(usize::from(step)).filter(|_| step != Self::ARRIVED) else {
                return Err("have an entry that starts with an arc of another node");
            };
            // All arcs lead to higher ranks: there is no core.
            let Some(next) = self.entry_of(arc.head, self.hubs[entry]) else {
                return Err("have an entry that does not go on");
            };
            if u64::from(arc.cost) + u64::from(self.costs[next as usize]) != u64::from(cost) {
                return Err("have an entry of another cost than its way");
            }
        }
        Ok(())
    }
}
