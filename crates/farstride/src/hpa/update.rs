//! Updating a hierarchy after edits of its map.
//!
//! A record depends on the cells of its cluster and on what lies just outside: the
//! far side of its entrances, and the numbers of the nodes there. So an edit is
//! followed outwards and upwards: first the clusters it touches and their
//! neighbours, then the levels above, as long as records really change. Every
//! record is made by the code of the build, so the result equals a rebuild, byte
//! for byte.

use super::Hierarchy;
use super::build::{FirstLevel, Worker, doors, ranks};
use super::entrance::TransitionFinder;
use super::layout::ClusterId;
use super::level::{Crossings, cross};
use crate::base::{Cell, Rect};
use crate::grid::Grid;
use std::collections::BTreeSet;

impl Hierarchy {
    /// Brings the hierarchy up to date with the current state of its map.
    ///
    /// # Guarantee
    /// The hierarchy then equals, byte for byte, one built from scratch.
    ///
    /// # Complexity
    /// Recomputes the clusters that the edits touch, their neighbours and their
    /// ancestors. Rebuilds everything if there were more edits than the map
    /// remembers, or if it is a different map.
    pub(crate) fn catch_up(&mut self, grid: &Grid) {
        if self.revision == grid.revision() {
            return;
        }
        let areas: Option<Vec<Rect>> = grid.changes_since(self.revision).map(Iterator::collect);
        match areas {
            Some(areas) => self.follow(grid, &areas),
            None => self.rebuild(grid),
        }
        self.revision = grid.revision();
    }

    fn rebuild(&mut self, grid: &Grid) {
        if let Ok(rebuilt) = Self::build(grid, self.settings) {
            *self = rebuilt; // the settings were in range before
        }
    }

    fn follow(&mut self, grid: &Grid, areas: &[Rect]) {
        // Sorted sets, so that the order of the edits does not matter.
        let mut work = UpdateWork::default();
        let mut touched = self.clusters_around(grid, areas.iter().copied());
        if self.settings.gap > 0 {
            for &area in areas {
                self.add_clusters_along_borders(grid, area, &mut touched);
            }
        }
        let edited: BTreeSet<_> = areas.iter().flat_map(|&area| self.layout.touching(1, area)).collect();
        for &cluster in &touched {
            self.recompute_first_level(grid, cluster, edited.contains(&cluster), &mut work);
        }
        // Links name nodes of neighbours, so they come after all nodes are known, and
        // reach one cluster farther than the nodes.
        let renumbered = work.renumbered.iter().map(|&cluster| self.layout.area(1, cluster));
        let mut joined = self.clusters_around(grid, renumbered);
        joined.extend(&touched);
        for cluster in joined {
            self.recompute_links(grid, cluster, &mut work);
        }
        self.recompute_upper_levels(&mut work);
    }

    /// The 1-clusters that contain or adjoin a cell of one of the areas.
    fn clusters_around(&self, grid: &Grid, areas: impl Iterator<Item = Rect>) -> BTreeSet<ClusterId> {
        areas.flat_map(|area| self.layout.touching(1, area.grown(1, grid.area()))).collect()
    }

    /// Adds the 1-clusters along all borders that an edited area touches: the heights of
    /// transitions depend on all cells along the border of the highest level.
    fn add_clusters_along_borders(&self, grid: &Grid, area: Rect, clusters: &mut BTreeSet<ClusterId>) {
        for first in self.layout.touching(1, area) {
            for side in TransitionFinder::borders_of(grid, &self.layout, first) {
                if side.meets(area) {
                    clusters.extend(self.layout.touching(1, side.grown(1, grid.area())));
                }
            }
        }
    }

    /// Recomputes costs and ways of a 1-cluster if its cells were edited or its
    /// nodes changed.
    fn recompute_first_level(
        &mut self,
        grid: &Grid,
        cluster: ClusterId,
        edited: bool,
        work: &mut UpdateWork,
    ) {
        let Self { layout, settings, .. } = self;
        let transitions = &mut work.worker.transitions;
        transitions.find(grid, layout, *settings, cluster);
        work.nodes.clear();
        work.nodes.extend(transitions.found.iter().map(|transition| transition.from));
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

    fn recompute_links(&mut self, grid: &Grid, cluster: ClusterId, work: &mut UpdateWork) {
        let links = work.worker.links(grid, &self.view(), self.settings, cluster);
        if self.links.replace(cluster, &links) {
            work.relinked.insert(cluster);
        }
    }

    fn recompute_upper_levels(&mut self, work: &mut UpdateWork) {
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

/// What an update has done so far, and its working memory.
#[derive(Default)]
struct UpdateWork {
    worker: Worker,
    nodes: Vec<Cell>,
    /// 1-clusters whose nodes changed or were renumbered.
    renumbered: BTreeSet<ClusterId>,
    /// Clusters of the level below whose costs changed.
    changed: BTreeSet<ClusterId>,
    /// 1-clusters whose inter-edges changed.
    relinked: BTreeSet<ClusterId>,
    count: usize,
}
