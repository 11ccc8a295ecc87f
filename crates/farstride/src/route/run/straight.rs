//! The engine `straight`.

use super::Call;
use crate::base::Cell;
use crate::route::Scratch;
use crate::route::answer::{Answer, Run};
use crate::search::{Observer, Phase};
use crate::straight::{self, StraightIndex, StraightRule};

/// Looks a path up, or searches corners if the index has no labels; no budget is spent.
/// `None` if the labels are damaged.
#[inline]
pub(super) fn run(
    call: Call<'_>,
    index: &StraightIndex,
    scratch: &mut Scratch,
    observer: &mut impl Observer<Cell>,
) -> Option<Run> {
    let (ends, detail) = ((call.query.start, call.query.goal), call.query.detail);
    let Scratch { labels, strings, points, .. } = scratch;
    observer.phase(Phase::Refine);
    let wanted = detail.needs_path().then_some(&mut *points);
    let Some(cost) = index.find(call.grid, ends, (labels, strings), wanted, observer).ok()? else {
        return (!call.grid.is_connected(ends.0, ends.1)).then_some(Run::Unreachable);
    };
    Some(Run::Found(if detail.needs_path() {
        Answer::of_points(detail, cost, points)
    } else {
        Answer::of_length(cost)
    }))
}

/// Searches corners without an index.
pub(super) fn search(
    call: Call<'_>,
    rule: StraightRule,
    scratch: &mut Scratch,
    observer: &mut impl Observer<Cell>,
) -> Run {
    let ends = (call.query.start, call.query.goal);
    let Scratch { strings, points, .. } = scratch;
    match straight::search(call.grid, rule, ends, strings, Some(points), observer) {
        Some(cost) => Run::Found(Answer::of_points(call.query.detail, cost, points)),
        None => Run::Unreachable,
    }
}
