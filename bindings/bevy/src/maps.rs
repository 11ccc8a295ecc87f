//! Maps from what a Bevy game has: vectors, functions, pixels of images.

use crate::message::Edit;
use bevy_math::{IVec2, UVec2};
use farstride::atlas::{Floor, FloorError};
use farstride::{Cell, Rect};

/// A floor whose classes a function tells.
///
/// # Errors
/// [`FloorError`] if the size is not supported.
///
/// # Example
/// ```
/// use bevy_farstride::maps;
/// use bevy_math::UVec2;
///
/// let wall = |at: UVec2| if at.x == 5 && at.y != 2 { b'#' } else { b'.' };
/// let floor = maps::from_fn(UVec2::new(10, 8), wall)?;
/// assert_eq!(floor.class((5, 3).into()), Some(b'#'));
/// # Ok::<(), farstride::atlas::FloorError>(())
/// ```
pub fn from_fn(size: UVec2, class: impl Fn(UVec2) -> u8) -> Result<Floor, FloorError> {
    // Refuses sizes before anything of that size is made.
    let (width, height) = (size.x as usize, size.y as usize);
    farstride::Grid::check_size(width, height).map_err(FloorError::Size)?;
    let cells = (0..size.y).flat_map(|y| (0..size.x).map(move |x| UVec2::new(x, y)));
    Floor::new(width, height, cells.map(class).collect::<Vec<u8>>())
}

/// A floor from the pixels of an image: one cell for each, four bytes a pixel (red, green, blue, alpha),
/// row by row, as in the data of an `Image` of the format `Rgba8UnormSrgb`.
///
/// # Errors
/// [`FloorError`] if the size is not supported or there are more or fewer pixels.
pub fn from_rgba(size: UVec2, pixels: &[u8], class: impl Fn([u8; 4]) -> u8) -> Result<Floor, FloorError> {
    let classes: Vec<u8> = pixels.as_chunks().0.iter().map(|&pixel| class(pixel)).collect();
    Floor::new(size.x as usize, size.y as usize, classes)
}

/// The cell of a vector; `None` if it is negative or too large for any map.
pub fn cell(at: IVec2) -> Option<Cell> {
    Some(Cell::new(u16::try_from(at.x).ok()?, u16::try_from(at.y).ok()?))
}

/// The rectangle between two vectors, both included; `None` if a corner is no cell.
pub fn area(a: IVec2, b: IVec2) -> Option<Rect> {
    Some(Rect::spanning(cell(a)?, cell(b)?))
}

/// The edits that make a floor the same as another of its size: for maps that are loaded again while
/// the game runs. Cells beyond the smaller of the two stay as they are.
pub fn edits_between<'a>(before: &'a Floor, after: &'a Floor) -> impl Iterator<Item = Edit> + 'a {
    let width = before.width().min(after.width()) as u16;
    let height = before.height().min(after.height()) as u16;
    let change = |cell: Cell| after.class(cell).filter(|class| before.class(cell) != Some(*class));
    (0..height).flat_map(move |y| {
        let mut next = 0;
        std::iter::from_fn(move || {
            let first = (next..width).find(|&x| change(Cell::new(x, y)).is_some())?;
            let class = change(Cell::new(first, y))?;
            let end = (first..width).find(|&x| change(Cell::new(x, y)) != Some(class)).unwrap_or(width);
            next = end;
            Some(Edit::fill(Rect::spanning(Cell::new(first, y), Cell::new(end - 1, y)), class))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Change;
    use farstride::atlas::{FloorId, TileMap};

    #[test]
    fn edits_make_one_floor_the_other() {
        let draw = |seed: u32| {
            from_fn(UVec2::new(17, 9), move |at| (at.x / 3 * 7 + at.y * seed + at.x % seed) as u8 % 3)
                .unwrap()
        };
        let (before, after) = (draw(2), draw(5));
        let mut tiles = TileMap::new();
        tiles.add_floor(before.clone()).unwrap();
        let edits: Vec<Edit> = edits_between(&before, &after).collect();
        for edit in &edits {
            let Change::Fill { floor, area, class } = edit.change else { panic!("only fills are needed") };
            tiles.fill(floor, area, class).unwrap();
        }
        assert!(!edits.is_empty() && edits.len() < 17 * 9);
        assert_eq!(tiles.floor(FloorId::new(0)), Some(&after));
        assert_eq!(edits_between(&after, &after).count(), 0);
    }

    #[test]
    fn pixels_become_classes() {
        let pixels = [0, 0, 0, 255, 255, 255, 255, 255];
        let floor = from_rgba(UVec2::new(2, 1), &pixels, |[red, ..]| u8::from(red > 100)).unwrap();
        assert_eq!([0, 1].map(|x| floor.class(Cell::new(x, 0))), [Some(0), Some(1)]);
        assert!(from_rgba(UVec2::new(2, 2), &pixels, |_| 0).is_err());
        assert!(from_fn(UVec2::new(u32::MAX, 1), |_| 0).is_err());
    }

    #[test]
    fn vectors_off_any_map_are_no_cells() {
        assert_eq!(cell(IVec2::new(-1, 4)), None);
        assert_eq!(cell(IVec2::new(4, 70_000)), None);
        assert_eq!(area(IVec2::new(5, 1), IVec2::new(2, 3)).map(Rect::cell_count), Some(12));
    }
}
