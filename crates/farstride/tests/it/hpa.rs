//! HPA*: the abstraction is what the paper defines, paths cost what the
//! abstract graph says, and edits leave no trace.

use crate::common::saved::{KEPT, hpa_settings};
use crate::common::{
    Answer, World, cases, cell, edit_and_compare, ends, planner, point, query, random_map, weigh,
};
use farstride::error::ResumeError;
use farstride::hpa::{Connect, Hierarchy, HpaSettings, KeepWays, Tactics};
use farstride::index::BuildOptions;
use farstride::search::{Counters, Effort};
use farstride::{Cell, Grid, Index, Planned, Planner, Query, Rect, Scratch, Step};
use farstride_testkit::abstraction::{Abstraction, AbstractionSettings};
use farstride_testkit::strategies::{diagonal_costs, diagonals, maps, terrain_maps};
use farstride_testkit::{Diagonals, Kind, PlainMap, Point, SplitMix64, generate, judge_grid, oracle};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn settings() -> impl Strategy<Value = HpaSettings> {
    hpa_settings(6, 5)
}

fn any_map() -> impl Strategy<Value = PlainMap> {
    prop_oneof![maps(24, 24), terrain_maps(20, 20)]
}

fn abstraction(world: &World, settings: HpaSettings) -> Abstraction {
    let plain = AbstractionSettings {
        cluster: settings.cluster.into(),
        entrance: settings.entrance.into(),
        levels: settings.levels.into(),
        group: settings.group.into(),
        gap: settings.gap.into(),
        net: settings.net.into(),
    };
    Abstraction::with_gaps(&world.map, world.diagonals, world.cost, plain)
}

/// Nothing but what the abstract graph gives.
const PLAIN: Tactics = Tactics::DEFAULT
    .with_smooth(false)
    .with_shortcuts(false)
    .with_connect(Connect::OnTheWay)
    .with_eager(false)
    .with_shift(false);

fn assert_as_defined(world: &World, settings: HpaSettings) {
    let expected = abstraction(world, settings);
    let hierarchy = Hierarchy::build(&world.grid(), settings).unwrap();
    hierarchy.check().unwrap();
    let mut nodes: Vec<_> = hierarchy.nodes().map(|node| (node.cell, node.level)).collect();
    nodes.sort_unstable();
    let wanted = expected.nodes().into_iter().map(|(at, level)| (cell(at), level as u8));
    assert_eq!(nodes, wanted.collect::<Vec<_>>(), "{settings:?} on {world:?}");
    let mut inter: Vec<_> =
        hierarchy.inter_edges().map(|e| (e.from, e.to, e.cost.units(), e.level)).collect();
    inter.sort_unstable();
    let wanted = expected.inter_edges().into_iter().map(|(a, b, c, l)| (cell(a), cell(b), c, l as u8));
    assert_eq!(inter, wanted.collect::<Vec<_>>(), "{settings:?} on {world:?}");
    for level in 1..=settings.levels {
        let mut intra: Vec<_> =
            hierarchy.intra_edges(level).map(|e| (e.from, e.to, e.cost.units())).collect();
        intra.sort_unstable();
        let wanted = expected.intra_edges(level.into()).into_iter().map(|(a, b, c)| (cell(a), cell(b), c));
        assert_eq!(intra, wanted.collect::<Vec<_>>(), "level {level} of {settings:?} on {world:?}");
    }
}

/// The cost of the cheapest path that passes these clusters, inside each by any way, from
/// one to the next by a transition.
fn cheapest_through(
    world: &World,
    graph: &Abstraction,
    side: usize,
    passed: &[(usize, usize)],
    (start, goal): (Point, Point),
) -> u64 {
    let cluster = |(x, y): Point| (x / side, y / side);
    let nodes: Vec<Point> = graph.nodes().into_iter().map(|(node, _)| node).collect();
    let mut reached = BTreeMap::from([(start, 0)]);
    for (at, &here) in passed.iter().enumerate() {
        // Nothing else is free, so no way leaves the cluster.
        let mut inside = world.map.clone();
        for cell in world.map.free_points().into_iter().filter(|&cell| cluster(cell) != here) {
            inside.set_free(cell, false);
        }
        let next = passed.get(at + 1);
        let mut crossed = BTreeMap::new();
        for (&from, &cost) in &reached {
            let distances = oracle::distances(&inside, world.diagonals, world.cost, from);
            let ends = if next.is_some() { &nodes[..] } else { &[goal][..] };
            for &to in ends {
                if let Some(way) = distances[to.1 * world.map.width + to.0] {
                    lower(&mut crossed, to, cost + way);
                }
            }
        }
        let Some(&next) = next else { return crossed[&goal] };
        reached.clear();
        for (a, b, step, _) in graph.inter_edges() {
            for (from, to) in [(a, b), (b, a)] {
                let is_there = cluster(from) == here && cluster(to) == next;
                if let Some(cost) = crossed.get(&from).filter(|_| is_there) {
                    lower(&mut reached, to, cost + step);
                }
            }
        }
    }
    panic!("a path passes its own cluster");
}

