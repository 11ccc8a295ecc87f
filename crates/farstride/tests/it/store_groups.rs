//! Indexes of hierarchies of squares in bytes: what is saved can be opened, and
//! whatever else the bytes are, they are refused or do no harm. What all
//! indexes have in common is tested in `store.rs`.

use crate::common;
use crate::common::forge::{self as forge, all_parts, part, refusal, sign_parts};
use crate::common::{Forgeries, World, cases, cell, random_map, saved, weigh};
use farstride::error::OpenError;
use farstride::groups::{
    Aim, Connection, GridGroupSettings, GridGroups, GroupId, GroupTactics, Grouping, Mode, Squares,
};
use farstride::index::BuildOptions;
use farstride::store::{self};
use farstride::{
    Cell, Detail, Diagonals, Grid, Index, Outcome, Planned, Planner, Query, Rules, Scratch, Step,
};
use farstride_testkit::SplitMix64;
use farstride_testkit::strategies::{diagonal_costs, diagonals, maps};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

fn settings() -> impl Strategy<Value = GridGroupSettings> {
    let blend = (0..3_u16, 0..3_u16, 0..3_u16).prop_map(|(minimum, maximin, average)| Connection::Blend {
        minimum,
        maximin,
        average,
    });
    let connection =
        prop_oneof![Just(Connection::Minimum), Just(Connection::Maximin), Just(Connection::Average), blend];
    (2..8_u16, 2..4_u8, prop::option::of(1..5_u8), connection).prop_map(
        |(side, group, levels, connection)| {
            GridGroupSettings::default()
                .with_side(side)
                .with_group(group)
                .with_levels(levels)
                .with_connection(connection)
        },
    )
}

fn open(bytes: &[u8], grid: &Grid) -> Result<GridGroups, OpenError> {
    let index = store::open(Arc::new(bytes.to_vec()), grid)?;
    Ok(index.groups().expect("only hierarchies of squares are opened here").clone())
}

/// A small map with squares of several parts, of one and of none.
fn small() -> Grid {
    Grid::from_ascii(
        "
        ..#...#...#
        .###.....##
        ###.#.##.##
        ..#...#.###
        .##.#..####
        .....#..#..
        .#.#.....#.
        ",
    )
    .unwrap()
}

const SMALL: GridGroupSettings = GridGroupSettings::DEFAULT
    .with_side(3)
    .with_group(2)
    .with_levels(Some(3))
    .with_connection(Connection::Average);

fn bytes_of(grid: &Grid, settings: GridGroupSettings) -> Vec<u8> {
    store::save(&Index::build(grid, settings).unwrap(), grid).unwrap()
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
        saved::assert_edits_leave_no_trace(&grid, settings, seed, |grid, random| forge::edit(grid, random, true));
    }
}

/// Bytes that somebody changed and signed again are refused or do no harm.
#[test]
fn forged_bytes_do_no_harm() {
    let any_case = (maps(24, 24), diagonals(), diagonal_costs(), settings(), any::<u64>());
    Forgeries::test((cases(256), file!()), &any_case, 200, |case, forgeries| {
        let (map, rule, cost, settings, seed) = case;
        let mut random = SplitMix64::new(seed);
        let grid = World::new(map, rule, cost).grid();
        let sound = bytes_of(&grid, settings);
        let forge = |bytes: &mut [u8], random: &mut SplitMix64| {
            (0..random.between(1, 4)).for_each(|_| forge(bytes, random));
            saved::sign_most(bytes, 0, random);
        };
        saved::forge_and_open(
            (&sound, &grid),
            (32, forgeries),
            &mut random,
            forge,
            |opened, bytes, random| {
                let Ok(Index::Groups(groups)) = opened else { return };
                let fresh = bytes_of(&grid, groups.settings());
                assert_eq!(groups.verify(&grid).is_ok(), bytes == fresh);
                assert_eq!(store::save(&Index::Groups(Arc::clone(&groups)), &grid).unwrap(), bytes);
                ask_and_edit(&grid, &groups, random);
            },
        );
    });
}

