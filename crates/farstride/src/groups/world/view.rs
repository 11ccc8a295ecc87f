//! The world as one graph.

use super::World;
use super::kind::Kind;
use crate::base::{Cost, NodeId};
use crate::graph::Graph;
use std::cell::Cell;

/// A [`World`] as one graph: the base graph, every instance, and the doors between
/// them.
///
/// It remembers the instance of the last lookup, which is mostly the one of the next,
/// and therefore serves one search at a time. Views cost nothing to make, and a world
/// can have any number of them.
///
/// The arcs of a node come in this order: those of the base graph or building, doors of
/// rooms from the innermost outwards, then doors of instances by the number of their
/// inside node; several doors at the same node in the order in which they were given.
///
/// # Complexity
/// O(log n) to find the instance of a node among n instances, unless it is the last
/// one; O(log r) more for each room around the node, in a building of r rooms.
#[derive(Debug)]
pub struct WorldView<'w, B> {
    world: &'w World<B>,
    last: Cell<NodeRange<'w>>,
}

/// A range of node numbers, and the building there.
#[derive(Clone, Copy, Debug)]
struct NodeRange<'w> {
    offset: u32,
    nodes: u32,
    slot: u32,
    /// `None` if the range is vacant.
    kind: Option<&'w Kind>,
}

impl<'w, B: Graph<Node = NodeId>> WorldView<'w, B> {
    pub(super) const fn new(world: &'w World<B>) -> Self {
        Self { world, last: Cell::new(NodeRange { offset: 0, nodes: 0, slot: 0, kind: None }) }
    }

    /// The world.
    pub const fn world(&self) -> &'w World<B> {
        self.world
    }

    /// Returns the range of a number above those of the base graph.
    #[inline]
    fn range_of(&self, number: u32) -> NodeRange<'w> {
        let last = self.last.get();
        if number.wrapping_sub(last.offset) < last.nodes {
            return last;
        }
        let slots = self.world.slots();
        let at = slots.of(number);
        let numbers = slots.numbers(at);
        let kind = slots.at(at).kind().and_then(|kind| self.world.catalog().kinds().get(kind.index()));
        let found =
            NodeRange { offset: numbers.start, nodes: numbers.end - numbers.start, slot: at as u32, kind };
        self.last.set(found);
        found
    }

    /// Calls `visit` with the arcs of a node that is not in the base graph.
    #[inline]
    fn for_each_arc_inside(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        if node.index() >= self.world.node_count() {
            return;
        }
        let number = node.index() as u32;
        let NodeRange { offset, slot, kind, .. } = self.range_of(number);
        let Some(kind) = kind else { return };
        if kind.for_each_arc(self.world.catalog().kinds(), number - offset, offset, &mut visit) {
            self.for_each_way_out(slot, number, visit);
        }
    }

    /// Calls `visit` with the doors out of an instance at one of its exit nodes.
    fn for_each_way_out(&self, slot: u32, number: u32, mut visit: impl FnMut(NodeId, Cost)) {
        let doors = self.world.door_list().range(self.world.slots().at(slot as usize).doors());
        let first = doors.partition_point(|door| door.inside < number);
        for door in doors[first..].iter().take_while(|door| door.inside == number) {
            if let Some(cost) = door.cost_out() {
                visit(NodeId::new(door.outside), cost);
            }
        }
    }

    /// Calls `visit` with the doors into instances at a node of the base graph.
    #[inline]
    fn for_each_way_in(&self, node: NodeId, visit: impl FnMut(NodeId, Cost)) {
        if self.world.entrance_index().has_doors(node.index() as u32) {
            self.for_each_known_way_in(node, visit);
        }
    }

    /// The same for a node that has doors. Apart, so that the test alone is inlined
    /// into searches.
    fn for_each_known_way_in(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for door in self.world.entrance_index().doors_at(self.world.door_list(), node.index() as u32) {
            if let Some(cost) = door.cost_in() {
                visit(NodeId::new(door.inside), cost);
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

    /// Vacant numbers are not nodes.
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

    #[inline]
    fn for_each_onward_arc(&self, node: NodeId, parent: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        // The base graph may skip arcs only if the node was reached by one of its own
        // arcs: then the parent is in it, too.
        if self.world.is_base(node) && self.world.is_base(parent) {
            self.world.base().for_each_onward_arc(node, parent, &mut visit);
            self.for_each_way_in(node, visit);
        } else {
            self.for_each_arc(node, visit);
        }
    }
}
