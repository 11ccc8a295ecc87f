//! One table that must be the same on every platform: digests of generated maps,
//! of the index of every engine, and of its answers to a fixed list of queries.
//!
//! `./platforms` prints it on this machine, on wasm32 and on a big-endian machine
//! and compares. The tests of `bindings/js` compare [`wide_table`], which has more and
//! other maps, with what the npm package answers.

use farstride::index::BuildOptions;
use farstride::{
    Cell, Diagonals, Engine, Grid, Index, Outcome, Planner, Point, Query, Rules, Scratch, store,
};
use farstride_testkit::{Kind, PlainMap, SplitMix64, TerrainKind, generate, generate_terrain};
use std::fmt::Write as _;
use std::sync::Arc;

const MAPS: [(&str, Kind); 7] = [
    ("maze", Kind::Maze { corridor: 2, wall: 1 }),
    ("rooms", Kind::Rooms { size: 7 }),
    ("random", Kind::Random { blocked_percent: 30 }),
    ("caves", Kind::Caves { blocked_percent: 45, rounds: 4 }),
    ("city", Kind::City { block: 12, street: 2 }),
    ("open", Kind::Open { blocked_percent: 10 }),
    ("world", Kind::World),
];
const SIZE: (usize, usize) = (131, 90);
const QUERIES: usize = 60;
/// Threads that indexes are built on. Where there are none, one must do.
const THREADS: usize = 3;

/// FNV-1a, so that digests do not depend on the hash that the engine uses.
struct Digest(u64);

impl Digest {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn add_point(&mut self, point: Point) {
        self.add(&point.x.to_le_bytes());
        self.add(&point.y.to_le_bytes());
    }
}

/// The table: a line for each map and engine, with the digests of the map, of
/// the saved index and of the answers.
///
/// # Panics
/// If an index does not open again as it was saved.
pub fn table() -> String {
    let mut table = String::new();
    for (number, (name, kind)) in MAPS.into_iter().enumerate() {
        let map = generate(kind, SIZE.0, SIZE.1, number as u64).expect("the kinds are in range");
        add_lines(&mut table, name, &map, rule(number));
    }
    table
}

/// Maps of the wide table.
const WIDE: usize = 50;

/// The same for fifty maps of every generator, in many sizes and under every rule. A
/// line begins with what the map is made of: kind, columns, rows, seed and rule.
///
/// # Panics
/// As [`table`].
pub fn wide_table() -> String {
    let mut table = String::new();
    let kinds = MAPS.len() + TerrainKind::ALL.len();
    for number in 0..WIDE {
        let (width, height, seed) = (20 + 37 * number % 131, 16 + 23 * number % 83, 1000 + number as u64);
        let (name, map) = if let Some(&(name, kind)) = MAPS.get(number % kinds) {
            (name, generate(kind, width, height, seed))
        } else {
            let kind = TerrainKind::ALL[number % kinds - MAPS.len()];
            (kind.name(), generate_terrain(kind, width, height, seed))
        };
        // Every rule with every kind: a kind comes every twelve maps.
        let diagonals = RULES[(number + number / kinds) % RULES.len()];
        let name = format!("{name} {width} {height} {seed} {}", rule_name(diagonals));
        add_lines(&mut table, &name, &map.expect("kinds and sizes are in range"), diagonals);
    }
    table
}

/// Adds a line for each engine that works on a map.
fn add_lines(table: &mut String, name: &str, map: &PlainMap, diagonals: Diagonals) {
    let grid = Arc::new(grid(map).with_rules(Rules { diagonals, ..Rules::default() }));
    for engine in Engine::ALL.into_iter().filter(|engine| engine.check(&grid).is_ok()) {
        let (planner, bytes) = planner(&grid, engine);
        let (map, index, answers) = (grid.digest(), index_digest(&bytes), answers(&planner));
        let line = writeln!(table, "{name:6} {engine:10} {map:016x} {index:016x} {answers:016x}");
        line.expect("a string takes every line");
    }
}

const RULES: [Diagonals; 4] = [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None];

/// As the command line calls it.
fn rule_name(rule: Diagonals) -> &'static str {
    match rule {
        Diagonals::Strict => "strict",
        Diagonals::OneSide => "one-side",
        Diagonals::Free => "free",
        Diagonals::None => "none",
    }
}

/// Strict rules for most maps: some engines take no others.
const fn rule(number: usize) -> Diagonals {
    match number {
        0 => Diagonals::None,
        2 => Diagonals::OneSide,
        4 => Diagonals::Free,
        _ => Diagonals::Strict,
    }
}

fn grid(map: &PlainMap) -> Grid {
    let weight = |point| if map.is_free_at(point) { map.weight(point) as u8 } else { 0 };
    let weights: Vec<u8> = (0..map.free.len()).map(|index| weight(map.point(index))).collect();
    Grid::from_weights(map.width, map.height, &weights).expect("the size is in range")
}

/// A planner and its saved index, which is empty if the engine has none.
fn planner(grid: &Arc<Grid>, engine: Engine) -> (Planner, Vec<u8>) {
    let Some(settings) = engine.default_settings() else {
        return (Planner::with_engine(Arc::clone(grid), engine).expect("was checked"), Vec::new());
    };
    let options = BuildOptions::new().threads(THREADS);
    let index = Index::build_with(grid, settings, &options).expect("default settings, never cancelled");
    let bytes = store::save(&index, grid).expect("its map");
    (Planner::with_index(Arc::clone(grid), index).expect("its map"), bytes)
}

fn index_digest(bytes: &[u8]) -> u64 {
    if !bytes.is_empty() {
        store::describe(Arc::new(bytes.to_vec())).expect("what was saved can be read");
    }
    let mut digest = Digest::new();
    digest.add(bytes);
    digest.0
}

/// Costs, lengths and paths of queries between random free cells.
fn answers(planner: &Planner) -> u64 {
    let grid = planner.grid();
    let free: Vec<Cell> = grid.area().cells().filter(|&cell| grid.is_free(cell)).collect();
    let mut random = SplitMix64::new(7);
    let (mut scratch, mut digest) = (Scratch::new(), Digest::new());
    for _ in 0..QUERIES {
        let [start, goal] = [(); 2].map(|()| free[random.below(free.len())]);
        match planner.find(Query::new(start, goal), &mut scratch).expect("both cells are on the map") {
            Outcome::Found(route) => {
                digest.add(&route.cost().units().to_le_bytes());
                digest.add(&route.length().to_bits().to_le_bytes());
                route.path().turns().for_each(|point| digest.add_point(point));
            }
            Outcome::Unreachable => digest.add(b"unreachable"),
            _ => digest.add(b"there"),
        }
    }
    digest.0
}

/// The table for a host of wasm: where its bytes begin. They end with a zero and
/// stay for good.
#[cfg(target_arch = "wasm32")]
#[expect(unsafe_code, reason = "the name by which the host finds the function")]
#[unsafe(no_mangle)]
pub extern "C" fn digests() -> *const u8 {
    let mut bytes = table().into_bytes();
    bytes.push(0);
    bytes.leak().as_ptr()
}
