//! Paths that refinement produces: steps from cell to cell, or any-angle legs.

use super::hierarchy::View;
use super::local::{LocalSearch, Reach};
use crate::base::{Cell, Cost, Rect, Trail, euclidean};
use crate::grid::Grid;
use crate::search::Observer;

/// Access to the ways inside 1-clusters: by look-up or by search.
pub(crate) struct Inside<'a, O> {
    pub(super) grid: &'a Grid,
    pub(super) view: &'a View<'a>,
    pub(super) local: &'a mut LocalSearch,
    /// For ways that are stored from the goal to a node and walked backwards.
    pub(super) back: &'a mut Trail,
    pub(super) observer: &'a mut O,
}

/// A path that grows while it is refined.
pub(crate) trait Walk {
    /// Clears the path and starts a new one.
    fn restart(&mut self, start: Cell);

    /// Copies another path, reusing the memory of this one.
    fn copy_from(&mut self, other: &Self);

    /// The last cell so far.
    fn end(&self) -> Cell;

    /// Roughly the number of cells passed; exact for paths of steps.
    fn steps(&self) -> usize;

    /// The cost of the path so far.
    fn cost(&self, grid: &Grid) -> Cost;

    /// Continues to a cell that is one step away or, for any-angle paths, in sight.
    fn go_to(&mut self, cell: Cell);

    /// Continues through a 1-cluster from node to node.
    fn cross<O: Observer<Cell>>(&mut self, inside: &mut Inside<'_, O>, from: u32, to: u32);

    /// Continues from the start to a node of its 1-cluster.
    fn leave<O: Observer<Cell>>(&mut self, inside: &mut Inside<'_, O>, start: Cell, to: u32);

    /// Continues from a node of a 1-cluster to the goal inside it.
    fn arrive<O: Observer<Cell>>(&mut self, inside: &mut Inside<'_, O>, from: u32, goal: Cell);

    /// Searches a way inside a rectangle and follows it; returns its cost, or `None`
    /// if there is none within `reach`.
    fn search<O: Observer<Cell>>(
        &mut self,
        inside: &mut Inside<'_, O>,
        area: Rect,
        ends: (Cell, Cell),
        reach: Reach,
    ) -> Option<Cost>;
}

impl Walk for Trail {
    fn restart(&mut self, start: Cell) {
        Self::restart(self, start);
    }

    fn copy_from(&mut self, other: &Self) {
        Self::copy_from(self, other);
    }

    fn end(&self) -> Cell {
        Self::end(self)
    }

    fn steps(&self) -> usize {
        Self::steps(self)
    }

    fn cost(&self, grid: &Grid) -> Cost {
        grid.trail_cost(self)
    }

    fn go_to(&mut self, cell: Cell) {
        self.push_cell(cell);
    }

    fn cross<O: Observer<Cell>>(&mut self, inside: &mut Inside<'_, O>, from: u32, to: u32) {
        let view = inside.view;
        let (cluster, local) = view.layout.cluster_and_local(from);
        if let Some(lanes) = view.lanes(cluster) {
            lanes.walk(local, view.layout.cluster_and_local(to).1, self);
        } else {
            let area = view.layout.area(1, cluster);
            self.search(inside, area, (view.cell(from), view.cell(to)), Reach::FULL);
        }
    }

    fn leave<O: Observer<Cell>>(&mut self, inside: &mut Inside<'_, O>, start: Cell, to: u32) {
        let (cluster, local) = inside.view.layout.cluster_and_local(to);
        let area = inside.view.layout.area(1, cluster);
        if let Some(ways) = inside.view.ways(cluster, area) {
            ways.walk(area, start, local, self);
        } else {
            self.search(inside, area, (start, inside.view.cell(to)), Reach::FULL);
        }
    }

    fn arrive<O: Observer<Cell>>(&mut self, inside: &mut Inside<'_, O>, from: u32, goal: Cell) {
        let (cluster, local) = inside.view.layout.cluster_and_local(from);
        let area = inside.view.layout.area(1, cluster);
        if let Some(ways) = inside.view.ways(cluster, area) {
            inside.back.restart(goal);
            ways.walk(area, goal, local, inside.back);
            inside.back.runs().iter().rev().for_each(|run| self.push(run.back()));
        } else {
            self.search(inside, area, (inside.view.cell(from), goal), Reach::FULL);
        }
    }

    fn search<O: Observer<Cell>>(
        &mut self,
        inside: &mut Inside<'_, O>,
        area: Rect,
        ends: (Cell, Cell),
        reach: Reach,
    ) -> Option<Cost> {
        let Inside { grid, local, observer, .. } = inside;
        let (cost, path) = local.path(grid, area, ends, reach, *observer)?;
        path[1..].iter().for_each(|&cell| self.push_cell(cell));
        Some(cost)
    }
}

/// An any-angle path, stored as its turning points.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turns {
    points: Vec<Cell>,
    steps: usize,
}

impl Turns {
    /// The turning points, including start and end.
    pub(crate) const fn points_mut(&mut self) -> &mut Vec<Cell> {
        &mut self.points
    }

    /// Continues from a node to a cell of its 1-cluster, along the stored way from
    /// the cell to the node.
    fn follow_back(&mut self, from: Cell, follow: impl FnOnce(&mut dyn FnMut(Cell)) -> bool) {
        let first = self.points.len();
        follow(&mut |turn| self.points.push(turn));
        if self.points.len() > first {
            self.points.pop(); // the node itself, where this starts
            self.points[first..].reverse();
            self.points.push(from);
        }
        let legs = self.points[first.max(1) - 1..].windows(2);
        self.steps += legs.map(|leg| reach(leg[0], leg[1])).sum::<usize>();
    }
}

/// Rows or columns between two cells, whichever are more.
fn reach(a: Cell, b: Cell) -> usize {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)).into()
}

