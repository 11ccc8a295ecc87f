//! Theta* and Lazy Theta*: legal legs, honest lengths, and how close to the
//! shortest they come.

use crate::common::{Answer, TOLERANCE, World, any_point, cases, query, random_map};
use farstride::{Engine, Scratch};
use farstride_testkit::strategies::{diagonal_costs, diagonals, map_and_query};
use farstride_testkit::{Diagonals, Kind, PlainMap, Point, SplitMix64, generate, judge, oracle};
use proptest::prelude::*;

const ANY_ANGLE: [Engine; 2] = [Engine::Theta, Engine::LazyTheta];

proptest! {
    #![proptest_config(cases(600))]

    /// Found exactly when there is a way; legal; never shorter than possible.
    #[test]
    fn paths_are_legal_and_no_shorter_than_possible(
        case in map_and_query(13, 11),
        rule in diagonals(),
        cost in diagonal_costs(),
    ) {
        let world = World::new(case.map, rule, cost);
        for engine in ANY_ANGLE {
            let mut scratch = Scratch::new();
            let outcome = world.planner(engine).find(query(case.start, case.goal), &mut scratch).unwrap();
            if let Some(length) = world.judged_length(case.start, case.goal, &outcome.into()) {
                let optimum = oracle::any_angle_optimum(&world.map, rule, case.start, case.goal);
                prop_assert!(length >= optimum.unwrap() - TOLERANCE, "{engine} is too short on {world:?}");
            }
        }
    }
}

/// Legality does not depend on size: longer ways, one scratch throughout.
#[test]
fn long_paths_are_legal_and_a_used_scratch_answers_as_a_fresh_one() {
    let mut random = SplitMix64::new(8);
    let mut used = Scratch::new();
    let mut found = 0;
    for round in 0..300 {
        let kind = Kind::SAMPLES[round % Kind::SAMPLES.len()];
        let map = generate(kind, random.between(20, 70), random.between(20, 70), random.next_u64()).unwrap();
        let rule = Diagonals::ALL[round % 4];
        let world = World::new(map, rule, farstride_testkit::DiagonalCost::Sqrt2);
        for engine in ANY_ANGLE {
            let planner = world.planner(engine);
            let (start, goal) = (any_point(&mut random, &world.map), any_point(&mut random, &world.map));
            let answer = Answer::from(planner.find(query(start, goal), &mut used).unwrap());
            let mut fresh = Scratch::new();
            assert_eq!(answer, planner.find(query(start, goal), &mut fresh).unwrap().into(), "{world:?}");
            found += usize::from(world.judged_length(start, goal, &answer).is_some());
        }
    }
    assert!(found > 200, "only {found} of 600 found");
}

/// A fixed map of 12 to 16 cells a side: a third of independent cells, the
/// others with structure.
fn small_map(random: &mut SplitMix64, round: usize) -> PlainMap {
    let kinds = [
        Kind::Rooms { size: 4 },
        Kind::Caves { blocked_percent: 42, rounds: 2 },
        Kind::City { block: 5, street: 1 },
        Kind::Open { blocked_percent: 20 },
    ];
    let (width, height) = (random.between(12, 16), random.between(12, 16));
    if round.is_multiple_of(3) {
        let blocked = random.between(10, 40) as u32;
        return random_map(random, width, height, blocked);
    }
    generate(kinds[round % kinds.len()], width, height, random.next_u64()).unwrap()
}

/// Theta* as the papers write it, or Lazy Theta*: real numbers, a scan of all
/// nodes for an open list, nothing left out. Length of its path.
struct Textbook<'m> {
    map: &'m PlainMap,
    goal: Point,
    is_lazy: bool,
    g: Vec<f64>,
    parent: Vec<Point>,
    is_open: Vec<bool>,
    is_closed: Vec<bool>,
}

impl<'m> Textbook<'m> {
    fn length(map: &'m PlainMap, start: Point, goal: Point, is_lazy: bool) -> Option<f64> {
        let nodes = map.free.len();
        let mut search = Self {
            map,
            goal,
            is_lazy,
            g: vec![f64::INFINITY; nodes],
            parent: vec![start; nodes],
            is_open: vec![false; nodes],
            is_closed: vec![false; nodes],
        };
        search.g[map.index(start)] = 0.0;
        search.is_open[map.index(start)] = true;
        while let Some(node) = search.take_nearest() {
            search.correct_parent(node);
            if node == goal {
                return Some(search.g[map.index(node)]);
            }
            for successor in search.neighbours(node) {
                search.relax(node, successor);
            }
        }
        None
    }

