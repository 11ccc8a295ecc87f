//! Lazy Theta*: Theta* with one line-of-sight test per expanded node.
//!
//! A successor takes the expanded node's parent as its own without a test. Only
//! when it is itself expanded is the line of sight tested; if it is blocked, the
//! best expanded neighbour becomes the parent instead. Most nodes need no test,
//! because the cone stored when they were reached shows them ([`Cone`]).

use super::theta::{Cone, Family};
use super::{Rule, SearchTree};
use crate::base::{Cell, Cost, DiagonalCost, Direction, Node};
use crate::graph::Plane;

/// The rule of Lazy Theta*.
///
/// # Guarantee
/// As [`Theta`](super::Theta); paths are usually slightly longer.
///
/// # Allocation
/// None once the memory has grown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LazyTheta<'p, P>(pub &'p P);

impl<P: Plane> LazyTheta<'_, P> {
    /// The best parent among the expanded neighbours of `node`. There is at least
    /// one: the node from which it was opened.
    fn visible_parent(&self, tree: &SearchTree, node: Cell) -> Option<(Cost, Cell)> {
        let graph = self.0;
        graph
            .moves(node)
            .map(|direction| (direction, node.step(direction)))
            .filter(|&(_, next)| tree.is_closed(graph.index(next)))
            .map(|(direction, next)| (tree.g(graph.index(next)) + length(direction), next))
            .min()
    }

    /// Confirms or replaces the parent of `node`, and returns what it sees.
    #[inline]
    fn settle(&self, tree: &mut SearchTree, node: Cell) -> Cone {
        let (graph, grid) = (self.0, self.0.grid());
        let index = graph.index(node);
        let parent = Cell::unpack(tree.parent(index));
        if let Some(cone) = Cone::unpack(tree.cone(index), parent, node)
            && cone.shows(grid, node)
        {
            return cone.narrowed(grid, node);
        }
        if !grid.line_of_sight(parent, node)
            && let Some((g, parent)) = self.visible_parent(tree, node)
        {
            tree.replace(index, g, parent.pack());
        }
        Cone::around(grid, Cell::unpack(tree.parent(index)), node)
    }
}

/// Cost of a leg to an adjacent cell.
fn length(direction: Direction) -> Cost {
    let cost = DiagonalCost::Sqrt2;
    if direction.is_diagonal() { cost.diagonal() } else { cost.straight() }
}

impl<P: Plane> Rule<P> for LazyTheta<'_, P> {
    type Offer = Family;

    #[inline]
    fn offer(&self, graph: &P, tree: &mut SearchTree, node: Cell) -> Family {
        let cone = self.settle(tree, node);
        Family::new(graph, tree, node, cone)
    }

    #[inline]
    fn for_each_arc(&self, _: &P, family: &Family, visit: impl FnMut(Cell, Cost)) {
        family.for_each_successor(visit);
    }

    #[inline]
    fn for_each_skipped(&self, family: &Family, look: impl FnMut(Cell)) {
        family.for_each_skipped(look);
    }

    #[inline]
    fn relax(
        &self,
        family: &Family,
        _: &SearchTree,
        _: usize,
        successor: Cell,
        _: Cost,
    ) -> Option<(Cell, Cost)> {
        Some((family.parent, family.direct(successor)))
    }

    #[inline]
    fn improved(&self, family: &Family, tree: &mut SearchTree, index: usize) {
        // Whether the cone shows the successor is tested when that is expanded.
        tree.set_cone(index, family.cone.pack());
    }
}
