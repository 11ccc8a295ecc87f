//! Theta*: paths that turn at any angle.
//!
//! Like A*, but a successor may take the expanded node's *parent* as its own if
//! the two see each other. Paths then have a few long legs instead of many steps.
//! Where the parent is out of sight, we also try *its* parent, which the paper
//! does not: that is rarely needed, and removes a third of the excess length on
//! crowded maps.
//!
//! Two things make it fast without changing any path. Successors that cannot be
//! improved are sorted out together, without branches or square roots. And what
//! the parent sees is passed on from node to node ([`Cone`]), so that only one
//! successor in seven needs a test along the whole line.

mod cone;

use super::{Rule, SearchTree};
use crate::base::{Cell, Cost, DiagonalCost, Direction, Node, euclidean};
use crate::graph::Plane;
use crate::grid::{Grid, Moves};
pub(super) use cone::{Cone, PackedCone};
use std::cell;

/// The rule of Theta*.
///
/// # Guarantee
/// Every leg is a line of sight. Finds a path exactly when there is one. Not
/// optimal, and without a bound on the error. Deterministic.
///
/// # Allocation
/// None once the memory has grown.
///
/// Holds the plane as well, because [`Rule::relax`] does not receive the graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theta<'p, P>(pub &'p P);

/// An expanded node and its parent, with their g.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    pub(super) node: Cell,
    pub(super) g: Cost,
    pub(super) parent: Cell,
    pub(super) parent_g: Cost,
    /// Legal moves from the node.
    moves: Moves,
    /// The moves to successors that may be improved, one bit per direction.
    open: u8,
    /// What the parent sees around the node.
    pub(super) cone: Cone,
    /// Whether the cone shows the last successor passed to `shows`.
    shown: cell::Cell<bool>,
}

impl Family {
    #[inline]
    pub(super) fn new(graph: &impl Plane, tree: &SearchTree, node: Cell, cone: Cone) -> Self {
        let index = graph.index(node);
        let parent = Cell::unpack(tree.parent(index));
        let parent_g = tree.g(graph.index(parent));
        let moves = graph.moves(node);
        let open = open_successors(graph, tree, node, &moves, (parent, parent_g));
        Self { node, g: tree.g(index), parent, parent_g, moves, open, cone, shown: cell::Cell::new(false) }
    }

    /// Calls `visit` with every successor that may be improved.
    #[inline]
    pub(super) fn for_each_successor(&self, mut visit: impl FnMut(Cell, Cost)) {
        let mut left = self.open;
        while left != 0 {
            let direction = Direction::ALL[left.trailing_zeros() as usize & 7];
            visit(self.node.step(direction), Cost::ZERO);
            left &= left - 1;
        }
    }

    /// Calls `look` with every other successor.
    #[inline]
    pub(super) fn for_each_skipped(&self, mut look: impl FnMut(Cell)) {
        for direction in Direction::ALL {
            if self.moves.contains(direction) && self.open >> direction as u8 & 1 == 0 {
                look(self.node.step(direction));
            }
        }
    }

    /// g of a successor over the straight leg from the parent.
    #[inline]
    pub(super) fn direct(&self, successor: Cell) -> Cost {
        self.parent_g + euclidean(self.parent, successor)
    }

    /// Whether the cone shows a successor. Remembered for [`Family::pass_on`].
    #[inline]
    pub(super) fn shows(&self, grid: &Grid, successor: Cell) -> bool {
        self.shown.set(self.cone.shows(grid, successor));
        self.shown.get()
    }

    /// Passes the cone on to the last successor tested, if it shows it.
    #[inline]
    pub(super) fn pass_on(&self, tree: &mut SearchTree, index: usize) {
        tree.set_cone(index, if self.shown.get() { self.cone.pack() } else { Cone::NONE });
    }
}

