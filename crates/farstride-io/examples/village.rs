//! A village on a meadow: houses that are stored once and placed many times, one
//! type with chambers of a type of their own, and a footbridge that comes and
//! goes. After Millington, *AI for Games*, section 4.6.5.
//!
//! ```text
//! cargo run -p farstride-io --example village -- [FOLDER]
//! ```

use farstride::graph::NumberedGrid;
use farstride::groups::world::{Catalog, Design, Door, InstanceId, Room, TypeId, World, WorldGroups};
use farstride::groups::{Blocks, Connection, Ground, GroupHierarchy, GroupId, GroupRoute, GroupScratch};
use farstride::{Cell, Cost, Graph, Grid, NodeId, Rect};
use farstride_io::diagram::{Area, Diagram, Group, Node, Panel, Route, Sample};
use farstride_io::picture::Colour;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

/// Units of cost per cell: those of a step on a road.
const STEP: u32 = 4756;
const MEADOW: u8 = 3;

const GRASS: Colour = Colour::rgb(0xe6, 0xf0, 0xd8);
const ROAD: Colour = Colour::rgb(0xd9, 0xcf, 0xb0);
const WATER: Colour = Colour::rgb(0xa9, 0xd0, 0xe8);
const WOOD: Colour = Colour::rgb(0xf6, 0xe7, 0xd3);

/// Corner cells of the roads, and of the brook that one of them fords.
const ROADS: [[(u16, u16); 2]; 5] = [
    [(0, 11), (21, 11)],
    [(18, 11), (18, 20)],
    [(18, 20), (27, 20)],
    [(27, 11), (27, 20)],
    [(24, 11), (45, 11)],
];
const BROOK: [[(u16, u16); 2]; 2] = [[(22, 0), (23, 18)], [(22, 22), (23, 23)]];

type Point = (f64, f64);

/// A type of building: its size in cells, where its own nodes are, which of them
/// are joined and which are exits, and its rooms: type, corner, own node before
/// the door.
struct Plan {
    name: &'static str,
    size: Point,
    nodes: &'static [Point],
    joined: &'static [(usize, usize)],
    exits: &'static [u32],
    rooms: &'static [(usize, Point, usize)],
}

const CHAMBER: usize = 0;
const COTTAGE: usize = 1;
const FARMHOUSE: usize = 2;
const BARN: usize = 3;
const FOOTBRIDGE: usize = 4;

const PLANS: [Plan; 5] = [
    Plan {
        name: "chamber",
        size: (3.0, 2.4),
        nodes: &[(1.5, 1.8), (0.7, 0.7)],
        joined: &[(0, 1)],
        exits: &[0],
        rooms: &[],
    },
    Plan {
        name: "cottage",
        size: (5.0, 4.0),
        nodes: &[(2.5, 3.3), (1.1, 1.2), (3.9, 1.2)],
        joined: &[(0, 1), (0, 2), (1, 2)],
        exits: &[0],
        rooms: &[],
    },
    Plan {
        name: "farmhouse",
        size: (9.0, 5.0),
        nodes: &[(4.5, 4.3), (1.5, 3.5), (4.5, 3.3), (7.5, 3.6), (7.5, 0.9)],
        joined: &[(0, 1), (0, 2), (0, 3), (1, 2), (2, 3), (3, 4)],
        exits: &[0, 4],
        rooms: &[(CHAMBER, (0.0, 0.0), 1), (CHAMBER, (3.0, 0.0), 2)],
    },
    Plan {
        name: "barn",
        size: (6.0, 4.0),
        nodes: &[(3.5, 3.3), (3.0, 2.0), (3.5, 0.7)],
        joined: &[(0, 1), (1, 2)],
        exits: &[0, 2],
        rooms: &[],
    },
    Plan {
        name: "footbridge",
        size: (2.0, 1.0),
        nodes: &[(0.5, 0.5), (1.5, 0.5)],
        joined: &[(0, 1)],
        exits: &[0, 1],
        rooms: &[],
    },
];

/// Types of the houses, the cell at their upper left corner, and whether they are
/// turned upside down.
const HOUSES: [(usize, (u16, u16), bool); 7] = [
    (COTTAGE, (1, 4), false),
    (FARMHOUSE, (8, 3), false),
    (BARN, (2, 14), true),
    (COTTAGE, (11, 15), true),
    (COTTAGE, (29, 4), false),
    (BARN, (37, 4), false),
    (FARMHOUSE, (32, 14), true),
];

