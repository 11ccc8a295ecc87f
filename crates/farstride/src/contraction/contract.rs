//! Contraction, round by round.
//!
//! A round takes the least important nodes, refreshes the priorities that may
//! have changed, and contracts an independent set of them. All costly work,
//! estimating priorities and searching for witnesses, reads the same graph on
//! all threads; the graph changes between these steps, on one thread and in
//! one order. That is why the result does not depend on the number of threads.

use super::input::Rows;
use super::witness::{EdgePair, Effort, Rest, STAYS, Witness};
use super::{ContractionHierarchy, ContractionSettings};
use crate::base::crew::{Wanted, Watch, Workers};
use crate::base::{Cancelled, NodeId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An edge between remaining nodes, seen from one of its ends.
///
/// The order of the fields is the order of edges in a row: the cheapest first,
/// which lets witness searches stop early, and then by head, which makes the
/// order the same in every build.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Edge {
    pub(super) cost: u32,
    pub(super) head: NodeId,
    /// The contracted node that a shortcut replaces, or [`Edge::NO_VIA`].
    pub(super) via: NodeId,
    /// Number of edges of the original graph that it stands for.
    hops: u32,
}

impl Edge {
    /// Via of an edge of the original graph. An `Option` would make the edge a
    /// quarter larger.
    pub(super) const NO_VIA: NodeId = NodeId::new(u32::MAX);

    /// The cost of this edge and another one together.
    #[inline]
    pub(super) const fn over(self, other: Self) -> u64 {
        self.cost as u64 + other.cost as u64
    }
}

/// Position of a node in the queue: its priority, then its id, so that ties are
/// broken the same way in every build.
type Place = (u64, NodeId);

/// Priority of a node that cannot be contracted, because a shortcut would cost
/// more than 32 bits hold.
const NEVER: u64 = u64::MAX;

/// Weights of the level, of shortcuts per removed edge, and of hops added per
/// hop removed. Found by trial: on game maps labels are shortest around here.
const LEVEL: u64 = 1000;
const SHORTCUTS: u64 = 1000;
const HOPS: u64 = 500;

/// Witness searches per node while its priority is estimated. The limit matters
/// for nodes with many neighbours only. Their priorities are estimated often,
/// and missed witnesses raise all of them alike.
const TRIAL_SEARCHES: usize = 8;

/// A round takes one in this many of the remaining nodes, but at least
/// `ROUND_LEAST`. Larger rounds refresh more priorities in vain, smaller ones
/// leave threads idle; the order is as good as that of contracting one by one.
const ROUND_SHARE: usize = 20;
const ROUND_LEAST: usize = 32;

/// Needless edges are removed each time a tenth of the nodes has gone, once
/// nodes have this many edges on average.
const TIDY_SHARE: usize = 10;
const TIDY_DEGREE: usize = 12;

/// Number of pairs of edges from which a task is worth starting threads for.
const LARGE_TASK: usize = 1 << 14;

/// A graph that is being contracted.
///
/// # Invariants
///
/// Between rounds:
/// 1. Distances between remaining nodes are those of the original graph.
/// 2. `rows` are sorted, and list each edge at both ends.
/// 3. Every remaining node is in `queue` exactly once.
/// 4. A priority is that of the current graph unless the node is `stale`.
pub(super) struct Contraction {
    settings: ContractionSettings,
    /// Edges between remaining nodes (1, 2); empty for contracted ones.
    rows: Vec<Vec<Edge>>,
    /// The edges that each contracted node had when it was contracted: those to
    /// more important nodes.
    upward: Vec<Vec<Edge>>,
    /// One more than the highest level of a contracted neighbour.
    levels: Vec<u32>,
    /// Priority of each node when it was last estimated (4).
    priorities: Vec<u64>,
    /// Whether a neighbour has been contracted since (4).
    stale: Vec<bool>,
    queue: BinaryHeap<Reverse<Place>>, // (3)
    /// Position of each node in this round; [`STAYS`] between rounds.
    turns: Vec<u32>,
    /// Contracted nodes, in order.
    order: Vec<NodeId>,
    /// Number of remaining edges, counted at both ends.
    edge_count: usize,
    /// Number of remaining nodes at which needless edges are removed next.
    next_tidying: usize,
    /// Number of edges examined so far.
    work: u64,
}

