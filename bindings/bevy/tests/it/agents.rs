//! Orders, routes, walking.

use super::*;

const MAP: &str = "
    ..........
    ..######..
    ..#....#..
    ..#....#..
    ..######..
    ..........
";

#[test]
fn an_agent_walks_to_its_goal_and_says_so() {
    for plugin in [FarstridePlugin::default(), lock_step()] {
        for engine in [Engine::Hpa, Engine::Astar, Engine::Overlay, Engine::Hpt] {
            let mut app = app(plugin);
            let (_, small, _) = add_world(&mut app, MAP, engine);
            let agent = app.world_mut().spawn((Agent::new(small), at(0, 0), goal(9, 5), Speed(40.0))).id();
            let mut news = Messages::<AgentNews>::new();
            let mut all = Vec::new();
            run_until(&mut app, |app| route(app, agent).has_arrived());
            all.extend(news.read(&app));
            assert_eq!(position(&app, agent), at(9, 5));
            assert_eq!(all.last(), Some(&AgentNews { agent, news: News::Arrived }));
            assert_eq!(route(&app, agent).goal(), Some(Place::new(GROUND, (9, 5))));
        }
    }
}

#[test]
fn every_cell_on_the_way_is_free() {
    let mut app = app(lock_step());
    let (_, small, _) = add_world(&mut app, MAP, Engine::Hpa);
    let agents: Vec<Entity> = [Agent::new(small), Agent::new(small).smooth()]
        .map(|agent| app.world_mut().spawn((agent, at(0, 0), goal(9, 5), Speed(30.0))).id())
        .into();
    let map: Vec<&str> = MAP.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    for _ in 0..200 {
        app.update();
        for &agent in &agents {
            let at = cell(&app, agent);
            assert_eq!(map[usize::from(at.y)].as_bytes()[usize::from(at.x)], b'.', "{at:?}");
        }
    }
    assert!(agents.iter().all(|&agent| route(&app, agent).has_arrived()));
}

#[test]
fn speed_is_kept() {
    let mut app = app(lock_step());
    let (_, small, _) = add_world(&mut app, &"..............................\n".repeat(2), Engine::Hpa);
    let agent = app.world_mut().spawn((Agent::new(small), at(0, 0), goal(29, 0), Speed(70.0))).id();
    run_until(&mut app, |app| route(app, agent).status() == Status::Walking);
    let mut before = position(&app, agent).point.x;
    for _ in 0..90 {
        app.update();
        let now = position(&app, agent).point.x;
        assert!((now - before - 3.5).abs() < 1e-3 || route(&app, agent).has_arrived(), "{before} to {now}");
        before = now;
    }
    assert_eq!(position(&app, agent), at(29, 0));
}

#[test]
fn smooth_agents_take_straight_ways() {
    let mut app = app(lock_step());
    let map = "....................\n".repeat(10);
    let (_, small, _) = add_world(&mut app, &map, Engine::Hpa);
    let agent = app.world_mut().spawn((Agent::new(small).smooth(), at(0, 0), goal(14, 5), Speed(40.0))).id();
    run_until(&mut app, |app| route(app, agent).status() == Status::Walking);
    assert_eq!(route(&app, agent).ahead().count(), 1);
    run_until(&mut app, |app| route(app, agent).has_arrived());
}

#[test]
fn what_cannot_be_reached_is_told_and_the_nearest_is_offered() {
    let mut app = app(lock_step());
    let (_, small, _) = add_world(&mut app, MAP, Engine::Hpa);
    let agent = Agent::new(small);
    let spawn = |app: &mut App, goal: Goal| app.world_mut().spawn((agent, at(0, 2), goal, Speed(50.0))).id();
    let inside = spawn(&mut app, goal(4, 2));
    let wall = spawn(&mut app, goal(2, 2));
    let near = spawn(&mut app, goal(4, 2).or_nearest());
    let off = spawn(&mut app, goal(400, 2));
    let astray = app.world_mut().spawn((agent, Position::new(-500.0, 3.0), goal(0, 0))).id();
    let nowhere = app.world_mut().spawn((agent.in_world(WorldId::FIRST), at(2, 1), goal(0, 0))).id();
    let mut news = Messages::<AgentNews>::new();
    app.update();
    app.update();
    assert_eq!(route(&app, inside).status(), Status::NoWay(Why::Unreachable));
    assert_eq!(route(&app, wall).status(), Status::NoWay(Why::GoalBlocked));
    assert_eq!(route(&app, off).status(), Status::NoWay(Why::Outside));
    assert_eq!(route(&app, astray).status(), Status::NoWay(Why::Outside));
    assert_eq!(route(&app, nowhere).status(), Status::NoWay(Why::StartBlocked));
    let is_substitute = |message: &AgentNews| {
        message.agent == near && matches!(message.news, News::Started { is_substitute: true, .. })
    };
    assert!(news.read(&app).iter().any(is_substitute));
    run_until(&mut app, |app| route(app, near).has_arrived());
    assert_eq!(cell(&app, near), Cell::new(4, 0));
}

