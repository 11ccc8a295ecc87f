//! The labels of a map.

use super::build::Ingredients;
use super::full::{Corrupt, Full, Meeting};
use super::measure::Measure;
use super::scratch::LabelScratch;
use super::settings::{Block, Settings};
use super::tracks::STRIDE;
use crate::base::crew::{Crew, Progress, all_cores};
use crate::base::{Cell, Cost};
use crate::contraction::{self, ContractionHierarchy};
use crate::grid::{Contents, Grid, Steps};
use crate::hublabel::{HubLabels, Limits};
use crate::subgoal::TautGraph;

/// The labels of a map: shortest paths in about a microsecond.
#[derive(Clone, Debug)]
pub struct GridLabels {
    settings: Settings,
    full: Full,
    contents: Contents,
}

/// How much of a path is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    Nothing,
    /// So many steps at least, if there are so many.
    Steps(usize),
}

/// A path that was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    pub(crate) cost: Cost,
    /// Its steps, if they are known without counting.
    pub(crate) steps: Option<Steps>,
    /// Cells that were written.
    pub(crate) cells: usize,
}

impl GridLabels {
    /// Makes the labels of a map on all cores.
    pub fn build(grid: &Grid, settings: Settings) -> Self {
        Self::build_with(grid, settings, all_cores(), &|_, _| ())
    }

    /// Makes them on a number of threads, telling `progress` about it. The
    /// result is the same for every number of threads.
    pub fn build_with(
        grid: &Grid,
        settings: Settings,
        threads: usize,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Self {
        let measure = Measure::new(grid.rules());
        let silent: Progress<'_> = &|_, _| ();
        let graph = TautGraph::build(grid, measure.steps, threads, silent);
        let rows = graph.edges.clone();
        let hierarchy =
            ContractionHierarchy::of_rows(rows, &contraction::Settings::default(), threads, silent);
        let labels = HubLabels::build(&hierarchy, &Limits::default(), threads, silent);
        let ingredients = Ingredients { grid, graph: &graph, hierarchy: &hierarchy, labels: &labels };
        let shift = if settings.block == Block::Sixteen { 4 } else { 3 };
        let blocks = grid.width().div_ceil(1 << shift) * grid.height().div_ceil(1 << shift);
        let crew = Crew::new(threads, blocks + hierarchy.node_count(), progress);
        let full = ingredients.full(shift, settings.budget * 4, &crew).expect("fits");
        Self { settings, full, contents: grid.contents() }
    }

    /// How they were made.
    pub const fn settings(&self) -> Settings {
        self.settings
    }

    /// Whether these are the labels of a map as it is now.
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.contents == grid.contents()
    }

    /// Bytes of the labels.
    pub fn byte_count(&self) -> usize {
        self.full.byte_count()
    }

    /// Bytes of each part
    pub fn parts(&self) -> Vec<usize> {
        self.full.parts.iter().map(|range| range.len()).collect()
    }

    /// The labels of all cells, if they are.
    pub(super) const fn full(&self) -> Option<&Full> {
        Some(&self.full)
    }

    /// A shortest path between two free cells; `None` if there is none.
    #[inline]
    pub(crate) fn find(
        &self,
        grid: &Grid,
        start: Cell,
        goal: Cell,
        extent: Extent,
        scratch: &mut LabelScratch,
    ) -> Result<Option<Found>, Corrupt> {
        let full = &self.full;
        let measure = full.measure;
        let working = scratch.working(measure.most_cells(full.longest) + 2 * STRIDE);
        let view = full.view();
        if grid.is_diagonal_first(start, goal) {
            let mut cells = 0;
            if extent != Extent::Nothing {
                *working.cells.first_mut().ok_or(Corrupt)? = start;
                cells = view.go(start, goal, &mut working.cells, 0).ok_or(Corrupt)? + 1;
            }
            return Ok(Some(self.found(measure.distance(start, goal), cells)));
        }
        let Extent::Steps(enough) = extent else {
            return Ok(view.cost(start, goal, working)?.map(|cost| self.found(cost, 0)));
        };
        let Some(meeting) = view.meet(start, goal, working)? else { return Ok(None) };
        let Meeting { cost, .. } = meeting;
        let last = view.unpack(start, goal, meeting, enough, working)?;
        Ok(Some(self.found(cost, last + 1)))
    }

    #[inline]
    fn found(&self, cost: u32, cells: usize) -> Found {
        let measure = self.full.measure;
        Found { cost: measure.cost(cost), steps: measure.steps(cost), cells }
    }
}

/// Probe
pub fn probe(labels: &GridLabels, grid: &Grid, queries: &[(Cell, Cell)], paths: bool) -> (Vec<f64>, u64) {
    let mut scratch = LabelScratch::default();
    let mut times = vec![f64::MAX; queries.len()];
    let mut sum = 0;
    let extent = if paths { Extent::Steps(usize::MAX) } else { Extent::Nothing };
    for _ in 0..5 {
        sum = 0;
        for (time, &(a, b)) in times.iter_mut().zip(queries) {
            let t = std::time::Instant::now();
            let found = labels.find(grid, a, b, extent, &mut scratch).unwrap();
            let e = t.elapsed().as_nanos() as f64 * 1e-3;
            let found = found.unwrap();
            sum += found.cost.units();
            if paths {
                std::hint::black_box(scratch.cells(found.cells));
            }
            *time = time.min(e);
        }
    }
    (times, sum)
}