/// The threads of a contraction, and whether its result is still wanted.
struct Team<'w> {
    witnesses: Workers<Witness>,
    wanted: Wanted<'w>,
}

impl Contraction {
    /// Begins with the whole graph.
    pub(super) fn new(rows: Rows, settings: ContractionSettings) -> Self {
        let nodes = rows.len();
        let edge = |(head, cost)| Edge { cost, head, via: Edge::NO_VIA, hops: 1 };
        let mut rows: Vec<Vec<Edge>> =
            rows.into_iter().map(|row| row.into_iter().map(edge).collect()).collect();
        for row in &mut rows {
            row.sort_unstable();
        }
        Self {
            settings,
            upward: vec![Vec::new(); nodes],
            levels: vec![0; nodes],
            priorities: vec![0; nodes],
            stale: vec![false; nodes],
            queue: BinaryHeap::with_capacity(nodes),
            turns: vec![STAYS; nodes],
            order: Vec::with_capacity(nodes),
            edge_count: rows.iter().map(Vec::len).sum(),
            next_tidying: nodes,
            work: 0,
            rows,
        }
    }

    /// Contracts until no node is left or a limit is reached.
    pub(super) fn run(mut self, threads: usize, watch: Watch<'_>) -> Result<ContractionHierarchy, Cancelled> {
        let nodes = self.rows.len();
        let witnesses = Workers::new(threads, || Witness::new(nodes));
        let team = &mut Team { witnesses, wanted: watch.wanted };
        let all: Vec<NodeId> = (0..nodes as u32).map(NodeId::new).collect();
        self.estimate(&all, team)?;
        self.queue = all.into_iter().map(|node| Reverse((self.priorities[node.index()], node))).collect();
        while !self.is_over() {
            self.tidy(team)?;
            self.round(team)?;
            if self.left() > 0 {
                (watch.progress)(self.order.len(), nodes);
            }
        }
        // All at once, because a core that stays is work that need not be done.
        if nodes > 0 {
            (watch.progress)(nodes, nodes);
        }
        Ok(self.finish())
    }

    /// Number of remaining nodes.
    fn left(&self) -> usize {
        self.rows.len() - self.order.len()
    }

    /// Whether all nodes are contracted, none can be, or a limit is reached.
    fn is_over(&self) -> bool {
        let most = u128::from(self.settings.core_degree) * self.left() as u128;
        let stuck = self.queue.peek().is_none_or(|Reverse((priority, _))| *priority == NEVER);
        stuck || self.edge_count as u128 > most || self.work > self.settings.most_work
    }

    /// Contracts an independent set of the least important nodes.
    fn round(&mut self, team: &mut Team<'_>) -> Result<(), Cancelled> {
        let batch = self.take_batch();
        let stale: Vec<NodeId> = batch.iter().copied().filter(|node| self.stale[node.index()]).collect();
        self.estimate(&stale, team)?;
        let chosen = self.choose(batch);
        let plans = self.plan(&chosen, team)?;
        for (&node, plan) in chosen.iter().zip(&plans) {
            self.turns[node.index()] = STAYS;
            // The estimate may have missed a pair whose shortcut is too dear.
            if self.fits(node, plan) {
                self.contract(node, plan);
            } else {
                self.priorities[node.index()] = NEVER;
                self.queue.push(Reverse((NEVER, node)));
            }
        }
        Ok(())
    }

