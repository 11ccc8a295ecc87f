//! A live map answers for the map as it is at every moment, whichever engine
//! does it, and by labels as soon as they are there.

use crate::common::{Answer, World, any_point, apply, cases, cell, ends, query};
use farstride::error::{LiveError, MapMismatch, Unsupported};
use farstride::labels::GridLabels;
use farstride::{Cell, Engine, Grid, Live, LiveSettings, Planner, Query, Rect, Scratch};
use farstride_testkit::strategies::{diagonal_costs, diagonals, maps};
use farstride_testkit::{self as testkit, Kind, Point, SplitMix64, generate, oracle};
use proptest::prelude::*;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How long a test waits for what should happen at once.
const PATIENCE: Duration = Duration::from_secs(300);

/// Everything in the background begins at once.
fn eager(stand_in: Engine, interim: Option<Engine>) -> LiveSettings {
    LiveSettings::default()
        .with_stand_in(stand_in)
        .with_interim(interim)
        .with_threads(2)
        .with_quiet(Duration::ZERO)
}

/// Nothing begins in the background unless somebody waits.
fn idle(stand_in: Engine) -> LiveSettings {
    eager(stand_in, None).with_quiet(Duration::MAX)
}

fn caves(width: usize, height: usize, seed: u64) -> World {
    let kind = Kind::Caves { blocked_percent: 42, rounds: 3 };
    World::strict(generate(kind, width, height, seed).unwrap())
}

fn answer(planner: &Planner, ends: (Point, Point), scratch: &mut Scratch) -> Answer {
    planner.find(query(ends.0, ends.1), scratch).unwrap().into()
}

/// Judges an answer against the oracle; engines that are not optimal may find
/// longer paths.
fn assert_sound(world: &World, planner: &Planner, ends: (Point, Point), scratch: &mut Scratch) {
    let found = answer(planner, ends, scratch);
    let (start, goal) = ends;
    if planner.engine().is_optimal() {
        return world.assert_optimal(start, goal, &found);
    }
    let best = oracle::distance(&world.map, world.diagonals, world.cost, start, goal);
    let Answer::Found { cost, path, .. } = &found else {
        assert_eq!(found, world.refusal(start, goal, best.is_some()));
        return;
    };
    let verdict = testkit::judge_grid(&world.map, world.diagonals, world.cost, start, goal, path).unwrap();
    assert_eq!(verdict.cost, *cost);
    assert!(best.is_some_and(|best| best <= *cost));
}

/// A cell that is free becomes blocked, and the other way round.
fn toggle(grid: &mut Grid, at: Cell) {
    let change = if grid.is_free(at) { grid.block(at) } else { grid.free(at) };
    assert!(change.unwrap().area.is_some());
}

proptest! {
    #![proptest_config(cases(64))]

    /// Edits and queries while labels are built in the background: every path is
    /// legal on the map as it is, and shortest if the engine says so. Snapshots
    /// stay as they were. In the end there are the labels that a build gives.
    #[test]
    fn every_moment_has_the_right_answers(
        map in maps(20, 14),
        diagonals in diagonals(),
        cost in diagonal_costs(),
        stand_in in prop::sample::select(vec![Engine::Ssg, Engine::NsgPlus, Engine::Hpa, Engine::Astar]),
        interim in prop::sample::select(vec![None, Some(Engine::NsgPlus), Some(Engine::Tsg)]),
        seed in any::<u64>(),
    ) {
        let mut random = SplitMix64::new(seed);
        let mut world = World::new(map, diagonals, cost);
        let live = Live::new(world.grid(), eager(stand_in, interim)).unwrap();
        let mut scratch = Scratch::new();
        let mut kept: Vec<(World, Arc<Planner>)> = Vec::new();
        for _ in 0..12 {
            live.edit(|grid| apply(grid, &mut world, false, &mut random)).unwrap();
            for ends in ends(&world, random.next_u64(), 3) {
                let planner = live.planner();
                prop_assert_eq!(planner.grid(), &world.grid());
                assert_sound(&world, &planner, ends, &mut scratch);
            }
            kept.push((world.clone(), live.planner()));
            if random.chance(30) {
                thread::sleep(Duration::from_micros(random.between(1, 3000) as u64));
            }
        }
        for (world, planner) in &kept {
            for ends in ends(world, random.next_u64(), 2) {
                assert_sound(world, planner, ends, &mut scratch);
            }
        }
        let settled = live.wait().unwrap();
        prop_assert!(live.is_settled());
        prop_assert!(Arc::ptr_eq(&settled, &live.planner()));
        prop_assert_eq!(settled.engine(), Engine::Labels);
        let fresh = world.planner(Engine::Labels);
        for ends in ends(&world, random.next_u64(), 20) {
            let found = answer(&settled, ends, &mut scratch);
            prop_assert_eq!(&found, &answer(&fresh, ends, &mut scratch));
            world.assert_optimal(ends.0, ends.1, &found);
        }
    }
}

