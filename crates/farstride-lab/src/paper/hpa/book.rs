//! A* as the paper describes its own: all eight moves, a heap, the straight
//! distance as the heuristic. The engine's A* knows better (a sharper heuristic,
//! moves left out that no shortest path needs, buckets instead of a heap), so
//! that HPA* has a harder rival here than it had in the paper.

use crate::paper::book::AllMoves;
use farstride::graph::UniformGrid;
use farstride::internal::euclidean;
use farstride::search::{Effort, Memory, Observer, SearchStatus, astar};
use farstride::{Cell, Grid, Query};

/// That A* on one map.
pub(super) struct Book<'g> {
    graph: AllMoves<UniformGrid<'g>>,
    memory: Memory,
    path: Vec<Cell>,
}

impl<'g> Book<'g> {
    pub(super) fn new(grid: &'g Grid) -> Self {
        Self { graph: AllMoves(UniformGrid(grid)), memory: Memory::default(), path: Vec::new() }
    }

    /// The path of a query.
    pub(super) fn find(&mut self, query: Query, observer: &mut impl Observer<Cell>) -> &[Cell] {
        let Query { start, goal, .. } = query;
        let bound = |cell| euclidean(cell, goal);
        self.path.clear();
        if let SearchStatus::Reached(end) = astar(&self.graph, start, goal, bound, &mut self.memory, observer)
        {
            self.memory.path_into(&self.graph, end, &mut self.path);
        }
        &self.path
    }

    /// What the query takes.
    pub(super) fn count(&mut self, query: Query) -> Effort {
        let mut effort = Effort::default();
        self.find(query, &mut effort);
        effort
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_is_looked_at() {
        let grid = Grid::empty(3, 3).unwrap();
        let query = Query::new(Cell::new(0, 0), Cell::new(2, 2));
        let counters = Book::new(&grid).count(query).main;
        assert_eq!((counters.expanded, counters.generated), (3, 3 + 8));
        assert_eq!(Book::new(&grid).find(query, &mut ()).len(), 3);
    }
}
