//! The hierarchy as graphs that can be searched.

use super::Local;
use super::dead_ends::LEADS_ON;
use super::entrance::DENSE_LEVELS;
use super::hierarchy::{MAX_LEVELS, View};
use super::insert::Insertion;
use super::layout::ClusterId;
use super::stretch;
use crate::base::{self, Cost, Node, NodeId, Rect, euclidean};
use crate::graph::Graph;
use crate::grid::{Grid, Rules};
use crate::search::{EuclideanTarget, GridTarget, Target};
use std::cell::Cell;

/// The hierarchy with start and goal inserted: the graph of the main search.
///
/// Start and goal are connected to the nodes of their clusters on the entry
/// level. If that is the highest level on which they lie in different clusters,
/// this is the search of the paper: all clusters are crossed on that level.
/// Otherwise the search enters on level 1 and climbs by itself: each cluster is
/// crossed on the highest level on which it contains neither start nor goal, nor is
/// [near](NEAR_A_BORDER) one of them, nor the [host](super::pockets) of one. That looks only at connections to upper levels that
/// lie on the way.
#[derive(Clone)]
pub(super) struct QueryGraph<'a> {
    grid: &'a Grid,
    pub(super) view: &'a View<'a>,
    pub(super) start: &'a Insertion,
    pub(super) goal: &'a Insertion,
    entry: u8,
    climbs: bool,
    /// The node number of the start; the goal's is one more.
    start_node: u32,
    /// By level, level 1 first.
    ends: [Ends; MAX_LEVELS],
    /// Position of the node asked about last, because its arcs are asked for in
    /// several calls.
    last: Cell<Option<(u32, Option<Position>)>>,
}

/// The clusters of start and goal on a level, up to three more for each of them that are near, and those with a host
/// of one of them, of this level or one below: a climbing search does not cross them on that level.
#[derive(Clone, Copy)]
struct Ends {
    areas: [Rect; Self::MOST],
    count: usize,
}

impl Ends {
    /// There is at most one host per level.
    const MOST: usize = 2 * (4 + MAX_LEVELS);

    fn none(view: &View<'_>) -> Self {
        Self { areas: [view.layout.map_area(); Self::MOST], count: 0 }
    }

    /// Those on a level, where clusters no farther than `near` from start or goal are near.
    fn on(level: u8, view: &View<'_>, ends: [&Insertion; 2], near: u16) -> Self {
        let layout = view.layout;
        let mut found = Self::none(view);
        for end in ends {
            let around = Rect::from(end.cell).grown(near, layout.map_area());
            let hosts = end.hosts().iter().filter(|&&(of, _)| of <= level);
            let hosts = hosts.map(|&(of, host)| layout.cluster_of(level, layout.area(of, host).min()));
            for cluster in layout.touching(level, around).chain(hosts) {
                found.add(layout.area(level, cluster));
            }
        }
        found
    }

    fn add(&mut self, area: Rect) {
        if !self.any(|known| *known == area) {
            self.areas[self.count] = area;
            self.count += 1;
        }
    }

    #[inline]
    fn any(&self, is_it: impl FnMut(&Rect) -> bool) -> bool {
        self.areas[..self.count].iter().any(is_it)
    }
}

/// Cells so near a border of an upper level need all its transitions, of which the level has
/// only some: the next one may be farther away than the border. There the cluster beyond is
/// crossed on a lower level, too. Without that, paths on fields were up to 14 % too dear.
const NEAR_A_BORDER: u16 = 8;

/// The position of a node in the cluster that is crossed from it.
#[derive(Clone, Copy)]
pub(super) struct Position {
    pub(super) level: u8,
    pub(super) cluster: ClusterId,
    pub(super) rank: usize,
}

impl<'a> QueryGraph<'a> {
    pub(super) fn new(
        grid: &'a Grid,
        view: &'a View<'a>,
        start: &'a Insertion,
        goal: &'a Insertion,
        entry: u8,
        climbs: bool,
        // Whether transitions are close together, and upper levels have only some of them.
        is_dense: bool,
    ) -> Self {
        let mut ends = [Ends::none(view); MAX_LEVELS];
        for level in 1..=view.levels() {
            // Larger than the area around a cell, so that at most three others touch that.
            let is_large = view.layout.side(level) > 2 * usize::from(NEAR_A_BORDER);
            let near = if is_dense && is_large && level > DENSE_LEVELS { NEAR_A_BORDER } else { 0 };
            ends[usize::from(level) - 1] = Ends::on(level, view, [start, goal], near);
        }
        Self {
            grid,
            view,
            start,
            goal,
            entry,
            climbs,
            start_node: view.layout.node_bound() as u32,
            ends,
            last: Cell::new(None),
        }
    }

