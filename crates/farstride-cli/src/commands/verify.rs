//! `farstride verify`: every path of an engine, judged.

use super::rows::{Columns, Row, RowFile};
use crate::options::{EngineOption, MapOptions, PlannerOptions, Prepared, QueryOptions, Reference, took};
use crate::stats::{excess_pct, mean};
use crate::world::Court;
use crate::{Ending, output};
use farstride::error::QueryError;
use farstride::search::Effort;
use farstride::straight::{StraightRule, StraightSettings};
use farstride::{Diagonals, Engine, Grid, Index, Outcome, Planner, Query, Route, Rules, Scratch};
use farstride_io::movingai::ScenarioQuery;
use rayon::prelude::*;
use serde::Serialize;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Check every path of an engine, over a scenario or random queries: its moves, its length, and against A*.
#[derive(clap::Args)]
#[command(after_help = "\
Optimal engines must find paths as long as A*'s, others no shorter ones. Any-angle paths may be
shorter by what turning freely can save, and the cells they cross must form a legal path. A* is
compared with the lengths in the scenario, and some queries are also solved by a search that shares
no code with the engine. Exits with 0 only if every check holds, else with 1.
All options in detail: farstride help verify. Engines and their options: farstride help engines.

Examples:
  farstride verify --map orz700d.map --scen orz700d.map.scen --engine theta
  farstride verify --weights land.pgm --queries 100 --seed 7 --engine hpa
  farstride verify --map orz700d.map --scen orz700d.map.scen --engine hpa --cluster 16 --levels 2
  farstride verify --map orz700d.map --scen orz700d.map.scen --engine hpt --local lazy-theta
  farstride verify --map orz700d.map --scen orz700d.map.scen --engine nsg+
  farstride verify --map orz700d.map --scen orz700d.map.scen --engine labels --block 16
  farstride verify --map orz700d.map --scen orz700d.map.scen --engine straight --rule body
  farstride verify --map orz700d.map --scen orz700d.map.scen --engine straight --against theta,hpt
  farstride verify --map orz700d.map --scen orz700d.map.scen --engine groups --mode exclusion")]
pub(crate) struct Args {
    #[command(flatten)]
    map: MapOptions,

    #[command(flatten)]
    queries: QueryOptions,

    /// Engine; see 'farstride help engines'.
    #[arg(long, default_value = "auto", value_name = "NAME", value_parser = EngineOption::parse)]
    engine: EngineOption,

    /// Queries, evenly spread, that the independent search solves too.
    #[arg(long, default_value_t = 20, value_name = "N")]
    oracle: usize,

    /// Engines, separated by commas, none of whose paths may be shorter; for
    /// optimal engines. They have their default settings.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    against: Vec<Engine>,

    /// Write a line per query to this file, .csv, .jsonl or .json; times are not
    /// measured.
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    options: PlannerOptions,
}

#[derive(Serialize, Default)]
struct Report {
    engine: &'static str,
    map: String,
    /// Where the queries come from: `listed`, or `astar` if they are random.
    reference: &'static str,
    queries: usize,
    found: usize,
    unreachable: usize,
    /// Queries for which A* finds the listed length.
    listed_agree: usize,
    /// Queries that the independent search solved too.
    oracle_checked: usize,
    failed: usize,
    first_offender: Option<String>,
    build_ms: f64,
    /// Excess over A*'s paths.
    suboptimality_mean_pct: f64,
    suboptimality_max_pct: f64,
    expanded_mean: f64,
    expanded_insert_mean: f64,
    expanded_main_mean: f64,
    expanded_refine_mean: f64,
}

/// How much longer than the shortest a path of `straight` may be, in cells.
const STRAIGHT_PROMISE: f64 = 2e-3;

/// A planner that searches corners: `straight` with no memory for labels.
fn string_search(grid: &Arc<Grid>, rule: StraightRule) -> Result<Planner, Box<dyn Error>> {
    let index = Index::build(grid, StraightSettings::default().with_rule(rule).with_budget(0))?;
    Ok(Planner::with_index(Arc::clone(grid), index)?)
}

/// How much longer than a line of sight a shortest grid path between its ends
/// can be. Where every corner that a line may pass can be passed diagonally,
/// the worst is a line half way between two directions; under the strict rule
/// a line may slip past corners that a diagonal step may not, and the detour
/// takes straight steps.
fn any_angle_gain(rules: Rules) -> f64 {
    match rules.diagonals {
        Diagonals::None => 1.0,
        Diagonals::Strict => std::f64::consts::SQRT_2,
        Diagonals::OneSide | Diagonals::Free => (rules.diagonal_cost.ratio() - 1.0).hypot(1.0),
    }
}

