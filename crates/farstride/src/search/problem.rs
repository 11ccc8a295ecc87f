//! The search loop, and what it is generic over.

use super::{
    Everything, HeapQueue, Heuristic, Observer, OpenList, PriorState, SearchTree, ShortestPath, Target,
};
use crate::base::{Cost, Node};
use crate::graph::Graph;

/// A search to run: a graph and a target. Unlike [`astar`](super::astar), it can pause
/// and go on, and stop at any [`Target`].
///
/// Which rule gives a node its parent is a parameter, too, so that Theta* runs in the
/// same loop; outside of this crate it is that of A*.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a, G, T, R = ShortestPath> {
    /// The graph to search.
    pub graph: &'a G,
    /// When to stop, and the heuristic.
    pub target: T,
    #[doc(hidden)]
    pub rule: R,
}

impl<'a, G: Graph> Problem<'a, G, Everything> {
    /// The search of `graph` for `goal` by A*. `bound` is a lower bound of the cost from
    /// a node to the goal; see [`Target::estimate`].
    pub const fn to_goal<H: Fn(G::Node) -> Cost>(
        graph: &'a G,
        goal: G::Node,
        bound: H,
    ) -> Problem<'a, G, impl Target<G::Node>> {
        Problem::new(graph, Heuristic { goal, bound })
    }

    /// The search of everything that can be reached in `graph`, by Dijkstra's algorithm.
    pub const fn everywhere(graph: &'a G) -> Self {
        Self::new(graph, Everything)
    }
}

impl<'a, G, T> Problem<'a, G, T> {
    /// The search of `graph` for `target` by A*.
    pub const fn new(graph: &'a G, target: T) -> Self {
        Self { graph, target, rule: ShortestPath }
    }
}

/// How a node gets its parent: what distinguishes A*, Theta* and Lazy Theta*.
pub trait Rule<G: Graph> {
    /// What an expanded node offers its successors.
    type Offer;

    /// Called when `node` is expanded. May still correct its g and parent.
    fn offer(&self, graph: &G, tree: &mut SearchTree, node: G::Node) -> Self::Offer;

    /// Calls `visit` with nodes that need not be expanded if they are reached at this cost
    /// beyond the expanded node or more: [`Graph::for_each_spared`], or some of these. By
    /// default there are none.
    #[inline]
    fn for_each_spared(&self, graph: &G, offer: &Self::Offer, visit: impl FnMut(G::Node, Cost)) {
        let _ = (graph, offer, visit);
    }

    /// Calls `visit` with every arc out of the expanded node that may improve its
    /// head.
    fn for_each_arc(&self, graph: &G, offer: &Self::Offer, visit: impl FnMut(G::Node, Cost));

    /// Calls `look` with the successors that [`Rule::for_each_arc`] skips because
    /// they are known not to improve. Only observers need them.
    #[inline]
    fn for_each_skipped(&self, offer: &Self::Offer, look: impl FnMut(G::Node)) {
        let _ = (offer, look);
    }

    /// The parent and g that the offer gives a successor, or `None` if that would
    /// not be an improvement.
    fn relax(
        &self,
        offer: &Self::Offer,
        tree: &SearchTree,
        index: usize,
        successor: G::Node,
        step: Cost,
    ) -> Option<(G::Node, Cost)>;

    /// Called when the successor last passed to [`Rule::relax`] has been improved
    /// by its result.
    #[inline]
    fn improved(&self, offer: &Self::Offer, tree: &mut SearchTree, index: usize) {
        let _ = (offer, tree, index);
    }
}

/// Working memory for one search at a time. Keep one per thread and reuse it:
/// starting a search is O(1), and a warmed-up memory does not allocate.
#[derive(Debug, Default)]
pub struct Memory<Q = HeapQueue> {
    tree: SearchTree,
    open: Q,
}

impl<Q: OpenList> Memory<Q> {
    /// The cost from the start to the node with this index
    /// ([`Graph::index`]); `None` if the last search has not reached it.
    pub fn cost(&self, index: usize) -> Option<Cost> {
        self.tree.cost(index)
    }

    /// The search tree of the last search.
    #[doc(hidden)]
    pub const fn tree(&self) -> &SearchTree {
        &self.tree
    }

    /// The open list, for setup before a search.
    pub(crate) const fn open_mut(&mut self) -> &mut Q {
        &mut self.open
    }

