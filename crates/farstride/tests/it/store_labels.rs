//! Indexes of labels in bytes: what is saved can be opened, checked or on trust,
//! and whatever else the bytes are, they are refused or do no harm. What all
//! indexes have in common is tested in `store.rs`.

use crate::common;
use crate::common::forge::{self as forge, all_parts, part, refusal, sign_parts, u32_at};
use crate::common::{Answer, Forgeries, World, any_point, cases, cell, query, random_map, saved};
use farstride::error::OpenError;
use farstride::index::BuildOptions;
use farstride::labels::{Block, GridLabels, LabelKind as Kept, LabelSettings};
use farstride::store::{self};
use farstride::{
    Cell, Detail, Diagonals, Engine, Grid, Index, Outcome, Planned, Planner, Query, Rules, Scratch, Step,
};
use farstride_testkit::strategies::{diagonal_costs, diagonals, maps};
use farstride_testkit::{self as testkit, SplitMix64};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

const RULES: [Diagonals; 4] = [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None];

/// Settings by which all cells have labels, or only some subgoals, or none.
fn settings() -> impl Strategy<Value = LabelSettings> {
    let blocks = prop::sample::select(&[Block::Auto, Block::Eight, Block::Sixteen][..]);
    let budgets = prop::sample::select(&[LabelSettings::DEFAULT_BUDGET, 20_000, 10_000, 0][..]);
    (blocks, budgets)
        .prop_map(|(block, budget)| LabelSettings::default().with_block(block).with_budget(budget))
}

fn build(grid: &Grid, settings: LabelSettings) -> GridLabels {
    GridLabels::build(grid, settings)
}

fn open(bytes: &[u8], grid: &Grid) -> Result<GridLabels, OpenError> {
    let index = store::open(Arc::new(bytes.to_vec()), grid)?;
    Ok(index.labels().expect("only labels are opened here").clone())
}

fn open_trusted(bytes: &[u8], grid: &Grid) -> Result<GridLabels, OpenError> {
    let index = store::open_trusted(Arc::new(bytes.to_vec()), grid)?;
    Ok(index.labels().expect("only labels are opened here").clone())
}

/// A small map with arcs, several blocks and one without free cells.
fn small(diagonals: Diagonals) -> Grid {
    let grid = Grid::from_ascii(
        "
        ......#....########
        .####......########
        ....#.##...########
        ..#........########
        .##..#.##..########
        .....#.....########
        .#.......#.########
        .#.....#...########
        .....#.............
        ",
    );
    grid.unwrap().with_rules(Rules { diagonals, ..Rules::default() })
}

/// Settings by which no subgoal has a label, and by which some have.
fn climbed(grid: &Grid) -> [LabelSettings; 2] {
    let none = LabelSettings::DEFAULT.with_budget(0);
    let least = build(grid, none);
    assert_eq!(least.kind(), Kept::Hybrid { labelled: 0 });
    let some = none.with_budget(least.byte_count() as u64 + 300);
    assert!(matches!(build(grid, some).kind(), Kept::Hybrid { labelled: 2.. }));
    [none, some]
}

fn bytes_of(grid: &Grid) -> Vec<u8> {
    store::save(&build(grid, LabelSettings::default()).into(), grid).unwrap()
}

fn world(grid: &Grid) -> World {
    let rule = match grid.rules().diagonals {
        Diagonals::Strict => testkit::Diagonals::Strict,
        Diagonals::OneSide => testkit::Diagonals::OneSide,
        Diagonals::Free => testkit::Diagonals::Free,
        Diagonals::None => testkit::Diagonals::None,
    };
    World::new(forge::plain(grid), rule, testkit::DiagonalCost::Sqrt2)
}

