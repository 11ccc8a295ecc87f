//! The index of the engine `overlay`: built, followed through edits, proved.

use super::OverlaySettings;
use super::block::{Block, BlockScratch};
use super::landmarks::Landmarks;
use super::layout::Layout;
use crate::base::crew::{Crew, Watch, all_cores};
use crate::base::{BuildOptions, Cancelled, Cell, Inconsistent, Rect, SettingsError};
use crate::grid::{Grid, Revision};
use std::collections::BTreeSet;

/// The index of the engine `overlay`: exact costs between the lines of a map.
///
/// Cloning shares the blocks and copies the landmarks.
#[derive(Clone, Debug)]
pub struct Overlay {
    settings: OverlaySettings,
    pub(super) layout: Layout,
    /// One per block of the layout.
    pub(super) blocks: Vec<Block>,
    pub(super) landmarks: Landmarks,
    revision: Revision,
}

/// Compares settings and arcs. Neither the maps' revisions nor the landmarks count.
impl PartialEq for Overlay {
    fn eq(&self, other: &Self) -> bool {
        (self.settings, &self.layout, &self.blocks) == (other.settings, &other.layout, &other.blocks)
    }
}

impl Eq for Overlay {}

/// Above this part of all blocks, an edit computes all landmarks anew: that takes a few
/// times as long as the blocks do.
const MANY_BLOCKS: usize = 4;

impl Overlay {
    /// Builds the overlay of a map on all cores.
    ///
    /// # Errors
    /// [`SettingsError`] if a setting is out of range.
    pub fn build(grid: &Grid, settings: OverlaySettings) -> Result<Self, SettingsError> {
        settings.check()?;
        Ok(Self::built_in_range(grid, settings))
    }

    /// Builds an overlay by settings that are in range on all cores.
    fn built_in_range(grid: &Grid, settings: OverlaySettings) -> Self {
        let built = Self::build_with(grid, settings, &BuildOptions::new());
        built.unwrap_or_else(|Cancelled| unreachable!("nobody cancels"))
    }

    /// Builds an overlay by settings that are in range.
    pub(crate) fn build_with(
        grid: &Grid,
        settings: OverlaySettings,
        options: &BuildOptions<'_>,
    ) -> Result<Self, Cancelled> {
        let layout = Layout::new(settings.side, grid.area());
        let steps = layout.block_count() + usize::from(settings.landmarks);
        let crew = Crew::new(options.threads, steps, options.watch);
        let blocks = crew.try_map(layout.block_count(), |block, scratch: &mut BlockScratch| {
            Block::build(grid, &layout, block, scratch)
        })?;
        Self::assemble(grid, settings, layout, blocks, options)
    }

    /// Adds the landmarks to blocks.
    pub(super) fn assemble(
        grid: &Grid,
        settings: OverlaySettings,
        layout: Layout,
        blocks: Vec<Block>,
        options: &BuildOptions<'_>,
    ) -> Result<Self, Cancelled> {
        let graph = super::graph::OverlayGraph { layout: &layout, blocks: &blocks };
        let count = settings.landmarks.into();
        let landmarks = Landmarks::build(graph, count, options.threads, options.watch)?;
        Ok(Self { settings, layout, blocks, landmarks, revision: grid.revision() })
    }

    /// The settings that it was built with.
    pub const fn settings(&self) -> OverlaySettings {
        self.settings
    }

