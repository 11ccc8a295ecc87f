//! Why a graph cannot be prepared for fast queries.

use crate::base::{Cancelled, Cost, NodeId};
use std::error::Error;
use std::fmt;

/// Why a graph cannot be partitioned into levels, or contracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PrepareError {
    /// An arc has no counterpart of the same cost, so the graph is directed.
    Directed {
        /// Tail of the arc.
        from: NodeId,
        /// Head of the arc.
        to: NodeId,
    },
    /// An edge costs nothing, which levels do not allow. Merge its two ends into one
    /// node.
    ZeroCost {
        /// One end.
        from: NodeId,
        /// The other end.
        to: NodeId,
    },
    /// An edge costs more than 2³² − 1 units, or a path to be contracted could cost
    /// more than [`Cost::MAX`].
    TooDear {
        /// One end.
        from: NodeId,
        /// The other end.
        to: NodeId,
        /// Cost of the edge.
        cost: Cost,
    },
    /// The graph has too many nodes.
    TooManyNodes {
        /// Number of nodes.
        nodes: usize,
        /// The largest number of nodes.
        most: usize,
    },
    /// An arc leads to a node that the graph does not have.
    UnknownNode {
        /// Tail of the arc.
        from: NodeId,
        /// The unknown node.
        to: NodeId,
    },
    /// The build was cancelled through its [`BuildOptions`](crate::index::BuildOptions).
    Cancelled,
}

impl fmt::Display for PrepareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directed { from, to } => write!(
                f,
                "the arc from {from} to {to} has no counterpart of the same cost: only undirected graphs can be partitioned or contracted"
            ),
            Self::ZeroCost { from, to } => {
                write!(f, "the edge between {from} and {to} costs nothing: merge the two nodes")
            }
            Self::TooDear { from, to, cost } => {
                let units = cost.units();
                write!(
                    f,
                    "the edge between {from} and {to} costs {units} units: scale costs below 2^32, and paths below 2^48"
                )
            }
            Self::TooManyNodes { nodes, most } => write!(f, "found {nodes} nodes, expected at most {most}"),
            Self::UnknownNode { from, to } => {
                write!(f, "an arc leads from {from} to {to}, which is not a node of the graph")
            }
            Self::Cancelled => Cancelled.fmt(f),
        }
    }
}

impl Error for PrepareError {}

impl From<Cancelled> for PrepareError {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}
