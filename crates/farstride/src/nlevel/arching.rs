//! Searching for arching paths.
//!
//! Two searches: the first climbs from the goal and finds the cost of descending to
//! it from every node it reaches; the second climbs from the start, runs along the
//! highest level, and takes the rest of the way as one arc wherever the first has
//! been. Both use the common search loop.

use super::graph::{Arc, NLevelGraph};
use super::turns::{ANYHOW, AnyTurn, ByArrival, ByNode, Turns, Visit};
use crate::base::{Cost, Node, NodeId};
use crate::graph::Graph;
use crate::search::{Fifo, LimitedQueue, Memory, Observer, Phase, Problem, SearchStatus, SearchTree, Target};

/// A connection from an end of the path to a node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Link {
    pub(crate) node: u32,
    pub(crate) cost: u32,
    /// Class in which it arrives at the node.
    pub(crate) arrival: u8,
}

impl Link {
    const fn visit(self) -> Visit {
        Visit::new(self.node, self.arrival)
    }
}

/// Working memory for searches on an N-level graph. Keep one per thread and reuse
/// it.
#[derive(Debug, Default)]
pub struct ArchScratch {
    /// The search from the goal.
    descent: Memory<Fifo>,
    /// The search from the start.
    search: Memory<LimitedQueue>,
    /// Paths that cost more than this are not searched for.
    limit: Cost,
    /// The nodes of the last arching path.
    pub(super) arch: Vec<NodeId>,
    /// The nodes of that path after refinement.
    pub(super) path: Vec<NodeId>,
    /// Edges still to be refined.
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

/// A path that was found. It borrows the scratch, and lasts until the next search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found<'s> {
    /// The distance.
    pub cost: Cost,
    /// The nodes of a shortest path in the original graph, both ends included.
    pub path: &'s [NodeId],
}

impl NLevelGraph {
    /// Finds a shortest path between two nodes of the original graph. Returns `None`
    /// if there is no path, or the graph does not have one of the nodes.
    ///
    /// # Guarantee
    /// Optimal and deterministic.
    ///
    /// # Allocation
    /// None once `scratch` has grown.
    pub fn find<'s>(&self, start: NodeId, goal: NodeId, scratch: &'s mut ArchScratch) -> Option<Found<'s>> {
        self.find_guided(start, goal, |_| Cost::ZERO, scratch, &mut ())
    }

    /// Same as [`NLevelGraph::find`], guided by lower bounds of the distance to the
    /// goal, and reporting every step to `observer`.
    ///
    /// `bound` must be consistent, as for A*. For the observer, the start is the node
    /// after the last one, and the goal the one after that.
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
        let link = |node: NodeId| [Link { node: node.index() as u32, cost: 0, arrival: ANYHOW }];
        let query = ArchQuery {
            levels: self,
            start: &link(start),
            goal: &link(goal),
            bounds: ToGoal(|node: NodeId| if node.index() < nodes { bound(node) } else { Cost::ZERO }),
            turns: &AnyTurn,
        };
        query.begin(scratch, observer);
        let SearchStatus::Reached(cost) = query.advance(u64::MAX, scratch, observer) else {
            return None;
        };
        query.trace(scratch);
        self.refine(scratch);
        Some(Found { cost, path: &scratch.path })
    }
}

/// A search for an arching path.
pub(crate) struct ArchQuery<'q, B, T> {
    pub(crate) levels: &'q NLevelGraph,
    /// Nodes where the path may begin.
    pub(crate) start: &'q [Link],
    /// Nodes where it may end.
    pub(crate) goal: &'q [Link],
    pub(crate) bounds: B,
    pub(crate) turns: &'q T,
}

/// Lower bounds of distances; 0 for the two nodes that stand for start and goal.
pub(crate) trait Bounds {
    /// From a node to the goal.
    fn ahead(&self, node: NodeId) -> Cost;

    /// From the start to a node.
    fn behind(&self, node: NodeId) -> Cost;

