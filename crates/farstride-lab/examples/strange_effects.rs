//! Where groups lead astray: a map for each way in which the cost between two
//! groups can be wrong, after Millington, *AI for Games*, Figures 4.41 and 4.42.
//!
//! ```text
//! cargo run -p farstride-lab --example strange_effects -- [FOLDER]
//! ```

use farstride::graph::{NodeId, RowGraph};
use farstride::groups::{
    Connection, Ground, GroupHierarchy, GroupId, GroupRoute, GroupScratch, GroupTactics, Members, Mode,
    Representative,
};
use farstride_io::picture::Colour;
use farstride_lab::diagram::{Diagram, Edge, Group, Node, Panel, Route};
use std::error::Error;
use std::path::Path;

/// Small rooms from S to G, and a hall that leads all around them.
const HALL: &str = "
    HHHHHHHHHHHHHHHHHHHHHHHHHHHHH
    H...........................H
    H...........................H
    H...........................H
    H.SSS.AA.BB.CC.DD.EE.FF.GGG.H
    HSSSSSAAABBBCCCDDDEEEFFFGGGGH
    H.SSS.AA.BB.CC.DD.EE.FF.GGG.H";

/// A gallery between S and G that is crossed where it begins, but can be entered
/// at its far end as well; and a passage around it.
const GALLERY: &str = "
    PPPSSSS......................FFF
    P..SSSS......................FFF
    P...C.........................F.
    P...CCCCCCCCCCCCCCCCCCCCCCCCCCC.
    P...CCCCCCCCCCCCCCCCCCCCCCCCCCC.
    P...C...........................
    P..GGGG.........................
    PPPGGGG.........................";

/// Rules, the rooms through which they lead from S to G, and what that costs.
type Choices = [(Connection, &'static str, u64); 3];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    for (name, diagram) in [("minimum", minimum()?), ("maximin", maximin()?)] {
        let file = Path::new(&folder).join(format!("groups-strange-{name}.svg"));
        std::fs::write(&file, diagram.to_svg()?)?;
        println!("{}", file.display());
    }
    Ok(())
}

/// Every step from room to room costs 1, so that the fewest rooms win.
pub(crate) fn minimum() -> Result<Diagram, Box<dyn Error>> {
    let choices = [
        (Connection::Minimum, "SHG", 44),
        (Connection::Maximin, "SABCDEFG", 22),
        (Connection::Average, "SABCDEFG", 22),
    ];
    draw("Minimum: the fewest rooms win", &Map::new(HALL)?, &choices)
}

/// One far door makes the gallery dear, also for those who only cross it.
pub(crate) fn maximin() -> Result<Diagram, Box<dyn Error>> {
    let choices =
        [(Connection::Minimum, "SCG", 6), (Connection::Maximin, "SPG", 16), (Connection::Average, "SPG", 16)];
    draw("Maximin and average: a far door deters", &Map::new(GALLERY)?, &choices)
}

/// A map on which each letter is a cell of the room of that name.
struct Map {
    cells: Vec<(u16, u16, char)>,
    graph: RowGraph,
    rooms: Members,
}

impl Map {
    /// Cells that share a side are joined, at a cost of 1.
    fn new(text: &str) -> Result<Self, Box<dyn Error>> {
        let rows = text.split_whitespace().zip(0..);
        let cells = rows.flat_map(|(row, y)| row.chars().zip(0..).map(move |(room, x)| (x, y, room)));
        let cells: Vec<(u16, u16, char)> = cells.filter(|&(.., room)| room != '.').collect();
        let mut edges = Vec::new();
        for (a, &(x, y, _)) in (0..).zip(&cells) {
            let next = cells.iter().position(|&(column, row, _)| (column, row) == (x + 1, y));
            let below = cells.iter().position(|&(column, row, _)| (column, row) == (x, y + 1));
            edges.extend([next, below].into_iter().flatten().map(|b| (a, b as u32, 1.0)));
        }
        let graph = RowGraph::from_edge_lengths(cells.len(), edges, 1)?;
        let rooms = Members::by_function(cells.len(), |node| cells[node.index()].2)?;
        Ok(Self { cells, graph, rooms })
    }

    fn position(&self, node: NodeId) -> (f64, f64) {
        let (x, y, _) = self.cells[node.index()];
        (x.into(), y.into())
    }

    fn hierarchy(&self, rule: Connection) -> Result<GroupHierarchy<NodeId>, Box<dyn Error>> {
        let position = |node| self.position(node);
        let ground = Ground::new(&self.graph, &self.rooms).represented_by(Representative::Central(&position));
        Ok(GroupHierarchy::build(ground, Vec::new(), rule)?)
    }

