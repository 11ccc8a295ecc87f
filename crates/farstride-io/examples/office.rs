//! From a desk to the rear parking lot: an office of two floors, its rooms as
//! groups of waypoints, its floors as groups of rooms, and a walk that is
//! planned section by section. After Millington, *AI for Games*, section 4.6.
//!
//! ```text
//! cargo run -p farstride-io --example office -- [FOLDER]
//! ```

use farstride::graph::{Link, Linked};
use farstride::groups::{
    Connection, Ground, GroupHierarchy, GroupId, GroupPlan, GroupPlanned, GroupScratch, GroupTactics,
    Members, Next, Representative,
};
use farstride::{Cost, NodeId, RowGraph};
use farstride_io::diagram::{Area, Diagram, Edge, Group, Node, Panel, Route, Sample};
use farstride_io::picture::Colour;
use std::error::Error;
use std::path::Path;

type Point = (f64, f64);

/// Name, floor, two corners and waypoints of each room, in metres.
const ROOMS: [(&str, usize, [Point; 2], &[Point]); 10] = [
    ("Open office", 0, [(5.0, 0.0), (15.0, 5.0)], &[(6.5, 2.6), (8.5, 1.2), (11.0, 2.6), (13.5, 1.2), (11.0, 4.2)]),
    ("Kitchen", 0, [(15.0, 0.0), (20.0, 5.0)], &[(17.5, 4.2), (16.2, 1.2), (18.8, 1.6)]),
    ("Meeting", 0, [(20.0, 0.0), (26.0, 5.0)], &[(23.0, 4.2), (21.2, 1.6), (24.8, 1.6)]),
    ("Corridor", 0, [(5.0, 5.0), (26.0, 8.0)], &[(6.2, 6.5), (11.0, 6.5), (17.5, 6.5), (23.0, 6.5), (25.2, 6.5)]),
    ("Lobby", 1, [(5.0, 11.0), (13.0, 18.0)], &[(6.2, 12.6), (9.0, 14.0), (5.8, 16.2), (11.6, 16.2)]),
    ("Archive", 1, [(13.0, 11.0), (20.0, 18.0)], &[(14.2, 16.2), (14.8, 12.6), (18.6, 13.2)]),
    ("Workshop", 1, [(20.0, 11.0), (26.0, 18.0)], &[(21.4, 13.2), (24.6, 12.4), (23.0, 16.2)]),
    ("Forecourt", 2, [(0.0, 11.0), (5.0, 18.0)], &[(3.8, 16.2), (1.4, 12.8), (2.2, 17.2)]),
    ("Side path", 2, [(0.0, 18.0), (32.0, 21.0)], &[(2.2, 19.5), (9.0, 19.5), (16.0, 19.5), (23.0, 19.5), (29.4, 19.5)]),
    ("Parking lot", 2, [(26.0, 11.0), (32.0, 18.0)], &[(29.4, 17.0), (27.6, 14.6), (30.6, 13.0), (27.6, 12.0)]),
];
