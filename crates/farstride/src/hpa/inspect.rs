//! Looking at an abstraction: for tests, statistics and pictures.

use super::Hierarchy;
use crate::base::{Cell, Cost, Rect};

/// A node of the abstract graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AbstractNode {
    /// Where it is.
    pub cell: Cell,
    /// The highest level on which it is a node.
    pub level: u8,
}

/// A step from one cluster to another. It can be taken both ways.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InterEdge {
    /// The end that comes first in reading order.
    pub from: Cell,
    /// The other end.
    pub to: Cell,
    /// What the step costs.
    pub cost: Cost,
    /// The highest level on which its ends lie in different clusters.
    pub level: u8,
}

/// A way through a cluster. It can be taken both ways.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IntraEdge {
    /// The end that comes first in reading order.
    pub from: Cell,
    /// The other end.
    pub to: Cell,
    /// What it costs.
    pub cost: Cost,
}

/// How large an abstraction is on one level, as the paper's Table 2 counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct LevelCounts {
    /// Clusters.
    pub clusters: usize,
    /// Nodes whose highest level this is.
    pub nodes: usize,
    /// Inter-edges whose highest level this is.
    pub inter_edges: usize,
    /// Intra-edges of this level.
    pub intra_edges: usize,
}

impl Hierarchy {
    /// Re-proves what can be proved without the map: that inter-edges lead both
    /// ways, and that distances are symmetric and obey the triangle inequality.
    /// Those of HPT* on level 1 need not obey it: the ways that Theta* finds
    /// are not always the shortest.
    ///
    /// # Errors
    /// The first broken invariant in words.
    pub fn check(&self) -> Result<(), String> {
        let view = self.view();
        for cluster in self.layout.clusters(1) {
            let nodes = view.costs(1, cluster);
            for local in 0..nodes.count() {
                let node = nodes.node(local);
                let mut lonely = None;
                view.links(cluster).for_each_from(local, |head, cost| {
                    let (other, there) = self.layout.cluster_and_local(head);
                    let mut back = false;
                    let links = view.links(other);
                    links.for_each_from(there, |tail, other_cost| back |= (tail, other_cost) == (node, cost));
                    if !back {
                        lonely = Some(head);
                    }
                });
                if let Some(head) = lonely {
                    return Err(format!("the inter-edge from node {node} to node {head} does not lead back"));
                }
            }
        }
        (1..=self.layout.level_count()).try_for_each(|level| self.check_distances(level))
    }

    fn check_distances(&self, level: u8) -> Result<(), String> {
        let view = self.view();
        for cluster in self.layout.clusters(level) {
            let costs = view.costs(level, cluster);
            let all = || 0..costs.count();
            let units = |a, b| costs.cost(a, b).map_or(u64::MAX, Cost::units);
            // The ways that Theta* finds may be longer than others put together.
            let is_shortest = level > 1 || !view.local.is_any_angle();
            let shorter = |a, b| all().any(|c| units(a, c).saturating_add(units(c, b)) < units(a, b));
            let fault = all().flat_map(|a| all().map(move |b| (a, b))).find(|&(a, b)| {
                units(a, b) != units(b, a) || (units(a, b) == 0) != (a == b) || is_shortest && shorter(a, b)
            });
            if let Some((a, b)) = fault {
                return Err(format!("level {level}, cluster {cluster}: distance {a} to {b} is no distance"));
            }
        }
        Ok(())
    }

    /// The clusters of a level, row by row.
    pub fn clusters(&self, level: u8) -> impl Iterator<Item = Rect> {
        let known = (1..=self.layout.level_count()).contains(&level);
        let clusters = if known { self.layout.count(level) } else { 0 };
        (0..clusters).map(move |cluster| self.layout.area(level, cluster as u32))
    }

    /// Every node, cluster by cluster.
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

    /// Every inter-edge once.
    pub fn inter_edges(&self) -> impl Iterator<Item = InterEdge> {
        let view = self.view();
        self.layout.clusters(1).flat_map(move |cluster| {
            let nodes = view.costs(1, cluster);
            let mut edges = Vec::new();
            for local in 0..nodes.count() {
                let from = nodes.cell(local);
                view.links(cluster).for_each_from(local, |head, cost| {
                    let to = view.cell(head);
                    if from < to {
                        edges.push(InterEdge { from, to, cost, level: view.layout.border_level(from, to) });
                    }
                });
            }
            edges
        })
    }

    /// Every intra-edge of a level once; none if there is no such level.
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

    /// How large each level is, the first level first.
    pub fn counts(&self) -> Vec<LevelCounts> {
        let levels = 1..=self.layout.level_count();
        let mut counts: Vec<LevelCounts> = levels
            .map(|level| LevelCounts {
                clusters: self.layout.count(level),
                intra_edges: self.intra_edges(level).count(),
                ..LevelCounts::default()
            })
            .collect();
        self.nodes().for_each(|node| counts[usize::from(node.level) - 1].nodes += 1);
        self.inter_edges().for_each(|edge| counts[usize::from(edge.level) - 1].inter_edges += 1);
        counts
    }
}
