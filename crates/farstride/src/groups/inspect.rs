//! Looking into an index of squares, for pictures and reports.

use super::{GridGroups, GroupId, Squares};
use crate::base::{Cell, Cost, Node, Rect};
use crate::grid::Grid;

impl GridGroups {
    /// The squares of a level, from 1, row by row. Empty if there is no such level, or
    /// if the index is not up to date with the map.
    ///
    /// # Example
    /// ```
    /// use farstride::Grid;
    /// use farstride::groups::{GridGroupSettings, GridGroups};
    ///
    /// let grid = Grid::empty(100, 40)?;
    /// let groups = GridGroups::build(&grid, GridGroupSettings::default().with_levels(Some(2)))?;
    /// assert_eq!(groups.squares(&grid, 1).count(), 7 * 3);
    /// assert_eq!(groups.squares(&grid, 2).count(), 2);
    /// assert_eq!(groups.squares(&grid, 3).count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn squares(&self, grid: &Grid, level: usize) -> impl Iterator<Item = Rect> {
        let (width, height) = (grid.width(), grid.height());
        let sizes = if self.is_current(grid) { self.settings.level_sizes(width, height) } else { Vec::new() };
        let span = level.checked_sub(1).and_then(|below| sizes.get(below).copied());
        let [columns, rows] = span.unwrap_or_default();
        let factor = usize::from(self.settings.group).saturating_pow(level.saturating_sub(1) as u32);
        let side = factor.saturating_mul(self.settings.side.into());
        let corner = move |column: u32, row: u32| [column, row].map(|at| (at as usize).saturating_mul(side));
        let squares = (0..rows).flat_map(move |row| (0..columns).map(move |column| corner(column, row)));
        squares.map(move |[left, top]| {
            let [right, bottom] =
                [(left, width), (top, height)].map(|(at, end)| at.saturating_add(side).min(end) - 1);
            Rect::spanning(Cell::new(left as u16, top as u16), Cell::new(right as u16, bottom as u16))
        })
    }

    /// Returns the group of a level, from 1, in which a free cell lies, and which part
    /// of that group, from 0.
    ///
    /// `None` if the cell is blocked, if there is no such level, or if the index is not
    /// up to date with the map.
    pub fn part_at(&self, grid: &Grid, cell: Cell, level: usize) -> Option<(GroupId, usize)> {
        if !self.is_current(grid) || !grid.is_free(cell) {
            return None;
        }
        let known = self.hierarchy.levels.get(level.checked_sub(1)?)?;
        let part = self.hierarchy.part_on(&Squares::new(grid, self.settings.side), cell, level)?;
        let group = known.group_of[part.index()];
        Some((group, known.parts(group).local(part).index()))
    }

    /// The connections of a level, from 1: the representatives of both parts, and the
    /// cost.
    pub fn connections(&self, level: usize) -> impl Iterator<Item = (Cell, Cell, Cost)> {
        let level = level.checked_sub(1).and_then(|below| self.hierarchy.levels.get(below));
        let rows = level.into_iter().flat_map(|level| (0..level.part_count()).map(move |part| (level, part)));
        rows.flat_map(|(level, part)| {
            let cell = |part: usize| Cell::unpack(level.representatives[part]);
            level.arcs[part].iter().map(move |arc| (cell(part), cell(arc.to.index()), arc.cost))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::GridGroupSettings;
    use super::*;

    #[test]
    fn blocks_parts_and_connections_fit() {
        let mut grid = Grid::from_ascii(
            "
            .#.....
            .#.###.
            .#...#.
            ###.##.
            .......
            ",
        )
        .unwrap();
        let settings = GridGroupSettings { side: 3, group: 2, levels: Some(2), ..GridGroupSettings::DEFAULT };
        let groups = GridGroups::build(&grid, settings).unwrap();
        let squares: Vec<Rect> = groups.squares(&grid, 1).collect();
        assert_eq!(squares.len(), 6);
        assert_eq!((squares[5].min(), squares[5].max()), (Cell::new(6, 3), Cell::new(6, 4)));
        let upper: Vec<Rect> = groups.squares(&grid, 2).collect();
        assert_eq!((upper[0].max(), upper[1].min()), (Cell::new(5, 4), Cell::new(6, 0)));
        let at = |x, y, level| groups.part_at(&grid, Cell::new(x, y), level);
        assert_eq!(at(0, 0, 1), Some((GroupId::new(0), 0)));
        assert_eq!(at(2, 0, 1), Some((GroupId::new(0), 1)));
        assert_eq!(at(1, 0, 1), None);
        // A cell walled in on level 1 is walled in on level 2.
        assert_eq!(at(0, 2, 2), Some((GroupId::new(0), 0)));
        assert_eq!(at(0, 4, 2), at(2, 0, 2));
        assert_eq!((at(0, 0, 0), at(0, 0, 3), at(70, 0, 1)), (None, None, None));
        for level in 1..=2 {
            let count = groups.hierarchy().arc_count(level);
            assert_eq!(groups.connections(level).count(), count);
            for (from, to, _) in groups.connections(level) {
                assert_ne!(groups.part_at(&grid, from, level), groups.part_at(&grid, to, level));
            }
        }
        assert_eq!(groups.connections(0).count() + groups.connections(3).count(), 0);
        let _ = grid.block(Cell::new(0, 0)).unwrap();
        assert_eq!(groups.part_at(&grid, Cell::new(0, 1), 1), None);
        assert_eq!(groups.squares(&grid, 1).count(), 0);
    }
}
