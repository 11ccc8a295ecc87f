//! The same search on a graph of your own: a star map.
//!
//! Run with `cargo run -p farstride --example own_graph`.

use farstride::Cost;
use farstride::graph::{NodeId, RowGraph};
use farstride::search::{Counters, Memory, SearchStatus, astar};
use std::error::Error;

/// Where the stars are, in light years.
const STARS: [(&str, i32, i32); 6] = [
    ("Sol", 0, 0),
    ("Vega", 25, 3),
    ("Altair", 10, 14),
    ("Deneb", 40, 20),
    ("Sirius", -6, 6),
    ("Rigel", 45, -10),
];

/// Which of them are joined by a lane.
const LANES: [(u32, u32); 7] = [(0, 1), (0, 2), (0, 4), (1, 3), (2, 3), (1, 5), (2, 1)];

/// Distance in hundredths of a light year.
fn distance(a: usize, b: usize) -> Cost {
    let ((_, ax, ay), (_, bx, by)) = (STARS[a], STARS[b]);
    let square = f64::from((ax - bx).pow(2) + (ay - by).pow(2));
    Cost::new((square.sqrt() * 100.0).ceil() as u64).unwrap_or(Cost::MAX)
}

fn main() -> Result<(), Box<dyn Error>> {
    let lanes = LANES.map(|(a, b)| (a, b, distance(a as usize, b as usize)));
    let map = RowGraph::from_edges(STARS.len(), lanes)?;
    let (start, goal) = (NodeId::new(4), NodeId::new(3));
    let mut memory = Memory::default();
    let mut counters = Counters::default();
    let bound = |star: NodeId| distance(star.index(), goal.index());
    let progress = astar(&map, start, goal, bound, &mut memory, &mut counters);
    assert_eq!(progress, SearchStatus::Reached(goal));

    let mut path = Vec::new();
    memory.path_into(&map, goal, &mut path);
    let names: Vec<_> = path.iter().map(|star| STARS[star.index()].0).collect();
    let light_years = memory.cost(goal.index()).map_or(0, Cost::units) as f64 / 100.0;
    println!("{}: {light_years} light years, {} stars expanded", names.join(" - "), counters.expanded);
    assert_eq!(names, ["Sirius", "Sol", "Altair", "Deneb"]);
    Ok(())
}