/// Changes a byte or two, most often of the lists, into what another sound file
/// might have there.
fn forge(bytes: &mut [u8], random: &mut SplitMix64) {
    let parts = all_parts(bytes);
    let place = match random.below(16) {
        at if at > 0 && !parts.is_empty() => parts[at % parts.len()].1.clone(),
        _ => 0..bytes.len() - 8,
    };
    if place.is_empty() || place.end > bytes.len() - 8 {
        return; // nothing there, or forged before
    }
    let at = place.start + random.below(place.len());
    match random.below(8) {
        0 => bytes[at] = random.below(4) as u8,
        1 => bytes[at] = bytes[at].wrapping_add(1),
        2 => bytes[at] = bytes[at].wrapping_sub(1),
        3 => bytes[at] = u8::MAX,
        4 => bytes.swap(at, place.start + random.below(place.len())),
        5 => bytes[at] ^= 1 << random.below(8),
        6 => bytes[at] = random.next_u64() as u8,
        _ => {
            // One more here, one less there: sums stay as they are.
            let other = place.start + random.below(place.len());
            bytes[at] = bytes[at].wrapping_add(1);
            bytes[other] = bytes[other].wrapping_sub(1);
        }
    }
}

/// Asks an index of unknown origin what it is there for, and edits its map:
/// queries and plans find a legal way exactly if there is one.
fn ask_and_edit(grid: &Grid, groups: &GridGroups, random: &mut SplitMix64) {
    let mut planner = Planner::with_index(grid.clone(), groups.clone()).unwrap();
    let mut scratch = Scratch::new();
    for _ in 0..3 {
        for _ in 0..6 {
            let tactics = GroupTactics::default()
                .with_mode(if random.chance(50) { Mode::Sections } else { Mode::Exclusion })
                .with_ahead(random.below(4))
                .with_aim(if random.chance(70) { Aim::Doorway } else { Aim::Representative });
            planner = planner.with_group_tactics(tactics);
            let [start, goal] =
                [(); 2].map(|()| cell((random.below(grid.width()), random.below(grid.height()))));
            ask(&planner, start, goal, &mut scratch);
            walk(&planner, start, goal, &mut scratch);
        }
        planner.edit(|grid| forge::edit(grid, random, true));
    }
}

fn is_joined(grid: &Grid, start: Cell, goal: Cell) -> bool {
    start != goal && grid.is_free(start) && grid.is_free(goal) && grid.is_connected(start, goal)
}

fn assert_legal(grid: &Grid, from: Cell, to: Cell) {
    let direction = from.direction_to(to).expect("cells are adjacent");
    assert!(grid.may_step(from, direction), "{from} to {to}");
}

fn ask(planner: &Planner, start: Cell, goal: Cell, scratch: &mut Scratch) {
    let whole = farstride::Query::new(start, goal);
    for query in [whole.with_detail(Detail::Waypoints), whole.with_budget(3), whole] {
        let mut outcome = planner.find(query, scratch).unwrap();
        for _ in 0..10_000 {
            let Outcome::BudgetSpent(paused) = outcome else { break };
            outcome = planner.resume(&paused, 3, scratch).unwrap();
        }
        let Outcome::Found(route) = outcome else {
            assert!(!is_joined(planner.grid(), start, goal), "no way from {start} to {goal}: {outcome:?}");
            continue;
        };
        let path = route.path().cells();
        assert_eq!((path.first(), path.last()), (Some(&start), Some(&goal)));
        if query.detail == Detail::Cells {
            path.windows(2).for_each(|step| assert_legal(planner.grid(), step[0], step[1]));
        }
    }
    let sliced = planner.find_while(whole, || true, scratch).unwrap();
    assert_eq!(sliced.route().is_some(), is_joined(planner.grid(), start, goal));
}

fn walk(planner: &Planner, start: Cell, goal: Cell, scratch: &mut Scratch) {
    let Planned::Plan(mut plan) = planner.plan(Query::new(start, goal), scratch).unwrap() else {
        assert!(!is_joined(planner.grid(), start, goal), "no plan from {start} to {goal}");
        return;
    };
    let mut at = start;
    for _ in 0..10_000 {
        match plan.step(planner, scratch).unwrap() {
            Step::To(next) => {
                assert_legal(planner.grid(), at, next);
                at = next;
            }
            Step::Arrived => {
                assert_eq!(at, goal);
                return;
            }
            other => panic!("{other:?} at {at} on the way from {start} to {goal}"),
        }
    }
    panic!("still walking");
}

