//! Ranks: the order of importance.

use std::fmt;

/// Place of a node in the order of importance: rank 0 was contracted last.
///
/// A rank means nothing to any other hierarchy, and is not a
/// [`NodeId`](crate::graph::NodeId): nodes count as the graph numbers them.
/// Hubs are ranks too, because a label names the nodes above its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Rank(u32);

impl Rank {
    /// Stands for "no rank" where four bytes must do. No hierarchy is large
    /// enough to have it.
    pub(crate) const NONE: Self = Self(u32::MAX);

    /// The rank with this number.
    #[inline]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// The number of the rank.
    #[inline]
    pub(crate) const fn get(self) -> u32 {
        self.0
    }

    /// The number of the rank, for indexing.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
