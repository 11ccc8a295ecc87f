//! Building an index.

use super::{BuildError, Index, IndexSettings};
use crate::base::BuildOptions;
use crate::grid::Grid;
use crate::groups::GridGroups;
use crate::hpa::Hierarchy;
use crate::labels::GridLabels;
use crate::overlay::Overlay;
use crate::straight::StraightIndex;
use crate::subgoal::SubgoalGraph;

impl Index {
    /// Builds the index of a map on all cores.
    ///
    /// Time and memory depend on the kind of index. On a game map of 1024 × 1024
    /// cells, `hpa` takes tens of milliseconds, `nsg+` a tenth of a second, `labels`
    /// a few seconds and up to its budget of memory.
    ///
    /// # Errors
    /// [`BuildError`] if a setting is out of range, or if the engine cannot work on
    /// this map.
    pub fn build(grid: &Grid, settings: impl Into<IndexSettings>) -> Result<Self, BuildError> {
        Self::build_with(grid, settings, &BuildOptions::new())
    }

    /// Builds the index of a map with a number of threads, reporting progress, until
    /// it is done or cancelled.
    ///
    /// # Errors
    /// As [`Index::build`], and [`BuildError::Cancelled`].
    ///
    /// # Example
    /// ```
    /// use farstride::error::BuildError;
    /// use farstride::index::BuildOptions;
    /// use farstride::{Engine, Grid, Index};
    ///
    /// let grid = Grid::empty(300, 200)?;
    /// let settings = Engine::Hpa.default_settings().expect("hpa has an index");
    ///
    /// let report = |done: usize, total: usize| println!("{done} of {total}");
    /// let index = Index::build_with(&grid, settings, &BuildOptions::new().threads(2).on_progress(&report))?;
    /// assert!(index.is_current(&grid));
    ///
    /// let stop = || false; // a real one asks a flag or looks at the clock
    /// let cancelled = Index::build_with(&grid, settings, &BuildOptions::new().keep_going(&stop));
    /// assert_eq!(cancelled, Err(BuildError::Cancelled));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build_with(
        grid: &Grid,
        settings: impl Into<IndexSettings>,
        options: &BuildOptions<'_>,
    ) -> Result<Self, BuildError> {
        let settings = settings.into();
        settings.engine().check(grid)?;
        options.watch.check()?;
        Ok(match settings {
            IndexSettings::Hpa(settings) => {
                settings.check()?;
                Hierarchy::build_with(grid, settings, options)?.into()
            }
            IndexSettings::Subgoals(settings) => SubgoalGraph::build_with(grid, settings, options)?.into(),
            IndexSettings::Groups(settings) => {
                settings.check()?;
                GridGroups::build_with(grid, settings, options)?.into()
            }
            IndexSettings::Overlay(settings) => {
                settings.check()?;
                Overlay::build_with(grid, settings, options)?.into()
            }
            IndexSettings::Labels(settings) => GridLabels::build_with(grid, settings, options)?.into(),
            IndexSettings::Straight(settings) => StraightIndex::build_with(grid, settings, options)?.into(),
        })
    }
}
