//! The levels of a small road map: which places a long journey leads over.
//!
//! Run with `cargo run -p farstride --example levels_of_a_graph`.

use farstride::Cost;
use farstride::graph::{NodeId, RowGraph};
use farstride::nlevel::{Advanced, ArchScratch, Basic, NLevelGraph};
use std::error::Error;

const PLACES: [&str; 12] = [
    "Farm", "Mill", "Abbey", "Ford", "Market", "Bridge", "Harbour", "Castle", "Mine", "Lodge", "Pass",
    "Light",
];

/// Roads and their lengths in metres: villages hang on the road from the ford
/// over market and bridge to the castle, with a ring around the market.
const ROADS: [(u32, u32, u64); 14] = [
    (0, 1, 800),
    (1, 3, 1200),
    (2, 3, 900),
    (3, 4, 2500),
    (4, 5, 700),
    (5, 6, 1500),
    (6, 11, 1100),
    (5, 7, 2100),
    (7, 8, 1300),
    (7, 9, 600),
    (9, 10, 1900),
    (8, 10, 1600),
    (3, 6, 5200),
    (0, 2, 1700),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut roads = Vec::new();
    for (from, to, metres) in ROADS {
        roads.push((from, to, Cost::new(metres)?));
    }
    let map = RowGraph::from_edges(PLACES.len(), roads)?;

    // Basic: places sink as long as nobody needs them to pass through.
    let basic = NLevelGraph::partition(&map, None, &Basic)?;
    show("basic", &basic);

    // Advanced: with shortcuts of up to three kilometres, more of them can.
    let short = Advanced(|_, _, cost: Cost| cost.units() <= 3000);
    let advanced = NLevelGraph::partition(&map, None, &short)?;
    show("advanced", &advanced);

    // A search climbs from both ends; shortcuts are turned back into roads.
    let mut scratch = ArchScratch::default();
    let [start, goal] = ["Farm", "Pass"].map(place);
    for levels in [&basic, &advanced] {
        levels.check(&map)?; // for tests: proves every pair of places
        let found = levels.find(start, goal, &mut scratch).ok_or("no way")?;
        let way: Vec<_> = found.path.iter().map(|node| PLACES[node.index()]).collect();
        println!("{}: {} m", way.join(" - "), found.cost.units());
        assert_eq!(found.cost, Cost::new(9800)?);
        assert_eq!(way, ["Farm", "Mill", "Ford", "Market", "Bridge", "Castle", "Lodge", "Pass"]);
    }
    Ok(())
}

fn place(name: &str) -> NodeId {
    let index = PLACES.iter().position(|place| *place == name);
    NodeId::new(index.unwrap_or(PLACES.len()) as u32)
}

/// Prints the places of each level, highest first, and the shortcuts.
fn show(name: &str, levels: &NLevelGraph) {
    println!("{name}: {} levels", levels.level_count());
    for level in (1..=levels.level_count()).rev() {
        let places: Vec<_> = PLACES.into_iter().filter(|name| levels.level(place(name)) == level).collect();
        println!("  {level}: {}", places.join(", "));
    }
    for edge in levels.edges() {
        if let Some(via) = edge.via {
            let [from, to, via] = [edge.from, edge.to, via].map(|node| PLACES[node.index()]);
            println!("  shortcut {from} - {to} around {via}, {} m", edge.cost.units());
        }
    }
}
