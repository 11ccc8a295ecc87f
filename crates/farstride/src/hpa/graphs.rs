//! The hierarchy as graphs to search.

use super::hierarchy::View;
use super::insert::Insertion;
use super::layout::ClusterId;
use crate::base::{Cell, Cost, Node, NodeId};
use crate::graph::Graph;
use crate::search::{GridTarget, Observer, Phase, Target, Was};

/// The abstract graph with start and goal inserted: what the main search sees.
///
/// Start and goal are connected to the nodes of their clusters on the entry
/// level. If that is the highest level on which they lie apart, this is the
/// search of the paper: all clusters are crossed on that level. Otherwise the
/// search enters on level 1 and climbs by itself: a cluster is crossed on the
/// highest level on which it holds neither start nor goal. This finds what
/// inserting them into every level would find, and looks only at those
/// connections to the upper levels that lie on the way.
#[derive(Clone, Copy)]
pub(super) struct AbstractGraph<'a> {
    pub(super) view: &'a View<'a>,
    pub(super) start: &'a Insertion,
    pub(super) goal: &'a Insertion,
    pub(super) entry: u8,
    pub(super) climbs: bool,
}

impl AbstractGraph<'_> {
    pub(super) fn start_node(&self) -> NodeId {
        NodeId::new(self.view.layout.node_bound() as u32)
    }

    pub(super) fn goal_node(&self) -> NodeId {
        NodeId::new(self.view.layout.node_bound() as u32 + 1)
    }

    /// The level on which a 1-cluster is crossed.
    #[inline]
    pub(super) fn crossing_level(&self, cluster: ClusterId) -> u8 {
        if !self.climbs {
            return self.entry;
        }
        let layout = self.view.layout;
        let (start, goal) = (self.start.cluster(1), self.goal.cluster(1));
        let holds_neither = |level: &u8| {
            let here = layout.ancestor(*level, cluster);
            here != layout.ancestor(*level, start) && here != layout.ancestor(*level, goal)
        };
        (2..=self.view.levels()).rev().find(holds_neither).unwrap_or(1)
    }

    pub(super) fn cell(&self, node: NodeId) -> Cell {
        match node {
            node if node == self.start_node() => self.start.cell,
            node if node == self.goal_node() => self.goal.cell,
            node => self.view.cell(node.pack()),
        }
    }

    fn for_each_start_arc(&self, mut visit: impl FnMut(NodeId, Cost)) {
        let nodes = self.view.costs(self.entry, self.start.cluster(self.entry));
        for rank in 0..self.start.node_count(self.entry) {
            if let Some(cost) = self.start.cost(self.entry, rank) {
                visit(NodeId::new(nodes.node(rank)), cost);
            }
        }
    }

    #[inline]
    fn for_each_goal_arc(&self, node: u32, mut visit: impl FnMut(NodeId, Cost)) {
        let cluster = self.view.layout.cluster_and_local(node).0;
        if self.view.layout.ancestor(self.entry, cluster) == self.goal.cluster(self.entry)
            && let Some(cost) = self.goal.cost(self.entry, self.view.rank(node, self.entry))
        {
            visit(self.goal_node(), cost);
        }
    }
}

impl Graph for AbstractGraph<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.view.layout.node_bound() + 2
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn for_each_arc(&self, node: NodeId, visit: impl FnMut(NodeId, Cost)) {
        self.for_each_onward_arc(node, node, visit);
    }

    /// Who came to a node by crossing its cluster leaves the cluster next: two
    /// crossings in a row are never shorter than one.
    #[inline]
    fn for_each_onward_arc(&self, node: NodeId, parent: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        if node == self.start_node() {
            return self.for_each_start_arc(visit);
        }
        let layout = self.view.layout;
        let number = node.pack();
        let cluster = layout.cluster_and_local(number).0;
        let level = self.crossing_level(cluster);
        self.for_each_goal_arc(number, &mut visit);
        let crossed = parent == self.start_node() || {
            let from = layout.cluster_and_local(parent.pack()).0;
            parent != node && layout.ancestor(level, from) == layout.ancestor(level, cluster)
        };
        if !crossed {
            self.view.for_each_crossing(number, level, |head, cost| visit(NodeId::new(head), cost));
        }
        self.view.for_each_way_out(number, level, |head, _, cost| visit(NodeId::new(head), cost));
    }
}

/// The goal, and how far a node is from it on an empty map.
#[derive(Clone, Copy)]
pub(super) struct AbstractTarget<'a> {
    pub(super) graph: &'a AbstractGraph<'a>,
    pub(super) cells: GridTarget,
}

