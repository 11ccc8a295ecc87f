//! The phases of a query, timed apart.

use crate::stats::mean;
use farstride::error::QueryError;
use farstride::search::{Observer, Phase};
use farstride::{Cell, Planner, Query, Scratch};
use std::hint::black_box;
use std::time::Instant;

/// Microseconds of each phase, some tens of nanoseconds for the clock included.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Phases {
    /// Looking for a straight way, and connecting start and goal if there is
    /// none.
    pub(super) connect: f64,
    pub(super) search: f64,
    /// From the abstract path to the last cell.
    pub(super) unpack: f64,
}

impl Phases {
    /// Those of a query.
    pub(super) fn of(planner: &Planner, query: Query, scratch: &mut Scratch) -> Result<Self, QueryError> {
        let mut watch = Stopwatch::start();
        black_box(planner.find_observed(query, &mut watch, scratch)?);
        Ok(watch.stop())
    }

    /// The faster of two runs.
    pub(super) fn or_less(self, other: Self) -> Self {
        if other.total() < self.total() { other } else { self }
    }

    /// The mean of each.
    pub(super) fn mean(all: &[Self]) -> Self {
        let of = |phase: fn(&Self) -> f64| mean(all.iter().map(phase));
        Self {
            connect: of(|phases| phases.connect),
            search: of(|phases| phases.search),
            unpack: of(|phases| phases.unpack),
        }
    }

    fn total(&self) -> f64 {
        self.connect + self.search + self.unpack
    }
}

/// Takes the time whenever a search enters another phase.
struct Stopwatch {
    since: Instant,
    stage: Stage,
    phases: Phases,
}

/// The stages of a query, in order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Connect,
    Search,
    Unpack,
}

impl Stopwatch {
    fn start() -> Self {
        Self { since: Instant::now(), stage: Stage::Connect, phases: Phases::default() }
    }

    fn stop(mut self) -> Phases {
        self.take(Instant::now());
        self.phases
    }

    fn take(&mut self, now: Instant) {
        let micros = now.duration_since(self.since).as_secs_f64() * 1e6;
        *match self.stage {
            Stage::Connect => &mut self.phases.connect,
            Stage::Search => &mut self.phases.search,
            Stage::Unpack => &mut self.phases.unpack,
        } += micros;
        self.since = now;
    }
}

impl Observer<Cell> for Stopwatch {
    const LISTENS: bool = false;

    fn phase(&mut self, phase: Phase) {
        self.take(Instant::now());
        self.stage = match (self.stage, phase) {
            // All that follows makes cells of the path, whatever is announced.
            (Stage::Unpack, _) | (_, Phase::Refine) => Stage::Unpack,
            (_, Phase::Insert) => Stage::Connect,
            (_, Phase::Main) => Stage::Search,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_follow_each_other_and_never_go_back() {
        let mut watch = Stopwatch::start();
        for (phase, stage) in [
            (Phase::Insert, Stage::Connect),
            (Phase::Main, Stage::Search),
            (Phase::Refine, Stage::Unpack),
            (Phase::Main, Stage::Unpack),
        ] {
            watch.phase(phase);
            assert!(watch.stage == stage, "{phase:?}");
        }
        let phases = watch.stop();
        assert!(phases.connect >= 0.0 && phases.unpack >= 0.0);
        assert!((Phases::mean(&[phases, phases]).total() - phases.total()).abs() < 1e-9);
    }
}
