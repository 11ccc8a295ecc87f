//! Any-angle ways through a 1-cluster.

use super::{UNREACHABLE, WORD, u16_at, u32_at};
use crate::base::{Cell, Node, Rect, euclidean};

/// For each node of a 1-cluster, the next turning point on the way there from
/// every cell.
///
/// Record: the number of turning points, with [`Bends::WIDE`] set if their names
/// take 2 bytes instead of 1; their cells in reading order, 4 bytes each; for each
/// node one name per cell of the cluster, row by row, with all bits set at the node
/// itself and where there is no way; padding. A name is the position of a turning
/// point in the list. Nodes are turning points of the ways that lead to them.
#[derive(Clone, Copy)]
pub(crate) struct Bends<'t> {
    wide: bool,
    points: &'t [u8],
    fields: &'t [u8],
    area: Rect,
}

impl<'t> Bends<'t> {
    pub(super) const WIDE: u32 = 1 << 31;
    /// "No turning point" in fields that are not encoded yet.
    pub(crate) const NONE: u32 = u32::MAX;
    /// Turning points that one byte can name.
    pub(super) const NARROW: usize = u8::MAX as usize;

    #[inline]
    pub(crate) fn new(record: &'t [u8], area: Rect) -> Self {
        let head = u32_at(record, 0);
        let points = (head & !Self::WIDE) as usize;
        let (points, fields) = record[WORD..].split_at(points * WORD);
        Self { wide: head & Self::WIDE != 0, points, fields, area }
    }

    /// Encodes fields of packed cells, one per node: for each cell of the cluster the
    /// next turning point, or [`Bends::NONE`].
    pub(crate) fn encode(fields: &[u32], area: Rect) -> Vec<u8> {
        let cells = area.cell_count();
        // Found by marking cells: turning points are far fewer than entries.
        let mut names = vec![u16::MAX; cells];
        let turns = fields.iter().filter(|&&point| point != Self::NONE);
        turns.for_each(|&point| names[area.offset(Cell::unpack(point))] = 0);
        let mut points = Vec::new();
        for (cell, name) in area.cells().zip(&mut names) {
            if *name == 0 {
                *name = points.len() as u16;
                points.push(cell);
            }
        }
        let wide = points.len() > Self::NARROW;
        let head = points.len() as u32 | if wide { Self::WIDE } else { 0 };
        let mut record = head.to_le_bytes().to_vec();
        record.reserve((points.len() + 1) * WORD + fields.len() * if wide { 2 } else { 1 });
        record.extend(points.iter().flat_map(|cell| cell.pack().to_le_bytes()));
        let name = |&point: &u32| match point {
            Self::NONE => u16::MAX,
            point => names[area.offset(Cell::unpack(point))],
        };
        if wide {
            record.extend(fields.iter().map(name).flat_map(u16::to_le_bytes));
        } else {
            // Truncating keeps "all bits set", the name of no point.
            record.extend(fields.iter().map(name).map(|name| name as u8));
        }
        record.resize(record.len().next_multiple_of(WORD), 0);
        record
    }

    /// The next turning point on the way from a cell to a node.
    #[inline]
    pub(crate) fn next(&self, local: usize, cell: Cell) -> Option<Cell> {
        let at = local * self.area.cell_count() + self.area.offset(cell);
        let name =
            if self.wide { usize::from(u16_at(self.fields, at)) } else { usize::from(self.fields[at]) };
        // The name "all bits set" is beyond the list.
        let point = self.points.get(name * WORD..(name + 1) * WORD)?;
        Some(Cell::unpack(u32_at(point, 0)))
    }

    /// Calls `visit` with every turning point on the way from a cell to a node,
    /// including the node; returns whether it gets there. Gives up after as many
    /// turns as there are turning points: a forged record may lead round in
    /// circles.
    #[inline]
    pub(crate) fn follow(&self, local: usize, from: Cell, node: Cell, mut visit: impl FnMut(Cell)) -> bool {
        let mut cell = from;
        for _ in 0..self.points.len() / WORD {
            if cell == node {
                return true;
            }
            let Some(next) = self.next(local, cell) else { return false };
            visit(next);
            cell = next;
        }
        cell == node
    }

    /// Cost of the way from a cell to a node, or [`UNREACHABLE`].
    #[inline]
    pub(crate) fn cost(&self, local: usize, from: Cell, node: Cell) -> u64 {
        let (mut at, mut cost) = (from, 0);
        let arrives = self.follow(local, from, node, |next| {
            cost += euclidean(at, next).units();
            at = next;
        });
        if arrives { cost } else { UNREACHABLE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area() -> Rect {
        Rect::spanning(Cell::new(4, 8), Cell::new(7, 9))
    }

    #[test]
    fn ways_lead_from_turn_to_turn() {
        let (node, turn) = (Cell::new(7, 8), Cell::new(6, 9));
        // One row above the other; the left half turns at (6, 9).
        let field = [turn, turn, node, node, turn, turn, node, node].map(Cell::pack);
        let mut fields = field.to_vec();
        fields[3] = Bends::NONE;
        fields[4] = Bends::NONE;
        fields.extend([Bends::NONE; 8]);
        let record = Bends::encode(&fields, area());
        assert_eq!(record.len(), 4 + 8 + 16);
        let bends = Bends::new(&record, area());
        let mut turns = Vec::new();
        assert!(bends.follow(0, Cell::new(4, 8), node, |turn| turns.push(turn)));
        assert_eq!(turns, [turn, node]);
        let legs = euclidean(Cell::new(4, 8), turn).units() + euclidean(turn, node).units();
        assert_eq!(bends.cost(0, Cell::new(4, 8), node), legs);
        assert_eq!(bends.cost(0, node, node), 0);
        assert_eq!(bends.cost(0, Cell::new(4, 9), node), UNREACHABLE);
        assert_eq!(bends.cost(1, Cell::new(4, 8), node), UNREACHABLE);
    }

    #[test]
    fn many_turning_points_have_longer_names() {
        let area = Rect::spanning(Cell::new(0, 0), Cell::new(255, 255));
        let (node, last) = (Cell::new(0, 0), Cell::new(255, 255));
        let mut fields: Vec<u32> = area.cells().map(Cell::pack).collect();
        fields.rotate_right(1);
        fields[0] = Bends::NONE;
        let record = Bends::encode(&fields, area);
        let bends = Bends::new(&record, area);
        assert_eq!(bends.next(0, Cell::new(3, 1)), Some(Cell::new(2, 1)));
        assert_eq!(bends.next(0, last), Some(Cell::new(254, 255)));
        assert!(bends.follow(0, last, node, |_| ()));
    }
}
