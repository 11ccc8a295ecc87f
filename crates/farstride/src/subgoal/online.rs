//! Queries: connect start and goal, search, unpack.

use super::graph::{Linker, SubgoalGraph};
use super::heading::Onward;
use super::settings::Partition;
use crate::base::{Cell, Cost, NodeId, Trail};
use crate::grid::{Grid, Rules};
use crate::nlevel::{ArchQuery, ArchScratch, Bounds, Link};
use crate::search::{Observer, SearchStatus, Translated};

/// Working memory for queries on a subgoal graph; one per thread.
#[derive(Debug, Default)]
pub(crate) struct SubgoalScratch {
    start: Vec<Link>,
    goal: Vec<Link>,
    arch: ArchScratch,
}

/// A query on a subgoal graph.
#[derive(Clone, Copy)]
pub(crate) struct Online<'q> {
    graph: &'q SubgoalGraph,
    grid: &'q Grid,
    start: Cell,
    goal: Cell,
}

impl SubgoalGraph {
    /// A query on this graph. `grid` must be the map it was built for.
    pub(crate) const fn online<'q>(&'q self, grid: &'q Grid, start: Cell, goal: Cell) -> Online<'q> {
        Online { graph: self, grid, start, goal }
    }
}

impl Online<'_> {
    /// Connects start and goal to the graph, and begins the search.
    pub(crate) fn begin(&self, scratch: &mut SubgoalScratch, observer: &mut impl Observer<Cell>) {
        let SubgoalScratch { start, goal, arch } = scratch;
        self.connect(self.start, start);
        self.connect(self.goal, goal);
        self.arch(start, goal, &self.turns()).begin(arch, &mut self.as_cells(observer));
    }

    /// Continues the search for at most `budget` expansions; returns the distance
    /// once it is found.
    pub(crate) fn advance(
        &self,
        budget: u64,
        scratch: &mut SubgoalScratch,
        observer: &mut impl Observer<Cell>,
    ) -> SearchStatus<Cost> {
        let SubgoalScratch { start, goal, arch } = scratch;
        self.arch(start, goal, &self.turns()).advance(budget, arch, &mut self.as_cells(observer))
    }

    /// The turns that may be taken. Where edges are missing, a detour may be the
    /// best way that is left, so the lossy graph allows all.
    fn turns(&self) -> Onward<'_> {
        let any = self.graph.settings.partition == Partition::TwoLevelLossy;
        Onward { headings: &self.graph.headings, any }
    }

    /// The search on the levels.
    fn arch<'l>(
        &'l self,
        start: &'l [Link],
        goal: &'l [Link],
        turns: &'l Onward<'l>,
    ) -> ArchQuery<'l, Distances<'l>, Onward<'l>> {
        let bounds = Distances { cells: &self.graph.cells, rules: self.grid.rules(), query: self };
        ArchQuery { levels: &self.graph.levels, start, goal, bounds, turns }
    }

    /// Writes the path that was found into `trail`. Without `refine`, the trail has
    /// the right number of steps of each kind, but they may not be legal: enough
    /// for a cost.
    pub(crate) fn finish(&self, refine: bool, scratch: &mut SubgoalScratch, trail: &mut Trail) {
        let SubgoalScratch { start, goal, arch } = scratch;
        self.arch(start, goal, &self.turns()).trace(arch);
        if refine {
            self.graph.levels.refine(arch);
        }
        trail.restart(self.start);
        for &node in if refine { arch.path() } else { arch.arch() } {
            self.grid.push_diagonal_first(trail, self.graph.cells[node.index()]);
        }
        self.grid.push_diagonal_first(trail, self.goal);
    }

    /// Writes start, subgoals and goal of the path that was refined last into
    /// `cells`.
    pub(crate) fn waypoints_into(&self, scratch: &SubgoalScratch, cells: &mut Vec<Cell>) {
        cells.clear();
        cells.push(self.start);
        cells.extend(scratch.arch.path().iter().map(|node| self.graph.cells[node.index()]));
        cells.push(self.goal);
    }

    /// Finds the subgoals that are direct-h-reachable from a cell.
    fn connect(&self, cell: Cell, links: &mut Vec<Link>) {
        links.clear();
        let linker = Linker { grid: self.grid, clearance: &self.graph.clearance };
        linker.for_each_link(cell, |link| links.push(link));
    }

    /// The cell of a node; start and goal come after the subgoals.
    fn cell(&self, node: NodeId) -> Cell {
        let cells = &self.graph.cells;
        let end = if node.index() == cells.len() { self.start } else { self.goal };
        cells.get(node.index()).copied().unwrap_or(end)
    }

    /// An observer of cells as one of nodes.
    fn as_cells<'o, O: Observer<Cell>>(&'o self, observer: &'o mut O) -> impl Observer<NodeId> + 'o {
        Translated { observer, node: |node| self.cell(node) }
    }
}

/// Distances on an empty map, as lower bounds.
struct Distances<'q> {
    cells: &'q [Cell],
    rules: Rules,
    query: &'q Online<'q>,
}

impl Distances<'_> {
    #[inline]
    fn between(&self, node: NodeId, end: Cell) -> Cost {
        self.cells.get(node.index()).map_or(Cost::ZERO, |&cell| self.rules.distance(cell, end))
    }
}

impl Bounds for Distances<'_> {
    #[inline]
    fn ahead(&self, node: NodeId) -> Cost {
        self.between(node, self.query.goal)
    }

    #[inline]
    fn behind(&self, node: NodeId) -> Cost {
        self.between(node, self.query.start)
    }

    /// An eighth more than on an empty map. On wide ground, where a guess pays,
    /// hardly any path is longer.
    fn guess(&self) -> Option<Cost> {
        let empty = self.rules.distance(self.query.start, self.query.goal).units();
        Some(Cost::from_units(empty + empty / 8))
    }
}
