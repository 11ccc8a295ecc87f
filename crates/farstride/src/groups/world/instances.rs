//! A base graph with buildings on it.

use super::doors::{DoorList, PackedDoor};
use super::entrances::Entrances;
use super::slots::Slots;
use super::{Building, Catalog, Door, InstanceId, TypeId, WorldError, WorldView};
use crate::base::{Cost, Inconsistent, NodeId};
use crate::graph::Graph;
use std::ops::Range;
use std::sync::Arc;

/// A base graph with instances of buildings on it.
///
/// Nodes of the base graph keep their numbers. Each instance gets as many consecutive
/// numbers as its type has nodes, above all numbers in use. A removed instance leaves
/// its numbers vacant, that is, without arcs; the next instance with as many nodes
/// takes the lowest such range.
///
/// Searches see the world through a [`WorldView`]; any number of threads can, each with
/// its own.
///
/// The base graph must use node numbers as indices: `index(node) == node.index()`. If
/// it skips arcs ([`Graph::for_each_onward_arc`]), then only those whose head can be
/// reached from the same parent at the same cost inside the base graph, because
/// buildings join nodes in ways that it does not know of. Grids do just that.
///
/// # Invariants
///
/// 1. The ranges of instances and the vacant ranges follow each other without gaps,
///    from the end of the base graph on.
/// 2. The doors of every instance are sorted by their inside node, which is an exit of
///    its type; the outside node is in the base graph.
/// 3. Every door is listed once at its outside node.
///
/// # Memory
/// An instance with two doors takes less than 100 bytes, whatever it contains.
///
/// # Example
/// ```
/// use farstride::groups::world::{Catalog, Design, Door, TypeId, World};
/// use farstride::graph::NumberedGrid;
/// use farstride::search::{Memory, SearchStatus, astar};
/// use farstride::graph::NodeId;
/// use farstride::{Cell, Cost, Grid};
///
/// // A river, and a bridge of three nodes.
/// let ground = NumberedGrid::new(Grid::from_ascii(".###.")?);
/// let step = Cost::new(4756)?;
/// let bridge = Design {
///     name: "bridge".into(),
///     nodes: 3,
///     arcs: vec![(0, 1, step), (1, 2, step), (2, 1, step), (1, 0, step)],
///     exits: vec![0, 2],
///     ..Design::default()
/// };
/// let mut world = World::new(ground, Catalog::new(vec![bridge])?);
/// let (west, east) = (NodeId::new(0), NodeId::new(4));
/// let doors = [Door::both_ways(0, west, step), Door::both_ways(1, east, step)];
/// let bridge = world.place(TypeId::new(0), &doors)?;
/// assert_eq!(world.nodes_of(bridge), 5..8);
///
/// let mut memory = Memory::default();
/// let progress = astar(&world.view(), west, east, |_| Cost::ZERO, &mut memory, &mut ());
/// assert_eq!(progress, SearchStatus::Reached(east));
/// assert_eq!(memory.cost(4), Some(step * 4));
///
/// world.remove(bridge)?;
/// let progress = astar(&world.view(), west, east, |_| Cost::ZERO, &mut memory, &mut ());
/// assert_eq!(progress, SearchStatus::Exhausted);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct World<B> {
    base: B,
    base_nodes: usize,
    catalog: Arc<Catalog>,
    slots: Slots,         // (1)
    door_list: DoorList,  // (2)
    entrances: Entrances, // (3)
}

impl<B: Graph<Node = NodeId>> World<B> {
    /// Returns a world without buildings.
    pub fn new(base: B, catalog: impl Into<Arc<Catalog>>) -> Self {
        let base_nodes = base.node_count();
        Self {
            base,
            base_nodes,
            catalog: catalog.into(),
            slots: Slots::new(base_nodes),
            door_list: DoorList::default(),
            entrances: Entrances::new(base_nodes),
        }
    }

