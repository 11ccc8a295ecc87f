//! How much dearer ways are than they look.
//!
//! The main search estimates the rest of a path by the distance on an empty map. Where every way winds, through
//! small rooms or caves, that is far too little, and a search looks at nearly everything that is nearer than the
//! goal. How far it is too little can be read off the costs of the highest level: no way through
//! its clusters is cheaper than some multiple of the distance, the *stretch* of the map. Multiplied by it, the
//! estimate is still about as good as a lower bound, and the search looks at fewer nodes.
//!
//! The stretch is a function of the map. After an edit it is found again from the clusters of the highest
//! level that changed.

use super::hierarchy::{Hierarchy, View};
use super::layout::ClusterId;
use crate::base::Cost;
use crate::grid::Rules;

/// The least ratio of cost to distance on an empty map, by cluster of the highest level.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Stretch {
    clusters: Vec<u64>,
}

/// Ratios are counted in parts of this many.
pub(super) const WHOLE: u64 = 1 << 10;
/// The highest ratio that counts: beyond it, estimates gain nothing.
const MOST: u64 = 2 * WHOLE;
/// One pair of nodes in this many may have a lower ratio: a few happen to lie along a straight street.
const OUTLIERS: usize = 100;

impl Stretch {
    /// The stretch of a hierarchy whose highest level is complete.
    pub(super) fn of(view: &View<'_>, rules: Rules) -> Self {
        let clusters = view.layout.clusters(view.levels());
        Self { clusters: clusters.map(|cluster| least(view, rules, cluster)).collect() }
    }

    /// Looks at a cluster of the highest level again.
    pub(super) fn look_again(&mut self, view: &View<'_>, rules: Rules, cluster: ClusterId) {
        if let Some(known) = self.clusters.get_mut(cluster as usize) {
            *known = least(view, rules, cluster);
        }
    }

    /// What estimates are multiplied by, in parts of [`WHOLE`].
    pub(super) fn factor(&self) -> u64 {
        let least = self.clusters.iter().copied().min().unwrap_or(MOST);
        if least == MOST { WHOLE } else { least }
    }
}

impl Hierarchy {
    /// Finds the stretch of the map, if the highest level has a net: on others, searches are short.
    pub(super) fn find_stretch(&mut self, rules: Rules) {
        if self.has_net(self.layout.level_count()) {
            self.stretch = Stretch::of(&self.view(), rules);
        }
    }
}

/// The ratio between nodes of a cluster of the highest level that only one pair in [`OUTLIERS`] is below; [`MOST`] if there are
/// none. Only nodes at least half a side apart count: nearer ones may lie in one room, or on one road.
fn least(view: &View<'_>, rules: Rules, cluster: ClusterId) -> u64 {
    let level = view.levels();
    let nodes = view.costs(level, cluster);
    let far = rules.distance_of(view.layout.side(level) as u64 / 2, 0);
    let mut ratios = Vec::new();
    for from in 0..nodes.count() {
        let (cell, row) = (nodes.cell(from), nodes.row(from));
        for to in 0..from {
            let distance = rules.distance(cell, nodes.cell(to));
            if distance >= far
                && let Some(cost) = row.cost(to)
            {
                ratios.push(cost.units() * WHOLE / distance.units());
            }
        }
    }
    let rank = ratios.len() / OUTLIERS;
    if ratios.is_empty() { MOST } else { (*ratios.select_nth_unstable(rank).1).clamp(WHOLE, MOST) }
}

/// An estimate multiplied by a factor in parts of [`WHOLE`].
#[inline]
pub(super) fn stretched(estimate: Cost, factor: u64) -> Cost {
    Cost::from_units(estimate.units() * factor / WHOLE)
}
