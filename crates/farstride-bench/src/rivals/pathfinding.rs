//! `pathfinding`: A* over whatever a closure calls successors.

use super::{Walls, octile};
use crate::rival::{Claims, Point, Prepared, Rival};
use ::pathfinding::directed::astar::astar;
use farstride_testkit::PlainMap;

/// A* of the crate `pathfinding`, on a plain grid of booleans.
///
/// The crate keeps nodes in a hash map. Cells are handed over packed into four
/// bytes, which it hashes faster than pairs. Costs are 32 bits wide: enough
/// for paths of a million steps.
#[derive(Debug, Clone, Copy)]
pub struct Pathfinding;

impl Rival for Pathfinding {
    fn name(&self) -> &'static str {
        "pathfinding-astar"
    }

    fn claims(&self) -> Claims {
        Claims::STRICT_OPTIMAL
    }

    fn prepare(&self, map: &PlainMap) -> Result<Box<dyn Prepared>, String> {
        Ok(Box::new(Walls::new(map)?))
    }
}

impl Prepared for Walls {
    fn query(&mut self, start: Point, goal: Point, path: &mut Vec<Point>) -> bool {
        if !self.is_free(start.0, start.1) {
            return false;
        }
        let last = pack(goal);
        let found = astar(
            &pack(start),
            |&node| {
                let steps = self.strict_steps(unpack(node));
                steps.map(|(cell, cost)| (pack(cell), cost))
            },
            |&node| octile(unpack(node), goal),
            |&node| node == last,
        );
        found.is_some_and(|(nodes, _)| {
            path.clear();
            path.extend(nodes.into_iter().map(unpack));
            true
        })
    }
}

fn pack((x, y): Point) -> u32 {
    u32::from(y) << 16 | u32::from(x)
}

fn unpack(node: u32) -> Point {
    (node as u16, (node >> 16) as u16)
}