    /// Places a building.
    ///
    /// # Errors
    /// [`WorldError`] if the type, the exit of a door or its outside node does not
    /// exist, if that node is blocked, if a door costs [`Cost::MAX`] or more, or if
    /// node numbers run out. The world is unchanged then.
    ///
    /// # Complexity
    /// O(d log n) for d doors, with n doors in the world, whatever the size of the
    /// building; now and then, as the world grows, O(instances).
    pub fn place(&mut self, kind: TypeId, doors: &[Door]) -> Result<InstanceId, WorldError> {
        let types = self.catalog.type_count();
        let building = self.catalog.building(kind).ok_or(WorldError::UnknownType { found: kind, types })?;
        let nodes = building.node_count() as u32;
        // Everything that can fail comes first: from `door_list.add` on, the world
        // changes.
        let slot = self.slots.place_for(nodes)?;
        self.door_list.check_room(doors.len(), u32::MAX as usize)?;
        let packed = self.pack_doors(building, self.slots.offset_at(slot), doors)?;
        let places = self.door_list.add(&packed);
        for place in places.clone() {
            self.entrances.add(&self.door_list, place as u32);
        }
        Ok(self.slots.take(slot, nodes, kind, &places))
    }

    /// Checks and packs the doors of a building whose numbers begin at `offset`;
    /// returns them sorted by inside node.
    fn pack_doors(
        &self,
        building: Building<'_>,
        offset: u32,
        doors: &[Door],
    ) -> Result<Vec<PackedDoor>, WorldError> {
        let exits = building.exits();
        let name = || building.name().to_owned();
        let pack = |door: &Door| {
            let Some(exit) = exits.get(door.exit as usize) else {
                let (building, exit) = (name(), door.exit);
                return Err(WorldError::UnknownExit { building, exit, exits: exits.len() });
            };
            if !self.is_base(door.outside) {
                return Err(WorldError::UnknownOutside { node: door.outside, nodes: self.base_nodes });
            }
            if !self.base.contains(door.outside) {
                return Err(WorldError::BlockedOutside { node: door.outside });
            }
            match [door.out, door.into].into_iter().flatten().find(|&cost| cost >= Cost::MAX) {
                Some(cost) => Err(WorldError::TooDear { building: name(), cost }),
                None => Ok(PackedDoor::new(door, offset + exit.index() as u32)),
            }
        };
        let mut packed = doors.iter().map(pack).collect::<Result<Vec<_>, _>>()?;
        // Stable: doors at the same exit stay in the order in which they were given.
        packed.sort_by_key(|door| door.inside);
        Ok(packed)
    }

    /// Removes a building. Its nodes have no arcs any more.
    ///
    /// # Errors
    /// [`WorldError`] if there is no such instance, or if it has been removed already.
    ///
    /// # Complexity
    /// O(d log n) for d doors, with n doors in the world.
    pub fn remove(&mut self, instance: InstanceId) -> Result<(), WorldError> {
        let places = self.slots.instance(instance)?.doors();
        for place in places.clone() {
            self.entrances.remove(&self.door_list, place as u32);
        }
        self.door_list.remove(&places);
        self.slots.vacate(instance.index());
        Ok(())
    }

