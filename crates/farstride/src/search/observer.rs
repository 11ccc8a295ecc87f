//! Observing a search: events and counters.

use crate::base::Cost;

/// The state of a node before the search improved it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PriorState {
    /// Not reached by this search.
    Unseen,
    /// In the open list at a higher g.
    Open,
    /// Expanded at a higher g: it is opened again.
    Closed,
}

/// A phase of a hierarchical search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Phase {
    /// The main search. Engines without a hierarchy have only this phase.
    #[default]
    Main,
    /// Inserting start and goal into the hierarchy.
    Insert,
    /// Turning a path of the hierarchy into cells.
    Refine,
}

/// Receives every event of a search. `()` ignores them at no cost.
pub trait Observer<N> {
    /// Whether the observer wants events; if not, nothing is computed for it.
    const LISTENS: bool = true;

    /// The following events belong to this phase.
    fn phase(&mut self, phase: Phase) {
        let _ = phase;
    }

    /// A search begins. Its start is reported as [`Observer::improved`] next.
    fn begun(&mut self) {}

    /// `node` was taken from the open list at this g.
    fn expanded(&mut self, node: N, g: Cost) {
        let _ = (node, g);
    }

    /// More successors follow of `node`, which was expanded before at this g. Only the main search of `hpa` looks at some
    /// of them later.
    fn resumed(&mut self, node: N, g: Cost) {
        let _ = (node, g);
    }

    /// `node` was considered as a successor, whether or not that improved it.
    fn generated(&mut self, node: N) {
        let _ = node;
    }

    /// `node` was reached, or reached at a lower g, and entered the open list. The main search of `hpa` looks only
    /// when a node comes out of the list whether its g is lower, so it reports every time as the first.
    fn improved(&mut self, node: N, g: Cost, was: PriorState) {
        let _ = (node, g, was);
    }
}

impl<N> Observer<N> for () {
    const LISTENS: bool = false;
}

impl<N, O: Observer<N>> Observer<N> for &mut O {
    const LISTENS: bool = O::LISTENS;

    fn phase(&mut self, phase: Phase) {
        (**self).phase(phase);
    }

    fn begun(&mut self) {
        (**self).begun();
    }

    fn expanded(&mut self, node: N, g: Cost) {
        (**self).expanded(node, g);
    }

    fn resumed(&mut self, node: N, g: Cost) {
        (**self).resumed(node, g);
    }

    fn generated(&mut self, node: N) {
        (**self).generated(node);
    }

    fn improved(&mut self, node: N, g: Cost, was: PriorState) {
        (**self).improved(node, g, was);
    }
}

/// Counts events the way the papers do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Nodes taken from the open list and expanded, including the goal: "expanded
    /// nodes" in the HPA* paper, "visits" in the HPT* thesis.
    pub expanded: u64,
    /// Successors considered. On uniform grids A* considers fewer than the papers'
    /// A*, because it skips moves that no shortest path needs.
    pub generated: u64,
    /// Nodes opened again at a lower g after they had been expanded or spared
    /// ([`Graph::for_each_spared`](crate::graph::Graph::for_each_spared)).
    pub reopened: u64,
    /// Largest number of nodes in the open and closed lists together, over all
    /// searches: the thesis' "nodes in memory".
    pub peak_nodes: u64,
    /// Nodes in the open list of the current search.
    open: u64,
    /// Nodes in its open and closed lists.
    nodes: u64,
    /// Sum of the open-list sizes at every expansion.
    open_total: u64,
}

impl Counters {
    /// Mean size of the open list, sampled at every expansion: the HPA* paper's
    /// "average open-list size".
    pub fn average_open(&self) -> f64 {
        if self.expanded == 0 { 0.0 } else { self.open_total as f64 / self.expanded as f64 }
    }

    /// Adds the counts of a search that ran before or after this one. Peak memory
    /// is the larger of the two, because they did not run at the same time.
    pub fn absorb(&mut self, other: &Self) {
        self.expanded += other.expanded;
        self.generated += other.generated;
        self.reopened += other.reopened;
        self.peak_nodes = self.peak_nodes.max(other.peak_nodes);
        self.open_total += other.open_total;
    }
}

impl<N> Observer<N> for Counters {
    fn begun(&mut self) {
        self.open = 0;
        self.nodes = 0;
    }

    fn expanded(&mut self, _: N, _: Cost) {
        self.expanded += 1;
        self.open_total += self.open;
        self.open = self.open.saturating_sub(1);
    }

    fn generated(&mut self, _: N) {
        self.generated += 1;
    }

    fn improved(&mut self, _: N, _: Cost, was: PriorState) {
        match was {
            PriorState::Unseen => {
                self.open += 1;
                self.nodes += 1;
                self.peak_nodes = self.peak_nodes.max(self.nodes);
            }
            PriorState::Open => {}
            PriorState::Closed => {
                self.open += 1;
                self.reopened += 1;
            }
        }
    }
}

/// Counts a search by phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Inserting start and goal: "SG" in the HPA* paper.
    pub insert: Counters,
    /// The main search.
    pub main: Counters,
    /// Refinement.
    pub refine: Counters,
    phase: Phase,
}

impl Effort {
    /// The sum over all phases.
    pub fn total(&self) -> Counters {
        let mut total = self.insert;
        total.absorb(&self.main);
        total.absorb(&self.refine);
        total
    }

    fn current(&mut self) -> &mut Counters {
        match self.phase {
            Phase::Insert => &mut self.insert,
            Phase::Main => &mut self.main,
            Phase::Refine => &mut self.refine,
        }
    }
}

impl<N> Observer<N> for Effort {
    fn phase(&mut self, phase: Phase) {
        self.phase = phase;
    }

    fn begun(&mut self) {
        Observer::<N>::begun(self.current());
    }

    fn expanded(&mut self, node: N, g: Cost) {
        self.current().expanded(node, g);
    }

    fn generated(&mut self, node: N) {
        self.current().generated(node);
    }

    fn improved(&mut self, node: N, g: Cost, was: PriorState) {
        self.current().improved(node, g, was);
    }
}

/// Forwards events of a search whose nodes stand for nodes of another graph.
pub(crate) struct Translated<'a, O, F> {
    pub(crate) observer: &'a mut O,
    /// Translates a node of this search.
    pub(crate) node: F,
}

impl<N, M, O: Observer<M>, F: Fn(N) -> M> Observer<N> for Translated<'_, O, F> {
    const LISTENS: bool = O::LISTENS;

    fn phase(&mut self, phase: Phase) {
        self.observer.phase(phase);
    }

    fn begun(&mut self) {
        self.observer.begun();
    }

    fn expanded(&mut self, node: N, g: Cost) {
        if O::LISTENS {
            self.observer.expanded((self.node)(node), g);
        }
    }

    fn resumed(&mut self, node: N, g: Cost) {
        if O::LISTENS {
            self.observer.resumed((self.node)(node), g);
        }
    }

    fn generated(&mut self, node: N) {
        if O::LISTENS {
            self.observer.generated((self.node)(node));
        }
    }

    fn improved(&mut self, node: N, g: Cost, was: PriorState) {
        if O::LISTENS {
            self.observer.improved((self.node)(node), g, was);
        }
    }
}