impl Walk for Turns {
    fn restart(&mut self, start: Cell) {
        self.points.clear();
        self.points.push(start);
        self.steps = 0;
    }

    fn copy_from(&mut self, other: &Self) {
        self.points.clone_from(&other.points);
        self.steps = other.steps;
    }

    fn end(&self) -> Cell {
        self.points.last().copied().unwrap_or_default()
    }

    fn steps(&self) -> usize {
        self.steps
    }

    fn cost(&self, _: &Grid) -> Cost {
        self.points.windows(2).fold(Cost::ZERO, |sum, leg| sum + euclidean(leg[0], leg[1]))
    }

    fn go_to(&mut self, cell: Cell) {
        let steps = reach(self.end(), cell);
        if steps > 0 {
            self.steps += steps;
            self.points.push(cell);
        }
    }

    /// Takes the shorter of the two stored ways, there or back: Theta* may find
    /// different ones.
    fn cross<O: Observer<Cell>>(&mut self, inside: &mut Inside<'_, O>, from: u32, to: u32) {
        let view = inside.view;
        let ((cluster, local), (_, other)) =
            (view.layout.cluster_and_local(from), view.layout.cluster_and_local(to));
        let area = view.layout.area(1, cluster);
        let (start, end) = (view.cell(from), view.cell(to));
        let Some(bends) = view.bends(cluster, area) else {
            self.search(inside, area, (start, end), Reach::FULL);
            return;
        };
        let (there, back) = (bends.cost(other, start, end), bends.cost(local, end, start));
        // A tie goes to the way towards the higher local number, so that a crossing
        // takes the same cells in both directions.
        if (there, local) <= (back, other) {
            bends.follow(other, start, end, |turn| self.go_to(turn));
        } else {
            self.follow_back(end, |visit| bends.follow(local, end, start, visit));
        }
    }

    fn leave<O: Observer<Cell>>(&mut self, inside: &mut Inside<'_, O>, start: Cell, to: u32) {
        let (cluster, local) = inside.view.layout.cluster_and_local(to);
        let area = inside.view.layout.area(1, cluster);
        let end = inside.view.cell(to);
        match inside.view.bends(cluster, area) {
            _ if inside.grid.line_of_sight(start, end) => self.go_to(end),
            Some(bends) => {
                bends.follow(local, start, end, |turn| self.go_to(turn));
            }
            None => {
                self.search(inside, area, (start, end), Reach::FULL);
            }
        }
    }

    fn arrive<O: Observer<Cell>>(&mut self, inside: &mut Inside<'_, O>, from: u32, goal: Cell) {
        let (cluster, local) = inside.view.layout.cluster_and_local(from);
        let area = inside.view.layout.area(1, cluster);
        let start = inside.view.cell(from);
        match inside.view.bends(cluster, area) {
            _ if inside.grid.line_of_sight(start, goal) => self.go_to(goal),
            Some(bends) => self.follow_back(goal, |visit| bends.follow(local, goal, start, visit)),
            None => {
                self.search(inside, area, (start, goal), Reach::FULL);
            }
        }
    }

    /// If the two cells see each other, the straight leg needs no search.
    fn search<O: Observer<Cell>>(
        &mut self,
        inside: &mut Inside<'_, O>,
        area: Rect,
        (from, to): (Cell, Cell),
        reach: Reach,
    ) -> Option<Cost> {
        let Inside { grid, view, local, observer, .. } = inside;
        if grid.line_of_sight(from, to) {
            self.go_to(to);
            return Some(euclidean(from, to));
        }
        let (cost, path) = local.bent_path(grid, view.local, area, (from, to), reach, *observer)?;
        path[1..].iter().for_each(|&cell| self.go_to(cell));
        Some(cost)
    }
}