    /// Whether leaving a cluster by a node on a cell is of no use, where the ways out are dead ends from a level on. It may be of use if
    /// they lead to a cluster of that level that is not crossed on it, because start or goal are in it or near.
    #[inline]
    pub(super) fn is_needless_exit(&self, dead_from: u8, cell: base::Cell) -> bool {
        if dead_from == LEADS_ON {
            return false;
        }
        !self.ends[usize::from(dead_from) - 1].any(|area| area.adjoins(cell))
    }

    /// Whether the search enters on level 1 and climbs by itself.
    pub(super) const fn climbs(&self) -> bool {
        self.climbs
    }

    /// Whether an arc to `node` may be a straight leg instead of an edge: an arc
    /// to the goal in a climbing any-angle search may.
    pub(super) fn climbs_to_goal(&self, node: NodeId) -> bool {
        self.climbs && self.view.local.is_any_angle() && node == self.goal_node()
    }

    /// The node by which the cheapest way from `from` to `head` leaves the cluster
    /// of `from` on `level`; `head` is outside it.
    pub(super) fn exit_to(&self, head: u32, from: u32, level: u8) -> u32 {
        let layout = self.view.layout;
        let cluster = layout.ancestor(level, layout.cluster_and_local(from).0);
        let row = self.view.costs(level, cluster).row(self.view.rank(from, level));
        self.cheapest_exit(head, level, cluster, |rank| row.cost(rank))
    }

    /// As [`QueryGraph::exit_to`], from the start out of its 1-cluster.
    pub(super) fn exit_from_start(&self, head: u32) -> u32 {
        self.cheapest_exit(head, 1, self.start.cluster(1), |rank| self.start.cost(1, rank))
    }

    /// The near end of the inter-edge from `cluster` to `head` that gives the
    /// cheapest way, where `cost_to` is the cost to the node of each rank.
    fn cheapest_exit(
        &self,
        head: u32,
        level: u8,
        cluster: ClusterId,
        cost_to: impl Fn(usize) -> Option<Cost>,
    ) -> u32 {
        let layout = self.view.layout;
        let mut best = (Cost::MAX, head);
        self.view.for_each_way_out(head, level, |exit, first, step| {
            if layout.ancestor(level, first) == cluster
                && let Some(cost) = cost_to(self.view.rank(exit, level))
                && cost + step < best.0
            {
                best = (cost + step, exit);
            }
        });
        best.1
    }

    /// The level on which start and goal are connected.
    pub(super) const fn entry(&self) -> u8 {
        self.entry
    }

    pub(super) const fn start_node(&self) -> NodeId {
        NodeId::new(self.start_node)
    }

    pub(super) const fn goal_node(&self) -> NodeId {
        NodeId::new(self.start_node + 1)
    }

    /// The level on which a 1-cluster is crossed.
    #[inline]
    pub(super) fn crossing_level(&self, cluster: ClusterId) -> u8 {
        if !self.climbs {
            return self.entry;
        }
        // Clusters are told apart by a corner: to look up those of all levels would take longer.
        let corner = self.view.layout.corner(cluster);
        let mut level = self.view.levels();
        while level > 1 && self.ends[usize::from(level) - 1].any(|area| area.contains(corner)) {
            level -= 1;
        }
        level
    }

    /// The position of a node; `None` if it is not a node of the level on which its
    /// cluster is crossed, because the transition by which it is entered does not count
    /// there. Another one near it does, or it is the door of a pocket, in which neither start nor goal is.
    #[inline]
    fn position(&self, node: u32) -> Option<Position> {
        if let Some((last, position)) = self.last.get()
            && last == node
        {
            return position;
        }
        let first = self.view.layout.cluster_and_local(node).0;
        let level = self.crossing_level(first);
        let cluster = self.view.layout.ancestor(level, first);
        let rank = self.view.known_rank(node, level);
        let position = rank.map(|rank| Position { level, cluster, rank });
        self.last.set(Some((node, position)));
        position
    }

    /// The cluster that a climbing search enters at a node; `None` for the start, and for a node
    /// without a position.
    #[inline]
    pub(super) fn entered(&self, node: NodeId) -> Option<Position> {
        if node < self.start_node() { self.position(node.pack()) } else { None }
    }

    pub(super) fn cell(&self, node: NodeId) -> base::Cell {
        match node.pack().checked_sub(self.start_node) {
            None => self.view.cell(node.pack()),
            Some(0) => self.start.cell,
            Some(_) => self.goal.cell,
        }
    }

    /// Arcs from the start in a climbing search: through its cluster and on to the
    /// first nodes of the clusters beyond.
    pub(super) fn for_each_way_from_start(&self, mut visit: impl FnMut(NodeId, Cost)) {
        let cluster = self.start.cluster(1);
        self.view.links(cluster).for_each(|rank, link| {
            if let Some(cost) = self.start.cost(1, rank) {
                visit(NodeId::new(link.head), cost + link.cost);
            }
        });
    }

