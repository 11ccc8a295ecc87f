//! Settings of a hierarchy.

use super::net;
use crate::base::with_methods;
use crate::base::{SettingsError, widened};
use crate::grid::Grid;

/// How a hierarchy is built, and what it keeps.
///
/// The default is what measured best on large game maps; [`HpaSettings::paper`] is
/// what the HPA* paper used. Every combination in range
/// ([`HpaSettings::check`]) gives legal paths, and finds one whenever there is one.
///
/// # Example
/// ```
/// use farstride::hpa::HpaSettings;
///
/// let settings = HpaSettings::default().with_cluster(16).with_levels(2);
/// assert!(settings.check().is_ok());
/// assert_eq!(settings.side(2), 32);
/// assert!(settings.with_levels(0).check().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
pub struct HpaSettings {
    /// Side of the 1-clusters in cells.
    pub cluster: u16,
    /// Where all cells at a border weigh the same, and everywhere if `gap` is 0: entrances
    /// narrower than this get one transition in the middle that counts on all levels, others
    /// one at each end.
    pub entrance: u16,
    /// How close transitions are, in cells. Where all cells at a border weigh the same,
    /// those between the ones of `entrance` are at most two gaps apart, three on maps of more
    /// than 512 × 512 cells, and count on levels 1 and 2; entrances of less than one and a half
    /// gaps have no others. Elsewhere transitions stand where the ground is cheapest, at least one gap
    /// apart on levels 1 and 2, and farther apart above. With 0 they are placed as in the
    /// paper, by `entrance` alone; so they are if `local` is any-angle.
    pub gap: u16,
    /// Number of levels above the cells, at least 1. The default of 4 stands for more on maps with a
    /// side of 2048 cells or more ([`HpaSettings::for_size`]); other numbers are taken as they are.
    /// If there are more than 4, only a net of the transitions counts from level 4 on, unless `gap` is 0 and
    /// `local` is A*.
    pub levels: u8,
    /// How fine nets are: a transition is left out if one that is kept is within one part in this many of a cluster's
    /// side from it. Has no effect on maps that have no nets. More means shorter paths, slower queries and dearer edits.
    pub net: u8,
    /// A cluster of level l consists of `group × group` clusters of level l − 1.
    pub group: u8,
    /// Which ways through clusters to keep.
    pub keep_ways: KeepWays,
    /// What searches the ways inside clusters and between them.
    pub local: Local,
}

with_methods!(HpaSettings { with_cluster cluster: u16, with_entrance entrance: u16, with_gap gap: u16, with_levels levels: u8, with_net net: u8, with_group group: u8, with_keep_ways keep_ways: KeepWays, with_local local: Local });

/// Which ways through clusters a hierarchy keeps. What is not kept is searched when a query needs
/// it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum KeepWays {
    /// `Between` on maps of more than 4096 × 4096 cells, where `All` would take most of the memory,
    /// and `All` on others.
    #[default]
    Auto,
    /// Those from every cell of a 1-cluster to its nodes, and those of `Between`. Finding and
    /// refining a path are then look-ups.
    All,
    /// Those between nodes. Start and goal are joined to the nodes of their clusters by a search
    /// each. Any-angle hierarchies keep `All` instead.
    Between,
    /// None. The smallest index, and the slowest paths.
    Nothing,
}

impl KeepWays {
    /// Whether costs of a level are stored one way only. That takes half the memory, and rows have to be put together:
    /// not where time counts more, nor on upper levels, which the main search spends its time on.
    pub(super) fn halves(self, level: u8) -> bool {
        self != Self::All && level <= HALF_LEVELS
    }
}

/// Levels up to this one may store costs one way only: most of the costs are there.
const HALF_LEVELS: u8 = 4;

/// The search used inside a hierarchy: steps from cell to cell, or any-angle legs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Local {
    /// A*: the hierarchy of HPA*.
    #[default]
    Astar,
    /// Theta*: the hierarchy of HPT*. Not for maps with weights.
    Theta,
    /// Lazy Theta*: as `Theta`, with fewer line-of-sight tests.
    LazyTheta,
}

