//! Saving an overlay, and restoring it from bytes that may be forged.
//!
//! Arcs are saved once, by the smaller of their two places. Landmarks are not: their
//! potentials depend on the history of edits, and opening computes them anew.
//!
//! Opening proves everything that queries rely on for safety: places in range and in
//! order, arcs between free cells, costs that are at least those of an empty map. That
//! costs are right is what [`Overlay::verify`] proves; where they are not, paths may be
//! too long, or A* answers instead.

use super::block::Block;
use super::index::Overlay;
use super::layout::Layout;
use super::matrix::NO_WAY;
use super::settings::OverlaySettings;
use crate::base::{BuildOptions, Cancelled, Cell, Inconsistent, Rect};
use crate::grid::Grid;
use xxhash_rust::xxh3::xxh3_64;

/// The size of an overlay.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct OverlayCounts {
    /// Number of blocks.
    pub blocks: usize,
    /// Number of cells that arcs lead to.
    pub nodes: usize,
    /// Number of arcs, each counted once.
    pub arcs: usize,
}

/// Bytes of the settings, then of the number of arcs of each place, of their heads and
/// of their costs.
pub(crate) type Contents = [Vec<u8>; 4];

impl Overlay {
    /// The bytes of everything that is saved.
    pub(crate) fn contents(&self) -> Contents {
        let (mut degrees, mut heads, mut costs) = (Vec::new(), Vec::new(), Vec::new());
        for block in &self.blocks {
            for place in 0..4 * self.layout.side() {
                let before = heads.len();
                for (head, cost) in block.arcs(place).filter(|&(head, _)| head > place) {
                    heads.push(head as u8);
                    costs.extend_from_slice(&cost.to_le_bytes());
                }
                degrees.push((heads.len() - before) as u8);
            }
        }
        [self.settings().to_bytes().to_vec(), degrees, heads, costs]
    }

    /// Digest of settings and arcs: the same on every platform, for any number of
    /// threads, after any edits.
    ///
    /// # Complexity
    /// O(size of the index).
    pub fn digest(&self) -> u64 {
        digest_of(self.contents().iter().map(|content| xxh3_64(content)))
    }

    /// The size of the overlay.
    #[doc(hidden)]
    pub fn counts(&self) -> OverlayCounts {
        counts(&self.layout, &self.blocks)
    }
}

/// The digest of an overlay, from those of its parts.
pub(crate) fn digest_of(parts: impl Iterator<Item = u64>) -> u64 {
    xxh3_64(&parts.flat_map(u64::to_le_bytes).collect::<Vec<u8>>())
}

fn counts(layout: &Layout, blocks: &[Block]) -> OverlayCounts {
    let mut is_node = vec![false; layout.node_count()];
    for (number, block) in blocks.iter().enumerate() {
        for (place, node) in layout.nodes(number).enumerate() {
            is_node[node as usize] |= block.arcs(place).next().is_some();
        }
    }
    let nodes = is_node.iter().filter(|&&is_node| is_node).count();
    let arcs = blocks.iter().map(Block::arc_count).sum::<usize>() / 2;
    OverlayCounts { blocks: blocks.len(), nodes, arcs }
}

/// An overlay that was read from bytes and not yet compared with its map.
#[derive(Debug)]
pub(crate) struct UnboundOverlay {
    settings: OverlaySettings,
    layout: Layout,
    blocks: Vec<Block>,
}

impl UnboundOverlay {
    /// Reads an overlay of a map of this size, and checks all that can be checked
    /// without the map.
    pub(crate) fn read(
        settings: OverlaySettings,
        (width, height): (usize, usize),
        [degrees, heads, costs]: [&[u8]; 3],
    ) -> Result<Self, Inconsistent> {
        if Grid::check_size(width, height).is_err() {
            return Err(Inconsistent::new("the overlay belongs to a map of no possible size"));
        }
        let last = Cell::new((width - 1) as u16, (height - 1) as u16);
        let layout = Layout::new(settings.side, Rect::spanning(Cell::new(0, 0), last));
        let border = 4 * layout.side();
        let arcs: usize = degrees.iter().map(|&degree| usize::from(degree)).sum();
        if degrees.len() != layout.block_count() * border || heads.len() != arcs || costs.len() != 4 * arcs {
            return Err(Inconsistent::new("the lists of the overlay differ in length"));
        }
        let mut heads = heads.iter().copied();
        let (fours, _) = costs.as_chunks::<4>();
        let mut costs = fours.iter().map(|&cost| u32::from_le_bytes(cost));
        let mut rows = vec![Vec::new(); border];
        let mut blocks = Vec::with_capacity(layout.block_count());
        for (number, degrees) in degrees.chunks_exact(border).enumerate() {
            rows.iter_mut().for_each(Vec::clear);
            for (place, &degree) in degrees.iter().enumerate() {
                let mut before = place;
                for (head, cost) in heads.by_ref().zip(costs.by_ref()).take(degree.into()) {
                    let head = usize::from(head);
                    if head <= before || head >= border || cost == 0 || cost >= NO_WAY {
                        let corner = layout.corner(number);
                        return Err(Inconsistent::new(format!("an arc of the block at {corner} is damaged")));
                    }
                    before = head;
                    rows[place].push((head as u8, cost));
                    rows[head].push((place as u8, cost));
                }
            }
            for row in &mut rows {
                row.sort_unstable();
            }
            blocks.push(Block::from_rows(rows.iter().map(|row| row.iter().copied())));
        }
        Ok(Self { settings, layout, blocks })
    }

    pub(crate) const fn settings(&self) -> OverlaySettings {
        self.settings
    }

    pub(crate) fn counts(&self) -> OverlayCounts {
        counts(&self.layout, &self.blocks)
    }

    /// Checks the overlay against its map, and computes the landmarks.
    pub(crate) fn bound_to(self, grid: &Grid) -> Result<Overlay, Inconsistent> {
        let Self { settings, layout, blocks } = self;
        for (number, block) in blocks.iter().enumerate() {
            let cells: Vec<Cell> = layout.border(number).collect();
            for (place, &from) in cells.iter().enumerate() {
                for (head, cost) in block.arcs(place) {
                    let least = grid.rules().distance(from, cells[head]);
                    if !grid.is_free(from) || !grid.is_free(cells[head]) || least.units() > cost.into() {
                        return Err(Inconsistent::new(format!("an arc at {from} does not fit the map")));
                    }
                }
            }
        }
        let built = Overlay::assemble(grid, settings, layout, blocks, &BuildOptions::new());
        Ok(built.unwrap_or_else(|Cancelled| unreachable!("nobody cancels")))
    }
}
