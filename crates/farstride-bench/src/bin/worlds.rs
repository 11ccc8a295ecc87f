//! Worlds of many floors and movers: queries through links, edits, substitutes.

use clap::Parser;
use farstride::atlas::{Atlas, AtlasScratch, Floor, FloorId, Link, Mover, MoverId, Place, TileMap};
use farstride::graph::{Graph, NodeId};
use farstride::search::{Memory, dijkstra};
use farstride::{Cell, Cost, Engine, Planner, Query, Rect};
use farstride_bench::workload::grid;
use farstride_testkit::{Kind, SplitMix64, generate};
use std::collections::HashMap;
use std::error::Error;
use std::time::{Duration, Instant};

/// Measure a colony of caves on many floors, a dozen kinds of movers on one floor, and
/// substitutes for goals that cannot be reached.
///
/// One thread for queries, of which the least of three times counts; all cores for edits, each
/// timed once.
#[derive(Parser)]
#[command(name = "worlds", after_help = "Example:\n  worlds --floors 20 --side 256 --queries 2000")]
struct Options {
    /// Floors of the colony
    #[arg(long, value_name = "N", default_value_t = 20)]
    floors: usize,

    /// Side of a floor of the colony in cells
    #[arg(long, value_name = "N", default_value_t = 256)]
    side: usize,

    /// Stairs between two floors
    #[arg(long, value_name = "N", default_value_t = 40)]
    stairs: usize,

    /// Queries of each measurement
    #[arg(long, value_name = "N", default_value_t = 2000)]
    queries: usize,

    /// Edits of each measurement
    #[arg(long, value_name = "N", default_value_t = 200)]
    edits: usize,

    /// Seed of maps and queries
    #[arg(long, default_value_t = 7)]
    seed: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    substitutes(&options)?;
    colony(&options)?;
    dozen(&options)
}

/// Times of single calls.
#[derive(Default)]
struct Times(Vec<Duration>);

impl Times {
    fn take<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let result = work();
        self.0.push(begun.elapsed());
        result
    }

    /// The least of three: what else runs on the machine counts as little as can be.
    fn least<T>(&mut self, mut work: impl FnMut() -> T) {
        let time = || {
            let begun = Instant::now();
            std::hint::black_box(work());
            begun.elapsed()
        };
        self.0.extend(std::iter::repeat_with(time).take(3).min());
    }

    /// Mean, median, 99th percentile and maximum in microseconds.
    fn told(&mut self) -> String {
        self.0.sort_unstable();
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let mean = self.0.iter().map(|&time| micros(time)).sum::<f64>() / self.0.len() as f64;
        let at = |share: usize| micros(self.0[(self.0.len() - 1) * share / 100]);
        format!("mean {mean:.2} median {:.2} p99 {:.2} max {:.2} us", at(50), at(99), at(100))
    }
}

fn substitutes(options: &Options) -> Result<(), Box<dyn Error>> {
    println!("substitutes on 1024 x 1024, queries without an answer:");
    for kind in [
        Kind::Random { blocked_percent: 42 },
        Kind::Caves { blocked_percent: 45, rounds: 4 },
        Kind::City { block: 40, street: 4 },
        Kind::Maze { corridor: 2, wall: 2 },
    ] {
        let planner = Planner::with_engine(grid(&generate(kind, 1024, 1024, options.seed)?), Engine::Astar)?;
        let mut random = SplitMix64::new(options.seed);
        let mut times = Times::default();
        while times.0.len() < options.queries {
            let mut cell = || Cell::new(random.below(1024) as u16, random.below(1024) as u16);
            let query = Query::new(cell(), cell());
            if !planner.grid().is_connected(query.start, query.goal) {
                times.least(|| planner.substitute(query));
            }
        }
        println!("  {:8} {}", kind.name(), times.told());
    }
    Ok(())
}

/// Caves on floors with stairs between each and the next.
fn caves(options: &Options) -> Result<TileMap, Box<dyn Error>> {
    let mut random = SplitMix64::new(options.seed);
    let mut tiles = TileMap::new();
    let mut maps = Vec::new();
    for floor in 0..options.floors {
        let kind = Kind::Caves { blocked_percent: 45, rounds: 4 };
        let map = generate(kind, options.side, options.side, options.seed + floor as u64)?;
        let classes: Vec<u8> = map.free.iter().map(|&free| if free { b'.' } else { b'#' }).collect();
        tiles.add_floor(Floor::new(options.side, options.side, classes)?)?;
        maps.push(map);
    }
    let stair = Cost::new(2 * 4756)?;
    for floor in 1..options.floors {
        for _ in 0..options.stairs {
            let point = loop {
                let point = (random.below(options.side), random.below(options.side));
                if maps[floor - 1].is_free_at(point) && maps[floor].is_free_at(point) {
                    break point;
                }
            };
            let place =
                |floor: usize| Place::new(FloorId::new(floor as u16), (point.0 as u16, point.1 as u16));
            tiles.add_link(Link::new(place(floor - 1), place(floor), stair))?;
        }
    }
    Ok(tiles)
}

