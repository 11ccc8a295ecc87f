//! Landmarks: lower bounds that stay valid while the map is edited.
//!
//! A landmark gives every node a *potential*, at first its cost from the landmark. All a
//! search needs is that potentials of two nodes never differ by more than the cost
//! between them: then the difference to the potential of the goal is a consistent lower
//! bound. Where an edit makes ways dearer that stays true by itself. Where it makes them
//! cheaper, potentials are lowered from the edited block outwards. If that leads too
//! far, the landmark *rests*: no search uses it until it is refreshed.

use super::ends::End;
use super::graph::OverlayGraph;
use super::layout::Layout;
use crate::base::crew::{Watch, Workers};
use crate::base::{Cancelled, Cell, NodeId};
use crate::graph::Graph;
use crate::search::{Everything, Memory, Problem, SearchStatus, ShortestPath, WideQueue};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The largest potential, also that of nodes that a landmark does not reach. Lowering
/// all larger ones to one value leaves differences no larger than they were.
const FAR: u32 = u32::MAX >> 1;

/// Nodes whose potentials one update lowers, over all landmarks: about a millisecond.
const MOST_LOWERED: usize = 1 << 11;

/// Nodes that a landmark's search expands before it asks whether it is still wanted.
const SLICE: u64 = 512;

/// Landmarks that a search looks at: those with the best bounds for its two ends.
const WATCHED: usize = 8;

/// The potentials of all nodes. Not part of what an index is: they change how long
/// searches take, and never what they find.
#[derive(Clone, Debug)]
pub(super) struct Landmarks {
    /// The node of each.
    nodes: Vec<u32>,
    /// Potentials of each node, one per landmark; [`FAR`] where cells are blocked.
    potentials: Vec<u32>,
    /// Which of them rest.
    resting: Vec<bool>,
}

/// The landmarks that a search looks at.
#[derive(Debug, Default)]
pub(super) struct Watched {
    /// Potentials of start and goal.
    start: Vec<u32>,
    goal: Vec<u32>,
    /// Landmarks by their bounds, the best first.
    order: Vec<(Reverse<u32>, usize)>,
    /// Those that count, with the potentials of the goal.
    chosen: Vec<(usize, u32)>,
}

impl Watched {
    /// Whether there are none.
    pub(super) const fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }
}

impl Landmarks {
    /// Places up to `count` landmarks along the edge of the map, and computes their
    /// potentials.
    pub(super) fn build(
        graph: OverlayGraph<'_>,
        count: usize,
        threads: usize,
        watch: Watch<'_>,
    ) -> Result<Self, Cancelled> {
        let nodes = places(graph, count);
        let resting = vec![true; nodes.len()];
        let potentials = vec![FAR; nodes.len() * graph.node_count()];
        let mut landmarks = Self { nodes, potentials, resting };
        // Landmarks that fell together count as done.
        let finished = graph.blocks.len() + count - landmarks.count();
        landmarks.refresh(graph, threads, watch, finished)?;
        Ok(landmarks)
    }

    /// Number of landmarks.
    pub(super) const fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Number of landmarks that rest.
    pub(super) fn resting_count(&self) -> usize {
        self.resting.iter().filter(|&&rests| rests).count()
    }

