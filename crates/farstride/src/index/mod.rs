//! What an engine prepares from a map: one type, whatever the engine.
//!
//! An [`Engine`] is a way to find paths. Most engines prepare an [`Index`] first,
//! by [`IndexSettings`]. These three enums are the only places that list engines
//! and kinds of index; every `match` on them is exhaustive, so that the compiler
//! names each place a new engine has to fill in.
//!
//! Layer: uses everything above. `store` turns indexes into bytes, `route` answers
//! queries with them.

mod build;
pub(crate) mod engine;
pub(crate) mod error;
mod settings;

pub use crate::base::BuildOptions;
pub(crate) use engine::{Engine, Unsupported};
pub(crate) use error::{BuildError, MapMismatch};
pub use settings::IndexSettings;

use crate::grid::Grid;
use crate::groups::GridGroups;
use crate::hpa::Hierarchy;
use crate::labels::GridLabels;
use crate::overlay::Overlay;
use crate::straight::StraightIndex;
use crate::subgoal::SubgoalGraph;
use std::sync::Arc;

/// What an engine prepares from a map, so that queries are fast.
///
/// Build it with [`Index::build`], hand it to
/// [`Planner::with_index`](crate::Planner::with_index), get it back with
/// [`Planner::index`](crate::Planner::index), and keep it in a file with
/// [`store`](crate::store). Cloning an index is cheap: clones share their tables
/// until one of them follows an edit.
///
/// # Guarantee
/// The same map and settings give the same index, bit for bit, on every platform
/// and with any number of threads. An index that followed edits equals one built
/// from the edited map.
///
/// # Example
/// ```
/// use farstride::hpa::HpaSettings;
/// use farstride::{Engine, Grid, Index, Planner};
///
/// let grid = Grid::empty(100, 60)?;
/// let index = Index::build(&grid, HpaSettings::default().with_levels(2))?;
/// assert_eq!(index.engine(), Engine::Hpa);
/// let planner = Planner::with_index(grid, index)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Index {
    /// The clusters of HPA* and HPT*: engines `hpa` and `hpt`.
    Hpa(Arc<Hierarchy>),
    /// A subgoal graph: engines `ssg`, `tsg`, `tl`, `nsg` and `nsg+`.
    Subgoals(Arc<SubgoalGraph>),
    /// Groups of cells: engine `groups`.
    Groups(Arc<GridGroups>),
    /// Hub labels: engine `labels`.
    Labels(Arc<GridLabels>),
    /// Lines with exact costs between them: engine `overlay`.
    Overlay(Arc<Overlay>),
    /// Hub labels over corners: engine `straight`.
    Straight(Arc<StraightIndex>),
}

impl Index {
    /// The engine that uses this index.
    pub fn engine(&self) -> Engine {
        self.settings().engine()
    }

    /// The settings it was built with.
    pub fn settings(&self) -> IndexSettings {
        match self {
            Self::Hpa(hierarchy) => (*hierarchy.settings()).into(),
            Self::Subgoals(graph) => graph.settings().into(),
            Self::Groups(groups) => groups.settings().into(),
            Self::Labels(labels) => labels.settings().into(),
            Self::Overlay(overlay) => overlay.settings().into(),
            Self::Straight(index) => index.settings().into(),
        }
    }

    /// A hash of everything in the index. It is saved with the index, and is the
    /// same on every platform.
    pub fn digest(&self) -> u64 {
        match self {
            Self::Hpa(hierarchy) => hierarchy.digest(),
            Self::Subgoals(graph) => graph.digest(),
            Self::Groups(groups) => groups.digest(),
            Self::Labels(labels) => labels.digest(),
            Self::Overlay(overlay) => overlay.digest(),
            Self::Straight(index) => index.digest(),
        }
    }

