//! The index of the engine `straight`.

use super::build::{Builder, CONTRACTION};
use super::climb::Corners;
use super::full::Full;
#[cfg(doc)]
use super::rule::StraightRule;
use super::search::{StringScratch, search};
use super::settings::StraightSettings;
use crate::base::{BuildOptions, Cancelled, Cell, Cost, Point};
use crate::grid::{Grid, Revision};
use crate::labels::climb::Climb;
use crate::labels::{Corrupt, LabelScratch};
use crate::search::Observer;
use std::fmt;

/// An index for shortest any-angle paths.
///
/// # Guarantee
/// No path between the two cell centres that keeps the index's [rule](StraightRule) is
/// shorter by more than two thousandths of a cell on maps of up to 1024 × 1024 cells, or three
/// millionths of the longer side on larger ones.
/// Deterministic; the bytes do not depend on the number of threads. An index describes the
/// map it was built for, and a [`Planner`](crate::Planner) never uses it for another.
///
/// # Allocation
/// Queries allocate nothing once their scratch has grown. A build takes several times the
/// memory of its result.
///
/// # Complexity
/// With labels, a query takes time linear in the size of two records and the number of points
/// of the path, plus one line of sight. Without, it searches corners ([`StraightKind`]).
///
/// # Example
/// ```
/// use farstride::straight::{StraightIndex, StraightKind, StraightSettings};
/// use farstride::{Grid, Planner};
///
/// let grid = Grid::from_ascii("
///     .....
///     .###.
///     .###.
///     .....
/// ")?;
/// let index = StraightIndex::build(&grid, StraightSettings::default());
/// assert_eq!(index.kind(), StraightKind::Full { block: 8 });
///
/// let planner = Planner::with_index(grid, index)?;
/// let route = planner.path((0, 1), (4, 1)).expect("there is a way around the wall");
/// let points: Vec<(f64, f64)> = route.points().iter().map(|point| point.to_cells()).collect();
/// assert_eq!(points, [(0.0, 1.0), (0.5, 0.5), (3.5, 0.5), (4.0, 1.0)]);
/// assert!((route.length() - (3.0 + 2_f64.sqrt())).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct StraightIndex {
    pub(super) settings: StraightSettings,
    pub(super) kept: Kept,
    pub(super) revision: Revision,
    /// The digest when it was saved, if it comes from a file.
    pub(super) saved: Option<u64>,
}

/// The index itself, by kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kept {
    Full(Full),
    Climb(Climb<Corners>),
    Search,
}

/// The kind of index, which depends on what fits into the budget.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum StraightKind {
    /// Labels of all cells: a query looks two of them up.
    Full {
        /// Number of cells along a side of a block.
        block: u16,
    },
    /// Labels of the most important corners: a query climbs to these first.
    Hybrid {
        /// Number of corners with labels.
        labelled: u32,
    },
    /// No labels: a query climbs to the core of the hierarchy and searches it.
    Core {
        /// Number of corners in the core.
        core: u32,
    },
    /// Nothing: a query searches the corners of the map.
    Search,
}

impl fmt::Display for StraightKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full { block } => write!(f, "full labels, in blocks of {block} x {block} cells"),
            Self::Hybrid { labelled } => write!(f, "hybrid: labels of the {labelled} highest corners"),
            Self::Core { core } => write!(f, "no labels: a core of {core} corners is searched"),
            Self::Search => write!(f, "no index: corners are searched"),
        }
    }
}

impl StraightIndex {
    /// Builds the index of a map on all cores. The map must be of uniform cost.
    pub fn build(grid: &Grid, settings: StraightSettings) -> Self {
        let built = Self::build_with(grid, settings, &BuildOptions::new());
        built.unwrap_or_else(|Cancelled| unreachable!("nobody cancels"))
    }

    /// Builds the index of a map.
    pub(crate) fn build_with(
        grid: &Grid,
        settings: StraightSettings,
        options: &BuildOptions<'_>,
    ) -> Result<Self, Cancelled> {
        let BuildOptions { threads, watch } = *options;
        let kept = Builder { grid, settings, contraction: CONTRACTION, threads, watch }.run()?;
        Ok(Self { settings, kept, revision: grid.revision(), saved: None })
    }

    /// Whether these are labels of all cells, so that queries do not search.
    #[inline]
    pub(crate) const fn labels_all_cells(&self) -> bool {
        self.full().is_some()
    }

    /// The labels of all cells, if there are any.
    #[inline]
    pub(super) const fn full(&self) -> Option<&Full> {
        match &self.kept {
            Kept::Full(full) => Some(full),
            Kept::Climb(_) | Kept::Search => None,
        }
    }

    /// The kind of index that was built.
    pub fn kind(&self) -> StraightKind {
        match &self.kept {
            Kept::Full(full) => StraightKind::Full { block: 1 << full.segments.shift },
            Kept::Climb(climb) => match climb.hierarchy().core_size() {
                0 => StraightKind::Hybrid { labelled: climb.labelled() },
                core => StraightKind::Core { core },
            },
            Kept::Search => StraightKind::Search,
        }
    }

    /// The settings it was built with.
    pub const fn settings(&self) -> StraightSettings {
        self.settings
    }

    /// Whether this is the index of the map in its current state.
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.revision == grid.revision()
    }

    /// Bytes in memory.
    pub fn byte_count(&self) -> usize {
        match &self.kept {
            Kept::Full(full) => full.segments.byte_count(),
            Kept::Climb(climb) => climb.byte_count(),
            Kept::Search => 0,
        }
    }

    /// Finds a shortest path between two free cells; `None` if there is no path. Writes its
    /// points into `points` if they are wanted. `observer` hears of the cells around every
    /// corner that a search expands.
    ///
    /// # Errors
    /// [`Corrupt`] if the bytes do not fit together.
    #[inline]
    pub(crate) fn find(
        &self,
        grid: &Grid,
        ends: (Cell, Cell),
        (labels, strings): (&mut LabelScratch, &mut StringScratch),
        points: Option<&mut Vec<Point>>,
        observer: &mut impl Observer<Cell>,
    ) -> Result<Option<Cost>, Corrupt> {
        match &self.kept {
            Kept::Full(full) => full.find(grid, ends, labels.working(0), points),
            Kept::Climb(climb) => {
                let StringScratch { climb: climbing, scan, points: spare, .. } = strings;
                let points = points.unwrap_or(spare);
                Ok(climb.find_points(grid, ends, (climbing, scan), points, observer))
            }
            Kept::Search => Ok(search(grid, self.settings.rule, ends, strings, points, observer)),
        }
    }
}
