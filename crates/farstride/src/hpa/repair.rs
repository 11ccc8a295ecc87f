//! Repairing the ways through a 1-cluster after an edit of its cells.
//!
//! A field of ways says for each cell of a cluster which step leads to a node. After an
//! edit of few cells, most of a field stays as it is. So instead of searching anew, this
//! finds the cells whose ways used a step that may have changed, and searches only for
//! those, and for cells that the edit brings closer to the node.
//!
//! That gives what a search of the whole cluster gives, because ways follow from
//! distances alone: of several steps on shortest ways, the first in the order of
//! directions is taken ([`Tile::way`]). Distances of other cells are those of before.
//! They are not stored but found by following the ways, where they are needed.

use super::tables::{UNREACHABLE, step_in, write_step};
use super::tile::Tile;
use crate::base::{Direction, Rect};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is known of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Nothing yet.
    Unknown,
    /// Its distance before the edit, and that it has not changed so far.
    Same,
    /// It is closer to the node than before.
    Closer,
    /// Its way used a step that may have changed, or leads over such a cell.
    Lost,
}

/// Repairs fields of ways; holds memory that is reused.
#[derive(Debug, Default)]
pub(super) struct Repair {
    /// Whether each cell of the cluster was edited.
    edited: Vec<bool>,
    /// Edited cells and their neighbours: all steps that may have changed lie between these.
    near: Vec<u32>,
    is_near: Vec<bool>,
    width: u32,
    states: Vec<State>,
    /// Distances to the node now; known for all states but [`State::Unknown`].
    distances: Vec<u64>,
    /// Distances before the edit; known for [`State::Same`] and [`State::Closer`].
    before: Vec<u64>,
    /// Cells that are [`State::Lost`] or [`State::Closer`].
    changed: Vec<u32>,
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// Cells of a way that is followed, and the costs of their steps.
    way: Vec<(u32, u64)>,
}

/// A field of ways that does not lead to its node: a forged record.
pub(super) struct Circular;

impl Repair {
    /// Prepares for the fields of a cluster of which these areas were edited.
    pub(super) fn begin(&mut self, area: Rect, edits: &[Rect]) {
        let count = area.cell_count();
        self.width = area.width();
        for (marks, margin) in [(&mut self.edited, 0), (&mut self.is_near, 1)] {
            marks.clear();
            marks.resize(count, false);
            for edit in edits {
                // Clipped to the cluster; without cells if they do not meet.
                let part = edit.grown(margin, area);
                part.cells().for_each(|cell| marks[area.offset(cell)] = true);
            }
        }
        self.near.clear();
        let marks = self.is_near.iter().enumerate();
        self.near.extend(marks.filter(|&(_, &is_near)| is_near).map(|(cell, _)| cell as u32));
    }

    /// Whether a cell of the cluster was edited.
    pub(super) fn is_edited(&self, cell: usize) -> bool {
        self.edited[cell]
    }

    /// Repairs the ways to a node whose own cell was not edited.
    pub(super) fn repair(&mut self, tile: &Tile, node: usize, field: &mut [u8]) -> Result<(), Circular> {
        let count = self.edited.len();
        self.states.clear();
        self.states.resize(count, State::Unknown);
        self.distances.resize(count, UNREACHABLE);
        self.before.resize(count, UNREACHABLE);
        self.changed.clear();
        self.open.clear();
        self.states[node] = State::Same;
        (self.distances[node], self.before[node]) = (0, 0);
        self.lose(node, field);
        self.offer_old_distances(tile, field)?;
        self.search(tile, field)?;
        self.write(tile, node, field)
    }

    /// The distance of a cell to the node of the field repaired last.
    pub(super) fn distance(&mut self, tile: &Tile, field: &[u8], cell: usize) -> Result<u64, Circular> {
        if self.states[cell] == State::Unknown {
            self.follow(tile, field, cell)?;
        }
        Ok(self.distances[cell])
    }

