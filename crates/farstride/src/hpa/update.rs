//! Updating a hierarchy after edits of its map.
//!
//! A record depends on the cells of its cluster and on what lies just outside: the
//! far side of its entrances, and the numbers of the nodes there. So an edit is
//! followed outwards and upwards: first the clusters it touches and their
//! neighbours, then the levels above, as long as records really change. Records
//! are made by the code of the build, or ways are repaired or searched for to what it would find, so the
//! result equals a rebuild, byte for byte.

use super::Hierarchy;
use super::build::{Before, FirstLevel, Worker, doors, links, ranks};
use super::dead_ends::DeadEndChanges;
use super::entrance::{Transition, TransitionFinder};
use super::layout::ClusterId;
use super::level::Crossings;
use super::net::{self, Heights};
use super::pockets;
use super::recross::{BeforeEdit, Renamed, cross_again};
use super::tables::{Costs, Link, Links, Ways};
use crate::base::crew::Workers;
use crate::base::{BuildOptions, Cell, Cost, Rect};
use crate::grid::Grid;
use std::collections::{BTreeMap, BTreeSet};

impl Hierarchy {
    /// Brings the hierarchy up to date with the current state of its map, on up to this many
    /// threads.
    ///
    /// # Guarantee
    /// The hierarchy then equals, byte for byte, one built from scratch.
    ///
    /// # Complexity
    /// Recomputes the clusters that the edits touch, their neighbours and their
    /// ancestors. Rebuilds everything if there were more edits than the map
    /// remembers, or if it is a different map.
    pub(crate) fn catch_up(&mut self, grid: &Grid, threads: usize) {
        if self.revision == grid.revision() {
            return;
        }
        let areas: Option<Vec<Rect>> = grid.changes_since(self.revision).map(Iterator::collect);
        match areas {
            Some(areas) => self.follow(grid, &areas, threads),
            None => self.rebuild(grid, threads),
        }
        self.revision = grid.revision();
    }

    fn rebuild(&mut self, grid: &Grid, threads: usize) {
        if let Ok(rebuilt) = Self::build_with(grid, self.settings, &BuildOptions::new().threads(threads)) {
            *self = rebuilt; // nobody cancels
        }
    }

    fn follow(&mut self, grid: &Grid, edits: &[Rect], threads: usize) {
        // Sorted sets, so that the order of the edits does not matter.
        let mut work = UpdateWork::new(threads);
        let mut touched = self.clusters_around(grid, edits.iter().copied());
        if self.settings.gap > 0 {
            for &area in edits {
                self.add_clusters_along_borders(grid, area, &mut touched);
            }
        }
        let touched: Vec<_> = touched.into_iter().collect();
        let same = self.find_transitions(grid, &touched, edits, &mut work);
        work.renumbered
            .extend(touched.iter().zip(same).filter(|&(_, same)| !same).map(|(&cluster, _)| cluster));
        // Links name nodes of neighbours, so they reach one cluster farther than the nodes.
        let renumbered = work.renumbered.iter().map(|&cluster| self.layout.area(1, cluster));
        let mut around = self.clusters_around(grid, renumbered);
        around.retain(|cluster| !work.transitions.contains_key(cluster));
        self.find_transitions(grid, &around.into_iter().collect::<Vec<_>>(), edits, &mut work);
        let edited = edits.iter().flat_map(|&area| self.layout.touching(1, area));
        let clusters: BTreeSet<_> = edited.chain(work.renumbered.iter().copied()).collect();
        self.recompute_first_level(grid, &clusters.into_iter().collect::<Vec<_>>(), edits, &mut work);
        self.note_for_dead_ends(1, &mut work);
        for &cluster in &work.renumbered {
            if let Some(before) = work.changed.get(&cluster) {
                let (before, after) = (Costs::new(before), self.view().costs(1, cluster));
                work.renamed.note(&self.layout, cluster, before, after);
                let both = 0..before.count().min(after.count());
                let moved = both.filter(|&local| before.cell(local) != after.cell(local));
                work.moved.extend(moved.map(|local| (cluster, local)));
            }
        }
        for (cluster, transitions) in std::mem::take(&mut work.transitions) {
            let view = self.view();
            let links = links(grid, &view, &transitions);
            self.relink(cluster, &links, &mut work);
        }
        work.turned = self.turned(&work);
        self.recompute_upper_levels(grid, &mut work);
        let revision = grid.revision();
        work.relinked.keys().for_each(|&cluster| self.changes.note(1, cluster, revision));
    }

