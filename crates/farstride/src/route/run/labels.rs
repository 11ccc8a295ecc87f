//! The engine `labels`.

use super::Call;
use crate::base::Cell;
use crate::labels::GridLabels;
use crate::route::Scratch;
use crate::route::answer::{Answer, Run};
use crate::search::{Observer, Phase};

/// Looks a path up; no budget is spent. `None` if the labels are damaged.
#[inline]
pub(super) fn run(
    call: Call<'_>,
    labels: &GridLabels,
    scratch: &mut Scratch,
    observer: &mut impl Observer<Cell>,
) -> Option<Run> {
    let (start, goal, detail) = (call.query.start, call.query.goal, call.query.detail);
    let memory = &mut scratch.labels;
    observer.phase(Phase::Refine);
    let Some(found) = labels.find(call.grid, (start, goal), detail.extent(), memory, observer).ok()? else {
        return (!call.grid.is_connected(start, goal)).then_some(Run::Unreachable);
    };
    Some(Run::Found(Answer::of_labels(call.grid, detail, found.steps, found.cells)))
}
