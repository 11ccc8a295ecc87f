//! The climb index: labels of the most important places only, or of none.
//!
//! It takes the place of labels of all cells where these exceed the budget. A query
//! finds the links of start and goal by scanning, and climbs the hierarchy from both:
//! up to the places that have labels, or up to the core, which it searches
//! ([`HubIndex`]).

use super::index::{Extent, Found};
use super::measure::Measure;
use crate::base::{BuildOptions, Cancelled, Cell, Cost, NodeId, Trail};
use crate::contraction::{ContractionHierarchy, Rank};
use crate::grid::{Grid, Steps};
use crate::hublabel::{HubIndex, HubLabels, HubScratch, Limits};
use crate::search::{Observer, PriorState};
use crate::subgoal::{Clearance, TautLinks};

/// A hierarchy of the places of a map at which paths bend, some of them with labels.
///
/// `labels` has one of subgoals, and `straight` one of corners: they differ in their
/// [`Ground`] alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Climb<G> {
    pub(crate) index: HubIndex,
    /// `None` if not bound to a map that fits.
    pub(crate) ground: Option<G>,
}

/// The map below a climb index: where its ranks lie, and how far they are apart.
pub(crate) trait Ground: Sized {
    /// Bytes in memory.
    fn byte_count(&self) -> usize;

    /// The cell of a rank, for observers.
    fn cell(&self, rank: Rank) -> Option<Cell>;

    /// The cost of the link from a cell to a rank.
    fn cost_from(&self, cell: Cell, rank: Rank) -> u32;

    /// The cost of the link between two ranks.
    fn cost_between(&self, from: Rank, to: Rank) -> u32;

    /// No path between a cell and a rank costs less than this.
    fn bound(&self, rank: Rank, cell: Cell) -> u32;

    /// Whether two ranks are linked on the map.
    fn is_link(&self, grid: &Grid, from: Rank, to: Rank) -> bool;
}

/// Working memory for climbing; one per thread.
#[derive(Debug, Default)]
pub(crate) struct ClimbScratch {
    hubs: HubScratch,
    sources: Vec<(Rank, u32)>,
    targets: Vec<(Rank, u32)>,
}

impl ClimbScratch {
    /// The ranks of the path that was found last.
    pub(crate) fn path(&self) -> &[Rank] {
        self.hubs.path()
    }
}

impl<G: Ground> Climb<G> {
    /// A climb index within a budget: labels for as many of the highest ranks as fit beside
    /// the hierarchy and the ground. `labels` are used if they are short enough.
    pub(crate) fn within(
        budget: u64,
        hierarchy: ContractionHierarchy,
        ground: G,
        labels: Option<HubLabels>,
        options: &BuildOptions<'_>,
    ) -> Result<Self, Cancelled> {
        let rows = 4 * (hierarchy.node_count() + 1);
        let others = hierarchy.byte_count() + ground.byte_count() + rows;
        let limits = limits(budget.saturating_sub(others as u64));
        let labels = match labels {
            Some(labels) if labels.entry_count() <= limits.entries as usize => labels,
            _ => HubLabels::build_with(&hierarchy, &limits, options)?,
        };
        Ok(Self { index: HubIndex::of_parts(hierarchy, labels), ground: Some(ground) })
    }

    /// A climb index that is not bound to a map, and finds no paths.
    pub(super) const fn unbound(index: HubIndex) -> Self {
        Self { index, ground: None }
    }

    /// Binds it to a map, whose places are found again: `None` if they are not as many as the
    /// hierarchy has.
    pub(crate) fn bound_by(self, find: impl FnOnce(&ContractionHierarchy) -> Option<G>) -> Self {
        Self { ground: find(self.index.hierarchy()), ..self }
    }

    pub(crate) const fn hierarchy(&self) -> &ContractionHierarchy {
        self.index.hierarchy()
    }

    /// Number of ranks with labels.
    pub(crate) fn labelled(&self) -> u32 {
        self.index.labels().top()
    }

    /// Bytes in memory.
    pub(crate) fn byte_count(&self) -> usize {
        self.index.byte_count() + self.ground.as_ref().map_or(0, G::byte_count)
    }

    /// Finds the ranks of a shortest path ([`ClimbScratch::path`]), from those linked to the
    /// start to those linked to the goal, if these do not see each other. `None` if there is
    /// no path, or if its legs do not add up to its cost: then the hierarchy is forged, and
    /// the planner searches instead. `link` finds the links of a cell: ranks, and costs.
    pub(crate) fn cross(
        &self,
        [start, goal]: [Cell; 2],
        mut link: impl FnMut(&G, Cell, &mut Vec<(Rank, u32)>),
        scratch: &mut ClimbScratch,
        observer: &mut impl Observer<Cell>,
    ) -> Option<Cost> {
        let ground = self.ground.as_ref()?;
        let ClimbScratch { hubs, sources, targets } = scratch;
        for (cell, links) in [(start, &mut *sources), (goal, &mut *targets)] {
            links.clear();
            link(ground, cell, links);
        }
        let bound = |rank: Rank, end: Cell| Cost::from_units(ground.bound(rank, end).into());
        let bounds = (|rank| bound(rank, goal), |rank| bound(rank, start));
        let observer = &mut Ranks { ground, observer };
        let meeting = self.index.meet(sources, targets, bounds, hubs, observer)?;
        self.index.trace(meeting, self.hierarchy().node_count(), sources, targets, hubs)?;
        let path = hubs.path();
        let ends = [(start, path.first()?), (goal, path.last()?)];
        let ends = ends.map(|(cell, &rank)| u64::from(ground.cost_from(cell, rank)));
        let legs = path.windows(2).map(|leg| u64::from(ground.cost_between(leg[0], leg[1])));
        (ends[0] + legs.sum::<u64>() + ends[1] == meeting.cost.units()).then_some(meeting.cost)
    }
}

