//! An index of a small map, changed anywhere and signed again, is refused or
//! does no harm: queries, plans and edits end, and paths are connected; legal,
//! unless ways of HPA* were forged; and found, if groups or labels were.

#![no_main]

#[path = "../../crates/farstride/tests/it/common/world.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod world;

use arbitrary::Arbitrary;
use farstride::groups::{Connection, GridGroupSettings, GridGroups, GroupTactics, Mode};
use farstride::hpa::{Hierarchy, HpaSettings, KeepWays, Local, Tactics};
use farstride::index::IndexSettings;
use farstride::labels::{self, Block, GridLabels};
use farstride::store;
use farstride::subgoal::{self, Partition, SubgoalGraph};
use farstride::{Cell, Detail, Engine, Grid, Index, Outcome, Path, Planned, Planner, Query, Scratch, Step};
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
    keep_ways: u8,
    /// What searches the ways: at any angle only if no cell has a weight.
    local: u8,
    /// Instead of an abstraction, a subgoal graph of some kind, if the map has
    /// any.
    partition: Option<(u8, Option<u8>)>,
    /// Instead of either, a hierarchy of squares; its sides and levels are those
    /// of the clusters.
    squares: Option<(u8, bool)>,
    /// Instead of any of these, labels within a budget, if the map has any.
    labels: Option<(u8, u16)>,
    /// Whether only the checksum is put right, or all digests of parts too.
    signs_parts: bool,
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
    let sound = store::save(&input.index(&grid), &grid).unwrap();
    let mut bytes = sound.clone();
    for change in input.changes.iter().take(16) {
        change.apply(&mut bytes);
    }
    if input.signs_parts {
        match input.index(&grid) {
            Index::Subgoals(_) => sign_parts(&mut bytes, 1),
            Index::Groups(_) | Index::Labels(_) => sign_parts(&mut bytes, 0),
            _ => {}
        }
    }
    let whole = bytes.len() - 8;
    let sum = xxh3_64(&bytes[..whole]);
    bytes[whole..].copy_from_slice(&sum.to_le_bytes());
    let _ = store::describe(Arc::new(bytes.clone())).map_err(|error| error.to_string());
    match store::open(Arc::new(bytes.clone()), &grid) {
        Ok(opened) => {
            let is_legal = match &opened {
                Index::Hpa(hierarchy) => {
                    assert_eq!(hierarchy.verify(&grid).is_ok(), bytes == sound);
                    // Legs from a cell are looked at when they are used.
                    hierarchy.settings().local.is_any_angle() || ways(&sound) == ways(&bytes)
                }
                Index::Subgoals(graph) => {
                    // Settings may be others, and what follows from them.
                    let fresh = SubgoalGraph::build(&grid, graph.settings());
                    let is_fresh = store::save(&fresh.clone().into(), &grid).unwrap() == bytes;
                    assert_eq!(graph.verify(&grid).is_ok(), is_fresh);
                    true
                }
                Index::Groups(groups) => {
                    let fresh = GridGroups::build(&grid, groups.settings()).unwrap();
                    let is_fresh = store::save(&fresh.clone().into(), &grid).unwrap() == bytes;
                    assert_eq!(groups.verify(&grid).is_ok(), is_fresh);
                    true
                }
                Index::Labels(labels) => {
                    let fresh = GridLabels::build(&grid, labels.settings());
                    let is_fresh = store::save(&fresh.clone().into(), &grid).unwrap() == bytes;
                    assert_eq!(labels.verify(&grid).is_ok(), is_fresh);
                    true
                }
                _ => unreachable!("there are no other indexes"),
            };
            ask(&input, &world, Planner::with_index(grid.clone(), opened).unwrap(), is_legal);
        }
        Err(error) => assert!(bytes != sound && !error.to_string().contains('\n')),
    }
    if let Ok(trusted @ Index::Labels(_)) = store::open_trusted(Arc::new(bytes), &grid) {
        ask_blindly(&input, &world, &Planner::with_index(grid, trusted).unwrap());
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

    fn index(&self, grid: &Grid) -> Index {
        if let Some(settings) = self.squares() {
            return GridGroups::build(grid, settings).unwrap().into();
        }
        if let Some(settings) = self.labels(grid) {
            return GridLabels::build(grid, settings).into();
        }
        match self.subgoals(grid) {
            Some(settings) => SubgoalGraph::build(grid, settings).into(),
            None => Hierarchy::build(grid, self.settings(grid)).unwrap().into(),
        }
    }

    fn subgoals(&self, grid: &Grid) -> Option<subgoal::SubgoalSettings> {
        let (kind, limit) = self.partition?;
        let partition = match (kind % 5, limit.map(u32::from)) {
            (0, _) => Partition::Simple,
            (1, _) => Partition::TwoLevel,
            (2, _) => Partition::TwoLevelLossy,
            (3, limit) => Partition::Basic(limit),
            (_, limit) => Partition::Advanced(limit),
        };
        let settings = subgoal::SubgoalSettings::new(partition);
        IndexSettings::from(settings).engine().check(grid).is_ok().then_some(settings)
    }

    fn labels(&self, grid: &Grid) -> Option<labels::LabelSettings> {
        let (block, budget) = self.labels?;
        let block = [Block::Auto, Block::Eight, Block::Sixteen][usize::from(block) % 3];
        // Every third budget is enough for labels of all cells.
        let budget = if budget % 3 == 0 { 1 << 20 } else { u64::from(budget) };
        Engine::Labels
            .check(grid)
            .is_ok()
            .then_some(labels::LabelSettings::default().with_block(block).with_budget(budget))
    }

    fn squares(&self) -> Option<GridGroupSettings> {
        let (rule, has_levels) = self.squares?;
        Some(
            GridGroupSettings::default()
                .with_side(u16::from(self.cluster % 7) + 2)
                .with_group(self.group % 3 + 2)
                .with_levels(has_levels.then_some(self.levels % 4 + 1))
                .with_connection(match rule % 4 {
                    0 => Connection::Minimum,
                    1 => Connection::Maximin,
                    2 => Connection::Average,
                    _ => Connection::Blend { minimum: 1, maximin: 2, average: u16::from(rule) },
                }),
        )
    }

    fn settings(&self, grid: &Grid) -> HpaSettings {
        let local = [Local::Astar, Local::Theta, Local::LazyTheta][usize::from(self.local) % 3];
        let suits = grid.is_uniform() || !local.is_any_angle();
        HpaSettings::default()
            .with_cluster(u16::from(self.cluster % 7) + 2)
            .with_entrance(u16::from(self.entrance % 8) + 1)
            .with_levels(self.levels % 4 + 1)
            .with_group(self.group % 3 + 2)
            .with_keep_ways([KeepWays::All, KeepWays::Between, KeepWays::Nothing][usize::from(self.keep_ways) % 3])
            .with_local(if suits { local } else { Local::Astar })
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

/// Puts right the digests in the list of parts and that of the index, as
/// `docs/format.md` defines them for subgoal graphs and groups, as far as the
/// list leads anywhere. Parts before the `first` are not in the digest of the
/// index.
fn sign_parts(bytes: &mut [u8], first: usize) {
    let u64_at = |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let mut digests = Vec::new();
    for part in 0..usize::from(bytes[12]).min((bytes.len() - 72) / 32) {
        let entry = 64 + 32 * part;
        let (start, length) = (u64_at(bytes, entry + 8), u64_at(bytes, entry + 16));
        let Some(content) = bytes.get(start..start.saturating_add(length)) else { return };
        let digest = xxh3_64(content).to_le_bytes();
        bytes[entry + 24..entry + 32].copy_from_slice(&digest);
        if part >= first {
            digests.extend(digest);
        }
    }
    bytes[56..64].copy_from_slice(&xxh3_64(&digests).to_le_bytes());
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
        for tactics in [Tactics::default(), Tactics::paper(), Tactics::thesis()] {
            let planner = planner.clone().with_tactics(tactics);
            if let Outcome::Found(route) = planner.find(query(start, goal), &mut scratch).unwrap() {
                let path: Vec<Cell> = route.path().turns().filter_map(farstride::Point::cell).collect();
                assert_eq!(
                    (path.first(), path.last()),
                    (Some(&world::cell(start)), Some(&world::cell(goal)))
                );
                let is_bent = matches!(route.path(), Path::Points(_));
                path.windows(2).for_each(|leg| check_leg(planner.grid(), leg, is_bent, is_legal));
            }
            walk(&planner, world::cell(start), world::cell(goal), is_legal, &mut scratch);
        }
        ask_groups(&planner, world::cell(start), world::cell(goal), &mut scratch);
        let at = world::cell(place(round.edited));
        let _ = planner.edit(|grid| if round.blocks { grid.block(at) } else { grid.free(at) }).unwrap();
    }
}

/// Labels that were taken on trust: whatever they say, queries end.
fn ask_blindly(input: &Input, world: &World, planner: &Planner) {
    let mut scratch = Scratch::new();
    let place = |(x, y): (u8, u8)| (usize::from(x) % world.map.width, usize::from(y) % world.map.height);
    for round in input.rounds.iter().take(6) {
        let (start, goal) = (place(round.start), place(round.goal));
        for detail in [Detail::Cells, Detail::Cost, Detail::Waypoints, Detail::First(3)] {
            planner.find(query(start, goal).with_detail(detail), &mut scratch).unwrap();
        }
    }
}

/// Where groups or labels are wrong, A* helps out: a way is found exactly if
/// there is one.
fn ask_groups(planner: &Planner, start: Cell, goal: Cell, scratch: &mut Scratch) {
    let grid = planner.grid();
    let is_joined = start != goal && grid.is_free(start) && grid.is_connected(start, goal);
    if planner.index().and_then(Index::labels).is_some() {
        let outcome = planner.find(Query::new(start, goal), scratch).unwrap();
        assert_eq!(outcome.route().is_some(), is_joined && grid.is_free(goal));
    }
    if planner.index().and_then(Index::groups).is_none() {
        return;
    }
    for mode in [Mode::Sections, Mode::Exclusion] {
        let tactics = GroupTactics::default().with_mode(mode);
        let planner = planner.clone().with_group_tactics(tactics);
        let outcome = planner.find(Query::new(start, goal), scratch).unwrap();
        assert_eq!(outcome.route().is_some(), is_joined && grid.is_free(goal));
        let path = outcome.route().map_or(&[][..], |route| route.path().cells());
        path.windows(2).for_each(|step| check_step(grid, step[0], step[1], true));
    }
}

fn walk(planner: &Planner, start: Cell, goal: Cell, is_legal: bool, scratch: &mut Scratch) {
    let Planned::Plan(mut plan) = planner.plan(Query::new(start, goal), scratch).unwrap() else { return };
    let mut at = start;
    for _ in 0..4 * usize::from(MAX_SIDE).pow(2) {
        let Step::To(next) = plan.step(planner, scratch).unwrap() else { return };
        check_leg(planner.grid(), &[at, next], planner.engine().is_any_angle(), is_legal);
        at = next;
    }
    panic!("still walking");
}

fn check_leg(grid: &Grid, leg: &[Cell], is_bent: bool, is_legal: bool) {
    if is_bent {
        assert!(grid.line_of_sight(leg[0], leg[1]), "{} to {}", leg[0], leg[1]);
    } else {
        check_step(grid, leg[0], leg[1], is_legal);
    }
}

fn check_step(grid: &Grid, from: Cell, to: Cell, is_legal: bool) {
    let direction = from.direction_to(to).unwrap();
    assert!(grid.contains(to) && (!is_legal || grid.may_step(from, direction)), "{from} to {to}");
}
