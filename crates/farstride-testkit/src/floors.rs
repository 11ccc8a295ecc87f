//! Squares that walk on floors and take links, the slow way.
//!
//! A mover is a square of cells. Here it is moved cell by cell: every cell under it is
//! looked at before and after each step, and on a diagonal step the two cells that its corners
//! sweep over. Floors and links are searched as one graph by Dijkstra's algorithm. Uses
//! [`map`](crate::map) only.

use crate::map::{DiagonalCost, Diagonals, Point};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A floor: a class of terrain for each cell, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainFloor {
    /// Cells per row.
    pub width: usize,
    /// The classes.
    pub classes: Vec<u8>,
}

impl PlainFloor {
    /// Number of rows.
    pub fn height(&self) -> usize {
        self.classes.len() / self.width
    }
}

/// A place: the number of its floor, and its cell there.
pub type Spot = (usize, Point);

/// A way between two places that is not a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainLink {
    /// Where it starts.
    pub from: Spot,
    /// Where it leads.
    pub to: Spot,
    /// Its cost in units.
    pub units: u64,
    /// Whether it leads back.
    pub two_way: bool,
}

/// A square that moves.
#[derive(Debug, Clone)]
pub struct PlainMover {
    /// What each class costs; 0 where it cannot go.
    pub costs: [u8; 256],
    /// The side of the square. A mover is where its upper left cell is.
    pub size: usize,
    /// The rule of diagonals.
    pub diagonals: Diagonals,
    /// What diagonals cost.
    pub diagonal_cost: DiagonalCost,
}

impl PlainMover {
    /// What a cell of a floor costs; `None` if it cannot be entered or is not there.
    fn cost(&self, floor: &PlainFloor, x: isize, y: isize) -> Option<u8> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        let class = *floor.classes.get(y * floor.width + x).filter(|_| x < floor.width)?;
        Some(self.costs[usize::from(class)]).filter(|&cost| cost > 0)
    }

    /// The cost of the dearest cell under the square; `None` if it cannot stand there.
    pub fn weight(&self, floor: &PlainFloor, (x, y): Point) -> Option<u8> {
        let mut most = 0;
        for down in 0..self.size {
            for right in 0..self.size {
                most = most.max(self.cost(floor, (x + right) as isize, (y + down) as isize)?);
            }
        }
        Some(most)
    }

    /// What a step costs; `None` if the square cannot make it.
    pub fn step(
        &self,
        floor: &PlainFloor,
        from: Point,
        (right, down): (isize, isize),
    ) -> Option<(Point, u64)> {
        let to = (from.0.checked_add_signed(right)?, from.1.checked_add_signed(down)?);
        let weights = u64::from(self.weight(floor, from)?) + u64::from(self.weight(floor, to)?);
        if right == 0 || down == 0 {
            return Some((to, self.diagonal_cost.straight_units() * weights / 2));
        }
        // The square sweeps over one cell to the side and one above or below that it
        // covers neither before nor after.
        let last = self.size as isize - 1;
        let (x, y) = (from.0 as isize, from.1 as isize);
        let ahead = |step: isize, at: isize| if step > 0 { at + last + 1 } else { at - 1 };
        let behind = |step: isize, at: isize| if step > 0 { at } else { at + last };
        let beside = self.cost(floor, ahead(right, x), behind(down, y)).is_some();
        let above = self.cost(floor, behind(right, x), ahead(down, y)).is_some();
        let may = self.diagonals.allows_passing(beside, above);
        may.then(|| (to, self.diagonal_cost.diagonal_units() * weights / 2))
    }
}

/// The cost of a cheapest way from a place to every other, floor by floor and row by row;
/// `None` where no way leads. Links from or to places where the mover cannot stand do not
/// exist for it.
pub fn costs_through_links(
    floors: &[PlainFloor],
    links: &[PlainLink],
    mover: &PlainMover,
    start: Spot,
) -> Vec<Vec<Option<u64>>> {
    let mut best: Vec<Vec<Option<u64>>> =
        floors.iter().map(|floor| vec![None; floor.classes.len()]).collect();
    let stands = |(floor, cell): Spot| mover.weight(&floors[floor], cell).is_some();
    if !stands(start) {
        return best;
    }
    let place = |(floor, (x, y)): Spot| (floor, y * floors[floor].width + x);
    let mut open = BinaryHeap::new();
    let (floor, index) = place(start);
    best[floor][index] = Some(0);
    open.push(Reverse((0, floor, index)));
    while let Some(Reverse((reached, floor, index))) = open.pop() {
        if best[floor][index] != Some(reached) {
            continue;
        }
        let cell = (index % floors[floor].width, index / floors[floor].width);
        let mut next: Vec<(Spot, u64)> = Vec::new();
        for (right, down) in (-1..=1).flat_map(|right| (-1..=1).map(move |down| (right, down))) {
            if (right, down) != (0, 0)
                && let Some((to, units)) = mover.step(&floors[floor], cell, (right, down))
            {
                next.push(((floor, to), units));
            }
        }
        for link in links {
            for (from, to, leads) in [(link.from, link.to, true), (link.to, link.from, link.two_way)] {
                if leads && from == (floor, cell) && stands(to) {
                    next.push((to, link.units));
                }
            }
        }
        for (to, units) in next {
            let (floor, index) = place(to);
            let entry = &mut best[floor][index];
            if entry.is_none_or(|known| reached + units < known) {
                *entry = Some(reached + units);
                open.push(Reverse((reached + units, floor, index)));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mover(size: usize, diagonals: Diagonals) -> PlainMover {
        let mut costs = [0; 256];
        (costs[usize::from(b'.')], costs[usize::from(b',')]) = (1, 5);
        PlainMover { costs, size, diagonals, diagonal_cost: DiagonalCost::Sqrt2 }
    }

    fn floor(width: usize, text: &str) -> PlainFloor {
        PlainFloor { width, classes: text.bytes().collect() }
    }

    #[test]
    fn a_square_of_two_needs_room_and_cuts_no_corner() {
        let floor = floor(
            4,
            "....\
                              ....\
                              ....\
                              .#..",
        );
        let strict = mover(2, Diagonals::Strict);
        assert_eq!(strict.weight(&floor, (2, 2)), Some(1));
        assert_eq!(strict.weight(&floor, (0, 2)), None);
        assert_eq!(strict.weight(&floor, (3, 0)), None); // half of it is off the map
        assert_eq!(strict.step(&floor, (1, 1), (1, 1)), None); // sweeps over the blocked cell
        assert_eq!(mover(2, Diagonals::Free).step(&floor, (1, 1), (1, 1)), Some(((2, 2), 6726)));
        assert_eq!(strict.step(&floor, (0, 0), (1, 1)), Some(((1, 1), 6726)));
    }

    #[test]
    fn the_dearest_cell_counts_and_links_join_floors() {
        let floors = [floor(3, "..,..,"), floor(1, ".")];
        let one = mover(1, Diagonals::Strict);
        let link = PlainLink { from: (0, (0, 0)), to: (1, (0, 0)), units: 7, two_way: false };
        let best = costs_through_links(&floors, &[link], &one, (0, (1, 0)));
        assert_eq!(best[0][2], Some(4756 * 3)); // the mean of 1 and 5
        assert_eq!(best[1][0], Some(4756 + 7));
        assert_eq!(mover(2, Diagonals::Strict).weight(&floors[0], (1, 0)), Some(5));
        assert_eq!(costs_through_links(&floors, &[link], &one, (1, (0, 0)))[0][0], None);
    }
}