    /// A cost that the path will hardly exceed, if a guess can be made.
    fn guess(&self) -> Option<Cost>;
}

/// Bounds of the distance to the goal alone.
struct ToGoal<F>(F);

impl<F: Fn(NodeId) -> Cost> Bounds for ToGoal<F> {
    fn ahead(&self, node: NodeId) -> Cost {
        (self.0)(node)
    }

    fn behind(&self, _: NodeId) -> Cost {
        Cost::ZERO
    }

    fn guess(&self) -> Option<Cost> {
        None
    }
}

/// Number of nodes expanded from the goal before the length of the path is guessed,
/// to keep the rest of that search short. Usually there are fewer. On wide ground,
/// thousands can be climbed to, and few of them lie on the way.
const MANY: u64 = 256;

impl<B: Bounds, T: Turns> ArchQuery<'_, B, T> {
    /// Does the whole search from the goal, and begins the one from the start.
    pub(crate) fn begin(&self, scratch: &mut ArchScratch, observer: &mut impl Observer<NodeId>) {
        scratch.limit = Cost::MAX;
        let few = self.descend(Stage::Begin, MANY, scratch, observer);
        match self.bounds.guess() {
            Some(guess) if !few => {
                // From the beginning: a limit prunes by the lower bound to the start,
                // which the first attempt did not compute.
                scratch.limit = guess;
                self.descend(Stage::Begin, u64::MAX, scratch, observer);
            }
            _ => {
                self.descend(Stage::Continue, u64::MAX, scratch, observer);
            }
        }
        self.ascend(scratch, observer);
    }

    /// Searches upwards from the goal, for at most `budget` expansions. Returns
    /// whether it is finished.
    fn descend(
        &self,
        stage: Stage,
        budget: u64,
        scratch: &mut ArchScratch,
        observer: &mut impl Observer<NodeId>,
    ) -> bool {
        let ArchScratch { descent, limit, .. } = scratch;
        let graph = &Ascent { levels: self.levels, links: self.goal, turns: self.turns };
        let target = FromStart { bounds: &self.bounds, matters: *limit < Cost::MAX };
        let problem = Problem { graph, target, rule: ByArrival };
        if stage == Stage::Begin {
            descent.open_mut().limit = *limit;
            problem.begin(self.levels.goal(), descent, &mut ByNode(observer));
        }
        problem.advance(descent, budget, &mut ByNode(observer)) != SearchStatus::Paused
    }

    /// Begins the search from the start.
    fn ascend(&self, scratch: &mut ArchScratch, observer: &mut impl Observer<NodeId>) {
        let ArchScratch { descent, search, limit, .. } = scratch;
        observer.phase(Phase::Main);
        let graph = &self.arching(descent.tree());
        let problem = Problem { graph, target: Towards(self), rule: ByArrival };
        search.open_mut().limit = *limit;
        problem.begin(self.levels.start(), search, &mut ByNode(observer));
    }

    /// Continues the search from the start, for at most `budget` expansions. Returns
    /// the distance once it is found.
    pub(crate) fn advance(
        &self,
        budget: u64,
        scratch: &mut ArchScratch,
        observer: &mut impl Observer<NodeId>,
    ) -> SearchStatus<Cost> {
        let ArchScratch { descent, search, limit, .. } = scratch;
        let graph = &self.arching(descent.tree());
        let problem = Problem { graph, target: Towards(self), rule: ByArrival };
        match problem.advance(search, budget, &mut ByNode(observer)) {
            SearchStatus::Reached(goal) => SearchStatus::Reached(search.tree().g(goal.node() as usize)),
            SearchStatus::Exhausted if *limit < Cost::MAX => self.begin_again(budget, scratch, observer),
            SearchStatus::Exhausted => SearchStatus::Exhausted,
            SearchStatus::Paused => SearchStatus::Paused,
            SearchStatus::CostOverflow => SearchStatus::CostOverflow,
        }
    }

    /// Starts over without a limit, because no path is as short as guessed.
    #[cold]
    fn begin_again(
        &self,
        budget: u64,
        scratch: &mut ArchScratch,
        observer: &mut impl Observer<NodeId>,
    ) -> SearchStatus<Cost> {
        scratch.limit = Cost::MAX;
        observer.phase(Phase::Insert);
        self.descend(Stage::Begin, u64::MAX, scratch, observer);
        self.ascend(scratch, observer);
        if budget < u64::MAX {
            return SearchStatus::Paused; // the first search has used up the budget
        }
        self.advance(budget, scratch, observer)
    }

    /// The graph for the search from the start.
    fn arching<'g>(&'g self, descent: &'g SearchTree) -> Arching<'g, T> {
        Arching { levels: self.levels, links: self.start, descent, turns: self.turns }
    }

    /// Writes the nodes of the arching path that was found into `scratch`.
    pub(crate) fn trace(&self, scratch: &mut ArchScratch) {
        let ArchScratch { descent, search, arch, .. } = scratch;
        let (up, down) = (search.tree(), descent.tree());
        let parent = |tree: &SearchTree, node: u32| Visit::unpack(tree.parent(node as usize)).node();
        let (start, goal) = (self.levels.start().node(), self.levels.goal().node());
        let mut node = parent(up, goal);
        let left = up.g(goal as usize).less(up.g(node as usize));
        arch.clear();
        let mut climbed = node;
        while climbed != start {
            arch.push(NodeId::new(climbed));
            climbed = parent(up, climbed);
        }
        arch.reverse();
        if down.cost(node as usize) != Some(left) {
            // The arc to the goal stood for an edge to a node of the same level, and
            // then the descent. The search tree does not store which edge; find one
            // that fits.
            let crosses =
                |arc: &&Arc| down.cost(arc.head() as usize).is_some_and(|rest| rest + arc.cost() == left);
            if let Some(arc) = self.levels.arcs[self.levels.level_arcs(node)].iter().find(crosses) {
                node = arc.head();
                arch.push(NodeId::new(node));
            }
        }
        loop {
            node = parent(down, node);
            if node == goal {
                break;
            }
            arch.push(NodeId::new(node));
        }
    }
}

