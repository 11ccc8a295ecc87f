//! A map, its queries, and the planners that answer them.

use farstride::grid::DiagonalCost;
use farstride::hpa::{HpaSettings, Tactics};
use farstride::index::BuildOptions;
use farstride::{Cell, Diagonals, Engine, Grid, Index, Planner, Query, Rules};
use farstride_io::movingai;
use farstride_testkit::random::SplitMix64;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

/// Queries per map.
pub(super) const PAIRS: usize = 100;
/// The hierarchies of the paper have one level up to this many.
pub(super) const LEVELS: usize = 3;
/// What one may do on the paper's maps.
const RULES: Rules = Rules { diagonals: Diagonals::OneSide, diagonal_cost: DiagonalCost::Ratio142 };
/// Pairs that are drawn before a map is taken to have none that are connected.
const MOST_DRAWS: usize = 100_000;

/// How the paper answers a query; what it counts does not include smoothing.
pub(super) const PAPER: Tactics = Tactics::paper().with_smooth(false);

/// A map ready to be measured.
pub(super) struct Site {
    pub(super) grid: Arc<Grid>,
    pub(super) queries: Vec<Query>,
    pub(super) astar: Planner,
    /// Hierarchies of the paper with 1, 2 and 3 levels, without smoothing.
    pub(super) levels: Vec<Planner>,
    /// Our own settings and tactics.
    pub(super) ours: Planner,
}

impl Site {
    pub(super) fn load(file: &Path, seed: u64, number: usize) -> Result<Self, String> {
        let told = |error: Box<dyn Error>| error.to_string();
        let grid = Arc::new(movingai::load_map(file).map_err(|error| told(error.into()))?.with_rules(RULES));
        Self::new(grid, seed, number).map_err(told)
    }

    fn new(grid: Arc<Grid>, seed: u64, number: usize) -> Result<Self, Box<dyn Error>> {
        let queries = random_queries(&grid, seed, number);
        let astar = Planner::with_engine(Arc::clone(&grid), Engine::Astar)?;
        let levels = (1..=LEVELS as u8).map(|levels| planner(&grid, HpaSettings::paper(levels), PAPER));
        let levels = levels.collect::<Result<_, _>>()?;
        let ours = planner(&grid, HpaSettings::default(), Tactics::default())?;
        Ok(Self { grid, queries, astar, levels, ours })
    }
}

/// HPA* on a map; maps are shared among the cores, so each is built on one.
pub(super) fn planner(
    grid: &Arc<Grid>,
    settings: HpaSettings,
    tactics: Tactics,
) -> Result<Planner, Box<dyn Error>> {
    let index = Index::build_with(grid, settings, &BuildOptions::new().threads(1))?;
    Ok(Planner::with_index(Arc::clone(grid), index)?.with_tactics(tactics))
}

/// Pairs of different cells that a path joins. The numbers of a map depend on
/// seed and place alone, so that a limit changes none of them.
fn random_queries(grid: &Grid, seed: u64, number: usize) -> Vec<Query> {
    let free: Vec<Cell> = grid.area().cells().filter(|&cell| grid.is_free(cell)).collect();
    if free.is_empty() {
        return Vec::new();
    }
    let mut random = SplitMix64::new(SplitMix64::new(seed).next_u64() ^ number as u64);
    let mut draw = || free[random.below(free.len())];
    let pairs = (0..MOST_DRAWS).map(|_| Query::new(draw(), draw()));
    pairs
        .filter(|query| query.start != query.goal && grid.is_connected(query.start, query.goal))
        .take(PAIRS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_solvable_and_depend_on_the_seed() {
        let grid = Grid::from_ascii("..#..\n..#..\n..#..").unwrap();
        let queries = random_queries(&grid, 7, 0);
        assert_eq!(queries.len(), PAIRS);
        assert!(queries.iter().all(|query| grid.is_connected(query.start, query.goal)));
        assert_eq!(queries, random_queries(&grid, 7, 0));
        assert_ne!(queries, random_queries(&grid, 8, 0));
        assert_ne!(queries, random_queries(&grid, 7, 1));
    }

    #[test]
    fn maps_without_pairs_have_no_queries() {
        for map in ["#", ".", ".#.", "###\n###"] {
            assert!(random_queries(&Grid::from_ascii(map).unwrap(), 1, 0).is_empty(), "{map}");
        }
    }
}
