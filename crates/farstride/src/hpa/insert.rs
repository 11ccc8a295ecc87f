//! Inserting start and goal into the hierarchy.

use super::HpaSettings;
use super::graphs::LevelGraph;
use super::hierarchy::View;
use super::layout::ClusterId;
use super::local::{LocalSearch, Reach};
use super::pockets;
use super::tables::UNREACHABLE;
use crate::base::{Cell, Cost, NodeId, euclidean};
use crate::graph::{UniformGrid, Window};
use crate::grid::{Grid, Revision};
use crate::search::{Everything, HeapQueue, Memory, Observer, Problem, ShortestPath, Translated};
use std::collections::VecDeque;

/// A cell and its costs to the nodes of its clusters, from level 1 upwards.
#[derive(Clone, Debug, Default)]
pub(crate) struct Insertion {
    pub(super) cell: Cell,
    /// One per level. Those beyond `levels` are left over from earlier queries.
    rows: Vec<Row>,
    levels: usize,
    /// Clusters that are its hosts, and their levels.
    hosts: Vec<(u8, ClusterId)>,
}

/// Costs from a cell to the nodes of one cluster.
#[derive(Clone, Debug, Default)]
struct Row {
    cluster: ClusterId,
    /// By rank; [`UNREACHABLE`] if unreachable, [`NOT_LOOKED_UP`] if not looked up yet.
    costs: Vec<u64>,
}

/// Marks a cost that was not looked up yet.
const NOT_LOOKED_UP: u64 = UNREACHABLE - 1;

impl Insertion {
    /// Connects `cell` to the nodes of its 1-cluster: by look-up if ways are kept,
    /// otherwise by a search inside the cluster.
    pub(super) fn insert(
        &mut self,
        grid: &Grid,
        view: &View<'_>,
        cell: Cell,
        (local, one_by_one): (&mut LocalSearch, bool),
        observer: &mut impl Observer<Cell>,
    ) {
        self.cell = cell;
        self.levels = 0;
        self.hosts.clear();
        let cluster = view.layout.cluster_of(1, cell);
        let costs = self.start_row(cluster);
        let nodes = view.costs(1, cluster);
        if view.keeps_ways() {
            return view.add_kept_costs(grid, cluster, cell, costs);
        }
        let area = view.layout.area(1, cluster);
        let cells = (0..nodes.count()).map(|to| nodes.cell(to));
        let any_angle = view.local.is_any_angle();
        if one_by_one {
            costs.extend(cells.map(|to| {
                let found = match any_angle {
                    true if grid.line_of_sight(cell, to) => return euclidean(cell, to).units(),
                    true => local.bent_path(grid, view.local, area, (cell, to), Reach::FULL, observer),
                    false => local.path(grid, area, (cell, to), Reach::FULL, observer),
                };
                found.map_or(UNREACHABLE, |(cost, _)| cost.units())
            }));
        } else if any_angle {
            let window = Window::new(UniformGrid(grid), area);
            local.bent_distances(&window, view.local, cell, cells, costs, observer);
        } else {
            local.distances(grid, area, cell, cells, costs, observer);
        }
    }

    /// Connects `cell` to its 1-cluster without computing costs yet. If ways are
    /// kept, [`Insertion::cost_now`] looks up those that the search asks for; for
    /// most nodes around a goal it never does.
    pub(super) fn insert_lazily(
        &mut self,
        grid: &Grid,
        view: &View<'_>,
        cell: Cell,
        (local, one_by_one): (&mut LocalSearch, bool),
        observer: &mut impl Observer<Cell>,
    ) {
        if !view.keeps_ways() {
            return self.insert(grid, view, cell, (local, one_by_one), observer);
        }
        self.cell = cell;
        self.levels = 0;
        self.hosts.clear();
        let cluster = view.layout.cluster_of(1, cell);
        let count = view.costs(1, cluster).count();
        self.start_row(cluster).resize(count, NOT_LOOKED_UP);
    }

    /// Cost to a node of the 1-cluster; `None` if it is unreachable there.
    pub(super) fn cost_now(&self, grid: &Grid, view: &View<'_>, local: usize) -> Option<Cost> {
        let Row { cluster, costs } = &self.rows[0];
        if costs[local] != NOT_LOOKED_UP {
            return self.cost(1, local);
        }
        let units = view.kept_cost(grid, *cluster, self.cell, local)?;
        (units != UNREACHABLE).then(|| Cost::from_units(units))
    }

