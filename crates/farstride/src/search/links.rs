//! Lower bounds of distances where there are links.

use super::{Memory, dijkstra};
use crate::base::{Cost, Node, NodeId};
use crate::graph::{Graph, Link, Linked};

impl<G: Graph> Linked<G> {
    /// A lower bound of the cost from any node to `goal`, for A*: the least of the
    /// way without links and of the ways over each link, all measured by `base`.
    ///
    /// `base` is a bound for the graph without links, from one node to another: 0
    /// from a node to itself, and consistent, that is, `base(a, t)` is at most the
    /// cost of an arc from a to b plus `base(b, t)`. The octile distance on a grid
    /// is one.
    ///
    /// # Guarantee
    /// Consistent, so that A* expands no node twice; deterministic. It holds for the
    /// links that there are now.
    ///
    /// # Complexity
    /// O(L²) time for L links, and up to L calls of `base` for every node that is
    /// asked about; links that no way to the goal gains by are left out first.
    /// With hundreds of short links over the whole map too many remain, and no
    /// bound at all (`|_| Cost::ZERO`) is faster; with links that lead far, a bound
    /// always was (the partition record of 2026-11-15 under `bench/runs`).
    ///
    /// # Allocation
    /// Working memory and an entry per link that is kept; none per node.
    ///
    /// # Example
    /// ```
    /// use farstride::graph::{Link, Linked};
    /// use farstride::{Cell, Cost, Grid, UniformGrid};
    ///
    /// let grid = Grid::from_ascii("..........")?;
    /// let cost = grid.rules().diagonal_cost;
    /// let portal = Link::new(Cell::new(1, 0), Cell::new(8, 0), Cost::new(10)?);
    /// let world = Linked::new(UniformGrid(&grid), [portal])?;
    ///
    /// let bound = world.bound(Cell::new(9, 0), |from, to| cost.octile(from, to));
    /// assert_eq!(bound(Cell::new(0, 0)).units(), 4756 + 10 + 4756);
    /// assert_eq!(bound(Cell::new(8, 0)).units(), 4756);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bound(&self, goal: G::Node, base: impl Fn(G::Node, G::Node) -> Cost) -> impl Fn(G::Node) -> Cost {
        let mut entrances = rest_of_links(self.links(), goal, &base);
        entrances.sort_unstable_by_key(|&(from, rest)| (rest, from.pack()));
        let mut kept: Vec<(G::Node, Cost)> = Vec::new();
        for (from, rest) in entrances {
            // A link is needed for the bound to be consistent only if it lowers it
            // where it starts: if not, h(from) <= rest = cost + h(to) holds anyway,
            // for leaving out links only raises h(to).
            if rest < least(&base, goal, &kept, from) {
                kept.push((from, rest));
            }
        }
        move |node| least(&base, goal, &kept, node)
    }
}

/// The least of the way without links and of those over each entrance.
#[inline]
fn least<N: Node>(base: impl Fn(N, N) -> Cost, goal: N, entrances: &[(N, Cost)], node: N) -> Cost {
    let over = entrances.iter().map(|&(from, rest)| base(node, from) + rest);
    over.fold(base(node, goal), Cost::min)
}

/// Where every link starts, and the least bound of the cost from there over the
/// link to the goal. Links without a way of exact cost are left out.
fn rest_of_links<N: Node>(links: &[Link<N>], goal: N, base: &impl Fn(N, N) -> Cost) -> Vec<(N, Cost)> {
    let mut memory = Memory::default();
    dijkstra(&Backwards { links, goal, base }, NodeId::new(0), &mut memory, &mut ());
    let rest = |at: usize| memory.labels().known(at + 1);
    links.iter().enumerate().filter_map(|(at, link)| Some((link.from, rest(at)?))).collect()
}

/// The goal, node 0, and the links, each the node after its place; an arc leads
/// to every link by which one may arrive, from its start.
struct Backwards<'a, N, B> {
    links: &'a [Link<N>],
    goal: N,
    base: &'a B,
}

impl<N: Node, B: Fn(N, N) -> Cost> Graph for Backwards<'_, N, B> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.links.len() + 1
    }

    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let to = node.index().checked_sub(1).map_or(self.goal, |at| self.links[at].from);
        for (before, link) in (1..).map(NodeId::new).zip(self.links) {
            visit(before, link.cost + (self.base)(link.to, to));
        }
    }
}