    /// The 1-clusters that contain or adjoin a cell of one of the areas.
    fn clusters_around(&self, grid: &Grid, areas: impl Iterator<Item = Rect>) -> BTreeSet<ClusterId> {
        areas.flat_map(|area| self.layout.touching(1, area.grown(1, grid.area()))).collect()
    }

    /// Adds the 1-clusters along all borders that an edited area touches: the heights of
    /// transitions depend on all cells along the border of the highest level below those with nets.
    fn add_clusters_along_borders(&self, grid: &Grid, area: Rect, clusters: &mut BTreeSet<ClusterId>) {
        for first in self.layout.touching(1, area) {
            for border in TransitionFinder::borders_of(grid, &self.layout, first) {
                if border.meets(area) {
                    clusters.extend(self.layout.touching(1, border));
                }
            }
        }
    }

    /// Finds the transitions out of 1-clusters after edits. Returns for each whether its nodes
    /// are the same as before.
    fn find_transitions(
        &self,
        grid: &Grid,
        clusters: &[ClusterId],
        edits: &[Rect],
        work: &mut UpdateWork,
    ) -> Vec<bool> {
        let find = |at: usize, worker: &mut Worker| {
            self.transitions_of(grid, clusters[at], edits, &mut worker.transitions)
        };
        let found = work.crew.map(clusters.len(), clusters.len() < WORTH_A_THREAD, find);
        let (transitions, same): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        work.transitions.extend(clusters.iter().copied().zip(transitions));
        same
    }

    /// The transitions out of a 1-cluster after edits, and whether its nodes are the same as
    /// before.
    fn transitions_of(
        &self,
        grid: &Grid,
        cluster: ClusterId,
        edits: &[Rect],
        finder: &mut TransitionFinder,
    ) -> (Vec<Transition>, bool) {
        let view = self.view();
        let nodes = view.costs(1, cluster);
        let mut before = Vec::new();
        view.links(cluster).for_each(|local, Link { head, height, is_pocket_door, .. }| {
            let (from, to) = (nodes.cell(local), view.cell(head));
            before.push(Transition { from, to, height, is_pocket_door });
        });
        finder.find_again(grid, &self.layout, self.settings, cluster, (edits, before.iter().copied()));
        if self.has_net(self.layout.level_count()) {
            keep_heights(&mut finder.found, &before, self.layout.first_net());
        }
        let mut cells: Vec<Cell> = finder.found.iter().map(|transition| transition.from).collect();
        cells.dedup();
        let same = (0..nodes.count()).map(|rank| nodes.cell(rank)).eq(cells);
        (finder.found.clone(), same)
    }

