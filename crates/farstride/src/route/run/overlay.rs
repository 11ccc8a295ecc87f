//! The engine `overlay`.

use super::{Call, Stage};
use crate::base::Cell;
use crate::overlay::Overlay;
use crate::route::Scratch;
use crate::route::answer::{Answer, Run};
use crate::search::{Observer, SearchStatus};

/// Searches an overlay; `None` if it is damaged. The budget counts the nodes of the
/// main search: looking around start and goal and writing the path take little, however
/// large the map is.
pub(super) fn run(
    call: Call<'_>,
    overlay: &Overlay,
    scratch: &mut Scratch,
    observer: &mut impl Observer<Cell>,
) -> Option<Run> {
    let Scratch { overlay: memory, path, .. } = scratch;
    let (grid, needs_path) = (call.grid, call.query.detail.needs_path());
    if call.stage == Stage::Start {
        overlay.begin(grid, (call.query.start, call.query.goal), needs_path, memory, observer);
    }
    let cost = match overlay.advance(grid, call.query.budget, memory, observer) {
        SearchStatus::Reached(cost) => cost,
        SearchStatus::Paused => return Some(Run::Paused),
        // The size of grids rules out the second.
        SearchStatus::Exhausted | SearchStatus::CostOverflow => return None,
    };
    if !needs_path {
        return Some(Run::Found(Answer::of_cost(grid, cost)));
    }
    overlay.path_into(grid, memory, path, observer).then(|| call.writer(path).cells())
}