proptest! {
    #![proptest_config(cases(192))]

    /// What is opened equals what was saved, in every answer too.
    #[test]
    fn what_is_saved_can_be_opened(
        map in maps(40, 40), rule in diagonals(), cost in diagonal_costs(), settings in settings(), seed: u64,
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

/// Bytes that somebody changed and signed again are refused, or every path
/// is found, legal, and costs what it is said to cost. Opened on trust, they
/// do no harm.
#[test]
fn forged_bytes_do_no_harm() {
    let any_case = (maps(24, 24), diagonals(), diagonal_costs(), settings(), any::<u64>());
    Forgeries::test((cases(192), file!()), &any_case, 20, |case, forgeries| {
        let (map, rule, cost, settings, seed) = case;
        let (mut random, mut scratch) = (SplitMix64::new(seed), Scratch::new());
        let world = World::new(map, rule, cost);
        let grid = world.grid();
        let sound = store::save(&build(&grid, settings).into(), &grid).unwrap();
        let forge = |bytes: &mut [u8], random: &mut SplitMix64| {
            (0..random.between(1, 4)).for_each(|_| forge::forge_part_word(bytes, random));
            saved::sign_most(bytes, 0, random);
        };
        saved::forge_and_open((&sound, &grid), (16, forgeries), &mut random, forge, |_, bytes, random| {
            judge(bytes, &sound, (&world, &grid), random, &mut scratch);
        });
    });
}

/// Opens forged bytes in both ways and asks them.
fn judge(
    bytes: &[u8],
    sound: &[u8],
    (world, grid): (&World, &Grid),
    random: &mut SplitMix64,
    scratch: &mut Scratch,
) {
    let _ = store::describe(Arc::new(bytes.to_vec()));
    let opened = open(bytes, grid);
    if let Ok(trusted) = open_trusted(bytes, grid) {
        let checked = trusted.check(grid);
        // The list of parts and its digests are not in labels any more.
        assert!(checked.is_ok() >= opened.is_ok(), "{checked:?}");
        let mut planner = Planner::with_index(grid.clone(), trusted).unwrap();
        (0..8).for_each(|_| ask_blindly(&planner, random, scratch));
        if random.chance(5) {
            planner.edit(|grid| forge::edit_cell(grid, random));
            ask_blindly(&planner, random, scratch);
        }
    } else {
        assert!(opened.is_err());
    }
    let Ok(labels) = opened else { return };
    // LabelSettings may be others, and what follows from them.
    if bytes == sound || random.chance(20) {
        let fresh = store::save(&build(grid, labels.settings()).into(), grid).unwrap();
        assert_eq!(labels.verify(grid).is_ok(), bytes == fresh);
    }
    let planner = Planner::with_index(grid.clone(), labels).unwrap();
    for _ in 0..8 {
        ask(&planner, world, any_point(random, &world.map), any_point(random, &world.map), scratch);
    }
}

const DETAILS: [Detail; 5] =
    [Detail::Cells, Detail::Cost, Detail::Waypoints, Detail::First(1), Detail::First(7)];

/// A query of labels that were checked: a path is found exactly if there is one,
/// it is legal, and it costs what it is said to cost, at least the optimum.
fn ask(planner: &Planner, world: &World, start: testkit::Point, goal: testkit::Point, scratch: &mut Scratch) {
    let best = testkit::oracle::distance(&world.map, world.diagonals, world.cost, start, goal);
    let answer = Answer::from(planner.find(query(start, goal), scratch).unwrap());
    let found = match answer {
        Answer::Found { cost, .. } => Some(cost),
        _ => best,
    };
    world.assert_costs(start, goal, &answer, found);
    assert!(found >= best, "{start:?} to {goal:?}");
    for detail in DETAILS {
        let outcome = planner.find(query(start, goal).with_detail(detail), scratch).unwrap();
        if let Outcome::Found(route) = outcome {
            assert_eq!(Some(route.cost().units()), found, "{detail:?}");
        }
    }
}

/// A query of labels that nobody looked at: it ends.
fn ask_blindly(planner: &Planner, random: &mut SplitMix64, scratch: &mut Scratch) {
    let grid = planner.grid();
    let any = |random: &mut SplitMix64| cell((random.below(grid.width()), random.below(grid.height())));
    let (start, goal) = (any(random), any(random));
    for detail in DETAILS {
        let outcome = planner.find(Query::new(start, goal).with_detail(detail), scratch).unwrap();
        let path = outcome.route().map_or(&[][..], |route| route.path().cells());
        assert!(path.first().is_none_or(|&first| first == start));
    }
    let Planned::Plan(mut plan) = planner.plan(Query::new(start, goal), scratch).unwrap() else { return };
    for _ in 0..200 {
        if !matches!(plan.step(planner, scratch), Ok(Step::To(_))) {
            return;
        }
    }
}

#[test]
fn every_damage_is_noticed() {
    let grid = Grid::from_ascii("....\n.#..\n...#\n").unwrap();
    forge::assert_damage_is_noticed(bytes_of(&grid), &grid);
}

/// Every byte of a small index, changed: on trust it may be taken, but then
/// queries end, and a check on request tells.
#[test]
fn every_damage_does_no_harm_on_trust() {
    for diagonals in RULES {
        let grid = small(diagonals);
        let sound = bytes_of(&grid);
        let (mut random, mut scratch) = (SplitMix64::new(7), Scratch::new());
        let mut taken = 0;
        for at in 0..sound.len() - 8 {
            let mut bytes = sound.clone();
            bytes[at] ^= 1 << random.below(8);
            let Ok(labels) = open_trusted(&bytes, &grid) else { continue };
            taken += 1;
            // The digests in the list of parts are not in labels any more.
            let is_listed = (64..64 + 7 * 32).contains(&at);
            assert!(is_listed || labels.check(&grid).is_err(), "byte {at}");
            let planner = Planner::with_index(grid.clone(), labels).unwrap();
            (0..3).for_each(|_| ask_blindly(&planner, &mut random, &mut scratch));
        }
        assert!(taken > sound.len() / 2, "{taken} of {}", sound.len());
        for length in 0..sound.len() {
            assert!(open_trusted(&sound[..length], &grid).is_err());
        }
    }
}

/// Every word of a small index, changed to many values, with every digest put
/// right or with the checksum alone.
#[test]
fn every_forged_word_is_refused_or_does_no_harm() {
    for diagonals in [Diagonals::Strict, Diagonals::None] {
        let grid = small(diagonals);
        forge_every_word(&grid, LabelSettings::DEFAULT);
        for settings in climbed(&grid) {
            forge_every_word(&grid, settings);
        }
    }
}

fn forge_every_word(grid: &Grid, settings: LabelSettings) {
    let world = world(grid);
    let (mut random, mut scratch) = (SplitMix64::new(1), Scratch::new());
    let sound = store::save(&build(grid, settings).into(), grid).unwrap();
    let mut opened = 0;
    for at in (0..sound.len() - 8).step_by(4) {
        let old = u32_at(&sound, at);
        let values = [0, 1, 2, old.wrapping_sub(1), old.wrapping_add(1), old ^ 0x8000, old ^ 1 << 31, !0];
        for new in values.into_iter().filter(|&new| new != old) {
            let mut bytes = sound.clone();
            bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
            forge::sign(&mut bytes);
            if at >= 64 {
                // The digests of the parts are wrong now, or a part is.
                refusal(&bytes, grid);
            }
            sign_parts(&mut bytes, 0);
            opened += usize::from(open(&bytes, grid).is_ok());
            judge(&bytes, &sound, (&world, grid), &mut random, &mut scratch);
        }
    }
    assert!(opened > 0, "nothing got past the checks, so nothing was asked");
}

#[test]
fn forged_sizes_take_no_memory() {
    let grid = small(Diagonals::None);
    let sound = bytes_of(&grid);
    let longest = part(&sound, *b"sett").start + 8;
    for new in [u32::MAX, (1 << 31) - 1, 1 << 31, 1 << 24] {
        let mut bytes = sound.clone();
        bytes[longest..longest + 4].copy_from_slice(&u32::to_le_bytes(new));
        sign_parts(&mut bytes, 0);
        assert!(matches!(refusal(&bytes, &grid), OpenError::Inconsistent(_)));
        assert!(open_trusted(&bytes, &grid).is_err());
    }
    for tag in [*b"blok", *b"rows"] {
        let place = part(&sound, tag);
        for at in [place.start, place.end - 4] {
            let mut bytes = sound.clone();
            bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(u32::MAX - 1));
            sign_parts(&mut bytes, 0);
            assert!(matches!(refusal(&bytes, &grid), OpenError::Inconsistent(_)));
            let mut random = SplitMix64::new(3);
            let planner = Planner::with_index(grid.clone(), open_trusted(&bytes, &grid).unwrap()).unwrap();
            (0..50).for_each(|_| ask_blindly(&planner, &mut random, &mut Scratch::new()));
        }
    }
}

/// Which proofs refuse what: each word changed here keeps the form.
#[test]
fn forged_labels_are_refused_with_a_reason() {
    let grid = small(Diagonals::Strict);
    let sound = bytes_of(&grid);
    let told = |at: usize, new: &[u8]| {
        let mut bytes = sound.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        sign_parts(&mut bytes, 0);
        common::told(&refusal(&bytes, &grid))
    };
    let start = |tag| part(&sound, tag).start;
    let assert_told = |told: String, expected: &str| assert!(told.contains(expected), "{told}");
    // The settings: longest path, block, side, kind.
    let settings = start(*b"sett");
    let longest = u32_at(&sound, settings + 8);
    assert_told(told(settings + 8, &(longest - 1).to_le_bytes()), "the longest path");
    assert_told(told(settings + 12, &[3]), "settings are of another form");
    assert_told(told(settings + 13, &[5]), "settings are of another form");
    assert_told(told(settings + 13, &[4]), "another number of blocks");
    assert_told(told(settings + 14, &[1]), "settings are of another form");
    // Blocks and records.
    assert_told(told(start(*b"blok"), &[2, 0, 0, 0]), "does not follow");
    let record = start(*b"reco") + 16;
    assert_told(told(start(*b"reco"), &[1]), "something else than records");
    assert_told(told(record, &[0xff; 4]), "cut off");
    let (groups, entries) = (u32_at(&sound, record) as usize, u32_at(&sound, record + 4) as usize);
    let ranks = record + 8 + groups * 64;
    assert_told(told(ranks, &u32_at(&sound, ranks + 4).to_le_bytes()), "rise");
    assert_told(told(ranks, &[0xff, 0xff, 7, 0]), "no hubs");
    let first = ranks + groups * 64;
    assert!(entries > 2);
    assert_told(told(first + 4, &(u32_at(&sound, first + 4) ^ 1).to_le_bytes()), "another cost than its way");
    assert_told(told(first + 3, &[0xff]), "a via that it has not");
    let masks = first + 8 * entries;
    assert_told(told(masks, &[0xff; 2]), "link");
    // Labels.
    let (rows, hubs, hops) = (start(*b"rows"), start(*b"hubs"), start(*b"hops"));
    assert_told(told(rows, &[1]), "rows that overlap");
    assert_told(told(hubs, &[0xff]), "hubs that do not rise or are not above it");
    assert_told(told(hops, &[0xff, 0xff, 0xff, 0]), "without a track");
    let entry = (0..1000).find(|entry| u32_at(&sound, hops + 8 * entry + 4) != u32::MAX).unwrap();
    assert_told(told(hops + 8 * entry + 4, &[0xff, 0xff, 0xff, 0]), "another hub");
    // Tracks.
    let tracks = start(*b"trks");
    assert_told(told(tracks, &[1]), "something else than tracks");
    assert_told(told(tracks + 32 + 6, &[9]), "another form");
    assert_told(told(tracks + 32 + 4, &[0, 0]), "another form");
    assert_told(told(tracks + 32 + 8, &[200]), "another form");
    assert_told(told(tracks + 32, &[200, 0]), "not legal");
}

/// Links and tracks through walls are refused, be the map as large.
#[test]
fn labels_of_a_map_with_another_wall_are_refused() {
    let grid = small(Diagonals::Strict);
    let bytes = bytes_of(&grid);
    let mut refused = 0;
    for at in grid.area().cells().filter(|&at| grid.is_free(at)) {
        let mut edited = grid.clone();
        let _ = edited.block(at).unwrap();
        let mut bytes = bytes.clone();
        bytes[48..56].copy_from_slice(&edited.digest().to_le_bytes());
        forge::sign(&mut bytes);
        match open(&bytes, &edited) {
            Err(error) => refused += usize::from(matches!(error, OpenError::Inconsistent(_))),
            Ok(labels) => {
                // Nothing leads over this cell.
                let planner = Planner::with_index(edited.clone(), labels).unwrap();
                let mut random = SplitMix64::new(5);
                let (world, mut scratch) = (world(&edited), Scratch::new());
                for _ in 0..50 {
                    let [start, goal] = [0; 2].map(|_| any_point(&mut random, &world.map));
                    ask(&planner, &world, start, goal, &mut scratch);
                }
            }
        }
    }
    assert!(refused > 40, "{refused}");
}

#[test]
fn other_maps_and_rules_are_told_apart() {
    let grid = small(Diagonals::Strict);
    let bytes = bytes_of(&grid);
    let assert_other = |grid: &Grid| {
        assert!(matches!(refusal(&bytes, grid), OpenError::OtherMap { .. }));
        assert!(matches!(open_trusted(&bytes, grid), Err(OpenError::OtherMap { .. })));
    };
    assert_other(&grid.clone().with_rules(Rules { diagonals: Diagonals::None, ..grid.rules() }));
    for at in grid.area().cells() {
        let mut edited = grid.clone();
        let _ = if grid.is_free(at) { edited.block(at) } else { edited.free(at) }.unwrap();
        assert_other(&edited);
        let labels = open(&bytes, &grid).unwrap();
        assert!(store::save(&labels.clone().into(), &edited).is_err() && labels.check(&edited).is_err());
        assert!(Planner::with_index(edited.clone(), labels).is_err());
    }
    let mut edited = grid.clone();
    let _ = edited.free(Cell::new(1, 1)).unwrap();
    assert!(open(&bytes, &grid).unwrap().verify(&edited).is_err());
}

/// What the engine cannot work on has no index, whatever the head says.
#[test]
fn maps_of_other_engines_are_refused() {
    let grid = small(Diagonals::Strict);
    let mut bytes = bytes_of(&grid);
    let mut heavy = grid.clone();
    let _ = heavy.set_weight(Cell::new(0, 0), 2).unwrap();
    bytes[48..56].copy_from_slice(&heavy.digest().to_le_bytes());
    forge::sign(&mut bytes);
    assert!(matches!(refusal(&bytes, &heavy), OpenError::Unsupported(_)));
    assert!(matches!(open_trusted(&bytes, &heavy), Err(OpenError::Unsupported(_))));
}

/// On trust, other engines are opened as ever.
#[test]
fn other_engines_are_not_trusted() {
    use farstride::subgoal::{self, SubgoalGraph};
    let grid = small(Diagonals::Strict);
    let graph = SubgoalGraph::build(&grid, subgoal::SubgoalSettings::default());
    let mut bytes = store::save(&graph.clone().into(), &grid).unwrap();
    assert!(store::open_trusted(Arc::new(bytes.clone()), &grid).unwrap() == graph.into());
    let at = bytes.len() - 20;
    bytes[at] ^= 1;
    let error = store::open_trusted(Arc::new(bytes), &grid).unwrap_err();
    assert!(matches!(error, OpenError::Damaged { .. }), "{error}");
}

#[test]
fn every_number_of_threads_gives_the_same_bytes() {
    let grid = World::strict(random_map(&mut SplitMix64::new(11), 120, 90, 20)).grid();
    for block in [Block::Eight, Block::Sixteen] {
        let bytes = |threads| {
            let settings = LabelSettings::default().with_block(block);
            store::save(
                &Index::build_with(&grid, settings, &BuildOptions::new().threads(threads)).unwrap(),
                &grid,
            )
            .unwrap()
        };
        let one = bytes(1);
        assert!([2, 4, 7].into_iter().all(|threads| bytes(threads) == one));
    }
}

/// What does not fit into the budget is climbed; that is saved as well, and
/// damage is noticed.
#[test]
fn what_is_climbed_has_an_index_too() {
    for diagonals in RULES {
        let grid = small(diagonals);
        for settings in climbed(&grid) {
            let labels = build(&grid, settings);
            let bytes = store::save(&labels.clone().into(), &grid).unwrap();
            let opened = open(&bytes, &grid).unwrap();
            assert_eq!(opened, labels);
            assert_eq!(opened.digest(), labels.digest());
            opened.verify(&grid).unwrap();
            assert_eq!(store::describe(Arc::new(bytes.clone())).unwrap().engine, Engine::Labels);
            forge::assert_damage_is_noticed(bytes.clone(), &grid);
            read_climbed_as_documented(&labels, &bytes);
        }
    }
}

/// Reads a file of a hierarchy as `docs/format.md` describes it, with none of our
/// code.
fn read_climbed_as_documented(labels: &GridLabels, bytes: &[u8]) {
    let tags: Vec<[u8; 4]> = all_parts(bytes).into_iter().map(|(tag, _)| tag).collect();
    assert_eq!(tags, [*b"sett", *b"rank", *b"arow", *b"arcs", *b"lrow", *b"entr"]);
    let words =
        |tag: [u8; 4]| -> Vec<u32> { part(bytes, tag).step_by(4).map(|at| u32_at(bytes, at)).collect() };
    let form = &bytes[part(bytes, *b"sett")];
    assert_eq!(
        (&form[..8], &form[8..]),
        (&labels.settings().budget.to_le_bytes()[..], &[0, 0, 0, 0, 0, 0, 1, 0][..])
    );
    let (ranks, arow, lrow) = (words(*b"rank"), words(*b"arow"), words(*b"lrow"));
    let arcs: Vec<[u32; 3]> = words(*b"arcs").as_chunks().0.to_vec();
    let mut subgoals = ranks.clone();
    subgoals.sort_unstable();
    assert!((0..).zip(&subgoals).all(|(number, &subgoal)| number == subgoal));
    assert_eq!((arow.len(), *arow.last().unwrap() as usize), (ranks.len() + 1, arcs.len()));
    let arcs_of = |rank: u32| &arcs[arow[rank as usize] as usize..arow[rank as usize + 1] as usize];
    let arc_to = |from: u32, to: u32| arcs_of(from).iter().find(|arc| arc[0] == to).unwrap();
    for rank in 0..ranks.len() as u32 {
        for &[head, cost, via] in arcs_of(rank) {
            assert!(head < rank && cost > 0);
            assert!(via == u32::MAX || cost == arc_to(via, rank)[1] + arc_to(via, head)[1]);
        }
    }
    let entries = &bytes[part(bytes, *b"entr")];
    let entries: Vec<[u32; 3]> = entries
        .chunks(10)
        .map(|entry| [u32_at(entry, 0), u32_at(entry, 4), u16::from_le_bytes([entry[8], entry[9]]).into()])
        .collect();
    let label = |rank: u32| &entries[lrow[rank as usize] as usize..lrow[rank as usize + 1] as usize];
    assert_eq!(*lrow.last().unwrap() as usize, entries.len());
    assert_eq!(labels.kind(), Kept::Hybrid { labelled: lrow.len() as u32 - 1 });
    for rank in 0..lrow.len() as u32 - 1 {
        for &[hub, cost, step] in label(rank) {
            if hub == rank {
                assert_eq!((cost, step), (0, u16::MAX.into()));
                continue;
            }
            let [head, first, _] = arcs_of(rank)[step as usize];
            let rest = label(head).iter().find(|entry| entry[0] == hub).unwrap()[1];
            assert_eq!(cost, first + rest);
        }
    }
}

#[test]
fn maps_without_subgoals_have_an_index_too() {
    for grid in [Grid::empty(30, 20).unwrap(), Grid::from_fn(5, 5, |_| false).unwrap()] {
        let bytes = bytes_of(&grid);
        let opened = open(&bytes, &grid).unwrap();
        assert_eq!((opened.counts().subgoals, opened.counts().entries), (0, 0));
        opened.verify(&grid).unwrap();
    }
}

/// Reads a file as `docs/format.md` describes it, with none of our code.
#[test]
fn the_bytes_are_what_the_documentation_says() {
    for diagonals in RULES {
        let grid = small(diagonals);
        for block in [Block::Eight, Block::Sixteen] {
            read_as_documented(
                &grid,
                LabelSettings::default().with_block(block).with_budget(0x0123_4567_89ab),
            );
        }
    }
}

#[expect(clippy::too_many_lines, reason = "it reads the file from the first byte to the last")]
fn read_as_documented(grid: &Grid, settings: LabelSettings) {
    let labels = build(grid, settings);
    let bytes = store::save(&labels.clone().into(), grid).unwrap();
    assert_eq!(bytes[24..32], *b"labels\0\0");
    assert_eq!(bytes[56..64], labels.digest().to_le_bytes());
    let list = all_parts(&bytes);
    let tags: Vec<[u8; 4]> = list.iter().map(|(tag, _)| *tag).collect();
    assert_eq!(tags, [*b"sett", *b"blok", *b"reco", *b"rows", *b"hubs", *b"hops", *b"trks"]);
    let parts: BTreeMap<[u8; 4], Range<usize>> = list.into_iter().collect();
    let words =
        |tag: [u8; 4]| -> Vec<u32> { parts[&tag].clone().step_by(4).map(|at| u32_at(&bytes, at)).collect() };
    let u16_at = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);

    let form = &bytes[parts[b"sett"].clone()];
    let (kind, shift) = if settings.block == Block::Eight { (1, 3) } else { (2, 4) };
    assert_eq!(form[..8], 0x0123_4567_89ab_u64.to_le_bytes());
    assert_eq!(form[12..], [kind, shift, 0, 0]);
    let longest = u32_at(form, 8);
    let side = 1_usize << shift;

    // Tracks: the cells of each arc, and what they cost in the units of labels.
    let (straight, diagonal) = if grid.rules().diagonals == Diagonals::None { (1, 2) } else { (2378, 3363) };
    let step = |from: Cell, to: Cell| {
        assert!(grid.may_step(from, from.direction_to(to).unwrap()));
        if from.x != to.x && from.y != to.y { diagonal } else { straight }
    };
    let cost = |cells: &[Cell]| cells.windows(2).map(|pair| step(pair[0], pair[1])).sum::<u32>();
    let mut arcs = BTreeMap::new();
    let tracks = parts[b"trks"].clone();
    let mut at = tracks.start + 32;
    while at < tracks.end - 32 {
        let start = (at - tracks.start) as u32;
        let (mut cells, mut turns) = (Vec::new(), Vec::new());
        loop {
            let [x, y, len, turns_and_more] = [0, 2, 4, 6].map(|more| u16_at(at + more));
            let mut next = at + 8;
            let mut take = |count: u16| {
                let cell = |cell: &[u8]| Cell::new(x + u16::from(cell[0]), y + u16::from(cell[1]));
                let taken: Vec<Cell> = bytes[next..].chunks(2).map(cell).take(count.into()).collect();
                next += 2 * taken.len();
                taken
            };
            cells.extend(take(len));
            turns.extend(take(turns_and_more >> 1));
            at = next;
            if turns_and_more & 1 == 0 {
                break;
            }
        }
        let turn = |at: &&[Cell]| at[0].direction_to(at[1]) != at[1].direction_to(at[2]);
        assert!(cells.windows(3).filter(turn).map(|at| at[1]).eq(turns));
        arcs.insert(start, (cells[0], *cells.last().unwrap(), cost(&cells)));
    }
    assert!(!arcs.is_empty());

    // Labels: where each entry leads, and what it costs.
    let (rows, hubs, hops) = (words(*b"rows"), words(*b"hubs"), words(*b"hops"));
    assert_eq!((rows[0], *rows.last().unwrap() as usize), (0, hubs.len()));
    let mut costs: Vec<u32> = Vec::new();
    let mut places: BTreeMap<u32, Cell> = BTreeMap::new();
    for (rank, row) in (0..).zip(rows.windows(2)) {
        for entry in row[0] as usize..row[1] as usize {
            let [track, next] = [hops[2 * entry], hops[2 * entry + 1]];
            let (from, to, cost) = arcs[&track];
            let (head, rest) = if next == u32::MAX {
                (hubs[entry], 0)
            } else {
                assert_eq!(hubs[entry], hubs[next as usize]);
                (rows.iter().take_while(|&&row| row <= next).count() as u32 - 1, costs[next as usize])
            };
            assert!(*places.entry(rank).or_insert(from) == from && *places.entry(head).or_insert(to) == to);
            costs.push(cost + rest);
        }
    }
    let ranks = rows.len() as u32 - 1;
    let across = {
        let (width, height) = (grid.width() as u32, grid.height() as u32);
        let (longer, shorter) = (width.max(height), width.min(height));
        longer * straight + shorter * (diagonal - straight)
    };
    assert_eq!(longest, 2 * (costs.iter().max().unwrap() + across));

    // Records: vias, entries and links.
    let columns = grid.width().div_ceil(side);
    let blocks = words(*b"blok");
    assert_eq!(blocks.len(), columns * grid.height().div_ceil(side));
    let mut links = 0;
    for (block, start) in blocks.into_iter().enumerate() {
        let corner = (block % columns * side, block / columns * side);
        let cells = (0..side * side).map(|at| cell((corner.0 + at % side, corner.1 + at / side)));
        assert!(start == 0 || cells.clone().any(|cell| grid.is_free(cell)));
        if start == 0 {
            continue;
        }
        let record = parts[b"reco"].start + 16 * start as usize;
        let (groups, entries) = (u32_at(&bytes, record) as usize, u32_at(&bytes, record + 4) as usize);
        let names = record + 8 + 64 * groups;
        let vias: Vec<(u32, Cell)> = (0..16 * groups)
            .map(|via| {
                let place = record + 8 + 64 * (via / 16) + 2 * (via % 16);
                (u32_at(&bytes, names + 4 * via), Cell::new(u16_at(place), u16_at(place + 32)))
            })
            .collect();
        for &(rank, place) in &vias {
            let known = if rank == ranks { Cell::new(0, 0) } else { *places.entry(rank).or_insert(place) };
            assert_eq!(place, known);
        }
        for entry in 0..entries {
            let at = names + 64 * groups + 8 * entry;
            let (word, cost) = (u32_at(&bytes, at), u32_at(&bytes, at + 4));
            let (hub, via) = (word & 0xf_ffff, vias[word as usize >> 20].0 as usize);
            let label = rows[via] as usize..rows[via + 1] as usize;
            let entry = label.clone().find(|&entry| hubs[entry] == hub).unwrap();
            assert_eq!(cost, costs[entry]);
        }
        let masks = names + 64 * groups + 8 * entries;
        for (number, cell) in cells.enumerate() {
            for (via, &(rank, place)) in vias.iter().enumerate() {
                let mask = u16_at(masks + 2 * (number * groups + via / 16));
                if mask >> (via % 16) & 1 != 0 {
                    assert!(rank < ranks && grid.is_free(cell) && grid.is_free(place));
                    links += 1;
                }
            }
        }
    }
    assert!(links > 100, "{links}");
}
