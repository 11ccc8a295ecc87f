//! One start and many goals.

use super::{Detail, Planner, Query, Scratch};
use crate::base::{Cell, Cost, euclidean};
use crate::index::Index;
use crate::labels::Costs;

/// The position of the goal that costs least to reach, the first of equals; `None`
/// if none can be reached.
pub(super) fn nearest(
    planner: &Planner,
    start: Cell,
    goals: &[Cell],
    scratch: &mut Scratch,
) -> Option<usize> {
    let mut order = std::mem::take(&mut scratch.order);
    order.clear();
    order.extend(goals.iter().enumerate().map(|(at, &goal)| (bound(planner, start, goal), at)));
    order.sort_unstable();
    let mut from = CostsFrom::new(planner, start, scratch);
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
    best.map(|(_, at)| at)
}

/// A lower bound on the cost between two cells.
fn bound(planner: &Planner, start: Cell, goal: Cell) -> Cost {
    if planner.engine().is_any_angle() {
        euclidean(start, goal)
    } else {
        planner.grid.rules().distance(start, goal)
    }
}

/// The cost of a query between two cells of the map.
pub(super) fn query_cost(planner: &Planner, start: Cell, goal: Cell, scratch: &mut Scratch) -> Option<Cost> {
    let query = Query::new(start, goal).with_detail(Detail::Cost);
    planner.find(query, scratch).ok()?.cost()
}

/// Costs from one start. With labels, the label of the start is spread out once for
/// all goals.
pub(super) struct CostsFrom<'p, 's> {
    planner: &'p Planner,
    start: Cell,
    scratch: &'s mut Scratch,
    /// The labels, if the label of the start is in the scratch.
    labels: Option<Costs<'p>>,
}

impl<'p, 's> CostsFrom<'p, 's> {
    pub(super) fn new(planner: &'p Planner, start: Cell, scratch: &'s mut Scratch) -> Self {
        scratch.paused = None;
        let labels = planner.current_index().and_then(Index::labels);
        let labels = labels.and_then(|labels| labels.costs(&planner.grid));
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
        query_cost(self.planner, self.start, goal, self.scratch)
    }
}
