//! The background thread of a live map, and what it shares with the others.

use super::{LiveError, LiveSettings};
use crate::base::BuildOptions;
use crate::base::crew::Wanted;
use crate::grid::Grid;
use crate::index::{Engine, Index};
use crate::route::Planner;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Locks a mutex, even if a thread panicked while it held the lock: the values locked
/// here are valid at any time.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The present time; `None` where there is no clock. Without one there are no threads
/// either (wasm32-unknown-unknown), and [`Live::new`](super::Live::new) must fail for
/// that reason, not panic here.
fn now() -> Option<Instant> {
    let has_clock = !cfg!(all(target_arch = "wasm32", target_os = "unknown"));
    has_clock.then(Instant::now)
}

/// The best engine that is ready for the present map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Rung {
    StandIn,
    Interim,
    Labels,
}

/// Holds the published planner, and tells the builder what to do.
pub(super) struct PlannerSlot {
    state: Mutex<State>,
    /// Notified when there may be something to build or to drop.
    work: Condvar,
    /// Notified when labels were published, or have become impossible.
    settled: Condvar,
    /// Counts published planners, and closing. A job notes the count when it begins and
    /// is cancelled once the count differs.
    ticket: AtomicU64,
}

/// Locked for moments only, never while an index is built or dropped.
struct State {
    planner: Arc<Planner>,
    /// The engine whose labels are built.
    engine: Engine,
    rung: Rung,
    /// When the map was last edited, or went live.
    edited: Option<Instant>,
    /// Whether the build of labels of this map panicked.
    panicked: bool,
    /// Number of threads that wait for labels.
    waiting: usize,
    builds: u64,
    /// Planners that the builder drops: freeing a large one takes a while, and edits
    /// must not wait for it.
    retired: Vec<Arc<Planner>>,
    closed: bool,
}

impl State {
    /// Why there will be no labels of this map, if so.
    fn hopeless(&self) -> Option<LiveError> {
        if self.panicked {
            return Some(LiveError::Panicked);
        }
        self.engine.check(self.planner.grid()).err().map(LiveError::Unsupported)
    }
}

impl PlannerSlot {
    pub(super) fn new(planner: Arc<Planner>, engine: Engine) -> Self {
        let state = State {
            planner,
            engine,
            rung: Rung::StandIn,
            edited: now(),
            panicked: false,
            waiting: 0,
            builds: 0,
            retired: Vec::new(),
            closed: false,
        };
        Self {
            state: Mutex::new(state),
            work: Condvar::new(),
            settled: Condvar::new(),
            ticket: AtomicU64::new(0),
        }
    }

    pub(super) fn planner(&self) -> Arc<Planner> {
        Arc::clone(&lock(&self.state).planner)
    }

    pub(super) fn is_settled(&self) -> bool {
        lock(&self.state).rung == Rung::Labels
    }

    pub(super) fn build_count(&self) -> u64 {
        lock(&self.state).builds
    }

    /// Publishes the stand-in for an edited map.
    pub(super) fn publish_edited(&self, planner: Arc<Planner>) {
        let mut state = lock(&self.state);
        self.ticket.fetch_add(1, Ordering::Relaxed);
        let old = std::mem::replace(&mut state.planner, planner);
        let rung = std::mem::replace(&mut state.rung, Rung::StandIn);
        state.edited = now();
        state.panicked = false;
        // A replaced stand-in is dropped here: it is small, and every edit replaces one.
        // Interim and labels are left to the builder.
        let old = if rung == Rung::StandIn {
            Some(old)
        } else {
            state.retired.push(old);
            None
        };
        drop(state);
        drop(old);
        self.work.notify_one();
        self.settled.notify_all();
    }

    /// Publishes a planner, unless there is a better one. Returns whether it belongs to
    /// the present map.
    pub(super) fn publish(&self, planner: Arc<Planner>, rung: Rung) -> bool {
        let mut state = lock(&self.state);
        if planner.grid().revision() != state.planner.grid().revision() {
            return false;
        }
        if rung <= state.rung {
            return true;
        }
        let old = std::mem::replace(&mut state.planner, planner);
        state.rung = rung;
        self.ticket.fetch_add(1, Ordering::Relaxed);
        drop(state);
        drop(old);
        self.settled.notify_all();
        true
    }

    /// Notes that the build of labels of a map panicked.
    fn give_up(&self, grid: &Grid) {
        let mut state = lock(&self.state);
        state.panicked |= grid.revision() == state.planner.grid().revision();
        drop(state);
        self.settled.notify_all();
    }

    pub(super) fn wait(&self) -> Result<Arc<Planner>, LiveError> {
        let mut state = lock(&self.state);
        state.waiting += 1;
        self.work.notify_one();
        let result = loop {
            if state.rung == Rung::Labels {
                break Ok(Arc::clone(&state.planner));
            }
            if let Some(reason) = state.hopeless() {
                break Err(reason);
            }
            state = self.settled.wait(state).unwrap_or_else(PoisonError::into_inner);
        };
        state.waiting -= 1;
        result
    }

