//! What changed since when.

use super::Contents;
use crate::base::Rect;
use std::collections::VecDeque;

/// Edits that are remembered. Who missed more of them has to look at the whole
/// map again.
const CAPACITY: usize = 1024;

/// The last edits of a map, so that what was derived from it can follow.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    /// The contents before each edit, and the cells it changed.
    edits: VecDeque<(Contents, Rect)>,
}

impl Journal {
    pub(super) fn note(&mut self, before: Contents, area: Rect) {
        if self.edits.len() == CAPACITY {
            self.edits.pop_front();
        }
        self.edits.push_back((before, area));
    }

    /// The areas edited since the map had these contents, if it is known.
    pub(super) fn since(&self, contents: Contents) -> Option<impl Iterator<Item = Rect>> {
        let first = self.edits.iter().position(|&(before, _)| before == contents)?;
        Some(self.edits.iter().skip(first).map(|&(_, area)| area))
    }
}
