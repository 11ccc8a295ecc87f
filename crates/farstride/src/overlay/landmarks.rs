//! Landmarks: lower bounds that stay valid while the map is edited.
//!
//! A landmark gives every node a *potential*, at first its cost from the landmark. All a
//! search needs is that potentials of two nodes never differ by more than the cost
//! between them: then the difference to the potential of the goal is a consistent lower
//! bound. Where an edit makes ways dearer that stays true by itself. Where it makes them
//! cheaper, potentials are lowered from the edited block outwards. If that leads too
//! far, the landmark *rests*: no search uses it until later edits have lowered the rest of
//! its nodes, or until it is refreshed.

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

/// Nodes that one update expands to lower potentials, over all landmarks: two or three
/// milliseconds.
const MOST_LOWERED: usize = 1 << 12;

/// Nodes of these that each landmark may expand before those that need more share what is
/// left: most landmarks need a few dozen.
const FIRST_LOWERED: usize = 1 << 6;

/// Nodes that a landmark's search expands before it asks whether it is still wanted.
const SLICE: u64 = 512;

/// The potentials of all nodes. Not part of what an index is: they change how long
/// searches take, and never what they find.
#[derive(Clone, Debug)]
pub(super) struct Landmarks {
    /// The node of each.
    nodes: Vec<u32>,
    /// Potentials of each node, one per landmark; [`FAR`] where cells are blocked.
    potentials: Vec<u32>,
    /// Which of them have no valid potentials and wait for a refresh.
    missing: Vec<bool>,
    /// For each landmark the nodes that were lowered and have not yet lowered their
    /// neighbours, with their potentials. Wherever potentials differ by more than an arc
    /// costs, the lower one is that of such a node.
    lowered: Vec<BinaryHeap<Reverse<(u32, u32)>>>,
    /// Whether the map was edited since all of them were computed.
    edited: bool,
}

/// What a search knows of the landmarks: the potentials of its goal.
#[derive(Debug, Default)]
pub(super) struct Watched {
    goal: Vec<u32>,
    /// All bits set for each landmark that does not rest.
    masks: Vec<u32>,
}

impl Watched {
    /// Whether there is no landmark to look at.
    pub(super) fn is_empty(&self) -> bool {
        self.masks.iter().all(|&mask| mask == 0)
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
        let missing = vec![true; nodes.len()];
        let lowered = vec![BinaryHeap::new(); nodes.len()];
        let potentials = vec![FAR; nodes.len() * graph.node_count()];
        let mut landmarks = Self { nodes, potentials, missing, lowered, edited: false };
        // Landmarks that fell together count as done.
        let finished = graph.blocks.len() + count - landmarks.count();
        landmarks.refresh(graph, threads, watch, finished)?;
        Ok(landmarks)
    }

    /// Number of landmarks.
    pub(super) const fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no search may use a landmark.
    fn rests(&self, landmark: usize) -> bool {
        self.missing[landmark] || !self.lowered[landmark].is_empty()
    }

    /// Number of landmarks that rest.
    pub(super) fn resting_count(&self) -> usize {
        (0..self.count()).filter(|&landmark| self.rests(landmark)).count()
    }

