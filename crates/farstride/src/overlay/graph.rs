//! The nodes and arcs of all blocks as one graph, with a start and a goal.

use super::block::Block;
use super::ends::End;
use super::layout::Layout;
use crate::base::{Cell, Cost, NodeId};
use crate::graph::Graph;
use std::sync::Arc;

/// The overlay as a graph: nodes are the cells of lines.
#[derive(Clone, Copy)]
pub(super) struct OverlayGraph<'a> {
    pub(super) layout: &'a Layout,
    pub(super) blocks: &'a [Arc<Block>],
}

impl Graph for OverlayGraph<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.layout.node_count()
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let offsets = self.layout.offsets();
        self.layout.for_each_seat(node.index() as u32, |seat| {
            let first = self.layout.first_node(seat.block);
            for (head, cost) in self.blocks[seat.block].arcs(seat.place) {
                visit(NodeId::new(first + offsets[head]), Cost::from_units(cost.into()));
            }
        });
    }
}

/// The overlay with a start and a goal anywhere on the map. Ends that are not on a line
/// are nodes of their own, joined to the border of their block.
pub(super) struct Joined<'a> {
    pub(super) overlay: OverlayGraph<'a>,
    pub(super) start: &'a End,
    pub(super) goal: &'a End,
}

impl Joined<'_> {
    /// The node of the start.
    pub(super) fn start_node(&self) -> NodeId {
        NodeId::new(self.start.node.unwrap_or(self.overlay.node_count() as u32))
    }

    /// The node of the goal.
    pub(super) fn goal_node(&self) -> NodeId {
        NodeId::new(self.goal.node.unwrap_or(self.overlay.node_count() as u32 + 1))
    }

    /// The cell of a node.
    pub(super) fn cell(&self, node: NodeId) -> Cell {
        if node == self.start_node() {
            self.start.cell
        } else if node == self.goal_node() {
            self.goal.cell
        } else {
            self.overlay.layout.cell_of(node.index() as u32)
        }
    }
}

impl Graph for Joined<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.overlay.node_count() + 2
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        if node.index() >= self.overlay.node_count() {
            if node == self.start_node() {
                self.start.for_each_arc(self.overlay.layout, &mut visit);
                if let Some(cost) = self.start.cost_inside(self.goal) {
                    visit(self.goal_node(), cost);
                }
            }
            return;
        }
        let layout = self.overlay.layout;
        let offsets = layout.offsets();
        layout.for_each_seat(node.index() as u32, |seat| {
            if let Some(cost) = self.goal.cost_at(seat) {
                visit(self.goal_node(), cost);
            }
            let first = layout.first_node(seat.block);
            for (head, cost) in self.overlay.blocks[seat.block].arcs(seat.place) {
                visit(NodeId::new(first + offsets[head]), Cost::from_units(cost.into()));
            }
        });
    }
}
