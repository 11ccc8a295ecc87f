//! Which node is in which group.

use super::Members;
use super::world::Building;
use crate::base::NodeId;
use std::error::Error;
use std::fmt;

/// Dense number of a group on one level of a hierarchy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct GroupId(u32);

impl GroupId {
    /// The group with this number.
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// The number of the group, for indexing.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for GroupId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The groups of a graph's nodes, as a map that leads both ways: every node is
/// at one place of one group.
///
/// Groups may be tables ([`Members`]) or arithmetic ([`Blocks`](super::Blocks)):
/// a world of a hundred million nodes has no room for a table of its nodes.
pub trait Grouping<N> {
    /// One more than the largest number of a group.
    fn group_count(&self) -> usize;

    /// How many nodes are grouped, if that is known: as many as the graph has.
    fn node_count(&self) -> Option<usize> {
        None
    }

    /// The group of a node, and its place there: below [`Grouping::places`],
    /// and different for every node of the group.
    fn locate(&self, node: N) -> (GroupId, usize);

    /// Places of a group, vacant ones included.
    fn places(&self, group: GroupId) -> usize;

    /// The node at a place of a group that is not vacant.
    fn node_at(&self, group: GroupId, place: usize) -> N;

    /// Calls `visit` with the nodes of a group, by ascending place.
    fn for_each_member(&self, group: GroupId, visit: impl FnMut(N));

    /// Whether what the graph leaves out at a node
    /// ([`Graph::for_each_onward_arc`](crate::Graph::for_each_onward_arc)) is
    /// made up for by ways inside the node's group, whatever the parent: then it
    /// may be left out where only some groups are searched.
    fn is_surrounded(&self, node: N) -> bool {
        let _ = node;
        false
    }

    /// The type of building of which a group is an instance, if it is one. Its
    /// places are the nodes of the building; what it costs to cross it is known.
    fn building(&self, group: GroupId) -> Option<Building<'_>> {
        let _ = group;
        None
    }

    /// Calls `visit` with those nodes of a [`Grouping::building`] that have arcs
    /// to other groups, or from one of its parts to another.
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

/// Why a grouping was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GroupingError {
    /// A node is in no group.
    InNoGroup {
        /// The node.
        node: NodeId,
    },
    /// A node is in two groups, or in one twice.
    InTwoGroups {
        /// The node.
        node: NodeId,
        /// The group it was found in first.
        first: GroupId,
        /// The group it was found in again.
        second: GroupId,
    },
    /// A group has no nodes.
    Empty {
        /// The group.
        group: GroupId,
    },
    /// A group names a node that does not exist.
    UnknownNode {
        /// The group.
        group: GroupId,
        /// The node it names.
        node: NodeId,
        /// How many nodes there are.
        nodes: usize,
    },
    /// More nodes than 32 bits can count.
    TooLarge {
        /// How many there are.
        nodes: usize,
    },
}

impl fmt::Display for GroupingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InNoGroup { node } => write!(f, "node {node} is in no group"),
            Self::InTwoGroups { node, first, second } if first == second => {
                write!(f, "node {node} is in group {first} twice")
            }
            Self::InTwoGroups { node, first, second } => {
                write!(f, "node {node} is in group {first} and in group {second}")
            }
            Self::Empty { group } => write!(f, "group {group} has no nodes"),
            Self::UnknownNode { group, node, nodes } => {
                write!(f, "group {group} names node {node}, but there are only {nodes} nodes")
            }
            Self::TooLarge { nodes } => write!(f, "{nodes} nodes are more than 32 bits can count"),
        }
    }
}

impl Error for GroupingError {}
