//! One connected piece cut in two.

use super::adjacency::{Adjacency, Edge};
use super::refine::Refiner;

/// A side may miss its share of the nodes by one part in so many, so that the cut
/// can be where few arcs are. It hardly matters how many (the partition record of
/// 2026-11-15 under `bench/runs`).
const SLACK: usize = 4;

/// The piece of nodes that a flood has seen, until it is over.
const SEEN: u32 = u32::MAX;

/// How many nodes the first side of a cut may have.
///
/// # Invariants
///
/// 1. `least` is at least 1, `most` below the nodes of the piece, and `aim` between
///    the two.
/// 2. Each side then fits into its half of the groups, the second into the larger.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideLimits {
    pub(super) least: usize,
    pub(super) aim: usize,
    pub(super) most: usize,
}

impl SideLimits {
    /// For a piece of `nodes` nodes that fits into `groups` groups of `most` nodes
    /// each but not into one, with at most as many groups as nodes.
    pub(super) fn new(nodes: usize, groups: usize, most: usize) -> Self {
        let (first, second) = (groups / 2, groups - groups / 2);
        let aim = (nodes as u64 * first as u64 / groups as u64) as usize;
        let slack = aim / SLACK;
        Self {
            least: (aim - slack).max(nodes.saturating_sub(second.saturating_mul(most))),
            aim,
            most: (aim + slack).min(first.saturating_mul(most)).min(nodes - 1),
        }
    }
}

/// Cuts pieces of a graph in two. Keeps its memory from one to the next.
pub(super) struct Bisector<'a> {
    graph: &'a Adjacency,
    /// Which piece each node is in; [`SEEN`] while a flood goes over it.
    piece: Vec<u32>,
    /// Three nodes of a piece far from each other.
    corners: [u32; 3],
    /// Steps to each node of the piece from each of its corners.
    steps: [Vec<u32>; 3],
    /// Place of each node of a piece in the order that is looked at.
    place: Vec<u32>,
    order: Vec<u32>,
    best: Vec<u32>,
    counts: Vec<u32>,
    pending: Vec<u32>,
    is_first: Vec<bool>,
    refiner: Refiner,
}

impl<'a> Bisector<'a> {
    /// Every node is in piece 0, whether connected or not.
    pub(super) fn new(graph: &'a Adjacency) -> Self {
        let nodes = graph.node_count();
        Self {
            graph,
            piece: vec![0; nodes],
            corners: [0; 3],
            steps: [(); 3].map(|()| vec![0; nodes]),
            place: vec![0; nodes],
            order: Vec::new(),
            best: Vec::new(),
            counts: Vec::new(),
            pending: Vec::new(),
            is_first: vec![false; nodes],
            refiner: Refiner::new(nodes),
        }
    }

    pub(super) fn piece(&self, node: u32) -> u32 {
        self.piece[node as usize]
    }

    pub(super) fn is_first(&self, node: u32) -> bool {
        self.is_first[node as usize]
    }

    pub(super) fn flip(&mut self, nodes: &[u32]) {
        for &node in nodes {
            self.is_first[node as usize] ^= true;
        }
    }

    /// Makes nodes one piece again.
    pub(super) fn join(&mut self, nodes: &[u32], to: u32) {
        for &node in nodes {
            self.piece[node as usize] = to;
        }
    }

    /// The nodes that hang together with `seed` on its side of its piece, depth
    /// first; they become the piece `to`.
    pub(super) fn split_off(&mut self, seed: u32, to: u32) -> Vec<u32> {
        let Self { graph, piece, is_first, pending, .. } = self;
        let (from, side) = (piece[seed as usize], is_first[seed as usize]);
        let mut nodes = Vec::new();
        pending.push(seed);
        while let Some(node) = pending.pop() {
            if piece[node as usize] == to {
                continue;
            }
            piece[node as usize] = to;
            nodes.push(node);
            let others = graph.edges(node).iter().map(|edge| edge.to);
            pending.extend(
                others.filter(|&other| piece[other as usize] == from && is_first[other as usize] == side),
            );
        }
        nodes
    }

