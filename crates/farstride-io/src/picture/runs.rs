//! Stretches of equal cells in a row, and the rectangles they stack up to.

use farstride::internal::Terrain;
use farstride::{Cell, Grid, Rect};
use std::ops::Range;

/// Cells `columns` of row `y`; never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Run {
    pub(super) y: u16,
    pub(super) columns: Range<u16>,
}

/// Rectangle of `rows.len()` equal runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Block {
    pub(super) columns: Range<u16>,
    pub(super) rows: Range<u16>,
}

/// Joins cells to runs, in reading order.
pub(super) fn of_cells(mut cells: Vec<Cell>) -> Vec<Run> {
    cells.sort_unstable();
    cells.dedup();
    cells
        .chunk_by(|a, b| a.y == b.y && a.x + 1 == b.x)
        .map(|run| Run { y: run[0].y, columns: run[0].x..run[0].x + run.len() as u16 })
        .collect()
}

/// What the map is made of within an area, in reading order.
pub(super) fn of_area(grid: &Grid, area: Rect) -> impl Iterator<Item = (Terrain, Run)> + Clone {
    (area.min().y..=area.max().y).flat_map(move |y| of_row(grid, y, area.min().x..area.max().x + 1))
}

/// What these columns of a row are made of, from left to right.
pub(super) fn of_row(
    grid: &Grid,
    y: u16,
    columns: Range<u16>,
) -> impl Iterator<Item = (Terrain, Run)> + Clone {
    let end = columns.end;
    let terrain = move |x| {
        let cell = Cell::new(x, y);
        if grid.is_free(cell) { Terrain::Free(grid.weight(cell)) } else { Terrain::Blocked }
    };
    let mut next = columns.start;
    std::iter::from_fn(move || {
        let first = next;
        if first >= end {
            return None;
        }
        let here = terrain(first);
        next = (first + 1..end).find(|&x| terrain(x) != here).unwrap_or(end);
        let columns = first..next;
        Some((here, Run { y, columns }))
    })
}

impl Run {
    /// The part of the run that lies in an area.
    pub(super) fn within(&self, area: Rect) -> Option<Self> {
        let rows = area.min().y..=area.max().y;
        let columns = self.columns.start.max(area.min().x)..self.columns.end.min(area.max().x + 1);
        (rows.contains(&self.y) && !columns.is_empty()).then_some(Self { y: self.y, columns })
    }
}

/// Joins runs that lie flush below each other; `runs` is in reading order.
pub(super) fn stack(runs: impl IntoIterator<Item = Run>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    // Blocks that end above the current row, and those that it has extended or
    // begun, as indices from left to right.
    let (mut above, mut current): (Vec<usize>, Vec<usize>) = Default::default();
    let (mut row, mut seen) = (0, 0);
    for Run { y, columns } in runs {
        if y != row {
            above = std::mem::take(&mut current);
            (row, seen) = (y, 0);
        }
        while above.get(seen).is_some_and(|&block| blocks[block].columns.start < columns.start) {
            seen += 1;
        }
        let flush = above.get(seen).copied().filter(|&block| {
            let Block { columns: found, rows } = &blocks[block];
            *found == columns && rows.end == y
        });
        let block = flush.unwrap_or(blocks.len());
        if flush.is_some() {
            blocks[block].rows.end += 1;
        } else {
            let rows = y..y + 1;
            blocks.push(Block { columns, rows });
        }
        current.push(block);
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walls(grid: &Grid) -> Vec<Run> {
        of_area(grid, grid.area())
            .filter(|(terrain, _)| *terrain == Terrain::Blocked)
            .map(|(_, run)| run)
            .collect()
    }

    #[test]
    fn cells_in_any_order_join_to_runs() {
        let cells = [(2, 0), (1, 0), (2, 0), (0, 1), (4, 0)].map(Cell::from);
        let runs = of_cells(cells.to_vec());
        let expected = [(0, 1..3), (0, 4..5), (1, 0..1)].map(|(y, columns)| Run { y, columns });
        assert_eq!(runs, expected);
    }

    #[test]
    fn a_row_is_cut_where_the_ground_changes() {
        let grid = Grid::from_ascii(".33#.").unwrap();
        let row: Vec<_> = of_row(&grid, 0, 0..5).map(|(terrain, run)| (terrain, run.columns)).collect();
        let expected = [
            (Terrain::Free(1), 0..1),
            (Terrain::Free(3), 1..3),
            (Terrain::Blocked, 3..4),
            (Terrain::Free(1), 4..5),
        ];
        assert_eq!(row, expected);
    }

    #[test]
    fn an_area_cuts_runs() {
        let grid = Grid::from_ascii("\n..##\n####\n").unwrap();
        let area = Rect::spanning(Cell::new(1, 0), Cell::new(2, 1));
        let runs: Vec<_> = of_area(&grid, area).map(|(_, run)| (run.y, run.columns)).collect();
        assert_eq!(runs, [(0, 1..2), (0, 2..3), (1, 1..3)]);
        let cut = |y, columns| Run { y, columns }.within(area).map(|run| run.columns);
        assert_eq!(cut(0, 0..4), Some(1..3));
        assert_eq!((cut(0, 0..1), cut(0, 3..4), cut(2, 0..4)), (None, None, None));
    }

    #[test]
    fn flush_runs_stack_and_others_do_not() {
        let grid = Grid::from_ascii(
            "
            #.##.#
            #.##..
            #.#..#
            ",
        )
        .unwrap();
        let blocks = stack(walls(&grid));
        let expected = [(0..1, 0..3), (2..4, 0..2), (5..6, 0..1), (2..3, 2..3), (5..6, 2..3)]
            .map(|(columns, rows)| Block { columns, rows });
        assert_eq!(blocks, expected);
    }

    #[test]
    fn an_empty_row_parts_what_is_above_it() {
        let grid = Grid::from_ascii("\n##\n..\n##\n").unwrap();
        assert_eq!(stack(walls(&grid)).len(), 2);
    }
}
