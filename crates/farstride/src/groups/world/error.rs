//! Why a building cannot be designed, placed or removed.

use super::{InstanceId, TypeId};
use crate::base::{Cost, NodeId};
use std::error::Error;
use std::fmt;

/// Why a building cannot be designed, placed or removed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WorldError {
    /// Building types contain each other.
    InsideItself {
        /// Names of the types: each has a room of the next, the last one of the first.
        cycle: Vec<String>,
    },
    /// Rooms are nested too deep.
    TooDeep {
        /// Name of the type.
        building: String,
        /// Maximum depth.
        most: u32,
    },
    /// A type has no nodes at all.
    Empty {
        /// Name of the type.
        building: String,
    },
    /// A type has more nodes than 32 bits can count, including those of its rooms.
    TooManyNodes {
        /// Name of the type.
        building: String,
        /// Number of nodes.
        nodes: u64,
    },
    /// A type has more arcs than 31 bits can count.
    TooManyArcs {
        /// Name of the type.
        building: String,
        /// Number of arcs.
        arcs: usize,
    },
    /// A type has too many exits.
    TooManyExits {
        /// Name of the type.
        building: String,
        /// Number of exits.
        exits: usize,
        /// Maximum number of exits.
        most: usize,
    },
    /// An arc or the door of a room names a node that is not the building's own, or an
    /// exit names a node that is not in the building.
    UnknownNode {
        /// Name of the type.
        building: String,
        /// The node that is named.
        node: u32,
        /// Number of nodes to choose from.
        nodes: u32,
    },
    /// A node is listed twice as an exit.
    ExitTwice {
        /// Name of the type.
        building: String,
        /// The node.
        node: u32,
    },
    /// A room has a type that does not exist.
    UnknownRoom {
        /// Name of the type that has the room.
        building: String,
        /// The type that is named.
        found: TypeId,
        /// Number of types.
        types: usize,
    },
    /// An arc or a door costs too much.
    TooDear {
        /// Name of the type.
        building: String,
        /// Its cost.
        cost: Cost,
    },
    /// A way between two exits of a type costs more than [`Cost::MAX`].
    CrossingTooDear {
        /// Name of the type.
        building: String,
        /// The exit where the way starts.
        from: u32,
        /// The exit where it ends.
        to: u32,
    },
    /// The catalog has no such type.
    UnknownType {
        /// The type that is named.
        found: TypeId,
        /// Number of types.
        types: usize,
    },
    /// A door names an exit that its type does not have.
    UnknownExit {
        /// Name of the type.
        building: String,
        /// The exit that is named.
        exit: u32,
        /// Number of exits.
        exits: usize,
    },
    /// A door leads to a node that is not in the base graph.
    UnknownOutside {
        /// The node that is named.
        node: NodeId,
        /// Number of nodes of the base graph.
        nodes: usize,
    },
    /// A door leads to a node of the base graph that cannot be entered: on a map, a
    /// blocked cell.
    BlockedOutside {
        /// The node that is named.
        node: NodeId,
    },
    /// Node numbers have run out.
    WorldFull {
        /// The first free number.
        offset: usize,
        /// Number of nodes of the building.
        nodes: u32,
    },
    /// There are more doors than 32 bits can count.
    TooManyDoors,
    /// The instance was never placed.
    UnknownInstance {
        /// The instance that is named.
        found: InstanceId,
        /// Number of slots for instances.
        slots: usize,
    },
    /// The instance has been removed.
    Removed {
        /// The instance that is named.
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
