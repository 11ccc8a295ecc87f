//! Plans of many units to one goal: one search over the first level serves all of them.
//!
//! Distances are the same both ways, so the search begins at the goal and goes everywhere. It
//! leaves *entries*: the nodes by which it has come into each cluster, with what the rest of the
//! way costs. A unit looks only at the entries of its own cluster.

use super::hierarchy::View;
use super::insert::Insertion;
use super::layout::ClusterId;
use super::local::LocalSearch;
use super::online::Online;
use super::plan::PlanLeg;
use super::refine::Leg;
use super::tables::{Link, UNREACHABLE};
use crate::base::{Cell, Cost, Node, NodeId};
use crate::graph::Graph;
use crate::search::{Memory, Observer, Problem, WideQueue};

/// What a search from a goal knows of the ways to it. Requires ways that are kept and not
/// any-angle.
#[derive(Debug)]
pub(crate) struct Spread {
    /// In the order in which they were found: the nearest to the goal first.
    entries: Vec<Entry>,
    /// For each 1-cluster, the numbers of its entries, in the same order.
    in_cluster: Vec<Vec<u32>>,
}

/// A node by which the search has come into a cluster.
#[derive(Debug)]
struct Entry {
    node: u32,
    /// Cost from here to the goal.
    cost: Cost,
    /// The step out of the cluster.
    step: PlanLeg,
    /// The way on through the next cluster, unless the step ends at the next entry.
    onward: Option<PlanLeg>,
    /// The entry there; `None` if it is the cluster of the goal.
    next: Option<u32>,
}

impl Online<'_> {
    /// Searches everything from a goal.
    pub(crate) fn spread(&self, goal: Cell) -> Spread {
        let view = self.view();
        let mut inserted = Insertion::default();
        inserted.insert(self.grid(), view, goal, (&mut LocalSearch::default(), false), &mut ());
        let graph = SpreadGraph { view, goal: &inserted };
        let mut memory = Memory::<WideQueue>::default();
        let mut order = Expanded::default();
        let problem = Problem::everywhere(&graph);
        problem.begin(graph.goal_node(), &mut memory, &mut ());
        problem.advance(&mut memory, u64::MAX, &mut order);
        let mut numbers = vec![None; view.layout.node_bound()];
        let mut in_cluster = vec![Vec::new(); view.layout.count(1)];
        let mut entries = Vec::with_capacity(order.nodes.len());
        for &(node, cost) in order.nodes.iter().filter(|&&(node, _)| node != graph.goal_node()) {
            let parent = NodeId::unpack(memory.tree().parent(node.index()));
            let node = node.pack();
            let next = if parent == graph.goal_node() {
                None
            } else {
                // There is a number, and an entry, unless the costs of the index were forged.
                let Some(number) = numbers[parent.index()] else { continue };
                Some((parent.pack(), number))
            };
            let Some(entry) = graph.entry((node, cost), next) else { continue };
            let number = entries.len() as u32;
            numbers[node as usize] = Some(number);
            in_cluster[view.layout.cluster_and_local(node).0 as usize].push(number);
            entries.push(entry);
        }
        Spread { entries, in_cluster }
    }

    pub(crate) const fn keeps_ways(&self) -> bool {
        self.view().keeps_ways()
    }

    /// How many columns or rows of 1-clusters two cells are apart, whichever is more.
    pub(crate) fn clusters_between(&self, a: Cell, b: Cell) -> u32 {
        let layout = self.view().layout;
        let [a, b] = [a, b].map(|cell| layout.place(1, layout.cluster_of(1, cell)));
        a.0.abs_diff(b.0).max(a.1.abs_diff(b.1))
    }

    /// Writes the legs from a cell to the goal of a spread, the first one last. Returns `false`
    /// if there is no way that leaves the cluster of the cell.
    pub(crate) fn plan_on(&self, spread: &Spread, start: Cell, legs: &mut Vec<PlanLeg>) -> bool {
        legs.clear();
        let view = self.view();
        let cluster = view.layout.cluster_of(1, start);
        let mut best: Option<(Cost, Cost, &Entry)> = None;
        for &number in &spread.in_cluster[cluster as usize] {
            let entry = &spread.entries[number as usize];
            let is_better = |cost: Cost| best.is_none_or(|(least, ..)| cost < least);
            let bound = self.grid().rules().distance(start, entry.step.from);
            if !is_better(entry.cost) {
                break;
            }
            if is_better(entry.cost + bound) {
                let local = view.layout.cluster_and_local(entry.node).1;
                let kept = view.kept_cost(self.grid(), cluster, start, local);
                let Some(units) = kept.filter(|&units| units != UNREACHABLE) else { continue };
                let leaving = Cost::from_units(units);
                if is_better(entry.cost + leaving) {
                    best = Some((entry.cost + leaving, leaving, entry));
                }
            }
        }
        let Some((_, cost, first)) = best else { return false };
        let leave = Leg::Leave { to: first.node, level: 1 };
        legs.push(PlanLeg { leg: leave, from: start, to: first.step.from, cost });
        let mut entry = Some(first);
        while let Some(Entry { step, onward, next, .. }) = entry {
            legs.push(*step);
            legs.extend(onward);
            entry = next.map(|next| &spread.entries[next as usize]);
        }
        legs.reverse();
        true
    }
}

