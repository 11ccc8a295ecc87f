//! What is shown of labels is what queries find: ways that exist, hubs at which
//! shortest paths meet, counts that add up.

use crate::common::{World, any_point, cases, cell, point, points, random_map};
use farstride::internal::{Inspector, LabelEntry, TautMap};
use farstride::labels::{Block, GridLabels, LabelSettings};
use farstride::{Cell, Cost, Grid};
use farstride_testkit::strategies::{diagonal_costs, diagonals, maps};
use farstride_testkit::{self as testkit, SplitMix64, oracle, subgoals};
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::{BTreeMap, BTreeSet};

fn cells(grid: &Grid) -> impl Iterator<Item = Cell> {
    grid.area().cells()
}

/// The least cost over a hub that two labels have in common.
fn least_sum(one: &[LabelEntry], other: &[LabelEntry]) -> Option<Cost> {
    let sums = one.iter().flat_map(|a| other.iter().filter(|b| b.hub == a.hub).map(|b| a.cost + b.cost));
    sums.min()
}

proptest! {
    #![proptest_config(cases(120))]

    /// Every way to a hub is legal and costs what its entry says, no less than
    /// the oracle knows.
    #[test]
    fn ways_to_hubs_cost_what_entries_say(
        map in maps(40, 30), rule in diagonals(), cost in diagonal_costs(), place in any::<Index>(),
    ) {
        let world = World::new(map, rule, cost);
        let grid = world.grid();
        let labels = GridLabels::build(&grid, LabelSettings::default());
        let inspector = Inspector::new(&labels, &grid).unwrap();
        let start = world.map.point(place.index(world.map.free.len()));
        let label = inspector.label(cell(start));
        prop_assert_eq!(label.is_some(), world.map.is_free_at(start));
        let best = oracle::distances(&world.map, rule, cost, start);
        for entry in label.iter().flat_map(|label| &label.entries) {
            let hub = point(entry.hub);
            let way = points(&inspector.way(cell(start), entry).unwrap());
            let verdict = testkit::judge_grid(&world.map, rule, cost, start, hub, &way).unwrap();
            prop_assert_eq!(verdict.cost, entry.cost.units());
            prop_assert!(Some(verdict.cost) >= best[world.map.index(hub)]);
            prop_assert!(way.contains(&point(entry.via)));
        }
    }

    /// Labels meet where the sum is least, and that is what the oracle finds.
    #[test]
    fn labels_meet_on_a_shortest_path(
        map in maps(40, 30), rule in diagonals(), cost in diagonal_costs(), places in any::<[Index; 6]>(),
    ) {
        let world = World::new(map, rule, cost);
        let grid = world.grid();
        let labels = GridLabels::build(&grid, LabelSettings::default());
        let inspector = Inspector::new(&labels, &grid).unwrap();
        let ends = places.map(|place| world.map.point(place.index(world.map.free.len())));
        for (start, goal) in ends.iter().flat_map(|&start| ends.map(|goal| (start, goal))) {
            let best = oracle::distance(&world.map, rule, cost, start, goal);
            let Some(meeting) = inspector.meeting(cell(start), cell(goal)) else {
                let seen = subgoals::heuristic(rule, cost, start, goal);
                prop_assert!(best.is_none_or(|best| best == seen));
                continue;
            };
            let [from, to] = [start, goal].map(|end| inspector.label(cell(end)).unwrap());
            prop_assert_eq!(Some(meeting.cost.units()), best);
            prop_assert_eq!(Some(meeting.cost), least_sum(&from.entries, &to.entries));
            let leads = |entries: &[LabelEntry], via: Cell| {
                entries.iter().filter(|entry| (entry.hub, entry.via) == (meeting.hub, via)).map(|entry| entry.cost).min()
            };
            let halves = [leads(&from.entries, meeting.start_via), leads(&to.entries, meeting.goal_via)];
            prop_assert_eq!(halves[0].unwrap() + halves[1].unwrap(), meeting.cost);
        }
    }

    /// A hub is in as many labels as have it, lies on a subgoal, and no hub of
    /// a label is missing.
    #[test]
    fn hubs_are_counted(map in maps(24, 24), rule in diagonals(), cost in diagonal_costs(), sixteen: bool) {
        let world = World::new(map, rule, cost);
        let grid = world.grid();
        let block = if sixteen { Block::Sixteen } else { Block::Eight };
        let labels = GridLabels::build(&grid, LabelSettings::default().with_block(block));
        let inspector = Inspector::new(&labels, &grid).unwrap();
        let mut expected: BTreeMap<Cell, usize> = BTreeMap::new();
        for label in cells(&grid).filter_map(|cell| inspector.label(cell)) {
            let hubs: BTreeSet<Cell> = label.entries.iter().map(|entry| entry.hub).collect();
            prop_assert!(label.vias.iter().all(|via| hubs.contains(via)));
            for hub in hubs {
                *expected.entry(hub).or_default() += 1;
            }
        }
        let hubs = inspector.hubs();
        prop_assert!(hubs.is_sorted_by_key(|hub| hub.rank));
        let found: BTreeMap<Cell, usize> = hubs.iter().map(|hub| (hub.cell, hub.labels)).collect();
        prop_assert_eq!(found.len(), hubs.len());
        prop_assert_eq!(found, expected);
        let taut = TautMap::new(&grid);
        prop_assert!(hubs.iter().all(|hub| taut.subgoals().contains(&hub.cell)));
    }

    /// Links are where the map is as good as empty; what is kept of them is
    /// taut, and all that labels use.
    #[test]
    fn links_lead_straight_to_subgoals(
        map in maps(20, 20), rule in diagonals(), cost in diagonal_costs(), place in any::<Index>(),
    ) {
        let world = World::new(map, rule, cost);
        let grid = world.grid();
        let taut = TautMap::new(&grid);
        prop_assert_eq!(points(taut.subgoals()), subgoals::subgoals(&world.map, rule));
        let start = world.map.point(place.index(world.map.free.len()));
        let links = taut.links(cell(start));
        prop_assert_eq!(links.is_some(), world.map.is_free_at(start));
        let Some(links) = links else { return Ok(()) };
        for list in [&links.direct, &links.taut, &links.kept] {
            prop_assert!(list.is_sorted_by_key(|cell| (cell.y, cell.x)));
            for &to in list {
                prop_assert!(subgoals::is_h_reachable(&world.map, rule, cost, start, point(to)));
            }
        }
        let direct = taut.subgoals().iter().filter(|&&to| {
            point(to) != start && subgoals::is_direct_h_reachable(&world.map, rule, cost, start, point(to))
        });
        prop_assert!(direct.eq(&links.direct));
        prop_assert!(links.kept.iter().all(|cell| links.taut.contains(cell)));
        let labels = GridLabels::build(&grid, LabelSettings::default());
        let label = Inspector::new(&labels, &grid).unwrap().label(cell(start)).unwrap();
        prop_assert!(label.vias.iter().all(|via| links.kept.contains(via)));
    }
}

