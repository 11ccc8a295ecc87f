//! What can be searched: nodes with arcs of known cost.
//!
//! [`Graph`] is the one view that every search has of its world. Arcs are
//! handed to a closure, so that a grid can make them up on the fly and a
//! compact graph can read them from rows, and neither pays for the other.
//!
//! Layer: uses `base` and `grid`.

mod grid;
mod lengths;
mod linked;
mod numbered;
mod rows;
mod window;

pub use grid::{Plane, UniformGrid, WeightedGrid};
pub use linked::{Link, LinkError, Linked, LinkedStep};
pub use numbered::NumberedGrid;
pub use rows::{GraphError, RowGraph};
pub use window::Window;

use crate::base::{Cost, Node};

/// Nodes joined by arcs of non-negative cost.
///
/// # Example
/// A circle of rooms in which one can only go forward:
/// ```
/// use farstride::{Cost, Graph, NodeId};
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
    /// How this graph names its nodes.
    type Node: Node;

    /// One more than the largest index of a node.
    fn node_count(&self) -> usize;

    /// Where a search keeps what it knows about `node`, below
    /// [`Graph::node_count`] and different for every node.
    fn index(&self, node: Self::Node) -> usize;

    /// Whether there is such a node, and one can be there: a cell of a map must be
    /// free. Any value may be asked about. Unless told otherwise, every index
    /// below [`Graph::node_count`] is one of a node.
    fn contains(&self, node: Self::Node) -> bool {
        self.index(node) < self.node_count()
    }

    /// Calls `visit` with the head and the cost of every arc out of `node`,
    /// always in the same order.
    fn for_each_arc(&self, node: Self::Node, visit: impl FnMut(Self::Node, Cost));

    /// As [`Graph::for_each_arc`] for a node that a shortest path reaches from
    /// `parent`; may leave out arcs as long as every node keeps an arc by
    /// which one of its shortest paths arrives, whatever parents were chosen.
    fn for_each_onward_arc(&self, node: Self::Node, parent: Self::Node, visit: impl FnMut(Self::Node, Cost)) {
        let _ = parent;
        self.for_each_arc(node, visit);
    }

    /// Calls `visit` with nodes that need not be expanded at this cost beyond
    /// `node`, or at more: wherever they lead, `node` leads as cheaply.
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
