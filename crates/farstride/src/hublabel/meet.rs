//! Where two climbs meet.

use super::core::{Core, Crossing};
use super::index::HubIndex;
use super::reach::Reach;
use super::sweep::Side;
use crate::base::Cost;

/// Memory for queries. Keep one per thread and reuse it: starting a query is
/// O(1), and a warmed-up scratch allocates nothing.
#[derive(Debug, Default)]
pub struct HubScratch {
    pub(super) start: Side,
    pub(super) goal: Side,
    /// How far hubs are from the start.
    pub(super) hubs: Reach,
    pub(super) crossing: Crossing,
    /// Ranks of the last path that was traced, arc by arc.
    pub(super) spine: Vec<u32>,
    /// Ranks of all its nodes.
    pub(super) path: Vec<u32>,
    /// Arcs that are to be unfolded.
    pub(super) arcs: Vec<(u32, u32)>,
}

impl HubScratch {
    /// The ranks of all nodes of the path that was traced last.
    pub(crate) fn path(&self) -> &[u32] {
        &self.path
    }
}

/// The least cost from some ranks to others, and where the path is highest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Meeting {
    pub(crate) cost: Cost,
    pub(super) place: Place,
}

/// Where a path is highest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// At a rank that both ends climb to.
    Rank(u32),
    /// At the hub of an entry in the label of a rank that the goal's end climbs
    /// to.
    Entry { rank: u32, entry: u32 },
    /// In the core.
    Core,
}

/// The best meeting so far.
#[derive(Clone, Copy)]
struct Least {
    units: u64,
    place: Place,
}

impl Least {
    const NONE: Self = Self { units: Reach::FAR, place: Place::Core };

    #[inline]
    fn improve(&mut self, units: u64, place: Place) {
        if units < self.units {
            *self = Self { units, place };
        }
    }

    fn meeting(self) -> Option<Meeting> {
        let cost = Cost::new(self.units).ok()?;
        Some(Meeting { cost, place: self.place })
    }
}

impl HubIndex {
    /// The least cost of a path from one of some ranks to one of others, each
    /// with a cost of its own that counts too; `None` if there is none.
    ///
    /// `bound` is a lower bound of the cost from a rank of the core to the goal,
    /// the cost of its ranks included; it guides the search of the core.
    pub(crate) fn meet(
        &self,
        sources: &[(u32, u32)],
        targets: &[(u32, u32)],
        bound: impl Fn(u32) -> Cost,
        scratch: &mut HubScratch,
    ) -> Option<Meeting> {
        self.depart(sources, scratch);
        self.arrive(targets, bound, scratch)
    }

    /// The first half: climbs from the sources and notes how far hubs are.
    pub(super) fn depart(&self, sources: &[(u32, u32)], scratch: &mut HubScratch) {
        let HubScratch { start, hubs, .. } = scratch;
        start.climb(&self.hierarchy, self.floor(), sources, |_, _| u64::MAX);
        hubs.begin(self.labels.top() as usize);
        if self.hierarchy.core_size() > 0 {
            return;
        }
        for &rank in &start.landings {
            let cost = start.reach.cost(rank);
            if start.is_stalled(self.hierarchy.up_arcs(rank), cost) {
                continue;
            }
            let range = self.labels.range(rank);
            for (&hub, &rest) in self.labels.hubs[range.clone()].iter().zip(&self.labels.costs[range]) {
                hubs.improve(hub, cost + u64::from(rest));
            }
        }
    }

    /// The second half: climbs from the targets and looks where they meet.
    pub(super) fn arrive(
        &self,
        targets: &[(u32, u32)],
        bound: impl Fn(u32) -> Cost,
        scratch: &mut HubScratch,
    ) -> Option<Meeting> {
        let HubScratch { start, goal, hubs, crossing, .. } = scratch;
        let mut least = Least::NONE;
        goal.climb(&self.hierarchy, self.floor(), targets, |rank, cost| {
            least.improve(start.reach.cost(rank) + cost, Place::Rank(rank));
            least.units
        });
        if self.hierarchy.core_size() > 0 {
            let core = Core { hierarchy: &self.hierarchy, start, goal };
            if let Some(units) = core.cross(least.units, bound, crossing) {
                least.improve(units, Place::Core);
            }
            return least.meeting();
        }
        for &rank in &goal.landings {
            let cost = goal.reach.cost(rank);
            if cost >= least.units || goal.is_stalled(self.hierarchy.up_arcs(rank), cost) {
                continue;
            }
            let range = self.labels.range(rank);
            let entries = self.labels.hubs[range.clone()].iter().zip(&self.labels.costs[range.clone()]);
            for (entry, (&hub, &rest)) in (range.start as u32..).zip(entries) {
                let units = hubs.cost(hub) + cost + u64::from(rest);
                least.improve(units, Place::Entry { rank, entry });
            }
        }
        least.meeting()
    }

    /// The first rank without a label, or the first below the core: from there
    /// on ends climb.
    fn floor(&self) -> u32 {
        self.labels.top().max(self.hierarchy.core_size())
    }
}
