//! An index of a small map, changed anywhere and signed again, is refused or
//! does no harm: queries, plans and edits end, and paths are connected; legal,
//! unless ways were forged.

#![no_main]

#[path = "../../crates/farstride/tests/common/world.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod world;

use arbitrary::Arbitrary;
use farstride::hpa::{Hierarchy, Settings, Tactics};
use farstride::{Cell, Grid, Outcome, Planned, Planner, Scratch, Step, store};
use farstride_testkit::{DiagonalCost, Diagonals, PlainMap};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;
use world::{World, query};
use xxhash_rust::xxh3::xxh3_64;

/// Longest side of a map: several clusters on several levels.
const MAX_SIDE: u8 = 20;

#[derive(Arbitrary, Debug)]
struct Input {
    width: u8,
    height: u8,
    diagonals: u8,
    has_ratio_142: bool,
    /// One bit per cell, row by row; all beyond the end are free.
    blocked: Vec<u8>,
    weights: Option<Vec<u8>>,
    cluster: u8,
    entrance: u8,
    levels: u8,
    group: u8,
    keep_ways: bool,
    changes: Vec<Change>,
    rounds: Vec<Round>,
}

/// Something else instead of what stands at a place.
#[derive(Arbitrary, Debug)]
struct Change {
    at: u16,
    kind: u8,
    value: u32,
    /// Where else the same is put.
    twin: Option<u16>,
}

/// From where to where, and a cell that is edited afterwards.
#[derive(Arbitrary, Debug)]
struct Round {
    start: (u8, u8),
    goal: (u8, u8),
    edited: (u8, u8),
    blocks: bool,
}

fuzz_target!(|input: Input| {
    let world = input.world();
    let grid = world.grid();
    let hierarchy = Hierarchy::build_with(&grid, input.settings(), 1, &|_, _| ()).unwrap();
    let sound = store::save(&hierarchy, &grid).unwrap();
    let mut bytes = sound.clone();
    for change in input.changes.iter().take(16) {
        change.apply(&mut bytes);
    }
    let whole = bytes.len() - 8;
    let sum = xxh3_64(&bytes[..whole]);
    bytes[whole..].copy_from_slice(&sum.to_le_bytes());
    let _ = store::describe(Arc::new(bytes.clone())).map_err(|error| error.to_string());
    match store::open(Arc::new(bytes.clone()), &grid) {
        Ok(opened) => {
            assert_eq!(opened.verify(&grid).is_ok(), bytes == sound);
            let is_legal = ways(&sound) == ways(&bytes);
            ask(&input, &world, Planner::with_hierarchy(grid, opened).unwrap(), is_legal);
        }
        Err(error) => assert!(bytes != sound && !error.to_string().contains('\n')),
    }
});

impl Input {
    fn world(&self) -> World {
        let side = |byte: u8| usize::from(byte % MAX_SIDE) + 1;
        let mut map = PlainMap::new(side(self.width), side(self.height), true);
        for (index, free) in map.free.iter_mut().enumerate() {
            *free = self.blocked.get(index / 8).is_none_or(|byte| byte >> (index % 8) & 1 == 0);
        }
        map.weights = self.weights.as_ref().map(|weights| {
            let weight = |index: usize| weights.get(index).map_or(1, |&weight| weight.max(1));
            (0..map.free.len()).map(weight).collect()
        });
        let diagonals = Diagonals::ALL[usize::from(self.diagonals) % 4];
        World::new(map, diagonals, DiagonalCost::ALL[usize::from(self.has_ratio_142)])
    }

    fn settings(&self) -> Settings {
        Settings {
            cluster: u16::from(self.cluster % 7) + 2,
            entrance: u16::from(self.entrance % 8) + 1,
            levels: self.levels % 4 + 1,
            group: self.group % 3 + 2,
            keep_ways: self.keep_ways,
        }
    }
}

impl Change {
    fn apply(&self, bytes: &mut [u8]) {
        let words = bytes.len() / 4 - 2;
        let word_at = |at: u16| usize::from(at) % words * 4;
        let read = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let at = word_at(self.at);
        let old = read(bytes, at);
        let new = match self.kind % 6 {
            0 => self.value,
            1 => self.value % 64,
            2 => old.wrapping_add(self.value % 8).wrapping_sub(4),
            3 => read(bytes, word_at(self.value as u16)),
            4 => old ^ 15 << (self.value % 8 * 4),
            _ => old.rotate_left(self.value % 4 * 8),
        };
        for at in std::iter::once(at).chain(self.twin.map(word_at)) {
            bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
        }
    }
}

/// The bytes of the part with the ways, as `docs/format.md` says.
fn ways(bytes: &[u8]) -> Option<&[u8]> {
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let entry = (0..u32_at(12)).map(|part| 64 + 32 * part).find(|&at| bytes[at..at + 4] == *b"ways")?;
    Some(&bytes[u32_at(entry + 8)..][..u32_at(entry + 16)])
}

fn ask(input: &Input, world: &World, mut planner: Planner, is_legal: bool) {
    let mut scratch = Scratch::new();
    let place = |(x, y): (u8, u8)| (usize::from(x) % world.map.width, usize::from(y) % world.map.height);
    for round in input.rounds.iter().take(6) {
        let (start, goal) = (place(round.start), place(round.goal));
        for tactics in [Tactics::default(), Tactics::paper()] {
            let planner = planner.clone().with_tactics(tactics);
            if let Outcome::Found(route) = planner.find(query(start, goal), &mut scratch).unwrap() {
                let path = route.path().cells();
                assert_eq!((path.first(), path.last()), (Some(&world::cell(start)), Some(&world::cell(goal))));
                path.windows(2).for_each(|step| check_step(planner.grid(), step[0], step[1], is_legal));
            }
            walk(&planner, world::cell(start), world::cell(goal), is_legal, &mut scratch);
        }
        let at = world::cell(place(round.edited));
        let _ = planner.edit(|grid| if round.blocks { grid.block(at) } else { grid.free(at) }).unwrap();
    }
}

fn walk(planner: &Planner, start: Cell, goal: Cell, is_legal: bool, scratch: &mut Scratch) {
    let Planned::Plan(mut plan) = planner.plan(start, goal, scratch).unwrap() else { return };
    let mut at = start;
    for _ in 0..4 * usize::from(MAX_SIDE).pow(2) {
        let Step::To(next) = plan.step(planner, scratch).unwrap() else { return };
        check_step(planner.grid(), at, next, is_legal);
        at = next;
    }
    panic!("still walking");
}

fn check_step(grid: &Grid, from: Cell, to: Cell, is_legal: bool) {
    let direction = from.direction_to(to).unwrap();
    assert!(grid.contains(to) && (!is_legal || grid.moves(from).contains(direction)), "{from} to {to}");
}
