//! Indexes of HPT* in bytes: what is saved can be opened, and whatever else
//! the bytes are, they are refused or do no harm.

use crate::common::forge::{
    assert_damage_is_noticed, edit, forge_cost, forge_word, open, parts, plain, refusal, sign, small,
};
use crate::common::{Forgeries, World, any_point, cases, cell, query, saved, turns};
use farstride::error::OpenError;
use farstride::hpa::{Connect, Hierarchy, HpaSettings, KeepWays, Local, Tactics};
use farstride::index::BuildOptions;
use farstride::store::{self};
use farstride::{Cell, Diagonals, Grid, Index, Outcome, Planner, Rules, Scratch};
use farstride_testkit::strategies::{diagonal_costs, diagonals, maps};
use farstride_testkit::{self as testkit, SplitMix64};
use proptest::prelude::*;
use std::ops::Range;
use std::sync::Arc;

fn settings() -> impl Strategy<Value = HpaSettings> {
    let locals = prop_oneof![Just(Local::Theta), Just(Local::LazyTheta)];
    let settings = (saved::hpa_settings(8, 4), locals);
    // What is kept of `Between` is `All`.
    settings.prop_map(|(settings, local)| settings.with_local(local).for_size(24, 24))
}

/// For a small map with every kind of part.
const SMALL: HpaSettings = HpaSettings::astar()
    .with_cluster(5)
    .with_entrance(2)
    .with_levels(2)
    .with_group(2)
    .with_keep_ways(KeepWays::All)
    .with_local(Local::Theta);

proptest! {
    #![proptest_config(cases(192))]

    /// What is opened equals what was saved, in every answer too.
    #[test]
    fn what_is_saved_can_be_opened(
        map in maps(24, 24), rule in diagonals(), cost in diagonal_costs(), settings in settings(), seed: u64,
    ) {
        saved::assert_round_trip(&World::new(map, rule, cost), settings, seed);
    }

    /// Edits leave no trace in the bytes, be the index built or opened.
    #[test]
    fn an_edited_index_is_saved_like_a_fresh_one(
        map in maps(24, 24), rule in diagonals(), cost in diagonal_costs(), settings in settings(), seed: u64,
    ) {
        let grid = World::new(map, rule, cost).grid();
        saved::assert_edits_leave_no_trace(&grid, settings, seed, |grid, random| edit(grid, random, false));
    }
}

/// Bytes that somebody changed and signed again are refused or do no harm:
/// every query ends, and what it finds is a legal path.
#[test]
fn forged_bytes_do_no_harm() {
    let any_case = (maps(24, 24), diagonals(), diagonal_costs(), settings(), any::<u64>());
    Forgeries::test((cases(400), file!()), &any_case, 170, |case, forgeries| {
        let (map, rule, cost, settings, seed) = case;
        let mut random = SplitMix64::new(seed);
        let world = World::new(map, rule, cost);
        let grid = world.grid();
        let sound = store::save(&Index::build(&grid, settings).unwrap(), &grid).unwrap();
        let forge = |bytes: &mut [u8], random: &mut SplitMix64| {
            for _ in 0..random.below(3) {
                forge_cost(bytes, &grid, settings, random);
            }
            for _ in 0..random.below(4) {
                forge_bends(bytes, random);
            }
            if random.chance(30) {
                forge_word(bytes, random);
            }
            sign(bytes);
        };
        saved::forge_and_open((&sound, &grid), (32, forgeries), &mut random, forge, |opened, _, random| {
            if let Ok(Index::Hpa(hierarchy)) = opened {
                ask_and_edit(&world, &grid, &hierarchy, random);
            }
        });
    });
}

/// Turns some ways elsewhere: in circles, through walls, or to nowhere.
fn forge_bends(bytes: &mut [u8], random: &mut SplitMix64) {
    if let [(_, ways)] = &parts(bytes, *b"step")[..] {
        for _ in 0..random.between(1, 12) {
            // Most of it lands among the names: all else is little.
            let at = ways.start + random.below(ways.len());
            bytes[at] = match random.below(4) {
                0 => u8::MAX,
                1 => bytes[ways.start + random.below(ways.len())],
                _ => random.below(6) as u8,
            };
        }
    }
}

