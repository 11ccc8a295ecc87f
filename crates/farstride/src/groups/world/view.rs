//! The world as one graph.

use super::World;
use super::kind::Kind;
use super::slots::VACANT;
use crate::base::{Cost, NodeId};
use crate::graph::Graph;
use std::cell::Cell;

/// A [`World`] as one graph: the base graph, every instance, and the doors
/// between them.
///
/// It remembers the instance it was asked about last, which is most often the
/// one it is asked about next. So it serves one search at a time; views cost
/// nothing to make, and the world can have any number of them.
///
/// Arcs of a node come in this order: those of the base graph or of the
/// building, doors of rooms from the innermost outwards, then doors of the
/// instance by the node they lead from or to, in the order in which they were
/// given.
///
/// # Complexity
/// O(log n) for n instances to find that of a node, if it is not the last one;
/// O(log r) more for each of the rooms in which it lies, in a building of r
/// rooms.
#[derive(Debug)]
pub struct WorldView<'w, B> {
    world: &'w World<B>,
    last: Cell<Owner<'w>>,
}

/// A range of numbers and the building there.
#[derive(Clone, Copy, Debug)]
struct Owner<'w> {
    offset: u32,
    nodes: u32,
    slot: u32,
    /// `None` if the range is vacant.
    kind: Option<&'w Kind>,
}

impl<'w, B: Graph<Node = NodeId>> WorldView<'w, B> {
    pub(super) const fn new(world: &'w World<B>) -> Self {
        Self { world, last: Cell::new(Owner { offset: 0, nodes: 0, slot: 0, kind: None }) }
    }

    /// The world.
    pub const fn world(&self) -> &'w World<B> {
        self.world
    }

    /// What is at a number above those of the base graph.
    #[inline]
    fn owner(&self, number: u32) -> Owner<'w> {
        let last = self.last.get();
        if number.wrapping_sub(last.offset) < last.nodes {
            return last;
        }
        let slots = self.world.slots();
        let at = slots.of(number);
        let (numbers, kind) = (slots.numbers(at), slots.at(at).kind);
        let kind = if kind == VACANT { None } else { self.world.catalog().kinds().get(kind as usize) };
        let owner =
            Owner { offset: numbers.start, nodes: numbers.end - numbers.start, slot: at as u32, kind };
        self.last.set(owner);
        owner
    }

    /// Arcs of a node that is not in the base graph.
    #[inline]
    fn for_each_arc_inside(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        if node.index() >= self.world.node_count() {
            return;
        }
        let number = node.index() as u32;
        let Owner { offset, slot, kind, .. } = self.owner(number);
        let Some(kind) = kind else { return };
        if kind.for_each_arc(self.world.catalog().kinds(), number - offset, offset, &mut visit) {
            self.for_each_way_out(slot, number, visit);
        }
    }

    /// Doors out of an instance at one of its exit nodes.
    fn for_each_way_out(&self, slot: u32, number: u32, mut visit: impl FnMut(NodeId, Cost)) {
        let wires = self.world.wires().stretch(self.world.slots().at(slot as usize).doors());
        let first = wires.partition_point(|wire| wire.inside < number);
        for wire in wires[first..].iter().take_while(|wire| wire.inside == number) {
            if let Some(cost) = wire.cost_out() {
                visit(NodeId::new(wire.outside), cost);
            }
        }
    }

    /// Doors into instances at a node of the base graph.
    #[inline]
    fn for_each_way_in(&self, node: NodeId, visit: impl FnMut(NodeId, Cost)) {
        if self.world.entrance_table().any(node.index() as u32) {
            self.for_each_known_way_in(node, visit);
        }
    }

    fn for_each_known_way_in(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for wire in self.world.entrance_table().of(self.world.wires(), node.index() as u32) {
            if let Some(cost) = wire.cost_in() {
                visit(NodeId::new(wire.inside), cost);
            }
        }
    }
}

impl<B: Graph<Node = NodeId>> Graph for WorldView<'_, B> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.world.node_count()
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    /// Vacant numbers are no nodes.
    fn contains(&self, node: NodeId) -> bool {
        if self.world.is_base(node) {
            self.world.base().contains(node)
        } else {
            self.world.instance_of(node).is_some()
        }
    }

    #[inline]
    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        if self.world.is_base(node) {
            self.world.base().for_each_arc(node, &mut visit);
            self.for_each_way_in(node, visit);
        } else {
            self.for_each_arc_inside(node, visit);
        }
    }

    /// What the base graph leaves out is left out if the parent is one of its
    /// nodes, too: then it was reached by an arc of the base graph.
    #[inline]
    fn for_each_onward_arc(&self, node: NodeId, parent: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        if self.world.is_base(node) && self.world.is_base(parent) {
            self.world.base().for_each_onward_arc(node, parent, &mut visit);
            self.for_each_way_in(node, visit);
        } else {
            self.for_each_arc(node, visit);
        }
    }
}
