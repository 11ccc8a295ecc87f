//! Building a hierarchy from a map.

use super::entrance::{Transition, TransitionFinder};
use super::flood::Flood;
use super::hierarchy::{Changes, Hierarchy, MAX_LEVELS, View};
use super::layout::{ClusterId, Layout};
use super::level::{LevelScratch, cross};
use super::local::flood_bent;
use super::net::{self, Choice};
use super::pockets;
use super::recent::RecentWays;
use super::recross::NewWays;
use super::repair::Repair;
use super::stretch::Stretch;
use super::tables::{
    Bends, Costs, Doors, Lanes, Link, Links, Ranks, Step, Table, TableMaker, UNREACHABLE, WORD, Ways,
};
use super::tile::Tile;
use super::{HpaSettings, KeepWays, Local};
use crate::base::crew::Crew;
use crate::base::{
    BuildOptions, Cancelled, Cell, Cost, Direction, Node, NodeId, Rect, SettingsError, Trail, euclidean,
};
use crate::graph::{Graph, Plane, UniformGrid, Window};
use crate::grid::Grid;
use crate::search::{
    BucketQueue, Everything, Memory, OpenList, Problem, SearchTree, ShortestPath, WideQueue,
};
use std::ops::Range;

impl Hierarchy {
    /// Builds the hierarchy of a map on all cores.
    ///
    /// # Errors
    /// [`SettingsError`] if a setting is out of range.
    pub fn build(grid: &Grid, settings: HpaSettings) -> Result<Self, SettingsError> {
        settings.check()?;
        let built = Self::build_with(grid, settings, &BuildOptions::new());
        Ok(built.unwrap_or_else(|Cancelled| unreachable!("nobody cancels")))
    }

    /// Builds the hierarchy by settings that are in range.
    pub(crate) fn build_with(
        grid: &Grid,
        settings: HpaSettings,
        options: &BuildOptions<'_>,
    ) -> Result<Self, Cancelled> {
        let settings = settings.for_size(grid.width(), grid.height());
        let layout = Layout::new(grid.width(), grid.height(), settings);
        // Four passes over the 1-clusters (records, links, ranks, dead ends), three over every other level
        // (crossings, doors, dead ends), and for each level with nets one over it and one over that below.
        let nets = settings.first_net()..=settings.levels;
        let steps = layout.count(1) * 4
            + 3 * (2..=settings.levels).map(|level| layout.count(level)).sum::<usize>()
            + nets.map(|level| layout.count(level - 1) + layout.count(level)).sum::<usize>();
        let crew = Crew::new(options.threads, steps, options.watch);
        let clusters = layout.count(1);
        let kept = settings.keep_ways;
        let [mut costs, mut ways, mut lanes] = [(); 3].map(|()| TableMaker::new(clusters));
        for batch in batches(clusters) {
            let first = batch.start;
            let records = crew.try_map(batch.len(), |at, worker: &mut Worker| {
                worker.first_level(grid, &layout, settings, (first + at) as ClusterId)
            })?;
            for record in records {
                costs.push(&record.costs);
                ways.push(if kept == KeepWays::All { &record.ways } else { &[] });
                lanes.push(&record.lanes);
            }
        }
        let has_lanes = kept != KeepWays::Nothing && !settings.local.is_any_angle();
        let mut hierarchy = Self {
            settings,
            costs: vec![costs.finish()],
            links: Table::empty(),
            ranks: Table::empty(),
            ways: Some(ways.finish()).filter(|_| kept == KeepWays::All),
            lanes: Some(lanes.finish()).filter(|_| has_lanes),
            stops: Vec::new(),
            doors: Vec::new(),
            revision: grid.revision(),
            changes: Changes::none_since(grid.revision()),
            stretch: Stretch::default(),
            dead_ends: Vec::new(),
            recent: RecentWays::default(),
            has_unproved_ways: Vec::new(),
            layout,
        };
        let mut links = {
            let view = hierarchy.view();
            crew.try_map(clusters, |cluster, worker: &mut Worker| {
                worker.links(grid, &view, settings, cluster as ClusterId)
            })?
        };
        hierarchy.links = Table::new(&links);
        for level in 2..=settings.levels {
            if hierarchy.has_net(level) {
                let view = hierarchy.view();
                let nets = crew.try_map(view.layout.count(level - 1), |cluster, _: &mut Worker| {
                    net::choose(&view, level, cluster as ClusterId, &|_| true)
                })?;
                hierarchy.choose(level, &nets, &mut links);
                let view = hierarchy.view();
                let pockets = crew.try_map(view.layout.count(level), |cluster, _: &mut Worker| {
                    pockets::choose(&view, level, cluster as ClusterId, &|other| other > cluster as ClusterId)
                })?;
                hierarchy.choose(level, &pockets, &mut links);
            }
            let count = hierarchy.layout.count(level);
            let [mut costs, mut ways] = [(); 2].map(|()| TableMaker::new(count));
            for batch in batches(count) {
                let view = hierarchy.view();
                let first = batch.start;
                let crossings = crew.try_map(batch.len(), |at, worker: &mut Worker| {
                    cross(&view, level, (first + at) as ClusterId, &mut worker.level)
                })?;
                for record in crossings {
                    costs.push(&record.costs);
                    ways.push(&record.stops);
                }
            }
            hierarchy.costs.push(costs.finish());
            let doors: Vec<_> = {
                let view = hierarchy.view();
                crew.try_map(count, |cluster, _: &mut Worker| doors(&view, level, cluster as ClusterId))?
            };
            hierarchy.doors.push(Table::new(&doors));
            if kept != KeepWays::Nothing {
                hierarchy.stops.push(ways.finish());
            }
        }
        let ranks = {
            let view = hierarchy.view();
            crew.try_map(clusters, |cluster, _: &mut Worker| ranks(&view, cluster as ClusterId))?
        };
        hierarchy.ranks = Table::new(&ranks);
        hierarchy.find_stretch(grid.rules());
        hierarchy.find_dead_ends(&crew)?;
        Ok(hierarchy)
    }