#[test]
fn every_damage_is_noticed() {
    let grid = small();
    forge::assert_damage_is_noticed(bytes_of(&grid, SMALL), &grid);
}

/// Every byte of a small index, changed to many values, with every digest put
/// right or with the checksum alone.
#[test]
fn every_forged_byte_is_refused_or_does_no_harm() {
    let grid = small();
    let mut random = SplitMix64::new(1);
    let sound = bytes_of(&grid, SMALL);
    let mut opened = BTreeMap::<[u8; 4], u32>::new();
    for at in 0..sound.len() - 8 {
        let old = sound[at];
        let flips = (0..8).map(|bit| old ^ 1 << bit);
        let news = flips.chain([0, 1, 2, 3, 4, 5, 7, 9, 12, 20, 0xff, old.wrapping_sub(1)]);
        for new in news.filter(|&new| new != old) {
            let mut bytes = sound.clone();
            bytes[at] = new;
            forge::sign(&mut bytes);
            if at >= 48 {
                // The digest of the map, of the index or of a part is wrong now.
                refusal(&bytes, &grid);
            }
            sign_parts(&mut bytes, 0);
            let _ = store::describe(Arc::new(bytes.clone()));
            if bytes != sound
                && let Ok(groups) = open(&bytes, &grid)
            {
                let tag = all_parts(&sound).into_iter().find(|(_, place)| place.contains(&at)).unwrap().0;
                *opened.entry(tag).or_default() += 1;
                let fresh = bytes_of(&grid, groups.settings());
                assert_eq!(groups.verify(&grid).is_ok(), bytes == fresh, "byte {at}");
                ask_and_edit(&grid, &groups, &mut random);
            }
        }
    }
    // Whatever cannot be told from what is right has been asked.
    for tag in [*b"sett", *b"tabl", *b"repr", *b"head", *b"cost"] {
        assert!(opened.contains_key(&tag), "{opened:?}");
    }
}

/// Parts that hang together only in the file, and arcs that are missing: what
/// the hierarchy says is wrong, and every way is found nevertheless.
#[test]
fn ways_that_the_groups_deny_are_found() {
    let grid = Grid::from_ascii(
        "
        ....#....
        ....#....
        ....#....
        .........
        ",
    )
    .unwrap();
    let settings = SMALL.with_side(3).with_levels(Some(1));
    let mut bytes = bytes_of(&grid, settings);
    let (rows, heads) = (part(&bytes, *b"rows"), part(&bytes, *b"head"));
    // No part leads anywhere any more: the lists of heads and costs become
    // empty, and everything after them moves.
    bytes[rows.start + 1..rows.end].fill(0);
    let costs = part(&bytes, *b"cost");
    let mut emptied = bytes[..heads.start].to_vec();
    for (entry, start) in [(64 + 32 * 5, heads.start), (64 + 32 * 6, heads.start + 8)] {
        emptied[entry + 8..entry + 16].copy_from_slice(&(start as u64).to_le_bytes());
        emptied[entry + 16..entry + 24].copy_from_slice(&1_u64.to_le_bytes());
        emptied.extend([1, 0, 0, 0, 0, 0, 0, 0]);
    }
    assert!(costs.end > heads.start);
    emptied.extend([0; 8]);
    let length = emptied.len() as u64;
    emptied[16..24].copy_from_slice(&length.to_le_bytes());
    sign_parts(&mut emptied, 0);
    let groups = open(&emptied, &grid).unwrap();
    assert_eq!(groups.counts()[0].arcs, 0);
    assert!(groups.verify(&grid).unwrap_err().to_string().contains("group 0 of level 1 has other arcs"));
    let mut random = SplitMix64::new(7);
    let planner = Planner::with_index(grid.clone(), groups.clone()).unwrap();
    let mut scratch = Scratch::new();
    ask(&planner, Cell::new(0, 0), Cell::new(8, 0), &mut scratch);
    walk(&planner, Cell::new(0, 0), Cell::new(8, 0), &mut scratch);
    ask_and_edit(&grid, &groups, &mut random);
}