    /// The world as a graph, for one search at a time.
    pub fn view(&self) -> WorldView<'_, B> {
        WorldView::new(self)
    }

    /// Whether a node belongs to the base graph.
    #[inline]
    pub const fn is_base(&self, node: NodeId) -> bool {
        node.index() < self.base_nodes
    }

    /// Returns the instance in which a node lies, and the node's number within it;
    /// `None` for nodes of the base graph, vacant numbers and numbers that do not
    /// exist.
    pub fn instance_of(&self, node: NodeId) -> Option<(InstanceId, u32)> {
        if self.is_base(node) || node.index() >= self.node_count() {
            return None;
        }
        let number = node.index() as u32;
        let slot = self.slots.of(number);
        let found = self.slots.at(slot);
        found.kind().map(|_| (self.slots.id(slot), number - found.offset))
    }

    /// The node numbers of an instance; empty if it has been removed.
    pub fn nodes_of(&self, instance: InstanceId) -> Range<u32> {
        self.slots.instance(instance).map_or(0..0, |_| self.slots.numbers(instance.index()))
    }

    /// The type of an instance; `None` if it has been removed.
    pub fn type_of(&self, instance: InstanceId) -> Option<TypeId> {
        self.slots.instance(instance).ok()?.kind()
    }

    /// The building that an instance is a copy of; `None` if it has been removed.
    pub fn building_of(&self, instance: InstanceId) -> Option<Building<'_>> {
        self.catalog.building(self.type_of(instance)?)
    }

    /// The doors of an instance, sorted by exit node, then in the order in which they
    /// were given; empty if it has been removed.
    pub fn doors_of(&self, instance: InstanceId) -> impl ExactSizeIterator<Item = Door> {
        let slot = self.slots.instance(instance).ok();
        let packed = slot.map_or(&[][..], |slot| self.door_list.range(slot.doors()));
        let offset = slot.map_or(0, |slot| slot.offset);
        let building = self.building_of(instance);
        packed.iter().map(move |door| {
            let exit = building.and_then(|building| building.exit_at(NodeId::new(door.inside - offset)));
            door.door(exit.unwrap_or_default())
        })
    }

    /// Every instance, in ascending order of node numbers.
    pub fn instances(&self) -> impl Iterator<Item = InstanceId> {
        self.slots.instances()
    }

    /// One more than the largest [`InstanceId::index`] so far.
    pub const fn instance_slots(&self) -> usize {
        self.slots.len()
    }

    /// The doors at a node of the base graph, sorted by inside node.
    pub fn entrances(&self, node: NodeId) -> impl Iterator<Item = (InstanceId, Door)> {
        let has_doors = self.is_base(node) && self.entrances.has_doors(node.index() as u32);
        let packed = has_doors.then(|| self.entrances.doors_at(&self.door_list, node.index() as u32));
        packed.into_iter().flatten().filter_map(|door| {
            let (instance, local) = self.instance_of(NodeId::new(door.inside))?;
            let exit = self.building_of(instance)?.exit_at(NodeId::new(local))?;
            Some((instance, door.door(exit)))
        })
    }

    /// Number of nodes: those of the base graph, of all instances, and vacant ones.
    pub const fn node_count(&self) -> usize {
        self.slots.end()
    }

    /// The base graph.
    pub const fn base(&self) -> &B {
        &self.base
    }

    /// The building types.
    pub const fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// Memory of the instances in bytes, with a bit per node of the base graph, without
    /// the base graph and the catalog.
    pub fn memory_bytes(&self) -> usize {
        self.slots.memory_bytes() + self.door_list.memory_bytes() + self.entrances.memory_bytes()
    }

    /// Re-proves the invariants, for tests and fuzzing. O(d log d) for d doors, and a
    /// bit per node of the base graph.
    ///
    /// # Errors
    /// [`Inconsistent`] describes the first broken invariant.
    pub fn check(&self) -> Result<(), Inconsistent> {
        self.slots.check()?;
        let door_ranges = || self.instances().filter_map(|id| Some(self.slots.instance(id).ok()?.doors()));
        self.door_list.check(door_ranges())?;
        for instance in self.instances() {
            self.check_doors(instance)?;
        }
        self.entrances.check(&self.door_list, door_ranges().flatten())
    }

    fn check_doors(&self, instance: InstanceId) -> Result<(), Inconsistent> {
        let slot = self.slots.instance(instance).map_err(|error| Inconsistent::new(error.to_string()))?;
        let building =
            self.building_of(instance).ok_or_else(|| Inconsistent::new("an instance of no type"))?;
        let numbers = self.nodes_of(instance);
        if numbers.len() != building.node_count() {
            return Err(Inconsistent::new(format!("instance {instance} has numbers {numbers:?}")));
        }
        let packed = self.door_list.range(slot.doors());
        let is_exit = |door: &PackedDoor| {
            numbers.contains(&door.inside)
                && building.exit_at(NodeId::new(door.inside - slot.offset)).is_some()
        };
        let good = |door: &PackedDoor| is_exit(door) && self.is_base(NodeId::new(door.outside));
        if packed.iter().all(good) && packed.is_sorted_by_key(|door| door.inside) {
            Ok(())
        } else {
            Err(Inconsistent::new(format!("a door of instance {instance} is not where it should be")))
        }
    }

    pub(super) const fn slots(&self) -> &Slots {
        &self.slots
    }

    pub(super) const fn door_list(&self) -> &DoorList {
        &self.door_list
    }

    pub(super) const fn entrance_index(&self) -> &Entrances {
        &self.entrances
    }
}
