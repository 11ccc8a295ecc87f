//! The target of a search.

use crate::base::{Cell, Cost, Node, euclidean};
use crate::grid::{Diagonals, Rules};

/// When a search is done, and a lower bound of the cost that remains.
pub trait Target<N> {
    /// Whether the search may stop when `node` is expanded.
    fn is_reached(&self, node: N) -> bool;

    /// A lower bound of the cost from `node` to the target.
    ///
    /// With a consistent bound (`estimate(a) <= cost(a, b) + estimate(b)` for every
    /// arc), A* expands every node at most once; with one that is only admissible,
    /// it may expand some again. Either way it finds a shortest path.
    fn estimate(&self, node: N) -> Cost;
}

/// No target: the search expands everything it can reach.
#[derive(Clone, Copy, Debug)]
pub struct Everything;

impl<N> Target<N> for Everything {
    fn is_reached(&self, _: N) -> bool {
        false
    }

    fn estimate(&self, _: N) -> Cost {
        Cost::ZERO
    }
}

/// A single goal with a lower bound supplied by the caller.
#[derive(Clone, Copy, Debug)]
pub struct Heuristic<N, H> {
    /// The goal.
    pub goal: N,
    /// Lower bound of the cost from a node to the goal.
    pub bound: H,
}

impl<N: Node, H: Fn(N) -> Cost> Target<N> for Heuristic<N, H> {
    fn is_reached(&self, node: N) -> bool {
        node == self.goal
    }

    fn estimate(&self, node: N) -> Cost {
        (self.bound)(node)
    }
}

/// A goal cell, with the distance on an empty grid as lower bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GridTarget {
    goal: Cell,
    /// What each column or row counts for, of those there are more of.
    more: Cost,
    /// What each of the others counts for besides: a diagonal step replaces a straight one, or is two.
    less: Cost,
}

impl GridTarget {
    pub(crate) const fn new(goal: Cell, rules: Rules) -> Self {
        let (straight, diagonal) = (rules.diagonal_cost.straight(), rules.diagonal_cost.diagonal());
        let less =
            if matches!(rules.diagonals, Diagonals::None) { straight } else { diagonal.less(straight) };
        Self { goal, more: straight, less }
    }
}

impl Target<Cell> for GridTarget {
    #[inline]
    fn is_reached(&self, cell: Cell) -> bool {
        cell == self.goal
    }

    #[inline]
    fn estimate(&self, cell: Cell) -> Cost {
        let (columns, rows) = (cell.x.abs_diff(self.goal.x), cell.y.abs_diff(self.goal.y));
        let [more, less] = [columns.max(rows), columns.min(rows)].map(u64::from);
        Cost::from_units(more * self.more.units() + less * self.less.units())
    }
}

/// A goal cell, with the straight-line distance as lower bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EuclideanTarget(pub(crate) Cell);

impl Target<Cell> for EuclideanTarget {
    #[inline]
    fn is_reached(&self, cell: Cell) -> bool {
        cell == self.0
    }

    #[inline]
    fn estimate(&self, cell: Cell) -> Cost {
        euclidean(cell, self.0)
    }
}
