//! The index of the engine `labels`.

use super::build::Ingredients;
use super::climb::{Climb, Subgoals, limits};
use super::full::{Corrupt, Full};
use super::measure::Measure;
use super::sample::sample_size;
use super::scratch::LabelScratch;
use super::settings::LabelSettings;
use crate::base::crew::{Crew, Watch};
use crate::base::{BuildOptions, Cancelled, Cell};
use crate::contraction::{self, ContractionHierarchy};
use crate::grid::{Grid, Revision, Steps};
use crate::hublabel::HubLabels;
use crate::search::Observer;
use crate::subgoal::TautGraph;
use std::fmt;

/// The labels of a map: shortest paths in about a microsecond.
///
/// If labels of all cells do not fit into the budget, this is a climb index, and
/// queries search a little; see [`LabelKind`].
///
/// # Guarantee
/// Optimal and deterministic. The bytes do not depend on the number of threads. Labels
/// describe the map they were built for, and a [`Planner`](crate::Planner) never uses
/// them for another.
///
/// # Allocation
/// Queries allocate nothing once their scratch has grown. A build takes a few times the
/// memory of its result.
///
/// # Complexity
/// With labels of all cells, a query takes time linear in the size of two records and
/// the number of cells of the path.
///
/// # Example
/// ```
/// use farstride::labels::{GridLabels, LabelKind, LabelSettings};
/// use farstride::{Cell, Grid, Planner, Query, Scratch};
///
/// let grid = Grid::from_fn(60, 40, |cell| cell.x % 9 != 4 || cell.y % 7 == 3)?;
/// let labels = GridLabels::build(&grid, LabelSettings::default());
/// assert_eq!(labels.kind(), LabelKind::Full { block: 8 });
///
/// let planner = Planner::with_index(grid, labels)?;
/// let query = Query::new(Cell::new(0, 0), Cell::new(59, 39));
/// assert!(planner.find(query, &mut Scratch::new())?.route().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GridLabels {
    pub(super) settings: LabelSettings,
    pub(super) kept: Kept,
    pub(super) revision: Revision,
    /// The digest when they were saved, if they come from a file.
    pub(super) saved: Option<u64>,
}

/// The index itself, by kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kept {
    Full(Full),
    Climb(Climb<Subgoals>),
}

/// The kind of index, which depends on what fits into the budget.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum LabelKind {
    /// Labels of all cells: a query looks two of them up.
    Full {
        /// Number of cells along a side of a block.
        block: u16,
    },
    /// A climb index with labels of the most important subgoals: a query climbs to
    /// these first.
    Hybrid {
        /// Number of subgoals with labels.
        labelled: u32,
    },
    /// A climb index without labels: a query climbs to the core of the hierarchy and
    /// searches it.
    Core {
        /// Number of subgoals in the core.
        core: u32,
    },
}

impl fmt::Display for LabelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full { block } => write!(f, "full labels, in blocks of {block} x {block} cells"),
            Self::Hybrid { labelled } => write!(f, "hybrid: labels of the {labelled} highest subgoals"),
            Self::Core { core } => write!(f, "no labels: a core of {core} subgoals is searched"),
        }
    }
}

/// How much of a path to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// Nothing: the cost alone is wanted.
    Nothing,
    /// At least this many steps, or the whole path if it is shorter.
    Steps(usize),
    /// The cells at which it starts, turns and ends.
    Corners,
}

impl Extent {
    /// Every cell.
    pub(crate) const WHOLE: Self = Self::Steps(usize::MAX);
}

/// A path that was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    /// Its steps, which tell its cost as well.
    pub(crate) steps: Steps,
    /// Cells or corners that were written.
    pub(crate) cells: usize,
}

impl GridLabels {
    /// Builds the labels of a map on all cores.
    pub fn build(grid: &Grid, settings: LabelSettings) -> Self {
        let built = Self::build_with(grid, settings, &BuildOptions::new());
        built.unwrap_or_else(|Cancelled| unreachable!("nobody cancels"))
    }

    /// Builds the labels of a map.
    pub(crate) fn build_with(
        grid: &Grid,
        settings: LabelSettings,
        options: &BuildOptions<'_>,
    ) -> Result<Self, Cancelled> {
        Builder { grid, settings, threads: options.threads, watch: options.watch }.run(&CONTRACTION)
    }

