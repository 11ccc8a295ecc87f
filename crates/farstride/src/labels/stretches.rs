//! Finds which cells are linked to which subgoals, block by block.
//!
//! Searching for links from every cell would scan the same rows and columns
//! again and again; that took half of the build time. Seen from a subgoal, the
//! cells linked to it form stretches of rows and columns, and finding these takes
//! little more time than writing them down.

use super::build::Ingredients;
use crate::base::crew::Crew;
use crate::base::{Cancelled, Cell};
use crate::contraction::Rank;
use crate::subgoal::TautLinks;

/// Cells of one row or column of a block that are linked to a subgoal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stretch {
    /// Rank of the subgoal.
    pub(super) via: Rank,
    /// Position of the first cell in the block.
    first: u16,
    /// Number of cells.
    len: u8,
    /// Difference between the positions of a cell and the next: 1 in a row, the
    /// side of the block in a column.
    step: u8,
}

impl Stretch {
    /// Positions of the cells in the block.
    #[inline]
    pub(super) fn positions(self) -> impl Iterator<Item = usize> {
        (0..usize::from(self.len)).map(move |at| usize::from(self.first) + at * usize::from(self.step))
    }
}

/// The stretches of all blocks. Those of one block are ordered by via, because
/// subgoals are visited in the order of ranks.
pub(super) struct Stretches {
    /// Position at which the stretches of each block begin, and the end.
    first: Vec<usize>,
    stretches: Vec<Stretch>,
}

impl Stretches {
    /// Finds the stretches of `columns` × `rows` blocks with `1 << shift` cells to
    /// a side.
    ///
    /// Stretches are sorted into blocks by counting first: one array for all
    /// blocks instead of a list for each.
    pub(super) fn find(
        ingredients: &Ingredients<'_>,
        shift: u32,
        [columns, rows]: [usize; 2],
        crew: &Crew<'_>,
    ) -> Result<Self, Cancelled> {
        let links = TautLinks::new(ingredients.grid, &ingredients.graph.clearance);
        let ranks: Vec<Rank> = ingredients.hierarchy.all_ranks().collect();
        let found: Vec<Vec<(Cell, Cell)>> = crew.try_map(ranks.len(), |rank, (): &mut ()| {
            let mut found = Vec::new();
            links.for_each_stretch(ingredients.cell(ranks[rank]), |one, other| {
                found.push(if other < one { (other, one) } else { (one, other) });
            });
            found
        })?;
        let all =
            || ranks.iter().zip(&found).flat_map(|(&via, found)| found.iter().map(move |&ends| (via, ends)));
        let mut first = vec![0; columns * rows + 1];
        for (via, ends) in all() {
            split(via, ends, shift, columns, |block, _| first[block + 1] += 1);
        }
        for block in 0..columns * rows {
            first[block + 1] += first[block];
        }
        let mut next = first.clone();
        let unset = Stretch { via: Rank::NONE, first: 0, len: 0, step: 0 };
        let mut stretches = vec![unset; first[columns * rows]];
        for (via, ends) in all() {
            split(via, ends, shift, columns, |block, stretch| {
                stretches[next[block]] = stretch;
                next[block] += 1;
            });
        }
        Ok(Self { first, stretches })
    }

    /// The stretches of a block.
    pub(super) fn of_block(&self, block: usize) -> &[Stretch] {
        &self.stretches[self.first[block]..self.first[block + 1]]
    }
}

/// Divides a stretch of a row or column among the blocks it passes, and calls
/// `visit` with each block and its share. `first` must not lie below or to the
/// right of `last`.
fn split(
    via: Rank,
    (first, last): (Cell, Cell),
    shift: u32,
    columns: usize,
    mut visit: impl FnMut(usize, Stretch),
) {
    let in_row = first.y == last.y;
    let side = 1_u16 << shift;
    let (mut here, mut left) = (first, if in_row { last.x - first.x } else { last.y - first.y } + 1);
    while left > 0 {
        let (x, y) = (here.x & (side - 1), here.y & (side - 1));
        let len = left.min(side - if in_row { x } else { y });
        let block = usize::from(here.y >> shift) * columns + usize::from(here.x >> shift);
        let step = if in_row { 1 } else { side };
        visit(block, Stretch { via, first: y * side + x, len: len as u8, step: step as u8 });
        if in_row {
            here.x += len;
        } else {
            here.y += len;
        }
        left -= len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(first: (u16, u16), last: (u16, u16), shift: u32) -> Vec<(u16, u16)> {
        let (columns, side) = (5, 1 << shift);
        let mut cells = Vec::new();
        split(Rank::new(7), (first.into(), last.into()), shift, columns, |block, stretch| {
            assert_eq!(stretch.via, Rank::new(7));
            cells.extend(stretch.positions().map(|at| {
                let (x, y) = (block % columns * side + at % side, block / columns * side + at / side);
                (x as u16, y as u16)
            }));
        });
        cells
    }

    #[test]
    fn stretches_are_divided_among_blocks() {
        assert!(cells((3, 9), (37, 9), 3).into_iter().eq((3..=37).map(|x| (x, 9))));
        assert!(cells((30, 9), (30, 39), 3).into_iter().eq((9..=39).map(|y| (30, y))));
        assert!(cells((30, 9), (30, 70), 4).into_iter().eq((9..=70).map(|y| (30, y))));
        assert_eq!(cells((4, 4), (4, 4), 4), [(4, 4)]);
    }
}
