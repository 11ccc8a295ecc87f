//! Costs between the link ends of a floor, found when first needed and kept while true.
//!
//! Costs are those of shortest paths, whatever the engine: they must not depend on which
//! edits led to the present map. An engine that finds shortest paths is asked for each
//! pair; for the others one flood of the floor fills a row.
//!
//! Known costs survive edits that cannot have changed them. Edited areas are noted; the next
//! query floods the floor from all of them at once. Up to its first cell beside an edited area a path is
//! as it was, so a pair whose way by the areas costs more than it did is as it was, too.

use crate::base::{Cell, Cost, Inconsistent, Rect};
use crate::graph::{Graph, UniformGrid, WeightedGrid};
use crate::grid::{Grid, Rules};
use crate::route::{Detail, Planner, Query, Scratch};
use crate::search::{Memory, Problem, WideQueue};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Costs between all pairs of some cells of a floor.
///
/// Threads may find a cost at the same time; they find the same.
///
/// # Invariants
/// They hold while no area is noted ([`Table::settle`]).
///
/// 1. A known cost is that of a shortest path.
/// 2. A bound is no more than the cost of a shortest path.
/// 3. `share` is at most what each known cost or bound is of the cost that was known when
///    [`Table::pin`] was called last, in [`WHOLE`]ths.
#[derive(Debug)]
pub(super) struct Table {
    /// A row of costs for each cell; [`UNKNOWN`] until they are needed. Rows are kept
    /// twice, because searches read whole rows.
    costs: Box<[AtomicU64]>, // (1)
    /// Entry `b * (b - 1) / 2 + a` is that of the cells numbered `a` and `b`, `a < b`.
    bounds: Box<[AtomicU64]>, // (2)
    /// The costs that were pinned, in the same order; [`UNKNOWN`] where there is no path.
    pinned: Box<[AtomicU64]>,
    share: AtomicU64, // (3)
    /// Number of cells.
    count: usize,
    /// Areas that were edited since the table was last held against the map.
    edited: Mutex<Vec<Rect>>,
    is_settled: AtomicBool,
}

const UNKNOWN: u64 = u64::MAX;
/// All of a cost.
pub(super) const WHOLE: u64 = 1 << 16;

/// Memory to find costs in.
#[derive(Debug, Default)]
pub(super) struct TableScratch {
    query: Scratch,
    flood: Memory<WideQueue>,
}

impl Default for Table {
    fn default() -> Self {
        Self::new(Rules::default(), &[])
    }
}

impl Table {
    /// A table in which nothing is known yet.
    pub(super) fn new(rules: Rules, cells: &[Cell]) -> Self {
        let count = cells.len();
        let pairs = || (0..count).flat_map(|b| (0..b).map(move |a| (a, b)));
        let bound = |(a, b): (usize, usize)| AtomicU64::new(rules.distance(cells[a], cells[b]).units());
        Self {
            costs: (0..count * count).map(|_| AtomicU64::new(UNKNOWN)).collect(),
            bounds: pairs().map(bound).collect(),
            pinned: pairs().map(|_| AtomicU64::new(UNKNOWN)).collect(),
            share: AtomicU64::new(WHOLE),
            count,
            edited: Mutex::default(),
            is_settled: AtomicBool::new(true),
        }
    }

    /// The same for other cells; what is known about pairs of old ones is kept.
    pub(super) fn moved(&mut self, old: &[Cell], rules: Rules, cells: &[Cell]) -> Self {
        let mut table = Self::new(rules, cells);
        let places: Vec<Option<usize>> = cells.iter().map(|cell| old.binary_search(cell).ok()).collect();
        for b in 0..cells.len() {
            for a in 0..b {
                if let (Some(old_a), Some(old_b)) = (places[a], places[b]) {
                    *table.bounds[place(a, b)].get_mut() = self.bound(old_a, old_b).units();
                    table.set(a, b, self.units(old_a, old_b));
                }
            }
        }
        table.edited = std::mem::take(&mut self.edited);
        *table.is_settled.get_mut() = *self.is_settled.get_mut();
        table
    }

