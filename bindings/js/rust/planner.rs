//! Planners.

use crate::answer::{Answer, FAILED, push_cells};
use crate::failure::Failure;
use crate::grid::{RawGrid, cell};
use crate::object::object;
use crate::plan::RawPlan;
use crate::progress::{self, milliseconds, watched};
use crate::settings;
use crate::trace::Trace;
use farstride::index::BuildOptions;
use farstride::{Cell, Cost, Detail, Grid, Outcome, Planned, Planner, Query, Rect, Scratch, store};
use farstride_bindings::{Settings, Status, flat_cell, flat_path, layers};
use js_sys::{Array, Float64Array, Function, Int32Array, Object, Uint8Array, Uint32Array};
use std::hint::black_box;
use std::io::{self, Write};
use std::sync::Arc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A planner, its scratch, and its latest answer.
#[wasm_bindgen]
pub struct RawPlanner {
    pub(crate) planner: Planner,
    pub(crate) scratch: Scratch,
    settings: Settings,
    answer: Answer,
    failure: Option<Failure>,
}

/// Cells of a list `x, y, x, y, …`.
pub(crate) fn cells(grid: &Grid, numbers: &[i32]) -> Result<Vec<Cell>, Failure> {
    let (pairs, rest) = numbers.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(Failure::query(format!("{} numbers are not pairs x, y", numbers.len())));
    }
    pairs.iter().map(|&[x, y]| checked_cell(grid, x, y)).collect()
}

/// A cell of the map.
fn checked_cell(grid: &Grid, x: i32, y: i32) -> Result<Cell, Failure> {
    Ok(farstride_bindings::cell(grid, x.into(), y.into())?)
}

/// How much of a path is wanted, by its number in TypeScript.
fn detail(number: u32, first: u32) -> Detail {
    match number {
        0 => Detail::Cells,
        1 => Detail::Waypoints,
        2 => Detail::Cost,
        _ => Detail::First(first),
    }
}

/// Counts bytes instead of keeping them.
struct Counted(usize);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl RawPlanner {
    fn with(planner: Planner, settings: Settings) -> Self {
        Self { planner, scratch: Scratch::new(), settings, answer: Answer::default(), failure: None }
    }

    fn fail(&mut self, failure: impl Into<Failure>) -> u32 {
        self.failure = Some(failure.into());
        FAILED
    }
}

#[wasm_bindgen]
impl RawPlanner {
    /// A planner with an engine, or with one that the map chooses.
    #[expect(clippy::needless_pass_by_value, reason = "strings of JavaScript come as copies")]
    pub fn build(
        grid: &RawGrid,
        engine: Option<String>,
        settings: &Object,
        on_progress: Option<Function>,
    ) -> Result<Self, JsValue> {
        let grid = &grid.grid;
        let wanted = settings::read(engine.as_deref(), settings, grid)?;
        let options = BuildOptions::new().on_progress(&progress::report).keep_going(&progress::wanted);
        let build = || wanted.build(grid, &options).map_err(Failure::from);
        let (planner, settings) = watched(on_progress, build)?;
        Ok(Self::with(planner, settings))
    }

    /// A planner that uses a saved index.
    pub fn open(grid: &RawGrid, bytes: Vec<u8>, trusted: bool) -> Result<Self, Failure> {
        let open = if trusted { store::open_trusted } else { store::open };
        let index = open(Arc::new(bytes), &grid.grid).map_err(Failure::index)?;
        let planner = Planner::with_index(Arc::clone(&grid.grid), index).map_err(Failure::index)?;
        let settings = Settings::of(planner.engine());
        Ok(Self::with(planner, settings))
    }

    /// The engine's name. It may change at an edit, if the map chose it.
    pub fn engine(&self) -> String {
        self.planner.engine().name().to_owned()
    }

    /// The settings of the index, and how it answers.
    pub fn settings(&self) -> Object {
        settings::write(&self.planner, self.settings)
    }

    /// A copy of the present map.
    pub fn grid(&self) -> RawGrid {
        RawGrid { grid: Arc::new(self.planner.grid().clone()) }
    }

    /// Size of the saved index; 0 if the engine has none.
    pub fn index_bytes(&self) -> f64 {
        let mut counted = Counted(0);
        if let Some(index) = self.planner.index() {
            // An index that is out of date has no size.
            let _ = store::save_to(index, self.planner.grid(), &mut counted);
        }
        counted.0 as f64
    }

