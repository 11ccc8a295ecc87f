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
        // A straight leg is never longer than the detour over the node, so
        // what is no news for the leg is none for the detour: most successors
        // end here, before any line of sight is looked along.
        if labels.is_closed(index) {
            return None;
        }
        let direct = family.parent_g + euclidean(family.parent, successor);
        if !labels.is_news(index, direct) {
            return None;
        }
        if self.0.line_of_sight(family.parent, successor) {
            return Some((family.parent, direct));
        }
        Some((family.node, family.g + euclidean(family.node, successor)))
    }
}
