//! Reading records ahead.

use super::{TableView, WORD, u32_at};
use crate::hpa::layout::ClusterId;
use std::hint::black_box;
use std::ops::Range;

/// Reads records before they are needed; holds memory that is reused.
///
/// What a query needs of a large index is rarely in the processor's caches, and a query reads one record after the other, each
/// found by what it has read before. Where the next few hundred are known, reading the first bytes of all of them
/// takes less time: the processor then fetches many at once, as none depends on another. Nothing is done with these
/// bytes.
#[derive(Debug, Default)]
pub(crate) struct ReadAhead {
    places: Vec<Range<usize>>,
}

/// Bytes that are fetched together.
const LINE: usize = 64;

impl ReadAhead {
    /// Reads the records of some clusters, of each at most the first `lines` cache lines.
    #[inline(never)] // it takes hundreds of reads, and WebAssembly is to stay small
    pub(crate) fn read(
        &mut self,
        table: TableView<'_>,
        lines: usize,
        clusters: impl Iterator<Item = ClusterId>,
    ) {
        let place = |cluster: ClusterId| {
            let at = cluster as usize;
            // Edited records lie elsewhere.
            let is_edited = matches!(table.edited.get(at), Some(Some(_)));
            let [start, end] = [at, at + 1].map(|at| u32_at(table.offsets, at) as usize * WORD);
            (!is_edited).then_some(start..end.min(start + lines * LINE))
        };
        self.places.clear();
        self.places.extend(clusters.filter_map(place));
        let mut sum = 0;
        for place in &self.places {
            for line in place.clone().step_by(LINE) {
                sum ^= table.records[line];
            }
        }
        black_box(sum);
    }
}
