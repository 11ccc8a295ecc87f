//! The built-in map, and the testkit's view of a map.

use farstride::grid::DiagonalCost;
use farstride::straight::StraightRule;
use farstride::{Cell, Diagonals, Grid, Index, Path, Planner};
use farstride_io::movingai::{self, MapError};
use farstride_testkit as testkit;
use farstride_testkit::{PlainMap, Point, SplitMix64, TerrainKind, generate_terrain};
use std::collections::HashSet;
use std::error::Error;
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
pub(crate) const TOUR: (Cell, Cell) = (Cell::new(8, 73), Cell::new(141, 70));

/// A map of the same size with weights: what `farstride gen terrain --size 150x84
/// --seed 3` draws.
pub(crate) fn terrain() -> Result<Grid, Box<dyn Error>> {
    let map = generate_terrain(TerrainKind::Roads, 150, 84, 3)?;
    let weights: Vec<u8> = (0..map.free.len())
        .map(|index| if map.free[index] { map.weight(map.point(index)) as u8 } else { 0 })
        .collect();
    Ok(Grid::from_weights(map.width, map.height, &weights)?)
}

/// The ends of a path across the whole map with weights, picked by eye from those of
/// 300 random queries whose excess over A* is in the middle half for hpa, which is 0,
/// and for groups; a test of `demo` checks that.
pub(crate) const TERRAIN_TOUR: (Cell, Cell) = (Cell::new(140, 72), Cell::new(12, 37));

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

/// Pairs drawn for each one wanted before the search for connected ones changes
/// its way: on most maps, far more than one in a thousand is connected.
const MOST_DRAWN: usize = 1000;

/// Pairs of different connected cells, drawn at random.
///
/// Both ends are drawn from all free cells. On maps of so many regions that such
/// pairs are hardly ever connected, the goal is drawn near the start instead.
pub(crate) fn random_queries(
    grid: &Grid,
    count: usize,
    seed: u64,
) -> Result<Vec<(Cell, Cell)>, &'static str> {
    let mut cells = random_cells(grid, seed)?;
    let is_solvable = |start, goal| start != goal && grid.is_connected(start, goal);
    let mut queries = Vec::with_capacity(count);
    for _ in 0..count.saturating_mul(MOST_DRAWN) {
        if queries.len() == count {
            return Ok(queries);
        }
        if let (Some(start), Some(goal)) = (cells.next(), cells.next())
            && is_solvable(start, goal)
        {
            queries.push((start, goal));
        }
    }
    let starts: Vec<Cell> = grid.area().cells().filter(|&cell| grid.moves(cell).next().is_some()).collect();
    if starts.is_empty() {
        return Err("no two free cells of the map are connected: there is nothing to ask");
    }
    let mut random = SplitMix64::new(seed);
    while queries.len() < count {
        let start = starts[random.below(starts.len())];
        let near = around(grid, start);
        queries.push((start, near[random.below(near.len())]));
    }
    Ok(queries)
}

/// Up to a thousand cells or so that can be reached from `start`, which has
/// neighbours.
fn around(grid: &Grid, start: Cell) -> Vec<Cell> {
    let mut seen = HashSet::from([start]);
    let mut reached = vec![start];
    let mut next = 0;
    while let Some(&cell) = reached.get(next).filter(|_| reached.len() < 1000) {
        let steps = grid.moves(cell).map(|direction| cell.step(direction));
        reached.extend(steps.filter(|&cell| seen.insert(cell)));
        next += 1;
    }
    reached.split_off(1)
}

/// What the length of a path is called: with weights, it is a cost.
pub(crate) fn measure_name(grid: &Grid) -> &'static str {
    if grid.is_uniform() { "length" } else { "cost" }
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
        if !grid.is_uniform() {
            map.weights = Some(grid.area().cells().map(|cell| grid.weight(cell)).collect());
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

    /// Length of a legal path that a planner found, or what is wrong with it.
    pub(crate) fn judge_path(
        &self,
        planner: &Planner,
        (start, goal): (Cell, Cell),
        path: Path<'_>,
    ) -> Result<f64, testkit::Fault> {
        let Path::Points(points) = path else { return self.judge(start, goal, path.cells(), false) };
        if let Some(index) = planner.index().and_then(Index::straight) {
            let points: Vec<_> = points.iter().map(|point| (point.x.into(), point.y.into())).collect();
            let judge = match index.settings().rule {
                StraightRule::Body => testkit::judge_body,
                _ => testkit::judge_points,
            };
            return judge(&self.map, self::point(start), self::point(goal), &points);
        }
        let mut cells = Vec::new();
        for (position, point) in points.iter().enumerate() {
            let half = (point.x.into(), point.y.into());
            cells.push(point.cell().ok_or(testkit::Fault::NoBend { position, point: half })?);
        }
        self.judge(start, goal, &cells, true)
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
    fn random_queries_are_solvable_however_few_are() {
        // 2500 isolated cells, and one pair.
        let mut grid = Grid::from_fn(100, 100, |cell| cell.x % 2 == 0 && cell.y % 2 == 0).unwrap();
        assert!(random_queries(&grid, 3, 1).is_err());
        grid.free(Cell::new(1, 0)).unwrap();
        for (start, goal) in random_queries(&grid, 3, 1).unwrap() {
            assert!(start != goal && grid.is_connected(start, goal), "{start} {goal}");
        }
        assert!(random_queries(&Grid::from_fn(9, 9, |_| false).unwrap(), 1, 1).is_err());
        let queries = random_queries(&built_in().unwrap(), 50, 7).unwrap();
        assert_eq!(queries, random_queries(&built_in().unwrap(), 50, 7).unwrap());
        assert_ne!(queries, random_queries(&built_in().unwrap(), 50, 8).unwrap());
    }

    #[test]
    fn the_tour_leads_somewhere() {
        let grid = built_in().unwrap();
        assert!(grid.is_connected(TOUR.0, TOUR.1));
        let grid = terrain().unwrap();
        assert!(!grid.is_uniform());
        assert!(grid.is_connected(TERRAIN_TOUR.0, TERRAIN_TOUR.1));
    }
}
