//! What can be counted: lengths, visits, nodes in memory. Nothing here depends
//! on time or on the number of threads.

use super::methods::Method;
use super::site::{Clusters, Couple, Site, Way, Ways, plain, query_of};
use crate::paper::book::{Book, Searcher};
use farstride::hpa::HpaSettings;
use farstride::search::{Counters, Effort, Observer, Phase, PriorState};
use farstride::{Cell, Cost, Diagonals, Engine, Grid, Planner, Point, Query, Scratch};
use farstride_cli::output;
use farstride_io::movingai::ScenarioQuery;
use rayon::prelude::*;
use std::error::Error;

/// Cluster sizes that are tried.
pub(super) const CLUSTERS: [u16; 9] = [5, 8, 10, 13, 16, 20, 25, 32, 40];
/// They are tried on one of this many problems.
pub(super) const EVERY: usize = 8;
/// Rules for diagonal steps that are tried.
pub(super) const RULES: [Diagonals; 3] = [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free];
/// Problems that a thread takes at a time.
const PART: usize = 32;

/// A search of a single step visits both its ends.
const VISITS_OF_A_STEP: u64 = 2;

/// What a search takes and finds.
#[derive(Clone, Copy, Default)]
pub(super) struct Figures {
    pub(super) length: f64,
    /// Visits, by what they are made for.
    pub(super) insert: u64,
    pub(super) main: u64,
    pub(super) refine: u64,
    /// Most nodes in open and closed list together, of any phase.
    pub(super) nodes: u64,
}

impl Figures {
    fn new(length: f64, effort: &Effort) -> Self {
        Self {
            length,
            insert: effort.insert.expanded,
            main: effort.main.expanded,
            refine: effort.refine.expanded,
            nodes: effort.total().peak_nodes,
        }
    }

    pub(super) const fn visits(&self) -> u64 {
        self.insert + self.main + self.refine
    }
}

/// What was counted of a problem.
pub(super) struct Sample {
    /// By [`Method`].
    pub(super) figures: [Figures; Method::COUNT],
    /// Length of the shortest any-angle path, which may touch corners.
    pub(super) shortest: f64,
    /// Whether the goal is in sight of the start.
    pub(super) in_sight: bool,
    /// A path from cell to cell that is shorter than A*'s: there must be none.
    pub(super) shorter: Option<String>,
    /// A leg that is not in sight: there must be none.
    pub(super) hidden: Option<String>,
}

impl Sample {
    pub(super) const fn of(&self, method: Method) -> &Figures {
        &self.figures[method as usize]
    }
}

/// HPA* and HPT* with clusters of some size.
pub(super) struct SizeSample {
    pub(super) hpa: Figures,
    pub(super) hpt: Figures,
    pub(super) hpa_by_the_book: Figures,
    pub(super) hpt_by_the_book: Figures,
    /// Length of Theta*'s path.
    pub(super) theta: f64,
}

/// Searches under another rule for diagonal steps.
pub(super) struct RuleSample {
    pub(super) astar: Figures,
    pub(super) theta: Figures,
    pub(super) hpa: Figures,
    pub(super) hpt: Figures,
    pub(super) astar_by_the_book: Figures,
    pub(super) theta_by_the_book: Figures,
}

/// Clusters of some size, with what was counted of some problems.
pub(super) struct SizeCount {
    pub(super) cluster: u16,
    pub(super) samples: Vec<SizeSample>,
}

/// A rule for diagonal steps, with what was counted of every problem.
pub(super) struct RuleCount {
    pub(super) rule: Diagonals,
    /// Listed queries of different ends that have a path.
    pub(super) solvable: usize,
    pub(super) samples: Vec<RuleSample>,
}

/// Prepares every method on every map.
pub(super) fn prepare(sites: &[Site]) -> Result<Vec<Ways>, Box<dyn Error>> {
    on_all_cores("building", sites, |site| Ways::build(&site.grid))
}

