//! Contracting node after node.

use super::witness::Witness;
use super::{ContractionHierarchy, Settings, UpArc};
use crate::base::crew::Progress;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An edge between nodes that are left, as seen from one of its ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) head: u32,
    pub(super) cost: u32,
    /// The node that a shortcut leads over, or [`UpArc::NONE`].
    via: u32,
    /// How many edges of the original graph it stands for.
    hops: u32,
}

/// Priority of a node that cannot be contracted.
const NEVER: u64 = u64::MAX;

/// A graph that is being contracted.
pub(super) struct Contraction {
    settings: Settings,
    /// Edges between nodes that are left.
    rows: Vec<Vec<Edge>>,
    /// Arcs of nodes that are contracted.
    arcs: Vec<Vec<UpArc>>,
    /// One more than the highest level of a contracted neighbour.
    levels: Vec<u32>,
    priorities: Vec<u64>,
    /// Contracted nodes in order.
    order: Vec<u32>,
    witness: Witness,
}

impl Contraction {
    pub(super) fn new(rows: Vec<Vec<(u32, u32)>>, settings: Settings) -> Self {
        let nodes = rows.len();
        let edge = |(head, cost)| Edge { head, cost, via: UpArc::NONE, hops: 1 };
        Self {
            settings,
            rows: rows.into_iter().map(|row| row.into_iter().map(edge).collect()).collect(),
            arcs: vec![Vec::new(); nodes],
            levels: vec![0; nodes],
            priorities: vec![0; nodes],
            order: Vec::with_capacity(nodes),
            witness: Witness::default(),
        }
    }

    pub(super) fn run(mut self, _threads: usize, progress: Progress<'_>) -> ContractionHierarchy {
        let nodes = self.rows.len();
        let mut queue = BinaryHeap::new();
        for node in 0..nodes as u32 {
            self.priorities[node as usize] = self.judge(node);
            queue.push(Reverse((self.priorities[node as usize], node)));
        }
        let mut edges: usize = self.rows.iter().map(Vec::len).sum();
        while let Some(Reverse((priority, node))) = queue.pop() {
            if priority != self.priorities[node as usize] {
                continue;
            }
            let now = self.judge(node);
            if now > priority && queue.peek().is_some_and(|Reverse(next)| (now, node) > *next) {
                self.priorities[node as usize] = now;
                queue.push(Reverse((now, node)));
                continue;
            }
            let left = nodes - self.order.len();
            if now == NEVER || edges as u64 > u64::from(self.settings.core_degree) * left as u64 {
                break;
            }
            edges = self.contract(node, edges);
            progress(self.order.len(), nodes);
        }
        self.finish()
    }

    /// How little a node matters: the least first.
    fn judge(&mut self, node: u32) -> u64 {
        let row = &self.rows[node as usize];
        let (mut count, mut hops, mut fits) = (0_u64, 0_u64, true);
        self.witness.for_each_shortcut(&self.rows, node, self.settings.trial, |one, other| {
            count += 1;
            hops += u64::from(row[one].hops) + u64::from(row[other].hops);
            fits &= row[one].cost.checked_add(row[other].cost).is_some();
        });
        if !fits {
            return NEVER;
        }
        let removed = row.len().max(1) as u64;
        let removed_hops = row.iter().map(|edge| u64::from(edge.hops)).sum::<u64>().max(1);
        1000 * u64::from(self.levels[node as usize]) + 2000 * count / removed + 1000 * hops / removed_hops
    }

    /// Takes a node out; how many edges are left, counted from both ends.
    fn contract(&mut self, node: u32, mut edges: usize) -> usize {
        let mut shortcuts = Vec::new();
        self.witness.for_each_shortcut(&self.rows, node, self.settings.proof, |one, other| {
            shortcuts.push((one, other));
        });
        let row = std::mem::take(&mut self.rows[node as usize]);
        edges -= 2 * row.len();
        let level = self.levels[node as usize] + 1;
        for edge in &row {
            self.rows[edge.head as usize].retain(|back| back.head != node);
            let neighbour = &mut self.levels[edge.head as usize];
            *neighbour = level.max(*neighbour);
        }
        for (one, other) in shortcuts {
            let (one, other) = (row[one], row[other]);
            let Some(cost) = one.cost.checked_add(other.cost) else { continue };
            let shortcut = Edge { head: 0, cost, via: node, hops: one.hops.saturating_add(other.hops) };
            edges += usize::from(self.add(one.head, Edge { head: other.head, ..shortcut }));
            edges += usize::from(self.add(other.head, Edge { head: one.head, ..shortcut }));
        }
        self.arcs[node as usize] = row.iter().map(Edge::arc).collect();
        self.order.push(node);
        edges
    }

    /// Adds an edge or shortens the one there is; whether it was added.
    fn add(&mut self, from: u32, edge: Edge) -> bool {
        let row = &mut self.rows[from as usize];
        match row.iter_mut().find(|known| known.head == edge.head) {
            Some(known) => {
                if edge.cost < known.cost {
                    *known = edge;
                }
                false
            }
            None => {
                row.push(edge);
                true
            }
        }
    }

    fn finish(mut self) -> ContractionHierarchy {
        let mut is_core = vec![true; self.rows.len()];
        for &node in &self.order {
            is_core[node as usize] = false;
        }
        let mut nodes: Vec<u32> =
            (0..).zip(&is_core).filter(|(_, core)| **core).map(|(node, _)| node).collect();
        let core_size = nodes.len() as u32;
        for &node in &nodes {
            self.arcs[node as usize] = self.rows[node as usize].iter().map(Edge::arc).collect();
        }
        nodes.extend(self.order.iter().rev());
        ContractionHierarchy::assemble(nodes, core_size, &self.arcs)
    }
}

impl Edge {
    const fn arc(&self) -> UpArc {
        UpArc { head: self.head, cost: self.cost, via: self.via }
    }
}