/// Sets a cost if it is the first or lower than the one before.
fn lower(costs: &mut BTreeMap<Point, u64>, at: Point, cost: u64) {
    let known = costs.entry(at).or_insert(cost);
    *known = cost.min(*known);
}

/// Judges what is found on a map: a path if there is one, legal, at the cost of its
/// steps, which is no less than the best.
fn assert_found_and_legal(world: &World, settings: HpaSettings, tactics: Tactics, seed: u64) {
    let planner = planner(world, settings, tactics);
    let mut scratch = Scratch::new();
    for (start, goal) in ends(world, seed, 12) {
        let answer = Answer::from(planner.find(query(start, goal), &mut scratch).unwrap());
        let best = oracle::distance(&world.map, world.diagonals, world.cost, start, goal);
        let cost = match answer {
            Answer::Found { cost, .. } => Some(cost),
            _ => best,
        };
        assert!(cost >= best, "{start:?} to {goal:?} with {settings:?} on {world:?}");
        world.assert_costs(start, goal, &answer, cost);
    }
}

proptest! {
    #![proptest_config(cases(192))]

    /// Nodes, levels, inter-edges and intra-edges of all levels are those of
    /// the definitions.
    #[test]
    fn the_abstraction_is_what_the_paper_defines(
        map in maps(24, 24), rule in diagonals(), cost in diagonal_costs(), settings in settings(),
    ) {
        assert_as_defined(&World::new(map, rule, cost), settings);
    }

    /// With weights, transitions are where the definition of heights puts them.
    /// Small clusters on larger maps: many borders of all levels.
    #[test]
    fn the_abstraction_of_terrain_is_as_defined(
        map in terrain_maps(40, 40), rule in diagonals(), cost in diagonal_costs(), settings in hpa_settings(12, 4),
    ) {
        assert_as_defined(&World::new(map, rule, cost), settings);
    }

    /// A path exists exactly when the grid has one, costs exactly what the
    /// abstract graph of the paper says, on any number of levels, with and without
    /// the ways kept, and however start and goal are connected.
    #[test]
    fn the_cost_is_that_of_the_abstract_graph_on_any_number_of_levels(
        map in any_map(), rule in diagonals(), cost in diagonal_costs(), settings in settings(), seed: u64,
    ) {
        let world = World::new(map, rule, cost);
        let settings = settings.with_gap(0);
        let expected = abstraction(&world, settings.with_levels(1));
        let mut scratch = Scratch::new();
        let ends = ends(&world, seed, 12);
        for levels in 1..=5 {
            for keep_ways in KEPT {
                let settings = settings.with_levels(levels).with_keep_ways(keep_ways);
                for connect in [Connect::OnTheWay, Connect::Beforehand] {
                    let planner = planner(&world, settings, PLAIN.with_connect(connect));
                    for &(start, goal) in &ends {
                        let answer = Answer::from(planner.find(query(start, goal), &mut scratch).unwrap());
                        let wanted = expected.abstract_distance(start, goal);
                        world.assert_costs(start, goal, &answer, wanted);
                    }
                }
            }
        }
    }

    /// Where transitions have heights, a path exists exactly when the grid has one,
    /// however far apart they are.
    #[test]
    fn heights_lose_no_connection(
        map in terrain_maps(40, 40), rule in diagonals(), cost in diagonal_costs(),
        settings in hpa_settings(6, 5), gap in prop_oneof![1..=6_u16, Just(64), Just(256)],
        connect in prop_oneof![Just(Connect::OnTheWay), Just(Connect::Beforehand)], seed: u64,
    ) {
        let world = World::new(map, rule, cost);
        let settings = settings.with_gap(gap);
        assert_found_and_legal(&world, settings, PLAIN.with_connect(connect), seed);
        assert_found_and_legal(&world, settings, Tactics::DEFAULT.with_connect(connect), seed);
    }

    /// The default settings but for smaller clusters, so that all levels are used.
    #[test]
    fn paths_on_terrain_are_legal_and_cost_their_steps(
        map in terrain_maps(64, 64), rule in diagonals(), cost in diagonal_costs(), cluster in 4..12_u16, seed: u64,
    ) {
        let world = World::new(map, rule, cost);
        assert_found_and_legal(&world, HpaSettings::default().with_cluster(cluster), Tactics::DEFAULT, seed);
    }

    /// An eager search finds a path that is longer by what it adds to the estimate and
    /// by the width of a bucket at most.
    #[test]
    fn eager_searches_are_nearly_exact(
        map in any_map(), rule in diagonals(), cost in diagonal_costs(), settings in settings(), seed: u64,
    ) {
        let world = World::new(map, rule, cost);
        let (exact, eager) =
            (planner(&world, settings, PLAIN), planner(&world, settings, PLAIN.with_eager(true)));
        for (start, goal) in ends(&world, seed, 12) {
            let cost = |planner: &Planner| {
                let mut scratch = Scratch::new();
                planner.find(query(start, goal), &mut scratch).unwrap().route().map(|route| route.cost().units())
            };
            let (least, found) = (cost(&exact), cost(&eager));
            prop_assert_eq!(least.is_some(), found.is_some());
            let (Some(least), Some(found)) = (least, found) else { continue };
            // If most cells are heavy, the rest of a path counts for more.
            let heavy = world.map.weights.iter().flatten().filter(|&&weight| weight > 1).count();
            let parts = if heavy > world.map.free.len() / 2 { 16 } else { 64 };
            prop_assert!((least..least + least / parts + 4096).contains(&found), "{} for {}", found, least);
        }
    }

    /// A path that is shifted costs as little as any that crosses the same borders.
    #[test]
    fn shifting_finds_the_best_transitions(
        map in any_map(), rule in diagonals(), cost in diagonal_costs(), settings in settings(), seed: u64,
    ) {
        let world = World::new(map, rule, cost);
        let (still, shifted) =
            (planner(&world, settings, PLAIN), planner(&world, settings, PLAIN.with_shift(true)));
        let graph = abstraction(&world, settings);
        let mut scratch = Scratch::new();
        for (start, goal) in ends(&world, seed, 4) {
            let outcome = still.find(query(start, goal), &mut scratch).unwrap();
            let Some(route) = outcome.route() else { continue };
            let side = usize::from(settings.cluster);
            let cluster = |(x, y): Point| (x / side, y / side);
            let mut passed: Vec<_> =
                route.path().cells().iter().map(|&cell| cluster(point(cell))).collect();
            passed.dedup();
            let wanted = cheapest_through(&world, &graph, side, &passed, (start, goal));
            let found = shifted.find(query(start, goal), &mut scratch).unwrap();
            let found = found.route().unwrap().cost().units();
            prop_assert_eq!(found, wanted, "{:?} to {:?} through {:?} on {:?}", start, goal, passed, world);
        }
    }

    /// With shortcuts, shifting and smoothing a path is still legal, never dearer than
    /// without them, and never cheaper than the best.
    #[test]
    fn smoothing_never_lengthens(
        map in any_map(), rule in diagonals(), cost in diagonal_costs(), settings in settings(), seed: u64,
    ) {
        let world = World::new(map, rule, cost);
        let costs = |tactics| {
            let planner = planner(&world, settings, tactics);
            let mut scratch = Scratch::new();
            ends(&world, seed, 12).into_iter().map(|(start, goal)| {
                let outcome = planner.find(query(start, goal), &mut scratch).unwrap();
                outcome.route().map(|route| {
                    let path: Vec<Point> = route.path().cells().iter().copied().map(point).collect();
                    let verdict = judge_grid(&world.map, world.diagonals, world.cost, start, goal, &path);
                    let verdict = verdict.unwrap_or_else(|fault| panic!("{fault}: {path:?} on {world:?}"));
                    assert_eq!(verdict.cost, route.cost().units(), "{path:?} on {world:?}");
                    verdict.cost
                })
            }).collect::<Vec<_>>()
        };
        let eager = PLAIN.with_eager(true);
        let plain = costs(eager);
        let short = costs(eager.with_shortcuts(true));
        let smooth = costs(eager.with_smooth(true));
        let shifted = costs(eager.with_shift(true));
        let all = costs(Tactics::default());
        for (index, &(start, goal)) in ends(&world, seed, 12).iter().enumerate() {
            let best = oracle::distance(&world.map, world.diagonals, world.cost, start, goal);
            let best = best.filter(|_| start != goal);
            for found in [short[index], smooth[index], shifted[index], all[index]] {
                prop_assert!(found.is_some() == best.is_some() && found <= plain[index] && found >= best);
            }
        }
    }

    /// However a map got to be what it is, its abstraction is the same, and so
    /// are the paths on it.
    #[test]
    fn edits_leave_no_trace(
        map in any_map(), rule in diagonals(), cost in diagonal_costs(), settings in settings(), seed: u64,
    ) {
        let mut random = SplitMix64::new(seed);
        edit_and_compare(&mut World::new(map, rule, cost), settings, &mut random, 24);
    }
}