    /// The middle of the room of a name.
    fn middle(&self, hierarchy: &GroupHierarchy<NodeId>, room: char) -> Option<NodeId> {
        let mut middles = self.all_rooms().filter_map(|group| hierarchy.representative(1, group));
        middles.find(|&node| self.name(node) == room)
    }

    /// The way from the middle of S to that of G and its cost: through the groups by
    /// a rule, or the best there is.
    fn find(&self, rule: Option<Connection>) -> Result<(Vec<NodeId>, u64), Box<dyn Error>> {
        let hierarchy = self.hierarchy(rule.unwrap_or_default())?;
        let [start, goal] = ['S', 'G'].map(|room| self.middle(&hierarchy, room));
        let (start, goal) = start.zip(goal).ok_or("no start or no goal")?;
        let whole = GroupTactics::default().with_mode(Mode::Exclusion);
        let navigator = hierarchy.on(&self.graph, &self.rooms)?.with_tactics(whole);
        let mut scratch = GroupScratch::default();
        let route = match rule {
            Some(_) => navigator.find(start, goal, &mut scratch),
            None => navigator.optimum(start, goal, &mut scratch),
        };
        match route {
            GroupRoute::Found { path, cost } => Ok((path.to_vec(), cost.units())),
            _ => Err("no route".into()),
        }
    }

    fn all_rooms(&self) -> impl Iterator<Item = GroupId> + use<> {
        (0..self.rooms.group_count() as u32).map(GroupId::new)
    }

    fn name(&self, node: NodeId) -> char {
        self.cells[node.index()].2
    }

    /// The names of the rooms on a way, each once.
    fn rooms_on(&self, path: &[NodeId]) -> String {
        let mut rooms: Vec<char> = path.iter().map(|&node| self.name(node)).collect();
        rooms.dedup();
        rooms.into_iter().collect()
    }
}

/// Finds the way from S to G by every rule. Drawn are the shortest, and the longer
/// one that some rules prefer to it, with the costs that led there.
fn draw(title: &str, map: &Map, choices: &Choices) -> Result<Diagram, Box<dyn Error>> {
    let mut rooms = draw_rooms(map);
    let (best, least) = map.find(None)?;
    rooms.route(Route::through(numbers(&best)).name("the shortest way").cost(least));
    println!("{title}\n    Shortest: {} at {least}", map.rooms_on(&best));
    let (mut misled, mut above) = (Vec::new(), Vec::new());
    for &(rule, through, expected) in choices {
        let (path, cost) = map.find(Some(rule))?;
        println!("    {rule:?}: {} at {cost}", map.rooms_on(&path));
        assert_eq!((map.rooms_on(&path).as_str(), cost), (through, expected));
        if cost > least {
            let name = format!("{rule:?}").to_lowercase();
            above.push(draw_above(&name, map, &map.hierarchy(rule)?, &path));
            misled.push((name, path, cost));
        }
    }
    let names: Vec<&str> = misled.iter().map(|(name, ..)| name.as_str()).collect();
    let (_, path, cost) = misled.first().ok_or("no rule is misled")?;
    let longer = Route::through(numbers(path)).name(format!("by {}", names.join(" and by ")));
    rooms.route(longer.cost(cost).dashed());
    let mut diagram = Diagram::new(title);
    diagram.stacked().width(860).panel(rooms);
    for panel in above {
        diagram.panel(panel);
    }
    Ok(diagram)
}

fn draw_rooms(map: &Map) -> Panel {
    let mut panel = Panel::new("The rooms");
    panel.nodes(map.cells.iter().map(|&(x, y, _)| Node::tile(x, y)));
    for room in map.all_rooms() {
        let members = map.rooms.members(room);
        panel.group(Group::of(numbers(members)).name(map.rooms_on(members)));
    }
    panel
}

/// The graph of the rooms, and the rooms of a way.
fn draw_above(rule: &str, map: &Map, hierarchy: &GroupHierarchy<NodeId>, path: &[NodeId]) -> Panel {
    let mut panel = Panel::new(format!("Costs by {rule}"));
    for room in map.all_rooms() {
        let middle = hierarchy.representative(1, room).map_or((0.0, 0.0), |node| map.position(node));
        let name = map.rooms_on(map.rooms.members(room));
        panel.node(Node::named(middle.0, middle.1, name).colour(Colour::group(room.index())));
        let connections = hierarchy.connections(1, room);
        panel.edges(connections.map(|(to, cost)| Edge::one_way(room.index(), to.index()).cost(cost.units())));
    }
    let mut rooms: Vec<usize> = path.iter().map(|&node| map.rooms.group_of(node).index()).collect();
    rooms.dedup();
    panel.route(Route::through(rooms).colour(Colour::path(1)).dashed());
    panel
}

fn numbers(path: &[NodeId]) -> impl Iterator<Item = usize> {
    path.iter().map(|node| node.index())
}