    /// The nodes at which they are.
    pub(super) fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Memory that they take, in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        let lowered: usize = self.lowered.iter().map(|open| open.len() * size_of::<(u32, u32)>()).sum();
        size_of_val(&*self.potentials) + lowered
    }

    /// Gives up all potentials.
    pub(super) fn give_up(&mut self) {
        self.missing.fill(true);
    }

    /// Notes that the map was edited.
    pub(super) const fn age(&mut self) {
        self.edited = true;
    }

    /// Whether potentials are not the costs from the landmarks, because of edits.
    pub(super) const fn are_edited(&self) -> bool {
        self.edited
    }

    /// Computes the potentials of all landmarks that have none.
    pub(super) fn refresh(
        &mut self,
        graph: OverlayGraph<'_>,
        threads: usize,
        watch: Watch<'_>,
        finished: usize,
    ) -> Result<(), Cancelled> {
        let missing: Vec<usize> = (0..self.count()).filter(|&at| self.missing[at]).collect();
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
        let computed = workers.try_map(missing.len(), false, &wanted, |at, memory| {
            let landmark = NodeId::new(self.nodes[missing[at]]);
            let problem = Problem { graph: &graph, target: Everything, rule: ShortestPath };
            problem.begin(landmark, memory, &mut ());
            while problem.advance(memory, SLICE, &mut ()) == SearchStatus::Paused {
                if !wanted() {
                    return Vec::new();
                }
            }
            let potential = |node| memory.cost(node).map_or(FAR, |cost| cost.units().min(FAR.into()) as u32);
            let potentials: Vec<u32> = (0..graph.node_count()).map(potential).collect();
            (watch.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, finished + missing.len());
            potentials
        })?;
        if cancelled.into_inner() {
            return Err(Cancelled); // in the middle of the last search
        }
        let count = self.count();
        for (&landmark, potentials) in missing.iter().zip(computed) {
            let old = self.potentials.iter_mut().skip(landmark).step_by(count);
            old.zip(potentials).for_each(|(old, new)| *old = new);
            self.missing[landmark] = false;
            self.lowered[landmark].clear();
        }
        self.edited &= missing.len() < count;
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
        self.age();
        let mut budget = MOST_LOWERED;
        for landmark in 0..count {
            self.offer(landmark, &lowering);
            let share = budget.min(FIRST_LOWERED);
            budget -= share - self.lower(graph, landmark, share);
        }
        for landmark in 0..count {
            budget = self.lower(graph, landmark, budget);
        }
    }

    /// Lowers the heads of arcs for a landmark, where they ask for it.
    fn offer(&mut self, landmark: usize, arcs: &[(u32, u32, u32)]) {
        let count = self.count();
        for &(from, to, cost) in arcs {
            let lower = self.potentials[from as usize * count + landmark] + cost;
            let potential = &mut self.potentials[to as usize * count + landmark];
            if lower < *potential {
                *potential = lower;
                self.lowered[landmark].push(Reverse((lower, to)));
            }
        }
    }

    /// Lowers the neighbours of lowered nodes of a landmark, and nodes beyond: up to
    /// `budget` nodes, of which it returns what is left.
    fn lower(&mut self, graph: OverlayGraph<'_>, landmark: usize, mut budget: usize) -> usize {
        let count = self.count();
        let Self { potentials, lowered, .. } = self;
        let at = |node: u32| node as usize * count + landmark;
        let open = &mut lowered[landmark];
        while budget > 0
            && let Some(Reverse((potential, node))) = open.pop()
        {
            if potential != potentials[at(node)] {
                continue; // lowered once more, or blocked
            }
            budget -= 1;
            graph.for_each_arc(NodeId::new(node), |next, cost| {
                let lower = potential + cost.units() as u32;
                let next = next.index() as u32;
                if lower < potentials[at(next)] {
                    potentials[at(next)] = lower;
                    open.push(Reverse((lower, next)));
                }
            });
        }
        budget
    }

    /// Prepares a search for a goal.
    pub(super) fn watch(&self, layout: &Layout, goal: &End, watched: &mut Watched) {
        self.at_end(layout, goal, &mut watched.goal);
        watched.masks.clear();
        let masks = (0..self.count()).map(|landmark| if self.rests(landmark) { 0 } else { u32::MAX });
        watched.masks.extend(masks);
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
        for (node, cost) in end.arcs(layout) {
            // Ways inside a block cost less than FAR, and so do potentials: no overflow.
            let there = self.of(node as usize);
            potentials.iter_mut().zip(there).for_each(|(least, &there)| *least = (*least).min(there + cost));
        }
    }

    /// A lower bound of the cost from a node to the goal of [`Landmarks::watch`]: the
    /// best of all landmarks. A few of them, chosen by the two ends, make searches half
    /// as wide again and save less than that.
    #[inline]
    pub(super) fn bound(&self, node: usize, watched: &Watched) -> u32 {
        let (mut most, mut least) = (0, 0);
        for ((&here, &goal), &mask) in self.of(node).iter().zip(&watched.goal).zip(&watched.masks) {
            // Potentials are below 2³¹.
            let difference = (here.wrapping_sub(goal) & mask) as i32;
            most = most.max(difference);
            least = least.min(difference);
        }
        most.max(-least) as u32
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