    /// Recomputes costs and ways of 1-clusters whose cells were edited or whose nodes
    /// changed.
    fn recompute_first_level(
        &mut self,
        grid: &Grid,
        clusters: &[ClusterId],
        edits: &[Rect],
        work: &mut UpdateWork,
    ) {
        let UpdateWork { crew, transitions, .. } = work;
        let records = crew.map(clusters.len(), clusters.len() < MANY, |at, worker| {
            self.records_of(grid, clusters[at], edits, &transitions[&clusters[at]], worker)
        });
        for (&cluster, FirstLevel { costs, ways, lanes }) in clusters.iter().zip(records) {
            let old = self.costs[0].view().record(cluster).to_vec();
            if self.costs[0].replace(cluster, &costs) {
                self.changes.note(1, cluster, grid.revision());
                work.changed.insert(cluster, old);
            }
            match &mut self.ways {
                Some(table) => {
                    table.replace(cluster, &ways);
                    if let Some(is_unproved) = self.has_unproved_ways.get_mut(cluster as usize) {
                        *is_unproved = false;
                    }
                }
                None if lanes.is_empty() => {}
                None => self.recent.put(cluster, &ways),
            }
            if let Some(table) = &mut self.lanes {
                table.replace(cluster, &lanes);
            }
        }
    }

    /// The records of a 1-cluster with these transitions after edits.
    fn records_of(
        &self,
        grid: &Grid,
        cluster: ClusterId,
        edits: &[Rect],
        transitions: &[Transition],
        worker: &mut Worker,
    ) -> FirstLevel {
        let mut nodes: Vec<Cell> = transitions.iter().map(|transition| transition.from).collect();
        nodes.dedup();
        let view = self.view();
        let area = self.layout.area(1, cluster);
        let recent = || self.recent.get(cluster).map(|record| Ways::new(record, area.cell_count()));
        // Whatever is wrong with ways that nobody has proved must not spread.
        let is_unproved =
            self.has_unproved_ways.get(cluster as usize).is_some_and(|&is_unproved| is_unproved);
        let kept = view.ways(cluster, area).filter(|_| !is_unproved);
        let before = kept.or_else(recent).map(|ways| Before {
            costs: view.costs(1, cluster),
            ways,
            lanes: view.lanes(cluster),
            edits,
        });
        worker.records(grid, &self.layout, self.settings, (cluster, &nodes), before.as_ref())
    }

    /// Replaces the inter-edges of a 1-cluster.
    fn relink(&mut self, cluster: ClusterId, links: &[u8], work: &mut UpdateWork) {
        let before = self.links.view().record(cluster);
        if before != links {
            work.relinked.entry(cluster).or_insert_with(|| before.to_vec());
            self.links.replace(cluster, links);
        }
    }

    /// The 1-clusters with an inter-edge to a node that has moved, and the highest level on which it may count. Numbers may
    /// be the same as before, but directions differ.
    fn turned(&self, work: &UpdateWork) -> Vec<(ClusterId, u8)> {
        let view = self.view();
        let mut turned = Vec::new();
        for &(cluster, local) in &work.moved {
            view.links(cluster).for_each_from(local, |link| {
                // Nets may still change the height of the inter-edge itself.
                let nodes = [self.layout.node(cluster, local), link.head].map(|node| view.cell(node));
                let highest = self.layout.border_level(nodes[0], nodes[1]);
                turned.push((self.layout.cluster_and_local(link.head).0, highest));
            });
        }
        turned
    }

    /// The 1-clusters whose inter-edges that count on a level are others than before.
    fn relinked(&self, level: u8, work: &UpdateWork) -> Vec<ClusterId> {
        let view = self.view();
        let differs = |&(&cluster, before): &(&ClusterId, &Vec<u8>)| {
            edges_of(Links::new(before), level) != edges_of(view.links(cluster), level)
        };
        work.relinked.iter().filter(differs).map(|(&cluster, _)| cluster).collect()
    }