    /// Finds the distance of a cell before the edit. None of the steps of its way have
    /// changed, otherwise it would be lost.
    fn follow(&mut self, tile: &Tile, field: &[u8], cell: usize) -> Result<(), Circular> {
        self.way.clear();
        let mut at = cell;
        while self.states[at] == State::Unknown {
            let Some((head, cost)) = tile.step(at, step_in(field, at)) else {
                self.set_same(at, UNREACHABLE);
                break;
            };
            if self.way.len() == self.states.len() {
                return Err(Circular);
            }
            self.way.push((at as u32, cost));
            at = head;
        }
        let mut distance = self.before[at];
        while let Some((cell, cost)) = self.way.pop() {
            distance = distance.saturating_add(cost);
            self.set_same(cell as usize, distance);
        }
        Ok(())
    }

    fn set_same(&mut self, cell: usize, distance: u64) {
        self.states[cell] = State::Same;
        self.distances[cell] = distance;
        self.before[cell] = distance;
    }

    /// Marks the cells whose ways use a step that may have changed.
    fn lose(&mut self, node: usize, field: &[u8]) {
        for at in 0..self.near.len() {
            let cell = self.near[at];
            if cell as usize != node && self.may_have_changed(cell, step_in(field, cell as usize)) {
                self.lose_cell(cell);
            }
        }
        let mut next = 0;
        while next < self.changed.len() {
            let head = self.changed[next];
            next += 1;
            for direction in Direction::ALL {
                if let Some(cell) = self.neighbour(head, direction.opposite())
                    && self.states[cell as usize] != State::Lost
                    && cell as usize != node
                    && step_in(field, cell as usize) == direction as u8
                {
                    self.lose_cell(cell);
                }
            }
        }
    }

    fn lose_cell(&mut self, cell: u32) {
        if self.states[cell as usize] != State::Lost {
            self.states[cell as usize] = State::Lost;
            self.distances[cell as usize] = UNREACHABLE;
            self.changed.push(cell);
        }
    }

    /// The cell beside another, inside the cluster.
    fn neighbour(&self, cell: u32, direction: Direction) -> Option<u32> {
        let (dx, dy) = direction.delta();
        let x = (cell % self.width).wrapping_add_signed(dx.into());
        let y = (cell / self.width).wrapping_add_signed(dy.into());
        let cell = y.wrapping_mul(self.width).wrapping_add(x);
        let is_inside = x < self.width && y < u32::MAX / self.width && (cell as usize) < self.edited.len();
        is_inside.then_some(cell)
    }

    /// Whether the edit may have changed a step: the weight of an end, or whether one may
    /// take it. No step is none that changed.
    fn may_have_changed(&self, cell: u32, step: u8) -> bool {
        let Some(&direction) = Direction::ALL.get(usize::from(step)) else { return false };
        let (dx, dy) = direction.delta();
        let is_edited = |dx: i16, dy: i16| {
            let x = (cell % self.width).wrapping_add_signed(dx.into());
            let y = (cell / self.width).wrapping_add_signed(dy.into());
            x < self.width
                && self.edited.get((y.wrapping_mul(self.width).wrapping_add(x)) as usize) == Some(&true)
        };
        is_edited(0, 0)
            || is_edited(dx, dy)
            || direction.is_diagonal() && (is_edited(dx, 0) || is_edited(0, dy))
    }

    /// Opens lost cells at what they cost over cells that are not lost, and the cells whose
    /// steps may have changed.
    fn offer_old_distances(&mut self, tile: &Tile, field: &[u8]) -> Result<(), Circular> {
        for at in 0..self.changed.len() {
            let cell = self.changed[at] as usize;
            let mut least = UNREACHABLE;
            for (head, _, cost) in tile.steps(cell) {
                if self.states[head] != State::Lost {
                    least = least.min(self.distance(tile, field, head)?.saturating_add(cost));
                }
            }
            self.distances[cell] = least;
            self.push(cell);
        }
        for at in 0..self.near.len() {
            let cell = self.near[at] as usize;
            if self.states[cell] != State::Lost {
                self.distance(tile, field, cell)?;
                self.push(cell);
            }
        }
        Ok(())
    }