    /// Takes the first nodes of the queue.
    fn take_batch(&mut self) -> Vec<NodeId> {
        let size = (self.left() / ROUND_SHARE).max(ROUND_LEAST);
        let first = std::iter::from_fn(|| self.queue.pop());
        first.take(size).map(|Reverse((_, node))| node).collect()
    }

    /// Gives a turn to each node of a batch that is still less important than
    /// everything in the queue and has no neighbour with a turn. Puts the others
    /// back into the queue.
    fn choose(&mut self, mut batch: Vec<NodeId>) -> Vec<NodeId> {
        let next = self.queue.peek().map(|Reverse(place)| *place);
        batch.sort_unstable_by_key(|&node| (self.priorities[node.index()], node));
        let mut chosen = Vec::new();
        for node in batch {
            let place = (self.priorities[node.index()], node);
            let stays = |edge: &Edge| self.turns[edge.head.index()] == STAYS;
            let goes = place.0 < NEVER && next.is_none_or(|next| place < next);
            if goes && self.rows[node.index()].iter().all(stays) {
                chosen.push(node);
                self.turns[node.index()] = chosen.len() as u32;
            } else {
                self.queue.push(Reverse(place));
            }
        }
        chosen
    }

    /// Refreshes the priorities of some nodes.
    fn estimate(&mut self, nodes: &[NodeId], team: &mut Team<'_>) -> Result<(), Cancelled> {
        let found = self.share(nodes, team, Self::priority)?;
        for (&node, priority) in nodes.iter().zip(found) {
            self.priorities[node.index()] = priority;
            self.stale[node.index()] = false;
        }
        Ok(())
    }

    /// Finds the shortcuts that each of some nodes needs when its turn comes.
    fn plan(&mut self, nodes: &[NodeId], team: &mut Team<'_>) -> Result<Vec<Vec<EdgePair>>, Cancelled> {
        let effort = Effort { settled: self.settings.proof, searches: usize::MAX };
        self.share(nodes, team, |contraction, node, witness| {
            witness.shortcuts(contraction.rest(), node, effort).to_vec()
        })
    }

    /// Returns the result of `work` for every node, in order. Uses all threads if
    /// the task is large.
    fn share<T: Send>(
        &mut self,
        nodes: &[NodeId],
        team: &mut Team<'_>,
        work: impl Fn(&Self, NodeId, &mut Witness) -> T + Sync,
    ) -> Result<Vec<T>, Cancelled> {
        let pairs = |&node: &NodeId| self.rows[node.index()].len().pow(2);
        let alone = nodes.iter().map(pairs).sum::<usize>() < LARGE_TASK;
        let made = team.witnesses.try_map(nodes.len(), alone, team.wanted, |piece, witness| {
            let made = work(self, nodes[piece], witness);
            (made, witness.take_work())
        })?;
        // Work is summed per node and not per thread: the sum must not depend on
        // how nodes were distributed, because a limit on it shapes the result.
        self.work += made.iter().map(|(_, work)| work).sum::<u64>();
        Ok(made.into_iter().map(|(made, _)| made).collect())
    }

