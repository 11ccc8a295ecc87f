//! Overlays in bytes: what is saved can be opened, and whatever else the bytes are, they
//! are refused or do no harm. What all indexes have in common is tested in `store.rs`.

use crate::common::forge::{self as forge, forge_part_word, sign_parts};
use crate::common::{Forgeries, World, cases, cell, saved};
use farstride::overlay::OverlaySettings;
use farstride::{Detail, Grid, Index, Outcome, Planner, Query, Scratch, store};
use farstride_testkit::SplitMix64;
use farstride_testkit::strategies::{diagonal_costs, diagonals, maps, terrain_maps};
use proptest::prelude::*;

fn settings() -> impl Strategy<Value = OverlaySettings> {
    (1..9_u16, 0..5_u8)
        .prop_map(|(side, landmarks)| OverlaySettings::default().with_side(side).with_landmarks(landmarks))
}

fn bytes_of(grid: &Grid, settings: OverlaySettings) -> Vec<u8> {
    store::save(&Index::build(grid, settings).unwrap(), grid).unwrap()
}

proptest! {
    #![proptest_config(cases(128))]

    /// What is opened equals what was saved, in every answer too.
    #[test]
    fn what_is_saved_can_be_opened(
        map in prop_oneof![maps(32, 32), terrain_maps(32, 32)],
        rule in diagonals(), cost in diagonal_costs(), settings in settings(), seed: u64,
    ) {
        saved::assert_round_trip(&World::new(map, rule, cost), settings, seed);
    }

    /// Edits leave no trace in the bytes, be the index built or opened.
    #[test]
    fn an_edited_index_is_saved_like_a_fresh_one(
        map in prop_oneof![maps(20, 20), terrain_maps(20, 20)],
        rule in diagonals(), cost in diagonal_costs(), settings in settings(), seed: u64,
    ) {
        let grid = World::new(map, rule, cost).grid();
        saved::assert_edits_leave_no_trace(&grid, settings, seed, |grid, random| forge::edit(grid, random, true));
    }
}

/// Bytes that somebody changed and signed again are refused or do no harm: whole paths
/// are legal, and found exactly if there is one.
#[test]
fn forged_bytes_do_no_harm() {
    let any_case = (terrain_maps(24, 24), diagonals(), diagonal_costs(), settings(), any::<u64>());
    Forgeries::test((cases(128), file!()), &any_case, 60, |case, forgeries| {
        let (map, rule, cost, settings, seed) = case;
        let mut random = SplitMix64::new(seed);
        let grid = World::new(map, rule, cost).grid();
        let sound = bytes_of(&grid, settings);
        let forge = |bytes: &mut [u8], random: &mut SplitMix64| {
            (0..random.between(1, 3)).for_each(|_| forge_part_word(bytes, random));
            saved::sign_most(bytes, 0, random);
        };
        saved::forge_and_open(
            (&sound, &grid),
            (24, forgeries),
            &mut random,
            forge,
            |opened, bytes, random| {
                let Ok(Index::Overlay(overlay)) = opened else { return };
                let fresh = bytes_of(&grid, overlay.settings());
                assert_eq!(overlay.verify(&grid).is_ok(), bytes == fresh);
                let mut planner = Planner::with_index(grid.clone(), overlay).unwrap();
                for _ in 0..3 {
                    (0..6).for_each(|_| ask(&planner, random));
                    planner.edit(|grid| forge::edit(grid, random, true));
                }
            },
        );
    });
}

fn ask(planner: &Planner, random: &mut SplitMix64) {
    let grid = planner.grid();
    let [start, goal] = [(); 2].map(|()| cell((random.below(grid.width()), random.below(grid.height()))));
    let is_joined =
        start != goal && grid.is_free(start) && grid.is_free(goal) && grid.is_connected(start, goal);
    let mut scratch = Scratch::new();
    let whole = Query::new(start, goal);
    for query in [whole.with_detail(Detail::Cost), whole.with_budget(3), whole] {
        let mut outcome = planner.find(query, &mut scratch).unwrap();
        while let Outcome::BudgetSpent(paused) = outcome {
            outcome = planner.resume(&paused, 5, &mut scratch).unwrap();
        }
        let Outcome::Found(route) = outcome else {
            assert!(!is_joined, "no way from {start} to {goal}");
            continue;
        };
        assert!(is_joined);
        if query.detail == Detail::Cells {
            let path = route.path().cells();
            assert_eq!((path.first(), path.last()), (Some(&start), Some(&goal)));
            for step in path.windows(2) {
                let direction = step[0].direction_to(step[1]).expect("cells are adjacent");
                assert!(grid.may_step(step[0], direction), "{} to {}", step[0], step[1]);
            }
        }
    }
}

#[test]
fn every_damage_is_noticed() {
    let mut grid = Grid::from_ascii("\n..#.\n....\n.#..\n").unwrap();
    let _ = grid.set_weight(cell((1, 1)), 7).unwrap();
    let settings = OverlaySettings::default().with_side(2).with_landmarks(1);
    forge::assert_damage_is_noticed(bytes_of(&grid, settings), &grid);
}

/// Arcs that cost less than on an empty map, or lead to walls, are refused.
#[test]
fn arcs_that_the_map_denies_are_refused() {
    let grid = Grid::from_ascii("\n..#.\n....\n.#..\n").unwrap();
    let settings = OverlaySettings::default().with_side(2).with_landmarks(1);
    let mut bytes = bytes_of(&grid, settings);
    let costs = forge::part(&bytes, *b"cost");
    bytes[costs.start..costs.start + 4].copy_from_slice(&7_u32.to_le_bytes());
    sign_parts(&mut bytes, 0);
    let error = forge::refusal(&bytes, &grid);
    assert!(crate::common::told(&error).contains("does not fit the map"), "{error:?}");
}
