//! What can be wrong with groups.

use super::GroupId;
use crate::base::{Cancelled, NodeId};
use std::error::Error;
use std::fmt;

/// Why nodes cannot be grouped, or a hierarchy cannot be built, updated or used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GroupError {
    /// A node is in no group.
    InNoGroup {
        /// The node.
        node: NodeId,
    },
    /// A node is in two groups, or twice in one.
    InTwoGroups {
        /// The node.
        node: NodeId,
        /// The group that listed it first.
        first: GroupId,
        /// The group that listed it again.
        second: GroupId,
    },
    /// A group has no nodes.
    Empty {
        /// The group.
        group: GroupId,
    },
    /// A group lists a node that does not exist.
    UnknownNode {
        /// The group.
        group: GroupId,
        /// The node that it lists.
        node: NodeId,
        /// Number of nodes.
        nodes: usize,
    },
    /// Groups of at most 0 nodes were asked for.
    NoRoom,
    /// There are too many nodes.
    TooManyNodes {
        /// Number of nodes.
        nodes: usize,
        /// The largest number of nodes that can be grouped in this way.
        most: usize,
    },
    /// A level groups more or fewer groups than the level below has.
    Level {
        /// The level.
        level: usize,
        /// Number of groups on the level below.
        expected: usize,
        /// Number of groups that the level groups.
        found: usize,
    },
    /// The grouping has more or fewer nodes than the graph.
    Nodes {
        /// Number of nodes of the graph.
        expected: usize,
        /// Number of nodes in the grouping.
        found: usize,
    },
    /// The node named to represent a group is not in it, or does not exist.
    NotInGroup {
        /// The level.
        level: usize,
        /// The group.
        group: GroupId,
    },
    /// There is no such group.
    UnknownGroup {
        /// The level.
        level: usize,
        /// The group that was asked for.
        group: GroupId,
        /// Number of groups on that level.
        groups: usize,
    },
    /// A cost was set for two groups that are not connected.
    NotConnected {
        /// The level.
        level: usize,
        /// The first group.
        from: GroupId,
        /// The second group.
        to: GroupId,
    },
    /// The grouping is not the one that the hierarchy was built for.
    OtherGroups {
        /// Number of groups in the hierarchy.
        expected: usize,
        /// Number of groups in the grouping.
        found: usize,
    },
    /// The build was cancelled through its [`BuildOptions`](crate::index::BuildOptions).
    Cancelled,
}

impl fmt::Display for GroupError {
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
            Self::NoRoom => write!(f, "groups of at most 0 nodes cannot hold any"),
            Self::TooManyNodes { nodes, most } => {
                write!(f, "{nodes} nodes are more than the {most} that can be grouped")
            }
            Self::Level { level, expected, found } => {
                write!(f, "level {level} groups {found} groups, but the level below has {expected}")
            }
            Self::Nodes { expected, found } => {
                write!(f, "{found} nodes are grouped, but the graph has {expected}")
            }
            Self::NotInGroup { level, group } => {
                write!(f, "the node named for group {group} of level {level} does not lie in it")
            }
            Self::UnknownGroup { level, group, groups } => {
                write!(f, "there is no group {group} on level {level}, only {groups} groups")
            }
            Self::NotConnected { level, from, to } => {
                write!(f, "group {from} of level {level} does not lead to group {to}")
            }
            Self::OtherGroups { expected, found } => {
                write!(f, "the hierarchy was made for {expected} groups, but there are {found}")
            }
            Self::Cancelled => Cancelled.fmt(f),
        }
    }
}

impl Error for GroupError {}

impl From<Cancelled> for GroupError {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}
