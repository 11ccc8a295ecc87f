//! Graphs: nodes joined by arcs of known cost.
//!
//! For those who search something other than a grid, or build a search of their
//! own. Every search sees its world through [`Graph`]. Arcs are passed to a
//! closure, so a grid can compute them on the fly and a stored graph can read
//! them from rows, and neither pays for the other.
//!
//! Layer: uses `base` and `grid`.

mod grid;
mod lengths;
pub(crate) mod linked;
mod numbered;
pub(crate) mod prepare;
pub(crate) mod rows;
pub(crate) mod window;

pub use crate::base::{Node, NodeId};
pub(crate) use grid::Plane;
pub use grid::{UniformGrid, WeightedGrid};
pub use linked::{Link, Linked, LinkedStep};
pub use numbered::NumberedGrid;
pub(crate) use prepare::PrepareError;
pub(crate) use rows::GraphError;
pub use rows::RowGraph;
pub(crate) use window::Window;

use crate::base::Cost;

/// Nodes joined by arcs of non-negative cost. Implement it to search your own
/// world.
///
/// # Example
/// Rooms in a circle with one-way doors:
/// ```
/// use farstride::Cost;
/// use farstride::graph::{Graph, NodeId};
///
/// struct Circle(u32);
///
/// impl Graph for Circle {
///     type Node = NodeId;
///     fn node_count(&self) -> usize {
///         self.0 as usize
///     }
///     fn index(&self, node: NodeId) -> usize {
///         node.index()
///     }
///     fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
///         let next = (node.index() as u32 + 1) % self.0;
///         visit(NodeId::new(next), Cost::new(10).unwrap());
///     }
/// }
/// ```
pub trait Graph {
    /// The type of node.
    type Node: Node;

    /// One more than the largest node index.
    fn node_count(&self) -> usize;

    /// A distinct number for every node, below [`Graph::node_count`]: where a
    /// search stores its record of `node`.
    fn index(&self, node: Self::Node) -> usize;

    /// Whether `node` exists and can be entered; on a map, whether the cell is on
    /// the map and free. May be called with any value. By default, every index
    /// below [`Graph::node_count`] belongs to a node.
    fn contains(&self, node: Self::Node) -> bool {
        self.index(node) < self.node_count()
    }

    /// Calls `visit` with the head and the cost of every arc out of `node`. The
    /// order must be the same on every call: it decides between equal paths.
    fn for_each_arc(&self, node: Self::Node, visit: impl FnMut(Self::Node, Cost));

    /// As [`Graph::for_each_arc`], for a node that a shortest path reaches from
    /// `parent`. May skip arcs, as long as every node keeps one arc by which one
    /// of its shortest paths arrives, whichever parents were chosen on the way.
    /// By default it skips none.
    fn for_each_onward_arc(&self, node: Self::Node, parent: Self::Node, visit: impl FnMut(Self::Node, Cost)) {
        let _ = parent;
        self.for_each_arc(node, visit);
    }

    /// Calls `visit` with nodes that need not be expanded if they are reached at
    /// this cost beyond `node` or more, because `node` itself leads as cheaply to
    /// everything they lead to. By default there are none.
    #[inline]
    fn for_each_spared(&self, node: Self::Node, visit: impl FnMut(Self::Node, Cost)) {
        let _ = (node, visit);
    }
}

impl<G: Graph> Graph for &G {
    type Node = G::Node;

    fn node_count(&self) -> usize {
        (**self).node_count()
    }

    #[inline]
    fn index(&self, node: Self::Node) -> usize {
        (**self).index(node)
    }

    fn contains(&self, node: Self::Node) -> bool {
        (**self).contains(node)
    }

    #[inline]
    fn for_each_arc(&self, node: Self::Node, visit: impl FnMut(Self::Node, Cost)) {
        (**self).for_each_arc(node, visit);
    }

    #[inline]
    fn for_each_onward_arc(&self, node: Self::Node, parent: Self::Node, visit: impl FnMut(Self::Node, Cost)) {
        (**self).for_each_onward_arc(node, parent, visit);
    }

    #[inline]
    fn for_each_spared(&self, node: Self::Node, visit: impl FnMut(Self::Node, Cost)) {
        (**self).for_each_spared(node, visit);
    }
}