    /// Puts every node of a piece on one of two sides, by the best of three
    /// orders, each from one far corner of the piece towards another, and then by
    /// moving nodes over the border. Sides may fall apart.
    pub(super) fn cut(&mut self, nodes: &[u32], limits: SideLimits) {
        self.measure(nodes);
        let mut least = u64::MAX;
        for (near, far) in [(0, 1), (0, 2), (1, 2)] {
            self.sort(nodes, near, far);
            let (cut, first) = self.sweep(limits);
            if cut < least {
                least = cut;
                self.best.clear();
                self.best.extend(&self.order[..first]);
            }
        }
        for &node in nodes {
            self.is_first[node as usize] = false;
        }
        for &node in &self.best {
            self.is_first[node as usize] = true;
        }
        let Self { graph, piece, is_first, refiner, best, .. } = self;
        refiner.refine(graph, piece, nodes, is_first, best.len(), limits);
    }

    /// Finds three nodes far from each other, and the steps from them to all.
    fn measure(&mut self, nodes: &[u32]) {
        let one = self.flood(nodes[0], 0);
        let other = self.flood(one, 0);
        self.flood(other, 1);
        let nearest = |&node: &u32| {
            let [one, other, _] = &self.steps;
            one[node as usize].min(other[node as usize])
        };
        let third = nodes.iter().copied().rev().max_by_key(nearest).unwrap_or(one);
        self.flood(third, 2);
        self.corners = [one, other, third];
    }

    /// Counts the steps from a node to all others of its piece; returns the one
    /// that is reached last.
    fn flood(&mut self, seed: u32, corner: usize) -> u32 {
        let Self { graph, piece, steps, order, .. } = self;
        let steps = &mut steps[corner];
        let here = piece[seed as usize];
        order.clear();
        order.push(seed);
        steps[seed as usize] = 0;
        let mut next = 0;
        piece[seed as usize] = SEEN;
        while let Some(&node) = order.get(next) {
            next += 1;
            for &Edge { to: other, .. } in graph.edges(node) {
                if piece[other as usize] == here {
                    piece[other as usize] = SEEN;
                    steps[other as usize] = steps[node as usize] + 1;
                    order.push(other);
                }
            }
        }
        for &node in &*order {
            piece[node as usize] = here;
        }
        order[order.len() - 1]
    }

    /// Orders nodes by how much nearer they are to one corner than to another.
    fn sort(&mut self, nodes: &[u32], near: usize, far: usize) {
        let Self { corners, steps, order, counts, place, .. } = self;
        // By so much the two distances differ at most.
        let between = steps[near][corners[far] as usize];
        let (near, far) = (&steps[near], &steps[far]);
        let key = |node: u32| (near[node as usize] + between - far[node as usize]) as usize;
        counts.clear();
        counts.resize(2 * between as usize + 2, 0);
        for &node in nodes {
            counts[key(node) + 1] += 1;
        }
        for at in 1..counts.len() {
            counts[at] += counts[at - 1];
        }
        order.resize(nodes.len(), 0);
        for &node in nodes {
            let at = &mut counts[key(node)];
            order[*at as usize] = node;
            place[node as usize] = *at;
            *at += 1;
        }
    }

    /// The least weight of edges that a first side made of the first nodes in order
    /// can cut, and how many nodes those are; the nearer to the aim the better.
    fn sweep(&self, limits: SideLimits) -> (u64, usize) {
        let here = self.piece(self.order[0]);
        let mut cut = 0_i64;
        let mut best = (i64::MAX, usize::MAX, limits.aim);
        for (at, &node) in self.order[..limits.most].iter().enumerate() {
            for &Edge { to: other, weight } in self.graph.edges(node) {
                if self.piece(other) == here {
                    let is_before = self.place[other as usize] < at as u32;
                    cut += if is_before { -i64::from(weight) } else { i64::from(weight) };
                }
            }
            let first = at + 1;
            if first >= limits.least {
                best = best.min((cut, first.abs_diff(limits.aim), first));
            }
        }
        (best.0 as u64, best.2)
    }
}
