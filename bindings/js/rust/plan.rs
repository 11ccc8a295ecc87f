//! Plans.

use crate::failure::Failure;
use crate::grid::cell;
use crate::planner::RawPlanner;
use farstride::{Plan, Step};
use wasm_bindgen::prelude::wasm_bindgen;

/// A plan.
#[wasm_bindgen]
pub struct RawPlan {
    pub(crate) plan: Plan,
}

#[wasm_bindgen]
impl RawPlan {
    /// Takes a step: 0 to another cell, 1 arrived, 2 unreachable.
    pub fn step(&mut self, planner: &mut RawPlanner) -> Result<u32, Failure> {
        let RawPlanner { planner, scratch, .. } = planner;
        Ok(match self.plan.step(planner, scratch)? {
            Step::To(_) => 0,
            Step::Arrived => 1,
            _ => 2,
        })
    }

    /// Column of the unit.
    pub fn x(&self) -> u32 {
        self.plan.position().x.into()
    }

    /// Row of the unit.
    pub fn y(&self) -> u32 {
        self.plan.position().y.into()
    }

    /// Column of the goal.
    pub fn goal_x(&self) -> u32 {
        self.plan.goal().x.into()
    }

    /// Row of the goal.
    pub fn goal_y(&self) -> u32 {
        self.plan.goal().y.into()
    }

    /// How often a new route was searched.
    pub fn replans(&self) -> u32 {
        self.plan.replans()
    }

    /// Upper bound of the cost of the rest, in units.
    pub fn cost(&self) -> f64 {
        self.plan.cost().units() as f64
    }

    /// Refined cells ahead.
    pub fn refined(&self) -> Vec<i32> {
        self.plan.refined().flat_map(|cell| [cell.x.into(), cell.y.into()]).collect()
    }

    /// Waypoints ahead: column, row, level.
    pub fn waypoints(&self) -> Vec<i32> {
        let number = |waypoint: farstride::Waypoint| {
            [waypoint.cell.x.into(), waypoint.cell.y.into(), waypoint.level.into()]
        };
        self.plan.waypoints().flat_map(number).collect()
    }

    /// Tells the plan where the unit is.
    pub fn stand_at(&mut self, x: u32, y: u32) {
        self.plan.stand_at(cell(x, y));
    }
}
