//! One map: its graphs are built, every query is answered by every method.

use super::published::METHODS;
use crate::paper::clock::REPEATS;
use crate::paper::scenario::{scenario_of, spread};
use farstride::error::{BuildError, QueryError};
use farstride::index::{BuildOptions, IndexSettings};
use farstride::subgoal::SubgoalGraph;
use farstride::{Engine, Grid, Index, Outcome, Planner, Query, Scratch};
use farstride_cli::stats::excess_pct;
use farstride_io::movingai::{self, ScenarioQuery};
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Our engines for the paper's methods.
pub(super) const ENGINES: [Engine; METHODS.len()] =
    [Engine::Astar, Engine::Ssg, Engine::Tl, Engine::Nsg, Engine::NsgPlus];

/// Graphs that are built in less are built as often.
const BRIEF_MS: f64 = 200.0;

/// What was measured on a map.
pub(super) struct MapFigures {
    /// Queries in the scenario.
    pub(super) listed: usize,
    /// Queries that were asked.
    pub(super) queries: usize,
    /// Mean run time in microseconds, of every method.
    pub(super) run_us: [f64; METHODS.len()],
    pub(super) graphs: [Option<GraphFigures>; METHODS.len()],
    /// How much longer than the shortest TL's paths are.
    pub(super) excess_mean_pct: f64,
    pub(super) excess_max_pct: f64,
    /// Queries for which an optimal method did not find A*'s length, or TL a
    /// shorter one.
    pub(super) differing: usize,
    pub(super) first_difference: Option<String>,
}

/// A subgoal graph.
#[derive(Clone, Copy)]
pub(super) struct GraphFigures {
    pub(super) levels: f64,
    /// Of all edges.
    pub(super) edges: f64,
    /// Of those that the partition added.
    pub(super) extra_edges: f64,
    pub(super) subgoals: f64,
    /// Time to find subgoals and their edges, or to partition them: the time
    /// for the simple graph, or how much longer this graph takes.
    pub(super) build_ms: f64,
}

/// Measures a map on one thread, asking at most `limit` queries.
pub(super) fn measure(map: &Path, limit: usize) -> Result<MapFigures, Box<dyn Error>> {
    let grid = Arc::new(movingai::load_map(map)?);
    let listed = movingai::load_scenario(&scenario_of(map), &grid)?;
    let queries = spread(&listed, limit);
    let mut simple_ms = None;
    let mut graphs = [None; METHODS.len()];
    let mut planners = Vec::with_capacity(METHODS.len());
    for (engine, figures) in ENGINES.into_iter().zip(&mut graphs) {
        let Some(settings) = engine.default_settings() else {
            planners.push(Planner::with_engine(Arc::clone(&grid), engine)?);
            continue;
        };
        let (index, build_ms) = build(&grid, settings)?;
        let partition_ms = simple_ms.map_or(build_ms, |simple: f64| (build_ms - simple).max(0.0));
        simple_ms = simple_ms.or(Some(build_ms));
        *figures = index.subgoals().map(|graph| GraphFigures::new(graph, partition_ms));
        planners.push(Planner::with_index(Arc::clone(&grid), index)?);
    }
    let mut race = Race { planners, scratch: Scratch::new(), figures: MapFigures::new(&listed, graphs) };
    for query in &queries {
        race.run(query)?;
    }
    Ok(race.finish(map))
}

/// An index built on one thread, and the least time that took in milliseconds.
fn build(grid: &Grid, settings: IndexSettings) -> Result<(Index, f64), BuildError> {
    let timed = || {
        let begun = Instant::now();
        let index = Index::build_with(grid, settings, &BuildOptions::new().threads(1))?;
        Ok::<_, BuildError>((index, begun.elapsed().as_secs_f64() * 1e3))
    };
    let (index, mut least) = timed()?;
    if least < BRIEF_MS {
        for _ in 1..REPEATS {
            least = least.min(timed()?.1);
        }
    }
    Ok((index, least))
}

impl GraphFigures {
    fn new(graph: &SubgoalGraph, build_ms: f64) -> Self {
        let edges = graph.levels().edges();
        let (edges, extra) =
            edges.fold((0, 0), |(all, extra), edge| (all + 1, extra + u32::from(edge.via.is_some())));
        Self {
            levels: graph.levels().level_count().into(),
            edges: f64::from(edges),
            extra_edges: f64::from(extra),
            subgoals: graph.subgoals().len() as f64,
            build_ms,
        }
    }
}

impl MapFigures {
    fn new(listed: &[ScenarioQuery], graphs: [Option<GraphFigures>; METHODS.len()]) -> Self {
        Self {
            listed: listed.len(),
            queries: 0,
            run_us: [0.0; METHODS.len()],
            graphs,
            excess_mean_pct: 0.0,
            excess_max_pct: 0.0,
            differing: 0,
            first_difference: None,
        }
    }
}

/// All methods over the queries of a map; sums until it is finished.
struct Race {
    planners: Vec<Planner>,
    scratch: Scratch,
    figures: MapFigures,
}

impl Race {
    fn run(&mut self, asked: &ScenarioQuery) -> Result<(), QueryError> {
        let query = Query::new(asked.start, asked.goal);
        let mut shortest = None;
        let mut differs = None;
        for (number, planner) in self.planners.iter().enumerate() {
            let (micros, found) = time(planner, query, &mut self.scratch)?;
            self.figures.run_us[number] += micros;
            let engine = planner.engine();
            let best = *shortest.get_or_insert(found);
            let holds = if engine.is_optimal() {
                found == best
            } else {
                found.is_some() == best.is_some() && found >= best
            };
            if !holds && differs.is_none() {
                differs = Some(format!("{engine} from {} to {}", query.start, query.goal));
            }
            if let (false, Some(found), Some(best)) = (engine.is_optimal(), found, best) {
                let excess = excess_pct(best as f64, found as f64);
                self.figures.excess_mean_pct += excess;
                self.figures.excess_max_pct = self.figures.excess_max_pct.max(excess);
            }
        }
        self.figures.queries += 1;
        self.figures.differing += usize::from(differs.is_some());
        self.figures.first_difference = self.figures.first_difference.take().or(differs);
        Ok(())
    }

    fn finish(self, map: &Path) -> MapFigures {
        let mut figures = self.figures;
        let queries = figures.queries.max(1) as f64;
        figures.run_us.iter_mut().for_each(|sum| *sum /= queries);
        figures.excess_mean_pct /= queries;
        figures.first_difference =
            figures.first_difference.map(|difference| format!("{}: {difference}", map.display()));
        figures
    }
}

/// Least time of some runs in microseconds, and the exact cost in units.
fn time(planner: &Planner, query: Query, scratch: &mut Scratch) -> Result<(f64, Option<u64>), QueryError> {
    let mut least = f64::INFINITY;
    let mut cost = None;
    for _ in 0..REPEATS {
        let begun = Instant::now();
        let outcome = black_box(planner.find(query, scratch)?);
        least = least.min(begun.elapsed().as_secs_f64() * 1e6);
        cost = match outcome {
            Outcome::Found(route) => Some(route.cost().units()),
            Outcome::AlreadyThere => Some(0),
            _ => None,
        };
    }
    Ok((least, cost))
}