impl Local {
    /// Whether it finds any-angle legs.
    pub const fn is_any_angle(self) -> bool {
        matches!(self, Self::Theta | Self::LazyTheta)
    }
}

impl Default for HpaSettings {
    fn default() -> Self {
        Self::astar()
    }
}

impl HpaSettings {
    /// Allowed sides of 1-clusters.
    pub const CLUSTER_RANGE: std::ops::RangeInclusive<u16> = 2..=256;
    /// Allowed numbers of levels: with clusters of 2 cells, 14 levels of 2 × 2
    /// cover the largest map.
    pub const LEVEL_RANGE: std::ops::RangeInclusive<u8> = 1..=14;
    /// Allowed gaps.
    pub const GAP_RANGE: std::ops::RangeInclusive<u16> = 0..=256;
    /// Allowed finenesses of nets.
    pub const NET_RANGE: std::ops::RangeInclusive<u8> = 4..=64;
    /// Allowed group sizes.
    pub const GROUP_RANGE: std::ops::RangeInclusive<u8> = 2..=16;
    /// Allowed entrance thresholds.
    pub const ENTRANCE_RANGE: std::ops::RangeInclusive<u16> = 1..=u16::MAX;

    /// What measured best for HPA* on large game maps. The default.
    pub const fn astar() -> Self {
        Self {
            cluster: 32,
            entrance: 16,
            gap: 4,
            levels: 4,
            net: 16,
            group: 2,
            keep_ways: KeepWays::Auto,
            local: Local::Astar,
        }
    }

    /// The settings of the HPA* paper: clusters of 10 × 10, a threshold of 6, groups
    /// of 2 × 2; distances are kept, ways are not.
    pub const fn paper(levels: u8) -> Self {
        Self {
            cluster: 10,
            entrance: 6,
            gap: 0,
            levels,
            net: 16,
            group: 2,
            keep_ways: KeepWays::Nothing,
            local: Local::Astar,
        }
    }

    /// What measured best for HPT* on game maps. Clusters are smaller than for
    /// HPA*: the farther apart transitions are, the more they bend the legs that
    /// end at them.
    pub const fn any_angle() -> Self {
        Self {
            cluster: 16,
            entrance: 6,
            gap: 0,
            levels: 4,
            net: 16,
            group: 2,
            keep_ways: KeepWays::Auto,
            local: Local::Theta,
        }
    }

    /// The settings of the HPT* thesis: those of the HPA* paper with one level and
    /// Theta*. The thesis does not state its cluster size.
    pub const fn thesis() -> Self {
        Self { local: Local::Theta, ..Self::paper(1) }
    }

    /// Side of the clusters of a level in cells, at most [`Grid::MAX_SIDE`].
    pub fn side(&self, level: u8) -> usize {
        let grown = (1..level).try_fold(usize::from(self.cluster), |side, _| {
            Some(side * usize::from(self.group)).filter(|&side| side < Grid::MAX_SIDE)
        });
        grown.unwrap_or(Grid::MAX_SIDE)
    }

    /// These settings with what a map of this size gets.
    ///
    /// The number of levels: if `levels` is 4, the default, and a side of the map has 2048 cells or
    /// more, so many that fewer than eight clusters of the highest level lie along it. Not with the
    /// paper's transitions (a `gap` of 0 and A*). And the ways that [`KeepWays::Auto`] stands for.
    ///
    /// # Example
    /// ```
    /// use farstride::hpa::{HpaSettings, KeepWays};
    ///
    /// let levels = |side| HpaSettings::default().for_size(side, side).levels;
    /// assert_eq!([1000, 2048, 4096, 10_000].map(levels), [4, 5, 6, 7]);
    /// let ways = |side| HpaSettings::default().for_size(side, side).keep_ways;
    /// assert_eq!([4096, 4097].map(ways), [KeepWays::All, KeepWays::Between]);
    /// ```
    #[must_use]
    pub fn for_size(self, width: usize, height: usize) -> Self {
        let keep_ways = match self.keep_ways {
            KeepWays::Auto | KeepWays::Between if self.local.is_any_angle() => KeepWays::All,
            KeepWays::Auto if width * height > MOST_CELLS_WITH_WAYS => KeepWays::Between,
            KeepWays::Auto => KeepWays::All,
            asked => asked,
        };
        self.with_keep_ways(keep_ways).with_levels(self.levels_for_size(width, height))
    }

