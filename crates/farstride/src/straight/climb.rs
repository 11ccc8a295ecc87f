//! The climb index of corners: where labels of all cells exceed the budget.
//!
//! What `labels` has for subgoals, on the taut links between corners. Sides do not matter
//! here: a walk along links that does not bend tautly is legal too, only longer, and shortest
//! paths are among them. Costs are whole numbers: links are rounded up, in units so small that
//! the sum over a path stays within the promise.

use super::corner::{Corner, is_free};
use super::full::{Euclid, drop_straight_points};
use super::graph::TautCorners;
use super::scan::Scan;
use crate::base::{Cell, Cost, NodeId, Point};
use crate::contraction::{ContractionHierarchy, Rank};
use crate::grid::Grid;
use crate::labels::climb::{Climb, ClimbScratch, Ground};
use crate::search::Observer;

/// Units of a cell. Paths of up to 8,000 cells fit into 32 bits; longer ones are searched.
const FINE: f64 = (1 << 19) as f64;

/// The cost of a link: rounded up, so that [`bound`] never exceeds a sum.
pub(super) fn cost(from: Point, to: Point) -> u32 {
    (from.distance(to) * FINE).ceil() as u32
}

/// No path between two points costs less.
fn bound(from: Point, to: Point) -> u32 {
    (from.distance(to) * FINE) as u32
}

/// The corners of a map by rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Corners {
    points: Box<[Point]>,
    /// The rank at each lattice point; [`Rank::NONE`] where there is no corner.
    ranks: Box<[Rank]>,
    width: usize,
}

impl Corners {
    pub(super) fn new(taut: &TautCorners<'_>, hierarchy: &ContractionHierarchy) -> Option<Self> {
        if taut.corners.len() != hierarchy.node_count() {
            return None;
        }
        let width = taut.grid.width() + 1;
        let mut ranks = vec![Rank::NONE; width * (taut.grid.height() + 1)];
        for (node, corner) in (0..).map(NodeId::new).zip(&taut.corners) {
            ranks[corner.y as usize * width + corner.x as usize] = hierarchy.rank_of(node);
        }
        let points = hierarchy.all_ranks().map(|rank| taut.corners[hierarchy.node_at(rank).index()].point());
        Some(Self { points: points.collect(), ranks: ranks.into(), width })
    }

    /// Finds the corners that a cell sees and at which paths from it can bend.
    fn link(&self, grid: &Grid, cell: Cell, scan: &mut Scan, links: &mut Vec<(Rank, u32)>) {
        let (here, free) = (Point::centre(cell), |x: i32, y: i32| is_free(grid, x, y));
        let mut offer = |x: i32, y: i32| {
            let at = y as usize * self.width + x as usize;
            let Some(&rank) = self.ranks.get(at).filter(|&&rank| rank != Rank::NONE) else { return };
            let Some(corner) = Corner::at(&free, x, y) else { return };
            if corner.side(corner.point().to(here)).is_some() {
                links.push((rank, cost(here, corner.point())));
            }
        };
        for quadrant in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            scan.quadrant(&free, here, quadrant, &mut offer, |_| ());
        }
    }
}

impl Ground for Corners {
    fn find(grid: &Grid, hierarchy: &ContractionHierarchy) -> Option<Self> {
        Self::new(&TautCorners::find(grid, hierarchy.node_count())?, hierarchy)
    }

    fn byte_count(&self) -> usize {
        size_of_val(&*self.points) + size_of_val(&*self.ranks)
    }

    fn cell(&self, rank: Rank) -> Option<Cell> {
        let Point { x, y } = *self.points.get(rank.index())?;
        Some(Cell::new(x.div_ceil(2) as u16, y.div_ceil(2) as u16))
    }

    fn cost_from(&self, cell: Cell, rank: Rank) -> u32 {
        cost(Point::centre(cell), self.points[rank.index()])
    }

    fn cost_between(&self, from: Rank, to: Rank) -> u32 {
        cost(self.points[from.index()], self.points[to.index()])
    }

    fn bound(&self, rank: Rank, cell: Cell) -> u32 {
        bound(self.points[rank.index()], Point::centre(cell))
    }

    fn is_link(&self, grid: &Grid, from: Rank, to: Rank) -> bool {
        grid.is_clear(self.points[from.index()], self.points[to.index()])
    }
}

impl Climb<Corners> {
    /// The length of a shortest path between two free cells in units of [`Cost`]; `None` if
    /// there is no path. Writes its points into `points`.
    pub(super) fn find_points(
        &self,
        grid: &Grid,
        (start, goal): (Cell, Cell),
        (climb, scan): (&mut ClimbScratch, &mut Scan),
        points: &mut Vec<Point>,
        observer: &mut impl Observer<Cell>,
    ) -> Option<Cost> {
        points.clear();
        points.push(Point::centre(start));
        if !grid.touches_only(start, goal) {
            let link = |corners: &Corners, cell, links: &mut Vec<_>| corners.link(grid, cell, scan, links);
            self.cross([start, goal], link, climb, observer)?;
            let corners = self.ground.as_ref()?;
            points.extend(climb.path().iter().map(|rank| corners.points[rank.index()]));
        }
        points.push(Point::centre(goal));
        drop_straight_points(points);
        Some(Euclid::length(points))
    }
}
