//! Plans through links, held against squares that are moved cell by cell.

use crate::atlas::{Maker, plain_floors, plain_links, plain_mover, spot};
use crate::common::cases;
use farstride::atlas::{
    Atlas, AtlasError, AtlasScratch, Floor, Link, Mover, MoverId, Place, TileMap, TripPlan, TripPlanned,
    TripStep,
};
use farstride::{Cell, Cost, Engine, Rect};
use farstride_testkit::SplitMix64;
use farstride_testkit::floors::costs_through_links;
use proptest::prelude::*;

/// The least cost from a place to another, by the oracle.
fn least(atlas: &Atlas, id: MoverId, from: Place, to: Place) -> Option<u64> {
    let (tiles, mover) = (atlas.tiles(), atlas.mover(id).unwrap());
    let floors = plain_floors(tiles);
    let costs = costs_through_links(&floors, &plain_links(tiles, mover), &plain_mover(mover), spot(from));
    let (floor, (x, y)) = spot(to);
    costs[floor][y * floors[floor].width + x]
}

/// Takes a step, which must be legal now; returns what it costs.
fn step(atlas: &Atlas, id: MoverId, plan: &mut TripPlan, scratch: &mut AtlasScratch) -> (TripStep, u64) {
    let (tiles, mover, here) = (atlas.tiles(), atlas.mover(id).unwrap(), plan.position());
    let taken = plan.step(atlas, scratch).unwrap();
    let units = match taken {
        TripStep::Walk(to) => {
            assert_eq!(to.floor, here.floor);
            let far = |a: u16, b: u16| isize::try_from(i32::from(a) - i32::from(b)).unwrap();
            let delta = (far(to.cell.x, here.cell.x), far(to.cell.y, here.cell.y));
            let floor = &plain_floors(tiles)[to.floor.index()];
            let (at, units) = plain_mover(mover).step(floor, spot(here).1, delta).expect("the step is legal");
            assert_eq!(at, spot(to).1);
            units
        }
        TripStep::Link { link, to } => {
            let link = tiles.link(link).expect("the link exists");
            assert!(mover.uses(link.kind));
            assert!((link.from, link.to) == (here, to) || link.two_way && (link.to, link.from) == (here, to));
            assert!(plain_mover(mover).weight(&plain_floors(tiles)[to.floor.index()], spot(to).1).is_some());
            link.cost.units()
        }
        _ => 0,
    };
    if units > 0 {
        assert_ne!(plan.position(), here);
    }
    (taken, units)
}

proptest! {
    #![proptest_config(cases(300))]

    /// Plans lead to the goal, with exact engines at the least cost.
    #[test]
    fn plans_lead_through_links(seed: u64) {
        let mut maker = Maker(SplitMix64::new(seed));
        let mut atlas = Atlas::new(maker.tiles()).unwrap();
        let Ok(id) = atlas.add_mover(maker.mover()) else { return Ok(()) };
        if maker.0.chance(50) {
            atlas.prepare(id).unwrap();
        }
        let mut scratch = AtlasScratch::new();
        for _ in 0..4 {
            let (from, to) = (maker.place(atlas.tiles()), maker.place(atlas.tiles()));
            let best = least(&atlas, id, from, to);
            let planned = atlas.plan(id, from, to, &mut scratch).unwrap();
            let many = atlas.plan_many(id, &[(from, to), (to, from)], 2).unwrap();
            prop_assert_eq!(format!("{:?}", many[0]), format!("{planned:?}"));
            let TripPlanned::Plan(mut plan) = planned else {
                prop_assert!(best.is_none() || from == to);
                continue;
            };
            let (mut walked, promised) = (0, plan.cost(&atlas).units());
            loop {
                match step(&atlas, id, &mut plan, &mut scratch) {
                    (TripStep::Arrived, _) => break,
                    (TripStep::Walk(_) | TripStep::Link { .. }, units) => walked += units,
                    other => panic!("{other:?} from {from} to {to}"),
                }
            }
            prop_assert_eq!((plan.position(), plan.replans()), (to, 0));
            let engines = atlas.tiles().floors().map(|(floor, _)| atlas.planner(id, floor).unwrap().engine());
            if engines.into_iter().all(Engine::is_optimal) {
                prop_assert_eq!((Some(walked), promised), (best, walked));
            }
        }
    }

    /// Plans of many to one place are made exactly when there is a way, and lead there.
    #[test]
    fn plans_of_groups_lead_through_links(seed: u64) {
        let mut maker = Maker(SplitMix64::new(seed));
        let mut atlas = Atlas::new(maker.tiles()).unwrap();
        let Ok(id) = atlas.add_mover(maker.mover()) else { return Ok(()) };
        let to = maker.place(atlas.tiles());
        let starts: Vec<Place> = (0..6).map(|_| maker.place(atlas.tiles())).chain([to]).collect();
        let plans = atlas.plan_group(id, &starts, to, 1).unwrap();
        let on_threads = atlas.plan_group(id, &starts, to, 3).unwrap();
        prop_assert_eq!(format!("{plans:?}"), format!("{on_threads:?}"));
        let engines = atlas.tiles().floors().map(|(floor, _)| atlas.planner(id, floor).unwrap().engine());
        let is_exact = engines.into_iter().all(Engine::is_optimal);
        let mut scratch = AtlasScratch::new();
        for (&from, planned) in starts.iter().zip(plans) {
            let best = least(&atlas, id, from, to);
            let TripPlanned::Plan(mut plan) = planned else {
                let alone = atlas.plan(id, from, to, &mut scratch).unwrap();
                prop_assert_eq!(format!("{planned:?}"), format!("{alone:?}"));
                prop_assert!(best.is_none() || from == to);
                continue;
            };
            let mut walked = 0;
            loop {
                match step(&atlas, id, &mut plan, &mut scratch) {
                    (TripStep::Arrived, _) => break,
                    (TripStep::Walk(_) | TripStep::Link { .. }, units) => walked += units,
                    other => panic!("{other:?} from {from} to {to}"),
                }
            }
            prop_assert_eq!((plan.position(), plan.replans()), (to, 0));
            prop_assert!(!is_exact || Some(walked) == best);
        }
    }

    /// Whatever is edited on the way: steps are legal, and plans give up only without a way.
    #[test]
    fn plans_through_links_follow_edits(seed: u64) {
        let mut maker = Maker(SplitMix64::new(seed));
        let mut atlas = Atlas::new(maker.tiles()).unwrap();
        let Ok(id) = atlas.add_mover(maker.mover()) else { return Ok(()) };
        let mut scratch = AtlasScratch::new();
        let (from, to) = (maker.place(atlas.tiles()), maker.place(atlas.tiles()));
        let TripPlanned::Plan(mut plan) = atlas.plan(id, from, to, &mut scratch).unwrap() else {
            return Ok(());
        };
        for _ in 0..120 {
            if maker.0.chance(25) {
                atlas.edit(|tiles| maker.change(tiles));
            }
            if maker.0.chance(3) {
                plan.stand_at(&atlas, maker.place(atlas.tiles())).unwrap();
            }
            let here = plan.position();
            match step(&atlas, id, &mut plan, &mut scratch).0 {
                TripStep::Arrived => prop_assert_eq!(here, to),
                TripStep::Unreachable => prop_assert_eq!(least(&atlas, id, here, to), None),
                _ => {}
            }
        }
    }
}

