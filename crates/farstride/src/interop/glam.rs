//! Cells from and to vectors of `glam`.

use super::vector::{CellOutOfRange, cell};
use crate::base::Cell;
use ::glam::{I64Vec2, IVec2, U16Vec2, UVec2, Vec2};

macro_rules! signed_or_wide {
    ($($vector:ty),+) => {$(
        impl TryFrom<$vector> for Cell {
            type Error = CellOutOfRange;

            /// Fails if a coordinate is negative or above 65535.
            fn try_from(vector: $vector) -> Result<Self, CellOutOfRange> {
                cell(vector.x, vector.y)
            }
        }
    )+};
}

macro_rules! from_cell {
    ($($vector:ty),+) => {$(
        impl From<Cell> for $vector {
            fn from(cell: Cell) -> Self {
                Self::new(cell.x.into(), cell.y.into())
            }
        }
    )+};
}

signed_or_wide!(IVec2, UVec2, I64Vec2);
from_cell!(IVec2, UVec2, I64Vec2, U16Vec2, Vec2);

impl From<U16Vec2> for Cell {
    fn from(vector: U16Vec2) -> Self {
        Self { x: vector.x, y: vector.y }
    }
}
