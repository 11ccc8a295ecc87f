//! Watching a search.

use crate::base::Cost;

/// What a node was before it got a new label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Was {
    /// Not seen by this search.
    Unseen,
    /// In the open list, at a higher cost.
    Open,
    /// Expanded, at a higher cost: it is opened again.
    Closed,
}

/// What a hierarchical search is doing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Phase {
    /// Searching. Engines without a hierarchy do nothing else.
    #[default]
    Main,
    /// Inserting start and goal into the abstract graph.
    Insert,
    /// Turning an abstract path into cells.
    Refine,
}

/// Told about every event of a search. `()` ignores them at no cost.
pub trait Observer<N> {
    /// Whether it listens at all: what only observers need is not computed
    /// for one that does not.
    const LISTENS: bool = true;

    /// What follows belongs to another phase.
    fn phase(&mut self, phase: Phase) {
        let _ = phase;
    }

    /// A search begins; its start is labelled next.
    fn begun(&mut self) {}

    /// `node` was taken from the open list at cost `g`.
    fn expanded(&mut self, node: N, g: Cost) {
        let _ = (node, g);
    }

    /// `node` was looked at as a successor, whether or not it is news.
    fn generated(&mut self, node: N) {
        let _ = node;
    }

    /// `node` got a new label and entered the open list.
    fn labelled(&mut self, node: N, g: Cost, was: Was) {
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

    fn generated(&mut self, node: N) {
        (**self).generated(node);
    }

    fn labelled(&mut self, node: N, g: Cost, was: Was) {
        (**self).labelled(node, g, was);
    }
}

/// Counts a search as the papers count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Nodes taken from the open list and expanded, the goal included: the
    /// HPA* paper's expanded nodes, the HPT* thesis' visits.
    pub expanded: u64,
    /// Successors looked at. On uniform grids A* looks at fewer than the papers
    /// do, because it leaves out moves that no shortest path needs.
    pub generated: u64,
    /// Nodes that were opened again at a lower cost after they had been expanded,
    /// or spared ([`Graph::for_each_spared`](crate::graph::Graph::for_each_spared)).
    pub reopened: u64,
    /// Largest number of nodes in open and closed list together, of the
    /// largest search if there were several: the thesis' nodes in memory.
    pub peak_nodes: u64,
    /// Nodes in the open list of the search that is running.
    open: u64,
    /// Nodes in both its lists.
    nodes: u64,
    open_total: u64,
}

impl Counters {
    /// Mean number of nodes in the open list, taken at every expansion: the
    /// HPA* paper's average open-list size.
    pub fn average_open(&self) -> f64 {
        if self.expanded == 0 { 0.0 } else { self.open_total as f64 / self.expanded as f64 }
    }

    /// Adds the figures of a search that ran before or after this one, and
    /// not at the same time: memory is the larger of the two.
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

    fn labelled(&mut self, _: N, _: Cost, was: Was) {
        match was {
            Was::Unseen => {
                self.open += 1;
                self.nodes += 1;
                self.peak_nodes = self.peak_nodes.max(self.nodes);
            }
            Was::Open => {}
            Was::Closed => {
                self.open += 1;
                self.reopened += 1;
            }
        }
    }
}

/// Counts a search phase by phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Inserting start and goal: the paper's SG.
    pub insert: Counters,
    /// The main search.
    pub main: Counters,
    /// Refinement.
    pub refine: Counters,
    phase: Phase,
}

impl Effort {
    /// All phases together.
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

    fn labelled(&mut self, node: N, g: Cost, was: Was) {
        self.current().labelled(node, g, was);
    }
}

/// Tells an observer about a search whose nodes stand for others.
pub(crate) struct Translated<'a, O, F> {
    pub(crate) observer: &'a mut O,
    /// The node that one of this search stands for.
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

    fn generated(&mut self, node: N) {
        if O::LISTENS {
            self.observer.generated((self.node)(node));
        }
    }

    fn labelled(&mut self, node: N, g: Cost, was: Was) {
        if O::LISTENS {
            self.observer.labelled((self.node)(node), g, was);
        }
    }
}
