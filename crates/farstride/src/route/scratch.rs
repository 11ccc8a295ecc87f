//! Reusable memory for queries.

use super::smooth::Smoother;
use super::taut::Puller;
use crate::base::{Cell, Cost, Trail};
use crate::grid::Steps;
use crate::groups::GroupScratch;
use crate::hpa::{HpaScratch, Turns};
use crate::labels::{Fan, LabelScratch};
use crate::search::{BucketQueue, HeapQueue, Memory};
use crate::subgoal::SubgoalScratch;
use std::sync::atomic::{AtomicU64, Ordering};

/// Working memory for queries. Keep one per thread and reuse it.
///
/// It grows with the largest map it was used on (12 bytes per cell, 8 more for
/// Theta*, and 12 more if it serves maps with and without weights; only those
/// that searches touch become resident) and starts each query in constant time. A
/// query on a warmed-up scratch allocates nothing.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) ring: Memory<BucketQueue>,
    pub(super) heap: Memory<HeapQueue>,
    pub(super) path: Vec<Cell>,
    pub(super) hpa: HpaScratch,
    pub(super) subgoals: SubgoalScratch,
    pub(super) groups: GroupScratch<Cell>,
    pub(super) labels: LabelScratch,
    /// The label of a start that is asked for many goals.
    pub(super) fan: Option<Box<Fan>>,
    /// Cells of the path that lies in `labels` instead of `path`, if it does.
    pub(super) written: Option<usize>,
    pub(super) trail: Trail,
    pub(super) spare_trail: Trail,
    pub(super) turns: Turns,
    pub(super) spare_turns: Turns,
    /// The steps of the path in `path`, if they are known without counting.
    pub(super) steps: Option<Steps>,
    pub(super) smoother: Smoother,
    pub(super) puller: Puller,
    /// Goals by their distance on an empty map.
    pub(super) order: Vec<(Cost, usize)>,
    /// The paused search that lies here, if any.
    pub(super) paused: Option<u64>,
}

impl Scratch {
    /// Empty memory; it grows when it is used.
    pub fn new() -> Self {
        Self::default()
    }

    /// Marks the search in here as paused, by a number that no other search
    /// of this process has.
    pub(super) fn pause(&mut self) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let serial = NEXT.fetch_add(1, Ordering::Relaxed);
        self.paused = Some(serial);
        serial
    }
}
