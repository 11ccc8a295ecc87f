//! A village on a meadow: houses that are stored once and placed many times, one
//! type with chambers of a type of their own, and a footbridge that comes and
//! goes. After Millington, *AI for Games*, section 4.6.5.
//!
//! ```text
//! cargo run -p farstride-lab --example village -- [FOLDER]
//! ```

mod drawing;
mod plans;

use farstride::graph::NumberedGrid;
use farstride::graph::{Graph, NodeId};
use farstride::groups::world::{Catalog, Door, InstanceId, TypeId, World, WorldGroups};
use farstride::groups::{
    Connection, Ground, GroupHierarchy, GroupId, GroupRoute, GroupScratch, Members, Representative, Squares,
};
use farstride::{Cell, Cost, Grid, Rect};
use farstride_lab::diagram::Diagram;
use plans::{BARN, COTTAGE, FARMHOUSE, FOOTBRIDGE, PLANS, Plan, STEP};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

/// How much dearer than the road it is.
const MEADOW: u8 = 3;

/// Corner cells of the roads, and of the brook that one of them fords.
const ROADS: [[(u16, u16); 2]; 5] = [
    [(0, 11), (21, 11)],
    [(18, 11), (18, 20)],
    [(18, 20), (27, 20)],
    [(27, 11), (27, 20)],
    [(24, 11), (45, 11)],
];
const BROOK: [[(u16, u16); 2]; 2] = [[(22, 0), (23, 18)], [(22, 22), (23, 23)]];

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
    let squares = Squares::new(&grid, 8);
    let quarters = squares.above(1, 3);
    let catalog = Catalog::new(PLANS.iter().map(Plan::design).collect::<Result<_, _>>()?)?;
    let mut village =
        Village { world: World::new(NumberedGrid::new(grid.clone()), catalog), placed: Vec::new() };
    for (kind, corner, turned) in HOUSES {
        village.place(kind, corner, turned)?;
    }
    village.tell()?;

    let mut hierarchy = village.hierarchy(&squares, &quarters)?;
    let (round, long) = village.route(&hierarchy, &squares)?;
    println!("By the ford: {:.1} steps on a road", steps(long));

    let bridge = village.place(FOOTBRIDGE, (22, 11), false)?;
    let groups = WorldGroups::new(&village.world, &squares);
    groups.follow(
        &mut hierarchy,
        Representative::MostConnected,
        Some(&quarters),
        bridge,
        groups.around(bridge),
    )?;
    assert_eq!(hierarchy, village.hierarchy(&squares, &quarters)?);
    let (straight, short) = village.route(&hierarchy, &squares)?;
    println!("By the footbridge: {:.1}", steps(short));
    assert!(straight.iter().any(|&node| village.world.nodes_of(bridge).contains(&(node.index() as u32))));
    assert!(short < long);
    let diagram = village.draw([(&straight, short), (&round, long)]);

    // What it touches is looked up while it is there.
    let around: Vec<GroupId> = groups.around(bridge).collect();
    village.world.remove(bridge)?;
    let groups = WorldGroups::new(&village.world, &squares);
    groups.follow(&mut hierarchy, Representative::MostConnected, Some(&quarters), bridge, around)?;
    assert_eq!(hierarchy, village.hierarchy(&squares, &quarters)?);
    assert_eq!(village.route(&hierarchy, &squares)?, (round, long));
    println!("The footbridge is gone, and the way is the old one");
    Ok(diagram)
}

/// Roads, meadow, and a brook; cells under houses are blocked.
fn meadow() -> Result<Grid, Box<dyn Error>> {
    let mut grid = Grid::empty(46, 24)?;
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
        let mut end = self.world.base().node_count() as u32;
        for &(instance, kind, ..) in &self.placed {
            let numbers = self.world.nodes_of(instance);
            println!("{}: nodes {numbers:?}", PLANS[kind].name);
            assert_eq!(numbers.start, end, "instances follow each other from the last cell on");
            end = numbers.end;
        }
        let mut town = World::new(self.world.base().clone(), Arc::clone(self.world.catalog()));
        let before = town.memory_bytes();
        let door = Door::both_ways(0, NodeId::new(0), Cost::ZERO);
        for _ in 0..1000 {
            town.place(TypeId::new(COTTAGE as u32), &[door])?;
        }
        let each = (town.memory_bytes() - before) / 1000;
        assert!(each < 100);
        println!("{} bytes for all types, {each} for each cottage", town.catalog().memory_bytes());
        Ok(())
    }

    fn node(&self, (house, node): (usize, u32)) -> NodeId {
        NodeId::new(self.world.nodes_of(self.placed[house].0).start + node)
    }

    /// The hierarchy made from scratch: squares and houses, and quarters of both.
    fn hierarchy(
        &self,
        squares: &Squares<'_>,
        quarters: &Members,
    ) -> Result<GroupHierarchy<NodeId>, Box<dyn Error>> {
        let groups = WorldGroups::new(&self.world, squares);
        let ground = Ground::new(&self.world, &groups);
        Ok(GroupHierarchy::build(ground, vec![groups.above(quarters)], Connection::Average)?)
    }

    /// The way from the bed to the chair.
    fn route(
        &self,
        hierarchy: &GroupHierarchy<NodeId>,
        squares: &Squares<'_>,
    ) -> Result<(Vec<NodeId>, Cost), Box<dyn Error>> {
        let (view, groups) = (self.world.view(), WorldGroups::new(&self.world, squares));
        let navigator = hierarchy.on(&view, &groups)?;
        match navigator.find(self.node(BED), self.node(CHAIR), &mut GroupScratch::default()) {
            GroupRoute::Found { path, cost } => Ok((path.to_vec(), cost)),
            _ => Err("no route".into()),
        }
    }
}
