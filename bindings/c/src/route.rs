//! Queries and their answers.

use crate::border::{Fault, Result};
use farstride::{Cell as MapCell, Detail as Wanted, Engine, Grid, Outcome, Query as Asked};
use farstride_bindings::{Status as Shared, cell, flat_path};
use std::mem::offset_of;

/// A cell: column and row, from 0.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// The column.
    pub x: u16,
    /// The row.
    pub y: u16,
}

// Paths are handed over where they lie.
const _: () = assert!(
    size_of::<Cell>() == size_of::<MapCell>()
        && align_of::<Cell>() == align_of::<MapCell>()
        && offset_of!(Cell, x) == offset_of!(MapCell, x)
        && offset_of!(Cell, y) == offset_of!(MapCell, y)
);

/// The path has every cell; with engines for any angle, every turning point.
pub const DETAIL_CELLS: u32 = 0;
/// The path has the cells where it turns, or fewer.
pub const DETAIL_WAYPOINTS: u32 = 1;
/// Cost and length alone.
pub const DETAIL_COST: u32 = 2;
/// The path has the start and the first steps alone: FarstrideQuery.first of them.
pub const DETAIL_FIRST: u32 = 3;

/// A query. Set all of it to zero first, then what you need.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// Column of the start.
    pub start_x: i32,
    /// Row of the start.
    pub start_y: i32,
    /// Column of the goal.
    pub goal_x: i32,
    /// Row of the goal.
    pub goal_y: i32,
    /// How much of the path is wanted: FARSTRIDE_DETAIL_CELLS, which is 0, or another.
    pub detail: u32,
    /// How many steps, for FARSTRIDE_DETAIL_FIRST.
    pub first: u32,
    /// Number of nodes after which the search gives up; 0 for no limit.
    pub budget: u64,
}

impl Query {
    pub(crate) fn on(&self, map: &Grid) -> std::result::Result<Asked, Fault> {
        let start = cell(map, self.start_x.into(), self.start_y.into())?;
        let goal = cell(map, self.goal_x.into(), self.goal_y.into())?;
        let detail = match self.detail {
            DETAIL_CELLS => Wanted::Cells,
            DETAIL_WAYPOINTS => Wanted::Waypoints,
            DETAIL_COST => Wanted::Cost,
            DETAIL_FIRST => Wanted::First(self.first),
            other => return Err(Fault::new(Result::Query, format!("detail is {other}; expected 0 to 3"))),
        };
        let budget = if self.budget == 0 { u64::MAX } else { self.budget };
        Ok(Asked::new(start, goal).with_detail(detail).with_budget(budget))
    }
}

/// How a query ended.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// There is a path.
    Found = 0,
    /// Start and goal are the same free cell.
    AlreadyThere = 1,
    /// The start is blocked.
    StartBlocked = 2,
    /// The goal is blocked; the start is free.
    GoalBlocked = 3,
    /// No path joins start and goal.
    Unreachable = 4,
    /// The budget was spent first.
    BudgetSpent = 5,
}

impl From<Shared> for Status {
    fn from(status: Shared) -> Self {
        match status {
            Shared::Found => Self::Found,
            Shared::AlreadyThere => Self::AlreadyThere,
            Shared::StartBlocked => Self::StartBlocked,
            Shared::GoalBlocked => Self::GoalBlocked,
            Shared::Unreachable => Self::Unreachable,
            Shared::BudgetSpent => Self::BudgetSpent,
        }
    }
}

/// What the cells of a path are.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Cells one step apart.
    Cells = 0,
    /// Turning points in line of sight.
    Points = 1,
    /// Some cells of the path; between them it goes diagonally first, then straight.
    Waypoints = 2,
    /// There are none.
    Omitted = 3,
    /// Turning points of the engine straight, in half cells: divide by 2.
    Halves = 4,
}

/// The answer to a query.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// How the query ended. Unless there is a path, the rest is 0.
    pub status: Status,
    /// What the cells are.
    pub form: Form,
    /// The exact cost: a straight step is 4756, a diagonal one 6726.
    pub cost: u64,
    /// The length in straight steps, times weights.
    pub length: f64,
    /// The path, start and goal included. It lies in the scratch until that is used again or
    /// freed.
    pub cells: *const Cell,
    /// How many cells.
    pub count: usize,
}

impl Route {
    /// The answer of an engine to a query; `memory` is room for what the outcome does not have
    /// as cells.
    pub(crate) fn new(
        outcome: &Outcome<'_>,
        query: Asked,
        engine: Engine,
        memory: &mut Vec<MapCell>,
    ) -> Self {
        let status = Shared::of(outcome).into();
        let (form, cost, length, cells) = match outcome {
            Outcome::Found(route) => {
                let (cells, form) = flat_path(engine, route.path(), memory);
                let form = match form {
                    "cells" => Form::Cells,
                    "points" => Form::Points,
                    "waypoints" => Form::Waypoints,
                    "halves" => Form::Halves,
                    _ => Form::Omitted,
                };
                (form, route.cost().units(), route.length(), cells)
            }
            Outcome::AlreadyThere if query.detail != Wanted::Cost => {
                memory.clear();
                memory.push(query.start);
                (Form::Cells, 0, 0.0, &memory[..])
            }
            _ => (Form::Omitted, 0, 0.0, &[][..]),
        };
        let pointer = if cells.is_empty() { std::ptr::null() } else { cells.as_ptr().cast() };
        Self { status, form, cost, length, cells: pointer, count: cells.len() }
    }
}
