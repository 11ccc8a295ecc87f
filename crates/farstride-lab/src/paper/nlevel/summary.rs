//! The statistics: plain data, ready to be drawn, written or serialized.

use super::measure::{ENGINES, GraphFigures, MapFigures};
use super::published::{CLAIMS, Family, METHODS, Row, TL_SUBOPTIMALITY_PCT};
use crate::paper::table::Both;
use farstride_cli::stats::mean;
use serde::Serialize;

/// Everything that is reported.
#[derive(Serialize)]
pub(super) struct Summary {
    /// How long the measurements took.
    pub(super) seconds: f64,
    /// Queries asked on a map at most.
    pub(super) limit: usize,
    pub(super) maps: usize,
    pub(super) queries: usize,
    /// Queries in the scenarios of these maps.
    pub(super) listed_queries: usize,
    /// Queries whose lengths contradict A*'s: there must be none.
    pub(super) differing: usize,
    pub(super) first_difference: Option<String>,
    pub(super) sets: Vec<SetRow>,
    pub(super) claims: Vec<ClaimRow>,
}

/// A row of Table 1.
#[derive(Serialize)]
pub(super) struct SetRow {
    pub(super) set: &'static str,
    #[serde(skip)]
    pub(super) family: Family,
    pub(super) maps: usize,
    pub(super) queries: usize,
    pub(super) listed_queries: usize,
    /// Queries for which every optimal method found A*'s length, and TL none
    /// that is shorter.
    pub(super) agreeing: usize,
    pub(super) tl_suboptimality_mean_pct: f64,
    pub(super) tl_suboptimality_max_pct: f64,
    pub(super) methods: Vec<MethodRow>,
}

/// What a method does on a set; each value has the published one beside it if
/// there is one. Run times are in microseconds.
#[derive(Serialize)]
pub(super) struct MethodRow {
    pub(super) method: &'static str,
    pub(super) engine: &'static str,
    /// Mean run time of a query.
    pub(super) run: Both,
    /// How many times as fast as A*.
    pub(super) speedup: Both,
    /// The rest is of methods with a graph: means over the maps.
    pub(super) levels: Option<Both>,
    /// Time for the partition alone; of S for finding subgoals and edges.
    pub(super) build_ms: Option<Both>,
    pub(super) subgoals: Option<f64>,
    pub(super) edges: Option<f64>,
    pub(super) extra_edges: Option<f64>,
}

/// How much faster than another a method is, by the text of the paper, by its
/// table, and here.
#[derive(Serialize)]
pub(super) struct ClaimRow {
    pub(super) statement: String,
    pub(super) published: f64,
    pub(super) published_table: Option<f64>,
    pub(super) measured: f64,
}

impl Summary {
    pub(super) fn new(sets: Vec<SetRow>, limit: usize, seconds: f64, differences: &[String]) -> Self {
        let total = |of: fn(&SetRow) -> usize| sets.iter().map(of).sum::<usize>();
        Self {
            seconds,
            limit,
            maps: total(|set| set.maps),
            queries: total(|set| set.queries),
            listed_queries: total(|set| set.listed_queries),
            differing: total(|set| set.queries - set.agreeing),
            first_difference: differences.first().cloned(),
            claims: claims(&sets),
            sets,
        }
    }
}

impl SetRow {
    /// Figures of a set from those of its maps. A map counts as often in a mean
    /// over queries as its scenario has queries, so that a sample of each
    /// stands for all of them.
    pub(super) fn new(published: &'static Row, maps: &[MapFigures]) -> Self {
        let listed: usize = maps.iter().map(|map| map.listed).sum();
        let over_queries = |of: &dyn Fn(&MapFigures) -> f64| {
            maps.iter().map(|map| map.listed as f64 * of(map)).sum::<f64>() / listed.max(1) as f64
        };
        let run_us: Vec<f64> =
            (0..METHODS.len()).map(|method| over_queries(&|map| map.run_us[method])).collect();
        let queries = maps.iter().map(|map| map.queries).sum();
        Self {
            set: published.set,
            family: published.family,
            maps: maps.len(),
            queries,
            listed_queries: listed,
            agreeing: queries - maps.iter().map(|map| map.differing).sum::<usize>(),
            tl_suboptimality_mean_pct: over_queries(&|map| map.excess_mean_pct),
            tl_suboptimality_max_pct: maps.iter().map(|map| map.excess_max_pct).fold(0.0, f64::max),
            methods: (0..METHODS.len())
                .map(|number| MethodRow::new(number, published, &run_us, maps))
                .collect(),
        }
    }

    /// How many times as fast as another a method is.
    fn factor(&self, method: usize, than: usize) -> f64 {
        self.methods[than].run.measured / self.methods[method].run.measured
    }

    /// The same by the table of the paper.
    fn published_factor(&self, method: usize, than: usize) -> Option<f64> {
        Some(self.methods[than].run.published? / self.methods[method].run.published?)
    }
}

impl MethodRow {
    fn new(number: usize, published: &Row, run_us: &[f64], maps: &[MapFigures]) -> Self {
        let over_maps = |of: fn(&GraphFigures) -> f64| {
            let graphs = maps.iter().filter_map(|map| map.graphs[number].as_ref());
            ENGINES[number].has_index().then(|| mean(graphs.map(of)))
        };
        let both = |measured, published| Both { measured, published };
        Self {
            method: METHODS[number],
            engine: ENGINES[number].name(),
            run: both(run_us[number], Some(published.run_ms[number] * 1e3)),
            speedup: both(run_us[0] / run_us[number], Some(published.run_ms[0] / published.run_ms[number])),
            levels: over_maps(|graph| graph.levels).map(|levels| both(levels, published.levels[number])),
            build_ms: over_maps(|graph| graph.build_ms)
                .map(|build_ms| both(build_ms, published.partition_ms[number])),
            subgoals: over_maps(|graph| graph.subgoals),
            edges: over_maps(|graph| graph.edges),
            extra_edges: over_maps(|graph| graph.extra_edges),
        }
    }
}

/// What the text of the paper says about the sets at hand.
fn claims(sets: &[SetRow]) -> Vec<ClaimRow> {
    let mut rows = Vec::new();
    for claim in CLAIMS {
        let Some(set) = sets.iter().find(|set| set.set == claim.set) else { continue };
        let (method, than) = (claim.method, claim.than);
        rows.push(ClaimRow {
            statement: format!("{} on {}: times as fast as {}", METHODS[method], set.set, METHODS[than]),
            published: claim.factor,
            published_table: set.published_factor(method, than),
            measured: set.factor(method, than),
        });
    }
    let most = sets.iter().map(|set| set.tl_suboptimality_mean_pct).fold(0.0, f64::max);
    rows.push(ClaimRow {
        statement: "TL's paths: longer than the shortest on average, % at most".to_owned(),
        published: TL_SUBOPTIMALITY_PCT,
        published_table: None,
        measured: most,
    });
    rows
}