    /// The nodes at which they are.
    pub(super) fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Memory that they take, in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(&*self.potentials)
    }

    /// Makes all landmarks rest that an update can no longer keep valid.
    pub(super) fn rest(&mut self) {
        self.resting.fill(true);
    }

    /// Computes the potentials of all landmarks that rest.
    pub(super) fn refresh(
        &mut self,
        graph: OverlayGraph<'_>,
        threads: usize,
        watch: Watch<'_>,
        finished: usize,
    ) -> Result<(), Cancelled> {
        let resting: Vec<usize> = (0..self.count()).filter(|&at| self.resting[at]).collect();
        let done = AtomicUsize::new(finished);
        let mut workers = Workers::new(threads, Memory::<WideQueue>::default);
        // Asked in the middle of a search, too; once the answer is no, never again.
        let cancelled = AtomicBool::new(false);
        let wanted = || {
            if !cancelled.load(Ordering::Relaxed) && !(watch.wanted)() {
                cancelled.store(true, Ordering::Relaxed);
            }
            !cancelled.load(Ordering::Relaxed)
        };
        let computed = workers.try_map(resting.len(), false, &wanted, |at, memory| {
            let landmark = NodeId::new(self.nodes[resting[at]]);
            let problem = Problem { graph: &graph, target: Everything, rule: ShortestPath };
            problem.begin(landmark, memory, &mut ());
            while problem.advance(memory, SLICE, &mut ()) == SearchStatus::Paused {
                if !wanted() {
                    return Vec::new();
                }
            }
            let potential = |node| memory.cost(node).map_or(FAR, |cost| cost.units().min(FAR.into()) as u32);
            let potentials: Vec<u32> = (0..graph.node_count()).map(potential).collect();
            (watch.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, finished + resting.len());
            potentials
        })?;
        if cancelled.into_inner() {
            return Err(Cancelled); // in the middle of the last search
        }
        let count = self.count();
        for (&landmark, potentials) in resting.iter().zip(computed) {
            let old = self.potentials.iter_mut().skip(landmark).step_by(count);
            old.zip(potentials).for_each(|(old, new)| *old = new);
            self.resting[landmark] = false;
        }
        Ok(())
    }

    /// The potentials of a node.
    #[inline]
    fn of(&self, node: usize) -> &[u32] {
        &self.potentials[node * self.count()..(node + 1) * self.count()]
    }

    /// Restores what searches rely on after the arcs of some blocks have changed.
    /// `is_free` tells whether a node is a free cell.
    pub(super) fn repair(
        &mut self,
        graph: OverlayGraph<'_>,
        blocks: &[usize],
        is_free: impl Fn(u32) -> bool,
    ) {
        let count = self.count();
        if count == 0 {
            return;
        }
        let layout = graph.layout;
        let mut lowering: Vec<(u32, u32, u32)> = Vec::new();
        for &block in blocks {
            for node in layout.nodes(block).filter(|&node| !is_free(node)) {
                // So that a cell freed later takes its potentials from its neighbours.
                self.potentials[node as usize * count..][..count].fill(FAR);
            }
        }
        for &block in blocks {
            let nodes: Vec<u32> = layout.nodes(block).collect();
            for (place, &from) in nodes.iter().enumerate() {
                let here = self.of(from as usize);
                for (head, cost) in graph.blocks[block].arcs(place) {
                    let there = self.of(nodes[head] as usize);
                    let is_lower = |low, (here, there): (&u32, &u32)| low | u32::from(here + cost < *there);
                    if here.iter().zip(there).fold(0, is_lower) != 0 {
                        lowering.push((from, nodes[head], cost));
                    }
                }
            }
        }
        if lowering.is_empty() {
            return;
        }
        let mut budget = MOST_LOWERED;
        for landmark in 0..count {
            if !self.resting[landmark] && !self.lower(graph, landmark, &lowering, &mut budget) {
                self.resting[landmark] = true;
            }
        }
    }

    /// Lowers the potentials of a landmark by arcs that ask for it, and of the nodes
    /// beyond. Returns whether the budget was enough.
    fn lower(
        &mut self,
        graph: OverlayGraph<'_>,
        landmark: usize,
        arcs: &[(u32, u32, u32)],
        budget: &mut usize,
    ) -> bool {
        let count = self.count();
        let at = |node: u32| node as usize * count + landmark;
        let mut open = BinaryHeap::new();
        for &(from, to, cost) in arcs {
            let lower = self.potentials[at(from)] + cost;
            if lower < self.potentials[at(to)] {
                self.potentials[at(to)] = lower;
                open.push(Reverse((lower, to)));
            }
        }
        while let Some(Reverse((potential, node))) = open.pop() {
            if potential > self.potentials[at(node)] {
                continue;
            }
            let Some(left) = budget.checked_sub(1) else { return false };
            *budget = left;
            graph.for_each_arc(NodeId::new(node), |next, cost| {
                let lower = potential + cost.units() as u32;
                let next = next.index() as u32;
                if lower < self.potentials[at(next)] {
                    self.potentials[at(next)] = lower;
                    open.push(Reverse((lower, next)));
                }
            });
        }
        true
    }

    /// Chooses the landmarks for a search: those with the best bounds for its ends.
    pub(super) fn watch(&self, layout: &Layout, start: &End, goal: &End, watched: &mut Watched) {
        let Watched { start: from, goal: to, order, chosen } = watched;
        self.at_end(layout, start, from);
        self.at_end(layout, goal, to);
        order.clear();
        let awake = (0..self.count()).filter(|&landmark| !self.resting[landmark]);
        order.extend(awake.map(|landmark| (Reverse(from[landmark].abs_diff(to[landmark])), landmark)));
        order.sort_unstable();
        chosen.clear();
        chosen.extend(order.iter().take(WATCHED).map(|&(_, landmark)| (landmark, to[landmark])));
    }

    /// Writes the potentials of an end. Off the lines they are the largest that its
    /// border allows.
    fn at_end(&self, layout: &Layout, end: &End, potentials: &mut Vec<u32>) {
        potentials.clear();
        if let Some(node) = end.node {
            potentials.extend_from_slice(self.of(node as usize));
            return;
        }
        potentials.resize(self.count(), FAR);
        end.for_each_arc(layout, |node, cost| {
            // Ways inside a block cost less than FAR, and so do potentials: no overflow.
            let cost = cost.units() as u32;
            let there = self.of(node.index());
            potentials.iter_mut().zip(there).for_each(|(least, &there)| *least = (*least).min(there + cost));
        });
    }

    /// A lower bound of the cost from a node to the goal of [`Landmarks::watch`].
    #[inline]
    pub(super) fn bound(&self, node: usize, watched: &Watched) -> u32 {
        let potentials = self.of(node);
        watched.chosen.iter().fold(0, |most, &(landmark, goal)| most.max(potentials[landmark].abs_diff(goal)))
    }
}