proptest! {
    #![proptest_config(cases(96))]

    /// The same where transitions have heights: these depend on cells far away
    /// along the same border, so clusters are small and borders long.
    #[test]
    fn edits_of_terrain_leave_no_trace(
        map in terrain_maps(40, 40), rule in diagonals(), settings in hpa_settings(5, 5),
        gap in 1..=6_u16, seed: u64,
    ) {
        let mut random = SplitMix64::new(seed);
        let mut world = World::new(map, rule, farstride_testkit::DiagonalCost::Sqrt2);
        edit_and_compare(&mut world, settings.with_gap(gap), &mut random, 24);
    }
}

proptest! {
    #![proptest_config(cases(96))]

    /// Cells at most 32 columns and rows apart are joined by a shortest path or, where no
    /// path is looked for that is hardly shorter, by one within one part in 64 of it.
    #[test]
    fn near_cells_are_joined_directly(
        map in terrain_maps(40, 40), rule in diagonals(), settings in hpa_settings(5, 5),
        gap in 1..=6_u16, weighs in any::<bool>(), seed: u64,
    ) {
        let weights = map.weights.clone().filter(|_| weighs);
        let world = World::new(PlainMap { weights, ..map }, rule, farstride_testkit::DiagonalCost::Sqrt2);
        let planner = planner(&world, settings.with_gap(gap), Tactics::default());
        let mut scratch = Scratch::new();
        for (start, goal) in ends(&world, seed, 12) {
            let outcome = planner.find(query(start, goal), &mut scratch).unwrap();
            let Some(found) = outcome.route().map(|route| route.cost().units()) else { continue };
            let best = oracle::distance(&world.map, world.diagonals, world.cost, start, goal).unwrap();
            let is_near = start.0.abs_diff(goal.0).max(start.1.abs_diff(goal.1)) <= 32;
            let more = if world.map.weights.is_some() { 0 } else { best / 64 };
            prop_assert!(!is_near || found <= best + more, "{:?} to {:?} on {:?}", start, goal, world);
        }
    }
}

