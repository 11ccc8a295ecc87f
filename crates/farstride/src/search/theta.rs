//! Basic Theta*: paths that turn at any angle.
//!
//! As A*, but a successor may take the expanded node's *parent* for its own if
//! it can see it. A path is then a few long legs instead of many steps. Where
//! the parent is out of sight, we also try *its* parent, which the paper does
//! not: it is rarely asked for, and takes a third off what crowded maps cost
//! over the shortest path.
//!
//! Two things make it fast, and neither changes a path: successors that cannot
//! be news are sorted out together, without branches or square roots; and what
//! the parent sees is handed on from node to node ([`Cone`]), so that one
//! successor in seven is looked for along the whole line.

mod cone;

use super::{Labels, Rule};
use crate::base::{Cell, Cost, DiagonalCost, Direction, Node, euclidean};
use crate::graph::Plane;
use crate::grid::{Grid, Moves};
pub(super) use cone::{Cone, PackedCone};
use std::cell;

/// The rule of Theta*.
///
/// # Guarantee
/// Every leg is in line of sight; found exactly when there is a path. Not
/// optimal, and without a bound. Deterministic.
///
/// # Allocation
/// None once the memory has grown.
/// The plane is given to it again: rules see the graph only when a node is
/// expanded.
#[derive(Clone, Copy, Debug)]
pub struct Theta<'p, P>(pub &'p P);

/// An expanded node and its parent, with their costs.
#[derive(Clone, Debug)]
pub struct Family {
    pub(super) node: Cell,
    pub(super) g: Cost,
    pub(super) parent: Cell,
    pub(super) parent_g: Cost,
    /// Legal moves from the node.
    moves: Moves,
    /// Those to successors that may be news, one bit per direction.
    open: u8,
    /// What the parent sees around the node.
    pub(super) cone: Cone,
    /// Whether the cone shows the successor that was looked at last.
    shown: cell::Cell<bool>,
}

impl Family {
    #[inline]
    pub(super) fn new(graph: &impl Plane, labels: &Labels, node: Cell, cone: Cone) -> Self {
        let index = graph.index(node);
        let parent = Cell::unpack(labels.parent(index));
        let parent_g = labels.g(graph.index(parent));
        let moves = graph.moves(node);
        let open = open_successors(graph, labels, node, &moves, (parent, parent_g));
        Self { node, g: labels.g(index), parent, parent_g, moves, open, cone, shown: cell::Cell::new(false) }
    }

    /// Calls `visit` with every successor that may be news.
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
    pub(super) fn for_each_old_news(&self, mut look: impl FnMut(Cell)) {
        for direction in Direction::ALL {
            if self.moves.contains(direction) && self.open >> direction as u8 & 1 == 0 {
                look(self.node.step(direction));
            }
        }
    }

    /// Cost of the straight leg from the parent to a successor.
    #[inline]
    pub(super) fn direct(&self, successor: Cell) -> Cost {
        self.parent_g + euclidean(self.parent, successor)
    }

    /// Whether the cone shows a successor; remembered for [`Family::pass_on`].
    #[inline]
    pub(super) fn shows(&self, grid: &Grid, successor: Cell) -> bool {
        self.shown.set(self.cone.shows(grid, successor));
        self.shown.get()
    }

    /// Hands the cone on to the successor last asked about, if it shows it.
    #[inline]
    pub(super) fn pass_on(&self, labels: &mut Labels, index: usize) {
        labels.set_cone(index, if self.shown.get() { self.cone.pack() } else { Cone::NONE });
    }
}

/// The directions of the successors of `node` for which the straight leg from
/// the parent would be news, one bit each. The leg is never longer than the
/// detour over the node, so what is no news for the leg is none for the
/// detour: six in seven successors end here, before any distance is computed
/// or line of sight looked along.
#[inline]
fn open_successors(
    graph: &impl Plane,
    labels: &Labels,
    node: Cell,
    moves: &Moves,
    (parent, g): (Cell, Cost),
) -> u8 {
    let (index, width) = (graph.index(node), graph.stride());
    let words = [index.wrapping_sub(width), index, index + width].map(|middle| labels.three_words(middle));
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
        let is_open = labels.is_open_for(words[row][column], g, across[column] + down[row]);
        u8::from(is_open & moves.contains(direction)) << direction as u8
    };
    // Written out: a loop over the directions takes half as long again.
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
    /// clear. Lines of sight may slip past corners that steps have to go
    /// around, one cell further than the parent sees.
    fn leg_from_grandparent(
        &self,
        family: &Family,
        labels: &Labels,
        successor: Cell,
        limit: Cost,
    ) -> Option<(Cell, Cost)> {
        let graph = self.0;
        let grandparent = Cell::unpack(labels.parent(graph.index(family.parent)));
        let g = labels.g(graph.index(grandparent)) + euclidean(grandparent, successor);
        let is_better = grandparent != family.parent && g < limit;
        (is_better && self.0.grid().line_of_sight(grandparent, successor)).then_some((grandparent, g))
    }

    /// Whether the parent was looked for from the successor before, in vain:
    /// that is so if the successor's own parent is a neighbour of the same
    /// family, which tried the leg when it was expanded.
    fn is_known_hidden(&self, family: &Family, labels: &Labels, index: usize, successor: Cell) -> bool {
        let Some(neighbour) = labels.known_parent(index).map(Cell::unpack) else {
            return false;
        };
        neighbour.x.abs_diff(successor.x).max(neighbour.y.abs_diff(successor.y)) <= 1
            && neighbour != family.parent
            && Cell::unpack(labels.parent(self.0.index(neighbour))) == family.parent
    }
}

impl<P: Plane> Rule<P> for Theta<'_, P> {
    type Offer = Family;

    #[inline]
    fn offer(&self, graph: &P, labels: &mut Labels, node: Cell) -> Family {
        let index = graph.index(node);
        let parent = Cell::unpack(labels.parent(index));
        let cone = match Cone::unpack(labels.cone(index), parent, node) {
            Some(cone) => cone.narrowed(graph.grid(), node),
            None => Cone::around(graph.grid(), parent, node),
        };
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
    fn relax(
        &self,
        family: &Family,
        labels: &Labels,
        index: usize,
        successor: Cell,
        _: Cost,
    ) -> Option<(Cell, Cost)> {
        let direct = family.direct(successor);
        // Most are shown: the cheapest question comes first.
        if family.shows(self.0.grid(), successor) {
            return Some((family.parent, direct));
        }
        let over_node = family.g + euclidean(family.node, successor);
        if self.is_known_hidden(family, labels, index, successor) {
            return Some((family.node, over_node));
        }
        if self.0.grid().line_of_sight(family.parent, successor) {
            return Some((family.parent, direct));
        }
        let over_grandparent = self.leg_from_grandparent(family, labels, successor, over_node);
        over_grandparent.or(Some((family.node, over_node)))
    }

    #[inline]
    fn labelled(&self, family: &Family, labels: &mut Labels, index: usize) {
        family.pass_on(labels, index);
    }
}
