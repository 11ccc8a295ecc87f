//! Lazy Theta*: Theta* with one look per expanded node.
//!
//! A successor takes the expanded node's parent for its own without looking;
//! only when it is expanded itself is the line of sight checked, and if it is
//! not there, the best neighbour that was expanded takes its place. Most nodes
//! are shown by the cone that they got with their label ([`Cone`]).

use super::theta::{Cone, Family};
use super::{Labels, Rule};
use crate::base::{Cell, Cost, DiagonalCost, Direction, Node};
use crate::graph::Plane;

/// The rule of Lazy Theta*.
///
/// # Guarantee
/// As [`Theta`](super::Theta), with paths that are usually a little longer.
///
/// # Allocation
/// None once the memory has grown.
#[derive(Clone, Copy, Debug)]
pub struct LazyTheta<'p, P>(pub &'p P);

impl<P: Plane> LazyTheta<'_, P> {
    /// The best parent among the expanded neighbours of `node`. There is one:
    /// the node that opened it.
    fn visible_parent(&self, labels: &Labels, node: Cell) -> Option<(Cost, Cell)> {
        let graph = self.0;
        graph
            .moves(node)
            .map(|direction| (direction, node.step(direction)))
            .filter(|&(_, next)| labels.is_closed(graph.index(next)))
            .map(|(direction, next)| (labels.g(graph.index(next)) + length(direction), next))
            .min()
    }

    /// The parent that `node` keeps or gets instead, and what that sees.
    #[inline]
    fn settle(&self, labels: &mut Labels, node: Cell) -> Cone {
        let (graph, grid) = (self.0, self.0.grid());
        let index = graph.index(node);
        let parent = Cell::unpack(labels.parent(index));
        if let Some(cone) = Cone::unpack(labels.cone(index), parent, node)
            && cone.shows(grid, node)
        {
            return cone.narrowed(grid, node);
        }
        if !grid.line_of_sight(parent, node)
            && let Some((g, parent)) = self.visible_parent(labels, node)
        {
            labels.replace(index, g, parent.pack());
        }
        Cone::around(grid, Cell::unpack(labels.parent(index)), node)
    }
}

/// Cost of a straight leg to a neighbour.
fn length(direction: Direction) -> Cost {
    let cost = DiagonalCost::Sqrt2;
    if direction.is_diagonal() { cost.diagonal() } else { cost.straight() }
}

impl<P: Plane> Rule<P> for LazyTheta<'_, P> {
    type Offer = Family;

    #[inline]
    fn offer(&self, graph: &P, labels: &mut Labels, node: Cell) -> Family {
        let cone = self.settle(labels, node);
        Family::new(graph, labels, node, cone)
    }

    #[inline]
    fn for_each_arc(&self, _: &P, family: &Family, visit: impl FnMut(Cell, Cost)) {
        family.for_each_successor(visit);
    }

    #[inline]
    fn for_each_old_news(&self, family: &Family, look: impl FnMut(Cell)) {
        family.for_each_old_news(look);
    }

    #[inline]
    fn relax(&self, family: &Family, _: &Labels, _: usize, successor: Cell, _: Cost) -> Option<(Cell, Cost)> {
        Some((family.parent, family.direct(successor)))
    }

    #[inline]
    fn labelled(&self, family: &Family, labels: &mut Labels, index: usize) {
        // Whether the cone shows the successor is asked when it is expanded.
        labels.set_cone(index, family.cone.pack());
    }
}
