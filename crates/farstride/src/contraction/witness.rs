//! Witness searches: is there a path around a node that is as short?

use super::contract::Edge;
use crate::base::NodeId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The remaining graph, and the nodes that leave it in the current round.
#[derive(Clone, Copy)]
pub(super) struct Rest<'g> {
    /// Edges of each node, the cheapest first.
    pub(super) rows: &'g [Vec<Edge>],
    /// Position of each node among those contracted in this round, from 1;
    /// [`STAYS`] for all others.
    pub(super) turns: &'g [u32],
}

/// The turn of a node that is not contracted in this round.
pub(super) const STAYS: u32 = u32::MAX;

/// The node that a witness must avoid.
///
/// A witness must also avoid the nodes with an earlier turn in the same round:
/// they will be gone when this node is contracted. Nodes with a later turn may
/// be used. So every plan is right for its own turn although all nodes of a
/// round are planned at once, on any number of threads.
#[derive(Clone, Copy)]
struct Middle {
    node: NodeId,
    turn: u32,
}

impl Rest<'_> {
    fn middle(&self, node: NodeId) -> Middle {
        let turn = self.turns[node.index()];
        // Priorities are estimated between rounds, when nobody is leaving.
        Middle { node, turn: if turn == STAYS { 0 } else { turn } }
    }

    fn is_open(&self, node: NodeId, around: Middle) -> bool {
        node != around.node && self.turns[node.index()] > around.turn
    }

    fn row(&self, node: NodeId) -> &[Edge] {
        &self.rows[node.index()]
    }
}

/// Two edges of the same node, by their positions in its row: a path over the
/// node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EdgePair {
    one: u32,
    other: u32,
}

impl EdgePair {
    /// The two edges in the row of their node.
    #[inline]
    pub(super) fn edges(self, row: &[Edge]) -> [Edge; 2] {
        [row[self.one as usize], row[self.other as usize]]
    }

    /// The edge that is paired with the one at `position`, if any is.
    #[inline]
    fn partner_of(self, position: u32, row: &[Edge]) -> Option<Edge> {
        let [one, other] = self.edges(row);
        match position {
            _ if self.one == position => Some(other),
            _ if self.other == position => Some(one),
            _ => None,
        }
    }
}

/// How hard to look for witnesses.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Number of nodes that one search may settle.
    pub(super) settled: u32,
    /// Number of searches per node.
    pub(super) searches: usize,
}

/// Bits for a cost in a word. A witness costs at most the sum of two edges of 32
/// bits each.
const COST_BITS: u32 = 33;
const MOST_COST: u64 = (1 << COST_BITS) - 1;
const LAST_SEARCH: u64 = (1 << (64 - COST_BITS)) - 1;

/// Memory for witness searches; one per thread.
///
/// These searches have a loop of their own instead of
/// [`Problem::advance`](crate::search): rows are sorted by cost, so a node's
/// edges can be abandoned at the first that leads too far. A
/// [`Graph`](crate::graph::Graph), which hands out all arcs, cannot do that.
#[derive(Debug)]
pub(super) struct Witness {
    /// An upper bound of the cost to each node: the number of the search in the
    /// high bits, [`MOST_COST`] minus the cost in the low ones. A larger word is
    /// nearer, and a word of an earlier search is always smaller, so that nothing
    /// needs to be cleared and one comparison answers both questions.
    words: Vec<u64>,
    search: u64,
    open: BinaryHeap<Reverse<(u64, NodeId)>>,
    /// Pairs without a witness so far.
    pairs: Vec<EdgePair>,
    /// Pairs that a search found no witness for.
    shortcuts: Vec<EdgePair>,
    /// Number of pairs that each edge is part of.
    counts: Vec<u32>,
    /// Positions of edges, those in most pairs first.
    sources: Vec<u32>,
    /// Number of edges examined.
    work: u64,
}