    /// Changes the records of all inter-edges so that they count on a level as chosen.
    fn choose(&mut self, level: u8, choices: &[Vec<Choice>], links: &mut [Vec<u8>]) {
        let heights = net::heights(&self.view(), level, &choices.concat());
        for (cluster, heights) in heights {
            net::change(&mut links[cluster as usize], &heights);
        }
        self.links = Table::new(links);
    }
}

/// The clusters of a level in parts: their records are copied into tables before those of the next
/// part are made, so that no more than a part of them is held twice.
fn batches(clusters: usize) -> impl Iterator<Item = Range<usize>> {
    (0..clusters).step_by(BATCH).map(move |first| first..(first + BATCH).min(clusters))
}

/// Clusters of a part: enough to keep many threads busy.
const BATCH: usize = 4096;

/// Working memory of one thread of a build.
#[derive(Default)]
pub(super) struct Worker {
    pub(super) transitions: TransitionFinder,
    ring: Memory<BucketQueue>,
    flood: Memory<WideQueue>,
    even: Flood,
    tile: Tile,
    repair: Repair,
    pub(super) level: LevelScratch,
    pub(super) new_ways: NewWays,
    nodes: Vec<Cell>,
    /// The ranks of nodes before an edit.
    ranks: Vec<Option<usize>>,
    distances: Vec<u64>,
    trail: Trail,
    matrix: Vec<u64>,
    turns: Vec<u32>,
}

/// The records of one 1-cluster. The ways are found wherever there are lanes, kept or not.
pub(super) struct FirstLevel {
    pub(super) costs: Vec<u8>,
    pub(super) ways: Vec<u8>,
    pub(super) lanes: Vec<u8>,
}

impl Worker {
    /// Builds the records of costs, ways and lanes of a 1-cluster.
    pub(super) fn first_level(
        &mut self,
        grid: &Grid,
        layout: &Layout,
        settings: HpaSettings,
        cluster: ClusterId,
    ) -> FirstLevel {
        self.transitions.find(grid, layout, settings, cluster);
        let mut nodes = std::mem::take(&mut self.nodes);
        nodes.clear();
        nodes.extend(self.transitions.found.iter().map(|transition| transition.from));
        nodes.dedup();
        let records = self.records(grid, layout, settings, (cluster, &nodes), None);
        self.nodes = nodes;
        records
    }