    pub(super) fn close(&self) {
        let mut state = lock(&self.state);
        state.closed = true;
        self.ticket.fetch_add(1, Ordering::Relaxed);
        drop(state);
        self.work.notify_one();
    }
}

/// An index to build.
struct Job {
    grid: Arc<Grid>,
    target: Target,
    ticket: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Interim(Engine),
    Labels,
}

impl Target {
    const fn rung(self) -> Rung {
        match self {
            Self::Interim(_) => Rung::Interim,
            Self::Labels => Rung::Labels,
        }
    }

    /// Its position in [`Builder::took`].
    const fn place(self) -> usize {
        match self {
            Self::Interim(_) => 0,
            Self::Labels => 1,
        }
    }
}

/// The state of the background thread.
pub(super) struct Builder {
    slot: Arc<PlannerSlot>,
    settings: LiveSettings,
    /// Index of the interim engine, perhaps for the map before the last edits.
    interim: Option<Index>,
    /// Time of the last build of the interim engine and of labels.
    took: [Duration; 2],
}

impl Builder {
    pub(super) const fn new(slot: Arc<PlannerSlot>, settings: LiveSettings) -> Self {
        Self { slot, settings, interim: None, took: [Duration::ZERO; 2] }
    }

    pub(super) fn run(mut self) {
        while let Some(job) = self.next_job() {
            self.attempt(&job);
        }
    }

