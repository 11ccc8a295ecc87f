//! Partitioning: which nodes sink to which level.

use super::graph::NLevelGraph;
use super::input::{Draft, DraftArc};
use super::turns::{ANYHOW, AnyTurn, ByArrival, Turns, Visit};
use crate::base::crew::Watch;
use crate::base::{BuildOptions, Cancelled, Cost, NodeId};
use crate::graph::{Graph, PrepareError};
use crate::search::{LimitedQueue, Memory, Problem, SearchStatus, Target};

/// Says which edges a partition may add, and what is known about distances.
///
/// See [`Basic`] and [`Advanced`] for the two usual ones.
pub trait Property: Sync {
    /// Whether an edge of this cost may be added between two nodes. `from` has the
    /// smaller id. Edges that cost more than 2³² − 1 units are never added.
    ///
    /// The more is allowed, the more edges there may be. A property that always holds
    /// turns small components into complete graphs, in cubic time.
    fn allows(&self, from: NodeId, to: NodeId, cost: Cost) -> bool;

    /// Whether an edge may be added so that the node `around`, between its ends, can
    /// sink. By default, same as [`Property::allows`].
    ///
    /// Use this to impose an order on the nodes, as contraction hierarchies do: allow
    /// an edge only if `around` comes first of the three.
    fn allows_around(&self, around: NodeId, from: NodeId, to: NodeId, cost: Cost) -> bool {
        let _ = around;
        self.allows(from, to, cost)
    }

    /// A lower bound of the distance between two nodes. Must be consistent, as for
    /// A*. The better it is, the faster is the partition.
    fn bound(&self, from: NodeId, to: NodeId) -> Cost {
        let _ = (from, to);
        Cost::ZERO
    }
}

/// Basic partitioning: adds no edges.
#[derive(Clone, Copy, Debug)]
pub struct Basic;

impl Property for Basic {
    fn allows(&self, _: NodeId, _: NodeId, _: Cost) -> bool {
        false
    }
}

/// Advanced partitioning: adds edges where the function returns `true`. It gets the
/// two ends, the one with the smaller id first, and the cost.
#[derive(Clone, Copy, Debug)]
pub struct Advanced<F>(pub F);

impl<F: Fn(NodeId, NodeId, Cost) -> bool + Sync> Property for Advanced<F> {
    fn allows(&self, from: NodeId, to: NodeId, cost: Cost) -> bool {
        (self.0)(from, to, cost)
    }
}

impl NLevelGraph {
    /// Partitions an undirected graph into at most `most_levels` levels; without a
    /// limit, until the highest level can no longer be partitioned.
    ///
    /// Drops loops, all but the cheapest of parallel edges, and edges longer than the
    /// distance between their ends. The graph need not be connected.
    ///
    /// Whatever the property allows, adds at most four times as many edges as there
    /// are, plus a few thousand.
    ///
    /// # Complexity
    /// One search per pair of neighbours of every node, limited to the length of the
    /// path over the node, and again for nodes whose neighbours have sunk. Before
    /// that, one search per node as far as its farthest neighbour, to clean the graph.
    ///
    /// # Errors
    /// [`PrepareError`] if the graph is directed or too large, an edge costs nothing
    /// or too much, or an arc leads to an unknown node.
    ///
    /// # Example
    /// ```
    /// use farstride::nlevel::{ArchScratch, Basic, NLevelGraph};
    /// use farstride::Cost;
    /// use farstride::graph::{NodeId, RowGraph};
    ///
    /// // A chain of four nodes and a spur: 0 - 1 - 2 - 3, 1 - 4.
    /// let cost = |units| Cost::new(units).unwrap();
    /// let edges = [(0, 1, cost(4)), (1, 2, cost(5)), (2, 3, cost(1)), (1, 4, cost(2))];
    /// let graph = RowGraph::from_edges(5, edges)?;
    /// let levels = NLevelGraph::partition(&graph, None, &Basic)?;
    /// assert!(levels.level(NodeId::new(1)) > levels.level(NodeId::new(0)));
    ///
    /// let mut scratch = ArchScratch::default();
    /// let found = levels.find(NodeId::new(4), NodeId::new(3), &mut scratch).unwrap();
    /// assert_eq!(found.cost, cost(8));
    /// assert_eq!(found.path, [4, 1, 2, 3].map(NodeId::new));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn partition(
        graph: &impl Graph<Node = NodeId>,
        most_levels: Option<u32>,
        property: &impl Property,
    ) -> Result<Self, PrepareError> {
        Self::partition_with(graph, most_levels, property, &BuildOptions::new())
    }

    /// Partitions an undirected graph, reporting progress, until it is done or
    /// cancelled. It always runs on one thread: each node that sinks changes what the
    /// next one sees.
    ///
    /// # Errors
    /// As [`NLevelGraph::partition`], and [`PrepareError::Cancelled`].
    pub fn partition_with(
        graph: &impl Graph<Node = NodeId>,
        most_levels: Option<u32>,
        property: &impl Property,
        options: &BuildOptions<'_>,
    ) -> Result<Self, PrepareError> {
        let Watch { progress, wanted } = options.watch;
        options.watch.check()?;
        // Every node counts twice: once for cleaning, once for its level.
        let first = |done: usize, nodes: usize| progress(done, 2 * nodes);
        let second = |done: usize, nodes: usize| progress(nodes + done, 2 * nodes);
        let draft = Draft::clean(graph, Watch { progress: &first, wanted })?;
        let watch = Watch { progress: &second, wanted };
        Ok(Self::of_draft(draft, most_levels, property, &AnyTurn, watch)?)
    }

    /// Partitions a clean graph. Reports how many nodes have their level.
    pub(crate) fn of_draft(
        draft: Draft,
        most_levels: Option<u32>,
        property: &impl Property,
        turns: &impl Turns,
        watch: Watch<'_>,
    ) -> Result<Self, Cancelled> {
        let nodes = draft.arcs.len();
        let mut partition = Partition::new(draft, property, turns, watch);
        let most_levels = most_levels.unwrap_or(u32::MAX);
        while partition.level < most_levels && partition.next_level()? {}
        if nodes > 0 {
            (watch.progress)(nodes, nodes); // the rest is the highest level
        }
        let (draft, levels) = partition.finish();
        Ok(Self::assemble(draft, &levels))
    }
}