impl Witness {
    /// Memory for a graph with this many nodes.
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            words: vec![0; nodes],
            search: 0,
            open: BinaryHeap::new(),
            pairs: Vec::new(),
            shortcuts: Vec::new(),
            counts: Vec::new(),
            sources: Vec::new(),
            work: 0,
        }
    }

    /// Returns the number of edges examined since the last call.
    pub(super) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// Returns the pairs of edges of `node` for which no witness was found: those
    /// that need a shortcut if the node is contracted.
    ///
    /// Witnesses of one or two edges are always found, longer ones as far as
    /// `effort` allows. A missed witness costs a needless shortcut, never a wrong
    /// distance.
    pub(super) fn shortcuts(&mut self, rest: Rest<'_>, node: NodeId, effort: Effort) -> &[EdgePair] {
        self.find_pairs(rest, node);
        self.shortcuts.clear();
        if effort.settled > 0 {
            self.order_sources(rest.row(node).len());
            let sources = std::mem::take(&mut self.sources);
            for &source in sources.iter().take(effort.searches) {
                self.settle_pairs(rest, node, source, effort.settled);
            }
            self.sources = sources;
        }
        self.shortcuts.append(&mut self.pairs);
        &self.shortcuts
    }

    /// Collects the pairs without a witness of one or two edges. Most pairs have
    /// one, and finding it takes no queue.
    fn find_pairs(&mut self, rest: Rest<'_>, node: NodeId) {
        let (row, middle) = (rest.row(node), rest.middle(node));
        self.pairs.clear();
        for (one, edge) in row.iter().enumerate() {
            self.begin();
            for next in rest.row(edge.head).iter().filter(|next| rest.is_open(next.head, middle)) {
                self.words[next.head.index()] = self.word(next.cost.into());
            }
            self.work += (rest.row(edge.head).len() + row.len()) as u64;
            for (other, to) in row.iter().enumerate().skip(one + 1) {
                let over = edge.over(*to);
                if !self.is_within(to.head, over) && !self.is_within_two(rest.row(to.head), over) {
                    self.pairs.push(EdgePair { one: one as u32, other: other as u32 });
                }
            }
        }
    }

    /// Whether a node with these edges is at most `over` away by way of one of
    /// its neighbours.
    #[inline]
    fn is_within_two(&mut self, row: &[Edge], over: u64) -> bool {
        let near = row.iter().take_while(|edge| u64::from(edge.cost) <= over);
        for (looked, edge) in near.enumerate() {
            if self.is_within(edge.head, over - u64::from(edge.cost)) {
                self.work += looked as u64;
                return true;
            }
        }
        self.work += row.len() as u64;
        false
    }

    /// Sorts the edges by the number of pairs they are part of. One search
    /// settles all pairs of its edge, so that the busiest edges first means the
    /// fewest searches.
    fn order_sources(&mut self, edges: usize) {
        let Self { pairs, counts, sources, .. } = self;
        counts.clear();
        counts.resize(edges, 0);
        for pair in &*pairs {
            counts[pair.one as usize] += 1;
            counts[pair.other as usize] += 1;
        }
        sources.clear();
        sources.extend((0..edges as u32).filter(|&edge| counts[edge as usize] > 0));
        // Ties by position: the order decides which pairs a limited effort
        // reaches, and with it the hierarchy.
        sources.sort_unstable_by_key(|&edge| (Reverse(counts[edge as usize]), edge));
    }

    /// Searches from the head of the edge at position `source`, and decides every
    /// pair that the edge is part of.
    fn settle_pairs(&mut self, rest: Rest<'_>, node: NodeId, source: u32, most: u32) {
        let row = rest.row(node);
        let from = row[source as usize];
        let partners = self.pairs.iter().filter_map(|pair| pair.partner_of(source, row));
        let (count, farthest) = partners.fold((0, 0), |(count, far), to| (count + 1, far.max(from.over(to))));
        if count == 0 {
            return; // searches from the other ends settled all of its pairs
        }
        self.search(rest, rest.middle(node), from.head, farthest, most);
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.retain(|pair| {
            let Some(to) = pair.partner_of(source, row) else { return true };
            if !self.is_within(to.head, from.over(to)) {
                self.shortcuts.push(*pair);
            }
            false
        });
        self.pairs = pairs;
    }

    /// Dijkstra's algorithm around a node: finds upper bounds of the costs from
    /// `from`, until `most` nodes are settled or all within `farthest`.
    fn search(&mut self, rest: Rest<'_>, around: Middle, from: NodeId, farthest: u64, most: u32) {
        self.begin();
        self.words[from.index()] = self.word(0);
        self.open.clear();
        self.open.push(Reverse((0, from)));
        let mut settled = 0;
        while let Some(Reverse((cost, node))) = self.open.pop() {
            if self.words[node.index()] > self.word(cost) {
                continue; // stale: the node was reached more cheaply after this push
            }
            settled += 1;
            if settled > most {
                return;
            }
            for edge in rest.row(node) {
                self.work += 1;
                let cost = cost + u64::from(edge.cost);
                if cost > farthest {
                    break;
                }
                if self.words[edge.head.index()] < self.word(cost) && rest.is_open(edge.head, around) {
                    self.words[edge.head.index()] = self.word(cost);
                    self.open.push(Reverse((cost, edge.head)));
                }
            }
        }
    }

    /// Forgets all costs, in O(1) until the number of searches wraps.
    fn begin(&mut self) {
        if self.search == LAST_SEARCH {
            self.words.fill(0);
            self.search = 0;
        }
        self.search += 1;
    }

    /// The word of a cost in the current search.
    #[inline]
    fn word(&self, cost: u64) -> u64 {
        self.search << COST_BITS | (MOST_COST - cost)
    }

    /// Whether the current search reached a node at this cost or less.
    #[inline]
    fn is_within(&self, node: NodeId, cost: u64) -> bool {
        self.words[node.index()] >= self.word(cost)
    }

    /// Returns the heads, with larger ids than `node`, of those edges of `node`
    /// that two cheaper edges replace at no higher cost.
    ///
    /// Each edge is judged at its end with the smaller id only.
    pub(super) fn needless(&mut self, rows: &[Vec<Edge>], node: NodeId) -> Vec<NodeId> {
        let row = &rows[node.index()];
        self.begin();
        for edge in row {
            self.words[edge.head.index()] = self.word(edge.cost.into());
        }
        self.work += row.len() as u64;
        // Both must be strictly cheaper than the edge they replace. Otherwise,
        // beside an edge that costs nothing, two edges could replace each other,
        // and removing both would cut the graph.
        let is_needless = |edge: &&Edge| {
            let cheaper = rows[edge.head.index()].iter().take_while(|other| other.cost < edge.cost);
            cheaper.clone().any(|other| {
                let rest = (edge.cost - other.cost).min(edge.cost - 1);
                self.is_within(other.head, rest.into())
            })
        };
        row.iter().filter(|edge| edge.head > node).filter(is_needless).map(|edge| edge.head).collect()
    }
}