/// Threads that ask while another edits get answers for the map their snapshot
/// says it is of, and never an older one than before.
#[test]
fn threads_ask_while_another_edits() {
    let world = caves(60, 40, 3);
    let live = &Live::new(world.grid(), eager(Engine::Ssg, Some(Engine::NsgPlus))).unwrap();
    // The map of every revision, put down before it can be seen.
    let maps = &Mutex::new(vec![world.map.clone()]);
    let over = &AtomicBool::new(false);
    let ask = |seed| {
        let (mut random, mut scratch) = (SplitMix64::new(seed), Scratch::new());
        let (mut latest, mut asked) = (0, 0);
        while !over.load(Ordering::Relaxed) || asked < 20 {
            let planner = live.planner();
            let revision = planner.grid().edit_count();
            assert!(revision >= latest, "the map of revision {latest} was there already");
            latest = revision;
            let map = maps.lock().unwrap()[revision as usize].clone();
            let world = World::strict(map);
            assert_eq!(*planner.grid(), world.grid());
            let ends = (any_point(&mut random, &world.map), any_point(&mut random, &world.map));
            assert_sound(&world, &planner, ends, &mut scratch);
            asked += 1;
        }
    };
    thread::scope(|scope| {
        let askers = [scope.spawn(|| ask(1)), scope.spawn(|| ask(2))];
        let mut random = SplitMix64::new(4);
        for edit in 0..60 {
            let mut map = maps.lock().unwrap().last().unwrap().clone();
            let at = any_point(&mut random, &map);
            let index = map.index(at);
            map.free[index] = !map.free[index];
            maps.lock().unwrap().push(map);
            live.edit(|grid| toggle(grid, cell(at))).unwrap();
            if edit % 10 == 0 {
                live.wait().unwrap();
            }
        }
        over.store(true, Ordering::Relaxed);
        for asker in askers {
            asker.join().unwrap();
        }
    });
    assert_eq!(live.wait().unwrap().grid().edit_count(), 60);
}

/// Edits of several threads all arrive.
#[test]
fn edits_of_threads_take_turns() {
    let live = &Live::new(Grid::empty(32, 32).unwrap(), eager(Engine::Astar, None)).unwrap();
    thread::scope(|scope| {
        for row in 0..4 {
            scope.spawn(move || {
                (0..32).for_each(|x| live.edit(|grid| toggle(grid, Cell::new(x, row))).unwrap());
            });
        }
    });
    let planner = live.wait().unwrap();
    assert_eq!(planner.grid().edit_count(), 128);
    assert!(planner.grid().area().cells().all(|cell| planner.grid().is_free(cell) == (cell.y >= 4)));
}

#[test]
fn a_burst_of_edits_starts_nothing() {
    let live = Live::new(caves(60, 40, 5).grid(), idle(Engine::Ssg)).unwrap();
    assert_eq!(live.build_count(), 0);
    live.wait().unwrap();
    assert_eq!(live.build_count(), 1);
    let at = Cell::new(20, 20);
    (0..200).for_each(|_| live.edit(|grid| toggle(grid, at)).unwrap());
    assert_eq!(live.build_count(), 1);
    assert!(!live.is_settled());
    assert_eq!(live.wait().unwrap().grid().edit_count(), 200);
    assert_eq!(live.build_count(), 2);
}

