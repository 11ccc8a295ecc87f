//! One map, one call: a path in three guarantees.
//!
//! Run with `cargo run -p farstride --example first_path`.

use farstride::{Cell, Engine, Grid, Outcome, Planner, Query, Scratch};
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let grid = Arc::new(Grid::from_ascii(
        "
        ....................
        .######.............
        .#....#...########..
        .#....#...#......#..
        .#........#......#..
        .#....#...#......#..
        .######...###.####..
        ....................
        ",
    )?);
    let query = Query::new(Cell::new(2, 3), Cell::new(12, 4));
    let mut scratch = Scratch::new();
    for engine in Engine::ALL {
        let planner = Planner::with_engine(Arc::clone(&grid), engine)?;
        match planner.find(query, &mut scratch)? {
            Outcome::Found(route) => {
                let points = route.path().turns().count();
                println!("{engine:>10}: length {:.3} in {points} points", route.length());
            }
            other => println!("{engine:>10}: {other:?}"),
        }
    }
    Ok(())
}
