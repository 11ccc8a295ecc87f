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
use crate::grid::{Grid, Rules, Steps};
use crate::hublabel::{HubIndex, HubScratch};
use crate::search::{Observer, Was};
use crate::subgoal::{Clearance, TautLinks};

/// Subgoals in a hierarchy, some of them with labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Climb {
    pub(super) index: HubIndex,
    clearance: Clearance,
    /// Where the subgoal of each rank lies.
    pub(super) cells: Box<[Cell]>,
    pub(super) measure: Measure,
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
    pub(super) fn new(grid: &Grid, clearance: Clearance, index: HubIndex) -> Self {
        let subgoals = clearance.subgoal_cells();
        let hierarchy = index.hierarchy();
        let ranks = 0..hierarchy.node_count() as u32;
        let cells = ranks.filter_map(|rank| subgoals.get(hierarchy.node_at(rank).index()).copied());
        let cells = if subgoals.len() == hierarchy.node_count() { cells.collect() } else { Box::default() };
        Self { cells, index, clearance, measure: Measure::new(grid.rules()) }
    }

    /// The same of no map: there are no paths.
    pub(super) fn unbound(index: HubIndex) -> Self {
        let measure = Measure::new(Rules::default());
        Self { index, clearance: Clearance::empty(), cells: Box::default(), measure }
    }

    /// The same of a map.
    pub(super) fn bound_to(self, grid: &Grid) -> Self {
        Self::new(grid, Clearance::new(grid), self.index)
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
                grid.push_diagonal_first(trail, self.cells[rank as usize]);
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

    /// Finds the subgoals of a shortest path between some of them, which are
    /// linked to start and goal. `None` if there is none, or if it does not cost
    /// what it should: then somebody else wrote the hierarchy.
    fn cross(
        &self,
        [start, goal]: [Cell; 2],
        sources: &[(u32, u32)],
        targets: &[(u32, u32)],
        hubs: &mut HubScratch,
        observer: &mut impl Observer<Cell>,
    ) -> Option<()> {
        let between = |rank: u32, end: Cell| {
            Cost::from_units(self.measure.distance(self.cells[rank as usize], end).into())
        };
        let bounds = (|rank| between(rank, goal), |rank| between(rank, start));
        let observer = &mut Ranks { cells: &self.cells, observer };
        let meeting = self.index.meet(sources, targets, bounds, hubs, observer)?;
        self.index.trace(meeting, self.cells.len(), sources, targets, hubs)?;
        let on_the_way = hubs.path().iter().map(|&rank| self.cells[rank as usize]);
        let mut here = start;
        let legs = on_the_way
            .chain([goal])
            .map(|next| u64::from(self.measure.distance(std::mem::replace(&mut here, next), next)));
        (legs.sum::<u64>() == meeting.cost.units()).then_some(())
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

/// Tells somebody who knows cells about ranks.
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
    fn labelled(&mut self, node: NodeId, g: Cost, was: Was) {
        if let Some(&cell) = self.cells.get(node.index()) {
            self.observer.labelled(cell, g, was);
        }
    }
}
