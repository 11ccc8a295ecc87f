//! The segments of labels of all cells, of either engine: where they lie, and their records.

use super::record::{ALIGNMENT, Record};
use crate::base::Bytes;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Segments in one array of bytes, built or mapped. The first holds the positions of the blocks'
/// records in the second, in units of [`ALIGNMENT`], or 0 for a block without one; the others are up
/// to the engine.
#[derive(Clone)]
pub(crate) struct Segments<const N: usize> {
    bytes: Bytes,
    places: [Range<usize>; N],
    /// Blocks are `1 << shift` cells wide and high.
    pub(crate) shift: u32,
    /// Number of blocks in a row.
    pub(crate) columns: usize,
}

impl<const N: usize> fmt::Debug for Segments<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { places, shift, columns, bytes: _ } = self;
        f.debug_struct("Segments")
            .field("places", places)
            .field("shift", shift)
            .field("columns", columns)
            .finish_non_exhaustive()
    }
}

/// Segments are equal if all their bytes are, wherever these lie.
impl<const N: usize> PartialEq for Segments<N> {
    fn eq(&self, other: &Self) -> bool {
        (self.shift, self.columns) == (other.shift, other.columns) && self.all().eq(other.all())
    }
}

impl<const N: usize> Eq for Segments<N> {}

impl<const N: usize> Segments<N> {
    /// Positions of the blocks' records.
    const BLOCKS: usize = 0;
    /// The records of blocks.
    const RECORDS: usize = 1;

    /// The same places in other bytes, as damage leaves them.
    #[cfg(test)]
    pub(crate) fn with_bytes(&self, bytes: Vec<u8>) -> Self {
        Self { bytes: Arc::new(bytes), ..self.clone() }
    }

    /// Segments of an index of a map with this width, which lie in a file; `None` if there is another
    /// number of them.
    pub(crate) fn in_file(bytes: &Bytes, places: &[Range<usize>], shift: u8, width: usize) -> Option<Self> {
        let places = places.to_vec().try_into().ok()?;
        let columns = width.div_ceil(1 << shift);
        Some(Self { bytes: Bytes::clone(bytes), places, shift: shift.into(), columns })
    }

    /// Joins segments into one array of bytes, as an index file has them.
    pub(crate) fn join(parts: &[Vec<u8>; N], shift: u32, columns: usize) -> Self {
        let mut end = 0;
        let places = parts.each_ref().map(|part| {
            let start = end;
            end += part.len();
            start..end
        });
        Self { bytes: Arc::new(parts.concat()), places, shift, columns }
    }

    /// All bytes, in which segments lie at their [places](Self::place).
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// Where a segment lies.
    #[inline]
    pub(crate) fn place(&self, part: usize) -> Range<usize> {
        self.places[part].clone()
    }

    /// The bytes of a segment.
    #[inline]
    pub(crate) fn part(&self, part: usize) -> &[u8] {
        self.bytes().get(self.place(part)).unwrap_or_default()
    }

    /// The bytes of each segment.
    pub(crate) fn all(&self) -> impl Iterator<Item = &[u8]> {
        (0..N).map(|part| self.part(part))
    }

    /// Number of bytes of all segments.
    pub(crate) fn byte_count(&self) -> usize {
        self.places.iter().map(Range::len).sum()
    }

    /// Number of cells in a block.
    pub(crate) const fn block_cells(&self) -> usize {
        1 << (2 * self.shift)
    }

    /// Checks the sizes of the first two segments on a map with this height.
    pub(crate) fn check_sizes(&self, height: usize) -> Result<(), &'static str> {
        let [blocks, records] = [Self::BLOCKS, Self::RECORDS].map(|part| self.place(part).len());
        if blocks != self.columns * height.div_ceil(1 << self.shift) * size_of::<u32>() {
            return Err("have another number of blocks than the map");
        }
        if records < ALIGNMENT || !records.is_multiple_of(ALIGNMENT) {
            return Err("have records of another form");
        }
        Ok(())
    }

    /// The positions of the records of all blocks that have one, in bytes, and the numbers of the
    /// blocks.
    pub(crate) fn starts(&self) -> impl Iterator<Item = (usize, usize)> {
        let places = self.part(Self::BLOCKS).as_chunks().0.iter().map(|&place| u32::from_le_bytes(place));
        places
            .enumerate()
            .filter(|&(_, place)| place != 0)
            .map(|(block, place)| (block, place as usize * ALIGNMENT))
    }

    /// The records of all blocks that have one, with the numbers of the blocks; `None` for bytes that
    /// are no record.
    pub(crate) fn records(&self) -> impl Iterator<Item = Option<(usize, Record<'_>)>> {
        self.starts().map(|(block, start)| {
            let bytes = self.part(Self::RECORDS).get(start..)?;
            Some((block, Record::read(bytes, self.block_cells())?))
        })
    }

    /// Numbers of records, of their vias, which have ranks below `ranks`, and of their entries.
    pub(crate) fn count(&self, ranks: usize) -> [usize; 3] {
        self.records().flatten().fold([0; 3], |[blocks, vias, entries], (_, record)| {
            let own = record.hubs().filter(|&rank| rank < ranks).count();
            [blocks + 1, vias + own, entries + record.entries().len()]
        })
    }
}
