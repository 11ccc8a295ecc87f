//! Which cells are linked to which subgoals, block by block.
//!
//! Looking for links from every cell would look along the same rows and columns
//! again and again. Seen from a subgoal, the cells that are linked to it lie in
//! stretches of rows and columns, so that this takes little more time than
//! writing the links down.

use super::build::Ingredients;
use crate::base::Cell;
use crate::base::crew::Crew;
use crate::subgoal::TautLinks;

/// Cells of one row or column of a block that are linked to a subgoal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Stretch {
    /// Rank of the subgoal.
    pub(super) via: u32,
    /// Position of the first cell in the block.
    first: u16,
    /// Cells.
    len: u8,
    /// Positions between a cell and the next.
    step: u8,
}

impl Stretch {
    /// Positions of the cells in the block.
    #[inline]
    pub(super) fn positions(self) -> impl Iterator<Item = usize> {
        (0..usize::from(self.len)).map(move |at| usize::from(self.first) + at * usize::from(self.step))
    }
}

/// The stretches of all blocks; those of one block are ordered by via.
pub(super) struct Stretches {
    /// Where those of each block begin.
    first: Vec<usize>,
    stretches: Vec<Stretch>,
}

impl Stretches {
    /// Those of blocks of `1 << shift` cells to a side, `columns` times `rows`
    /// of them.
    pub(super) fn find(
        ingredients: &Ingredients<'_>,
        shift: u32,
        [columns, rows]: [usize; 2],
        crew: &Crew<'_>,
    ) -> Self {
        let links = TautLinks::new(ingredients.grid, &ingredients.graph.clearance);
        let ranks = ingredients.hierarchy.node_count();
        let found: Vec<Vec<(Cell, Cell)>> = crew.map(ranks, |rank, (): &mut ()| {
            let mut found = Vec::new();
            links.for_each_stretch(ingredients.cell(rank as u32), |one, other| {
                found.push(if other < one { (other, one) } else { (one, other) });
            });
            found
        });
        let all = || (0..).zip(&found).flat_map(|(via, found)| found.iter().map(move |&ends| (via, ends)));
        let mut first = vec![0; columns * rows + 1];
        for (via, ends) in all() {
            split(via, ends, shift, columns, |block, _| first[block + 1] += 1);
        }
        for block in 0..columns * rows {
            first[block + 1] += first[block];
        }
        let mut next = first.clone();
        let mut stretches = vec![Stretch::default(); first[columns * rows]];
        for (via, ends) in all() {
            split(via, ends, shift, columns, |block, stretch| {
                stretches[next[block]] = stretch;
                next[block] += 1;
            });
        }
        Self { first, stretches }
    }

    /// Those of a block.
    pub(super) fn of_block(&self, block: usize) -> &[Stretch] {
        &self.stretches[self.first[block]..self.first[block + 1]]
    }
}

/// Divides a stretch of a row or column, which starts above or to the left,
/// among the blocks it passes.
fn split(
    via: u32,
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
        split(7, (first.into(), last.into()), shift, columns, |block, stretch| {
            assert_eq!(stretch.via, 7);
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