/// The whole colony as one graph.
struct Whole<'a> {
    atlas: &'a Atlas,
    mover: MoverId,
    links: HashMap<u32, Vec<(u32, Cost)>>,
    side: usize,
}

impl<'a> Whole<'a> {
    fn new(atlas: &'a Atlas, mover: MoverId, side: usize) -> Self {
        let mut links: HashMap<u32, Vec<(u32, Cost)>> = HashMap::new();
        for (_, link) in atlas.tiles().links() {
            let (from, to) = (number(link.from, side), number(link.to, side));
            links.entry(from).or_default().push((to, link.cost));
            links.entry(to).or_default().push((from, link.cost));
        }
        Self { atlas, mover, links, side }
    }
}

fn number(place: Place, side: usize) -> u32 {
    ((place.floor.index() * side + usize::from(place.cell.y)) * side + usize::from(place.cell.x)) as u32
}

impl Graph for Whole<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.atlas.tiles().floor_count() * self.side * self.side
    }

    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let (floor, within) =
            (node.index() / (self.side * self.side), node.index() % (self.side * self.side));
        let cell = Cell::new((within % self.side) as u16, (within / self.side) as u16);
        let floor = FloorId::new(floor as u16);
        let Ok(planner) = self.atlas.planner(self.mover, floor) else { return };
        let cost = planner.grid().rules().diagonal_cost;
        for direction in planner.grid().moves(cell) {
            let step = if direction.is_diagonal() { cost.diagonal() } else { cost.straight() };
            visit(NodeId::new(number(Place::new(floor, cell.step(direction)), self.side)), step);
        }
        for &(to, cost) in self.links.get(&(node.index() as u32)).into_iter().flatten() {
            visit(NodeId::new(to), cost);
        }
    }
}

/// Draws a place where the mover can stand.
fn stand(atlas: &Atlas, mover: MoverId, random: &mut SplitMix64) -> Result<Place, Box<dyn Error>> {
    loop {
        let floor = FloorId::new(random.below(atlas.tiles().floor_count()) as u16);
        let grid = atlas.planner(mover, floor)?.grid();
        let cell = Cell::new(random.below(grid.width()) as u16, random.below(grid.height()) as u16);
        if grid.is_free(cell) {
            return Ok(Place::new(floor, cell));
        }
    }
}

fn colony(options: &Options) -> Result<(), Box<dyn Error>> {
    let Options { floors, side, stairs, .. } = options;
    println!("colony of {side} x {side} x {floors}, {stairs} stairs between two floors:");
    for engine in [Engine::Labels, Engine::Overlay, Engine::Hpa] {
        let mut atlas = Atlas::new(caves(options)?)?;
        let mover = atlas.add_mover(Mover::new().entering(b'.', 1).with_engine(engine))?;
        let begun = Instant::now();
        atlas.prepare(mover)?;
        println!("  {engine}: prepared in {:.2} s", begun.elapsed().as_secs_f64());
        let mut random = SplitMix64::new(options.seed);
        queries(&atlas, mover, options, &mut random)?;
        exactness(&atlas, mover, options)?;
        items(&atlas, mover, options)?;
        if engine != Engine::Labels {
            edits(&mut atlas, mover, options, &mut random)?;
        }
    }
    Ok(())
}

fn queries(
    atlas: &Atlas,
    mover: MoverId,
    options: &Options,
    random: &mut SplitMix64,
) -> Result<(), Box<dyn Error>> {
    let mut scratch = AtlasScratch::new();
    let (mut times, mut reach) = (Times::default(), Times::default());
    let mut links = 0;
    for _ in 0..options.queries {
        let (from, to) = (stand(atlas, mover, random)?, stand(atlas, mover, random)?);
        times.least(|| atlas.find(mover, from, to, &mut scratch).map(|_| ()));
        let outcome = atlas.find(mover, from, to, &mut scratch)?;
        links += outcome.trip().map_or(0, |trip| trip.links().count());
        reach.least(|| (0..100).filter(|_| atlas.can_reach(mover, from, to) == Ok(true)).count());
    }
    println!("    find        {}; {:.1} links", times.told(), links as f64 / options.queries as f64);
    println!("    100 can_reach {}", reach.told());
    Ok(())
}

