//! Cutting one connected piece in two.

use super::adjacency::{Adjacency, Edge};
use super::refine::Refiner;

/// A side may miss its share of the nodes by one in this many, so that the cut can be
/// where few arcs are. The exact value hardly matters (the partition record of
/// 2026-11-15 under `bench/runs`).
const SLACK: usize = 4;

/// A piece of the graph. Nodes are plain numbers in this module, and must not be mixed
/// up with pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceId(u32);

impl PieceId {
    /// Every node before the first piece is split off.
    pub(super) const WHOLE_GRAPH: Self = Self(0);
    /// The piece of nodes that a flood has seen, until it is over.
    const SEEN: Self = Self(u32::MAX);

    pub(super) const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// How many nodes the first side of a cut may have.
///
/// # Invariants
///
/// 1. `least` is at least 1, `most` is below the number of nodes, and `aim` is between
///    the two.
/// 2. With these, each side fits into its half of the groups. If their number is odd,
///    the second side has the larger half.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideLimits {
    pub(super) least: usize,
    pub(super) aim: usize,
    pub(super) most: usize,
}

impl SideLimits {
    /// Limits for a piece of `nodes` nodes that fits into `groups` groups of `most`
    /// nodes each, but not into one, and with at most as many groups as nodes.
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

/// Cuts pieces in two. Reuses its memory from piece to piece.
pub(super) struct Bisector<'a> {
    graph: &'a Adjacency,
    /// The piece of each node; [`PieceId::SEEN`] while a flood passes over it.
    piece: Vec<PieceId>,
    /// Three nodes of the piece that are far from each other.
    corners: [u32; 3],
    /// The number of steps from each corner to each node of the piece.
    steps: [Vec<u32>; 3],
    /// The position of each node in `order`.
    place: Vec<u32>,
    /// The nodes of the piece, sorted from one corner towards another.
    order: Vec<u32>,
    /// The first side of the best cut so far.
    best: Vec<u32>,
    /// For counting sort.
    counts: Vec<u32>,
    /// The stack of [`Bisector::split_off`].
    pending: Vec<u32>,
    /// Whether each node is on the first side.
    is_first: Vec<bool>,
    refiner: Refiner,
}

impl<'a> Bisector<'a> {
    /// Starts with every node in [`PieceId::WHOLE_GRAPH`], connected or not.
    pub(super) fn new(graph: &'a Adjacency) -> Self {
        let nodes = graph.node_count();
        Self {
            graph,
            piece: vec![PieceId::WHOLE_GRAPH; nodes],
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

    pub(super) fn piece(&self, node: u32) -> PieceId {
        self.piece[node as usize]
    }

    pub(super) fn is_first(&self, node: u32) -> bool {
        self.is_first[node as usize]
    }

    /// Moves nodes to the other side.
    pub(super) fn flip(&mut self, nodes: &[u32]) {
        for &node in nodes {
            self.is_first[node as usize] ^= true;
        }
    }

    /// Makes nodes one piece again.
    pub(super) fn join(&mut self, nodes: &[u32], to: PieceId) {
        for &node in nodes {
            self.piece[node as usize] = to;
        }
    }

    /// Makes the nodes that are connected with `seed` on its side of its piece the
    /// piece `to`; returns them in depth-first order.
    pub(super) fn split_off(&mut self, seed: u32, to: PieceId) -> Vec<u32> {
        let Self { graph, piece, is_first, pending, .. } = self;
        let (from, side) = (piece[seed as usize], is_first[seed as usize]);
        // Depth first, not breadth first: later orders break ties by this one, and
        // whole branches of a tree stay together.
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

    /// Divides a piece into two sides: by the best position in one of three orders,
    /// then by moving nodes over the border. Sides need not be connected.
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

    /// Finds three nodes far from each other, and the steps from each to every node.
    fn measure(&mut self, nodes: &[u32]) {
        let one = self.flood(nodes[0], 0);
        let other = self.flood(one, 0);
        self.flood(other, 1);
        let nearest = |&node: &u32| {
            let [one, other, _] = &self.steps;
            one[node as usize].min(other[node as usize])
        };
        // Reversed, so that of equals the first node is taken.
        let third = nodes.iter().copied().rev().max_by_key(nearest).unwrap_or(one);
        self.flood(third, 2);
        self.corners = [one, other, third];
    }

    /// Counts the steps from a node to all others of its piece; returns the node that
    /// is reached last.
    fn flood(&mut self, seed: u32, corner: usize) -> u32 {
        let Self { graph, piece, steps, order, .. } = self;
        let steps = &mut steps[corner];
        let here = piece[seed as usize];
        order.clear();
        order.push(seed);
        steps[seed as usize] = 0;
        let mut next = 0;
        piece[seed as usize] = PieceId::SEEN;
        while let Some(&node) = order.get(next) {
            next += 1;
            for &Edge { to: other, .. } in graph.edges(node) {
                if piece[other as usize] == here {
                    piece[other as usize] = PieceId::SEEN;
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

    /// Sorts nodes by how much nearer they are to one corner than to another.
    fn sort(&mut self, nodes: &[u32], near: usize, far: usize) {
        let Self { corners, steps, order, counts, place, .. } = self;
        // The two distances differ by at most the distance of the corners (triangle
        // inequality), which makes counting sort possible: linear, and stable, so that
        // ties keep the order of `nodes`.
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

    /// Finds the cut of least weight whose first side is a prefix of the order; returns
    /// that weight and the length of the prefix. Of equal weights, the length nearest
    /// to the aim.
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