impl NLevelGraph {
    /// The node that stands for the start.
    fn start(&self) -> Visit {
        Visit::new(self.node_count() as u32, ANYHOW)
    }

    /// The node that stands for the goal.
    fn goal(&self) -> Visit {
        Visit::new(self.node_count() as u32 + 1, ANYHOW)
    }

    /// Arcs that can always be used: to higher levels, or along the highest.
    #[inline]
    fn free_arcs(&self, node: u32) -> std::ops::Range<usize> {
        let span = &self.spans[node as usize];
        span.first as usize..span.level_first as usize
    }

    /// Arcs to nodes of the same level, unless it is the highest.
    #[inline]
    fn level_arcs(&self, node: u32) -> std::ops::Range<usize> {
        self.spans[node as usize].level_first as usize..self.spans[node as usize + 1].first as usize
    }

    /// The arcs of a range that leave in one of some classes.
    #[inline]
    fn arcs_leaving(&self, range: std::ops::Range<usize>, classes: u16) -> impl Iterator<Item = Arc> {
        let arcs = self.arcs[range.clone()].iter().zip(&self.leaves[range]);
        arcs.filter(move |(_, leave)| classes >> **leave & 1 != 0).map(|(arc, _)| *arc)
    }
}

/// Whether a search begins or continues.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Begin,
    Continue,
}

/// The target of the search from the goal: none. Bounds of the distance to the start
/// matter only if there is a limit.
struct FromStart<'q, B> {
    bounds: &'q B,
    matters: bool,
}

impl<B: Bounds> Target<Visit> for FromStart<'_, B> {
    #[inline]
    fn is_reached(&self, _: Visit) -> bool {
        false
    }

    #[inline]
    fn estimate(&self, visit: Visit) -> Cost {
        if self.matters { self.bounds.behind(NodeId::new(visit.node())) } else { Cost::ZERO }
    }
}