fn exactness(atlas: &Atlas, mover: MoverId, options: &Options) -> Result<(), Box<dyn Error>> {
    let whole = Whole::new(atlas, mover, options.side);
    let mut random = SplitMix64::new(options.seed + 1);
    let (mut memory, mut scratch) = (Memory::default(), AtlasScratch::new());
    let mut times = Times::default();
    let (mut sum, mut worst, mut count) = (0.0, 0.0_f64, 0);
    for _ in 0..5 {
        let from = stand(atlas, mover, &mut random)?;
        times.take(|| dijkstra(&whole, NodeId::new(number(from, options.side)), &mut memory, &mut ()));
        for _ in 0..200 {
            let to = stand(atlas, mover, &mut random)?;
            let least = memory.cost(number(to, options.side) as usize);
            let found = atlas.find(mover, from, to, &mut scratch)?;
            if let (Some(least), Some(trip)) = (least, found.trip()) {
                let excess = trip.cost().units() as f64 / least.units() as f64 * 100.0 - 100.0;
                (sum, worst, count) = (sum + excess, worst.max(excess), count + 1);
            }
        }
    }
    println!("    above the least cost: mean {:.4} % max {worst:.4} % of {count}", sum / f64::from(count));
    println!("    Dijkstra on the whole graph {}", times.told());
    Ok(())
}

/// The nearest of 3,000 items: all over the colony, and all in a far corner of its last floor.
fn items(atlas: &Atlas, mover: MoverId, options: &Options) -> Result<(), Box<dyn Error>> {
    let mut random = SplitMix64::new(options.seed + 2);
    let mut scratch = AtlasScratch::new();
    let near: Vec<Place> =
        (0..3000).map(|_| stand(atlas, mover, &mut random)).collect::<Result<_, Box<dyn Error>>>()?;
    let last = FloorId::new((options.floors - 1) as u16);
    let grid = atlas.planner(mover, last)?.grid();
    let free = grid.area().cells().filter(|&cell| grid.is_free(cell)).map(|cell| Place::new(last, cell));
    let free: Vec<Place> = free.collect();
    let far = free[free.len().saturating_sub(3000)..].to_vec();
    for (name, goals) in [("all over", near), ("far away", far)] {
        let mut times = Times::default();
        while times.0.len() < options.queries.min(100) {
            let from = Place::new(FloorId::new(0), stand(atlas, mover, &mut random)?.cell);
            if atlas.can_reach(mover, from, goals[0])? {
                times.least(|| atlas.nearest(mover, from, &goals, &mut scratch).map(|found| found.is_some()));
            }
        }
        println!("    nearest of 3000 {name} {}", times.told());
    }
    Ok(())
}

fn edits(
    atlas: &mut Atlas,
    mover: MoverId,
    options: &Options,
    random: &mut SplitMix64,
) -> Result<(), Box<dyn Error>> {
    let mut scratch = AtlasScratch::new();
    let (mut times, mut after) = (Times::default(), Times::default());
    for edit in 0..options.edits {
        let (floor, cell, class) = loop {
            let floor = FloorId::new(random.below(options.floors) as u16);
            let cell = Cell::new(random.below(options.side) as u16, random.below(options.side) as u16);
            let class = if edit % 2 == 0 { b'.' } else { b'#' };
            if atlas.tiles().floor(floor).and_then(|floor| floor.class(cell)) != Some(class) {
                break (floor, cell, class);
            }
        };
        times.take(|| atlas.edit(|tiles| tiles.fill(floor, cell, class)))?;
        for _ in 0..5 {
            let (from, to) = (stand(atlas, mover, random)?, stand(atlas, mover, random)?);
            after.take(|| atlas.find(mover, from, to, &mut scratch).map(|_| ()))?;
        }
    }
    println!("    edit        {}", times.told());
    println!("    find, five after each edit {}", after.told());
    Ok(())
}

/// Twelve kinds of movers on one floor, three by three buildings.
fn dozen(options: &Options) -> Result<(), Box<dyn Error>> {
    let mut random = SplitMix64::new(options.seed);
    let side = 512;
    let map = generate(Kind::World, side, side, options.seed)?;
    let classes: Vec<u8> = map
        .free
        .iter()
        .enumerate()
        .map(|(at, &free)| if free { b"..,~"[at / 37 % 4] } else { b'#' })
        .collect();
    let mut land = TileMap::new();
    let floor = land.add_floor(Floor::new(side, side, classes)?)?;
    for movers in [1, 3, 12] {
        let mut atlas = Atlas::new(land.clone())?;
        for number in 0..movers {
            let mover = Mover::new()
                .entering(b'.', 1)
                .entering(b',', 1 + number / 4)
                .entering(b'~', [0, 3, 9, 1][usize::from(number % 4)])
                .sized(1 + u16::from(number % 3));
            let mover = atlas.add_mover(mover)?;
            atlas.prepare(mover)?;
        }
        let mut times = Times::default();
        for edit in 0..options.edits {
            let at = Cell::new(random.below(side - 3) as u16, random.below(side - 3) as u16);
            let area = Rect::spanning(at, Cell::new(at.x + 2, at.y + 2));
            let class = if edit % 2 == 0 { b'#' } else { b'.' };
            times.take(|| atlas.edit(|tiles| tiles.fill(floor, area, class)))?;
        }
        let maps = atlas.ground_count();
        println!(
            "{movers} movers on {side} x {side} with {maps} maps, a building of 3 x 3: {}",
            times.told()
        );
    }
    Ok(())
}
