//! A country of houses: a world of instances that is too large to be written
//! out.

use farstride::graph::NumberedGrid;
use farstride::graph::{Graph, NodeId, UniformGrid};
use farstride::grid::DiagonalCost;
use farstride::groups::world::{Building, Catalog, Design, Door, InstanceId, TypeId, World, WorldGroups};
use farstride::groups::{Connection, Ground, GroupHierarchy, GroupId, Members, Representative, Squares};
use farstride::search::{Memory, SearchStatus, astar, dijkstra};
use farstride::{Cell, Cost, Grid};
use farstride_testkit::SplitMix64;
use std::error::Error;

/// Side of a lot in cells: a house, a garden around it, and roads along two
/// sides.
const LOT: u16 = 8;
/// The cells of a lot, in each direction, that the house stands on.
const HOUSE: std::ops::Range<u16> = 3..7;
/// Letters of the ground: roads and gardens by their weights.
const ROAD: u8 = b'1';
const GARDEN: u8 = b'3';
const WALL: u8 = b'#';
/// Side of a house inside: there are more places in it than it covers outside.
const INSIDE: u16 = 22;
/// Share of the inside that is walls, in percent.
const WALLS: u32 = 22;
/// Share of the lots that are ponds instead of houses, in percent.
const PONDS: u32 = 3;
/// Side of the smallest squares of the ground in cells, and how many by how many
/// make up one of the next level.
const SIDE: u16 = 16;
const GROUP: u32 = 4;
/// Groups of the highest level, at most.
const TOP: usize = 256;

/// A country of houses.
#[derive(Debug)]
pub struct Country {
    grid: Grid,
    world: World<NumberedGrid>,
}

impl Country {
    /// A square of `lots` × `lots`, with houses of `types` kinds on all of them
    /// except a few ponds, up to `most` houses.
    ///
    /// # Errors
    /// If it is too large for a grid or for 32 bits.
    pub fn new(lots: u16, types: u32, most: usize, seed: u64) -> Result<Self, Box<dyn Error>> {
        let mut random = SplitMix64::new(seed);
        let designs = (0..types).map(|number| house(number, &mut random)).collect::<Result<Vec<_>, _>>()?;
        let ponds: Vec<bool> =
            (0..usize::from(lots) * usize::from(lots)).map(|_| random.chance(PONDS)).collect();
        let lot_of = |cell: Cell| usize::from(cell.y / LOT) * usize::from(lots) + usize::from(cell.x / LOT);
        let letter = |cell: Cell| {
            let (x, y) = (cell.x % LOT, cell.y % LOT);
            if x == 0 || y == 0 {
                ROAD
            } else if HOUSE.contains(&x) && HOUSE.contains(&y) || ponds[lot_of(cell)] {
                WALL
            } else {
                GARDEN
            }
        };
        let side = lots.saturating_mul(LOT);
        let row = |y: u16| (0..side).map(|x| letter(Cell::new(x, y))).collect::<Vec<u8>>();
        let rows: Vec<Vec<u8>> = (0..side).map(row).collect();
        let lines: Vec<(usize, &[u8])> = rows.iter().map(Vec::as_slice).enumerate().collect();
        let grid = Grid::from_rows(side.into(), &lines)?;
        let mut world = World::new(NumberedGrid::new(grid.clone()), Catalog::new(designs)?);
        let built = (0..lots).flat_map(|y| (0..lots).map(move |x| (x, y)));
        for (x, y) in built.filter(|&(x, y)| !ponds[lot_of(Cell::new(x * LOT, y * LOT))]).take(most) {
            let kind = TypeId::new(random.below(types as usize) as u32);
            let doors = doors(side, Cell::new(x * LOT, y * LOT));
            world.place(kind, &doors)?;
        }
        Ok(Self { grid, world })
    }

    /// The world.
    pub const fn world(&self) -> &World<NumberedGrid> {
        &self.world
    }

