//! Many queries at once.

use crate::border::{Handle, Result, free, give, guard, list, out, shared};
use crate::planner::{Planner, thread_count};
use crate::route::{Query, Route};
use farstride::{Cell as MapCell, Engine, Outcome, OwnedRoute, Query as Asked};
use farstride_bindings::Failure;

/// The answers to many queries.
pub struct Routes {
    routes: Vec<Kept>,
}

/// An answer with its path.
struct Kept {
    route: Route,
    /// What the cells of the route point to; moving this does not move them.
    _cells: Option<OwnedRoute>,
    _memory: Vec<MapCell>,
}

// SAFETY: the pointers of the route lead to what the same value owns.
unsafe impl Send for Kept {}

impl Handle for Routes {
    const KIND: u32 = 0x6672_6d31;
}

/// Keeps an answer with a path of its own.
fn keep(outcome: &Outcome<'_>, query: Asked, engine: Engine) -> Kept {
    let mut memory = Vec::new();
    match outcome {
        Outcome::Found(route) => {
            let cells = route.to_owned();
            let outcome = Outcome::Found(cells.as_route());
            let route = Route::new(&outcome, query, engine, &mut memory);
            Kept { route, _cells: Some(cells), _memory: memory }
        }
        other => {
            let route = Route::new(other, query, engine, &mut memory);
            Kept { route, _cells: None, _memory: memory }
        }
    }
}

/// Answers many queries on several threads; 0 for all cores. The answers are those of
/// farstride_find, in the order of the queries, with any number of threads.
///
/// Threads may ask the planner meanwhile. Free the routes with farstride_routes_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_find_many(
    planner: *const Planner,
    queries: *const Query,
    count: usize,
    threads: u32,
    routes: *mut *mut Routes,
) -> Result {
    guard(|| {
        let planner = &shared(planner)?.inner;
        let read = |query: &Query| query.on(planner.grid());
        let queries = list(queries, count)?.iter().map(read).collect::<std::result::Result<Vec<_>, _>>()?;
        let threads = thread_count(threads);
        // An outcome does not know its query, so only the path of a found one is kept here.
        let kept = planner.find_many(&queries, threads, |outcome| match outcome {
            Outcome::AlreadyThere => None,
            other => Some(keep(other, Asked::starting_at((0, 0)), planner.engine())),
        })?;
        let there = |(kept, &query): (Option<Kept>, &Asked)| {
            kept.unwrap_or_else(|| keep(&Outcome::AlreadyThere, query, planner.engine()))
        };
        let all = kept.into_iter().zip(&queries).map(there).collect();
        give(Routes { routes: all }, routes)
    })
}

/// The answer to query number `at`; its cells lie in the routes until these are freed.
///
/// Any thread may call it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_routes_get(routes: *const Routes, at: usize, route: *mut Route) -> Result {
    guard(|| {
        let all = &shared(routes)?.routes;
        let none = || Failure::query(format!("there is no route {at}: there are {}", all.len()));
        out(route)?.set(all.get(at).ok_or_else(none)?.route);
        Ok(())
    })
}

/// Frees routes and their paths. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_routes_free(routes: *mut Routes) {
    free(routes);
}
