//! Draws four diagrams of graphs with groups, as SVG and as PNG.
//!
//! `cargo run -p farstride-io --example diagrams -- [FOLDER]`

use farstride_io::diagram::{Area, Diagram, Edge, Group, Node, Panel, Route, Sample};
use farstride_io::picture::Colour;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    for (name, diagram) in
        [("office", office()), ("stars", stars()), ("village", village()), ("tiles", tiles())]
    {
        let file = |end: &str| Path::new(&folder).join(format!("{name}.{end}"));
        std::fs::write(file("svg"), diagram.to_svg()?)?;
        std::fs::write(file("png"), diagram.to_png()?)?;
        println!("{}", file("svg").display());
    }
    Ok(())
}

/// Waypoints in rooms, grouped by room, and the graph of the rooms above them.
fn office() -> Diagram {
    let mut floor = Panel::new("Level 0: waypoints");
    floor
        .area(Area::room((0.0, 5.0), (20.0, 7.5)).label("Corridor"))
        .area(Area::room((0.0, 0.0), (7.0, 5.0)).label("Kitchen"))
        .area(Area::room((7.0, 0.0), (13.0, 5.0)).label("Lab"))
        .area(Area::room((13.0, 0.0), (20.0, 5.0)).label("Library"))
        .area(Area::room((0.0, 7.5), (10.0, 12.0)).label("Open office"))
        .area(Area::room((10.0, 7.5), (20.0, 12.0)).label("Lobby"))
        .area(Area::door((3.0, 5.0), (4.2, 5.0)))
        .area(Area::door((9.4, 5.0), (10.6, 5.0)))
        .area(Area::door((16.0, 5.0), (17.2, 5.0)))
        .area(Area::door((5.0, 7.5), (6.2, 7.5)))
        .area(Area::door((14.4, 7.5), (15.6, 7.5)))
        .nodes([(1.5, 3.4), (3.6, 3.2), (5.2, 1.6), (5.6, 3.8)])
        .nodes([(8.4, 3.5), (10.0, 3.4), (11.6, 1.8), (8.4, 1.7)])
        .nodes([(14.6, 3.4), (16.6, 3.2), (18.4, 1.6), (15.2, 1.7)])
        .nodes([(1.6, 6.2), (3.6, 6.2), (5.6, 6.2), (10.0, 6.2), (15.0, 6.2), (16.6, 6.2)])
        .nodes([(5.6, 9.0), (2.0, 10.6), (4.4, 10.8), (8.4, 10.4)])
        .nodes([(15.0, 9.0), (11.8, 10.6), (18.0, 10.6)])
        .node(Node::at(18.4, 3.8).label("desk"))
        .edges([(0, 1), (1, 2), (1, 3), (2, 3), (4, 5), (5, 6), (4, 7), (6, 7), (8, 9), (9, 10), (8, 11)])
        .edges([(10, 11), (9, 25), (1, 13), (5, 15), (9, 17), (14, 18), (16, 22), (12, 13), (13, 14)])
        .edges([
            (14, 15),
            (15, 16),
            (16, 17),
            (18, 19),
            (18, 20),
            (18, 21),
            (19, 20),
            (20, 21),
            (22, 23),
            (22, 24),
        ])
        .group(Group::of(0..4).representative(1))
        .group(Group::of(4..8).representative(5))
        .group(Group::of([8, 9, 10, 11, 25]).representative(9))
        .group(Group::of(12..18).representative(15))
        .group(Group::of(18..22).representative(18))
        .group(Group::of(22..25).representative(22))
        .route(Route::through([19, 18, 14, 15, 16, 17, 9, 25]).name("shortest").cost(21))
        .route(Route::through([19, 20, 18, 14, 15, 16, 17, 9, 25]).name("by rooms").cost(23).dashed());
    let rooms = ["Kitchen", "Lab", "Library", "Corridor", "Open office", "Lobby"];
    let places = [(3.0, 2.0), (10.0, 2.0), (17.0, 2.0), (10.0, 6.2), (5.0, 10.5), (15.0, 10.5)];
    let mut above = Panel::new("Level 1: rooms");
    for (number, (room, (x, y))) in rooms.into_iter().zip(places).enumerate() {
        above.node(Node::named(x, y, room).colour(Colour::group(number)));
    }
    above
        .edges(
            [(0, 12), (1, 3), (2, 14), (4, 5), (5, 6)].map(|(room, cost)| Edge::one_way(room, 3).cost(cost)),
        )
        .edges(
            [(0, 11), (1, 4), (2, 13), (4, 6), (5, 5)].map(|(room, cost)| Edge::one_way(3, room).cost(cost)),
        )
        .route(Route::through([4, 3, 2]).colour(Colour::path(1)).dashed());
    let mut diagram = Diagram::new("An office");
    diagram.width(1200).panel(floor).panel(above);
    diagram
        .legend(Sample::Representative, "representative")
        .legend(Sample::Start, "start")
        .legend(Sample::Goal, "goal");
    diagram
}