    /// Chooses the transitions of a level again where the level below has changed.
    fn choose_again(&mut self, level: u8, work: &mut UpdateWork) {
        let (below, layout) = (level - 1, &self.layout);
        let relinked = self.relinked(below, work);
        let mut changed: BTreeSet<_> = relinked.iter().map(|&first| layout.ancestor(below, first)).collect();
        changed.extend(work.changed.keys());
        // Clusters whose parts or nets may be others than before. Both clusters at a border choose which of its doors count, so
        // one of them is enough. That matters where a transition that was left out is kept now, because another one has taken its
        // number: then only the cluster whose node moved is here. The part on the other side got a second door, but its first one
        // leads to that same cluster, because what is left out joins the same clusters as what spares it. So it is looked at, too.
        let mut parted: BTreeSet<_> = relinked.iter().map(|&first| layout.ancestor(level, first)).collect();
        for (&cluster, before) in &work.changed {
            if !Costs::new(before).has_parts_of(self.view().costs(below, cluster)) {
                parted.insert(layout.cluster_of(level, layout.area(below, cluster).min()));
            }
        }
        // Choices are made by the cluster with the smaller number.
        let mut pairs: BTreeMap<ClusterId, BTreeSet<ClusterId>> = BTreeMap::new();
        for &cluster in &changed {
            let area = layout.area(below, cluster);
            for other in layout.touching(below, area.grown(1, layout.map_area())) {
                pairs.entry(cluster.min(other)).or_default().insert(cluster.max(other));
            }
        }
        let view = self.view();
        let choices = pairs.iter().flat_map(|(&cluster, others)| {
            net::choose(&view, level, cluster, &|other| others.contains(&other))
        });
        let heights = net::heights(&view, level, &choices.collect::<Vec<_>>());
        parted.extend(heights.keys().map(|&first| layout.ancestor(level, first)));
        self.change_heights(&heights, work);
        let view = self.view();
        let choices = parted.iter().flat_map(|&cluster| {
            // Both clusters would choose the same.
            pockets::choose(&view, level, cluster, &|other| other > cluster || !parted.contains(&other))
        });
        self.change_heights(&net::heights(&view, level, &choices.collect::<Vec<_>>()), work);
    }

    fn change_heights(&mut self, heights: &Heights, work: &mut UpdateWork) {
        for (&cluster, heights) in heights {
            let mut links = self.links.view().record(cluster).to_vec();
            net::change(&mut links, heights);
            self.relink(cluster, &links, work);
        }
    }

    /// Replaces costs and stops of a cluster of level 2 or more. Returns the 1-clusters of nodes that have come, gone or
    /// moved.
    fn replace_crossings(
        &mut self,
        level: u8,
        cluster: ClusterId,
        Crossings { costs, stops }: &Crossings,
        work: &mut UpdateWork,
    ) -> Vec<ClusterId> {
        let nodes = self.view().costs(level, cluster);
        let mut reranked = Vec::new();
        if !nodes.has_nodes_of(costs) {
            let [old, new] =
                [nodes, Costs::new(costs)].map(|nodes| nodes.nodes().enumerate().collect::<BTreeSet<_>>());
            let moved = old.symmetric_difference(&new);
            reranked.extend(moved.map(|&(_, node)| self.layout.cluster_and_local(node).0));
        }
        let table = &mut self.costs[usize::from(level) - 1];
        let old = table.view().record(cluster).to_vec();
        if table.replace(cluster, costs) {
            work.changed.insert(cluster, old);
        }
        if let Some(table) = self.stops.get_mut(usize::from(level) - 2) {
            table.replace(cluster, stops);
        }
        reranked
    }

