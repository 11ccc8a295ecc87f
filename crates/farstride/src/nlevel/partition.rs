//! Which nodes sink to which level.

use super::PartitionError;
use super::graph::NLevelGraph;
use super::input::{Draft, DraftArc};
use super::turns::{ANYHOW, AnyTurn, ByArrival, Turns, Visit};
use crate::base::{Cost, NodeId};
use crate::graph::Graph;
use crate::search::{LimitedQueue, Memory, Problem, Progress, Target};

/// Which edges a partition may add, and what is known about distances.
pub trait Property: Sync {
    /// Whether an edge of this cost may be added between two nodes, the one
    /// with the smaller number first. Edges above 2³² − 1 units are never added.
    ///
    /// The more is allowed, the more edges there may be, up to one for every
    /// pair of nodes that are connected: a property that always holds turns
    /// every component into a complete graph, in cubic time.
    fn allows(&self, from: NodeId, to: NodeId, cost: Cost) -> bool;

    /// The same if it is known which node the edge would lead around: the one
    /// that may sink for it. An order of the nodes can be kept to that way, as
    /// contraction hierarchies do: only around the first of the three.
    fn allows_around(&self, around: NodeId, from: NodeId, to: NodeId, cost: Cost) -> bool {
        let _ = around;
        self.allows(from, to, cost)
    }

    /// A lower bound of the distance between two nodes: the better it is, the
    /// faster is the partition. Must be consistent, as for A*.
    fn bound(&self, from: NodeId, to: NodeId) -> Cost {
        let _ = (from, to);
        Cost::ZERO
    }
}

/// Basic partitioning: no edges are added.
#[derive(Clone, Copy, Debug)]
pub struct Basic;

impl Property for Basic {
    fn allows(&self, _: NodeId, _: NodeId, _: Cost) -> bool {
        false
    }
}

/// Advanced partitioning: edges are added where the function says so.
#[derive(Clone, Copy, Debug)]
pub struct Advanced<F>(pub F);

impl<F: Fn(NodeId, NodeId, Cost) -> bool + Sync> Property for Advanced<F> {
    fn allows(&self, from: NodeId, to: NodeId, cost: Cost) -> bool {
        (self.0)(from, to, cost)
    }
}

impl NLevelGraph {
    /// Partitions an undirected graph into at most `most_levels` levels, or,
    /// without a limit, until the nodes of the highest level can no longer be
    /// partitioned.
    ///
    /// Loops, all but the cheapest of parallel edges, and edges longer than
    /// the distance between their ends are left out; a graph that is not
    /// connected is partitioned component by component.
    ///
    /// # Errors
    /// [`PartitionError`] if the graph is directed, or an edge costs nothing
    /// or too much.
    ///
    /// # Example
    /// ```
    /// use farstride::nlevel::{ArchScratch, Basic, NLevelGraph};
    /// use farstride::{Cost, NodeId, RowGraph};
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
    ) -> Result<Self, PartitionError> {
        Ok(Self::of_draft(Draft::clean(graph)?, most_levels, property, &AnyTurn, &mut |_, _| ()))
    }

    /// Partitions a graph that fits; `progress` hears how many nodes of how
    /// many have found their level.
    pub(crate) fn of_draft(
        draft: Draft,
        most_levels: Option<u32>,
        property: &impl Property,
        turns: &impl Turns,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Self {
        let nodes = draft.arcs.len();
        let mut partition = Partition::new(draft, property, turns);
        let most_levels = most_levels.unwrap_or(u32::MAX);
        while partition.level < most_levels && partition.next_level() {
            progress(nodes - partition.top.len(), nodes);
        }
        Self::assemble(partition.draft, &partition.levels)
    }
}

/// Two nodes that another is necessary to connect.
type Pair = (u32, u32);
const NO_PAIR: Pair = (u32::MAX, u32::MAX);

/// A partition under way: all levels below `level` are final.
struct Partition<'p, P, T> {
    /// Edges of each node to nodes of the same or a higher level.
    draft: Draft,
    property: &'p P,
    turns: &'p T,
    /// The level being partitioned.
    level: u32,
    levels: Vec<u32>,
    /// The nodes of that level.
    top: Vec<u32>,
    /// Why each node had to stay. A pair proves that until one of the two has
    /// sunk: what could take the node's place between them only grows less.
    proofs: Vec<Pair>,
    memory: Memory<LimitedQueue>,
    /// Which nodes are neighbours of the one at hand: those with its mark.
    marks: Marks,
    /// Extra edges that would let the node at hand sink.
    extra: Vec<(DraftArc, DraftArc)>,
}

impl<'p, P: Property, T: Turns> Partition<'p, P, T> {
    fn new(draft: Draft, property: &'p P, turns: &'p T) -> Self {
        let nodes = draft.arcs.len();
        Self {
            draft,
            property,
            turns,
            level: 1,
            levels: vec![1; nodes],
            top: (0..nodes as u32).collect(),
            proofs: vec![NO_PAIR; nodes],
            memory: Memory::default(),
            marks: Marks { last: 0, marks: vec![0; nodes] },
            extra: Vec::new(),
        }
    }

