//! From a desk to the rear parking lot: an office of two floors, its rooms as
//! groups of waypoints, its floors as groups of rooms, and a walk that is
//! planned section by section. After Millington, *AI for Games*, section 4.6.
//!
//! ```text
//! cargo run -p farstride-lab --example office -- [FOLDER]
//! ```

mod drawing;

use farstride::Cost;
use farstride::graph::{Link, Linked};
use farstride::graph::{NodeId, RowGraph};
use farstride::groups::{
    Connection, Ground, GroupHierarchy, GroupPlan, GroupScratch, GroupTactics, Members, Next, Representative,
};
use farstride_lab::diagram::Diagram;
use std::error::Error;
use std::ops::Range;
use std::path::Path;

/// Name, two corners and waypoints of each room, in metres.
const ROOMS: &str = "
    Open office | 5 0, 15 5    | 6.5 2.6, 8.5 1.2, 11 2.6, 13.5 1.2, 11 4.2
    Kitchen     | 15 0, 20 5   | 17.5 4.2, 16.2 1.2, 18.8 1.6
    Meeting     | 20 0, 26 5   | 23 4.2, 21.2 1.6, 24.8 1.6
    Corridor    | 5 5, 26 8    | 6.2 6.5, 11 6.5, 17.5 6.5, 23 6.5, 25.2 6.5
    Lobby       | 5 11, 13 18  | 6.2 12.6, 9 14, 6 16.2, 11.6 16.2
    Archive     | 13 11, 20 18 | 14.2 16.2, 14.8 12.6, 18.6 13.2
    Workshop    | 20 11, 26 18 | 21.4 13.2, 24.6 12.4, 23 16.2
    Forecourt   | 0 11, 5 18   | 3.8 16.2, 1.4 12.8, 2.2 17.2
    Side path   | 0 18, 32 21  | 2.2 19.5, 9 19.5, 16 19.5, 23 19.5, 29.4 19.5
    Parking lot | 26 11, 32 18 | 29.4 17, 27.6 14.6, 30.6 13, 27.6 12";

/// The floors and the rooms on each.
const FLOORS: [(&str, Range<usize>); 3] = [("Upstairs", 0..4), ("Downstairs", 4..7), ("Outside", 7..10)];

/// Doors between waypoints of two rooms.
const DOORS: [(u32, u32); 8] = [(4, 12), (5, 13), (8, 14), (19, 20), (22, 23), (18, 26), (28, 29), (33, 34)];

/// Waypoints of a room are joined up to this distance.
const NEAR: f64 = 7.1;

const DESK: NodeId = NodeId::new(0);
const CAR: NodeId = NodeId::new(36);
const STAIRS: [NodeId; 2] = [NodeId::new(11), NodeId::new(16)];
/// It opens outwards only, and the alarm goes off: dearer than any walk.
const FIRE_DOOR: [NodeId; 2] = [NodeId::new(15), NodeId::new(37)];

type Point = (f64, f64);

struct Room {
    name: &'static str,
    corners: [Point; 2],
    waypoints: Range<usize>,
}

struct Office {
    rooms: Vec<Room>,
    places: Vec<Point>,
    graph: Linked<RowGraph>,
    groups: Members,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    for (name, diagram) in ["groups-office.svg", "groups-office-levels.svg"].into_iter().zip(office()?) {
        let file = Path::new(&folder).join(name);
        std::fs::write(&file, diagram.to_svg()?)?;
        println!("{}", file.display());
    }
    Ok(())
}

/// Walks to the car on a day like any other, then on the day of a fire drill.
pub(crate) fn office() -> Result<[Diagram; 2], Box<dyn Error>> {
    let mut office = Office::new()?;
    let places = office.places.clone();
    let position = |node: NodeId| places[node.index()];
    let central = Representative::Central(&position);
    let floors = Members::by_hand(office.rooms.len(), FLOORS.map(|(_, rooms)| nodes(rooms)))?;
    let ground = Ground::new(&office.graph, &office.groups).represented_by(central);
    let mut hierarchy = GroupHierarchy::build(ground, vec![floors], Connection::Average)?;
    let (mut plan, mut scratch) = (GroupPlan::default(), GroupScratch::default());

    println!("A day like any other");
    let planned = hierarchy.on(&office.graph, &office.groups)?.plan(DESK, CAR, &mut plan, &mut scratch);
    assert!(planned);
    let first = office.walk(&hierarchy, 1, &mut plan, &mut scratch)?;
    let mut planned = vec![(DESK, 0), (plan.position(), 0)];
    planned.extend(hierarchy.parts_ahead(&plan));
    let mut path = first.clone();
    path.extend(&office.walk(&hierarchy, usize::MAX, &mut plan, &mut scratch)?[1..]);
    let through = ["Open office", "Corridor", "Lobby", "Forecourt", "Side path", "Parking lot"];
    assert_eq!(office.rooms_on(&path), through);
    let diagrams = [office.draw(&hierarchy, &path, &first), office.draw_levels(&hierarchy, &planned)];

    println!("The day of the fire drill");
    hierarchy.on(&office.graph, &office.groups)?.plan(DESK, CAR, &mut plan, &mut scratch);
    office.walk(&hierarchy, 1, &mut plan, &mut scratch)?;
    println!("    The stairs are closed");
    let [top, bottom] = STAIRS;
    assert!(office.graph.remove(top, bottom).is_some() && office.graph.remove(bottom, top).is_some());
    let ground = Ground::new(&office.graph, &office.groups).represented_by(central);
    hierarchy.update(ground, STAIRS)?;
    let path = office.walk(&hierarchy, usize::MAX, &mut plan, &mut scratch)?;
    assert_eq!((office.rooms_on(&path), plan.replans()), (vec!["Corridor", "Parking lot"], 1));
    let planned = hierarchy.on(&office.graph, &office.groups)?.plan(CAR, DESK, &mut plan, &mut scratch);
    assert!(!planned, "the fire door opens outwards only");
    Ok(diagrams)
}

