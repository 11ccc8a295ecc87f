//! Labels of the most important subgoals only, or of none: queries with a short
//! search.
//!
//! Where labels of all cells would take more memory than there is, the links of
//! start and goal are found by looking around, and paths climb the hierarchy
//! from there: up to the subgoals that have labels, or to its core, which is
//! searched ([`HubIndex`]).

use super::index::{Extent, Found};
use super::measure::Measure;
use crate::base::{Cell, Cost, NodeId, Trail};
use crate::contraction::ContractionHierarchy;
use crate::grid::{Grid, Steps};
use crate::hublabel::{HubIndex, HubScratch};
use crate::subgoal::{Clearance, TautGraph, TautLinks};

/// Subgoals in a hierarchy, some of them with labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Climb {
    index: HubIndex,
    clearance: Clearance,
    /// Where the subgoal of each rank lies.
    cells: Box<[Cell]>,
    measure: Measure,
}

/// Working memory for queries.
#[derive(Debug, Default)]
pub(super) struct ClimbScratch {
    hubs: HubScratch,
    sources: Vec<(u32, u32)>,
    targets: Vec<(u32, u32)>,
    trail: Trail,
    /// The cells of the path.
    pub(super) cells: Vec<Cell>,
}

impl Climb {
    pub(super) fn new(grid: &Grid, graph: TautGraph, index: HubIndex) -> Self {
        Self::assemble(grid, graph.clearance, &graph.cells, index)
    }

    /// The same of subgoals in reading order.
    pub(super) fn assemble(grid: &Grid, clearance: Clearance, subgoals: &[Cell], index: HubIndex) -> Self {
        let cells = index.hierarchy().nodes().iter().map(|&node| subgoals[node as usize]).collect();
        Self { index, clearance, cells, measure: Measure::new(grid.rules()) }
    }

    pub(super) const fn index(&self) -> &HubIndex {
        &self.index
    }

    pub(super) const fn hierarchy(&self) -> &ContractionHierarchy {
        self.index.hierarchy()
    }

    /// Ranks that have labels.
    pub(super) fn labelled(&self) -> u32 {
        self.index.labels().top()
    }

    /// Bytes in memory.
    pub(super) fn byte_count(&self) -> usize {
        self.index.byte_count() + self.clearance.byte_count() + size_of_val(&*self.cells)
    }

    /// A shortest path between two free cells; `None` if there is none. All of
    /// it is written if anything is.
    pub(super) fn find(
        &self,
        grid: &Grid,
        start: Cell,
        goal: Cell,
        extent: Extent,
        scratch: &mut ClimbScratch,
    ) -> Option<Found> {
        let ClimbScratch { hubs, sources, targets, trail, cells } = scratch;
        trail.restart(start);
        if !grid.is_diagonal_first(start, goal) {
            self.link(grid, start, sources);
            self.link(grid, goal, targets);
            self.cross(goal, sources, targets, hubs)?;
            for &rank in hubs.path() {
                grid.push_diagonal_first(trail, self.cells[rank as usize]);
            }
        }
        grid.push_diagonal_first(trail, goal);
        let steps = Steps::of_trail(trail);
        let mut written = 0;
        if extent != Extent::Nothing {
            trail.cells_into(cells);
            written = cells.len();
        }
        Some(Found { cost: steps.cost(grid.rules().diagonal_cost), steps: Some(steps), cells: written })
    }

    /// Finds the subgoals of a shortest path between some of them, which are
    /// linked to start and goal.
    fn cross(
        &self,
        goal: Cell,
        sources: &[(u32, u32)],
        targets: &[(u32, u32)],
        hubs: &mut HubScratch,
    ) -> Option<()> {
        let bound = |rank: u32| {
            let place = self.cells.get(rank as usize);
            place.map_or(Cost::ZERO, |&cell| Cost::from_units(self.measure.distance(cell, goal).into()))
        };
        let meeting = self.index.meet(sources, targets, bound, hubs)?;
        self.index.trace(meeting, sources, targets, hubs).map(|_| ())
    }

    /// Finds the links of a cell.
    fn link(&self, grid: &Grid, cell: Cell, links: &mut Vec<(u32, u32)>) {
        links.clear();
        let hierarchy = self.index.hierarchy();
        TautLinks::new(grid, &self.clearance).for_each(cell, |link| {
            links.push((hierarchy.rank_of(NodeId::new(link.subgoal)), self.measure.steps.of(link)));
        });
    }
}