    /// The ground.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Squares of the ground as groups.
    pub fn squares(&self) -> Squares<'_> {
        Squares::new(&self.grid, SIDE)
    }

    /// The hierarchy of squares and houses.
    ///
    /// # Errors
    /// None: its levels fit on each other.
    pub fn hierarchy(
        &self,
        squares: &Squares<'_>,
        connection: Connection,
    ) -> Result<GroupHierarchy<NodeId>, Box<dyn Error>> {
        let groups = WorldGroups::new(&self.world, squares);
        let mut uppers: Vec<Members> = Vec::new();
        let mut below = 1;
        while uppers.last().is_none_or(|upper| upper.group_count() > TOP) {
            let upper = squares.above(below, GROUP);
            uppers.push(if below == 1 { groups.above(&upper) } else { upper });
            below *= GROUP;
        }
        Ok(GroupHierarchy::build(Ground::new(&self.world, &groups), uppers, connection)?)
    }

    /// Builds another house, whose doors are both at one place of the ground, and
    /// brings the hierarchy up to date.
    ///
    /// # Errors
    /// If there are no numbers left.
    pub fn build_house(
        &mut self,
        at: Cell,
        hierarchy: &mut GroupHierarchy<NodeId>,
    ) -> Result<InstanceId, Box<dyn Error>> {
        let outside = self.world.base().node(at).ok_or("there is no such cell")?;
        let doors = [0, 1].map(|exit| Door::both_ways(exit, outside, DiagonalCost::Sqrt2.straight()));
        let house = self.world.place(TypeId::new(0), &doors)?;
        self.follow(house, None, hierarchy)?;
        Ok(house)
    }

    /// Tears a house down, and brings the hierarchy up to date.
    ///
    /// # Errors
    /// If it is not there.
    pub fn tear_down(
        &mut self,
        house: InstanceId,
        hierarchy: &mut GroupHierarchy<NodeId>,
    ) -> Result<(), Box<dyn Error>> {
        let around = WorldGroups::new(&self.world, &self.squares()).around(house).collect();
        self.world.remove(house)?;
        self.follow(house, Some(around), hierarchy)
    }

    fn follow(
        &self,
        house: InstanceId,
        around: Option<Vec<GroupId>>,
        hierarchy: &mut GroupHierarchy<NodeId>,
    ) -> Result<(), Box<dyn Error>> {
        let squares = self.squares();
        let groups = WorldGroups::new(&self.world, &squares);
        let around = around.unwrap_or_else(|| groups.around(house).collect());
        let upper = squares.above(1, GROUP);
        Ok(groups.follow(hierarchy, Representative::MostConnected, Some(&upper), house, around)?)
    }

    /// A node anywhere: most are in houses.
    pub fn random_place(&self, random: &mut SplitMix64) -> NodeId {
        loop {
            let node = NodeId::new(random.below(self.world.node_count()) as u32);
            let free = |cell| self.grid.is_free(cell);
            if self.world.base().cell(node).is_none_or(free) {
                return node;
            }
        }
    }

    /// The least cost between two nodes.
    ///
    /// Only the ground is searched: houses in between are crossed in one go, at
    /// the cost that their type is known to have, and those at the ends are
    /// searched on their own. Arcs in houses lead both ways at the same cost.
    pub fn optimum(&self, start: NodeId, goal: NodeId, memory: &mut Memory) -> Option<Cost> {
        let within = self.flood_house(start, memory).and_then(|instance| {
            let (other, local) = self.world.instance_of(goal)?;
            memory.cost(local as usize).filter(|_| other == instance)
        });
        let leaving = self.ways_out(start, |door| door.out, memory);
        let entering = self.ways_out(goal, |door| door.into, memory);
        let base = self.world.base().node_count() as u32;
        let outline = Outline { world: &self.world, leaving, entering, base };
        let goal = NodeId::new(base + 1);
        let reached = astar(&outline, NodeId::new(base), goal, |_| Cost::ZERO, memory, &mut ());
        let around = memory.cost(goal.index()).filter(|_| matches!(reached, SearchStatus::Reached(_)));
        within.into_iter().chain(around).min()
    }

    /// Finds the costs between a node and all others of the house it is in.
    fn flood_house(&self, node: NodeId, memory: &mut Memory) -> Option<InstanceId> {
        let (instance, local) = self.world.instance_of(node)?;
        dijkstra(&self.building(instance)?, NodeId::new(local), memory, &mut ());
        Some(instance)
    }

    fn building(&self, instance: InstanceId) -> Option<Building<'_>> {
        self.world.catalog().building(self.world.type_of(instance)?)
    }

    /// Nodes of the ground next to the house of a node, with the cost between
    /// them; itself, if it is on the ground.
    fn ways_out(
        &self,
        node: NodeId,
        cost_of: impl Fn(&Door) -> Option<Cost>,
        memory: &mut Memory,
    ) -> Vec<(NodeId, Cost)> {
        let Some(instance) = self.flood_house(node, memory) else { return vec![(node, Cost::ZERO)] };
        let way = |door: Door| {
            let exit = *self.building(instance)?.exits().get(door.exit as usize)?;
            Some((door.outside, memory.cost(exit.index())? + cost_of(&door)?))
        };
        self.world.doors_of(instance).filter_map(way).collect()
    }
}