    /// A lower bound of the cost between two different cells.
    pub(super) fn bound(&self, a: usize, b: usize) -> Cost {
        Cost::from_units(self.bounds[place(a, b)].load(Ordering::Relaxed))
    }

    /// The cost between two different cells, if it is known.
    #[inline]
    pub(super) fn known(&self, a: usize, b: usize) -> Option<Cost> {
        let units = self.units(a, b);
        (units != UNKNOWN).then(|| Cost::from_units(units))
    }

    /// The costs from a cell to each cell in turn, as far as they are known.
    #[inline]
    pub(super) fn row(&self, from: usize) -> impl Iterator<Item = Option<Cost>> {
        let row = self.costs[from * self.count..(from + 1) * self.count].iter();
        row.map(|units| units.load(Ordering::Relaxed))
            .map(|units| (units != UNKNOWN).then(|| Cost::from_units(units)))
    }

    fn units(&self, a: usize, b: usize) -> u64 {
        self.costs[a * self.count + b].load(Ordering::Relaxed)
    }

    fn set(&self, a: usize, b: usize, units: u64) {
        self.costs[a * self.count + b].store(units, Ordering::Relaxed);
        self.costs[b * self.count + a].store(units, Ordering::Relaxed);
    }

    /// The cost between two different cells of one region; finds it if need be.
    pub(super) fn cost(
        &self,
        planner: &Planner,
        cells: &[Cell],
        (a, b): (usize, usize),
        scratch: &mut TableScratch,
    ) -> Option<Cost> {
        if let Some(cost) = self.known(a, b) {
            return Some(cost);
        }
        if planner.engine().is_optimal() && planner.engine().has_index() {
            let query = Query::new(cells[a], cells[b]).with_detail(Detail::Cost);
            let outcome = planner.find(query, &mut scratch.query).ok()?;
            self.set(a, b, outcome.route()?.cost().units());
        } else {
            self.fill_row(planner.grid(), cells, a, scratch);
        }
        self.known(a, b)
    }

    /// Finds the costs from one cell to all others of its region.
    fn fill_row(&self, grid: &Grid, cells: &[Cell], from: usize, scratch: &mut TableScratch) {
        flood(grid, [cells[from]], &mut scratch.flood);
        for (to, &cell) in cells.iter().enumerate().filter(|&(to, _)| to != from) {
            if let Some(cost) = scratch.flood.cost(UniformGrid(grid).index(cell)) {
                self.set(from, to, cost.units());
            }
        }
    }

    /// Notes that cells of an area have changed.
    pub(super) fn note(&mut self, area: Rect) {
        self.edited.get_mut().unwrap_or_else(PoisonError::into_inner).push(area);
        *self.is_settled.get_mut() = false;
    }

    /// Forgets costs that edits may have changed. Queries begin with it.
    pub(super) fn settle(&self, grid: &Grid, cells: &[Cell], scratch: &mut TableScratch) {
        if self.is_settled.load(Ordering::Acquire) {
            return;
        }
        let mut edited = self.edited.lock().unwrap_or_else(PoisonError::into_inner);
        // A step beside a changed cell may have cut its corner.
        let beside = edited.iter().flat_map(|area| area.grown(1, grid.area()).cells());
        flood(grid, beside.filter(|&cell| grid.is_free(cell)), &mut scratch.flood);
        let away = |cell: &Cell| scratch.flood.cost(UniformGrid(grid).index(*cell));
        let away: Vec<Option<Cost>> = cells.iter().map(away).collect();
        for b in 0..cells.len() {
            for a in 0..b {
                if let (Some(from), Some(to)) = (away[a], away[b]) {
                    self.doubt((a, b), (from + to).units(), || grid.is_connected(cells[a], cells[b]));
                }
            }
        }
        edited.clear();
        self.is_settled.store(true, Ordering::Release);
    }

