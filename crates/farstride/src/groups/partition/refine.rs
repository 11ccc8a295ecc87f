//! Improving the border between two sides: Fiduccia and Mattheyses 1982.

use super::adjacency::{Adjacency, Edge};
use super::bisect::{PieceId, SideLimits};
use std::collections::BinaryHeap;

/// Maximum number of passes over a border. Most borders settle after fewer.
const PASSES: usize = 4;

/// Number of moves without a better cut after which a pass ends.
const PATIENCE: usize = 100;

/// Moves nodes over the border between two sides while that makes the cut lighter.
pub(super) struct Refiner {
    /// How much lighter the cut becomes if a node moves.
    gain: Vec<i64>,
    /// The last pass in which each node moved: it may do so once per pass.
    moved: Vec<u32>,
    pass: u32,
    /// Nodes that may move: those of the second side, then those of the first. Heaps
    /// with outdated entries instead of the paper's buckets, because gains may be of
    /// any size.
    open: [BinaryHeap<Candidate>; 2],
    /// The nodes that moved in this pass, in order.
    moves: Vec<u32>,
}

/// A node that may move.
///
/// Ordered by gain. Of equal gains the entry made after more moves goes first, which
/// keeps moves close together; the node's number makes the order total.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    gain: i64,
    moves_before: u32,
    node: u32,
}

impl Refiner {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            gain: vec![0; nodes],
            moved: vec![0; nodes],
            pass: 0,
            open: Default::default(),
            moves: Vec::new(),
        }
    }

    /// Moves nodes of a piece over the border until a whole pass gains nothing.
    pub(super) fn refine(
        &mut self,
        graph: &Adjacency,
        piece: &[PieceId],
        nodes: &[u32],
        is_first: &mut [bool],
        first: usize,
        limits: SideLimits,
    ) {
        let mut first = first;
        for _ in 0..PASSES {
            let mut border = Border { graph, piece, here: piece[nodes[0] as usize], is_first, first, limits };
            self.begin(&border, nodes);
            let is_lighter = self.run(&mut border);
            first = border.first;
            if !is_lighter {
                break;
            }
        }
    }

    /// Computes the gain of every node, and opens those on the border.
    fn begin(&mut self, border: &Border<'_>, nodes: &[u32]) {
        self.pass += 1;
        self.moves.clear();
        self.open.iter_mut().for_each(BinaryHeap::clear);
        for &node in nodes {
            let (mut across, mut within) = (0, 0);
            border.for_each_edge(node, |other, weight| {
                *(if border.is_across(node, other) { &mut across } else { &mut within }) += weight;
            });
            self.gain[node as usize] = across - within;
            if across > 0 {
                self.open(border, node, 0);
            }
        }
    }

    fn open(&mut self, border: &Border<'_>, node: u32, moves_before: u32) {
        let side = usize::from(border.is_first[node as usize]);
        let gain = self.gain[node as usize];
        self.open[side].push(Candidate { gain, moves_before, node });
    }

    /// Makes one pass; returns whether the cut became lighter.
    fn run(&mut self, border: &mut Border<'_>) -> bool {
        let (mut sum, mut best, mut kept) = (0, 0, 0);
        while self.moves.len() - kept < PATIENCE {
            let Some(node) = self.next(border) else { break };
            sum += self.gain[node as usize];
            self.shift(border, node);
            if sum > best {
                best = sum;
                kept = self.moves.len();
            }
        }
        // Moves go on through worse cuts, to get over small humps. What did not pay off
        // in the end is undone.
        for &node in &self.moves[kept..] {
            border.flip(node);
        }
        best > 0
    }

    /// Returns the node whose move gains most among those that the limits allow to
    /// move.
    fn next(&mut self, border: &Border<'_>) -> Option<u32> {
        let Self { open, gain, moved, pass, .. } = self;
        let is_stale = |entry: &Candidate| {
            entry.gain != gain[entry.node as usize] || moved[entry.node as usize] == *pass
        };
        for heap in &mut *open {
            while heap.peek().is_some_and(is_stale) {
                heap.pop();
            }
        }
        let [second, first] = open;
        let from_second = second.peek().filter(|_| border.first < border.limits.most);
        let from_first = first.peek().filter(|_| border.first > border.limits.least);
        let is_first = match (from_second, from_first) {
            (None, None) => return None,
            (Some(_), None) => false,
            (None, Some(_)) => true,
            (Some(a), Some(b)) if a.gain == b.gain => border.first > border.limits.aim,
            (Some(a), Some(b)) => b.gain > a.gain,
        };
        open[usize::from(is_first)].pop().map(|entry| entry.node)
    }

    /// Moves a node over the border and updates the gains of its neighbours.
    fn shift(&mut self, border: &mut Border<'_>, node: u32) {
        border.flip(node);
        self.moved[node as usize] = self.pass;
        self.moves.push(node);
        let moves_before = self.moves.len() as u32;
        for &Edge { to: other, weight } in border.graph.edges(node) {
            if border.piece[other as usize] == border.here && self.moved[other as usize] != self.pass {
                let change = 2 * i64::from(weight);
                self.gain[other as usize] += if border.is_across(node, other) { change } else { -change };
                self.open(border, other, moves_before);
            }
        }
    }
}

/// The two sides of a piece.
struct Border<'a> {
    graph: &'a Adjacency,
    piece: &'a [PieceId],
    here: PieceId,
    is_first: &'a mut [bool],
    /// Number of nodes on the first side.
    first: usize,
    limits: SideLimits,
}

impl Border<'_> {
    fn for_each_edge(&self, node: u32, mut visit: impl FnMut(u32, i64)) {
        for &Edge { to: other, weight } in self.graph.edges(node) {
            if self.piece[other as usize] == self.here {
                visit(other, i64::from(weight));
            }
        }
    }

    fn is_across(&self, node: u32, other: u32) -> bool {
        self.is_first[node as usize] != self.is_first[other as usize]
    }

    fn flip(&mut self, node: u32) {
        let is_first = &mut self.is_first[node as usize];
        *is_first = !*is_first;
        if *is_first { self.first += 1 } else { self.first -= 1 }
    }
}
