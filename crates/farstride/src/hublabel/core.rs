//! Searching the core of a hierarchy.

use super::sweep::Side;
use crate::base::{Cost, NodeId};
use crate::contraction::{ContractionHierarchy, Rank};
use crate::graph::Graph;
use crate::search::{
    Heuristic, LimitedQueue, Memory, Observer, PriorState, Problem, SearchStatus, ShortestPath,
};

/// Memory for searches of the core.
pub(super) type Crossing = Memory<LimitedQueue>;

/// The core as a graph: its ranks, and two nodes more for the ends of a path.
///
/// The first of these has an arc to every rank that the start climbs to, the
/// second has one from every rank that the goal climbs to. So the search joins
/// two climbs without knowing about them, and uses the common search loop.
pub(super) struct Core<'c> {
    pub(super) hierarchy: &'c ContractionHierarchy,
    pub(super) start: &'c Side,
    pub(super) goal: &'c Side,
}

impl Core<'_> {
    /// Returns the least cost of a path through the core, or `None` if it is not
    /// below `most`, the cost of the best path known so far.
    ///
    /// `bound` is a lower bound of the cost from a rank to the goal.
    pub(super) fn cross(
        &self,
        most: u64,
        bound: impl Fn(Rank) -> Cost,
        memory: &mut Crossing,
        observer: &mut impl Observer<NodeId>,
    ) -> Option<u64> {
        memory.open_mut().limit = Cost::from_units(most.checked_sub(1)?);
        let (first, goal) = (self.first(), self.goal());
        let bound = |node: NodeId| {
            if node.index() < first.index() { bound(rank_of(node)) } else { Cost::ZERO }
        };
        let problem = Problem { graph: self, target: Heuristic { goal, bound }, rule: ShortestPath };
        let observer = &mut Inside { core: first.index(), observer };
        problem.begin(first, memory, observer);
        let reached = problem.advance(memory, u64::MAX, observer);
        (reached == SearchStatus::Reached(goal)).then(|| memory.tree().g(goal.index()).units())
    }

    /// Calls `visit` with the ranks of the core on the path that
    /// [`Core::cross`] found, the last one first.
    pub(super) fn trace(&self, memory: &Crossing, mut visit: impl FnMut(Rank)) {
        let first = self.first().index() as u32;
        let mut node = memory.tree().parent(self.goal().index());
        while node != first {
            visit(Rank::new(node));
            node = memory.tree().parent(node as usize);
        }
    }

    /// The node for the start.
    fn first(&self) -> NodeId {
        NodeId::new(self.hierarchy.core_size())
    }

    /// The node for the goal.
    fn goal(&self) -> NodeId {
        NodeId::new(self.hierarchy.core_size() + 1)
    }
}

/// The rank that a node of the core stands for.
#[inline]
fn rank_of(node: NodeId) -> Rank {
    Rank::new(node.index() as u32)
}

/// Passes events about ranks of the core on, and drops those about the two nodes
/// added for the ends, which mean nothing to an observer.
struct Inside<'i, O> {
    core: usize,
    observer: &'i mut O,
}

impl<O: Observer<NodeId>> Observer<NodeId> for Inside<'_, O> {
    const LISTENS: bool = O::LISTENS;

    #[inline]
    fn expanded(&mut self, node: NodeId, g: Cost) {
        if node.index() < self.core {
            self.observer.expanded(node, g);
        }
    }

    #[inline]
    fn generated(&mut self, node: NodeId) {
        if node.index() < self.core {
            self.observer.generated(node);
        }
    }

    #[inline]
    fn improved(&mut self, node: NodeId, g: Cost, was: PriorState) {
        if node.index() < self.core {
            self.observer.improved(node, g, was);
        }
    }
}

impl Graph for Core<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.hierarchy.core_size() as usize + 2
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        if node == self.first() {
            for &rank in &self.start.landings {
                visit(NodeId::new(rank.get()), Cost::from_units(self.start.reach.cost(rank)));
            }
            return;
        }
        let rank = rank_of(node);
        if self.goal.reach.is_known(rank) {
            visit(self.goal(), Cost::from_units(self.goal.reach.cost(rank)));
        }
        for arc in self.hierarchy.up_arcs(rank) {
            visit(NodeId::new(arc.head.get()), arc.cost());
        }
    }
}