    /// The records of costs, ways and lanes of a 1-cluster with these nodes. If the ways
    /// before an edit are known, they are repaired.
    pub(super) fn records(
        &mut self,
        grid: &Grid,
        layout: &Layout,
        settings: HpaSettings,
        (cluster, cells): (ClusterId, &[Cell]),
        before: Option<&Before<'_>>,
    ) -> FirstLevel {
        let area = layout.area(1, cluster);
        let nodes = cells.iter().enumerate().map(|(local, &cell)| (layout.node(cluster, local), cell));
        let nodes: Vec<(u32, Cell)> = nodes.collect();
        self.matrix.clear();
        if settings.local.is_any_angle() {
            let window = Window::new(UniformGrid(grid), area);
            self.turns.clear();
            self.flood_bent(&window, settings.local, cells);
            let is_kept = settings.keep_ways == KeepWays::All;
            let ways = if is_kept { Bends::encode(&self.turns, area) } else { Vec::new() };
            let costs = Costs::encode(&nodes, &self.matrix, settings.keep_ways.halves(1));
            return FirstLevel { costs, ways, lanes: Vec::new() };
        }
        self.ranks.clear();
        self.ranks.extend(cells.iter().map(|&cell| before.and_then(|before| before.costs.rank_at(cell))));
        let mut ways = Vec::with_capacity(cells.len() * area.cell_count().div_ceil(2) + WORD);
        // Lanes are traced through the ways of all cells, even if these are not kept.
        let has_lanes = settings.keep_ways != KeepWays::Nothing;
        let found = has_lanes.then_some(&mut ways);
        if before.is_none() && grid.is_uniform_in(area) {
            self.flood_even(grid, area, cells, found);
        } else {
            self.tile.copy(grid, area);
            self.flood_or_repair(area, cells, before, found);
        }
        ways.resize(ways.len().next_multiple_of(WORD), 0);
        let costs = Costs::encode(&nodes, &self.matrix, settings.keep_ways.halves(1));
        let lanes = if has_lanes { self.lanes(Costs::new(&costs), &ways, area, before) } else { Vec::new() };
        FirstLevel { costs, ways, lanes }
    }

    /// Searches from every node to all cells of an area where every cell weighs 1. Appends the costs between
    /// nodes to `matrix` and, if `ways` is given, the step from each cell to each node.
    fn flood_even(&mut self, grid: &Grid, area: Rect, nodes: &[Cell], mut ways: Option<&mut Vec<u8>>) {
        let Self { even, matrix, .. } = self;
        even.copy(grid, area);
        for &node in nodes {
            even.search(area.offset(node));
            matrix.extend(nodes.iter().map(|&to| even.units(area.offset(to))));
            if let Some(ways) = &mut ways {
                Ways::add_field(ways, even.steps());
            }
        }
    }

    /// Finds the ways from all cells of the tile to every node: repairs those that are known
    /// from before an edit, and searches the others. Appends the costs between nodes to
    /// `matrix`.
    fn flood_or_repair(
        &mut self,
        area: Rect,
        nodes: &[Cell],
        before: Option<&Before<'_>>,
        mut ways: Option<&mut Vec<u8>>,
    ) {
        if let Some(Before { edits, .. }) = before {
            self.repair.begin(&self.tile, area, edits);
        }
        for (at, &node) in nodes.iter().enumerate() {
            if let (Some(before), Some(ways)) = (before, &mut ways)
                && self.repair_ways(area, nodes, at, before, ways)
            {
                continue;
            }
            let Self { tile, flood: memory, matrix, distances, .. } = self;
            flood(&*tile, NodeId::new(area.offset(node) as u32), memory);
            let tree = memory.tree();
            distances.clear();
            distances.extend((0..tile.node_count()).map(|cell| units(tree, cell)));
            matrix.extend(nodes.iter().map(|&to| distances[area.offset(to)]));
            if let Some(ways) = &mut ways {
                Ways::add_field(ways, (0..tile.node_count()).map(|cell| tile.way(cell, distances)));
            }
        }
    }

