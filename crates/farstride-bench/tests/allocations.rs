//! A query on warmed-up memory allocates nothing.
//!
//! "Warmed up" means that the same queries were answered with the same scratch
//! once before; whatever had to grow has grown.

use allocation_counter::measure;
use farstride::atlas::{Atlas, AtlasScratch, Floor, FloorId, Link, Mover, Place, TileMap};
use farstride::groups::world::WorldGroups;
use farstride::groups::{
    Aim, Connection, GridGroupSettings, GridGroups, GroupPlan, GroupScratch, GroupTactics, Mode, Next,
};
use farstride::{Cell, Cost, Detail, Engine, Grid, Outcome, Paused, Planner, Query, Scratch};
use farstride_bench::country::Country;
use farstride_bench::workload::{Workload, grid, weighted};
use farstride_testkit::{Kind, SplitMix64, generate};
use std::hint::black_box;

/// Expansions between two pauses: few enough that every query is paused.
const SLICE: u64 = 7;

fn workloads() -> impl Iterator<Item = Workload> {
    Workload::all(64, 12)
}

/// Allocations of the second of two equal rounds.
fn warm_allocations(mut round: impl FnMut()) -> u64 {
    round();
    measure(round).count_total
}

fn find_all(planner: &Planner, queries: &[Query], scratch: &mut Scratch) {
    for &query in queries {
        let outcome = planner.find(black_box(query), scratch);
        let found = matches!(outcome, Ok(Outcome::Found(_) | Outcome::AlreadyThere));
        assert!(found, "{query:?} has a path");
    }
}

/// Finds a path in slices; returns how often the search was paused.
fn find_in_slices(planner: &Planner, query: Query, scratch: &mut Scratch) -> u64 {
    let Ok(Outcome::BudgetSpent(mut search)) = planner.find(query.with_budget(SLICE), scratch) else {
        return 0;
    };
    let mut pauses = 1;
    while let Some(next) = go_on(planner, &search, scratch) {
        search = next;
        pauses += 1;
    }
    pauses
}

fn go_on(planner: &Planner, paused: &Paused, scratch: &mut Scratch) -> Option<Paused> {
    match planner.resume(paused, SLICE, scratch) {
        Ok(Outcome::BudgetSpent(paused)) => Some(paused),
        Ok(Outcome::Found(_)) => None,
        other => panic!("a paused search with a path ended with {other:?}"),
    }
}

fn queries(workload: &Workload) -> Vec<Query> {
    let query = |&(start, goal): &((u16, u16), (u16, u16))| Query::new(start, goal);
    workload.queries.iter().map(query).collect()
}

/// Maps of [`workloads`], all of them.
const ALL_MAPS: [&str; 7] = ["maze", "rooms", "random", "caves", "city", "open", "world"];

/// `unpaused` are the maps on which the engine answers every query before it has
/// spent the first slice; on all others it must be paused.
fn assert_nothing_allocated(engine: Engine, unpaused: &[&str], to_grid: impl Fn(&Workload) -> Grid) {
    assert_planner_allocates_nothing(unpaused, |workload| {
        Planner::with_engine(to_grid(workload), engine).unwrap()
    });
}

fn assert_planner_allocates_nothing(unpaused: &[&str], to_planner: impl Fn(&Workload) -> Planner) {
    for workload in workloads() {
        let planner = to_planner(&workload);
        let engine = planner.engine();
        let queries = queries(&workload);
        let mut scratch = Scratch::new();
        let count = warm_allocations(|| find_all(&planner, &queries, &mut scratch));
        assert_eq!(count, 0, "{engine} on {}", workload.name);

        let mut pauses = 0;
        let count = warm_allocations(|| {
            for &query in &queries {
                pauses += find_in_slices(&planner, query, &mut scratch);
            }
        });
        assert_eq!(count, 0, "{engine} paused on {}", workload.name);
        let is_unpaused = unpaused.contains(&workload.name);
        assert_eq!(pauses == 0, is_unpaused, "{engine} was paused {pauses} times on {}", workload.name);
    }
}

#[test]
fn the_maps_are_those_that_are_named() {
    assert!(workloads().map(|workload| workload.name).eq(ALL_MAPS));
}

