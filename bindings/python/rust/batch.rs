//! Many answers at once, written into arrays.
//!
//! A thread answers a block of queries into memory of its own, which stays in its cache. As soon as all
//! blocks before it are answered, too, their paths have a place in the array, and the thread copies
//! them there. So every path is written to memory once, in the order of the queries.

use crate::arrays::{Point, write_cells, zeros};
use crate::failure::Raised;
use crate::route::PyRoutes;
use crate::wait::{Watch, watched};
use farstride::error::QueryError;
use farstride::{Cell, Detail, Grid, Outcome, Planner, Query, Scratch};
use farstride_bindings::{Change, Failure, Status, change, flat_cell, flat_path};
use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PySlice;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError, RwLockReadGuard};
use std::thread;

/// Queries that a thread answers at a time.
const BLOCK: usize = 64;
/// Of this many queries one is answered twice, first to learn how long paths are.
const SAMPLE: usize = 128;
/// Room for this many times the cells that the sample lets expect. What is not used is never touched,
/// so it takes no memory.
const MARGIN: f64 = 1.25;

/// Queries, and how to answer them.
pub(crate) struct Batch<'b> {
    pub(crate) starts: &'b [Cell],
    pub(crate) goals: &'b [Cell],
    pub(crate) detail: Detail,
    pub(crate) threads: usize,
}

impl Batch<'_> {
    /// Answers all queries; `lock` gives the planner to a thread without Python's lock.
    pub(crate) fn run<'p>(
        &self,
        py: Python<'_>,
        lock: impl Fn() -> RwLockReadGuard<'p, Planner> + Sync,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Result<PyRoutes, Raised> {
        let count = self.starts.len();
        let room = watched(py, None, |watch| self.expected_cells(&lock(), watch))?;
        let (status, cost) = (zeros(py, (count,))?, zeros(py, (count,))?);
        let (length, offsets) = (zeros(py, (count,))?, zeros(py, (count + 1,))?);
        let path: Bound<'_, PyArray2<i32>> = zeros(py, (room, 2))?;
        let (end, late) = {
            let (mut status, mut cost) = (status.readwrite(), cost.readwrite());
            let (mut length, mut offsets, mut path) =
                (length.readwrite(), offsets.readwrite(), path.readwrite());
            let answers = Answers {
                status: status.as_slice_mut().map_err(PyErr::from)?,
                cost: cost.as_slice_mut().map_err(PyErr::from)?,
                length: length.as_slice_mut().map_err(PyErr::from)?,
                ends: &mut offsets.as_slice_mut().map_err(PyErr::from)?[1..],
            };
            let room = path.as_slice_mut().map_err(PyErr::from)?.as_chunks_mut().0;
            watched(py, progress, |watch| self.answer(&lock(), answers, room, watch))?
        };
        let path = if late.is_empty() {
            path.get_item(PySlice::new(py, 0, end as isize, 1))?.cast_into().map_err(PyErr::from)?
        } else {
            // The sample was misleading.
            let whole = zeros(py, (end, 2))?;
            let (early, mut write) = (path.readonly(), whole.readwrite());
            let (before, after) = (late.as_flattened(), write.as_slice_mut().map_err(PyErr::from)?);
            let split = after.len() - before.len();
            after[..split].copy_from_slice(&early.as_slice().map_err(PyErr::from)?[..split]);
            after[split..].copy_from_slice(before);
            drop(write);
            whole
        };
        Ok(PyRoutes {
            status: status.unbind(),
            cost: cost.unbind(),
            length: length.unbind(),
            path: path.unbind(),
            offsets: offsets.unbind(),
        })
    }

    fn query(&self, at: usize) -> Query {
        Query::new(self.starts[at], self.goals[at]).with_detail(self.detail)
    }

    /// About as many cells as all paths have, and some more; 0 for a batch so small that it does not matter.
    fn expected_cells(&self, planner: &Planner, watch: &Watch) -> Result<usize, Failure> {
        let (mut scratch, mut asked, mut found) = (Scratch::new(), 0, 0);
        for at in (SAMPLE / 2..self.starts.len()).step_by(SAMPLE) {
            asked += 1;
            if let Outcome::Found(route) =
                planner.find_while(self.query(at), || watch.is_wanted(), &mut scratch)?
            {
                found += route.path().turns().count();
            }
            if !watch.is_wanted() {
                return Err(QueryError::Cancelled.into());
            }
        }
        let mean = f64::from(found as u32) / f64::from(asked.max(1));
        Ok((mean * self.starts.len() as f64 * MARGIN) as usize)
    }

    /// Writes the answers to all queries. Returns the number of cells of all paths, and the last of
    /// them, for which there was no room.
    fn answer(
        &self,
        planner: &Planner,
        answers: Answers<'_>,
        room: &mut [[i32; 2]],
        watch: &Watch,
    ) -> Result<(usize, Vec<[i32; 2]>), Failure> {
        watch.expect(self.starts.len());
        let blocks = Mutex::new(answers.blocks().enumerate());
        let places = Mutex::new(Places { next: 0, end: 0, waiting: BTreeMap::new(), room, late: Vec::new() });
        let next = || blocks.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || -> Result<(), QueryError> {
            let (mut scratch, mut spare) = (Scratch::new(), Vec::new());
            while let Some((number, answers)) = next() {
                let mut block = Block { answers, cells: std::mem::take(&mut spare) };
                self.answer_block(planner, number * BLOCK, &mut block, &mut scratch, watch)?;
                watch.count(block.answers.ends.len());
                let ready = places.lock().unwrap_or_else(PoisonError::into_inner).place(number, block);
                for (block, room) in ready {
                    write_cells(&block.cells, room);
                    spare = block.cells;
                    spare.clear();
                }
            }
            Ok(())
        };
        let threads = self.threads.min(self.starts.len().div_ceil(BLOCK));
        thread::scope(|scope| {
            let spawn = |_| thread::Builder::new().spawn_scoped(scope, work);
            // A thread that cannot be started is done without.
            let helpers: Vec<_> = (1..threads).map_while(|at| spawn(at).ok()).collect();
            let mine = work();
            let join = |helper: thread::ScopedJoinHandle<'_, _>| {
                helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            helpers.into_iter().map(join).fold(mine, Result::and)
        })?;
        let Places { end, late, .. } = places.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((end, late))
    }

    fn answer_block(
        &self,
        planner: &Planner,
        first: usize,
        Block { answers, cells }: &mut Block<'_>,
        scratch: &mut Scratch,
        watch: &Watch,
    ) -> Result<(), QueryError> {
        let mut turns = Vec::new();
        for at in 0..answers.ends.len() {
            let query = self.query(first + at);
            let outcome = planner.find_while(query, || watch.is_wanted(), scratch)?;
            if !watch.is_wanted() {
                return Err(QueryError::Cancelled);
            }
            answers.status[at] = Status::of(&outcome) as u8;
            (answers.cost[at], answers.length[at]) = match &outcome {
                Outcome::Found(route) => {
                    cells.extend_from_slice(flat_path(planner.engine(), route.path(), &mut turns).0);
                    (route.cost().units() as i64, route.length())
                }
                Outcome::AlreadyThere => {
                    if self.detail != Detail::Cost {
                        cells.push(flat_cell(planner.engine(), query.start));
                    }
                    (0, 0.0)
                }
                _ => (-1, f64::NAN),
            };
            answers.ends[at] = cells.len() as i64;
        }
        Ok(())
    }
}

