//! Groups of nodes: ids and the trait.

use super::Members;
use super::world::Building;
use crate::base::NodeId;
use std::fmt;

/// Dense index of a group on one level of a hierarchy.
///
/// An id means nothing on any other level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct GroupId(u32);

impl GroupId {
    /// Returns the id of the group with this index.
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// Returns the index of the group, for indexing.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl GroupId {
    /// The group as a node that the level above groups.
    pub(super) const fn as_node(self) -> NodeId {
        NodeId::new(self.0)
    }

    /// The group that is this node of the level above.
    pub(super) const fn from_node(node: NodeId) -> Self {
        Self(node.index() as u32)
    }

    pub(super) const fn raw(self) -> u32 {
        self.0
    }
}

impl fmt::Display for GroupId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Assigns every node of a graph to one place in one group, and finds the node at a
/// place.
///
/// A grouping may be a table ([`Members`]) or computed ([`Squares`](super::Squares)): a
/// world of a hundred million nodes has no room for a table.
///
/// A hierarchy relies on its grouping to stay the same. Groups can be added or moved
/// ([`GroupHierarchy::add_groups`](super::GroupHierarchy::add_groups)); their members
/// change with an [update](super::GroupHierarchy::update_groups).
pub trait Grouping<N> {
    /// Number of groups: one more than the largest [`GroupId::index`].
    fn group_count(&self) -> usize;

    /// Number of nodes that are grouped, if known. It has to equal the graph's.
    fn node_count(&self) -> Option<usize> {
        None
    }

    /// Returns the group of a node and its place in that group. Places are below
    /// [`Grouping::places`], and no two nodes of a group share one.
    fn locate(&self, node: N) -> (GroupId, usize);

    /// Number of places of a group, including vacant ones.
    fn places(&self, group: GroupId) -> usize;

    /// Returns the node at a place that is not vacant.
    fn node_at(&self, group: GroupId, place: usize) -> N;

    /// Calls `visit` with every node of a group, in ascending order of places.
    fn for_each_member(&self, group: GroupId, visit: impl FnMut(N));

    /// Whether the detours that let a graph skip arcs at `node`
    /// ([`Graph::for_each_onward_arc`](crate::graph::Graph::for_each_onward_arc)) stay inside
    /// the node's group, whatever the parent.
    ///
    /// Searches that see only some groups use the shorter list of arcs where this
    /// holds. `false` is always correct.
    fn is_surrounded(&self, node: N) -> bool {
        let _ = node;
        false
    }

    /// The building type that a group is an instance of; `None` for other groups. The
    /// places of an instance are the nodes of its building, whose crossing costs are
    /// known.
    fn building(&self, group: GroupId) -> Option<Building<'_>> {
        let _ = group;
        None
    }

    /// Calls `visit` with those nodes of a [`Grouping::building`] that have arcs to
    /// other groups, or from one part of the building to another. It may visit others
    /// as well.
    fn for_each_door(&self, group: GroupId, visit: impl FnMut(N)) {
        self.for_each_member(group, visit);
    }
}

impl Grouping<NodeId> for Members {
    fn group_count(&self) -> usize {
        Self::group_count(self)
    }

    fn node_count(&self) -> Option<usize> {
        Some(Self::node_count(self))
    }

    #[inline]
    fn locate(&self, node: NodeId) -> (GroupId, usize) {
        (GroupId::new(self.group_of[node.index()]), self.place_of[node.index()] as usize)
    }

    fn places(&self, group: GroupId) -> usize {
        self.members(group).len()
    }

    #[inline]
    fn node_at(&self, group: GroupId, place: usize) -> NodeId {
        self.members(group)[place]
    }

    fn for_each_member(&self, group: GroupId, visit: impl FnMut(NodeId)) {
        self.members(group).iter().copied().for_each(visit);
    }
}
