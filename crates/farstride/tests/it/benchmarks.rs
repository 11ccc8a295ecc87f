//! The lengths listed by the MovingAI scenarios are those that A* finds, and
//! engines that search subgoal graphs or look up labels find paths of the same
//! cost to the unit.
//!
//! The sets are read from the folder that `FARSTRIDE_BENCHMARKS` names; without
//! it these tests say that they were skipped. All queries of all sets, which
//! takes minutes:
//!
//! ```text
//! cargo test --release -p farstride --test it -- --ignored --nocapture benchmarks::
//! ```

use crate::common::{Answer, World, point};
use farstride::search::Counters;
use farstride::{Engine, Grid, Planner, Query, Scratch};
use farstride_io::movingai::{ScenarioQuery, load_map, load_scenario};
use farstride_testkit::{PlainMap, data, judge_any_angle, judge_grid};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Queries of each scenario that the usual test asks, evenly spread.
const SAMPLE: usize = 40;

/// Queries of each scenario that HPT* is asked.
const ANY_ANGLE_SAMPLE: usize = 25;

/// Queries of each Warcraft map that are held against the oracle.
const ORACLE_SAMPLE: usize = 2;

/// The set whose listed lengths no reading of its letters reproduces: some
/// starts lie on trees, and on maps with swamp lengths differ a little. Its
/// paths are held against the oracle instead.
const WARCRAFT: &str = "wc3maps512";

/// The set of maps of random cells, whose labels take long to make.
const RANDOM: &str = "random";

const THREADS: usize = 2;

/// Half of the last of two decimals, and of six significant digits, with a
/// little room: some lengths were added up in single precision.
const TWO_DECIMALS: f64 = 0.0051;
const SIX_DIGITS: f64 = 5.1e-6;

/// Whether a length is the listed one, to the digits that are listed.
fn is_listed(length: f64, listed: f64) -> bool {
    let hundredths = listed * 100.0;
    let has_two_decimals = (hundredths - hundredths.round()).abs() < 1e-6;
    let tolerance = if has_two_decimals { TWO_DECIMALS } else { 0.0 };
    (length - listed).abs() <= tolerance.max(listed * SIX_DIGITS)
}

/// A map with a scenario.
struct Entry {
    set: String,
    map: PathBuf,
    scenario: PathBuf,
}

