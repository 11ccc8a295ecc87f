//! A star map: lanes between near stars, wormholes between far ones, sectors
//! that nobody has drawn, and routes planned over these. After Millington, *AI
//! for Games*, sections 4.6.2 and 4.6.3.
//!
//! ```text
//! cargo run -p farstride-lab --example star_map -- [FOLDER]
//! ```

mod drawing;

use farstride::Cost;
use farstride::graph::{Link, Linked, LinkedStep};
use farstride::graph::{NodeId, RowGraph};
use farstride::groups::{
    Connection, Ground, GroupHierarchy, GroupRoute, GroupScratch, GroupTactics, Members, Mode, Representative,
};
use farstride_lab::diagram::Diagram;
use std::error::Error;
use std::path::Path;

/// Stars and where they are, in light years.
const STARS: &str = "Sol 0 39, Vega 0 56, Altair 7 51, Deneb 8 12, Sirius 10 21, Rigel 11 5, Mira 12 39, \
    Castor 14 31, Pollux 16 56, Spica 17 18, Antares 17 48, Regulus 23 2, Bellatrix 24 15, Arcturus 27 43, \
    Capella 30 51, Procyon 39 6, Canopus 40 56, Achernar 42 15, Hadar 45 37, Acrux 49 48, Mimosa 50 12, \
    Shaula 51 55, Alnair 53 2, Elnath 53 37, Alioth 55 20, Dubhe 63 52, Mirfak 66 16, Wezen 70 0, \
    Sargas 75 18, Avior 76 51, Atria 77 9, Peacock 78 40, Mirzam 81 28, Alphard 83 5, Hamal 87 21, \
    Polaris 89 43, Nunki 90 14, Algol 90 33, Denebola 90 51, Naos 93 4";

/// No lane is longer than this.
const REACH: f64 = 19.0;

/// Wormholes, and whether they lead both ways.
const WORMHOLES: [(&str, &str, bool); 4] = [
    ("Arcturus", "Alioth", true),
    ("Castor", "Elnath", false),
    ("Mirzam", "Bellatrix", false),
    ("Capella", "Peacock", true),
];

/// What a wormhole costs, in light years, and how many units one is.
const THROUGH: f64 = 1.0;
const UNITS: u32 = 100;

struct Star {
    name: &'static str,
    at: (f64, f64),
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    let file = Path::new(&folder).join("groups-star-map.svg");
    std::fs::write(&file, star_map()?.to_svg()?)?;
    println!("{}", file.display());
    Ok(())
}

/// Plans a route on exclusions and compares it with the shortest, then all of
/// them.
pub(crate) fn star_map() -> Result<Diagram, Box<dyn Error>> {
    let stars = stars()?;
    let lanes = RowGraph::from_edge_lengths(stars.len(), lanes(&stars), UNITS)?;
    let sectors = Members::balanced(&lanes, 8)?;
    let space = Linked::new(lanes, wormholes(&stars)?)?;
    let position = |star: NodeId| stars[star.index()].at;
    let ground = Ground::new(&space, &sectors).represented_by(Representative::Central(&position));
    let hierarchy = GroupHierarchy::build(ground, Vec::new(), Connection::Average)?;
    println!("{} stars in {} sectors", stars.len(), sectors.group_count());

    let mut scratch = GroupScratch::default();
    let whole = GroupTactics::default().with_mode(Mode::Exclusion);
    let navigator = hierarchy.on(&space, &sectors)?.with_tactics(whole);
    let (here, there) = (find(&stars, "Nunki")?, find(&stars, "Sol")?);
    let best = found(navigator.optimum(here, there, &mut scratch))?;
    let route = found(navigator.find(here, there, &mut scratch))?;
    println!("Shortest: {}", told(&stars, &space, &best));
    println!("On exclusions: {}", told(&stars, &space, &route));
    assert!(told(&stars, &space, &best).contains("Mirzam ~ Bellatrix"));
    assert!(told(&stars, &space, &route).contains("Alioth ~ Arcturus"));

    for rule in [Connection::Minimum, Connection::Maximin, Connection::Average] {
        let hierarchy = GroupHierarchy::build(ground, Vec::new(), rule)?;
        for mode in [Mode::Sections, Mode::Exclusion] {
            let tactics = GroupTactics::default().with_mode(mode).with_ahead(1);
            let navigator = hierarchy.on(&space, &sectors)?.with_tactics(tactics);
            let mut ratios = Vec::new();
            for (a, b) in pairs(stars.len()) {
                let (_, least) = found(navigator.optimum(a, b, &mut scratch))?;
                let (_, cost) = found(navigator.find(a, b, &mut scratch))?;
                assert!(cost >= least);
                ratios.push(cost.units() as f64 / least.units() as f64);
            }
            let worst = ratios.iter().copied().fold(1.0, f64::max);
            let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
            println!("{rule:?}, {mode:?}: {mean:.2} times the shortest, {worst:.2} at worst");
        }
    }
    Ok(drawing::draw(&stars, &space, &hierarchy, &sectors, [&route, &best]))
}