/// The bed of the second chamber of the farmhouse in the west, and a chair in the
/// cottage in the east: houses and numbers of nodes within them.
const BED: (usize, u32) = (1, 8);
const CHAIR: (usize, u32) = (4, 1);

struct Village {
    world: World<NumberedGrid>,
    /// Every instance with its type, its corner and whether it is turned.
    placed: Vec<(InstanceId, usize, (u16, u16), bool)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    let file = Path::new(&folder).join("groups-village.svg");
    std::fs::write(&file, village()?.to_svg()?)?;
    println!("{}", file.display());
    Ok(())
}

/// Goes from the bed to the chair, without the footbridge and with it.
pub(crate) fn village() -> Result<Diagram, Box<dyn Error>> {
    let grid = meadow()?;
    let blocks = Blocks::new(&grid, 8);
    let quarters = blocks.above(1, 3);
    let catalog = Catalog::new(PLANS.iter().map(Plan::design).collect::<Result<_, _>>()?)?;
    let mut village =
        Village { world: World::new(NumberedGrid::new(grid.clone()), catalog), placed: Vec::new() };
    for (kind, corner, turned) in HOUSES {
        village.place(kind, corner, turned)?;
    }
    village.tell()?;

    let groups = WorldGroups::new(&village.world, &blocks);
    let ground = Ground::new(&village.world, &groups);
    let uppers = vec![groups.above(&quarters)];
    let mut hierarchy = GroupHierarchy::build(ground, uppers, Connection::Average)?;
    let (round, long) = village.route(&hierarchy, &blocks)?;
    println!("By the ford: {:.1} steps on a road", steps(long));

    let bridge = village.place(FOOTBRIDGE, (22, 11), false)?;
    let groups = WorldGroups::new(&village.world, &blocks);
    let ground = Ground::new(&village.world, &groups);
    hierarchy.add_groups(&[groups.above_instance(&quarters, bridge)])?;
    hierarchy.update_groups(ground, groups.around(bridge))?;
    assert_eq!(hierarchy, GroupHierarchy::build(ground, vec![groups.above(&quarters)], Connection::Average)?);
    let (straight, short) = village.route(&hierarchy, &blocks)?;
    println!("By the footbridge: {:.1}", steps(short));
    assert!(straight.iter().any(|&node| village.world.nodes_of(bridge).contains(&(node.index() as u32))));
    assert!(short < long);
    let diagram = village.draw([(&straight, short), (&round, long)]);

    let around: Vec<GroupId> = groups.around(bridge).collect();
    village.world.remove(bridge)?;
    let groups = WorldGroups::new(&village.world, &blocks);
    hierarchy.update_groups(Ground::new(&village.world, &groups), around)?;
    assert_eq!(village.route(&hierarchy, &blocks)?, (round, long));
    println!("The footbridge is gone, and the way is the old one");
    Ok(diagram)
}

/// Roads, meadow, and a brook; cells under houses are blocked.
fn meadow() -> Result<Grid, Box<dyn Error>> {
    let mut grid = Grid::open(46, 24)?;
    let area = |[from, to]: [(u16, u16); 2]| Rect::spanning(Cell::new(from.0, from.1), Cell::new(to.0, to.1));
    grid.set_weight(grid.area(), MEADOW)?;
    for road in ROADS {
        grid.set_weight(area(road), 1)?;
    }
    for water in BROOK {
        grid.block(area(water))?;
    }
    for (kind, (x, y), _) in HOUSES {
        let (width, height) = PLANS[kind].size;
        grid.block(area([(x, y), (x + width as u16 - 1, y + height as u16 - 1)]))?;
    }
    Ok(grid)
}

fn steps(cost: Cost) -> f64 {
    cost.units() as f64 / f64::from(STEP)
}

fn cost(from: Point, to: Point) -> Result<Cost, Box<dyn Error>> {
    Ok(Cost::scaled((from.0 - to.0).hypot(from.1 - to.1), STEP).ok_or("no cost")?)
}

impl Plan {
    fn design(&self) -> Result<Design, Box<dyn Error>> {
        let places = self.places();
        let mut arcs = Vec::new();
        for &(a, b) in self.joined {
            let cost = cost(places[a], places[b])?;
            arcs.extend([(a as u32, b as u32, cost), (b as u32, a as u32, cost)]);
        }
        let mut first = self.nodes.len();
        let mut rooms = Vec::new();
        for &(kind, _, before) in self.rooms {
            let door = Door::both_ways(0, NodeId::new(before as u32), cost(places[first], places[before])?);
            rooms.push(Room { kind: TypeId::new(kind as u32), doors: vec![door] });
            first += PLANS[kind].places().len();
        }
        let nodes = self.nodes.len() as u32;
        Ok(Design { name: self.name.into(), nodes, arcs, rooms, exits: self.exits.to_vec() })
    }

