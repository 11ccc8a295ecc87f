//! An index, whatever its engine.

use crate::grid::Grid;
use crate::groups::GridGroups;
use crate::hpa::Hierarchy;
use crate::labels::GridLabels;
use crate::route::{Engine, NotItsMap, Planner};
use crate::subgoal::SubgoalGraph;
use std::sync::Arc;

/// An index that was opened or built.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Index {
    /// Of the engines `hpa` and `hpt`.
    Hierarchy(Hierarchy),
    /// Of the engines `ssg`, `tsg`, `tl`, `nsg` and `nsg+`.
    Subgoals(SubgoalGraph),
    /// Of the engine `groups`.
    Groups(GridGroups),
    /// Of the engine `labels`.
    Labels(GridLabels),
}

impl Index {
    /// The same by reference.
    pub const fn by_ref(&self) -> IndexRef<'_> {
        match self {
            Self::Hierarchy(hierarchy) => IndexRef::Hierarchy(hierarchy),
            Self::Subgoals(graph) => IndexRef::Subgoals(graph),
            Self::Groups(groups) => IndexRef::Groups(groups),
            Self::Labels(labels) => IndexRef::Labels(labels),
        }
    }

    /// The engine that uses it.
    pub const fn engine(&self) -> Engine {
        self.by_ref().engine()
    }

    /// Its digest, which is saved with it.
    pub fn digest(&self) -> u64 {
        self.by_ref().digest()
    }

    /// Whether this is the index of a map as it is now.
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.by_ref().is_current(grid)
    }

    /// The abstraction, if it is one of HPA* or HPT*.
    pub fn into_hierarchy(self) -> Option<Hierarchy> {
        match self {
            Self::Hierarchy(hierarchy) => Some(hierarchy),
            _ => None,
        }
    }

    /// The subgoal graph, if it is one.
    pub fn into_subgoals(self) -> Option<SubgoalGraph> {
        match self {
            Self::Subgoals(graph) => Some(graph),
            _ => None,
        }
    }

    /// The hierarchy of blocks, if it is one.
    pub fn into_groups(self) -> Option<GridGroups> {
        match self {
            Self::Groups(groups) => Some(groups),
            _ => None,
        }
    }

    /// The labels, if they are what it is.
    pub fn into_labels(self) -> Option<GridLabels> {
        match self {
            Self::Labels(labels) => Some(labels),
            _ => None,
        }
    }
}

impl From<Hierarchy> for Index {
    fn from(hierarchy: Hierarchy) -> Self {
        Self::Hierarchy(hierarchy)
    }
}

impl From<SubgoalGraph> for Index {
    fn from(graph: SubgoalGraph) -> Self {
        Self::Subgoals(graph)
    }
}

impl From<GridGroups> for Index {
    fn from(groups: GridGroups) -> Self {
        Self::Groups(groups)
    }
}

impl From<GridLabels> for Index {
    fn from(labels: GridLabels) -> Self {
        Self::Labels(labels)
    }
}

/// Something that can be saved: a reference to an abstraction, to a subgoal
/// graph, to a hierarchy of blocks, to labels or to an [`Index`] becomes one by
/// itself.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum IndexRef<'i> {
    /// Of the engines `hpa` and `hpt`.
    Hierarchy(&'i Hierarchy),
    /// Of the engines `ssg`, `tsg`, `tl`, `nsg` and `nsg+`.
    Subgoals(&'i SubgoalGraph),
    /// Of the engine `groups`.
    Groups(&'i GridGroups),
    /// Of the engine `labels`.
    Labels(&'i GridLabels),
}

impl IndexRef<'_> {
    /// The engine that uses it.
    pub const fn engine(self) -> Engine {
        match self {
            Self::Hierarchy(hierarchy) => Engine::of_local(hierarchy.settings().local),
            Self::Subgoals(graph) => Engine::of_partition(graph.settings().partition),
            Self::Groups(_) => Engine::Groups,
            Self::Labels(_) => Engine::Labels,
        }
    }

    /// Its digest, which is saved with it.
    pub fn digest(self) -> u64 {
        match self {
            Self::Hierarchy(hierarchy) => hierarchy.digest(),
            Self::Subgoals(graph) => graph.digest(),
            Self::Groups(groups) => groups.digest(),
            Self::Labels(labels) => labels.digest(),
        }
    }

    /// Whether this is the index of a map as it is now.
    pub fn is_current(self, grid: &Grid) -> bool {
        match self {
            Self::Hierarchy(hierarchy) => hierarchy.is_current(grid),
            Self::Subgoals(graph) => graph.is_current(grid),
            Self::Groups(groups) => groups.is_current(grid),
            Self::Labels(labels) => labels.is_current(grid),
        }
    }
}

impl<'i> From<&'i Hierarchy> for IndexRef<'i> {
    fn from(hierarchy: &'i Hierarchy) -> Self {
        Self::Hierarchy(hierarchy)
    }
}

impl<'i> From<&'i SubgoalGraph> for IndexRef<'i> {
    fn from(graph: &'i SubgoalGraph) -> Self {
        Self::Subgoals(graph)
    }
}

impl<'i> From<&'i GridGroups> for IndexRef<'i> {
    fn from(groups: &'i GridGroups) -> Self {
        Self::Groups(groups)
    }
}

impl<'i> From<&'i GridLabels> for IndexRef<'i> {
    fn from(labels: &'i GridLabels) -> Self {
        Self::Labels(labels)
    }
}

impl<'i> From<&'i Index> for IndexRef<'i> {
    fn from(index: &'i Index) -> Self {
        index.by_ref()
    }
}

impl Planner {
    /// A planner that uses an index of the map; the engine is that of the
    /// index.
    ///
    /// # Errors
    /// [`NotItsMap`] if the index is of another map, or of this one before it
    /// was edited.
    ///
    /// # Example
    /// ```
    /// use farstride::subgoal::{Settings, SubgoalGraph};
    /// use farstride::{Engine, Grid, Planner, store};
    /// use std::sync::Arc;
    ///
    /// let grid = Grid::open(100, 60)?;
    /// let bytes = store::save(&SubgoalGraph::build(&grid, Settings::default()), &grid)?;
    ///
    /// // Later:
    /// let index = store::open(Arc::new(bytes), &grid)?;
    /// let planner = Planner::with_index(grid, index)?;
    /// assert_eq!(planner.engine(), Engine::NsgPlus);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_index(grid: impl Into<Arc<Grid>>, index: impl Into<Index>) -> Result<Self, NotItsMap> {
        match index.into() {
            Index::Hierarchy(hierarchy) => Self::with_hierarchy(grid, hierarchy),
            Index::Subgoals(graph) => Self::with_subgoals(grid, graph),
            Index::Groups(groups) => Self::with_groups(grid, groups),
            Index::Labels(labels) => Self::with_labels(grid, labels),
        }
    }

    /// The index that the engine uses, if it uses one: what can be saved.
    pub fn index(&self) -> Option<IndexRef<'_>> {
        let subgoals = || self.subgoals().map(IndexRef::from);
        let groups = || self.groups().map(IndexRef::from);
        let labels = || self.labels().map(IndexRef::from);
        self.hierarchy().map(IndexRef::from).or_else(subgoals).or_else(groups).or_else(labels)
    }
}
