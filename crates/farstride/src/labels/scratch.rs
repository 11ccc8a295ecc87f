//! Reusable memory for queries on labels.

use super::climb::Climbing;
use super::record::{MOST_HUBS, MOST_VIAS, Way};
use crate::base::Cell;

/// Working memory for queries on labels; one per thread. Takes 8 MB of address
/// space, of which only the pages that queries touch become resident.
#[derive(Debug, Default)]
pub(crate) struct LabelScratch {
    working: Option<Box<Working>>,
    climb: Climbing,
    written: Written,
}

/// Where the last query wrote its path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Written {
    #[default]
    Labels,
    Climb,
}

/// The memory of queries on labels of all cells.
#[derive(Debug)]
pub(crate) struct Working {
    /// For each hub, the base of the query ([`Generation`]) minus the [`Way`] to the
    /// hub from the start. A larger number is a nearer hub.
    pub(crate) best: Box<[i64; MOST_HUBS]>,
    pub(crate) generation: Generation,
    /// Distances of the vias of the start's block from the start.
    pub(crate) from: Box<[u32; MOST_VIAS]>,
    /// Distances of the vias of the goal's block from the goal.
    pub(crate) to: Box<[u32; MOST_VIAS]>,
    /// Starts of the tracks from the goal up to the hub.
    pub(super) climb: Vec<u32>,
    /// The cells of the path, or its corners, followed by surplus from copying in strides.
    pub(super) cells: Vec<Cell>,
}

/// The base from which `best` is measured. Every query takes one that is larger than
/// the last by more than any cost, so that numbers of older queries count as far
/// away, and nothing has to be cleared.
#[derive(Debug, Default)]
pub(crate) struct Generation(i64);

/// Difference between the bases of two queries.
const SPAN: i64 = Way::FAR.0;

impl Generation {
    /// The base of the next query. Zeros, too, count as far away from it.
    #[inline]
    pub(crate) fn next(&mut self, best: &mut [i64; MOST_HUBS]) -> i64 {
        if self.0 > i64::MAX - SPAN {
            best.fill(0);
            self.0 = 0;
        }
        self.0 += SPAN;
        self.0
    }
}

impl LabelScratch {
    /// The memory, with room for paths of this many cells.
    #[inline]
    pub(crate) fn working(&mut self, cells: usize) -> &mut Working {
        self.written = Written::Labels;
        let working = self.working.get_or_insert_with(|| {
            Box::new(Working {
                best: zeroed(),
                generation: Generation::default(),
                from: zeroed(),
                to: zeroed(),
                climb: Vec::new(),
                cells: Vec::new(),
            })
        });
        if working.cells.len() < cells {
            working.cells.resize(cells, Cell::default());
        }
        working
    }

    /// The memory for climb indexes.
    pub(super) fn climbing(&mut self) -> &mut Climbing {
        self.written = Written::Climb;
        &mut self.climb
    }

    /// The first `count` cells of the path that was written last.
    #[inline]
    pub(crate) fn cells(&self, count: usize) -> &[Cell] {
        let working = self.working.as_deref();
        let cells = match self.written {
            Written::Labels => working.map(|working| &working.cells),
            Written::Climb => Some(&self.climb.cells),
        };
        cells.and_then(|cells| cells.get(..count)).unwrap_or_default()
    }
}

/// An array of zeros that becomes resident only where it is touched: a zeroed
/// allocation of this size is mapped by the system and not written.
#[expect(clippy::unnecessary_box_returns, reason = "megabytes do not belong on the stack")]
fn zeroed<T: Clone + Default + std::fmt::Debug, const N: usize>() -> Box<[T; N]> {
    let zeros = vec![T::default(); N].into_boxed_slice();
    zeros.try_into().unwrap_or_else(|_| unreachable!("the slice has as many elements as the array"))
}
