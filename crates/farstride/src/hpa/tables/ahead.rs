//! Reading records ahead.

use super::{TableView, WORD, u32_at};
use crate::hpa::layout::ClusterId;
use std::hint::black_box;

/// Reads records before they are needed; holds memory that is reused.
///
/// What a query needs of a large index is rarely in the processor's caches, and a query reads one record after the other, each
/// found by what it has read before. Where the next few hundred are known, reading the first bytes of all of them
/// takes much less time: the processor then fetches many at once, as none depends on another. Nothing is done with these
/// bytes.
#[derive(Debug, Default)]
pub(crate) struct ReadAhead {
    starts: Vec<usize>,
}

/// Bytes that are fetched together.
const LINE: usize = 64;

impl ReadAhead {
    /// Reads the first `lines` cache lines of the records of some clusters.
    pub(crate) fn read(
        &mut self,
        table: TableView<'_>,
        lines: usize,
        clusters: impl Iterator<Item = ClusterId>,
    ) {
        self.starts.clear();
        self.starts.extend(clusters.map(|cluster| u32_at(table.offsets, cluster as usize) as usize * WORD));
        let mut sum = 0;
        for &start in &self.starts {
            for line in 0..lines {
                // Edited records lie elsewhere; most are not.
                sum ^= table.records.get(start + line * LINE).copied().unwrap_or_default();
            }
        }
        black_box(sum);
    }
}