/// Counts every method on every problem.
pub(super) fn count(sites: &[Site], ways: &[Ways]) -> Result<Vec<Sample>, Box<dyn Error>> {
    let maps = sites.iter().zip(ways);
    let parts: Vec<_> = maps
        .flat_map(|(site, ways)| site.problems.chunks(PART).map(move |part| (site, ways, part)))
        .collect();
    let samples = on_all_cores("counting", &parts, |(site, ways, part)| {
        let mut counter = Counter::new(site, &site.grid);
        part.iter().map(|problem| counter.sample(ways, problem)).collect::<Result<Vec<_>, _>>()
    })?;
    Ok(samples.into_iter().flatten().collect())
}

/// Counts HPA* and HPT* with clusters of each of [`CLUSTERS`] on some problems,
/// given the lengths of Theta*'s paths of all.
pub(super) fn count_sizes(sites: &[Site], samples: &[Sample]) -> Result<Vec<SizeCount>, Box<dyn Error>> {
    let mut first = 0;
    let mut tasks = Vec::new();
    for site in sites {
        // Counted over all problems, wherever the map begins.
        let offset = (EVERY - first % EVERY) % EVERY;
        tasks.extend(CLUSTERS.map(|cluster| (cluster, site, first, offset)));
        first += site.problems.len();
    }
    let counted = on_all_cores("cluster sizes", &tasks, |&(cluster, site, first, offset)| {
        let couple = Couple::build(&site.grid, cluster)?;
        let mut counter = Counter::new(site, &site.grid);
        let problems = site.problems.iter().zip(&samples[first..]).skip(offset).step_by(EVERY);
        let sample = |(problem, sample): (_, &Sample)| {
            counter.couple(&couple, query_of(problem), sample.of(Method::Theta).length)
        };
        Ok((cluster, problems.map(sample).collect::<Result<Vec<_>, _>>()?))
    })?;
    let mut counts: Vec<_> = CLUSTERS.map(|cluster| SizeCount { cluster, samples: Vec::new() }).into();
    for (cluster, samples) in counted {
        if let Some(count) = counts.iter_mut().find(|count| count.cluster == cluster) {
            count.samples.extend(samples);
        }
    }
    Ok(counts)
}

/// Counts under each of [`RULES`].
pub(super) fn count_rules(sites: &[Site]) -> Result<Vec<RuleCount>, Box<dyn Error>> {
    let tasks: Vec<_> = sites.iter().flat_map(|site| RULES.map(|rule| (rule, site))).collect();
    let counted = on_all_cores("diagonal rules", &tasks, |&(rule, site)| {
        let grid = site.grid_under(rule);
        let apart = site.listed.iter().filter(|query| query.start != query.goal);
        let solvable = apart.filter(|query| grid.is_connected(query.start, query.goal)).count();
        let astar = plain(&grid, Engine::Astar)?;
        let theta = plain(&grid, Engine::Theta)?;
        let couple = Couple::build(&grid, HpaSettings::thesis().cluster)?;
        let mut counter = Counter::new(site, &grid);
        let mut samples = Vec::with_capacity(site.problems.len());
        for problem in &site.problems {
            let query = query_of(problem);
            samples.push(RuleSample {
                astar: counter.answer(&astar, query)?.figures,
                theta: counter.answer(&theta, query)?.figures,
                hpa: counter.answer(&couple.hpa, query)?.figures,
                hpt: counter.answer(&couple.hpt, query)?.figures,
                astar_by_the_book: counter.by_the_book(Searcher::Astar, query)?,
                theta_by_the_book: counter.by_the_book(Searcher::Theta, query)?,
            });
        }
        Ok((rule, solvable, samples))
    })?;
    let mut counts: Vec<_> = RULES.map(|rule| RuleCount { rule, solvable: 0, samples: Vec::new() }).into();
    for (rule, solvable, samples) in counted {
        if let Some(count) = counts.iter_mut().find(|count| count.rule == rule) {
            count.solvable += solvable;
            count.samples.extend(samples);
        }
    }
    Ok(counts)
}

