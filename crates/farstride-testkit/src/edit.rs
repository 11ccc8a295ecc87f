//! Changes to a map: rectangles that become free, blocked or of another weight.
//!
//! An engine that repairs its index after an edit must answer as one built on
//! the edited map. This module is the plain half of that comparison: it says
//! what the edited map is. Uses [`map`](crate::map) only.

use crate::map::{PlainMap, Point};

/// What happens to each cell of an edited rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// The cell becomes free and keeps its weight.
    Free,
    /// The cell becomes blocked and keeps its weight.
    Blocked,
    /// The cell gets this weight, 1 or more, and stays free or blocked.
    Weight(u8),
}

/// One change to all cells of a rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Edit {
    /// Top left cell of the rectangle.
    pub corner: Point,
    /// Columns of the rectangle.
    pub width: usize,
    /// Rows of the rectangle.
    pub height: usize,
    /// What happens to its cells.
    pub change: Change,
}

impl Edit {
    /// The cells of the rectangle, row by row, whether or not on any map.
    pub fn cells(&self) -> impl Iterator<Item = Point> + use<> {
        let Self { corner: (left, top), width, height, .. } = *self;
        (top..top + height).flat_map(move |y| (left..left + width).map(move |x| (x, y)))
    }
}

impl PlainMap {
    /// Applies an edit; cells outside the map are ignored. The first change of
    /// a weight gives a map without weights a weight of 1 everywhere else.
    pub fn apply(&mut self, edit: &Edit) {
        for cell in edit.cells().filter(|&cell| self.contains(cell)).collect::<Vec<_>>() {
            self.apply_to_cell(cell, edit.change);
        }
    }

    fn apply_to_cell(&mut self, cell: Point, change: Change) {
        let index = self.index(cell);
        match change {
            Change::Free => self.free[index] = true,
            Change::Blocked => self.free[index] = false,
            Change::Weight(weight) => {
                let weights = self.weights.get_or_insert_with(|| vec![1; self.free.len()]);
                weights[index] = weight;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, corner: Point, (width, height): (usize, usize), change: Change) -> String {
        let mut map = PlainMap::from_ascii(text);
        map.apply(&Edit { corner, width, height, change });
        map.to_ascii()
    }

    #[test]
    fn rectangles_are_blocked_and_freed() {
        assert_eq!(edited("...\n...\n...", (1, 0), (2, 2), Change::Blocked), ".##\n.##\n...\n");
        assert_eq!(edited("###\n###", (0, 1), (2, 1), Change::Free), "###\n..#\n");
    }

    #[test]
    fn weights_appear_with_the_first_change_of_one() {
        assert_eq!(edited("..\n.#", (1, 0), (1, 2), Change::Weight(7)), "17\n1#\n");
        assert_eq!(edited("5#", (0, 0), (1, 1), Change::Blocked), "##\n");
    }

    #[test]
    fn cells_outside_are_ignored() {
        assert_eq!(edited("..\n..", (1, 1), (5, 5), Change::Blocked), "..\n.#\n");
        assert_eq!(edited("..", (0, 0), (0, 1), Change::Blocked), "..\n");
    }
}
