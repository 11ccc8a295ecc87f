//! Why a graph cannot be contracted.

use crate::base::{Cancelled, Cost, NodeId};
use std::error::Error;
use std::fmt;

/// Why a graph cannot be contracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ContractionError {
    /// An arc has no counterpart of the same cost, so the graph is directed.
    Directed {
        /// Tail of the arc.
        from: NodeId,
        /// Head of the arc.
        to: NodeId,
    },
    /// An edge costs more than 2³² − 1 units, or its cost times the number of
    /// nodes exceeds [`Cost::MAX`], so that the cost of a path could overflow.
    TooDear {
        /// One end.
        from: NodeId,
        /// The other end.
        to: NodeId,
        /// Cost of the edge.
        cost: Cost,
    },
    /// The graph has more than 2³² − 3 nodes.
    TooManyNodes {
        /// Number of nodes.
        nodes: usize,
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

impl fmt::Display for ContractionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directed { from, to } => write!(
                f,
                "the arc from {from} to {to} has no counterpart of the same cost: only undirected graphs can be contracted"
            ),
            Self::TooDear { from, to, cost } => {
                let units = cost.units();
                write!(
                    f,
                    "the edge between {from} and {to} costs {units} units: scale costs below 2^32, and paths below 2^48"
                )
            }
            Self::TooManyNodes { nodes } => {
                write!(f, "found {nodes} nodes, expected at most {}", u32::MAX - 2)
            }
            Self::UnknownNode { from, to } => {
                write!(f, "an arc leads from {from} to {to}, which is not a node of the graph")
            }
            Self::Cancelled => Cancelled.fmt(f),
        }
    }
}

impl Error for ContractionError {}

impl From<Cancelled> for ContractionError {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}
