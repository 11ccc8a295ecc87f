//! The climb index: labels of the most important subgoals only, or of none.
//!
//! It takes the place of labels of all cells where these exceed the budget. A query
//! finds the links of start and goal by scanning, and climbs the hierarchy from both:
//! up to the subgoals that have labels, or up to the core, which it searches
//! ([`HubIndex`]).

use super::index::{Extent, Found};
use super::measure::Measure;
use crate::base::{Cell, Cost, NodeId, Trail};
use crate::contraction::{ContractionHierarchy, Rank};
use crate::grid::{Grid, Rules, Steps};
use crate::hublabel::{HubIndex, HubScratch};
use crate::search::{Observer, PriorState};
use crate::subgoal::{Clearance, TautLinks};

/// A hierarchy of the subgoals of a map, some of them with labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Climb {
    pub(super) index: HubIndex,
    clearance: Clearance,
    /// The cell of each rank's subgoal; empty if not bound to a map that fits.
    pub(super) cells: Box<[Cell]>,
    pub(super) measure: Measure,
}

/// Working memory for queries on a climb index; one per thread.
#[derive(Debug, Default)]
pub(super) struct ClimbScratch {
    hubs: HubScratch,
    sources: Vec<(Rank, u32)>,
    targets: Vec<(Rank, u32)>,
    trail: Trail,
    /// The cells of the path.
    pub(super) cells: Vec<Cell>,
}

impl Climb {
    pub(super) fn new(grid: &Grid, clearance: Clearance, index: HubIndex) -> Self {
        let subgoals = clearance.subgoal_cells();
        let hierarchy = index.hierarchy();
        let cells =
            hierarchy.all_ranks().filter_map(|rank| subgoals.get(hierarchy.node_at(rank).index()).copied());
        let cells = if subgoals.len() == hierarchy.node_count() { cells.collect() } else { Box::default() };
        Self { cells, index, clearance, measure: Measure::new(grid.rules()) }
    }

    /// A climb index that is not bound to a map, and finds no paths.
    pub(super) fn unbound(index: HubIndex) -> Self {
        let measure = Measure::new(Rules::default());
        Self { index, clearance: Clearance::empty(), cells: Box::default(), measure }
    }

    /// Binds it to a map, whose subgoals and clearances are found again.
    pub(super) fn bound_to(self, grid: &Grid) -> Self {
        Self::new(grid, Clearance::new(grid), self.index)
    }

    pub(super) const fn hierarchy(&self) -> &ContractionHierarchy {
        self.index.hierarchy()
    }

    /// Number of ranks with labels.
    pub(super) fn labelled(&self) -> u32 {
        self.index.labels().top()
    }

    /// Bytes in memory.
    pub(super) fn byte_count(&self) -> usize {
        self.index.byte_count() + self.clearance.byte_count() + size_of_val(&*self.cells)
    }

    /// A shortest path between two free cells; `None` if there is none.
    pub(super) fn find(
        &self,
        grid: &Grid,
        start: Cell,
        goal: Cell,
        extent: Extent,
        scratch: &mut ClimbScratch,
        observer: &mut impl Observer<Cell>,
    ) -> Option<Found> {
        let ClimbScratch { hubs, sources, targets, trail, cells } = scratch;
        if self.cells.len() != self.index.hierarchy().node_count() {
            return None;
        }
        trail.restart(start);
        if !grid.is_diagonal_first(start, goal) {
            self.link(grid, start, sources);
            self.link(grid, goal, targets);
            self.cross([start, goal], sources, targets, hubs, observer)?;
            for &rank in hubs.path() {
                grid.push_diagonal_first(trail, self.cells[rank.index()]);
            }
        }
        grid.push_diagonal_first(trail, goal);
        let steps = Steps::of_trail(trail);
        match extent {
            Extent::Nothing => cells.clear(),
            Extent::Steps(most) => trail.first_cells_into(most, cells),
            Extent::Corners => trail.corners_into(cells),
        }
        Some(Found { steps, cells: cells.len() })
    }

    /// Finds the subgoals of a shortest path, from those linked to the start to those
    /// linked to the goal. `None` if there is no path, or if its legs do not add up to
    /// its cost: then the hierarchy is forged, and the planner searches instead.
    fn cross(
        &self,
        [start, goal]: [Cell; 2],
        sources: &[(Rank, u32)],
        targets: &[(Rank, u32)],
        hubs: &mut HubScratch,
        observer: &mut impl Observer<Cell>,
    ) -> Option<()> {
        let between = |rank: Rank, end: Cell| {
            Cost::from_units(self.measure.distance(self.cells[rank.index()], end).into())
        };
        let bounds = (|rank| between(rank, goal), |rank| between(rank, start));
        let observer = &mut Ranks { cells: &self.cells, observer };
        let meeting = self.index.meet(sources, targets, bounds, hubs, observer)?;
        self.index.trace(meeting, self.cells.len(), sources, targets, hubs)?;
        let on_the_way = hubs.path().iter().map(|&rank| self.cells[rank.index()]);
        let mut here = start;
        let legs = on_the_way
            .chain([goal])
            .map(|next| u64::from(self.measure.distance(std::mem::replace(&mut here, next), next)));
        (legs.sum::<u64>() == meeting.cost.units()).then_some(())
    }

    /// Finds the links of a cell: ranks of subgoals, and costs.
    fn link(&self, grid: &Grid, cell: Cell, links: &mut Vec<(Rank, u32)>) {
        links.clear();
        let hierarchy = self.index.hierarchy();
        TautLinks::new(grid, &self.clearance).for_each(cell, |link| {
            links.push((hierarchy.rank_of(NodeId::new(link.subgoal)), self.measure.steps.of(link)));
        });
    }
}

/// Reports ranks to an observer of cells.
struct Ranks<'r, O> {
    cells: &'r [Cell],
    observer: &'r mut O,
}

impl<O: Observer<Cell>> Observer<NodeId> for Ranks<'_, O> {
    const LISTENS: bool = O::LISTENS;

    #[inline]
    fn expanded(&mut self, node: NodeId, g: Cost) {
        if let Some(&cell) = self.cells.get(node.index()) {
            self.observer.expanded(cell, g);
        }
    }

    #[inline]
    fn generated(&mut self, node: NodeId) {
        if let Some(&cell) = self.cells.get(node.index()) {
            self.observer.generated(cell);
        }
    }

    #[inline]
    fn improved(&mut self, node: NodeId, g: Cost, was: PriorState) {
        if let Some(&cell) = self.cells.get(node.index()) {
            self.observer.improved(cell, g, was);
        }
    }
}