    /// Arcs from a node in a climbing search: through its cluster and on to the
    /// first nodes of the clusters beyond. Joining crossing and inter-edge into one
    /// arc halves the nodes: only those where a cluster is entered are reached.
    /// `beyond` calls its argument with the arcs out of the cluster.
    #[inline]
    fn for_each_way_through<V: FnMut(NodeId, Cost)>(
        &self,
        node: u32,
        mut visit: V,
        beyond: impl FnOnce(Position, &mut V),
    ) {
        if let Some(cost) = self.straight_to_goal(node) {
            visit(self.goal_node(), cost);
            return;
        }
        self.for_each_goal_arc(node, &mut visit);
        if let Some(position) = self.position(node) {
            beyond(position, &mut visit);
        }
    }

    /// Cost of the straight leg from a node to the goal, if the search is
    /// any-angle and the goal is in sight. Then the node needs no other arcs:
    /// no other way from it is shorter.
    #[inline]
    pub(super) fn straight_to_goal(&self, node: u32) -> Option<Cost> {
        if !self.view.local.is_any_angle() {
            return None;
        }
        let cell = self.view.cell(node);
        self.grid.line_of_sight(cell, self.goal.cell).then(|| euclidean(cell, self.goal.cell))
    }

    /// Cost from a node of the goal's cluster of the entry level to the goal.
    fn goal_cost(&self, node: u32) -> Option<Cost> {
        if self.entry == 1 {
            self.goal.cost_now(self.grid, self.view, self.view.layout.cluster_and_local(node).1)
        } else {
            self.goal.cost(self.entry, self.view.rank(node, self.entry))
        }
    }

    fn for_each_start_arc(&self, mut visit: impl FnMut(NodeId, Cost)) {
        let nodes = self.view.costs(self.entry, self.start.cluster(self.entry));
        for rank in 0..self.start.node_count(self.entry) {
            if let Some(cost) = self.start.cost(self.entry, rank) {
                visit(NodeId::new(nodes.node(rank)), cost);
            }
        }
    }

    #[inline]
    pub(super) fn for_each_goal_arc(&self, node: u32, mut visit: impl FnMut(NodeId, Cost)) {
        let first = self.view.layout.cluster_and_local(node).0;
        let cluster = if self.entry == 1 { first } else { self.view.layout.ancestor(self.entry, first) };
        if cluster == self.goal.cluster(self.entry)
            && let Some(cost) = self.goal_cost(node)
        {
            visit(self.goal_node(), cost);
        }
    }
}

impl Graph for QueryGraph<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.view.layout.node_bound() + 2
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn for_each_arc(&self, node: NodeId, visit: impl FnMut(NodeId, Cost)) {
        self.for_each_onward_arc(node, node, visit);
    }

    /// In a climbing search, the other nodes of a cluster just entered: going on
    /// from one of them is never shorter than going on directly.
    #[inline]
    fn for_each_spared(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        if self.climbs
            && let Some(Position { level, cluster, rank }) = self.entered(node)
        {
            self.view.costs(level, cluster).for_each_from(rank, |head, cost| visit(NodeId::new(head), cost));
        }
    }

    /// After crossing a cluster, the next arc must leave it: two crossings in a
    /// row are never shorter than one.
    #[inline]
    fn for_each_onward_arc(&self, node: NodeId, parent: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        match (node == self.start_node(), self.climbs) {
            (true, true) => return self.for_each_way_from_start(visit),
            (true, false) => return self.for_each_start_arc(visit),
            (false, true) => {
                return self.for_each_way_through(
                    node.pack(),
                    visit,
                    |Position { level, cluster, rank }, visit| {
                        self.view.for_each_beyond(level, cluster, rank, |head, cost| {
                            visit(NodeId::new(head), cost);
                        });
                    },
                );
            }
            (false, false) => {}
        }
        let layout = self.view.layout;
        let number = node.pack();
        let cluster = layout.cluster_and_local(number).0;
        let level = self.crossing_level(cluster);
        self.for_each_goal_arc(number, &mut visit);
        let from = if parent == self.start_node() {
            self.start.cluster(1)
        } else {
            layout.cluster_and_local(parent.pack()).0
        };
        let crossed = parent != node && layout.ancestor(level, from) == layout.ancestor(level, cluster);
        if !crossed {
            self.view.for_each_crossing(number, level, |head, cost| visit(NodeId::new(head), cost));
        }
        self.view.for_each_way_out(number, level, |head, _, cost| visit(NodeId::new(head), cost));
    }
}

