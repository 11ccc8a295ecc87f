//! How subgoal graphs are built.

/// How a subgoal graph is built. The same settings always give the same graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct SubgoalSettings {
    /// How subgoals are partitioned into levels.
    pub partition: Partition,
}

/// How subgoals are partitioned into levels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Partition {
    /// No levels: a simple subgoal graph. Follows edits fastest.
    Simple,
    /// Local and global subgoals, with extra edges between h-reachable ones: a
    /// two-level subgoal graph.
    TwoLevel,
    /// As `TwoLevel`, without edges between local subgoals. Takes less memory, but
    /// paths may be a little longer than the shortest.
    TwoLevelLossy,
    /// As many levels as possible, or at most this many, without extra edges.
    Basic(Option<u32>),
    /// As many levels as possible, or at most this many, with extra edges between
    /// h-reachable subgoals. The fastest queries on maps with structure; the default
    /// has no limit.
    Advanced(Option<u32>),
}

impl Default for SubgoalSettings {
    fn default() -> Self {
        Self::new(Partition::Advanced(None))
    }
}

impl SubgoalSettings {
    /// Settings with this partition.
    pub const fn new(partition: Partition) -> Self {
        Self { partition }
    }

    /// Maximum number of levels; `None` for no limit.
    pub(super) const fn most_levels(self) -> Option<u32> {
        match self.partition {
            Partition::Simple => Some(1),
            Partition::TwoLevel | Partition::TwoLevelLossy => Some(2),
            Partition::Basic(levels) | Partition::Advanced(levels) => levels,
        }
    }
}
