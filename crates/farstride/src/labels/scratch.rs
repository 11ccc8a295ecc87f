//! Reusable memory for queries over labels.

use super::climb::ClimbScratch;
use super::record::{MOST_HUBS, MOST_VIAS, Way};
use super::sink::CornerBuffer;
use crate::base::Cell;

/// Working memory for queries over labels: 8 MB of address space, of which only
/// what queries touch becomes resident.
#[derive(Debug, Default)]
pub(crate) struct LabelScratch {
    working: Option<Box<Working>>,
    climb: ClimbScratch,
    written: Written,
}

/// Where the last query wrote its path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Written {
    #[default]
    Cells,
    Corners,
    Climb,
}

/// What a query works with.
#[derive(Debug)]
pub(super) struct Working {
    /// How near each hub is to the start, and by which via, as a [`Way`] less
    /// than what the query measures from: the larger, the nearer.
    pub(super) best: Box<[i64; MOST_HUBS]>,
    pub(super) generation: Generation,
    /// How far the vias of the start's block are.
    pub(super) from: Box<[u32; MOST_VIAS]>,
    /// How far those of the goal's are.
    pub(super) to: Box<[u32; MOST_VIAS]>,
    /// Tracks from the goal up to the hub.
    pub(super) climb: Vec<u32>,
    /// The cells of the path, and more.
    pub(super) cells: Vec<Cell>,
    pub(super) corners: CornerBuffer,
}

/// What `best` is measured from. Every query takes a value so much larger than
/// the one before that whatever older ones left counts as far away, and nothing
/// has to be cleared.
#[derive(Debug, Default)]
pub(super) struct Generation(i64);

/// What is left of older queries counts as no way.
const SPAN: i64 = Way::FAR.0;

impl Generation {
    /// What the next query measures from. Zeros count as no way, too.
    #[inline]
    pub(super) fn next(&mut self, best: &mut [i64; MOST_HUBS]) -> i64 {
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
    pub(super) fn working(&mut self, cells: usize, written: Written) -> &mut Working {
        self.written = written;
        let working = self.working.get_or_insert_with(|| {
            Box::new(Working {
                best: zeroed(),
                generation: Generation::default(),
                from: zeroed(),
                to: zeroed(),
                climb: Vec::new(),
                cells: Vec::new(),
                corners: CornerBuffer::default(),
            })
        });
        if working.cells.len() < cells {
            working.cells.resize(cells, Cell::default());
        }
        working
    }

    /// The memory of queries that climb.
    pub(super) fn climbing(&mut self) -> &mut ClimbScratch {
        self.written = Written::Climb;
        &mut self.climb
    }

    /// The first cells of the path that was written last.
    #[inline]
    pub(crate) fn cells(&self, count: usize) -> &[Cell] {
        let working = self.working.as_deref();
        let cells = match self.written {
            Written::Cells => working.map(|working| &working.cells),
            Written::Corners => working.map(|working| &working.corners.corners),
            Written::Climb => Some(&self.climb.cells),
        };
        cells.and_then(|cells| cells.get(..count)).unwrap_or_default()
    }
}

/// Zeros that take no memory before they are touched.
#[expect(clippy::unnecessary_box_returns, reason = "megabytes do not belong on the stack")]
fn zeroed<T: Clone + Default + std::fmt::Debug, const N: usize>() -> Box<[T; N]> {
    let zeros = vec![T::default(); N].into_boxed_slice();
    zeros.try_into().unwrap_or_else(|_| unreachable!("the slice has as many elements as the array"))
}
