//! Many answers at once, written into arrays.

use crate::arrays::{Point, write_cells};
use crate::failure::Raised;
use crate::route::PyRoutes;
use farstride::{Cell, CostTable, Detail, Grid, Outcome, Query};
use farstride_bindings::{Change, Failure, Status, change};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use std::thread;

/// The answer to one of many queries.
pub(crate) struct Answer {
    status: Status,
    /// -1 if there is no path.
    cost: i64,
    length: f64,
    cells: Box<[Cell]>,
}

impl Answer {
    pub(crate) fn of(outcome: &Outcome<'_>) -> Self {
        let status = Status::of(outcome);
        let (cost, length, cells) = match outcome {
            Outcome::Found(route) => {
                (route.cost().units() as i64, route.length(), route.path().cells().into())
            }
            Outcome::AlreadyThere => (0, 0.0, Box::default()),
            _ => (-1, f64::NAN, Box::default()),
        };
        Self { status, cost, length, cells }
    }

    /// The cells of the path; `there` is the one of a query that leads nowhere else.
    fn path<'a>(&'a self, query: &Query, there: &'a mut Cell) -> &'a [Cell] {
        if self.status == Status::AlreadyThere && query.detail != Detail::Cost {
            *there = query.start;
            return std::slice::from_ref(there);
        }
        &self.cells
    }
}

/// Puts answers into arrays.
pub(crate) fn routes(
    py: Python<'_>,
    queries: &[Query],
    answers: &[Answer],
    threads: usize,
) -> Result<PyRoutes, Raised> {
    let mut offsets = Vec::with_capacity(answers.len() + 1);
    let mut end = 0;
    offsets.push(0);
    for (query, answer) in queries.iter().zip(answers) {
        end += answer.path(query, &mut Cell::new(0, 0)).len();
        offsets.push(end as i64);
    }
    let path = PyArray2::<i32>::zeros(py, [end, 2], false);
    let mut write = path.readwrite();
    let pairs = write.as_slice_mut().map_err(PyErr::from)?.as_chunks_mut::<2>().0;
    let share = end.div_ceil(threads).max(1);
    py.detach(|| {
        thread::scope(|scope| {
            let (mut pairs, mut first) = (pairs, 0);
            while first < answers.len() {
                // As many queries as have a share of the cells.
                let limit = offsets[first] + share as i64;
                let next = first + offsets[first + 1..].partition_point(|&end| end <= limit).max(1);
                let count = (offsets[next] - offsets[first]) as usize;
                let (mut part, rest) = pairs.split_at_mut(count);
                pairs = rest;
                let of_part = queries[first..next].iter().zip(&answers[first..next]);
                let work = move || {
                    for (query, answer) in of_part {
                        let mut there = Cell::new(0, 0);
                        let cells = answer.path(query, &mut there);
                        let (now, later) = std::mem::take(&mut part).split_at_mut(cells.len());
                        write_cells(cells, now);
                        part = later;
                    }
                };
                first = next;
                if first < answers.len() {
                    scope.spawn(work);
                } else {
                    work();
                }
            }
        });
    });
    drop(write);
    Ok(PyRoutes {
        status: PyArray1::from_iter(py, answers.iter().map(|answer| answer.status as u8)).unbind(),
        cost: PyArray1::from_iter(py, answers.iter().map(|answer| answer.cost)).unbind(),
        length: PyArray1::from_iter(py, answers.iter().map(|answer| answer.length)).unbind(),
        path: path.unbind(),
        offsets: PyArray1::from_vec(py, offsets).unbind(),
    })
}

/// Writes a table row by row; -1 where there is no path.
pub(crate) fn write_table(table: &CostTable, costs: &mut [i64], threads: usize) {
    let width = table.goal_count().max(1);
    let rows = table.start_count().div_ceil(threads).max(1);
    thread::scope(|scope| {
        for (part, costs) in costs.chunks_mut(rows * width).enumerate() {
            scope.spawn(move || {
                for (row, costs) in (part * rows..).zip(costs.chunks_exact_mut(width)) {
                    for (cost, to) in table.row(row).zip(costs) {
                        *to = cost.map_or(-1, |cost| cost.units() as i64);
                    }
                }
            });
        }
    });
}

/// The edits that give the rectangle at a cell the cells of another map: runs of equal
/// weight along rows, where something differs.
pub(crate) fn differences(grid: &Grid, at: Point, part: &Grid) -> Result<Vec<Change>, Failure> {
    let weight = |grid: &Grid, cell: Cell| if grid.is_free(cell) { grid.weight(cell) } else { 0 };
    let (width, height) = (part.width() as i64, part.height() as i64);
    // The whole rectangle has to be on the map, also where nothing differs.
    change(grid, [at.0, at.1, width, height, 0])?;
    let mut runs: Vec<[i64; 5]> = Vec::new();
    for cell in part.area().cells() {
        let (x, y) = (at.0 + i64::from(cell.x), at.1 + i64::from(cell.y));
        let wanted = weight(part, cell);
        if weight(grid, Cell::new(x as u16, y as u16)) == wanted {
            continue;
        }
        match runs.last_mut() {
            Some([left, top, width, _, of])
                if *top == y && *left + *width == x && *of == i64::from(wanted) =>
            {
                *width += 1;
            }
            _ => runs.push([x, y, 1, 1, wanted.into()]),
        }
    }
    runs.into_iter().map(|run| change(grid, run)).collect()
}
