//! Theta* on the hierarchy: skipping parents that see the successor.

use super::graphs::QueryGraph;
use crate::base::{Cell, Cost, Node, NodeId, euclidean};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::search::{Rule, SearchTree};
use std::cell::RefCell;

/// The rule of Theta* on a hierarchy: a successor in sight of the expanded node's
/// parent takes that as its parent. An edge leads through transitions; a straight
/// leg leads past them.
pub(super) struct SkipParents<'a> {
    pub(super) grid: &'a Grid,
    pub(super) graph: &'a QueryGraph<'a>,
    pub(super) notes: &'a RefCell<Notes>,
}

/// What the rules remember of nodes beside the search tree.
#[derive(Debug, Default)]
pub(super) struct Notes {
    entries: Vec<Note>,
    search: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Note {
    /// The search that made the note.
    search: u32,
    /// The node's g when it was expanded, if it was. The search tree may hold a
    /// lower g: a spared node is closed there without being expanded.
    expanded: Option<Cost>,
    /// The cheapest expanded node with an edge to this one, and g over that edge.
    fallback: Option<(u32, Cost)>,
}

impl Notes {
    /// Forgets everything, before a search of a graph with `nodes` nodes.
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

/// An expanded node and its parent, with their cells and g.
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
    fn of(graph: &QueryGraph<'_>, tree: &SearchTree, notes: &RefCell<Notes>, node: NodeId) -> Self {
        let index = graph.index(node);
        let (parent, g) = (NodeId::unpack(tree.parent(index)), tree.g(index));
        let mut notes = notes.borrow_mut();
        notes.change(index, |note| note.expanded = Some(g));
        let parent_g = notes.get(graph.index(parent)).expanded.unwrap_or(g);
        Self { node, cell: graph.cell(node), g, parent, parent_cell: graph.cell(parent), parent_g }
    }
}

impl<'a> Rule<QueryGraph<'a>> for SkipParents<'_> {
    type Offer = Family;

    fn offer(&self, graph: &QueryGraph<'a>, tree: &mut SearchTree, node: NodeId) -> Family {
        Family::of(graph, tree, self.notes, node)
    }

    #[inline]
    fn for_each_spared(&self, graph: &QueryGraph<'a>, family: &Family, visit: impl FnMut(NodeId, Cost)) {
        graph.for_each_spared(family.node, visit);
    }

    #[inline]
    fn for_each_arc(&self, graph: &QueryGraph<'a>, family: &Family, visit: impl FnMut(NodeId, Cost)) {
        graph.for_each_onward_arc(family.node, family.parent, visit);
    }

    #[inline]
    fn relax(
        &self,
        family: &Family,
        tree: &SearchTree,
        index: usize,
        successor: NodeId,
        step: Cost,
    ) -> Option<(NodeId, Cost)> {
        let cell = self.graph.cell(successor);
        // A straight leg is never longer than the turns it replaces, so if that
        // is no improvement, nothing is.
        let direct = family.parent_g + euclidean(family.parent_cell, cell);
        if !tree.improves(index, direct) || self.notes.borrow().get(index).expanded.is_some() {
            return None;
        }
        if self.grid.line_of_sight(family.parent_cell, cell) {
            return Some((family.parent, direct));
        }
        let straight = family.g + euclidean(family.cell, cell);
        let over = family.g + step;
        let in_sight = straight < over && family.parent != family.node;
        if in_sight && tree.improves(index, straight) && self.grid.line_of_sight(family.cell, cell) {
            return Some((family.node, straight));
        }
        Some((family.node, over))
    }
}

/// The rule of Lazy Theta* on a hierarchy: a successor takes the expanded node's
/// parent as its own without a test. The line of sight is tested when the
/// successor is expanded; if it is blocked, the successor falls back on the
/// cheapest node that has an edge to it.
pub(super) struct SkipParentsLazily<'a> {
    pub(super) grid: &'a Grid,
    pub(super) graph: &'a QueryGraph<'a>,
    pub(super) notes: &'a RefCell<Notes>,
}

impl<'a> Rule<QueryGraph<'a>> for SkipParentsLazily<'_> {
    type Offer = Family;

    fn offer(&self, graph: &QueryGraph<'a>, tree: &mut SearchTree, node: NodeId) -> Family {
        let index = graph.index(node);
        let (cell, parent) = (graph.cell(node), graph.cell(NodeId::unpack(tree.parent(index))));
        if !self.grid.line_of_sight(parent, cell)
            && let Some((fallback, over)) = self.notes.borrow().get(index).fallback
        {
            let node = NodeId::unpack(fallback);
            let g = self.notes.borrow().get(graph.index(node)).expanded.unwrap_or(over);
            let straight = g + euclidean(graph.cell(node), cell);
            let in_sight = straight < over && self.grid.line_of_sight(graph.cell(node), cell);
            tree.replace(index, if in_sight { straight } else { over }, fallback);
        }
        Family::of(graph, tree, self.notes, node)
    }

    #[inline]
    fn for_each_spared(&self, graph: &QueryGraph<'a>, family: &Family, visit: impl FnMut(NodeId, Cost)) {
        graph.for_each_spared(family.node, visit);
    }

    #[inline]
    fn for_each_arc(&self, graph: &QueryGraph<'a>, family: &Family, visit: impl FnMut(NodeId, Cost)) {
        graph.for_each_onward_arc(family.node, family.parent, visit);
    }

    #[inline]
    fn relax(
        &self,
        family: &Family,
        _: &SearchTree,
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
