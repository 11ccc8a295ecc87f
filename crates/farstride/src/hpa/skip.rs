//! Theta* on the abstract graph: parents that are in sight are skipped.

use super::graphs::AbstractGraph;
use crate::base::{Cell, Cost, Node, NodeId, euclidean};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::search::{Labels, Rule};

/// The rule of Theta* for abstract graphs: a successor that the expanded
/// node's parent sees takes that for its own. Edges lead through transitions,
/// a straight leg leads past them.
#[derive(Clone, Copy)]
pub(super) struct SkipParents<'a> {
    pub(super) grid: &'a Grid,
    pub(super) graph: &'a AbstractGraph<'a>,
}

/// An expanded node and its parent, with their places and costs.
pub(super) struct Family {
    node: NodeId,
    cell: Cell,
    g: Cost,
    parent: NodeId,
    parent_cell: Cell,
    parent_g: Cost,
}

impl<'a> Rule<AbstractGraph<'a>> for SkipParents<'_> {
    type Offer = Family;

    fn offer(&self, graph: &AbstractGraph<'a>, labels: &mut Labels, node: NodeId) -> Family {
        let index = graph.index(node);
        let parent = NodeId::unpack(labels.parent(index));
        Family {
            node,
            cell: graph.cell(node),
            g: labels.g(index),
            parent,
            parent_cell: graph.cell(parent),
            parent_g: labels.g(graph.index(parent)),
        }
    }

    #[inline]
    fn for_each_arc(&self, graph: &AbstractGraph<'a>, family: &Family, visit: impl FnMut(NodeId, Cost)) {
        graph.for_each_onward_arc(family.node, family.parent, visit);
    }

    #[inline]
    fn relax(
        &self,
        family: &Family,
        labels: &Labels,
        index: usize,
        successor: NodeId,
        step: Cost,
    ) -> Option<(NodeId, Cost)> {
        let cell = self.graph.cell(successor);
        // A straight leg is never longer than the turns it replaces: what is
        // no news for it is none for the others.
        let direct = family.parent_g + euclidean(family.parent_cell, cell);
        if labels.is_closed(index) || !labels.is_news(index, direct) {
            return None;
        }
        if self.grid.line_of_sight(family.parent_cell, cell) {
            return Some((family.parent, direct));
        }
        let straight = family.g + euclidean(family.cell, cell);
        let over = family.g + step;
        let in_sight = straight < over && family.parent != family.node;
        if in_sight && labels.is_news(index, straight) && self.grid.line_of_sight(family.cell, cell) {
            return Some((family.node, straight));
        }
        Some((family.node, over))
    }
}
