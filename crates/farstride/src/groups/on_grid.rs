//! Squares of a grid as groups: the index of the engine `groups`.

use super::navigator::{Arcs, Navigator};
use super::{Connection, Ground, GroupHierarchy, GroupId, GroupTactics, Members, Representative, Squares};
use crate::base::with_methods;
use crate::base::{BuildOptions, Cancelled, Cell, Cost, Rect, SettingsError, widened};
use crate::graph::{Graph, UniformGrid, WeightedGrid};
use crate::grid::{Grid, Revision};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// How the squares of a grid are grouped. The same settings always give the same index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
pub struct GridGroupSettings {
    /// Side of the smallest squares in cells.
    pub side: u16,
    /// Side of a higher level's square, in squares of the level below.
    pub group: u8,
    /// Number of levels; `None` for as many as it takes until the highest has at most a
    /// few hundred squares.
    pub levels: Option<u8>,
    /// The rule by which connections cost what they do.
    pub connection: Connection,
}

with_methods!(GridGroupSettings { with_side side: u16, with_group group: u8, with_levels levels: Option<u8>, with_connection connection: Connection });

/// Maximum number of squares on the highest level if the number of levels is not set: a
/// search through all of them takes some ten microseconds.
const MOST_TOP_SQUARES: usize = 256;

impl Default for GridGroupSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl GridGroupSettings {
    /// The default, as a constant: the settings that measured best.
    pub const DEFAULT: Self = Self { side: 16, group: 4, levels: None, connection: Connection::Average };
    /// Range of [`side`](Self::side).
    pub const SIDE_RANGE: RangeInclusive<u16> = 2..=256;
    /// Range of [`group`](Self::group).
    pub const GROUP_RANGE: RangeInclusive<u8> = 2..=16;
    /// Range of [`levels`](Self::levels).
    pub const LEVEL_RANGE: RangeInclusive<u8> = 1..=14;

    /// Checks that every setting is in range.
    ///
    /// # Errors
    /// [`SettingsError`] names the one that is not.
    pub fn check(&self) -> Result<(), SettingsError> {
        SettingsError::check([
            ("side", self.side, Self::SIDE_RANGE),
            ("group", self.group.into(), widened(&Self::GROUP_RANGE)),
            ("levels", self.levels.unwrap_or(1).into(), widened(&Self::LEVEL_RANGE)),
        ])
    }

    /// Columns and rows of squares on each level of a map of this size.
    pub(super) fn level_sizes(&self, width: usize, height: usize) -> Vec<[u32; 2]> {
        let mut highest = [width, height].map(|cells| (cells as u32).div_ceil(self.side.into()));
        let mut level_sizes = vec![highest];
        let is_large = |[columns, rows]: [u32; 2]| columns as usize * rows as usize > MOST_TOP_SQUARES;
        while self.levels.map_or(is_large(highest), |levels| level_sizes.len() < usize::from(levels)) {
            highest = highest.map(|squares| squares.div_ceil(self.group.into()));
            level_sizes.push(highest);
        }
        level_sizes
    }

    /// How the squares of each level are grouped for the next.
    pub(super) fn uppers(&self, level_sizes: &[[u32; 2]]) -> Vec<Members> {
        let below = &level_sizes[..level_sizes.len().saturating_sub(1)];
        below.iter().map(|&span| Members::of_squares(span, self.group.into())).collect()
    }
}

/// The index of the engine `groups`: a hierarchy of the squares of a grid.
#[derive(Clone, Debug)]
pub struct GridGroups {
    pub(super) settings: GridGroupSettings,
    pub(super) hierarchy: GroupHierarchy<Cell>,
    pub(super) revision: Revision,
}

/// Compares settings and content; the maps' revisions do not count.
impl PartialEq for GridGroups {
    fn eq(&self, other: &Self) -> bool {
        (self.settings, &self.hierarchy) == (other.settings, &other.hierarchy)
    }
}

impl Eq for GridGroups {}

impl GridGroups {
    /// Builds the groups of a map on all cores.
    ///
    /// # Errors
    /// [`SettingsError`] if a setting is out of range.
    pub fn build(grid: &Grid, settings: GridGroupSettings) -> Result<Self, SettingsError> {
        settings.check()?;
        Ok(Self::built_in_range(grid, settings))
    }

    /// Builds the groups by settings that are in range on all cores.
    pub(super) fn built_in_range(grid: &Grid, settings: GridGroupSettings) -> Self {
        let built = Self::build_with(grid, settings, &BuildOptions::new());
        built.unwrap_or_else(|Cancelled| unreachable!("nobody cancels"))
    }