/// Does something with every task, on all cores; results in their order.
pub(super) fn on_all_cores<T: Sync, R: Send>(
    what: &str,
    tasks: &[T],
    work: impl Fn(&T) -> Result<R, Box<dyn Error>> + Sync,
) -> Result<Vec<R>, Box<dyn Error>> {
    let bar = output::progress(tasks.len(), what);
    let done: Result<Vec<R>, String> = tasks
        .par_iter()
        .map(|task| {
            // Errors cross threads as text.
            let done = work(task).map_err(|error| error.to_string());
            bar.inc(1);
            done
        })
        .collect();
    bar.finish_and_clear();
    Ok(done?)
}

/// Counts queries on one map.
struct Counter<'g> {
    site: &'g Site,
    grid: &'g Grid,
    book: Book<'g>,
    scratch: Scratch,
}

/// An answer and what it took.
struct Answer {
    figures: Figures,
    cost: Cost,
    /// Most nodes in memory of the main search alone.
    main_nodes: u64,
    /// The first leg of an any-angle path that is not in sight.
    hidden: Option<(Cell, Cell)>,
    /// Searches made to refine it, from where to where.
    searches: Vec<(Cell, Cell)>,
    /// The path of HPA*.
    cells: Vec<Cell>,
}

impl<'g> Counter<'g> {
    fn new(site: &'g Site, grid: &'g Grid) -> Self {
        Self { site, grid, book: Book::new(grid), scratch: Scratch::new() }
    }

    fn sample(&mut self, ways: &Ways, problem: &ScenarioQuery) -> Result<Sample, Box<dyn Error>> {
        let query = query_of(problem);
        let Query { start, goal, .. } = query;
        let mut sample = Sample {
            figures: [Figures::default(); Method::COUNT],
            shortest: self.answer(&ways.straight, query)?.figures.length,
            in_sight: self.grid.line_of_sight(start, goal),
            shorter: None,
            hidden: None,
        };
        let mut shortest = Cost::ZERO;
        for ((method, way), figures) in Method::ALL.into_iter().zip(&ways.all).zip(&mut sample.figures) {
            *figures = match way {
                Way::Book(searcher) => self.by_the_book(*searcher, query)?,
                Way::BookInside(planner) => {
                    let answer = self.answer(planner, query)?;
                    self.book_inside(planner, &ways.clusters, &answer, query)
                }
                Way::Planner(planner) => {
                    let answer = self.answer(planner, query)?;
                    let told = || format!("{} on {} from {start} to {goal}", method.name(), self.site.name);
                    if method == Method::Astar {
                        shortest = answer.cost;
                    } else if !planner.engine().is_any_angle() && answer.cost < shortest {
                        sample.shorter.get_or_insert_with(told);
                    }
                    if let Some((from, to)) = answer.hidden {
                        sample.hidden.get_or_insert_with(|| format!("{}, from {from} to {to}", told()));
                    }
                    answer.figures
                }
            };
        }
        Ok(sample)
    }

    /// HPA* and HPT* of some clusters.
    fn couple(&mut self, couple: &Couple, query: Query, theta: f64) -> Result<SizeSample, Box<dyn Error>> {
        let hpa = self.answer(&couple.hpa, query)?;
        let hpt = self.answer(&couple.hpt, query)?;
        Ok(SizeSample {
            hpa: hpa.figures,
            hpt: hpt.figures,
            hpa_by_the_book: self.book_inside(&couple.hpa, &couple.clusters, &hpa, query),
            hpt_by_the_book: self.book_inside(&couple.hpt, &couple.clusters, &hpt, query),
            theta,
        })
    }

    /// What a planner answers.
    fn answer(&mut self, planner: &Planner, query: Query) -> Result<Answer, Box<dyn Error>> {
        let mut watch = Watch::default();
        let outcome = planner.find_observed(query, &mut watch, &mut self.scratch)?;
        let route = outcome.route().ok_or_else(|| no_path(self.site, planner.engine().name(), query))?;
        let path: Vec<Cell> = route.path().turns().filter_map(Point::cell).collect();
        let (legs, cells) =
            if planner.engine().is_any_angle() { (&path[..], &[][..]) } else { (&[][..], &path[..]) };
        let hidden = legs.windows(2).find(|leg| !self.grid.line_of_sight(leg[0], leg[1]));
        Ok(Answer {
            figures: Figures::new(route.length(), &watch.effort),
            cost: route.cost(),
            main_nodes: watch.effort.main.peak_nodes,
            hidden: hidden.map(|leg| (leg[0], leg[1])),
            searches: watch.searches,
            cells: cells.to_vec(),
        })
    }

