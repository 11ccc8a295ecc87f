//! Many units that walk their plans.

use crate::failure::Failure;
use crate::grid::cell;
use crate::planner::RawPlanner;
use farstride::error::QueryError;
use farstride::{Cell, Plan, Planned, Planner, Query, Scratch, Step};
use js_sys::{Array, Int32Array, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;

/// A unit that walks to a goal, or waits because there is no way.
struct Unit {
    position: Cell,
    goal: Cell,
    plan: Option<Plan>,
    state: State,
    /// Replans of plans it had before.
    replans: u32,
}

/// What a unit does, by its number in JavaScript.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Walking = 0,
    Arrived = 1,
    NoWay = 2,
}

impl Unit {
    /// Looks for a route from where the unit stands.
    fn start(&mut self, planner: &Planner, scratch: &mut Scratch) -> Result<(), QueryError> {
        self.replans += self.plan.take().map_or(0, |plan| plan.replans());
        let query = Query::new(self.position, self.goal);
        (self.plan, self.state) = match planner.plan(query, scratch)? {
            Planned::Plan(plan) => (Some(plan), State::Walking),
            Planned::AlreadyThere => (None, State::Arrived),
            _ => (None, State::NoWay),
        };
        Ok(())
    }

    fn step(&mut self, planner: &Planner, scratch: &mut Scratch) -> Result<(), QueryError> {
        let Some(plan) = &mut self.plan else { return Ok(()) };
        self.state = match plan.step(planner, scratch)? {
            Step::To(_) if plan.position() == plan.goal() => State::Arrived,
            Step::To(_) => State::Walking,
            Step::Arrived => State::Arrived,
            _ => State::NoWay,
        };
        self.position = plan.position();
        Ok(())
    }

    fn replans(&self) -> u32 {
        self.replans + self.plan.as_ref().map_or(0, Plan::replans)
    }
}

/// Units that walk on the map of a planner.
#[wasm_bindgen]
#[derive(Default)]
pub struct RawCrowd {
    units: Vec<Unit>,
    /// Edits of the map when the units without a way last looked for one.
    edits: u64,
}

#[wasm_bindgen]
impl RawCrowd {
    /// No units yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of units.
    pub fn size(&self) -> u32 {
        self.units.len() as u32
    }

    /// Adds a unit and returns its number.
    pub fn add(
        &mut self,
        planner: &mut RawPlanner,
        ax: u32,
        ay: u32,
        bx: u32,
        by: u32,
    ) -> Result<u32, Failure> {
        let RawPlanner { planner, scratch, .. } = planner;
        let (position, goal) = (cell(ax, ay), cell(bx, by));
        let mut unit = Unit { position, goal, plan: None, state: State::NoWay, replans: 0 };
        unit.start(planner, scratch)?;
        self.units.push(unit);
        Ok(self.units.len() as u32 - 1)
    }

    /// Sends all units to one goal.
    pub fn send_all(&mut self, planner: &mut RawPlanner, x: u32, y: u32) -> Result<(), Failure> {
        let RawPlanner { planner, scratch, .. } = planner;
        for unit in &mut self.units {
            unit.goal = cell(x, y);
            unit.start(planner, scratch)?;
        }
        Ok(())
    }

    /// Every unit takes a step: positions, states, and replans of all so far.
    pub fn step(&mut self, planner: &mut RawPlanner) -> Result<Array, Failure> {
        let RawPlanner { planner, scratch, .. } = planner;
        let edits = planner.grid().edit_count();
        let was_edited = std::mem::replace(&mut self.edits, edits) != edits;
        for unit in &mut self.units {
            // A plan tries again by itself; a unit that never had one has to be told.
            if was_edited && unit.plan.is_none() && unit.state == State::NoWay {
                unit.start(planner, scratch)?;
            }
            // Without an edit, the answer would be the same.
            if unit.state == State::Walking || was_edited {
                unit.step(planner, scratch)?;
            }
        }
        let positions: Vec<i32> =
            self.units.iter().flat_map(|unit| [unit.position.x.into(), unit.position.y.into()]).collect();
        let states: Vec<u8> = self.units.iter().map(|unit| unit.state as u8).collect();
        let replans: u32 = self.units.iter().map(Unit::replans).sum();
        Ok(Array::of3(&Int32Array::from(&positions[..]), &Uint8Array::from(&states[..]), &replans.into()))
    }
}
