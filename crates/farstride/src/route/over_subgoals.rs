//! How a planner uses subgoal graphs.

use super::planner::Stage;
use super::{Detail, Planner, Query, Scratch};
use crate::base::Cell;
use crate::grid::Steps;
use crate::search::{Observer, Phase, Progress};
use crate::subgoal::Online;

impl Planner {
    /// Searches a subgoal graph, and leaves in the scratch what was asked for.
    /// The budget counts the nodes of the main search. Connecting start and
    /// goal, and looking from the goal upwards, are not counted: tens of nodes
    /// usually, thousands on wide ground strewn with single obstacles.
    pub(super) fn advance_subgoals(
        &self,
        online: &Online<'_>,
        query: Query,
        stage: Stage,
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Progress<Cell> {
        let Scratch { subgoals, path, trail, steps, .. } = scratch;
        let Query { start, goal, budget, detail } = query;
        if stage == Stage::Start {
            observer.phase(Phase::Insert);
            if self.connect_straight(start, goal, trail) {
                observer.phase(Phase::Refine);
                *steps = Some(Steps::of_trail(trail));
                match detail {
                    Detail::Cells | Detail::First(_) => trail.cells_into(path),
                    Detail::Waypoints => trail.corners_into(path),
                    Detail::Cost => {}
                }
                return Progress::Reached(goal);
            }
            online.begin(subgoals, observer);
        }
        match online.advance(budget, subgoals, observer) {
            Progress::Reached(_) => {}
            Progress::Paused => return Progress::Paused,
            Progress::Exhausted => return Progress::Exhausted,
            Progress::CostOverflow => return Progress::CostOverflow,
        }
        observer.phase(Phase::Refine);
        online.finish(detail != Detail::Cost, subgoals, trail);
        *steps = Some(Steps::of_trail(trail));
        match detail {
            Detail::Cells | Detail::First(_) => trail.cells_into(path),
            Detail::Waypoints => online.waypoints_into(subgoals, path),
            Detail::Cost => {}
        }
        Progress::Reached(goal)
    }
}
