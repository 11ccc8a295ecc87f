//! The subgoal graph of a map.

use super::clearance::Clearance;
use super::heading::Headings;
use super::settings::{Partition, SubgoalSettings};
use crate::base::crew::{Crew, Watch};
use crate::base::{BuildOptions, Cancelled, Cell, Cost, NodeId};
use crate::grid::{Grid, Revision, Rules};
use crate::nlevel::{Draft, DraftArc, Link, NLevelGraph, Property};

/// The subgoal graph of a map: subgoals, edges between them, and levels.
///
/// # Guarantee
/// Queries are optimal and deterministic, except with
/// [`Partition::TwoLevelLossy`]. The graph does not depend on the number of
/// threads, nor on whether it was built at once or followed edits.
#[derive(Clone, Debug)]
pub struct SubgoalGraph {
    pub(super) settings: SubgoalSettings,
    pub(super) clearance: Clearance,
    /// The cell of each subgoal, in reading order.
    pub(super) cells: Box<[Cell]>,
    pub(super) headings: Headings,
    pub(super) levels: NLevelGraph,
    /// Revision of the map that this graph belongs to.
    pub(super) revision: Revision,
}

impl SubgoalGraph {
    /// Builds the subgoal graph of a map on all cores.
    pub fn build(grid: &Grid, settings: SubgoalSettings) -> Self {
        let built = Self::build_with(grid, settings, &BuildOptions::new());
        built.unwrap_or_else(|Cancelled| unreachable!("nobody cancels"))
    }

    /// Builds the subgoal graph.
    ///
    /// Edges are found on all threads; levels are made by one, since each node
    /// that sinks changes what the next one sees.
    pub(crate) fn build_with(
        grid: &Grid,
        settings: SubgoalSettings,
        options: &BuildOptions<'_>,
    ) -> Result<Self, Cancelled> {
        let clearance = Clearance::new(grid);
        let cells = clearance.subgoal_cells();
        let linker = Linker { grid, clearance: &clearance };
        let Watch { progress, wanted } = options.watch;
        // Every subgoal counts twice: once for its edges, once for its level.
        let crew = Crew::new(options.threads, 2 * cells.len(), options.watch);
        let arcs = crew.try_map(cells.len(), |subgoal, (): &mut ()| linker.edges_of(cells[subgoal]))?;
        let levels = |done: usize, nodes: usize| progress(nodes + done, 2 * nodes);
        Self::of_edges(grid, settings, clearance, cells, arcs, Watch { progress: &levels, wanted })
    }

    /// Builds the levels on top of the edges of a simple subgoal graph.
    pub(super) fn of_edges(
        grid: &Grid,
        settings: SubgoalSettings,
        clearance: Clearance,
        cells: Vec<Cell>,
        arcs: Vec<Vec<DraftArc>>,
        watch: Watch<'_>,
    ) -> Result<Self, Cancelled> {
        let headings = Headings::new(grid, &cells);
        let distance = HReachable { cells: &cells, rules: grid.rules(), extra: settings.allows_extra() };
        let levels =
            NLevelGraph::of_draft(Draft::trusted(arcs), settings.most_levels(), &distance, &headings, watch)?;
        let mut graph =
            Self { settings, cells: cells.into(), clearance, headings, levels, revision: grid.revision() };
        // Before edges are removed: which of them are needed for refinement depends
        // on which are plain.
        graph.mark_plain_edges(grid);
        watch.check()?;
        if settings.partition == Partition::TwoLevelLossy {
            graph.levels = graph.levels.without_level_edges();
        }
        Ok(graph)
    }

    /// Marks the extra edges that can be walked diagonally first, and so need no
    /// refinement.
    pub(super) fn mark_plain_edges(&mut self, grid: &Grid) {
        let cells = &self.cells;
        self.levels.mark_plain(|from, to| grid.is_diagonal_first(cells[from.index()], cells[to.index()]));
    }

    /// The settings it was built with.
    pub const fn settings(&self) -> SubgoalSettings {
        self.settings
    }

    /// Whether this is the graph of the map in its current state.
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.revision == grid.revision()
    }

    /// The cells of the subgoals. A subgoal's position here is its node in
    /// [`SubgoalGraph::levels`].
    pub fn subgoals(&self) -> &[Cell] {
        &self.cells
    }

    /// Bytes in memory: of the levels, and of the tables of subgoals and clearances.
    pub fn byte_counts(&self) -> (usize, usize) {
        (self.levels.byte_count(), self.clearance.byte_count() + self.cells.len() * 4)
    }

    /// The subgoals as an N-level graph.
    pub const fn levels(&self) -> &NLevelGraph {
        &self.levels
    }
}

impl SubgoalSettings {
    /// Whether the partition may add edges.
    pub(crate) const fn allows_extra(self) -> bool {
        !matches!(self.partition, Partition::Simple | Partition::Basic(_))
    }
}

/// Finds the edges of subgoals.
#[derive(Clone, Copy)]
pub(super) struct Linker<'l> {
    pub(super) grid: &'l Grid,
    pub(super) clearance: &'l Clearance,
}

impl Linker<'_> {
    /// The edges of a subgoal, sorted.
    pub(super) fn edges_of(&self, from: Cell) -> Vec<DraftArc> {
        let mut edges = Vec::new();
        self.for_each_link(from, |Link { node, cost, arrival }| {
            edges.push(DraftArc::original(node, cost, arrival));
        });
        edges.sort_unstable();
        edges
    }

    /// Calls `visit` with a link to every subgoal that is direct-h-reachable from a
    /// free cell.
    #[inline]
    pub(super) fn for_each_link(&self, from: Cell, mut visit: impl FnMut(Link)) {
        let rules = self.grid.rules();
        let straight = rules.diagonal_cost.straight().units() as u32;
        let diagonal = rules.diagonal_cost.diagonal().units() as u32;
        self.clearance.for_each_direct(self.grid, from, |leg| {
            visit(Link {
                node: self.clearance.number(leg.to),
                cost: straight * leg.straight + diagonal * leg.diagonal,
                arrival: leg.class,
            });
        });
    }
}

/// The property of extra edges: their ends are h-reachable, so that the distance on
/// an empty map is the cost.
struct HReachable<'c> {
    cells: &'c [Cell],
    rules: Rules,
    extra: bool,
}

impl Property for HReachable<'_> {
    fn allows(&self, from: NodeId, to: NodeId, cost: Cost) -> bool {
        self.extra && cost == self.bound(from, to)
    }

    #[inline]
    fn bound(&self, from: NodeId, to: NodeId) -> Cost {
        self.rules.distance(self.cells[from.index()], self.cells[to.index()])
    }
}