#[test]
fn warm_queries_on_uniform_maps_allocate_nothing() {
    for engine in Engine::ALL {
        let unpaused: &[&str] = match engine {
            Engine::Labels | Engine::Straight => &ALL_MAPS, // looked up, not searched
            _ => &[],
        };
        assert_nothing_allocated(engine, unpaused, |workload| grid(&workload.map));
    }
}

/// Tracks of labels are cut into pieces where they are wider than 256 cells, and
/// only counting tells the steps of very long paths.
#[test]
fn warm_queries_over_labels_of_large_maps_allocate_nothing() {
    let serpentine =
        Grid::from_fn(700, 61, |cell| cell.y % 2 == 0 || cell.x == if cell.y % 4 == 1 { 699 } else { 0 });
    let rooms = generate(Kind::Rooms { size: 12 }, 600, 90, 4).unwrap();
    for map in [serpentine.unwrap(), grid(&rooms)] {
        let free: Vec<Cell> = map.area().cells().filter(|&cell| map.is_free(cell)).collect();
        let [one, other] = [free[0], free[free.len() - 5]];
        let planner = Planner::with_engine(map, Engine::Labels).unwrap();
        let details = [Detail::Cells, Detail::Waypoints, Detail::First(3), Detail::Cost];
        let queries: Vec<Query> = details
            .into_iter()
            .flat_map(|detail| {
                [Query::new(one, other), Query::new(other, one)].map(|query| query.with_detail(detail))
            })
            .collect();
        let mut scratch = Scratch::new();
        let count = warm_allocations(|| find_all(&planner, &queries, &mut scratch));
        assert_eq!(count, 0);
    }
}

#[test]
fn warm_queries_on_weighted_maps_allocate_nothing() {
    for engine in [Engine::Dijkstra, Engine::Astar, Engine::Hpa, Engine::Groups] {
        assert_nothing_allocated(engine, &[], |workload| grid(&weighted(&workload.map)));
    }
}

/// Small squares, so that there are several levels to plan on.
#[test]
fn warm_queries_of_groups_allocate_nothing_in_any_mode() {
    let settings = GridGroupSettings::default().with_side(4).with_group(2).with_levels(Some(4));
    for mode in [Mode::Sections, Mode::Exclusion] {
        for aim in [Aim::Doorway, Aim::Representative] {
            let tactics = GroupTactics::default().with_mode(mode).with_aim(aim);
            // Its search on the top level is short on the others.
            let unpaused = ["caves", "city", "open", "world"];
            assert_planner_allocates_nothing(&unpaused, |workload| {
                let grid = grid(&workload.map);
                let groups = GridGroups::build(&grid, settings).unwrap();
                Planner::with_index(grid, groups).unwrap().with_group_tactics(tactics)
            });
        }
    }
}

/// The cells of all queries, as starts and as goals.
fn cells(workload: &Workload) -> Vec<Cell> {
    workload.queries.iter().flat_map(|&(start, goal)| [start.into(), goal.into()]).collect()
}

#[test]
fn many_goals_allocate_nothing() {
    for engine in Engine::ALL {
        for workload in workloads() {
            let planner = Planner::with_engine(grid(&workload.map), engine).unwrap();
            let cells = cells(&workload);
            let (mut scratch, mut costs) = (Scratch::new(), Vec::new());
            let count = warm_allocations(|| {
                for &start in &cells {
                    planner.costs_into(start, &cells, &mut costs, &mut scratch).unwrap();
                    let nearest = planner.nearest(Query::starting_at(start), &cells, &mut scratch).unwrap();
                    assert!(nearest.is_some());
                }
            });
            assert_eq!(count, 0, "{engine} on {}", workload.name);
        }
    }
}

/// A table allocates for itself and for its threads, not for pairs.
#[test]
fn tables_allocate_nothing_per_pair() {
    for workload in workloads() {
        let planner = Planner::with_engine(grid(&workload.map), Engine::Labels).unwrap();
        let cells = cells(&workload).repeat(10);
        let count = measure(|| drop(black_box(planner.cost_table(&cells, &cells, 1)))).count_total;
        assert!(count < cells.len() as u64, "{count} for {} pairs", cells.len().pow(2));
    }
}

