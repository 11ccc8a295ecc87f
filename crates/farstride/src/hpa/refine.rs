//! From abstract paths to cells.

use super::graphs::{AsCells, LevelGraph, NodeTarget};
use super::hierarchy::View;
use super::insert::Insertion;
use super::local::LocalSearch;
use crate::base::{Cell, Node, NodeId};
use crate::grid::Grid;
use crate::search::{GridTarget, HeapQueue, Memory, Observer, Problem, Progress, ShortestPath};

/// A part of an abstract path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leg {
    /// A step from one cluster to another: an inter-edge.
    Step { to: u32 },
    /// From node to node through a cluster of a level: an intra-edge.
    Cross { from: u32, to: u32, level: u8 },
    /// From the start to a node of its cluster of a level.
    Leave { to: u32, level: u8 },
    /// From a node to the goal in its cluster of a level.
    Arrive { from: u32, level: u8 },
}

/// What refinement works on.
pub(super) struct Refinement<'a, O> {
    pub(super) grid: &'a Grid,
    pub(super) view: &'a View<'a>,
    pub(super) start: &'a Insertion,
    pub(super) goal: &'a Insertion,
    pub(super) local: &'a mut LocalSearch,
    pub(super) memory: &'a mut Memory<HeapQueue>,
    pub(super) nodes: &'a mut Vec<NodeId>,
    pub(super) observer: &'a mut O,
}

impl<O: Observer<Cell>> Refinement<'_, O> {
    /// Takes legs from the end of `legs` and appends their cells, without the
    /// first, until there are at least `enough` of them or no leg is left.
    pub(super) fn refine(&mut self, legs: &mut Vec<Leg>, enough: usize, cells: &mut Vec<Cell>) {
        while cells.len() < enough {
            let Some(leg) = legs.pop() else { return };
            match leg {
                Leg::Step { to } => cells.push(self.view.cell(to)),
                Leg::Cross { from, to, level: 1 } => self.cross(self.view.cell(from), to, cells),
                Leg::Leave { to, level: 1 } => self.cross(self.start.cell, to, cells),
                Leg::Arrive { from, level: 1 } => self.arrive(from, cells),
                Leg::Cross { from, to, level } => self.lower(from, to, level, legs),
                Leg::Leave { to, level } => self.lower_leave(to, level, legs),
                Leg::Arrive { from, level } => self.lower_arrive(from, level, legs),
            }
        }
    }

    /// Appends the cells from a cell of a 1-cluster to a node of it.
    fn cross(&mut self, from: Cell, to: u32, cells: &mut Vec<Cell>) {
        let (cluster, local) = self.view.layout.cluster_and_local(to);
        let area = self.view.layout.area(1, cluster);
        if let Some(ways) = self.view.ways(cluster, area) {
            ways.walk(area, from, local, cells);
        } else {
            self.local.path(self.grid, area, from, self.view.cell(to), cells, self.observer);
        }
    }

    /// Appends the cells from a node of a 1-cluster to the goal in it.
    fn arrive(&mut self, from: u32, cells: &mut Vec<Cell>) {
        let (cluster, local) = self.view.layout.cluster_and_local(from);
        let area = self.view.layout.area(1, cluster);
        let node = self.view.cell(from);
        let Some(ways) = self.view.ways(cluster, area) else {
            self.local.path(self.grid, area, node, self.goal.cell, cells, self.observer);
            return;
        };
        if self.goal.cell != node {
            let first = cells.len();
            cells.push(self.goal.cell);
            ways.walk(area, self.goal.cell, local, cells);
            cells.pop(); // the node itself, which is on the path already
            cells[first..].reverse();
        }
    }

    /// Replaces the crossing of a cluster by legs of the level below.
    fn lower(&mut self, from: u32, to: u32, level: u8, legs: &mut Vec<Leg>) {
        let view = self.view;
        let layout = view.layout;
        let below = level - 1;
        let first = layout.cluster_and_local(from).0;
        let cluster = layout.ancestor(level, first);
        let child = layout.ancestor(below, first);
        if child == layout.ancestor(below, layout.cluster_and_local(to).0) {
            let whole = view.costs(level, cluster).cost(view.rank(from, level), view.rank(to, level));
            if view.costs(below, child).cost(view.rank(from, below), view.rank(to, below)) == whole {
                legs.push(Leg::Cross { from, to, level: below });
                return;
            }
        }
        let graph = LevelGraph::new(view, below, cluster);
        if self.search(&graph, NodeId::new(from), NodeId::new(to)) {
            self.push_crossings(below, legs);
        }
    }

    /// Replaces the way from the start by legs of the level below.
    fn lower_leave(&mut self, to: u32, level: u8, legs: &mut Vec<Leg>) {
        let below = level - 1;
        let graph = LevelGraph::with_inserted(self.view, below, self.start.cluster(level), self.start);
        if self.search(&graph, graph.inserted_node(), NodeId::new(to)) {
            self.nodes.remove(0);
            self.push_crossings(below, legs);
            legs.push(Leg::Leave { to: self.nodes[0].pack(), level: below });
        }
    }

    /// Replaces the way to the goal by legs of the level below.
    fn lower_arrive(&mut self, from: u32, level: u8, legs: &mut Vec<Leg>) {
        let below = level - 1;
        let graph = LevelGraph::with_inserted(self.view, below, self.goal.cluster(level), self.goal);
        if self.search(&graph, graph.inserted_node(), NodeId::new(from)) {
            legs.push(Leg::Arrive { from: self.nodes[1].pack(), level: below });
            self.nodes.remove(0);
            self.nodes.reverse();
            self.push_crossings(below, legs);
        }
    }

    /// Finds a path in one level of a cluster and leaves its nodes behind.
    fn search(&mut self, graph: &LevelGraph<'_>, from: NodeId, to: NodeId) -> bool {
        let cells = GridTarget::new(graph.cell(to), self.grid.rules());
        let problem = Problem { graph, target: NodeTarget { graph, node: to, cells }, rule: ShortestPath };
        let mut observer = AsCells { observer: &mut *self.observer, cell: |node| graph.cell(node) };
        problem.begin(from, self.memory, &mut observer);
        let progress = problem.advance(self.memory, u64::MAX, &mut observer);
        if let Progress::Reached(end) = progress {
            self.memory.path_into(graph, end, self.nodes);
        }
        matches!(progress, Progress::Reached(_))
    }

    /// Puts the legs between the nodes found on top of `legs`, the first last.
    fn push_crossings(&self, level: u8, legs: &mut Vec<Leg>) {
        legs.extend(self.nodes.windows(2).rev().map(|pair| leg_between(self.view, pair[0], pair[1], level)));
    }
}

/// The leg between two nodes that are neighbours on a level.
pub(super) fn leg_between(view: &View<'_>, from: NodeId, to: NodeId, level: u8) -> Leg {
    let (from, to) = (from.pack(), to.pack());
    let cluster = |node: u32| view.layout.ancestor(level, view.layout.cluster_and_local(node).0);
    if cluster(from) == cluster(to) { Leg::Cross { from, to, level } } else { Leg::Step { to } }
}
