//! Random worlds of instanced buildings, and the same worlds written out.

use farstride::Cost;
use farstride::graph::{Graph, NodeId, RowGraph};
use farstride::groups::world::{Catalog, Design, Door, InstanceId, Room, TypeId, World};
use farstride::search::{Memory, SearchStatus, astar, dijkstra};
use farstride_testkit::SplitMix64;

pub(crate) fn cost(units: u64) -> Cost {
    Cost::new(units).unwrap()
}

pub(crate) fn node(number: u32) -> NodeId {
    NodeId::new(number)
}

pub(crate) fn kind(place: u32) -> TypeId {
    TypeId::new(place)
}

/// A building without rooms.
pub(crate) fn plain(name: &str, nodes: u32, arcs: &[(u32, u32, u64)], exits: &[u32]) -> Design {
    Design {
        name: name.into(),
        nodes,
        arcs: arcs.iter().map(|&(tail, head, units)| (tail, head, cost(units))).collect(),
        rooms: Vec::new(),
        exits: exits.to_vec(),
    }
}

/// A base graph of `nodes` nodes without arcs.
pub(crate) fn bare(nodes: usize) -> RowGraph {
    RowGraph::from_arcs(nodes, []).unwrap()
}

pub(crate) type Arcs = Vec<(u32, u32, Cost)>;

/// Nodes of a design, those of its rooms included.
pub(crate) fn size(designs: &[Design], design: &Design) -> u32 {
    design.nodes + design.rooms.iter().map(|room| size(designs, &designs[room.kind.index()])).sum::<u32>()
}

/// Writes the arcs of a design into `arcs`, its nodes from number `offset` on.
pub(crate) fn write_out(designs: &[Design], design: &Design, offset: u32, arcs: &mut Arcs) {
    arcs.extend(design.arcs.iter().map(|&(tail, head, cost)| (offset + tail, offset + head, cost)));
    let mut first = offset + design.nodes;
    for room in &design.rooms {
        let inner = &designs[room.kind.index()];
        write_out(designs, inner, first, arcs);
        write_doors(inner, &room.doors, first, offset, arcs);
        first += size(designs, inner);
    }
}

pub(crate) fn write_doors(design: &Design, doors: &[Door], first: u32, outside: u32, arcs: &mut Arcs) {
    for door in doors {
        let inside = first + design.exits[door.exit as usize];
        let outside = outside + door.outside.index() as u32;
        arcs.extend(door.out.map(|cost| (inside, outside, cost)));
        arcs.extend(door.into.map(|cost| (outside, inside, cost)));
    }
}

pub(crate) fn arcs_of(graph: &impl Graph<Node = NodeId>, of: NodeId) -> Vec<(NodeId, Cost)> {
    let mut arcs = Vec::new();
    graph.for_each_arc(of, |head, cost| arcs.push((head, cost)));
    arcs
}

/// Random designs, doors and worlds.
pub(crate) struct Maker(pub(crate) SplitMix64);