/// All maps with a scenario, in order of their names.
fn entries(sets: &Path) -> Vec<Entry> {
    let list = |folder: &Path| {
        let entries = folder.read_dir().unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let mut entries = Vec::new();
    for folder in list(sets).into_iter().filter(|path| path.is_dir()) {
        let set = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for map in list(&folder).into_iter().filter(|path| path.extension().is_some_and(|end| end == "map")) {
            let scenario = map.with_extension("map.scen");
            if scenario.is_file() {
                entries.push(Entry { set: set.clone(), map, scenario });
            }
        }
    }
    entries
}

/// What came of the queries of a set.
#[derive(Default, Debug)]
struct Tally {
    maps: usize,
    /// Queries that the first engine was asked.
    queries: usize,
    unsolvable: usize,
    /// Where it disagrees with the scenario.
    disagreements: Vec<String>,
    /// Queries that the other engines were asked.
    others: usize,
    /// Where they disagree with it, or a path is not legal.
    faults: Vec<String>,
    /// Queries that labels did not answer without a search.
    searched: usize,
    /// Cost of all paths that `tl` found, and of the best.
    lossy: (u64, u64),
}

impl Tally {
    fn absorb(&mut self, other: Self) {
        self.maps += other.maps;
        self.queries += other.queries;
        self.unsolvable += other.unsolvable;
        self.disagreements.extend(other.disagreements);
        self.others += other.others;
        self.faults.extend(other.faults);
        self.searched += other.searched;
        self.lossy.0 += other.lossy.0;
        self.lossy.1 += other.lossy.1;
    }
}

/// The free cells of a map, as the testkit's.
fn world(grid: &Grid) -> World {
    let mut map = PlainMap::new(grid.width(), grid.height(), false);
    for cell in grid.area().cells().filter(|&cell| grid.is_free(cell)) {
        map.set_free(point(cell), true);
    }
    World::strict(map)
}

/// Asks an optimal engine and others up to `sample` queries of one scenario,
/// evenly spread.
fn ask(entry: &Entry, first: Engine, others: &[Engine], sample: usize, scratch: &mut Scratch) -> Tally {
    let grid = Arc::new(load_map(&entry.map).unwrap_or_else(|error| panic!("{error}")));
    let queries = load_scenario(&entry.scenario, &grid).unwrap_or_else(|error| panic!("{error}"));
    let step = queries.len().div_ceil(sample).max(1);
    let queries: Vec<&ScenarioQuery> = queries.iter().step_by(step).collect();
    let mut tally = Tally { maps: 1, ..Tally::default() };
    let planner = Planner::with_engine(Arc::clone(&grid), first).unwrap();
    let mut best = Vec::with_capacity(queries.len());
    for &listed in &queries {
        let answer = planner.find(Query::new(listed.start, listed.goal), scratch).unwrap().into();
        tally.queries += 1;
        tally.unsolvable += usize::from(!listed.is_solvable());
        if !agrees(listed, &answer) {
            let found = shorten(&answer);
            tally.disagreements.push(format!("{}: {listed:?} gave {found}", entry.map.display()));
        }
        best.push(answer);
    }
    let world = world(&grid);
    for &engine in others {
        let planner = Planner::with_engine(Arc::clone(&grid), engine).unwrap();
        for (&listed, best) in queries.iter().zip(&best) {
            let mut counters = Counters::default();
            let query = Query::new(listed.start, listed.goal);
            let answer = planner.find_observed(query, &mut counters, scratch).unwrap().into();
            tally.others += 1;
            tally.searched += usize::from(engine == Engine::Labels && counters.expanded > 0);
            match fault(&world, listed, engine, &answer, best) {
                Some(fault) => {
                    tally.faults.push(format!("{}: {engine}: {listed:?}: {fault}", entry.map.display()));
                }
                None if engine == Engine::Tl => {
                    tally.lossy.0 += cost(&answer).unwrap_or(0);
                    tally.lossy.1 += cost(best).unwrap_or(0);
                }
                None => {}
            }
        }
    }
    tally
}

fn cost(answer: &Answer) -> Option<u64> {
    match answer {
        Answer::Found { cost, .. } => Some(*cost),
        _ => None,
    }
}

/// An answer without its path.
fn shorten(answer: &Answer) -> String {
    match answer {
        Answer::Found { length, cost, .. } => format!("length {length}, {cost} units"),
        other => format!("{other:?}"),
    }
}

/// What is wrong with an answer, if `best` is that of an optimal engine: paths
/// must be legal and cost the same, those of `tl` no less.
fn fault(
    world: &World,
    listed: &ScenarioQuery,
    engine: Engine,
    answer: &Answer,
    best: &Answer,
) -> Option<String> {
    let (Answer::Found { cost: units, length, path, .. }, Some(best_units)) = (answer, cost(best)) else {
        return (answer != best).then(|| format!("{} instead of {}", shorten(answer), shorten(best)));
    };
    let (start, goal) = (point(listed.start), point(listed.goal));
    match judge_grid(&world.map, world.diagonals, world.cost, start, goal, path) {
        Err(fault) => return Some(fault.to_string()),
        Ok(verdict) if verdict.cost != *units || (verdict.length - length).abs() > 1e-6 => {
            return Some(format!("{} for a path of {verdict:?}", shorten(answer)));
        }
        Ok(_) => {}
    }
    let is_fine = if engine.is_optimal() { *units == best_units } else { *units >= best_units };
    (!is_fine).then(|| format!("{units} units instead of {best_units}"))
}

fn agrees(listed: &ScenarioQuery, answer: &Answer) -> bool {
    match answer {
        Answer::Found { length, .. } => listed.is_solvable() && is_listed(*length, listed.length),
        Answer::AlreadyThere => listed.length == 0.0 && listed.start == listed.goal,
        Answer::Unreachable => !listed.is_solvable(),
        _ => false,
    }
}

/// [`ask`] for every entry, on two threads; by set.
fn ask_all(entries: &[Entry], first: Engine, others: &[Engine], sample: usize) -> BTreeMap<String, Tally> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut scratch = Scratch::new();
        let mut tallies = Vec::new();
        while let Some(entry) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
            tallies.push((entry.set.clone(), ask(entry, first, others, sample, &mut scratch)));
        }
        tallies
    };
    let mut sets = BTreeMap::<String, Tally>::new();
    thread::scope(|scope| {
        let busy: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        for (set, tally) in busy.into_iter().flat_map(|busy| busy.join().unwrap()) {
            sets.entry(set).or_default().absorb(tally);
        }
    });
    sets
}