    /// Whether these are labels of all cells, so that queries do not search.
    #[inline]
    pub(crate) const fn labels_all_cells(&self) -> bool {
        self.full().is_some()
    }

    /// The labels of all cells; `None` for a climb index.
    #[inline]
    pub(super) const fn full(&self) -> Option<&Full> {
        match &self.kept {
            Kept::Full(full) => Some(full),
            Kept::Climb(_) => None,
        }
    }

    /// The kind of index that was built.
    pub fn kind(&self) -> LabelKind {
        match &self.kept {
            Kept::Full(full) => LabelKind::Full { block: 1 << full.segments.shift },
            Kept::Climb(climb) => match climb.hierarchy().core_size() {
                0 => LabelKind::Hybrid { labelled: climb.labelled() },
                core => LabelKind::Core { core },
            },
        }
    }

    /// The settings they were built with.
    pub const fn settings(&self) -> LabelSettings {
        self.settings
    }

    /// Whether these are the labels of the map in its current state.
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.revision == grid.revision()
    }

    /// Bytes in memory.
    pub fn byte_count(&self) -> usize {
        match &self.kept {
            Kept::Full(full) => full.segments.byte_count(),
            Kept::Climb(climb) => climb.byte_count(),
        }
    }

    /// Finds a shortest path between two free cells; `None` if there is no path. Fails with
    /// [`Corrupt`] if the bytes do not fit together. `observer` hears of every subgoal that a
    /// climb index expands.
    #[inline]
    pub(crate) fn find(
        &self,
        grid: &Grid,
        (start, goal): (Cell, Cell),
        extent: Extent,
        scratch: &mut LabelScratch,
        observer: &mut impl Observer<Cell>,
    ) -> Result<Option<Found>, Corrupt> {
        let full = match &self.kept {
            Kept::Full(full) => full,
            Kept::Climb(climb) => {
                return Ok(climb.find(grid, start, goal, extent, scratch.climbing(), observer));
            }
        };
        full.find(grid, (start, goal), extent, scratch)
    }
}

/// Builds the fastest kind of index that fits the budget.
struct Builder<'b> {
    grid: &'b Grid,
    settings: LabelSettings,
    threads: usize,
    watch: Watch<'b>,
}

/// Build progress in thousandths at the ends of the stages, roughly in proportion to
/// their time: finding taut links, contracting subgoals, labelling subgoals, and
/// labelling blocks of each size that is tried.
const LINKED: usize = 100;
const CONTRACTED: usize = 350;
const LABELLED: usize = 400;
const END: usize = 1000;

/// How subgoals are contracted. A core remains where the last subgoals would have more
/// than a hundred neighbours each: on open ground with scattered obstacles and more
/// than a few hundred thousand cells.
const CONTRACTION: contraction::ContractionSettings =
    contraction::ContractionSettings { trial: 20, proof: 300, core_degree: 128, most_work: u64::MAX };