impl Target<NodeId> for AbstractTarget<'_> {
    #[inline]
    fn is_reached(&self, node: NodeId) -> bool {
        node == self.graph.goal_node()
    }

    #[inline]
    fn estimate(&self, node: NodeId) -> Cost {
        self.cells.estimate(self.graph.cell(node))
    }
}

/// One level of a hierarchy inside a cluster of the level above.
#[derive(Clone, Copy)]
pub(super) struct LevelGraph<'a> {
    view: &'a View<'a>,
    level: u8,
    cluster: ClusterId,
    /// A cell that a search may start from, connected on that level.
    inserted: Option<&'a Insertion>,
}

impl<'a> LevelGraph<'a> {
    pub(super) const fn new(view: &'a View<'a>, level: u8, cluster: ClusterId) -> Self {
        Self { view, level, cluster, inserted: None }
    }

    pub(super) const fn with_inserted(
        view: &'a View<'a>,
        level: u8,
        cluster: ClusterId,
        inserted: &'a Insertion,
    ) -> Self {
        Self { view, level, cluster, inserted: Some(inserted) }
    }

    /// The node of the inserted cell.
    pub(super) fn inserted_node(&self) -> NodeId {
        NodeId::new(self.view.layout.node_bound() as u32)
    }

    pub(super) fn cell(&self, node: NodeId) -> Cell {
        match self.inserted {
            Some(inserted) if node == self.inserted_node() => inserted.cell,
            _ => self.view.cell(node.pack()),
        }
    }
}

impl Graph for LevelGraph<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.view.layout.node_bound() + 1
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn for_each_arc(&self, node: NodeId, visit: impl FnMut(NodeId, Cost)) {
        self.for_each_onward_arc(node, node, visit);
    }

    #[inline]
    fn for_each_onward_arc(&self, node: NodeId, parent: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let layout = self.view.layout;
        if let Some(inserted) = self.inserted
            && node == self.inserted_node()
        {
            let nodes = self.view.costs(self.level, inserted.cluster(self.level));
            for rank in 0..nodes.count() {
                if let Some(cost) = inserted.cost(self.level, rank) {
                    visit(NodeId::new(nodes.node(rank)), cost);
                }
            }
            return;
        }
        let here = layout.ancestor(self.level, layout.cluster_and_local(node.pack()).0);
        let crossed = self.inserted.is_some() && parent == self.inserted_node() || {
            let from = layout.cluster_and_local(parent.pack()).0;
            parent != node && layout.ancestor(self.level, from) == here
        };
        if !crossed {
            self.view.for_each_crossing(node.pack(), self.level, |head, cost| visit(NodeId::new(head), cost));
        }
        self.view.for_each_way_out(node.pack(), self.level, |head, cluster, cost| {
            if layout.ancestor(self.level + 1, cluster) == self.cluster {
                visit(NodeId::new(head), cost);
            }
        });
    }
}

/// A node, and how far others are from it on an empty map.
pub(super) struct NodeTarget<'a> {
    pub(super) graph: &'a LevelGraph<'a>,
    pub(super) node: NodeId,
    pub(super) cells: GridTarget,
}

impl Target<NodeId> for NodeTarget<'_> {
    #[inline]
    fn is_reached(&self, node: NodeId) -> bool {
        node == self.node
    }

    #[inline]
    fn estimate(&self, node: NodeId) -> Cost {
        self.cells.estimate(self.graph.cell(node))
    }
}

/// Tells an observer of cells about nodes.
pub(super) struct AsCells<'a, O, F> {
    pub(super) observer: &'a mut O,
    pub(super) cell: F,
}

impl<O: Observer<Cell>, F: Fn(NodeId) -> Cell> Observer<NodeId> for AsCells<'_, O, F> {
    const LISTENS: bool = O::LISTENS;

    fn phase(&mut self, phase: Phase) {
        self.observer.phase(phase);
    }

    fn expanded(&mut self, node: NodeId, g: Cost) {
        if O::LISTENS {
            self.observer.expanded((self.cell)(node), g);
        }
    }

    fn generated(&mut self, node: NodeId) {
        if O::LISTENS {
            self.observer.generated((self.cell)(node));
        }
    }

    fn labelled(&mut self, node: NodeId, g: Cost, was: Was) {
        if O::LISTENS {
            self.observer.labelled((self.cell)(node), g, was);
        }
    }
}
