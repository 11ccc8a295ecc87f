//! Following the edits of a map.
//!
//! A record depends on the cells of its cluster and on what lies just outside:
//! the other side of its entrances, and the numbers of the nodes there. So an
//! edit is followed outwards and upwards: the clusters it touches and their
//! neighbours first, then the levels above, as long as records really change.
//! Every record is made by the code that builds it, so that the result is what
//! a build from scratch would give.

use super::Hierarchy;
use super::build::{FirstLevel, Worker, doors, ranks};
use super::entrance::find_transitions;
use super::layout::ClusterId;
use super::level::{Crossings, cross};
use crate::base::{Cell, Rect};
use crate::grid::Grid;
use std::collections::BTreeSet;

/// What an update did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Update {
    /// Clusters whose records were made anew, on all levels.
    pub clusters: usize,
    /// Whether the edits were too many to follow and all was built again.
    pub rebuilt: bool,
}

impl Hierarchy {
    /// Brings the abstraction up to date with a map that was edited since.
    ///
    /// # Guarantee
    /// The abstraction is then the same, byte for byte, as one built from
    /// scratch.
    ///
    /// # Complexity
    /// The clusters that the edits touch, their neighbours and their
    /// ancestors; everything, if the edits are too many to be remembered or
    /// if the map is another one.
    pub fn catch_up(&mut self, grid: &Grid) -> Update {
        if self.contents == grid.contents() {
            return Update::default();
        }
        let areas: Option<Vec<Rect>> = grid.changes_since(self.contents).map(Iterator::collect);
        let update = match areas {
            Some(areas) => self.follow(grid, &areas),
            None => self.rebuild(grid),
        };
        self.contents = grid.contents();
        update
    }

    fn rebuild(&mut self, grid: &Grid) -> Update {
        if let Ok(rebuilt) = Self::build(grid, self.settings) {
            *self = rebuilt; // the settings were in range before
        }
        Update {
            clusters: (1..=self.layout.level_count()).map(|level| self.layout.count(level)).sum(),
            rebuilt: true,
        }
    }

    fn follow(&mut self, grid: &Grid, areas: &[Rect]) -> Update {
        let mut work = Followed::default();
        let touched = self.clusters_around(grid, areas.iter().copied());
        let edited: BTreeSet<_> = areas.iter().flat_map(|&area| self.layout.touching(1, area)).collect();
        for &cluster in &touched {
            self.redo_first_level(grid, cluster, edited.contains(&cluster), &mut work);
        }
        let renumbered = work.renumbered.iter().map(|&cluster| self.layout.area(1, cluster));
        let mut joined = self.clusters_around(grid, renumbered);
        joined.extend(&touched);
        for cluster in joined {
            self.redo_links(grid, cluster, &mut work);
        }
        self.redo_upper_levels(&mut work);
        Update { clusters: work.count, rebuilt: false }
    }

    /// The 1-clusters that hold a cell of an area or adjoin one.
    fn clusters_around(&self, grid: &Grid, areas: impl Iterator<Item = Rect>) -> BTreeSet<ClusterId> {
        areas.flat_map(|area| self.layout.touching(1, area.grown(1, grid.area()))).collect()
    }

    /// Makes costs and ways of a 1-cluster anew if its cells were edited or
    /// its nodes are no longer the same.
    fn redo_first_level(&mut self, grid: &Grid, cluster: ClusterId, edited: bool, work: &mut Followed) {
        let Self { layout, settings, .. } = self;
        find_transitions(grid, layout, cluster, settings.entrance, &mut work.transitions);
        work.nodes.clear();
        work.nodes.extend(work.transitions.iter().map(|&(from, _)| from));
        work.nodes.dedup();
        let old = self.view().costs(1, cluster);
        let renumbered = !(0..old.count()).map(|rank| old.cell(rank)).eq(work.nodes.iter().copied());
        if renumbered {
            work.renumbered.insert(cluster);
        }
        if !edited && !renumbered {
            return;
        }
        work.count += 1;
        let FirstLevel { costs, ways, lanes } =
            work.worker.first_level(grid, &self.layout, self.settings, cluster);
        if self.costs[0].replace(cluster, &costs) {
            work.changed.insert(cluster);
        }
        if let Some(table) = &mut self.ways {
            table.replace(cluster, &ways);
        }
        if let Some(table) = &mut self.lanes {
            table.replace(cluster, &lanes);
        }
    }

    fn redo_links(&mut self, grid: &Grid, cluster: ClusterId, work: &mut Followed) {
        let links = work.worker.links(grid, &self.view(), self.settings, cluster);
        if self.links.replace(cluster, &links) {
            work.relinked.insert(cluster);
        }
    }

    fn redo_upper_levels(&mut self, work: &mut Followed) {
        let mut reranked = work.renumbered.clone();
        for level in 2..=self.layout.level_count() {
            let parent = |layout: &super::layout::Layout, child: ClusterId| {
                layout.cluster_of(level, layout.area(level - 1, child).min())
            };
            let mut clusters: BTreeSet<_> =
                work.changed.iter().map(|&child| parent(&self.layout, child)).collect();
            clusters.extend(work.relinked.iter().map(|&first| self.layout.ancestor(level, first)));
            work.changed.clear();
            for cluster in clusters {
                let view = self.view();
                let Crossings { costs, stops } = cross(&view, level, cluster, &mut work.worker.level);
                let same_nodes = view.costs(level, cluster).has_nodes_of(&costs);
                if self.costs[usize::from(level) - 1].replace(cluster, &costs) {
                    work.changed.insert(cluster);
                }
                if let Some(table) = self.stops.get_mut(usize::from(level) - 2) {
                    table.replace(cluster, &stops);
                }
                let doors = doors(&self.view(), level, cluster);
                self.doors[usize::from(level) - 2].replace(cluster, &doors);
                if !same_nodes {
                    reranked.extend(self.layout.touching(1, self.layout.area(level, cluster)));
                }
                work.count += 1;
            }
        }
        for cluster in reranked {
            let ranks = ranks(&self.view(), cluster);
            self.ranks.replace(cluster, &ranks);
        }
    }
}

/// How far an update got.
#[derive(Default)]
struct Followed {
    worker: Worker,
    transitions: Vec<(Cell, Cell)>,
    nodes: Vec<Cell>,
    /// 1-clusters whose nodes are others now, or numbered otherwise.
    renumbered: BTreeSet<ClusterId>,
    /// Clusters of the level below whose costs changed.
    changed: BTreeSet<ClusterId>,
    /// 1-clusters whose inter-edges changed.
    relinked: BTreeSet<ClusterId>,
    count: usize,
}
