//! What an atlas keeps for each floor and each mover.

use super::mover::Mover;
use super::net::Net;
use super::tiles::Floor;
use crate::base::Rect;
use crate::grid::Grid;
use crate::index::Engine;
use crate::route::Planner;
use crate::straight::{StraightIndex, StraightRule, StraightSettings};
use std::sync::{Arc, OnceLock};

/// A mover with what was prepared for it.
#[derive(Debug)]
pub(super) struct MoverState {
    pub(super) mover: Mover,
    /// For each floor, which of its grounds the mover walks on.
    pub(super) grounds: Vec<usize>,
    pub(super) net: OnceLock<Net>,
}

/// A floor as some movers see it.
#[derive(Debug, Default)]
pub(super) struct Ground {
    /// The movers that walk on it, by number; never none once it is in use. They see the floor alike.
    pub(super) movers: Vec<usize>,
    pub(super) planner: OnceLock<Planner>,
}

/// The map of a floor for a mover, with the index of its engine.
pub(super) fn plan_for(mover: &Mover, floor: &Floor) -> Planner {
    let mut weights = Vec::new();
    mover.weigh(floor, floor.area(), &mut weights);
    let grid = Grid::from_weights(floor.width(), floor.height(), &weights);
    let grid = grid.unwrap_or_else(|error| unreachable!("floors have sizes of maps: {error}"));
    on_grid(mover, grid.with_rules(mover.rules()))
}

/// A planner with the engine that the mover asks for, or the one named instead. Movers are
/// squares, so that `straight` finds paths by the body rule. On the map of a mover, whose cells
/// are places of the whole square, this rule says exactly where the square slides.
fn on_grid(mover: &Mover, grid: impl Into<Arc<Grid>>) -> Planner {
    let grid = grid.into();
    let engine = engine_for(mover, &grid);
    if engine == Engine::Straight {
        let settings = StraightSettings::default().with_rule(StraightRule::Body);
        let index = StraightIndex::build(&grid, settings);
        return Planner::with_index(grid, index)
            .unwrap_or_else(|error| unreachable!("it was built: {error}"));
    }
    Planner::with_engine(grid, engine).unwrap_or_else(|error| unreachable!("it was checked: {error}"))
}

fn engine_for(mover: &Mover, grid: &Grid) -> Engine {
    match mover.engine().check(grid) {
        Ok(()) => mover.engine(),
        Err(refused) => refused.instead,
    }
}

/// Brings the planner of a ground up to date after changes of the classes in some areas of its
/// floor, on up to this many threads; returns the areas in which something changed for its movers.
pub(super) fn follow(
    planner: &mut Planner,
    mover: &Mover,
    floor: &Floor,
    areas: &[Rect],
    threads: usize,
) -> Vec<Rect> {
    let mut weights = Vec::new();
    let mut changed = Vec::new();
    planner.edit_on(threads, |grid| {
        for &area in areas {
            let area = mover.touched(area);
            mover.weigh(floor, area, &mut weights);
            let change = grid.write_weights(area, &weights);
            let change = change.unwrap_or_else(|error| unreachable!("the area is on the floor: {error}"));
            changed.extend(change.area);
        }
    });
    if engine_for(mover, planner.grid()) != planner.engine() {
        *planner = on_grid(mover, planner.shared_grid());
    }
    changed
}