/// Prints a line for each set and fails if one disagrees that should not.
fn assert_listed(sets: &BTreeMap<String, Tally>) {
    let queries: usize = sets.values().map(|tally| tally.queries + tally.others).sum();
    println!("{queries} queries");
    for (set, tally) in sets {
        let Tally { maps, queries, unsolvable, disagreements, others, faults, searched, lossy } = tally;
        let wrong = disagreements.len();
        println!("{set}: {maps} maps, {queries} queries, {unsolvable} without a path, {wrong} disagree");
        let faults = faults.len();
        println!("{set}: {others} queries of other engines, {faults} faults; {searched} searched by labels");
        if lossy.1 > 0 {
            println!("{set}: paths of tl are {} times as long", lossy.0 as f64 / lossy.1 as f64);
        }
    }
    let listed = sets.iter().filter(|(set, _)| *set != WARCRAFT).flat_map(|(_, tally)| &tally.disagreements);
    let wrong: Vec<&String> = listed.chain(sets.values().flat_map(|tally| &tally.faults)).collect();
    let some: Vec<_> = wrong.iter().take(10).collect();
    assert!(wrong.is_empty(), "{} of {queries} disagree, such as {some:#?}", wrong.len());
}

#[test]
fn a_sample_of_listed_lengths_is_found() {
    let Some(sets) = data::skip_without_benchmarks("a sample of listed lengths") else {
        return;
    };
    let entries = entries(&sets);
    assert!(!entries.is_empty(), "no scenario in {}", sets.display());
    let (random, others): (Vec<_>, Vec<_>) = entries.into_iter().partition(|entry| entry.set == RANDOM);
    assert_listed(&ask_all(&others, Engine::Astar, &[Engine::NsgPlus], SAMPLE));
    assert_listed(&ask_all(&random, Engine::Astar, &[Engine::NsgPlus], SAMPLE));
    // Labels take seconds to make for some maps: one in sixteen.
    let some: Vec<_> = others.into_iter().step_by(16).collect();
    assert_listed(&ask_all(&some, Engine::NsgPlus, &[Engine::Labels], usize::MAX));
}

#[test]
#[ignore = "takes minutes; run by ./exhaustive"]
fn every_listed_length_is_found() {
    let Some(sets) = data::skip_without_benchmarks("every listed length") else {
        return;
    };
    let others = [Engine::Ssg, Engine::Tsg, Engine::Tl, Engine::Nsg, Engine::NsgPlus];
    assert_listed(&ask_all(&entries(&sets), Engine::Astar, &others, usize::MAX));
}

/// Every query of every scenario that is chosen, by labels: legal, as long as
/// listed, and of the cost that nsg+ finds.
fn assert_looked_up(what: &str, chosen: impl Fn(&Entry) -> bool) {
    let Some(sets) = data::skip_without_benchmarks(what) else {
        return;
    };
    let entries: Vec<Entry> = entries(&sets).into_iter().filter(chosen).collect();
    assert_listed(&ask_all(&entries, Engine::NsgPlus, &[Engine::Labels], usize::MAX));
}

#[test]
#[ignore = "takes minutes; run by ./exhaustive"]
fn every_listed_length_is_looked_up() {
    assert_looked_up("every listed length by labels", |entry| entry.set != RANDOM);
}

#[test]
#[ignore = "takes minutes; run by ./exhaustive"]
fn every_listed_length_on_random_maps_is_looked_up() {
    assert_looked_up("every listed length on random maps by labels", |entry| entry.set == RANDOM);
}

