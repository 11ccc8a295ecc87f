//! Proofs that do not need the map: 1 to 7.

use super::{CorruptTable, TableKind, check_each};
use crate::base::crew::Crew;
use crate::base::{Cell, Cost, euclidean};
use crate::grid::Rules;
use crate::hpa::Hierarchy;
use crate::hpa::build::doors;
use crate::hpa::graphs::Bound;
use crate::hpa::hierarchy::View;
use crate::hpa::layout::ClusterId;
use crate::hpa::tables::{Bends, Costs, Flaw, Lanes, Link, Links, Ranks, Stops, Ways, ensure};

/// What is known of the map without its cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground {
    pub(crate) rules: Rules,
    /// The largest weight of any cell.
    pub(crate) heaviest: u8,
}

/// Proves what can be proved without the map.
pub(super) fn prove(hierarchy: &Hierarchy, ground: Ground, crew: &Crew<'_>) -> Result<(), CorruptTable> {
    let view = hierarchy.view();
    let most = view.layout.local_bound();
    // (1) for the nodes of the 1-clusters first: everything else is read
    // through these records.
    let part = TableKind::Costs { level: 1 };
    check_each(crew, view.layout, part, |cluster, (): &mut ()| {
        Costs::check_form(view.costs[0].record(cluster), most, view.keep_ways.halves(1))
    })?;
    let counts = view.layout.clusters(1).map(|cluster| view.costs(1, cluster).count() as u32).collect();
    Proof { view, ground, counts, crew }.prove()
}

/// A hierarchy to be proved, and what the proof may assume.
struct Proof<'h> {
    view: View<'h>,
    ground: Ground,
    /// Number of nodes of each 1-cluster.
    counts: Vec<u32>,
    crew: &'h Crew<'h>,
}

