//! The types of buildings.

use farstride::graph::NodeId;
use farstride::groups::world::{Design, Door, Room, TypeId};
use farstride::{Cell, Cost};
use std::error::Error;

/// Units of cost per cell: those of a step on a road.
pub(super) const STEP: u32 = 4756;

pub(super) type Point = (f64, f64);

/// A type of building: its size in cells, where its own nodes are, which of them
/// are joined and which are exits, and its rooms: type, corner, own node before
/// the door.
pub(super) struct Plan {
    pub(super) name: &'static str,
    pub(super) size: Point,
    pub(super) nodes: &'static [Point],
    pub(super) joined: &'static [(usize, usize)],
    pub(super) exits: &'static [u32],
    pub(super) rooms: &'static [(usize, Point, usize)],
}

pub(super) const CHAMBER: usize = 0;
pub(super) const COTTAGE: usize = 1;
pub(super) const FARMHOUSE: usize = 2;
pub(super) const BARN: usize = 3;
pub(super) const FOOTBRIDGE: usize = 4;

pub(super) const PLANS: [Plan; 5] = [
    Plan {
        name: "chamber",
        size: (3.0, 2.4),
        nodes: &[(1.5, 1.8), (0.7, 0.7)],
        joined: &[(0, 1)],
        exits: &[0],
        rooms: &[],
    },
    Plan {
        name: "cottage",
        size: (5.0, 4.0),
        nodes: &[(2.5, 3.3), (1.1, 1.2), (3.9, 1.2)],
        joined: &[(0, 1), (0, 2), (1, 2)],
        exits: &[0],
        rooms: &[],
    },
    Plan {
        name: "farmhouse",
        size: (9.0, 5.0),
        nodes: &[(4.5, 4.3), (1.5, 3.5), (4.5, 3.3), (7.5, 3.6), (7.5, 0.9)],
        joined: &[(0, 1), (0, 2), (0, 3), (1, 2), (2, 3), (3, 4)],
        exits: &[0, 4],
        rooms: &[(CHAMBER, (0.0, 0.0), 1), (CHAMBER, (3.0, 0.0), 2)],
    },
    Plan {
        name: "barn",
        size: (6.0, 4.0),
        nodes: &[(3.5, 3.3), (3.0, 2.0), (3.5, 0.7)],
        joined: &[(0, 1), (1, 2)],
        exits: &[0, 2],
        rooms: &[],
    },
    Plan {
        name: "footbridge",
        size: (2.0, 1.0),
        nodes: &[(0.5, 0.5), (1.5, 0.5)],
        joined: &[(0, 1)],
        exits: &[0, 1],
        rooms: &[],
    },
];

fn cost(from: Point, to: Point) -> Result<Cost, Box<dyn Error>> {
    Ok(Cost::scaled((from.0 - to.0).hypot(from.1 - to.1), STEP).ok_or("no cost")?)
}

impl Plan {
    pub(super) fn design(&self) -> Result<Design, Box<dyn Error>> {
        let places = self.places();
        let mut arcs = Vec::new();
        for &(a, b) in self.joined {
            let cost = cost(places[a], places[b])?;
            arcs.extend([(a as u32, b as u32, cost), (b as u32, a as u32, cost)]);
        }
        let mut first = self.nodes.len();
        let mut rooms = Vec::new();
        for &(kind, _, before) in self.rooms {
            let door = Door::both_ways(0, NodeId::new(before as u32), cost(places[first], places[before])?);
            rooms.push(Room { kind: TypeId::new(kind as u32), doors: vec![door] });
            first += PLANS[kind].places().len();
        }
        let nodes = self.nodes.len() as u32;
        Ok(Design { name: self.name.into(), nodes, arcs, rooms, exits: self.exits.to_vec() })
    }

    /// Where the nodes are, those of rooms after its own.
    pub(super) fn places(&self) -> Vec<Point> {
        let mut places = self.nodes.to_vec();
        for &(kind, corner, _) in self.rooms {
            places.extend(PLANS[kind].places().into_iter().map(|(x, y)| (corner.0 + x, corner.1 + y)));
        }
        places
    }

    /// A point of the plan on the map.
    pub(super) fn on_map(&self, (x, y): Point, corner: (u16, u16), turned: bool) -> Point {
        let y = if turned { self.size.1 - y } else { y };
        (f64::from(corner.0) + x, f64::from(corner.1) + y)
    }

    /// The cell in front of an exit: beyond the nearest wall.
    pub(super) fn in_front(&self, exit: u32, corner: (u16, u16), turned: bool) -> Cell {
        let (x, y) = self.on_map(self.nodes[exit as usize], corner, turned);
        let (left, top) = (f64::from(corner.0), f64::from(corner.1));
        let beyond = [
            (x - left, (left - 1.0, y)),
            (left + self.size.0 - x, (left + self.size.0, y)),
            (y - top, (x, top - 1.0)),
            (top + self.size.1 - y, (x, top + self.size.1)),
        ];
        let nearest = beyond.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
        let (_, (x, y)) = nearest.unwrap_or_default();
        Cell::new(x as u16, y as u16)
    }
}