    /// The digest of the index, if the engine has one.
    pub fn index_digest(&self) -> Option<String> {
        self.planner.index().map(|index| format!("{:016x}", index.digest()))
    }

    /// The index as bytes.
    pub fn save(&self) -> Result<Vec<u8>, Failure> {
        let none = || Failure::index(format!("engine {} has no index to save", self.planner.engine()));
        let index = self.planner.index().ok_or_else(none)?;
        store::save(index, self.planner.grid()).map_err(Failure::index)
    }

    /// Where the latest answer is in memory; see `answer.rs`.
    pub fn answer_address(&self) -> u32 {
        self.answer.address()
    }

    /// Why the last call failed.
    pub fn take_failure(&mut self) -> JsValue {
        self.failure.take().map_or(JsValue::UNDEFINED, JsValue::from)
    }

    /// Finds a path; returns its status, and leaves the rest as the answer.
    #[expect(clippy::too_many_arguments, reason = "numbers alone are handed over without a cost")]
    pub fn find(&mut self, ax: u32, ay: u32, bx: u32, by: u32, kind: u32, first: u32, budget: f64) -> u32 {
        let (start, detail) = (cell(ax, ay), detail(kind, first));
        // The conversion saturates: infinity is no limit.
        let query = Query::new(start, cell(bx, by)).with_detail(detail).with_budget(budget as u64);
        match self.planner.find(query, &mut self.scratch) {
            Ok(outcome) => self.answer.write(self.planner.engine(), &outcome, start, detail) as u32,
            Err(error) => self.fail(error),
        }
    }

    /// The cost alone; -1 if there is no way, -2 if the call failed.
    pub fn cost(&mut self, ax: u32, ay: u32, bx: u32, by: u32) -> f64 {
        let query = Query::new(cell(ax, ay), cell(bx, by)).with_detail(Detail::Cost);
        match self.planner.find(query, &mut self.scratch) {
            Ok(Outcome::Found(route)) => route.cost().units() as f64,
            Ok(Outcome::AlreadyThere) => 0.0,
            Ok(_) => -1.0,
            Err(error) => {
                self.fail(error);
                -2.0
            }
        }
    }

    /// Answers many queries: status, cost, length, path and offsets.
    pub fn find_many(&mut self, queries: &[i32], kind: u32, first: u32) -> Result<Array, Failure> {
        let cells = cells(self.planner.grid(), queries)?;
        let (pairs, rest) = cells.as_chunks::<2>();
        if !rest.is_empty() {
            let count = queries.len();
            return Err(Failure::query(format!("{count} numbers are not queries of four numbers each")));
        }
        let detail = detail(kind, first);
        let mut statuses = Vec::with_capacity(pairs.len());
        let (mut costs, mut lengths) = (Vec::with_capacity(pairs.len()), Vec::with_capacity(pairs.len()));
        let (mut path, mut offsets) = (Vec::new(), vec![0_u32]);
        let (engine, mut memory) = (self.planner.engine(), Vec::new());
        for &[start, goal] in pairs {
            let query = Query::new(start, goal).with_detail(detail);
            let outcome = self.planner.find(query, &mut self.scratch)?;
            let route = outcome.route();
            if let Some(route) = route {
                push_cells(&mut path, flat_path(engine, route.path(), &mut memory).0);
            } else if outcome == Outcome::AlreadyThere && detail != Detail::Cost {
                push_cells(&mut path, &[flat_cell(engine, start)]);
            }
            statuses.push(Status::of(&outcome) as u8);
            costs.push(route.map_or(0.0, |route| route.cost().units() as f64));
            lengths.push(route.map_or(0.0, farstride::Route::length));
            offsets.push(2 * path.len() as u32);
        }
        Ok(Array::of5(
            &Uint8Array::from(&statuses[..]),
            &Float64Array::from(&costs[..]),
            &Float64Array::from(&lengths[..]),
            &Int32Array::from(path.as_flattened()),
            &Uint32Array::from(&offsets[..]),
        ))
    }

