//! The map: which cells are free, what they weigh, and which steps are legal.
//!
//! Passability is one bit per cell in padded rows: the eight neighbours of a cell
//! take three small loads and a table look-up, and 57 cells of a row are tested
//! at a time. Connected regions are stored beside the bits and follow every edit,
//! so that an unreachable goal is known before any search.
//!
//! Layer: uses `base`.

mod bits;
mod body;
mod digest;
pub(crate) mod edit;
mod journal;
mod nearest;
mod regions;
pub(crate) mod rules;
mod runs;
pub(crate) mod sight;
pub(crate) mod size;
pub(crate) mod text;
mod touch;
pub(crate) mod weights;

pub use crate::base::{DiagonalCost, Direction};
pub use edit::Change;
pub(crate) use rules::{Diagonals, Moves, Rules, Steps};
pub(crate) use size::SizeError;

use crate::base::{Cell, Inconsistent, Rect};
pub(crate) use bits::Bits;
use journal::Journal;
use regions::Regions;
use sight::Sight;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// A rectangular map of free and blocked cells.
///
/// Cells may carry a terrain weight: a step costs its length times the mean
/// weight of its two cells. Without weights the map takes about a third of a byte
/// per cell, regions included; random noise, with a region for every few cells,
/// takes up to one and a half bytes.
///
/// # Invariants
///
/// 1. `1 <= width, height <= Grid::MAX_SIDE`.
/// 2. Bits outside the map are blocked.
/// 3. `regions` equals a fresh build from `bits` and `rules`, up to the
///    numbering of regions.
/// 4. `weights` holds one factor per cell, each at least 1 and one or more above
///    1. A map of weight 1 everywhere has no `weights`.
/// 5. `sight` equals a fresh build from `bits`.
///
/// # Example
/// ```
/// use farstride::{Cell, Grid};
///
/// let grid = Grid::from_ascii("
///     ..#.
///     .##.
///     ..#.
/// ")?;
/// assert!(grid.is_free(Cell::new(1, 0)));
/// assert!(!grid.is_connected(Cell::new(0, 0), Cell::new(3, 0)));
/// # Ok::<(), farstride::error::TextError>(())
/// ```
#[derive(Clone)]
pub struct Grid {
    width: u16,  // (1)
    height: u16, // (1)
    rules: Rules,
    bits: Bits,                 // (2)
    sight: Sight,               // (5)
    regions: Regions,           // (3)
    weights: Option<Box<[u8]>>, // (4)
    /// How many entries of `weights` are above 1 (4).
    heavy_cells: usize,
    edit_count: u64,
    revision: Revision,
    journal: Journal,
}

/// Identifies the content of a map within this process. Two are equal only if
/// no edit happened in between: clones share it, every edit draws a new one. Of two revisions of
/// one map, the later is larger.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Revision(u64);

