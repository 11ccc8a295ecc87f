//! The engine `groups`: hierarchies of the squares of a grid.

use crate::common::{Answer, World, any_point, apply, cases, cell, ends, query};
use farstride::graph::{Graph, UniformGrid};
use farstride::graph::{Link, Linked, LinkedStep};
use farstride::groups::{
    Aim, Connection, GridGroupSettings, GridGroups, Ground, GroupHierarchy, GroupId, GroupRoute,
    GroupScratch, GroupTactics, Grouping, Mode, Squares,
};
use farstride::index::BuildOptions;
use farstride::search::{Memory, dijkstra};
use farstride::{Cell, Cost, Grid, Index, Planned, Planner, Query, Scratch, Step};
use farstride_testkit::strategies::{diagonal_costs, diagonals, maps, weighted_maps};
use farstride_testkit::{SplitMix64, judge_grid, oracle};
use proptest::prelude::*;

fn settings() -> impl Strategy<Value = GridGroupSettings> {
    let connection =
        prop_oneof![Just(Connection::Minimum), Just(Connection::Maximin), Just(Connection::Average)];
    let levels = prop_oneof![Just(None), (1..4_u8).prop_map(Some)];
    (2..9_u16, 2..5_u8, levels, connection).prop_map(|(side, group, levels, connection)| {
        GridGroupSettings::default()
            .with_side(side)
            .with_group(group)
            .with_levels(levels)
            .with_connection(connection)
    })
}

fn tactics() -> impl Strategy<Value = GroupTactics> {
    let mode = prop_oneof![Just(Mode::Sections), Just(Mode::Exclusion)];
    let aim = prop_oneof![3 => Just(Aim::Doorway), 1 => Just(Aim::Representative)];
    (mode, 0..4_usize, aim).prop_map(|(mode, ahead, aim)| {
        GroupTactics::default().with_mode(mode).with_ahead(ahead).with_aim(aim)
    })
}

fn planner(grid: Grid, settings: GridGroupSettings) -> Planner {
    let groups = GridGroups::build(&grid, settings).unwrap();
    Planner::with_index(grid, groups).unwrap()
}

/// Squares that say of no cell that it is surrounded: nothing is left out of
/// corridors.
struct WithAllMoves<'g>(Squares<'g>);

impl Grouping<Cell> for WithAllMoves<'_> {
    fn group_count(&self) -> usize {
        Grouping::<Cell>::group_count(&self.0)
    }

    fn locate(&self, cell: Cell) -> (GroupId, usize) {
        self.0.locate(cell)
    }

    fn places(&self, group: GroupId) -> usize {
        Grouping::<Cell>::places(&self.0, group)
    }

    fn node_at(&self, group: GroupId, place: usize) -> Cell {
        self.0.node_at(group, place)
    }

    fn for_each_member(&self, group: GroupId, visit: impl FnMut(Cell)) {
        self.0.for_each_member(group, visit);
    }
}

