//! Instanced geometry: buildings that are stored once and placed many times.
//!
//! A building's type is a graph with *exits*; rooms in it may be buildings of
//! other types. An instance is a record of its type and of the *doors* that wire
//! its exits to nodes of the base graph. It gets a range of node numbers of its
//! own, so that the whole world is one graph: asked for the arcs of a node, it
//! finds the instance by the number, translates the number to the type's, and
//! the heads of the type's arcs back.
//!
//! Text: Millington, *AI for Games*, section 4.6.5.

mod catalog;
mod compile;
mod crossings;
mod design;
mod doors;
mod entrances;
mod error;
mod groups;
mod instances;
mod kind;
mod parts;
mod representatives;
mod slots;
mod view;

pub use catalog::{Building, Catalog};
pub use design::{Design, Door, Room, TypeId};
pub use error::WorldError;
pub use groups::WorldGroups;
pub use instances::World;
pub use slots::InstanceId;
pub use view::WorldView;
