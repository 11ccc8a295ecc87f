//! Typed indices of parts.
//!
//! A part has two numbers that must not be mixed: its index on the whole level
//! ([`PartId`]) and its index inside its group ([`LocalPart`]). Tables of places
//! hold local indices, so that they stay valid when other groups gain or lose
//! parts and the level is renumbered.

use crate::base::NodeId;
use std::ops::Range;

/// Dense index of a part on one level of a hierarchy, or [`PartId::NONE`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct PartId(u32);

impl PartId {
    /// Marks a node or part that lies in no part: a blocked cell, or an instance
    /// that the hierarchy has not been updated for.
    ///
    /// A reserved value instead of `Option`, which would double the size of the
    /// tables and add a branch where a search tests for membership.
    pub(super) const NONE: Self = Self(u32::MAX);

    pub(super) const fn new(index: u32) -> Self {
        Self(index)
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) const fn raw(self) -> u32 {
        self.0
    }

    /// The part as a node of its level's graph.
    #[inline]
    pub(super) const fn as_node(self) -> NodeId {
        NodeId::new(self.0)
    }

    /// The part that is this node of its level's graph.
    #[inline]
    pub(super) const fn from_node(node: NodeId) -> Self {
        Self(node.index() as u32)
    }

    /// `None` instead of [`PartId::NONE`].
    pub(super) fn known(self) -> Option<Self> {
        (self != Self::NONE).then_some(self)
    }
}

/// The parts of one group: consecutive, because parts are numbered group by group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PartRange {
    first: u32,
    end: u32,
}

impl PartRange {
    pub(super) const EMPTY: Self = Self { first: 0, end: 0 };

    pub(super) const fn new(first: PartId, end: PartId) -> Self {
        Self { first: first.0, end: end.0 }
    }

    pub(super) const fn len(self) -> usize {
        (self.end - self.first) as usize
    }

    /// The index of the first part, which an empty range has, too.
    pub(super) const fn start(self) -> PartId {
        PartId(self.first)
    }

    pub(super) const fn end(self) -> PartId {
        PartId(self.end)
    }

    /// The positions of these parts in tables of the level.
    pub(super) const fn indices(self) -> Range<usize> {
        self.first as usize..self.end as usize
    }

    pub(super) fn iter(self) -> impl ExactSizeIterator<Item = PartId> {
        (self.first..self.end).map(PartId)
    }

    /// The part of the level that is the group's part `local`.
    #[inline]
    pub(super) fn at(self, local: LocalPart) -> Option<PartId> {
        (local.0 < self.end - self.first).then(|| PartId(self.first + local.0))
    }

    /// Which part of the group a part of the level is.
    pub(super) const fn local(self, part: PartId) -> LocalPart {
        LocalPart(part.0 - self.first)
    }
}

/// Index of a part inside its group or building, in the order of the parts' first
/// places, or [`LocalPart::VACANT`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct LocalPart(u32);

impl LocalPart {
    /// Marks a place without a member.
    pub(super) const VACANT: Self = Self(u32::MAX);

    pub(super) const fn new(index: u32) -> Self {
        Self(index)
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) const fn raw(self) -> u32 {
        self.0
    }

    /// `None` instead of [`LocalPart::VACANT`].
    pub(super) fn known(self) -> Option<Self> {
        (self != Self::VACANT).then_some(self)
    }
}
