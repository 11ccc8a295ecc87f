//! Costs between the link ends of a floor, found when first needed and kept while true.
//!
//! Costs are those of shortest paths, whatever the engine: they must not depend on which
//! edits led to the present map. An engine that finds shortest paths is asked for each
//! pair; for the others one flood of the floor fills a row. Known costs survive edits that
//! cannot have changed them: those that neither touch the rectangle around the path nor lie
//! near enough for a shorter way.

use crate::base::{Cell, Cost, Inconsistent, Node, Rect};
use crate::graph::{Graph, UniformGrid, WeightedGrid};
use crate::grid::{Grid, Rules};
use crate::route::{Planner, Query, Scratch};
use crate::search::{Memory, Problem, WideQueue};
use std::sync::atomic::{AtomicU64, Ordering};

/// Costs between all pairs of some cells of a floor.
///
/// Threads may find a cost at the same time; they find the same.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// A row of costs for each cell; [`UNKNOWN`] until they are needed. Rows lie apart from
    /// the rest and twice, because searches read whole rows.
    costs: Box<[AtomicU64]>,
    /// Entry `b * (b - 1) / 2 + a` is that of the cells numbered `a` and `b`, `a < b`.
    entries: Box<[Entry]>,
    /// Number of cells.
    count: usize,
}

/// What else is known about a pair of cells.
#[derive(Debug)]
struct Entry {
    /// A lower bound of the cost; changed by edits only.
    bound: Cost,
    /// The rectangle around the path that was found, as packed corners; read only when edits
    /// have the table for themselves.
    around: AtomicU64,
}

const UNKNOWN: u64 = u64::MAX;

/// Memory to find costs in.
#[derive(Debug, Default)]
pub(super) struct TableScratch {
    query: Scratch,
    flood: Memory<WideQueue>,
}

impl Entry {
    fn fresh(rules: Rules, a: Cell, b: Cell) -> Self {
        Self { bound: rules.distance(a, b), around: AtomicU64::new(0) }
    }

    fn around(&mut self) -> Rect {
        let corners = *self.around.get_mut();
        Rect::spanning(Cell::unpack((corners >> 32) as u32), Cell::unpack(corners as u32))
    }
}

impl Table {
    /// A table in which nothing is known yet.
    pub(super) fn new(rules: Rules, cells: &[Cell]) -> Self {
        let count = cells.len();
        let pairs = (0..count).flat_map(|b| (0..b).map(move |a| (a, b)));
        Self {
            costs: (0..count * count).map(|_| AtomicU64::new(UNKNOWN)).collect(),
            entries: pairs.map(|(a, b)| Entry::fresh(rules, cells[a], cells[b])).collect(),
            count,
        }
    }

    /// The same for other cells; what is known about pairs of old ones is kept.
    pub(super) fn moved(&mut self, old: &[Cell], rules: Rules, cells: &[Cell]) -> Self {
        let mut table = Self::new(rules, cells);
        let places: Vec<Option<usize>> = cells.iter().map(|cell| old.binary_search(cell).ok()).collect();
        for b in 0..cells.len() {
            for a in 0..b {
                if let (Some(old_a), Some(old_b)) = (places[a], places[b]) {
                    let fresh = Entry::fresh(rules, cells[a], cells[b]);
                    table.entries[place(a, b)] =
                        std::mem::replace(&mut self.entries[place(old_a, old_b)], fresh);
                    table.set(a, b, self.units(old_a, old_b));
                }
            }
        }
        table
    }

    /// A lower bound of the cost between two different cells.
    pub(super) fn bound(&self, a: usize, b: usize) -> Cost {
        self.entries[place(a, b)].bound
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

    fn learn(&self, (a, b): (usize, usize), cost: Cost, around: Rect) {
        let corners = u64::from(around.min().pack()) << 32 | u64::from(around.max().pack());
        self.entries[place(a, b)].around.store(corners, Ordering::Relaxed);
        self.set(a, b, cost.units());
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
            let outcome = planner.find(Query::new(cells[a], cells[b]), &mut scratch.query).ok()?;
            let route = outcome.route()?;
            let corners = route.path().cells().iter().map(|&cell| Rect::from(cell));
            self.learn((a, b), route.cost(), corners.reduce(Rect::hull)?);
        } else {
            self.fill_row(planner.grid(), cells, a, scratch);
        }
        self.known(a, b)
    }

    /// Finds the costs from one cell to all others of its region.
    fn fill_row(&self, grid: &Grid, cells: &[Cell], from: usize, scratch: &mut TableScratch) {
        let memory = &mut scratch.flood;
        if grid.is_uniform() {
            flood(&UniformGrid(grid), cells[from], memory);
        } else {
            flood(&WeightedGrid(grid), cells[from], memory);
        }
        let graph = UniformGrid(grid); // the same indices as with weights
        for (to, &cell) in cells.iter().enumerate().filter(|&(to, _)| to != from) {
            if self.known(from, to).is_some() {
                continue;
            }
            let Some(cost) = memory.cost(graph.index(cell)) else { continue };
            let mut around = Rect::from(cell);
            let mut here = cell;
            while here != cells[from] {
                here = Cell::unpack(memory.tree().parent(graph.index(here)));
                around = around.hull(here.into());
            }
            self.learn((from, to), cost, around);
        }
    }

    /// Forgets costs that a change of the cells of `area` may have changed.
    pub(super) fn follow(&mut self, grid: &Grid, cells: &[Cell], area: Rect) {
        // A step beside a changed cell may have cut its corner.
        let area = area.grown(1, grid.area());
        let rules = grid.rules();
        let away: Vec<Cost> = cells.iter().map(|&cell| distance_to(rules, cell, area)).collect();
        for b in 0..cells.len() {
            for a in 0..b {
                let known = self.units(a, b);
                let entry = &mut self.entries[place(a, b)];
                // A path through the area is at least this long; others are as they were.
                let through = away[a] + away[b];
                if known == UNKNOWN {
                    entry.bound = entry.bound.min(through);
                } else if through.units() < known || entry.around().meets(area) {
                    entry.bound = Cost::from_units(known).min(through);
                    self.set(a, b, UNKNOWN);
                }
            }
        }
    }

    /// Re-proves bounds and known costs on a map.
    pub(super) fn check(&self, planner: &Planner, cells: &[Cell]) -> Result<(), Inconsistent> {
        let mut scratch = TableScratch::default();
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

/// Searches everything that can be reached.
fn flood<G: Graph<Node = Cell>>(graph: &G, from: Cell, memory: &mut Memory<WideQueue>) {
    let problem = Problem::everywhere(graph);
    problem.begin(from, memory, &mut ());
    problem.advance(memory, u64::MAX, &mut ());
}

/// A lower bound of the cost from a cell to the nearest of an area.
fn distance_to(rules: Rules, cell: Cell, area: Rect) -> Cost {
    let nearest =
        Cell::new(cell.x.clamp(area.min().x, area.max().x), cell.y.clamp(area.min().y, area.max().y));
    rules.distance(cell, nearest)
}