    /// Where the nodes are, those of rooms after its own.
    fn places(&self) -> Vec<Point> {
        let mut places = self.nodes.to_vec();
        for &(kind, corner, _) in self.rooms {
            places.extend(PLANS[kind].places().into_iter().map(|(x, y)| (corner.0 + x, corner.1 + y)));
        }
        places
    }

    /// A point of the plan on the map.
    fn on_map(&self, (x, y): Point, corner: (u16, u16), turned: bool) -> Point {
        let y = if turned { self.size.1 - y } else { y };
        (f64::from(corner.0) + x, f64::from(corner.1) + y)
    }

    /// The cell in front of an exit: beyond the nearest wall.
    fn in_front(&self, exit: u32, corner: (u16, u16), turned: bool) -> Cell {
        let (x, y) = self.on_map(self.nodes[exit as usize], corner, turned);
        let (left, top) = (f64::from(corner.0), f64::from(corner.1));
        let beyond = [
            (x - left, (left - 1.0, y)),
            (left + self.size.0 - x, (left + self.size.0, y)),
            (y - top, (x, top - 1.0)),
            (top + self.size.1 - y, (x, top + self.size.1)),
        ];
        let nearest = beyond.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
        let (_, (x, y)) = nearest.unwrap_or_default();
        Cell::new(x as u16, y as u16)
    }

    /// Walls and doors.
    fn draw(&self, panel: &mut Panel, corner: (u16, u16), turned: bool) {
        let at = |point| self.on_map(point, corner, turned);
        panel.area(Area::room(at((0.0, 0.0)), at(self.size)).colour(WOOD));
        for &(kind, (x, y), _) in self.rooms {
            let Self { size: (width, height), nodes, .. } = &PLANS[kind];
            panel.area(Area::room(at((x, y)), at((x + width, y + height))).colour(WOOD));
            let middle = x + nodes[0].0;
            let posts = [middle - 0.4, middle + 0.4].map(|x| at((x, y + height)));
            panel.area(Area::door(posts[0], posts[1]).colour(WOOD));
        }
        for &exit in self.exits {
            let Cell { x, y } = self.in_front(exit, corner, turned);
            let (x, y) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
            let (left, top) = (f64::from(corner.0), f64::from(corner.1));
            let wall = (x.clamp(left, left + self.size.0), y.clamp(top, top + self.size.1));
            let half = if (wall.1 - y).abs() > 0.1 { (0.4, 0.0) } else { (0.0, 0.4) };
            let posts = [(wall.0 - half.0, wall.1 - half.1), (wall.0 + half.0, wall.1 + half.1)];
            panel.area(Area::door(posts[0], posts[1]).colour(WOOD));
        }
    }
}

impl Village {
    fn place(&mut self, kind: usize, corner: (u16, u16), turned: bool) -> Result<InstanceId, Box<dyn Error>> {
        let plan = &PLANS[kind];
        let mut doors = Vec::new();
        for (exit, &node) in (0..).zip(plan.exits) {
            let cell = plan.in_front(node, corner, turned);
            let outside = self.world.base().node(cell).ok_or("a door leads off the map")?;
            doors.push(Door::both_ways(exit, outside, Cost::new(STEP.into())?));
        }
        let instance = self.world.place(TypeId::new(kind as u32), &doors)?;
        self.placed.push((instance, kind, corner, turned));
        Ok(instance)
    }

    /// Tells the numbers of all nodes, and what a thousand more cottages would take.
    fn tell(&self) -> Result<(), Box<dyn Error>> {
        for &(instance, kind, ..) in &self.placed {
            println!("{}: nodes {:?}", PLANS[kind].name, self.world.nodes_of(instance));
        }
        let mut town = World::new(self.world.base().clone(), Arc::clone(self.world.catalog()));
        let before = town.memory_bytes();
        let door = Door::both_ways(0, NodeId::new(0), Cost::ZERO);
        for _ in 0..1000 {
            town.place(TypeId::new(COTTAGE as u32), &[door])?;
        }
        let each = (town.memory_bytes() - before) / 1000;
        println!("{} bytes for all types, {each} for each cottage", town.catalog().memory_bytes());
        Ok(())
    }