/// The ground with houses crossed in one go, a node before it from which one
/// starts and one behind it at which one arrives.
struct Outline<'w> {
    world: &'w World<NumberedGrid>,
    leaving: Vec<(NodeId, Cost)>,
    entering: Vec<(NodeId, Cost)>,
    base: u32,
}

impl Graph for Outline<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.base as usize + 2
    }

    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        if node.index() as u32 >= self.base {
            if node.index() as u32 == self.base {
                self.leaving.iter().for_each(|&(outside, cost)| visit(outside, cost));
            }
            return;
        }
        self.world.base().for_each_arc(node, &mut visit);
        for (instance, entrance) in self.world.entrances(node) {
            let kind = self.world.type_of(instance).and_then(|kind| self.world.catalog().building(kind));
            let (Some(building), Some(into)) = (kind, entrance.into) else { continue };
            for door in self.world.doors_of(instance) {
                if let (Some(cost), Some(out)) = (building.crossing(entrance.exit, door.exit), door.out) {
                    visit(door.outside, into + cost + out);
                }
            }
        }
        for &(outside, cost) in &self.entering {
            if outside == node {
                visit(NodeId::new(self.base + 1), cost);
            }
        }
    }
}

/// A house of a few hundred places, with a front door and a back door.
fn house(number: u32, random: &mut SplitMix64) -> Result<Design, Box<dyn Error>> {
    let last = INSIDE - 1;
    let is_edge = |cell: Cell| cell.x.is_multiple_of(last) || cell.y.is_multiple_of(last);
    let side = usize::from(INSIDE);
    let grid = Grid::from_fn(side, side, |cell| is_edge(cell) || !random.chance(WALLS))?;
    let (front, back) = (Cell::new(INSIDE / 2, 0), Cell::new(INSIDE / 2, last));
    let cells: Vec<Cell> = (0..INSIDE)
        .flat_map(|y| (0..INSIDE).map(move |x| Cell::new(x, y)))
        .filter(|&cell| grid.is_connected(front, cell))
        .collect();
    let place = |cell: Cell| cells.binary_search_by_key(&(cell.y, cell.x), |cell| (cell.y, cell.x));
    let mut arcs = Vec::new();
    for (tail, &cell) in (0..).zip(&cells) {
        UniformGrid(&grid).for_each_arc(cell, |head, cost| {
            if let Ok(head) = place(head) {
                arcs.push((tail, head as u32, cost));
            }
        });
    }
    let exits = [front, back].into_iter().filter_map(|cell| place(cell).ok()).map(|exit| exit as u32);
    Ok(Design {
        name: format!("house {number}"),
        nodes: cells.len() as u32,
        arcs,
        exits: exits.collect(),
        ..Design::default()
    })
}

/// The doors of the house on the lot with this corner, in a country of this
/// side: a front door to the north and a back door to the south.
fn doors(side: u16, corner: Cell) -> [Door; 2] {
    let step = DiagonalCost::Sqrt2.straight();
    let x = u32::from(corner.x + HOUSE.start + 1);
    let at = |y: u16| NodeId::new(u32::from(corner.y + y) * u32::from(side) + x);
    [Door::both_ways(0, at(HOUSE.start - 1), step), Door::both_ways(1, at(HOUSE.end), step)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use farstride::groups::{GroupRoute, GroupScratch};

    /// On a country that is small enough for it, the optimum is that of a
    /// search of every node, and routes cost no less.
    #[test]
    fn the_optimum_is_that_of_all_nodes() {
        let country = Country::new(6, 3, 30, 5).unwrap();
        let squares = country.squares();
        let hierarchy = country.hierarchy(&squares, Connection::Average).unwrap();
        let (view, groups) = (country.world().view(), WorldGroups::new(country.world(), &squares));
        let navigator = hierarchy.on(&view, &groups).unwrap();
        let mut scratch = GroupScratch::default();
        let (mut memory, mut whole) = (Memory::default(), Memory::default());
        let mut random = SplitMix64::new(7);
        for _ in 0..60 {
            let [start, goal] = [(); 2].map(|()| country.random_place(&mut random));
            dijkstra(&view, start, &mut whole, &mut ());
            let expected = whole.cost(goal.index());
            assert_eq!(country.optimum(start, goal, &mut memory), expected);
            match navigator.find(start, goal, &mut scratch) {
                GroupRoute::Found { cost, .. } => assert!(expected.is_some_and(|best| best <= cost)),
                GroupRoute::AlreadyThere => assert_eq!(start, goal),
                _ => assert_eq!(expected, None),
            }
        }
    }
}
