//! Reusable memory for queries.

use super::band::Band;
use super::smooth::Smoother;
use super::taut::Puller;
use crate::base::{Cell, Cost, Point, Trail};
use crate::groups::GroupScratch;
use crate::hpa::{HpaScratch, Turns};
use crate::labels::{Fan, LabelScratch};
use crate::overlay::OverlayScratch;
use crate::search::{BucketQueue, HeapQueue, Memory};
use crate::straight::StringScratch;
use crate::subgoal::SubgoalScratch;
use std::sync::atomic::{AtomicU64, Ordering};

/// Working memory for queries. Keep one per thread and reuse it.
///
/// It grows with the largest map it is used on: 12 bytes per cell, 8 more for
/// Theta*, and 12 more if it serves maps with and without weights; hierarchies need far less.
/// Only the pages that
/// searches touch become resident. Starting a query takes constant time, and a query
/// allocates nothing once the scratch has grown.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) ring: Memory<BucketQueue>,
    pub(super) heap: Memory<HeapQueue>,
    pub(super) path: Vec<Cell>,
    pub(super) points: Vec<Point>,
    pub(super) hpa: HpaScratch,
    pub(super) subgoals: SubgoalScratch,
    pub(super) groups: GroupScratch<Cell>,
    pub(super) labels: LabelScratch,
    pub(super) overlay: OverlayScratch,
    pub(super) strings: StringScratch,
    /// The label of a start, kept for queries to many goals.
    pub(super) fan: Option<Box<Fan>>,
    pub(super) trail: Trail,
    pub(super) spare_trail: Trail,
    pub(super) turns: Turns,
    pub(super) spare_turns: Turns,
    pub(super) smoother: Smoother,
    pub(super) band: Band,
    pub(super) puller: Puller,
    /// Goals with their distances on an empty map, the nearest first.
    pub(super) order: Vec<(Cost, usize)>,
    /// A bit for each cell that is one of many goals; none is set between queries.
    pub(super) marks: Vec<u64>,
    /// The paused search whose state is in here, if any.
    pub(super) paused: Option<u64>,
}

impl Scratch {
    /// An empty scratch. It grows on use.
    pub fn new() -> Self {
        Self::default()
    }

    /// Marks the search in here as paused, by a number unique in this process.
    pub(super) fn pause(&mut self) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let serial = NEXT.fetch_add(1, Ordering::Relaxed);
        self.paused = Some(serial);
        serial
    }
}