    fn recompute_upper_levels(&mut self, grid: &Grid, work: &mut UpdateWork) {
        let (revision, rules) = (grid.revision(), grid.rules());
        let mut reranked = work.renumbered.clone();
        for level in 2..=self.layout.level_count() {
            if self.has_net(level) {
                self.choose_again(level, work);
            }
            // Which inter-edges count here, or on the level below, decides about nodes and edges.
            let relinked: BTreeSet<_> = [level - 1, level]
                .into_iter()
                .flat_map(|counting| self.relinked(counting, work))
                .map(|first| self.layout.ancestor(level, first))
                .collect();
            let below = std::mem::take(&mut work.changed);
            let parent =
                |&child: &ClusterId| self.layout.cluster_of(level, self.layout.area(level - 1, child).min());
            let clusters: BTreeSet<_> = below.keys().map(parent).chain(relinked.iter().copied()).collect();
            let clusters: Vec<_> = clusters.into_iter().collect();
            let view = self.view();
            let before = BeforeEdit { costs: &below, links: &work.relinked, renamed: &work.renamed };
            let crossings = work.crew.map(clusters.len(), clusters.len() < MANY, |at, worker| {
                cross_again(&view, level, clusters[at], &before, (&mut worker.level, &mut worker.new_ways))
            });
            let turned = work.turned.iter().filter(|&&(_, height)| height >= level);
            let turned = turned.map(|&(first, _)| self.layout.ancestor(level, first));
            let mut others: BTreeSet<_> = turned.chain(relinked).collect();
            for (cluster, crossings) in clusters.into_iter().zip(crossings) {
                if let Some(crossings) = crossings {
                    reranked.extend(self.replace_crossings(level, cluster, &crossings, work));
                    others.insert(cluster);
                }
            }
            for cluster in others {
                let doors = doors(&self.view(), level, cluster);
                self.doors[usize::from(level) - 2].replace(cluster, &doors);
            }
            work.changed.keys().for_each(|&cluster| self.changes.note(level, cluster, revision));
            self.note_for_dead_ends(level, work);
        }
        let stretch = std::mem::take(&mut self.stretch);
        self.stretch = stretch.look_again(&self.view(), rules, work.changed.keys().copied());
        for cluster in reranked {
            let ranks = ranks(&self.view(), cluster);
            self.ranks.replace(cluster, &ranks);
        }
        let mut changes = std::mem::take(&mut work.dead_ends);
        for &cluster in work.relinked.keys() {
            self.view().links(cluster).for_each(|local, link| {
                changes.nodes.extend([self.layout.node(cluster, local), link.head]);
            });
        }
        // What leads to a node that has moved is the same, but the node may be a dead end no longer.
        for &(cluster, local) in &work.moved {
            self.view().links(cluster).for_each_from(local, |link| {
                changes.nodes.insert(link.head);
            });
        }
        self.look_at_dead_ends(changes);
    }

    /// Notes what has changed in the costs of a level that dead ends follow from.
    fn note_for_dead_ends(&self, level: u8, work: &mut UpdateWork) {
        if self.settings.local.is_any_angle() {
            return; // has none
        }
        for (&cluster, before) in &work.changed {
            let after = self.view().costs(level, cluster);
            work.dead_ends.note((level, cluster), Costs::new(before), after);
        }
    }
}

/// The inter-edges of a 1-cluster that count on a level.
fn edges_of(links: Links<'_>, level: u8) -> Vec<(usize, u32, Cost)> {
    let mut edges = Vec::new();
    links.for_each(|local, Link { head, height, cost, .. }| {
        if height >= level {
            edges.push((local, head, cost));
        }
    });
    edges
}

/// Gives transitions that were there before the heights that nets have given them.
fn keep_heights(found: &mut [Transition], before: &[Transition], first_net: u8) {
    for transition in found.iter_mut().filter(|transition| transition.height >= first_net) {
        let ends = |other: &&Transition| (other.from, other.to) == (transition.from, transition.to);
        let known = before.iter().find(ends).filter(|known| known.height + 1 >= first_net);
        *transition = *known.unwrap_or(transition);
    }
}

/// Number of 1-clusters whose transitions are worth another thread: those of one take a few
/// microseconds.
const WORTH_A_THREAD: usize = 64;
/// Number of clusters whose records are worth another thread: those of one take about as long as
/// it takes to start and join a thread.
const MANY: usize = 4;

