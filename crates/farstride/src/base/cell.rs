//! Cells and the eight directions between them.

use std::cmp::Ordering;
use std::fmt;

/// A cell of a grid: column `x` and row `y`, counted from the top left corner.
///
/// Ordered in reading order: by row, then by column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Cell {
    /// Column, 0 at the left.
    pub x: u16,
    /// Row, 0 at the top.
    pub y: u16,
}

impl Cell {
    /// The cell in column `x` and row `y`.
    pub const fn new(x: u16, y: u16) -> Self {
        Self { x, y }
    }

    /// The cell one step away in `direction`.
    ///
    /// Steps off the map are not checked and wrap around at column or row 0;
    /// callers step only in directions that the grid reports as legal.
    #[must_use]
    pub const fn step(self, direction: Direction) -> Self {
        let (dx, dy) = direction.delta();
        Self { x: self.x.wrapping_add_signed(dx), y: self.y.wrapping_add_signed(dy) }
    }

    /// The cell `steps` steps away, or `None` if a coordinate would leave `u16`.
    #[must_use]
    pub(crate) fn walk(self, direction: Direction, steps: u32) -> Option<Self> {
        let (dx, dy) = direction.delta();
        let along = |from: u16, step: i16| {
            let to = i64::from(from) + i64::from(step) * i64::from(steps);
            u16::try_from(to).ok()
        };
        Some(Self { x: along(self.x, dx)?, y: along(self.y, dy)? })
    }

    /// The cell `steps` steps away. The result must lie on the map: unlike
    /// [`Cell::walk`] this does not check, which keeps the loops over runs free
    /// of branches.
    #[inline]
    #[must_use]
    pub(crate) const fn walk_within(self, direction: Direction, steps: u32) -> Self {
        let (dx, dy) = direction.delta();
        let steps = steps as u16;
        Self {
            x: self.x.wrapping_add((dx as u16).wrapping_mul(steps)),
            y: self.y.wrapping_add((dy as u16).wrapping_mul(steps)),
        }
    }

    /// The cell with column and row swapped.
    #[inline]
    #[must_use]
    pub(crate) const fn transposed(self) -> Self {
        Self { x: self.y, y: self.x }
    }

    /// The direction of the step to `next`, or `None` if `next` is not adjacent.
    pub fn direction_to(self, next: Self) -> Option<Direction> {
        match (i32::from(next.x) - i32::from(self.x), i32::from(next.y) - i32::from(self.y)) {
            (0, -1) => Some(Direction::North),
            (1, 0) => Some(Direction::East),
            (0, 1) => Some(Direction::South),
            (-1, 0) => Some(Direction::West),
            (1, -1) => Some(Direction::NorthEast),
            (1, 1) => Some(Direction::SouthEast),
            (-1, 1) => Some(Direction::SouthWest),
            (-1, -1) => Some(Direction::NorthWest),
            _ => None,
        }
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.y, self.x).cmp(&(other.y, other.x))
    }
}

impl From<(u16, u16)> for Cell {
    fn from((x, y): (u16, u16)) -> Self {
        Self { x, y }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// One of the eight step directions. `y` grows downwards, so south is down.
///
/// Searches visit neighbours in this order, and the last one pushed wins a
/// tie, so reordering the variants changes which of several shortest paths is
/// returned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[repr(u8)]
pub enum Direction {
    /// Up.
    North,
    /// Right.
    East,
    /// Down.
    South,
    /// Left.
    West,
    /// Up and right.
    NorthEast,
    /// Down and right.
    SouthEast,
    /// Down and left.
    SouthWest,
    /// Up and left.
    NorthWest,
}

impl Direction {
    /// All directions, straight ones first.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::East,
        Self::South,
        Self::West,
        Self::NorthEast,
        Self::SouthEast,
        Self::SouthWest,
        Self::NorthWest,
    ];

    /// What one step adds to a packed cell, modulo 2³².
    #[inline]
    pub(crate) const fn packed_step(self) -> u32 {
        let (dx, dy) = self.delta();
        (dy as u32).wrapping_mul(1 << 16).wrapping_add(dx as u32)
    }

    /// The reverse direction.
    pub(crate) const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
            Self::NorthEast => Self::SouthWest,
            Self::SouthEast => Self::NorthWest,
            Self::SouthWest => Self::NorthEast,
            Self::NorthWest => Self::SouthEast,
        }
    }

    /// Change of column and row in one step.
    pub const fn delta(self) -> (i16, i16) {
        match self {
            Self::North => (0, -1),
            Self::East => (1, 0),
            Self::South => (0, 1),
            Self::West => (-1, 0),
            Self::NorthEast => (1, -1),
            Self::SouthEast => (1, 1),
            Self::SouthWest => (-1, 1),
            Self::NorthWest => (-1, -1),
        }
    }

    /// Whether both column and row change.
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= Self::NorthEast as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stepping_and_naming_the_step_agree() {
        let centre = Cell::new(5, 7);
        for direction in Direction::ALL {
            assert_eq!(centre.direction_to(centre.step(direction)), Some(direction));
        }
        assert_eq!(centre.direction_to(centre), None);
        assert_eq!(centre.direction_to(Cell::new(7, 7)), None);
    }

    #[test]
    fn cells_sort_in_reading_order() {
        assert!(Cell::new(9, 0) < Cell::new(0, 1));
        assert!(Cell::new(1, 1) > Cell::new(0, 1));
    }
}
