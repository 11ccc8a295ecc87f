//! Edits while agents walk, and links.

use super::*;

#[test]
fn a_wall_on_the_way_is_walked_around() {
    for plugin in [FarstridePlugin::default(), lock_step()] {
        for engine in [Engine::Hpa, Engine::Astar, Engine::Hpt] {
            let mut app = app(plugin);
            let map = "..............................\n".repeat(12);
            let (world, small, _) = add_world(&mut app, &map, engine);
            run_until(&mut app, |app| app.world().resource::<Worlds>().is_ready(world));
            let agent = (Agent::new(small), at(0, 5), goal(29, 5), Speed(40.0));
            let agent = app.world_mut().spawn(agent).id();
            run_until(&mut app, |app| cell(app, agent).x == 10);
            let wall = Rect::spanning(Cell::new(14, 0), Cell::new(14, 10));
            app.world_mut().write_message(Edit::fill(wall, b'#'));
            run_until(&mut app, |app| {
                assert!(!wall.contains(cell(app, agent)), "it walked into the wall");
                route(app, agent).has_arrived()
            });
        }
    }
}

#[test]
fn a_wall_before_its_feet_stops_an_agent() {
    let mut app = app(FarstridePlugin::default());
    let (world, small, _) = add_world(&mut app, &"..............................\n".repeat(3), Engine::Hpa);
    run_until(&mut app, |app| app.world().resource::<Worlds>().is_ready(world));
    let agent = app.world_mut().spawn((Agent::new(small), at(0, 1), goal(29, 1), Speed(20.0))).id();
    let mut walls = Vec::new();
    for x in (5..25).step_by(5) {
        run_until(&mut app, |app| cell(app, agent).x + 1 >= x);
        let y = 1 - u16::from(x % 10 == 0);
        let wall = Rect::spanning(Cell::new(x, y), Cell::new(x, y + 1));
        app.world_mut().write_message(Edit::fill(wall, b'#'));
        walls.push(wall);
        app.update();
        assert!(!walls.iter().any(|wall| wall.contains(cell(&app, agent))));
    }
    run_until(&mut app, |app| {
        assert!(!walls.iter().any(|wall| wall.contains(cell(app, agent))));
        route(app, agent).has_arrived()
    });
}

#[test]
fn a_way_that_opens_is_taken() {
    let mut app = app(lock_step());
    let (_, small, _) = add_world(&mut app, "...#...\n...#...\n", Engine::Hpa);
    let agent = Agent::new(small);
    let strict = app.world_mut().spawn((agent, at(0, 0), goal(6, 1), Speed(40.0))).id();
    let near = app.world_mut().spawn((agent, at(0, 1), goal(6, 0).or_nearest(), Speed(40.0))).id();
    run_until(&mut app, |app| route(app, near).has_arrived());
    assert_eq!(route(&app, strict).status(), Status::NoWay(Why::Unreachable));
    app.world_mut().write_message(Edit::fill(Cell::new(3, 1), b'.'));
    run_until(&mut app, |app| route(app, strict).has_arrived() && cell(app, near) == Cell::new(6, 0));
    assert_eq!(cell(&app, strict), Cell::new(6, 1));
}

#[test]
fn edits_that_make_no_sense_are_refused() {
    let mut app = app(lock_step());
    add_world(&mut app, "....\n....", Engine::Hpa);
    let mut news = Messages::<WorldNews>::new();
    app.world_mut().write_message(Edit::fill(Cell::new(9, 9), b'#'));
    app.world_mut().write_message(Edit::fill(Cell::new(0, 0), b'#').on_floor(FloorId::new(4)));
    let place = Place::new(GROUND, (0, 0));
    app.world_mut().write_message(Edit::add_link(Link::new(place, place, Cost::new(5).unwrap())));
    (0..3).for_each(|_| app.update());
    let all = news.read(&app);
    let refused =
        |news: &&WorldNews| matches!(news, WorldNews::FillRefused { .. } | WorldNews::LinkRefused { .. });
    assert_eq!(all.iter().filter(refused).count(), 3, "{all:?}");
}

#[test]
fn edits_wait_until_they_are_made() {
    let mut app = app(lock_step());
    let (world, ..) = add_world(&mut app, "....\n....", Engine::Hpa);
    let waits = |app: &App| app.world().resource::<Worlds>().has_edits_waiting(world);
    app.update();
    assert!(!waits(&app));
    app.world_mut().write_message(Edit::fill(Cell::new(2, 1), b'#'));
    app.update();
    assert!(waits(&app), "the surveyor works on it");
    app.update();
    assert!(!waits(&app));
    let mut worlds = app.world_mut().resource_mut::<Worlds>();
    let floor = worlds.atlas(world).unwrap().tiles().floor(GROUND).unwrap();
    assert_eq!(floor.class(Cell::new(2, 1)), Some(b'#'));
}

/// Two floors joined by a stair.
fn storeys() -> (TileMap, Link) {
    let mut tiles = TileMap::new();
    let ground = tiles.add_floor(Floor::filled(12, 4, b'.').unwrap()).unwrap();
    let upper = tiles.add_floor(Floor::filled(12, 4, b'.').unwrap()).unwrap();
    let stair = Link::new(Place::new(ground, (11, 0)), Place::new(upper, (11, 0)), Cost::new(9000).unwrap());
    (tiles, stair)
}

