//! Reusable memory for journeys.

use super::journey::Part;
use super::nearest::NearestScratch;
use super::table::TableScratch;
use super::tiles::{FloorId, LinkId};
use crate::base::{Cell, Cost};
use crate::route::Scratch;
use crate::search::{HeapQueue, Memory};
use std::ops::Range;

/// Working memory for queries of an [`Atlas`](super::Atlas). Keep one per thread and reuse
/// it: queries allocate nothing once it has grown.
#[derive(Debug, Default)]
pub struct AtlasScratch {
    pub(super) from_start: Scratch,
    pub(super) from_goal: Scratch,
    pub(super) search: Memory<HeapQueue>,
    pub(super) work: Work,
    pub(super) nearest: NearestScratch,
    pub(super) parts: Vec<Part>,
    pub(super) legs: Vec<Leg>,
    pub(super) cells: Vec<Cell>,
}

impl AtlasScratch {
    /// An empty scratch. It grows on use.
    pub fn new() -> Self {
        Self::default()
    }
}

/// What a query finds out on its way.
#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) table: TableScratch,
    /// Costs from the start to the ends of its floor, as far as they were asked for.
    pub(super) start_costs: Vec<Option<Cost>>,
    /// The same to the goal.
    pub(super) goal_costs: Vec<Option<Cost>>,
    /// Lower bounds of these costs, as far as they were needed.
    pub(super) start_bounds: Vec<Cost>,
    pub(super) goal_bounds: Vec<Cost>,
    /// Lower bounds of the ways from each end to the goal, as far as they were needed.
    pub(super) ahead: Vec<Option<Cost>>,
    /// Lower bounds of the walks to the goal from the ends of its floor, in units.
    pub(super) closing: Vec<u32>,
    /// The cost of walking from start to goal.
    pub(super) straight: Option<Cost>,
}

impl Work {
    /// Forgets the last query; makes room for this many ends on the floors of start and goal and on
    /// all.
    pub(super) fn begin(&mut self, start_ends: usize, goal_ends: usize, ends: usize) {
        self.ahead.clear();
        self.ahead.resize(ends, None);
        self.closing.clear();
        self.start_costs.clear();
        self.start_costs.resize(start_ends, None);
        self.goal_costs.clear();
        self.goal_costs.resize(goal_ends, None);
        self.start_bounds.clear();
        self.start_bounds.resize(start_ends, Cost::ZERO);
        self.goal_bounds.clear();
        self.goal_bounds.resize(goal_ends, Cost::ZERO);
        self.straight = None;
    }
}

/// A part of a trip: cells on a floor, by their range, and their cost; or a link.
#[derive(Clone, Debug)]
pub(super) enum Leg {
    Walk(FloorId, Range<usize>, Cost),
    Link(LinkId),
}