impl Proof<'_> {
    fn prove(&self) -> Result<(), CorruptTable> {
        // The order matters: records are read through others, so nodes come
        // first, then everything that names nodes.
        self.each(TableKind::Costs { level: 1 }, |cluster| self.check_nodes(cluster))?;
        self.each(TableKind::Links, |cluster| self.check_links(cluster))?;
        self.each(TableKind::Ranks, |cluster| self.check_ranks_form(cluster))?;
        for level in 2..=self.view.levels() {
            self.each(TableKind::Costs { level }, |cluster| self.check_upper_nodes(level, cluster))?;
        }
        self.each(TableKind::Ranks, |cluster| self.check_levels(cluster))?;
        for level in 2..=self.view.levels() {
            let found = self.view.doors[usize::from(level) - 2];
            self.each(TableKind::Doors { level }, |cluster| {
                // Doors repeat what nodes and links say: recomputing them is
                // faster than checking each entry.
                let expected = doors(&self.view, level, cluster);
                ensure(found.record(cluster) == expected, "has other inter-edges than its nodes")
            })?;
        }
        for level in 1..=self.view.levels() {
            self.each(TableKind::Costs { level }, |cluster| self.check_costs(level, cluster))?;
        }
        if let Some(ways) = self.view.ways {
            self.each(TableKind::Ways, |cluster| {
                let (nodes, area) = (self.view.costs(1, cluster), self.view.layout.area(1, cluster));
                if self.view.local.is_any_angle() {
                    Bends::check_form(ways.record(cluster), &nodes, area)
                } else {
                    Ways::check_form(ways.record(cluster), &nodes, area)
                }
            })?;
        }
        if let Some(lanes) = self.view.lanes {
            self.each(TableKind::Lanes, |cluster| self.check_lanes(cluster, lanes.record(cluster)))?;
        }
        if self.view.keeps_stops() {
            for level in 2..=self.view.levels() {
                let stops = self.view.stops[usize::from(level) - 2];
                self.each(TableKind::Stops { level }, |cluster| {
                    self.check_stops(level, cluster, stops.record(cluster))
                })?;
            }
        }
        Ok(())
    }

    /// Checks the record of every cluster in a table.
    fn each(
        &self,
        part: TableKind,
        check: impl Fn(ClusterId) -> Result<(), Flaw> + Sync,
    ) -> Result<(), CorruptTable> {
        check_each(self.crew, self.view.layout, part, |cluster, (): &mut ()| check(cluster))
    }

    /// (2)
    fn check_nodes(&self, cluster: ClusterId) -> Result<(), Flaw> {
        let nodes = self.view.costs(1, cluster);
        let area = self.view.layout.area(1, cluster);
        let mut last = None;
        for local in 0..nodes.count() {
            let cell = nodes.cell(local);
            ensure(
                nodes.node(local) == self.view.layout.node(cluster, local),
                "has a node with the wrong number",
            )?;
            ensure(area.contains(cell), "has a node outside")?;
            ensure(last < Some(cell), "has its nodes in the wrong order")?;
            last = Some(cell);
        }
        Ok(())
    }

    /// The cell of a node, if the node exists.
    fn known_cell(&self, node: u32) -> Option<Cell> {
        self.exists(node).then(|| self.view.cell(node))
    }

    fn exists(&self, node: u32) -> bool {
        let (cluster, local) = self.view.layout.cluster_and_local(node);
        self.counts.get(cluster as usize).is_some_and(|&count| local < count as usize)
    }

    /// (1) and (3)
    fn check_links(&self, cluster: ClusterId) -> Result<(), Flaw> {
        let nodes = self.view.costs(1, cluster);
        Links::check_form(self.view.links.record(cluster), nodes.count())?;
        let links = self.view.links(cluster);
        for local in 0..nodes.count() {
            let from = nodes.cell(local);
            let target = self.bound(from);
            let is_step = |to: Cell, cost| {
                let longer = from.x.abs_diff(to.x).max(from.y.abs_diff(to.y));
                longer == 1 && target.estimate(to) <= cost
            };
            let mut sound = true;
            let mut counts = true;
            links.for_each_from(local, |Link { head, height, is_pocket_door, cost }| {
                let to = self.known_cell(head).filter(|&to| is_step(to, cost));
                let border = to.map_or(0, |to| self.view.layout.border_level(from, to));
                sound &= border > 0;
                counts &= (1..=border.max(1)).contains(&height);
                let first_net = self.view.layout.first_net();
                counts &= !is_pocket_door || (first_net..=border).contains(&(height + 1));
            });
            ensure(sound, "has an inter-edge that leads nowhere")?;
            ensure(counts, "has an inter-edge that counts on another level than its border")?;
        }
        Ok(())
    }

    /// (1) for ranks.
    fn check_ranks_form(&self, cluster: ClusterId) -> Result<(), Flaw> {
        let count = self.view.costs(1, cluster).count();
        Ranks::check_form(self.view.ranks.record(cluster), count, self.view.levels())
    }

    /// (1) and (4) for the nodes of a cluster of level 2 or more.
    fn check_upper_nodes(&self, level: u8, cluster: ClusterId) -> Result<(), Flaw> {
        let record = self.view.costs[usize::from(level) - 1].record(cluster);
        Costs::check_form(record, usize::from(Ranks::NOT_THERE), self.view.keep_ways.halves(level))?;
        let nodes = Costs::new(record);
        for rank in 0..nodes.count() {
            let node = nodes.node(rank);
            ensure(self.known_cell(node) == Some(nodes.cell(rank)), "has a node that is not on level 1")?;
            let first = self.view.layout.cluster_and_local(node).0;
            ensure(self.view.layout.ancestor(level, first) == cluster, "has a node outside")?;
            ensure(self.view.known_rank(node, level) == Some(rank), "has a node with the wrong rank")?;
        }
        Ok(())
    }

    /// (4) for the nodes of a 1-cluster.
    fn check_levels(&self, cluster: ClusterId) -> Result<(), Flaw> {
        let layout = self.view.layout;
        let links = self.view.links(cluster);
        for local in 0..self.view.costs(1, cluster).count() {
            let node = layout.node(cluster, local);
            let mut highest = 1;
            links.for_each_from(local, |link| highest = highest.max(link.height));
            for level in 2..=self.view.levels() {
                let rank = self.view.known_rank(node, level);
                ensure(rank.is_some() == (level <= highest), "has a node on another level than its edges")?;
                let upper = self.view.costs(level, layout.ancestor(level, cluster));
                let named = rank.is_none_or(|rank| rank < upper.count() && upper.node(rank) == node);
                ensure(named, "has the rank of another node")?;
            }
        }
        Ok(())
    }

    /// A lower bound of the distance to a cell.
    fn bound(&self, cell: Cell) -> Bound {
        Bound::new(self.view.local, cell, self.ground.rules)
    }

    /// Upper limit of the cost of one step. For any-angle ways, a leg costs no more
    /// than the steps it replaces, and weights do not count.
    fn max_step_cost(&self) -> Cost {
        let Ground { rules, heaviest } = self.ground;
        if self.view.local.is_any_angle() {
            return euclidean(Cell::new(0, 0), Cell::new(1, 1));
        }
        rules.diagonal_cost.diagonal() * u64::from(heaviest)
    }

    /// (5)
    fn check_costs(&self, level: u8, cluster: ClusterId) -> Result<(), Flaw> {
        let area = self.view.layout.area(level, cluster);
        let most = self.max_step_cost() * (u64::from(area.width()) * u64::from(area.height()));
        let costs = self.view.costs(level, cluster);
        let cells: Vec<Cell> = (0..costs.count()).map(|rank| costs.cell(rank)).collect();
        for (from, &cell) in cells.iter().enumerate() {
            let target = self.bound(cell);
            // Only what takes bytes is looked at: there are many more pairs of nodes than costs where there are islands.
            let (mut is_same, mut is_possible) = (true, true);
            costs.row(from).for_each(|to, cost| {
                is_same &= costs.cost(to, from) == Some(cost);
                let bounds =
                    if from == to { Cost::ZERO..=Cost::ZERO } else { target.estimate(cells[to])..=most };
                is_possible &= bounds.contains(&cost);
            });
            ensure(is_same, "has a cost that differs in the two directions")?;
            ensure(is_possible, "has a cost that no path can have")?;
        }
        Ok(())
    }

    /// (1) and (6) for lanes.
    fn check_lanes(&self, cluster: ClusterId, record: &[u8]) -> Result<(), Flaw> {
        let nodes = self.view.costs(1, cluster);
        Lanes::check_form(record, nodes)?;
        let (lanes, area) = (Lanes::new(record, nodes), self.view.layout.area(1, cluster));
        for (lane, (first, second)) in nodes.pairs().enumerate() {
            // A run is straight: if both ends are inside, so is all of it.
            let end = lanes.runs(lane).try_fold(nodes.cell(first), |cell, run| {
                cell.walk(run.direction, run.len).filter(|&end| area.contains(end))
            });
            // A missing lane has no runs and so ends at its first node.
            let expected = if nodes.cost(first, second).is_some() { second } else { first };
            ensure(end == Some(nodes.cell(expected)), "leads elsewhere than to its node")?;
        }
        Ok(())
    }

    /// (1) and (7)
    fn check_stops(&self, level: u8, cluster: ClusterId, record: &[u8]) -> Result<(), Flaw> {
        let nodes = self.view.costs(level, cluster);
        Stops::check_form(record, nodes)?;
        let stops = Stops::new(record, nodes);
        for (pair, (first, second)) in nodes.pairs().enumerate() {
            let Some(cost) = nodes.cost(first, second) else {
                ensure(stops.between(pair).next().is_none(), "has stops between nodes without a way")?;
                continue;
            };
            let mut way = stops.between(pair).chain([nodes.node(second)]);
            let end = way.try_fold((nodes.node(first), Cost::ZERO), |(at, sum), stop| {
                Some((stop, sum + self.edge(level, cluster, at, stop)?))
            });
            let arrives = end.is_some_and(|(_, sum)| sum == cost);
            ensure(arrives, "has stops that form no way, or a way of another cost")?;
        }
        Ok(())
    }

    /// Cost of the edge of the level below between two nodes of a cluster of
    /// `level`; `from` must be known to lie in that cluster.
    fn edge(&self, level: u8, cluster: ClusterId, from: u32, to: u32) -> Option<Cost> {
        let (view, layout, below) = (&self.view, self.view.layout, level - 1);
        if !self.exists(to) {
            return None;
        }
        let [near, far] = [from, to].map(|node| layout.cluster_and_local(node).0);
        let [here, there] = [near, far].map(|first| layout.ancestor(below, first));
        if from == to || layout.ancestor(level, far) != cluster {
            return None;
        }
        if here == there {
            return view.costs(below, here).cost(view.known_rank(from, below)?, view.known_rank(to, below)?);
        }
        let mut found = None;
        view.links(near).for_each_from(layout.cluster_and_local(from).1, |link| {
            found = if link.head == to && link.height >= below { Some(link.cost) } else { found };
        });
        found
    }
}
