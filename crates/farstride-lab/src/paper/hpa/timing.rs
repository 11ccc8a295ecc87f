//! Times, on one thread while nothing else of this process runs.

use super::book::Book;
use super::site::{LEVELS, Site};
use crate::paper::clock::{least_micros, time_of};
use farstride::Scratch;
use farstride::error::QueryError;
use farstride_cli::output;
use std::hint::black_box;

/// Microseconds from coordinates to a complete path.
#[derive(Clone, Copy)]
pub(super) struct Times {
    pub(super) astar: f64,
    pub(super) book: f64,
    /// On 1, 2 and 3 levels, without smoothing as in the paper.
    pub(super) levels: [f64; LEVELS],
    /// By our own settings, smoothing included.
    pub(super) ours: f64,
}

/// Times of every query, map by map.
pub(super) fn measure(sites: &[Site]) -> Result<Vec<Vec<Times>>, QueryError> {
    let bar = output::progress(sites.len(), "timing");
    let mut all = Vec::with_capacity(sites.len());
    for site in sites {
        all.push(of_site(site)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(all)
}

fn of_site(site: &Site) -> Result<Vec<Times>, QueryError> {
    let mut scratch = Scratch::new();
    let mut book = Book::new(&site.grid);
    let mut times = Vec::with_capacity(site.queries.len());
    for &query in &site.queries {
        let mut levels = [0.0; LEVELS];
        for (time, planner) in levels.iter_mut().zip(&site.levels) {
            *time = time_of(planner, query, &mut scratch)?;
        }
        times.push(Times {
            astar: time_of(&site.astar, query, &mut scratch)?,
            book: least_micros(|| {
                black_box(book.find(query, &mut ()));
                Ok(())
            })?,
            levels,
            ours: time_of(&site.ours, query, &mut scratch)?,
        });
    }
    Ok(times)
}
