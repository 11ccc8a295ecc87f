//! How subgoal graphs are made.

/// How a subgoal graph is made. The same settings always give the same graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Settings {
    /// How subgoals are partitioned into levels.
    pub partition: Partition,
}

/// How subgoals are partitioned into levels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Partition {
    /// Not at all: a simple subgoal graph.
    Simple,
    /// Into local and global subgoals, with extra edges between h-reachable
    /// ones: a two-level subgoal graph.
    TwoLevel,
    /// The same without edges between local subgoals: less memory, and paths
    /// that may be a little too long.
    TwoLevelLossy,
    /// Into as many levels as there are, or at most so many, without extra
    /// edges.
    Basic(Option<u32>),
    /// The same with extra edges between h-reachable subgoals.
    Advanced(Option<u32>),
}

impl Default for Settings {
    fn default() -> Self {
        Self::new(Partition::Advanced(None))
    }
}

impl Settings {
    /// Levels made in some way.
    pub const fn new(partition: Partition) -> Self {
        Self { partition }
    }

    /// The most levels there may be, if that is limited.
    pub(super) const fn most_levels(self) -> Option<u32> {
        match self.partition {
            Partition::Simple => Some(1),
            Partition::TwoLevel | Partition::TwoLevelLossy => Some(2),
            Partition::Basic(levels) | Partition::Advanced(levels) => levels,
        }
    }
}