proptest! {
    #![proptest_config(cases(300))]

    /// Moves left out of a corridor make no way through it longer.
    #[test]
    fn moves_left_out_of_corridors_are_not_missed(
        map in maps(30, 30),
        rule in diagonals(),
        cost in diagonal_costs(),
        settings in settings(),
        seed: u64,
    ) {
        let world = World::new(map, rule, cost);
        let grid = world.grid();
        let graph = UniformGrid(&grid);
        let [squares, same] = [(); 2].map(|()| Squares::new(&grid, settings.side));
        let all = WithAllMoves(same);
        let ground = Ground::new(&graph, &squares);
        let hierarchy = GroupHierarchy::build(ground, Vec::new(), settings.connection).unwrap();
        let tactics = GroupTactics::default().with_mode(Mode::Exclusion);
        let fewer = hierarchy.on(&graph, &squares).unwrap().with_tactics(tactics);
        let every = hierarchy.on(&graph, &all).unwrap().with_tactics(tactics);
        let (mut scratch, mut other) = (GroupScratch::default(), GroupScratch::default());
        for (start, goal) in ends(&world, seed, 8) {
            let (start, goal) = (cell(start), cell(goal));
            if !grid.is_free(start) || !grid.is_free(goal) {
                continue;
            }
            match (fewer.find(start, goal, &mut scratch), every.find(start, goal, &mut other)) {
                (GroupRoute::Found { cost: found, .. }, GroupRoute::Found { cost: expected, .. }) => {
                    prop_assert_eq!(found, expected);
                }
                (found, expected) => prop_assert_eq!(found, expected),
            }
        }
    }

    /// A path is found exactly when there is one, it is legal, its cost adds
    /// up, and it is never below the optimum.
    #[test]
    fn paths_are_legal_and_found_whenever_there_are_some(
        map in prop_oneof![maps(40, 40), weighted_maps(24, 24)],
        rule in diagonals(),
        cost in diagonal_costs(),
        settings in settings(),
        tactics in tactics(),
        seed: u64,
    ) {
        let world = World::new(map, rule, cost);
        let planner = planner(world.grid(), settings).with_group_tactics(tactics);
        let mut scratch = Scratch::new();
        for (start, goal) in ends(&world, seed, 6) {
            let answer = Answer::from(planner.find(query(start, goal), &mut scratch).unwrap());
            let best = oracle::distance(&world.map, world.diagonals, world.cost, start, goal);
            if let Answer::Found { cost, path, .. } = &answer {
                let verdict = judge_grid(&world.map, world.diagonals, world.cost, start, goal, path);
                prop_assert_eq!(verdict.unwrap().cost, *cost);
                prop_assert!(best.is_some_and(|best| best <= *cost));
            } else {
                prop_assert_eq!(answer, world.refusal(start, goal, best.is_some()));
            }
        }
    }

    /// After any edits the hierarchy equals one built from scratch, and so do
    /// the answers.
    #[test]
    fn edits_leave_no_trace(
        map in prop_oneof![maps(24, 24), weighted_maps(24, 24)],
        rule in diagonals(),
        cost in diagonal_costs(),
        settings in settings(),
        seed: u64,
    ) {
        let mut world = World::new(map, rule, cost);
        let mut random = SplitMix64::new(seed);
        let mut edited = planner(world.grid(), settings);
        for _ in 0..6 {
            let batch = random.between(1, 3);
            edited.edit(|grid| (0..batch).for_each(|_| apply(grid, &mut world, true, &mut random)));
            let fresh = Index::build_with(&world.grid(), settings, &BuildOptions::new().threads(2)).unwrap();
            prop_assert!(*edited.index().unwrap() == fresh, "{settings:?} on {world:?}");
        }
        let fresh = planner(world.grid(), settings);
        let mut scratch = Scratch::new();
        for (start, goal) in ends(&world, seed, 4) {
            let answer = Answer::from(edited.find(query(start, goal), &mut scratch).unwrap());
            prop_assert_eq!(answer, Answer::from(fresh.find(query(start, goal), &mut scratch).unwrap()));
        }
    }

    /// A plan leads to the goal by legal steps, and its waypoints end there.
    #[test]
    fn plans_arrive(
        map in prop_oneof![maps(40, 40), weighted_maps(24, 24)],
        rule in diagonals(),
        cost in diagonal_costs(),
        settings in settings(),
        ahead in 1..4_usize,
        seed: u64,
    ) {
        let world = World::new(map, rule, cost);
        let planner = planner(world.grid(), settings)
            .with_group_tactics(GroupTactics::default().with_ahead(ahead));
        let mut scratch = Scratch::new();
        let mut random = SplitMix64::new(seed);
        for _ in 0..3 {
            let (start, goal) = (any_point(&mut random, &world.map), any_point(&mut random, &world.map));
            let reachable = oracle::distance(&world.map, world.diagonals, world.cost, start, goal).is_some();
            let Planned::Plan(mut plan) = planner.plan(Query::new(cell(start), cell(goal)), &mut scratch).unwrap() else {
                prop_assert!(!reachable || start == goal);
                continue;
            };
            prop_assert!(reachable);
            let mut path = vec![start];
            while plan.position() != cell(goal) {
                prop_assert_eq!(plan.waypoints().last().unwrap().cell, cell(goal));
                let Step::To(next) = plan.step(&planner, &mut scratch).unwrap() else { panic!("no way") };
                path.push((usize::from(next.x), usize::from(next.y)));
            }
            prop_assert!(judge_grid(&world.map, world.diagonals, world.cost, start, goal, &path).is_ok());
            prop_assert_eq!((plan.cost(), plan.replans()), (Cost::ZERO, 0));
        }
    }

    /// A grid with links is a graph like any other: routes are found exactly
    /// when there are some, and links in them are told from steps.
    #[test]
    fn links_join_what_walls_divide(
        map in maps(16, 16),
        rule in diagonals(),
        settings in settings(),
        tactics in tactics(),
        seed: u64,
    ) {
        let world = World::new(map, rule, farstride_testkit::DiagonalCost::Sqrt2);
        let grid = world.grid();
        let mut random = SplitMix64::new(seed);
        let mut graph = Linked::new(UniformGrid(&grid), []).unwrap();
        for _ in 0..4 {
            let [from, to] = [(); 2].map(|()| cell(any_point(&mut random, &world.map)));
            // Links that lead nowhere are refused.
            let _ = graph.add(Link::new(from, to, Cost::new(random.below(9_000) as u64).unwrap()));
        }
        let squares = Squares::new(&grid, settings.side);
        let upper = vec![squares.above(1, settings.group.into())];
        let hierarchy =
            GroupHierarchy::build(Ground::new(&graph, &squares), upper, settings.connection).unwrap();
        let navigator = hierarchy.on(&graph, &squares).unwrap().with_tactics(tactics);
        let (mut memory, mut scratch) = (Memory::default(), GroupScratch::default());
        for (start, goal) in ends(&world, seed, 6) {
            let (start, goal) = (cell(start), cell(goal));
            if !grid.is_free(start) || !grid.is_free(goal) {
                continue;
            }
            dijkstra(&graph, start, &mut memory, &mut ());
            let best = memory.cost(graph.index(goal));
            match navigator.find(start, goal, &mut scratch) {
                GroupRoute::Found { path, cost } => {
                    prop_assert!(best.is_some_and(|best| best <= cost));
                    let total: u64 = graph.steps(path).map(|step| step.unwrap().cost().units()).sum();
                    prop_assert_eq!(total, cost.units());
                }
                GroupRoute::AlreadyThere => prop_assert_eq!(start, goal),
                _ => prop_assert_eq!(best, None),
            }
        }
    }
}

