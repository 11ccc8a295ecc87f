//! Theta* on the abstract graph: parents that are in sight are skipped.

use super::graphs::AbstractGraph;
use crate::base::{Cell, Cost, Node, NodeId, euclidean};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::search::{Labels, Rule};
use std::cell::RefCell;

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

impl Family {
    fn of(graph: &AbstractGraph<'_>, labels: &Labels, node: NodeId) -> Self {
        let index = graph.index(node);
        let parent = NodeId::unpack(labels.parent(index));
        Self {
            node,
            cell: graph.cell(node),
            g: labels.g(index),
            parent,
            parent_cell: graph.cell(parent),
            parent_g: labels.g(graph.index(parent)),
        }
    }
}

impl<'a> Rule<AbstractGraph<'a>> for SkipParents<'_> {
    type Offer = Family;

    fn offer(&self, graph: &AbstractGraph<'a>, labels: &mut Labels, node: NodeId) -> Family {
        Family::of(graph, labels, node)
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

/// The rule of Lazy Theta* for abstract graphs: a successor takes the expanded
/// node's parent for its own without looking. Whether it sees it is asked when
/// it is expanded; if not, it falls back on the cheapest node that has an edge
/// to it.
pub(super) struct SkipParentsLazily<'a> {
    pub(super) grid: &'a Grid,
    pub(super) graph: &'a AbstractGraph<'a>,
    pub(super) fallbacks: &'a RefCell<Fallbacks>,
}

/// For every node the cheapest expanded node with an edge to it.
#[derive(Debug, Default)]
pub(super) struct Fallbacks {
    /// By index: in which search, which node, and the cost over it.
    entries: Vec<(u32, u32, Cost)>,
    search: u32,
}

impl Fallbacks {
    /// Forgets all of them before a search of so many nodes.
    pub(super) fn begin(&mut self, nodes: usize) {
        if self.search == u32::MAX {
            self.entries.clear();
            self.search = 0;
        }
        self.search += 1;
        if self.entries.len() < nodes {
            self.entries.resize(nodes, (0, 0, Cost::ZERO));
        }
    }

    fn note(&mut self, index: usize, node: NodeId, cost: Cost) {
        let entry = &mut self.entries[index];
        if entry.0 != self.search || cost < entry.2 {
            *entry = (self.search, node.pack(), cost);
        }
    }

    fn get(&self, index: usize) -> Option<(NodeId, Cost)> {
        let &(search, node, cost) = self.entries.get(index)?;
        (search == self.search).then(|| (NodeId::unpack(node), cost))
    }
}

impl<'a> Rule<AbstractGraph<'a>> for SkipParentsLazily<'_> {
    type Offer = Family;

    fn offer(&self, graph: &AbstractGraph<'a>, labels: &mut Labels, node: NodeId) -> Family {
        let family = Family::of(graph, labels, node);
        let index = graph.index(node);
        if self.grid.line_of_sight(family.parent_cell, family.cell) {
            return family;
        }
        let Some((fallback, over)) = self.fallbacks.borrow().get(index) else { return family };
        let cell = graph.cell(fallback);
        let straight = labels.g(graph.index(fallback)) + euclidean(cell, family.cell);
        let in_sight = straight < over && self.grid.line_of_sight(cell, family.cell);
        labels.replace(index, if in_sight { straight } else { over }, fallback.pack());
        Family::of(graph, labels, node)
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
        if labels.is_closed(index) {
            return None;
        }
        self.fallbacks.borrow_mut().note(index, family.node, family.g + step);
        Some((family.parent, family.parent_g + euclidean(family.parent_cell, self.graph.cell(successor))))
    }
}
