//! The maps and queries of the benches: generated, with fixed seeds, so that
//! numbers of different days can be compared.

use crate::rival::{Point, widen};
use farstride::{Cell, Grid, Rect};
use farstride_testkit::{Diagonals, Kind, PlainMap, SplitMix64, generate, oracle};

/// Seed of every generated map and of every query on it.
pub const SEED: u64 = 20_240_607;

/// A map with queries on it.
#[derive(Debug, Clone)]
pub struct Workload {
    /// Kind of the map.
    pub name: &'static str,
    /// The map.
    pub map: PlainMap,
    /// Start and goal of queries that have a path.
    pub queries: Vec<(Point, Point)>,
}

impl Workload {
    /// A map of one kind and queries on it.
    ///
    /// # Panics
    /// If the kind cannot be drawn in that size, or has no free cell.
    pub fn new(kind: Kind, side: usize, queries: usize) -> Self {
        let map = generate(kind, side, side, SEED).expect("the kind suits the size");
        let queries = queries_in_largest_region(&map, queries, SEED);
        Self { name: kind.name(), map, queries }
    }

    /// One workload of every kind.
    pub fn all(side: usize, queries: usize) -> impl Iterator<Item = Self> {
        Kind::SAMPLES.into_iter().map(move |kind| Self::new(kind, side, queries))
    }
}

/// Random queries between cells that are connected under the strict rule.
///
/// # Panics
/// If there is no free cell.
pub fn queries_in_largest_region(map: &PlainMap, count: usize, seed: u64) -> Vec<(Point, Point)> {
    let (regions, labels) = oracle::regions(map, Diagonals::Strict);
    let mut sizes = vec![0_u32; regions as usize];
    for &label in labels.iter().flatten() {
        sizes[label as usize] += 1;
    }
    let largest = (0..regions).max_by_key(|&region| sizes[region as usize]);
    let largest = largest.expect("the map has a free cell");
    let mut points = map.free_points();
    points.retain(|&point| labels[map.index(point)] == Some(largest));
    let mut random = SplitMix64::new(seed);
    let mut draw = || {
        let (x, y) = points[random.below(points.len())];
        (x as u16, y as u16)
    };
    (0..count).map(|_| (draw(), draw())).collect()
}

/// The engine's form of a map.
///
/// # Panics
/// If the map is too large for it.
pub fn grid(map: &PlainMap) -> Grid {
    let is_free = |cell: Cell| map.is_free_at(widen((cell.x, cell.y)));
    let mut grid = Grid::from_fn(map.width, map.height, is_free).expect("the size is in range");
    if map.weights.is_some() {
        for (x, y) in map.free_points() {
            let cell = Rect::from(Cell::new(x as u16, y as u16));
            let change = grid.set_weight(cell, map.weight((x, y)) as u8);
            let _ = change.expect("the cell is on the map");
        }
    }
    grid
}

/// The same map with random weights from 1 to 9.
pub fn weighted(map: &PlainMap) -> PlainMap {
    let mut random = SplitMix64::new(SEED);
    let weights = map.free.iter().map(|_| random.between(1, 9) as u8).collect();
    PlainMap { weights: Some(weights), ..map.clone() }
}

/// Two fields of `side` × `side` cells, joined by nothing but a corridor one
/// cell wide, and a cell in the middle of that corridor.
pub fn two_fields(side: usize) -> (PlainMap, Cell) {
    const CORRIDOR: usize = 15;
    let mut map = PlainMap::new(2 * side + CORRIDOR, side, true);
    let row = side / 2;
    for y in (0..side).filter(|&y| y != row) {
        for x in side..side + CORRIDOR {
            map.set_free((x, y), false);
        }
    }
    (map, Cell::new((side + CORRIDOR / 2) as u16, row as u16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_have_paths_and_stay_the_same() {
        for workload in Workload::all(48, 20) {
            let grid = grid(&workload.map);
            assert_eq!(workload.queries.len(), 20);
            for &(start, goal) in &workload.queries {
                assert!(grid.is_connected(start.into(), goal.into()), "{}", workload.name);
            }
        }
        let again = || Workload::new(Kind::World, 64, 5).queries;
        assert_eq!(again(), again());
    }

    #[test]
    fn weights_arrive_in_the_grid() {
        let map = weighted(&PlainMap::from_ascii("...\n.#."));
        let grid = grid(&map);
        for (x, y) in map.free_points() {
            let cell = Cell::new(x as u16, y as u16);
            assert_eq!(u64::from(grid.weight(cell)), map.weight((x, y)));
        }
    }

    #[test]
    fn one_cell_holds_the_fields_together() {
        let (map, cell) = two_fields(40);
        let mut grid = grid(&map);
        assert_eq!(grid.region_count(), 1);
        let _ = grid.block(cell).unwrap();
        assert_eq!(grid.region_count(), 2);
    }
}
