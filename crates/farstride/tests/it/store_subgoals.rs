//! Indexes of subgoal graphs in bytes: what is saved can be opened, and
//! whatever else the bytes are, they are refused or do no harm. What all
//! indexes have in common is tested in `store.rs`.

use crate::common;
use crate::common::forge::{self as forge, all_parts, part, refusal, sign_parts, u32_at};
use crate::common::{Forgeries, World, any_point, cases, cell, query, random_map, saved};
use farstride::error::OpenError;
use farstride::graph::NodeId;
use farstride::index::BuildOptions;
use farstride::store::{self};
use farstride::subgoal::{Partition, SubgoalGraph, SubgoalSettings};
use farstride::{Cell, Detail, Diagonals, Grid, Index, Outcome, Planner, Rules, Scratch};
use farstride_testkit::strategies::{diagonal_costs, diagonals, maps};
use farstride_testkit::{self as testkit, SplitMix64};
use proptest::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

const PARTITIONS: [Partition; 9] = [
    Partition::Simple,
    Partition::TwoLevel,
    Partition::TwoLevelLossy,
    Partition::Basic(None),
    Partition::Basic(Some(1)),
    Partition::Basic(Some(3)),
    Partition::Advanced(None),
    Partition::Advanced(Some(2)),
    Partition::Advanced(Some(100)),
];

fn settings() -> impl Strategy<Value = SubgoalSettings> {
    prop::sample::select(&PARTITIONS[..]).prop_map(SubgoalSettings::new)
}

fn open(bytes: &[u8], grid: &Grid) -> Result<SubgoalGraph, OpenError> {
    let index = store::open(Arc::new(bytes.to_vec()), grid)?;
    Ok(index.subgoals().expect("only subgoal graphs are opened here").clone())
}

/// A small map with subgoals on several levels and extra edges.
fn small() -> Grid {
    Grid::from_ascii(
        "
        ......#....
        .####......
        ....#.##...
        ..#........
        .##..#.##..
        .....#.....
        .#.......#.
        ",
    )
    .unwrap()
}

fn bytes_of(grid: &Grid, partition: Partition) -> Vec<u8> {
    store::save(&Index::build(grid, SubgoalSettings::new(partition)).unwrap(), grid).unwrap()
}

proptest! {
    #![proptest_config(cases(256))]

    /// What is opened equals what was saved, in every answer too.
    #[test]
    fn what_is_saved_can_be_opened(
        map in maps(32, 32), rule in diagonals(), cost in diagonal_costs(), settings in settings(), seed: u64,
    ) {
        saved::assert_round_trip(&World::new(map, rule, cost), settings, seed);
    }

    /// Edits leave no trace in the bytes, be the index built or opened.
    #[test]
    fn an_edited_index_is_saved_like_a_fresh_one(
        map in maps(20, 20), rule in diagonals(), cost in diagonal_costs(), settings in settings(), seed: u64,
    ) {
        let grid = World::new(map, rule, cost).grid();
        saved::assert_edits_leave_no_trace(&grid, settings, seed, forge::edit_cell);
    }
}

/// Bytes that somebody changed and signed again are refused or do no harm.
#[test]
fn forged_bytes_do_no_harm() {
    let any_case = (maps(24, 24), diagonals(), diagonal_costs(), settings(), any::<u64>());
    Forgeries::test((cases(256), file!()), &any_case, 80, |case, forgeries| {
        let (map, rule, cost, settings, seed) = case;
        let mut random = SplitMix64::new(seed);
        let world = World::new(map, rule, cost);
        let grid = world.grid();
        let sound = store::save(&Index::build(&grid, settings).unwrap(), &grid).unwrap();
        let forge = |bytes: &mut [u8], random: &mut SplitMix64| {
            (0..random.between(1, 4)).for_each(|_| forge::forge_part_word(bytes, random));
            saved::sign_most(bytes, 1, random);
        };
        saved::forge_and_open(
            (&sound, &grid),
            (32, forgeries),
            &mut random,
            forge,
            |opened, bytes, random| {
                let Ok(Index::Subgoals(graph)) = opened else { return };
                let fresh = store::save(&Index::build(&grid, graph.settings()).unwrap(), &grid).unwrap();
                assert_eq!(graph.verify(&grid).is_ok(), bytes == fresh);
                ask_and_edit(&world, &grid, &graph, random);
            },
        );
    });
}

