//! Why a graph cannot be imported.

use crate::base::Cost;
use crate::graph::GraphError;
use std::error::Error;
use std::fmt;

/// Why a graph was rejected; `N` and `E` are `petgraph`'s ids of nodes and edges.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum ImportError<N, E> {
    /// The caller's function gave no cost for an edge: its weight is negative,
    /// not a number, or too large.
    NoCost {
        /// The edge.
        edge: E,
        /// Where it starts.
        from: N,
        /// Where it ends.
        to: N,
    },
    /// A path with edges of this cost could exceed [`Cost::MAX`].
    TooDear {
        /// The edge.
        edge: E,
        /// Where it starts.
        from: N,
        /// Where it ends.
        to: N,
        /// Its cost.
        cost: Cost,
    },
    /// An edge leads from or to a node that the graph did not hand out.
    UnknownNode {
        /// The edge.
        edge: E,
        /// Where it starts.
        from: N,
        /// Where it ends.
        to: N,
    },
    /// The graph as a whole does not fit.
    Graph(GraphError),
}

impl<N: fmt::Debug, E: fmt::Debug> fmt::Display for ImportError<N, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCost { edge, from, to } => {
                write!(f, "the weight of edge {edge:?} from {from:?} to {to:?} is no cost")
            }
            Self::TooDear { edge, from, to, cost } => write!(
                f,
                "edge {edge:?} from {from:?} to {to:?} costs {} units: a path through all nodes could exceed the largest exact cost",
                cost.units()
            ),
            Self::UnknownNode { edge, from, to } => {
                write!(
                    f,
                    "edge {edge:?} from {from:?} to {to:?} has an end that the graph does not list as a node"
                )
            }
            Self::Graph(_) => f.write_str("the graph cannot be converted"),
        }
    }
}

impl<N: fmt::Debug, E: fmt::Debug> Error for ImportError<N, E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Graph(error) => Some(error),
            _ => None,
        }
    }
}