#[test]
fn edges_are_there_once() {
    let grid = Grid::from_ascii("\n.....\n..#..\n.....\n").unwrap();
    let taut = TautMap::new(&grid);
    let around = [((1, 0), (3, 0)), ((1, 0), (1, 2)), ((3, 0), (3, 2)), ((1, 2), (3, 2))];
    assert!(taut.edges().eq(around.map(|(from, to)| (Cell::from(from), Cell::from(to)))));
}

#[test]
fn a_link_that_another_replaces_is_not_kept() {
    let world = World::strict(random_map(&mut SplitMix64::new(5), 40, 40, 10));
    let grid = world.grid();
    let taut = TautMap::new(&grid);
    let (mut all, mut kept, mut random) = (0, 0, SplitMix64::new(6));
    for _ in 0..200 {
        let links = taut.links(cell(any_point(&mut random, &world.map))).unwrap_or_default();
        (all, kept) = (all + links.taut.len(), kept + links.kept.len());
    }
    assert!(kept > 0 && kept < all, "{kept} of {all}");
}

#[test]
fn what_is_not_there_is_not_shown() {
    let grid = Grid::from_ascii("\n.....\n..#..\n.....\n").unwrap();
    let labels = GridLabels::build(&grid, LabelSettings::default());
    let inspector = Inspector::new(&labels, &grid).unwrap();
    let taut = TautMap::new(&grid);
    let (free, wall, outside) = (Cell::new(0, 1), Cell::new(2, 1), Cell::new(5, 0));
    for cell in [wall, outside] {
        assert_eq!((inspector.label(cell), taut.links(cell)), (None, None));
        assert_eq!((inspector.meeting(free, cell), inspector.meeting(cell, free)), (None, None));
    }
    assert_eq!(inspector.meeting(free, Cell::new(0, 2)), None, "one is seen from the other");
    let entry = inspector.label(free).unwrap().entries[0];
    assert!(inspector.way(free, &entry).is_some());
    assert_eq!(inspector.way(Cell::new(4, 2), &entry), None);
    let other = Grid::empty(5, 3).unwrap();
    assert!(Inspector::new(&labels, &other).is_none());
}

#[test]
fn blocks_end_with_the_map() {
    let grid = Grid::empty(19, 9).unwrap();
    let labels = GridLabels::build(&grid, LabelSettings::default().with_block(Block::Eight));
    let inspector = Inspector::new(&labels, &grid).unwrap();
    let block = |x, y| {
        let block = inspector.block(Cell::new(x, y))?;
        Some((block.min(), block.max()))
    };
    assert_eq!(block(9, 7), Some((Cell::new(8, 0), Cell::new(15, 7))));
    assert_eq!(block(18, 8), Some((Cell::new(16, 8), Cell::new(18, 8))));
    assert_eq!(block(19, 8), None);
    assert_eq!(block(u16::MAX, u16::MAX), None);
}