/// The goal, in whatever class the path arrives there.
struct Towards<'q, B, T>(&'q ArchQuery<'q, B, T>);

impl<B: Bounds, T> Target<Visit> for Towards<'_, B, T> {
    #[inline]
    fn is_reached(&self, visit: Visit) -> bool {
        visit == self.0.levels.goal()
    }

    #[inline]
    fn estimate(&self, visit: Visit) -> Cost {
        self.0.bounds.ahead(NodeId::new(visit.node()))
    }
}

/// The graph for the search from the goal: arcs to higher levels only.
struct Ascent<'g, T> {
    levels: &'g NLevelGraph,
    links: &'g [Link],
    turns: &'g T,
}

impl<T: Turns> Graph for Ascent<'_, T> {
    type Node = Visit;

    fn node_count(&self) -> usize {
        self.levels.node_count() + 2
    }

    #[inline]
    fn index(&self, visit: Visit) -> usize {
        visit.node() as usize
    }

    #[inline]
    fn for_each_arc(&self, from: Visit, mut visit: impl FnMut(Visit, Cost)) {
        let node = from.node();
        if from == self.levels.goal() {
            for link in self.links {
                visit(link.visit(), Cost::from_units(link.cost.into()));
            }
            return;
        }
        let onward = self.turns.onward(node, from.arrival());
        let climbs = self.levels.levels[node as usize] < self.levels.level_count;
        if climbs && onward & self.levels.spans[node as usize].free_classes != 0 {
            for arc in self.levels.arcs_leaving(self.levels.free_arcs(node), onward) {
                visit(arc.visit, arc.cost());
            }
        }
    }
}

/// The graph for the search from the start: arcs to higher levels and along the
/// highest, and one arc to the goal from every node that the search from the goal
/// has reached, directly or over one edge between nodes of the same level.
struct Arching<'g, T> {
    levels: &'g NLevelGraph,
    links: &'g [Link],
    descent: &'g SearchTree,
    turns: &'g T,
}

impl<T: Turns> Arching<'_, T> {
    /// Whether a visit leads anywhere. If not, it need not enter the open list.
    #[inline]
    fn leads_on(&self, visit: Visit) -> bool {
        let span = &self.levels.spans[visit.node() as usize];
        let onward = self.turns.onward(visit.node(), visit.arrival());
        onward & (span.free_classes | span.level_classes) != 0
            || self.descent.is_reached(visit.node() as usize)
    }
}

impl<T: Turns> Graph for Arching<'_, T> {
    type Node = Visit;

    fn node_count(&self) -> usize {
        self.levels.node_count() + 2
    }

    #[inline]
    fn index(&self, visit: Visit) -> usize {
        visit.node() as usize
    }

    #[inline]
    fn for_each_arc(&self, from: Visit, mut visit: impl FnMut(Visit, Cost)) {
        let node = from.node();
        if from == self.levels.start() {
            for link in self.links.iter().filter(|link| self.leads_on(link.visit())) {
                visit(link.visit(), Cost::from_units(link.cost.into()));
            }
            return;
        }
        let goal = self.levels.goal();
        if let Some(rest) = self.descent.cost(node as usize) {
            visit(goal, rest);
        }
        let onward = self.turns.onward(node, from.arrival());
        let span = &self.levels.spans[node as usize];
        if onward & span.free_classes != 0 {
            for arc in self.levels.arcs_leaving(self.levels.free_arcs(node), onward) {
                visit(arc.visit, arc.cost());
            }
        }
        if onward & span.level_classes != 0 {
            for arc in self.levels.arcs_leaving(self.levels.level_arcs(node), onward) {
                if let Some(rest) = self.descent.cost(arc.head() as usize) {
                    visit(goal, arc.cost() + rest);
                }
            }
        }
    }
}