    /// Appends the ways to a node, repaired after an edit, and its costs to all nodes.
    /// Returns false if that cannot be done.
    fn repair_ways(
        &mut self,
        area: Rect,
        nodes: &[Cell],
        node: usize,
        before: &Before<'_>,
        ways: &mut Vec<u8>,
    ) -> bool {
        let Self { repair, tile, matrix, ranks, .. } = self;
        let at = area.offset(nodes[node]);
        let Some(rank) = ranks[node].filter(|_| !repair.is_edited(at)) else { return false };
        let row = before.costs.row(rank);
        let first = ways.len();
        ways.extend_from_slice(before.ways.field(rank));
        repair.repair(tile, at, &mut ways[first..]);
        for (&to, &known) in nodes.iter().zip(&*ranks) {
            let to = area.offset(to);
            // Costs of before save following the ways.
            let known = known.filter(|_| repair.is_untouched(to));
            let distance = match known {
                Some(known) => row.cost(known).map_or(UNREACHABLE, Cost::units),
                None => repair.distance(tile, &ways[first..], to),
            };
            matrix.push(distance);
        }
        true
    }

    /// Searches any-angle ways from every node to all cells of a window. Appends
    /// the costs between nodes to `matrix`, and the next turning point of every
    /// cell to `turns`.
    fn flood_bent(&mut self, window: &Window<UniformGrid<'_>>, local: Local, nodes: &[Cell]) {
        let Self { ring, matrix, turns, .. } = self;
        let grid = window.grid();
        for &node in nodes {
            flood_bent(window, local, node, ring, &mut ());
            let tree = ring.tree();
            let field = turns.len();
            turns.extend(window.area().cells().enumerate().map(|(offset, cell)| {
                let known = tree.is_reached(offset) && cell != node;
                if known { tree.parent(offset) } else { Bends::NONE }
            }));
            for &to in nodes.iter().filter(|&&to| to != node) {
                let index = window.index(to);
                // Theta* does not find every line of sight, so look once more.
                let is_seen = |g| g == euclidean(node, to) || grid.line_of_sight(node, to);
                if tree.cost(index).is_some_and(is_seen) {
                    turns[field + index] = node.pack();
                }
            }
            // Not the costs that the search found: a way over a node that has just
            // been given a straight leg is shorter now.
            let field = &turns[field..];
            matrix.extend(nodes.iter().map(|&to| cost_of_bent(field, window.area(), to, node)));
        }
        // Theta* may find different ways there and back; take the shorter.
        let count = nodes.len();
        for (from, to) in (0..count).flat_map(|from| (0..from).map(move |to| (from, to))) {
            let least = matrix[from * count + to].min(matrix[to * count + from]);
            matrix[from * count + to] = least;
            matrix[to * count + from] = least;
        }
    }

    /// The record of the ways between nodes, traced through the ways of all cells. Where these are
    /// those of before an edit, so are the ways between nodes.
    fn lanes(&mut self, nodes: Costs<'_>, ways: &[u8], area: Rect, before: Option<&Before<'_>>) -> Vec<u8> {
        let ways = Ways::new(ways, area.cell_count());
        let mut runs = Vec::new();
        let mut ends = Vec::new();
        let same = |node: usize, rank: &Option<usize>| {
            let (before, rank) = (before?, (*rank)?);
            let lanes = before.lanes.filter(|_| before.ways.field(rank) == ways.field(node))?;
            Some((lanes, rank))
        };
        let kept: Vec<_> = self.ranks.iter().enumerate().map(|(node, rank)| same(node, rank)).collect();
        nodes.for_each_pair(|one, other| {
            let from = nodes.cell(one);
            self.trail.restart(from);
            if let (Some(one), Some((lanes, other))) = (self.ranks[one], kept[other]) {
                lanes.walk(one, other, &mut self.trail);
            } else {
                ways.walk(area, from, other, &mut self.trail);
            }
            runs.extend_from_slice(self.trail.runs());
            ends.push(runs.len());
        });
        let starts = std::iter::once(0).chain(ends.iter().copied());
        Lanes::encode(nodes, starts.zip(&ends).map(|(start, &end)| &runs[start..end]))
    }

    /// The record of the inter-edges of a 1-cluster. The level-1 costs must already
    /// be in `view`, because links name nodes of other clusters.
    pub(super) fn links(
        &mut self,
        grid: &Grid,
        view: &View<'_>,
        settings: HpaSettings,
        cluster: ClusterId,
    ) -> Vec<u8> {
        self.transitions.find(grid, view.layout, settings, cluster);
        links(grid, view, &self.transitions.found)
    }
}

