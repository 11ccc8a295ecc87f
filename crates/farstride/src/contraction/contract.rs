//! Contracting round by round.

use super::witness::{Effort, Rest, STAYS, Witness};
use super::{ContractionHierarchy, Settings, UpArc};
use crate::base::crew::{Watch, Workers};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An edge between nodes that are left, as seen from one of its ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Edge {
    pub(super) cost: u32,
    pub(super) head: u32,
    /// The node that a shortcut leads over, or [`UpArc::NONE`].
    via: u32,
    /// How many edges of the original graph it stands for.
    hops: u32,
}

impl Edge {
    /// The cost of this edge and another one together.
    #[inline]
    pub(super) const fn over(self, other: Self) -> u64 {
        self.cost as u64 + other.cost as u64
    }

    const fn arc(&self) -> UpArc {
        UpArc { head: self.head, cost: self.cost, via: self.via }
    }
}

/// How little a node matters, and its number: the least goes first.
type Place = (u64, u32);

/// Priority of a node that cannot be contracted: a shortcut would cost more than
/// 32 bits hold.
const NEVER: u64 = u64::MAX;

/// What a level, a shortcut per edge and a hop per hop weigh in a priority.
/// Found by trying: the labels of game maps are shortest around here.
const LEVEL: u64 = 1000;
const SHORTCUTS: u64 = 1000;
const HOPS: u64 = 500;

/// Searches that are made when a node is judged. Nodes with so many neighbours
/// that this matters are judged often, and all too severely alike.
const TRIAL_SEARCHES: usize = 8;

/// Share of the nodes left that a round looks at, and how many at least. Larger
/// rounds judge more nodes in vain, smaller ones keep threads waiting; the order
/// is as good as if nodes were taken one by one.
const ROUND_SHARE: usize = 20;
const ROUND_LEAST: usize = 32;

/// Edges are looked over when a tenth of the nodes has gone since the last time,
/// once nodes have so many on average.
const TIDY_SHARE: usize = 10;
const TIDY_DEGREE: usize = 12;

/// Pairs of edges in a task from which on other threads help.
const LARGE_TASK: usize = 1 << 14;

/// A graph that is being contracted.
pub(super) struct Contraction {
    settings: Settings,
    /// Edges between nodes that are left, the shortest first.
    rows: Vec<Vec<Edge>>,
    /// Arcs of nodes that are contracted.
    arcs: Vec<Vec<UpArc>>,
    /// One more than the highest level of a contracted neighbour.
    levels: Vec<u32>,
    /// The priority of each node when it was judged.
    priorities: Vec<u64>,
    /// Whether a neighbour was contracted since.
    stale: Vec<bool>,
    queue: BinaryHeap<Reverse<Place>>,
    /// When each node is contracted in this round.
    turns: Vec<u32>,
    /// Contracted nodes in order.
    order: Vec<u32>,
    /// Edges that are left, counted from both ends.
    edge_count: usize,
    /// How many nodes are left when edges are looked over again.
    next_tidying: usize,
    /// Edges looked at.
    work: u64,
}

