//! Ways out of clusters that lead nowhere.
//!
//! Often the only way on from a node is the way back: from the node beyond a border, no other node of its cluster can be reached inside
//! that cluster. Between small rooms or in caves, half of the borders' nodes on the highest levels are like that. Whoever
//! neither starts nor ends in such a cluster need not enter it there. Searches would find out one node at a time; so
//! for every node of every cluster it is noted from which level on all ways out by it are *dead ends*.
//!
//! A way out to a node is a dead end on a level if the node does not count there, or if it reaches no other node of its cluster
//! and has one inter-edge, the way back. Then it is one on all levels above as well, as far as it leads out of clusters there:
//! ways through these consist of those below.
//!
//! Dead ends follow from the other tables, so files do not have them. After an edit they are looked at again where something
//! beyond has changed.

use super::build::Worker;
use super::hierarchy::{Hierarchy, View};
use super::layout::ClusterId;
use super::tables::{Costs, Table, WORD};
use crate::base::crew::Crew;
use crate::base::{Cancelled, Cell};
use std::collections::BTreeSet;

/// For each level and cluster a record: for each node, by rank, the lowest level from which on all ways out by it are dead ends, or
/// [`LEADS_ON`], in a byte; padding. Any-angle hierarchies have empty records: from a node beyond, the goal may be in sight.
pub(super) type DeadEnds = Vec<Table>;

/// Stands for ways out that are dead ends on no level.
pub(super) const LEADS_ON: u8 = 0;

impl Hierarchy {
    /// Finds all dead ends; everything else must be complete.
    pub(super) fn find_dead_ends(&mut self, crew: &Crew<'_>) -> Result<(), Cancelled> {
        let view = self.view();
        let levels = (1..=view.levels()).map(|level| {
            let records = crew.try_map(view.layout.count(level), |cluster, _: &mut Worker| {
                record(&view, level, cluster as ClusterId)
            })?;
            Ok(Table::new(&records))
        });
        self.dead_ends = levels.collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Looks at dead ends again after an edit.
    pub(super) fn look_at_dead_ends(&mut self, edit: DeadEndChanges) {
        if self.settings.local.is_any_angle() {
            return;
        }
        let DeadEndChanges { moved, lone, mut nodes } = edit;
        let view = self.view();
        for cell in lone {
            if let Some(node) = view.node_at(cell) {
                view.for_each_way_out(node, 1, |head, _, _| {
                    nodes.insert(head);
                });
            }
        }
        let mut changed: Vec<_> =
            moved.iter().map(|&(level, cluster)| (level, cluster, record(&view, level, cluster))).collect();
        for node in nodes {
            let first = view.layout.cluster_and_local(node).0;
            for level in 1..=view.levels() {
                let cluster = view.layout.ancestor(level, first);
                let Some(rank) = view.known_rank(node, level) else { break };
                let dead_from = dead_from(&view, (level, cluster), rank);
                let before = view.dead_ends(level, cluster);
                if moved.contains(&(level, cluster)) || before.get(rank) == Some(&dead_from) {
                    continue;
                }
                let known = changed.iter_mut().find(|(of, at, _)| (*of, *at) == (level, cluster));
                if let Some((_, _, record)) = known {
                    record[rank] = dead_from;
                } else {
                    let mut record = before.to_vec();
                    record[rank] = dead_from;
                    changed.push((level, cluster, record));
                }
            }
        }
        for (level, cluster, record) in changed {
            self.dead_ends[usize::from(level) - 1].replace(cluster, &record);
        }
    }
}

/// What an edit has changed that dead ends follow from.
#[derive(Default)]
pub(super) struct DeadEndChanges {
    /// Clusters whose nodes have come, gone or moved.
    moved: BTreeSet<(u8, ClusterId)>,
    /// Cells of nodes that are or were alone in their clusters, but not both before and after.
    lone: BTreeSet<Cell>,
    /// Nodes with other inter-edges than before, and those at the other ends of these.
    pub(super) nodes: BTreeSet<u32>,
}

impl DeadEndChanges {
    /// Notes the costs of a cluster of a level before and after.
    pub(super) fn note(&mut self, (level, cluster): (u8, ClusterId), before: Costs<'_>, after: Costs<'_>) {
        if !before.has_cells_of(after) {
            self.moved.insert((level, cluster));
        } else if before.has_islands() && before.has_islands_of(after) {
            return;
        }
        let [before, after] =
            [before, after].map(|costs| costs.lone().map(|rank| costs.cell(rank)).collect::<BTreeSet<_>>());
        self.lone.extend(before.symmetric_difference(&after));
    }
}

/// The record of a cluster.
fn record(view: &View<'_>, level: u8, cluster: ClusterId) -> Vec<u8> {
    if view.local.is_any_angle() {
        return Vec::new();
    }
    let count = view.costs(level, cluster).count();
    let mut record: Vec<u8> = (0..count).map(|rank| dead_from(view, (level, cluster), rank)).collect();
    record.resize(count.next_multiple_of(WORD), LEADS_ON);
    record
}

/// The lowest level from which on all ways out of a cluster by its node of a rank are dead ends.
fn dead_from(view: &View<'_>, (level, cluster): (u8, ClusterId), rank: usize) -> u8 {
    let layout = view.layout;
    let here = layout.cluster_and_local(view.costs(level, cluster).node(rank)).0;
    // The highest level on which all of them lead out of a cluster.
    let mut highest = layout.level_count();
    let mut lowest = 1;
    view.exits(level, cluster).for_each_at(rank, |head, _, _| {
        let beyond = layout.cluster_and_local(head).0;
        let leads_out = |&level: &u8| layout.ancestor(level, here) != layout.ancestor(level, beyond);
        let top = (level..=layout.level_count()).rev().find(leads_out).unwrap_or(0);
        let dead = (1..=top).rev().take_while(|&level| is_dead_end(view, head, level));
        highest = highest.min(top);
        lowest = lowest.max(dead.last().unwrap_or(u8::MAX));
    });
    if lowest <= highest { lowest } else { LEADS_ON }
}

/// Whether a way out that leads to a node is a dead end on a level.
fn is_dead_end(view: &View<'_>, node: u32, level: u8) -> bool {
    let Some(rank) = view.known_rank(node, level) else { return true };
    let cluster = view.layout.ancestor(level, view.layout.cluster_and_local(node).0);
    let mut ways_out = 0;
    view.exits(level, cluster).for_each_at(rank, |_, _, _| ways_out += 1);
    ways_out == 1 && view.costs(level, cluster).is_lone(rank)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Diagonals, Grid, Rules};
    use crate::hpa::{HpaScratch, HpaSettings, Tactics};
    use crate::search::SearchStatus;
    use farstride_testkit::{Kind, SplitMix64, generate};