    /// A search of the whole map as textbooks have it.
    fn by_the_book(&mut self, searcher: Searcher, query: Query) -> Result<Figures, Box<dyn Error>> {
        let mut effort = Effort::default();
        let ends = (query.start, query.goal);
        let cost = self.book.find(searcher, self.grid.area(), ends, &mut effort);
        let cost = cost.ok_or_else(|| no_path(self.site, "the search by the book", query))?;
        let unit = self.grid.rules().diagonal_cost.straight().units();
        Ok(Figures::new(cost.units() as f64 / unit as f64, &effort))
    }

    /// The figures of an answer, if the same searches inside clusters are made
    /// as textbooks have them: start and goal are connected to every node of
    /// their clusters by a search of its own, be it in sight or not, and every
    /// edge that was refined by a search is. HPA* searches even for the steps
    /// from cluster to cluster.
    fn book_inside(
        &mut self,
        planner: &Planner,
        clusters: &Clusters,
        answer: &Answer,
        query: Query,
    ) -> Figures {
        let searcher = if planner.engine().is_any_angle() { Searcher::Theta } else { Searcher::Astar };
        let [mut insert, mut refine] = [Counters::default(); 2];
        for end in [query.start, query.goal] {
            for &node in clusters.nodes(end) {
                self.book.find(searcher, clusters.area(end), (end, node), &mut insert);
            }
        }
        for (number, &(from, to)) in answer.searches.iter().enumerate() {
            let area = clusters.area(from);
            // Two ends in one cluster are joined directly first, in vain perhaps.
            let to =
                if number == 0 && area.contains(query.goal) && from == query.start { query.goal } else { to };
            self.book.find(searcher, area, (from, to), &mut refine);
        }
        let steps = answer.cells.windows(2);
        let crossings = steps.filter(|step| !clusters.area(step[0]).contains(step[1]));
        Figures {
            insert: insert.expanded,
            refine: refine.expanded + VISITS_OF_A_STEP * crossings.count() as u64,
            nodes: answer.main_nodes.max(insert.peak_nodes).max(refine.peak_nodes),
            ..answer.figures
        }
    }
}

fn no_path(site: &Site, who: &str, query: Query) -> String {
    let Query { start, goal, .. } = query;
    let map = &site.name;
    format!("{who} finds no path on {map} from {start} to {goal}, which the scenario says are connected")
}

/// Counts, and notes from where to where the searches of a refinement lead.
#[derive(Default)]
struct Watch {
    effort: Effort,
    refines: bool,
    /// Whether a search has begun and its start is not known yet.
    begun: bool,
    searches: Vec<(Cell, Cell)>,
}

impl Observer<Cell> for Watch {
    fn phase(&mut self, phase: Phase) {
        Observer::<Cell>::phase(&mut self.effort, phase);
        self.refines = phase == Phase::Refine;
    }

    fn begun(&mut self) {
        Observer::<Cell>::begun(&mut self.effort);
        self.begun = self.refines;
    }

    fn expanded(&mut self, cell: Cell, g: Cost) {
        self.effort.expanded(cell, g);
        // The goal is expanded last.
        if let (true, Some(search)) = (self.refines, self.searches.last_mut()) {
            search.1 = cell;
        }
    }

    fn generated(&mut self, cell: Cell) {
        self.effort.generated(cell);
    }

    fn improved(&mut self, cell: Cell, g: Cost, was: PriorState) {
        self.effort.improved(cell, g, was);
        if std::mem::take(&mut self.begun) {
            self.searches.push((cell, cell));
        }
    }
}
