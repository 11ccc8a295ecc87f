//! Costs from one start to many goals, by one search of all nodes.

use super::Overlay;
use super::ends::End;
use super::find::OverlayScratch;
use super::graph::{OverlayGraph, Rows};
use crate::base::{Cell, Cost, NodeId};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::search::{Everything, Problem, ShortestPath};

/// Nodes of the overlay for each of which one goal more makes a search of all of them
/// worth while: about as many as a query settles.
const NODES_PER_GOAL: usize = 400;
/// Goals from which on it may be worth while.
const FEW_GOALS: usize = 8;

impl Overlay {
    /// Whether one search for all goals is faster than a query for each.
    pub(crate) const fn is_worth_spreading(&self, goals: usize) -> bool {
        goals >= FEW_GOALS && goals >= self.layout.node_count() / NODES_PER_GOAL
    }

    /// Finds the costs from a free cell to all nodes.
    pub(crate) fn spread(&self, grid: &Grid, start: Cell, scratch: &mut OverlayScratch) {
        let OverlayScratch { start: end, spread, .. } = scratch;
        end.put(grid, &self.layout, start);
        let graph = Rooted { overlay: self.graph(), start: end };
        let problem = Problem { graph: &graph, target: Everything, rule: ShortestPath };
        problem.begin(graph.root(), spread, &mut ());
        problem.advance(spread, u64::MAX, &mut ());
    }

    /// The cost from the start of [`Overlay::spread`] to a free cell; `None` if there is
    /// no path.
    pub(crate) fn cost_to(&self, grid: &Grid, goal: Cell, scratch: &mut OverlayScratch) -> Option<Cost> {
        let OverlayScratch { start, goal: end, spread, .. } = scratch;
        if start.cell == goal {
            return Some(Cost::ZERO);
        }
        end.put(grid, &self.layout, goal);
        if let Some(node) = end.node {
            return spread.cost(node as usize);
        }
        let inside = start.cost_inside(end).map(|cost| Cost::from_units(cost.into()));
        let over_border = end.arcs(&self.layout).filter_map(|(node, cost)| {
            spread.cost(node as usize).map(|before| before + Cost::from_units(cost.into()))
        });
        over_border.chain(inside).min()
    }
}

/// The overlay with a start anywhere on the map.
struct Rooted<'a> {
    overlay: OverlayGraph<'a>,
    start: &'a End,
}

impl Rooted<'_> {
    fn root(&self) -> NodeId {
        NodeId::new(self.start.node.unwrap_or(self.overlay.node_count() as u32))
    }
}

impl Graph for Rooted<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.overlay.node_count() + 1
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn for_each_arc(&self, node: NodeId, visit: impl FnMut(NodeId, Cost)) {
        let mut rows = Rows::default();
        if node.index() == self.overlay.node_count() {
            let (first, row) = self.start.row(self.overlay.layout);
            rows.add(first, row);
        } else {
            self.overlay.rows(node, &mut rows);
        }
        rows.for_each_arc(self.overlay.layout, visit);
    }
}