/// The directions of the successors of `node` that the straight leg from the
/// parent would improve, one bit each. The leg is never longer than the detour
/// over the node, so a successor that the leg does not improve is not improved by
/// the detour either: six successors in seven end here, before any distance or
/// line of sight is computed.
#[inline]
fn open_successors(
    graph: &impl Plane,
    tree: &SearchTree,
    node: Cell,
    moves: &Moves,
    (parent, g): (Cell, Cost),
) -> u8 {
    let (index, width) = (graph.index(node), graph.stride());
    let words = [index.wrapping_sub(width), index, index + width].map(|middle| tree.three_words(middle));
    let unit = 2 * DiagonalCost::Sqrt2.straight().units();
    let square = |a: u16, b: u16, step: i64| {
        let distance = i64::from(a) - i64::from(b) + step;
        (distance * distance) as u64 * (unit * unit)
    };
    let across = [-1, 0, 1].map(|step| square(node.x, parent.x, step));
    let down = [-1, 0, 1].map(|step| square(node.y, parent.y, step));
    let open = |direction: Direction| {
        let (dx, dy) = direction.delta();
        let (column, row) = ((dx + 1) as usize, (dy + 1) as usize);
        let is_open = tree.is_open_for(words[row][column], g, across[column] + down[row]);
        u8::from(is_open & moves.contains(direction)) << direction as u8
    };
    // Unrolled by hand: a loop over the directions takes half as long again.
    open(Direction::North)
        | open(Direction::East)
        | open(Direction::South)
        | open(Direction::West)
        | open(Direction::NorthEast)
        | open(Direction::SouthEast)
        | open(Direction::SouthWest)
        | open(Direction::NorthWest)
}

impl<P: Plane> Theta<'_, P> {
    /// The leg from the parent's parent, if it costs less than `limit` and is
    /// clear. It may be clear although the leg from the parent is not: a line of
    /// sight may slip past a corner that steps have to go around.
    fn leg_from_grandparent(
        &self,
        family: &Family,
        tree: &SearchTree,
        successor: Cell,
        limit: Cost,
    ) -> Option<(Cell, Cost)> {
        let graph = self.0;
        let grandparent = Cell::unpack(tree.parent(graph.index(family.parent)));
        let g = tree.g(graph.index(grandparent)) + euclidean(grandparent, successor);
        let is_better = grandparent != family.parent && g < limit;
        (is_better && self.0.grid().line_of_sight(grandparent, successor)).then_some((grandparent, g))
    }

    /// Whether the leg from the parent to the successor is known to be blocked.
    /// It is if the successor's own parent is a neighbour with the same parent:
    /// that one tried the leg when it was expanded.
    fn is_known_hidden(&self, family: &Family, tree: &SearchTree, index: usize, successor: Cell) -> bool {
        let Some(neighbour) = tree.known_parent(index).map(Cell::unpack) else {
            return false;
        };
        neighbour.x.abs_diff(successor.x).max(neighbour.y.abs_diff(successor.y)) <= 1
            && neighbour != family.parent
            && Cell::unpack(tree.parent(self.0.index(neighbour))) == family.parent
    }
}

impl<P: Plane> Rule<P> for Theta<'_, P> {
    type Offer = Family;

    #[inline]
    fn offer(&self, graph: &P, tree: &mut SearchTree, node: Cell) -> Family {
        let index = graph.index(node);
        let parent = Cell::unpack(tree.parent(index));
        let cone = match Cone::unpack(tree.cone(index), parent, node) {
            Some(cone) => cone.narrowed(graph.grid(), node),
            None => Cone::around(graph.grid(), parent, node),
        };
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
        tree: &SearchTree,
        index: usize,
        successor: Cell,
        _: Cost,
    ) -> Option<(Cell, Cost)> {
        let direct = family.direct(successor);
        // The cheapest test first, and most successors pass it.
        if family.shows(self.0.grid(), successor) {
            return Some((family.parent, direct));
        }
        let over_node = family.g + euclidean(family.node, successor);
        if self.is_known_hidden(family, tree, index, successor) {
            return Some((family.node, over_node));
        }
        if self.0.grid().line_of_sight(family.parent, successor) {
            return Some((family.parent, direct));
        }
        let over_grandparent = self.leg_from_grandparent(family, tree, successor, over_node);
        over_grandparent.or(Some((family.node, over_node)))
    }

    #[inline]
    fn improved(&self, family: &Family, tree: &mut SearchTree, index: usize) {
        family.pass_on(tree, index);
    }
}
