//! Blocks of a grid as groups: the engine `groups`.

use super::navigator::{Arcs, Navigator};
use super::{Blocks, Connection, Ground, GroupHierarchy, GroupId, GroupTactics, Members, Representative};
use crate::base::{BuildOptions, Cell, Cost, Rect, SettingsError, widened};
use crate::graph::{Graph, UniformGrid, WeightedGrid};
use crate::grid::{Contents, Grid};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// How the blocks of a grid are made groups. The same settings always give the
/// same hierarchy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BlockSettings {
    /// Side of the smallest blocks in cells.
    pub block: u16,
    /// A block is made of so many by so many of the level below.
    pub group: u8,
    /// Number of levels; without it, as many as it takes for the highest to
    /// have no more than a few hundred blocks.
    pub levels: Option<u8>,
    /// What connections cost.
    pub connection: Connection,
}

/// Blocks of the highest level, at most, if the number of levels is not given:
/// as many are searched in some ten microseconds.
const TOP: usize = 256;

impl Default for BlockSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl BlockSettings {
    /// What measured best: the default, where a constant is needed.
    pub const DEFAULT: Self = Self { block: 16, group: 4, levels: None, connection: Connection::Average };
    /// Sides of the smallest blocks.
    pub const BLOCK_RANGE: RangeInclusive<u16> = 2..=256;
    /// Blocks of which one of the next level is made, in a row.
    pub const GROUP_RANGE: RangeInclusive<u8> = 2..=16;
    /// Numbers of levels.
    pub const LEVEL_RANGE: RangeInclusive<u8> = 1..=14;

    /// Whether every setting is in range.
    ///
    /// # Errors
    /// [`SettingsError`] names the one that is not.
    pub fn check(&self) -> Result<(), SettingsError> {
        SettingsError::check([
            ("cluster", self.block, Self::BLOCK_RANGE),
            ("group", self.group.into(), widened(&Self::GROUP_RANGE)),
            ("levels", self.levels.unwrap_or(1).into(), widened(&Self::LEVEL_RANGE)),
        ])
    }

    /// Columns and rows of the blocks of each level on a map of this size.
    pub(super) fn spans(&self, width: usize, height: usize) -> Vec<[u32; 2]> {
        let mut highest = [width, height].map(|cells| (cells as u32).div_ceil(self.block.into()));
        let mut spans = vec![highest];
        let is_large = |[columns, rows]: [u32; 2]| columns as usize * rows as usize > TOP;
        while self.levels.map_or(is_large(highest), |levels| spans.len() < usize::from(levels)) {
            highest = highest.map(|blocks| blocks.div_ceil(self.group.into()));
            spans.push(highest);
        }
        spans
    }

    /// The groups of each level above the first.
    pub(super) fn uppers(&self, spans: &[[u32; 2]]) -> Vec<Members> {
        let below = &spans[..spans.len().saturating_sub(1)];
        below.iter().map(|&span| Members::of_blocks(span, self.group.into())).collect()
    }
}

/// A hierarchy of the blocks of a grid.
#[derive(Clone, Debug)]
pub struct GridGroups {
    pub(super) settings: BlockSettings,
    pub(super) hierarchy: GroupHierarchy<Cell>,
    pub(super) contents: Contents,
}

/// Two of them are equal if they were made alike and hold the same.
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
    pub fn build(grid: &Grid, settings: BlockSettings) -> Result<Self, SettingsError> {
        settings.check()?;
        Ok(Self::built_in_range(grid, settings))
    }

    /// Builds the groups by settings that are in range on all cores.
    pub(super) fn built_in_range(grid: &Grid, settings: BlockSettings) -> Self {
        let built = Self::build_with(grid, settings, &BuildOptions::new());
        built.unwrap_or_else(|| unreachable!("nobody cancels"))
    }

    /// Builds the groups by settings that are in range; `None` if cancelled.
    pub(crate) fn build_with(
        grid: &Grid,
        settings: BlockSettings,
        options: &BuildOptions<'_>,
    ) -> Option<Self> {
        let blocks = Blocks::new(grid, settings.block);
        let (graph, uppers) =
            (AnyGrid::new(grid), settings.uppers(&settings.spans(grid.width(), grid.height())));
        let ground = Ground::new(&graph, &blocks).represented_by(Representative::Central(&position));
        let hierarchy = GroupHierarchy::build_fitting(
            ground,
            uppers,
            settings.connection,
            options.threads,
            options.watch.progress,
        );
        let groups = Self { settings, hierarchy, contents: grid.contents() };
        (options.watch.wanted)().then_some(groups)
    }

    /// How it was made.
    pub const fn settings(&self) -> BlockSettings {
        self.settings
    }

    /// The hierarchy. Its groups are [`Blocks`] of the grid.
    pub const fn hierarchy(&self) -> &GroupHierarchy<Cell> {
        &self.hierarchy
    }

    /// Whether it is of this map as it is.
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.contents == grid.contents()
    }

    /// Brings it up to date with an edited map.
    ///
    /// # Guarantee
    /// Equal to one made from scratch.
    ///
    /// # Complexity
    /// The blocks that edits touch and those around them, on every level on
    /// which something changes; everything, if the edits are too many to be
    /// remembered or if the map is another one.
    pub fn catch_up(&mut self, grid: &Grid) {
        if self.is_current(grid) {
            return;
        }
        let areas: Option<Vec<Rect>> = grid.changes_since(self.contents).map(Iterator::collect);
        match areas {
            Some(areas) => self.follow(grid, &areas),
            None => *self = Self::built_in_range(grid, self.settings),
        }
        self.contents = grid.contents();
    }

    fn follow(&mut self, grid: &Grid, areas: &[Rect]) {
        let blocks = Blocks::new(grid, self.settings.block);
        let graph = AnyGrid::new(grid);
        let touched: BTreeSet<GroupId> =
            areas.iter().flat_map(|&area| blocks.touching(area.grown(1, grid.area()))).collect();
        let ground = Ground::new(&graph, &blocks).represented_by(Representative::Central(&position));
        self.hierarchy.update_fitting(ground, touched);
    }

    /// The map as queries see it.
    pub(crate) fn ground<'g>(&self, grid: &'g Grid) -> GridGround<'g> {
        GridGround { graph: AnyGrid::new(grid), blocks: Blocks::new(grid, self.settings.block) }
    }

    /// What answers queries on the map that the ground is of.
    pub(crate) fn navigator<'a>(
        &'a self,
        ground: &'a GridGround<'a>,
        tactics: GroupTactics,
    ) -> Navigator<'a, AnyGrid<'a>, Blocks<'a>, impl Fn(Cell, Cell) -> Cost + Copy> {
        let rules = ground.graph.grid.rules();
        let bound = move |from, to| rules.distance(from, to);
        let arcs = if ground.graph.is_uniform { Arcs::OfOneStep } else { Arcs::OfAnyCost };
        self.hierarchy.brought_to(&ground.graph, &ground.blocks, bound, arcs).with_tactics(tactics)
    }
}

fn position(cell: Cell) -> (f64, f64) {
    (cell.x.into(), cell.y.into())
}

/// A map and its blocks.
pub(crate) struct GridGround<'g> {
    graph: AnyGrid<'g>,
    blocks: Blocks<'g>,
}

/// A grid with its weights, if it has any.
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
