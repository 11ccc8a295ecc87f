//! Edits of rectangles.

use crate::{Failure, cell};
use farstride::error::EditError;
use farstride::{Grid, Planner, Rect};

/// An area and the weight that its cells get; 0 blocks them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    area: Rect,
    weight: u8,
}

/// Checks an edit: column, row, width, height and weight.
///
/// # Errors
/// [`Failure`] if the area is empty or not on the map, or the weight is not 0 to 255.
pub fn change(grid: &Grid, [x, y, width, height, weight]: [i64; 5]) -> Result<Change, Failure> {
    let weight =
        u8::try_from(weight).map_err(|_| Failure::query(format!("weight is {weight}; expected 0 to 255")))?;
    if width < 1 || height < 1 {
        return Err(Failure::query(format!("a rectangle of {width} x {height} cells has none")));
    }
    let first = cell(grid, x, y)?;
    let last = cell(grid, x.saturating_add(width - 1), y.saturating_add(height - 1))?;
    Ok(Change { area: Rect::spanning(first, last), weight })
}

/// Carries out edits one after the other; the index follows.
///
/// # Errors
/// [`Failure`] if the map cannot be edited so. Edits before that stay.
pub fn apply(planner: &mut Planner, changes: &[Change]) -> Result<(), Failure> {
    let edited = planner.edit(|grid| {
        changes.iter().try_for_each(|&Change { area, weight }| {
            if weight == 0 {
                grid.block(area)?;
            } else {
                grid.free(area)?;
                grid.set_weight(area, weight)?;
            }
            Ok::<(), EditError>(())
        })
    });
    edited.map_err(Failure::query)
}

#[cfg(test)]
mod tests {
    use super::*;
    use farstride::{Cell, Engine};

    #[test]
    fn later_edits_win() {
        let mut planner = Planner::with_engine(Grid::empty(6, 4).unwrap(), Engine::Hpa).unwrap();
        let edits = [[1, 1, 3, 2, 0], [2, 1, 1, 1, 7], [5, 3, 1, 1, 1]];
        let changes: Vec<Change> =
            edits.into_iter().map(|edit| change(planner.grid(), edit).unwrap()).collect();
        apply(&mut planner, &changes).unwrap();
        assert_eq!(planner.grid().to_ascii(), "......\n.#7#..\n.###..\n......\n");
        assert_eq!(planner.grid().weight(Cell::new(2, 1)), 7);
    }

    #[test]
    fn impossible_edits_are_refused() {
        let grid = Grid::empty(6, 4).unwrap();
        for (edit, expected) in [
            ([0, 0, 0, 1, 1], "has none"),
            ([0, 0, 1, -1, 1], "has none"),
            ([0, 0, 1, 1, 256], "expected 0 to 255"),
            ([0, 0, 1, 1, -1], "expected 0 to 255"),
            ([0, 0, 7, 1, 1], "not on the map"),
            ([-1, 0, 2, 1, 1], "not on the map"),
            ([0, 0, i64::MAX, i64::MAX, 1], "not on the map"),
        ] {
            let message = change(&grid, edit).unwrap_err().message;
            assert!(message.contains(expected), "{edit:?} gave {message}");
        }
    }
}
