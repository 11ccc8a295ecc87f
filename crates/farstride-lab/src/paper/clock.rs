//! Times of queries, on one thread while nothing else of this process runs.

use farstride::error::QueryError;
use farstride::{Planner, Query, Scratch};
use std::hint::black_box;
use std::time::Instant;

/// Runs per query; the least time counts.
pub(super) const REPEATS: usize = 3;

/// Microseconds from coordinates to a complete path.
pub(super) fn time_of(planner: &Planner, query: Query, scratch: &mut Scratch) -> Result<f64, QueryError> {
    least_micros(|| {
        black_box(planner.find(query, scratch)?);
        Ok(())
    })
}

/// Least time of some runs in microseconds.
pub(super) fn least_micros(mut run: impl FnMut() -> Result<(), QueryError>) -> Result<f64, QueryError> {
    let mut least = f64::INFINITY;
    for _ in 0..REPEATS {
        let begun = Instant::now();
        run()?;
        least = least.min(begun.elapsed().as_secs_f64() * 1e6);
    }
    Ok(least)
}