/// Two neighbours of a node that only this node connects by a shortest path.
type Pair = (u32, u32);
const NO_PAIR: Pair = (u32::MAX, u32::MAX);

/// The level of nodes that have not sunk yet. Its number is known at the end.
const TOP: u32 = u32::MAX;

/// Limit of extra edges: this many times the number of edges, plus `FEW_EXTRA`. Maps
/// of games need at most twice as many. Without a limit, a property that nearly all
/// pairs of nodes have would give a complete graph.
const MOST_EXTRA: usize = 4;
const FEW_EXTRA: usize = 4096;

/// Number of nodes examined between two reports of progress.
const NODES_PER_REPORT: usize = 64;
/// Number of searches between two checks for cancelling. A search that expands more
/// than `EXPANSIONS_PER_SEARCH` nodes counts as several: on open ground one search may
/// pass thousands of edges. Together that is a few milliseconds at most.
const SEARCHES_PER_CHECK: u32 = 16;
const EXPANSIONS_PER_SEARCH: u64 = 64;

/// A partition in progress. All levels below `level` are final.
struct Partition<'p, P, T> {
    /// Edges of each node to nodes of the same or a higher level.
    draft: Draft,
    property: &'p P,
    turns: &'p T,
    pulse: Pulse<'p>,
    /// The level being partitioned.
    level: u32,
    levels: Vec<u32>,
    /// Number of nodes that have not sunk.
    on_top: usize,
    /// The nodes to examine in the next round: those that are not proved to be
    /// necessary. In the order of ids, which decides which nodes sink.
    candidates: Vec<u32>,
    /// Why each node had to stay: a pair of neighbours that only it connects.
    ///
    /// The pair is a proof until one of the two has sunk. A replacement for the node
    /// would have to lead over nodes that have not sunk, and these only become fewer.
    /// Nor can an extra edge help: it stands for a path that existed before, over a
    /// node that has sunk since, and so not over this one.
    proofs: Vec<Pair>,
    /// Number of extra edges that may still be added.
    extra_left: usize,
    memory: Memory<LimitedQueue>,
    /// The neighbours of one end of the pair at hand.
    marks: Marks,
    /// Pairs of edges whose far ends must be joined for the node at hand to sink.
    extra: Vec<(DraftArc, DraftArc)>,
}

