//! `petgraph`: A* on an explicit graph.

use super::{Walls, octile};
use crate::rival::{Claims, Point, Prepared, Rival};
use ::petgraph::algo::astar;
use ::petgraph::graph::{NodeIndex, UnGraph};
use farstride_testkit::PlainMap;

/// A* of `petgraph` on a graph of all legal steps, built beforehand.
///
/// The graph is of the crate's usual kind; compressed rows (its `Csr`) were
/// tried and made the search slower.
#[derive(Debug, Clone, Copy)]
pub struct Petgraph;

impl Rival for Petgraph {
    fn name(&self) -> &'static str {
        "petgraph-astar"
    }

    fn claims(&self) -> Claims {
        Claims::STRICT_OPTIMAL
    }

    fn prepare(&self, map: &PlainMap) -> Result<Box<dyn Prepared>, String> {
        let walls = Walls::new(map)?;
        let mut graph = UnGraph::with_capacity(walls.free.len(), 4 * walls.free.len());
        for _ in &walls.free {
            graph.add_node(());
        }
        for (from, cell) in (0..).map(NodeIndex::new).zip(cells(&walls)) {
            if !walls.is_free(cell.0, cell.1) {
                continue;
            }
            let steps = walls.strict_steps(cell).map(|(to, cost)| (node(&walls, to), cost));
            for (to, cost) in steps.filter(|&(to, _)| from < to) {
                graph.add_edge(from, to, cost);
            }
        }
        Ok(Box::new(Ready { walls, graph }))
    }
}

struct Ready {
    walls: Walls,
    /// One node per cell, blocked or not, numbered row by row.
    graph: UnGraph<(), u32>,
}

impl Prepared for Ready {
    fn query(&mut self, start: Point, goal: Point, path: &mut Vec<Point>) -> bool {
        let walls = &self.walls;
        if !walls.is_free(start.0, start.1) {
            return false;
        }
        let last = node(walls, goal);
        let found = astar(
            &self.graph,
            node(walls, start),
            |node| node == last,
            |edge| *edge.weight(),
            |node| octile(cell(walls, node), goal),
        );
        found.is_some_and(|(_, nodes)| {
            path.clear();
            path.extend(nodes.into_iter().map(|node| cell(walls, node)));
            true
        })
    }
}

/// All cells in the order of their numbers.
fn cells(walls: &Walls) -> impl Iterator<Item = Point> + use<> {
    let (width, height) = (walls.width as u16, walls.height as u16);
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}

fn node(walls: &Walls, (x, y): Point) -> NodeIndex {
    NodeIndex::new(usize::from(y) * walls.width + usize::from(x))
}

fn cell(walls: &Walls, node: NodeIndex) -> Point {
    // Dividing 32 bits is cheaper than 64.
    let (node, width) = (node.index() as u32, walls.width as u32);
    ((node % width) as u16, (node / width) as u16)
}
