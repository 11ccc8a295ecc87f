//! A unit that walks along straight legs while walls fall around it.
//!
//! Run with `cargo run -p farstride --example changing_map`.

use farstride::{Cell, Engine, Grid, Planned, Planner, Query, Rect, Scratch, Step};
use std::error::Error;

/// Cells that the unit enters between two walls.
const PER_WALL: usize = 40;

fn main() -> Result<(), Box<dyn Error>> {
    // Two walls across a field, each with a gap at one end.
    let is_free = |cell: Cell| (cell.x != 60 || cell.y > 90) && (cell.x != 130 || cell.y < 10);
    let mut planner = Planner::with_engine(Grid::from_fn(200, 100, is_free)?, Engine::Hpt)?;
    let mut scratch = Scratch::new();
    let (start, goal) = (Cell::new(5, 5), Cell::new(195, 95));
    let Planned::Plan(mut plan) = planner.plan(Query::new(start, goal), &mut scratch)? else {
        return Err("there is no way".into());
    };

    // One wall far from the way, one across it.
    let wall = |x, top, bottom| Rect::spanning(Cell::new(x, top), Cell::new(x, bottom));
    let mut falling = vec![wall(95, 20, 80), wall(20, 80, 99)];
    let (mut at, mut entered) = (start, 0);
    while let Step::To(end) = plan.step(&planner, &mut scratch)? {
        println!("from {at} straight to {end}; replanned {} times", plan.replans());
        for cell in Grid::crossed_cells(&[at, end]).skip(1) {
            at = cell;
            entered += 1;
            if entered % PER_WALL == 0
                && let Some(wall) = falling.pop()
            {
                planner.edit(|grid| grid.block(wall))?;
                println!("  a wall falls on {wall} while the unit is at {at}");
                // It is not where its leg ends, but here; the plan looks
                // whether it still holds when it is asked for a step.
                plan.stand_at(at);
                break;
            }
        }
    }
    println!("at {at} after {entered} cells");
    assert_eq!(at, goal);
    assert_eq!(plan.replans(), 1, "only the wall across the way made it plan again");
    Ok(())
}