/// Two floors with stairs at both ends; a dwarf walks from floor to floor.
fn two_floors() -> (Atlas, MoverId, TripPlan, AtlasScratch) {
    let mut tiles = TileMap::new();
    let hall = tiles.add_floor(Floor::filled(60, 20, b'.').unwrap()).unwrap();
    let cellar = tiles.add_floor(Floor::filled(60, 20, b'.').unwrap()).unwrap();
    for x in [20, 50] {
        let (from, to) = (Place::new(hall, (x, 5)), Place::new(cellar, (x, 5)));
        tiles.add_link(Link::new(from, to, Cost::new(9000).unwrap())).unwrap();
    }
    let mut atlas = Atlas::new(tiles).unwrap();
    let dwarf = atlas.add_mover(Mover::new().entering(b'.', 1).with_engine(Engine::Overlay)).unwrap();
    let mut scratch = AtlasScratch::new();
    let (from, to) = (Place::new(hall, (1, 5)), Place::new(cellar, (1, 15)));
    let TripPlanned::Plan(plan) = atlas.plan(dwarf, from, to, &mut scratch).unwrap() else {
        panic!("there is a way");
    };
    (atlas, dwarf, plan, scratch)
}

#[test]
fn plans_stay_while_edits_are_elsewhere() {
    let (mut atlas, _, mut plan, mut scratch) = two_floors();
    let floor = plan.position().floor;
    for x in 40..55 {
        atlas.edit(|tiles| tiles.fill(floor, Cell::new(x, 15), b'#')).unwrap();
        plan.step(&atlas, &mut scratch).unwrap();
    }
    assert_eq!(plan.replans(), 0);
}

#[test]
fn a_shut_door_sends_a_plan_to_the_other_stair() {
    let (mut atlas, _, mut plan, mut scratch) = two_floors();
    let stairs: Vec<_> = atlas.tiles().links().map(|(id, _)| id).collect();
    assert_eq!(plan.links().collect::<Vec<_>>(), stairs[..1]);
    let (floor, goal) = (plan.position().floor, plan.goal());
    plan.step(&atlas, &mut scratch).unwrap();
    // A wall around the near stair.
    let wall = Rect::spanning(Cell::new(19, 4), Cell::new(21, 6));
    atlas.edit(|tiles| {
        tiles.fill(floor, wall, b'#').unwrap();
        tiles.fill(floor, Cell::new(20, 5), b'.').unwrap();
    });
    plan.step(&atlas, &mut scratch).unwrap();
    assert_eq!((plan.links().collect::<Vec<_>>(), plan.replans()), (stairs[1..].to_vec(), 1));
    // Without stairs the unit waits; with a new one it goes on.
    atlas.edit(|tiles| tiles.remove_link(stairs[1]));
    assert_eq!(plan.step(&atlas, &mut scratch), Ok(TripStep::Unreachable));
    assert_eq!(plan.step(&atlas, &mut scratch), Ok(TripStep::Unreachable));
    let (from, to) = (plan.position(), Place::new(goal.floor, (3, 3)));
    atlas.add_link(Link::new(from, to, Cost::new(1).unwrap())).unwrap();
    assert!(matches!(plan.step(&atlas, &mut scratch), Ok(TripStep::Link { .. })));
    while let TripStep::Walk(_) = plan.step(&atlas, &mut scratch).unwrap() {}
    assert_eq!(plan.position(), goal);
}

#[test]
fn plans_refuse_what_is_not_of_the_atlas() {
    let (atlas, dwarf, mut plan, mut scratch) = two_floors();
    let off = Place::new(plan.goal().floor, (60, 0));
    let refused = AtlasError::Outside { place: off };
    assert_eq!(atlas.plan(dwarf, off, plan.goal(), &mut scratch).err(), Some(refused));
    assert_eq!(plan.stand_at(&atlas, off), Err(refused));
    assert_eq!(atlas.plan_many(dwarf, &[(plan.goal(), off)], 3).err(), Some(refused));
}