/// Asks an index of unknown origin what it is there for, and edits its map:
/// every query ends, and what it finds is a legal path.
fn ask_and_edit(world: &World, grid: &Grid, graph: &SubgoalGraph, random: &mut SplitMix64) {
    let mut planner = Planner::with_index(grid.clone(), graph.clone()).unwrap();
    let mut scratch = Scratch::new();
    for _ in 0..3 {
        for _ in 0..8 {
            ask(&planner, any_point(random, &world.map), any_point(random, &world.map), &mut scratch);
        }
        planner.edit(|grid| forge::edit_cell(grid, random));
    }
}

fn ask(planner: &Planner, start: testkit::Point, goal: testkit::Point, scratch: &mut Scratch) {
    for detail in [Detail::Cost, Detail::Waypoints, Detail::Cells] {
        let outcome = planner.find(query(start, goal).with_detail(detail), scratch).unwrap();
        let Outcome::Found(route) = outcome else { continue };
        if detail == Detail::Cells {
            let path = route.path().cells();
            assert_eq!((path.first(), path.last()), (Some(&cell(start)), Some(&cell(goal))));
            for step in path.windows(2) {
                let direction = step[0].direction_to(step[1]).expect("cells are adjacent");
                assert!(planner.grid().may_step(step[0], direction), "{path:?}");
            }
        }
    }
}

#[test]
fn every_damage_is_noticed() {
    let grid = small();
    for partition in [Partition::Simple, Partition::Advanced(None)] {
        forge::assert_damage_is_noticed(bytes_of(&grid, partition), &grid);
    }
}

/// Every word of a small index, changed to many values, with every digest put
/// right or with the checksum alone.
#[test]
fn every_forged_word_is_refused_or_does_no_harm() {
    let grid = small();
    let world = World::strict(plain(&grid));
    let mut random = SplitMix64::new(1);
    for partition in PARTITIONS {
        let sound = bytes_of(&grid, partition);
        let mut opened = 0;
        for at in (0..sound.len() - 8).step_by(4) {
            let old = u32_at(&sound, at);
            let news = (0..24).chain([
                old.wrapping_sub(1),
                old.wrapping_add(1),
                old ^ 0x8000,
                old ^ 1 << 31,
                u32::MAX,
            ]);
            for new in news.filter(|&new| new != old) {
                let mut bytes = sound.clone();
                bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
                forge::sign(&mut bytes);
                if at >= 64 {
                    // The digests of the parts are wrong now, or a part is.
                    refusal(&bytes, &grid);
                }
                sign_parts(&mut bytes, 1);
                let _ = store::describe(Arc::new(bytes.clone()));
                if bytes != sound
                    && let Ok(graph) = open(&bytes, &grid)
                {
                    opened += 1;
                    // A limit that is not reached makes no difference.
                    let fresh = bytes_of(&grid, graph.settings().partition);
                    assert_eq!(graph.verify(&grid).is_ok(), bytes == fresh, "word {at}");
                    ask_and_edit(&world, &grid, &graph, &mut random);
                }
            }
        }
        assert!(opened > 0, "nothing got past the checks, so nothing was asked");
    }
}

fn plain(grid: &Grid) -> testkit::PlainMap {
    let mut map = testkit::PlainMap::new(grid.width(), grid.height(), false);
    for at in grid.area().cells().filter(|&at| grid.is_free(at)) {
        map.set_free((at.x.into(), at.y.into()), true);
    }
    map
}

#[test]
fn forged_sizes_take_no_memory() {
    let grid = small();
    let sound = bytes_of(&grid, Partition::Advanced(None));
    let (levels, rows) = (part(&sound, *b"levl"), part(&sound, *b"rows"));
    for at in [levels.start, levels.end - 4, rows.start, rows.start + 4, rows.end - 4] {
        for new in [0xffff_fffe, u32::MAX, 1 << 31] {
            let mut bytes = sound.clone();
            bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(new));
            sign_parts(&mut bytes, 1);
            assert!(matches!(refusal(&bytes, &grid), OpenError::Inconsistent(_)));
            assert!(store::describe(Arc::new(bytes)).is_err());
        }
    }
}

