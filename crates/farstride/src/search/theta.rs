//! Basic Theta*: paths that turn at any angle.
//!
//! As A*, but a successor may take the expanded node's *parent* for its own if
//! it can see it. A path is then a few long legs instead of many steps.

use super::{Labels, Rule};
use crate::base::{Cell, Cost, Node, euclidean};
use crate::graph::{Graph, UniformGrid};
use crate::grid::Grid;

/// The rule of Theta*.
#[derive(Clone, Copy, Debug)]
pub struct Theta<'g>(pub &'g Grid);

/// An expanded node and its parent, with their costs.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    pub(super) node: Cell,
    pub(super) g: Cost,
    pub(super) parent: Cell,
    pub(super) parent_g: Cost,
}

impl Family {
    pub(super) fn of(graph: &UniformGrid<'_>, labels: &Labels, node: Cell) -> Self {
        let index = graph.index(node);
        let parent = Cell::unpack(labels.parent(index));
        let parent_g = labels.g(graph.index(parent));
        Self { node, g: labels.g(index), parent, parent_g }
    }

    /// Cost of the straight leg from the parent to a successor, if that is
    /// news. The leg is never longer than the detour over the node, so what is
    /// no news for the leg is none for the detour: most successors end here,
    /// before any distance is computed or line of sight looked along.
    #[inline]
    pub(super) fn direct(&self, labels: &Labels, index: usize, successor: Cell) -> Option<Cost> {
        if labels.is_settled(index, self.parent.pack()) {
            return None;
        }
        let direct = self.parent_g + euclidean(self.parent, successor);
        labels.is_news(index, direct).then_some(direct)
    }
}

impl Theta<'_> {
    /// Whether the parent was looked for from the successor before, in vain:
    /// that is so if the successor's own parent is a neighbour of the same
    /// family, which tried the leg when it was expanded.
    fn is_known_hidden(&self, family: &Family, labels: &Labels, index: usize, successor: Cell) -> bool {
        let Some(neighbour) = labels.known_parent(index).map(Cell::unpack) else {
            return false;
        };
        neighbour.x.abs_diff(successor.x).max(neighbour.y.abs_diff(successor.y)) <= 1
            && neighbour != family.parent
            && Cell::unpack(labels.parent(UniformGrid(self.0).index(neighbour))) == family.parent
    }
}

impl<'g> Rule<UniformGrid<'g>> for Theta<'g> {
    type Offer = Family;

    fn offer(&self, graph: &UniformGrid<'g>, labels: &mut Labels, node: Cell) -> Family {
        Family::of(graph, labels, node)
    }

    #[inline]
    fn for_each_arc(&self, graph: &UniformGrid<'g>, family: &Family, visit: impl FnMut(Cell, Cost)) {
        graph.for_each_arc(family.node, visit);
    }

    #[inline]
    fn relax(
        &self,
        family: &Family,
        labels: &Labels,
        index: usize,
        successor: Cell,
        _: Cost,
    ) -> Option<(Cell, Cost)> {
        let direct = family.direct(labels, index, successor)?;
        if !self.is_known_hidden(family, labels, index, successor)
            && self.0.line_of_sight(family.parent, successor)
        {
            return Some((family.parent, direct));
        }
        Some((family.node, family.g + euclidean(family.node, successor)))
    }
}
