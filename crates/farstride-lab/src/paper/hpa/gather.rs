//! What can be counted: sizes of graphs, expanded nodes, lengths. Nothing here
//! depends on time or on the number of threads.

use super::book::Book;
use super::site::{LEVELS, PAPER, Site, planner};
use super::straight;
use farstride::hpa::{Hierarchy, HpaLevelCounts, HpaSettings, Tactics};
use farstride::search::Effort;
use farstride::{Cell, Grid, Index, Planner, Query, Route, Scratch};
use std::error::Error;

/// Cluster sizes of Figure 8.
pub(super) const CLUSTERS: [u16; 16] = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 18, 20, 25, 30];

/// What was counted on a map.
pub(super) struct Counted {
    pub(super) sizes: Sizes,
    pub(super) samples: Vec<Sample>,
    /// For each size of [`CLUSTERS`], the effort of every query.
    pub(super) clusters: Vec<Vec<AbstractEffort>>,
}

/// Sizes of the graphs of a map.
pub(super) struct Sizes {
    /// Free cells, and moves between them counted once.
    pub(super) cells: usize,
    pub(super) moves: usize,
    /// Every level of the hierarchies with 1, 2 and 3 levels.
    pub(super) levels: Vec<Vec<HpaLevelCounts>>,
}

/// Nodes expanded to find an abstract path.
#[derive(Clone, Copy)]
pub(super) struct AbstractEffort {
    pub(super) insert: u64,
    pub(super) main: u64,
}

/// What was counted of a query.
pub(super) struct Sample {
    /// Length of the shortest path.
    pub(super) shortest: f64,
    pub(super) astar: Effort,
    /// A* as in the textbook: see [`Book`].
    pub(super) book: Effort,
    /// On 1, 2 and 3 levels.
    pub(super) levels: [Effort; LEVELS],
    pub(super) ours: Effort,
    pub(super) paper_lengths: Lengths,
    pub(super) our_lengths: Lengths,
    /// Length after the paper's own smoothing.
    pub(super) straightened: f64,
    /// Whether all numbers of levels gave the same length.
    pub(super) levels_agree: bool,
}

/// Lengths of a path before and after the engine's smoothing.
#[derive(Clone, Copy)]
pub(super) struct Lengths {
    pub(super) rough: f64,
    pub(super) smooth: f64,
}

/// Counts everything on one map.
pub(super) fn count(site: &Site) -> Result<Counted, String> {
    let counted = || -> Result<Counted, Box<dyn Error>> {
        let mut counter = Counter::new(site);
        let samples = site.queries.iter().map(|&query| counter.sample(query)).collect::<Result<_, _>>()?;
        let clusters =
            CLUSTERS.iter().map(|&cluster| abstract_efforts(site, cluster)).collect::<Result<_, _>>()?;
        Ok(Counted { sizes: sizes(site), samples, clusters })
    };
    // Errors cross threads as text.
    counted().map_err(|error| error.to_string())
}

fn sizes(site: &Site) -> Sizes {
    let grid = &site.grid;
    let free = grid.area().cells().filter(|&cell| grid.is_free(cell));
    Sizes {
        cells: grid.free_count(),
        moves: free.map(|cell| grid.moves(cell).count()).sum::<usize>() / 2,
        levels: site
            .levels
            .iter()
            .filter_map(Planner::index)
            .filter_map(Index::hierarchy)
            .map(Hierarchy::counts)
            .collect(),
    }
}

/// Effort of the queries with one level of clusters of another size.
fn abstract_efforts(site: &Site, cluster: u16) -> Result<Vec<AbstractEffort>, Box<dyn Error>> {
    let planner = planner(&site.grid, HpaSettings::paper(1).with_cluster(cluster), PAPER)?;
    let mut scratch = Scratch::new();
    let mut efforts = Vec::with_capacity(site.queries.len());
    for &query in &site.queries {
        let mut effort = Effort::default();
        planner.find_observed(query, &mut effort, &mut scratch)?;
        efforts.push(AbstractEffort { insert: effort.insert.expanded, main: effort.main.expanded });
    }
    Ok(efforts)
}

/// Counts queries on one map.
struct Counter<'s> {
    site: &'s Site,
    /// The first of the site's hierarchies, and our own, the other way round.
    paper_smooth: Planner,
    ours_rough: Planner,
    book: Book<'s>,
    scratch: Scratch,
}

impl<'s> Counter<'s> {
    fn new(site: &'s Site) -> Self {
        let smooth = PAPER.with_smooth(true);
        let rough = Tactics::default().with_smooth(false);
        Self {
            site,
            paper_smooth: site.levels[0].clone().with_tactics(smooth),
            ours_rough: site.ours.clone().with_tactics(rough),
            book: Book::new(&site.grid),
            scratch: Scratch::new(),
        }
    }

    fn sample(&mut self, query: Query) -> Result<Sample, Box<dyn Error>> {
        let site = self.site;
        let (astar, shortest) = self.effort(&site.astar, query)?;
        let (ours, smooth) = self.effort(&site.ours, query)?;
        let our_lengths = Lengths { rough: self.effort(&self.ours_rough.clone(), query)?.1, smooth };
        let mut levels = [Effort::default(); LEVELS];
        let mut roughs = [0.0; LEVELS];
        for (number, planner) in site.levels.iter().enumerate() {
            (levels[number], roughs[number]) = self.effort(planner, query)?;
        }
        let (_, smooth) = self.effort(&self.paper_smooth.clone(), query)?;
        Ok(Sample {
            shortest,
            astar,
            book: self.book.count(query),
            levels,
            ours,
            paper_lengths: Lengths { rough: roughs[0], smooth },
            our_lengths,
            straightened: self.straightened(query)?,
            levels_agree: roughs.iter().all(|length| length.to_bits() == roughs[0].to_bits()),
        })
    }

    /// Effort and length of one answer.
    fn effort(&mut self, planner: &Planner, query: Query) -> Result<(Effort, f64), Box<dyn Error>> {
        let mut effort = Effort::default();
        let outcome = planner.find_observed(query, &mut effort, &mut self.scratch)?;
        let length = outcome.route().map(Route::length);
        Ok((effort, length.ok_or_else(|| no_path(planner, query))?))
    }

    /// Length of the paper's path after the paper's smoothing.
    fn straightened(&mut self, query: Query) -> Result<f64, Box<dyn Error>> {
        let planner = &self.site.levels[0];
        let outcome = planner.find(query, &mut self.scratch)?;
        let route = outcome.route().ok_or_else(|| no_path(planner, query))?;
        Ok(length(&self.site.grid, &straight::smooth(&self.site.grid, route.path().cells())))
    }
}

fn no_path(planner: &Planner, query: Query) -> String {
    let Query { start, goal, .. } = query;
    format!("{} finds no path from {start} to {goal}, which are connected", planner.engine())
}

fn length(grid: &Grid, path: &[Cell]) -> f64 {
    let steps = path.windows(2).filter_map(|pair| pair[0].direction_to(pair[1]));
    let diagonal = grid.rules().diagonal_cost.ratio();
    steps.map(|direction| if direction.is_diagonal() { diagonal } else { 1.0 }).sum()
}