impl<'p, P: Property, T: Turns> Partition<'p, P, T> {
    fn new(draft: Draft, property: &'p P, turns: &'p T, watch: Watch<'p>) -> Self {
        let nodes = draft.arcs.len();
        let edges = draft.arcs.iter().map(Vec::len).sum::<usize>() / 2;
        Self {
            draft,
            property,
            turns,
            pulse: Pulse { watch, searches: 0 },
            level: 1,
            levels: vec![TOP; nodes],
            on_top: nodes,
            candidates: (0..nodes as u32).collect(),
            proofs: vec![NO_PAIR; nodes],
            extra_left: FEW_EXTRA.saturating_add(edges.saturating_mul(MOST_EXTRA)),
            memory: Memory::default(),
            marks: Marks { last: 0, marks: vec![0; nodes] },
            extra: Vec::new(),
        }
    }

    /// Lets the nodes of the highest level sink that are not needed there. Returns
    /// whether that made a new level.
    ///
    /// # Complexity
    /// Examines the candidates and the neighbours of nodes that sink, and no others.
    fn next_level(&mut self) -> Result<bool, Cancelled> {
        let mut sunk = Vec::new();
        let nodes = self.levels.len();
        for (at, node) in std::mem::take(&mut self.candidates).into_iter().enumerate() {
            if at % NODES_PER_REPORT == 0 {
                self.pulse.watch.check()?;
                (self.pulse.watch.progress)(nodes - self.on_top + sunk.len(), nodes);
            }
            if let Some(pair) = self.find_necessity(node)? {
                self.proofs[node as usize] = pair;
            } else {
                self.sink(node);
                sunk.push(node);
            }
        }
        // If all have sunk, the level they sank to is the highest.
        if sunk.is_empty() || sunk.len() == self.on_top {
            return Ok(false);
        }
        self.on_top -= sunk.len();
        self.forget(&sunk);
        self.level += 1;
        Ok(true)
    }

    /// Drops the edges from nodes on top to those that have sunk, and collects the
    /// nodes whose proof has become void.
    fn forget(&mut self, sunk: &[u32]) {
        let Self { draft, levels, proofs, candidates, .. } = self;
        let heads = sunk.iter().flat_map(|&node| &draft.arcs[node as usize]).map(|arc| arc.head);
        let mut touched: Vec<u32> = heads.filter(|&head| levels[head as usize] == TOP).collect();
        touched.sort_unstable();
        touched.dedup();
        for &node in &touched {
            draft.arcs[node as usize].retain(|arc| levels[arc.head as usize] == TOP);
            let (one, other) = proofs[node as usize];
            if levels[one as usize] != TOP || levels[other as usize] != TOP {
                candidates.push(node);
            }
        }
    }

    /// The graph with its extra edges, and the levels.
    fn finish(self) -> (Draft, Vec<u32>) {
        let level = |level: u32| if level == TOP { self.level } else { level };
        (self.draft, self.levels.into_iter().map(level).collect())
    }

    /// Returns a pair of neighbours that only this node connects by a shortest path.
    /// If there is none, returns `None` and leaves in `extra` what must be joined for
    /// the node to sink.
    fn find_necessity(&mut self, node: u32) -> Result<Option<Pair>, Cancelled> {
        let Self { draft, property, turns, pulse, levels, memory, marks, extra, extra_left, .. } = self;
        let mut is_reached = |one: &DraftArc, other: &DraftArc| {
            let around = Around { draft, turns: *turns, levels, without: node, goal: other.head };
            let limit = u64::from(one.cost) + u64::from(other.cost);
            around.reaches(one.head, limit, *property, memory, pulse)
        };
        extra.clear();
        let arcs = &draft.arcs[node as usize];
        for (at, one) in arcs.iter().enumerate() {
            let mut marked = false;
            let onward = turns.onward(node, turns.back(one.leave));
            for other in &arcs[at + 1..] {
                if onward >> other.leave & 1 == 0 {
                    continue; // the path over the node is a detour: no shortest one
                }
                if !marked {
                    marks.take(&draft.arcs[one.head as usize]);
                    marked = true;
                }
                if marks.holds(other.head) {
                    continue; // an edge joins the two, and is as long as the distance
                }
                let (low, high) = (one.head.min(other.head), one.head.max(other.head));
                let [around, from, to] = [node, low, high].map(NodeId::new);
                let cost = one.cost.checked_add(other.cost).map(|units| Cost::from_units(units.into()));
                if cost.is_some_and(|cost| property.allows_around(around, from, to, cost)) {
                    // Searched for last: most nodes have to stay for a pair that may
                    // not be joined, and then these searches are never needed.
                    extra.push((*one, *other));
                } else if !is_reached(one, other)? {
                    return Ok(Some((one.head, other.head)));
                }
            }
        }
        let mut kept = 0;
        for at in 0..extra.len() {
            let (one, other) = extra[at];
            if !is_reached(&one, &other)? {
                extra[kept] = (one, other);
                kept += 1;
            }
        }
        extra.truncate(kept);
        Ok(match extra.last() {
            Some((one, other)) if extra.len() > *extra_left => Some((one.head, other.head)),
            _ => None,
        })
    }