pub(crate) fn run(args: &Args) -> Ending {
    let rows = args.rows.as_deref().map(|path| RowFile::new(path, Columns::All)).transpose()?;
    let asked = args.queries.for_map(&args.map, false)?;
    let grid = Arc::new(args.map.load()?);
    let queries = asked.load(&grid)?;
    let prepared = args.options.prepare(args.engine, &grid)?;
    let build_ms = prepared.build_ms();
    let Prepared { planner, why, .. } = prepared;
    let engine = planner.engine();
    let rule = planner.index().and_then(Index::straight).map(|index| index.settings().rule);
    let trial = Trial {
        court: Court::new(&grid),
        planner,
        plain: Planner::with_engine(Arc::clone(&grid), Engine::Astar)?,
        strings: rule.map(|rule| string_search(&grid, rule)).transpose()?,
        rule: rule.unwrap_or_default(),
        rivals: args
            .against
            .iter()
            .map(|&rival| Planner::with_engine(Arc::clone(&grid), rival))
            .collect::<Result<_, _>>()?,
        oracle_every: queries.len().div_ceil(args.oracle.max(1)).max(1),
        oracle: args.oracle,
        is_listed: asked.is_listed(),
    };
    let bar = output::progress(queries.len(), engine.name());
    let scratches = || (Scratch::new(), Scratch::new());
    let judged: Vec<Judged> = queries
        .par_iter()
        .enumerate()
        .map_init(scratches, |scratches, (number, query)| {
            bar.inc(1);
            trial.judge(number, query, scratches)
        })
        .collect::<Result<_, QueryError>>()?;
    bar.finish_and_clear();
    if let Some(rows) = rows {
        write_rows(rows, &args.map.name(), engine, &queries, &judged)?;
    }

    let offender = judged.iter().enumerate().find_map(|(number, judged)| {
        let fault = judged.fault.as_ref()?;
        let ScenarioQuery { start, goal, .. } = queries[number];
        Some(format!("query {number} from {start} to {goal}: {fault}"))
    });
    let report = Report {
        engine: engine.name(),
        map: args.map.name(),
        reference: if trial.is_listed { Reference::Listed } else { Reference::Astar }.name(),
        first_offender: offender,
        build_ms,
        ..Report::new(&judged)
    };
    if args.json {
        output::print_json(&report)?;
    } else {
        let why = why.map_or_else(String::new, |why| took(engine, why));
        output::print(&(why + &report.describe(engine)))?;
    }
    Ok(ExitCode::from(u8::from(report.failed > 0)))
}

fn write_rows(
    mut rows: RowFile,
    map: &str,
    engine: Engine,
    queries: &[ScenarioQuery],
    judged: &[Judged],
) -> Result<(), Box<dyn Error>> {
    for (number, (asked, judged)) in queries.iter().zip(judged).enumerate() {
        rows.push(&Row {
            reference: judged.optimum,
            expanded: judged.effort.total().expanded,
            failure: judged.fault.clone(),
            map: map.to_owned(),
            ..Row::new(engine.name(), number, asked, judged.length)
        })?;
    }
    rows.write()
}

/// Percentages below this come from rounding.
const LEAST_TOLD: f64 = 1e-6;

impl Report {
    /// What the judgements add up to; the rest is empty.
    fn new(judged: &[Judged]) -> Self {
        let count = |is: fn(&Judged) -> bool| judged.iter().filter(|judged| is(judged)).count();
        let expanded = |of: fn(&Effort) -> u64| mean(judged.iter().map(|judged| of(&judged.effort) as f64));
        let excess: Vec<f64> = judged.iter().filter_map(|judged| judged.excess_pct).collect();
        Self {
            queries: judged.len(),
            found: count(|judged| judged.length.is_some()),
            unreachable: count(|judged| judged.length.is_none()),
            listed_agree: count(|judged| judged.listed_agrees),
            oracle_checked: count(|judged| judged.oracle_checked),
            failed: count(|judged| judged.fault.is_some()),
            suboptimality_mean_pct: mean(excess.iter().copied()),
            suboptimality_max_pct: excess.iter().copied().max_by(f64::total_cmp).unwrap_or(0.0),
            expanded_mean: expanded(|effort| effort.total().expanded),
            expanded_insert_mean: expanded(|effort| effort.insert.expanded),
            expanded_main_mean: expanded(|effort| effort.main.expanded),
            expanded_refine_mean: expanded(|effort| effort.refine.expanded),
            ..Self::default()
        }
    }

