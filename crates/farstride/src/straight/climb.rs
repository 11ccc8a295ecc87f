//! The climb index of corners: where labels of all cells exceed the budget.
//!
//! What `labels` has for subgoals, on the taut links between corners. Sides do not matter
//! here: a walk along links that does not bend tautly is legal too, only longer, and shortest
//! paths are among them. Costs are whole numbers: links are rounded up, in units so small that
//! the sum over a path stays within the promise.

use super::full::{Euclid, drop_straight_points};
use super::graph::{CornerId, TautCorners};
use super::rule::StraightRule;
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
    rule: StraightRule,
    points: Box<[Point]>,
    /// The first corner at each lattice point, or [`CornerId::MAX`]; others there follow.
    ids: Box<[CornerId]>,
}

impl Corners {
    pub(super) fn new(taut: &TautCorners<'_>, hierarchy: &ContractionHierarchy) -> Option<Self> {
        if taut.corners.len() != hierarchy.node_count() {
            return None;
        }
        let points =
            hierarchy.all_ranks().map(|rank| taut.point(hierarchy.node_at(rank).index() as CornerId));
        Some(Self { rule: taut.space.rule, points: points.collect(), ids: taut.ids().into() })
    }
}

impl Ground for Corners {
    fn byte_count(&self) -> usize {
        size_of_val(&*self.points) + size_of_val(&*self.ids)
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
        self.rule.on(grid).is_clear(self.points[from.index()], self.points[to.index()])
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
        let corners = self.ground.as_ref()?;
        let space = corners.rule.on(grid);
        if !space.sees(start, goal) {
            let link = |corners: &Corners, cell: Cell, links: &mut Vec<_>| {
                scan.corners_around(space, cell, |corner| {
                    let node = corners.ids[space.place(corner.x, corner.y)] + space.position(corner);
                    let rank = self.hierarchy().rank_of(NodeId::new(node));
                    links.push((rank, cost(Point::centre(cell), space.point(corner))));
                });
            };
            self.cross([start, goal], link, climb, observer)?;
            points.extend(climb.path().iter().map(|rank| corners.points[rank.index()]));
        }
        points.push(Point::centre(goal));
        drop_straight_points(points);
        Some(Euclid::length(points))
    }
}
