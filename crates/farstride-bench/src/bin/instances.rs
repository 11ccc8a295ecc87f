//! What it costs to search a world of instanced buildings instead of the same
//! graph written out in full, and what an instance costs.

use clap::Parser;
use farstride::error::{SizeError, WorldError};
use farstride::graph::NumberedGrid;
use farstride::graph::{Graph, NodeId, RowGraph};
use farstride::grid::DiagonalCost;
use farstride::groups::world::{Catalog, Design, Door, InstanceId, Room, TypeId, World};
use farstride::search::{Counters, Memory, astar, dijkstra};
use farstride::{Cell, Cost, Grid};
use farstride_testkit::SplitMix64;
use std::error::Error;
use std::time::Instant;

/// Search a town of instanced buildings and the same town written out.
///
/// One thread. Every cost is compared; the two are searched in turn and each
/// time is the least of all passes.
#[derive(Parser)]
#[command(name = "instances", after_help = "Example:\n  instances --lots 32 --passes 5")]
struct Options {
    /// Lots per side of the town, each with a building
    #[arg(long, value_name = "N", default_value_t = 64)]
    lots: u32,

    /// Types of buildings
    #[arg(long, value_name = "N", default_value_t = 20)]
    types: u32,

    /// Searches to time per pass with A*
    #[arg(long, value_name = "N", default_value_t = 20)]
    queries: usize,

    /// Passes
    #[arg(long, value_name = "K", default_value_t = 5)]
    passes: usize,

    /// Instances to place and remove in the last table
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = [1_000, 100_000, 1_000_000])]
    instances: Vec<u32>,

    /// Seed of everything
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Side of a lot in cells: a building and the street around it.
const LOT: u32 = 16;
/// Cells between the edge of a lot and its building.
const STREET: u32 = 2;
/// Side of a building in cells.
const SIDE: u32 = LOT - 2 * STREET;
/// Floors of a building.
const FLOORS: u32 = 4;
/// Side of a chamber in cells: floors of nested buildings have three by three.
const CHAMBER: u32 = SIDE / 3;

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    println!(
        "| town | nodes | instances | search | expanded, written out | instances | \
         ns each, written out | instances | ratio |\n|---|---:|---:|---|---:|---:|---:|---:|---:|"
    );
    for nested in [false, true] {
        let name = if nested { "rooms in floors in buildings" } else { "plain buildings" };
        let town = Town::new(&options, nested)?;
        let ground = RowGraph::collect(&NumberedGrid::new(town.ground()?), town.cells())?.0;
        town.race(name, ground, &options)?;
        let name = format!("{name}, ground a grid");
        town.race(&name, NumberedGrid::new(town.ground()?), &options)?;
    }
    println!("\n| instances | bytes each | place, ns | remove, ns |\n|---:|---:|---:|---:|");
    for &count in &options.instances {
        place_and_remove(count, options.seed)?;
    }
    Ok(())
}

/// Costs of steps, straight and diagonal, and of stairs.
const STEP: DiagonalCost = DiagonalCost::Sqrt2;

/// Tail, head and cost of arcs.
type Arcs = Vec<(u32, u32, Cost)>;

/// Arcs between the cells of a square, some of them walls.
fn square(side: u32, walls: u32, random: &mut SplitMix64) -> Result<Arcs, SizeError> {
    let edge = side as u16 - 1;
    let is_edge = |cell: Cell| cell.x.is_multiple_of(edge) || cell.y.is_multiple_of(edge);
    let side = side as usize;
    let grid = Grid::from_fn(side, side, |cell| is_edge(cell) || !random.chance(walls))?;
    let grid = NumberedGrid::new(grid);
    let mut arcs = Vec::new();
    for tail in 0..grid.node_count() as u32 {
        grid.for_each_arc(NodeId::new(tail), |head, cost| arcs.push((tail, head.index() as u32, cost)));
    }
    Ok(arcs)
}

fn both_ways(a: u32, b: u32, cost: Cost) -> [(u32, u32, Cost); 2] {
    [(a, b, cost), (b, a, cost)]
}

