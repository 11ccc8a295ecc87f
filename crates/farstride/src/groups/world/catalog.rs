//! The building types of a world.

use super::compile::compile;
use super::kind::Kind;
use super::{Design, TypeId, WorldError};
use crate::base::{Cost, NodeId};
use crate::graph::Graph;
use crate::groups::part::LocalPart;
use std::ops::Range;

/// Building types, each stored once however often it is placed.
///
/// Whatever is the same for all instances of a type is computed here, once: its *parts*
/// and its *crossings* ([`Building::part_of`], [`Building::crossing`]).
///
/// # Example
/// A house with a cellar that has a way out of its own.
/// ```
/// use farstride::groups::world::{Catalog, Design, Door, Room, TypeId};
/// use farstride::Cost;
/// use farstride::graph::{Graph, NodeId};
///
/// let cost = |units| Cost::new(units).unwrap();
/// let cellar = Design {
///     name: "cellar".into(),
///     nodes: 2,
///     arcs: vec![(0, 1, cost(3)), (1, 0, cost(3))],
///     exits: vec![0, 1],
///     ..Design::default()
/// };
/// let stairs = Door::both_ways(0, NodeId::new(0), cost(5));
/// let house = Design {
///     name: "house".into(),
///     nodes: 1,
///     rooms: vec![Room { kind: TypeId::new(0), doors: vec![stairs] }],
///     exits: vec![0, 2], // its own node, and the second of the cellar
///     ..Design::default()
/// };
/// let catalog = Catalog::new(vec![cellar, house])?;
/// let house = catalog.building(TypeId::new(1)).unwrap();
/// assert_eq!(house.node_count(), 3);
/// assert_eq!(house.crossing(0, 1), Some(cost(8)));
/// assert_eq!(house.part_count(), 1);
/// # Ok::<(), farstride::error::WorldError>(())
/// ```
#[derive(Debug)]
pub struct Catalog {
    kinds: Box<[Kind]>,
}

impl Catalog {
    /// Builds a catalog from designs, which refer to each other by their index in the
    /// list.
    ///
    /// # Errors
    /// [`WorldError`] names the first design that is invalid, and why: it contains
    /// itself, names a node, exit or room that does not exist, or has too many of
    /// something or too high a cost.
    ///
    /// # Complexity
    /// For every type O((V + E) log V) times its number of exits, where V and E count
    /// its own nodes and arcs and the exits and parts of its rooms. A room is crossed
    /// by the crossings of its type; only a room that holds an exit of the building
    /// where its type has none is searched node by node.
    pub fn new(designs: Vec<Design>) -> Result<Self, WorldError> {
        Ok(Self { kinds: compile(designs)? })
    }

    /// Number of types.
    pub fn type_count(&self) -> usize {
        self.kinds.len()
    }

    /// Returns a type; `None` if there is no such type.
    pub fn building(&self, kind: TypeId) -> Option<Building<'_>> {
        let kinds = &self.kinds;
        self.kinds.get(kind.index()).map(|kind| Building { kinds, kind })
    }

    /// Every type, in the order of the designs.
    pub fn buildings(&self) -> impl ExactSizeIterator<Item = Building<'_>> {
        self.kinds.iter().map(|kind| Building { kinds: &self.kinds, kind })
    }

    /// Memory of the types in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.kinds.iter().map(Kind::memory_bytes).sum()
    }

    pub(super) const fn kinds(&self) -> &[Kind] {
        &self.kinds
    }
}

/// A building type. As a graph it is the inside of a building: its own nodes, then
/// those of its rooms, and nothing around it.
#[derive(Clone, Copy, Debug)]
pub struct Building<'c> {
    kinds: &'c [Kind],
    kind: &'c Kind,
}

impl<'c> Building<'c> {
    /// Its name.
    pub fn name(&self) -> &'c str {
        &self.kind.name
    }

    /// Number of its own nodes, which come before those of its rooms.
    pub const fn own_node_count(&self) -> usize {
        self.kind.own_nodes as usize
    }

    /// Its rooms: their types and the numbers of their nodes.
    pub fn rooms(&self) -> impl ExactSizeIterator<Item = (TypeId, Range<u32>)> + use<'c> {
        let kinds = self.kinds;
        self.kind.rooms.iter().map(move |room| {
            let nodes = kinds[room.kind.index()].node_count;
            (room.kind, room.offset..room.offset + nodes)
        })
    }

    /// Its exit nodes, in the order of the design.
    pub const fn exits(&self) -> &'c [NodeId] {
        &self.kind.exits
    }

    /// The index of the exit at a node; `None` if the node is not an exit.
    pub fn exit_at(&self, node: NodeId) -> Option<u32> {
        self.kind.exit_at(node.index() as u32)
    }

    /// Number of its parts: the strongly connected components of its inside.
    pub const fn part_count(&self) -> usize {
        self.kind.parts.count as usize
    }

    /// Returns the part in which a node lies. From every node of a part, every other
    /// can be reached without leaving the building. Parts are numbered in the order of
    /// their smallest nodes.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn part_of(&self, node: NodeId) -> u32 {
        assert!(node.index() < self.node_count(), "building '{}' has no node {node}", self.name());
        self.kind.part_of(self.kinds, node.index() as u32).raw()
    }

    /// Like [`Building::part_of`]; `None` if there is no such node.
    pub(in crate::groups) fn part_of_existing(&self, node: u32) -> Option<LocalPart> {
        (node < self.kind.node_count).then(|| self.kind.part_of(self.kinds, node))
    }

    /// The representative of each part: its own node with the most arcs, or the
    /// representative of a room.
    pub fn representatives(&self) -> impl ExactSizeIterator<Item = NodeId> + use<'c> {
        self.kind.representatives.iter().copied()
    }

    /// Cost of a cheapest way from the representative of a part to an exit; `None` if
    /// there is no way or no such exit.
    pub fn leaving(&self, part: u32, exit: u32) -> Option<Cost> {
        self.kind.leaving(part, exit)
    }

    /// Cost of a cheapest way from one exit to another inside the building; `None` if
    /// there is no way or no such exit.
    pub fn crossing(&self, from: u32, to: u32) -> Option<Cost> {
        self.kind.crossing(from, to)
    }
}

impl Graph for Building<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.kind.node_count as usize
    }

    #[inline]
    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let local = node.index() as u32;
        if local < self.kind.node_count {
            self.kind.for_each_arc(self.kinds, local, 0, &mut visit);
        }
    }
}
