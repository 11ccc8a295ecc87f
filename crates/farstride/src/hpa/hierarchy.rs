//! The abstraction of a map.

use super::layout::{ClusterId, Layout};
use super::tables::{Bends, Costs, Doors, Lanes, Links, NO_WAY, Ranks, Stops, Table, TableView, Ways};
use super::{Local, Settings};
use crate::base::{Cell, Cost, Rect, euclidean};
use crate::grid::{Contents, Grid};
use xxhash_rust::xxh3::xxh3_64;

/// Most levels there can be.
pub(crate) const MAX_LEVELS: usize = *Settings::LEVEL_RANGE.end() as usize;

/// The abstraction of a map: clusters, nodes, inter-edges and intra-edges.
#[derive(Clone, Debug)]
pub struct Hierarchy {
    pub(super) settings: Settings,
    pub(super) layout: Layout,
    /// What it costs to cross the clusters, one table per level.
    pub(super) costs: Vec<Table>,
    /// Inter-edges of the nodes of each 1-cluster.
    pub(super) links: Table,
    /// Inter-edges out of the clusters of level 2 and above.
    pub(super) doors: Vec<Table>,
    /// Ranks on the levels above of the nodes of each 1-cluster.
    pub(super) ranks: Table,
    /// The ways through each 1-cluster, if they are kept.
    pub(super) ways: Option<Table>,
    /// The same between the nodes, as runs.
    pub(super) lanes: Option<Table>,
    /// The stops on the ways through the clusters of level 2 and above, if
    /// ways are kept.
    pub(super) stops: Vec<Table>,
    /// The contents of the map that this is the abstraction of.
    pub(super) contents: Contents,
}

impl Hierarchy {
    /// How the map was abstracted.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Bytes of all tables, without and with the ways that are kept.
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

    /// Whether this is the abstraction of a map as it is now.
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.contents == grid.contents()
    }

    /// A number that differs, as good as certainly, between abstractions of the
    /// same settings that differ; equal on every platform, and after edits the same as after a
    /// build from scratch. Constant time.
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
        View {
            local: self.settings.local,
            stops,
            doors,
            layout: &self.layout,
            costs,
            links: self.links.view(),
            ranks: self.ranks.view(),
            ways: self.ways.as_ref().map(Table::view),
            lanes: self.lanes.as_ref().map(Table::view),
        }
    }
}

/// Equal abstractions have equal settings and records, wherever these lie and
/// however they came about.
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
    }
}

impl Eq for Hierarchy {}