/// Legal, and as short as the oracle says, whatever the scenario lists.
#[test]
fn warcraft_paths_are_those_of_the_oracle() {
    let Some(sets) = data::skip_without_benchmarks("Warcraft paths") else {
        return;
    };
    let mut scratch = Scratch::new();
    for entry in entries(&sets).into_iter().filter(|entry| entry.set == WARCRAFT) {
        let grid = load_map(&entry.map).unwrap_or_else(|error| panic!("{error}"));
        let queries = load_scenario(&entry.scenario, &grid).unwrap_or_else(|error| panic!("{error}"));
        let world = world(&grid);
        let planner = Planner::with_engine(grid, Engine::Astar).unwrap();
        let step = queries.len().div_ceil(ORACLE_SAMPLE).max(1);
        for listed in queries.iter().step_by(step) {
            let answer = planner.find(Query::new(listed.start, listed.goal), &mut scratch).unwrap().into();
            world.assert_optimal(point(listed.start), point(listed.goal), &answer);
        }
    }
}

/// Paths of HPT* are legal, hardly ever longer than those that HPA* finds by
/// steps, and never by much.
fn compare_any_angle_with_steps(every: usize) {
    let Some(sets) = data::skip_without_benchmarks("any-angle paths") else {
        return;
    };
    let mut scratch = Scratch::new();
    let (mut paths, mut longer, mut worst) = (0, 0, 1.0_f64);
    for entry in entries(&sets).into_iter().step_by(every) {
        let grid = Arc::new(load_map(&entry.map).unwrap_or_else(|error| panic!("{error}")));
        let queries = load_scenario(&entry.scenario, &grid).unwrap_or_else(|error| panic!("{error}"));
        let world = world(&grid);
        let [hpt, hpa] =
            [Engine::Hpt, Engine::Hpa].map(|engine| Planner::with_engine(Arc::clone(&grid), engine).unwrap());
        let step = queries.len().div_ceil(ANY_ANGLE_SAMPLE).max(1);
        for listed in queries.iter().step_by(step) {
            let query = Query::new(listed.start, listed.goal);
            let bent = hpt.find(query, &mut scratch).unwrap().into();
            let steps = hpa.find(query, &mut scratch).unwrap().into();
            let (Answer::Found { length, path, .. }, Answer::Found { length: by_steps, .. }) =
                (&bent, &steps)
            else {
                assert_eq!(bent, steps, "{}: {listed:?}", entry.map.display());
                continue;
            };
            let (start, goal) = (point(listed.start), point(listed.goal));
            let judged = judge_any_angle(&world.map, world.diagonals, start, goal, path);
            let judged = judged.unwrap_or_else(|fault| panic!("{}: {fault}", entry.map.display()));
            assert!((judged - length).abs() < 1e-6, "{}: {listed:?}", entry.map.display());
            paths += 1;
            longer += usize::from(*length > by_steps + 1e-9);
            worst = worst.max(length / by_steps);
        }
    }
    println!("{paths} paths of hpt, {longer} longer than those of hpa, at worst {worst} times");
    assert!(longer * 100 <= paths && worst <= 1.02, "{longer} of {paths}, {worst}");
}

/// One map in four of every set: most of the time goes into the two indexes.
#[test]
fn any_angle_paths_on_some_maps_are_legal_and_no_longer_than_steps() {
    compare_any_angle_with_steps(4);
}

#[test]
#[ignore = "takes a minute; run by ./exhaustive"]
fn any_angle_paths_are_legal_and_no_longer_than_steps() {
    compare_any_angle_with_steps(1);
}

#[test]
fn lengths_are_compared_to_the_digits_listed() {
    assert!(is_listed(244.953, 244.95) && !is_listed(244.96, 244.95));
    assert!(is_listed(4_362.786_1, 4362.79) && !is_listed(43_627.5, 43_628.0));
    assert!(is_listed(7.656_854, 7.65685) && !is_listed(7.656_9, 7.65685));
    assert!(is_listed(1.0, 1.0) && !is_listed(1.0, 2.0));
}
