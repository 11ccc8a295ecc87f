//! Labels from bytes that somebody else wrote.

use super::HubLabels;
use crate::contraction::{ContractionHierarchy, Rank};

/// The arrays of [`HubLabels`], not yet proved.
pub(crate) struct LabelParts {
    pub(crate) first: Vec<u32>,
    pub(crate) hubs: Vec<u32>,
    pub(crate) costs: Vec<u32>,
    pub(crate) steps: Vec<u16>,
}

impl HubLabels {
    /// Builds labels from the arrays of an index file.
    ///
    /// Proves invariants 1 to 3: every entry stands for a path of the hierarchy
    /// and costs what this path costs. Invariant 4, that it is a shortest one,
    /// would take a build to prove.
    ///
    /// # Errors
    /// Says in words what is wrong, for a sentence that begins with "labels".
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
        for rank in labels.ranks() {
            labels.check_label(hierarchy, rank)?;
        }
        Ok(labels)
    }

    /// Proves invariants 2 and 3 for the label of a rank.
    fn check_label(&self, hierarchy: &ContractionHierarchy, rank: Rank) -> Result<(), &'static str> {
        let range = self.range(rank);
        let hubs = &self.hubs[range.clone()];
        if hubs.last() != Some(&rank.get()) || !hubs.is_sorted_by(|one, other| one < other) {
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
            // Labels mean that there is no core, so the arc leads to a smaller
            // rank, which has a label. By induction its entry ends at the hub.
            let Some(next) = self.entry_of(arc.head(), Rank::new(self.hubs[entry])) else {
                return Err("have an entry that does not go on");
            };
            if u64::from(arc.cost) + u64::from(self.cost_of(next)) != u64::from(cost) {
                return Err("have an entry of another cost than its way");
            }
        }
        Ok(())
    }
}
