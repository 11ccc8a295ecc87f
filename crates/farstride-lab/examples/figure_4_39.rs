//! What it costs to go from one group to another: the worked example of
//! Millington, *AI for Games*, Figure 4.39.
//!
//! ```text
//! cargo run -p farstride-lab --example figure_4_39 -- [FOLDER]
//! ```

use farstride::Cost;
use farstride::graph::{NodeId, RowGraph};
use farstride::groups::{Connection, Ground, GroupHierarchy, GroupId, Members};
use farstride_io::picture::Colour;
use farstride_lab::diagram::{Diagram, Edge, Group, Node, Panel, Route};
use std::error::Error;
use std::path::Path;

/// Group C can be entered from A, above, and from B, below.
const LEVEL: [&str; 5] = ["A1 C1 -- --", "-- C2 -- --", "-- C3 -- --", "-- C4 C5 D1", "B1 C6 C7 D2"];

/// A step in units: two, so that half a step is a whole number as well.
const STEP: u32 = 2;

/// What each rule says about the way from C to D, in steps.
const RULES: [(&str, Connection, &str); 3] = [
    ("minimum", Connection::Minimum, "1"),
    ("maximin", Connection::Maximin, "5"),
    ("average", Connection::Average, "3½"),
];

struct Tile {
    name: &'static str,
    column: u16,
    row: u16,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    let file = Path::new(&folder).join("groups-figure-4-39.svg");
    std::fs::write(&file, figure_4_39()?.to_svg()?)?;
    println!("{}", file.display());
    Ok(())
}

/// Builds the level by each rule, and draws them side by side.
pub(crate) fn figure_4_39() -> Result<Diagram, Box<dyn Error>> {
    let tiles = tiles();
    let graph = graph(&tiles)?;
    let letter = |node: NodeId| tiles[node.index()].name.chars().next();
    let groups = Members::by_function(tiles.len(), letter)?;

    let mut diagram = Diagram::new("From C to D");
    diagram.width(1200).panel(draw_tiles(&tiles, &groups));
    let [c, d] = [2, 3].map(GroupId::new);
    for (name, rule, expected) in RULES {
        let hierarchy = GroupHierarchy::build(Ground::new(&graph, &groups), Vec::new(), rule)?;
        let cost = hierarchy.connection(1, c, d).map(steps).ok_or("C leads to D")?;
        println!("{name}: from C to D costs {cost}");
        assert_eq!(cost, expected);
        diagram.panel(draw_groups(name, &hierarchy));
    }
    Ok(diagram)
}

fn tiles() -> Vec<Tile> {
    let row = |(text, row): (&'static str, u16)| {
        text.split(' ').zip(0..).map(move |(name, column)| Tile { name, column, row })
    };
    LEVEL.into_iter().zip(0..).flat_map(row).filter(|tile| tile.name != "--").collect()
}

/// Tiles that share a side are joined.
fn graph(tiles: &[Tile]) -> Result<RowGraph, Box<dyn Error>> {
    let are_joined = |a: &Tile, b: &Tile| a.column.abs_diff(b.column) + a.row.abs_diff(b.row) == 1;
    let numbered = || (0_u32..).zip(tiles);
    let pairs = numbered().flat_map(|(a, tile)| {
        numbered().filter(move |&(b, other)| b < a && are_joined(tile, other)).map(move |(b, _)| (a, b))
    });
    Ok(RowGraph::from_edge_lengths(tiles.len(), pairs.map(|(a, b)| (a, b, 1.0)), STEP)?)
}

fn draw_tiles(tiles: &[Tile], groups: &Members) -> Panel {
    let mut panel = Panel::new("C is entered at C1 and at C6");
    panel.cells(4, 5).nodes(tiles.iter().map(|tile| Node::tile(tile.column, tile.row).label(tile.name)));
    for group in (0..groups.group_count() as u32).map(GroupId::new) {
        panel.group(Group::of(groups.members(group).iter().map(|node| node.index())));
    }
    let way = |names: &str| {
        let number = |name| tiles.iter().position(|tile| tile.name == name);
        Route::through(names.split(' ').filter_map(number))
    };
    panel
        .route(way("C1 C2 C3 C4 C5 D1").name("who came from A").cost(5))
        .route(way("C6 C7 D2").name("who came from B").cost(2));
    panel
}

/// The graph of the groups, with what the hierarchy says on every arrow.
fn draw_groups(name: &str, hierarchy: &GroupHierarchy<NodeId>) -> Panel {
    let mut panel = Panel::new(format!("By the rule {name}"));
    let places = [("A", 0.0, 0.0), ("B", 0.0, 4.0), ("C", 1.2, 2.0), ("D", 3.4, 2.0)];
    for (number, (name, x, y)) in places.into_iter().enumerate() {
        panel.node(Node::named(x, y, name).colour(Colour::group(number)));
    }
    for from in 0..places.len() {
        for (to, cost) in hierarchy.connections(1, GroupId::new(from as u32)) {
            panel.edge(Edge::one_way(from, to.index()).cost(steps(cost)));
        }
    }
    panel.route(Route::through([2, 3]).colour(Colour::path(2)).unmarked());
    panel
}

/// A cost in steps, as the text writes it.
fn steps(cost: Cost) -> String {
    let step = u64::from(STEP);
    let half = if cost.units().is_multiple_of(step) { "" } else { "½" };
    format!("{}{half}", cost.units() / step)
}
