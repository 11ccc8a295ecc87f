//! Costs from many cells to many others.

use super::lookup::Lookup;
use super::nearest::CostsFrom;
use super::{Detail, Outcome, Planner, Query, Scratch};
use crate::base::crew::{Latch, split};
use crate::base::{Cell, Cost};
use crate::index::Index;
use crate::labels::UNREACHABLE;
use std::fmt;

/// The costs from each of some starts to each of some goals: a row for each start,
/// in the order of the lists ([`Planner::cost_table`]).
///
/// It takes 4 bytes for each pair of cells, or 8 if a cost is too large for 4: on
/// maps with weights, and on any-angle paths of a million steps.
///
/// # Example
/// ```
/// use farstride::{Cell, Engine, Grid, Planner};
///
/// let grid = Grid::from_ascii("
///     ...#.
///     .#.#.
///     ...#.
/// ")?;
/// let planner = Planner::with_engine(grid, Engine::Labels)?;
/// let guards = [(0, 0), (2, 2), (4, 1)].map(Cell::from);
/// let doors = [(2, 0), (4, 0)].map(Cell::from);
/// let table = planner.cost_table(&guards, &doors, 1)?;
/// assert_eq!(table.cost(0, 0), Some(planner.grid().rules().diagonal_cost.straight() * 2));
/// assert_eq!(table.cost(0, 1), None);
/// assert_eq!(table.nearest(1), Some((0, table.cost(1, 0).unwrap())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct CostTable {
    starts: usize,
    goals: usize,
    costs: Costs,
}

/// The costs of a table, row by row.
#[derive(Clone)]
enum Costs {
    /// In multiples of `unit`; `none` and above mean that there is no path.
    Small { costs: Vec<u32>, unit: Cost, none: u32 },
    /// In units; [`NONE`] if there is no path.
    Large(Vec<u64>),
}

const NONE: u64 = u64::MAX;

impl CostTable {
    /// A table of these rows, which must all have `goals` entries.
    #[cfg(feature = "serde")]
    pub(crate) fn from_rows(goals: usize, rows: &[Vec<Option<Cost>>]) -> Self {
        let costs = rows.iter().flatten().map(|cost| cost.map_or(NONE, Cost::units));
        Self { starts: rows.len(), goals, costs: Costs::packed(costs.collect()) }
    }

    /// Number of starts.
    pub const fn start_count(&self) -> usize {
        self.starts
    }

    /// Number of goals.
    pub const fn goal_count(&self) -> usize {
        self.goals
    }

    /// The cost from a start to a goal, both by their positions in the lists;
    /// `None` if there is no path.
    ///
    /// # Panics
    /// If `start` or `goal` is not less than the number of starts or goals.
    pub fn cost(&self, start: usize, goal: usize) -> Option<Cost> {
        assert!(start < self.starts && goal < self.goals, "{start}, {goal} is not in the {self:?}");
        self.costs.at(start * self.goals + goal)
    }

    /// The costs from a start to all goals.
    ///
    /// # Panics
    /// If `start` is not less than the number of starts.
    pub fn row(&self, start: usize) -> impl ExactSizeIterator<Item = Option<Cost>> + '_ {
        assert!(start < self.starts, "{start} is not in the {self:?}");
        (start * self.goals..(start + 1) * self.goals).map(|at| self.costs.at(at))
    }

    /// The nearest goal of a start and its cost; of several, the first. `None` if no
    /// goal can be reached.
    ///
    /// # Panics
    /// If `start` is not less than the number of starts.
    pub fn nearest(&self, start: usize) -> Option<(usize, Cost)> {
        let costs = self.row(start).enumerate();
        costs.filter_map(|(goal, cost)| Some((goal, cost?))).min_by_key(|&(_, cost)| cost)
    }
}

impl Costs {
    #[inline]
    fn at(&self, at: usize) -> Option<Cost> {
        match self {
            Self::Small { costs, unit, none } => (costs[at] < *none).then(|| *unit * costs[at].into()),
            Self::Large(costs) => (costs[at] != NONE).then(|| Cost::from_units(costs[at])),
        }
    }

    /// Packs costs into as little memory as they fit into.
    fn packed(costs: Vec<u64>) -> Self {
        let is_small = |&cost: &u64| cost < u32::MAX.into() || cost == NONE;
        if !costs.iter().all(is_small) {
            return Self::Large(costs);
        }
        let costs = costs.into_iter().map(|cost| cost as u32).collect();
        Self::Small { costs, unit: Cost::from_units(1), none: NONE as u32 }
    }
}

/// Equal tables have the same costs, however they are stored.
impl PartialEq for CostTable {
    fn eq(&self, other: &Self) -> bool {
        (self.starts, self.goals) == (other.starts, other.goals)
            && (0..self.starts).all(|start| self.row(start).eq(other.row(start)))
    }
}