/// Asks an index of unknown origin what it is there for, and edits its map.
fn ask_and_edit(world: &World, grid: &Grid, hierarchy: &Hierarchy, random: &mut SplitMix64) {
    let _ = (hierarchy.check(), hierarchy.verify(grid), hierarchy.counts());
    let mut planner = Planner::with_index(grid.clone(), hierarchy.clone()).unwrap();
    let mut scratch = Scratch::new();
    for round in 0..3 {
        let map = plain(planner.grid());
        for tactics in [Tactics::default(), Tactics::paper(), Tactics::thesis(), PLAIN] {
            let planner = planner.clone().with_tactics(tactics);
            for _ in 0..4 {
                let (start, goal) = (any_point(random, &world.map), any_point(random, &world.map));
                if let Outcome::Found(route) = planner.find(query(start, goal), &mut scratch).unwrap() {
                    let path = turns(route.path());
                    let verdict = testkit::judge_any_angle(&map, world.diagonals, start, goal, &path);
                    verdict.unwrap_or_else(|fault| panic!("{fault}: {path:?} on {world:?}"));
                }
                let step = |from, to| assert!(planner.grid().line_of_sight(from, to), "{from} to {to}");
                saved::walk(&planner, (cell(start), cell(goal)), &mut scratch, step);
            }
        }
        if round < 2 {
            planner.edit(|grid| edit(grid, random, false));
        }
    }
}

/// Nothing but what the abstract graph gives.
const PLAIN: Tactics =
    Tactics::DEFAULT.with_smooth(false).with_shortcuts(false).with_connect(Connect::OnTheWay);

#[test]
fn every_damage_is_noticed() {
    let (grid, bytes) = small(SMALL);
    assert_damage_is_noticed(bytes, &grid);
}

/// Head and settings must name the same engine, or the tables would be read as
/// what they are not.
#[test]
fn a_head_of_another_engine_is_refused() {
    let other = OpenError::Layout { flaw: "its settings are those of another engine" };
    let (grid, mut bytes) = small(SMALL);
    bytes[24..32].copy_from_slice(b"hpa\0\0\0\0\0");
    sign(&mut bytes);
    assert_eq!(refusal(&bytes, &grid), other);
    let hpa = SMALL.with_local(Local::Astar);
    let mut bytes = store::save(&Index::build(&grid, hpa).unwrap(), &grid).unwrap();
    bytes[24..32].copy_from_slice(b"hpt\0\0\0\0\0");
    sign(&mut bytes);
    assert_eq!(refusal(&bytes, &grid), other);
    assert_eq!(store::describe(Arc::new(bytes)).unwrap_err(), other);
}

#[test]
fn other_maps_and_rules_are_told_apart() {
    let (grid, bytes) = small(SMALL);
    let assert_other =
        |grid: &Grid| assert!(matches!(refusal(&bytes, grid), OpenError::OtherMap { .. }), "{grid:?}");
    assert_other(&grid.clone().with_rules(Rules { diagonals: Diagonals::Free, ..grid.rules() }));
    for at in grid.area().cells() {
        let mut edited = grid.clone();
        let _ = if grid.is_free(at) { edited.block(at) } else { edited.free(at) }.unwrap();
        assert_other(&edited);
        let mut heavier = grid.clone();
        let _ = heavier.set_weight(at, 2).unwrap();
        assert_other(&heavier);
    }
    let mut edited = grid.clone();
    let _ = edited.block(Cell::new(0, 0)).unwrap();
    assert!(store::save(&open(&bytes, &grid).unwrap().into(), &edited).is_err());
}

/// Legs at any angle know no weights: whoever saves them for such a map cannot
/// open them.
#[test]
fn no_index_of_a_map_with_weights_is_opened() {
    let (mut grid, _) = small(SMALL);
    let _ = grid.set_weight(Cell::new(0, 0), 3).unwrap();
    let hierarchy = Hierarchy::build(&grid, SMALL).unwrap();
    let bytes = store::save(&hierarchy.into(), &grid).unwrap();
    assert!(matches!(refusal(&bytes, &grid), OpenError::Unsupported(_)));
}

