//! Editing a map in place.

use super::{Grid, Revision};
use crate::base::{Cell, Rect};
use std::error::Error;
use std::fmt;

/// What an edit did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Change {
    /// The smallest rectangle that holds every changed cell; `None` if nothing
    /// changed.
    pub area: Option<Rect>,
    /// [`Grid::edit_count`] after the edit.
    pub edit_count: u64,
}

impl Grid {
    /// Blocks a cell or every cell of a rectangle.
    ///
    /// # Errors
    /// [`EditError`] if the area is not entirely on the map; nothing changes then.
    ///
    /// # Complexity
    /// O(area), and usually no more to update the regions. Only if the edit may
    /// have cut a region in two are both sides followed until they meet or one of
    /// them ends.
    pub fn block(&mut self, area: impl Into<Rect>) -> Result<Change, EditError> {
        self.set_free(area.into(), false)
    }

    /// Frees a cell or every cell of a rectangle.
    ///
    /// # Errors
    /// As [`Grid::block`].
    pub fn free(&mut self, area: impl Into<Rect>) -> Result<Change, EditError> {
        self.set_free(area.into(), true)
    }

    /// Sets the terrain weight of every cell of an area, free or blocked.
    ///
    /// # Errors
    /// [`EditError`] if the area is not entirely on the map, or the weight is 0.
    pub fn set_weight(&mut self, area: impl Into<Rect>, weight: u8) -> Result<Change, EditError> {
        let area = self.check_area(area.into())?;
        if weight == 0 {
            return Err(EditError::ZeroWeight);
        }
        let mut touched = Touched::default();
        for cell in area.cells() {
            if self.put_weight(cell, weight) {
                touched.add(cell);
            }
        }
        Ok(self.record(&touched))
    }

    /// Writes every cell of an area, row by row: 0 blocks it, 1 to 255 frees it with that
    /// weight, as in [`Grid::from_weights`]. One edit, however much it changes.
    ///
    /// # Errors
    /// [`EditError`] if the area is not entirely on the map, or if there are not as many
    /// weights as cells; nothing changes then.
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Grid, Rect};
    ///
    /// let mut grid = Grid::empty(4, 2)?;
    /// let area = Rect::spanning(Cell::new(1, 0), Cell::new(2, 1));
    /// grid.write_weights(area, &[0, 5, 1, 0])?;
    /// assert_eq!(grid.to_ascii(), ".#5.\n..#.\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_weights(&mut self, area: impl Into<Rect>, weights: &[u8]) -> Result<Change, EditError> {
        let area = self.check_area(area.into())?;
        if weights.len() != area.cell_count() {
            return Err(EditError::Length { found: weights.len(), expected: area.cell_count() });
        }
        let mut touched = Touched::default();
        for (cell, &weight) in area.cells().zip(weights) {
            // Blocked cells weigh 1, so that equal maps are equal however they were made.
            if self.put_weight(cell, weight.max(1)) {
                touched.add(cell);
            }
        }
        self.put_free(area, |cell| weights[area.offset(cell)] > 0, &mut touched);
        Ok(self.record(&touched))
    }

    /// Sets one weight; returns whether it changed.
    pub(crate) fn put_weight(&mut self, cell: Cell, weight: u8) -> bool {
        let before = self.weight(cell);
        if before == weight {
            return false;
        }
        let (index, cells) = (self.index(cell), self.width() * self.height());
        let weights = self.weights.get_or_insert_with(|| vec![1; cells].into());
        weights[index] = weight;
        self.heavy_cells = self.heavy_cells + usize::from(before == 1) - usize::from(weight == 1);
        // Back on the fast path of uniform maps; also, digest and equality must not
        // depend on whether there were weights once.
        if self.heavy_cells == 0 {
            self.weights = None;
        }
        true
    }

    fn set_free(&mut self, area: Rect, free: bool) -> Result<Change, EditError> {
        let area = self.check_area(area)?;
        let mut touched = Touched::default();
        self.put_free(area, |_| free, &mut touched);
        Ok(self.record(&touched))
    }

    /// Frees or blocks each cell of an area.
    fn put_free(&mut self, area: Rect, is_free: impl Fn(Cell) -> bool, touched: &mut Touched) {
        let mut chunks: Vec<_> =
            self.bits.chunks_in(area).map(|chunk| (chunk, self.bits.chunk(chunk))).collect();
        for cell in area.cells() {
            let free = is_free(cell);
            if self.bits.is_free(cell) != free {
                self.bits.set(cell, free);
                self.sight.set(cell, free);
                touched.add(cell);
            }
        }
        chunks.retain(|&(chunk, before)| self.bits.chunk(chunk) != before);
        for &(chunk, _) in &chunks {
            self.sight.update(&self.bits, chunk);
        }
        self.regions.update((&self.bits, self.sight.columns()), self.rules.diagonals, &chunks);
    }

    fn check_area(&self, area: Rect) -> Result<Rect, EditError> {
        if self.contains(area.max()) {
            Ok(area)
        } else {
            Err(EditError::Outside { area, width: self.width(), height: self.height() })
        }
    }

    fn record(&mut self, touched: &Touched) -> Change {
        if let Some(area) = touched.area {
            self.edit_count += 1;
            self.journal.note(self.revision, area);
            self.revision = Revision::fresh();
        }
        Change { area: touched.area, edit_count: self.edit_count }
    }
}

