//! `grid_pathfinding`: jump point search.

use super::Walls;
use crate::rival::{Claims, Length, Point, Prepared, Rival};
use ::grid_pathfinding::PathingGrid;
use farstride_testkit::{Diagonals, PlainMap};
use grid_util::ValueGrid;

/// Jump point search of `grid_pathfinding`. It always cuts corners, and counts
/// 99/70 for a diagonal step.
///
/// It calls its paths optimal, and nearly all are; but release 0.3.0 prices
/// the first step after a turn by the direction before the turn, so some are
/// longer than they need be by its own measure. More of them are with improved
/// pruning. They are not held to a promise that they are known to break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GridPathfinding {
    /// With `improved_pruning` off.
    Plain,
    /// With `improved_pruning` on, its default.
    ImprovedPruning,
}

impl Rival for GridPathfinding {
    fn name(&self) -> &'static str {
        match self {
            Self::Plain => "grid_pathfinding",
            Self::ImprovedPruning => "grid_pathfinding-pruned",
        }
    }

    fn claims(&self) -> Claims {
        Claims {
            diagonals: Diagonals::Free,
            length: Length::Ratio99To70,
            optimal: false,
            ..Claims::STRICT_OPTIMAL
        }
    }

    fn prepare(&self, map: &PlainMap) -> Result<Box<dyn Prepared>, String> {
        let walls = Walls::new(map)?;
        let mut grid = PathingGrid::new(walls.width, walls.height, false);
        for (index, &free) in walls.free.iter().enumerate() {
            if !free {
                let (x, y) = map.point(index);
                grid.set(x as i32, y as i32, true);
            }
        }
        grid.improved_pruning = *self == Self::ImprovedPruning;
        grid.generate_components();
        Ok(Box::new(Ready(grid)))
    }
}

struct Ready(PathingGrid);

impl Prepared for Ready {
    fn query(&mut self, start: Point, goal: Point, path: &mut Vec<Point>) -> bool {
        let found = self.0.get_path_single_goal(point(start), point(goal), false);
        found.is_some_and(|points| {
            path.clear();
            path.extend(points.into_iter().map(|point| (point.x as u16, point.y as u16)));
            true
        })
    }
}

fn point((x, y): Point) -> grid_util::Point {
    grid_util::Point::new(i32::from(x), i32::from(y))
}
