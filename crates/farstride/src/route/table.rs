//! Costs from many cells to many others.

use super::nearest::CostsFrom;
use super::{Outcome, Planner, QueryError, Scratch};
use crate::base::crew::{MOST_THREADS, split};
use crate::base::{Cell, Cost};
use crate::labels::NO_PATH;
use std::fmt;

/// What it costs to get from each of some starts to each of some goals: a row
/// for each start, in the order in which they were asked for.
///
/// It takes 4 bytes for each pair of cells, and 8 if a cost is too large for
/// that: on maps with weights, and on any-angle paths of a million steps.
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
    /// In units of so many; from `none` on there is no path.
    Small { costs: Vec<u32>, unit: Cost, none: u32 },
    /// In units of one; [`NONE`] if there is no path.
    Large(Vec<u64>),
}

const NONE: u64 = u64::MAX;

impl CostTable {
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
    /// If there is no such start or no such goal.
    pub fn cost(&self, start: usize, goal: usize) -> Option<Cost> {
        assert!(start < self.starts && goal < self.goals, "{start}, {goal} is not in the {self:?}");
        self.costs.at(start * self.goals + goal)
    }

    /// The costs from a start to all goals.
    ///
    /// # Panics
    /// If there is no such start.
    pub fn row(&self, start: usize) -> impl ExactSizeIterator<Item = Option<Cost>> + '_ {
        assert!(start < self.starts, "{start} is not in the {self:?}");
        (start * self.goals..(start + 1) * self.goals).map(|at| self.costs.at(at))
    }

    /// The goal that is nearest to a start and its cost, the first of equals;
    /// `None` if no goal can be reached.
    ///
    /// # Panics
    /// If there is no such start.
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

    /// The same in as little memory as it takes.
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

impl Planner {
    /// What it costs to get from each of some starts to each of some goals, on
    /// a number of threads.
    ///
    /// With labels this takes a small part of the time of a query per pair: each
    /// start and each goal is looked at once. Other engines answer query by
    /// query.
    ///
    /// # Guarantee
    /// The costs are those of single queries with [`Detail::Cost`], whatever
    /// the number of threads: `None` where there is no path or a cell is
    /// blocked, zero from a free cell to itself.
    ///
    /// # Allocation
    /// The table, and working memory for each thread; none per pair. For one
    /// start again and again, [`Planner::costs_into`] allocates nothing.
    ///
    /// # Errors
    /// [`QueryError`] if a cell is not on the map (the first one, starts before
    /// goals), or if an edit made the map unfit for the engine.
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Engine, Grid, Planner};
    ///
    /// let planner = Planner::with_engine(Grid::open(50, 40)?, Engine::Labels)?;
    /// let units: Vec<Cell> = (0..50).map(|x| Cell::new(x, 0)).collect();
    /// let posts: Vec<Cell> = (0..40).map(|y| Cell::new(30, y)).collect();
    /// let table = planner.cost_table(&units, &posts, 2)?;
    /// assert_eq!(table.cost(30, 0).map(|cost| cost.units()), Some(0));
    /// assert_eq!(table.row(7).len(), 40);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// [`Detail::Cost`]: super::Detail::Cost
    pub fn cost_table(
        &self,
        starts: &[Cell],
        goals: &[Cell],
        threads: usize,
    ) -> Result<CostTable, QueryError> {
        self.check_cells(starts.iter().chain(goals))?;
        let threads = threads.clamp(1, MOST_THREADS);
        let costs = self
            .costs_by_labels(starts, goals, threads)
            .unwrap_or_else(|| self.costs_by_queries(starts, goals, threads));
        Ok(CostTable { starts: starts.len(), goals: goals.len(), costs })
    }

    /// What it costs to get from a start to each of some goals, in their order:
    /// one row of [`Planner::cost_table`], in memory of your own.
    ///
    /// # Allocation
    /// None once `scratch` and `costs` have grown.
    ///
    /// # Errors
    /// As [`Planner::cost_table`]; then `costs` is empty.
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Grid, Planner, Scratch};
    ///
    /// let planner = Planner::new(Grid::open(20, 20)?);
    /// let (mut scratch, mut costs) = (Scratch::new(), Vec::new());
    /// let goals = [(3, 0), (0, 9)].map(Cell::from);
    /// planner.costs_into(Cell::new(0, 0), &goals, &mut scratch, &mut costs)?;
    /// let straight = planner.grid().rules().diagonal_cost.straight();
    /// assert_eq!(costs, [Some(straight * 3), Some(straight * 9)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn costs_into(
        &self,
        start: Cell,
        goals: &[Cell],
        scratch: &mut Scratch,
        costs: &mut Vec<Option<Cost>>,
    ) -> Result<(), QueryError> {
        costs.clear();
        self.check_cells([&start].into_iter().chain(goals))?;
        let mut from = CostsFrom::new(self, start, scratch);
        costs.extend(goals.iter().map(|&goal| from.cost(goal)));
        Ok(())
    }

    /// `None` if there are no current labels of all cells, or if they turn out
    /// to be damaged.
    fn costs_by_labels(&self, starts: &[Cell], goals: &[Cell], threads: usize) -> Option<Costs> {
        let costs = self.current_labels()?.costs(&self.grid)?;
        let mut table = vec![0; starts.len() * goals.len()];
        costs.write_table(starts, goals, threads, &mut table).ok()?;
        Some(Costs::Small { costs: table, unit: costs.unit(), none: NO_PATH })
    }

    fn costs_by_queries(&self, starts: &[Cell], goals: &[Cell], threads: usize) -> Costs {
        let mut table = vec![NONE; starts.len() * goals.len()];
        let part = table.len().div_ceil(threads).max(1);
        let parts = table.chunks_mut(part).enumerate();
        split(parts, |(number, costs)| {
            let mut scratch = Scratch::new();
            for (at, cost) in (number * part..).zip(costs) {
                let (start, goal) = (starts[at / goals.len()], goals[at % goals.len()]);
                *cost = self.query_cost(start, goal, &mut scratch).map_or(NONE, Cost::units);
            }
        });
        Costs::packed(table)
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