/// Ways are repaired instead of searched anew, and on plateaus most of them have equals: what
/// comes out must not depend on what was there before.
#[test]
fn edits_of_plateaus_leave_no_trace() {
    let rules = [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None];
    let palettes: [&[u8]; 4] = [&[2], &[1, 2], &[2, 2, 2, 3], &[1, 4, 9]];
    for seed in 0..48 {
        let mut random = SplitMix64::new(seed);
        let (width, height) = (random.between(20, 90), random.between(20, 60));
        let blocked = random.between(0, 25) as u32;
        let mut map = random_map(&mut random, width, height, blocked);
        let palette = palettes[seed as usize / 4 % 4];
        let patch = random.between(1, 12);
        let drawn: Vec<u8> = map.free.iter().map(|_| palette[random.below(palette.len())]).collect();
        let place = |(x, y): Point| map.index((x / patch * patch, y / patch * patch));
        map.weights = Some((0..drawn.len()).map(|index| drawn[place(map.point(index))]).collect());
        let settings = HpaSettings::default()
            .with_cluster(random.between(8, 32) as u16)
            .with_gap(random.between(1, 6) as u16)
            .with_levels(random.between(1, 3) as u8);
        let cost = farstride_testkit::DiagonalCost::Sqrt2;
        edit_and_compare(&mut World::new(map, rules[seed as usize % 4], cost), settings, &mut random, 24);
    }
}