/// Floors above each other with stairs in a corner, all nodes the building's
/// own. Doors are in the middle of the ground floor's sides.
fn plain(name: String, random: &mut SplitMix64) -> Result<Design, Box<dyn Error>> {
    let floor = SIDE * SIDE;
    let mut arcs = Vec::new();
    for level in 0..FLOORS {
        let moved = square(SIDE, 25, random)?.into_iter();
        arcs.extend(moved.map(|(tail, head, cost)| (level * floor + tail, level * floor + head, cost)));
        if level > 0 {
            arcs.extend(both_ways((level - 1) * floor, level * floor, STEP.straight()));
        }
    }
    Ok(Design {
        name,
        nodes: FLOORS * floor,
        arcs,
        rooms: Vec::new(),
        exits: vec![SIDE / 2, floor - SIDE / 2],
    })
}

/// The same size in nested types: a chamber, a floor of chambers that lead into
/// each other by passages, and a building of floors.
fn nested(at: u32, random: &mut SplitMix64) -> Result<[Design; 3], Box<dyn Error>> {
    let cells = CHAMBER * CHAMBER;
    let step = STEP.straight();
    let chamber = Design {
        name: format!("chamber {at}"),
        nodes: cells,
        arcs: square(CHAMBER, 25, random)?,
        rooms: Vec::new(),
        exits: vec![CHAMBER / 2, cells - 1 - CHAMBER / 2, CHAMBER, 2 * CHAMBER - 1, 0],
    };
    // Own nodes are the passages: twelve of them, between neighbouring chambers.
    let mut rooms: Vec<_> = (0..9).map(|_| Room { kind: TypeId::new(3 * at), doors: Vec::new() }).collect();
    let mut passages = 0;
    for (a, b, exits) in (0..9).flat_map(|at| [(at, at + 1, [3, 2]), (at, at + 3, [1, 0])]) {
        if b >= 9 || (exits[0] == 3 && b % 3 == 0) {
            continue;
        }
        for (room, exit) in [(a, exits[0]), (b, exits[1])] {
            rooms[room].doors.push(Door::both_ways(exit, NodeId::new(passages), step));
        }
        passages += 1;
    }
    let first = |room: u32| passages + room * cells;
    let exits = vec![first(0) + CHAMBER / 2, first(8) + cells - 1 - CHAMBER / 2, first(0)];
    let floor = Design { name: format!("floor {at}"), nodes: passages, arcs: Vec::new(), rooms, exits };
    // Own nodes are the landings of the stairs.
    let stairs = (1..FLOORS).flat_map(|level| both_ways(level - 1, level, step)).collect();
    let landing = |level| Door::both_ways(2, NodeId::new(level), step);
    let rooms = (0..FLOORS).map(|level| Room { kind: TypeId::new(3 * at + 1), doors: vec![landing(level)] });
    let exits = floor.exits[..2].iter().map(|exit| FLOORS + exit).collect();
    let building =
        Design { name: format!("building {at}"), nodes: FLOORS, arcs: stairs, rooms: rooms.collect(), exits };
    Ok([chamber, floor, building])
}

/// A town: lots in rows, a building in the middle of each.
struct Town {
    lots: u32,
    designs: Vec<Design>,
    /// The type of the building of every lot.
    kinds: Vec<TypeId>,
}

impl Town {
    fn new(options: &Options, is_nested: bool) -> Result<Self, Box<dyn Error>> {
        let mut random = SplitMix64::new(options.seed);
        let mut designs = Vec::new();
        for at in 0..options.types {
            if is_nested {
                designs.extend(nested(at, &mut random)?);
            } else {
                designs.push(plain(format!("building {at}"), &mut random)?);
            }
        }
        let kind = |at: u32| TypeId::new(if is_nested { 3 * at + 2 } else { at });
        let kinds = (0..options.lots * options.lots)
            .map(|_| kind(random.below(options.types as usize) as u32))
            .collect();
        Ok(Self { lots: options.lots, designs, kinds })
    }

