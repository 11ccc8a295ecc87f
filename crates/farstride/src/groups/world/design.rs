//! Buildings as their authors describe them.

use crate::base::{Cost, NodeId};
use std::fmt;

/// A type of building: its place in the list of designs that a
/// [`Catalog`](super::Catalog) is made from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId(u32);

impl TypeId {
    /// The type whose design is at place `index` of the list.
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// Its place in the list of designs.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for TypeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A building type as its author writes it.
///
/// Nodes of the whole building are numbered like those of the world: first its
/// own, then those of each room in turn, each room with the numbers of its type
/// moved by an offset.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Design {
    /// What errors call it.
    pub name: String,
    /// Number of its own nodes, without those of its rooms.
    pub nodes: u32,
    /// Arcs among its own nodes: tail, head, cost.
    pub arcs: Vec<(u32, u32, Cost)>,
    /// Buildings inside it; their doors lead to its own nodes.
    pub rooms: Vec<Room>,
    /// The exit nodes: where it may be wired to what surrounds it. They can be
    /// in rooms.
    pub exits: Vec<u32>,
}

/// A building inside another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Room {
    /// Its type.
    pub kind: TypeId,
    /// How it is wired to the own nodes of the building around it.
    pub doors: Vec<Door>,
}

/// An exit node wired to a node outside. An exit may have several doors or
/// none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Door {
    /// Which of the type's exits, counted from 0.
    pub exit: u32,
    /// The node outside: an own node of the building around a room, a node of
    /// the base graph for an instance.
    pub outside: NodeId,
    /// What leaving costs, less than [`Cost::MAX`]; `None` if one cannot.
    pub out: Option<Cost>,
    /// What entering costs, less than [`Cost::MAX`]; `None` if one cannot.
    pub into: Option<Cost>,
}

impl Door {
    /// A door that costs the same both ways.
    pub const fn both_ways(exit: u32, outside: NodeId, cost: Cost) -> Self {
        Self { exit, outside, out: Some(cost), into: Some(cost) }
    }
}
