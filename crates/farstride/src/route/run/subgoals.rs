//! The engines `ssg`, `tsg`, `tl`, `nsg` and `nsg+`.

use super::{Call, Stage, connect_straight};
use crate::base::Cell;
use crate::route::Scratch;
use crate::route::answer::Run;
use crate::search::{Observer, Phase, SearchStatus};
use crate::subgoal::SubgoalGraph;

/// Searches a subgoal graph. The budget counts the nodes of the main search.
/// Connecting start and goal, and looking from the goal upwards, are not counted:
/// tens of nodes usually, thousands on wide ground strewn with single obstacles.
pub(super) fn run(
    call: Call<'_>,
    graph: &SubgoalGraph,
    scratch: &mut Scratch,
    observer: &mut impl Observer<Cell>,
) -> Run {
    let Scratch { subgoals, path, trail, .. } = scratch;
    let (start, goal) = (call.query.start, call.query.goal);
    let online = graph.online(call.grid, start, goal);
    if call.stage == Stage::Start {
        observer.phase(Phase::Insert);
        if connect_straight(call.grid, start, goal, trail) {
            observer.phase(Phase::Refine);
            return call.writer(path).trail(trail);
        }
        online.begin(subgoals, observer);
    }
    match online.advance(call.query.budget, subgoals, observer) {
        SearchStatus::Reached(_) => {}
        SearchStatus::Paused => return Run::Paused,
        SearchStatus::Exhausted | SearchStatus::CostOverflow => return Run::Unreachable,
    }
    observer.phase(Phase::Refine);
    online.finish(call.query.detail.needs_path(), subgoals, trail);
    // Subgoals are fewer waypoints than the corners between them.
    call.writer(path).trail_with(trail, |path| online.waypoints_into(subgoals, path))
}
