//! Lazy Theta*: Theta* with one look per expanded node.
//!
//! A successor takes the expanded node's parent for its own without looking;
//! only when it is expanded itself is the line of sight checked, and if it is
//! not there, the best neighbour that was expanded takes its place.

use super::theta::Family;
use super::{Labels, Rule};
use crate::base::{Cell, Cost, Node, euclidean};
use crate::graph::{Graph, UniformGrid};
use crate::grid::Grid;

/// The rule of Lazy Theta*.
#[derive(Clone, Copy, Debug)]
pub struct LazyTheta<'g>(pub &'g Grid);

impl LazyTheta<'_> {
    /// The best parent among the expanded neighbours of `node`. There is one:
    /// the node that opened it.
    fn visible_parent(&self, graph: &UniformGrid<'_>, labels: &Labels, node: Cell) -> Option<(Cost, Cell)> {
        self.0
            .moves_inside(node)
            .map(|direction| node.step(direction))
            .filter(|&next| labels.is_closed(graph.index(next)))
            .map(|next| (labels.g(graph.index(next)) + euclidean(next, node), next))
            .min()
    }
}

impl<'g> Rule<UniformGrid<'g>> for LazyTheta<'g> {
    type Offer = Family;

    fn offer(&self, graph: &UniformGrid<'g>, labels: &mut Labels, node: Cell) -> Family {
        let parent = Cell::unpack(labels.parent(graph.index(node)));
        if !self.0.line_of_sight(parent, node)
            && let Some((g, parent)) = self.visible_parent(graph, labels, node)
        {
            labels.replace(graph.index(node), g, parent.pack());
        }
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
        family.direct(labels, index, successor).map(|direct| (family.parent, direct))
    }
}
