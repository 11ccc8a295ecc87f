//! Where groups lead astray: a map for each rule by which connections between
//! groups get their costs, after Millington, *AI for Games*, Figures 4.41 and
//! 4.42.
//!
//! ```text
//! cargo run -p farstride-io --example strange_effects -- [FOLDER]
//! ```

use farstride::groups::{
    Connection, Ground, GroupHierarchy, GroupId, GroupRoute, GroupScratch, GroupTactics, Members, Mode,
};
use farstride::{NodeId, RowGraph};
use farstride_io::diagram::{Diagram, Edge, Group, Node, Panel, Route};
use farstride_io::picture::Colour;
use std::error::Error;
use std::path::Path;

/// Small rooms from the start S to the goal G, and a long hall around them.
const HALL: [&str; 9] = [
    "HHHHHHHHHHHHHHHHHHHHHHHHH",
    "H                       H",
    "H                       H",
    "H                       H",
    "H                       H",
    "H                       H",
    "H SSS AA BB CC DD EE GGG H",
    "HSSSSSAAABBBCCCDDDEEEGGGGH",
    "H SSS AA BB CC DD EE GGG H",
];

/// One long room from S to G that is crossed at its near end, and a way round.
const GALLERY: [&str; 9] = [
    "                         ",
    "                         ",
    "                         ",
    "                         ",
    "                         ",
    "                         ",
    "                         ",
    "                         ",
    "                         ",
];

/// A map on which every letter is a cell, and a room of it.
struct Map {
    cells: Vec<(u16, u16, u8)>,
    graph: RowGraph,
    rooms: Members,
}