impl Revision {
    /// An identity never used before.
    pub(crate) fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Grid {
    /// The longest side of a map, in cells.
    pub const MAX_SIDE: usize = 10_000;

    /// Checks whether a map of this size is supported. Allocates nothing.
    ///
    /// # Errors
    /// [`SizeError`] unless both sides are between 1 and [`Grid::MAX_SIDE`].
    pub fn check_size(width: usize, height: usize) -> Result<(), SizeError> {
        SizeError::sides(width, height).map(|_| ())
    }

    /// A map whose cells are all free.
    ///
    /// # Errors
    /// [`SizeError`] unless both sides are between 1 and [`Grid::MAX_SIDE`].
    /// Nothing is allocated in that case.
    pub fn empty(width: usize, height: usize) -> Result<Self, SizeError> {
        Self::from_fn(width, height, |_| true)
    }

    /// A map in which the cells for which `is_free` returns `true` are free.
    /// Calls it once per cell, in reading order.
    ///
    /// # Errors
    /// As [`Grid::empty`].
    pub fn from_fn(
        width: usize,
        height: usize,
        mut is_free: impl FnMut(Cell) -> bool,
    ) -> Result<Self, SizeError> {
        let (width, height) = SizeError::sides(width, height)?;
        let mut bits = Bits::blocked(width, height);
        for y in 0..height {
            bits.fill_row(y, width, |x| is_free(Cell::new(x, y)));
        }
        let rules = Rules::default();
        let sight = Sight::new(&bits, width, height);
        Ok(Self {
            width,
            height,
            rules,
            regions: Regions::build((&bits, sight.columns()), rules.diagonals),
            sight,
            bits,
            weights: None,
            heavy_cells: 0,
            edit_count: 0,
            revision: Revision::fresh(),
            journal: Journal::default(),
        })
    }

    /// The same map under other movement rules. O(cells / 64).
    #[must_use]
    pub fn with_rules(mut self, rules: Rules) -> Self {
        if rules == self.rules {
            return self;
        }
        self.rules = rules;
        self.regions = Regions::build((&self.bits, self.sight.columns()), rules.diagonals);
        // An index made under other rules must not follow this map by its edits.
        self.revision = Revision::fresh();
        self.journal = Journal::default();
        self
    }

    /// Number of columns.
    pub const fn width(&self) -> usize {
        self.width as usize
    }

    /// Number of rows.
    pub const fn height(&self) -> usize {
        self.height as usize
    }

    /// The movement rules.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Number of edits that changed the map since it was made.
    pub const fn edit_count(&self) -> u64 {
        self.edit_count
    }

    pub(crate) const fn revision(&self) -> Revision {
        self.revision
    }

    /// The areas edited since the map had this content; `None` if unknown.
    pub(crate) fn changes_since(&self, revision: Revision) -> Option<impl Iterator<Item = Rect>> {
        self.journal.since(revision)
    }

    /// Whether `cell` lies on the map.
    #[inline]
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    /// The rectangle of all cells.
    pub fn area(&self) -> Rect {
        Rect::spanning(Cell::new(0, 0), Cell::new(self.width - 1, self.height - 1))
    }

    /// Whether `cell` is on the map and free.
    #[inline]
    pub fn is_free(&self, cell: Cell) -> bool {
        self.contains(cell) && self.bits.is_free(cell)
    }

    /// Calls `visit` with the first and last column of every maximal run of free
    /// cells in columns `from..=to` of row `y`.
    pub(crate) fn for_each_stretch(&self, y: u16, from: u16, to: u16, visit: impl FnMut(u16, u16)) {
        self.bits.for_each_stretch(y, from, to, visit);
    }

    /// Number of free cells, counted in O(cells / 64).
    pub fn free_count(&self) -> usize {
        self.bits.free_count()
    }

    /// Number of connected regions.
    pub const fn region_count(&self) -> usize {
        self.regions.count()
    }

    /// Whether both cells are free and a path joins them. Constant time.
    pub fn is_connected(&self, a: Cell, b: Cell) -> bool {
        self.is_free(a) && self.is_free(b) && self.regions.connected(&self.bits, a, b)
    }

    /// The region of a cell, by a number that is meaningful until the next edit; `None` if
    /// it is blocked or off the map.
    pub(crate) fn region(&self, cell: Cell) -> Option<u32> {
        if self.is_free(cell) { self.regions.region(&self.bits, cell) } else { None }
    }

    /// Terrain weight of `cell`, which must be on the map; 1 unless set.
    #[inline]
    pub fn weight(&self, cell: Cell) -> u8 {
        self.weights.as_ref().map_or(1, |weights| weights[self.index(cell)])
    }

    /// Weights of the cells of a column (`upright`) or row around `middle`, the first
    /// `reach` before it; 0 where cells are blocked or off the map.
    #[inline]
    pub(crate) fn weights_across<const COUNT: usize>(
        &self,
        middle: Cell,
        upright: bool,
        reach: u16,
    ) -> [i16; COUNT] {
        let (at, size) = if upright { (middle.y, self.height) } else { (middle.x, self.width) };
        let is_inside = at >= reach && usize::from(at) + COUNT <= usize::from(size) + usize::from(reach);
        if let (Some(weights), true) = (&self.weights, is_inside) {
            let first =
                if upright { Cell::new(middle.x, at - reach) } else { Cell::new(at - reach, middle.y) };
            let lane = |weight: u8, free: bool| i16::from(weight) * i16::from(free);
            let weights = &weights[self.index(first)..];
            let mut lanes = [0; COUNT];
            if upright {
                let column = weights.iter().step_by(self.width.into()).zip(self.bits.below(first));
                lanes.iter_mut().zip(column).for_each(|(to, (&weight, free))| *to = lane(weight, free));
            } else {
                let free = self.bits.free_from(first);
                let row = weights.iter().enumerate();
                lanes
                    .iter_mut()
                    .zip(row)
                    .for_each(|(to, (at, &weight))| *to = lane(weight, free >> at & 1 != 0));
            }
            return lanes;
        }
        std::array::from_fn(|off| {
            let off = off as i32 - i32::from(reach);
            let (dx, dy) = if upright { (0, off) } else { (off, 0) };
            let x = u16::try_from(i32::from(middle.x) + dx);
            let y = u16::try_from(i32::from(middle.y) + dy);
            match (x, y) {
                (Ok(x), Ok(y)) if self.is_free(Cell::new(x, y)) => self.weight(Cell::new(x, y)).into(),
                _ => 0,
            }
        })
    }

    /// Writes the weights of the cells of a row, from `first` on; 0 where they are blocked.
    /// All of them must be on the map.
    pub(crate) fn weights_into(&self, first: Cell, weights: &mut [u8]) {
        weights.fill(0);
        let Some(last) = weights.len().checked_sub(1) else { return };
        let row = self.index(first);
        self.bits.for_each_stretch(first.y, first.x, first.x + last as u16, |from, to| {
            let span = usize::from(from - first.x)..usize::from(to - first.x) + 1;
            match &self.weights {
                Some(known) => weights[span.clone()].copy_from_slice(&known[row..][span]),
                None => weights[span].fill(1),
            }
        });
    }

    /// The weights of all cells, row by row; `None` if every cell weighs 1.
    pub(crate) fn weights_by_row(&self) -> Option<&[u8]> {
        self.weights.as_deref()
    }

    /// Whether every cell weighs 1.
    pub const fn is_uniform(&self) -> bool {
        self.weights.is_none()
    }

    /// Whether more than half of all cells, blocked ones included, weigh more than 1. Counted over
    /// free cells alone it would not be known at once.
    pub(crate) const fn is_mostly_heavy(&self) -> bool {
        self.heavy_cells > self.width() * self.height() / 2
    }

    /// Whether every cell of an area weighs 1.
    pub(crate) fn is_uniform_in(&self, area: Rect) -> bool {
        let Some(weights) = &self.weights else { return true };
        (area.min().y..=area.max().y).all(|y| {
            let row = self.index(Cell::new(area.min().x, y));
            weights[row..row + area.width() as usize].iter().all(|&weight| weight == 1)
        })
    }

    /// Legal steps from `cell`; none if it is blocked or off the map.
    pub fn moves(&self, cell: Cell) -> impl Iterator<Item = Direction> + use<> {
        self.moves_at(cell)
    }

    /// Whether a step from `cell` in this direction is legal.
    pub fn may_step(&self, cell: Cell, direction: Direction) -> bool {
        self.moves_at(cell).contains(direction)
    }

    /// [`Grid::moves`] as a set.
    #[inline]
    pub(crate) fn moves_at(&self, cell: Cell) -> Moves {
        if self.contains(cell) { self.moves_inside(cell) } else { Moves::NONE }
    }

    /// [`Grid::moves`] for a cell known to lie on the map.
    #[inline]
    pub(crate) fn moves_inside(&self, cell: Cell) -> Moves {
        self.rules.diagonals.moves(self.bits.neighbourhood(cell))
    }

    /// The 3 × 3 cells around a cell of the map as nine bits, row by row.
    #[inline]
    pub(crate) fn neighbourhood(&self, cell: Cell) -> usize {
        self.bits.neighbourhood(cell)
    }

    /// One bit per cell: whether it is free.
    pub(crate) const fn bits(&self) -> &Bits {
        &self.bits
    }

    /// As [`Grid::bits`], with rows and columns swapped.
    pub(crate) const fn columns(&self) -> &Bits {
        self.sight.columns()
    }

    /// The moves of `cell` that a search has to consider if a shortest path came
    /// from its neighbour `parent`; the others lead where another shortest path
    /// leads as well (see `Diagonals::is_detour`).
    #[inline]
    pub(crate) fn onward_moves(&self, cell: Cell, parent: Cell) -> Moves {
        self.rules.diagonals.onward_moves(self.bits.neighbourhood(cell), cell, parent)
    }

    /// Position of a cell in row-major order.
    #[inline]
    pub(crate) const fn index(&self, cell: Cell) -> usize {
        cell.y as usize * self.width as usize + cell.x as usize
    }

    /// Memory that the map takes, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.bits.memory_bytes()
            + self.sight.memory_bytes()
            + self.regions.memory_bytes()
            + self.weights.as_ref().map_or(0, |weights| weights.len())
    }

