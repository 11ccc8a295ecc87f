//! The hierarchy: HPA*'s index of a map.

use super::dead_ends::DeadEnds;
use super::layout::{ClusterId, Layout};
use super::recent::RecentWays;
use super::stretch::Stretch;
use super::tables::{
    Bends, Costs, Doors, Lanes, Link, Links, Ranks, ReadAhead, Stops, Table, TableView, UNREACHABLE, Ways,
};
use super::{HpaSettings, KeepWays, Local};
use crate::base::{Cell, Cost, Rect, euclidean};
use crate::grid::{Grid, Revision};
use xxhash_rust::xxh3::xxh3_64;

/// The largest number of levels.
pub(crate) const MAX_LEVELS: usize = *HpaSettings::LEVEL_RANGE.end() as usize;

/// The hierarchy of a map: clusters, nodes, inter-edges and intra-edges.
///
/// Build it with [`Hierarchy::build`]. A [`Planner`](crate::Planner) repairs it around
/// every edit.
#[derive(Clone, Debug)]
pub struct Hierarchy {
    pub(super) settings: HpaSettings,
    pub(super) layout: Layout,
    /// Nodes of the clusters and costs of crossing them, one table per level.
    pub(super) costs: Vec<Table>,
    /// Inter-edges of each 1-cluster's nodes.
    pub(super) links: Table,
    /// Inter-edges out of the clusters, one table per level from 2 on.
    pub(super) doors: Vec<Table>,
    /// Ranks of each 1-cluster's nodes on the levels above.
    pub(super) ranks: Table,
    /// The ways through each 1-cluster, if kept.
    pub(super) ways: Option<Table>,
    /// The ways between its nodes, as runs.
    pub(super) lanes: Option<Table>,
    /// The nodes on the ways through clusters, one table per level from 2 on, if
    /// ways are kept.
    pub(super) stops: Vec<Table>,
    /// The revision of the map that this hierarchy describes.
    pub(super) revision: Revision,
    /// What edits have changed.
    pub(super) changes: Changes,
    /// How much dearer ways are than they look.
    pub(super) stretch: Stretch,
    /// Ways out of clusters that lead nowhere.
    pub(super) dead_ends: DeadEnds,
    /// Ways that an edit has found, if they are not kept.
    pub(super) recent: RecentWays,
    /// For each 1-cluster, whether its ways are those of a file: opening one does not prove them. Empty if no ways
    /// are.
    pub(super) has_unproved_ways: Vec<bool>,
}

/// When the records of clusters last changed, so that plans look only at those on their way.
#[derive(Clone, Debug)]
pub(super) struct Changes {
    /// The revision for which the hierarchy was made.
    made: Revision,
    /// By level and cluster, as far as edits have come.
    edited: Vec<Vec<Revision>>,
}

impl Changes {
    pub(super) const fn none_since(made: Revision) -> Self {
        Self { made, edited: Vec::new() }
    }

    /// Notes that nodes or edges of a cluster are others from a revision on.
    pub(super) fn note(&mut self, level: u8, cluster: ClusterId, revision: Revision) {
        let (level, cluster) = (usize::from(level) - 1, cluster as usize);
        self.edited.resize(self.edited.len().max(level + 1), Vec::new());
        let clusters = &mut self.edited[level];
        clusters.resize(clusters.len().max(cluster + 1), self.made);
        clusters[cluster] = revision;
    }

    /// Whether nodes and edges of a cluster are those of an earlier revision of the map.
    #[inline]
    pub(super) fn is_same_since(&self, level: u8, cluster: ClusterId, earlier: Revision) -> bool {
        let clusters = self.edited.get(usize::from(level) - 1);
        *clusters.and_then(|clusters| clusters.get(cluster as usize)).unwrap_or(&self.made) <= earlier
    }
}

impl Hierarchy {
    /// The settings it was built with.
    pub const fn settings(&self) -> &HpaSettings {
        &self.settings
    }

    /// Bytes of all tables that are saved, without and with the ways that are kept.
    pub fn byte_counts(&self) -> (usize, usize) {
        let tables = self.costs.iter().chain(&self.doors).chain([&self.links, &self.ranks]);
        let graph: usize = tables.map(Table::byte_count).sum();
        (
            graph,
            graph
                + self
                    .ways
                    .iter()
                    .chain(&self.lanes)
                    .chain(&self.stops)
                    .map(Table::byte_count)
                    .sum::<usize>(),
        )
    }