/// A hierarchy whose bytes are at hand.
#[derive(Clone, Copy)]
pub(crate) struct View<'h> {
    pub(crate) local: Local,
    pub(crate) layout: &'h Layout,
    pub(super) costs: [TableView<'h>; MAX_LEVELS],
    pub(super) links: TableView<'h>,
    pub(super) ranks: TableView<'h>,
    pub(super) ways: Option<TableView<'h>>,
    pub(super) lanes: Option<TableView<'h>>,
    /// Level 2 first.
    pub(super) doors: [TableView<'h>; MAX_LEVELS],
    /// Level 2 first; nothing is in them if ways are not kept.
    pub(super) stops: [TableView<'h>; MAX_LEVELS],
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

    /// Inter-edges of the nodes of a 1-cluster.
    #[inline]
    pub(crate) fn links(&self, cluster: ClusterId) -> Links<'h> {
        Links::new(self.links.record(cluster))
    }

    /// Rank of a node on a level on which it is a node.
    #[inline]
    pub(crate) fn rank(&self, node: u32, level: u8) -> usize {
        self.known_rank(node, level).unwrap_or(0)
    }

    /// Rank of a node on a level, if it is a node there.
    #[inline]
    pub(crate) fn known_rank(&self, node: u32, level: u8) -> Option<usize> {
        let (cluster, local) = self.layout.cluster_and_local(node);
        if level == 1 {
            return Some(local);
        }
        Ranks::new(self.ranks.record(cluster), self.levels()).rank(local, level)
    }

    /// The node at a cell, if there is one.
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

    /// Calls `visit` with the nodes beyond the border of a cluster that can be
    /// reached from its node of a rank through it, and the cost up to them.
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
        self.links(cluster).for_each(|local, head, step| {
            if let Some(cost) = row.cost(local) {
                visit(head, cost + step);
            }
        });
    }

    /// Calls `visit` with the nodes that intra-edges of a level lead to from a
    /// node of that level.
    #[inline]
    pub(crate) fn for_each_crossing(&self, node: u32, level: u8, visit: impl FnMut(u32, Cost)) {
        let cluster = self.layout.ancestor(level, self.layout.cluster_and_local(node).0);
        self.costs(level, cluster).for_each_from(self.rank(node, level), visit);
    }

    /// Calls `visit` with the nodes that inter-edges out of a node's cluster of
    /// a level lead to, and with the 1-clusters of these.
    #[inline]
    pub(crate) fn for_each_way_out(&self, node: u32, level: u8, mut visit: impl FnMut(u32, ClusterId, Cost)) {
        let (cluster, local) = self.layout.cluster_and_local(node);
        let here = self.layout.ancestor(level, cluster);
        self.links(cluster).for_each_from(local, |head, cost| {
            let other = self.layout.cluster_and_local(head).0;
            if self.layout.ancestor(level, other) != here {
                visit(head, other, cost);
            }
        });
    }

    /// The ways to the nodes of a 1-cluster step by step, if they are kept.
    #[inline]
    pub(crate) fn ways(&self, cluster: ClusterId, area: Rect) -> Option<Ways<'h>> {
        let record = self.ways.as_ref().filter(|_| !self.local.is_any_angle())?.record(cluster);
        Some(Ways::new(record, area.cell_count()))
    }

    /// The ways to the nodes of a 1-cluster turn by turn, if they are kept.
    #[inline]
    pub(crate) fn bends(&self, cluster: ClusterId, area: Rect) -> Option<Bends<'h>> {
        let record = self.ways.as_ref().filter(|_| self.local.is_any_angle())?.record(cluster);
        Some(Bends::new(record, area))
    }

    /// Whether the ways through clusters are kept.
    #[inline]
    pub(crate) const fn keeps_ways(&self) -> bool {
        self.ways.is_some()
    }

    /// Cost of the way that is kept from a cell of a 1-cluster to one of its
    /// nodes, or [`NO_WAY`]; nothing if ways are not kept.
    #[inline]
    pub(crate) fn kept_cost(&self, grid: &Grid, cluster: ClusterId, from: Cell, local: usize) -> Option<u64> {
        let area = self.layout.area(1, cluster);
        let node = self.costs[0].cell(cluster, local);
        if let Some(ways) = self.ways(cluster, area) {
            return Some(ways.walk_cost(grid, area, from, local, node));
        }
        let bends = self.bends(cluster, area)?;
        if grid.line_of_sight(from, node) {
            return Some(euclidean(from, node).units());
        }
        // Opening a file looks at the legs between nodes only. There are too
        // many others, and few that are ever used: these are looked at here.
        let (mut at, mut cost, mut is_clear) = (from, 0, true);
        let arrives = bends.follow(local, from, node, |next| {
            is_clear = is_clear && grid.line_of_sight(at, next);
            cost += euclidean(at, next).units();
            at = next;
        });
        Some(if arrives && is_clear { cost } else { NO_WAY })
    }

    /// The stops on the ways through a cluster of level 2 or more, if they are
    /// kept.
    #[inline]
    pub(crate) fn stops(&self, level: u8, cluster: ClusterId) -> Option<Stops<'h>> {
        self.keeps_ways().then(|| Stops::new(self.stops[usize::from(level) - 2].record(cluster)))
    }

    /// The ways between the nodes of a 1-cluster, if they are kept.
    #[inline]
    pub(crate) fn lanes(&self, cluster: ClusterId) -> Option<Lanes<'h>> {
        Some(Lanes::new(self.lanes.as_ref()?.record(cluster)))
    }
}