#[test]
fn forged_sizes_take_no_memory() {
    let grid = small();
    let sound = bytes_of(&grid, SMALL);
    for tag in [*b"part", *b"rows"] {
        let place = part(&sound, tag);
        for at in [place.start + 1, place.end - 1] {
            let mut bytes = sound.clone();
            bytes[at] = u8::MAX;
            sign_parts(&mut bytes, 0);
            assert!(matches!(refusal(&bytes, &grid), OpenError::Inconsistent(_)));
            assert!(store::describe(Arc::new(bytes)).is_err());
        }
    }
    // A map of the largest size, of which there is nothing.
    let mut bytes = sound;
    bytes[32..40].copy_from_slice(&[0x10, 0x27, 0, 0, 0x10, 0x27, 0, 0]);
    sign_parts(&mut bytes, 0);
    assert!(matches!(store::describe(Arc::new(bytes)), Err(OpenError::Inconsistent(_))));
}

/// Which proofs refuse what: each byte changed here keeps the form.
#[test]
fn forged_hierarchies_are_refused_with_a_reason() {
    let grid = small();
    let sound = bytes_of(&grid, SMALL);
    let told = |tag: [u8; 4], at: usize, new: &[u8]| {
        let mut bytes = sound.clone();
        let at = part(&bytes, tag).start + at;
        bytes[at..at + new.len()].copy_from_slice(new);
        sign_parts(&mut bytes, 0);
        common::told(&refusal(&bytes, &grid))
    };
    let counts = &sound[part(&sound, *b"part")][1..];
    assert_eq!(counts, [1, 2, 1, 1, 1, 1, 2, 1, 2, 1, 1, 1, 2, 4, 3, 2, 4]);
    for (tag, at, new, expected) in [
        (*b"part", 0, &[2][..], "a list of another form"),
        (*b"part", 0, &[0], "a list of another form"),
        (*b"part", 1, &[12], "group 0 of level 1 has parts that it has no room for"),
        (*b"part", 2, &[4], "group 1 of level 1 has a table that does not fit its parts"),
        (*b"part", 13, &[0], "group 0 of level 2 has parts that it has no room for"),
        (*b"tabl", 0, &[0b1100_0001], "group 1 of level 1 has a table that does not fit its parts"),
        (*b"repr", 1, &[9], "group 0 of level 1 is represented from outside"),
        (*b"repr", 1, &[2], "group 0 of level 1 has parts that are not those of the map"),
        (*b"repr", 2, &[6], "group 1 of level 1 is represented from outside"),
        (*b"rows", 1, &[100], "group 0 of level 1 has arcs that are not there"),
        (*b"head", 1, &[1], "group 1 of level 1 has arcs that lead nowhere or are not in order"),
        (*b"head", 1, &[200], "group 1 of level 1 has arcs that lead nowhere or are not in order"),
        (*b"cost", 0, &[9], "a list of another form"),
        (*b"sett", 0, &[1], "side is 1, but must be between 2 and 256"),
        (*b"sett", 2, &[1], "group is 1"),
        (*b"sett", 3, &[15], "levels is 15"),
        (*b"sett", 3, &[2], "another number of groups than its settings demand"),
        (*b"sett", 4, &[4], "its settings are of another form"),
        (*b"sett", 5, &[1], "its settings are of another form"),
    ] {
        let told = told(tag, at, new);
        assert!(told.contains(expected), "{told} instead of {expected}");
    }
    // A cell that is blocked on the map becomes one of a part, and the other
    // way round.
    for first in [0b0000_0000, 0b1100_0011] {
        let told = told(*b"tabl", 0, &[first]);
        assert!(told.contains("group 1 of level 1 has parts that are not those of the map"), "{told}");
    }
    // A part where the map has no free cell.
    let [full, half] = [9, 3].map(|free| Grid::from_fn(9, 3, |cell| cell.x < free).unwrap());
    let mut bytes = bytes_of(&full, SMALL.with_levels(Some(1)));
    bytes[48..56].copy_from_slice(&half.digest().to_le_bytes());
    sign_parts(&mut bytes, 0);
    let told = common::told(&refusal(&bytes, &half));
    assert!(told.contains("group 1 of level 1 has parts that are not those of the map"), "{told}");
    // And none where it has some.
    let mut bytes = bytes_of(&half, SMALL.with_levels(Some(1)));
    bytes[48..56].copy_from_slice(&full.digest().to_le_bytes());
    sign_parts(&mut bytes, 0);
    let told = common::told(&refusal(&bytes, &full));
    assert!(told.contains("group 1 of level 1 has parts that are not those of the map"), "{told}");
}