/// Which proofs refuse what: each word changed here keeps the form.
#[test]
fn forged_graphs_are_refused_with_a_reason() {
    let grid = small();
    let sound = bytes_of(&grid, Partition::Advanced(None));
    let vias = part(&sound, *b"vias");
    let extra = vias.clone().step_by(4).find(|&at| u32_at(&sound, at) != u32::MAX).unwrap();
    let told = |at: usize, new: u32| {
        let mut bytes = sound.clone();
        bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
        sign_parts(&mut bytes, 1);
        open(&bytes, &grid).map_err(|error| common::told(&error))
    };
    let nodes = part(&sound, *b"levl").len() as u32 / 4;
    for node in 0..nodes + 2 {
        if node == u32_at(&sound, extra) {
            continue;
        }
        let told = told(extra, node).expect_err("there is one shortest way around a node here");
        let expected =
            ["around no node", "that has none to its ends", "is not on the way", "in another direction"];
        assert!(expected.iter().any(|expected| told.contains(expected)), "{told}");
    }
    // Extra edges that are no longer marked as such lead through walls, or are
    // taken on trust, but not by `verify`.
    for at in vias.step_by(4).filter(|&at| u32_at(&sound, at) != u32::MAX) {
        match told(at, u32::MAX) {
            Ok(opened) => assert!(opened.verify(&grid).is_err()),
            Err(told) => assert!(told.contains("through a wall") || told.contains("another direction")),
        }
    }
    let turns = part(&sound, *b"turn");
    assert!(told(turns.start, u32_at(&sound, turns.start) ^ 1).unwrap_err().contains("another direction"));
    // More levels than allowed, and a limit that the engine has not.
    let limited = |bytes: &[u8], limit: u8| {
        let mut bytes = bytes.to_vec();
        let settings = part(&bytes, *b"sett").start;
        (bytes[settings], bytes[settings + 4]) = (limit, 1);
        sign_parts(&mut bytes, 1);
        open(&bytes, &grid).map_err(|error| common::told(&error))
    };
    assert!(limited(&sound, 1).unwrap_err().contains("more levels than its settings allow"));
    assert!(limited(&sound, 100).is_ok());
    assert!(limited(&bytes_of(&grid, Partition::Simple), 1).unwrap_err().contains("settings"));
}

/// A part of another engine's: extra edges where none are allowed, or none.
#[test]
fn parts_are_those_of_the_engine() {
    let grid = small();
    let rename = |partition, name: &[u8; 8]| {
        let mut bytes = bytes_of(&grid, partition);
        bytes[24..32].copy_from_slice(name);
        forge::sign(&mut bytes);
        bytes
    };
    for (partition, name) in [
        (Partition::Advanced(None), b"nsg\0\0\0\0\0"),
        (Partition::Basic(None), b"nsg+\0\0\0\0"),
        (Partition::TwoLevel, b"ssg\0\0\0\0\0"),
        (Partition::Simple, b"tl\0\0\0\0\0\0"),
    ] {
        assert!(matches!(refusal(&rename(partition, name), &grid), OpenError::Layout { .. }));
    }
    refusal(&rename(Partition::Simple, b"hpa\0\0\0\0\0"), &grid);
    // More levels than a two-level graph has.
    let error = refusal(&rename(Partition::Advanced(None), b"tsg\0\0\0\0\0"), &grid);
    assert!(matches!(error, OpenError::Inconsistent(_)), "{error}");
}

#[test]
fn other_maps_and_rules_are_told_apart() {
    let grid = small();
    let bytes = bytes_of(&grid, Partition::Advanced(None));
    let assert_other = |grid: &Grid| assert!(matches!(refusal(&bytes, grid), OpenError::OtherMap { .. }));
    assert_other(&grid.clone().with_rules(Rules { diagonals: Diagonals::None, ..grid.rules() }));
    for at in grid.area().cells() {
        let mut edited = grid.clone();
        let _ = if grid.is_free(at) { edited.block(at) } else { edited.free(at) }.unwrap();
        assert_other(&edited);
        let graph = open(&bytes, &grid).unwrap();
        assert!(store::save(&graph.clone().into(), &edited).is_err() && graph.verify(&edited).is_err());
    }
}

/// What the engine cannot work on has no index, whatever the head says.
#[test]
fn maps_of_other_engines_are_refused() {
    let grid = small();
    let mut bytes = bytes_of(&grid, Partition::Advanced(None));
    let mut heavy = grid.clone();
    let _ = heavy.set_weight(Cell::new(0, 0), 2).unwrap();
    bytes[48..56].copy_from_slice(&heavy.digest().to_le_bytes());
    forge::sign(&mut bytes);
    assert!(matches!(refusal(&bytes, &heavy), OpenError::Unsupported(_)));
}

#[test]
fn every_number_of_threads_gives_the_same_bytes() {
    let grid = World::strict(random_map(&mut SplitMix64::new(11), 120, 90, 20)).grid();
    for partition in PARTITIONS {
        let bytes = |threads| {
            let graph = Index::build_with(
                &grid,
                SubgoalSettings::new(partition),
                &BuildOptions::new().threads(threads),
            )
            .unwrap();
            store::save(&graph, &grid).unwrap()
        };
        let one = bytes(1);
        assert!([2, 4, 7].into_iter().all(|threads| bytes(threads) == one));
    }
}