/// Worlds with several levels on which nets decide what counts, made small by small clusters.
fn worlds_with_nets(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (World, HpaSettings, SplitMix64)> {
    let kinds = [
        Kind::Caves { blocked_percent: 42, rounds: 4 },
        Kind::Rooms { size: 9 },
        Kind::Open { blocked_percent: 8 },
    ];
    seeds.map(move |seed| {
        let mut random = SplitMix64::new(seed);
        let (width, height) = (random.between(80, 130), random.between(70, 110));
        let mut map = match kinds.get(seed as usize % 4) {
            Some(&kind) => generate(kind, width, height, seed).unwrap(),
            None => random_map(&mut random, width, height, 20),
        };
        if random.chance(40) {
            weigh(&mut random, &mut map);
        }
        let settings = HpaSettings::default()
            .with_cluster(random.between(3, 5) as u16)
            .with_entrance(random.between(1, 6) as u16)
            .with_gap(random.between(1, 4) as u16)
            .with_levels(random.between(5, 7) as u8)
            .with_net(random.between(4, 32) as u8)
            .with_keep_ways(KEPT[random.below(3)]);
        let rule = Diagonals::ALL[seed as usize / 4 % 4];
        (World::new(map, rule, farstride_testkit::DiagonalCost::Sqrt2), settings, random)
    })
}

#[test]
fn nets_are_as_defined() {
    let mut left_out = 0;
    for (world, settings, _) in worlds_with_nets(0..16) {
        assert_as_defined(&world, settings);
        let hierarchy = Hierarchy::build(&world.grid(), settings).unwrap();
        let side = settings.side(4) as u16;
        let place = |cell: Cell| (cell.x / side, cell.y / side);
        let crossing = hierarchy.inter_edges().filter(|edge| place(edge.from) != place(edge.to));
        left_out += crossing.filter(|edge| edge.level == 3).count();
    }
    assert!(left_out > 100, "nets leave out {left_out} only");
}

#[test]
fn finer_nets_keep_more() {
    let map = generate(Kind::Open { blocked_percent: 8 }, 256, 256, 3).unwrap();
    let grid = World::new(map, Diagonals::Strict, farstride_testkit::DiagonalCost::Sqrt2).grid();
    let kept = [4, 16, 64].map(|net| {
        let settings = HpaSettings::default().with_cluster(8).with_levels(6).with_net(net);
        let hierarchy = Hierarchy::build(&grid, settings).unwrap();
        hierarchy.inter_edges().filter(|edge| edge.level > 3).count()
    });
    assert!(kept.is_sorted() && kept[0] * 2 < kept[2], "{kept:?}");
}

#[test]
fn nets_lose_no_connection() {
    for (world, settings, mut random) in worlds_with_nets(16..32) {
        assert_found_and_legal(&world, settings, PLAIN, random.next_u64());
        assert_found_and_legal(&world, settings, Tactics::DEFAULT, random.next_u64());
        assert_found_and_legal(&world, settings, Tactics::paper(), random.next_u64());
    }
}

#[test]
fn shifting_on_levels_with_nets_never_makes_paths_dearer() {
    let mut cheaper = 0;
    for (world, settings, _) in worlds_with_nets(56..72) {
        let [plain, shifted] =
            [PLAIN, PLAIN.with_shift(true)].map(|tactics| planner(&world, settings, tactics));
        let mut scratch = Scratch::new();
        for (start, goal) in ends(&world, 11, 60) {
            let mut cost = |planner: &Planner| {
                let outcome = planner.find(query(start, goal), &mut scratch).unwrap();
                outcome.route().map(|route| route.cost().units())
            };
            let (before, after) = (cost(&plain), cost(&shifted));
            assert!(after <= before, "{after:?} instead of {before:?}, {start:?} to {goal:?} on {world:?}");
            cheaper += u32::from(after < before);
        }
    }
    assert!(cheaper > 10, "only {cheaper} paths became cheaper");
}

#[test]
fn edits_of_maps_with_nets_leave_no_trace() {
    for (mut world, settings, mut random) in worlds_with_nets(32..48) {
        edit_and_compare(&mut world, settings, &mut random, 24);
    }
}

/// The edit that changes most: it cuts the map in two, or joins it.
#[test]
fn the_only_gap_of_a_wall_leaves_no_trace() {
    for (mut world, settings, _) in worlds_with_nets(48..56) {
        let gap = (world.map.width / 2, world.map.height / 2);
        for row in 0..world.map.height {
            let at = world.map.index((gap.0, row));
            world.map.free[at] = row == gap.1;
        }
        let mut planner = planner(&world, settings, Tactics::default());
        for free in [false, true, false] {
            let at = world.map.index(gap);
            world.map.free[at] = free;
            let edit = planner.edit(|grid| if free { grid.free(cell(gap)) } else { grid.block(cell(gap)) });
            edit.unwrap();
            let fresh = Hierarchy::build(&world.grid(), settings).unwrap();
            let edited = planner.index().and_then(Index::hierarchy).unwrap();
            assert!(*edited == fresh, "{settings:?} on {world:?}");
        }
    }
}

/// The same where one crossing costs more than all buckets together hold.
#[test]
fn eager_searches_are_nearly_exact_on_heavy_ground() {
    let mut map = generate(Kind::Rooms { size: 8 }, 96, 96, 3).unwrap();
    map.weights = Some(vec![255; map.free.len()]);
    let world = World::strict(map);
    let [exact, eager] =
        [PLAIN, PLAIN.with_eager(true)].map(|tactics| planner(&world, HpaSettings::default(), tactics));
    let mut scratch = Scratch::new();
    for (start, goal) in ends(&world, 7, 300) {
        let mut cost = |planner: &Planner| {
            planner.find(query(start, goal), &mut scratch).unwrap().route().map(|route| route.cost().units())
        };
        let (Some(least), Some(found)) = (cost(&exact), cost(&eager)) else { continue };
        assert!(found <= least + least / 16 + 4096, "{found} for {least}");
    }
}

/// One winding corridor of the heaviest cells: ways through clusters from level 2 on cost more than numbers of 4 bytes can
/// hold, in the index and in a search.
#[test]
fn ways_may_cost_more_than_short_numbers_hold() {
    let (width, height) = (64_u16, 512_u16);
    let corridor = |x: u16, y: u16| y.is_multiple_of(2) || x == if y % 4 == 1 { width - 1 } else { 0 };
    let weights: Vec<u8> =
        (0..height).flat_map(|y| (0..width).map(move |x| if corridor(x, y) { u8::MAX } else { 0 })).collect();
    let grid = Grid::from_weights(width.into(), height.into(), &weights).unwrap();
    let mut scratch = Scratch::new();
    let settings = HpaSettings::default().with_cluster(32).with_levels(4);
    let exact = Planner::with_engine(grid.clone(), farstride::Engine::Astar).unwrap();
    let hierarchy = Hierarchy::build(&grid, settings).unwrap();
    hierarchy.check().unwrap();
    let planner = Planner::with_index(grid, hierarchy).unwrap();
    let ends = [(0, 0), (63, 510), (40, 66), (0, 130), (63, 0)].map(|(x, y)| Cell::new(x, y));
    let pairs = ends.into_iter().flat_map(|start| ends.map(|goal| (start, goal)));
    for (start, goal) in pairs.filter(|(start, goal)| start != goal) {
        let mut cost = |planner: &Planner| {
            planner.find(Query::new(start, goal), &mut scratch).unwrap().route().unwrap().cost()
        };
        assert_eq!(cost(&planner), cost(&exact), "{start:?} to {goal:?}");
    }
    let highest = planner.find(Query::new(ends[0], ends[1]), &mut scratch).unwrap().route().unwrap().cost();
    assert!(highest.units() > 1 << 34);
}

/// Two cells of one cluster: the way inside it is known without the main search, which must not
/// look at the whole map to find that no way around is shorter.
#[test]
fn short_ways_look_at_few_nodes() {
    let mut map = random_map(&mut SplitMix64::new(3), 512, 512, 10);
    map.weights = Some((0..512 * 512).map(|at| 1 + (at * 7919 % 10) as u8).collect());
    let world = World::strict(map);
    // On one level all 256 clusters have nodes to look at, thousands in all.
    let settings = HpaSettings::default().with_levels(1);
    let planner = planner(&world, settings, Tactics::DEFAULT.with_shortcuts(false));
    let mut scratch = Scratch::new();
    let mut random = SplitMix64::new(4);
    let mut asked = 0;
    while asked < 50 {
        let (x, y) = (random.below(16) * 32, random.below(16) * 32);
        let [start, goal] = [(); 2].map(|()| (x + random.below(32), y + random.below(32)));
        if start == goal || !world.map.is_free_at(start) || !world.map.is_free_at(goal) {
            continue;
        }
        let mut counters = Counters::default();
        let outcome = planner.find_observed(query(start, goal), &mut counters, &mut scratch).unwrap();
        if outcome.route().is_some() {
            asked += 1;
            // The search inside the cluster has up to 1024 nodes.
            assert!(counters.expanded < 2_000, "{} nodes from {start:?} to {goal:?}", counters.expanded);
        }
    }
}

/// Mazes and rooms have one door where the ground is dearest: no height may pass it over.
#[test]
fn heights_keep_the_only_door() {
    let kinds =
        [Kind::Maze { corridor: 1, wall: 1 }, Kind::Maze { corridor: 3, wall: 1 }, Kind::Rooms { size: 7 }];
    let mut random = SplitMix64::new(31);
    for (kind, rule) in kinds.into_iter().flat_map(|kind| Diagonals::ALL.map(|rule| (kind, rule))) {
        let mut map = generate(kind, 90, 70, random.next_u64()).unwrap();
        weigh(&mut random, &mut map);
        let world = World::new(map, rule, farstride_testkit::DiagonalCost::Sqrt2);
        for (gap, cluster) in [(1, 4), (4, 8), (30, 5), (256, 3)] {
            let settings = HpaSettings::default().with_gap(gap).with_cluster(cluster).with_levels(5);
            assert_found_and_legal(&world, settings, PLAIN, random.next_u64());
            assert_found_and_legal(&world, settings, Tactics::DEFAULT, random.next_u64());
        }
    }
}

/// Places that are remembered are not searched around again, until the map is
/// edited, and change no answer.
#[test]
fn popular_places_are_connected_once() {
    let mut random = SplitMix64::new(11);
    let world = World::strict(random_map(&mut random, 120, 90, 10));
    for connect in [Connect::OnTheWay, Connect::Beforehand] {
        let settings = HpaSettings::default().with_cluster(10).with_keep_ways(KeepWays::Nothing);
        let forgetful = planner(&world, settings, PLAIN.with_connect(connect));
        let mut planner = forgetful.clone().with_tactics(PLAIN.with_connect(connect).with_remember(3));
        let mut scratch = Scratch::new();
        let goal = (0..120).map(|x| (x, 40)).find(|&goal| world.map.is_free_at(goal)).unwrap();
        let grid = world.grid();
        let connected = |start: &Point| *start != goal && grid.is_connected(cell(*start), cell(goal));
        let starts: Vec<Point> = (60..120).map(|x| (x, 10)).filter(connected).take(2).collect();
        let mut inserted = Vec::new();
        for round in 0..40 {
            if round == 30 {
                let _ = planner.edit(|grid| grid.block(cell((119, 89)))).unwrap();
                let _ = planner.edit(|grid| grid.free(cell((119, 89)))).unwrap();
            }
            let start = starts[round % 2];
            let mut effort = Effort::default();
            let answer =
                Answer::from(planner.find_observed(query(start, goal), &mut effort, &mut scratch).unwrap());
            assert_eq!(answer, forgetful.find(query(start, goal), &mut Scratch::new()).unwrap().into());
            let alone = {
                let mut effort = Effort::default();
                forgetful.find_observed(query(start, goal), &mut effort, &mut Scratch::new()).unwrap();
                effort.insert.expanded
            };
            if answer.is_found() {
                assert!(effort.insert.expanded <= alone);
                inserted.push((round, effort.insert.expanded, alone));
            }
        }
        assert_eq!(inserted.len(), 40);
        let saved = inserted.iter().filter(|&&(_, took, alone)| took < alone).count();
        assert!(saved > inserted.len() / 2, "{inserted:?}");
    }
}

/// A place that was a goal may become a start: what is remembered of it holds
/// for both, whatever is kept and however it is connected.
#[test]
fn remembered_goals_are_good_starts() {
    let mut random = SplitMix64::new(2);
    let world = World::strict(random_map(&mut random, 100, 100, 15));
    let places: Vec<Point> = ends(&world, 9, 3).into_iter().flat_map(|(a, b)| [a, b]).collect();
    for (keep_ways, connect) in [
        (KeepWays::All, Connect::OnTheWay),
        (KeepWays::All, Connect::Beforehand),
        (KeepWays::Between, Connect::OnTheWay),
        (KeepWays::Nothing, Connect::OnTheWay),
    ] {
        let settings = HpaSettings::default().with_cluster(10).with_keep_ways(keep_ways);
        let forgetful = planner(&world, settings, PLAIN.with_connect(connect));
        let planner = forgetful.clone().with_tactics(PLAIN.with_connect(connect).with_remember(8));
        let mut scratch = Scratch::new();
        for _ in 0..100 {
            let (start, goal) = (places[random.below(6)], places[random.below(6)]);
            let answer = Answer::from(planner.find(query(start, goal), &mut scratch).unwrap());
            assert_eq!(answer, forgetful.find(query(start, goal), &mut Scratch::new()).unwrap().into());
        }
    }
}

/// A search cannot go on with another abstraction, with other tactics, or after
/// a plan has used its memory.
#[test]
fn paused_searches_are_told_apart() {
    let grid = Grid::from_fn(200, 200, |cell| cell.x % 7 != 3 || cell.y % 11 == 5).unwrap();
    let ask = Query::new(Cell::new(0, 0), Cell::new(198, 199));
    let small = HpaSettings::default().with_cluster(5);
    let build =
        |settings| Planner::with_index(grid.clone(), Hierarchy::build(&grid, settings).unwrap()).unwrap();
    let (one, other) = (build(HpaSettings::default()), build(small));
    let mut scratch = Scratch::new();
    let pause = |scratch: &mut Scratch| match one.find(ask.with_budget(2), scratch).unwrap() {
        farstride::Outcome::BudgetSpent(paused) => paused,
        answer => panic!("{answer:?}"),
    };
    let paused = pause(&mut scratch);
    assert_eq!(other.resume(&paused, 9, &mut scratch), Err(ResumeError::OtherSettings));
    let paper = one.clone().with_tactics(Tactics::paper());
    assert_eq!(paper.resume(&paused, 9, &mut scratch), Err(ResumeError::OtherSettings));
    let Planned::Plan(mut plan) = one.plan(Query::new(ask.start, ask.goal), &mut Scratch::new()).unwrap()
    else {
        panic!("no plan")
    };
    let paused = pause(&mut scratch);
    assert!(matches!(plan.step(&one, &mut scratch), Ok(Step::To(_))));
    assert_eq!(one.resume(&paused, 9, &mut scratch), Err(ResumeError::ScratchReused));
}

/// An edit that panics half-way may leave the abstraction behind; paths are
/// legal all the same.
#[test]
fn an_edit_that_panics_leads_nobody_through_walls() {
    let grid = Grid::empty(100, 100).unwrap();
    let mut planner = Planner::with_engine(grid, farstride::Engine::Hpa).unwrap();
    let wall = Rect::spanning(Cell::new(50, 0), Cell::new(50, 98));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        planner.edit(|grid| {
            let _ = grid.block(wall).unwrap();
            panic!("on purpose");
        })
    }));
    assert!(result.is_err());
    let mut scratch = Scratch::new();
    let outcome = planner.find(Query::new(Cell::new(0, 0), Cell::new(99, 0)), &mut scratch).unwrap();
    let path = outcome.route().unwrap().path().cells().to_vec();
    assert!(path.iter().all(|&cell| !wall.contains(cell)) && path.len() > 190);
}

