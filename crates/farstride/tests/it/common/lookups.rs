//! Labels of small maps, held against all ways there are.

use super::small::{SmallMap, Table, UNREACHABLE};
use super::{TOLERANCE, World, point};
use farstride::labels::{GridLabels, LabelKind, LabelSettings};
use farstride::{Cell, Detail, Diagonals, Grid, Outcome, Path, Planner, Query, Route, Scratch};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Steps that are asked for at most when only the first are.
const MOST_FIRST: u32 = 5;

/// How much is asked about each pair of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Questions {
    /// The whole path.
    Path,
    /// The whole path, its waypoints, its first steps and its cost alone.
    Everything,
}

/// How labels of small maps are made and asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial {
    /// Blocked rows above the map and columns to the left of it, so that its
    /// cells lie in other blocks.
    pub(crate) margin: u16,
    pub(crate) settings: LabelSettings,
    pub(crate) questions: Questions,
}

impl Trial {
    pub(crate) const PLAIN: Self =
        Self { margin: 0, settings: LabelSettings::DEFAULT, questions: Questions::Path };
}

/// What was tried so far, and what for.
#[derive(Debug, Default)]
pub(crate) struct Tester {
    scratch: Scratch,
    whole: Vec<Cell>,
    pub(crate) tally: Tally,
}

/// What was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) maps: u64,
    /// Pairs of different cells with a way between them.
    pub(crate) ways: u64,
    /// Pairs of free cells without one.
    pub(crate) no_ways: u64,
}

impl Tally {
    pub(crate) fn sum(testers: impl IntoIterator<Item = Tester>) -> Self {
        testers.into_iter().fold(Self::default(), |sum, Tester { tally, .. }| Self {
            maps: sum.maps + tally.maps,
            ways: sum.ways + tally.ways,
            no_ways: sum.no_ways + tally.no_ways,
        })
    }
}

/// Does pieces of work on all cores, a few at a time; the workers afterwards.
pub(crate) fn share<W: Default + Send>(pieces: u64, work: impl Fn(u64, &mut W) + Sync) -> Vec<W> {
    const BATCH: u64 = 16;
    let next = AtomicU64::new(0);
    let run_batches = || {
        let mut worker = W::default();
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= pieces {
                return worker;
            }
            (first..pieces.min(first + BATCH)).for_each(|piece| work(piece, &mut worker));
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    thread::scope(|scope| {
        let busy: Vec<_> = (0..threads).map(|_| scope.spawn(run_batches)).collect();
        busy.into_iter().map(|busy| busy.join().expect("all that a thread tried holds")).collect()
    })
}

/// A planner with labels that were made on this thread: the others are busy.
pub(crate) fn planner_with(grid: Grid, settings: LabelSettings) -> Planner {
    let labels = GridLabels::build(&grid, settings);
    assert!(matches!(labels.kind(), LabelKind::Full { .. }), "nothing would be looked up");
    Planner::with_index(grid, labels).expect("the labels are of this map")
}

impl Tester {
    /// Asks for the ways between all cells of a map.
    pub(crate) fn check(&mut self, map: SmallMap, trial: Trial) {
        let planner = planner_with(map.grid(trial.margin), trial.settings);
        let steps = map.steps();
        let best = map.distances(&steps);
        for from in 0..map.cells() {
            for to in 0..map.cells() {
                let pair = Pair { map, margin: trial.margin, steps: &steps, from, to };
                self.check_pair(pair, &planner, best.at(from, to), trial.questions);
            }
        }
        self.tally.maps += 1;
    }

    fn check_pair(&mut self, pair: Pair<'_>, planner: &Planner, best: u32, questions: Questions) {
        let Self { scratch, whole, tally } = self;
        let Pair { map, from, to, .. } = pair;
        let query = pair.query();
        let outcome = planner.find(query, scratch).expect("both cells are on the map");
        let Outcome::Found(route) = outcome else {
            assert_eq!(outcome, refusal(map, best, from, to), "{pair}");
            tally.no_ways += u64::from(outcome == Outcome::Unreachable);
            return;
        };
        assert!(from != to && best < UNREACHABLE, "{pair}");
        let length = pair.judge(&route, best);
        tally.ways += 1;
        if questions == Questions::Everything {
            whole.clear();
            whole.extend_from_slice(route.path().cells());
            pair.check_details(planner, whole, (best, length), scratch);
        }
    }
}

/// What to answer where there is no way, or no need of one.
fn refusal(map: SmallMap, best: u32, from: usize, to: usize) -> Outcome<'static> {
    match (map.is_free(from), map.is_free(to)) {
        (false, _) => Outcome::StartBlocked,
        (true, false) => Outcome::GoalBlocked,
        _ if from == to => Outcome::AlreadyThere,
        _ => {
            assert_eq!(best, UNREACHABLE, "{from} to {to} of {map:?}");
            Outcome::Unreachable
        }
    }
}