/// The bounding box of the cells changed so far.
#[derive(Default)]
struct Touched {
    area: Option<Rect>,
}

impl Touched {
    fn add(&mut self, cell: Cell) {
        let area = self.area.unwrap_or_else(|| cell.into());
        let upper = Cell::new(area.min().x.min(cell.x), area.min().y.min(cell.y));
        let lower = Cell::new(area.max().x.max(cell.x), area.max().y.max(cell.y));
        self.area = Some(Rect::spanning(upper, lower));
    }
}

/// Why an edit was rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EditError {
    /// The area is not entirely on the map.
    Outside {
        /// The requested area.
        area: Rect,
        /// Columns of the map.
        width: usize,
        /// Rows of the map.
        height: usize,
    },
    /// A weight must be at least 1; block the cell instead.
    ZeroWeight,
    /// More or fewer weights than cells of the area.
    Length {
        /// Weights given.
        found: usize,
        /// Cells of the area.
        expected: usize,
    },
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside { area, width, height } => {
                write!(f, "cells {area} are not all on the map of {width} x {height}")
            }
            Self::ZeroWeight => write!(f, "weight 0: the smallest is 1; block the cell instead"),
            Self::Length { found, expected } => write!(f, "{found} weights for an area of {expected} cells"),
        }
    }
}

impl Error for EditError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_reports_what_it_changed() {
        let mut grid = Grid::from_ascii("\n....\n..#.\n....\n").unwrap();
        let row = Rect::spanning(Cell::new(1, 1), Cell::new(3, 1));
        let change = grid.block(row).unwrap();
        assert_eq!(change, Change { area: Some(row), edit_count: 1 });
        let again = grid.block(Cell::new(2, 1)).unwrap();
        assert_eq!(again, Change { area: None, edit_count: 1 });
        let all = grid.area();
        let change = grid.free(all).unwrap();
        assert_eq!(change, Change { area: Some(row), edit_count: 2 });
    }

    #[test]
    fn rejected_edits_change_nothing() {
        let mut grid = Grid::empty(4, 4).unwrap();
        let before = grid.clone();
        let beyond = Rect::spanning(Cell::new(2, 2), Cell::new(4, 2));
        assert!(matches!(grid.block(beyond), Err(EditError::Outside { .. })));
        assert_eq!(grid.set_weight(Cell::new(0, 0), 0), Err(EditError::ZeroWeight));
        assert!(matches!(grid.write_weights(beyond, &[1; 3]), Err(EditError::Outside { .. })));
        let short = Err(EditError::Length { found: 1, expected: 16 });
        assert_eq!(grid.write_weights(grid.area(), &[7]), short);
        assert_eq!(grid, before);
        assert_eq!(grid.edit_count(), 0);
    }

    #[test]
    fn an_area_that_is_written_equals_a_map_made_so() {
        let weights =
            |seed: usize| -> Vec<u8> { (0..600).map(|at| [0, 1, 3, 0, 9][at * seed % 1009 % 5]).collect() };
        let mut grid = Grid::from_weights(30, 20, &weights(7)).unwrap();
        for seed in [11, 13, 7] {
            let area = Rect::spanning(Cell::new(3, 2), Cell::new(28, 17));
            let written: Vec<u8> = area.cells().map(|cell| weights(seed)[grid.index(cell)]).collect();
            let before = grid.edit_count();
            let changed = grid.write_weights(area, &written).unwrap();
            assert_eq!(grid.edit_count(), before + 1);
            assert!(
                changed
                    .area
                    .is_some_and(|changed| area.contains(changed.min()) && area.contains(changed.max()))
            );
            let mut expected = weights(7);
            area.cells().zip(&written).for_each(|(cell, &weight)| expected[grid.index(cell)] = weight);
            assert_eq!(grid, Grid::from_weights(30, 20, &expected).unwrap());
            grid.check().unwrap();
        }
    }

    #[test]
    fn weights_reset_to_1_leave_no_trace() {
        let mut grid = Grid::empty(5, 5).unwrap();
        let change = grid.set_weight(grid.area(), 7).unwrap();
        assert_eq!(change.area, Some(grid.area()));
        assert!(!grid.is_uniform());
        assert_eq!(grid.weight(Cell::new(4, 4)), 7);
        grid.set_weight(grid.area(), 1).unwrap();
        assert!(grid.is_uniform());
        assert_eq!(grid, Grid::empty(5, 5).unwrap());
        grid.check().unwrap();
    }
}