    /// Streets; the ground is blocked where buildings are.
    fn ground(&self) -> Result<Grid, Box<dyn Error>> {
        let side = (self.lots * LOT) as usize;
        let inside = |at: u16| (STREET..LOT - STREET).contains(&(u32::from(at) % LOT));
        Ok(Grid::from_fn(side, side, |cell| !(inside(cell.x) && inside(cell.y)))?)
    }

    fn cells(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.lots * self.lots * LOT * LOT).map(NodeId::new)
    }

    /// The cell of the ground at a place within a lot.
    fn cell(&self, lot: u32, x: u32, y: u32) -> NodeId {
        let (left, top) = (lot % self.lots * LOT, lot / self.lots * LOT);
        NodeId::new((top + y) * self.lots * LOT + left + x)
    }

    fn world<B: Graph<Node = NodeId>>(&self, ground: B) -> Result<World<B>, WorldError> {
        let mut world = World::new(ground, Catalog::new(self.designs.clone())?);
        for (lot, &kind) in (0..).zip(&self.kinds) {
            let above = self.cell(lot, LOT / 2, STREET - 1);
            let below = self.cell(lot, LOT / 2, LOT - STREET);
            let doors =
                [Door::both_ways(0, above, STEP.straight()), Door::both_ways(1, below, STEP.straight())];
            world.place(kind, &doors)?;
        }
        Ok(world)
    }

    /// Where nodes are: what A* is led by.
    fn areas<B: Graph<Node = NodeId>>(&self, world: &World<B>) -> Vec<Area> {
        let side = self.lots * LOT;
        let area = |number: u32| match world.instance_of(NodeId::new(number)) {
            Some((instance, _)) => {
                let corner = self.cell(instance.index() as u32, STREET, STREET).index() as u32;
                Area::new(corner % side, corner / side, SIDE)
            }
            None => Area::new(number % side, number / side, 1),
        };
        (0..world.node_count() as u32).map(area).collect()
    }

    fn race<B: Graph<Node = NodeId>>(
        &self,
        name: &str,
        ground: B,
        options: &Options,
    ) -> Result<(), Box<dyn Error>> {
        let world = self.world(ground)?;
        let areas = self.areas(&world);
        let (flat, _) = RowGraph::collect(&world.view(), (0..world.node_count() as u32).map(NodeId::new))?;
        let mut random = SplitMix64::new(options.seed);
        let starts = [self.cell(0, 0, 0)];
        let mut race = Race { flat: &flat, world: &world, areas: &areas, memory: Memory::default() };
        race.run(name, &[(starts[0], None)], options.passes)?;
        let mut ends = || loop {
            let node = NodeId::new(random.below(world.node_count()) as u32);
            if !flat.arcs(node).is_empty() {
                break node;
            }
        };
        let queries: Vec<_> = (0..options.queries).map(|_| (ends(), Some(ends()))).collect();
        race.run(name, &queries, options.passes)
    }
}

/// A cell of the ground, or those on which a building stands.
#[derive(Clone, Copy)]
struct Area {
    left: u16,
    top: u16,
    side: u16,
}

impl Area {
    const fn new(left: u32, top: u32, side: u32) -> Self {
        Self { left: left as u16, top: top as u16, side: side as u16 }
    }

    /// Least cost from one area to another.
    fn bound(self, other: Self) -> Cost {
        let gap = |a: u16, a_side: u16, b: u16, b_side: u16| {
            (b + 1).saturating_sub(a + a_side).max((a + 1).saturating_sub(b + b_side))
        };
        let [x, y] = [
            gap(self.left, self.side, other.left, other.side),
            gap(self.top, self.side, other.top, other.side),
        ];
        STEP.octile(Cell::new(0, 0), Cell::new(x, y))
    }
}

/// From where, and to where unless everywhere.
type Query = (NodeId, Option<NodeId>);

struct Race<'a, B> {
    flat: &'a RowGraph,
    world: &'a World<B>,
    areas: &'a [Area],
    memory: Memory,
}

