//! Cells from and to points and vectors of `mint`.

use super::vector::{CellOutOfRange, cell};
use crate::base::Cell;
use ::mint::{Point2, Vector2};

macro_rules! conversions {
    ($($form:ident),+) => {$(
        impl TryFrom<$form<i32>> for Cell {
            type Error = CellOutOfRange;

            /// Fails if a coordinate is negative or above 65535.
            fn try_from(place: $form<i32>) -> Result<Self, CellOutOfRange> {
                cell(place.x, place.y)
            }
        }

        impl From<$form<u16>> for Cell {
            fn from(place: $form<u16>) -> Self {
                Self { x: place.x, y: place.y }
            }
        }

        conversions!(@from_cell $form<i32>, $form<u16>, $form<f32>);
    )+};
    (@from_cell $($place:ty),+) => {$(
        impl From<Cell> for $place {
            fn from(cell: Cell) -> Self {
                Self { x: cell.x.into(), y: cell.y.into() }
            }
        }
    )+};
}

conversions!(Point2, Vector2);