/// The first level with a goal in it. Crossing a cluster and the inter-edge out of it are one
/// arc, so that only nodes by which a cluster is entered are reached.
struct SpreadGraph<'a> {
    view: &'a View<'a>,
    goal: &'a Insertion,
}

impl SpreadGraph<'_> {
    fn goal_node(&self) -> NodeId {
        NodeId::new(self.view.layout.node_bound() as u32)
    }

    fn position(&self, node: NodeId) -> (ClusterId, usize) {
        self.view.layout.cluster_and_local(node.pack())
    }

    /// The entry at a node, given the node and the number of the next one.
    fn entry(&self, (node, cost): (u32, Cost), next: Option<(u32, u32)>) -> Option<Entry> {
        let Self { view, goal } = *self;
        let (first, local) = view.layout.cluster_and_local(node);
        let there = next.map_or(goal.cluster(1), |(next, _)| view.layout.cluster_and_local(next).0);
        let costs = view.costs(1, there);
        // The cheapest of the inter-edges into the next cluster.
        let mut best: Option<(Cost, u32, Cost)> = None;
        view.links(first).for_each_from(local, |Link { head, cost, .. }| {
            let (cluster, rank) = view.layout.cluster_and_local(head);
            let rest = match next {
                _ if cluster != there => None,
                Some((next, _)) => costs.cost(rank, view.layout.cluster_and_local(next).1),
                None => goal.cost(1, rank),
            };
            if let Some(rest) = rest
                && best.is_none_or(|(least, ..)| cost + rest < least)
            {
                best = Some((cost + rest, head, cost));
            }
        });
        let (both, head, step) = best?;
        let (from, to) = (view.cell(node), view.cell(head));
        let rest = both.less(step);
        let onward = match next {
            Some((next, _)) if next == head => None,
            Some((next, _)) => {
                let leg = Leg::Cross { from: head, to: next, level: 1 };
                Some(PlanLeg { leg, from: to, to: view.cell(next), cost: rest })
            }
            None => {
                let leg = Leg::Arrive { from: head, level: 1 };
                Some(PlanLeg { leg, from: to, to: goal.cell, cost: rest })
            }
        };
        let step = PlanLeg { leg: Leg::Step { to: head }, from, to, cost: step };
        Some(Entry { node, cost, step, onward, next: next.map(|(_, number)| number) })
    }
}

impl Graph for SpreadGraph<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.view.layout.node_bound() + 1
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        if node == self.goal_node() {
            self.view.links(self.goal.cluster(1)).for_each(|rank, link| {
                if let Some(cost) = self.goal.cost(1, rank) {
                    visit(NodeId::new(link.head), cost + link.cost);
                }
            });
            return;
        }
        let (cluster, local) = self.position(node);
        self.view.for_each_beyond(1, cluster, local, |head, cost| visit(NodeId::new(head), cost));
    }

    /// The other nodes of a cluster just entered: going on from one of them is never shorter.
    #[inline]
    fn for_each_spared(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        if node != self.goal_node() {
            let (cluster, local) = self.position(node);
            let costs = self.view.costs(1, cluster);
            costs.for_each_from(local, |head, cost| visit(NodeId::new(head), cost));
        }
    }
}

/// Remembers the nodes that are expanded: others were only found to be of no use.
#[derive(Default)]
struct Expanded {
    nodes: Vec<(NodeId, Cost)>,
}

impl Observer<NodeId> for Expanded {
    fn expanded(&mut self, node: NodeId, g: Cost) {
        self.nodes.push((node, g));
    }
}