    fn push(&mut self, cell: usize) {
        if self.distances[cell] != UNREACHABLE {
            self.open.push(Reverse((self.distances[cell], cell as u32)));
        }
    }

    /// Searches on from all open cells.
    fn search(&mut self, tile: &Tile, field: &[u8]) -> Result<(), Circular> {
        while let Some(Reverse((distance, cell))) = self.open.pop() {
            if distance > self.distances[cell as usize] {
                continue; // opened again at less
            }
            for (head, _, cost) in tile.steps(cell as usize) {
                let through = distance + cost;
                if through < self.distance(tile, field, head)? {
                    if self.states[head] == State::Same {
                        self.states[head] = State::Closer;
                        self.changed.push(head as u32);
                    }
                    self.distances[head] = through;
                    self.open.push(Reverse((through, head as u32)));
                }
            }
        }
        Ok(())
    }

    /// Writes the steps that follow from the distances.
    fn write(&mut self, tile: &Tile, node: usize, field: &mut [u8]) -> Result<(), Circular> {
        for at in 0..self.changed.len() + self.near.len() {
            let cell = self.changed.get(at).unwrap_or_else(|| &self.near[at - self.changed.len()]);
            let cell = *cell as usize;
            if cell != node {
                for (head, ..) in tile.steps(cell) {
                    self.distance(tile, field, head)?;
                }
                write_step(field, cell, tile.way(cell, &self.distances));
            }
        }
        // Beside a cell that changed, another step may now be as good as that of before.
        for at in 0..self.changed.len() {
            let cell = self.changed[at] as usize;
            for (tail, direction, cost) in tile.steps(cell) {
                if self.states[tail] != State::Same || self.is_near[tail] || tail == node {
                    continue;
                }
                let back = direction.opposite() as u8;
                if self.distances[tail] == self.distances[cell].saturating_add(cost)
                    && back < step_in(field, tail)
                {
                    write_step(field, tail, back);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Cell;
    use crate::grid::Grid;
    use crate::hpa::tables::Ways;

    /// A field in which the first two cells point at each other.
    fn circular() -> Vec<u8> {
        let mut field = Vec::new();
        let steps = [Direction::East as u8, Direction::West as u8, Direction::West as u8, Ways::NONE];
        Ways::add_field(&mut field, steps.into_iter());
        field
    }

    #[test]
    fn a_forged_way_round_in_circles_is_noticed() {
        let grid = Grid::from_ascii("1231").unwrap();
        let mut tile = Tile::default();
        tile.copy(&grid, grid.area());
        let mut repair = Repair::default();
        repair.begin(grid.area(), &[Cell::new(2, 0).into()]);
        assert!(repair.repair(&tile, 3, &mut circular()).is_err());
    }

    #[test]
    fn cells_that_lost_their_way_find_another() {
        let mut grid = Grid::from_ascii("\n.3...\n.###.\n.....\n").unwrap();
        let area = grid.area();
        let (mut tile, mut repair) = (Tile::default(), Repair::default());
        // From nothing: all cells are edited but the node.
        tile.copy(&grid, area);
        let mut field = Vec::new();
        Ways::add_field(&mut field, area.cells().map(|_| Ways::NONE));
        repair.begin(area, &[Rect::spanning(Cell::new(0, 0), Cell::new(4, 1))]);
        assert!(repair.repair(&tile, 10, &mut field).is_ok());
        assert_eq!(step_in(&field, 0), Direction::South as u8);
        assert_eq!(step_in(&field, 4), Direction::South as u8, "over the lower row");
        let edit = Cell::new(2, 2);
        grid.block(edit).unwrap();
        tile.copy(&grid, area);
        repair.begin(area, &[edit.into()]);
        assert!(repair.repair(&tile, 10, &mut field).is_ok());
        assert_eq!(step_in(&field, 12), Ways::NONE);
        assert_eq!(step_in(&field, 4), Direction::West as u8, "over the upper row");
        assert_eq!(step_in(&field, 14), Direction::North as u8);
    }
}