    /// Re-proves every invariant in O(cells). For tests and fuzzing.
    ///
    /// # Errors
    /// [`Inconsistent`] describes the first broken invariant.
    pub fn check(&self) -> Result<(), Inconsistent> {
        SizeError::sides(self.width(), self.height())
            .map_err(|error| Inconsistent::new(error.to_string()))?;
        self.bits.check_padding(self.width, self.height)?;
        self.regions.check((&self.bits, self.sight.columns()), self.rules.diagonals)?;
        if self.sight != Sight::new(&self.bits, self.width, self.height) {
            return Err(Inconsistent::new("the data for lines of sight is out of date"));
        }
        let heavy = self.weights.iter().flatten().filter(|&&weight| weight > 1).count();
        if heavy != self.heavy_cells || (heavy == 0 && self.weights.is_some()) {
            return Err(Inconsistent::new(format!(
                "{heavy} cells above weight 1, {} counted",
                self.heavy_cells
            )));
        }
        if self.weights.iter().flatten().any(|&weight| weight == 0) {
            return Err(Inconsistent::new("a cell has weight 0"));
        }
        Ok(())
    }
}

/// Maps are equal if size, cells, weights and rules are; their edit histories do
/// not matter.
impl PartialEq for Grid {
    fn eq(&self, other: &Self) -> bool {
        (self.width, self.height, self.rules) == (other.width, other.height, other.rules)
            && self.bits == other.bits
            && self.weights == other.weights
    }
}