    /// Forgets the cost of a pair unless it is less than that of a way by an edited area.
    fn doubt(&self, (a, b): (usize, usize), through: u64, is_joined: impl Fn() -> bool) {
        let (known, at) = (self.units(a, b), place(a, b));
        if known < through {
            return;
        }
        // An unknown cost is the largest number, and its bound is at most the cost.
        let bound = if known == UNKNOWN { self.bounds[at].load(Ordering::Relaxed) } else { known };
        let bound = bound.min(through);
        self.bounds[at].store(bound, Ordering::Relaxed);
        self.set(a, b, UNKNOWN);
        let pinned = self.pinned[at].load(Ordering::Relaxed);
        if pinned == UNKNOWN && is_joined() {
            self.share.store(0, Ordering::Relaxed); // there was no way, and now there is one
        } else if bound < pinned && pinned != UNKNOWN {
            let share = u128::from(bound) * u128::from(WHOLE) / u128::from(pinned);
            self.share.fetch_min(share as u64, Ordering::Relaxed);
        }
    }

    /// Remembers the costs that are known now, to tell how much they fall ([`Table::share`]).
    pub(super) fn pin(&self) {
        for b in 0..self.count {
            for a in 0..b {
                self.pinned[place(a, b)].store(self.units(a, b), Ordering::Relaxed);
            }
        }
        self.share.store(WHOLE, Ordering::Relaxed);
    }

    /// What is left of the costs that were pinned, at least, in [`WHOLE`]ths.
    pub(super) fn share(&self) -> u64 {
        self.share.load(Ordering::Relaxed)
    }

    /// Re-proves bounds and known costs on a map.
    pub(super) fn check(&self, planner: &Planner, cells: &[Cell]) -> Result<(), Inconsistent> {
        let mut scratch = TableScratch::default();
        self.settle(planner.grid(), cells, &mut scratch);
        let fresh = Self::new(planner.grid().rules(), cells);
        for (b, a) in (0..cells.len()).flat_map(|b| (0..b).map(move |a| (b, a))) {
            let is_joined = planner.grid().is_connected(cells[a], cells[b]);
            let cost = is_joined.then(|| fresh.cost(planner, cells, (a, b), &mut scratch)).flatten();
            let known = self.known(a, b);
            if known.is_some() && known != cost || cost.is_some_and(|cost| cost < self.bound(a, b)) {
                let (a, b) = (cells[a], cells[b]);
                return Err(Inconsistent::new(format!(
                    "{known:?} is known between {a} and {b}: it is {cost:?}"
                )));
            }
        }
        Ok(())
    }
}

/// Where the entry of two different cells is.
#[inline]
const fn place(a: usize, b: usize) -> usize {
    let (less, more) = if a < b { (a, b) } else { (b, a) };
    more * (more - 1) / 2 + less
}

/// Searches everything that can be reached from some free cells.
fn flood(grid: &Grid, from: impl IntoIterator<Item = Cell>, memory: &mut Memory<WideQueue>) {
    if grid.is_uniform() {
        flood_graph(&UniformGrid(grid), from, memory);
    } else {
        flood_graph(&WeightedGrid(grid), from, memory);
    }
}

fn flood_graph<G: Graph<Node = Cell>>(
    graph: &G,
    from: impl IntoIterator<Item = Cell>,
    memory: &mut Memory<WideQueue>,
) {
    let problem = Problem::everywhere(graph);
    problem.begin_at(from, memory);
    problem.advance(memory, u64::MAX, &mut ());
}

/// A lower bound of the cost from a cell to the nearest of an area.
pub(super) fn distance_to(rules: Rules, cell: Cell, area: Rect) -> Cost {
    let nearest =
        Cell::new(cell.x.clamp(area.min().x, area.max().x), cell.y.clamp(area.min().y, area.max().y));
    rules.distance(cell, nearest)
}