    /// Lets a node sink to the current level, and adds the edges around it.
    fn sink(&mut self, node: u32) {
        self.levels[node as usize] = self.level;
        self.extra_left -= self.extra.len();
        for (one, other) in self.extra.drain(..) {
            let cost = one.cost + other.cost;
            for (from, to) in [(one, other), (other, one)] {
                let leave = self.turns.back(from.arrive);
                let arc = DraftArc { head: to.head, cost, via: node, leave, arrive: to.arrive };
                self.draft.arcs[from.head as usize].push(arc);
            }
        }
    }
}

/// Checks for cancelling every few searches.
struct Pulse<'w> {
    watch: Watch<'w>,
    searches: u32,
}

impl Pulse<'_> {
    /// Counts a search.
    fn beat(&mut self) -> Result<(), Cancelled> {
        self.searches = self.searches.wrapping_add(1);
        if self.searches.is_multiple_of(SEARCHES_PER_CHECK) { self.watch.check() } else { Ok(()) }
    }
}

/// A set of nodes that is emptied in O(1).
struct Marks {
    last: u64,
    marks: Vec<u64>,
}

impl Marks {
    /// Replaces the contents by the heads of some arcs.
    fn take(&mut self, arcs: &[DraftArc]) {
        self.last += 1;
        for arc in arcs {
            self.marks[arc.head as usize] = self.last;
        }
    }

    /// Whether a node is in the set.
    fn holds(&self, node: u32) -> bool {
        self.marks[node as usize] == self.last
    }
}

/// The graph of paths around a node, over nodes that have not sunk.
struct Around<'p, T> {
    draft: &'p Draft,
    turns: &'p T,
    levels: &'p [u32],
    without: u32,
    goal: u32,
}

impl<T: Turns> Around<'_, T> {
    /// Whether a path from `start` to the goal costs at most `limit`.
    fn reaches<P: Property>(
        &self,
        start: u32,
        limit: u64,
        property: &P,
        memory: &mut Memory<LimitedQueue>,
        pulse: &mut Pulse<'_>,
    ) -> Result<bool, Cancelled> {
        memory.open_mut().limit = Cost::from_units(limit);
        let goal = NodeId::new(self.goal);
        let target = Towards { goal, property };
        let problem = Problem { graph: self, target, rule: ByArrival };
        problem.begin(Visit::new(start, ANYHOW), memory, &mut ());
        loop {
            pulse.beat()?;
            match problem.advance(memory, EXPANSIONS_PER_SEARCH, &mut ()) {
                SearchStatus::Paused => {}
                SearchStatus::Reached(_) => return Ok(true),
                SearchStatus::Exhausted | SearchStatus::CostOverflow => return Ok(false),
            }
        }
    }
}

/// A node, in whatever class the path arrives there.
struct Towards<'p, P> {
    goal: NodeId,
    property: &'p P,
}

impl<P: Property> Target<Visit> for Towards<'_, P> {
    #[inline]
    fn is_reached(&self, visit: Visit) -> bool {
        visit.node() as usize == self.goal.index()
    }

    #[inline]
    fn estimate(&self, visit: Visit) -> Cost {
        self.property.bound(NodeId::new(visit.node()), self.goal)
    }
}

impl<T: Turns> Graph for Around<'_, T> {
    type Node = Visit;

    fn node_count(&self) -> usize {
        self.draft.arcs.len()
    }

    #[inline]
    fn index(&self, visit: Visit) -> usize {
        visit.node() as usize
    }

    #[inline]
    fn for_each_arc(&self, from: Visit, mut visit: impl FnMut(Visit, Cost)) {
        let onward = self.turns.onward(from.node(), from.arrival());
        for arc in &self.draft.arcs[from.node() as usize] {
            let on_top = || self.levels[arc.head as usize] == TOP && arc.head != self.without;
            if onward >> arc.leave & 1 != 0 && (on_top() || arc.head == self.goal) {
                visit(Visit::new(arc.head, arc.arrive), Cost::from_units(arc.cost.into()));
            }
        }
    }
}
