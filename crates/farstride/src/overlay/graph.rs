//! The nodes and arcs of all blocks as one graph, with a start and a goal.

use super::block::{Block, Row};
use super::ends::End;
use super::layout::Layout;
use crate::base::{Cell, Cost, NodeId};
use crate::graph::Graph;

/// The overlay as a graph: nodes are the cells of lines.
#[derive(Clone, Copy)]
pub(super) struct OverlayGraph<'a> {
    pub(super) layout: &'a Layout,
    pub(super) blocks: &'a [Block],
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
        let mut rows = Rows::default();
        self.rows(node, &mut rows);
        rows.for_each_arc(self.layout, &mut visit);
    }
}

impl<'a> OverlayGraph<'a> {
    /// Adds the arcs out of a node.
    #[inline]
    pub(super) fn rows(&self, node: NodeId, rows: &mut Rows<'a>) {
        for seat in self.layout.seats(node.index() as u32) {
            rows.add(self.layout.first_node(seat.block), self.blocks[seat.block].row(seat.place));
        }
    }
}

/// All arcs out of a node: up to four rows of blocks, and one to a goal.
///
/// They are listed first and visited in one loop, so that there is one place to call the
/// search from: at several of them, compilers make its loop a call per arc, which took
/// a third of a query.
#[derive(Default)]
pub(super) struct Rows<'a> {
    rows: [(u32, Row<'a>); 5],
    len: usize,
}

impl<'a> Rows<'a> {
    /// Adds a row whose heads are counted from a node.
    #[inline]
    pub(super) fn add(&mut self, first: u32, row: Row<'a>) {
        self.rows[self.len] = (first, row);
        self.len += 1;
    }

    #[inline]
    pub(super) fn for_each_arc(&self, layout: &Layout, mut visit: impl FnMut(NodeId, Cost)) {
        let offsets = layout.offsets();
        for &(first, row) in &self.rows[..self.len] {
            for (head, cost) in row.iter() {
                let node = NodeId::new(first + offsets[usize::from(head)]);
                visit(node, Cost::from_units(cost.into()));
            }
        }
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
        let layout = self.overlay.layout;
        let goal = self.goal_node().index() as u32;
        let last;
        let mut rows = Rows::default();
        if node.index() < self.overlay.node_count() {
            self.overlay.rows(node, &mut rows);
            let mut seats = layout.seats(node.index() as u32);
            if let Some(cost) = seats.find_map(|seat| self.goal.cost_at(seat)) {
                last = [FIRST, cost];
                rows.add(goal, Row::wide(&last));
            }
        } else if node == self.start_node() {
            let (first, row) = self.start.row(layout);
            rows.add(first, row);
            if let Some(cost) = self.start.cost_inside(self.goal) {
                last = [FIRST, cost];
                rows.add(goal, Row::wide(&last));
            }
        }
        rows.for_each_arc(layout, &mut visit);
    }
}

/// The first place of a block, which is its first node.
const FIRST: u32 = 0;
