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
//!
//! Where cells were only blocked, no way gets shorter, and no cell gets another choice of
//! shortest ways unless its own is lost: then only lost cells are looked at.

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
    /// Edited cells and their neighbours: all steps that may have changed lie between these. With
    /// each, a bit for each direction in which its step may have changed.
    near: Vec<(u32, u8)>,
    is_near: Vec<bool>,
    width: u32,
    /// Whether the edit may make ways shorter.
    shortens: bool,
    states: Vec<State>,
    /// Distances to the node now; known for all states but [`State::Unknown`].
    distances: Vec<u64>,
    /// Distances before the edit; known for [`State::Same`] and [`State::Closer`].
    before: Vec<u64>,
    /// Cells that are [`State::Lost`] or [`State::Closer`].
    changed: Vec<u32>,
    open: BinaryHeap<Reverse<Entry>>,
    /// Cells of a way that is followed, and the costs of their steps.
    way: Vec<(u32, u64)>,
}

/// An open cell below its distance, in one number: comparing two is half of what a heap does.
type Entry = u64;

/// Bits of an entry that hold the cell: clusters have at most 256 × 256 cells. Distances fit above
/// it: of a step's cost [`Tile`] keeps 29 bits, and a way has fewer steps than there are cells.
const CELL_BITS: u32 = 16;

impl Repair {
    /// Prepares for the fields of a cluster of which these areas were edited; `tile` holds its
    /// cells.
    pub(super) fn begin(&mut self, tile: &Tile, area: Rect, edits: &[Rect]) {
        let count = area.cell_count();
        debug_assert!(count <= 1 << CELL_BITS);
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
        let mut near = std::mem::take(&mut self.near);
        near.clear();
        for cell in (0..count).filter(|&cell| self.is_near[cell]) {
            let changed = |&step: &Direction| self.may_have_changed(cell as u32, step);
            let steps =
                Direction::ALL.into_iter().filter(changed).fold(0, |bits, step| bits | 1 << step as u8);
            near.push((cell as u32, steps));
        }
        self.near = near;
        self.shortens = (0..count).any(|cell| self.edited[cell] && tile.steps(cell).next().is_some());
    }

    /// Whether a cell of the cluster was edited.
    pub(super) fn is_edited(&self, cell: usize) -> bool {
        self.edited[cell]
    }

    /// Repairs the ways to a node whose own cell was not edited. They must be those that this program found before the edit:
    /// each leads to the node, by steps that were legal then.
    pub(super) fn repair(&mut self, tile: &Tile, node: usize, field: &mut [u8]) {
        let count = self.edited.len();
        self.states.clear();
        self.states.resize(count, State::Unknown);
        self.distances.resize(count, UNREACHABLE);
        self.before.resize(count, UNREACHABLE);
        self.changed.clear();
        self.open.clear();
        self.states[node] = State::Same;
        (self.distances[node], self.before[node]) = (0, 0);
        self.lose(tile, node, field);
        if self.changed.is_empty() && !self.shortens {
            return;
        }
        self.offer_old_distances(tile, field);
        self.search(tile, field);
        self.write(tile, node, field);
    }

    /// Whether the distance of a cell to the node of the field repaired last was not looked at: it
    /// is that of before.
    pub(super) fn is_untouched(&self, cell: usize) -> bool {
        self.states[cell] == State::Unknown
    }

    /// The distance of a cell to the node of the field repaired last.
    #[inline]
    pub(super) fn distance(&mut self, tile: &Tile, field: &[u8], cell: usize) -> u64 {
        if self.states[cell] == State::Unknown {
            self.follow(tile, field, cell);
        }
        self.distances[cell]
    }

    /// Finds the distance of a cell before the edit. None of the steps of its way have
    /// changed, otherwise it would be lost.
    fn follow(&mut self, tile: &Tile, field: &[u8], cell: usize) {
        self.way.clear();
        let mut at = cell;
        while self.states[at] == State::Unknown {
            let Some((head, cost)) = tile.step(at, step_in(field, at)) else {
                self.set_same(at, UNREACHABLE);
                break;
            };
            self.way.push((at as u32, cost));
            at = head;
        }
        debug_assert_ne!(self.states[at], State::Lost, "legal steps onto a lost cell are lost with it");
        let mut distance = self.before[at];
        while let Some((cell, cost)) = self.way.pop() {
            distance = distance.saturating_add(cost);
            self.set_same(cell as usize, distance);
        }
    }

    fn set_same(&mut self, cell: usize, distance: u64) {
        self.states[cell] = State::Same;
        self.distances[cell] = distance;
        self.before[cell] = distance;
    }

    /// Marks the cells whose ways use a step that may have changed.
    fn lose(&mut self, tile: &Tile, node: usize, field: &[u8]) {
        for at in 0..self.near.len() {
            let (cell, steps) = self.near[at];
            // There is no bit for no step.
            let step = step_in(field, cell as usize);
            if cell as usize != node && u16::from(steps) >> step & 1 != 0 {
                self.lose_cell(cell as usize);
            }
        }
        // Other steps are those of before. Legal ones lead both ways: the cells that step onto a lost
        // one are among those that it has steps to.
        let mut next = 0;
        while next < self.changed.len() {
            let head = self.changed[next] as usize;
            next += 1;
            for (cell, direction, _) in tile.steps(head) {
                if step_in(field, cell) == direction.opposite() as u8 && cell != node {
                    self.lose_cell(cell);
                }
            }
        }
    }

    fn lose_cell(&mut self, cell: usize) {
        if self.states[cell] != State::Lost {
            self.states[cell] = State::Lost;
            self.distances[cell] = UNREACHABLE;
            self.changed.push(cell as u32);
        }
    }