    fn rest(&self) -> Rest<'_> {
        Rest { rows: &self.rows, turns: &self.turns }
    }

    /// The importance of a node: how high it would be, how many shortcuts it
    /// would need for the edges it removes, and how long these would be.
    fn priority(&self, node: NodeId, witness: &mut Witness) -> u64 {
        let row = &self.rows[node.index()];
        let effort = Effort { settled: self.settings.trial, searches: TRIAL_SEARCHES };
        let shortcuts = witness.shortcuts(self.rest(), node, effort);
        if !self.fits(node, shortcuts) {
            return NEVER;
        }
        let count = shortcuts.len() as u64;
        let hops = |edge: &Edge| u64::from(edge.hops);
        let added: u64 = shortcuts.iter().map(|pair| pair.edges(row).iter().map(hops).sum::<u64>()).sum();
        let removed: u64 = row.iter().map(hops).sum();
        LEVEL * u64::from(self.levels[node.index()])
            + SHORTCUTS * count / (row.len() as u64).max(1)
            + HOPS * added / removed.max(1)
    }

    /// Whether the cost of every one of these shortcuts fits into 32 bits.
    fn fits(&self, node: NodeId, shortcuts: &[EdgePair]) -> bool {
        let row = &self.rows[node.index()];
        shortcuts.iter().all(|pair| {
            let [one, other] = pair.edges(row);
            one.over(other) <= u32::MAX.into()
        })
    }

    /// Removes a node and adds its shortcuts.
    fn contract(&mut self, node: NodeId, shortcuts: &[EdgePair]) {
        let row = std::mem::take(&mut self.rows[node.index()]);
        self.edge_count -= 2 * row.len();
        let level = self.levels[node.index()] + 1;
        for edge in &row {
            let head = edge.head.index();
            self.rows[head].retain(|back| back.head != node);
            self.levels[head] = self.levels[head].max(level);
            self.stale[head] = true;
        }
        for pair in shortcuts {
            let [one, other] = pair.edges(&row);
            let shortcut = Edge {
                cost: one.cost + other.cost,
                head: other.head,
                via: node,
                hops: one.hops.saturating_add(other.hops),
            };
            self.add(one.head, shortcut);
            self.add(other.head, Edge { head: one.head, ..shortcut });
        }
        self.upward[node.index()] = row;
        self.order.push(node);
    }

    /// Adds an edge to one row, unless it has one to the same node at no higher
    /// cost. Replaces a dearer one.
    fn add(&mut self, from: NodeId, edge: Edge) {
        let row = &mut self.rows[from.index()];
        if let Some(known) = row.iter().position(|known| known.head == edge.head) {
            if row[known].cost <= edge.cost {
                return;
            }
            row.remove(known);
            self.edge_count -= 1;
        }
        let place = row.partition_point(|other| *other < edge);
        row.insert(place, edge);
        self.edge_count += 1;
    }

    /// Removes edges that two cheaper ones replace, from time to time. They come
    /// from witness searches that gave up too early, and every one of them breeds
    /// more shortcuts.
    fn tidy(&mut self, team: &mut Team<'_>) -> Result<(), Cancelled> {
        let left = self.left();
        if left > self.next_tidying || self.edge_count < TIDY_DEGREE * left {
            return Ok(());
        }
        self.next_tidying = left - left / TIDY_SHARE - 1;
        let nodes: Vec<NodeId> = self.nodes().filter(|node| !self.rows[node.index()].is_empty()).collect();
        let needless =
            self.share(&nodes, team, |contraction, node, witness| witness.needless(&contraction.rows, node))?;
        for (&node, heads) in nodes.iter().zip(needless) {
            self.edge_count -= 2 * heads.len();
            for &head in &heads {
                self.rows[head.index()].retain(|back| back.head != node);
            }
            self.rows[node.index()].retain(|edge| !heads.contains(&edge.head));
        }
        Ok(())
    }

    /// All nodes of the original graph.
    fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.rows.len() as u32).map(NodeId::new)
    }

    /// The finished hierarchy. The remaining nodes are its core, in the order of
    /// their ids; contracted nodes follow, the last one first.
    fn finish(mut self) -> ContractionHierarchy {
        let mut is_core = vec![true; self.rows.len()];
        for &node in &self.order {
            is_core[node.index()] = false;
        }
        let mut nodes: Vec<NodeId> = self.nodes().filter(|node| is_core[node.index()]).collect();
        let core_size = nodes.len() as u32;
        for &node in &nodes {
            self.upward[node.index()] = std::mem::take(&mut self.rows[node.index()]);
        }
        nodes.extend(self.order.iter().rev());
        ContractionHierarchy::assemble(&nodes, core_size, &self.upward)
    }
}
