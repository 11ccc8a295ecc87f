//! Edits of rectangles.

use crate::{Failure, cell};
use farstride::error::EditError;
use farstride::{Grid, Planner, Rect, Zone};

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
    Ok(Change { area: area(grid, [x, y, width, height])?, weight })
}

/// Checks a rectangle of the map: column, row, width and height.
///
/// # Errors
/// [`Failure`] if it is empty or not on the map.
pub fn area(grid: &Grid, rectangle: [i64; 4]) -> Result<Rect, Failure> {
    let [left, top, right, bottom] = ends(rectangle)?;
    Ok(Rect::spanning(cell(grid, left, top)?, cell(grid, right, bottom)?))
}

/// Checks a zone: a rectangle, of which only the part on the map counts; `None` if it has none.
///
/// # Errors
/// [`Failure`] if it is empty.
pub fn zone(grid: &Grid, rectangle: [i64; 4]) -> Result<Option<Zone>, Failure> {
    let [left, top, right, bottom] = ends(rectangle)?;
    let (last_x, last_y) = (grid.width() as i64 - 1, grid.height() as i64 - 1);
    if right < 0 || bottom < 0 || left > last_x || top > last_y {
        return Ok(None);
    }
    let first = cell(grid, left.max(0), top.max(0))?;
    let last = cell(grid, right.min(last_x), bottom.min(last_y))?;
    Ok(Some(Zone::forbidden(Rect::spanning(first, last))))
}

/// The first and the last column and row of a rectangle.
fn ends([x, y, width, height]: [i64; 4]) -> Result<[i64; 4], Failure> {
    if width < 1 || height < 1 {
        return Err(Failure::query(format!("a rectangle of {width} x {height} cells has none")));
    }
    Ok([x, y, x.saturating_add(width - 1), y.saturating_add(height - 1)])
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
    fn zones_may_stick_out() {
        let grid = Grid::empty(6, 4).unwrap();
        let spanning =
            |first, last| Some(Zone::forbidden(Rect::spanning(Cell::from(first), Cell::from(last))));
        for (rectangle, expected) in [
            ([1, 1, 2, 2], spanning((1, 1), (2, 2))),
            ([-3, -1, 5, 9], spanning((0, 0), (1, 3))),
            ([4, 2, i64::MAX, i64::MAX], spanning((4, 2), (5, 3))),
            ([6, 0, 1, 1], None),
            ([-2, 0, 2, 1], None),
        ] {
            assert_eq!(zone(&grid, rectangle), Ok(expected), "{rectangle:?}");
        }
        assert!(zone(&grid, [0, 0, 0, 1]).unwrap_err().message.contains("has none"));
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
