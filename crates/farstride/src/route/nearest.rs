//! One start and many goals.

use super::{Detail, Outcome, Planner, Query, QueryError, Scratch};
use crate::base::{Cell, Cost, euclidean};
use crate::labels::Costs;

impl Planner {
    /// Finds the goal that costs least to get to, and the way there: its
    /// position in the list and the outcome of a query for it, which is a path
    /// or [`Outcome::AlreadyThere`]. `None` if the start is blocked or no goal
    /// can be reached.
    ///
    /// Goals are tried in the order of their distances on an empty map, until
    /// that is more than what the best one costs.
    ///
    /// # Guarantee
    /// No other goal costs less by the engine's own queries, and none before it
    /// in the list costs as little.
    ///
    /// # Allocation
    /// None once `scratch` has grown.
    ///
    /// # Complexity
    /// With labels, one look-up for each goal tried and one path; otherwise a
    /// query for each goal tried.
    ///
    /// # Errors
    /// [`QueryError`] if a cell is not on the map, or if an edit made the map
    /// unfit for the engine.
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Detail, Grid, Planner, Scratch};
    ///
    /// let grid = Grid::from_ascii("
    ///     ...#.
    ///     .#.#.
    ///     .#...
    /// ")?;
    /// let planner = Planner::new(grid);
    /// let wells = [(4, 0), (0, 2), (2, 2)].map(Cell::from);
    /// let mut scratch = Scratch::new();
    /// let found = planner.nearest(Cell::new(2, 0), &wells, Detail::Cells, &mut scratch)?;
    /// let (which, outcome) = found.expect("all can be reached");
    /// assert_eq!(which, 2);
    /// assert_eq!(outcome.route().unwrap().path().cells().len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest<'s>(
        &self,
        start: Cell,
        goals: &[Cell],
        detail: Detail,
        scratch: &'s mut Scratch,
    ) -> Result<Option<(usize, Outcome<'s>)>, QueryError> {
        self.check_cells([&start].into_iter().chain(goals))?;
        let mut order = std::mem::take(&mut scratch.order);
        order.clear();
        order.extend(goals.iter().enumerate().map(|(at, &goal)| (self.bound(start, goal), at)));
        order.sort_unstable();
        let mut from = CostsFrom::new(self, start, scratch);
        let mut best = None;
        for &(bound, at) in &order {
            if best.is_some_and(|best| best < (bound, at)) {
                break;
            }
            if let Some(cost) = from.cost(goals[at])
                && best.is_none_or(|best| (cost, at) < best)
            {
                best = Some((cost, at));
            }
        }
        scratch.order = order;
        let Some((_, at)) = best else { return Ok(None) };
        let query = Query::new(start, goals[at]).with_detail(detail);
        Ok(Some((at, self.find(query, scratch)?)))
    }

    /// What a path between two cells costs at least.
    fn bound(&self, start: Cell, goal: Cell) -> Cost {
        if self.engine().is_any_angle() {
            euclidean(start, goal)
        } else {
            self.grid.rules().distance(start, goal)
        }
    }

    /// What a query between two cells of the map tells of the cost.
    pub(super) fn query_cost(&self, start: Cell, goal: Cell, scratch: &mut Scratch) -> Option<Cost> {
        let query = Query::new(start, goal).with_detail(Detail::Cost);
        self.find(query, scratch).ok()?.cost()
    }
}

/// Costs from one start, of which as much is kept as can be.
pub(super) struct CostsFrom<'p, 's> {
    planner: &'p Planner,
    start: Cell,
    scratch: &'s mut Scratch,
    /// The labels, if what they know of the start is in the scratch.
    labels: Option<Costs<'p>>,
}

impl<'p, 's> CostsFrom<'p, 's> {
    pub(super) fn new(planner: &'p Planner, start: Cell, scratch: &'s mut Scratch) -> Self {
        scratch.paused = None;
        let labels = planner.current_labels().and_then(|labels| labels.costs(&planner.grid));
        let labels =
            labels.filter(|labels| labels.fan_out(start, scratch.fan.get_or_insert_default()).is_ok());
        Self { planner, start, scratch, labels }
    }

    /// The cost to a goal on the map; `None` if there is no path.
    #[inline]
    pub(super) fn cost(&mut self, goal: Cell) -> Option<Cost> {
        if let Some(labels) = self.labels
            && let Some(fan) = &mut self.scratch.fan
            && let Ok(cost) = labels.cost(fan, goal)
        {
            return cost;
        }
        self.planner.query_cost(self.start, goal, self.scratch)
    }
}