    /// Ties go to the larger g.
    fn take_nearest(&mut self) -> Option<Point> {
        let rank =
            |index: usize| (self.g[index] + distance(self.map.point(index), self.goal), -self.g[index]);
        let open = (0..self.g.len()).filter(|&index| self.is_open[index]);
        let nearest = open.min_by(|&one, &other| {
            let (one, other) = (rank(one), rank(other));
            one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1))
        })?;
        self.is_open[nearest] = false;
        self.is_closed[nearest] = true;
        Some(self.map.point(nearest))
    }

    fn neighbours(&self, node: Point) -> Vec<Point> {
        let rows = node.1.saturating_sub(1)..=node.1 + 1;
        let cells = rows.flat_map(|y| (node.0.saturating_sub(1)..=node.0 + 1).map(move |x| (x, y)));
        cells.filter(|&to| self.map.allows_step(Diagonals::Strict, node, to)).collect()
    }

    fn correct_parent(&mut self, node: Point) {
        let index = self.map.index(node);
        if !self.is_lazy || judge::sees(self.map, Diagonals::Strict, self.parent[index], node) {
            return;
        }
        let closed = self.neighbours(node).into_iter().filter(|&next| self.is_closed[self.map.index(next)]);
        let costs = closed.map(|next| (self.g[self.map.index(next)] + distance(next, node), next));
        let best = costs.min_by(|one, other| one.0.total_cmp(&other.0));
        (self.g[index], self.parent[index]) = best.expect("a neighbour opened the node");
    }

    fn relax(&mut self, node: Point, successor: Point) {
        let (from, to) = (self.map.index(node), self.map.index(successor));
        if self.is_closed[to] {
            return;
        }
        let grandparent = self.parent[from];
        let direct = self.is_lazy || judge::sees(self.map, Diagonals::Strict, grandparent, successor);
        let parent = if direct { grandparent } else { node };
        let g = self.g[self.map.index(parent)] + distance(parent, successor);
        if g < self.g[to] - TOLERANCE {
            self.g[to] = g;
            self.parent[to] = parent;
            self.is_open[to] = true;
        }
    }
}

fn distance(a: Point, b: Point) -> f64 {
    (a.0.abs_diff(b.0) as f64).hypot(a.1.abs_diff(b.1) as f64)
}

/// How much longer than the shortest paths others are, as a mean fraction:
/// those of Theta* and Lazy Theta*, and of both by the book.
#[derive(Debug, Default)]
struct Excess {
    queries: u32,
    engine: [f64; 2],
    textbook: [f64; 2],
}

impl Excess {
    /// Over random queries of each map.
    fn measure(random: &mut SplitMix64, maps: impl IntoIterator<Item = PlainMap>) -> Self {
        let mut excess = Self::default();
        for map in maps {
            excess.add_map(random, &World::strict(map));
        }
        let mean = |sum: f64| sum / f64::from(excess.queries);
        Self { engine: excess.engine.map(mean), textbook: excess.textbook.map(mean), ..excess }
    }

    fn add_map(&mut self, random: &mut SplitMix64, world: &World) {
        let mut scratch = Scratch::new();
        let planners = ANY_ANGLE.map(|engine| world.planner(engine));
        let free = world.map.free_points();
        let start = free[random.below(free.len())];
        let optimum = oracle::any_angle_distances(&world.map, world.diagonals, start);
        for _ in 0..12 {
            let goal = free[random.below(free.len())];
            let Some(shortest) = optimum[world.map.index(goal)].filter(|&length| length > 0.0) else {
                continue;
            };
            self.queries += 1;
            for (index, planner) in planners.iter().enumerate() {
                let outcome = planner.find(query(start, goal), &mut scratch).unwrap();
                self.engine[index] += outcome.route().unwrap().length() / shortest - 1.0;
                let textbook = Textbook::length(&world.map, start, goal, index == 1).unwrap();
                self.textbook[index] += textbook / shortest - 1.0;
            }
        }
    }
}

/// On maps so crowded that Theta* by the book is more than a percent longer
/// than the shortest, ours is within half a percent and ours the lazy way
/// within one.
#[test]
fn paths_are_shorter_than_those_by_the_book() {
    let mut random = SplitMix64::new(9);
    let maps: Vec<_> = (0..400).map(|round| small_map(&mut random, round)).collect();
    let excess = Excess::measure(&mut random, maps);
    println!("crowded maps: {excess:.6?}");
    assert!(excess.queries > 4000);
    let [theta, lazy] = excess.engine;
    assert!((0.0..0.005).contains(&theta), "{excess:?}");
    assert!((0.0..0.01).contains(&lazy), "{excess:?}");
    assert!(excess.textbook.iter().all(|&textbook| textbook > 0.01), "{excess:?}");
}

/// On open ground with few obstacles both come close to the shortest.
#[test]
fn paths_over_open_ground_are_close_to_the_shortest() {
    let mut random = SplitMix64::new(10);
    let field = Kind::Open { blocked_percent: 5 };
    let maps = (0..300).map(|seed| generate(field, 12 + seed % 5, 12 + seed / 5 % 5, seed as u64).unwrap());
    let excess = Excess::measure(&mut random, maps);
    println!("open ground: {excess:.6?}");
    assert!(excess.queries > 3000);
    let [theta, lazy] = excess.engine;
    assert!((0.0..0.0025).contains(&theta), "{excess:?}");
    assert!((0.0..0.0025).contains(&lazy), "{excess:?}");
}