    /// Waits for the next job; `None` once the slot is closed.
    fn next_job(&self) -> Option<Job> {
        let slot = &*self.slot;
        let mut state = lock(&slot.state);
        loop {
            if !state.retired.is_empty() {
                let retired = std::mem::take(&mut state.retired);
                drop(state);
                drop(retired);
                state = lock(&slot.state);
                continue;
            }
            if state.closed {
                return None;
            }
            let Some(target) = self.target(&state) else {
                state = slot.work.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = self.time_left(target, &state);
            if !left.is_zero() {
                let waited = slot.work.wait_timeout(state, left);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            state.builds += u64::from(target == Target::Labels);
            let ticket = slot.ticket.load(Ordering::Relaxed);
            return Some(Job { grid: Arc::clone(&state.planner.grid), target, ticket });
        }
    }

    /// What to build next, if anything.
    fn target(&self, state: &State) -> Option<Target> {
        let interim = self.settings.interim.filter(|engine| {
            *engine != state.engine && engine.check(state.planner.grid()).is_ok() && state.waiting == 0
        });
        match (state.rung, interim) {
            (Rung::StandIn, Some(engine)) if !state.panicked => Some(Target::Interim(engine)),
            (Rung::StandIn | Rung::Interim, _) if state.hopeless().is_none() => Some(Target::Labels),
            _ => None,
        }
    }

    /// How long the map must still stay unedited before a build may begin.
    fn time_left(&self, target: Target, state: &State) -> Duration {
        if state.waiting > 0 {
            return Duration::ZERO;
        }
        let quiet = state.edited.map_or(Duration::MAX, |edited| edited.elapsed());
        self.settings.quiet.max(self.took[target.place()]).saturating_sub(quiet)
    }

    /// Does a job and publishes the result.
    fn attempt(&mut self, job: &Job) {
        let begun = Instant::now();
        let slot = Arc::clone(&self.slot);
        let wanted = || slot.ticket.load(Ordering::Relaxed) == job.ticket;
        let made = catch_unwind(AssertUnwindSafe(|| self.make(job, &wanted)));
        let took = &mut self.took[job.target.place()];
        match made {
            Ok(Some(planner)) => {
                *took = begun.elapsed();
                slot.publish(Arc::new(planner), job.target.rung());
            }
            // Cancelled: a whole build takes at least as long.
            Ok(None) => *took = begun.elapsed().max(*took),
            Err(_) => slot.give_up(&job.grid),
        }
    }

    /// Builds the planner of a job; `None` if cancelled.
    fn make(&mut self, job: &Job, wanted: Wanted<'_>) -> Option<Planner> {
        let grid = &job.grid;
        let options = BuildOptions::new().threads(self.settings.threads).keep_going(wanted);
        match job.target {
            Target::Interim(engine) => {
                let Some(settings) = engine.default_settings() else {
                    return Planner::with_engine(Arc::clone(grid), engine).ok();
                };
                let index = match self.interim.take() {
                    Some(mut earlier) => {
                        earlier.catch_up(grid, self.settings.threads);
                        earlier
                    }
                    None => Index::build_with(grid, settings, &options).ok()?,
                };
                self.interim = Some(index.clone());
                Planner::with_index(Arc::clone(grid), index).ok()
            }
            Target::Labels => {
                let index = Index::build_with(grid, self.settings.index_settings(), &options).ok()?;
                Planner::with_index(Arc::clone(grid), index).ok()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Cell;

    const LONG: Duration = Duration::from_secs(3600);

    fn settings(interim: Option<Engine>, quiet: Duration) -> LiveSettings {
        LiveSettings { interim, quiet, threads: 1, ..LiveSettings::default() }
    }

    fn stand_in(engine: Engine) -> Planner {
        let grid = Grid::from_fn(30, 30, |cell| cell.x % 7 != 3 || cell.y % 5 == 2).unwrap();
        Planner::with_engine(grid, engine).unwrap()
    }

    fn slot(planner: &Planner) -> Arc<PlannerSlot> {
        Arc::new(PlannerSlot::new(Arc::new(planner.clone()), Engine::Labels))
    }

    /// Edits as a live map does.
    fn edit(slot: &PlannerSlot, planner: &mut Planner, cell: Cell) {
        planner.edit(|grid| if grid.is_free(cell) { grid.block(cell) } else { grid.free(cell) }).unwrap();
        slot.publish_edited(Arc::new(planner.clone()));
    }

    #[test]
    fn the_relief_comes_before_labels() {
        let mut planner = stand_in(Engine::Ssg);
        let slot = slot(&planner);
        let mut builder = Builder::new(Arc::clone(&slot), settings(Some(Engine::NsgPlus), Duration::ZERO));
        for round in 0..3 {
            for engine in [Engine::Ssg, Engine::NsgPlus] {
                assert_eq!(slot.planner().engine(), engine);
                let job = builder.next_job().unwrap();
                builder.attempt(&job);
            }
            assert_eq!(slot.planner().engine(), Engine::Labels);
            assert_eq!((slot.is_settled(), slot.build_count()), (true, round + 1));
            builder.took = [Duration::ZERO; 2];
            edit(&slot, &mut planner, Cell::new(3, round as u16));
        }
    }

    #[test]
    fn what_was_begun_before_an_edit_is_thrown_away() {
        let mut planner = stand_in(Engine::Ssg);
        let slot = slot(&planner);
        let mut builder = Builder::new(Arc::clone(&slot), settings(None, Duration::ZERO));
        let job = builder.next_job().unwrap();
        edit(&slot, &mut planner, Cell::new(3, 3));
        let taken = builder.make(&job, &|| slot.ticket.load(Ordering::Relaxed) == job.ticket);
        assert!(taken.is_none(), "labels are not built to the end");
        let late = builder.make(&job, &|| true).unwrap();
        assert!(!slot.publish(Arc::new(late), Rung::Labels), "nor published if they were");
        builder.attempt(&job);
        assert!(!slot.is_settled());
        assert_eq!(slot.planner().grid().revision(), planner.grid().revision());
        assert!(builder.took[1] > Duration::ZERO);
    }

    #[test]
    fn the_map_has_to_be_left_alone_as_long_as_a_build_takes() {
        let mut planner = stand_in(Engine::Ssg);
        let slot = slot(&planner);
        let mut builder = Builder::new(Arc::clone(&slot), settings(None, Duration::ZERO));
        let left = |builder: &Builder| builder.time_left(Target::Labels, &lock(&slot.state));
        assert_eq!(left(&builder), Duration::ZERO);
        builder.took[1] = LONG;
        edit(&slot, &mut planner, Cell::new(3, 3));
        assert!(left(&builder) > LONG / 2);
        builder.took[1] = Duration::ZERO;
        assert_eq!(left(&builder), Duration::ZERO);
        builder.settings.quiet = LONG;
        assert!(left(&builder) > LONG / 2);
        lock(&slot.state).waiting = 1;
        assert_eq!(left(&builder), Duration::ZERO, "somebody waits");
    }

    #[test]
    fn who_waits_hears_of_a_panic() {
        let mut planner = stand_in(Engine::Ssg);
        let slot = slot(&planner);
        let builder = Builder::new(Arc::clone(&slot), settings(Some(Engine::NsgPlus), Duration::ZERO));
        slot.give_up(planner.grid());
        assert!(matches!(slot.wait(), Err(LiveError::Panicked)));
        assert!(builder.target(&lock(&slot.state)).is_none(), "it would panic again");
        edit(&slot, &mut planner, Cell::new(3, 3));
        assert!(builder.target(&lock(&slot.state)).is_some());
    }

    #[test]
    fn a_closed_slot_has_no_more_work() {
        let slot = slot(&stand_in(Engine::Astar));
        let builder = Builder::new(Arc::clone(&slot), settings(None, Duration::ZERO));
        slot.close();
        assert!(builder.next_job().is_none());
    }
}