/// The nodes of landmarks: those of the largest connected part that are closest to
/// points spread evenly along the edge of the map.
fn places(graph: OverlayGraph<'_>, count: usize) -> Vec<u32> {
    let part: Vec<(u32, Cell)> =
        largest_part(graph).into_iter().map(|node| (node, graph.layout.cell_of(node))).collect();
    let area = graph.layout.area();
    let (width, height) = (area.width() as usize - 1, area.height() as usize - 1);
    let edge = 2 * (width + height);
    let mut nodes: Vec<u32> = (0..count)
        .filter_map(|number| {
            let along = number * edge / count;
            let (x, y) = if along < width {
                (along, 0)
            } else if along < width + height {
                (width, along - width)
            } else if along < 2 * width + height {
                (2 * width + height - along, height)
            } else {
                (0, edge - along)
            };
            let distance = |&&(_, cell): &&(u32, Cell)| {
                let (dx, dy) = (x.abs_diff(cell.x.into()), y.abs_diff(cell.y.into()));
                dx * dx + dy * dy
            };
            part.iter().min_by_key(distance).map(|&(node, _)| node)
        })
        .collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// The nodes of the largest connected part of a graph, in order.
fn largest_part(graph: OverlayGraph<'_>) -> Vec<u32> {
    let mut seen = vec![false; graph.node_count()];
    let mut largest = Vec::new();
    for first in 0..graph.node_count() {
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        let mut part = vec![first as u32];
        let mut next = 0;
        while let Some(&node) = part.get(next) {
            next += 1;
            graph.for_each_arc(NodeId::new(node), |node, _| {
                if !std::mem::replace(&mut seen[node.index()], true) {
                    part.push(node.index() as u32);
                }
            });
        }
        if part.len() > largest.len() {
            largest = part;
        }
    }
    largest.sort_unstable();
    largest
}
