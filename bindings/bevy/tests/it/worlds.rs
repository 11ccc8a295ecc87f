//! Worlds: stand-ins, two at once, pauses, budgets.

use super::*;

fn open(side: usize) -> String {
    format!("{}\n", ".".repeat(side)).repeat(side)
}

#[test]
fn a_stand_in_answers_while_indexes_are_made() {
    let mut app = app(FarstridePlugin::default());
    // Labels of a map with this many corners take long enough.
    let map = format!("{0}\n{0}\n{1}\n{0}\n", ".".repeat(80), "..#.".repeat(20)).repeat(10);
    let (world, small, _) = add_world(&mut app, &map, Engine::Labels);
    let agent = app.world_mut().spawn((Agent::new(small), at(0, 0), goal(9, 9), Speed(400.0))).id();
    let mut news = Messages::<WorldNews>::new();
    let wall = Rect::spanning(Cell::new(5, 0), Cell::new(5, 8));
    app.world_mut().write_message(Edit::fill(wall, b'#'));
    run_until(&mut app, |app| route(app, agent).has_arrived());
    assert!(!app.world().resource::<Worlds>().is_ready(world), "the stand-in was not needed");
    let mut is_told = false;
    while !app.world().resource::<Worlds>().is_ready(world) {
        app.update();
        std::thread::sleep(Duration::from_millis(1));
        is_told |= news.read(&app).contains(&WorldNews::Ready(world));
    }
    assert!(is_told);
    // The index knows the edit that was made meanwhile.
    app.world_mut().entity_mut(agent).insert(goal(0, 0));
    run_until(&mut app, |app| {
        assert!(!wall.contains(cell(app, agent)));
        route(app, agent).has_arrived()
    });
    let mut worlds = app.world_mut().resource_mut::<Worlds>();
    let atlas = worlds.atlas(world).unwrap();
    assert_eq!(atlas.planner(small, GROUND).unwrap().engine(), Engine::Labels);
    assert!(!atlas.planner(small, GROUND).unwrap().grid().is_free(Cell::new(5, 5)));
}

#[test]
fn two_worlds_do_not_mix() {
    let mut app = app(FarstridePlugin::default());
    let (first, small, _) = add_world(&mut app, "....\n.##.\n....", Engine::Hpa);
    let (second, tiny, _) = add_world(&mut app, "....\n....\n....", Engine::Hpa);
    assert_ne!(first, second);
    let one = app.world_mut().spawn((Agent::new(small), at(0, 0), goal(3, 2), Speed(30.0))).id();
    let agent = Agent::new(tiny).in_world(second);
    let two = app.world_mut().spawn((agent, at(0, 0), goal(3, 2), Speed(30.0))).id();
    let line = Rect::spanning(Cell::new(0, 1), Cell::new(3, 1));
    app.world_mut().write_message(Edit::fill(line, b'#').in_world(second));
    run_until(&mut app, |app| {
        route(app, one).has_arrived() && route(app, two).status() == Status::NoWay(Why::Unreachable)
    });
    // An agent may go from one world to the other.
    app.world_mut().entity_mut(two).insert((Agent::new(small), at(0, 0)));
    run_until(&mut app, |app| route(app, two).has_arrived());
}

#[test]
fn a_paused_world_waits() {
    let mut app = app(FarstridePlugin::default());
    let (world, small, _) = add_world(&mut app, &open(20), Engine::Hpa);
    let agent = app.world_mut().spawn((Agent::new(small), at(0, 0), goal(19, 19), Speed(30.0))).id();
    run_until(&mut app, |app| cell(app, agent).x > 4);
    app.world_mut().resource_mut::<Worlds>().pause(world, true);
    assert!(app.world().resource::<Worlds>().is_paused(world));
    let stood = position(&app, agent);
    app.world_mut().write_message(Edit::fill(Cell::new(15, 15), b'#'));
    app.world_mut().entity_mut(agent).insert(goal(0, 0));
    (0..20).for_each(|_| app.update());
    assert_eq!(position(&app, agent), stood);
    app.world_mut().resource_mut::<Worlds>().pause(world, false);
    run_until(&mut app, |app| route(app, agent).has_arrived());
    assert_eq!(cell(&app, agent), Cell::new(0, 0));
}

#[test]
fn orders_beyond_the_budget_wait_for_later_frames() {
    let mut app = app(FarstridePlugin::default().in_lock_step(30));
    let (_, small, _) = add_world(&mut app, &open(30), Engine::Hpa);
    for number in 0..100_u16 {
        app.world_mut().spawn((Agent::new(small), at(number % 30, number / 30), goal(29, 29)));
    }
    app.update();
    let mut answered = Vec::new();
    for _ in 0..5 {
        app.update();
        let mut routes = app.world_mut().query::<&Route>();
        let is_answered = |route: &&Route| route.status() == Status::Walking;
        answered.push(routes.iter(app.world()).filter(is_answered).count());
    }
    assert!(answered.windows(2).all(|pair| pair[1] - pair[0] <= 30), "{answered:?}");
    assert_eq!(answered.last(), Some(&100));
}