/// Systems with lanes, and wormholes both ways or one way only.
fn stars() -> Diagram {
    let names = [
        "Sol",
        "Vega",
        "Rigel",
        "Altair",
        "Deneb",
        "Mira",
        "Castor",
        "Pollux",
        "Spica",
        "Antares",
        "Regulus",
        "Bellatrix",
    ];
    let places = [
        (1.0, 2.0),
        (2.2, 1.0),
        (3.2, 2.2),
        (2.2, 3.2),
        (6.0, 0.8),
        (7.2, 1.6),
        (6.2, 2.4),
        (5.4, 4.6),
        (6.8, 5.0),
        (8.0, 4.2),
        (1.4, 5.2),
        (2.8, 5.4),
    ];
    let mut sky = Panel::new("");
    sky.background(Colour::rgb(0x14, 0x1a, 0x2e));
    for (number, (name, (x, y))) in names.into_iter().zip(places).enumerate() {
        sky.node(Node::at(x, y).label(name).size(if number % 4 == 0 { 1.3 } else { 0.9 }));
    }
    sky.edges([(0, 1), (1, 2), (2, 3), (0, 3), (4, 5), (5, 6), (4, 6), (7, 8), (8, 9), (10, 11)])
        .edge(Edge::between(6, 9).cost(9))
        .edge(Edge::between(3, 10).cost(8))
        .edge(Edge::between(1, 4).portal().cost(1))
        .edge(Edge::one_way(2, 7).portal().cost(1))
        .edge(Edge::one_way(9, 5).portal().cost(2))
        .edge(Edge::one_way(8, 11).portal().bend(-0.2).cost(1))
        .group(Group::of(0..4).name("Core"))
        .group(Group::of(4..7).name("Northern reach"))
        .group(Group::of(7..10).name("Cluster of Spica"))
        .group(Group::of(10..12).name("Rim"))
        .group(Group::of([0, 1, 2, 3, 10, 11]).name("The Union").level(2).colour(Colour::group(8)))
        .route(Route::through([0, 1, 2, 7, 8, 9]).name("through the wormhole").cost(14))
        .route(
            Route::through([0, 1, 4, 6, 9]).name("by the north").cost(19).colour(Colour::path(4)).dashed(),
        );
    let mut diagram = Diagram::new("Star map");
    diagram.panel(sky).legend(Sample::Portal, "wormhole").legend(Sample::BothWays, "lane");
    diagram
}

/// Houses on a meadow: a group each, and what lies between them another.
fn village() -> Diagram {
    let (grass, path, wood) =
        (Colour::rgb(0xe6, 0xf0, 0xd8), Colour::rgb(0xd9, 0xcf, 0xb0), Colour::rgb(0xf6, 0xe7, 0xd3));
    let mut meadow = Panel::new("");
    meadow
        .background(grass)
        .area(Area::polygon([(0.0, 7.3), (7.0, 4.9), (23.0, 4.7), (23.0, 5.7), (7.0, 6.0), (0.0, 8.3)], path))
        .nodes([(1.0, 7.5), (3.8, 6.5), (7.6, 5.4), (10.3, 5.4), (14.8, 5.3), (18.0, 5.2), (20.8, 5.2)])
        .edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]);
    let houses =
        [("Miller", 2.0, 1.2, 1), ("Smith", 13.0, 0.8, 4), ("Inn", 8.5, 7.4, 3), ("Mayor", 19.0, 7.2, 6)];
    for (house, (name, x, y, way)) in houses.into_iter().enumerate() {
        let (first, is_south) = (7 + 3 * house, y > 5.0);
        let (front, inside) = if is_south { (y, y + 0.7) } else { (y + 2.6, y + 1.9) };
        let back = y + if is_south { 1.8 } else { 0.8 };
        meadow
            .area(Area::room((x, y), (x + 3.6, y + 2.6)).colour(wood).label(name))
            .area(Area::door((x + 1.3, front), (x + 2.3, front)).colour(wood))
            .nodes([(x + 1.8, inside), (x + 0.7, back), (x + 2.9, back)])
            .edges([(way, first), (first, first + 1), (first, first + 2), (first + 1, first + 2)])
            .group(Group::of(first..first + 3).representative(first));
    }
    meadow.route(Route::through([0, 1, 2, 3, 4, 5, 6, 16, 18]).name("to the mayor").cost(34));
    let mut diagram = Diagram::new("A village on a meadow");
    diagram
        .panel(meadow)
        .legend(Sample::Representative, "stands for its house")
        .legend(Sample::Ground(path), "road");
    diagram
}

/// Figure 4.39: a level of tiles, the groups A to D marked.
fn tiles() -> Diagram {
    let map = ["A1 C1 .. ..", ".. C2 .. ..", ".. C3 .. ..", ".. C4 C5 D1", "B1 C6 C7 D2"];
    let mut level = Panel::new("Tiles and groups");
    let mut groups: [Vec<usize>; 4] = Default::default();
    let cells = map
        .iter()
        .zip(0..)
        .flat_map(|(line, row)| line.split(' ').zip(0..).map(move |(name, column)| (name, column, row)));
    level.cells(4, 5);
    for (number, (name, column, row)) in cells.filter(|(name, ..)| *name != "..").enumerate() {
        level.node(Node::tile(column, row).label(name));
        groups[usize::from(name.as_bytes()[0] - b'A')].push(number);
    }
    for group in groups {
        level.group(Group::of(group));
    }
    let mut ways = level.clone();
    ways.caption("Two ways into D")
        .route(Route::through([0, 1, 2, 3, 4, 5, 6]).name("from A").cost(6))
        .route(Route::through([7, 8, 9, 10]).name("from B").cost(3));
    let mut above = Panel::new("Connections of the groups");
    above
        .nodes(
            [("A", 0.0, 0.0, 0), ("B", 0.0, 4.0, 1), ("C", 1.6, 2.0, 2), ("D", 3.6, 3.0, 3)]
                .map(|(name, x, y, group)| Node::named(x, y, name).colour(Colour::group(group))),
        )
        .edges([
            Edge::between(0, 2).cost(1),
            Edge::between(1, 2).cost(1),
            Edge::one_way(2, 3).cost(4),
            Edge::one_way(3, 2).cost(1),
        ]);
    let mut diagram = Diagram::new("Groups of tiles");
    diagram.width(1000).panel(level).panel(ways).panel(above);
    diagram
}
