//! Lower bounds for graphs with links.

use super::{Memory, dijkstra};
use crate::base::{Cost, Node, NodeId};
use crate::graph::{Graph, Link, Linked};

impl<G: Graph> Linked<G> {
    /// A lower bound of the cost from any node to `goal`, for A*: the least of the
    /// way without links and the ways over each link, all estimated by `base`.
    ///
    /// `base` is a bound between two nodes of the graph without links. It must be 0
    /// from a node to itself, and consistent: `base(a, t)` is at most the cost of an
    /// arc from a to b plus `base(b, t)`. The octile distance on a grid qualifies.
    ///
    /// # Guarantee
    /// Consistent, so A* expands no node twice. Deterministic. Valid for the links
    /// that exist now; make a new one after adding or removing links.
    ///
    /// # Complexity
    /// O(L²) time for L links, and up to L calls of `base` per node: links that
    /// shorten no way to the goal are dropped beforehand. With hundreds of short
    /// links spread over the map too many remain, and a search with a bound of zero
    /// (`|_| Cost::ZERO`) is faster; with long-range links, the bound always was
    /// (the partition record of 2026-11-15 under `bench/runs`).
    ///
    /// # Allocation
    /// Working memory, and one entry per link kept; none per node.
    ///
    /// # Example
    /// ```
    /// use farstride::graph::{Link, Linked};
    /// use farstride::graph::UniformGrid;
    /// use farstride::{Cell, Cost, Grid};
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
            // The bound stays consistent without a link that does not lower it at
            // the link's start: there h(from) <= rest = cost + h(to) holds anyway,
            // and dropping links can only raise h(to).
            if rest < least(&base, goal, &kept, from) {
                kept.push((from, rest));
            }
        }
        move |node| least(&base, goal, &kept, node)
    }
}

/// The least of the way without links and the ways over each entrance.
#[inline]
fn least<N: Node>(base: impl Fn(N, N) -> Cost, goal: N, entrances: &[(N, Cost)], node: N) -> Cost {
    let over = entrances.iter().map(|&(from, rest)| base(node, from) + rest);
    over.fold(base(node, goal), Cost::min)
}

/// The start of every link, and a lower bound of the cost from there over the
/// link to the goal. Drops links whose cost would exceed [`Cost::MAX`].
fn rest_of_links<N: Node>(links: &[Link<N>], goal: N, base: &impl Fn(N, N) -> Cost) -> Vec<(N, Cost)> {
    let mut memory = Memory::default();
    dijkstra(&Backwards { links, goal, base }, NodeId::new(0), &mut memory, &mut ());
    let rest = |at: usize| memory.cost(at + 1);
    links.iter().enumerate().filter_map(|(at, link)| Some((link.from, rest(at)?))).collect()
}

/// The links searched backwards: node 0 is the goal, node `i + 1` is link `i`, and
/// an arc leads from each node to every link that may come before it.
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
