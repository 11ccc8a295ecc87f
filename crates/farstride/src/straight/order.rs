//! The order of corners: important ones first.
//!
//! Trees of shortest paths are grown from random cells to random cells. The corner that
//! most of these paths pass comes first; then its paths count no longer, and the next one
//! is taken. The same map always gives the same order, on any number of threads.

use super::graph::{CornerId, Outlets, Port, TautCorners};
use crate::base::crew::Crew;
use crate::base::{Cancelled, Cell};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Trees grown at most.
const MOST_TREES: usize = 512;
/// Trees grown at least.
const LEAST_TREES: usize = 48;
/// Nodes of all trees together: 16 bytes each. Half as many made the labels of a
/// map with 23,000 corners 30 % larger.
const MOST_NODES: usize = 16_000_000;
/// Goals sampled per tree.
const GOALS: usize = 3000;
/// Weight of a goal; a corner weighs 1, so that corners off all sampled paths are ordered
/// too.
const GOAL_WEIGHT: u32 = 1000;

/// A number of trees for a number of ports: no more than these, if they are few.
fn tree_count(ports: usize) -> usize {
    (MOST_NODES / ports.max(1)).min(ports).clamp(LEAST_TREES, MOST_TREES)
}

/// A distance in a queue, the least first; equal ones by port.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Nearest(pub(super) f64, pub(super) Port);

impl Eq for Nearest {}

impl PartialOrd for Nearest {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Nearest {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0).then(other.1.cmp(&self.1))
    }
}

/// A tree of shortest paths: for each port by which paths leave a corner, the port before,
/// and the weight of everything beyond.
struct Tree {
    parents: Vec<u32>,
    weights: Vec<u32>,
    first_child: Vec<u32>,
    next_child: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// Numbers that look random: `SplitMix64`.
struct Random(u64);

impl Random {
    const fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ (z >> 31)) as u128 * bound as u128) >> 64) as usize
    }
}

/// The corners, the most important first.
pub(super) fn order(
    taut: &TautCorners<'_>,
    outlets: &Outlets,
    crew: &Crew<'_>,
) -> Result<Vec<CornerId>, Cancelled> {
    let grid = taut.space.grid;
    let cells: Vec<Cell> = grid.area().cells().filter(|&cell| grid.is_free(cell)).collect();
    if cells.is_empty() || taut.corners.is_empty() {
        return Ok((0..taut.corners.len() as CornerId).collect());
    }
    let trees = crew.try_map(tree_count(taut.port_count()), |seed, grower: &mut Grower| {
        grower.grow(taut, outlets, &cells, seed as u64)
    })?;
    cover(taut.corners.len(), trees, crew)
}

/// Number of trees that [`order`] grows, for progress.
pub(super) fn steps(taut: &TautCorners<'_>) -> usize {
    tree_count(taut.port_count())
}

/// Grows trees; one per thread.
#[derive(Default)]
struct Grower {
    lengths: Vec<f64>,
    queue: BinaryHeap<Nearest>,
    closed: Vec<Port>,
}

impl Grower {
    fn grow(&mut self, taut: &TautCorners<'_>, outlets: &Outlets, cells: &[Cell], seed: u64) -> Tree {
        let grid = taut.space.grid;
        let ports = taut.port_count();
        let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let mut tree = Tree {
            parents: vec![NONE; ports],
            weights: vec![0; ports],
            first_child: vec![NONE; ports],
            next_child: vec![NONE; ports],
        };
        let Self { lengths, queue, closed } = self;
        lengths.clear();
        lengths.resize(ports, f64::INFINITY);
        closed.clear();
        let start = cells[random.below(cells.len())];
        for &port in outlets.of_cell(grid.index(start)) {
            let length = taut.distance(start, port.corner());
            lengths[port.index()] = length;
            queue.push(Nearest(length, port));
        }
        while let Some(Nearest(length, port)) = queue.pop() {
            if length > lengths[port.index()] || tree.weights[port.index()] != 0 {
                continue;
            }
            tree.weights[port.index()] = 1;
            closed.push(port);
            for link in &taut.links[port.index()] {
                let (onward, length) = (link.to.opposite(), length + link.length);
                if length < lengths[onward.index()] {
                    lengths[onward.index()] = length;
                    tree.parents[onward.index()] = port.0;
                    queue.push(Nearest(length, onward));
                }
            }
        }
        for _ in 0..GOALS.min(cells.len()) {
            let goal = cells[random.below(cells.len())];
            // A path to the goal leaves the last corner by the port that faces it.
            let ends = outlets.of_cell(grid.index(goal)).iter().map(|port| port.opposite());
            let length = |port: &Port| lengths[port.index()] + taut.distance(goal, port.corner());
            let best = ends.min_by(|a, b| length(a).total_cmp(&length(b)));
            if let Some(port) = best.filter(|port| lengths[port.index()] < f64::INFINITY) {
                tree.weights[port.index()] += GOAL_WEIGHT;
            }
        }
        for &port in closed.iter().rev() {
            let parent = tree.parents[port.index()];
            if parent != NONE {
                tree.weights[parent as usize] += tree.weights[port.index()];
                tree.next_child[port.index()] = tree.first_child[parent as usize];
                tree.first_child[parent as usize] = port.0;
            }
        }
        tree
    }
}

/// Takes corners by the weight of what paths pass them, until all are taken.
fn cover(corners: usize, mut trees: Vec<Tree>, crew: &Crew<'_>) -> Result<Vec<CornerId>, Cancelled> {
    let mut totals = vec![0_u64; corners];
    for tree in &trees {
        for (port, weight) in tree.weights.iter().enumerate() {
            totals[port / 2] += u64::from(*weight);
        }
    }
    // Totals only fall, so an outdated one at the top is put back with its present value.
    let entry = |corner: usize, totals: &[u64]| (totals[corner], std::cmp::Reverse(corner as CornerId));
    let mut heap: BinaryHeap<_> = (0..corners).map(|corner| entry(corner, &totals)).collect();
    let mut order = Vec::with_capacity(corners);
    let mut beyond = Vec::new();
    while let Some((total, std::cmp::Reverse(corner))) = heap.pop() {
        if total != totals[corner as usize] {
            heap.push(entry(corner as usize, &totals));
            continue;
        }
        if order.len() % 64 == 0 {
            crew.check()?;
        }
        order.push(corner);
        for tree in &mut trees {
            for side in 0..2 {
                tree.cut(Port::new(corner, side), &mut totals, &mut beyond);
            }
        }
    }
    Ok(order)
}

impl Tree {
    /// Takes a port and everything beyond out of the tree.
    fn cut(&mut self, port: Port, totals: &mut [u64], beyond: &mut Vec<u32>) {
        let weight = self.weights[port.index()];
        if weight == 0 {
            return;
        }
        let mut parent = self.parents[port.index()];
        while parent != NONE {
            self.weights[parent as usize] -= weight;
            totals[parent as usize / 2] -= u64::from(weight);
            parent = self.parents[parent as usize];
        }
        beyond.push(port.0);
        while let Some(port) = beyond.pop() {
            let weight = std::mem::take(&mut self.weights[port as usize]);
            if weight == 0 {
                continue;
            }
            totals[port as usize / 2] -= u64::from(weight);
            let mut child = self.first_child[port as usize];
            while child != NONE {
                beyond.push(child);
                child = self.next_child[child as usize];
            }
        }
        self.parents[port.index()] = NONE;
    }
}