impl Office {
    fn new() -> Result<Self, Box<dyn Error>> {
        let (mut rooms, mut places) = (Vec::new(), Vec::new());
        for line in ROOMS.trim().lines() {
            let mut fields = line.split('|').map(str::trim);
            let name = fields.next().unwrap_or_default();
            let [corners, waypoints] =
                [fields.next(), fields.next()].map(|field| points(field.unwrap_or("")));
            let first = places.len();
            places.extend(waypoints?);
            let corners = <[Point; 2]>::try_from(corners?).map_err(|_| "a room has two corners")?;
            rooms.push(Room { name, corners, waypoints: first..places.len() });
        }
        let graph = graph(&rooms, &places)?;
        let groups = Members::by_hand(places.len(), rooms.iter().map(|room| nodes(room.waypoints.clone())))?;
        Ok(Self { rooms, places, graph, groups })
    }

    /// Goes on with a plan for some sections; the waypoints walked.
    fn walk(
        &self,
        hierarchy: &GroupHierarchy<NodeId>,
        sections: usize,
        plan: &mut GroupPlan<NodeId>,
        scratch: &mut GroupScratch<NodeId>,
    ) -> Result<Vec<NodeId>, Box<dyn Error>> {
        // One step of each level at a time, as in the text.
        let tactics = GroupTactics::default().with_ahead(1);
        let navigator = hierarchy.on(&self.graph, &self.groups)?.with_tactics(tactics);
        let mut path = vec![plan.position()];
        for _ in 0..sections {
            let Next::Section { nodes, cost } = navigator.go_on(plan, scratch) else { break };
            println!("    {}: {} m", self.rooms_on(nodes).join(" to "), cost.units());
            path.extend(&nodes[1..]);
        }
        Ok(path)
    }

    /// The names of the rooms on a way, each once.
    fn rooms_on(&self, path: &[NodeId]) -> Vec<&'static str> {
        let room = |&node: &NodeId| self.rooms[self.groups.group_of(node).index()].name;
        let mut rooms: Vec<_> = path.iter().map(room).collect();
        rooms.dedup();
        rooms
    }
}

fn points(text: &str) -> Result<Vec<Point>, Box<dyn Error>> {
    let point = |text: &str| {
        let (x, y) = text.trim().split_once(' ').ok_or("a point has two coordinates")?;
        Ok((x.parse()?, y.parse()?))
    };
    text.split(',').map(point).collect()
}

fn nodes(numbers: Range<usize>) -> impl Iterator<Item = NodeId> {
    numbers.map(|number| NodeId::new(number as u32))
}

/// Waypoints in sight of each other are joined, at a cost of 1 per metre; stairs
/// and fire door are links with costs of their own.
fn graph(rooms: &[Room], places: &[Point]) -> Result<Linked<RowGraph>, Box<dyn Error>> {
    let length = |a: u32, b: u32| {
        let ((ax, ay), (bx, by)) = (places[a as usize], places[b as usize]);
        (ax - bx).hypot(ay - by)
    };
    let mut pairs = DOORS.to_vec();
    for room in rooms {
        let all = || room.waypoints.clone().map(|number| number as u32);
        let all_pairs = all().flat_map(|a| all().map(move |b| (a, b)));
        pairs.extend(all_pairs.filter(|&(a, b)| a < b && length(a, b) < NEAR));
    }
    let edges = pairs.into_iter().map(|(a, b)| (a, b, length(a, b)));
    let graph = RowGraph::from_edge_lengths(places.len(), edges, 1)?;
    let ([top, bottom], [inside, outside]) = (STAIRS, FIRE_DOOR);
    let link = |from, to, cost| Ok::<_, Box<dyn Error>>(Link::new(from, to, Cost::new(cost)?));
    let links = [link(top, bottom, 8)?, link(bottom, top, 12)?, link(inside, outside, 100)?];
    Ok(Linked::new(graph, links)?)
}