impl Builder<'_> {
    /// Builds the index with these settings of contraction.
    fn run(&self, contraction: &contraction::ContractionSettings) -> Result<GridLabels, Cancelled> {
        let Self { grid, settings, threads, watch: Watch { progress, wanted } } = *self;
        let measure = Measure::new(grid.rules());
        let stage = self.watch.stage(0..LINKED, END);
        let graph = TautGraph::build(grid, measure.steps, threads, Watch { progress: &stage, wanted })?;
        let stage = self.watch.stage(LINKED..CONTRACTED, END);
        let watch = Watch { progress: &stage, wanted };
        let hierarchy = ContractionHierarchy::of_rows(graph.edges.clone(), contraction, threads, watch)?;
        let kept = self.choose(graph, hierarchy)?;
        progress(END, END);
        Ok(GridLabels { settings, kept, revision: grid.revision(), saved: None })
    }

    /// Builds the fastest kind of index within the budget, or the smallest if none fits.
    fn choose(&self, graph: TautGraph, hierarchy: ContractionHierarchy) -> Result<Kept, Cancelled> {
        let Self { threads, settings: LabelSettings { budget, .. }, watch: Watch { wanted, .. }, .. } = *self;
        let stage = self.watch.stage(CONTRACTED..LABELLED, END);
        let options = BuildOptions { threads, watch: Watch { progress: &stage, wanted } };
        let labels = HubLabels::build_with(&hierarchy, &limits(budget), &options)?;
        if labels.top() as usize == hierarchy.node_count() {
            let ingredients =
                Ingredients { grid: self.grid, graph: &graph, hierarchy: &hierarchy, labels: &labels };
            if let Some(full) = self.full(ingredients)? {
                return Ok(Kept::Full(full));
            }
        }
        let ground = Subgoals::new(self.grid, graph.clearance, &hierarchy);
        let ground = ground.unwrap_or_else(|| unreachable!("the hierarchy is that of these subgoals"));
        let options = BuildOptions { threads, watch: Watch { progress: &|_, _| (), wanted } };
        Ok(Kept::Climb(Climb::within(budget, hierarchy, ground, Some(labels), &options)?))
    }

    /// Builds labels of all cells; `None` if they do not fit.
    fn full(&self, ingredients: Ingredients<'_>) -> Result<Option<Full>, Cancelled> {
        let Self { grid, settings, .. } = self;
        let shifts = settings.block.shifts();
        let each = (END - LABELLED) / shifts.len();
        for (trial, &shift) in (0..).zip(shifts) {
            let begin = LABELLED + trial * each;
            let stage = self.watch.stage(begin..begin + each, END);
            let blocks = grid.width().div_ceil(1 << shift) * grid.height().div_ceil(1 << shift);
            let steps = blocks + sample_size(blocks) + ingredients.hierarchy.node_count();
            let watch = Watch { progress: &stage, ..self.watch };
            let crew = Crew::new(self.threads, steps, watch);
            if let Some(full) = ingredients.full(shift, settings.budget, &crew)? {
                return Ok(Some(full));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Bytes, Cost};
    use crate::grid::{Diagonals, Rules};
    use std::ops::Range;
    use std::sync::Arc;

    /// The cells that were expanded, with their costs.
    #[derive(Default)]
    struct Seen(Vec<(Cell, Cost)>);

    impl Observer<Cell> for Seen {
        fn expanded(&mut self, cell: Cell, g: Cost) {
            self.0.push((cell, g));
        }
    }

    impl Seen {
        /// No cell is nearer to both ends than on an empty map.
        fn check(&self, grid: &Grid, ends: [Cell; 2]) {
            let measure = Measure::new(grid.rules());
            for &(cell, g) in &self.0 {
                let near = |end: Cell| u64::from(measure.distance(end, cell)) <= g.units();
                assert!(ends.into_iter().any(near), "{cell} at {g:?}");
            }
        }
    }

    /// Every kind of index gives the costs that labels of all cells give.
    #[test]
    fn every_kind_gives_the_same_costs() {
        for diagonals in [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None] {
            let blocked = |x: u32, y: u32| (x * 7919 + y * 104_729 + x * y * 31) % 11 < 2;
            let grid = Grid::from_fn(41, 33, |cell| !blocked(cell.x.into(), cell.y.into())).unwrap();
            let grid = grid.with_rules(Rules { diagonals, ..Rules::default() });
            let build = |budget: u64, core_degree: u32| {
                let settings = LabelSettings { budget, ..LabelSettings::DEFAULT };
                let builder =
                    Builder { grid: &grid, settings, threads: 2, watch: Watch::patient(&|_, _| ()) };
                builder.run(&contraction::ContractionSettings { core_degree, ..CONTRACTION }).unwrap()
            };
            let full = build(LabelSettings::DEFAULT_BUDGET, u32::MAX);
            assert_eq!(full.kind(), LabelKind::Full { block: 8 });
            let least = build(0, u32::MAX);
            let more = |bytes: usize| build((least.byte_count() + bytes) as u64, u32::MAX);
            let others = [more(5000), more(9000), build(0, 2), least.clone()];
            let kinds = others.each_ref().map(GridLabels::kind);
            let expected = matches!(
                kinds,
                [
                    LabelKind::Hybrid { labelled: 1.. },
                    LabelKind::Hybrid { labelled: 1.. },
                    LabelKind::Core { core: 1.. },
                    LabelKind::Hybrid { labelled: 0 },
                ]
            );
            assert!(expected, "{kinds:?}");
            let (mut scratch, mut other) = (LabelScratch::default(), LabelScratch::default());
            let cells: Vec<Cell> = grid.area().cells().filter(|&cell| grid.is_free(cell)).collect();
            for (at, &start) in cells.iter().enumerate().step_by(7) {
                for &goal in cells[at..].iter().step_by(11).filter(|&&goal| goal != start) {
                    let whole = Extent::Steps(usize::MAX);
                    let best = full.find(&grid, (start, goal), whole, &mut scratch, &mut ()).unwrap();
                    for labels in &others {
                        let mut seen = Seen::default();
                        let found = labels.find(&grid, (start, goal), whole, &mut other, &mut seen).unwrap();
                        seen.check(&grid, [start, goal]);
                        let cost = |found: Found| found.steps.cost(grid.rules().diagonal_cost);
                        assert_eq!(found.map(cost), best.map(cost));
                        let Some(found) = found else { continue };
                        let path = other.cells(found.cells);
                        assert_eq!((path.first(), path.last()), (Some(&start), Some(&goal)));
                        let legal = |step: &[Cell]| {
                            step[0]
                                .direction_to(step[1])
                                .is_some_and(|to| grid.moves_at(step[0]).contains(to))
                        };
                        assert!(path.windows(2).all(legal), "{start} {goal}");
                    }
                }
            }
        }
    }

    /// Every kind of climb index can be saved and opened, with and without a core.
    #[test]
    fn every_kind_has_an_index() {
        let grid =
            Grid::from_fn(30, 30, |cell| !(cell.x * 7 + cell.y * cell.y * 5).is_multiple_of(6)).unwrap();
        let settings = LabelSettings { budget: 0, ..LabelSettings::DEFAULT };
        let builder = Builder { grid: &grid, settings, threads: 1, watch: Watch::patient(&|_, _| ()) };
        for core_degree in [2, 4, u32::MAX] {
            let labels =
                builder.run(&contraction::ContractionSettings { core_degree, ..CONTRACTION }).unwrap();
            assert_eq!(matches!(labels.kind(), LabelKind::Core { core: 2.. }), core_degree < u32::MAX);
            let parts = labels.contents_of_parts();
            let mut end = 0;
            let places: Vec<Range<usize>> = parts
                .iter()
                .map(|part| {
                    end += part.len();
                    end - part.len()..end
                })
                .collect();
            let bytes: Bytes = Arc::new(parts.concat());
            let size = (grid.width(), grid.height());
            let (form, digest) = (labels.form(), labels.digest());
            let opened = GridLabels::restore(&bytes, &places, size, grid.rules(), form, digest);
            let opened = opened.unwrap().bound_to(&grid);
            opened.check(&grid).unwrap();
            assert_eq!(opened, labels);
        }
    }

    /// A cancelled build ends in whatever stage it is, and returns nothing. Others
    /// report their progress.
    #[test]
    fn a_build_can_be_given_up_in_every_stage() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let grid =
            Grid::from_fn(60, 60, |cell| !(cell.x * 7 + cell.y * cell.y * 5).is_multiple_of(6)).unwrap();
        let build = |most: usize| {
            let (asked, told) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let wanted = || asked.fetch_add(1, Ordering::Relaxed) < most;
            let progress = |done: usize, of: usize| {
                assert_eq!(of, END);
                assert!(told.swap(done, Ordering::Relaxed) <= done && done <= END);
            };
            let options = BuildOptions::new().threads(1).on_progress(&progress).keep_going(&wanted);
            let made = GridLabels::build_with(&grid, LabelSettings::DEFAULT, &options);
            (made.is_ok(), asked.into_inner(), told.into_inner())
        };
        let (made, asked, told) = build(usize::MAX);
        assert!(made && told == END);
        let mut ends = Vec::new();
        for most in (0..asked).step_by(asked / 200 + 1) {
            let (made, asked, told) = build(most);
            assert!(!made && asked > most);
            ends.push(told);
        }
        for stage in [LINKED..CONTRACTED, CONTRACTED..LABELLED, LABELLED..END] {
            assert!(ends.iter().any(|end| stage.contains(end)), "none ended in {stage:?}: {ends:?}");
        }
    }
}
