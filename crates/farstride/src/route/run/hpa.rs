//! The engines `hpa` and `hpt`.

use super::{Call, Stage, connect_straight};
use crate::base::Cell;
use crate::hpa::{Hierarchy, Online};
use crate::route::Scratch;
use crate::route::answer::Run;
use crate::route::taut::drop_points_on_straight_legs;
use crate::search::{Observer, SearchStatus};

/// Searches a hierarchy of clusters. The budget counts the nodes of the main
/// search: connecting start and goal and refining the path take little, however
/// large the map is.
pub(super) fn run(
    call: Call<'_>,
    hierarchy: &Hierarchy,
    scratch: &mut Scratch,
    observer: &mut impl Observer<Cell>,
) -> Run {
    let online = hierarchy.online(call.grid, call.tactics);
    if hierarchy.settings().local.is_any_angle() {
        hpt(call, &online, scratch, observer)
    } else {
        hpa(call, &online, scratch, observer)
    }
}

fn hpa(
    call: Call<'_>,
    online: &Online<'_>,
    scratch: &mut Scratch,
    observer: &mut impl Observer<Cell>,
) -> Run {
    let Scratch { hpa, path, trail, spare_trail, smoother, band, .. } = scratch;
    let (start, goal) = (call.query.start, call.query.goal);
    if call.stage == Stage::Start {
        if call.tactics.shortcuts && connect_straight(call.grid, start, goal, trail) {
            return call.writer(path).trail(trail);
        }
        online.begin(start, goal, hpa, observer);
    }
    if let Some(unfinished) = unfinished(online.follow(call.query.budget, hpa, trail, observer)) {
        return unfinished;
    }
    if call.tactics.smooth {
        smoother.smooth(call.grid, trail);
        band.settle(call.grid, trail);
    }
    online.look_around(hpa, trail, spare_trail, observer, |_| ());
    call.writer(path).trail(trail)
}

fn hpt(
    call: Call<'_>,
    online: &Online<'_>,
    scratch: &mut Scratch,
    observer: &mut impl Observer<Cell>,
) -> Run {
    let Scratch { hpa, path, points, turns, spare_turns, puller, .. } = scratch;
    let (start, goal) = (call.query.start, call.query.goal);
    if call.stage == Stage::Start {
        if call.grid.line_of_sight(start, goal) {
            path.clear();
            path.extend([start, goal]);
            return call.writer(path).points(points);
        }
        online.begin(start, goal, hpa, observer);
    }
    if let Some(unfinished) = unfinished(online.follow(call.query.budget, hpa, turns, observer)) {
        return unfinished;
    }
    if call.tactics.smooth {
        puller.pull(call.grid, turns.points_mut());
    }
    online.look_around(hpa, turns, spare_turns, observer, |found| {
        if call.tactics.smooth {
            puller.pull(call.grid, found.points_mut());
        }
    });
    drop_points_on_straight_legs(turns.points_mut());
    path.clone_from(turns.points_mut());
    call.writer(path).points(points)
}

/// What the run comes to if the goal was not reached.
fn unfinished(progress: SearchStatus<Cell>) -> Option<Run> {
    match progress {
        SearchStatus::Reached(_) => None,
        SearchStatus::Paused => Some(Run::Paused),
        SearchStatus::Exhausted | SearchStatus::CostOverflow => Some(Run::Unreachable),
    }
}