    /// Finds a path and takes down every expansion. Leaves the answer as `find` does.
    pub fn trace(&mut self, ax: u32, ay: u32, bx: u32, by: u32) -> Result<Object, Failure> {
        let start = cell(ax, ay);
        let mut trace = Trace::default();
        let query = Query::new(start, cell(bx, by));
        let outcome = self.planner.find_observed(query, &mut trace, &mut self.scratch)?;
        let status = self.answer.write(self.planner.engine(), &outcome, start, Detail::Cells);
        let total = trace.effort.total();
        let effort = object([
            ("insert", (trace.effort.insert.expanded as f64).into()),
            ("main", (trace.effort.main.expanded as f64).into()),
            ("refine", (trace.effort.refine.expanded as f64).into()),
            ("expanded", (total.expanded as f64).into()),
            ("generated", (total.generated as f64).into()),
            ("peakNodes", (total.peak_nodes as f64).into()),
        ]);
        Ok(object([
            ("status", (status as u32).into()),
            ("effort", effort.into()),
            ("expanded", Int32Array::from(&trace.expanded[..]).into()),
            ("phase", Uint8Array::from(&trace.phases[..]).into()),
            ("g", Float64Array::from(&trace.g[..]).into()),
        ]))
    }

    /// Mean microseconds of a query, and how often it was run: a number of times, and
    /// again and again until at least so many milliseconds have passed.
    pub fn time(
        &mut self,
        ax: u32,
        ay: u32,
        bx: u32,
        by: u32,
        least: f64,
        times: u32,
    ) -> Result<Vec<f64>, Failure> {
        let query = Query::new(cell(ax, ay), cell(bx, by));
        // The first run grows the scratch.
        self.planner.find(query, &mut self.scratch)?;
        let (begin, mut runs, mut batch) = (milliseconds(), 0_u32, times.max(1));
        loop {
            for _ in 0..batch {
                black_box(self.planner.find(black_box(query), &mut self.scratch)?);
            }
            runs = runs.saturating_add(batch);
            let taken = milliseconds() - begin;
            if taken >= least {
                return Ok(vec![taken * 1000.0 / f64::from(runs), f64::from(runs)]);
            }
            // Looking at the clock takes as long as a fast query.
            if taken < least / 8.0 {
                batch = batch.saturating_mul(2);
            }
        }
    }

    /// The nearest of some goals: its number, or -1 if none can be reached, -2 if the
    /// call failed. Leaves the answer as `find` does; its status is always found or
    /// already there.
    pub fn nearest(&mut self, x: u32, y: u32, goals: &[i32]) -> i32 {
        let start = cell(x, y);
        let goals = match cells(self.planner.grid(), goals) {
            Ok(goals) => goals,
            Err(failure) => {
                self.fail(failure);
                return -2;
            }
        };
        match self.planner.nearest(Query::starting_at(start), &goals, &mut self.scratch) {
            Ok(Some((at, outcome))) => {
                self.answer.write(self.planner.engine(), &outcome, start, Detail::Cells);
                at as i32
            }
            Ok(None) => -1,
            Err(error) => {
                self.fail(error);
                -2
            }
        }
    }

    /// Costs from starts to goals, row by start; -1 where there is no way.
    pub fn cost_table(&self, starts: &[i32], goals: &[i32]) -> Result<Vec<f64>, Failure> {
        let grid = self.planner.grid();
        let (starts, goals) = (cells(grid, starts)?, cells(grid, goals)?);
        let table = self.planner.cost_table(&starts, &goals, 1)?;
        let units = |cost: Option<Cost>| cost.map_or(-1.0, |cost| cost.units() as f64);
        Ok((0..starts.len()).flat_map(|start| table.row(start).map(units)).collect())
    }

    /// A plan, if there is a route; else the status says why not.
    pub fn plan(&mut self, ax: u32, ay: u32, bx: u32, by: u32) -> Result<Planning, Failure> {
        let planned = self.planner.plan(Query::new(cell(ax, ay), cell(bx, by)), &mut self.scratch)?;
        Ok(match planned {
            Planned::Plan(plan) => Planning { status: Status::Found, plan: Some(RawPlan { plan }) },
            Planned::AlreadyThere => Planning { status: Status::AlreadyThere, plan: None },
            Planned::StartBlocked => Planning { status: Status::StartBlocked, plan: None },
            Planned::GoalBlocked => Planning { status: Status::GoalBlocked, plan: None },
            _ => Planning { status: Status::Unreachable, plan: None },
        })
    }

