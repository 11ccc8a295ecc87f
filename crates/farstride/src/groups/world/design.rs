//! Buildings as their authors describe them.

use crate::base::{Cost, NodeId};
use std::fmt;

/// A building type: its index in the list of designs that a [`Catalog`](super::Catalog)
/// is built from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId(u32);

impl TypeId {
    /// Returns the id of the design at this index.
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// The index of the design.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for TypeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A building type as its author describes it.
///
/// The nodes of the whole building are numbered like those of the world: its own nodes
/// first, then those of each room in turn. In a room, nodes have the numbers of its
/// type plus an offset.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Design {
    /// Name for error messages.
    pub name: String,
    /// Number of its own nodes, without those of its rooms.
    pub nodes: u32,
    /// Arcs between its own nodes: tail, head, cost.
    pub arcs: Vec<(u32, u32, Cost)>,
    /// Buildings inside it. Their doors lead to its own nodes.
    pub rooms: Vec<Room>,
    /// Exit nodes, where it can be joined to what surrounds it. They may lie in rooms.
    pub exits: Vec<u32>,
}

/// A building inside another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Room {
    /// Its type.
    pub kind: TypeId,
    /// Doors to own nodes of the building around it.
    pub doors: Vec<Door>,
}

/// Joins an exit node to a node outside. An exit may have several doors, or none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Door {
    /// Index of the exit in the type's list.
    pub exit: u32,
    /// The node outside: of the base graph for an instance, an own node of the
    /// surrounding building for a room.
    pub outside: NodeId,
    /// Cost of leaving, below [`Cost::MAX`]; `None` if the door does not open that way.
    pub out: Option<Cost>,
    /// Cost of entering, below [`Cost::MAX`]; `None` if the door does not open that
    /// way.
    pub into: Option<Cost>,
}

impl Door {
    /// Returns a door with the same cost both ways.
    pub const fn both_ways(exit: u32, outside: NodeId, cost: Cost) -> Self {
        Self { exit, outside, out: Some(cost), into: Some(cost) }
    }
}
