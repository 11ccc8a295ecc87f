//! Searching taut corners without an index.
//!
//! A* over ports that are found on the way: from each corner, a scan of the side by which
//! the path leaves it. Exact, and slow where a corner sees many others.

use super::corner::{Corner, Side};
use super::full::{Euclid, drop_straight_points};
use super::rule::{Space, StraightRule};
use super::scan::Scan;
use crate::base::{Cell, Cost, NodeId, Point};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::labels::climb::ClimbScratch;
use crate::search::{
    HeapQueue, Heuristic, Memory, Observer, PriorState, Problem, SearchStatus, ShortestPath,
};
use std::cell::RefCell;

/// Memory for searches; one per thread.
#[derive(Debug, Default)]
pub(crate) struct StringScratch {
    memory: Memory<HeapQueue>,
    pub(super) climb: ClimbScratch,
    pub(super) scan: Scan,
    nodes: Vec<NodeId>,
    pub(super) points: Vec<Point>,
}

/// Units of the search's costs per unit of the result: legs are rounded up, and there may
/// be thousands of them.
const FINER: f64 = 256.0;
/// Units of the result per half cell.
const HALF: f64 = 2378.0;

/// The corners of a map with a start and a goal.
struct Strings<'s> {
    space: Space<'s>,
    start: Cell,
    goal: Cell,
    scan: RefCell<&'s mut Scan>,
}

/// A node of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stop {
    Start,
    Goal,
    /// A corner that the path leaves by a side.
    Corner(Corner, Side),
}

/// Finds a shortest path between two free cells; `None` if there is none.
pub(crate) fn search(
    grid: &Grid,
    rule: StraightRule,
    (start, goal): (Cell, Cell),
    scratch: &mut StringScratch,
    points: Option<&mut Vec<Point>>,
    observer: &mut impl Observer<Cell>,
) -> Option<Cost> {
    let StringScratch { memory, scan, nodes, points: own, .. } = scratch;
    let points = points.unwrap_or(own);
    points.clear();
    let space = rule.on(grid);
    if space.sees(start, goal) {
        points.extend([Point::centre(start), Point::centre(goal)]);
    } else {
        let graph = Strings { space, start, goal, scan: RefCell::new(scan) };
        let end = graph.node(Stop::Goal);
        let bound = |node: NodeId| {
            let rest = graph.point(node).distance(Point::centre(goal));
            Cost::from_units((rest * (2.0 * HALF * FINER)) as u64)
        };
        let problem = Problem { graph: &graph, target: Heuristic { goal: end, bound }, rule: ShortestPath };
        let observer = &mut Corners { graph: &graph, observer };
        problem.begin(graph.node(Stop::Start), memory, observer);
        if problem.advance(memory, u64::MAX, observer) != SearchStatus::Reached(end) {
            return None;
        }
        memory.path_into(&graph, end, nodes);
        points.extend(nodes.iter().map(|&node| graph.point(node)));
        drop_straight_points(points);
    }
    Some(Euclid::length(points))
}

impl Strings<'_> {
    /// Number of corners there may be.
    fn most_corners(&self) -> u32 {
        let (width, height) = self.space.lattice();
        (width * height * self.space.rule.slots()) as u32
    }

    fn node(&self, stop: Stop) -> NodeId {
        NodeId::new(match stop {
            Stop::Corner(corner, side) => self.space.number(corner) as u32 * 2 + side as u32,
            Stop::Start => 2 * self.most_corners(),
            Stop::Goal => 2 * self.most_corners() + 1,
        })
    }

    fn stop(&self, node: NodeId) -> Option<Stop> {
        let number = node.index() as u32;
        if number >= 2 * self.most_corners() {
            return Some(if number == 2 * self.most_corners() { Stop::Start } else { Stop::Goal });
        }
        let corner = self.space.corner_numbered(number as usize / 2)?;
        Some(Stop::Corner(corner, (number % 2) as Side))
    }

    fn point(&self, node: NodeId) -> Point {
        match self.stop(node) {
            Some(Stop::Corner(corner, _)) => self.space.point(corner),
            Some(Stop::Goal) => Point::centre(self.goal),
            Some(Stop::Start) | None => Point::centre(self.start),
        }
    }

    /// Visits a corner, if a path from a point can bend there.
    fn offer(&self, from: Point, corner: Corner, visit: &mut impl FnMut(NodeId, Cost)) {
        let point = self.space.point(corner);
        if let Some(side) = corner.side(point.to(from)) {
            visit(self.node(Stop::Corner(corner, 1 - side)), leg(from, point));
        }
    }
}

/// The cost of a leg.
fn leg(from: Point, to: Point) -> Cost {
    Cost::from_units((from.distance(to) * (2.0 * HALF * FINER)).ceil() as u64)
}

impl Graph for Strings<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        2 * self.most_corners() as usize + 2
    }

    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        match self.stop(node) {
            Some(Stop::Start) => {
                let from = Point::centre(self.start);
                let offer = |corner| self.offer(from, corner, &mut visit);
                self.scan.borrow_mut().corners_around(self.space, self.start, offer);
            }
            Some(Stop::Corner(corner, side)) => {
                let (from, goal) = (self.space.point(corner), Point::centre(self.goal));
                if corner.side(from.to(goal)) == Some(side) && self.space.is_clear(from, goal) {
                    visit(self.node(Stop::Goal), leg(from, goal));
                }
                let offer = |x: i32, y: i32| {
                    for corner in self.space.corners_at(x, y) {
                        self.offer(from, corner, &mut visit);
                    }
                };
                let quadrant = corner.quadrant(side);
                self.scan.borrow_mut().closed_quadrant(self.space, corner, quadrant, offer, |_| ());
            }
            Some(Stop::Goal) | None => {}
        }
    }
}

/// Tells an observer of cells about corners: each stands for the cell to its lower right.
struct Corners<'c, O> {
    graph: &'c Strings<'c>,
    observer: &'c mut O,
}

impl<O: Observer<Cell>> Corners<'_, O> {
    fn cell(&self, node: NodeId) -> Cell {
        let Point { x, y } = self.graph.point(node);
        Cell::new(x.div_ceil(2) as u16, y.div_ceil(2) as u16)
    }
}

impl<O: Observer<Cell>> Observer<NodeId> for Corners<'_, O> {
    const LISTENS: bool = O::LISTENS;

    fn expanded(&mut self, node: NodeId, g: Cost) {
        let cell = self.cell(node);
        self.observer.expanded(cell, Cost::from_units((g.units() as f64 / FINER) as u64));
    }

    fn generated(&mut self, node: NodeId) {
        let cell = self.cell(node);
        self.observer.generated(cell);
    }

    fn improved(&mut self, node: NodeId, g: Cost, was: PriorState) {
        let cell = self.cell(node);
        self.observer.improved(cell, Cost::from_units((g.units() as f64 / FINER) as u64), was);
    }
}