    /// Edits rectangles, five numbers each: column, row, width, height, weight. All of
    /// them are checked before the first is carried out.
    pub fn edit(&mut self, numbers: &[i32]) -> Result<(), Failure> {
        let changes = changes(self.planner.grid(), numbers)?;
        self.apply(&changes)
    }

    /// Edits cells, three numbers each: column, row, weight. All of them are checked
    /// before the first is carried out.
    pub fn edit_cells(&mut self, numbers: &[i32]) -> Result<(), Failure> {
        let (triples, rest) = numbers.as_chunks::<3>();
        if !rest.is_empty() {
            let count = numbers.len();
            return Err(Failure::query(format!("{count} numbers are not triples x, y, weight")));
        }
        // Cells that follow one another in a row are one rectangle: an index follows
        // few areas sooner than many. Sorted, a stroke has few. The order is stable, so
        // of several weights for a cell the last one counts.
        let mut sorted = triples.to_vec();
        sorted.sort_by_key(|&[x, y, _]| (y, x));
        sorted.dedup();
        let mut rectangles: Vec<i32> = Vec::with_capacity(5);
        for [x, y, weight] in sorted {
            match rectangles.as_mut_slice() {
                [.., left, top, width, 1, of]
                    if *top == y && *of == weight && left.checked_add(*width) == Some(x) =>
                {
                    *width += 1;
                }
                _ => rectangles.extend([x, y, 1, 1, weight]),
            }
        }
        let changes = changes(self.planner.grid(), &rectangles)?;
        self.apply(&changes)
    }

    /// Numbers of a layer.
    pub fn layer(
        &mut self,
        name: &str,
        level: Option<u32>,
        from: Option<Vec<i32>>,
        to: Option<Vec<i32>>,
    ) -> Result<Vec<i32>, Failure> {
        let grid = self.planner.grid();
        let cell = |pair: Option<Vec<i32>>| {
            pair.map(|pair| match pair[..] {
                [x, y] => checked_cell(grid, x, y),
                _ => Err(Failure::query("a cell is two numbers")),
            })
        };
        let (from, to) = (cell(from).transpose()?, cell(to).transpose()?);
        let asked = layers::Asked { level, from, to };
        Ok(layers::layer(&self.planner, self.settings.tactics(), name, asked, &mut self.scratch)?)
    }

    /// Names of the layers that the engine has.
    pub fn layers(&self) -> Vec<String> {
        layers::names(self.planner.engine()).iter().map(|name| (*name).to_owned()).collect()
    }
}

/// An area and the weight that its cells get; 0 blocks them.
type Change = (Rect, u8);

fn changes(grid: &Grid, numbers: &[i32]) -> Result<Vec<Change>, Failure> {
    let read = |&[x, y, width, height, weight]: &[i32; 5]| {
        let weight = u8::try_from(weight)
            .map_err(|_| Failure::query(format!("weight is {weight}; expected 0 to 255")))?;
        if width < 1 || height < 1 {
            return Err(Failure::query(format!("a rectangle of {width} x {height} cells has none")));
        }
        let first = checked_cell(grid, x, y)?;
        let last = checked_cell(grid, x.saturating_add(width - 1), y.saturating_add(height - 1))?;
        Ok((Rect::spanning(first, last), weight))
    };
    numbers.as_chunks::<5>().0.iter().map(read).collect()
}

impl RawPlanner {
    fn apply(&mut self, changes: &[Change]) -> Result<(), Failure> {
        let edited = self.planner.edit(|grid| {
            changes.iter().try_for_each(|&(area, weight)| {
                if weight == 0 {
                    grid.block(area)?;
                } else {
                    grid.free(area)?;
                    grid.set_weight(area, weight)?;
                }
                Ok::<(), farstride::error::EditError>(())
            })
        });
        edited.map_err(Failure::query)
    }
}

/// What planning came to.
#[wasm_bindgen]
pub struct Planning {
    status: Status,
    plan: Option<RawPlan>,
}

#[wasm_bindgen]
impl Planning {
    /// Its status by number.
    pub fn status(&self) -> u32 {
        self.status as u32
    }

    /// The plan, once.
    pub fn take(&mut self) -> Option<RawPlan> {
        self.plan.take()
    }
}
