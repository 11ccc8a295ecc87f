//! Times of long queries.

use super::site::{Site, query_of};
use crate::paper::clock::{least_micros, time_of};
use farstride::error::QueryError;
use farstride::{Engine, Planned, Planner, Query, Scratch};
use farstride_cli::output;
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;

/// Problems whose listed length is no less are timed.
pub(super) const LONG: f64 = 400.0;

/// What is timed, with our default settings.
pub(super) const ENGINES: [Engine; 4] = [Engine::Theta, Engine::LazyTheta, Engine::Hpa, Engine::Hpt];

/// Microseconds that a query takes.
#[derive(Clone, Copy)]
pub(super) struct Times {
    /// To the complete path, by [`ENGINES`].
    pub(super) complete: [f64; ENGINES.len()],
    /// To a plan of HPT* and its first leg.
    pub(super) first_leg: f64,
}

/// Times of every long query.
pub(super) fn measure(sites: &[Site]) -> Result<Vec<Times>, Box<dyn Error>> {
    let bar = output::progress(sites.len(), "timing");
    let mut all = Vec::new();
    for site in sites {
        let mut long = site.problems.iter().filter(|problem| problem.length >= LONG).peekable();
        if long.peek().is_some() {
            let planners = ENGINES.map(|engine| Planner::with_engine(Arc::clone(&site.grid), engine));
            let planners = planners.into_iter().collect::<Result<Vec<_>, _>>()?;
            let mut scratch = Scratch::new();
            for problem in long {
                let query = query_of(problem);
                let mut complete = [0.0; ENGINES.len()];
                for (time, planner) in complete.iter_mut().zip(&planners) {
                    *time = time_of(planner, query, &mut scratch)?;
                }
                let hpt = &planners[ENGINES.len() - 1];
                let first_leg = least_micros(|| {
                    if let Planned::Plan(mut plan) =
                        hpt.plan(Query::new(query.start, query.goal), &mut scratch)?
                    {
                        black_box(plan.step(hpt, &mut scratch)?);
                    }
                    Ok::<(), QueryError>(())
                })?;
                all.push(Times { complete, first_leg });
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(all)
}
