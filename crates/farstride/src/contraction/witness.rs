//! Looking for ways around a node.

use super::contract::Edge;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is left of a graph, and who must not be walked through.
#[derive(Clone, Copy)]
pub(super) struct Rest<'g> {
    /// Edges of each node, the shortest first.
    pub(super) rows: &'g [Vec<Edge>],
    /// When each node is contracted in this round, from 1; [`STAYS`] if it is
    /// not.
    pub(super) turns: &'g [u32],
}

/// The turn of a node that is not contracted in this round.
pub(super) const STAYS: u32 = u32::MAX;

/// A node that ways must lead around: those contracted before it in the same
/// round are gone by then.
#[derive(Clone, Copy)]
struct Middle {
    node: u32,
    turn: u32,
}

impl Rest<'_> {
    fn middle(&self, node: u32) -> Middle {
        let turn = self.turns[node as usize];
        Middle { node, turn: if turn == STAYS { 0 } else { turn } }
    }

    fn is_open(&self, node: u32, around: Middle) -> bool {
        node != around.node && self.turns[node as usize] > around.turn
    }

    fn row(&self, node: u32) -> &[Edge] {
        &self.rows[node as usize]
    }
}

/// How hard a search around a node tries.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Nodes that a search may settle.
    pub(super) settled: u32,
    /// Searches that may be made.
    pub(super) searches: usize,
}

/// Bits for a cost in a word: the sum of two edges, or a witness no longer.
const COST_BITS: u32 = 33;
const MOST_COST: u64 = (1 << COST_BITS) - 1;
const LAST_SEARCH: u64 = (1 << (64 - COST_BITS)) - 1;

/// Memory for searches around nodes.
///
/// These have a loop of their own: rows are sorted, so that a node's edges are
/// left at the first that leads too far, which a [`crate::graph::Graph`] that
/// hands out all arcs cannot do.
#[derive(Debug)]
pub(super) struct Witness {
    /// How far each node is at most: the number of the search, then how far the
    /// cost lies below [`MOST_COST`]. What is left of earlier searches is always
    /// farther.
    words: Vec<u64>,
    search: u64,
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// Pairs of edges, by their places, with no way around found yet.
    pairs: Vec<(u32, u32)>,
    /// The same that remain.
    shortcuts: Vec<(u32, u32)>,
    /// In how many pairs each edge is.
    counts: Vec<u32>,
    /// Edges by that.
    sources: Vec<u32>,
    /// Edges looked at.
    work: u64,
}

impl Witness {
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

    /// Edges looked at since this was asked last.
    pub(super) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// The pairs of edges of a node, by their places, between whose heads no way
    /// around it was found that is as short: by one or two edges, or by searches.
    pub(super) fn shortcuts(&mut self, rest: Rest<'_>, node: u32, effort: Effort) -> &[(u32, u32)] {
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

    /// Finds the pairs that one or two other edges do not make up for.
    fn find_pairs(&mut self, rest: Rest<'_>, node: u32) {
        let (row, middle) = (rest.row(node), rest.middle(node));
        self.pairs.clear();
        for (one, edge) in row.iter().enumerate() {
            self.begin();
            for next in rest.row(edge.head).iter().filter(|next| rest.is_open(next.head, middle)) {
                self.words[next.head as usize] = self.word(next.cost.into());
            }
            self.work += (rest.row(edge.head).len() + row.len()) as u64;
            for (other, to) in row.iter().enumerate().skip(one + 1) {
                let over = edge.over(*to);
                if !self.is_within(to.head, over) && !self.is_within_two(rest.row(to.head), over) {
                    self.pairs.push((one as u32, other as u32));
                }
            }
        }
    }

    /// Whether a node with these edges is reached over one of its neighbours.
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

    /// Puts the edges in the order of how many pairs they are in: few searches
    /// then settle all of them.
    fn order_sources(&mut self, edges: usize) {
        let Self { pairs, counts, sources, .. } = self;
        counts.clear();
        counts.resize(edges, 0);
        for &(one, other) in &*pairs {
            counts[one as usize] += 1;
            counts[other as usize] += 1;
        }
        sources.clear();
        sources.extend((0..edges as u32).filter(|&edge| counts[edge as usize] > 0));
        sources.sort_unstable_by_key(|&edge| (Reverse(counts[edge as usize]), edge));
    }

    /// Searches from the head of an edge for all that it is in a pair with.
    fn settle_pairs(&mut self, rest: Rest<'_>, node: u32, source: u32, most: u32) {
        let row = rest.row(node);
        let partner = |&(one, other): &(u32, u32)| match source {
            _ if one == source => Some(row[other as usize]),
            _ if other == source => Some(row[one as usize]),
            _ => None,
        };
        let from = row[source as usize];
        let partners = self.pairs.iter().filter_map(partner);
        let (count, farthest) = partners.fold((0, 0), |(count, far), to| (count + 1, far.max(from.over(to))));
        if count == 0 {
            return;
        }
        self.search(rest, rest.middle(node), from.head, farthest, most);
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.retain(|pair| {
            let Some(to) = partner(pair) else { return true };
            if !self.is_within(to.head, from.over(to)) {
                self.shortcuts.push(*pair);
            }
            false
        });
        self.pairs = pairs;
    }

    /// Finds out how far nodes are from one, as far as `farthest`.
    fn search(&mut self, rest: Rest<'_>, around: Middle, from: u32, farthest: u64, most: u32) {
        self.begin();
        self.words[from as usize] = self.word(0);
        self.open.clear();
        self.open.push(Reverse((0, from)));
        let mut settled = 0;
        while let Some(Reverse((cost, node))) = self.open.pop() {
            if self.words[node as usize] > self.word(cost) {
                continue; // reached by a shorter way after this push
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
                if self.words[edge.head as usize] < self.word(cost) && rest.is_open(edge.head, around) {
                    self.words[edge.head as usize] = self.word(cost);
                    self.open.push(Reverse((cost, edge.head)));
                }
            }
        }
    }

    fn begin(&mut self) {
        if self.search == LAST_SEARCH {
            self.words.fill(0);
            self.search = 0;
        }
        self.search += 1;
    }

    /// The word of a cost in this search.
    #[inline]
    fn word(&self, cost: u64) -> u64 {
        self.search << COST_BITS | (MOST_COST - cost)
    }

    /// Whether a node is known to be no farther.
    #[inline]
    fn is_within(&self, node: u32, cost: u64) -> bool {
        self.words[node as usize] >= self.word(cost)
    }

    /// The heads of edges of a node, to larger numbers, that two shorter edges
    /// make up for.
    pub(super) fn needless(&mut self, rows: &[Vec<Edge>], node: u32) -> Vec<u32> {
        let row = &rows[node as usize];
        self.begin();
        for edge in row {
            self.words[edge.head as usize] = self.word(edge.cost.into());
        }
        self.work += row.len() as u64;
        // Both shorter: so no two edges make up for each other.
        let is_needless = |edge: &&Edge| {
            let shorter = rows[edge.head as usize].iter().take_while(|other| other.cost < edge.cost);
            shorter.clone().any(|other| {
                let rest = (edge.cost - other.cost).min(edge.cost - 1);
                self.is_within(other.head, rest.into())
            })
        };
        row.iter().filter(|edge| edge.head > node).filter(is_needless).map(|edge| edge.head).collect()
    }
}
