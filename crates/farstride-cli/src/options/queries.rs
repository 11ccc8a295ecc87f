//! Where the queries of `bench` and `verify` come from.

use super::MapOptions;
use crate::world;
use clap::{ArgGroup, Args};
use farstride::error::QueryError;
use farstride::{Engine, Grid, Planner, Query, Route, Rules, Scratch};
use farstride_io::movingai::{ScenarioQuery, load_scenario};
use rayon::prelude::*;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A scenario, or random queries.
#[derive(Args, Clone, Debug)]
#[command(group = ArgGroup::new("source").multiple(false))]
pub(crate) struct QueryOptions {
    /// Scenario in the MovingAI format [default: NAME.map.scen beside NAME.map]; on a map with
    /// weights, its lengths are costs.
    #[arg(long, value_name = "FILE", group = "source")]
    scen: Option<PathBuf>,

    /// Ask N random queries that have a path, instead of a scenario's; the
    /// reference is A*.
    #[arg(long, value_name = "N", group = "source", value_parser = clap::value_parser!(u32).range(1..=MOST_QUERIES))]
    queries: Option<u32>,

    /// Seed of the random queries [default: 0].
    #[arg(long, value_name = "S", conflicts_with = "scen")]
    seed: Option<u64>,

    /// Run only the first N queries.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// Limit of `--queries`.
const MOST_QUERIES: i64 = 10_000_000;

/// Queries, and what their lengths are worth.
pub(crate) struct Asked {
    pub(crate) queries: Vec<ScenarioQuery>,
    pub(crate) reference: Reference,
}

/// Where reference lengths come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reference {
    /// From the scenario, with as many digits as it has.
    Listed,
    /// Found by A* on this map under these rules.
    Astar,
}

impl Reference {
    /// The word for it in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Astar => "astar",
        }
    }

    /// How much a length may differ from this reference and be the same.
    pub(crate) fn tolerance(self, length: f64) -> f64 {
        match self {
            // Scenarios list six digits, some only two decimals.
            Self::Listed => 0.006 + length * 5e-6,
            // Costs count a diagonal step as a fraction near the square root of
            // two. Two cheapest paths may differ in length by that much.
            Self::Astar => length * 1e-7,
        }
    }
}

impl QueryOptions {
    /// The same queries with the scenario named: that beside the map, if none is.
    ///
    /// Fails if there is none, or if one is named for several maps.
    pub(crate) fn for_map(&self, map: &MapOptions, is_list: bool) -> Result<Self, String> {
        if self.scen.is_some() && is_list {
            return Err("--scen is of one map; without it, each map's own is taken".to_owned());
        }
        if self.scen.is_some() || self.queries.is_some() {
            return Ok(self.clone());
        }
        let Some(map) = map.file() else {
            return Err(
                "no queries: give a scenario with --scen, or ask random ones with --queries".to_owned()
            );
        };
        let mut scen = map.as_os_str().to_owned();
        scen.push(".scen");
        let scen = PathBuf::from(scen);
        if !scen.is_file() {
            return Err(format!(
                "there is no {}: name a scenario with --scen, or ask random queries with --queries",
                scen.display()
            ));
        }
        Ok(Self { scen: Some(scen), ..self.clone() })
    }

    /// Whether the queries come from a scenario.
    pub(crate) const fn is_listed(&self) -> bool {
        self.scen.is_some()
    }

    /// The scenario's file.
    pub(crate) fn scenario(&self) -> Option<&Path> {
        self.scen.as_deref()
    }

    /// The queries to ask; random ones have no lengths yet.
    pub(crate) fn load(&self, grid: &Grid) -> Result<Vec<ScenarioQuery>, Box<dyn Error>> {
        let mut queries = self.load_all(grid)?;
        queries.truncate(self.limit.unwrap_or(usize::MAX));
        Ok(queries)
    }

    fn load_all(&self, grid: &Grid) -> Result<Vec<ScenarioQuery>, Box<dyn Error>> {
        let Some(scen) = &self.scen else {
            let count = self.queries.unwrap_or_default() as usize;
            let pairs = world::random_queries(grid, count, self.seed.unwrap_or_default())?;
            let query = |(start, goal)| ScenarioQuery { bucket: 0, start, goal, length: 0.0 };
            return Ok(pairs.into_iter().map(query).collect());
        };
        Ok(load_scenario(scen, grid)?)
    }

    /// The queries whose reference is at least `min_length`, with their
    /// references.
    pub(crate) fn with_references(
        &self,
        grid: &Arc<Grid>,
        min_length: Option<f64>,
    ) -> Result<Asked, Box<dyn Error>> {
        // A limit counts queries that are long enough; without such a condition it
        // saves references that nobody needs.
        let mut queries = if min_length.is_none() { self.load(grid)? } else { self.load_all(grid)? };
        // Scenarios list lengths under the default rules.
        let is_listed = self.is_listed() && grid.rules() == Rules::default();
        let reference = if is_listed { Reference::Listed } else { Reference::Astar };
        if reference == Reference::Astar {
            refer_to_astar(grid, &mut queries)?;
        }
        queries.retain(|query| query.length >= min_length.unwrap_or(0.0));
        queries.truncate(self.limit.unwrap_or(usize::MAX));
        Ok(Asked { queries, reference })
    }
}

/// Sets the lengths of queries to those that plain A* finds.
fn refer_to_astar(grid: &Arc<Grid>, queries: &mut [ScenarioQuery]) -> Result<(), Box<dyn Error>> {
    let planner = Planner::with_engine(Arc::clone(grid), Engine::Astar)?;
    queries.par_iter_mut().try_for_each_init(Scratch::new, |scratch, query| {
        let outcome = planner.find(Query::new(query.start, query.goal), scratch)?;
        query.length = outcome.route().map_or(0.0, Route::length);
        Ok::<_, QueryError>(())
    })?;
    Ok(())
}