#[test]
fn other_maps_and_rules_are_told_apart() {
    let grid = small();
    let bytes = bytes_of(&grid, SMALL);
    let assert_other = |grid: &Grid| assert!(matches!(refusal(&bytes, grid), OpenError::OtherMap { .. }));
    assert_other(&grid.clone().with_rules(Rules { diagonals: Diagonals::None, ..grid.rules() }));
    for at in grid.area().cells() {
        let mut edited = grid.clone();
        let _ = if grid.is_free(at) { edited.block(at) } else { edited.free(at) }.unwrap();
        assert_other(&edited);
        let groups = open(&bytes, &grid).unwrap();
        assert!(store::save(&groups.clone().into(), &edited).is_err());
        // A cell more or less need not make a difference to parts and costs.
        let fresh = GridGroups::build(&edited, SMALL).unwrap();
        assert_eq!(groups.verify(&edited).is_ok(), groups == fresh);
    }
    let larger = Grid::empty(12, 7).unwrap();
    assert!(open(&bytes, &grid).unwrap().verify(&larger).is_err());
}

#[test]
fn digests_tell_settings_apart() {
    let grid = Grid::empty(3, 3).unwrap();
    let digest = |settings| GridGroups::build(&grid, settings).unwrap().digest();
    let settings = SMALL.with_levels(Some(1));
    let others = [
        settings.with_side(4),
        settings.with_group(3),
        settings.with_levels(None),
        settings.with_connection(Connection::Minimum),
    ];
    assert!(others.into_iter().all(|other| digest(other) != digest(settings)));
}

#[test]
fn every_number_of_threads_gives_the_same_bytes() {
    let mut random = SplitMix64::new(11);
    let mut map = random_map(&mut random, 120, 90, 30);
    weigh(&mut random, &mut map);
    let grid = World::strict(map).grid();
    let bytes = |threads| {
        let groups =
            Index::build_with(&grid, GridGroupSettings::DEFAULT, &BuildOptions::new().threads(threads))
                .unwrap();
        store::save(&groups, &grid).unwrap()
    };
    let one = bytes(1);
    assert!([2, 4, 7].into_iter().all(|threads| bytes(threads) == one));
    assert!(open(&one, &grid).unwrap().verify(&grid).is_ok());
}

#[test]
fn maps_without_free_cells_have_an_index_too() {
    let grid = Grid::from_fn(5, 5, |_| false).unwrap();
    let bytes = bytes_of(&grid, SMALL);
    let opened = open(&bytes, &grid).unwrap();
    assert!(opened.counts().iter().all(|counts| (counts.parts, counts.arcs) == (0, 0)));
    opened.verify(&grid).unwrap();
}

