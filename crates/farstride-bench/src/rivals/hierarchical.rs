//! `hierarchical_pathfinding`: HPA* with one level.

use super::{STEPS, Walls};
use crate::rival::{Claims, Length, Point, Prepared, Rival};
use ::hierarchical_pathfinding::prelude::{MooreNeighborhood, Neighborhood, PathCache, PathCacheConfig};
use farstride_testkit::{Diagonals, PlainMap};
use std::sync::Arc;

/// HPA* of `hierarchical_pathfinding`, with paths cached (its default), so
/// that a complete path is only put together.
///
/// It charges for cells, so a diagonal step costs as much as a straight one.
/// Its own neighbourhood with diagonals cuts corners; which neighbours a cell
/// has is left to the user, however, and a strict one makes its paths legal
/// under our rule.
#[derive(Debug, Clone, Copy)]
pub struct Hierarchical {
    name: &'static str,
    chunk_size: usize,
    strict: bool,
}

impl Hierarchical {
    /// Chunks of 32, strict diagonals.
    pub const STRICT_32: Self = Self { name: "hierarchical-32", chunk_size: 32, strict: true };
    /// Chunks of 8 (its default), strict diagonals.
    pub const STRICT_8: Self = Self { name: "hierarchical-8", chunk_size: 8, strict: true };
    /// Chunks of 32, the crate's own diagonals.
    pub const MOORE_32: Self = Self { name: "hierarchical-32-moore", chunk_size: 32, strict: false };

    fn build<N>(self, walls: Arc<Walls>, neighborhood: N) -> Box<dyn Prepared>
    where
        N: Neighborhood + Sync + 'static,
    {
        let cache = PathCache::new(
            (walls.width, walls.height),
            |cell| price(&walls, cell),
            neighborhood,
            PathCacheConfig::with_chunk_size(self.chunk_size),
        );
        Box::new(Ready { walls, cache })
    }
}

impl Rival for Hierarchical {
    fn name(&self) -> &'static str {
        self.name
    }

    fn claims(&self) -> Claims {
        Claims {
            diagonals: if self.strict { Diagonals::Strict } else { Diagonals::Free },
            length: Length::CellCount,
            optimal: false,
            ..Claims::STRICT_OPTIMAL
        }
    }

    fn prepare(&self, map: &PlainMap) -> Result<Box<dyn Prepared>, String> {
        let walls = Arc::new(Walls::new(map)?);
        let (width, height) = (walls.width, walls.height);
        Ok(if self.strict {
            self.build(Arc::clone(&walls), StrictNeighborhood(walls))
        } else {
            self.build(walls, MooreNeighborhood::new(width, height))
        })
    }
}

struct Ready<N: Neighborhood> {
    walls: Arc<Walls>,
    cache: PathCache<N>,
}

impl<N: Neighborhood + Sync> Prepared for Ready<N> {
    fn query(&mut self, start: Point, goal: Point, path: &mut Vec<Point>) -> bool {
        path.clear();
        path.push(start);
        if start == goal {
            return self.walls.is_free(start.0, start.1);
        }
        // It finds paths to walls as well, which is not what is asked here.
        if !self.walls.is_free(goal.0, goal.1) {
            return false;
        }
        let wide = |(x, y): Point| (usize::from(x), usize::from(y));
        let walls = &self.walls;
        let found = self.cache.find_path(wide(start), wide(goal), |cell| price(walls, cell));
        found.is_some_and(|cells| {
            path.extend(cells.map(|(x, y)| (x as u16, y as u16)));
            true
        })
    }
}

/// What a cell costs to walk on; negative means that it is blocked.
fn price(walls: &Walls, (x, y): (usize, usize)) -> isize {
    if walls.free[y * walls.width + x] { 1 } else { -1 }
}

/// Eight neighbours without those behind a corner.
#[derive(Clone, Debug)]
struct StrictNeighborhood(Arc<Walls>);

impl Neighborhood for StrictNeighborhood {
    fn get_all_neighbors(&self, (x, y): (usize, usize), target: &mut Vec<(usize, usize)>) {
        let (x, y) = (x as u16, y as u16);
        let walls = &*self.0;
        for (dx, dy) in STEPS {
            let (to_x, to_y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            // The crate itself looks whether the neighbour is free.
            let straight = dx == 0 || dy == 0;
            if usize::from(to_x) < walls.width
                && usize::from(to_y) < walls.height
                && (straight || walls.is_free(to_x, y) && walls.is_free(x, to_y))
            {
                target.push((usize::from(to_x), usize::from(to_y)));
            }
        }
    }

    fn heuristic(&self, a: (usize, usize), b: (usize, usize)) -> usize {
        a.0.abs_diff(b.0).max(a.1.abs_diff(b.1))
    }
}