/// What is known of a 1-cluster from before an edit.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    pub(super) costs: Costs<'a>,
    pub(super) ways: Ways<'a>,
    pub(super) lanes: Option<Lanes<'a>>,
    /// What was edited, in the cluster or outside.
    pub(super) edits: &'a [Rect],
}

/// The record of inter-edges of a 1-cluster with these transitions. The level-1 costs must
/// already be in `view`, because links name nodes of other clusters.
pub(super) fn links(grid: &Grid, view: &View<'_>, transitions: &[Transition]) -> Vec<u8> {
    let mut links: Vec<Vec<Link>> = Vec::new();
    let mut last = None;
    for &Transition { from, to, height, is_pocket_door } in transitions {
        if last != Some(from) {
            links.push(Vec::new());
            last = Some(from);
        }
        let other = view.layout.cluster_of(1, to);
        let local = view.costs(1, other).rank_at(to);
        debug_assert!(local.is_some(), "transition {from} to {to} is seen from one side only");
        let any_angle = view.local.is_any_angle();
        let cost = if any_angle { euclidean(from, to) } else { grid.step_cost(from, to) };
        let head = view.layout.node(other, local.unwrap_or(0));
        let link = Link { head, height, is_pocket_door, cost };
        if let Some(links) = links.last_mut() {
            links.push(link);
        }
    }
    Links::encode(&links)
}

/// Searches from a node to all others.
fn flood<G: Graph, Q: OpenList>(graph: &G, from: G::Node, memory: &mut Memory<Q>) {
    let problem = Problem { graph, target: Everything, rule: ShortestPath };
    problem.begin(from, memory, &mut ());
    problem.advance(memory, u64::MAX, &mut ());
}

/// The cost of a node in units.
fn units(tree: &SearchTree, index: usize) -> u64 {
    tree.cost(index).map_or(UNREACHABLE, Cost::units)
}

/// Cost of the way from a cell to a node, given the next turning point of every
/// cell of the area.
fn cost_of_bent(turns: &[u32], area: Rect, from: Cell, node: Cell) -> u64 {
    let (mut at, mut cost) = (from, 0);
    while at != node {
        let turn = turns[area.offset(at)];
        if turn == Bends::NONE {
            return UNREACHABLE;
        }
        let next = Cell::unpack(turn);
        cost += euclidean(at, next).units();
        at = next;
    }
    cost
}

/// The record of the inter-edges out of a cluster of level 2 or more. Its costs
/// must already be in `view`.
pub(super) fn doors(view: &View<'_>, level: u8, cluster: ClusterId) -> Vec<u8> {
    let nodes = view.costs(level, cluster);
    let doors = (0..nodes.count()).map(|rank| {
        let mut doors = Vec::new();
        view.for_each_way_out(nodes.node(rank), level, |head, _, cost| {
            // Inter-edges lead to adjacent cells, unless records are forged.
            let direction = nodes.cell(rank).direction_to(view.cell(head)).unwrap_or(Direction::North);
            doors.push((head, Step { cost, direction }));
        });
        doors
    });
    Doors::encode(&doors.collect::<Vec<_>>())
}

/// The record of the ranks of a 1-cluster's nodes on the levels above.
pub(super) fn ranks(view: &View<'_>, cluster: ClusterId) -> Vec<u8> {
    let costs = view.costs(1, cluster);
    let links = view.links(cluster);
    let mut ranks = Vec::new();
    // The nodes of a 1-cluster follow each other on every level, so the next one is where the last one was found.
    let mut next = [0; MAX_LEVELS];
    for local in 0..costs.count() {
        let node = costs.node(local);
        let mut highest = 1;
        links.for_each_from(local, |link| highest = highest.max(link.height));
        for level in 2..=view.levels() {
            // Most nodes count on no level above: looking for them would take the longest.
            let upper = (level <= highest).then(|| view.costs(level, view.layout.ancestor(level, cluster)));
            let next = &mut next[usize::from(level) - 1];
            let rank = upper.and_then(|upper| upper.rank_from(node, *next));
            *next = rank.map_or(*next, |rank| rank + 1);
            ranks.push(rank.map_or(Ranks::NOT_THERE, |rank| rank as u16));
        }
    }
    Ranks::encode(&ranks)
}
