//! The built-in map, and the testkit's view of a map.

use farstride::grid::DiagonalCost;
use farstride::{Cell, Diagonals, Grid};
use farstride_io::movingai::{self, MapError};
use farstride_testkit as testkit;
use farstride_testkit::{PlainMap, Point, SplitMix64};
use std::iter;

/// Made by `farstride gen world --size 150x84 --seed 20`; a test compares.
const WORLD: &[u8] = include_bytes!("maps/world.map");

/// The map that commands use when none is named.
pub(crate) fn built_in() -> Result<Grid, MapError> {
    movingai::read_map(WORLD)
}

/// The ends of a path across the whole built-in map, picked by eye from those of
/// 300 random queries whose excess over A* is in the middle half for hpa, hpt,
/// groups and theta; a test of `demo` checks that.
pub(crate) const TOUR: (Cell, Cell) = (Cell::new(126, 56), Cell::new(3, 2));

/// Free cells drawn at random; a cell may be drawn more than once.
pub(crate) fn random_cells(
    grid: &Grid,
    seed: u64,
) -> Result<impl Iterator<Item = Cell> + use<>, &'static str> {
    let free: Vec<Cell> = grid.area().cells().filter(|&cell| grid.is_free(cell)).collect();
    if free.is_empty() {
        return Err("no cell of the map is free");
    }
    let mut random = SplitMix64::new(seed);
    Ok(iter::repeat_with(move || free[random.below(free.len())]))
}

/// Pairs of different connected cells, drawn at random. Does not return if the map
/// has none.
pub(crate) fn random_queries(
    grid: &Grid,
    count: usize,
    seed: u64,
) -> Result<Vec<(Cell, Cell)>, &'static str> {
    let mut cells = random_cells(grid, seed)?;
    let pairs = iter::from_fn(|| Some((cells.next()?, cells.next()?)));
    let solvable = pairs.filter(|&(start, goal)| start != goal && grid.is_connected(start, goal));
    Ok(solvable.take(count).collect())
}

/// The testkit's copy of a map, which judges paths.
pub(crate) struct Court {
    map: PlainMap,
    diagonals: testkit::Diagonals,
    cost: testkit::DiagonalCost,
}

impl Court {
    pub(crate) fn new(grid: &Grid) -> Self {
        let mut map = PlainMap::new(grid.width(), grid.height(), false);
        for cell in grid.area().cells().filter(|&cell| grid.is_free(cell)) {
            map.set_free(point(cell), true);
        }
        let rules = grid.rules();
        let diagonals = match rules.diagonals {
            Diagonals::Strict => testkit::Diagonals::Strict,
            Diagonals::OneSide => testkit::Diagonals::OneSide,
            Diagonals::Free => testkit::Diagonals::Free,
            Diagonals::None => testkit::Diagonals::None,
        };
        let cost = match rules.diagonal_cost {
            DiagonalCost::Ratio142 => testkit::DiagonalCost::Ratio142,
            _ => testkit::DiagonalCost::Sqrt2,
        };
        Self { map, diagonals, cost }
    }

    /// Length of a legal path, or what is wrong with it.
    pub(crate) fn judge(
        &self,
        start: Cell,
        goal: Cell,
        path: &[Cell],
        any_angle: bool,
    ) -> Result<f64, testkit::Fault> {
        let points: Vec<Point> = path.iter().copied().map(point).collect();
        let (start, goal) = (point(start), point(goal));
        if any_angle {
            return testkit::judge_any_angle(&self.map, self.diagonals, start, goal, &points);
        }
        let verdict = testkit::judge_grid(&self.map, self.diagonals, self.cost, start, goal, &points)?;
        Ok(verdict.length)
    }

    /// Cost of a shortest path in units, by a search that shares nothing with
    /// the engine.
    pub(crate) fn optimum(&self, start: Cell, goal: Cell) -> Option<u64> {
        testkit::oracle::distance(&self.map, self.diagonals, self.cost, point(start), point(goal))
    }
}

fn point(cell: Cell) -> Point {
    (usize::from(cell.x), usize::from(cell.y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use farstride_testkit::{Kind, generate};

    #[test]
    fn the_built_in_map_is_what_our_generator_draws() {
        let drawn = generate(Kind::World, 150, 84, 20).unwrap().to_movingai();
        assert_eq!(String::from_utf8_lossy(WORLD), drawn);
    }

    #[test]
    fn the_tour_leads_somewhere() {
        let grid = built_in().unwrap();
        assert!(grid.is_connected(TOUR.0, TOUR.1));
    }
}