/// Every word of a small index, changed to many values and signed again. A
/// systematic twin of `forged_bytes_do_no_harm`.
#[test]
fn every_forged_word_is_refused_or_does_no_harm() {
    let (grid, sound) = small(SMALL);
    let world = World::strict(plain(&grid));
    let mut random = SplitMix64::new(1);
    let mut opened = 0;
    for at in (0..sound.len() - 8).step_by(4) {
        let old = u32::from_le_bytes(sound[at..at + 4].try_into().unwrap());
        for new in [0, 1, old.wrapping_sub(1), old.wrapping_add(1), old ^ 1 << 31, u32::MAX, 0x0101_0101] {
            if new == old {
                continue;
            }
            let mut bytes = sound.clone();
            bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
            sign(&mut bytes);
            if let Ok(hierarchy) = open(&bytes, &grid) {
                opened += 1;
                assert!(hierarchy.verify(&grid).is_err(), "word {at}");
                ask_and_edit(&world, &grid, &hierarchy, &mut random);
            }
        }
    }
    assert!(opened > 0, "nothing got past the checks, so nothing was asked");
}

/// The record of a cluster in the part of the bends: its place in the file.
fn bends(bytes: &[u8], cluster: usize, clusters: usize) -> Range<usize> {
    let [(_, table)] = &parts(bytes, *b"step")[..] else { panic!("there is one part of bends") };
    let start = |record: usize| {
        let at = table.start + 4 * record;
        let words = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        table.start + 4 * (clusters + 1 + words)
    };
    start(cluster)..start(cluster + 1)
}

/// What the readers of bends rely on is looked at before they read.
#[test]
fn bends_of_another_form_are_refused() {
    let (grid, sound) = small(SMALL);
    let place = bends(&sound, 0, 4);
    let names = place.start + 4 * (1 + usize::from(sound[place.start]));
    let flaw_of = |change: &dyn Fn(&mut [u8])| {
        let mut bytes = sound.clone();
        change(&mut bytes);
        sign(&mut bytes);
        let told = store::describe(Arc::new(bytes.clone())).unwrap_err();
        let error = refusal(&bytes, &grid);
        assert_eq!(error, told, "the map is not needed to tell");
        let OpenError::Inconsistent(error) = error else { panic!("{error}") };
        let told = error.to_string();
        let flaw = told.strip_prefix("the table of ways: the record of cluster 0 ");
        flaw.unwrap_or_else(|| panic!("{told}")).to_owned()
    };
    let (head, first, second) = (place.start, place.start + 4, place.start + 8);
    assert_eq!(flaw_of(&|b| b[head] += 1), "has another length than its nodes take");
    assert_eq!(flaw_of(&|b| b[head] = 26), "has more turning points than its cluster");
    assert_eq!(flaw_of(&|b| b[head + 3] = 0x80), "has names of another length than its points take");
    assert_eq!(flaw_of(&|b| b[first] = 5), "turns outside its cluster");
    assert_eq!(flaw_of(&|b| b[first + 3] = 0xff), "turns outside its cluster");
    assert_eq!(
        flaw_of(&|b| b.copy_within(second..second + 4, first)),
        "has its turning points in another order"
    );
    assert_eq!(flaw_of(&|b| b[names] = b[head]), "has a name of no turning point");
    assert_eq!(flaw_of(&|b| b[names..place.end - 4].fill(0)), "leads on from its node");
}

