//! Turns that no shortest path takes.

use crate::base::{Cost, Node, NodeId};
use crate::graph::Graph;
use crate::search::{Observer, PriorState, Rule, SearchTree};

/// Knowledge about the geometry of a graph: which turns are detours.
///
/// Every edge has a *class* from 0 to 15 at each of its ends: on a map, the
/// directions of its first or last steps. Arriving at a node in one class and leaving
/// in another may be a detour whatever the two edges are. A shortest path has no
/// detours, so a search that skips them finds the same distances.
pub(crate) trait Turns: Sync {
    /// The classes in which a shortest path may leave `node` if it arrived there in
    /// class `arrival`, or started there ([`ANYHOW`]); one bit each.
    fn onward(&self, node: u32, arrival: u8) -> u16;

    /// The class of an edge walked the other way.
    fn back(&self, class: u8) -> u8;
}

/// The class of arrival at the node where a path starts.
pub(crate) const ANYHOW: u8 = 16;

/// No knowledge: every turn may be part of a shortest path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnyTurn;

impl Turns for AnyTurn {
    #[inline]
    fn onward(&self, _: u32, _: u8) -> u16 {
        u16::MAX
    }

    #[inline]
    fn back(&self, class: u8) -> u8 {
        class
    }
}

/// A node and the class of arrival there, in four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Visit(u32);

impl Visit {
    /// Bits for the node; the other five hold the class.
    pub(super) const NODE_BITS: u32 = 27;

    pub(super) const fn new(node: u32, arrival: u8) -> Self {
        Self(node | (arrival as u32) << Self::NODE_BITS)
    }

    #[inline]
    pub(super) const fn node(self) -> u32 {
        self.0 & ((1 << Self::NODE_BITS) - 1)
    }

    #[inline]
    pub(super) const fn arrival(self) -> u8 {
        (self.0 >> Self::NODE_BITS) as u8
    }
}

impl Node for Visit {
    #[inline]
    fn pack(self) -> u32 {
        self.0
    }

    #[inline]
    fn unpack(bits: u32) -> Self {
        Self(bits)
    }
}

/// The rule of A* for visits.
///
/// The search tree stores the class of arrival at a node beside its parent. The
/// open list's own copy must not be used: its order is not strictly by cost, so an
/// entry may be older than what the tree knows by now, and have another arrival. That was
/// a defect once, found by one query in a thousand.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByArrival;

impl<G: Graph<Node = Visit>> Rule<G> for ByArrival {
    /// The expanded node with its arrival, and its cost.
    type Offer = (Visit, Cost);

    #[inline]
    fn offer(&self, graph: &G, tree: &mut SearchTree, visit: Visit) -> Self::Offer {
        let index = graph.index(visit);
        let arrival = Visit(tree.parent(index)).arrival();
        (Visit::new(visit.node(), arrival), tree.g(index))
    }

    #[inline]
    fn for_each_arc(&self, graph: &G, &(visit, _): &Self::Offer, visitor: impl FnMut(Visit, Cost)) {
        graph.for_each_arc(visit, visitor);
    }

    #[inline]
    fn relax(
        &self,
        &(visit, g): &Self::Offer,
        _: &SearchTree,
        _: usize,
        successor: Visit,
        step: Cost,
    ) -> Option<(Visit, Cost)> {
        Some((Visit::new(visit.node(), successor.arrival()), g + step))
    }
}

/// Reports visits to an observer of nodes.
pub(super) struct ByNode<'o, O>(pub(super) &'o mut O);

impl<O: Observer<NodeId>> Observer<Visit> for ByNode<'_, O> {
    const LISTENS: bool = O::LISTENS;

    fn begun(&mut self) {
        self.0.begun();
    }

    fn expanded(&mut self, visit: Visit, g: Cost) {
        self.0.expanded(NodeId::new(visit.node()), g);
    }

    fn generated(&mut self, visit: Visit) {
        self.0.generated(NodeId::new(visit.node()));
    }

    fn improved(&mut self, visit: Visit, g: Cost, was: PriorState) {
        self.0.improved(NodeId::new(visit.node()), g, was);
    }
}