    /// Whether the hierarchy matches the current state of a map.
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.revision == grid.revision()
    }

    /// A digest of the content, in constant time. The same on every platform, and
    /// the same after edits as after a rebuild. Hierarchies of the same settings
    /// that differ have different digests, except with negligible probability.
    pub fn digest(&self) -> u64 {
        let tables = self.costs.iter().chain(&self.doors).chain([&self.links, &self.ranks]);
        let tables = tables.chain(&self.ways).chain(&self.lanes).chain(&self.stops);
        let digests: Vec<u8> = tables.flat_map(|table| table.digest().to_le_bytes()).collect();
        xxh3_64(&digests)
    }

    pub(crate) fn view(&self) -> View<'_> {
        let mut costs = [TableView::default(); MAX_LEVELS];
        for (view, table) in costs.iter_mut().zip(&self.costs) {
            *view = table.view();
        }
        let mut stops = [TableView::default(); MAX_LEVELS];
        for (view, table) in stops.iter_mut().zip(&self.stops) {
            *view = table.view();
        }
        let mut doors = [TableView::default(); MAX_LEVELS];
        for (view, table) in doors.iter_mut().zip(&self.doors) {
            *view = table.view();
        }
        let mut dead_ends = [TableView::default(); MAX_LEVELS];
        for (view, table) in dead_ends.iter_mut().zip(&self.dead_ends) {
            *view = table.view();
        }
        View {
            local: self.settings.local,
            changes: &self.changes,
            dead_ends,
            stops,
            doors,
            layout: &self.layout,
            costs,
            links: self.links.view(),
            ranks: self.ranks.view(),
            keep_ways: self.settings.keep_ways,
            ways: self.ways.as_ref().map(Table::view),
            lanes: self.lanes.as_ref().map(Table::view),
        }
    }
}

/// Hierarchies are equal if settings and records are, wherever the bytes lie and
/// whether they were built, edited or read from a file.
impl PartialEq for Hierarchy {
    fn eq(&self, other: &Self) -> bool {
        self.settings == other.settings
            && self.costs == other.costs
            && self.links == other.links
            && self.doors == other.doors
            && self.ranks == other.ranks
            && self.ways == other.ways
            && self.lanes == other.lanes
            && self.stops == other.stops
            && self.stretch == other.stretch
            && self.dead_ends == other.dead_ends
    }
}

impl Eq for Hierarchy {}

