//! Why a graph cannot be contracted.

use crate::base::{Cost, NodeId};
use std::error::Error;
use std::fmt;

/// Why a graph cannot be contracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ContractionError {
    /// An arc has no counterpart of the same cost: the graph is directed.
    Directed {
        /// Where the arc starts.
        from: NodeId,
        /// Where it ends.
        to: NodeId,
    },
    /// An edge costs more than 2³² − 1 units, or so much that a path of such
    /// edges through all nodes could exceed [`Cost::MAX`].
    TooDear {
        /// One end.
        from: NodeId,
        /// The other end.
        to: NodeId,
        /// Its cost.
        cost: Cost,
    },
    /// More nodes than can be counted: 2³² − 3.
    TooManyNodes {
        /// How many there are.
        nodes: usize,
    },
    /// An arc leads to a node that does not exist.
    UnknownNode {
        /// Where the arc starts.
        from: NodeId,
        /// The node named.
        to: NodeId,
    },
}

impl fmt::Display for ContractionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directed { from, to } => write!(
                f,
                "the arc from {from} to {to} has none of the same cost back: only undirected graphs are contracted"
            ),
            Self::TooDear { from, to, cost } => {
                let units = cost.units();
                write!(
                    f,
                    "the edge between {from} and {to} costs {units} units: scale costs below 2^32, and paths below 2^48"
                )
            }
            Self::TooManyNodes { nodes } => {
                write!(f, "{nodes} nodes are more than the {} that can be counted", u32::MAX - 2)
            }
            Self::UnknownNode { from, to } => {
                write!(f, "an arc leads from {from} to {to}, which is no node of the graph")
            }
        }
    }
}

impl Error for ContractionError {}
