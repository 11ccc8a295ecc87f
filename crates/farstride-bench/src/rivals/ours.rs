//! Our own engines, asked through the planner like any user would.

use super::Walls;
use crate::rival::{Claims, Length, Point, Prepared, Rival, Shape};
use farstride::{Cell, Diagonals, Engine, Grid, Outcome, Planner, Query, Rules, Scratch};
use farstride_testkit::PlainMap;

/// One of our engines.
#[derive(Debug, Clone, Copy)]
pub struct Ours(pub Engine);

impl Rival for Ours {
    fn name(&self) -> &'static str {
        match self.0 {
            Engine::Dijkstra => "farstride-dijkstra",
            Engine::Astar => "farstride-astar",
            Engine::Theta => "farstride-theta",
            Engine::LazyTheta => "farstride-lazy-theta",
            Engine::Hpa => "farstride-hpa",
            // A new engine takes part under its own name.
            other => other.name(),
        }
    }

    fn claims(&self) -> Claims {
        let any_angle = self.0.is_any_angle();
        Claims {
            shape: if any_angle { Shape::Points } else { Shape::Cells },
            length: if any_angle { Length::Euclidean } else { Length::Octile },
            optimal: self.0.is_optimal(),
            ..Claims::STRICT_OPTIMAL
        }
    }

    fn prepare(&self, map: &PlainMap) -> Result<Box<dyn Prepared>, String> {
        let grid = uniform_grid(map)?;
        let planner = Planner::with_engine(grid, self.0).map_err(|error| error.to_string())?;
        let scratch = Scratch::new();
        Ok(Box::new(Ready { planner, scratch }))
    }
}

impl Ours {
    /// As [`Rival::prepare`], but under another rule, to know how short the
    /// paths of those who move by it can be.
    ///
    /// # Errors
    /// As [`Rival::prepare`].
    pub fn prepare_with(
        &self,
        map: &PlainMap,
        diagonals: farstride_testkit::Diagonals,
    ) -> Result<Box<dyn Prepared>, String> {
        let diagonals = match diagonals {
            farstride_testkit::Diagonals::Strict => Diagonals::Strict,
            farstride_testkit::Diagonals::OneSide => Diagonals::OneSide,
            farstride_testkit::Diagonals::Free => Diagonals::Free,
            farstride_testkit::Diagonals::None => Diagonals::None,
        };
        let rules = Rules { diagonals, ..Rules::default() };
        let grid = uniform_grid(map)?.with_rules(rules);
        let planner = Planner::with_engine(grid, self.0).map_err(|error| error.to_string())?;
        let scratch = Scratch::new();
        Ok(Box::new(Ready { planner, scratch }))
    }
}

fn uniform_grid(map: &PlainMap) -> Result<Grid, String> {
    let walls = Walls::new(map)?;
    let is_free = |cell: Cell| walls.is_free(cell.x, cell.y);
    Grid::from_fn(map.width, map.height, is_free).map_err(|error| error.to_string())
}

struct Ready {
    planner: Planner,
    scratch: Scratch,
}

impl Prepared for Ready {
    fn query(&mut self, start: Point, goal: Point, path: &mut Vec<Point>) -> bool {
        path.clear();
        let query = Query::new(Cell::from(start), Cell::from(goal));
        match self.planner.find(query, &mut self.scratch) {
            Ok(Outcome::Found(route)) => {
                let cells = route.path().turns().filter_map(farstride::Point::cell);
                path.extend(cells.map(|cell| (cell.x, cell.y)));
                true
            }
            Ok(Outcome::AlreadyThere) => {
                path.push(start);
                true
            }
            _ => false,
        }
    }
}