/// Limits for labels of at most this many bytes.
pub(super) fn limits(bytes: u64) -> Limits {
    let entries = u32::try_from(bytes / HubLabels::ENTRY_BYTES as u64).unwrap_or(u32::MAX);
    Limits { entries, ..Limits::default() }
}

/// The subgoals of a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Subgoals {
    clearance: Clearance,
    /// The cell of each rank's subgoal.
    cells: Box<[Cell]>,
    measure: Measure,
}

impl Subgoals {
    pub(super) fn new(grid: &Grid, clearance: Clearance, hierarchy: &ContractionHierarchy) -> Option<Self> {
        let subgoals = clearance.subgoal_cells();
        if subgoals.len() != hierarchy.node_count() {
            return None;
        }
        let cells =
            hierarchy.all_ranks().filter_map(|rank| subgoals.get(hierarchy.node_at(rank).index()).copied());
        Some(Self { cells: cells.collect(), clearance, measure: Measure::new(grid.rules()) })
    }
}

impl Ground for Subgoals {
    fn byte_count(&self) -> usize {
        self.clearance.byte_count() + size_of_val(&*self.cells)
    }

    fn cell(&self, rank: Rank) -> Option<Cell> {
        self.cells.get(rank.index()).copied()
    }

    fn cost_from(&self, cell: Cell, rank: Rank) -> u32 {
        self.measure.distance(cell, self.cells[rank.index()])
    }

    fn cost_between(&self, from: Rank, to: Rank) -> u32 {
        self.measure.distance(self.cells[from.index()], self.cells[to.index()])
    }

    fn bound(&self, rank: Rank, cell: Cell) -> u32 {
        self.cost_from(cell, rank)
    }

    fn is_link(&self, grid: &Grid, from: Rank, to: Rank) -> bool {
        let (from, to) = (self.cells[from.index()], self.cells[to.index()]);
        grid.is_diagonal_first(from, to) && grid.is_diagonal_first(to, from)
    }
}

impl Climb<Subgoals> {
    /// A shortest path between two free cells; `None` if there is none.
    pub(super) fn find(
        &self,
        grid: &Grid,
        start: Cell,
        goal: Cell,
        extent: Extent,
        scratch: &mut Climbing,
        observer: &mut impl Observer<Cell>,
    ) -> Option<Found> {
        let Climbing { climb, trail, cells } = scratch;
        trail.restart(start);
        if !grid.is_diagonal_first(start, goal) {
            let link = |ground: &Subgoals, cell: Cell, links: &mut Vec<(Rank, u32)>| {
                TautLinks::new(grid, &ground.clearance).for_each(cell, |link| {
                    let rank = self.hierarchy().rank_of(NodeId::new(link.subgoal));
                    links.push((rank, ground.measure.steps.of(link)));
                });
            };
            self.cross([start, goal], link, climb, observer)?;
            for cell in climb.path().iter().filter_map(|&rank| self.ground.as_ref()?.cell(rank)) {
                grid.push_diagonal_first(trail, cell);
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
}

/// Working memory for queries on a climb index of subgoals; one per thread.
#[derive(Debug, Default)]
pub(super) struct Climbing {
    climb: ClimbScratch,
    trail: Trail,
    /// The cells of the path.
    pub(super) cells: Vec<Cell>,
}

/// Reports ranks to an observer of cells.
struct Ranks<'r, G, O> {
    ground: &'r G,
    observer: &'r mut O,
}

impl<G: Ground, O: Observer<Cell>> Ranks<'_, G, O> {
    #[inline]
    fn cell(&self, node: NodeId) -> Option<Cell> {
        self.ground.cell(Rank::new(node.index() as u32))
    }
}

impl<G: Ground, O: Observer<Cell>> Observer<NodeId> for Ranks<'_, G, O> {
    const LISTENS: bool = O::LISTENS;

    #[inline]
    fn expanded(&mut self, node: NodeId, g: Cost) {
        if let Some(cell) = self.cell(node) {
            self.observer.expanded(cell, g);
        }
    }

    #[inline]
    fn generated(&mut self, node: NodeId) {
        if let Some(cell) = self.cell(node) {
            self.observer.generated(cell);
        }
    }

    #[inline]
    fn improved(&mut self, node: NodeId, g: Cost, was: PriorState) {
        if let Some(cell) = self.cell(node) {
            self.observer.improved(cell, g, was);
        }
    }
}