type Found = (Vec<NodeId>, Cost);

fn found(route: GroupRoute<'_, NodeId>) -> Result<Found, Box<dyn Error>> {
    match route {
        GroupRoute::Found { path, cost } => Ok((path.to_vec(), cost)),
        _ => Err("no route".into()),
    }
}

/// All pairs of different stars.
fn pairs(stars: usize) -> impl Iterator<Item = (NodeId, NodeId)> {
    let all = move || (0..stars as u32).map(NodeId::new);
    all().flat_map(move |a| all().map(move |b| (a, b))).filter(|(a, b)| a != b)
}

/// The stars on a route: a lane is a dash, a wormhole a tilde.
fn told(stars: &[Star], space: &Linked<RowGraph>, (path, cost): &Found) -> String {
    let mut text = path.first().map_or("", |star| stars[star.index()].name).to_owned();
    for (star, step) in path[1..].iter().zip(space.steps(path)) {
        let joint = if matches!(step, Some(LinkedStep::Link(_))) { " ~ " } else { " - " };
        text += joint;
        text += stars[star.index()].name;
    }
    format!("{text}, {}", light_years(*cost))
}

fn light_years(cost: Cost) -> String {
    format!("{:.1} ly", cost.units() as f64 / f64::from(UNITS))
}

fn stars() -> Result<Vec<Star>, Box<dyn Error>> {
    let star = |text: &'static str| {
        let mut words = text.split_whitespace();
        let mut next = || words.next().ok_or("a star has a name and two coordinates");
        Ok(Star { name: next()?, at: (next()?.parse()?, next()?.parse()?) })
    };
    STARS.split(',').map(star).collect()
}

fn find(stars: &[Star], name: &str) -> Result<NodeId, Box<dyn Error>> {
    let number = stars.iter().position(|star| star.name == name).ok_or("no such star")?;
    Ok(NodeId::new(number as u32))
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// Two stars are joined if none lies in the circle between them.
fn lanes(stars: &[Star]) -> Vec<(u32, u32, f64)> {
    let mut lanes = Vec::new();
    for (b, there) in (0..).zip(stars) {
        for (a, here) in (0..b).zip(stars) {
            let length = distance(here.at, there.at);
            let middle = (f64::midpoint(here.at.0, there.at.0), f64::midpoint(here.at.1, there.at.1));
            let between = stars.iter().filter(|star| distance(star.at, middle) < length / 2.0 - 1e-9);
            if length < REACH && between.count() == 0 {
                lanes.push((a, b, length));
            }
        }
    }
    lanes
}

fn wormholes(stars: &[Star]) -> Result<Vec<Link<NodeId>>, Box<dyn Error>> {
    let cost = Cost::scaled(THROUGH, UNITS).ok_or("no cost")?;
    let mut links = Vec::new();
    for (from, to, both_ways) in WORMHOLES {
        let (from, to) = (find(stars, from)?, find(stars, to)?);
        links.push(Link::new(from, to, cost));
        links.extend(both_ways.then_some(Link::new(to, from, cost)));
    }
    Ok(links)
}