#[test]
fn a_portal_is_visible_in_the_path() {
    let grid = Grid::from_ascii(
        "
        ..#..
        ..#..
        ",
    )
    .unwrap();
    let portal = Link::new(Cell::new(1, 1), Cell::new(4, 0), Cost::new(10).unwrap());
    let graph = Linked::new(UniformGrid(&grid), [portal]).unwrap();
    let squares = Squares::new(&grid, 2);
    let hierarchy =
        GroupHierarchy::build(Ground::new(&graph, &squares), Vec::new(), Connection::Average).unwrap();
    let navigator = hierarchy.on(&graph, &squares).unwrap();
    let mut scratch = GroupScratch::default();
    let (start, goal) = (Cell::new(0, 0), Cell::new(3, 1));
    let GroupRoute::Found { path, .. } = navigator.find(start, goal, &mut scratch) else {
        panic!("no route")
    };
    let links: Vec<_> =
        graph.steps(path).map(Option::unwrap).filter(|step| matches!(step, LinkedStep::Link(_))).collect();
    assert_eq!(links, [LinkedStep::Link(&portal)]);
    assert_eq!(navigator.find(goal, start, &mut scratch), GroupRoute::Unreachable, "portals are one-way");
}

#[test]
fn blocks_larger_than_the_map_take_no_more_than_the_map() {
    let grid = Grid::empty(300, 10).unwrap();
    let squares = Squares::new(&grid, u16::MAX);
    assert_eq!(Grouping::<Cell>::group_count(&squares), 1);
    assert_eq!(Grouping::<Cell>::places(&squares, GroupId::new(0)), 300 * 300);
}