impl Maker {
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        self.0.below(end as usize) as u32
    }

    pub(crate) fn cost(&mut self) -> Cost {
        cost(u64::from(self.below(20)))
    }

    pub(crate) fn some_cost(&mut self) -> Option<Cost> {
        let cost = self.cost();
        self.0.chance(70).then_some(cost)
    }

    pub(crate) fn arcs(&mut self, nodes: u32) -> Arcs {
        let count = if nodes == 0 { 0 } else { self.below(nodes * 3 + 1) };
        (0..count).map(|_| (self.below(nodes), self.below(nodes), self.cost())).collect()
    }

    /// Some doors from a building with so many exits to so many nodes.
    pub(crate) fn doors(&mut self, exits: usize, outside: u32) -> Vec<Door> {
        let count = if exits == 0 || outside == 0 { 0 } else { self.below(exits as u32 * 2 + 1) };
        (0..count)
            .map(|_| Door {
                exit: self.below(exits as u32),
                outside: node(self.below(outside)),
                out: self.some_cost(),
                into: self.some_cost(),
            })
            .collect()
    }

    /// Designs whose rooms are of types that come later, so that rooms are
    /// nested as deep as there are designs; then the order is shuffled.
    pub(crate) fn designs(&mut self) -> Vec<Design> {
        let count = 1 + self.below(4);
        let mut designs: Vec<Design> = Vec::new();
        for at in 0..count {
            let rooms = if at == 0 { 0 } else { self.below(4) };
            let least = u32::from(rooms == 0);
            let mut design =
                Design { name: format!("type {at}"), nodes: least + self.below(6), ..Design::default() };
            design.arcs = self.arcs(design.nodes);
            for _ in 0..rooms {
                let inner = self.below(at);
                let doors = self.doors(designs[inner as usize].exits.len(), design.nodes);
                design.rooms.push(Room { kind: kind(inner), doors });
            }
            let nodes = size(&designs, &design);
            let mut exits: Vec<u32> = (0..nodes).filter(|_| self.0.chance(30)).collect();
            if self.0.chance(50) {
                exits.reverse();
            }
            design.exits = exits;
            designs.push(design);
        }
        self.shuffle(designs)
    }

    pub(crate) fn shuffle(&mut self, mut designs: Vec<Design>) -> Vec<Design> {
        for last in (1..designs.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            designs.swap(last, other);
            for room in designs.iter_mut().flat_map(|design| &mut design.rooms) {
                let at = room.kind.index();
                room.kind = if at == last {
                    kind(other as u32)
                } else if at == other {
                    kind(last as u32)
                } else {
                    room.kind
                };
            }
        }
        designs
    }
}

/// An instance, its offset, the place of its design, and its doors.
pub(crate) type Placed = (InstanceId, u32, usize, Vec<Door>);

/// A world and the instances that should be there.
pub(crate) struct Model {
    pub(crate) designs: Vec<Design>,
    pub(crate) base: (u32, Arcs),
    pub(crate) world: World<RowGraph>,
    pub(crate) placed: Vec<Placed>,
    pub(crate) vacant: Vec<(u32, u32)>,
    pub(crate) removed: Vec<InstanceId>,
    pub(crate) end: u32,
}

impl Model {
    pub(crate) fn new(maker: &mut Maker) -> Self {
        let designs = maker.designs();
        let nodes = 1 + maker.below(8);
        let arcs = maker.arcs(nodes);
        let graph = RowGraph::from_arcs(nodes as usize, arcs.clone()).unwrap();
        let world = World::new(graph, Catalog::new(designs.clone()).unwrap());
        let (placed, vacant, removed) = (Vec::new(), Vec::new(), Vec::new());
        Self { designs, base: (nodes, arcs), world, placed, vacant, removed, end: nodes }
    }

    pub(crate) fn place(&mut self, maker: &mut Maker) {
        let at = maker.below(self.designs.len() as u32) as usize;
        let doors = maker.doors(self.designs[at].exits.len(), self.base.0);
        let nodes = size(&self.designs, &self.designs[at]);
        let id = self.world.place(kind(at as u32), &doors).unwrap();
        let lowest = self.vacant.iter().filter(|&&(_, size)| size == nodes).min().copied();
        let offset = lowest.map_or(self.end, |(offset, _)| offset);
        self.vacant.retain(|&vacant| Some(vacant) != lowest);
        if lowest.is_none() {
            self.end += nodes;
        }
        self.placed.push((id, offset, at, doors));
    }

    pub(crate) fn remove(&mut self, maker: &mut Maker) {
        if self.placed.is_empty() {
            return;
        }
        let (id, offset, at, _) = self.placed.swap_remove(maker.below(self.placed.len() as u32) as usize);
        self.world.remove(id).unwrap();
        self.vacant.push((offset, size(&self.designs, &self.designs[at])));
        self.removed.push(id);
    }

