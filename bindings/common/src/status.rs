//! How queries end.

use farstride::{Cell, Engine, Outcome, Path, Planned};

/// How a query ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
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

impl Status {
    /// Every status, in the order of their numbers.
    pub const ALL: [Self; 6] = [
        Self::Found,
        Self::AlreadyThere,
        Self::StartBlocked,
        Self::GoalBlocked,
        Self::Unreachable,
        Self::BudgetSpent,
    ];

    /// How a query ended.
    pub const fn of(outcome: &Outcome<'_>) -> Self {
        match outcome {
            Outcome::Found(_) => Self::Found,
            Outcome::AlreadyThere => Self::AlreadyThere,
            Outcome::StartBlocked => Self::StartBlocked,
            Outcome::GoalBlocked => Self::GoalBlocked,
            Outcome::BudgetSpent(_) => Self::BudgetSpent,
            _ => Self::Unreachable,
        }
    }

    /// How planning ended.
    pub const fn of_plan(planned: &Planned) -> Self {
        match planned {
            Planned::Plan(_) => Self::Found,
            Planned::AlreadyThere => Self::AlreadyThere,
            Planned::StartBlocked => Self::StartBlocked,
            Planned::GoalBlocked => Self::GoalBlocked,
            _ => Self::Unreachable,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::AlreadyThere => "already-there",
            Self::StartBlocked => "start-blocked",
            Self::GoalBlocked => "goal-blocked",
            Self::Unreachable => "unreachable",
            Self::BudgetSpent => "budget-spent",
        }
    }
}

/// What [`flat_path`] says that the cells of a path are.
pub const FORMS: [&str; 5] = ["cells", "points", "waypoints", "halves", "omitted"];

/// The cells of a path and what they are: `"cells"`, `"points"` (turning points), `"waypoints"`,
/// `"halves"` (turning points of `straight`, in half cells) or `"omitted"`. `memory` keeps what
/// the path does not have as cells.
pub fn flat_path<'p>(
    engine: Engine,
    path: Path<'p>,
    memory: &'p mut Vec<Cell>,
) -> (&'p [Cell], &'static str) {
    match path {
        Path::Cells(cells) => (cells, "cells"),
        Path::Waypoints(cells) => (cells, "waypoints"),
        Path::Points(points) if engine == Engine::Straight => {
            memory.clear();
            memory.extend(points.iter().map(|point| Cell::new(point.x as u16, point.y as u16)));
            (memory, "halves")
        }
        Path::Points(points) => {
            memory.clear();
            memory.extend(points.iter().filter_map(|point| point.cell()));
            (memory, "points")
        }
        _ => (&[], "omitted"),
    }
}

/// A cell as lists of many paths have it: in half cells with `straight`.
pub const fn flat_cell(engine: Engine, cell: Cell) -> Cell {
    match engine {
        Engine::Straight => Cell::new(2 * cell.x, 2 * cell.y),
        _ => cell,
    }
}
