//! Searching for arching paths.

use super::graph::{Arc, NLevelGraph, Span};
use crate::base::{Cost, Node, NodeId};
use crate::graph::Graph;
use crate::search::{
    Everything, Fifo, HeapQueue, Heuristic, Labels, Memory, Observer, Problem, Progress, ShortestPath,
};

/// A way from an end of the path to a node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Link {
    pub(crate) node: u32,
    pub(crate) cost: u32,
}

/// Where a path may begin and end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends<'e> {
    pub(crate) start: &'e [Link],
    pub(crate) goal: &'e [Link],
}

/// Memory for searches on an N-level graph. Keep one per thread and reuse it.
#[derive(Debug, Default)]
pub struct ArchScratch {
    /// What can be climbed to from the goal.
    descent: Memory<Fifo>,
    search: Memory<HeapQueue>,
    /// The nodes of the last path found, edge by edge.
    pub(super) arch: Vec<NodeId>,
    pub(super) path: Vec<NodeId>,
    pub(super) edges: Vec<(u32, u32)>,
}

impl ArchScratch {
    /// The nodes of the arching path that was traced last.
    pub(crate) fn arch(&self) -> &[NodeId] {
        &self.arch
    }

    /// The nodes of the original graph on the path that was refined last.
    pub(crate) fn path(&self) -> &[NodeId] {
        &self.path
    }
}

/// A path that was found. It lies in the scratch until the next search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found<'s> {
    /// The distance.
    pub cost: Cost,
    /// The nodes of a shortest path in the original graph, start and goal
    /// included.
    pub path: &'s [NodeId],
}

