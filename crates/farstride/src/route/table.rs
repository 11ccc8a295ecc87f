//! Costs from many cells to many others.

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

/// The costs between cells of the map; incomplete if the latch closes.
pub(super) fn cost_table(
    planner: &Planner,
    starts: &[Cell],
    goals: &[Cell],
    threads: usize,
    latch: &Latch<'_>,
) -> CostTable {
    let costs = costs_by_labels(planner, starts, goals, threads, latch)
        .or_else(|| costs_by_spreading(planner, starts, goals, threads, latch))
        .unwrap_or_else(|| costs_by_queries(planner, starts, goals, threads, latch));
    CostTable { starts: starts.len(), goals: goals.len(), costs }
}

/// `None` if there are no current labels of all cells, or if they are damaged.
fn costs_by_labels(
    planner: &Planner,
    starts: &[Cell],
    goals: &[Cell],
    threads: usize,
    latch: &Latch<'_>,
) -> Option<Costs> {
    let labels = planner.current_index().and_then(Index::labels)?;
    let costs = labels.costs(&planner.grid)?;
    let mut table = vec![0; starts.len() * goals.len()];
    costs.write_table(starts, goals, threads, latch, &mut table).ok()?;
    Some(Costs::Small { costs: table, unit: costs.unit(), none: UNREACHABLE })
}

/// `None` unless there is a current overlay, and goals enough for a search from each
/// start.
fn costs_by_spreading(
    planner: &Planner,
    starts: &[Cell],
    goals: &[Cell],
    threads: usize,
    latch: &Latch<'_>,
) -> Option<Costs> {
    let overlay = planner.current_index().and_then(Index::overlay)?;
    if !overlay.is_worth_spreading(goals.len()) {
        return None;
    }
    let mut table = vec![NONE; starts.len() * goals.len()];
    let rows = starts.len().div_ceil(threads).max(1);
    let parts = table.chunks_mut(rows * goals.len()).zip(starts.chunks(rows));
    split(parts, |(costs, starts)| {
        let mut scratch = Scratch::new();
        for (row, &start) in costs.chunks_mut(goals.len()).zip(starts) {
            if !latch.is_open() {
                return;
            }
            let mut from = CostsFrom::new(planner, start, goals.len(), &mut scratch);
            for (cost, &goal) in row.iter_mut().zip(goals) {
                *cost = from.cost(goal).map_or(NONE, Cost::units);
            }
        }
    });
    Some(Costs::packed(table))
}

fn costs_by_queries(
    planner: &Planner,
    starts: &[Cell],
    goals: &[Cell],
    threads: usize,
    latch: &Latch<'_>,
) -> Costs {
    let mut table = vec![NONE; starts.len() * goals.len()];
    let part = table.len().div_ceil(threads).max(1);
    let parts = table.chunks_mut(part).enumerate();
    split(parts, |(number, costs)| {
        let mut scratch = Scratch::new();
        for (at, cost) in (number * part..).zip(costs) {
            let (start, goal) = (starts[at / goals.len()], goals[at % goals.len()]);
            if !latch.is_open() {
                return;
            }
            let query = Query::new(start, goal).with_detail(Detail::Cost);
            let outcome = planner.find_while(query, || latch.is_open(), &mut scratch);
            *cost = outcome.ok().and_then(|outcome| outcome.cost()).map_or(NONE, Cost::units);
        }
    });
    // What was cancelled need not be packed.
    if latch.result().is_ok() { Costs::packed(table) } else { Costs::Large(table) }
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