/// What an update has done so far, and its working memory.
struct UpdateWork {
    crew: Workers<Worker>,
    /// The transitions of 1-clusters whose links may have changed.
    transitions: BTreeMap<ClusterId, Vec<Transition>>,
    /// 1-clusters whose nodes changed or were renumbered.
    renumbered: BTreeSet<ClusterId>,
    /// Clusters of the level below whose costs changed, and the records of before.
    changed: BTreeMap<ClusterId, Vec<u8>>,
    /// 1-clusters whose inter-edges changed, and the records of before.
    relinked: BTreeMap<ClusterId, Vec<u8>>,
    /// The new numbers of nodes of 1-clusters whose nodes changed.
    renamed: Renamed,
    /// Local numbers of 1-clusters that belong to another cell than before.
    moved: Vec<(ClusterId, usize)>,
    /// See [`Hierarchy::turned`].
    turned: Vec<(ClusterId, u8)>,
    dead_ends: DeadEndChanges,
}

impl UpdateWork {
    fn new(threads: usize) -> Self {
        Self {
            crew: Workers::new(threads, Worker::default),
            transitions: BTreeMap::new(),
            renumbered: BTreeSet::new(),
            changed: BTreeMap::new(),
            relinked: BTreeMap::new(),
            renamed: Renamed::default(),
            moved: Vec::new(),
            turned: Vec::new(),
            dead_ends: DeadEndChanges::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Diagonals, Rules};
    use crate::hpa::HpaSettings;
    use farstride_testkit::SplitMix64;

    /// Enough clusters that several threads share them.
    #[test]
    fn edits_give_the_same_bytes_on_any_number_of_threads() {
        let mut random = SplitMix64::new(11);
        let weights: Vec<u8> = (0..256 * 256).map(|_| random.between(0, 9) as u8).collect();
        let mut grid = Grid::from_weights(256, 256, &weights).unwrap();
        let settings = HpaSettings::default().with_cluster(16);
        let before = Hierarchy::build(&grid, settings).unwrap();
        for _ in 0..300 {
            let cell = Cell::new(random.below(256) as u16, random.below(256) as u16);
            if random.chance(30) {
                let _ = grid.block(cell).unwrap();
            } else {
                let _ = grid.set_weight(cell, random.between(1, 9) as u8).unwrap();
            }
        }
        let rebuilt = Hierarchy::build(&grid, settings).unwrap();
        for threads in [1, 2, 7] {
            let mut edited = before.clone();
            edited.catch_up(&grid, threads);
            assert!(edited == rebuilt && edited.digest() == rebuilt.digest(), "{threads} threads");
        }
    }

    /// Two squeezes lead from one cell across a border of level 5, and the net of level 4 keeps the first. When
    /// that is blocked, the other one gets its number and its height, and only its direction differs.
    #[test]
    fn doors_turn_where_another_squeeze_takes_over() {
        let (left, right, below) = (Cell::new(11, 127), Cell::new(13, 127), Cell::new(12, 128));
        let is_free = |cell: Cell| !(127..=128).contains(&cell.y) || [left, right, below].contains(&cell);
        let rules = Rules { diagonals: Diagonals::Free, ..Rules::default() };
        let mut grid = Grid::from_fn(256, 256, is_free).unwrap().with_rules(rules);
        let settings = HpaSettings::default().with_cluster(8).with_levels(6);
        let mut index = Hierarchy::build(&grid, settings).unwrap();
        let heights = |index: &Hierarchy| {
            let view = index.view();
            let (cluster, local) = index.layout.cluster_and_local(view.node_at(below).unwrap());
            let mut heights = Vec::new();
            view.links(cluster).for_each_from(local, |link| heights.push(link.height));
            heights
        };
        assert_eq!(heights(&index), [5, 3]);
        let _ = grid.block(left).unwrap();
        index.catch_up(&grid, 1);
        assert_eq!(heights(&index), [5]);
        assert!(index == Hierarchy::build(&grid, settings).unwrap());
        let _ = grid.free(left).unwrap();
        index.catch_up(&grid, 1);
        assert!(index == Hierarchy::build(&grid, settings).unwrap());
    }
}
