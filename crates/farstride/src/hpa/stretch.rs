//! How much dearer ways are than they look.
//!
//! The main search estimates the rest of a path by the distance on an empty map. Where every way winds, through
//! small rooms or caves, that is far too little, and a search looks at nearly everything that is nearer than the
//! goal. How far it is too little can be read off the costs of the highest level: nearly all long ways through
//! its clusters cost at least some multiple of the distance, the *stretch* of the map. Multiplied by it, the
//! estimate is still about as good as a lower bound, and the search looks at fewer nodes.
//!
//! The stretch is a function of the map. After an edit it is found again from the clusters of the highest
//! level that changed.

use super::hierarchy::{Hierarchy, View};
use super::layout::ClusterId;
use crate::base::Cost;
use crate::grid::Rules;

/// Ratios of cost to distance on an empty map, by cluster of the highest level.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Stretch {
    /// `None` where a cluster has no nodes far apart.
    clusters: Vec<Option<u64>>,
    least: Option<u64>,
}

/// Ratios are counted in parts of this many.
pub(super) const WHOLE: u64 = 1 << 10;
/// The highest ratio that counts.
const MOST: u64 = 2 * WHOLE;
/// One pair of nodes in this many may have a lower ratio: a few happen to lie along a straight street.
const OUTLIERS: usize = 100;

impl Stretch {
    /// The stretch of a hierarchy whose highest level is complete.
    fn of(view: &View<'_>, rules: Rules) -> Self {
        let clusters = view.layout.clusters(view.levels()).map(|cluster| ratio(view, rules, cluster));
        Self::new(clusters.collect())
    }

    fn new(clusters: Vec<Option<u64>>) -> Self {
        let least = clusters.iter().copied().flatten().min();
        Self { clusters, least }
    }

    /// Looks at clusters of the highest level again.
    pub(super) fn look_again(
        self,
        view: &View<'_>,
        rules: Rules,
        changed: impl Iterator<Item = ClusterId>,
    ) -> Self {
        let Self { mut clusters, .. } = self;
        for cluster in changed {
            if let Some(known) = clusters.get_mut(cluster as usize) {
                *known = ratio(view, rules, cluster);
            }
        }
        Self::new(clusters)
    }

    /// What estimates are multiplied by, in parts of [`WHOLE`].
    pub(super) fn factor(&self) -> u64 {
        self.least.unwrap_or(WHOLE)
    }
}

impl Hierarchy {
    /// Finds the stretch of the map, if the highest level has a net: on others, searches are short. Any-angle searches
    /// are not eager.
    pub(super) fn find_stretch(&mut self, rules: Rules) {
        if self.has_net(self.layout.level_count()) && !self.settings.local.is_any_angle() {
            self.stretch = Stretch::of(&self.view(), rules);
        }
    }
}

/// The ratio between nodes of a cluster of the highest level that only one pair in [`OUTLIERS`] is below, at most [`MOST`].
/// Only nodes at least half a side apart count: nearer ones may lie in one room, or on one road.
fn ratio(view: &View<'_>, rules: Rules, cluster: ClusterId) -> Option<u64> {
    let level = view.levels();
    let nodes = view.costs(level, cluster);
    let far = rules.distance_of(view.layout.side(level) as u64 / 2, 0);
    let mut ratios = Ratios::default();
    for from in 0..nodes.count() {
        let cell = nodes.cell(from);
        nodes.row(from).for_each_lower(|to, cost| {
            let distance = rules.distance(cell, nodes.cell(to));
            if distance >= far {
                ratios.add(cost.units() * WHOLE / distance.units());
            }
        });
    }
    ratios.low()
}

/// How often ratios have come up: those from [`WHOLE`] to [`MOST`], where others count as the nearest of these.
struct Ratios {
    counts: Vec<usize>,
    all: usize,
}

impl Default for Ratios {
    fn default() -> Self {
        Self { counts: vec![0; (MOST - WHOLE) as usize + 1], all: 0 }
    }
}

impl Ratios {
    fn add(&mut self, ratio: u64) {
        self.counts[(ratio.clamp(WHOLE, MOST) - WHOLE) as usize] += 1;
        self.all += 1;
    }

    /// The ratio that only one in [`OUTLIERS`] is below.
    fn low(&self) -> Option<u64> {
        let mut below = 0;
        let low = self.counts.iter().position(|count| {
            below += count;
            below > self.all / OUTLIERS
        });
        low.map(|low| WHOLE + low as u64)
    }
}

/// An estimate multiplied by a factor in parts of [`WHOLE`].
#[inline]
pub(super) fn stretched(estimate: Cost, factor: u64) -> Cost {
    Cost::from_units(estimate.units() * factor / WHOLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn low(list: Vec<u64>) -> Option<u64> {
        let mut ratios = Ratios::default();
        for ratio in list {
            ratios.add(ratio);
        }
        ratios.low()
    }

    #[test]
    fn few_straight_ways_do_not_count() {
        let mut ratios: Vec<u64> = (0..300).map(|at| 1300 + at).collect();
        assert_eq!(low(ratios.clone()), Some(1303));
        ratios[7] = WHOLE;
        assert_eq!(low(ratios), Some(1302), "one straight way changes little");
        assert_eq!(low(vec![1500, 1400]), Some(1400), "of few ways, the straightest");
        assert_eq!(low(vec![900]), Some(WHOLE));
        assert_eq!(low(vec![5000, 7000]), Some(MOST));
        assert_eq!(low(Vec::new()), None);
    }

    #[test]
    fn the_straightest_cluster_decides() {
        assert_eq!(Stretch::new(vec![None, Some(1500), Some(1200)]).factor(), 1200);
        assert_eq!(Stretch::new(vec![Some(MOST), None]).factor(), MOST);
        assert_eq!(Stretch::new(vec![None]).factor(), WHOLE, "nothing is known");
    }
}