#[test]
fn a_large_agent_covers_its_square() {
    let mut app = app(lock_step());
    let map = "
        ....#....
        .........
        .........
        ....#....
    ";
    let (_, _, large) = add_world(&mut app, map, Engine::Hpa);
    let spot = Position::new(CELL, -CELL); // the middle of the square at (0, 0)
    let agent = app.world_mut().spawn((Agent::new(large), spot, goal(7, 2), Speed(40.0))).id();
    let mut rows = Vec::new();
    for _ in 0..100 {
        app.update();
        if (30.0..=50.0).contains(&position(&app, agent).point.x) {
            rows.push(position(&app, agent).point.y);
        }
    }
    assert!(route(&app, agent).has_arrived());
    assert!(!rows.is_empty() && rows.iter().all(|&y| (y + 20.0).abs() < 1e-3), "{rows:?}");
}

#[test]
fn orders_can_be_changed_and_taken_back() {
    let mut app = app(lock_step());
    let (_, small, _) = add_world(&mut app, MAP, Engine::Hpa);
    let agent = app.world_mut().spawn((Agent::new(small), at(0, 0), goal(9, 5), Speed(20.0))).id();
    (0..10).for_each(|_| app.update());
    app.world_mut().entity_mut(agent).insert(goal(0, 0));
    run_until(&mut app, |app| route(app, agent).has_arrived());
    assert_eq!(cell(&app, agent), Cell::new(0, 0));
    app.world_mut().entity_mut(agent).insert(goal(9, 5));
    (0..10).for_each(|_| app.update());
    app.world_mut().entity_mut(agent).remove::<Goal>();
    (0..10).for_each(|_| app.update());
    assert_eq!(route(&app, agent).status(), Status::Idle);
    let stood = position(&app, agent);
    (0..10).for_each(|_| app.update());
    assert_eq!(position(&app, agent), stood);
}

#[test]
fn agents_that_their_user_moves_are_told_the_next_place() {
    let mut app = app(lock_step());
    let (_, small, _) = add_world(&mut app, MAP, Engine::Hpa);
    let agent = app.world_mut().spawn((Agent::new(small), at(0, 0), goal(9, 5))).id();
    for _ in 0..60 {
        app.update();
        if let Some(Place { cell, .. }) = route(&app, agent).next() {
            *app.world_mut().get_mut::<Position>(agent).unwrap() = at(cell.x, cell.y);
        }
    }
    assert!(route(&app, agent).has_arrived());
    // Carried off, it finds its way from there.
    app.world_mut().entity_mut(agent).insert(goal(0, 0));
    (0..4).for_each(|_| app.update());
    *app.world_mut().get_mut::<Position>(agent).unwrap() = at(9, 0);
    (0..4).for_each(|_| app.update());
    assert_eq!(route(&app, agent).here(), Some(Place::new(GROUND, (9, 0))));
    assert_eq!(route(&app, agent).status(), Status::Walking);
}

#[test]
fn paused_agents_stand_and_go_on() {
    let mut app = app(lock_step());
    let (_, small, _) = add_world(&mut app, MAP, Engine::Hpa);
    let agent = app.world_mut().spawn((Agent::new(small), at(0, 0), goal(9, 5), Speed(20.0))).id();
    (0..10).for_each(|_| app.update());
    app.world_mut().entity_mut(agent).insert(Paused);
    let stood = position(&app, agent);
    (0..10).for_each(|_| app.update());
    assert_eq!(position(&app, agent), stood);
    app.world_mut().entity_mut(agent).remove::<Paused>();
    run_until(&mut app, |app| route(app, agent).has_arrived());
}

#[test]
fn despawned_agents_are_forgotten() {
    for plugin in [FarstridePlugin::default(), lock_step()] {
        let mut app = app(plugin);
        let (_, small, _) = add_world(&mut app, MAP, Engine::Hpa);
        for round in 0..30 {
            let agent = (Agent::new(small), at(0, 0), goal(9, 5), Speed(40.0));
            let agents: Vec<Entity> = (0..20).map(|_| app.world_mut().spawn(agent).id()).collect();
            (0..round % 4).for_each(|_| app.update());
            for agent in agents {
                assert!(app.world_mut().despawn(agent));
            }
        }
        let last = app.world_mut().spawn((Agent::new(small), at(0, 0), goal(9, 5), Speed(400.0))).id();
        run_until(&mut app, |app| route(app, last).has_arrived());
    }
}

