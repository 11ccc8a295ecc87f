//! A door that closes, and a search spread over many frames.
//!
//! Run with `cargo run -p farstride --example edits_and_budgets`.

use farstride::{Cell, Engine, Grid, Outcome, Planner, Query, Route, Scratch};
use std::error::Error;

/// Nodes that a search may expand per frame.
const PER_FRAME: u64 = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let grid = Grid::from_ascii(
        "
        .......#.......
        .......#.......
        ...............
        .......#.......
        .......#.......
        ",
    )?;
    let mut planner = Planner::with_engine(grid, Engine::Astar)?;
    let mut scratch = Scratch::new();
    let query = Query::new(Cell::new(0, 0), Cell::new(14, 4)).with_budget(PER_FRAME);

    // A little work in every frame, until the path is there.
    let mut frames = 1;
    let mut outcome = planner.find(query, &mut scratch)?;
    while let Outcome::BudgetSpent(paused) = outcome {
        frames += 1;
        outcome = planner.resume(&paused, PER_FRAME, &mut scratch)?;
    }
    let length = outcome.route().map(Route::length);
    println!("after {frames} frames: length {length:?}");
    assert!(length.is_some() && frames > 1);

    // The door closes: that there is no route any more is known at once.
    let door = Cell::new(7, 2);
    let change = planner.edit(|grid| grid.block(door))?;
    println!("the door closed, edit {}", change.edit_count);
    assert_eq!(planner.find(query, &mut scratch)?, Outcome::Unreachable);

    // A swamp in front of the open door makes the way dearer, not impossible.
    planner.edit(|grid| {
        grid.free(door)?;
        grid.set_weight(Cell::new(6, 2), 9)
    })?;
    let dearer = planner.find(Query::new(query.start, query.goal), &mut scratch)?;
    let dearer = dearer.route().map(Route::length);
    println!("through the swamp: length {dearer:?}");
    assert!(dearer > length);
    Ok(())
}
