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
pub(super) struct SkipParents<'a> {
    pub(super) grid: &'a Grid,
    pub(super) graph: &'a AbstractGraph<'a>,
    pub(super) notes: &'a RefCell<Notes>,
}

/// What the rules remember of nodes beside their labels.
#[derive(Debug, Default)]
pub(super) struct Notes {
    entries: Vec<Note>,
    search: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Note {
    /// The search in which it was made.
    search: u32,
    /// What the node cost when it was expanded, if it was. Its label may say
    /// less: a node that is spared is labelled and closed as well.
    expanded: Option<Cost>,
    /// The cheapest expanded node with an edge to it, and the cost over that.
    fallback: Option<(u32, Cost)>,
}

impl Notes {
    /// Forgets everything before a search of so many nodes.
    pub(super) fn begin(&mut self, nodes: usize) {
        if self.search == u32::MAX {
            self.entries.clear();
            self.search = 0;
        }
        self.search += 1;
        if self.entries.len() < nodes {
            self.entries.resize(nodes, Note::default());
        }
    }

    fn get(&self, index: usize) -> Note {
        let note = self.entries[index];
        if note.search == self.search { note } else { Note::default() }
    }

    fn change(&mut self, index: usize, change: impl FnOnce(&mut Note)) {
        let mut note = Note { search: self.search, ..self.get(index) };
        change(&mut note);
        self.entries[index] = note;
    }
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
    /// The family of a node that is being expanded.
    fn of(graph: &AbstractGraph<'_>, labels: &Labels, notes: &RefCell<Notes>, node: NodeId) -> Self {
        let index = graph.index(node);
        let (parent, g) = (NodeId::unpack(labels.parent(index)), labels.g(index));
        let mut notes = notes.borrow_mut();
        notes.change(index, |note| note.expanded = Some(g));
        let parent_g = notes.get(graph.index(parent)).expanded.unwrap_or(g);
        Self { node, cell: graph.cell(node), g, parent, parent_cell: graph.cell(parent), parent_g }
    }
}

impl<'a> Rule<AbstractGraph<'a>> for SkipParents<'_> {
    type Offer = Family;

    fn offer(&self, graph: &AbstractGraph<'a>, labels: &mut Labels, node: NodeId) -> Family {
        Family::of(graph, labels, self.notes, node)
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
        if !labels.is_news(index, direct) || self.notes.borrow().get(index).expanded.is_some() {
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
    pub(super) notes: &'a RefCell<Notes>,
}

impl<'a> Rule<AbstractGraph<'a>> for SkipParentsLazily<'_> {
    type Offer = Family;

    fn offer(&self, graph: &AbstractGraph<'a>, labels: &mut Labels, node: NodeId) -> Family {
        let index = graph.index(node);
        let (cell, parent) = (graph.cell(node), graph.cell(NodeId::unpack(labels.parent(index))));
        if !self.grid.line_of_sight(parent, cell)
            && let Some((fallback, over)) = self.notes.borrow().get(index).fallback
        {
            let node = NodeId::unpack(fallback);
            let g = self.notes.borrow().get(graph.index(node)).expanded.unwrap_or(over);
            let straight = g + euclidean(graph.cell(node), cell);
            let in_sight = straight < over && self.grid.line_of_sight(graph.cell(node), cell);
            labels.replace(index, if in_sight { straight } else { over }, fallback);
        }
        Family::of(graph, labels, self.notes, node)
    }

    #[inline]
    fn for_each_arc(&self, graph: &AbstractGraph<'a>, family: &Family, visit: impl FnMut(NodeId, Cost)) {
        graph.for_each_onward_arc(family.node, family.parent, visit);
    }

    #[inline]
    fn relax(
        &self,
        family: &Family,
        _: &Labels,
        index: usize,
        successor: NodeId,
        step: Cost,
    ) -> Option<(NodeId, Cost)> {
        let mut notes = self.notes.borrow_mut();
        if notes.get(index).expanded.is_some() {
            return None;
        }
        let over = family.g + step;
        if notes.get(index).fallback.is_none_or(|(_, known)| over < known) {
            notes.change(index, |note| note.fallback = Some((family.node.pack(), over)));
        }
        Some((family.parent, family.parent_g + euclidean(family.parent_cell, self.graph.cell(successor))))
    }
}
