//! Which areas were edited since a given revision.

use super::Revision;
use crate::base::Rect;
use std::collections::VecDeque;

/// Number of edits remembered. An index that missed more of them has to look
/// at the whole map again.
const CAPACITY: usize = 1024;

/// The latest edits of a map, so that indexes derived from it can follow.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    /// The revision before each edit, and the area it changed.
    edits: VecDeque<(Revision, Rect)>,
}

impl Journal {
    pub(super) fn note(&mut self, before: Revision, area: Rect) {
        if self.edits.len() == CAPACITY {
            self.edits.pop_front();
        }
        self.edits.push_back((before, area));
    }

    /// The areas edited since this revision; `None` if it is too old, or of
    /// another map.
    pub(super) fn since(&self, revision: Revision) -> Option<impl Iterator<Item = Rect>> {
        // From the end: most who ask have missed few edits.
        let first = self.edits.iter().rposition(|&(before, _)| before == revision)?;
        Some(self.edits.iter().skip(first).map(|&(_, area)| area))
    }
}
