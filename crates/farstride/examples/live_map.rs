//! A map that is edited now and then, with thousands of queries in between.
//!
//! Run with `cargo run --release -p farstride --example live_map`.

use farstride::{Cell, Engine, Grid, Index, Live, LiveSettings, Query, Rect, Route, Scratch};
use std::collections::BTreeMap;
use std::error::Error;
use std::thread;

/// Queries that each thread asks after each edit.
const QUERIES: u16 = 5000;

fn main() -> Result<(), Box<dyn Error>> {
    // Rooms with doors in all of their walls.
    let is_wall = |cell: Cell| match (cell.x % 20, cell.y % 20) {
        (0, y) => y != 7,
        (x, 0) => x != 12,
        _ => false,
    };
    let grid = Grid::from_fn(300, 300, |cell| !is_wall(cell))?;
    let live = Live::new(grid, LiveSettings::default())?;
    println!(
        "labels of {} bytes",
        live.wait()?.index().and_then(Index::labels).map_or(0, farstride::labels::GridLabels::byte_count)
    );

    let query = Query::new(Cell::new(5, 147), Cell::new(295, 147));
    let mut lengths = Vec::new();
    for column in [60, 120, 180] {
        // A door is walled up. The edit is in force when this returns.
        live.edit(|grid| grid.block(Cell::new(column, 147)))??;
        // Two threads ask meanwhile; each query takes the snapshot there is.
        thread::scope(|scope| {
            for thread in 0..2 {
                let live = &live;
                scope.spawn(move || println!("  thread {thread} was answered by {:?}", ask(live)));
            }
        });
        let planner = live.planner();
        let mut scratch = Scratch::new();
        let length = planner.find(query, &mut scratch)?.route().map(Route::length);
        println!("door {column},147 walled up: {length:?} by {}", planner.engine());
        lengths.extend(length);
    }
    assert!(lengths.len() == 3 && lengths.is_sorted());

    // A level editor saves: everything in one edit, then labels before it goes on.
    live.edit(|grid| grid.free(Rect::spanning(Cell::new(1, 140), Cell::new(298, 154))))??;
    let planner = live.wait()?;
    assert_eq!(planner.engine(), Engine::Labels);
    let length = planner.find(query, &mut Scratch::new())?.route().map(Route::length);
    println!("a street through all rooms: {length:?} by {}", planner.engine());
    assert_eq!(length, Some(290.0));
    Ok(())
}

/// Asks many queries; how many each engine answered.
fn ask(live: &Live) -> BTreeMap<&'static str, usize> {
    let mut scratch = Scratch::new();
    let mut answers = BTreeMap::new();
    for number in 0..QUERIES {
        let planner = live.planner();
        let query = Query::new(Cell::new(1 + number % 19, 5), Cell::new(290, 1 + number % 19));
        let found = planner.find(query, &mut scratch).is_ok_and(|outcome| outcome.route().is_some());
        *answers.entry(planner.engine().name()).or_insert(0) += usize::from(found);
    }
    answers
}