    fn describe(&self, engine: Engine) -> String {
        let Self { map, queries, found, unreachable, listed_agree, oracle_checked, failed, .. } = self;
        let listed = if self.reference == Reference::Listed.name() {
            format!("{listed_agree} A* lengths as listed, ")
        } else {
            String::new()
        };
        let text = format!(
            "{engine} on {map}: {queries} queries, {found} found, {unreachable} without a route; \
             {listed}{oracle_checked} checked by the independent search\n"
        );
        let text = text + &self.describe_excess(engine);
        match &self.first_offender {
            None if *queries == 0 => text + "nothing to check\n",
            None => text + "all paths hold\n",
            Some(offender) => format!("{text}{failed} failed; the first is {offender}\n"),
        }
    }

    /// How much longer than A*'s the paths are, if they are or may be.
    fn describe_excess(&self, engine: Engine) -> String {
        let (mean, most) = (self.suboptimality_mean_pct, self.suboptimality_max_pct);
        if most <= LEAST_TOLD && (engine.is_optimal() || engine.is_any_angle()) {
            return String::new();
        }
        let (by, than) = (mean.abs(), if mean < 0.0 { "shorter" } else { "longer" });
        format!("paths are {by:.3} % {than} than A*'s on average, at most {most:.3} % longer\n")
    }
}

/// One query, judged.
struct Judged {
    /// Length of the path, and of A*'s.
    length: Option<f64>,
    optimum: Option<f64>,
    listed_agrees: bool,
    oracle_checked: bool,
    fault: Option<String>,
    /// How much longer than A*'s the path is, if there are both.
    excess_pct: Option<f64>,
    effort: Effort,
}

struct Trial {
    court: Court,
    planner: Planner,
    plain: Planner,
    /// A search of corners, if the engine is `straight`.
    strings: Option<Planner>,
    /// The rule of `straight`.
    rule: StraightRule,
    /// Planners whose paths may not be shorter.
    rivals: Vec<Planner>,
    oracle: usize,
    oracle_every: usize,
    /// Whether the queries come from a scenario; random ones all have a path.
    is_listed: bool,
}

impl Trial {
    fn judge(
        &self,
        number: usize,
        asked: &ScenarioQuery,
        (scratch, plain): &mut (Scratch, Scratch),
    ) -> Result<Judged, QueryError> {
        let query = Query::new(asked.start, asked.goal);
        let optimum = Found::of(&self.plain.find(query, plain)?);
        let mut effort = Effort::default();
        let outcome = self.planner.find_observed(query, &mut effort, scratch)?;
        let found = Found::of(&outcome);
        let listed = asked.is_solvable().then_some(asked.length);
        let listed_agrees = self.is_listed && agree(optimum, listed);
        let oracle_checked = self.oracle > 0 && number.is_multiple_of(self.oracle_every);
        let fault = self
            .path_fault(asked, &outcome)
            .or_else(|| self.length_fault(found, optimum))
            .or_else(|| (self.is_standard() && !listed_agrees).then(|| list_fault(optimum, listed)))
            .or_else(|| (!self.is_listed && optimum.is_none()).then(|| "A* finds no path".to_owned()))
            .or_else(|| oracle_checked.then(|| self.oracle_fault(asked, plain))?)
            .or_else(|| oracle_checked.then(|| self.string_fault(asked, found, plain))?)
            .or_else(|| self.rivals.iter().find_map(|rival| rival_fault(rival, query, found, plain)));
        let [length, optimum] = [found, optimum].map(|found| found.map(|found| found.length));
        let excess_pct = optimum.zip(length).map(|(optimum, length)| excess_pct(optimum, length));
        Ok(Judged { length, optimum, listed_agrees, oracle_checked, fault, excess_pct, effort })
    }

    /// What is wrong with the path itself.
    fn path_fault(&self, asked: &ScenarioQuery, outcome: &Outcome<'_>) -> Option<String> {
        let route = outcome.route()?;
        let engine = self.planner.engine();
        match self.court.judge_path(&self.planner, (asked.start, asked.goal), route.path()) {
            Err(fault) => Some(fault.to_string()),
            Ok(judged) if (judged - route.length()).abs() > 1e-9 * judged.max(1.0) => {
                Some(format!("the path is {judged} long, but {} was reported", route.length()))
            }
            Ok(_) if engine.is_any_angle() => self.legs_fault(asked, route),
            Ok(_) => None,
        }
    }

    /// What else is wrong with legs at any angle: together they are no shorter
    /// than the straight line, and the cells they cross can be walked in steps.
    fn legs_fault(&self, asked: &ScenarioQuery, route: &Route<'_>) -> Option<String> {
        let along = |a: u16, b: u16| f64::from(a.abs_diff(b));
        let straight = along(asked.start.x, asked.goal.x).hypot(along(asked.start.y, asked.goal.y));
        if route.length() < straight * (1.0 - 1e-9) {
            return Some(format!("length {}, but the straight line has {straight}", route.length()));
        }
        let crossed = self.planner.grid().entered_cells(route.path().points());
        let judged = self.court.judge(asked.start, asked.goal, &crossed, false);
        judged.err().map(|fault| format!("the cells it crosses are no path: {fault}"))
    }