/// Two cells of a small map.
#[derive(Clone, Copy)]
struct Pair<'p> {
    map: SmallMap,
    margin: u16,
    steps: &'p Table,
    from: usize,
    to: usize,
}

impl std::fmt::Display for Pair<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { map, margin, from, to, .. } = self;
        let (from, to) = (map.cell(*from), map.cell(*to));
        write!(f, "{from} to {to}, margin {margin}, {:?}\n{}", map.rules, map.draw())
    }
}

impl Pair<'_> {
    /// The query. Labels expand nothing, and without a budget no search that
    /// stands in for them gets anywhere.
    fn query(&self) -> Query {
        let place = |index| {
            let cell = self.map.cell(index);
            Cell::new(cell.x + self.margin, cell.y + self.margin)
        };
        Query::new(place(self.from), place(self.to)).with_budget(0)
    }

    /// What the step between two cells of the grid costs.
    fn step(&self, step: &[Cell]) -> u32 {
        let index = |cell: Cell| {
            let inside =
                |at: u16, side: usize| at.checked_sub(self.margin).filter(|&at| usize::from(at) < side);
            let (x, y) = (inside(cell.x, self.map.width)?, inside(cell.y, self.map.height)?);
            Some(self.map.index(Cell::new(x, y)))
        };
        match (index(step[0]), index(step[1])) {
            (Some(from), Some(to)) if from != to => self.steps.at(from, to),
            _ => UNREACHABLE,
        }
    }

    /// Judges a path, step by step, and gives its length.
    fn judge(&self, route: &Route<'_>, best: u32) -> f64 {
        let Path::Cells(path) = route.path() else { panic!("no cells: {self}") };
        let Query { start, goal, .. } = self.query();
        assert_eq!((path.first(), path.last()), (Some(&start), Some(&goal)), "{self}");
        let [straight, diagonal] = self.map.units();
        let mut counts = [0, 0];
        for step in path.windows(2) {
            let cost = self.step(step);
            assert!(cost == straight || cost == diagonal, "{:?} to {:?}: {self}", step[0], step[1]);
            counts[usize::from(cost == diagonal)] += 1;
        }
        let walked = counts[0] * straight + counts[1] * diagonal;
        assert_eq!((route.cost().units(), walked), (best.into(), best), "{path:?}: {self}");
        let diagonal_length = self.map.diagonal_length();
        let length = f64::from(counts[0]) + f64::from(counts[1]) * diagonal_length;
        assert!((route.length() - length).abs() < TOLERANCE, "{}: {self}", route.length());
        route.length()
    }

    /// Holds every other amount of detail against the whole path.
    fn check_details(
        &self,
        planner: &Planner,
        whole: &[Cell],
        (cost, length): (u32, f64),
        scratch: &mut Scratch,
    ) {
        let mut ask = |detail: Detail, judge: &dyn Fn(Path<'_>) -> bool| {
            let outcome = planner.find(self.query().with_detail(detail), scratch).expect("as before");
            let Outcome::Found(route) = outcome else { panic!("{outcome:?} for {detail:?}: {self}") };
            assert_eq!((route.cost().units(), route.length()), (cost.into(), length), "{detail:?}: {self}");
            assert!(judge(route.path()), "{:?} for {detail:?} of {whole:?}: {self}", route.path());
        };
        ask(Detail::Cost, &|path| path == Path::Omitted);
        for steps in 0..=MOST_FIRST {
            let end = whole.len().min(steps as usize + 1);
            ask(Detail::First(steps), &|path| path == Path::Cells(&whole[..end]));
        }
        ask(Detail::Waypoints, &|path| {
            let Path::Waypoints(points) = path else { return false };
            whole.iter().copied().eq(expand(points, self.map.rules.diagonals))
        });
    }
}

/// The cells between waypoints, as [`Path::Waypoints`] says.
pub(crate) fn expand(points: &[Cell], diagonals: Diagonals) -> impl Iterator<Item = Cell> {
    let first = points.first().copied();
    first.into_iter().chain(points.windows(2).flat_map(move |leg| {
        let (mut at, to) = (leg[0], leg[1]);
        std::iter::from_fn(move || {
            if at == to {
                return None;
            }
            let nearer = |at: u16, to: u16| if at < to { at + 1 } else { at - u16::from(at > to) };
            let x = nearer(at.x, to.x);
            let waits = diagonals == Diagonals::None && x != at.x;
            at = Cell::new(x, if waits { at.y } else { nearer(at.y, to.y) });
            Some(at)
        })
    }))
}
