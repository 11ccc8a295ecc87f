//! Builds report how far they have come, and can be cancelled at any time.

use crate::common::World;
use farstride::contraction::{ContractionHierarchy, ContractionSettings};
use farstride::error::{BuildError, GroupError, PrepareError};
use farstride::graph::RowGraph;
use farstride::groups::{Connection, Ground, GroupHierarchy, Members};
use farstride::hublabel::HubIndex;
use farstride::index::BuildOptions;
use farstride::internal::{HubLabels, Limits};
use farstride::labels::LabelSettings;
use farstride::nlevel::{Advanced, NLevelGraph};
use farstride::{Cost, Engine, Grid, Index, store};
use farstride_testkit::{DiagonalCost, Diagonals, Kind, generate};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How a build ended.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Built,
    Cancelled,
}

/// What a build called.
struct Calls {
    end: End,
    /// Number of times that it asked whether to go on.
    asked: usize,
    /// Its reports of work done and total.
    reports: Vec<(usize, usize)>,
}

/// Runs a build that is told to stop when it asks for the time after `patience`.
fn run(build: &impl Fn(&BuildOptions<'_>) -> End, threads: usize, patience: usize) -> Calls {
    let (asked, reports) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let wanted = || asked.fetch_add(1, Ordering::Relaxed) < patience;
    let report = |done: usize, total: usize| reports.lock().unwrap().push((done, total));
    let options = BuildOptions::new().threads(threads).on_progress(&report).keep_going(&wanted);
    let end = build(&options);
    Calls { end, asked: asked.into_inner(), reports: reports.into_inner().unwrap() }
}

/// Progress of one thread never falls, has one total, and ends there.
fn check_reports(what: &str, reports: &[(usize, usize)]) {
    let &(last, total) = reports.last().unwrap_or_else(|| panic!("{what} reports nothing"));
    assert_eq!(last, total, "{what}");
    assert!(reports.iter().all(|report| report.1 == total), "{what}: {reports:?}");
    assert!(reports.windows(2).all(|pair| pair[0].0 <= pair[1].0), "{what}: {reports:?}");
}

/// Cancels a build after any number of checks. It must stop at once, whatever it
/// was doing. With one thread that means that it never asks again.
fn check(what: &str, build: impl Fn(&BuildOptions<'_>) -> End) {
    let whole = run(&build, 1, usize::MAX);
    assert_eq!(whole.end, End::Built, "{what}");
    assert!(whole.asked > 50, "{what} asks only {} times", whole.asked);
    check_reports(what, &whole.reports);
    let strides = (0..whole.asked).step_by(whole.asked / 25 + 1);
    for patience in [0, 1, 5, 50, whole.asked - 1].into_iter().chain(strides) {
        let calls = run(&build, 1, patience);
        assert_eq!((calls.end, calls.asked), (End::Cancelled, patience + 1), "{what}, one thread");
        assert_eq!(calls.reports, whole.reports[..calls.reports.len()], "{what}");
        // With three threads, each of the others may have asked at the same time.
        let calls = run(&build, 3, patience);
        assert_eq!(calls.end, End::Cancelled, "{what}, three threads");
        assert!(calls.asked <= patience + 3, "{what} asks {} times after {patience}", calls.asked);
        assert!(calls.reports.iter().all(|&(done, total)| done <= total), "{what}");
    }
    assert_eq!(run(&build, 1, whole.asked).end, End::Built, "{what}");
}

fn map() -> Grid {
    caves(150, 110)
}

fn caves(width: usize, height: usize) -> Grid {
    let map = generate(Kind::Caves { blocked_percent: 40, rounds: 2 }, width, height, 3).unwrap();
    World::new(map, Diagonals::Strict, DiagonalCost::Sqrt2).grid()
}

/// A lattice with edges of many lengths.
fn lattice(side: u32) -> RowGraph {
    let cost = |a: u32, b: u32| Cost::new(u64::from(10 + (a * 7 + b * 13) % 11)).unwrap();
    let edges = (0..side * side).flat_map(|node| {
        let right = (node % side + 1 < side).then_some(node + 1);
        let below = (node / side + 1 < side).then_some(node + side);
        [right, below].into_iter().flatten().map(move |other| (node, other, cost(node, other)))
    });
    RowGraph::from_edges((side * side) as usize, edges).unwrap()
}

fn engines_with_an_index() -> impl Iterator<Item = Engine> {
    Engine::ALL.into_iter().filter(|engine| engine.default_settings().is_some())
}

#[test]
fn every_index_can_be_cancelled() {
    let (grid, small) = (map(), caves(60, 50));
    let mut kinds = 0;
    for engine in engines_with_an_index() {
        kinds += 1;
        // Ragged caves are full of corners: `straight` took a minute of builds on the larger map.
        let grid = if engine == Engine::Straight { &small } else { &grid };
        let settings = engine.default_settings().unwrap();
        check(engine.name(), |options| match Index::build_with(grid, settings, options) {
            Ok(_) => End::Built,
            Err(BuildError::Cancelled) => End::Cancelled,
            Err(error) => panic!("{error}"),
        });
    }
    assert!(kinds >= 8, "only {kinds} engines have an index");
}

/// Labels that do not fit go through other stages.
#[test]
fn labels_of_every_kind_can_be_cancelled() {
    let grid = map();
    for budget in [0, 40_000, 200_000] {
        let settings = LabelSettings::default().with_budget(budget);
        check("labels", |options| match Index::build_with(&grid, settings, options) {
            Ok(_) => End::Built,
            Err(error) => {
                assert_eq!(error, BuildError::Cancelled);
                End::Cancelled
            }
        });
    }
}

#[test]
fn builds_on_graphs_can_be_cancelled() {
    let graph = lattice(24);
    let settings = ContractionSettings::default();
    check("contraction", |options| match ContractionHierarchy::build_with(&graph, &settings, options) {
        Ok(_) => End::Built,
        Err(PrepareError::Cancelled) => End::Cancelled,
        Err(error) => panic!("{error}"),
    });
    let cored = settings.with_core_degree(5);
    check("contraction with a core", |options| {
        let built = ContractionHierarchy::build_with(&graph, &cored, options);
        built.map_or(End::Cancelled, |_| End::Built)
    });
    let hierarchy = ContractionHierarchy::build(&graph, &settings).unwrap();
    for limits in [Limits::default(), Limits::default().with_entries(3000)] {
        check("hub labels", |options| {
            HubLabels::build_with(&hierarchy, &limits, options).map_or(End::Cancelled, |_| End::Built)
        });
    }
    check("hub index", |options| match HubIndex::build_with(&graph, options) {
        Ok(_) => End::Built,
        Err(PrepareError::Cancelled) => End::Cancelled,
        Err(error) => panic!("{error}"),
    });
    let short = Advanced(|_, _, cost: Cost| cost < Cost::new(60).unwrap());
    check("partition", |options| match NLevelGraph::partition_with(&graph, None, &short, options) {
        Ok(_) => End::Built,
        Err(PrepareError::Cancelled) => End::Cancelled,
        Err(error) => panic!("{error}"),
    });
    check("balanced groups", |options| match Members::balanced_with(&graph, 8, options) {
        Ok(_) => End::Built,
        Err(GroupError::Cancelled) => End::Cancelled,
        Err(error) => panic!("{error}"),
    });
    let groups = Members::balanced(&graph, 8).unwrap();
    let ground = Ground::new(&graph, &groups);
    check("groups", |options| {
        match GroupHierarchy::build_with(ground, Vec::new(), Connection::Average, options) {
            Ok(_) => End::Built,
            Err(GroupError::Cancelled) => End::Cancelled,
            Err(error) => panic!("{error}"),
        }
    });
}

/// A build that has nothing to do still notices that nobody wants it.
#[test]
fn empty_builds_can_be_cancelled() {
    let stop = || false;
    let options = BuildOptions::new().keep_going(&stop);
    let blocked = Grid::from_fn(5, 4, |_| false).unwrap();
    for engine in engines_with_an_index() {
        let settings = engine.default_settings().unwrap();
        assert_eq!(Index::build_with(&blocked, settings, &options), Err(BuildError::Cancelled));
    }
    let nothing = RowGraph::from_edges(0, []).unwrap();
    let built = ContractionHierarchy::build_with(&nothing, &ContractionSettings::default(), &options);
    assert_eq!(built, Err(PrepareError::Cancelled));
    assert!(HubIndex::build_with(&nothing, &options).is_err());
    let any = Advanced(|_, _, _| true);
    let built = NLevelGraph::partition_with(&nothing, None, &any, &options);
    assert_eq!(built, Err(PrepareError::Cancelled));
    assert_eq!(Members::balanced_with(&nothing, 8, &options), Err(GroupError::Cancelled));
}

/// A build believes the first `false`, even if the caller changes its mind.
#[test]
fn a_wavering_caller_does_no_harm() {
    let grid = map();
    for engine in engines_with_an_index() {
        let settings = engine.default_settings().unwrap();
        for at in [0, 1, 7, 40, 300] {
            let asked = AtomicUsize::new(0);
            let wanted = || asked.fetch_add(1, Ordering::Relaxed) != at;
            let options = BuildOptions::new().threads(3).keep_going(&wanted);
            let built = Index::build_with(&grid, settings, &options);
            assert!(built == Err(BuildError::Cancelled) || asked.into_inner() <= at, "{engine}");
        }
    }
}

/// After a cancelled build, no thread of it is left to call back, the map is as it
/// was, and the next build gives the same bytes as ever.
#[test]
fn cancelled_builds_leave_nothing_behind() {
    let grid = map();
    for engine in engines_with_an_index() {
        let settings = engine.default_settings().unwrap();
        let fresh = store::save(&Index::build(&grid, settings).unwrap(), &grid).unwrap();
        let before = grid.clone();
        let calls = AtomicUsize::new(0);
        let wanted = || calls.fetch_add(1, Ordering::Relaxed) < 33;
        let report = |_, _| _ = calls.fetch_add(0, Ordering::Relaxed);
        let options = BuildOptions::new().threads(4).on_progress(&report).keep_going(&wanted);
        assert_eq!(Index::build_with(&grid, settings, &options), Err(BuildError::Cancelled));
        let asked = calls.load(Ordering::Relaxed);
        assert!(grid == before);
        let again = store::save(&Index::build(&grid, settings).unwrap(), &grid).unwrap();
        assert!(again == fresh, "{engine}");
        assert_eq!(calls.load(Ordering::Relaxed), asked, "{engine}");
    }
}