    /// Finds the hosts of the cell, after it was inserted.
    pub(super) fn find_hosts(&mut self, grid: &Grid, view: &View<'_>) {
        self.hosts.clear();
        if view.levels() < view.layout.first_net() {
            return; // there are no pockets
        }
        let reached = (0..self.node_count(1)).find(|&local| self.cost_now(grid, view, local).is_some());
        if let Some(local) = reached {
            let node = view.layout.node(self.cluster(1), local);
            pockets::for_each_host(view, node, |level, cluster| self.hosts.push((level, cluster)));
        }
    }

    /// The clusters that are hosts of the cell, and their levels, the lowest first.
    pub(super) fn hosts(&self) -> &[(u8, ClusterId)] {
        &self.hosts
    }

    /// Connects the cell to the nodes of its cluster one level higher, by a search
    /// on the highest level it is connected to so far.
    pub(super) fn climb(
        &mut self,
        view: &View<'_>,
        memory: &mut Memory<HeapQueue>,
        observer: &mut impl Observer<Cell>,
    ) {
        let below = self.levels as u8;
        let cluster = view.layout.ancestor(below + 1, self.cluster(1));
        let graph = LevelGraph::with_inserted(view, below, cluster, self);
        let problem = Problem { graph: &graph, target: Everything, rule: ShortestPath };
        let mut observer = Translated { observer, node: |node| graph.cell(node) };
        problem.begin(graph.inserted_node(), memory, &mut observer);
        problem.advance(memory, u64::MAX, &mut observer);
        let nodes = view.costs(below + 1, cluster);
        let found =
            |rank| memory.tree().cost(NodeId::new(nodes.node(rank)).index()).map_or(UNREACHABLE, Cost::units);
        self.start_row(cluster).extend((0..nodes.count()).map(found));
    }

    /// Starts the costs of one more level.
    fn start_row(&mut self, cluster: ClusterId) -> &mut Vec<u64> {
        if self.rows.len() == self.levels {
            self.rows.push(Row::default());
        }
        let row = &mut self.rows[self.levels];
        self.levels += 1;
        row.cluster = cluster;
        row.costs.clear();
        &mut row.costs
    }

    /// The highest level to which the cell is connected.
    pub(super) const fn levels(&self) -> u8 {
        self.levels as u8
    }

    /// The cell's cluster on a level.
    #[inline]
    pub(super) fn cluster(&self, level: u8) -> ClusterId {
        self.rows[usize::from(level) - 1].cluster
    }

    /// Number of nodes of that cluster.
    pub(super) fn node_count(&self, level: u8) -> usize {
        self.rows[usize::from(level) - 1].costs.len()
    }

    /// Cost to that cluster's node of a rank; `None` if unreachable inside it.
    #[inline]
    pub(super) fn cost(&self, level: u8, rank: usize) -> Option<Cost> {
        let units = self.rows[usize::from(level) - 1].costs[rank];
        (units != UNREACHABLE).then(|| Cost::from_units(units))
    }
}

/// Insertions of recently used cells ([`Tactics::remember`](super::Tactics)).
#[derive(Debug, Default)]
pub(super) struct InsertionCache {
    /// The map revision and settings they were made with, and whether each node
    /// was connected by a search of its own.
    basis: Option<(Revision, HpaSettings, bool)>,
    /// The most recently used comes last.
    recent: VecDeque<Insertion>,
}

impl InsertionCache {
    /// Clears the cache if it was made for another map, settings or mode.
    pub(super) fn keep_only_for(&mut self, basis: (Revision, HpaSettings, bool)) {
        if self.basis != Some(basis) {
            self.recent.clear();
            self.basis = Some(basis);
        }
    }

    /// Copies the insertion of a cell, if it is in the cache.
    pub(super) fn recall(&self, cell: Cell, insertion: &mut Insertion) -> bool {
        let known = self.recent.iter().find(|place| place.cell == cell);
        if let Some(place) = known {
            insertion.clone_from(place);
        }
        known.is_some()
    }

    /// Stores an insertion, dropping the least recently used beyond `most`.
    pub(super) fn store(&mut self, insertion: &Insertion, most: usize) {
        let known = self.recent.iter().position(|place| place.cell == insertion.cell);
        let mut place = known.and_then(|at| self.recent.remove(at)).unwrap_or_default();
        if place.cell != insertion.cell || place.levels < insertion.levels {
            place.clone_from(insertion);
        }
        self.recent.push_back(place);
        while self.recent.len() > most {
            self.recent.pop_front();
        }
    }
}