impl Eq for Grid {}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grid")
            .field("width", &self.width)
            .field("height", &self.height)
            .field("rules", &self.rules)
            .field("edit_count", &self.edit_count)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_out_of_range_are_rejected() {
        for (width, height) in [(0, 5), (5, 0), (10_001, 1), (1, usize::MAX), (usize::MAX, usize::MAX)] {
            assert_eq!(Grid::empty(width, height), Err(SizeError { width, height }));
        }
        assert!(Grid::empty(1, 1).is_ok());
    }

    #[test]
    fn nothing_lies_outside() {
        let grid = Grid::empty(7, 3).unwrap();
        assert!(grid.is_free(Cell::new(6, 2)));
        assert!(!grid.is_free(Cell::new(7, 2)));
        assert!(!grid.is_free(Cell::new(6, 3)));
        assert!(!grid.is_free(Cell::new(u16::MAX, u16::MAX)));
        assert_eq!(grid.moves_at(Cell::new(u16::MAX, 0)), Moves::NONE);
        assert_eq!(grid.free_count(), 21);
        grid.check().unwrap();
    }

    #[test]
    fn the_largest_map_is_small() {
        let grid = Grid::empty(Grid::MAX_SIDE, Grid::MAX_SIDE).unwrap();
        assert!(grid.memory_bytes() < 40_000_000, "{}", grid.memory_bytes());
        assert!(grid.is_connected(Cell::new(0, 0), Cell::new(9_999, 9_999)));
    }
}