    /// Writes the path from the start to `node` into `path`.
    ///
    /// The search must have reached `node`.
    pub fn path_into<G: Graph>(&self, graph: &G, node: G::Node, path: &mut Vec<G::Node>) {
        path.clear();
        let mut node = node;
        loop {
            path.push(node);
            let parent = G::Node::unpack(self.tree.parent(graph.index(node)));
            if parent == node {
                break;
            }
            node = parent;
        }
        path.reverse();
    }
}

/// How a search ended or paused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchStatus<N> {
    /// The target was reached at this node.
    Reached(N),
    /// Everything reachable was expanded; the target is not among it.
    Exhausted,
    /// The budget is spent. Call [`Problem::advance`] again to continue.
    Paused,
    /// As `Exhausted`, but paths above [`Cost::MAX`] had to be dropped.
    CostOverflow,
}

impl<G: Graph, T: Target<G::Node>, R: Rule<G>> Problem<'_, G, T, R> {
    /// Starts a search: forgets the last one in `memory` and opens `start`.
    pub fn begin<Q: OpenList>(
        &self,
        start: G::Node,
        memory: &mut Memory<Q>,
        observer: &mut impl Observer<G::Node>,
    ) {
        memory.tree.begin(self.graph.node_count());
        memory.tree.improve(self.graph.index(start), Cost::ZERO, start.pack());
        let h = self.target.estimate(start);
        memory.open.start(h, h, start.pack());
        observer.begun();
        observer.improved(start, Cost::ZERO, PriorState::Unseen);
    }

    /// Starts a search from several nodes at once, or from none: paths begin at the nearest.
    pub(crate) fn begin_at<Q: OpenList>(
        &self,
        starts: impl IntoIterator<Item = G::Node>,
        memory: &mut Memory<Q>,
    ) {
        self.begin_with(starts.into_iter().map(|start| (Cost::ZERO, start)), memory);
    }

    /// The same from nodes that have a cost already, the cheapest first.
    pub(crate) fn begin_with<Q: OpenList>(
        &self,
        starts: impl IntoIterator<Item = (Cost, G::Node)>,
        memory: &mut Memory<Q>,
    ) {
        memory.tree.begin(self.graph.node_count());
        let mut is_empty = true;
        for (g, start) in starts {
            if memory.tree.improve(self.graph.index(start), g, start.pack()).is_none() {
                continue;
            }
            let h = self.target.estimate(start);
            if std::mem::take(&mut is_empty) {
                memory.open.start(g + h, h, start.pack());
            } else {
                memory.open.push(g + h, h, start.pack());
            }
        }
        if is_empty {
            memory.open.start(Cost::ZERO, Cost::ZERO, 0);
            memory.open.pop();
        }
    }

    /// Expands up to `budget` nodes of the search in `memory`.
    ///
    /// The result depends only on the sum of all budgets, not on how it was split.
    pub fn advance<Q: OpenList>(
        &self,
        memory: &mut Memory<Q>,
        budget: u64,
        observer: &mut impl Observer<G::Node>,
    ) -> SearchStatus<G::Node> {
        let Self { graph, target, rule } = self;
        let Memory { tree, open } = memory;
        for _ in 0..budget {
            let node = loop {
                let Some(node) = open.pop().map(G::Node::unpack) else {
                    return if tree.overflowed() {
                        SearchStatus::CostOverflow
                    } else {
                        SearchStatus::Exhausted
                    };
                };
                if tree.close(graph.index(node)) {
                    break node;
                } // otherwise stale: the node was expanded after a cheaper push
            };
            // Before the observer hears of it: Lazy Theta* may still raise its g here.
            let offer = rule.offer(graph, tree, node);
            observer.expanded(node, tree.g(graph.index(node)));
            // Only when expanded: when merely reached, its g need not be final.
            if target.is_reached(node) {
                return SearchStatus::Reached(node);
            }
            let g = tree.g(graph.index(node));
            rule.for_each_spared(graph, &offer, |spared, step| tree.settle(graph.index(spared), g + step));
            rule.for_each_skipped(&offer, |successor| observer.generated(successor));
            rule.for_each_arc(graph, &offer, |successor, step| {
                observer.generated(successor);
                let index = graph.index(successor);
                let Some((parent, g)) = rule.relax(&offer, tree, index, successor, step) else {
                    return;
                };
                if let Some(was) = tree.improve(index, g, parent.pack()) {
                    rule.improved(&offer, tree, index);
                    let h = target.estimate(successor);
                    open.push(g + h, h, successor.pack());
                    observer.improved(successor, g, was);
                }
            });
        }
        SearchStatus::Paused
    }
}