    /// Builds the groups by settings that are in range.
    pub(crate) fn build_with(
        grid: &Grid,
        settings: GridGroupSettings,
        options: &BuildOptions<'_>,
    ) -> Result<Self, Cancelled> {
        let squares = Squares::new(grid, settings.side);
        let (graph, uppers) =
            (AnyGrid::new(grid), settings.uppers(&settings.level_sizes(grid.width(), grid.height())));
        let ground = Ground::new(&graph, &squares).represented_by(Representative::Central(&position));
        let hierarchy = GroupHierarchy::build_unchecked(ground, uppers, settings.connection, options)?;
        Ok(Self { settings, hierarchy, revision: grid.revision() })
    }

    /// The settings that it was built with.
    pub const fn settings(&self) -> GridGroupSettings {
        self.settings
    }

    /// The hierarchy. Its groups are [`Squares`] of the grid.
    pub const fn hierarchy(&self) -> &GroupHierarchy<Cell> {
        &self.hierarchy
    }

    /// Whether the index is up to date with this map.
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.revision == grid.revision()
    }

    /// Updates the index after the map was edited.
    ///
    /// # Guarantee
    /// The result equals an index built from scratch.
    ///
    /// # Complexity
    /// The squares that edits touch and their neighbours, on every level on which
    /// something changes. A full build if the map no longer remembers all edits since,
    /// or if it is another map.
    pub(crate) fn catch_up(&mut self, grid: &Grid) {
        if self.is_current(grid) {
            return;
        }
        let areas: Option<Vec<Rect>> = grid.changes_since(self.revision).map(Iterator::collect);
        match areas {
            Some(areas) => self.update_areas(grid, &areas),
            None => *self = Self::built_in_range(grid, self.settings),
        }
        self.revision = grid.revision();
    }

    fn update_areas(&mut self, grid: &Grid, areas: &[Rect]) {
        let squares = Squares::new(grid, self.settings.side);
        let graph = AnyGrid::new(grid);
        let touched: BTreeSet<GroupId> =
            // One cell further than the edit: arcs into edited cells, and diagonals
            // past them, start there, maybe in another square.
            areas.iter().flat_map(|&area| squares.touching(area.grown(1, grid.area()))).collect();
        let ground = Ground::new(&graph, &squares).represented_by(Representative::Central(&position));
        self.hierarchy.update_unchecked(ground, touched);
    }

    /// The map in the form that queries take.
    pub(crate) fn ground<'g>(&self, grid: &'g Grid) -> GridGround<'g> {
        GridGround { graph: AnyGrid::new(grid), squares: Squares::new(grid, self.settings.side) }
    }

    /// Returns what answers queries on the map of `ground`.
    pub(crate) fn navigator<'a>(
        &'a self,
        ground: &'a GridGround<'a>,
        tactics: GroupTactics,
    ) -> Navigator<'a, AnyGrid<'a>, Squares<'a>, impl Fn(Cell, Cell) -> Cost + Copy> {
        let rules = ground.graph.grid.rules();
        let bound = move |from, to| rules.distance(from, to);
        let arcs = if ground.graph.is_uniform { Arcs::OfOneStep } else { Arcs::OfAnyCost };
        self.hierarchy.navigator_unchecked(&ground.graph, &ground.squares, bound, arcs).with_tactics(tactics)
    }
}

/// The position of a cell, for [`Representative::Central`].
fn position(cell: Cell) -> (f64, f64) {
    (cell.x.into(), cell.y.into())
}

/// A map and its squares.
pub(crate) struct GridGround<'g> {
    graph: AnyGrid<'g>,
    squares: Squares<'g>,
}

/// A grid as a graph, with its weights if it has any. The test for weights is made
/// once, not at every expansion.
pub(crate) struct AnyGrid<'g> {
    grid: &'g Grid,
    is_uniform: bool,
}

impl<'g> AnyGrid<'g> {
    fn new(grid: &'g Grid) -> Self {
        Self { grid, is_uniform: grid.is_uniform() }
    }
}

impl Graph for AnyGrid<'_> {
    type Node = Cell;

    fn node_count(&self) -> usize {
        UniformGrid(self.grid).node_count()
    }

    #[inline]
    fn index(&self, cell: Cell) -> usize {
        UniformGrid(self.grid).index(cell)
    }

    fn contains(&self, cell: Cell) -> bool {
        self.grid.is_free(cell)
    }

    #[inline]
    fn for_each_arc(&self, cell: Cell, visit: impl FnMut(Cell, Cost)) {
        if self.is_uniform {
            UniformGrid(self.grid).for_each_arc(cell, visit);
        } else {
            WeightedGrid(self.grid).for_each_arc(cell, visit);
        }
    }

    #[inline]
    fn for_each_onward_arc(&self, cell: Cell, parent: Cell, visit: impl FnMut(Cell, Cost)) {
        if self.is_uniform {
            UniformGrid(self.grid).for_each_onward_arc(cell, parent, visit);
        } else {
            WeightedGrid(self.grid).for_each_onward_arc(cell, parent, visit);
        }
    }
}