    /// What is wrong with its length.
    fn length_fault(&self, found: Option<Found>, optimum: Option<Found>) -> Option<String> {
        let engine = self.planner.engine();
        let holds = match (found, optimum) {
            (None, None) => true,
            // A path of steps is a string that may be pulled tighter, unless its diagonal steps
            // cut corners that a body does not pass.
            (Some(found), Some(optimum)) if engine == Engine::Straight => {
                let cuts = self.planner.grid().rules().diagonals != Diagonals::Strict;
                self.rule == StraightRule::Body && cuts || found.length <= optimum.length + STRAIGHT_PROMISE
            }
            (Some(found), Some(optimum)) if engine.is_any_angle() => {
                found.length * any_angle_gain(self.planner.grid().rules()) >= optimum.length * (1.0 - 1e-9)
            }
            (Some(found), Some(optimum)) if engine.is_optimal() => found.units == optimum.units,
            (Some(found), Some(optimum)) => found.units >= optimum.units,
            _ => false,
        };
        let length = |found: Option<Found>| show(found.map(|found| found.length));
        (!holds).then(|| format!("length {}, but A* says {}", length(found), length(optimum)))
    }

    /// Compares a string with one found by a search of corners, without labels.
    fn string_fault(
        &self,
        asked: &ScenarioQuery,
        found: Option<Found>,
        scratch: &mut Scratch,
    ) -> Option<String> {
        let searched = self.strings.as_ref()?.find(Query::new(asked.start, asked.goal), scratch).ok()?;
        let searched = Found::of(&searched).map(|found| found.length);
        let length = found.map(|found| found.length);
        let holds = length.is_some() == searched.is_some()
            && length.unwrap_or(0.0) <= searched.unwrap_or(0.0) + STRAIGHT_PROMISE;
        (!holds).then(|| format!("length {}, but a search of corners says {}", show(length), show(searched)))
    }

    /// Scenarios list lengths for the default rules only.
    fn is_standard(&self) -> bool {
        self.is_listed && self.planner.grid().rules() == Rules::default()
    }

    /// Compares A* with a search that shares no code with it.
    fn oracle_fault(&self, asked: &ScenarioQuery, scratch: &mut Scratch) -> Option<String> {
        let outcome = self.plain.find(Query::new(asked.start, asked.goal), scratch).ok()?;
        let found = Found::of(&outcome).map(|found| found.units);
        let expected = self.court.optimum(asked.start, asked.goal);
        (found != expected).then(|| format!("A* costs {found:?}, the independent search says {expected:?}"))
    }
}

/// Compares a path with that of another engine.
fn rival_fault(rival: &Planner, query: Query, found: Option<Found>, scratch: &mut Scratch) -> Option<String> {
    let other = match rival.find(query, scratch) {
        Ok(outcome) => Found::of(&outcome)?.length,
        Err(error) => return Some(format!("{} gives no answer: {error}", rival.engine())),
    };
    let length = found.map(|found| found.length);
    let holds = length.is_some_and(|length| length <= other + STRAIGHT_PROMISE);
    (!holds).then(|| format!("length {}, but {} finds {other:.5}", show(length), rival.engine()))
}

/// How long a path is.
#[derive(Clone, Copy)]
struct Found {
    length: f64,
    /// Its exact cost. Two cheapest paths may differ in length by what the
    /// fraction for the square root of two is off, but never in cost.
    units: u64,
}

impl Found {
    fn of(outcome: &Outcome<'_>) -> Option<Self> {
        match outcome {
            Outcome::Found(route) => Some(Self { length: route.length(), units: route.cost().units() }),
            Outcome::AlreadyThere => Some(Self { length: 0.0, units: 0 }),
            _ => None,
        }
    }
}

/// Whether A* finds the length that a scenario lists.
fn agree(optimum: Option<Found>, listed: Option<f64>) -> bool {
    match (optimum, listed) {
        (Some(Found { length, .. }), Some(listed)) => {
            (length - listed).abs() <= Reference::Listed.tolerance(listed)
        }
        (optimum, listed) => optimum.is_none() && listed.is_none(),
    }
}

fn list_fault(optimum: Option<Found>, listed: Option<f64>) -> String {
    let optimum = optimum.map(|optimum| optimum.length);
    format!("A* finds length {}, the scenario lists {}", show(optimum), show(listed))
}

fn show(length: Option<f64>) -> String {
    length.map_or_else(|| "none".to_owned(), |length| format!("{length:.5}"))
}
