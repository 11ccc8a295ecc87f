//! Turns that no shortest path takes.

use crate::base::{Cost, Node, NodeId};
use crate::graph::Graph;
use crate::search::{Labels, Observer, Rule, Was};

/// What is known about the geometry of a graph: which turns are detours.
///
/// Every edge belongs to a *class* at each of its ends, from 0 to 15: on a map,
/// the directions of its first or last steps. Who arrives at a node in one
/// class and leaves it in another may have taken a detour, whatever the two
/// edges are. A search that leaves out such turns finds the same distances: a
/// shortest path has none of them.
pub(crate) trait Turns: Sync {
    /// The classes in which `node` can be left by a shortest path that arrived
    /// there in a class, or started there ([`ANYHOW`]): one bit each.
    fn onward(&self, node: u32, arrival: u8) -> u16;

    /// The class of the same edge walked the other way.
    fn back(&self, class: u8) -> u8;
}

/// The arrival of a path that starts at a node.
pub(crate) const ANYHOW: u8 = 16;

/// Nothing is known.
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

/// A node, and the class in which it was arrived at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Visit(u32);

impl Visit {
    /// Bits for the node. What is left holds the class.
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

/// The rule of A* for visits. A label holds the arrival at its node beside the
/// parent: an entry of the open list may be older than the label it leads to,
/// and tell of another arrival.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByArrival;

impl<G: Graph<Node = Visit>> Rule<G> for ByArrival {
    /// The expanded node as it was arrived at, and its cost.
    type Offer = (Visit, Cost);

    #[inline]
    fn offer(&self, graph: &G, labels: &mut Labels, visit: Visit) -> Self::Offer {
        let index = graph.index(visit);
        let arrival = Visit(labels.parent(index)).arrival();
        (Visit::new(visit.node(), arrival), labels.g(index))
    }

    #[inline]
    fn for_each_arc(&self, graph: &G, &(visit, _): &Self::Offer, visitor: impl FnMut(Visit, Cost)) {
        graph.for_each_arc(visit, visitor);
    }

    #[inline]
    fn relax(
        &self,
        &(visit, g): &Self::Offer,
        _: &Labels,
        _: usize,
        successor: Visit,
        step: Cost,
    ) -> Option<(Visit, Cost)> {
        Some((Visit::new(visit.node(), successor.arrival()), g + step))
    }
}

/// Tells an observer of nodes about visits.
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

    fn labelled(&mut self, visit: Visit, g: Cost, was: Was) {
        self.0.labelled(NodeId::new(visit.node()), g, was);
    }
}