    /// Whether this index belongs to `grid` in its present state. An edit of the
    /// map makes it outdated.
    #[inline]
    pub fn is_current(&self, grid: &Grid) -> bool {
        match self {
            Self::Hpa(hierarchy) => hierarchy.is_current(grid),
            Self::Subgoals(graph) => graph.is_current(grid),
            Self::Groups(groups) => groups.is_current(grid),
            Self::Labels(labels) => labels.is_current(grid),
            Self::Overlay(overlay) => overlay.is_current(grid),
            Self::Straight(index) => index.is_current(grid),
        }
    }

    /// The hierarchy of clusters, if this is an index of `hpa` or `hpt`.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        if let Self::Hpa(hierarchy) = self { Some(hierarchy) } else { None }
    }

    /// The subgoal graph, if this is an index of a subgoal engine.
    pub fn subgoals(&self) -> Option<&SubgoalGraph> {
        if let Self::Subgoals(graph) = self { Some(graph) } else { None }
    }

    /// The groups, if this is an index of `groups`.
    pub fn groups(&self) -> Option<&GridGroups> {
        if let Self::Groups(groups) = self { Some(groups) } else { None }
    }

    /// The labels, if this is an index of `labels`.
    #[inline]
    pub fn labels(&self) -> Option<&GridLabels> {
        if let Self::Labels(labels) = self { Some(labels) } else { None }
    }

    /// The overlay, if this is an index of `overlay`.
    pub fn overlay(&self) -> Option<&Overlay> {
        if let Self::Overlay(overlay) = self { Some(overlay) } else { None }
    }

    /// The index of `straight`, if this is one.
    #[inline]
    pub fn straight(&self) -> Option<&StraightIndex> {
        if let Self::Straight(index) = self { Some(index) } else { None }
    }

    /// Whether queries look labels of both cells up, and these tell whether there is a path.
    #[inline]
    pub(crate) fn labels_all_cells(&self) -> bool {
        match self {
            Self::Labels(labels) => labels.labels_all_cells(),
            Self::Straight(index) => index.labels_all_cells(),
            _ => false,
        }
    }

    /// Restores the speed that edits have taken.
    pub(crate) fn refresh(&mut self) {
        if let Self::Overlay(overlay) = self
            && overlay.needs_refresh()
        {
            Arc::make_mut(overlay).refresh();
        }
    }

    /// Follows the edits of a map. Labels are built anew, which takes seconds; the
    /// others are repaired around the edits, `hpa` on up to this many threads.
    pub(crate) fn catch_up(&mut self, grid: &Grid, threads: usize) {
        if self.is_current(grid) {
            return;
        }
        match self {
            Self::Hpa(hierarchy) => Arc::make_mut(hierarchy).catch_up(grid, threads),
            Self::Subgoals(graph) => Arc::make_mut(graph).catch_up(grid),
            Self::Groups(groups) => Arc::make_mut(groups).catch_up(grid),
            Self::Overlay(overlay) => Arc::make_mut(overlay).catch_up(grid),
            // Queries on weighted maps are refused before they reach the labels.
            Self::Labels(labels) if grid.is_uniform() => {
                *labels = GridLabels::build(grid, labels.settings()).into();
            }
            Self::Straight(index) if grid.is_uniform() => {
                *index = StraightIndex::build(grid, index.settings()).into();
            }
            Self::Labels(_) | Self::Straight(_) => {}
        }
    }
}

macro_rules! index_from {
    ($($kind:ty => $variant:ident),*) => { $(
        impl From<$kind> for Index {
            fn from(index: $kind) -> Self {
                Self::$variant(Arc::new(index))
            }
        }

        impl From<Arc<$kind>> for Index {
            fn from(index: Arc<$kind>) -> Self {
                Self::$variant(index)
            }
        }
    )* };
}

index_from!(Hierarchy => Hpa, SubgoalGraph => Subgoals, GridGroups => Groups, GridLabels => Labels, Overlay => Overlay, StraightIndex => Straight);
