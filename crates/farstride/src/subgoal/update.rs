//! Following the edits of a map.
//!
//! Whether a cell is a subgoal depends on the cells around it, and whether two
//! subgoals have an edge depends on the cells between them. So an edit can remove
//! only edges whose ends span it, and can add only edges between subgoals that are
//! visible from the cells it touched. These subgoals are scanned again, all others
//! keep their edges, and the simple subgoal graph equals one built from scratch.
//! Levels depend on each other all over the map and are rebuilt.

use super::clearance::Clearance;
use super::graph::{Linker, SubgoalGraph};
use super::settings::Partition;
use crate::base::crew::Watch;
use crate::base::{Cancelled, Cell, Rect};
use crate::grid::Grid;
use crate::nlevel::DraftArc;

/// Largest number of edited areas to follow; a build is as fast for more.
const MOST_AREAS: usize = 16;
/// Largest number of touched cells to scan from, for the same reason.
const MOST_CELLS: usize = 4096;

impl SubgoalGraph {
    /// Brings the graph up to date with a map that has been edited.
    ///
    /// # Guarantee
    /// The graph equals one built from scratch.
    ///
    /// # Complexity
    /// O(edges) plus a scan from the cells and subgoals around each edit for the
    /// simple subgoal graph; a partition for the levels, which usually takes longer.
    pub(crate) fn catch_up(&mut self, grid: &Grid) {
        if self.is_current(grid) {
            return;
        }
        match self.touched(grid) {
            Some(touched) => self.repair(grid, &touched),
            None => *self = Self::build(grid, self.settings),
        }
    }

    /// The areas in which subgoals may have appeared or vanished; `None` if there
    /// are too many cells to follow.
    fn touched(&self, grid: &Grid) -> Option<Vec<Rect>> {
        if self.settings.partition == Partition::TwoLevelLossy {
            return None;
        }
        let around = |area: Rect| area.grown(1, grid.area());
        let touched: Vec<Rect> =
            grid.changes_since(self.revision)?.map(around).take(MOST_AREAS + 1).collect();
        let cells: usize = touched.iter().map(|area| area.cell_count()).sum();
        (touched.len() <= MOST_AREAS && cells <= MOST_CELLS).then_some(touched)
    }

    /// Updates the simple subgoal graph around the touched areas, and rebuilds the
    /// levels.
    fn repair(&mut self, grid: &Grid, touched: &[Rect]) {
        // With the old edges, before anything is updated: they tell which subgoals
        // an edit may have cut off.
        let stale = self.stale_subgoals(touched);
        self.clearance.update(grid, touched);
        let linker = Linker { grid, clearance: &self.clearance };
        let cells = self.clearance.subgoal_cells();
        let numbers = numbers_in(&self.cells, &cells);
        let mut scan = vec![true; cells.len()]; // true for new subgoals
        for (&number, &stale) in numbers.iter().zip(&stale) {
            if let Some(number) = number {
                scan[number as usize] = stale;
            }
        }
        for cell in touched.iter().flat_map(|area| area.cells()).filter(|&cell| grid.is_free(cell)) {
            linker.for_each_link(cell, |link| scan[link.node as usize] = true);
        }
        let edges_of = |(&cell, &scan): (&Cell, &bool)| if scan { linker.edges_of(cell) } else { Vec::new() };
        let mut arcs: Vec<Vec<DraftArc>> = cells.iter().zip(&scan).map(edges_of).collect();
        self.levels.for_each_original(&self.headings, |tail, arc| {
            let (tail, head) = (numbers[tail as usize], numbers[arc.head() as usize]);
            if let (Some(tail), Some(head)) = (tail, head)
                && !scan[tail as usize]
            {
                arcs[tail as usize].push(arc.to(head));
            }
        });
        arcs.iter_mut().zip(&scan).filter(|(_, scan)| !**scan).for_each(|(arcs, _)| arcs.sort_unstable());
        let clearance = std::mem::replace(&mut self.clearance, Clearance::empty());
        let graph = Self::of_edges(grid, self.settings, clearance, cells, arcs, Watch::none());
        *self = graph.unwrap_or_else(|Cancelled| unreachable!("nobody cancels"));
    }

    /// For each subgoal before the edit, whether it lies in a touched area or has an
    /// edge that may pass one.
    fn stale_subgoals(&self, touched: &[Rect]) -> Vec<bool> {
        let mut stale: Vec<bool> =
            self.cells.iter().map(|&cell| touched.iter().any(|area| area.contains(cell))).collect();
        self.levels.for_each_original(&self.headings, |tail, arc| {
            let between = Rect::spanning(self.cells[tail as usize], self.cells[arc.head() as usize]);
            if touched.iter().any(|&area| between.meets(area)) {
                stale[tail as usize] = true;
            }
        });
        stale
    }
}

/// The position of each cell in another list, if it is there. Both lists must be in
/// reading order. O(n + m).
fn numbers_in(cells: &[Cell], others: &[Cell]) -> Vec<Option<u32>> {
    let mut at = 0;
    let number = |cell: &Cell| {
        while others.get(at).is_some_and(|other| other < cell) {
            at += 1;
        }
        (others.get(at) == Some(cell)).then_some(at as u32)
    };
    cells.iter().map(number).collect()
}