impl Contraction {
    pub(super) fn new(rows: Vec<Vec<(u32, u32)>>, settings: Settings) -> Self {
        let nodes = rows.len();
        let edge = |(head, cost)| Edge { cost, head, via: UpArc::NONE, hops: 1 };
        let mut rows: Vec<Vec<Edge>> =
            rows.into_iter().map(|row| row.into_iter().map(edge).collect()).collect();
        for row in &mut rows {
            row.sort_unstable();
        }
        Self {
            settings,
            arcs: vec![Vec::new(); nodes],
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

    pub(super) fn run(mut self, threads: usize, watch: Watch<'_>) -> ContractionHierarchy {
        let nodes = self.rows.len();
        let workers = &mut Workers::new(threads, || Witness::new(nodes));
        let all: Vec<u32> = (0..nodes as u32).collect();
        self.judge(&all, workers);
        self.queue = all.into_iter().map(|node| Reverse((self.priorities[node as usize], node))).collect();
        while !self.is_over() && (watch.wanted)() {
            self.tidy(workers);
            self.round(workers);
            (watch.progress)(self.order.len(), nodes);
        }
        self.finish()
    }

    fn left(&self) -> usize {
        self.rows.len() - self.order.len()
    }

    /// Whether all nodes are contracted, or no more shall or can be.
    fn is_over(&self) -> bool {
        let most = u128::from(self.settings.core_degree) * self.left() as u128;
        let stuck = self.queue.peek().is_none_or(|Reverse((priority, _))| *priority == NEVER);
        stuck || self.edge_count as u128 > most || self.work > self.settings.most_work
    }

    /// Takes the nodes that matter least, judges them again if need be, and
    /// contracts those that still matter least and are no neighbours.
    fn round(&mut self, workers: &mut Workers<Witness>) {
        let mut batch = self.take_batch();
        let next = self.queue.peek().map(|Reverse(place)| *place);
        let stale: Vec<u32> = batch.iter().copied().filter(|&node| self.stale[node as usize]).collect();
        self.judge(&stale, workers);
        batch.sort_unstable_by_key(|&node| (self.priorities[node as usize], node));
        let mut chosen = Vec::new();
        for node in batch {
            let place = (self.priorities[node as usize], node);
            let is_free = |edge: &Edge| self.turns[edge.head as usize] == STAYS;
            let goes = place.0 < NEVER && next.is_none_or(|next| place < next);
            if goes && self.rows[node as usize].iter().all(is_free) {
                chosen.push(node);
                self.turns[node as usize] = chosen.len() as u32;
            } else {
                self.queue.push(Reverse(place));
            }
        }
        let plans = self.plan(&chosen, workers);
        for (&node, plan) in chosen.iter().zip(&plans) {
            self.turns[node as usize] = STAYS;
            if self.fits(node, plan) {
                self.contract(node, plan);
            } else {
                self.priorities[node as usize] = NEVER;
                self.queue.push(Reverse((NEVER, node)));
            }
        }
    }

    /// The first nodes of the queue.
    fn take_batch(&mut self) -> Vec<u32> {
        let size = (self.left() / ROUND_SHARE).max(ROUND_LEAST);
        let first = std::iter::from_fn(|| self.queue.pop());
        first.take(size).map(|Reverse((_, node))| node).collect()
    }

    /// Finds the priorities of some nodes.
    fn judge(&mut self, nodes: &[u32], workers: &mut Workers<Witness>) {
        let found = self.share(nodes, workers, Self::priority);
        for (&node, priority) in nodes.iter().zip(found) {
            self.priorities[node as usize] = priority;
            self.stale[node as usize] = false;
        }
    }

    /// Finds the shortcuts that some nodes need when they are contracted in
    /// turn.
    fn plan(&mut self, nodes: &[u32], workers: &mut Workers<Witness>) -> Vec<Vec<(u32, u32)>> {
        let effort = Effort { settled: self.settings.proof, searches: usize::MAX };
        self.share(nodes, workers, |contraction, node, witness| {
            witness.shortcuts(contraction.rest(), node, effort).to_vec()
        })
    }

    /// What `work` makes of every node, on all threads if there is much to do.
    fn share<T: Send>(
        &mut self,
        nodes: &[u32],
        workers: &mut Workers<Witness>,
        work: impl Fn(&Self, u32, &mut Witness) -> T + Sync,
    ) -> Vec<T> {
        let pairs = |&node: &u32| self.rows[node as usize].len().pow(2);
        let alone = nodes.iter().map(pairs).sum::<usize>() < LARGE_TASK;
        let made = workers.map(nodes.len(), alone, |piece, witness| {
            let made = work(self, nodes[piece], witness);
            (made, witness.take_work())
        });
        self.work += made.iter().map(|(_, work)| work).sum::<u64>();
        made.into_iter().map(|(made, _)| made).collect()
    }

    fn rest(&self) -> Rest<'_> {
        Rest { rows: &self.rows, turns: &self.turns }
    }

    fn priority(&self, node: u32, witness: &mut Witness) -> u64 {
        let row = &self.rows[node as usize];
        let hops = |edge: u32| u64::from(row[edge as usize].hops);
        let effort = Effort { settled: self.settings.trial, searches: TRIAL_SEARCHES };
        let shortcuts = witness.shortcuts(self.rest(), node, effort);
        if !self.fits(node, shortcuts) {
            return NEVER;
        }
        let count = shortcuts.len() as u64;
        let added: u64 = shortcuts.iter().map(|&(one, other)| hops(one) + hops(other)).sum();
        let removed: u64 = row.iter().map(|edge| u64::from(edge.hops)).sum();
        LEVEL * u64::from(self.levels[node as usize])
            + SHORTCUTS * count / (row.len() as u64).max(1)
            + HOPS * added / removed.max(1)
    }

    /// Whether no shortcut of a node would cost too much.
    fn fits(&self, node: u32, shortcuts: &[(u32, u32)]) -> bool {
        let row = &self.rows[node as usize];
        let over = |&(one, other): &(u32, u32)| row[one as usize].over(row[other as usize]);
        shortcuts.iter().all(|pair| over(pair) <= u32::MAX.into())
    }

    /// Takes a node out and puts in its shortcuts.
    fn contract(&mut self, node: u32, shortcuts: &[(u32, u32)]) {
        let row = std::mem::take(&mut self.rows[node as usize]);
        self.edge_count -= 2 * row.len();
        let level = self.levels[node as usize] + 1;
        for edge in &row {
            let head = edge.head as usize;
            self.rows[head].retain(|back| back.head != node);
            self.levels[head] = self.levels[head].max(level);
            self.stale[head] = true;
        }
        for &(one, other) in shortcuts {
            let (one, other) = (row[one as usize], row[other as usize]);
            let shortcut = Edge {
                cost: one.cost + other.cost,
                head: other.head,
                via: node,
                hops: one.hops.saturating_add(other.hops),
            };
            self.add(one.head, shortcut);
            self.add(other.head, Edge { head: one.head, ..shortcut });
        }
        self.arcs[node as usize] = row.iter().map(Edge::arc).collect();
        self.order.push(node);
    }

    /// Adds an edge in place of a longer one to the same node.
    fn add(&mut self, from: u32, edge: Edge) {
        let row = &mut self.rows[from as usize];
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

    /// Removes edges that two shorter ones make up for, from time to time: where
    /// searches gave up too early, shortcuts breed more of them.
    fn tidy(&mut self, workers: &mut Workers<Witness>) {
        let left = self.left();
        if left > self.next_tidying || self.edge_count < TIDY_DEGREE * left {
            return;
        }
        self.next_tidying = left - left / TIDY_SHARE - 1;
        let nodes: Vec<u32> =
            (0..self.rows.len() as u32).filter(|&node| !self.rows[node as usize].is_empty()).collect();
        let needless = self
            .share(&nodes, workers, |contraction, node, witness| witness.needless(&contraction.rows, node));
        for (&node, heads) in nodes.iter().zip(needless) {
            self.edge_count -= 2 * heads.len();
            for &head in &heads {
                self.rows[head as usize].retain(|back| back.head != node);
            }
            self.rows[node as usize].retain(|edge| !heads.contains(&edge.head));
        }
    }

    /// The hierarchy; what is left is its core.
    fn finish(mut self) -> ContractionHierarchy {
        let mut is_core = vec![true; self.rows.len()];
        for &node in &self.order {
            is_core[node as usize] = false;
        }
        let mut nodes: Vec<u32> =
            (0..self.rows.len() as u32).filter(|&node| is_core[node as usize]).collect();
        let core_size = nodes.len() as u32;
        for &node in &nodes {
            self.arcs[node as usize] = self.rows[node as usize].iter().map(Edge::arc).collect();
        }
        nodes.extend(self.order.iter().rev());
        ContractionHierarchy::assemble(nodes, core_size, &self.arcs)
    }
}