#[test]
fn zones_are_kept_out_of() {
    let mut app = app(lock_step());
    let map = "....................\n".repeat(9);
    let (_, small, _) = add_world(&mut app, &map, Engine::Hpa);
    let zone = Rect::spanning(Cell::new(8, 0), Cell::new(10, 6));
    let agent = (Agent::new(small), at(0, 4), goal(19, 4), Speed(40.0), Avoid(vec![Zone::forbidden(zone)]));
    let agent = app.world_mut().spawn(agent).id();
    run_until(&mut app, |app| {
        assert!(!zone.contains(cell(app, agent)));
        route(app, agent).has_arrived()
    });
    // With a zone over everything but its ends there is no way.
    let all = Rect::spanning(Cell::new(8, 0), Cell::new(10, 8));
    app.world_mut().entity_mut(agent).insert((goal(0, 4), Avoid(vec![Zone::forbidden(all)])));
    run_until(&mut app, |app| route(app, agent).status() == Status::NoWay(Why::Unreachable));
    // Without zones it is looked at again.
    app.world_mut().entity_mut(agent).remove::<Avoid>();
    run_until(&mut app, |app| route(app, agent).has_arrived());
}

#[test]
fn costly_zones_are_entered_only_if_the_way_around_is_dearer() {
    let mut app = app(lock_step());
    let map = "....................\n".repeat(9);
    for engine in [Engine::Hpa, Engine::Overlay, Engine::Astar] {
        let (world, small, _) = add_world(&mut app, &map, engine);
        let zone = Rect::spanning(Cell::new(8, 0), Cell::new(10, 7));
        // Around it is 6 or 7 cells longer; through it are 3 cells that weigh `extra` more.
        for (extra, enters) in [(1, true), (200, false)] {
            let avoid = Avoid(vec![Zone::costly(zone, extra.try_into().unwrap())]);
            let agent = Agent::new(small).in_world(world);
            let agent = app.world_mut().spawn((agent, at(0, 0), goal(19, 0), Speed(80.0), avoid)).id();
            let mut entered = false;
            while !route(&app, agent).has_arrived() {
                app.update();
                entered |= zone.contains(cell(&app, agent));
            }
            assert_eq!(entered, enters, "{engine} {extra}");
        }
    }
}

#[test]
fn a_gathering_finds_room_for_all() {
    let mut app = app(lock_step());
    let map = format!("{}{}", "........................\n".repeat(9), "....####################\n");
    let (world, small, large) = add_world(&mut app, &map, Engine::Hpa);
    let mut agents = Vec::new();
    for number in 0..20_u16 {
        let mover = if number % 4 == 0 { large } else { small };
        let size = if number % 4 == 0 { 1.0 } else { 0.5 };
        let position = Position::new((f32::from(number) + size) * CELL, -size * CELL);
        agents.push(app.world_mut().spawn((Agent::new(mover), position, Speed(60.0))).id());
    }
    let around = Place::new(GROUND, (12, 6));
    app.world_mut().write_message(Gather { world, agents: agents.clone(), around, gap: 0 });
    run_until(&mut app, |app| agents.iter().all(|&agent| route(app, agent).has_arrived()));
    let mut covered = std::collections::HashSet::new();
    for &agent in &agents {
        let goal = app.world().get::<Goal>(agent).unwrap().place;
        let side = if app.world().get::<Agent>(agent).unwrap().mover == large { 2 } else { 1 };
        for cell in
            Rect::spanning(goal.cell, Cell::new(goal.cell.x + side - 1, goal.cell.y + side - 1)).cells()
        {
            assert!(covered.insert(cell), "{cell:?} is covered twice");
            assert!(cell.x.abs_diff(12) < 8 && cell.y < 9);
        }
    }
}

#[test]
fn those_who_cannot_get_to_the_floor_gather_on_their_own() {
    let mut app = app(lock_step());
    let mut tiles = TileMap::new();
    let floors = [0, 1].map(|_| tiles.add_floor(Floor::filled(20, 12, b'.').unwrap()).unwrap());
    let (world, small, _) = add_tiles(&mut app, tiles, Engine::Hpa);
    // The one who is cut off is nearest to the spot, and asked first among those of its floor.
    let agents = [(floors[0], 11), (floors[1], 2), (floors[1], 3)].map(|(floor, x)| {
        let position = Position { floor, ..at(x, 6) };
        app.world_mut().spawn((Agent::new(small), position, Speed(60.0))).id()
    });
    let around = Place::new(floors[1], (12, 6));
    app.world_mut().write_message(Gather { world, agents: agents.to_vec(), around, gap: 0 });
    run_until(&mut app, |app| agents.iter().all(|&agent| route(app, agent).has_arrived()));
    let goals = agents.map(|agent| app.world().get::<Goal>(agent).unwrap().place);
    assert_eq!(goals[0], Place::new(floors[0], (12, 6)));
    assert!(goals[1..].iter().all(|goal| goal.floor == floors[1]) && goals[1] != goals[2], "{goals:?}");
}
