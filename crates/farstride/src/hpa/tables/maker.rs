//! Making a table record by record.

use super::{Table, WORD, digest_of};
use crate::hpa::layout::ClusterId;
use std::sync::Arc;

/// A table that is being made. Records are copied as they come, so that nobody has to hold all of
/// them beside it.
pub(crate) struct TableMaker {
    bytes: Vec<u8>,
    count: usize,
    /// Number of records so far.
    made: usize,
    digest: u64,
}

impl TableMaker {
    /// A table for `count` records.
    pub(crate) fn new(count: usize) -> Self {
        Self { bytes: vec![0; head(count)], count, made: 0, digest: 0 }
    }

    /// Adds the next record.
    pub(crate) fn push(&mut self, record: &[u8]) {
        self.digest = self.digest.wrapping_add(digest_of(self.made as ClusterId, record));
        self.bytes.extend_from_slice(record);
        self.made += 1;
        let end = (self.bytes.len() - head(self.count)) / WORD;
        self.bytes[self.made * WORD..][..WORD].copy_from_slice(&(end as u32).to_le_bytes());
    }

    /// The table, once it has all its records.
    pub(crate) fn finish(mut self) -> Table {
        debug_assert_eq!(self.made, self.count, "records are missing");
        self.bytes.shrink_to_fit();
        let (records, count, digest) = (head(self.count), self.count, self.digest);
        Table { bytes: Arc::new(self.bytes), offsets: 0, records, count, edited: Vec::new(), digest }
    }
}

/// Bytes of the offsets.
const fn head(count: usize) -> usize {
    (count + 1) * WORD
}