    /// Whether the edit may have changed a step: the weight of an end, or whether one may
    /// take it.
    fn may_have_changed(&self, cell: u32, direction: Direction) -> bool {
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

    /// Opens lost cells at what they cost over cells that are not lost, and cells that a step
    /// which may have changed brings closer.
    fn offer_old_distances(&mut self, tile: &Tile, field: &[u8]) {
        for at in 0..self.changed.len() {
            let cell = self.changed[at] as usize;
            let mut least = UNREACHABLE;
            for (head, _, cost) in tile.steps(cell) {
                if self.states[head] != State::Lost {
                    least = least.min(self.distance(tile, field, head).saturating_add(cost));
                }
            }
            if least != UNREACHABLE {
                self.open(cell, least);
            }
        }
        for at in 0..if self.shortens { self.near.len() } else { 0 } {
            let (cell, steps) = self.near[at];
            let cell = cell as usize;
            if self.states[cell] == State::Lost {
                continue; // opened above
            }
            let distance = self.distance(tile, field, cell);
            if distance != UNREACHABLE {
                for (head, _, cost) in changed_steps(tile, cell, steps) {
                    self.offer(tile, field, head, distance + cost);
                }
            }
        }
    }

    /// Opens a cell if this distance is less than what is known.
    #[inline]
    fn offer(&mut self, tile: &Tile, field: &[u8], cell: usize, distance: u64) {
        if distance < self.distance(tile, field, cell) {
            if self.states[cell] == State::Same {
                self.states[cell] = State::Closer;
                self.changed.push(cell as u32);
            }
            self.open(cell, distance);
        }
    }

    #[inline]
    fn open(&mut self, cell: usize, distance: u64) {
        self.distances[cell] = distance;
        self.open.push(Reverse(distance << CELL_BITS | cell as u64));
    }

    /// Searches on from all open cells.
    fn search(&mut self, tile: &Tile, field: &[u8]) {
        while let Some(Reverse(entry)) = self.open.pop() {
            let (distance, cell) = (entry >> CELL_BITS, entry as usize & ((1 << CELL_BITS) - 1));
            if distance > self.distances[cell] {
                continue; // opened again at less
            }
            for (head, _, cost) in tile.steps(cell) {
                self.offer(tile, field, head, distance + cost);
            }
        }
    }

    /// Writes the steps that follow from the distances. The search has looked at all cells around
    /// changed ones.
    fn write(&mut self, tile: &Tile, node: usize, field: &mut [u8]) {
        for &cell in self.changed.iter().filter(|&&cell| cell as usize != node) {
            write_step(field, cell as usize, tile.way(cell as usize, &self.distances));
        }
        if !self.shortens {
            return;
        }
        // A step that is new, or leads to a cell that came closer, may now be as good as that of
        // before.
        for at in 0..self.near.len() {
            let (cell, steps) = self.near[at];
            for (head, direction, cost) in changed_steps(tile, cell as usize, steps) {
                let through = self.distance(tile, field, head).saturating_add(cost);
                self.prefer(node, field, cell as usize, direction, through);
            }
        }
        for at in 0..self.changed.len() {
            let cell = self.changed[at] as usize;
            for (tail, direction, cost) in tile.steps(cell) {
                let through = self.distances[cell].saturating_add(cost);
                self.prefer(node, field, tail, direction.opposite(), through);
            }
        }
    }

    /// Writes a step by which a cell has the given distance, if that is no more than its own and the
    /// step comes before that of the field. Other steps than those of cells that stayed the same are
    /// written already.
    fn prefer(&self, node: usize, field: &mut [u8], cell: usize, step: Direction, through: u64) {
        if self.states[cell] == State::Same
            && cell != node
            && through != UNREACHABLE
            && self.distances[cell] == through
            && (step as u8) < step_in(field, cell)
        {
            write_step(field, cell, step as u8);
        }
    }
}

/// The steps from a cell in directions whose bits are set.
fn changed_steps(tile: &Tile, cell: usize, bits: u8) -> impl Iterator<Item = (usize, Direction, u64)> {
    tile.steps(cell).filter(move |&(_, direction, _)| bits >> direction as u8 & 1 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Cell;
    use crate::grid::Grid;
    use crate::hpa::tables::Ways;

    #[test]
    fn cells_that_lost_their_way_find_another() {
        let mut grid = Grid::from_ascii("\n.3...\n.###.\n.....\n").unwrap();
        let area = grid.area();
        let (mut tile, mut repair) = (Tile::default(), Repair::default());
        // From nothing: all cells are edited but the node.
        tile.copy(&grid, area);
        let mut field = Vec::new();
        Ways::add_field(&mut field, area.cells().map(|_| Ways::NONE));
        let others = [((0, 0), (4, 1)), ((1, 2), (4, 2))];
        repair.begin(&tile, area, &others.map(|(a, b)| Rect::spanning(a.into(), b.into())));
        repair.repair(&tile, 10, &mut field);
        assert_eq!(step_in(&field, 0), Direction::South as u8);
        assert_eq!(step_in(&field, 4), Direction::South as u8, "over the lower row");
        let edit = Cell::new(2, 2);
        grid.block(edit).unwrap();
        tile.copy(&grid, area);
        repair.begin(&tile, area, &[edit.into()]);
        repair.repair(&tile, 10, &mut field);
        assert_eq!(step_in(&field, 12), Ways::NONE);
        assert_eq!(step_in(&field, 4), Direction::West as u8, "over the upper row");
        assert_eq!(step_in(&field, 14), Direction::North as u8);
    }
}
