//! The loop.

use super::{Labels, Observer, OpenList, Target, Was};
use crate::base::{Cost, Node};
use crate::graph::Graph;

/// What to search: a graph, where to go, and how nodes get their parents.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a, G, T, R> {
    /// The world.
    pub graph: &'a G,
    /// When to stop, and the heuristic.
    pub target: T,
    /// How a node gets its parent.
    pub rule: R,
}

/// How a node gets its parent: all that tells A*, Theta* and Lazy Theta* apart.
pub trait Rule<G: Graph> {
    /// What the expanded node offers to its successors.
    type Offer;

    /// Called when `node` is expanded; may still correct its label.
    fn offer(&self, graph: &G, labels: &mut Labels, node: G::Node) -> Self::Offer;

    /// Calls `visit` with every arc out of the expanded node that may be news.
    fn for_each_arc(&self, graph: &G, offer: &Self::Offer, visit: impl FnMut(G::Node, Cost));

    /// Calls `look` with every successor that was found to be no news before
    /// [`Rule::for_each_arc`], which leaves it out. Only observers care.
    #[inline]
    fn for_each_old_news(&self, offer: &Self::Offer, look: impl FnMut(G::Node)) {
        let _ = (offer, look);
    }

    /// Parent and cost for a successor of the expanded node, or `None` if
    /// they would be no news.
    fn relax(
        &self,
        offer: &Self::Offer,
        labels: &Labels,
        index: usize,
        successor: G::Node,
        step: Cost,
    ) -> Option<(G::Node, Cost)>;

    /// Called when the successor that [`Rule::relax`] was asked about last has
    /// got the label it made.
    #[inline]
    fn labelled(&self, offer: &Self::Offer, labels: &mut Labels, index: usize) {
        let _ = (offer, labels, index);
    }
}

/// Working memory of one search at a time. Keep one per thread and reuse it:
/// starting a search is O(1), and a warmed-up memory allocates nothing.
#[derive(Debug, Default)]
pub struct Memory<Q> {
    labels: Labels,
    open: Q,
}

impl<Q: OpenList> Memory<Q> {
    /// Costs and parents found by the last search.
    pub const fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The open list, to be set up before a search.
    pub(crate) const fn open_mut(&mut self) -> &mut Q {
        &mut self.open
    }

    /// Writes the path from the start to `node` into `path`, in that order.
    ///
    /// The search must have labelled `node`.
    pub fn path_into<G: Graph>(&self, graph: &G, node: G::Node, path: &mut Vec<G::Node>) {
        path.clear();
        let mut node = node;
        loop {
            path.push(node);
            let parent = G::Node::unpack(self.labels.parent(graph.index(node)));
            if parent == node {
                break;
            }
            node = parent;
        }
        path.reverse();
    }
}

/// How far a search got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress<N> {
    /// The target was reached at this node.
    Reached(N),
    /// Everything that can be reached has been seen.
    Exhausted,
    /// The budget is spent; call again to go on.
    Paused,
    /// Exhausted, but paths dearer than [`Cost::MAX`] had to be left out.
    CostOverflow,
}

impl<G: Graph, T: Target<G::Node>, R: Rule<G>> Problem<'_, G, T, R> {
    /// Forgets the last search in `memory` and puts `start` into the open list.
    pub fn begin<Q: OpenList>(
        &self,
        start: G::Node,
        memory: &mut Memory<Q>,
        observer: &mut impl Observer<G::Node>,
    ) {
        memory.labels.begin(self.graph.node_count());
        memory.labels.improve(self.graph.index(start), Cost::ZERO, start.pack());
        let h = self.target.estimate(start);
        memory.open.start(h, h, start.pack());
        observer.begun();
        observer.labelled(start, Cost::ZERO, Was::Unseen);
    }

    /// Expands up to `budget` nodes of the search in `memory`.
    ///
    /// The outcome depends on the sum of the budgets alone, not on how it was
    /// divided.
    pub fn advance<Q: OpenList>(
        &self,
        memory: &mut Memory<Q>,
        budget: u64,
        observer: &mut impl Observer<G::Node>,
    ) -> Progress<G::Node> {
        let Self { graph, target, rule } = self;
        let Memory { labels, open } = memory;
        for _ in 0..budget {
            let node = loop {
                let Some(node) = open.pop().map(G::Node::unpack) else {
                    return if labels.overflowed() { Progress::CostOverflow } else { Progress::Exhausted };
                };
                if labels.close(graph.index(node)) {
                    break node;
                } // else stale: expanded after a cheaper push
            };
            let offer = rule.offer(graph, labels, node);
            observer.expanded(node, labels.g(graph.index(node)));
            if target.is_reached(node) {
                return Progress::Reached(node);
            }
            let g = labels.g(graph.index(node));
            graph.for_each_spared(node, |spared, step| labels.settle(graph.index(spared), g + step));
            rule.for_each_old_news(&offer, |successor| observer.generated(successor));
            rule.for_each_arc(graph, &offer, |successor, step| {
                observer.generated(successor);
                let index = graph.index(successor);
                let Some((parent, g)) = rule.relax(&offer, labels, index, successor, step) else {
                    return;
                };
                if let Some(was) = labels.improve(index, g, parent.pack()) {
                    rule.labelled(&offer, labels, index);
                    let h = target.estimate(successor);
                    open.push(g + h, h, successor.pack());
                    observer.labelled(successor, g, was);
                }
            });
        }
        Progress::Paused
    }
}