#[test]
fn maps_without_subgoals_have_an_index_too() {
    for grid in [Grid::empty(30, 20).unwrap(), Grid::from_fn(5, 5, |_| false).unwrap()] {
        for partition in PARTITIONS {
            let bytes = bytes_of(&grid, partition);
            let opened = open(&bytes, &grid).unwrap();
            assert!(opened.subgoals().is_empty() && opened.counts().is_empty());
            opened.verify(&grid).unwrap();
        }
    }
}

/// Reads a file as `docs/format.md` describes it, with none of our code.
#[test]
fn the_bytes_are_what_the_documentation_says() {
    let grid = small();
    for (partition, name) in [
        (Partition::Simple, b"ssg\0\0\0\0\0"),
        (Partition::TwoLevel, b"tsg\0\0\0\0\0"),
        (Partition::TwoLevelLossy, b"tl\0\0\0\0\0\0"),
        (Partition::Basic(Some(2)), b"nsg\0\0\0\0\0"),
        (Partition::Advanced(None), b"nsg+\0\0\0\0"),
    ] {
        let bytes = bytes_of(&grid, partition);
        let graph = open(&bytes, &grid).unwrap();
        assert_eq!(bytes[..12], *b"\x89FSI\r\n\x1a\n\x01\0\0\0");
        assert_eq!(bytes[24..32], *name);
        assert_eq!(bytes[32..48], *b"\x0b\0\0\0\x07\0\0\0\0\0\0\0\0\0\0\0");
        assert_eq!(bytes[56..64], graph.digest().to_le_bytes());
        let parts: BTreeMap<[u8; 4], Range<usize>> = all_parts(&bytes).into_iter().collect();
        let has_vias = !matches!(partition, Partition::Simple | Partition::Basic(_));
        assert_eq!(parts.len(), if has_vias { 6 } else { 4 });
        let limit = if matches!(partition, Partition::Basic(_)) { [2, 0, 0, 0, 1, 0, 0, 0] } else { [0; 8] };
        assert_eq!(bytes[parts[b"sett"].clone()], limit);
        let words = |tag: &[u8; 4]| -> Vec<u32> {
            parts[tag].clone().step_by(4).map(|at| u32_at(&bytes, at)).collect()
        };
        let (levels, rows, heads) = (words(b"levl"), words(b"rows"), words(b"head"));
        let vias = if has_vias { words(b"vias") } else { vec![u32::MAX; heads.len()] };
        let nodes = (0..graph.subgoals().len() as u32).map(NodeId::new);
        assert_eq!(levels, nodes.map(|node| graph.levels().level(node)).collect::<Vec<_>>());
        let mut read: Vec<_> = Vec::new();
        for (node, row) in rows.windows(2).enumerate() {
            read.extend((row[0]..row[1]).map(|at| (node as u32, heads[at as usize], vias[at as usize])));
        }
        assert!(read.is_sorted_by(|a, b| a < b));
        let id = |node: NodeId| node.index() as u32;
        let listed = graph.levels().edges();
        let mut listed: Vec<_> =
            listed.map(|edge| (id(edge.from), id(edge.to), edge.via.map_or(u32::MAX, id))).collect();
        listed.sort_unstable();
        assert_eq!(read, listed);
        assert_eq!(read.iter().any(|&(.., via)| via != u32::MAX), has_vias, "{partition:?}");
        let Some(turns) = parts.get(b"turn").map(|turns| &bytes[turns.clone()]) else { continue };
        assert_eq!(turns.len(), heads.len());
        for (&(from, to, _), &turn) in read.iter().zip(turns).filter(|((.., via), _)| *via == u32::MAX) {
            let [from, to] = [from, to].map(|node| graph.subgoals()[node as usize]);
            assert_eq!(turn, documented_class(from, to) * 0x11, "{from} to {to}");
        }
    }
}

/// The class of an original edge, by the table in `docs/format.md`.
fn documented_class(from: Cell, to: Cell) -> u8 {
    let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    let mixed = [8, 9, 10, 11][usize::from(dx > 0) + 2 * usize::from(dy > 0)];
    match (dx.signum(), dy.signum(), dx.abs().cmp(&dy.abs())) {
        (0, -1, _) => 0,
        (1, 0, _) => 1,
        (0, 1, _) => 2,
        (-1, 0, _) => 3,
        (1, -1, Ordering::Equal) => 4,
        (1, 1, Ordering::Equal) => 5,
        (-1, 1, Ordering::Equal) => 6,
        (-1, -1, Ordering::Equal) => 7,
        (_, _, Ordering::Greater) => mixed + 4,
        _ => mixed,
    }
}