/// A hierarchy with direct access to the bytes of its tables.
#[derive(Clone, Copy)]
pub(crate) struct View<'h> {
    pub(crate) local: Local,
    pub(crate) layout: &'h Layout,
    pub(super) changes: &'h Changes,
    pub(super) costs: [TableView<'h>; MAX_LEVELS],
    pub(super) links: TableView<'h>,
    pub(super) ranks: TableView<'h>,
    pub(super) ways: Option<TableView<'h>>,
    pub(super) lanes: Option<TableView<'h>>,
    pub(super) keep_ways: KeepWays,
    /// Starts with level 2.
    pub(super) doors: [TableView<'h>; MAX_LEVELS],
    /// Starts with level 2; empty if no ways are kept.
    pub(super) stops: [TableView<'h>; MAX_LEVELS],
    pub(super) dead_ends: [TableView<'h>; MAX_LEVELS],
}

/// The inter-edges out of a cluster, by the nodes they start from.
#[derive(Clone, Copy)]
pub(crate) enum Exits<'h> {
    /// Out of a 1-cluster.
    First(Links<'h>),
    /// Out of one of level 2 or more, with its nodes.
    Upper(Costs<'h>, Doors<'h>),
}

impl Exits<'_> {
    /// Calls `visit` with the head and the cost of every inter-edge from the node of a rank. From level 2 on, with the
    /// cell of the head, which is faster than to look it up.
    #[inline]
    pub(crate) fn for_each_at(&self, rank: usize, mut visit: impl FnMut(u32, Cost, Option<Cell>)) {
        match self {
            Self::First(links) => links.for_each_from(rank, |link| visit(link.head, link.cost, None)),
            Self::Upper(nodes, doors) => doors.for_each_at(rank, |head, step| {
                visit(head, step.cost, Some(nodes.cell(rank).step(step.direction)));
            }),
        }
    }
}

impl<'h> View<'h> {
    #[inline]
    pub(crate) fn levels(&self) -> u8 {
        self.layout.level_count()
    }

    /// Nodes and intra-edges of a cluster.
    #[inline]
    pub(crate) fn costs(&self, level: u8, cluster: ClusterId) -> Costs<'h> {
        Costs::new(self.costs[usize::from(level) - 1].record(cluster))
    }

    /// The spot of a cluster's node of a rank.
    #[inline]
    pub(crate) fn spot(&self, level: u8, cluster: ClusterId, rank: usize) -> usize {
        self.costs[usize::from(level) - 1].spot(cluster, rank)
    }

    /// For each node of a cluster, from which level on all ways out by it are dead ends; see [`DeadEnds`].
    #[inline]
    pub(super) fn dead_ends(&self, level: u8, cluster: ClusterId) -> &'h [u8] {
        self.dead_ends[usize::from(level) - 1].record(cluster)
    }

    /// Inter-edges of the nodes of a 1-cluster.
    #[inline]
    pub(crate) fn links(&self, cluster: ClusterId) -> Links<'h> {
        Links::new(self.links.record(cluster))
    }

    /// Rank of a node on a level; it must be a node of that level.
    #[inline]
    pub(crate) fn rank(&self, node: u32, level: u8) -> usize {
        self.known_rank(node, level).unwrap_or(0)
    }

    /// Rank of a node on a level; `None` if it is not a node there.
    #[inline]
    pub(crate) fn known_rank(&self, node: u32, level: u8) -> Option<usize> {
        let (cluster, local) = self.layout.cluster_and_local(node);
        if level == 1 {
            return Some(local);
        }
        Ranks::new(self.ranks.record(cluster), self.levels()).rank(local, level)
    }

    /// The node at a cell; `None` if there is none.
    pub(crate) fn node_at(&self, cell: Cell) -> Option<u32> {
        let cluster = self.layout.contains(cell).then(|| self.layout.cluster_of(1, cell))?;
        Some(self.layout.node(cluster, self.costs(1, cluster).rank_at(cell)?))
    }

    /// The cell of a node.
    #[inline]
    pub(crate) fn cell(&self, node: u32) -> Cell {
        let (cluster, local) = self.layout.cluster_and_local(node);
        self.costs[0].cell(cluster, local)
    }

    /// Calls `visit` with every node beyond the border that is reached through the
    /// cluster from its node of this rank, and the cost up to there.
    #[inline]
    pub(crate) fn for_each_beyond(
        &self,
        level: u8,
        cluster: ClusterId,
        rank: usize,
        mut visit: impl FnMut(u32, Cost),
    ) {
        let row = self.costs(level, cluster).row(rank);
        if level > 1 {
            Doors::new(self.doors[usize::from(level) - 2].record(cluster)).for_each_beyond(row, visit);
            return;
        }
        self.links(cluster).for_each(|local, link| {
            if let Some(cost) = row.cost(local) {
                visit(link.head, cost + link.cost);
            }
        });
    }

    /// The ways out of a cluster.
    #[inline]
    pub(crate) fn exits(&self, level: u8, cluster: ClusterId) -> Exits<'h> {
        if level == 1 {
            Exits::First(self.links(cluster))
        } else {
            let doors = Doors::new(self.doors[usize::from(level) - 2].record(cluster));
            Exits::Upper(self.costs(level, cluster), doors)
        }
    }

    /// Calls `visit` with the head and cost of every intra-edge of a level from a
    /// node of that level.
    #[inline]
    pub(crate) fn for_each_crossing(&self, node: u32, level: u8, visit: impl FnMut(u32, Cost)) {
        let cluster = self.layout.ancestor(level, self.layout.cluster_and_local(node).0);
        self.costs(level, cluster).for_each_from(self.rank(node, level), visit);
    }

    /// Calls `visit` with the head, its 1-cluster and the cost of every inter-edge
    /// that leaves the node's cluster of a level and counts there.
    #[inline]
    pub(crate) fn for_each_way_out(&self, node: u32, level: u8, mut visit: impl FnMut(u32, ClusterId, Cost)) {
        let (cluster, local) = self.layout.cluster_and_local(node);
        self.links(cluster).for_each_from(local, |Link { head, height, cost, .. }| {
            if height >= level {
                visit(head, self.layout.cluster_and_local(head).0, cost);
            }
        });
    }

    /// The ways to a 1-cluster's nodes step by step, if kept.
    #[inline]
    pub(crate) fn ways(&self, cluster: ClusterId, area: Rect) -> Option<Ways<'h>> {
        let record = self.ways.as_ref().filter(|_| !self.local.is_any_angle())?.record(cluster);
        Some(Ways::new(record, area.cell_count()))
    }

    /// The ways to a 1-cluster's nodes turn by turn, if kept.
    #[inline]
    pub(crate) fn bends(&self, cluster: ClusterId, area: Rect) -> Option<Bends<'h>> {
        let record = self.ways.as_ref().filter(|_| self.local.is_any_angle())?.record(cluster);
        Some(Bends::new(record, area))
    }

    /// Whether the ways from every cell of a 1-cluster to its nodes are kept.
    #[inline]
    pub(crate) const fn keeps_ways(&self) -> bool {
        self.ways.is_some()
    }

    /// Whether the nodes on the ways through clusters of level 2 or more are kept.
    #[inline]
    pub(crate) fn keeps_stops(&self) -> bool {
        self.keep_ways != KeepWays::Nothing
    }

    /// Appends the costs of the kept ways from a cell of a 1-cluster to all its nodes, or
    /// [`UNREACHABLE`].
    pub(crate) fn add_kept_costs(&self, grid: &Grid, cluster: ClusterId, from: Cell, costs: &mut Vec<u64>) {
        /// Ways that are followed side by side.
        const AT_ONCE: usize = 4;
        let area = self.layout.area(1, cluster);
        let nodes = self.costs(1, cluster);
        let Some(ways) = self.ways(cluster, area) else {
            let kept = |to| self.kept_cost(grid, cluster, from, to).unwrap_or(UNREACHABLE);
            return costs.extend((0..nodes.count()).map(kept));
        };
        for first in (0..nodes.count()).step_by(AT_ONCE) {
            // The last few are filled up with the last one.
            let locals: [usize; AT_ONCE] = std::array::from_fn(|at| (first + at).min(nodes.count() - 1));
            let found = ways.walk_costs(grid, area, from, locals.map(|local| (local, nodes.cell(local))));
            costs.extend(found.into_iter().take(nodes.count() - first));
        }
    }

    /// Cost of the kept way from a cell of a 1-cluster to one of its nodes, or
    /// [`UNREACHABLE`]; `None` if ways are not kept.
    #[inline]
    pub(crate) fn kept_cost(&self, grid: &Grid, cluster: ClusterId, from: Cell, local: usize) -> Option<u64> {
        let area = self.layout.area(1, cluster);
        let node = self.costs[0].cell(cluster, local);
        if let Some(ways) = self.ways(cluster, area) {
            return Some(ways.walk_costs(grid, area, from, [(local, node)])[0]);
        }
        let bends = self.bends(cluster, area)?;
        if grid.line_of_sight(from, node) {
            return Some(euclidean(from, node).units());
        }
        // Opening a file tests only the legs between nodes: there are too many
        // others, and few are ever used. Those are tested here.
        let (mut at, mut cost, mut is_clear) = (from, 0, true);
        let arrives = bends.follow(local, from, node, |next| {
            is_clear = is_clear && grid.line_of_sight(at, next);
            cost += euclidean(at, next).units();
            at = next;
        });
        Some(if arrives && is_clear { cost } else { UNREACHABLE })
    }

    /// The nodes on the ways through a cluster of level 2 or more, if kept.
    #[inline]
    pub(crate) fn stops(&self, level: u8, cluster: ClusterId) -> Option<Stops<'h>> {
        self.keeps_stops().then(|| Stops::new(self.stops_record(level, cluster), self.costs(level, cluster)))
    }

    /// The record of [`View::stops`].
    pub(super) fn stops_record(&self, level: u8, cluster: ClusterId) -> &'h [u8] {
        self.stops[usize::from(level) - 2].record(cluster)
    }

    /// Reads ahead what shifting a path through these clusters of a level will read, and, on level 1, following it.
    pub(super) fn read_ahead(
        &self,
        ahead: &mut ReadAhead,
        level: u8,
        clusters: impl Iterator<Item = ClusterId> + Clone,
    ) {
        // Most records of 1-clusters are no longer than this by default. Those of upper levels are, but nodes and doors come first.
        let costs = self.costs[usize::from(level) - 1];
        if level > 1 {
            ahead.read(costs, 32, clusters.clone());
            ahead.read(self.doors[usize::from(level) - 2], 16, clusters);
            return;
        }
        ahead.read(costs, 12, clusters.clone());
        ahead.read(self.links, 4, clusters.clone());
        if let Some(lanes) = self.lanes {
            ahead.read(lanes, 12, clusters);
        }
    }

    /// Reads ahead what replacing crossings by legs of the level below will read first, given the 1-clusters where each
    /// begins and ends.
    pub(super) fn read_ahead_for_lowering(
        &self,
        ahead: &mut ReadAhead,
        level: u8,
        ends: impl Iterator<Item = [ClusterId; 2]> + Clone,
    ) {
        if self.keeps_stops() {
            ahead.read(self.ranks, 1, ends.clone().flatten());
            let clusters = ends.map(|[from, _]| self.layout.ancestor(level, from));
            // The islands say where the stops of a pair lie. Where the path was shifted, they were read before.
            if level + 1 < self.layout.first_net() {
                ahead.read(self.costs[usize::from(level) - 1], 12, clusters.clone());
            }
            ahead.read(self.stops[usize::from(level) - 2], 8, clusters);
        }
    }

    /// The ways between the nodes of a 1-cluster, if kept.
    #[inline]
    pub(crate) fn lanes(&self, cluster: ClusterId) -> Option<Lanes<'h>> {
        Some(Lanes::new(self.lanes.as_ref()?.record(cluster), self.costs(1, cluster)))
    }
}
