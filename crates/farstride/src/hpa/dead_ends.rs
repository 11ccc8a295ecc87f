//! Ways out of clusters that lead nowhere.
//!
//! Often the only way on from a node is the way back: from the node beyond a border, no other node of its cluster can be reached inside
//! that cluster. Between small rooms, that is so for a third of the nodes on the highest level. Whoever
//! neither starts nor ends in such a cluster need not enter it there. A search would find out one node at a time; so
//! for every node of every cluster it is noted from which level on all ways out by it are *dead ends*.
//!
//! A way out is a dead end on a level if the node beyond does not count there, or if that node reaches no other node of its
//! cluster and its inter-edges all lead back. If the way leads out of a cluster of the level above, too, it is a dead end there as well:
//! ways through a cluster consist of ways through those below.
//!
//! Dead ends follow from the other tables, so files do not have them. After an edit they are looked at again where something
//! beyond has changed.

use super::hierarchy::{Hierarchy, View};
use super::layout::ClusterId;
use super::tables::{Costs, Table, WORD};
use crate::base::crew::Crew;
use crate::base::{Cancelled, Cell};
use std::collections::{BTreeMap, BTreeSet};

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
            let records = crew.try_map(view.layout.count(level), |cluster, (): &mut ()| {
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
        let mut changed: BTreeMap<_, _> = moved
            .into_iter()
            .map(|(level, cluster)| ((level, cluster), record(&view, level, cluster)))
            .collect();
        for node in nodes {
            let first = view.layout.cluster_and_local(node).0;
            for level in 1..=view.levels() {
                let cluster = view.layout.ancestor(level, first);
                let Some(rank) = view.known_rank(node, level) else { break };
                let now = dead_from(&view, (level, cluster), rank);
                let before = view.dead_ends(level, cluster);
                if before.get(rank) != Some(&now) {
                    changed.entry((level, cluster)).or_insert_with(|| before.to_vec())[rank] = now;
                }
            }
        }
        for ((level, cluster), record) in changed {
            self.dead_ends[usize::from(level) - 1].replace(cluster, &record);
        }
    }

    /// The first cluster whose dead ends are others than its tables give, and its level.
    pub(super) fn false_dead_ends(&self) -> Option<(u8, ClusterId)> {
        let view = self.view();
        let all = (1..=self.dead_ends.len() as u8)
            .flat_map(|level| self.layout.clusters(level).map(move |cluster| (level, cluster)));
        let is_false = |&(level, cluster): &(u8, ClusterId)| {
            view.dead_ends(level, cluster) != record(&view, level, cluster)
        };
        all.into_iter().find(is_false)
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
    let node = view.costs(level, cluster).node(rank);
    let here = layout.cluster_and_local(node).0;
    // The highest level on which all of them lead out of a cluster.
    let mut highest = layout.level_count();
    let mut lowest = 1;
    view.exits(level, cluster).for_each_at(rank, |head, _, _| {
        let beyond = layout.cluster_and_local(head).0;
        let leads_out = |&level: &u8| layout.ancestor(level, here) != layout.ancestor(level, beyond);
        let top = (level..=layout.level_count()).rev().find(leads_out).unwrap_or(0);
        let dead = (1..=top).rev().take_while(|&level| leads_nowhere(view, (node, head), level));
        highest = highest.min(top);
        lowest = lowest.max(dead.last().unwrap_or(u8::MAX));
    });
    if lowest <= highest { lowest } else { LEADS_ON }
}

/// Whether the way out from one node to another is a dead end on a level.
fn leads_nowhere(view: &View<'_>, (from, to): (u32, u32), level: u8) -> bool {
    let Some(rank) = view.known_rank(to, level) else { return true };
    let cluster = view.layout.ancestor(level, view.layout.cluster_and_local(to).0);
    let mut leads_back = true;
    view.exits(level, cluster).for_each_at(rank, |head, _, _| leads_back &= head == from);
    leads_back && view.costs(level, cluster).is_lone(rank)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rect;
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
                let mud = Rect::spanning(Cell::new(20, 20), Cell::new(60, 70));
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
        assert!(with < without - without / 20, "{with} instead of {without} nodes");
    }

    /// A map of 256 x 256 cells with squeezes, where only these lines of cells are free.
    fn lines(lines: &[[u16; 4]]) -> Grid {
        let areas: Vec<Rect> =
            lines.iter().map(|&[x, y, a, b]| Rect::spanning(Cell::new(x, y), Cell::new(a, b))).collect();
        let rules = Rules { diagonals: Diagonals::Free, ..Rules::default() };
        let is_free = |cell| areas.iter().any(|area| area.contains(cell));
        Grid::from_fn(256, 256, is_free).unwrap().with_rules(rules)
    }

    /// A squeeze leads from a node to one that is alone, but has a squeeze to a third, which counts on a higher level.
    #[test]
    fn a_lone_node_with_another_way_out_leads_on() {
        let grid = lines(&[
            [12, 128, 12, 128],
            [3, 127, 11, 127],
            [13, 127, 40, 127],
            [11, 125, 11, 126],
            [12, 124, 12, 124],
            [13, 125, 13, 126],
            [3, 100, 3, 127],
            [40, 100, 40, 127],
        ]);
        let settings = HpaSettings::default().with_cluster(16).with_levels(5);
        let index = Hierarchy::build(&grid, settings).unwrap();
        let ends = [Cell::new(40, 100), Cell::new(3, 100)];
        let found = search(&index, &grid, ends).0;
        assert_eq!(found, search(&without_dead_ends(&index), &grid, ends).0);
        assert!(found.is_some());
    }

    /// Where one squeeze is closed and another one opened, a node moves to another cell and keeps its number, so that
    /// inter-edges have the same records.
    #[test]
    fn a_node_that_moves_to_a_cell_with_a_way_on_is_no_dead_end_any_more() {
        let mut grid = lines(&[[11, 15, 11, 15], [12, 16, 12, 40], [12, 8, 40, 8], [14, 8, 14, 14]]);
        for levels in 1..=4 {
            let settings = HpaSettings::default().with_cluster(16).with_levels(levels);
            let mut index = Hierarchy::build(&grid, settings).unwrap();
            let before = grid.clone();
            let _ = grid.block(Cell::new(11, 15)).unwrap();
            let _ = grid.free(Cell::new(13, 15)).unwrap();
            index.catch_up(&grid, 1);
            let ends = [Cell::new(12, 40), Cell::new(40, 8)];
            assert!(search(&index, &grid, ends).0.is_some(), "{levels} levels");
            assert!(index == Hierarchy::build(&grid, settings).unwrap(), "{levels} levels");
            assert!(index.verify(&grid).is_ok());
            grid = before;
        }
    }

    #[test]
    fn false_dead_ends_are_noticed() {
        let map = generate(Kind::Rooms { size: 5 }, 128, 128, 3).unwrap();
        let grid = Grid::from_fn(128, 128, |cell| map.is_free_at((cell.x.into(), cell.y.into()))).unwrap();
        let settings = HpaSettings::default().with_cluster(8).with_levels(4);
        let index = Hierarchy::build(&grid, settings).unwrap();
        assert!(index.verify(&grid).is_ok());
        let error = without_dead_ends(&index).verify(&grid).unwrap_err();
        assert!(error.to_string().contains("dead ends"), "{error}");
    }
}