/// Plans, sections and whole ways in a world of instances.
#[test]
fn warm_queries_in_a_world_of_houses_allocate_nothing() {
    let country = Country::new(12, 4, 100, 3).unwrap();
    let squares = country.squares();
    let hierarchy = country.hierarchy(&squares, Connection::Average).unwrap();
    let (view, groups) = (country.world().view(), WorldGroups::new(country.world(), &squares));
    let mut random = SplitMix64::new(5);
    let pairs: Vec<_> = (0..40).map(|_| [(); 2].map(|()| country.random_place(&mut random))).collect();
    let (mut plan, mut scratch) = (GroupPlan::default(), GroupScratch::default());
    for mode in [Mode::Sections, Mode::Exclusion] {
        let tactics = GroupTactics::default().with_mode(mode);
        let navigator = hierarchy.on(&view, &groups).unwrap().with_tactics(tactics);
        let count = warm_allocations(|| {
            for &[start, goal] in &pairs {
                navigator.find(start, goal, &mut scratch);
                navigator.plan(start, goal, &mut plan, &mut scratch);
                while let Next::Section { .. } = navigator.go_on(&mut plan, &mut scratch) {}
                assert_eq!(plan.position(), goal);
            }
        });
        assert_eq!(count, 0, "{mode:?}");
    }
}

/// The measurement itself works: cold memory has to be allocated.
#[test]
fn cold_queries_allocate() {
    for workload in workloads() {
        let planner = Planner::new(grid(&workload.map));
        let queries = queries(&workload);
        let count = measure(|| find_all(&planner, &queries, &mut Scratch::new())).count_total;
        assert!(count > 0, "{}", workload.name);
        let count = warm_allocations(|| find_all(&planner, &queries, &mut Scratch::new()));
        assert!(count > 0, "{}", workload.name);
    }
}

/// Trips through links, and questions about them.
#[test]
fn trips_allocate_nothing() {
    let mut tiles = TileMap::new();
    let floors: Vec<FloorId> = (0..3)
        .map(|seed| {
            let map = generate(Kind::Caves { blocked_percent: 42, rounds: 3 }, 60, 50, seed).unwrap();
            let classes: Vec<u8> = map.free.iter().map(|&free| u8::from(free)).collect();
            tiles.add_floor(Floor::new(60, 50, classes).unwrap()).unwrap()
        })
        .collect();
    let mut random = SplitMix64::new(3);
    let mut place = |floor: FloorId| Place::new(floor, (random.below(60) as u16, random.below(50) as u16));
    for pair in floors.windows(2).cycle().take(60) {
        tiles.add_link(Link::new(place(pair[0]), place(pair[1]), Cost::new(5000).unwrap())).unwrap();
    }
    let ends: Vec<(Place, Place)> =
        (0..200).map(|at| (place(floors[at % 3]), place(floors[at / 3 % 3]))).collect();
    let goals: Vec<Place> = ends.iter().map(|&(_, to)| to).step_by(9).collect();
    let mut atlas = Atlas::new(tiles).unwrap();
    for engine in [Engine::Astar, Engine::Labels, Engine::NsgPlus, Engine::Hpa] {
        let mover = atlas.add_mover(Mover::new().entering(1, 1).with_engine(engine)).unwrap();
        let (mut scratch, mut links, mut met) = (AtlasScratch::new(), 0, 0);
        let count = warm_allocations(|| {
            for &(from, to) in &ends {
                let found = atlas.find(mover, from, to, &mut scratch).unwrap();
                links += found.trip().map_or(0, |trip| trip.links().count());
                assert_eq!(atlas.can_reach(mover, from, to).unwrap(), found.trip().is_some() || from == to);
            }
            for &(from, _) in &ends {
                let nearest = atlas.nearest(mover, from, &goals, &mut scratch).unwrap();
                met += usize::from(nearest.is_some());
            }
        });
        assert_eq!(count, 0, "{engine}");
        assert!(links > 50 && met > 50, "{links} links were taken, {met} goals met");
    }
}
