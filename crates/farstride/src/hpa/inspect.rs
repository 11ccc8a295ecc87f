//! Inspecting a hierarchy: for tests, statistics and pictures.

use super::Hierarchy;
use super::tables::Link;
use crate::base::{Cell, Cost, Inconsistent, Rect};

/// A node of a hierarchy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AbstractNode {
    /// Its cell.
    pub cell: Cell,
    /// The highest level on which it is a node.
    pub level: u8,
}

/// A step from one cluster to another, usable both ways.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InterEdge {
    /// The end that comes first in reading order.
    pub from: Cell,
    /// The other end.
    pub to: Cell,
    /// The cost of the step.
    pub cost: Cost,
    /// The highest level on which its ends lie in different clusters.
    pub level: u8,
}

/// A way through a cluster, usable both ways.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IntraEdge {
    /// The end that comes first in reading order.
    pub from: Cell,
    /// The other end.
    pub to: Cell,
    /// The cost of the way.
    pub cost: Cost,
}

/// The size of one level of a hierarchy, counted as in the paper's Table 2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct HpaLevelCounts {
    /// Number of clusters.
    pub clusters: usize,
    /// Nodes whose highest level this is.
    pub nodes: usize,
    /// Inter-edges whose highest level this is.
    pub inter_edges: usize,
    /// Intra-edges of this level.
    pub intra_edges: usize,
}

impl Hierarchy {
    /// Re-proves what needs no map: inter-edges lead both ways, and distances are
    /// symmetric and obey the triangle inequality. The level-1 distances of HPT*
    /// are exempt from the last: Theta* does not always find the shortest way.
    ///
    /// # Errors
    /// [`Inconsistent`] describes the first broken invariant.
    pub fn check(&self) -> Result<(), Inconsistent> {
        let view = self.view();
        for cluster in self.layout.clusters(1) {
            let nodes = view.costs(1, cluster);
            for local in 0..nodes.count() {
                let node = nodes.node(local);
                let mut lonely = None;
                view.links(cluster).for_each_from(local, |link| {
                    let head = link.head;
                    let (other, there) = self.layout.cluster_and_local(head);
                    let mut back = false;
                    let links = view.links(other);
                    links.for_each_from(there, |other| back |= other == Link { head: node, ..link });
                    if !back {
                        lonely = Some(head);
                    }
                });
                if let Some(head) = lonely {
                    return Err(Inconsistent::new(format!(
                        "the inter-edge from node {node} to node {head} does not lead back"
                    )));
                }
            }
        }
        (1..=self.layout.level_count()).try_for_each(|level| self.check_distances(level))
    }

    fn check_distances(&self, level: u8) -> Result<(), Inconsistent> {
        let view = self.view();
        for cluster in self.layout.clusters(level) {
            let costs = view.costs(level, cluster);
            let all = || 0..costs.count();
            let units = |a, b| costs.cost(a, b).map_or(u64::MAX, Cost::units);
            // A way that Theta* finds may be longer than two others combined.
            let is_shortest = level > 1 || !view.local.is_any_angle();
            let shorter = |a, b| all().any(|c| units(a, c).saturating_add(units(c, b)) < units(a, b));
            let fault = all().flat_map(|a| all().map(move |b| (a, b))).find(|&(a, b)| {
                units(a, b) != units(b, a) || (units(a, b) == 0) != (a == b) || is_shortest && shorter(a, b)
            });
            if let Some((a, b)) = fault {
                return Err(Inconsistent::new(format!(
                    "level {level}, cluster {cluster}: distance {a} to {b} is not a metric distance"
                )));
            }
        }
        Ok(())
    }

    /// The clusters of a level, row by row; none if there is no such level.
    pub fn clusters(&self, level: u8) -> impl Iterator<Item = Rect> {
        let known = (1..=self.layout.level_count()).contains(&level);
        let clusters = if known { self.layout.count(level) } else { 0 };
        (0..clusters).map(move |cluster| self.layout.area(level, cluster as u32))
    }

    /// Every node, cluster by cluster.
    #[doc(hidden)]
    pub fn nodes(&self) -> impl Iterator<Item = AbstractNode> {
        let view = self.view();
        self.layout.clusters(1).flat_map(move |cluster| {
            let nodes = view.costs(1, cluster);
            (0..nodes.count()).map(move |local| {
                let is_node = |level: &u8| view.known_rank(nodes.node(local), *level).is_some();
                let upper = (2..=view.levels()).rev().find(is_node);
                AbstractNode { cell: nodes.cell(local), level: upper.unwrap_or(1) }
            })
        })
    }

    /// Every inter-edge, each once.
    #[doc(hidden)]
    pub fn inter_edges(&self) -> impl Iterator<Item = InterEdge> {
        let view = self.view();
        self.layout.clusters(1).flat_map(move |cluster| {
            let nodes = view.costs(1, cluster);
            let mut edges = Vec::new();
            for local in 0..nodes.count() {
                let from = nodes.cell(local);
                view.links(cluster).for_each_from(local, |Link { head, height, cost, .. }| {
                    let to = view.cell(head);
                    if from < to {
                        edges.push(InterEdge { from, to, cost, level: height });
                    }
                });
            }
            edges
        })
    }

    /// Every intra-edge of a level, each once; none if there is no such level.
    #[doc(hidden)]
    pub fn intra_edges(&self, level: u8) -> impl Iterator<Item = IntraEdge> {
        let view = self.view();
        let clusters = self.clusters(level).count() as u32;
        (0..clusters).flat_map(move |cluster| {
            let costs = view.costs(level, cluster);
            let pairs = (0..costs.count()).flat_map(move |a| (a + 1..costs.count()).map(move |b| (a, b)));
            pairs.filter_map(move |(a, b)| {
                let (one, other) = (costs.cell(a), costs.cell(b));
                Some(IntraEdge { from: one.min(other), to: one.max(other), cost: costs.cost(a, b)? })
            })
        })
    }

    /// The size of each level, level 1 first.
    pub fn counts(&self) -> Vec<HpaLevelCounts> {
        let levels = 1..=self.layout.level_count();
        let mut counts: Vec<HpaLevelCounts> = levels
            .map(|level| HpaLevelCounts {
                clusters: self.layout.count(level),
                intra_edges: self.intra_edges(level).count(),
                ..HpaLevelCounts::default()
            })
            .collect();
        self.nodes().for_each(|node| counts[usize::from(node.level) - 1].nodes += 1);
        self.inter_edges().for_each(|edge| counts[usize::from(edge.level) - 1].inter_edges += 1);
        counts
    }
}