/// Many queries at once have the answers that they have one by one.
#[test]
fn batches_answer_as_one_by_one() {
    let mut random = SplitMix64::new(5);
    let world = World::strict(random_map(&mut random, 90, 90, 25));
    let planner = planner(&world, HpaSettings::default().with_cluster(8), Tactics::default());
    let queries: Vec<_> = ends(&world, 3, 100).into_iter().map(|(start, goal)| query(start, goal)).collect();
    let mut scratch = Scratch::new();
    let expected: Vec<Answer> =
        queries.iter().map(|&query| planner.find(query, &mut scratch).unwrap().into()).collect();
    for threads in [0, 1, 2, 7, 1000] {
        let found = planner.find_many(&queries, threads, |outcome| Answer::from(outcome.clone())).unwrap();
        assert_eq!(found, expected);
    }
    assert_eq!(planner.find_many(&[], 3, |_| ()).unwrap().len(), 0);
    let outside = Query::new(Cell::new(0, 0), Cell::new(90, 0));
    assert!(planner.find_many(&[queries[0], outside], 2, |_| ()).is_err());
}

/// The abstraction of a map of many clusters does not depend on who builds it.
#[test]
fn every_number_of_threads_builds_the_same() {
    let mut random = SplitMix64::new(7);
    for weighted in [false, true] {
        let mut map = random_map(&mut random, 150, 130, 25);
        if weighted {
            weigh(&mut random, &mut map);
        }
        let grid = World::strict(map).grid();
        let settings = HpaSettings::default().with_cluster(7);
        let one = Index::build_with(&grid, settings, &BuildOptions::new().threads(1)).unwrap();
        for threads in [2, 3, 16] {
            let many = Index::build_with(&grid, settings, &BuildOptions::new().threads(threads)).unwrap();
            assert!(one == many);
            assert_eq!(one.digest(), many.digest());
        }
    }
}

/// A hundred thousand edits on many maps; minutes.
#[test]
#[ignore = "takes minutes; run by ./exhaustive"]
fn a_hundred_thousand_edits_leave_no_trace() {
    let rules = [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None];
    for seed in 0..500 {
        let mut random = SplitMix64::new(seed);
        let (width, height) = (random.between(1, 48), random.between(1, 48));
        let blocked = random.between(0, 60) as u32;
        let mut map = random_map(&mut random, width, height, blocked);
        if random.chance(50) {
            weigh(&mut random, &mut map);
        }
        let cost = farstride_testkit::DiagonalCost::Sqrt2;
        let settings = HpaSettings::default()
            .with_cluster(random.between(2, 12) as u16)
            .with_entrance(random.between(1, 8) as u16)
            .with_gap(random.between(0, 6) as u16)
            .with_levels(random.between(1, 4) as u8)
            .with_group(random.between(2, 3) as u8)
            .with_keep_ways(KEPT[random.below(3)]);
        edit_and_compare(&mut World::new(map, rules[seed as usize % 4], cost), settings, &mut random, 200);
    }
}