/// Reads a file as `docs/format.md` describes it, with none of our code.
#[test]
fn the_bytes_are_what_the_documentation_says() {
    let grid = small();
    let bytes = bytes_of(&grid, SMALL);
    let groups = open(&bytes, &grid).unwrap();
    let hierarchy = groups.hierarchy();
    assert_eq!(bytes[..12], *b"\x89FSI\r\n\x1a\n\x01\0\0\0");
    assert_eq!(bytes[24..32], *b"groups\0\0");
    assert_eq!(bytes[32..48], *b"\x0b\0\0\0\x07\0\0\0\0\0\0\0\0\0\0\0");
    assert_eq!(bytes[56..64], groups.digest().to_le_bytes());
    let tags = [*b"sett", *b"part", *b"tabl", *b"repr", *b"rows", *b"head", *b"cost"];
    assert!(all_parts(&bytes).into_iter().map(|(tag, _)| tag).eq(tags));
    assert_eq!(bytes[part(&bytes, *b"sett")], [3, 0, 2, 3, 2, 0, 0, 0, 0, 0, 0, 0]);
    let column = |tag| -> Vec<u64> {
        let part = &bytes[part(&bytes, tag)];
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        part[1..].chunks_exact(part[0].into()).map(number).collect()
    };
    let (counts, places, degrees) = (column(*b"part"), column(*b"repr"), column(*b"rows"));
    let (heads, costs) = (column(*b"head"), column(*b"cost"));
    // Squares of 3 x 3 cells: 4 x 3 of them, then 2 x 2, then one.
    let spans = [(4_usize, 3_usize), (2, 2), (1, 1)];
    assert_eq!(counts.len(), 12 + 4 + 1);
    let squares = Squares::new(&grid, 3);
    let mut tables = &bytes[part(&bytes, *b"tabl")];
    let (mut group, mut part, mut arc) = (0, 0, 0);
    let mut below: Vec<Vec<Cell>> = Vec::new(); // representatives by group
    for (level, (wide, high)) in (1..).zip(spans) {
        let mut known: Vec<Vec<Cell>> = Vec::new();
        let mut rows = Vec::new();
        for number in 0..wide * high {
            let members: Vec<Option<Cell>> = if level == 1 {
                let at = |place: usize| (number % wide * 3 + place % 3, number / wide * 3 + place / 3);
                let free = |at: (usize, usize)| at.0 < 11 && at.1 < 7 && grid.is_free(cell(at));
                (0..9).map(|place| Some(at(place)).filter(|&at| free(at)).map(cell)).collect()
            } else {
                let (below_wide, below_high) = spans[level - 2];
                let inside = |y: &usize, x: &usize| y / 2 * wide + x / 2 == number;
                let all = (0..below_high).flat_map(|y| (0..below_wide).map(move |x| (y, x)));
                let all = all.filter(|(y, x)| inside(y, x)).flat_map(|(y, x)| &below[y * below_wide + x]);
                all.copied().map(Some).collect()
            };
            let count = counts[group] as usize;
            assert_eq!(count, hierarchy.parts_of(level, GroupId::new(number as u32)));
            let bits = (1..8).find(|bits| 1 << bits > count).unwrap();
            let mut part_of = vec![0; members.len()];
            if count > 1 {
                let (table, rest) = tables.split_at((members.len() * bits).div_ceil(8));
                tables = rest;
                let bit = |at: usize| usize::from(table[at / 8] >> (at % 8) & 1);
                for (place, part) in part_of.iter_mut().enumerate() {
                    *part = (0..bits).map(|at| bit(place * bits + at) << at).sum();
                    let is_vacant = *part == (1 << bits) - 1;
                    assert!(is_vacant != (*part < count) && is_vacant == members[place].is_none());
                }
            }
            let mut representatives = Vec::new();
            for of in 0..count {
                let place = places[part] as usize;
                assert_eq!(part_of[place], of);
                representatives.push(members[place].unwrap());
                rows.push((number, degrees[part] as usize));
                part += 1;
            }
            let told = hierarchy.representatives(level, GroupId::new(number as u32));
            assert!(representatives.iter().copied().eq(told));
            known.push(representatives);
            group += 1;
        }
        for number in 0..wide * high {
            let degree: usize = rows.iter().filter(|&&(of, _)| of == number).map(|&(_, degree)| degree).sum();
            let read = heads[arc..arc + degree].iter().zip(&costs[arc..arc + degree]);
            let read: Vec<_> = read.map(|(&head, &cost)| (rows[head as usize].0, cost)).collect();
            let told = hierarchy.connections(level, GroupId::new(number as u32));
            assert_eq!(read, told.map(|(to, cost)| (to.index(), cost.units())).collect::<Vec<_>>());
            arc += degree;
        }
        below = known;
    }
    assert!(tables.is_empty() && (part, arc) == (places.len(), costs.len()));
    assert_eq!(Grouping::<Cell>::group_count(&squares), 12);
}

#[test]
fn the_small_map_has_groups_of_several_parts_on_every_level() {
    let counts = open(&bytes_of(&small(), SMALL), &small()).unwrap().counts();
    assert_eq!(counts.len(), 3);
    assert!(counts[0].parts > counts[0].groups && counts[2].groups == 1 && counts[2].parts > 1);
}
