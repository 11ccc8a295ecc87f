//! Cells that a search expands, in the order in which it does.

use farstride::error::QueryError;
use farstride::search::Observer;
use farstride::{Cell, Planner, Query, Scratch};
use farstride_io::picture::{Colour, Scene, Shape, Width};

/// The order is told apart by this many colours.
const BANDS: usize = 24;
/// Of cells, so that the ground beneath is seen.
const ALPHA: u8 = 190;

/// Takes down every cell at its first expansion.
struct Record {
    /// Whether a cell was expanded, row by row.
    seen: Vec<bool>,
    width: usize,
    cells: Vec<Cell>,
    /// Expansions, those of the same cell included.
    total: u64,
}

impl Observer<Cell> for Record {
    fn expanded(&mut self, cell: Cell, _: farstride::Cost) {
        self.total += 1;
        let index = usize::from(cell.y) * self.width + usize::from(cell.x);
        if !std::mem::replace(&mut self.seen[index], true) {
            self.cells.push(cell);
        }
    }
}

/// Draws the cells that the search for a path expands, from the first, pale, to
/// the last, dark, and says how many they are. Engines that search the map itself
/// fill cells; those that search an index draw dots where its nodes are.
pub(super) fn draw(
    planner: &Planner,
    from: Cell,
    to: Cell,
    scene: &mut Scene<'_>,
) -> Result<String, QueryError> {
    let grid = planner.grid();
    let cells = grid.width() * grid.height();
    let mut record = Record { seen: vec![false; cells], width: grid.width(), cells: Vec::new(), total: 0 };
    planner.find_observed(Query::new(from, to), &mut record, &mut Scratch::new())?;
    let Record { cells, total, .. } = record;
    let (engine, count) = (planner.engine(), cells.len());
    if count == 0 {
        return Ok(format!("{engine}: the path is found without expanding a node"));
    }
    let has_index = planner.index().is_some();
    // Small dots of the palest colours would not be seen.
    let palest = if has_index { 0.3 } else { 0.0 };
    let length = count.div_ceil(BANDS);
    let last = (count.div_ceil(length) - 1).max(1);
    for (band, cells) in cells.chunks(length).enumerate() {
        let colour = Colour::heat(palest + (1.0 - palest) * band as f32 / last as f32);
        let cells = cells.iter().copied();
        if has_index {
            scene.dots(cells, colour, Width::cells(0.5).at_least(3.6), Shape::Mark);
        } else {
            scene.fill(cells, colour.with_alpha(ALPHA));
        }
    }
    let what = if has_index { "nodes of the index" } else { "cells" };
    scene
        .legend(Colour::heat(palest), "expanded first")
        .legend(Colour::heat(1.0), format!("last of {count}"));
    let share = 100.0 * count as f64 / grid.free_count().max(1) as f64;
    Ok(format!("{engine}: {total} expansions of {count} {what}, {share:.1} % of the free cells"))
}