#[test]
fn links_are_taken_added_and_removed() {
    let mut app = app(lock_step());
    let (tiles, stair) = storeys();
    let (_, small, _) = add_tiles(&mut app, tiles, Engine::Hpa);
    let upper = stair.to.floor;
    let up = Goal::new(Place::new(upper, (0, 3)));
    let agent = app.world_mut().spawn((Agent::new(small), at(0, 0), up, Speed(60.0))).id();
    let mut world_news = Messages::<WorldNews>::new();
    let mut agent_news = Messages::<AgentNews>::new();
    (0..3).for_each(|_| app.update());
    assert_eq!(route(&app, agent).status(), Status::NoWay(Why::Unreachable));

    app.world_mut().write_message(Edit::add_link(stair));
    (0..2).for_each(|_| app.update());
    let added = world_news.read(&app).into_iter().find_map(|news| match news {
        WorldNews::LinkAdded { id, link, .. } => Some((id, link)),
        _ => None,
    });
    let (id, link) = added.expect("the link is told");
    assert_eq!(link, stair);
    let mut took = false;
    while !route(&app, agent).has_arrived() {
        app.update();
        took |= agent_news.read(&app).contains(&AgentNews { agent, news: News::TookLink(id) });
    }
    assert!(took);
    assert_eq!(position(&app, agent).floor, upper);

    app.world_mut().entity_mut(agent).insert(goal(0, 0));
    (0..5).for_each(|_| app.update());
    assert_eq!(route(&app, agent).status(), Status::Walking);
    app.world_mut().write_message(Edit::remove_link(id));
    run_until(&mut app, |app| route(app, agent).status() == Status::NoWay(Why::Unreachable));
    assert_eq!(position(&app, agent).floor, upper);
}

/// Random walls come and go before the feet of many agents; no step may be illegal.
#[test]
fn no_agent_ever_makes_an_illegal_step() {
    let mut app = app(FarstridePlugin::default());
    let side: u16 = 40;
    let map = format!("{}\n", ".".repeat(usize::from(side))).repeat(usize::from(side));
    let (_, small, _) = add_world(&mut app, &map, Engine::Hpa);
    let mut random = Random(7);
    let agents: Vec<Entity> = (0..50)
        .map(|_| {
            let (x, y) = (random.below(side), random.below(side));
            app.world_mut().spawn((Agent::new(small), at(x, y), Speed(60.0))).id()
        })
        .collect();
    let mut blocked = vec![false; usize::from(side) * usize::from(side)];
    let index = |cell: Cell| usize::from(cell.y) * usize::from(side) + usize::from(cell.x);
    for frame in 0..600 {
        for _ in 0..3 {
            let wall = Cell::new(random.below(side), random.below(side));
            // Nobody builds on an agent, or on the cells that it is between.
            let is_near = |&agent: &Entity| {
                let at = cell(&app, agent);
                at.x.abs_diff(wall.x) <= 1 && at.y.abs_diff(wall.y) <= 1
            };
            if !agents.iter().any(is_near) {
                let is_wall = random.below(3) > 0;
                blocked[index(wall)] = is_wall;
                app.world_mut().write_message(Edit::fill(wall, if is_wall { b'#' } else { b'.' }));
            }
        }
        if frame % 5 == 0 {
            let agent = agents[usize::from(random.below(50))];
            let to = goal(random.below(side), random.below(side));
            app.world_mut().entity_mut(agent).insert(to);
        }
        app.update();
        for &agent in &agents {
            assert!(!blocked[index(cell(&app, agent))], "frame {frame}");
        }
    }
}

/// Right after a new order, the step that the agent is on is blocked.
#[test]
fn the_step_of_an_earlier_order_is_looked_after() {
    for plugin in [FarstridePlugin::default(), lock_step()] {
        let mut app = app(plugin);
        let (world, small, _) = add_world(&mut app, &format!("{}\n", ".".repeat(20)).repeat(20), Engine::Hpa);
        run_until(&mut app, |app| app.world().resource::<Worlds>().is_ready(world));
        let agent = app.world_mut().spawn((Agent::new(small), at(10, 10), Speed(30.0))).id();
        let mut random = Random(3);
        let mut walls = 0;
        for _ in 0..150 {
            let to = goal(random.below(20), random.below(20));
            app.world_mut().entity_mut(agent).insert(to);
            run_until(&mut app, |app| route(app, agent).status() != Status::Waiting);
            (0..random.below(5)).for_each(|_| app.update());
            // A second order, and the wall once it is answered or while it is not.
            let to = goal(random.below(20), random.below(20));
            app.world_mut().entity_mut(agent).insert(to);
            (0..random.below(4)).for_each(|_| app.update());
            let Some(next) = route(&app, agent).next() else { continue };
            let way = at(next.cell.x, next.cell.y).point - position(&app, agent).point;
            if way.abs().max_element() < 7.0 {
                continue; // it is there in this frame
            }
            walls += 1;
            app.world_mut().write_message(Edit::fill(next.cell, b'#'));
            for _ in 0..12 {
                app.update();
                assert_ne!(cell(&app, agent), next.cell, "after {walls} walls");
            }
            app.world_mut().write_message(Edit::fill(next.cell, b'.'));
            (0..3).for_each(|_| app.update());
        }
        assert!(walls > 20, "only {walls} walls");
    }
}

/// A small generator, so that failures repeat.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: u16) -> u16 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(end)) as u16
    }
}