impl<B: Graph<Node = NodeId>> Race<'_, B> {
    /// Cost of the goal, or of every node.
    fn costs(&self, goal: Option<NodeId>) -> Vec<Option<Cost>> {
        let nodes = goal.map_or(0..self.world.node_count(), |goal| goal.index()..goal.index() + 1);
        nodes.map(|node| self.memory.cost(node)).collect()
    }

    fn run(&mut self, name: &str, queries: &[Query], passes: usize) -> Result<(), Box<dyn Error>> {
        let (mut least, mut expanded) = ([f64::INFINITY; 2], [0; 2]);
        for &query in queries {
            let mut counters = [Counters::default(), Counters::default()];
            search(self.flat, query, self.areas, &mut self.memory, &mut counters[0]);
            let mut costs = [self.costs(query.1), Vec::new()];
            search(&self.world.view(), query, self.areas, &mut self.memory, &mut counters[1]);
            costs[1] = self.costs(query.1);
            if costs[0] != costs[1] {
                return Err(format!("{query:?} has other costs in the world than written out").into());
            }
            for (sum, counters) in expanded.iter_mut().zip(&counters) {
                *sum += counters.expanded;
            }
        }
        for _ in 0..passes {
            let begun = Instant::now();
            for &query in queries {
                search(self.flat, query, self.areas, &mut self.memory, &mut ());
            }
            least[0] = least[0].min(begun.elapsed().as_secs_f64());
            let begun = Instant::now();
            let view = self.world.view();
            for &query in queries {
                search(&view, query, self.areas, &mut self.memory, &mut ());
            }
            least[1] = least[1].min(begun.elapsed().as_secs_f64());
        }
        let each = [0, 1].map(|way| least[way] * 1e9 / expanded[way] as f64);
        println!(
            "| {name} | {} | {} | {} | {} | {} | {:.1} | {:.1} | {:.2} |",
            self.world.node_count(),
            self.world.instance_slots(),
            if queries[0].1.is_some() { "A*" } else { "Dijkstra" },
            expanded[0],
            expanded[1],
            each[0],
            each[1],
            each[1] / each[0]
        );
        Ok(())
    }
}

/// A* to the goal, or Dijkstra to everything.
fn search<G: Graph<Node = NodeId>>(
    graph: &G,
    (start, goal): Query,
    areas: &[Area],
    memory: &mut Memory,
    observer: &mut impl farstride::search::Observer<NodeId>,
) {
    let Some(goal) = goal else {
        dijkstra(graph, start, memory, observer);
        return;
    };
    let end = areas[goal.index()];
    let bound = |node: NodeId| areas[node.index()].bound(end);
    astar(graph, start, goal, bound, memory, observer);
}

/// Times and sizes of instances with two doors each.
fn place_and_remove(count: u32, seed: u64) -> Result<(), Box<dyn Error>> {
    let mut random = SplitMix64::new(seed);
    let ground = NumberedGrid::new(Grid::empty(2000, 1000)?);
    let nodes = ground.node_count();
    let mut world = World::new(ground, Catalog::new(vec![plain("building".into(), &mut random)?])?);
    let empty = world.memory_bytes();
    let mut door = |exit| Door::both_ways(exit, NodeId::new(random.below(nodes) as u32), STEP.straight());
    let doors: Vec<_> = (0..count).map(|_| [door(0), door(1)]).collect();
    let begun = Instant::now();
    let mut placed: Vec<InstanceId> = Vec::with_capacity(doors.len());
    for doors in &doors {
        placed.push(world.place(TypeId::new(0), doors)?);
    }
    let place = begun.elapsed();
    let bytes = (world.memory_bytes() - empty) as f64 / f64::from(count);
    for last in (1..placed.len()).rev() {
        placed.swap(last, random.below(last + 1));
    }
    let begun = Instant::now();
    for instance in placed {
        world.remove(instance)?;
    }
    let [place, remove] = [place, begun.elapsed()].map(|time| time.as_secs_f64() * 1e9 / f64::from(count));
    println!("| {count} | {bytes:.1} | {place:.0} | {remove:.0} |");
    Ok(())
}