    /// Lifts the nodes of the highest level by one and lets those sink back
    /// that are not needed there; whether that made a new level.
    fn next_level(&mut self) -> bool {
        let above = self.level + 1;
        for &node in &self.top {
            self.levels[node as usize] = above;
        }
        for at in 0..self.top.len() {
            let node = self.top[at];
            if self.is_proven_necessary(node) {
                continue;
            }
            match self.find_necessity(node) {
                Some(pair) => self.proofs[node as usize] = pair,
                None => self.sink(node),
            }
        }
        let (levels, draft) = (&mut self.levels, &mut self.draft);
        let sunk = self.top.iter().filter(|&&node| levels[node as usize] < above).count();
        if sunk == 0 || sunk == self.top.len() {
            for &node in &self.top {
                levels[node as usize] = self.level;
            }
            return false;
        }
        self.top.retain(|&node| {
            let stays = levels[node as usize] == above;
            if stays {
                draft.arcs[node as usize].retain(|arc| levels[arc.head as usize] == above);
            }
            stays
        });
        self.level = above;
        true
    }

    fn is_proven_necessary(&self, node: u32) -> bool {
        let (one, other) = self.proofs[node as usize];
        let stays = |node: u32| self.levels.get(node as usize).is_some_and(|&level| level >= self.level);
        stays(one) && stays(other)
    }

    /// A pair of neighbours that the node is necessary to connect optimally,
    /// if there is one; if not, the edges that must be added for it to sink
    /// are left in `extra`.
    fn find_necessity(&mut self, node: u32) -> Option<Pair> {
        let Self { draft, property, turns, level, levels, memory, marks, extra, .. } = self;
        let mut is_reached = |one: &DraftArc, other: &DraftArc| {
            let level = *level + 1;
            let around = Around { draft, turns: *turns, levels, level, without: node, goal: other.head };
            around.reaches(one.head, u64::from(one.cost) + u64::from(other.cost), *property, memory)
        };
        extra.clear();
        let arcs = &draft.arcs[node as usize];
        for (at, one) in arcs.iter().enumerate() {
            let mut marked = false;
            let onward = turns.onward(node, turns.back(one.leave));
            for other in &arcs[at + 1..] {
                if onward >> other.leave & 1 == 0 {
                    continue; // the way over the node is a detour
                }
                if !marked {
                    marks.take(&draft.arcs[one.head as usize]);
                    marked = true;
                }
                if marks.holds(other.head) {
                    continue; // an edge is as long as the distance
                }
                let (low, high) = (one.head.min(other.head), one.head.max(other.head));
                let [around, from, to] = [node, low, high].map(NodeId::new);
                let cost = one.cost.checked_add(other.cost).map(|units| Cost::from_units(units.into()));
                if cost.is_some_and(|cost| property.allows_around(around, from, to, cost)) {
                    // Looked at last: most nodes have to stay for a pair that
                    // may not be joined, and need no search for the others.
                    extra.push((*one, *other));
                } else if !is_reached(one, other) {
                    return Some((one.head, other.head));
                }
            }
        }
        extra.retain(|(one, other)| !is_reached(one, other));
        None
    }

    /// Puts a node back to the level below and adds the edges around it.
    fn sink(&mut self, node: u32) {
        self.levels[node as usize] = self.level;
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

/// A set of nodes that is emptied in constant time.
struct Marks {
    last: u64,
    marks: Vec<u64>,
}

impl Marks {
    /// Holds the heads of these arcs and nothing else.
    fn take(&mut self, arcs: &[DraftArc]) {
        self.last += 1;
        for arc in arcs {
            self.marks[arc.head as usize] = self.last;
        }
    }

    fn holds(&self, node: u32) -> bool {
        self.marks[node as usize] == self.last
    }
}

/// The ways between two nodes that do not pass a third: over nodes of the
/// highest level.
struct Around<'p, T> {
    draft: &'p Draft,
    turns: &'p T,
    levels: &'p [u32],
    level: u32,
    without: u32,
    goal: u32,
}

impl<T: Turns> Around<'_, T> {
    /// Whether such a way is no longer than `limit`.
    fn reaches<P: Property>(
        &self,
        start: u32,
        limit: u64,
        property: &P,
        memory: &mut Memory<LimitedQueue>,
    ) -> bool {
        memory.open_mut().limit = Cost::from_units(limit);
        let goal = NodeId::new(self.goal);
        let target = Towards { goal, property };
        let problem = Problem { graph: self, target, rule: ByArrival };
        problem.begin(Visit::new(start, ANYHOW), memory, &mut ());
        matches!(problem.advance(memory, u64::MAX, &mut ()), Progress::Reached(_))
    }
}

/// A node, however it is arrived at.
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
            let on_top = || self.levels[arc.head as usize] == self.level && arc.head != self.without;
            if onward >> arc.leave & 1 != 0 && (on_top() || arc.head == self.goal) {
                visit(Visit::new(arc.head, arc.arrive), Cost::from_units(arc.cost.into()));
            }
        }
    }
}
