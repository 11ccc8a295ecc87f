//! What the tests share.

#![allow(dead_code, reason = "every test uses a part of it")]
#![allow(unused_imports, reason = "every test uses a part of it")]

mod counted;
mod edits;
pub(crate) mod forge;
pub(crate) mod lookups;
pub(crate) mod model;
pub(crate) mod saved;
pub(crate) mod small;
pub(crate) mod undirected;
mod universe;
mod world;

pub(crate) use counted::Forgeries;
pub(crate) use edits::{apply, edit_and_compare, edit_at_random, ends, planner};
pub(crate) use universe::Universe;
pub(crate) use world::{Answer, TOLERANCE, World, cell, leg_units, point, points, query, turns};

use farstride::{Engine, Path, Route};
use farstride_testkit::{PlainMap, Point, SplitMix64};
use proptest::test_runner::Config;
use std::error::Error;

/// A run of `cases` random cases, times the number in `FARSTRIDE_CASES`. The seed of a failure is written to
/// `tests/proptest-regressions` and tried first from then on.
pub(crate) fn cases(cases: u32) -> Config {
    let times = std::env::var("FARSTRIDE_CASES").map_or(1, |times| times.parse().expect("a whole number"));
    let config = Config::default();
    Config { cases: cases * times, max_global_rejects: config.max_global_rejects * times, ..config }
}

/// An error and all its causes in one line.
pub(crate) fn told(error: &dyn Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {}", told(cause)),
        None => error.to_string(),
    }
}

/// A map of independent cells.
pub(crate) fn random_map(
    random: &mut SplitMix64,
    width: usize,
    height: usize,
    blocked_percent: u32,
) -> PlainMap {
    let mut map = PlainMap::new(width, height, true);
    map.free.iter_mut().for_each(|free| *free = !random.chance(blocked_percent));
    map
}

/// Gives every cell a weight from 1 to 9.
pub(crate) fn weigh(random: &mut SplitMix64, map: &mut PlainMap) {
    map.weights = Some(map.free.iter().map(|_| random.between(1, 9) as u8).collect());
}

pub(crate) fn any_point(random: &mut SplitMix64, map: &PlainMap) -> Point {
    map.point(random.below(map.free.len()))
}

/// Holds the length of a route against that of the whole path.
pub(crate) fn assert_same_length(engine: Engine, route: &Route<'_>, whole: f64) {
    if engine == Engine::Straight && route.path() == Path::Omitted {
        assert!((route.length() - whole).abs() < 2e-3, "{engine}");
    } else if engine == Engine::Overlay && route.path() == Path::Omitted {
        // The length of a path that is not written follows from its cost.
        assert!((route.length() / whole - 1.0).abs() < 5e-8, "{engine}");
    } else {
        assert_eq!(route.length().to_bits(), whole.to_bits(), "{engine}");
    }
}