    /// Whether the index is up to date with this map.
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.revision == grid.revision()
    }

    /// Memory that the index takes, in bytes.
    pub fn memory_bytes(&self) -> usize {
        let blocks: usize = self.blocks.iter().map(Block::memory_bytes).sum();
        blocks + size_of_val(&*self.blocks) + self.landmarks.memory_bytes()
    }

    /// Number of landmarks that no search uses for now, because an edit changed too much
    /// for them. Later edits go on with them, [`Overlay::refresh`] brings them all back.
    pub fn resting_landmarks(&self) -> usize {
        self.landmarks.resting_count()
    }

    /// Whether the map was edited since the landmarks were computed.
    pub(crate) const fn needs_refresh(&self) -> bool {
        self.landmarks.are_edited()
    }

    /// Computes all landmarks anew if the map was edited since they were computed. Answers
    /// do not change; searches become as fast as after a build.
    ///
    /// # Complexity
    /// A search of the whole overlay for each landmark, on all cores.
    pub fn refresh(&mut self) {
        if !self.needs_refresh() {
            return;
        }
        self.landmarks.give_up();
        let graph = super::graph::OverlayGraph { layout: &self.layout, blocks: &self.blocks };
        let refreshed = self.landmarks.refresh(graph, all_cores(), Watch::none(), 0);
        refreshed.unwrap_or_else(|Cancelled| unreachable!("nobody cancels"));
    }

    /// Updates the index after the map was edited.
    ///
    /// # Guarantee
    /// Equals an index built from scratch. Answers do not depend on the order of edits.
    ///
    /// # Complexity
    /// The blocks that hold edited cells, and a bounded number of nodes for the
    /// landmarks. A full build if the map no longer remembers all edits since, or if it
    /// is another map.
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
        let layout = &self.layout;
        let touched: BTreeSet<usize> = areas.iter().flat_map(|&area| layout.blocks_of(area)).collect();
        let touched: Vec<usize> = touched.into_iter().collect();
        let crew = Crew::new(all_cores(), touched.len(), Watch::none());
        let rebuilt = crew.try_map(touched.len(), |at, scratch: &mut BlockScratch| {
            Block::build(grid, layout, touched[at], scratch)
        });
        let rebuilt = rebuilt.unwrap_or_else(|Cancelled| unreachable!("nobody cancels"));
        for (&block, rebuilt) in touched.iter().zip(rebuilt) {
            self.blocks[block] = rebuilt;
        }
        if touched.len() * MANY_BLOCKS > layout.block_count() {
            self.landmarks.age();
            self.refresh();
            return;
        }
        let graph = super::graph::OverlayGraph { layout, blocks: &self.blocks };
        self.landmarks.repair(graph, &touched, |node| layout.is_free(grid, node));
    }

    /// Checks that every arc equals what a build on this map gives.
    ///
    /// # Errors
    /// [`Inconsistent`] names the first block that differs.
    pub fn verify(&self, grid: &Grid) -> Result<(), Inconsistent> {
        if self.layout != Layout::new(self.settings.side, grid.area()) {
            return Err(Inconsistent::new("the overlay belongs to a map of another size"));
        }
        let mut scratch = BlockScratch::default();
        for (block, known) in self.blocks.iter().enumerate() {
            let corner = self.layout.corner(block);
            if *known != Block::build(grid, &self.layout, block, &mut scratch) {
                return Err(Inconsistent::new(format!("the block at {corner} has other arcs than the map")));
            }
        }
        Ok(())
    }

    /// The cells of every block. For pictures.
    #[doc(hidden)]
    pub fn blocks(&self) -> impl Iterator<Item = Rect> {
        (0..self.layout.block_count()).map(|block| self.layout.block_area(block))
    }

    /// Every arc between two cells with its cost, once, by block. For pictures.
    #[doc(hidden)]
    pub fn for_each_arc(&self, mut visit: impl FnMut(Cell, Cell, u32)) {
        for (block, arcs) in self.blocks.iter().enumerate() {
            let cells: Vec<Cell> = self.layout.border(block).collect();
            for (place, &from) in cells.iter().enumerate() {
                arcs.arcs(place)
                    .filter(|&(head, _)| head > place)
                    .for_each(|(head, cost)| visit(from, cells[head], cost));
            }
        }
    }

    /// The cells of the landmarks. For pictures.
    #[doc(hidden)]
    pub fn landmark_cells(&self) -> impl Iterator<Item = Cell> {
        self.landmarks.nodes().iter().map(|&node| self.layout.cell_of(node))
    }
}
