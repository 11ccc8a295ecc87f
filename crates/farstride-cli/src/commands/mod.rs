//! One module per command.

pub(crate) mod bench;
pub(crate) mod build;
pub(crate) mod demo;
pub(crate) mod engines;
pub(crate) mod generate;
pub(crate) mod info;
pub(crate) mod paper;
pub(crate) mod path;
pub(crate) mod render;
mod rows;
pub(crate) mod table;
mod trace;
pub(crate) mod verify;