/// A lower bound of the distance to a cell: by steps, or straight.
#[derive(Clone, Copy)]
pub(super) enum Bound {
    Steps(GridTarget),
    Straight(EuclideanTarget),
}

impl Bound {
    pub(super) fn new(local: Local, goal: base::Cell, rules: Rules) -> Self {
        if local.is_any_angle() {
            Self::Straight(EuclideanTarget(goal))
        } else {
            Self::Steps(GridTarget::new(goal, rules))
        }
    }

    #[inline]
    pub(super) fn estimate(self, cell: base::Cell) -> Cost {
        match self {
            Self::Steps(target) => target.estimate(cell),
            Self::Straight(target) => target.estimate(cell),
        }
    }
}

/// The goal of the main search, with a lower bound of the distance to it.
#[derive(Clone, Copy)]
pub(super) struct QueryTarget<'a> {
    pub(super) graph: &'a QueryGraph<'a>,
    pub(super) cells: Bound,
    /// What the bound is multiplied by, in parts of [`stretch::WHOLE`].
    pub(super) factor: u64,
}

impl QueryTarget<'_> {
    /// The estimate of a node on a cell.
    #[inline]
    pub(super) fn estimate_at(&self, cell: base::Cell) -> Cost {
        stretch::stretched(self.cells.estimate(cell), self.factor)
    }
}

impl Target<NodeId> for QueryTarget<'_> {
    #[inline]
    fn is_reached(&self, node: NodeId) -> bool {
        node == self.graph.goal_node()
    }

    #[inline]
    fn estimate(&self, node: NodeId) -> Cost {
        self.estimate_at(self.graph.cell(node))
    }
}

/// One level of the hierarchy inside a cluster of the level above.
#[derive(Clone, Copy)]
pub(super) struct LevelGraph<'a> {
    view: &'a View<'a>,
    level: u8,
    cluster: ClusterId,
    /// A cell that a search may start from, connected on this level.
    inserted: Option<&'a Insertion>,
}

impl<'a> LevelGraph<'a> {
    pub(super) const fn new(view: &'a View<'a>, level: u8, cluster: ClusterId) -> Self {
        Self { view, level, cluster, inserted: None }
    }

    pub(super) const fn with_inserted(
        view: &'a View<'a>,
        level: u8,
        cluster: ClusterId,
        inserted: &'a Insertion,
    ) -> Self {
        Self { view, level, cluster, inserted: Some(inserted) }
    }

    /// The node of the inserted cell.
    pub(super) fn inserted_node(&self) -> NodeId {
        NodeId::new(self.view.layout.node_bound() as u32)
    }

    pub(super) fn cell(&self, node: NodeId) -> base::Cell {
        match self.inserted {
            Some(inserted) if node == self.inserted_node() => inserted.cell,
            _ => self.view.cell(node.pack()),
        }
    }
}

impl Graph for LevelGraph<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.view.layout.node_bound() + 1
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn for_each_arc(&self, node: NodeId, visit: impl FnMut(NodeId, Cost)) {
        self.for_each_onward_arc(node, node, visit);
    }

    #[inline]
    fn for_each_onward_arc(&self, node: NodeId, parent: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let layout = self.view.layout;
        if let Some(inserted) = self.inserted
            && node == self.inserted_node()
        {
            let nodes = self.view.costs(self.level, inserted.cluster(self.level));
            for rank in 0..nodes.count() {
                if let Some(cost) = inserted.cost(self.level, rank) {
                    visit(NodeId::new(nodes.node(rank)), cost);
                }
            }
            return;
        }
        let here = layout.ancestor(self.level, layout.cluster_and_local(node.pack()).0);
        let crossed = self.inserted.is_some() && parent == self.inserted_node() || {
            let from = layout.cluster_and_local(parent.pack()).0;
            parent != node && layout.ancestor(self.level, from) == here
        };
        if !crossed {
            self.view.for_each_crossing(node.pack(), self.level, |head, cost| visit(NodeId::new(head), cost));
        }
        self.view.for_each_way_out(node.pack(), self.level, |head, cluster, cost| {
            if layout.ancestor(self.level + 1, cluster) == self.cluster {
                visit(NodeId::new(head), cost);
            }
        });
    }
}

/// A target node, with a lower bound of the distance to it.
pub(super) struct NodeTarget<'a> {
    pub(super) graph: &'a LevelGraph<'a>,
    pub(super) node: NodeId,
    pub(super) cells: Bound,
}

impl Target<NodeId> for NodeTarget<'_> {
    #[inline]
    fn is_reached(&self, node: NodeId) -> bool {
        node == self.node
    }

    #[inline]
    fn estimate(&self, node: NodeId) -> Cost {
        self.cells.estimate(self.graph.cell(node))
    }
}
