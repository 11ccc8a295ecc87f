//! One table that must be the same on every platform: digests of generated maps,
//! of the index of every engine, and of its answers to a fixed list of queries.
//!
//! `./platforms` prints it on this machine, on wasm32 and on a big-endian machine
//! and compares.

use farstride::index::BuildOptions;
use farstride::{Cell, Diagonals, Engine, Grid, Index, Outcome, Path, Planner, Query, Rules, Scratch, store};
use farstride_testkit::{Kind, SplitMix64, generate};
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

    fn add_cell(&mut self, cell: Cell) {
        self.add(&cell.x.to_le_bytes());
        self.add(&cell.y.to_le_bytes());
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
        let rules = Rules { diagonals: rule(number), ..Rules::default() };
        let grid = Arc::new(map(kind, number as u64).with_rules(rules));
        for engine in Engine::ALL.into_iter().filter(|engine| engine.check(&grid).is_ok()) {
            let (planner, bytes) = planner(&grid, engine);
            let (map, index, answers) = (grid.digest(), index_digest(&bytes), answers(&planner));
            let line = writeln!(table, "{name:6} {engine:10} {map:016x} {index:016x} {answers:016x}");
            line.expect("a string takes every line");
        }
    }
    table
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

fn map(kind: Kind, seed: u64) -> Grid {
    let map = generate(kind, SIZE.0, SIZE.1, seed).expect("the kinds are in range");
    let is_free = |cell: Cell| map.is_free_at((cell.x.into(), cell.y.into()));
    Grid::from_fn(SIZE.0, SIZE.1, is_free).expect("the size is in range")
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
                add_path(&mut digest, route.path());
            }
            Outcome::Unreachable => digest.add(b"unreachable"),
            _ => digest.add(b"there"),
        }
    }
    digest.0
}

fn add_path(digest: &mut Digest, path: Path<'_>) {
    match path {
        Path::Cells(cells) | Path::Waypoints(cells) => cells.iter().for_each(|&cell| digest.add_cell(cell)),
        other => digest.add(format!("{other:?}").as_bytes()),
    }
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