/// With the map at hand, the ways between nodes are what the costs say.
#[test]
fn bends_between_nodes_are_proved() {
    let (grid, sound) = small(SMALL);
    let hierarchy = open(&sound, &grid).unwrap();
    let nodes: Vec<Cell> =
        hierarchy.nodes().map(|node| node.cell).filter(|at| at.x < 5 && at.y < 5).collect();
    let place = bends(&sound, 0, 4);
    let names = place.start + 4 * (1 + usize::from(sound[place.start]));
    let mut refused = 0;
    for (local, _) in nodes.iter().enumerate() {
        for from in &nodes {
            // Nobody finds on from here to that node.
            let mut bytes = sound.clone();
            bytes[names + local * 25 + usize::from(from.y) * 5 + usize::from(from.x)] = 0xff;
            sign(&mut bytes);
            refused += usize::from(bytes != sound && open(&bytes, &grid).is_err());
        }
    }
    assert!(refused > 0, "one of the two ways between nodes can always be left out");
}

/// Reads the part of the bends as `docs/format.md` describes it, and follows
/// every way to every node.
#[test]
fn the_bytes_are_what_the_documentation_says() {
    let (grid, bytes) = small(SMALL);
    assert_eq!(bytes[24..32], *b"hpt\0\0\0\0\0");
    let [(0, sett)] = &parts(&bytes, *b"sett")[..] else { panic!("there is one part of settings") };
    assert_eq!(bytes[sett.clone()], [5, 0, 2, 0, 2, 2, 1, 1, 4, 0, 16, 0]);
    assert!(parts(&bytes, *b"lane").is_empty());
    assert_eq!(parts(&bytes, *b"stop").len(), 1);
    let hierarchy = open(&bytes, &grid).unwrap();
    let mut followed = 0;
    for (cluster, area) in hierarchy.clusters(1).enumerate() {
        let record = &bytes[bends(&bytes, cluster, 4)];
        let word = |at: usize| u32::from_le_bytes(record[4 * at..4 * at + 4].try_into().unwrap());
        let points: Vec<Cell> =
            (1..=word(0) as usize).map(|at| Cell::new(word(at) as u16, (word(at) >> 16) as u16)).collect();
        let fields = &record[4 * (1 + points.len())..];
        let nodes = hierarchy.nodes().map(|node| node.cell).filter(|&at| area.contains(at));
        for (node, field) in nodes.zip(fields.chunks(area.cell_count())) {
            for (from, &name) in area.cells().zip(field) {
                let (mut at, mut name) = (from, name);
                while name != 0xff {
                    let next = points[usize::from(name)];
                    assert!(at != next && grid.line_of_sight(at, next), "{at} to {next}");
                    at = next;
                    name = field[area.offset(at)];
                    followed += 1;
                }
                // It gets there, or there is no way at all.
                assert!(at == node || at == from);
            }
        }
    }
    assert!(followed > 0);
}

/// Two builds and any number of threads.
#[test]
fn every_number_of_threads_gives_the_same_bytes() {
    let mut random = SplitMix64::new(12);
    let grid = World::strict(crate::common::random_map(&mut random, 120, 90, 20)).grid();
    let bytes = |threads| {
        let hierarchy =
            Index::build_with(&grid, HpaSettings::any_angle(), &BuildOptions::new().threads(threads))
                .unwrap();
        store::save(&hierarchy, &grid).unwrap()
    };
    let one = bytes(1);
    assert!([2, 3, 8].into_iter().all(|threads| bytes(threads) == one));
    assert!(open(&one, &grid).is_ok());
}

/// Clusters with more turning points than a byte can name.
#[test]
fn names_of_two_bytes_are_kept() {
    let mut random = SplitMix64::new(13);
    let grid = World::strict(crate::common::random_map(&mut random, 150, 120, 15)).grid();
    for local in [Local::Theta, Local::LazyTheta] {
        let settings = HpaSettings::any_angle().with_cluster(70).with_local(local);
        let built = Hierarchy::build(&grid, settings).unwrap();
        let bytes = store::save(&built.clone().into(), &grid).unwrap();
        let [(_, ways)] = &parts(&bytes, *b"step")[..] else { panic!("there is one part of bends") };
        assert_eq!(bytes[ways.start + 4 * 7 + 3], 0x80, "the first record is not wide");
        let opened = open(&bytes, &grid).unwrap();
        assert!(opened == built);
        opened.verify(&grid).unwrap();
    }
}