    fn levels_for_size(&self, width: usize, height: usize) -> u8 {
        let side = width.max(height);
        if self.levels != USUAL_LEVELS || side < LARGE_SIDE || !self.thins() {
            return self.levels;
        }
        let is_enough = |&levels: &u8| self.side(levels) * TOP_CLUSTERS > side;
        let levels = (USUAL_LEVELS..*Self::LEVEL_RANGE.end()).find(is_enough);
        levels.unwrap_or(*Self::LEVEL_RANGE.end())
    }

    /// Whether fewer transitions count on the highest levels of large maps than are there.
    const fn thins(&self) -> bool {
        self.gap > 0 || self.local.is_any_angle()
    }

    /// The lowest level with nets; more than there can be if none has.
    pub(super) const fn first_net(&self) -> u8 {
        if self.thins() && self.levels > net::FIRST_LEVEL { net::FIRST_LEVEL } else { u8::MAX }
    }

    /// Checks that every setting is in range.
    ///
    /// # Errors
    /// [`SettingsError`] names the first that is not.
    pub fn check(&self) -> Result<(), SettingsError> {
        SettingsError::check([
            ("cluster", self.cluster, Self::CLUSTER_RANGE),
            ("entrance", self.entrance, Self::ENTRANCE_RANGE),
            ("gap", self.gap, Self::GAP_RANGE),
            ("levels", self.levels.into(), widened(&Self::LEVEL_RANGE)),
            ("net", self.net.into(), widened(&Self::NET_RANGE)),
            ("group", self.group.into(), widened(&Self::GROUP_RANGE)),
        ])
    }
}

/// The number that stands for more on large maps.
const USUAL_LEVELS: u8 = 4;
/// From this side on, maps get more levels.
const LARGE_SIDE: usize = 2048;
/// So many that fewer clusters than this lie along a side on the highest.
const TOP_CLUSTERS: usize = 8;
/// Beyond so many cells, only the ways between nodes are kept unless others are asked for.
const MOST_CELLS_WITH_WAYS: usize = 4096 * 4096;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_out_of_range_are_named() {
        let good = HpaSettings::default();
        let named = |settings: HpaSettings| settings.check().unwrap_err().setting;
        assert_eq!(named(HpaSettings { cluster: 1, ..good }), "cluster");
        assert_eq!(named(HpaSettings { cluster: 257, ..good }), "cluster");
        assert_eq!(named(HpaSettings { entrance: 0, ..good }), "entrance");
        assert_eq!(named(HpaSettings { gap: 257, ..good }), "gap");
        assert_eq!(named(HpaSettings { levels: 15, ..good }), "levels");
        assert_eq!(named(HpaSettings { net: 3, ..good }), "net");
        assert_eq!(named(HpaSettings { group: 1, ..good }), "group");
        assert!((1..=3).all(|levels| HpaSettings::paper(levels).check().is_ok()));
    }

    #[test]
    fn sides_stop_growing_at_the_largest_map() {
        let settings = HpaSettings { cluster: 10, group: 16, levels: 14, ..HpaSettings::default() };
        assert_eq!((1..=4).map(|level| settings.side(level)).collect::<Vec<_>>(), [10, 160, 2560, 10_000]);
        assert_eq!(settings.side(14), Grid::MAX_SIDE);
    }
}
