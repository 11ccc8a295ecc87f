//! Every rival on small generated maps: legal under the rules that it claims,
//! found when it promises to find, shortest when it promises the shortest.

use farstride_bench::rival::widen;
use farstride_bench::{Claims, Length, Point, Rival, Shape, rivals};
use farstride_testkit::{DiagonalCost, Diagonals, Kind, PlainMap, SplitMix64, generate, oracle};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Sides that are no multiples of the chunks of any rival, and some that are.
const SIZES: [(usize, usize); 4] = [(9, 7), (21, 17), (32, 32), (45, 40)];
const QUERIES: usize = 40;

/// What one rival got wrong.
#[derive(Debug, Default, PartialEq, Eq)]
struct Faults {
    illegal: usize,
    /// Paths where there is none.
    invented: usize,
    missed: usize,
    /// Longer than the shortest by the rival's own measure.
    longer: usize,
    panicked: usize,
}

#[test]
fn rivals_keep_their_promises() {
    let mut broken = Vec::new();
    for rival in rivals::all() {
        let faults = judge(rival.as_ref());
        eprintln!("{}: {faults:?}", rival.name());
        if !keeps(rival.claims(), &faults) {
            broken.push((rival.name(), faults));
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

fn keeps(claims: Claims, faults: &Faults) -> bool {
    faults.panicked == 0
        && faults.illegal == 0
        && faults.invented == 0
        && (!claims.complete || faults.missed == 0)
        && (!claims.optimal || faults.longer == 0)
}

fn judge(rival: &dyn Rival) -> Faults {
    let mut faults = Faults::default();
    for kind in Kind::SAMPLES {
        for (seed, (width, height)) in (1..).zip(SIZES) {
            let map = generate(kind, width, height, seed).unwrap();
            judge_on(rival, &map, seed, &mut faults);
        }
    }
    faults
}

fn judge_on(rival: &dyn Rival, map: &PlainMap, seed: u64, faults: &mut Faults) {
    let claims = rival.claims();
    let mut prepared = rival.prepare(map).unwrap();
    let mut path = Vec::new();
    for (start, goal) in queries(map, seed) {
        let shortest = shortest(claims, map, start, goal);
        let asked = AssertUnwindSafe(|| prepared.query(start, goal, &mut path));
        let Ok(found) = catch_unwind(asked) else {
            eprintln!("{} panics from {start:?} to {goal:?} on\n{map:?}", rival.name());
            faults.panicked += 1;
            continue;
        };
        faults.invented += usize::from(found && shortest.is_none());
        faults.missed += usize::from(!found && shortest.is_some());
        if let (true, Some(shortest)) = (found, shortest) {
            match claims.judge(map, start, goal, &path) {
                Ok(verdict) => faults.longer += usize::from(verdict.own_length > shortest + 1e-9),
                Err(_) => faults.illegal += 1,
            }
        }
    }
}

/// Random queries, one from a cell to itself and, where there is a wall, one
/// that ends in it.
fn queries(map: &PlainMap, seed: u64) -> Vec<(Point, Point)> {
    let points = map.free_points();
    let mut random = SplitMix64::new(seed);
    let narrow = |(x, y): (usize, usize)| (x as u16, y as u16);
    let mut draw = || narrow(points[random.below(points.len())]);
    let mut queries: Vec<_> = (0..QUERIES).map(|_| (draw(), draw())).collect();
    let place = draw();
    queries.push((place, place));
    if let Some(wall) = map.free.iter().position(|&free| !free) {
        queries.push((place, narrow(map.point(wall))));
    }
    queries
}

/// Length of a shortest path by the rival's own measure, if there is a path;
/// without bound for turning points, whose optimum takes too long to find.
fn shortest(claims: Claims, map: &PlainMap, start: Point, goal: Point) -> Option<f64> {
    let (from, to) = (widen(start), widen(goal));
    if !map.is_free_at(to) {
        return None;
    }
    if claims.shape == Shape::Points {
        let cost = oracle::distance(map, claims.diagonals, DiagonalCost::Sqrt2, from, to);
        return cost.map(|_| f64::INFINITY);
    }
    shortest_steps(map, claims.diagonals, claims.length, from)[map.index(to)]
}

/// Shortest lengths from one cell by rounds of relaxation until nothing
/// changes: the testkit's oracle knows only two prices of a diagonal step.
fn shortest_steps(
    map: &PlainMap,
    diagonals: Diagonals,
    length: Length,
    start: (usize, usize),
) -> Vec<Option<f64>> {
    let mut lengths = vec![None; map.free.len()];
    lengths[map.index(start)] = Some(0.0);
    let mut pending = vec![start];
    while !pending.is_empty() {
        let mut improved = Vec::new();
        for from in pending {
            let base = lengths[map.index(from)].unwrap_or(f64::INFINITY);
            for to in around(from) {
                if !map.allows_step(diagonals, from, to) {
                    continue;
                }
                let diagonal = from.0 != to.0 && from.1 != to.1;
                let sum = base + if diagonal { length.diagonal() } else { 1.0 };
                let known = &mut lengths[map.index(to)];
                if known.is_none_or(|known| sum < known - 1e-9) {
                    *known = Some(sum);
                    improved.push(to);
                }
            }
        }
        pending = improved;
    }
    lengths
}

fn around((x, y): (usize, usize)) -> impl Iterator<Item = (usize, usize)> {
    let near = move |at: usize| at.saturating_sub(1)..=at + 1;
    near(y).flat_map(move |y| near(x).map(move |x| (x, y)))
}
