//! The same inputs give the same frames, on any number of threads.

use super::edits::Random;
use super::*;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Set for the process that runs with another number of threads: pools are made once in a process.
const THREADS: &str = "BEVY_FARSTRIDE_TEST_THREADS";

/// A thousand frames with orders, edits and agents that come and go; a hash of all positions.
fn play(threads: usize) -> u64 {
    let mut app = app(FarstridePlugin::default().in_lock_step(20).with_threads(threads));
    let side: u16 = 60;
    let map = format!("{}\n", ".".repeat(usize::from(side))).repeat(usize::from(side));
    let (world, small, large) = add_world(&mut app, &map, Engine::Hpa);
    let mut random = Random(11);
    let mut agents: Vec<Entity> = Vec::new();
    let mut hash = DefaultHasher::new();
    for frame in 0..1000 {
        if agents.len() < 80 {
            let (x, y) = (random.below(side - 2), random.below(side - 2));
            let mover = if frame % 3 == 0 { large } else { small };
            let agent = (Agent::new(mover), at(x, y), Speed(f32::from(20 + random.below(60))));
            agents.push(app.world_mut().spawn(agent).id());
        }
        let agent = agents[usize::from(random.below(agents.len() as u16))];
        let to = goal(random.below(side), random.below(side)).or_nearest();
        app.world_mut().entity_mut(agent).insert(to);
        if frame % 50 == 25 {
            // Enough to one place for one search to serve them all.
            for &agent in &agents {
                app.world_mut().entity_mut(agent).insert(to);
            }
        }
        let class = if random.below(3) == 0 { b'.' } else { b'#' };
        let wall = Cell::new(random.below(side), random.below(side));
        app.world_mut().write_message(Edit::fill(wall, class));
        if frame % 100 == 99 {
            let gone = agents.swap_remove(usize::from(random.below(agents.len() as u16)));
            app.world_mut().despawn(gone);
            let around = Place::new(GROUND, (30, 30));
            app.world_mut().write_message(Gather { world, agents: agents[..10].to_vec(), around, gap: 1 });
        }
        app.update();
        for &agent in &agents {
            let Position { point, .. } = position(&app, agent);
            point.to_array().map(f32::to_bits).hash(&mut hash);
        }
    }
    hash.finish()
}

#[test]
fn a_thousand_frames_are_the_same_on_one_and_on_two_threads() {
    if let Ok(threads) = std::env::var(THREADS) {
        println!("hash {}", play(threads.parse().unwrap()));
        return;
    }
    let of = |threads: &str| {
        let name = "lock_step::a_thousand_frames_are_the_same_on_one_and_on_two_threads";
        let run = std::process::Command::new(std::env::current_exe().unwrap())
            .args([name, "--exact", "--nocapture"])
            .env(THREADS, threads)
            .output()
            .unwrap();
        let output = String::from_utf8(run.stdout).unwrap();
        output.lines().find(|line| line.contains("hash ")).expect(&output).to_owned()
    };
    let (one, two) = (of("1"), of("2"));
    assert_eq!(one, two);
    assert_eq!(one, of("1"));
}
