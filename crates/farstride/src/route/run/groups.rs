//! The engine `groups`.

use super::{Call, Stage};
use crate::base::Cell;
use crate::groups::GridGroups;
use crate::route::Scratch;
use crate::route::answer::Run;
use crate::search::{Observer, SearchStatus};

/// Searches a hierarchy of groups; `None` if it knows no path. The budget counts
/// the nodes of the search on the level on which start and goal differ; refining
/// its path is not counted.
pub(super) fn run(
    call: Call<'_>,
    groups: &GridGroups,
    scratch: &mut Scratch,
    observer: &mut impl Observer<Cell>,
) -> Option<Run> {
    let ground = groups.ground(call.grid);
    let navigator = groups.navigator(&ground, call.group_tactics);
    let Scratch { groups: memory, path, .. } = scratch;
    if call.stage == Stage::Start {
        navigator.begin(call.query.start, call.query.goal, memory, observer);
    }
    match navigator.advance(call.query.budget, memory, observer) {
        SearchStatus::Reached(_) => {
            path.clear();
            path.extend_from_slice(memory.path());
            Some(call.writer(path).cells())
        }
        SearchStatus::Paused => Some(Run::Paused),
        SearchStatus::CostOverflow => Some(Run::Unreachable),
        SearchStatus::Exhausted => None,
    }
}