/// With nobody waiting, labels come when the map is left alone.
#[test]
fn labels_come_by_themselves() {
    let live = Live::new(caves(60, 40, 5).grid(), eager(Engine::Ssg, Some(Engine::NsgPlus))).unwrap();
    for _ in 0..3 {
        live.edit(|grid| toggle(grid, Cell::new(20, 20))).unwrap();
        let begun = Instant::now();
        while !live.is_settled() {
            assert!(begun.elapsed() < PATIENCE);
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(live.planner().engine(), Engine::Labels);
    }
}

#[test]
fn an_edit_that_changes_nothing_keeps_the_labels() -> Result<(), Box<dyn Error>> {
    let live = Live::new(Grid::empty(20, 20)?, idle(Engine::Ssg))?;
    let before = live.wait()?;
    live.edit(|grid| grid.free(Cell::new(3, 3)))??;
    assert!(live.edit(|grid| grid.block(Cell::new(20, 3)))?.is_err());
    assert!(live.is_settled() && Arc::ptr_eq(&before, &live.planner()));
    Ok(())
}

#[test]
fn an_edit_that_panics_changes_nothing() -> Result<(), Box<dyn Error>> {
    let live = Live::new(Grid::empty(20, 20)?, idle(Engine::Ssg))?;
    let before = live.wait()?;
    let panics = || {
        live.edit(|grid| {
            grid.block(Cell::new(3, 3)).unwrap();
            panic!("on purpose");
        })
    };
    assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
    assert!(Arc::ptr_eq(&before, &live.planner()));
    live.edit(|grid| grid.block(Cell::new(4, 4)))??;
    let after = live.wait()?;
    assert!(after.grid().is_free(Cell::new(3, 3)) && !after.grid().is_free(Cell::new(4, 4)));
    Ok(())
}

/// Replacing the map is an edit like any other.
#[test]
fn the_map_may_be_replaced() -> Result<(), Box<dyn Error>> {
    let live = Live::new(Grid::empty(20, 20)?, eager(Engine::NsgPlus, None))?;
    let world = caves(50, 30, 8);
    live.edit(|grid| *grid = world.grid())?;
    let mut scratch = Scratch::new();
    for ends in ends(&world, 1, 20) {
        assert_sound(&world, &live.planner(), ends, &mut scratch);
        let settled = live.wait()?;
        assert_sound(&world, &settled, ends, &mut scratch);
    }
    Ok(())
}

/// A stand-in that cannot cope with weights refuses them, and the map is as it
/// was.
#[test]
fn weights_are_refused_by_subgoals() -> Result<(), Box<dyn Error>> {
    let live = Live::new(Grid::empty(20, 20)?, idle(Engine::Ssg))?;
    let before = live.wait()?;
    let refused = live.edit(|grid| grid.set_weight(Cell::new(3, 3), 4));
    let Err(Unsupported { engine, instead, .. }) = refused else { panic!("weights were taken") };
    assert_eq!((engine, instead), (Engine::Ssg, Engine::Hpa));
    assert!(Arc::ptr_eq(&before, &live.planner()));
    assert_eq!(before.grid().weight(Cell::new(3, 3)), 1);
    Ok(())
}

/// One that can cope goes on alone until the weights are gone.
#[test]
fn weights_are_left_to_a_stand_in_that_knows_them() -> Result<(), Box<dyn Error>> {
    let swamp = Rect::spanning(Cell::new(4, 0), Cell::new(9, 18));
    for stand_in in [Engine::Hpa, Engine::Astar] {
        for interim in [None, Some(Engine::NsgPlus)] {
            let live = Live::new(Grid::empty(20, 20)?, eager(stand_in, interim))?;
            live.edit(|grid| grid.set_weight(swamp, 9))??;
            let hopeless = live.wait();
            assert!(matches!(
                hopeless,
                Err(LiveError::Unsupported(Unsupported { engine: Engine::Labels, .. }))
            ));
            assert!(!live.is_settled());
            let planner = live.planner();
            assert_eq!(planner.engine(), stand_in);
            let query = Query::new(Cell::new(0, 0), Cell::new(19, 0));
            let mut scratch = Scratch::new();
            assert!(planner.find(query, &mut scratch)?.route().is_some_and(|route| route.length() > 19.0));
            live.edit(|grid| grid.set_weight(swamp, 1))??;
            assert_eq!(
                live.wait()?.find(query, &mut scratch)?.route().map(farstride::Route::length),
                Some(19.0)
            );
        }
    }
    Ok(())
}

#[test]
fn a_stand_in_has_to_suit_the_map() -> Result<(), Box<dyn Error>> {
    let mut grid = Grid::empty(20, 20)?;
    let unfit = |live| matches!(live, Err(LiveError::Unsupported(_)));
    assert!(unfit(Live::new(grid.clone(), idle(Engine::Labels))));
    assert!(unfit(Live::with_stand_in(Planner::new(grid.clone()), idle(Engine::Ssg))), "auto takes labels");
    grid.set_weight(Cell::new(3, 3), 4)?;
    assert!(unfit(Live::new(grid.clone(), idle(Engine::Ssg))));
    let live = Live::with_stand_in(Planner::with_engine(grid, Engine::Hpa)?, idle(Engine::Ssg))?;
    assert_eq!(live.settings().stand_in, Engine::Hpa);
    live.edit(|grid| grid.set_weight(Cell::new(3, 3), 1))??;
    assert_eq!(live.wait()?.engine(), Engine::Labels);
    Ok(())
}

#[test]
fn labels_made_elsewhere_are_taken_if_they_are_of_this_map() -> Result<(), Box<dyn Error>> {
    let grid = Arc::new(caves(60, 40, 5).grid());
    let settings = idle(Engine::Astar);
    let labels = Arc::new(GridLabels::build(&grid, settings.labels));
    let live = Live::new(Arc::clone(&grid), settings)?;
    live.edit(|grid| toggle(grid, Cell::new(20, 20)))?;
    assert_eq!(live.adopt(Arc::clone(&labels)), Err(MapMismatch));
    let edited = live.planner();
    assert_eq!(edited.engine(), Engine::Astar);
    live.adopt(GridLabels::build(edited.grid(), settings.labels))?;
    assert!(live.is_settled());
    assert_eq!(live.planner().engine(), Engine::Labels);
    Ok(())
}

/// Waits until nobody but this test holds the map.
fn wait_until_unshared(grid: &Arc<Grid>) {
    let begun = Instant::now();
    while Arc::strong_count(grid) > 1 {
        assert!(begun.elapsed() < PATIENCE, "the thread goes on");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Dropping does not wait for a build, and the thread lets go of the map;
/// snapshots go on.
#[test]
fn dropping_ends_a_build() {
    let world = caves(200, 200, 7);
    let grid = Arc::new(world.grid());
    for wait in [0, 5, 50] {
        let live = Live::new(Arc::clone(&grid), eager(Engine::Astar, Some(Engine::Ssg))).unwrap();
        thread::sleep(Duration::from_millis(wait));
        let planner = live.planner();
        drop(live);
        let ends = ends(&world, wait, 1)[0];
        assert_sound(&world, &planner, ends, &mut Scratch::new());
        drop(planner);
        wait_until_unshared(&grid);
    }
}

#[test]
fn closing_waits_for_the_thread() {
    let grid = Arc::new(caves(200, 200, 7).grid());
    let live = Live::new(Arc::clone(&grid), eager(Engine::Astar, None)).unwrap();
    live.close();
    assert_eq!(Arc::strong_count(&grid), 1);
}

#[test]
fn errors_name_the_culprit() {
    let Err(error) = Live::new(Grid::empty(3, 3).unwrap(), idle(Engine::Labels)) else {
        panic!("labels stand in")
    };
    assert_eq!(
        error.to_string(),
        "labels cannot be used here: the stand-in answers while labels are built; use ssg instead"
    );
    assert!(LiveError::Panicked.source().is_none());
    let error = LiveError::NoThread(std::io::Error::other("none left"));
    assert_eq!(error.source().map(ToString::to_string).as_deref(), Some("none left"));
}

/// Live maps can be shared and sent.
#[test]
fn threads_may_share_it() {
    fn shared<T: Send + Sync>() {}
    shared::<Live>();
}
