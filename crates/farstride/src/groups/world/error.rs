//! Why a building cannot be designed or placed.

use super::{InstanceId, TypeId};
use crate::base::{Cost, NodeId};
use std::error::Error;
use std::fmt;

/// Why a building cannot be designed, placed or removed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WorldError {
    /// Types contain each other.
    InsideItself {
        /// Names of the types: each has a room of the next, the last one of
        /// the first.
        cycle: Vec<String>,
    },
    /// Rooms in rooms in rooms: more than a building may have.
    TooDeep {
        /// Name of the type.
        building: String,
        /// How deep rooms may be nested.
        most: u32,
    },
    /// A type has no nodes at all.
    Empty {
        /// Name of the type.
        building: String,
    },
    /// A type has more nodes than 32 bits can count, those of its rooms
    /// included.
    TooManyNodes {
        /// Name of the type.
        building: String,
        /// How many it has.
        nodes: u64,
    },
    /// A type has more arcs than can be counted.
    TooManyArcs {
        /// Name of the type.
        building: String,
        /// How many it has.
        arcs: usize,
    },
    /// A type has more exits than may be.
    TooManyExits {
        /// Name of the type.
        building: String,
        /// How many it has.
        exits: usize,
        /// How many it may have.
        most: usize,
    },
    /// An arc or the door of a room names a node that its building does not
    /// have itself, or an exit one that is not in it.
    UnknownNode {
        /// Name of the type.
        building: String,
        /// The node named.
        node: u32,
        /// How many nodes there are to choose from.
        nodes: u32,
    },
    /// A node is listed as an exit twice.
    ExitTwice {
        /// Name of the type.
        building: String,
        /// The node.
        node: u32,
    },
    /// The type of a room does not exist.
    UnknownRoom {
        /// Name of the type that has the room.
        building: String,
        /// The type named.
        found: TypeId,
        /// How many types there are.
        types: usize,
    },
    /// An arc or a door is dearer than may be.
    TooDear {
        /// Name of the type.
        building: String,
        /// The cost found.
        cost: Cost,
    },
    /// The way between two exits of a type is dearer than [`Cost::MAX`].
    CrossingTooDear {
        /// Name of the type.
        building: String,
        /// The exit at which the way starts.
        from: u32,
        /// The exit at which it ends.
        to: u32,
    },
    /// A type that is not in the catalog.
    UnknownType {
        /// The type named.
        found: TypeId,
        /// How many types there are.
        types: usize,
    },
    /// A door names an exit that its type does not have.
    UnknownExit {
        /// Name of the type.
        building: String,
        /// The exit named.
        exit: u32,
        /// How many exits it has.
        exits: usize,
    },
    /// A door leads to a node that is not in the base graph.
    UnknownOutside {
        /// The node named.
        node: NodeId,
        /// How many nodes the base graph has.
        nodes: usize,
    },
    /// A door leads to a node of the base graph at which nobody can be: on a map, a
    /// blocked cell.
    BlockedOutside {
        /// The node named.
        node: NodeId,
    },
    /// The numbers of the world's nodes have run out.
    WorldFull {
        /// The first number that is free.
        offset: usize,
        /// How many nodes the building has.
        nodes: u32,
    },
    /// More doors than 32 bits can count.
    TooManyDoors,
    /// An instance that was never placed.
    UnknownInstance {
        /// The instance named.
        found: InstanceId,
        /// How many places for instances there are.
        slots: usize,
    },
    /// An instance that has been removed.
    Removed {
        /// The instance named.
        found: InstanceId,
    },
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InsideItself { cycle } => match cycle.as_slice() {
                [only] => write!(f, "building '{only}' has a room of its own type"),
                names => write!(f, "buildings contain each other: '{}'", names.join("' has '")),
            },
            Self::TooDeep { building, most } => {
                write!(f, "rooms of building '{building}' are nested more than {most} deep")
            }
            Self::Empty { building } => write!(f, "building '{building}' has no nodes"),
            Self::TooManyNodes { building, nodes } => {
                write!(f, "building '{building}' has {nodes} nodes, more than 32 bits can count")
            }
            Self::TooManyArcs { building, arcs } => {
                write!(f, "building '{building}' has {arcs} arcs, more than 31 bits can count")
            }
            Self::TooManyExits { building, exits, most } => {
                write!(f, "building '{building}' has {exits} exits, more than {most}")
            }
            Self::UnknownNode { building, node, nodes } => {
                write!(f, "building '{building}' names node {node}, but there are only {nodes}")
            }
            Self::ExitTwice { building, node } => {
                write!(f, "building '{building}' has node {node} as an exit twice")
            }
            Self::UnknownRoom { building, found, types } => {
                write!(
                    f,
                    "building '{building}' has a room of type {found}, but there are only {types} types"
                )
            }
            Self::TooDear { building, cost } => {
                let units = cost.units();
                write!(f, "an arc or a door of building '{building}' costs {units} units, which is too much")
            }
            Self::CrossingTooDear { building, from, to } => write!(
                f,
                "the way from exit {from} to exit {to} of building '{building}' costs more than can be exact"
            ),
            Self::UnknownType { found, types } => {
                write!(f, "there is no building type {found}, only {types} types")
            }
            Self::UnknownExit { building, exit, exits } => {
                write!(f, "a door names exit {exit} of building '{building}', which has {exits}")
            }
            Self::UnknownOutside { node, nodes } => {
                write!(f, "a door leads to node {node}, but the base graph has only {nodes} nodes")
            }
            Self::BlockedOutside { node } => write!(f, "a door leads to node {node}, where nobody can be"),
            Self::WorldFull { offset, nodes } => {
                write!(f, "{nodes} nodes from number {offset} on are more than 32 bits can count")
            }
            Self::TooManyDoors => write!(f, "more doors than 32 bits can count"),
            Self::UnknownInstance { found, slots } => {
                write!(f, "there is no instance {found}, only {slots} places for instances")
            }
            Self::Removed { found } => write!(f, "instance {found} has been removed"),
        }
    }
}

impl Error for WorldError {}