    fn node(&self, (house, node): (usize, u32)) -> NodeId {
        NodeId::new(self.world.nodes_of(self.placed[house].0).start + node)
    }

    /// The way from the bed to the chair.
    fn route(
        &self,
        hierarchy: &GroupHierarchy<NodeId>,
        blocks: &Blocks<'_>,
    ) -> Result<(Vec<NodeId>, Cost), Box<dyn Error>> {
        let (view, groups) = (self.world.view(), WorldGroups::new(&self.world, blocks));
        let navigator = hierarchy.on(&view, &groups)?;
        match navigator.find(self.node(BED), self.node(CHAIR), &mut GroupScratch::default()) {
            GroupRoute::Found { path, cost } => Ok((path.to_vec(), cost)),
            _ => Err("no route".into()),
        }
    }

    fn draw(&self, routes: [(&[NodeId], Cost); 2]) -> Diagram {
        let mut panel = Panel::new("");
        panel.background(GRASS).area(cells([BROOK[0][0], BROOK[1][1]], WATER));
        for road in ROADS {
            panel.area(cells(road, ROAD));
        }
        let mut number_of = vec![None; self.world.node_count()];
        let mut count = 0;
        for &(instance, kind, corner, turned) in &self.placed {
            let plan = &PLANS[kind];
            plan.draw(&mut panel, corner, turned);
            let first = count;
            for (node, place) in self.world.nodes_of(instance).zip(plan.places()) {
                panel.node(plan.on_map(place, corner, turned));
                number_of[node as usize] = Some(count);
                count += 1;
            }
            let [corner, opposite] = [(0.0, 0.0), plan.size].map(|point| plan.on_map(point, corner, turned));
            let group = Group::of(first..count).framed(corner, opposite).name(plan.name);
            let stands_for = first + self.draw_inside(&mut panel, instance, first);
            panel.group(group.colour(Colour::group(kind)).representative(stands_for));
        }
        for ((path, cost), name) in routes.into_iter().zip(["by the footbridge", "by the ford"]) {
            let mut way = Vec::new();
            for node in self.turns(path) {
                let number = number_of[node.index()].get_or_insert_with(|| {
                    let cell = self.world.base().cell(node).unwrap_or_default();
                    panel.node(Node::at(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5).size(0.25));
                    count += 1;
                    count - 1
                });
                way.push(*number);
            }
            panel.route(Route::through(way).name(name).cost(format!("{:.1}", steps(cost))));
        }
        let mut diagram = Diagram::new("From a bed to a chair");
        diagram.width(1000).panel(panel);
        diagram
            .legend(Sample::Representative, "stands for its building")
            .legend(Sample::Ground(ROAD), "road");
        diagram
    }

    /// The arcs in an instance whose nodes are drawn from number `first` on; which
    /// node stands for it.
    fn draw_inside(&self, panel: &mut Panel, instance: InstanceId, first: usize) -> usize {
        let kind = self.world.type_of(instance);
        let Some(building) = kind.and_then(|kind| self.world.catalog().building(kind)) else { return 0 };
        for node in (0..building.node_count() as u32).map(NodeId::new) {
            building.for_each_arc(node, |head, _| {
                if node < head {
                    panel.edge((first + node.index(), first + head.index()));
                }
            });
        }
        building.representatives().next().map_or(0, NodeId::index)
    }

    /// A way without the cells that lie straight between others.
    fn turns(&self, path: &[NodeId]) -> Vec<NodeId> {
        let place = |cell: Cell| (i32::from(cell.x), i32::from(cell.y));
        let cell = |node: NodeId| self.world.base().cell(node).map(place);
        let is_straight = |nodes: &[NodeId]| match [nodes[0], nodes[1], nodes[2]].map(cell) {
            [Some(a), Some(b), Some(c)] => (a.0 + c.0, a.1 + c.1) == (2 * b.0, 2 * b.1),
            _ => false,
        };
        let inner = path.windows(3).filter(|nodes| !is_straight(nodes)).map(|nodes| nodes[1]);
        path.first().copied().into_iter().chain(inner).chain(path.last().copied()).collect()
    }
}

fn cells([from, to]: [(u16, u16); 2], colour: Colour) -> Area {
    let end = |at: u16| f64::from(at) + 1.0;
    Area::rectangle((from.0.into(), from.1.into()), (end(to.0), end(to.1)), colour)
}