/// Room for the answers to some queries.
struct Answers<'a> {
    status: &'a mut [u8],
    cost: &'a mut [i64],
    length: &'a mut [f64],
    /// Where each path ends: in its block, then in the array.
    ends: &'a mut [i64],
}

impl Answers<'_> {
    fn blocks(self) -> impl Iterator<Item = Self> + Send {
        let (status, cost) = (self.status.chunks_mut(BLOCK), self.cost.chunks_mut(BLOCK));
        let (length, ends) = (self.length.chunks_mut(BLOCK), self.ends.chunks_mut(BLOCK));
        let all = status.zip(cost).zip(length).zip(ends);
        all.map(|(((status, cost), length), ends)| Self { status, cost, length, ends })
    }
}

/// Queries that are answered, and their paths.
struct Block<'a> {
    answers: Answers<'a>,
    cells: Vec<Cell>,
}

/// Where paths go.
struct Places<'a> {
    /// The first block without a place, and the cells of all before it.
    next: usize,
    end: usize,
    /// Blocks that are answered before others that come before them.
    waiting: BTreeMap<usize, Block<'a>>,
    room: &'a mut [[i32; 2]],
    /// Cells after the room was full.
    late: Vec<[i32; 2]>,
}

impl<'a> Places<'a> {
    /// Gives a block, and those that were waiting for it, places; returns what is to be copied.
    fn place(&mut self, number: usize, block: Block<'a>) -> Vec<(Block<'a>, &'a mut [[i32; 2]])> {
        self.waiting.insert(number, block);
        let mut placed = Vec::new();
        while let Some(block) = self.waiting.remove(&self.next) {
            self.next += 1;
            block.answers.ends.iter_mut().for_each(|end| *end += self.end as i64);
            let count = block.cells.len();
            self.end += count;
            if self.late.is_empty() && count <= self.room.len() {
                let (place, rest) = std::mem::take(&mut self.room).split_at_mut(count);
                self.room = rest;
                placed.push((block, place));
            } else {
                self.late.extend(block.cells.iter().map(|cell| [i32::from(cell.x), i32::from(cell.y)]));
            }
        }
        placed
    }
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