    /// The same world without instances.
    pub(crate) fn written_out(&self) -> RowGraph {
        let mut arcs = self.base.1.clone();
        for (_, offset, at, doors) in &self.placed {
            write_out(&self.designs, &self.designs[*at], *offset, &mut arcs);
            write_doors(&self.designs[*at], doors, *offset, 0, &mut arcs);
        }
        RowGraph::from_arcs(self.end as usize, arcs).unwrap()
    }

    pub(crate) fn check(&self) {
        self.world.check().unwrap();
        let (flat, view) = (self.written_out(), self.world.view());
        assert_eq!(view.node_count(), flat.node_count());
        for number in 0..self.end + 3 {
            let mut found = arcs_of(&view, node(number));
            assert_eq!(found, arcs_of(&self.world.view(), node(number)), "a fresh view says the same");
            found.sort_unstable();
            assert_eq!(found, flat.arcs(node(number)), "arcs of {number}");
        }
        self.check_instances();
        self.check_entrances();
        self.check_costs(&flat, &view);
    }

    pub(crate) fn check_instances(&self) {
        let world = &self.world;
        let mut owners = vec![None; self.end as usize + 1];
        for (id, offset, at, doors) in &self.placed {
            let nodes = size(&self.designs, &self.designs[*at]);
            assert_eq!(world.nodes_of(*id), *offset..offset + nodes);
            assert_eq!(world.type_of(*id), Some(kind(*at as u32)));
            let mut sorted = doors.clone();
            sorted.sort_by_key(|door| self.designs[*at].exits[door.exit as usize]);
            assert_eq!(world.doors_of(*id).collect::<Vec<_>>(), sorted);
            assert!(id.index() < world.instance_slots());
            for local in 0..nodes {
                owners[(offset + local) as usize] = Some((*id, local));
            }
        }
        for (number, owner) in (0..).zip(owners) {
            assert_eq!(world.instance_of(node(number)), owner);
        }
        let mut placed: Vec<_> = self.placed.iter().map(|&(id, offset, ..)| (offset, id)).collect();
        placed.sort_unstable();
        assert!(world.instances().eq(placed.into_iter().map(|(_, id)| id)));
        for &id in &self.removed {
            assert_eq!((world.nodes_of(id), world.type_of(id)), (0..0, None));
            assert_eq!(world.doors_of(id).len(), 0);
        }
    }

    pub(crate) fn check_entrances(&self) {
        for number in 0..self.base.0 + 2 {
            let mut expected = Vec::new();
            for (id, offset, at, doors) in &self.placed {
                for door in doors.iter().filter(|door| door.outside == node(number)) {
                    expected.push((offset + self.designs[*at].exits[door.exit as usize], *id, *door));
                }
            }
            expected.sort_by_key(|&(inside, ..)| inside);
            let expected: Vec<_> = expected.into_iter().map(|(_, id, door)| (id, door)).collect();
            let found: Vec<_> = self.world.entrances(node(number)).collect();
            assert_eq!(found, if number < self.base.0 { expected } else { Vec::new() });
        }
    }

    pub(crate) fn check_costs(&self, flat: &RowGraph, view: &impl Graph<Node = NodeId>) {
        let (mut here, mut there) = (Memory::default(), Memory::default());
        for start in (0..self.end).step_by(self.end as usize / 4 + 1).map(node) {
            assert_eq!(dijkstra(view, start, &mut here, &mut ()), dijkstra(flat, start, &mut there, &mut ()));
            for number in 0..self.end as usize {
                assert_eq!(here.cost(number), there.cost(number));
            }
            let goal = node(self.end - 1);
            let expected = there.cost(goal.index());
            let progress = astar(view, start, goal, |_| Cost::ZERO, &mut here, &mut ());
            assert_eq!(progress == SearchStatus::Reached(goal), expected.is_some());
            assert_eq!(here.cost(goal.index()), expected);
        }
    }
}
