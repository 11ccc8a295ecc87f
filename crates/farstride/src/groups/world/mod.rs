//! Instanced geometry: buildings that are stored once and placed many times.
//!
//! A building type is a graph with *exits*; its rooms may be buildings of other types.
//! An instance is a record of its type and of the *doors* that join its exits to nodes
//! of the base graph. It gets a range of node numbers of its own, so that the whole
//! world is one graph: for the arcs of a node, the world finds the instance by the
//! number, translates the number to that of the type, and translates the heads of the
//! type's arcs back.
//!
//! For whom: worlds with the same buildings many times. Start with [`Catalog`] and
//! [`World`]; [`WorldGroups`] builds a hierarchy on top.
//!
//! Text: Millington, *AI for Games*, section 4.6.5.

mod catalog;
mod compile;
mod crossings;
mod design;
mod doors;
mod entrances;
pub(crate) mod error;
mod groups;
mod instances;
mod kind;
mod parts;
mod representatives;
mod slots;
mod view;

pub use catalog::{Building, Catalog};
pub use design::{Design, Door, Room, TypeId};
pub(crate) use error::WorldError;
pub use groups::WorldGroups;
pub use instances::World;
pub use slots::InstanceId;
pub use view::WorldView;