impl NLevelGraph {
    /// A shortest path between two nodes of the original graph; `None` if
    /// there is none, or no such nodes.
    ///
    /// # Guarantee
    /// Optimal, deterministic.
    ///
    /// # Allocation
    /// None once `scratch` has grown.
    pub fn find<'s>(&self, start: NodeId, goal: NodeId, scratch: &'s mut ArchScratch) -> Option<Found<'s>> {
        self.find_guided(start, goal, |_| Cost::ZERO, scratch, &mut ())
    }

    /// As [`NLevelGraph::find`], led by lower bounds of the distances to the
    /// goal, and telling `observer` about every step; to it, the start is the
    /// node after the last one, and the goal the one after that.
    pub fn find_guided<'s>(
        &self,
        start: NodeId,
        goal: NodeId,
        bound: impl Fn(NodeId) -> Cost,
        scratch: &'s mut ArchScratch,
        observer: &mut impl Observer<NodeId>,
    ) -> Option<Found<'s>> {
        let nodes = self.node_count();
        if start.index() >= nodes || goal.index() >= nodes {
            return None;
        }
        let link = |node: NodeId| [Link { node: node.index() as u32, cost: 0 }];
        let ends = Ends { start: &link(start), goal: &link(goal) };
        self.descend(ends, scratch, observer);
        let bound = |node: NodeId| if node.index() < nodes { bound(node) } else { Cost::ZERO };
        self.begin(ends, &bound, scratch, observer);
        let Progress::Reached(cost) = self.advance(ends, &bound, u64::MAX, scratch, observer) else {
            return None;
        };
        self.trace(scratch);
        self.refine(scratch);
        Some(Found { cost, path: &scratch.path })
    }

    /// Finds out from where the goal can be reached by descending.
    pub(crate) fn descend(
        &self,
        ends: Ends<'_>,
        scratch: &mut ArchScratch,
        observer: &mut impl Observer<NodeId>,
    ) {
        let graph = &Ascent { levels: self, links: ends.goal };
        let problem = Problem { graph, target: Everything, rule: ShortestPath };
        problem.begin(self.goal(), &mut scratch.descent, observer);
        problem.advance(&mut scratch.descent, u64::MAX, observer);
    }

    /// Begins the search from the start.
    pub(crate) fn begin(
        &self,
        ends: Ends<'_>,
        bound: &impl Fn(NodeId) -> Cost,
        scratch: &mut ArchScratch,
        observer: &mut impl Observer<NodeId>,
    ) {
        let ArchScratch { descent, search, .. } = scratch;
        let graph = &Arching { levels: self, links: ends.start, descent: descent.labels() };
        let target = Heuristic { goal: self.goal(), bound };
        Problem { graph, target, rule: ShortestPath }.begin(self.start(), search, observer);
    }

    /// Goes on with it; the distance, once it is found.
    pub(crate) fn advance(
        &self,
        ends: Ends<'_>,
        bound: &impl Fn(NodeId) -> Cost,
        budget: u64,
        scratch: &mut ArchScratch,
        observer: &mut impl Observer<NodeId>,
    ) -> Progress<Cost> {
        let ArchScratch { descent, search, .. } = scratch;
        let graph = &Arching { levels: self, links: ends.start, descent: descent.labels() };
        let target = Heuristic { goal: self.goal(), bound };
        match (Problem { graph, target, rule: ShortestPath }).advance(search, budget, observer) {
            Progress::Reached(goal) => Progress::Reached(search.labels().g(goal.index())),
            Progress::Exhausted => Progress::Exhausted,
            Progress::Paused => Progress::Paused,
            Progress::CostOverflow => Progress::CostOverflow,
        }
    }

    /// Writes the nodes of the arching path that was found.
    pub(crate) fn trace(&self, scratch: &mut ArchScratch) {
        let ArchScratch { descent, search, arch, .. } = scratch;
        let (up, down) = (search.labels(), descent.labels());
        let mut node = NodeId::unpack(up.parent(self.goal().index()));
        let left = up.g(self.goal().index()).less(up.g(node.index()));
        arch.clear();
        let mut climbed = node;
        while climbed != self.start() {
            arch.push(climbed);
            climbed = NodeId::unpack(up.parent(climbed.index()));
        }
        arch.reverse();
        if down.known(node.index()) != Some(left) {
            // The highest edge joins two nodes of the same level.
            let crosses = |arc: &&Arc| {
                let rest = down.known(arc.head as usize);
                rest.is_some_and(|rest| rest + Cost::from_units(arc.cost.into()) == left)
            };
            if let Some(arc) = self.level_arcs(node).iter().find(crosses) {
                node = NodeId::new(arc.head);
                arch.push(node);
            }
        }
        loop {
            node = NodeId::unpack(down.parent(node.index()));
            if node == self.goal() {
                break;
            }
            arch.push(node);
        }
    }

    /// The node that stands for the start.
    fn start(&self) -> NodeId {
        NodeId::new(self.node_count() as u32)
    }

    /// The node that stands for the goal.
    fn goal(&self) -> NodeId {
        NodeId::new(self.node_count() as u32 + 1)
    }

    /// Arcs that can always be used: to higher levels, or on the highest.
    #[inline]
    fn free_arcs(&self, node: NodeId) -> &[Arc] {
        let Span { first, level_first } = self.spans[node.index()];
        &self.arcs[first as usize..level_first as usize]
    }

    /// Arcs to nodes of the same level, if it is not the highest.
    #[inline]
    fn level_arcs(&self, node: NodeId) -> &[Arc] {
        let first = self.spans[node.index()].level_first;
        &self.arcs[first as usize..self.spans[node.index() + 1].first as usize]
    }

    /// Arcs to higher levels.
    #[inline]
    fn climbing_arcs(&self, node: NodeId) -> &[Arc] {
        if self.levels[node.index()] == self.level_count { &[] } else { self.free_arcs(node) }
    }
}

/// The graph seen from the goal: upwards only.
struct Ascent<'g> {
    levels: &'g NLevelGraph,
    links: &'g [Link],
}

impl Graph for Ascent<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.levels.node_count() + 2
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        if node == self.levels.goal() {
            for link in self.links {
                visit(NodeId::new(link.node), Cost::from_units(link.cost.into()));
            }
        } else {
            for arc in self.levels.climbing_arcs(node) {
                visit(NodeId::new(arc.head), Cost::from_units(arc.cost.into()));
            }
        }
    }
}

/// The graph seen from the start: upwards, along the highest level, and as one
/// arc down to the goal from wherever it can be reached by descending.
struct Arching<'g> {
    levels: &'g NLevelGraph,
    links: &'g [Link],
    descent: &'g Labels,
}

impl Graph for Arching<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.levels.node_count() + 2
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let goal = self.levels.goal();
        if node == self.levels.start() {
            for link in self.links {
                visit(NodeId::new(link.node), Cost::from_units(link.cost.into()));
            }
            return;
        }
        if let Some(rest) = self.descent.known(node.index()) {
            visit(goal, rest);
        }
        for arc in self.levels.free_arcs(node) {
            visit(NodeId::new(arc.head), Cost::from_units(arc.cost.into()));
        }
        for arc in self.levels.level_arcs(node) {
            if let Some(rest) = self.descent.known(arc.head as usize) {
                visit(goal, Cost::from_units(arc.cost.into()) + rest);
            }
        }
    }
}
