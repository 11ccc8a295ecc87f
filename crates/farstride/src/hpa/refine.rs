//! Refining a path in the hierarchy into cells.

use super::graphs::{Bound, LevelGraph, NodeTarget};
use super::hierarchy::View;
use super::insert::Insertion;
use super::layout::ClusterId;
use super::tables::ReadAhead;
use super::walk::{Inside, Walk};
use crate::base::{Cell, Node, NodeId};
use crate::search::{HeapQueue, Memory, Observer, Problem, SearchStatus, ShortestPath, Translated};

/// A piece of a path in the hierarchy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leg {
    /// A step from one cluster to another: an inter-edge.
    Step { to: u32 },
    /// A straight leg to a cell in sight, where parents were skipped.
    Sight { to: Cell },
    /// From node to node through a cluster of a level: an intra-edge.
    Cross { from: u32, to: u32, level: u8 },
    /// From the start to a node of its cluster of a level.
    Leave { to: u32, level: u8 },
    /// From a node to the goal inside its cluster of a level.
    Arrive { from: u32, level: u8 },
}

/// What refinement works with.
pub(super) struct Refinement<'a, O> {
    pub(super) inside: Inside<'a, O>,
    pub(super) start: &'a Insertion,
    pub(super) goal: &'a Insertion,
    pub(super) memory: &'a mut Memory<HeapQueue>,
    pub(super) nodes: &'a mut Vec<NodeId>,
}

impl<O: Observer<Cell>> Refinement<'_, O> {
    /// Takes legs from the end of `legs` and follows them until `walk` has at least
    /// `enough` steps or no leg is left. Legs of upper levels are replaced by those
    /// of the level below first.
    pub(super) fn refine(&mut self, legs: &mut Vec<Leg>, enough: usize, walk: &mut impl Walk) {
        while walk.steps() < enough {
            let Some(leg) = legs.pop() else { return };
            match leg {
                Leg::Step { to } => walk.go_to(self.inside.view.cell(to)),
                Leg::Sight { to } => walk.go_to(to),
                Leg::Cross { from, to, level: 1 } => walk.cross(&mut self.inside, from, to),
                Leg::Leave { to, level: 1 } => walk.leave(&mut self.inside, self.start.cell, to),
                Leg::Arrive { from, level: 1 } => walk.arrive(&mut self.inside, from, self.goal.cell),
                Leg::Cross { from, to, level } => self.lower(from, to, level, legs),
                Leg::Leave { to, level } => self.lower_leave(to, level, legs),
                Leg::Arrive { from, level } => self.lower_arrive(from, level, legs),
            }
        }
    }

    /// Replaces all legs of levels above `lowest` by those of that level; `low` is memory to do that with.
    pub(super) fn lower_all(
        &mut self,
        lowest: u8,
        legs: &mut Vec<Leg>,
        (low, ahead): (&mut Vec<Leg>, &mut ReadAhead),
    ) {
        let view = self.inside.view;
        // Level by level, because then it is known what will be read for all legs of a level.
        for level in (lowest + 1..=view.levels()).rev() {
            view.read_ahead_for_lowering(ahead, level, ends_of_crossings(view, level, legs));
            low.clear();
            for leg in legs.drain(..).rev() {
                let begin = low.len();
                match leg {
                    Leg::Cross { from, to, level: of } if of == level => self.lower(from, to, level, low),
                    Leg::Leave { to, level: of } if of == level => self.lower_leave(to, level, low),
                    Leg::Arrive { from, level: of } if of == level => self.lower_arrive(from, level, low),
                    _ => low.push(leg),
                }
                // The first of the new legs was added last.
                low[begin..].reverse();
            }
            low.reverse();
            std::mem::swap(low, legs);
        }
    }

    /// Replaces the crossing of a cluster by legs of the level below.
    fn lower(&mut self, from: u32, to: u32, level: u8, legs: &mut Vec<Leg>) {
        let view = self.inside.view;
        let layout = view.layout;
        let below = level - 1;
        let first = layout.cluster_and_local(from).0;
        let cluster = layout.ancestor(level, first);
        let child = layout.ancestor(below, first);
        if let Some(stops) = view.stops(level, cluster) {
            let mut end = NodeId::new(to);
            stops.for_each_back(view.rank(from, level), view.rank(to, level), |stop| {
                let stop = NodeId::new(stop);
                legs.push(leg_between(view, stop, end, below));
                end = stop;
            });
            legs.push(leg_between(view, NodeId::new(from), end, below));
            return;
        }
        // Often the way stays in one child, and its intra-edge saves a search; equal
        // cost proves that it is a shortest way of the whole cluster.
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
        let graph = LevelGraph::with_inserted(self.inside.view, below, self.start.cluster(level), self.start);
        if self.search(&graph, graph.inserted_node(), NodeId::new(to)) {
            self.nodes.remove(0);
            self.push_crossings(below, legs);
            legs.push(Leg::Leave { to: self.nodes[0].pack(), level: below });
        }
    }

    /// Replaces the way to the goal by legs of the level below.
    fn lower_arrive(&mut self, from: u32, level: u8, legs: &mut Vec<Leg>) {
        let below = level - 1;
        let graph = LevelGraph::with_inserted(self.inside.view, below, self.goal.cluster(level), self.goal);
        if self.search(&graph, graph.inserted_node(), NodeId::new(from)) {
            legs.push(Leg::Arrive { from: self.nodes[1].pack(), level: below });
            self.nodes.remove(0);
            self.nodes.reverse();
            self.push_crossings(below, legs);
        }
    }

    /// Finds a path on one level of a cluster and leaves its nodes in `nodes`.
    fn search(&mut self, graph: &LevelGraph<'_>, from: NodeId, to: NodeId) -> bool {
        let cells = Bound::new(self.inside.view.local, graph.cell(to), self.inside.grid.rules());
        let problem = Problem { graph, target: NodeTarget { graph, node: to, cells }, rule: ShortestPath };
        let mut observer = Translated { observer: &mut *self.inside.observer, node: |node| graph.cell(node) };
        problem.begin(from, self.memory, &mut observer);
        let progress = problem.advance(self.memory, u64::MAX, &mut observer);
        if let SearchStatus::Reached(end) = progress {
            self.memory.path_into(graph, end, self.nodes);
        }
        matches!(progress, SearchStatus::Reached(_))
    }

    /// Pushes the legs between the nodes found, the first one last.
    fn push_crossings(&self, level: u8, legs: &mut Vec<Leg>) {
        legs.extend(
            self.nodes.windows(2).rev().map(|pair| leg_between(self.inside.view, pair[0], pair[1], level)),
        );
    }
}

/// The 1-clusters in which the crossings of clusters of a level begin and end.
pub(super) fn ends_of_crossings(
    view: &View<'_>,
    level: u8,
    legs: &[Leg],
) -> impl Iterator<Item = [ClusterId; 2]> + Clone {
    let first = |node| view.layout.cluster_and_local(node).0;
    legs.iter().filter_map(move |leg| match *leg {
        Leg::Cross { from, to, level: of } if of == level => Some([from, to].map(first)),
        _ => None,
    })
}

/// The leg between two nodes that are adjacent on a level.
pub(super) fn leg_between(view: &View<'_>, from: NodeId, to: NodeId, level: u8) -> Leg {
    let (from, to) = (from.pack(), to.pack());
    let cluster = |node: u32| view.layout.ancestor(level, view.layout.cluster_and_local(node).0);
    if cluster(from) == cluster(to) { Leg::Cross { from, to, level } } else { Leg::Step { to } }
}