    /// The hierarchy, but every way out leads on.
    fn without_dead_ends(index: &Hierarchy) -> Hierarchy {
        let mut without = index.clone();
        for (level, table) in (1..).zip(&mut without.dead_ends) {
            for cluster in index.layout.clusters(level) {
                let count = index.view().dead_ends(level, cluster).len();
                table.replace(cluster, &vec![LEADS_ON; count]);
            }
        }
        without
    }

    /// The cost of the path in the hierarchy, and how many nodes were expanded for it.
    fn search(index: &Hierarchy, grid: &Grid, ends: [Cell; 2]) -> (Option<u64>, u64) {
        let tactics = Tactics::default().with_eager(false);
        let (online, mut scratch) = (index.online(grid, tactics), HpaScratch::default());
        let mut counters = crate::search::Counters::default();
        online.begin(ends[0], ends[1], &mut scratch, &mut counters);
        match online.advance(u64::MAX, &mut scratch, &mut counters) {
            SearchStatus::Reached(cost) => (Some(cost.units()), counters.expanded),
            _ => (None, counters.expanded),
        }
    }

    #[test]
    fn searches_that_spare_dead_ends_find_paths_of_the_same_cost() {
        let mut random = SplitMix64::new(17);
        let (mut with, mut without) = (0, 0);
        let all = [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None];
        let kinds = [
            Kind::Rooms { size: 5 },
            Kind::Caves { blocked_percent: 45, rounds: 4 },
            Kind::Random { blocked_percent: 40 },
            Kind::City { block: 12, street: 2 },
        ];
        for (round, &kind) in (0..).zip(kinds.iter().cycle().take(24)) {
            let side = 96 + 32 * (round % 3);
            let map = generate(kind, side, side, round as u64).unwrap();
            let rules = Rules { diagonals: all[round / 4 % 4], ..Rules::default() };
            let mut grid = Grid::from_fn(side, side, |cell| map.is_free_at((cell.x.into(), cell.y.into())))
                .unwrap()
                .with_rules(rules);
            if round % 5 == 4 {
                let mud = crate::base::Rect::spanning(Cell::new(20, 20), Cell::new(60, 70));
                let _ = grid.set_weight(mud, 3).unwrap();
            }
            let settings = HpaSettings::default().with_cluster(6).with_levels(5);
            let index = Hierarchy::build(&grid, settings).unwrap();
            let plain = without_dead_ends(&index);
            for _ in 0..60 {
                let ends = [(); 2].map(|()| Cell::new(random.below(side) as u16, random.below(side) as u16));
                if ends.iter().all(|&end| grid.is_free(end)) {
                    let (spared, all) = (search(&index, &grid, ends), search(&plain, &grid, ends));
                    assert_eq!(spared.0, all.0, "{kind:?}, {rules:?}, {ends:?}");
                    with += spared.1;
                    without += all.1;
                }
            }
        }
        assert!(with < without - without / 10, "{with} instead of {without} nodes");
    }
}