impl Eq for CostTable {}

impl fmt::Debug for CostTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table of {} starts and {} goals", self.starts, self.goals)
    }
}

/// Some starts and goals, and how their costs are computed.
pub(super) struct Pairs<'p> {
    pub(super) planner: &'p Planner,
    pub(super) starts: &'p [Cell],
    pub(super) goals: &'p [Cell],
    pub(super) threads: usize,
    /// If it closes, what was begun is left as it is.
    pub(super) latch: &'p Latch<'p>,
}

impl Pairs<'_> {
    /// The costs between all pairs.
    pub(super) fn table(&self) -> CostTable {
        let costs = self.small_costs().unwrap_or_else(|| {
            let mut costs = vec![NONE; self.starts.len() * self.goals.len()];
            self.write_by_searches(&|cost: Option<Cost>| cost.map_or(NONE, Cost::units), &mut costs);
            // What was cancelled need not be packed.
            if self.latch.result().is_ok() { Costs::packed(costs) } else { Costs::Large(costs) }
        });
        CostTable { starts: self.starts.len(), goals: self.goals.len(), costs }
    }

    /// Writes an entry for the cost of each pair, which must be as many as the table has.
    pub(super) fn write<T: Send>(&self, entry: &(impl Fn(Option<Cost>) -> T + Sync), table: &mut [T]) {
        let labels = Lookup::of(self.planner);
        let is_written = labels.is_some_and(|labels| {
            let unit = labels.unit();
            let entry = |cost: u32| entry((cost < UNREACHABLE).then(|| unit * cost.into()));
            labels.write_table((self.starts, self.goals), self.threads, self.latch, entry, table).is_ok()
        });
        if !is_written {
            self.write_by_searches(entry, table);
        }
    }

    /// `None` if there are no current labels of all cells, or if they are damaged.
    fn small_costs(&self) -> Option<Costs> {
        let labels = Lookup::of(self.planner)?;
        let mut costs = vec![0; self.starts.len() * self.goals.len()];
        let same = |cost: u32| cost;
        labels.write_table((self.starts, self.goals), self.threads, self.latch, same, &mut costs).ok()?;
        Some(Costs::Small { costs, unit: labels.unit(), none: UNREACHABLE })
    }

    fn write_by_searches<T: Send>(&self, entry: &(impl Fn(Option<Cost>) -> T + Sync), table: &mut [T]) {
        let overlay = self.planner.current_index().and_then(Index::overlay);
        if overlay.is_some_and(|overlay| overlay.is_worth_spreading(self.goals.len())) {
            self.write_by_spreading(entry, table);
        } else {
            self.write_by_queries(entry, table);
        }
    }

    /// With a search from each start.
    fn write_by_spreading<T: Send>(&self, entry: &(impl Fn(Option<Cost>) -> T + Sync), table: &mut [T]) {
        let &Self { planner, starts, goals, threads, latch } = self;
        let rows = starts.len().div_ceil(threads).max(1);
        let parts = table.chunks_mut((rows * goals.len()).max(1)).zip(starts.chunks(rows));
        split(parts, |(costs, starts)| {
            let mut scratch = Scratch::new();
            for (row, &start) in costs.chunks_mut(goals.len()).zip(starts) {
                if !latch.is_open() {
                    return;
                }
                let mut from = CostsFrom::new(planner, start, goals.len(), &mut scratch);
                for (cost, &goal) in row.iter_mut().zip(goals) {
                    *cost = entry(from.cost(goal));
                }
            }
        });
    }

    /// With a query for each pair.
    fn write_by_queries<T: Send>(&self, entry: &(impl Fn(Option<Cost>) -> T + Sync), table: &mut [T]) {
        let &Self { planner, starts, goals, threads, latch } = self;
        let part = table.len().div_ceil(threads).max(1);
        split(table.chunks_mut(part).enumerate(), |(number, costs)| {
            let mut scratch = Scratch::new();
            for (at, cost) in (number * part..).zip(costs) {
                let (start, goal) = (starts[at / goals.len()], goals[at % goals.len()]);
                if !latch.is_open() {
                    return;
                }
                let query = Query::new(start, goal).with_detail(Detail::Cost);
                let outcome = planner.find_while(query, || latch.is_open(), &mut scratch);
                *cost = entry(outcome.ok().and_then(|outcome| outcome.cost()));
            }
        });
    }
}

impl Outcome<'_> {
    /// What the path costs, if there is one.
    pub(super) fn cost(&self) -> Option<Cost> {
        match self {
            Self::Found(route) => Some(route.cost()),
            Self::AlreadyThere => Some(Cost::ZERO),
            _ => None,
        }
    }
}
